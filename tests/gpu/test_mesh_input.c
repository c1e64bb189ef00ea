/*
 * The ways in which a mesh may come: joint formats, strides, many bones, attributes that have no direction. Each way
 * must give the vertices that the plainest one gives. And bones of any value: zero, tiny and huge scales, NaN and
 * infinity. Normals and tangents stay unit vectors, vertices of other bones are unchanged.
 */
#include "marker_scene.h"
#include "model_mesh.h"
#include "vertex_error.h"

#define VERTICES 70
#define BONES    200

/* Skins a mesh once by linear blending and gives its vertices. */
static void skinOnce(Gpu *gpu, VkskinContext context, const VkskinMeshDef *def, const VkskinAffine *bones,
                     ReadVertex *vertices) {
    VkskinMesh mesh;
    VkskinMeshInfo info;
    VkskinOutput output;
    VkskinSkinCommand command = {0};
    void *data;
    assert_true(vkskinCreateMesh(context, def, &mesh) >= 0);
    gpuMeshKernels(gpu, context, mesh, GPU_LINEAR_BLEND);
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    GPU_VKSKIN(gpu, vkskinCreateInstances(context, mesh, 1, &command.instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, def->boneCount, &command.palette, &data));
    memcpy(data, bones, sizeof *bones * def->boneCount);
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
    recordAndRun(gpu, context);
    GPU_VKSKIN(gpu, vkskinGetOutput(context, command.instance, &output));
    GpuBuffer page = gpuReadPage(gpu, context, output.page);
    for (uint32_t v = 0; v < info.vertexCount; v++) {
        vertices[v] = readVertex(page.mapped, 0, &output, &info, v);
    }
    gpuFreeBuffer(gpu, &page);
}

static VkskinContext inputContext(Gpu *gpu) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = 1;
    def.memory.pageSize = 1u << 20;
    VkskinContext context = gpuContext(gpu, &def);
    return context;
}

/* Everything of a vertex in one struct, with odd gaps: interleaved arrays of the host's. */
typedef struct Interleaved {
    float weights[4];
    uint8_t joints8[4];
    float position[3];
    uint16_t joints16[4];
    float tangent[4];
    float pad;
    float normal[3];
} Interleaved;

static Interleaved *newInterleaved(const ModelMesh *mesh) {
    Interleaved *vertices = calloc(mesh->vertexCount, sizeof *vertices);
    assert_non_null(vertices);
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        memcpy(vertices[v].weights, &mesh->weights[4 * v], sizeof vertices[v].weights);
        memcpy(vertices[v].position, &mesh->positions[3 * v], sizeof vertices[v].position);
        memcpy(vertices[v].normal, &mesh->normals[3 * v], sizeof vertices[v].normal);
        memcpy(vertices[v].tangent, &mesh->tangents[4 * v], sizeof vertices[v].tangent);
        for (int i = 0; i < 4; i++) {
            vertices[v].joints8[i] = (uint8_t)mesh->joints[4 * v + (size_t)i];
            vertices[v].joints16[i] = (uint16_t)mesh->joints[4 * v + (size_t)i];
        }
    }
    return vertices;
}

GPU_TEST(stridesAndJointFormats) {
    static ReadVertex expected[VERTICES], vertices[VERTICES];
    static VkskinAffine bones[BONES];
    Random random = {77};
    RandomMeshDef meshDef = {VERTICES, BONES, 4, 1, true};
    ModelMesh mesh = randomMesh(&random, &meshDef);
    for (uint32_t b = 0; b < BONES; b++) {
        bones[b] = randomBone(&random, 1.0f, true);
    }
    VkskinContext context = inputContext(gpu);
    VkskinMeshDef def = meshDefOfModel(&mesh);
    skinOnce(gpu, context, &def, bones, expected);
    Interleaved *interleaved = newInterleaved(&mesh);
    for (int format = 0; format < 2; format++) {
        def.positions = interleaved->position;
        def.normals = interleaved->normal;
        def.tangents = interleaved->tangent;
        def.weights = interleaved->weights;
        def.jointFormat = format == 0 ? VKSKIN_JOINTS_U8 : VKSKIN_JOINTS_U16;
        def.joints = format == 0 ? (void *)interleaved->joints8 : (void *)interleaved->joints16;
        def.positionStride = def.normalStride = def.tangentStride = sizeof *interleaved;
        def.jointStride = def.weightStride = sizeof *interleaved;
        memset(vertices, 0, sizeof vertices);
        skinOnce(gpu, context, &def, bones, vertices);
        assert_memory_equal(vertices, expected, sizeof vertices);
    }
    free(interleaved);
    gpuDestroyContext(gpu, context);
    randomMeshFree(&mesh);
}

