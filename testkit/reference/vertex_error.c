#include "vertex_error.h"

#include <math.h>

#define SHORTEST_NORMAL   1e-3 /* blended normals below it have no direction worth comparing */
#define SHORTEST_REAL     0.05 /* blended dual quaternions below it are all rounding */
#define HEMISPHERE_BORDER 1e-5
#define LEAST_VOLUME      1e-5 /* below it a matrix may as well be mirrored */

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
