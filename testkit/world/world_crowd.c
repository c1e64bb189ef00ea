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
#include "model_mesh.h"
#include "random_animation.h"
#include "world.h"
#include "vkskin/vkskin_crowd.h"

#define CAPACITY 96u
#define NODES    12u
#define CLIPS    3u
#define RECORDED 8u /* frames whose expected counters are known: more than are in flight */
#define TWINS    2u
#define DRAWS    (WORLD_CROWD_MODELS * VKSKIN_MAX_CROWD_VIEWS) /* a model has one part, and one pool */
#define CARRIER  1u                                            /* node with the morph weights */

static const uint32_t SLOTS[WORLD_CROWD_MODELS] = {20, 5};

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
    VkDeviceSize frame, vertices[WORLD_CROWD_MODELS], size;
} Copies;

struct WorldCrowd {
    World *world;  /* borrowed: its context and counts */
    Random random; /* of its own: crowds change nothing else */
    VkskinCrowd handles[TWINS];
    Copies copies[TWINS];
    VkskinClipSet clips;
    VkskinMesh meshes[WORLD_CROWD_MODELS];
    uint32_t vertexCounts[WORLD_CROWD_MODELS];
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
/* The same call for a member of both crowds. */
#define CHANGE(crowd, member, function, ...)                                                                           \
    for (uint32_t twin = 0; twin < TWINS; twin++) {                                                                    \
        CHECK((crowd), function, (crowd)->handles[twin], &(member)->handles[twin], 1, __VA_ARGS__);                    \
    }

/* ---- Objects ---- */

static VkskinSkin makeSkin(WorldCrowd *crowd, uint32_t bones, VkskinAffine *binds) {
    uint32_t nodes[NODES];
    VkskinSkinDef def = vkskinDefaultSkinDef();
    VkskinSkin skin = NULL;
    for (uint32_t b = 0; b < bones; b++) {
        nodes[b] = randomBelow(&crowd->random, NODES);
        binds[b] = randomBone(&crowd->random, 3.0f, false);
    }
    def.nodeCount = NODES;
    def.boneCount = bones;
    def.boneNodes = nodes;
    def.inverseBinds = binds;
    check(crowd, "vkskinCreateSkin", vkskinCreateSkin(&def, &skin));
    return skin;
}

static void makeMesh(WorldCrowd *crowd, uint32_t index, uint32_t bones, VkskinSkin skin, VkskinAnimationBox *boxes) {
    const WorldKinds *kinds = &crowd->world->context->kinds;
    const RandomMeshDef random = {.vertexCount = 1 + randomBelow(&crowd->random, 200),
                                  .boneCount = bones,
                                  .influences = 4,
                                  .minInfluences = 1,
                                  .normalised = true};
    ModelMesh mesh = randomMesh(&crowd->random, &random);
    VkskinMeshDef def = meshDefOfModel(&mesh);
    def.normals = kinds->vectors > 0 ? def.normals : NULL;
    def.tangents = kinds->vectors > 1 ? def.tangents : NULL;
    def.format = kinds->format;
    def.normalRule = kinds->normals;
    def.previousPositions = randomBelow(&crowd->random, 2) == 0;
    float *deltas = randomDeltas(&crowd->random, def.vertexCount, 0.5f, false);
    const VkskinMorphTarget targets[WORLD_MORPHS] = {
        {.vertexCount = def.vertexCount, .positions = deltas},
        {.vertexCount = def.vertexCount, .positions = deltas, .afterSkinning = true},
    };
    def.morphTargets = targets;
    def.morphTargetCount = kinds->morphs ? WORLD_MORPHS : 0;
    crowd->vertexCounts[index] = def.vertexCount;
    for (uint32_t n = 0; n < NODES; n++) {
        boxes[n] = vkskinEmptyAnimationBox();
    }
    CHECK(crowd, vkskinCreateMesh, &def, &crowd->meshes[index]);
    check(crowd, "vkskinAddAnimationBoxes", vkskinAddAnimationBoxes(skin, &def, boxes));
    free(deltas);
    randomMeshFree(&mesh);
}

/* Weights that change in all clips but the first. */
static void makeMorphClips(WorldCrowd *crowd, const void *block, VkskinClip *clips) {
    float times[2] = {0.0f, 1.0f}, weights[2 * WORLD_MORPHS];
    for (uint32_t c = 1; c < CLIPS; c++) {
        VkskinClipDef def = vkskinDefaultClipDef();
        times[1] = vkskinGetAnimationDuration(block, c);
        for (uint32_t i = 0; i < COUNT_OF(weights); i++) {
            weights[i] = randomFloat(&crowd->random, -1.0f, 1.0f);
        }
        const VkskinTrack track = {.node = CARRIER,
                                   .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                                   .keyCount = times[1] > 0.0f ? 2 : 1,
                                   .times = times,
                                   .values = weights,
                                   .weightCount = WORLD_MORPHS};
        def.duration = times[1];
        def.nodeCount = NODES;
        def.trackCount = 1;
        def.tracks = &track;
        check(crowd, "vkskinCreateClip", vkskinCreateClip(&def, &clips[c]));
    }
}

static void makeClips(WorldCrowd *crowd, VkskinClip *morphClips) {
    const RandomAnimationDef def = {.nodeCount = NODES, .clipCount = CLIPS, .maxKeys = 9, .reach = 0.5f, .turn = 0.4f};
    size_t size = 0;
    void *block = newRandomAnimation(&crowd->random, &def, &size);
    CHECK(crowd, vkskinCreateClipSet, block, size, &crowd->clips);
    if (crowd->world->context->kinds.morphs) {
        makeMorphClips(crowd, block, morphClips);
    }
    free(block);
}

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
            if (draw->view == 0) {
                copies->vertices[draw->model] = at;
                at += draw->verticesSize;
            }
        }
    }
    if (at > WORLD_READBACK_BYTES + WORLD_CROWD_BYTES) {
        worldFail("no room to read a crowd back: %" PRIu64 " bytes", (uint64_t)at);
    }
}

