/*
 * Scenes and crowds, with the kernels and with the CPU backend: placement, poses, morphs, methods, pages, culling and
 * runs. Two real models, and ../command/fixtures/face.gltf, which test_methods.c there describes: its morph targets "up"
 * and "wide" are (0.25 0) at rest and go from (0 0.5) to (1 0.5) in clip 0.
 */
#include <float.h>

#include "population_run.h"
#include "draw_overlay.h"
#include "population_fall.h"
#include "import.h"
#include "likeness.h"
#include "scene.h"
#include "test.h"

#define KINDS 2
#define FACE  KINDS

typedef struct Fixture {
    Device *device;
    Model *models[KINDS + 1];
    VkskinBackend backend;
    EngineError error;
    Scene *scenes[KINDS + 1]; /* [sceneCount]: of the current test */
    uint32_t sceneCount;
} Fixture;

static Fixture fixture;

/* Weights of a model need not sum to 1. */
static void scaleWeights(ModelMesh *mesh, float factor) {
    for (size_t i = 0; i < (size_t)mesh->vertexCount * mesh->influences; i++) {
        mesh->weights[i] *= factor;
    }
}

static int openAll(void **state) {
    static const char *const paths[KINDS + 1] = {VKSKIN_TEST_MODELS "/X/Testwuson.X",
                                                 VKSKIN_TEST_MODELS "/X/BCN_Epileptic.X", SCENE_FIXTURE};
    const DeviceOptions options = {.validation = true};
    *state = &fixture;
    /* Before the device: import forks, and a driver may have threads of its own. */
    for (int i = 0; i <= KINDS; i++) {
        fixture.models[i] = importModel(paths[i], NULL, &fixture.error);
        if (!fixture.models[i]) {
            print_error("%s\n", fixture.error.message);
            return -1;
        }
    }
    scaleWeights(&fixture.models[FACE]->meshes[0], 4.0f);
    fixture.device = deviceCreate(&options, &fixture.error);
    if (!fixture.device) {
        print_error("%s\n", fixture.error.message);
        return -1;
    }
    return 0;
}

static int closeAll(void **state) {
    (void)state;
    for (int i = 0; i <= KINDS; i++) {
        modelFree(fixture.models[i]);
    }
    deviceDestroy(fixture.device);
    return 0;
}

static int destroyScenes(void **state) {
    (void)state;
    while (fixture.sceneCount > 0) {
        sceneDestroy(fixture.scenes[--fixture.sceneCount]);
    }
    return fixture.device->validationMessages == 0 ? 0 : -1;
}

#define SCENE_TEST(name) TEST_WITH(name, NULL, destroyScenes)

static SceneDef sceneDef(uint32_t count, uint64_t seed) {
    return (SceneDef){.models = (const Model *const *)fixture.models,
                      .modelCount = KINDS,
                      .count = count,
                      .seed = seed,
                      .skin = {.backend = fixture.backend},
                      .wrap = VKSKIN_WRAP_LOOP,
                      .format = VKSKIN_VERTEX_FLOAT,
                      .readback = true};
}

static Scene *makeScene(const SceneDef *def) {
    Scene *scene = sceneCreate(fixture.device, def, &fixture.error);
    TEST_GOOD(scene, fixture.error);
    assert_true(fixture.sceneCount < COUNT_OF(fixture.scenes));
    fixture.scenes[fixture.sceneCount++] = scene;
    assert_int_equal(scene->skinning->backend, fixture.backend);
    return scene;
}

/* Characters of one model, at the origin, as floats. */
static Scene *makePlain(uint32_t model, const SkinChoice *skin, uint32_t count, uint32_t otherModes) {
    SceneDef def = sceneDef(count, 0);
    def.models = (const Model *const *)&fixture.models[model];
    def.modelCount = 1;
    def.placement = POPULATION_ORIGIN;
    def.skin = *skin;
    def.skin.backend = fixture.backend;
    def.otherModes = otherModes;
    def.wrap = VKSKIN_WRAP_CLAMP;
    return makeScene(&def);
}

static void skinOnce(Scene *scene, double clock) {
    TEST_GOOD(sceneSkinOnce(scene, clock, &fixture.error), fixture.error);
}

static VkskinStats statsOf(const Scene *scene) {
    VkskinStats stats;
    assert_int_equal(vkskinGetStats(scene->skinning->context, &stats), VKSKIN_SUCCESS);
    return stats;
}

static SkinnedVertices readPart(Scene *scene, uint32_t character, uint32_t part) {
    SkinnedVertices vertices;
    VkskinInstance instance =
        scene->population->instances[scene->population->characters[character].firstInstance + part];
    assert_true(readbackInstance(scene->skinning, instance, &vertices, &fixture.error));
    return vertices;
}

