/* Matrices, sampling, blending, composing and morph weights, against values calculated by hand. */
#include "pose_builders.h"

#define HALF  0.70710678f
#define CLOSE 1e-6f
#define PI    3.14159265358979323846

#define LINEAR VKSKIN_INTERPOLATION_LINEAR
#define STEP   VKSKIN_INTERPOLATION_STEP
#define CUBIC  VKSKIN_INTERPOLATION_CUBIC
#define CLAMP  VKSKIN_WRAP_CLAMP
#define LOOP   VKSKIN_WRAP_LOOP

static LogMemory logMemory;
static VkskinSkeleton skeleton; /* one node at (1, 2, 3) */

static VkskinSkeleton makeSkeleton(uint32_t count, const int32_t *parents, const VkskinTransform *rest,
                                   const VkskinAffine *preTransforms) {
    return ownSkeleton(count, parents, rest, preTransforms, rememberingLogger(&logMemory));
}

static int setUp(__attribute__((unused)) void **state) {
    const int32_t parents[] = {-1};
    const VkskinTransform rest[] = {{{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}}};
    skeleton = makeSkeleton(1, parents, rest, NULL);
    return 0;
}

#define POSE_TEST(name) TEST_WITH(name, setUp, endOwningTest)

/* A clip of one track of the skeleton's node. */
static VkskinClip clipOf(VkskinChannel channel, VkskinInterpolation interpolation, uint32_t keyCount,
                         const float *times, const float *values) {
    const VkskinTrack track = {
        .channel = channel, .interpolation = interpolation, .keyCount = keyCount, .times = times, .values = values};
    return ownClip(1, &track, 1, -1.0f);
}

