/* fuzz_check.h: what an instance's output holds, against the reference. */
#ifndef TESTS_FUZZ_CHECK_H
#define TESTS_FUZZ_CHECK_H

#include "fuzz_mesh.h"
#include "fuzz_palette.h"

/*
 * Looks at the first, the last and some other vertices; those that a wild bone moves are left out. bytes: the start of
 * the output buffer; morphWeights: zeros where the mesh has no targets. Meshes of rounded weights are not looked at:
 * what that costs is the conformance tests' business. Returns how many were compared; a wrong one fails the test.
 */
uint32_t fuzzCheckVertices(Random *random, const FuzzMesh *mesh, const FuzzPalette *palette,
                           const float morphWeights[FUZZ_MORPHS], const VkskinOutput *output, const void *bytes);

#endif
