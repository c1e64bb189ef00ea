/*
 * Levels of detail: what they keep of a mesh, that borders and seams stay closed, and that their errors hold between keys.
 * The model is a closed tube of two meshes with a common border. A seam of texture coordinates runs along it; a morph target
 * widens the upper half; a clip bends it.
 */
#include "import_support.h"
#include "lod_error.h"
#include "model_bounds.h"
#include "model_levels.h"
#include "model_lods.h"
#include "model_mesh.h"
#include "model_pose.h"
#include "surface.h"

#include <math.h>
#include <string.h>

#define RINGS   24u /* rings of a half */
#define COLUMNS 33u /* columns of a ring: the last one is at the place of the first */
#define BONES   5u
#define KEYS    9u
#define HEIGHT  4.0f
#define TURN    6.2831853f

/* ---- The tube ---- */

static void setVertex(ModelMesh *mesh, uint32_t half, uint32_t ring, uint32_t column) {
    const size_t v = (size_t)ring * COLUMNS + column;
    const float along = ((float)(half * RINGS + ring)) / (float)(2 * RINGS); /* 0 to 1 */
    const float angle = TURN * (float)(column % (COLUMNS - 1)) / (float)(COLUMNS - 1);
    const bool end = (half == 0 && ring == 0) || (half == 1 && ring == RINGS);
    const float radius = end ? 0.0f : 0.4f + 0.05f * sinf(9.0f * along) * cosf(2.0f * angle);
    const float place = along * (float)(BONES - 1);
    const uint32_t bone = place < (float)(BONES - 1) ? (uint32_t)place : BONES - 2;
    const float values[] = {radius * cosf(angle) + 0.0f, HEIGHT * along, radius * sinf(angle) + 0.0f}; /* no -0 */
    const float normal[] = {cosf(angle), 0.0f, sinf(angle)};
    memcpy(mesh->positions + 3 * v, values, sizeof values);
    memcpy(mesh->normals + 3 * v, normal, sizeof normal);
    mesh->texcoords[2 * v] = (float)column / (float)(COLUMNS - 1);
    mesh->texcoords[2 * v + 1] = along;
    /* The seam has its influences in another order: equal weights must not part it. */
    const bool swapped = column == COLUMNS - 1;
    mesh->joints[2 * v + swapped] = bone;
    mesh->joints[2 * v + !swapped] = bone + 1;
    mesh->weights[2 * v + !swapped] = place - (float)bone;
    mesh->weights[2 * v + swapped] = 1.0f - (place - (float)bone);
}

static void addMorph(ModelMesh *mesh) {
    ModelMorph *morph = mesh->morphs = calloc(1, sizeof *morph);
    mesh->morphCount = 1;
    *morph = (ModelMorph){.name = strdup("wide"), .vertexCount = mesh->vertexCount};
    morph->vertices = malloc(mesh->vertexCount * sizeof(uint32_t));
    morph->positions = malloc(mesh->vertexCount * 3 * sizeof(float));
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        morph->vertices[v] = v;
        for (size_t axis = 0; axis < 3; axis++) {
            morph->positions[3 * v + axis] = axis == 1 ? 0.0f : 0.5f * mesh->positions[3 * (size_t)v + axis];
        }
    }
}

static void addMesh(Model *model, uint32_t half) {
    ModelMesh *mesh = &model->meshes[half];
    const uint32_t vertices = (RINGS + 1) * COLUMNS;
    *mesh = (ModelMesh){.name = strdup(half ? "upper" : "lower"), .vertexCount = vertices, .influences = 2};
    mesh->boneCount = BONES;
    mesh->positions = calloc(vertices, 3 * sizeof(float));
    mesh->normals = calloc(vertices, 3 * sizeof(float));
    mesh->texcoords = calloc(vertices, 2 * sizeof(float));
    mesh->joints = calloc(vertices, 2 * sizeof(uint32_t));
    mesh->weights = calloc(vertices, 2 * sizeof(float));
    mesh->indices = calloc((size_t)6 * RINGS * COLUMNS, sizeof(uint32_t));
    for (uint32_t ring = 0; ring <= RINGS; ring++) {
        for (uint32_t column = 0; column < COLUMNS; column++) {
            setVertex(mesh, half, ring, column);
            if (ring < RINGS && column + 1 < COLUMNS) {
                const uint32_t v = ring * COLUMNS + column;
                const uint32_t corners[] = {v, v + COLUMNS, v + 1, v + 1, v + COLUMNS, v + COLUMNS + 1};
                memcpy(mesh->indices + mesh->indexCount, corners, sizeof corners);
                mesh->indexCount += 6;
            }
        }
    }
    if (half == 1) {
        addMorph(mesh);
    }
    model->parts[half] = (ModelPart){.mesh = half};
}

