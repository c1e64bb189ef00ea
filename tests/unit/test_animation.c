/* Packed animation sets: packing, reading at every instruction level, and blocks that must be refused. */
#include <float.h>
#include <math.h>

#include "pack.h"
#include "pose_batch_scenes.h"
#include "vkskin/vkskin_pack.h"

#define CHARACTERS 37u
#define MAX_ERROR  0.01f
#define LOOSE      0.1f /* packs faster */
#define DISTANCE   0.25f

static const SceneShape shapes[] = {
    {.name = "one bone", .nodeCount = 1, .boneCount = 1, .meshToModel = true},
    {.name = "a body", .nodeCount = 8, .boneCount = 8, .tree = SCENE_BUSH, .meshToModel = true},
    {.name = "pre-transforms", .nodeCount = 5, .boneCount = 5, .tree = SCENE_BUSH, .preTransforms = true},
    {.name = "backwards", .nodeCount = 7, .boneCount = 6, .tree = SCENE_BACKWARDS, .mixedBones = true},
    {.name = "forest", .nodeCount = 6, .boneCount = 9, .tree = SCENE_FOREST, .preTransforms = true, .mixedBones = true},
};

static LogMemory logMemory;

static VkskinAnimationDef defOf(const BatchScene *scene) {
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    def.skeleton = scene->skeleton;
    def.clipCount = SCENE_CLIPS;
    def.clips = scene->clips;
    def.maxError = MAX_ERROR;
    def.distance = DISTANCE;
    def.logger = rememberingLogger(&logMemory);
    return def;
}

/* The test's block of a def. */
static void *packed(const VkskinAnimationDef *def, size_t *size, VkskinAnimationStats *stats) {
    void *block = NULL;
    OK(vkskinPackAnimation(def, &block, size, stats));
    return own(block, freeBlock);
}

static VkskinPoseBatch batchOf(const BatchScene *scene, const void *block, size_t size) {
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    def.animation = block;
    def.animationSize = size;
    def.skin = scene->skin;
    def.slotCount = CHARACTERS;
    return ownPoseBatch(&def);
}

/* ---- The bound ---- */

/* The largest distance between the corners of a node's cube in two poses. */
static double apart(const VkskinAffine *a, const VkskinAffine *b, double half) {
    double most = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        double square = 0.0;
        for (int row = 0; row < 3; ++row) {
            double d = (double)a->m[row][3] - b->m[row][3];
            for (int i = 0; i < 3; ++i) {
                d += ((double)a->m[row][i] - b->m[row][i]) * ((corner >> i & 1) != 0 ? half : -half);
            }
            square += d * d;
        }
        most = fmax(most, sqrt(square));
    }
    return most;
}

/* At random times, also between those that the builder measures. */
static double errorOfClip(const BatchScene *scene, const void *block, uint32_t clip, double half) {
    VkskinTransform pose[64];
    VkskinAffine source[64];
    VkskinAffine read[64];
    double most = 0.0;
    for (int i = 0; i <= 500; ++i) {
        const double time = 1.5 * i / 500;
        OK(vkskinSampleClip(scene->skeleton, scene->clips[clip], time, VKSKIN_WRAP_CLAMP, pose));
        OK(vkskinComposePose(scene->skeleton, pose, source));
        OK(vkskinSampleAnimation(block, clip, time, VKSKIN_WRAP_CLAMP, pose));
        OK(vkskinComposePose(scene->skeleton, pose, read));
        for (uint32_t node = 0; node < scene->shape.nodeCount; ++node) {
            most = fmax(most, apart(&source[node], &read[node], half));
        }
    }
    return most;
}

static uint64_t bytesOf(const uint32_t *block, uint32_t index) {
    const VkskinAnimationHeader *header = (const void *)block;
    const VkskinAnimationClip *clip = (const VkskinAnimationClip *)(const void *)(block + header->clipsAt) + index;
    return sizeof *clip + 4 * (uint64_t)clip->keyCount * (clip->stride + (clip->timesAt != 0)) +
           clip->rotationCount * sizeof(VkskinAnimationRotation) + clip->vectorCount * sizeof(VkskinAnimationVector) +
           clip->holdCount * sizeof(VkskinAnimationHold);
}

/* Linear, step and cubic keys, several at one time, at any times, and a clip of no length. */
static void expectBound(const BatchScene *scene, const void *block, size_t size, const VkskinAnimationStats *stats) {
    OK(vkskinCheckAnimation(block, size, NULL));
    for (uint32_t clip = 0; clip < SCENE_CLIPS; ++clip) {
        const double error = errorOfClip(scene, block, clip, DISTANCE);
        assert_true(stats[clip].error <= MAX_ERROR && (clip != 3 || stats[clip].trackCount == 0));
        assert_int_equal(stats[clip].bytes, bytesOf(block, clip));
        if (error > 1.1 * (double)MAX_ERROR) {
            fail_msg("%s, clip %u: the error is %g", scene->shape.name, clip, error);
        }
    }
}

OWNING_TEST(sizeAndErrorFollowTheBound) {
    static const float bounds[] = {0.3f, 0.03f, 0.003f};
    const BatchScene scene = batchScene(&shapes[1]);
    uint64_t before = 0;
    for (uint32_t i = 0; i < COUNT_OF(bounds); ++i) {
        VkskinAnimationStats stats[2];
        VkskinAnimationDef def = defOf(&scene);
        size_t size;
        uint64_t bytes = 0;
        def.maxError = bounds[i];
        def.clipCount = COUNT_OF(stats);
        (void)packed(&def, &size, stats);
        for (uint32_t clip = 0; clip < COUNT_OF(stats); ++clip) {
            bytes += stats[clip].bytes;
        }
        assert_true(bytes > before && bytes < size);
        assert_true(stats[0].error > 0.3f * bounds[i]);
        before = bytes;
    }
}

