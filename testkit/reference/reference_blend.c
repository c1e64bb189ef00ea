#include "reference_blend.h"

#include <math.h>
#include <stdlib.h>

#define MAX_INFLUENCES 255

typedef struct Influence {
    uint32_t joint, place;
    double weight;
} Influence;

/* A vertex's influences that count, the largest first. */
typedef struct Influences {
    uint32_t count;
    Influence list[MAX_INFLUENCES];
} Influences;

typedef struct DualQuaternion {
    double real[4]; /* x, y, z, w */
    double dual[4];
} DualQuaternion;

/* ---- Influences ---- */

/* Descending by weight, earlier ones first among equals. */
static int compareInfluences(const void *left, const void *right) {
    const Influence *a = left, *b = right;
    if (a->weight != b->weight) {
        return a->weight > b->weight ? -1 : 1;
    }
    return a->place < b->place ? -1 : a->place > b->place;
}

static Influences allInfluences(const ModelMesh *mesh, uint32_t vertex, uint32_t unweightedBone) {
    size_t first = (size_t)vertex * mesh->influences;
    Influences all = {.count = 0};
    for (uint32_t i = 0; i < mesh->influences; i++) {
        if (mesh->weights[first + i] > 0.0f) {
            all.list[all.count++] = (Influence){mesh->joints[first + i], i, mesh->weights[first + i]};
        }
    }
    if (all.count == 0) {
        all.list[all.count++] = (Influence){unweightedBone, 0, 1.0};
    }
    qsort(all.list, all.count, sizeof *all.list, compareInfluences);
    return all;
}

static double sumOf(const Influences *influences) {
    double sum = 0.0;
    for (uint32_t i = 0; i < influences->count; i++) {
        sum += influences->list[i].weight;
    }
    return sum;
}

/* Zero weights are none. What is kept is scaled to sum to one. */
static Influences chooseInfluences(const ModelMesh *mesh, uint32_t vertex, const ReferenceDef *def) {
    Influences chosen = allInfluences(mesh, vertex, def->unweightedBone);
    double least = def->minWeight * sumOf(&chosen);
    if (def->maxInfluences > 0 && chosen.count > def->maxInfluences) {
        chosen.count = def->maxInfluences;
    }
    while (chosen.count > 1 && chosen.list[chosen.count - 1].weight < least) {
        chosen.count--;
    }
    double sum = sumOf(&chosen);
    for (uint32_t i = 0; i < chosen.count; i++) {
        chosen.list[i].weight /= sum;
    }
    return chosen;
}

/* ---- Quaternions ---- */

