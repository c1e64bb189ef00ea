/*
 * model_stretch.h: how many units of a model's space a unit of a mesh's own space comes to.
 */
#ifndef ENGINE_MODEL_STRETCH_H
#define ENGINE_MODEL_STRETCH_H

#include "model.h"

/* The most that a matrix lengthens a direction: the largest singular value of its 3x3. */
double affineStretch(const VkskinAffine *matrix);

/* Of the meshToModel of all parts that show the mesh, the largest; 1 where none does. What is wrong by a length in the
 * mesh's space is wrong by at most so many times that length in the model's. */
double modelStretch(const Model *model, uint32_t mesh);

#endif
