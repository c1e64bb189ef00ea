/* draw_scene.h: what a picture of a population shows, and the uniforms that shaders read of it. */
#ifndef ENGINE_DRAW_SCENE_H
#define ENGINE_DRAW_SCENE_H

#include "paint.h"
#include "population.h"
#include "raster/raster_layout.h"

/* What a picture shows: bits. The first three are those of 2D characters (spine_draw.h). */
enum {
    DRAW_SHOW_MESH = 1,
    DRAW_SHOW_WIREFRAME = 2, /* edges of the triangles; hidden ones only where the mesh is not shown */
    DRAW_SHOW_JOINTS = 4,  /* bones, in front of all: a mark where each begins, and lines from its parent that narrow */
    DRAW_SHOW_NORMALS = 8, /* lines along the normal of each vertex; not of systems whose vertex shader skins */
    DRAW_SHOW_BOXES = 16,  /* one for each character, for all times of its clip */
    DRAW_SHOW_MOTION = 32, /* motion vectors as colours, in place of the mesh: shaders/raster/motion_view.frag */
    DRAW_SHOW_BODIES = 64  /* capsules of ragdolls: ragdoll_fit.h; in front of all */
};

typedef struct DrawScene {
    Camera camera;
    float sunDirection[3]; /* towards the sun, any length above 0 */
    float groundHeight;    /* height of the plane below the population */
    float groundUnit;      /* side of the ground's squares, world units */
    uint32_t height;       /* height of the picture in pixels, for levels of detail; 0: the finest ones */
    uint32_t shows;        /* DRAW_SHOW_...; 0: DRAW_SHOW_MESH */
    Paint paint;           /* in place of materials; the bone's name is borrowed until the next drawPrepare */
    float exposure;        /* factor of all light; 0: 1 */
    bool plain;            /* `background` instead of ground and sky; distance does not fade */
    float background[4];   /* linear colour times alpha, and alpha */
} DrawScene;

/* A scene for the population: camera above it, sun from the side, ground under its feet. aspect: width over height. */
DrawScene drawDefaultScene(const Population *population, float aspect);

/* Without the size of a pixel. aspect: width over height of the picture. */
RasterFrame drawDescribeFrame(const DrawScene *scene, const Population *population, float aspect);

#endif
