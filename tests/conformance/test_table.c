/*
 * The conformance table on the device that the environment names. Without arguments: rows that hold every pair of
 * choices.
 *
 *   --all            every row
 *   --report FILE    the worst errors, for scripts/conformance.sh
 *   --fuzz SECONDS   instead: random rows with bones and weights of any kind, for that long; 0: one
 *   --seed N         the first seed, counted up from; default: of the clock
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cover.h"
#include "report.h"

#define TABLE_SEED 20u /* added to a row's number: the same scenes in every run */

#define ROWS_A_LINE    500u /* of progress: all rows take minutes */
#define FAR_SCENES     4u
#define FAR_INFLUENCES 3   /* the choice of 4 */
#define SCENES_A_ROW   16u /* in fuzzing: a row's kernels take longer than a scene */

typedef struct Arguments {
    bool all, fuzz;
    long seconds;
    uint64_t seed;
    const char *report;
} Arguments;

static Arguments arguments;

static RowResult runOne(Gpu *gpu, const Row *row, SceneKind kind, uint64_t seed) {
    RowResult result = runRow(gpu, row, kind, seed);
    if (!result.good) {
        char text[256];
        rowText(row, text, sizeof text);
        print_error("%s (seed %" PRIu64 "): %s\n", text, seed, result.why);
    }
    return result;
}

/* Each method and palette far from the origin, in a row that asks for little else. */
static uint32_t runFar(Gpu *gpu, Report *report) {
    uint32_t bad = 0;
    for (uint32_t i = 0; i < ROW_READINGS * FAR_SCENES; i++) {
        Row row = {{0}};
        row.choices[ROW_READING] = (uint8_t)(i / FAR_SCENES);
        row.choices[ROW_INFLUENCES] = FAR_INFLUENCES;
        if (rowExists(&row)) {
            RowResult result = runOne(gpu, &row, SCENE_FAR, TABLE_SEED + i);
            reportAddFar(report, &row, result.units);
            bad += !result.good;
        }
    }
    return bad;
}

static void theTable(void **state) {
    static Report report;
    uint32_t count, bad = 0;
    Row *rows = arguments.all ? newAllRows(&count) : newPairCover(&count);
    for (uint32_t i = 0; i < count; i++) {
        RowResult result = runOne(*state, &rows[i], SCENE_TAME, TABLE_SEED + i);
        reportAdd(&report, &rows[i], &result.worst);
        bad += !result.good;
        if ((i + 1) % ROWS_A_LINE == 0) {
            fprintf(stderr, "%u of %u rows\n", i + 1, count);
        }
    }
    free(rows);
    bad += arguments.report != NULL ? runFar(*state, &report) : 0; /* else fuzzing goes there, too */
    print_message("%u rows, %u of them wrong\n", count, bad);
    assert_int_equal(bad, 0);
    assert_true(arguments.report == NULL || reportWrite(&report, arguments.report));
}

static void fuzzedAgreement(void **state) {
    time_t end = time(NULL) + arguments.seconds;
    uint64_t seed = arguments.seed;
    do {
        Row row = randomRow(seed / SCENES_A_ROW);
        if (!runOne(*state, &row, SCENE_WILD, seed).good) {
            fail_msg("once more: --fuzz 0 --seed %" PRIu64, seed);
        }
        seed++;
    } while (time(NULL) < end);
    print_message("%" PRIu64 " scenes from seed %" PRIu64 "\n", seed - arguments.seed, arguments.seed);
}

static bool parseArguments(int argc, char **argv) {
    arguments.seed = (uint64_t)time(NULL);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--all") == 0) {
            arguments.all = true;
            continue;
        }
        if (value == NULL) {
            return false;
        }
        i++;
        if (strcmp(argv[i - 1], "--report") == 0) {
            arguments.report = value;
        } else if (strcmp(argv[i - 1], "--fuzz") == 0) {
            arguments.fuzz = true;
            arguments.seconds = strtol(value, NULL, 10);
        } else if (strcmp(argv[i - 1], "--seed") == 0) {
            arguments.seed = strtoull(value, NULL, 10);
        } else {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    const struct CMUnitTest table[] = {GPU_TEST(theTable)}, fuzz[] = {GPU_TEST(fuzzedAgreement)};
    if (!parseArguments(argc, argv)) {
        print_error("usage: %s [--all] [--report FILE] | --fuzz SECONDS [--seed N]\n", argv[0]);
        return 1;
    }
    return gpuRunTests("conformance", arguments.fuzz ? fuzz : table, 1, NULL);
}
