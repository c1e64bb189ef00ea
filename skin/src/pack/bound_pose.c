#include "vkskin/vkskin_pack.h"

#include "affine.h"

#include <math.h>

#define ROUNDING 1e-5

typedef struct Extent {
    double low[3], high[3];
    double size; /* largest coordinate of a node's origin or a corner */
} Extent;

/* Adds the box around a box of a node's space. */
static void addNode(Extent *extent, const VkskinAnimationBox *box, const VkskinAffine *world, double displacement) {
    for (int row = 0; row < 3; ++row) {
        const float *m = world->m[row];
        double centre = (double)m[3], half = 0.0;
        for (int i = 0; i < 3; ++i) {
            centre += (double)m[i] * 0.5 * ((double)box->low[i] + (double)box->high[i]);
            half += fabs((double)m[i]) * (0.5 * ((double)box->high[i] - (double)box->low[i]) + displacement);
        }
        extent->low[row] = fmin(extent->low[row], centre - half);
        extent->high[row] = fmax(extent->high[row], centre + half);
        extent->size = fmax(extent->size, fmax(fabs((double)m[3]), fabs(centre) + half));
    }
}

static bool isEmpty(const VkskinAnimationBox *box) {
    return box->high[0] < box->low[0];
}

/* False: too large for floats. See extentOf of crowd_bounds.c for other methods. */
static bool writeBound(const Extent *extent, VkskinMethod method, VkskinAnimationBox *bound) {
    double centre[3], half[3], radius = 0.0;
    for (int i = 0; i < 3; ++i) {
        centre[i] = 0.5 * (extent->low[i] + extent->high[i]);
        half[i] = 0.5 * (extent->high[i] - extent->low[i]);
        radius += half[i] * half[i];
    }
    VkskinAnimationBox made;
    bool fits = true;
    for (int i = 0; i < 3; ++i) {
        const double to =
            (method == VKSKIN_METHOD_LINEAR_BLEND ? half[i] : 2.0 * sqrt(radius)) + ROUNDING * extent->size;
        fits = fits && fabs(centre[i]) + to < 1e38;
        made.low[i] = fits ? (float)(centre[i] - to) : 0.0f;
        made.high[i] = fits ? (float)(centre[i] + to) : 0.0f;
    }
    *bound = fits ? made : *bound;
    return fits;
}

VkskinResult vkskinBoundPose(const VkskinAnimationBox *boxes, const VkskinAffine *world, uint32_t nodeCount,
                             VkskinMethod method, float displacement, VkskinAnimationBox *bound) {
    if (bound == NULL || (nodeCount > 0 && (boxes == NULL || world == NULL))) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if ((uint32_t)method >= VKSKIN_METHOD_COUNT || !(displacement >= 0.0f) || !isfinite(displacement)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    Extent extent = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0};
    for (uint32_t node = 0; node < nodeCount; ++node) {
        if (isEmpty(&boxes[node])) {
            continue;
        }
        if (!sknAreFinite(boxes[node].low, 3) || !sknAreFinite(boxes[node].high, 3) ||
            !sknAffineIsFinite(&world[node])) {
            return VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
        }
        addNode(&extent, &boxes[node], &world[node], (double)displacement);
    }
    if (extent.high[0] < extent.low[0]) {
        *bound = vkskinEmptyAnimationBox();
        return VKSKIN_SUCCESS;
    }
    return writeBound(&extent, method, bound) ? VKSKIN_SUCCESS : VKSKIN_ERROR_TRANSFORM_NOT_FINITE;
}
