/* Making crowds and posing them: every documented error and warning with its message, and memory that runs out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pose_batch_scenes.h"
#include "host_doubles.h"

#define BONES      5u
#define CHARACTERS 3u

static const SceneShape shape = {.nodeCount = BONES, .boneCount = BONES, .tree = SCENE_BUSH};
static CrowdScene scene;
static LogMemory logMemory;
static VkskinPoseBatch crowd;
static VkskinPoseBatchCharacter characters[CHARACTERS];
static VkskinAffine palettes[CHARACTERS][BONES];

static VkskinPoseBatchDef goodDef(void) {
    VkskinPoseBatchDef def = crowdSceneDef(&scene, CHARACTERS);
    def.logger = rememberingLogger(&logMemory);
    return def;
}

static int setUp(void **state) {
    (void)state;
    scene = crowdScene(&shape);
    const VkskinPoseBatchDef def = goodDef();
    assert_int_equal(vkskinCreatePoseBatch(&def, &crowd), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        characters[i] = (VkskinPoseBatchCharacter){.clip = i, .slot = i, .time = 0.25, .palette = palettes[i]};
    }
    memset(palettes, 0xa5, sizeof palettes);
    return 0;
}

static int tearDown(void **state) {
    (void)state;
    vkskinDestroyPoseBatch(crowd);
    crowdSceneFree(&scene);
    return 0;
}

/* ---- Making ---- */

static void refuse(const VkskinPoseBatchDef *def, VkskinResult result, const char *message) {
    VkskinPoseBatch made = (VkskinPoseBatch)(uintptr_t)8;
    assert_int_equal(vkskinCreatePoseBatch(def, &made), result);
    assert_null(made);
    assertLogged(&logMemory, result, message);
}

