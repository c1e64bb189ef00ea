/*
 * Bones of any value: a scale of nothing, of hardly anything, of more than a square can hold, and no number at all.
 * Normals and tangents stay unit vectors, and what other bones move is not touched.
 */
#include <math.h>
#include <string.h>

#include "scene.h"
#include "vertex_error.h"

#define VERTICES 3

static const float positions[VERTICES][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
static const float normals[VERTICES][3] = {{1, 0, 0}, {0, 0.6f, 0.8f}, {0, 0, -1}};
static const float tangents[VERTICES][4] = {{0, 1, 0, 1}, {1, 0, 0, -1}, {0.6f, 0.8f, 0, 1}};
static const uint8_t joints[VERTICES] = {0, 0, 1};
static const float weights[VERTICES] = {1, 1, 1};

typedef struct Subject {
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instance;
    VkskinMeshInfo info;
} Subject;

static Subject makeSubject(Gpu *gpu, VkskinVertexFormat format) {
    VkskinContextDef contextDef = gpuContextDef(gpu);
    contextDef.framesInFlight = 1;
    Subject subject = {.context = gpuContext(gpu, &contextDef)};
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = VERTICES;
    def.boneCount = 2;
    def.positions = positions[0];
    def.normals = normals[0];
    def.tangents = tangents[0];
    def.influencesPerVertex = 1;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    def.format = format;
    GPU_VKSKIN(gpu, vkskinCreateMesh(subject.context, &def, &subject.mesh));
    gpuMeshKernels(gpu, subject.context, subject.mesh, GPU_LINEAR_BLEND);
    GPU_VKSKIN(gpu, instanceOf(subject.context, subject.mesh, &subject.instance));
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(subject.context, subject.mesh, &subject.info));
    return subject;
}

/* The first bone scales by `scale`, the second is the identity. */
static void skinScaled(Gpu *gpu, const Subject *subject, float scale, ReadVertex vertices[VERTICES]) {
    const float bones[2][3][4] = {
        {{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}},
        {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
    };
    VkskinContext context = subject->context;
    VkskinSkinCommand command = {.instance = subject->instance, .method = VKSKIN_METHOD_LINEAR_BLEND};
    void *data;
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 2, &command.palette, &data));
    memcpy(data, bones, sizeof bones);
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
    recordAndRun(gpu, context);
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinGetOutput(context, subject->instance, &output));
    GpuBuffer page = gpuReadPage(gpu, context, output.page);
    for (uint32_t i = 0; i < VERTICES; i++) {
        vertices[i] = readVertex(page.mapped, 0, &output, &subject->info, i);
    }
    gpuFreeBuffer(gpu, &page);
}

static void checkUnit(const double *v) {
    assert_true(fabs(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 1.0) < 1e-5);
}

static void checkDirection(const double *v, const float *expected) {
    double along = v[0] * (double)expected[0] + v[1] * (double)expected[1] + v[2] * (double)expected[2];
    assert_true(along > 0.99999);
}

/* Directions hold as long as there is one; at scale 0 any unit vector will do. */
static void checkScale(Gpu *gpu, const Subject *subject, float scale) {
    ReadVertex vertices[VERTICES];
    skinScaled(gpu, subject, scale, vertices);
    for (uint32_t i = 0; i < VERTICES; i++) {
        bool moved = joints[i] == 0;
        for (int axis = 0; axis < 3; axis++) {
            float expected = positions[i][axis] * (moved ? scale : 1.0f);
            assert_true(fabsf(vertices[i].position[axis] - expected) <= 1e-5f * fabsf(expected));
        }
        checkUnit(vertices[i].normal);
        checkUnit(vertices[i].tangent);
        assert_true(vertices[i].tangent[3] == (double)tangents[i][3]);
        if (!moved || scale > 0) {
            checkDirection(vertices[i].normal, normals[i]);
            checkDirection(vertices[i].tangent, tangents[i]);
        }
    }
}

static void scalesOfAnySizeKeepUnitVectors(void **state) {
    const float scales[] = {0.0f, 1e-30f, 1e-22f, 1e-10f, 1.0f, 1e10f, 3e19f, 1e30f};
    for (int format = 0; format < VKSKIN_VERTEX_FORMAT_COUNT; format++) {
        Subject subject = makeSubject(*state, (VkskinVertexFormat)format);
        for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
            checkScale(*state, &subject, scales[i]);
        }
        vkskinDestroyContext(subject.context);
    }
}

/* What is no number spoils the vertices of its bone, and only those. */
static void nanStaysWithItsBone(void **state) {
    Subject subject = makeSubject(*state, VKSKIN_VERTEX_PACKED);
    const float values[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        ReadVertex vertices[VERTICES];
        skinScaled(*state, &subject, values[i], vertices);
        assert_memory_equal(vertices[2].position, positions[2], sizeof positions[2]);
        checkDirection(vertices[2].normal, normals[2]);
        checkDirection(vertices[2].tangent, tangents[2]);
    }
    vkskinDestroyContext(subject.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {GPU_TEST(scalesOfAnySizeKeepUnitVectors), GPU_TEST(nanStaysWithItsBone)};
    return gpuRunTests("extreme", tests, sizeof tests / sizeof tests[0], NULL);
}
