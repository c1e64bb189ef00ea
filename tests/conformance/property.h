/* property.h: what tests of properties share: scenes that leave little to rounding, and how alike things must be. */
#ifndef TESTS_PROPERTY_H
#define TESTS_PROPERTY_H

#include "row_run.h"

#define PROPERTY_ALIKE 2e-6 /* positions in a box of side 2, directions: what a few roundings make */

/* Float weights, 8-bit joints, float output with normals and tangents, 5 influences and 1, unsorted. False where there
 * is no such row of a reading: a mesh without bones and without morphs. */
bool propertyRow(uint32_t reading, uint32_t morphs, Row *row);

/* The first instance of a scene, of a mesh that may differ from the scene's own; freed by free(). */
ReadVertex *newPropertyOutput(Gpu *gpu, const Scene *scene, const VkskinMeshDef *def);

/* Fails, naming the row, where two vectors are farther apart. */
void propertyNear(const Scene *scene, uint32_t vertex, const double *expected, const double *found, double tolerance);

/* Three floats as doubles. */
void propertyWiden(const float *from, double to[3]);

#endif
