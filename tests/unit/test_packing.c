/* What the packer stores of clips of one node, in which each choice can be calculated by hand. */
#include <math.h>

#include "pose_builders.h"
#include "vkskin/vkskin_pack.h"

#define MAX_ERROR 0.01f
#define KEYS      33u
#define SECONDS   2.0f

typedef struct Packing {
    VkskinSkeleton skeleton;
    VkskinClip clip;
    const uint32_t *block;
    size_t size;
    const VkskinAnimationClip *stored;
    VkskinAnimationStats stats;
} Packing;

static Packing pack(const VkskinTrack *tracks, uint32_t trackCount, const VkskinHostAllocator *allocator) {
    static const int32_t parent = -1;
    static const VkskinTransform rest = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    Packing packing = {.skeleton = ownSkeleton(1, &parent, &rest, NULL, (VkskinLogger){0}),
                       .clip = ownClip(1, tracks, trackCount, -1.0f)};
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    void *block = NULL;
    def.skeleton = packing.skeleton;
    def.clipCount = 1;
    def.clips = &packing.clip;
    def.maxError = MAX_ERROR;
    def.distance = 1.0f;
    def.allocator = allocator;
    OK(vkskinPackAnimation(&def, &block, &packing.size, &packing.stats));
    packing.block = block;
    packing.stored =
        (const VkskinAnimationClip *)(const void *)(packing.block + ((const VkskinAnimationHeader *)block)->clipsAt);
    return packing;
}

static Packing packOwn(const VkskinTrack *tracks, uint32_t trackCount) {
    const Packing packing = pack(tracks, trackCount, NULL);
    own((void *)packing.block, freeBlock);
    return packing;
}

/* The largest distance between a translation of the clip and that of the block. */
static float translationError(const Packing *packing) {
    float most = 0.0f;
    for (int i = 0; i <= 1000; ++i) {
        const double time = (double)SECONDS * i / 1000;
        VkskinTransform source, read;
        OK(vkskinSampleClip(packing->skeleton, packing->clip, time, VKSKIN_WRAP_CLAMP, &source));
        OK(vkskinSampleAnimation(packing->block, 0, time, VKSKIN_WRAP_CLAMP, &read));
        for (int k = 0; k < 3; ++k) {
            most = fmaxf(most, fabsf(source.translation[k] - read.translation[k]));
        }
    }
    return most;
}

/* The bits of a number. A set that misses the bound is packed again with floats, of 32: no other clip here needs these. */
static uint32_t bitsOf(uint32_t place) {
    return place & 63;
}

static const float *evenTimes(void) {
    static float times[KEYS];
    for (uint32_t i = 0; i < KEYS; ++i) {
        times[i] = SECONDS * (float)i / (KEYS - 1);
    }
    return times;
}

static VkskinTrack trackOf(VkskinChannel channel, const float *values) {
    return (VkskinTrack){.channel = channel, .keyCount = KEYS, .times = evenTimes(), .values = values};
}

static const VkskinAnimationVector *vectorOf(const Packing *packing) {
    assert_int_equal(packing->stored->vectorCount, 1);
    return (const VkskinAnimationVector *)(const void *)(packing->block + packing->stored->vectorsAt);
}

/* A channel that moves less than the largest tolerance, but more than the bound, is not held: three bits suffice. */
OWNING_TEST(smallMovesAreStored) {
    float values[KEYS][3] = {{0}};
    for (uint32_t i = 0; i < KEYS; ++i) {
        values[i][1] = 3.0f * MAX_ERROR * sinf(2.4f * (float)i);
    }
    const VkskinTrack track = trackOf(VKSKIN_CHANNEL_TRANSLATION, values[0]);
    const Packing packing = packOwn(&track, 1);
    assert_int_equal(bitsOf(vectorOf(&packing)->place), 3);
    assert_true(translationError(&packing) <= 1.01f * MAX_ERROR);
}

/* A channel with one value is held without an error, beside one that moves. */
OWNING_TEST(constantChannelsAreHeld) {
    float moves[KEYS][3] = {{0}}, scales[KEYS][3];
    for (uint32_t i = 0; i < KEYS; ++i) {
        moves[i][0] = (float)(i % 2);
        scales[i][0] = scales[i][1] = scales[i][2] = 3.0f;
    }
    const VkskinTrack tracks[] = {trackOf(VKSKIN_CHANNEL_TRANSLATION, moves[0]),
                                  trackOf(VKSKIN_CHANNEL_SCALE, scales[0])};
    const Packing packing = packOwn(tracks, 2);
    assert_int_equal(packing.stored->holdCount, 1);
    assert_in_range(bitsOf(vectorOf(&packing)->place), 1, 8);
    assert_true(packing.stats.error <= MAX_ERROR && packing.stored->keyCount == KEYS);
}

