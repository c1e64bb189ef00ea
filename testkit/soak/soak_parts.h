/*
 * soak_parts.h: the parts of the soak: instruments, and frames in flight on a device that lags. Private to this folder and
 * its test.
 */
#ifndef TESTKIT_SOAK_PARTS_H
#define TESTKIT_SOAK_PARTS_H

#include "soak.h"

/* ---- Instruments: soak_instruments.c ---- */

/* Resident bytes of the process, without freed memory as far as the allocator gives it back; 0 where the system does not
 * report them. */
uint64_t soakMemoryResident(void);

/* For VkskinContextDef.functions: functions that create or destroy an object count it and call volk's; the others are
 * null. Transfers can read every buffer. One count per process, because Vulkan's functions have no user pointer. */
VkskinVulkanFunctions soakObjectsFunctions(void);

/* Objects created through the table and not destroyed yet, device memory included. */
uint64_t soakObjectsAlive(void);

/* The second half may exceed the first one by `share` of it plus `slack`. */
typedef struct SoakBound {
    const char *what; /* begins the failure's line */
    double share;
    double slack;
} SoakBound;

/* half: 0 or 1. */
void soakSeriesAdd(SoakSeries *series, uint32_t half, double value);

/* Compares the means. A half without values passes. */
bool soakSeriesIsFlat(const SoakSeries *series, const SoakBound *bound, EngineError *error);

/* ---- Frames in flight: soak_frames.c ----
 *
 * Every submission waits for its slot's timeline semaphore. The host signals it later: at the latest when it needs the slot
 * again. Until then the device has not begun the frame, while the host writes the data of the next frames. */

typedef struct SoakSlot {
    VkCommandPool pool;
    WorldTarget target;
    VkFence fence;
    VkSemaphore gate;    /* reaches the submission's number when the device may run it. One per slot: the validation
                            layer misreports a semaphore with several pending waits */
    uint64_t submission; /* number of the latest one, counted from 1 over all slots; 0: none in flight */
} SoakSlot;

typedef struct SoakFrames {
    Device *device;
    SoakSlot slots[WORLD_MAX_FRAMES];
    uint64_t submitted; /* number of submissions */
    uint64_t opened;    /* number of submissions that the device may run */
} SoakFrames;

void soakFramesCreate(Device *device, SoakFrames *frames);

/* Lets all submissions run and waits for them. *frames may be zero, or left by a failure. */
void soakFramesDestroy(SoakFrames *frames);

/* Lets the slot's latest submission run and waits for it. */
void soakFramesWait(SoakFrames *frames, uint32_t slot);

/* Begins the slot's command buffer. Call soakFramesWait first. */
void soakFramesRecord(SoakFrames *frames, uint32_t slot);

/* Submits the slot, then lets the device run all but the latest `lag` submissions. */
void soakFramesSubmit(SoakFrames *frames, uint32_t slot, uint64_t lag);

#endif
