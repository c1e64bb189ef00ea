#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_kinds.h"
#include "measure.h"
#include "mesh_builder.h"
#include "null_driver.h"
#include "parallel.h"

#define VERTICES   3u
#define BONES      4u
#define PAGES_HEAP ((VkDeviceSize)4 << 30) /* heap size of the null driver; memory that is not touched costs nothing */

typedef struct CallsState {
    const CallsDef *def;
    NullDriver *driver;
    VkskinContext context;
    VkskinMesh mesh;
    ParallelPool pool;             /* with several threads */
    VkskinInstance *instances;     /* [instances] */
    VkskinSkinCommand *commands;   /* [instances] */
    VkskinPalette *paletteHandles; /* [instances] of the frame, with bulk calls */
    void **palettes;               /* [instances] of the frame */
    VkskinOutput *outputs;         /* [instances] */
    VkskinResult *results;         /* [threads] of the work */
    VkCommandBuffer recorded;      /* command buffer of the last run; null: none */
    uint64_t frame;
    char message[ENGINE_ERROR_SIZE];
} CallsState;

static void keepMessage(void *user, VkskinResult result, const char *message) {
    CallsState *state = user;
    if (result < 0) {
        snprintf(state->message, sizeof state->message, "%s", message);
    }
}

static bool isGood(const CallsState *state, VkskinResult result, EngineError *error) {
    return result >= 0 || engineFail(error, "%.400s (%s)", state->message, vkskinResultName(result));
}

/* ---- Making ---- */

static void destroy(void *data) {
    CallsState *state = data;
    if (state->recorded) {
        nullDriverDrop(state->recorded);
    }
    vkskinDestroyContext(state->context);
    if (state->driver) {
        nullDriverDestroy(state->driver);
    }
    parallelEnd(&state->pool);
    free(state->results);
    free(state->outputs);
    free(state->palettes);
    free(state->paletteHandles);
    free(state->commands);
    free(state->instances);
}

static bool makeContext(CallsState *state, EngineError *error) {
    const uint32_t instances = state->def->instances;
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(NULL_DRIVER_ALL_TYPES, true, PAGES_HEAP);
    settings.limits.maxTexelBufferElements = 1u << 27; /* the palettes of a page */
    settings.translates = true;
    state->driver = nullDriverCreate(&settings);
    VkskinContextDef def = nullDriverContextDef(state->driver);
    def.logger = (VkskinLogger){keepMessage, state};
    def.framesInFlight = 1;
    /* As a host that knows its number of instances; the first frame is not timed. */
    def.memory.initialInstances = instances;
    def.memory.maxInstances = instances;
    def.memory.paletteBytesPerFrame = (VkDeviceSize)48 * BONES * instances;
    return isGood(state, vkskinCreateContext(&def, &state->context), error);
}

static bool makeMesh(CallsState *state, EngineError *error) {
    VkskinPipelineDef kernels = vkskinDefaultPipelineDef();
    kernels.meshes = &state->mesh;
    kernels.meshCount = 1;
    return isGood(state, meshCreate(state->context, (MeshSpec){VERTICES, .bones = BONES}, &state->mesh), error) &&
           isGood(state, vkskinCreatePipelines(state->context, &kernels), error);
}

static bool makeInstances(CallsState *state, EngineError *error) {
    const VkskinResult result =
        vkskinCreateInstances(state->context, state->mesh, state->def->instances, state->instances);
    for (uint32_t i = 0; i < state->def->instances; i++) {
        state->commands[i].instance = state->instances[i];
    }
    return isGood(state, result, error);
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    (void)environment;
    CallsState *state = data;
    state->def = benchCase->parameters;
    const uint32_t instances = state->def->instances;
    state->instances = engineAllocate(instances, sizeof *state->instances, error);
    state->paletteHandles = engineAllocate(instances, sizeof *state->paletteHandles, error);
    state->commands = engineAllocate(instances, sizeof *state->commands, error);
    state->palettes = engineAllocate(instances, sizeof *state->palettes, error);
    state->outputs = engineAllocate(instances, sizeof *state->outputs, error);
    state->results = engineAllocate(state->def->threads, sizeof *state->results, error);
    if (!state->instances || !state->paletteHandles || !state->commands || !state->palettes || !state->outputs ||
        !state->results) {
        return false;
    }
    parallelBegin(&state->pool, state->def->threads);
    return makeContext(state, error) && makeMesh(state, error) && makeInstances(state, error);
}

/* ---- The calls ---- */

/* The instances of a thread: first to end - 1. */
typedef struct Share {
    uint32_t first, end;
} Share;

static Share shareOf(const CallsState *state, uint32_t thread) {
    const uint64_t instances = state->def->instances;
    return (Share){(uint32_t)(instances * thread / state->def->threads),
                   (uint32_t)(instances * (thread + 1) / state->def->threads)};
}

static VkskinResult skinEach(CallsState *state, Share share) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = share.first; result >= 0 && i < share.end; i++) {
        result = vkskinAllocatePalette(state->context, VKSKIN_PALETTE_MAT3X4, BONES, &state->commands[i].palette,
                                       &state->palettes[i]);
        if (result >= 0) {
            result = vkskinSkinInstances(state->context, &state->commands[i], 1, NULL);
        }
    }
    return result;
}

/* A call for each palette, one for all commands. */
static VkskinResult skinTogether(CallsState *state, Share share) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = share.first; result >= 0 && i < share.end; i++) {
        result = vkskinAllocatePalette(state->context, VKSKIN_PALETTE_MAT3X4, BONES, &state->commands[i].palette,
                                       &state->palettes[i]);
    }
    return result < 0
               ? result
               : vkskinSkinInstances(state->context, state->commands + share.first, share.end - share.first, NULL);
}

