/*
 * null_kernel.h: the library's kernels, known by their code and run on the host, every access checked.
 *
 * Positions come out as on a device, save for rounding. Normals and tangents are written as zeros, at their places.
 */
#ifndef TESTS_NULL_KERNEL_H
#define TESTS_NULL_KERNEL_H

#include "null_commands.h"

/* Which kernel the code is; NULL_KERNEL_UNKNOWN for any other code, which then runs as nothing. */
NullKernel nullRecogniseKernel(const uint32_t *words, size_t bytes);

/* The dispatch has passed nullCheckDispatch. The first access beyond what is bound is a fault and ends it. */
void nullRunKernel(NullDriver *driver, const NullDispatch *dispatch);

#endif
