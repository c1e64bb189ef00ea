#include "scene_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

#define MAX_PLACES  255u
#define MORPH_REACH 0.3f /* of a mesh whose side is 2 */
#define MORPH_LEAN  0.5f /* of a normal */

void *newZeros(size_t count, size_t size) {
    void *zeros = calloc(count > 0 ? count : 1, size);
    if (zeros == NULL) {
        abort();
    }
    return zeros;
}

static float *newDeltas(Random *random, uint32_t count, float reach) {
    float *deltas = newZeros(count, 3 * sizeof *deltas);
    for (uint32_t i = 0; i < 3 * count; i++) {
        deltas[i] = randomFloat(random, -reach, reach);
    }
    return deltas;
}

/* ---- Influences ---- */

/* Whether a vertex is of the other kind. Sorted, those of fewer influences come first. */
static bool isOther(Random *random, RowOrder order, uint32_t vertex, bool otherHasMore) {
    switch (order) {
    case ROW_SORTED:
        return (vertex < SCENE_VERTICES / 3) != otherHasMore;
    case ROW_UNSORTED:
        return vertex % 2 == 0 || randomBelow(random, 4) == 0;
    default:
        return false;
    }
}

static void swapPlaces(uint32_t *joints, float *weights, uint32_t a, uint32_t b) {
    uint32_t joint = joints[a];
    float weight = weights[a];
    joints[a] = joints[b];
    weights[a] = weights[b];
    joints[b] = joint;
    weights[b] = weight;
}

/* `kept` of a vertex's places, all of which have a weight, keep it; then places without one lie anywhere. */
static void thinOut(Random *random, uint32_t *joints, float *weights, uint32_t places, uint32_t kept) {
    for (uint32_t i = kept; i < places; i++) {
        joints[i] = UINT32_MAX;
        weights[i] = 0.0f;
    }
    for (uint32_t i = places - 1; i > 0; i--) {
        swapPlaces(joints, weights, i, randomBelow(random, i + 1));
    }
}

static void setInfluences(Random *random, Scene *scene, SceneKind kind, uint32_t own, uint32_t other) {
    ModelMesh *mesh = &scene->mesh;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        uint32_t *joints = mesh->joints + (size_t)v * mesh->influences;
        float *weights = mesh->weights + (size_t)v * mesh->influences;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            joints[i] = scene->used[joints[i]];
        }
        bool isOfOther = isOther(random, rowOrder(&scene->row), v, other > own);
        bool none = kind == SCENE_WILD && randomBelow(random, 50) == 0;
        thinOut(random, joints, weights, mesh->influences, none ? 0 : isOfOther ? other : own);
    }
}

/* ---- Morph targets ---- */

/* All vertices, a few, the last ones, none, and some again. */
static bool isMorphed(Random *random, uint32_t morph, uint32_t vertex) {
    switch (morph) {
    case 0:
        return true;
    case 2:
        return vertex >= SCENE_VERTICES - 70;
    case 3:
        return false;
    default:
        return randomBelow(random, 10) == 0;
    }
}

static void makeMorph(Random *random, Scene *scene, uint32_t index, bool flat) {
    ModelMorph *morph = &scene->mesh.morphs[index];
    morph->vertices = newZeros(SCENE_VERTICES, sizeof *morph->vertices);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        if (isMorphed(random, index, v)) {
            morph->vertices[morph->vertexCount++] = v;
        }
    }
    morph->positions = newDeltas(random, morph->vertexCount, MORPH_REACH);
    for (uint32_t i = 0; i < morph->vertexCount && flat; i++) {
        morph->positions[3 * i + 2] = 0.0f;
    }
    if (index != 4) { /* one target moves places alone */
        morph->normals = newDeltas(random, morph->vertexCount, MORPH_LEAN);
        morph->tangents = newDeltas(random, morph->vertexCount, MORPH_LEAN);
    }
    const RowMorphs *morphs = rowMorphs(&scene->row);
    scene->morphsAfter[index] = morphs->after && (!morphs->before || index % 2 == 0);
}

static void makeMorphs(Random *random, Scene *scene, bool flat) {
    const RowMorphs *morphs = rowMorphs(&scene->row);
    if (morphs->before || morphs->after) {
        scene->mesh.morphCount = SCENE_MORPHS;
        scene->mesh.morphs = newZeros(SCENE_MORPHS, sizeof *scene->mesh.morphs);
        for (uint32_t m = 0; m < SCENE_MORPHS; m++) {
            makeMorph(random, scene, m, flat);
        }
    }
}

/* ---- The mesh ---- */

static void flatten(ModelMesh *mesh) {
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        mesh->positions[3 * v + 2] = 0.0f;
    }
}

static void addWeightsAndCentres(Random *random, Scene *scene) {
    const ModelMesh *mesh = &scene->mesh;
    scene->mesh.blendWeights = newZeros(mesh->vertexCount, sizeof(float));
    scene->centres = newDeltas(random, mesh->vertexCount, 1.0f);
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        bool whole = randomBelow(random, 4) == 0; /* often all of the one or of the other */
        mesh->blendWeights[v] = whole ? (float)randomBelow(random, 2) : randomFloat(random, 0.0f, 1.0f);
    }
}

void makeSceneMesh(Random *random, Scene *scene, SceneKind kind) {
    const RowReading *reading = rowReadingOf(&scene->row);
    bool flat = reading->encoding == VKSKIN_PALETTE_MAT2X3;
    bool uniform = rowOrder(&scene->row) == ROW_UNIFORM;
    uint32_t own = rowInfluences(&scene->row), other = uniform ? own : rowOtherInfluences(&scene->row);
    uint32_t places = (own > other ? own : other) + randomBelow(random, 2); /* one may be left free */
    places = places < MAX_PLACES ? places : MAX_PLACES;
    RandomMeshDef def = {SCENE_VERTICES, scene->usedCount, places, places, kind != SCENE_WILD};
    scene->mesh = randomMesh(random, &def);
    scene->mesh.boneCount = reading->boneless ? 0 : rowJoints(&scene->row)->boneCount;
    setInfluences(random, scene, kind, own, other);
    makeMorphs(random, scene, flat);
    addWeightsAndCentres(random, scene);
    if (flat) {
        flatten(&scene->mesh);
    }
}

void freeSceneMesh(Scene *scene) {
    for (uint32_t m = 0; m < scene->mesh.morphCount; m++) {
        free(scene->mesh.morphs[m].vertices);
        free(scene->mesh.morphs[m].positions);
        free(scene->mesh.morphs[m].normals);
        free(scene->mesh.morphs[m].tangents);
    }
    free(scene->mesh.morphs);
    free(scene->mesh.blendWeights);
    free(scene->centres);
    randomMeshFree(&scene->mesh);
}
