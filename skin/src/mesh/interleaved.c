#include "interleaved.h"

#include "cookie.h"
#include "surface.h"

#include <string.h>

#define MAX_VERTEX_STRIDE 2048u /* as of output layouts */

/* The bytes of an attribute in a vertex. */
typedef struct Attribute {
    const char *name;
    const void *data; /* null: none */
    size_t stride;
    uint32_t bytes;
    VkskinAttributePlace *place;
} Attribute;

#define ATTRIBUTES 3u

static void listAttributes(InterleavedDef *own, Attribute attributes[ATTRIBUTES]) {
    const VkskinMeshDef *def = &own->def;
    VkskinOutputLayout *layout = &own->layout;
    attributes[0] =
        (Attribute){"positions", def->positions, def->positionStride, 4 * def->dimensions, &layout->position};
    attributes[1] = (Attribute){"normals", def->normals, def->normalStride, 12, &layout->normal};
    attributes[2] = (Attribute){"tangents", def->tangents, def->tangentStride, 16, &layout->tangent};
}

static VkskinResult checkFields(const Subject *subject, const VkskinMeshDef *def) {
    const VkskinResult invalid = VKSKIN_ERROR_INVALID_VALUE;
    const Rule rules[] = {
        {def->positions == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "positions is null"},
        {def->layout != NULL, invalid, "vertices and layout are both set: the layout is that of the vertices"},
        {def->passThrough != NULL, invalid, "vertices and passThrough are both set: all of a vertex is passed through"},
        {def->format == VKSKIN_VERTEX_SNORM10, invalid, "format is VKSKIN_VERTEX_SNORM10, vertices have floats"},
        {def->vertexStride % 4 != 0, invalid, "vertexStride is not a multiple of 4"},
    };
    const Range ranges[] = {
        {"vertexStride", def->vertexStride, 8, MAX_VERTEX_STRIDE},
        {"dimensions", def->dimensions, 2, 3},
        {"format", (uint32_t)def->format, 0, VKSKIN_VERTEX_FORMAT_COUNT - 1},
    };
    const VkskinResult result = sknCheckRules(subject, rules, SKN_COUNT(rules));
    return result < 0 ? result : sknCheckRanges(subject, ranges, SKN_COUNT(ranges));
}

/* Sets the place of an attribute. */
static VkskinResult placeAttribute(const Subject *subject, const VkskinMeshDef *def, const Attribute *attribute) {
    const uintptr_t offset = (uintptr_t)attribute->data - (uintptr_t)def->vertices;
    if (offset >= def->vertexStride || def->vertexStride - offset < attribute->bytes) {
        return sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s%s: %s is not inside the first of the interleaved vertices, which has %zu bytes",
                         subject->kind, subject->name, attribute->name, def->vertexStride);
    }
    if (attribute->stride != def->vertexStride) {
        return sknReport(subject->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s%s: %.*sStride is %zu, vertexStride is %zu: they must be equal, or it is 0", subject->kind,
                         subject->name, (int)strlen(attribute->name) - 1, attribute->name, attribute->stride,
                         def->vertexStride);
    }
    attribute->place->offset = (uint32_t)offset;
    return VKSKIN_SUCCESS;
}

/* The end of the attribute that has a byte of the vertex; the byte itself if none has it. */
static uint32_t endOfAttribute(const Attribute attributes[ATTRIBUTES], uint32_t at) {
    for (uint32_t i = 0; i < ATTRIBUTES; i++) {
        const uint32_t first = attributes[i].place->offset;
        if (attributes[i].data != NULL && at >= first && at < first + attributes[i].bytes) {
            return first + attributes[i].bytes;
        }
    }
    return at;
}

/* Passes through all bytes of the vertices that no attribute has. */
static void passRest(InterleavedDef *own, const Attribute attributes[ATTRIBUTES]) {
    VkskinOutputLayout *layout = &own->layout;
    const uint32_t stride = layout->strides[0];
    for (uint32_t at = 0; at < stride;) {
        const uint32_t end = endOfAttribute(attributes, at);
        if (end > at) {
            at = end;
            continue;
        }
        const uint32_t first = at;
        while (at < stride && endOfAttribute(attributes, at) == at) {
            at += 4;
        }
        const uint32_t index = layout->passThroughCount++;
        layout->passThrough[index] = (VkskinPassThrough){.place = {0, first}, .size = at - first};
        own->rest[index] = (VkskinPassThroughData){(const unsigned char *)own->def.vertices + first, stride};
    }
}

static VkskinResult resolve(const Subject *subject, InterleavedDef *own) {
    VkskinMeshDef *def = &own->def;
    Attribute attributes[ATTRIBUTES];
    VkskinResult result = checkFields(subject, def);
    if (result < 0) {
        return result;
    }
    own->layout = (VkskinOutputLayout){.streamCount = 1, .strides = {(uint32_t)def->vertexStride}};
    listAttributes(own, attributes);
    for (uint32_t i = 0; result >= 0 && i < ATTRIBUTES; i++) {
        result = attributes[i].data != NULL ? placeAttribute(subject, def, &attributes[i]) : result;
    }
    if (result >= 0) {
        passRest(own, attributes);
        def->format = VKSKIN_VERTEX_FLOAT;
        def->layout = &own->layout;
        def->passThrough = own->rest;
    }
    return result;
}

VkskinResult sknResolveVertices(const VkskinLogger *logger, const VkskinMeshDef **def, InterleavedDef *own) {
    const VkskinMeshDef *given = *def;
    if (given->cookie != VKSKIN_COOKIE_MESH) {
        return VKSKIN_SUCCESS; /* reported with its other fields */
    }
    const Subject subject = {logger, SKN_MESH_LABEL(given)};
    if (given->vertices == NULL) {
        const Rule rule = {given->vertexStride != 0, VKSKIN_ERROR_INVALID_VALUE,
                           "vertexStride is set, vertices is null"};
        return sknCheckRules(&subject, &rule, 1);
    }
    (void)sknWithStrides(given, &own->def);
    *def = &own->def;
    return resolve(&subject, own);
}
