/*
 * draw_pipelines.h: the raster pipelines, their layouts, and the shaders they are made of.
 */
#ifndef ENGINE_DRAW_PIPELINES_H
#define ENGINE_DRAW_PIPELINES_H

#include "raster/raster_layout.h"
#include "target.h"

#define SHADOW_FORMAT VK_FORMAT_D32_SFLOAT

typedef enum DrawPipeline {
    DRAW_PIPELINE_SHADOW = 0,
    DRAW_PIPELINE_CROWD,
    DRAW_PIPELINE_GROUND,
    DRAW_PIPELINE_SKY,
    DRAW_PIPELINE_COUNT
} DrawPipeline;

#define DRAW_SHADERS_MAX 16

/* Words that replace those of the table; null where they do not. */
typedef struct DrawShaderOverride {
    uint32_t *words;
    size_t byteCount;
} DrawShaderOverride;

typedef struct DrawPipelines {
    VkDescriptorSetLayout setLayouts[RASTER_SET_COUNT];
    VkPipelineLayout layout;
    VkFormat colourFormat;
    DrawShaderOverride overrides[DRAW_SHADERS_MAX]; /* in the order of rasterShaders */
    VkPipeline pipelines[DRAW_PIPELINE_COUNT];
} DrawPipelines;

/* On failure *pipelines is zero. */
bool drawPipelinesCreate(Device *device, VkFormat colourFormat, DrawPipelines *pipelines, EngineError *error);

/* A zero one is allowed. */
void drawPipelinesDestroy(Device *device, DrawPipelines *pipelines);

/* As drawReplaceShader and drawSetColourFormat of draw.h. */
bool drawPipelinesReplaceShader(Device *device, DrawPipelines *pipelines, const char *name, const uint32_t *words,
                                size_t byteCount, EngineError *error);
bool drawPipelinesSetFormat(Device *device, DrawPipelines *pipelines, VkFormat colourFormat, EngineError *error);

#endif
