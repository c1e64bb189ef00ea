#include <stdio.h>
#include <stdlib.h>

#include "case_kinds.h"
#include "crowd_check.h"
#include "measure.h"
#include "scalar_loop.h"

#define VERTICES       10000u
#define BONES          64u
#define POSITION_BYTES 12u
#define LINE           64u

typedef struct CpuSkinState {
    const CpuSkinDef *def;
    CrowdScene scene;
    VkskinCpuMesh mesh;
    VkskinCpuCommand *commands; /* [instances] */
    VkskinCpuRun run;
    char *output; /* per instance: positions, then attributes, each at the start of a cache line */
    uint32_t attributeBytes;
    size_t attributeOffset, instanceBytes; /* offset and size within an instance's output */
} CpuSkinState;

static size_t roundUp(size_t size) {
    return (size + LINE - 1) / LINE * LINE;
}

static size_t outputBytes(const CpuSkinState *state) {
    return state->instanceBytes * state->scene.shape.instances;
}

/* ---- Making ---- */

static const VkskinOutputLayout interleavedLayout = CROWD_INTERLEAVED_LAYOUT;

static void layOut(CpuSkinState *state) {
    state->attributeBytes = state->def->positionsAlone ? 0 : crowdAttributeBytes(state->def->format);
    state->attributeOffset = roundUp((size_t)VERTICES * POSITION_BYTES);
    state->instanceBytes = state->attributeOffset + roundUp((size_t)VERTICES * state->attributeBytes);
    if (state->def->interleaved) {
        state->attributeOffset = interleavedLayout.normal.offset;
        state->instanceBytes = roundUp((size_t)VERTICES * interleavedLayout.strides[0]);
    }
}

static void fillCommands(CpuSkinState *state) {
    for (uint32_t i = 0; i < state->scene.shape.instances; i++) {
        char *output = state->output + i * state->instanceBytes;
        state->commands[i] = (VkskinCpuCommand){
            .palette = crowdScenePalette(&state->scene, i),
            .encoding = skinModeEncoding(state->def->mode),
            .boneCount = BONES,
            .method = skinModeMethod(state->def->mode),
            .streams = {output, state->attributeBytes > 0 ? output + state->attributeOffset : NULL},
        };
    }
}

static bool createMesh(CpuSkinState *state, EngineError *error) {
    VkskinMeshDef source = crowdSceneMeshDef(&state->scene, state->def->format, state->def->weights);
    if (state->def->positionsAlone) {
        source.normals = source.tangents = NULL;
    }
    source.layout = state->def->interleaved ? &interleavedLayout : NULL;
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &source;
    const VkskinResult result = vkskinCreateCpuMesh(&def, &state->mesh);
    return result >= 0 || engineFail(error, "vkskinCreateCpuMesh: %s", vkskinResultName(result));
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    CpuSkinState *state = data;
    const CpuSkinDef *def = state->def = benchCase->parameters;
    CrowdShape shape = {.vertices = VERTICES,
                        .instances = def->instances ? def->instances : CPU_INSTANCES,
                        .bones = BONES,
                        .influences = def->influences};
    if (environment->quick && shape.instances > CPU_QUICK_INSTANCES) {
        shape.instances = CPU_QUICK_INSTANCES;
    }
    state->run = benchCaseCpuRun(benchCase);
    if (!crowdSceneCreate(&shape, def->mode, &state->scene, error)) {
        return false;
    }
    layOut(state);
    state->commands = calloc(shape.instances, sizeof *state->commands);
    state->output = aligned_alloc(LINE, outputBytes(state));
    if (!state->commands || !state->output) {
        return engineFail(error, "out of memory");
    }
    fillCommands(state);
    return def->scalar || createMesh(state, error);
}

static void destroy(void *data) {
    CpuSkinState *state = data;
    vkskinDestroyCpuMesh(state->mesh);
    crowdSceneDestroy(&state->scene);
    free(state->commands);
    free(state->output);
}

/* ---- Running ---- */

static bool poison(void *data, EngineError *error) {
    (void)error;
    const CpuSkinState *state = data;
    cpuStreamFill(state->output, outputBytes(state), CROWD_POISON, NULL);
    return true;
}

