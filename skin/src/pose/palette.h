/*
 * palette.h: the entries of a palette in every encoding.
 */
#ifndef VKSKIN_PALETTE_H
#define VKSKIN_PALETTE_H

#include "affine.h"

/*
 * Writes entry `bone` of a palette of any alignment. Only writes memory, in ascending order. Warnings: SCALE_LOST,
 * DEPTH_LOST. Error: TRANSFORM_NOT_FINITE, and the entry is unchanged.
 */
VkskinResult sknWriteBone(const AffineDouble *matrix, uint32_t bone, VkskinPaletteEncoding encoding, void *palette);

/*
 * Converts to the nearest IEEE 754 binary16 value, ties to even, with subnormals. False, and infinity, if the float is
 * NaN, infinite or at least 65,520.
 */
bool sknHalfFromFloat(float value, uint16_t *half);

#endif
