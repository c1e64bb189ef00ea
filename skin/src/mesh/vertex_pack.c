#include "vertex_pack.h"

#include <math.h>
#include <stdbool.h>

void sknNormalise(const float *v, const float *fallback, float *unit) {
    double length = sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        unit[i] = length < 1e-20 ? fallback[i] : (float)(v[i] / length);
    }
}

void sknPerpendicular(const float *normal, float *unit) {
    /* Crossing with the axis that the normal is farthest from never comes near zero. */
    bool alongX = fabsf(normal[0]) > 0.7f;
    float across[3] = {alongX ? -normal[2] : 0.0f, alongX ? 0.0f : normal[2], alongX ? normal[0] : -normal[1]};
    static const float x[3] = {1.0f, 0.0f, 0.0f};
    sknNormalise(across, x, unit);
}

static void octahedral(const float *v, float *e) {
    float sum = fabsf(v[0]) + fabsf(v[1]) + fabsf(v[2]);
    float x = v[0] / sum;
    float y = v[1] / sum;
    bool lower = v[2] < 0.0f;
    e[0] = lower ? copysignf(1.0f - fabsf(y), x) : x;
    e[1] = lower ? copysignf(1.0f - fabsf(x), y) : y;
}

static uint32_t snorm(float value, float scale, uint32_t mask) {
    float clamped = fminf(fmaxf(value, -1.0f), 1.0f);
    return (uint32_t)(int32_t)lrintf(clamped * scale) & mask;
}

uint32_t sknPackNormal(const float *normal) {
    float e[2];
    octahedral(normal, e);
    return snorm(e[0], 32767.0f, 0xffffu) | snorm(e[1], 32767.0f, 0xffffu) << 16;
}

uint32_t sknPackTangent(const float *tangent, float handedness) {
    float e[2];
    octahedral(tangent, e);
    uint32_t words = snorm(e[0], 32767.0f, 0xffffu) | snorm(e[1], 16383.0f, 0x7fffu) << 16;
    return words | (handedness < 0.0f ? 0x80000000u : 0u);
}
