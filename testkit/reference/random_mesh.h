/* random_mesh.h: meshes and bones of any kind, the same for the same seed. */
#ifndef ENGINE_RANDOM_MESH_H
#define ENGINE_RANDOM_MESH_H

#include "model.h"
#include "random.h"

typedef struct RandomMeshDef {
    uint32_t vertexCount;
    uint32_t boneCount;
    uint32_t influences;    /* places a vertex */
    uint32_t minInfluences; /* of which at least so many carry weight */
    bool normalised;        /* weights sum to one; otherwise to something in 0.2 to 3 */
} RandomMeshDef;

/*
 * Positions in a cube of side 2, unit normals, tangents across them of either handedness. Places without weight
 * name a joint that does not exist. A failed allocation ends the process.
 */
ModelMesh randomMesh(Random *random, const RandomMeshDef *def);
void randomMeshFree(ModelMesh *mesh);

/* Rigid transforms with turns of up to maxAngle radians and moves within a unit cube. */
void randomRigidBone(Random *random, float maxAngle, float rotation[4], float translation[3]);

/* As a matrix, scaled unevenly within 0.5 to 2 first where `scaled`. */
VkskinAffine randomBone(Random *random, float maxAngle, bool scaled);

/* Palette entries as the headers describe them, 12 or 8 floats, written here and not by the library. */
void dualQuaternionEntry(const float rotation[4], const float translation[3], float entry[8]);

#endif
