/* Layers, masks, additive poses and fades, against values calculated by hand. */
#include "pose_builders.h"
#include "vkskin/vkskin_blend.h"

#define CLOSE 1e-6f

static const double X[3] = {1, 0, 0}, Z[3] = {0, 0, 1};

static VkskinTransform make(float x, float scale, const double axis[3], double degrees) {
    VkskinTransform transform = {{x, 2 * x, 0}, {0, 0, 0, 1}, {scale, scale, 1}};
    turnAbout(axis, degrees, transform.rotation);
    return transform;
}

static void assertTurn(const VkskinTransform *actual, const double axis[3], double degrees) {
    float expected[4];
    turnAbout(axis, degrees, expected);
    double dot = 0;
    for (int i = 0; i < 4; i++) {
        dot += (double)actual->rotation[i] * expected[i];
    }
    for (int i = 0; i < 4; i++) {
        assert_float_equal(actual->rotation[i], dot < 0 ? -expected[i] : expected[i], CLOSE);
    }
}

static void assertTransform(const VkskinTransform *actual, float x, float scale, const double axis[3], double degrees) {
    assert_float_equal(actual->translation[0], x, CLOSE);
    assert_float_equal(actual->translation[1], 2 * x, CLOSE);
    assert_float_equal(actual->scale[0], scale, CLOSE);
    assertTurn(actual, axis, degrees);
}

/* One node: rest at 100, and the layers with these weights. */
static VkskinTransform blend(const VkskinPoseLayer *layers, uint32_t count, const VkskinPoseLayer *additives,
                             uint32_t additiveCount, float threshold) {
    const VkskinTransform rest = make(100, 1, X, 0);
    VkskinTransform out;
    VkskinBlendDef def = vkskinDefaultBlendDef();
    def.nodeCount = 1;
    def.rest = &rest;
    def.layers = layers;
    def.layerCount = count;
    def.additives = additives;
    def.additiveCount = additiveCount;
    def.threshold = threshold > 0 ? threshold : def.threshold;
    OK(vkskinBlendLayers(&def, &out));
    return out;
}

/* ---- Layers ---- */

TEST(weightsAreRelative) {
    const VkskinTransform a = make(1, 1, Z, 0), b = make(5, 3, Z, 90);
    const VkskinPoseLayer even[] = {{&a, 0.25f, NULL}, {&b, 0.25f, NULL}};
    const VkskinPoseLayer uneven[] = {{&a, 3, NULL}, {&b, 1, NULL}};
    VkskinTransform out = blend(even, 2, NULL, 0, 0);
    assertTransform(&out, 3, 2, Z, 45);
    out = blend(uneven, 2, NULL, 0, 0);
    /* 3/4 of no turn and 1/4 of a quarter turn: half the angle is atan(sin 45 / (3 + cos 45)). */
    const double degrees = 2 * atan2(sin(M_PI / 4), 3 + cos(M_PI / 4)) * 180 / M_PI;
    assertTransform(&out, 2, 1.5f, Z, degrees);
}

/* The numbers of a layer alone return unchanged, at every weight above the threshold. */
TEST(aLayerAloneIsKept) {
    for (int i = 0; i < 1000; i++) {
        VkskinTransform a = make(randomFraction(), 1 + randomFraction(), X, 180.0 * (double)randomFraction());
        const VkskinTransform other = {{NAN, NAN, NAN}, {NAN, 0, 0, 1}, {1, 1, NAN}};
        const VkskinPoseLayer layers[] = {{&other, 0, NULL}, {&a, 0.1f + fabsf(randomFraction()), NULL}};
        const VkskinTransform out = blend(layers, 2, NULL, 0, 0);
        assert_memory_equal(out.translation, a.translation, sizeof a.translation);
        assert_memory_equal(out.scale, a.scale, sizeof a.scale);
        for (int k = 0; k < 4; k++) {
            assert_float_equal(out.rotation[k], a.rotation[k], 1.2e-7f);
        }
    }
}

TEST(antipodesAreTheSameRotation) {
    const VkskinTransform a = make(0, 1, Z, 40);
    VkskinTransform b = make(0, 1, Z, 80), opposite = make(0, 1, Z, 180);
    for (int i = 0; i < 4; i++) {
        b.rotation[i] *= -3; /* length does not matter either */
    }
    const VkskinPoseLayer layers[] = {{&a, 0.5f, NULL}, {&b, 0.5f, NULL}, {&a, 0.5f, NULL}, {&b, 0.5f, NULL}};
    for (uint32_t count = 2; count <= 4; count += 2) {
        const VkskinTransform out = blend(layers, count, NULL, 0, 0);
        assertTurn(&out, Z, 60);
    }
    /* Half a turn apart: a quarter turn either way, of unit length. */
    const VkskinTransform none = make(0, 1, Z, 0);
    const VkskinPoseLayer halves[] = {{&none, 1, NULL}, {&opposite, 1, NULL}};
    const VkskinTransform out = blend(halves, 2, NULL, 0, 0);
    assert_float_equal(fabsf(out.rotation[2]), 0.70710678f, CLOSE);
    assert_float_equal(fabsf(out.rotation[3]), 0.70710678f, CLOSE);
}

