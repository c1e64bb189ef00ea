/*
 * guarded_output.h: memory for the CPU to skin into, which ends where a page begins that nobody may touch, and begins
 * after bytes that must stay as they are.
 */
#ifndef TESTS_GUARDED_OUTPUT_H
#define TESTS_GUARDED_OUTPUT_H

#include <stddef.h>

typedef struct GuardedOutput {
    unsigned char *bytes; /* [size], aligned to 4 where size is; filled with what guardedOutput was told */
    size_t size;
    unsigned char fill;
    unsigned char *room;
    size_t roomSize;
} GuardedOutput;

/* Fails the running test where there is no memory. */
GuardedOutput guardedOutput(size_t size, unsigned char fill);

/* Fails the running test where a byte before the output was written; then frees it. */
void guardedOutputFree(GuardedOutput *output);

#endif
