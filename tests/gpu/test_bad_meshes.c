/*
 * Bad meshes, each with its exact diagnostic: the result, one message of the logger's that says what is wrong, nothing
 * made. And repairs that are documented.
 */
#include "interposer.h"
#include "meshes.h"

#define VERTICES 5

#define MOVED 2

/* A right mesh of five vertices, two influences each and two morph targets, that a case spoils. */
typedef struct SpoiledMesh {
    TestMesh *built;
    VkskinMeshDef def;
    float (*positions)[3], (*normals)[3], (*tangents)[4], (*weights)[2], *blend; /* arrays of `built` */
    uint16_t (*joints)[2];
    unsigned char *centres;
    VkskinMorphTarget morphs[2];
    uint32_t moved[MOVED];
    float deltas[3][VERTICES][3]; /* deltas of the second target: positions, normals, tangents */
} SpoiledMesh;

static void rightMesh(SpoiledMesh *input) {
    if (input->built != NULL) {
        meshFree(input->built);
    }
    TestMesh *mesh =
        meshBuild((MeshSpec){VERTICES, 3, 2, .triangles = 1,
                             .attributes = MESH_NORMALS | MESH_TANGENTS | MESH_BLEND_WEIGHTS | MESH_CENTRES});
    *input = (SpoiledMesh){.built = mesh,
                           .def = mesh->def,
                           .positions = (void *)mesh->positions,
                           .normals = (void *)mesh->normals,
                           .tangents = (void *)mesh->tangents,
                           .weights = (void *)mesh->weights,
                           .blend = mesh->blendWeights,
                           .joints = mesh->joints,
                           .centres = mesh->centres,
                           .moved = {4, 1}};
    input->morphs[0] =
        (VkskinMorphTarget){.vertexCount = MOVED, .vertices = input->moved, .positions = input->deltas[0][0]};
    input->morphs[1] = (VkskinMorphTarget){.vertexCount = VERTICES,
                                           .positions = input->deltas[0][0],
                                           .normals = input->deltas[1][0],
                                           .tangents = input->deltas[2][0]};
    input->def.morphTargets = input->morphs;
    input->def.morphTargetCount = 2;
}

/* Without what flat meshes cannot have. */
static void makeFlat(SpoiledMesh *input) {
    input->def.dimensions = 2;
    input->def.normals = input->def.tangents = input->def.blendWeights = NULL;
    input->def.centres = NULL;
}

static void checkRefusal(Gpu *gpu, VkskinContext context, const SpoiledMesh *input, const char *change,
                         VkskinResult expected, const char *part) {
    VkskinMesh mesh = {9, 9};
    gpuCheckRefusal(gpu, change, vkskinCreateMesh(context, &input->def, &mesh), expected, part);
    assert_true(VKSKIN_EQUALS(mesh, VKSKIN_NULL_MESH));
}

