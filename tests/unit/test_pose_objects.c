/* Creating skeletons, clips and skins: every documented error with its message, and allocation failures. */
#include <math.h>

#include "host_doubles.h"
#include "test.h"
#include "vkskin/vkskin_pose.h"

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

static int setUp(void **state) {
    (void)state;
    for (int i = 0; i < NODES; ++i) {
        rest[i] = vkskinIdentityTransform();
        matrices[i] = vkskinIdentityAffine();
    }
    tracks[1] = (VkskinTrack){
        .node = 2, .channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 3, .times = times, .values = values};
    tracks[0] = tracks[1];
    memory = (AllocatorState){0};
    allocator = countingAllocator(&memory);
    incomplete = allocator;
    incomplete.free = NULL;
    return 0;
}

#define OBJECT_TEST(name) TEST_WITH(name, setUp, NULL)

static VkskinSkeletonDef skeletonDef(void) {
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = NODES;
    def.parents = chain;
    def.restPose = rest;
    def.logger = rememberingLogger(&logMemory);
    return def;
}

static VkskinClipDef clipDef(void) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = NODES;
    def.trackCount = 2;
    def.tracks = tracks;
    def.logger = rememberingLogger(&logMemory);
    return def;
}

static VkskinSkinDef skinDef(void) {
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = NODES;
    def.boneCount = 3;
    def.boneNodes = bones;
    def.logger = rememberingLogger(&logMemory);
    return def;
}

/* For each kind of object: refuses a def after a change, refuses a def that was not made by its default function, and
 * creates one while each allocation fails in turn. The good object stays in `made`. */
