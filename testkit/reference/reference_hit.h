/*
 * reference_hit.h: the nearest hit of a ray by the test of every triangle, for vkskin_hit.h.
 */
#ifndef TESTKIT_REFERENCE_HIT_H
#define TESTKIT_REFERENCE_HIT_H

#include "vkskin/vkskin_hit.h"

/* Woop, Benthin and Wald 2013 with edges in double precision. All fields but `bone`, which is 0. positions: tightly packed. */
VkskinHit referenceHit(const float *positions, const uint32_t *indices, uint32_t triangleCount, const VkskinRay *ray);

#endif
