#include "crowd_stages.h"

#include <stdatomic.h>
#include <string.h>

#include "crowd/crowd_rules.h"
#include "run_tasks.h"

/* Blocks of a task. */
#define TASK_BLOCKS 64u

/* Skinned slots of a task. */
#define TASK_SLOTS 512u

/* What stages that walk blocks of characters read. */
typedef struct Walk {
    const CrowdArrays *arrays;
    const LayoutCrowdPush *push;
    const LayoutCrowdHead *head;
    uint32_t *keys, *residents, *counts, *ranks;
    const uint32_t *totals;
    void (*block)(const struct Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count);
} Walk;

/* The characters of a block that a view sees or that have a slot: others need nothing. Returns their number. It has no
 * branch in the loop: which characters are visible cannot be predicted. */
static uint32_t findBusy(const Walk *walk, uint32_t block, uint32_t busy[CROWD_BLOCK]) {
    const uint32_t first = block * CROWD_BLOCK;
    const uint32_t left = walk->head->capacity - first;
    const uint32_t *keys = walk->keys + first;
    const uint32_t *residents = walk->residents + first;
    uint32_t count = 0;
    for (uint32_t i = 0; i < CROWD_BLOCK && i < left; i++) {
        busy[count] = first + i;
        count += ((keys[i] & CROWD_KEY_VIEWS) | residents[i]) != 0;
    }
    return count;
}

static void walkTask(void *data, uint32_t index) {
    const Walk *walk = data;
    const uint32_t last = (index + 1) * TASK_BLOCKS;
    for (uint32_t b = index * TASK_BLOCKS; b < last && b < walk->head->blocks; b++) {
        uint32_t busy[CROWD_BLOCK] = {0};
        walk->block(walk, b, busy, findBusy(walk, b, busy));
    }
}

static void walkBlocks(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run,
                       void (*block)(const Walk *, uint32_t, const uint32_t *, uint32_t)) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    Walk walk = {
        .arrays = arrays,
        .push = push,
        .head = head,
        .keys = arrays->work + head->keys,
        .residents = arrays->work + head->residents,
        .counts = arrays->work + head->counts,
        .ranks = arrays->work + head->ranks,
        .totals = arrays->work + head->totals,
        .block = block,
    };
    sknRunTasks(run->parallel, run->parallelUser, (head->blocks + TASK_BLOCKS - 1) / TASK_BLOCKS, walkTask, &walk);
}

static uint32_t *cell(uint32_t *columns, const Walk *walk, uint32_t column, uint32_t block) {
    return columns + (size_t)column * walk->head->blocks + block;
}

static void clearColumns(const Walk *walk, uint32_t columns, uint32_t block) {
    for (uint32_t c = 0; c < columns; c++) {
        *cell(walk->counts, walk, c, block) = 0;
    }
}

/* ---- Slots ---- */

/* What a character needs of the slots. */
typedef struct Need {
    bool frees, wants, mayYield;
    uint32_t oldModel, model; /* models of the slot that the character has, and of the slot that it wants */
    uint32_t wish;            /* CROWD_WANTS_ */
} Need;

static Need needOf(const Walk *walk, uint32_t character) {
    const uint32_t key = walk->keys[character];
    const uint32_t resident = walk->residents[character];
    const uint32_t views = key & CROWD_KEY_VIEWS;
    const bool has = (resident & CROWD_RESIDENT_SLOT) != 0;
    Need need = {
        .oldModel = resident >> CROWD_RESIDENT_SHIFT,
        .model = key >> CROWD_KEY_MODEL_SHIFT,
        .wish = (views & walk->push->colours) != 0 ? CROWD_WANTS_COLOUR : CROWD_WANTS_SHADOW,
    };
    const bool keeps = has && views != 0 && need.oldModel == need.model;
    need.frees = has && !keeps;
    need.wants = views != 0 && !keeps;
    need.mayYield = keeps && need.wish == CROWD_WANTS_SHADOW;
    return need;
}

static void countBlock(const Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count) {
    clearColumns(walk, walk->head->modelCount * CROWD_MODEL_COLUMNS, block);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t c = busy[i];
        const Need need = needOf(walk, c);
        if (need.frees) {
            ++*cell(walk->counts, walk, need.oldModel * CROWD_MODEL_COLUMNS + CROWD_FREES, block);
        }
        if (need.mayYield) {
            ++*cell(walk->counts, walk, need.oldModel * CROWD_MODEL_COLUMNS + CROWD_MAY_YIELD, block);
        }
        if (need.wants) {
            ++*cell(walk->counts, walk, need.model * CROWD_MODEL_COLUMNS + need.wish, block);
        }
    }
}

