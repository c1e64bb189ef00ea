/* Crowds of two real models: the same from the same seed, none in another's way, each moving as it is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd_run.h"
#include "import.h"
#include "readback.h"
#include "scene.h"

#define KINDS 2

typedef struct Fixture {
    Device *device;
    Model *models[KINDS];
    SceneModel sceneModels[KINDS];
    EngineError error;
} Fixture;

static Fixture fixture;

static int openAll(void **state) {
    static const char *const paths[KINDS] = {VKSKIN_TEST_MODELS "/X/Testwuson.X",
                                             VKSKIN_TEST_MODELS "/X/BCN_Epileptic.X"};
    const DeviceOptions options = {.validation = true};
    *state = &fixture;
    /* Before the device: import forks, and a driver may have threads of its own. */
    for (int i = 0; i < KINDS; i++) {
        fixture.models[i] = importModel(paths[i], NULL, &fixture.error);
        if (!fixture.models[i]) {
            print_error("%s\n", fixture.error.message);
            return -1;
        }
        fixture.sceneModels[i] = (SceneModel){.model = fixture.models[i], .up = CHARACTER_UP_Y};
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
    for (int i = 0; i < KINDS; i++) {
        modelFree(fixture.models[i]);
    }
    deviceDestroy(fixture.device);
    return 0;
}

static int noMessagesCame(void **state) {
    (void)state;
    return fixture.device->validationMessages == 0 ? 0 : -1;
}

static SceneDef sceneDef(uint32_t count, uint64_t seed) {
    return (SceneDef){.models = fixture.sceneModels,
                      .modelCount = KINDS,
                      .count = count,
                      .seed = seed,
                      .wrap = VKSKIN_WRAP_LOOP,
                      .readback = true};
}

static Scene *makeScene(const SceneDef *def) {
    Scene *scene = sceneCreate(fixture.device, def, &fixture.error);
    if (!scene) {
        fail_msg("%s", fixture.error.message);
    }
    return scene;
}

static void skinOnce(Scene *scene, double clock) {
    if (!sceneSkinOnce(scene, clock, &fixture.error)) {
        fail_msg("%s", fixture.error.message);
    }
}

/* FNV-1a over the positions and normals of all parts. */
static uint64_t hashMember(Scene *scene, uint32_t index) {
    const CrowdMember *member = &scene->crowd->members[index];
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t part = 0; part < scene->characters[member->character]->partCount; part++) {
        SkinnedVertices vertices;
        VkskinInstance instance = scene->crowd->instances[member->firstInstance + part];
        assert_true(readbackInstance(scene->skinning, instance, &vertices, &fixture.error));
        const uint8_t *streams[2] = {(const uint8_t *)vertices.positions, (const uint8_t *)vertices.normals};
        for (int stream = 0; stream < 2; stream++) {
            for (size_t i = 0; i < (size_t)vertices.count * 3 * sizeof(float); i++) {
                hash = (hash ^ streams[stream][i]) * 0x100000001b3u;
            }
        }
        skinnedVerticesFree(&vertices);
    }
    return hash;
}

static bool sameMember(const CrowdMember *a, const CrowdMember *b) {
    return a->character == b->character && a->clip == b->clip && a->time == b->time &&
           memcmp(&a->place, &b->place, sizeof(a->place)) == 0 && memcmp(a->tint, b->tint, sizeof(a->tint)) == 0;
}

static void theSeedMakesTheCrowd(void **state) {
    (void)state;
    const SceneDef seven = sceneDef(60, 7);
    const SceneDef eight = sceneDef(60, 8);
    Scene *first = makeScene(&seven);
    Scene *again = makeScene(&seven);
    Scene *other = makeScene(&eight);
    uint32_t different = 0;
    uint32_t kinds[KINDS] = {0};
    for (uint32_t i = 0; i < 60; i++) {
        assert_true(sameMember(&first->crowd->members[i], &again->crowd->members[i]));
        different += sameMember(&first->crowd->members[i], &other->crowd->members[i]) ? 0 : 1;
        kinds[first->crowd->members[i].character]++;
    }
    assert_int_equal(different, 60);
    assert_int_equal(kinds[0], 30);
    assert_int_equal(kinds[1], 30);
    sceneDestroy(first);
    sceneDestroy(again);
    sceneDestroy(other);
}

