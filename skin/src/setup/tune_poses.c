#include "tune_poses.h"

#include <string.h>

#include "context.h"
#include "crowd_kernels.h"
#include "crowd_pose.h"
#include "vkskin/vkskin_pack.h"

/* The skeleton: limbs whose bones follow each other. */
#define BONES  64u
#define LIMBS  5u
#define CLIPS  4u
#define KEYS   9u
#define SWING  0.3f
#define STRIDE 768u /* 12 x BONES: words of a palette, and of the temporary memory of a slot */

/* Bytes of palettes and temporary memory stay below what every device binds, with room to spare. */
#define MOST_CHARACTERS 4096u

/* VKSKIN_CROWD_POSING_THREAD and VKSKIN_CROWD_POSING_GROUP. */
#define POSINGS 2u

typedef struct PoseTrial {
    VkskinContext context;
    uint32_t characters;
    ClipSetData clips;
    Descriptors descriptors;
    Buffer buffers[CROWD_SETS]; /* by CROWD_POSE_SET_ */
    VkDescriptorSet sets[CROWD_SETS];
    CrowdKernels kernels[POSINGS];
    uint32_t posing; /* index into kernels: of the next run */
} PoseTrial;

/* ---- Clips ---- */

typedef struct ClipSource {
    int32_t parents[BONES];
    VkskinTransform rest[BONES];
    float times[KEYS];
    float values[BONES][KEYS][4];
    VkskinTrack tracks[BONES];
    VkskinSkeleton skeleton;
    VkskinClip clips[CLIPS];
} ClipSource;

static void fillSkeleton(ClipSource *source) {
    for (uint32_t i = 0; i < BONES; i++) {
        source->parents[i] = i == 0 ? -1 : i <= LIMBS ? 0 : (int32_t)(i - LIMBS);
        source->rest[i] = vkskinIdentityTransform();
        source->rest[i].translation[1] = 0.1f;
    }
}

/* Each bone swings about an axis of its own, other keys in each clip. */
static void fillTracks(uint32_t clip, ClipSource *source) {
    for (uint32_t k = 0; k < KEYS; k++) {
        source->times[k] = (float)k * 0.1f;
    }
    for (uint32_t i = 0; i < BONES; i++) {
        for (uint32_t k = 0; k < KEYS; k++) {
            float *value = source->values[i][k];
            memset(value, 0, sizeof source->values[i][k]);
            value[(i + clip) % 3] = SWING * (float)((i + k * (clip + 2)) % 7) / 7.0f;
            value[3] = 1.0f;
        }
        source->tracks[i] = (VkskinTrack){.node = i,
                                          .channel = VKSKIN_CHANNEL_ROTATION,
                                          .keyCount = KEYS,
                                          .times = source->times,
                                          .values = source->values[i][0]};
    }
}

static VkskinResult makeSource(const Host *host, ClipSource *source) {
    VkskinSkeletonDef skeleton = vkskinDefaultSkeletonDef();
    fillSkeleton(source);
    skeleton.nodeCount = BONES;
    skeleton.parents = source->parents;
    skeleton.restPose = source->rest;
    skeleton.logger = host->logger;
    skeleton.allocator = host->allocator;
    VkskinResult result = vkskinCreateSkeleton(&skeleton, &source->skeleton);
    for (uint32_t clip = 0; result >= 0 && clip < CLIPS; clip++) {
        VkskinClipDef def = vkskinDefaultClipDef();
        fillTracks(clip, source);
        def.nodeCount = BONES;
        def.trackCount = BONES;
        def.tracks = source->tracks;
        def.logger = host->logger;
        def.allocator = host->allocator;
        result = vkskinCreateClip(&def, &source->clips[clip]);
    }
    return result;
}

static void freeSource(ClipSource *source) {
    for (uint32_t clip = 0; clip < CLIPS; clip++) {
        vkskinDestroyClip(source->clips[clip]);
    }
    vkskinDestroySkeleton(source->skeleton);
}

