/* Pose batches against the three calls that they replace, at every instruction level. */
#include "guarded_output.h"
#include "pose_batch_scenes.h"
#include "vkskin/vkskin_pack.h"

#define CHARACTERS 37u /* batches of every width, the last ragged */

static const SceneShape shapes[] = {
    {.name = "one bone", .nodeCount = 1, .boneCount = 1, .meshToModel = true},
    {.name = "four bones", .nodeCount = 4, .boneCount = 4, .tree = SCENE_BUSH},
    {.name = "deep chain", .nodeCount = 120, .boneCount = 120, .tree = SCENE_CHAIN},
    {.name = "a body", .nodeCount = 64, .boneCount = 64, .tree = SCENE_BUSH, .meshToModel = true},
    {.name = "forest", .nodeCount = 41, .boneCount = 23, .tree = SCENE_FOREST, .mixedBones = true},
    {.name = "pre-transforms", .nodeCount = 30, .boneCount = 30, .tree = SCENE_BUSH, .preTransforms = true},
    {.name = "any scale", .nodeCount = 12, .boneCount = 12, .tree = SCENE_BUSH, .anyScale = true},
    {.name = "backwards", .nodeCount = 40, .boneCount = 33, .tree = SCENE_BACKWARDS, .mixedBones = true},
    {.name = "all",
     .nodeCount = 19,
     .boneCount = 50,
     .tree = SCENE_FOREST,
     .preTransforms = true,
     .meshToModel = true,
     .anyScale = true,
     .mixedBones = true},
};
#define SHAPES (COUNT_OF(shapes))

static VkskinPoseBatch makeBatch(const BatchScene *scene, uint32_t slotCount) {
    const VkskinPoseBatchDef def = batchSceneDef(scene, slotCount);
    return ownPoseBatch(&def);
}

/* Gives each character a palette of `paletteBytes`, one after another. */
static void givePalettes(VkskinPoseBatchCharacter *characters, uint32_t count, size_t paletteBytes) {
    unsigned char *palettes = ownLines(count * paletteBytes);
    memset(palettes, 0xa5, count * paletteBytes);
    for (uint32_t i = 0; i < count; ++i) {
        characters[i].palette = palettes + i * paletteBytes;
    }
}

static void poseAt(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *characters, uint32_t count,
                   const BatchScene *scene, uint32_t level) {
    const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
    OK(vkskinPoseBatch(batch, characters, count, VKSKIN_PALETTE_MAT3X4, scene->shape.boneCount, &run));
}

/* block: null, or the animation set of the batch, whose numbers are read with twice the error. */
static void assertAgrees(const BatchScene *scene, const void *block, const VkskinPoseBatchCharacter *character,
                         uint32_t level) {
    VkskinAffine expected[128];
    VkskinAffine bounds[128];
    const VkskinAffine *actual = character->palette;
    batchSceneExpect(scene, block, character, expected, bounds);
    for (uint32_t bone = 0; bone < scene->shape.boneCount; ++bone) {
        for (int i = 0; i < 12; ++i) {
            const float apart = fabsf(actual[bone].m[i / 4][i % 4] - expected[bone].m[i / 4][i % 4]);
            if (!(apart <= (block != NULL ? 2.0f : 1.0f) * bounds[bone].m[i / 4][i % 4])) {
                fail_msg("%s, level %u: clip %u at %g s, %g of clip %u at %g s, bone %u, number %d: %g is %g from %g, "
                         "more than %g",
                         scene->shape.name, level, character->clip, character->time, (double)character->blendWeight,
                         character->blendClip, character->blendTime, bone, i, (double)actual[bone].m[i / 4][i % 4],
                         (double)apart, (double)expected[bone].m[i / 4][i % 4], (double)bounds[bone].m[i / 4][i % 4]);
            }
        }
    }
}

