/*
 * draw_bindings.h: buffers, samplers and descriptor sets for drawing. Each set is written once, before its first use.
 */
#ifndef ENGINE_DRAW_BINDINGS_H
#define ENGINE_DRAW_BINDINGS_H

#include "population.h"
#include "frames.h"
#include "pipelines.h"

#define DRAW_SHADOW_SIZE 2048 /* width and height of the shadow map, texels */

typedef struct DrawBindings {
    VkSampler shadowSampler;
    VkSampler textureSamplers[MODEL_WRAP_COUNT][MODEL_WRAP_COUNT]; /* by the wrap along u, along v */
    Image shadowMap;
    Buffer uniforms[FRAMES_IN_FLIGHT];                         /* RasterFrame, mapped */
    Buffer instances[FRAMES_IN_FLIGHT][POPULATION_PASS_COUNT]; /* RasterInstance [population->instanceCount], mapped */
    VkDescriptorPool pool;                                     /* pool of all sets */
    VkDescriptorSet frameSets[FRAMES_IN_FLIGHT][POPULATION_PASS_COUNT];
    uint32_t *materialStarts; /* [modelCount] into materialSets */
    VkDescriptorSet *materialSets;
} DrawBindings;

/* On failure *bindings is zero. */
bool drawBindingsCreate(Device *device, const Population *population, const DrawPipelines *pipelines,
                        DrawBindings *bindings, EngineError *error);

/* A zero one is allowed. */
void drawBindingsDestroy(Device *device, DrawBindings *bindings);

#endif
