#include "output_layout.h"

#include <stdio.h>
#include <string.h>

#define MAX_OUTPUT_STRIDE 2048u /* maxVertexInputBindingStride of every device is at least this */

OutputShape sknOutputShape(const VkskinMeshDef *def) {
    return (OutputShape){def->dimensions, def->format, def->normals != NULL, def->tangents != NULL};
}

uint32_t sknNormalBytes(VkskinVertexFormat format) {
    return format == VKSKIN_VERTEX_FLOAT ? 12 : 4;
}

static uint32_t tangentBytes(VkskinVertexFormat format) {
    return format == VKSKIN_VERTEX_FLOAT ? 16 : 4;
}

uint32_t sknVertexBytes(const VkskinMeshInfo *info) {
    return 4 * (info->dimensions + info->layout.positionW) + (info->hasNormals ? sknNormalBytes(info->format) : 0) +
           (info->hasTangents ? tangentBytes(info->format) : 0);
}

/* ---- Checks ---- */

#define MAX_SPANS (3u + VKSKIN_MAX_PASS_THROUGH)

/* An attribute in a layout. */
typedef struct Span {
    char name[28];
    VkskinAttributePlace place;
    uint32_t bytes;
} Span;

/* Returns their number. */
static uint32_t listSpans(const OutputShape *shape, const VkskinOutputLayout *layout, Span spans[MAX_SPANS]) {
    uint32_t count = 0;
    spans[count++] = (Span){"position", layout->position, 4 * (shape->dimensions + layout->positionW)};
    if (shape->normals) {
        spans[count++] = (Span){"normal", layout->normal, sknNormalBytes(shape->format)};
    }
    if (shape->tangents) {
        spans[count++] = (Span){"tangent", layout->tangent, tangentBytes(shape->format)};
    }
    for (uint32_t i = 0; i < layout->passThroughCount; i++) {
        Span *span = &spans[count++];
        *span = (Span){"", layout->passThrough[i].place, layout->passThrough[i].size};
        snprintf(span->name, sizeof span->name, "passThrough[%u]", i);
    }
    return count;
}

static VkskinResult checkStreams(const Subject *subject, const VkskinOutputLayout *layout) {
    const Range count[] = {{"layout->streamCount", layout->streamCount, 1, VKSKIN_MAX_OUTPUT_STREAMS}};
    VkskinResult result = sknCheckRanges(subject, count, 1);
    for (uint32_t s = 0; result >= 0 && s < layout->streamCount; s++) {
        uint32_t stride = layout->strides[s];
        if (stride == 0 || stride > MAX_OUTPUT_STRIDE || stride % 4 != 0) {
            result = sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE,
                               "%s%s: layout->strides[%u] is %u, not a multiple of 4 from 4 to %u", subject->kind,
                               subject->name, s, stride, MAX_OUTPUT_STRIDE);
        }
    }
    const Range passed[] = {{"layout->passThroughCount", layout->passThroughCount, 0, VKSKIN_MAX_PASS_THROUGH}};
    return result < 0 ? result : sknCheckRanges(subject, passed, 1);
}

static VkskinResult checkSpan(const Subject *subject, const VkskinOutputLayout *layout, const Span *span) {
    const VkskinResult invalid = VKSKIN_ERROR_INVALID_VALUE;
    if (span->bytes == 0 || span->bytes % 4 != 0) {
        return sknReport(subject->logger, invalid, "%s%s: layout->%s.size is %u, not a multiple of 4", subject->kind,
                         subject->name, span->name, span->bytes);
    }
    if (span->place.stream >= layout->streamCount) {
        return sknReport(subject->logger, invalid, "%s%s: layout->%s.stream is %u, not below streamCount (%u)",
                         subject->kind, subject->name, span->name, span->place.stream, layout->streamCount);
    }
    if (span->place.offset % 4 != 0) {
        return sknReport(subject->logger, invalid, "%s%s: layout->%s.offset is %u, not a multiple of 4", subject->kind,
                         subject->name, span->name, span->place.offset);
    }
    uint32_t stride = layout->strides[span->place.stream];
    if (span->place.offset > stride || stride - span->place.offset < span->bytes) {
        return sknReport(subject->logger, invalid,
                         "%s%s: layout->%s.offset is %u: its %u bytes end past the stride of %u", subject->kind,
                         subject->name, span->name, span->place.offset, span->bytes, stride);
    }
    return VKSKIN_SUCCESS;
}

static bool overlap(const Span *a, const Span *b) {
    return a->place.stream == b->place.stream && a->place.offset < b->place.offset + b->bytes &&
           b->place.offset < a->place.offset + a->bytes;
}

VkskinResult sknCheckLayout(const Subject *subject, const OutputShape *shape, const VkskinOutputLayout *layout) {
    VkskinResult result = checkStreams(subject, layout);
    if (result >= 0 && layout->positionW && shape->dimensions == 2) {
        result = sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE,
                           "%s%s: layout->positionW is true, a flat mesh has positions of two floats", subject->kind,
                           subject->name);
    }
    Span spans[MAX_SPANS];
    uint32_t count = result < 0 ? 0 : listSpans(shape, layout, spans);
    for (uint32_t i = 0; i < count && result >= 0; i++) {
        result = checkSpan(subject, layout, &spans[i]);
        for (uint32_t other = 0; result >= 0 && other < i; other++) {
            if (overlap(&spans[i], &spans[other])) {
                result = sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE,
                                   "%s%s: layout->%s overlaps layout->%s in stream %u", subject->kind, subject->name,
                                   spans[i].name, spans[other].name, spans[i].place.stream);
            }
        }
    }
    return result;
}

