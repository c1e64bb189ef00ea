/*
 * A crowd of the CPU backend through the public interface alone, on the null driver: random calls, frames that are cancelled,
 * and calls that are refused, against plain characters with integer time. There are four views, and each sees
 * more than the one before. There are more slots than tasks have, fades up to an hour, a clip shorter than a tick, and
 * weights that step at the end of a clip. And two equal crowds, one of them with 1,000 cancelled frames.
 */
#include "null_crowd.h"
#include "random.h"

#define PEOPLE 620u /* places of removed characters are free later */
#define FRAMES 60u
#define WIDTH  100u /* width of the place of all characters */

/* Enough for all windows of palettes: see crowd_cpu.c. */
#define MANY_SLOTS 1100u

static const float fades[] = {0.0f, 0.0f, 0.2f, 3.0f, 70.0f, 1000.0f, 3600.0f};
static const float speeds[] = {1.0f, -1.0f, 0.5f, 2.0f, 0.0f, 0.001f};

/* ---- Plain characters ---- */

/* A clip that plays: its phase at a tick. */
typedef struct Playing {
    uint32_t clip, phase, tick, rate;
    bool once, backwards;
} Playing;

typedef struct Character {
    VkskinCharacter handle;
    bool exists, hidden, teleported;
    uint32_t seen; /* views of the last frame */
    uint32_t model, variation, parts, lastParts;
    float place[2], last[2]; /* x and y */
    Playing old, newest;
    bool fades;
    uint32_t fadeTick, fadeTicks;
} Character;

typedef struct World {
    Random random;
    Host *host;
    Character characters[PEOPLE];
    VkskinCrowdStats counters[2]; /* counts of the last frame in each slot */
} World;

static uint32_t phaseOf(const Playing *playing, uint32_t tick) {
    const uint64_t way = (uint64_t)(tick - playing->tick) * playing->rate;
    if (!playing->once) {
        return playing->backwards ? playing->phase - (uint32_t)way : playing->phase + (uint32_t)way;
    }
    const uint32_t room = playing->backwards ? playing->phase : UINT32_MAX - playing->phase;
    const uint32_t moved = way < room ? (uint32_t)way : room;
    return playing->backwards ? playing->phase - moved : playing->phase + moved;
}

/* A clip has at least two ticks. */
static uint32_t rateOf(uint32_t clip, float speed) {
    const double unit = fmin(rint(4294967296.0 / ((double)nullCrowdDurations[clip] * 1000.0)), INT32_MAX);
    return (uint32_t)fmin(floor(unit * rint(fabs((double)speed) * 1048576.0) / 1048576.0), INT32_MAX);
}

static void play(Character *character, const VkskinCrowdPlay *play, uint32_t tick) {
    const double phase = rint((double)play->start * 4294967296.0);
    character->old = character->newest;
    character->newest = (Playing){.clip = play->clip,
                                  .phase = phase < 4294967296.0 ? (uint32_t)phase
                                           : play->once         ? UINT32_MAX
                                                                : 0,
                                  .tick = tick,
                                  .rate = rateOf(play->clip, play->speed),
                                  .once = play->once,
                                  .backwards = play->speed < 0.0f};
    character->fades = play->fade > 0.0f;
    character->fadeTick = tick;
    character->fadeTicks = (uint32_t)rint((double)play->fade * 1000.0);
}

static void setSpeed(Character *character, float speed, uint32_t tick) {
    Playing *newest = &character->newest;
    newest->phase = phaseOf(newest, tick);
    newest->tick = tick;
    newest->rate = rateOf(newest->clip, speed);
    newest->backwards = speed < 0.0f;
}