/* Changes a right mesh. Its creation must be refused. */
#define REFUSED(expected, part, ...)                                                                                   \
    do {                                                                                                               \
        rightMesh(in);                                                                                                 \
        __VA_ARGS__;                                                                                                   \
        checkRefusal(gpu, context, in, #__VA_ARGS__, (expected), (part));                                              \
    } while (0)

static void refuseMeshes(Gpu *gpu, VkskinContext context, SpoiledMesh *in) {
    REFUSED(VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "vertex 3", in->joints[3][1] = 3);
    REFUSED(VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "65535", in->joints[3][0] = 65535);
    REFUSED(VKSKIN_ERROR_WEIGHT_NOT_FINITE, "vertex 3", in->weights[3][0] = NAN);
    REFUSED(VKSKIN_ERROR_WEIGHT_NOT_FINITE, "vertex 3", in->weights[3][1] = INFINITY);
    REFUSED(VKSKIN_ERROR_WEIGHT_NEGATIVE, "vertex 3", in->weights[3][1] = -0.25f);
    REFUSED(VKSKIN_ERROR_WEIGHT_ZERO, "vertex 3", in->weights[3][0] = in->weights[3][1] = 0.0f);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3", in->positions[3][1] = NAN);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3", in->normals[3][1] = INFINITY);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3", in->tangents[3][2] = NAN);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "vertex 3", in->tangents[3][3] = NAN);
    REFUSED(VKSKIN_ERROR_DEF_NOT_INITIALISED, "vkskinDefaultMeshDef", in->def.cookie = 0);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "positions", in->def.positions = NULL);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "joints", in->def.joints = NULL);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "weights", in->def.weights = NULL);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "normals", in->def.normals = NULL);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "vertexCount", in->def.vertexCount = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "neither bones nor morph targets", in->def.boneCount = 0,
            in->def.morphTargetCount = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "boneCount", in->def.boneCount = 1048577);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "a mesh without bones has no centres of rotation", in->def.boneCount = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "influencesPerVertex", in->def.influencesPerVertex = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "influencesPerVertex", in->def.influencesPerVertex = 256);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "maxInfluences is 256, not in 0 to 255", in->def.maxInfluences = 256);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "minWeight is -0.01, not in 0 to 0.5", in->def.minWeight = -0.01f);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "minWeight is 0.51, not in 0 to 0.5", in->def.minWeight = 0.51f);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "minWeight is nan", in->def.minWeight = NAN);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "weightFormat is 3, not in 0 to 2",
            in->def.weightFormat = (VkskinWeightFormat)3);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "normalRule is 2, not in 0 to 1", in->def.normalRule = (VkskinNormals)2);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "dimensions is 1, not in 2 to 3", in->def.dimensions = 1);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "dimensions is 4, not in 2 to 3", in->def.dimensions = 4);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "a flat mesh has no normals", makeFlat(in), in->def.normals = in->normals[0]);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "a flat mesh has no blend weights", makeFlat(in),
            in->def.blendWeights = in->blend);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "a flat mesh has no centres of rotation", makeFlat(in),
            in->def.centres = in->centres);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "positionStride", makeFlat(in), in->def.positionStride = 4);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "influencePositions need a flat mesh with bones",
            in->def.influencePositions = in->tangents[0]);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "influencePositions need a flat mesh with bones", makeFlat(in),
            in->def.influencePositions = in->tangents[0], in->def.boneCount = 0);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "influencePositionStride is 12", makeFlat(in),
            in->def.influencePositions = in->tangents[0], in->def.influencePositionStride = 12);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "the position of vertex 3", makeFlat(in),
            in->def.influencePositions = in->tangents[0], in->tangents[3][2] = NAN);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "influencePositions and vertices are both set", makeFlat(in),
            in->def.influencePositions = in->tangents[0], in->def.vertices = in->positions, in->def.vertexStride = 12,
            in->def.positionStride = 12);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "the position delta of vertex 1", makeFlat(in),
            in->deltas[0][1][0] = NAN);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "unweightedBone is not below boneCount", in->def.unweightedBone = 3);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "the blend weight of vertex 3", in->blend[3] = NAN);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "the blend weight of vertex 3 is -0.01", in->blend[3] = -0.01f);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "the blend weight of vertex 3 is 1.01", in->blend[3] = 1.01f);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "blendWeightStride", in->def.blendWeightStride = 2);
    REFUSED(VKSKIN_ERROR_CENTRES_MISMATCH, "centres", in->def.centresSize--);
    REFUSED(VKSKIN_ERROR_CENTRES_MISMATCH, "centres", in->positions[2][0] += 1.0f);
    REFUSED(VKSKIN_ERROR_CENTRES_MISMATCH, "centres", in->weights[2][1] = 0.125f);
    REFUSED(VKSKIN_ERROR_CENTRES_MISMATCH, "centres", in->joints[2][1] = 1);
    REFUSED(VKSKIN_ERROR_CENTRES_MISMATCH, "centres", memset(in->centres, 0, 32));
    REFUSED(VKSKIN_ERROR_CENTRES_MISMATCH, "centres", in->centres[0] ^= 1);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "morphTargets", in->def.morphTargets = NULL);
    REFUSED(VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "morph target 0 names vertex 5, which is past", in->moved[1] = VERTICES);
    REFUSED(VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "morph target 0 names vertex 4294967295", in->moved[1] = UINT32_MAX);
    REFUSED(VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "morph target 0 names vertex 4, which it named before",
            in->moved[1] = in->moved[0]);
    REFUSED(VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "morph target 1 moves 6 vertices",
            in->morphs[1].vertexCount = VERTICES + 1);
    REFUSED(VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "moves 4 vertices in order", in->morphs[1].vertexCount = VERTICES - 1);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "in morph target 0 the position delta of vertex 1",
            in->deltas[0][1][0] = NAN);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "in morph target 1 the normal delta of vertex 3",
            in->deltas[1][3][2] = INFINITY);
    REFUSED(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "in morph target 1 the tangent delta of vertex 3",
            in->deltas[2][3][1] = NAN);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "jointFormat", in->def.jointFormat = (VkskinJointFormat)3);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "format", in->def.format = VKSKIN_VERTEX_FORMAT_COUNT);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "positionStride", in->def.positionStride = 8);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "normalStride", in->def.normalStride = 8);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "tangentStride", in->def.tangentStride = 12);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "jointStride", in->def.jointStride = 2);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "weightStride", in->def.weightStride = 4);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "positionStride", in->def.positionStride = 65540);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "normalStride", in->def.normalStride = 65540);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "tangentStride", in->def.tangentStride = 65540);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "jointStride", in->def.jointStride = 65537);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "weightStride", in->def.weightStride = 65540);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "positionStride", in->def.positionStride = (size_t)-12);
    REFUSED(VKSKIN_ERROR_MESH_TOO_LARGE, "4294967295 vertices", in->def.vertexCount = UINT32_MAX);
}