/* The maximum of a vertex. */
static uint32_t scalarInfluences(const CpuSkinState *state) {
    return state->def->influences == INFLUENCE_MIX ? 4 : state->def->influences;
}

static void runScalar(const CpuSkinState *state) {
    const ModelMesh *source = &state->scene.mesh;
    const ScalarMesh mesh = {
        .vertexCount = source->vertexCount,
        .influences = scalarInfluences(state),
        .places = source->influences,
        .positions = source->positions,
        .normals = source->normals,
        .tangents = source->tangents,
        .joints = source->joints,
        .weights = source->weights,
    };
    for (uint32_t i = 0; i < state->scene.shape.instances; i++) {
        const VkskinCpuCommand *command = &state->commands[i];
        scalarSkin(&mesh, command->palette, command->streams[0], command->streams[1]);
    }
}

static bool run(void *data, RunTime *time, EngineError *error) {
    const CpuSkinState *state = data;
    VkskinResult result = VKSKIN_SUCCESS;
    const double start = measureNow(), busy = processNow();
    if (state->def->scalar) {
        runScalar(state);
    } else {
        result = vkskinSkinOnCpu(state->mesh, state->commands, state->scene.shape.instances, &state->run);
    }
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result == VKSKIN_SUCCESS || engineFail(error, "vkskinSkinOnCpu: %s", vkskinResultName(result));
}

/* ---- Checking ---- */

static const char *fetch(void *user, uint32_t instance, VkskinOutput *layout, EngineError *error) {
    (void)error;
    const CpuSkinState *state = user;
    const bool interleaved = state->def->interleaved;
    *layout = (VkskinOutput){
        .attributeOffset = state->attributeOffset,
        .positionStride = interleaved ? interleavedLayout.strides[0] : POSITION_BYTES,
        .attributeStride = interleaved ? interleavedLayout.strides[0] : state->attributeBytes,
    };
    return state->output + instance * state->instanceBytes;
}

static bool check(void *data, EngineError *error) {
    CpuSkinState *state = data;
    const CrowdOutput output = {
        .format = state->def->format,
        .precision = state->def->format,
        .positionsAlone = state->def->positionsAlone,
        .fetch = fetch,
        .user = state,
    };
    return crowdCheck(&state->scene, &output, error);
}

/* ---- Numbers ---- */

/* Bytes of the mesh, counted once per instance. */
static double sourceBytes(const CpuSkinState *state) {
    const uint32_t attributes = state->attributeBytes > 0 ? 12 + 16 : 0;
    VkskinMeshInfo info = {.sourceBytes = (uint64_t)VERTICES * (12 + attributes + scalarInfluences(state) * 8)};
    if (state->mesh) {
        vkskinGetCpuMeshInfo(state->mesh, &info);
    }
    return (double)info.sourceBytes;
}

static CaseTraffic traffic(const void *data) {
    const CpuSkinState *state = data;
    const double instances = state->scene.shape.instances;
    const double palette = (double)state->scene.paletteBytes;
    return (CaseTraffic){
        .vertices = instances * VERTICES,
        .bytesRead = instances * (sourceBytes(state) + palette),
        .bytesWritten = instances * VERTICES * (POSITION_BYTES + state->attributeBytes),
    };
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    static const char *const LEVELS[VKSKIN_CPU_LEVEL_COUNT] = {"", "portable", "AVX2", "AVX-512"};
    const CpuSkinState *state = data;
    const VkskinCpuLevel asked = state->run.level;
    const VkskinCpuLevel level = asked == VKSKIN_CPU_AUTO ? vkskinGetCpuLevel() : asked;
    snprintf(settings, CASE_SETTINGS_SIZE, "%s, %s, %u instances", state->def->scalar ? "plain C" : LEVELS[level],
             state->run.parallel ? "all processors" : "one thread", state->scene.shape.instances);
}

const CaseFunctions CPU_SKIN = {sizeof(CpuSkinState), prepare, poison, run, check, traffic, describe, destroy};
