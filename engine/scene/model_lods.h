/*
 * model_lods.h: makes the coarser levels of detail of a model.
 *
 * All meshes are simplified as one triangle list (simplify.h), so that a border between meshes stays closed. A vertex of a
 * level is a copy of a vertex of the mesh, with all its attributes and morph targets, but fewer influences.
 */
#ifndef ENGINE_MODEL_LODS_H
#define ENGINE_MODEL_LODS_H

#include "engine_error.h"
#include "model.h"

#define MODEL_LOD_ERROR_MAX 0.05 /* part of the model's height: a level with a larger error is left out */
#define MODEL_LOD_REMOVED   0.25 /* part of the vertices of the level before it: a level that removes less is left out */

/* The result of making a level. */
typedef struct ModelLodTry {
    uint32_t share;       /* 2, 4, 8: it was to have one in so many of the vertices */
    uint64_t vertexCount; /* vertices that it has */
    double error;         /* in the model's unit; of one that is too large: at least so much */
    char reason
        [96]; /* why it is left out, such as "its error is at least 6.2 % of the height, above 5 %"; empty: it is not */
} ModelLodTry;

/*
 * Makes levels of about 1/2, 1/4, 1/8 of the vertices, and leaves those out that are of no use. wanted: up to
 * MODEL_LODS_MAX. tries: [wanted]. The vertices of the model are in the order of vkskinSortVertices; it has no levels. Work:
 * that of simplifyTriangles and of lodMeasure. After a failure the model has no levels.
 */
bool modelMakeLods(Model *model, uint32_t wanted, ModelLodTry *tries, EngineError *error);

#endif
