/*
 * Creating skeletons, clips, skins and pose batches, and posing batches: every documented error and warning with its
 * message, and allocation failures.
 */
#include "pose_batch_scenes.h"
#include "vkskin/vkskin_mesh.h"

#define NODES 3

static const int32_t chain[NODES] = {-1, 0, 1};
static const uint32_t bones[NODES] = {2, 1, 2};
static const float times[] = {0.0f, 1.0f, 2.0f};
static const float values[3 * 12];
static VkskinTransform rest[NODES];
static VkskinAffine matrices[NODES];
static VkskinTrack tracks[2];
static LogMemory logMemory;
static AllocatorState memory;
static VkskinHostAllocator allocator;
static VkskinHostAllocator incomplete;

/* Pose batches. */
#define BONES      5u
#define CHARACTERS 3u
static const SceneShape shape = {.nodeCount = BONES, .boneCount = BONES, .tree = SCENE_BUSH};
static BatchScene scene;
static VkskinPoseBatch batch;
static VkskinPoseBatchCharacter characters[CHARACTERS];
static VkskinAffine palettes[CHARACTERS][BONES];

static VkskinSkeletonDef goodSkeleton;
static VkskinClipDef goodClip;
static VkskinSkinDef goodSkin;
static VkskinPoseBatchDef goodPoseBatch;

static int setUp(__attribute__((unused)) void **state) {
    for (int i = 0; i < NODES; ++i) {
        rest[i] = vkskinIdentityTransform();
        matrices[i] = vkskinIdentityAffine();
    }
    tracks[1] = (VkskinTrack){
        .node = 2, .channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 3, .times = times, .values = values};
    tracks[0] = tracks[1];
    const VkskinLogger logger = rememberingLogger(&logMemory);
    goodSkeleton = vkskinDefaultSkeletonDef();
    goodSkeleton.nodeCount = NODES;
    goodSkeleton.parents = chain;
    goodSkeleton.restPose = rest;
    goodSkeleton.logger = logger;
    goodClip = vkskinDefaultClipDef();
    goodClip.nodeCount = NODES;
    goodClip.trackCount = 2;
    goodClip.tracks = tracks;
    goodClip.logger = logger;
    goodSkin = vkskinDefaultSkinDef();
    goodSkin.nodeCount = NODES;
    goodSkin.boneCount = 3;
    goodSkin.boneNodes = bones;
    goodSkin.logger = logger;
    memory = (AllocatorState){0};
    allocator = countingAllocator(&memory);
    incomplete = allocator;
    incomplete.free = NULL;
    return 0;
}

/* Also with a batch and its characters. */
static int setUpBatch(void **state) {
    setUp(state);
    scene = batchScene(&shape);
    goodPoseBatch = batchSceneDef(&scene, CHARACTERS);
    goodPoseBatch.logger = goodSkin.logger;
    batch = ownPoseBatch(&goodPoseBatch);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        characters[i] = (VkskinPoseBatchCharacter){.clip = i, .slot = i, .time = 0.25, .palette = palettes[i]};
    }
    memset(palettes, 0xa5, sizeof palettes);
    return 0;
}

#define BATCH_TEST(name)  TEST_WITH(name, setUpBatch, endOwningTest)
#define OBJECT_TEST(name) TEST_WITH(name, setUp, endOwningTest)

/* For each kind of object: refuses a def after a change, refuses a def that was not made by its default function, and
 * creates one while each allocation fails in turn. The good object stays in `made`. Returns its number of allocations. */
