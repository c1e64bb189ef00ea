/* vertex_read.h: one vertex out of skinned output, unpacked here as vkskin.h describes it. */
#ifndef ENGINE_VERTEX_READ_H
#define ENGINE_VERTEX_READ_H

#include "vkskin/vkskin.h"

typedef struct ReadVertex {
    float position[3]; /* z of a flat mesh: 0 */
    double normal[3];  /* as stored: unit length where packed */
    double tangent[4]; /* w +1 or -1 */
} ReadVertex;

/* bytes: the output page, or its part that begins `origin` bytes in. */
ReadVertex readVertex(const void *bytes, VkDeviceSize origin, const VkskinOutput *output, const VkskinMeshInfo *info,
                      uint32_t vertex);

/* The position alone, of a mesh that is not flat, from the given offset (of positions, or of previous positions). */
void readPosition(const void *bytes, VkDeviceSize origin, VkDeviceSize offset, uint32_t vertex, float position[3]);

#endif
