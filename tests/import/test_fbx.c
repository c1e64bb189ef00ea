/* Keys, layers and pivots of .fbx files: the fixtures curves.fbx, layers.fbx and keys.fbx, against values made by hand. */
#include "import_support.h"

/* `old`: moments that files of 6.1 can hold, too; they come first. */
static void expectAll(const char *file, const Moment *moments, size_t count, size_t old) {
    for (FbxForm form = FBX_FORM_TEXT; form < FBX_FORM_COUNT; form++) {
        print_message("%s in form %d\n", file, (int)form);
        Model *model = importForm(file, form);
        expectMoments(model, moments, form < FBX_FORM_NEW_COUNT ? count : old);
        modelFree(model);
    }
}

/*
 * keys.fbx: each node moves along x by 0, 1 and 5 at 0, 1 and 2 s. keys_binary.fbx is the same file in binary form, with
 * packed keys.
 * Step: constant. Line: linear. Flat: cubic with slopes of 1 from 0 to 1. Both: linear, the same keys in a layer above,
 * which adds.
 * Curve: the first segment is cubic with slopes 9 and -9. At s = 1/2: 1/2 + 9/8 + 9/8 = 2.75. At s = 1/4:
 *     (5/32) 1 + (9/64) 9 + (3/64) 9 = 0.15625 + 1.265625 + 0.421875 = 1.84375
 * Auto: slope (5 - 0) / 2 = 2.5 at 1 s, and those of the lines at the ends, 1 and 4. At 0.5 s: 1/2 + (1 - 2.5) / 8 =
 * 0.3125, at 1.5 s: 3 + (2.5 - 4) / 8 = 2.8125.
 */
static const Moment keys[] = {
    {0, 0, 0.5, {0, 0, 0}, {0, 0, 0}},       {0, 0, 0.999, {0, 0, 0}, {0, 0, 0}},
    {0, 0, 1.0, {0, 0, 0}, {1, 0, 0}},       {0, 0, 1.999, {0, 0, 0}, {1, 0, 0}},
    {0, 0, 2.0, {0, 0, 0}, {5, 0, 0}},       {1, 0, 0.5, {0, 0, 0}, {2.75f, 0, 0}},
    {1, 0, 1.0, {0, 0, 0}, {1, 0, 0}},       {1, 0, 0.25, {0, 0, 0}, {1.84375f, 0, 0}},
    {1, 0, 1.5, {0, 0, 0}, {3, 0, 0}},       {3, 0, 1.5, {0, 0, 0}, {3, 0, 0}},
    {4, 0, 0.5, {0, 0, 0}, {0.5f, 0, 0}},    {5, 0, 0.5, {0, 0, 0}, {1, 0, 0}},
    {5, 0, 1.5, {0, 0, 0}, {6, 0, 0}},       {2, 0, 0.5, {0, 0, 0}, {0.3125f, 0, 0}},
    {2, 0, 1.5, {0, 0, 0}, {2.8125f, 0, 0}},
};
#define OLD_KEYS (COUNT_OF(keys) - 4)

TEST(testKeys) {
    expectAll("keys.fbx", keys, COUNT_OF(keys), OLD_KEYS);
    expectAll("keys_binary.fbx", keys, COUNT_OF(keys), OLD_KEYS);
}

enum { WEIGHTED, TCB, PROGRESSIVE, NEXT, UNEVEN, TURN, PAIR, ORDER, PIVOT };

