/* The bench as a user runs it: what it refuses, and what a quick run of the cases that others read comes to. */

#include <cjson/cJSON.h>

#include "../command/run_command.h"
#include "test.h"

/* ---- What is refused ---- */

TEST(hostRefusesBadOptions) {
    expectRefusal(RUN("--qick"), 2, "vkskin-bench: no option '--qick'; did you mean '--quick'?");
    expectRefusal(RUN("--json"), 2, "vkskin-bench: --json needs a value: FILE");
    expectRefusal(RUN("--case"), 2, "vkskin-bench: --case needs a value: NAME...");
    expectRefusal(RUN("--case", "one-character", "crowd-mix-paked"), 2,
                  "vkskin-bench: no case 'crowd-mix-paked'; did you mean 'crowd-mix-packed'?");
    expectRefusal(RUN("--case=xyzzy"), 2, "vkskin-bench: no case 'xyzzy'; see 'vkskin-bench --list'");
}

/* Reported before any measurement. */
TEST(hostRefusesBadFiles) {
    char folder[64], path[128], line[256];
    makeFolder(folder);
    snprintf(path, sizeof path, "%s/none/out.json", folder);
    snprintf(line, sizeof line, "vkskin-bench: %s: cannot be written: no folder '%s/none'", path, folder);
    expectRefusal(RUN("--json", path), 1, line);
    assert_int_equal(countEntries(folder), 0);
    removeFolder(folder);
}

TEST(hostListsCases) {
    static const char *const NAMED[] = {
        "crowd-mix-packed ", "crowd-mix-same-bytes ", "crowd-300-packed ", "cpu-pnt-1 ", "cpu-pnt-2 ", "cpu-pnt-4 ",
        "pose-64 "};
    CommandRun run = RUN("--list");
    assert_int_equal(run.status, 0);
    for (size_t i = 0; i < COUNT_OF(NAMED); i++) {
        const char *row = strstr(run.output, NAMED[i]);
        assert_non_null(row);
        assert_true(row == run.output || row[-1] == '\n');
        /* Marked: among those of --quick. */
        assert_true(strchr(row, '*') != NULL && strchr(row, '*') < strchr(row, '\n'));
    }
    commandRunFree(&run);
}

/* ---- A quick run ---- */

static const cJSON *resultOf(const cJSON *report, const char *name) {
    const cJSON *result;
    cJSON_ArrayForEach(result, cJSON_GetObjectItem(report, "results")) {
        if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(result, "case")), name) == 0) {
            return result;
        }
    }
    fail_msg("no result of %s", name);
    return NULL;
}

static double numberOf(const cJSON *result, const char *name) {
    const cJSON *number = cJSON_GetObjectItem(result, name);
    if (!cJSON_IsNumber(number)) {
        fail_msg("%s is no number", name);
    }
    return number->valuedouble;
}

/* The numbers must agree with one another. */
static void checkResult(const cJSON *report, const char *name, double leastBytes, double mostBytes) {
    const cJSON *result = resultOf(report, name);
    double vertices = numberOf(result, "mvertices_per_s");
    assert_true(numberOf(result, "median_ms") > 0.0);
    assert_true(numberOf(result, "spread") >= 0.0);
    assert_true(vertices > 0.0);
    double bytes = numberOf(result, "bytes_per_vertex");
    assert_true(bytes >= leastBytes && bytes <= mostBytes);
    assert_float_equal(numberOf(result, "gb_per_s") / (vertices * 1e-3 * bytes), 1.0, 1e-3);
    assert_true(numberOf(result, "percent_of_limit") > 0.0);
    assert_true(numberOf(result, "ratio_to_baseline") > 0.0);
}

TEST(quick) {
    char folder[64], path[128];
    makeFolder(folder);
    snprintf(path, sizeof path, "%s/out.json", folder);
    CommandRun run = RUN("--quick", "--validate", "--json", path, "--case", "crowd-16");
    if (run.status != 0) {
        print_error("%s%s", run.output, run.errors);
    }
    assert_int_equal(run.status, 0);
    assert_string_equal(run.errors, "");
    assert_non_null(strstr(run.output, "\ncrowd-16 "));
    char *text = readWhole(path, NULL);
    cJSON *report = cJSON_Parse(text);
    assert_non_null(report);
    assert_true(strlen(cJSON_GetStringValue(cJSON_GetObjectItem(report, "device"))) > 0);
    assert_true(strlen(cJSON_GetStringValue(cJSON_GetObjectItem(report, "driver"))) > 0);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(report, "backend")), "compute");
    checkResult(report, "baseline-16", 88.6, 88.7); /* 48 in, 40 out, 3,072 of palette for 5,000 vertices */
    checkResult(report, "crowd-16", 20.6, 75.0);    /* 20 out, the palette, a share of the source */
    const cJSON *baseline = resultOf(report, "baseline-16");
    assert_float_equal(numberOf(baseline, "ratio_to_baseline"), 1.0, 0.0);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(baseline, "clock")), "wall");
    cJSON_Delete(report);
    free(text);
    commandRunFree(&run);
    removeFolder(folder);
}
