/*
 * A crowd of a context: characters are added, removed and changed at random, in frames that lag and that are cancelled. A
 * plain loop over all characters says how many the device must draw. A second crowd gets the same calls, but is not
 * recorded in frames that are cancelled: its lists and vertices must be the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "crowd/crowd_layout.h"
#include "crowd_cast.h"
#include "world.h"

#define CAPACITY 96u
#define RECORDED 8u /* frames whose expected counters are known: more than are in flight */
#define TWINS    2u
#define DRAWS    (CAST_PARTS * VKSKIN_MAX_CROWD_VIEWS)

static const uint32_t SLOTS[CAST_MODELS] = {20, 5};

/* A character, by its index. */
typedef struct Member {
    VkskinCharacter handles[TWINS];
    uint32_t model;
    bool exists, hidden;
    bool resident; /* has a slot since the last frame that was not cancelled */
} Member;

/* What the counters of a recorded frame must be. */
typedef struct Expected {
    uint64_t frame;
    uint32_t characters, skinned, refused;
} Expected;

/* Where the copies of a crowd are in a readback buffer. Offsets in bytes. */
typedef struct Copies {
    VkskinCrowdDraw draws[DRAWS];
    uint32_t drawCount;
    VkDeviceSize frame, vertices[CAST_MODELS], size;
} Copies;

struct WorldCrowd {
    World *world;  /* borrowed: its context and counts */
    Random random; /* separate random numbers, so that crowds change nothing else */
    VkskinCrowd handles[TWINS];
    Copies copies[TWINS];
    Cast cast;
    uint64_t bytes; /* on the device */
    uint32_t tick;
    Member members[CAPACITY]; /* by index - 1 */
    bool before[CAPACITY];    /* `resident` before the frame that is recorded */
    Expected expected[RECORDED];
    uint64_t slotFrames[WORLD_MAX_FRAMES]; /* the latest frame recorded in a slot; 0: none */
    bool copied[WORLD_MAX_FRAMES];         /* the slot's readback buffer has copies that were not compared */
};

static void check(const WorldCrowd *crowd, const char *call, VkskinResult result) {
    worldContextCheck(crowd->world->context, call, result);
}
#define CHECK(crowd, function, ...) check((crowd), #function, function((crowd)->world->context->handle, __VA_ARGS__))

/* ---- Objects ---- */

/* The frame's copies behind those of the samples, then the vertices of each model; the second crowd behind the first. */
static void placeCopies(WorldCrowd *crowd) {
    VkDeviceSize at = WORLD_READBACK_BYTES;
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        Copies *copies = &crowd->copies[twin];
        VkskinCrowdBuffers buffers;
        copies->drawCount = DRAWS;
        CHECK(crowd, vkskinGetCrowdDraws, crowd->handles[twin], copies->draws, &copies->drawCount);
        CHECK(crowd, vkskinGetCrowdBuffers, crowd->handles[twin], &buffers);
        copies->frame = at;
        at += buffers.frameSize;
        for (uint32_t d = 0; d < copies->drawCount; d++) {
            const VkskinCrowdDraw *draw = &copies->draws[d];
            if (draw->view == 0 && draw->part == 0) {
                copies->vertices[draw->model] = at;
                at += draw->verticesSize;
            }
        }
    }
    if (at > WORLD_READBACK_BYTES + WORLD_CROWD_BYTES) {
        worldFail("no room to read a crowd back: %" PRIu64 " bytes", (uint64_t)at);
    }
}

static CastDef castDefOf(WorldCrowd *crowd) {
    const WorldKinds *kinds = &crowd->world->context->kinds;
    return (CastDef){.capacity = CAPACITY,
                     .slots = {SLOTS[0], SLOTS[1]},
                     .previousPositions = randomBelow(&crowd->random, 2) == 0,
                     .morphs = kinds->morphs,
                     .format = kinds->format,
                     .normals = kinds->normals,
                     .dropped = 2 - kinds->vectors};
}

WorldCrowd *worldCrowdCreate(World *world, uint64_t seed) {
    WorldCrowd *crowd = newZeroed(1, sizeof *crowd);
    *crowd = (WorldCrowd){.world = world, .random = {seed}, .tick = UINT32_MAX - 500}; /* ticks wrap */
    const CastDef def = castDefOf(crowd);
    CastCrowdDef made = {.parts = {{.indexCount = 0}}};
    check(crowd, "the objects of a crowd", castMake(world->context->handle, &def, &crowd->random, &crowd->cast));
    castDescribe(&crowd->cast, &def, &made);
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        VkskinCrowdMemory memory;
        CHECK(crowd, vkskinCreateCrowd, &made.def, &crowd->handles[twin], &memory);
        crowd->bytes += memory.characters + memory.lists + memory.palettes + memory.output;
        world->counts.crowdsMorphed += twin == 0 && memory.morphs > 0;
    }
    placeCopies(crowd);
    world->counts.crowdsMade++;
    return crowd;
}