static void addSkeleton(Model *model) {
    model->nodes = calloc(BONES, sizeof *model->nodes);
    model->skins = calloc(1, sizeof *model->skins);
    model->skins[0] = (ModelSkin){BONES, calloc(BONES, sizeof(uint32_t)), calloc(BONES, sizeof(VkskinAffine))};
    for (uint32_t i = 0; i < BONES; i++) {
        const float step = HEIGHT / (float)(BONES - 1);
        model->nodes[i] =
            (ModelNode){strdup("bone"), (int32_t)i - 1, vkskinIdentityTransform(), vkskinIdentityAffine()};
        model->nodes[i].rest.translation[1] = i > 0 ? step : 0.0f;
        model->skins[0].boneNodes[i] = i;
        model->skins[0].inverseBinds[i] = vkskinIdentityAffine();
        model->skins[0].inverseBinds[i].m[1][3] = -step * (float)i;
    }
}

/* Each bone turns by up to `bend` radians; the morph target comes and goes. */
static void addClip(Model *model, float bend) {
    ModelClip *clip = model->clips = calloc(1, sizeof *clip);
    *clip = (ModelClip){.name = strdup("bend"), .duration = 0.5f, .trackCount = BONES};
    clip->tracks = calloc(BONES, sizeof *clip->tracks);
    for (uint32_t t = 0; t < BONES; t++) {
        const bool morph = t == 0; /* node 0 carries both meshes, and does not turn */
        float *times = calloc(KEYS, sizeof *times), *values = calloc(KEYS, 4 * sizeof *values);
        for (uint32_t k = 0; k < KEYS; k++) {
            const float wave = sinf(TURN * (float)k / (float)(KEYS - 1));
            times[k] = 0.5f * (float)k / (float)(KEYS - 1);
            if (morph) {
                values[k] = fabsf(wave);
            } else {
                values[4 * k + 2] = sinf(0.5f * bend * wave);
                values[4 * k + 3] = cosf(0.5f * bend * wave);
            }
        }
        clip->tracks[t] = (VkskinTrack){.node = t, .keyCount = KEYS, .times = times, .values = values};
        clip->tracks[t].channel = morph ? VKSKIN_CHANNEL_MORPH_WEIGHTS : VKSKIN_CHANNEL_ROTATION;
        clip->tracks[t].weightCount = morph;
    }
}

/* change: of each mesh; or null */
static Model *makeTubeOf(float bend, void (*change)(ModelMesh *mesh)) {
    EngineError error = {.message = ""};
    Model *model = calloc(1, sizeof *model);
    model->nodeCount = BONES;
    model->skinCount = model->clipCount = model->materialCount = 1;
    model->meshCount = model->partCount = 2;
    model->meshes = calloc(2, sizeof *model->meshes);
    model->parts = calloc(2, sizeof *model->parts);
    model->materials = calloc(1, sizeof *model->materials);
    model->materials[0] = modelPlainMaterial(strdup("plain"));
    addSkeleton(model);
    for (uint32_t i = 0; i < 2; i++) {
        addMesh(model, i);
        if (change) {
            change(&model->meshes[i]);
        }
    }
    addClip(model, bend);
    assert_true(modelSortVertices(model, &error) && modelCheck(model, &error));
    return model;
}

static Model *makeTube(float bend) {
    return makeTubeOf(bend, NULL);
}

