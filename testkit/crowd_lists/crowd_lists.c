#include "crowd_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd_rules.h"
#include "crowd_stages.h"
#include "random.h"

#define LOOP_PLANES 6u

/* One model, one view, which is for colour. */
typedef struct CrowdLoop {
    const LayoutCrowdBounds *bounds; /* [clipCount] */
    uint32_t clipCount;
    uint32_t count, slots;
    LayoutCrowdState *states; /* [count] */
    const LayoutCrowdCold *colds;
    uint32_t *keys;      /* [count] */
    uint32_t *residents; /* [count]: slot + 1 */
    uint32_t *ring;      /* [slots]: free slots from `head` on */
    uint32_t head, free;
    uint32_t *list;    /* [slots]: of the view */
    uint32_t *skinned; /* [slots]: characters with a slot */
    uint32_t listed, skinnedCount, refused;
    uint32_t badClip, badModel, badPlace;
} CrowdLoop;

/* ---- The plain loop: culling ---- */

typedef struct Box {
    float centre[3], extent[3];
} Box;

static float floatOf(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static Box boxOf(const LayoutCrowdBounds *bounds) {
    return (Box){{floatOf(bounds->centreX), floatOf(bounds->centreY), floatOf(bounds->centreZ)},
                 {floatOf(bounds->extentX), floatOf(bounds->extentY), floatOf(bounds->extentZ)}};
}

static Box fadeBox(const LayoutCrowdBounds *a, const LayoutCrowdBounds *b) {
    const float margin = fmaxf(floatOf(a->margin), floatOf(b->margin));
    const Box from = boxOf(a);
    const Box to = boxOf(b);
    Box box;
    for (int i = 0; i < 3; i++) {
        const float low = fminf(from.centre[i] - from.extent[i], to.centre[i] - to.extent[i]) - margin;
        const float high = fmaxf(from.centre[i] + from.extent[i], to.centre[i] + to.extent[i]) + margin;
        box.centre[i] = (low + high) * 0.5f;
        box.extent[i] = (high - low) * 0.5f;
    }
    return box;
}

static bool sees(const float planes[LOOP_PLANES][4], const float m[12], const Box *box) {
    float centre[3];
    float size[3];
    for (int r = 0; r < 3; r++) {
        centre[r] = m[4 * r + 3];
        size[r] = fabsf(m[4 * r + 3]);
        for (int c = 0; c < 3; c++) {
            centre[r] += m[4 * r + c] * box->centre[c];
            size[r] += fabsf(m[4 * r + c]) * (fabsf(box->centre[c]) + box->extent[c]);
        }
    }
    for (uint32_t p = 0; p < LOOP_PLANES; p++) {
        const float *plane = planes[p];
        float distance = plane[3];
        float terms = fabsf(plane[3]);
        float projectedExtent = 0.0f;
        for (int i = 0; i < 3; i++) {
            distance += plane[i] * centre[i];
            terms += fabsf(plane[i]) * size[i];
            projectedExtent += fabsf(plane[0] * m[i] + plane[1] * m[4 + i] + plane[2] * m[8 + i]) * box->extent[i];
        }
        if (distance + projectedExtent < -CROWD_SLACK * terms) {
            return false;
        }
    }
    return true;
}

static bool isNear(const float m[12]) {
    for (int i = 0; i < 12; i++) {
        if (!(fabsf(m[i]) <= CROWD_FAR)) {
            return false;
        }
    }
    return true;
}

static uint32_t keyOf(CrowdLoop *loop, uint32_t character, const float planes[LOOP_PLANES][4], uint32_t tick) {
    LayoutCrowdState *state = &loop->states[character];
    const bool teleported = (state->flags & CROWD_TELEPORTED) != 0, parted = (state->flags & CROWD_PARTED) != 0;
    if ((state->flags & CROWD_EXISTS) == 0) {
        return 0;
    }
    (void)crowdAdvance(state, &loop->colds[character], tick);
    state->flags &= ~(CROWD_TELEPORTED | CROWD_PARTED);
    const bool fading = (state->flags & CROWD_FADING) != 0;
    const uint32_t clipA = state->clips & 0xffffu;
    const uint32_t clipB = state->clips >> 16;
    float m[12];
    memcpy(m, state, sizeof m);
    const bool near = isNear(m);
    const bool known = (state->flags & CROWD_MODEL_MASK) == 0;
    loop->badPlace += !near;
    loop->badModel += !known;
    loop->badClip += clipA >= loop->clipCount || (fading && clipB >= loop->clipCount);
    if (!near || !known || (state->flags & CROWD_HIDDEN) != 0) {
        return 0;
    }
    const LayoutCrowdBounds *from = &loop->bounds[crowdKnownClip(clipA, loop->clipCount)];
    const Box box = fading ? fadeBox(from, &loop->bounds[crowdKnownClip(clipB, loop->clipCount)]) : boxOf(from);
    if (!sees(planes, m, &box)) {
        return 0;
    }
    /* pixelsPerUnit is 0: all have one size */
    const bool priority = (state->flags & CROWD_PRIORITY) != 0;
    const uint32_t grade = (priority ? CROWD_CLASS_PRIORITY : 0u) + CROWD_CLASS_COLOUR + CROWD_SIZES - 1;
    return 1u | (teleported ? CROWD_KEY_TELEPORTED : 0u) | (parted ? CROWD_KEY_PARTED : 0u) |
           (priority ? CROWD_KEY_PRIORITY : 0u) | grade << CROWD_KEY_CLASS_SHIFT;
}

/* ---- The plain loop: slots and lists ---- */

/* Slots that are freed come behind the tail: they are taken from the next frame on. */
static uint32_t freeSlots(CrowdLoop *loop) {
    uint32_t freed = 0;
    for (uint32_t c = 0; c < loop->count; c++) {
        if (loop->residents[c] != 0 && (loop->keys[c] & CROWD_KEY_VIEWS) == 0) {
            loop->ring[(loop->head + loop->free + freed++) % loop->slots] = loop->residents[c] - 1;
            loop->residents[c] = 0;
        }
    }
    return freed;
}

static void takeSlots(CrowdLoop *loop) {
    for (uint32_t c = 0; c < loop->count; c++) {
        if (loop->residents[c] == 0 && (loop->keys[c] & CROWD_KEY_VIEWS) != 0) {
            if (loop->free == 0) {
                loop->refused++;
                continue;
            }
            loop->residents[c] = loop->ring[loop->head] + 1;
            loop->keys[c] |= CROWD_KEY_NEW;
            loop->head = (loop->head + 1) % loop->slots;
            loop->free--;
        }
    }
}

static void makeLists(CrowdLoop *loop) {
    for (uint32_t c = 0; c < loop->count; c++) {
        if (loop->residents[c] != 0) {
            loop->skinned[loop->skinnedCount++] = c;
            loop->list[loop->listed++] = loop->residents[c] - 1;
        }
    }
}

static void runLoop(CrowdLoop *loop, const float planes[LOOP_PLANES][4], uint32_t tick) {
    loop->listed = loop->skinnedCount = loop->refused = 0;
    loop->badClip = loop->badModel = loop->badPlace = 0;
    for (uint32_t c = 0; c < loop->count; c++) {
        loop->keys[c] = keyOf(loop, c, planes, tick);
    }
    const uint32_t freed = freeSlots(loop);
    takeSlots(loop);
    loop->free += freed;
    makeLists(loop);
}

/* ---- Both sides ---- */

#define CLIPS   8u
#define RADIUS  300.0f
#define TURN    0.01f /* radians of a frame */
#define TICKS   16u   /* ticks per frame */
#define PATTERN 0xbadbadu

struct CrowdLists {
    CrowdListsDef def;
    CrowdPlan plan;
    LayoutCrowdBounds bounds[CLIPS];
    CrowdArrays arrays;
    LayoutCrowdCold *loopColds;
    CrowdLoop loop;
};

static uint32_t floatBits(float number) {
    return crowdFloatBits(number);
}

static void makeBounds(CrowdLists *lists) {
    for (uint32_t i = 0; i < CLIPS; i++) {
        lists->bounds[i] = (LayoutCrowdBounds){
            .centreX = floatBits(0.05f * (float)i),
            .centreY = floatBits(1.0f),
            .margin = floatBits(4.0f * (float)i),
            .extentX = floatBits(0.5f),
            .extentY = floatBits(1.0f),
            .extentZ = floatBits(0.3f + 0.1f * (float)i),
        };
    }
}

/* ---- Characters ---- */

/* At random on the disc: the camera sees the same part of all places from everywhere. */
static LayoutCrowdState calmState(Random *random) {
    const float heading = randomFloat(random, 0.0f, 6.2831853f);
    const float angle = randomFloat(random, 0.0f, 6.2831853f);
    const float radius = RADIUS * sqrtf(randomFloat(random, 0.0f, 1.0f));
    const float m[12] = {cosf(heading),  0, sinf(heading), radius * cosf(angle), 0, 1, 0, 0,
                         -sinf(heading), 0, cosf(heading), radius * sinf(angle)};
    LayoutCrowdState state = {0};
    memcpy(&state, m, sizeof m);
    state.clips = randomBelow(random, CLIPS);
    state.phase = randomWord(random);
    state.rate = 1u << 20;
    state.flags = CROWD_EXISTS;
    return state;
}

/* Random flags, clips and times; some transforms of random bits too. */
static LayoutCrowdState wildState(Random *random) {
    LayoutCrowdState state = calmState(random);
    uint32_t words[CROWD_STATE_WORDS];
    memcpy(words, &state, sizeof words);
    for (uint32_t i = randomBelow(random, 4) == 0 ? 0 : 12; i < CROWD_STATE_WORDS; i++) {
        words[i] = randomWord(random);
    }
    memcpy(&state, words, sizeof state);
    if (randomBelow(random, 2) == 0) { /* often the only model, with known clips */
        state.flags &= ~CROWD_MODEL_MASK;
        state.clips &= (CLIPS - 1) << 16 | (CLIPS - 1);
    }
    return state;
}

static void makeCharacters(CrowdLists *lists) {
    Random random = {17};
    const size_t count = lists->def.characters;
    for (uint32_t i = 0; i < count; i++) {
        lists->arrays.states[i] = lists->def.wild ? wildState(&random) : calmState(&random);
        lists->arrays.colds[i] = (LayoutCrowdCold){
            .phaseB = randomWord(&random),
            .rateB = randomWord(&random),
            .fadeStart = 0u - randomBelow(&random, 4 * TICKS), /* fades go on at first, and end one by one */
            .fadeTicks = 4 * TICKS + randomBelow(&random, 12 * TICKS)};
    }
    memcpy(lists->loop.states, lists->arrays.states, count * sizeof *lists->loop.states);
    memcpy(lists->loopColds, lists->arrays.colds, count * sizeof *lists->loopColds);
}

/* ---- Creation ---- */

static void makePlan(CrowdLists *lists) {
    static const CrowdPart part = {.outputBytes = 48, .indexCount = 6};
    static const uint32_t nodes[1] = {0};
    static const VkskinAffine bind;
    const CrowdGroup group = {.interval = 1,
                              .parts = &part,
                              .partCount = 1,
                              .slots = lists->def.slots,
                              .skin = {.boneCount = 1, .nodes = nodes, .binds = &bind},
                              .paletteBytes = 48,
                              .bounds = lists->bounds};
    const CrowdNeeds needs = {.groups = &group,
                              .groupCount = 1,
                              .capacity = lists->def.characters,
                              .clipCount = CLIPS,
                              .nodes = {.count = 1, .places = nodes},
                              .scratchWords = 12,
                              .copies = 1,
                              .range = (uint64_t)1 << 40,
                              .paletteRange = (uint64_t)1 << 40,
                              .groupSize = 64,
                              .groupInstances = 4,
                              .poseSlots = CROWD_GROUP,
                              .views = 1};
    const Host host = {0};
    if (sknPlanCrowd(&host, "lists", &needs, &lists->plan) < 0) {
        abort();
    }
}

CrowdLists *newCrowdLists(const CrowdListsDef *def) {
    CrowdLists *lists = newZeroed(1, sizeof *lists);
    const uint32_t count = def->characters;
    lists->def = *def;
    makeBounds(lists);
    makePlan(lists);
    lists->loopColds = newZeroed(count, sizeof *lists->loopColds);
    lists->arrays = (CrowdArrays){
        .tables = lists->plan.tables,
        .states = newZeroed(count, sizeof *lists->arrays.states),
        .colds = newZeroed(count, sizeof *lists->arrays.colds),
        .work = newZeroed(lists->plan.workWords, sizeof(uint32_t)),
        .frame = newZeroed(lists->plan.frameWords, sizeof(uint32_t)),
    };
    lists->arrays.lastFrame = lists->arrays.frame;
    lists->loop = (CrowdLoop){
        .bounds = lists->bounds,
        .clipCount = CLIPS,
        .count = count,
        .slots = def->slots,
        .states = newZeroed(count, sizeof *lists->loop.states),
        .colds = lists->loopColds,
        .keys = newZeroed(count, sizeof(uint32_t)),
        .residents = newZeroed(count, sizeof(uint32_t)),
        .ring = newZeroed(def->slots, sizeof(uint32_t)),
        .free = def->slots,
        .list = newZeroed(def->slots, sizeof(uint32_t)),
        .skinned = newZeroed(def->slots, sizeof(uint32_t)),
    };
    for (uint32_t i = 0; i < def->slots; i++) {
        lists->loop.ring[i] = i;
    }
    makeCharacters(lists);
    return lists;
}

void freeCrowdLists(CrowdLists *lists) {
    if (lists) {
        CrowdLoop *loop = &lists->loop;
        void *const blocks[] = {lists->arrays.states, lists->arrays.colds, lists->arrays.work, lists->arrays.frame,
                                lists->loopColds,     loop->states,        loop->keys,         loop->residents,
                                loop->ring,           loop->list,          loop->skinned,      lists};
        sknFreeCrowdPlan(&lists->plan);
        for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
            free(blocks[i]);
        }
    }
}

