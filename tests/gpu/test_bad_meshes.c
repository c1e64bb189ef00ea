/*
 * Bad meshes, each with its exact diagnostic: the result, one message of the logger's that says what is wrong, nothing
 * made. And repairs that are documented.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

#define VERTICES 5

#define MOVED 2

/* A right mesh of five vertices, two influences each and two morph targets, that a case spoils. */
typedef struct MeshInput {
    VkskinMeshDef def;
    float positions[VERTICES][3], normals[VERTICES][3], tangents[VERTICES][4], weights[VERTICES][2];
    uint16_t joints[VERTICES][2];
    float blend[VERTICES];
    VkskinMorphTarget morphs[2];
    uint32_t moved[MOVED];
    float deltas[3][VERTICES][3]; /* of the second target: positions, normals, tangents */
    unsigned char centres[32 + 12 * VERTICES];
} MeshInput;

static void computeCentres(MeshInput *input) {
    static const uint32_t triangle[3] = {0, 1, 2};
    VkskinMeshDef surface = vkskinDefaultMeshDef();
    surface.vertexCount = VERTICES;
    surface.boneCount = 3;
    surface.positions = input->positions[0];
    surface.influencesPerVertex = 2;
    surface.joints = input->joints;
    surface.weights = input->weights[0];
    surface.indexCount = 3;
    surface.indices = triangle;
    assert_int_equal(vkskinComputeCentres(&surface, NULL, input->centres, sizeof input->centres), VKSKIN_SUCCESS);
}

static void rightMesh(MeshInput *input) {
    memset(input, 0, sizeof *input);
    for (int v = 0; v < VERTICES; v++) {
        input->normals[v][2] = 1.0f;
        input->tangents[v][0] = 1.0f;
        input->tangents[v][3] = 1.0f;
        input->weights[v][0] = 0.75f;
        input->weights[v][1] = 0.25f;
        input->joints[v][1] = 2;
    }
    VkskinMeshDef *def = &input->def;
    *def = vkskinDefaultMeshDef();
    def->name = "spoiled";
    def->vertexCount = VERTICES;
    def->boneCount = 3;
    def->positions = input->positions[0];
    def->normals = input->normals[0];
    def->tangents = input->tangents[0];
    def->influencesPerVertex = 2;
    def->jointFormat = VKSKIN_JOINTS_U16;
    def->joints = input->joints;
    def->weights = input->weights[0];
    def->blendWeights = input->blend;
    input->moved[0] = 4;
    input->moved[1] = 1;
    input->morphs[0] =
        (VkskinMorphTarget){.vertexCount = MOVED, .vertices = input->moved, .positions = input->deltas[0][0]};
    input->morphs[1] = (VkskinMorphTarget){.vertexCount = VERTICES,
                                           .positions = input->deltas[0][0],
                                           .normals = input->deltas[1][0],
                                           .tangents = input->deltas[2][0]};
    def->morphTargets = input->morphs;
    def->morphTargetCount = 2;
    computeCentres(input);
    def->centres = input->centres;
    def->centresSize = sizeof input->centres;
}

/* Without what flat meshes cannot have. */
static void makeFlat(MeshInput *input) {
    input->def.dimensions = 2;
    input->def.normals = input->def.tangents = input->def.blendWeights = NULL;
    input->def.centres = NULL;
}

#define SPOIL(name, statement)                                                                                         \
    static void name(MeshInput *in) {                                                                                  \
        statement;                                                                                                     \
    }
