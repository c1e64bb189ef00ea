#include "library_crowd.h"

#include <stdio.h>
#include <stdlib.h>

#include "parallel.h"

static void keepMessage(void *user, VkskinResult result, const char *message) {
    LibraryCrowd *crowd = user;
    if (result < 0) {
        snprintf(crowd->message, sizeof crowd->message, "%s", message);
    }
}

bool libraryCrowdFail(const LibraryCrowd *crowd, VkskinResult result, EngineError *error) {
    return engineFail(error, "%.400s (%s)", crowd->message, vkskinResultName(result));
}

bool libraryCrowdIsOnCpu(const LibraryCrowd *crowd) {
    return crowd->def->backend == VKSKIN_BACKEND_CPU;
}

size_t libraryCrowdPaletteSize(const LibraryCrowd *crowd) {
    return crowd->scene.shape.bones * (size_t)vkskinPaletteStride(skinWayEncoding(crowd->def->way));
}

static VkskinContextDef contextDef(LibraryCrowd *crowd) {
    VkskinContextDef def = vkskinDefaultContextDef();
    const Device *device = crowd->device;
    uint32_t instances = crowd->scene.shape.instances;
    def.instance = device->instance;
    def.physicalDevice = device->physical;
    def.device = device->handle;
    def.getInstanceProcAddr = vkGetInstanceProcAddr;
    def.getDeviceProcAddr = vkGetDeviceProcAddr;
    def.logger = (VkskinLogger){keepMessage, crowd};
    def.computeQueueFamily = device->family;
    def.framesInFlight = 1;
    def.paletteBinding = crowd->def->paletteBinding;
    def.backend = crowd->def->backend;
    def.cpu.parallel = parallelFor;
    def.maxInstances = instances;
    def.maxMorphWeights = 0;
    def.maxTimingScopes = 0;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    /* Each palette may leave the end of a page unused, so a few more than there are. */
    VkDeviceSize bytes = (instances + instances / 64 + 1) * (VkDeviceSize)libraryCrowdPaletteSize(crowd);
    def.paletteBytesPerFrame = bytes > def.paletteBytesPerFrame ? bytes : def.paletteBytesPerFrame;
    return def;
}

/* Runs the tuning's work as the cases are run. */
static VkResult runForTuning(void *user, void (*record)(void *recordData, VkCommandBuffer commandBuffer),
                             void *recordData, double *milliseconds) {
    LibraryCrowd *crowd = user;
    EngineError error;
    RunTime time = {0};
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, &error);
    if (commandBuffer) {
        record(recordData, commandBuffer);
    }
    bool good = commandBuffer && deviceClockEnd(crowd->clock, &time, &error);
    *milliseconds = time.work;
    return good ? VK_SUCCESS : VK_ERROR_UNKNOWN;
}

static bool tune(LibraryCrowd *crowd, const VkskinContextDef *context, VkskinTuning *tuning, EngineError *error) {
    VkskinTuneDef def = vkskinDefaultTuneDef();
    def.context = context;
    def.run = runForTuning;
    def.runUser = crowd;
    VkskinResult result = vkskinTune(&def, tuning);
    return result >= 0 || libraryCrowdFail(crowd, result, error);
}

static bool createContext(LibraryCrowd *crowd, EngineError *error) {
    VkskinContextDef def = contextDef(crowd);
    VkskinTuning tuning;
    if (crowd->def->tuned) {
        if (!tune(crowd, &def, &tuning, error)) {
            return false;
        }
        def.tuning = &tuning;
    }
    VkskinResult result = vkskinCreateContext(&def, &crowd->context);
    return result >= 0 || libraryCrowdFail(crowd, result, error);
}

static bool createMesh(LibraryCrowd *crowd, EngineError *error) {
    VkskinMeshDef def = crowdSceneMeshDef(&crowd->scene, crowd->def->format, crowd->def->weights);
    def.centres = crowd->centres;
    def.centresSize = crowd->centres ? vkskinCentresSize(def.vertexCount) : 0;
    VkskinResult result = vkskinCreateMesh(crowd->context, &def, &crowd->mesh);
    if (result >= 0) {
        result = vkskinGetMeshInfo(crowd->context, crowd->mesh, &crowd->info);
    }
    return result >= 0 || libraryCrowdFail(crowd, result, error);
}