static void countStage(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    walkBlocks(arrays, push, run, countBlock);
}

/* push->pools: which columns. */
static void scanStage(const CrowdArrays *arrays, const LayoutCrowdPush *push) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const uint32_t modelColumns = head->modelCount * CROWD_MODEL_COLUMNS;
    const uint32_t columns = push->pools != 0 ? head->poolCount * CROWD_POOL_COLUMNS : modelColumns;
    uint32_t *totals = arrays->work + head->totals + (push->pools != 0 ? modelColumns : 0);
    for (uint32_t column = 0; column < columns; column++) {
        const uint32_t *counts = arrays->work + head->counts + (size_t)column * head->blocks;
        uint32_t *ranks = arrays->work + head->ranks + (size_t)column * head->blocks;
        uint32_t sum = 0;
        for (uint32_t b = 0; b < head->blocks; b++) {
            ranks[b] = sum;
            sum += counts[b];
        }
        totals[column] = sum;
    }
}

/* How many of those who want a slot of a model get one, and how many yield one. */
typedef struct Grant {
    uint32_t head, free, used;
    uint32_t colours, shadows, yields;
} Grant;

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static Grant grantOf(const CrowdArrays *arrays, const LayoutCrowdModel *model, const uint32_t *totals) {
    const uint32_t *ring = arrays->work + model->ring;
    Grant grant = {
        .head = ring[CROWD_RING_HEAD], .free = model->slots - ring[CROWD_RING_USED], .used = ring[CROWD_RING_USED]};
    grant.colours = least(totals[CROWD_WANTS_COLOUR], grant.free);
    grant.shadows = least(totals[CROWD_WANTS_SHADOW], grant.free - grant.colours);
    grant.yields = least(totals[CROWD_MAY_YIELD], totals[CROWD_WANTS_COLOUR] - grant.colours);
    return grant;
}

/* Takes the slot of a rank among those who want one. */
static void takeSlot(const Walk *walk, uint32_t character, const Need *need, uint32_t block) {
    const LayoutCrowdModel *model = sknCrowdModel(walk->arrays->tables, need->model);
    const uint32_t column = need->model * CROWD_MODEL_COLUMNS;
    const Grant grant = grantOf(walk->arrays, model, walk->totals + column);
    uint32_t rank = (*cell(walk->ranks, walk, column + need->wish, block))++;
    const bool colour = need->wish == CROWD_WANTS_COLOUR;
    if (rank >= (colour ? grant.colours : grant.shadows)) {
        return;
    }
    rank += colour ? 0 : grant.colours;
    const uint32_t place = (grant.head + rank) % model->slots;
    const uint32_t entry = walk->arrays->work[model->ring + CROWD_RING_SLOTS + place];
    const uint32_t slot = entry == 0 ? place : entry - 1;
    walk->residents[character] = need->model << CROWD_RESIDENT_SHIFT | (slot + 1);
    walk->keys[character] |= CROWD_KEY_NEW;
}

/* Puts the slot behind the tail of the ring. The last ones of those who may yield do so; the others keep their slot. */
static void freeSlot(const Walk *walk, uint32_t character, const Need *need, uint32_t block) {
    const LayoutCrowdModel *model = sknCrowdModel(walk->arrays->tables, need->oldModel);
    const uint32_t column = need->oldModel * CROWD_MODEL_COLUMNS;
    const uint32_t *totals = walk->totals + column;
    const Grant grant = grantOf(walk->arrays, model, totals);
    uint32_t rank = (*cell(walk->ranks, walk, column + (need->frees ? CROWD_FREES : CROWD_MAY_YIELD), block))++;
    if (need->mayYield) {
        const uint32_t keep = totals[CROWD_MAY_YIELD] - grant.yields;
        if (rank < keep) {
            return;
        }
        rank += totals[CROWD_FREES] - keep;
    }
    const uint32_t place = (grant.head + grant.free + rank) % model->slots;
    walk->arrays->work[model->ring + CROWD_RING_SLOTS + place] = walk->residents[character] & CROWD_RESIDENT_SLOT;
    walk->residents[character] = 0;
}