static VkskinTransform sample(VkskinClip clip, double time, VkskinWrap wrap) {
    VkskinTransform pose;
    memset(&pose, 0xff, sizeof pose);
    OK(vkskinSampleClip(skeleton, clip, time, wrap, &pose));
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

/* ---- Matrices ---- */

POSE_TEST(transformsAreMatrices) {
    static const struct {
        VkskinTransform transform;
        float expected[3][4];
    } cases[] = {
        {{{0}, {0, 0, 0, 1}, {1, 1, 1}}, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        /* Scales, then rotates, then moves. A quarter turn about z takes x to y and y to -x. */
        {{{5, 6, 7}, {0, 0, HALF, HALF}, {2, -3, 4}}, {{0, 3, 0, 5}, {2, 0, 0, 6}, {0, 0, 4, 7}}},
        /* Rotations are normalised; a rotation of zero is none. */
        {{{0}, {0.5f, 0.5f, 0.5f, 0.5f}, {1, 1, 1}}, {{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}},
        {{{0}, {3, 3, 3, 3}, {1, 1, 1}}, {{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}},
        {{{0}, {0}, {1, 1, 1}}, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
    };
    const VkskinAffine identity = vkskinIdentityAffine();
    const VkskinTransform transform = vkskinIdentityTransform();
    assertRows(&identity, cases[0].expected, 0.0f);
    assert_memory_equal(&transform, &cases[0].transform, sizeof transform);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const VkskinAffine affine = vkskinAffineFromTransform(&cases[i].transform);
        assertRows(&affine, cases[i].expected, i == 1 ? 1e-6f : 1e-7f);
    }
}

POSE_TEST(productAppliesTheSecondFirst) {
    const VkskinAffine move = {{{1, 0, 0, 10}, {0, 1, 0, 20}, {0, 0, 1, 30}}};
    const VkskinAffine scale = {{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 4, 0}}};
    const VkskinAffine scaledFirst = vkskinMultiplyAffine(&move, &scale);
    const VkskinAffine movedFirst = vkskinMultiplyAffine(&scale, &move);
    const float expectedScaledFirst[3][4] = {{2, 0, 0, 10}, {0, 3, 0, 20}, {0, 0, 4, 30}};
    const float expectedMovedFirst[3][4] = {{2, 0, 0, 20}, {0, 3, 0, 60}, {0, 0, 4, 120}};
    assertRows(&scaledFirst, expectedScaledFirst, 0.0f);
    assertRows(&movedFirst, expectedMovedFirst, 0.0f);
}

POSE_TEST(inverseUndoes) {
    const VkskinAffine matrices[] = {
        {{{2, 1, 0, 5}, {0, -3, 1, 6}, {1, 0, 4, -7}}},
        {{{1e-12f, 0, 0, 1}, {0, 1e6f, 0, 2}, {0, 0, -1, 3}}}, /* far apart scales are no matter */
        {{{0, 0, 100, 1}, {100, 0, 0, 2}, {0, 100, 0, 3}}},
    };
    const VkskinAffine identity = vkskinIdentityAffine();
    for (size_t i = 0; i < COUNT_OF(matrices); ++i) {
        VkskinAffine inverse;
        OK(vkskinInvertAffine(&matrices[i], &inverse));
        const VkskinAffine product = vkskinMultiplyAffine(&inverse, &matrices[i]);
        assertRows(&product, identity.m, 1e-5f);
    }
}

POSE_TEST(inverseMayAlias) {
    VkskinAffine affine = {{{2, 0, 0, 4}, {0, 4, 0, 8}, {0, 0, 8, 16}}};
    const float expected[3][4] = {{0.5f, 0, 0, -2}, {0, 0.25f, 0, -2}, {0, 0, 0.125f, -2}};
    OK(vkskinInvertAffine(&affine, &affine));
    assertRows(&affine, expected, 0.0f);
}

POSE_TEST(singularLeavesTheResultAlone) {
    const VkskinAffine singular[] = {
        {{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}},
        {{{1, 2, 3, 0}, {4, 5, 6, 0}, {7, 8, 9, 0}}},
        {{{0.1f, 0.2f, 0.3f, 0}, {0.7f, 0.2f, 0.9f, 0}, {0.3f, 0.6f, 0.9f, 0}}}, /* but for the rounding of its sums */
        {{{NAN, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{INFINITY, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{1, 0, 0, NAN}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{1e-40f, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, /* inverse beyond float */
    };
    for (size_t i = 0; i < COUNT_OF(singular); ++i) {
        VkskinAffine inverse;
        VkskinAffine before;
        memset(&inverse, 0x5a, sizeof inverse);
        memcpy(&before, &inverse, sizeof before);
        RETURNS(VKSKIN_ERROR_SINGULAR_MATRIX, vkskinInvertAffine(&singular[i], &inverse));
        assert_memory_equal(&inverse, &before, sizeof inverse);
    }
}

POSE_TEST(nullsAreRefused) {
    VkskinAffine affine = vkskinIdentityAffine();
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinInvertAffine(NULL, &affine));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinInvertAffine(&affine, NULL));
}

/* ---- Sampling ---- */

POSE_TEST(withoutAClipIsTheRestPose) {
    const VkskinTransform pose = sample(NULL, 3.0, LOOP);
    const VkskinTransform rest = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
    assert_memory_equal(&pose, &rest, sizeof rest);
}

POSE_TEST(channelsWithoutATrackKeepTheRest) {
    const float times[] = {0.0f};
    const float values[] = {2, 3, 4};
    const VkskinTransform pose = sample(clipOf(VKSKIN_CHANNEL_SCALE, LINEAR, 1, times, values), 0.0, CLAMP);
    const VkskinTransform expected = {{1, 2, 3}, {0, 0, 0, 1}, {2, 3, 4}};
    assert_memory_equal(&pose, &expected, sizeof expected);
}

typedef struct Keys {
    uint32_t count;
    float times[5], values[24];
} Keys;

static const Keys moves = {3, {1, 2, 4}, {0, 0, 0, 10, 20, 30, 20, 0, -10}};
/* A clip of no length is its first keys. */
static const Keys early = {2, {-1, 5}, {4, 5, 6, 40, 50, 60}};
/* If times are equal, the later key wins. */
static const Keys equal = {5, {0, 1, 1, 1, 2}, {0, 0, 0, 4, 0, 0, 5, 0, 0, 8, 0, 0, 10, 0, 0}};
/* In-tangent, value and out-tangent; the first in-tangent is not used. Keys are two seconds apart: at the quarter the
 * basis is 0.84375, 0.140625 x 2, 0.15625, -0.046875 x 2. */
static const Keys cubic = {2, {1, 3}, {9, 9, 9, 0, 1, 2, 4, 0, 1, 8, 0, -1, 16, 1, 2, 9, 9, 9}};

static VkskinTrack trackOf(const Keys *keys, VkskinChannel channel, VkskinInterpolation interpolation) {
    return (VkskinTrack){.channel = channel,
                         .interpolation = interpolation,
                         .keyCount = keys->count,
                         .times = keys->times,
                         .values = keys->values};
}

/* A duration of -1 ends the clip at the last key. */
POSE_TEST(movesOverTime) {
    static const struct {
        const Keys *keys;
        VkskinInterpolation interpolation;
        VkskinWrap wrap;
        float duration;
        double time;
        float expected[3];
    } cases[] = {
        {&moves, LINEAR, CLAMP, -1, 0.5, {0, 0, 0}}, /* before the first key */
        {&moves, LINEAR, CLAMP, -1, 1.0, {0, 0, 0}},
        {&moves, LINEAR, CLAMP, -1, 1.25, {2.5f, 5, 7.5f}},
        {&moves, LINEAR, CLAMP, -1, 2.0, {10, 20, 30}},
        {&moves, LINEAR, CLAMP, -1, 3.5, {17.5f, 5, 0}},
        {&moves, LINEAR, CLAMP, -1, 4.0, {20, 0, -10}},
        {&moves, STEP, CLAMP, -1, 1.999, {0, 0, 0}},
        {&moves, STEP, CLAMP, -1, 2.0, {10, 20, 30}},
        {&moves, STEP, CLAMP, -1, 3.999, {10, 20, 30}},
        {&moves, STEP, CLAMP, -1, 4.0, {20, 0, -10}},
        {&moves, LINEAR, CLAMP, 3, -100.0, {0, 0, 0}}, /* ends between two keys */
        {&moves, LINEAR, CLAMP, 3, 3.0, {15, 10, 10}},
        {&moves, LINEAR, CLAMP, 3, 100.0, {15, 10, 10}},
        {&moves, LINEAR, LOOP, 4, 9.25, {2.5f, 5, 7.5f}},
        {&moves, LINEAR, LOOP, 4, 4000001.25, {2.5f, 5, 7.5f}},
        {&moves, LINEAR, LOOP, 4, 4.0, {0, 0, 0}},
        {&moves, LINEAR, LOOP, 4, -0.5, {17.5f, 5, 0}},
        {&moves, LINEAR, LOOP, 4, -4.0, {0, 0, 0}},
        {&moves, LINEAR, LOOP, 8, 15.0, {20, 0, -10}}, /* longer than its keys */
        {&cubic, CUBIC, CLAMP, -1, 0.0, {0, 1, 2}},
        {&cubic, CUBIC, CLAMP, -1, 1.5, {2.875f, 1, 2.375f}},
        {&cubic, CUBIC, CLAMP, -1, 3.0, {16, 1, 2}},
        {&equal, LINEAR, CLAMP, -1, 0.5, {2, 0, 0}},
        {&equal, LINEAR, CLAMP, -1, 1.0, {8, 0, 0}},
        {&equal, LINEAR, CLAMP, -1, 1.5, {9, 0, 0}},
        {&equal, STEP, CLAMP, -1, 0.5, {0, 0, 0}},
        {&equal, STEP, CLAMP, -1, 1.0, {8, 0, 0}},
        {&equal, STEP, CLAMP, -1, 1.5, {8, 0, 0}},
        {&early, LINEAR, CLAMP, 0, -3.0, {4, 5, 6}},
        {&early, LINEAR, CLAMP, 0, 0.0, {4, 5, 6}},
        {&early, LINEAR, CLAMP, 0, 7.0, {4, 5, 6}},
        {&early, LINEAR, LOOP, 0, -3.0, {4, 5, 6}},
        {&early, LINEAR, LOOP, 0, 0.0, {4, 5, 6}},
        {&early, LINEAR, LOOP, 0, 7.0, {4, 5, 6}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const VkskinTrack track = trackOf(cases[i].keys, VKSKIN_CHANNEL_TRANSLATION, cases[i].interpolation);
        VkskinClip clip = ownClip(1, &track, 1, cases[i].duration);
        assertFloats(sample(clip, cases[i].time, cases[i].wrap).translation, cases[i].expected, 3, CLOSE);
    }
}

/* Two keys at 0 and 1 second. q and -q are the same rotation. */
POSE_TEST(rotationsOverTime) {
    static const struct {
        VkskinInterpolation interpolation;
        float values[24];
        double time, x, z, w; /* expected; y is 0 */
        float tolerance;
    } cases[] = {
        /* A quarter of 120 degrees about z, whichever sign the second key has: constant speed on the shorter arc. */
        {LINEAR, {0, 0, 0, 1, 0, 0, 0.8660254f, 0.5f}, 0.25, 0, 0.25881905, 0.96592583, CLOSE},
        {LINEAR, {0, 0, 0, 1, 0, 0, -0.8660254f, -0.5f}, 0.25, 0, 0.25881905, 0.96592583, CLOSE},
        /* Too near for a dot product in float: it rounds to one. Signs alike and opposite. */
        {LINEAR, {0, 0, 0, 1, 0, 0, 1e-4f, 1}, 0.5, 0, 5e-5, 1, 1e-10f},
        {LINEAR, {0, 0, 0, 1, 0, 0, -1e-4f, -1}, 0.5, 0, 5e-5, 1, 1e-10f},
        /* Keys are normalised; a key of zero is no rotation. */
        {LINEAR, {0, 0, 0, 5, 0, 0, 0.01f, 0.01f}, 1.0, 0, HALF, HALF, CLOSE},
        {LINEAR, {0, 0, 0, 5, 0, 0, 0.01f, 0.01f}, 0.5, 0, 0.38268343, 0.92387953, CLOSE},
        {LINEAR, {0, 0, 0, 0, 0, 0, HALF, HALF}, 0.0, 0, 0, 1, CLOSE},
        /* Tangents of zero: at half time the mean of no turn and a half turn about x, which has length 1 / sqrt 2. */
        {CUBIC, {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 0.5, HALF, 0, HALF, CLOSE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const float times[] = {0.0f, 1.0f};
        VkskinClip clip = clipOf(VKSKIN_CHANNEL_ROTATION, cases[i].interpolation, 2, times, cases[i].values);
        const VkskinTransform pose = sample(clip, cases[i].time, CLAMP);
        assertRotation(pose.rotation, (float)cases[i].x, 0, (float)cases[i].z, (float)cases[i].w);
        assert_float_equal(fabsf(pose.rotation[2]), (float)cases[i].z, cases[i].tolerance);
    }
}

/* Either direction is correct. */
POSE_TEST(slerpOfAHalfTurn) {
    const float times[] = {0.0f, 1.0f};
    const float values[] = {0, 0, 0, 1, 0, 1, 0, 0};
    const VkskinTransform pose = sample(clipOf(VKSKIN_CHANNEL_ROTATION, LINEAR, 2, times, values), 0.5, CLAMP);
    assert_float_equal(fabsf(pose.rotation[1]), HALF, CLOSE);
    assert_float_equal(fabsf(pose.rotation[3]), HALF, CLOSE);
}

POSE_TEST(ofSeveralTracksTheLastCounts) {
    const float times[] = {0.0f};
    const float values[] = {7, 7, 7, 8, 8, 8};
    const VkskinTrack tracks[] = {
        {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 1, .times = times, .values = values},
        {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 1, .times = times, .values = values + 3},
    };
    assertVector(sample(ownClip(1, tracks, 2, -1.0f), 0.0, CLAMP).translation, 8, 8, 8);
}

POSE_TEST(keysAreCopied) {
    float times[] = {0.0f, 1.0f};
    float values[] = {1, 1, 1, 2, 2, 2};
    VkskinClip clip = clipOf(VKSKIN_CHANNEL_SCALE, LINEAR, 2, times, values);
    memset(times, 0xff, sizeof times);
    memset(values, 0xff, sizeof values);
    assertVector(sample(clip, 0.5, CLAMP).scale, 1.5f, 1.5f, 1.5f);
}

static void refuseSample(VkskinClip clip, double time, VkskinWrap wrap, const char *message) {
    VkskinTransform pose = {{9, 9, 9}, {9, 9, 9, 9}, {9, 9, 9}};
    const VkskinTransform before = pose;
    assertRefused(&logMemory, vkskinSampleClip(skeleton, clip, time, wrap, &pose), VKSKIN_ERROR_INVALID_VALUE, message);
    assert_memory_equal(&pose, &before, sizeof pose);
}

POSE_TEST(sampleErrors) {
    VkskinTransform pose;
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSampleClip(NULL, NULL, 0.0, CLAMP, &pose));
    assertRefused(&logMemory, vkskinSampleClip(skeleton, NULL, 0.0, CLAMP, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "sample: pose is null");
    refuseSample(NULL, NAN, CLAMP, "sample: the time is not finite");
    refuseSample(NULL, INFINITY, LOOP, "sample: the time is not finite");
    refuseSample(NULL, 0.0, (VkskinWrap)2, "sample: the wrap 2 is unknown");
    refuseSample(ownClip(2, NULL, 0, -1.0f), 0.0, CLAMP,
                 "sample: the clip is for a skeleton of 2 nodes, this one has 1");
}

POSE_TEST(composeGoesDownTheHierarchy) {
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
    OK(vkskinComposePose(tree, pose, world));
    assertRows(&world[0], (const float[3][4]){{0, -1, 0, 10}, {1, 0, 0, 0}, {0, 0, 1, 0}}, 1e-5f);
    assertRows(&world[1], (const float[3][4]){{0, 3, 0, 10}, {2, 0, 0, 1}, {0, 0, 4, 0}}, 1e-5f);
    assertRows(&world[2], (const float[3][4]){{0, 3, 0, 13}, {2, 0, 0, 5}, {0, 0, 4, 4}}, 1e-5f);
    assertRows(&world[3], (const float[3][4]){{1, 0, 0, 7}, {0, 1, 0, 0}, {0, 0, 1, 0}}, 1e-5f);
}

/* The same tree, numbered in another order, gives the same matrices under the new numbers. */
POSE_TEST(nodesMayBeInAnyOrder) {
    enum { COUNT = 6 };
    const int32_t parents[COUNT] = {-1, 0, 1, 1, -1, 2};
    const uint32_t numbers[COUNT] = {3, 5, 0, 4, 1, 2}; /* parents come after children: 5 after 0 and 4, 0 before 2 */
    VkskinTransform pose[COUNT], mixedPose[COUNT];
    VkskinAffine pre[COUNT], mixedPre[COUNT], world[COUNT], mixed[COUNT];
    int32_t mixedParents[COUNT];
    for (uint32_t node = 0; node < COUNT; node++) {
        pose[node] = (VkskinTransform){{randomFraction(), randomFraction(), randomFraction()},
                                       {randomFraction(), randomFraction(), randomFraction(), 1},
                                       {1, 1 + 0.1f * (float)node, 1}};
        pre[node] = vkskinIdentityAffine();
        pre[node].m[0][3] = randomFraction();
        mixedPose[numbers[node]] = pose[node];
        mixedPre[numbers[node]] = pre[node];
        mixedParents[numbers[node]] = parents[node] < 0 ? -1 : (int32_t)numbers[parents[node]];
    }
    OK(vkskinComposePose(makeSkeleton(COUNT, parents, pose, pre), pose, world));
    OK(vkskinComposePose(makeSkeleton(COUNT, mixedParents, mixedPose, mixedPre), mixedPose, mixed));
    for (uint32_t node = 0; node < COUNT; node++) {
        assert_memory_equal(&mixed[numbers[node]], &world[node], sizeof world[node]);
    }
}

POSE_TEST(hierarchiesAreSorted) {
    enum { COUNT = 6 };
    uint32_t order[COUNT], places[COUNT];
    const int32_t inOrder[COUNT] = {-1, 0, 0, -1, 2, 3};
    OK(vkskinSortHierarchy(inOrder, COUNT, order, places));
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(order[i] == i && places[i] == i);
    }
    const int32_t mixed[COUNT] = {2, -1, 5, 2, -1, 4};
    static const uint32_t expected[COUNT] = {4, 5, 2, 0, 1, 3};
    OK(vkskinSortHierarchy(mixed, COUNT, order, places));
    assert_memory_equal(order, expected, sizeof expected);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(places[order[i]], i);
    }
    const int32_t cycle[COUNT] = {-1, 0, 4, 2, 3, 2}, past[COUNT] = {6}, below[COUNT] = {-2};
    RETURNS(VKSKIN_ERROR_HIERARCHY_CYCLE, vkskinSortHierarchy(cycle, COUNT, order, places));
    RETURNS(VKSKIN_ERROR_NODE_OUT_OF_RANGE, vkskinSortHierarchy(past, COUNT, order, places));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinSortHierarchy(below, COUNT, order, places));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinSortHierarchy(mixed, 0, order, places));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinSortHierarchy(mixed, 1048577, order, places));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSortHierarchy(NULL, COUNT, order, places));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSortHierarchy(mixed, COUNT, NULL, places));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSortHierarchy(mixed, COUNT, order, NULL));
}

POSE_TEST(preTransformStandsBeforeTheLocal) {
    const int32_t parents[] = {-1, 0};
    const VkskinTransform pose[] = {{{5, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 1, 0}, {0, 0, 0, 1}, {2, 2, 2}}};
    const VkskinAffine pre[] = {
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 100}}},
        {{{1, 0.5f, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, /* shear of x by y */
    };
    VkskinSkeleton sheared = makeSkeleton(2, parents, pose, pre);
    VkskinAffine world[2];
    OK(vkskinComposePose(sheared, pose, world));
    assertRows(&world[0], (const float[3][4]){{1, 0, 0, 5}, {0, 1, 0, 0}, {0, 0, 1, 100}}, 1e-5f);
    assertRows(&world[1], (const float[3][4]){{2, 1, 0, 5.5f}, {0, 2, 0, 1}, {0, 0, 2, 100}}, 1e-5f);
}

POSE_TEST(composeErrors) {
    VkskinTransform pose = vkskinIdentityTransform();
    VkskinAffine world;
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinComposePose(NULL, &pose, &world));
    assertRefused(&logMemory, vkskinComposePose(skeleton, NULL, &world), VKSKIN_ERROR_NULL_ARGUMENT,
                  "compose: pose is null");
    assertRefused(&logMemory, vkskinComposePose(skeleton, &pose, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "compose: world is null");
    pose.translation[1] = NAN; /* no error here: writing the palette refuses it */
    OK(vkskinComposePose(skeleton, &pose, &world));
    assert_true(isnan(world.m[1][3]));
}

/* ---- Morph weights ---- */

#define NODES 3u
#define REST  7.0f /* what stands in the weights before */

static VkskinTrack morphTrack(VkskinInterpolation interpolation, uint32_t weightCount, const Keys *keys) {
    VkskinTrack track = trackOf(keys, VKSKIN_CHANNEL_MORPH_WEIGHTS, interpolation);
    track.node = 1;
    track.weightCount = weightCount;
    return track;
}

static VkskinClip morphClip(VkskinInterpolation interpolation, uint32_t weightCount, const Keys *keys) {
    const VkskinTrack track = morphTrack(interpolation, weightCount, keys);
    return ownClip(NODES, &track, 1, -1.0f);
}

/* Samples `count` weights of node 1 and compares them with `expected`; of those behind none is written. */
static void assertWeights(VkskinClip clip, double time, VkskinWrap wrap, uint32_t count, const float *expected) {
    float weights[6] = {REST, REST, REST, REST, REST, REST};
    OK(vkskinSampleMorphWeights(clip, 1, time, wrap, weights, count));
    for (uint32_t i = 0; i < 6; ++i) {
        assert_float_equal(weights[i], i < count ? expected[i] : REST, 1e-6f);
    }
}

static const Keys twoWeights = {3, {1, 2, 4}, {0, 1, 0.5f, -1, 1.5f, 0}};

POSE_TEST(morphsOverTime) {
    static const struct {
        VkskinInterpolation interpolation;
        VkskinWrap wrap;
        double time;
        float expected[2];
    } cases[] = {
        {LINEAR, CLAMP, 0.5, {0, 1}},          {LINEAR, CLAMP, 1.25, {0.125f, 0.5f}},
        {LINEAR, CLAMP, 2.0, {0.5f, -1}},      {LINEAR, CLAMP, 3.5, {1.25f, -0.25f}},
        {LINEAR, CLAMP, 99.0, {1.5f, 0}},      {LINEAR, LOOP, 5.25, {0.125f, 0.5f}},
        {LINEAR, LOOP, -0.5, {1.25f, -0.25f}}, {STEP, CLAMP, 1.999, {0, 1}},
        {STEP, CLAMP, 3.999, {0.5f, -1}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        VkskinClip clip = morphClip(cases[i].interpolation, 2, &twoWeights);
        assert_float_equal(vkskinGetClipDuration(clip), 4.0f, 0.0f);
        assertWeights(clip, cases[i].time, cases[i].wrap, 2, cases[i].expected);
    }
}

/* A key is all in-tangents, then all weights, then all out-tangents. */
POSE_TEST(cubicOfMorphs) {
    VkskinClip clip = morphClip(CUBIC, 3, &cubic);
    assertWeights(clip, 0.0, CLAMP, 3, (const float[]){0, 1, 2});
    assertWeights(clip, 1.5, CLAMP, 3, (const float[]){2.875f, 1, 2.375f});
    assertWeights(clip, 1.5, CLAMP, 2, (const float[]){2.875f, 1});
    assertWeights(clip, 3.0, CLAMP, 3, (const float[]){16, 1, 2});
}

POSE_TEST(roomAndTrackMayDiffer) {
    for (int interpolation = 0; interpolation < 2; ++interpolation) {
        VkskinClip clip = morphClip((VkskinInterpolation)interpolation, 2, &twoWeights);
        assertWeights(clip, 2.0, CLAMP, 4, (const float[]){0.5f, -1, REST, REST});
        assertWeights(clip, 2.0, CLAMP, 1, (const float[]){0.5f});
        assertWeights(clip, 2.25, CLAMP, 1, (const float[]){interpolation == 0 ? 0.625f : 0.5f});
        OK(vkskinSampleMorphWeights(clip, 1, 2.0, CLAMP, NULL, 0));
    }
}

/* If a node has several tracks, the last one counts, with its own weight count. Other nodes and channels do not. */
POSE_TEST(theLastTrackOfTheNodeCounts) {
    static const Keys first = {1, {0}, {1, 2, 3, 4}}, second = {1, {0}, {5, 6}}, other = {1, {0}, {8, 8, 8}};
    VkskinTrack tracks[4] = {morphTrack(LINEAR, 4, &first), morphTrack(LINEAR, 2, &second),
                             morphTrack(LINEAR, 3, &other), morphTrack(LINEAR, 0, &other)};
    tracks[2].node = 2;
    tracks[3].channel = VKSKIN_CHANNEL_SCALE;
    VkskinClip clip = ownClip(NODES, tracks, 4, -1.0f);
    assertWeights(clip, 0.0, CLAMP, 4, (const float[]){5, 6, REST, REST});
    float weights[4] = {REST, REST, REST, REST};
    OK(vkskinSampleMorphWeights(clip, 0, 0.0, CLAMP, weights, 4));
    assert_true(weights[0] == REST && weights[3] == REST); /* no track: the mesh's weights at rest stay */
    OK(vkskinSampleMorphWeights(clip, 2, 0.0, CLAMP, weights, 4));
    assert_true(weights[2] == 8.0f && weights[3] == REST);
}

POSE_TEST(posesPassOverThem) {
    const int32_t parents[NODES] = {-1, 0, 1};
    VkskinTransform rest[NODES];
    for (uint32_t i = 0; i < NODES; ++i) {
        rest[i] = vkskinIdentityTransform();
        rest[i].translation[1] = (float)i;
    }
    VkskinSkeleton three = makeSkeleton(NODES, parents, rest, NULL);
    VkskinTransform pose[NODES];
    OK(vkskinSampleClip(three, morphClip(LINEAR, 2, &twoWeights), 2.0, CLAMP, pose));
    assert_memory_equal(pose, rest, sizeof rest);
}

POSE_TEST(morphKeysAreCopied) {
    Keys keys = twoWeights;
    VkskinClip clip = morphClip(LINEAR, 2, &keys);
    memset(&keys, 0xff, sizeof keys);
    assertWeights(clip, 4.0, CLAMP, 2, (const float[]){1.5f, 0});
}

POSE_TEST(morphArguments) {
    VkskinClip clip = morphClip(LINEAR, 2, &twoWeights);
    float weights[2] = {REST, REST};
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSampleMorphWeights(NULL, 1, 0.0, CLAMP, weights, 2));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSampleMorphWeights(clip, 1, 0.0, CLAMP, NULL, 2));
    const double notFinite[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinSampleMorphWeights(clip, 1, notFinite[i], LOOP, weights, 2));
    }
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinSampleMorphWeights(clip, 1, 0.0, (VkskinWrap)2, weights, 2));
    RETURNS(VKSKIN_ERROR_NODE_OUT_OF_RANGE, vkskinSampleMorphWeights(clip, NODES, 0.0, CLAMP, weights, 2));
    assert_true(weights[0] == REST && weights[1] == REST);
}
