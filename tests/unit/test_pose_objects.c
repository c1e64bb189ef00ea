/* Making skeletons, clips and skins: every documented error with its message, and memory that runs out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host_doubles.h"
#include "vkskin/vkskin_pose.h"

#define NODES 3

static const int32_t chain[NODES] = {-1, 0, 1};
static VkskinTransform rest[NODES];
static VkskinAffine matrices[NODES];

static int setUp(void **state) {
    (void)state;
    for (int i = 0; i < NODES; ++i) {
        rest[i] = vkskinIdentityTransform();
        matrices[i] = vkskinIdentityAffine();
    }
    return 0;
}

/* ---- Skeletons ---- */

static VkskinSkeletonDef skeletonDef(LogMemory *log) {
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = NODES;
    def.parents = chain;
    def.restPose = rest;
    def.logger = rememberingLogger(log);
    return def;
}

static void refuseSkeleton(const VkskinSkeletonDef *def, LogMemory *log, VkskinResult result, const char *message) {
    VkskinSkeleton skeleton = (VkskinSkeleton)(uintptr_t)8;
    assert_int_equal(vkskinCreateSkeleton(def, &skeleton), result);
    assert_null(skeleton);
    assertLogged(log, result, message);
}

static void skeletonDefMustBeMade(void **state) {
    (void)state;
    VkskinSkeleton skeleton = (VkskinSkeleton)(uintptr_t)8;
    VkskinSkeletonDef def;
    memset(&def, 0xa5, sizeof def);
    assert_int_equal(vkskinCreateSkeleton(&def, &skeleton), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    assert_null(skeleton);
    assert_int_equal(vkskinCreateSkeleton(NULL, &skeleton), VKSKIN_ERROR_NULL_ARGUMENT);
    LogMemory log;
    def = skeletonDef(&log);
    assert_int_equal(vkskinCreateSkeleton(&def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&log, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: the place for the handle is null");
}

static void skeletonArguments(void **state) {
    (void)state;
    LogMemory log;
    VkskinSkeletonDef def = skeletonDef(&log);
    def.nodeCount = 0;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "skeleton: nodeCount is 0, not 1 to 1048576");
    def.nodeCount = 1048577;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "skeleton: nodeCount is 1048577, not 1 to 1048576");
    def = skeletonDef(&log);
    def.parents = NULL;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: parents is null");
    def = skeletonDef(&log);
    def.restPose = NULL;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: restPose is null");
    AllocatorState memory = {0};
    VkskinHostAllocator half = countingAllocator(&memory);
    half.free = NULL;
    def = skeletonDef(&log);
    def.allocator = &half;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton: the host allocator lacks a function");
}

static void skeletonHierarchy(void **state) {
    (void)state;
    LogMemory log;
    VkskinSkeletonDef def = skeletonDef(&log);
    const int32_t later[NODES] = {-1, 2, 0};
    def.parents = later;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_HIERARCHY_ORDER,
                   "skeleton: the parent of node 1 is node 2, which does not come before it");
    const int32_t itself[NODES] = {-1, 0, 2};
    def.parents = itself;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_HIERARCHY_ORDER,
                   "skeleton: the parent of node 2 is node 2, which does not come before it");
    const int32_t below[NODES] = {-1, -2, 0};
    def.parents = below;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "skeleton: the parent of node 1 is -2; a root has -1");
}

static void skeletonTransforms(void **state) {
    (void)state;
    LogMemory log;
    VkskinSkeletonDef def = skeletonDef(&log);
    float *const numbers[] = {&rest[2].translation[1], &rest[2].rotation[3], &rest[2].scale[0]};
    for (int i = 0; i < 3; ++i) {
        const float before = *numbers[i];
        *numbers[i] = i == 1 ? INFINITY : NAN;
        refuseSkeleton(&def, &log, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                       "skeleton: the rest pose of node 2 is not finite");
        *numbers[i] = before;
    }
    def.preTransforms = matrices;
    matrices[1].m[2][3] = -INFINITY;
    refuseSkeleton(&def, &log, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                   "skeleton: the pre-transform of node 1 is not finite");
}

