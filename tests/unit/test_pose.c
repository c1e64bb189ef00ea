/* Sampling, blending and composing, against values worked by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host_doubles.h"
#include "vkskin/vkskin_pose.h"

#define HALF  0.70710678f
#define CLOSE 1e-6f
#define PI    3.14159265358979323846

static LogMemory logMemory;
static VkskinSkeleton skeleton; /* one node at (1, 2, 3) */

static VkskinSkeleton makeSkeleton(uint32_t count, const int32_t *parents, const VkskinTransform *rest,
                                   const VkskinAffine *preTransforms) {
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = count;
    def.parents = parents;
    def.restPose = rest;
    def.preTransforms = preTransforms;
    def.logger = rememberingLogger(&logMemory);
    VkskinSkeleton made = NULL;
    assert_int_equal(vkskinCreateSkeleton(&def, &made), VKSKIN_SUCCESS);
    return made;
}

static int setUp(void **state) {
    (void)state;
    const int32_t parents[] = {-1};
    const VkskinTransform rest[] = {{{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}}};
    skeleton = makeSkeleton(1, parents, rest, NULL);
    return 0;
}

static int tearDown(void **state) {
    (void)state;
    vkskinDestroySkeleton(skeleton);
    return 0;
}

static VkskinClip makeClip(const VkskinTrack *tracks, uint32_t count, float duration) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = 1;
    def.trackCount = count;
    def.tracks = tracks;
    def.duration = duration;
    VkskinClip clip = NULL;
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    return clip;
}

static VkskinTransform sample(VkskinClip clip, double time, VkskinWrap wrap) {
    VkskinTransform pose;
    memset(&pose, 0xff, sizeof pose);
    assert_int_equal(vkskinSampleClip(skeleton, clip, time, wrap, &pose), VKSKIN_SUCCESS);
    return pose;
}

static void assertFloats(const float *actual, const float *expected, int count, float tolerance) {
    for (int i = 0; i < count; ++i) {
        assert_float_equal(actual[i], expected[i], tolerance);
    }
}

static void assertVector(const float *actual, float x, float y, float z) {
    assertFloats(actual, (const float[]){x, y, z}, 3, CLOSE);
}

/* Equal as rotations: q and -q are the same. */
static void assertRotation(const float *actual, float x, float y, float z, float w) {
    const double dot = (double)actual[0] * x + (double)actual[1] * y + (double)actual[2] * z + (double)actual[3] * w;
    const float sign = dot < 0.0 ? -1.0f : 1.0f;
    assertFloats(actual, (const float[]){sign * x, sign * y, sign * z, sign * w}, 4, CLOSE);
}

static const float moveTimes[] = {1.0f, 2.0f, 4.0f};
static const float moveValues[] = {0, 0, 0, 10, 20, 30, 20, 0, -10};

static VkskinTrack moveTrack(VkskinInterpolation interpolation) {
    return (VkskinTrack){.channel = VKSKIN_CHANNEL_TRANSLATION,
                         .interpolation = interpolation,
                         .keyCount = 3,
                         .times = moveTimes,
                         .values = moveValues};
}

static void withoutAClipIsTheRestPose(void **state) {
    (void)state;
    const VkskinTransform pose = sample(NULL, 3.0, VKSKIN_WRAP_LOOP);
    const VkskinTransform rest = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
    assert_memory_equal(&pose, &rest, sizeof rest);
}

static void channelsWithoutATrackKeepTheRest(void **state) {
    (void)state;
    const float times[] = {0.0f};
    const float values[] = {2, 3, 4};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_SCALE, .keyCount = 1, .times = times, .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    const VkskinTransform pose = sample(clip, 0.0, VKSKIN_WRAP_CLAMP);
    const VkskinTransform expected = {{1, 2, 3}, {0, 0, 0, 1}, {2, 3, 4}};
    assert_memory_equal(&pose, &expected, sizeof expected);
    vkskinDestroyClip(clip);
}

