/*
 * device_clock.h: one command buffer after the other, each submitted alone and timed.
 *
 * On devices that are no CPU and whose timestamps can be trusted, its time is what lies between a timestamp before and
 * one after the commands; elsewhere the wall clock from submission to the return of the fence's wait.
 */
#ifndef BENCH_DEVICE_CLOCK_H
#define BENCH_DEVICE_CLOCK_H

#include "device.h"
#include "run_time.h"

typedef struct DeviceClock {
    Device *device;
    bool timestamps; /* false: the wall clock */
    VkCommandPool pool;
    VkCommandBuffer commandBuffer;
    VkFence fence;
    VkQueryPool queries; /* null where there are no timestamps */
} DeviceClock;

/* On failure *clock is zero. */
bool deviceClockCreate(Device *device, DeviceClock *clock, EngineError *error);

/* Nothing of it is on the device any more. A zero one is allowed. */
void deviceClockDestroy(DeviceClock *clock);

/* A command buffer in the recording state, outside a render pass, that comes after all that was submitted before, all
 * memory included; null on failure. One at a time. */
VkCommandBuffer deviceClockBegin(DeviceClock *clock, EngineError *error);

/* Submits it and waits. *time: `work` and `cpu` are set; null: nobody wants to know. */
bool deviceClockEnd(DeviceClock *clock, RunTime *time, EngineError *error);

/* "timestamps" or "wall". */
const char *deviceClockName(const DeviceClock *clock);

#endif