static VkskinResult packSource(const Host *host, const ClipSource *source, ClipSetData *clips) {
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    void *block = NULL;
    size_t size = 0;
    def.skeleton = source->skeleton;
    def.clipCount = CLIPS;
    def.clips = source->clips;
    def.maxError = 1e-3f;
    def.logger = host->logger;
    def.allocator = host->allocator;
    VkskinResult result = vkskinPackAnimation(&def, &block, &size, NULL);
    if (result >= 0) {
        result = sknMakeClipSet(host, block, size, clips);
        vkskinFreeAnimation(block, host->allocator);
    }
    return result;
}

static VkskinResult makeClips(const Host *host, ClipSetData *clips) {
    ClipSource *source = sknHostAllocateArray(host->allocator, 1, sizeof *source);
    if (source == NULL) {
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "vkskinTune: no memory for its clips");
    }
    VkskinResult result = makeSource(host, source);
    if (result >= 0) {
        result = packSource(host, source, clips);
    }
    freeSource(source);
    sknHostFree(host->allocator, source);
    return result;
}

/* ---- Buffers ---- */

/* The frame: the count, the list, the poses. */
#define LIST_AT 4u
static uint32_t posesAt(const PoseTrial *trial) {
    return LIST_AT + (trial->characters + 3) / 4 * 4;
}

static void fillFrame(const PoseTrial *trial, uint32_t *words) {
    words[0] = trial->characters;
    for (uint32_t i = 0; i < trial->characters; i++) {
        const uint32_t mixed = i * 2654435761u;
        const LayoutCrowdPose pose = {.clips = mixed >> 16 & (CLIPS - 1), .phaseA = mixed};
        words[LIST_AT + i] = i;
        memcpy(words + posesAt(trial) + (size_t)i * CROWD_POSE_WORDS, &pose, sizeof pose);
    }
}

static void fillTables(const PoseTrial *trial, uint32_t *words) {
    uint32_t nodes[BONES];
    VkskinAffine binds[BONES];
    for (uint32_t i = 0; i < BONES; i++) {
        nodes[i] = i;
        binds[i] = vkskinIdentityAffine();
    }
    const CrowdSkin skin = {.boneCount = BONES, .nodes = nodes, .binds = binds};
    const CrowdNodes list = sknCrowdNodes(&trial->clips);
    sknWriteCrowdSkin(&skin, &list, words, 0, (uint32_t)sknCrowdSkinWords(BONES, BONES));
}

static VkskinResult makeBuffer(PoseTrial *trial, uint32_t set, VkDeviceSize words, VkskinMemoryUse use) {
    Gpu *gpu = &trial->context->gpu;
    Buffer *buffer = &trial->buffers[set];
    const VkDeviceSize start = 0;
    VkskinResult result =
        sknCreateBuffer(gpu, words * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, use, "tuning of poses", buffer);
    return result < 0 ? result
                      : sknCreateBufferSets(gpu, &trial->descriptors, buffer, &start, words * 4, 1, &trial->sets[set]);
}

static VkskinResult makeBuffers(PoseTrial *trial) {
    const VkDeviceSize words[CROWD_SETS] = {
        [CROWD_POSE_SET_CLIPS] = trial->clips.wordCount,
        [CROWD_POSE_SET_TABLES] = sknCrowdSkinWords(BONES, BONES) + (VkDeviceSize)BONES * CROWD_BIND_WORDS,
        [CROWD_POSE_SET_PALETTES] = (VkDeviceSize)2 * STRIDE * trial->characters,
        [CROWD_POSE_SET_FRAME] = posesAt(trial) + (VkDeviceSize)trial->characters * CROWD_POSE_WORDS,
    };
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t set = 0; result >= 0 && set < CROWD_SETS; set++) {
        const bool output = set == CROWD_POSE_SET_PALETTES;
        result = makeBuffer(trial, set, words[set], output ? VKSKIN_MEMORY_DEVICE : VKSKIN_MEMORY_DYNAMIC);
    }
    if (result < 0) {
        return result;
    }
    memcpy(trial->buffers[CROWD_POSE_SET_CLIPS].memory.mapped, trial->clips.words, (size_t)trial->clips.wordCount * 4);
    fillTables(trial, trial->buffers[CROWD_POSE_SET_TABLES].memory.mapped);
    fillFrame(trial, trial->buffers[CROWD_POSE_SET_FRAME].memory.mapped);
    for (uint32_t set = 0; result >= 0 && set < CROWD_SETS; set++) {
        if (set != CROWD_POSE_SET_PALETTES) {
            result = sknFlushBuffer(&trial->context->gpu, &trial->buffers[set], 0, words[set] * 4);
        }
    }
    return result;
}

