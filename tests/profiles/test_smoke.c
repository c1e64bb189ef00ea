/* The smoke suite on every profile, and what the library must have made of each. */
#include <string.h>

#include "marker.h"
#include "smoke.h"

static const SmokeDef written = {VKSKIN_PALETTE_MEMORY_AUTO, VKSKIN_PALETTE_BINDING_TEXELS, 3, 3, false,
                                 VKSKIN_BACKEND_COMPUTE};
static const SmokeDef staged = {VKSKIN_PALETTE_MEMORY_STAGED, VKSKIN_PALETTE_BINDING_STORAGE, 2, 1, true,
                                VKSKIN_BACKEND_COMPUTE};

/* The suite with palettes as the library chooses, read as texels, and with staged ones in a storage buffer; then what was used, which the shim keeps. */
static const ProfileUse *runProfile(Gpu *gpu, ProfileName name, VkskinStats *stats) {
    const ProfileUse *use = &profileShim.use;
    profileShimBegin(gpu, &profiles[name]);
    smokeRun(gpu, &staged, stats);
    smokeRun(gpu, &written, stats);
    print_message("%s: %u output pages, %u allocations at most, %u refused, %u flushes, %u copies; the largest "
                  "binding has %llu bytes\n",
                  profiles[name].name, stats->outputPages, use->mostAllocations, use->refusedAllocations, use->flushes,
                  use->copies, (unsigned long long)use->bindingBytes);
    profileShimEnd();
    assert_int_equal(use->allocations, 0);
    return use;
}

static void leastLimits(void **state) {
    VkskinStats stats;
    const ProfileUse *use = runProfile(*state, PROFILE_LEAST_LIMITS, &stats);
    assert_int_equal(use->bindingBytes, 1u << 27); /* of the 1 GiB that the host asked for */
    assert_int_equal(use->invocations, SMOKE_WORKGROUP);
    assert_int_equal(use->sets, 4);
    assert_int_equal(use->storageBuffers, 4);
    assert_int_equal(use->texelBuffers, 1);
    assert_true(use->pushBytes > 0);
    assert_int_equal(use->timestamps, 0);
}

static void incoherent(void **state) {
    VkskinStats stats;
    const ProfileUse *use = runProfile(*state, PROFILE_INCOHERENT, &stats);
    assert_true(use->flushes > 0);
    assert_true(use->typeAllocations[1] > 0);
    assert_int_equal(use->typeAllocations[2], 0); /* the coherent one */
}

/* What the CPU wrote must be flushed, in whole atoms, and nothing is copied or dispatched. */
static void incoherentOnTheCpu(void **state) {
    static const SmokeDef onCpu = {.framesInFlight = 3, .outputRegions = 3, .backend = VKSKIN_BACKEND_CPU};
    const ProfileUse *use = &profileShim.use;
    VkskinStats stats;
    profileShimBegin(*state, &profiles[PROFILE_INCOHERENT]);
    smokeRun(*state, &onCpu, &stats);
    profileShimEnd();
    assert_int_equal(stats.backend, VKSKIN_BACKEND_CPU);
    assert_int_equal(use->allocations, 0);
    assert_true(use->flushes >= SMOKE_FRAMES);
    assert_int_equal(use->copies, 0);
    assert_int_equal(use->dispatches, 0);
    assert_int_equal(use->typeAllocations[2], 0); /* the coherent one */
}

/* The device reads palettes from its own memory, whatever the context was asked for: a copy a frame in both runs. */
static void staging(void **state) {
    VkskinStats stats;
    const ProfileUse *use = runProfile(*state, PROFILE_STAGING, &stats);
    assert_int_equal(use->copies, 2 * (SMOKE_MESHES + SMOKE_FRAMES));
    assert_true(use->typeAllocations[0] > 0 && use->typeAllocations[1] > 0);
}

static void smallHeaps(void **state) {
    VkskinStats stats;
    (void)runProfile(*state, PROFILE_SMALL_HEAPS, &stats);
}

static void noTimestamps(void **state) {
    VkskinStats stats;
    const ProfileUse *use = runProfile(*state, PROFILE_NO_TIMESTAMPS, &stats);
    assert_int_equal(use->timestamps, 0);
}