TEST(theRestFillsUp) {
    const VkskinTransform a = make(0, 1, X, 0);
    const VkskinPoseLayer little[] = {{&a, 0.025f, NULL}}, enough[] = {{&a, 0.1f, NULL}};
    VkskinTransform out = blend(little, 1, NULL, 0, 0);
    assert_float_equal(out.translation[0], 75, 1e-4f); /* (0.1 - 0.025) / 0.1 of 100 */
    out = blend(enough, 1, NULL, 0, 0);
    assert_float_equal(out.translation[0], 0, 0);
    out = blend(enough, 1, NULL, 0, 1); /* one layer of weight 0.1 over the rest */
    assert_float_equal(out.translation[0], 90, 1e-4f);
    out = blend(NULL, 0, NULL, 0, 0);
    assertTransform(&out, 100, 1, X, 0);
}

/* Nodes 1 and 2 are below node 0's child: 0 <- 3 <- 1, 3 <- 2; 4 is a root. */
OWNING_TEST(masksAreForEachNode) {
    const int32_t parents[5] = {-1, 3, 3, 0, -1};
    VkskinTransform rest[5], wave[5], out[5];
    float mask[5] = {0}, inverse[5];
    for (int i = 0; i < 5; i++) {
        rest[i] = make(0, 1, X, 0);
        wave[i] = make(8, 1, X, 0);
    }
    const VkskinSkeleton skeleton = ownSkeleton(5, parents, rest, NULL, (VkskinLogger){0});
    OK(vkskinMaskSubtree(skeleton, 3, 0.5f, mask));
    OK(vkskinMaskSubtree(skeleton, 2, 1, mask));
    const float expected[5] = {0, 0.5f, 1, 0.5f, 0};
    assert_memory_equal(mask, expected, sizeof mask);
    for (int i = 0; i < 5; i++) {
        inverse[i] = 1 - mask[i];
    }
    const VkskinPoseLayer layers[] = {{rest, 1, inverse}, {wave, 1, mask}};
    VkskinBlendDef def = vkskinDefaultBlendDef();
    def.nodeCount = 5;
    def.rest = rest;
    def.layers = layers;
    def.layerCount = 2;
    OK(vkskinBlendLayers(&def, out));
    for (int i = 0; i < 5; i++) {
        assert_float_equal(out[i].translation[0], 8 * mask[i], CLOSE);
    }
    /* The result may take the place of a layer. */
    OK(vkskinBlendLayers(&def, wave));
    assert_memory_equal(wave, out, sizeof out);
    RETURNS(VKSKIN_ERROR_NODE_OUT_OF_RANGE, vkskinMaskSubtree(skeleton, 5, 1, mask));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinMaskSubtree(skeleton, 0, 1.5f, mask));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinMaskSubtree(skeleton, 0, NAN, mask));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinMaskSubtree(NULL, 0, 1, mask));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinMaskSubtree(skeleton, 0, 1, NULL));
    assert_memory_equal(mask, expected, sizeof mask);
}

/* ---- Additive poses ---- */

TEST(theDifferenceToItselfIsNothing) {
    const VkskinTransform identity = vkskinIdentityTransform();
    for (int i = 0; i < 1000; i++) {
        VkskinTransform a, delta;
        for (int k = 0; k < 10; k++) {
            ((float *)&a)[k] = randomFraction(); /* VkskinTransform has ten floats */
        }
        OK(vkskinMakeAdditive(1, &a, &a, &delta));
        assert_memory_equal(&delta, &identity, sizeof delta);
        VkskinPoseLayer base = {&a, 1, NULL}, additive = {&delta, 1, NULL};
        const VkskinTransform plain = blend(&base, 1, NULL, 0, 0), added = blend(&base, 1, &additive, 1, 0);
        assert_memory_equal(&plain, &added, sizeof added);
    }
}

