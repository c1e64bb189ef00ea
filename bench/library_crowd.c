#include "library_crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd_check.h"
#include "measure.h"
#include "skinning.h"

static void keepMessage(void *user, VkskinResult result, const char *message) {
    LibraryCrowd *crowd = user;
    if (result < 0) {
        snprintf(crowd->message, sizeof crowd->message, "%s", message);
    }
}

/* Whether the call succeeded. If not, *error gets the library's message. */
static bool check(const LibraryCrowd *crowd, VkskinResult result, EngineError *error) {
    return result >= 0 || engineFail(error, "%.400s (%s)", crowd->message, vkskinResultName(result));
}

static bool isOnCpu(const LibraryCrowd *crowd) {
    return crowd->def->backend == VKSKIN_BACKEND_CPU;
}

static VkskinContextDef contextDef(LibraryCrowd *crowd) {
    VkskinContextDef def = skinningDeviceDef(crowd->device, NULL, (VkskinLogger){keepMessage, crowd});
    uint32_t instances = crowd->scene.shape.instances;
    def.debugUtils = false;
    def.framesInFlight = 1;
    def.paletteBinding = crowd->def->paletteBinding;
    def.backend = crowd->def->backend;
    def.cpu.parallel = parallelFor;
    def.memory.initialInstances = instances;
    def.memory.maxInstances = instances;
    def.maxTimingScopes = 0;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    /* As much as all palettes take, and a maximum that no crowd reaches: a few may need another page. */
    def.memory.firstPageSize = def.memory.pageSize;
    def.memory.paletteBytesPerFrame = instances * (VkDeviceSize)crowd->scene.paletteBytes;
    def.memory.maxPaletteBytesPerFrame = (VkDeviceSize)1 << 40;
    return def;
}

/* Runs the work of the tuning in the same way as a case. */
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

static bool createContext(LibraryCrowd *crowd, EngineError *error) {
    VkskinContextDef def = contextDef(crowd);
    VkskinTuneDef tune = vkskinDefaultTuneDef();
    VkskinTuning tuning;
    tune.context = &def;
    tune.run = runForTuning;
    tune.runUser = crowd;
    if (crowd->def->tuned && !check(crowd, vkskinTune(&tune, &tuning), error)) {
        return false;
    }
    def.tuning = crowd->def->tuned ? &tuning : NULL;
    return check(crowd, vkskinCreateContext(&def, &crowd->context), error);
}

static bool createMesh(LibraryCrowd *crowd, EngineError *error) {
    static const VkskinOutputLayout interleaved = CROWD_INTERLEAVED_LAYOUT;
    VkskinMeshDef def = crowdSceneMeshDef(&crowd->scene, crowd->def->format, crowd->def->weights);
    def.layout = crowd->def->interleaved ? &interleaved : NULL;
    return check(crowd, vkskinCreateMesh(crowd->context, &def, &crowd->mesh), error) &&
           check(crowd, vkskinGetMeshInfo(crowd->context, crowd->mesh, &crowd->info), error);
}

static bool createKernels(LibraryCrowd *crowd, EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.methods = VKSKIN_METHOD_BIT(skinModeMethod(crowd->def->mode));
    def.encodings = VKSKIN_PALETTE_BIT(skinModeEncoding(crowd->def->mode));
    def.meshes = &crowd->mesh;
    def.meshCount = 1;
    def.instancesPerThread = crowd->def->instancesPerThread;
    return check(crowd, vkskinCreatePipelines(crowd->context, &def), error) &&
           check(crowd, vkskinGetTuning(crowd->context, &crowd->tuning), error);
}

/* The memory is that of the library's pages: of the device, or mapped and cached for the CPU backend. */
static bool addOutputBuffer(LibraryCrowd *crowd, VkskinOutputBuffer *handle, EngineError *error) {
    const VkDeviceSize alignment = 256; /* the maximum of minStorageBufferOffsetAlignment */
    VkskinOutputBufferDef def = vkskinDefaultOutputBufferDef();
    VkskinStats stats;
    if (!check(crowd, vkskinGetStats(crowd->context, &stats), error)) {
        return false;
    }
    const VkDeviceSize all = crowd->scene.shape.instances * (crowd->info.outputBytes + alignment);
    def.regionCount = stats.outputRegions;
    def.regionSize = (all + alignment - 1) / alignment * alignment;
    def.bufferSize = def.regionCount * def.regionSize;
    for (uint32_t i = 0; i < def.regionCount; i++) {
        def.offsets[i] = i * def.regionSize;
    }
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (!bufferCreate(crowd->device, def.bufferSize, usage, isOnCpu(crowd) ? BUFFER_READBACK : BUFFER_DEVICE,
                      "vertices of the host", &crowd->output, error)) {
        return false;
    }
    def.buffer = crowd->output.handle;
    def.mapped = crowd->output.mapped;
    return check(crowd, vkskinAddOutputBuffer(crowd->context, &def, handle), error);
}

