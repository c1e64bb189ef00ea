/*
 * Properties of skinning that hold without a reference, by every method and palette of the table; and meshes that were
 * split, sorted, trimmed or given stored centres skin as before.
 */
#include "judge.h"

#define ALIKE  2e-6 /* positions in a box of side 2, directions: a few roundings */
#define ACROSS 1e-4 /* the cosine between a normal and its tangent: blending may shorten both */

/* ---- Scenes ---- */

/* Choices of the axis. */
#define FIVE_INFLUENCES  4u
#define EIGHT_INFLUENCES 5u

/* Float weights, 8-bit joints, float output with normals and tangents, some vertices of one influence, unsorted. False if no
 * such row of a reading exists: a mesh without bones and without morphs. */
static bool propertyRow(uint32_t reading, uint32_t influences, uint32_t morphs, Row *row) {
    *row = (Row){{(uint8_t)reading, (uint8_t)influences, VKSKIN_WEIGHTS_FLOAT, 0, VKSKIN_VERTEX_FLOAT, 3,
                  (uint8_t)morphs, ROW_UNSORTED}};
    if (rowView(row).encoding.bones == ROW_BONES_FLAT) {
        row->choices[ROW_FORMAT] = row->choices[ROW_ATTRIBUTES] = 0;
    }
    return rowExists(row);
}

/* The first instance of a scene, of a mesh that may differ from the scene's own; freed with free(). */
static ReadVertex *newDefOutput(Gpu *gpu, const Scene *scene, const VkskinMeshDef *def) {
    const RowReading *reading = scene->view.reading;
    const SceneInstance *instance = &scene->instances[0];
    const ConformInstance conform = {reading->blend, reading->encoding, instance->palette, instance->morphWeights,
                                     instance->morphWeightCount};
    VkskinMeshInfo info;
    return newConformOutput(gpu, NULL, def, &conform, 1, &info);
}

/* Fails, with the name of the row, if two vectors are farther apart. */
static void checkNear(const Scene *scene, uint32_t vertex, const double *expected, const double *found,
                      double tolerance) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        square += (expected[i] - found[i]) * (expected[i] - found[i]);
    }
    if (!(sqrt(square) <= tolerance)) {
        char text[256];
        rowText(&scene->row, text, sizeof text);
        fail_msg("%s: vertex %u is off by %g (allowed %g)", text, vertex, sqrt(square), tolerance);
    }
}

static void widen(const float *from, double to[3]) {
    for (int i = 0; i < 3; i++) {
        to[i] = from[i];
    }
}

static ReadVertex *newSceneOutput(Gpu *gpu, const Scene *scene) {
    return newDefOutput(gpu, scene, &scene->input.def);
}

/* Writes the palette of the first instance again, from its bones as they are now. */
static void rewritePalette(Scene *scene) {
    VkskinPaletteEncoding encoding = scene->view.reading->encoding;
    SceneInstance *instance = &scene->instances[0];
    for (uint32_t i = 0; i < scene->usedCount; i++) {
        size_t at = (size_t)scene->used[i] * vkskinPaletteStride(encoding);
        paletteEntry(encoding, &instance->bones[scene->used[i]], i % 2 != 0, (char *)instance->palette + at);
    }
}

/* How far the entries of a coarse palette may be off in a box of side 2, by their bits. */
static double toleranceOf(const Scene *scene) {
    const RowEncoding encoding = scene->view.encoding;
    return 5.0 * (ALIKE + encoding.turn + encoding.size + encoding.move);
}

static void checkAlike(const Scene *scene, const ReadVertex *a, const ReadVertex *b, uint32_t vertex) {
    double first[3], second[3];
    widen(a->position, first);
    widen(b->position, second);
    checkNear(scene, vertex, first, second, ALIKE);
    checkNear(scene, vertex, a->normal, b->normal, 10.0 * ALIKE);
    checkNear(scene, vertex, a->tangent, b->tangent, 10.0 * ALIKE);
}

/* Sets of readings. */
#define LINEAR      (1u << 0)
#define CENTRES     (1u << 8)
#define PLAIN       (1u << 0 | 1u << 5 | 1u << 6) /* that need no other arrays than a part has */
#define ALL_OF_THEM UINT32_MAX

