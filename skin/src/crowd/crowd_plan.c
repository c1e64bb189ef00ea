#include "crowd_plan.h"

#include <string.h>

#include "crowd/crowd_rules.h"

/* Alignment of arrays in a buffer, so that kernels may read vectors. */
#define WORD_ALIGNMENT 4u

#define ARGUMENT_WORDS 5u /* words of VkDrawIndexedIndirectCommand */
#define GROUP_WORDS    4u /* words of VkDispatchIndirectCommand, rounded up */

/* A buffer that is being laid out. */
typedef struct Cursor {
    uint64_t words;
} Cursor;

static uint32_t take(Cursor *cursor, uint64_t words) {
    uint64_t at = cursor->words;
    cursor->words += (words + WORD_ALIGNMENT - 1) / WORD_ALIGNMENT * WORD_ALIGNMENT;
    return (uint32_t)at; /* sizes are checked before an offset is used */
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* ---- Pools ---- */

/* Not 0: a level has parts, and a part has output. */
static uint64_t slotOutput(const CrowdNeeds *needs, const CrowdGroup *group) {
    uint64_t bytes = 0;
    for (uint32_t p = 0; p < group->partCount; p++) {
        bytes += group->parts[p].outputBytes;
    }
    return bytes > 0 ? bytes * needs->copies : 1;
}

static uint32_t mostVertices(const CrowdGroup *group) {
    uint32_t most = 1;
    for (uint32_t p = 0; p < group->partCount; p++) {
        for (uint32_t c = 0; c < group->parts[p].classCount; c++) {
            uint32_t vertices = group->parts[p].classes[c].vertexCount;
            most = vertices > most ? vertices : most;
        }
    }
    return most;
}

/* The most slots that a pool can have: its buffers can be bound, and the threads of a skinning pass counted in 32 bits. */
static uint64_t slotsOfPool(const CrowdNeeds *needs, const CrowdGroup *group) {
    uint64_t palette = (uint64_t)group->paletteBytes + 4 * (uint64_t)needs->scratchWords;
    uint64_t slots = least(group->slots, needs->range / slotOutput(needs, group));
    slots = least(slots, needs->range / palette);
    slots = least(slots, needs->paletteRange / group->paletteBytes);
    return least(slots, UINT32_MAX / 2 / mostVertices(group));
}

static VkskinResult refuse(const Host *host, const char *name, const char *what, uint64_t bytes, uint64_t range) {
    return sknReport(&host->logger, VKSKIN_ERROR_UNSUPPORTED_DEVICE, "crowd %s: %s: %llu bytes, the device binds %llu",
                     name, what, (unsigned long long)bytes, (unsigned long long)range);
}

static VkskinResult countPools(const Host *host, const char *name, const CrowdNeeds *needs, uint32_t *count) {
    *count = 0;
    for (uint32_t g = 0; g < needs->groupCount; g++) {
        const CrowdGroup *group = &needs->groups[g];
        uint64_t slots = slotsOfPool(needs, group);
        if (slots == 0) {
            uint64_t output = slotOutput(needs, group);
            uint64_t palette = group->paletteBytes + 4 * (uint64_t)needs->scratchWords;
            bool large = output > needs->range;
            return refuse(host, name, large ? "the output of a slot" : "the palette of a slot",
                          large ? output : palette, large ? needs->range : least(needs->range, needs->paletteRange));
        }
        *count += (uint32_t)((group->slots + slots - 1) / slots);
    }
    return VKSKIN_SUCCESS;
}

/* ---- Layout ---- */

/* What the plan is made from, and how far it is. */
typedef struct Layout {
    const CrowdNeeds *needs;
    CrowdPlan *plan;
    Cursor tables, values, work, frame; /* tables: the structure; values: what comes behind it */
    LayoutCrowdHead head;
    uint32_t draws, jobs;
} Layout;

static void *tableAt(const Layout *layout, uint32_t word) {
    return layout->plan->tables + word;
}

static uint32_t partsOf(const CrowdNeeds *needs) {
    uint32_t parts = 0;
    for (uint32_t g = 0; g < needs->groupCount; g++) {
        parts += needs->groups[g].partCount;
    }
    return parts;
}

/* Rows of the morph weights of a level. */
static uint32_t morphRows(const CrowdNeeds *needs, const CrowdMorphs *morphs) {
    return morphs->count > 0 ? morphs->clipRows[needs->clipCount] : 0;
}

static uint64_t morphTableWords(const CrowdNeeds *needs, const CrowdGroup *group) {
    const uint64_t rows = morphRows(needs, &group->morphs);
    return rows == 0 ? 0
                     : CROWD_MORPHS_WORDS + group->morphs.count + (uint64_t)needs->clipCount * CROWD_MORPH_CLIP_WORDS +
                           (uint64_t)group->partCount * CROWD_MORPH_PART_WORDS;
}

/* An upper bound of the words behind the structure. */
static uint64_t valueWords(const CrowdNeeds *needs) {
    uint64_t words = 4 * (uint64_t)WORD_ALIGNMENT * needs->groupCount;
    for (uint32_t g = 0; g < needs->groupCount; g++) {
        const CrowdGroup *group = &needs->groups[g];
        words += (uint64_t)needs->clipCount * CROWD_BOUNDS_WORDS + (uint64_t)group->skin.boneCount * CROWD_BIND_WORDS;
        words += (uint64_t)morphRows(needs, &group->morphs) * (1 + group->morphs.count);
    }
    return words;
}

/* An upper bound of the words of the structure. */
static uint64_t structureWords(const CrowdNeeds *needs, uint32_t poolCount) {
    uint64_t words = CROWD_HEAD_WORDS + WORD_ALIGNMENT;
    uint64_t rows = (uint64_t)poolCount * partsOf(needs);
    words += poolCount * (uint64_t)(CROWD_POOL_WORDS + WORD_ALIGNMENT);
    words += rows * (CROWD_VIEWS * CROWD_DRAW_WORDS + LAYOUT_CLASSES * CROWD_JOB_WORDS + CROWD_PART_WORDS);
    for (uint32_t g = 0; g < needs->groupCount; g++) {
        words += CROWD_MODEL_WORDS + CROWD_GROUP_WORDS;
        words += sknCrowdSkinWords(needs->nodes.count, needs->groups[g].skin.boneCount);
        words += morphTableWords(needs, &needs->groups[g]);
    }
    return words + 16 * (uint64_t)WORD_ALIGNMENT * (needs->groupCount + 1);
}

static uint32_t layOutSkin(Layout *layout, const CrowdSkin *skin) {
    const uint32_t at = take(&layout->tables, sknCrowdSkinWords(layout->needs->nodes.count, skin->boneCount));
    const uint32_t binds = take(&layout->values, (uint64_t)skin->boneCount * CROWD_BIND_WORDS);
    sknWriteCrowdSkin(skin, &layout->needs->nodes, layout->plan->tables, at, binds);
    return at;
}

/* Returns 0 without weights. */
static uint32_t layOutMorphs(Layout *layout, const CrowdGroup *group) {
    const CrowdMorphs *morphs = &group->morphs;
    const uint32_t clips = layout->needs->clipCount;
    const uint32_t rows = morphRows(layout->needs, morphs);
    if (rows == 0) {
        return 0;
    }
    const uint32_t at = take(&layout->tables, CROWD_MORPHS_WORDS);
    const LayoutCrowdMorphs head = {
        .count = morphs->count,
        .targets = take(&layout->tables, morphs->count),
        .clips = take(&layout->tables, (uint64_t)clips * CROWD_MORPH_CLIP_WORDS),
        .parts = take(&layout->tables, (uint64_t)group->partCount * CROWD_MORPH_PART_WORDS),
        .partCount = group->partCount,
    };
    const uint32_t phases = take(&layout->values, rows);
    const uint32_t weights = take(&layout->values, (uint64_t)rows * morphs->count);
    memcpy(tableAt(layout, at), &head, sizeof head);
    memcpy(tableAt(layout, head.targets), morphs->targets, morphs->count * sizeof *morphs->targets);
    memcpy(tableAt(layout, head.parts), morphs->parts, group->partCount * sizeof *morphs->parts);
    memcpy(tableAt(layout, phases), morphs->phases, rows * sizeof *morphs->phases);
    memcpy(tableAt(layout, weights), morphs->weights, (size_t)rows * morphs->count * sizeof *morphs->weights);
    for (uint32_t c = 0; c < clips; c++) {
        const LayoutCrowdMorphClip clip = {.rowCount = morphs->clipRows[c + 1] - morphs->clipRows[c],
                                           .phases = phases + morphs->clipRows[c],
                                           .weights = weights + morphs->clipRows[c] * morphs->count};
        memcpy(tableAt(layout, head.clips + c * CROWD_MORPH_CLIP_WORDS), &clip, sizeof clip);
    }
    return at;
}

static void layOutModel(Layout *layout, const CrowdGroup *group, uint32_t firstGroup) {
    const uint32_t clips = layout->needs->clipCount;
    const LayoutCrowdModel made = {
        .boundsAt = take(&layout->values, (uint64_t)clips * CROWD_BOUNDS_WORDS),
        .firstGroup = firstGroup,
        .levelCount = group->coarser + 1,
    };
    memcpy(tableAt(layout, made.boundsAt), group->bounds, clips * sizeof *group->bounds);
    memcpy(tableAt(layout, layout->head.modelsAt + group->model * CROWD_MODEL_WORDS), &made, sizeof made);
    layout->head.modelCount++;
}

static void layOutGroup(Layout *layout, uint32_t index, uint32_t firstPool) {
    const CrowdGroup *group = &layout->needs->groups[index];
    const uint32_t poolSlots = (uint32_t)slotsOfPool(layout->needs, group);
    const LayoutCrowdGroup made = {
        .model = group->model,
        .firstGroup = index - group->level,
        .level = group->level,
        .coarser = group->coarser,
        .error = crowdFloatBits(group->error * group->error),
        .interval = group->interval,
        .vertices = group->vertices,
        .rankAt = layout->head.rankColumns,
        .ring = take(&layout->work, CROWD_RING_SLOTS + (uint64_t)group->slots),
        .slots = group->slots,
        .firstPool = firstPool,
        .poolSlots = poolSlots,
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): countPools refused that */
        .poolCount = (group->slots + poolSlots - 1) / poolSlots,
        .skinAt = layOutSkin(layout, &group->skin),
        .morphsAt = layOutMorphs(layout, group),
    };
    layout->head.rankColumns += CROWD_RANKS_OF(group->coarser);
    memcpy(tableAt(layout, layout->head.groupsAt + index * CROWD_GROUP_WORDS), &made, sizeof made);
    if (group->level == 0) {
        layOutModel(layout, group, index);
    }
    for (uint32_t p = 0; p < made.poolCount; p++) {
        CrowdPoolPlan *pool = &layout->plan->pools[firstPool + p];
        const uint32_t left = group->slots - p * poolSlots;
        *pool = (CrowdPoolPlan){
            .group = index, .slots = left < poolSlots ? left : poolSlots, .firstSlot = layout->head.slotCount};
        const uint64_t palettes = least(pool->slots, layout->needs->paletteSlots);
        pool->paletteBytes = palettes * group->paletteBytes;
        pool->scratchBytes = palettes * layout->needs->scratchWords * 4;
        pool->outputBytes = pool->slots * slotOutput(layout->needs, group);
        layout->head.slotCount += pool->slots;
    }
}

