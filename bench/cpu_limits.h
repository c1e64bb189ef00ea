/*
 * cpu_stream.h: what the processor's memory takes: fills and copies by streaming stores, by the widest ones that the
 * machine has. They are the limit that cases on the CPU are held against.
 *
 * Streaming stores pass by the caches, so that nothing is read for what is written. On machines other than x86-64 these
 * are plain stores (cpuStreamName says so): the limit is then what those reach.
 */
#ifndef BENCH_CPU_LIMITS_H
#define BENCH_CPU_LIMITS_H

#include "bench_case.h"
#include "vkskin/vkskin_cpu.h"

/* Both: addresses and size are multiples of 64. parallel: as in VkskinCpuRun, null for the calling thread alone. */

/* Fills with a word. */
void cpuStreamFill(void *bytes, size_t size, uint32_t word, VkskinParallelFn parallel);

/* to and from do not overlap. */
void cpuStreamCopy(void *to, const void *from, size_t size, VkskinParallelFn parallel);

/* "streaming stores of 64 bytes". Static. */
const char *cpuStreamName(void);

/* ---- cpu_limits.h: what the processor's memory can do, as cases of kind CASE_LIMIT. ---- */

/* The parameters of cpuLimitFunctions. */
typedef struct CpuLimit {
    bool copy;    /* every line read and written elsewhere; otherwise written alone */
    bool threads; /* all processors, otherwise the calling thread */
} CpuLimit;

/* Held against their own limit by the bytes that they write. */
extern const CaseFunctions cpuLimitFunctions;

#endif
