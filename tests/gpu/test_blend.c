/*
 * Bones: linear blending and dual quaternions where they differ (a twist, pairs of opposite sign); and bones of any value:
 * zero, tiny and huge scales, NaN and infinity. Normals and tangents stay unit vectors, other vertices are unchanged.
 */
#include <math.h>

#include "random.h"
#include "scene.h"
#include "test.h"
#include "vertex_error.h"

/* ---- Blending ---- */

#define SIDES         24
#define RINGS         21
#define TUBE_VERTICES (SIDES * RINGS)
#define PI            3.14159265358979

/* A tube of radius 1 along x from 0 to 1, bone 0 at its start, bone 1 at its end, weights linear in between. */
typedef struct Tube {
    float positions[TUBE_VERTICES][3];
    uint8_t joints[TUBE_VERTICES][2];
    float weights[TUBE_VERTICES][2];
} Tube;

static void buildTube(Tube *tube) {
    for (int v = 0; v < TUBE_VERTICES; v++) {
        double angle = 2.0 * PI * (v % SIDES) / SIDES;
        float along = (float)(v / SIDES) / (RINGS - 1);
        tube->positions[v][0] = along;
        tube->positions[v][1] = (float)cos(angle);
        tube->positions[v][2] = (float)sin(angle);
        tube->joints[v][0] = 0;
        tube->joints[v][1] = 1;
        tube->weights[v][0] = 1.0f - along;
        tube->weights[v][1] = along;
    }
}

static void writeBone(VkskinMethod method, void *palette, uint32_t bone, const float rotation[4], float sign) {
    static const float still[3] = {0, 0, 0};
    if (method == VKSKIN_METHOD_DUAL_QUATERNION) {
        float *entry = (float *)palette + 8 * (size_t)bone;
        dualQuaternionEntry(rotation, still, entry);
        for (int i = 0; i < 8; i++) {
            entry[i] *= sign;
        }
    } else {
        VkskinTransform transform = vkskinIdentityTransform();
        memcpy(transform.rotation, rotation, sizeof transform.rotation);
        VkskinAffine affine = vkskinAffineFromTransform(&transform);
        memcpy((char *)palette + sizeof affine * bone, &affine, sizeof affine);
    }
}

static VkskinContext shared; /* with the tube's mesh; kept from test to test, as kernels take long to make */
static VkskinMesh tubeMesh;

static void destroyShared(void) {
    vkskinDestroyContext(shared);
    shared = NULL;
}

static void createShared(Gpu *gpu) {
    VkskinContextDef contextDef = gpuContextDef(gpu);
    contextDef.pageSize = 1u << 20;
    contextDef.framesInFlight = 1;
    GPU_VKSKIN(gpu, vkskinCreateContext(&contextDef, &shared));
    gpu->finish = destroyShared;
    Tube *tube = malloc(sizeof *tube);
    assert_non_null(tube);
    buildTube(tube);
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = TUBE_VERTICES;
    def.boneCount = 2;
    def.positions = tube->positions[0];
    def.influencesPerVertex = 2;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = tube->joints;
    def.weights = tube->weights[0];
    GPU_VKSKIN(gpu, vkskinCreateMesh(shared, &def, &tubeMesh));
    gpuMeshKernels(gpu, shared, tubeMesh, GPU_LINEAR_BLEND | VKSKIN_METHOD_DUAL_QUATERNION_BIT);
    free(tube);
}

/* Skins the tube with bone 1 turned by `angle` about x, both bones' signs as given. */
static void skinTube(Gpu *gpu, VkskinMethod method, double angle, float sign0, float sign1,
                     float positions[TUBE_VERTICES][3]) {
    static const float still[4] = {0, 0, 0, 1};
    float turned[4] = {(float)sin(angle / 2), 0, 0, (float)cos(angle / 2)};
    VkskinSkinCommand command = {.method = method};
    void *palette;
    if (shared == NULL) {
        createShared(gpu);
    }
    GPU_VKSKIN(gpu, vkskinBeginFrame(shared, 0));
    GPU_VKSKIN(gpu, instanceOf(shared, tubeMesh, &command.instance));
    GPU_VKSKIN(gpu, vkskinAllocatePalette(shared, vkskinMethodEncoding(method), 2, &command.palette, &palette));
    writeBone(method, palette, 0, still, sign0);
    writeBone(method, palette, 1, turned, sign1);
    GPU_VKSKIN(gpu, vkskinSkinInstances(shared, &command, 1));
    recordAndRun(gpu, shared);
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinGetOutput(shared, command.instance, &output));
    GpuBuffer page = gpuReadPage(gpu, shared, output.page);
    memcpy(positions, (char *)page.mapped + output.positionOffset, sizeof(float) * 3 * TUBE_VERTICES);
    gpuFreeBuffer(gpu, &page);
    GPU_VKSKIN(gpu, vkskinDestroyInstance(shared, command.instance));
}

