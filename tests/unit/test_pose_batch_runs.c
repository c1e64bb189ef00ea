/*
 * Pose batches write the same bits on any number of threads, in any order, one character per call or many, past the
 * caches or not, to memory of any alignment.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "pose_batch_scenes.h"
#include "test.h"

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
    unsigned char *room;
} Cast;

static const size_t paletteBytes = BONES * sizeof(VkskinAffine);

/* A batch and its characters, in the third frame: palettes begin `shift` bytes after a line of the cache. */
static void makeCast(Cast *cast, const BatchScene *scene, size_t shift) {
    const VkskinPoseBatchDef def = batchSceneDef(scene, CHARACTERS);
    const size_t stride = (paletteBytes + 63) / 64 * 64;
    assert_int_equal(vkskinCreatePoseBatch(&def, &cast->batch), VKSKIN_SUCCESS);
    cast->room = aligned_alloc(64, CHARACTERS * stride + 64);
    assert_non_null(cast->room);
    memset(cast->room, 0xa5, CHARACTERS * stride + 64);
    srand(5);
    batchSceneCast(cast->characters, CHARACTERS);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        cast->characters[i].palette = cast->room + shift + i * stride;
    }
}

static void freeCast(Cast *cast) {
    vkskinDestroyPoseBatch(cast->batch);
    free(cast->room);
}

static void poseCast(Cast *cast, uint32_t count, const VkskinCpuRun *run) {
    assert_int_equal(vkskinPoseBatch(cast->batch, cast->characters, count, VKSKIN_PALETTE_MAT3X4, BONES, run),
                     VKSKIN_SUCCESS);
}

static void poseFrames(Cast *cast, const VkskinCpuRun *run) {
    for (uint32_t frame = 0; frame < 3; ++frame) {
        poseCast(cast, CHARACTERS, run);
        for (uint32_t i = 0; frame < 2 && i < CHARACTERS; ++i) {
            cast->characters[i].time += 1.0 / 30.0;
        }
    }
}

/* ---- Ways to run tasks ---- */

static void backwards(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    uint32_t *calls = user;
    for (uint32_t i = count; i-- > 0;) {
        task(taskData, i);
    }
    *calls += count;
}

typedef struct Loop {
    uint32_t count;
    void (*task)(void *taskData, uint32_t i);
    void *taskData;
    atomic_uint next;
} Loop;

static void *runLoop(void *data) {
    Loop *loop = data;
    for (uint32_t i = atomic_fetch_add(&loop->next, 1); i < loop->count; i = atomic_fetch_add(&loop->next, 1)) {
        loop->task(loop->taskData, i);
    }
    return NULL;
}

static void onThreads(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    const uint32_t threads = *(const uint32_t *)user;
    Loop loop = {.count = count, .task = task, .taskData = taskData};
    pthread_t ids[8];
    for (uint32_t i = 0; i < threads; ++i) {
        assert_int_equal(pthread_create(&ids[i], NULL, runLoop, &loop), 0);
    }
    for (uint32_t i = 0; i < threads; ++i) {
        assert_int_equal(pthread_join(ids[i], NULL), 0);
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
static BatchScene scene;
static Cast *alone;
static Cast *other;
static uint32_t level;

static void setUpCasts(uint32_t atLevel, size_t shift) {
    const VkskinCpuRun run = {.level = (VkskinCpuLevel)atLevel};
    level = atLevel;
    scene = batchScene(&shape);
    alone = calloc(1, sizeof *alone);
    other = calloc(1, sizeof *other);
    assert_true(alone != NULL && other != NULL);
    makeCast(alone, &scene, 0);
    makeCast(other, &scene, shift);
    poseFrames(alone, &run);
}

static void tearDownCasts(void) {
    freeCast(alone);
    freeCast(other);
    free(alone);
    free(other);
    batchSceneFree(&scene);
}

TEST(sameBackwards) {
    for (uint32_t at = 1; at <= (uint32_t)vkskinGetCpuLevel(); ++at) {
        uint32_t calls = 0;
        setUpCasts(at, 0);
        const VkskinCpuRun run = {.level = (VkskinCpuLevel)at, .parallel = backwards, .parallelUser = &calls};
        poseFrames(other, &run);
        assert_in_range(calls, 3 * 2, 3 * 64);
        assertSame(alone, other);
        tearDownCasts();
    }
}

TEST(sameOnThreads) {
    for (uint32_t threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        setUpCasts((uint32_t)vkskinGetCpuLevel(), 0);
        const VkskinCpuRun run = {.parallel = onThreads, .parallelUser = &threads};
        poseFrames(other, &run);
        assertSame(alone, other);
        tearDownCasts();
    }
}

TEST(sameAtAnyAlignment) {
    for (uint32_t at = 1; at <= (uint32_t)vkskinGetCpuLevel(); ++at) {
        for (size_t shift = 1; shift < 64; shift = shift * 3 + 1) {
            setUpCasts(at, shift);
            const VkskinCpuRun run = {.level = (VkskinCpuLevel)at};
            poseFrames(other, &run);
            assertSame(alone, other);
            tearDownCasts();
        }
    }
}

/* A character at a time, and so neither past the caches nor by whole lines. */
TEST(sameAlone) {
    for (uint32_t at = 1; at <= (uint32_t)vkskinGetCpuLevel(); ++at) {
        setUpCasts(at, 0);
        const VkskinCpuRun run = {.level = (VkskinCpuLevel)at};
        for (uint32_t i = 0; i < CHARACTERS; ++i) {
            other->characters[i].time = alone->characters[i].time;
            assert_int_equal(
                vkskinPoseBatch(other->batch, &other->characters[i], 1, VKSKIN_PALETTE_MAT3X4, BONES, &run),
                VKSKIN_SUCCESS);
        }
        assertSame(alone, other);
        tearDownCasts();
    }
}

/* Neighbours in the lanes of a vector do not touch one another, and neither does their order. */
TEST(sameInAnyOrder) {
    setUpCasts((uint32_t)vkskinGetCpuLevel(), 0);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        const uint32_t j = i * 577 % CHARACTERS;
        const VkskinPoseBatchCharacter swapped = other->characters[i];
        other->characters[i] = other->characters[j];
        other->characters[j] = swapped;
    }
    poseFrames(other, NULL);
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        const VkskinPoseBatchCharacter *found = NULL;
        for (uint32_t j = 0; found == NULL; ++j) {
            found = other->characters[j].slot == alone->characters[i].slot ? &other->characters[j] : NULL;
        }
        assert_memory_equal(alone->characters[i].palette, found->palette, paletteBytes);
    }
    tearDownCasts();
}
