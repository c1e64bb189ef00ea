/*
 * draw.h: draws a population lit on a ground: a shadow pass of a directional light and a colour pass. Both passes read the
 * vertices that the library skinned, or skin by another system: systems/system.h.
 *
 * A frame: drawPrepare, populationPose, populationSkin, vkskinRecordSkinning, drawRecord. drawPrepare marks the characters that the
 * picture needs, so the steps in between leave the others out.
 *
 * A crowd is drawn instanced, with one call per piece of a mesh part and page of the system. With skinned vertices, the
 * vertex shaders pull them from the output page at first[gl_InstanceIndex] + gl_VertexIndex. Static streams are vertex
 * buffers. Parts are sorted by
 * SkinnedLook, which decides the pipeline. Blended parts come last, from far to near: blend_order.h.
 */
#ifndef ENGINE_DRAW_H
#define ENGINE_DRAW_H

#include "draw_scene.h"
#include "gpu_crowd.h"
#include "pipelines.h"
#include "target.h"

typedef struct Draw Draw;

/*
 * Makes pipelines, the shadow map and the buffers of each frame slot. colourFormat: of the targets drawn into. The crowd
 * outlives it. Null on failure.
 */
Draw *drawCreate(Device *device, Population *population, VkFormat colourFormat, EngineError *error);

/* The device must no longer use it. Null is allowed. */
void drawDestroy(Draw *draw);

/*
 * Whether the draw's device and system can show this: one line, if not. The bone of the paint is not checked: models without it
 * are painted as weight 0.
 */
bool drawCanShow(const Draw *draw, uint32_t shows, EngineError *error);

/* Call before populationPose: keeps the scene for drawRecord and marks which characters each pass shows. aspect: width over
 * height of the target. */
void drawPrepare(Draw *draw, const DrawScene *scene, float aspect);

/*
 * Records what the system does before the passes: copies of palettes, or with SKIN_SYSTEM_CROWD all of posing, culling and
 * skinning; nothing with SKIN_SYSTEM_COMPUTE. Call it after populationPose and vkskinRecordSkinning and before drawRecord, to
 * time it apart; without a call drawRecord does it.
 */
bool drawUpload(Draw *draw, VkCommandBuffer commandBuffer, EngineError *error);

/*
 * Records both passes of the scene that drawPrepare was given last. Call it outside a render pass, after
 * vkskinRecordSkinning. The picture is then in `image`, in its final layout. slot: the frame's; its last use has
 * finished. What a paint or a debug view needs is made here, when the scene has it first. Fails also where drawCanShow does.
 * Before a target of another size, wait for the device.
 */
bool drawRecord(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const Target *target,
                const TargetImage *image, EngineError *error);

/*
 * As drawRecord, but the colour pass `passes` times, at least 1, and no shadow pass, whose shadows stay those of the last
 * drawRecord: there must be one. To time what a pass more costs.
 */
bool drawRecordColour(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const Target *target,
                      const TargetImage *image, uint32_t passes, EngineError *error);

/* Call it after sceneReplaceModel: materials, textures and output pages are others. */
bool drawRenew(Draw *draw, EngineError *error);

/*
 * Replaces a shader of rasterShaders by new words and makes the pipelines again. Waits for the device. On failure the
 * old pipelines stay.
 */
bool drawReplaceShader(Draw *draw, const char *name, const uint32_t *words, size_t byteCount, EngineError *error);

/* Makes the pipelines for targets of another format, such as a new swapchain's. Waits for the device. Does nothing if
 * the format is the same. */
bool drawSetColourFormat(Draw *draw, VkFormat colourFormat, EngineError *error);

/* Draw calls of the last drawRecord or drawRecordColour, all passes. */
uint32_t drawCallCount(const Draw *draw);

/* What the last drawRecord of a scene with DRAW_SHOW_MOTION wrote: draw_motion.h. Zero before the first. */
const Image *drawMotionVectors(const Draw *draw);

/* The system of the population's SkinChoice: what it costs. */
const SystemStats *drawSystemStats(const Draw *draw);

/*
 * Draws a guest with the population, in the same passes, but not as motion vectors: its owner poses it before drawRecord, in the
 * same frame slot. Its system must be SKIN_SYSTEM_COMPUTE. It outlives the draw or the next call; null: no guest. The device must
 * not use the one before. On failure there is none. drawRenew ends it.
 */
bool drawSetGuest(Draw *draw, Population *guest, EngineError *error);

/* Characters of SKIN_SYSTEM_CROWD; null with other systems. */
GpuCrowd *drawGpuCrowd(const Draw *draw);

/* Pipelines that draw the population. */
uint32_t drawPipelineCount(const Draw *draw);

#endif
