/*
 * figure_crowd.h: many 2D characters: what each plays from when on, and where it stands. All from one seed.
 *
 * A world unit is the larger side of the box of a figure's poses, so that figures of different files are equally large.
 */
#ifndef ENGINE_FIGURE_CROWD_H
#define ENGINE_FIGURE_CROWD_H

#include "figure_play.h"
#include "parallel.h"

/* A character at its place. */
typedef struct FigureMember {
    uint32_t model;         /* index of the figures that are drawn together */
    const FigurePose *pose; /* pose of that figure; null: not made yet */
    FigureMatrix place;     /* from the figure's space to the world; FIGURE_UNPLACED for one character */
} FigureMember;

typedef enum FigurePlacement {
    FIGURE_GRID = 0, /* rows of equal cells, from the upper left, each with one character */
    FIGURE_STREET =
        1 /* on level ground seen from above: those farther away are smaller, higher, and behind the others */
} FigurePlacement;

/* A figure of the crowd. */
typedef struct FigureCrowdKind {
    const char *path; /* for messages */
    const Figure *figure;
    const uint32_t *skins; /* [skinCount], as figurePoseCreate */
    uint32_t skinCount;
    FigureMotion motion;
    bool cycles; /* members play the animations that take time in turn, in place of motion.animation */
} FigureCrowdKind;

typedef struct FigureCrowdDef {
    const FigureCrowdKind *kinds; /* [kindCount]; members have them in turn */
    uint32_t kindCount, count;
    FigurePlacement placement;
    double aspect; /* width over height of the crowd, about */
    double time;   /* seconds: where all begin; below 0: at random times of what they play */
    uint64_t seed;
} FigureCrowdDef;

/* What a member plays, from `start` seconds on, again and again. */
typedef struct FigureActor {
    FigureMotion motion;
    double start, duration;
} FigureActor;

typedef struct FigureCrowd {
    uint32_t count;
    FigureMember *members; /* [count] from back to front */
    FigureActor *actors;   /* [count] */
    FigurePose **poses;    /* [count]: those of the members; null: not made yet */
    const FigureCrowdKind *kinds;
    FigureBox box; /* box of all members in the world, over all that they play */
    double clock;  /* time of the last figureCrowdPose */
} FigureCrowd;

/*
 * Without poses, which take most of the memory and time, so that a renderer may refuse the crowd first. The def's kinds and
 * figures must stay. The caller calls figureCrowdFree also after a failure.
 */
bool figureCrowdCreate(const FigureCrowdDef *def, FigureCrowd *crowd, EngineError *error);

/* The poses of all members, in the setup pose. Those that are made already stay as they are. */
bool figureCrowdMakePoses(FigureCrowd *crowd, EngineError *error);

void figureCrowdFree(FigureCrowd *crowd);

/* How many members of `count` have a kind. */
uint32_t figureCrowdCountOf(const FigureCrowdDef *def, uint32_t kind);

/* Evaluates all poses `clock` seconds after the start, on the threads of the pool. */
void figureCrowdPose(FigureCrowd *crowd, ParallelPool *pool, double clock);

#endif
