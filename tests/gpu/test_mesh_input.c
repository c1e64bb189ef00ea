/*
 * The ways in which a mesh may come: joint formats, strides, many bones, attributes that have no direction. Each way
 * must give the vertices that the plainest one gives.
 */
#include <math.h>

#include "gpu.h"
#include "scene.h"
#include "random.h"
#include "test.h"
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
    GPU_VKSKIN(gpu, instanceOf(context, mesh, &command.instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, def->boneCount, &command.palette, &data));
    memcpy(data, bones, sizeof *bones * def->boneCount);
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
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
    def.pageSize = 1u << 20;
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
    VkskinMeshDef def = modelMeshDef(&mesh);
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

/* 70,000 bones are more than the least that a device may view as texels. */
static void checkRefused(Gpu *gpu, VkskinContext context, uint32_t boneCount) {
    VkskinPalette palette;
    void *data;
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    gpuCheckRefusal(gpu, "palette", vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, boneCount, &palette, &data),
                    VKSKIN_ERROR_PALETTE_RING_FULL, "as texels none may be larger than 1048576 bytes on this device");
}

/* The last of 70,000 bones moves its vertex, and the ones between do not: joints of 32 bits. */
GPU_TEST(mostBones) {
    enum { COUNT = 70000 };
    VkskinAffine *bones = calloc(COUNT, sizeof *bones);
    assert_non_null(bones);
    for (uint32_t b = 0; b < COUNT; b++) {
        bones[b].m[0][3] = (float)b;
    }
    static const float positions[4][3] = {{0}}, weights[4] = {1, 1, 1, 1};
    static const uint32_t joints[4] = {0, 65535, 65536, COUNT - 1};
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = 4;
    def.boneCount = COUNT;
    def.positions = positions[0];
    def.influencesPerVertex = 1;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = joints;
    def.weights = weights;
    for (uint32_t way = 0; way < 3; way++) {
        bool texels = way == 1;
        ReadVertex vertices[4];
        VkskinContextDef contextDef = gpuContextDef(gpu);
        contextDef.framesInFlight = 1;
        contextDef.backend = way == 2 ? VKSKIN_BACKEND_CPU : VKSKIN_BACKEND_COMPUTE; /* it needs no texel view */
        contextDef.paletteBinding = way > 0 ? VKSKIN_PALETTE_BINDING_TEXELS : VKSKIN_PALETTE_BINDING_STORAGE;
        VkskinContext context = gpuContext(gpu, &contextDef);
        if (texels && gpu->properties.limits.maxTexelBufferElements == 65536) {
            checkRefused(gpu, context, COUNT);
        } else {
            skinOnce(gpu, context, &def, bones, vertices);
            for (int v = 0; v < 4; v++) {
                assert_true(vertices[v].position[0] == (float)joints[v]);
            }
        }
        gpuDestroyContext(gpu, context);
    }
    free(bones);
}

/* One vertex of 255 influences between ones of one: the mean of its bones. */
GPU_TEST(mostInfluences) {
    enum { COUNT = 255 };
    static VkskinAffine bones[COUNT];
    static float positions[3][3], weights[3][COUNT];
    static uint8_t joints[3][COUNT];
    for (uint32_t b = 0; b < COUNT; b++) {
        bones[b].m[0][3] = (float)b;
        weights[1][b] = 1.0f / COUNT;
        joints[1][b] = (uint8_t)(COUNT - 1 - b);
    }
    weights[0][7] = weights[2][254] = 1.0f;
    joints[0][7] = 3;
    joints[2][254] = 254;
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = 3;
    def.boneCount = COUNT;
    def.positions = positions[0];
    def.influencesPerVertex = COUNT;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights[0];
    ReadVertex vertices[3];
    VkskinContext context = inputContext(gpu);
    skinOnce(gpu, context, &def, bones, vertices);
    assert_true(vertices[0].position[0] == 3.0f && vertices[2].position[0] == 254.0f);
    assert_float_equal(vertices[1].position[0], 127.0f, 1e-3f);
}

/* A normal without direction becomes (0, 0, 1); a tangent without one a unit vector across its normal. */
GPU_TEST(unusableDirections) {
    static const float positions[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    static const float normals[3][3] = {{0, 0, 0}, {0, 5, 0}, {1e-21f, 0, 0}};
    static const float tangents[3][4] = {{0, 0, 0, -1}, {0, 0, 0, 1}, {0, 3, 0, -1}};
    static const float weights[3] = {1, 1, 1};
    static const uint8_t joints[3] = {0, 0, 0};
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = 3;
    def.boneCount = 1;
    def.positions = positions[0];
    def.normals = normals[0];
    def.tangents = tangents[0];
    def.influencesPerVertex = 1;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    VkskinAffine still = vkskinIdentityAffine();
    VkskinContext context = inputContext(gpu);
    ReadVertex vertices[3];
    skinOnce(gpu, context, &def, &still, vertices);
    assert_true(fabs(vertices[0].normal[2] - 1.0) < 1e-4);
    assert_true(fabs(vertices[1].normal[1] - 1.0) < 1e-4);
    assert_true(fabs(vertices[2].normal[2] - 1.0) < 1e-4);
    for (int v = 0; v < 3; v++) {
        double dot = 0.0, square = 0.0;
        for (int i = 0; i < 3; i++) {
            dot += vertices[v].normal[i] * vertices[v].tangent[i];
            square += vertices[v].tangent[i] * vertices[v].tangent[i];
        }
        assert_true(fabs(dot) < 1e-3 && fabs(square - 1.0) < 1e-4);
        assert_true(vertices[v].tangent[3] == (double)tangents[v][3]);
    }
}

/* Palette values may be anything; a zero scale hides a part. Nothing crashes, other instances stay right. */
GPU_TEST(anyPaletteValues) {
    Random random = {5};
    RandomMeshDef meshDef = {VERTICES, 4, 4, 1, true};
    ModelMesh mesh = randomMesh(&random, &meshDef);
    VkskinMeshDef def = modelMeshDef(&mesh);
    VkskinContext context = inputContext(gpu);
    static ReadVertex vertices[VERTICES];
    static const float odd[] = {0.0f, NAN, INFINITY, -INFINITY, 3.0e38f, 1.0e-40f};
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        VkskinAffine bones[4];
        for (int e = 0; e < 48; e++) {
            bones[e / 12].m[e % 12 / 4][e % 4] = odd[i];
        }
        skinOnce(gpu, context, &def, bones, vertices);
        for (int v = 0; v < VERTICES && i == 0; v++) {
            assert_true(vertices[v].position[0] == 0.0f && vertices[v].position[1] == 0.0f);
        }
    }
    gpuDestroyContext(gpu, context);
    randomMeshFree(&mesh);
}
