/*
 * The reference against values worked by hand: what everything else is held against must stand on its own. Poses and
 * matrices, every method, palette entries.
 */
#include "reference.h"
#include "test.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-6) /* the models below hold floats */
#define HALF_ROOT  0.70710678118654752

static const double noMove[3] = {0, 0, 0}, noScale[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1};
static const double aboutX[4] = {HALF_ROOT, 0, 0, HALF_ROOT}, aboutZ[4] = {0, 0, HALF_ROOT, HALF_ROOT}; /* 90 degrees */

static void checkPoint(const double v[3], double x, double y, double z) {
    NEAR(v[0], x);
    NEAR(v[1], y);
    NEAR(v[2], z);
}

/* ---- Poses and matrices ---- */

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

/* From 0 to 10 in 2 seconds. Handles of the whole time and no value: time - 1 is 8 (s - 1/2)^3. With an overlong handle
 * out, (4, 20), that is (2, 10), and none in: time is 2 (3 s - 3 s^2 + s^3), and so 1 - s the cube root of 1 - time / 2. */
TEST(bezierKeys) {
    static const float times[] = {0, 2};
    float values[] = {9, 0, 0, 9, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0, 10, 0, 0, 9, 0, 0, 9, 0, 0};
    VkskinTrack track = {0, VKSKIN_CHANNEL_TRANSLATION, VKSKIN_INTERPOLATION_BEZIER, 2, times, values, 0};
    NEAR(sampleOne(track, 2, 0.875, VKSKIN_WRAP_CLAMP).m[0][3], 10 * (3 * 0.0625 - 2 * 0.015625));
    NEAR(sampleOne(track, 2, 2.0, VKSKIN_WRAP_CLAMP).m[0][3], 10);
    values[9] = 4;
    values[12] = 20;
    values[15] = 0;
    NEAR(sampleOne(track, 2, 1.75, VKSKIN_WRAP_CLAMP).m[0][3], 10 * (1 - 0.125));
    values[15] = 5; /* backwards in time: none */
    NEAR(sampleOne(track, 2, 1.75, VKSKIN_WRAP_CLAMP).m[0][3], 10 * (1 - 0.125));
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
    static const double turn[4] = {0.5, 0, 0, 0.8660254037844386}, scale[3] = {3, 2, 5};
    ReferenceMatrix m = referenceCompose(noMove, turn, scale);
    double q[4];
    referenceNearestRotation(&m, q);
    double sign = q[3] < 0 ? -1 : 1;
    NEAR(sign * q[0], 0.5);
    NEAR(q[1], 0);
    NEAR(sign * q[3], 0.8660254037844386);
}

/* ---- Methods ---- */

/* One vertex with a normal and a tangent, halfway between bones 0 and 1. */
typedef struct One {
    float position[3], normal[3], tangent[4], weights[2], blend;
    uint32_t joints[2];
} One;

static One oneAt(float x, float y, float z) {
    return (One){.position = {x, y, z},
                 .normal = {0, 0, 1},
                 .tangent = {1, 0, 0, -1},
                 .weights = {0.5f, 0.5f},
                 .joints = {0, 1}};
}

static ModelMesh meshOf(One *one, uint32_t boneCount) {
    return (ModelMesh){.vertexCount = 1,
                       .positions = one->position,
                       .normals = one->normal,
                       .tangents = one->tangent,
                       .influences = 2,
                       .joints = one->joints,
                       .weights = one->weights,
                       .boneCount = boneCount,
                       .blendWeights = &one->blend};
}

static ReferenceVertex moveMesh(const ModelMesh *mesh, const ReferenceMatrix *bones, const ReferenceDef *def) {
    ReferenceVertex *vertices = newReferenceVertices(mesh, bones, def);
    ReferenceVertex vertex = vertices[0];
    free(vertices);
    return vertex;
}

static ReferenceVertex moveOne(One *one, const ReferenceMatrix bones[2], const ReferenceDef *def) {
    ModelMesh mesh = meshOf(one, 2);
    return moveMesh(&mesh, bones, def);
}