OWNING_TEST(warnsOfABoundOutOfReach) {
    const BatchScene scene = batchScene(&shapes[0]);
    VkskinAnimationDef def = defOf(&scene);
    void *block = NULL;
    size_t size;
    def.maxError = 1e-12f;
    RETURNS(VKSKIN_WARNING_ERROR_BOUND, vkskinPackAnimation(&def, &block, &size, NULL));
    assert_int_equal(logMemory.count, 1);
    assert_non_null(strstr(logMemory.message, "animation: the error of clip 0 is "));
    OK(vkskinCheckAnimation(block, size, NULL));
    vkskinFreeAnimation(block, NULL);
}

/* Squares of such distances overflow. With as many splits as times, each after a look at all of them, this takes long enough to fail. */
OWNING_TEST(packsDistancesBeyondFloats) {
    enum { KEYS = 2500 };
    static float times[KEYS], values[KEYS][3];
    const BatchScene scene = batchScene(&shapes[0]);
    for (uint32_t i = 0; i < KEYS; ++i) {
        times[i] = (float)i;
        values[i][0] = i % 2 == 0 ? 1e30f : -1e30f;
    }
    const VkskinTrack track = {
        .channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = KEYS, .times = times, .values = values[0]};
    const VkskinClip clip = ownClip(scene.shape.nodeCount, &track, 1, -1.0f);
    VkskinAnimationDef def = defOf(&scene);
    VkskinAnimationStats stats;
    void *block = NULL;
    size_t size;
    def.clips = &clip;
    def.clipCount = 1;
    RETURNS(VKSKIN_WARNING_ERROR_BOUND, vkskinPackAnimation(&def, &block, &size, &stats));
    own(block, freeBlock);
    assert_true(stats.error == FLT_MAX);
    OK(vkskinCheckAnimation(block, size, NULL));
}

OWNING_TEST(threadsDoNotChangeBytes) {
    const BatchScene scene = batchScene(&shapes[2]);
    VkskinAnimationDef def = defOf(&scene);
    Crew crew = {.threads = 3, .seed = 5};
    size_t sizes[2];
    const void *alone = packed(&def, &sizes[0], NULL);
    def.parallel = lendCrew;
    def.parallelUser = &crew;
    const void *together = packed(&def, &sizes[1], NULL);
    assert_int_equal(crew.tasks, SCENE_CLIPS);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(alone, together, sizes[0]);
}

/* What sknPackSource reads of a skeleton. */
static PackSkeleton packSkeleton(VkskinSkeleton skeleton, PackNode nodes[64], uint32_t places[64]) {
    for (uint32_t place = 0; place < skeleton->nodeCount; ++place) {
        const uint32_t node = sknNodeInOrder(skeleton, place);
        const int32_t parent = skeleton->parents[node];
        places[node] = place;
        nodes[place] = (PackNode){.node = node,
                                  .parent = parent >= 0 ? places[parent] : PACK_NONE,
                                  .hasPre = skeleton->preTransforms != NULL,
                                  .centre = {0.1f, -0.2f, 0.3f},
                                  .half = {0.5f, 0.25f, 0.125f}};
        if (nodes[place].hasPre) {
            memcpy(nodes[place].pre, skeleton->preTransforms[node].m, sizeof nodes[place].pre);
        }
    }
    return (PackSkeleton){skeleton, skeleton->nodeCount, nodes, places};
}

static void expectLevelErrors(PackClip *clip, PackLevel level, const float *expected) {
    const float(*values)[4] = (const float(*)[4])clip->values;
    clip->level = level;
    for (uint32_t g = 0; g < clip->gridCount; ++g) {
        const uint32_t count = 1 + g % level.width < clip->gridCount - g ? 1 + g % level.width : clip->gridCount - g;
        PackTimes times;
        float errors[PACK_LANES];
        for (uint32_t lane = 0; lane < count; ++lane) {
            times.a[lane] = values[(size_t)(g + lane) / 3 * clip->channelCount];
            times.b[lane] = values[(size_t)(clip->gridCount - 1) * clip->channelCount];
            times.fractions[lane] = (float)(g + lane) / (float)clip->gridCount;
        }
        sknPackErrorsAt(clip, g, count, &times, errors);
        assert_memory_equal(errors, expected + g, count * sizeof *errors);
    }
}

/* One time after another at the portable level, and several at once at every level: the same bits. */
OWNING_TEST(errorsOfAllLevelsAreEqual) {
    for (uint32_t shape = 0; shape < COUNT_OF(shapes); ++shape) {
        const BatchScene scene = batchScene(&shapes[shape]);
        PackNode nodes[64];
        uint32_t places[64];
        const PackSkeleton skeleton = packSkeleton(scene.skeleton, nodes, places);
        for (uint32_t c = 0; c < SCENE_CLIPS; ++c) {
            PackClip clip;
            OK(sknPackSource(&skeleton, scene.clips[c], false, 1, NULL, &clip));
            const PackLevel best = clip.level;
            float *expected = sknArenaLines(&clip.arena, clip.gridCount + PACK_LANES, sizeof *expected);
            clip.level = sknPackLevelPortable;
            for (uint32_t g = 0; g < clip.gridCount; ++g) {
                float errors[PACK_LANES];
                PackTimes one = {.a = {clip.values[(size_t)g / 3 * clip.channelCount]},
                                 .b = {clip.values[(size_t)(clip.gridCount - 1) * clip.channelCount]},
                                 .fractions = {(float)g / (float)clip.gridCount}};
                sknPackErrorsAt(&clip, g, 1, &one, errors);
                expected[g] = errors[0];
            }
            expectLevelErrors(&clip, sknPackLevelPortable, expected);
            expectLevelErrors(&clip, best, expected);
#if defined(VKSKIN_HAS_AVX2)
            if (vkskinGetCpuLevel() >= VKSKIN_CPU_AVX2) {
                expectLevelErrors(&clip, sknPackLevelAvx2, expected);
            }
#endif
            sknFreeArena(&clip.arena);
        }
    }
}