/* Def with 8-bit joints, each vertex moved by one bone. */
static VkskinMeshDef plainDef(uint32_t vertexCount, uint32_t boneCount, const float *positions, const void *joints) {
    static const float weights[] = {1, 1, 1, 1};
    assert_true(vertexCount <= COUNT_OF(weights));
    VkskinMeshDef def = meshDefOf(vertexCount, boneCount, 1, positions, joints, weights);
    def.jointFormat = VKSKIN_JOINTS_U8;
    return def;
}

/* The last of 70,000 bones moves its vertex, and the ones between do not: joints of 32 bits. */
GPU_TEST(mostBones) {
    enum { COUNT = 70000 };
    static const VkskinPaletteBinding bindings[] = {VKSKIN_PALETTE_BINDING_STORAGE, VKSKIN_PALETTE_BINDING_TEXELS};
    static const float positions[4][3] = {{0}};
    static const uint32_t joints[4] = {0, 65535, 65536, COUNT - 1};
    VkskinAffine *bones = newZeros(COUNT, sizeof *bones);
    for (uint32_t b = 0; b < COUNT; b++) {
        bones[b].m[0][3] = (float)b;
    }
    VkskinMeshDef def = plainDef(4, COUNT, positions[0], joints);
    def.jointFormat = VKSKIN_JOINTS_U32;
    for (uint32_t i = 0; i < 2; i++) {
        if (i == 1 && gpu->properties.limits.maxTexelBufferElements == 65536) {
            continue; /* profiles.devices expects the refusal */
        }
        ReadVertex vertices[4];
        VkskinContextDef contextDef = gpuContextDef(gpu);
        contextDef.framesInFlight = 1;
        contextDef.paletteBinding = bindings[i];
        skinOnce(gpu, gpuContext(gpu, &contextDef), &def, bones, vertices);
        for (int v = 0; v < 4; v++) {
            assert_true(vertices[v].position[0] == (float)joints[v]);
        }
    }
    free(bones);
}

/* Two thirds of the first bone, which stays, and a third of the second, which moves by the largest stored weight. */
GPU_TEST(storedWeightsAreSharesOfTheLargest) {
    static const float position[3] = {0}, weights[2] = {2.0f / 3.0f, 1.0f / 3.0f};
    static const uint8_t pair[2] = {0, 1};
    static const struct {
        VkskinWeightFormat format;
        float largest;
    } cases[] = {{VKSKIN_WEIGHTS_UNORM16, 65535.0f}, {VKSKIN_WEIGHTS_UNORM8, 255.0f}};
    VkskinContext context = inputContext(gpu);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ReadVertex vertex;
        VkskinAffine bones[2] = {{{{0}}}, {{{0, 0, 0, cases[i].largest}}}};
        VkskinMeshDef def = meshDefOf(1, 2, 2, position, pair, weights);
        def.jointFormat = VKSKIN_JOINTS_U8;
        def.weightFormat = cases[i].format;
        skinOnce(gpu, context, &def, bones, &vertex);
        assert_float_equal(vertex.position[0], cases[i].largest / 3.0f, 0.1);
    }
}

/* ---- Directions ---- */

#define FEW 3

