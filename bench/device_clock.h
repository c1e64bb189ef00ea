/*
 * device_clock.h: one command buffer after the other, each submitted alone and timed.
 *
 * On devices that are no CPU and whose timestamps can be trusted, its time is what lies between a timestamp before and
 * one after the commands; elsewhere the wall clock from submission to the return of the fence's wait.
 */
#ifndef BENCH_DEVICE_CLOCK_H
#define BENCH_DEVICE_CLOCK_H

#include "device.h"

/* Milliseconds of one run. */
typedef struct RunTime {
    double work; /* of the case: the device clock, or the wall clock on the CPU */
    double cpu;  /* of all threads of the process; other programs disturb it less. 0: not measured */
    double host; /* before the work could be submitted: commands and job tables; 0: does not apply */
} RunTime;

/* Milliseconds that all threads of this process have run. */
double processNow(void);

/* Invocations of shaders in a submission. */
typedef struct Invocations {
    uint64_t vertex, compute;
} Invocations;

typedef struct DeviceClock {
    Device *device;
    bool timestamps; /* false: the wall clock */
    VkCommandPool pool;
    VkCommandBuffer commandBuffer;
    VkFence fence;
    VkQueryPool queries;    /* null where there are no timestamps */
    VkQueryPool statistics; /* null where the device has none */
    bool counts; /* set by whoever wants `invocations`: submissions that are counted need not be as fast as others */
    Invocations invocations; /* of the last submission that was counted */
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
