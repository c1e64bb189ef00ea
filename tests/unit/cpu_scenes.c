#include "cpu_scenes.h"

#include "model_mesh.h"
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

static void destroyScene(void *object) {
    CpuScene *scene = object;
    randomMeshFree(&scene->mesh);
    free(scene);
}

CpuScene *makeCpuScene(uint32_t vertexCount, SceneOrder order) {
    Random random = {vertexCount + (uint32_t)order};
    const RandomMeshDef def = {vertexCount, SCENE_BONES, SCENE_PLACES, .minInfluences = SCENE_PLACES};
    CpuScene *scene = own(newZeroed(1, sizeof *scene), destroyScene);
    scene->mesh = randomMesh(&random, &def);
    scene->blends = ownZeros(vertexCount, sizeof(float));
    scene->deltas = ownZeros(vertexCount, 3 * sizeof(float));
    scene->moved = ownZeros(vertexCount, sizeof(uint32_t));
    for (uint32_t v = 0; v < vertexCount; v++) {
        scene->blends[v] = randomFloat(&random, 0.0f, 1.0f);
        for (uint32_t i = influencesOf(v, vertexCount, order); i < SCENE_PLACES; i++) {
            scene->mesh.weights[SCENE_PLACES * (size_t)v + i] = 0.0f;
        }
    }
    for (size_t i = 0; i < 3 * (size_t)vertexCount; i++) {
        scene->deltas[i] = randomFloat(&random, -0.2f, 0.2f);
    }
    fillTargets(scene, vertexCount);
    scene->def = meshDefOfModel(&scene->mesh);
    scene->def.name = "test";
    scene->def.blendWeights = scene->blends;
    scene->def.morphTargets = scene->targets;
    scene->def.morphTargetCount = 2;
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
