#include "crowd_pose.h"

#include "crowd/clip_set_layout.h"
#include "crowd_morphs.h"
#include "palette.h"
#include "pose_batch.h"
#include "run_tasks.h"
#include "stable_sort.h"

/* Slots of a task. They are sorted by their clips: with more slots, more lanes are of one clip. */
#define TASK_SLOTS 256u

bool sknCrowdWrites(VkskinPaletteEncoding encoding) {
    return (uint32_t)encoding < VKSKIN_PALETTE_ENCODING_COUNT;
}

uint32_t sknCrowdScratchWords(uint32_t nodeCount) {
    return nodeCount * (uint32_t)(sizeof(VkskinAffine) / sizeof(float));
}

/* ---- Tables ---- */

uint64_t sknCrowdSkinWords(uint32_t nodeCount, uint32_t boneCount) {
    return CROWD_SKIN_WORDS + 3 * (uint64_t)nodeCount + 1 + boneCount;
}

CrowdNodes sknCrowdNodes(const ClipSetData *clips) {
    const LayoutClipSet *set = sknBlockAt(clips->block, sknBlockHeader(clips->block)->bytes / 4);
    return (CrowdNodes){clips->nodeCount, clips->places, (const LayoutClipNode *)(clips->words + set->nodes)};
}

static uint32_t parentOf(const CrowdNodes *nodes, uint32_t place) {
    return nodes->list != NULL ? nodes->list[place].parent : place - 1; /* CLIP_NO_PARENT for the first one */
}

/* Writes the places of the nodes that have bones, and of their ancestors. numbers: [nodes->count], of each place. Returns
 * their number. */
static uint32_t listNodes(const CrowdSkin *skin, const CrowdNodes *nodes, uint32_t *list, uint32_t *numbers) {
    uint32_t count = 0;
    memset(numbers, 0, nodes->count * sizeof *numbers);
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        numbers[nodes->places[skin->nodes[bone]]] = 1;
    }
    for (uint32_t place = nodes->count; place-- > 0;) { /* parents come before their children */
        if (numbers[place] != 0 && parentOf(nodes, place) != CLIP_NO_PARENT) {
            numbers[parentOf(nodes, place)] = 1;
        }
    }
    for (uint32_t place = 0; place < nodes->count; ++place) {
        if (numbers[place] != 0) {
            const uint32_t parent = parentOf(nodes, place);
            list[(size_t)2 * count] = place;
            list[(size_t)2 * count + 1] = parent != CLIP_NO_PARENT ? numbers[parent] : CLIP_NO_PARENT;
            numbers[place] = count++;
        }
    }
    return count;
}

/* See countRounds of clip_set.c. depths: [count]. */
static uint32_t countRounds(const uint32_t *list, uint32_t count, uint32_t *depths) {
    uint32_t rounds = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t parent = list[2 * i + 1];
        const bool inside = parent != CLIP_NO_PARENT && parent >= i / CLIP_CHUNK * CLIP_CHUNK;
        depths[i] = inside ? depths[parent] + 1 : 0;
        while (1u << rounds <= depths[i]) {
            ++rounds;
        }
    }
    return rounds;
}

/* The number of a node in the list: places ascend. */
static uint32_t numberOf(const uint32_t *list, uint32_t count, uint32_t place) {
    uint32_t low = 0;
    while (count - low > 1) {
        const uint32_t middle = (low + count) / 2;
        if (list[(size_t)2 * middle] <= place) {
            low = middle;
        } else {
            count = middle;
        }
    }
    return low;
}

