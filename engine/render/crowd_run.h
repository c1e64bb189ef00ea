/*
 * crowd_run.h: the main job: a scene posed, skinned and drawn for a number of frames, each step timed.
 *
 * What is timed how. Pose: the processor's wall clock over crowdPose, palette writes into mapped memory included.
 * Upload, skinning, shadow and colour pass: timestamps on the device, or, where DeviceInfo.timestampsTrusted is
 * false, each submitted on its own between two readings of the wall clock around a fence. Recording is never counted.
 * Where the CPU skins, vkskinRecordSkinning does the work: skinning is the processor's wall clock over it. A device
 * that is the same CPU is then timed by the wall clock too, lest it draws while the next frame is skinned.
 * Upload is measured in frames that upload something alone: where palettes are written in place there are none.
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
    CROWD_PHASE_TRAILING = 2 /* after them: the last timestamps become known, the picture is drawn */
} CrowdPhase;

/* done, from 1 up, of total frames of this phase. Called on the thread of crowdRun. */
typedef void (*CrowdProgressFn)(void *user, CrowdPhase phase, uint32_t done, uint32_t total);

typedef struct CrowdRunDef {
    uint32_t frames;        /* measured, 1 up */
    uint32_t warmupFrames;  /* before them */
    double secondsPerFrame; /* that the crowd's clock advances; 0 is taken as 1/60 */
    uint32_t width, height; /* of the picture */
    /* The last frame shows the crowd at this clock, whatever the number of frames, so that pictures compare. */
    double pictureClock;
    const DrawScene *view; /* null: drawDefaultScene */
    CrowdProgressFn progress;
    void *user;
} CrowdRunDef;

typedef enum CrowdClock { CROWD_CLOCK_TIMESTAMPS = 0, CROWD_CLOCK_WALL = 1 } CrowdClock;

typedef struct CrowdResult {
    char device[DEVICE_NAME_SIZE];
    char driver[DEVICE_NAME_SIZE]; /* name */
    char driverVersion[DEVICE_NAME_SIZE];
    const char *backend; /* in use: of SKIN_BACKEND_NAMES */
    uint32_t threads;    /* that skin on the CPU; 0 where the device skins */
    VkskinTuning tuning; /* of the kernels, where the device skins */
    SceneWeights weights;
    CrowdClock clock;                      /* of upload, draw and, where the device skins, skinning */
    uint32_t frames;                       /* measured */
    uint32_t characters;                   /* members of the crowd */
    uint32_t instances;                    /* members times their parts */
    uint64_t vertices;                     /* of all instances */
    uint64_t bones;                        /* palette entries of all members */
    /* Of the last measured frame. Instances are skinned, unseen (no pass shows them) or unchanged (same pose as in the
     * frame before). */
    uint32_t instancesSkinned, instancesUnseen, instancesUnchanged;
    uint64_t verticesSkinned;
    uint32_t dispatches;                   /* a frame */
    uint32_t drawCalls;                    /* a frame, both passes */
    uint64_t paletteBytes;                 /* written a frame */
    uint64_t outputBytes;                  /* written a frame */
    Measured pose, upload, skinning, draw; /* milliseconds; draw: both passes; upload.count 0: nothing was */
    double verticesPerSecond;              /* vertices over the median of skinning; 0 where that is 0 */
    double bytesPerSecond;                 /* palette and output bytes over the median of skinning */
} CrowdResult;

/* Runs it and reads the last frame back. picture: null when it is not wanted. On failure *picture is zero. */
bool crowdRun(Scene *scene, const CrowdRunDef *def, CrowdResult *result, Picture *picture, EngineError *error);
#endif
