/*
 * pipelines.h: the raster shaders, the pipelines made of them, and their layouts.
 *
 * All pipelines come from two tables: DRAW_VIEWS below, and `fixed` in pipelines.c. To add a debug view, add its
 * fragment shader to shaders/raster and one row to DRAW_VIEWS. Its pipeline, its name and its help text follow.
 */
#ifndef ENGINE_PIPELINES_H
#define ENGINE_PIPELINES_H

#include "raster/raster_layout.h"
#include "target.h"

#define SHADOW_FORMAT VK_FORMAT_D32_SFLOAT

/* How the colour pass shows the crowd. X(identifier, name, vertex shader, fragment shader, help) */
#define DRAW_VIEWS(X) X(LIT, "lit", "crowd.vert", "crowd.frag", "lit by sun and sky, with shadows")

#define DRAW_VIEW_ENUM(identifier, name, vertex, fragment, help) DRAW_VIEW_##identifier,
typedef enum DrawView { DRAW_VIEWS(DRAW_VIEW_ENUM) DRAW_VIEW_COUNT } DrawView;
#undef DRAW_VIEW_ENUM

/* The names by DrawView, ended by null, and "; NAME, HELP" of each: for an option of the command. */
extern const char *const DRAW_VIEW_NAMES[DRAW_VIEW_COUNT + 1];
extern const char DRAW_VIEW_HELP[];

/* Indices into DrawPipelines.pipelines. The views follow the fixed pipelines. */
typedef enum DrawPipeline {
    DRAW_PIPELINE_SHADOW = 0,
    DRAW_PIPELINE_GROUND,
    DRAW_PIPELINE_SKY,
    DRAW_PIPELINE_FIRST_VIEW,
    DRAW_PIPELINE_COUNT = DRAW_PIPELINE_FIRST_VIEW + DRAW_VIEW_COUNT
} DrawPipeline;

#define DRAW_SHADERS_MAX 32

/* A raster shader that was compiled with the engine. Its name is that of the source file, such as "crowd.vert". */
typedef struct RasterShader {
    const char *name;
    const uint32_t *words; /* SPIR-V for Vulkan 1.3 */
    size_t byteCount;
} RasterShader;

/* All files of shaders/raster that are shaders. *count receives their number, at most DRAW_SHADERS_MAX. Static. */
const RasterShader *rasterShaders(uint32_t *count);

/* Words that replace those of rasterShaders; null: they do not. */
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

/* See drawReplaceShader and drawSetColourFormat in draw.h. */
bool drawPipelinesReplaceShader(Device *device, DrawPipelines *pipelines, const char *name, const uint32_t *words,
                                size_t byteCount, EngineError *error);
bool drawPipelinesSetFormat(Device *device, DrawPipelines *pipelines, VkFormat colourFormat, EngineError *error);

#endif
