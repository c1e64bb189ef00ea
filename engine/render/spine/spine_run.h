/*
 * spine_run.h: poses, skins and draws a population of 2D characters for a number of frames and times each step.
 *
 * - Pose: wall clock over spinePopulationPose. Prepare: wall clock over spineDrawPrepare: bones, deform weights, colours and
 *   indices, written into mapped memory.
 * - Skinning and drawing: as crowd_run.h says, by device timestamps or by the wall clock. With SKIN_SYSTEM_UNIFORM_2D
 *   skinning is a part of drawing.
 */
#ifndef ENGINE_SPINE_RUN_H
#define ENGINE_SPINE_RUN_H

#include "crowd_run.h"
#include "spine_draw.h"

typedef struct SpineRunDef {
    SkinSystem system;            /* one that draws 2D models */
    SpinePopulation *population;  /* spineRun makes the poses, if there are none */
    const SpineDrawModel *models; /* [modelCount], as the population's kinds */
    uint32_t modelCount;
    SpineCamera camera;
    float background[4];    /* colour times alpha, and alpha */
    uint32_t frames;        /* measured, at least 1 */
    uint32_t warmupFrames;  /* before them */
    uint32_t width, height; /* pixels of the picture */
    CrowdSeries series;
    CrowdProgressFn progress;
    void *user; /* passed to the callbacks */
} SpineRunDef;

typedef struct SpineResult {
    const char *backend;                    /* one of SKIN_BACKEND_NAMES, or "vertex-shader" */
    uint32_t threads;                       /* threads of the host: they pose, and skin with the CPU backend */
    CrowdClock clock;                       /* times of draw and, if the device skins, skinning */
    uint64_t vertices;                      /* vertices of all characters, shown or not */
    uint64_t bones;                         /* bones of all characters, shown or not */
    uint32_t drawCalls;                     /* draw calls per frame */
    VkskinStats stats;                      /* counts of the last measured frame */
    uint32_t trimmed;                       /* vertices that lost influences, see spineDrawTrimmed */
    Measured pose, prepare, skinning, draw; /* milliseconds; a count of 0: the step did not run */
} SpineResult;

/*
 * The last frame, and the picture, show the population at clock 0. picture: null for none; on failure it is zero.
 */
bool spineRun(Device *device, Skinning *skinning, const SpineRunDef *def, SpineResult *result, Picture *picture,
              EngineError *error);

#endif
