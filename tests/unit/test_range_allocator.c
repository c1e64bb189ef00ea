/*
 * The range allocator against a map of bytes: what is taken never overlaps, what is given back is found again.
 */

#include "page_pool.h"
#include "random.h"
#include "test.h"

enum { SIZE = 4096, UNIT = 16, MOST = SIZE / UNIT };

typedef struct Taken {
    uint64_t offset;
    uint64_t size;
} Taken;

static void mark(unsigned char *map, const Taken *taken, unsigned char from, unsigned char to) {
    for (uint64_t i = taken->offset; i < taken->offset + taken->size; i++) {
        assert_int_equal(map[i], from);
        map[i] = to;
    }
}

static bool someRunIsFree(const unsigned char *map, uint64_t size) {
    uint64_t run = 0;
    for (uint64_t i = 0; i < SIZE && run < size; i++) {
        run = map[i] == 0 ? run + 1 : 0;
    }
    return run >= size;
}

TEST(randomTakesAndGivesKeepTheMap) {
    RangeAllocator ranges;
    unsigned char map[SIZE] = {0};
    Taken taken[MOST];
    uint32_t count = 0;
    Random random = {7};
    assert_true(sknInitRanges(&ranges, NULL, SIZE));
    for (int step = 0; step < 20000; step++) {
        if (count > 0 && randomBelow(&random, 100) < 48) {
            uint32_t victim = randomBelow(&random, count);
            mark(map, &taken[victim], 1, 0);
            sknGiveRange(&ranges, taken[victim].offset, taken[victim].size);
            taken[victim] = taken[--count];
            continue;
        }
        Taken next = {.size = UNIT * (1 + randomBelow(&random, 24))};
        RangeResult result = sknTakeRange(&ranges, NULL, next.size, UNIT, &next.offset);
        assert_int_equal(result, someRunIsFree(map, next.size) ? RANGE_TAKEN : RANGE_FULL);
        if (result == RANGE_TAKEN) {
            assert_true(next.offset + next.size <= SIZE);
            assert_int_equal(next.offset % UNIT, 0);
            mark(map, &next, 0, 1);
            taken[count++] = next;
        }
    }
    while (count > 0) {
        count--;
        sknGiveRange(&ranges, taken[count].offset, taken[count].size);
    }
    assert_int_equal(ranges.count, 1);
    assert_int_equal(ranges.ranges[0].offset, 0);
    assert_int_equal(ranges.ranges[0].size, SIZE);
    sknDestroyRanges(&ranges, NULL);
}

static bool isFree(const unsigned char *map, uint64_t offset, uint64_t size) {
    for (uint64_t i = offset; i < offset + size; i++) {
        if (i >= SIZE || map[i] != 0) {
            return false;
        }
    }
    return true;
}

/* Whether a multiple of the alignment begins a free run; the first one that does. */
static bool firstAligned(const unsigned char *map, uint64_t size, uint64_t alignment, uint64_t *offset) {
    for (*offset = 0; *offset < SIZE; *offset += alignment) {
        if (isFree(map, *offset, size)) {
            return true;
        }
    }
    return false;
}

/* Half of the ranges at a place of the caller's, half at the first that is aligned: sizes and places are odd. */
TEST(placesAndAlignmentsOfTheCallerKeepTheMap) {
    RangeAllocator ranges;
    unsigned char map[SIZE] = {0};
    Taken taken[MOST];
    uint32_t count = 0, refused = 0;
    Random random = {11};
    assert_true(sknInitRanges(&ranges, NULL, SIZE));
    for (int step = 0; step < 20000; step++) {
        if (count == MOST || (count > 0 && randomBelow(&random, 100) < 48)) {
            uint32_t victim = randomBelow(&random, count);
            mark(map, &taken[victim], 1, 0);
            sknGiveRange(&ranges, taken[victim].offset, taken[victim].size);
            taken[victim] = taken[--count];
            continue;
        }
        Taken next = {.size = 1 + randomBelow(&random, 24)};
        const uint64_t alignment = 1 + randomBelow(&random, 50);
        bool fits;
        RangeResult result;
        if (step % 2 == 0) {
            next.offset = randomBelow(&random, SIZE + 1);
            fits = isFree(map, next.offset, next.size);
            result = sknTakeRangeAt(&ranges, NULL, next.size, next.offset);
        } else {
            uint64_t expected;
            fits = firstAligned(map, next.size, alignment, &expected);
            result = sknTakeRange(&ranges, NULL, next.size, alignment, &next.offset);
            assert_true(!fits || next.offset == expected);
        }
        assert_int_equal(result, fits ? RANGE_TAKEN : RANGE_FULL);
        assert_true(ranges.count <= ranges.capacity);
        refused += !fits;
        if (fits) {
            mark(map, &next, 0, 1);
            taken[count++] = next;
        }
    }
    assert_true(refused > 100);
    while (count > 0) {
        count--;
        sknGiveRange(&ranges, taken[count].offset, taken[count].size);
    }
    assert_int_equal(ranges.count, 1);
    assert_int_equal(ranges.ranges[0].size, SIZE);
    sknDestroyRanges(&ranges, NULL);
}

/* The worst case for the free list: every second range is given back, and none touches another. */
TEST(givingBackNeverNeedsMemory) {
    RangeAllocator ranges;
    assert_true(sknInitRanges(&ranges, NULL, SIZE));
    for (uint64_t i = 0; i < MOST; i++) {
        uint64_t offset = 0;
        assert_int_equal(sknTakeRange(&ranges, NULL, UNIT, 1, &offset), RANGE_TAKEN);
        assert_int_equal(offset, i * UNIT);
    }
    for (uint64_t i = 0; i < MOST; i += 2) {
        sknGiveRange(&ranges, i * UNIT, UNIT);
        assert_true(ranges.count <= ranges.capacity);
    }
    assert_int_equal(ranges.count, MOST / 2);
    sknDestroyRanges(&ranges, NULL);
}
