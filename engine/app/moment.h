/* moment.h: the time in a clip that --time, --frame, --loop and --sequence ask for. */
#ifndef APP_MOMENT_H
#define APP_MOMENT_H

#include "engine_error.h"
#include "model.h"
#include "options.h"

#define FRAME_OPTION                                                                                                   \
    {                                                                                                                  \
        "frame", OPTION_FRAME, "N[@FPSfps]",                                                                           \
            .help = "instead of --time: frame N, from 0, at FPS frames per second; without FPS at the rate of the "    \
                    "file, else as often as the clip has keys, 30 for 2D characters",                                  \
            .content = OPTION_FOR_ALL                                                                                  \
    }

#define LOOP_OPTION                                                                                                    \
    {                                                                                                                  \
        "loop", OPTION_FLAG, .help = "past its end the clip begins again; without it, its last pose is shown",         \
                             .content = OPTION_FOR_ALL                                                                 \
    }

/* The clip that is shown. */
typedef struct MomentClip {
    const char *name;
    double duration; /* seconds; INFINITY: nothing ends, as with a state machine or at rest */
    double rate;     /* frames per second; 0: unknown */
} MomentClip;

/* Frames per second of a clip: as its file states it; else its smallest step between keys, at most 1/5 s, if all keys are on
 * multiples; else 0. */
double momentRate(const ModelClip *clip);

/*
 * *time: seconds of --time or --frame. A line says so if a moment of --sequence, or *time, is past the end of the clip and
 * --loop is not given.
 */
bool momentRead(const Arguments *arguments, const MomentClip *clip, double *time, EngineError *error);

/* The time in the clip that is shown at `time`. */
double momentShown(const Arguments *arguments, double duration, double time);

#endif
