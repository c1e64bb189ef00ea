/*
 * soak_flat.h: whether a quantity stays flat: its first half against its second.
 */
#ifndef ENGINE_SOAK_FLAT_H
#define ENGINE_SOAK_FLAT_H

#include <stdint.h>

#include "engine_error.h"

/* Of one half: values counted, their mean and the largest. */
typedef struct SoakHalf {
    uint64_t count;
    double mean;
    double peak;
} SoakHalf;

typedef struct SoakSeries {
    SoakHalf halves[2];
} SoakSeries;

/* How far the second half may lie above the first: by `share` of it, and by `slack` besides. */
typedef struct SoakBound {
    const char *what; /* as a failure names it */
    double share;
    double slack;
} SoakBound;

/* half: 0 or 1. */
void soakSeriesAdd(SoakSeries *series, uint32_t half, double value);

/* Whether the means keep to the bound; a half without values has none. */
bool soakSeriesIsFlat(const SoakSeries *series, const SoakBound *bound, EngineError *error);

#endif
