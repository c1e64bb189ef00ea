/* Tracks of morph weights: sampled by themselves, against values worked by hand; passed over by poses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host_doubles.h"
#include "vkskin/vkskin_pose.h"

#define NODES 3u
#define REST  7.0f /* what stands in the weights before */

static const float times[] = {1.0f, 2.0f, 4.0f};

static VkskinTrack morphTrack(VkskinInterpolation interpolation, uint32_t keyCount, uint32_t weightCount,
                              const float *values) {
    return (VkskinTrack){.node = 1,
                         .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                         .interpolation = interpolation,
                         .keyCount = keyCount,
                         .times = times,
                         .values = values,
                         .weightCount = weightCount};
}

static VkskinClip makeClip(const VkskinTrack *tracks, uint32_t count) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = NODES;
    def.trackCount = count;
    def.tracks = tracks;
    VkskinClip clip = NULL;
    assert_int_equal(vkskinCreateClip(&def, &clip), VKSKIN_SUCCESS);
    return clip;
}

/* Samples `count` weights of node 1 and compares them with `expected`; of those behind none is written. */
static void assertWeights(VkskinClip clip, double time, VkskinWrap wrap, uint32_t count, const float *expected) {
    float weights[6] = {REST, REST, REST, REST, REST, REST};
    assert_int_equal(vkskinSampleMorphWeights(clip, 1, time, wrap, weights, count), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < 6; ++i) {
        assert_float_equal(weights[i], i < count ? expected[i] : REST, 1e-6f);
    }
}

static const float twoWeights[] = {0, 1, 0.5f, -1, 1.5f, 0};

static void linear(void **state) {
    (void)state;
    const VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 2, twoWeights);
    VkskinClip clip = makeClip(&track, 1);
    assert_float_equal(vkskinGetClipDuration(clip), 4.0f, 0.0f);
    assertWeights(clip, 0.5, VKSKIN_WRAP_CLAMP, 2, (const float[]){0, 1});
    assertWeights(clip, 1.25, VKSKIN_WRAP_CLAMP, 2, (const float[]){0.125f, 0.5f});
    assertWeights(clip, 2.0, VKSKIN_WRAP_CLAMP, 2, (const float[]){0.5f, -1});
    assertWeights(clip, 3.5, VKSKIN_WRAP_CLAMP, 2, (const float[]){1.25f, -0.25f});
    assertWeights(clip, 99.0, VKSKIN_WRAP_CLAMP, 2, (const float[]){1.5f, 0});
    assertWeights(clip, 5.25, VKSKIN_WRAP_LOOP, 2, (const float[]){0.125f, 0.5f});
    assertWeights(clip, -0.5, VKSKIN_WRAP_LOOP, 2, (const float[]){1.25f, -0.25f});
    vkskinDestroyClip(clip);
}

static void step(void **state) {
    (void)state;
    const VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_STEP, 3, 2, twoWeights);
    VkskinClip clip = makeClip(&track, 1);
    assertWeights(clip, 1.999, VKSKIN_WRAP_CLAMP, 2, (const float[]){0, 1});
    assertWeights(clip, 3.999, VKSKIN_WRAP_CLAMP, 2, (const float[]){0.5f, -1});
    vkskinDestroyClip(clip);
}

/* A key is all in-tangents, then all weights, then all out-tangents. */
static void cubic(void **state) {
    (void)state;
    const float values[] = {9, 9, 9,  0,  1, 2, 4, 0, 1, /* the first in-tangents are not used */
                            8, 0, -1, 16, 1, 2, 9, 9, 9};
    VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_CUBIC, 2, 3, values);
    /* Two seconds apart: at the quarter the basis is 0.84375, 0.140625 x 2, 0.15625, -0.046875 x 2. */
    track.times = times + 1;
    VkskinClip clip = makeClip(&track, 1);
    assertWeights(clip, 0.0, VKSKIN_WRAP_CLAMP, 3, (const float[]){0, 1, 2});
    assertWeights(clip, 2.5, VKSKIN_WRAP_CLAMP, 3, (const float[]){2.875f, 1, 2.375f});
    assertWeights(clip, 2.5, VKSKIN_WRAP_CLAMP, 2, (const float[]){2.875f, 1});
    assertWeights(clip, 4.0, VKSKIN_WRAP_CLAMP, 3, (const float[]){16, 1, 2});
    vkskinDestroyClip(clip);
}

static void roomAndTrackMayDiffer(void **state) {
    (void)state;
    for (int interpolation = 0; interpolation < 2; ++interpolation) {
        const VkskinTrack track = morphTrack((VkskinInterpolation)interpolation, 3, 2, twoWeights);
        VkskinClip clip = makeClip(&track, 1);
        assertWeights(clip, 2.0, VKSKIN_WRAP_CLAMP, 4, (const float[]){0.5f, -1, REST, REST});
        assertWeights(clip, 2.0, VKSKIN_WRAP_CLAMP, 1, (const float[]){0.5f});
        assertWeights(clip, 2.25, VKSKIN_WRAP_CLAMP, 1, (const float[]){interpolation == 0 ? 0.625f : 0.5f});
        assert_int_equal(vkskinSampleMorphWeights(clip, 1, 2.0, VKSKIN_WRAP_CLAMP, NULL, 0), VKSKIN_SUCCESS);
        vkskinDestroyClip(clip);
    }
}

