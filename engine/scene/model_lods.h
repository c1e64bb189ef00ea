/*
 * model_lods.h: makes coarser levels of detail of a model, and meshes of them.
 *
 * All meshes are simplified as one triangle list in the bind pose, so that a border between meshes stays closed. A vertex of a
 * level is a copy of a vertex of the mesh, with all its attributes and morph targets, but fewer influences.
 */
#ifndef ENGINE_MODEL_LODS_H
#define ENGINE_MODEL_LODS_H

#include "engine_error.h"
#include "model.h"

#define MODEL_LOD_ERROR_MAX 0.05 /* of the model's height: a level with a larger error is left out */
#define MODEL_LOD_REMOVED   0.25 /* of the vertices of the level before it: a level that removes less is left out */

/* What became of a level. */
typedef struct ModelLodTry {
    uint32_t share;       /* 2, 4, 8: it was to have one in so many of the vertices */
    uint64_t vertexCount; /* vertices that it has */
    double error;         /* in the model's unit */
    char reason[96]; /* why it is left out, such as "its error is 6.2 % of the height, above 5 %"; empty: it is not */
} ModelLodTry;

/*
 * Makes levels of about 1/2, 1/4, 1/8 of the vertices, and leaves those out that are of no use. wanted: up to
 * MODEL_LODS_MAX. tries: [wanted]. The vertices of the model are in the order of vkskinSortVertices; it has no levels. Work:
 * the triangles times their logarithm, and that of lodMeasure. After a failure the model has no levels.
 */
bool modelMakeLods(Model *model, uint32_t wanted, ModelLodTry *tries, EngineError *error);

/* Coarser levels of all meshes. */
uint32_t modelLodCount(const Model *model);

/* The largest error of the meshes in this level and finer ones. */
double modelLodError(const Model *model, uint32_t lod);

/*
 * A mesh in a level as an ordinary mesh; its joints are bones of the part's skin. made: receives it, for modelFreeMesh, on
 * failure too. False: out of memory.
 */
bool modelLodMesh(const Model *model, uint32_t mesh, uint32_t lod, ModelMesh *made, EngineError *error);

/* All meshes in a level. level: from 1 on. meshes: [meshCount], zero: receives them, to be freed on failure too. */
bool modelLevelMeshes(const Model *model, uint32_t level, ModelMesh *meshes, EngineError *error);

/* Frees them, and the array. Null is allowed. */
void modelFreeLevelMeshes(const Model *model, ModelMesh *meshes);

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
