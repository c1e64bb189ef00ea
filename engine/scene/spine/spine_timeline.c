/* spine_timeline.c: values of timelines between their keys. */
#include "spine_rig.h"

#include <stddef.h>

int64_t spineKey(const SpineTimeline *timeline, double time) {
    uint32_t low = 0, high = timeline->keyCount; /* keys below `low` are at or before the time */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)timeline->times[middle] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (int64_t)low - 1;
}

/* ---- Curves ---- */

#define SAMPLES   10 /* straight pieces of a curve, as the runtime of the format has them */
#define STEPS_MAX 60
#define STEP_MIN  1e-12 /* the next step of Newton's method would be about its square */

static double cubic(double a, double b, double c, double d, double t) {
    const double s = 1.0 - t;
    return s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d;
}

/* The places in (0, 1) where the curve turns round, ascending; returns how many. The derivative is a t^2 + b t + c. */
static int turnsOf(double p0, double p1, double p2, double p3, double turns[2]) {
    const double a = p3 - 3.0 * p2 + 3.0 * p1 - p0, b = 2.0 * (p2 - 2.0 * p1 + p0), c = p1 - p0;
    const double root = b * b - 4.0 * a * c;
    if (!(root > 0.0)) {
        return 0;
    }
    const double q = -0.5 * (b + (b < 0.0 ? -sqrt(root) : sqrt(root)));
    const double one = a != 0.0 ? q / a : -1.0, other = q != 0.0 ? c / q : -1.0;
    const double both[2] = {fmin(one, other), fmax(one, other)};
    int count = 0;
    for (int i = 0; i < 2; i++) {
        if (both[i] > 0.0 && both[i] < 1.0) {
            turns[count++] = both[i];
        }
    }
    return count;
}

/*
 * The value of a Bezier curve where it first reaches a time. Handles may lie outside the times of their keys, so that time
 * runs back for a while: between two turns it does not, and Newton's method finds the place. It halves the interval instead
 * where it would leave it.
 */
static double bezier(double t0, double v0, const float handles[4], double t1, double v1, double time) {
    const double h0 = (double)handles[0] - t0, h1 = (double)handles[2] - t0, end = t1 - t0, wanted = time - t0;
    const double a = end - 3.0 * h1 + 3.0 * h0, b = 3.0 * (h1 - 2.0 * h0),
                 c = 3.0 * h0; /* coefficients of a t^3 + b t^2 + c t */
    double turns[2], low = 0.0, high = 1.0;
    const int count = turnsOf(0.0, h0, h1, end, turns);
    for (int i = 0; i < count; i++) {
        if (cubic(0.0, h0, h1, end, turns[i]) >= wanted) {
            high = turns[i];
            break;
        }
        low = turns[i];
    }
    double at = fmin(fmax(wanted / end, low), high);
    for (int i = 0; i < STEPS_MAX; i++) {
        const double late = ((a * at + b) * at + c) * at - wanted, slope = (3.0 * a * at + 2.0 * b) * at + c;
        const double before = at;
        if (late <= 0.0) {
            low = at;
        } else {
            high = at;
        }
        at -= late / slope;
        if (!(slope > 0.0 && at >= low && at <= high)) {
            at = 0.5 * (low + high);
        }
        if (fabs(at - before) < STEP_MIN) {
            break;
        }
    }
    return cubic(v0, (double)handles[1], (double)handles[3], v1, at);
}

/* The products of cubic() at the parameter i / SAMPLES, for all i at once. */
#define AT(i)   ((i) / (double)SAMPLES)
#define REST(i) (1.0 - AT(i))
#define SHARES(of)                                                                                                     \
    { of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9) }
#define SHARE_0(i) (REST(i) * REST(i) * REST(i))
#define SHARE_1(i) (3.0 * REST(i) * REST(i) * AT(i))
#define SHARE_2(i) (3.0 * REST(i) * AT(i) * AT(i))
#define SHARE_3(i) (AT(i) * AT(i) * AT(i))
static const double SHARE[4][SAMPLES] = {SHARES(SHARE_0), SHARES(SHARE_1), SHARES(SHARE_2), SHARES(SHARE_3)};

/* cubic(a, b, c, d, i / SAMPLES), to the bit. */
static double sampleOf(double a, double b, double c, double d, int i) {
    return SHARE[0][i] * a + SHARE[1][i] * b + SHARE[2][i] * c + SHARE[3][i] * d;
}

/*
 * The same on the straight pieces between the parameters 0, 0.1 ... 1: the first piece that ends at the time or later. A
 * piece that ends where it begins has the value of its begin.
 */
