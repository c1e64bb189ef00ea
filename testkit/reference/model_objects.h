/*
 * model_objects.h: a Model as the library's skeleton, clips and skins, and its poses. Needs no device.
 */
#ifndef TESTKIT_MODEL_OBJECTS_H
#define TESTKIT_MODEL_OBJECTS_H

#include "model.h"
#include "vkskin/vkskin_pose.h"

typedef struct ModelObjects {
    const Model *model; /* borrowed: outlives the objects */
    VkskinSkeleton skeleton;
    VkskinClip *clips;     /* [clipCount] */
    VkskinSkin *skins;     /* [partCount]; meshToModel: see modelMeshToModel */
    VkskinTransform *pose; /* [nodeCount] */
    VkskinAffine *world;   /* [nodeCount] */
} ModelObjects;

/* allocator: of the library's objects; null: the default. Returns the first failure; free the objects then too. */
VkskinResult modelObjectsCreate(const Model *model, const VkskinHostAllocator *allocator, ModelObjects *objects);
void modelObjectsFree(ModelObjects *objects);

/* Poses the model; clip -1 is the rest pose. `world` then holds the nodes. */
VkskinResult modelObjectsPose(ModelObjects *objects, int32_t clip, double time, VkskinWrap wrap);

/* The palette of a part in that pose. palette: room for boneCount bones. */
VkskinResult modelObjectsPalette(const ModelObjects *objects, uint32_t part, VkskinPaletteEncoding encoding,
                                 void *palette, uint32_t boneCount);

#endif
