#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference.h"
#include "scene_bone.h"
#include "scene_mesh.h"

#define USED_BONES   40u
#define CENTRES_HEAD 32u /* bytes, as vkskin_mesh.h tells */

/* ---- Bones ---- */

/* Distinct ones, the first and the last of the mesh's among them. */
static void chooseBones(Random *random, Scene *scene) {
    uint32_t all = rowJoints(&scene->row)->boneCount;
    scene->usedCount = all < USED_BONES ? all : USED_BONES;
    scene->used = newZeros(scene->usedCount, sizeof *scene->used);
    for (uint32_t i = 0; i < scene->usedCount; i++) { /* one from each of as many stretches */
        uint32_t first = (uint32_t)((uint64_t)all * i / scene->usedCount);
        uint32_t next = (uint32_t)((uint64_t)all * (i + 1) / scene->usedCount);
        scene->used[i] = i == 0 ? 0 : i + 1 == scene->usedCount ? all - 1 : first + randomBelow(random, next - first);
    }
}

static void makeInstance(Random *random, const Scene *scene, SceneKind kind, bool meshFar, SceneInstance *instance) {
    VkskinPaletteEncoding encoding = rowReadingOf(&scene->row)->encoding;
    size_t stride = vkskinPaletteStride(encoding), all = rowJoints(&scene->row)->boneCount;
    instance->bones = newZeros(all, sizeof *instance->bones);
    instance->held = newZeros(all, sizeof *instance->held);
    instance->palette = newZeros(all, stride);
    memset(instance->palette, 0xff, all * stride); /* NaN in floats and in halves; of snorm16 the translation */
    for (uint32_t i = 0; i < scene->usedCount; i++) {
        uint32_t b = scene->used[i];
        void *entry = (char *)instance->palette + b * stride;
        ReferenceMatrix bone = sceneBone(random, encoding, kind);
        instance->bones[b] = sceneBoneMoved(&bone, scene->distance, meshFar);
        paletteEntry(encoding, &instance->bones[b], randomBelow(random, 2) == 0, entry);
        instance->held[b] = paletteEntryMatrix(encoding, entry);
    }
}

static void makeMorphWeights(Random *random, const Scene *scene, uint32_t index, SceneInstance *instance) {
    instance->morphWeightCount = scene->mesh.morphCount >> index; /* the second instance names fewer of them */
    for (uint32_t m = 0; m < instance->morphWeightCount; m++) {
        instance->morphWeights[m] = m % 3 == 1 ? 0.0f : randomFloat(random, -1.0f, 1.0f);
    }
}

/* ---- The def ---- */

static void fillJoints(Scene *scene) {
    const ModelMesh *mesh = &scene->mesh;
    size_t count = (size_t)mesh->vertexCount * mesh->influences;
    VkskinJointFormat format = rowJoints(&scene->row)->format;
    scene->joints = newZeros(count, sizeof(uint32_t));
    for (size_t i = 0; i < count; i++) {
        if (format == VKSKIN_JOINTS_U8) {
            ((uint8_t *)scene->joints)[i] = (uint8_t)mesh->joints[i];
        } else if (format == VKSKIN_JOINTS_U16) {
            ((uint16_t *)scene->joints)[i] = (uint16_t)mesh->joints[i];
        } else {
            ((uint32_t *)scene->joints)[i] = mesh->joints[i];
        }
    }
    scene->def.jointFormat = format;
    scene->def.joints = scene->joints;
}

static void fillTarget(Scene *scene, uint32_t m, bool flat) {
    const ModelMorph *morph = &scene->mesh.morphs[m];
    scene->flatDeltas[m] = newZeros(morph->vertexCount, 2 * sizeof(float));
    for (size_t i = 0; i < morph->vertexCount; i++) {
        scene->flatDeltas[m][2 * i] = morph->positions[3 * i];
        scene->flatDeltas[m][2 * i + 1] = morph->positions[3 * i + 1];
    }
    scene->targets[m] = (VkskinMorphTarget){
        .vertexCount = morph->vertexCount,
        .vertices = morph->vertexCount == SCENE_VERTICES ? NULL : morph->vertices,
        .positions = flat ? scene->flatDeltas[m] : morph->positions,
        .normals = flat ? NULL : morph->normals,
        .tangents = flat ? NULL : morph->tangents,
        .afterSkinning = scene->morphsAfter[m],
    };
}

