/* The reference against values worked by hand: what everything else is held against must stand on its own. */
#include <math.h>

#include "reference.h"
#include "test.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-6) /* the models below hold floats */
#define HALF_ROOT  0.70710678118654752

static const VkskinTransform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
static const VkskinAffine identityAffine = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

/* One node with one track, `keys` of it, sampled. */
static ReferenceMatrix sampleOne(VkskinTrack track, float duration, double time, VkskinWrap wrap) {
    ModelNode node = {.parent = -1, .rest = identity, .preTransform = identityAffine};
    ModelClip clip = {.duration = duration, .trackCount = 1, .tracks = &track};
    Model model = {.nodeCount = 1, .nodes = &node, .clipCount = 1, .clips = &clip};
    ReferenceMatrix *world = newReferenceWorld(&model, 0, time, wrap);
    ReferenceMatrix result = world[0];
    free(world);
    return result;
}

TEST(linearAndStepKeysAndWraps) {
    static const float times[] = {1, 2, 4}, values[] = {0, 0, 0, 10, 0, 0, 20, 0, 0};
    VkskinTrack track = {0, VKSKIN_CHANNEL_TRANSLATION, VKSKIN_INTERPOLATION_LINEAR, 3, times, values, 0};
    NEAR(sampleOne(track, 4, 0.5, VKSKIN_WRAP_CLAMP).m[0][3], 0);
    NEAR(sampleOne(track, 4, 1.25, VKSKIN_WRAP_CLAMP).m[0][3], 2.5);
    NEAR(sampleOne(track, 4, 3.0, VKSKIN_WRAP_CLAMP).m[0][3], 15);
    NEAR(sampleOne(track, 4, 9.0, VKSKIN_WRAP_CLAMP).m[0][3], 20);
    NEAR(sampleOne(track, 4, 7.0, VKSKIN_WRAP_LOOP).m[0][3], 15);
    NEAR(sampleOne(track, 4, -1.0, VKSKIN_WRAP_LOOP).m[0][3], 15);
    track.interpolation = VKSKIN_INTERPOLATION_STEP;
    NEAR(sampleOne(track, 4, 1.99, VKSKIN_WRAP_CLAMP).m[0][3], 0);
    NEAR(sampleOne(track, 4, 2.0, VKSKIN_WRAP_CLAMP).m[0][3], 10);
}

/* From 0 to 10 in 2 seconds with tangents of 0 out and 5 in: at the middle 5 + 2 x (1/8 - 1/4) x 5. */
TEST(cubicKeys) {
    static const float times[] = {0, 2};
    static const float values[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 10, 0, 0, 0, 0, 0};
    VkskinTrack track = {0, VKSKIN_CHANNEL_TRANSLATION, VKSKIN_INTERPOLATION_CUBIC, 2, times, values, 0};
    NEAR(sampleOne(track, 2, 1.0, VKSKIN_WRAP_CLAMP).m[0][3], 3.75);
    NEAR(sampleOne(track, 2, 2.0, VKSKIN_WRAP_CLAMP).m[0][3], 10);
}

/* 0 to 90 degrees about z, the second key with its sign turned: the short way is still 45 degrees in the middle. */
TEST(rotationsTurnTheShortWay) {
    static const float times[] = {0, 1};
    static const float values[] = {0, 0, 0, 1, 0, 0, -0.70710678f, -0.70710678f};
    VkskinTrack track = {0, VKSKIN_CHANNEL_ROTATION, VKSKIN_INTERPOLATION_LINEAR, 2, times, values, 0};
    ReferenceMatrix half = sampleOne(track, 1, 0.5, VKSKIN_WRAP_CLAMP);
    NEAR(half.m[0][0], HALF_ROOT);
    NEAR(half.m[1][0], HALF_ROOT);
    NEAR(sampleOne(track, 1, 1.0 / 3.0, VKSKIN_WRAP_CLAMP).m[1][0], 0.5);
}

