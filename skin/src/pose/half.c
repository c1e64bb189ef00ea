#include "half.h"

#include <string.h>

#define HALF_INFINITY 0x7c00u
#define FLOAT_BIAS    127
#define HALF_BIAS     15
#define BITS_DROPPED  13 /* of a float's 23 bits of fraction a half keeps 10 */

/* value / 2^bits, of two as near the even one. */
static uint32_t shiftToNearestEven(uint32_t value, uint32_t bits) {
    const uint32_t kept = value >> bits;
    const uint32_t rest = value - (kept << bits);
    const uint32_t middle = 1u << (bits - 1);
    return kept + (rest > middle || (rest == middle && (kept & 1u) != 0));
}

bool sknHalfFromFloat(float value, uint16_t *half) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
    const int32_t exponent = (int32_t)(bits >> 23 & 0xffu) - FLOAT_BIAS + HALF_BIAS;
    const uint32_t fraction = bits & 0x7fffffu;
    uint32_t magnitude;
    if (exponent > 0 && exponent < 31) {
        /* Rounding up a fraction of all ones carries into the exponent, which is the right half, or infinity. */
        magnitude = shiftToNearestEven((uint32_t)exponent << 23 | fraction, BITS_DROPPED);
    } else if (exponent <= 0 && exponent >= -10) {
        magnitude = shiftToNearestEven(0x800000u | fraction, (uint32_t)(BITS_DROPPED + 1 - exponent));
    } else {
        magnitude = exponent < 0 ? 0 : HALF_INFINITY;
    }
    *half = (uint16_t)(sign | magnitude);
    return magnitude < HALF_INFINITY;
}
