/*
 * cpu_level.h: which of the levels of instructions this machine and this build have.
 */
#ifndef VKSKIN_CPU_LEVEL_H
#define VKSKIN_CPU_LEVEL_H

#include "vkskin/vkskin_cpu.h"

/* What `level` comes to here: never VKSKIN_CPU_AUTO; VKSKIN_CPU_LEVEL_COUNT where it is unknown or not there. */
VkskinCpuLevel sknResolveCpuLevel(VkskinCpuLevel level);

#endif
