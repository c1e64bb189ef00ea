/*
 * api_mesh_parts.h: what a mesh may have besides vertices and influences: choices, blend weights, centres, morph targets.
 */
#ifndef TESTS_API_MESH_PARTS_H
#define TESTS_API_MESH_PARTS_H

#include "fuzz_bytes.h"
#include "vkskin/vkskin.h"

#define API_MORPHS_MAX 3u

/* What the def points to. */
typedef struct ApiMeshParts {
    float *blendWeights;
    unsigned char *centres;
    VkskinMorphTarget *targets; /* [API_MORPHS_MAX], or null */
} ApiMeshParts;

/* Weight and normal rules, trimming, dimensions, no bones; returns how many floats a position shall have. */
uint32_t apiTakeMeshChoices(FuzzBytes *bytes, VkskinMeshDef *def);

/* Right ones most often; of a def whose vertices and influences are set. */
void apiTakeMeshParts(FuzzBytes *bytes, VkskinMeshDef *def, ApiMeshParts *parts);
void apiFreeMeshParts(ApiMeshParts *parts);

/* What must hold of any mesh that was made. */
void apiCheckMeshInfo(const VkskinMeshDef *def, const VkskinMeshInfo *info);

#endif
