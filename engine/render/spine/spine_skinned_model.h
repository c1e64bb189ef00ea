/*
 * spine_skinned_model.h: a 2D model on the device: its mesh, the instances of its characters, the pages of its atlas.
 */
#ifndef ENGINE_SPINE_SKINNED_MODEL_H
#define ENGINE_SPINE_SKINNED_MODEL_H

#include "model.h"
#include "paint.h"
#include "skinning.h"
#include "spine_mesh.h"
#include "spine_pipelines.h"

typedef struct SpineSkinnedModel {
    const Model *model;
    const SpineModel *spine;
    uint32_t count; /* characters of a frame at most */
    SpineMesh mesh;
    uint64_t listIndices; /* see spineListIndexMax */
    VkskinMesh skinMesh;
    VkskinInstance *instances; /* [count]; null if the vertex shader skins */
    Buffer vertices;           /* SpineVertex of each */
    VkDescriptorPool pool;
    Image *pages;          /* [pageCount + 1]; the last one is white */
    VkSampler *samplers;   /* [pageCount + 1] */
    VkDescriptorSet *sets; /* [pageCount + 1]: RASTER_SET_SPINE_PICTURE */
    uint32_t used;         /* characters of this frame so far */
    uint32_t firstSource;  /* in the buffer of SKIN_SYSTEM_UNIFORM_2D */
} SpineSkinnedModel;

/* First: the mesh of the model's first 2D model, on the host. The caller calls spineSkinnedModelDestroy also after a failure. */
bool spineSkinnedModelMeasure(const Model *model, uint32_t count, SpineSkinnedModel *spine, EngineError *error);

/* Then what is on the device. */
bool spineSkinnedModelCreate(Device *device, Skinning *skinning, bool inPasses, const SpinePipelines *pipelines,
                             SpineSkinnedModel *spine, EngineError *error);

/* Gives the vertices the colours of a paint. The device must not use the model now. On failure the old ones stay. */
bool spineSkinnedModelPaint(Device *device, const Paint *paint, SpineSkinnedModel *spine, EngineError *error);

/* With the library's mesh and instances. The device must no longer use it. A zero one is allowed. */
void spineSkinnedModelDestroy(Skinning *skinning, SpineSkinnedModel *spine);

#endif
