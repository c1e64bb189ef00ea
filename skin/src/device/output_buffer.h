/*
 * output_buffer.h: places of outputs in buffers of the host. Such a buffer is a page of the output pages.
 */
#ifndef VKSKIN_OUTPUT_BUFFER_H
#define VKSKIN_OUTPUT_BUFFER_H

#include "context.h"

/* Where an output shall be. */
typedef struct OutputPlace {
    uint32_t page;       /* page of a host buffer, or NO_INDEX: any page of the library */
    VkDeviceSize offset; /* in each plane of that page, or VKSKIN_OFFSET_AUTOMATIC */
} OutputPlace;

/* The place that a def asks for. Errors: STALE_HANDLE, INVALID_VALUE. With the lock, as is the next. */
VkskinResult sknFindPlace(VkskinContext context, const char *call, const VkskinInstanceDef *def, OutputPlace *place);

/*
 * Takes the output of an instance in a page of the host. It takes no more bytes than it has, so that outputs can follow
 * each other closely. Errors: INVALID_VALUE, OUTPUT_OVERLAP, OUTPUT_BUFFER_FULL, OUT_OF_HOST_MEMORY.
 */
VkskinResult sknTakePlace(VkskinContext context, const char *call, const Mesh *mesh, const OutputPlace *place,
                          PageRange *output);

#endif