static void smallPages(void **state) {
    VkskinStats stats;
    const ProfileUse *use = runProfile(*state, PROFILE_SMALL_PAGES, &stats);
    assert_int_equal(use->bindingBytes, 1u << 20);
    assert_int_equal(use->copies, 2 * SMOKE_MESHES + SMOKE_FRAMES); /* palettes are written in place in one run */
    assert_true(stats.outputPages >= 2);
    assert_true(use->timestamps > 0);
}

/* Local heaps refuse, and what is left takes all the rest. */
static void localFull(void **state) {
    VkskinStats stats;
    const ProfileUse *use = runProfile(*state, PROFILE_LOCAL_FULL, &stats);
    assert_true(use->refusedAllocations > 0);
    for (int type = 0; type < 4; type++) {
        assert_true(use->typeAllocations[type] > 0);
    }
}

static void localFullFirst(void **state) {
    VkskinStats stats;
    const ProfileUse *use = runProfile(*state, PROFILE_LOCAL_FULL_FIRST, &stats);
    assert_true(use->refusedAllocations > 0);
    for (int type = 0; type < 3; type++) {
        assert_true(use->typeAllocations[type] > 0);
    }
}

static void fewAllocations(void **state) {
    VkskinStats stats;
    const ProfileUse *use = runProfile(*state, PROFILE_FEW_ALLOCATIONS, &stats);
    assert_true(use->mostAllocations <= 48);
}

/* ---- At the limits ---- */

static VkskinContext leastContext(Gpu *gpu, uint32_t maxInstances) {
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    profileShimBegin(gpu, &profiles[PROFILE_LEAST_LIMITS]);
    VkskinContextDef def = smokeContextDef(gpu, &functions, &memory);
    VkskinContext context = NULL;
    def.framesInFlight = 1;
    def.maxInstances = maxInstances;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    return context;
}

static void moreThanTheLeastIsRefused(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    VkskinMesh mesh;
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    VkskinContext context = leastContext(gpu, 10);
    pipelines.workgroupSize = 160;
    gpuCheckRefusal(gpu, "workgroup", vkskinCreatePipelines(context, &pipelines), VKSKIN_ERROR_INVALID_VALUE,
                    "workgroupSize is 160, not a multiple of 32 up to 128");
    /* 134,217,728 bytes are 11,184,810 positions; twice where the one before is kept. */
    gpuCheckRefusal(gpu, "mesh", markerTryMesh(context, 5592406, true, &mesh), VKSKIN_ERROR_MESH_TOO_LARGE,
                    "the device binds 134217728");
    vkskinDestroyContext(context);
    VkskinContextDef def = smokeContextDef(gpu, &functions, &memory);
    def.maxInstances = 1457464; /* of 92 bytes each, and 131,072 of morph weights */
    gpuCheckRefusal(gpu, "instances", vkskinCreateContext(&def, &context), VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                    "the device binds 134217728");
    profileShimEnd();
}

/* ---- Texels ---- */

#define TEXEL_PAGE_BONES 21845u /* 48 bytes each: 16 short of 65,536 texels */

static VkskinContext texelContext(Gpu *gpu, VkskinPaletteBinding binding) {
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    VkskinContextDef def = smokeContextDef(gpu, &functions, &memory);
    VkskinContext context = NULL;
    def.framesInFlight = 1;
    def.paletteBinding = binding;
    def.paletteBytesPerFrame = 2500u << 10;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    return context;
}

static uint32_t palettePages(Gpu *gpu, VkskinContext context) {
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    return stats.palettePages;
}

