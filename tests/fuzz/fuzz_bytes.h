/* fuzz_bytes.h: reads numbers, names and arrays from the front of an input. Behind its end all bytes are zero. */
#ifndef TESTS_FUZZ_BYTES_H
#define TESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct FuzzBytes {
    const uint8_t *at;
    size_t left;
} FuzzBytes;

void fuzzTake(FuzzBytes *bytes, void *out, size_t size);
uint8_t fuzzByte(FuzzBytes *bytes);

/* 0 to maximum. */
uint32_t fuzzCount(FuzzBytes *bytes, uint32_t maximum);

/* Any number. Small numbers, neighbours of powers of two and the largest number are more likely. */
uint32_t fuzzNumber(FuzzBytes *bytes);

/* Any bit pattern. 0, 1, NaN, the infinities and the limits of float are more likely. */
float fuzzFloat(FuzzBytes *bytes);

/* Memory of exactly that size; never null. free() it. */
void *fuzzExactly(size_t size);

/* [count] numbers of fuzzFloat. free() it. */
float *fuzzFloats(FuzzBytes *bytes, size_t count);

/* [count] numbers, mostly below `limit`. free() it. */
uint32_t *fuzzIndices(FuzzBytes *bytes, size_t count, uint32_t limit);

/* A text of 0 to 15 arbitrary characters. free() it. */
char *fuzzText(FuzzBytes *bytes);

#endif
