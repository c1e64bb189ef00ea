#include "crowd_stages.h"

#include <stdatomic.h>
#include <string.h>

#include "crowd/crowd_grant.h"
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

static uint32_t *hist(const CrowdArrays *arrays, uint32_t group) {
    return arrays->work + CROWD_WORK_HISTS + (size_t)group * CROWD_HIST_WORDS;
}

static LayoutCrowdGrant *grantOf(const CrowdArrays *arrays, uint32_t group) {
    return (LayoutCrowdGrant *)(arrays->work + sknCrowdHead(arrays->tables)->grants) + group;
}

static uint32_t groupOf(uint32_t resident) {
    return resident >> CROWD_RESIDENT_SHIFT & CROWD_RESIDENT_GROUP;
}

/* What a character needs of the slots. */
typedef struct Need {
    bool leaves;         /* the slot is free from the next frame on */
    bool holds;          /* it has a slot, and may keep it */
    bool wants;          /* it needs a slot of `group` */
    uint32_t old, group; /* groups of the slot that it has, and that it wishes */
    uint32_t grade;      /* class of its size and priority */
} Need;

static Need needOf(const Walk *walk, uint32_t character) {
    const uint32_t key = walk->keys[character];
    const uint32_t resident = walk->residents[character];
    const bool seen = (key & CROWD_KEY_VIEWS) != 0;
    const bool has = (resident & CROWD_RESIDENT_SLOT) != 0 && (resident & CROWD_RESIDENT_YIELDED) == 0;
    Need need = {
        .old = groupOf(resident),
        .group = key >> CROWD_KEY_GROUP_SHIFT,
        .grade = key >> CROWD_KEY_CLASS_SHIFT & (CROWD_CLASSES - 1),
    };
    if (has && seen) {
        const LayoutCrowdGroup *group = sknCrowdGroup(walk->arrays->tables, need.group);
        need.holds = need.old - group->firstGroup <= group->level + group->coarser;
    }
    need.leaves = has && !need.holds;
    need.wants = seen && !(need.holds && need.old == need.group);
    return need;
}

/* The group of the slot that a character gets. */
static uint32_t givenOf(const Need *need, uint32_t key) {
    return need->group + ((key & CROWD_KEY_SPILL) >> CROWD_KEY_SPILL_SHIFT);
}

/* Sums do not depend on the order. */
static void add(const Walk *walk, uint32_t group, uint32_t word) {
    atomic_fetch_add_explicit((_Atomic uint32_t *)(void *)&hist(walk->arrays, group)[word], 1, memory_order_relaxed);
}

static void countBlock(const Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count) {
    (void)block;
    for (uint32_t i = 0; i < count; i++) {
        const Need need = needOf(walk, busy[i]);
        if (need.leaves) {
            add(walk, need.old, CROWD_HIST_LEAVING);
        }
        if (need.holds) {
            add(walk, need.old, CROWD_HIST_HOLDERS + need.grade);
        }
        if (need.wants) {
            add(walk, need.group, (need.holds ? CROWD_HIST_CHANGERS : CROWD_HIST_NEWCOMERS) + need.grade);
        }
        if ((walk->keys[busy[i]] & CROWD_KEY_VIEWS) != 0) {
            add(walk, need.group, CROWD_HIST_WISHES);
        }
    }
}

/* Returns whether ranks are needed. */
static bool grantStage(const CrowdArrays *arrays) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    uint32_t scratch[CROWD_GRANT_SCRATCH];
    bool ranked = false;
    for (uint32_t g = 0; g < head->groupCount; g++) {
        const LayoutCrowdGroup *group = sknCrowdGroup(arrays->tables, g);
        const uint32_t used = arrays->work[group->ring + CROWD_RING_USED];
        if (group->level == 0) {
            memset(scratch, 0, sizeof scratch);
        }
        memcpy(scratch, hist(arrays, g), CROWD_HIST_WORDS * sizeof *scratch);
        crowdGrantLevel(scratch, group->slots - used, group->coarser == 0, grantOf(arrays, g));
        ranked = ranked || grantOf(arrays, g)->ranked != 0;
    }
    return ranked;
}

/* ---- Ranks, in the classes in which slots run out ---- */

