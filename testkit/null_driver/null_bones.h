/*
 * null_bones.h: a point moved by its bones, read from the palette page, by every method and encoding.
 */
#ifndef TESTS_NULL_BONES_H
#define TESTS_NULL_BONES_H

#include "null_code.h"
#include "null_influences.h"

/* What a method reads of a vertex besides its influences. */
typedef struct NullOwn {
    float blendWeight;
    float centre[3];
} NullOwn;

/* palette: of the instance, in units of 16 bytes. The influences are at least one. */
void nullMovePoint(NullAccess *access, NullMotion motion, uint32_t palette, const NullInfluences *influences,
                   const NullOwn *own, float point[3]);

#endif
