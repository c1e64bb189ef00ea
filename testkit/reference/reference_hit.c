#include "reference_hit.h"

#include <float.h>
#include <math.h>

/* A ray along z: kx, ky and kz are its axes. */
typedef struct Shear {
    int kx, ky, kz;
    float sx, sy;
} Shear;

static Shear shearOf(const VkskinRay *ray) {
    const float *d = ray->direction;
    int kz = 0;
    for (int axis = 1; axis < 3; axis++) {
        kz = fabsf(d[axis]) > fabsf(d[kz]) ? axis : kz;
    }
    const int kx = (kz + 1) % 3, ky = (kz + 2) % 3;
    return (Shear){kx, ky, kz, d[kx] / d[kz], d[ky] / d[kz]};
}

/* Cross product of two sides. */
static void faceNormal(const float *a, const float *b, const float *c, float normal[3]) {
    double cross[3], length = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        cross[i] = ((double)b[j] - (double)a[j]) * ((double)c[k] - (double)a[k]) -
                   ((double)b[k] - (double)a[k]) * ((double)c[j] - (double)a[j]);
        length += cross[i] * cross[i];
    }
    for (int i = 0; i < 3 && length > 0.0; i++) {
        normal[i] = (float)(cross[i] / sqrt(length));
    }
}

/* False: no hit at or after the origin. */
static bool hitTriangle(const Shear *shear, const VkskinRay *ray, const float *const corners[3], VkskinHit *hit) {
    float x[3], y[3], z[3];
    for (int i = 0; i < 3; i++) {
        z[i] = corners[i][shear->kz] - ray->origin[shear->kz];
        x[i] = corners[i][shear->kx] - ray->origin[shear->kx] - shear->sx * z[i];
        y[i] = corners[i][shear->ky] - ray->origin[shear->ky] - shear->sy * z[i];
    }
    const double u = (double)x[2] * (double)y[1] - (double)y[2] * (double)x[1];
    const double v = (double)x[0] * (double)y[2] - (double)y[0] * (double)x[2];
    const double w = (double)x[1] * (double)y[0] - (double)y[1] * (double)x[0];
    const double sum = u + v + w;
    const bool inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    if (!inside || sum == 0.0) {
        return false;
    }
    const double a = u / sum, b = v / sum, c = w / sum;
    const double distance =
        (a * (double)z[0] + b * (double)z[1] + c * (double)z[2]) / (double)ray->direction[shear->kz];
    *hit = (VkskinHit){.distance = (float)distance, .barycentrics = {(float)a, (float)b, (float)c}};
    return distance >= 0.0 && distance <= (double)FLT_MAX;
}

VkskinHit referenceHit(const float *positions, const uint32_t *indices, uint32_t triangleCount, const VkskinRay *ray) {
    const Shear shear = shearOf(ray);
    VkskinHit nearest = {.triangle = VKSKIN_NO_HIT};
    for (uint32_t i = 0; i < triangleCount; i++) {
        const uint32_t *three = indices + 3 * (size_t)i;
        const float *const corners[3] = {positions + 3 * (size_t)three[0], positions + 3 * (size_t)three[1],
                                         positions + 3 * (size_t)three[2]};
        VkskinHit hit;
        if (!hitTriangle(&shear, ray, corners, &hit) || (ray->maxDistance > 0.0f && hit.distance > ray->maxDistance) ||
            (nearest.triangle != VKSKIN_NO_HIT && !(hit.distance < nearest.distance))) {
            continue;
        }
        nearest = hit;
        nearest.triangle = i;
        faceNormal(corners[0], corners[1], corners[2], nearest.normal);
    }
    return nearest;
}
