/*
 * mesh_builder.h: meshes from a few numbers. A test states what its mesh needs, and changes the fields that it tests.
 */
#ifndef TESTKIT_MESH_BUILDER_H
#define TESTKIT_MESH_BUILDER_H

#include "vkskin/vkskin.h"

#define MESH_MAX_TARGETS 4u

typedef enum MeshAttributeBits {
    MESH_NORMALS = 1,
    MESH_TANGENTS = 2, /* needs MESH_NORMALS */
    MESH_BLEND_WEIGHTS = 4,
    MESH_CENTRES = 8, /* centres of rotation, of the triangles */
} MeshAttributeBits;

typedef enum MeshValues {
    /* Vertex v at (v, 0, 0), normal (0, 0, 1), tangent (1, 0, 0, 1). Influence i: bone (v + i) % bones, and all influences
     * have the same weight. Each morph target moves each vertex by (0, 0, 1). Triangle t: vertices t, t + 1, t + 2. */
    MESH_PLAIN,
    /* Positions in a cube of side 2, unit vectors, 1 up to `influences` influences. The same seed, the same values. */
    MESH_RANDOM,
    MESH_ZERO, /* for tests that set every value */
} MeshValues;

/* Zero means: none, except where stated. */
typedef struct MeshSpec {
    uint32_t vertices, bones;
    uint32_t influences; /* per vertex; 0: 1 */
    uint32_t attributes; /* MeshAttributeBits */
    uint32_t morphs;     /* dense targets, of all attributes; every second one comes after skinning */
    uint32_t triangles;
    uint32_t jointBytes; /* 1, 2 or 4; 0: 2 */
    MeshValues values;
    uint32_t seed;
    bool flat;
} MeshSpec;

/* Each array is a heap block of its exact size. */
typedef struct TestMesh {
    VkskinMeshDef def; /* named "test"; points to the arrays below */
    float *positions;  /* [vertices][3], also if flat */
    float *normals;    /* [vertices][3], or null */
    float *tangents;   /* [vertices][4], or null */
    float *blendWeights;
    float *weights; /* [vertices][influences] */
    union {
        void *joints;
        uint16_t *joints16; /* if jointBytes is 0 or 2 */
        uint32_t *joints32; /* if jointBytes is 4 */
    };
    uint32_t *indices, *materials;
    void *centres; /* centres of the values that meshBuild makes; or null */
    VkskinMorphTarget targets[MESH_MAX_TARGETS];
    float *deltas; /* [vertices][3], of every target; [vertices][2] if flat: plain ones are (0, 1) */
} TestMesh;

/* Out of memory ends the process. */
TestMesh *meshBuild(MeshSpec spec);
void meshFree(TestMesh *mesh);

void meshSetPosition(TestMesh *mesh, uint32_t vertex, float x, float y, float z);
void meshSetInfluence(TestMesh *mesh, uint32_t vertex, uint32_t slot, uint32_t joint, float weight);
void meshSetTriangle(TestMesh *mesh, uint32_t triangle, uint32_t a, uint32_t b, uint32_t c);

/* Creates such a mesh in a context. Returns what vkskinCreateMesh returns. */
VkskinResult meshCreate(VkskinContext context, MeshSpec spec, VkskinMesh *mesh);

#endif