static double radiusOf(const float position[3]) {
    return hypot(position[1], position[2]);
}

GPU_TEST(twistKeepsItsVolume) {
    static float positions[TUBE_VERTICES][3];
    int middle = RINGS / 2 * SIDES;
    double almost = PI * 0.9999; /* at 180 degrees exactly neither way round is the shorter one */
    skinTube(gpu, VKSKIN_METHOD_LINEAR_BLEND, almost, 1, 1, positions);
    assert_true(radiusOf(positions[middle]) < 0.01);
    skinTube(gpu, VKSKIN_METHOD_DUAL_QUATERNION, almost, 1, 1, positions);
    for (int v = 0; v < TUBE_VERTICES; v++) {
        assert_true(fabs(radiusOf(positions[v]) - 1.0) < 1e-4);
        assert_true(fabs(positions[v][0] - (float)(v / SIDES) / (RINGS - 1)) < 1e-5);
    }
}

/* The rings turn step by step: halfway stands at half the angle. */
GPU_TEST(twistTurnsEvenly) {
    static float positions[TUBE_VERTICES][3];
    skinTube(gpu, VKSKIN_METHOD_DUAL_QUATERNION, PI / 2, 1, 1, positions);
    const float *middle = positions[RINGS / 2 * SIDES]; /* was at (0.5, 1, 0) */
    assert_true(fabs(middle[1] - cos(PI / 4)) < 1e-5);
    assert_true(fabs(middle[2] - sin(PI / 4)) < 1e-5);
}

/* q and -q are one rotation: every choice of signs gives the same vertices. */
GPU_TEST(oppositeSignsDoNotFlip) {
    static float expected[TUBE_VERTICES][3], positions[TUBE_VERTICES][3];
    for (int turn = 0; turn < 3; turn++) {
        double angle = turn * 0.9;
        skinTube(gpu, VKSKIN_METHOD_DUAL_QUATERNION, angle, 1, 1, expected);
        for (int signs = 1; signs < 4; signs++) {
            skinTube(gpu, VKSKIN_METHOD_DUAL_QUATERNION, angle, signs & 1 ? -1.0f : 1.0f, signs & 2 ? -1.0f : 1.0f,
                     positions);
            for (int v = 0; v < TUBE_VERTICES; v++) {
                for (int i = 0; i < 3; i++) {
                    assert_true(fabsf(positions[v][i] - expected[v][i]) < 1e-6f);
                }
            }
        }
    }
}

/* ---- Bones of any value ---- */

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

GPU_TEST(scalesOfAnySizeKeepUnitVectors) {
    const float scales[] = {0.0f, 1e-30f, 1e-22f, 1e-10f, 1.0f, 1e10f, 3e19f, 1e30f};
    for (int format = 0; format < VKSKIN_VERTEX_FORMAT_COUNT; format++) {
        Subject subject = makeSubject(gpu, (VkskinVertexFormat)format);
        for (size_t i = 0; i < COUNT_OF(scales); i++) {
            checkScale(gpu, &subject, scales[i]);
        }
        gpuDestroyContext(gpu, subject.context);
    }
}

/* What is no number spoils the vertices of its bone, and only those. */
GPU_TEST(nanStaysWithItsBone) {
    Subject subject = makeSubject(gpu, VKSKIN_VERTEX_PACKED);
    const float values[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        ReadVertex vertices[VERTICES];
        skinScaled(gpu, &subject, values[i], vertices);
        assert_memory_equal(vertices[2].position, positions[2], sizeof positions[2]);
        checkDirection(vertices[2].normal, normals[2]);
        checkDirection(vertices[2].tangent, tangents[2]);
    }
}