static void layOutJobs(Layout *layout, uint32_t pool, const CrowdPart *part) {
    for (uint32_t c = 0; c < part->classCount; c++) {
        const LayoutCrowdJob job = {
            .pool = pool,
            .job = take(&layout->frame, LAYOUT_JOB_WORDS),
            .groups = take(&layout->frame, GROUP_WORDS),
            .vertexClass = part->classes[c].head,
            .vertexCount = part->classes[c].vertexCount,
        };
        memcpy(tableAt(layout, layout->head.jobsAt + layout->head.jobCount++ * CROWD_JOB_WORDS), &job, sizeof job);
    }
}

static void layOutDraws(Layout *layout, uint32_t view, uint32_t pool) {
    const CrowdGroup *group = &layout->needs->groups[layout->plan->pools[pool].group];
    for (uint32_t p = 0; p < group->partCount; p++) {
        const CrowdPart *part = &group->parts[p];
        const uint32_t index = layout->head.drawCount++;
        layout->head.viewDraws += view == 0;
        const LayoutCrowdDraw draw = {
            .pool = pool,
            .view = view,
            .part = p,
            .arguments = index * ARGUMENT_WORDS,
            .indexCount = part->indexCount,
            .firstIndex = part->firstIndex,
            .vertexOffset = part->vertexOffset,
        };
        memcpy(tableAt(layout, layout->head.drawsAt + index * CROWD_DRAW_WORDS), &draw, sizeof draw);
    }
}