/* The newcomer's column of ranks: that of the first level that cuts its class. CROWD_LEVELS: it needs none. */
static uint32_t cutOf(const Walk *walk, const LayoutCrowdGroup *group, const Need *need) {
    for (uint32_t level = 0; level <= group->coarser; level++) {
        const uint32_t above = grantOf(walk->arrays, need->group + level)->above;
        if (need->grade >= above) {
            return CROWD_LEVELS;
        }
        if (need->grade + 1 == above) {
            return level;
        }
    }
    return CROWD_LEVELS;
}

static void rankBlock(const Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count) {
    const uint32_t *tables = walk->arrays->tables;
    clearColumns(walk, walk->head->rankColumns, block);
    for (uint32_t i = 0; i < count; i++) {
        const Need need = needOf(walk, busy[i]);
        if (need.holds && need.grade == grantOf(walk->arrays, need.old)->yieldBelow) {
            const LayoutCrowdGroup *group = sknCrowdGroup(tables, need.old);
            ++*cell(walk->counts, walk, group->rankAt + group->coarser + 2, block);
        }
        if (need.wants) {
            const LayoutCrowdGroup *group = sknCrowdGroup(tables, need.group);
            const uint32_t cut = need.holds ? group->coarser + 1 : cutOf(walk, group, &need);
            if (need.holds ? need.grade + 1 == grantOf(walk->arrays, need.group)->above : cut < CROWD_LEVELS) {
                ++*cell(walk->counts, walk, group->rankAt + cut, block);
            }
        }
    }
}

static uint32_t takeRank(const Walk *walk, uint32_t column, uint32_t block) {
    return (*cell(walk->ranks, walk, column, block))++;
}

/* ---- Who gets what ---- */

/* The level, counted from that of its wish, that gives a newcomer a slot. CROWD_LEVELS: none. */
static uint32_t levelFor(const Walk *walk, const LayoutCrowdGroup *group, const Need *need, uint32_t block) {
    const uint32_t cut = cutOf(walk, group, need);
    const uint32_t rank = cut < CROWD_LEVELS ? takeRank(walk, group->rankAt + cut, block) : 0;
    uint32_t before = 0;
    for (uint32_t level = 0; level <= group->coarser; level++) {
        const LayoutCrowdGrant *grant = grantOf(walk->arrays, need->group + level);
        const uint32_t take = (&grant->take0)[level]; /* four in a row */
        if (crowdGets(grant->above, take, before, need->grade, rank)) {
            return level;
        }
        before += need->grade + 1 == grant->above ? take : 0;
    }
    return CROWD_LEVELS;
}

/* Whether a character may change to the level that it wishes. */
static bool mayChange(const Walk *walk, const LayoutCrowdGroup *group, const Need *need, uint32_t block) {
    const LayoutCrowdGrant *grant = grantOf(walk->arrays, need->group);
    const uint32_t rank =
        need->grade + 1 == grant->above ? takeRank(walk, group->rankAt + group->coarser + 1, block) : 0;
    return crowdGets(grant->above, grant->takeChangers, 0, need->grade, rank);
}

static bool yieldsSlot(const Walk *walk, const Need *need, uint32_t block) {
    const LayoutCrowdGrant *grant = grantOf(walk->arrays, need->old);
    if (need->grade != grant->yieldBelow) {
        return need->grade < grant->yieldBelow;
    }
    const LayoutCrowdGroup *group = sknCrowdGroup(walk->arrays->tables, need->old);
    return takeRank(walk, group->rankAt + group->coarser + 2, block) >= grant->keep;
}

/* Returns the key with what is decided. */
static uint32_t decide(const Walk *walk, const Need *need, uint32_t key, uint32_t block) {
    const bool yields = need->holds && yieldsSlot(walk, need, block);
    if (need->wants) {
        const LayoutCrowdGroup *group = sknCrowdGroup(walk->arrays->tables, need->group);
        const uint32_t change = need->holds && mayChange(walk, group, need, block) ? 0 : CROWD_LEVELS;
        const uint32_t level = need->holds ? change : levelFor(walk, group, need, block);
        if (level < CROWD_LEVELS) {
            return key | level << CROWD_KEY_SPILL_SHIFT | CROWD_KEY_NEW;
        }
    }
    return yields ? key | CROWD_KEY_YIELDS : key;
}

