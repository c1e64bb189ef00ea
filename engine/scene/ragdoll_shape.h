/*
 * ragdoll_shape.h: what falls when a character collapses: capsules around the vertices of its bones, and the joints between
 * them. It needs no physics engine.
 */
#ifndef ENGINE_RAGDOLL_SHAPE_H
#define ENGINE_RAGDOLL_SHAPE_H

#include "engine_error.h"
#include "model_pose.h"
#include "rigid.h"
#include "vkskin/vkskin_spring.h"

/* More bones merge into their parents, the smallest ones first. */
#define RAGDOLL_BODIES_MAX 64u

/* Lengths in metres are those of a character 1.8 m high, whatever the model's unit is. */
#define RAGDOLL_METRES 1.8

#define RAGDOLL_DENSITY 1000.0 /* the bodies', in kg/m^3: that of water */

typedef enum RagdollJointKind {
    RAGDOLL_BALL, /* three angles: about `axis` of the parent, about the axis across both, about `twist` of the child */
    RAGDOLL_HINGE /* one angle, about `axis` of the parent */
} RagdollJointKind;

/* Axes have length 1. Those of a body are as the model's own space while the model is at rest. */
typedef struct RagdollJoint {
    RagdollJointKind kind;
    Turn zero;                    /* the child relative to the parent where all angles are 0 */
    double axis[3];               /* in the parent */
    double twist[3];              /* in the child */
    double lowest[3], highest[3]; /* radians; a range of a full turn or more is free */
} RagdollJoint;

/* A body and the joint to its parent. Coordinates are those of the model at rest, in its own space. */
typedef struct RagdollBody {
    uint32_t node;
    int32_t parent;            /* below the body's own index; -1: body 0 alone */
    double centre[3], axis[3]; /* the capsule's */
    double radius, half;       /* above 0; half of the axis, at least 0 */
    double anchor[3];          /* where the joint is */
    RagdollJoint joint;
} RagdollBody;

/* The bodies of a model. Immutable: any number of characters and threads may use them. */
typedef struct RagdollShape {
    const Model *model; /* borrowed, as the skeleton */
    VkskinSkeleton skeleton;
    double up[3];  /* in the model's own space */
    double lowest; /* the lowest vertex at rest, along up */
    double metres; /* length of the model's unit, where the character is RAGDOLL_METRES high */
    uint32_t bodyCount;
    RagdollBody *bodies;       /* [bodyCount] */
    uint32_t *bodyOfNodes;     /* [nodeCount]: the body that carries each node */
    VkskinAffine *inverseRest; /* [bodyCount]: of the world matrix of the body's node at rest */
} RagdollShape;

/* Whether a node of the model is `top`, or below it. */
bool ragdollIsBelow(const RagdollShape *shape, uint32_t node, uint32_t top);

/* Null is allowed. */
void ragdollShapeDestroy(RagdollShape *shape);

/* The height of a point of the model, along `up`. */
double ragdollHeight(const RagdollShape *shape, const float point[3]);

/* The body in a pose: as it is at rest, moved by the rotation and the place of its node. world: [nodeCount]. */
Rigid ragdollBodyIn(const RagdollShape *shape, uint32_t body, const VkskinAffine *world);

/* A body's capsule in any pose, in the model's own space: for springs, or to draw. world: [nodeCount]. */
VkskinSpringCollider ragdollCapsuleIn(const RagdollShape *shape, uint32_t body, const VkskinAffine *world);

#endif