static Model *makeLods(Model *model, ModelLodTry tries[MODEL_LODS_MAX]) {
    EngineError error = {.message = ""};
    if (!modelMakeLods(model, MODEL_LODS_MAX, tries, &error) || !modelCheck(model, &error)) {
        fail_msg("%s", error.message);
    }
    return model;
}

/* ---- What a level keeps ---- */

static void expectRows(const void *made, const void *full, size_t stride, const ModelLod *lod) {
    for (uint32_t i = 0; i < lod->vertexCount && full; i++) {
        assert_memory_equal((const char *)made + i * stride, (const char *)full + lod->vertices[i] * stride, stride);
    }
    assert_true((made != NULL) == (full != NULL));
}

static void expectMorph(const ModelMesh *made, const ModelMesh *full, const ModelLod *lod) {
    for (uint32_t m = 0; m < full->morphCount; m++) {
        const ModelMorph *a = &made->morphs[m], *b = &full->morphs[m];
        assert_int_equal(a->vertexCount, lod->vertexCount); /* the target moves all vertices */
        expectRows(a->positions, b->positions, 3 * sizeof(float), lod);
    }
}

static void expectSorted(const ModelMesh *mesh) {
    uint32_t *order = malloc(mesh->vertexCount * sizeof *order);
    const VkskinMeshDef def = meshDefOfModel(mesh);
    assert_true(vkskinSortVertices(&def, NULL, order) >= 0);
    for (uint32_t i = 0; i < mesh->vertexCount; i++) {
        assert_int_equal(order[i], i);
    }
    free(order);
}

TEST(testCopiesVertices) {
    ModelLodTry tries[MODEL_LODS_MAX];
    EngineError error;
    Model *model = makeLods(makeTube(0.2f), tries);
    const uint64_t all = 2 * (RINGS + 1) * (uint64_t)COLUMNS;
    assert_int_equal(modelLodCount(model), MODEL_LODS_MAX);
    for (uint32_t l = 0; l < MODEL_LODS_MAX; l++) {
        assert_string_equal(tries[l].reason, "");
        assert_in_range(tries[l].vertexCount, all / tries[l].share / 2, all / tries[l].share * 5 / 4);
        for (uint32_t i = 0; i < model->meshCount; i++) {
            const ModelMesh *full = &model->meshes[i];
            ModelMesh made;
            assert_true(modelLodMesh(model, i, l, &made, &error));
            assert_int_equal(made.influences, l == 2 ? 1 : 2);
            expectRows(made.positions, full->positions, 3 * sizeof(float), &full->lods[l]);
            expectRows(made.normals, full->normals, 3 * sizeof(float), &full->lods[l]);
            expectRows(made.texcoords, full->texcoords, 2 * sizeof(float), &full->lods[l]);
            expectMorph(&made, full, &full->lods[l]);
            expectSorted(&made);
            modelFreeMesh(&made);
        }
    }
    modelFree(model);
}

TEST(testShowsLevel) {
    ModelLodTry tries[MODEL_LODS_MAX];
    EngineError error;
    Model *model = makeLods(makeTube(0.2f), tries);
    const uint32_t count = model->meshes[1].lods[1].indexCount;
    assert_true(modelShowLevel(model, 2, &error) && modelCheck(model, &error));
    const ModelMesh *mesh = &model->meshes[1];
    assert_int_equal(mesh->vertexCount, count);
    for (uint32_t v = 0; v < count; v++) {
        const uint32_t next = v % 3 == 2 ? v - 2 : v + 1;
        double along = 0.0;
        for (size_t axis = 0; axis < 3; axis++) {
            along +=
                ((double)mesh->positions[3 * (size_t)next + axis] - (double)mesh->positions[3 * (size_t)v + axis]) *
                (double)mesh->normals[3 * (size_t)v + axis];
        }
        assert_true(fabs(along) < 1e-5);
        assert_memory_equal(mesh->normals + 3 * (size_t)v, mesh->normals + 3 * (size_t)(v - v % 3), 3 * sizeof(float));
    }
    modelFree(model);
}

/* ---- Borders and seams ---- */

typedef struct Edge {
    float from[3], to[3];
} Edge;

