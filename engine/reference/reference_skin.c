#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEPT 255

/* A vertex's influences that count, the largest first. */
typedef struct Influences {
    uint32_t count;
    uint32_t joints[MAX_KEPT];
    double weights[MAX_KEPT];
} Influences;

typedef struct DualQuaternion {
    double real[4]; /* x, y, z, w */
    double dual[4];
} DualQuaternion;

/* ---- Influences ---- */

/* The largest weights, earlier ones first among equals; zero weights are none. */
static Influences chooseInfluences(const ModelMesh *mesh, uint32_t vertex, uint32_t maxInfluences) {
    const uint32_t *joints = mesh->joints + (size_t)vertex * mesh->influences;
    const float *weights = mesh->weights + (size_t)vertex * mesh->influences;
    bool taken[MAX_KEPT] = {false};
    double sum = 0.0;
    Influences chosen = {0};
    while (chosen.count < maxInfluences) {
        int64_t best = -1;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            if (!taken[i] && weights[i] > 0.0f && (best < 0 || weights[i] > weights[best])) {
                best = i;
            }
        }
        if (best < 0) {
            break;
        }
        taken[best] = true;
        chosen.joints[chosen.count] = joints[best];
        chosen.weights[chosen.count] = weights[best];
        sum += weights[best];
        chosen.count++;
    }
    for (uint32_t i = 0; i < chosen.count; i++) {
        chosen.weights[i] /= sum;
    }
    return chosen;
}

/* ---- Blending ---- */

static ReferenceMatrix blendMatrices(const Influences *influences, const ReferenceMatrix *bones) {
    ReferenceMatrix sum = {{{0}}};
    for (uint32_t i = 0; i < influences->count; i++) {
        for (int e = 0; e < 12; e++) {
            sum.m[e / 4][e % 4] += influences->weights[i] * bones[influences->joints[i]].m[e / 4][e % 4];
        }
    }
    return sum;
}

/* Of quaternions (x, y, z, w): a b. */
static void multiplyQuaternions(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static DualQuaternion dualFromMatrix(const ReferenceMatrix *matrix) {
    DualQuaternion result;
    double half[4] = {0.5 * matrix->m[0][3], 0.5 * matrix->m[1][3], 0.5 * matrix->m[2][3], 0.0};
    referenceNearestRotation(matrix, result.real);
    multiplyQuaternions(half, result.real, result.dual);
    return result;
}

/* Kavan et al. 2008: the weighted sum, every pair in the hemisphere of the largest influence. */
static DualQuaternion blendDuals(const Influences *influences, const DualQuaternion *bones, double *leastDot) {
    DualQuaternion sum = {{0}, {0}};
    const DualQuaternion *first = &bones[influences->joints[0]];
    for (uint32_t i = 0; i < influences->count; i++) {
        const DualQuaternion *bone = &bones[influences->joints[i]];
        double dot = 0.0;
        for (int e = 0; e < 4; e++) {
            dot += bone->real[e] * first->real[e];
        }
        *leastDot = fmin(*leastDot, fabs(dot));
        double weight = dot < 0.0 ? -influences->weights[i] : influences->weights[i];
        for (int e = 0; e < 4; e++) {
            sum.real[e] += weight * bone->real[e];
            sum.dual[e] += weight * bone->dual[e];
        }
    }
    return sum;
}

/* The rigid transform that a blended dual quaternion stands for once divided by the length of its real part. */
static ReferenceMatrix matrixFromDual(const DualQuaternion *dual, double *realLength) {
    static const double noMove[3] = {0, 0, 0}, noScale[3] = {1, 1, 1};
    double square = 0.0;
    for (int e = 0; e < 4; e++) {
        square += dual->real[e] * dual->real[e];
    }
    *realLength = sqrt(square);
    ReferenceMatrix matrix = referenceCompose(noMove, dual->real, noScale);
    double conjugate[4] = {-dual->real[0], -dual->real[1], -dual->real[2], dual->real[3]};
    double half[4];
    multiplyQuaternions(dual->dual, conjugate, half);
    for (int r = 0; r < 3; r++) {
        matrix.m[r][3] = 2.0 * half[r] / square;
    }
    return matrix;
}

/* ---- Vertices ---- */

static double normalise(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        v[i] = length > 0.0 ? v[i] / length : 0.0;
    }
    return length;
}