bool sknHasNormalGap(const VkskinMeshDef *def) {
    const VkskinLogger none = {0};
    const Subject subject = {&none, "", ""};
    OutputShape shape = sknOutputShape(def);
    if (!shape.normals || shape.format != VKSKIN_VERTEX_PACKED) {
        return false;
    }
    shape.format = VKSKIN_VERTEX_FLOAT;
    return sknCheckLayout(&subject, &shape, def->layout) >= 0;
}

/* ---- Places ---- */

VkskinOutputLayout sknResolveLayout(const OutputShape *shape, const VkskinOutputLayout *given) {
    VkskinOutputLayout layout = {
        .streamCount = shape->normals ? 2 : 1,
        .strides = {4 * shape->dimensions},
        .normal = {.stream = 1},
        .tangent = {1, sknNormalBytes(shape->format)},
    };
    layout.strides[1] = shape->normals ? sknNormalBytes(shape->format) : 0;
    layout.strides[1] += shape->tangents ? tangentBytes(shape->format) : 0;
    if (given != NULL) {
        layout = *given;
    }
    layout.normal = shape->normals ? layout.normal : (VkskinAttributePlace){0};
    layout.tangent = shape->tangents ? layout.tangent : (VkskinAttributePlace){0};
    return layout;
}

void sknPlaceOutput(const VkskinMeshDef *def, uint32_t alignment, VkskinMeshInfo *info) {
    const OutputShape shape = sknOutputShape(def);
    info->layout = sknResolveLayout(&shape, def->layout);
    info->outputBytes = 0;
    for (uint32_t s = 0; s < info->layout.streamCount; s++) {
        uint64_t bytes = (uint64_t)info->layout.strides[s] * def->vertexCount;
        info->streamOffsets[s] = info->outputBytes;
        info->outputBytes += (bytes + alignment - 1) / alignment * alignment;
    }
}

bool sknHasPlainStreams(const VkskinMeshInfo *info) {
    const VkskinOutputLayout *layout = &info->layout;
    uint32_t positions = 4 * info->dimensions;
    uint32_t normals = info->hasNormals ? sknNormalBytes(info->format) : 0;
    uint32_t tangents = info->hasTangents ? tangentBytes(info->format) : 0;
    bool together = tangents == 0 || (layout->tangent.stream == layout->normal.stream &&
                                      layout->tangent.offset == layout->normal.offset + normals);
    return !layout->positionW && layout->strides[layout->position.stream] == positions && together &&
           (normals == 0 || layout->strides[layout->normal.stream] == normals + tangents);
}

void sknWritePlaces(const VkskinMeshInfo *info, LayoutClass *head) {
    const VkskinOutputLayout *layout = &info->layout;
    const struct {
        VkskinAttributePlace place;
        uint32_t *first, *stride;
    } words[] = {
        {layout->position, &head->outputPosition, &head->positionStride},
        {layout->normal, &head->outputNormal, &head->normalStride},
        {layout->tangent, &head->outputTangent, &head->tangentStride},
    };
    for (size_t i = 0; i < SKN_COUNT(words); i++) {
        *words[i].first = (uint32_t)(sknPlaceOffset(info, words[i].place) / 4);
        *words[i].stride = sknPlaceStride(info, words[i].place) / 4;
    }
    head->positionW = layout->positionW;
}

/* ---- Pass-through attributes ---- */

OutputImage sknPlanImage(const VkskinMeshInfo *info) {
    const VkskinOutputLayout *layout = &info->layout;
    OutputImage image = {.count = 0};
    for (uint32_t s = 0; s < layout->streamCount; s++) {
        bool passes = false;
        for (uint32_t i = 0; i < layout->passThroughCount; i++) {
            passes = passes || layout->passThrough[i].place.stream == s;
        }
        if (passes) {
            uint64_t size = (uint64_t)layout->strides[s] * info->vertexCount;
            image.streams[image.count++] = (ImageStream){image.bytes, info->streamOffsets[s], size, s};
            image.bytes += (size + 15) / 16 * 16;
        }
    }
    return image;
}

static void writeAttribute(const VkskinMeshDef *def, const VkskinPassThrough *attribute,
                           const VkskinPassThroughData *from, unsigned char *to) {
    const unsigned char *data = from->data;
    size_t step = from->stride != 0 ? from->stride : attribute->size;
    for (uint32_t v = 0; v < def->vertexCount; v++) {
        memcpy(to + (size_t)def->layout->strides[attribute->place.stream] * v + attribute->place.offset,
               data + step * v, attribute->size);
    }
}

void sknWriteImage(const VkskinMeshDef *def, const OutputImage *image, unsigned char *to) {
    memset(to, 0, (size_t)image->bytes);
    for (uint32_t s = 0; s < image->count; s++) {
        for (uint32_t i = 0; i < def->layout->passThroughCount; i++) {
            const VkskinPassThrough *attribute = &def->layout->passThrough[i];
            if (attribute->place.stream == image->streams[s].stream) {
                writeAttribute(def, attribute, &def->passThrough[i], to + image->streams[s].source);
            }
        }
    }
}