/* The pool of a slot, and the slot counted from its first one. */
static uint32_t poolOf(const CrowdArrays *arrays, uint32_t resident, uint32_t *slot) {
    const LayoutCrowdModel *model = sknCrowdModel(arrays->tables, resident >> CROWD_RESIDENT_SHIFT);
    const uint32_t index = (resident & CROWD_RESIDENT_SLOT) - 1;
    *slot = index % model->poolSlots;
    return model->firstPool + index / model->poolSlots;
}

static void assignBlock(const Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count) {
    clearColumns(walk, walk->head->poolCount * CROWD_POOL_COLUMNS, block);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t c = busy[i];
        const Need need = needOf(walk, c);
        if (need.frees || need.mayYield) {
            freeSlot(walk, c, &need, block);
        }
        if (need.wants) {
            takeSlot(walk, c, &need, block);
        }
        if (walk->residents[c] == 0) {
            continue;
        }
        uint32_t slot;
        const uint32_t column = poolOf(walk->arrays, walk->residents[c], &slot) * CROWD_POOL_COLUMNS;
        ++*cell(walk->counts, walk, column + CROWD_SKINNED, block);
        for (uint32_t view = 0; view < CROWD_VIEWS; view++) {
            *cell(walk->counts, walk, column + CROWD_FIRST_VIEW + view, block) += walk->keys[c] >> view & 1u;
        }
    }
}

static void assignStage(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    walkBlocks(arrays, push, run, assignBlock);
}

/* ---- Lists ---- */

static void scatterBlock(const Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count) {
    uint32_t *frame = walk->arrays->frame;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t c = busy[i];
        const uint32_t key = walk->keys[c];
        if (walk->residents[c] == 0) {
            continue;
        }
        uint32_t slot;
        const uint32_t index = poolOf(walk->arrays, walk->residents[c], &slot);
        const LayoutCrowdPool *pool = sknCrowdPool(walk->arrays->tables, index);
        const uint32_t column = index * CROWD_POOL_COLUMNS;
        const uint32_t rank = (*cell(walk->ranks, walk, column + CROWD_SKINNED, block))++;
        frame[pool->skinned + rank] = slot;
        frame[pool->characters + rank] = c | ((key & CROWD_KEY_NEW) != 0 ? CROWD_SKINNED_NEW : 0u) |
                                         ((key & CROWD_KEY_TELEPORTED) != 0 ? CROWD_SKINNED_TELEPORTED : 0u);
        for (uint32_t view = 0; view < CROWD_VIEWS; view++) {
            if ((key >> view & 1u) != 0) {
                const uint32_t place = (*cell(walk->ranks, walk, column + CROWD_FIRST_VIEW + view, block))++;
                frame[pool->lists + view * pool->slots + place] = slot;
            }
        }
    }
}

static void scatterStage(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    walkBlocks(arrays, push, run, scatterBlock);
}

/* ---- Arguments ---- */

static void finishModel(const CrowdArrays *arrays, uint32_t index, LayoutCrowdStats *stats) {
    const LayoutCrowdModel *model = sknCrowdModel(arrays->tables, index);
    const uint32_t *totals = arrays->work + sknCrowdHead(arrays->tables)->totals + (size_t)index * CROWD_MODEL_COLUMNS;
    const Grant grant = grantOf(arrays, model, totals);
    const uint32_t granted = grant.colours + grant.shadows;
    uint32_t *ring = arrays->work + model->ring;
    ring[CROWD_RING_HEAD] = (grant.head + granted) % model->slots;
    ring[CROWD_RING_USED] = grant.used + granted - totals[CROWD_FREES] - grant.yields;
    stats->refused += totals[CROWD_WANTS_COLOUR] + totals[CROWD_WANTS_SHADOW] - granted + grant.yields;
}

/* A VkDispatchIndirectCommand. */
static void writeGroups(uint32_t arguments[3], uint32_t groups) {
    const uint32_t columns = least(groups, CROWD_MOST_GROUPS);
    arguments[0] = columns;
    arguments[1] = columns == 0 ? 1 : (groups + columns - 1) / columns;
    arguments[2] = 1;
}

