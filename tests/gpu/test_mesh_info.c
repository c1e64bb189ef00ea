/* What vkskinGetMeshInfo says of a mesh, by numbers worked out by hand. */

#include "gpu.h"
#include "test.h"

#define VERTICES 6
#define PLACES   5

/* One vertex of each influence count, and one more of one; in a box of 1 x 2 x 2, whose diagonal is 3. */
typedef struct Input {
    VkskinMeshDef def;
    float positions[VERTICES][3];
    float weights[VERTICES][PLACES];
    uint8_t joints[VERTICES][PLACES];
    float blend[VERTICES];
} Input;

static void setWeights(Input *input, uint32_t vertex, uint32_t count) {
    for (uint32_t i = 0; i < PLACES; i++) {
        input->joints[vertex][i] = (uint8_t)i;
        input->weights[vertex][i] = i < count ? 1.0f / (float)count : 0.0f;
    }
}

static void fill(Input *input) {
    *input = (Input){.def = vkskinDefaultMeshDef()};
    for (uint32_t v = 0; v < VERTICES; v++) {
        setWeights(input, v, 1 + v % PLACES);
    }
    const float corner[3] = {1, 2, 2};
    memcpy(input->positions[3], corner, sizeof corner);
    VkskinMeshDef *def = &input->def;
    def->vertexCount = VERTICES;
    def->boneCount = PLACES;
    def->positions = input->positions[0];
    def->influencesPerVertex = PLACES;
    def->jointFormat = VKSKIN_JOINTS_U8;
    def->joints = input->joints;
    def->weights = input->weights[0];
}

static VkskinMeshInfo infoOf(Gpu *gpu, VkskinContext context, const Input *input, VkskinResult expected) {
    VkskinMesh mesh;
    VkskinMeshInfo info;
    GPU_VKSKIN_IS(gpu, expected, vkskinCreateMesh(context, &input->def, &mesh));
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    return info;
}

GPU_TEST(influences) {
    VkskinContext context = gpuContext(gpu, NULL);
    Input input;
    fill(&input);
    VkskinMeshInfo info = infoOf(gpu, context, &input, VKSKIN_SUCCESS);
    static const uint32_t each[5] = {2, 1, 1, 1, 1};
    assert_memory_equal(info.influenceVertices, each, sizeof each);
    assert_int_equal(info.vertexCount, VERTICES);
    assert_int_equal(info.boneCount, PLACES);
    assert_int_equal(info.dimensions, 3);
    assert_int_equal(info.influences, 5);
    assert_false(info.sorted); /* the two of one influence stand at both ends */
    assert_int_equal(info.normalisedVertices, 0);
    assert_int_equal(info.trimmedVertices, 0);
    assert_true(info.trimmedWeight == 0.0f && info.weightError == 0.0f);
    /* Words: five heads; six positions; an order of two; a word of joints each class, two for the last; weights; starts. */
    assert_int_equal(info.sourceBytes, (4 * (5 * 13 + 6 * 3 + 2 + 6 + (0 + 1 + 2 + 3 + 5) + 2) + 15) / 16 * 16);
    assert_int_equal(info.outputBytes, 80); /* 72, rounded up */
    assert_false(info.hasNormals || info.hasTangents || info.hasBlendWeights || info.hasCentres);
    setWeights(&input, 5, 5);
    assert_true(infoOf(gpu, context, &input, VKSKIN_SUCCESS).sorted);
}

/* vkskinSortVertices gives an order that needs no table. */
GPU_TEST(sortedVertices) {
    VkskinContext context = gpuContext(gpu, NULL);
    Input input, sorted;
    uint32_t order[VERTICES];
    fill(&input);
    fill(&sorted);
    VkskinMeshDef surface = input.def;
    GPU_VKSKIN(gpu, vkskinSortVertices(&surface, NULL, order));
    for (uint32_t v = 0; v < VERTICES; v++) {
        memcpy(sorted.weights[v], input.weights[order[v]], sizeof sorted.weights[v]);
        memcpy(sorted.joints[v], input.joints[order[v]], sizeof sorted.joints[v]);
    }
    assert_false(infoOf(gpu, context, &input, VKSKIN_SUCCESS).sorted);
    assert_true(infoOf(gpu, context, &sorted, VKSKIN_SUCCESS).sorted);
}