uint64_t worldCrowdBytes(const WorldCrowd *crowd) {
    return crowd->bytes;
}

void worldCrowdDestroy(WorldCrowd *crowd) {
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        CHECK(crowd, vkskinDestroyCrowd, crowd->handles[twin]);
    }
    CHECK(crowd, vkskinDestroyClipSet, crowd->cast.clipSet);
    for (uint32_t m = 0; m < COUNT_OF(crowd->cast.meshes); m++) {
        CHECK(crowd, vkskinDestroyMesh, crowd->cast.meshes[m]);
    }
    worldCrowdForget(crowd);
}

void worldCrowdForget(WorldCrowd *crowd) {
    if (crowd != NULL) {
        castFree(&crowd->cast);
    }
    free(crowd);
}

/* ---- Changes ---- */

/* Returns false if no index is free: those of removed characters may not be yet. */
static bool addCharacters(WorldCrowd *crowd, const VkskinCharacterDef *def, VkskinCharacter made[TWINS]) {
    WorldContext *context = crowd->world->context;
    VkskinResult results[TWINS];
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        results[twin] = vkskinAddCharacters(context->handle, crowd->handles[twin], def, 0, 1, &made[twin]);
        if (results[twin] != VKSKIN_ERROR_CROWD_FULL) {
            worldContextCheck(context, "vkskinAddCharacters", results[twin]);
        }
    }
    if (results[0] != results[1] || (results[0] >= 0 && made[0].index != made[1].index)) {
        worldFail("vkskinAddCharacters: %s and index %u, the same call for the second crowd: %s and index %u",
                  vkskinResultName(results[0]), made[0].index, vkskinResultName(results[1]), made[1].index);
    }
    crowd->world->counts.crowdsFull += results[0] < 0;
    return results[0] >= 0;
}

static void addMember(WorldCrowd *crowd) {
    VkskinCharacterDef def = castCharacter(&crowd->random);
    def.priority = false; /* the model of this world gives slots by index */
    VkskinCharacter made[TWINS] = {{0, 0}};
    if (!addCharacters(crowd, &def, made)) {
        return;
    }
    Member *member = &crowd->members[made[0].index - 1];
    if (member->exists) {
        worldFail("vkskinAddCharacters: index %u of a character that exists", made[0].index);
    }
    memcpy(member->handles, made, sizeof made);
    member->model = def.model;
    member->exists = true;
    member->hidden = def.hidden;
}

static void removeMember(WorldCrowd *crowd, Member *member) {
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        CHECK(crowd, vkskinRemoveCharacters, crowd->handles[twin], &member->handles[twin], 1);
    }
    member->exists = false;
    VkskinResult result =
        vkskinHideCharacters(crowd->world->context->handle, crowd->handles[0], &member->handles[0], 1, true);
    if (result != VKSKIN_ERROR_STALE_HANDLE) {
        worldFail("vkskinHideCharacters of a removed character: %s", vkskinResultName(result));
    }
}

/* The same for both crowds. */
static void changeMember(WorldCrowd *crowd, Member *member) {
    if (randomBelow(&crowd->random, 6) == 0) {
        removeMember(crowd, member);
        return;
    }
    const Random before = crowd->random;
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        crowd->random = before;
        check(crowd, "a change of a character",
              castChange(crowd->world->context->handle, crowd->handles[twin], &member->handles[twin], &crowd->random,
                         &member->hidden));
    }
}

void worldCrowdChange(WorldCrowd *crowd) {
    for (uint32_t i = randomBelow(&crowd->random, 5); i > 0; i--) {
        addMember(crowd);
    }
    for (uint32_t i = randomBelow(&crowd->random, 20); i > 0; i--) {
        Member *member = &crowd->members[randomBelow(&crowd->random, CAPACITY)];
        if (member->exists) {
            changeMember(crowd, member);
        }
    }
}

/* ---- Frames ---- */