/* The member's box at its moment, in the world. */
static Bounds memberBox(const Scene *scene, const CrowdMember *member, double clock) {
    const Character *character = scene->characters[member->character];
    Bounds box;
    VkskinAffine toWorld = vkskinMultiplyAffine(&member->place, &character->modelToCommon);
    assert_true(characterBounds(character, character->clips[member->clip], member->time + clock, member->wrap, &box,
                                &fixture.error));
    return boundsTransform(&box, &toWorld);
}

static float overlap(const Bounds *a, const Bounds *b, int axis) {
    return fminf(a->max[axis], b->max[axis]) - fmaxf(a->min[axis], b->min[axis]);
}

static void nobodyStandsInAnother(void **state) {
    (void)state;
    enum { COUNT = 40 };
    const SceneDef def = sceneDef(COUNT, 3);
    Scene *scene = makeScene(&def);
    const float allowed = 0.05f * scene->crowd->memberHeight;
    Bounds boxes[COUNT];
    float heights[KINDS] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        const CrowdMember *member = &scene->crowd->members[i];
        boxes[i] = memberBox(scene, member, 0.37);
        heights[member->character] += (boxes[i].max[1] - boxes[i].min[1]) / (COUNT / KINDS);
        assert_true(boxes[i].min[1] > -allowed);
        for (uint32_t k = 0; k < i; k++) {
            bool apart = overlap(&boxes[i], &boxes[k], 0) < allowed || overlap(&boxes[i], &boxes[k], 2) < allowed;
            assert_true(apart);
        }
    }
    for (int kind = 0; kind < KINDS; kind++) { /* a beast and a human, of one size */
        assert_float_equal(heights[kind], CROWD_FIELD_HEIGHT, 0.05f * CROWD_FIELD_HEIGHT);
    }
    sceneDestroy(scene);
}

/* Distinct pairs of clip and time give distinct vertices, equal pairs equal ones; so do all later moments. */
static void everyoneMovesAsTold(void **state) {
    (void)state;
    enum { COUNT = 24 };
    const SceneDef def = sceneDef(COUNT, 5);
    Scene *scene = makeScene(&def);
    CrowdMember *members = scene->crowd->members;
    uint32_t twin = 1;
    while (members[twin].character != members[0].character) {
        twin++;
    }
    members[twin].clip = members[0].clip;
    members[twin].time = members[0].time;
    for (int frame = 0; frame < 3; frame++) {
        uint64_t hashes[COUNT];
        skinOnce(scene, 0.21 * frame);
        for (uint32_t i = 0; i < COUNT; i++) {
            hashes[i] = hashMember(scene, i);
            for (uint32_t k = 0; k < i; k++) {
                bool twins = i == twin && k == 0;
                assert_int_equal(hashes[i] == hashes[k], twins);
            }
        }
    }
    sceneDestroy(scene);
}

static void theLastFrameHolds(void **state) {
    (void)state;
    const SceneDef def = sceneDef(2, 5);
    Scene *scene = makeScene(&def);
    CrowdMember *member = &scene->crowd->members[0];
    const Character *character = scene->characters[member->character];
    double duration = vkskinGetClipDuration(character->clips[member->clip]);
    member->time = 0.25;
    skinOnce(scene, 0.0);
    uint64_t inside = hashMember(scene, 0);
    member->time = duration + 1.0;
    member->wrap = VKSKIN_WRAP_CLAMP;
    skinOnce(scene, 0.0);
    uint64_t past = hashMember(scene, 0);
    member->time = duration;
    skinOnce(scene, 0.0);
    assert_true(hashMember(scene, 0) == past);
    assert_true(inside != past);
    sceneDestroy(scene);
}

