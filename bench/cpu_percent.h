/* cpu_percent.h: how close a case on one thread comes to its limit while other programs want the processor too. */
#ifndef BENCH_CPU_PERCENT_H
#define BENCH_CPU_PERCENT_H

#include "bench_run.h"

/*
 * As CaseResult.percentOfLimit, but of the processor's time (RunTime.cpu) on both sides, by their medians: what is
 * waited for other programs does not count. 0 for other domains than LIMIT_CPU, whose work the processor's time does not
 * tell, and where no limit was measured.
 */
double cpuPercentOfLimit(const BenchRun *run, const CaseResult *result);

#endif
