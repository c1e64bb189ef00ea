/*
 * tube.h: a tube of two bones, as a model: round, closed by flat ends, of radius 1, along Y. Bone 0 holds its lower
 * half; bone 1 holds the upper one and turns about the origin. Over the joint the weight of bone 1 grows by
 * 3 s^2 - 2 s^3.
 */
#ifndef TESTS_TUBE_H
#define TESTS_TUBE_H

#include "model.h"

#define TUBE_SIDES       48u
#define TUBE_RINGS       51u
#define TUBE_HALF_LENGTH 2.5
#define TUBE_HALF_JOINT  1.5
#define TUBE_JOINT_BEGIN 10u /* the rings that end the joint: beyond it one bone holds the tube alone */
#define TUBE_JOINT_END   40u

/* Vertex `side` of ring `ring`, rings from below; side TUBE_SIDES lies on side 0. Those of the ends come after all. */
#define TUBE_VERTEX(ring, side) ((ring) * (TUBE_SIDES + 1) + (side))

/* What bone 1 does: it is scaled along its own axes, twisted about Y, then bent about Z. */
typedef struct TubePose {
    const char *name;
    double bend, twist; /* degrees */
    float scale[3];
} TubePose;

/*
 * A tube with a clip of no length for each pose. painted: its blend weights go from 0 on the outside of the bend to 1
 * on the inside; else it has none. Ends the process where memory is out. modelFree frees it.
 */
Model *newTube(const TubePose *poses, uint32_t poseCount, bool painted);

/* The share of bone 1 at this height of the pose at rest. */
double tubeWeight(double y);

#endif
