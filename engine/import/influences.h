/* influences.h: which bones move which vertices: from a file's list to the even rows of a ModelMesh. */
#ifndef ENGINE_INFLUENCES_H
#define ENGINE_INFLUENCES_H

#include "model.h"

typedef struct Influence {
    uint32_t vertex; /* below the mesh's vertexCount */
    uint32_t joint;
    float weight; /* as the file has it: may be anything */
} Influence;

/*
 * Fills mesh->influences, joints, weights and boneCount (the highest joint plus 1) from `list`, whose order is kept
 * within a vertex. Weights of 0 count as absent; negative or not finite ones too, and are counted in the repairs.
 *
 * True when some vertex has no weight at all. Then bone 0 stands for the node that carries the mesh, those vertices
 * have it with weight 1, and all joints of the list are shifted by one: the part's skin must be made to match.
 */
bool influencesPack(ModelMesh *mesh, const Influence *list, size_t count, ModelRepairs *repairs);

/* Every vertex to joint 0 with weight 1. */
void influencesRigid(ModelMesh *mesh);

#endif