static void finishPool(const CrowdArrays *arrays, uint32_t index, LayoutCrowdStats *stats) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const LayoutCrowdPool *pool = sknCrowdPool(arrays->tables, index);
    const uint32_t *totals = arrays->work + head->totals + (size_t)head->modelCount * CROWD_MODEL_COLUMNS +
                             (size_t)index * CROWD_POOL_COLUMNS;
    memcpy(arrays->frame + pool->counts, totals, CROWD_POOL_COLUMNS * sizeof *totals);
    writeGroups(arrays->frame + pool->poseGroups, (totals[CROWD_SKINNED] + head->poseSlots - 1) / head->poseSlots);
    stats->skinned += totals[CROWD_SKINNED];
    stats->drawn0 += totals[CROWD_FIRST_VIEW];
    stats->drawn1 += totals[CROWD_FIRST_VIEW + 1];
    stats->drawn2 += totals[CROWD_FIRST_VIEW + 2];
    stats->drawn3 += totals[CROWD_FIRST_VIEW + 3];
}

static void finishJob(const CrowdArrays *arrays, uint32_t index) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const LayoutCrowdJob *job = sknCrowdJob(arrays->tables, index);
    const uint32_t count = arrays->frame[sknCrowdPool(arrays->tables, job->pool)->counts + CROWD_SKINNED];
    const LayoutJob made = {.instanceCount = count, .vertexClass = job->vertexClass};
    memcpy(arrays->frame + job->job, &made, sizeof made);
    const uint32_t threads = (count + head->groupInstances - 1) / head->groupInstances * job->vertexCount;
    writeGroups(arrays->frame + job->groups, (threads + head->groupSize - 1) / head->groupSize);
}

static void finishDraw(const CrowdArrays *arrays, uint32_t index) {
    const LayoutCrowdDraw *draw = sknCrowdDraw(arrays->tables, index);
    const LayoutCrowdPool *pool = sknCrowdPool(arrays->tables, draw->pool);
    uint32_t *arguments = arrays->frame + draw->arguments;
    arguments[0] = draw->indexCount;
    arguments[1] = arrays->frame[pool->counts + CROWD_FIRST_VIEW + draw->view];
    arguments[2] = draw->firstIndex;
    arguments[3] = draw->vertexOffset;
    arguments[4] = 0;
}

static void finishStage(const CrowdArrays *arrays, const LayoutCrowdPush *push) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    LayoutCrowdStats *stats = sknCrowdStats(arrays->work);
    (void)push;
    for (uint32_t m = 0; m < head->modelCount; m++) {
        finishModel(arrays, m, stats);
    }
    for (uint32_t p = 0; p < head->poolCount; p++) {
        finishPool(arrays, p, stats);
    }
    for (uint32_t j = 0; j < head->jobCount; j++) {
        finishJob(arrays, j);
    }
    for (uint32_t d = 0; d < head->drawCount; d++) {
        finishDraw(arrays, d);
    }
}

/* ---- Skinned slots ---- */

static void describeSlot(const CrowdArrays *arrays, const LayoutCrowdPush *push, const LayoutCrowdPool *pool,
                         uint32_t entry) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const uint32_t slot = arrays->frame[pool->skinned + entry];
    const uint32_t who = arrays->frame[pool->characters + entry];
    const uint32_t character = who & CROWD_SKINNED_CHARACTER;
    const LayoutCrowdState *state = &arrays->states[character];
    const LayoutCrowdCold *cold = &arrays->colds[character];
    const size_t at = pool->records + (size_t)slot * CROWD_SLOT_WORDS;
    const bool jumped = (who & (CROWD_SKINNED_NEW | CROWD_SKINNED_TELEPORTED)) != 0;
    LayoutCrowdSlot last;
    memcpy(&last, arrays->lastFrame + at, sizeof last);
    LayoutCrowdSlot record;
    memcpy(&record, state, sizeof(VkskinAffine));
    memcpy((uint32_t *)&record + sizeof(VkskinAffine) / 4, jumped ? (const void *)state : (const void *)&last,
           sizeof(VkskinAffine));
    record.variation = cold->variation;
    record.character = character;
    record.copies = push->copy | (jumped ? push->copy : last.copies & 0xffu) << 8;
    record.generation = cold->generation;
    memcpy(arrays->frame + at, &record, sizeof record);
    const LayoutCrowdPose pose = crowdPoseOf(state, cold, head->clipCount, push->tick);
    memcpy(arrays->frame + pool->poses + (size_t)slot * CROWD_POSE_WORDS, &pose, sizeof pose);
    for (uint32_t p = 0; p < pool->partCount; p++) {
        const LayoutCrowdPart *part = (const LayoutCrowdPart *)(arrays->tables + pool->partsAt) + p;
        const LayoutInstance instance = {
            .palette = slot * pool->paletteUnits,
            .vertices = slot * pool->outputWords + push->copy * pool->copyWords + part->place,
            .morphs = part->morphs == 0 ? 0 : part->morphs + slot * pool->morphWords,
        };
        memcpy(arrays->frame + part->instances + (size_t)entry * LAYOUT_INSTANCE_WORDS, &instance, sizeof instance);
    }
}

