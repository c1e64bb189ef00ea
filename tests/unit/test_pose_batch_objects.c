/* Making pose batches and posing them: every documented error and warning with its message, and memory that runs out. */
#include <math.h>

#include "host_doubles.h"
#include "pose_batch_scenes.h"
#include "test.h"

#define BONES      5u
#define CHARACTERS 3u

static const SceneShape shape = {.nodeCount = BONES, .boneCount = BONES, .tree = SCENE_BUSH};
static BatchScene scene;
static LogMemory logMemory;
static VkskinPoseBatch batch;
static VkskinPoseBatchCharacter characters[CHARACTERS];
static VkskinAffine palettes[CHARACTERS][BONES];

static VkskinPoseBatchDef goodDef(void) {
    VkskinPoseBatchDef def = batchSceneDef(&scene, CHARACTERS);
    def.logger = rememberingLogger(&logMemory);
    return def;
}

static int setUp(void **state) {
    (void)state;
    scene = batchScene(&shape);
    const VkskinPoseBatchDef def = goodDef();
    assert_int_equal(vkskinCreatePoseBatch(&def, &batch), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        characters[i] = (VkskinPoseBatchCharacter){.clip = i, .slot = i, .time = 0.25, .palette = palettes[i]};
    }
    memset(palettes, 0xa5, sizeof palettes);
    return 0;
}

static int tearDown(void **state) {
    (void)state;
    vkskinDestroyPoseBatch(batch);
    batchSceneFree(&scene);
    return 0;
}

/* ---- Making ---- */

static void refuse(const VkskinPoseBatchDef *def, VkskinResult result, const char *message) {
    VkskinPoseBatch made = (VkskinPoseBatch)(uintptr_t)8;
    assert_int_equal(vkskinCreatePoseBatch(def, &made), result);
    assert_null(made);
    assertLogged(&logMemory, result, message);
}

