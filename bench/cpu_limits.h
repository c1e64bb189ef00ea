/* cpu_limits.h: what the processor's memory can do, as cases of kind CASE_LIMIT. */
#ifndef BENCH_CPU_LIMITS_H
#define BENCH_CPU_LIMITS_H

#include "bench_case.h"

/* The parameters of cpuLimitFunctions. */
typedef struct CpuLimit {
    bool copy;    /* every line read and written elsewhere; otherwise written alone */
    bool threads; /* all processors, otherwise the calling thread */
} CpuLimit;

/* Held against their own limit by the bytes that they write. */
extern const CaseFunctions cpuLimitFunctions;

#endif