/*
 * curves.fbx. Tcb: keys 0, 1, 5 at 0, 1, 2 s, tension 0.5, continuity 0.2, bias -0.3. A slope is (1 - 0.5) / 2 of
 *     left of a key:  (1 - 0.2)(1 - 0.3) before + (1 + 0.2)(1 + 0.3) after = 0.56 before + 1.56 after
 *     right of a key: (1 + 0.2)(1 - 0.3) before + (1 - 0.2)(1 + 0.3) after = 0.84 before + 1.04 after
 * with the slopes of the lines before and after it, 1 and 4: 1.7 and 1.25 at the second key. At an end the only line counts
 * in full: (1 - 0.5)(1 - 0.2)(1 + 0.3) 1 = 0.52 at the first, (1 - 0.5)(1 - 0.2)(1 - 0.3) 4 = 1.12 at the third key. At 0.5 s:
 * 1/2 + (0.52 - 1.7) / 8 = 0.3525, at 1.5 s: 3 + (1.25 - 1.12) / 8 = 3.01625.
 * Progressive: keys 0, 4, 4.5, automatic and without overshoot. (4.5 - 0) / 2 = 2.25 is too steep at the second key: a
 * third of a second to the right it may have risen by 0.5, so 1.5. At the ends 0. At 0.5 s: 2 + (0 - 1.5) / 8 = 1.8125,
 * at 1.5 s: 4.25 + 1.5 / 8 = 4.4375.
 * Next: 0, 1, 5, each from the key before it on.
 * Uneven: keys 0, 1, 7 at 0, 1, 3 s, automatic. The slope at 1 s is half of 7/3 and half of (2/3) 1 + (1/3) 3: 2. At the
 * ends 1 and 3. At 0.5 s: 1/2 + (1 - 2) / 8 = 0.375, at 2 s: 4 + 2 (2 - 3) / 8 = 3.75.
 * Turn: about z from 0 to 1440 degrees in 2 s. Pair: about x, then z, both from 0 to 90 degrees in 1 s. At 0.5 s (0 1 0)
 * goes to (0 c s) and (-c c  c s / c), with c = s = 0.70710678: (-0.5 0.5 0.70710678).
 * Order: Z(90), then Y, then X(90): (1 0 0) goes to (0 1 0) and (0 0 1).
 * Pivot: scaled by 3 at (0 1 0): (0 0 0) goes to (0 -2 0). Turns about z at (1 0 0), from 0 to 90 degrees in 1 s: from
 * there (-1 -2) goes to (2 -1) at 1 s, at 0.5 s to (-c + 2 c, -c - 2 c).
 */
static const Moment curves[] = {
    {TCB, 0, 0.5, {0, 0, 0}, {0.3525f, 0, 0}},
    {TCB, 0, 1.5, {0, 0, 0}, {3.01625f, 0, 0}},
    {NEXT, 0, 0.001, {0, 0, 0}, {1, 0, 0}},
    {NEXT, 0, 0.999, {0, 0, 0}, {1, 0, 0}},
    {NEXT, 0, 1.001, {0, 0, 0}, {5, 0, 0}},
    {TURN, 0, 0.125, {1, 0, 0}, {0, 1, 0}},
    {TURN, 0, 0.25, {1, 0, 0}, {-1, 0, 0}},
    {TURN, 0, 1.875, {1, 0, 0}, {0, -1, 0}},
    {PAIR, 0, 0.5, {0, 1, 0}, {-0.5f, 0.5f, 0.70710678f}},
    {PAIR, 0, 1.0, {0, 1, 0}, {0, 0, 1}},
    {ORDER, REST_POSE, 0.0, {1, 0, 0}, {0, 0, 1}},
    {PIVOT, REST_POSE, 0.0, {0, 0, 0}, {0, -2, 0}},
    {PIVOT, 0, 0.5, {0, 0, 0}, {1.70710678f, -2.12132034f, 0}},
    {PIVOT, 0, 1.0, {0, 0, 0}, {3, -1, 0}},
    {UNEVEN, 0, 0.5, {0, 0, 0}, {0.375f, 0, 0}},
    {UNEVEN, 0, 2.0, {0, 0, 0}, {3.75f, 0, 0}},
    {PROGRESSIVE, 0, 0.5, {0, 0, 0}, {1.8125f, 0, 0}},
    {PROGRESSIVE, 0, 1.5, {0, 0, 0}, {4.4375f, 0, 0}},
};
#define OLD_CURVES (COUNT_OF(curves) - 4)

TEST(testCurves) {
    expectAll("curves.fbx", curves, COUNT_OF(curves), OLD_CURVES);
    expectAll("curves_bits.fbx", curves, COUNT_OF(curves), OLD_CURVES);
}

enum { CYCLE, MIRROR, RISE, SLOPE, TWICE, HOLD, STEPS, BIAS, BACK };

/*
 * repeats.fbx: a clip of 8 s. Keys along x, linear: 0 at 2 s, 4 at 3 s. Before and after them
 * Cycle repeats them, Mirror every second time backwards (from 1 to 2 s and from 3 to 4 s), Rise from the value reached,
 * 4 more each time. Slope goes on by 4 per second. Twice repeats them once before, so from 1 s, and twice after, until 5 s.
 * Steps: constant keys 1, 5, 9 at 2, 3, 4 s; before 2 s the same (1 from 0 s, 5 from 1 s), after 4 s backwards: 5 until
 * 5 s, then 1 until 6 s, then forwards.
 * Bias: automatic keys 0, 1, 5 at 0, 1, 2 s with the slope 2.5 at 1 s and a bias of 50 % on both sides: half the way to
 * the slope after it, 4, so 3.25. At 0.5 s: 1/2 + (1 - 3.25) / 8 = 0.21875, at 1.5 s: 3 + (3.25 - 4) / 8 = 2.90625.
 * Back: a bias of -100 % to the right only, so the slope before it, 1: at 1.5 s 3 + (1 - 4) / 8 = 2.625. Behind its last key
 * it goes on with the slope that it arrives with, 4.
 */
