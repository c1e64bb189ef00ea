/* ragdoll_fit.h: finds the bodies and the joints of a model: it needs no physics engine. */
#ifndef ENGINE_RAGDOLL_FIT_H
#define ENGINE_RAGDOLL_FIT_H

#include "ragdoll_shape.h"

/*
 * Capsules around the vertices, each for the bone of its largest weight. Bones whose vertices reach less than 3 % of the
 * height merge into their parent. Limits of joints are those of the clips: see ragdoll_limits.h. modelToCommon: see
 * Character. source: of the model; its skeleton must outlive the shape. Null on failure: for example the model has no vertices.
 */
RagdollShape *ragdollShapeCreate(const Model *model, const VkskinAffine *modelToCommon, const ClipSource *source,
                                 EngineError *error);

#endif