TEST(additivesLeadFromTheReferenceToThePose) {
    VkskinTransform reference = make(1, 2, Z, 30), pose = make(4, 6, X, 70), delta;
    OK(vkskinMakeAdditive(1, &reference, &pose, &delta));
    assert_float_equal(delta.translation[0], 3, 0);
    assert_float_equal(delta.scale[0], 3, 0);
    const VkskinPoseLayer base = {&reference, 1, NULL}, once = {&delta, 1, NULL};
    VkskinTransform out = blend(&base, 1, &once, 1, 0);
    assertTransform(&out, 4, 6, X, 70);
    /* Minus undoes plus, also of another base. */
    const VkskinTransform other = make(-2, 0.5f, X, 20);
    const VkskinPoseLayer otherBase = {&other, 1, NULL}, both[] = {{&delta, 0.6f, NULL}, {&delta, -0.6f, NULL}};
    out = blend(&otherBase, 1, both, 2, 0);
    assertTransform(&out, -2, 0.5f, X, 20);
    /* Half of it: translations and scales half-way, and half of a turn about one axis. */
    VkskinTransform turned = make(5, 3, Z, 90);
    OK(vkskinMakeAdditive(1, &reference, &turned, &turned)); /* 60 degrees, by 4, times 1.5 */
    const VkskinPoseLayer half = {&turned, 0.5f, NULL};
    out = blend(&base, 1, &half, 1, 0);
    assertTransform(&out, 3, 2.5f, Z, 60);
    /* The same half by a mask, and none of it at all. */
    const float masks[] = {0.5f, 0};
    const VkskinPoseLayer masked = {&turned, 1, masks}, off = {&turned, 1, masks + 1};
    out = blend(&base, 1, &masked, 1, 0);
    assertTransform(&out, 3, 2.5f, Z, 60);
    out = blend(&base, 1, &off, 1, 0);
    assertTransform(&out, 1, 2, Z, 30);
}

/* The added rotation comes after the blended one: of z then x, not of x then z. */
TEST(additivesAreAddedAfter) {
    const VkskinTransform none = make(0, 1, X, 0), turn = make(0, 1, X, 90), base = make(0, 1, Z, 90);
    VkskinTransform delta;
    OK(vkskinMakeAdditive(1, &none, &turn, &delta));
    const VkskinPoseLayer layer = {&base, 1, NULL}, additive = {&delta, 1, NULL};
    const VkskinTransform out = blend(&layer, 1, &additive, 1, 0);
    const VkskinAffine matrix = vkskinAffineFromTransform(&out);
    /* x -> y by the base, y -> z by the addition. */
    assert_float_equal(matrix.m[2][0], 1, CLOSE);
    assert_float_equal(matrix.m[0][1], -1, CLOSE);
}

/* A mask is a factor of the weight: 0.5 x 0.5 counts as much as 0.25. */
TEST(masksScaleTheWeight) {
    static const float half = 0.5f;
    const VkskinTransform a = make(1, 1, Z, 0), b = make(5, 3, Z, 90);
    const VkskinPoseLayer layers[] = {{&a, 0.5f, &half}, {&b, 0.25f, NULL}};
    const VkskinTransform out = blend(layers, 2, NULL, 0, 0);
    assertTransform(&out, 3, 2, Z, 45);
}

/* The part of an additive pose: scale and translation linear, the rotation normalised, of either sign of its numbers. */
TEST(additivesAreAddedInPart) {
    static const float weights[] = {0.25f, 0.75f, -0.25f, -0.75f};
    const VkskinTransform base = make(3, 2, Z, 10);
    for (uint32_t i = 0; i < 2 * COUNT_OF(weights); i++) {
        VkskinTransform delta = make(1, 3, Z, 80);
        const VkskinPoseLayer layer = {&base, 1, NULL}, additive = {&delta, weights[i / 2], NULL};
        const double w = (double)weights[i / 2], size = fabs(w);
        const double turn = 2 * atan2(size * sin(40 * M_PI / 180), 1 - size + size * cos(40 * M_PI / 180));
        const double factor = 1 + 2 * size;
        for (uint32_t k = 0; k < 4; k++) {
            delta.rotation[k] = i % 2 ? -delta.rotation[k] : delta.rotation[k];
        }
        const VkskinTransform out = blend(&layer, 1, &additive, 1, 0);
        assertTransform(&out, (float)(3 + w), (float)(w > 0 ? 2 * factor : 2 / factor), Z,
                        10 + (w > 0 ? turn : -turn) * 180 / M_PI);
    }
}

/* The nearer sign counts for layers with a small weight too. */
TEST(antipodesOfSmallWeight) {
    const VkskinTransform a = make(0, 1, Z, 0);
    for (uint32_t i = 0; i < 2; i++) {
        VkskinTransform b = make(0, 1, Z, 80);
        const VkskinPoseLayer layers[] = {{&a, 0.75f, NULL}, {&b, 0.25f, NULL}};
        for (uint32_t k = 0; k < 4; k++) {
            b.rotation[k] = i ? -b.rotation[k] : b.rotation[k];
        }
        const VkskinTransform out = blend(layers, 2, NULL, 0, 0);
        assertTurn(&out, Z, 360 / M_PI * atan2(0.25 * sin(40 * M_PI / 180), 0.75 + 0.25 * cos(40 * M_PI / 180)));
    }
}

