/*
 * One character on the CPU: states that come back, poses and morph weights of later ticks against what the device or the
 * CPU backend posed, boxes, palettes, refusals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd_scene.h"

#define CHARACTERS 40u
#define TICKS      17u /* ticks of a frame: sceneGoOn */
#define PRECISION  1e-5f

static SceneDef defOf(VkskinBackend backend) {
    return (SceneDef){.backend = backend,
                      .cast = {.capacity = CHARACTERS, .slots = {CHARACTERS, CHARACTERS}, .morphs = true},
                      .seed = 5};
}

static void seeAll(CrowdScene *scene) {
    scene->views[0].planeCount = scene->views[1].planeCount = 0;
    sceneRun(scene);
}

static void queryAll(const CrowdScene *scene) {
    GPU_VKSKIN(scene->gpu, vkskinQueryCharacters(scene->context, scene->crowd, scene->characters, scene->count));
}

/* The answers of the latest frame that has finished. Returns their number. */
static uint32_t answers(const CrowdScene *scene, VkskinCharacterState states[CHARACTERS]) {
    uint32_t count = CHARACTERS;
    GPU_VKSKIN(scene->gpu, vkskinGetCharacterStates(scene->context, scene->crowd, states, &count));
    return count;
}

/* ---- Poses ---- */

/* What a frame posed, read back. */
typedef struct Posed {
    CrowdScene *scene;
    const uint32_t *frame;
    const LayoutCrowdPool *pool;
    const unsigned char *palettes;
    uint32_t compared, faded, weights;
} Posed;

static bool near(float a, float b) {
    return fabsf(a - b) <= PRECISION * (1.0f + fabsf(b));
}

static void compareWeights(Posed *posed, uint32_t slot, const VkskinCharacterPose *pose) {
    const uint32_t *words = posed->frame + posed->pool->morphs + (size_t)slot * posed->pool->morphWords;
    for (uint32_t p = 0; p < posed->pool->partCount; p++) {
        LayoutMorphs head;
        memcpy(&head, words, sizeof head);
        float sums[2] = {0};
        for (uint32_t i = 0; i < head.before + head.after; i++) {
            float weight;
            memcpy(&weight, words + LAYOUT_MORPH_WEIGHT_WORDS * (i + 1) + 1, sizeof weight);
            sums[0] += weight;
        }
        for (uint32_t t = 0; t < CAST_TARGETS; t++) {
            const float weight = pose->morphWeights[p * CAST_TARGETS + t];
            posed->weights += weight != 0.0f;
            sums[1] += weight;
        }
        assert_true(near(sums[1], sums[0]));
        words += 3 * LAYOUT_MORPH_WEIGHT_WORDS; /* two targets of each part have a weight */
    }
}

static void comparePose(Posed *posed, uint32_t slot, const VkskinCharacterState *state) {
    CrowdScene *scene = posed->scene;
    VkskinAffine nodes[CAST_NODES], palette[CAST_SKIN_BONES], record;
    VkskinTransform locals[CAST_NODES];
    float weights[CAST_PARTS * CAST_TARGETS];
    VkskinCharacterPose pose = {
        .nodes = nodes, .pose = locals, .morphWeights = weights, .morphWeightCount = (state->model + 1) * CAST_TARGETS};
    assert_true(state->exists);
    memset(weights, 0x40, sizeof weights);
    GPU_VKSKIN(scene->gpu, vkskinPoseCharacter(scene->context, scene->crowd, state, scene->tick - TICKS, &pose));
    GPU_VKSKIN(scene->gpu, vkskinWritePalette(scene->cast.skin, nodes, CAST_NODES, VKSKIN_PALETTE_MAT3X4, palette,
                                              CAST_SKIN_BONES));
    const float *expected = &palette[0].m[0][0];
    const float *actual =
        (const float *)(const void *)(posed->palettes + (size_t)slot * posed->pool->paletteUnits * 16);
    for (uint32_t i = 0; i < CAST_SKIN_BONES * 12; i++) {
        if (!near(expected[i], actual[i])) {
            fail_msg("character %u, number %u: %g, posed %g", state->character.index, i, (double)expected[i],
                     (double)actual[i]);
        }
    }
    memcpy(&record, posed->frame + posed->pool->records + (size_t)slot * CROWD_SLOT_WORDS, sizeof record);
    assert_memory_equal(&record, &state->transform, sizeof record);
    compareWeights(posed, slot, &pose);
    posed->compared++;
    posed->faded += pose.weight > 0.0f;
}

