/*
 * Crowds of one clip set: one thread records them frame after frame and another one records the skinning of an instance.
 * Meanwhile others add, change and remove characters, read counters and draws, and make and destroy a crowd that is
 * recorded too. Calls are atomic: each frame has all characters of a call at one place, or none of them.
 */
#include "stage.h"

#include <pthread.h>

#include "crowd/crowd_layout.h"
#include "vkskin/vkskin_crowd.h"

#define CROWDS   2u
#define GROUP    6u /* characters of a call */
#define WRITERS  2u /* each has one group in each crowd */
#define CAPACITY (8u * GROUP)
#define FRAMES   60u
#define ROUNDS   8u /* rounds of a writer in a frame, so that the others get the lock */
#define DRAWS    VKSKIN_MAX_CROWD_VIEWS
#define CLIP     2.0f /* seconds */

typedef struct Crowds {
    Stage stage;
    VkskinSkin skin;
    VkskinAnimationBox boxes[STAGE_BONES];
    void *block;
    size_t blockSize;
    VkskinMesh mesh;
    VkskinInstance instance;
    VkskinClipSet clips;
    VkskinCrowd crowds[CROWDS];
    Counter other; /* the crowd that comes and goes: index << 32 | generation; 0: none */
    Counter started, frame, done;
    Counter refused, drawn, recordedOthers, tasks;
    pthread_barrier_t begun, ended; /* begin and end of a frame */
    VkCommandBuffer skinning;       /* runs after the crowds of the frame, which may have recorded uploads for it */
} Crowds;

/* ---- Objects ---- */

/* Bones that turn in one clip and stand still in the other. */
static void makeAnimation(Crowds *all) {
    static const float times[2] = {0.0f, CLIP}, turns[8] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.6f, 0.0f, 0.8f};
    static const uint32_t nodes[STAGE_BONES] = {0, 1, 2};
    static const int32_t parents[STAGE_BONES] = {-1, 0, 1};
    const VkskinTransform rest[STAGE_BONES] = {vkskinIdentityTransform(), vkskinIdentityTransform(),
                                               vkskinIdentityTransform()};
    VkskinTrack track = {.channel = VKSKIN_CHANNEL_ROTATION, .keyCount = 2, .times = times, .values = turns};
    VkskinClip clips[2] = {NULL, NULL};
    VkskinSkeletonDef skeleton = vkskinDefaultSkeletonDef();
    VkskinClipDef clip = vkskinDefaultClipDef();
    VkskinSkinDef skin = vkskinDefaultSkinDef();
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    skeleton.nodeCount = clip.nodeCount = skin.nodeCount = skin.boneCount = STAGE_BONES;
    skeleton.parents = parents;
    skeleton.restPose = rest;
    clip.duration = CLIP;
    clip.tracks = &track;
    skin.boneNodes = nodes;
    CHECK_GOOD(vkskinCreateSkeleton(&skeleton, &def.skeleton));
    for (uint32_t c = 0; c < 2; c++) {
        clip.trackCount = c;
        CHECK_GOOD(vkskinCreateClip(&clip, &clips[c]));
    }
    def.clips = clips;
    def.clipCount = 2;
    def.maxError = 0.01f;
    CHECK_GOOD(vkskinPackAnimation(&def, &all->block, &all->blockSize, NULL));
    CHECK_GOOD(vkskinCreateSkin(&skin, &all->skin));
    for (uint32_t b = 0; b < STAGE_BONES; b++) {
        all->boxes[b] = (VkskinAnimationBox){{-1, -1, -1}, {1, 1, 1}};
        vkskinDestroyClip(b < 2 ? clips[b] : NULL);
    }
    vkskinDestroySkeleton(def.skeleton);
}

static VkskinCrowd makeCrowd(Crowds *all) {
    const VkskinCrowdPart part = {.mesh = all->mesh, .indexCount = 3};
    VkskinCrowdModel model = vkskinDefaultCrowdModel();
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    VkskinCrowd crowd = VKSKIN_NULL_CROWD;
    model.skin = all->skin;
    model.parts = &part;
    model.partCount = 1;
    model.slots = CAPACITY;
    model.boxes = all->boxes;
    def.clipSet = all->clips;
    def.models = &model;
    def.modelCount = 1;
    def.capacity = CAPACITY;
    CHECK_GOOD(vkskinCreateCrowd(all->stage.context, &def, &crowd, NULL));
    return crowd;
}

