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

/* `bits` of a word from `first` on, as a whole number with a sign. */
static float signedBits(uint32_t word, uint32_t first, uint32_t bits) {
    int32_t value = (int32_t)(word >> first & ((1u << bits) - 1));
    int32_t half = (int32_t)1 << (bits - 1);
    return (float)(value >= half ? value - 2 * half : value);
}

static void unitFromOctahedral(float x, float y, float *unit) {
    float ex = fmaxf(x, -1.0f);
    float ey = fmaxf(y, -1.0f);
    float z = 1.0f - fabsf(ex) - fabsf(ey);
    float fold = fmaxf(-z, 0.0f);
    float v[3] = {ex - copysignf(fold, ex), ey - copysignf(fold, ey), z};
    float scale = 1.0f / sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        unit[i] = v[i] * scale;
    }
}

void sknUnpackNormal(uint32_t word, float *normal) {
    unitFromOctahedral(signedBits(word, 0, 16) / 32767.0f, signedBits(word, 16, 16) / 32767.0f, normal);
}

void sknUnpackTangent(uint32_t word, float *tangent) {
    unitFromOctahedral(signedBits(word, 0, 16) / 32767.0f, signedBits(word, 16, 15) / 16383.0f, tangent);
    tangent[3] = (word & 0x80000000u) != 0 ? -1.0f : 1.0f;
}
