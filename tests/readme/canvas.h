/*
 * canvas.h: a small picture to draw into, whose pixels can be read.
 */
#ifndef TESTS_CANVAS_H
#define TESTS_CANVAS_H

#include "gpu.h"

#define CANVAS_SIZE 64 /* pixels each way */

typedef struct Canvas {
    Gpu *gpu;
    VkRenderPass pass; /* clears to zero, keeps what is drawn, and leaves it readable by copies */
    VkImage image;     /* R8G8B8A8_UNORM */
    VkDeviceMemory memory;
    VkImageView view;
    VkFramebuffer framebuffer;
    GpuBuffer pixels; /* 4 bytes each, row by row */
} Canvas;

Canvas canvasOpen(Gpu *gpu);
void canvasClose(Canvas *canvas);

/* A pipeline that draws triangle strips: vertex shader of these words, and normal.frag. */
VkPipeline canvasPipeline(const Canvas *canvas, VkPipelineLayout layout,
                          const VkPipelineVertexInputStateCreateInfo *input, const uint32_t *words, size_t size);

/* Between the two lies a render pass; after the submission `pixels` holds the picture. */
void canvasBegin(const Canvas *canvas, VkCommandBuffer commandBuffer);
void canvasEnd(const Canvas *canvas, VkCommandBuffer commandBuffer);

#endif
