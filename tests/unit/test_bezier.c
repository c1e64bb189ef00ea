/* Bezier keys: curves with a closed form, clamped handles, morph weights, and the double-precision reference. */
#include "pose_builders.h"
#include "random.h"
#include "reference.h"

#define BEZIER VKSKIN_INTERPOLATION_BEZIER
#define CLAMP  VKSKIN_WRAP_CLAMP

/* A handle, relative to its key. */
typedef struct Handle {
    float seconds, value;
} Handle;

/* From (0, 0) to (span, 8): the first of the weights; the second one has no handles. */
static float sampleCurve(float span, Handle out, Handle in, double time) {
    const float times[] = {0.0f, span};
    /* in-times, in-values, values, out-times, out-values; those outside the segment are not used */
    const float values[] = {-9,         -9, 9,        9, 0, 0, out.seconds, 0, out.value, 0,
                            in.seconds, 0,  in.value, 0, 8, 8, 9,           9, 9,         9};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                               .interpolation = BEZIER,
                               .keyCount = 2,
                               .times = times,
                               .values = values,
                               .weightCount = 2};
    const size_t before = countOwned();
    float weights[2];
    OK(vkskinSampleMorphWeights(ownClip(1, &track, 1, -1.0f), 0, time, CLAMP, weights, 2));
    assert_float_equal(weights[1], fmin(fmax(8.0 * time / (double)span, 0.0), 8.0), 1e-6f);
    destroyOwned(before);
    return weights[0];
}

static double bernstein(double a, double b, double c, double d, double s) {
    return pow(1 - s, 3) * a + 3 * s * pow(1 - s, 2) * b + 3 * s * s * (1 - s) * c + s * s * s * d;
}

OWNING_TEST(partsOfAKey) {
    assert_int_equal(vkskinInterpolationParts(VKSKIN_INTERPOLATION_LINEAR), 1);
    assert_int_equal(vkskinInterpolationParts(VKSKIN_INTERPOLATION_STEP), 1);
    assert_int_equal(vkskinInterpolationParts(VKSKIN_INTERPOLATION_CUBIC), 3);
    assert_int_equal(vkskinInterpolationParts(BEZIER), 5);
    assert_int_equal(vkskinInterpolationParts((VkskinInterpolation)4), 0);
}

OWNING_TEST(keysHaveTheirValues) {
    assert_float_equal(sampleCurve(2, (Handle){1, 5}, (Handle){-1, 5}, -1.0), 0.0f, 0.0f);
    assert_float_equal(sampleCurve(2, (Handle){1, 5}, (Handle){-1, 5}, 0.0), 0.0f, 0.0f);
    assert_float_equal(sampleCurve(2, (Handle){1, 5}, (Handle){-1, 5}, 2.0), 8.0f, 0.0f);
    assert_float_equal(sampleCurve(2, (Handle){1, 5}, (Handle){-1, 5}, 3.0), 8.0f, 0.0f);
}

/* The time of a parameter has a closed form: at that time the value must be that of the parameter. */
OWNING_TEST(inverseOfTime) {
    for (int out = 0; out <= 4; out++) {
        for (int in = 0; in <= 4; in++) {
            const Handle a = {(float)out / 2, 3.5f}, b = {(float)-in / 2, -6};
            for (double s = 1.0 / 64; s < 1.0; s += 1.0 / 64) {
                const double time = bernstein(0, out / 2.0, 2 - in / 2.0, 2, s);
                if (out == 4 && in == 4 && fabs(s - 0.5) < 0.02) {
                    continue; /* nearly vertical: see below */
                }
                assert_float_equal(sampleCurve(2, a, b, time), bernstein(0, 3.5, 2, 8, s), 2e-6f);
            }
        }
    }
}

