/*
 * pose_builders.h: skeletons, clips and skins of a test.
 * Objects are destroyed when the test ends. A refused def fails the test.
 */
#ifndef TESTS_POSE_BUILDERS_H
#define TESTS_POSE_BUILDERS_H

#include "host_doubles.h"
#include "vkskin/vkskin_pose.h"

/* ---- Objects ---- */

/* preTransforms may be null. */
VkskinSkeleton ownSkeleton(uint32_t nodeCount, const int32_t *parents, const VkskinTransform *rest,
                           const VkskinAffine *preTransforms, VkskinLogger logger);
VkskinClip ownClip(uint32_t nodeCount, const VkskinTrack *tracks, uint32_t trackCount, float duration);
/* inverseBinds and meshToModel may be null: the identity. */
VkskinSkin ownSkin(uint32_t nodeCount, uint32_t boneCount, const uint32_t *boneNodes, const VkskinAffine *inverseBinds,
                   const VkskinAffine *meshToModel);
VkskinPoseBatch ownPoseBatch(const VkskinPoseBatchDef *def);

/* For own(). */
void destroyPoseBatch(void *batch);
void destroyMachine(void *machine);
void freeBlock(void *block); /* frees a packed animation set */

/* ---- Values ---- */

/* The rotation by `degrees` about an axis of any length but zero. */
void turnAbout(const double axis[3], double degrees, float q[4]);

/* Fails the test unless each element is within `tolerance` of the expected one. */
void assertRows(const VkskinAffine *actual, const float expected[3][4], float tolerance);

/* -1 to 1. */
float randomFraction(void);

#endif