/* A vertex at (0, 1, 0) between a still bone and one that turns by 90 degrees about x: the arc and the chord. */
TEST(twoMethods) {
    One one = oneAt(0, 1, 0);
    one.normal[1] = 2.0f;
    one.normal[2] = 0.0f;
    ReferenceMatrix bones[2] = {referenceCompose(noMove, still, noScale), referenceCompose(noMove, aboutX, noScale)};
    ReferenceVertex linear = moveOne(&one, bones, &(ReferenceDef){0});
    checkPoint(linear.position, 0, 0.5, 0.5);
    NEAR(linear.normal[2], HALF_ROOT);
    NEAR(linear.normalLength, HALF_ROOT);
    ReferenceVertex dual = moveOne(&one, bones, &(ReferenceDef){.method = VKSKIN_METHOD_DUAL_QUATERNION});
    checkPoint(dual.position, 0, HALF_ROOT, HALF_ROOT);
    NEAR(dual.realLength, cos(3.14159265358979 / 8.0));
}

/*
 * Between a still bone and one that stretches y to thrice its length and turns it into z. Two phases: y is doubled,
 * then turned by 45 degrees. Linear blending goes along the chord.
 */
TEST(scaledDualQuaternionsAndTheirMix) {
    static const double stretch[3] = {1, 3, 1};
    One one = oneAt(0, 1, 0);
    ReferenceMatrix bones[2] = {referenceCompose(noMove, still, noScale), referenceCompose(noMove, aboutX, stretch)};
    ReferenceDef def = {.method = VKSKIN_METHOD_SCALED_DUAL_QUATERNION};
    ReferenceVertex scaled = moveOne(&one, bones, &def);
    checkPoint(scaled.position, 0, 2 * HALF_ROOT, 2 * HALF_ROOT);
    checkPoint(scaled.normal, 0, -HALF_ROOT, HALF_ROOT);
    NEAR(scaled.realLength, cos(3.14159265358979 / 8.0));
    ReferenceVertex linear = moveOne(&one, bones, &(ReferenceDef){0});
    checkPoint(linear.position, 0, 0.5, 1.5);
    def.method = VKSKIN_METHOD_PAINTED_BLEND;
    one.blend = 0.25f;
    ReferenceVertex mixed = moveOne(&one, bones, &def);
    checkPoint(mixed.position, 0, 0.75 * 0.5 + 0.5 * HALF_ROOT, 0.75 * 1.5 + 0.5 * HALF_ROOT);
    /* the normal: 3/4 of (0, -1/2, 1/2) and a quarter of (0, -1, 1) over root 2, before it is brought to 1 */
    NEAR(mixed.normalLength, 0.75 * HALF_ROOT + 0.25);
    NEAR(mixed.tangent[3], -1);
}

/* R S with a mirror in S: no proper rotation holds it, the stretch does. */
TEST(mirroredBonesKeepTheirMirror) {
    static const double mirror[3] = {1, 2, -0.5};
    One one = oneAt(3, 4, 5);
    ReferenceMatrix bone = referenceCompose(noMove, aboutZ, mirror), bones[2] = {bone, bone};
    ReferenceDef def = {.method = VKSKIN_METHOD_SCALED_DUAL_QUATERNION};
    checkPoint(moveOne(&one, bones, &def).position, -8, 3, -2.5);
}

/* About the centre (0, 1, 0), which goes to (0, 1/2, 1/2): the unit step up from there turns by 45 degrees. */
TEST(centresOfRotation) {
    static const float centre[3] = {0, 1, 0};
    One one = oneAt(0, 2, 0);
    ReferenceMatrix bones[2] = {referenceCompose(noMove, still, noScale), referenceCompose(noMove, aboutX, noScale)};
    ReferenceDef def = {.method = VKSKIN_METHOD_CENTRES_OF_ROTATION, .centres = centre};
    ReferenceVertex moved = moveOne(&one, bones, &def);
    checkPoint(moved.position, 0, 0.5 + HALF_ROOT, 0.5 + HALF_ROOT);
    checkPoint(moved.normal, 0, -HALF_ROOT, HALF_ROOT);
}