TEST(aReferenceWithoutScaleHasNoRatio) {
    const VkskinTransform flat = make(0, 0, X, 0), pose = make(0, 5, X, 0);
    VkskinTransform delta;
    OK(vkskinMakeAdditive(1, &flat, &pose, &delta));
    assert_float_equal(delta.scale[0], 1, 0);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinMakeAdditive(1, NULL, &pose, &delta));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinMakeAdditive(1, &pose, NULL, &delta));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinMakeAdditive(1, &pose, &pose, NULL));
}

/* To scale by 0 has no inverse: subtracting it leaves the scale, and only it. */
TEST(subtractingAScaleOfZero) {
    const VkskinTransform base = make(3, 2, X, 0);
    VkskinTransform delta = make(1, 0, X, 0);
    delta.scale[1] = 0.5f;
    const VkskinPoseLayer layer = {&base, 1, NULL}, additive = {&delta, -1, NULL};
    const VkskinTransform out = blend(&layer, 1, &additive, 1, 0);
    assert_true(out.scale[0] == base.scale[0]); /* assert_float_equal takes infinity for any number */
    assert_float_equal(out.scale[1], 2 * base.scale[1], CLOSE);
    assert_float_equal(out.translation[0], base.translation[0] - delta.translation[0], CLOSE);
}

/* ---- Fades ---- */

TEST(fadesRise) {
    assert_float_equal(vkskinFadeWeight(-1, 2, VKSKIN_FADE_LINEAR), 0, 0);
    assert_float_equal(vkskinFadeWeight(0.5, 2, VKSKIN_FADE_LINEAR), 0.25f, 0);
    assert_float_equal(vkskinFadeWeight(0.5, 2, VKSKIN_FADE_SMOOTH), 0.15625f, 0); /* 3/16 - 2/64 */
    assert_float_equal(vkskinFadeWeight(1, 2, VKSKIN_FADE_SMOOTH), 0.5f, 0);
    assert_float_equal(vkskinFadeWeight(3, 2, VKSKIN_FADE_SMOOTH), 1, 0);
    assert_float_equal(vkskinFadeWeight(0, 0, VKSKIN_FADE_LINEAR), 1, 0);
    assert_float_equal(vkskinFadeWeight(NAN, 2, VKSKIN_FADE_LINEAR), 0, 0);
    assert_float_equal(vkskinFadeWeight(1, NAN, VKSKIN_FADE_LINEAR), 0, 0);
}

/* ---- Refusals ---- */

TEST(badBlendsAreRefused) {
    const VkskinTransform rest = vkskinIdentityTransform();
    VkskinTransform out = make(7, 7, X, 7);
    const VkskinTransform before = out;
    const VkskinBlendDef good = {
        .cookie = vkskinDefaultBlendDef().cookie, .nodeCount = 1, .rest = &rest, .threshold = 0.1f};
    VkskinBlendDef def = good;
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinBlendLayers(NULL, &out));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinBlendLayers(&def, NULL));
    def.cookie = 0;
    RETURNS(VKSKIN_ERROR_DEF_NOT_INITIALISED, vkskinBlendLayers(&def, &out));
    def = good;
    def.rest = NULL;
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinBlendLayers(&def, &out));
    const float thresholds[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        def = good;
        def.threshold = thresholds[i];
        RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinBlendLayers(&def, &out));
    }
    for (int additive = 0; additive < 2; additive++) {
        const float weights[] = {NAN, INFINITY, additive ? -1.01f : -0.01f, additive ? 1.01f : -INFINITY};
        const float masks[] = {NAN, -0.01f, 1.01f};
        VkskinPoseLayer layer = {&rest, 1, NULL};
        def = good;
        *(additive ? &def.additiveCount : &def.layerCount) = 1;
        RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinBlendLayers(&def, &out));
        *(additive ? &def.additives : &def.layers) = &layer;
        for (int i = 0; i < 4; i++) {
            layer.weight = weights[i];
            RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinBlendLayers(&def, &out));
        }
        layer.weight = 1;
        for (int i = 0; i < 3; i++) {
            layer.mask = &masks[i];
            RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinBlendLayers(&def, &out));
        }
        layer = (VkskinPoseLayer){.weight = 1};
        RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinBlendLayers(&def, &out));
    }
    assert_memory_equal(&out, &before, sizeof out);
}
