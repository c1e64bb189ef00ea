/* finite.h: whether numbers are numbers. */
#ifndef ENGINE_FINITE_H
#define ENGINE_FINITE_H

#include <stdbool.h>
#include <stddef.h>

/* True when none of `values`[count] is NaN or infinite. */
bool finiteAll(const float *values, size_t count);

#endif
