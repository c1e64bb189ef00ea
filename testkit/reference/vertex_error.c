#include "vertex_error.h"

#include <math.h>
#include <string.h>

/* ---- Reading ---- */

static uint32_t readWord(const char *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* The low `bits` bits of `word` as a signed normalised number. */
static double readSigned(uint32_t word, int bits) {
    int64_t value = word & ((1u << bits) - 1u);
    if (value >> (bits - 1) != 0) {
        value -= (int64_t)1 << bits;
    }
    double largest = (double)(((int64_t)1 << (bits - 1)) - 1);
    return fmax((double)value / largest, -1.0);
}

/* Cigolle et al. 2014: the octahedron |x| + |y| + |z| = 1, its lower half folded outwards. */
static void unfold(double u, double v, double direction[3]) {
    double z = 1.0 - fabs(u) - fabs(v);
    double x = z < 0.0 ? copysign(1.0 - fabs(v), u) : u;
    double y = z < 0.0 ? copysign(1.0 - fabs(u), v) : v;
    double length = sqrt(x * x + y * y + z * z);
    direction[0] = x / length;
    direction[1] = y / length;
    direction[2] = z / length;
}

/* snorm 10, 10, 10 and 2, x lowest. */
static void readSnorm10(const char *from, uint32_t count, double *to) {
    uint32_t word = count > 0 ? readWord(from) : 0;
    for (uint32_t i = 0; i < count; i++) {
        to[i] = readSigned(word >> 10 * i, i < 3 ? 10 : 2);
    }
}

/* tangent: null without tangents. */
static void readPacked(const char *normal, const char *tangent, ReadVertex *vertex) {
    uint32_t word = readWord(normal);
    unfold(readSigned(word, 16), readSigned(word >> 16, 16), vertex->normal);
    if (tangent != NULL) {
        word = readWord(tangent);
        unfold(readSigned(word, 16), readSigned(word >> 16, 15), vertex->tangent);
        vertex->tangent[3] = word >> 31 != 0 ? -1.0 : 1.0;
    }
}

static void readFloats(const char *from, uint32_t count, double *to) {
    for (uint32_t i = 0; i < count; i++) {
        float value;
        memcpy(&value, from + 4 * (size_t)i, sizeof value);
        to[i] = value;
    }
}

/* Bytes from the start of an instance's output to the attribute of the first vertex. */
static VkDeviceSize placeOffset(const VkskinMeshInfo *info, VkskinAttributePlace place) {
    return info->streamOffsets[place.stream] + place.offset;
}

/* The tangent of a vertex. Without a layout in the info it follows the normal. */
static const char *findTangent(const char *normals, const VkskinOutput *output, const VkskinMeshInfo *info,
                               uint32_t vertex) {
    const VkskinOutputLayout *layout = &info->layout;
    if (layout->streamCount == 0) {
        return normals + (size_t)vertex * output->attributeStride + (info->format == VKSKIN_VERTEX_FLOAT ? 12 : 4);
    }
    return normals + (placeOffset(info, layout->tangent) - placeOffset(info, layout->normal)) +
           (size_t)vertex * layout->strides[layout->tangent.stream];
}

void readPosition(const void *bytes, VkDeviceSize origin, VkDeviceSize offset, uint32_t vertex, float position[3]) {
    memcpy(position, (const char *)bytes + (offset - origin) + (size_t)vertex * 12, 12);
}

ReadVertex readVertex(const void *bytes, VkDeviceSize origin, const VkskinOutput *output, const VkskinMeshInfo *info,
                      uint32_t vertex) {
    ReadVertex result = {{0}, {0}, {0}};
    const char *first = (const char *)bytes - origin;
    memcpy(result.position, first + output->positionOffset + (size_t)vertex * output->positionStride,
           sizeof(float) * info->dimensions);
    const char *normals = first + output->attributeOffset;
    const char *normal = normals + (size_t)vertex * output->attributeStride;
    const char *tangent = info->hasTangents ? findTangent(normals, output, info, vertex) : NULL;
    if (info->hasNormals && info->format == VKSKIN_VERTEX_PACKED) {
        readPacked(normal, tangent, &result);
    } else if (info->hasNormals) {
        void (*read)(const char *, uint32_t, double *) = info->format == VKSKIN_VERTEX_FLOAT ? readFloats : readSnorm10;
        read(normal, 3, result.normal);
        read(tangent, info->hasTangents ? 4 : 0, result.tangent);
    }
    return result;
}

/* ---- Judging ---- */

#define SHORTEST_NORMAL   1e-3 /* shorter blended normals are not compared */
#define SHORTEST_REAL     0.05 /* shorter blended real parts are mostly rounding error */
#define HEMISPHERE_BORDER 1e-5
#define LEAST_VOLUME      1e-5 /* with less volume, rounding may mirror the matrix */

static double finiteOrInfinity(double error) {
    return isnan(error) ? INFINITY : error;
}

static double degreesBetween(const double *a, const double *b) {
    double dot = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double cross = a[j] * b[k] - a[k] * b[j];
        square += cross * cross;
        dot += a[i] * b[i];
    }
    return finiteOrInfinity(atan2(sqrt(square), dot) * 57.29577951308232);
}

static void measureDirections(const ReferenceVertex *expected, const ReadVertex *vertex, const VkskinMeshInfo *info,
                              VertexError *error) {
    bool shortNormal = info->hasNormals && expected->normalLength < SHORTEST_NORMAL;
    bool shortTangent = info->hasTangents && expected->tangentLength < SHORTEST_NORMAL;
    error->leftOut = shortNormal || shortTangent;
    if (info->hasNormals && !error->leftOut) {
        error->normal = degreesBetween(expected->normal, vertex->normal) * fmin(expected->normalLength, 1.0);
    }
    if (info->hasTangents && !error->leftOut) {
        bool sameHand = vertex->tangent[3] == expected->tangent[3];
        double degrees = degreesBetween(expected->tangent, vertex->tangent) * fmin(expected->tangentLength, 1.0);
        error->tangent = sameHand ? degrees : 180.0;
    }
}

VertexError vertexError(const ReferenceVertex *expected, const ReadVertex *vertex, double diagonal,
                        const VkskinMeshInfo *info) {
    VertexError error = {.leftOut = expected->realLength < SHORTEST_REAL || expected->leastDot < HEMISPHERE_BORDER ||
                                    expected->volume < LEAST_VOLUME};
    if (error.leftOut) {
        return error;
    }
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        double difference = vertex->position[i] - expected->position[i];
        square += difference * difference;
    }
    error.position = finiteOrInfinity(sqrt(square) / diagonal);
    measureDirections(expected, vertex, info, &error);
    return error;
}

void vertexErrorKeepWorst(VertexError *worst, const VertexError *error) {
    worst->position = fmax(worst->position, error->position);
    worst->normal = fmax(worst->normal, error->normal);
    worst->tangent = fmax(worst->tangent, error->tangent);
}

double vertexErrorDegrees(VkskinVertexFormat format) {
    static const double degrees[] = {PACKED_DEGREES, FLOAT_DEGREES, SNORM10_DEGREES};
    _Static_assert(sizeof degrees == VKSKIN_VERTEX_FORMAT_COUNT * sizeof *degrees, "a bound for each format");
    return degrees[format];
}

bool vertexErrorIsGood(const VertexError *error, VkskinVertexFormat format) {
    double degrees = vertexErrorDegrees(format);
    return error->position <= POSITION_BOUND && error->normal <= degrees && error->tangent <= degrees;
}
