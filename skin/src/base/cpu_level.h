/*
 * cpu_level.h: which of a function's compiled forms a call runs. vkskinGetCpuLevel is defined here.
 */
#ifndef VKSKIN_CPU_LEVEL_H
#define VKSKIN_CPU_LEVEL_H

#include "vkskin/vkskin_base.h"

/*
 * The level that a call shall use: the one asked for, or the best for VKSKIN_CPU_AUTO; VKSKIN_CPU_LEVEL_COUNT where it
 * is unknown, or this machine or this build does not have it.
 */
VkskinCpuLevel sknResolveCpuLevel(VkskinCpuLevel level);

#endif
