/*
 * Scenes whose members are morphed, or skinned in several ways: ../command/fixtures/face.gltf, of which test_methods.c
 * there tells. Its morph targets "up" and "wide" are (0.25 0) at rest and go from (0 0.5) to (1 0.5) in clip 0.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "import.h"
#include "morph_setting.h"
#include "readback.h"
#include "scene.h"

typedef struct Fixture {
    Device *device;
    Model *model;
    EngineError error;
} Fixture;

static Fixture fixture;

static int openAll(void **state) {
    const DeviceOptions options = {.validation = true};
    *state = &fixture;
    fixture.model = importModel(SCENE_FIXTURE, NULL, &fixture.error); /* before the device: import forks */
    if (!fixture.model) {
        print_error("%s\n", fixture.error.message);
        return -1;
    }
    fixture.device = deviceCreate(&options, &fixture.error);
    if (!fixture.device) {
        print_error("%s\n", fixture.error.message);
        return -1;
    }
    return 0;
}

static int closeAll(void **state) {
    (void)state;
    modelFree(fixture.model);
    deviceDestroy(fixture.device);
    return 0;
}

static int noMessagesCame(void **state) {
    (void)state;
    return fixture.device->validationMessages == 0 ? 0 : -1;
}

static Scene *makeScene(const SkinChoice *skin, uint32_t count, uint32_t otherWays) {
    const SceneModel model = {.model = fixture.model, .up = CHARACTER_UP_Y};
    const SceneDef def = {.models = &model,
                          .modelCount = 1,
                          .count = count,
                          .placement = CROWD_ORIGIN,
                          .skin = *skin,
                          .otherWays = otherWays,
                          .format = VKSKIN_VERTEX_FLOAT,
                          .readback = true};
    Scene *scene = sceneCreate(fixture.device, &def, &fixture.error);
    if (!scene) {
        fail_msg("%s", fixture.error.message);
    }
    return scene;
}

static void skinOnce(Scene *scene) {
    if (!sceneSkinOnce(scene, 0.0, &fixture.error)) {
        fail_msg("%s", fixture.error.message);
    }
}

/* The last corner of the face of a member: (wide 1 up). */
static void expectCorner(Scene *scene, uint32_t member, float wide, float up) {
    SkinnedVertices vertices;
    VkskinInstance face = scene->crowd->instances[scene->crowd->members[member].firstInstance + 1];
    assert_true(readbackInstance(scene->skinning, face, &vertices, &fixture.error));
    assert_float_equal(vertices.positions[6], wide, 1e-6f);
    assert_float_equal(vertices.positions[7], 1.0f, 1e-6f);
    assert_float_equal(vertices.positions[8], up, 1e-6f);
    skinnedVerticesFree(&vertices);
}

static void eachMemberHasItsOwnWeights(void **state) {
    static const SkinChoice plain;
    (void)state;
    Scene *scene = makeScene(&plain, 3, 0);
    CrowdMember *members = scene->crowd->members;
    for (uint32_t i = 0; i < 3; i++) {
        members[i].clip = i < 2 ? 0 : UINT32_MAX;
        members[i].time = 0.25 + 0.5 * i;
        members[i].wrap = VKSKIN_WRAP_CLAMP;
    }
    skinOnce(scene);
    expectCorner(scene, 0, 0.5f, 0.25f);
    expectCorner(scene, 1, 0.5f, 0.75f);
    expectCorner(scene, 2, 0.0f, 0.25f); /* at rest */
    sceneDestroy(scene);
}

static void settingsHoldAgainstClips(void **state) {
    static const MorphSetting settings[] = {{"up", -1.0f}, {"nobody", 7.0f}};
    static const SkinChoice choice = {.morphs = settings, .morphCount = 2};
    float weights[2];
    (void)state;
    Scene *scene = makeScene(&choice, 1, 0);
    const Character *character = scene->characters[0];
    assert_int_equal(character->morphCount, 2);
    assert_true(
        characterMorphWeights(character, character->clips[0], 0.75, VKSKIN_WRAP_CLAMP, weights, &fixture.error));
    assert_float_equal(weights[0], -1.0f, 0.0f);
    assert_float_equal(weights[1], 0.5f, 1e-6f);
    sceneDestroy(scene);
}

