/*
 * palette.h: one entry of a palette.
 */
#ifndef VKSKIN_PALETTE_H
#define VKSKIN_PALETTE_H

#include "affine.h"

/*
 * Writes entry `bone` of a palette of any alignment; its bytes are only written, in ascending order. Warnings:
 * SCALE_LOST, DEPTH_LOST. Error: TRANSFORM_NOT_FINITE, and the entry is as it was.
 */
VkskinResult sknWriteBone(const AffineDouble *matrix, uint32_t bone, VkskinPaletteEncoding encoding, void *palette);

#endif