/* y and z of its vertices. */
static void poseOf(Character *character, uint32_t tick, float pose[2]) {
    const Playing *const clips[2] = {&character->old, &character->newest};
    character->fades = character->fades && tick - character->fadeTick < character->fadeTicks;
    const double weight = character->fades ? (double)(tick - character->fadeTick) / (double)character->fadeTicks : 1.0;
    double sum[2] = {0.0};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t phase = phaseOf(clips[i], tick);
        const double share = i == 0 ? 1.0 - weight : weight;
        sum[0] += share * (2.0 * clips[i]->clip + phase / 4294967296.0);
        sum[1] += share * (clips[i]->clip == STEPPING && phase == UINT32_MAX ? 1.0 : 0.0);
    }
    pose[0] = (float)sum[0];
    pose[1] = (float)sum[1];
}

/* ---- Random calls, which both get ---- */

static VkskinCrowdPlay randomPlay(Random *random, float fade) {
    const bool once = randomBelow(random, 3) == 0;
    VkskinCrowdPlay made = vkskinDefaultCrowdPlay();
    made.clip = randomBelow(random, CLIPS);
    made.speed = speeds[randomBelow(random, COUNT_OF(speeds))];
    made.fade = fade;
    made.once = once;
    made.start = randomBelow(random, 8) == 0 ? 1.0f : randomFloat(random, 0.0f, 1.0f);
    if (once && made.speed != 0.0f) { /* at a whole tick: see test_crowd_time.c */
        made.start = made.speed < 0.0f ? 1.0f : 0.0f;
    }
    return made;
}

static VkskinAffine placeOf(const Character *character) {
    VkskinAffine place = vkskinIdentityAffine();
    place.m[0][3] = character->place[0];
    place.m[1][3] = character->place[1];
    return place;
}

static void move(Random *random, Character *character) {
    character->place[0] = (float)randomBelow(random, WIDTH);
    character->place[1] = randomFloat(random, -1.0f, 1.0f);
}

static void add(World *world, Character *character) {
    Random *random = &world->random;
    *character = (Character){.exists = true, .model = randomBelow(random, 16) == 0, .variation = randomWord(random)};
    character->hidden = randomBelow(random, 16) == 0;
    character->parts = character->lastParts = randomBelow(random, 8);
    move(random, character);
    VkskinCharacterDef def = vkskinDefaultCharacterDef();
    def.transform = placeOf(character);
    def.model = character->model;
    def.variation = character->variation;
    def.parts = character->parts;
    def.play = randomPlay(random, 9.0f); /* the fade is not read */
    def.hidden = character->hidden;
    OK(vkskinAddCharacters(world->host->context, world->host->crowd, &def, 0, 1, &character->handle));
    play(character, &def.play, world->host->tick);
    character->fades = false;
}

/* With handles of others, which stay: the last one comes twice. */
static void refuseRemoval(const World *world, uint32_t index) {
    VkskinCharacter handles[4];
    uint32_t count = 0;
    for (uint32_t i = index; i < PEOPLE && count < 3; i++) {
        handles[count] = world->characters[i].handle;
        count += world->characters[i].exists;
    }
    handles[count] = handles[count / 2];
    if (count > 0) {
        RETURNS(VKSKIN_ERROR_STALE_HANDLE,
                vkskinRemoveCharacters(world->host->context, world->host->crowd, handles, count + 1));
    }
}

