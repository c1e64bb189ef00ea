/*
 * draw_motion.h: what the pass of motion vectors draws into, and the set from which the view reads it.
 *
 * A vector is the number of pixels, x to the right and y down, from the centre of a pixel to where its surface was in the
 * picture of the frame before. x is RASTER_MOTION_NONE where there is no surface.
 */
#ifndef ENGINE_DRAW_MOTION_H
#define ENGINE_DRAW_MOTION_H

#include "programs.h"
#include "target.h"

#define DRAW_MOTION_FORMAT VK_FORMAT_R32G32_SFLOAT

/* Zero at first. */
typedef struct DrawMotion {
    Target target; /* `resolve` has the vectors, and is IMAGE_SAMPLED between the passes */
    VkSampler sampler;
    VkDescriptorPool pool;
    VkDescriptorSet set; /* each binding is the vectors */
} DrawMotion;

/* Makes what is missing. For another size than before, the device must no longer use it. layout: of RASTER_SET_MATERIAL. */
bool drawMotionUse(DrawMotion *motion, Device *device, VkDescriptorSetLayout layout, uint32_t width, uint32_t height,
                   EngineError *error);

/* The device must no longer use it. A zero one is allowed. */
void drawMotionDestroy(Device *device, DrawMotion *motion);

#endif
