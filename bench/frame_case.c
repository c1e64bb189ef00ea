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
    const uint32_t instances = isCrowd(state) ? 1 : state->slots;
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

static bool createMesh(FrameState *state, EngineError *error) {
    const VkskinMeshDef def = crowdSceneMeshDef(&state->scene.mesh, VKSKIN_VERTEX_PACKED, (VkskinWeightFormat)0);
    return frameIsGood(state, vkskinCreateMesh(state->context, &def, &state->mesh), error) &&
           frameIsGood(state, vkskinGetMeshInfo(state->context, state->mesh, &state->info), error) &&
           bufferCreateReadback(state->device, sizeof(float) * 3 * state->scene.vertices, "vertices", &state->vertices,
                                error);
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
    return frameSceneCreate(count, def->posing != 0 ? POSE_VERTICES : VERTICES, visible,
                            environment->quick ? QUICK_CLIPS : POSE_CLIPS, &state->scene, error) &&
           createContext(state, error) && createMesh(state, error) &&
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

static bool poison(void *data, EngineError *error) {
    FrameState *state = data;
    return isCrowd(state) ? frameCrowdPoison(state, error) : frameInstancesPoison(state, error);
}

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

static bool check(void *data, EngineError *error) {
    FrameState *state = data;
    return isCrowd(state) ? frameCrowdCheck(state, error) : frameInstancesCheck(state, error);
}

/* ---- Numbers ---- */

/* The vertices of all characters count, skinned or not: the ratio is that of whole frames. Of poses, bones count. */
static CaseTraffic traffic(const void *data) {
    const FrameState *state = data;
    const uint32_t each = state->def->posing != 0 ? POSE_BONES : state->scene.vertices;
    return (CaseTraffic){.vertices = (double)state->scene.count * each,
                         .bytesWritten = (double)state->skinned * (double)state->info.outputBytes};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const FrameState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u of %u characters skinned%s", state->skinned, state->scene.count,
             state->def->backend == VKSKIN_BACKEND_CPU ? ", the library's CPU backend" : "");
}

const CaseFunctions FRAME = {sizeof(FrameState), prepare, poison, run, check, traffic, describe, destroy};
