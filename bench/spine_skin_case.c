#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_kinds.h"
#include "measure.h"
#include "skinning.h"
#include "spine_scene.h"

#define LINE           64u
#define CHECK_EACH     61u
#define PALETTE_FLOATS (6 * (size_t)SPINE_BONES)
#define BYTES          ((size_t)SPINE_VERTICES * 2 * sizeof(float)) /* vertices of a character: whole cache lines */
#define BOUND          (1e-4 * SPINE_SIZE)

typedef struct SkinState {
    const SpineSkinDef *def;
    uint32_t count; /* characters */
    SpineScene *scene;
    SpineMesh mesh;
    SpinePose *pose;
    float *palettes; /* [count][SPINE_BONES][6] */
    VkskinCpuRun run;
    VkskinMeshInfo info;

    /* On the host. */
    VkskinCpuMesh cpuMesh;
    VkskinCpuCommand *cpuCommands; /* [count] */
    float *output;                 /* [count][SPINE_VERTICES][2] */

    /* With a context. */
    DeviceClock *clock;
    Skinning *skinning;
    VkskinInstance *instances;   /* [count] */
    VkskinSkinCommand *commands; /* likewise */
    VkskinPalette *handles;
    void **places;
    Buffer readback;
} SkinState;

static bool inFrames(const SkinState *state) {
    return state->def->work == SPINE_FRAME;
}

static double timeOf(uint32_t character) {
    return fmod((double)character * 0.0137, SPINE_SECONDS);
}

/* ---- Making ---- */

static bool createPalettes(SkinState *state, EngineError *error) {
    float unused; /* there are no morph targets */
    state->palettes = engineAllocate(state->count * PALETTE_FLOATS, sizeof *state->palettes, error);
    for (uint32_t c = 0; c < state->count && state->palettes; c++) {
        spinePoseSet(state->pose, 0, timeOf(c));
        spineMeshPose(&state->mesh, state->pose, &SPINE_UNPLACED, state->palettes + c * PALETTE_FLOATS, &unused);
    }
    return state->palettes != NULL;
}

static bool createOnHost(SkinState *state, EngineError *error) {
    const VkskinMeshDef mesh = spineMeshDef(&state->mesh);
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &mesh;
    const VkskinResult result = vkskinCreateCpuMesh(&def, &state->cpuMesh);
    state->cpuCommands = engineAllocate(state->count, sizeof *state->cpuCommands, error);
    state->output = aligned_alloc(LINE, state->count * BYTES);
    if (result < 0 || !state->cpuCommands || !state->output) {
        return engineFail(error, "the mesh could not be made: %s", vkskinResultName(result));
    }
    for (uint32_t c = 0; c < state->count; c++) {
        state->cpuCommands[c] = (VkskinCpuCommand){.palette = state->palettes + c * PALETTE_FLOATS,
                                                   .encoding = VKSKIN_PALETTE_MAT2X3,
                                                   .boneCount = SPINE_BONES,
                                                   .method = VKSKIN_METHOD_LINEAR_BLEND,
                                                   .streams = {state->output + c * (BYTES / sizeof(float))}};
    }
    vkskinGetCpuMeshInfo(state->cpuMesh, &state->info);
    return true;
}

static bool createContext(SkinState *state, const BenchEnvironment *environment, EngineError *error) {
    VkskinContextDef def = vkskinDefaultContextDef();
    def.framesInFlight = 1;
    def.backend = state->def->backend;
    def.debugUtils = false;
    def.memory.initialInstances = def.memory.maxInstances = state->count;
    def.maxTimingScopes = 0;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    def.memory.firstPageSize = def.memory.pageSize;
    def.memory.paletteBytesPerFrame = state->count * PALETTE_FLOATS * sizeof(float);
    state->clock = environment->clock;
    state->skinning = skinningCreate(environment->device, &def, error);
    return state->skinning && bufferCreateReadback(environment->device, BYTES, "readback", &state->readback, error);
}