static int compareEdges(const void *a, const void *b) {
    return memcmp(a, b, sizeof(Edge));
}

/* Positions of all parts at a moment, one after another. offsets: [meshCount] */
static float *posed(const Model *model, uint32_t level, const LodMoment *moment, ModelMesh *meshes, size_t *offsets) {
    EngineError error;
    VkskinSkeleton skeleton = NULL;
    VkskinClip clip = NULL;
    VkskinTransform pose[64];
    VkskinAffine world[64];
    float *positions = NULL, weights[8] = {0};
    size_t count = 0;
    assert_true(modelCreateSkeleton(model, NULL, (VkskinLogger){0}, &skeleton) >= 0);
    assert_true(modelCreateClip(model, moment->clip, NULL, (VkskinLogger){0}, &clip) >= 0);
    assert_true(vkskinSampleClip(skeleton, clip, moment->time, VKSKIN_WRAP_CLAMP, pose) >= 0);
    assert_true(vkskinComposePose(skeleton, pose, world) >= 0);
    for (uint32_t i = 0; i < model->partCount; i++) {
        const uint32_t mesh = model->parts[i].mesh, morphs = model->meshes[mesh].morphCount;
        assert_true(level == 0 ? modelCopyMesh(&model->meshes[mesh], &meshes[i])
                               : modelLodMesh(model, mesh, level - 1, &meshes[i], &error));
        offsets[i] = count;
        count += meshes[i].vertexCount;
        float *grown = realloc(positions, count * 3 * sizeof *positions);
        assert_non_null(grown);
        positions = grown;
        assert_true(morphs == 0 || vkskinSampleMorphWeights(clip, model->parts[i].carrier, moment->time,
                                                            VKSKIN_WRAP_CLAMP, weights, morphs) >= 0);
        assert_true(
            modelPosePart(model, &model->parts[i], &meshes[i], world, weights, positions + 3 * offsets[i], &error));
    }
    vkskinDestroyClip(clip);
    vkskinDestroySkeleton(skeleton);
    return positions;
}

/* Edges by the places of their ends: each must have its opposite. */
static size_t countOpen(const float *positions, const ModelMesh *meshes, const size_t *offsets, uint32_t count) {
    Edge *edges = NULL;
    size_t total = 0, open = 0;
    for (uint32_t m = 0; m < count; m++) {
        Edge *grown = realloc(edges, (total + meshes[m].indexCount) * sizeof *edges);
        assert_non_null(grown);
        edges = grown;
        for (uint32_t i = 0; i < meshes[m].indexCount; i++) {
            const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
            const float *from = positions + 3 * (offsets[m] + meshes[m].indices[i]);
            const float *to = positions + 3 * (offsets[m] + meshes[m].indices[next]);
            if (memcmp(from, to, sizeof edges->from) != 0) { /* at the tips, edges have no length */
                memcpy(edges[total].from, from, sizeof edges->from);
                memcpy(edges[total++].to, to, sizeof edges->to);
            }
        }
    }
    qsort(edges, total, sizeof *edges, compareEdges);
    for (size_t i = 0; i < total; i++) {
        Edge opposite;
        memcpy(opposite.from, edges[i].to, sizeof opposite.from);
        memcpy(opposite.to, edges[i].from, sizeof opposite.to);
        open += bsearch(&opposite, edges, total, sizeof *edges, compareEdges) == NULL;
    }
    free(edges);
    return open;
}

static void expectClosed(Model *model) {
    free(model->meshes[1].morphs[0].positions); /* it parts the halves, by design */
    model->meshes[1].morphs[0].positions = NULL;
    for (uint32_t level = 0; level <= modelLodCount(model); level++) {
        ModelMesh meshes[2];
        size_t offsets[2];
        float *positions = posed(model, level, &(LodMoment){0, 0.08}, meshes, offsets);
        for (uint32_t i = 0; i < 3 * (model->meshes[0].vertexCount + model->meshes[1].vertexCount) && level == 0; i++) {
            assert_true(isfinite(positions[i]));
        }
        assert_int_equal(countOpen(positions, meshes, offsets, 2), 0);
        modelFreeMesh(&meshes[0]);
        modelFreeMesh(&meshes[1]);
        free(positions);
    }
}

