/* rest_pose.h: the rest poses of nodes from their matrices. */
#ifndef ENGINE_REST_POSE_H
#define ENGINE_REST_POSE_H

#include "model.h"

/*
 * Writes the closest T R S to `matrix`: the scale is the length of each column, the x scale negative where the matrix
 * mirrors. A column of length 0 gets scale 0 and any direction perpendicular to the others.
 * True: T R S gives the matrix back within 1e-5 of its largest 3x3 element. False: the matrix has shear.
 */
bool restSplit(const VkskinAffine *matrix, VkskinTransform *transform);

/*
 * Sets node->rest and node->preTransform from the node's matrix. A sheared matrix becomes the pre-transform; the rest
 * pose is then the identity, and repairs->nodesSheared counts it. The keys of an `animated` node replace all of T R S,
 * so that node gets the closest T R S instead.
 */
void restSet(ModelNode *node, const VkskinAffine *matrix, bool animated, ModelRepairs *repairs);

#endif
