/* The folder of a report: what is in it, with gnuplot, without it and with one that fails, and where it cannot be. */
#include <sys/stat.h>
#include <unistd.h>

#include "bench_run.h"
#include "report.h"
#include "test.h"
#include "scratch.h"

/* ---- A made-up run ---- */

enum { ALONE, MANY, FIRST_STEP, SECOND_STEP, PROCESSOR, WRONG, DRAWN_ONCE, DRAWN_THRICE, RESULTS };

static const BenchCase CASES[RESULTS] = {
    [ALONE] = {.name = "alone", .backend = "compute", .curve = "compute", .instances = 1},
    [MANY] = {.name = "many", .backend = "compute", .curve = "compute", .instances = 340},
    [FIRST_STEP] = {.name = "first", .backend = "compute", .baseline = "alone", .step = 1, .stepName = "one dispatch"},
    [SECOND_STEP] = {.name = "second", .backend = "compute", .baseline = "alone", .step = 2, .stepName = "K = 16"},
    [PROCESSOR] = {.name = "processor", .kind = CASE_CPU, .domain = LIMIT_CPU, .backend = "cpu"},
    [DRAWN_ONCE] = {.name = "once", .backend = "compute", .curve = "compute", .instances = 7, .passes = 1},
    [DRAWN_THRICE] = {.name = "thrice", .backend = "compute", .curve = "compute", .instances = 7, .passes = 3},
    [WRONG] = {.name = "wrong", .backend = "compute", .curve = "compute", .instances = 16},
};

static CaseResult resultOf(const BenchCase *benchCase, double rate, double percent, double ratio) {
    CaseResult result = {
        .benchCase = benchCase,
        .clock = "wall",
        .settings = "K 16",
        .time = {.median = 2.5, .spread = 3.0, .count = 9},
        .traffic = {.vertices = 1000.0},
        .verticesPerSecond = rate,
        .bytesPerSecond = 4e9,
        .bytesPerVertex = 36.0,
        .percentOfLimit = percent,
    };
    if (ratio > 0.0) {
        result.ratio = (Measured){.median = ratio, .spread = 1.0, .count = 9};
        result.cpuRatio = (Measured){.median = ratio + 0.1, .spread = 1.0, .count = 9};
    }
    return result;
}

/* results: [RESULTS]. Steps and points do not come in the order of the plots. */
static BenchRun runOf(CaseResult *results) {
    results[0] = resultOf(&CASES[SECOND_STEP], 5e8, 40.0, 2.5);
    results[1] = resultOf(&CASES[FIRST_STEP], 5e8, 30.0, 1.5);
    results[2] = resultOf(&CASES[MANY], 2e9, 80.0, 0.0);
    results[3] = resultOf(&CASES[ALONE], 5e8, 10.0, 0.0);
    results[4] = resultOf(&CASES[PROCESSOR], 1e9, 95.0, 0.0);
    results[5] = resultOf(&CASES[WRONG], 1e9, 99.0, 0.0);
    results[6] = resultOf(&CASES[DRAWN_ONCE], 1e9, 0.0, 0.0);
    results[7] = resultOf(&CASES[DRAWN_THRICE], 1e9, 0.0, 0.0);
    results[7].time.median = 7.5;
    results[0].unsure = true;
    results[0].time.spread = 61.0;
    results[5].outcome = OUTCOME_WRONG;
    snprintf(results[5].message, sizeof results[5].message, "instance 3, vertex 7: off | by much");
    BenchRun run = {.resultCount = RESULTS, .results = results, .limit = {[LIMIT_DEVICE] = 12.5e9}};
    snprintf(run.deviceInfo.name, sizeof run.deviceInfo.name, "A device's \"name\" | \n%%s");
    snprintf(run.cpuName, sizeof run.cpuName, "a processor");
    snprintf(run.build, sizeof run.build, "Release");
    return run;
}

/* ---- Helpers ---- */

static const char *const PLOTS[] = {"cost", "systems-1", "systems-3", "steps", "limit"};
#define PLOTS_COUNT (sizeof PLOTS / sizeof *PLOTS)

static char folder[64], programs[64], path[256];

static const char *fileOf(const char *name, const char *ending) {
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    return path;
}

