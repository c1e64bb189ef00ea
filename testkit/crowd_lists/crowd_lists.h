/*
 * crowd_lists.h: culling, slots and lists of a crowd on the CPU, once with the stages of the library, once with a plain
 * loop, on the same characters. The loop is a simple sequential program: no blocks, no lanes.
 *
 * The camera is in the middle of a disc of characters and turns. It has a function for each side, and includes nothing
 * of the library's inside: programs with headers of the same names can use it.
 */
#ifndef TESTKIT_CROWD_LISTS_H
#define TESTKIT_CROWD_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "vkskin/vkskin_base.h"

typedef struct CrowdListsDef {
    uint32_t characters, slots; /* 1 up; slots: of the only model */
    float visible;              /* part of all characters that the camera sees, below 0.5 */
    bool wild;                  /* random flags, clips and times; some random transforms */
} CrowdListsDef;

typedef struct CrowdLists CrowdLists;

/* Out of memory ends the process. */
CrowdLists *newCrowdLists(const CrowdListsDef *def);
void freeCrowdLists(CrowdLists *lists);

/* One frame of one side, from culling to lists. level: not VKSKIN_CPU_AUTO. parallel: null: on the calling thread. Both
 * sides have the same frames. */
void crowdListsRun(CrowdLists *lists, VkskinCpuLevel level, VkskinParallelFn parallel, void *user, uint32_t frame);
void crowdListsLoop(CrowdLists *lists, uint32_t frame);

/* What differs after the same frames on both sides; null: every key, state, slot, list entry and counter is equal. */
const char *crowdListsDifference(const CrowdLists *lists);

/* In the list of the view, after the last frame of the loop. */
uint32_t crowdListsListed(const CrowdLists *lists);

/* Overwrites the keys and the lists of the stages (or of the loop) with a pattern. */
void crowdListsPoison(CrowdLists *lists, bool loop);

#endif
