/* fuzz_bytes.h: reads numbers, names and arrays from the front of an input. Behind its end all bytes are zero. */
#ifndef TESTS_FUZZ_BYTES_H
#define TESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Arrays that live until fuzzFreeRooms. Zero it first. */
typedef struct FuzzRooms {
    void *blocks[512];
    uint32_t count;
} FuzzRooms;

typedef struct FuzzBytes {
    const uint8_t *at;
    size_t left;
    FuzzRooms *rooms; /* memory of the arrays that are read; null: none is read */
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

/* The same in the rooms of the input. */
void *fuzzRoom(FuzzBytes *bytes, size_t size);
void fuzzFreeRooms(FuzzBytes *bytes);

/* Arrays in the rooms: [count] numbers of fuzzFloat; numbers that are mostly below `limit`. */
float *fuzzFloats(FuzzBytes *bytes, size_t count);
uint32_t *fuzzIndices(FuzzBytes *bytes, size_t count, uint32_t limit);

/* A text of 0 to 15 arbitrary characters. free() it if the input has no rooms. */
char *fuzzText(FuzzBytes *bytes);

#endif
