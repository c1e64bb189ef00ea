/*
 * Meshes that were split, sorted, trimmed or given stored centres skin as they did before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property.h"
#include "scene_mesh.h"

/* ---- Splitting ---- */

static uint32_t *newTriangles(uint32_t count) {
    uint32_t *indices = newZeros(3 * (size_t)count, sizeof *indices);
    for (uint32_t i = 0; i < 3 * count; i++) {
        indices[i] = i % SCENE_VERTICES;
    }
    return indices;
}

static VkskinMeshDef surfaceOf(const Scene *scene, const uint32_t *indices, uint32_t triangles) {
    VkskinMeshDef surface = scene->def;
    surface.indexCount = 3 * triangles;
    surface.indices = indices;
    return surface;
}

/* The vertices of a part, and the bones that it has a place for. */
static ReadVertex *newPartOutput(Gpu *gpu, const Scene *scene, const VkskinSplitPart *part) {
    const ModelMesh *mesh = &scene->mesh;
    const RowReading *reading = rowReadingOf(&scene->row);
    size_t places = mesh->influences, stride = vkskinPaletteStride(reading->encoding);
    VkskinMeshDef def = scene->def;
    float *positions = newZeros(part->vertexCount, 3 * sizeof(float));
    float *weights = newZeros(part->vertexCount * places, sizeof(float));
    char *palette = newZeros(part->boneCount, stride);
    for (size_t v = 0; v < part->vertexCount; v++) {
        memcpy(positions + 3 * v, mesh->positions + 3 * (size_t)part->vertices[v], 3 * sizeof(float));
        memcpy(weights + places * v, mesh->weights + places * part->vertices[v], places * sizeof(float));
    }
    for (size_t b = 0; b < part->boneCount; b++) {
        memcpy(palette + b * stride, (char *)scene->instances[0].palette + part->bones[b] * stride, stride);
    }
    def.vertexCount = part->vertexCount;
    def.boneCount = part->boneCount;
    def.positions = positions;
    def.normals = def.tangents = NULL;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = part->joints;
    def.weights = weights;
    const ConformInstance instance = {reading->blend, reading->encoding, palette, NULL, 0};
    VkskinMeshInfo info;
    ReadVertex *vertices = newConformOutput(gpu, NULL, &def, &instance, 1, &info);
    assert_true(info.sorted);
    free(positions);
    free(weights);
    free(palette);
    return vertices;
}

static void checkParts(Gpu *gpu, Scene *scene) {
    enum { TRIANGLES = 200, MAX_BONES = 25 };
    uint32_t *indices = newTriangles(TRIANGLES);
    VkskinMeshDef surface = surfaceOf(scene, indices, TRIANGLES);
    VkskinSplit split;
    assert_int_equal(vkskinSplitMesh(&surface, MAX_BONES, NULL, &split), VKSKIN_SUCCESS);
    ReadVertex *whole = newPropertyOutput(gpu, scene, &scene->def);
    bool met[SCENE_VERTICES] = {false};
    assert_true(vkskinGetSplitPartCount(split) > 1);
    for (uint32_t p = 0; p < vkskinGetSplitPartCount(split); p++) {
        VkskinSplitPart part;
        assert_int_equal(vkskinGetSplitPart(split, p, &part), VKSKIN_SUCCESS);
        assert_true(part.boneCount <= MAX_BONES);
        ReadVertex *vertices = newPartOutput(gpu, scene, &part);
        for (uint32_t v = 0; v < part.vertexCount; v++) {
            double first[3], second[3];
            propertyWiden(whole[part.vertices[v]].position, first);
            propertyWiden(vertices[v].position, second);
            propertyNear(scene, part.vertices[v], first, second, PROPERTY_ALIKE);
            met[part.vertices[v]] = true;
        }
        free(vertices);
    }
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        assert_true(met[v]);
    }
    vkskinDestroySplit(split);
    free(whole);
    free(indices);
}

static void splittingChangesNothing(void **state) {
    static const uint32_t split[] = {0, 5, 6}; /* readings that need no more than a part has */
    for (uint32_t i = 0; i < 3; i++) {
        Row row;
        Scene scene;
        assert_true(propertyRow(split[i], 0, &row));
        makeScene(&scene, &row, SCENE_TAME, 200 + i);
        checkParts(*state, &scene);
        freeScene(&scene);
    }
}

/* ---- Order, centres, trimming ---- */

