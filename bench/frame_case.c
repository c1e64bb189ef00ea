#include <stdio.h>

#include "frame_crowd.h"
#include "frame_instances.h"
#include "measure.h"
#include "skinning.h"

#define QUICK_CHARACTERS 100u  /* at most, under --quick */
#define QUICK_CLIPS      2u    /* likewise: packing takes longer than the case */
#define VERTICES         1000u /* vertices of a character */
#define POSE_VERTICES    40u   /* where posing is measured: the smallest tube */
#define SLOTS_SPARE      1.25 /* times the visible part: the share of the characters in view differs from frame to frame */

/* ---- Making ---- */

/* So that the check can read lists and vertices. */
static VKAPI_ATTR VkResult VKAPI_CALL createReadable(VkDevice device, const VkBufferCreateInfo *info,
                                                     const VkAllocationCallbacks *allocator, VkBuffer *buffer) {
    VkBufferCreateInfo readable = *info;
    readable.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return vkCreateBuffer(device, &readable, allocator, buffer);
}

static bool isCrowd(const FrameState *state) {
    return state->def->work == FRAME_CROWD;
}

/* The device's default settings. */
static bool chooseTuning(FrameState *state, const VkskinContextDef *def, VkskinTuning *tuning, EngineError *error) {
    VkskinContext context = NULL;
    VkskinResult result = vkskinCreateContext(def, &context);
    if (result >= 0) {
        result = vkskinGetTuning(context, tuning);
    }
    vkskinDestroyContext(context);
    return frameIsGood(state, result, error);
}

static bool createContext(FrameState *state, EngineError *error) {
    VkskinTuning tuning;
    static const VkskinVulkanFunctions functions = {.vkCreateBuffer = createReadable};
    VkskinContextDef def = skinningDeviceDef(state->device, NULL, frameLogger(state));
    uint32_t instances = isCrowd(state) ? 1 : 0;
    for (uint32_t level = 0; !isCrowd(state) && level < state->scene.levels; level++) {
        instances += state->rooms[level];
    }
    parallelBegin(&state->pool, 0);
    def.functions = &functions;
    def.debugUtils = false;
    def.framesInFlight = 1;
    def.backend = state->def->backend;
    def.cpu = (VkskinCpuRun){.parallel = parallelRun, .parallelUser = &state->pool};
    def.memory.initialInstances = instances;
    def.memory.maxInstances = instances;
    def.maxTimingScopes = 0;
    def.memory.paletteBytesPerFrame = instances * (VkDeviceSize)POSE_BONES * 48;
    def.memory.maxPaletteBytesPerFrame = (VkDeviceSize)1 << 40;
    if (def.backend == VKSKIN_BACKEND_COMPUTE && state->def->posing != 0) {
        if (!chooseTuning(state, &def, &tuning, error)) {
            return false;
        }
        tuning.crowdPosing = state->def->posing;
        def.tuning = &tuning;
    }
    return frameIsGood(state, vkskinCreateContext(&def, &state->context), error);
}

static bool createMeshes(FrameState *state, EngineError *error) {
    bool good = true;
    for (uint32_t level = 0; good && level < state->scene.levels; level++) {
        const VkskinMeshDef def =
            crowdSceneMeshDef(&state->scene.meshes[level], VKSKIN_VERTEX_PACKED, (VkskinWeightFormat)0);
        VkskinMesh *mesh = &state->meshes[level];
        good = frameIsGood(state, vkskinCreateMesh(state->context, &def, mesh), error) &&
               frameIsGood(state, vkskinGetMeshInfo(state->context, *mesh, &state->infos[level]), error);
    }
    return good &&
           bufferCreateReadback(state->device, sizeof(float) * 3 * VERTICES, "vertices", &state->vertices, error);
}

