/*
 * guarded_output.h: memory for the CPU to skin into. An inaccessible page follows it; the bytes before it must not
 * change.
 */
#ifndef TESTKIT_GUARDED_OUTPUT_H
#define TESTKIT_GUARDED_OUTPUT_H

#include <stddef.h>

typedef struct GuardedOutput {
    unsigned char *bytes; /* [size], aligned to 4 if size is; filled with `fill` */
    size_t size;
    unsigned char fill;
    unsigned char *room;
    size_t roomSize;
} GuardedOutput;

/* Fails the running test if there is no memory. */
GuardedOutput guardedOutput(size_t size, unsigned char fill);

/* Fails the running test if a byte before the output was written; then frees it. */
void guardedOutputFree(GuardedOutput *output);

#endif
