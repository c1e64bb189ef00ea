#include "cpu_scenes.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "reference.h"
#include "random.h"
#include "test.h"

static void *newZeros(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static uint32_t influencesOf(uint32_t vertex, uint32_t vertexCount, SceneOrder order) {
    switch (order) {
    case SCENE_SORTED:
        return vertex * 5 / vertexCount + 1;
    case SCENE_MIXED:
        return vertex % SCENE_PLACES + 1;
    default:
        return vertex % 1000 < 700 ? vertex / 1000 % 4 + 1 : vertex * 7 % 3 + 2;
    }
}

static void fillVertex(Random *random, CpuScene *scene, uint32_t vertex, uint32_t influences) {
    for (uint32_t i = 0; i < 3; i++) {
        scene->positions[3 * (size_t)vertex + i] = randomFloat(random, -1.0f, 1.0f);
        scene->deltas[3 * (size_t)vertex + i] = randomFloat(random, -0.2f, 0.2f);
    }
    randomDirection(random, scene->normals + 3 * (size_t)vertex);
    randomDirection(random, scene->tangents + 4 * (size_t)vertex);
    scene->tangents[4 * (size_t)vertex + 3] = vertex % 3 == 0 ? -1.0f : 1.0f;
    scene->blends[vertex] = randomFloat(random, 0.0f, 1.0f);
    for (uint32_t i = 0; i < influences; i++) {
        scene->joints[SCENE_PLACES * (size_t)vertex + i] = randomBelow(random, SCENE_BONES);
        scene->weights[SCENE_PLACES * (size_t)vertex + i] = randomFloat(random, 0.1f, 1.0f);
    }
}

static void fillTargets(CpuScene *scene, uint32_t vertexCount) {
    uint32_t count = (vertexCount + 2) / 3;
    for (uint32_t i = 0; i < count; i++) {
        scene->moved[i] = vertexCount - 1 - 3 * i;
    }
    scene->targets[0] = (VkskinMorphTarget){
        .vertexCount = count, .vertices = scene->moved, .positions = scene->deltas, .normals = scene->deltas};
    scene->targets[1] = (VkskinMorphTarget){
        .vertexCount = vertexCount, .positions = scene->deltas, .tangents = scene->deltas, .afterSkinning = true};
}

void makeCpuScene(CpuScene *scene, uint32_t vertexCount, SceneOrder order) {
    Random random = {vertexCount + (uint32_t)order};
    *scene = (CpuScene){
        .def = vkskinDefaultMeshDef(),
        .positions = newZeros(vertexCount, 3 * sizeof(float)),
        .normals = newZeros(vertexCount, 3 * sizeof(float)),
        .tangents = newZeros(vertexCount, 4 * sizeof(float)),
        .blends = newZeros(vertexCount, sizeof(float)),
        .weights = newZeros(vertexCount, SCENE_PLACES * sizeof(float)),
        .deltas = newZeros(vertexCount, 3 * sizeof(float)),
        .joints = newZeros(vertexCount, SCENE_PLACES * sizeof(uint32_t)),
        .moved = newZeros(vertexCount, sizeof(uint32_t)),
    };
    for (uint32_t v = 0; v < vertexCount; v++) {
        fillVertex(&random, scene, v, influencesOf(v, vertexCount, order));
    }
    fillTargets(scene, vertexCount);
    VkskinMeshDef *def = &scene->def;
    def->name = "test";
    def->vertexCount = vertexCount;
    def->boneCount = SCENE_BONES;
    def->positions = scene->positions;
    def->normals = scene->normals;
    def->tangents = scene->tangents;
    def->blendWeights = scene->blends;
    def->influencesPerVertex = SCENE_PLACES;
    def->jointFormat = VKSKIN_JOINTS_U32;
    def->joints = scene->joints;
    def->weights = scene->weights;
    def->morphTargets = scene->targets;
    def->morphTargetCount = 2;
}

void freeCpuScene(CpuScene *scene) {
    void *const memory[] = {scene->positions, scene->normals, scene->tangents, scene->blends,
                            scene->weights,   scene->deltas,  scene->joints,   scene->moved};
    for (size_t i = 0; i < COUNT_OF(memory); i++) {
        free(memory[i]);
    }
    *scene = (CpuScene){.positions = NULL};
}

VkskinCpuMesh makeCpuMesh(const VkskinMeshDef *def) {
    VkskinCpuMeshDef cpuDef = vkskinDefaultCpuMeshDef();
    VkskinCpuMesh mesh;
    cpuDef.mesh = def;
    assert_true(vkskinCreateCpuMesh(&cpuDef, &mesh) >= 0);
    assert_non_null(mesh);
    return mesh;
}

void *newCpuPalette(VkskinPaletteEncoding encoding, uint32_t seed) {
    Random random = {1000 + (uint64_t)seed};
    size_t stride = vkskinPaletteStride(encoding);
    unsigned char *palette = newZeros(SCENE_BONES, stride);
    for (uint32_t b = 0; b < SCENE_BONES; b++) {
        float rotation[4];
        randomRotation(&random, 2.0f, rotation);
        const double translation[3] = {(double)randomFloat(&random, -1.0f, 1.0f),
                                       (double)randomFloat(&random, -1.0f, 1.0f), 0.5};
        const double turn[4] = {(double)rotation[0], (double)rotation[1], (double)rotation[2], (double)rotation[3]};
        const double size[3] = {1.1, 1.1, 1.1};
        ReferenceMatrix bone = referenceCompose(translation, turn, size);
        paletteEntry(encoding, &bone, randomBelow(&random, 2) == 0, palette + b * stride);
    }
    return palette;
}

uint32_t cpuPositionWords(const VkskinMeshInfo *info) {
    return info->vertexCount * info->dimensions;
}

uint32_t cpuAttributeWords(const VkskinMeshInfo *info) {
    uint32_t vectors = info->hasTangents ? 2 : info->hasNormals ? 1 : 0;
    uint32_t words = info->format == VKSKIN_VERTEX_PACKED || vectors == 0 ? vectors : vectors * 4 - 1;
    return words * info->vertexCount;
}

typedef struct CrewWork {
    _Atomic uint32_t next;
    uint32_t count;
    const uint32_t *order;
    void (*task)(void *taskData, uint32_t i);
    void *taskData;
} CrewWork;

static void *work(void *argument) {
    CrewWork *own = argument;
    for (uint32_t i = own->next++; i < own->count; i = own->next++) {
        own->task(own->taskData, own->order[i]);
    }
    return NULL;
}

void lendCrew(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    CpuCrew *crew = user;
    uint32_t *order = newZeros(count, sizeof *order);
    Random random = {crew->seed};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = randomBelow(&random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    CrewWork shared = {.count = count, .order = order, .task = task, .taskData = taskData};
    pthread_t *threads = newZeros(crew->threads, sizeof *threads);
    for (uint32_t i = 0; i < crew->threads; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, &shared), 0);
    }
    for (uint32_t i = 0; i < crew->threads; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    crew->calls++;
    crew->tasks = count;
    free(threads);
    free(order);
}
