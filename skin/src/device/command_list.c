#include "command_list.h"

void sknFreeCommands(const VkskinHostAllocator *allocator, CommandList *list) {
    sknHostFree(allocator, list->commands);
    sknHostFree(allocator, list->follows);
    sknHostFree(allocator, list->morphs);
    list->commands = NULL;
    list->follows = NULL;
    list->morphs = NULL;
    list->places.capacity = 0;
    list->morphPlaces.capacity = 0;
}

static void clearPlaces(Places *places) {
    places->room = 0;
    places->recorded = 0;
    atomic_store_explicit(&places->taken, 0, memory_order_relaxed);
}

void sknClearCommands(CommandList *list) {
    clearPlaces(&list->places);
    clearPlaces(&list->morphPlaces);
}

bool sknGrowCommands(const VkskinHostAllocator *allocator, CommandList *list, uint32_t commands, uint32_t morphs) {
    uint32_t follows = list->places.capacity;
    bool *followsMemory = sknHostReserve(allocator, list->follows, commands, &follows, sizeof *followsMemory);
    list->follows = followsMemory != NULL ? followsMemory : list->follows;
    if (followsMemory == NULL) {
        return false;
    }
    Command *commandMemory =
        sknHostReserve(allocator, list->commands, commands, &list->places.capacity, sizeof *commandMemory);
    list->commands = commandMemory != NULL ? commandMemory : list->commands;
    LayoutMorphWeight *morphMemory =
        sknHostReserve(allocator, list->morphs, morphs, &list->morphPlaces.capacity, sizeof *morphMemory);
    list->morphs = morphMemory != NULL ? morphMemory : list->morphs;
    return commands <= list->places.capacity && morphs <= list->morphPlaces.capacity;
}

bool sknTakePlaces(Places *places, uint32_t count, uint32_t *first) {
    *first = sknTaken(places);
    if (count == 0) {
        return true; /* without a write that other threads wait for */
    }
    do {
        if (count > places->room || *first > places->room - count) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&places->taken, first, *first + count, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

void sknGivePlaces(Places *places, uint32_t first, uint32_t count) {
    uint32_t end = first + count;
    (void)atomic_compare_exchange_strong_explicit(&places->taken, &end, first, memory_order_relaxed,
                                                  memory_order_relaxed);
}

void sknSplitCommands(CommandList *list, uint32_t index) {
    list->follows[index] = false;
    if (index + 1 < sknTaken(&list->places)) {
        list->follows[index + 1] = false;
    }
}

uint32_t sknDropCommand(CommandList *list, uint32_t index) {
    uint32_t last = sknTaken(&list->places) - 1;
    atomic_store_explicit(&list->places.taken, last, memory_order_relaxed);
    if (index == last) {
        return NO_INDEX;
    }
    list->commands[index] = list->commands[last];
    sknSplitCommands(list, index);
    return list->commands[index].owner;
}

/* A list that never held commands, or morph weights, has no memory for them. */
Commands sknUnrecorded(const CommandList *list) {
    return (Commands){
        .commands = list->commands != NULL ? list->commands + list->places.recorded : NULL,
        .follows = list->follows != NULL ? list->follows + list->places.recorded : NULL,
        .count = sknTaken(&list->places) - list->places.recorded,
        .morphs = list->morphs != NULL ? list->morphs + list->morphPlaces.recorded : NULL,
        .firstMorph = list->morphPlaces.recorded,
        .morphCount = sknTaken(&list->morphPlaces) - list->morphPlaces.recorded,
    };
}

void sknMarkRecorded(CommandList *list) {
    list->places.recorded = sknTaken(&list->places);
    list->morphPlaces.recorded = sknTaken(&list->morphPlaces);
}