typedef struct DescribeTask {
    const CrowdArrays *arrays;
    const LayoutCrowdPush *push;
    const LayoutCrowdPool *pool;
} DescribeTask;

static void describeTask(void *data, uint32_t index) {
    const DescribeTask *task = data;
    const uint32_t count = task->arrays->frame[task->pool->counts + CROWD_SKINNED];
    const uint32_t last = (index + 1) * TASK_SLOTS;
    for (uint32_t i = index * TASK_SLOTS; i < last && i < count; i++) {
        describeSlot(task->arrays, task->push, task->pool, i);
    }
}

static void describeStage(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    for (uint32_t p = 0; p < head->poolCount; p++) {
        DescribeTask task = {arrays, push, sknCrowdPool(arrays->tables, p)};
        const uint32_t count = arrays->frame[task.pool->counts + CROWD_SKINNED];
        sknRunTasks(run->parallel, run->parallelUser, (count + TASK_SLOTS - 1) / TASK_SLOTS, describeTask, &task);
    }
}

/* ---- All ---- */

void sknCrowdLists(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    LayoutCrowdPush scan = *push;
    countStage(arrays, push, run);
    scan.pools = 0;
    scanStage(arrays, &scan);
    assignStage(arrays, push, run);
    scan.pools = 1;
    scanStage(arrays, &scan);
    scatterStage(arrays, push, run);
    finishStage(arrays, push);
}

void sknCrowdFromKeys(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    sknCrowdLists(arrays, push, run);
    describeStage(arrays, push, run);
}

/* ---- Culling ---- */

/* Characters of a task. */
#define TASK_CHARACTERS 4096u

void sknCrowdApply(const CrowdArrays *arrays, const LayoutCrowdPush *push) {
    memcpy(arrays->work + CROWD_WORK_PLANES, arrays->planes, CROWD_PLANE_WORDS * sizeof *arrays->work);
    *sknCrowdStats(arrays->work) = (LayoutCrowdStats){0};
    for (uint32_t i = 0; i < push->changes; i++) {
        const LayoutCrowdChange *change = &arrays->changes[i];
        crowdApply(&arrays->states[change->character], &arrays->colds[change->character], change, push->tick);
    }
}

/* level: available, not VKSKIN_CPU_AUTO. */
static CrowdLevel levelOf(VkskinCpuLevel level) {
#if defined(VKSKIN_HAS_AVX2)
    if (level == VKSKIN_CPU_AVX2) {
        return sknCrowdLevelAvx2;
    }
#endif
#if defined(VKSKIN_HAS_AVX512)
    if (level == VKSKIN_CPU_AVX512) {
        return sknCrowdLevelAvx512;
    }
#endif
    (void)level;
    return sknCrowdLevelPortable;
}

typedef struct CullTask {
    const CrowdArrays *arrays;
    const LayoutCrowdPush *push;
    CrowdLevel level;
    _Atomic uint32_t badClip, badModel, badPlace;
} CullTask;

static void cullTask(void *data, uint32_t index) {
    CullTask *task = data;
    const uint32_t first = index * TASK_CHARACTERS;
    const uint32_t left = sknCrowdHead(task->arrays->tables)->capacity - first;
    CrowdBad bad = {0};
    task->level.cull(task->arrays, task->push, first, first + (left < TASK_CHARACTERS ? left : TASK_CHARACTERS), &bad);
    atomic_fetch_add_explicit(&task->badClip, bad.clip, memory_order_relaxed);
    atomic_fetch_add_explicit(&task->badModel, bad.model, memory_order_relaxed);
    atomic_fetch_add_explicit(&task->badPlace, bad.place, memory_order_relaxed);
}

void sknCrowdCull(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    CullTask task = {.arrays = arrays, .push = push, .level = levelOf(run->level)};
    const uint32_t tasks = (sknCrowdHead(arrays->tables)->capacity + TASK_CHARACTERS - 1) / TASK_CHARACTERS;
    sknRunTasks(run->parallel, run->parallelUser, tasks, cullTask, &task);
    LayoutCrowdStats *stats = sknCrowdStats(arrays->work);
    stats->badClip = task.badClip;
    stats->badModel = task.badModel;
    stats->badPlace = task.badPlace;
}
