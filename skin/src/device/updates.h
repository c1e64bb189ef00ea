/*
 * updates.h: the latest updates of an instance's output.
 *
 * While a frame is recorded and the next one is prepared, an instance may have an update in both. Calls that record need
 * the one of their frame, and its predecessor if it is taken back. So there are three: a ring with the index of the newest.
 * Adding one is atomic: a call that reads an older frame's at the same time never sees a part of it.
 */
#ifndef VKSKIN_UPDATES_H
#define VKSKIN_UPDATES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Update {
    uint64_t frame;          /* the number of its frame; 0: none */
    uint64_t poseVersion;    /* 0: none given */
    uint32_t command;        /* the index of its command in the frame */
    uint16_t region;         /* region of the output that it writes */
    uint16_t previousRegion; /* region that the frame before shows; the same if there is no history */
} Update;

#define UPDATE_COUNT 3u

/* All zero: no update. */
typedef struct Updates {
    /* The frame of the newest update, or of a command that is being checked: the first one in a frame takes it. */
    _Atomic uint64_t claim;
    _Atomic uint32_t newest;
    Update ring[UPDATE_COUNT];
} Updates;

static inline Update *sknNewestUpdate(Updates *updates) {
    return &updates->ring[atomic_load_explicit(&updates->newest, memory_order_acquire)];
}

/* The newest update of this frame or an earlier one. At most one update is newer. */
static inline const Update *sknUpdateOf(const Updates *updates, uint64_t frame) {
    uint32_t newest = atomic_load_explicit(&updates->newest, memory_order_acquire);
    const Update *update = &updates->ring[newest];
    return update->frame <= frame ? update : &updates->ring[(newest + UPDATE_COUNT - 1) % UPDATE_COUNT];
}

/* The update of this frame, or null. */
Update *sknUpdateIn(Updates *updates, uint64_t frame);

/* What decides where an update writes. */
typedef struct UpdateDef {
    uint64_t frame;
    uint64_t slotSerial;
    uint64_t poseVersion;
    uint32_t command;
    uint32_t regions; /* regions of the instance's output */
    bool teleport;
} UpdateDef;

/*
 * Adds an update, and returns it. Regions rotate with the updates. The next region was last read at least as many frames
 * ago as there are regions. The first region depends on the frame, so that instances updated every frame write the same
 * plane.
 */
const Update *sknAddUpdate(Updates *updates, const UpdateDef *def);

/* Whether the caller is the first to claim the instance for this frame. */
static inline bool sknClaimUpdate(Updates *updates, uint64_t frame) {
    return atomic_exchange_explicit(&updates->claim, frame, memory_order_relaxed) != frame;
}

/* Ends a claim that led to no update. */
static inline void sknUnclaimUpdate(Updates *updates) {
    atomic_store_explicit(&updates->claim, sknNewestUpdate(updates)->frame, memory_order_relaxed);
}

/* Takes back all updates of `frame` and of later ones. No other thread uses them. */
void sknTakeBackUpdates(Updates *updates, uint64_t frame);

/*
 * Takes back the update of `frame`. A later update stays, and takes its region and predecessor: returns it, or null if
 * there is none. No other thread uses them.
 */
const Update *sknTakeBackUpdate(Updates *updates, uint64_t frame, uint32_t regions, uint64_t slotSerial);

#endif