static void decideBlock(const Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count) {
    clearColumns(walk, walk->head->groupCount * CROWD_GRANT_COLUMNS, block);
    for (uint32_t i = 0; i < count; i++) {
        const Need need = needOf(walk, busy[i]);
        const uint32_t key = decide(walk, &need, walk->keys[busy[i]], block);
        const bool given = (key & CROWD_KEY_NEW) != 0;
        walk->keys[busy[i]] = key;
        if (given) {
            ++*cell(walk->counts, walk, givenOf(&need, key) * CROWD_GRANT_COLUMNS + CROWD_GRANTED, block);
        }
        if (need.leaves || (need.holds && given) || (key & CROWD_KEY_YIELDS) != 0) {
            ++*cell(walk->counts, walk, need.old * CROWD_GRANT_COLUMNS + CROWD_FREED, block);
        }
    }
}

/* columns: CROWD_SCAN_ */
static void scanStage(const CrowdArrays *arrays, uint32_t which) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const uint32_t grantColumns = head->groupCount * CROWD_GRANT_COLUMNS;
    const uint32_t columns = which == CROWD_SCAN_RANKS    ? head->rankColumns
                             : which == CROWD_SCAN_GRANTS ? grantColumns
                                                          : head->poolCount * head->poolColumns;
    uint32_t *totals = arrays->work + head->totals + (which == CROWD_SCAN_POOLS ? grantColumns : 0);
    for (uint32_t column = 0; column < columns; column++) {
        const uint32_t *counts = arrays->work + head->counts + (size_t)column * head->blocks;
        uint32_t *ranks = arrays->work + head->ranks + (size_t)column * head->blocks;
        uint32_t sum = 0;
        for (uint32_t b = 0; b < head->blocks; b++) {
            ranks[b] = sum;
            sum += counts[b];
        }
        if (which != CROWD_SCAN_RANKS) {
            totals[column] = sum;
        }
    }
}

/* ---- Taking and giving ---- */

/* The pool of a slot, and the slot counted from its first one. */
static uint32_t poolOf(const CrowdArrays *arrays, uint32_t resident, uint32_t *slot) {
    const LayoutCrowdGroup *group = sknCrowdGroup(arrays->tables, groupOf(resident));
    const uint32_t index = (resident & CROWD_RESIDENT_SLOT) - 1;
    *slot = index % group->poolSlots;
    return group->firstPool + index / group->poolSlots;
}

/* Takes a slot from the head of the ring. Returns the new resident word. */
static uint32_t takeSlot(const Walk *walk, uint32_t index, uint32_t block) {
    const LayoutCrowdGroup *group = sknCrowdGroup(walk->arrays->tables, index);
    const uint32_t *ring = walk->arrays->work + group->ring;
    const uint32_t rank = takeRank(walk, index * CROWD_GRANT_COLUMNS + CROWD_GRANTED, block);
    const uint32_t place = (ring[CROWD_RING_HEAD] + rank) % group->slots;
    const uint32_t entry = ring[CROWD_RING_SLOTS + place];
    return index << CROWD_RESIDENT_SHIFT | ((entry == 0 ? place : entry - 1) + 1);
}

/* Puts a slot behind the tail of the ring: the two never meet in one frame. */
static void freeSlot(const Walk *walk, uint32_t index, uint32_t resident, uint32_t block) {
    const LayoutCrowdGroup *group = sknCrowdGroup(walk->arrays->tables, index);
    uint32_t *ring = walk->arrays->work + group->ring;
    const uint32_t rank = takeRank(walk, index * CROWD_GRANT_COLUMNS + CROWD_FREED, block);
    const uint32_t place = (ring[CROWD_RING_HEAD] + group->slots - ring[CROWD_RING_USED] + rank) % group->slots;
    ring[CROWD_RING_SLOTS + place] = resident & CROWD_RESIDENT_SLOT;
}

/* Returns the resident word of a character in this frame; 0: it has no slot. */
static uint32_t assign(const Walk *walk, uint32_t character, uint32_t block) {
    const uint32_t key = walk->keys[character];
    const uint32_t resident = walk->residents[character];
    const Need need = needOf(walk, character);
    const bool given = (key & CROWD_KEY_NEW) != 0;
    const bool yields = (key & CROWD_KEY_YIELDS) != 0;
    if (need.leaves || (need.holds && (given || yields))) {
        freeSlot(walk, need.old, resident, block);
    }
    if (given) {
        uint32_t slot;
        const uint32_t made = takeSlot(walk, givenOf(&need, key), block);
        const LayoutCrowdPool *pool = sknCrowdPool(walk->arrays->tables, poolOf(walk->arrays, made, &slot));
        walk->arrays->frame[pool->olds + slot] = need.holds ? resident : 0;
        return made;
    }
    return !need.holds ? 0 : yields ? resident | CROWD_RESIDENT_YIELDED : resident;
}