static void defMustBeMade(void **state) {
    (void)state;
    VkskinPoseBatch made = (VkskinPoseBatch)(uintptr_t)8;
    VkskinPoseBatchDef def;
    memset(&def, 0xa5, sizeof def);
    assert_int_equal(vkskinCreatePoseBatch(&def, &made), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    assert_null(made);
    assert_int_equal(vkskinCreatePoseBatch(NULL, &made), VKSKIN_ERROR_NULL_ARGUMENT);
    def = goodDef();
    assert_int_equal(vkskinCreatePoseBatch(&def, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: the place for the handle is null");
    vkskinDestroyPoseBatch(NULL);
}

static void arguments(void **state) {
    (void)state;
    VkskinPoseBatchDef def = goodDef();
    def.skeleton = NULL;
    refuse(&def, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: skeleton is null");
    def = goodDef();
    def.skin = NULL;
    refuse(&def, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: skin is null");
    def = goodDef();
    def.clips = NULL;
    refuse(&def, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: clips is null, clipCount is 4");
    const VkskinClip holed[2] = {scene.clips[0], NULL};
    def = goodDef();
    def.clipCount = 2;
    def.clips = holed;
    refuse(&def, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: clip 1 is null");
    def = goodDef();
    def.slotCount = 0;
    refuse(&def, VKSKIN_ERROR_INVALID_VALUE, "pose batch: slotCount is 0");
    def = goodDef();
    def.clipCount = VKSKIN_REST_POSE;
    refuse(&def, VKSKIN_ERROR_INVALID_VALUE, "pose batch: clipCount is that of the rest pose");
    const VkskinHostAllocator half = {.allocate = NULL, .free = NULL};
    def = goodDef();
    def.allocator = &half;
    refuse(&def, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: the host allocator lacks a function");
}

static void largerSkeletons(void **state) {
    (void)state;
    const SceneShape larger = {.nodeCount = BONES + 1, .boneCount = 1};
    CrowdScene other = crowdScene(&larger);
    VkskinPoseBatchDef def = goodDef();
    def.skin = other.skin;
    refuse(&def, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the skin is for a skeleton of 6 nodes, this one has 5");
    const VkskinClip clips[2] = {scene.clips[0], other.clips[0]};
    def = goodDef();
    def.clipCount = 2;
    def.clips = clips;
    refuse(&def, VKSKIN_ERROR_INVALID_VALUE, "pose batch: clip 1 is for a skeleton of 6 nodes, this one has 5");
    crowdSceneFree(&other);
}

static void memoryRunsOut(void **state) {
    (void)state;
    AllocatorState memory = {0};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    VkskinPoseBatchDef def = goodDef();
    def.allocator = &allocator;
    VkskinPoseBatch made = NULL;
    for (memory.failAt = 1; vkskinCreatePoseBatch(&def, &made) != VKSKIN_SUCCESS; ++memory.failAt) {
        assertLogged(&logMemory, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "pose batch: no host memory for 4 clips and 3 slots");
        assert_null(made);
        assert_int_equal(memory.alive, 0);
        assert_true(memory.failAt < 60);
        memory.made = 0;
    }
    assert_true(memory.failAt > 20);
    const uint32_t made0 = memory.made;
    assert_int_equal(vkskinPoseBatch(made, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL), VKSKIN_SUCCESS);
    assert_int_equal(memory.made, made0); /* only creation allocates */
    vkskinDestroyPoseBatch(made);
    assert_int_equal(memory.alive, 0);
}

/* ---- Posing ---- */

/* Nothing is written, and the next good call finds no trace. */
static void refusePose(VkskinPaletteEncoding encoding, uint32_t boneCount, const VkskinCpuRun *run, VkskinResult result,
                       const char *message) {
    unsigned char untouched[sizeof palettes];
    memset(untouched, 0xa5, sizeof untouched);
    assert_int_equal(vkskinPoseBatch(crowd, characters, CHARACTERS, encoding, boneCount, run), result);
    assertLogged(&logMemory, result, message);
    assert_memory_equal(palettes, untouched, sizeof untouched);
}

static void refuseCharacter(VkskinResult result, const char *message) {
    const VkskinPoseBatchCharacter good = {.clip = 1, .slot = 1, .time = 0.25, .palette = palettes[1]};
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES, NULL, result, message);
    characters[1] = good;
}

static void badCharacters(void **state) {
    (void)state;
    characters[1].palette = NULL;
    refuseCharacter(VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: the palette of character 1 is null");
    characters[1].clip = 4;
    refuseCharacter(VKSKIN_ERROR_INVALID_VALUE, "pose batch: character 1 is in clip 4 of 4");
    characters[1].wrap = (VkskinWrap)2;
    refuseCharacter(VKSKIN_ERROR_INVALID_VALUE, "pose batch: the wrap 2 of character 1 is unknown");
    characters[1].time = NAN;
    refuseCharacter(VKSKIN_ERROR_INVALID_VALUE, "pose batch: the time of character 1 is not finite");
    characters[1].time = -INFINITY;
    refuseCharacter(VKSKIN_ERROR_INVALID_VALUE, "pose batch: the time of character 1 is not finite");
    characters[1].slot = 3;
    refuseCharacter(VKSKIN_ERROR_INVALID_VALUE, "pose batch: character 1 has slot 3 of 3");
    characters[1].slot = 0;
    refuseCharacter(VKSKIN_ERROR_INVALID_VALUE, "pose batch: character 1 has slot 0, as a character before it");
    assert_int_equal(vkskinPoseBatch(crowd, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL),
                     VKSKIN_SUCCESS);
}

static void badCalls(void **state) {
    (void)state;
    assert_int_equal(vkskinPoseBatch(NULL, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL),
                     VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinPoseBatch(crowd, NULL, 2, VKSKIN_PALETTE_MAT3X4, BONES, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: characters is null, count is 2");
    assert_int_equal(vkskinPoseBatch(crowd, NULL, 0, VKSKIN_PALETTE_MAT3X4, BONES, NULL), VKSKIN_SUCCESS);
    refusePose((VkskinPaletteEncoding)7, BONES, NULL, VKSKIN_ERROR_INVALID_VALUE,
               "pose batch: the palette encoding 7 is unknown");
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES - 1, NULL, VKSKIN_ERROR_PALETTE_TOO_SMALL,
               "pose batch: palettes of 4 entries, the skin has 5 bones");
    const VkskinCpuRun run = {.level = VKSKIN_CPU_LEVEL_COUNT};
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES, &run, VKSKIN_ERROR_INVALID_VALUE,
               "pose batch: this processor or build does not have level 4");
}

/* One node, scaled by a clip so far that its inverse bind matrix takes it past float. */
static void whatIsNotFiniteIsTold(void **state) {
    (void)state;
    const float times[] = {0.0f, 1.0f};
    const float values[] = {1, 1, 1, 1e38f, 1e38f, 1e38f};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_SCALE, .keyCount = 2, .times = times, .values = values};
    const VkskinAffine tenfold = {{{10, 0, 0, 0}, {0, 10, 0, 0}, {0, 0, 10, 0}}};
    const VkskinAffine inverseBinds[4] = {tenfold, tenfold, tenfold, tenfold}; /* written together */
    const int32_t parent = -1;
    const uint32_t nodes[4] = {0};
    const VkskinTransform rest = vkskinIdentityTransform();
    VkskinSkeletonDef skeletonDef = vkskinDefaultSkeletonDef();
    skeletonDef.nodeCount = 1;
    skeletonDef.parents = &parent;
    skeletonDef.restPose = &rest;
    VkskinSkinDef skinDef = vkskinDefaultSkinDef();
    skinDef.nodeCount = 1;
    skinDef.boneCount = 4;
    skinDef.boneNodes = nodes;
    skinDef.inverseBinds = inverseBinds;
    VkskinClipDef clipDef = vkskinDefaultClipDef();
    clipDef.nodeCount = clipDef.trackCount = 1;
    clipDef.tracks = &track;
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    VkskinClip clip = NULL;
    VkskinPoseBatch one = NULL;
    assert_int_equal(vkskinCreateSkeleton(&skeletonDef, &def.skeleton), VKSKIN_SUCCESS);
    assert_int_equal(vkskinCreateSkin(&skinDef, &def.skin), VKSKIN_SUCCESS);
    assert_int_equal(vkskinCreateClip(&clipDef, &clip), VKSKIN_SUCCESS);
    def.clipCount = 1;
    def.clips = &clip;
    def.slotCount = 40;
    def.logger = rememberingLogger(&logMemory);
    assert_int_equal(vkskinCreatePoseBatch(&def, &one), VKSKIN_SUCCESS);
    VkskinAffine entries[40][4];
    VkskinPoseBatchCharacter many[40];
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        for (uint32_t i = 0; i < 40; ++i) {
            many[i] =
                (VkskinPoseBatchCharacter){.time = i == 21 || i == 38 ? 1.0 : 0.0, .slot = i, .palette = entries[i]};
        }
        const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
        assert_int_equal(vkskinPoseBatch(one, many, 40, VKSKIN_PALETTE_MAT3X4, 4, &run),
                         VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
        assertLogged(&logMemory, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                     "pose batch: a bone of character 21 is not finite, or beyond what the encoding holds");
        for (uint32_t i = 0; i < 40; ++i) {
            if (i != 21 && i != 38) {
                assert_memory_equal(entries[i], inverseBinds, sizeof inverseBinds);
            }
        }
    }
    vkskinDestroyPoseBatch(one);
    vkskinDestroyClip(clip);
    vkskinDestroySkin(def.skin);
    vkskinDestroySkeleton(def.skeleton);
}

static void warningsComeThrough(void **state) {
    (void)state;
    const SceneShape scaled = {.nodeCount = BONES, .boneCount = BONES, .tree = SCENE_BUSH, .anyScale = true};
    CrowdScene other = crowdScene(&scaled);
    VkskinPoseBatchDef def = crowdSceneDef(&other, CHARACTERS);
    def.logger = rememberingLogger(&logMemory);
    VkskinPoseBatch made = NULL;
    assert_int_equal(vkskinCreatePoseBatch(&def, &made), VKSKIN_SUCCESS);
    assert_int_equal(vkskinPoseBatch(made, characters, CHARACTERS, VKSKIN_PALETTE_DUAL_QUATERNION, BONES, NULL),
                     VKSKIN_WARNING_SCALE_LOST);
    assertLogged(&logMemory, VKSKIN_WARNING_SCALE_LOST,
                 "pose batch: a bone of character 0 does what the encoding cannot hold");
    assert_int_equal(vkskinPoseBatch(made, characters, CHARACTERS, VKSKIN_PALETTE_MAT2X3, BONES, NULL),
                     VKSKIN_WARNING_DEPTH_LOST);
    assertLogged(&logMemory, VKSKIN_WARNING_DEPTH_LOST,
                 "pose batch: a bone of character 0 does what the encoding cannot hold");
    vkskinDestroyPoseBatch(made);
    crowdSceneFree(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(defMustBeMade, setUp, tearDown),
        cmocka_unit_test_setup_teardown(arguments, setUp, tearDown),
        cmocka_unit_test_setup_teardown(largerSkeletons, setUp, tearDown),
        cmocka_unit_test_setup_teardown(memoryRunsOut, setUp, tearDown),
        cmocka_unit_test_setup_teardown(badCharacters, setUp, tearDown),
        cmocka_unit_test_setup_teardown(badCalls, setUp, tearDown),
        cmocka_unit_test_setup_teardown(whatIsNotFiniteIsTold, setUp, tearDown),
        cmocka_unit_test_setup_teardown(warningsComeThrough, setUp, tearDown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
