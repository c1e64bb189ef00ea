/*
 * cpu_limits.h: streaming stores, which bypass the caches, so that a write does not read. The widest of the machine; on
 * machines other than x86-64 these are plain stores.
 */
#ifndef BENCH_CPU_LIMITS_H
#define BENCH_CPU_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "vkskin/vkskin_cpu.h"

/* Fills `bytes` with a word. Address and size are multiples of 64. parallel: as in VkskinCpuRun; null: the calling
 * thread only. */
void cpuStreamFill(void *bytes, size_t size, uint32_t word, VkskinParallelFn parallel);

#endif
