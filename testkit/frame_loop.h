/*
 * frame_loop.h: frames in flight with the device held back.
 *
 * Every submission waits for a timeline semaphore that the host signals only when it needs the slot again. So when the
 * device runs a frame, the host has already written all its data for the frames after it.
 */
#ifndef TESTKIT_FRAME_LOOP_H
#define TESTKIT_FRAME_LOOP_H

#include "gpu.h"

typedef struct FrameLoop {
    Gpu *gpu;
    VkskinContext context;
    uint32_t framesInFlight;
    uint64_t frame; /* number of the frame that is recorded, from 0 */
    bool cancelled; /* the last frame was cancelled: it already waited for the slot */
    VkSemaphore gate;
    VkCommandBuffer commandBuffers[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    VkFence fences[VKSKIN_MAX_FRAMES_IN_FLIGHT];
} FrameLoop;

FrameLoop frameLoop(Gpu *gpu, VkskinContext context, uint32_t framesInFlight);

/* Lets the last frame of the slot run and waits for it; begins the slot and its command buffer. */
VkCommandBuffer frameLoopBegin(FrameLoop *loop);

/* Submits behind the gate. */
void frameLoopSubmit(FrameLoop *loop);

/* Cancels the frame; the next one begins in the same slot. */
void frameLoopCancel(FrameLoop *loop);

/* Opens the gate for all frames, waits, and frees the loop's objects. */
void frameLoopFinish(FrameLoop *loop);

#endif