static VkskinResult makeKernels(PoseTrial *trial) {
    KernelSettings settings = trial->context->kernels.settings;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < POSINGS; i++) {
        settings.crowdPosing = VKSKIN_CROWD_POSING_THREAD + i;
        result = sknMakePoseKernel(&trial->context->gpu, &trial->descriptors, &settings, VKSKIN_PALETTE_MAT3X4,
                                   &trial->kernels[i]);
    }
    return result;
}

static VkskinResult openTrial(const PoseTuning *tuning, PoseTrial *trial) {
    VkskinContext context = tuning->context;
    const Host host = sknHostOf(&context->gpu);
    *trial = (PoseTrial){
        .context = context,
        .characters = tuning->characters < MOST_CHARACTERS ? tuning->characters : MOST_CHARACTERS,
        .descriptors = sknOwnDescriptors(&context->descriptors),
    };
    VkskinResult result = makeClips(&host, &trial->clips);
    if (result >= 0) {
        result = makeBuffers(trial);
    }
    return result < 0 ? result : makeKernels(trial);
}

/* A trial that could not be opened too. */
static void closeTrial(PoseTrial *trial) {
    Gpu *gpu = &trial->context->gpu;
    for (uint32_t i = 0; i < POSINGS; i++) {
        sknDestroyCrowdKernels(gpu, &trial->kernels[i]);
    }
    sknDestroySets(gpu, &trial->descriptors);
    for (uint32_t set = 0; set < CROWD_SETS; set++) {
        sknDestroyBuffer(gpu, &trial->buffers[set]);
    }
    sknFreeClipSet(&trial->clips);
}

/* ---- Runs ---- */

static VkskinResult record(void *data, VkCommandBuffer commandBuffer) {
    const PoseTrial *trial = data;
    const VkskinVulkanFunctions *vk = &trial->context->gpu.vk;
    const CrowdKernels *kernels = &trial->kernels[trial->posing];
    const uint32_t slots = sknPoseSlots(VKSKIN_CROWD_POSING_THREAD + trial->posing);
    const LayoutCrowdPosePush push = {
        .list = LIST_AT,
        .poses = posesAt(trial),
        .paletteStride = STRIDE,
        .scratch = STRIDE * trial->characters,
        .scratchStride = STRIDE,
        .nodeCount = BONES,
        .lastClipWord = trial->clips.wordCount - 1,
    };
    vk->vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernels->poses[VKSKIN_PALETTE_MAT3X4]);
    vk->vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernels->layout, 0, CROWD_SETS,
                                trial->sets, 0, NULL);
    vk->vkCmdPushConstants(commandBuffer, kernels->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vk->vkCmdDispatch(commandBuffer, (trial->characters + slots - 1) / slots, 1, 1);
    return VKSKIN_SUCCESS;
}

/* Runs both in turn. The first run of each does not count. */
static VkskinResult runAll(const PoseTuning *tuning, PoseTrial *trial, double best[POSINGS]) {
    for (uint32_t run = 0; run < POSINGS * (1 + tuning->rounds); run++) {
        double milliseconds = 0.0;
        trial->posing = run % POSINGS;
        VkskinResult result = tuning->run(tuning->user, record, trial, &milliseconds);
        if (result < 0) {
            return result;
        }
        if (run >= POSINGS && (run < 2 * POSINGS || milliseconds < best[trial->posing])) {
            best[trial->posing] = milliseconds;
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknTunePoses(const PoseTuning *tuning, uint32_t *posing) {
    PoseTrial trial;
    double best[POSINGS] = {0};
    VkskinResult result = openTrial(tuning, &trial);
    if (result >= 0) {
        result = runAll(tuning, &trial, best);
    }
    if (result >= 0) {
        *posing = best[0] <= best[1] ? VKSKIN_CROWD_POSING_THREAD : VKSKIN_CROWD_POSING_GROUP;
    }
    closeTrial(&trial);
    return result;
}