static void linear(void **state) {
    (void)state;
    const VkskinTrack track = moveTrack(VKSKIN_INTERPOLATION_LINEAR);
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    assertVector(sample(clip, 0.5, VKSKIN_WRAP_CLAMP).translation, 0, 0, 0); /* before the first key */
    assertVector(sample(clip, 1.0, VKSKIN_WRAP_CLAMP).translation, 0, 0, 0);
    assertVector(sample(clip, 1.25, VKSKIN_WRAP_CLAMP).translation, 2.5f, 5, 7.5f);
    assertVector(sample(clip, 2.0, VKSKIN_WRAP_CLAMP).translation, 10, 20, 30);
    assertVector(sample(clip, 3.5, VKSKIN_WRAP_CLAMP).translation, 17.5f, 5, 0);
    assertVector(sample(clip, 4.0, VKSKIN_WRAP_CLAMP).translation, 20, 0, -10);
    vkskinDestroyClip(clip);
}

static void step(void **state) {
    (void)state;
    const VkskinTrack track = moveTrack(VKSKIN_INTERPOLATION_STEP);
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    assertVector(sample(clip, 1.999, VKSKIN_WRAP_CLAMP).translation, 0, 0, 0);
    assertVector(sample(clip, 2.0, VKSKIN_WRAP_CLAMP).translation, 10, 20, 30);
    assertVector(sample(clip, 3.999, VKSKIN_WRAP_CLAMP).translation, 10, 20, 30);
    assertVector(sample(clip, 4.0, VKSKIN_WRAP_CLAMP).translation, 20, 0, -10);
    vkskinDestroyClip(clip);
}

static void cubicOfMoves(void **state) {
    (void)state;
    /* Two seconds apart; at the quarter the basis is 0.84375, 0.140625 x 2, 0.15625, -0.046875 x 2. */
    const float times[] = {1.0f, 3.0f};
    const float values[] = {9, 9, 9,  0,  1, 2, 4, 0, 1, /* the first in-tangent is not used */
                            8, 0, -1, 16, 1, 2, 9, 9, 9};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION,
                               .interpolation = VKSKIN_INTERPOLATION_CUBIC,
                               .keyCount = 2,
                               .times = times,
                               .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    assertVector(sample(clip, 0.0, VKSKIN_WRAP_CLAMP).translation, 0, 1, 2);
    assertVector(sample(clip, 1.5, VKSKIN_WRAP_CLAMP).translation, 2.875f, 1, 2.375f);
    assertVector(sample(clip, 3.0, VKSKIN_WRAP_CLAMP).translation, 16, 1, 2);
    vkskinDestroyClip(clip);
}

