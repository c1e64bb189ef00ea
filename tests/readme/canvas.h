/*
 * canvas.h: a small render target with readable pixels.
 */
#ifndef TESTS_CANVAS_H
#define TESTS_CANVAS_H

#include "gpu.h"

#define CANVAS_SIZE 64 /* pixels each way */

typedef struct Canvas {
    Gpu *gpu;
    VkRenderPass pass; /* clears to zero, stores the picture, and makes it readable for copies */
    VkImage image;     /* R8G8B8A8_UNORM */
    VkDeviceMemory memory;
    VkImageView view;
    VkFramebuffer framebuffer;
    GpuBuffer pixels; /* 4 bytes per pixel, row by row */
} Canvas;

Canvas canvasOpen(Gpu *gpu);
void canvasClose(Canvas *canvas);

/* A pipeline that draws triangle strips with the given vertex shader and normal.frag. */
VkPipeline canvasPipeline(const Canvas *canvas, VkPipelineLayout layout,
                          const VkPipelineVertexInputStateCreateInfo *input, const uint32_t *words, size_t size);

/* Begin and end the render pass. After the submission, `pixels` holds the picture. */
void canvasBegin(const Canvas *canvas, VkCommandBuffer commandBuffer);
void canvasEnd(const Canvas *canvas, VkCommandBuffer commandBuffer);

#endif
