/*
 * null_kernel.h: the library's kernels run on the host, every access checked.
 *
 * Positions come out as on a device, save for rounding. Normals and tangents are read and written at their places, as
 * zeros.
 */
#ifndef TESTS_NULL_KERNEL_H
#define TESTS_NULL_KERNEL_H

#include "null_commands.h"

/* The dispatch has passed nullCheckDispatch. The first access beyond what is bound is a fault and ends it. */
void nullRunKernel(NullDriver *driver, const NullDispatch *dispatch);

#endif