static void cubicOfRotationsIsNormalised(void **state) {
    (void)state;
    /* Tangents of zero: at half time the mean of a half turn about x and none, which has length 1 / sqrt 2. */
    const float times[] = {0.0f, 2.0f};
    const float values[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_ROTATION,
                               .interpolation = VKSKIN_INTERPOLATION_CUBIC,
                               .keyCount = 2,
                               .times = times,
                               .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    assertRotation(sample(clip, 1.0, VKSKIN_WRAP_CLAMP).rotation, HALF, 0, 0, HALF);
    vkskinDestroyClip(clip);
}

static VkskinTransform sampleRotations(const float *values, double time) {
    const float times[] = {0.0f, 1.0f};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_ROTATION, .keyCount = 2, .times = times, .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    const VkskinTransform pose = sample(clip, time, VKSKIN_WRAP_CLAMP);
    vkskinDestroyClip(clip);
    return pose;
}

static void slerpHasConstantSpeed(void **state) {
    (void)state;
    const float values[] = {0, 0, 0, 1, 0, 0, (float)sin(PI / 3), (float)cos(PI / 3)}; /* 120 degrees about z */
    const VkskinTransform pose = sampleRotations(values, 0.25);
    assertRotation(pose.rotation, 0, 0, (float)sin(PI / 12), (float)cos(PI / 12));
}

static void slerpTakesTheShorterWay(void **state) {
    (void)state;
    /* The same 120 degrees with the sign turned: the long way would be 60 degrees the other way round. */
    const float values[] = {0, 0, 0, 1, 0, 0, (float)-sin(PI / 3), (float)-cos(PI / 3)};
    const VkskinTransform pose = sampleRotations(values, 0.25);
    assertRotation(pose.rotation, 0, 0, (float)sin(PI / 12), (float)cos(PI / 12));
}

static void slerpOfNearNeighbours(void **state) {
    (void)state;
    /* Too near for a dot product in float: it rounds to one. Signs alike and opposite. */
    for (int sign = -1; sign <= 1; sign += 2) {
        const float values[] = {0, 0, 0, 1, 0, 0, (float)sign * 1e-4f, (float)sign};
        const VkskinTransform pose = sampleRotations(values, 0.5);
        assert_float_equal(fabsf(pose.rotation[2]), 5e-5f, 1e-10f);
        assert_float_equal(fabsf(pose.rotation[3]), 1.0f, 1e-7f);
    }
}

static void slerpOfAHalfTurn(void **state) {
    (void)state;
    const float values[] = {0, 0, 0, 1, 0, 1, 0, 0};
    const VkskinTransform pose = sampleRotations(values, 0.5);
    assert_float_equal(fabsf(pose.rotation[1]), HALF, CLOSE);
    assert_float_equal(fabsf(pose.rotation[3]), HALF, CLOSE);
}

static void rotationKeysAreNormalised(void **state) {
    (void)state;
    const float values[] = {0, 0, 0, 5, 0, 0, 0.01f, 0.01f};
    assertRotation(sampleRotations(values, 1.0).rotation, 0, 0, HALF, HALF);
    assertRotation(sampleRotations(values, 0.5).rotation, 0, 0, (float)sin(PI / 8), (float)cos(PI / 8));
    const float zero[] = {0, 0, 0, 0, 0, 0, HALF, HALF};
    assertRotation(sampleRotations(zero, 0.0).rotation, 0, 0, 0, 1);
}

static void ofEqualTimesTheLaterWins(void **state) {
    (void)state;
    const float times[] = {0.0f, 1.0f, 1.0f, 1.0f, 2.0f};
    const float values[] = {0, 0, 0, 4, 0, 0, 5, 0, 0, 8, 0, 0, 10, 0, 0};
    VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 5, .times = times, .values = values};
    for (int i = 0; i < 2; ++i) {
        track.interpolation = i == 0 ? VKSKIN_INTERPOLATION_LINEAR : VKSKIN_INTERPOLATION_STEP;
        VkskinClip clip = makeClip(&track, 1, -1.0f);
        assertVector(sample(clip, 0.5, VKSKIN_WRAP_CLAMP).translation, i == 0 ? 2.0f : 0.0f, 0, 0);
        assertVector(sample(clip, 1.0, VKSKIN_WRAP_CLAMP).translation, 8, 0, 0);
        assertVector(sample(clip, 1.5, VKSKIN_WRAP_CLAMP).translation, i == 0 ? 9.0f : 8.0f, 0, 0);
        vkskinDestroyClip(clip);
    }
}

static void ofSeveralTracksTheLastCounts(void **state) {
    (void)state;
    const float times[] = {0.0f};
    const float first[] = {7, 7, 7};
    const float second[] = {8, 8, 8};
    const VkskinTrack tracks[] = {
        {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 1, .times = times, .values = first},
        {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 1, .times = times, .values = second},
    };
    VkskinClip clip = makeClip(tracks, 2, -1.0f);
    assertVector(sample(clip, 0.0, VKSKIN_WRAP_CLAMP).translation, 8, 8, 8);
    vkskinDestroyClip(clip);
}

static void clampHoldsTheEnds(void **state) {
    (void)state;
    const VkskinTrack track = moveTrack(VKSKIN_INTERPOLATION_LINEAR);
    VkskinClip clip = makeClip(&track, 1, 3.0f); /* ends between two keys */
    assertVector(sample(clip, -100.0, VKSKIN_WRAP_CLAMP).translation, 0, 0, 0);
    assertVector(sample(clip, 3.0, VKSKIN_WRAP_CLAMP).translation, 15, 10, 10);
    assertVector(sample(clip, 100.0, VKSKIN_WRAP_CLAMP).translation, 15, 10, 10);
    vkskinDestroyClip(clip);
}