/* Characters of a level lie in a ring of the disc. */
static void divideSlots(FrameState *state) {
    static const double shares[FRAME_MESHES] = {1.0 / 64, 3.0 / 64, 3.0 / 16, 3.0 / 4};
    state->rooms[0] = state->slots;
    for (uint32_t level = 0; state->scene.levels > 1 && level < FRAME_MESHES; level++) {
        const uint32_t room = (uint32_t)(shares[level] * 1.5 * state->slots) + 32;
        state->rooms[level] = room < state->slots ? room : state->slots;
    }
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    FrameState *state = data;
    const FrameDef *def = state->def = benchCase->parameters;
    state->device = environment->device;
    state->clock = environment->clock;
    const uint32_t count =
        environment->quick && def->characters > QUICK_CHARACTERS ? QUICK_CHARACTERS : def->characters;
    const double share = SLOTS_SPARE * (double)def->percent / 100.0;
    state->slots = share < 1.0 ? (uint32_t)(share * count) + 16 : count;
    if (def->work == FRAME_ALL && state->slots > FRAME_BATCH) {
        state->slots = FRAME_BATCH;
    }
    const float visible = (float)(0.01 * def->percent);
    const uint32_t vertices = def->posing != 0 || def->detail == FRAME_FEW ? POSE_VERTICES : VERTICES;
    state->scene.levels = def->detail >= FRAME_LEVELS ? FRAME_MESHES : 1;
    divideSlots(state);
    return frameSceneCreate(count, vertices, state->scene.levels, visible,
                            environment->quick ? QUICK_CLIPS : POSE_CLIPS, &state->scene, error) &&
           createContext(state, error) && createMeshes(state, error) &&
           (isCrowd(state) ? frameCrowdCreate(state, error) : frameInstancesCreate(state, error));
}

static void destroy(void *data) {
    FrameState *state = data;
    frameInstancesDestroy(state);
    frameCrowdDestroy(state);
    if (state->device) {
        bufferDestroy(state->device, &state->vertices);
    }
    vkskinDestroyContext(state->context);
    parallelEnd(&state->pool);
    frameSceneDestroy(&state->scene);
}

/* ---- Running ---- */

/* The work is the whole frame by the wall clock: what the host does, and the device until the fence. */
static bool run(void *data, RunTime *time, EngineError *error) {
    FrameState *state = data;
    state->frame++;
    const double begun = measureNow();
    const double begunCpu = processNow();
    if (!(isCrowd(state) ? frameCrowdRun(state, time, error) : frameInstancesRun(state, time, error))) {
        return false;
    }
    time->work = measureNow() - begun;
    time->cpu = processNow() - begunCpu;
    return true;
}

/* Whether a frame does not skin all characters. */
static bool hasIntervals(const FrameState *state) {
    return state->def->detail == FRAME_QUARTER || state->def->detail == FRAME_RATES;
}

/* The frame that is checked is the last of as many as the largest interval. */
static bool poison(void *data, EngineError *error) {
    FrameState *state = data;
    bool good = isCrowd(state) ? frameCrowdPoison(state, error) : frameInstancesPoison(state, error);
    for (uint32_t i = 1; good && hasIntervals(state) && i < 4; i++) {
        RunTime time = {0};
        good = run(state, &time, error);
    }
    return good;
}

static bool check(void *data, EngineError *error) {
    FrameState *state = data;
    return isCrowd(state) ? frameCrowdCheck(state, error) : frameInstancesCheck(state, error);
}

/* ---- Numbers ---- */

/* The vertices of all characters count, skinned or not: the ratio is that of whole frames. Of poses, bones count. */
static CaseTraffic traffic(const void *data) {
    const FrameState *state = data;
    const uint32_t each = state->def->posing != 0 ? POSE_BONES : VERTICES;
    const bool known = state->def->detail == FRAME_FULL; /* others do not skin all vertices of the first level */
    return (CaseTraffic){.vertices = (double)state->scene.count * each,
                         .bytesWritten = known ? (double)state->skinned * (double)state->infos[0].outputBytes : 0.0};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const FrameState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u of %u characters %s%s", state->skinned, state->scene.count,
             hasIntervals(state) ? "drawn" : "skinned",
             state->def->backend == VKSKIN_BACKEND_CPU ? ", the library's CPU backend" : "");
}

const CaseFunctions FRAME = {sizeof(FrameState), prepare, poison, run, check, traffic, describe, destroy};