static void comparePool(Posed *posed, uint32_t p, const VkskinCharacterState *states, uint32_t count) {
    posed->pool = sknCrowdPool(sceneInside(posed->scene).plan->tables, p);
    void *palettes = sceneRead(posed->scene, insidePalettes(posed->scene->context, posed->scene->crowd, p));
    posed->palettes = palettes;
    for (uint32_t i = 0; i < posed->frame[posed->pool->counts + CROWD_SKINNED]; i++) {
        const uint32_t character = posed->frame[posed->pool->characters + i] & CROWD_SKINNED_CHARACTER;
        for (uint32_t s = 0; s < count; s++) {
            if (states[s].character.index == character + 1) {
                comparePose(posed, posed->frame[posed->pool->skinned + i], &states[s]);
            }
        }
    }
    free(palettes);
}

/* States of two frames before; nothing changed since then. */
static void comparePoses(Gpu *gpu, VkskinBackend backend) {
    const SceneDef def = defOf(backend);
    CrowdScene scene = sceneMake(gpu, &def);
    Posed posed = {.scene = &scene};
    sceneAdd(&scene, CHARACTERS * 9 / 10);
    scene.tick = UINT32_MAX - 300; /* wraps */
    for (uint32_t f = 0; f < 30; f++) {
        if (f % 5 == 0) {
            sceneChange(&scene);
            queryAll(&scene);
        }
        seeAll(&scene);
        if (f % 5 == 4) {
            VkskinCharacterState states[CHARACTERS];
            const uint32_t count = answers(&scene, states);
            uint32_t *frame = sceneFrame(&scene);
            assert_int_equal(count, scene.count);
            assert_int_equal(states[0].tick, scene.tick - 3 * TICKS);
            posed.frame = frame;
            for (uint32_t p = 0; p < sceneInside(&scene).plan->poolCount; p++) {
                comparePool(&posed, p, states, count);
            }
            free(frame);
        }
    }
    print_message("%u poses, %u in a fade, %u morph weights\n", posed.compared, posed.faded, posed.weights);
    assert_true(posed.compared > 100 && posed.faded > 20 && posed.weights > 100);
    sceneFree(&scene);
}

GPU_TEST(queriedPosesAreThoseOfTheDevice) {
    comparePoses(gpu, VKSKIN_BACKEND_COMPUTE);
}

GPU_TEST(queriedPosesAreThoseOfTheCpuBackend) {
    comparePoses(gpu, VKSKIN_BACKEND_CPU);
}

/* ---- Which frame, and who ---- */