/* Handles of a third of the time: the Hermite spline of the same slopes. */
OWNING_TEST(thirdsAreHermite) {
    for (double t = 0.05; t < 1.0; t += 0.1) {
        const double expected = 3 * t * pow(1 - t, 2) * 2 + 3 * t * t * (1 - t) * (8 - 5) + t * t * t * 8;
        assert_float_equal(sampleCurve(3, (Handle){1, 2}, (Handle){-1, -5}, 3 * t), expected, 2e-6f);
    }
}

/* Handles of the whole time: time - 1/2 is 4 (s - 1/2)^3, with a vertical tangent in the middle. */
OWNING_TEST(cubeRoot) {
    for (int i = 0; i <= 1000; i++) {
        const double time = i / 1000.0, s = 0.5 + cbrt((time - 0.5) / 4);
        const float value = sampleCurve(1, (Handle){1, 0}, (Handle){-1, 0}, time);
        assert_float_equal(value, 8 * s * s * (3 - 2 * s), 2e-4f * (fabs(time - 0.5) < 1e-9) + 2e-6f);
    }
}

/* Time stands still at both ends: 3 s^2 - 2 s^3, whose inverse has a closed form, 1/2 - sin(asin(1 - 2 t) / 3). */
OWNING_TEST(timeStandsStill) {
    for (int i = 0; i <= 1000; i++) {
        const double time = i / 1000.0, s = 0.5 - sin(asin(1 - 2 * time) / 3);
        const float value = sampleCurve(1, (Handle){0, 8.0f / 3}, (Handle){0, -8.0f / 3}, time);
        assert_float_equal(value, 8 * s, 2e-6f);
    }
}

/* The curve of ease-in-out in style sheets: symmetric, and slow at both ends. */
OWNING_TEST(easeInAndOut) {
    const Handle out = {0.42f, 0}, in = {-0.42f, 0};
    assert_float_equal(sampleCurve(1, out, in, 0.5), 4.0f, 1e-6f);
    for (double t = 0.01; t < 0.5; t += 0.01) {
        assert_float_equal(sampleCurve(1, out, in, t) + sampleCurve(1, out, in, 1 - t), 8.0f, 2e-6f);
    }
    assert_float_equal(sampleCurve(1, out, in, 0.25), 8 * 0.1291617, 1e-5f);
}

/* Longer in time than the segment: shortened in its direction. Backwards in time: time 0. */
OWNING_TEST(handlesAreClamped) {
    for (double t = 0.05; t < 2.0; t += 0.1) {
        assert_float_equal(sampleCurve(2, (Handle){8, 12}, (Handle){-1, 1}, t),
                           sampleCurve(2, (Handle){2, 3}, (Handle){-1, 1}, t), 0.0f);
        assert_float_equal(sampleCurve(2, (Handle){1, 1}, (Handle){-16, 16}, t),
                           sampleCurve(2, (Handle){1, 1}, (Handle){-2, 2}, t), 0.0f);
        assert_float_equal(sampleCurve(2, (Handle){-5, 3}, (Handle){7, -2}, t),
                           sampleCurve(2, (Handle){0, 3}, (Handle){0, -2}, t), 0.0f);
    }
}

/* Without handles that leave the range of the values, a curve rises as time does, whatever the times of the handles. */
OWNING_TEST(timeIsMonotonic) {
    for (int round = 0; round < 200; round++) {
        const Handle out = {3 * randomFraction(), 0}, in = {3 * randomFraction(), 0};
        float before = 0.0f;
        for (int i = 0; i <= 100; i++) {
            const float value = sampleCurve(1, out, in, i / 100.0);
            assert_true(value >= before - 1e-6f && value <= 8.000001f);
            before = value;
        }
    }
}

/* Times and handles near the limits of floats give finite values. */
OWNING_TEST(extremesStayFinite) {
    const float spans[] = {1e-38f, 1e-20f, 1.0f, 1e30f, 3e38f};
    const float sizes[] = {0.0f, 1e-45f, 1e-30f, 1.0f, 1e20f, 3e38f};
    for (size_t span = 0; span < COUNT_OF(spans); span++) {
        for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(sizes); i++) {
            const Handle out = {sizes[i % COUNT_OF(sizes)], 1}, in = {-sizes[i / COUNT_OF(sizes)], -1};
            for (int step = 1; step < 8; step++) {
                const float value = sampleCurve(spans[span], out, in, step / 8.0 * (double)spans[span]);
                assert_true(value >= 0.0f && value <= 8.0f);
            }
        }
    }
}