/* Small pages: palettes and output are spread over many of them. */
static void aCrowdSpansPages(void **state) {
    (void)state;
    SceneDef def = sceneDef(90, 2);
    def.pageSize = 64 * 1024;
    Scene *scene = makeScene(&def);
    skinOnce(scene, 0.0);
    VkskinStats stats;
    assert_int_equal(vkskinGetStats(scene->skinning->context, &stats), VKSKIN_SUCCESS);
    assert_int_equal(stats.instancesSkinned, scene->crowd->instanceCount);
    assert_int_equal(stats.verticesSkinned, scene->crowd->vertexCount);
    assert_true(stats.outputPages > 4);
    assert_true(stats.palettePages > 4);
    sceneDestroy(scene);
}

static void tooLargeACrowdIsRefused(void **state) {
    (void)state;
    const SceneDef def = sceneDef(1000000000, 2);
    assert_null(sceneCreate(fixture.device, &def, &fixture.error));
    assert_non_null(strstr(fixture.error.message, "a crowd of 1000000000 needs at least "));
}

/* ---- Runs ---- */

typedef struct Told {
    uint32_t calls[3]; /* by phase */
    uint32_t totals[3];
    bool inOrder;
} Told;

static void hear(void *user, CrowdPhase phase, uint32_t done, uint32_t total) {
    Told *told = user;
    bool earlier = phase == CROWD_PHASE_WARMUP || told->calls[phase - 1] == told->totals[phase - 1];
    told->inOrder = told->inOrder && earlier && done == ++told->calls[phase] && done <= total;
    told->totals[phase] = total;
}

static CrowdResult runCrowd(uint32_t warmupFrames, uint32_t frames, Told *told) {
    const SceneDef def = sceneDef(3, 1);
    Scene *scene = makeScene(&def);
    *told = (Told){.inOrder = true};
    const CrowdRunDef run = {
        .frames = frames, .warmupFrames = warmupFrames, .width = 32, .height = 32, .progress = hear, .user = told};
    CrowdResult result;
    bool good = crowdRun(scene, &run, &result, NULL, &fixture.error);
    sceneDestroy(scene);
    if (!good) {
        fail_msg("%s", fixture.error.message);
    }
    return result;
}

static void progressTellsThePhases(void **state) {
    (void)state;
    Told told;
    runCrowd(2, 3, &told);
    assert_true(told.inOrder);
    assert_int_equal(told.calls[CROWD_PHASE_WARMUP], 2);
    assert_int_equal(told.calls[CROWD_PHASE_MEASURED], 3);
    assert_true(told.calls[CROWD_PHASE_TRAILING] >= 1);
    for (int phase = 0; phase < 3; phase++) {
        assert_int_equal(told.calls[phase], told.totals[phase]);
    }
    runCrowd(0, 1, &told);
    assert_true(told.inOrder);
    assert_int_equal(told.calls[CROWD_PHASE_WARMUP], 0);
}

/* Meshes go up in the first frame; palettes are written in place where the device is a processor. */
static void onlyUploadsAreMeasured(void **state) {
    (void)state;
    const bool inPlace = fixture.device->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    Told told;
    CrowdResult result = runCrowd(0, 3, &told);
    assert_true(inPlace ? result.upload.count == 1 : result.upload.count >= 1);
    result = runCrowd(1, 3, &told);
    if (inPlace) {
        assert_int_equal(result.upload.count, 0);
        assert_true(result.upload.median == 0.0);
    }
    assert_int_equal(result.skinning.count, 3);
    assert_int_equal(result.draw.count, 3);
    assert_int_equal(result.pose.count, 3);
}

#define CROWD_TEST(function) cmocka_unit_test_teardown(function, noMessagesCame)

int main(void) {
    const struct CMUnitTest tests[] = {
        CROWD_TEST(theSeedMakesTheCrowd),   CROWD_TEST(nobodyStandsInAnother),  CROWD_TEST(everyoneMovesAsTold),
        CROWD_TEST(theLastFrameHolds),      CROWD_TEST(aCrowdSpansPages),       CROWD_TEST(tooLargeACrowdIsRefused),
        CROWD_TEST(progressTellsThePhases), CROWD_TEST(onlyUploadsAreMeasured),
    };
    return cmocka_run_group_tests_name("engine.crowd", tests, openAll, closeAll);
}