/* Far to one side, where the last bits of a seam differ. */
static void moveAway(ModelMesh *mesh) {
    for (uint32_t i = 0; i < 3 * mesh->vertexCount; i++) {
        const float at = mesh->positions[i] - 10.0f;
        mesh->positions[i] = i / 3 % COLUMNS == COLUMNS - 1 ? nextafterf(at, 0.0f) : at;
    }
}

TEST(testStaysClosed) {
    ModelLodTry tries[MODEL_LODS_MAX];
    Model *model = makeLods(makeTube(0.2f), tries);
    expectClosed(model);
    modelFree(model);
    model = makeLods(makeTubeOf(0.0f, moveAway), tries);
    assert_true(tries[0].error < 0.005 && tries[1].error < 0.015); /* with an open seam: twice as much */
    modelFree(model);
}

/* ---- Seams that meet ---- */

#define CHART 2u /* rings and columns of a chart */

static uint32_t chartOf(uint32_t index) {
    const uint32_t quad = index / 6;
    return quad / (COLUMNS - 1) / CHART * COLUMNS + quad % (COLUMNS - 1) / CHART;
}

/* Cuts a mesh into charts with vertices of their own: four seams meet at each corner. Returns the chart of each vertex. */
static uint32_t *cutCharts(ModelMesh *mesh) {
    const uint32_t vertices = mesh->vertexCount, charts = RINGS / CHART * COLUMNS;
    uint32_t *origins = calloc(mesh->indexCount, sizeof *origins), *owners = calloc(mesh->indexCount, sizeof *owners);
    uint32_t *made = calloc((size_t)charts * vertices, sizeof *made), count = 0;
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        uint32_t *number = &made[(size_t)chartOf(i) * vertices + mesh->indices[i]];
        if (*number == 0) {
            origins[count] = mesh->indices[i];
            owners[count] = chartOf(i);
            *number = ++count;
        }
        mesh->indices[i] = *number - 1;
    }
    assert_true(modelGatherVertices(mesh, origins, count));
    free(origins);
    free(made);
    return owners;
}

/* Facets: the charts differ in their normals. */
static void cutNormals(ModelMesh *mesh) {
    uint32_t *owners = cutCharts(mesh);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        mesh->normals[3 * (size_t)v + 1] = owners[v] % 2 ? 0.3f : -0.3f;
    }
    free(owners);
}

/* The charts are far apart in the texture. */
static void cutTexcoords(ModelMesh *mesh) {
    uint32_t *owners = cutCharts(mesh);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        mesh->texcoords[2 * (size_t)v] = (float)owners[v];
    }
    free(owners);
}

static void expectOneChart(const ModelMesh *mesh) {
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        assert_true(mesh->texcoords[2 * (size_t)mesh->indices[i]] ==
                    mesh->texcoords[2 * (size_t)mesh->indices[i - i % 3]]);
    }
}

TEST(testSeamsMeet) {
    ModelLodTry tries[MODEL_LODS_MAX];
    Model *model = makeLods(makeTubeOf(0.2f, cutNormals), tries);
    const uint64_t all = (uint64_t)model->meshes[0].vertexCount + model->meshes[1].vertexCount;
    for (uint32_t l = 0; l < MODEL_LODS_MAX; l++) {
        assert_in_range(tries[l].vertexCount, all / tries[l].share / 2, all / tries[l].share * 5 / 4);
    }
    expectClosed(model);
    modelFree(model);
    model = makeLods(makeTubeOf(0.2f, cutTexcoords), tries);
    assert_true(modelLodCount(model) > 0);
    for (uint32_t i = 0; i < 2 * modelLodCount(model); i++) {
        EngineError error;
        ModelMesh made;
        assert_true(modelLodMesh(model, i % 2, i / 2, &made, &error));
        expectOneChart(&made);
        modelFreeMesh(&made);
    }
    expectClosed(model);
    modelFree(model);
}

/* ---- Errors ---- */

#define STEP   23u /* each so manyth vertex is tried */
#define PIECES 24  /* pieces of an edge of a triangle */