static void change(World *world, uint32_t index) {
    VkskinContext context = world->host->context;
    const VkskinCrowd crowd = world->host->crowd;
    Random *random = &world->random;
    Character *character = &world->characters[index];
    const VkskinCharacter *who = &character->handle;
    const bool teleports = randomBelow(random, 3) == 0;
    const VkskinCrowdPlay made = randomPlay(random, fades[randomBelow(random, COUNT_OF(fades))]);
    switch (randomBelow(random, 9)) {
    case 0:
        move(random, character);
        character->teleported |= teleports;
        const VkskinAffine place = placeOf(character);
        OK(vkskinMoveCharacters(context, crowd, who, 1, &place, 0,
                                teleports ? VKSKIN_CROWD_TELEPORT : VKSKIN_CROWD_WALK));
        break;
    case 1:
        character->hidden = !character->hidden;
        OK(vkskinHideCharacters(context, crowd, who, 1, character->hidden));
        break;
    case 2:
        if (!character->newest.once) {
            setSpeed(character, made.speed, world->host->tick);
            OK(vkskinSetCharacterSpeeds(context, crowd, who, 1, &made.speed, 0));
        }
        break;
    case 3:
        character->variation = randomWord(random);
        OK(vkskinSetCharacterVariations(context, crowd, who, 1, &character->variation, 0));
        break;
    case 4:
        refuseRemoval(world, index);
        break;
    case 5:
        character->parts = randomBelow(random, 8);
        OK(vkskinSetCharacterParts(context, crowd, who, 1, &character->parts, 0));
        break;
    case 6:
        OK(vkskinPrioritiseCharacters(context, crowd, who, 1, teleports));
        break;
    default:
        play(character, &made, world->host->tick);
        OK(vkskinPlayCharacters(context, crowd, who, 1, &made, 0));
        break;
    }
}

/* adds: places of removed characters are free. */
static void changeSome(World *world, uint32_t calls, bool adds) {
    for (uint32_t i = 0; i < calls; i++) {
        const uint32_t index = randomBelow(&world->random, i % 2 == 0 ? PEOPLE : 20); /* some change often */
        Character *character = &world->characters[index];
        if (character->exists && randomBelow(&world->random, 12) != 0) {
            change(world, index);
        } else if (character->exists) {
            OK(vkskinRemoveCharacters(world->host->context, world->host->crowd, &character->handle, 1));
            character->exists = false;
        } else if (adds) {
            add(world, character);
        }
    }
}

/* View v sees a part of the place that is wider than that of view v - 1. Its last two planes decide. */
static void turn(World *world) {
    world->host->viewCount =
        randomBelow(&world->random, 5) == 0 ? 1 + randomBelow(&world->random, 3) : VKSKIN_MAX_CROWD_VIEWS;
    for (uint32_t v = 0; v < VKSKIN_MAX_CROWD_VIEWS; v++) {
        VkskinCrowdView *view = &world->host->views[v];
        const float half = 10.0f + 20.0f * (float)v;
        const float middle = (float)randomBelow(&world->random, WIDTH) + 0.5f;
        const float sides[2][4] = {{1, 0, 0, half - middle}, {-2, 0, 0, 2 * (middle + half)}};
        *view = (VkskinCrowdView){.kind = (VkskinCrowdViewKind)(v % 2), .planeCount = v + 2};
        for (uint32_t p = 0; p < v; p++) {
            view->planes[p][3] = 1.0f; /* sees all */
        }
        memcpy(view->planes[v], sides, sizeof sides);
    }
}

static bool sees(const VkskinCrowdView *view, const Character *character) {
    const float *low = view->planes[view->planeCount - 2], *high = view->planes[view->planeCount - 1];
    return low[3] + character->place[0] > 0.0f && high[3] - 2 * character->place[0] > 0.0f;
}

static uint32_t viewsOf(const Character *character, const Host *host) {
    uint32_t views = 0;
    for (uint32_t v = 0; v < host->viewCount; v++) {
        views |= sees(&host->views[v], character) ? 1u << v : 0;
    }
    return views;
}

/* ---- Against the plain characters ---- */

static void checkVertices(const Character *character, const Drawn *drawn, const float pose[2]) {
    const uint32_t parts = character->model != 0 && (character->parts & PART_MASK) != 0 ? 3 : 1;
    assert_int_equal(drawn->parts, parts);
    for (uint32_t part = 0; part <= parts / 2; part++) {
        for (uint32_t v = 0; v < VERTICES; v++) {
            const float *place = drawn->now[part][v];
            assert_float_equal(place[0], MODEL_X * (float)character->model + PART_X * (float)part, 1e-5f);
            assert_float_equal(place[1], pose[0], 5e-4f);
            assert_float_equal(place[2], pose[1], 5e-4f);
        }
    }
}

