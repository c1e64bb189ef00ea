/*
 * model_pose.h: the library's skeleton, clips and skins of a model, and what its poses are sampled from.
 */
#ifndef ENGINE_MODEL_POSE_H
#define ENGINE_MODEL_POSE_H

#include "engine_error.h"
#include "model.h"
#include "vkskin/vkskin_pack.h"

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

/* World matrices of all nodes at rest; free() them. Null on failure. */
VkskinAffine *skeletonAtRest(VkskinSkeleton skeleton, EngineError *error);

/* A palette for each skin at each place: parts that have both in common share one. */
typedef struct ModelPalettes {
    VkskinAffine *world;  /* [nodeCount]: the nodes at rest */
    VkskinAffine *places; /* [partCount]: meshToModel of each part */
    uint32_t *ofParts;    /* [partCount]: the palette of each part; a new palette has the next number */
    uint32_t count;
} ModelPalettes;

/* To be freed on failure too. */
bool modelFindPalettes(const Model *model, ModelPalettes *palettes, EngineError *error);
void modelFreePalettes(ModelPalettes *palettes);

/* The rotation that turns this up axis to y. */
VkskinAffine modelUpToY(ModelUp up);

/*
 * What poses are sampled from: packed clips if there are any, else clips of float keys. Clips are named by their index. An
 * index of clipCount or more is the rest pose. Borrowed: the skeleton, the clips and the block must outlive it.
 */
typedef struct ClipSource {
    VkskinSkeleton skeleton;
    uint32_t clipCount;
    const VkskinClip *clips; /* [clipCount]; with a block, only durations and morph weights are read */
    const void *block;       /* an animation set of the same skeleton, checked, with the same clips; or null */
} ClipSource;

/* Seconds; 0 for the rest pose. */
double clipSourceDuration(const ClipSource *source, uint32_t clip);

/* Local transforms of all nodes, on any thread. pose: [nodes of the skeleton]. Errors are those of the library. */
VkskinResult clipSourceSample(const ClipSource *source, uint32_t clip, double time, VkskinWrap wrap,
                              VkskinTransform *pose);

#endif
