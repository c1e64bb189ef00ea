/* Crowds against the three calls that they stand for, at every level of the processor. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pose_batch_scenes.h"
#include "guarded_output.h"

#define CHARACTERS 37u /* batches of every width, the last ragged */

static const SceneShape shapes[] = {
    {.name = "one bone", .nodeCount = 1, .boneCount = 1, .meshToModel = true},
    {.name = "four bones", .nodeCount = 4, .boneCount = 4, .tree = SCENE_BUSH},
    {.name = "deep chain", .nodeCount = 120, .boneCount = 120, .tree = SCENE_CHAIN},
    {.name = "a body", .nodeCount = 64, .boneCount = 64, .tree = SCENE_BUSH, .meshToModel = true},
    {.name = "forest", .nodeCount = 41, .boneCount = 23, .tree = SCENE_FOREST, .mixedBones = true},
    {.name = "pre-transforms", .nodeCount = 30, .boneCount = 30, .tree = SCENE_BUSH, .preTransforms = true},
    {.name = "any scale", .nodeCount = 12, .boneCount = 12, .tree = SCENE_BUSH, .anyScale = true},
    {.name = "all",
     .nodeCount = 19,
     .boneCount = 50,
     .tree = SCENE_FOREST,
     .preTransforms = true,
     .meshToModel = true,
     .anyScale = true,
     .mixedBones = true},
};
#define SHAPES (sizeof shapes / sizeof shapes[0])

static VkskinPoseBatch makeCrowd(const CrowdScene *scene, uint32_t slotCount) {
    const VkskinPoseBatchDef def = crowdSceneDef(scene, slotCount);
    VkskinPoseBatch crowd = NULL;
    assert_int_equal(vkskinCreatePoseBatch(&def, &crowd), VKSKIN_SUCCESS);
    return crowd;
}

/* Characters with a palette each behind one another: [count][boneCount] entries of `stride`. */
static unsigned char *givePalettes(VkskinPoseBatchCharacter *characters, uint32_t count, size_t paletteBytes) {
    unsigned char *palettes = aligned_alloc(64, (count * paletteBytes + 63) / 64 * 64);
    assert_non_null(palettes);
    memset(palettes, 0xa5, count * paletteBytes);
    for (uint32_t i = 0; i < count; ++i) {
        characters[i].palette = palettes + i * paletteBytes;
    }
    return palettes;
}

static void poseAt(VkskinPoseBatch crowd, const VkskinPoseBatchCharacter *characters, uint32_t count,
                   const CrowdScene *scene, uint32_t level) {
    const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
    assert_int_equal(vkskinPoseBatch(crowd, characters, count, VKSKIN_PALETTE_MAT3X4, scene->shape.boneCount, &run),
                     VKSKIN_SUCCESS);
}

static void assertAgrees(const CrowdScene *scene, const VkskinPoseBatchCharacter *character, uint32_t level) {
    VkskinAffine expected[128];
    VkskinAffine bounds[128];
    const VkskinAffine *actual = character->palette;
    crowdSceneExpect(scene, character, expected, bounds);
    for (uint32_t bone = 0; bone < scene->shape.boneCount; ++bone) {
        for (int i = 0; i < 12; ++i) {
            const float apart = fabsf(actual[bone].m[i / 4][i % 4] - expected[bone].m[i / 4][i % 4]);
            if (!(apart <= bounds[bone].m[i / 4][i % 4])) {
                fail_msg("%s, level %u: clip %u at %g s, bone %u, number %d: %g is %g from %g, more than %g",
                         scene->shape.name, level, character->clip, character->time, bone, i,
                         (double)actual[bone].m[i / 4][i % 4], (double)apart, (double)expected[bone].m[i / 4][i % 4],
                         (double)bounds[bone].m[i / 4][i % 4]);
            }
        }
    }
}