/* ---- Reading ---- */

/* Palettes of one character after another, from poses of vkskinSampleAnimation. */
static void expectPalette(const BatchScene *scene, const void *block, const VkskinPoseBatchCharacter *character,
                          VkskinAffine *palette) {
    VkskinTransform pose[64];
    VkskinAffine world[64];
    OK(vkskinSampleAnimation(block, character->clip, character->time, character->wrap, pose));
    OK(vkskinComposePose(scene->skeleton, pose, world));
    OK(vkskinWritePalette(scene->skin, world, scene->shape.nodeCount, VKSKIN_PALETTE_MAT3X4, palette,
                          scene->shape.boneCount));
}

static void assertAgrees(const BatchScene *scene, const void *block, const VkskinPoseBatchCharacter *character,
                         uint32_t level) {
    VkskinAffine expected[64];
    VkskinAffine unused[64];
    VkskinAffine bounds[64];
    const VkskinAffine *actual = character->palette;
    expectPalette(scene, block, character, expected);
    batchSceneExpect(scene, NULL, character, unused, bounds);
    for (uint32_t i = 0; i < scene->shape.boneCount * 12; ++i) {
        const float difference = fabsf((&actual[0].m[0][0])[i] - (&expected[0].m[0][0])[i]);
        if (!(difference <= 2.0f * (&bounds[0].m[0][0])[i])) {
            fail_msg("%s, level %u, clip %u at %g s: number %u is off by %g", scene->shape.name, level, character->clip,
                     character->time, i, (double)difference);
        }
    }
}

/* At every level, with all clips in one call, so that lanes are of several clips. */
static void expectBatchesAgree(const BatchScene *scene, const void *block, size_t size) {
    VkskinPoseBatch batch = batchOf(scene, block, size);
    VkskinAffine *palettes = ownLines(CHARACTERS * sizeof(VkskinAffine) * scene->shape.boneCount);
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
        VkskinPoseBatchCharacter characters[CHARACTERS];
        batchSceneCast(characters, CHARACTERS);
        for (uint32_t c = 0; c < CHARACTERS; ++c) {
            characters[c].palette = palettes + (size_t)c * scene->shape.boneCount;
        }
        OK(vkskinPoseBatch(batch, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, scene->shape.boneCount, &run));
        for (uint32_t c = 0; c < CHARACTERS; ++c) {
            assertAgrees(scene, block, &characters[c], level);
        }
    }
}

OWNING_TEST(everyShapeKeepsToTheBoundAndBatchesAgree) {
    for (uint32_t i = 0; i < 2 * COUNT_OF(shapes); ++i) {
        VkskinAnimationStats stats[SCENE_CLIPS];
        const BatchScene scene = batchScene(&shapes[i / 2]);
        VkskinAnimationDef def = defOf(&scene);
        size_t size;
        def.profile = (VkskinAnimationProfile)(i % 2);
        const void *block = packed(&def, &size, stats);
        expectBound(&scene, block, size, stats);
        expectBatchesAgree(&scene, block, size);
        destroyOwned(0);
    }
}

OWNING_TEST(batchesAgreeOnNumbersOfManyBits) {
    const BatchScene scene = batchScene(&shapes[0]);
    VkskinAnimationDef def = defOf(&scene);
    size_t size;
    def.maxError = 4e-6f;
    const void *block = packed(&def, &size, NULL);
    expectBatchesAgree(&scene, block, size);
}

/* A step comes at its time, not a moment earlier. */
OWNING_TEST(stepsComeAtTheirTime) {
    static const float times[] = {0.1f, 0.3f, 0.7f};
    static const float values[] = {1, 0, 0, 2, 0, 0, 4, 0, 0};
    const SceneShape shape = {.nodeCount = 1, .boneCount = 1};
    BatchScene scene = batchScene(&shape);
    const VkskinTrack track = {.channel = VKSKIN_CHANNEL_TRANSLATION,
                               .interpolation = VKSKIN_INTERPOLATION_STEP,
                               .keyCount = 3,
                               .times = times,
                               .values = values};
    scene.clips[0] = ownClip(1, &track, 1, -1.0f);
    VkskinAnimationDef def = defOf(&scene);
    size_t size;
    def.clipCount = 1;
    const void *block = packed(&def, &size, NULL);
    for (int key = 1; key < 3; ++key) {
        VkskinTransform pose;
        OK(vkskinSampleAnimation(block, 0, nextafter(times[key], -1.0), VKSKIN_WRAP_CLAMP, &pose));
        assert_true(fabsf(pose.translation[0] - values[3 * (key - 1)]) <= MAX_ERROR);
        OK(vkskinSampleAnimation(block, 0, times[key], VKSKIN_WRAP_CLAMP, &pose));
        assert_true(fabsf(pose.translation[0] - values[3 * key]) <= MAX_ERROR);
    }
}

OWNING_TEST(blocksHaveTheirSkeleton) {
    const BatchScene scene = batchScene(&shapes[3]);
    VkskinAnimationDef def = defOf(&scene);
    size_t size;
    def.maxError = LOOSE;
    const void *block = packed(&def, &size, NULL);
    VkskinSkeleton skeleton;
    VkskinTransform pose[64];
    VkskinAffine worlds[2][64];
    OK(vkskinCreateAnimationSkeleton(block, NULL, NULL, &skeleton));
    OK(vkskinSampleAnimation(block, VKSKIN_REST_POSE, 0.0, VKSKIN_WRAP_CLAMP, pose));
    OK(vkskinComposePose(skeleton, pose, worlds[0]));
    OK(vkskinSampleClip(scene.skeleton, NULL, 0.0, VKSKIN_WRAP_CLAMP, pose));
    OK(vkskinComposePose(scene.skeleton, pose, worlds[1]));
    assert_memory_equal(worlds[0], worlds[1], shapes[3].nodeCount * sizeof(VkskinAffine));
    vkskinDestroySkeleton(skeleton);
    assert_int_equal(vkskinGetAnimationClipCount(block), SCENE_CLIPS);
    assert_true(vkskinGetAnimationDuration(block, 0) == 1.5f && vkskinGetAnimationDuration(block, 3) == 0.0f);
    assert_true(vkskinGetAnimationDuration(block, SCENE_CLIPS) == 0.0f && vkskinGetAnimationClipCount(NULL) == 0);
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinSampleAnimation(block, SCENE_CLIPS, 0.0, VKSKIN_WRAP_CLAMP, pose));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinSampleAnimation(block, 0, NAN, VKSKIN_WRAP_CLAMP, pose));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinSampleAnimation(block, 0, 0.0, (VkskinWrap)2, pose));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSampleAnimation(NULL, 0, 0.0, VKSKIN_WRAP_CLAMP, pose));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateAnimationSkeleton(block, NULL, NULL, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateAnimationSkeleton(NULL, NULL, NULL, &skeleton));
    assert_null(skeleton);
}

