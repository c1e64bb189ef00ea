#include "cpu_scenes.h"

#include "random.h"
#include "reference.h"

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

CpuScene *makeCpuScene(uint32_t vertexCount, SceneOrder order) {
    Random random = {vertexCount + (uint32_t)order};
    CpuScene *scene = ownZeros(1, sizeof *scene);
    *scene = (CpuScene){
        .def = vkskinDefaultMeshDef(),
        .positions = ownZeros(vertexCount, 3 * sizeof(float)),
        .normals = ownZeros(vertexCount, 3 * sizeof(float)),
        .tangents = ownZeros(vertexCount, 4 * sizeof(float)),
        .blends = ownZeros(vertexCount, sizeof(float)),
        .weights = ownZeros(vertexCount, SCENE_PLACES * sizeof(float)),
        .deltas = ownZeros(vertexCount, 3 * sizeof(float)),
        .joints = ownZeros(vertexCount, SCENE_PLACES * sizeof(uint32_t)),
        .moved = ownZeros(vertexCount, sizeof(uint32_t)),
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
    return scene;
}

static void destroyMesh(void *mesh) {
    vkskinDestroyCpuMesh(mesh);
}

VkskinCpuMesh cpuMeshOf(const CpuScene *scene) {
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    VkskinCpuMesh mesh;
    def.mesh = &scene->def;
    assert_true(vkskinCreateCpuMesh(&def, &mesh) >= 0);
    destroyOwned(0);
    return own(mesh, destroyMesh);
}

void *newCpuPalette(VkskinPaletteEncoding encoding, uint32_t seed) {
    Random random = {1000 + (uint64_t)seed};
    size_t stride = vkskinPaletteStride(encoding);
    unsigned char *palette = ownZeros(SCENE_BONES, stride);
    for (uint32_t b = 0; b < SCENE_BONES; b++) {
        float rotation[4], translation[3];
        randomRigidBone(&random, 2.0f, rotation, translation);
        const double moved[3] = {translation[0], translation[1], translation[2]};
        const double turn[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
        const double size[3] = {1.1, 1.1, 1.1};
        ReferenceMatrix bone = referenceCompose(moved, turn, size);
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
