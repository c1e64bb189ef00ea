/*
 * host_doubles.h: a logger that records messages and an allocator that fails on request.
 */
#ifndef TESTS_HOST_DOUBLES_H
#define TESTS_HOST_DOUBLES_H

#include "vkskin/vkskin_base.h"

typedef struct LogMemory {
    uint32_t count; /* of messages */
    VkskinResult result;
    char message[512]; /* the last one */
} LogMemory;

/* Writes to *memory, which must outlive the logger. */
VkskinLogger rememberingLogger(LogMemory *memory);

/* Fails the test unless exactly one message was logged, with this result and text. Then clears the record. */
void assertLogged(LogMemory *memory, VkskinResult result, const char *message);

typedef struct AllocatorState {
    uint32_t failAt; /* the number of the allocation that fails, from 1; 0: none */
    uint32_t made;   /* number of allocations requested */
    uint32_t alive;
} AllocatorState;

/* Counts in *state, which must outlive the allocator. */
VkskinHostAllocator countingAllocator(AllocatorState *state);

#endif