static void checkCharacter(Character *character, const Drawn *drawn, const Host *host) {
    const uint32_t views = character->exists && !character->hidden ? viewsOf(character, host) : 0;
    float pose[2];
    assert_int_equal(drawn->views, views);
    poseOf(character, host->tick, pose);
    if (views != 0) {
        const bool jumps = character->seen == 0 || character->teleported;
        const LayoutCrowdSlot *record = &drawn->record;
        float places[2][2];
        memcpy(&places[0][0], &record->transform3, 4);
        memcpy(&places[0][1], &record->transform7, 4);
        memcpy(&places[1][0], &record->previous3, 4);
        memcpy(&places[1][1], &record->previous7, 4);
        assert_memory_equal(places[0], character->place, sizeof places[0]);
        assert_memory_equal(places[1], jumps ? character->place : character->last, sizeof places[1]);
        assert_int_equal((record->copies & 0xff) == record->copies >> 8,
                         jumps || character->parts != character->lastParts);
        assert_int_equal(record->variation, character->variation);
        assert_int_equal(record->generation, character->handle.generation);
        checkVertices(character, drawn, pose);
    }
    character->seen = views;
    character->teleported = false;
    character->lastParts = character->parts;
    memcpy(character->last, character->place, sizeof character->last);
}

/* The counters of a frame are those of its characters; they are read when its slot is used again. */
static VkskinCrowdStats countersOf(const World *world, const Drawn drawn[CAPACITY]) {
    VkskinCrowdStats counters = {.frame = world->host->begun, .maxPixels = 1.0f};
    for (uint32_t i = 0; i < CAPACITY; i++) {
        counters.characters += i < PEOPLE && world->characters[i].exists;
        counters.skinned += drawn[i].views != 0;
        for (uint32_t v = 0; v < VKSKIN_MAX_CROWD_VIEWS; v++) {
            counters.drawn[v] += drawn[i].views >> v & 1u;
        }
        const bool counts = i < PEOPLE && world->characters[i].exists && world->characters[i].seen != 0;
        counters.levels[0].vertices += counts ? (1 + (uint64_t)world->characters[i].model) * VERTICES : 0;
    }
    counters.levels[0].slots = counters.levels[0].refreshed = counters.skinned;
    return counters;
}

static void checkCounters(World *world, const Drawn drawn[CAPACITY]) {
    const Host *host = world->host;
    VkskinCrowdStats stats;
    OK(vkskinGetCrowdStats(host->context, host->crowd, &stats));
    assert_memory_equal(&stats, &world->counters[host->slot], sizeof stats);
    world->counters[host->slot] = countersOf(world, drawn);
}

/* Returns how many characters were skinned. */
static uint32_t checkFrame(World *world) {
    static Drawn drawn[CAPACITY];
    Character none = {.exists = false};
    Character *at[CAPACITY] = {NULL};
    readDrawn(world->host, drawn);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        Character *character = &world->characters[i];
        if (character->exists) {
            at[character->handle.index - 1] = character;
        }
    }
    for (uint32_t i = 0; i < CAPACITY; i++) {
        checkCharacter(at[i] != NULL ? at[i] : &none, &drawn[i], world->host);
    }
    checkCounters(world, drawn);
    return world->counters[world->host->slot].skinned;
}

static void makeWorld(World *world, Host *host, uint32_t slots, uint64_t seed) {
    makeHost(host, slots);
    *world = (World){.random = {seed}, .host = host};
    turn(world);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        add(world, &world->characters[i]);
    }
    host->generation = world->characters[0].handle.generation;
}

static void advance(World *world) {
    static const uint32_t steps[] = {0, 1, 16, 16, 16, 500, 40000};
    world->host->slot = 1 - world->host->slot;
    world->host->tick += steps[randomBelow(&world->random, COUNT_OF(steps))];
    turn(world);
}

