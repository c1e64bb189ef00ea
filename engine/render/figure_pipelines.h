/*
 * figure_pipelines.h: layouts and pipelines of the pass that draws 2D characters.
 */
#ifndef ENGINE_FIGURE_PIPELINES_H
#define ENGINE_FIGURE_PIPELINES_H

#include "figure.h"
#include "pipelines.h"

/* One for each blend mode, one that clips, and those of the debug views. */
enum {
    FIGURE_PIPELINE_CLIP = FIGURE_BLEND_COUNT,
    FIGURE_PIPELINE_WIREFRAME,
    FIGURE_PIPELINE_JOINTS,
    FIGURE_PIPELINE_COUNT
};

/* Push constants of all of them. */
typedef struct FigurePush {
    float scale[2], offset[2]; /* from the world to the picture */
    float colour[4];           /* colour of a debug view */
    float pixel;               /* side of a pixel, in world units */
    uint32_t vertexBits;       /* low bits of an index: the vertex; high ones: the member */
} FigurePush;

typedef struct FigurePipelines {
    VkDescriptorSetLayout setLayouts[RASTER_SET_FIGURE_COUNT];
    VkPipelineLayout layout;
    VkPipeline pipelines[FIGURE_PIPELINE_COUNT];
} FigurePipelines;

/* inPasses: the vertex shader skins. The caller calls figurePipelinesDestroy also after a failure. */
bool figurePipelinesCreate(Device *device, bool inPasses, VkFormat colourFormat, VkFormat stencilFormat,
                           FigurePipelines *pipelines, EngineError *error);

/* A zero one is allowed. */
void figurePipelinesDestroy(Device *device, FigurePipelines *pipelines);

#endif
