#include <string.h>

#include "crowd_stages.h"
#include "run_tasks.h"

static void writeJob(const CrowdArrays *arrays, uint32_t index, uint32_t count) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const LayoutCrowdJob *job = sknCrowdJob(arrays->tables, index);
    const LayoutJob made = {.instanceCount = count, .vertexClass = job->vertexClass};
    memcpy(arrays->frame + job->job, &made, sizeof made);
    const uint32_t threads = (count + head->groupInstances - 1) / head->groupInstances * job->vertexCount;
    sknWriteGroups(arrays->frame + job->groups, (threads + head->groupSize - 1) / head->groupSize);
}

static void writeDraw(const CrowdArrays *arrays, const LayoutCrowdDraw *draw, uint32_t count) {
    const uint32_t arguments[] = {draw->indexCount, count, draw->firstIndex, draw->vertexOffset, 0};
    memcpy(arrays->frame + draw->arguments, arguments, sizeof arguments);
}

/* Keeps the slots that show a part, in order: instances in their place, those of a view in the list of the part. */
static uint32_t choose(const CrowdArrays *arrays, const LayoutCrowdPool *pool, const LayoutCrowdPart *part,
                       uint32_t column, uint32_t count) {
    const LayoutCrowdSlot *records = (const LayoutCrowdSlot *)(const void *)(arrays->frame + pool->records);
    LayoutInstance *instances = (LayoutInstance *)(arrays->frame + part->instances);
    const bool refreshed = column == CROWD_REFRESHED;
    const uint32_t view = refreshed ? 0 : column - CROWD_FIRST_VIEW;
    const uint32_t *from = arrays->frame + (refreshed ? pool->refreshed : pool->lists + view * pool->slots);
    uint32_t *to = arrays->frame + part->lists + (size_t)view * pool->slots;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((arrays->colds[records[from[i]].character].parts & part->mask) == 0) {
            continue;
        }
        if (refreshed) {
            instances[kept++] = instances[i];
        } else {
            to[kept++] = from[i];
        }
    }
    return kept;
}

/* A part of a pool, and one of its lists: a column of the pool from CROWD_REFRESHED on. */
static void partsTask(void *data, uint32_t index) {
    const CrowdArrays *arrays = data;
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const uint32_t column = CROWD_REFRESHED + index / head->viewDraws;
    const uint32_t view = column == CROWD_REFRESHED ? 0 : column - CROWD_FIRST_VIEW;
    const LayoutCrowdDraw *draw = sknCrowdDraw(arrays->tables, view * head->viewDraws + index % head->viewDraws);
    const LayoutCrowdPool *pool = sknCrowdPool(arrays->tables, draw->pool);
    const LayoutCrowdPart *part = sknCrowdPart(arrays->tables, pool, draw->part);
    uint32_t count = arrays->frame[pool->counts + column];
    if (part->mask != 0) {
        count = arrays->frame[part->counts + column] = choose(arrays, pool, part, column, count);
    }
    if (column != CROWD_REFRESHED) {
        writeDraw(arrays, draw, count);
    }
    for (uint32_t i = 0; column == CROWD_REFRESHED && i < part->jobCount; i++) {
        writeJob(arrays, part->firstJob + i, count);
    }
}

void sknCrowdParts(const CrowdArrays *arrays, const VkskinCpuRun *run) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    CrowdArrays data = *arrays;
    sknRunTasks(run->parallel, run->parallelUser, head->viewDraws * (head->poolColumns - CROWD_REFRESHED), partsTask,
                &data);
}