/* A fifth of a vertex's weight goes, and then more; of the mesh's diagonal, 3, that is the bound. */
GPU_TEST(losses) {
    VkskinContext context = gpuContext(gpu, NULL);
    Input input;
    fill(&input);
    input.def.maxInfluences = 4;
    VkskinMeshInfo info = infoOf(gpu, context, &input, VKSKIN_WARNING_INFLUENCES_TRIMMED);
    assert_int_equal(info.influences, 4);
    assert_int_equal(info.trimmedVertices, 1);
    assert_float_equal(info.trimmedWeight, 0.2f, 1e-6f);
    assert_float_equal(info.weightError, 0.6f, 1e-5f);
    fill(&input);
    input.def.minWeight = 0.22f; /* fifths go but one */
    info = infoOf(gpu, context, &input, VKSKIN_WARNING_INFLUENCES_TRIMMED);
    assert_int_equal(info.influenceVertices[0], 3);
    assert_int_equal(info.influences, 4);
    assert_float_equal(info.trimmedWeight, 0.8f, 1e-6f);
    fill(&input);
    input.def.weightFormat = VKSKIN_WEIGHTS_UNORM8; /* halves: 128 and 127 of 255, half a unit changes hands */
    setWeights(&input, 2, 2);
    setWeights(&input, 3, 1);
    setWeights(&input, 4, 1);
    info = infoOf(gpu, context, &input, VKSKIN_SUCCESS);
    assert_int_equal(info.weightFormat, VKSKIN_WEIGHTS_UNORM8);
    assert_int_equal(info.trimmedVertices, 0);
    assert_float_equal(info.weightError, 3.0f * 0.5f / 255.0f, 1e-6f);
    fill(&input);
    input.def.unweightedBone = 2;
    memset(input.weights[4], 0, sizeof input.weights[4]);
    info = infoOf(gpu, context, &input, VKSKIN_SUCCESS);
    assert_int_equal(info.influenceVertices[0], 3);
    assert_int_equal(info.normalisedVertices, 0);
}

GPU_TEST(whatTheMeshHas) {
    static const uint32_t triangle[3] = {0, 1, 2};
    static const float normals[VERTICES][3] = {{1}};
    VkskinContext context = gpuContext(gpu, NULL);
    unsigned char centres[32 + 12 * VERTICES];
    Input input;
    fill(&input);
    VkskinMeshInfo plain = infoOf(gpu, context, &input, VKSKIN_SUCCESS);
    VkskinMeshDef surface = input.def;
    surface.indexCount = 3;
    surface.indices = triangle;
    assert_int_equal(vkskinCentresSize(VERTICES), sizeof centres);
    GPU_VKSKIN(gpu, vkskinComputeCentres(&surface, NULL, centres, sizeof centres));
    const VkskinMorphTarget targets[2] = {{.vertexCount = VERTICES, .positions = input.positions[0]}, {0}};
    input.def.centres = centres;
    input.def.centresSize = sizeof centres;
    input.def.blendWeights = input.blend;
    input.def.normals = normals[0];
    input.def.normalRule = VKSKIN_NORMALS_EXACT;
    input.def.morphTargets = targets;
    input.def.morphTargetCount = 2;
    VkskinMeshInfo info = infoOf(gpu, context, &input, VKSKIN_SUCCESS);
    assert_true(info.hasCentres && info.hasBlendWeights && info.hasNormals && !info.hasTangents);
    assert_int_equal(info.normalRule, VKSKIN_NORMALS_EXACT);
    assert_int_equal(info.morphTargetCount, 2);
    /* A centre, a blend weight and a word of normal each; two heads of targets, a block of the first and its deltas. */
    assert_int_equal(info.sourceBytes / 16, (plain.sourceBytes + 4 * (6 * 5 + 2 * 6 + 2 + 6 * 3) + 15) / 16);
    assert_int_equal(info.outputBytes, 80 + 32);
}

GPU_TEST(flatAndBoneless) {
    VkskinContext context = gpuContext(gpu, NULL);
    Input input;
    fill(&input);
    input.def.dimensions = 2;
    VkskinMeshInfo info = infoOf(gpu, context, &input, VKSKIN_SUCCESS);
    assert_int_equal(info.dimensions, 2);
    assert_int_equal(info.outputBytes, 48);
    const VkskinMorphTarget target = {.vertexCount = VERTICES, .positions = input.positions[0]};
    input.def.boneCount = 0;
    input.def.joints = NULL;
    input.def.weights = NULL;
    input.def.morphTargets = &target;
    input.def.morphTargetCount = 1;
    info = infoOf(gpu, context, &input, VKSKIN_SUCCESS);
    static const uint32_t none[5];
    assert_memory_equal(info.influenceVertices, none, sizeof none);
    assert_int_equal(info.influences, 0);
    assert_true(info.sorted);
}
