/*
 * vertex_pack.h: normals and tangents as the kernels read them.
 */
#ifndef VKSKIN_VERTEX_PACK_H
#define VKSKIN_VERTEX_PACK_H

#include <stdint.h>

/* Three components over their length; `fallback` where that is below 1e-20. */
void sknNormalise(const float *v, const float *fallback, float *unit);

/* A unit vector across the unit vector `normal`. */
void sknPerpendicular(const float *normal, float *unit);

/* The first and the second word of VKSKIN_VERTEX_PACKED; the vectors are of unit length. */
uint32_t sknPackNormal(const float *normal);
uint32_t sknPackTangent(const float *tangent, float handedness);

/* What the kernels make of them: three floats, and for a tangent the handedness, 1 or -1, as the fourth. */
void sknUnpackNormal(uint32_t word, float *normal);
void sknUnpackTangent(uint32_t word, float *tangent);

#endif