/* FNV-1a over the positions and normals of all parts. */
static uint64_t hashCharacter(Scene *scene, uint32_t index) {
    const Character *character = &scene->population->characters[index];
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t part = 0; part < scene->models[character->model]->partCount; part++) {
        SkinnedVertices vertices = readPart(scene, index, part);
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

static bool sameCharacter(const Character *a, const Character *b) {
    return a->model == b->model && a->clip == b->clip && a->time == b->time &&
           memcmp(&a->place, &b->place, sizeof(a->place)) == 0 && memcmp(a->tint, b->tint, sizeof(a->tint)) == 0;
}

SCENE_TEST(sameSeedGivesSameCrowd) {
    const SceneDef seven = sceneDef(60, 7);
    const SceneDef eight = sceneDef(60, 8);
    Scene *first = makeScene(&seven);
    Scene *again = makeScene(&seven);
    Scene *other = makeScene(&eight);
    uint32_t different = 0;
    uint32_t kinds[KINDS] = {0};
    for (uint32_t i = 0; i < 60; i++) {
        assert_true(sameCharacter(&first->population->characters[i], &again->population->characters[i]));
        different += sameCharacter(&first->population->characters[i], &other->population->characters[i]) ? 0 : 1;
        kinds[first->population->characters[i].model]++;
    }
    assert_int_equal(different, 60);
    assert_int_equal(kinds[0], 30);
    assert_int_equal(kinds[1], 30);
}

/* The character's box at its moment, in the world. */
static Bounds characterBox(const Scene *scene, const Character *character, double clock) {
    const SkinnedModel *skinned = scene->models[character->model];
    Bounds box;
    VkskinAffine toWorld = vkskinMultiplyAffine(&character->place, &skinned->modelToCommon);
    assert_true(
        skinnedModelBounds(skinned, character->clip, character->time + clock, character->wrap, &box, &fixture.error));
    return boundsTransform(&box, &toWorld);
}

static float overlap(const Bounds *a, const Bounds *b, int axis) {
    return fminf(a->max[axis], b->max[axis]) - fmaxf(a->min[axis], b->min[axis]);
}

SCENE_TEST(charactersDoNotOverlap) {
    enum { COUNT = 40 };
    const SceneDef def = sceneDef(COUNT, 3);
    Scene *scene = makeScene(&def);
    const float allowed = 0.05f * scene->population->characterHeight;
    Bounds boxes[COUNT], field = boundsEmpty();
    float heights[KINDS] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        const Character *character = &scene->population->characters[i];
        boxes[i] = characterBox(scene, character, 0.37);
        heights[character->model] += (boxes[i].max[1] - boxes[i].min[1]) / (COUNT / KINDS);
        boundsAdd(&field, &boxes[i]);
        assert_true(boxes[i].min[1] > -allowed);
        for (uint32_t k = 0; k < i; k++) {
            bool apart = overlap(&boxes[i], &boxes[k], 0) < allowed || overlap(&boxes[i], &boxes[k], 2) < allowed;
            assert_true(apart);
        }
    }
    for (int kind = 0; kind < KINDS; kind++) { /* beast and human have the same size */
        assert_float_equal(heights[kind], POPULATION_FIELD_HEIGHT, 0.05f * POPULATION_FIELD_HEIGHT);
    }
    const float aspect = (field.max[0] - field.min[0]) / (field.max[2] - field.min[2]);
    print_message("the field is %.2f times as wide as deep\n", (double)aspect);
    assert_true(aspect > 1.0f && aspect < 2.5f);
}

/* Distinct pairs of clip and time give distinct vertices, equal pairs equal ones; so do all later moments. */
SCENE_TEST(eachCharacterPlaysItsOwnClip) {
    enum { COUNT = 24 };
    const SceneDef def = sceneDef(COUNT, 5);
    Scene *scene = makeScene(&def);
    Character *characters = scene->population->characters;
    uint32_t twin = 1;
    while (characters[twin].model != characters[0].model) {
        twin++;
    }
    characters[twin].clip = characters[0].clip;
    characters[twin].time = characters[0].time;
    for (int frame = 0; frame < 3; frame++) {
        uint64_t hashes[COUNT];
        skinOnce(scene, 0.21 * frame);
        for (uint32_t i = 0; i < COUNT; i++) {
            hashes[i] = hashCharacter(scene, i);
            for (uint32_t k = 0; k < i; k++) {
                bool twins = i == twin && k == 0;
                assert_int_equal(hashes[i] == hashes[k], twins);
            }
        }
    }
}

SCENE_TEST(lastFrameHolds) {
    const SceneDef def = sceneDef(2, 5);
    Scene *scene = makeScene(&def);
    Character *character = &scene->population->characters[0];
    const SkinnedModel *skinned = scene->models[character->model];
    double duration = vkskinGetClipDuration(skinned->clips[character->clip]);
    character->time = 0.25;
    skinOnce(scene, 0.0);
    uint64_t inside = hashCharacter(scene, 0);
    character->time = duration + 1.0;
    character->wrap = VKSKIN_WRAP_CLAMP;
    skinOnce(scene, 0.0);
    uint64_t past = hashCharacter(scene, 0);
    character->time = duration;
    skinOnce(scene, 0.0);
    assert_true(hashCharacter(scene, 0) == past);
    assert_true(inside != past);
}

/* Small pages: palettes and output are spread over many of them. */
SCENE_TEST(crowdSpansPages) {
    SceneDef def = sceneDef(90, 2);
    def.pageSize = 64 * 1024;
    Scene *scene = makeScene(&def);
    skinOnce(scene, 0.0);
    VkskinStats stats = statsOf(scene);
    assert_int_equal(stats.instancesSkinned, scene->population->instanceCount);
    assert_int_equal(stats.verticesSkinned, scene->population->vertexCount);
    assert_true(stats.outputPages > 4);
    assert_true(stats.palettePages > 4);
}

SCENE_TEST(tooLargeCrowdIsRefused) {
    const SceneDef def = sceneDef(1000000000, 2);
    assert_null(sceneCreate(fixture.device, &def, &fixture.error));
    assert_non_null(strstr(fixture.error.message, "a crowd of 1000000000 needs at least "));
}

/* ---- Morphs and methods ---- */