/* ---- Writers: groups of characters in all crowds ---- */

typedef struct Group {
    VkskinCharacter characters[GROUP];
    uint32_t number;
    bool exists;
} Group;

/* Counts the refusals, which are logged. */
static bool expect(Crowds *all, VkskinResult result, VkskinResult refusal) {
    counterAdd(&all->refused, result == refusal);
    return CHECK(result == VKSKIN_SUCCESS || result == refusal) && result == VKSKIN_SUCCESS;
}

static VkskinAffine placeAt(uint32_t x) {
    VkskinAffine place = vkskinIdentityAffine();
    place.m[0][3] = (float)x;
    return place;
}

/* Places of removed characters are free only after a later frame. */
static void addGroup(Crowds *all, VkskinCrowd crowd, Group *group, uint32_t x) {
    VkskinCharacterDef def = vkskinDefaultCharacterDef();
    def.transform = placeAt(x);
    def.variation = group->number;
    group->exists = expect(all, vkskinAddCharacters(all->stage.context, crowd, &def, 0, GROUP, group->characters),
                           VKSKIN_ERROR_CROWD_FULL);
}

static void changeGroup(Crowds *all, VkskinCrowd crowd, Group *group, uint32_t round) {
    VkskinContext context = all->stage.context;
    const VkskinCharacter *who = group->characters;
    const VkskinAffine place = placeAt(round);
    const float speeds[2] = {0.5f, -0.5f};
    VkskinCrowdPlay play = vkskinDefaultCrowdPlay();
    play.clip = round % 2;
    play.fade = 0.1f;
    CHECK_GOOD(vkskinMoveCharacters(context, crowd, who, GROUP, &place, 0, (VkskinCrowdMove)(round % 2)));
    CHECK_GOOD(vkskinPlayCharacters(context, crowd, who, GROUP, &play, 0));
    CHECK_GOOD(vkskinSetCharacterSpeeds(context, crowd, who, 2, speeds, sizeof speeds[0]));
    CHECK_GOOD(vkskinSetCharacterVariations(context, crowd, who, GROUP, &group->number, 0));
    CHECK_GOOD(vkskinHideCharacters(context, crowd, who, GROUP, false));
    if (round % 5 == 4) {
        CHECK_GOOD(vkskinRemoveCharacters(context, crowd, who, GROUP));
        group->exists = false;
    }
}

static void write(void *argument) {
    Crowds *all = argument;
    const uint32_t number = (uint32_t)counterAdd(&all->started, 1);
    Group groups[CROWDS] = {{.exists = false}};
    for (uint32_t round = 0; counterRead(&all->done) == 0; round++) {
        for (uint32_t c = 0; c < CROWDS; c++) {
            groups[c].number = number;
            if (groups[c].exists) {
                changeGroup(all, all->crowds[c], &groups[c], round);
            } else {
                addGroup(all, all->crowds[c], &groups[c], round);
            }
        }
        while (round > ROUNDS * counterRead(&all->frame) && counterRead(&all->done) == 0) {
            sched_yield();
        }
    }
}

/* ---- Readers, and crowds that come and go ---- */

static void checkCounters(Crowds *all, VkskinCrowd crowd) {
    VkskinCrowdStats stats;
    if (expect(all, vkskinGetCrowdStats(all->stage.context, crowd, &stats), VKSKIN_ERROR_STALE_HANDLE)) {
        CHECK(stats.frame == 0 || stats.characters % GROUP == 0);
        CHECK(stats.badClip + stats.badModel + stats.badPlace == 0);
    }
}

static VkskinCrowd otherCrowd(const Crowds *all) {
    const uint64_t other = counterRead(&all->other);
    return (VkskinCrowd){(uint32_t)(other >> 32), (uint32_t)other};
}