static void boundsCountMorphsIn(void **state) {
    static const MorphSetting settings[] = {{"up", 5.0f}, {"wide", -3.0f}};
    static const SkinChoice choice = {.morphs = settings, .morphCount = 2};
    Bounds bounds;
    (void)state;
    Scene *scene = makeScene(&choice, 1, 0);
    assert_true(characterBounds(scene->characters[0], NULL, 0.0, VKSKIN_WRAP_CLAMP, &bounds, &fixture.error));
    assert_float_equal(bounds.min[0], -3.0f, 1e-6f);
    assert_float_equal(bounds.max[0], 1.0f, 1e-6f); /* of the other triangle, as the next */
    assert_float_equal(bounds.min[2], -1.0f, 1e-6f);
    assert_float_equal(bounds.max[2], 5.0f, 1e-6f);
    sceneDestroy(scene);
}

/* The x and z of the stretched triangle's second corner: dual quaternions hold no scale. */
static void expectStretched(Scene *scene, float x) {
    SkinnedVertices vertices;
    VkskinInstance flag = scene->crowd->instances[scene->crowd->members[0].firstInstance];
    skinOnce(scene);
    assert_true(readbackInstance(scene->skinning, flag, &vertices, &fixture.error));
    assert_float_equal(vertices.positions[3], x, 1e-6f);
    assert_float_equal(vertices.positions[5], -1.0f, 1e-6f);
    skinnedVerticesFree(&vertices);
}

static void waysMayChange(void **state) {
    static const SkinChoice choice = {.way = SKIN_WAY_COR};
    const uint32_t others = 1u << SKIN_WAY_DQS | 1u << SKIN_WAY_LBS;
    (void)state;
    Scene *scene = makeScene(&choice, 1, others);
    assert_int_equal(scene->ways, others | 1u << SKIN_WAY_COR);
    scene->crowd->members[0].clip = 1;
    scene->crowd->members[0].time = 1.0;
    scene->crowd->members[0].wrap = VKSKIN_WRAP_CLAMP;
    expectStretched(scene, 3.0f);
    assert_true(sceneChangeWay(scene, SKIN_WAY_DQS, &fixture.error));
    expectStretched(scene, 1.0f);
    assert_true(sceneChangeWay(scene, SKIN_WAY_LBS, &fixture.error));
    expectStretched(scene, 3.0f);
    assert_true(sceneChangeWay(scene, SKIN_WAY_COR, &fixture.error));
    expectStretched(scene, 3.0f);
    sceneDestroy(scene);
}

static void numbersAndNamesFindTargets(void **state) {
    static const struct {
        const char *name;
        bool up, wide;
    } cases[] = {
        {"up", true, false}, {"wide", false, true}, {"0", true, false}, {"1", false, true},
        {"2", false, false}, {"Up", false, false},  {"", false, false}, {"18446744073709551616", false, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const MorphSetting setting = {cases[i].name, 1.0f};
        assert_int_equal(morphSettingIsOf(&setting, fixture.model, 1, 0), cases[i].up);
        assert_int_equal(morphSettingIsOf(&setting, fixture.model, 1, 1), cases[i].wide);
        assert_int_equal(morphSettingIsKnown(&setting, fixture.model), cases[i].up || cases[i].wide);
    }
}

#define SCENE_TEST(function) cmocka_unit_test_teardown(function, noMessagesCame)

int main(void) {
    const struct CMUnitTest tests[] = {
        SCENE_TEST(eachMemberHasItsOwnWeights), SCENE_TEST(settingsHoldAgainstClips),
        SCENE_TEST(boundsCountMorphsIn),        SCENE_TEST(waysMayChange),
        SCENE_TEST(numbersAndNamesFindTargets),
    };
    return cmocka_run_group_tests_name("engine.scene", tests, openAll, closeAll);
}
