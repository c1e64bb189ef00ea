/*
 * mesh_def.h: checks and reads a VkskinMeshDef: its streams by stride, and the influences that a vertex keeps.
 *
 * The readers take a def that passed sknCheckMeshDef.
 */
#ifndef VKSKIN_MESH_DEF_H
#define VKSKIN_MESH_DEF_H

#include "host.h"
#include "influences.h"
#include "kernels/layout.h"

/*
 * Looks at the def's fields and at every vertex. mostBytes: of source that there can be room for. Errors: those of
 * vkskinCreateMesh that speak of the def.
 */
VkskinResult sknCheckMeshDef(const Host *host, const VkskinMeshDef *def, uint64_t mostBytes);

/* Positions and influences as the preparing calls take them; a flat mesh's positions are not of that shape. */
Surface sknMeshSurface(const VkskinMeshDef *def, const VkskinLogger *logger);

const float *sknMeshPosition(const VkskinMeshDef *def, uint32_t vertex); /* of def->dimensions floats */
const float *sknMeshNormal(const VkskinMeshDef *def, uint32_t vertex);
const float *sknMeshTangent(const VkskinMeshDef *def, uint32_t vertex);
float sknMeshBlendWeight(const VkskinMeshDef *def, uint32_t vertex);

/* The vertex that a morph target's delta moves. */
uint32_t sknMorphVertex(const VkskinMorphTarget *target, uint32_t delta);

/* What a vertex keeps on the device. */
typedef struct VertexInfluences {
    uint32_t count;                 /* 1 up; 0 in a mesh without bones */
    Influence kept[MAX_INFLUENCES]; /* descending by weight, their sum one */
    uint32_t units[MAX_INFLUENCES]; /* weights as they are stored, unless that is in floats */
    KeptInfluences trimmed;
    double moved; /* the share of weight that trimming and rounding took from some and gave to others */
} VertexInfluences;

/* surface: sknMeshSurface(def). */
void sknMeshVertex(const VkskinMeshDef *def, const Surface *surface, uint32_t vertex, VertexInfluences *influences);

#endif