/* Whether the slot of a character is posed and skinned in this frame. */
static bool isRefreshed(const Walk *walk, uint32_t character) {
    const uint32_t interval = sknCrowdGroup(walk->arrays->tables, groupOf(walk->residents[character]))->interval;
    return (walk->keys[character] & CROWD_KEY_REFRESHES) != 0 ||
           ((walk->push->number + character) & (interval - 1)) == 0;
}

static void assignBlock(const Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count) {
    const uint32_t views = walk->head->poolColumns - CROWD_FIRST_VIEW;
    clearColumns(walk, walk->head->poolCount * walk->head->poolColumns, block);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t c = busy[i];
        walk->residents[c] = assign(walk, c, block);
        if (walk->residents[c] == 0) {
            continue;
        }
        uint32_t slot;
        const uint32_t column = poolOf(walk->arrays, walk->residents[c], &slot) * walk->head->poolColumns;
        ++*cell(walk->counts, walk, column + CROWD_SKINNED, block);
        *cell(walk->counts, walk, column + CROWD_REFRESHED, block) += isRefreshed(walk, c);
        for (uint32_t view = 0; view < views; view++) {
            *cell(walk->counts, walk, column + CROWD_FIRST_VIEW + view, block) += walk->keys[c] >> view & 1u;
        }
    }
}

/* ---- Lists ---- */

static uint32_t flagsOf(uint32_t key, uint32_t resident, bool refreshed) {
    return ((key & CROWD_KEY_NEW) != 0 ? CROWD_SKINNED_NEW : 0u) |
           ((key & CROWD_KEY_TELEPORTED) != 0 ? CROWD_SKINNED_TELEPORTED : 0u) |
           ((key & CROWD_KEY_PARTED) != 0 ? CROWD_SKINNED_PARTED : 0u) |
           ((resident & CROWD_RESIDENT_YIELDED) != 0 ? CROWD_SKINNED_YIELDED : 0u) |
           (refreshed ? CROWD_SKINNED_REFRESHED : 0u);
}

static void scatterBlock(const Walk *walk, uint32_t block, const uint32_t *busy, uint32_t count) {
    const uint32_t views = walk->head->poolColumns - CROWD_FIRST_VIEW;
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
        const uint32_t column = index * walk->head->poolColumns;
        const uint32_t rank = takeRank(walk, column + CROWD_SKINNED, block);
        const bool refreshed = isRefreshed(walk, c);
        frame[pool->skinned + rank] = slot;
        frame[pool->characters + rank] = c | flagsOf(key, walk->residents[c], refreshed);
        frame[pool->entries + rank] = 0;
        if (refreshed) {
            const uint32_t place = takeRank(walk, column + CROWD_REFRESHED, block);
            frame[pool->entries + rank] = place;
            frame[pool->refreshed + place] = slot;
        }
        for (uint32_t view = 0; view < views; view++) {
            if ((key >> view & 1u) != 0) {
                const uint32_t place = takeRank(walk, column + CROWD_FIRST_VIEW + view, block);
                frame[pool->lists + view * pool->slots + place] = slot;
            }
        }
    }
}

/* ---- Arguments ---- */

static void finishGroup(const CrowdArrays *arrays, uint32_t index, LayoutCrowdStats *stats) {
    const LayoutCrowdGroup *group = sknCrowdGroup(arrays->tables, index);
    const uint32_t *totals = arrays->work + sknCrowdHead(arrays->tables)->totals + (size_t)index * CROWD_GRANT_COLUMNS;
    uint32_t *ring = arrays->work + group->ring;
    ring[CROWD_RING_HEAD] = (ring[CROWD_RING_HEAD] + totals[CROWD_GRANTED]) % group->slots;
    ring[CROWD_RING_USED] += totals[CROWD_GRANTED] - totals[CROWD_FREED];
    stats->refused += grantOf(arrays, index)->refused;
}

