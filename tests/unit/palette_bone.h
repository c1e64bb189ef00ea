/*
 * palette_bone.h: palettes of one bone, and the transform of an entry in double precision.
 */
#ifndef TESTS_PALETTE_BONE_H
#define TESTS_PALETTE_BONE_H

#include "vkskin/vkskin_pose.h"

/* Writes a palette of one bone that is its node. */
VkskinResult writeBone(const VkskinAffine *world, VkskinPaletteEncoding encoding, void *palette);

/* out = q v q*, divided by the square of the length of q. */
void rotateVector(const float q[4], const double v[3], double out[3]);

/* The translation of a dual quaternion: 2 x dual x conjugate of real, divided likewise. */
void dualTranslation(const float real[4], const float dual[4], double out[3]);

/* The coordinate axes, then axes of other directions and lengths. */
#define TURN_AXES 7
extern const double turnAxes[TURN_AXES][3];

/* The rotation by `degrees` about an axis of any length but zero. */
void turnAbout(const double axis[3], double degrees, float q[4]);

/* A scale, then that rotation, then a translation by (3, -40, 0.5). */
VkskinAffine turnedScale(const double axis[3], double degrees, float x, float y, float z);

/* Fails the test unless each element of the 3x4 matrix `actual` is within `tolerance` of the largest of expected's
 * column group (the first three columns, or the fourth). */
void assertAffine(double actual[3][4], const VkskinAffine *expected, double tolerance);

/* -1 to 1. */
float randomFraction(void);

#endif