/* Of quaternions (x, y, z, w): a b. */
static void multiplyQuaternions(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static const ReferenceTurn *turnOf(const ReferenceMatrix *bones, ReferenceTurn *turns, uint32_t joint) {
    ReferenceTurn *turn = &turns[joint];
    if (!turn->known) {
        const ReferenceMatrix *bone = &bones[joint];
        double half[4] = {0.5 * bone->m[0][3], 0.5 * bone->m[1][3], 0.5 * bone->m[2][3], 0.0};
        referenceNearestRotation(bone, turn->real);
        multiplyQuaternions(half, turn->real, turn->dual);
        referenceStretch(bone, turn->real, turn->stretch);
        turn->known = true;
    }
    return turn;
}

/* Kavan et al. 2008: the weighted sum, every pair in the hemisphere of the largest influence. */
static DualQuaternion blendDuals(const Influences *influences, const ReferenceMatrix *bones, ReferenceTurn *turns,
                                 ReferenceMap *map) {
    DualQuaternion sum = {{0}, {0}};
    const ReferenceTurn *first = turnOf(bones, turns, influences->list[0].joint);
    for (uint32_t i = 0; i < influences->count; i++) {
        const ReferenceTurn *turn = turnOf(bones, turns, influences->list[i].joint);
        double dot = 0.0;
        for (int e = 0; e < 4; e++) {
            dot += turn->real[e] * first->real[e];
        }
        map->leastDot = fmin(map->leastDot, fabs(dot));
        double weight = dot < 0.0 ? -influences->list[i].weight : influences->list[i].weight;
        for (int e = 0; e < 4; e++) {
            sum.real[e] += weight * turn->real[e];
            sum.dual[e] += weight * turn->dual[e];
        }
    }
    double square = 0.0;
    for (int e = 0; e < 4; e++) {
        square += sum.real[e] * sum.real[e];
    }
    map->realLength = sqrt(square);
    return sum;
}

/* The rigid transform that a blended dual quaternion stands for once divided by the length of its real part. */
static ReferenceMatrix matrixFromDual(const DualQuaternion *dual, double realLength) {
    static const double noMove[3] = {0, 0, 0}, noScale[3] = {1, 1, 1};
    ReferenceMatrix matrix = referenceCompose(noMove, dual->real, noScale);
    double conjugate[4] = {-dual->real[0], -dual->real[1], -dual->real[2], dual->real[3]};
    double half[4];
    multiplyQuaternions(dual->dual, conjugate, half);
    for (int r = 0; r < 3; r++) {
        matrix.m[r][3] = 2.0 * half[r] / (realLength * realLength);
    }
    return matrix;
}

static ReferenceMatrix blendStretches(const Influences *influences, const ReferenceTurn *turns) {
    ReferenceMatrix sum = {{{0}}};
    for (uint32_t i = 0; i < influences->count; i++) {
        const Influence *influence = &influences->list[i];
        for (int e = 0; e < 9; e++) {
            sum.m[e / 3][e % 3] += influence->weight * turns[influence->joint].stretch[e / 3][e % 3];
        }
    }
    return sum;
}

/* ---- Methods ---- */

static ReferenceMatrix blendMatrices(const Influences *influences, const ReferenceMatrix *bones) {
    ReferenceMatrix sum = {{{0}}};
    for (uint32_t i = 0; i < influences->count; i++) {
        for (int e = 0; e < 12; e++) {
            sum.m[e / 4][e % 4] += influences->list[i].weight * bones[influences->list[i].joint].m[e / 4][e % 4];
        }
    }
    return sum;
}

static ReferenceMap mapOf(const ReferenceMatrix *points, bool exactNormals, const ReferenceMap *lengths) {
    ReferenceMap map = {*points, *points, lengths->realLength, lengths->leastDot, 1.0};
    if (exactNormals) {
        map.normals = referenceNormalMatrix(points);
        map.volume = fabs(referenceDeterminant(points));
    }
    return map;
}

/* From a to b by share. */
static ReferenceMatrix mix(const ReferenceMatrix *a, const ReferenceMatrix *b, double share) {
    ReferenceMatrix mixed;
    for (int e = 0; e < 12; e++) {
        int r = e / 4, c = e % 4;
        mixed.m[r][c] = (1.0 - share) * a->m[r][c] + share * b->m[r][c];
    }
    return mixed;
}

/* Le and Hodgins 2016, with stretch: turns `points`, R S | t, about a centre that goes where linear blending takes it:
 * R S (p - c) + linear(c). */
static void turnAboutCentre(ReferenceMatrix *points, const ReferenceMatrix *linear, const float centre[3]) {
    for (int r = 0; r < 3; r++) {
        points->m[r][3] = linear->m[r][3];
        for (int c = 0; c < 3; c++) {
            points->m[r][3] += (linear->m[r][c] - points->m[r][c]) * centre[c];
        }
    }
}

ReferenceMap referenceBlend(const ModelMesh *mesh, uint32_t vertex, const ReferenceMatrix *bones, ReferenceTurn *turns,
                            const ReferenceDef *def) {
    Influences influences = chooseInfluences(mesh, vertex, def);
    ReferenceMap lengths = {.realLength = 1.0, .leastDot = 1.0};
    ReferenceMatrix linear = blendMatrices(&influences, bones);
    if (def->method == VKSKIN_METHOD_LINEAR_BLEND) {
        return mapOf(&linear, def->exactNormals, &lengths);
    }
    DualQuaternion dual = blendDuals(&influences, bones, turns, &lengths);
    ReferenceMatrix rigid = matrixFromDual(&dual, lengths.realLength);
    ReferenceMatrix stretch = blendStretches(&influences, turns);
    ReferenceMatrix points = referenceMultiply(&rigid, &stretch);
    switch (def->method) {
    case VKSKIN_METHOD_LINEAR_BLEND:
    case VKSKIN_METHOD_SCALED_DUAL_QUATERNION:
        break;
    case VKSKIN_METHOD_DUAL_QUATERNION:
        points = rigid;
        break;
    case VKSKIN_METHOD_PAINTED_BLEND:
        points = mix(&linear, &points, mesh->blendWeights[vertex]);
        break;
    case VKSKIN_METHOD_CENTRES_OF_ROTATION:
        turnAboutCentre(&points, &linear, def->centres + (size_t)vertex * 3);
        break;
    }
    return mapOf(&points, def->exactNormals, &lengths);
}