/* Calls `check` for each reading of the set, on a scene of its own. */
static void forEachReading(Gpu *gpu, uint32_t readings, uint32_t influences, uint32_t morphs,
                           void (*check)(Gpu *gpu, Scene *scene)) {
    for (uint32_t r = 0; r < ROW_READINGS; r++) {
        Row row;
        Scene scene;
        bool exists = propertyRow(r, influences, morphs, &row);
        assert_true(exists || readings == ALL_OF_THEM || (readings >> r & 1u) == 0);
        if (exists && (readings >> r & 1u) != 0) {
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
        widen(scene->mesh.positions + 3 * (size_t)v, expected);
        widen(vertices[v].position, found);
        checkNear(scene, v, expected, found, ALIKE);
        if (scene->input.def.normals != NULL) {
            widen(scene->mesh.normals + 3 * (size_t)v, expected);
            checkNear(scene, v, expected, vertices[v].normal, ALIKE);
        }
    }
    free(vertices);
}

GPU_TEST(restPoseGivesTheMeshBack) {
    forEachReading(gpu, ALL_OF_THEM, FIVE_INFLUENCES, 0, checkRest);
}

/* Exact normals stay perpendicular to tangents, whatever the method. */
static void checkAcross(Gpu *gpu, Scene *scene) {
    if (scene->input.def.tangents == NULL) {
        return;
    }
    VkskinMeshDef def = scene->input.def;
    def.normalRule = VKSKIN_NORMALS_EXACT;
    ReadVertex *vertices = newDefOutput(gpu, scene, &def);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        const double *normal = vertices[v].normal, *tangent = vertices[v].tangent;
        double along = normal[0] * tangent[0] + normal[1] * tangent[1] + normal[2] * tangent[2];
        if (!(fabs(along) <= ACROSS)) {
            fail_msg("%s: vertex %u: normal and tangent are %g from a right angle", scene->view.reading->method, v,
                     along);
        }
    }
    free(vertices);
}

GPU_TEST(exactNormalsStayAcrossTangents) {
    forEachReading(gpu, ALL_OF_THEM, FIVE_INFLUENCES, 0, checkAcross);
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
        widen(before[v].position, position);
        widen(after[v].position, found);
        moveVector(&motion, position, 1.0, expected);
        checkNear(scene, v, expected, found, toleranceOf(scene));
        moveVector(&motion, before[v].normal, 0.0, expected);
        checkNear(scene, v, expected, after[v].normal, 10.0 * toleranceOf(scene)); /* blending may shorten it */
    }
    free(before);
    free(after);
}

GPU_TEST(rigidMotionMovesTheMeshRigidly) {
    forEachReading(gpu, ALL_OF_THEM, FIVE_INFLUENCES, 0, checkMotion);
}

/* Each vertex's influences in reverse order. */
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
    sceneFillInput(scene);
    ReadVertex *after = newSceneOutput(gpu, scene);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        checkAlike(scene, &before[v], &after[v], v);
    }
    free(before);
    free(after);
}

GPU_TEST(orderOfInfluencesDoesNotMatter) {
    forEachReading(gpu, ALL_OF_THEM, FIVE_INFLUENCES, 0, checkOrder);
}

/* Weights of zero and no weights give the same bits. */
static void checkZeroMorphs(Gpu *gpu, Scene *scene) {
    SceneInstance *instance = &scene->instances[0];
    memset(instance->morphWeights, 0, sizeof instance->morphWeights);
    instance->morphWeightCount = SCENE_MORPHS;
    ReadVertex *zero = newSceneOutput(gpu, scene);
    instance->morphWeightCount = 0;
    ReadVertex *none = newSceneOutput(gpu, scene);
    assert_memory_equal(zero, none, SCENE_VERTICES * sizeof *zero);
    VkskinMeshDef def = scene->input.def;
    if (def.boneCount > 0) {
        def.morphTargetCount = 0;
        ReadVertex *without = newDefOutput(gpu, scene, &def);
        for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
            checkAlike(scene, &zero[v], &without[v], v);
        }
        free(without);
    }
    free(zero);
    free(none);
}