static void skeletonMemory(void **state) {
    (void)state;
    LogMemory log;
    AllocatorState memory = {0};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    VkskinSkeletonDef def = skeletonDef(&log);
    def.preTransforms = matrices;
    def.allocator = &allocator;
    VkskinSkeleton skeleton = NULL;
    for (memory.failAt = 1; vkskinCreateSkeleton(&def, &skeleton) != VKSKIN_SUCCESS; ++memory.failAt) {
        assertLogged(&log, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "skeleton: no host memory for 3 nodes");
        assert_null(skeleton);
        assert_int_equal(memory.alive, 0);
        assert_true(memory.failAt < 10);
        memory.made = 0;
    }
    assert_int_equal(memory.failAt, 5);
    assert_int_equal(vkskinGetSkeletonNodeCount(skeleton), NODES);
    vkskinDestroySkeleton(skeleton);
    assert_int_equal(memory.alive, 0);
}

/* ---- Clips ---- */

static const float times[] = {0.0f, 1.0f, 2.0f};
static const float values[3 * 12];

static VkskinTrack someTrack(void) {
    return (VkskinTrack){
        .node = 2, .channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 3, .times = times, .values = values};
}

static VkskinClipDef clipDef(const VkskinTrack *tracks, uint32_t count, LogMemory *log) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = NODES;
    def.trackCount = count;
    def.tracks = tracks;
    def.logger = rememberingLogger(log);
    return def;
}

static void refuseClip(const VkskinClipDef *def, LogMemory *log, VkskinResult result, const char *message) {
    VkskinClip clip = (VkskinClip)(uintptr_t)8;
    assert_int_equal(vkskinCreateClip(def, &clip), result);
    assert_null(clip);
    assertLogged(log, result, message);
}