static bool isThere(const char *name, const char *ending) {
    return access(fileOf(name, ending), F_OK) == 0;
}

static void expectText(const char *name, const char *ending, const char *part, bool there) {
    char *text = readWhole(fileOf(name, ending), NULL);
    if ((strstr(text, part) != NULL) != there) {
        fail_msg("%s%s: '%s' is %s there:\n%s", name, ending, part, there ? "not" : "still", text);
    }
    free(text);
}

static void writeReport(void) {
    CaseResult results[RESULTS];
    const BenchRun run = runOf(results);
    EngineError error = {.message = ""};
    TEST_GOOD(reportWrite(&run, folder, &error), error);
}

/* A program `gnuplot` that stands before the real one. */
static void placeGnuplot(const char *text) {
    char program[96], search[128];
    snprintf(program, sizeof program, "%s/gnuplot", programs);
    writeWhole(program, text);
    assert_int_equal(chmod(program, 0755), 0);
    snprintf(search, sizeof search, "%s:/usr/bin:/bin", programs);
    setenv("PATH", search, 1);
}

static int setUp(void **state) {
    (void)state;
    makeFolder(folder);
    makeFolder(programs);
    setenv("PATH", "/usr/bin:/bin", 1);
    return 0;
}

static int tearDown(void **state) {
    (void)state;
    removeFolder(folder);
    removeFolder(programs);
    return 0;
}

/* ---- Tests ---- */