static void loopTakesTheTimeModuloTheDuration(void **state) {
    (void)state;
    const VkskinTrack track = moveTrack(VKSKIN_INTERPOLATION_LINEAR);
    VkskinClip clip = makeClip(&track, 1, 4.0f);
    assertVector(sample(clip, 9.25, VKSKIN_WRAP_LOOP).translation, 2.5f, 5, 7.5f);
    assertVector(sample(clip, 4.0e6 + 1.25, VKSKIN_WRAP_LOOP).translation, 2.5f, 5, 7.5f);
    assertVector(sample(clip, 4.0, VKSKIN_WRAP_LOOP).translation, 0, 0, 0);
    assertVector(sample(clip, -0.5, VKSKIN_WRAP_LOOP).translation, 17.5f, 5, 0);
    assertVector(sample(clip, -4.0, VKSKIN_WRAP_LOOP).translation, 0, 0, 0);
    vkskinDestroyClip(clip);
}

static void loopLongerThanItsKeysHoldsTheLast(void **state) {
    (void)state;
    const VkskinTrack track = moveTrack(VKSKIN_INTERPOLATION_LINEAR);
    VkskinClip clip = makeClip(&track, 1, 8.0f);
    assertVector(sample(clip, 15.0, VKSKIN_WRAP_LOOP).translation, 20, 0, -10);
    vkskinDestroyClip(clip);
}

static void ofNoLengthIsItsFirstKeys(void **state) {
    (void)state;
    const float times[] = {-1.0f, 5.0f};
    const float values[] = {4, 5, 6, 40, 50, 60};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 2, .times = times, .values = values};
    VkskinClip clip = makeClip(&track, 1, 0.0f);
    const double moments[] = {-3.0, 0.0, 7.0};
    for (int i = 0; i < 3; ++i) {
        assertVector(sample(clip, moments[i], VKSKIN_WRAP_CLAMP).translation, 4, 5, 6);
        assertVector(sample(clip, moments[i], VKSKIN_WRAP_LOOP).translation, 4, 5, 6);
    }
    vkskinDestroyClip(clip);
}

static void keysAreCopied(void **state) {
    (void)state;
    float times[] = {0.0f, 1.0f};
    float values[] = {1, 1, 1, 2, 2, 2};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_SCALE, .keyCount = 2, .times = times, .values = values};
    VkskinClip clip = makeClip(&track, 1, -1.0f);
    memset(times, 0xff, sizeof times);
    memset(values, 0xff, sizeof values);
    assertVector(sample(clip, 0.5, VKSKIN_WRAP_CLAMP).scale, 1.5f, 1.5f, 1.5f);
    vkskinDestroyClip(clip);
}

static void refuseSample(VkskinClip clip, double time, VkskinWrap wrap, const char *message) {
    VkskinTransform pose = {{9, 9, 9}, {9, 9, 9, 9}, {9, 9, 9}};
    const VkskinTransform before = pose;
    assert_int_equal(vkskinSampleClip(skeleton, clip, time, wrap, &pose), VKSKIN_ERROR_INVALID_VALUE);
    assert_memory_equal(&pose, &before, sizeof pose);
    assertLogged(&logMemory, VKSKIN_ERROR_INVALID_VALUE, message);
}