/* Boxes hold the vertices that a node moves, in its space. */
OWNING_TEST(boxesHoldVertices) {
    static const uint32_t nodes[] = {1, 0};
    static const float positions[] = {1, 2, 3, -1, 0, 5};
    static const uint32_t joints[] = {0, 9, 0, 1};
    static const float weights[] = {1, 0, 0.5f, 0.5f};
    static const float low[] = {-2, 0, 3};
    static const float high[] = {0, 2, 5};
    VkskinAffine binds[2] = {vkskinIdentityAffine(), vkskinIdentityAffine()};
    binds[0].m[0][3] = -1.0f;
    VkskinSkin skin = ownSkin(2, 2, nodes, binds, NULL);
    VkskinAnimationBox boxes[] = {vkskinEmptyAnimationBox(), vkskinEmptyAnimationBox()};
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = def.boneCount = def.influencesPerVertex = 2;
    def.positions = positions;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = joints;
    def.weights = weights;
    OK(vkskinAddAnimationBoxes(skin, &def, boxes));
    assert_memory_equal(boxes[1].low, low, sizeof low);
    assert_memory_equal(boxes[1].high, high, sizeof high);
    assert_memory_equal(boxes[0].low, &positions[3], sizeof low);
}

/* Vertices as a host has them: interleaved, with small joints, and one without weights. */
OWNING_TEST(boxesReadMeshesAsTheyAreCreated) {
    typedef struct Vertex {
        float position[3], weights[2];
        uint8_t joints[4];
    } Vertex;
    static const uint32_t nodes[] = {1, 0};
    Vertex vertices[3] = {{{1, 2, 3}, {1, 0}, {0, 9}}, {{-1, 0, 5}, {0.5f, 0.5f}, {0, 1}}, {{8, 8, 8}, {0, 0}, {7, 7}}};
    VkskinSkin skin = ownSkin(2, 2, nodes, NULL, NULL);
    VkskinAnimationBox boxes[] = {vkskinEmptyAnimationBox(), vkskinEmptyAnimationBox()};
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = 3;
    def.boneCount = def.influencesPerVertex = 2;
    def.vertices = vertices;
    def.vertexStride = sizeof vertices[0];
    def.positions = vertices[0].position;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = vertices[0].joints;
    def.weights = vertices[0].weights;
    OK(vkskinAddAnimationBoxes(skin, &def, boxes));
    assert_true(boxes[1].low[0] == -1 && boxes[1].high[0] == 1 && boxes[0].high[0] == -1);
    def.unweightedBone = 1;
    OK(vkskinAddAnimationBoxes(skin, &def, boxes));
    assert_true(boxes[1].high[0] == 1 && boxes[0].low[0] == -1 && boxes[0].high[2] == 8);
    const VkskinAnimationBox before = boxes[0];
    def.unweightedBone = 2;
    RETURNS(VKSKIN_ERROR_JOINT_OUT_OF_RANGE, vkskinAddAnimationBoxes(skin, &def, boxes));
    def.unweightedBone = VKSKIN_NO_BONE;
    vertices[2].weights[1] = 1;
    RETURNS(VKSKIN_ERROR_JOINT_OUT_OF_RANGE, vkskinAddAnimationBoxes(skin, &def, boxes));
    def.boneCount = 8; /* more than the skin has */
    RETURNS(VKSKIN_ERROR_JOINT_OUT_OF_RANGE, vkskinAddAnimationBoxes(skin, &def, boxes));
    vertices[2].position[1] = NAN;
    RETURNS(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, vkskinAddAnimationBoxes(skin, &def, boxes));
    def.dimensions = 2;
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinAddAnimationBoxes(skin, &def, boxes));
    def.dimensions = 3;
    def.influencesPerVertex = 0;
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinAddAnimationBoxes(skin, &def, boxes));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAddAnimationBoxes(skin, NULL, boxes));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAddAnimationBoxes(NULL, &def, boxes));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinAddAnimationBoxes(skin, &def, NULL));
    def.cookie = 0;
    RETURNS(VKSKIN_ERROR_DEF_NOT_INITIALISED, vkskinAddAnimationBoxes(skin, &def, boxes));
    assert_memory_equal(&boxes[0], &before, sizeof before);
}

/* ---- Refusals ---- */