FIXTURE_TEST(everyFileIsThere) {
    static const unsigned char SIGNATURE[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    writeReport();
    for (size_t i = 0; i < PLOTS_COUNT; i++) {
        size_t size = 0;
        char *picture = readWhole(fileOf(PLOTS[i], ".png"), &size);
        assert_true(size > 5000);
        assert_memory_equal(picture, SIGNATURE, sizeof SIGNATURE);
        free(picture);
    }
    assert_int_equal(countEntries(folder), PLOTS_COUNT + 2);
    expectText("report", ".json", "\"ratio_to_baseline\":\t2.5", true);
}

FIXTURE_TEST(theTextSaysWhatCameOut) {
    writeReport();
    expectText("report", ".md", "| device | A device's \"name\" / ?%s |\n", true);
    expectText("report", ".md",
               "| `second` | 2.500 | 61.0 | 500.0 | 36.00 | 4.00 | 40.0 | | 2.50 | 1.0 | 2.60 | K 16 |\n", true);
    expectText("report", ".md",
               "- `second`: the spread is too wide for a conclusion: 61 % of the times, 1 % of the ratios\n", true);
    expectText("report", ".md", "12.50 GB/s", true);
    expectText("report", ".md", "| `wrong` |", false);
    expectText("report", ".md", "- `wrong`: wrong output, no time: instance 3, vertex 7: off / by", true);
    expectText("report", ".md", "](steps.png)", true);
}

/* 5e8 vertices a second are 2 ns each, 2e9 are 0.5. */
FIXTURE_TEST(plotsShowTheNumbers) {
    setenv("PATH", programs, 1);
    writeReport();
    expectText("cost", ".gp", "# compute\n1 2\n340 0.5\n\n\n", true);
    expectText("systems-1", ".gp", "# compute\n7 2.5\n\n\n", true);
    expectText("systems-3", ".gp", "# compute\n7 7.5\n\n\n", true);
    expectText("steps", ".gp", "0 \"baseline\" 1\n1 \"one dispatch\" 1.5\n2 \"K = 16\" 2.5\n", true);
    expectText("limit", ".gp",
               "0 \"second\" 40\n1 \"first\" 30\n2 \"many\" 80\n3 \"alone\" 10\n\n\n4 \"processor\" 95\n", true);
    expectText("limit", ".gp", "wrong", false);
    expectText("cost", ".gp", "'A device''s \"name\" | ?%s'", true);
}

/* 500 bytes a millisecond of the processor's time are the limit, and a copy's 400 none: 300 of them are 60 %. */
TEST(percentOfTheProcessorsTimeIsByHand) {
    const BenchCase fill = {.kind = CASE_LIMIT, .domain = LIMIT_CPU};
    const BenchCase threads = {.kind = CASE_CPU, .domain = LIMIT_CPU_THREADS};
    CaseResult results[4] = {
        {.benchCase = &fill, .traffic = {.bytesWritten = 800.0}, .cpu = {.median = 2.0, .count = 9}},
        {.benchCase = &fill, .traffic = {.bytesWritten = 1000.0}, .cpu = {.median = 2.0, .count = 9}},
        {.benchCase = &CASES[PROCESSOR], .traffic = {.bytesWritten = 1200.0}, .cpu = {.median = 4.0, .count = 9}},
        {.benchCase = &threads, .traffic = {.bytesWritten = 1200.0}, .cpu = {.median = 4.0, .count = 9}},
    };
    const BenchRun run = {.resultCount = 4, .results = results};
    assert_float_equal(cpuPercentOfLimit(&run, &results[2]), 60.0, 1e-9);
    assert_float_equal(cpuPercentOfLimit(&run, &results[3]), 0.0, 0.0);
    results[1].outcome = OUTCOME_FAILED;
    assert_float_equal(cpuPercentOfLimit(&run, &results[2]), 75.0, 1e-9);
    results[0].outcome = OUTCOME_FAILED;
    assert_float_equal(cpuPercentOfLimit(&run, &results[2]), 0.0, 0.0);
}

FIXTURE_TEST(withoutGnuplotTheScriptsStay) {
    writeReport();
    setenv("PATH", programs, 1);
    writeReport();
    for (size_t i = 0; i < PLOTS_COUNT; i++) {
        assert_true(isThere(PLOTS[i], ".gp"));
        assert_false(isThere(PLOTS[i], ".png"));
    }
    expectText("report", ".md", ".png", false);
}

FIXTURE_TEST(aGnuplotThatFailsLeavesNothingHalf) {
    placeGnuplot("#!/bin/sh\neval \"$2\"\necho half >\"$picture\"\necho 'line 3: no' >&2\nexit 1\n");
    writeReport();
    assert_int_equal(countEntries(folder), PLOTS_COUNT + 2);
    expectText("report", ".md", ".png", false);
}

FIXTURE_TEST(aRunWithoutDataTakesOldPlotsAway) {
    writeReport();
    CaseResult result = resultOf(&CASES[PROCESSOR], 1e9, 0.0, 0.0);
    const BenchRun run = {.resultCount = 1, .results = &result};
    EngineError error = {.message = ""};
    assert_true(reportWrite(&run, folder, &error));
    assert_int_equal(countEntries(folder), 2);
}

#define NOT_OURS "vkskin did not write the file of this name; name another file, or add --force"

static void expectRefused(const char *where, const char *line) {
    EngineError error = {.message = ""};
    assert_false(reportCheck(where, false, &error));
    assert_string_equal(error.message, line);
}

FIXTURE_TEST(foldersThatCannotBeAreRefused) {
    char line[512], place[128], picture[128];
    snprintf(place, sizeof place, "%s/file", folder);
    writeWhole(place, "here already");
    snprintf(line, sizeof line, "%s: is no folder", place);
    expectRefused(place, line);
    snprintf(place, sizeof place, "%s/none/inner", folder);
    snprintf(line, sizeof line, "%s: the folder cannot be made: No such file or directory", place);
    expectRefused(place, line);
    expectRefused("/proc/report", "/proc/report: the folder cannot be made: No such file or directory");
    EngineError error = {.message = ""};
    snprintf(place, sizeof place, "%s/new", folder);
    assert_true(reportCheck(place, false, &error));
    assert_int_equal(access(place, W_OK), 0);

    snprintf(place, sizeof place, "%s/report.md", folder);
    snprintf(picture, sizeof picture, "%s/%s.png", folder, plotName(PLOT_COST));
    writeWhole(picture, "mine");
    snprintf(line, sizeof line, "%s: belongs to no report; name another folder, or add --force", picture);
    expectRefused(folder, line);
    unlink(picture);

    writeWhole(place, "# Ours");
    snprintf(line, sizeof line, "%s: cannot be written: " NOT_OURS, place);
    expectRefused(folder, line);
    assert_true(reportCheck(folder, true, &error));
    writeWhole(place, "# Bench of vkskin 0.1.0");
    assert_true(reportCheck(folder, false, &error));
}
