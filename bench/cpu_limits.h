/*
 * cpu_limits.h: fills and copies of memory with the widest streaming stores of the machine. They are the limit of the
 * cases on the CPU.
 *
 * Streaming stores bypass the caches, so that a write does not read. On machines other than x86-64 these are plain
 * stores; cpuStreamName says so.
 */
#ifndef BENCH_CPU_LIMITS_H
#define BENCH_CPU_LIMITS_H

#include "bench_case.h"
#include "vkskin/vkskin_cpu.h"

/* Both calls: addresses and sizes are multiples of 64. parallel: as in VkskinCpuRun; null: the calling thread only. */

/* Fills `bytes` with a word. */
void cpuStreamFill(void *bytes, size_t size, uint32_t word, VkskinParallelFn parallel);

/* to and from do not overlap. */
void cpuStreamCopy(void *to, const void *from, size_t size, VkskinParallelFn parallel);

/* "streaming stores of 64 bytes". Static. */
const char *cpuStreamName(void);

/* ---- cpu_limits.h: what the processor's memory can do, as cases of kind CASE_LIMIT. ---- */

/* The parameters of cpuLimitFunctions. */
typedef struct CpuLimit {
    bool copy;    /* true: copy; false: fill */
    bool threads; /* all processors, otherwise the calling thread */
} CpuLimit;

/* Cases of kind CASE_LIMIT, measured by the bytes that they write. */
extern const CaseFunctions cpuLimitFunctions;

#endif