void sknWriteCrowdSkin(const CrowdSkin *skin, const CrowdNodes *nodes, uint32_t *tables, uint32_t at, uint32_t binds) {
    LayoutCrowdSkin head = {.starts = at + CROWD_SKIN_WORDS, .binds = binds};
    head.bones = head.starts + nodes->count + 1;
    head.nodes = head.bones + skin->boneCount;
    uint32_t *starts = tables + head.starts;
    uint32_t *list = tables + head.nodes;
    head.nodeCount = listNodes(skin, nodes, list, starts);
    head.rounds = countRounds(list, head.nodeCount, starts);
    memcpy(tables + at, &head, sizeof head);
    memset(starts, 0, ((size_t)nodes->count + 1) * sizeof *starts);
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        starts[numberOf(list, head.nodeCount, nodes->places[skin->nodes[bone]]) + 1] += 1;
    }
    for (uint32_t number = 0; number < head.nodeCount; ++number) {
        starts[number + 1] += starts[number];
    }
    for (uint32_t bone = skin->boneCount; bone-- > 0;) { /* from the last entry of each node to its first */
        const uint32_t number = numberOf(list, head.nodeCount, nodes->places[skin->nodes[bone]]);
        const uint32_t entry = --starts[number + 1];
        tables[head.bones + entry] = bone;
        memcpy(tables + head.binds + (size_t)entry * CROWD_BIND_WORDS, &skin->binds[bone], sizeof *skin->binds);
    }
    memmove(starts, starts + 1, head.nodeCount * sizeof *starts);
    starts[head.nodeCount] = skin->boneCount;
}

/* ---- Sampling ---- */

/* A clip at a time. */
typedef struct Source {
    const uint32_t *words;    /* words of the clip set */
    const uint32_t *channels; /* [nodeCount][CLIP_CHANNELS] of the clip */
    const uint32_t *row;
    const uint32_t *next;
    float fraction;
} Source;

/* As vkskinKeysAtPhase of vkskin_animation.glsl. */
static RowPlace placeAtPhase(const void *block, const VkskinAnimationClip *clip, uint32_t phase) {
    if (clip->keyCount < 2) {
        return (RowPlace){0};
    }
    if (clip->timesAt != 0) {
        return sknFindRow(block, clip, (float)phase * (clip->duration / 4294967296.0f));
    }
    const uint64_t at = (uint64_t)phase * (clip->keyCount - 1);
    return (RowPlace){(uint32_t)(at >> 32), (float)(uint32_t)at / 4294967296.0f};
}

static Source sourceOf(const ClipSetData *set, uint32_t clip, uint32_t phase) {
    const VkskinAnimationClip *source = sknBlockClip(set->block, clip);
    const LayoutClipSet *tables = sknBlockAt(set->block, sknBlockHeader(set->block)->bytes / 4);
    const RowPlace place = placeAtPhase(set->block, source, phase);
    const uint32_t *row = (const uint32_t *)sknBlockAt(set->block, source->keysAt) + (size_t)place.row * source->stride;
    return (Source){
        .words = set->words,
        .channels = set->words + tables->channels + (size_t)clip * set->nodeCount * CLIP_CHANNELS,
        .row = row,
        .next = row + sknRowStep(source),
        .fraction = place.fraction,
    };
}

static void sampleChannel(const Source *source, uint32_t node, VkskinChannel channel, float value[4]) {
    const uint32_t entry = source->channels[node * CLIP_CHANNELS + channel];
    const void *at = source->words + (entry & CLIP_PLACE_MASK);
    const uint32_t kind = entry >> CLIP_CHANNEL_SHIFT;
    if (kind == CLIP_CHANNEL_VALUE) {
        memcpy(value, at, (channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3) * sizeof *value);
    } else if (kind == CLIP_CHANNEL_VECTOR) {
        const TrackNumbers numbers = sknVectorNumbers(at);
        sknMixRows(&numbers, source->row, source->next, source->fraction, value);
    } else {
        const TrackNumbers numbers = sknRotationNumbers(at);
        float base[4];
        float mixed[4];
        sknRotationBase(at, base);
        sknMixRows(&numbers, source->row, source->next, source->fraction, mixed);
        sknFinishRotation(base, kind == CLIP_CHANNEL_FOUR, mixed, value);
    }
}

