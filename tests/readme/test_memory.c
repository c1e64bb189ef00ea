/*
 * docs/memory.md: its formula for many shapes, its example, and its numbers.
 * Arguments: bytes of the example, bytes with pages of 1 MiB, bytes of host memory per instance of initialInstances.
 */
#include "gpu.h"
#include "mesh_builder.h"
#include "test.h"

#include "formula.h"

typedef struct Shape {
    uint32_t frames, regions, vertices, instances;
    VkDeviceSize pageSize, paletteBytes;
    uint32_t initialInstances;
    bool normals, tangents, history, staged;
} Shape;

/* The example of the page: 400 characters of 10,000 vertices. */
static const Shape example = {.frames = 2,
                              .regions = 1,
                              .vertices = 10000,
                              .instances = 400,
                              .pageSize = 32 << 20,
                              .paletteBytes = 2 << 20,
                              .initialInstances = 400,
                              .normals = true,
                              .tangents = true};

static uint64_t saidExample, saidSmallPages, saidHostBytes;

static VkskinContextDef defOf(Gpu *gpu, const Shape *shape) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = shape->frames;
    def.outputRegions = shape->regions;
    def.memory.pageSize = shape->pageSize;
    def.memory.paletteBytesPerFrame = shape->paletteBytes;
    def.memory.initialInstances = shape->initialInstances;
    def.memory.palettes = shape->staged ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
    return def;
}

/* Four influences per vertex: only the sizes matter. */
static VkskinMesh createMesh(Gpu *gpu, VkskinContext context, const Shape *shape) {
    const uint32_t attributes = (shape->normals ? MESH_NORMALS : 0) | (shape->tangents ? MESH_TANGENTS : 0);
    TestMesh *built = meshBuild((MeshSpec){shape->vertices, 64, 4, .attributes = attributes});
    built->def.previousPositions = shape->history;
    VkskinMesh mesh;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &built->def, &mesh));
    meshFree(built);
    return mesh;
}

/* Uploads the mesh and begins frames until the staging is freed. */
static void finishUploads(Gpu *gpu, VkskinContext context, uint32_t frames) {
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinRecordUploads(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    for (uint32_t frame = 1; frame <= frames; frame++) {
        GPU_VKSKIN(gpu, vkskinBeginFrame(context, frame % frames));
    }
}

/* Checks the allocated bytes against the page's formula. Returns them. */
static uint64_t checkShape(Gpu *gpu, const Shape *shape) {
    VkskinContextDef def = defOf(gpu, shape);
    VkskinContext context;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    VkskinMesh mesh = createMesh(gpu, context, shape);
    VkskinMeshInfo info;
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, mesh, &info));
    for (uint32_t i = 0; i < shape->instances; i++) {
        VkskinInstance instance;
        GPU_VKSKIN(gpu, vkskinCreateInstances(context, mesh, 1, &instance));
    }
    VkskinStats before, after;
    GPU_VKSKIN(gpu, vkskinGetStats(context, &before));
    finishUploads(gpu, context, shape->frames);
    GPU_VKSKIN(gpu, vkskinGetStats(context, &after));
    assert_int_equal(before.deviceBytes - after.deviceBytes, 1 << 20); /* one block of staging */
    assert_int_equal(after.deviceBytes, deviceBytes(&def, &info, shape->history, shape->staged, shape->instances));
    vkskinDestroyContext(context);
    return after.deviceBytes;
}

GPU_TEST(formulaHolds) {
    const Shape shapes[] = {
        {2, 1, 1000, 50, 1 << 20, 1 << 16, 50, true, true, false, false},
        {2, 2, 1000, 50, 1 << 20, 1 << 16, 64, true, false, false, true},
        {3, 1, 777, 33, 1 << 20, 3 << 20, 100, false, false, true, false},
        {3, 3, 1001, 40, 1 << 20, 100000, 40, true, true, true, true},
        {1, 1, 5, 1, 1 << 16, 48, 1, true, true, false, false},
        {8, 8, 333, 60, 1 << 19, 1 << 16, 4096, true, false, true, false},
        {2, 1, 500, 20, 200000, 1 << 16, 20, true, false, false, false},    /* not a multiple of 256 */
        {2, 1, 9999, 90, 10000000, 1 << 16, 20, true, false, false, false}, /* pages grow up to pageSize */
        {8, 8, 20000, 9, 32 << 20, 1 << 16, 20, true, true, false, false},  /* from more than firstPageSize on */
    };
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        checkShape(gpu, &shapes[i]);
    }
}

GPU_TEST(exampleHolds) {
    assert_int_equal(checkShape(gpu, &example), saidExample);
    Shape small = example;
    small.pageSize = 1 << 20;
    assert_int_equal(checkShape(gpu, &small), saidSmallPages);
}

/* ---- Host memory ---- */

static void *VKAPI_CALL countAllocation(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    (void)scope;
    assert_true(alignment <= 64);
    *(uint64_t *)user += size;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void *VKAPI_CALL refuseReallocation(void *user, void *memory, size_t size, size_t alignment,
                                           VkSystemAllocationScope scope) {
    (void)user, (void)memory, (void)size, (void)alignment, (void)scope;
    return NULL;
}

static void VKAPI_CALL freeAllocation(void *user, void *memory) {
    (void)user;
    free(memory);
}

/* Host memory allocated for a context with initialInstances, including the driver's allocations. */
static uint64_t hostBytes(Gpu *gpu, uint32_t initialInstances) {
    uint64_t bytes = 0;
    VkAllocationCallbacks callbacks = {&bytes, countAllocation, refuseReallocation, freeAllocation, NULL, NULL};
    VkskinContextDef def = gpuContextDef(gpu);
    def.memory.initialInstances = initialInstances;
    def.allocator = &callbacks;
    VkskinContext context;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    uint64_t made = bytes;
    vkskinDestroyContext(context);
    return made;
}

/* The driver's allocations are equal in both contexts and cancel out. */
GPU_TEST(hostBytesHold) {
    const uint32_t count = 4096;
    assert_int_equal(hostBytes(gpu, 2 * count) - hostBytes(gpu, count), saidHostBytes * count);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: test_memory EXAMPLE SMALL-PAGES HOST-BYTES\n");
        return 1;
    }
    saidExample = strtoull(argv[1], NULL, 10);
    saidSmallPages = strtoull(argv[2], NULL, 10);
    saidHostBytes = strtoull(argv[3], NULL, 10);
    return testRunGroup("memory", NULL, NULL, NULL);
}
