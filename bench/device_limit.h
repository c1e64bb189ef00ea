/*
 * device_limit.h: the bandwidth of the device memory: a buffer is filled or copied, with a kernel or a transfer command.
 */
#ifndef BENCH_DEVICE_LIMIT_H
#define BENCH_DEVICE_LIMIT_H

#include "bench_case.h"

/* BenchCase.parameters: one of these. */
typedef struct DeviceLimitDef {
    bool copies;    /* false: fills */
    bool transfers; /* false: by a kernel */
} DeviceLimitDef;

extern const CaseFunctions DEVICE_LIMIT;

#endif
