#include "measure.h"

#include <stdlib.h>
#include <time.h>

bool samplesAdd(Samples *samples, double value, EngineError *error) {
    if (samples->count == samples->capacity) {
        size_t capacity = samples->capacity ? samples->capacity * 2 : 64;
        double *values = realloc(samples->values, capacity * sizeof(*values));
        if (!values) {
            return engineFail(error, "out of memory");
        }
        samples->values = values;
        samples->capacity = capacity;
    }
    samples->values[samples->count++] = value;
    return true;
}

static int compareDoubles(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double quantile(const Samples *samples, double share) {
    double place = share * (double)(samples->count - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < samples->count ? below + 1 : below;
    double fraction = place - (double)below;
    return samples->values[below] * (1.0 - fraction) + samples->values[above] * fraction;
}

Measured samplesMeasure(Samples *samples) {
    Measured measured = {.count = samples->count};
    if (samples->count == 0) {
        return measured;
    }
    qsort(samples->values, samples->count, sizeof(*samples->values), compareDoubles);
    measured.median = quantile(samples, 0.5);
    if (measured.median > 0.0) {
        measured.spread = (quantile(samples, 0.75) - quantile(samples, 0.25)) / measured.median * 100.0;
    }
    return measured;
}

void samplesFree(Samples *samples) {
    free(samples->values);
    *samples = (Samples){0};
}

double measureNow(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
