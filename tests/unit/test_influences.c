/*
 * What moves a vertex: the order, the trimming and the rounding of its influences, by numbers worked out by hand and by
 * what must hold of any.
 */

#include "influences.h"
#include "test.h"

static void checkInfluence(const Influence *influence, uint32_t joint, double weight) {
    assert_int_equal(influence->joint, joint);
    assert_float_equal(influence->weight, (float)weight, 1e-6f);
}

/* Descending, the earlier of equals first, zeros gone, the rest over its sum. */
TEST(influencesAreSorted) {
    Influence influences[] = {{7, 0.0f}, {1, 0.5f}, {9, 2.0f}, {2, 0.5f}, {3, 1.0f}};
    KeptInfluences kept = sknKeepInfluences(influences, 5, 0, 0.0f);
    assert_int_equal(kept.count, 4);
    assert_int_equal(kept.dropped, 0);
    assert_true(kept.droppedWeight == 0.0 && kept.sum == 4.0);
    checkInfluence(&influences[0], 9, 0.5);
    checkInfluence(&influences[1], 3, 0.25);
    checkInfluence(&influences[2], 1, 0.125);
    checkInfluence(&influences[3], 2, 0.125);
}

TEST(theLargestAreKept) {
    Influence influences[] = {{0, 0.1f}, {1, 0.4f}, {2, 0.3f}, {3, 0.2f}};
    KeptInfluences kept = sknKeepInfluences(influences, 4, 2, 0.0f);
    assert_int_equal(kept.count, 2);
    assert_int_equal(kept.dropped, 2);
    assert_float_equal(kept.droppedWeight, 0.3, 1e-6);
    checkInfluence(&influences[0], 1, 4.0 / 7.0);
    checkInfluence(&influences[1], 2, 3.0 / 7.0);
}

/* A share of the whole sum, what goes by its number included; zeros do not count as dropped. */
TEST(smallSharesGo) {
    Influence influences[] = {{0, 6.0f}, {1, 3.0f}, {2, 1.0f}, {3, 0.0f}};
    KeptInfluences kept = sknKeepInfluences(influences, 4, 0, 0.11f);
    assert_int_equal(kept.count, 2);
    assert_int_equal(kept.dropped, 1);
    assert_float_equal(kept.droppedWeight, 0.1, 1e-6);
    checkInfluence(&influences[0], 0, 2.0 / 3.0);

    Influence even[] = {{0, 1.0f}, {1, 1.0f}, {2, 1.0f}};
    kept = sknKeepInfluences(even, 3, 0, 0.5f);
    assert_int_equal(kept.count, 1); /* below the share itself, but something must move the vertex */
    checkInfluence(&even[0], 0, 1.0);

    Influence atIt[] = {{0, 0.75f}, {1, 0.25f}};
    assert_int_equal(sknKeepInfluences(atIt, 2, 0, 0.25f).count, 2);
}

TEST(nothingMayBeLeft) {
    Influence influences[] = {{0, 0.0f}, {1, 0.0f}};
    KeptInfluences kept = sknKeepInfluences(influences, 2, 1, 0.5f);
    assert_int_equal(kept.count, 0);
    assert_int_equal(kept.dropped, 0);
    assert_true(kept.sum == 0.0 && kept.droppedWeight == 0.0);
}

/* Units of 1/10 of thirds: 3.33 each, the one that is left to the earliest. */
TEST(unitsAreCounted) {
    const Influence thirds[] = {{0, 1.0f / 3}, {1, 1.0f / 3}, {2, 1.0f / 3}};
    uint32_t units[4];
    assert_int_equal(sknCountUnits(thirds, 3, 10, units), 3);
    assert_int_equal(units[0], 4);
    assert_int_equal(units[1], 3);
    assert_int_equal(units[2], 3);
    const Influence remainder[] = {{0, 0.54f}, {1, 0.28f}, {2, 0.18f}}; /* 5.4, 2.8, 1.8 */
    assert_int_equal(sknCountUnits(remainder, 3, 10, units), 3);
    assert_int_equal(units[0], 5);
    assert_int_equal(units[1], 3);
    assert_int_equal(units[2], 2);
    const Influence little[] = {{0, 0.5f}, {1, 0.498f}, {2, 0.001f}, {3, 0.001f}};
    assert_int_equal(sknCountUnits(little, 4, 255, units), 2); /* 127.5, 127.0 (126.99), 0.26 twice */
    assert_int_equal(units[0] + units[1], 255);
}

static uint32_t nextRandom(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Whatever the weights: the units sum to the whole, and each is off by less than one. */
TEST(unitsAreExact) {
    static const uint32_t totals[] = {255, 65535};
    uint32_t random = 5;
    for (uint32_t round = 0; round < 400; round++) {
        Influence influences[MAX_INFLUENCES];
        uint32_t units[MAX_INFLUENCES];
        uint32_t total = totals[round % 2];
        uint32_t count = 1 + nextRandom(&random) % (round % 4 == 0 ? MAX_INFLUENCES : 8);
        for (uint32_t i = 0; i < count; i++) {
            influences[i] = (Influence){i, (float)(nextRandom(&random) % 1000) + 0.001f};
        }
        KeptInfluences kept = sknKeepInfluences(influences, count, 0, 0.0f);
        assert_int_equal(kept.count, count);
        uint32_t left = sknCountUnits(influences, count, total, units);
        uint32_t sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            double off = (double)units[i] - (double)influences[i].weight * total;
            assert_true(off > -1.01 && off < 1.01); /* plus float rounding */
            sum += units[i];
        }
        assert_int_equal(sum, total);
        assert_true(left >= 1 && units[left - 1] > 0);
    }
}