static bool createInFrames(SkinState *state, const BenchEnvironment *environment, EngineError *error) {
    const VkskinMeshDef def = spineMeshDef(&state->mesh);
    VkskinMesh mesh;
    if (!createContext(state, environment, error)) {
        return false;
    }
    state->instances = engineAllocate(state->count, sizeof *state->instances, error);
    state->commands = engineAllocate(state->count, sizeof *state->commands, error);
    state->handles = engineAllocate(state->count, sizeof *state->handles, error);
    state->places = engineAllocate(state->count, sizeof *state->places, error);
    if (!state->instances || !state->commands || !state->handles || !state->places) {
        return false;
    }
    VkskinContext context = state->skinning->context;
    VkskinResult result = vkskinCreateMesh(context, &def, &mesh);
    if (result >= 0 &&
        !skinningMakeKernels(state->skinning, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3, &mesh, error)) {
        return false;
    }
    result = result < 0 ? result : vkskinCreateInstances(context, mesh, state->count, state->instances);
    result = result < 0 ? result : vkskinGetMeshInfo(context, mesh, &state->info);
    for (uint32_t c = 0; c < state->count; c++) {
        state->commands[c] = (VkskinSkinCommand){.instance = state->instances[c], .method = VKSKIN_METHOD_LINEAR_BLEND};
    }
    return result >= 0 || skinningFail(state->skinning, error, "making the instances", result);
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    SkinState *state = data;
    state->def = benchCase->parameters;
    state->count = environment->quick ? SPINE_CHARACTERS / 10 : SPINE_CHARACTERS;
    state->run = benchCaseCpuRun(benchCase);
    state->scene = engineAllocate(1, sizeof *state->scene, error);
    if (!state->scene || !spineSceneFill(true, true, state->scene, error) ||
        !spineMeshCreate(&state->scene->spine, &state->mesh, error)) {
        return false;
    }
    state->pose = spinePoseCreate(&state->scene->spine, NULL, 0, error);
    return state->pose && createPalettes(state, error) &&
           (inFrames(state) ? createInFrames(state, environment, error) : createOnHost(state, error));
}

static void destroy(void *data) {
    SkinState *state = data;
    if (state->skinning) {
        bufferDestroy(state->skinning->device, &state->readback);
    }
    skinningDestroy(state->skinning);
    vkskinDestroyCpuMesh(state->cpuMesh);
    spinePoseFree(state->pose);
    spineMeshFree(&state->mesh);
    void *const arrays[] = {state->scene,     state->palettes, state->cpuCommands, state->output,
                            state->instances, state->commands, state->handles,     state->places};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
}

/* ---- Running ---- */

/* Influences of a vertex are neighbours in the attachment's arrays. */
static void skinPlainly(const SpineAttachment *mesh, const float *palette, float *output) {
    uint32_t i = 0;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        float x = 0.0f, y = 0.0f;
        for (; i < mesh->influenceCount && mesh->vertices[i] == v; i++) {
            const float *m = palette + 6 * (size_t)mesh->bones[i], *p = mesh->offsets + 3 * (size_t)i;
            x += (m[0] * p[0] + m[1] * p[1] + m[2]) * p[2];
            y += (m[3] * p[0] + m[4] * p[1] + m[5]) * p[2];
        }
        output[2 * (size_t)v] = x;
        output[2 * (size_t)v + 1] = y;
    }
}

static bool runOnHost(SkinState *state, RunTime *time, EngineError *error) {
    VkskinResult result = VKSKIN_SUCCESS;
    const double start = measureNow(), busy = processNow();
    for (uint32_t c = 0; c < state->count && state->def->work == SPINE_LOOP; c++) {
        skinPlainly(&state->scene->attachments[0], state->cpuCommands[c].palette, state->cpuCommands[c].streams[0]);
    }
    if (state->def->work == SPINE_CPU) {
        result = vkskinSkinOnCpu(state->cpuMesh, state->cpuCommands, state->count, &state->run);
    }
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result >= 0 || engineFail(error, "vkskinSkinOnCpu: %s", vkskinResultName(result));
}

/* With the CPU backend, recording is the work. */
static VkskinResult recordSkinning(SkinState *state, VkCommandBuffer commandBuffer, RunTime *time) {
    const double start = measureNow(), busy = processNow();
    const VkskinResult result = vkskinRecordSkinning(state->skinning->context, commandBuffer);
    if (state->def->backend == VKSKIN_BACKEND_CPU) {
        time->work += measureNow() - start;
        time->cpu += processNow() - busy;
    } else {
        time->host += measureNow() - start;
    }
    return result;
}