/* Centres that nothing computed, in the place of those that the library did: a kernel must take what it is given. */
static void storeCentres(Scene *scene) {
    static const uint32_t triangle[3] = {0, 1, 2};
    const VkskinMeshDef *def = &scene->def;
    VkskinSurfaceDef surface = vkskinDefaultSurfaceDef();
    surface.vertexCount = def->vertexCount;
    surface.boneCount = def->boneCount;
    surface.positions = def->positions;
    surface.influencesPerVertex = def->influencesPerVertex;
    surface.jointFormat = def->jointFormat;
    surface.joints = def->joints;
    surface.weights = def->weights;
    surface.indexCount = 3;
    surface.indices = triangle;
    size_t size = vkskinCentresSize(def->vertexCount);
    scene->storedCentres = newZeros(1, size);
    assert_int_equal(vkskinComputeCentres(&surface, scene->storedCentres, size), VKSKIN_SUCCESS);
    memcpy((char *)scene->storedCentres + CENTRES_HEAD, scene->centres, (size_t)def->vertexCount * 12);
    scene->def.centres = scene->storedCentres;
    scene->def.centresSize = size;
}

static void freeDef(Scene *scene) {
    free(scene->joints);
    free(scene->storedCentres);
    for (uint32_t m = 0; m < SCENE_MORPHS; m++) {
        free(scene->flatDeltas[m]);
        scene->flatDeltas[m] = NULL;
    }
    scene->joints = NULL;
    scene->storedCentres = NULL;
}

void sceneFillDef(Scene *scene) {
    const ModelMesh *mesh = &scene->mesh;
    const RowReading *reading = rowReadingOf(&scene->row);
    const RowAttributes *attributes = rowAttributes(&scene->row);
    bool flat = reading->encoding == VKSKIN_PALETTE_MAT2X3;
    freeDef(scene);
    VkskinMeshDef *def = &scene->def;
    *def = vkskinDefaultMeshDef();
    def->name = "conformance";
    def->vertexCount = mesh->vertexCount;
    def->boneCount = mesh->boneCount;
    def->dimensions = flat ? 2 : 3;
    def->positions = mesh->positions;
    def->positionStride = 12; /* a flat mesh steps over z */
    def->normals = attributes->normals ? mesh->normals : NULL;
    def->tangents = attributes->tangents ? mesh->tangents : NULL;
    def->influencesPerVertex = mesh->influences;
    def->weights = mesh->weights;
    def->weightFormat = rowWeights(&scene->row);
    def->unweightedBone = mesh->boneCount > 0 ? scene->used[0] : VKSKIN_NO_BONE;
    def->format = rowFormat(&scene->row);
    def->normalRule = attributes->rule;
    def->morphTargets = scene->targets;
    def->morphTargetCount = mesh->morphCount;
    fillJoints(scene);
    for (uint32_t m = 0; m < mesh->morphCount; m++) {
        fillTarget(scene, m, flat);
    }
    if (reading->blend == VKSKIN_METHOD_PAINTED_BLEND) {
        def->blendWeights = mesh->blendWeights;
    }
    if (reading->blend == VKSKIN_METHOD_CENTRES_OF_ROTATION) {
        storeCentres(scene);
    }
}

/* ---- The scene ---- */

static void moveMesh(Scene *scene) {
    for (uint32_t v = 0; v < scene->mesh.vertexCount; v++) {
        scene->mesh.positions[3 * (size_t)v] += scene->distance;
        scene->centres[3 * (size_t)v] += scene->distance;
    }
}

void makeScene(Scene *scene, const Row *row, SceneKind kind, uint64_t seed) {
    Random random = {seed};
    memset(scene, 0, sizeof *scene);
    scene->row = *row;
    bool far = kind == SCENE_FAR || (kind == SCENE_WILD && randomBelow(&random, 3) == 0);
    scene->distance = far ? SCENE_FAR_UNITS : 0.0f;
    bool meshFar = seed % 2 != 0;
    chooseBones(&random, scene);
    makeSceneMesh(&random, scene, kind);
    if (meshFar) {
        moveMesh(scene);
    }
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        makeInstance(&random, scene, kind, meshFar, &scene->instances[i]);
        makeMorphWeights(&random, scene, i, &scene->instances[i]);
    }
    sceneFillDef(scene);
}

void freeScene(Scene *scene) {
    freeDef(scene);
    freeSceneMesh(scene);
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        free(scene->instances[i].bones);
        free(scene->instances[i].held);
        free(scene->instances[i].palette);
    }
    free(scene->used);
}

ReferenceDef sceneReference(const Scene *scene, uint32_t instance) {
    return (ReferenceDef){
        .method = rowReadingOf(&scene->row)->blend,
        .exactNormals = rowAttributes(&scene->row)->rule == VKSKIN_NORMALS_EXACT,
        .unweightedBone = scene->used[0],
        .centres = scene->centres,
        .morphWeights = scene->instances[instance].morphWeights,
        .morphsAfter = scene->morphsAfter,
    };
}