/* The last corner of the face of a character: (wide 1 up). */
static void expectCorner(Scene *scene, uint32_t character, float wide, float up) {
    SkinnedVertices vertices = readPart(scene, character, 1);
    assert_float_equal(vertices.positions[6], wide, 1e-6f);
    assert_float_equal(vertices.positions[7], 1.0f, 1e-6f);
    assert_float_equal(vertices.positions[8], up, 1e-6f);
    skinnedVerticesFree(&vertices);
}

SCENE_TEST(eachCharacterHasItsOwnWeights) {
    static const SkinChoice plain;
    Scene *scene = makePlain(FACE, &plain, 3, 0);
    Character *characters = scene->population->characters;
    for (uint32_t i = 0; i < 3; i++) {
        characters[i].clip = i < 2 ? 0 : UINT32_MAX;
        characters[i].time = 0.25 + 0.5 * i;
    }
    skinOnce(scene, 0.0);
    expectCorner(scene, 0, 0.5f, 0.25f);
    expectCorner(scene, 1, 0.5f, 0.75f);
    expectCorner(scene, 2, 0.0f, 0.25f); /* at rest */
}

SCENE_TEST(settingsReplaceClips) {
    static const MorphSetting settings[] = {{"up", -1.0f}, {"missing", 7.0f}};
    static const SkinChoice choice = {.morphs = settings, .morphCount = 2};
    float weights[2];
    Scene *scene = makePlain(FACE, &choice, 1, 0);
    const SkinnedModel *skinned = scene->models[0];
    assert_int_equal(skinned->morphCount, 2);
    assert_true(skinnedModelMorphWeights(skinned, 0, 0.75, VKSKIN_WRAP_CLAMP, weights, &fixture.error));
    assert_float_equal(weights[0], -1.0f, 0.0f);
    assert_float_equal(weights[1], 0.5f, 1e-6f);
}

SCENE_TEST(boundsIncludeMorphs) {
    static const MorphSetting settings[] = {{"up", 5.0f}, {"wide", -3.0f}};
    static const SkinChoice choice = {.morphs = settings, .morphCount = 2};
    Bounds bounds;
    Scene *scene = makePlain(FACE, &choice, 1, 0);
    assert_true(
        skinnedModelBounds(scene->models[0], VKSKIN_REST_POSE, 0.0, VKSKIN_WRAP_CLAMP, &bounds, &fixture.error));
    assert_float_equal(bounds.min[0], -3.0f, 1e-6f);
    assert_float_equal(bounds.max[0], 1.0f, 1e-6f); /* box of the other triangle; the next lines too */
    assert_float_equal(bounds.min[2], -1.0f, 1e-6f);
    assert_float_equal(bounds.max[2], 5.0f, 1e-6f);
}

/* The x and z of the stretched triangle's second corner: dual quaternions hold no scale. */
static void expectStretched(Scene *scene, float x) {
    skinOnce(scene, 0.0);
    SkinnedVertices vertices = readPart(scene, 0, 0);
    assert_float_equal(vertices.positions[3], x, 1e-6f);
    assert_float_equal(vertices.positions[5], -1.0f, 1e-6f);
    skinnedVerticesFree(&vertices);
}

SCENE_TEST(modeMayChange) {
    static const SkinChoice choice = {.mode = SKIN_MODE_COR};
    static const SkinMode modes[] = {SKIN_MODE_DQS, SKIN_MODE_LBS, SKIN_MODE_COR};
    const uint32_t others = 1u << SKIN_MODE_DQS | 1u << SKIN_MODE_LBS;
    Scene *scene = makePlain(FACE, &choice, 1, others);
    assert_int_equal(scene->modes, others | 1u << SKIN_MODE_COR);
    scene->population->characters[0].clip = 1;
    scene->population->characters[0].time = 1.0;
    expectStretched(scene, 3.0f);
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        assert_true(sceneChangeMode(scene, modes[i], &fixture.error));
        expectStretched(scene, modes[i] == SKIN_MODE_DQS ? 1.0f : 3.0f);
    }
}

