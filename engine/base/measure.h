/*
 * measure.h: samples of a quantity with median and spread, and a clock.
 */
#ifndef ENGINE_MEASURE_H
#define ENGINE_MEASURE_H

#include <stddef.h>

#include "engine_error.h"

typedef struct Samples {
    double *values;
    size_t count;
    size_t capacity;
} Samples;

typedef struct Measured {
    double median;
    double spread; /* interquartile range in percent of the median; 0 for fewer than two samples or a median of 0 */
    size_t count;
} Measured;

/* Start with a zero struct. False if out of memory. */
bool samplesAdd(Samples *samples, double value, EngineError *error);

/* Quartiles by linear interpolation between order statistics. Sorts the samples. No samples: all zero. */
Measured samplesMeasure(Samples *samples);

void samplesFree(Samples *samples);

/* Monotonic wall clock, milliseconds from an arbitrary moment. */
double measureNow(void);

#endif
