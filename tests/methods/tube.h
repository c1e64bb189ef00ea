/*
 * tube.h: a tube of two bones, as a model, and what its joint measures when it is skinned.
 *
 * The tube is round, closed by flat ends, of radius 1, along Y. Bone 0 holds its lower half; bone 1 holds the upper half
 * and rotates about the origin. Over the joint the weight of bone 1 grows as 3 s^2 - 2 s^3.
 */
#ifndef TESTS_TUBE_H
#define TESTS_TUBE_H

#include "model.h"
#include "skinning.h"

#define TUBE_SIDES       48u
#define TUBE_RINGS       51u
#define TUBE_HALF_LENGTH 2.5
#define TUBE_HALF_JOINT  1.5
#define TUBE_JOINT_BEGIN 10u /* the rings that end the joint: beyond them one bone holds the tube */
#define TUBE_JOINT_END   40u

/* Vertex `side` of ring `ring`, counted from below; side TUBE_SIDES lies on side 0. The vertices of the ends follow. */
#define TUBE_VERTEX(ring, side) ((ring) * (TUBE_SIDES + 1) + (side))

/* Bone 1 is scaled along its own axes, twisted about Y, then bent about Z. */
typedef struct TubePose {
    const char *name;
    double bend, twist; /* degrees */
    float scale[3];
} TubePose;

/*
 * A tube with a clip of no length for each pose. painted: its blend weights go from 0 on the outside of the bend to 1
 * on the inside; otherwise it has none. Ends the process if memory is out. Freed with modelFree.
 */
Model *newTube(const TubePose *poses, uint32_t poseCount, bool painted);

typedef struct Shape {
    double volume;  /* by the divergence theorem over the triangles and flat ends across the joint's outer rings */
    double surface; /* area of the triangles only */
    /* Minimum and maximum distance of the joint's vertices from the axis of the bone on whose side of the plane halfway
     * between the bones they are. 1 in a tube that keeps its shape. */
    double thinnest, thickest;
    /* Degrees between the skinned normal of a vertex and the normal of the skinned triangles around it. */
    double normalsOff, normalsWorst; /* mean and maximum, over the joint and the tube beyond it */
} Shape;

Shape shapeMeasure(const ModelMesh *mesh, const SkinnedVertices *vertices, const TubePose *pose);

/*
 * The ideal: volume and surface of the joint scaled as the pose says, section by section, neither bent nor twisted. A
 * twist does not change a section. A bend keeps both measures if the halves join in the plane halfway, like pipes in a
 * mitred corner: that plane takes as much from one side as it adds to the other. The other members are 0.
 */
Shape shapeIdeal(const ModelMesh *mesh, const TubePose *pose);

#endif