GPU_TEST(morphsOfWeightZeroChangeNothing) {
    forEachReading(gpu, ALL_OF_THEM, FIVE_INFLUENCES, 3, checkZeroMorphs);
}

/* ---- Splitting ---- */

static uint32_t *newTriangles(uint32_t count) {
    uint32_t *indices = newZeros(3 * (size_t)count, sizeof *indices);
    for (uint32_t i = 0; i < 3 * count; i++) {
        indices[i] = i % SCENE_VERTICES;
    }
    return indices;
}

/* Some vertices of the mesh, [count], as a mesh of its own that must be sorted. joints: [count][influences], of boneCount
 * bones, whose palette is given; null: the mesh's. */
static ReadVertex *newGatheredOutput(Gpu *gpu, const Scene *scene, const uint32_t *vertices, uint32_t count,
                                     const uint32_t *joints, uint32_t boneCount, const void *palette) {
    const ModelMesh *mesh = &scene->mesh;
    size_t places = mesh->influences;
    VkskinMeshDef def = scene->input.def;
    float *positions = newZeros(count, 3 * sizeof(float));
    float *weights = newZeros(count * places, sizeof(float));
    uint32_t *gathered = newZeros(count * places, sizeof *gathered);
    for (size_t v = 0; v < count; v++) {
        memcpy(positions + 3 * v, mesh->positions + 3 * (size_t)vertices[v], 3 * sizeof(float));
        memcpy(weights + places * v, mesh->weights + places * vertices[v], places * sizeof(float));
        memcpy(gathered + places * v, joints != NULL ? joints + places * v : mesh->joints + places * vertices[v],
               places * sizeof *gathered);
    }
    def.vertexCount = count;
    def.boneCount = boneCount;
    def.positions = positions;
    def.normals = def.tangents = NULL;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = gathered;
    def.weights = weights;
    const RowReading *reading = scene->view.reading;
    const ConformInstance instance = {reading->blend, reading->encoding, palette, NULL, 0};
    VkskinMeshInfo info;
    ReadVertex *output = newConformOutput(gpu, NULL, &def, &instance, 1, &info);
    assert_true(info.sorted);
    free(positions);
    free(weights);
    free(gathered);
    return output;
}

/* The vertices of a part, with a palette of its bones. */
static ReadVertex *newPartOutput(Gpu *gpu, const Scene *scene, const VkskinSplitPart *part) {
    size_t stride = vkskinPaletteStride(scene->view.reading->encoding);
    char *palette = newZeros(part->boneCount, stride);
    for (size_t b = 0; b < part->boneCount; b++) {
        memcpy(palette + b * stride, (char *)scene->instances[0].palette + part->bones[b] * stride, stride);
    }
    ReadVertex *output =
        newGatheredOutput(gpu, scene, part->vertices, part->vertexCount, part->joints, part->boneCount, palette);
    free(palette);
    return output;
}

