/*
 * library_crowd_case.c: LIBRARY_CROWD of library_crowd.h: running, checking and telling of what library_crowd.c makes.
 */
#include <stdio.h>
#include <string.h>

#include "crowd_check.h"
#include "library_crowd.h"
#include "measure.h"

/* ---- Running ---- */

static VkskinResult allocatePalettes(LibraryCrowd *crowd) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < crowd->scene.shape.instances; i++) {
        result = vkskinAllocatePalette(crowd->context, skinWayEncoding(crowd->def->way), crowd->scene.shape.bones,
                                       &crowd->commands[i].palette, &crowd->places[i]);
    }
    return result;
}

static void writePalettes(LibraryCrowd *crowd) {
    size_t size = libraryCrowdPaletteSize(crowd);
    for (uint32_t i = 0; i < crowd->scene.shape.instances; i++) {
        memcpy(crowd->places[i], (const char *)crowd->palettes + i % crowd->scene.poseCount * size, size);
    }
}

static VkskinResult recordSkinning(LibraryCrowd *crowd, VkCommandBuffer commandBuffer, RunTime *time) {
    double begun = measureNow(), begunCpu = processNow();
    VkskinResult result = vkskinRecordSkinning(crowd->context, commandBuffer);
    if (libraryCrowdIsOnCpu(crowd)) {
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
        result = vkskinSkinInstances(crowd->context, crowd->commands, crowd->scene.shape.instances);
    }
    time->host += measureNow() - begun;
    if (result >= 0) {
        result = recordSkinning(crowd, commandBuffer, time);
    }
    return result >= 0 || libraryCrowdFail(crowd, result, error);
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

bool libraryCrowdPoison(LibraryCrowd *crowd, EngineError *error) {
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    if (!commandBuffer) {
        return false;
    }
    for (uint32_t p = 0; p < vkskinGetOutputPageCount(crowd->context); p++) {
        VkskinOutputPage page;
        if (vkskinGetOutputPage(crowd->context, p, &page) >= 0) {
            vkCmdFillBuffer(commandBuffer, page.buffer, 0, page.size, CROWD_POISON);
        }
    }
    return deviceClockEnd(crowd->clock, NULL, error);
}

bool libraryCrowdOutput(LibraryCrowd *crowd, uint32_t instance, VkskinOutput *output, EngineError *error) {
    VkskinResult result = vkskinGetOutput(crowd->context, crowd->instances[instance], output);
    return result >= 0 || libraryCrowdFail(crowd, result, error);
}

static bool fetch(void *user, uint32_t instance, EngineError *error) {
    LibraryCrowd *crowd = user;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    if (!commandBuffer || !libraryCrowdOutput(crowd, instance, &crowd->output, error)) {
        return false;
    }
    VkBufferCopy region = {.srcOffset = crowd->output.positionOffset, .size = crowd->info.outputBytes};
    vkCmdCopyBuffer(commandBuffer, crowd->output.buffer, crowd->readback.handle, 1, &region);
    copyToHostBarrier(commandBuffer);
    return deviceClockEnd(crowd->clock, NULL, error);
}

static ReadVertex readOutput(const void *user, uint32_t vertex) {
    const LibraryCrowd *crowd = user;
    return readVertex(crowd->readback.mapped, crowd->output.positionOffset, &crowd->output, &crowd->info, vertex);
}

static bool isPoison(const void *user, uint32_t vertex) {
    const LibraryCrowd *crowd = user;
    const VkskinOutput *output = &crowd->output;
    const char *positions = crowd->readback.mapped;
    const char *attributes = positions + (output->attributeOffset - output->positionOffset);
    return crowdIsPoison(positions + (size_t)vertex * output->positionStride, output->positionStride) ||
           crowdIsPoison(attributes + (size_t)vertex * output->attributeStride, output->attributeStride);
}

static bool check(void *state, EngineError *error) {
    LibraryCrowd *crowd = state;
    CrowdOutput output = {.def = {.method = skinWayMethod(crowd->def->way)},
                          .encoding = skinWayEncoding(crowd->def->way),
                          .format = crowd->def->format,
                          .fetch = fetch,
                          .read = readOutput,
                          .isPoison = isPoison,
                          .user = crowd};
    if (crowd->centres) {
        output.def.centres = (const float *)(const void *)((const char *)crowd->centres + vkskinCentresSize(0));
    }
    return crowdCheck(&crowd->scene, &output, error);
}

/* ---- Telling ---- */

CaseTraffic libraryCrowdTraffic(const LibraryCrowd *crowd) {
    double instances = crowd->scene.shape.instances;
    /* The CPU reads a source once: its blocks stay in the cache for all instances. */
    uint32_t shared = libraryCrowdIsOnCpu(crowd) ? crowd->scene.shape.instances : crowd->tuning.instancesPerThread;
    uint32_t reads = (crowd->scene.shape.instances + shared - 1) / shared;
    CaseTraffic moved = {.vertices = instances * crowd->scene.shape.vertices,
                         .bytesRead = (double)reads * (double)crowd->info.sourceBytes +
                                      instances * (double)libraryCrowdPaletteSize(crowd),
                         .bytesWritten = instances * (double)crowd->info.outputBytes};
    moved.limitBytes = moved.bytesRead + moved.bytesWritten;
    return moved;
}

static void describe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const LibraryCrowd *crowd = state;
    if (libraryCrowdIsOnCpu(crowd)) {
        snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, the library's CPU backend, all processors",
                 crowd->scene.shape.instances);
        return;
    }
    bool texels = crowd->tuning.paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, K %u, workgroup %u, %s buffer", crowd->scene.shape.instances,
             crowd->tuning.instancesPerThread, crowd->tuning.workgroupSize, texels ? "texel" : "storage");
}

/* ---- As a case ---- */

static void *prepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    return libraryCrowdCreate(benchCase->parameters, environment, error);
}

static bool poison(void *state, EngineError *error) {
    return libraryCrowdPoison(state, error);
}

static bool run(void *state, RunTime *time, EngineError *error) {
    LibraryCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    return commandBuffer && libraryCrowdRecord(crowd, commandBuffer, time, error) &&
           libraryCrowdSubmit(crowd, time, error);
}

static CaseTraffic traffic(const void *state) {
    return libraryCrowdTraffic(state);
}

static void destroy(void *state) {
    libraryCrowdDestroy(state);
}

const CaseFunctions LIBRARY_CROWD = {NULL, prepare, poison, run, check, traffic, describe, destroy};