TEST(whatAHostDrawsIsWhatItsCallsSaid) {
    static World world;
    uint32_t most = 0;
    for (uint64_t seed = 2; seed <= 4; seed++) {
        Host host;
        makeWorld(&world, &host, seed == 1 ? CAPACITY : MANY_SLOTS, seed);
        for (uint32_t f = 0; f < FRAMES; f++) {
            beginFrame(&host);
            changeSome(&world, 60, f % 4 == 0);
            for (uint32_t i = randomBelow(&world.random, 3); i > 0; i--) {
                VkCommandBuffer commands = recordFrame(&host);
                changeSome(&world, 60, false); /* before and after it is cancelled */
                cancelFrame(&host, commands);
                changeSome(&world, 60, false);
            }
            submitFrame(&host, recordFrame(&host));
            const uint32_t skinned = checkFrame(&world);
            most = skinned > most ? skinned : most;
            advance(&world);
        }
        freeHost(&host);
    }
    assert_true(most > 560); /* more than 512 of the first model */
}

/* ---- Few slots ---- */

/* The second frame of the same views: no shadow has a slot that a picture lacks. */
static void checkColoursFirst(const World *world) {
    static Drawn drawn[CAPACITY];
    bool missing[MODELS] = {false}, shadows[MODELS] = {false};
    readDrawn(world->host, drawn);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        const Character *character = &world->characters[i];
        const uint32_t views = character->exists && !character->hidden ? viewsOf(character, world->host) : 0;
        const bool drawnNow = drawn[character->handle.index - 1].views != 0;
        missing[character->model] |= (views & 0x55) != 0 && !drawnNow;
        shadows[character->model] |= (views & 0x55) == 0 && views != 0 && drawnNow;
    }
    assert_false(missing[0] && shadows[0]);
    assert_false(missing[1] && shadows[1]);
}

TEST(picturesGetSlotsBeforeShadows) {
    static World world;
    Host host;
    makeWorld(&world, &host, 100, 5);
    for (uint32_t f = 0; f < FRAMES; f++) {
        turn(&world);
        for (uint32_t again = 0; again < 2; again++) {
            beginFrame(&host);
            submitFrame(&host, recordFrame(&host));
            host.slot = 1 - host.slot;
        }
        checkColoursFirst(&world);
    }
    freeHost(&host);
}

/* ---- Cancelled frames ---- */

#define CANCELLED 20u /* times that each frame is cancelled */

/* Other views, and a time between the last frame and this one. */
static void cancelSome(World *world, uint32_t last, Random *random, uint32_t count) {
    const Host kept = *world->host;
    const Random own = world->random;
    for (uint32_t i = 0; i < count; i++) {
        world->random = (Random){randomWord(random)};
        turn(world);
        world->host->tick = last + randomBelow(random, kept.tick - last + 1);
        cancelFrame(world->host, recordFrame(world->host));
    }
    world->random = own;
    world->host->tick = kept.tick;
    world->host->viewCount = kept.viewCount;
    memcpy(world->host->views, kept.views, sizeof kept.views);
}

static void compareHosts(const Host *a, const Host *b) {
    static Drawn drawn[2][CAPACITY];
    VkskinCrowdStats stats[2];
    readDrawn(a, drawn[0]);
    readDrawn(b, drawn[1]);
    for (uint32_t i = 0; i < CAPACITY; i++) { /* generations begin with another number in each context */
        drawn[1][i].record.generation += drawn[1][i].views != 0 ? a->generation - b->generation : 0;
    }
    assert_memory_equal(drawn[0], drawn[1], sizeof drawn[0]);
    OK(vkskinGetCrowdStats(a->context, a->crowd, &stats[0]));
    OK(vkskinGetCrowdStats(b->context, b->crowd, &stats[1]));
    assert_int_equal(stats[0].frame, a->finished);
    assert_int_equal(stats[1].frame, b->finished);
    stats[0].frame = stats[1].frame;
    assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
}

