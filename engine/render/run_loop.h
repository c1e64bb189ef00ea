/*
 * run_loop.h: the main job: poses, skins and draws characters for a number of frames and times each step. The kinds of content
 * state what a frame does: population_run.h, spine_run.h.
 *
 * - Pose, prepare: wall clock over RunContent.pose and RunContent.prepare, including writes into mapped memory.
 * - Upload, skinning, drawing: device timestamps. If DeviceInfo.timestampsTrusted is false, each step is submitted
 *   alone and timed with the wall clock around a fence. Recording is not counted.
 * - With the CPU backend, vkskinRecordSkinning does the work: wall clock over that call. If the device is the same CPU,
 *   the other steps use the wall clock too, so that drawing does not overlap the next frame's skinning.
 * - With a system whose vertex shader skins, skinning is a part of drawing: no time of skinning, and `backend` is
 *   "vertex-shader". Upload includes its copies of palettes to images.
 * - With the system crowd and kernels: recording is the host's time of vkskinRecordCrowd; lists and poses are the parts of
 *   skinning before the vertices, only by device timestamps.
 * - Upload is measured only in frames that upload something. Palettes that are written in place need no upload.
 */
#ifndef ENGINE_RUN_LOOP_H
#define ENGINE_RUN_LOOP_H

#include "frames.h"
#include "measure.h"
#include "scene.h"
#include "system.h"
#include "target.h"

typedef enum RunPhase {
    RUN_PHASE_WARMUP = 0, /* before the measured frames */
    RUN_PHASE_MEASURED = 1,
    RUN_PHASE_TRAILING = 2, /* after them: collects the last timestamps and draws the picture */
    RUN_PHASE_SERIES = 3    /* the pictures of RunDef.series */
} RunPhase;

/* done: frames of this phase so far, at least 1. Called on the thread of the run. */
typedef void (*RunProgressFn)(void *user, RunPhase phase, uint32_t done, uint32_t total);

/* Pictures at even steps of the clock, after the measured frames. */
typedef struct RunSeries {
    uint32_t count;    /* 0: none */
    double from, step; /* seconds */
    /* Gets each picture, which stays the caller's. False, with *error set, ends the run. */
    bool (*take)(void *user, uint32_t index, const Picture *picture, EngineError *error);
} RunSeries;

/* Draws over each picture, after what is timed. record null: nothing does. */
typedef struct RunOverlay {
    bool (*record)(void *user, double clock, const Frame *frame, const Target *target, EngineError *error);
    void *user;
} RunOverlay;

typedef struct RunDef {
    uint32_t frames;        /* measured, at least 1 */
    uint32_t warmupFrames;  /* before them */
    uint32_t width, height; /* pixels of the picture */
    bool still;             /* every frame but the series is at clock 0; the number of frames depends on the device */
    RunSeries series;
    RunOverlay overlay;
    RunProgressFn progress; /* or null */
    void *user;             /* passed to the callbacks */
} RunDef;

typedef enum RunClock { RUN_CLOCK_TIMESTAMPS = 0, RUN_CLOCK_WALL = 1 } RunClock;

/* A field that the content does not have is 0. */
typedef struct RunResult {
    DeviceInfo device;
    SkinChoice skin;     /* complete, without morphs */
    SystemStats system;  /* counts of the last measured frame */
    uint32_t pipelines;  /* that draw the characters */
    const char *backend; /* in use: one of SKIN_BACKEND_NAMES, or "vertex-shader" */
    uint32_t
        threads; /* models: those of the CPU backend, else 0; 2D characters: threads of the host, which poses them */
    VkskinTuning tuning; /* tuning of the kernels, if the device skins */
    SceneWeights weights;
    ModelPackTotals packed; /* see scenePackTotals */
    RunClock clock;         /* times of upload, draw and, if the device skins, skinning */
    uint32_t frames;        /* measured */
    uint32_t characters;    /* characters of the population */
    uint32_t instances;     /* characters times their parts */
    uint64_t vertices;      /* vertices of all instances, shown or not */
    uint64_t bones;         /* palette entries of all characters */
    /* Counts of the last measured frame. Instances are skinned, culled (no pass shows them) or unchanged (same pose as
     * in the frame before). */
    VkskinStats stats;
    uint32_t drawCalls; /* per frame, all passes */
    /* Milliseconds; draw: all passes; a count of 0: not measured, or the step did not run. */
    Measured pose, prepare, upload, recording, lists, poses, skinning, draw;
    double verticesPerSecond; /* vertices over the median of skinning; 0 if that is 0 */
    double bytesPerSecond;    /* palette and output bytes over the median of skinning */
} RunResult;

/* What a kind of content does in a frame: functions in the order of their calls, each with `user`. */
typedef struct RunContent {
    Device *device;
    Skinning *skinning;
    SkinSystem system;
    VkFormat colourFormat; /* format of the target */
    bool transparent;      /* pictures keep alpha */
    bool moving; /* pictures depend on the frame before, which is then 1/60 s or a step of the series earlier */
    void *user;
    bool (*begin)(void *user, uint32_t slot, EngineError *error); /* the library's frame */
    bool (*pose)(void *user, double clock, EngineError *error);
    bool (*prepare)(void *user, uint32_t slot, EngineError *error);              /* the library's commands */
    bool (*copy)(void *user, VkCommandBuffer commandBuffer, EngineError *error); /* before the passes; or null */
    bool (*draw)(void *user, const Frame *frame, const Target *target, EngineError *error);
    void (*countFrame)(void *user, RunResult *result); /* after each measured frame: its counts; or null */
    bool (*count)(void *user, RunResult *result, EngineError *error); /* after all frames but the series */
} RunContent;

/*
 * Runs the content and reads the last frame back, before a series. That frame is at clock 0, so that pictures do not
 * depend on the number of frames. picture: null for none. On failure *picture is zero. The device has finished all work
 * of the run when the call returns.
 */
bool runLoop(const RunContent *content, const RunDef *def, RunResult *result, Picture *picture, EngineError *error);

/* For the functions that call runLoop: what a run returns that failed before it. picture: null for none. */
void runClear(RunResult *result, Picture *picture);

#endif
