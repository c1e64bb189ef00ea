/*
 * pictures.h: the options that `render` and `crowd` share: what a picture shows, and from where.
 */
#ifndef APP_PICTURES_H
#define APP_PICTURES_H

#include "population_run.h"
#include "session.h"
#include "sheet.h"

/* A group: size, camera, fit, background, sequence. */
extern const Option PICTURE_OPTIONS[];

/* who: its OptionContent. */
#define FIT_OPTION(who)                                                                                                \
    {                                                                                                                  \
        "fit", OPTION_FLAG,                                                                                            \
            .help = "the camera looks at the box of all poses of the clip, so that pictures of one clip share one "    \
                    "camera; in a "                                                                                    \
                    "crowd at the box of all characters; default: the pose at this time; the front of the crowd",      \
            .content = (who)                                                                                           \
    }

/* For the table of a verb whose pictures are made by picturesRun or spinePicturesRun. */
#define LABELS_OPTION                                                                                                  \
    {                                                                                                                  \
        "labels", OPTION_FLAG,                                                                                         \
            .help = "write the names of bones at their places; of names that would overlap, the nearest",              \
            .content = OPTION_FOR_ALL                                                                                  \
    }

/* Pictures of one run, `step` seconds apart from `from` on, both added to --time. count 0: one picture. */
typedef struct PictureMoments {
    double from, step;
    uint32_t count;
    uint32_t first; /* number of the first file */
} PictureMoments;

/* Moments of --sequence or --sheet. rest: seconds from --time to the end of the clip. */
PictureMoments pictureMoments(const Arguments *arguments, double rest);

/* The colour of --background, encoded as sRGB: all 0 if it is none. False, and all 0: the option is not given. */
bool pictureBackground(const Arguments *arguments, float colour[4]);

/* Width over height of the picture. */
float pictureAspect(const Arguments *arguments);

/*
 * The camera of --camera. It looks at the centre of the bounds, in world space, and shows all of them, unless --camera
 * states a distance. yaw, pitch: without --camera, as for cameraFrame.
 */
Camera pictureCamera(const Arguments *arguments, const Bounds *bounds, float yaw, float pitch);

/* What a picture of one character shows. */
typedef struct PictureFrame {
    Bounds bounds; /* world space */
    Camera camera;
} PictureFrame;

#define PICTURE_SHARE 0.75f

/*
 * The box of the vertices of the first character: at its time, at all times of --sequence, or with --fit over its whole
 * clip, sampled 30 times per second, at most 256 times. The camera is that of --camera; without a distance, the larger side
 * of the vertices takes PICTURE_SHARE of the picture. Fails if the vertices are too far away to be drawn. yaw, pitch: as above.
 */
bool pictureFrame(const Arguments *arguments, const Population *population, float yaw, float pitch, PictureFrame *frame,
                  EngineError *error);

#define WARMUP_FRAMES 3 /* for the verbs that measure */

/* A run that makes pictures: `run` is populationRun or spineRun with its `user`. */
typedef struct PictureRun {
    uint32_t warmupFrames, frames; /* as in RunDef */
    bool still;                    /* as in RunDef */
    PictureMoments moments;
    double start, duration; /* if still: of --time, and of the clip as for momentShown; the files state the time */
    RunOverlay overlay;     /* as in RunDef */
    bool (*run)(void *user, const RunDef *def, RunResult *result, Picture *picture, EngineError *error);
    void *user; /* passed to `run` */
} PictureRun;

/*
 * Runs with progress, and writes the picture or the pictures that the options ask for: --output, --sequence, --sheet.
 * *result: of the measured frames.
 */
bool picturesTake(Session *session, const PictureRun *run, RunResult *result, EngineError *error);

/* picturesTake of the session's scene. still: as RunDef's. view: the background of the option is added. */
bool picturesRun(Session *session, uint32_t warmupFrames, uint32_t frames, bool still, DrawScene view,
                 RunResult *result, EngineError *error);

#endif
