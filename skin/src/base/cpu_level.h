/*
 * cpu_level.h: the instruction level that a call uses. Implements vkskinGetCpuLevel.
 */
#ifndef VKSKIN_CPU_LEVEL_H
#define VKSKIN_CPU_LEVEL_H

#include "vkskin/vkskin_base.h"

/*
 * Returns `level`, or the best level for VKSKIN_CPU_AUTO. Returns VKSKIN_CPU_LEVEL_COUNT if the level is unknown or not
 * available on this machine or in this build.
 */
VkskinCpuLevel sknResolveCpuLevel(VkskinCpuLevel level);

#endif
