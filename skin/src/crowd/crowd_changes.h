/*
 * crowd_changes.h: handles of characters, and what the host changed since the last frame: one record per changed
 * character, into which later changes are merged.
 *
 * A record that was given to a frame is kept until the next frame begins. If its frame is cancelled, it is pending again,
 * before changes that came later.
 */
#ifndef VKSKIN_CROWD_CHANGES_H
#define VKSKIN_CROWD_CHANGES_H

#include "crowd/crowd_layout.h"
#include "host.h"

typedef struct ChangeList {
    LayoutCrowdChange *records; /* [room] */
    uint32_t count, room;
} ChangeList;

typedef struct CrowdChanges {
    const VkskinHostAllocator *allocator;
    uint32_t capacity;     /* characters */
    uint32_t *generations; /* [capacity]: odd: exists */
    uint32_t *places;      /* [capacity]: index in `pending` + 1; 0: no change is pending */
    uint32_t *free;        /* [capacity]: a stack of the free indices */
    uint32_t freeCount;
    uint32_t alive;
    ChangeList pending, recorded;
} CrowdChanges;

/* firstGeneration: differs between crowds, so that each refuses the others' characters. Error: OUT_OF_HOST_MEMORY (not
 * logged); *changes is then zero. */
VkskinResult sknInitChanges(const VkskinHostAllocator *allocator, uint32_t capacity, uint32_t firstGeneration,
                            CrowdChanges *changes);
void sknDestroyChanges(CrowdChanges *changes);

/* Bytes of host memory. */
uint64_t sknChangesBytes(const CrowdChanges *changes);

/* Makes room for the changes of `count` more characters. False if there is no memory. */
bool sknReserveChanges(CrowdChanges *changes, uint32_t count);

/* The pending record of a character: a new one if it has none. There is room. */
LayoutCrowdChange *sknChangeOf(CrowdChanges *changes, uint32_t character);

/* Takes a free index; there is one. Its generation is then odd. */
uint32_t sknTakeCharacter(CrowdChanges *changes);

/* Makes the handle stale; the index is free when the record with CROWD_CHANGE_REMOVE has run. */
void sknDropCharacter(CrowdChanges *changes, uint32_t character);

static inline bool sknHasCharacter(const CrowdChanges *changes, uint32_t index, uint32_t generation) {
    return index - 1u < changes->capacity && changes->generations[index - 1u] == generation && generation % 2 == 1;
}

/* A clip to play. */
typedef struct CrowdPlay {
    uint32_t clip;  /* with CROWD_PLAY_ONCE */
    uint32_t phase; /* at which it starts */
    uint32_t speed; /* see CROWD_SPEED_ONE */
    uint32_t unit;  /* rate at speed 1 */
    uint32_t fade;  /* ticks */
} CrowdPlay;

/* Add to what a record does. */
void sknStagePlay(LayoutCrowdChange *change, const CrowdPlay *play);
void sknStageSpeed(LayoutCrowdChange *change, uint32_t speed);

/* Gives the first `most` pending records to a frame. Returns their number. */
uint32_t sknRecordChanges(CrowdChanges *changes, uint32_t most);

/* Copies the records of the frame to the input of the passes. */
void sknWriteChanges(const CrowdChanges *changes, uint32_t *words);

/* The frame of the recorded changes will run, or will not. */
void sknForgetChanges(CrowdChanges *changes);
void sknTakeBackChanges(CrowdChanges *changes);

#endif