/* One call for all palettes, one for all commands. */
static VkskinResult skinBulk(CallsState *state, Share share) {
    const uint32_t count = share.end - share.first;
    VkskinResult result = vkskinAllocatePalettes(state->context, VKSKIN_PALETTE_MAT3X4, NULL, BONES, count,
                                                 state->paletteHandles + share.first, state->palettes + share.first);
    for (uint32_t i = share.first; result >= 0 && i < share.end; i++) {
        state->commands[i].palette = state->paletteHandles[i];
    }
    return result < 0 ? result : vkskinSkinInstances(state->context, state->commands + share.first, count, NULL);
}

static VkskinResult outputEach(CallsState *state, Share share) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = share.first; result >= 0 && i < share.end; i++) {
        result = vkskinGetOutput(state->context, state->commands[i].instance, &state->outputs[i]);
    }
    return result;
}

static VkskinResult outputBulk(CallsState *state, Share share) {
    return vkskinGetOutputs(state->context, state->instances + share.first, share.end - share.first,
                            state->outputs + share.first);
}

static VkskinResult (*const WORKS[CALLS_WORK_COUNT])(CallsState *state, Share share) = {
    [CALLS_SKIN_EACH] = skinEach,     [CALLS_SKIN_TOGETHER] = skinTogether, [CALLS_SKIN_BULK] = skinBulk,
    [CALLS_OUTPUT_EACH] = outputEach, [CALLS_OUTPUT_BULK] = outputBulk,
};

static bool isOutput(const CallsState *state) {
    return state->def->work >= CALLS_OUTPUT_EACH;
}

/* A task of the pool. */
static void workOnShare(void *data, uint32_t thread) {
    CallsState *state = data;
    state->results[thread] = WORKS[state->def->work](state, shareOf(state, thread));
}

static VkskinResult work(CallsState *state) {
    parallelRun(&state->pool, state->def->threads, workOnShare, state);
    for (uint32_t i = 0; i < state->def->threads; i++) {
        if (state->results[i] < 0) {
            return state->results[i];
        }
    }
    return VKSKIN_SUCCESS;
}

/* ---- Running ---- */

static bool poison(void *data, EngineError *error) {
    (void)error;
    CallsState *state = data;
    memset(state->outputs, 0xff, state->def->instances * sizeof *state->outputs);
    return true;
}

/* Every frame writes other positions, so an output of an earlier frame is found. */
static void writePalettes(const CallsState *state) {
    for (uint32_t i = 0; i < state->def->instances; i++) {
        const VkskinAffine bone = {{{1, 0, 0, (float)i}, {0, 1, 0, (float)state->frame}, {0, 0, 1, 0}}};
        memcpy(state->palettes[i], &bone, sizeof bone);
    }
}

/* Coherent palettes may be written after the record, so writing them does not count. */
static VkskinResult runFrame(CallsState *state, RunTime *time) {
    VkskinResult result = isOutput(state) ? skinTogether(state, (Share){0, state->def->instances}) : work(state);
    if (result >= 0) {
        result = vkskinRecordSkinning(state->context, state->recorded);
    }
    if (!isOutput(state)) {
        time->work = measureNow();
        time->cpu = processNow();
    }
    if (result >= 0) {
        writePalettes(state);
    }
    return result;
}

static bool run(void *data, RunTime *time, EngineError *error) {
    CallsState *state = data;
    if (state->recorded) {
        /* It holds the mesh's upload. */
        (state->frame == 1 ? nullDriverRun : nullDriverDrop)(state->recorded);
    }
    state->frame++;
    VkskinResult result = vkskinBeginFrame(state->context, 0);
    state->recorded = nullDriverBegin(state->driver);
    double begun = measureNow(), busy = processNow();
    if (result >= 0) {
        result = runFrame(state, time);
    }
    if (isOutput(state) && result >= 0) {
        begun = measureNow();
        busy = processNow();
        result = work(state);
        time->work = measureNow();
        time->cpu = processNow();
    }
    time->work -= begun;
    time->cpu -= busy;
    return isGood(state, result, error);
}

/* ---- Checking ---- */

static bool checkInstance(const CallsState *state, uint32_t i, EngineError *error) {
    const VkskinOutput *output = &state->outputs[i];
    const float expected[3] = {(float)i, (float)state->frame, 0};
    const unsigned char *bytes = nullDriverContents(state->driver, output->buffer);
    if (!bytes || output->vertexCount != VERTICES || output->positionStride != 12) {
        return engineFail(error, "instance %u: its output was not written", i);
    }
    if (memcmp(bytes + output->positionOffset, expected, sizeof expected) != 0) {
        return engineFail(error, "instance %u: its first vertex is off by more than nothing", i);
    }
    return true;
}

static bool check(void *data, EngineError *error) {
    CallsState *state = data;
    bool good = isOutput(state) || isGood(state, outputEach(state, (Share){0, state->def->instances}), error);
    if (state->recorded) {
        nullDriverRun(state->recorded);
        state->recorded = NULL;
    }
    if (good && nullDriverFaults(state->driver) > 0) {
        return engineFail(error, "%s", nullDriverFirstFault(state->driver));
    }
    for (uint32_t i = 0; good && i < state->def->instances; i++) {
        good = checkInstance(state, i, error);
    }
    return good;
}

/* ---- Numbers ---- */

static CaseTraffic traffic(const void *data) {
    const CallsState *state = data;
    return (CaseTraffic){.vertices = state->def->instances};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const CallsState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, %u thread%s", state->def->instances, state->def->threads,
             state->def->threads > 1 ? "s" : "");
}

const CaseFunctions CALLS = {sizeof(CallsState), prepare, poison, run, check, traffic, describe, destroy};