static void sampleErrors(void **state) {
    (void)state;
    VkskinTransform pose;
    assert_int_equal(vkskinSampleClip(NULL, NULL, 0.0, VKSKIN_WRAP_CLAMP, &pose), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinSampleClip(skeleton, NULL, 0.0, VKSKIN_WRAP_CLAMP, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "sample: pose is null");
    refuseSample(NULL, NAN, VKSKIN_WRAP_CLAMP, "sample: the time is not finite");
    refuseSample(NULL, INFINITY, VKSKIN_WRAP_LOOP, "sample: the time is not finite");
    refuseSample(NULL, 0.0, (VkskinWrap)2, "sample: the wrap 2 is unknown");
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = 2;
    VkskinClip clip = NULL;
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    refuseSample(clip, 0.0, VKSKIN_WRAP_CLAMP, "sample: the clip is for a skeleton of 2 nodes, this one has 1");
    vkskinDestroyClip(clip);
}

static const VkskinTransform blendA = {{0, 10, 0}, {0, 0, 0, 1}, {1, 1, 1}};
static const VkskinTransform blendB = {{10, 20, -4}, {0, 0, -HALF, -HALF}, {3, 1, -1}};

static void blendMixesEachPart(void **state) {
    (void)state;
    VkskinTransform out;
    assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, 0.25f, &out), VKSKIN_SUCCESS);
    assertVector(out.translation, 2.5f, 12.5f, -1);
    assertVector(out.scale, 1.5f, 1, 0.5f);
    assertRotation(out.rotation, 0, 0, (float)sin(PI / 16), (float)cos(PI / 16)); /* a quarter of 90 degrees */
}

static void blendReachesItsEnds(void **state) {
    (void)state;
    VkskinTransform out;
    assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, 0.0f, &out), VKSKIN_SUCCESS);
    assert_memory_equal(out.translation, blendA.translation, sizeof out.translation);
    assertRotation(out.rotation, 0, 0, 0, 1);
    assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, 1.0f, &out), VKSKIN_SUCCESS);
    assert_memory_equal(out.translation, blendB.translation, sizeof out.translation);
    assert_memory_equal(out.scale, blendB.scale, sizeof out.scale);
    assertRotation(out.rotation, 0, 0, HALF, HALF);
}

static void blendMayWriteOverItsInput(void **state) {
    (void)state;
    VkskinTransform expected[2];
    const VkskinTransform a[2] = {blendA, blendB};
    const VkskinTransform b[2] = {blendB, blendA};
    assert_int_equal(vkskinBlendPoses(2, a, b, 0.3f, expected), VKSKIN_SUCCESS);
    VkskinTransform over[2] = {blendA, blendB};
    assert_int_equal(vkskinBlendPoses(2, over, b, 0.3f, over), VKSKIN_SUCCESS);
    assert_memory_equal(over, expected, sizeof over);
    memcpy(over, b, sizeof over);
    assert_int_equal(vkskinBlendPoses(2, a, over, 0.3f, over), VKSKIN_SUCCESS);
    assert_memory_equal(over, expected, sizeof over);
}

