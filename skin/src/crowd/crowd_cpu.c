#include <string.h>

#include "crowd.h"
#include "crowd_morphs.h"
#include "pose_batch.h"
#include "run_tasks.h"

static CrowdArrays arraysOf(const Crowd *crowd, const CrowdFrame *frame) {
    const CrowdCpu *cpu = &crowd->cpu;
    const uint32_t turn = crowd->frameCount % 2; /* before the frame is counted: see sknBeginCrowdOnCpu */
    return (CrowdArrays){
        .tables = crowd->plan.tables,
        .states = cpu->states,
        .colds = cpu->colds,
        .work = cpu->work,
        .frame = cpu->frames[turn],
        .lastFrame = cpu->frames[1 - turn],
        .copies = cpu->copies,
        .views = &frame->views,
        .changes = (const LayoutCrowdChange *)(cpu->input + CROWD_INPUT_CHANGES),
    };
}

static void keepUndo(Crowd *crowd, uint32_t changes) {
    const uint32_t *tables = crowd->plan.tables;
    const LayoutCrowdChange *records = (const LayoutCrowdChange *)(crowd->cpu.input + CROWD_INPUT_CHANGES);
    CrowdUndo *undo = &crowd->cpu.undo;
    undo->count = changes;
    memcpy(&undo->budget, crowd->cpu.work + CROWD_WORK_BUDGET, sizeof undo->budget);
    for (uint32_t i = 0; i < changes; i++) {
        undo->states[i] = crowd->cpu.states[records[i].character];
        undo->colds[i] = crowd->cpu.colds[records[i].character];
    }
    for (uint32_t g = 0; g < crowd->groupCount; g++) {
        memcpy(&undo->rings[(size_t)2 * g], crowd->cpu.work + sknCrowdGroup(tables, g)->ring, 2 * sizeof *undo->rings);
    }
}

void sknBeginCrowdOnCpu(VkskinContext context, Crowd *crowd, CrowdFrame *frame) {
    (void)context;
    frame->push.changes = sknRecordChanges(&crowd->changes, crowd->maxChanges);
    sknWriteChanges(&crowd->changes, crowd->cpu.input + CROWD_INPUT_CHANGES);
    keepUndo(crowd, frame->push.changes);
    crowd->cpu.arrays = arraysOf(crowd, frame);
    for (uint32_t g = 0, job = 0; g < crowd->groupCount; g++) {
        for (uint32_t p = 0; p < crowd->groups[g].partCount; p++) {
            crowd->cpu.meshes[job++] = sknMesh(context, crowd->groups[g].meshes[p].mesh)->cpu;
        }
    }
    crowd->cpu.clips = &sknClipSet(context, crowd->clipSet)->data;
}

/* ---- Posing and skinning ---- */

static uint32_t poseJobs(const Crowd *crowd) {
    const CrowdArrays *arrays = &crowd->cpu.arrays;
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(arrays->tables, p);
        unsigned char *palettes = crowd->pools[p].palettes.memory.mapped;
        const uint32_t morphsAt = sknCrowdGroup(arrays->tables, pool->group)->morphsAt;
        crowd->cpu.poses[p] = (CrowdPoseJob){
            .clips = crowd->cpu.clips,
            .skin = &crowd->skins[pool->group],
            .slots = arrays->frame + pool->refreshed,
            .count = arrays->frame[pool->counts + CROWD_REFRESHED],
            .poses = (const LayoutCrowdPose *)(arrays->frame + pool->poses),
            .palettes = palettes,
            .paletteStride = (size_t)pool->paletteUnits * 16,
            .scratch = (float *)(void *)(palettes + crowd->plan.pools[p].paletteBytes),
            .scratchStride = sknCrowdScratchWords(crowd->cpu.clips->nodeCount),
            .tables = arrays->tables,
            .morphs = morphsAt != 0 ? (const LayoutCrowdMorphs *)(arrays->tables + morphsAt) : NULL,
            .morphWeights = arrays->frame + pool->morphs,
            .morphStride = pool->morphWords,
        };
    }
    return crowd->plan.poolCount;
}

