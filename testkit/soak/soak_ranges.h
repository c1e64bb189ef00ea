/*
 * soak_ranges.h: where outputs of destroyed instances lay: nobody may get that place while a frame that used it is in
 * flight.
 *
 * A driver that runs one submission after the other would hide such a reuse: the bytes come out right there.
 */
#ifndef ENGINE_SOAK_RANGES_H
#define ENGINE_SOAK_RANGES_H

#include <volk.h>

#include "vkskin/vkskin.h"

#define SOAK_RANGES_MAX 256u

typedef struct SoakRange {
    VkBuffer buffer;
    VkDeviceSize begin, end;
    uint64_t freeFrame; /* from which frame on it may be used again */
} SoakRange;

/* A ring of the latest. Start from a zero struct. */
typedef struct SoakRanges {
    SoakRange ranges[SOAK_RANGES_MAX];
    uint32_t next;
} SoakRanges;

/* The place of an output that goes now. */
void soakRangesAdd(SoakRanges *ranges, const VkskinOutput *output, uint64_t freeFrame);

/* Whether an output of `frame` lies where another one may still be in use. */
bool soakRangesMeet(const SoakRanges *ranges, const VkskinOutput *output, uint64_t frame);

#endif