SCENE_TEST(namesAndNumbersFindTargets) {
    static const struct {
        const char *name;
        bool up, wide;
    } cases[] = {
        {"up", true, false}, {"wide", false, true}, {"0", true, false}, {"1", false, true},
        {"2", false, false}, {"Up", false, false},  {"", false, false}, {"18446744073709551616", false, false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const MorphSetting setting = {cases[i].name, 1.0f};
        assert_int_equal(morphSettingIsOf(&setting, fixture.models[FACE], 1, 0), cases[i].up);
        assert_int_equal(morphSettingIsOf(&setting, fixture.models[FACE], 1, 1), cases[i].wide);
        assert_int_equal(morphSettingIsKnown(&setting, fixture.models[FACE]), cases[i].up || cases[i].wide);
    }
}

/* ---- Boxes and culling ---- */

/* Vertices of character 0 outside of `box`, grown by rounding. */
static uint32_t countOutside(Scene *scene, const Bounds *box) {
    const SkinnedModel *skinned = scene->models[0];
    const float slack = 1e-5f * boundsDiagonal(box);
    uint32_t outside = 0;
    for (uint32_t part = 0; part < skinned->partCount; part++) {
        SkinnedVertices vertices = readPart(scene, 0, part);
        const VkskinAffine *toModel = &skinned->parts[part].meshToModel;
        for (uint32_t i = 0; i < vertices.count; i++) {
            const float *p = &vertices.positions[3 * (size_t)i];
            bool inside = true;
            for (int axis = 0; axis < 3; axis++) {
                const float *m = toModel->m[axis];
                float at = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
                inside = inside && at >= box->min[axis] - slack && at <= box->max[axis] + slack;
            }
            outside += !inside;
        }
        skinnedVerticesFree(&vertices);
    }
    return outside;
}

static void checkBoxes(Scene *scene, SkinMode mode) {
    const SkinnedModel *skinned = scene->models[0];
    Character *character = &scene->population->characters[0];
    VkskinAffine *world = calloc(skinned->model->nodeCount, sizeof *world);
    for (uint32_t clip = 0; clip <= skinned->clipCount; clip++) {
        double duration = clip < skinned->clipCount ? vkskinGetClipDuration(skinned->clips[clip]) : 0.0;
        const Bounds *box = skinnedModelBox(skinned, clip, mode);
        Bounds seen = boundsEmpty();
        character->clip = clip;
        for (int sample = 0; sample < 12; sample++) { /* keys and moments between keys */
            Bounds now, posed;
            character->time = duration * fmod(0.381966 * sample, 1.0);
            skinOnce(scene, 0.0);
            assert_int_equal(countOutside(scene, box), 0);
            assert_true(
                skinnedModelPose(skinned, clip, character->time, VKSKIN_WRAP_CLAMP, NULL, world, &fixture.error));
            assert_true(skinnedModelPoseBox(skinned, world, mode, &posed));
            assert_int_equal(countOutside(scene, &posed), 0);
            assert_true(skinnedModelBounds(skinned, clip, character->time, VKSKIN_WRAP_CLAMP, &now, &fixture.error));
            boundsAdd(&seen, &now);
            assert_true(mode != SKIN_MODE_LBS || boundsDiagonal(&posed) < 1.2f * boundsDiagonal(&now));
        }
        if (mode == SKIN_MODE_LBS) { /* and the box is of use */
            assert_true(boundsDiagonal(box) < 1.5f * boundsDiagonal(&seen));
        }
    }
    free(world);
}

SCENE_TEST(boxesHoldEveryPose) {
    static const SkinMode modes[] = {SKIN_MODE_LBS,   SKIN_MODE_DQS, SKIN_MODE_DQS_SCALED,
                                     SKIN_MODE_BLEND, SKIN_MODE_COR, SKIN_MODE_QT};
    static const MorphSetting settings[] = {{"wide", -3.0f}};
    const SkinChoice choice = {.morphs = settings, .morphCount = 1};
    uint32_t others = 0;
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        others |= 1u << modes[i];
    }
    for (uint32_t model = 0; model <= KINDS; model++) {
        Scene *scene = makePlain(model, &choice, 1, others);
        for (size_t i = 0; i < COUNT_OF(modes); i++) {
            assert_true(sceneChangeMode(scene, modes[i], &fixture.error));
            checkBoxes(scene, modes[i]);
        }
    }
}

/* The check above notices vertices outside: the clip of the human leaves the box of its rest pose. */
SCENE_TEST(posesLeaveTheRestBox) {
    static const SkinChoice plain;
    Scene *scene = makePlain(1, &plain, 1, 0);
    scene->population->characters[0].clip = 0;
    scene->population->characters[0].time = 1.0;
    skinOnce(scene, 0.0);
    assert_true(countOutside(scene, skinnedModelBox(scene->models[0], UINT32_MAX, SKIN_MODE_LBS)) > 0);
}

SCENE_TEST(unchangedPosesCostNothing) {
    const SceneDef def = sceneDef(6, 5);
    Scene *scene = makeScene(&def);
    Population *population = scene->population;
    skinOnce(scene, 0.25);
    uint64_t hash = hashCharacter(scene, 0);
    skinOnce(scene, 0.25);
    VkskinStats stats = statsOf(scene);
    assert_int_equal(stats.instancesUnchanged, population->instanceCount);
    assert_int_equal(stats.instancesSkinned, 0);
    assert_int_equal(stats.paletteBytes, 0);
    assert_true(hashCharacter(scene, 0) == hash);

    population->characters[0].time += 0.1;
    population->characters[1].passes = 0; /* as populationCull does with a character that no pass shows */
    skinOnce(scene, 0.25);
    stats = statsOf(scene);
    uint32_t parts = scene->models[population->characters[0].model]->partCount;
    assert_int_equal(stats.instancesSkinned, parts);
    assert_int_equal(stats.instancesCulled, scene->models[population->characters[1].model]->partCount);
    assert_true(hashCharacter(scene, 0) != hash);
}

/* ---- Picking ---- */

/* The middle of a triangle of skinned vertices, in the world. */
static void middleOf(const SkinnedVertices *vertices, const uint32_t *corners, const VkskinAffine *place, float at[3]) {
    for (int row = 0; row < 3; row++) {
        at[row] = place->m[row][3];
        for (int k = 0; k < 9; k++) {
            at[row] += place->m[row][k % 3] * vertices->positions[3 * (size_t)corners[k / 3] + (size_t)(k % 3)] / 3;
        }
    }
}

/* Whether a bone of a node moves a vertex of the triangle. */
static bool nodeMoves(const Model *model, const ModelPart *part, const uint32_t *corners, uint32_t node) {
    const ModelMesh *mesh = &model->meshes[part->mesh];
    bool moves = false;
    for (uint32_t i = 0; i < 3 * mesh->influences; i++) {
        const size_t at = (size_t)corners[i / mesh->influences] * mesh->influences + i % mesh->influences;
        moves = moves || (mesh->weights[at] > 0 && model->skins[part->skin].boneNodes[mesh->joints[at]] == node);
    }
    return moves;
}