static void blendErrors(void **state) {
    (void)state;
    VkskinTransform out;
    assert_int_equal(vkskinBlendPoses(1, NULL, &blendB, 0.5f, &out), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinBlendPoses(1, &blendA, NULL, 0.5f, &out), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, 0.5f, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    const float weights[] = {-0.01f, 1.01f, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(vkskinBlendPoses(1, &blendA, &blendB, weights[i], &out), VKSKIN_ERROR_INVALID_VALUE);
    }
}

static void assertWorld(const VkskinAffine *world, const float expected[3][4]) {
    assertFloats(world->m[0], expected[0], 12, 1e-5f);
}

static void composeGoesDownTheHierarchy(void **state) {
    (void)state;
    /* A quarter turn about z at (10, 0, 0); a child one along x with unequal, partly negative scale; its child two
     * along its own x; a second root. */
    const int32_t parents[] = {-1, 0, 1, -1};
    const VkskinTransform pose[] = {
        {{10, 0, 0}, {0, 0, HALF, HALF}, {1, 1, 1}},
        {{1, 0, 0}, {0, 0, 0, 1}, {2, -3, 4}},
        {{2, 1, 1}, {0, 0, 0, 1}, {1, 1, 1}},
        {{7, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
    };
    VkskinSkeleton tree = makeSkeleton(4, parents, pose, NULL);
    VkskinAffine world[4];
    assert_int_equal(vkskinComposePose(tree, pose, world), VKSKIN_SUCCESS);
    assertWorld(&world[0], (const float[3][4]){{0, -1, 0, 10}, {1, 0, 0, 0}, {0, 0, 1, 0}});
    assertWorld(&world[1], (const float[3][4]){{0, 3, 0, 10}, {2, 0, 0, 1}, {0, 0, 4, 0}});
    assertWorld(&world[2], (const float[3][4]){{0, 3, 0, 13}, {2, 0, 0, 5}, {0, 0, 4, 4}});
    assertWorld(&world[3], (const float[3][4]){{1, 0, 0, 7}, {0, 1, 0, 0}, {0, 0, 1, 0}});
    vkskinDestroySkeleton(tree);
}

static void preTransformStandsBeforeTheLocal(void **state) {
    (void)state;
    const int32_t parents[] = {-1, 0};
    const VkskinTransform pose[] = {{{5, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 1, 0}, {0, 0, 0, 1}, {2, 2, 2}}};
    const VkskinAffine pre[] = {
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 100}}},
        {{{1, 0.5f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, /* a shear of x by y */
    };
    VkskinSkeleton sheared = makeSkeleton(2, parents, pose, pre);
    VkskinAffine world[2];
    assert_int_equal(vkskinComposePose(sheared, pose, world), VKSKIN_SUCCESS);
    assertWorld(&world[0], (const float[3][4]){{1, 0, 0, 5}, {0, 1, 0, 0}, {0, 0, 1, 100}});
    assertWorld(&world[1], (const float[3][4]){{2, 1, 0, 5.5f}, {0, 2, 0, 1}, {0, 0, 2, 100}});
    vkskinDestroySkeleton(sheared);
}

static void composeErrors(void **state) {
    (void)state;
    VkskinTransform pose = vkskinIdentityTransform();
    VkskinAffine world;
    assert_int_equal(vkskinComposePose(NULL, &pose, &world), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinComposePose(skeleton, NULL, &world), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "compose: pose is null");
    assert_int_equal(vkskinComposePose(skeleton, &pose, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "compose: world is null");
    pose.translation[1] = NAN; /* no error here: writing the palette refuses it */
    assert_int_equal(vkskinComposePose(skeleton, &pose, &world), VKSKIN_SUCCESS);
    assert_true(isnan(world.m[1][3]));
}

#define POSE_TEST(name) cmocka_unit_test_setup_teardown(name, setUp, tearDown)

int main(void) {
    const struct CMUnitTest tests[] = {
        POSE_TEST(withoutAClipIsTheRestPose),
        POSE_TEST(channelsWithoutATrackKeepTheRest),
        POSE_TEST(linear),
        POSE_TEST(step),
        POSE_TEST(cubicOfMoves),
        POSE_TEST(cubicOfRotationsIsNormalised),
        POSE_TEST(slerpHasConstantSpeed),
        POSE_TEST(slerpTakesTheShorterWay),
        POSE_TEST(slerpOfNearNeighbours),
        POSE_TEST(slerpOfAHalfTurn),
        POSE_TEST(rotationKeysAreNormalised),
        POSE_TEST(ofEqualTimesTheLaterWins),
        POSE_TEST(ofSeveralTracksTheLastCounts),
        POSE_TEST(clampHoldsTheEnds),
        POSE_TEST(loopTakesTheTimeModuloTheDuration),
        POSE_TEST(loopLongerThanItsKeysHoldsTheLast),
        POSE_TEST(ofNoLengthIsItsFirstKeys),
        POSE_TEST(keysAreCopied),
        POSE_TEST(sampleErrors),
        POSE_TEST(blendMixesEachPart),
        POSE_TEST(blendReachesItsEnds),
        POSE_TEST(blendMayWriteOverItsInput),
        POSE_TEST(blendErrors),
        POSE_TEST(composeGoesDownTheHierarchy),
        POSE_TEST(preTransformStandsBeforeTheLocal),
        POSE_TEST(composeErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