/* Writing palettes is not timed, as in the other cases. */
static bool runInFrame(SkinState *state, RunTime *time, EngineError *error) {
    VkskinContext context = state->skinning->context;
    RunTime submitted = {0};
    VkCommandBuffer commandBuffer = deviceClockBegin(state->clock, error);
    if (!commandBuffer) {
        return false;
    }
    VkskinResult result = vkskinBeginFrame(context, 0);
    result = result < 0 ? result
                        : vkskinAllocatePalettes(context, VKSKIN_PALETTE_MAT2X3, NULL, SPINE_BONES, state->count,
                                                 state->handles, state->places);
    for (uint32_t c = 0; c < state->count && result >= 0; c++) {
        memcpy(state->places[c], state->palettes + c * PALETTE_FLOATS, PALETTE_FLOATS * sizeof(float));
        state->commands[c].palette = state->handles[c];
    }
    result = result < 0 ? result : vkskinSkinInstances(context, state->commands, state->count, NULL);
    result = result < 0 ? result : recordSkinning(state, commandBuffer, time);
    if (result < 0) {
        return skinningFail(state->skinning, error, "skinning", result);
    }
    const bool good = deviceClockEnd(state->clock, &submitted, error);
    time->work += submitted.work;
    time->cpu += submitted.cpu;
    return good;
}

static bool run(void *data, RunTime *time, EngineError *error) {
    SkinState *state = data;
    return inFrames(state) ? runInFrame(state, time, error) : runOnHost(state, time, error);
}

/* ---- Checking ---- */

static bool poison(void *data, EngineError *error) {
    SkinState *state = data;
    bool good = true;
    if (!inFrames(state)) {
        cpuStreamFill(state->output, state->count * BYTES, UINT32_MAX, NULL);
        return true;
    }
    VkskinContext context = state->skinning->context;
    for (uint32_t p = 0; p < vkskinGetOutputPageCount(context) && good; p++) {
        VkskinOutputPage page;
        good = vkskinGetOutputPage(context, p, &page) >= 0 &&
               deviceClockFill(state->clock, page.buffer, UINT32_MAX, error);
    }
    return good;
}

static const float *fetch(SkinState *state, uint32_t character, EngineError *error) {
    VkskinOutput output;
    if (!inFrames(state)) {
        return state->output + character * (BYTES / sizeof(float));
    }
    const VkskinResult result = vkskinGetOutput(state->skinning->context, state->instances[character], &output);
    const VkBufferCopy region = {.srcOffset = output.positionOffset, .size = BYTES};
    if (result < 0) {
        (void)skinningFail(state->skinning, error, "reading vertices", result);
        return NULL;
    }
    return deviceClockRead(state->clock, output.buffer, &region, 1, state->readback.handle, error)
               ? state->readback.mapped
               : NULL;
}

/* Against the evaluation in double precision. */
static bool checkCharacter(SkinState *state, uint32_t character, EngineError *error) {
    double expected[2 * SPINE_VERTICES];
    const float *found = fetch(state, character, error);
    if (!found) {
        return false;
    }
    spinePoseSet(state->pose, 0, timeOf(character));
    spinePoseVertices(state->pose, 0, expected);
    for (size_t v = 0; v < (size_t)SPINE_VERTICES; v++) {
        const double off =
            hypot((double)found[2 * v] - expected[2 * v], (double)found[2 * v + 1] - expected[2 * v + 1]);
        if (!(off < BOUND)) {
            return engineFail(error, "character %u: vertex %zu is off by %g", character, v, off);
        }
    }
    return true;
}

static bool check(void *data, EngineError *error) {
    SkinState *state = data;
    bool good = true;
    for (uint32_t c = 0; c < state->count && good; c += CHECK_EACH) {
        good = checkCharacter(state, c, error);
    }
    return good && checkCharacter(state, state->count - 1, error);
}

/* ---- Numbers ---- */

static CaseTraffic traffic(const void *data) {
    const SkinState *state = data;
    const double count = state->count;
    return (CaseTraffic){.vertices = count * SPINE_VERTICES,
                         .bytesRead =
                             count * ((double)state->info.sourceBytes + (double)PALETTE_FLOATS * sizeof(float)),
                         .bytesWritten = count * (double)BYTES};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const SkinState *state = data;
    const char *how = state->def->work == SPINE_LOOP  ? "plain C, one thread"
                      : state->def->work == SPINE_CPU ? state->run.parallel ? "all processors" : "one thread"
                      : state->def->backend == VKSKIN_BACKEND_CPU ? "the library's CPU backend, all processors"
                                                                  : "kernels";
    snprintf(settings, CASE_SETTINGS_SIZE, "%u characters, %u influences, %s", state->count,
             state->scene->attachments[0].influenceCount, how);
}

const CaseFunctions SPINE_SKIN = {sizeof(SkinState), prepare, poison, run, check, traffic, describe, destroy};
