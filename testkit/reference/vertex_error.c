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

static void readPacked(const char *attributes, const VkskinMeshInfo *info, ReadVertex *vertex) {
    uint32_t normal = readWord(attributes);
    unfold(readSigned(normal, 16), readSigned(normal >> 16, 16), vertex->normal);
    if (info->hasTangents) {
        uint32_t tangent = readWord(attributes + 4);
        unfold(readSigned(tangent, 16), readSigned(tangent >> 16, 15), vertex->tangent);
        vertex->tangent[3] = tangent >> 31 != 0 ? -1.0 : 1.0;
    }
}

static void readFloats(const char *attributes, const VkskinMeshInfo *info, ReadVertex *vertex) {
    float values[7] = {0};
    memcpy(values, attributes, info->hasTangents ? 28 : 12);
    for (int i = 0; i < 3; i++) {
        vertex->normal[i] = values[i];
    }
    for (int i = 0; i < 4; i++) {
        vertex->tangent[i] = values[3 + i];
    }
}

void readPosition(const void *bytes, VkDeviceSize origin, VkDeviceSize offset, uint32_t vertex, float position[3]) {
    memcpy(position, (const char *)bytes + (offset - origin) + (size_t)vertex * 12, 12);
}

ReadVertex readVertex(const void *bytes, VkDeviceSize origin, const VkskinOutput *output, const VkskinMeshInfo *info,
                      uint32_t vertex) {
    ReadVertex result = {{0}, {0}, {0}};
    if (info->dimensions == 2) {
        memcpy(result.position, (const char *)bytes + (output->positionOffset - origin) + (size_t)vertex * 8, 8);
    } else {
        readPosition(bytes, origin, output->positionOffset, vertex, result.position);
    }
    const char *attributes =
        (const char *)bytes + (output->attributeOffset - origin) + (size_t)vertex * output->attributeStride;
    if (info->hasNormals && info->format == VKSKIN_VERTEX_PACKED) {
        readPacked(attributes, info, &result);
    } else if (info->hasNormals) {
        readFloats(attributes, info, &result);
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
    return format == VKSKIN_VERTEX_PACKED ? PACKED_DEGREES : FLOAT_DEGREES;
}

bool vertexErrorIsGood(const VertexError *error, VkskinVertexFormat format) {
    double degrees = vertexErrorDegrees(format);
    return error->position <= POSITION_BOUND && error->normal <= degrees && error->tangent <= degrees;
}