/* Frames that go on, jump, turn back, change the clip and the order; few characters and many. */
static void nextFrame(VkskinPoseBatchCharacter *characters, uint32_t frame) {
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        characters[i].time += frame == 4 ? 0.7 : frame == 6 ? -0.9 : 1.0 / 60.0;
        characters[i].blendTime += frame == 3 ? 0.8 : frame == 6 ? -0.7 : 1.0 / 50.0;
        if (frame == 5) {
            characters[i].blendClip = (characters[i].blendClip + 1) % SCENE_CLIPS; /* the rest pose plus 1 is clip 0 */
            characters[i].clip = characters[i].clip == VKSKIN_REST_POSE ? 0 : (characters[i].clip + 1) % SCENE_CLIPS;
        }
    }
    if (frame == 7) {
        const VkskinPoseBatchCharacter first = characters[0];
        characters[0] = characters[CHARACTERS - 1];
        characters[CHARACTERS - 1] = first;
    }
}

OWNING_TEST(agreesWithTheThreeCalls) {
    for (size_t shape = 0; shape < SHAPES; ++shape) {
        BatchScene scene = batchScene(&shapes[shape]);
        for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
            VkskinPoseBatch batch = makeBatch(&scene, CHARACTERS);
            VkskinPoseBatchCharacter characters[CHARACTERS];
            batchSceneCast(characters, CHARACTERS);
            givePalettes(characters, CHARACTERS, scene.shape.boneCount * sizeof(VkskinAffine));
            for (uint32_t frame = 0; frame < 9; ++frame) {
                const uint32_t count = frame == 1 ? 1 : frame == 2 ? 16 : CHARACTERS;
                poseAt(batch, characters, count, &scene, level);
                for (uint32_t i = 0; i < count; i += frame % 3 + 1) {
                    assertAgrees(&scene, NULL, &characters[i], level);
                }
                nextFrame(characters, frame);
            }
        }
        destroyOwned(0);
    }
}

#define PACKED_NODES 20u /* larger skeletons take long to pack */

static const void *packScene(const BatchScene *scene, size_t *size) {
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    void *block = NULL;
    def.skeleton = scene->skeleton;
    def.clipCount = SCENE_CLIPS;
    def.clips = scene->clips;
    def.maxError = 0.5f; /* packing is slow, and its error does not count here */
    OK(vkskinPackAnimation(&def, &block, size, NULL));
    return own(block, freeBlock);
}

/* A batch with second clips: of the scene's clips, or of the block if it is not null. */
static VkskinPoseBatch makeBlendingBatch(const BatchScene *scene, const void *block, size_t size) {
    VkskinPoseBatchDef def = batchSceneDef(scene, CHARACTERS);
    def.blending = true;
    if (block != NULL) {
        def.skeleton = NULL;
        def.clips = NULL;
        def.clipCount = 0;
        def.animation = block;
        def.animationSize = size;
    }
    return ownPoseBatch(&def);
}

/* Weights change too: second clips come and go. */
static void assertBlendsAgree(const BatchScene *scene, const void *block, size_t size) {
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        VkskinPoseBatch batch = makeBlendingBatch(scene, block, size);
        VkskinPoseBatchCharacter characters[CHARACTERS];
        batchSceneCast(characters, CHARACTERS);
        batchSceneBlend(characters, CHARACTERS);
        givePalettes(characters, CHARACTERS, scene->shape.boneCount * sizeof(VkskinAffine));
        for (uint32_t frame = 0; frame < 9; ++frame) {
            const uint32_t count = frame == 1 ? 1 : frame == 2 ? 16 : CHARACTERS;
            poseAt(batch, characters, count, scene, level);
            for (uint32_t i = 0; i < count; i += frame % 3 + 1) {
                assertAgrees(scene, block, &characters[i], level);
            }
            nextFrame(characters, frame);
            for (uint32_t i = 0; i < CHARACTERS && frame % 2 == 1; ++i) {
                const float weight = characters[i].blendWeight;
                characters[i].blendWeight = characters[(i + 1) % CHARACTERS].blendWeight;
                characters[(i + 1) % CHARACTERS].blendWeight = weight;
            }
        }
    }
}

/* Checks each shape, and its packed clips too. */
static void forEachShape(void (*check)(const BatchScene *scene, const void *block, size_t size)) {
    for (size_t shape = 0; shape < SHAPES; ++shape) {
        const BatchScene scene = batchScene(&shapes[shape]);
        check(&scene, NULL, 0);
        if (scene.shape.nodeCount < PACKED_NODES) {
            size_t size = 0;
            const void *block = packScene(&scene, &size);
            check(&scene, block, size);
        }
        destroyOwned(0);
    }
}