/* Rows of a zigzag whose keys have equal distances need no times. */
OWNING_TEST(evenKeysNeedNoTimes) {
    float values[KEYS][3] = {{0}};
    for (uint32_t i = 0; i < KEYS; ++i) {
        values[i][2] = (float)(i % 2);
    }
    const VkskinTrack track = trackOf(VKSKIN_CHANNEL_TRANSLATION, values[0]);
    const Packing packing = packOwn(&track, 1);
    assert_int_equal(packing.stored->timesAt, 0);
    assert_in_range(bitsOf(vectorOf(&packing)->place), 1, 8);
    assert_int_equal(packing.stored->keyCount, KEYS);
}

/* Fewer rows of an arc without even keys remain, and these keep to the bound. */
OWNING_TEST(rowsOfAnArcKeepToTheBound) {
    enum { ARC = 400 };
    static float times[ARC], values[ARC][3];
    for (uint32_t i = 0; i < ARC; ++i) {
        const float part = (float)i / (ARC - 1);
        times[i] = SECONDS * part * (0.5f + 0.5f * part);
        values[i][0] = cosf(3.0f * part);
        values[i][1] = sinf(3.0f * part);
    }
    const VkskinTrack track = {
        .channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = ARC, .times = times, .values = values[0]};
    const Packing packing = packOwn(&track, 1);
    assert_in_range(packing.stored->keyCount, 8, 40);
    assert_in_range(bitsOf(vectorOf(&packing)->place), 1, 16);
    assert_true(packing.stats.error <= MAX_ERROR && translationError(&packing) <= 1.01f * MAX_ERROR);
}

static const VkskinAnimationRotation *rotationOf(const Packing *packing) {
    assert_int_equal(packing->stored->rotationCount, 1);
    return (const VkskinAnimationRotation *)(const void *)(packing->block + packing->stored->rotationsAt);
}

/* q and -q are one rotation: keys of both signs give the same bytes, of three numbers. */
OWNING_TEST(signsOfKeysDoNotMatter) {
    static const double axis[3] = {1, 2, -1};
    float same[KEYS][4], both[KEYS][4];
    for (uint32_t i = 0; i < KEYS; ++i) {
        turnAbout(axis, 60.0 * sin(0.7 * i), same[i]);
        for (int k = 0; k < 4; ++k) {
            both[i][k] = i % 2 == 0 ? same[i][k] : -same[i][k];
        }
    }
    const VkskinTrack tracks[] = {trackOf(VKSKIN_CHANNEL_ROTATION, same[0]), trackOf(VKSKIN_CHANNEL_ROTATION, both[0])};
    const Packing first = packOwn(&tracks[0], 1), second = packOwn(&tracks[1], 1);
    assert_false((rotationOf(&first)->target & VKSKIN_ANIMATION_FOUR) != 0);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.block, second.block, first.size);
}

/*
 * Steps between few far rotations and many at rest. The mean is near rest, and each rotation within 120 degrees of it. The
 * middle of their range is not: from there one is more than 120 degrees away, so its w would be calculated from rounded numbers.
 */
OWNING_TEST(farRotationsHaveFourNumbers) {
    static const double axes[4][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    float values[KEYS][4] = {{0}};
    for (uint32_t i = 0; i < KEYS; ++i) {
        turnAbout(axes[i % 4], i < 4 ? 109.0 : 0.0, values[i]);
    }
    VkskinTrack track = trackOf(VKSKIN_CHANNEL_ROTATION, values[0]);
    track.interpolation = VKSKIN_INTERPOLATION_STEP;
    const Packing packing = packOwn(&track, 1);
    assert_true((rotationOf(&packing)->target & VKSKIN_ANIMATION_FOUR) != 0);
    assert_in_range(bitsOf(rotationOf(&packing)->place), 1, 16);
}

/* A clip of very many keys is measured at fewer times between them, so that no block of memory has more than 64 MiB. */
OWNING_TEST(memoryOfManyKeysIsLimited) {
    enum { MANY = 200000 };
    AllocatorState memory = {0};
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    float *times = ownZeros(MANY, sizeof *times);
    const float *values = ownZeros(MANY, 3 * sizeof *values);
    for (uint32_t i = 0; i < MANY; ++i) {
        times[i] = (float)i / 128.0f;
    }
    const VkskinTrack track = {
        .channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = MANY, .times = times, .values = values};
    const Packing packing = pack(&track, 1, &allocator);
    vkskinFreeAnimation((void *)packing.block, &allocator);
    assert_int_equal(memory.alive, 0);
    assert_in_range(memory.largest, 1 << 20, 64 << 20);
}