/* The first view sees all characters that are not hidden. Who frees a slot does so for the next frame. */
static Expected nextFrame(WorldCrowd *crowd) {
    uint32_t room[CAST_MODELS];
    Expected expected = {0};
    for (uint32_t m = 0; m < CAST_MODELS; m++) {
        room[m] = SLOTS[m];
    }
    for (uint32_t i = 0; i < CAPACITY; i++) {
        crowd->before[i] = crowd->members[i].resident;
        room[crowd->members[i].model] -= crowd->members[i].resident;
    }
    for (uint32_t i = 0; i < CAPACITY; i++) {
        Member *member = &crowd->members[i];
        const bool wants = member->exists && !member->hidden;
        const bool gets = wants && !member->resident && room[member->model] > 0;
        room[member->model] -= gets;
        member->resident = wants && (member->resident || gets);
        expected.characters += member->exists;
        expected.skinned += member->resident;
        expected.refused += wants && !member->resident;
    }
    return expected;
}

static VkskinCrowdView randomView(Random *random) {
    VkskinCrowdView view = {.kind = VKSKIN_CROWD_SHADOW, .planeCount = 1};
    for (int i = 0; i < 4; i++) {
        view.planes[0][i] = randomFloat(random, -1.0f, 1.0f);
    }
    return view;
}

static void copyTo(const WorldTarget *target, VkBuffer source, VkDeviceSize from, VkDeviceSize size, VkDeviceSize to) {
    const VkBufferCopy copy = {from, to, size};
    vkCmdCopyBuffer(target->commandBuffer, source, target->readback.handle, 1, &copy);
}

/* Makes copies of lists and vertices that the host reads when the frame has finished. */
static void recordCopies(WorldCrowd *crowd, const WorldTarget *target) {
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        const Copies *copies = &crowd->copies[twin];
        VkskinCrowdBuffers buffers;
        CHECK(crowd, vkskinGetCrowdBuffers, crowd->handles[twin], &buffers);
        copyTo(target, buffers.frame, buffers.frameOffset, buffers.frameSize, copies->frame);
        for (uint32_t d = 0; d < copies->drawCount; d++) {
            const VkskinCrowdDraw *draw = &copies->draws[d];
            if (draw->view == 0 && draw->part == 0) {
                copyTo(target, draw->vertices, 0, draw->verticesSize, copies->vertices[draw->model]);
            }
        }
    }
    copyToHostBarrier(target->commandBuffer);
    crowd->copied[crowd->world->context->slot] = true;
}

void worldCrowdRecord(WorldCrowd *crowd, const WorldTarget *target, bool cancelled) {
    WorldContext *context = crowd->world->context;
    const VkskinCrowdView views[2] = {{.kind = VKSKIN_CROWD_COLOUR}, randomView(&crowd->random)};
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    VkskinStats stats;
    frame.tick = crowd->tick;
    frame.viewCount = COUNT_OF(views);
    frame.views = views;
    crowd->tick += randomBelow(&crowd->random, 40);
    worldContextUploads(context, target->commandBuffer);
    for (uint32_t twin = 0; twin < (cancelled ? 1 : TWINS); twin++) {
        CHECK(crowd, vkskinRecordCrowd, target->commandBuffer, crowd->handles[twin], &frame);
    }
    worldContextBarrier(context, target->commandBuffer);
    if (!cancelled) {
        recordCopies(crowd, target);
    }
    CHECK(crowd, vkskinGetStats, &stats);
    Expected *expected = &crowd->expected[stats.frame % RECORDED];
    *expected = nextFrame(crowd);
    expected->frame = stats.frame;
    crowd->slotFrames[context->slot] = stats.frame;
}

void worldCrowdCancel(WorldCrowd *crowd, uint32_t slot) {
    for (uint32_t i = 0; i < CAPACITY; i++) {
        crowd->members[i].resident = crowd->before[i];
    }
    crowd->expected[crowd->slotFrames[slot] % RECORDED].frame = 0;
    crowd->slotFrames[slot] = 0;
}

/* ---- Both crowds ---- */

/* The copy of a crowd in a readback buffer. */
typedef struct Read {
    const Copies *copies;
    const unsigned char *bytes;
    const uint32_t *frame;
} Read;

static uint32_t drawnBy(const Read *read, const VkskinCrowdDraw *draw) {
    return read->frame[draw->argumentsOffset / 4 + 1];
}

static const LayoutCrowdSlot *recordOf(const Read *read, const VkskinCrowdDraw *draw, uint32_t slot) {
    return (const LayoutCrowdSlot *)(read->frame + draw->constants.slots) + slot;
}