OWNING_TEST(defsAreRefused) {
    static const VkskinAnimationBox broken = {{0, NAN, 0}, {1, 1, 1}};
    const BatchScene scene = batchScene(&shapes[0]);
    const BatchScene larger = batchScene(&shapes[1]);
    VkskinClip none = NULL;
    void *block;
    size_t size;
#define REFUSE(change, result, text)                                                                                   \
    do {                                                                                                               \
        VkskinAnimationDef def = defOf(&scene);                                                                        \
        change;                                                                                                        \
        assertRefused(&logMemory, vkskinPackAnimation(&def, &block, &size, NULL), result, "animation: " text);         \
        assert_null(block);                                                                                            \
    } while (0)
    REFUSE(def.skeleton = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton is null");
    REFUSE(def.clips = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "clips is null");
    REFUSE((def.clips = &none, def.clipCount = 1), VKSKIN_ERROR_NULL_ARGUMENT, "clip 0 is null");
    REFUSE(def.clips = larger.clips, VKSKIN_ERROR_INVALID_VALUE, "clip 0 is for a skeleton of 8 nodes, this one has 1");
    REFUSE(def.clipCount = VKSKIN_ANIMATION_MAX_NODE_CLIPS + 1, VKSKIN_ERROR_INVALID_VALUE,
           "1 nodes x 4194305 clips are more than 4194304");
    REFUSE(def.maxError = 0.0f, VKSKIN_ERROR_INVALID_VALUE, "maxError is not above 0");
    REFUSE(def.maxError = INFINITY, VKSKIN_ERROR_INVALID_VALUE, "maxError is not above 0");
    REFUSE(def.distance = -1.0f, VKSKIN_ERROR_INVALID_VALUE, "distance is negative or not finite");
    REFUSE(def.profile = (VkskinAnimationProfile)2, VKSKIN_ERROR_INVALID_VALUE, "the profile is unknown");
    REFUSE(def.boxes = &broken, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "the box of node 0 is not finite");
    VkskinAnimationDef zero = {0};
    RETURNS(VKSKIN_ERROR_DEF_NOT_INITIALISED, vkskinPackAnimation(&zero, &block, &size, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinPackAnimation(NULL, &block, &size, NULL));
}

/* The message depends on what had no memory. */
OWNING_TEST(memoryRunsOutEverywhere) {
    const BatchScene scene = batchScene(&shapes[0]);
    AllocatorState memory = {.failAt = 1};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    VkskinAnimationDef def = defOf(&scene);
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    void *block = NULL;
    size_t size;
    def.allocator = &allocator;
    def.clipCount = 2;
    def.maxError = 0.5f;
    for (uint32_t failAt = 1; result == VKSKIN_ERROR_OUT_OF_HOST_MEMORY; ++failAt) {
        memory = (AllocatorState){.failAt = failAt};
        result = vkskinPackAnimation(&def, &block, &size, NULL);
        if (result != VKSKIN_SUCCESS) {
            RETURNS(VKSKIN_ERROR_OUT_OF_HOST_MEMORY, result);
            assert_null(block);
            assert_int_equal(memory.alive, 0);
        }
    }
    OK(result);
    vkskinFreeAnimation(block, &allocator);
    assert_int_equal(memory.alive, 0);
}

/* A block in a heap block of its size, to be spoiled. */
static uint32_t *copyOf(const void *block, size_t size) {
    uint32_t *copy = ownZeros(size, 1);
    memcpy(copy, block, size);
    return copy;
}

static VkskinAnimationHeader *headerOf(uint32_t *block) {
    return (VkskinAnimationHeader *)(void *)block;
}

static VkskinAnimationClip *clipOf(uint32_t *block) {
    return (VkskinAnimationClip *)(void *)(block + headerOf(block)->clipsAt);
}

static void *at(uint32_t *block, uint32_t word) {
    return block + word;
}

/* A good block, and a copy to be spoiled. */
typedef struct Damage {
    const void *good;
    size_t size;
    VkskinLogger logger;
    uint32_t *block;
    VkskinAnimationHeader *header;
    VkskinAnimationClip *clip;
    VkskinAnimationRotation *rotation; /* rotation of clip 0, as the members below except `hold` */
    VkskinAnimationVector *vector;
    float *times;
    uint32_t *rows;
    VkskinAnimationHold *hold; /* hold of clip 3 */
} Damage;

static Damage damageOf(VkskinAnimationProfile profile, uint32_t shape) {
    const BatchScene scene = batchScene(&shapes[shape]);
    VkskinAnimationDef def = defOf(&scene);
    Damage d = {.logger = rememberingLogger(&logMemory)};
    def.profile = profile;
    def.maxError = LOOSE;
    d.good = packed(&def, &d.size, NULL);
    d.block = copyOf(d.good, d.size);
    d.header = headerOf(d.block);
    d.clip = clipOf(d.block);
    d.rotation = at(d.block, d.clip->rotationsAt);
    d.vector = at(d.block, d.clip->vectorsAt);
    d.times = at(d.block, d.clip->timesAt);
    d.rows = at(d.block, d.clip->keysAt);
    d.hold = at(d.block, d.clip[3].holdsAt);
    assert_true(d.clip->timesAt != 0 && d.clip->rotationCount > 1 && d.clip->vectorCount > 1);
    return d;
}

static void assertDamaged(const Damage *d, const char *text) {
    char message[160];
    snprintf(message, sizeof message, "animation: %s is damaged", text);
    assertRefused(&logMemory, vkskinCheckAnimation(d->block, d->size, &d->logger), VKSKIN_ERROR_ANIMATION_DATA,
                  message);
    memcpy(d->block, d->good, d->size);
}

/* text: the start of the message. */
static void assertTooMuch(const Damage *d, const char *text) {
    RETURNS(VKSKIN_ERROR_ANIMATION_DATA, vkskinCheckAnimation(d->block, d->size, &d->logger));
    assert_true(strncmp(logMemory.message, text, strlen(text)) == 0);
    memcpy(d->block, d->good, d->size);
    logMemory.count = 0;
}

static void assertAccepted(const Damage *d) {
    OK(vkskinCheckAnimation(d->block, d->size, &d->logger));
    memcpy(d->block, d->good, d->size);
}

#define DAMAGE(field, value, text) ((field) = (value), assertDamaged(&d, text))
#define ACCEPT(field, value)       ((field) = (value), assertAccepted(&d))

OWNING_TEST(damagedHeadersAreNamed) {
    const Damage d = damageOf(VKSKIN_ANIMATION_PACKED, 2);
    VkskinAnimationHeader *header = d.header;
    int32_t *parents = at(d.block, header->parentsAt);
    uint32_t *order = at(d.block, header->orderAt);
    const uint32_t nodes = header->nodeCount, end = header->bytes / 4;
    static const char offset[] = "an offset of the header";
    assert_true(header->preAt != 0 && header->heldCount > 0);
    DAMAGE(header->bytes, 48, "the size");
    DAMAGE(header->bytes, header->bytes - 4, "the size");
    DAMAGE(header->nodeCount, 0, "nodeCount");
    DAMAGE(header->nodeCount, VKSKIN_ANIMATION_MAX_NODES + 1, "nodeCount");
    DAMAGE(header->nodeCount, VKSKIN_ANIMATION_MAX_NODES, offset);
    DAMAGE(header->parentsAt, end - nodes + 1, offset);
    DAMAGE(header->orderAt, end - nodes + 1, offset);
    DAMAGE(header->restAt, end - 10 * nodes + 1, offset);
    DAMAGE(header->preAt, end - 12 * nodes + 1, offset);
    DAMAGE(header->clipsAt, end - 16 * header->clipCount + 1, offset);
    DAMAGE(header->heldAt, end - 4 * header->heldCount + 1, offset);
    DAMAGE(header->heldAt, 15, offset);
    DAMAGE(header->heldAt, 0xfffffff0u, offset);
    DAMAGE(header->clipCount, 0x80000u, offset);
    DAMAGE(header->heldCount, 0x40000000u, offset);
    DAMAGE(header->heldAt, 16, "a held value"); /* parents, as numbers */
    DAMAGE(parents[0], 1, "a parent");
    DAMAGE(parents[nodes - 1], -2, "a parent");
    DAMAGE(parents[nodes - 1], (int32_t)nodes, "a parent");
    DAMAGE(parents[nodes - 1], (int32_t)nodes - 1, "a parent");
    DAMAGE(order[3], 2, "the order of the nodes");
    DAMAGE(order[nodes - 1], nodes, "the order of the nodes");
    DAMAGE(((float *)at(d.block, header->restAt))[10 * nodes - 1], NAN, "the rest pose");
    DAMAGE(((float *)at(d.block, header->preAt))[12 * nodes - 1], INFINITY, "the rest pose");
    DAMAGE(((float *)at(d.block, header->heldAt))[4 * header->heldCount - 1], INFINITY, "a held value");
    RETURNS(VKSKIN_ERROR_ANIMATION_DATA, vkskinCheckAnimation(d.block, d.size - 1, NULL));
    OK(vkskinCheckAnimation(d.block, d.size, NULL));
    OK(vkskinCheckAnimation(d.block, d.size + 100, NULL));
}

OWNING_TEST(damagedRowsAreNamed) {
    const Damage d = damageOf(VKSKIN_ANIMATION_PACKED, 1);
    VkskinAnimationClip *clip = d.clip;
    const uint32_t end = d.header->bytes / 4, keys = clip->keyCount, length = keys * clip->stride;
    static const char rows[] = "clip 0: keysAt, keyCount or stride", offset[] = "clip 0: an offset";
    DAMAGE(d.header->clipCount, VKSKIN_ANIMATION_MAX_NODE_CLIPS / 8, "an offset of the header");
    d.header->clipCount = VKSKIN_ANIMATION_MAX_NODE_CLIPS / 8 + 1;
    assertTooMuch(&d, "animation: 8 nodes x 524289 clips are more than 4194304");
    d.header->nodeCount = d.header->clipCount = 65536;
    assertTooMuch(&d, "animation: 65536 nodes x 65536 clips are more than 4194304");
    DAMAGE(clip->duration, -1.0f, "clip 0: duration");
    DAMAGE(clip->duration, NAN, "clip 0: duration");
    DAMAGE(clip->duration, INFINITY, "clip 0: duration");
    ACCEPT(clip->duration, 0.0f);
    DAMAGE(clip->keyCount, 0, rows);
    DAMAGE(clip->keyCount, 0x10000000u, rows);
    DAMAGE(clip->stride, 0x10000000u, rows);
    DAMAGE(clip->stride, 0, rows);
    DAMAGE(clip->keysAt, end - length - 3, rows);
    ACCEPT(clip->keysAt, end - length - 4);
    DAMAGE(clip->keysAt, 15, rows);
    DAMAGE(clip->keysAt, 0xffffffffu, rows);
    assert_int_equal(clip[3].stride, 0);
    DAMAGE(clip[3].keyCount, 2, "clip 3: keysAt, keyCount or stride"); /* rows that have no bytes */
    DAMAGE(clip[3].keyCount, 0xffffffffu, "clip 3: keysAt, keyCount or stride");
    DAMAGE(clip->timesAt, end - keys + 1, "clip 0: timesAt");
    DAMAGE(clip->timesAt, 15, "clip 0: timesAt");
    DAMAGE(d.times[0], 1e-30f, "clip 0: a key time");
    DAMAGE(d.times[1], -0.5f, "clip 0: a key time");
    DAMAGE(d.times[keys - 1], NAN, "clip 0: a key time");
    DAMAGE(d.times[keys - 1], INFINITY, "clip 0: a key time");
    DAMAGE(d.times[keys - 1], 0.5f * d.times[keys - 2], "clip 0: a key time");
    ACCEPT(d.times[keys - 1], d.times[keys - 2]);
    DAMAGE(clip->rotationsAt, end - 6 * clip->rotationCount + 1, offset);
    DAMAGE(clip->vectorsAt, end - 8 * clip->vectorCount + 1, offset);
    DAMAGE(clip[3].holdsAt, end - 2 * clip[3].holdCount + 1, "clip 3: an offset");
    DAMAGE(clip->rotationCount, 0x20000000u, offset);
    DAMAGE(clip->vectorsAt, 0xfffffff0u, offset);
    DAMAGE(clip->holdCount, 0x80000000u, offset);
}

OWNING_TEST(damagedTracksAreNamed) {
    const Damage d = damageOf(VKSKIN_ANIMATION_PACKED, 1);
    VkskinAnimationRotation *rotation = d.rotation;
    VkskinAnimationVector *vector = d.vector;
    static const char target[] = "clip 0: the target of a rotation", bits[] = "clip 0: the bits of a rotation";
    static const char place[] = "clip 0: the place of a rotation", base[] = "clip 0: the base of a rotation";
    static const char range[] = "clip 0: the range of a vector";
    /* All four numbers of a base at once. */
    typedef uint64_t __attribute__((may_alias, aligned(2))) WholeBase;
    WholeBase *whole = (WholeBase *)(void *)rotation[0].base;
    DAMAGE(rotation[d.clip->rotationCount - 1].target, 8 | 1 << 16, target);
    DAMAGE(rotation[1].target, rotation[0].target, target);
    DAMAGE(rotation[0].target, 0, target);
    DAMAGE(rotation[0].target, rotation[0].target | 2 << 16, target);
    DAMAGE(d.clip->stride, 1, place);
    DAMAGE(rotation[0].place, 0, bits);
    DAMAGE(rotation[0].place, 1, bits);
    DAMAGE(rotation[0].place, 25, bits);
    DAMAGE(rotation[0].place, 31, bits);
    DAMAGE(rotation[0].place, 33, bits);
    DAMAGE(rotation[0].place, d.clip->stride << 11 | 12, place);
    DAMAGE(rotation[0].place, 32 | 1 << 6, place);
    DAMAGE(*whole, 0, base);
    for (uint32_t i = 0; i < 4; i++) {
        ACCEPT(*whole, (uint64_t)1 << 16 * i);
    }
    DAMAGE(vector[0].target, 1 << 16, "clip 0: the target of a vector");
    DAMAGE(vector[0].target, 3 << 16, "clip 0: the target of a vector");
    DAMAGE(vector[0].target, vector[0].target | VKSKIN_ANIMATION_FOUR, "clip 0: the target of a vector");
    DAMAGE(vector[1].target, vector[0].target, "clip 0: the target of a vector");
    DAMAGE(vector[d.clip->vectorCount - 1].target, 8, "clip 0: the target of a vector");
    DAMAGE(vector[d.clip->vectorCount - 1].target, 7 | 3 << 16, "clip 0: the target of a vector");
    DAMAGE(vector[0].place, 63, "clip 0: the bits of a vector");
    DAMAGE(vector[0].place, d.clip->stride << 11 | 12, "clip 0: the place of a vector");
    for (uint32_t i = 0; i < 3; i++) {
        DAMAGE(vector[0].extent[i], -1.0f, range);
        DAMAGE(vector[0].extent[i], INFINITY, range);
        DAMAGE(vector[0].centre[i], NAN, range);
    }
    DAMAGE(d.hold[0].target, d.hold[0].target | VKSKIN_ANIMATION_FOUR, "clip 3: the target of a held channel");
    DAMAGE(d.hold[d.clip[3].holdCount - 1].target, 8, "clip 3: the target of a held channel");
    DAMAGE(d.hold[1].target, d.hold[0].target, "clip 3: the target of a held channel");
    DAMAGE(d.hold[0].value, d.header->heldCount, "clip 3: the value of a held channel");
}

/* A rotation that begins inside of a word has at most 128 bits from the start of the word. Floats fill words. */
OWNING_TEST(damagedFloatsAreNamed) {
    const Damage d = damageOf(VKSKIN_ANIMATION_FLOAT, 1);
    const uint32_t last = (d.clip->keyCount - 1) * d.clip->stride;
    const float nan = NAN;
    for (uint32_t i = 0; i < d.clip->rotationCount; i++) {
        memcpy(d.rows + last + (d.rotation[i].place >> 11), &nan, sizeof nan);
        assertDamaged(&d, "clip 0: a key");
    }
    for (uint32_t i = 0; i < d.clip->vectorCount; i++) {
        memcpy(d.rows + last + (d.vector[i].place >> 11) + 2, &nan, sizeof nan);
        assertDamaged(&d, "clip 0: a key");
        DAMAGE(d.vector[i].centre[i % 3], 1.0f, "clip 0: the range of a vector");
        DAMAGE(d.vector[i].place, d.vector[i].place + 64, "clip 0: the place of a vector");
    }
}

#define BITS_OF_FLOATS 32u

/* Many tracks in the same bits, and many clips with the same rows, would take far more time than their bytes. */
OWNING_TEST(nothingIsListedTwice) {
    const Damage d = damageOf(VKSKIN_ANIMATION_FLOAT, 1);
    d.vector[1].place = d.vector[0].place;
    assertAccepted(&d); /* each row has bits for both */
    d.clip->keyCount = 1;
    d.clip->timesAt = 0;
    d.clip->stride = 3 * d.clip->vectorCount;
    for (uint32_t i = 0; i < d.clip->rotationCount; i++) {
        d.rotation[i].place = BITS_OF_FLOATS;
        d.clip->stride += (d.rotation[i].target & VKSKIN_ANIMATION_FOUR) != 0 ? 4 : 3;
    }
    for (uint32_t i = 0; i < d.clip->vectorCount; i++) {
        d.vector[i].place = BITS_OF_FLOATS;
    }
    OK(vkskinCheckAnimation(d.block, d.size, &d.logger));
    d.clip->stride -= 1;
    assertTooMuch(&d, "animation: clip 0: tracks overlap: they have ");
    const Damage rows = damageOf(VKSKIN_ANIMATION_PACKED, 1);
    for (uint32_t i = 0; i < SCENE_CLIPS; ++i) {
        rows.clip[i].keyCount = 1;
        rows.clip[i].timesAt = 0;
    }
    rows.clip->keysAt = 16;
    rows.clip->keyCount = rows.header->bytes / 8 / rows.clip->stride;
    OK(vkskinCheckAnimation(rows.block, rows.size, &rows.logger));
    rows.clip[1] = rows.clip[0];
    assertTooMuch(&rows, "animation: clip 1: the arrays of clips overlap: ");
}

OWNING_TEST(otherBytesAreRefused) {
    const BatchScene scene = batchScene(&shapes[0]);
    const VkskinAnimationDef def = defOf(&scene);
    const VkskinLogger logger = rememberingLogger(&logMemory);
    size_t size;
    uint32_t *block = copyOf(packed(&def, &size, NULL), 64);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinCheckAnimation(NULL, 64, &logger));
    RETURNS(VKSKIN_ERROR_ANIMATION_DATA, vkskinCheckAnimation(block, 64, &logger));
    assert_non_null(strstr(logMemory.message, "cut off after 64"));
    logMemory.count = 0;
    block[1] = 2;
    assertRefused(&logMemory, vkskinCheckAnimation(block, 64, &logger), VKSKIN_ERROR_ANIMATION_VERSION,
                  "animation: version 2, this library reads version 1");
    block[1] = 0;
    assertRefused(&logMemory, vkskinCheckAnimation(block, 64, &logger), VKSKIN_ERROR_ANIMATION_VERSION,
                  "animation: version 0, this library reads version 1");
    assertRefused(&logMemory, vkskinCheckAnimation(block, 63, &logger), VKSKIN_ERROR_ANIMATION_DATA,
                  "animation: 63 bytes are not an animation set");
    block[0] = 0;
    assertRefused(&logMemory, vkskinCheckAnimation(block, 64, &logger), VKSKIN_ERROR_ANIMATION_DATA,
                  "animation: 64 bytes are not an animation set");
    assertRefused(&logMemory, vkskinCheckAnimation(block, 63, &logger), VKSKIN_ERROR_ANIMATION_DATA,
                  "animation: 63 bytes are not an animation set");
}

/* Reads everything of a block that was accepted. */
static void readAll(const BatchScene *scene, const void *block, size_t size) {
    VkskinTransform pose[64];
    VkskinAffine palettes[4][64];
    VkskinPoseBatchCharacter characters[4];
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    VkskinPoseBatch batch;
    const uint32_t clipCount = vkskinGetAnimationClipCount(block);
    def.animation = block;
    def.animationSize = size;
    def.skin = scene->skin;
    def.slotCount = 4;
    if (vkskinCreatePoseBatch(&def, &batch) != VKSKIN_SUCCESS) {
        return;
    }
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t clip = clipCount > 0 ? i % clipCount : VKSKIN_REST_POSE;
        characters[i] = (VkskinPoseBatchCharacter){.clip = clip, .time = 0.4 * i, .slot = i, .palette = palettes[i]};
        OK(vkskinSampleAnimation(block, clip, 0.4 * i, VKSKIN_WRAP_LOOP, pose));
    }
    for (uint32_t level = 1; level <= (uint32_t)vkskinGetCpuLevel(); ++level) {
        const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
        (void)vkskinPoseBatch(batch, characters, 4, VKSKIN_PALETTE_MAT3X4, 64, &run);
    }
    vkskinDestroyPoseBatch(batch);
}

