#include "output_spans.h"

#include <string.h>

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

uint32_t passThroughSpans(const VkskinMeshInfo *info, OutputSpan spans[VKSKIN_MAX_PASS_THROUGH]) {
    for (uint32_t i = 0; i < info->layout.passThroughCount; i++) {
        spans[i] = spanOf(info, info->layout.passThrough[i].place, info->layout.passThrough[i].size);
    }
    return info->layout.passThroughCount;
}

VkDeviceSize outputEnd(const VkskinMeshInfo *info) {
    const uint32_t last = info->layout.streamCount - 1;
    return info->streamOffsets[last] + (VkDeviceSize)info->layout.strides[last] * info->vertexCount;
}

uint32_t passThroughWord(uint32_t attribute, uint32_t vertex, uint32_t word) {
    return 0x10000000u | attribute << 24 | word << 20 | (vertex & 0xfffffu);
}

void passThroughImage(const VkskinMeshInfo *info, uint32_t untouched, uint32_t *words) {
    OutputSpan spans[VKSKIN_MAX_PASS_THROUGH];
    uint32_t count = passThroughSpans(info, spans);
    for (uint64_t i = 0; i < info->outputBytes / 4; i++) {
        words[i] = untouched;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *stream = words + info->streamOffsets[spans[i].stream] / 4;
        memset(stream, 0, (size_t)info->vertexCount * spans[i].stride);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < info->vertexCount; v++) {
            uint32_t *to = words + (spans[i].offset + (VkDeviceSize)v * spans[i].stride) / 4;
            for (uint32_t w = 0; w < spans[i].bytes / 4; w++) {
                to[w] = passThroughWord(i, v, w);
            }
        }
    }
}

/* Appends an attribute to a random stream, after a random gap. */
static VkskinAttributePlace append(Random *random, VkskinOutputLayout *layout, uint32_t bytes) {
    uint32_t stream = randomBelow(random, layout->streamCount);
    uint32_t offset = layout->strides[stream] + 4 * randomBelow(random, 3);
    layout->strides[stream] = offset + bytes;
    return (VkskinAttributePlace){stream, offset};
}

typedef struct Wanted {
    VkskinAttributePlace *place;
    uint32_t bytes;
} Wanted;

VkskinOutputLayout randomLayout(Random *random, const VkskinMeshDef *def) {
    VkskinOutputLayout layout = {.streamCount = 1 + randomBelow(random, VKSKIN_MAX_OUTPUT_STREAMS)};
    layout.positionW = def->dimensions == 3 && randomBelow(random, 2) == 0;
    layout.passThroughCount = randomBelow(random, 2) * randomBelow(random, 4);
    Wanted wanted[MAX_OUTPUT_SPANS + 3] = {
        {&layout.position, 4 * (def->dimensions + layout.positionW)},
        {&layout.normal, def->normals != NULL ? normalBytes(def->format) : 0},
        {&layout.tangent, def->tangents != NULL ? tangentBytes(def->format) : 0},
    };
    uint32_t count = MAX_OUTPUT_SPANS + layout.passThroughCount;
    for (uint32_t i = MAX_OUTPUT_SPANS; i < count; i++) {
        VkskinPassThrough *attribute = &layout.passThrough[i - MAX_OUTPUT_SPANS];
        attribute->size = 4 * (1 + randomBelow(random, 4));
        wanted[i] = (Wanted){&attribute->place, attribute->size};
    }
    for (uint32_t left = count; left > 0; left--) {
        uint32_t i = randomBelow(random, left);
        if (wanted[i].bytes > 0) {
            *wanted[i].place = append(random, &layout, wanted[i].bytes);
        }
        wanted[i] = wanted[left - 1];
    }
    for (uint32_t s = 0; s < layout.streamCount; s++) {
        layout.strides[s] += 4 * randomBelow(random, 3);
        layout.strides[s] += layout.strides[s] == 0 ? 4 : 0;
    }
    return layout;
}
