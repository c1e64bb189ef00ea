#include "influences.h"

#include <math.h>
#include <stdbool.h>

/* Few and often in order already. */
static void sortDescending(Influence *influences, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        Influence moved = influences[i];
        uint32_t at = i;
        for (; at > 0 && influences[at - 1].weight < moved.weight; at--) {
            influences[at] = influences[at - 1];
        }
        influences[at] = moved;
    }
}

static double sumOf(const Influence *influences, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)influences[i].weight;
    }
    return sum;
}

KeptInfluences sknKeepInfluences(Influence *influences, uint32_t count, uint32_t most, float minShare) {
    sortDescending(influences, count);
    while (count > 0 && influences[count - 1].weight <= 0.0f) {
        count--;
    }
    KeptInfluences kept = {.count = count, .sum = sumOf(influences, count)};
    if (most != 0 && kept.count > most) {
        kept.count = most;
    }
    while (kept.count > 1 && (double)influences[kept.count - 1].weight < (double)minShare * kept.sum) {
        kept.count--;
    }
    if (count == 0) {
        return kept;
    }
    double sum = sumOf(influences, kept.count);
    kept.dropped = count - kept.count;
    kept.droppedWeight = kept.dropped > 0 ? fmax(kept.sum - sum, 0.0) / kept.sum : 0.0;
    for (uint32_t i = 0; i < kept.count; i++) {
        influences[i].weight = (float)((double)influences[i].weight / sum);
    }
    return kept;
}

uint32_t sknWeightUnits(VkskinWeightFormat format) {
    return format == VKSKIN_WEIGHTS_UNORM16 ? 65535 : format == VKSKIN_WEIGHTS_UNORM8 ? 255 : 0;
}

uint32_t sknCountUnits(const Influence *influences, uint32_t count, uint32_t total, uint32_t *units) {
    double remainders[MAX_INFLUENCES];
    double sum = sumOf(influences, count);
    uint32_t given = 0;
    for (uint32_t i = 0; i < count; i++) {
        double exact = (double)influences[i].weight / sum * total;
        units[i] = (uint32_t)exact;
        remainders[i] = exact - units[i];
        given += units[i];
    }
    /* Each of the units that are left goes to the largest remainder, the earliest among equals. */
    for (; given < total; given++) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < count; i++) {
            largest = remainders[i] > remainders[largest] ? i : largest;
        }
        units[largest]++;
        remainders[largest] = -1.0;
    }
    while (count > 1 && units[count - 1] == 0) {
        count--;
    }
    return count;
}
