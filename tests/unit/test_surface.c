/* What the calls of vkskin_mesh.h refuse: every documented error with its message, by each call that reads the field. */
#include <math.h>

#include "surfaces.h"
#include "test.h"

#define VERTICES 4
#define ORDER    1u
#define CENTRES  2u
#define SPLIT    4u
#define ALL      (ORDER | CENTRES | SPLIT)

static TestSurface *square(void) {
    TestSurface *surface = makeSurface(VERTICES, 3, 2, 2);
    for (uint32_t vertex = 0; vertex < VERTICES; vertex++) {
        setPosition(surface, vertex, (float)(vertex % 2), (float)(vertex / 2), 0.0f);
        setInfluence(surface, vertex, 0, (uint16_t)(vertex % 3), 0.5f);
    }
    setTriangle(surface, 0, 0, 1, 2);
    setTriangle(surface, 1, 1, 3, 2);
    return surface;
}

/* Makes one call; what it would write is checked to be as it was where the call fails. */
static VkskinResult callOne(uint32_t call, const VkskinMeshDef *def, const VkskinPrepareRun *run) {
    unsigned char centres[32 + 12 * VERTICES];
    unsigned char untouched[sizeof centres];
    uint32_t order[VERTICES];
    VkskinSplit split = (VkskinSplit)(uintptr_t)8;
    VkskinResult result;
    memset(centres, 0xa5, sizeof centres);
    memset(untouched, 0xa5, sizeof untouched);
    memset(order, 0xa5, sizeof order);
    switch (call) {
    case ORDER:
        result = vkskinSortVertices(def, run, order);
        assert_true(result == VKSKIN_SUCCESS || memcmp(order, untouched, sizeof order) == 0);
        break;
    case CENTRES:
        result = vkskinComputeCentres(def, run, centres, sizeof centres);
        assert_true(result == VKSKIN_SUCCESS || memcmp(centres, untouched, sizeof centres) == 0);
        break;
    default:
        result = vkskinSplitMesh(def, 3, run, &split);
        assert_int_equal(result == VKSKIN_SUCCESS, split != NULL);
        vkskinDestroySplit(split);
    }
    return result;
}

static void *allocateNothing(void *user, size_t size, size_t alignment) {
    (void)user;
    (void)size;
    (void)alignment;
    return NULL;
}

/* ---- What a test spoils ---- */

static void nothing(TestSurface *s) {
    (void)s;
}
static void noPositions(TestSurface *s) {
    s->def.positions = NULL;
}
static void noJoints(TestSurface *s) {
    s->def.joints = NULL;
}
static void noWeights(TestSurface *s) {
    s->def.weights = NULL;
}
static void noIndices(TestSurface *s) {
    s->def.indices = NULL;
}
static void noMaterials(TestSurface *s) {
    s->def.materials = NULL;
}
static void noVertices(TestSurface *s) {
    s->def.vertexCount = 0;
}
static void noBones(TestSurface *s) {
    s->def.boneCount = 0;
}
static void tooManyBones(TestSurface *s) {
    s->def.boneCount = 1048577;
}
static void mostBones(TestSurface *s) {
    s->def.boneCount = 1048576;
}
static void noInfluences(TestSurface *s) {
    s->def.influencesPerVertex = 0;
}
static void tooManyInfluences(TestSurface *s) {
    s->def.influencesPerVertex = 256;
}
static void unknownJoints(TestSurface *s) {
    s->def.jointFormat = (VkskinJointFormat)3;
}
static void noTriangles(TestSurface *s) {
    s->def.indexCount = 0;
}
static void halfATriangle(TestSurface *s) {
    s->def.indexCount = 4;
}
static void narrowPositions(TestSurface *s) {
    s->def.positionStride = 8;
}
static void narrowJoints(TestSurface *s) {
    s->def.jointStride = 3;
}
static void oddWeights(TestSurface *s) {
    s->def.weightStride = 10;
}
static void wideWeights(TestSurface *s) {
    s->def.weightStride = 65540;
}
static void lateJoint(TestSurface *s) {
    setInfluence(s, 2, 1, 3, 0.25f);
}
static void lateJointWithoutWeight(TestSurface *s) {
    setInfluence(s, 2, 1, 3, 0.0f);
}
static void notANumber(TestSurface *s) {
    setInfluence(s, 1, 1, 0, NAN);
}
static void negative(TestSurface *s) {
    setInfluence(s, 3, 0, 0, -0.5f);
}
static void weightless(TestSurface *s) {
    setInfluence(s, 3, 0, 0, 0.0f);
}
static void farAway(TestSurface *s) {
    setPosition(s, 2, 0.0f, INFINITY, 0.0f);
}
static void manyKept(TestSurface *s) {
    s->def.maxInfluences = 256;
}
static void largeMinWeight(TestSurface *s) {
    s->def.minWeight = 0.625f;
}
static void noMinWeight(TestSurface *s) {
    s->def.minWeight = NAN;
}
static void unknownWeights(TestSurface *s) {
    s->def.weightFormat = (VkskinWeightFormat)3;
}
static void flat(TestSurface *s) {
    s->def.dimensions = 2;
}
static void lateIndex(TestSurface *s) {
    setTriangle(s, 1, 1, 4, 2);
}