static const float positions[FEW][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
static const uint8_t joints[FEW] = {0, 0, 1};

static void checkLength(const double *v, double tolerance) {
    assert_true(fabs(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 1.0) < tolerance);
}

static void checkDirection(const double *v, const float *expected) {
    double along = v[0] * (double)expected[0] + v[1] * (double)expected[1] + v[2] * (double)expected[2];
    assert_true(along > 0.99999);
}

/* A normal without direction becomes (0, 0, 1); a tangent without one a unit vector across its normal. */
GPU_TEST(unusableDirections) {
    static const float normals[FEW][3] = {{0, 0, 0}, {0, 5, 0}, {1e-21f, 0, 0}};
    static const float tangents[FEW][4] = {{0, 0, 0, -1}, {0, 0, 0, 1}, {0, 3, 0, -1}};
    VkskinMeshDef def = plainDef(FEW, 2, positions[0], joints);
    def.normals = normals[0];
    def.tangents = tangents[0];
    const VkskinAffine still[2] = {vkskinIdentityAffine(), vkskinIdentityAffine()};
    ReadVertex vertices[FEW];
    skinOnce(gpu, inputContext(gpu), &def, still, vertices);
    assert_true(fabs(vertices[0].normal[2] - 1.0) < 1e-4);
    assert_true(fabs(vertices[1].normal[1] - 1.0) < 1e-4);
    assert_true(fabs(vertices[2].normal[2] - 1.0) < 1e-4);
    for (int v = 0; v < FEW; v++) {
        const double *normal = vertices[v].normal, *tangent = vertices[v].tangent;
        assert_true(fabs(normal[0] * tangent[0] + normal[1] * tangent[1] + normal[2] * tangent[2]) < 1e-3);
        checkLength(tangent, 1e-5);
        assert_true(tangent[3] == (double)tangents[v][3]);
    }
}

/* ---- Bones of any value ---- */

static const float normals[FEW][3] = {{1, 0, 0}, {0, 0.6f, 0.8f}, {0, 0, -1}};
static const float tangents[FEW][4] = {{0, 1, 0, 1}, {1, 0, 0, -1}, {0.6f, 0.8f, 0, 1}};

/* The first bone scales by `scale`, the second is the identity. */
static void skinScaled(Gpu *gpu, VkskinContext context, VkskinVertexFormat format, float scale,
                       ReadVertex vertices[FEW]) {
    const VkskinAffine bones[2] = {{{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}}, vkskinIdentityAffine()};
    VkskinMeshDef def = plainDef(FEW, 2, positions[0], joints);
    def.normals = normals[0];
    def.tangents = tangents[0];
    def.format = format;
    skinOnce(gpu, context, &def, bones, vertices);
}

/* Directions hold as long as there is one; at scale 0 any unit vector will do. */
static void checkScale(float scale, VkskinVertexFormat format, const ReadVertex vertices[FEW]) {
    double tolerance = format == VKSKIN_VERTEX_SNORM10 ? 2e-3 : 1e-5;
    for (uint32_t i = 0; i < FEW; i++) {
        bool moved = joints[i] == 0;
        for (int axis = 0; axis < 3; axis++) {
            float expected = positions[i][axis] * (moved ? scale : 1.0f);
            assert_true(fabsf(vertices[i].position[axis] - expected) <= 1e-5f * fabsf(expected));
        }
        checkLength(vertices[i].normal, tolerance);
        checkLength(vertices[i].tangent, tolerance);
        assert_true(vertices[i].tangent[3] == (double)tangents[i][3]);
        if (!moved || scale > 0) {
            checkDirection(vertices[i].normal, normals[i]);
            checkDirection(vertices[i].tangent, tangents[i]);
        }
    }
}

GPU_TEST(scalesOfAnySizeKeepUnitVectors) {
    const float scales[] = {0.0f, 1e-30f, 1e-22f, 1e-10f, 1.0f, 1e10f, 3e19f, 1e30f};
    VkskinContext context = inputContext(gpu);
    for (uint32_t i = 0; i < COUNT_OF(scales) * VKSKIN_VERTEX_FORMAT_COUNT; i++) {
        ReadVertex vertices[FEW];
        float scale = scales[i / VKSKIN_VERTEX_FORMAT_COUNT];
        VkskinVertexFormat format = (VkskinVertexFormat)(i % VKSKIN_VERTEX_FORMAT_COUNT);
        skinScaled(gpu, context, format, scale, vertices);
        checkScale(scale, format, vertices);
    }
}

/* What is no number spoils the vertices of its bone, and only those. */
GPU_TEST(nanStaysWithItsBone) {
    const float values[] = {NAN, INFINITY, -INFINITY, 3.0e38f, 1.0e-40f};
    VkskinContext context = inputContext(gpu);
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        ReadVertex vertices[FEW];
        skinScaled(gpu, context, VKSKIN_VERTEX_PACKED, values[i], vertices);
        assert_memory_equal(vertices[2].position, positions[2], sizeof positions[2]);
        checkDirection(vertices[2].normal, normals[2]);
        checkDirection(vertices[2].tangent, tangents[2]);
    }
}