static bool createKernels(LibraryCrowd *crowd, EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = VKSKIN_METHOD_BIT(skinWayMethod(crowd->def->way));
    def.encodings = VKSKIN_PALETTE_BIT(skinWayEncoding(crowd->def->way));
    def.meshes = &crowd->mesh;
    def.meshCount = 1;
    def.instancesPerThread = crowd->def->instancesPerThread;
    VkskinResult result = vkskinCreatePipelines(crowd->context, &def);
    if (result >= 0) {
        result = vkskinGetTuning(crowd->context, &crowd->tuning);
    }
    return result >= 0 || libraryCrowdFail(crowd, result, error);
}

static bool createInstances(LibraryCrowd *crowd, EngineError *error) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    VkskinResult result = VKSKIN_SUCCESS;
    uint32_t count = crowd->scene.shape.instances;
    crowd->instances = calloc(count, sizeof *crowd->instances);
    crowd->commands = calloc(count, sizeof *crowd->commands);
    crowd->places = calloc(count, sizeof *crowd->places);
    if (!crowd->instances || !crowd->commands || !crowd->places) {
        return engineFail(error, "out of memory");
    }
    def.mesh = crowd->mesh;
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        result = vkskinCreateInstance(crowd->context, &def, &crowd->instances[i]);
        crowd->commands[i].instance = crowd->instances[i];
        crowd->commands[i].method = skinWayMethod(crowd->def->way);
    }
    return result >= 0 || libraryCrowdFail(crowd, result, error);
}

/* Those that take half of the largest heap of the device's own. */
static uint32_t mostInstances(const Device *device, const LibraryCrowdDef *def) {
    VkDeviceSize largest = 0;
    for (uint32_t h = 0; h < device->memory.memoryHeapCount; h++) {
        VkMemoryHeap heap = device->memory.memoryHeaps[h];
        bool local = (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
        largest = local && heap.size > largest ? heap.size : largest;
    }
    VkDeviceSize attributes = def->format == VKSKIN_VERTEX_PACKED ? 8 : 28;
    VkDeviceSize each = def->shape.vertices * (12 + attributes) +
                        (VkDeviceSize)def->shape.bones * vkskinPaletteStride(skinWayEncoding(def->way));
    VkDeviceSize most = largest / 2 / each;
    return most > 1u << 20 ? 1u << 20 : (uint32_t)(most > 1 ? most : 1);
}

static bool createScene(LibraryCrowd *crowd, EngineError *error) {
    CrowdShape shape = crowd->def->shape;
    if (shape.instances == LIBRARY_CROWD_MOST) {
        shape.instances = mostInstances(crowd->device, crowd->def);
    }
    if (!crowdSceneCreate(&shape, &crowd->scene, error) ||
        (crowd->def->way == SKIN_WAY_BLEND && !crowdScenePaint(&crowd->scene, error))) {
        return false;
    }
    if (crowd->def->way == SKIN_WAY_COR) {
        crowd->centres = newCrowdCentres(&crowd->scene, error);
        if (!crowd->centres) {
            return false;
        }
    }
    crowd->palettes = newCrowdPalettes(&crowd->scene, skinWayEncoding(crowd->def->way));
    return crowd->palettes || engineFail(error, "out of memory");
}

void libraryCrowdDestroy(LibraryCrowd *crowd) {
    if (!crowd) {
        return;
    }
    bufferDestroy(crowd->device, &crowd->readback);
    vkskinDestroyContext(crowd->context);
    free(crowd->places);
    free(crowd->commands);
    free(crowd->instances);
    free(crowd->palettes);
    free(crowd->centres);
    crowdSceneDestroy(&crowd->scene);
    free(crowd);
}

LibraryCrowd *libraryCrowdCreate(const LibraryCrowdDef *def, const BenchEnvironment *environment, EngineError *error) {
    LibraryCrowd *crowd = calloc(1, sizeof *crowd);
    if (!crowd) {
        engineFail(error, "out of memory");
        return NULL;
    }
    crowd->def = def;
    crowd->device = environment->device;
    crowd->clock = environment->clock;
    bool made = createScene(crowd, error) && createContext(crowd, error) && createMesh(crowd, error) &&
                (libraryCrowdIsOnCpu(crowd) || createKernels(crowd, error)) && createInstances(crowd, error) &&
                bufferCreate(crowd->device, crowd->info.outputBytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK,
                             "readback", &crowd->readback, error);
    if (!made) {
        libraryCrowdDestroy(crowd);
        crowd = NULL;
    }
    return crowd;
}
