#include "cpu_skin_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_limits.h"
#include "crowd_check.h"
#include "measure.h"
#include "parallel.h"
#include "scalar_loop.h"

#define VERTICES       10000u
#define BONES          64u
#define POSITION_BYTES 12u
#define LINE           64u

typedef struct CpuSkinState {
    const CpuSkinParameters *parameters;
    CrowdScene scene;
    char *palettes; /* of all poses */
    char *centres;  /* of the mesh, where the method has centres */
    VkskinCpuMesh mesh;
    VkskinCpuCommand *commands; /* [instances] */
    VkskinCpuRun run;
    char *output; /* per instance: positions, then attributes, each at the start of a cache line */
    uint32_t attributeBytes;
    size_t attributeOffset, instanceBytes; /* of an instance's output */
    const char *fetched;                   /* the instance that is checked */
} CpuSkinState;

static size_t roundUp(size_t size) {
    return (size + LINE - 1) / LINE * LINE;
}

static size_t outputBytes(const CpuSkinState *state) {
    return state->instanceBytes * state->scene.shape.instances;
}

/* ---- Making ---- */

static void layOut(CpuSkinState *state) {
    const CpuSkinParameters *parameters = state->parameters;
    const uint32_t bytes = parameters->format == VKSKIN_VERTEX_PACKED ? 8 : 28;
    state->attributeBytes = parameters->positionsAlone ? 0 : bytes;
    state->attributeOffset = roundUp((size_t)VERTICES * POSITION_BYTES);
    state->instanceBytes = state->attributeOffset + roundUp((size_t)VERTICES * state->attributeBytes);
}

static void fillCommands(CpuSkinState *state) {
    const CrowdScene *scene = &state->scene;
    const size_t paletteBytes = (size_t)BONES * vkskinPaletteStride(state->parameters->encoding);
    for (uint32_t i = 0; i < scene->shape.instances; i++) {
        char *output = state->output + i * state->instanceBytes;
        state->commands[i] = (VkskinCpuCommand){
            .palette = state->palettes + i % scene->poseCount * paletteBytes,
            .encoding = state->parameters->encoding,
            .boneCount = BONES,
            .method = state->parameters->method,
            .positions = (float *)(void *)output,
            .attributes = state->attributeBytes > 0 ? output + state->attributeOffset : NULL,
        };
    }
}

static bool allocate(CpuSkinState *state) {
    state->palettes = newCrowdPalettes(&state->scene, state->parameters->encoding);
    state->commands = calloc(state->scene.shape.instances, sizeof *state->commands);
    state->output = aligned_alloc(LINE, outputBytes(state));
    return state->palettes && state->commands && state->output;
}

static bool createMesh(CpuSkinState *state, EngineError *error) {
    VkskinMeshDef source = crowdSceneMeshDef(&state->scene, state->parameters->format, state->parameters->weights);
    if (state->parameters->positionsAlone) {
        source.normals = source.tangents = NULL;
    }
    if (state->centres) {
        source.centres = state->centres;
        source.centresSize = vkskinCentresSize(VERTICES);
    }
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &source;
    const VkskinResult result = vkskinCreateCpuMesh(&def, &state->mesh);
    return result >= 0 || engineFail(error, "vkskinCreateCpuMesh: %s", vkskinResultName(result));
}

/* Mesh data that some methods need. */
static bool addMethodData(CpuSkinState *state, EngineError *error) {
    if (state->parameters->method == VKSKIN_METHOD_CENTRES_OF_ROTATION) {
        state->centres = newCrowdCentres(&state->scene, error);
        return state->centres;
    }
    return state->parameters->method != VKSKIN_METHOD_PAINTED_BLEND || crowdScenePaint(&state->scene, error);
}

static bool make(CpuSkinState *state, bool quick, EngineError *error) {
    const CpuSkinParameters *parameters = state->parameters;
    CrowdShape shape = {.vertices = VERTICES,
                        .instances = parameters->instances ? parameters->instances : CPU_INSTANCES,
                        .bones = BONES,
                        .influences = parameters->influences};
    if (quick && shape.instances > CPU_QUICK_INSTANCES) {
        shape.instances = CPU_QUICK_INSTANCES;
    }
    state->run = (VkskinCpuRun){.level = parameters->level, .parallel = parameters->threads ? parallelFor : NULL};
    if (!crowdSceneCreate(&shape, &state->scene, error)) {
        return false;
    }
    layOut(state);
    if (!allocate(state)) {
        return engineFail(error, "out of memory");
    }
    fillCommands(state);
    return parameters->scalar || (addMethodData(state, error) && createMesh(state, error));
}

