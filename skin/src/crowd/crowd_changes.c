#include "crowd_changes.h"

#include <string.h>

VkskinResult sknInitChanges(const VkskinHostAllocator *allocator, uint32_t capacity, uint32_t firstGeneration,
                            CrowdChanges *changes) {
    *changes = (CrowdChanges){
        .allocator = allocator,
        .capacity = capacity,
        .generations = sknHostAllocateArray(allocator, capacity, sizeof *changes->generations),
        .places = sknHostAllocateArray(allocator, capacity, sizeof *changes->places),
        .free = sknHostAllocateArray(allocator, capacity, sizeof *changes->free),
        .freeCount = capacity,
    };
    if (changes->generations == NULL || changes->places == NULL || changes->free == NULL) {
        sknDestroyChanges(changes);
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; i < capacity; i++) {
        changes->generations[i] = firstGeneration & ~1u;
        changes->free[i] = capacity - 1 - i; /* the first index is taken first */
    }
    return VKSKIN_SUCCESS;
}

void sknDestroyChanges(CrowdChanges *changes) {
    sknHostFree(changes->allocator, changes->generations);
    sknHostFree(changes->allocator, changes->places);
    sknHostFree(changes->allocator, changes->free);
    sknHostFree(changes->allocator, changes->pending.records);
    sknHostFree(changes->allocator, changes->recorded.records);
    *changes = (CrowdChanges){0};
}

uint64_t sknChangesBytes(const CrowdChanges *changes) {
    const uint64_t records = (uint64_t)changes->pending.room + changes->recorded.room;
    return 3 * sizeof(uint32_t) * (uint64_t)changes->capacity + records * sizeof(LayoutCrowdChange);
}

static bool reserve(const CrowdChanges *changes, ChangeList *list, uint32_t needed) {
    if (needed <= list->room) {
        return true;
    }
    LayoutCrowdChange *records =
        sknHostReserve(changes->allocator, list->records, needed, &list->room, sizeof *records);
    list->records = records != NULL ? records : list->records;
    return records != NULL;
}

/* Either list may have to hold all records: see sknTakeBackChanges. */
bool sknReserveChanges(CrowdChanges *changes, uint32_t count) {
    uint64_t needed = (uint64_t)changes->pending.count + changes->recorded.count + count;
    needed = needed < 2 * (uint64_t)changes->capacity ? needed : 2 * (uint64_t)changes->capacity;
    return reserve(changes, &changes->pending, (uint32_t)needed) &&
           reserve(changes, &changes->recorded, (uint32_t)needed);
}

LayoutCrowdChange *sknChangeOf(CrowdChanges *changes, uint32_t character) {
    if (changes->places[character] == 0) {
        changes->pending.records[changes->pending.count++] = (LayoutCrowdChange){.character = character};
        changes->places[character] = changes->pending.count;
    }
    return &changes->pending.records[changes->places[character] - 1];
}

uint32_t sknTakeCharacter(CrowdChanges *changes) {
    const uint32_t character = changes->free[--changes->freeCount];
    changes->generations[character]++;
    changes->alive++;
    return character;
}

void sknDropCharacter(CrowdChanges *changes, uint32_t character) {
    changes->generations[character]++;
    changes->alive--;
}

/* ---- Merging ---- */

static void setPlay1(LayoutCrowdChange *change, const CrowdPlay *play) {
    change->what |= CROWD_CHANGE_PLAY1;
    change->clip1 = play->clip;
    change->phase1 = play->phase;
    change->speed1 = play->speed;
    change->unit1 = play->unit;
    change->fade1 = play->fade;
}

static void setPlay2(LayoutCrowdChange *change, const CrowdPlay *play) {
    change->what |= CROWD_CHANGE_PLAY2;
    change->clip2 = play->clip;
    change->phase2 = play->phase;
    change->speed2 = play->speed;
    change->unit2 = play->unit;
    change->fade2 = play->fade;
}

static CrowdPlay play1Of(const LayoutCrowdChange *change) {
    return (CrowdPlay){change->clip1, change->phase1, change->speed1, change->unit1, change->fade1};
}

static CrowdPlay play2Of(const LayoutCrowdChange *change) {
    return (CrowdPlay){change->clip2, change->phase2, change->speed2, change->unit2, change->fade2};
}

/* Only the last two clips count: a new fade ends the one before. */
void sknStagePlay(LayoutCrowdChange *change, const CrowdPlay *play) {
    if (play->fade == 0) {
        change->what &= ~(CROWD_CHANGE_PLAY2 | CROWD_CHANGE_SPEED);
        setPlay1(change, play);
    } else if ((change->what & CROWD_CHANGE_PLAY1) == 0) {
        setPlay1(change, play);
    } else {
        if ((change->what & CROWD_CHANGE_PLAY2) != 0) {
            CrowdPlay second = play2Of(change);
            second.fade = 0;
            change->what &= ~CROWD_CHANGE_SPEED;
            setPlay1(change, &second);
        }
        setPlay2(change, play);
    }
}