/* ---- The reference ---- */

enum { KEYS = 5, PARTS = 5, STEPS = 97 };

/* Handles up to twice as long as the segments, some backwards. Rotations stay near the first one: they have a length. */
static void fillKeys(VkskinChannel channel, float *times, float *values) {
    const uint32_t width = channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    for (uint32_t key = 0; key < KEYS; key++) {
        times[key] = 0.5f * (float)key + 0.1f * randomFraction();
        for (uint32_t i = 0; i < PARTS * width; i++) {
            const uint32_t part = i / width;
            const float sign = part == 0 ? -1.0f : 1.0f;
            const bool time = part == 0 || part == 3;
            values[key * PARTS * width + i] = time ? sign * (0.4f + 0.6f * randomFraction()) : 0.3f * randomFraction();
        }
        values[(key * PARTS + 2) * width + width - 1] += channel == VKSKIN_CHANNEL_TRANSLATION ? 0.0f : 2.0f;
    }
}

/*
 * Where a curve is nearly vertical, the last bit of the time moves the value: the value must lie between those of the
 * reference at the times around it.
 */
static void assertBetween(double value, double before, double at, double after) {
    const double low = fmin(fmin(before, at), after), high = fmax(fmax(before, at), after);
    if (!(value >= low - 2e-6 && value <= high + 2e-6)) {
        fail_msg("%.9g is not from %.9g to %.9g", value, low, high);
    }
}

static void compareTrack(VkskinChannel channel) {
    float times[KEYS], values[KEYS * PARTS * 4];
    fillKeys(channel, times, values);
    VkskinTrack track = {
        .channel = channel, .interpolation = BEZIER, .keyCount = KEYS, .times = times, .values = values};
    const VkskinTransform rest = vkskinIdentityTransform();
    ModelNode node = {.parent = -1, .rest = rest, .preTransform = vkskinIdentityAffine()};
    ModelClip clip = {.duration = times[KEYS - 1], .trackCount = 1, .tracks = &track};
    const Model model = {.nodeCount = 1, .nodes = &node, .clipCount = 1, .clips = &clip};
    const int32_t parent = -1;
    const size_t owned = countOwned();
    VkskinSkeleton skeleton = ownSkeleton(1, &parent, &rest, NULL, (VkskinLogger){.log = NULL});
    VkskinClip made = ownClip(1, &track, 1, -1.0f);
    for (int step = 0; step <= STEPS; step++) {
        const double time = (double)clip.duration * step / STEPS;
        VkskinTransform pose;
        VkskinAffine world;
        ReferenceMatrix *around[3];
        OK(vkskinSampleClip(skeleton, made, time, CLAMP, &pose));
        OK(vkskinComposePose(skeleton, &pose, &world));
        for (int i = 0; i < 3; i++) {
            around[i] = newReferenceWorld(&model, 0, time + (i - 1) * 1e-9, CLAMP);
        }
        for (int i = 0; i < 12; i++) {
            assertBetween((double)world.m[i / 4][i % 4], around[0]->m[i / 4][i % 4], around[1]->m[i / 4][i % 4],
                          around[2]->m[i / 4][i % 4]);
        }
        for (int i = 0; i < 3; i++) {
            free(around[i]);
        }
    }
    destroyOwned(owned);
}

OWNING_TEST(agreesWithTheReference) {
    for (int round = 0; round < 40; round++) {
        compareTrack(VKSKIN_CHANNEL_TRANSLATION);
        compareTrack(VKSKIN_CHANNEL_ROTATION);
        compareTrack(VKSKIN_CHANNEL_SCALE);
    }
}