static void checkNormal(const double scale[3], bool exact, double x, double y) {
    One one = oneAt(0, 0, 0);
    one.normal[0] = one.normal[1] = 2.0f;
    one.normal[2] = 0.0f;
    ReferenceMatrix bone = referenceCompose(noMove, still, scale), bones[2] = {bone, bone};
    for (VkskinMethod m = 0; m < VKSKIN_METHOD_COUNT; m++) {
        if (m != VKSKIN_METHOD_DUAL_QUATERNION) {
            ReferenceDef def = {.method = m, .exactNormals = exact, .centres = one.position};
            ReferenceVertex moved = moveOne(&one, bones, &def);
            checkPoint(moved.normal, x, y, 0);
        }
    }
}

/* The plane across (1, 1, 0) holds (1, -1, 0): what is stretched along x leans it, and its normal the other way. */
TEST(exactNormals) {
    static const double wide[3] = {2, 1, 1}, mirrored[3] = {-0.5, 1, 1}, flat[3] = {0, 1, 1};
    double root = sqrt(5.0);
    checkNormal(wide, false, 2 / root, 1 / root);
    checkNormal(wide, true, 1 / root, 2 / root);
    checkNormal(mirrored, true, -2 / root, 1 / root);
    checkNormal(flat, true, 1, 0);
}

/* One target of the one vertex, in half its strength: half along x, and the normal from z towards x. */
static void checkMorph(bool after, uint32_t boneCount, const double place[3], const double normal[3]) {
    static float move[3] = {1, 0, 0}, lean[3] = {2, 0, 0}, turn[3] = {0, 2, 0};
    static uint32_t vertex = 0;
    static const float weight = 0.5f;
    One one = oneAt(0, 1, 0);
    ModelMorph morph = {NULL, 1, &vertex, move, lean, turn};
    ModelMesh mesh = meshOf(&one, boneCount);
    mesh.morphCount = 1;
    mesh.morphs = &morph;
    ReferenceMatrix bone = referenceCompose(noMove, aboutZ, noScale), bones[2] = {bone, bone};
    ReferenceDef def = {.morphWeights = &weight, .morphsAfter = &after};
    ReferenceVertex moved = moveMesh(&mesh, bones, &def);
    checkPoint(moved.position, place[0], place[1], place[2]);
    checkPoint(moved.normal, normal[0], normal[1], normal[2]);
    /* (1, 1, 0) over root 2 turned; or (0, 1, 0), which (1, 0, 0) became, and (0, 1, 0) */
    NEAR(moved.tangent[1], boneCount == 0 || !after ? HALF_ROOT : 1);
}

TEST(morphsBeforeAndAfterBones) {
    static const double before[3] = {-1, 0.5, 0}, after[3] = {-0.5, 0, 0}, unmoved[3] = {0.5, 1, 0};
    static const double turned[3] = {0, HALF_ROOT, HALF_ROOT}, leant[3] = {HALF_ROOT, 0, HALF_ROOT};
    checkMorph(false, 2, before, turned);
    checkMorph(true, 2, after, leant);
    checkMorph(false, 0, unmoved, leant);
    checkMorph(true, 0, unmoved, leant);
}

/* Weights 1 and 9: the smaller is a tenth, and goes where more is asked for. Of none, a bone is named. */
TEST(lightInfluencesAndNone) {
    One one = oneAt(0, 0, 0);
    one.weights[0] = 1.0f;
    one.weights[1] = 9.0f;
    ReferenceMatrix bones[2] = {{{{0}}}, {{{0}}}};
    bones[0].m[0][3] = 10.0;
    bones[1].m[0][3] = 20.0;
    checkPoint(moveOne(&one, bones, &(ReferenceDef){.minWeight = 0.09f}).position, 19, 0, 0);
    checkPoint(moveOne(&one, bones, &(ReferenceDef){.minWeight = 0.11f}).position, 20, 0, 0);
    one.weights[0] = one.weights[1] = 0.0f;
    checkPoint(moveOne(&one, bones, &(ReferenceDef){.unweightedBone = 1}).position, 20, 0, 0);
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
    NEAR(moveMesh(&mesh, bones, &(ReferenceDef){.maxInfluences = 2}).position[0], 46);
}

