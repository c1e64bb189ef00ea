/*
 * Sizes: workgroups that cover several instances, pages of their own, many palette pages, more groups than a dimension;
 * and the number of dispatches, which does not grow with the number of instances.
 */
#include "interposer.h"
#include "marker_scene.h"

/* ---- Sizes ---- */

typedef struct SizeCase {
    uint32_t vertices[3]; /* vertices of each mesh; 0: no mesh */
    uint32_t instances;   /* instances, one mesh after the other in turn */
    uint32_t instancesPerThread;
    uint32_t workgroupSize;
    uint32_t pageSize;
    bool ownPalettes; /* one an instance; else one for all */
} SizeCase;

typedef struct Run {
    Gpu *gpu;
    const SizeCase *size;
    VkskinContext context;
    uint32_t meshCount;
    VkskinMesh meshes[3];
    VkskinSkinCommand *commands;
} Run;

static VkskinContext createContext(Gpu *gpu, const SizeCase *size) {
    interposerBegin(gpu);
    interposer.limits.maxComputeWorkGroupCount[0] = 65535; /* the minimum that Vulkan requires */
    VkskinVulkanFunctions functions = interposerFunctions();
    VkskinContextDef def = gpuContextDef(gpu);
    def.functions = &functions;
    def.memory.firstPageSize = size->pageSize;
    def.memory.pageSize = size->pageSize;
    def.memory.maxInstances = size->instances;
    def.framesInFlight = 1;
    def.memory.paletteBytesPerFrame =
        size->ownPalettes ? (VkDeviceSize)size->instances * 64 + size->pageSize : 64 * 1024;
    return gpuContext(gpu, &def);
}

/* Creates kernels for the existing meshes, in the sizes of the case. */
static void createKernels(const Run *run) {
    VkskinPipelineDef pipelines = kernelsOf(run->meshes, run->meshCount);
    pipelines.cache = run->gpu->cache;
    pipelines.instancesPerThread = run->size->instancesPerThread;
    pipelines.workgroupSize = run->size->workgroupSize;
    GPU_VKSKIN(run->gpu, vkskinCreatePipelines(run->context, &pipelines));
}

static float markOf(const SizeCase *size, uint32_t instance) {
    return size->ownPalettes ? (float)(instance + 1) : 5.0f;
}

static void createScene(Run *run) {
    const SizeCase *size = run->size;
    while (run->meshCount < 3 && size->vertices[run->meshCount] > 0) {
        GPU_VKSKIN(run->gpu,
                   markerTryMesh(run->context, size->vertices[run->meshCount], false, &run->meshes[run->meshCount]));
        run->meshCount++;
    }
    createKernels(run);
    run->commands = newZeros(size->instances, sizeof *run->commands);
    for (uint32_t i = 0; i < size->instances; i++) {
        run->commands[i].instance = markerInstance(run->gpu, run->context, run->meshes[i % run->meshCount]);
    }
}

static void skinAll(Run *run) {
    VkskinPalette shared = {0};
    for (uint32_t i = 0; i < run->size->instances; i++) {
        if (i == 0 || run->size->ownPalettes) {
            shared = markerPalette(run->gpu, run->context, markOf(run->size, i), 1.0f);
        }
        run->commands[i].palette = shared;
    }
    GPU_VKSKIN(run->gpu, vkskinSkinInstances(run->context, run->commands, run->size->instances, NULL));
    recordAndRun(run->gpu, run->context);
}

/* Every vertex of every instance is right, and nothing else was written. Returns the number of vertices. */
static uint64_t checkOutput(Run *run) {
    uint64_t vertices = 0;
    for (uint32_t page = 0; page < vkskinGetOutputPageCount(run->context); page++) {
        GpuBuffer copy = gpuReadPage(run->gpu, run->context, page);
        for (uint32_t i = 0; i < run->size->instances; i++) {
            VkskinOutput output = markerOutput(run->gpu, run->context, run->commands[i].instance);
            if (output.page != page) {
                continue;
            }
            const char *bytes = (const char *)copy.mapped + output.positionOffset;
            if (markerMismatches(bytes, output.vertexCount, markOf(run->size, i), 1.0f) != 0) {
                fail_msg("instance %u of %u vertices is wrong", i, output.vertexCount);
            }
            gpuTakeWritten(&copy, output.positionOffset, (VkDeviceSize)output.vertexCount * 12);
            vertices += output.vertexCount;
        }
        gpuCheckPoison(&copy, page);
        gpuFreeBuffer(run->gpu, &copy);
    }
    return vertices;
}