static VkskinTransform sampleNode(const Source *source, uint32_t node) {
    float values[CLIP_CHANNELS][4];
    VkskinTransform local;
    for (uint32_t channel = 0; channel < CLIP_CHANNELS; ++channel) {
        sampleChannel(source, node, (VkskinChannel)channel, values[channel]);
    }
    memcpy(local.translation, values[VKSKIN_CHANNEL_TRANSLATION], sizeof local.translation);
    memcpy(local.rotation, values[VKSKIN_CHANNEL_ROTATION], sizeof local.rotation);
    memcpy(local.scale, values[VKSKIN_CHANNEL_SCALE], sizeof local.scale);
    return local;
}

static float mix(float a, float b, float weight) {
    return a * (1.0f - weight) + b * weight;
}

/* The rotation goes the shorter way. */
static VkskinTransform blend(const VkskinTransform *a, const VkskinTransform *b, float weight) {
    VkskinTransform mixed;
    float dot = 0.0f;
    for (int i = 0; i < 4; ++i) {
        dot += a->rotation[i] * b->rotation[i];
    }
    for (int i = 0; i < 3; ++i) {
        mixed.translation[i] = mix(a->translation[i], b->translation[i], weight);
        mixed.scale[i] = mix(a->scale[i], b->scale[i], weight);
    }
    for (int i = 0; i < 4; ++i) {
        mixed.rotation[i] = (1.0f - weight) * a->rotation[i] + (dot < 0.0f ? -weight : weight) * b->rotation[i];
    }
    return mixed; /* sknAffineFromTransform normalises */
}

/* ---- The hierarchy ---- */

void sknPoseCrowdNodes(const ClipSetData *set, const LayoutCrowdPose *pose, VkskinTransform *locals,
                       VkskinAffine *world) {
    const LayoutClipSet *tables = sknBlockAt(set->block, sknBlockHeader(set->block)->bytes / 4);
    const LayoutClipNode *nodes = (const LayoutClipNode *)(set->words + tables->nodes);
    float weight;
    memcpy(&weight, &pose->weight, sizeof weight);
    const bool fades = weight > 0.0f;
    const Source a = sourceOf(set, pose->clips & 0xffff, pose->phaseA);
    const Source b = fades ? sourceOf(set, pose->clips >> 16, pose->phaseB) : a;
    for (uint32_t i = 0; i < set->nodeCount; ++i) {
        VkskinTransform local = sampleNode(&a, i);
        if (fades) {
            const VkskinTransform other = sampleNode(&b, i);
            local = blend(&local, &other, weight);
        }
        if (locals != NULL) {
            locals[nodes[i].node] = local;
            sknQuaternionNormalise(locals[nodes[i].node].rotation);
        }
        AffineDouble matrix = sknAffineFromTransform(&local);
        if (nodes[i].pre != 0) {
            const AffineDouble pre = sknAffineWiden((const VkskinAffine *)(set->words + nodes[i].pre));
            matrix = sknAffineMultiply(&pre, &matrix);
        }
        if (nodes[i].parent != CLIP_NO_PARENT) {
            const AffineDouble parent = sknAffineWiden(&world[nodes[nodes[i].parent].node]);
            matrix = sknAffineMultiply(&parent, &matrix);
        }
        world[nodes[i].node] = sknAffineNarrow(&matrix);
    }
}

static void writeBones(const CrowdSkin *skin, const VkskinAffine *world, void *palette) {
    static const AffineDouble zero = {{{0}}};
    for (uint32_t bone = 0; bone < skin->boneCount; ++bone) {
        const AffineDouble node = sknAffineWiden(&world[skin->nodes[bone]]);
        const AffineDouble bind = sknAffineWiden(&skin->binds[bone]);
        const AffineDouble matrix = sknAffineMultiply(&node, &bind);
        if (sknWriteBone(&matrix, bone, skin->encoding, palette) < VKSKIN_SUCCESS) {
            (void)sknWriteBone(&zero, bone, skin->encoding, palette);
        }
    }
}

