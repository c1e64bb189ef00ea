/*
 * What moves a vertex: the order, the trimming and the rounding of its influences, by numbers worked out by hand and by
 * what must hold of any.
 */

#include "influences.h"
#include "random.h"
#include "test.h"

/* Descending, the earlier of equals first, zeros gone, the rest over its sum. */
TEST(influencesAreKept) {
    static const struct {
        Influence given[5];
        uint32_t givenCount, most;
        float smallest;
        uint32_t count, dropped;
        double droppedWeight;
        Influence kept[4];
    } cases[] = {
        {{{7, 0.0f}, {1, 0.5f}, {9, 2.0f}, {2, 0.5f}, {3, 1.0f}},
         5,
         0,
         0.0f,
         4,
         0,
         0.0,
         {{9, 0.5f}, {3, 0.25f}, {1, 0.125f}, {2, 0.125f}}},
        {{{0, 0.1f}, {1, 0.4f}, {2, 0.3f}, {3, 0.2f}}, 4, 2, 0.0f, 2, 2, 0.3, {{1, 4.0f / 7}, {2, 3.0f / 7}}},
        /* A share of the whole sum, what goes by its number included; zeros do not count as dropped. */
        {{{0, 6.0f}, {1, 3.0f}, {2, 1.0f}, {3, 0.0f}}, 4, 0, 0.11f, 2, 1, 0.1, {{0, 2.0f / 3}, {1, 1.0f / 3}}},
        /* All are below the share, but something must move the vertex. */
        {{{0, 1.0f}, {1, 1.0f}, {2, 1.0f}}, 3, 0, 0.5f, 1, 2, 2.0 / 3, {{0, 1.0f}}},
        {{{0, 0.75f}, {1, 0.25f}}, 2, 0, 0.25f, 2, 0, 0.0, {{0, 0.75f}, {1, 0.25f}}}, /* just the share */
        {{{0, 0.0f}, {1, 0.0f}}, 2, 1, 0.5f, 0, 0, 0.0, {{0, 0.0f}}},                 /* nothing is left */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Influence influences[5];
        memcpy(influences, cases[i].given, sizeof influences);
        KeptInfluences kept = sknKeepInfluences(influences, cases[i].givenCount, cases[i].most, cases[i].smallest);
        double sum = 0.0;
        for (uint32_t k = 0; k < cases[i].givenCount; k++) {
            sum += (double)cases[i].given[k].weight;
        }
        assert_int_equal(kept.count, cases[i].count);
        assert_int_equal(kept.dropped, cases[i].dropped);
        assert_float_equal(kept.droppedWeight, cases[i].droppedWeight, 1e-6);
        assert_float_equal(kept.sum, sum, 1e-6);
        for (uint32_t k = 0; k < kept.count; k++) {
            assert_int_equal(influences[k].joint, cases[i].kept[k].joint);
            assert_float_equal(influences[k].weight, cases[i].kept[k].weight, 1e-6f);
        }
    }
}

TEST(unitsAreCounted) {
    static const struct {
        Influence influences[4];
        uint32_t given, total, kept, units[3];
    } cases[] = {
        {{{0, 1.0f / 3}, {1, 1.0f / 3}, {2, 1.0f / 3}}, 3, 10, 3, {4, 3, 3}}, /* 3.33 each; the earliest has the rest */
        {{{0, 0.54f}, {1, 0.28f}, {2, 0.18f}}, 3, 10, 3, {5, 3, 2}},          /* 5.4, 2.8, 1.8 */
        {{{0, 0.5f}, {1, 0.498f}, {2, 0.001f}, {3, 0.001f}}, 4, 255, 2, {128, 127}}, /* 127.5, 126.99, 0.26 twice */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t units[4];
        assert_int_equal(sknCountUnits(cases[i].influences, cases[i].given, cases[i].total, units), cases[i].kept);
        assert_memory_equal(units, cases[i].units, cases[i].kept * sizeof *units);
    }
}

/* Whatever the weights: the units sum to the whole, and each is off by less than one. */
TEST(unitsAreExact) {
    static const uint32_t totals[] = {255, 65535};
    Random random = {5};
    for (uint32_t round = 0; round < 400; round++) {
        Influence influences[MAX_INFLUENCES];
        uint32_t units[MAX_INFLUENCES];
        uint32_t total = totals[round % 2];
        uint32_t count = 1 + randomBelow(&random, round % 4 == 0 ? MAX_INFLUENCES : 8);
        for (uint32_t i = 0; i < count; i++) {
            influences[i] = (Influence){i, (float)randomBelow(&random, 1000) + 0.001f};
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
