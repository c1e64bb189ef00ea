/* model_bounds.h: boxes around the skinned vertices of a model. They need no device. */
#ifndef ENGINE_MODEL_BOUNDS_H
#define ENGINE_MODEL_BOUNDS_H

#include "camera.h"
#include "engine_error.h"
#include "model.h"

/* The box of the model at rest, in its world space. Empty for a model without meshes. */
bool modelRestBounds(const Model *model, Bounds *bounds, EngineError *error);

/* Spaces in which boxes are wanted: [count] maps of the model's world space. Null: one box, in that space itself. */
typedef struct BoundsSpaces {
    const VkskinAffine *maps;
    uint32_t count;
} BoundsSpaces;

/*
 * Adds the morphed and skinned vertices of a part, by linear blending with the model's weights, normalised. world:
 * [nodeCount], of the nodes. weights: [morphCount] of the part's mesh. bounds: a box for each space.
 */
bool modelAddPartBounds(const Model *model, const ModelPart *part, const VkskinAffine *world, const float *weights,
                        const BoundsSpaces *spaces, Bounds *bounds, EngineError *error);

/*
 * The morphed and skinned vertices of a part in the model's world space, as above. mesh: that of the part, or one of its
 * levels. positions: [vertexCount of it][3]; receives them.
 */
bool modelPosePart(const Model *model, const ModelPart *part, const ModelMesh *mesh, const VkskinAffine *world,
                   const float *weights, float *positions, EngineError *error);

/* The height of the model at rest along its up axis; without vertices, the extent of its nodes; at least above 0. */
bool modelHeight(const Model *model, double *height, EngineError *error);

#endif
