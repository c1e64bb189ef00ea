/*
 * test_soak.c: short runs of `vkskin-soak` with the validation layer: its report, interruption and wrong usage.
 */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "place.h"
#include "run_command.h"
#include "test.h"

/* With this seed the first contexts are short: several kinds, with 1 to 3 frames in flight. */
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

/* The run must have done enough to be a test. */
static void expectActivity(const cJSON *report) {
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

static void soakPasses(Place *place, const char *backend) {
    char line[64];
    CommandRun run = RUN("--frames", FRAMES, "--seed", SEED, "--backend", backend, "--validate", "--json", place->json);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    snprintf(line, sizeof line, "\nbackend                 %s\n", backend);
    assert_non_null(strstr(run.output, line));
    assert_non_null(strstr(run.output, "\nvertices checked"));
    commandRunFree(&run);
    cJSON *report = readReport(place->json);
    assert_string_equal(textOf(report, "backend"), backend);
    expectActivity(report);
    cJSON_Delete(report);
}

AT_PLACE(shortSoakPasses) {
    soakPasses(*state, "compute");
}

/* The same operations with the CPU backend. */
AT_PLACE(cpuSoakPasses) {
    soakPasses(*state, "cpu");
}

/* The digest of 60 frames. SwiftShader compiles kernels slowly: with the seeds below the first contexts have few. */
static void digestOf(const char *seed, char digest[32]) {
    CommandRun run = RUN("--frames", "60", "--seed", seed, "--json", "-");
    assert_int_equal(run.status, 0);
    cJSON *report = cJSON_Parse(run.output);
    assert_non_null(report);
    snprintf(digest, 32, "%s", textOf(report, "digest"));
    cJSON_Delete(report);
    commandRunFree(&run);
}

TEST(seedGivesDigest) {
    char first[32], again[32], other[32];
    digestOf("39", first);
    digestOf("39", again);
    digestOf("30", other);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
}

/* Whether a process has a handler for SIGINT. Files of /proc have no size, so they are read line by line. */
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

/* Ctrl-C: the current frame is completed, the table states the number of frames, the JSON file is complete. */
AT_PLACE(interruptionReports) {
    Place *place = *state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        alarm(100); /* a limit if the signal is lost */
        if (freopen(place->text, "w", stdout) == NULL || freopen(place->obj, "w", stderr) == NULL) {
            _exit(126);
        }
        execl(VKSKIN_COMMAND_PATH, "vkskin-soak", "--frames", "1000000000", "--seed", "39", "--json", place->json,
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
    assert_non_null(strstr(errors, "vkskin-soak: interrupted after "));
    assert_non_null(strstr(errors, " of 1000000000 frames\n"));
    free(errors);
    cJSON *report = readReport(place->json);
    assert_true(numberOf(report, "frames") >= 1);
    assert_true(numberOf(report, "framesAskedFor") == 1e9);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(report, "passed")));
    cJSON_Delete(report);
}

TEST(wrongUsageIsRefused) {
    expectRefusal(RUN("model.x"), 2, "vkskin-soak: 'model.x' is not expected: this verb takes no operand");
    expectRefusal(RUN("--frames", "0"), 2, "vkskin-soak: --frames takes a whole number, 1 to 1000000000, not '0'");
    expectRefusal(RUN("--seed", "-1"), 2, "vkskin-soak: --seed takes a whole number, 0 to 9007199254740991, not '-1'");
    expectRefusal(RUN("--sede", "1"), 2, "vkskin-soak: no option '--sede'; did you mean '--seed'?");
    expectRefusal(RUN("--json", "none/x.json"), 1, "vkskin-soak: none/x.json: cannot be written: no folder 'none'");
}

TEST(helpListsEveryOption) {
    static const char *const words[] = {"usage: vkskin-soak [", "--frames N", "--seed N",  "--backend ",
                                        "--json FILE",          "--device",   "--validate"};
    CommandRun run = RUN("--help");
    assert_int_equal(run.status, 0);
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        assert_non_null(strstr(run.output, words[i]));
    }
    commandRunFree(&run);
}
