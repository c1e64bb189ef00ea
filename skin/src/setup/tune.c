#include <string.h>

#include "cookie.h"
#include "lifecycle.h"
#include "tune_poses.h"

/* ---- A trial ---- */

typedef struct Trial {
    const VkskinTuneDef *def;
    VkskinTuning tuning;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinSkinCommand *commands; /* [def->instances] */
    double milliseconds;         /* duration of the fastest run; 0: none */
} Trial;

/* Commands that the host runs once. */
typedef struct TrialRun {
    VkskinResult (*record)(void *data, VkCommandBuffer commandBuffer);
    void *data;
    uint32_t calls;        /* number of calls of `record` */
    VkskinResult recorded; /* result of the last call */
} TrialRun;

static VkskinContextDef trialContextDef(const VkskinTuneDef *tune, uint32_t boneCount) {
    const VkskinContextDef *host = tune->context;
    VkskinContextDef def = vkskinDefaultContextDef();
    def.instance = host->instance;
    def.physicalDevice = host->physicalDevice;
    def.device = host->device;
    def.getInstanceProcAddr = host->getInstanceProcAddr;
    def.getDeviceProcAddr = host->getDeviceProcAddr;
    def.functions = host->functions;
    def.allocator = host->allocator;
    def.memory.callbacks = host->memory.callbacks;
    def.logger = host->logger;
    def.computeQueueFamily = host->computeQueueFamily;
    def.memory.palettes = host->memory.palettes;
    def.framesInFlight = 1;
    def.memory.initialInstances = tune->instances;
    def.memory.maxInstances = tune->instances;
    def.maxTimingScopes = 0;
    /* Every compute queue family supports this stage. */
    def.consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    def.consumerAccess = VK_ACCESS_SHADER_READ_BIT;
    def.outputUsage = 0;
    VkDeviceSize palette = (VkDeviceSize)boneCount * vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4);
    def.memory.pageSize = palette > def.memory.pageSize ? palette : def.memory.pageSize;
    def.memory.firstPageSize = def.memory.pageSize;
    /* Twice as much: the end of a page may have no room for a palette. */
    def.memory.paletteBytesPerFrame = 2 * palette * tune->instances;
    def.memory.maxPaletteBytesPerFrame = 0;
    return def;
}

static VkskinResult makeInstances(Trial *trial) {
    const Gpu *gpu = &trial->context->gpu;
    trial->commands = sknHostAllocateArray(gpu->hostAllocator, trial->def->instances, sizeof *trial->commands);
    if (trial->commands == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "vkskinTune: no memory for %u instances",
                         trial->def->instances);
    }
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = trial->mesh;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < trial->def->instances; i++) {
        result = vkskinCreateInstance(trial->context, &def, &trial->commands[i].instance);
    }
    return result;
}

static void closeTrial(Trial *trial) {
    if (trial->context != NULL) {
        sknHostFree(trial->context->gpu.hostAllocator, trial->commands);
        vkskinDestroyContext(trial->context);
    }
    *trial = (Trial){0};
}

static VkskinResult openTrial(const VkskinTuneDef *def, const VkskinMeshDef *mesh, const VkskinTuning *tuning,
                              Trial *trial) {
    *trial = (Trial){.def = def, .tuning = *tuning};
    VkskinContextDef contextDef = trialContextDef(def, mesh->boneCount);
    contextDef.tuning = tuning;
    VkskinResult result =
        vkskinOpen(&contextDef, mesh, 1, VKSKIN_METHOD_LINEAR_BLEND_BIT, &trial->context, &trial->mesh);
    if (result < 0) {
        return result;
    }
    result = makeInstances(trial);
    if (result < 0) {
        closeTrial(trial);
    }
    return result;
}

