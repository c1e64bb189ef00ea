/* model_levels.h: the levels of detail of a model: their meshes, errors and bones. */
#ifndef ENGINE_MODEL_LEVELS_H
#define ENGINE_MODEL_LEVELS_H

#include "engine_error.h"
#include "model.h"

/* Coarser levels of all meshes. */
uint32_t modelLodCount(const Model *model);

/* The largest error of the meshes in this level and finer ones. */
double modelLodError(const Model *model, uint32_t lod);

/* The nodes of the bones of the first part that shows the mesh. Null: no part shows it. */
const uint32_t *modelMeshNodes(const Model *model, uint32_t mesh);

/*
 * A mesh in a level as an ordinary mesh; its joints are bones of the part's skin. made: receives it, for modelFreeMesh, on
 * failure too. False: out of memory.
 */
bool modelLodMesh(const Model *model, uint32_t mesh, uint32_t lod, ModelMesh *made, EngineError *error);

/* Keeps the `count` largest influences of each vertex of a mesh, 1 to MODEL_LOD_INFLUENCES, if it has more. nodes: of its bones; null: it has none */
void modelTrimInfluences(ModelMesh *mesh, uint32_t count, const uint32_t *nodes);

/* All meshes in a level. level: from 1 on. meshes: [meshCount], zero: receives them, to be freed on failure too. */
bool modelLevelMeshes(const Model *model, uint32_t level, ModelMesh *meshes, EngineError *error);

/* Frees them, and the array. Null is allowed. */
void modelFreeLevelMeshes(const Model *model, ModelMesh *meshes);

/*
 * Replaces the meshes by those of a level, 0 to modelLodCount(model): each triangle has vertices of its own, with its normal.
 * After a failure the model can only be freed.
 */
bool modelShowLevel(Model *model, uint32_t level, EngineError *error);

/* What a level needs. */
typedef struct ModelLevel {
    uint64_t vertices, triangles;
    uint32_t bones; /* nodes that move its vertices */
    double error;   /* in the model's unit */
} ModelLevel;

/* level: 0: the meshes themselves; n: level n - 1 of ModelMesh.lods. */
bool modelDescribeLevel(const Model *model, uint32_t level, ModelLevel *described, EngineError *error);

/*
 * Which bones of each skin the meshes of a level use. used: null on failure, or [skinCount], each [boneCount of the skin].
 * free() it, which frees all. If parts with different skins share a mesh, all bones of these are used.
 */
bool **modelUsedBones(const Model *model, const ModelMesh *meshes, EngineError *error);

#endif
