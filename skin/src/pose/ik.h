/*
 * ik.h: turns a node of a pose.
 */
#ifndef VKSKIN_IK_INTERNAL_H
#define VKSKIN_IK_INTERNAL_H

#include "quaternion.h"
#include "skeleton.h"

/* Turns a node by the share `weight` of a model-space rotation Q: with the base B, Q B L = B (B^-1 Q B) L. */
void sknTurnNode(VkskinSkeleton skeleton, const VkskinAffine *world, uint32_t node, Quaternion turn, double weight,
                 VkskinTransform *pose);

#endif
