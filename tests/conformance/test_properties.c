/*
 * What must hold whatever the reference says: properties of skinning, by every method and palette that the table has.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "property.h"

#define ACROSS 1e-4 /* the cosine between a normal and its tangent: blending may shorten both */

/* ---- Scenes ---- */

static ReadVertex *newSceneOutput(Gpu *gpu, const Scene *scene) {
    return newPropertyOutput(gpu, scene, &scene->def);
}

/* Writes the palette of the first instance anew, of its bones as they are now. */
static void rewritePalette(Scene *scene) {
    VkskinPaletteEncoding encoding = rowReadingOf(&scene->row)->encoding;
    SceneInstance *instance = &scene->instances[0];
    for (uint32_t i = 0; i < scene->usedCount; i++) {
        size_t at = (size_t)scene->used[i] * vkskinPaletteStride(encoding);
        paletteEntry(encoding, &instance->bones[scene->used[i]], i % 2 != 0, (char *)instance->palette + at);
    }
}

/* How far what a coarse palette holds may be off, in a box of side 2: its bits. */
static double toleranceOf(const Scene *scene) {
    switch (rowReadingOf(&scene->row)->encoding) {
    case VKSKIN_PALETTE_QUATERNION_HALF:
        return 1e-2;
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        return 3e-4;
    default:
        return 5.0 * PROPERTY_ALIKE;
    }
}

static void checkAlike(const Scene *scene, const ReadVertex *a, const ReadVertex *b, uint32_t vertex) {
    double first[3], second[3];
    propertyWiden(a->position, first);
    propertyWiden(b->position, second);
    propertyNear(scene, vertex, first, second, PROPERTY_ALIKE);
    propertyNear(scene, vertex, a->normal, b->normal, 10.0 * PROPERTY_ALIKE);
    propertyNear(scene, vertex, a->tangent, b->tangent, 10.0 * PROPERTY_ALIKE);
}

/* Calls `check` for each reading, on a scene of its own. */
static void forEachReading(Gpu *gpu, uint32_t morphs, void (*check)(Gpu *gpu, Scene *scene)) {
    for (uint32_t r = 0; r < ROW_READINGS; r++) {
        Row row;
        Scene scene;
        if (propertyRow(r, morphs, &row)) {
            makeScene(&scene, &row, SCENE_TAME, 100 + r);
            check(gpu, &scene);
            freeScene(&scene);
        }
    }
}

/* ---- Properties ---- */

static void checkRest(Gpu *gpu, Scene *scene) {
    static const ReferenceMatrix still = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (uint32_t i = 0; i < scene->usedCount; i++) {
        scene->instances[0].bones[scene->used[i]] = still;
    }
    rewritePalette(scene);
    ReadVertex *vertices = newSceneOutput(gpu, scene);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        double expected[3], found[3];
        propertyWiden(scene->mesh.positions + 3 * (size_t)v, expected);
        propertyWiden(vertices[v].position, found);
        propertyNear(scene, v, expected, found, PROPERTY_ALIKE);
        if (scene->def.normals != NULL) {
            propertyWiden(scene->mesh.normals + 3 * (size_t)v, expected);
            propertyNear(scene, v, expected, vertices[v].normal, PROPERTY_ALIKE);
        }
    }
    free(vertices);
}

static void restPoseGivesTheMeshBack(void **state) {
    forEachReading(*state, 0, checkRest);
}

/* Normals by the exact rule stay across what goes through the map itself, whatever method blended it. */
static void checkAcross(Gpu *gpu, Scene *scene) {
    if (scene->def.tangents == NULL) {
        return;
    }
    VkskinMeshDef def = scene->def;
    def.normalRule = VKSKIN_NORMALS_EXACT;
    ReadVertex *vertices = newPropertyOutput(gpu, scene, &def);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        const double *normal = vertices[v].normal, *tangent = vertices[v].tangent;
        double along = normal[0] * tangent[0] + normal[1] * tangent[1] + normal[2] * tangent[2];
        if (!(fabs(along) <= ACROSS)) {
            fail_msg("%s: vertex %u: normal and tangent are %g from a right angle", rowReadingOf(&scene->row)->method,
                     v, along);
        }
    }
    free(vertices);
}