/* Root turned by 90 degrees about z at (1, 0, 0), child at (2, 0, 0) in it, scaled by 3: the child's x axis. */
TEST(hierarchyAndPreTransform) {
    ModelNode nodes[2] = {
        {.parent = -1,
         .rest = {{1, 0, 0}, {0, 0, 0.70710678f, 0.70710678f}, {1, 1, 1}},
         .preTransform = identityAffine},
        {.parent = 0, .rest = {{2, 0, 0}, {0, 0, 0, 1}, {3, 3, 3}}, .preTransform = identityAffine},
    };
    nodes[1].preTransform.m[0][3] = 5.0f;
    Model model = {.nodeCount = 2, .nodes = nodes};
    ReferenceMatrix *world = newReferenceWorld(&model, -1, 0.0, VKSKIN_WRAP_CLAMP);
    NEAR(world[1].m[0][3], 1);
    NEAR(world[1].m[1][3], 7);
    NEAR(world[1].m[1][0], 3);
    free(world);
}

TEST(inverseUndoes) {
    ReferenceMatrix m = {{{2, 1, 0, 3}, {0, 1, -1, 4}, {1, 0, 3, 5}}};
    ReferenceMatrix inverse = referenceInvert(&m);
    ReferenceMatrix one = referenceMultiply(&m, &inverse);
    for (int e = 0; e < 12; e++) {
        NEAR(one.m[e / 4][e % 4], e / 4 == e % 4 ? 1.0 : 0.0);
    }
}

/* The nearest rotation to a turn of 60 degrees about x, also when scaled unevenly along the axis' own frame. */
TEST(nearestRotation) {
    static const double none[3] = {0, 0, 0}, turn[4] = {0.5, 0, 0, 0.8660254037844386}, scale[3] = {3, 2, 5};
    ReferenceMatrix m = referenceCompose(none, turn, scale);
    double q[4];
    referenceNearestRotation(&m, q);
    double sign = q[3] < 0 ? -1 : 1;
    NEAR(sign * q[0], 0.5);
    NEAR(q[1], 0);
    NEAR(sign * q[3], 0.8660254037844386);
}

/* A vertex at (0, 1, 0) between a still bone and one that turns by 90 degrees about x: the arc and the chord. */
TEST(twoMethods) {
    static float position[] = {0, 1, 0}, normal[] = {0, 2, 0}, weights[] = {0.5f, 0.5f};
    static uint32_t joints[] = {0, 1};
    static const double none[3] = {0, 0, 0}, one[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1};
    static const double turn[4] = {HALF_ROOT, 0, 0, HALF_ROOT};
    ModelMesh mesh = {.vertexCount = 1,
                      .positions = position,
                      .normals = normal,
                      .influences = 2,
                      .joints = joints,
                      .weights = weights,
                      .boneCount = 2};
    ReferenceMatrix bones[2] = {referenceCompose(none, still, one), referenceCompose(none, turn, one)};
    ReferenceDef byDuals = {.method = VKSKIN_METHOD_DUAL_QUATERNION};
    ReferenceVertex *linear = newReferenceVertices(&mesh, bones, &(ReferenceDef){0});
    ReferenceVertex *dual = newReferenceVertices(&mesh, bones, &byDuals);
    NEAR(linear->position[1], 0.5);
    NEAR(linear->position[2], 0.5);
    NEAR(linear->normal[2], HALF_ROOT);
    NEAR(linear->normalLength, HALF_ROOT);
    NEAR(dual->position[1], HALF_ROOT);
    NEAR(dual->position[2], HALF_ROOT);
    NEAR(dual->realLength, cos(3.14159265358979 / 8.0));
    free(linear);
    free(dual);
}

/* Weights 1, 3, 2, 2 trimmed to two: joints 1 and 2, at 3/5 and 2/5. */
TEST(trimming) {
    static float position[] = {0, 0, 0}, weights[] = {1, 3, 2, 2};
    static uint32_t joints[] = {0, 1, 2, 3};
    ModelMesh mesh = {
        .vertexCount = 1, .positions = position, .influences = 4, .joints = joints, .weights = weights, .boneCount = 4};
    ReferenceMatrix bones[4] = {{{{0}}}};
    for (int b = 0; b < 4; b++) {
        bones[b].m[0][3] = pow(10, b);
    }
    ReferenceVertex *vertices = newReferenceVertices(&mesh, bones, &(ReferenceDef){.maxInfluences = 2});
    NEAR(vertices->position[0], 46);
    free(vertices);
}
