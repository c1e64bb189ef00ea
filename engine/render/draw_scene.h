/* draw_scene.h: cameras of scenes, and the uniforms that shaders read of a scene. */
#ifndef ENGINE_DRAW_SCENE_H
#define ENGINE_DRAW_SCENE_H

#include "draw.h"

/* Without the size of a pixel. aspect: width over height of the picture. */
RasterFrame drawDescribeFrame(const DrawScene *scene, const Population *population, float aspect);

#endif