/* A ray to the middle of a triangle hits it, or something in front of it. */
static void pickTriangle(const Scene *scene, const Camera *camera, uint32_t character, const uint32_t *corners,
                         const float at[3], uint32_t triangle, uint32_t *hits) {
    const Population *population = scene->population;
    const Model *model = population->models[population->characters[character].model]->model;
    PopulationPick pick;
    float matrix[16], clip[4], direction[3];
    cameraViewProjection(camera, 1.5f, matrix);
    for (int i = 0; i < 4; i++) {
        clip[i] = matrix[i] * at[0] + matrix[4 + i] * at[1] + matrix[8 + i] * at[2] + matrix[12 + i];
    }
    const float place[2] = {0.5f + 0.5f * clip[0] / clip[3], 0.5f + 0.5f * clip[1] / clip[3]};
    cameraRay(camera, 1.5f, place, direction);
    PickRay ray = {.direction = {0}};
    for (int i = 0; i < 3; i++) {
        ray.origin[i] = camera->eye[i];
        ray.direction[i] = at[i] - camera->eye[i];
        assert_float_equal(direction[i] * clip[3], ray.direction[i], 1e-3f * clip[3]);
    }
    TEST_GOOD(populationPick(population, &ray, &pick, &fixture.error), fixture.error);
    assert_true(pick.character != PICK_NOTHING && pick.hit.distance < 1.0001f);
    if (pick.character == character && pick.part == 0 && pick.hit.triangle == triangle) {
        assert_float_equal(pick.hit.distance, 1, 1e-4f);
        assert_true(nodeMoves(model, &model->parts[0], corners, pick.node));
        (*hits)++;
    }
}

SCENE_TEST(raysPickWhatIsInFront) {
    const MotionChoice motion = {.addClip = "0", .addWeight = 0.5f};
    for (int moved = 0; moved < 2; moved++) {
        SceneDef def = sceneDef(20, 5);
        def.motion = moved ? &motion : NULL;
        def.modelCount = moved ? 1 : KINDS;
        Scene *scene = makeScene(&def);
        skinOnce(scene, 0.25);
        const Camera camera = drawDefaultScene(scene->population, 1.5f).camera;
        uint32_t hits = 0;
        for (uint32_t c = 0; c < scene->population->characterCount; c++) {
            const Character *character = &scene->population->characters[c];
            const Model *model = scene->models[character->model]->model;
            const ModelMesh *mesh = &model->meshes[model->parts[0].mesh];
            const VkskinAffine place = populationPartMatrix(scene->population, character, 0);
            SkinnedVertices vertices = readPart(scene, c, 0);
            for (uint32_t t = 0; t < 3; t++) {
                const uint32_t triangle = mesh->indexCount / 3 * t / 3;
                float at[3];
                middleOf(&vertices, mesh->indices + 3 * (size_t)triangle, &place, at);
                pickTriangle(scene, &camera, c, mesh->indices + 3 * (size_t)triangle, at, triangle, &hits);
            }
            skinnedVerticesFree(&vertices);
        }
        print_message("%u of 60 triangles are in front\n", hits);
        assert_true(hits >= 10);
        PopulationPick pick;
        ModelMesh *empty = &fixture.models[0]->meshes[0];
        const uint32_t indices = empty->indexCount;
        for (int i = moved ? 0 : 1; i < 2 + moved; i++) { /* to a character; past all; to a mesh without triangles */
            const float *m = scene->population->characters[0].place.m[0];
            const PickRay ray = {{m[3], 100, m[11]}, {0, i == 1 ? 1 : -1, 0}};
            empty->indexCount = i == 2 ? 0 : indices;
            TEST_GOOD(populationPick(scene->population, &ray, &pick, &fixture.error), fixture.error);
            assert_int_equal(pick.character, i == 0 ? 0 : PICK_NOTHING);
        }
        empty->indexCount = indices;
    }
}

/* ---- Falls ---- */

/* The mean of the vertices of the only character, in the world. */
static void meanAt(Scene *scene, double clock, float mean[3]) {
    const VkskinAffine place = populationPartMatrix(scene->population, &scene->population->characters[0], 0);
    skinOnce(scene, clock);
    SkinnedVertices vertices = readPart(scene, 0, 0);
    for (int row = 0; row < 3; row++) {
        mean[row] = place.m[row][3];
        for (size_t i = 0; i < 3 * (size_t)vertices.count; i++) {
            mean[row] += place.m[row][i % 3] * vertices.positions[i] / (float)vertices.count;
        }
    }
    skinnedVerticesFree(&vertices);
}

SCENE_TEST(charactersCollapseAndStandUp) {
    enum { CLIP, FALLS, HIT };
    const MotionChoice none = {.blendWeight = 0};
    SceneDef def = sceneDef(1, 5);
    Scene *scenes[3];
    float before[3], means[3][3], height;
    PopulationPick pick;
    bool falls;
    def.modelCount = 1;
    def.motion = &none;
    for (int i = 0; i < 3; i++) {
        scenes[i] = makeScene(&def);
        meanAt(scenes[i], 0.5, before);
    }
    const PickRay ray = {{before[0] - 20, before[1], before[2]}, {2, 0, 0}};
    TEST_GOOD(populationPick(scenes[HIT]->population, &ray, &pick, &fixture.error), fixture.error);
    assert_int_equal(pick.character, 0);
    height = scenes[CLIP]->population->characterHeight;
    for (int i = FALLS; i <= HIT; i++) {
        TEST_GOOD(populationCollapse(scenes[i]->population, 0, &ray, i == HIT ? &pick : NULL, &falls, &fixture.error),
                  fixture.error);
        assert_true(falls);
        meanAt(scenes[i], 0.5, means[i]);
        for (int k = 0; k < 3; k++) { /* the picture does not jump */
            assert_float_equal(means[i][k], before[k], 1e-5f * height);
        }
    }
    for (int i = 0; i < 3; i++) {
        meanAt(scenes[i], 1.0, means[i]);
    }
    print_message("of %.2f: fell %.2f, hit %.2f along the ray\n", height, means[CLIP][1] - means[FALLS][1],
                  means[HIT][0] - means[FALLS][0]);
    assert_true(means[FALLS][1] < means[CLIP][1] - 0.1f * height && means[HIT][0] > means[FALLS][0] + 0.02f * height);
    TEST_GOOD(populationCollapse(scenes[FALLS]->population, 0, NULL, NULL, &falls, &fixture.error), fixture.error);
    assert_false(falls);
    for (int i = CLIP; i <= FALLS; i++) {
        meanAt(scenes[i], 1.31, means[i]);
    }
    assert_float_equal(means[FALLS][1], means[CLIP][1], 1e-4f * height);
}

