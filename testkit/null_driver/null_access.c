#include "null_access.h"

#include <inttypes.h>
#include <string.h>

#define CALL "running vkCmdDispatch"

NullAccess nullOpenAccess(NullDriver *driver, const NullDispatch *dispatch, bool texels) {
    NullAccess access = {.driver = driver, .palettes = texels ? NULL_ACCESS_TEXELS : LAYOUT_SET_PALETTE};
    for (uint32_t i = 0; i < LAYOUT_SET_COUNT; i++) {
        const NullDescriptorSet *set = &nullFind(driver, NULL_KIND_DESCRIPTOR_SET, dispatch->sets[i], CALL)->set;
        access.bytes[i] = nullBufferBytes(driver, set->buffer) + set->offset;
        access.sizes[i] = set->size;
        if (i == LAYOUT_SET_PALETTE) {
            const NullBufferView *view = &nullFind(driver, NULL_KIND_BUFFER_VIEW, set->texels, CALL)->view;
            access.bytes[NULL_ACCESS_TEXELS] = nullBufferBytes(driver, view->buffer) + view->offset;
            access.sizes[NULL_ACCESS_TEXELS] = view->size;
        }
    }
    return access;
}

void nullFailAccess(NullAccess *access, const char *what) {
    if (!access->failed) {
        nullFault(access->driver, CALL ": %s", what);
        access->failed = true;
    }
}

/* The word's place, or null after a fault. */
static unsigned char *wordAt(NullAccess *access, uint32_t page, uint64_t index) {
    static const char *const names[NULL_ACCESS_PAGES] = {"table", "mesh", "palette", "output", "palette texel"};
    uint64_t words = access->sizes[page] / sizeof(uint32_t);
    if (!access->failed && index >= words) {
        nullFault(access->driver, CALL ": word %" PRIu64 " of the %s page, where %" PRIu64 " are bound", index,
                  names[page], words);
        access->failed = true;
    }
    return access->failed ? NULL : access->bytes[page] + (size_t)index * sizeof(uint32_t);
}

uint32_t nullReadWord(NullAccess *access, uint32_t page, uint64_t index) {
    uint32_t word = 0;
    const unsigned char *place = wordAt(access, page, index);
    if (place != NULL) {
        memcpy(&word, place, sizeof word);
    }
    return word;
}

float nullReadFloat(NullAccess *access, uint32_t page, uint64_t index) {
    uint32_t word = nullReadWord(access, page, index);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

void nullReadFloats(NullAccess *access, uint32_t page, uint64_t index, uint32_t count, float *values) {
    for (uint32_t i = 0; i < count; i++) {
        values[i] = nullReadFloat(access, page, index + i);
    }
}

void nullReadStruct(NullAccess *access, uint32_t page, uint32_t index, uint32_t wordCount, void *target) {
    for (uint32_t i = 0; i < wordCount; i++) {
        uint32_t word = nullReadWord(access, page, index + i);
        memcpy((unsigned char *)target + i * sizeof word, &word, sizeof word);
    }
}

void nullWriteWord(NullAccess *access, uint32_t index, uint32_t word) {
    unsigned char *place = wordAt(access, LAYOUT_SET_OUTPUT, index);
    if (place != NULL) {
        memcpy(place, &word, sizeof word);
    }
}

void nullWriteFloat(NullAccess *access, uint32_t index, float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    nullWriteWord(access, index, word);
}