/* The squared distance to a triangle, as the least one to many of its points. */
static double distanceTo(const float *point, const float *positions, const uint32_t *corners) {
    double nearest = INFINITY;
    for (int a = 0; a <= PIECES; a++) {
        for (int b = 0; b <= PIECES - a; b++) {
            double squares = 0.0;
            for (size_t axis = 0; axis < 3; axis++) {
                const double at[] = {(double)positions[3 * (size_t)corners[0] + axis],
                                     (double)positions[3 * (size_t)corners[1] + axis],
                                     (double)positions[3 * (size_t)corners[2] + axis]};
                const double there = (a * at[0] + b * at[1] + (PIECES - a - b) * at[2]) / PIECES;
                squares += (there - (double)point[axis]) * (there - (double)point[axis]);
            }
            nearest = fmin(nearest, squares);
        }
    }
    return nearest;
}

/* The distance from vertices to the nearest triangle, by trying each. */
static double farthest(const float *points, uint32_t count, const float *positions, const ModelMesh *mesh) {
    double largest = 0.0;
    for (uint32_t v = 0; v < count; v += STEP) {
        double nearest = INFINITY;
        for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
            nearest = fmin(nearest, distanceTo(points + 3 * (size_t)v, positions, mesh->indices + i));
        }
        largest = fmax(largest, nearest);
    }
    return sqrt(largest);
}

/* The larger distance of both meshes, each to its level; it must not be above the stated one. */
static double distanceAt(const Model *model, uint32_t level, double time) {
    ModelMesh full[2], made[2];
    size_t fullOffsets[2], offsets[2];
    double largest = 0.0;
    float *a = posed(model, 0, &(LodMoment){0, time}, full, fullOffsets);
    float *b = posed(model, level, &(LodMoment){0, time}, made, offsets);
    for (uint32_t i = 0; i < 2; i++) {
        const double found = farthest(a + 3 * fullOffsets[i], full[i].vertexCount, b + 3 * offsets[i], &made[i]);
        assert_true(found <= (double)model->meshes[i].lods[level - 1].error * 1.00001 + 1e-6);
        largest = fmax(largest, found);
        modelFreeMesh(&full[i]);
        modelFreeMesh(&made[i]);
    }
    free(a);
    free(b);
    return largest;
}

/* The distance at a key is not above the stated error, and not far below it at the worst one. */
TEST(testErrorHolds) {
    ModelLodTry tries[MODEL_LODS_MAX];
    Model *model = makeLods(makeTube(0.2f), tries);
    for (uint32_t level = 1; level <= modelLodCount(model); level++) {
        const double worst = fmax(distanceAt(model, level, 0.125), distanceAt(model, level, 0.375));
        assert_true(worst > 0.0 && modelLodError(model, level - 1) < 4.0 * worst);
    }
    modelFree(model);
}

static void expectBetweenKeys(Model *model) {
    EngineError error;
    LodMoment between[16];
    float errors[64];
    for (uint32_t c = 0; c < model->clipCount; c++) {
        for (uint32_t i = 0; i < COUNT_OF(between); i++) {
            between[i] = (LodMoment){c, (double)model->clips[c].duration * (i + 0.53) / COUNT_OF(between)};
        }
        assert_true(lodMeasure(model, between, COUNT_OF(between), errors, NULL, &error));
        for (uint32_t m = 0; m < model->meshCount; m++) {
            for (uint32_t l = 0; l < modelLodCount(model); l++) {
                assert_true((double)errors[m * modelLodCount(model) + l] <=
                            1.1 * (double)model->meshes[m].lods[l].error);
            }
        }
    }
}

TEST(testErrorBetweenKeys) {
    ModelLodTry tries[MODEL_LODS_MAX];
    Model *model = makeLods(makeTube(0.6f), tries);
    expectBetweenKeys(model);
    modelFree(model);
    EngineError error;
    model = importOrFail("X/Testwuson.X");
    assert_true(modelSortVertices(model, &error));
    makeLods(model, tries);
    assert_int_equal(modelLodCount(model), 2); /* an influence per vertex moves it by more than 5 % of the height */
    expectBetweenKeys(model);
    modelFree(model);
}

