/*
 * spine_population.h: many 2D characters: what each plays from when on, and where it stands. All from one seed.
 *
 * A world unit is the larger side of the box of a 2D model's poses, so that 2D models of different files are equally large.
 */
#ifndef ENGINE_SPINE_POPULATION_H
#define ENGINE_SPINE_POPULATION_H

#include "parallel.h"
#include "spine_play.h"

/* A character at its place. */
typedef struct SpineCharacter {
    uint32_t model;        /* index of the 2D models that are drawn together */
    const SpinePose *pose; /* pose of that 2D model; null: not made yet */
    SpineMatrix place;     /* from the 2D model's space to the world; SPINE_UNPLACED for one character */
} SpineCharacter;

typedef enum SpinePlacement {
    SPINE_GRID = 0, /* rows of equal cells, from the upper left, each with one character */
    SPINE_STREET =
        1 /* on level ground seen from above: those farther away are smaller, higher, and behind the others */
} SpinePlacement;

/* A 2D model of the population. */
typedef struct SpinePopulationKind {
    const char *path; /* for messages */
    const SpineModel *spine;
    const uint32_t *skins; /* [skinCount], as spinePoseCreate */
    uint32_t skinCount;
    SpineMotion motion;
    bool cycles; /* characters play the animations that take time in turn, in place of motion.animation */
} SpinePopulationKind;

typedef struct SpinePopulationDef {
    const SpinePopulationKind *kinds; /* [kindCount]; characters have them in turn */
    uint32_t kindCount, count;
    SpinePlacement placement;
    double aspect; /* width over height of the population, about */
    double time;   /* seconds: where all begin; below 0: at random times of an animation */
    uint64_t seed;
} SpinePopulationDef;

/* What a character plays, from `start` seconds on, again and again; once if `duration` is 0. */
typedef struct SpineActor {
    SpineMotion motion;
    double start, duration;
} SpineActor;

typedef struct SpinePopulation {
    uint32_t count;
    SpineCharacter *characters; /* [count] from back to front */
    SpineActor *actors;         /* [count] */
    SpinePose **poses;          /* [count]: those of the characters; null: not made yet */
    const SpinePopulationKind *kinds;
    SpineBox box; /* box of all characters in the world, over all that they play */
    double clock; /* time of the last spinePopulationPose */
    double step;  /* seconds since the one before it */
    bool plays;   /* physics as spineMotionPlay, not by the steps of the clock */
} SpinePopulation;

/*
 * Without poses, which take most of the memory and time, so that a renderer may refuse the population first. The def's kinds and
 * 2D models must stay. The caller calls spinePopulationFree also after a failure.
 */
bool spinePopulationCreate(const SpinePopulationDef *def, SpinePopulation *population, EngineError *error);

/* The poses of all characters, in the setup pose. Those that are made already stay as they are. */
bool spinePopulationMakePoses(SpinePopulation *population, EngineError *error);

void spinePopulationFree(SpinePopulation *population);

/* How many characters of `count` have a kind. */
uint32_t spinePopulationCountOf(const SpinePopulationDef *def, uint32_t kind);

/* Evaluates all poses `clock` seconds after the start, on the threads of the pool. */
void spinePopulationPose(SpinePopulation *population, ParallelPool *pool, double clock);

#endif
