/* fuzz_mesh.h: meshes of any size and format, with joints at the limits. */
#ifndef TESTS_FUZZ_MESH_H
#define TESTS_FUZZ_MESH_H

#include "gpu.h"
#include "model.h"
#include "random.h"

#define FUZZ_MAX_INFLUENCES 6 /* places a vertex; the library keeps four of them */

typedef struct FuzzMesh {
    VkskinMesh handle;
    VkskinMeshInfo info;
    ModelMesh model; /* as it was given, for the reference */
    uint32_t maxInfluences;
    uint32_t instanceCount;
} FuzzMesh;

/* Makes one with 1 to maxBones bones, in one of the vertex formats of the mask. */
void fuzzMeshCreate(Gpu *gpu, VkskinContext context, Random *random, uint32_t formats, uint32_t maxBones,
                    FuzzMesh *mesh);

/* No instance of it lives. */
void fuzzMeshDestroy(Gpu *gpu, VkskinContext context, FuzzMesh *mesh);

/* Frees what the host keeps of it; for meshes that go with their context. */
void fuzzMeshFree(FuzzMesh *mesh);

/* Gives a mesh with one thing wrong, which must be refused by the right name. */
void fuzzMeshRefusal(Gpu *gpu, VkskinContext context, Random *random);

#endif