/* A marker by a palette after one of so many bones. */
static void skinAfter(Gpu *gpu, VkskinContext context, uint32_t bones) {
    VkskinMesh mesh = markerMesh(gpu, context, 3, false);
    VkskinInstance instance;
    VkskinPalette first;
    VkskinOutput output;
    void *data;
    GPU_VKSKIN(gpu, instanceOf(context, mesh, &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, bones, &first, &data));
    memset(data, 0, (size_t)bones * 48);
    markerSkin(gpu, context, instance, 5.0f, 6.0f);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    GpuBuffer copy = gpuBuffer(gpu, 36, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    gpuRecordReadback(commandBuffer, output.buffer, output.positionOffset, 36, copy.buffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    assert_int_equal(markerMismatches(copy.mapped, 3, 5.0f, 6.0f), 0);
    gpuFreeBuffer(gpu, &copy);
}

/* Pages of palettes are then what a view may show, and a palette lies in one of them. */
static void fewTexelsMakeSmallPages(void **state) {
    Gpu *gpu = *state;
    VkskinPalette palette;
    void *data;
    profileShimBegin(gpu, &profiles[PROFILE_FEW_TEXELS]);
    VkskinContext context = texelContext(gpu, VKSKIN_PALETTE_BINDING_TEXELS);
    assert_int_equal(palettePages(gpu, context), 3);
    assert_int_equal(profileShim.use.texels, 1u << 16);
    skinAfter(gpu, context, TEXEL_PAGE_BONES);
    gpuCheckRefusal(gpu, "palette",
                    vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, TEXEL_PAGE_BONES + 1, &palette, &data),
                    VKSKIN_ERROR_PALETTE_RING_FULL, "as texels none may be larger than 1048576 bytes");
    vkskinDestroyContext(context);
    profileShimEnd();
}

static void fewTexelsDoNotBindStorage(void **state) {
    Gpu *gpu = *state;
    profileShimBegin(gpu, &profiles[PROFILE_FEW_TEXELS]);
    VkskinContext context = texelContext(gpu, VKSKIN_PALETTE_BINDING_STORAGE);
    assert_int_equal(palettePages(gpu, context), 1);
    assert_int_equal(profileShim.use.texels, 1u << 16);
    skinAfter(gpu, context, TEXEL_PAGE_BONES + 1);
    vkskinDestroyContext(context);
    profileShimEnd();
}

/* 720 instances of 3,000 vertices, a thread each, 32 a group: 67,500 groups, more than a dimension holds. */
static void moreGroupsThanADimension(void **state) {
    enum { VERTICES = 3000, INSTANCES = 720 };
    Gpu *gpu = *state;
    VkskinContext context = leastContext(gpu, INSTANCES);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    VkskinMesh mesh;
    VkskinInstance instances[INSTANCES];
    VkskinOutput output;
    pipelines.cache = gpu->cache;
    pipelines.workgroupSize = 32;
    pipelines.instancesPerThread = 1;
    pipelines.meshes = &mesh;
    pipelines.meshCount = 1;
    GPU_VKSKIN(gpu, markerTryMesh(context, VERTICES, false, &mesh));
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &pipelines));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < INSTANCES; i++) {
        GPU_VKSKIN(gpu, instanceOf(context, mesh, &instances[i]));
        markerSkin(gpu, context, instances[i], (float)i, 1.0f);
    }
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    GpuBuffer copy = gpuBuffer(gpu, (VkDeviceSize)VERTICES * 12, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t i = 0; i < INSTANCES; i += 1 + (i < 680) * 169) { /* 0, 170, 340, 510, and 680 on */
        GPU_VKSKIN(gpu, vkskinGetOutput(context, instances[i], &output));
        commandBuffer = gpuBegin(gpu);
        gpuRecordReadback(commandBuffer, output.buffer, output.positionOffset, copy.size, copy.buffer);
        gpuSubmitAndWait(gpu, commandBuffer);
        assert_int_equal(markerMismatches(copy.mapped, VERTICES, (float)i, 1.0f), 0);
    }
    assert_int_equal(profileShim.use.dispatches, 1);
    assert_int_equal(profileShim.use.groups, 65535);
    gpuFreeBuffer(gpu, &copy);
    vkskinDestroyContext(context);
    profileShimEnd();
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        PROFILE_TEST(leastLimits),
        PROFILE_TEST(incoherent),
        PROFILE_TEST(incoherentOnTheCpu),
        PROFILE_TEST(staging),
        PROFILE_TEST(smallHeaps),
        PROFILE_TEST(noTimestamps),
        PROFILE_TEST(smallPages),
        PROFILE_TEST(localFull),
        PROFILE_TEST(localFullFirst),
        PROFILE_TEST(fewAllocations),
        PROFILE_TEST(fewTexelsMakeSmallPages),
        PROFILE_TEST(fewTexelsDoNotBindStorage),
        PROFILE_TEST(moreThanTheLeastIsRefused),
        PROFILE_TEST(moreGroupsThanADimension),
    };
    return gpuRunTests("profiles", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