/* Frames that go on, jump, turn back, change the clip and the order; few characters and many. */
static void nextFrame(VkskinPoseBatchCharacter *characters, uint32_t frame) {
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        characters[i].time += frame == 4 ? 0.7 : frame == 6 ? -0.9 : 1.0 / 60.0;
        if (frame == 5) {
            characters[i].clip = characters[i].clip == VKSKIN_REST_POSE ? 0 : (characters[i].clip + 1) % SCENE_CLIPS;
        }
    }
    if (frame == 7) {
        const VkskinPoseBatchCharacter first = characters[0];
        characters[0] = characters[CHARACTERS - 1];
        characters[CHARACTERS - 1] = first;
    }
}

static void agreesWithTheThreeCalls(void **state) {
    (void)state;
    for (size_t shape = 0; shape < SHAPES; ++shape) {
        CrowdScene scene = crowdScene(&shapes[shape]);
        for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
            VkskinPoseBatch crowd = makeCrowd(&scene, CHARACTERS);
            VkskinPoseBatchCharacter characters[CHARACTERS];
            crowdSceneCast(characters, CHARACTERS);
            void *palettes = givePalettes(characters, CHARACTERS, scene.shape.boneCount * sizeof(VkskinAffine));
            for (uint32_t frame = 0; frame < 9; ++frame) {
                const uint32_t count = frame == 1 ? 1 : frame == 2 ? 16 : CHARACTERS;
                poseAt(crowd, characters, count, &scene, level);
                for (uint32_t i = 0; i < count; i += frame % 3 + 1) {
                    assertAgrees(&scene, &characters[i], level);
                }
                nextFrame(characters, frame);
            }
            vkskinDestroyPoseBatch(crowd);
            free(palettes);
        }
        crowdSceneFree(&scene);
    }
}

/* Where a character was before leaves no trace: a crowd with its slots as they come is as good as a new one. */
static void cursorsLeaveNoTrace(void **state) {
    (void)state;
    CrowdScene scene = crowdScene(&shapes[7]);
    VkskinPoseBatch used = makeCrowd(&scene, CHARACTERS);
    VkskinPoseBatchCharacter characters[CHARACTERS];
    const size_t bytes = scene.shape.boneCount * sizeof(VkskinAffine);
    crowdSceneCast(characters, CHARACTERS);
    void *first = givePalettes(characters, CHARACTERS, bytes);
    for (uint32_t frame = 0; frame < 40; ++frame) {
        nextFrame(characters, frame % 8);
        poseAt(used, characters, CHARACTERS, &scene, VKSKIN_CPU_AUTO);
    }
    VkskinPoseBatch fresh = makeCrowd(&scene, CHARACTERS);
    VkskinPoseBatchCharacter others[CHARACTERS];
    memcpy(others, characters, sizeof others);
    void *second = givePalettes(others, CHARACTERS, bytes);
    poseAt(fresh, others, CHARACTERS, &scene, VKSKIN_CPU_AUTO);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        assert_memory_equal(characters[i].palette, others[i].palette, bytes);
    }
    vkskinDestroyPoseBatch(fresh);
    vkskinDestroyPoseBatch(used);
    free(second);
    free(first);
    crowdSceneFree(&scene);
}

/* A float of a clip an hour long is no place in it. */
static void longClipsStayExact(void **state) {
    (void)state;
    const float times[] = {0.0f, 3600.0f - 0.25f, 3600.0f};
    const float values[] = {0, 0, 0, 0, 0, 0, 1, 0, 0};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 3, .times = times, .values = values};
    const SceneShape shape = {.nodeCount = 1, .boneCount = 1};
    CrowdScene scene = crowdScene(&shape);
    vkskinDestroyClip(scene.clips[0]);
    VkskinClipDef clip = vkskinDefaultClipDef();
    clip.nodeCount = 1;
    clip.trackCount = 1;
    clip.tracks = &track;
    assert_int_equal(vkskinCreateClip(&clip, &scene.clips[0]), VKSKIN_SUCCESS);
    VkskinPoseBatch crowd = makeCrowd(&scene, 1);
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        for (int step = 1; step < 200; ++step) {
            VkskinAffine palette;
            const VkskinPoseBatchCharacter character = {.time = 3599.75 + 0.00123 * step, .palette = &palette};
            poseAt(crowd, &character, 1, &scene, level);
            assertAgrees(&scene, &character, level);
        }
    }
    vkskinDestroyPoseBatch(crowd);
    crowdSceneFree(&scene);
}

