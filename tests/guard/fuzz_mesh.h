/* fuzz_mesh.h: meshes of any size, format and number of influences, with joints at the limits, and morph targets. */
#ifndef TESTS_FUZZ_MESH_H
#define TESTS_FUZZ_MESH_H

#include "fuzz_context.h"
#include "model.h"

#define FUZZ_MAX_INFLUENCES 40 /* places a vertex */
#define FUZZ_MORPHS         2  /* targets of a mesh that has any: one before the bones, one after */

/* A morph target, all vertices in it. */
typedef struct FuzzMorph {
    bool *moved;       /* [vertexCount] */
    float *deltas;     /* [vertexCount][3] of positions, 0 where none moved */
    float *directions; /* [vertexCount][3] of normals and of tangents, likewise */
} FuzzMorph;

typedef struct FuzzMesh {
    VkskinMesh handle;
    VkskinMeshInfo info;
    ModelMesh model; /* as it was given, for the reference; a flat one has z 0 */
    float *centres;  /* [vertexCount][3], or null */
    FuzzMorph morphs[FUZZ_MORPHS];
    uint32_t morphCount; /* 0 or FUZZ_MORPHS; the second is after skinning */
    uint32_t maxInfluences;
    float minWeight;
    uint32_t unweightedBone;
    uint32_t instanceCount;
} FuzzMesh;

/* Makes one with 1 to maxBones bones, or none, as the shape has them, and its kernels. */
void fuzzMeshCreate(Gpu *gpu, const FuzzContext *context, Random *random, uint32_t maxBones, FuzzMesh *mesh);

/* No instance of it lives. */
void fuzzMeshDestroy(Gpu *gpu, VkskinContext context, FuzzMesh *mesh);

/* Frees what the host keeps of it; for meshes that go with their context. */
void fuzzMeshFree(FuzzMesh *mesh);

/* Gives a mesh with one thing wrong, which must be refused by the right name. */
void fuzzMeshRefusal(Gpu *gpu, VkskinContext context, Random *random);

#endif
