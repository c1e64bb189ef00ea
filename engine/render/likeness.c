#include "likeness.h"

#include <math.h>
#include <stdlib.h>

static bool sameSize(const Picture *a, const Picture *b) {
    return a->width == b->width && a->height == b->height;
}

/* Value of a channel with its alpha applied, 0 to 255. */
static double shownValue(const uint8_t *pixel, int channel) {
    return pixel[channel] * (pixel[3] / 255.0);
}

/* The sum of squared differences of a pixel; *largest is raised. */
static double differenceOf(const uint8_t *a, const uint8_t *b, double *largest) {
    double sum = 0.0;
    for (int channel = 0; channel < 3; channel++) {
        const double difference = fabs(shownValue(a, channel) - shownValue(b, channel));
        sum += difference * difference;
        *largest = fmax(*largest, difference);
    }
    return sum;
}

bool pictureLikeness(const Picture *a, const Picture *b, const Picture *const covers[2], Likeness *likeness,
                     EngineError *error) {
    const Picture *const shown[2] = {covers ? covers[0] : a, covers ? covers[1] : b};
    const size_t count = (size_t)a->width * a->height;
    double sum = 0.0, largest = 0.0;
    *likeness = (Likeness){.covered = 0};
    if (!sameSize(a, b) || !sameSize(a, shown[0]) || !sameSize(a, shown[1])) {
        return engineFail(error, "pictures of different sizes cannot be compared");
    }
    for (size_t i = 0; i < 4 * count; i += 4) {
        if (shown[0]->pixels[i + 3] > 0 || shown[1]->pixels[i + 3] > 0) {
            const double squared = differenceOf(a->pixels + i, b->pixels + i, &largest);
            likeness->covered++;
            likeness->different += squared > 0.0 ? 1 : 0;
            sum += squared;
        }
    }
    likeness->largest = (uint32_t)lround(largest);
    if (likeness->covered > 0) {
        const double most = 255.0 * 255.0 * 3.0 * (double)likeness->covered;
        likeness->decibels = sum > 0.0 ? fmin(10.0 * log10(most / sum), LIKENESS_EQUAL) : LIKENESS_EQUAL;
    }
    return true;
}