/* entries: indices of the job's slots in the pool's refreshed ones; null: those that show the part. */
static void skinPart(const Crowd *crowd, uint32_t p, uint32_t index, const CrowdPoseJob *posed, const uint32_t *entries,
                     const CpuMesh *mesh, CpuJob *job, CpuCommand *commands) {
    const CrowdArrays *arrays = &crowd->cpu.arrays;
    const LayoutCrowdPool *pool = sknCrowdPool(arrays->tables, p);
    const LayoutCrowdPart *part = sknCrowdPart(arrays->tables, pool, index);
    const LayoutInstance *instances = (const LayoutInstance *)(arrays->frame + part->instances);
    const uint32_t count = entries != NULL ? posed->count : arrays->frame[part->counts + CROWD_REFRESHED];
    *job = (CpuJob){.mesh = mesh, .commands = commands, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        const LayoutInstance *instance = &instances[entries != NULL ? entries[i] : i];
        unsigned char *output = (unsigned char *)crowd->pools[p].output.memory.mapped + (size_t)instance->vertices * 4;
        commands[i] = (CpuCommand){
            .palette = posed->palettes +
                       (entries != NULL ? posed->slots[i] * posed->paletteStride : (size_t)instance->palette * 16),
            .pair = crowd->groups[pool->group].meshes[index].pair,
        };
        if (instance->morphs != 0) {
            const LayoutMorphs *head = (const LayoutMorphs *)(arrays->frame + instance->morphs);
            commands[i].morphsBefore = head->before;
            commands[i].morphsAfter = head->after;
            commands[i].morphs = (const CpuMorphWeight *)(const void *)(head + 1);
        }
        for (uint32_t s = 0; s < mesh->info.layout.streamCount; s++) {
            commands[i].streams[s] = output + mesh->info.streamOffsets[s];
        }
    }
}

/* The meshes of a pool's parts. */
static const CpuMesh *const *meshesOf(const Crowd *crowd, uint32_t p) {
    uint32_t firstMesh = 0;
    for (uint32_t g = 0; g < crowd->plan.pools[p].group; g++) {
        firstMesh += crowd->groups[g].partCount;
    }
    return crowd->cpu.meshes + firstMesh;
}

/* few: see workFew */
static uint32_t skinJobs(const Crowd *crowd, bool few) {
    uint32_t jobs = 0;
    uint32_t commands = 0;
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const CpuMesh *const *meshes = meshesOf(crowd, p);
        const uint32_t *entries = few ? crowd->cpu.order + crowd->plan.pools[p].firstSlot : NULL;
        for (uint32_t i = 0; i < crowd->groups[crowd->plan.pools[p].group].partCount; i++) {
            skinPart(crowd, p, i, &crowd->cpu.poses[p], entries, meshes[i], &crowd->cpu.jobs[jobs],
                     crowd->cpu.commands + commands);
            commands += crowd->cpu.jobs[jobs++].count;
        }
    }
    return jobs;
}

/* ---- Both in one task ---- */

typedef struct PieceCall {
    Crowd *crowd;
    uint64_t bytes;   /* of the output of all pieces */
    VkskinCpuRun run; /* of a piece */
} PieceCall;

static uint32_t piecesOf(const CrowdPoseJob *job) {
    return (job->count + CROWD_PIECE_SLOTS - 1) / CROWD_PIECE_SLOTS;
}

/* Lanes of one clip are sampled together. Those in a fade come last. */
static void sortByClip(const Crowd *crowd, uint32_t p) {
    const CrowdPoseJob *job = &crowd->cpu.poses[p];
    const uint32_t clips = sknCrowdHead(crowd->plan.tables)->clipCount;
    uint32_t *ends = crowd->cpu.clipEnds;
    uint32_t *order = crowd->cpu.order + crowd->plan.pools[p].firstSlot;
    memset(ends, 0, (2 * (size_t)clips + 1) * sizeof *ends);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < job->count; i++) {
            const LayoutCrowdPose *pose = &job->poses[job->slots[i]];
            uint32_t *end = &ends[(pose->clips & 0xffff) + (pose->weight != 0 ? clips : 0)];
            if (pass == 0) {
                end[1]++;
            } else {
                order[(*end)++] = i;
            }
        }
        for (uint32_t rank = 1; pass == 0 && rank < 2 * clips; rank++) {
            ends[rank] += ends[rank - 1];
        }
    }
}

/* Takes `count` of the job's slots, and gives them palettes of a window. */
static CrowdPoseJob takePiece(const CrowdPoseJob *job, const uint32_t *entries, uint32_t count, uint32_t window,
                              LayoutCrowdPose *poses, uint32_t *slots) {
    CrowdPoseJob piece = *job;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = job->slots[entries[i]];
        poses[i] = job->poses[slot];
        slots[i] = i;
        if (job->morphs != NULL) {
            sknWriteCrowdMorphs(job->tables, job->morphs, &poses[i],
                                job->morphWeights + (size_t)slot * job->morphStride);
        }
    }
    piece.slots = slots;
    piece.count = count;
    piece.poses = poses;
    piece.palettes += (size_t)window * CROWD_PIECE_SLOTS * job->paletteStride;
    piece.scratch += (size_t)window * CROWD_PIECE_SLOTS * job->scratchStride;
    piece.morphs = NULL;
    return piece;
}

