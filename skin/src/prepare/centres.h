/*
 * centres.h: stored centres of rotation: a head that identifies the mesh, then three floats per vertex.
 */
#ifndef VKSKIN_CENTRES_H
#define VKSKIN_CENTRES_H

#include "surface.h"

/*
 * Checks that `size` bytes at `centres` were written for the positions, joints and weights of a checked surface, and
 * that the values are finite. The bytes may have any alignment and any content. Error: CENTRES_MISMATCH, logged.
 */
VkskinResult sknMatchCentres(const Surface *surface, const void *centres, size_t size);

/* Reads the centre of a vertex. `centres` must have passed sknMatchCentres. */
void sknReadCentre(const void *centres, uint32_t vertex, float *centre);

#endif