static void finishPool(const CrowdArrays *arrays, uint32_t index, LayoutCrowdStats *stats) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const LayoutCrowdPool *pool = sknCrowdPool(arrays->tables, index);
    const LayoutCrowdGroup *group = sknCrowdGroup(arrays->tables, pool->group);
    const uint32_t *totals = arrays->work + head->totals + (size_t)head->groupCount * CROWD_GRANT_COLUMNS +
                             (size_t)index * head->poolColumns;
    memcpy(arrays->frame + pool->counts, totals, head->poolColumns * sizeof *totals);
    sknWriteGroups(arrays->frame + pool->poseGroups, (totals[CROWD_REFRESHED] + head->poseSlots - 1) / head->poseSlots);
    uint32_t *words = (uint32_t *)stats;
    stats->skinned += totals[CROWD_SKINNED];
    for (uint32_t column = CROWD_FIRST_VIEW; column < head->poolColumns; column++) {
        words[CROWD_STATS_DRAWN + column - CROWD_FIRST_VIEW] += totals[column];
    }
    const uint64_t vertices =
        ((uint64_t)words[CROWD_STATS_HIGH + group->level] << 32 | words[CROWD_STATS_LOW + group->level]) +
        (uint64_t)totals[CROWD_REFRESHED] * group->vertices;
    words[CROWD_STATS_SLOTS + group->level] += totals[CROWD_SKINNED];
    words[CROWD_STATS_UPDATED + group->level] += totals[CROWD_REFRESHED];
    words[CROWD_STATS_LOW + group->level] = (uint32_t)vertices;
    words[CROWD_STATS_HIGH + group->level] = (uint32_t)(vertices >> 32);
}

/* The budget of the next frame. */
static void finishBudget(const CrowdArrays *arrays, const LayoutCrowdPush *push, LayoutCrowdStats *stats) {
    LayoutCrowdBudget *budget = (LayoutCrowdBudget *)(arrays->work + CROWD_WORK_BUDGET);
    float maxPixels;
    uint32_t demand = 0;
    memcpy(&maxPixels, &push->maxPixels, sizeof maxPixels);
    stats->maxPixels = crowdFloatBits(crowdGrown(maxPixels, budget->growth));
    for (uint32_t g = 0; g < sknCrowdHead(arrays->tables)->groupCount; g++) {
        const LayoutCrowdGroup *group = sknCrowdGroup(arrays->tables, g);
        demand = crowdDemand(demand, hist(arrays, g)[CROWD_HIST_WISHES], group->vertices, group->interval);
    }
    crowdBudget(budget, demand, push->budget);
}

static void finishStage(const CrowdArrays *arrays, const LayoutCrowdPush *push) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    LayoutCrowdStats *stats = sknCrowdStats(arrays->work);
    finishBudget(arrays, push, stats);
    for (uint32_t g = 0; g < head->groupCount; g++) {
        finishGroup(arrays, g, stats);
    }
    for (uint32_t p = 0; p < head->poolCount; p++) {
        finishPool(arrays, p, stats);
    }
}

/* ---- Skinned slots ---- */

/* The record of the slot that the character had in the last frame. *changed: set if that was one of another level. */
static LayoutCrowdSlot lastRecord(const CrowdArrays *arrays, const LayoutCrowdPool *pool, uint32_t slot, uint32_t who,
                                  bool *changed) {
    const uint32_t old = (who & CROWD_SKINNED_NEW) != 0 ? arrays->frame[pool->olds + slot] : 0;
    LayoutCrowdSlot last;
    *changed = old != 0;
    if (old != 0) {
        pool = sknCrowdPool(arrays->tables, poolOf(arrays, old, &slot));
    }
    memcpy(&last, arrays->lastFrame + pool->records + (size_t)slot * CROWD_SLOT_WORDS, sizeof last);
    return last;
}

/* The copy of the output that a slot has. */
static uint32_t copyOf(const CrowdArrays *arrays, const LayoutCrowdPool *pool, uint32_t slot) {
    const LayoutCrowdSlot *records = (const LayoutCrowdSlot *)(const void *)(arrays->lastFrame + pool->records);
    return arrays->copies != NULL ? arrays->copies[pool->firstSlot + slot] : records[slot].copies & 0xffu;
}

