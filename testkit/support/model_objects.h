/* model_objects.h: a Model as objects of the library's CPU side, one skin a part. Failures fail the running test. */
#ifndef TESTS_MODEL_OBJECTS_H
#define TESTS_MODEL_OBJECTS_H

#include "model.h"
#include "vkskin/vkskin.h"

typedef struct ModelObjects {
    const Model *model; /* borrowed: outlives the objects */
    VkskinSkeleton skeleton;
    VkskinClip *clips;     /* [clipCount] */
    VkskinSkin *skins;     /* [partCount], meshToModel the rest world of the part's node */
    VkskinTransform *pose; /* [nodeCount] */
    VkskinAffine *world;   /* [nodeCount] */
} ModelObjects;

ModelObjects modelObjects(const Model *model);
void modelObjectsFree(ModelObjects *objects);

/* Poses the model: clip -1 is the rest pose. `world` then holds the nodes. */
void modelObjectsPose(ModelObjects *objects, int32_t clip, double time, VkskinWrap wrap);

/* The palette of a part in that pose; returns what vkskinWritePalette says (a warning is not a failure). palette: room
 * for boneCount bones. */
VkskinResult modelObjectsPalette(const ModelObjects *objects, uint32_t part, VkskinPaletteEncoding encoding,
                                 void *palette, uint32_t boneCount);

/* A def that holds the mesh's arrays; nothing is copied. */
VkskinMeshDef modelMeshDef(const ModelMesh *mesh);

#endif
