/*
 * sceneReplaceModel with ../command/fixtures/face.gltf, with kernels and with the CPU backend: its characters, which stand in a
 * field, show other vertices by the same handles. A model that is refused, also one whose first mesh is good, changes
 * nothing.
 */
#include "import.h"
#include "scene.h"
#include "test.h"

#define MEMBERS 3
#define PARTS   2

typedef struct Fixture {
    Device *device;
    Model *old, *other;
    Scene *scene;
    EngineError error;
} Fixture;

static Model *readModel(Fixture *fixture) {
    Model *model = importModel(SCENE_FIXTURE, NULL, &fixture->error);
    TEST_GOOD(model, fixture->error);
    return model;
}

static int setUp(void **state) {
    static Fixture fixture;
    const DeviceOptions options = {.validation = true};
    fixture.old = readModel(&fixture);
    fixture.other = readModel(&fixture);
    fixture.device = deviceCreate(&options, &fixture.error);
    *state = &fixture;
    return fixture.device ? 0 : -1;
}

static int tearDown(void **state) {
    Fixture *fixture = *state;
    sceneDestroy(fixture->scene);
    modelFree(fixture->other);
    modelFree(fixture->old);
    int messages = fixture->device ? (int)fixture->device->validationMessages : 1;
    deviceDestroy(fixture->device);
    *fixture = (Fixture){0};
    return messages == 0 ? 0 : -1;
}

static void makeScene(Fixture *fixture, VkskinBackend backend) {
    const SceneDef def = {.models = (const Model *const *)&fixture->old,
                          .modelCount = 1,
                          .count = MEMBERS,
                          .skin = {.backend = backend},
                          .wrap = VKSKIN_WRAP_LOOP,
                          .format = VKSKIN_VERTEX_FLOAT,
                          .readback = true};
    fixture->scene = sceneCreate(fixture->device, &def, &fixture->error);
    TEST_GOOD(fixture->scene, fixture->error);
}

/* Skins at the same time as always; an unchanged pose is skinned only if the model was replaced. Returns the instances
 * that were skinned. x: of the last corner of every part. */
static uint32_t skin(Fixture *fixture, float x[MEMBERS * PARTS]) {
    VkskinStats stats;
    assert_true(sceneSkinOnce(fixture->scene, 0.0, &fixture->error));
    assert_int_equal(vkskinGetStats(fixture->scene->skinning->context, &stats), VKSKIN_SUCCESS);
    assert_int_equal(fixture->scene->population->instanceCount, MEMBERS * PARTS);
    for (uint32_t i = 0; i < MEMBERS * PARTS; i++) {
        SkinnedVertices vertices;
        assert_true(readbackInstance(fixture->scene->skinning, fixture->scene->population->instances[i], &vertices,
                                     &fixture->error));
        x[i] = vertices.positions[6];
        skinnedVerticesFree(&vertices);
    }
    return stats.instancesSkinned;
}

/* Every mesh of the other model: its last corner moves by `by` along x. */
static void moveCorners(Fixture *fixture, float by) {
    for (uint32_t mesh = 0; mesh < fixture->other->meshCount; mesh++) {
        fixture->other->meshes[mesh].positions[6] += by;
    }
}

/* The old model is shown: it was refused, or it was shown again. */
static void expectOld(Fixture *fixture, SceneReplaced result, const char *message,
                      const float before[MEMBERS * PARTS]) {
    float now[MEMBERS * PARTS];
    const SkinnedModel *skinned = fixture->scene->models[0];
    assert_int_equal(sceneReplaceModel(fixture->scene, 0, fixture->other, &fixture->error), result);
    assert_int_equal(fixture->scene->models[0] == skinned, result == SCENE_REFUSED);
    if (!strstr(fixture->error.message, message)) {
        fail_msg("'%s' does not contain '%s'", fixture->error.message, message);
    }
    assert_ptr_equal(fixture->scene->models[0]->model, fixture->old);
    skin(fixture, now);
    assert_memory_equal(now, before, sizeof now);
}

static void replaceModels(Fixture *fixture, VkskinBackend backend) {
    float before[MEMBERS * PARTS], after[MEMBERS * PARTS];
    VkskinInstance handles[MEMBERS * PARTS];
    makeScene(fixture, backend);
    Population *population = fixture->scene->population;
    population->characters[1].clip = 1; /* as a user would choose it */
    assert_int_equal(skin(fixture, before), MEMBERS * PARTS);
    assert_int_equal(skin(fixture, before), 0);
    memcpy(handles, population->instances, sizeof handles);

    Model *other = fixture->other;
    ModelMesh *last = &other->meshes[1];
    moveCorners(fixture, 0.5f);
    last->positions[0] = NAN; /* the mesh before it is good */
    expectOld(fixture, SCENE_KEPT, "not finite", before);
    last->positions[0] = 0.0f;
    last->morphCount--;
    expectOld(fixture, SCENE_REFUSED, "has 1 morph targets, 2 before", before);
    last->morphCount++;
    other->partCount--;
    expectOld(fixture, SCENE_REFUSED, "it has other meshes than before", before);
    other->partCount++;

    assert_int_equal(sceneReplaceModel(fixture->scene, 0, other, &fixture->error), SCENE_REPLACED);
    assert_int_equal(skin(fixture, after), MEMBERS * PARTS);
    for (uint32_t i = 0; i < MEMBERS * PARTS; i++) {
        assert_true(fabsf(after[i] - before[i]) > 0.4f);
        assert_true(VKSKIN_EQUALS(handles[i], population->instances[i]));
    }
    assert_int_equal(population->characters[1].clip, 1);
    assert_int_equal(skin(fixture, after), 0);
}

FIXTURE_TEST(replacesModelsWithKernels) {
    replaceModels(*state, VKSKIN_BACKEND_COMPUTE);
}

FIXTURE_TEST(replacesModelsOnTheCpu) {
    replaceModels(*state, VKSKIN_BACKEND_CPU);
}