/* All corners of the lines lie on the capsules, where the characters are. */
SCENE_TEST(bodiesAreDrawnAroundTheBones) {
    SceneDef def = sceneDef(2, 5);
    DrawOverlays overlays = {.counts = {0}};
    def.modelCount = 1;
    Scene *scene = makeScene(&def);
    Population *population = scene->population;
    skinOnce(scene, 0.25);
    TEST_GOOD(drawOverlaysLines(&overlays, fixture.device, population, DRAW_SHOW_BODIES, 0, &fixture.error),
              fixture.error);
    const OverlayVertex *vertex = (const OverlayVertex *)overlays.lines[0].mapped + overlays.firsts[OVERLAY_BODIES];
    const uint32_t bodies = overlays.shapes[0]->bodyCount, each = overlays.counts[OVERLAY_BODIES] / (2 * bodies);
    VkskinAffine *world = calloc(scene->models[0]->model->nodeCount, sizeof *world);
    assert_true(bodies > 4 && each > 100 && overlays.counts[OVERLAY_BODIES] == 2 * bodies * each);
    for (uint32_t c = 0; c < 2; c++) {
        const Character *character = &population->characters[population->order[c]];
        VkskinAffine place = vkskinMultiplyAffine(&character->place, &scene->models[0]->modelToCommon), back;
        assert_int_equal(vkskinInvertAffine(&place, &back), VKSKIN_SUCCESS);
        TEST_GOOD(skinnedModelPose(scene->models[0], character->clip, character->time + 0.25, character->wrap, NULL,
                                   world, &fixture.error),
                  fixture.error);
        for (uint32_t i = 0; i < bodies * each; i++, vertex++) {
            const VkskinSpringCollider capsule = ragdollCapsuleIn(overlays.shapes[0], i / each, world);
            float along = 0, square = FLT_MIN, distance = 0, at[3];
            for (int k = 0; k < 3; k++) {
                const float *m = back.m[k], *p = vertex->position;
                at[k] = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
                along += (at[k] - capsule.from[k]) * (capsule.to[k] - capsule.from[k]);
                square += (capsule.to[k] - capsule.from[k]) * (capsule.to[k] - capsule.from[k]);
            }
            along = fminf(fmaxf(along / square, 0), 1);
            for (int k = 0; k < 3; k++) {
                distance = hypotf(distance, at[k] - capsule.from[k] - along * (capsule.to[k] - capsule.from[k]));
            }
            assert_float_equal(distance, capsule.radius, 1e-3f * capsule.radius);
        }
    }
    free(world);
    drawOverlaysDestroy(fixture.device, &overlays);
}

/* ---- Pictures ---- */

#define WIDTH  160
#define HEIGHT 120

