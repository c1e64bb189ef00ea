/*
 * spine_run.h: run_loop.h for 2D characters. Pose: spinePopulationPose. Prepare: spineDrawPrepare: bones, deform weights,
 * colours and indices.
 */
#ifndef ENGINE_SPINE_RUN_H
#define ENGINE_SPINE_RUN_H

#include "run_loop.h"
#include "spine_draw.h"

typedef struct SpineShow {
    Device *device;
    Skinning *skinning;
    SkinSystem system;            /* one that draws 2D models */
    SpinePopulation *population;  /* the run makes the poses, if there are none */
    const SpineDrawModel *models; /* [modelCount], as the population's kinds */
    uint32_t modelCount;
    uint32_t shows; /* bits: SPINE_SHOW_MESH and so on */
    SpineCamera camera;
    float background[4]; /* colour times alpha, and alpha */
} SpineShow;

/* As runLoop. */
bool spineRun(const SpineShow *show, const RunDef *def, RunResult *result, Picture *picture, EngineError *error);

#endif
