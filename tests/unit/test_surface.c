/* What the calls of vkskin_mesh.h refuse: every documented error with its message, by each call that reads the field. */
#include "surfaces.h"

#define VERTICES 4
#define ORDER    1u
#define CENTRES  2u
#define SPLIT    4u
#define ALL      (ORDER | CENTRES | SPLIT)

static TestSurface *square(void) {
    TestSurface *made = makeSurface(VERTICES, 3, 2, 2);
    for (uint32_t vertex = 0; vertex < VERTICES; vertex++) {
        meshSetPosition(made->mesh, vertex, (float)(vertex % 2), (float)(vertex / 2), 0.0f);
        meshSetInfluence(made->mesh, vertex, 0, vertex % 3, 0.5f);
    }
    meshSetTriangle(made->mesh, 0, 0, 1, 2);
    meshSetTriangle(made->mesh, 1, 1, 3, 2);
    return made;
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

static TestSurface *surface; /* surface of the running row */

static void refuse(uint32_t calls, VkskinResult result, const char *message) {
    for (uint32_t call = ORDER; call <= SPLIT; call *= 2) {
        VkskinResult expected = (calls & call) != 0 ? result : VKSKIN_SUCCESS;
        assert_string_equal(vkskinResultName(callOne(call, &surface->def, &surface->run)), vkskinResultName(expected));
        if (expected != VKSKIN_SUCCESS) {
            assertLogged(&surface->log, expected, message);
        }
        assert_int_equal(surface->log.count, 0);
    }
}

/* A good surface after `change`, which names its def `def`. calls: that refuse it; the others succeed. */
#define REFUSE(change, calls, result, message)                                                                         \
    do {                                                                                                               \
        surface = square();                                                                                            \
        VkskinMeshDef *def = &surface->def;                                                                            \
        change;                                                                                                        \
        (void)def;                                                                                                     \
        refuse(calls, result, "mesh test: " message);                                                                  \
    } while (0)
#define ACCEPT(change) REFUSE(change, 0, VKSKIN_SUCCESS, "")

OWNING_TEST(goodFieldsAreAccepted) {
    ACCEPT((void)def);
    ACCEPT(def->materials = NULL);
    ACCEPT(def->boneCount = 1048576);
    ACCEPT(meshSetInfluence(surface->mesh, 2, 1, 3, 0.0f)); /* joint past the bones, without weight */
}

OWNING_TEST(missingArraysAreRefused) {
    REFUSE(def->positions = NULL, CENTRES, VKSKIN_ERROR_NULL_ARGUMENT, "positions is null");
    REFUSE(def->joints = NULL, ALL, VKSKIN_ERROR_NULL_ARGUMENT, "joints is null");
    REFUSE(def->weights = NULL, ALL, VKSKIN_ERROR_NULL_ARGUMENT, "weights is null");
    REFUSE(def->indices = NULL, CENTRES | SPLIT, VKSKIN_ERROR_NULL_ARGUMENT, "indices is null");
}

OWNING_TEST(badFieldsAreRefused) {
#define REFUSE_FIELD(change, calls, message) REFUSE(def->change, calls, VKSKIN_ERROR_INVALID_VALUE, message)
    REFUSE_FIELD(vertexCount = 0, ALL, "vertexCount is 0, not in 1 to 4294967295");
    REFUSE_FIELD(boneCount = 0, ALL, "boneCount is 0, not in 1 to 1048576");
    REFUSE_FIELD(boneCount = 1048577, ALL, "boneCount is 1048577, not in 1 to 1048576");
    REFUSE_FIELD(influencesPerVertex = 0, ALL, "influencesPerVertex is 0, not in 1 to 255");
    REFUSE_FIELD(influencesPerVertex = 256, ALL, "influencesPerVertex is 256, not in 1 to 255");
    REFUSE_FIELD(jointFormat = (VkskinJointFormat)3, ALL, "jointFormat is 3, not in 0 to 2");
    REFUSE_FIELD(indexCount = 0, CENTRES | SPLIT, "indexCount is 0, not in 3 to 4294967295");
    REFUSE_FIELD(indexCount = 4, CENTRES | SPLIT, "indexCount is 4, no multiple of 3");
#define JOINT_STRIDE  " bytes, not 0 or a multiple of 1 from 4 (influencesPerVertex joints of jointFormat) to 65536"
#define WEIGHT_STRIDE " bytes, not 0 or a multiple of 4 from 8 (influencesPerVertex floats) to 65536"
    REFUSE_FIELD(positionStride = 8, CENTRES,
                 "positionStride is 8 bytes, not 0 or a multiple of 4 from 12 (float3) to 65536");
    REFUSE_FIELD(jointStride = 3, ALL, "jointStride is 3" JOINT_STRIDE);
    REFUSE_FIELD(weightStride = 10, ALL, "weightStride is 10" WEIGHT_STRIDE);
    REFUSE_FIELD(weightStride = 65540, ALL, "weightStride is 65540" WEIGHT_STRIDE);
    REFUSE_FIELD(maxInfluences = 256, ORDER, "maxInfluences is 256, not in 0 to 255");
    REFUSE_FIELD(minWeight = 0.625f, ORDER, "minWeight is 0.625, not in 0 to 0.5");
    REFUSE_FIELD(minWeight = NAN, ORDER, "minWeight is nan, not in 0 to 0.5");
    REFUSE_FIELD(weightFormat = (VkskinWeightFormat)3, ORDER, "weightFormat is 3, not in 0 to 2");
    REFUSE_FIELD(dimensions = 2, CENTRES, "dimensions is 2, this call needs 3");
}

/* Vertices as most engines store them. Each stride that is left at 0 must be named. */
typedef struct Interleaved {
    float position[3];
    uint16_t joints[2];
    float weights[2];
} Interleaved;

static void interleave(VkskinMeshDef *def, const Interleaved *vertices) {
    def->positions = vertices->position;
    def->joints = vertices->joints;
    def->weights = vertices->weights;
    def->positionStride = def->jointStride = def->weightStride = sizeof *vertices;
}

OWNING_TEST(forgottenStridesAreNamed) {
    Interleaved vertices[VERTICES] = {0};
    for (uint32_t i = 0; i < VERTICES; i++) {
        vertices[i] = (Interleaved){.position = {(float)(i % 2), (float)(i / 2)}, .joints = {1}, .weights = {1}};
    }
#define SET "; for interleaved vertices set it to the size of a vertex, else check formats and influencesPerVertex"
#define REFUSE_ZERO(change, calls, message)                                                                            \
    REFUSE((interleave(def, vertices), change), calls, VKSKIN_ERROR_INVALID_VALUE, message SET)
    ACCEPT(interleave(def, vertices));
    REFUSE_ZERO(def->positionStride = 0, CENTRES,
                "positionStride is 0 (tightly packed: 12 bytes), but positions and joints overlap");
    REFUSE_ZERO(def->jointStride = 0, ALL,
                "jointStride is 0 (tightly packed: 4 bytes), but joints and weights overlap");
    REFUSE_ZERO(def->weightStride = 0, ALL,
                "weightStride is 0 (tightly packed: 8 bytes), but weights and joints overlap");
    /* Positions and joints one behind the other in one block do not overlap. */
    static struct {
        float positions[VERTICES][3];
        uint16_t joints[VERTICES][2];
    } block;
    ACCEPT((memcpy(block.positions, def->positions, sizeof block.positions),
            memcpy(block.joints, def->joints, sizeof block.joints), def->positions = block.positions[0],
            def->joints = block.joints));
}

OWNING_TEST(badValuesAreRefused) {
    REFUSE(
        meshSetInfluence(surface->mesh, 2, 1, 3, 0.25f), ALL, VKSKIN_ERROR_JOINT_OUT_OF_RANGE,
        "joint 1 of vertex 2 is 3, the mesh has 3 bones (joints are read as 2 of 2 bytes per vertex, jointStride 0)");
#define READ " (weights are read as 2 floats per vertex, weightStride 0)"
    REFUSE(meshSetInfluence(surface->mesh, 1, 1, 0, NAN), ALL, VKSKIN_ERROR_WEIGHT_NOT_FINITE,
           "weight 1 of vertex 1 is nan" READ);
    REFUSE(meshSetInfluence(surface->mesh, 3, 0, 0, -0.5f), ALL, VKSKIN_ERROR_WEIGHT_NEGATIVE,
           "weight 0 of vertex 3 is -0.5" READ);
    REFUSE(meshSetInfluence(surface->mesh, 3, 0, 0, 0.0f), SPLIT, VKSKIN_ERROR_WEIGHT_ZERO,
           "all weights of vertex 3 are zero");
    REFUSE(meshSetPosition(surface->mesh, 2, 0.0f, INFINITY, 0.0f), CENTRES, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE,
           "the position of vertex 2 is not finite");
    REFUSE(meshSetTriangle(surface->mesh, 1, 1, 4, 2), CENTRES | SPLIT, VKSKIN_ERROR_INDEX_OUT_OF_RANGE,
           "triangle 1 has vertex 4 of 4");
}

OWNING_TEST(defMustBeMade) {
    VkskinMeshDef def;
    memset(&def, 0xa5, sizeof def);
    LogMemory log = {0};
    const VkskinPrepareRun run = {.logger = rememberingLogger(&log)};
    for (uint32_t call = ORDER; call <= SPLIT; call *= 2) {
        RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, callOne(call, NULL, NULL));
        RETURNS(VKSKIN_ERROR_DEF_NOT_INITIALISED, callOne(call, &def, NULL));
        assertRefused(&log, callOne(call, NULL, &run), VKSKIN_ERROR_NULL_ARGUMENT, "mesh: the def is null");
        assertRefused(&log, callOne(call, &def, &run), VKSKIN_ERROR_DEF_NOT_INITIALISED,
                      "mesh: the def was not made by vkskinDefaultMeshDef");
    }
}