static Draw *makeDraw(Scene *scene, Target *target) {
    const TargetDef def = {
        .width = WIDTH, .height = HEIGHT, .colourFormat = TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    assert_true(targetCreate(fixture.device, &def, target, &fixture.error));
    Draw *draw = drawCreate(fixture.device, scene->population, TARGET_OFFSCREEN_FORMAT, &fixture.error);
    TEST_GOOD(draw, fixture.error);
    return draw;
}

/* Draws what is prepared. */
static Picture drawFrame(Scene *scene, Draw *draw, const Target *target, double clock) {
    const TargetImage image = targetOffscreenImage(target);
    VkCommandBuffer commandBuffer = immediateBegin(fixture.device, &fixture.error);
    Picture picture;
    assert_true(sceneRecordSkinning(scene, scene->nextSlot++ % FRAMES_IN_FLIGHT, commandBuffer, clock, &fixture.error));
    assert_true(drawRecord(draw, 0, commandBuffer, target, &image, &fixture.error));
    assert_true(immediateEnd(fixture.device, commandBuffer, &fixture.error));
    assert_true(pictureRead(fixture.device, target, false, &picture, &fixture.error));
    return picture;
}

/* all: without leaving anything out. */
static Picture drawFrom(Scene *scene, const DrawScene *view, double clock, bool all, uint32_t *culled) {
    Target target;
    Draw *draw = makeDraw(scene, &target);
    drawPrepare(draw, view, (float)WIDTH / HEIGHT);
    for (uint32_t i = 0; i < scene->population->characterCount && all; i++) {
        scene->population->characters[i].passes = (1u << POPULATION_PASS_COUNT) - 1;
        scene->population->view = NULL;
    }
    Picture picture = drawFrame(scene, draw, &target, clock);
    *culled = statsOf(scene).instancesCulled;
    drawDestroy(draw);
    targetDestroy(fixture.device, &target);
    return picture;
}

static void compareCulled(const MotionChoice *motion) {
    static const float eyes[][3] = {{0, 1.5f, 3}, {2, 4, -6}, {1, 2, 0}};
    SceneDef def = sceneDef(40, 4);
    def.motion = motion;
    def.modelCount = motion ? 1 : KINDS;
    Scene *scene = makeScene(&def);
    uint32_t leftOut = 0;
    for (size_t i = 0; i < COUNT_OF(eyes); i++) {
        DrawScene view = drawDefaultScene(scene->population, 160.0f / 120.0f);
        memcpy(view.camera.eye, eyes[i], sizeof view.camera.eye);
        memcpy(view.camera.target, (float[3]){eyes[i][0] + 1.0f, 0.2f, -1.0f}, sizeof view.camera.target);
        uint32_t skipped, none;
        Picture culled = drawFrom(scene, &view, 0.5 * (double)i, false, &skipped);
        Picture whole = drawFrom(scene, &view, 0.5 * (double)i, true, &none);
        assert_int_equal(none, 0);
        leftOut += skipped;
        for (uint32_t c = 0; c < scene->population->characterCount && motion; c++) {
            assert_true(scene->population->characters[c].boxed.time == scene->population->characters[c].pose.time);
        }
        assert_memory_equal(culled.pixels, whole.pixels, (size_t)whole.width * whole.height * 4);
        pictureFree(&culled);
        pictureFree(&whole);
    }
    print_message("%u instances were left out\n", leftOut);
    assert_true(leftOut > 0);
}

/* The same picture, to the bit, with and without culling: shadows of characters outside of the picture too. Characters with
 * a motion are culled by the box of their pose. */
SCENE_TEST(cullingChangesNoPixel) {
    const MotionChoice motion = {.addClip = "0", .addWeight = 0.5f};
    compareCulled(NULL);
    compareCulled(&motion);
}

/* Skins and uploads, and draws nothing. */
static void uploadFrame(Scene *scene, Draw *draw, double clock) {
    VkCommandBuffer commandBuffer = immediateBegin(fixture.device, &fixture.error);
    assert_true(sceneRecordSkinning(scene, scene->nextSlot++ % FRAMES_IN_FLIGHT, commandBuffer, clock, &fixture.error));
    assert_true(drawUpload(draw, commandBuffer, &fixture.error));
    assert_true(immediateEnd(fixture.device, commandBuffer, &fixture.error));
}

static PopulationPick askCrowd(Scene *scene, Draw *draw, const PickRay *ray, double clock) {
    PopulationPick pick;
    bool found;
    TEST_GOOD(gpuCrowdAsk(drawGpuCrowd(draw), ray, &fixture.error), fixture.error);
    TEST_GOOD(gpuCrowdAnswer(drawGpuCrowd(draw), &pick, &found, &fixture.error), fixture.error);
    assert_false(found);
    for (uint32_t frame = 0; !found; frame++) {
        assert_true(frame <= FRAMES_IN_FLIGHT);
        uploadFrame(scene, draw, clock);
        TEST_GOOD(gpuCrowdAnswer(drawGpuCrowd(draw), &pick, &found, &fixture.error), fixture.error);
    }
    return pick;
}

/* Some frames after a question the answer is what the CPU hits at their clock; not what it hit before, nor that of the question
 * before. */
SCENE_TEST(crowdsOnTheDeviceArePicked) {
    SceneDef def = sceneDef(40, 7);
    def.skin.system = SKIN_SYSTEM_CROWD;
    def.skin.maxError = 0.001;
    def.format = VKSKIN_VERTEX_PACKED;
    Scene *scene = makeScene(&def);
    Target target;
    Draw *draw = makeDraw(scene, &target);
    const DrawScene view = drawDefaultScene(scene->population, (float)WIDTH / HEIGHT);
    const Bounds *box = &scene->population->bounds; /* from the front and from behind */
    uint32_t same = 0, hits = 0, asked = 0;
    PopulationPick hit = {.character = PICK_NOTHING};
    PickRay last = {.origin = {0}};
    drawPrepare(draw, &view, (float)WIDTH / HEIGHT);
    uploadFrame(scene, draw, 0.125);
    for (uint32_t c = 0; c < scene->population->characterCount; c += 4, asked++) {
        const VkskinAffine *place = &scene->population->characters[c].place;
        const double clock = 0.25 * (double)(asked + 1);
        PopulationPick pick, wanted;
        PickRay ray;
        for (int i = 0; i < 3; i++) {
            ray.origin[i] = asked % 2 && i != 1 ? box->min[i] + box->max[i] - view.camera.eye[i] : view.camera.eye[i];
            ray.direction[i] =
                place->m[i][3] + (i == 1 ? 0.6f * scene->population->characterHeight : 0) - ray.origin[i];
        }
        pick = askCrowd(scene, draw, &ray, clock);
        TEST_GOOD(populationPick(scene->population, &ray, &wanted, &fixture.error), fixture.error);
        hit = pick.character != PICK_NOTHING ? pick : hit;
        last = pick.character != PICK_NOTHING ? ray : last;
        hits += wanted.character != PICK_NOTHING;
        same +=
            pick.character == wanted.character && pick.hit.triangle == wanted.hit.triangle && pick.node == wanted.node;
    }
    print_message("%u hits of %u, %u as on the CPU\n", hits, asked, same);
    assert_true(hits >= 4 && same + 1 >= asked); /* clips are packed: the edge of a triangle may move */
    for (int hidden = 1; hidden >= 0; hidden--) {
        TEST_GOOD(gpuCrowdHide(drawGpuCrowd(draw), hit.character, hidden, &fixture.error), fixture.error);
        const PopulationPick pick = askCrowd(scene, draw, &last, scene->population->clock);
        assert_true((pick.character == hit.character) == !hidden);
        assert_true((scene->population->characters[hit.character].passes == 0) == hidden); /* no bones, no bodies */
    }
    drawDestroy(draw);
    targetDestroy(fixture.device, &target);
}

/* Pictures of two characters that play once: after the end, after the clock went back, after they changed, later. */
#define MOMENTS 4
static void drawMoments(SkinSystem system, Picture pictures[MOMENTS]) {
    static const double CLOCKS[MOMENTS] = {50.0, 0.3, 0.3, 0.5};
    SceneDef def = sceneDef(2, 3);
    def.skin.system = system;
    def.skin.maxError = 0.01;
    def.format = VKSKIN_VERTEX_PACKED;
    def.wrap = VKSKIN_WRAP_CLAMP;
    Scene *scene = makeScene(&def);
    Population *population = scene->population;
    Target target;
    Draw *draw = makeDraw(scene, &target);
    const DrawScene view = drawDefaultScene(population, (float)WIDTH / HEIGHT);
    for (int i = 0; i < MOMENTS; i++) {
        if (i == 2) {
            population->characters[0].time += 0.4;
            population->characters[1].time += 0.4;
            population->changed = true;
        }
        drawPrepare(draw, &view, (float)WIDTH / HEIGHT);
        pictures[i] = drawFrame(scene, draw, &target, CLOCKS[i]);
    }
    assert_true(system != SKIN_SYSTEM_CROWD || !population->changed);
    drawDestroy(draw);
    targetDestroy(fixture.device, &target);
}

SCENE_TEST(aCrowdOfTheDeviceFollowsClockAndCharacters) {
    Picture expected[MOMENTS], pictures[MOMENTS];
    drawMoments(SKIN_SYSTEM_COMPUTE, expected);
    drawMoments(SKIN_SYSTEM_CROWD, pictures);
    for (int i = 0; i < MOMENTS; i++) {
        Likeness likeness;
        assert_true(pictureLikeness(&expected[i], &pictures[i], NULL, &likeness, &fixture.error));
        print_message("moment %d: %.1f dB\n", i, likeness.decibels);
        assert_true(likeness.decibels >= 38.0);
        pictureFree(&expected[i]);
        pictureFree(&pictures[i]);
    }
}

/* ---- Runs ---- */

typedef struct Calls {
    uint32_t calls[3]; /* by phase */
    uint32_t totals[3];
    bool inOrder;
} Calls;

static void hear(void *user, RunPhase phase, uint32_t done, uint32_t total) {
    Calls *seen = user;
    bool earlier = phase == RUN_PHASE_WARMUP || seen->calls[phase - 1] == seen->totals[phase - 1];
    seen->inOrder = seen->inOrder && earlier && done == ++seen->calls[phase] && done <= total;
    seen->totals[phase] = total;
}

static RunResult runCrowd(uint32_t warmupFrames, uint32_t frames, Calls *seen) {
    const SceneDef def = sceneDef(3, 1);
    Scene *scene = makeScene(&def);
    *seen = (Calls){.inOrder = true};
    const RunDef run = {
        .frames = frames, .warmupFrames = warmupFrames, .width = 32, .height = 32, .progress = hear, .user = seen};
    RunResult result;
    TEST_GOOD(populationRun(scene, NULL, &run, &result, NULL, &fixture.error), fixture.error);
    return result;
}

SCENE_TEST(progressReportsPhases) {
    Calls seen;
    runCrowd(2, 3, &seen);
    assert_true(seen.inOrder);
    assert_int_equal(seen.calls[RUN_PHASE_WARMUP], 2);
    assert_int_equal(seen.calls[RUN_PHASE_MEASURED], 3);
    assert_true(seen.calls[RUN_PHASE_TRAILING] >= 1);
    for (int phase = 0; phase < 3; phase++) {
        assert_int_equal(seen.calls[phase], seen.totals[phase]);
    }
    runCrowd(0, 1, &seen);
    assert_true(seen.inOrder);
    assert_int_equal(seen.calls[RUN_PHASE_WARMUP], 0);
}

/* Meshes go up in the first frame; palettes are written in place where the device is a processor. */
SCENE_TEST(uploadIsMeasuredOnlyWhenUsed) {
    const bool inPlace = fixture.device->info.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    Calls seen;
    RunResult result = runCrowd(0, 3, &seen);
    const uint32_t uploads = fixture.backend == VKSKIN_BACKEND_CPU ? 0 : 1; /* the CPU backend reads host memory */
    assert_true(inPlace ? result.upload.count == uploads : result.upload.count >= uploads);
    result = runCrowd(1, 3, &seen);
    if (inPlace) {
        assert_int_equal(result.upload.count, 0);
        assert_true(result.upload.median == 0.0);
    }
    assert_int_equal(result.skinning.count, 3);
    assert_int_equal(result.draw.count, 3);
    assert_int_equal(result.pose.count, 3);
}

/* The first argument, if there is one, is a pattern of names. */
int main(int count, char **arguments) {
    const char *pattern = count > 1 ? arguments[1] : NULL;
    fixture.backend = VKSKIN_BACKEND_COMPUTE;
    int failed = testRunGroup("engine.scene compute", pattern, openAll, closeAll);
    fixture.backend = VKSKIN_BACKEND_CPU;
    return failed + testRunGroup("engine.scene cpu", pattern, openAll, closeAll);
}
