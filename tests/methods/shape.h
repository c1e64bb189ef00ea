/*
 * shape.h: what the joint of a skinned tube measures.
 */
#ifndef TESTS_SHAPE_H
#define TESTS_SHAPE_H

#include "skinning.h"
#include "tube.h"

typedef struct Shape {
    double volume;  /* by the divergence theorem over the triangles, and flat ends across the joint's two last rings */
    double surface; /* of the triangles alone */
    /* The least and the greatest distance of the joint's vertices from a bone's axis: that bone's on whose side they
     * are of the plane through the joint halfway between the two. 1 in a tube that keeps its shape. */
    double thinnest, thickest;
    /* Degrees between the skinned normal of a vertex and the one that the skinned triangles around it have. */
    double normalsOff, normalsWorst; /* mean and greatest, over the joint and the tube beyond it */
} Shape;

Shape shapeMeasure(const ModelMesh *mesh, const SkinnedVertices *vertices, const TubePose *pose);

/*
 * The ideal: volume and surface of the joint scaled as the pose says, section by section, and neither bent nor twisted.
 * A twist keeps each section as it is. A bend keeps both measures where the tube meets itself in the plane halfway, as
 * pipes do in a mitred corner: what that plane takes from one side it leaves to the other. The rest is 0.
 */
Shape shapeIdeal(const ModelMesh *mesh, const TubePose *pose);

#endif
