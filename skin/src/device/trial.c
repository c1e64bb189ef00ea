#include "trial.h"

#include <string.h>

VkskinContextDef sknTrialContextDef(const VkskinTuneDef *tune, uint32_t boneCount) {
    const VkskinContextDef *host = tune->context;
    VkskinContextDef def = vkskinDefaultContextDef();
    def.instance = host->instance;
    def.physicalDevice = host->physicalDevice;
    def.device = host->device;
    def.getInstanceProcAddr = host->getInstanceProcAddr;
    def.getDeviceProcAddr = host->getDeviceProcAddr;
    def.functions = host->functions;
    def.allocator = host->allocator;
    def.memory = host->memory;
    def.logger = host->logger;
    def.computeQueueFamily = host->computeQueueFamily;
    def.paletteMemory = host->paletteMemory;
    def.framesInFlight = 1;
    def.maxInstances = tune->instances;
    def.maxTimingScopes = 0;
    def.maxMorphWeights = 0;
    /* The family may know no other stage. */
    def.consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    def.consumerAccess = VK_ACCESS_SHADER_READ_BIT;
    def.outputUsage = 0;
    VkDeviceSize palette = (VkDeviceSize)boneCount * vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4);
    def.pageSize = palette > def.pageSize ? palette : def.pageSize;
    /* Twice: pages may end with room for less than a palette. */
    def.paletteBytesPerFrame = 2 * palette * tune->instances;
    return def;
}

static VkskinResult makeInstances(Trial *trial) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = trial->mesh;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < trial->def->instances; i++) {
        result = vkskinCreateInstance(trial->context, &def, &trial->commands[i].instance);
    }
    return result;
}

static VkskinResult makeKernels(Trial *trial) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.meshes = &trial->mesh;
    def.meshCount = 1;
    return vkskinCreatePipelines(trial->context, &def);
}

static VkskinResult fillTrial(Trial *trial, const VkskinMeshDef *mesh) {
    const Gpu *gpu = &trial->context->gpu;
    trial->commands = sknHostAllocateArray(gpu->hostAllocator, trial->def->instances, sizeof *trial->commands);
    if (trial->commands == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "vkskinTune: no memory for %u instances",
                         trial->def->instances);
    }
    VkskinResult result = vkskinCreateMesh(trial->context, mesh, &trial->mesh);
    if (result >= 0) {
        result = makeInstances(trial);
    }
    return result < 0 ? result : makeKernels(trial);
}

VkskinResult sknOpenTrial(const VkskinTuneDef *def, const VkskinMeshDef *mesh, const VkskinTuning *tuning,
                          Trial *trial) {
    *trial = (Trial){.def = def, .tuning = *tuning};
    VkskinContextDef contextDef = sknTrialContextDef(def, mesh->boneCount);
    contextDef.tuning = tuning;
    VkskinResult result = vkskinCreateContext(&contextDef, &trial->context);
    if (result < 0) {
        return result;
    }
    result = fillTrial(trial, mesh);
    if (result < 0) {
        sknCloseTrial(trial);
    }
    return result;
}

void sknCloseTrial(Trial *trial) {
    if (trial->context != NULL) {
        sknHostFree(trial->context->gpu.hostAllocator, trial->commands);
        vkskinDestroyContext(trial->context);
    }
    *trial = (Trial){0};
}

/* Bones at rest: what they are makes no difference to the time. */
static VkskinResult writePalette(Trial *trial, uint32_t boneCount, VkskinPalette *palette) {
    static const float rest[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    void *data = NULL;
    VkskinResult result = vkskinAllocatePalette(trial->context, VKSKIN_PALETTE_MAT3X4, boneCount, palette, &data);
    for (uint32_t b = 0; result >= 0 && b < boneCount; b++) {
        memcpy((float *)data + (size_t)12 * b, rest, sizeof rest);
    }
    return result;
}

static VkskinResult recordFrame(Trial *trial, VkCommandBuffer commandBuffer) {
    VkskinMeshInfo info;
    VkskinResult result = vkskinBeginFrame(trial->context, 0);
    if (result >= 0) {
        result = vkskinGetMeshInfo(trial->context, trial->mesh, &info);
    }
    for (uint32_t i = 0; result >= 0 && i < trial->def->instances; i++) {
        result = writePalette(trial, info.boneCount, &trial->commands[i].palette);
    }
    if (result >= 0) {
        result = vkskinSkinInstances(trial->context, trial->commands, trial->def->instances);
    }
    return result < 0 ? result : vkskinRecordSkinning(trial->context, commandBuffer);
}

static void record(void *data, VkCommandBuffer commandBuffer) {
    Trial *trial = data;
    trial->calls++;
    trial->recorded = recordFrame(trial, commandBuffer);
}

VkskinResult sknRunTrial(Trial *trial, bool count) {
    const Gpu *gpu = &trial->context->gpu;
    double milliseconds = 0.0;
    trial->calls = 0;
    trial->recorded = VKSKIN_SUCCESS;
    VkskinResult result =
        sknCheck(gpu, trial->def->run(trial->def->runUser, record, trial, &milliseconds), "VkskinTuneDef.run");
    if (result < 0) {
        return result;
    }
    if (trial->recorded < 0) {
        return trial->recorded;
    }
    if (trial->calls != 1) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: run called record %u times, not once",
                         trial->calls);
    }
    if (!(milliseconds > 0.0)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: run told a time of %g ms",
                         milliseconds);
    }
    if (count && (trial->milliseconds == 0.0 || milliseconds < trial->milliseconds)) {
        trial->milliseconds = milliseconds;
    }
    return VKSKIN_SUCCESS;
}