static void checkSize(Gpu *gpu, const SizeCase *size, VkskinStats *stats) {
    Run run = {.gpu = gpu, .size = size, .context = createContext(gpu, size)};
    createScene(&run);
    GPU_VKSKIN(gpu, vkskinBeginFrame(run.context, 0));
    gpuPoisonOutput(gpu, run.context);
    skinAll(&run);
    GPU_VKSKIN(gpu, vkskinGetStats(run.context, stats));
    assert_true(checkOutput(&run) == stats->verticesSkinned);
    assert_int_equal(stats->instancesSkinned, size->instances);
    free(run.commands);
    gpuDestroyContext(gpu, run.context);
    interposerEnd();
}

INTERPOSER_TEST(workgroupsStraddleInstances) {
    static const uint32_t instances[] = {1, 2, 7, 300};
    static const uint32_t perThread[] = {1, 3, 16, 64};
    VkskinStats stats;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            SizeCase size = {{1, 3, 65}, instances[i], perThread[k], k % 2 == 0 ? 64 : 32, 1u << 20, true};
            checkSize(gpu, &size, &stats);
        }
    }
}

INTERPOSER_TEST(oneVertexAndManyVertices) {
    VkskinStats stats;
    SizeCase one = {{1}, 1, 0, 64, 1u << 16, true};
    SizeCase many = {{200000}, 3, 0, 64, 1u << 23, true};
    SizeCase both = {{200000, 1, 63}, 7, 4, 128, 32u << 20, true};
    checkSize(gpu, &one, &stats);
    checkSize(gpu, &many, &stats);
    checkSize(gpu, &both, &stats);
}

/* A mesh whose output does not fit a page gets a page of its own size. */
INTERPOSER_TEST(largerThanAPage) {
    VkskinStats stats;
    SizeCase size = {{20000, 10}, 4, 0, 64, 1u << 16, true};
    checkSize(gpu, &size, &stats);
    assert_true(stats.outputPages >= 2); /* two of the large ones */
}

/* 100,000 palettes of 48 bytes, a page of 1 MiB: more than four of them. */
INTERPOSER_TEST(palettesOfManyPages) {
    VkskinStats stats;
    SizeCase size = {{3}, 100000, 0, 64, 1u << 20, true};
    checkSize(gpu, &size, &stats);
    assert_true(stats.palettePages >= 5);
    assert_true(stats.paletteBytes >= 4800000);
}

/* 100,000 instances of 24 vertices, a thread each, 32 a group: 75,000 groups. */
INTERPOSER_TEST(moreGroupsThanADimension) {
    VkskinStats stats;
    SizeCase own = {{24}, 100000, 1, 32, 64u << 20, true};
    SizeCase shared = {{24}, 100000, 1, 32, 64u << 20, false};
    checkSize(gpu, &own, &stats);
    checkSize(gpu, &shared, &stats);
    assert_int_equal(stats.dispatches, 1);
    assert_int_equal(interposer.use.dispatches, 1);
    assert_int_equal(interposer.use.groups, 65535);
}

/* ---- Dispatches ---- */

/* Skins `count` instances of two meshes in turn, with palettes of their own or one for all; returns the dispatches. */
static uint32_t countFor(Gpu *gpu, uint32_t count, bool ownPalettes) {
    const SizeCase size = {{65, 40}, count, 0, 0, 8u << 20, ownPalettes};
    VkskinStats stats;
    checkSize(gpu, &size, &stats);
    assert_int_equal(stats.dispatches, interposer.use.dispatches);
    return stats.dispatches;
}

INTERPOSER_TEST(dispatchesDoNotGrow) {
    uint32_t one = countFor(gpu, 1, true);
    assert_true(one >= 1);
    assert_int_equal(countFor(gpu, 100, true), one);
    assert_int_equal(countFor(gpu, 10000, true), one);
    assert_int_equal(countFor(gpu, 10000, false), one);
}

/* A frame without commands records nothing to run. */
INTERPOSER_TEST(nothingToSkin) {
    VkskinContext context = createContext(gpu, &(SizeCase){.instances = 1, .pageSize = 1u << 20});
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, NULL, 0, NULL));
    recordAndRun(gpu, context);
    recordAndRun(gpu, context);
    assert_int_equal(interposer.use.dispatches, 0);
}
