/* fuzz_bytes.h: an input read from its front: numbers, names and arrays. Past its end all is zero. */
#ifndef TESTS_FUZZ_BYTES_H
#define TESTS_FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FuzzBytes {
    const uint8_t *at;
    size_t left;
} FuzzBytes;

void fuzzTake(FuzzBytes *bytes, void *out, size_t size);
uint8_t fuzzByte(FuzzBytes *bytes);

/* 0 to most. */
uint32_t fuzzCount(FuzzBytes *bytes, uint32_t most);

/* Any number; small ones, those next to a power of two and the largest are likelier than the rest. */
uint32_t fuzzNumber(FuzzBytes *bytes);

/* Any bit pattern; 0, 1, NaN, the infinities and the edges of float are likelier than the rest. */
float fuzzFloat(FuzzBytes *bytes);

/* count x size bytes of the input, or of what fuzzFloat gives, in memory of exactly that size. free() it. */
void *fuzzArray(FuzzBytes *bytes, size_t count, size_t size);
float *fuzzFloats(FuzzBytes *bytes, size_t count);

/* [count] numbers, most of them below `limit`. free() it. */
uint32_t *fuzzIndices(FuzzBytes *bytes, size_t count, uint32_t limit);

/* A text of 0 to 15 characters, whatever these are. free() it. */
char *fuzzText(FuzzBytes *bytes);

#endif
