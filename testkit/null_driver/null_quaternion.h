/*
 * null_quaternion.h: quaternions (x, y, z, w) and dual ones, real part first, in single precision.
 */
#ifndef TESTS_NULL_QUATERNION_H
#define TESTS_NULL_QUATERNION_H

float nullDot4(const float a[4], const float b[4]);

/* By a unit quaternion. */
void nullRotate(const float q[4], const float v[3], float rotated[3]);

/* Of a dual quaternion whose real part is of unit length. */
void nullTranslation(const float pair[8], float translation[3]);

/* The matrix of rotation q, then uniform scale s, then translation t: rows of four. */
void nullRowsOf(const float q[4], float s, const float t[3], float rows[12]);

#endif