/* The arguments come first in the frame (see CrowdPlan.drawWords), those of a view one after the other without gaps. */
static void layOutViews(Layout *layout) {
    for (uint32_t view = 0; view < layout->needs->views; view++) {
        for (uint32_t p = 0; p < layout->plan->poolCount; p++) {
            layOutDraws(layout, view, p);
        }
    }
    take(&layout->frame, (uint64_t)layout->head.drawCount * ARGUMENT_WORDS);
}

static void layOutPool(Layout *layout, uint32_t index) {
    const CrowdPoolPlan *pool = &layout->plan->pools[index];
    const CrowdGroup *group = &layout->needs->groups[pool->group];
    LayoutCrowdPool made = {
        .group = pool->group,
        .firstSlot = pool->firstSlot,
        .slots = pool->slots,
        .counts = take(&layout->frame, CROWD_POOL_COLUMNS),
        .lists = take(&layout->frame, (uint64_t)pool->slots * layout->needs->views),
        .skinned = take(&layout->frame, pool->slots),
        .characters = take(&layout->frame, pool->slots),
        .refreshed = take(&layout->frame, pool->slots),
        .entries = take(&layout->frame, pool->slots),
        .olds = take(&layout->frame, pool->slots),
        .records = take(&layout->frame, (uint64_t)pool->slots * CROWD_SLOT_WORDS),
        .poses = take(&layout->frame, (uint64_t)pool->slots * CROWD_POSE_WORDS),
        .poseGroups = take(&layout->frame, GROUP_WORDS),
        .paletteUnits = group->paletteBytes / 16,
        .partCount = group->partCount,
        .partsAt = take(&layout->tables, (uint64_t)group->partCount * CROWD_PART_WORDS),
        .morphWords = sknCrowdMorphWords(&group->morphs, group->partCount),
        .outputWords = (uint32_t)(slotOutput(layout->needs, group) / 4),
        .copyWords = (uint32_t)(slotOutput(layout->needs, group) / layout->needs->copies / 4),
    };
    made.morphs = take(&layout->frame, (uint64_t)pool->slots * made.morphWords);
    memcpy(tableAt(layout, layout->head.poolsAt + index * CROWD_POOL_WORDS), &made, sizeof made);
    layout->plan->morphBytes += (uint64_t)pool->slots * made.morphWords * 4;
    uint32_t place = 0;
    uint32_t morphs = made.morphs;
    for (uint32_t p = 0; p < group->partCount; p++) {
        const LayoutCrowdPart part = {
            .instances = take(&layout->frame, (uint64_t)pool->slots * LAYOUT_INSTANCE_WORDS),
            .place = place,
            .morphs = group->morphs.count > 0 && group->morphs.parts[p].count > 0 ? morphs : 0,
            .mask = group->parts[p].mask,
            .lists = group->parts[p].mask == 0 ? made.lists
                                               : take(&layout->frame, (uint64_t)pool->slots * layout->needs->views),
            .counts = group->parts[p].mask == 0 ? made.counts : take(&layout->frame, CROWD_POOL_COLUMNS),
            .firstJob = layout->head.jobCount,
            .jobCount = group->parts[p].classCount,
        };
        morphs += part.morphs != 0 ? (1 + group->morphs.parts[p].count) * LAYOUT_MORPH_WEIGHT_WORDS : 0;
        memcpy(tableAt(layout, made.partsAt + p * CROWD_PART_WORDS), &part, sizeof part);
        place += group->parts[p].outputBytes / 4;
        layOutJobs(layout, index, &group->parts[p]);
    }
}