/* ---- Frames ---- */

/* Two planes to the sides, two that see all heights, one behind the eye and one far away. */
static void makePlanes(const CrowdLists *lists, uint32_t frame, float planes[CROWD_VIEWS][CROWD_PLANES][4]) {
    const float half = 3.14159265f * lists->def.visible;
    const float turn = TURN * (float)frame;
    const float view[LOOP_PLANES][4] = {{-sinf(turn - half), cosf(turn - half), 0, 0},
                                        {sinf(turn + half), -cosf(turn + half), 0, 0},
                                        {0.1f * cosf(turn), 0.1f * sinf(turn), 1, 50},
                                        {0.1f * cosf(turn), 0.1f * sinf(turn), -1, 50},
                                        {cosf(turn), sinf(turn), 0, -0.1f},
                                        {-cosf(turn), -sinf(turn), 0, 1000.0f}};
    memset(planes, 0, CROWD_PLANE_WORDS * sizeof(float));
    for (uint32_t p = 0; p < LOOP_PLANES; p++) { /* y is up: the disc lies in x and z */
        const float plane[4] = {view[p][0], view[p][2], view[p][1], view[p][3]};
        memcpy(planes[0][p], plane, sizeof plane);
    }
}

void crowdListsRun(CrowdLists *lists, VkskinCpuLevel level, VkskinParallelFn parallel, void *user, uint32_t frame) {
    const VkskinCpuRun run = {.level = level, .parallel = parallel, .parallelUser = user};
    CrowdViews views = {.views = {{.planes = LOOP_PLANES}}};
    LayoutCrowdPush push = {.tick = TICKS * frame, .views = 1, .colours = 1, .number = frame};
    CrowdArrays arrays = lists->arrays;
    makePlanes(lists, frame, views.planes);
    arrays.views = &views;
    sknCrowdApply(&arrays, &push);
    sknCrowdCull(&arrays, &push, &run);
    sknCrowdLists(&arrays, &push, &run);
}