/* Identity bones: their values do not change the time. */
static VkskinResult writePalette(Trial *trial, uint32_t boneCount, VkskinPalette *palette) {
    static const float rest[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    void *data = NULL;
    VkskinResult result = vkskinAllocatePalette(trial->context, VKSKIN_PALETTE_MAT3X4, boneCount, palette, &data);
    for (uint32_t b = 0; result >= 0 && b < boneCount; b++) {
        memcpy((float *)data + (size_t)12 * b, rest, sizeof rest);
    }
    return result;
}

static VkskinResult recordFrame(void *data, VkCommandBuffer commandBuffer) {
    Trial *trial = data;
    VkskinMeshInfo info;
    VkskinResult result = vkskinBeginFrame(trial->context, 0);
    if (result >= 0) {
        result = vkskinGetMeshInfo(trial->context, trial->mesh, &info);
    }
    for (uint32_t i = 0; result >= 0 && i < trial->def->instances; i++) {
        result = writePalette(trial, info.boneCount, &trial->commands[i].palette);
    }
    if (result >= 0) {
        result = vkskinSkinInstances(trial->context, trial->commands, trial->def->instances, NULL);
    }
    return result < 0 ? result : vkskinRecordSkinning(trial->context, commandBuffer);
}

static void record(void *data, VkCommandBuffer commandBuffer) {
    TrialRun *run = data;
    run->calls++;
    run->recorded = run->record(run->data, commandBuffer);
}

/* user: a Trial, whose host runs the commands. */
static VkskinResult runOnHost(void *user, VkskinResult (*recordCommands)(void *data, VkCommandBuffer commandBuffer),
                              void *data, double *milliseconds) {
    const Trial *trial = user;
    const Gpu *gpu = &trial->context->gpu;
    TrialRun run = {.record = recordCommands, .data = data, .recorded = VKSKIN_SUCCESS};
    VkskinResult result =
        sknCheck(gpu, trial->def->run(trial->def->runUser, record, &run, milliseconds), "VkskinTuneDef.run");
    if (result < 0) {
        return result;
    }
    if (run.recorded < 0) {
        return run.recorded;
    }
    if (run.calls != 1) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: run called record %u times, not once",
                         run.calls);
    }
    if (!(*milliseconds > 0.0)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinTune: run returned a time of %g ms",
                         *milliseconds);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult runTrial(Trial *trial, bool count) {
    double milliseconds = 0.0;
    VkskinResult result = runOnHost(trial, recordFrame, trial, &milliseconds);
    if (result >= 0 && count && (trial->milliseconds == 0.0 || milliseconds < trial->milliseconds)) {
        trial->milliseconds = milliseconds;
    }
    return result;
}

/* ---- Tuning ---- */

#define MAX_TUNE_INSTANCES 65536u
#define MAX_ROUNDS         1000u
#define MAX_TUNE_BONES     (UINT64_C(1) << 32) /* total bones of all instances */

/* The mesh that is used if the host gives none. */
#define OWN_VERTICES   2000u
#define OWN_BONES      64u
#define OWN_INFLUENCES 4u

typedef struct OwnMesh {
    float positions[OWN_VERTICES][3];
    float normals[OWN_VERTICES][3];
    float tangents[OWN_VERTICES][4];
    uint16_t joints[OWN_VERTICES][OWN_INFLUENCES];
    float weights[OWN_VERTICES][OWN_INFLUENCES];
} OwnMesh;

VkskinTuneDef vkskinDefaultTuneDef(void) {
    return (VkskinTuneDef){.cookie = VKSKIN_COOKIE_TUNE, .instances = 256, .rounds = 3};
}

/* 30, 35, 15 and 20 % of the vertices have 1, 2, 3 and 4 influences, in this order, as a sorted mesh has. */
static uint32_t ownInfluences(uint32_t vertex) {
    uint32_t share = vertex * 100 / OWN_VERTICES;
    return share < 30 ? 1 : share < 65 ? 2 : share < 80 ? 3 : 4;
}

static void fillOwnVertex(OwnMesh *mesh, uint32_t vertex) {
    for (uint32_t i = 0; i < 3; i++) {
        mesh->positions[vertex][i] = (float)((vertex * (i + 7)) % 101) * 0.01f;
    }
    mesh->normals[vertex][2] = 1.0f;
    mesh->tangents[vertex][0] = 1.0f;
    mesh->tangents[vertex][3] = 1.0f;
    uint32_t count = ownInfluences(vertex);
    for (uint32_t i = 0; i < count; i++) {
        mesh->joints[vertex][i] = (uint16_t)((vertex * OWN_BONES / OWN_VERTICES + i) % OWN_BONES);
        mesh->weights[vertex][i] = 1.0f / (float)count;
    }
}

