/* machine.h: what a run is of: device, processor, build. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "bench_run.h"

/* Fills deviceInfo, cpuName and build. */
void machineDescribe(BenchRun *run);

#endif