void crowdListsLoop(CrowdLists *lists, uint32_t frame) {
    float planes[CROWD_VIEWS][CROWD_PLANES][4];
    makePlanes(lists, frame, planes);
    runLoop(&lists->loop, (const float(*)[4])planes[0], TICKS * frame);
}

/* ---- Comparing ---- */

const char *crowdListsDifference(const CrowdLists *lists) {
    const CrowdLoop *loop = &lists->loop;
    const CrowdArrays *arrays = &lists->arrays;
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const LayoutCrowdPool *pool = sknCrowdPool(arrays->tables, 0);
    const LayoutCrowdStats *stats = sknCrowdStats(arrays->work);
    const size_t words = sizeof(uint32_t);
    if (memcmp(arrays->work + head->keys, loop->keys, loop->count * words) != 0) {
        return "keys";
    }
    if (memcmp(arrays->states, loop->states, loop->count * sizeof *loop->states) != 0) {
        return "states";
    }
    if (memcmp(arrays->work + head->residents, loop->residents, loop->count * words) != 0) {
        return "slots";
    }
    if (arrays->frame[pool->counts + CROWD_FIRST_VIEW] != loop->listed ||
        arrays->frame[pool->counts + CROWD_SKINNED] != loop->skinnedCount ||
        memcmp(arrays->frame + pool->lists, loop->list, loop->listed * words) != 0) {
        return "lists";
    }
    for (uint32_t i = 0; i < loop->skinnedCount; i++) {
        if ((arrays->frame[pool->characters + i] & CROWD_SKINNED_CHARACTER) != loop->skinned[i]) {
            return "skinned characters";
        }
    }
    return stats->refused == loop->refused && stats->badClip == loop->badClip && stats->badModel == loop->badModel &&
                   stats->badPlace == loop->badPlace
               ? NULL
               : "counters";
}

uint32_t crowdListsListed(const CrowdLists *lists) {
    return lists->loop.listed;
}

static void fillWords(uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        words[i] = PATTERN;
    }
}

void crowdListsPoison(CrowdLists *lists, bool loop) {
    const LayoutCrowdPool *pool = sknCrowdPool(lists->arrays.tables, 0);
    const uint32_t *tables = lists->arrays.tables;
    fillWords(loop ? lists->loop.keys : lists->arrays.work + sknCrowdHead(tables)->keys, lists->def.characters);
    fillWords(loop ? lists->loop.list : lists->arrays.frame + pool->lists, lists->def.slots);
    fillWords(loop ? lists->loop.skinned : lists->arrays.frame + pool->characters, lists->def.slots);
}