static void layOutWork(Layout *layout) {
    LayoutCrowdHead *head = &layout->head;
    const uint64_t grantColumns = (uint64_t)head->groupCount * CROWD_GRANT_COLUMNS;
    const uint64_t poolColumns = (uint64_t)head->poolCount * head->poolColumns;
    uint64_t most = grantColumns > poolColumns ? grantColumns : poolColumns;
    most = head->rankColumns > most ? head->rankColumns : most;
    head->grants = take(&layout->work, (uint64_t)head->groupCount * CROWD_GRANT_WORDS);
    head->totals = take(&layout->work, grantColumns + poolColumns);
    head->keys = take(&layout->work, head->capacity);
    head->residents = take(&layout->work, head->capacity);
    head->counts = take(&layout->work, most * head->blocks);
    head->ranks = take(&layout->work, most * head->blocks);
}

static void layOut(Layout *layout) {
    const CrowdNeeds *needs = layout->needs;
    LayoutCrowdHead *head = &layout->head;
    CrowdPlan *plan = layout->plan;
    const uint32_t rows = plan->poolCount * partsOf(needs);
    take(&layout->tables, CROWD_HEAD_WORDS);
    *head = (LayoutCrowdHead){
        .capacity = needs->capacity,
        .blocks = (needs->capacity + CROWD_BLOCK - 1) / CROWD_BLOCK,
        .clipCount = needs->clipCount,
        .modelsAt = take(&layout->tables, (uint64_t)needs->groupCount * CROWD_MODEL_WORDS),
        .groupCount = needs->groupCount,
        .groupsAt = take(&layout->tables, (uint64_t)needs->groupCount * CROWD_GROUP_WORDS),
        .poolColumns = CROWD_FIRST_VIEW + needs->views,
        .poolCount = plan->poolCount,
        .poolsAt = take(&layout->tables, (uint64_t)plan->poolCount * CROWD_POOL_WORDS),
        .drawsAt = take(&layout->tables, (uint64_t)rows * CROWD_VIEWS * CROWD_DRAW_WORDS),
        .jobsAt = take(&layout->tables, (uint64_t)rows * LAYOUT_CLASSES * CROWD_JOB_WORDS),
        .groupSize = needs->groupSize,
        .groupInstances = needs->groupInstances,
        .copies = needs->copies,
        .poseSlots = needs->poseSlots,
    };
    take(&layout->work, CROWD_WORK_WORDS + (uint64_t)needs->groupCount * CROWD_HIST_WORDS);
    uint32_t firstPool = 0;
    for (uint32_t g = 0; g < needs->groupCount; g++) {
        layOutGroup(layout, g, firstPool);
        const LayoutCrowdGroup *made = tableAt(layout, head->groupsAt + g * CROWD_GROUP_WORDS);
        firstPool += made->poolCount;
    }
    layOutViews(layout);
    plan->drawWords = (uint32_t)layout->frame.words;
    for (uint32_t p = 0; p < plan->poolCount; p++) {
        layOutPool(layout, p);
    }
    layOutWork(layout);
    memcpy(plan->tables, head, sizeof *head);
    plan->structureWords = (uint32_t)layout->tables.words;
    plan->tableWords = (uint32_t)layout->values.words;
    plan->workWords = layout->work.words;
    plan->frameWords = layout->frame.words;
}

