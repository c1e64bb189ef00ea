/*
 * frames.h: frames in flight. Each slot has a few command buffers and a fence.
 *
 * A frame: framesBegin (waits for the slot's last use), record, framesEnd (submits). Slots come in cyclic order, as
 * vkskinBeginFrame requires.
 */
#ifndef ENGINE_FRAMES_H
#define ENGINE_FRAMES_H

#include "commands.h"

#define FRAMES_IN_FLIGHT 2
#define FRAMES_MAX_PARTS 4 /* command buffers of one frame; framesFlush may be called at most 3 times */

typedef struct Frames {
    Device *device;
    uint32_t next;  /* the slot that framesBegin takes next */
    uint32_t begun; /* frames so far */
    VkCommandPool pools[FRAMES_IN_FLIGHT];
    VkCommandBuffer commandBuffers[FRAMES_IN_FLIGHT][FRAMES_MAX_PARTS];
    VkFence fences[FRAMES_IN_FLIGHT];
    VkFence flushFence;
} Frames;

/* A frame that is being recorded. */
typedef struct Frame {
    uint32_t slot; /* below FRAMES_IN_FLIGHT */
    uint32_t part;
    VkCommandBuffer commandBuffer; /* in the recording state; changes with framesFlush */
} Frame;

/* On failure *frames is zero. */
bool framesCreate(Device *device, Frames *frames, EngineError *error);

/* Waits for the device first. Zero frames are allowed. */
void framesDestroy(Frames *frames);

bool framesBegin(Frames *frames, Frame *frame, EngineError *error);

/*
 * Submits the commands recorded so far and waits for them. Recording continues in another command buffer.
 * *milliseconds: wall clock from submission to fence. Waits for earlier frames first, so their work is not counted.
 * For devices with timestampsTrusted false.
 */
bool framesFlush(Frames *frames, Frame *frame, double *milliseconds, EngineError *error);

/* Submits the frame. sync: null: no wait and no signal. */
bool framesEnd(Frames *frames, Frame *frame, const FrameSync *sync, EngineError *error);

#endif