/* A layout of two streams that suits a right mesh: position and tangent, normal. */
static const VkskinOutputLayout rightLayout = {
    .streamCount = 2, .strides = {32, 8}, .position = {0, 4}, .normal = {1, 4}, .tangent = {0, 16}};

/* Changes a layout that suits a right mesh. The mesh must be refused. */
#define REFUSED_LAYOUT(part, ...)                                                                                      \
    do {                                                                                                               \
        VkskinOutputLayout layout = rightLayout, *l = &layout;                                                         \
        rightMesh(in);                                                                                                 \
        in->def.layout = l;                                                                                            \
        __VA_ARGS__;                                                                                                   \
        checkRefusal(gpu, context, in, #__VA_ARGS__, VKSKIN_ERROR_INVALID_VALUE, (part));                              \
    } while (0)

GPU_TEST(meshLayouts) {
    static SpoiledMesh input, *in = &input;
    VkskinContext context = gpuContext(gpu, NULL);
    VkskinMesh mesh;
    VkskinMeshInfo info;
    REFUSED_LAYOUT("layout->streamCount is 0, not in 1 to 4", l->streamCount = 0);
    REFUSED_LAYOUT("layout->streamCount is 5, not in 1 to 4", l->streamCount = 5);
    REFUSED_LAYOUT("layout->strides[1] is 0", l->strides[1] = 0);
    REFUSED_LAYOUT("layout->strides[1] is 10, not a multiple of 4", l->strides[1] = 10);
    REFUSED_LAYOUT("layout->strides[0] is 2052", l->strides[0] = 2052);
    REFUSED_LAYOUT("layout->normal.stream is 2, not below streamCount (2)", l->normal.stream = 2);
    REFUSED_LAYOUT("layout->tangent.offset is 18, not a multiple of 4", l->tangent.offset = 18);
    REFUSED_LAYOUT("layout->tangent.offset is 32: its 4 bytes end past the stride of 32", l->tangent.offset = 32);
    REFUSED_LAYOUT("layout->position.offset is 4294967292", l->position.offset = UINT32_MAX - 3);
    REFUSED_LAYOUT("layout->tangent overlaps layout->position in stream 0", l->tangent.offset = 12);
    REFUSED_LAYOUT("layout->tangent overlaps layout->position in stream 0", l->positionW = true);
    REFUSED_LAYOUT("layout->normal overlaps layout->position in stream 0", l->normal = (VkskinAttributePlace){0, 8});
    REFUSED_LAYOUT("layout->positionW is true, a flat mesh", l->positionW = true, makeFlat(in));
    static const uint32_t colours[VERTICES], pairs[VERTICES][2];
    REFUSED_LAYOUT("layout->passThroughCount is 9", l->passThroughCount = 9);
    REFUSED_LAYOUT("layout->passThrough[0].size is 6", l->passThroughCount = 1,
                   l->passThrough[0] = (VkskinPassThrough){{1, 0}, 6, 0});
    REFUSED_LAYOUT("layout->passThrough[0] overlaps layout->normal in stream 1", l->passThroughCount = 1,
                   l->passThrough[0] = (VkskinPassThrough){{1, 4}, 4, 0});
    REFUSED_LAYOUT("passThrough[0].stride", l->passThroughCount = 1,
                   l->passThrough[0] = (VkskinPassThrough){{1, 0}, 4, 0},
                   in->def.passThrough = &(VkskinPassThroughData){colours, 3});
    REFUSED_LAYOUT("passThrough[0].stride is 0 (tightly packed: 4 bytes), but passThrough[0] and positions overlap",
                   l->passThroughCount = 1, l->passThrough[0] = (VkskinPassThrough){{1, 0}, 4, 0},
                   in->def.positionStride = 12,
                   in->def.passThrough = &(VkskinPassThroughData){in->positions[0] + 2, 0});
    REFUSED_LAYOUT(
        "passThrough[1].stride is 0 (tightly packed: 4 bytes), but passThrough[1] and passThrough[0] overlap",
        l->streamCount = 3, l->strides[2] = 8, l->passThroughCount = 2,
        l->passThrough[0] = (VkskinPassThrough){{2, 0}, 4, 0}, l->passThrough[1] = (VkskinPassThrough){{2, 4}, 4, 0},
        in->def.passThrough = (VkskinPassThroughData[2]){{pairs[0], 8}, {pairs[0] + 1, 0}});
    VkskinOutputLayout passing = rightLayout;
    passing.passThroughCount = 1;
    passing.passThrough[0] = (VkskinPassThrough){{1, 0}, 4, 0};
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "passThrough is null", in->def.layout = &passing);
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "mesh test: passThrough is set, layout is null",
            in->def.passThrough = &(VkskinPassThroughData){colours, 0});
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "unnamed mesh: positions is null", in->def.positions = NULL,
            in->def.name = NULL);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "passThrough[0].data is null", in->def.layout = &passing,
            in->def.passThrough = &(VkskinPassThroughData){NULL, 0});
    rightMesh(in);
    in->def.layout = &rightLayout;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &in->def, &mesh));
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    assert_int_equal(info.layout.strides[0], 32);
    assert_int_equal(info.streamOffsets[1], 32 * VERTICES);
    assert_int_equal(info.outputBytes, 32 * VERTICES + (8 * VERTICES + 15) / 16 * 16);
    passing.passThroughCount = 2; /* the same values twice do not clash */
    passing.passThrough[1] = (VkskinPassThrough){{0, 20}, 4, 0};
    in->def.layout = &passing;
    in->def.passThrough = (VkskinPassThroughData[2]){{pairs[0], 8}, {pairs[0] + 1, 8}};
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &in->def, &mesh));
    in->def.passThrough = (VkskinPassThroughData[2]){{colours, 0}, {colours, 0}};
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &in->def, &mesh));
    makeFlat(in); /* places of attributes that it does not have are not read */
    in->def.layout = &(VkskinOutputLayout){.streamCount = 1, .strides = {8}, .normal = {9, 9}, .tangent = {9, 9}};
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &in->def, &mesh));
}