/* Of several tracks of a node the last counts, with its own number of weights; other nodes' and channels' do not. */
static void theLastTrackOfTheNodeCounts(void **state) {
    (void)state;
    const float first[] = {1, 2, 3, 4};
    const float second[] = {5, 6};
    const float other[] = {8, 8, 8};
    VkskinTrack tracks[4] = {
        morphTrack(VKSKIN_INTERPOLATION_LINEAR, 1, 4, first),
        morphTrack(VKSKIN_INTERPOLATION_LINEAR, 1, 2, second),
        morphTrack(VKSKIN_INTERPOLATION_LINEAR, 1, 3, other),
        morphTrack(VKSKIN_INTERPOLATION_LINEAR, 1, 0, other),
    };
    tracks[2].node = 2;
    tracks[3].channel = VKSKIN_CHANNEL_SCALE;
    VkskinClip clip = makeClip(tracks, 4);
    assertWeights(clip, 0.0, VKSKIN_WRAP_CLAMP, 4, (const float[]){5, 6, REST, REST});
    float weights[4] = {REST, REST, REST, REST};
    assert_int_equal(vkskinSampleMorphWeights(clip, 0, 0.0, VKSKIN_WRAP_CLAMP, weights, 4), VKSKIN_SUCCESS);
    assert_true(weights[0] == REST && weights[3] == REST); /* no track: the mesh's weights at rest stay */
    assert_int_equal(vkskinSampleMorphWeights(clip, 2, 0.0, VKSKIN_WRAP_CLAMP, weights, 4), VKSKIN_SUCCESS);
    assert_true(weights[2] == 8.0f && weights[3] == REST);
    vkskinDestroyClip(clip);
}

static void posesPassOverThem(void **state) {
    (void)state;
    const int32_t parents[NODES] = {-1, 0, 1};
    VkskinTransform rest[NODES];
    for (uint32_t i = 0; i < NODES; ++i) {
        rest[i] = vkskinIdentityTransform();
        rest[i].translation[1] = (float)i;
    }
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = NODES;
    def.parents = parents;
    def.restPose = rest;
    VkskinSkeleton skeleton = NULL;
    assert_int_equal(vkskinCreateSkeleton(&def, &skeleton), VKSKIN_SUCCESS);
    const VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 2, twoWeights);
    VkskinClip clip = makeClip(&track, 1);
    VkskinTransform pose[NODES];
    assert_int_equal(vkskinSampleClip(skeleton, clip, 2.0, VKSKIN_WRAP_CLAMP, pose), VKSKIN_SUCCESS);
    assert_memory_equal(pose, rest, sizeof rest);
    vkskinDestroyClip(clip);
    vkskinDestroySkeleton(skeleton);
}

static void keysAreCopied(void **state) {
    (void)state;
    float values[6];
    memcpy(values, twoWeights, sizeof values);
    const VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 2, values);
    VkskinClip clip = makeClip(&track, 1);
    memset(values, 0xff, sizeof values);
    assertWeights(clip, 4.0, VKSKIN_WRAP_CLAMP, 2, (const float[]){1.5f, 0});
    vkskinDestroyClip(clip);
}

static void refuseTrack(const VkskinTrack *track, VkskinResult result, const char *message) {
    LogMemory log;
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = NODES;
    def.trackCount = 1;
    def.tracks = track;
    def.logger = rememberingLogger(&log);
    VkskinClip clip = (VkskinClip)(uintptr_t)8;
    assert_int_equal(vkskinCreateClip(&def, &clip), result);
    assert_null(clip);
    assertLogged(&log, result, message);
}

static void badTracksAreRefused(void **state) {
    (void)state;
    const VkskinTrack none = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 0, twoWeights);
    refuseTrack(&none, VKSKIN_ERROR_INVALID_VALUE, "clip: track 0 (node 1) of morph weights has none");
    float values[2 * 3 * 5] = {0};
    values[29] = NAN; /* the last out-tangent of five weights */
    const VkskinTrack bad = morphTrack(VKSKIN_INTERPOLATION_CUBIC, 2, 5, values);
    refuseTrack(&bad, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "clip: the value of key 1 of track 0 (node 1) is not finite");
}

static void sampleArguments(void **state) {
    (void)state;
    const VkskinTrack track = morphTrack(VKSKIN_INTERPOLATION_LINEAR, 3, 2, twoWeights);
    VkskinClip clip = makeClip(&track, 1);
    float weights[2] = {REST, REST};
    assert_int_equal(vkskinSampleMorphWeights(NULL, 1, 0.0, VKSKIN_WRAP_CLAMP, weights, 2), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinSampleMorphWeights(clip, 1, 0.0, VKSKIN_WRAP_CLAMP, NULL, 2), VKSKIN_ERROR_NULL_ARGUMENT);
    const double notFinite[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(vkskinSampleMorphWeights(clip, 1, notFinite[i], VKSKIN_WRAP_LOOP, weights, 2),
                         VKSKIN_ERROR_INVALID_VALUE);
    }
    assert_int_equal(vkskinSampleMorphWeights(clip, 1, 0.0, (VkskinWrap)2, weights, 2), VKSKIN_ERROR_INVALID_VALUE);
    assert_int_equal(vkskinSampleMorphWeights(clip, NODES, 0.0, VKSKIN_WRAP_CLAMP, weights, 2),
                     VKSKIN_ERROR_NODE_OUT_OF_RANGE);
    assert_true(weights[0] == REST && weights[1] == REST);
    vkskinDestroyClip(clip);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear),
        cmocka_unit_test(step),
        cmocka_unit_test(cubic),
        cmocka_unit_test(roomAndTrackMayDiffer),
        cmocka_unit_test(theLastTrackOfTheNodeCounts),
        cmocka_unit_test(posesPassOverThem),
        cmocka_unit_test(keysAreCopied),
        cmocka_unit_test(badTracksAreRefused),
        cmocka_unit_test(sampleArguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