void sknStageSpeed(LayoutCrowdChange *change, uint32_t speed) {
    if ((change->what & CROWD_CHANGE_PLAY2) != 0) {
        change->speed2 = speed;
    } else if ((change->what & CROWD_CHANGE_PLAY1) != 0) {
        change->speed1 = speed;
    } else {
        change->what |= CROWD_CHANGE_SPEED;
        change->speed = speed;
    }
}

#define TAKE_LATER(field) change->field = later->field;

/* Makes `change` do what it does, and then what `later` does. */
static void merge(LayoutCrowdChange *change, const LayoutCrowdChange *later) {
    const uint32_t what = later->what;
    if ((what & (CROWD_CHANGE_ADD | CROWD_CHANGE_REMOVE)) != 0) {
        *change = *later;
        return;
    }
    if ((what & CROWD_CHANGE_MOVE) != 0) {
        CROWD_TRANSFORM_FIELDS(TAKE_LATER, transform);
    }
    if ((what & (CROWD_CHANGE_HIDE | CROWD_CHANGE_SHOW)) != 0) {
        change->what &= ~(CROWD_CHANGE_HIDE | CROWD_CHANGE_SHOW);
    }
    if ((what & (CROWD_CHANGE_PRIORITY | CROWD_CHANGE_NO_PRIORITY)) != 0) {
        change->what &= ~(CROWD_CHANGE_PRIORITY | CROWD_CHANGE_NO_PRIORITY);
    }
    if ((what & CROWD_CHANGE_VARIATION) != 0) {
        change->variation = later->variation;
    }
    if ((what & CROWD_CHANGE_PARTS) != 0) {
        change->parts = later->parts;
    }
    change->what |= what & ~(CROWD_CHANGE_SPEED | CROWD_CHANGE_PLAY1 | CROWD_CHANGE_PLAY2);
    if ((what & CROWD_CHANGE_SPEED) != 0) {
        sknStageSpeed(change, later->speed);
    }
    if ((what & CROWD_CHANGE_PLAY1) != 0) {
        const CrowdPlay play = play1Of(later);
        sknStagePlay(change, &play);
    }
    if ((what & CROWD_CHANGE_PLAY2) != 0) {
        const CrowdPlay play = play2Of(later);
        sknStagePlay(change, &play);
    }
}

/* ---- Frames ---- */

static void indexPending(CrowdChanges *changes) {
    for (uint32_t i = 0; i < changes->pending.count; i++) {
        changes->places[changes->pending.records[i].character] = i + 1;
    }
}

uint32_t sknRecordChanges(CrowdChanges *changes, uint32_t most) {
    ChangeList *pending = &changes->pending;
    ChangeList *recorded = &changes->recorded;
    const uint32_t count = pending->count < most ? pending->count : most;
    if (count == 0) {
        return 0;
    }
    memcpy(recorded->records, pending->records, count * sizeof *recorded->records);
    recorded->count = count;
    for (uint32_t i = 0; i < count; i++) {
        changes->places[recorded->records[i].character] = 0;
    }
    pending->count -= count;
    memmove(pending->records, pending->records + count, pending->count * sizeof *pending->records);
    indexPending(changes);
    return count;
}

void sknWriteChanges(const CrowdChanges *changes, uint32_t *words) {
    const ChangeList *recorded = &changes->recorded;
    if (recorded->count > 0) { /* no memory before the first change */
        memcpy(words, recorded->records, recorded->count * sizeof *recorded->records);
    }
}

void sknForgetChanges(CrowdChanges *changes) {
    for (uint32_t i = 0; i < changes->recorded.count; i++) {
        const LayoutCrowdChange *record = &changes->recorded.records[i];
        if ((record->what & CROWD_CHANGE_REMOVE) != 0) {
            changes->free[changes->freeCount++] = record->character;
        }
    }
    changes->recorded.count = 0;
}

/* The recorded list, which has room for all, becomes the pending one. */
void sknTakeBackChanges(CrowdChanges *changes) {
    const ChangeList later = changes->pending;
    if (changes->recorded.count == 0) {
        return;
    }
    for (uint32_t i = 0; i < later.count; i++) {
        changes->places[later.records[i].character] = 0;
    }
    changes->pending = changes->recorded;
    indexPending(changes);
    for (uint32_t i = 0; i < later.count; i++) {
        const uint32_t place = changes->places[later.records[i].character];
        if (place != 0) {
            merge(&changes->pending.records[place - 1], &later.records[i]);
        } else {
            *sknChangeOf(changes, later.records[i].character) = later.records[i];
        }
    }
    changes->recorded = later;
    changes->recorded.count = 0;
}
