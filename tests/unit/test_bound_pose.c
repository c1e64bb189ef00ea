/* The box of a pose: around the boxes of the nodes, and around all vertices that the library skins. */
#include "cpu_scenes.h"
#include "pose_builders.h"
#include "vkskin/vkskin_pack.h"

/* By hand: node 1 turns by 90 degrees about z and moves by (10, 0, 0): (x, y, z) moves to (10 - y, x, z). */
OWNING_TEST(aBoxIsAroundItsNodes) {
    const VkskinAffine world[3] = {
        vkskinIdentityAffine(), {{{0, -1, 0, 10}, {1, 0, 0, 0}, {0, 0, 1, 0}}}, {{{NAN}}}}; /* it moves no vertex */
    const VkskinAnimationBox boxes[3] = {{{-1, 0, 0}, {1, 2, 3}}, {{4, 1, 0}, {5, 3, 1}}, vkskinEmptyAnimationBox()};
    static const struct {
        VkskinMethod method;
        float displacement;
        uint32_t nodes;
        VkskinAnimationBox bound;
    } cases[] = {
        {VKSKIN_METHOD_LINEAR_BLEND, 0, 1, {{-1, 0, 0}, {1, 2, 3}}},
        {VKSKIN_METHOD_LINEAR_BLEND, 0, 3, {{-1, 0, 0}, {9, 5, 3}}},
        {VKSKIN_METHOD_LINEAR_BLEND, 0.5f, 3, {{-1.5f, -0.5f, -0.5f}, {9.5f, 5.5f, 3.5f}}},
        /* half sizes 1, 1 and 1.5: twice the length is sqrt(17) */
        {VKSKIN_METHOD_DUAL_QUATERNION,
         0,
         1,
         {{-4.1231056f, -3.1231056f, -2.6231056f}, {4.1231056f, 5.1231056f, 5.6231056f}}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        VkskinAnimationBox bound;
        OK(vkskinBoundPose(boxes, world, cases[i].nodes, cases[i].method, cases[i].displacement, &bound));
        for (int k = 0; k < 3; k++) {
            assert_float_equal(bound.low[k], cases[i].bound.low[k], 2e-4f);
            assert_float_equal(bound.high[k], cases[i].bound.high[k], 2e-4f);
            assert_true(bound.low[k] < cases[i].bound.low[k] + 1e-6f && bound.high[k] > cases[i].bound.high[k] - 1e-6f);
        }
    }
}

#define VERTICES 400u
#define BONES    6u

/* A random mesh with four influences and a morph target, in poses of any turn. boxes: of its nodes. */
static VkskinMeshDef randomDef(Random *random, VkskinSkin skin, VkskinAnimationBox *boxes) {
    TestMesh *mesh = ownMesh((MeshSpec){.vertices = VERTICES,
                                        .bones = BONES,
                                        .influences = 4,
                                        .morphs = 1,
                                        .triangles = 100,
                                        .attributes = MESH_BLEND_WEIGHTS | MESH_CENTRES,
                                        .values = MESH_RANDOM,
                                        .seed = randomWord(random)});
    for (uint32_t node = 0; node < BONES; node++) {
        boxes[node] = vkskinEmptyAnimationBox();
    }
    OK(vkskinAddAnimationBoxes(skin, &mesh->def, boxes));
    return mesh->def;
}

/* The farthest that the morph target moves a vertex along an axis. */
static float farthest(const VkskinMeshDef *def) {
    float most = 0;
    for (uint32_t i = 0; i < 3 * VERTICES; i++) {
        most = fmaxf(most, fabsf(def->morphTargets[0].positions[i]));
    }
    return most;
}

static void checkVertices(Random *random, VkskinMethod method) {
    static const uint32_t nodes[BONES] = {5, 4, 3, 2, 1, 0};
    const bool scaled = method == VKSKIN_METHOD_LINEAR_BLEND;
    VkskinAffine binds[BONES], world[BONES];
    VkskinAnimationBox boxes[BONES], bound;
    for (uint32_t i = 0; i < BONES; i++) {
        binds[i] = randomBone(random, 3, false);
        world[i] = randomBone(random, 3, scaled);
        world[i].m[0][3] += 5;
    }
    VkskinSkin skin = ownSkin(BONES, BONES, nodes, binds, NULL);
    const VkskinMeshDef def = randomDef(random, skin, boxes);
    VkskinCpuMeshDef cpuDef = vkskinDefaultCpuMeshDef();
    VkskinCpuMesh mesh;
    cpuDef.mesh = &def;
    assert_true(vkskinCreateCpuMesh(&cpuDef, &mesh) >= 0);
    const VkskinPaletteEncoding encoding = vkskinMethodEncoding(method);
    char *palette = ownZeros(BONES, vkskinPaletteStride(encoding));
    float *positions = ownZeros(VERTICES, 12);
    const float weight = -1;
    OK(vkskinWritePalette(skin, world, BONES, encoding, palette, BONES));
    const VkskinCpuCommand command = {.palette = palette,
                                      .encoding = encoding,
                                      .boneCount = BONES,
                                      .method = method,
                                      .morphWeights = &weight,
                                      .morphWeightCount = 1,
                                      .streams = {positions}};
    OK(vkskinSkinOnCpu(mesh, &command, 1, NULL));
    vkskinDestroyCpuMesh(mesh);
    /* rotated by the inverse binds, a vector of `farthest` along each axis has this length along one of them */
    OK(vkskinBoundPose(boxes, world, BONES, method, 1.7321f * farthest(&def), &bound));
    for (uint32_t i = 0; i < 3 * VERTICES; i++) {
        assert_true(positions[i] >= bound.low[i % 3] && positions[i] <= bound.high[i % 3]);
    }
}

OWNING_TEST(aBoxHoldsAllVertices) {
    Random random = {38};
    for (uint32_t i = 0; i < 20 * VKSKIN_METHOD_COUNT; i++) {
        checkVertices(&random, (VkskinMethod)(i % VKSKIN_METHOD_COUNT));
        destroyOwned(0);
    }
}

OWNING_TEST(badArgumentsAreRefused) {
    const VkskinAffine world = vkskinIdentityAffine(),
                       broken[2] = {world, {{{1, 0, 0, NAN}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
    const VkskinAffine large = {{{1e30f, 0, 0, 0}, {0, 1e30f, 0, 0}, {0, 0, 1e30f, 0}}};
    const VkskinAnimationBox box = {{0, 0, 0}, {1, 1, 1}}, two[2] = {box, box}, nan = {{0, 0, NAN}, {1, 1, 1}},
                             far = {{0}, {1e9f, 1, 1}};
    VkskinAnimationBox bound = {{7}, {7}};
    const VkskinResult null = VKSKIN_ERROR_NULL_ARGUMENT, invalid = VKSKIN_ERROR_INVALID_VALUE;
    const VkskinResult infinite = VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
    const VkskinMethod method = VKSKIN_METHOD_LINEAR_BLEND;
    RETURNS(null, vkskinBoundPose(NULL, &world, 1, method, 0, &bound));
    RETURNS(null, vkskinBoundPose(&box, NULL, 1, method, 0, &bound));
    RETURNS(null, vkskinBoundPose(&box, &world, 1, method, 0, NULL));
    RETURNS(invalid, vkskinBoundPose(&box, &world, 1, (VkskinMethod)VKSKIN_METHOD_COUNT, 0, &bound));
    RETURNS(invalid, vkskinBoundPose(&box, &world, 1, method, -1, &bound));
    RETURNS(invalid, vkskinBoundPose(&box, &world, 1, method, NAN, &bound));
    RETURNS(infinite, vkskinBoundPose(two, broken, 2, method, 0, &bound));
    RETURNS(infinite, vkskinBoundPose(&nan, &world, 1, method, 0, &bound));
    RETURNS(infinite, vkskinBoundPose(&far, &large, 1, method, 0, &bound));
    assert_true(bound.low[0] == 7);
    OK(vkskinBoundPose(NULL, NULL, 0, method, 0, &bound));
    assert_true(bound.high[0] < bound.low[0]);
}