SPOIL(jointOut, in->joints[3][1] = 3)
SPOIL(jointFarOut, in->joints[3][0] = 65535)
SPOIL(weightNan, in->weights[3][0] = NAN)
SPOIL(weightInfinite, in->weights[3][1] = INFINITY)
SPOIL(weightNegative, in->weights[3][1] = -0.25f)
SPOIL(weightsZero, in->weights[3][0] = in->weights[3][1] = 0.0f)
SPOIL(positionNan, in->positions[3][1] = NAN)
SPOIL(normalInfinite, in->normals[3][1] = INFINITY)
SPOIL(tangentNan, in->tangents[3][2] = NAN)
SPOIL(handednessNan, in->tangents[3][3] = NAN)
SPOIL(meshNoCookie, in->def.cookie = 0)
SPOIL(meshNoPositions, in->def.positions = NULL)
SPOIL(meshNoJoints, in->def.joints = NULL)
SPOIL(meshNoWeights, in->def.weights = NULL)
SPOIL(tangentsAlone, in->def.normals = NULL)
SPOIL(noVertices, in->def.vertexCount = 0)
SPOIL(noBones, (in->def.boneCount = 0, in->def.morphTargetCount = 0))
SPOIL(manyBones, in->def.boneCount = 1048577)
SPOIL(centresWithoutBones, in->def.boneCount = 0)
SPOIL(noInfluences, in->def.influencesPerVertex = 0)
SPOIL(manyInfluences, in->def.influencesPerVertex = 256)
SPOIL(keepMany, in->def.maxInfluences = 256)
SPOIL(negativeThreshold, in->def.minWeight = -0.01f)
SPOIL(highThreshold, in->def.minWeight = 0.51f)
SPOIL(thresholdNan, in->def.minWeight = NAN)
SPOIL(unknownWeights, in->def.weightFormat = (VkskinWeightFormat)3)
SPOIL(unknownNormals, in->def.normalRule = (VkskinNormals)2)
SPOIL(oneDimension, in->def.dimensions = 1)
SPOIL(fourDimensions, in->def.dimensions = 4)
SPOIL(flatNormals, (makeFlat(in), in->def.normals = in->normals[0]))
SPOIL(flatBlend, (makeFlat(in), in->def.blendWeights = in->blend))
SPOIL(flatCentres, (makeFlat(in), in->def.centres = in->centres))
SPOIL(flatStride, (makeFlat(in), in->def.positionStride = 4))
SPOIL(flatDeltaNan, (makeFlat(in), in->deltas[0][1][0] = NAN))
SPOIL(unweightedOut, in->def.unweightedBone = 3)
SPOIL(blendNan, in->blend[3] = NAN)
SPOIL(blendBelow, in->blend[3] = -0.01f)
SPOIL(blendAbove, in->blend[3] = 1.01f)
SPOIL(blendStride, in->def.blendWeightStride = 2)
SPOIL(centresShort, in->def.centresSize--)
SPOIL(centresOtherPlace, in->positions[2][0] += 1.0f)
SPOIL(centresOtherWeight, in->weights[2][1] = 0.125f)
SPOIL(centresOtherJoint, in->joints[2][1] = 1)
SPOIL(centresNoHead, memset(in->centres, 0, 32))
SPOIL(centresOtherVersion, in->centres[0] ^= 1)
SPOIL(noMorphs, in->def.morphTargets = NULL)
SPOIL(morphPast, in->moved[1] = VERTICES)
SPOIL(morphFarPast, in->moved[1] = UINT32_MAX)
SPOIL(morphTwice, in->moved[1] = in->moved[0])
SPOIL(morphTooMany, in->morphs[1].vertexCount = VERTICES + 1)
SPOIL(morphSomeInOrder, in->morphs[1].vertexCount = VERTICES - 1)
SPOIL(morphPositionNan, in->deltas[0][1][0] = NAN)
SPOIL(morphNormalInfinite, in->deltas[1][3][2] = INFINITY)
SPOIL(morphTangentNan, in->deltas[2][3][1] = NAN)
SPOIL(unknownJoints, in->def.jointFormat = (VkskinJointFormat)3)
SPOIL(unknownFormat, in->def.format = VKSKIN_VERTEX_FORMAT_COUNT)
SPOIL(shortPositionStride, in->def.positionStride = 8)
SPOIL(shortNormalStride, in->def.normalStride = 8)
SPOIL(shortTangentStride, in->def.tangentStride = 12)
SPOIL(shortJointStride, in->def.jointStride = 2)
SPOIL(shortWeightStride, in->def.weightStride = 4)
SPOIL(longPositionStride, in->def.positionStride = 65540)
SPOIL(longNormalStride, in->def.normalStride = 65540)
SPOIL(longTangentStride, in->def.tangentStride = 65540)
SPOIL(longJointStride, in->def.jointStride = 65537)
SPOIL(longWeightStride, in->def.weightStride = 65540)
SPOIL(wrappedStride, in->def.positionStride = (size_t)-12)
SPOIL(wrappedCount, in->def.vertexCount = UINT32_MAX)
#undef SPOIL