/* At a key's own time and the doubles beside it, steps are what the one call gives, to the bit. */
static void stepsComeAtTheirTime(void **state) {
    (void)state;
    const float times[] = {0.1f, 0.3f, 0.3f, 0.7f};
    const float values[] = {1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION,
                               .interpolation = VKSKIN_INTERPOLATION_STEP,
                               .keyCount = 4,
                               .times = times,
                               .values = values};
    const int32_t parent = -1;
    const uint32_t node = 0;
    const VkskinTransform rest = vkskinIdentityTransform();
    VkskinSkeletonDef skeletonDef = vkskinDefaultSkeletonDef();
    skeletonDef.nodeCount = 1;
    skeletonDef.parents = &parent;
    skeletonDef.restPose = &rest;
    VkskinSkinDef skinDef = vkskinDefaultSkinDef();
    skinDef.nodeCount = skinDef.boneCount = 1;
    skinDef.boneNodes = &node;
    VkskinClipDef clipDef = vkskinDefaultClipDef();
    clipDef.nodeCount = clipDef.trackCount = 1;
    clipDef.tracks = &track;
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    VkskinClip clip = NULL;
    assert_int_equal(vkskinCreateSkeleton(&skeletonDef, &def.skeleton), VKSKIN_SUCCESS);
    assert_int_equal(vkskinCreateSkin(&skinDef, &def.skin), VKSKIN_SUCCESS);
    assert_int_equal(vkskinCreateClip(&clipDef, &clip), VKSKIN_SUCCESS);
    def.clipCount = def.slotCount = 1;
    def.clips = &clip;
    VkskinPoseBatch crowd = NULL;
    assert_int_equal(vkskinCreatePoseBatch(&def, &crowd), VKSKIN_SUCCESS);
    for (int i = 0; i < 12; ++i) {
        const double at = times[i / 3];
        VkskinAffine palette;
        const VkskinPoseBatchCharacter character = {.time = i % 3 == 0   ? nextafter(at, -1.0)
                                                            : i % 3 == 1 ? at
                                                                         : nextafter(at, 1.0),
                                                    .palette = &palette};
        VkskinTransform pose;
        assert_int_equal(vkskinSampleClip(def.skeleton, clip, character.time, VKSKIN_WRAP_CLAMP, &pose),
                         VKSKIN_SUCCESS);
        assert_int_equal(vkskinPoseBatch(crowd, &character, 1, VKSKIN_PALETTE_MAT3X4, 1, NULL), VKSKIN_SUCCESS);
        assert_float_equal(palette.m[0][3], pose.translation[0], 0.0f);
    }
    vkskinDestroyPoseBatch(crowd);
    vkskinDestroyClip(clip);
    vkskinDestroySkin(def.skin);
    vkskinDestroySkeleton(def.skeleton);
}

/* Other encodings hold what vkskinWritePalette makes of the matrices, to the bit. */
static void encodingsAreThoseOfOnePalette(void **state) {
    (void)state;
    enum { BONES = 23 };
    CrowdScene scene = crowdScene(&shapes[4]);
    uint32_t nodes[BONES];
    for (uint32_t bone = 0; bone < BONES; ++bone) {
        nodes[bone] = bone;
    }
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = def.boneCount = BONES;
    def.boneNodes = nodes;
    VkskinSkin copy = NULL;
    assert_int_equal(vkskinCreateSkin(&def, &copy), VKSKIN_SUCCESS);
    VkskinPoseBatch crowd = makeCrowd(&scene, CHARACTERS);
    VkskinPoseBatchCharacter characters[CHARACTERS];
    crowdSceneCast(characters, CHARACTERS);
    void *matrices = givePalettes(characters, CHARACTERS, BONES * sizeof(VkskinAffine));
    poseAt(crowd, characters, CHARACTERS, &scene, VKSKIN_CPU_AUTO);
    for (uint32_t encoding = 1; encoding < VKSKIN_PALETTE_ENCODING_COUNT; ++encoding) {
        const size_t bytes = (size_t)BONES * vkskinPaletteStride((VkskinPaletteEncoding)encoding);
        VkskinPoseBatchCharacter others[CHARACTERS];
        memcpy(others, characters, sizeof others);
        void *palettes = givePalettes(others, CHARACTERS, bytes);
        const VkskinResult result =
            vkskinPoseBatch(crowd, others, CHARACTERS, (VkskinPaletteEncoding)encoding, BONES, NULL);
        VkskinResult expectedResult = VKSKIN_SUCCESS;
        for (uint32_t i = 0; i < CHARACTERS; ++i) {
            unsigned char expected[BONES * 64];
            const VkskinResult one = vkskinWritePalette(copy, characters[i].palette, BONES,
                                                        (VkskinPaletteEncoding)encoding, expected, BONES);
            expectedResult = one != VKSKIN_SUCCESS ? one : expectedResult;
            assert_memory_equal(others[i].palette, expected, bytes);
        }
        assert_int_equal(result, expectedResult);
        free(palettes);
    }
    vkskinDestroyPoseBatch(crowd);
    vkskinDestroySkin(copy);
    free(matrices);
    crowdSceneFree(&scene);
}