/* ---- Palette entries ---- */

/* The bits of known halves: 1, 1/3, -2, the largest, the smallest, and 0 in between. */
TEST(halves) {
    ReferenceMatrix bone = referenceCompose((const double[3]){1.0 / 3.0, 65504, -ldexp(1, -24)}, still, noScale);
    uint16_t words[8];
    paletteEntry(VKSKIN_PALETTE_QUATERNION_HALF, &bone, false, words);
    assert_int_equal(words[0] & 0x7fff, 0);
    assert_int_equal(words[3] & 0x7fff, 0x3c00);
    assert_int_equal(words[4], 0x3555);
    assert_int_equal(words[5], 0x7bff);
    assert_int_equal(words[6], 0x8001);
    assert_int_equal(words[7], 0x3c00);
    ReferenceMatrix back = paletteEntryMatrix(VKSKIN_PALETTE_QUATERNION_HALF, words);
    NEAR(back.m[0][3], 0.333251953125);
    NEAR(back.m[1][3], 65504);
    assert_true(back.m[2][3] == -ldexp(1, -24));
}

/* A quarter turn about x at (2, 4, 6), as numbers: the dual part is half of (2, 4, 6, 0) times the real one. */
TEST(dualAndStretch) {
    ReferenceMatrix bone = referenceCompose((const double[3]){2, 4, 6}, aboutX, (const double[3]){3, 1, 2});
    float entry[16];
    paletteEntry(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, &bone, false, entry);
    double sign = entry[0] < 0.0f ? -1.0 : 1.0;
    static const double DUAL[8] = {1, 0, 0, 1, 1, 5, 1, -1}, STRETCH[8] = {3, 1, 2}; /* in units of HALF_ROOT; of 1 */
    for (int i = 0; i < 8; i++) {
        NEAR(entry[i], sign * HALF_ROOT * DUAL[i]);
        NEAR(entry[8 + i], STRETCH[i]);
    }
}

/* How far an entry is from the bone it was written for, at most. */
static double entryError(VkskinPaletteEncoding encoding, const ReferenceMatrix *bone, bool antipode) {
    char entry[64];
    paletteEntry(encoding, bone, antipode, entry);
    ReferenceMatrix back = paletteEntryMatrix(encoding, entry);
    double worst = 0.0;
    for (int e = 0; e < 12; e++) {
        worst = fmax(worst, fabs(back.m[e / 4][e % 4] - bone->m[e / 4][e % 4]));
    }
    return worst;
}

TEST(entriesComeBack) {
    static const double move[3] = {1, -2, 3}, turn[4] = {0.1, -0.5, 0.7, 0.5}, uneven[3] = {0.5, 2, -1};
    static const double negative[3] = {-1.5, -1.5, -1.5};
    ReferenceMatrix any = referenceCompose(move, turn, uneven), rigid = referenceCompose(move, turn, noScale);
    ReferenceMatrix uniform = referenceCompose(move, turn, negative);
    ReferenceMatrix flat = {{{2, 3, 0, 5}, {-1, 4, 0, 6}, {0, 0, 1, 0}}};
    for (int antipode = 0; antipode < 2; antipode++) {
        assert_true(entryError(VKSKIN_PALETTE_MAT3X4, &any, antipode) < 1e-6);
        assert_true(entryError(VKSKIN_PALETTE_MAT2X3, &flat, antipode) < 1e-6);
        assert_true(entryError(VKSKIN_PALETTE_DUAL_QUATERNION, &rigid, antipode) < 1e-6);
        assert_true(entryError(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, &any, antipode) < 1e-6);
        assert_true(entryError(VKSKIN_PALETTE_QUATERNION, &uniform, antipode) < 1e-6);
        assert_true(entryError(VKSKIN_PALETTE_QUATERNION_HALF, &uniform, antipode) < 3e-3);
        assert_true(entryError(VKSKIN_PALETTE_QUATERNION_SNORM16, &uniform, antipode) < 1e-4);
    }
}
