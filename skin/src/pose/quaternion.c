#include "quaternion.h"

#include <math.h>

/*
 * In double precision: the dot product of floats rounds to one for pairs that are still 0.04 degrees apart, and nearly
 * antipodal pairs would pass through zero.
 */

static void normalised(const float q[4], double unit[4]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double length = sqrt(x * x + y * y + z * z + w * w);
    if (length == 0.0) {
        unit[0] = unit[1] = unit[2] = 0.0;
        unit[3] = 1.0;
        return;
    }
    unit[0] = x / length;
    unit[1] = y / length;
    unit[2] = z / length;
    unit[3] = w / length;
}

void sknQuaternionNormalise(float q[4]) {
    double unit[4];
    normalised(q, unit);
    for (int i = 0; i < 4; ++i) {
        q[i] = (float)unit[i];
    }
}

void sknQuaternionSlerp(const float a[4], const float b[4], double weight, float result[4]) {
    double from[4];
    double to[4];
    normalised(a, from);
    normalised(b, to);
    const double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
    const double sign = dot < 0.0 ? -1.0 : 1.0;
    double apart = 0.0;
    double along = 0.0;
    for (int i = 0; i < 4; ++i) {
        to[i] *= sign;
        apart += (to[i] - from[i]) * (to[i] - from[i]);
        along += (to[i] + from[i]) * (to[i] + from[i]);
    }
    /* The angle from the chord keeps its precision where an arc cosine loses it. */
    const double angle = 2.0 * atan2(sqrt(apart), sqrt(along));
    double weightFrom = 1.0 - weight;
    double weightTo = weight;
    /* Below, the arc and its chord differ by less than a float can tell. */
    if (angle > 1e-3) {
        const double whole = sin(angle);
        weightFrom = sin(weightFrom * angle) / whole;
        weightTo = sin(weightTo * angle) / whole;
    }
    for (int i = 0; i < 4; ++i) {
        result[i] = (float)(weightFrom * from[i] + weightTo * to[i]);
    }
}