static bool createInstances(LibraryCrowd *crowd, EngineError *error) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    VkskinResult result = VKSKIN_SUCCESS;
    uint32_t count = crowd->scene.shape.instances;
    crowd->instances = calloc(count, sizeof *crowd->instances);
    crowd->commands = calloc(count, sizeof *crowd->commands);
    crowd->places = calloc(count, sizeof *crowd->places);
    crowd->palettes = calloc(count, sizeof *crowd->palettes);
    if (!crowd->instances || !crowd->commands || !crowd->places || !crowd->palettes) {
        return engineFail(error, "out of memory");
    }
    if (crowd->def->hostOutput && !addOutputBuffer(crowd, &def.outputBuffer, error)) {
        return false;
    }
    def.mesh = crowd->mesh;
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        result = vkskinCreateInstance(crowd->context, &def, &crowd->instances[i]);
        crowd->commands[i].instance = crowd->instances[i];
        crowd->commands[i].method = skinModeMethod(crowd->def->mode);
    }
    return check(crowd, result, error);
}

/* The number of instances that fills half of the largest device-local heap. */
static uint32_t mostInstances(const Device *device, const LibraryCrowdDef *def) {
    VkDeviceSize largest = 0;
    for (uint32_t h = 0; h < device->memory.memoryHeapCount; h++) {
        VkMemoryHeap heap = device->memory.memoryHeaps[h];
        bool local = (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
        largest = local && heap.size > largest ? heap.size : largest;
    }
    VkDeviceSize attributes = crowdAttributeBytes(def->format);
    VkDeviceSize each = def->shape.vertices * (12 + attributes) +
                        (VkDeviceSize)def->shape.bones * vkskinPaletteStride(skinModeEncoding(def->mode));
    VkDeviceSize most = largest / 2 / each;
    return most > 1u << 20 ? 1u << 20 : (uint32_t)(most > 1 ? most : 1);
}

void libraryCrowdDestroy(void *state) {
    LibraryCrowd *crowd = state;
    if (crowd->device) {
        bufferDestroy(crowd->device, &crowd->readback);
    }
    vkskinDestroyContext(crowd->context);
    if (crowd->device) {
        bufferDestroy(crowd->device, &crowd->output);
    }
    free(crowd->palettes);
    free(crowd->places);
    free(crowd->commands);
    free(crowd->instances);
    crowdSceneDestroy(&crowd->scene);
}

bool libraryCrowdCreate(LibraryCrowd *crowd, const LibraryCrowdDef *def, const BenchEnvironment *environment,
                        EngineError *error) {
    CrowdShape shape = def->shape;
    crowd->def = def;
    crowd->device = environment->device;
    crowd->clock = environment->clock;
    if (shape.instances == LIBRARY_CROWD_MOST) {
        shape.instances = mostInstances(crowd->device, def);
    }
    return crowdSceneCreate(&shape, def->mode, &crowd->scene, error) && createContext(crowd, error) &&
           createMesh(crowd, error) && (isOnCpu(crowd) || createKernels(crowd, error)) &&
           createInstances(crowd, error) &&
           bufferCreateReadback(crowd->device, crowd->info.outputBytes, "readback", &crowd->readback, error);
}

/* ---- Running ---- */

static VkskinResult allocatePalettes(LibraryCrowd *crowd) {
    const uint32_t count = crowd->scene.shape.instances;
    VkskinResult result = vkskinAllocatePalettes(crowd->context, skinModeEncoding(crowd->def->mode), NULL,
                                                 crowd->scene.shape.bones, count, crowd->palettes, crowd->places);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        crowd->commands[i].palette = crowd->palettes[i];
    }
    return result;
}

static void writePalettes(LibraryCrowd *crowd) {
    for (uint32_t i = 0; i < crowd->scene.shape.instances; i++) {
        memcpy(crowd->places[i], crowdScenePalette(&crowd->scene, i), crowd->scene.paletteBytes);
    }
}

static VkskinResult recordSkinning(LibraryCrowd *crowd, VkCommandBuffer commandBuffer, RunTime *time) {
    double begun = measureNow(), begunCpu = processNow();
    VkskinResult result = vkskinRecordSkinning(crowd->context, commandBuffer);
    if (isOnCpu(crowd)) {
        time->work = measureNow() - begun;
        time->cpu = processNow() - begunCpu;
    } else {
        time->host += measureNow() - begun;
    }
    return result;
}

