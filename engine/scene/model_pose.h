/*
 * model_pose.h: the library's skeleton, clips and skins of a model.
 */
#ifndef ENGINE_MODEL_POSE_H
#define ENGINE_MODEL_POSE_H

#include "model.h"

/* allocator: null: the library's default. */
VkskinResult modelCreateSkeleton(const Model *model, const VkskinHostAllocator *allocator, VkskinLogger logger,
                                 VkskinSkeleton *skeleton);
VkskinResult modelCreateClip(const Model *model, uint32_t clip, const VkskinHostAllocator *allocator,
                             VkskinLogger logger, VkskinClip *created);
VkskinResult modelCreateSkin(const Model *model, uint32_t skin, const VkskinAffine *meshToModel,
                             const VkskinHostAllocator *allocator, VkskinLogger logger, VkskinSkin *created);

/*
 * meshToModel of a part whose node has this world matrix at rest. A matrix without inverse (scale 0) is replaced by the
 * identity: see ModelPart.node.
 */
VkskinAffine modelMeshToModel(const VkskinAffine *world);

/* The rotation that turns this up axis to y. */
VkskinAffine modelUpToY(ModelUp up);

#endif