static void destroy(void *data) {
    CpuSkinState *state = data;
    vkskinDestroyCpuMesh(state->mesh);
    crowdSceneDestroy(&state->scene);
    free(state->palettes);
    free(state->centres);
    free(state->commands);
    free(state->output);
    free(state);
}

static const char *unsupported(const BenchCase *benchCase, const BenchEnvironment *environment) {
    (void)environment;
    const CpuSkinParameters *parameters = benchCase->parameters;
    return parameters->level > vkskinGetCpuLevel() ? "the processor does not have these instructions" : NULL;
}

static void *prepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    CpuSkinState *state = calloc(1, sizeof *state);
    if (!state) {
        engineFail(error, "out of memory");
        return NULL;
    }
    state->parameters = benchCase->parameters;
    if (!make(state, environment->quick, error)) {
        destroy(state);
        return NULL;
    }
    return state;
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
    return state->parameters->influences == INFLUENCE_MIX ? 4 : state->parameters->influences;
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
        scalarSkin(&mesh, command->palette, command->positions, command->attributes);
    }
}

static bool run(void *data, RunTime *time, EngineError *error) {
    const CpuSkinState *state = data;
    VkskinResult result = VKSKIN_SUCCESS;
    const double start = measureNow(), busy = processNow();
    if (state->parameters->scalar) {
        runScalar(state);
    } else {
        result = vkskinSkinOnCpu(state->mesh, state->commands, state->scene.shape.instances, &state->run);
    }
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return result == VKSKIN_SUCCESS || engineFail(error, "vkskinSkinOnCpu: %s", vkskinResultName(result));
}

/* ---- Checking ---- */

static bool fetch(void *user, uint32_t instance, EngineError *error) {
    (void)error;
    CpuSkinState *state = user;
    state->fetched = state->output + instance * state->instanceBytes;
    return true;
}

static ReadVertex readOne(const void *user, uint32_t vertex) {
    const CpuSkinState *state = user;
    const bool attributes = state->attributeBytes > 0;
    const VkskinMeshInfo info = {
        .dimensions = 3, .hasNormals = attributes, .hasTangents = attributes, .format = state->parameters->format};
    const VkskinOutput output = {.attributeOffset = state->attributeOffset, .attributeStride = state->attributeBytes};
    return readVertex(state->fetched, 0, &output, &info, vertex);
}

static bool isPoison(const void *user, uint32_t vertex) {
    const CpuSkinState *state = user;
    const char *attributes = state->fetched + state->attributeOffset + (size_t)vertex * state->attributeBytes;
    return crowdIsPoison(state->fetched + (size_t)vertex * POSITION_BYTES, POSITION_BYTES) ||
           (state->attributeBytes > 0 && crowdIsPoison(attributes, state->attributeBytes));
}

/* For the reference: the data after the library's header. */
static const float *centresOf(const CpuSkinState *state) {
    return state->centres ? (const float *)(const void *)(state->centres + vkskinCentresSize(0)) : NULL;
}

static bool check(void *data, EngineError *error) {
    CpuSkinState *state = data;
    const CrowdOutput output = {
        .def = {.method = state->parameters->method, .centres = centresOf(state)},
        .encoding = state->parameters->encoding,
        .format = state->parameters->format,
        .positionsAlone = state->parameters->positionsAlone,
        .fetch = fetch,
        .read = readOne,
        .isPoison = isPoison,
        .user = state,
    };
    return crowdCheck(&state->scene, &output, error);
}

/* ---- Telling ---- */

/* Of the mesh, counted once per instance. */
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
    const double palette = (double)BONES * vkskinPaletteStride(state->parameters->encoding);
    const double written = instances * VERTICES * (POSITION_BYTES + state->attributeBytes);
    return (CaseTraffic){
        .vertices = instances * VERTICES,
        .bytesRead = instances * (sourceBytes(state) + palette),
        .bytesWritten = written,
        .limitBytes = written,
    };
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    static const char *const LEVELS[VKSKIN_CPU_LEVEL_COUNT] = {"", "portable", "AVX2", "AVX-512"};
    const CpuSkinState *state = data;
    const VkskinCpuLevel asked = state->parameters->level;
    const VkskinCpuLevel level = asked == VKSKIN_CPU_AUTO ? vkskinGetCpuLevel() : asked;
    snprintf(settings, CASE_SETTINGS_SIZE, "%s, %s, %u instances",
             state->parameters->scalar ? "plain C" : LEVELS[level],
             state->parameters->threads ? "all processors" : "one thread", state->scene.shape.instances);
}

const CaseFunctions cpuSkinFunctions = {
    .unsupported = unsupported,
    .prepare = prepare,
    .poison = poison,
    .run = run,
    .check = check,
    .traffic = traffic,
    .describe = describe,
    .destroy = destroy,
};