#define OBJECT_TESTS(Kind, name)                                                                                       \
    static Vkskin##Kind made##Kind;                                                                                    \
    static void refuse##Kind(const Vkskin##Kind##Def *def, VkskinResult result, const char *message) {                 \
        Vkskin##Kind object = (Vkskin##Kind)(uintptr_t)8;                                                              \
        assert_int_equal(vkskinCreate##Kind(def, &object), result);                                                    \
        assert_null(object);                                                                                           \
        assertLogged(&logMemory, result, message);                                                                     \
    }                                                                                                                  \
    BATCH_TEST(defMustBeMade##Kind) {                                                                                  \
        Vkskin##Kind object = (Vkskin##Kind)(uintptr_t)8;                                                              \
        Vkskin##Kind##Def def;                                                                                         \
        for (int fill = 0; fill < 256; fill += 0xa5) {                                                                 \
            memset(&def, fill, sizeof def);                                                                            \
            assert_int_equal(vkskinCreate##Kind(&def, &object), VKSKIN_ERROR_DEF_NOT_INITIALISED);                     \
            assert_null(object);                                                                                       \
        }                                                                                                              \
        object = (Vkskin##Kind)(uintptr_t)8;                                                                           \
        assert_int_equal(vkskinCreate##Kind(NULL, &object), VKSKIN_ERROR_NULL_ARGUMENT);                               \
        assert_null(object);                                                                                           \
        def.cookie = vkskinDefaultMeshDef().cookie; /* cookie of another type of def */                                \
        assert_int_equal(vkskinCreate##Kind(&def, &object), VKSKIN_ERROR_DEF_NOT_INITIALISED);                         \
        def = good##Kind;                                                                                              \
        assert_int_equal(vkskinCreate##Kind(&def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);                                  \
        assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, name ": the place for the handle is null");               \
        def.allocator = &incomplete;                                                                                   \
        refuse##Kind(&def, VKSKIN_ERROR_NULL_ARGUMENT, name ": the host allocator lacks a function");                  \
    }                                                                                                                  \
    static uint32_t make##Kind(Vkskin##Kind##Def def, const char *message) {                                           \
        def.allocator = &allocator;                                                                                    \
        memory.failAt = 1;                                                                                             \
        while (memoryRanOut(&memory, &logMemory, vkskinCreate##Kind(&def, &made##Kind), message)) {                    \
            assert_null(made##Kind);                                                                                   \
        }                                                                                                              \
        return memory.failAt - 1;                                                                                      \
    }

OBJECT_TESTS(Skeleton, "skeleton")
OBJECT_TESTS(Clip, "clip")
OBJECT_TESTS(Skin, "skin")
OBJECT_TESTS(PoseBatch, "pose batch")

/* One bad def: a good one after `change`, which names it `def`. */
#define REFUSE(Kind, change, result, message)                                                                          \
    do {                                                                                                               \
        Vkskin##Kind##Def def = good##Kind;                                                                            \
        change;                                                                                                        \
        refuse##Kind(&def, result, message);                                                                           \
    } while (0)

/* ---- Skeletons ---- */

OBJECT_TEST(skeletonArguments) {
    REFUSE(Skeleton, def.nodeCount = 0, VKSKIN_ERROR_INVALID_VALUE, "skeleton: nodeCount is 0, not 1 to 1048576");
    REFUSE(Skeleton, def.nodeCount = 1048577, VKSKIN_ERROR_INVALID_VALUE,
           "skeleton: nodeCount is 1048577, not 1 to 1048576");
    REFUSE(Skeleton, def.parents = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: parents is null");
    REFUSE(Skeleton, def.restPose = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: restPose is null");
}

OBJECT_TEST(skeletonHierarchy) {
    static const int32_t past[NODES] = {-1, 3, 0}, itself[NODES] = {-1, 0, 2}, below[NODES] = {-1, -2, 0};
    static const int32_t pair[NODES] = {1, 2, 1}; /* node 0 is below the cycle */
    REFUSE(Skeleton, def.parents = past, VKSKIN_ERROR_NODE_OUT_OF_RANGE,
           "skeleton: the parent of node 1 is node 3 of 3");
    REFUSE(Skeleton, def.parents = itself, VKSKIN_ERROR_HIERARCHY_CYCLE, "skeleton: node 2 is its own ancestor");
    REFUSE(Skeleton, def.parents = pair, VKSKIN_ERROR_HIERARCHY_CYCLE, "skeleton: node 1 is its own ancestor");
    REFUSE(Skeleton, def.parents = below, VKSKIN_ERROR_INVALID_VALUE,
           "skeleton: the parent of node 1 is -2; a root has -1");
}

OBJECT_TEST(skeletonTransforms) {
    float *const numbers[] = {&rest[2].translation[1], &rest[2].rotation[3], &rest[2].scale[0]};
    for (int i = 0; i < 3; ++i) {
        const float before = *numbers[i];
        REFUSE(Skeleton, *numbers[i] = i == 1 ? INFINITY : NAN, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
               "skeleton: the rest pose of node 2 is not finite");
        *numbers[i] = before;
    }
    matrices[1].m[2][3] = -INFINITY;
    REFUSE(Skeleton, def.preTransforms = matrices, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
           "skeleton: the pre-transform of node 1 is not finite");
}

OBJECT_TEST(skeletonMemory) {
    VkskinSkeletonDef def = goodSkeleton;
    def.preTransforms = matrices;
    assert_int_equal(makeSkeleton(def, "skeleton: no host memory for 3 nodes"), 4);
    assert_int_equal(vkskinGetSkeletonNodeCount(madeSkeleton), NODES);
    vkskinDestroySkeleton(madeSkeleton);
    static const int32_t backwards[NODES] = {1, 2, -1};
    memory = (AllocatorState){0};
    def.parents = backwards; /* also keeps an order, and needs room to find it */
    assert_int_equal(makeSkeleton(def, "skeleton: no host memory for 3 nodes"), 6);
    vkskinDestroySkeleton(madeSkeleton);
    assert_int_equal(memory.alive, 0);
}

/* ---- Clips ---- */

OBJECT_TEST(clipArguments) {
    REFUSE(Clip, def.duration = NAN, VKSKIN_ERROR_INVALID_VALUE, "clip: duration is not finite");
    REFUSE(Clip, def.nodeCount = 0, VKSKIN_ERROR_INVALID_VALUE, "clip: nodeCount is 0");
    REFUSE(Clip, def.tracks = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "clip: tracks is null, trackCount is 2");
}

OBJECT_TEST(clipTracks) {
    const VkskinTrack good = tracks[1];
#define REFUSE_TRACK(change, result, message) REFUSE(Clip, tracks[1] = good; tracks[1].change, result, message)
    REFUSE_TRACK(node = 3, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "clip: track 1 moves node 3 of 3");
    REFUSE_TRACK(channel = (VkskinChannel)4, VKSKIN_ERROR_INVALID_VALUE,
                 "clip: track 1 (node 2) has the unknown channel 4");
    REFUSE_TRACK(interpolation = (VkskinInterpolation)-1, VKSKIN_ERROR_INVALID_VALUE,
                 "clip: track 1 (node 2) has the unknown interpolation -1");
    REFUSE_TRACK(keyCount = 0, VKSKIN_ERROR_INVALID_VALUE, "clip: track 1 (node 2) has no keys");
    REFUSE_TRACK(times = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "clip: times of track 1 (node 2) is null");
    REFUSE_TRACK(values = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "clip: values of track 1 (node 2) is null");
    static const float notFinite[] = {0.0f, NAN, 2.0f}, falling[] = {0.0f, 1.5f, 1.25f};
    REFUSE_TRACK(times = notFinite, VKSKIN_ERROR_KEY_TIMES,
                 "clip: the time of key 1 of track 1 (node 2) is not finite");
    REFUSE_TRACK(times = falling, VKSKIN_ERROR_KEY_TIMES,
                 "clip: key 2 of track 1 (node 2) at 1.25 s comes after one at 1.5 s");
    float bad[3 * 12] = {0};
    bad[8] = NAN; /* the last float of the last key */
    REFUSE_TRACK(values = bad, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                 "clip: the value of key 2 of track 1 (node 2) is not finite");
    bad[8] = 0.0f;
    bad[35] = INFINITY;
    REFUSE_TRACK(values = bad; tracks[1].channel = VKSKIN_CHANNEL_ROTATION;
                 tracks[1].interpolation = VKSKIN_INTERPOLATION_CUBIC, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                 "clip: the value of key 2 of track 1 (node 2) is not finite");
    tracks[1].channel = VKSKIN_CHANNEL_MORPH_WEIGHTS;
    const VkskinTrack morphs = tracks[1];
#define REFUSE_MORPHS(change, result, message) REFUSE(Clip, tracks[1] = morphs; tracks[1].change, result, message)
    REFUSE_MORPHS(weightCount = 0, VKSKIN_ERROR_INVALID_VALUE, "clip: track 1 (node 2) of morph weights has none");
    /* The last out-tangent of four weights. */
    REFUSE_MORPHS(weightCount = 4, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                  "clip: the value of key 2 of track 1 (node 2) is not finite");
}

OBJECT_TEST(clipDurations) {
    assert_float_equal(vkskinGetClipDuration(ownClip(NODES, tracks, 2, 5.0f)), 5.0f, 0.0f);
    /* A clip of length 0 that moves nothing. */
    assert_float_equal(vkskinGetClipDuration(ownClip(NODES, NULL, 0, -1.0f)), 0.0f, 0.0f);
}

OBJECT_TEST(clipMemory) {
    assert_int_equal(makeClip(goodClip, "clip: no host memory for the keys of 2 tracks"), 3);
    assert_float_equal(vkskinGetClipDuration(madeClip), 2.0f, 0.0f);
    assert_int_equal(vkskinGetClipNodeCount(madeClip), NODES);
}

/* ---- Skins ---- */

OBJECT_TEST(skinArguments) {
    REFUSE(Skin, def.boneCount = 0, VKSKIN_ERROR_INVALID_VALUE, "skin: boneCount is 0, not 1 to 1048576");
    REFUSE(Skin, def.boneCount = 1048577, VKSKIN_ERROR_INVALID_VALUE, "skin: boneCount is 1048577, not 1 to 1048576");
    REFUSE(Skin, def.nodeCount = 0, VKSKIN_ERROR_INVALID_VALUE, "skin: nodeCount is 0");
    REFUSE(Skin, def.boneNodes = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skin: boneNodes is null");
}

OBJECT_TEST(skinBonesAndMatrices) {
    static const uint32_t tooFar[NODES] = {2, 3, 0};
    REFUSE(Skin, def.boneNodes = tooFar, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "skin: bone 1 is node 3 of 3");
    REFUSE(Skin, def.meshToModel.m[0][3] = INFINITY, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
           "skin: meshToModel is not finite");
    REFUSE(Skin, def.meshToModel.m[1][1] = 0.0f, VKSKIN_ERROR_SINGULAR_MATRIX, "skin: meshToModel cannot be inverted");
    matrices[0].m[1][1] = NAN;
    REFUSE(Skin, def.inverseBinds = matrices, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
           "skin: the inverse bind matrix of bone 0 is not finite");
}

OBJECT_TEST(skinMemory) {
    VkskinSkinDef def = goodSkin;
    def.inverseBinds = matrices;
    assert_int_equal(makeSkin(def, "skin: no host memory for 3 bones"), 3);
    assert_int_equal(vkskinGetSkinBoneCount(madeSkin), 3);
    assert_int_equal(vkskinGetSkinNodeCount(madeSkin), NODES);
    vkskinDestroySkin(madeSkin);
    assert_int_equal(memory.alive, 0);
}

/* ---- Pose batches ---- */

BATCH_TEST(poseBatchArguments) {
    const VkskinClip holed[4] = {scene.clips[0], NULL};
    REFUSE(PoseBatch, def.skeleton = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: skeleton is null");
    REFUSE(PoseBatch, def.skin = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: skin is null");
    REFUSE(PoseBatch, def.clips = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: clips is null, clipCount is 4");
    REFUSE(PoseBatch, def.clips = holed, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: clip 1 is null");
    REFUSE(PoseBatch, def.slotCount = 0, VKSKIN_ERROR_INVALID_VALUE, "pose batch: slotCount is 0");
    REFUSE(PoseBatch, def.clipCount = VKSKIN_REST_POSE, VKSKIN_ERROR_INVALID_VALUE,
           "pose batch: clipCount is that of the rest pose");
}

BATCH_TEST(largerSkeletons) {
    const SceneShape larger = {.nodeCount = BONES + 1, .boneCount = 1};
    BatchScene other = batchScene(&larger);
    const VkskinClip clips[4] = {scene.clips[0], other.clips[0]};
    REFUSE(PoseBatch, def.skin = other.skin, VKSKIN_ERROR_INVALID_VALUE,
           "pose batch: the skin is for a skeleton of 6 nodes, this one has 5");
    REFUSE(PoseBatch, def.clips = clips, VKSKIN_ERROR_INVALID_VALUE,
           "pose batch: clip 1 is for a skeleton of 6 nodes, this one has 5");
}

BATCH_TEST(poseBatchMemory) {
    assert_in_range(makePoseBatch(goodPoseBatch, "pose batch: no host memory for 4 clips and 3 slots"), 20, 60);
    const uint32_t made = memory.made;
    OK(vkskinPoseBatch(madePoseBatch, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL));
    assert_int_equal(memory.made, made); /* only creation allocates */
    vkskinDestroyPoseBatch(madePoseBatch);
    assert_int_equal(memory.alive, 0);
}

/* ---- Posing ---- */

/* Nothing is written, and the next good call finds no trace. */
static void refusePose(VkskinPaletteEncoding encoding, uint32_t boneCount, const VkskinCpuRun *run, VkskinResult result,
                       const char *message) {
    unsigned char untouched[sizeof palettes];
    memset(untouched, 0xa5, sizeof untouched);
    assertRefused(&logMemory, vkskinPoseBatch(batch, characters, CHARACTERS, encoding, boneCount, run), result,
                  message);
    assert_memory_equal(palettes, untouched, sizeof untouched);
}

BATCH_TEST(badCharacters) {
    const VkskinPoseBatchCharacter good = characters[1];
#define REFUSE_CHARACTER(change, result, message)                                                                      \
    characters[1].change;                                                                                              \
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES, NULL, result, message);                                                   \
    characters[1] = good
    REFUSE_CHARACTER(palette = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: the palette of character 1 is null");
    REFUSE_CHARACTER(clip = 4, VKSKIN_ERROR_INVALID_VALUE, "pose batch: character 1 is in clip 4 of 4");
    REFUSE_CHARACTER(wrap = (VkskinWrap)2, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: the wrap 2 of character 1 is unknown");
    REFUSE_CHARACTER(time = NAN, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the time of character 1 is not finite");
    REFUSE_CHARACTER(time = -INFINITY, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the time of character 1 is not finite");
    REFUSE_CHARACTER(slot = 3, VKSKIN_ERROR_INVALID_VALUE, "pose batch: character 1 has slot 3 of 3");
    REFUSE_CHARACTER(slot = 0, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: character 1 has slot 0, as a character before it");
    OK(vkskinPoseBatch(batch, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL));
}

BATCH_TEST(badBlends) {
    characters[1].blendClip = 4; /* what is wrong counts only with a weight */
    characters[1].blendWrap = (VkskinWrap)2;
    characters[1].blendTime = NAN;
    OK(vkskinPoseBatch(batch, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL));
    memset(palettes, 0xa5, sizeof palettes);
    characters[1].blendWeight = 0.5f;
    characters[1].blendClip = VKSKIN_REST_POSE;
    characters[1].blendWrap = VKSKIN_WRAP_LOOP;
    characters[1].blendTime = 1.0;
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES, NULL, VKSKIN_ERROR_INVALID_VALUE,
               "pose batch: character 1 is blended, but the batch was made without blending");
    VkskinPoseBatch before = batch;
    VkskinPoseBatchDef def = goodPoseBatch;
    def.blending = true;
    batch = ownPoseBatch(&def);
    const VkskinPoseBatchCharacter good = characters[1];
    REFUSE_CHARACTER(blendWeight = NAN, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: the blend weight nan of character 1 is not from 0 to 1");
    REFUSE_CHARACTER(blendWeight = -0.25f, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: the blend weight -0.25 of character 1 is not from 0 to 1");
    REFUSE_CHARACTER(blendWeight = 1.5f, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: the blend weight 1.5 of character 1 is not from 0 to 1");
    REFUSE_CHARACTER(blendClip = 4, VKSKIN_ERROR_INVALID_VALUE, "pose batch: character 1 is blended with clip 4 of 4");
    REFUSE_CHARACTER(blendWrap = (VkskinWrap)2, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: the blend wrap 2 of character 1 is unknown");
    REFUSE_CHARACTER(blendTime = INFINITY, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: the blend time of character 1 is not finite");
    OK(vkskinPoseBatch(batch, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL));
    batch = before;
}

BATCH_TEST(badCalls) {
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT,
            vkskinPoseBatch(NULL, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL));
    assertRefused(&logMemory, vkskinPoseBatch(batch, NULL, 2, VKSKIN_PALETTE_MAT3X4, BONES, NULL),
                  VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: characters is null, count is 2");
    OK(vkskinPoseBatch(batch, NULL, 0, VKSKIN_PALETTE_MAT3X4, BONES, NULL));
    refusePose((VkskinPaletteEncoding)7, BONES, NULL, VKSKIN_ERROR_INVALID_VALUE,
               "pose batch: the palette encoding 7 is unknown");
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES - 1, NULL, VKSKIN_ERROR_PALETTE_TOO_SMALL,
               "pose batch: palettes of 4 entries, the skin has 5 bones");
    const VkskinCpuRun run = {.level = VKSKIN_CPU_LEVEL_COUNT};
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES, &run, VKSKIN_ERROR_INVALID_VALUE,
               "pose batch: this processor or build does not have level 4");
}

/* One node, scaled by a clip so far that its inverse bind matrix takes it past float. */
BATCH_TEST(notFiniteIsReported) {
    const float scales[] = {1, 1, 1, 1e38f, 1e38f, 1e38f};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_SCALE, .keyCount = 2, .times = times, .values = scales};
    const VkskinAffine tenfold = {{{10, 0, 0, 0}, {0, 10, 0, 0}, {0, 0, 10, 0}}};
    const VkskinAffine inverseBinds[4] = {tenfold, tenfold, tenfold, tenfold}; /* written together */
    const uint32_t nodes[4] = {0};
    const SceneShape one = {.nodeCount = 1, .boneCount = 1};
    scene = batchScene(&one);
    scene.skin = ownSkin(1, 4, nodes, inverseBinds, NULL);
    scene.clips[0] = ownClip(1, &track, 1, -1.0f);
    VkskinPoseBatchDef def = batchSceneDef(&scene, 40);
    def.logger = goodSkin.logger;
    batch = ownPoseBatch(&def);
    VkskinAffine entries[40][4];
    VkskinPoseBatchCharacter many[40];
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        for (uint32_t i = 0; i < 40; ++i) {
            many[i] =
                (VkskinPoseBatchCharacter){.time = i == 21 || i == 38 ? 1.0 : 0.0, .slot = i, .palette = entries[i]};
        }
        const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
        assertRefused(&logMemory, vkskinPoseBatch(batch, many, 40, VKSKIN_PALETTE_MAT3X4, 4, &run),
                      VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                      "pose batch: a bone of character 21 is not finite, or beyond what the encoding holds");
        for (uint32_t i = 0; i < 40; ++i) {
            if (i != 21 && i != 38) {
                assert_memory_equal(entries[i], entries[0], sizeof entries[0]);
            }
        }
    }
}

BATCH_TEST(warningsAreReturned) {
    const SceneShape scaled = {.nodeCount = BONES, .boneCount = BONES, .tree = SCENE_BUSH, .anyScale = true};
    BatchScene other = batchScene(&scaled);
    VkskinPoseBatchDef def = batchSceneDef(&other, CHARACTERS);
    def.logger = rememberingLogger(&logMemory);
    VkskinPoseBatch made = ownPoseBatch(&def);
    assertRefused(&logMemory,
                  vkskinPoseBatch(made, characters, CHARACTERS, VKSKIN_PALETTE_DUAL_QUATERNION, BONES, NULL),
                  VKSKIN_WARNING_SCALE_LOST, "pose batch: a bone of character 0 does what the encoding cannot hold");
    assertRefused(&logMemory, vkskinPoseBatch(made, characters, CHARACTERS, VKSKIN_PALETTE_MAT2X3, BONES, NULL),
                  VKSKIN_WARNING_DEPTH_LOST, "pose batch: a bone of character 0 does what the encoding cannot hold");
}

OBJECT_TEST(nullObjects) {
    vkskinDestroySkeleton(NULL);
    vkskinDestroyClip(NULL);
    vkskinDestroySkin(NULL);
    vkskinDestroyPoseBatch(NULL);
    assert_int_equal(vkskinGetSkeletonNodeCount(NULL), 0);
    assert_int_equal(vkskinGetSkinBoneCount(NULL), 0);
    assert_int_equal(vkskinGetSkinNodeCount(NULL), 0);
    assert_int_equal(vkskinGetClipNodeCount(NULL), 0);
    assert_float_equal(vkskinGetClipDuration(NULL), 0.0f, 0.0f);
}
