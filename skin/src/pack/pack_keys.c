#include "pack.h"

#include <math.h>

/* ---- Rows at grid times ---- */

static const float (*valuesAt(const PackClip *clip, uint32_t grid))[4] {
    return (const float(*)[4])(clip->values + (size_t)grid * clip->channelCount);
}

/* Errors at grid times from g on, if a and b are neighbouring rows. Returns their count, at least 1. */
static uint32_t errorsFrom(const PackClip *clip, uint32_t a, uint32_t b, uint32_t g, float errors[PACK_LANES]) {
    const uint32_t count = b - g < clip->level.width ? b - g : clip->level.width;
    const float from = clip->grid[a].time;
    const float span = clip->grid[b].time - from;
    PackTimes times;
    for (uint32_t lane = 0; lane < count; ++lane) {
        times.a[lane] = *valuesAt(clip, a);
        times.b[lane] = *valuesAt(clip, b);
        times.fractions[lane] = span > 0.0f ? (clip->grid[g + lane].time - from) / span : 0.0f;
    }
    sknPackErrorsAt(clip, g, count, &times, errors);
    return count;
}

/* The largest error between the grid times a and b if these are neighbouring rows, and where it is. */
static float errorBetween(const PackClip *clip, uint32_t a, uint32_t b, float enough, uint32_t *worst) {
    float most = 0.0f;
    uint32_t count = 0;
    for (uint32_t g = a + 1; g < b && most <= enough; g += count) {
        float errors[PACK_LANES];
        count = errorsFrom(clip, a, b, g, errors);
        for (uint32_t lane = 0; lane < count; ++lane) {
            if (errors[lane] > most) {
                most = errors[lane];
                *worst = g + lane;
            }
        }
    }
    if (isinf(most)) { /* else always the first time: work grows with the square of the times */
        *worst = a + (b - a) / 2;
    }
    return most;
}

/* Splits intervals at their worst time until all keep to the bound. chosen: [gridCount], the ends are chosen. */
static void splitIntervals(PackClip *clip, float bound, bool *chosen) {
    uint32_t begin = 0;
    while (begin + 1 < clip->gridCount) {
        uint32_t end = begin + 1;
        while (!chosen[end]) {
            ++end;
        }
        uint32_t worst = begin + 1;
        if (errorBetween(clip, begin, end, INFINITY, &worst) > bound) {
            chosen[worst] = true;
        } else {
            begin = end;
        }
    }
}

/* Removes rows that turned out not to be needed, from the first to the last. */
static void joinIntervals(PackClip *clip, float bound, bool *chosen) {
    uint32_t before = 0;
    uint32_t row = 1;
    while (row + 1 < clip->gridCount) {
        if (chosen[row]) {
            uint32_t next = row + 1;
            while (!chosen[next]) {
                ++next;
            }
            uint32_t worst = 0;
            chosen[row] = errorBetween(clip, before, next, bound, &worst) > bound;
            before = chosen[row] ? row : before;
        }
        ++row;
    }
}

/* Memory for rows, in the clip's arena. */
static bool makeRows(PackClip *clip, uint32_t count, bool uniform, PackRows *rows) {
    *rows = (PackRows){.count = count, .uniform = uniform};
    rows->times = sknArenaLines(&clip->arena, count, sizeof *rows->times);
    rows->values = sknArenaLines(&clip->arena, count, clip->channelCount * sizeof *rows->values);
    return !clip->arena.failed;
}

bool sknPackChooseRows(PackClip *clip, float bound, PackRows *rows) {
    const VkskinHostAllocator *allocator = &clip->arena.allocator;
    bool *chosen = sknHostAllocateArray(allocator, clip->gridCount, sizeof *chosen);
    if (chosen == NULL) {
        return false;
    }
    chosen[0] = chosen[clip->gridCount - 1] = true;
    splitIntervals(clip, bound, chosen);
    joinIntervals(clip, bound, chosen);
    uint32_t count = 0;
    for (uint32_t g = 0; g < clip->gridCount; ++g) {
        count += chosen[g];
    }
    const bool made = makeRows(clip, count, false, rows);
    for (uint32_t g = 0, row = 0; made && g < clip->gridCount; ++g) {
        if (chosen[g]) {
            rows->times[row] = clip->grid[g].time;
            memcpy(rows->values + (size_t)row * clip->channelCount, valuesAt(clip, g),
                   clip->channelCount * sizeof *rows->values);
            ++row;
        }
    }
    sknHostFree(allocator, chosen);
    return made;
}

/* ---- Rows of equal distances ---- */

/* Does nothing for rows that are sampled already. */
static bool sampleUniform(PackClip *clip, uint32_t count, PackRows *rows) {
    if (rows->count > 0) {
        return true;
    }
    if (!makeRows(clip, count, true, rows)) {
        return false;
    }
    uint32_t near = 0;
    for (uint32_t row = 0; row < count; ++row) {
        const float time = (float)((double)clip->duration * row / (count - 1));
        while (near + 1 < clip->gridCount && clip->grid[near + 1].time <= time) {
            ++near;
        }
        rows->times[row] = time;
        sknPackSample(clip, (GridTime){.time = time}, valuesAt(clip, near),
                      rows->values + (size_t)row * clip->channelCount);
    }
    return true;
}

/*
 * Intervals are fractions and multiples of the source's, so that rows fall on its keys if these have equal distances.
 */
bool sknPackChooseUniform(PackClip *clip, float bound, uint32_t most, PackRows *rows) {
    const uint32_t intervals = clip->sourceCount - 1;
    *rows = (PackRows){0};
    for (uint32_t part = PACK_PARTS; part >= 1; --part) {
        if (intervals % part != 0 || intervals / part >= most) {
            continue;
        }
        PackRows *uniform = &clip->uniform[part - 1];
        if (!sampleUniform(clip, intervals / part + 1, uniform)) {
            return false;
        }
        if (sknPackErrorOf(clip, uniform, (const float(*)[4])uniform->values, bound) <= bound) {
            *rows = *uniform;
            return true;
        }
    }
    return true;
}
