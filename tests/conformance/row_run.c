#include "row_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allowance.h"

#define LEFT_OUT 0.01 /* of the vertices of a tame scene, at most */

/* What a vertex is held against. */
typedef struct Judge {
    const char *against;
    const ReferenceVertex *expected;
    const Allowance *allowances;
    double diagonal;
} Judge;

static void judgeVertex(const Judge *judge, uint32_t vertex, const VertexError *error, RowResult *result) {
    const Allowance *allowed = &judge->allowances[vertex];
    bool good = error->position * judge->diagonal <= allowed->position && error->normal <= allowed->degrees &&
                error->tangent <= allowed->degrees;
    if (!error->leftOut && !good && result->good) {
        result->good = false;
        snprintf(result->why, sizeof result->why,
                 "vertex %u against %s: off by %.3g (allowed %.3g), normal %.3g, tangent %.3g degrees (allowed %.3g)",
                 vertex, judge->against, error->position * judge->diagonal, allowed->position, error->normal,
                 error->tangent, allowed->degrees);
    }
}

static void judgeVertices(const Judge *judge, const ReadVertex *vertices, const VkskinMeshInfo *info,
                          ConformWorst *worst, RowResult *result) {
    for (uint32_t v = 0; v < info->vertexCount; v++) {
        VertexError error = vertexError(&judge->expected[v], &vertices[v], judge->diagonal, info);
        judgeVertex(judge, v, &error, result);
        worst->compared++;
        worst->leftOut += error.leftOut;
        vertexErrorKeepWorst(&worst->error, &error);
        result->units = fmax(result->units, error.position * judge->diagonal);
    }
}

void judgeInstance(const Scene *scene, uint32_t index, bool exact, const ReadVertex *vertices,
                   const VkskinMeshInfo *info, ConformWorst *worst, RowResult *result) {
    const SceneInstance *instance = &scene->instances[index];
    ReferenceDef def = sceneReference(scene, index);
    ReferenceVertex *expected = newReferenceVertices(&scene->mesh, exact ? instance->bones : instance->held, &def);
    Allowance *allowances = newAllowances(scene, index, exact, info, expected);
    const char *against = exact ? "the exact bones" : "the bones that the palette holds";
    Judge judge = {against, expected, allowances, referenceDiagonal(expected, info->vertexCount)};
    judgeVertices(&judge, vertices, info, worst, result);
    free(allowances);
    free(expected);
}

static bool isCoarse(VkskinPaletteEncoding encoding) {
    return encoding == VKSKIN_PALETTE_QUATERNION_HALF || encoding == VKSKIN_PALETTE_QUATERNION_SNORM16;
}

/* What the library tells of the mesh, where the row leaves no doubt. */
static void judgeInfo(const Row *row, SceneKind kind, const VkskinMeshInfo *info, RowResult *result) {
    bool sorted = rowOrder(row) != ROW_UNSORTED;
    if (kind != SCENE_WILD && info->sorted != sorted) {
        result->good = false;
        snprintf(result->why, sizeof result->why, "VkskinMeshInfo.sorted is %d", info->sorted);
    }
    if (rowWeights(row) == VKSKIN_WEIGHTS_FLOAT && info->weightError != 0.0f) {
        result->good = false;
        snprintf(result->why, sizeof result->why, "VkskinMeshInfo.weightError is %g", (double)info->weightError);
    }
}

/* The scene's instances over and over, so that there are more of them than a thread skins its vertex for. */
#define MOST_INSTANCES 68u

static ReadVertex *newOutput(Gpu *gpu, const Scene *scene, uint32_t count, VkskinMeshInfo *info) {
    const RowReading *reading = rowReadingOf(&scene->row);
    ConformSettings settings = rowSettings(&scene->row);
    ConformInstance instances[MOST_INSTANCES];
    assert_true(count <= MOST_INSTANCES);
    for (uint32_t i = 0; i < count; i++) {
        const SceneInstance *instance = &scene->instances[i % SCENE_INSTANCES];
        instances[i] = (ConformInstance){reading->blend, reading->encoding, instance->palette, instance->morphWeights,
                                         instance->morphWeightCount};
    }
    return newConformOutput(gpu, &settings, &scene->def, instances, count, info);
}

/* What the same instance comes to at another place of its thread's is the same, bit for bit. */
static void judgeCopies(const ReadVertex *vertices, uint32_t count, uint32_t vertexCount, RowResult *result) {
    for (uint32_t i = SCENE_INSTANCES * vertexCount; result->good && i < count * vertexCount; i++) {
        const ReadVertex *copy = &vertices[i], *first = &vertices[i % (SCENE_INSTANCES * vertexCount)];
        if (memcmp(copy->position, first->position, sizeof copy->position) != 0 ||
            memcmp(copy->normal, first->normal, sizeof copy->normal) != 0 ||
            memcmp(copy->tangent, first->tangent, sizeof copy->tangent) != 0) {
            result->good = false;
            snprintf(result->why, sizeof result->why, "vertex %u of instance %u is not that of instance %u",
                     i % vertexCount, i / vertexCount, i / vertexCount % SCENE_INSTANCES);
        }
    }
}

RowResult judgeScene(const Scene *scene, SceneKind kind, const ReadVertex *vertices, const VkskinMeshInfo *info) {
    const Row *row = &scene->row;
    RowResult result = {.good = true};
    ConformWorst byEntries = {.compared = 0};
    judgeInfo(row, kind, info, &result);
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        const ReadVertex *own = vertices + (size_t)i * info->vertexCount;
        judgeInstance(scene, i, true, own, info, &result.worst, &result);
        if (rowWeights(row) == VKSKIN_WEIGHTS_FLOAT && isCoarse(rowReadingOf(row)->encoding)) {
            judgeInstance(scene, i, false, own, info, &byEntries, &result);
        }
    }
    if (kind != SCENE_WILD && result.worst.leftOut > LEFT_OUT * result.worst.compared) {
        result.good = false;
        snprintf(result.why, sizeof result.why, "%u of %u vertices were left out", result.worst.leftOut,
                 result.worst.compared);
    }
    return result;
}

RowResult runRow(Gpu *gpu, const Row *row, SceneKind kind, uint64_t seed) {
    Scene scene;
    VkskinMeshInfo info;
    uint32_t count = rowSettings(row).instancesPerThread + SCENE_INSTANCES;
    makeScene(&scene, row, kind, seed);
    ReadVertex *vertices = newOutput(gpu, &scene, count, &info);
    RowResult result = judgeScene(&scene, kind, vertices, &info);
    judgeCopies(vertices, count, info.vertexCount, &result);
    free(vertices);
    freeScene(&scene);
    return result;
}
