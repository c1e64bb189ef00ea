/* output_spans.h: which bytes of an output skinning writes, random layouts, and values of pass-through attributes. */
#ifndef TESTKIT_OUTPUT_SPANS_H
#define TESTKIT_OUTPUT_SPANS_H

#include "random.h"
#include "vkskin/vkskin.h"

#define MAX_OUTPUT_SPANS 3 /* that skinning writes */

/* An attribute of the first vertex. */
typedef struct OutputSpan {
    uint32_t stream;
    VkDeviceSize inStream; /* bytes from the start of the stream */
    VkDeviceSize offset;   /* bytes from VkskinOutput.offset */
    uint32_t bytes;
    uint32_t stride;
} OutputSpan;

/* The attributes that a mesh has, without pass-through attributes. Returns their number. */
uint32_t outputSpans(const VkskinMeshInfo *info, OutputSpan spans[MAX_OUTPUT_SPANS]);

/* The layout's pass-through attributes. Returns their number. */
uint32_t passThroughSpans(const VkskinMeshInfo *info, OutputSpan spans[VKSKIN_MAX_PASS_THROUGH]);

/* The bytes that an output takes from VkskinOutput.offset on, without padding at the end. */
VkDeviceSize outputEnd(const VkskinMeshInfo *info);

/* The values that pass-through attributes of tests have: word `word` of an attribute of a vertex. Not 0, no poison. */
uint32_t passThroughWord(uint32_t attribute, uint32_t vertex, uint32_t word);

/*
 * A region of an instance before it is skinned: in streams with pass-through attributes these and zeros, elsewhere
 * `untouched`. words: [info->outputBytes / 4].
 */
void passThroughImage(const VkskinMeshInfo *info, uint32_t untouched, uint32_t *words);

/* Any layout that suits the def: its attributes and up to three pass-through attributes in any streams and order, with
 * gaps between them. */
VkskinOutputLayout randomLayout(Random *random, const VkskinMeshDef *def);

#endif