static void followFrames(Gpu *gpu, VkskinBackend backend, VkskinBarriers barriers) {
    SceneDef def = defOf(backend);
    def.barriers = barriers;
    CrowdScene scene = sceneMake(gpu, &def);
    VkskinCharacterState states[CHARACTERS];
    VkskinCrowdStats stats;
    sceneAdd(&scene, 6);
    queryAll(&scene);
    seeAll(&scene);
    seeAll(&scene);
    assert_int_equal(answers(&scene, states), 0); /* no frame has finished for the library */
    GPU_VKSKIN(gpu, vkskinQueryCharacters(scene.context, scene.crowd, scene.characters + 2, 4)); /* later frames */
    sceneCancel(&scene); /* begins the slot of the first frame */
    assert_int_equal(answers(&scene, states), 6);
    GPU_VKSKIN(gpu, vkskinGetCrowdStats(scene.context, scene.crowd, &stats));
    assert_int_equal(states[0].frame, stats.frame);
    assert_int_equal(states[0].tick, 0);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(states[i].character.index, scene.characters[i].index);
        assert_true(states[i].exists);
        assert_int_equal(states[i].parts, states[i].variation >> 8); /* see castCharacter */
    }
    queryAll(&scene);
    const VkskinCharacter gone = scene.characters[5];
    GPU_VKSKIN(gpu, vkskinHideCharacters(scene.context, scene.crowd, scene.characters, 3, true));
    GPU_VKSKIN(gpu, vkskinRemoveCharacters(scene.context, scene.crowd, &gone, 1));
    scene.count = 5;
    for (uint32_t f = 0; f < 3; f++) {
        seeAll(&scene);
    }
    assert_int_equal(answers(&scene, states), 6);
    assert_true(states[0].hidden && states[2].hidden);
    assert_true(states[4].exists && !states[5].exists);
    sceneAdd(&scene, 1); /* takes the index again */
    assert_int_equal(scene.characters[5].index, gone.index);
    for (uint32_t f = 0; f < 3; f++) {
        seeAll(&scene);
    }
    assert_int_equal(answers(&scene, states), 6);
    assert_false(states[5].exists);
    GPU_VKSKIN(gpu, vkskinQueryCharacters(scene.context, scene.crowd, NULL, 0));
    for (uint32_t f = 0; f < 3; f++) {
        seeAll(&scene);
    }
    assert_int_equal(answers(&scene, states), 0);
    sceneFree(&scene);
}

GPU_TEST(statesAreOfTheLastFinishedFrame) {
    followFrames(gpu, VKSKIN_BACKEND_COMPUTE, VKSKIN_BARRIERS_RECORDED);
    followFrames(gpu, VKSKIN_BACKEND_COMPUTE, VKSKIN_BARRIERS_HOST);
    followFrames(gpu, VKSKIN_BACKEND_CPU, VKSKIN_BARRIERS_RECORDED);
}

/* ---- Boxes and palettes ---- */

GPU_TEST(boxesArePartOfTheTables) {
    const SceneDef def = defOf(VKSKIN_BACKEND_COMPUTE);
    CrowdScene scene = sceneMake(gpu, &def);
    const uint32_t *tables = sceneInside(&scene).plan->tables;
    for (uint32_t m = 0; m < CAST_MODELS; m++) {
        for (uint32_t c = 0; c < CAST_CLIPS; c++) {
            VkskinAnimationBox box;
            float margin, numbers[CROWD_BOUNDS_WORDS];
            GPU_VKSKIN(gpu, vkskinGetCrowdBox(scene.context, scene.crowd, m, c, &box, &margin));
            memcpy(numbers, tables + sknCrowdModel(tables, m)->boundsAt + (size_t)c * CROWD_BOUNDS_WORDS,
                   sizeof numbers);
            for (int i = 0; i < 3; i++) {
                assert_float_equal(box.low[i], numbers[i] - numbers[4 + i], 0);
                assert_float_equal(box.high[i], numbers[i] + numbers[4 + i], 0);
                assert_true(box.low[i] < box.high[i]);
            }
            assert_float_equal(margin, numbers[3], 0);
        }
    }
    sceneFree(&scene);
}

GPU_TEST(drawsNameThePalettesOfTheirSlots) {
    const SceneDef def = defOf(VKSKIN_BACKEND_COMPUTE);
    CrowdScene scene = sceneMake(gpu, &def);
    VkskinCrowdDraw draws[CAST_PARTS * CROWD_VIEWS];
    uint32_t count = CAST_PARTS * CROWD_VIEWS;
    GPU_VKSKIN(gpu, vkskinGetCrowdDraws(scene.context, scene.crowd, draws, &count));
    for (uint32_t d = 0; d < count; d++) {
        const uint32_t p = draws[d].model; /* a pool for each model */
        assert_true(draws[d].palettes == insidePalettes(scene.context, scene.crowd, p).buffer);
        assert_int_equal(draws[d].paletteStride, CAST_SKIN_BONES * sizeof(VkskinAffine));
        assert_int_equal(draws[d].palettesSize, (VkDeviceSize)CHARACTERS * draws[d].paletteStride);
    }
    sceneFree(&scene);
}