static const Moment repeats[] = {
    {CYCLE, 0, 3.25, {0, 0, 0}, {1, 0, 0}},       {CYCLE, 0, 7.5, {0, 0, 0}, {2, 0, 0}},
    {CYCLE, 0, 0.75, {0, 0, 0}, {3, 0, 0}},       {CYCLE, 0, 2.25, {0, 0, 0}, {1, 0, 0}},
    {CYCLE, 0, 5.999, {0, 0, 0}, {3.996f, 0, 0}}, {CYCLE, 0, 6.001, {0, 0, 0}, {0.004f, 0, 0}},
    {MIRROR, 0, 3.25, {0, 0, 0}, {3, 0, 0}},      {MIRROR, 0, 4.25, {0, 0, 0}, {1, 0, 0}},
    {MIRROR, 0, 1.75, {0, 0, 0}, {1, 0, 0}},      {MIRROR, 0, 0.75, {0, 0, 0}, {3, 0, 0}},
    {RISE, 0, 3.5, {0, 0, 0}, {6, 0, 0}},         {RISE, 0, 7.5, {0, 0, 0}, {22, 0, 0}},
    {RISE, 0, 6.0, {0, 0, 0}, {16, 0, 0}},        {RISE, 0, 1.5, {0, 0, 0}, {-2, 0, 0}},
    {SLOPE, 0, 8.0, {0, 0, 0}, {24, 0, 0}},       {SLOPE, 0, 0.0, {0, 0, 0}, {-8, 0, 0}},
    {TWICE, 0, 4.5, {0, 0, 0}, {2, 0, 0}},        {TWICE, 0, 6.0, {0, 0, 0}, {4, 0, 0}},
    {TWICE, 0, 1.5, {0, 0, 0}, {2, 0, 0}},        {TWICE, 0, 0.5, {0, 0, 0}, {0, 0, 0}},
    {HOLD, 0, 0.5, {0, 0, 0}, {0, 0, 0}},         {HOLD, 0, 8.0, {0, 0, 0}, {4, 0, 0}},
    {STEPS, 0, 0.5, {0, 0, 0}, {1, 0, 0}},        {STEPS, 0, 1.5, {0, 0, 0}, {5, 0, 0}},
    {STEPS, 0, 3.999, {0, 0, 0}, {5, 0, 0}},      {STEPS, 0, 4.999, {0, 0, 0}, {5, 0, 0}},
    {STEPS, 0, 5.001, {0, 0, 0}, {1, 0, 0}},      {STEPS, 0, 6.5, {0, 0, 0}, {1, 0, 0}},
    {STEPS, 0, 7.5, {0, 0, 0}, {5, 0, 0}},        {BIAS, 0, 0.5, {0, 0, 0}, {0.21875f, 0, 0}},
    {BIAS, 0, 1.5, {0, 0, 0}, {2.90625f, 0, 0}},  {BACK, 0, 0.5, {0, 0, 0}, {0.3125f, 0, 0}},
    {BACK, 0, 1.5, {0, 0, 0}, {2.625f, 0, 0}},    {BACK, 0, 3.0, {0, 0, 0}, {9, 0, 0}},
};
#define OLD_REPEATS (COUNT_OF(repeats) - 5)

TEST(testRepeats) {
    expectAll("repeats.fbx", repeats, COUNT_OF(repeats), OLD_REPEATS);
}

/*
 * layers.fbx: above the base layer are Half (adds, weight 50), Plain (the same, angle by angle, scales added), Over
 * (replaces), Mixed (weight 25), Growing (adds, its weight goes from 0 to 100 in 2 s), and one that is muted.
 * Sum: from 0 to 4 in 2 s, and half of 2. Over: 10 replaces it. Mix: 0.75 of 4 and 0.25 of 8. Fade: 1, and a part of 6.
 * Twist: Z(90) after half of X(90): (0 1 0) goes to (0 c s) and (-c 0 s). Angles: X(90) and half of 90 degrees about z:
 * (0 1 0) goes to (0 0 1), (1 0 0) to (c c 0). Grow: 2 times the root of 4. Widen: 3 and half of 4.
 */
