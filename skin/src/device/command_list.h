/*
 * command_list.h: the commands of a frame and their morph weights, in host memory until they are recorded.
 *
 * Several calls may take places at the same time, and write them. Other functions need the list alone.
 */
#ifndef VKSKIN_COMMAND_LIST_H
#define VKSKIN_COMMAND_LIST_H

#include <stdatomic.h>

#include "job_table.h"

/* Places of a list, counted over the whole frame. */
typedef struct Places {
    uint32_t capacity;      /* places in the list's memory */
    uint32_t room;          /* places that can be taken: the record calls have room for them, too */
    uint32_t recorded;      /* the first ones are recorded */
    _Atomic uint32_t taken; /* recorded or not */
} Places;

typedef struct CommandList {
    Command *commands; /* each owner's update has the index */
    bool *follows;     /* [capacity]: see Commands */
    Places places;
    LayoutMorphWeight *morphs;
    Places morphPlaces;
} CommandList;

void sknFreeCommands(const VkskinHostAllocator *allocator, CommandList *list);

/* Empties the list for a new frame; there is no room yet. */
void sknClearCommands(CommandList *list);

/* Makes memory for so many. False, and all as before, if there is none. */
bool sknGrowCommands(const VkskinHostAllocator *allocator, CommandList *list, uint32_t commands, uint32_t morphs);

static inline uint32_t sknTaken(const Places *places) {
    return atomic_load_explicit(&places->taken, memory_order_relaxed);
}

/* Takes `count` places from *first on. False, and nothing is taken, if the room is too small. Any thread. */
bool sknTakePlaces(Places *places, uint32_t count, uint32_t *first);

/* Gives back the places from `first` on if they were taken last. */
void sknGivePlaces(Places *places, uint32_t first, uint32_t count);

/* Drops a command that is not recorded. The last one moves to its index: returns its owner; NO_INDEX if none moved. */
uint32_t sknDropCommand(CommandList *list, uint32_t index);

/* The command's job may differ from that of its neighbours. */
void sknSplitCommands(CommandList *list, uint32_t index);

/* The commands that are not recorded. */
Commands sknUnrecorded(const CommandList *list);

/* All commands are recorded. */
void sknMarkRecorded(CommandList *list);

#endif