static void exactNormalsStayAcrossTangents(void **state) {
    forEachReading(*state, 0, checkAcross);
}

static void moveVector(const ReferenceMatrix *motion, const double *v, double moved, double out[3]) {
    for (int r = 0; r < 3; r++) {
        out[r] = motion->m[r][0] * v[0] + motion->m[r][1] * v[1] + motion->m[r][2] * v[2] + moved * motion->m[r][3];
    }
}

/* About z, so that a flat mesh stays flat, and along x and y. */
static void checkMotion(Gpu *gpu, Scene *scene) {
    static const double move[3] = {0.3, -0.7, 0}, turn[4] = {0, 0, 0.6, 0.8}, noScale[3] = {1, 1, 1};
    ReferenceMatrix motion = referenceCompose(move, turn, noScale);
    ReadVertex *before = newSceneOutput(gpu, scene);
    for (uint32_t i = 0; i < scene->usedCount; i++) {
        ReferenceMatrix *bone = &scene->instances[0].bones[scene->used[i]];
        *bone = referenceMultiply(&motion, bone);
    }
    rewritePalette(scene);
    ReadVertex *after = newSceneOutput(gpu, scene);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        double position[3], expected[3], found[3];
        propertyWiden(before[v].position, position);
        propertyWiden(after[v].position, found);
        moveVector(&motion, position, 1.0, expected);
        propertyNear(scene, v, expected, found, toleranceOf(scene));
        moveVector(&motion, before[v].normal, 0.0, expected);
        propertyNear(scene, v, expected, after[v].normal, 10.0 * toleranceOf(scene)); /* blending may shorten it */
    }
    free(before);
    free(after);
}

static void rigidMotionMovesTheMeshRigidly(void **state) {
    forEachReading(*state, 0, checkMotion);
}

/* Each vertex's influences the other way round. */
static void checkOrder(Gpu *gpu, Scene *scene) {
    ModelMesh *mesh = &scene->mesh;
    ReadVertex *before = newSceneOutput(gpu, scene);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        for (uint32_t i = 0; i < mesh->influences / 2; i++) {
            size_t a = (size_t)v * mesh->influences + i, b = ((size_t)v + 1) * mesh->influences - 1 - i;
            uint32_t joint = mesh->joints[a];
            float weight = mesh->weights[a];
            mesh->joints[a] = mesh->joints[b];
            mesh->weights[a] = mesh->weights[b];
            mesh->joints[b] = joint;
            mesh->weights[b] = weight;
        }
    }
    sceneFillDef(scene);
    ReadVertex *after = newSceneOutput(gpu, scene);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        checkAlike(scene, &before[v], &after[v], v);
    }
    free(before);
    free(after);
}

static void orderOfInfluencesDoesNotMatter(void **state) {
    forEachReading(*state, 0, checkOrder);
}

/* Weights that are zero, and none at all, are one: to the last bit. */
static void checkZeroMorphs(Gpu *gpu, Scene *scene) {
    SceneInstance *instance = &scene->instances[0];
    memset(instance->morphWeights, 0, sizeof instance->morphWeights);
    instance->morphWeightCount = SCENE_MORPHS;
    ReadVertex *zero = newSceneOutput(gpu, scene);
    instance->morphWeightCount = 0;
    ReadVertex *none = newSceneOutput(gpu, scene);
    assert_memory_equal(zero, none, SCENE_VERTICES * sizeof *zero);
    VkskinMeshDef def = scene->def;
    if (def.boneCount > 0) {
        def.morphTargetCount = 0;
        ReadVertex *without = newPropertyOutput(gpu, scene, &def);
        for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
            checkAlike(scene, &zero[v], &without[v], v);
        }
        free(without);
    }
    free(zero);
    free(none);
}

static void morphsOfWeightZeroChangeNothing(void **state) {
    forEachReading(*state, 3, checkZeroMorphs);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(restPoseGivesTheMeshBack),        GPU_TEST(exactNormalsStayAcrossTangents),
        GPU_TEST(rigidMotionMovesTheMeshRigidly),  GPU_TEST(orderOfInfluencesDoesNotMatter),
        GPU_TEST(morphsOfWeightZeroChangeNothing),
    };
    return gpuRunTests("properties of skinning", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