static void makeTwins(WorldCrowd *crowd, const VkskinCrowdModel *models, const VkskinClip *morphClips) {
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    def.clipSet = crowd->clips;
    def.models = models;
    def.modelCount = WORLD_CROWD_MODELS;
    def.capacity = CAPACITY;
    def.morphClips = morphClips;
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        VkskinCrowdMemory memory;
        CHECK(crowd, vkskinCreateCrowd, &def, &crowd->handles[twin], &memory);
        crowd->bytes += memory.characters + memory.lists + memory.palettes + memory.output;
        crowd->world->counts.crowdsMorphed += twin == 0 && memory.morphs > 0;
    }
    placeCopies(crowd);
}

WorldCrowd *worldCrowdCreate(World *world, uint64_t seed) {
    static const float restWeights[WORLD_MORPHS] = {0.5f, 0.0f};
    WorldCrowd *crowd = newZeroed(1, sizeof *crowd);
    *crowd = (WorldCrowd){.world = world, .random = {seed}, .tick = UINT32_MAX - 500}; /* ticks wrap */
    VkskinCrowdModel models[WORLD_CROWD_MODELS];
    VkskinCrowdPart parts[WORLD_CROWD_MODELS] = {{.indexCount = 3}, {.indexCount = 6}};
    VkskinAnimationBox boxes[WORLD_CROWD_MODELS][NODES];
    VkskinAffine binds[NODES];
    VkskinClip morphClips[CLIPS] = {NULL};
    makeClips(crowd, morphClips);
    for (uint32_t m = 0; m < WORLD_CROWD_MODELS; m++) {
        const uint32_t bones = 1 + randomBelow(&crowd->random, NODES);
        models[m] = vkskinDefaultCrowdModel();
        models[m].skin = makeSkin(crowd, bones, binds);
        makeMesh(crowd, m, bones, models[m].skin, boxes[m]);
        parts[m].mesh = crowd->meshes[m];
        parts[m].morphNode = CARRIER;
        parts[m].morphWeights = restWeights;
        parts[m].morphWeightCount = world->context->kinds.morphs ? WORLD_MORPHS : 0;
        models[m].parts = &parts[m];
        models[m].partCount = 1;
        models[m].slots = SLOTS[m];
        models[m].boxes = boxes[m];
    }
    makeTwins(crowd, models, morphClips);
    for (uint32_t m = 0; m < WORLD_CROWD_MODELS; m++) {
        vkskinDestroySkin(models[m].skin);
    }
    for (uint32_t c = 0; c < CLIPS; c++) {
        vkskinDestroyClip(morphClips[c]);
    }
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
    CHECK(crowd, vkskinDestroyClipSet, crowd->clips);
    for (uint32_t m = 0; m < WORLD_CROWD_MODELS; m++) {
        CHECK(crowd, vkskinDestroyMesh, crowd->meshes[m]);
    }
    worldCrowdForget(crowd);
}

