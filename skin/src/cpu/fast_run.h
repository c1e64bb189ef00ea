/*
 * fast_run.h: code that skins what is skinned most in a way of its own (blend_run.h), once for each level of
 * instructions that has it.
 */
#ifndef VKSKIN_FAST_RUN_H
#define VKSKIN_FAST_RUN_H

#include "cpu_code.h"

/* Linear blending of VKSKIN_PALETTE_MAT3X4, in three dimensions, by bones, without morph weights. */
void sknBlendRunAvx2(const CpuRunWork *work);
void sknBlendRunAvx512(const CpuRunWork *work);

#endif
