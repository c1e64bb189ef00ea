/*
 * crowd_run.h: the main job: poses, skins and draws a scene for a number of frames and times each step.
 *
 * - Pose: wall clock over culling and populationPose, including palette writes into mapped memory.
 * - Upload, skinning, drawing: device timestamps. If DeviceInfo.timestampsTrusted is false, each step is submitted
 *   alone and timed with the wall clock around a fence. Recording is not counted.
 * - With the CPU backend, vkskinRecordSkinning does the work: wall clock over that call. If the device is the same CPU,
 *   the other steps use the wall clock too, so that drawing does not overlap the next frame's skinning.
 * - With a system other than compute, skinning is a part of drawing: no time of skinning, and `backend` is
 *   "vertex-shader". Upload includes its copies of palettes to images.
 * - With the system crowd and kernels: recording is the host's time of vkskinRecordCrowd; lists and poses are the parts of
 *   skinning before the vertices, only by device timestamps.
 * - Upload is measured only in frames that upload something. Palettes that are written in place need no upload.
 */
#ifndef ENGINE_CROWD_RUN_H
#define ENGINE_CROWD_RUN_H

#include "draw.h"
#include "measure.h"
#include "scene.h"
#include "target.h"

typedef enum CrowdPhase {
    CROWD_PHASE_WARMUP = 0, /* before the measured frames */
    CROWD_PHASE_MEASURED = 1,
    CROWD_PHASE_TRAILING = 2, /* after them: collects the last timestamps and draws the picture */
    CROWD_PHASE_SERIES = 3    /* the pictures of CrowdRunDef.series */
} CrowdPhase;

/* done: frames of this phase so far, at least 1. Called on the thread of crowdRun. */
typedef void (*CrowdProgressFn)(void *user, CrowdPhase phase, uint32_t done, uint32_t total);

/* Pictures at even steps of the crowd's clock, after the measured frames. */
typedef struct CrowdSeries {
    uint32_t count;    /* 0: none */
    double from, step; /* seconds */
    /* Gets each picture, which stays the caller's. False, with *error set, ends the run. */
    bool (*take)(void *user, uint32_t index, const Picture *picture, EngineError *error);
} CrowdSeries;

/* The frames of a run: what crowdRun shares with other runs that draw a crowd. */
typedef struct CrowdFrames {
    uint32_t warmup, measured;
    uint32_t trailing; /* at least 1: enough to collect the last timestamps; the last one is at clock 0 */
    bool still;        /* all but the series are at clock 0 */
    const CrowdSeries *series;
    CrowdProgressFn progress; /* or null */
    void *user;               /* passed to progress and series */
    void *run;                /* passed to the two functions below */
    bool (*runFrame)(void *run, double clock, bool measured, EngineError *error);
    bool (*readPicture)(void *run, Picture *picture, EngineError *error);
} CrowdFrames;

/* All frames but the series, and the series. False: where a callback fails. */
bool crowdRunFrames(const CrowdFrames *frames, EngineError *error);
bool crowdRunSeries(const CrowdFrames *frames, EngineError *error);

typedef struct CrowdRunDef {
    uint32_t frames;        /* measured, at least 1 */
    uint32_t warmupFrames;  /* before them */
    uint32_t width, height; /* pixels of the picture */
    const DrawScene *view;  /* null: drawDefaultScene */
    bool still; /* every frame but the series shows the crowd at clock 0; the number of frames depends on the device */
    CrowdSeries series;
    CrowdProgressFn progress;
    void *user; /* passed to the callbacks */
} CrowdRunDef;

typedef enum CrowdClock { CROWD_CLOCK_TIMESTAMPS = 0, CROWD_CLOCK_WALL = 1 } CrowdClock;

typedef struct CrowdResult {
    DeviceInfo device;
    SkinChoice skin;     /* complete, without morphs */
    SystemStats system;  /* counts of the last measured frame */
    uint32_t pipelines;  /* that draw the crowd */
    const char *backend; /* in use: one of SKIN_BACKEND_NAMES, or "vertex-shader" */
    uint32_t threads;    /* threads of the CPU backend; else 0 */
    VkskinTuning tuning; /* tuning of the kernels, if the device skins */
    SceneWeights weights;
    ModelPackTotals packed; /* see scenePackTotals */
    CrowdClock clock;       /* times of upload, draw and, if the device skins, skinning */
    uint32_t frames;        /* measured */
    uint32_t characters;    /* characters of the crowd */
    uint32_t instances;     /* characters times their parts */
    uint64_t vertices;      /* vertices of all instances */
    uint64_t bones;         /* palette entries of all characters */
    /* Counts of the last measured frame. Instances are skinned, culled (no pass shows them) or unchanged (same pose as
     * in the frame before). */
    VkskinStats stats;
    uint32_t drawCalls; /* per frame, both passes */
    /* Milliseconds; draw: both passes; a count of 0: not measured, or the step did not run. */
    Measured pose, upload, recording, lists, poses, skinning, draw;
    double verticesPerSecond; /* vertices over the median of skinning; 0 if that is 0 */
    double bytesPerSecond;    /* palette and output bytes over the median of skinning */
} CrowdResult;

/*
 * Runs the scene and reads the last frame back, before a series. That frame shows the crowd at clock 0, so that pictures do not depend on
 * the number of frames. picture: null for none. On failure *picture is zero.
 */
bool crowdRun(Scene *scene, const CrowdRunDef *def, CrowdResult *result, Picture *picture, EngineError *error);
#endif