/* All bits that a host reads. */
TEST(aThousandCancelledFramesLeaveNoTrace) {
    static World worlds[2];
    Host hosts[2];
    Random random = {9};
    uint32_t last = 0;
    for (uint32_t i = 0; i < 2; i++) {
        makeWorld(&worlds[i], &hosts[i], 300, 77); /* fewer slots than characters */
        last = hosts[i].tick;
    }
    for (uint32_t f = 0; f < 1000 / CANCELLED; f++) {
        for (uint32_t i = 0; i < 2; i++) {
            beginFrame(&hosts[i]);
            for (uint32_t part = 0; part < 2; part++) {
                changeSome(&worlds[i], 40, part == 0);
                cancelSome(&worlds[i], last, &random, i == 0 ? 0 : CANCELLED / 2);
            }
            changeSome(&worlds[i], 40, false);
            submitFrame(&hosts[i], recordFrame(&hosts[i]));
        }
        compareHosts(&hosts[0], &hosts[1]);
        last = hosts[0].tick;
        advance(&worlds[0]);
        advance(&worlds[1]);
    }
    freeHost(&hosts[0]);
    freeHost(&hosts[1]);
}

/* ---- Parts that no one shows ---- */

/* The output of a part is as it was before the frames. */
TEST(whatACharacterDoesNotShowIsNotSkinned) {
    Host host;
    VkskinCrowdDraw draws[VKSKIN_MAX_CROWD_VIEWS * 3];
    VkskinCharacter who[20];
    uint32_t count = COUNT_OF(draws), hidden = 0;
    makeHost(&host, 20);
    VkskinCharacterDef def = vkskinDefaultCharacterDef();
    def.model = 1;
    def.parts = ~PART_MASK;
    for (uint32_t i = 0; i < 20; i++) {
        OK(vkskinAddCharacters(host.context, host.crowd, &def, 0, 1, &who[i]));
    }
    OK(vkskinGetCrowdDraws(host.context, host.crowd, draws, &count));
    while (draws[hidden].model != 1 || draws[hidden].part != 1) {
        hidden++;
    }
    const VkskinCrowdConstants *at = &draws[hidden].constants;
    float *vertices = (float *)nullDriverContents(host.driver, draws[hidden].vertices) + at->vertices;
    for (uint32_t slot = 0; slot < 20; slot++) {
        vertices[slot * at->slotWords] = vertices[slot * at->slotWords + at->copyWords] = -7.0f;
    }
    for (uint32_t f = 0; f < 4; f++) {
        beginFrame(&host);
        submitFrame(&host, recordFrame(&host));
        host.slot = 1 - host.slot;
    }
    for (uint32_t slot = 0; slot < 20; slot++) {
        assert_true(vertices[slot * at->slotWords] == -7.0f && vertices[slot * at->slotWords + at->copyWords] == -7.0f);
    }
    freeHost(&host);
}

TEST(priorityDuringACancelledFrameCounts) {
    static Drawn drawn[CAPACITY];
    Host host;
    VkskinCharacter who[2];
    makeHost(&host, 1);
    const VkskinCharacterDef def = vkskinDefaultCharacterDef();
    OK(vkskinAddCharacters(host.context, host.crowd, &def, 0, 2, who));
    OK(vkskinPrioritiseCharacters(host.context, host.crowd, &who[1], 1, false));
    beginFrame(&host);
    VkCommandBuffer cancelled = recordFrame(&host);
    OK(vkskinPrioritiseCharacters(host.context, host.crowd, &who[1], 1, true));
    cancelFrame(&host, cancelled);
    submitFrame(&host, recordFrame(&host));
    readDrawn(&host, drawn);
    assert_true(drawn[0].views == 0 && drawn[1].views != 0);
    freeHost(&host);
}
