/*
 * ragdoll_limits.h: how far the joints of a ragdoll turn, by how far the clips of the model turn them. It needs no physics
 * engine.
 */
#ifndef ENGINE_RAGDOLL_LIMITS_H
#define ENGINE_RAGDOLL_LIMITS_H

#include "ragdoll_shape.h"

/*
 * Finds the joints of all bodies. A joint that the clips turn about one axis, within 5 degrees, is a hinge; others are
 * balls. Limits are the range in the clips and 10 degrees more at both ends; the middle angle of a ball stays within 80
 * degrees. Without clips every joint turns 45 degrees each way. The cost is bounded: clips are sampled at most 2,048 times.
 */
bool ragdollFindLimits(RagdollShape *shape, const ClipSource *source, EngineError *error);

/* The angles of a joint, in radians, from the orientations of its bodies; of a hinge, only the first one. */
void ragdollAngles(const RagdollJoint *joint, Turn parent, Turn child, double angles[3]);

#endif
