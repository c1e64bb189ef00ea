/*
 * null_access.h: the words that a dispatch may touch: what is bound to its sets, every access checked.
 */
#ifndef TESTS_NULL_ACCESS_H
#define TESTS_NULL_ACCESS_H

#include "kernels/layout.h"
#include "null_commands.h"

/* By set, and the palettes once more as texels. */
#define NULL_ACCESS_TEXELS LAYOUT_SET_COUNT
#define NULL_ACCESS_PAGES  (LAYOUT_SET_COUNT + 1)

/* A dispatch at work. The first access beyond what is bound is a fault; from then on it reads zeros, writes nothing. */
typedef struct NullAccess {
    NullDriver *driver;
    unsigned char *bytes[NULL_ACCESS_PAGES];
    VkDeviceSize sizes[NULL_ACCESS_PAGES];
    uint32_t palettes; /* where entries of whole float4 are read: LAYOUT_SET_PALETTE or NULL_ACCESS_TEXELS */
    bool failed;
} NullAccess;

/* The dispatch has passed nullCheckDispatch and has LAYOUT_SET_COUNT sets, that of palettes with texels. */
NullAccess nullOpenAccess(NullDriver *driver, const NullDispatch *dispatch, bool texels);

/* A fault of what the kernel found, not of where: the last one. */
void nullFailAccess(NullAccess *access, const char *what);

/* The kernels' own sums wrap around at 32 bits before they come here; `index` counts words of the page. */
uint32_t nullReadWord(NullAccess *access, uint32_t page, uint64_t index);
float nullReadFloat(NullAccess *access, uint32_t page, uint64_t index);
void nullReadFloats(NullAccess *access, uint32_t page, uint64_t index, uint32_t count, float *values);

/* A structure of layout.h. */
void nullReadStruct(NullAccess *access, uint32_t page, uint32_t index, uint32_t wordCount, void *target);

/* Into the output. */
void nullWriteWord(NullAccess *access, uint32_t index, uint32_t word);
void nullWriteFloat(NullAccess *access, uint32_t index, float value);

#endif