bool libraryCrowdRecord(LibraryCrowd *crowd, VkCommandBuffer commandBuffer, RunTime *time, EngineError *error) {
    *time = (RunTime){0};
    VkskinResult result = vkskinBeginFrame(crowd->context, 0);
    double begun = measureNow();
    if (result >= 0) {
        result = allocatePalettes(crowd);
    }
    time->host = measureNow() - begun;
    if (result >= 0) {
        writePalettes(crowd);
    }
    begun = measureNow();
    if (result >= 0) {
        result = vkskinSkinInstances(crowd->context, crowd->commands, crowd->scene.shape.instances, NULL);
    }
    time->host += measureNow() - begun;
    if (result >= 0) {
        result = recordSkinning(crowd, commandBuffer, time);
    }
    return check(crowd, result, error);
}

bool libraryCrowdSubmit(LibraryCrowd *crowd, RunTime *time, EngineError *error) {
    RunTime submitted;
    bool good = deviceClockEnd(crowd->clock, &submitted, error);
    if (good) {
        time->work += submitted.work;
        time->cpu += submitted.cpu;
    }
    return good;
}

/* ---- Checking ---- */

bool libraryCrowdPoison(void *state, EngineError *error) {
    LibraryCrowd *crowd = state;
    bool good = true;
    for (uint32_t p = 0; good && p < vkskinGetOutputPageCount(crowd->context); p++) {
        VkskinOutputPage page;
        good = check(crowd, vkskinGetOutputPage(crowd->context, p, &page), error) &&
               deviceClockFill(crowd->clock, page.buffer, CROWD_POISON, error);
    }
    return good;
}

bool libraryCrowdOutput(LibraryCrowd *crowd, uint32_t instance, VkskinOutput *output, EngineError *error) {
    return check(crowd, vkskinGetOutput(crowd->context, crowd->instances[instance], output), error);
}

static const char *fetch(void *user, uint32_t instance, VkskinOutput *layout, EngineError *error) {
    LibraryCrowd *crowd = user;
    if (!libraryCrowdOutput(crowd, instance, layout, error)) {
        return NULL;
    }
    VkBufferCopy region = {.srcOffset = layout->offset, .size = crowd->info.outputBytes};
    layout->attributeOffset -= layout->offset;
    layout->positionOffset -= layout->offset;
    return deviceClockRead(crowd->clock, layout->buffer, &region, 1, crowd->readback.handle, error)
               ? crowd->readback.mapped
               : NULL;
}

static bool checkOutput(void *state, EngineError *error) {
    LibraryCrowd *crowd = state;
    const VkskinVertexFormat format = crowd->def->format;
    CrowdOutput output = {.format = format, .precision = format, .fetch = fetch, .user = crowd};
    return crowdCheck(&crowd->scene, &output, error);
}

/* ---- Numbers ---- */

CaseTraffic libraryCrowdTraffic(const void *state) {
    const LibraryCrowd *crowd = state;
    double instances = crowd->scene.shape.instances;
    /* The CPU reads a source once: its blocks stay in the cache for all instances. */
    uint32_t shared = isOnCpu(crowd) ? crowd->scene.shape.instances : crowd->tuning.instancesPerThread;
    uint32_t reads = (crowd->scene.shape.instances + shared - 1) / shared;
    return (CaseTraffic){.vertices = instances * crowd->scene.shape.vertices,
                         .bytesRead = (double)reads * (double)crowd->info.sourceBytes +
                                      instances * (double)crowd->scene.paletteBytes,
                         .bytesWritten = instances * (double)crowd->info.outputBytes};
}

static void describe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const LibraryCrowd *crowd = state;
    if (isOnCpu(crowd)) {
        snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, the library's CPU backend, all processors",
                 crowd->scene.shape.instances);
        return;
    }
    bool texels = crowd->tuning.paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, K %u, workgroup %u, %s buffer", crowd->scene.shape.instances,
             crowd->tuning.instancesPerThread, crowd->tuning.workgroupSize, texels ? "texel" : "storage");
}

/* ---- As a case ---- */

static bool prepare(void *state, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    return libraryCrowdCreate(state, benchCase->parameters, environment, error);
}

static bool run(void *state, RunTime *time, EngineError *error) {
    LibraryCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    return commandBuffer && libraryCrowdRecord(crowd, commandBuffer, time, error) &&
           libraryCrowdSubmit(crowd, time, error);
}

const CaseFunctions LIBRARY_CROWD = {
    sizeof(LibraryCrowd), prepare,  libraryCrowdPoison,  run, checkOutput,
    libraryCrowdTraffic,  describe, libraryCrowdDestroy,
};
