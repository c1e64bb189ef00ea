#include "ragdoll_shape.h"

#include <stdlib.h>

bool ragdollIsBelow(const RagdollShape *shape, uint32_t node, uint32_t top) {
    int32_t at = (int32_t)node;
    while (at > (int32_t)top) { /* parents come first */
        at = shape->model->nodes[at].parent;
    }
    return at == (int32_t)top;
}

void ragdollShapeDestroy(RagdollShape *shape) {
    if (shape) {
        free(shape->bodies);
        free(shape->bodyOfNodes);
        free(shape->inverseRest);
        free(shape);
    }
}

double ragdollHeight(const RagdollShape *shape, const float point[3]) {
    double place[3];
    widen3(point, place);
    return dot3(place, shape->up);
}

Rigid ragdollBodyIn(const RagdollShape *shape, uint32_t body, const VkskinAffine *world) {
    const VkskinAffine moved = vkskinMultiplyAffine(&world[shape->bodies[body].node], &shape->inverseRest[body]);
    Rigid rigid = {turnOfAffine(&moved), {0}};
    affinePoint(&moved, shape->bodies[body].centre, rigid.place);
    return rigid;
}

VkskinSpringCollider ragdollCapsuleIn(const RagdollShape *shape, uint32_t body, const VkskinAffine *world) {
    const RagdollBody *source = &shape->bodies[body];
    const Rigid rigid = ragdollBodyIn(shape, body, world);
    VkskinSpringCollider capsule = {.radius = (float)source->radius};
    double axis[3];
    turnApply(rigid.turn, source->axis, axis);
    for (int i = 0; i < 3; i++) {
        capsule.from[i] = (float)(rigid.place[i] - source->half * axis[i]);
        capsule.to[i] = (float)(rigid.place[i] + source->half * axis[i]);
    }
    return capsule;
}
