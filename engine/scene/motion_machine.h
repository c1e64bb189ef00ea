/* motion_machine.h: a state machine that chooses the clips of a character, and when its parameters change. */
#ifndef ENGINE_MOTION_MACHINE_H
#define ENGINE_MOTION_MACHINE_H

#include "machine_json.h"

#define MOTION_NAME_SIZE   128
#define MOTION_EVENTS_MAX  64u
#define MOTION_SECONDS_MAX 3600.0 /* how long a machine plays */

/*
 * A clip or a node: its index from 0, or its name (the first of that name). A text that is both is the index of a clip,
 * but the name of a node. Empty: none.
 */
typedef char MotionName[MOTION_NAME_SIZE];

/* Sets a parameter of a machine. */
typedef struct MotionEvent {
    double seconds; /* at least 0 */
    MotionName name;
    float value;
} MotionEvent;

/* Any number of characters and threads may use it at once. */
typedef struct MotionMachine {
    VkskinMachine states;
    uint32_t eventCount;
    MotionEvent events[MOTION_EVENTS_MAX]; /* ascending */
} MotionMachine;

typedef struct MotionClip {
    const char *name;
    float duration; /* seconds */
} MotionClip;

/* The clips of a model: `count`, and the one of an index. */
typedef struct MotionClips {
    uint32_t count;
    MotionClip (*at)(const void *model, uint32_t index);
    const void *model;
} MotionClips;

/* Reads `path`. events: [eventCount], at most MOTION_EVENTS_MAX, in any order, of parameters of the machine. Null on failure. */
MotionMachine *motionMachineCreate(const char *path, const MotionClips *clips, const MotionEvent *events,
                                   uint32_t eventCount, EngineError *error);

/*
 * Sets a parameter from a moment on, also for moments that were played. An earlier call for the same parameter within
 * MOTION_SET_PAUSE seconds before is replaced: a user drags a value.
 */
#define MOTION_SET_PAUSE 0.25
bool motionMachineSet(MotionMachine *machine, double seconds, const char *name, float value, EngineError *error);

/* The value that events have given to a parameter at a moment, or that of its start. parameter: index. */
float motionMachineValue(const MotionMachine *machine, double seconds, uint32_t parameter);

/* Null is allowed. */
void motionMachineDestroy(MotionMachine *machine);

/* How far a machine was played. Zero at first; the owner frees `parameters`. */
typedef struct MotionCursor {
    VkskinMachineRun run;
    uint32_t steps, event; /* whole steps so far; the first event after them */
    float *parameters;     /* those of the run, then room for as many; null: not begun */
} MotionCursor;

/*
 * What plays `time` seconds after the start: a moment depends on its time alone, not on the frames before. The cost grows
 * with the time; with a cursor, which may be null and is of this machine alone, with the time since its last call.
 * samples: [VKSKIN_MACHINE_SAMPLES_MAX].
 */
VkskinResult motionMachinePlay(const MotionMachine *machine, MotionCursor *cursor, double time,
                               VkskinMachineSample *samples, uint32_t *count);

#endif
