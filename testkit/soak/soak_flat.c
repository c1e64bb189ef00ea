#include "soak_flat.h"

void soakSeriesAdd(SoakSeries *series, uint32_t half, double value) {
    SoakHalf *into = &series->halves[half];
    into->count++;
    into->mean += (value - into->mean) / (double)into->count;
    into->peak = value > into->peak ? value : into->peak;
}

bool soakSeriesIsFlat(const SoakSeries *series, const SoakBound *bound, EngineError *error) {
    double first = series->halves[0].mean, second = series->halves[1].mean;
    double limit = first * (1.0 + bound->share) + bound->slack;
    bool known = series->halves[0].count > 0 && series->halves[1].count > 0;
    return !known || second <= limit ||
           engineFail(error, "%s not flat: on average %.0f in the first half, %.0f in the second", bound->what, first,
                      second);
}
