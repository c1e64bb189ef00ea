#include "ragdoll_shape.h"

#include <stdlib.h>

void ragdollShapeDestroy(RagdollShape *shape) {
    if (shape) {
        free(shape->bodies);
        free(shape->bodyOfNodes);
        free(shape->inverseRest);
        free(shape);
    }
}

Rigid ragdollBodyIn(const RagdollShape *shape, uint32_t body, const VkskinAffine *world) {
    const VkskinAffine moved = vkskinMultiplyAffine(&world[shape->bodies[body].node], &shape->inverseRest[body]);
    Rigid rigid = {turnOfAffine(&moved), {0}};
    affinePoint(&moved, shape->bodies[body].centre, rigid.place);
    return rigid;
}

RagdollCapsule ragdollCapsuleIn(const RagdollShape *shape, uint32_t body, const VkskinAffine *world) {
    const RagdollBody *source = &shape->bodies[body];
    const Rigid rigid = ragdollBodyIn(shape, body, world);
    RagdollCapsule capsule = {.node = source->node, .radius = (float)source->radius};
    double axis[3];
    turnApply(rigid.turn, source->axis, axis);
    for (int i = 0; i < 3; i++) {
        capsule.from[i] = (float)(rigid.place[i] - source->half * axis[i]);
        capsule.to[i] = (float)(rigid.place[i] + source->half * axis[i]);
    }
    return capsule;
}
