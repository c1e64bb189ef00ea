/* Skinning of vertices by the reference: influences, blending by every method, morph targets. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define MAX_INFLUENCES 255

/* The transform of one vertex. It is affine for every method. */
typedef struct Blend {
    ReferenceMatrix points;              /* transform of points; the 3x3 part moves tangents and cheap normals */
    ReferenceMatrix normals;             /* only the 3x3 part counts */
    double realLength, leastDot, volume; /* as in ReferenceVertex */
} Blend;

/* A bone as a dual quaternion (rotation and translation) and the stretch that is applied before it. */
typedef struct BoneParts {
    bool known;              /* computed on first use: many bones may move no vertex */
    double real[4], dual[4]; /* x, y, z, w */
    double stretch[3][3];
} BoneParts;

typedef struct Influence {
    uint32_t joint, place;
    double weight;
} Influence;

/* The influences of a vertex that count, largest first. */
typedef struct Influences {
    uint32_t count;
    Influence list[MAX_INFLUENCES];
} Influences;

typedef struct DualQuaternion {
    double real[4]; /* x, y, z, w */
    double dual[4];
} DualQuaternion;

/* ---- Influences ---- */

/* By descending weight; equal ones keep their order. */
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

/* Drops zero weights and those that the def excludes, and scales the others to sum to 1. */
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

static const BoneParts *partsOf(const ReferenceMatrix *bones, BoneParts *parts, uint32_t joint) {
    BoneParts *turn = &parts[joint];
    if (!turn->known) {
        const ReferenceMatrix *bone = &bones[joint];
        referenceNearestRotation(bone, turn->real);
        referenceDualPart(bone, turn->real, turn->dual);
        referenceStretch(bone, turn->real, turn->stretch);
        turn->known = true;
    }
    return turn;
}

