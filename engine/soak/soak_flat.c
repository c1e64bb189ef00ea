#include "soak_flat.h"

void soakSeriesAdd(SoakSeries *series, uint32_t half, double value) {
    SoakHalf *into = &series->halves[half];
    into->frames++;
    into->mean += (value - into->mean) / (double)into->frames;
    into->peak = value > into->peak ? value : into->peak;
}

static bool isFlat(double first, double second, const char *kind, const SoakBound *bound, EngineError *error) {
    double limit = first * (1.0 + bound->share) + bound->slack;
    return second <= limit ||
           engineFail(error, "%s not flat: %s %.0f in the first half, %.0f in the second, above %.0f", bound->what,
                      kind, first, second, limit);
}

bool soakSeriesMeanIsFlat(const SoakSeries *series, const SoakBound *bound, EngineError *error) {
    return isFlat(series->halves[0].mean, series->halves[1].mean, "mean", bound, error);
}

bool soakSeriesPeakIsFlat(const SoakSeries *series, const SoakBound *bound, EngineError *error) {
    return isFlat(series->halves[0].peak, series->halves[1].peak, "at most", bound, error);
}