#define OBJECT_TESTS(Kind, kind)                                                                                       \
    static Vkskin##Kind made##Kind;                                                                                    \
    static void refuse##Kind(const Vkskin##Kind##Def *def, VkskinResult result, const char *message) {                 \
        Vkskin##Kind object = (Vkskin##Kind)(uintptr_t)8;                                                              \
        assert_int_equal(vkskinCreate##Kind(def, &object), result);                                                    \
        assert_null(object);                                                                                           \
        assertLogged(&logMemory, result, message);                                                                     \
    }                                                                                                                  \
    OBJECT_TEST(kind##DefMustBeMade) {                                                                                 \
        Vkskin##Kind object = (Vkskin##Kind)(uintptr_t)8;                                                              \
        Vkskin##Kind##Def def;                                                                                         \
        for (int fill = 0; fill < 256; fill += 0xa5) {                                                                 \
            memset(&def, fill, sizeof def);                                                                            \
            assert_int_equal(vkskinCreate##Kind(&def, &object), VKSKIN_ERROR_DEF_NOT_INITIALISED);                     \
            assert_null(object);                                                                                       \
        }                                                                                                              \
        assert_int_equal(vkskinCreate##Kind(NULL, &object), VKSKIN_ERROR_NULL_ARGUMENT);                               \
        def.cookie = vkskinDefaultPoseBatchDef().cookie; /* a def of another type */                                   \
        assert_int_equal(vkskinCreate##Kind(&def, &object), VKSKIN_ERROR_DEF_NOT_INITIALISED);                         \
        def = kind##Def();                                                                                             \
        assert_int_equal(vkskinCreate##Kind(&def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);                                  \
        assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, #kind ": the place for the handle is null");              \
        def.allocator = &incomplete;                                                                                   \
        refuse##Kind(&def, VKSKIN_ERROR_NULL_ARGUMENT, #kind ": the host allocator lacks a function");                 \
    }                                                                                                                  \
    static void make##Kind(Vkskin##Kind##Def def, uint32_t allocations, const char *message) {                         \
        def.allocator = &allocator;                                                                                    \
        for (memory.failAt = 1; vkskinCreate##Kind(&def, &made##Kind) != VKSKIN_SUCCESS; ++memory.failAt) {            \
            assertLogged(&logMemory, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, message);                                        \
            assert_null(made##Kind);                                                                                   \
            assert_int_equal(memory.alive, 0);                                                                         \
            assert_true(memory.failAt <= allocations);                                                                 \
            memory.made = 0;                                                                                           \
        }                                                                                                              \
        assert_int_equal(memory.failAt, allocations + 1);                                                              \
    }

OBJECT_TESTS(Skeleton, skeleton)
OBJECT_TESTS(Clip, clip)
OBJECT_TESTS(Skin, skin)

/* One bad def: a good one after `change`, which names it `def`. */
#define REFUSE(Kind, kind, change, result, message)                                                                    \
    do {                                                                                                               \
        Vkskin##Kind##Def def = kind##Def();                                                                           \
        change;                                                                                                        \
        refuse##Kind(&def, result, message);                                                                           \
    } while (0)

/* ---- Skeletons ---- */

OBJECT_TEST(skeletonArguments) {
    REFUSE(Skeleton, skeleton, def.nodeCount = 0, VKSKIN_ERROR_INVALID_VALUE,
           "skeleton: nodeCount is 0, not 1 to 1048576");
    REFUSE(Skeleton, skeleton, def.nodeCount = 1048577, VKSKIN_ERROR_INVALID_VALUE,
           "skeleton: nodeCount is 1048577, not 1 to 1048576");
    REFUSE(Skeleton, skeleton, def.parents = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: parents is null");
    REFUSE(Skeleton, skeleton, def.restPose = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: restPose is null");
}

OBJECT_TEST(skeletonHierarchy) {
    static const int32_t later[NODES] = {-1, 2, 0}, itself[NODES] = {-1, 0, 2}, below[NODES] = {-1, -2, 0};
    REFUSE(Skeleton, skeleton, def.parents = later, VKSKIN_ERROR_HIERARCHY_ORDER,
           "skeleton: the parent of node 1 is node 2, which does not come before it");
    REFUSE(Skeleton, skeleton, def.parents = itself, VKSKIN_ERROR_HIERARCHY_ORDER,
           "skeleton: the parent of node 2 is node 2, which does not come before it");
    REFUSE(Skeleton, skeleton, def.parents = below, VKSKIN_ERROR_INVALID_VALUE,
           "skeleton: the parent of node 1 is -2; a root has -1");
}

OBJECT_TEST(skeletonTransforms) {
    float *const numbers[] = {&rest[2].translation[1], &rest[2].rotation[3], &rest[2].scale[0]};
    for (int i = 0; i < 3; ++i) {
        const float before = *numbers[i];
        REFUSE(Skeleton, skeleton, *numbers[i] = i == 1 ? INFINITY : NAN, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
               "skeleton: the rest pose of node 2 is not finite");
        *numbers[i] = before;
    }
    matrices[1].m[2][3] = -INFINITY;
    REFUSE(Skeleton, skeleton, def.preTransforms = matrices, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
           "skeleton: the pre-transform of node 1 is not finite");
}

OBJECT_TEST(skeletonMemory) {
    VkskinSkeletonDef def = skeletonDef();
    def.preTransforms = matrices;
    makeSkeleton(def, 4, "skeleton: no host memory for 3 nodes");
    assert_int_equal(vkskinGetSkeletonNodeCount(madeSkeleton), NODES);
    vkskinDestroySkeleton(madeSkeleton);
    assert_int_equal(memory.alive, 0);
}

/* ---- Clips ---- */

OBJECT_TEST(clipArguments) {
    REFUSE(Clip, clip, def.duration = NAN, VKSKIN_ERROR_INVALID_VALUE, "clip: duration is not finite");
    REFUSE(Clip, clip, def.nodeCount = 0, VKSKIN_ERROR_INVALID_VALUE, "clip: nodeCount is 0");
    REFUSE(Clip, clip, def.tracks = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "clip: tracks is null, trackCount is 2");
}

OBJECT_TEST(clipTracks) {
    const VkskinTrack good = tracks[1];
#define REFUSE_TRACK(change, result, message) REFUSE(Clip, clip, tracks[1] = good; tracks[1].change, result, message)
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
}

static void assertDuration(const VkskinClipDef *def, float seconds) {
    VkskinClip clip = NULL;
    assert_int_equal(vkskinCreateClip(def, &clip), VKSKIN_SUCCESS);
    assert_float_equal(vkskinGetClipDuration(clip), seconds, 0.0f);
    assert_int_equal(vkskinGetClipNodeCount(clip), NODES);
    vkskinDestroyClip(clip);
}

OBJECT_TEST(clipDurations) {
    VkskinClipDef def = clipDef();
    assertDuration(&def, 2.0f);
    def.duration = 5.0f;
    assertDuration(&def, 5.0f);
    def = clipDef();
    def.trackCount = 0; /* a clip of length 0 that moves nothing */
    def.tracks = NULL;
    assertDuration(&def, 0.0f);
}

OBJECT_TEST(clipMemory) {
    makeClip(clipDef(), 3, "clip: no host memory for the keys of 2 tracks");
    vkskinDestroyClip(madeClip);
    assert_int_equal(memory.alive, 0);
}

/* ---- Skins ---- */

OBJECT_TEST(skinArguments) {
    REFUSE(Skin, skin, def.boneCount = 0, VKSKIN_ERROR_INVALID_VALUE, "skin: boneCount is 0, not 1 to 1048576");
    REFUSE(Skin, skin, def.boneCount = 1048577, VKSKIN_ERROR_INVALID_VALUE,
           "skin: boneCount is 1048577, not 1 to 1048576");
    REFUSE(Skin, skin, def.nodeCount = 0, VKSKIN_ERROR_INVALID_VALUE, "skin: nodeCount is 0");
    REFUSE(Skin, skin, def.boneNodes = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skin: boneNodes is null");
}

OBJECT_TEST(skinBonesAndMatrices) {
    static const uint32_t tooFar[NODES] = {2, 3, 0};
    REFUSE(Skin, skin, def.boneNodes = tooFar, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "skin: bone 1 is node 3 of 3");
    REFUSE(Skin, skin, def.meshToModel.m[0][3] = INFINITY, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
           "skin: meshToModel is not finite");
    REFUSE(Skin, skin, def.meshToModel.m[1][1] = 0.0f, VKSKIN_ERROR_SINGULAR_MATRIX,
           "skin: meshToModel cannot be inverted");
    matrices[0].m[1][1] = NAN;
    REFUSE(Skin, skin, def.inverseBinds = matrices, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
           "skin: the inverse bind matrix of bone 0 is not finite");
}

OBJECT_TEST(skinMemory) {
    VkskinSkinDef def = skinDef();
    def.inverseBinds = matrices;
    makeSkin(def, 3, "skin: no host memory for 3 bones");
    assert_int_equal(vkskinGetSkinBoneCount(madeSkin), 3);
    assert_int_equal(vkskinGetSkinNodeCount(madeSkin), NODES);
    vkskinDestroySkin(madeSkin);
    assert_int_equal(memory.alive, 0);
}

OBJECT_TEST(nullObjects) {
    vkskinDestroySkeleton(NULL);
    vkskinDestroyClip(NULL);
    vkskinDestroySkin(NULL);
    assert_int_equal(vkskinGetSkeletonNodeCount(NULL), 0);
    assert_int_equal(vkskinGetSkinBoneCount(NULL), 0);
    assert_int_equal(vkskinGetSkinNodeCount(NULL), 0);
    assert_int_equal(vkskinGetClipNodeCount(NULL), 0);
    assert_float_equal(vkskinGetClipDuration(NULL), 0.0f, 0.0f);
}