/* Every word in turn gets other values. The sanitizers see reads outside of what is accepted. */
OWNING_TEST(noWordLeadsOutOfTheBlock) {
    static const uint32_t values[] = {0, 1, 0xffffffffu, 0x7fffffffu, 0x40000000u, 0x00010001u};
    const BatchScene scene = batchScene(&shapes[4]);
    VkskinAnimationDef def = defOf(&scene);
    size_t size;
    uint32_t accepted = 0;
    uint32_t refused = 0;
    def.maxError = 0.3f;
    const void *good = packed(&def, &size, NULL);
    uint32_t *block = copyOf(good, size);
    for (size_t word = 0; word < size / 4; ++word) {
        for (uint32_t i = 0; i < COUNT_OF(values) + 2; ++i) {
            block[word] += i == COUNT_OF(values) ? 1u : UINT32_MAX;
            block[word] = i < COUNT_OF(values) ? values[i] : block[word];
            if (vkskinCheckAnimation(block, size, NULL) == VKSKIN_SUCCESS) {
                accepted += 1;
                if (word % 7 == i) {
                    readAll(&scene, block, size);
                }
            } else {
                refused += 1;
            }
            block[word] = ((const uint32_t *)good)[word];
        }
    }
    assert_true(accepted > 100 && refused > 100);
}