static VkskinMeshDef ownMeshDef(OwnMesh *mesh) {
    for (uint32_t i = 0; i < OWN_VERTICES; i++) {
        fillOwnVertex(mesh, i);
    }
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.name = "for tuning";
    def.vertexCount = OWN_VERTICES;
    def.boneCount = OWN_BONES;
    def.positions = mesh->positions[0];
    def.normals = mesh->normals[0];
    def.tangents = mesh->tangents[0];
    def.influencesPerVertex = OWN_INFLUENCES;
    def.joints = mesh->joints;
    def.weights = mesh->weights[0];
    return def;
}

/* Runs both alternately, after one run of the challenger that does not count. */
static VkskinResult runBoth(Trial *champion, Trial *challenger, uint32_t rounds) {
    champion->milliseconds = 0.0;
    VkskinResult result = runTrial(challenger, false);
    for (uint32_t round = 0; result >= 0 && round < rounds; round++) {
        result = runTrial(champion, true);
        if (result >= 0) {
            result = runTrial(challenger, true);
        }
    }
    return result;
}

/*
 * *champion becomes the faster of the two. Only two are open at a time: lavapipe caches so few compiled kernels that the
 * kernels of more contexts would be compiled again in each run.
 */
static VkskinResult challenge(Trial *champion, const VkskinMeshDef *mesh, const VkskinTuning *settings) {
    Trial challenger;
    VkskinResult result = openTrial(champion->def, mesh, settings, &challenger);
    if (result < 0) {
        return result;
    }
    result = runBoth(champion, &challenger, champion->def->rounds);
    Trial slower = challenger;
    if (result >= 0 && challenger.milliseconds < champion->milliseconds) {
        slower = *champion;
        *champion = challenger;
    }
    closeTrial(&slower);
    return result;
}

/* Tries texels, if a palette fits a page of texels. */
static VkskinResult tuneBinding(Trial *champion, const VkskinMeshDef *mesh) {
    VkDeviceSize palette = (VkDeviceSize)mesh->boneCount * vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4);
    if (palette > sknMaxTexelBytes(&champion->context->gpu)) {
        return VKSKIN_SUCCESS;
    }
    VkskinTuning settings = champion->tuning;
    settings.paletteBinding = VKSKIN_PALETTE_BINDING_TEXELS;
    return challenge(champion, mesh, &settings);
}

static VkskinResult tuneInstances(Trial *champion, const VkskinMeshDef *mesh) {
    static const uint32_t values[] = {1, 4, 8, 16, 32};
    VkskinResult result = VKSKIN_SUCCESS;
    for (size_t i = 0; result >= 0 && i < SKN_COUNT(values); i++) {
        VkskinTuning settings = champion->tuning;
        settings.instancesPerThread = values[i];
        result = challenge(champion, mesh, &settings);
    }
    return result;
}

static VkskinResult tuneWorkgroup(Trial *champion, const VkskinMeshDef *mesh) {
    static const uint32_t values[] = {32, 128, 256};
    uint32_t most = sknMaxWorkgroupSize(&champion->context->gpu);
    VkskinResult result = VKSKIN_SUCCESS;
    for (size_t i = 0; result >= 0 && i < SKN_COUNT(values) && values[i] <= most; i++) {
        VkskinTuning settings = champion->tuning;
        settings.workgroupSize = values[i];
        result = challenge(champion, mesh, &settings);
    }
    return result;
}

/* In the context of the champion. */
static VkskinResult tunePoses(Trial *champion) {
    const PoseTuning tuning = {
        .context = champion->context,
        .characters = champion->def->instances,
        .rounds = champion->def->rounds,
        .run = runOnHost,
        .user = champion,
    };
    return sknTunePoses(&tuning, &champion->tuning.crowdPosing);
}