static LayoutCrowdSlot recordOf(const CrowdArrays *arrays, const LayoutCrowdPool *pool, uint32_t slot, uint32_t who) {
    const uint32_t character = who & CROWD_SKINNED_CHARACTER;
    const uint32_t lastCopy = copyOf(arrays, pool, slot);
    const bool refreshed = (who & CROWD_SKINNED_REFRESHED) != 0;
    const uint32_t copy = (lastCopy + refreshed) % sknCrowdHead(arrays->tables)->copies;
    const bool jumped = (who & CROWD_SKINNED_JUMPS) != 0;
    bool changed;
    const LayoutCrowdSlot last = lastRecord(arrays, pool, slot, who, &changed);
    const bool fresh = (who & CROWD_SKINNED_NEW) != 0 && !changed;
    const bool still = fresh || (who & CROWD_SKINNED_TELEPORTED) != 0;
    LayoutCrowdSlot record;
    memcpy(&record, &arrays->states[character], sizeof(VkskinAffine));
    memcpy((uint32_t *)&record + sizeof(VkskinAffine) / 4,
           still ? (const void *)&arrays->states[character] : (const void *)&last, sizeof(VkskinAffine));
    record.variation = arrays->colds[character].variation;
    record.character = character;
    record.copies = copy | (jumped ? copy : lastCopy) << 8;
    record.generation = arrays->colds[character].generation;
    if (arrays->copies != NULL) {
        arrays->copies[pool->firstSlot + slot] = copy;
    }
    return record;
}

static void describeSlot(const CrowdArrays *arrays, const LayoutCrowdPush *push, const LayoutCrowdPool *pool,
                         uint32_t entry) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const uint32_t slot = arrays->frame[pool->skinned + entry];
    const uint32_t who = arrays->frame[pool->characters + entry];
    const uint32_t character = who & CROWD_SKINNED_CHARACTER;
    const LayoutCrowdSlot record = recordOf(arrays, pool, slot, who);
    memcpy(arrays->frame + pool->records + (size_t)slot * CROWD_SLOT_WORDS, &record, sizeof record);
    if ((who & CROWD_SKINNED_REFRESHED) == 0) {
        return;
    }
    const LayoutCrowdPose pose =
        crowdPoseOf(&arrays->states[character], &arrays->colds[character], head->clipCount, push->tick);
    memcpy(arrays->frame + pool->poses + (size_t)slot * CROWD_POSE_WORDS, &pose, sizeof pose);
    const size_t place = arrays->frame[pool->entries + entry];
    for (uint32_t p = 0; p < pool->partCount; p++) {
        const LayoutCrowdPart *part = sknCrowdPart(arrays->tables, pool, p);
        const LayoutInstance instance = {
            .palette = slot * pool->paletteUnits,
            .vertices = slot * pool->outputWords + (record.copies & 0xffu) * pool->copyWords + part->place,
            .morphs = part->morphs == 0 ? 0 : part->morphs + slot * pool->morphWords,
        };
        memcpy(arrays->frame + part->instances + place * LAYOUT_INSTANCE_WORDS, &instance, sizeof instance);
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
    walkBlocks(arrays, push, run, countBlock);
    if (grantStage(arrays)) {
        walkBlocks(arrays, push, run, rankBlock);
        scanStage(arrays, CROWD_SCAN_RANKS);
    }
    walkBlocks(arrays, push, run, decideBlock);
    scanStage(arrays, CROWD_SCAN_GRANTS);
    walkBlocks(arrays, push, run, assignBlock);
    scanStage(arrays, CROWD_SCAN_POOLS);
    walkBlocks(arrays, push, run, scatterBlock);
    finishStage(arrays, push);
}

void sknCrowdFromKeys(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    sknCrowdLists(arrays, push, run);
    describeStage(arrays, push, run);
    sknCrowdParts(arrays, run);
}

/* ---- Culling ---- */

/* Characters of a task. */
#define TASK_CHARACTERS 4096u

void sknClearCrowdCounts(const CrowdArrays *arrays) {
    const size_t groups = sknCrowdHead(arrays->tables)->groupCount;
    *sknCrowdStats(arrays->work) = (LayoutCrowdStats){0};
    memset(arrays->work + CROWD_WORK_HISTS, 0, groups * CROWD_HIST_WORDS * sizeof *arrays->work);
}

void sknCrowdApply(const CrowdArrays *arrays, const LayoutCrowdPush *push) {
    memcpy(arrays->work + CROWD_WORK_PLANES, arrays->views, sizeof *arrays->views);
    sknClearCrowdCounts(arrays);
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
