/*
 * allowance.h: how far a vertex of a scene may be off what its exact weights and bones make of it.
 *
 * Three shares: the rounding of floats, which grows with the numbers that go in; the weights that the library did not
 * keep, as VkskinMeshInfo.weightError tells; the turns, moves and sizes that a palette's format cannot hold.
 */
#ifndef TESTS_ALLOWANCE_H
#define TESTS_ALLOWANCE_H

#include "scene.h"

typedef struct Allowance {
    double position; /* in the mesh's unit */
    double degrees;  /* of normals and tangents */
} Allowance;

/*
 * [vertexCount], freed by free(). expected: what the vertices are held against. formats: by the exact weights and
 * bones, so that all three shares count; otherwise rounding alone does.
 */
Allowance *newAllowances(const Scene *scene, uint32_t instance, bool formats, const VkskinMeshInfo *info,
                         const ReferenceVertex *expected);

#endif
