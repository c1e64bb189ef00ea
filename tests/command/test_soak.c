/*
 * test_soak.c: a short soak by `vkskin soak`, with the validation layer on; what it reports, and how it ends early.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "place.h"
#include "run_command.h"

/* Of this seed the first contexts are short ones: some of each kind, with 1 to 3 frames in flight. */
#define SEED   "36"
#define FRAMES "400"

static double numberOf(const cJSON *report, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(report, name);
    if (!cJSON_IsNumber(item)) {
        fail_msg("the report has no number '%s'", name);
    }
    return item->valuedouble;
}

static const char *textOf(const cJSON *report, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(report, name);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static cJSON *readReport(const char *path) {
    char *text = readWhole(path, NULL);
    cJSON *report = cJSON_Parse(text);
    free(text);
    assert_non_null(report);
    return report;
}

/* What must have happened in so many frames for them to mean anything. */
static void expectLively(const cJSON *report) {
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(report, "passed")));
    assert_int_equal((int)numberOf(report, "frames"), atoi(FRAMES));
    assert_true(numberOf(report, "contexts") >= 2);
    assert_true(numberOf(report, "framesHeldBack") > 20);
    assert_true(numberOf(report, "framesAbandoned") > 2);
    assert_true(numberOf(report, "framesCancelled") > 2);
    assert_true(numberOf(report, "ringFull") > 0);
    assert_true(numberOf(report, "meshesMade") > 50);
    assert_true(numberOf(report, "instancesMade") > 400);
    assert_true(numberOf(report, "teleports") > 50);
    assert_true(numberOf(report, "instancesChecked") > 300);
    assert_true(numberOf(report, "verticesChecked") > 20000);
    assert_true(numberOf(report, "verticesLeftOut") < 0.01 * numberOf(report, "verticesChecked"));
    assert_true(numberOf(report, "meshesMade") == numberOf(report, "meshesDestroyed"));
    assert_true(numberOf(report, "instancesMade") == numberOf(report, "instancesDestroyed"));
    assert_true(numberOf(report, "skeletonsMade") == numberOf(report, "skeletonsDestroyed"));
}

static void shortSoakPasses(void **state) {
    Place *place = *state;
    CommandRun run = RUN("soak", "--frames", FRAMES, "--seed", SEED, "--validate", "--json", place->json);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.output, "\nvertices checked"));
    commandRunFree(&run);
    cJSON *report = readReport(place->json);
    assert_string_equal(textOf(report, "backend"), "compute");
    expectLively(report);
    cJSON_Delete(report);
}

/* The same life, skinned by the CPU. */
static void soakByCpuPasses(void **state) {
    Place *place = *state;
    CommandRun run =
        RUN("soak", "--frames", FRAMES, "--seed", SEED, "--backend=cpu", "--validate", "--json", place->json);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.output, "\nbackend                 cpu\n"));
    commandRunFree(&run);
    cJSON *report = readReport(place->json);
    assert_string_equal(textOf(report, "backend"), "cpu");
    expectLively(report);
    cJSON_Delete(report);
}

/* The digest of all bytes that were read back, of 60 frames. SwiftShader takes seconds to make many kernels: the first
 * contexts of the seeds that are asked for have few. */
static void digestOf(const char *seed, char digest[32]) {
    CommandRun run = RUN("soak", "--frames", "60", "--seed", seed, "--json", "-");
    assert_int_equal(run.status, 0);
    cJSON *report = cJSON_Parse(run.output);
    assert_non_null(report);
    snprintf(digest, 32, "%s", textOf(report, "digest"));
    cJSON_Delete(report);
    commandRunFree(&run);
}

static void sameSeedSameLife(void **state) {
    char first[32], again[32], other[32];
    (void)state;
    digestOf("39", first);
    digestOf("39", again);
    digestOf("30", other);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
}

/* Whether a process has a handler for SIGINT. Files of /proc have no size: they are read by lines. */
static bool hasHandler(pid_t process) {
    char path[64], line[256];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "SigCgt:", strlen("SigCgt:")) == 0) {
            caught = strtoull(line + strlen("SigCgt:"), NULL, 16);
        }
    }
    fclose(file);
    return (caught >> (SIGINT - 1) & 1) != 0;
}

static void waitForHandler(pid_t child) {
    const struct timespec pause = {.tv_nsec = 20000000};
    int tries = 0;
    while (!hasHandler(child) && tries++ < 1000) {
        nanosleep(&pause, NULL);
    }
    assert_true(tries < 1000);
}

/* Ctrl-C: the frame at hand is ended, the table says how far it went, the JSON file is whole. */
static void interruptionReports(void **state) {
    Place *place = *state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        alarm(100); /* nobody waits for ever */
        if (freopen(place->text, "w", stdout) == NULL || freopen(place->obj, "w", stderr) == NULL) {
            _exit(126);
        }
        execl(VKSKIN_COMMAND_PATH, "vkskin", "soak", "--frames", "1000000000", "--seed", "39", "--json", place->json,
              (char *)NULL);
        _exit(127);
    }
    int status;
    waitForHandler(child);
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    char *errors = readWhole(place->obj, NULL);
    assert_non_null(strstr(errors, "vkskin soak: interrupted after "));
    assert_non_null(strstr(errors, " of 1000000000 frames\n"));
    free(errors);
    cJSON *report = readReport(place->json);
    assert_true(numberOf(report, "frames") >= 1);
    assert_true(numberOf(report, "framesAskedFor") == 1e9);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(report, "passed")));
    cJSON_Delete(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_PLACE(shortSoakPasses),
        AT_PLACE(soakByCpuPasses),
        cmocka_unit_test(sameSeedSameLife),
        AT_PLACE(interruptionReports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
