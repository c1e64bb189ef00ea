/*
 * meshes.h: meshes as tests pass them to the library.
 *
 * Markers: their output shows which vertex, which instance and which frame it is. Failures fail the running test. For
 * other meshes see mesh_input.h.
 */
#ifndef TESTKIT_MESHES_H
#define TESTKIT_MESHES_H

#include "gpu.h"
#include "mesh_input.h"
#include "mesh_builder.h"
#include "model.h"
#include "random.h"

/* Zeroed memory; an empty array is not null. Freed with free(). */
void *newZeros(size_t count, size_t size);

/* ---- Markers ---- */

/*
 * Vertex v of a marker mesh lies at (v, 0, 0) and follows one bone with weight 1. A marker palette moves it to
 * (v, y, z). All are whole numbers below 2^24, so outputs are exact on every driver.
 */

#define MARKER_MORPHS 2

typedef struct MarkerDef {
    uint32_t vertexCount;
    uint32_t boneCount; /* equal weights on bones 0 to boneCount - 1; 0: no bones */
    bool previousPositions;
    bool morphs;  /* the first target moves every vertex by (0, 1, 0) before the bones, the second by (0, 0, 1) after */
    bool centres; /* centres of rotation too */
    bool exactNormals; /* normals, by the exact rule */
    bool flat;         /* two dimensions */
    bool passThrough;  /* vertices are MarkerVertex */
    bool replaces;     /* replaces the data of *mesh, instead of creating a mesh */
} MarkerDef;

/* An interleaved vertex with pass-through attributes, which are markerTag and its complement. */
typedef struct MarkerVertex {
    uint32_t tag;
    float position[3];
    uint32_t gap; /* 0 */
    uint32_t other;
} MarkerVertex;

uint32_t markerTag(uint32_t vertex);

/* Creates the mesh without kernels; may fail. */
VkskinResult markerCreate(VkskinContext context, const MarkerDef *def, VkskinMesh *mesh);

/* One bone, positions only, without kernels; may fail. */
VkskinResult markerTryMesh(VkskinContext context, uint32_t vertexCount, bool previousPositions, VkskinMesh *mesh);

/* With kernels of linear blending: any; one bone, positions only. */
VkskinMesh markerMeshOf(Gpu *gpu, VkskinContext context, const MarkerDef *def);
VkskinMesh markerMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount, bool previousPositions);

VkskinInstance markerInstance(Gpu *gpu, VkskinContext context, VkskinMesh mesh);

/* Where the instance's output lies in this frame. */
VkskinOutput markerOutput(Gpu *gpu, VkskinContext context, VkskinInstance instance);

/* Writes a VkskinAffine at `palette` that moves by (0, y, z). */
void markerWrite(void *palette, float y, float z);

/* A palette in this frame, written: of any number of bones; of one. */
VkskinPalette markerPalettes(Gpu *gpu, VkskinContext context, uint32_t bones, float y, float z);
VkskinPalette markerPalette(Gpu *gpu, VkskinContext context, float y, float z);

/* Gives `instance` a palette of its own that moves by (0, y, z), and skins it in this frame: one bone; any number. */
void markerSkin(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z);
void markerSkinBones(Gpu *gpu, VkskinContext context, VkskinInstance instance, uint32_t bones, float y, float z);

/* How many of the positions at `bytes` (tightly packed, of a marker mesh) are not (v, y, z). */
uint32_t markerMismatches(const void *bytes, uint32_t vertexCount, float y, float z);

#endif
