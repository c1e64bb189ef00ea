/*
 * figure_model.h: a figure on the device: its mesh, the instances of its characters, the pages of its atlas.
 */
#ifndef ENGINE_FIGURE_MODEL_H
#define ENGINE_FIGURE_MODEL_H

#include "figure_mesh.h"
#include "figure_pipelines.h"
#include "model.h"
#include "skinning.h"

typedef struct FigureModel {
    const Model *model;
    const Figure *figure;
    uint32_t count; /* characters of a frame at most */
    FigureMesh mesh;
    uint64_t listIndices; /* see figureListIndexMax */
    VkskinMesh skinMesh;
    VkskinInstance *instances; /* [count]; null if the vertex shader skins */
    Buffer vertices;           /* FigureVertex of each */
    VkDescriptorPool pool;
    Image *pages;          /* [pageCount + 1]; the last one is white */
    VkSampler *samplers;   /* [pageCount + 1] */
    VkDescriptorSet *sets; /* [pageCount + 1]: RASTER_SET_FIGURE_PICTURE */
    uint32_t used;         /* characters of this frame so far */
    uint32_t firstSource;  /* in the buffer of SKIN_SYSTEM_UNIFORM_2D */
} FigureModel;

/* First: the mesh of the model's first figure, on the host. The caller calls figureModelDestroy also after a failure. */
bool figureModelMeasure(const Model *model, uint32_t count, FigureModel *figure, EngineError *error);

/* Then what is on the device. */
bool figureModelCreate(Device *device, Skinning *skinning, bool inPasses, const FigurePipelines *pipelines,
                       FigureModel *figure, EngineError *error);

/* With the library's mesh and instances. The device must no longer use it. A zero one is allowed. */
void figureModelDestroy(Skinning *skinning, FigureModel *figure);

#endif