OWNING_TEST(allocatorMustBeWhole) {
    AllocatorState memory = {0};
    VkskinHostAllocator half = countingAllocator(&memory);
    half.free = NULL;
    REFUSE(surface->run.allocator = &half, ALL, VKSKIN_ERROR_NULL_ARGUMENT, "the host allocator lacks a function");
}

OWNING_TEST(unnamedMesh) {
    surface = square();
    surface->def.name = NULL;
    surface->def.vertexCount = 0;
    assertRefused(&surface->log, callOne(ORDER, &surface->def, &surface->run), VKSKIN_ERROR_INVALID_VALUE,
                  "unnamed mesh: vertexCount is 0, not in 1 to 4294967295");
}

OWNING_TEST(ownArguments) {
    surface = square();
    const VkskinMeshDef *def = &surface->def;
    const VkskinPrepareRun *run = &surface->run;
    LogMemory *log = &surface->log;
    unsigned char bytes[32 + 12 * VERTICES];
    VkskinSplit split = (VkskinSplit)(uintptr_t)8;
    assertRefused(log, vkskinSortVertices(def, run, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "mesh test: the place for the order is null");
    assertRefused(log, vkskinComputeCentres(def, run, NULL, sizeof bytes), VKSKIN_ERROR_NULL_ARGUMENT,
                  "mesh test: the place for the centres is null");
    assertRefused(log, vkskinComputeCentres(def, run, bytes, sizeof bytes - 1), VKSKIN_ERROR_INVALID_VALUE,
                  "mesh test: the place for the centres has 79 bytes, 4 vertices take 80");
    assertRefused(log, vkskinSplitMesh(def, 3, run, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "mesh test: the place for the split is null");
    assertRefused(log, vkskinSplitMesh(def, 0, run, &split), VKSKIN_ERROR_INVALID_VALUE, "mesh test: maxBones is 0");
    assert_null(split);
}

/* Every allocation fails once; the last round has none that does. */
static void memoryRunsOut(uint32_t call, const char *message, uint32_t atLeast) {
    AllocatorState memory = {.failAt = 1};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    surface = square();
    meshSetInfluence(surface->mesh, 3, 1, 2, 0.25f); /* for a pair of bones */
    surface->run.allocator = &allocator;
    while (memoryRanOut(&memory, &surface->log, callOne(call, &surface->def, &surface->run), message)) {
    }
    assert_true(memory.failAt > atLeast);
    assert_int_equal(memory.alive, 0);
}

OWNING_TEST(memory) {
    memoryRunsOut(ORDER, "mesh test: no host memory to sort 4 vertices", 2);
    memoryRunsOut(CENTRES, "mesh test: no host memory to compute the centres of 4 vertices", 7);
    memoryRunsOut(SPLIT, "mesh test: no host memory to split 2 triangles", 30);
}

/* Joints of each width, and strides at which nothing is aligned to more than it must be, read the same. */
OWNING_TEST(formatsAndStrides) {
    TestSurface *tube = tubeSurface(3, 3, 4);
    const uint32_t count = tube->def.vertexCount;
    uint32_t expected[28], order[28];
    assert_int_equal(count, 28);
    OK(vkskinSortVertices(&tube->def, NULL, expected));
    for (uint32_t size = 1; size <= 4; size *= 2) {
        const size_t stride = 2 * size + 3;
        unsigned char *joints = ownZeros(count, stride);
        float *weights = ownZeros(count, 3 * sizeof *weights);
        for (uint32_t i = 0; i < 2 * count; i++) {
            memcpy(joints + i / 2 * stride + i % 2 * size, &tube->mesh->joints16[i],
                   size < 2 ? 1 : 2); /* little-endian */
            weights[i / 2 * 3 + i % 2] = tube->mesh->weights[i];
        }
        VkskinMeshDef def = tube->def;
        def.jointFormat = size == 1 ? VKSKIN_JOINTS_U8 : size == 2 ? VKSKIN_JOINTS_U16 : VKSKIN_JOINTS_U32;
        def.joints = joints;
        def.jointStride = stride;
        def.weights = weights;
        def.weightStride = 3 * sizeof *weights;
        OK(vkskinSortVertices(&def, NULL, order));
        assert_memory_equal(order, expected, sizeof order);
    }
}
