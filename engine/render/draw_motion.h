/*
 * draw_motion.h: the images that the pass of motion vectors draws into, without multisampling.
 *
 * A vector is the number of pixels, x to the right and y down, from the centre of a pixel to where its surface was in the
 * picture of the frame before. x is RASTER_MOTION_NONE where there is no surface.
 */
#ifndef ENGINE_DRAW_MOTION_H
#define ENGINE_DRAW_MOTION_H

#include "programs.h"
#include "resources.h"

#define DRAW_MOTION_FORMAT VK_FORMAT_R32G32_SFLOAT

/* Zero at first. */
typedef struct DrawMotion {
    Image vectors; /* IMAGE_SAMPLED between the passes; TRANSFER_SRC allowed */
    Image depth;
    VkSampler sampler;
    VkDescriptorPool pool;
    VkDescriptorSet set; /* each binding is `vectors` */
} DrawMotion;

/* Makes what is missing. Waits for the device if the size is another one. layout: of RASTER_SET_MATERIAL. */
bool drawMotionUse(DrawMotion *motion, Device *device, VkDescriptorSetLayout layout, uint32_t width, uint32_t height,
                   EngineError *error);

/* The pass, outside a render pass. The draws between the two calls write DRAW_MOTION_FORMAT and depth. */
void drawMotionBegin(const DrawMotion *motion, VkCommandBuffer commandBuffer);
void drawMotionEnd(const DrawMotion *motion, VkCommandBuffer commandBuffer);

/* The device must no longer use it. A zero one is allowed. */
void drawMotionDestroy(Device *device, DrawMotion *motion);

#endif