OWNING_TEST(blendsAsLayers) {
    forEachShape(assertBlendsAgree);
}

/* Each character has the bits that it has alone in the call, and without a second clip those of a batch without blending. */
static void assertNeighboursDoNotCount(const BatchScene *scene, const void *block, size_t size) {
    const size_t bytes = scene->shape.boneCount * sizeof(VkskinAffine);
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        VkskinPoseBatchCharacter together[CHARACTERS], alone[CHARACTERS];
        batchSceneCast(together, CHARACTERS);
        batchSceneBlend(together, CHARACTERS);
        memcpy(alone, together, sizeof alone);
        givePalettes(together, CHARACTERS, bytes);
        givePalettes(alone, CHARACTERS, bytes);
        poseAt(makeBlendingBatch(scene, block, size), together, CHARACTERS, scene, level);
        VkskinPoseBatch batch = makeBlendingBatch(scene, block, size);
        VkskinPoseBatch plain = block == NULL ? makeBatch(scene, CHARACTERS) : batch;
        for (uint32_t i = 0; i < CHARACTERS; ++i) {
            poseAt(alone[i].blendWeight == 0.0f ? plain : batch, &alone[i], 1, scene, level);
            if (memcmp(alone[i].palette, together[i].palette, bytes) != 0) {
                fail_msg("%s, level %u: the palette of character %u, of weight %g, differs", scene->shape.name, level,
                         i, (double)alone[i].blendWeight);
            }
        }
    }
}

OWNING_TEST(neighboursDoNotCount) {
    forEachShape(assertNeighboursDoNotCount);
}

/* Rotations exactly 180 degrees apart are blended, and not lost: their quaternions are at right angles. */
OWNING_TEST(blendsHalfTurns) {
    static const float time = 0.0f, none[] = {0, 0, 0, 1}, half[] = {1, 0, 0, 0};
    const SceneShape shape = {.name = "half a turn", .nodeCount = 1, .boneCount = 1};
    BatchScene scene = batchScene(&shape);
    VkskinTrack track = {.channel = VKSKIN_CHANNEL_ROTATION, .keyCount = 1, .times = &time, .values = none};
    scene.clips[0] = ownClip(1, &track, 1, 1.0f);
    track.values = half;
    scene.clips[1] = ownClip(1, &track, 1, 1.0f);
    VkskinPoseBatch batch = makeBlendingBatch(&scene, NULL, 0);
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        for (int i = 0; i <= 4; ++i) {
            VkskinAffine palette;
            const VkskinPoseBatchCharacter character = {
                .palette = &palette, .blendClip = 1, .blendWeight = 0.25f * (float)i};
            poseAt(batch, &character, 1, &scene, level);
            assertAgrees(&scene, NULL, &character, level);
        }
    }
}

/* One node with that track agrees at these times, at every level. */
static void assertTrackAgrees(const VkskinTrack *track, const double *times, uint32_t count) {
    const SceneShape shape = {.nodeCount = 1, .boneCount = 1};
    BatchScene scene = batchScene(&shape);
    scene.clips[0] = ownClip(1, track, 1, -1.0f);
    VkskinPoseBatch batch = makeBatch(&scene, 1);
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        for (uint32_t i = 0; i < count; ++i) {
            VkskinAffine palette;
            const VkskinPoseBatchCharacter character = {
                .wrap = VKSKIN_WRAP_CLAMP, .time = times[i], .palette = &palette};
            poseAt(batch, &character, 1, &scene, level);
            assertAgrees(&scene, NULL, &character, level);
        }
    }
}

/* Float times are too coarse for a clip of an hour. */
OWNING_TEST(longClipsStayExact) {
    const float times[] = {0.0f, 3600.0f - 0.25f, 3600.0f};
    const float values[] = {0, 0, 0, 0, 0, 0, 1, 0, 0};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 3, .times = times, .values = values};
    double moments[200];
    for (int step = 0; step < 200; ++step) {
        moments[step] = 3599.75 + 0.00123 * step;
    }
    assertTrackAgrees(&track, moments, 200);
}

