#include "tune_watch.h"

#define PALETTE_SET 2u /* the kernels' descriptor set of palettes */

TuneWatch tuneWatch;

/* ---- Calls into the driver ---- */

static VKAPI_ATTR VkResult VKAPI_CALL seeKernels(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                 const VkComputePipelineCreateInfo *infos,
                                                 const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    tuneWatch.kernelSets++;
    tuneWatch.runsSince = 0;
    return tuneWatch.makeKernels(device, cache, count, infos, allocator, pipelines);
}

static void forgetSet(VkDescriptorSet set) {
    for (uint32_t i = 0; i < tuneWatch.texelSetCount; i++) {
        if (tuneWatch.texelSets[i] == set) {
            tuneWatch.texelSets[i--] = tuneWatch.texelSets[--tuneWatch.texelSetCount];
        }
    }
}

/* The page length identifies sets of palettes read as texels: it is the largest that a view may have. Handles are
 * reused. */
static VKAPI_ATTR void VKAPI_CALL seeSets(VkDevice device, uint32_t count, const VkWriteDescriptorSet *writes,
                                          uint32_t copyCount, const VkCopyDescriptorSet *copies) {
    for (uint32_t i = 0; i < count; i++) {
        if (writes[i].descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
            forgetSet(writes[i].dstSet);
            if (writes[i].pBufferInfo->range == TUNE_TEXEL_PAGE) {
                assert_true(tuneWatch.texelSetCount < TUNE_MOST_SETS);
                tuneWatch.texelSets[tuneWatch.texelSetCount++] = writes[i].dstSet;
            }
        }
    }
    vkUpdateDescriptorSets(device, count, writes, copyCount, copies);
}

static VKAPI_ATTR void VKAPI_CALL seeBinding(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                             VkPipelineLayout layout, uint32_t first, uint32_t count,
                                             const VkDescriptorSet *sets, uint32_t offsetCount,
                                             const uint32_t *offsets) {
    tuneWatch.texels = false;
    for (uint32_t i = 0; i < tuneWatch.texelSetCount; i++) {
        tuneWatch.texels = tuneWatch.texels || sets[PALETTE_SET] == tuneWatch.texelSets[i];
    }
    vkCmdBindDescriptorSets(commandBuffer, point, layout, first, count, sets, offsetCount, offsets);
}

static VKAPI_ATTR void VKAPI_CALL seeDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    tuneWatch.groups += x * y * z;
    vkCmdDispatch(commandBuffer, x, y, z);
}

/* A view has room for the palettes of one trial, not of the two for which a context has pages. */
static VKAPI_ATTR void VKAPI_CALL fewTexels(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits.maxTexelBufferElements = TUNE_TEXEL_PAGE / 16;
}

/* Starts to record the driver's calls. */
static VkskinVulkanFunctions startWatch(Gpu *gpu, TuneSettings wanted) {
    interposerBegin(gpu);
    VkskinVulkanFunctions functions = interposerFunctions();
    tuneWatch = (TuneWatch){.gpu = gpu, .wanted = wanted, .makeKernels = functions.vkCreateComputePipelines};
    functions.vkCreateComputePipelines = seeKernels;
    functions.vkUpdateDescriptorSets = seeSets;
    functions.vkCmdBindDescriptorSets = seeBinding;
    functions.vkCmdDispatch = seeDispatch;
    return functions;
}

void tuneCheckNothingIsLeft(void) {
    interposerEnd();
    assert_int_equal(interposer.heapAlive, 0);
}

/* ---- The tuning ---- */

VkskinMeshDef tuneMeshDef(uint32_t vertexCount, uint32_t boneCount) {
    static float positions[TUNE_VERTICES][3], weights[TUNE_VERTICES];
    static uint16_t joints[TUNE_VERTICES];
    assert_true(vertexCount <= TUNE_VERTICES);
    for (uint32_t v = 0; v < TUNE_VERTICES; v++) {
        positions[v][0] = (float)v;
        weights[v] = 1.0f;
    }
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = vertexCount;
    def.boneCount = boneCount;
    def.positions = positions[0];
    def.influencesPerVertex = 1;
    def.joints = joints;
    def.weights = weights;
    return def;
}

void tuneStart(Gpu *gpu, TuneSettings wanted, VkskinRunFn run, Tune *tune) {
    *tune = (Tune){.functions = startWatch(gpu, wanted), .mesh = tuneMeshDef(TUNE_VERTICES, 1)};
    tune->context = gpuContextDef(gpu);
    tune->context.functions = &tune->functions;
    tune->functions.vkGetPhysicalDeviceProperties = fewTexels;
    tune->context.pageSize = 65536;
    tune->def = vkskinDefaultTuneDef();
    tune->def.context = &tune->context;
    tune->def.mesh = &tune->mesh;
    tune->def.instances = TUNE_INSTANCES;
    tune->def.rounds = TUNE_ROUNDS;
    tune->def.run = run;
    tune->def.runUser = tune;
}

void tuneRecordAndRun(TuneRecordFn record, void *recordData) {
    tuneWatch.groups = 0;
    VkCommandBuffer commandBuffer = gpuBegin(tuneWatch.gpu);
    record(recordData, commandBuffer);
    gpuSubmitAndWait(tuneWatch.gpu, commandBuffer);
}