static const uint32_t *positionsOf(const Read *read, const VkskinCrowdDraw *draw, uint32_t slot) {
    const VkskinCrowdConstants *constants = &draw->constants;
    const uint32_t *words = (const uint32_t *)(const void *)(read->bytes + read->copies->vertices[draw->model]);
    return words + constants->vertices + slot * constants->slotWords +
           (recordOf(read, draw, slot)->copies & 0xff) * constants->copyWords;
}

/* An instance of a draw: the same slot, with the same record and the same positions. */
static const char *compareInstance(const WorldCrowd *crowd, const Read reads[TWINS], uint32_t d, uint32_t instance) {
    const VkskinCrowdDraw *draws[TWINS] = {&reads[0].copies->draws[d], &reads[1].copies->draws[d]};
    const uint32_t slot = reads[0].frame[draws[0]->constants.list + instance];
    if (slot >= SLOTS[draws[0]->model] || slot != reads[1].frame[draws[1]->constants.list + instance]) {
        return "slots";
    }
    LayoutCrowdSlot records[TWINS];
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        records[twin] = *recordOf(&reads[twin], draws[twin], slot);
        records[twin].generation = 0; /* differs */
    }
    if (memcmp(&records[0], &records[1], sizeof records[0]) != 0) {
        return "records";
    }
    const size_t size = crowd->cast.vertexCounts[draws[0]->part] * sizeof(float[3]);
    const uint32_t *positions = positionsOf(&reads[0], draws[0], slot);
    return memcmp(positions, positionsOf(&reads[1], draws[1], slot), size) != 0 ? "vertices" : NULL;
}

static void compareTwins(WorldCrowd *crowd, const WorldTarget *target) {
    Read reads[TWINS];
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        const Copies *copies = &crowd->copies[twin];
        reads[twin] = (Read){copies, target->readback.mapped, NULL};
        reads[twin].frame = (const uint32_t *)(const void *)(reads[twin].bytes + copies->frame);
    }
    for (uint32_t d = 0; d < crowd->copies[0].drawCount; d++) {
        const VkskinCrowdDraw *draw = &crowd->copies[0].draws[d];
        const uint32_t count = drawnBy(&reads[0], draw);
        const char *difference =
            count > SLOTS[draw->model] || count != drawnBy(&reads[1], &crowd->copies[1].draws[d]) ? "counts" : NULL;
        for (uint32_t i = 0; difference == NULL && i < count; i++) {
            difference = compareInstance(crowd, reads, d, i);
            crowd->world->counts.crowdInstancesCompared++;
        }
        if (difference != NULL) {
            worldFail("two crowds with the same calls: view %u, model %u: other %s", draw->view, draw->model,
                      difference);
        }
    }
}

void worldCrowdCompare(WorldCrowd *crowd, const WorldTarget *target) {
    bool *copied = &crowd->copied[crowd->world->context->slot];
    if (*copied) {
        compareTwins(crowd, target);
    }
    *copied = false;
}

void worldCrowdCheck(WorldCrowd *crowd) {
    const WorldContext *context = crowd->world->context;
    VkskinCrowdStats stats;
    CHECK(crowd, vkskinGetCrowdStats, crowd->handles[0], &stats);
    const Expected *expected = &crowd->expected[stats.frame % RECORDED];
    if (stats.frame < crowd->slotFrames[context->slot]) {
        worldFail("the counters of the crowd are of frame %" PRIu64 ", although frame %" PRIu64 " has finished",
                  stats.frame, crowd->slotFrames[context->slot]);
    }
    if (stats.frame == 0 || stats.frame != expected->frame) {
        return;
    }
    if (stats.characters != expected->characters || stats.skinned != expected->skinned ||
        stats.refused != expected->refused || stats.drawn[0] != expected->skinned ||
        stats.drawn[1] > expected->skinned || stats.badClip + stats.badModel + stats.badPlace > 0) {
        worldFail("crowd, frame %" PRIu64
                  ": %u characters, %u skinned, %u refused, %u and %u drawn; expected %u, %u, %u",
                  stats.frame, stats.characters, stats.skinned, stats.refused, stats.drawn[0], stats.drawn[1],
                  expected->characters, expected->skinned, expected->refused);
    }
    crowd->world->counts.crowdFramesChecked++;
    crowd->world->counts.crowdCharactersSkinned += stats.skinned;
    crowd->world->counts.crowdCharactersRefused += stats.refused;
}