/* ---- Refusals ---- */

GPU_TEST(badQueriesAreRefused) {
    const SceneDef def = defOf(VKSKIN_BACKEND_COMPUTE);
    CrowdScene scene = sceneMake(gpu, &def);
    VkskinContext context = scene.context;
    const VkskinCrowd crowd = scene.crowd;
    VkskinCharacterState states[CHARACTERS];
    VkskinAffine nodes[CAST_NODES];
    float weights[CAST_TARGETS];
    VkskinAnimationBox box;
    VkskinCharacterPose pose = {.nodes = nodes};
    sceneAdd(&scene, 4);
    VkskinCharacter bad[2] = {scene.characters[0], {0, 0}};
    gpuCheckRefusal(gpu, "null", vkskinQueryCharacters(context, crowd, NULL, 1), VKSKIN_ERROR_NULL_ARGUMENT,
                    "vkskinQueryCharacters: characters");
    gpuCheckRefusal(gpu, "many", vkskinQueryCharacters(context, crowd, scene.characters, CHARACTERS + 1),
                    VKSKIN_ERROR_INVALID_VALUE, "count is 41, not in 0 to 40 (maxQueries of crowd scene)");
    gpuCheckRefusal(gpu, "null character", vkskinQueryCharacters(context, crowd, bad, 2), VKSKIN_ERROR_NULL_HANDLE,
                    "element 1: the character is null");
    bad[1] = (VkskinCharacter){bad[0].index, bad[0].generation + 2};
    gpuCheckRefusal(gpu, "stale", vkskinQueryCharacters(context, crowd, bad, 2), VKSKIN_ERROR_STALE_HANDLE,
                    "element 1: character");
    queryAll(&scene);
    for (uint32_t f = 0; f < 3; f++) {
        seeAll(&scene);
    }
    uint32_t count = 3;
    gpuCheckRefusal(gpu, "few states", vkskinGetCharacterStates(context, crowd, states, &count),
                    VKSKIN_WARNING_INCOMPLETE, "room for 3 of 4 states");
    assert_int_equal(count, 3);
    GPU_VKSKIN(gpu, vkskinGetCharacterStates(context, crowd, NULL, &count));
    assert_int_equal(count, 4);
    gpuCheckRefusal(gpu, "no pose", vkskinPoseCharacter(context, crowd, states, 0, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                    "vkskinPoseCharacter: pose");
    pose.nodes = NULL;
    gpuCheckRefusal(gpu, "no nodes", vkskinPoseCharacter(context, crowd, states, 0, &pose), VKSKIN_ERROR_NULL_ARGUMENT,
                    "nodes");
    pose = (VkskinCharacterPose){.nodes = nodes, .morphWeights = weights, .morphWeightCount = CAST_TARGETS - 1};
    gpuCheckRefusal(gpu, "few weights", vkskinPoseCharacter(context, crowd, states, 0, &pose),
                    VKSKIN_ERROR_INVALID_VALUE, "room for 2 morph weights");
    pose.morphWeights = NULL;
    states[0].model = CAST_MODELS;
    gpuCheckRefusal(gpu, "model", vkskinPoseCharacter(context, crowd, states, 0, &pose), VKSKIN_ERROR_INVALID_VALUE,
                    "model is 2, crowd scene has 2");
    states[0].exists = false;
    gpuCheckRefusal(gpu, "gone", vkskinPoseCharacter(context, crowd, states, 0, &pose), VKSKIN_ERROR_STALE_HANDLE,
                    "did not exist in frame");
    gpuCheckRefusal(gpu, "box", vkskinGetCrowdBox(context, crowd, 0, CAST_CLIPS, &box, NULL),
                    VKSKIN_ERROR_INVALID_VALUE, "model 0 of 2, clip 4 of 4");
    gpuCheckRefusal(gpu, "box", vkskinGetCrowdBox(context, crowd, CAST_MODELS, 0, &box, NULL),
                    VKSKIN_ERROR_INVALID_VALUE, "model 2 of 2, clip 0 of 4");
    sceneFree(&scene);
}