/* Also makes and destroys a clip set and a crowd, once in a frame at most: their memory is free in a later one. */
static void readAndLoad(void *argument) {
    Crowds *all = argument;
    VkskinContext context = all->stage.context;
    for (uint64_t frame = 0; counterRead(&all->done) == 0; sched_yield()) {
        VkskinClipSet own;
        VkskinAccess accesses[64];
        uint32_t count = 64;
        CHECK_GOOD(vkskinGetAccesses(context, VKSKIN_PASS_CROWDS, accesses, &count));
        checkCounters(all, all->crowds[frame % CROWDS]);
        checkCounters(all, counterRead(&all->other) != 0 ? otherCrowd(all) : all->crowds[0]);
        if (counterRead(&all->frame) == frame) {
            continue;
        }
        frame = counterRead(&all->frame);
        if (counterRead(&all->other) != 0 && frame % 3 != 0) {
            continue; /* some frames record it undisturbed */
        }
        if (counterRead(&all->other) != 0) {
            CHECK_GOOD(vkskinDestroyCrowd(context, otherCrowd(all)));
            counterWrite(&all->other, 0);
        } else {
            const VkskinCrowd made = makeCrowd(all);
            Group group = {.number = WRITERS};
            addGroup(all, made, &group, 0);
            counterWrite(&all->other, (uint64_t)made.index << 32 | made.generation);
        }
        CHECK_GOOD(vkskinCreateClipSet(context, all->block, all->blockSize, &own));
        CHECK_GOOD(vkskinDestroyClipSet(context, own));
        (void)expect(all, vkskinDestroyClipSet(context, all->clips), VKSKIN_ERROR_CLIP_SET_IN_USE);
    }
}

/* ---- Recorders ---- */

static bool recordCrowd(Crowds *all, VkCommandBuffer commandBuffer, VkskinCrowd crowd, uint32_t number) {
    const VkskinCrowdView view = {.kind = VKSKIN_CROWD_COLOUR};
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    frame.tick = 16 * number;
    frame.viewCount = 1;
    frame.views = &view;
    return expect(all, vkskinRecordCrowd(all->stage.context, commandBuffer, crowd, &frame), VKSKIN_ERROR_STALE_HANDLE);
}

/* The list of the view: the characters of each group, all at one place. */
static void checkList(Crowds *all, VkskinCrowd crowd) {
    VkskinCrowdDraw draws[DRAWS];
    VkskinCrowdBuffers buffers;
    uint32_t count = DRAWS, members[WRITERS] = {0}, places[WRITERS] = {0};
    CHECK_GOOD(vkskinGetCrowdDraws(all->stage.context, crowd, draws, &count));
    CHECK_GOOD(vkskinGetCrowdBuffers(all->stage.context, crowd, &buffers));
    const unsigned char *frame =
        (const unsigned char *)nullDriverContents(all->stage.driver, buffers.frame) + buffers.frameOffset;
    const uint32_t *words = (const uint32_t *)(const void *)frame;
    const VkDrawIndexedIndirectCommand *arguments = (const void *)(frame + draws[0].argumentsOffset);
    for (uint32_t i = 0; i < arguments->instanceCount; i++) {
        const uint32_t slot = words[draws[0].constants.list + i];
        const LayoutCrowdSlot *record = (const LayoutCrowdSlot *)(words + draws[0].constants.slots) + slot;
        if (CHECK(slot < CAPACITY && record->variation < WRITERS)) {
            uint32_t *place = &places[record->variation];
            *place = members[record->variation]++ == 0 ? record->transform3 : *place;
            CHECK(record->transform3 == *place);
        }
    }
    for (uint32_t g = 0; g < WRITERS; g++) {
        CHECK(members[g] == 0 || members[g] == GROUP);
        counterAdd(&all->drawn, members[g]);
    }
}

/* A thread that the scheduler neglects may not have made the other crowd: in some frames it gets time to. */
static VkskinCrowd waitForOther(const Crowds *all, uint32_t number) {
    for (uint32_t i = 0; number % 3 == 2 && otherCrowd(all).index == 0 && i < 1000000; i++) {
        sched_yield();
    }
    return otherCrowd(all);
}

static VkCommandBuffer recordAll(Crowds *all, uint32_t number, bool onCpu) {
    const VkskinCrowd other = waitForOther(all, number);
    VkCommandBuffer commandBuffer = nullDriverBegin(all->stage.driver);
    for (uint32_t c = 0; c < CROWDS; c++) {
        CHECK(recordCrowd(all, commandBuffer, all->crowds[c], number));
        if (onCpu) {
            checkList(all, all->crowds[c]);
        }
    }
    if (other.index != 0) {
        counterAdd(&all->recordedOthers, recordCrowd(all, commandBuffer, other, number));
    }
    return commandBuffer;
}