static void poseSlot(const CrowdPoseJob *job, uint32_t slot) {
    VkskinAffine *world = (VkskinAffine *)(void *)(job->scratch + slot * job->scratchStride);
    sknPoseCrowdNodes(job->clips, &job->poses[slot], NULL, world);
    writeBones(job->skin, world, job->palettes + slot * job->paletteStride);
}

/* ---- SIMD lanes ---- */

VkskinResult sknMakeCrowdPoser(const Host *host, const ClipSetData *clips, CrowdSkin *skin) {
    VkskinSkinDef skinDef = vkskinDefaultSkinDef();
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    skinDef.nodeCount = clips->nodeCount;
    skinDef.boneCount = skin->boneCount;
    skinDef.boneNodes = skin->nodes;
    skinDef.inverseBinds = skin->binds;
    skinDef.logger = host->logger;
    skinDef.allocator = host->allocator;
    skin->batch = NULL;
    VkskinResult result = vkskinCreateSkin(&skinDef, &def.skin);
    if (result == VKSKIN_SUCCESS) {
        def.animation = clips->block;
        def.animationSize = sknBlockHeader(clips->block)->bytes;
        def.slotCount = 1; /* cursors, which packed clips do not need */
        def.logger = host->logger;
        def.allocator = host->allocator;
        result = vkskinCreatePoseBatch(&def, &skin->batch);
        vkskinDestroySkin(def.skin);
    }
    return result;
}

/* Without what does not grow with the clips or the nodes. */
uint64_t sknCrowdPoserBytes(const CrowdSkin *skin) {
    VkskinPoseBatch batch = skin->batch;
    if (batch == NULL) {
        return 0;
    }
    return (uint64_t)batch->placeCount * sizeof *batch->work * 12 * BATCH_LANES * BATCH_TASKS +
           ((uint64_t)batch->clipCount + 1) * batch->trackCount * sizeof(BatchNumbers) +
           (uint64_t)batch->nodeCount * sizeof *batch->nodes + (uint64_t)batch->boneCount * sizeof *batch->bones;
}

static float weightOf(const LayoutCrowdPose *pose) {
    float weight;
    memcpy(&weight, &pose->weight, sizeof weight);
    return weight;
}

/* Poses of equal clips follow each other, those in a fade last. */
static uint64_t rankOf(const LayoutCrowdPose *pose) {
    return weightOf(pose) > 0.0f ? (uint64_t)1 << 32 | pose->clips : pose->clips & 0xffff;
}

static bool comesAfter(const void *data, uint32_t a, uint32_t b) {
    const LayoutCrowdPose *poses = data;
    return rankOf(&poses[a]) > rankOf(&poses[b]);
}

/* One clip of a lane. */
static void setClip(VkskinPoseBatch batch, uint32_t clip, uint32_t phase, uint32_t lane, LaneSource *source) {
    const BatchPacked *packed = &batch->packed[clip];
    const RowPlace place = placeAtPhase(batch->block, packed->clip, phase);
    source->packed[lane] = packed;
    source->row[lane] = packed->rows + place.row * packed->clip->stride;
    source->fraction[lane] = place.fraction;
}

static void setLane(const CrowdPoseJob *job, uint32_t slot, uint32_t lane, PoseLanes *lanes) {
    const LayoutCrowdPose *pose = &job->poses[slot];
    const float weight = weightOf(pose);
    const bool fades = weight > 0.0f;
    setClip(job->skin->batch, pose->clips & 0xffff, pose->phaseA, lane, &lanes->from);
    setClip(job->skin->batch, fades ? pose->clips >> 16 : pose->clips & 0xffff, fades ? pose->phaseB : pose->phaseA,
            lane, &lanes->to);
    lanes->weights[lane] = weight;
    lanes->blends |= fades;
    lanes->palettes[lane] = job->palettes + slot * job->paletteStride;
    lanes->results[lane] = VKSKIN_SUCCESS;
}

