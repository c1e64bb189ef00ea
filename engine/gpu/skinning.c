#include "skinning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "measure.h"
#include "resources.h"

/* Keeps failures for skinningFail. Warnings are ignored: they are about weights, which VkskinMeshInfo reports. */
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
    context.cpu = (VkskinCpuRun){.parallel = parallelRun, .parallelUser = &skinning->pool};
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
    Skinning *skinning = engineAllocate(1, sizeof(*skinning), error);
    if (!skinning) {
        return NULL;
    }
    skinning->device = device;
    skinning->framesInFlight = def->framesInFlight ? def->framesInFlight : FRAMES_DEFAULT;
    skinning->logger = (VkskinLogger){keepMessage, skinning};
    parallelBegin(&skinning->pool, def->threads);
    if (!build(skinning, def, error)) {
        skinningDestroy(skinning);
        return NULL;
    }
    return skinning;
}

bool skinningMakeKernels(Skinning *skinning, VkskinMethod method, VkskinPaletteEncoding encoding,
                         const VkskinMesh *meshes, uint32_t meshCount, EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = VKSKIN_METHOD_BIT(method);
    def.encodings = VKSKIN_PALETTE_BIT(encoding);
    def.meshes = meshes;
    def.meshCount = meshCount;
    VkskinResult result = vkskinCreatePipelines(skinning->context, &def);
    return result >= 0 || skinningFail(skinning, error, "making the skinning pipelines", result);
}

void skinningDestroy(Skinning *skinning) {
    if (!skinning) {
        return;
    }
    vkDeviceWaitIdle(skinning->device->handle); /* a failure is ignored: a lost device is destroyed the same way */
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

static void normalise(float v[3]) {
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3; axis++) {
        v[axis] /= length;
    }
}

/* Octahedral square to unit vector, like vkskinOctahedralDecode in shaders/vkskin/vkskin.glsl. */
static void decodeOctahedral(float x, float y, float out[3]) {
    float z = 1.0f - fabsf(x) - fabsf(y);
    float fold = fmaxf(-z, 0.0f);
    out[0] = x + (x >= 0.0f ? -fold : fold);
    out[1] = y + (y >= 0.0f ? -fold : fold);
    out[2] = z;
    normalise(out);
}

/* The low `bits` of a word as a signed number in -1 to 1. */
static float signedNormalised(uint32_t word, uint32_t bits) {
    uint32_t sign = 1u << (bits - 1);
    uint32_t low = word & (2 * sign - 1);
    float value = (float)low - ((low & sign) ? 2.0f * (float)sign : 0.0f);
    return fmaxf(value / (float)(sign - 1), -1.0f);
}

static void decodePacked(const uint32_t *words, bool hasTangent, float normal[3], float tangent[4]) {
    decodeOctahedral(signedNormalised(words[0], 16), signedNormalised(words[0] >> 16, 16), normal);
    if (hasTangent) {
        decodeOctahedral(signedNormalised(words[1], 16), signedNormalised(words[1] >> 16, 15), tangent);
        tangent[3] = (words[1] & 0x80000000u) ? -1.0f : 1.0f;
    }
}

static void decodeAttributes(const uint8_t *bytes, uint32_t stride, SkinnedVertices *vertices) {
    bool packed = stride <= 8;
    bool hasTangent = stride == 8 || stride == 28;
    for (uint32_t i = 0; i < vertices->count; i++, bytes += stride) {
        float *normal = &vertices->normals[3 * (size_t)i];
        float *tangent = hasTangent ? &vertices->tangents[4 * (size_t)i] : NULL;
        if (packed) {
            uint32_t words[2] = {0, 0};
            memcpy(words, bytes, stride);
            decodePacked(words, hasTangent, normal, tangent);
        } else {
            memcpy(normal, bytes, 3 * sizeof(float));
            if (hasTangent) {
                memcpy(tangent, bytes + 3 * sizeof(float), 4 * sizeof(float));
            }
        }
    }
}

static bool decode(const VkskinOutput *output, const uint8_t *bytes, SkinnedVertices *vertices, EngineError *error) {
    size_t count = output->vertexCount;
    bool hasNormal = output->attributeStride != 0;
    bool hasTangent = output->attributeStride == 8 || output->attributeStride == 28;
    vertices->count = output->vertexCount;
    vertices->positions = malloc(count * 3 * sizeof(float));
    vertices->normals = hasNormal ? malloc(count * 3 * sizeof(float)) : NULL;
    vertices->tangents = hasTangent ? malloc(count * 4 * sizeof(float)) : NULL;
    if (!vertices->positions || (hasNormal && !vertices->normals) || (hasTangent && !vertices->tangents)) {
        skinnedVerticesFree(vertices);
        return engineFail(error, "out of memory");
    }
    memcpy(vertices->positions, bytes, count * 3 * sizeof(float));
    if (hasNormal) {
        decodeAttributes(bytes + count * 3 * sizeof(float), output->attributeStride, vertices);
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
    free(vertices->tangents);
    memset(vertices, 0, sizeof(*vertices));
}

/* ---- Tuning ---- */

typedef struct TuneRun {
    Device *device;
    TuneProgressFn progress;
    void *user;
    uint32_t runs;
    char message[ENGINE_ERROR_SIZE]; /* the library's last message */
    EngineError error;               /* of the device */
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
    VkskinContextDef context = skinningDeviceDef(device, (VkskinLogger){keepTuneMessage, &run});
    VkskinTuneDef def = vkskinDefaultTuneDef();
    def.context = &context;
    def.run = runOnce;
    def.runUser = &run;
    VkskinResult result = vkskinTune(&def, tuning);
    return result >= 0 || failTuning(&run, result, error);
}

bool tuneFits(Device *device, const VkskinTuning *tuning, bool *fits, EngineError *error) {
    TuneRun run = {.device = device};
    VkskinContextDef def = skinningDeviceDef(device, (VkskinLogger){keepTuneMessage, &run});
    VkskinContext context = NULL;
    def.tuning = tuning;
    VkskinResult result = vkskinCreateContext(&def, &context);
    vkskinDestroyContext(context);
    *fits = result >= 0;
    return *fits || result == VKSKIN_ERROR_TUNING_MISMATCH || failTuning(&run, result, error);
}
