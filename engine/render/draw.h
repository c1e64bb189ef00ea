/*
 * draw.h: draws a crowd lit on a ground: a shadow pass of a directional light and a colour pass, both of which read
 * the vertices that the compute pass skinned.
 *
 * A crowd is drawn instanced, per mesh part and output page. The vertex shaders pull the skinned streams from the
 * page at outputBase[gl_InstanceIndex] + gl_VertexIndex; static streams are vertex buffers.
 */
#ifndef ENGINE_DRAW_H
#define ENGINE_DRAW_H

#include "crowd.h"
#include "target.h"

typedef struct Draw Draw;

typedef struct DrawDef {
    uint32_t framesInFlight; /* 1 up */
    VkFormat colourFormat;   /* of the targets drawn into */
    uint32_t shadowSize;     /* texels a side; 0: 2048 */
} DrawDef;

/* Pipelines, shadow map and what each frame slot needs for the crowd. The crowd outlives it. Null on failure. */
Draw *drawCreate(Device *device, Crowd *crowd, const DrawDef *def, EngineError *error);

/* The device no longer uses it. Null is allowed. */
void drawDestroy(Draw *draw);

typedef struct DrawScene {
    Camera camera;
    float sunDirection[3]; /* towards the sun, any length above 0 */
    bool ground;           /* at y = groundHeight */
    float groundHeight;
    float groundUnit; /* side of the ground's squares, world units */
} DrawScene;

/* A scene for the crowd: camera above it, sun from the side, ground under its feet. aspect: width over height. */
DrawScene drawDefaultScene(const Crowd *crowd, float aspect);

/*
 * Records shadow and colour pass, outside a render pass, after vkskinRecordSkinning; the result lies in `image` in
 * its final layout. slot: the frame's, whose last use has finished. Every member has been skinned before.
 */
bool drawRecord(Draw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const DrawScene *scene, const Target *target,
                const TargetImage *image, EngineError *error);

/*
 * Replaces a shader of the table (raster_shaders.h) by new words and makes the pipelines again. Waits for the device.
 * On failure, the old pipelines stay as they were.
 */
bool drawReplaceShader(Draw *draw, const char *name, const uint32_t *words, size_t byteCount, EngineError *error);

/* For targets of another format (a swapchain made again). Waits for the device. Nothing when it is the same. */
bool drawSetColourFormat(Draw *draw, VkFormat colourFormat, EngineError *error);

/* Draw calls of the last drawRecord, both passes. */
uint32_t drawCallCount(const Draw *draw);

#endif
