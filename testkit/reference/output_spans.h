/* output_spans.h: which bytes of an output skinning writes, and random layouts. */
#ifndef TESTKIT_OUTPUT_SPANS_H
#define TESTKIT_OUTPUT_SPANS_H

#include "random.h"
#include "vkskin/vkskin.h"

#define MAX_OUTPUT_SPANS 3

/* An attribute of the first vertex. */
typedef struct OutputSpan {
    uint32_t stream;
    VkDeviceSize inStream; /* bytes from the start of the stream */
    VkDeviceSize offset;   /* bytes from VkskinOutput.offset */
    uint32_t bytes;
    uint32_t stride;
} OutputSpan;

/* The attributes that a mesh has. Returns their number. */
uint32_t outputSpans(const VkskinMeshInfo *info, OutputSpan spans[MAX_OUTPUT_SPANS]);

/* Any layout that suits the def: its attributes in any streams and order, with gaps between them. */
VkskinOutputLayout randomLayout(Random *random, const VkskinMeshDef *def);

#endif
