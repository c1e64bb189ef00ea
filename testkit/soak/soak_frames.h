/*
 * soak_frames.h: frames in flight on a device that lags.
 *
 * Every submission waits for its slot's timeline semaphore, which the host signals later, at the latest when it needs
 * the slot back. Until then the device has not begun with the frame, while the host writes what belongs to the next ones.
 */
#ifndef ENGINE_SOAK_FRAMES_H
#define ENGINE_SOAK_FRAMES_H

#include "resources.h"

#define SOAK_MAX_FRAMES     3u
#define SOAK_READBACK_BYTES ((VkDeviceSize)256 * 1024)

typedef struct SoakSlot {
    VkCommandPool pool;
    VkCommandBuffer commandBuffer;
    VkFence fence;
    Buffer readback;
    VkSemaphore gate;    /* reaches the submission's number when the device may run it */
    uint64_t submission; /* its latest, counted from 1 over all slots; 0: none in flight */
} SoakSlot;

typedef struct SoakFrames {
    Device *device;
    SoakSlot slots[SOAK_MAX_FRAMES];
    uint64_t submitted; /* submissions so far */
    uint64_t opened;    /* of these, how many the device may run */
} SoakFrames;

/* On failure *frames is zero. */
bool soakFramesCreate(Device *device, SoakFrames *frames, EngineError *error);

/* Lets everything run and waits for it. A zero one is allowed. */
void soakFramesDestroy(SoakFrames *frames);

/* Lets the slot's latest submission run and waits for it. */
bool soakFramesWait(SoakFrames *frames, uint32_t slot, EngineError *error);

/* Begins the slot's command buffer; it was waited for. */
bool soakFramesRecord(SoakFrames *frames, uint32_t slot, EngineError *error);

/* Submits it behind the gate, then lets the device go on until `lag` submissions are held back. */
bool soakFramesSubmit(SoakFrames *frames, uint32_t slot, uint64_t lag, EngineError *error);

#endif
