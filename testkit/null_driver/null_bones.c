#include "null_bones.h"

#include <math.h>
#include <string.h>

#include "null_quaternion.h"

#define SET LAYOUT_SET_PALETTE

/* A float4 of the palette; the kernels' sums wrap around at 32 bits. */
static void readFloat4s(NullAccess *access, uint32_t at, uint32_t count, float *values) {
    nullReadFloats(access, access->palettes, UINT64_C(4) * at, 4 * count, values);
}

static float halfOf(uint32_t bits) {
    uint32_t exponent = bits >> 10 & 31u;
    float mantissa = (float)(bits & 1023u);
    float size = exponent == 0    ? ldexpf(mantissa, -24)
                 : exponent == 31 ? (mantissa > 0.0f ? NAN : INFINITY)
                                  : ldexpf(1024.0f + mantissa, (int)exponent - 25);
    return (bits & 0x8000u) != 0 ? -size : size;
}

static float snorm16Of(uint32_t bits) {
    return fmaxf((float)(int16_t)(uint16_t)bits / 32767.0f, -1.0f);
}

/* Each word is two values of 16 bits, the low one first. */
static void readPairs(NullAccess *access, uint64_t at, uint32_t words, float (*read)(uint32_t), float *values) {
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = nullReadWord(access, SET, at + i);
        values[2 * i] = read(word & 0xffffu);
        values[2 * i + 1] = read(word >> 16);
    }
}

static void unitRotation(float q[4]) {
    float squared = nullDot4(q, q);
    float scale = squared > 0.0f ? 1.0f / sqrtf(squared) : 0.0f;
    for (uint32_t i = 0; i < 4; i++) {
        q[i] *= scale;
    }
}

/* Rotation (4), translation (3), scale. */
static void readQuaternion(NullAccess *access, NullMotion motion, uint32_t palette, uint32_t joint, float entry[8]) {
    if (motion == NULL_MOTION_QUATERNION) {
        readFloat4s(access, palette + joint * 2, 2, entry);
    } else if (motion == NULL_MOTION_QUATERNION_HALF) {
        readPairs(access, UINT64_C(4) * (palette + joint), 4, halfOf, entry);
        unitRotation(entry);
    } else {
        uint32_t at = palette * 4 + joint * 6;
        readPairs(access, at, 2, snorm16Of, entry);
        nullReadFloats(access, SET, (uint64_t)at + 2, 4, entry + 4);
        unitRotation(entry);
    }
}

static void readRows(NullAccess *access, NullMotion motion, uint32_t palette, uint32_t joint, float rows[12]) {
    memset(rows, 0, 12 * sizeof *rows);
    if (motion == NULL_MOTION_MATRIX) {
        readFloat4s(access, palette + joint * 3, 3, rows);
    } else if (motion == NULL_MOTION_FLAT_MATRIX) {
        float flat[6];
        nullReadFloats(access, SET, palette * 4 + joint * 6, 6, flat);
        for (uint32_t r = 0; r < 2; r++) {
            rows[4 * r] = flat[3 * r];
            rows[4 * r + 1] = flat[3 * r + 1];
            rows[4 * r + 3] = flat[3 * r + 2];
        }
    } else {
        float entry[8];
        readQuaternion(access, motion, palette, joint, entry);
        nullRowsOf(entry, entry[7], entry + 4, rows);
    }
}

static void throughRows(const float rows[12], float point[3]) {
    const float p[4] = {point[0], point[1], point[2], 1.0f};
    for (uint32_t r = 0; r < 3; r++) {
        point[r] = nullDot4(&rows[4 * r], p);
    }
}

static void moveLinear(NullAccess *access, NullMotion motion, uint32_t palette, const NullInfluences *influences,
                       float point[3]) {
    float rows[12] = {0};
    for (uint32_t i = 0; i < influences->count; i++) {
        float bone[12];
        readRows(access, motion, palette, influences->joints[i], bone);
        for (uint32_t k = 0; k < 12; k++) {
            rows[k] += influences->weights[i] * bone[k];
        }
    }
    throughRows(rows, point);
}

/*
 * Blends entries of a dual quaternion and, in 64 bytes, a stretch: the first on the hemisphere of the first influence,
 * brought to unit length, the second linearly.
 */