void worldCrowdForget(WorldCrowd *crowd) {
    free(crowd);
}

/* ---- Changes ---- */

static VkskinAffine randomPlace(Random *random) {
    VkskinAffine place = randomBone(random, 3.0f, false);
    for (int i = 0; i < 3; i++) {
        place.m[i][3] = randomFloat(random, -20.0f, 20.0f);
    }
    return place;
}

static VkskinCrowdPlay randomPlay(Random *random) {
    VkskinCrowdPlay play = vkskinDefaultCrowdPlay();
    play.clip = randomBelow(random, CLIPS);
    play.start = randomFloat(random, 0.0f, 1.0f);
    play.speed = randomFloat(random, -2.0f, 2.0f);
    play.fade = randomBelow(random, 2) == 0 ? 0.0f : randomFloat(random, 0.0f, 0.5f);
    play.once = randomBelow(random, 2) == 0;
    return play;
}

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
    Random *random = &crowd->random;
    VkskinCharacterDef def = vkskinDefaultCharacterDef();
    def.transform = randomPlace(random);
    def.model = randomBelow(random, WORLD_CROWD_MODELS);
    def.variation = randomWord(random);
    def.play = randomPlay(random);
    def.hidden = randomBelow(random, 8) == 0;
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

static void changeMember(WorldCrowd *crowd, Member *member) {
    Random *random = &crowd->random;
    const VkskinAffine place = randomPlace(random);
    const VkskinCrowdPlay play = randomPlay(random);
    const VkskinCrowdMove move = randomBelow(random, 2) == 0 ? VKSKIN_CROWD_WALK : VKSKIN_CROWD_TELEPORT;
    const uint32_t variation = randomWord(random);
    switch (randomBelow(random, 6)) {
    case 0:
        CHANGE(crowd, member, vkskinMoveCharacters, &place, 0, move)
        break;
    case 1:
        CHANGE(crowd, member, vkskinPlayCharacters, &play, 0)
        break;
    case 2:
        CHANGE(crowd, member, vkskinSetCharacterSpeeds, &play.speed, 0)
        break;
    case 3:
        CHANGE(crowd, member, vkskinSetCharacterVariations, &variation, 0)
        break;
    case 4:
        member->hidden = !member->hidden;
        CHANGE(crowd, member, vkskinHideCharacters, member->hidden)
        break;
    default:
        removeMember(crowd, member);
        break;
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
    uint32_t room[WORLD_CROWD_MODELS];
    Expected expected = {0};
    for (uint32_t m = 0; m < WORLD_CROWD_MODELS; m++) {
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
            if (draw->view == 0) {
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
    const size_t size = crowd->vertexCounts[draws[0]->model] * sizeof(float[3]);
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
