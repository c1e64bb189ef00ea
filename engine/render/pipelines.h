/*
 * pipelines.h: the raster shaders, the pipelines made of them, and their layouts.
 *
 * All pipelines come from one table, `kinds` in pipelines.c. Those of debug views are made when a frame first needs them.
 */
#ifndef ENGINE_PIPELINES_H
#define ENGINE_PIPELINES_H

#include "skinned_model.h"
#include "programs.h"
#include "raster/raster_layout.h"
#include "system.h"
#include "target.h"

/* A corner of a line of an overlay. */
typedef struct OverlayVertex {
    float position[3]; /* in the world */
    float corner[2];   /* pixels from there, y down */
} OverlayVertex;

/* Indices into DrawPipelines.pipelines. */
typedef enum DrawPipeline {
    DRAW_PIPELINE_SHADOW = 0,
    DRAW_PIPELINE_SHADOW_MASKED,
    DRAW_PIPELINE_GROUND,
    DRAW_PIPELINE_SKY,
    DRAW_PIPELINE_LIT,                                            /* one for each SkinnedLook */
    DRAW_PIPELINE_PAINT = DRAW_PIPELINE_LIT + SKINNED_LOOK_COUNT, /* the first debug view; any look */
    DRAW_PIPELINE_WIREFRAME,
    DRAW_PIPELINE_NORMALS, /* only of systems that skin once */
    DRAW_PIPELINE_LINES,   /* lines of bones and boxes: OverlayVertex */
    DRAW_PIPELINE_MOTION,  /* only of systems that skin once; into DRAW_MOTION_FORMAT */
    DRAW_PIPELINE_MOTION_VIEW,
    DRAW_PIPELINE_COUNT
} DrawPipeline;

#define DRAW_PUSH_STAGES                                                                                               \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT) /* stages that read the push constants */

#define DRAW_SHADERS_MAX 32

/* All files of shaders/raster that are shaders. *count receives their number, at most DRAW_SHADERS_MAX. Static. */
const ShaderCode *rasterShaders(uint32_t *count);

/* The index of a shader in rasterShaders, by the name of its file. */
bool rasterFindShader(const char *name, uint32_t *index, EngineError *error);

/* The shader's module, which the caller destroys. Null on failure. */
VkShaderModule rasterModule(Device *device, const char *name, EngineError *error);

/* Whether targets of the format encode linear colours; else shaders do. */
bool formatEncodesSrgb(VkFormat format);

/* What the crowd and its system need; the others have no pipeline. */
typedef struct DrawNeeds {
    uint32_t looks;    /* bit l: the crowd has parts of SkinnedLook l */
    uint32_t variants; /* bit v: the system has pieces of variant v */
    SystemConstants constants;
} DrawNeeds;

typedef struct DrawPipelines {
    const SystemType *system;
    VkDescriptorSetLayout setLayouts[RASTER_SET_COUNT];
    VkPipelineLayout layout;
    VkFormat colourFormat;
    DrawNeeds needs;
    uint32_t views;                       /* bit p: debug view p is made, from its first use on */
    ShaderCode shaders[DRAW_SHADERS_MAX]; /* in use, in the order of rasterShaders */
    uint32_t *replaced[DRAW_SHADERS_MAX]; /* their words if these replace those of rasterShaders, else null */
    VkPipeline pipelines[DRAW_PIPELINE_COUNT][SYSTEM_VARIANTS]; /* ground and sky have only variant 0 */
} DrawPipelines;

/* Makes the layouts, from which a system can be made. The pipelines follow with drawPipelinesSetNeeds. On failure
 * *pipelines is zero. */
bool drawPipelinesCreate(Device *device, VkFormat colourFormat, const SystemType *system, DrawPipelines *pipelines,
                         EngineError *error);

/* A zero one is allowed. */
void drawPipelinesDestroy(Device *device, DrawPipelines *pipelines);

/* See drawReplaceShader and drawSetColourFormat in draw.h. */
bool drawPipelinesReplaceShader(Device *device, DrawPipelines *pipelines, const char *name, const uint32_t *words,
                                size_t byteCount, EngineError *error);
bool drawPipelinesSetFormat(Device *device, DrawPipelines *pipelines, VkFormat colourFormat, EngineError *error);

/* For other needs, likewise. */
bool drawPipelinesSetNeeds(Device *device, DrawPipelines *pipelines, const DrawNeeds *needs, EngineError *error);

/* Makes a debug view unless it is made. It may be called while commands are recorded. */
bool drawPipelinesUse(Device *device, DrawPipelines *pipelines, DrawPipeline view, EngineError *error);

/* Number of pipelines that draw the crowd. */
uint32_t drawPipelinesCount(const DrawPipelines *pipelines);

#endif