static void checkParts(Gpu *gpu, Scene *scene) {
    enum { TRIANGLES = 200, MAX_BONES = 25 };
    uint32_t *indices = newTriangles(TRIANGLES);
    VkskinMeshDef source = scene->input.def;
    source.indexCount = 3 * TRIANGLES;
    source.indices = indices;
    VkskinSplit split;
    assert_int_equal(vkskinSplitMesh(&source, MAX_BONES, NULL, &split), VKSKIN_SUCCESS);
    ReadVertex *whole = newDefOutput(gpu, scene, &scene->input.def);
    bool met[SCENE_VERTICES] = {false};
    assert_true(vkskinGetSplitPartCount(split) > 1);
    for (uint32_t p = 0; p < vkskinGetSplitPartCount(split); p++) {
        VkskinSplitPart part;
        assert_int_equal(vkskinGetSplitPart(split, p, &part), VKSKIN_SUCCESS);
        assert_true(part.boneCount <= MAX_BONES);
        ReadVertex *vertices = newPartOutput(gpu, scene, &part);
        for (uint32_t v = 0; v < part.vertexCount; v++) {
            double first[3], second[3];
            widen(whole[part.vertices[v]].position, first);
            widen(vertices[v].position, second);
            checkNear(scene, part.vertices[v], first, second, ALIKE);
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

GPU_TEST(splittingChangesNothing) {
    forEachReading(gpu, PLAIN, FIVE_INFLUENCES, 0, checkParts);
}

/* ---- Order, centres, trimming ---- */

static void checkSorted(Gpu *gpu, Scene *scene) {
    uint32_t order[SCENE_VERTICES];
    assert_int_equal(vkskinSortVertices(&scene->input.def, NULL, order), VKSKIN_SUCCESS);
    ReadVertex *before = newSceneOutput(gpu, scene);
    ReadVertex *after =
        newGatheredOutput(gpu, scene, order, SCENE_VERTICES, NULL, scene->mesh.boneCount, scene->instances[0].palette);
    bool met[SCENE_VERTICES] = {false};
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        assert_false(met[order[v]]);
        met[order[v]] = true;
        assert_memory_equal(after[v].position, before[order[v]].position, sizeof after[v].position);
    }
    free(before);
    free(after);
}

/* vkskinSortVertices returns an order in which the mesh needs no table, and no vertex comes out elsewhere. */
GPU_TEST(sortedVerticesComeOutTheSame) {
    forEachReading(gpu, LINEAR, FIVE_INFLUENCES, 0, checkSorted);
}

static void checkStoredCentres(Gpu *gpu, Scene *scene) {
    enum { TRIANGLES = 200 };
    uint32_t *indices = newTriangles(TRIANGLES);
    VkskinMeshDef def = scene->input.def;
    def.indexCount = 3 * TRIANGLES;
    def.indices = indices;
    size_t size = vkskinCentresSize(SCENE_VERTICES);
    char *written = newZeros(1, size), *read = newZeros(1, size);
    assert_int_equal(vkskinComputeCentres(&def, NULL, written, size), VKSKIN_SUCCESS);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(written, 1, size, file), size);
    rewind(file);
    assert_int_equal(fread(read, 1, size, file), size);
    fclose(file);
    def.centres = written;
    ReadVertex *before = newDefOutput(gpu, scene, &def);
    def.centres = read;
    ReadVertex *after = newDefOutput(gpu, scene, &def);
    assert_memory_equal(before, after, SCENE_VERTICES * sizeof *before);
    ReadVertex *others = newSceneOutput(gpu, scene); /* other centres: other vertices */
    assert_memory_not_equal(before, others, SCENE_VERTICES * sizeof *before);
    free(before);
    free(after);
    free(others);
    free(written);
    free(read);
    free(indices);
}

/* What vkskinComputeCentres wrote is written to a file, read back and accepted. */
GPU_TEST(centresGoThroughStorage) {
    forEachReading(gpu, CENTRES, FIVE_INFLUENCES, 0, checkStoredCentres);
}

/* Compared with the reference that trims alike, and with all influences within VkskinMeshInfo.weightError. */
static void checkTrimmed(Gpu *gpu, Scene *scene, uint32_t maxInfluences, float minWeight) {
    const RowReading *reading = scene->view.reading;
    const SceneInstance *instance = &scene->instances[0];
    const ConformInstance conform = {reading->blend, reading->encoding, instance->palette, NULL, 0};
    ReferenceDef how = sceneReference(scene, 0);
    VkskinMeshInfo info;
    ConformWorst worst = {.compared = 0};
    RowResult result = {.good = true};
    char label[128];
    scene->input.def.maxInfluences = how.maxInfluences = maxInfluences;
    scene->input.def.minWeight = how.minWeight = minWeight;
    ReadVertex *vertices = newConformOutput(gpu, NULL, &scene->input.def, &conform, 1, &info);
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

static void checkAllTrims(Gpu *gpu, Scene *scene) {
    for (uint32_t most = 1; most <= 5; most++) {
        checkTrimmed(gpu, scene, most, 0.0f);
    }
    checkTrimmed(gpu, scene, 0, 0.1f);
}

GPU_TEST(trimmingKeepsTheLargest) {
    forEachReading(gpu, PLAIN, EIGHT_INFLUENCES, 0, checkAllTrims);
}