/* At a key's time and the neighbouring doubles. */
OWNING_TEST(stepsComeAtTheirTime) {
    const float times[] = {0.1f, 0.3f, 0.3f, 0.7f};
    const float values[] = {1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0};
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION,
                               .interpolation = VKSKIN_INTERPOLATION_STEP,
                               .keyCount = 4,
                               .times = times,
                               .values = values};
    for (int key = 0; key < 4; ++key) {
        const double at = times[key];
        assertTrackAgrees(&track, (const double[]){nextafter(at, -1.0), at, nextafter(at, 1.0)}, 3);
    }
}

/* Other encodings equal vkskinWritePalette of the matrices, to the bit. */
OWNING_TEST(encodingsAreThoseOfOnePalette) {
    enum { BONES = 23 };
    BatchScene scene = batchScene(&shapes[4]);
    uint32_t nodes[BONES];
    for (uint32_t bone = 0; bone < BONES; ++bone) {
        nodes[bone] = bone;
    }
    VkskinSkin copy = ownSkin(BONES, BONES, nodes, NULL, NULL);
    VkskinPoseBatch batch = makeBatch(&scene, CHARACTERS);
    VkskinPoseBatchCharacter characters[CHARACTERS];
    batchSceneCast(characters, CHARACTERS);
    givePalettes(characters, CHARACTERS, BONES * sizeof(VkskinAffine));
    poseAt(batch, characters, CHARACTERS, &scene, VKSKIN_CPU_AUTO);
    for (uint32_t encoding = 1; encoding < VKSKIN_PALETTE_ENCODING_COUNT; ++encoding) {
        const size_t bytes = (size_t)BONES * vkskinPaletteStride((VkskinPaletteEncoding)encoding);
        VkskinPoseBatchCharacter others[CHARACTERS];
        memcpy(others, characters, sizeof others);
        givePalettes(others, CHARACTERS, bytes);
        const VkskinResult result =
            vkskinPoseBatch(batch, others, CHARACTERS, (VkskinPaletteEncoding)encoding, BONES, NULL);
        VkskinResult expectedResult = VKSKIN_SUCCESS;
        for (uint32_t i = 0; i < CHARACTERS; ++i) {
            unsigned char expected[BONES * 64];
            const VkskinResult one = vkskinWritePalette(copy, characters[i].palette, BONES,
                                                        (VkskinPaletteEncoding)encoding, expected, BONES);
            expectedResult = one != VKSKIN_SUCCESS ? one : expectedResult;
            assert_memory_equal(others[i].palette, expected, bytes);
        }
        assert_int_equal(result, expectedResult);
    }
}

/* Palettes end at an inaccessible page; memory before them must not change. */
OWNING_TEST(writesOnlyPalettes) {
    const SceneShape oddShape = {.nodeCount = 7, .boneCount = 7, .tree = SCENE_BUSH};
    const SceneShape wholeShape = {.nodeCount = 8, .boneCount = 8, .tree = SCENE_BUSH};
    for (uint32_t round = 0; round < 2 * VKSKIN_PALETTE_ENCODING_COUNT; ++round) {
        const VkskinPaletteEncoding encoding = (VkskinPaletteEncoding)(round / 2);
        BatchScene scene = batchScene(round % 2 == 0 ? &oddShape : &wholeShape);
        for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
            const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
            VkskinPoseBatch batch = makeBatch(&scene, CHARACTERS);
            VkskinPoseBatchCharacter characters[CHARACTERS];
            GuardedOutput outputs[CHARACTERS];
            batchSceneCast(characters, CHARACTERS);
            for (uint32_t i = 0; i < CHARACTERS; ++i) {
                outputs[i] = guardedOutput(scene.shape.boneCount * vkskinPaletteStride(encoding), (unsigned char)i);
                characters[i].palette = outputs[i].bytes;
            }
            assert_true(vkskinPoseBatch(batch, characters, CHARACTERS, encoding, scene.shape.boneCount, &run) >=
                        VKSKIN_SUCCESS);
            for (uint32_t i = 0; i < CHARACTERS; ++i) {
                guardedOutputFree(&outputs[i]);
            }
        }
        destroyOwned(0);
    }
}
