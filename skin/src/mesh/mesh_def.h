/*
 * mesh_def.h: checks a VkskinMeshDef, reads its strided streams, and computes the kept influences of each vertex.
 *
 * The read functions require a def that passed sknCheckMeshDef.
 */
#ifndef VKSKIN_MESH_DEF_H
#define VKSKIN_MESH_DEF_H

#include "host.h"
#include "influences.h"
#include "kernels/layout.h"

/*
 * Checks the def's fields and every vertex. mostBytes: maximum size of the source data. Errors: the errors of
 * vkskinCreateMesh that are about the def.
 */
VkskinResult sknCheckMeshDef(const Host *host, const VkskinMeshDef *def, uint64_t mostBytes);

/* The def as a Surface (prepare/surface.h). Do not read positions of flat meshes from it: they have two floats. */
Surface sknMeshSurface(const VkskinMeshDef *def, const VkskinLogger *logger);

const float *sknMeshPosition(const VkskinMeshDef *def, uint32_t vertex); /* def->dimensions floats */
/* Two floats. place: the influence in the def's order. */
const float *sknInfluencePosition(const VkskinMeshDef *def, uint32_t vertex, uint32_t place);
const float *sknMeshNormal(const VkskinMeshDef *def, uint32_t vertex);
const float *sknMeshTangent(const VkskinMeshDef *def, uint32_t vertex);
float sknMeshBlendWeight(const VkskinMeshDef *def, uint32_t vertex);

/* The vertex that a morph target's delta moves. */
uint32_t sknMorphVertex(const VkskinMorphTarget *target, uint32_t delta);

/* Whether the target has a position delta per influence. */
bool sknMovesInfluences(const VkskinMeshDef *def, const VkskinMorphTarget *target);

/* The influences of a vertex that are stored on the device. */
typedef struct VertexInfluences {
    uint32_t count;                  /* at least 1; 0 in a mesh without bones */
    Influence kept[MAX_INFLUENCES];  /* by descending weight; the sum is 1 */
    uint32_t units[MAX_INFLUENCES];  /* quantised weights; unused with float weights */
    uint32_t places[MAX_INFLUENCES]; /* in the def's order; set with influencePositions */
    KeptInfluences trimmed;
    double moved; /* weight that trimming and rounding moved between influences, 0 to 1 */
} VertexInfluences;

/* surface: sknMeshSurface(def). */
void sknMeshVertex(const VkskinMeshDef *def, const Surface *surface, uint32_t vertex, VertexInfluences *influences);

#endif
