/*
 * spine_run.h: runs 2D characters by run_loop.h. Preparing is spineDrawPrepare, which writes bones, deform weights, colours
 * and indices.
 */
#ifndef ENGINE_SPINE_RUN_H
#define ENGINE_SPINE_RUN_H

#include "run_loop.h"
#include "spine_draw.h"

/* A population of 2D characters, and how a picture shows it. */
typedef struct SpineShow {
    Device *device;
    Skinning *skinning;
    SkinSystem system;            /* one that draws 2D models */
    SpinePopulation *population;  /* the run makes the poses, if there are none */
    const SpineDrawModel *models; /* [modelCount], as the population's kinds */
    uint32_t modelCount;
    uint32_t shows; /* bits: SPINE_SHOW_MESH and so on */
    Paint paint;
    SpineCamera camera;
    float background[4]; /* colour times alpha, and alpha */
} SpineShow;

/* As runLoop. */
bool spineRun(const SpineShow *show, const RunDef *def, RunResult *result, Picture *picture, EngineError *error);

#endif