/* Kavan et al. 2008: the weighted sum, with every pair in the hemisphere of the largest influence. */
static DualQuaternion blendDuals(const Influences *influences, const ReferenceMatrix *bones, BoneParts *parts,
                                 Blend *map) {
    DualQuaternion sum = {{0}, {0}};
    const BoneParts *first = partsOf(bones, parts, influences->list[0].joint);
    for (uint32_t i = 0; i < influences->count; i++) {
        const BoneParts *turn = partsOf(bones, parts, influences->list[i].joint);
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

static ReferenceMatrix blendStretches(const Influences *influences, const BoneParts *parts) {
    ReferenceMatrix sum = {{{0}}};
    for (uint32_t i = 0; i < influences->count; i++) {
        const Influence *influence = &influences->list[i];
        for (int e = 0; e < 9; e++) {
            sum.m[e / 3][e % 3] += influence->weight * parts[influence->joint].stretch[e / 3][e % 3];
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

static Blend mapOf(const ReferenceMatrix *points, bool exactNormals, const Blend *lengths) {
    Blend map = {*points, *points, lengths->realLength, lengths->leastDot, 1.0};
    if (exactNormals) {
        map.normals = referenceNormalMatrix(points);
        map.volume = fabs(referenceDeterminant(points));
    }
    return map;
}

/* Linear mix: a at share 0, b at share 1. */
static ReferenceMatrix mix(const ReferenceMatrix *a, const ReferenceMatrix *b, double share) {
    ReferenceMatrix mixed;
    for (int e = 0; e < 12; e++) {
        int r = e / 4, c = e % 4;
        mixed.m[r][c] = (1.0 - share) * a->m[r][c] + share * b->m[r][c];
    }
    return mixed;
}

/* Le and Hodgins 2016, with stretch: `points`, R S | t, becomes R S (p - c) + linear(c), where linear blending moves the
 * centre c. */
static void turnAboutCentre(ReferenceMatrix *points, const ReferenceMatrix *linear, const float centre[3]) {
    for (int r = 0; r < 3; r++) {
        points->m[r][3] = linear->m[r][3];
        for (int c = 0; c < 3; c++) {
            points->m[r][3] += (linear->m[r][c] - points->m[r][c]) * centre[c];
        }
    }
}

static Blend blendBones(const ModelMesh *mesh, uint32_t vertex, const ReferenceMatrix *bones, BoneParts *parts,
                        const ReferenceDef *def) {
    Influences influences = chooseInfluences(mesh, vertex, def);
    Blend lengths = {.realLength = 1.0, .leastDot = 1.0};
    ReferenceMatrix linear = blendMatrices(&influences, bones);
    if (def->method == VKSKIN_METHOD_LINEAR_BLEND) {
        return mapOf(&linear, def->exactNormals, &lengths);
    }
    DualQuaternion dual = blendDuals(&influences, bones, parts, &lengths);
    ReferenceMatrix rigid = referenceFromDual(dual.real, dual.dual);
    ReferenceMatrix stretch = blendStretches(&influences, parts);
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

/* A vertex between two steps. */
typedef struct Moved {
    double position[3], normal[3], tangent[3];
    double normalLength, tangentLength; /* product of the lengths before each normalisation so far */
} Moved;

static void normaliseMoved(Moved *moved) {
    moved->normalLength *= referenceNormalise(moved->normal, 3);
    moved->tangentLength *= referenceNormalise(moved->tangent, 3);
}

/* Directions of the bind pose have any length. */
static Moved vertexAtBind(const ModelMesh *mesh, uint32_t vertex) {
    Moved moved = {.normal = {0, 0, 1}, .normalLength = 1.0, .tangentLength = 1.0};
    for (size_t i = 0; i < 3; i++) {
        moved.position[i] = mesh->positions[(size_t)vertex * 3 + i];
    }
    const float *normal = mesh->normals != NULL ? mesh->normals + (size_t)vertex * 3 : NULL;
    bool usable = normal != NULL && (normal[0] != 0.0f || normal[1] != 0.0f || normal[2] != 0.0f);
    for (int i = 0; i < 3 && usable; i++) {
        moved.normal[i] = normal[i]; /* otherwise (0, 0, 1) */
    }
    for (size_t i = 0; i < 3 && mesh->tangents != NULL; i++) {
        moved.tangent[i] = mesh->tangents[(size_t)vertex * 4 + i];
    }
    referenceNormalise(moved.normal, 3);
    referenceNormalise(moved.tangent, 3);
    return moved;
}

/* ---- Morph targets ---- */

static void addDelta(double sum[3], double weight, const float *deltas, uint32_t place) {
    for (size_t i = 0; i < 3 && deltas != NULL; i++) {
        sum[i] += weight * deltas[(size_t)place * 3 + i];
    }
}

static int compareVertices(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static int compareDescending(const void *left, const void *right) {
    return compareVertices(right, left);
}

/* The delta of a vertex, or NO_DELTA. */
#define NO_DELTA UINT32_MAX
static uint32_t deltaOf(const ModelMorph *morph, uint32_t vertex) {
    if (morph->vertexCount == 0) {
        return NO_DELTA;
    }
    bool descending = morph->vertices[0] > morph->vertices[morph->vertexCount - 1];
    const uint32_t *found = bsearch(&vertex, morph->vertices, morph->vertexCount, sizeof vertex,
                                    descending ? compareDescending : compareVertices);
    return found != NULL ? (uint32_t)(found - morph->vertices) : NO_DELTA;
}

static void addMorph(const ModelMorph *morph, double weight, uint32_t vertex, Moved *moved) {
    const uint32_t place = deltaOf(morph, vertex);
    if (place != NO_DELTA) {
        addDelta(moved->position, weight, morph->positions, place);
        addDelta(moved->normal, weight, morph->normals, place);
        addDelta(moved->tangent, weight, morph->tangents, place);
    }
}

/* after: the targets that are applied after skinning, else those before. */
static void addMorphs(const ModelMesh *mesh, uint32_t vertex, const ReferenceDef *def, bool after, Moved *moved) {
    for (uint32_t m = 0; def->morphWeights != NULL && m < mesh->morphCount; m++) {
        bool isAfter = def->morphsAfter != NULL && def->morphsAfter[m];
        if (isAfter == after) {
            addMorph(&mesh->morphs[m], def->morphWeights[m], vertex, moved);
        }
    }
}

/* ---- Vertices ---- */

static void moveVector(const ReferenceMatrix *matrix, double v[3], double translated) {
    double out[3];
    for (int r = 0; r < 3; r++) {
        out[r] =
            matrix->m[r][0] * v[0] + matrix->m[r][1] * v[1] + matrix->m[r][2] * v[2] + translated * matrix->m[r][3];
    }
    memcpy(v, out, sizeof out);
}

/* The position of one influence, after the morph targets before skinning. */
static void pointOf(const ModelMesh *mesh, uint32_t vertex, uint32_t place, const ReferenceDef *def, double point[3]) {
    const float *bind = def->influencePositions + 2 * ((size_t)vertex * mesh->influences + place);
    point[0] = bind[0];
    point[1] = bind[1];
    point[2] = 0.0;
    for (uint32_t m = 0; def->morphWeights != NULL && m < mesh->morphCount; m++) {
        const uint32_t at = deltaOf(&mesh->morphs[m], vertex);
        if (at != NO_DELTA && (def->morphsAfter == NULL || !def->morphsAfter[m])) {
            const float *delta = def->influenceDeltas[m] + 2 * ((size_t)at * mesh->influences + place);
            point[0] += (double)def->morphWeights[m] * delta[0];
            point[1] += (double)def->morphWeights[m] * delta[1];
        }
    }
}

/* Each bone moves its own position. */
static void moveEach(const ModelMesh *mesh, uint32_t vertex, const ReferenceMatrix *bones, const ReferenceDef *def,
                     Moved *moved) {
    const Influences influences = chooseInfluences(mesh, vertex, def);
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < influences.count; i++) {
        const Influence *influence = &influences.list[i];
        double point[3];
        pointOf(mesh, vertex, influence->place, def, point);
        moveVector(&bones[influence->joint], point, 1.0);
        for (int k = 0; k < 3; k++) {
            sum[k] += influence->weight * point[k];
        }
    }
    memcpy(moved->position, sum, sizeof sum);
}

static void moveByBones(const Blend *map, Moved *moved) {
    moveVector(&map->points, moved->position, 1.0);
    moveVector(&map->normals, moved->normal, 0.0);
    moveVector(&map->points, moved->tangent, 0.0);
}

static void writeVertex(const ModelMesh *mesh, uint32_t vertex, const Moved *moved, const Blend *map,
                        ReferenceVertex *out) {
    memcpy(out->position, moved->position, sizeof moved->position);
    out->realLength = map->realLength;
    out->leastDot = map->leastDot;
    out->volume = map->volume;
    if (mesh->normals != NULL) {
        memcpy(out->normal, moved->normal, sizeof moved->normal);
        out->normalLength = moved->normalLength;
    }
    if (mesh->tangents != NULL) {
        memcpy(out->tangent, moved->tangent, sizeof moved->tangent);
        out->tangentLength = moved->tangentLength;
        out->tangent[3] = mesh->tangents[(size_t)vertex * 4 + 3] < 0.0f ? -1.0 : 1.0;
    }
}

ReferenceVertex *newReferenceSample(const ModelMesh *mesh, const ReferenceMatrix *bones, const ReferenceDef *def,
                                    const uint32_t *sample, uint32_t count) {
    static const ReferenceMatrix still = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    ReferenceVertex *vertices = newZeroed(count, sizeof *vertices);
    BoneParts *parts = newZeroed(mesh->boneCount, sizeof *parts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = sample ? sample[i] : i;
        Moved moved = vertexAtBind(mesh, v);
        Blend map = {still, still, 1.0, 1.0, 1.0};
        if (def->influencePositions != NULL) {
            moveEach(mesh, v, bones, def, &moved);
        } else {
            addMorphs(mesh, v, def, false, &moved);
            if (mesh->boneCount > 0) {
                map = blendBones(mesh, v, bones, parts, def);
            }
            moveByBones(&map, &moved);
        }
        normaliseMoved(&moved);
        addMorphs(mesh, v, def, true, &moved);
        normaliseMoved(&moved);
        writeVertex(mesh, v, &moved, &map, &vertices[i]);
    }
    free(parts);
    return vertices;
}

ReferenceVertex *newReferenceVertices(const ModelMesh *mesh, const ReferenceMatrix *bones, const ReferenceDef *def) {
    return newReferenceSample(mesh, bones, def, NULL, mesh->vertexCount);
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
