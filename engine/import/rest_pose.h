/* rest_pose.h: a node's matrix, as files give it, taken apart into translation, rotation and scale. */
#ifndef ENGINE_REST_POSE_H
#define ENGINE_REST_POSE_H

#include "model.h"

/*
 * Writes the T R S closest to `matrix` (3x4, row-major): scale is the columns' lengths, the x scale negative where
 * the matrix mirrors; a column of length 0 gets scale 0 and any direction square to the others.
 * True when T R S gives the matrix back within 1e-5 of its largest 3x3 element; false: it has shear.
 */
bool restSplit(const VkskinAffine *matrix, VkskinTransform *transform);

/*
 * Sets node->rest and node->preTransform from the node's matrix. Where the matrix has shear it becomes the
 * pre-transform, the rest pose is the identity and repairs->nodesSheared counts it; an `animated` node cannot have
 * that, because its keys replace the whole of T R S: it takes the closest T R S.
 */
void restSet(ModelNode *node, const VkskinAffine *matrix, bool animated, ModelRepairs *repairs);

#endif