/* The window is memory that tasks before used, so that palettes stay in the caches. Small pools have less memory than all
 * windows, and as few tasks: each has its own part. */
static void pieceTask(void *data, uint32_t task) {
    const PieceCall *call = data;
    Crowd *crowd = call->crowd;
    uint32_t p = 0;
    while (task >= piecesOf(&crowd->cpu.poses[p])) {
        task -= piecesOf(&crowd->cpu.poses[p++]);
    }
    const CrowdPoolPlan *pool = &crowd->plan.pools[p];
    const CrowdPoseJob *job = &crowd->cpu.poses[p];
    const uint32_t *entries = crowd->cpu.order + pool->firstSlot + (size_t)task * CROWD_PIECE_SLOTS;
    const uint32_t left = job->count - task * CROWD_PIECE_SLOTS;
    const uint32_t count = left < CROWD_PIECE_SLOTS ? left : CROWD_PIECE_SLOTS;
    const uint32_t place = sknTakePosePlace(&crowd->cpu.windows);
    LayoutCrowdPose poses[CROWD_PIECE_SLOTS];
    uint32_t slots[CROWD_PIECE_SLOTS];
    CpuCommand commands[CROWD_PIECE_SLOTS];
    const uint32_t window = pool->slots < CROWD_WINDOW_SLOTS ? task : place;
    const CpuMesh *const *meshes = meshesOf(crowd, p);
    const CrowdPoseJob piece = takePiece(job, entries, count, window, poses, slots);
    sknPoseCrowdOnCpu(&piece, 1, &call->run);
    for (uint32_t i = 0; i < crowd->groups[pool->group].partCount; i++) {
        CpuJob skinned;
        skinPart(crowd, p, i, &piece, entries, meshes[i], &skinned, commands);
        skinned.otherBytes = call->bytes;
        sknSkinJobs(&skinned, 1, &call->run);
    }
    sknReturnPosePlace(&crowd->cpu.windows, place);
}

/* They have palettes of their own, in the order of the refreshed slots. */
static void workFew(Crowd *crowd, uint32_t pools, const VkskinCpuRun *run) {
    CrowdCpu *cpu = &crowd->cpu;
    for (uint32_t p = 0, first = 0; p < pools; p++) {
        uint32_t *entries = cpu->order + crowd->plan.pools[p].firstSlot;
        const uint32_t count = cpu->poses[p].count;
        for (uint32_t i = 0; i < count; i++) {
            entries[i] = i;
        }
        cpu->poses[p] = takePiece(&cpu->poses[p], entries, count, 0, cpu->fewPoses + first, cpu->fewSlots + first);
        first += count;
    }
    sknPoseCrowdOnCpu(cpu->poses, pools, run);
    sknSkinJobs(cpu->jobs, skinJobs(crowd, true), run);
}

static void workInPieces(Crowd *crowd, uint32_t pools, const VkskinCpuRun *run) {
    PieceCall call = {.crowd = crowd, .run = {.level = run->level}};
    uint32_t pieces = 0;
    for (uint32_t p = 0; p < pools; p++) {
        const CrowdPoolPlan *pool = &crowd->plan.pools[p];
        pieces += piecesOf(&crowd->cpu.poses[p]);
        call.bytes += pool->outputBytes / pool->slots * crowd->cpu.poses[p].count / crowd->copies;
        sortByClip(crowd, p);
    }
    sknRunTasks(run->parallel, run->parallelUser, pieces, pieceTask, &call);
}

static uint32_t countRefreshed(const Crowd *crowd, uint32_t pools) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < pools; p++) {
        count += crowd->cpu.poses[p].count;
    }
    return count;
}

/* ---- The frame ---- */

void sknWorkCrowdOnCpu(VkskinContext context, Crowd *crowd, const CrowdFrame *frame) {
    const CrowdArrays *arrays = &crowd->cpu.arrays;
    const VkskinCpuRun *run = &context->cpu.run;
    sknCrowdApply(arrays, &frame->push);
    sknCrowdCull(arrays, &frame->push, run);
    sknCrowdFromKeys(arrays, &frame->push, run);
    const uint32_t pools = poseJobs(crowd);
    if (crowd->masks) { /* instances of a part are not in the order of the slots: each slot has its palette */
        sknPoseCrowdOnCpu(crowd->cpu.poses, pools, run);
        sknSkinJobs(crowd->cpu.jobs, skinJobs(crowd, false), run);
    } else if (countRefreshed(crowd, pools) < CROWD_FEW_SLOTS) {
        workFew(crowd, pools, run);
    } else {
        workInPieces(crowd, pools, run);
    }
}

