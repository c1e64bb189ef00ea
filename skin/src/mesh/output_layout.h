/*
 * output_layout.h: where skinned vertices are in the output of an instance.
 */
#ifndef VKSKIN_OUTPUT_LAYOUT_H
#define VKSKIN_OUTPUT_LAYOUT_H

#include "host.h"
#include "kernels/layout.h"
#include "vkskin/vkskin_mesh.h"

/* The properties of a mesh that a layout must suit. */
typedef struct OutputShape {
    uint32_t dimensions;
    VkskinVertexFormat format;
    bool normals, tangents; /* tangents only with normals */
} OutputShape;

OutputShape sknOutputShape(const VkskinMeshDef *def);

/* Bytes of a normal in the output. */
uint32_t sknNormalBytes(VkskinVertexFormat format);
/* Bytes that skinning writes per vertex. */
uint32_t sknVertexBytes(const VkskinMeshInfo *info);

/* Error: INVALID_VALUE. The message names the field. */
VkskinResult sknCheckLayout(const Subject *subject, const OutputShape *shape, const VkskinOutputLayout *layout);

/* Whether the def has the default format, and its layout, which is checked, would also suit floats. */
bool sknHasNormalGap(const VkskinMeshDef *def);

/* The layout of a checked def; places of attributes that the mesh does not have are zero. given: may be null. */
VkskinOutputLayout sknResolveLayout(const OutputShape *shape, const VkskinOutputLayout *given);

/* Sets layout, streamOffsets and outputBytes for streams that begin at multiples of `alignment`. */
void sknPlaceOutput(const VkskinMeshDef *def, uint32_t alignment, VkskinMeshInfo *info);

/* Bytes of an instance's output, without the rest after the last stream that outputBytes has. */
static inline uint64_t sknOutputEnd(const VkskinMeshInfo *info) {
    const uint32_t last = info->layout.streamCount - 1;
    return info->streamOffsets[last] + (uint64_t)info->layout.strides[last] * info->vertexCount;
}

/* Bytes from the start of an instance's output to an attribute of the first vertex, and to the next vertex. */
static inline uint64_t sknPlaceOffset(const VkskinMeshInfo *info, VkskinAttributePlace place) {
    return info->streamOffsets[place.stream] + place.offset;
}

static inline uint32_t sknPlaceStride(const VkskinMeshInfo *info, VkskinAttributePlace place) {
    return info->layout.strides[place.stream];
}

/* Whether positions, and normals with tangents, are streams of their own without gaps. */
bool sknHasPlainStreams(const VkskinMeshInfo *info);

/* Sets the fields of a class that describe the output. */
void sknWritePlaces(const VkskinMeshInfo *info, LayoutClass *head);

/* ---- Pass-through attributes ---- */

/* A stream that has pass-through attributes. */
typedef struct ImageStream {
    uint64_t source; /* bytes from the start of the image, a multiple of 16 */
    uint64_t target; /* bytes from the start of an instance's output */
    uint64_t size;
    uint32_t stream;
} ImageStream;

/* The first content of these streams, which each instance's output begins with. */
typedef struct OutputImage {
    uint32_t count;
    ImageStream streams[VKSKIN_MAX_OUTPUT_STREAMS]; /* [count] */
    uint64_t bytes;                                 /* multiple of 16; 0: no pass-through attributes */
} OutputImage;

/* Needs the layout of the info. */
OutputImage sknPlanImage(const VkskinMeshInfo *info);

/* to: [image->bytes], only written. */
void sknWriteImage(const VkskinMeshDef *def, const OutputImage *image, unsigned char *to);

#endif