/* Repairs a slot that has a bone that is not finite: matrices were written, entries of other encodings were left out. */
static void repairSlot(const CrowdPoseJob *job, uint32_t slot) {
    VkskinAffine *palette = (VkskinAffine *)(void *)(job->palettes + slot * job->paletteStride);
    if (job->skin->encoding != VKSKIN_PALETTE_MAT3X4) {
        poseSlot(job, slot);
        return;
    }
    for (uint32_t bone = 0; bone < job->skin->boneCount; ++bone) {
        if (!sknAffineIsFinite(&palette[bone])) {
            palette[bone] = (VkskinAffine){0};
        }
    }
}

/* Lanes without a slot repeat the first one. */
static void poseLanes(const CrowdPoseJob *job, PoseLevel level, const uint32_t *slots, uint32_t count, float *work) {
    PoseLanes lanes = {.active = count, .encoding = job->skin->encoding};
    for (uint32_t lane = 0; lane < level.width; ++lane) {
        setLane(job, slots[lane < count ? lane : 0], lane, &lanes);
    }
    level.pose(job->skin->batch, &lanes, work);
    for (uint32_t lane = 0; lane < count; ++lane) {
        if (lanes.results[lane] < VKSKIN_SUCCESS) {
            repairSlot(job, slots[lane]);
        }
    }
}

static void poseSorted(const CrowdPoseJob *job, PoseLevel level, const uint32_t *slots, uint32_t count) {
    uint32_t sorted[TASK_SLOTS];
    uint32_t room[TASK_SLOTS];
    const uint32_t place = sknTakePosePlace(&job->skin->batch->workInUse);
    float *work = sknPoseWork(job->skin->batch, place);
    memcpy(sorted, slots, count * sizeof *sorted);
    sknSortStable(sorted, count, room, comesAfter, job->poses);
    for (uint32_t i = 0; i < count; i += level.width) {
        poseLanes(job, level, sorted + i, count - i < level.width ? count - i : level.width, work);
    }
    sknReturnPosePlace(&job->skin->batch->workInUse, place);
}

/* ---- Tasks ---- */

typedef struct PoseCall {
    const CrowdPoseJob *jobs;
    PoseLevel level;
} PoseCall;

static uint32_t tasksOf(const CrowdPoseJob *job) {
    return job->count / TASK_SLOTS + (job->count % TASK_SLOTS != 0);
}

static void poseTask(void *data, uint32_t task) {
    const PoseCall *call = data;
    const CrowdPoseJob *job = call->jobs;
    while (task >= tasksOf(job)) {
        task -= tasksOf(job++);
    }
    const uint32_t *slots = job->slots + (size_t)task * TASK_SLOTS;
    const uint32_t left = job->count - task * TASK_SLOTS;
    const uint32_t count = left < TASK_SLOTS ? left : TASK_SLOTS;
    for (uint32_t i = 0; job->morphs != NULL && i < count; ++i) {
        sknWriteCrowdMorphs(job->tables, job->morphs, &job->poses[slots[i]],
                            job->morphWeights + (size_t)slots[i] * job->morphStride);
    }
    if (job->skin->batch != NULL) {
        poseSorted(job, call->level, slots, count);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        poseSlot(job, slots[i]);
    }
}

void sknPoseCrowdOnCpu(const CrowdPoseJob *jobs, uint32_t jobCount, const VkskinCpuRun *run) {
    PoseCall call = {jobs, sknPoseLevelOf(run->level)};
    uint32_t tasks = 0;
    for (uint32_t i = 0; i < jobCount; ++i) {
        tasks += tasksOf(&jobs[i]);
    }
    sknRunTasks(run->parallel, run->parallelUser, tasks, poseTask, &call);
}