/* vkskinSortVertices tells an order in which the mesh needs no table, and moves no vertex elsewhere. */
static void sortedVerticesComeOutTheSame(void **state) {
    Row row;
    Scene scene;
    VkskinMeshInfo info;
    uint32_t order[SCENE_VERTICES];
    float positions[SCENE_VERTICES][3];
    assert_true(propertyRow(0, 0, &row));
    makeScene(&scene, &row, SCENE_TAME, 300);
    VkskinMeshDef surface = surfaceOf(&scene, NULL, 0);
    assert_int_equal(vkskinSortVertices(&surface, NULL, order), VKSKIN_SUCCESS);
    ReadVertex *before = newPropertyOutput(*state, &scene, &scene.def);
    VkskinMeshDef def = scene.def;
    size_t places = scene.mesh.influences;
    uint8_t *joints = newZeros(SCENE_VERTICES, places);
    float *weights = newZeros(SCENE_VERTICES, places * sizeof(float));
    for (size_t v = 0; v < SCENE_VERTICES; v++) {
        memcpy(positions[v], scene.mesh.positions + 3 * (size_t)order[v], sizeof positions[v]);
        memcpy(joints + places * v, (uint8_t *)scene.joints + places * order[v], places);
        memcpy(weights + places * v, scene.mesh.weights + places * order[v], places * sizeof(float));
    }
    def.positions = positions[0];
    def.normals = def.tangents = NULL;
    def.joints = joints;
    def.weights = weights;
    const ConformInstance instance = {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4, scene.instances[0].palette,
                                      NULL, 0};
    ReadVertex *after = newConformOutput(*state, NULL, &def, &instance, 1, &info);
    assert_true(info.sorted);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        assert_memory_equal(after[v].position, before[order[v]].position, sizeof after[v].position);
    }
    free(before);
    free(after);
    free(joints);
    free(weights);
    freeScene(&scene);
}

/* What vkskinComputeCentres wrote goes through a file and is taken as if it had never left. */
static void centresGoThroughStorage(void **state) {
    enum { TRIANGLES = 200, READING = 8 };
    Row row;
    Scene scene;
    assert_true(propertyRow(READING, 0, &row));
    makeScene(&scene, &row, SCENE_TAME, 400);
    uint32_t *indices = newTriangles(TRIANGLES);
    VkskinMeshDef surface = surfaceOf(&scene, indices, TRIANGLES);
    size_t size = vkskinCentresSize(SCENE_VERTICES);
    char *written = newZeros(1, size), *read = newZeros(1, size);
    assert_int_equal(vkskinComputeCentres(&surface, NULL, written, size), VKSKIN_SUCCESS);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(written, 1, size, file), size);
    rewind(file);
    assert_int_equal(fread(read, 1, size, file), size);
    fclose(file);
    VkskinMeshDef def = scene.def;
    def.centres = written;
    ReadVertex *before = newPropertyOutput(*state, &scene, &def);
    def.centres = read;
    ReadVertex *after = newPropertyOutput(*state, &scene, &def);
    assert_memory_equal(before, after, SCENE_VERTICES * sizeof *before);
    ReadVertex *others = newPropertyOutput(*state, &scene, &scene.def); /* about other centres: not the same */
    assert_memory_not_equal(before, others, SCENE_VERTICES * sizeof *before);
    free(before);
    free(after);
    free(others);
    free(written);
    free(read);
    free(indices);
    freeScene(&scene);
}

/* Held against the reference that trims alike; and no farther from all influences than VkskinMeshInfo tells. */
static void checkTrimmed(Gpu *gpu, Scene *scene, uint32_t maxInfluences, float minWeight) {
    const RowReading *reading = rowReadingOf(&scene->row);
    const SceneInstance *instance = &scene->instances[0];
    const ConformInstance conform = {reading->blend, reading->encoding, instance->palette, NULL, 0};
    ReferenceDef how = sceneReference(scene, 0);
    VkskinMeshInfo info;
    ConformWorst worst = {.compared = 0};
    RowResult result = {.good = true};
    char label[128];
    scene->def.maxInfluences = how.maxInfluences = maxInfluences;
    scene->def.minWeight = how.minWeight = minWeight;
    ReadVertex *vertices = newConformOutput(gpu, NULL, &scene->def, &conform, 1, &info);
    ReferenceVertex *expected = newReferenceVertices(&scene->mesh, instance->bones, &how);
    conformCompare(expected, vertices, &info, &worst);
    snprintf(label, sizeof label, "%s, at most %u influences of at least %g", reading->method, maxInfluences,
             (double)minWeight);
    conformCheckWorst(label, &worst, info.format);
    assert_true(info.trimmedVertices > 0 && info.weightError > 0.0f);
    judgeInstance(scene, 0, true, vertices, &info, &worst, &result);
    if (!result.good) {
        fail_msg("%s: %s", label, result.why);
    }
    free(expected);
    free(vertices);
}

static void trimmingKeepsTheLargest(void **state) {
    static const uint32_t trimmed[] = {0, 5, 6};
    for (uint32_t i = 0; i < 3; i++) {
        Row row;
        Scene scene;
        assert_true(propertyRow(trimmed[i], 0, &row));
        row.choices[ROW_INFLUENCES] = 5; /* 8 */
        makeScene(&scene, &row, SCENE_TAME, 500 + i);
        for (uint32_t most = 1; most <= 5; most++) {
            checkTrimmed(*state, &scene, most, 0.0f);
        }
        checkTrimmed(*state, &scene, 0, 0.1f);
        freeScene(&scene);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        GPU_TEST(splittingChangesNothing),
        GPU_TEST(sortedVerticesComeOutTheSame),
        GPU_TEST(centresGoThroughStorage),
        GPU_TEST(trimmingKeepsTheLargest),
    };
    return gpuRunTests("prepared meshes", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