enum { SUM, OVER, MIX, FADE, TWIST, ANGLES, GROW, WIDEN, MUTED };

static const Moment layers[] = {
    {SUM, 0, 0.0, {0, 0, 0}, {1, 0, 0}},
    {SUM, 0, 1.0, {0, 0, 0}, {3, 0, 0}},
    {OVER, 0, 1.0, {0, 0, 0}, {10, 0, 0}},
    {MIX, 0, 1.0, {0, 0, 0}, {5, 0, 0}},
    {FADE, 0, 0.0, {0, 0, 0}, {1, 0, 0}},
    {FADE, 0, 1.0, {0, 0, 0}, {4, 0, 0}},
    {TWIST, 0, 1.0, {0, 1, 0}, {-0.70710678f, 0, 0.70710678f}},
    {ANGLES, 0, 1.0, {0, 1, 0}, {0, 0, 1}},
    {ANGLES, 0, 1.0, {1, 0, 0}, {0.70710678f, 0.70710678f, 0}},
    {GROW, 0, 1.0, {1, 0, 0}, {4, 0, 0}},
    {WIDEN, 0, 1.0, {1, 0, 0}, {5, 0, 0}},
    {MUTED, 0, 1.0, {0, 0, 0}, {1, 0, 0}},
};

TEST(testLayers) {
    expectAll("layers.fbx", layers, COUNT_OF(layers), 0);
}

/* ---- The stated error ---- */

/* The x of a node's translation, between the keys of its track. */
static double playX(const Model *model, uint32_t part, double time) {
    const ModelClip *clip = &model->clips[0];
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        const VkskinTrack *track = &clip->tracks[t];
        if (track->node != model->parts[part].carrier || track->channel != VKSKIN_CHANNEL_TRANSLATION) {
            continue;
        }
        uint32_t k = 0;
        while (k + 2 < track->keyCount && (double)track->times[k + 1] < time) {
            k++;
        }
        const double from = (double)track->times[k], to = (double)track->times[k + 1],
                     share = (time - from) / (to - from);
        return (double)track->values[3 * k] * (1.0 - share) + (double)track->values[3 * (size_t)k + 3] * share;
    }
    fail_msg("part %u has no translation", part);
    return 0.0;
}

/*
 * Weighted: from 0 to 1 in 1 s, with handles of 0.9 and 0.1 of the time, the first one level, the second one with the slope
 * 2. At the parameter s the time is 3 (1 - s)^2 s 0.9 + 3 (1 - s) s^2 0.9 + s^3, the value 3 (1 - s) s^2 (1 - 2 x 0.1) + s^3.
 * The error is at most 0.0003 of the range, and so that of Curve in keys.fbx, whose range is 5 and whose value is a Hermite
 * curve.
 */
TEST(testError) {
    Model *weighted = importOrFail("curves.fbx"), *hermite = importOrFail("keys.fbx");
    double worst = 0.0, worstHermite = 0.0;
    for (double s = 0.01; s < 0.995; s += 0.001) {
        const double r = 1.0 - s, time = 2.7 * r * r * s + 2.7 * r * s * s + s * s * s;
        worst = fmax(worst, fabs(playX(weighted, WEIGHTED, time) - (2.4 * r * s * s + s * s * s)));
        const double curve = (3.0 - 2.0 * s) * s * s + 9.0 * s * r * r + 9.0 * s * s * r;
        worstHermite = fmax(worstHermite, fabs(playX(hermite, 1, s) - curve));
    }
    print_message("largest error: %.2g of 1, %.2g of 5\n", worst, worstHermite);
    assert_true(worst <= 0.0003 && worstHermite <= 0.0015);
    assert_true(hermite->clips[0].tracks[0].keyCount <= 6); /* constant keys need no more than two for each jump */
    modelFree(weighted);
    modelFree(hermite);
}

/* What is not read of these files. */
TEST(testFbxWarnings) {
    Model *model = importOrFail("curves.fbx");
    assert_int_equal(model->warningCount, 0);
    modelFree(model);
    model = importOrFail("repeats.fbx");
    assert_int_equal(model->warningCount, 1);
    assert_string_equal(model->warnings[0].text,
                        "node 'Globe' has the rotation order SphericXYZ; it is posed in the order XYZ");
    modelFree(model);
    model = importOrFail("layers.fbx");
    assert_int_equal(model->warningCount, 0);
    modelFree(model);
}
