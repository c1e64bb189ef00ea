/*
 * centres.h: stored centres of rotation: a head that knows what mesh they are of, then three floats a vertex.
 */
#ifndef VKSKIN_CENTRES_H
#define VKSKIN_CENTRES_H

#include "surface.h"

/*
 * Whether `size` bytes at `centres`, of any alignment and from anywhere, were written for the positions, joints and
 * weights of a checked surface, and are finite. Error: CENTRES_MISMATCH, logged.
 */
VkskinResult sknMatchCentres(const Surface *surface, const void *centres, size_t size);

/* The centre of a vertex, of bytes that match. */
void sknReadCentre(const void *centres, uint32_t vertex, float *centre);

/* Writes head and centres[vertexCount] of float3 as vkskinCentresSize(vertexCount) bytes of any alignment. */
void sknStoreCentres(const Surface *surface, const float *centres, void *bytes);

#endif