typedef struct Refusal {
    void (*spoil)(TestSurface *surface);
    uint32_t calls; /* that refuse it; the others succeed */
    VkskinResult result;
    const char *message;
} Refusal;

static const Refusal refusals[] = {
    {nothing, 0, VKSKIN_SUCCESS, NULL},
    {noMaterials, 0, VKSKIN_SUCCESS, NULL},
    {mostBones, 0, VKSKIN_SUCCESS, NULL},
    {lateJointWithoutWeight, 0, VKSKIN_SUCCESS, NULL},
    {noPositions, CENTRES, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: positions is null"},
    {noJoints, ALL, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: joints is null"},
    {noWeights, ALL, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: weights is null"},
    {noIndices, CENTRES | SPLIT, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: indices is null"},
    {noVertices, ALL, VKSKIN_ERROR_INVALID_VALUE, "mesh test: vertexCount is 0, not in 1 to 4294967295"},
    {noBones, ALL, VKSKIN_ERROR_INVALID_VALUE, "mesh test: boneCount is 0, not in 1 to 1048576"},
    {tooManyBones, ALL, VKSKIN_ERROR_INVALID_VALUE, "mesh test: boneCount is 1048577, not in 1 to 1048576"},
    {noInfluences, ALL, VKSKIN_ERROR_INVALID_VALUE, "mesh test: influencesPerVertex is 0, not in 1 to 255"},
    {tooManyInfluences, ALL, VKSKIN_ERROR_INVALID_VALUE, "mesh test: influencesPerVertex is 256, not in 1 to 255"},
    {unknownJoints, ALL, VKSKIN_ERROR_INVALID_VALUE, "mesh test: jointFormat is 3, not in 0 to 2"},
    {noTriangles, CENTRES | SPLIT, VKSKIN_ERROR_INVALID_VALUE, "mesh test: indexCount is 0, not in 3 to 4294967295"},
    {halfATriangle, CENTRES | SPLIT, VKSKIN_ERROR_INVALID_VALUE, "mesh test: indexCount is 4, no multiple of 3"},
    {narrowPositions, CENTRES, VKSKIN_ERROR_INVALID_VALUE,
     "mesh test: positionStride is 8, not 0 or a multiple of 4 from 12 to 65536"},
    {narrowJoints, ALL, VKSKIN_ERROR_INVALID_VALUE,
     "mesh test: jointStride is 3, not 0 or a multiple of 1 from 4 to 65536"},
    {oddWeights, ALL, VKSKIN_ERROR_INVALID_VALUE,
     "mesh test: weightStride is 10, not 0 or a multiple of 4 from 8 to 65536"},
    {wideWeights, ALL, VKSKIN_ERROR_INVALID_VALUE,
     "mesh test: weightStride is 65540, not 0 or a multiple of 4 from 8 to 65536"},
    {manyKept, ORDER, VKSKIN_ERROR_INVALID_VALUE, "mesh test: maxInfluences is 256, not in 0 to 255"},
    {largeMinWeight, ORDER, VKSKIN_ERROR_INVALID_VALUE, "mesh test: minWeight is 0.625, not in 0 to 0.5"},
    {noMinWeight, ORDER, VKSKIN_ERROR_INVALID_VALUE, "mesh test: minWeight is nan, not in 0 to 0.5"},
    {unknownWeights, ORDER, VKSKIN_ERROR_INVALID_VALUE, "mesh test: weightFormat is 3, not in 0 to 2"},
    {flat, CENTRES, VKSKIN_ERROR_INVALID_VALUE, "mesh test: dimensions is 2, centres of rotation need 3"},
    {lateJoint, ALL, VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "mesh test: joint 1 of vertex 2 is 3, the mesh has 3 bones"},
    {notANumber, ALL, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "mesh test: weight 1 of vertex 1 is nan"},
    {negative, ALL, VKSKIN_ERROR_WEIGHT_NEGATIVE, "mesh test: weight 0 of vertex 3 is -0.5"},
    {weightless, SPLIT, VKSKIN_ERROR_WEIGHT_ZERO, "mesh test: all weights of vertex 3 are zero"},
    {farAway, CENTRES, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "mesh test: the position of vertex 2 is not finite"},
    {lateIndex, CENTRES | SPLIT, VKSKIN_ERROR_INDEX_OUT_OF_RANGE, "mesh test: triangle 1 has vertex 4 of 4"},
};

TEST(refusesWhatItReads) {
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        TestSurface *surface = square();
        refusals[i].spoil(surface);
        for (uint32_t call = ORDER; call <= SPLIT; call *= 2) {
            VkskinResult expected = (refusals[i].calls & call) != 0 ? refusals[i].result : VKSKIN_SUCCESS;
            assert_string_equal(vkskinResultName(callOne(call, &surface->def, &surface->run)),
                                vkskinResultName(expected));
            if (expected != VKSKIN_SUCCESS) {
                assertLogged(&surface->log, expected, refusals[i].message);
            }
            assert_int_equal(surface->log.count, 0);
        }
        freeSurface(surface);
    }
}

TEST(defMustBeMade) {
    VkskinMeshDef def;
    memset(&def, 0xa5, sizeof def);
    LogMemory log = {0};
    const VkskinPrepareRun run = {.logger = rememberingLogger(&log)};
    for (uint32_t call = ORDER; call <= SPLIT; call *= 2) {
        assert_int_equal(callOne(call, NULL, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
        assert_int_equal(callOne(call, &def, NULL), VKSKIN_ERROR_DEF_NOT_INITIALISED);
        assert_int_equal(callOne(call, NULL, &run), VKSKIN_ERROR_NULL_ARGUMENT);
        assertLogged(&log, VKSKIN_ERROR_NULL_ARGUMENT, "mesh: the def is null");
        assert_int_equal(callOne(call, &def, &run), VKSKIN_ERROR_DEF_NOT_INITIALISED);
        assertLogged(&log, VKSKIN_ERROR_DEF_NOT_INITIALISED, "mesh: the def was not made by vkskinDefaultMeshDef");
    }
}

TEST(allocatorMustBeWhole) {
    const VkskinHostAllocator half = {.allocate = allocateNothing};
    TestSurface *surface = square();
    surface->run.allocator = &half;
    for (uint32_t call = ORDER; call <= SPLIT; call *= 2) {
        assert_int_equal(callOne(call, &surface->def, &surface->run), VKSKIN_ERROR_NULL_ARGUMENT);
        assertLogged(&surface->log, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: the host allocator lacks a function");
    }
    freeSurface(surface);
}

TEST(unnamedMesh) {
    TestSurface *surface = square();
    surface->def.name = NULL;
    surface->def.vertexCount = 0;
    assert_int_equal(callOne(ORDER, &surface->def, &surface->run), VKSKIN_ERROR_INVALID_VALUE);
    assertLogged(&surface->log, VKSKIN_ERROR_INVALID_VALUE, "mesh unnamed: vertexCount is 0, not in 1 to 4294967295");
    freeSurface(surface);
}

TEST(ownArguments) {
    TestSurface *surface = square();
    const VkskinMeshDef *def = &surface->def;
    const VkskinPrepareRun *run = &surface->run;
    LogMemory *log = &surface->log;
    unsigned char bytes[32 + 12 * VERTICES];
    VkskinSplit split = (VkskinSplit)(uintptr_t)8;
    assert_int_equal(vkskinSortVertices(def, run, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(log, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: the place for the order is null");
    assert_int_equal(vkskinComputeCentres(def, run, NULL, sizeof bytes), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(log, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: the place for the centres is null");
    assert_int_equal(vkskinComputeCentres(def, run, bytes, sizeof bytes - 1), VKSKIN_ERROR_INVALID_VALUE);
    assertLogged(log, VKSKIN_ERROR_INVALID_VALUE,
                 "mesh test: the place for the centres has 79 bytes, 4 vertices take 80");
    assert_int_equal(vkskinSplitMesh(def, 3, run, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(log, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: the place for the split is null");
    assert_int_equal(vkskinSplitMesh(def, 0, run, &split), VKSKIN_ERROR_INVALID_VALUE);
    assertLogged(log, VKSKIN_ERROR_INVALID_VALUE, "mesh test: maxBones is 0");
    assert_null(split);
    freeSurface(surface);
}

/* Every allocation fails once; the last round has none that does. */
static void memoryRunsOut(uint32_t call, const char *message, uint32_t atLeast) {
    AllocatorState memory = {0};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    TestSurface *surface = square();
    setInfluence(surface, 3, 1, 2, 0.25f); /* for a pair of bones */
    surface->run.allocator = &allocator;
    for (memory.failAt = 1; callOne(call, &surface->def, &surface->run) != VKSKIN_SUCCESS; ++memory.failAt) {
        assertLogged(&surface->log, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, message);
        assert_int_equal(memory.alive, 0);
        assert_true(memory.failAt < 200);
        memory.made = 0;
    }
    assert_true(memory.failAt > atLeast);
    assert_int_equal(memory.alive, 0);
    freeSurface(surface);
}

TEST(memory) {
    memoryRunsOut(ORDER, "mesh test: no host memory to sort 4 vertices", 2);
    memoryRunsOut(CENTRES, "mesh test: no host memory to compute the centres of 4 vertices", 7);
    memoryRunsOut(SPLIT, "mesh test: no host memory to split 2 triangles", 30);
}

/* Joints of each width, and strides at which nothing is aligned to more than it must be, read the same. */
TEST(formatsAndStrides) {
    TestSurface *tube = tubeSurface(3, 3, 4);
    const uint32_t count = tube->def.vertexCount;
    uint32_t expected[28], order[28];
    assert_int_equal(count, 28);
    assert_int_equal(vkskinSortVertices(&tube->def, NULL, expected), VKSKIN_SUCCESS);
    for (uint32_t size = 1; size <= 4; size *= 2) {
        const size_t stride = 2 * size + 3;
        unsigned char *joints = calloc(count, stride);
        float *weights = calloc(count, 3 * sizeof *weights);
        for (uint32_t i = 0; i < 2 * count; i++) {
            memcpy(joints + i / 2 * stride + i % 2 * size, &tube->joints[i], size < 2 ? 1 : 2); /* little-endian */
            weights[i / 2 * 3 + i % 2] = tube->weights[i];
        }
        VkskinMeshDef def = tube->def;
        def.jointFormat = size == 1 ? VKSKIN_JOINTS_U8 : size == 2 ? VKSKIN_JOINTS_U16 : VKSKIN_JOINTS_U32;
        def.joints = joints;
        def.jointStride = stride;
        def.weights = weights;
        def.weightStride = 3 * sizeof *weights;
        assert_int_equal(vkskinSortVertices(&def, NULL, order), VKSKIN_SUCCESS);
        assert_memory_equal(order, expected, sizeof order);
        free(joints);
        free(weights);
    }
    freeSurface(tube);
}
