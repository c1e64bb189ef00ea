#include "output_spans.h"

static uint32_t normalBytes(VkskinVertexFormat format) {
    return format == VKSKIN_VERTEX_FLOAT ? 12 : 4;
}

static uint32_t tangentBytes(VkskinVertexFormat format) {
    return format == VKSKIN_VERTEX_FLOAT ? 16 : 4;
}

static OutputSpan spanOf(const VkskinMeshInfo *info, VkskinAttributePlace place, uint32_t bytes) {
    return (OutputSpan){place.stream, place.offset, info->streamOffsets[place.stream] + place.offset, bytes,
                        info->layout.strides[place.stream]};
}

uint32_t outputSpans(const VkskinMeshInfo *info, OutputSpan spans[MAX_OUTPUT_SPANS]) {
    const VkskinOutputLayout *layout = &info->layout;
    uint32_t count = 0;
    spans[count++] = spanOf(info, layout->position, 4 * (info->dimensions + layout->positionW));
    if (info->hasNormals) {
        spans[count++] = spanOf(info, layout->normal, normalBytes(info->format));
    }
    if (info->hasTangents) {
        spans[count++] = spanOf(info, layout->tangent, tangentBytes(info->format));
    }
    return count;
}

/* Appends an attribute to a random stream, after a random gap. */
static VkskinAttributePlace append(Random *random, VkskinOutputLayout *layout, uint32_t bytes) {
    uint32_t stream = randomBelow(random, layout->streamCount);
    uint32_t offset = layout->strides[stream] + 4 * randomBelow(random, 3);
    layout->strides[stream] = offset + bytes;
    return (VkskinAttributePlace){stream, offset};
}

VkskinOutputLayout randomLayout(Random *random, const VkskinMeshDef *def) {
    VkskinOutputLayout layout = {.streamCount = 1 + randomBelow(random, VKSKIN_MAX_OUTPUT_STREAMS)};
    layout.positionW = def->dimensions == 3 && randomBelow(random, 2) == 0;
    const struct {
        VkskinAttributePlace *place;
        uint32_t bytes;
    } attributes[] = {
        {&layout.position, 4 * (def->dimensions + layout.positionW)},
        {&layout.normal, def->normals != NULL ? normalBytes(def->format) : 0},
        {&layout.tangent, def->tangents != NULL ? tangentBytes(def->format) : 0},
    };
    uint32_t first = randomBelow(random, 3);
    for (uint32_t i = first; i < first + 3; i++) {
        if (attributes[i % 3].bytes > 0) {
            *attributes[i % 3].place = append(random, &layout, attributes[i % 3].bytes);
        }
    }
    for (uint32_t s = 0; s < layout.streamCount; s++) {
        layout.strides[s] += 4 * randomBelow(random, 3);
        layout.strides[s] += layout.strides[s] == 0 ? 4 : 0;
    }
    return layout;
}
