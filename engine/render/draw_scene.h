/*
 * draw_scene.h: a scene as the shaders read it.
 */
#ifndef ENGINE_DRAW_SCENE_H
#define ENGINE_DRAW_SCENE_H

#include "draw.h"
#include "raster/raster_layout.h"

/* shadowSize: texels a side of the shadow map. aspect: width over height. */
RasterFrame drawSceneUniforms(const DrawScene *scene, const Crowd *crowd, uint32_t shadowSize, float aspect);

#endif
