/*
 * Pose batches write the same bits on any number of threads, in any order, one character per call or many, past the
 * caches or not, to memory of any alignment. Some characters have a second clip.
 */
#include "pose_batch_scenes.h"

#define CHARACTERS 1003u /* 2.4 MB of palettes: past the caches, in many tasks, the last ragged */
#define BONES      50u

static const SceneShape shape = {.name = "a body",
                                 .nodeCount = 50,
                                 .boneCount = BONES,
                                 .tree = SCENE_BUSH,
                                 .preTransforms = true,
                                 .mixedBones = true};

typedef struct Cast {
    VkskinPoseBatch batch;
    VkskinPoseBatchCharacter characters[CHARACTERS];
} Cast;

static const size_t paletteBytes = BONES * sizeof(VkskinAffine);

/* A batch, without the scene that it has copied, and its characters: palettes begin `shift` bytes after a line of the cache. */
static Cast *makeCast(size_t shift) {
    const size_t stride = (paletteBytes + 63) / 64 * 64;
    const size_t before = countOwned();
    const BatchScene scene = batchScene(&shape);
    VkskinPoseBatchDef def = batchSceneDef(&scene, CHARACTERS);
    VkskinPoseBatch batch = NULL;
    def.blending = true;
    OK(vkskinCreatePoseBatch(&def, &batch));
    destroyOwned(before);
    Cast *cast = ownZeros(1, sizeof *cast);
    cast->batch = own(batch, destroyPoseBatch);
    unsigned char *room = ownLines(CHARACTERS * stride + 64);
    memset(room, 0xa5, CHARACTERS * stride + 64);
    srand(5);
    batchSceneCast(cast->characters, CHARACTERS);
    batchSceneBlend(cast->characters, CHARACTERS);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        cast->characters[i].palette = room + shift + i * stride;
    }
    return cast;
}

static void poseFrames(Cast *cast, const VkskinCpuRun *run) {
    for (uint32_t frame = 0; frame < 3; ++frame) {
        OK(vkskinPoseBatch(cast->batch, cast->characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, BONES, run));
        for (uint32_t i = 0; frame < 2 && i < CHARACTERS; ++i) {
            cast->characters[i].time += 1.0 / 30.0;
            cast->characters[i].blendTime += 1.0 / 50.0;
        }
    }
}

static void assertSame(const Cast *cast, const Cast *other) {
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        if (memcmp(cast->characters[i].palette, other->characters[i].palette, paletteBytes) != 0) {
            fail_msg("the palette of character %u differs", i);
        }
    }
}

/* What each test compares with: this thread alone, at one level. */
static Cast *alone;
static Cast *other;

static VkskinCpuRun makeCasts(VkskinCpuLevel level, size_t shift) {
    const VkskinCpuRun run = {.level = level};
    destroyOwned(0); /* objects of the round before */
    alone = makeCast(0);
    other = makeCast(shift);
    poseFrames(alone, &run);
    return run;
}

OWNING_TEST(sameOnThreads) {
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); ++level) {
        for (uint32_t threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
            Crew crew = {.threads = threads, .seed = threads};
            VkskinCpuRun run = makeCasts(level, 0);
            run.parallel = lendCrew;
            run.parallelUser = &crew;
            poseFrames(other, &run);
            assert_int_equal(crew.calls, 3);
            assert_in_range(crew.tasks, 2, 64);
            assertSame(alone, other);
        }
    }
}

OWNING_TEST(sameAtAnyAlignment) {
    static const size_t shifts[] = {1, 4, 16, 32, 40}; /* on no line, some on the width of a vector */
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); ++level) {
        for (size_t i = 0; i < COUNT_OF(shifts); ++i) {
            const VkskinCpuRun run = makeCasts(level, shifts[i]);
            poseFrames(other, &run);
            assertSame(alone, other);
        }
    }
}

/* On a batch that posed no frame before; a character at a time, and so neither past the caches nor by whole lines. */
OWNING_TEST(sameAlone) {
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); ++level) {
        const VkskinCpuRun run = makeCasts(level, 0);
        for (uint32_t i = 0; i < CHARACTERS; ++i) {
            other->characters[i].time = alone->characters[i].time;
            other->characters[i].blendTime = alone->characters[i].blendTime;
            OK(vkskinPoseBatch(other->batch, &other->characters[i], 1, VKSKIN_PALETTE_MAT3X4, BONES, &run));
        }
        assertSame(alone, other);
    }
}

/* Neighbours in the lanes of a vector do not touch one another, and neither does their order. */
OWNING_TEST(sameInAnyOrder) {
    makeCasts(vkskinGetCpuLevel(), 0);
    VkskinPoseBatchCharacter ordered[CHARACTERS];
    memcpy(ordered, other->characters, sizeof ordered);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        other->characters[i] = ordered[i * 577 % CHARACTERS];
    }
    poseFrames(other, NULL);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        assert_memory_equal(alone->characters[i].palette, ordered[i].palette, paletteBytes);
    }
}