static void recordFrames(void *argument) {
    Crowds *all = argument;
    VkskinStats stats;
    CHECK_GOOD(vkskinGetStats(all->stage.context, &stats));
    for (uint32_t frame = 1; frame <= FRAMES; frame++) {
        CHECK_GOOD(vkskinBeginFrame(all->stage.context, frame % STAGE_SLOTS));
        counterWrite(&all->frame, frame);
        pthread_barrier_wait(&all->begun);
        VkCommandBuffer commandBuffer = recordAll(all, frame, stats.backend == VKSKIN_BACKEND_CPU);
        pthread_barrier_wait(&all->ended);
        nullDriverRun(commandBuffer);
        nullDriverRun(all->skinning);
        stageCheckInstance(all->stage.driver, all->stage.context, all->instance, (float)frame);
    }
    counterWrite(&all->done, 1);
}

static void recordInstance(void *argument) {
    Crowds *all = argument;
    for (uint32_t frame = 1; frame <= FRAMES; frame++) {
        pthread_barrier_wait(&all->begun);
        CHECK_GOOD(stageSkin(all->stage.context, all->instance, (float)frame));
        all->skinning = nullDriverBegin(all->stage.driver);
        CHECK_GOOD(vkskinRecordSkinning(all->stage.context, all->skinning));
        pthread_barrier_wait(&all->ended);
    }
}

/* ---- Running ---- */

static void runCrowds(VkskinBackend backend, NullDriverLayout layout) {
    static const ThreadWork works[] = {recordFrames, recordInstance, write, write, readAndLoad};
    Crowds all = {.done = 0};
    stageOpen(&all.stage, layout, true);
    VkskinContextDef def = stageContextDef(&all.stage);
    def.backend = backend;
    def.maxTimingScopes = 0; /* two command buffers of a frame run in any order */
    def.cpu.parallel = lendThreads;
    def.cpu.parallelUser = &all.tasks;
    stageCreate(&all.stage, &def);
    makeAnimation(&all);
    all.mesh = stageInstances(all.stage.context, 1, &all.instance, 1);
    CHECK_GOOD(vkskinCreateClipSet(all.stage.context, all.block, all.blockSize, &all.clips));
    for (uint32_t c = 0; c < CROWDS; c++) {
        all.crowds[c] = makeCrowd(&all);
    }
    CHECK_GOOD(vkskinBeginFrame(all.stage.context, 0));
    stageRecordAndRun(&all.stage); /* uploads the mesh */
    assert_int_equal(pthread_barrier_init(&all.begun, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&all.ended, NULL, 2), 0);
    runThreads(works, 5, &all);
    pthread_barrier_destroy(&all.begun);
    pthread_barrier_destroy(&all.ended);
    vkskinDestroySkin(all.skin);
    vkskinFreeAnimation(all.block, NULL);
    print_message("%llu refusals, %llu frames of the other crowd, %llu characters drawn, %llu tasks\n",
                  (unsigned long long)counterRead(&all.refused), (unsigned long long)counterRead(&all.recordedOthers),
                  (unsigned long long)counterRead(&all.drawn), (unsigned long long)counterRead(&all.tasks));
    assert_true(counterRead(&all.recordedOthers) > 0);
    assert_true(backend != VKSKIN_BACKEND_CPU || (counterRead(&all.drawn) > 0 && counterRead(&all.tasks) > 0));
    stageClose(&all.stage, counterRead(&all.refused));
}

TEST(crowdsWithKernels) {
    runCrowds(VKSKIN_BACKEND_COMPUTE, NULL_DRIVER_ALL_TYPES);
}

TEST(crowdsStaged) {
    runCrowds(VKSKIN_BACKEND_COMPUTE, NULL_DRIVER_STAGED);
}

TEST(crowdsOnTheCpu) {
    runCrowds(VKSKIN_BACKEND_CPU, NULL_DRIVER_ALL_TYPES);
}
