/*
 * device_clock.h: records, submits and times one command buffer after the other.
 *
 * On GPUs with usable timestamps, the time is the difference of a timestamp before and one after the commands. On all
 * other devices it is the wall clock from the submission to the end of the wait for the fence.
 */
#ifndef BENCH_DEVICE_CLOCK_H
#define BENCH_DEVICE_CLOCK_H

#include "device.h"

/* Milliseconds of one run. */
typedef struct RunTime {
    double work; /* time of the case's work: the device clock, or the wall clock on the CPU */
    double cpu;  /* CPU time of all threads of the process; other programs disturb it less. 0: not measured */
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
    VkQueryPool queries;     /* null: no timestamps */
    VkQueryPool statistics;  /* null: not supported */
    bool counts;             /* set it to get `invocations`; counted submissions may be slower */
    Invocations invocations; /* counts of the last submission that was counted */
} DeviceClock;

/* On failure *clock is zero. */
bool deviceClockCreate(Device *device, DeviceClock *clock, EngineError *error);

/* The device no longer uses it. A zero one is allowed. */
void deviceClockDestroy(DeviceClock *clock);

/* A command buffer in the recording state, ordered after all earlier submissions and their memory accesses. Null on
 * failure. One at a time. */
VkCommandBuffer deviceClockBegin(DeviceClock *clock, EngineError *error);

/* Submits it and waits. Sets `work` and `cpu` of *time; time may be null. */
bool deviceClockEnd(DeviceClock *clock, RunTime *time, EngineError *error);

/* Fills a whole buffer with a word, and waits. */
bool deviceClockFill(DeviceClock *clock, VkBuffer buffer, uint32_t word, EngineError *error);

/* Copies regions, [count], to a buffer that the host then reads, and waits. */
bool deviceClockRead(DeviceClock *clock, VkBuffer source, const VkBufferCopy *regions, uint32_t count, VkBuffer target,
                     EngineError *error);

/* "timestamps" or "wall". */
const char *deviceClockName(const DeviceClock *clock);

#endif
