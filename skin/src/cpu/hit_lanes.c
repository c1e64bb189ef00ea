/* hit_lanes.c: a ray against 64 boxes or 64 triangles. Compiled once per instruction level; all give the same bits. */
#include "hit.h"
#include "simd.h"

/* Comparisons with NaN are false: it moves neither distance, and excludes no box. */
SIMD_INLINE SimdMask entersBoxes(const HitRay *ray, const float *block, uint32_t lane, float limit, float *enters) {
    SimdFloat enter = simdSplat(0.0f), leave = simdSplat(limit);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const float *low = block + (size_t)axis * CLUSTER + lane, *high = low + (size_t)3 * CLUSTER;
        const SimdFloat origin = simdSplat(ray->origin[axis]), margin = simdSplat(ray->margin[axis]);
        const SimdFloat inverse = simdSplat(ray->inverse[axis]);
        const SimdFloat in = (simdLoad(ray->backwards[axis] ? high : low) - origin - margin) * inverse;
        const SimdFloat out = (simdLoad(ray->backwards[axis] ? low : high) - origin + margin) * inverse;
        enter = simdSelect(simdLess(enter, in), in, enter);
        leave = simdSelect(simdLess(out, leave), out, leave);
    }
    simdStore(enters + lane, enter);
    return simdLessOrEqual(enter, leave);
}

uint64_t SIMD_NAME(sknHitBoxes)(const HitRay *ray, const float *block, float limit, float *enters) {
    uint64_t bits = 0;
    for (uint32_t lane = 0; lane < CLUSTER; lane += SIMD_WIDTH) {
        bits |= (uint64_t)simdMaskBits(entersBoxes(ray, block, lane, limit, enters)) << lane;
    }
    return bits;
}

/* The sign of each edge function is exact unless it is 0: rounding keeps the order of the two products. */
SIMD_INLINE SimdMask missesTriangles(const HitRay *ray, const float *cluster, uint32_t lane) {
    SimdFloat x[3], y[3];
    for (uint32_t corner = 0; corner < 3; corner++) {
        const float *rows = cluster + (size_t)3 * CLUSTER * corner + lane;
        const SimdFloat z = simdLoad(rows + (size_t)CLUSTER * ray->axes[2]) - simdSplat(ray->origin[ray->axes[2]]);
        x[corner] = simdLoad(rows + (size_t)CLUSTER * ray->axes[0]) - simdSplat(ray->origin[ray->axes[0]]) -
                    simdSplat(ray->shear[0]) * z;
        y[corner] = simdLoad(rows + (size_t)CLUSTER * ray->axes[1]) - simdSplat(ray->origin[ray->axes[1]]) -
                    simdSplat(ray->shear[1]) * z;
    }
    const SimdFloat zero = simdSplat(0.0f);
    const SimdFloat u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2], w = x[1] * y[0] - y[1] * x[0];
    const SimdMask below = simdOr(simdOr(simdLess(u, zero), simdLess(v, zero)), simdLess(w, zero));
    const SimdMask above = simdOr(simdOr(simdLess(zero, u), simdLess(zero, v)), simdLess(zero, w));
    return simdAnd(below, above);
}

uint64_t SIMD_NAME(sknHitTriangles)(const HitRay *ray, const float *cluster) {
    uint64_t misses = 0;
    for (uint32_t lane = 0; lane < CLUSTER; lane += SIMD_WIDTH) {
        misses |= (uint64_t)simdMaskBits(missesTriangles(ray, cluster, lane)) << lane;
    }
    return ~misses;
}