static VkskinResult checkArrays(const Host *host, const char *name, const CrowdNeeds *needs, const CrowdPlan *plan) {
    const struct {
        const char *what;
        uint64_t bytes;
    } arrays[] = {
        {"the states of all characters", (uint64_t)needs->capacity * sizeof(LayoutCrowdState)},
        {"keys and counters of all characters", plan->workWords * 4},
        {"lists and records of all slots", plan->frameWords * 4},
        {"the tables", (uint64_t)plan->tableWords * 4},
    };
    for (size_t i = 0; i < SKN_COUNT(arrays); i++) {
        if (arrays[i].bytes > needs->range) {
            return refuse(host, name, arrays[i].what, arrays[i].bytes, needs->range);
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknPlanCrowd(const Host *host, const char *name, const CrowdNeeds *needs, CrowdPlan *plan) {
    *plan = (CrowdPlan){.arena = sknMakeArena(host->allocator)};
    VkskinResult result = countPools(host, name, needs, &plan->poolCount);
    const uint64_t structure = result >= 0 ? structureWords(needs, plan->poolCount) : 0;
    const uint64_t words = structure + valueWords(needs);
    if (words > UINT32_MAX) { /* offsets in the tables have 32 bits */
        result = refuse(host, name, "the tables", words * 4, needs->range);
    }
    if (result >= 0) {
        plan->pools = sknArenaArray(&plan->arena, plan->poolCount, sizeof *plan->pools);
        plan->tables = sknArenaArray(&plan->arena, (size_t)words, sizeof *plan->tables);
        if (plan->arena.failed) {
            result = sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "crowd %s: no memory for %u pools", name,
                               plan->poolCount);
        }
    }
    if (result >= 0) {
        Layout layout = {.needs = needs, .plan = plan, .values = {structure}};
        layOut(&layout);
        result = checkArrays(host, name, needs, plan);
    }
    if (result < 0) {
        sknFreeCrowdPlan(plan);
    }
    return result;
}

void sknFreeCrowdPlan(CrowdPlan *plan) {
    sknFreeArena(&plan->arena);
    *plan = (CrowdPlan){0};
}
