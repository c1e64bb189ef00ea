#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference_blend.h"

/* A vertex on its way. */
typedef struct Moved {
    double position[3], normal[3], tangent[3];
    double normalLength, tangentLength; /* the product of the lengths that were brought to 1 so far */
} Moved;

static double normalise(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        v[i] = length > 0.0 ? v[i] / length : 0.0;
    }
    return length;
}

static void normaliseMoved(Moved *moved) {
    moved->normalLength *= normalise(moved->normal);
    moved->tangentLength *= normalise(moved->tangent);
}

/* Directions at bind are of any length. */
static Moved vertexAtBind(const ModelMesh *mesh, uint32_t vertex) {
    Moved moved = {.normal = {0, 0, 1}, .normalLength = 1.0, .tangentLength = 1.0};
    for (size_t i = 0; i < 3; i++) {
        moved.position[i] = mesh->positions[(size_t)vertex * 3 + i];
    }
    const float *normal = mesh->normals != NULL ? mesh->normals + (size_t)vertex * 3 : NULL;
    bool usable = normal != NULL && (normal[0] != 0.0f || normal[1] != 0.0f || normal[2] != 0.0f);
    for (int i = 0; i < 3 && usable; i++) {
        moved.normal[i] = normal[i]; /* an unusable one is taken as (0, 0, 1) */
    }
    for (size_t i = 0; i < 3 && mesh->tangents != NULL; i++) {
        moved.tangent[i] = mesh->tangents[(size_t)vertex * 4 + i];
    }
    normalise(moved.normal);
    normalise(moved.tangent);
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

static void addMorph(const ModelMorph *morph, double weight, uint32_t vertex, Moved *moved) {
    const uint32_t *found = bsearch(&vertex, morph->vertices, morph->vertexCount, sizeof vertex, compareVertices);
    if (found != NULL) {
        uint32_t place = (uint32_t)(found - morph->vertices);
        addDelta(moved->position, weight, morph->positions, place);
        addDelta(moved->normal, weight, morph->normals, place);
        addDelta(moved->tangent, weight, morph->tangents, place);
    }
}

/* Those before skinning, or those after. */
static void addMorphs(const ModelMesh *mesh, uint32_t vertex, const ReferenceDef *def, bool after, Moved *moved) {
    for (uint32_t m = 0; def->morphWeights != NULL && m < mesh->morphCount; m++) {
        bool isAfter = def->morphsAfter != NULL && def->morphsAfter[m];
        if (isAfter == after && mesh->morphs[m].vertexCount > 0) {
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

static void moveByBones(const ReferenceMap *map, Moved *moved) {
    moveVector(&map->points, moved->position, 1.0);
    moveVector(&map->normals, moved->normal, 0.0);
    moveVector(&map->points, moved->tangent, 0.0);
}

static void writeVertex(const ModelMesh *mesh, uint32_t vertex, const Moved *moved, const ReferenceMap *map,
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

ReferenceVertex *newReferenceVertices(const ModelMesh *mesh, const ReferenceMatrix *bones, const ReferenceDef *def) {
    static const ReferenceMatrix still = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    ReferenceVertex *vertices = calloc(mesh->vertexCount, sizeof *vertices);
    ReferenceTurn *turns = calloc((size_t)mesh->boneCount + 1, sizeof *turns);
    if (vertices == NULL || turns == NULL) {
        abort();
    }
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        Moved moved = vertexAtBind(mesh, v);
        ReferenceMap map = {still, still, 1.0, 1.0, 1.0};
        addMorphs(mesh, v, def, false, &moved);
        if (mesh->boneCount > 0) {
            map = referenceBlend(mesh, v, bones, turns, def);
        }
        moveByBones(&map, &moved);
        normaliseMoved(&moved);
        addMorphs(mesh, v, def, true, &moved);
        normaliseMoved(&moved);
        writeVertex(mesh, v, &moved, &map, &vertices[v]);
    }
    free(turns);
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
