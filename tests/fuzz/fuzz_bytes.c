#include "fuzz_bytes.h"

#include "fuzz_target.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TEXT_MAX 15

void fuzzTake(FuzzBytes *bytes, void *out, size_t size) {
    size_t there = size < bytes->left ? size : bytes->left;
    if (size == 0) {
        return; /* out may be null */
    }
    memset(out, 0, size);
    if (there > 0) {
        memcpy(out, bytes->at, there);
        bytes->at += there;
        bytes->left -= there;
    }
}

uint8_t fuzzByte(FuzzBytes *bytes) {
    uint8_t byte;
    fuzzTake(bytes, &byte, sizeof byte);
    return byte;
}

uint32_t fuzzCount(FuzzBytes *bytes, uint32_t maximum) {
    uint32_t number = 0;
    fuzzTake(bytes, &number, maximum > UINT8_MAX ? 2 : 1);
    return number % (maximum + 1);
}

uint32_t fuzzNumber(FuzzBytes *bytes) {
    uint8_t kind = fuzzByte(bytes);
    uint32_t number = kind;
    if (kind >= 0xf0) {
        fuzzTake(bytes, &number, sizeof number);
    } else if (kind >= 0xc0) {
        number = (1u << (kind & 31)) - (kind >> 5 & 1);
    }
    return kind == 0xef ? UINT32_MAX : number;
}

float fuzzFloat(FuzzBytes *bytes) {
    static const float likely[] = {0.0f,     1.0f,        -1.0f,     0.5f,     2.0f,    -0.0f,  0.25f,   100.0f,
                                   1e-20f,   FLT_MIN / 4, FLT_MIN,   -FLT_MAX, FLT_MAX, 1e18f,  -1e30f,  NAN,
                                   INFINITY, -INFINITY,   1.000001f, 3e-38f,   1e-3f,   1e-10f, 65504.0f};
    enum { LIKELY_COUNT = COUNT_OF(likely) };
    uint8_t kind = fuzzByte(bytes);
    float number;
    if (kind < 0xe0) {
        /* A quarter of the bytes are ordinary numbers. */
        return kind < 0x40 ? (float)(kind - 32) / 8.0f : likely[kind % LIKELY_COUNT];
    }
    fuzzTake(bytes, &number, sizeof number);
    return number;
}

void *fuzzExactly(size_t size) {
    void *memory = malloc(size ? size : 1);
    FUZZ_CHECK(memory != NULL);
    return memory;
}

void *fuzzRoom(FuzzBytes *bytes, size_t size) {
    FuzzRooms *rooms = bytes->rooms;
    FUZZ_CHECK(rooms->count < COUNT_OF(rooms->blocks));
    return rooms->blocks[rooms->count++] = fuzzExactly(size);
}

void fuzzFreeRooms(FuzzBytes *bytes) {
    while (bytes->rooms->count > 0) {
        free(bytes->rooms->blocks[--bytes->rooms->count]);
    }
}

float *fuzzFloats(FuzzBytes *bytes, size_t count) {
    float *floats = fuzzRoom(bytes, count * sizeof *floats);
    for (size_t i = 0; i < count; i++) {
        floats[i] = fuzzFloat(bytes);
    }
    return floats;
}

uint32_t *fuzzIndices(FuzzBytes *bytes, size_t count, uint32_t limit) {
    uint32_t *indices = fuzzRoom(bytes, count * sizeof *indices);
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = fuzzByte(bytes);
        indices[i] = byte == UINT8_MAX || limit == 0 ? fuzzNumber(bytes) : byte % limit;
    }
    return indices;
}

char *fuzzText(FuzzBytes *bytes) {
    size_t length = fuzzByte(bytes) & TEXT_MAX;
    char *text = bytes->rooms != NULL ? fuzzRoom(bytes, length + 1) : fuzzExactly(length + 1);
    fuzzTake(bytes, text, length);
    text[length] = '\0';
    return text;
}
