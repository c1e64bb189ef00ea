/*
 * frame_loop.h: frames in flight with the device held back.
 *
 * Every submission waits for a timeline semaphore that the host signals only when it needs the slot back: while the
 * device works on a frame, the host has already written all that it writes for the frames after it.
 */
#ifndef TESTS_FRAME_LOOP_H
#define TESTS_FRAME_LOOP_H

#include "gpu.h"

typedef struct FrameLoop {
    Gpu *gpu;
    VkskinContext context;
    uint32_t framesInFlight;
    uint64_t frame; /* of the frame being recorded, 0 up */
    bool cancelled; /* the slot was waited for by a frame that was cancelled */
    VkSemaphore gate;
    VkCommandBuffer commandBuffers[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    VkFence fences[VKSKIN_MAX_FRAMES_IN_FLIGHT];
} FrameLoop;

FrameLoop frameLoop(Gpu *gpu, VkskinContext context, uint32_t framesInFlight);

/* Lets the frame that used the slot last run and waits for it; begins the slot, and its command buffer. */
VkCommandBuffer frameLoopBegin(FrameLoop *loop);

/* Submits behind the gate. */
void frameLoopSubmit(FrameLoop *loop);

/* Cancels the frame; the next one begins in the same slot. */
void frameLoopCancel(FrameLoop *loop);

/* Opens the gate for all, waits, frees what belongs to the loop. */
void frameLoopFinish(FrameLoop *loop);

#endif