/* A vertex of a host, with all that a mesh reads. */
typedef struct FullVertex {
    float position[3], normal[3];
    uint32_t colour;
    float tangent[4], weights[2];
    uint16_t joints[2];
} FullVertex;

static FullVertex full[VERTICES];

static void makeInterleaved(SpoiledMesh *input) {
    VkskinMeshDef *def = &input->def;
    for (int v = 0; v < VERTICES; v++) {
        full[v] = (FullVertex){{(float)v},   {0, 0, 1},    7,
                               {1, 0, 0, 1}, {0.5f, 0.5f}, {(uint16_t)(v % 3), (uint16_t)((v + 1) % 3)}};
    }
    def->vertices = full;
    def->vertexStride = sizeof(FullVertex);
    def->positions = full->position;
    def->normals = full->normal;
    def->tangents = full->tangent;
    def->weights = full->weights;
    def->joints = full->joints;
}

GPU_TEST(interleavedMeshes) {
    static SpoiledMesh input, *in = &input;
    VkskinContext context = gpuContext(gpu, NULL);
    VkskinMeshInfo info;
    VkskinMesh mesh;
    const VkskinResult bad = VKSKIN_ERROR_INVALID_VALUE;
    REFUSED(bad, "vertexStride is set, vertices is null", in->def.vertexStride = 64);
    REFUSED(bad, "vertices and layout are both set", makeInterleaved(in), in->def.layout = &rightLayout);
    REFUSED(bad, "vertices and passThrough are both set", makeInterleaved(in),
            in->def.passThrough = &(VkskinPassThroughData){full, 0});
    REFUSED(bad, "format is VKSKIN_VERTEX_SNORM10", makeInterleaved(in), in->def.format = VKSKIN_VERTEX_SNORM10);
    REFUSED(bad, "format is 3, not in 0 to 2", makeInterleaved(in), in->def.format = (VkskinVertexFormat)3);
    REFUSED(bad, "vertexStride is not a multiple of 4", makeInterleaved(in), in->def.vertexStride = 66);
    REFUSED(bad, "vertexStride is 0, not in 8 to 2048", makeInterleaved(in), in->def.vertexStride = 0);
    REFUSED(bad, "vertexStride is 2052, not in 8 to 2048", makeInterleaved(in), in->def.vertexStride = 2052);
    REFUSED(bad, "tangents is not inside the first of the interleaved vertices, which has 40 bytes",
            makeInterleaved(in), in->def.vertexStride = 40);
    REFUSED(bad, "normals is not inside the first", makeInterleaved(in), in->def.normals = in->normals[0]);
    REFUSED(bad, "positions is not inside the first", makeInterleaved(in), in->def.positions = full[1].position);
    REFUSED(bad, "normalStride is 16, vertexStride is 56", makeInterleaved(in), in->def.normalStride = 16);
    REFUSED(bad, "layout->normal overlaps layout->position", makeInterleaved(in), in->def.normals = full->position + 1);
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "positions is null", makeInterleaved(in), in->def.positions = NULL);
    REFUSED(VKSKIN_ERROR_WEIGHT_NEGATIVE, "weight 1 of vertex 4", makeInterleaved(in), full[4].weights[1] = -1);
    rightMesh(in);
    makeInterleaved(in);
    GPU_VKSKIN_IS(gpu, VKSKIN_SUCCESS, vkskinCreateMesh(context, &in->def, &mesh));
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    assert_int_equal(info.format, VKSKIN_VERTEX_FLOAT);
    assert_int_equal(info.layout.strides[0], 56);
    assert_int_equal(info.layout.passThroughCount, 2);
    assert_int_equal(info.layout.passThrough[1].size, 12); /* weights and joints */
    assert_int_equal(info.sorted, true);
    assert_int_equal(info.influences, 2);
}