/* direction: at bind, any length; brought to 1 before and after. Returns the length in between. */
static double moveDirection(const ReferenceMatrix *matrix, const float *direction, double out[3]) {
    double unit[3] = {direction[0], direction[1], direction[2]};
    normalise(unit);
    for (int r = 0; r < 3; r++) {
        out[r] = matrix->m[r][0] * unit[0] + matrix->m[r][1] * unit[1] + matrix->m[r][2] * unit[2];
    }
    return normalise(out);
}

static void moveVertex(const ModelMesh *mesh, uint32_t vertex, const ReferenceMatrix *matrix, ReferenceVertex *out) {
    static const float upward[3] = {0, 0, 1}; /* what an unusable normal is taken as */
    const float *position = mesh->positions + (size_t)vertex * 3;
    for (int r = 0; r < 3; r++) {
        out->position[r] = matrix->m[r][0] * position[0] + matrix->m[r][1] * position[1] +
                           matrix->m[r][2] * position[2] + matrix->m[r][3];
    }
    if (mesh->normals != NULL) {
        const float *normal = mesh->normals + (size_t)vertex * 3;
        bool usable = normal[0] != 0.0f || normal[1] != 0.0f || normal[2] != 0.0f;
        out->normalLength = moveDirection(matrix, usable ? normal : upward, out->normal);
    }
    if (mesh->tangents != NULL) {
        const float *tangent = mesh->tangents + (size_t)vertex * 4;
        out->tangentLength = moveDirection(matrix, tangent, out->tangent);
        out->tangent[3] = tangent[3] < 0.0f ? -1.0 : 1.0;
    }
}

static DualQuaternion *newDuals(const ReferenceMatrix *bones, uint32_t count) {
    DualQuaternion *duals = calloc(count, sizeof *duals);
    if (duals == NULL) {
        abort();
    }
    for (uint32_t b = 0; b < count; b++) {
        duals[b] = dualFromMatrix(&bones[b]);
    }
    return duals;
}

ReferenceVertex *newReferenceVertices(const ModelMesh *mesh, const ReferenceMatrix *bones, VkskinMethod method,
                                      uint32_t maxInfluences) {
    ReferenceVertex *vertices = calloc(mesh->vertexCount, sizeof *vertices);
    if (vertices == NULL) {
        abort();
    }
    DualQuaternion *duals = method == VKSKIN_METHOD_DUAL_QUATERNION ? newDuals(bones, mesh->boneCount) : NULL;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        Influences influences = chooseInfluences(mesh, v, maxInfluences);
        ReferenceMatrix matrix;
        vertices[v].realLength = 1.0;
        vertices[v].leastDot = 1.0;
        if (duals != NULL) {
            DualQuaternion sum = blendDuals(&influences, duals, &vertices[v].leastDot);
            matrix = matrixFromDual(&sum, &vertices[v].realLength);
        } else {
            matrix = blendMatrices(&influences, bones);
        }
        moveVertex(mesh, v, &matrix, &vertices[v]);
    }
    free(duals);
    return vertices;
}

double referenceDiagonal(const ReferenceVertex *vertices, uint32_t count) {
    double low[3], high[3], square = 0.0;
    memcpy(low, vertices[0].position, sizeof low);
    memcpy(high, vertices[0].position, sizeof high);
    for (uint32_t v = 1; v < count; v++) {
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], vertices[v].position[i]);
            high[i] = fmax(high[i], vertices[v].position[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        square += (high[i] - low[i]) * (high[i] - low[i]);
    }
    return sqrt(square);
}
