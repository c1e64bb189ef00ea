#include "updates.h"

#include <stddef.h>

static uint32_t before(uint32_t index) {
    return (index + UPDATE_COUNT - 1) % UPDATE_COUNT;
}

Update *sknUpdateIn(Updates *updates, uint64_t frame) {
    Update *update = (Update *)sknUpdateOf(updates, frame);
    return frame > 0 && update->frame == frame ? update : NULL;
}

const Update *sknAddUpdate(Updates *updates, const UpdateDef *def) {
    uint32_t newest = atomic_load_explicit(&updates->newest, memory_order_relaxed);
    const Update *last = &updates->ring[newest];
    uint32_t next = (newest + 1) % UPDATE_COUNT;
    bool first = last->frame == 0;
    uint16_t region = (uint16_t)((first ? def->slotSerial : last->region + UINT64_C(1)) % def->regions);
    updates->ring[next] = (Update){
        .frame = def->frame,
        .poseVersion = def->poseVersion,
        .command = def->command,
        .region = region,
        .previousRegion = first || def->teleport ? region : last->region,
    };
    atomic_store_explicit(&updates->newest, next, memory_order_release);
    return &updates->ring[next];
}

static void pop(Updates *updates) {
    uint32_t newest = atomic_load_explicit(&updates->newest, memory_order_relaxed);
    updates->ring[newest] = (Update){0};
    atomic_store_explicit(&updates->newest, before(newest), memory_order_release);
}

void sknTakeBackUpdates(Updates *updates, uint64_t frame) {
    while (sknNewestUpdate(updates)->frame >= frame) {
        pop(updates);
    }
    sknUnclaimUpdate(updates);
}

const Update *sknTakeBackUpdate(Updates *updates, uint64_t frame, uint32_t regions, uint64_t slotSerial) {
    const Update later = *sknNewestUpdate(updates);
    sknTakeBackUpdates(updates, frame);
    if (later.frame <= frame) {
        return NULL;
    }
    const UpdateDef def = {
        .frame = later.frame,
        .slotSerial = slotSerial,
        .poseVersion = later.poseVersion,
        .command = later.command,
        .regions = regions,
        .teleport = later.previousRegion == later.region,
    };
    (void)sknClaimUpdate(updates, later.frame);
    return sknAddUpdate(updates, &def);
}