OWNING_TEST(batchesRefuseDamagedSets) {
    const BatchScene scene = batchScene(&shapes[1]);
    VkskinAnimationDef packing = defOf(&scene);
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    VkskinPoseBatch batch;
    size_t size;
    packing.maxError = LOOSE;
    uint32_t *block = packed(&packing, &size, NULL);
    def.animation = block;
    def.animationSize = size;
    def.skin = scene.skin;
    def.slotCount = 1;
    def.logger = rememberingLogger(&logMemory);
    def.skeleton = scene.skeleton;
    assertRefused(&logMemory, vkskinCreatePoseBatch(&def, &batch), VKSKIN_ERROR_INVALID_VALUE,
                  "pose batch: an animation set brings its skeleton and its clips, the def has others");
    def.skeleton = NULL;
    clipOf(block)->keyCount = 0;
    assertRefused(&logMemory, vkskinCreatePoseBatch(&def, &batch), VKSKIN_ERROR_ANIMATION_DATA,
                  "animation: clip 0: keysAt, keyCount or stride is damaged");
    const BatchScene other = batchScene(&shapes[0]);
    const VkskinAnimationDef small = defOf(&other);
    def.animation = packed(&small, &def.animationSize, NULL);
    assertRefused(&logMemory, vkskinCreatePoseBatch(&def, &batch), VKSKIN_ERROR_INVALID_VALUE,
                  "pose batch: the skin is for a skeleton of 8 nodes, this one has 1");
}