/* Room for float normals and tangents, although the format is packed. */
GPU_TEST(gapsOfForgottenFormats) {
    static SpoiledMesh input, *in = &input;
    static const VkskinOutputLayout roomy = {
        .streamCount = 2, .strides = {28, 12}, .position = {0, 0}, .normal = {1, 0}, .tangent = {0, 12}};
    VkskinContext context = gpuContext(gpu, NULL);
    VkskinOutputLayout layout = roomy;
    VkskinMesh mesh;
    rightMesh(in);
    in->def.layout = &layout;
    gpuCheckRefusal(gpu, "packed", vkskinCreateMesh(context, &in->def, &mesh), VKSKIN_WARNING_GAP_AFTER_NORMAL,
                    "mesh test: layout has a gap after the normal");
    assert_false(VKSKIN_IS_NULL(mesh));
    in->def.format = VKSKIN_VERTEX_SNORM10; /* chosen, so not forgotten */
    GPU_VKSKIN_IS(gpu, VKSKIN_SUCCESS, vkskinCreateMesh(context, &in->def, &mesh));
    in->def.format = VKSKIN_VERTEX_FLOAT;
    GPU_VKSKIN_IS(gpu, VKSKIN_SUCCESS, vkskinCreateMesh(context, &in->def, &mesh));
    in->def.format = VKSKIN_VERTEX_PACKED;
    layout.strides[1] = 8; /* no room for the normal */
    GPU_VKSKIN_IS(gpu, VKSKIN_SUCCESS, vkskinCreateMesh(context, &in->def, &mesh));
    layout = roomy;
    layout.strides[0] = 24; /* no room for the tangent */
    GPU_VKSKIN_IS(gpu, VKSKIN_SUCCESS, vkskinCreateMesh(context, &in->def, &mesh));
    layout = roomy;
    in->def.normals = in->def.tangents = NULL;
    in->morphs[1].normals = in->morphs[1].tangents = NULL;
    GPU_VKSKIN_IS(gpu, VKSKIN_SUCCESS, vkskinCreateMesh(context, &in->def, &mesh));
}