/* Starts with the device's defaults, but a storage buffer, which takes palettes of any size. */
static VkskinResult tuneAll(const VkskinTuneDef *def, const Gpu *gpu, const VkskinMeshDef *mesh, VkskinTuning *tuning) {
    KernelSettings settings;
    VkskinContextDef plain = trialContextDef(def, mesh->boneCount);
    plain.paletteBinding = VKSKIN_PALETTE_BINDING_STORAGE;
    VkskinResult result = sknChooseSettings(gpu, &plain, &settings);
    if (result < 0) {
        return result;
    }
    VkskinTuning first = sknDescribeTuning(gpu, &settings);
    Trial champion;
    result = openTrial(def, mesh, &first, &champion);
    if (result < 0) {
        return result;
    }
    result = runTrial(&champion, false);
    if (result >= 0) {
        result = tuneBinding(&champion, mesh);
    }
    if (result >= 0) {
        result = tuneInstances(&champion, mesh);
    }
    if (result >= 0) {
        result = tuneWorkgroup(&champion, mesh);
    }
    if (result >= 0) {
        result = tunePoses(&champion);
    }
    if (result >= 0) {
        *tuning = champion.tuning;
    }
    closeTrial(&champion);
    return result;
}

static VkskinResult checkTuneDef(const VkskinTuneDef *def) {
    const Subject subject = {&def->context->logger, "vkskinTune", ""};
    const VkskinMeshDef *mesh = def->mesh;
    const Rule run = {def->run == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "run is null"};
    const Range ranges[] = {
        {"instances", def->instances, 1, MAX_TUNE_INSTANCES},
        {"rounds", def->rounds, 1, MAX_ROUNDS},
    };
    const Rule rules[] = {
        {mesh != NULL && mesh->cookie != VKSKIN_COOKIE_MESH, VKSKIN_ERROR_DEF_NOT_INITIALISED,
         "the mesh's def was not made by vkskinDefaultMeshDef"},
        {mesh != NULL && (mesh->boneCount == 0 || mesh->dimensions != 3), VKSKIN_ERROR_INVALID_VALUE,
         "the mesh has no bones, or is flat"},
    };
    VkskinResult result = sknCheckRules(&subject, &run, 1);
    if (result >= 0) {
        result = sknCheckRanges(&subject, ranges, SKN_COUNT(ranges));
    }
    if (result >= 0) {
        result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    }
    uint64_t bones = (uint64_t)def->instances * (mesh != NULL ? mesh->boneCount : OWN_BONES);
    if (result >= 0 && bones > MAX_TUNE_BONES) {
        result = sknReport(subject.logger, VKSKIN_ERROR_INVALID_VALUE,
                           "vkskinTune: %u instances have %llu bones, more than %llu", def->instances,
                           (unsigned long long)bones, (unsigned long long)MAX_TUNE_BONES);
    }
    return result;
}

/* Uses its own Gpu for the device's limits and for memory. */
static VkskinResult tune(const VkskinTuneDef *def, VkskinTuning *tuning) {
    Gpu gpu;
    VkskinResult result = sknInitGpu(&gpu, def->context);
    if (result < 0 || def->mesh != NULL) {
        return result < 0 ? result : tuneAll(def, &gpu, def->mesh, tuning);
    }
    OwnMesh *own = sknHostAllocateArray(gpu.hostAllocator, 1, sizeof *own);
    if (own == NULL) {
        return sknReport(&gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "vkskinTune: no memory for its mesh");
    }
    VkskinMeshDef mesh = ownMeshDef(own);
    result = tuneAll(def, &gpu, &mesh, tuning);
    sknHostFree(gpu.hostAllocator, own);
    return result;
}

VkskinResult vkskinTune(const VkskinTuneDef *def, VkskinTuning *tuning) {
    VkskinResult result = tuning != NULL ? sknCheckCookie(def, VKSKIN_COOKIE_TUNE) : VKSKIN_ERROR_NULL_ARGUMENT;
    if (result >= 0) {
        result = sknCheckCookie(def->context, VKSKIN_COOKIE_CONTEXT);
    }
    if (result >= 0) {
        result = checkTuneDef(def);
    }
    if (result >= 0) {
        const VkskinContextDef trial = trialContextDef(def, OWN_BONES);
        result = sknCheckContextDef(&trial);
    }
    return result < 0 ? result : tune(def, tuning);
}

VkskinResult vkskinGetTuning(VkskinContext context, VkskinTuning *tuning) {
    VkskinResult result = sknEnterWith(context, "vkskinGetTuning", "tuning", tuning);
    if (result < 0) {
        return result;
    }
    *tuning = sknDescribeTuning(&context->gpu, &context->kernels.settings);
    return sknLeave(context, VKSKIN_SUCCESS);
}