/* Palettes end where a page begins that nobody may touch, and what lies before them stays. */
static void writesNothingBeside(void **state) {
    (void)state;
    const SceneShape oddShape = {.nodeCount = 7, .boneCount = 7, .tree = SCENE_BUSH};
    const SceneShape wholeShape = {.nodeCount = 8, .boneCount = 8, .tree = SCENE_BUSH};
    for (uint32_t round = 0; round < 2 * VKSKIN_PALETTE_ENCODING_COUNT; ++round) {
        const VkskinPaletteEncoding encoding = (VkskinPaletteEncoding)(round / 2);
        CrowdScene scene = crowdScene(round % 2 == 0 ? &oddShape : &wholeShape);
        for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
            const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
            VkskinPoseBatch crowd = makeCrowd(&scene, CHARACTERS);
            VkskinPoseBatchCharacter characters[CHARACTERS];
            GuardedOutput outputs[CHARACTERS];
            crowdSceneCast(characters, CHARACTERS);
            for (uint32_t i = 0; i < CHARACTERS; ++i) {
                outputs[i] = guardedOutput(scene.shape.boneCount * vkskinPaletteStride(encoding), (unsigned char)i);
                characters[i].palette = outputs[i].bytes;
            }
            assert_true(vkskinPoseBatch(crowd, characters, CHARACTERS, encoding, scene.shape.boneCount, &run) >=
                        VKSKIN_SUCCESS);
            for (uint32_t i = 0; i < CHARACTERS; ++i) {
                guardedOutputFree(&outputs[i]);
            }
            vkskinDestroyPoseBatch(crowd);
        }
        crowdSceneFree(&scene);
    }
}

/* The crowd has copies of all. */
static void whatItWasMadeOfMayGo(void **state) {
    (void)state;
    CrowdScene scene = crowdScene(&shapes[5]);
    VkskinPoseBatch crowd = makeCrowd(&scene, CHARACTERS);
    VkskinPoseBatchCharacter characters[CHARACTERS];
    const size_t bytes = scene.shape.boneCount * sizeof(VkskinAffine);
    crowdSceneCast(characters, CHARACTERS);
    unsigned char *before = givePalettes(characters, CHARACTERS, bytes);
    poseAt(crowd, characters, CHARACTERS, &scene, VKSKIN_CPU_AUTO);
    crowdSceneFree(&scene);
    unsigned char *after = givePalettes(characters, CHARACTERS, bytes);
    poseAt(crowd, characters, CHARACTERS, &scene, VKSKIN_CPU_AUTO);
    assert_memory_equal(before, after, CHARACTERS * bytes);
    vkskinDestroyPoseBatch(crowd);
    free(after);
    free(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agreesWithTheThreeCalls),
        cmocka_unit_test(cursorsLeaveNoTrace),
        cmocka_unit_test(longClipsStayExact),
        cmocka_unit_test(stepsComeAtTheirTime),
        cmocka_unit_test(encodingsAreThoseOfOnePalette),
        cmocka_unit_test(writesNothingBeside),
        cmocka_unit_test(whatItWasMadeOfMayGo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
