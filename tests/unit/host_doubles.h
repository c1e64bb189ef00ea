/*
 * host_doubles.h: a host's logger that remembers and a host's allocator that fails on purpose.
 */
#ifndef TESTS_HOST_DOUBLES_H
#define TESTS_HOST_DOUBLES_H

#include "vkskin/vkskin_base.h"

typedef struct LogMemory {
    uint32_t count; /* of messages */
    VkskinResult result;
    char message[512]; /* the last one */
} LogMemory;

/* Writes to *memory, which lives as long as the logger is used. */
VkskinLogger rememberingLogger(LogMemory *memory);

/* Fails the test unless the last message is of `result` and is `message`; then forgets it. */
void assertLogged(LogMemory *memory, VkskinResult result, const char *message);

typedef struct AllocatorState {
    uint32_t failAt; /* the how-manieth allocation fails, 1 up; 0: none */
    uint32_t made;   /* allocations asked for */
    uint32_t alive;
} AllocatorState;

/* Counts in *state, which lives as long as the allocator is used. */
VkskinHostAllocator countingAllocator(AllocatorState *state);

#endif
