#include "sample.h"

#include <string.h>

#include "clip.h"
#include "quaternion.h"

/* Where a time lies: `weight` of the way, 0 up to below 1, from key to key + 1; weight 0 needs no next key. */
typedef struct KeyPlace {
    uint32_t key;
    double weight;
    double seconds; /* from key to key + 1 */
} KeyPlace;

static KeyPlace findKey(const VkskinTrack *track, double time) {
    /* The number of keys that are not after the time: equal neighbours are stepped over, so that the last wins. */
    uint32_t low = 0;
    uint32_t high = track->keyCount;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (track->times[middle] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || low == track->keyCount) {
        return (KeyPlace){.key = low == 0 ? 0 : low - 1};
    }
    const double start = track->times[low - 1];
    const double seconds = track->times[low] - start;
    return (KeyPlace){.key = low - 1, .weight = (time - start) / seconds, .seconds = seconds};
}

static void sampleLinear(const VkskinTrack *track, KeyPlace place, float *value, uint32_t count) {
    const uint32_t width = sknTrackValueWidth(track);
    const float *a = track->values + (size_t)place.key * width;
    const float *b = a + width;
    if (track->channel == VKSKIN_CHANNEL_ROTATION) {
        sknQuaternionSlerp(a, b, place.weight, value);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        value[i] = (float)((1.0 - place.weight) * a[i] + place.weight * b[i]);
    }
}

static void sampleCubic(const VkskinTrack *track, KeyPlace place, float *value, uint32_t count) {
    const size_t width = sknTrackValueWidth(track);
    const float *start = track->values + (size_t)place.key * 3 * width + width;
    const float *outTangent = start + width;
    const float *inTangent = outTangent + width;
    const float *end = inTangent + width;
    const double t = place.weight;
    const double t2 = t * t;
    const double t3 = t2 * t;
    for (uint32_t i = 0; i < count; ++i) {
        const double ends = (2.0 * t3 - 3.0 * t2 + 1.0) * start[i] + (3.0 * t2 - 2.0 * t3) * end[i];
        const double tangents = (t3 - 2.0 * t2 + t) * outTangent[i] + (t3 - t2) * inTangent[i];
        value[i] = (float)(ends + place.seconds * tangents);
    }
}

static void copyKey(const VkskinTrack *track, uint32_t key, float *value, uint32_t count) {
    const uint32_t width = sknTrackValueWidth(track);
    const uint32_t before = track->interpolation == VKSKIN_INTERPOLATION_CUBIC ? width : 0; /* the in-tangent */
    memcpy(value, track->values + key * sknTrackKeyWidth(track) + before, count * sizeof *value);
}

void sknSampleTrack(const VkskinTrack *track, double time, float *value, uint32_t count) {
    const KeyPlace place = findKey(track, time);
    if (place.weight == 0.0 || track->interpolation == VKSKIN_INTERPOLATION_STEP) {
        copyKey(track, place.key, value, count);
    } else if (track->interpolation == VKSKIN_INTERPOLATION_LINEAR) {
        sampleLinear(track, place, value, count);
    } else {
        sampleCubic(track, place, value, count);
    }
    if (track->interpolation == VKSKIN_INTERPOLATION_CUBIC && track->channel == VKSKIN_CHANNEL_ROTATION) {
        sknQuaternionNormalise(value);
    }
}