FIXTURE_TEST(defMustBeMade) {
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

/* One bad def: a good one after `change`, which names it `def`. */
#define REFUSE(change, result, message)                                                                                \
    do {                                                                                                               \
        VkskinPoseBatchDef def = goodDef();                                                                            \
        change;                                                                                                        \
        refuse(&def, result, message);                                                                                 \
    } while (0)

FIXTURE_TEST(arguments) {
    const VkskinClip holed[4] = {scene.clips[0], NULL};
    const VkskinHostAllocator half = {.allocate = NULL, .free = NULL};
    REFUSE(def.skeleton = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: skeleton is null");
    REFUSE(def.skin = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: skin is null");
    REFUSE(def.clips = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: clips is null, clipCount is 4");
    REFUSE(def.clips = holed, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: clip 1 is null");
    REFUSE(def.slotCount = 0, VKSKIN_ERROR_INVALID_VALUE, "pose batch: slotCount is 0");
    REFUSE(def.clipCount = VKSKIN_REST_POSE, VKSKIN_ERROR_INVALID_VALUE,
           "pose batch: clipCount is that of the rest pose");
    REFUSE(def.allocator = &half, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: the host allocator lacks a function");
}

FIXTURE_TEST(largerSkeletons) {
    const SceneShape larger = {.nodeCount = BONES + 1, .boneCount = 1};
    BatchScene other = batchScene(&larger);
    const VkskinClip clips[4] = {scene.clips[0], other.clips[0]};
    REFUSE(def.skin = other.skin, VKSKIN_ERROR_INVALID_VALUE,
           "pose batch: the skin is for a skeleton of 6 nodes, this one has 5");
    REFUSE(def.clips = clips, VKSKIN_ERROR_INVALID_VALUE,
           "pose batch: clip 1 is for a skeleton of 6 nodes, this one has 5");
    batchSceneFree(&other);
}

FIXTURE_TEST(memoryRunsOut) {
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
    assert_int_equal(vkskinPoseBatch(batch, characters, CHARACTERS, encoding, boneCount, run), result);
    assertLogged(&logMemory, result, message);
    assert_memory_equal(palettes, untouched, sizeof untouched);
}

static void refuseCharacter(VkskinResult result, const char *message) {
    const VkskinPoseBatchCharacter good = {.clip = 1, .slot = 1, .time = 0.25, .palette = palettes[1]};
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES, NULL, result, message);
    characters[1] = good;
}

FIXTURE_TEST(badCharacters) {
#define REFUSE_CHARACTER(change, result, message)                                                                      \
    characters[1].change;                                                                                              \
    refuseCharacter(result, message)
    REFUSE_CHARACTER(palette = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: the palette of character 1 is null");
    REFUSE_CHARACTER(clip = 4, VKSKIN_ERROR_INVALID_VALUE, "pose batch: character 1 is in clip 4 of 4");
    REFUSE_CHARACTER(wrap = (VkskinWrap)2, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: the wrap 2 of character 1 is unknown");
    REFUSE_CHARACTER(time = NAN, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the time of character 1 is not finite");
    REFUSE_CHARACTER(time = -INFINITY, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the time of character 1 is not finite");
    REFUSE_CHARACTER(slot = 3, VKSKIN_ERROR_INVALID_VALUE, "pose batch: character 1 has slot 3 of 3");
    REFUSE_CHARACTER(slot = 0, VKSKIN_ERROR_INVALID_VALUE,
                     "pose batch: character 1 has slot 0, as a character before it");
    assert_int_equal(vkskinPoseBatch(batch, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL),
                     VKSKIN_SUCCESS);
}

FIXTURE_TEST(badCalls) {
    assert_int_equal(vkskinPoseBatch(NULL, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, NULL),
                     VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinPoseBatch(batch, NULL, 2, VKSKIN_PALETTE_MAT3X4, BONES, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&logMemory, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: characters is null, count is 2");
    assert_int_equal(vkskinPoseBatch(batch, NULL, 0, VKSKIN_PALETTE_MAT3X4, BONES, NULL), VKSKIN_SUCCESS);
    refusePose((VkskinPaletteEncoding)7, BONES, NULL, VKSKIN_ERROR_INVALID_VALUE,
               "pose batch: the palette encoding 7 is unknown");
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES - 1, NULL, VKSKIN_ERROR_PALETTE_TOO_SMALL,
               "pose batch: palettes of 4 entries, the skin has 5 bones");
    const VkskinCpuRun run = {.level = VKSKIN_CPU_LEVEL_COUNT};
    refusePose(VKSKIN_PALETTE_MAT3X4, BONES, &run, VKSKIN_ERROR_INVALID_VALUE,
               "pose batch: this processor or build does not have level 4");
}

/* One node, scaled by a clip so far that its inverse bind matrix takes it past float. */
FIXTURE_TEST(notFiniteIsReported) {
    const float times[] = {0.0f, 1.0f};
    const float values[] = {1, 1, 1, 1e38f, 1e38f, 1e38f};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_SCALE, .keyCount = 2, .times = times, .values = values};
    const VkskinAffine tenfold = {{{10, 0, 0, 0}, {0, 10, 0, 0}, {0, 0, 10, 0}}};
    const VkskinAffine inverseBinds[4] = {tenfold, tenfold, tenfold, tenfold}; /* written together */
    OneNode one = oneNodeBatch(&track, 4, inverseBinds, 40, rememberingLogger(&logMemory));
    VkskinAffine entries[40][4];
    VkskinPoseBatchCharacter many[40];
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        for (uint32_t i = 0; i < 40; ++i) {
            many[i] =
                (VkskinPoseBatchCharacter){.time = i == 21 || i == 38 ? 1.0 : 0.0, .slot = i, .palette = entries[i]};
        }
        const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
        assert_int_equal(vkskinPoseBatch(one.batch, many, 40, VKSKIN_PALETTE_MAT3X4, 4, &run),
                         VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
        assertLogged(&logMemory, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                     "pose batch: a bone of character 21 is not finite, or beyond what the encoding holds");
        for (uint32_t i = 0; i < 40; ++i) {
            if (i != 21 && i != 38) {
                assert_memory_equal(entries[i], inverseBinds, sizeof inverseBinds);
            }
        }
    }
    oneNodeFree(&one);
}

FIXTURE_TEST(warningsAreReturned) {
    const SceneShape scaled = {.nodeCount = BONES, .boneCount = BONES, .tree = SCENE_BUSH, .anyScale = true};
    BatchScene other = batchScene(&scaled);
    VkskinPoseBatchDef def = batchSceneDef(&other, CHARACTERS);
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
    batchSceneFree(&other);
}