/* The lists of a pool or a part, of all views. */
static void publishLists(const Crowd *crowd, uint32_t lists, uint32_t counts, uint32_t slots, uint32_t *target) {
    const uint32_t *frame = crowd->cpu.arrays.frame;
    for (uint32_t view = 0; view < crowd->maxViews; view++) {
        const uint32_t list = lists + view * slots;
        memcpy(target + list, frame + list, frame[counts + CROWD_FIRST_VIEW + view] * sizeof *frame);
    }
}

/* Copies what the host's shaders read: arguments, lists, and the records of skinned slots. */
static void publish(const Crowd *crowd, uint32_t *target) {
    const uint32_t *frame = crowd->cpu.arrays.frame;
    memcpy(target, frame, crowd->plan.drawWords * sizeof *frame);
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(crowd->plan.tables, p);
        publishLists(crowd, pool->lists, pool->counts, pool->slots, target);
        for (uint32_t i = 0; i < pool->partCount; i++) {
            const LayoutCrowdPart *part = sknCrowdPart(crowd->plan.tables, pool, i);
            if (part->mask != 0) {
                publishLists(crowd, part->lists, part->counts, pool->slots, target);
            }
        }
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_SKINNED]; i++) {
            const size_t record = pool->records + (size_t)frame[pool->skinned + i] * CROWD_SLOT_WORDS;
            memcpy(target + record, frame + record, sizeof(LayoutCrowdSlot));
        }
    }
}

VkskinResult sknEndCrowdOnCpu(VkskinContext context, Crowd *crowd) {
    const uint32_t slot = context->recording->slot;
    const VkDeviceSize offset = crowd->frameStride * slot;
    crowd->inputs[slot].stats = *sknCrowdStats(crowd->cpu.work);
    publish(crowd, (uint32_t *)(void *)((unsigned char *)crowd->frame.memory.mapped + offset));
    VkskinResult result = sknFlushBuffer(&context->gpu, &crowd->frame, offset, crowd->plan.frameWords * 4);
    for (uint32_t p = 0; result >= 0 && p < crowd->plan.poolCount; p++) {
        const Buffer *output = &crowd->pools[p].output;
        result = sknFlushBuffer(&context->gpu, output, 0, output->size);
    }
    return result;
}

/* ---- Cancelling ---- */

/* Who has a slot after a frame, by its lists. */
static void setResidents(const Crowd *crowd, const uint32_t *frame, bool set) {
    const uint32_t *tables = crowd->plan.tables;
    uint32_t *residents = crowd->cpu.work + sknCrowdHead(tables)->residents;
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(tables, p);
        const LayoutCrowdGroup *group = sknCrowdGroup(tables, pool->group);
        const uint32_t first = (p - group->firstPool) * group->poolSlots;
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_SKINNED]; i++) {
            const uint32_t who = frame[pool->characters + i];
            const uint32_t yielded = (who & CROWD_SKINNED_YIELDED) != 0 ? CROWD_RESIDENT_YIELDED : 0u;
            const uint32_t resident = pool->group << CROWD_RESIDENT_SHIFT | (first + frame[pool->skinned + i] + 1);
            residents[who & CROWD_SKINNED_CHARACTER] = set ? resident | yielded : 0;
        }
    }
}

/* Slots that the frame refreshed have the copy of the frame before again. */
static void takeBackCopies(const Crowd *crowd, const uint32_t *frame) {
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(crowd->plan.tables, p);
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_REFRESHED]; i++) {
            uint32_t *copy = &crowd->cpu.copies[pool->firstSlot + frame[pool->refreshed + i]];
            *copy = (*copy + crowd->copies - 1) % crowd->copies;
        }
    }
}

/*
 * Fades and clips that ended stay ended: they would end again. Ring entries that the frame wrote are behind the head that
 * is restored.
 */
void sknUndoCrowdOnCpu(Crowd *crowd) {
    const CrowdArrays *arrays = &crowd->cpu.arrays;
    const CrowdUndo *undo = &crowd->cpu.undo;
    for (uint32_t i = 0; i < undo->count; i++) {
        crowd->cpu.states[arrays->changes[i].character] = undo->states[i];
        crowd->cpu.colds[arrays->changes[i].character] = undo->colds[i];
    }
    setResidents(crowd, arrays->frame, false);
    setResidents(crowd, arrays->lastFrame, true);
    takeBackCopies(crowd, arrays->frame);
    memcpy(crowd->cpu.work + CROWD_WORK_BUDGET, &undo->budget, sizeof undo->budget);
    for (uint32_t g = 0; g < crowd->groupCount; g++) {
        memcpy(crowd->cpu.work + sknCrowdGroup(arrays->tables, g)->ring, &undo->rings[(size_t)2 * g],
               2 * sizeof *undo->rings);
    }
}
