/*
 * device_limit.h: what the device's memory can do: a buffer filled or copied, by a kernel or by a transfer command.
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
