/*
 * crowd_ball.h: the work of crowd_bounds.c, and bounds for skeletons and clips that would take it too long: one ball around
 * all poses of all clips and fades.
 */
#ifndef VKSKIN_CROWD_BALL_H
#define VKSKIN_CROWD_BALL_H

#include "affine.h"
#include "animation.h"
#include "crowd_path.h"

typedef struct Bounds {
    const ClipSetData *set;
    const LayoutClipNode *nodes;     /* [nodeCount], parents first */
    const VkskinAnimationBox *boxes; /* by node index */
    double *preNorms;                /* [nodeCount] */
    uint32_t depth;                  /* nodes of the longest chain */
    NodeState *states;               /* [nodeCount] */
    NodeRange *ranges; /* [clips][nodeCount]; above 64 clips [2]: the union of all clips so far, and the current clip */
    double *deviations, *moves; /* [nodeCount]: m and dX of the proof, for a fade */
    double *lengths;            /* [nodeCount]: largest |X| in any pose of a fade */
    uint64_t spanSteps;         /* steps that addSpan takes for one span */
    uint64_t stepsLeft;         /* for halvings */
    bool loose;                 /* one ball for all poses */
    uint32_t clip;
    Vector low, high; /* box of the current clip so far */
    double size;      /* largest coordinate of a node so far */
    bool broken;      /* some matrix does not fit floats */
} Bounds;

/* The matrix that a node has before its own transform; only with `pre`. */
static inline AffineDouble preOf(const Bounds *bounds, uint32_t i) {
    return sknAffineWiden((const VkskinAffine *)(const void *)(bounds->set->words + bounds->nodes[i].pre));
}

static inline double preLength(const Bounds *bounds, uint32_t i) {
    if (bounds->nodes[i].pre == 0) {
        return 0.0;
    }
    const AffineDouble pre = preOf(bounds, i);
    return sknLength((Vector){pre.m[0][3], pre.m[1][3], pre.m[2][3]});
}

/* The vertices of a node: a box, and a ball around it. */
typedef struct Points {
    Vector centre, half;
    double radius;
} Points;

static inline bool pointsOf(const Bounds *bounds, uint32_t i, Points *points) {
    const VkskinAnimationBox *box = &bounds->boxes[bounds->nodes[i].node];
    if (box->high[0] < box->low[0]) {
        return false;
    }
    const Vector low = sknVector(box->low);
    const Vector high = sknVector(box->high);
    points->centre = sknScale(sknAdd(low, high), 0.5);
    points->half = sknScale(sknSubtract(high, low), 0.5);
    points->radius = sknLength(points->half);
    return true;
}

/* Decides between exact bounds and the ball, and how many halvings exact bounds may take. After the nodes are known. */
void sknPlanSteps(Bounds *bounds);

/* Sets low, high, size and broken for all clips. The ranges are zero before, and temporary. */
void sknAddBall(Bounds *bounds);

#endif