static const struct {
    const char *label;
    void (*spoil)(MeshInput *input);
    VkskinResult expected;
    const char *part;
} meshCases[] = {
    {"joint out of range", jointOut, VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "vertex 3"},
    {"joint far out", jointFarOut, VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "65535"},
    {"weight NaN", weightNan, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "vertex 3"},
    {"weight infinite", weightInfinite, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "vertex 3"},
    {"weight negative", weightNegative, VKSKIN_ERROR_WEIGHT_NEGATIVE, "vertex 3"},
    {"weights zero", weightsZero, VKSKIN_ERROR_WEIGHT_ZERO, "vertex 3"},
    {"position NaN", positionNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3"},
    {"normal infinite", normalInfinite, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3"},
    {"tangent NaN", tangentNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3"},
    {"handedness NaN", handednessNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3"},
    {"no cookie", meshNoCookie, VKSKIN_ERROR_DEF_NOT_INITIALISED, "vkskinDefaultMeshDef"},
    {"no positions", meshNoPositions, VKSKIN_ERROR_NULL_ARGUMENT, "positions"},
    {"no joints", meshNoJoints, VKSKIN_ERROR_NULL_ARGUMENT, "joints"},
    {"no weights", meshNoWeights, VKSKIN_ERROR_NULL_ARGUMENT, "weights"},
    {"tangents alone", tangentsAlone, VKSKIN_ERROR_NULL_ARGUMENT, "normals"},
    {"no vertices", noVertices, VKSKIN_ERROR_INVALID_VALUE, "vertexCount"},
    {"no bones", noBones, VKSKIN_ERROR_INVALID_VALUE, "neither bones nor morph targets"},
    {"many bones", manyBones, VKSKIN_ERROR_INVALID_VALUE, "boneCount"},
    {"centres without bones", centresWithoutBones, VKSKIN_ERROR_INVALID_VALUE,
     "a mesh without bones has no centres of rotation"},
    {"no influences", noInfluences, VKSKIN_ERROR_INVALID_VALUE, "influencesPerVertex"},
    {"many influences", manyInfluences, VKSKIN_ERROR_INVALID_VALUE, "influencesPerVertex"},
    {"keep many", keepMany, VKSKIN_ERROR_INVALID_VALUE, "maxInfluences is 256, not in 0 to 255"},
    {"negative threshold", negativeThreshold, VKSKIN_ERROR_INVALID_VALUE, "minWeight is -0.01, not in 0 to 0.5"},
    {"high threshold", highThreshold, VKSKIN_ERROR_INVALID_VALUE, "minWeight is 0.51, not in 0 to 0.5"},
    {"threshold NaN", thresholdNan, VKSKIN_ERROR_INVALID_VALUE, "minWeight is nan"},
    {"unknown weights", unknownWeights, VKSKIN_ERROR_INVALID_VALUE, "weightFormat is 3, not in 0 to 2"},
    {"unknown normals", unknownNormals, VKSKIN_ERROR_INVALID_VALUE, "normalRule is 2, not in 0 to 1"},
    {"one dimension", oneDimension, VKSKIN_ERROR_INVALID_VALUE, "dimensions is 1, not in 2 to 3"},
    {"four dimensions", fourDimensions, VKSKIN_ERROR_INVALID_VALUE, "dimensions is 4, not in 2 to 3"},
    {"flat with normals", flatNormals, VKSKIN_ERROR_INVALID_VALUE, "a flat mesh has no normals"},
    {"flat with blend weights", flatBlend, VKSKIN_ERROR_INVALID_VALUE, "a flat mesh has no blend weights"},
    {"flat with centres", flatCentres, VKSKIN_ERROR_INVALID_VALUE, "a flat mesh has no centres of rotation"},
    {"flat stride", flatStride, VKSKIN_ERROR_INVALID_VALUE, "positionStride"},
    {"flat delta NaN", flatDeltaNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "the position delta of vertex 1"},
    {"unweighted bone out", unweightedOut, VKSKIN_ERROR_INVALID_VALUE, "unweightedBone is not below boneCount"},
    {"blend weight NaN", blendNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "the blend weight of vertex 3"},
    {"blend weight below", blendBelow, VKSKIN_ERROR_INVALID_VALUE, "the blend weight of vertex 3 is -0.01"},
    {"blend weight above", blendAbove, VKSKIN_ERROR_INVALID_VALUE, "the blend weight of vertex 3 is 1.01"},
    {"blend stride", blendStride, VKSKIN_ERROR_INVALID_VALUE, "blendWeightStride"},
    {"centres cut short", centresShort, VKSKIN_ERROR_CENTRES_MISMATCH, "centres"},
    {"centres of other positions", centresOtherPlace, VKSKIN_ERROR_CENTRES_MISMATCH, "centres"},
    {"centres of other weights", centresOtherWeight, VKSKIN_ERROR_CENTRES_MISMATCH, "centres"},
    {"centres of other joints", centresOtherJoint, VKSKIN_ERROR_CENTRES_MISMATCH, "centres"},
    {"centres without a head", centresNoHead, VKSKIN_ERROR_CENTRES_MISMATCH, "centres"},
    {"centres of no format", centresOtherVersion, VKSKIN_ERROR_CENTRES_MISMATCH, "centres"},
    {"no morph targets", noMorphs, VKSKIN_ERROR_NULL_ARGUMENT, "morphTargets"},
    {"morph past the mesh", morphPast, VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "morph target 0 names vertex 5, which is past"},
    {"morph far past", morphFarPast, VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "morph target 0 names vertex 4294967295"},
    {"morph twice", morphTwice, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
     "morph target 0 names vertex 4, which it named before"},
    {"morph of too many", morphTooMany, VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "morph target 1 moves 6 vertices"},
    {"morph of some in order", morphSomeInOrder, VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "moves 4 vertices in order"},
    {"morph position NaN", morphPositionNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
     "in morph target 0 the position delta of vertex 1"},
    {"morph normal infinite", morphNormalInfinite, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
     "in morph target 1 the normal delta of vertex 3"},
    {"morph tangent NaN", morphTangentNan, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
     "in morph target 1 the tangent delta of vertex 3"},
    {"unknown joints", unknownJoints, VKSKIN_ERROR_INVALID_VALUE, "jointFormat"},
    {"unknown format", unknownFormat, VKSKIN_ERROR_INVALID_VALUE, "format"},
    {"short position stride", shortPositionStride, VKSKIN_ERROR_INVALID_VALUE, "positionStride"},
    {"short normal stride", shortNormalStride, VKSKIN_ERROR_INVALID_VALUE, "normalStride"},
    {"short tangent stride", shortTangentStride, VKSKIN_ERROR_INVALID_VALUE, "tangentStride"},
    {"short joint stride", shortJointStride, VKSKIN_ERROR_INVALID_VALUE, "jointStride"},
    {"short weight stride", shortWeightStride, VKSKIN_ERROR_INVALID_VALUE, "weightStride"},
    {"long position stride", longPositionStride, VKSKIN_ERROR_INVALID_VALUE, "positionStride"},
    {"long normal stride", longNormalStride, VKSKIN_ERROR_INVALID_VALUE, "normalStride"},
    {"long tangent stride", longTangentStride, VKSKIN_ERROR_INVALID_VALUE, "tangentStride"},
    {"long joint stride", longJointStride, VKSKIN_ERROR_INVALID_VALUE, "jointStride"},
    {"long weight stride", longWeightStride, VKSKIN_ERROR_INVALID_VALUE, "weightStride"},
    {"wrapped stride", wrappedStride, VKSKIN_ERROR_INVALID_VALUE, "positionStride"},
    {"wrapped count", wrappedCount, VKSKIN_ERROR_MESH_TOO_LARGE, "4294967295 vertices"},
};

static void meshDefs(void **state) {
    Gpu *gpu = *state;
    static MeshInput input;
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    VkskinMesh mesh;
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    for (size_t i = 0; i < sizeof meshCases / sizeof meshCases[0]; i++) {
        rightMesh(&input);
        meshCases[i].spoil(&input);
        mesh = (VkskinMesh){9, 9};
        VkskinResult result = vkskinCreateMesh(context, &input.def, &mesh);
        gpuCheckRefusal(gpu, meshCases[i].label, result, meshCases[i].expected, meshCases[i].part);
        assert_true(mesh.index == 0 && mesh.generation == 0);
    }
    rightMesh(&input);
    gpuCheckRefusal(gpu, "no handle", vkskinCreateMesh(context, &input.def, NULL), VKSKIN_ERROR_NULL_ARGUMENT, "mesh");
    gpuCheckRefusal(gpu, "no def", vkskinCreateMesh(context, NULL, &mesh), VKSKIN_ERROR_NULL_ARGUMENT, "def");
    assert_int_equal(vkskinCreateMesh(NULL, &input.def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT);
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    assert_int_equal(stats.meshes, 0);
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &input.def, &mesh));
    input.def.vertexCount = 1;
    input.def.morphTargetCount = 0;
    input.def.centres = NULL;
    input.def.positionStride = input.def.normalStride = input.def.tangentStride = 65536;
    input.def.jointStride = input.def.weightStride = 65536;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &input.def, &mesh));
    vkskinDestroyContext(context);
}

/* Repairs that are documented: told, counted, and the mesh is made. */
static void meshRepairs(void **state) {
    Gpu *gpu = *state;
    static MeshInput input;
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    VkskinMesh mesh;
    VkskinMeshInfo info;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    rightMesh(&input);
    input.def.centres = NULL;
    input.weights[1][0] = 1.5f; /* sums to 1.75 */
    gpuCheckRefusal(gpu, "not normalised", vkskinCreateMesh(context, &input.def, &mesh),
                    VKSKIN_WARNING_WEIGHTS_NORMALISED, "1 of 5 vertices");
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    assert_int_equal(info.normalisedVertices, 1);
    assert_int_equal(info.influences, 2);

    rightMesh(&input);
    input.def.centres = NULL;
    input.def.maxInfluences = 1;
    gpuCheckRefusal(gpu, "trimmed", vkskinCreateMesh(context, &input.def, &mesh), VKSKIN_WARNING_INFLUENCES_TRIMMED,
                    "5 of 5 vertices");
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    assert_int_equal(info.trimmedVertices, VERTICES);
    assert_true(fabsf(info.trimmedWeight - 0.25f) < 1e-6f);
    assert_int_equal(info.influences, 1);

    rightMesh(&input);
    input.def.centres = NULL;
    input.def.maxInfluences = 1;
    input.weights[1][0] = 1.5f; /* both: each is told, the second is returned */
    assert_int_equal(vkskinCreateMesh(context, &input.def, &mesh), VKSKIN_WARNING_INFLUENCES_TRIMMED);
    assert_int_equal(gpu->log.count, 2);

    rightMesh(&input);
    input.def.centres = NULL;
    input.weights[2][1] = 0.0f; /* unused: the joint is not looked at */
    input.weights[2][0] = 1.0f;
    input.joints[2][1] = 65535;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &input.def, &mesh));
    vkskinDestroyContext(context);
}

