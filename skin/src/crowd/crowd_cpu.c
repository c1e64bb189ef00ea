#include <string.h>

#include "crowd.h"

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
        const uint32_t scratchWords = (uint32_t)(crowd->plan.pools[p].scratchBytes / pool->slots / 4);
        crowd->cpu.poses[p] = (CrowdPoseJob){
            .clips = crowd->cpu.clips,
            .skin = &crowd->skins[pool->group],
            .slots = arrays->frame + pool->refreshed,
            .count = arrays->frame[pool->counts + CROWD_REFRESHED],
            .poses = (const LayoutCrowdPose *)(arrays->frame + pool->poses),
            .palettes = palettes,
            .paletteStride = (size_t)pool->paletteUnits * 16,
            .scratch = (float *)(void *)(palettes + crowd->plan.pools[p].paletteBytes),
            .scratchStride = scratchWords,
            .tables = arrays->tables,
            .morphs = morphsAt != 0 ? (const LayoutCrowdMorphs *)(arrays->tables + morphsAt) : NULL,
            .morphWeights = arrays->frame + pool->morphs,
            .morphStride = pool->morphWords,
        };
    }
    return crowd->plan.poolCount;
}

static void skinPart(const Crowd *crowd, uint32_t p, uint32_t index, const CpuMesh *mesh, CpuJob *job,
                     CpuCommand *commands) {
    const CrowdArrays *arrays = &crowd->cpu.arrays;
    const LayoutCrowdPool *pool = sknCrowdPool(arrays->tables, p);
    const LayoutCrowdPart *part = (const LayoutCrowdPart *)(arrays->tables + pool->partsAt) + index;
    const LayoutInstance *instances = (const LayoutInstance *)(arrays->frame + part->instances);
    const CrowdPoolMemory *memory = &crowd->pools[p];
    const uint32_t count = arrays->frame[pool->counts + CROWD_REFRESHED];
    *job = (CpuJob){.mesh = mesh, .commands = commands, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *output = (unsigned char *)memory->output.memory.mapped + (size_t)instances[i].vertices * 4;
        commands[i] = (CpuCommand){
            .palette = (const unsigned char *)memory->palettes.memory.mapped + (size_t)instances[i].palette * 16,
            .pair = crowd->groups[pool->group].meshes[index].pair,
        };
        if (instances[i].morphs != 0) {
            const LayoutMorphs *head = (const LayoutMorphs *)(arrays->frame + instances[i].morphs);
            commands[i].morphsBefore = head->before;
            commands[i].morphsAfter = head->after;
            commands[i].morphs = (const CpuMorphWeight *)(const void *)(head + 1);
        }
        for (uint32_t s = 0; s < mesh->info.layout.streamCount; s++) {
            commands[i].streams[s] = output + mesh->info.streamOffsets[s];
        }
    }
}

static uint32_t skinJobs(const Crowd *crowd) {
    uint32_t jobs = 0;
    uint32_t commands = 0;
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const uint32_t group = crowd->plan.pools[p].group;
        uint32_t firstMesh = 0;
        for (uint32_t g = 0; g < group; g++) {
            firstMesh += crowd->groups[g].partCount;
        }
        for (uint32_t i = 0; i < crowd->groups[group].partCount; i++) {
            skinPart(crowd, p, i, crowd->cpu.meshes[firstMesh + i], &crowd->cpu.jobs[jobs],
                     crowd->cpu.commands + commands);
            commands += crowd->cpu.jobs[jobs++].count;
        }
    }
    return jobs;
}

/* ---- The frame ---- */

void sknWorkCrowdOnCpu(VkskinContext context, Crowd *crowd, const CrowdFrame *frame) {
    const CrowdArrays *arrays = &crowd->cpu.arrays;
    const VkskinCpuRun *run = &context->cpu.run;
    sknCrowdApply(arrays, &frame->push);
    sknCrowdCull(arrays, &frame->push, run);
    sknCrowdFromKeys(arrays, &frame->push, run);
    sknPoseCrowdOnCpu(crowd->cpu.poses, poseJobs(crowd), run);
    sknSkinJobs(crowd->cpu.jobs, skinJobs(crowd), run);
}

/* Copies what the host's shaders read: arguments, lists, and the records of skinned slots. */
static void publish(const Crowd *crowd, uint32_t *target) {
    const uint32_t *frame = crowd->cpu.arrays.frame;
    memcpy(target, frame, crowd->plan.drawWords * sizeof *frame);
    for (uint32_t p = 0; p < crowd->plan.poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(crowd->plan.tables, p);
        for (uint32_t view = 0; view < crowd->maxViews; view++) {
            const uint32_t list = pool->lists + view * pool->slots;
            memcpy(target + list, frame + list, frame[pool->counts + CROWD_FIRST_VIEW + view] * sizeof *frame);
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
