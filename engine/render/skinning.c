#include "skinning.h"

#include <stdio.h>
#include <stdlib.h>

#include "frames.h"

/* Failures are kept for skinningFail; warnings tell of a file's weights, which the mesh's info counts. */
static void keepMessage(void *user, VkskinResult result, const char *message) {
    Skinning *skinning = user;
    if (result < 0) {
        snprintf(skinning->lastMessage, sizeof(skinning->lastMessage), "%s", message);
    }
}

bool skinningFail(Skinning *skinning, EngineError *error, const char *what, VkskinResult result) {
    const char *name = vkskinResultName(result);
    if (skinning->lastMessage[0] == '\0') {
        return engineFail(error, "%s: %s", what, name);
    }
    engineFail(error, "%s: %.400s (%s)", what, skinning->lastMessage, name);
    skinning->lastMessage[0] = '\0';
    return false;
}

VkskinContextDef skinningDeviceDef(const Device *device, VkskinLogger logger) {
    VkskinContextDef context = vkskinDefaultContextDef();
    context.instance = device->instance;
    context.physicalDevice = device->physical;
    context.device = device->handle;
    context.getInstanceProcAddr = vkGetInstanceProcAddr;
    context.getDeviceProcAddr = vkGetDeviceProcAddr;
    context.logger = logger;
    context.debugUtils = device->debugUtils;
    context.computeQueueFamily = device->family;
    return context;
}

VkskinBackend skinningBackend(const Device *device, VkskinBackend wanted) {
    if (wanted != VKSKIN_BACKEND_AUTOMATIC) {
        return wanted;
    }
    return device->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU ? VKSKIN_BACKEND_CPU : VKSKIN_BACKEND_COMPUTE;
}

static VkskinContextDef contextDef(Skinning *skinning, const SkinningDef *def) {
    VkskinContextDef context = skinningDeviceDef(skinning->device, skinning->logger);
    context.backend = def->backend;
    context.tuning = def->tuning;
    if (skinning->pool.threads > 0) {
        context.cpu = (VkskinCpuRun){.parallel = parallelRun, .parallelUser = &skinning->pool};
    }
    context.framesInFlight = skinning->framesInFlight;
    context.maxInstances = def->maxInstances ? def->maxInstances : context.maxInstances;
    context.maxMorphWeights = def->maxMorphWeights;
    context.pageSize = def->pageSize ? def->pageSize : context.pageSize;
    if (def->paletteBytesPerFrame) {
        context.paletteBytesPerFrame = def->paletteBytesPerFrame;
    }
    if (def->readback) {
        context.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    }
    return context;
}

static bool build(Skinning *skinning, const SkinningDef *def, EngineError *error) {
    VkskinContextDef context = contextDef(skinning, def);
    VkskinResult result = vkskinCreateContext(&context, &skinning->context);
    VkskinStats stats;
    if (result >= 0) {
        result = vkskinGetStats(skinning->context, &stats);
    }
    if (result < 0) {
        return skinningFail(skinning, error, "making the skinning context", result);
    }
    skinning->backend = stats.backend;
    return true;
}

Skinning *skinningCreate(Device *device, const SkinningDef *def, EngineError *error) {
    Skinning *skinning = calloc(1, sizeof(*skinning));
    if (!skinning) {
        engineFail(error, "out of memory");
        return NULL;
    }
    skinning->device = device;
    skinning->framesInFlight = def->framesInFlight ? def->framesInFlight : FRAMES_DEFAULT;
    skinning->logger = (VkskinLogger){keepMessage, skinning};
    if (skinningBackend(device, def->backend) == VKSKIN_BACKEND_CPU) {
        parallelBegin(&skinning->pool, def->threads);
    }
    if (!build(skinning, def, error)) {
        skinningDestroy(skinning);
        return NULL;
    }
    return skinning;
}

bool skinningMakeKernels(Skinning *skinning, SkinWay way, const VkskinMesh *meshes, uint32_t meshCount,
                         EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = VKSKIN_METHOD_BIT(skinWayMethod(way));
    def.encodings = VKSKIN_PALETTE_BIT(skinWayEncoding(way));
    def.meshes = meshes;
    def.meshCount = meshCount;
    VkskinResult result = vkskinCreatePipelines(skinning->context, &def);
    return result >= 0 || skinningFail(skinning, error, "making the skinning pipelines", result);
}

void skinningDestroy(Skinning *skinning) {
    if (!skinning) {
        return;
    }
    vkDeviceWaitIdle(skinning->device->handle); /* a lost device is destroyed like any other */
    vkskinDestroyContext(skinning->context);
    parallelEnd(&skinning->pool);
    free(skinning);
}