/* More than the device can bind. The arrays are never read: the sizes are refused first. */
static VKAPI_ATTR void VKAPI_CALL smallLimits(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits.maxStorageBufferRange = 1u << 20;
}

static void meshTooLarge(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceProperties = smallLimits};
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = NULL;
    uint32_t count = 100000;
    float *values = calloc(count, 3 * sizeof *values);
    uint8_t *joints = calloc(count, 1);
    assert_true(values != NULL && joints != NULL);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = 1.0f;
    }
    def.functions = &functions;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    VkskinMeshDef mesh = vkskinDefaultMeshDef();
    VkskinMesh handle;
    mesh.vertexCount = count;
    mesh.boneCount = 1;
    mesh.positions = values;
    mesh.influencesPerVertex = 1;
    mesh.jointFormat = VKSKIN_JOINTS_U8;
    mesh.joints = joints;
    mesh.weights = values;
    gpuCheckRefusal(gpu, "too large", vkskinCreateMesh(context, &mesh, &handle), VKSKIN_ERROR_MESH_TOO_LARGE, "100000");
    vkskinDestroyContext(context);
    free(values);
    free(joints);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(meshDefs), GPU_TEST(meshRepairs), GPU_TEST(meshTooLarge)};
    return gpuRunTests("bad meshes", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
