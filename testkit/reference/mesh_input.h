/*
 * mesh_input.h: a Model's mesh as the library takes it, in any joint format, flat or not, with morph targets and centres
 * of rotation. What the library refuses or memory that is missing ends the process.
 */
#ifndef TESTKIT_MESH_INPUT_H
#define TESTKIT_MESH_INPUT_H

#include "random.h"
#include "vkskin/vkskin.h"

#define MESH_MAX_MORPHS   8u
#define MESH_CENTRES_HEAD 32u /* bytes before the first stored centre: see vkskin_mesh.h */

typedef struct MeshInput {
    VkskinMeshDef def; /* points into the Model's mesh and into this input */
    VkskinMorphTarget targets[MESH_MAX_MORPHS];
    float *flatDeltas[MESH_MAX_MORPHS];
    void *joints;
    void *centres;
    VkskinOutputLayout layout;
    VkskinPassThroughData passThrough[VKSKIN_MAX_PASS_THROUGH]; /* owned */
} MeshInput;

/*
 * Fills *input with meshDefOfModel and the mesh's morph targets; frees what it held before. The mesh outlives it.
 * flat: two dimensions, z is left out and normals and tangents are dropped. morphsAfter: [morphCount], or null: none
 * comes after skinning.
 */
void meshInputFill(MeshInput *input, const ModelMesh *mesh, VkskinJointFormat joints, bool flat,
                   const bool *morphsAfter);
void meshInputFree(MeshInput *input);

/*
 * Adds centres of rotation, computed for the triangles. replaced: [vertexCount][3], stored instead of the computed
 * ones; or null.
 */
void meshInputAddCentres(MeshInput *input, const uint32_t *indices, uint32_t indexCount, const float *replaced);

/* Adds a random layout of the output, with the values of passThroughWord. Call it after the def's other fields are
 * final. */
void meshInputAddLayout(MeshInput *input, Random *random);

#endif