/* A level by hand, of all vertices and of the triangles from the second ring on: what it shows lies on the mesh. */
static Model *makeCutLevel(void) {
    Model *model = makeTube(0.0f);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        ModelMesh *mesh = &model->meshes[i];
        ModelLod *lod = mesh->lods = calloc(1, sizeof *lod);
        mesh->lodCount = 1;
        *lod = (ModelLod){.influences = 4, .vertexCount = mesh->vertexCount};
        lod->vertices = malloc(mesh->vertexCount * sizeof(uint32_t));
        for (uint32_t v = 0; v < mesh->vertexCount; v++) {
            lod->vertices[v] = v;
        }
        const uint32_t cut = 6 * (COLUMNS - 1);
        lod->indexCount = mesh->indexCount - cut;
        lod->indices = malloc(lod->indexCount * sizeof(uint32_t));
        memcpy(lod->indices, mesh->indices + cut, lod->indexCount * sizeof(uint32_t));
    }
    return model;
}

/* The tip of the lower half is 0.4 from the next ring. A mesh without a part is not seen. */
TEST(testLostTipCounts) {
    Model *model = makeCutLevel();
    ModelMesh upper = model->meshes[1]; /* the one with more morph targets comes first */
    upper.morphs = realloc(upper.morphs, 2 * sizeof *upper.morphs);
    upper.morphs[upper.morphCount++] = upper.morphs[0];
    model->meshes[1] = model->meshes[0];
    model->meshes[0] = upper;
    EngineError error;
    LodMoment *moments = NULL;
    size_t count;
    float errors[2];
    assert_true(lodFindMoments(model, &moments, &count, &error));
    for (model->partCount = 2; model->partCount > 0; model->partCount--) {
        model->parts = realloc(model->parts, model->partCount * sizeof *model->parts);
        assert_true(lodMeasure(model, moments, count, errors, NULL, &error));
        const float lost = model->partCount == 2 ? 0.4f : 0.0f;
        if (!(errors[1] >= 0.875f * lost && errors[1] <= 1.25f * lost)) {
            fail_msg("the lost tip is %g away", (double)errors[1]);
        }
    }
    model->meshes[0].morphCount = 1;
    free(moments);
    modelFree(model);
}

/* Vertices of a mesh that are put in another order stay those of its levels. */
TEST(testSortingKeepsLevels) {
    Model *model = makeCutLevel();
    ModelMesh *mesh = &model->meshes[0];
    const uint32_t count = mesh->vertexCount;
    float *before = malloc(count * 3 * sizeof(float));
    memcpy(before, mesh->positions, count * 3 * sizeof(float));
    for (uint32_t v = 0; v < count / 2; v++) { /* one influence: they come first */
        mesh->weights[2 * (count - 1 - v)] = 1.0f;
        mesh->weights[2 * (count - 1 - v) + 1] = 0.0f;
    }
    assert_true(modelSortMesh(mesh));
    assert_memory_not_equal(before, mesh->positions, count * 3 * sizeof(float));
    for (uint32_t v = 0; v < count; v++) {
        assert_memory_equal(mesh->positions + 3 * (size_t)mesh->lods[0].vertices[v], before + 3 * (size_t)v, 12);
    }
    free(before);
    modelFree(model);
}

/* ---- Levels that are left out ---- */

TEST(testLeftOut) {
    ModelLodTry tries[MODEL_LODS_MAX];
    Model *model = makeLods(makeTube(2.5f), tries); /* the bends are much sharper than the simplifier knows */
    assert_non_null(strstr(tries[2].reason, " % of the height, above 5 %"));
    assert_true(modelLodCount(model) < MODEL_LODS_MAX);
    modelFree(model);
    EngineError error;
    model = importOrFail("two_skins.gltf"); /* few triangles */
    assert_true(modelSortVertices(model, &error));
    makeLods(model, tries);
    assert_int_equal(modelLodCount(model), 0);
    assert_non_null(strstr(tries[0].reason, " % of the vertices before it, below 25 %"));
    modelFree(model);
}