static void blendDual(NullAccess *access, uint32_t float4s, uint32_t palette, const NullInfluences *influences,
                      float sum[16]) {
    float pivot[4];
    readFloat4s(access, palette + influences->joints[0] * float4s, 1, pivot);
    memset(sum, 0, 16 * sizeof *sum);
    for (uint32_t i = 0; i < influences->count; i++) {
        float bone[16] = {0};
        readFloat4s(access, palette + influences->joints[i] * float4s, float4s, bone);
        float weight = influences->weights[i];
        float turned = nullDot4(pivot, bone) < 0.0f ? -weight : weight;
        for (uint32_t k = 0; k < 16; k++) {
            sum[k] += (k < 8 ? turned : weight) * bone[k];
        }
    }
    float squared = nullDot4(sum, sum);
    float scale = squared > 0.0f ? 1.0f / sqrtf(squared) : 0.0f;
    for (uint32_t k = 0; k < 8; k++) {
        sum[k] *= scale;
    }
}

static void throughDual(const float pair[8], float point[3]) {
    float rotated[3], translation[3];
    nullRotate(pair, point, rotated);
    nullTranslation(pair, translation);
    for (uint32_t i = 0; i < 3; i++) {
        point[i] = rotated[i] + translation[i];
    }
}

/* The stretch of an entry: (xx, yy, zz, xy), (xz, yz, 0, 0). */
static void stretch(const float entry[16], float point[3]) {
    const float *s = entry + 8;
    const float rows[12] = {s[0], s[3], s[4], 0.0f, s[3], s[1], s[5], 0.0f, s[4], s[5], s[2], 0.0f};
    throughRows(rows, point);
}

static void throughStretched(const float entry[16], float point[3]) {
    stretch(entry, point);
    throughDual(entry, point);
}

/* Each bone moves the point, the results are mixed: the same as the mean of the bones' matrices. */
static void moveStretchedLinearly(NullAccess *access, uint32_t palette, const NullInfluences *influences,
                                  float point[3]) {
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < influences->count; i++) {
        float entry[16];
        float moved[3] = {point[0], point[1], point[2]};
        readFloat4s(access, palette + influences->joints[i] * 4, 4, entry);
        throughStretched(entry, moved);
        for (uint32_t k = 0; k < 3; k++) {
            sum[k] += influences->weights[i] * moved[k];
        }
    }
    memcpy(point, sum, sizeof sum);
}

static void movePainted(NullAccess *access, uint32_t palette, const NullInfluences *influences, float blendWeight,
                        float point[3]) {
    float entry[16];
    float turned[3] = {point[0], point[1], point[2]};
    blendDual(access, 4, palette, influences, entry);
    throughStretched(entry, turned);
    moveStretchedLinearly(access, palette, influences, point);
    for (uint32_t k = 0; k < 3; k++) {
        point[k] += blendWeight * (turned[k] - point[k]);
    }
}

static void moveAboutCentre(NullAccess *access, uint32_t palette, const NullInfluences *influences,
                            const float centre[3], float point[3]) {
    float entry[16];
    float moved[3] = {centre[0], centre[1], centre[2]};
    float arm[3] = {point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]};
    float turned[3];
    blendDual(access, 4, palette, influences, entry);
    stretch(entry, arm);
    nullRotate(entry, arm, turned);
    moveStretchedLinearly(access, palette, influences, moved);
    for (uint32_t k = 0; k < 3; k++) {
        point[k] = moved[k] + turned[k];
    }
}

void nullMovePoint(NullAccess *access, NullMotion motion, uint32_t palette, const NullInfluences *influences,
                   const NullOwn *own, float point[3]) {
    float entry[16];
    switch (motion) {
    case NULL_MOTION_DUAL_QUATERNION:
        blendDual(access, 2, palette, influences, entry);
        throughDual(entry, point);
        return;
    case NULL_MOTION_SCALED_DUAL_QUATERNION:
        blendDual(access, 4, palette, influences, entry);
        throughStretched(entry, point);
        return;
    case NULL_MOTION_PAINTED_BLEND:
        movePainted(access, palette, influences, own->blendWeight, point);
        return;
    case NULL_MOTION_CENTRES:
        moveAboutCentre(access, palette, influences, own->centre, point);
        return;
    default:
        moveLinear(access, motion, palette, influences, point);
        return;
    }
}
