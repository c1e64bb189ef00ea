/*
 * vector_math.h: vectors, quaternions and dual quaternions of one vertex, as in shaders/vkskin/vkskin_vertex.glsl. For
 * loops over the lanes of a block, which the compiler vectorises: functions have no branches.
 */
#ifndef VKSKIN_VECTOR_MATH_H
#define VKSKIN_VECTOR_MATH_H

#include <math.h>

#include "simd.h"

typedef struct Vec3 {
    float x, y, z;
} Vec3;

typedef struct Quat {
    float x, y, z, w;
} Quat;

typedef struct Dual {
    Quat real, dual;
} Dual;

typedef struct Mat3 {
    Vec3 rows[3];
} Mat3;

SIMD_INLINE Vec3 add(Vec3 a, Vec3 b) {
    return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

SIMD_INLINE Vec3 scale(float s, Vec3 v) {
    return (Vec3){s * v.x, s * v.y, s * v.z};
}

SIMD_INLINE float dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SIMD_INLINE Vec3 cross(Vec3 a, Vec3 b) {
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SIMD_INLINE Vec3 mapVector(Mat3 m, Vec3 v) {
    return (Vec3){dot(m.rows[0], v), dot(m.rows[1], v), dot(m.rows[2], v)};
}

/* A power of two near 1 / size, at least the smallest normal float. size: more than 0. */
SIMD_INLINE float inverseSize(float size) {
    int32_t bits;
    memcpy(&bits, &size, sizeof bits);
    int32_t inverse = 0x7f000000 - (bits & 0x7f800000); /* the exponent mirrored at that of 1 */
    inverse = inverse > 0x00800000 ? inverse : 0x00800000;
    memcpy(&size, &inverse, sizeof size);
    return size;
}

SIMD_INLINE float largestOf(Vec3 v) {
    float xy = fabsf(v.x) > fabsf(v.y) ? fabsf(v.x) : fabsf(v.y);
    return xy > fabsf(v.z) ? xy : fabsf(v.z);
}

/* The inverse transpose up to a positive factor: the cofactors, with the determinant's sign. Elements: not far from 1. */
SIMD_INLINE Mat3 normalMatrix(Mat3 m) {
    Mat3 c = {{cross(m.rows[1], m.rows[2]), cross(m.rows[2], m.rows[0]), cross(m.rows[0], m.rows[1])}};
    float side = dot(m.rows[0], c.rows[0]) < 0.0f ? -1.0f : 1.0f;
    return (Mat3){{scale(side, c.rows[0]), scale(side, c.rows[1]), scale(side, c.rows[2])}};
}

/* r s for a symmetric s. */
SIMD_INLINE Mat3 timesSymmetric(Mat3 r, Mat3 s) {
    return (Mat3){{mapVector(s, r.rows[0]), mapVector(s, r.rows[1]), mapVector(s, r.rows[2])}};
}

SIMD_INLINE float dotQuat(Quat a, Quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

SIMD_INLINE Quat scaleQuat(float s, Quat q) {
    return (Quat){s * q.x, s * q.y, s * q.z, s * q.w};
}

/* One over the length, or 0. */
SIMD_INLINE float inverseLength(Quat q) {
    float squared = dotQuat(q, q);
    return squared > 0.0f ? 1.0f / sqrtf(squared) : 0.0f;
}

SIMD_INLINE Vec3 axis(Quat q) {
    return (Vec3){q.x, q.y, q.z};
}

/* q: of unit length. */
SIMD_INLINE Mat3 rotationMatrix(Quat q) {
    Vec3 d = scale(2.0f, axis(q));
    Vec3 square = {q.x * d.x, q.y * d.y, q.z * d.z};
    float xy = q.x * d.y, xz = q.x * d.z, yz = q.y * d.z;
    Vec3 w = scale(q.w, d);
    return (Mat3){{{1.0f - square.y - square.z, xy - w.z, xz + w.y},
                   {xy + w.z, 1.0f - square.x - square.z, yz - w.x},
                   {xz - w.y, yz + w.x, 1.0f - square.x - square.y}}};
}

/* After blending, the dual part may not be orthogonal to the real part. Its parallel component has no effect here. */
SIMD_INLINE Vec3 translationOf(Dual q) {
    Vec3 along = add(scale(q.real.w, axis(q.dual)), scale(-q.dual.w, axis(q.real)));
    return scale(2.0f, add(along, cross(axis(q.real), axis(q.dual))));
}

/* Scales v to length 1; zero becomes `fallback`. Scales by a power of two first, because the square of a very small or
 * large length does not fit a float. */
SIMD_INLINE Vec3 unitOr(Vec3 v, Vec3 fallback) {
    float largest = largestOf(v);
    Vec3 u = scale(inverseSize(largest), v);
    float squared = dot(u, u);
    u = scale(1.0f / sqrtf(largest > 0.0f ? squared : 1.0f), u);
    return (Vec3){largest > 0.0f ? u.x : fallback.x, largest > 0.0f ? u.y : fallback.y,
                  largest > 0.0f ? u.z : fallback.z};
}

SIMD_INLINE float clampUnit(float value) {
    float above = value > -1.0f ? value : -1.0f;
    return above < 1.0f ? above : 1.0f;
}

/* Rounds value * size to the low bits of a word: the last bit of a float from 2^23 up is worth 1. clampUnit makes NaN
 * to -1. */
SIMD_INLINE uint32_t wholeBits(float value, float size) {
    float sum = clampUnit(value) * size + 0x1.8p23f;
    uint32_t word;
    memcpy(&word, &sum, sizeof word);
    return word;
}

/* The octahedral coordinates of a unit vector. */
SIMD_INLINE Vec3 octahedral(Vec3 v) {
    float inverse = 1.0f / (fabsf(v.x) + fabsf(v.y) + fabsf(v.z));
    float x = v.x * inverse;
    float y = v.y * inverse;
    float foldedX = x >= 0.0f ? 1.0f - fabsf(y) : fabsf(y) - 1.0f;
    float foldedY = y >= 0.0f ? 1.0f - fabsf(x) : fabsf(x) - 1.0f;
    return (Vec3){v.z < 0.0f ? foldedX : x, v.z < 0.0f ? foldedY : y, 0.0f};
}

/* The words of VKSKIN_VERTEX_PACKED. */
SIMD_INLINE uint32_t packNormal(Vec3 normal) {
    Vec3 e = octahedral(normal);
    return (wholeBits(e.x, 32767.0f) & 0xffffu) | wholeBits(e.y, 32767.0f) << 16;
}

SIMD_INLINE uint32_t packTangent(Vec3 tangent, float handedness) {
    Vec3 e = octahedral(tangent);
    uint32_t vector = (wholeBits(e.x, 32767.0f) & 0xffffu) | (wholeBits(e.y, 16383.0f) & 0x7fffu) << 16;
    return vector | (handedness < 0.0f ? 0x80000000u : 0u);
}

/* A word of VKSKIN_VERTEX_SNORM10. v: of unit length. w: -1, 0 or 1. */
SIMD_INLINE uint32_t packSnorm10(Vec3 v, float w) {
    return (wholeBits(v.x, 511.0f) & 0x3ffu) | (wholeBits(v.y, 511.0f) & 0x3ffu) << 10 |
           (wholeBits(v.z, 511.0f) & 0x3ffu) << 20 | wholeBits(w, 1.0f) << 30;
}

/* The lower 16 bits of a word as an IEEE half. */
SIMD_INLINE float halfToFloat(uint32_t word) {
    uint32_t bits = (word & 0x7fffu) << 13;
    uint32_t special = (word & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u; /* infinities and NaN */
    float size;
    memcpy(&size, &bits, sizeof size);
    size *= 0x1p112f;
    memcpy(&bits, &size, sizeof bits);
    bits |= special | (word & 0x8000u) << 16;
    memcpy(&size, &bits, sizeof size);
    return size;
}

/* The lower 16 bits of a word as a signed normalised number: 32767 is 1. */
SIMD_INLINE float snormToFloat(uint32_t word) {
    int32_t value = (int32_t)(word & 0xffffu);
    value -= (value & 0x8000) * 2;
    float share = (float)value / 32767.0f;
    return share > -1.0f ? share : -1.0f;
}

#endif
