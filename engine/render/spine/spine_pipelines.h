/*
 * spine_pipelines.h: layouts and pipelines of the pass that draws 2D characters.
 */
#ifndef ENGINE_SPINE_PIPELINES_H
#define ENGINE_SPINE_PIPELINES_H

#include "pipelines.h"
#include "spine_model.h"

/* One for each blend mode, one that clips, and those of the debug views. */
enum { SPINE_PIPELINE_CLIP = SPINE_BLEND_COUNT, SPINE_PIPELINE_WIREFRAME, SPINE_PIPELINE_JOINTS, SPINE_PIPELINE_COUNT };

/* Push constants of all of them. */
typedef struct SpinePush {
    float scale[2], offset[2]; /* from the world to the picture */
    float colour[4];           /* colour of a debug view */
    float pixel;               /* side of a pixel, in world units */
    uint32_t vertexBits;       /* low bits of an index: the vertex; high ones: the character */
} SpinePush;

typedef struct SpinePipelines {
    VkDescriptorSetLayout setLayouts[RASTER_SET_SPINE_COUNT];
    VkPipelineLayout layout;
    VkPipeline pipelines[SPINE_PIPELINE_COUNT];
} SpinePipelines;

/* inPasses: the vertex shader skins. The caller calls spinePipelinesDestroy also after a failure. */
bool spinePipelinesCreate(Device *device, bool inPasses, VkFormat colourFormat, VkFormat stencilFormat,
                          SpinePipelines *pipelines, EngineError *error);

/* A zero one is allowed. */
void spinePipelinesDestroy(Device *device, SpinePipelines *pipelines);

#endif