static double bezierSampled(double t0, double v0, const float handles[4], double t1, double v1, double time) {
    double ends[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) { /* in SIMD lanes, which is faster than to stop at the first */
        ends[i] = sampleOf(t0, (double)handles[0], (double)handles[2], t1, i);
    }
    int last = 1;
    while (last < SAMPLES && !(ends[last] >= time)) {
        last++;
    }
    const bool first = last == 1, whole = last == SAMPLES;
    const double t = first ? t0 : ends[last - 1], end = whole ? t1 : ends[last];
    const double v = first ? v0 : sampleOf(v0, (double)handles[1], (double)handles[3], v1, last - 1);
    const double to = whole ? v1 : sampleOf(v0, (double)handles[1], (double)handles[3], v1, last);
    return end > t ? v + (to - v) * (time - t) / (end - t) : v;
}

/* Between key `key` and the next one. */
static double between(const SpineTimeline *timeline, size_t key, uint32_t curve, double v0, double v1, SpineTime at) {
    const double time = at.seconds;
    const double t0 = (double)timeline->times[key], t1 = (double)timeline->times[key + 1];
    switch (timeline->shapes[key]) {
    case SPINE_STEPPED:
        return v0;
    case SPINE_BEZIER:
        return (at.exact ? bezier : bezierSampled)(t0, v0, timeline->handles + (key * timeline->curves + curve) * 4, t1,
                                                   v1, time);
    default:
        return t1 > t0 ? v0 + (v1 - v0) * (time - t0) / (t1 - t0) : v0;
    }
}

static bool isLast(const SpineTimeline *timeline, int64_t key) {
    return key + 1 >= (int64_t)timeline->keyCount;
}

void spineSample(const SpineTimeline *timeline, SpineTime time, int64_t key, double *values) {
    const size_t first = (size_t)key;
    for (uint32_t i = 0; i < timeline->curves; i++) {
        const float *at = timeline->values + first * timeline->channels + i;
        values[i] = (double)at[0];
        if (!isLast(timeline, key)) {
            values[i] = between(timeline, first, i, (double)at[0], (double)at[timeline->channels], time);
        }
    }
}

bool spineDeformKey(const SpineTimeline *timeline, SpineTime time, uint32_t *key, double *mix) {
    const int64_t found = spineKey(timeline, time.seconds);
    *key = found < 0 ? 0 : (uint32_t)found;
    *mix = found < 0 || isLast(timeline, found) ? 0.0 : between(timeline, (size_t)found, 0, 0.0, 1.0, time);
    return found >= 0;
}

void spineDeform(const SpineDeform *deform, double *points) {
    const SpineTimeline *timeline = deform->timeline;
    uint32_t key;
    double mix;
    if (!spineDeformKey(timeline, deform->time, &key, &mix)) {
        return; /* the setup pose */
    }
    const float *from = timeline->values + (size_t)key * timeline->channels;
    const float *to = isLast(timeline, key) ? from : from + timeline->channels;
    for (uint32_t i = 0; i < timeline->channels; i++) {
        points[i] += deform->share * ((double)from[i] + ((double)to[i] - (double)from[i]) * mix);
    }
}

/* ---- Sequences ---- */

/* 0 1 2 1 0 1 ... for a count of 3. */
static uint64_t pingpong(uint64_t step, uint32_t count) {
    const uint64_t period = 2 * (uint64_t)count - 2;
    const uint64_t at = period > 0 ? step % period : 0;
    return at < count ? at : period - at;
}

uint32_t spineSequenceFrame(const SpineTimeline *timeline, double time, uint32_t count) {
    const int64_t key = spineKey(timeline, time);
    const int32_t *numbers = timeline->numbers + (size_t)key * 2;
    const double delay = (double)timeline->values[key];
    const double passed = (time - (double)timeline->times[key]) / (delay > 0.0 ? delay : 1.0);
    /* A time of exactly one delay shows the next frame, whatever its rounding. */
    const uint64_t steps = delay > 0.0 && numbers[0] != SPINE_SEQUENCE_HOLD ? (uint64_t)fmin(passed + 1e-5, 1e15) : 0;
    const uint64_t step = (uint64_t)numbers[1] + steps;
    const uint64_t last = count - 1;
    switch ((SpineSequence)numbers[0]) {
    case SPINE_SEQUENCE_LOOP:
        return (uint32_t)(step % count);
    case SPINE_SEQUENCE_PINGPONG:
        return (uint32_t)pingpong(step, count);
    case SPINE_SEQUENCE_ONCE_REVERSE:
        return (uint32_t)(step < last ? last - step : 0);
    case SPINE_SEQUENCE_LOOP_REVERSE:
        return (uint32_t)(last - step % count);
    case SPINE_SEQUENCE_PINGPONG_REVERSE:
        return (uint32_t)pingpong(step + last, count);
    default:
        return (uint32_t)(step < last ? step : last);
    }
}
