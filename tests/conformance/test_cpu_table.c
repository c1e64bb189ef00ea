/*
 * The conformance table on the CPU, at every level of instructions that this machine has: rows that hold every pair of
 * choices, then random rows with bones and weights of any kind. --all: every row.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cover.h"
#include "cpu_output.h"
#include "row_run.h"

#define TABLE_SEED  20u  /* as in test_table.c */
#define WILD_SCENES 150u /* from a seed of each level's own */

static bool allRows;

static bool isGood(const Row *row, SceneKind kind, uint64_t seed, VkskinCpuLevel level) {
    Scene scene;
    VkskinMeshInfo info;
    makeScene(&scene, row, kind, seed);
    ReadVertex *vertices = newCpuOutput(&scene, level, &info);
    RowResult result = judgeScene(&scene, kind, vertices, &info);
    if (!result.good) {
        char text[256];
        rowText(row, text, sizeof text);
        print_error("level %d, %s (seed %" PRIu64 "): %s\n", (int)level, text, seed, result.why);
    }
    free(vertices);
    freeScene(&scene);
    return result.good;
}

static void theTable(void **state) {
    (void)state;
    uint32_t count, bad = 0;
    Row *rows = allRows ? newAllRows(&count) : newPairCover(&count);
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); level++) {
        for (uint32_t i = 0; i < count; i++) {
            bad += !isGood(&rows[i], SCENE_TAME, TABLE_SEED + i, level);
        }
    }
    free(rows);
    print_message("%u rows to level %d, %u of them wrong\n", count, (int)vkskinGetCpuLevel(), bad);
    assert_int_equal(bad, 0);
}

static void wildScenes(void **state) {
    (void)state;
    uint32_t bad = 0;
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); level++) {
        for (uint64_t i = 0; i < WILD_SCENES; i++) {
            uint64_t seed = 1000 * (uint64_t)level + i;
            Row row = randomRow(seed);
            bad += !isGood(&row, SCENE_WILD, seed, level);
        }
    }
    assert_int_equal(bad, 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(theTable), cmocka_unit_test(wildScenes)};
    allRows = argc == 2 && strcmp(argv[1], "--all") == 0;
    if (argc > 2 || (argc == 2 && !allRows)) {
        print_error("usage: %s [--all]\n", argv[0]);
        return 1;
    }
    return cmocka_run_group_tests_name("conformance on the CPU", tests, NULL, NULL);
}
