/*
 * point_program.h: a pipeline that draws vertices as points into three float images of a position, a normal and a
 * tangent: timed with the points behind the far plane, or as a probe with a pixel for each vertex, to be read back.
 */
#ifndef BENCH_POINT_PROGRAM_H
#define BENCH_POINT_PROGRAM_H

#include "resources.h"

#define POINT_IMAGES  3
#define POINT_BUFFERS 2

typedef struct PointProgramDef {
    const char *vertexShader;                          /* of shaders/ */
    const VkPipelineVertexInputStateCreateInfo *input; /* null: the shader pulls all */
    uint32_t bones;                                    /* constant 1 */
    uint32_t vertices;                                 /* pixels that there must be */
    uint32_t sets;                                     /* that pointProgramBindings is called for */
} PointProgramDef;

typedef struct PointProgram {
    Device *device;
    uint32_t width, height; /* of the images */
    Image images[POINT_IMAGES];
    VkDescriptorSetLayout setLayout;
    VkPipelineLayout layout;
    VkPipeline timed, probe;
    VkDescriptorPool pool;
} PointProgram;

/* On failure *program is zero. */
bool pointProgramCreate(Device *device, const PointProgramDef *def, PointProgram *program, EngineError *error);

/* A zero one is allowed. */
void pointProgramDestroy(PointProgram *program);

/* A set with these storage buffers, whole, at bindings 0 and 1. */
bool pointProgramBindings(PointProgram *program, const VkBuffer buffers[POINT_BUFFERS], VkDescriptorSet *set,
                          EngineError *error);

/* Begins a pass with the pipeline bound, after what passes before have drawn; the probe's clears all to `nothing`. */
void pointProgramBegin(const PointProgram *program, VkCommandBuffer commandBuffer, bool probe, float nothing);
void pointProgramEnd(VkCommandBuffer commandBuffer);

/* Copies the images, one after the other, [POINT_IMAGES][height][width] of float4. */
void pointProgramRead(const PointProgram *program, VkCommandBuffer commandBuffer, const Buffer *target);

#endif
