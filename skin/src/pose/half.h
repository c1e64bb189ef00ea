/*
 * half.h: IEEE 754 binary16.
 */
#ifndef VKSKIN_HALF_H
#define VKSKIN_HALF_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The half nearest to a float, of two as near the even one, subnormal halves included. False, and infinity, where the
 * float is NaN, infinite or 65,520 and more.
 */
bool sknHalfFromFloat(float value, uint16_t *half);

#endif