GPU_TEST(meshDefs) {
    static SpoiledMesh input;
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinMesh mesh;
    VkskinStats stats;
    VkskinContext context = gpuContext(gpu, &def);
    refuseMeshes(gpu, context, &input);
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
}

/* Documented repairs: each is logged and counted, and the mesh is created. */
GPU_TEST(meshRepairs) {
    static SpoiledMesh input;
    VkskinMesh mesh;
    VkskinMeshInfo info;
    VkskinContext context = gpuContext(gpu, NULL);
    rightMesh(&input);
    input.def.centres = NULL;
    input.weights[1][0] = 1.25f; /* sums to 1.75 */
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
    assert_true(fabsf(info.trimmedWeight - 0.5f) < 1e-6f);
    assert_int_equal(info.influences, 1);

    rightMesh(&input);
    input.def.centres = NULL;
    input.def.maxInfluences = 1;
    input.weights[1][0] = 1.5f; /* both: each is logged, the second is returned */
    assert_int_equal(vkskinCreateMesh(context, &input.def, &mesh), VKSKIN_WARNING_INFLUENCES_TRIMMED);
    assert_int_equal(gpu->log.count, 2);

    rightMesh(&input);
    input.def.centres = NULL;
    input.weights[2][1] = 0.0f; /* unused: the joint is not checked */
    input.weights[2][0] = 1.0f;
    input.joints[2][1] = 65535;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &input.def, &mesh));
}

/* More than the device can bind. */
INTERPOSER_TEST(meshTooLarge) {
    interposerBegin(gpu);
    interposer.limits.maxStorageBufferRange = 1u << 20;
    VkskinVulkanFunctions functions = interposerFunctions();
    VkskinContextDef def = gpuContextDef(gpu);
    def.memory.maxInstances = def.memory.maxMorphWeights = 64; /* the job table then fits */
    def.functions = &functions;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMesh mesh;
    gpuCheckRefusal(gpu, "too large", markerTryMesh(context, 100000, false, &mesh), VKSKIN_ERROR_MESH_TOO_LARGE,
                    "100000");
}

/* However long the mesh's name, and whatever it contains: a logger's line stays a line. */
GPU_TEST(messagesHaveALengthAndNoControls) {
    VkskinContext context = gpuContext(gpu, NULL);
    char name[1000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    VkskinMeshDef def = vkskinDefaultMeshDef();
    VkskinMesh mesh;
    def.name = name;
    gpuCheckRefusal(gpu, "long", vkskinCreateMesh(context, &def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT, "mesh nnn");
    assert_int_equal(strlen(gpu->log.lastText), 255);
    def.name = "a\nb\x1b"
               "c\x7f"
               "d\xc3\xa9";
    gpuCheckRefusal(gpu, "controls", vkskinCreateMesh(context, &def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT,
                    "mesh a b c d\xc3\xa9: positions is null");
}
