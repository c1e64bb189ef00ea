/*
 * quaternion.h: unit quaternions (x, y, z, w). Worked in double precision, stored as float. Results may alias.
 */
#ifndef VKSKIN_QUATERNION_H
#define VKSKIN_QUATERNION_H

/* Scales q to unit length; one of zero length becomes (0, 0, 0, 1). */
void sknQuaternionNormalise(float q[4]);

/* From a (weight 0) to b (weight 1) at constant speed, the shorter way. a and b need not be of exact unit length. */
void sknQuaternionSlerp(const float a[4], const float b[4], double weight, float result[4]);

#endif
