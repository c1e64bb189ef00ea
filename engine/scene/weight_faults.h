/* weight_faults.h: vertices whose weights are those of another part of the body. */
#ifndef ENGINE_WEIGHT_FAULTS_H
#define ENGINE_WEIGHT_FAULTS_H

#include "engine_error.h"
#include "model.h"

/* Which influence of a vertex has the largest weight. */
uint32_t heaviestInfluence(const ModelMesh *mesh, uint32_t vertex);

/*
 * Sets marks[vertex] to 1 where the largest bone of a vertex of the part's mesh, and each relative of it, has no weight at
 * any vertex within two edges. Relatives are the parent and the children. Vertices at one place count as one. A vertex without
 * edges is right. Work: the edges; sorting the vertices. Any thread.
 */
bool findWeightFaults(const Model *model, const ModelPart *part, uint8_t *marks, EngineError *error);

#endif
