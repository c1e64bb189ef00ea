#include "skinning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

static void keepMessage(void *user, VkskinResult result, const char *message) {
    Skinning *skinning = user;
    if (result > 0 && result < (VkskinResult)SKINNING_WARNINGS_MAX && skinning->warnings[result][0] == '\0') {
        snprintf(skinning->warnings[result], sizeof(skinning->warnings[result]), "%s", message);
    }
    if (result < 0) {
        snprintf(skinning->lastMessage, sizeof(skinning->lastMessage), "%s", message);
    }
}

bool skinningFail(Skinning *skinning, EngineError *error, const char *what, VkskinResult result) {
    engineVkskin(error, what, result, skinning->lastMessage);
    skinning->lastMessage[0] = '\0';
    return false;
}

VkskinContextDef skinningDeviceDef(const Device *device, const VkskinContextDef *choices, VkskinLogger logger) {
    VkskinContextDef context = choices ? *choices : vkskinDefaultContextDef();
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

static bool build(Skinning *skinning, const VkskinContextDef *choices, EngineError *error) {
    VkskinContextDef context = skinningDeviceDef(skinning->device, choices, skinning->logger);
    context.cpu = (VkskinCpuRun){.parallel = parallelRun, .parallelUser = &skinning->pool};
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

Skinning *skinningCreate(Device *device, const VkskinContextDef *choices, EngineError *error) {
    Skinning *skinning = engineAllocate(1, sizeof(*skinning), error);
    if (!skinning) {
        return NULL;
    }
    skinning->device = device;
    skinning->logger = (VkskinLogger){keepMessage, skinning};
    parallelBegin(&skinning->pool, 0);
    if (!build(skinning, choices, error)) {
        skinningDestroy(skinning);
        return NULL;
    }
    return skinning;
}

bool skinningMakeKernels(Skinning *skinning, VkskinMethod method, VkskinPaletteEncoding encoding,
                         const VkskinMesh *mesh, EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = VKSKIN_METHOD_BIT(method);
    def.encodings = VKSKIN_PALETTE_BIT(encoding);
    def.meshes = mesh;
    def.meshCount = 1;
    VkskinResult result = vkskinCreatePipelines(skinning->context, &def);
    return result >= 0 || skinningFail(skinning, error, "making the skinning pipelines", result);
}

void skinningDestroy(Skinning *skinning) {
    if (!skinning) {
        return;
    }
    vkDeviceWaitIdle(skinning->device->handle); /* failures are ignored: a lost device is destroyed the same way */
    vkskinDestroyContext(skinning->context);
    parallelEnd(&skinning->pool);
    free(skinning);
}

/* ---- Reading vertices back ---- */

static void recordCopy(VkCommandBuffer commandBuffer, const VkskinOutput *output, const Buffer *buffer) {
    VkDeviceSize positionSize = (VkDeviceSize)output->vertexCount * 3 * sizeof(float);
    VkDeviceSize attributeSize = (VkDeviceSize)output->vertexCount * output->attributeStride;
    VkBufferCopy regions[2] = {{output->positionOffset, 0, positionSize},
                               {output->attributeOffset, positionSize, attributeSize}};
    memoryBarrier(commandBuffer, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_WRITE_BIT,
                  VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    vkCmdCopyBuffer(commandBuffer, output->buffer, buffer->handle, attributeSize ? 2 : 1, regions);
    copyToHostBarrier(commandBuffer);
}

static bool decode(const VkskinOutput *output, const char *bytes, SkinnedVertices *vertices, EngineError *error) {
    const size_t count = output->vertexCount;
    const bool hasNormal = output->attributeStride != 0;
    const char *attributes = bytes + count * 3 * sizeof(float);
    vertices->count = output->vertexCount;
    vertices->positions = engineAllocate(count, 3 * sizeof(float), error);
    vertices->normals = hasNormal ? engineAllocate(count, 3 * sizeof(float), error) : NULL;
    if (!vertices->positions || (hasNormal && !vertices->normals)) {
        skinnedVerticesFree(vertices);
        return false;
    }
    memcpy(vertices->positions, bytes, count * 3 * sizeof(float));
    for (size_t i = 0; i < count && hasNormal; i++) {
        memcpy(&vertices->normals[3 * i], attributes + i * output->attributeStride, 3 * sizeof(float));
    }
    return true;
}

bool readbackInstance(Skinning *skinning, VkskinInstance instance, SkinnedVertices *vertices, EngineError *error) {
    Device *device = skinning->device;
    VkskinOutput output;
    memset(vertices, 0, sizeof(*vertices));
    VkskinResult result = vkskinGetOutput(skinning->context, instance, &output);
    if (result < 0) {
        return skinningFail(skinning, error, "reading skinned vertices back", result);
    }
    if (output.attributeStride % (3 * sizeof(float)) != 0 && output.attributeStride != 7 * sizeof(float)) {
        return engineFail(error, "packed vertices cannot be read back");
    }
    VkDeviceSize size = (VkDeviceSize)output.vertexCount * (3 * sizeof(float) + output.attributeStride);
    Buffer buffer;
    if (!deviceWait(device, error) || !bufferCreateReadback(device, size, "readback", &buffer, error)) {
        return false;
    }
    VkCommandBuffer commandBuffer = immediateBegin(device, error);
    if (commandBuffer) {
        recordCopy(commandBuffer, &output, &buffer);
    }
    bool read =
        commandBuffer && immediateEnd(device, commandBuffer, error) && decode(&output, buffer.mapped, vertices, error);
    bufferDestroy(device, &buffer);
    return read;
}

void skinnedVerticesFree(SkinnedVertices *vertices) {
    free(vertices->positions);
    free(vertices->normals);
    memset(vertices, 0, sizeof(*vertices));
}

/* ---- Tuning ---- */

typedef struct TuneRun {
    Device *device;
    TuneProgressFn progress;
    void *user;
    uint32_t runs;
    char message[ENGINE_ERROR_SIZE]; /* the library's last message */
    EngineError error;               /* the device's error */
    bool failed;                     /* the device failed; see `error` */
} TuneRun;

static void keepTuneMessage(void *user, VkskinResult result, const char *message) {
    TuneRun *run = user;
    (void)result;
    snprintf(run->message, sizeof run->message, "%s", message);
}

static bool failTuning(const TuneRun *run, VkskinResult result, EngineError *error) {
    return engineFail(error, "tuning: %.400s (%s)", run->failed ? run->error.message : run->message,
                      vkskinResultName(result));
}

/* A VkskinRunFn. */
static VkResult runOnce(void *user, void (*record)(void *recordData, VkCommandBuffer commandBuffer), void *recordData,
                        double *milliseconds) {
    TuneRun *run = user;
    VkCommandBuffer commandBuffer = immediateBegin(run->device, &run->error);
    run->failed = !commandBuffer;
    if (commandBuffer) {
        record(recordData, commandBuffer);
        double start = measureNow();
        run->failed = !immediateEnd(run->device, commandBuffer, &run->error);
        *milliseconds = measureNow() - start;
    }
    run->runs++;
    if (run->progress) {
        run->progress(run->user, run->runs);
    }
    return run->failed ? VK_ERROR_UNKNOWN : VK_SUCCESS;
}

bool tuneDevice(Device *device, TuneProgressFn progress, void *user, VkskinTuning *tuning, EngineError *error) {
    TuneRun run = {.device = device, .progress = progress, .user = user};
    VkskinContextDef context = skinningDeviceDef(device, NULL, (VkskinLogger){keepTuneMessage, &run});
    VkskinTuneDef def = vkskinDefaultTuneDef();
    def.context = &context;
    def.run = runOnce;
    def.runUser = &run;
    VkskinResult result = vkskinTune(&def, tuning);
    return result >= 0 || failTuning(&run, result, error);
}

bool tuneFits(Device *device, const VkskinTuning *tuning, bool *fits, EngineError *error) {
    TuneRun run = {.device = device};
    VkskinContextDef def = skinningDeviceDef(device, NULL, (VkskinLogger){keepTuneMessage, &run});
    VkskinContext context = NULL;
    def.tuning = tuning;
    VkskinResult result = vkskinCreateContext(&def, &context);
    vkskinDestroyContext(context);
    *fits = result >= 0;
    return *fits || result == VKSKIN_ERROR_TUNING_MISMATCH || failTuning(&run, result, error);
}