static void clipDefMustBeMade(void **state) {
    (void)state;
    VkskinClip clip = (VkskinClip)(uintptr_t)8;
    VkskinClipDef def;
    memset(&def, 0, sizeof def);
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    assert_null(clip);
    assert_int_equal(vkskinCreateClip(NULL, &clip), VKSKIN_ERROR_NULL_ARGUMENT);
    def.cookie = vkskinDefaultSkeletonDef().cookie; /* a def of another type */
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    LogMemory log;
    def = clipDef(NULL, 0, &log);
    assert_int_equal(vkskinCreateClip(&def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&log, VKSKIN_ERROR_NULL_ARGUMENT, "clip: the place for the handle is null");
}

static void clipArguments(void **state) {
    (void)state;
    LogMemory log;
    VkskinClipDef def = clipDef(NULL, 0, &log);
    def.duration = NAN;
    refuseClip(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "clip: duration is not finite");
    def = clipDef(NULL, 0, &log);
    def.nodeCount = 0;
    refuseClip(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "clip: nodeCount is 0");
    def = clipDef(NULL, 4, &log);
    refuseClip(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "clip: tracks is null, trackCount is 4");
    AllocatorState memory = {0};
    VkskinHostAllocator half = countingAllocator(&memory);
    half.allocate = NULL;
    def = clipDef(NULL, 0, &log);
    def.allocator = &half;
    refuseClip(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "clip: the host allocator lacks a function");
}

static void clipTracks(void **state) {
    (void)state;
    LogMemory log;
    VkskinTrack tracks[2] = {someTrack(), someTrack()};
    const VkskinClipDef def = clipDef(tracks, 2, &log);
    tracks[1].node = 3;
    refuseClip(&def, &log, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "clip: track 1 moves node 3 of 3");
    tracks[1] = someTrack();
    tracks[1].channel = (VkskinChannel)4;
    refuseClip(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "clip: track 1 (node 2) has the unknown channel 4");
    tracks[1] = someTrack();
    tracks[1].interpolation = (VkskinInterpolation)-1;
    refuseClip(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "clip: track 1 (node 2) has the unknown interpolation -1");
    tracks[1] = someTrack();
    tracks[1].keyCount = 0;
    refuseClip(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "clip: track 1 (node 2) has no keys");
    tracks[1] = someTrack();
    tracks[1].times = NULL;
    refuseClip(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "clip: times of track 1 (node 2) is null");
    tracks[1] = someTrack();
    tracks[1].values = NULL;
    refuseClip(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "clip: values of track 1 (node 2) is null");
}

static void clipKeys(void **state) {
    (void)state;
    LogMemory log;
    VkskinTrack track = someTrack();
    const VkskinClipDef def = clipDef(&track, 1, &log);
    const float notFinite[] = {0.0f, NAN, 2.0f};
    track.times = notFinite;
    refuseClip(&def, &log, VKSKIN_ERROR_KEY_TIMES, "clip: the time of key 1 of track 0 (node 2) is not finite");
    const float falling[] = {0.0f, 1.5f, 1.25f};
    track.times = falling;
    refuseClip(&def, &log, VKSKIN_ERROR_KEY_TIMES,
               "clip: key 2 of track 0 (node 2) at 1.25 s comes after one at 1.5 s");
    track = someTrack();
    float bad[3 * 12] = {0};
    track.values = bad;
    bad[8] = NAN; /* the last float of the last key */
    refuseClip(&def, &log, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
               "clip: the value of key 2 of track 0 (node 2) is not finite");
    bad[8] = 0.0f;
    bad[35] = INFINITY;
    track.channel = VKSKIN_CHANNEL_ROTATION;
    track.interpolation = VKSKIN_INTERPOLATION_CUBIC;
    refuseClip(&def, &log, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
               "clip: the value of key 2 of track 0 (node 2) is not finite");
}

static void clipDurations(void **state) {
    (void)state;
    LogMemory log;
    const VkskinTrack track = someTrack();
    VkskinClip clip = NULL;
    VkskinClipDef def = clipDef(&track, 1, &log);
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    assert_float_equal(vkskinGetClipDuration(clip), 2.0f, 0.0f);
    assert_int_equal(vkskinGetClipNodeCount(clip), NODES);
    vkskinDestroyClip(clip);
    def.duration = 5.0f;
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    assert_float_equal(vkskinGetClipDuration(clip), 5.0f, 0.0f);
    vkskinDestroyClip(clip);
    def = clipDef(NULL, 0, &log); /* no tracks: a clip of no length that moves nothing */
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    assert_float_equal(vkskinGetClipDuration(clip), 0.0f, 0.0f);
    vkskinDestroyClip(clip);
}

static void clipMemory(void **state) {
    (void)state;
    LogMemory log;
    AllocatorState memory = {0};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    const VkskinTrack tracks[2] = {someTrack(), someTrack()};
    VkskinClipDef def = clipDef(tracks, 2, &log);
    def.allocator = &allocator;
    VkskinClip clip = NULL;
    for (memory.failAt = 1; vkskinCreateClip(&def, &clip) != VKSKIN_SUCCESS; ++memory.failAt) {
        assertLogged(&log, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "clip: no host memory for the keys of 2 tracks");
        assert_null(clip);
        assert_int_equal(memory.alive, 0);
        assert_true(memory.failAt < 10);
        memory.made = 0;
    }
    assert_int_equal(memory.failAt, 4);
    vkskinDestroyClip(clip);
    assert_int_equal(memory.alive, 0);
}

/* ---- Skins ---- */

static VkskinSkinDef skinDef(const uint32_t *boneNodes, uint32_t count, LogMemory *log) {
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = NODES;
    def.boneCount = count;
    def.boneNodes = boneNodes;
    def.logger = rememberingLogger(log);
    return def;
}

static void refuseSkin(const VkskinSkinDef *def, LogMemory *log, VkskinResult result, const char *message) {
    VkskinSkin skin = (VkskinSkin)(uintptr_t)8;
    assert_int_equal(vkskinCreateSkin(def, &skin), result);
    assert_null(skin);
    assertLogged(log, result, message);
}

static void skinDefMustBeMade(void **state) {
    (void)state;
    VkskinSkin skin = (VkskinSkin)(uintptr_t)8;
    VkskinSkinDef def;
    memset(&def, 0xa5, sizeof def);
    assert_int_equal(vkskinCreateSkin(&def, &skin), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    assert_null(skin);
    assert_int_equal(vkskinCreateSkin(NULL, &skin), VKSKIN_ERROR_NULL_ARGUMENT);
    LogMemory log;
    const uint32_t bone = 0;
    def = skinDef(&bone, 1, &log);
    assert_int_equal(vkskinCreateSkin(&def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&log, VKSKIN_ERROR_NULL_ARGUMENT, "skin: the place for the handle is null");
}

static void skinArguments(void **state) {
    (void)state;
    LogMemory log;
    const uint32_t bones[2] = {2, 2};
    VkskinSkinDef def = skinDef(bones, 0, &log);
    refuseSkin(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "skin: boneCount is 0, not 1 to 1048576");
    def.boneCount = 1048577;
    refuseSkin(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "skin: boneCount is 1048577, not 1 to 1048576");
    def = skinDef(bones, 2, &log);
    def.nodeCount = 0;
    refuseSkin(&def, &log, VKSKIN_ERROR_INVALID_VALUE, "skin: nodeCount is 0");
    def = skinDef(NULL, 2, &log);
    refuseSkin(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "skin: boneNodes is null");
    AllocatorState memory = {0};
    VkskinHostAllocator half = countingAllocator(&memory);
    half.free = NULL;
    def = skinDef(bones, 2, &log);
    def.allocator = &half;
    refuseSkin(&def, &log, VKSKIN_ERROR_NULL_ARGUMENT, "skin: the host allocator lacks a function");
}

static void skinBonesAndMatrices(void **state) {
    (void)state;
    LogMemory log;
    const uint32_t bones[2] = {2, 3};
    VkskinSkinDef def = skinDef(bones, 2, &log);
    refuseSkin(&def, &log, VKSKIN_ERROR_NODE_OUT_OF_RANGE, "skin: bone 1 is node 3 of 3");
    def.boneCount = 1;
    def.inverseBinds = matrices;
    matrices[0].m[1][1] = NAN;
    refuseSkin(&def, &log, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "skin: the inverse bind matrix of bone 0 is not finite");
    def = skinDef(bones, 1, &log);
    def.meshToModel.m[0][3] = INFINITY;
    refuseSkin(&def, &log, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "skin: meshToModel is not finite");
    def = skinDef(bones, 1, &log);
    def.meshToModel.m[1][1] = 0.0f;
    refuseSkin(&def, &log, VKSKIN_ERROR_SINGULAR_MATRIX, "skin: meshToModel cannot be inverted");
}

static void skinMemory(void **state) {
    (void)state;
    LogMemory log;
    AllocatorState memory = {0};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    const uint32_t bones[3] = {2, 1, 2};
    VkskinSkinDef def = skinDef(bones, 3, &log);
    def.inverseBinds = matrices;
    def.allocator = &allocator;
    VkskinSkin skin = NULL;
    for (memory.failAt = 1; vkskinCreateSkin(&def, &skin) != VKSKIN_SUCCESS; ++memory.failAt) {
        assertLogged(&log, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "skin: no host memory for 3 bones");
        assert_null(skin);
        assert_int_equal(memory.alive, 0);
        assert_true(memory.failAt < 10);
        memory.made = 0;
    }
    assert_int_equal(memory.failAt, 4);
    assert_int_equal(vkskinGetSkinBoneCount(skin), 3);
    assert_int_equal(vkskinGetSkinNodeCount(skin), NODES);
    vkskinDestroySkin(skin);
    assert_int_equal(memory.alive, 0);
}

static void nullObjects(void **state) {
    (void)state;
    vkskinDestroySkeleton(NULL);
    vkskinDestroyClip(NULL);
    vkskinDestroySkin(NULL);
    assert_int_equal(vkskinGetSkeletonNodeCount(NULL), 0);
    assert_int_equal(vkskinGetSkinBoneCount(NULL), 0);
    assert_int_equal(vkskinGetSkinNodeCount(NULL), 0);
    assert_int_equal(vkskinGetClipNodeCount(NULL), 0);
    assert_float_equal(vkskinGetClipDuration(NULL), 0.0f, 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(skeletonDefMustBeMade, setUp),
        cmocka_unit_test_setup(skeletonArguments, setUp),
        cmocka_unit_test_setup(skeletonHierarchy, setUp),
        cmocka_unit_test_setup(skeletonTransforms, setUp),
        cmocka_unit_test_setup(skeletonMemory, setUp),
        cmocka_unit_test_setup(clipDefMustBeMade, setUp),
        cmocka_unit_test_setup(clipArguments, setUp),
        cmocka_unit_test_setup(clipTracks, setUp),
        cmocka_unit_test_setup(clipKeys, setUp),
        cmocka_unit_test_setup(clipDurations, setUp),
        cmocka_unit_test_setup(clipMemory, setUp),
        cmocka_unit_test_setup(skinDefMustBeMade, setUp),
        cmocka_unit_test_setup(skinArguments, setUp),
        cmocka_unit_test_setup(skinBonesAndMatrices, setUp),
        cmocka_unit_test_setup(skinMemory, setUp),
        cmocka_unit_test_setup(nullObjects, setUp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
