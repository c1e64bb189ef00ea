/* Wrong output has no time and fails the bench, whether it is wrong at once or only where it is timed. */

#include "../command/run_command.h"
#include "test.h"

/* reason: the message's beginning. */
static void expectWrong(const char *planted, const char *reason) {
    char message[160];
    assert_int_equal(setenv("PLANTED", planted, 1), 0);
    CommandRun run = RUN("--quick", "--json=-", "--case", "crowd-16");
    assert_int_equal(run.status, 1);
    assert_string_equal(run.errors, "vkskin-bench: some cases have no time: see the table\n");
    const char *result = strstr(run.output, "\"case\": \"crowd-16\"");
    assert_non_null(result);
    assert_non_null(strstr(result, "\"median_ms\": null"));
    assert_non_null(strstr(result, "\"ratio_to_baseline\": null"));
    snprintf(message, sizeof message, "\"error\": \"%s", reason);
    assert_non_null(strstr(result, message));
    commandRunFree(&run);
}

TEST(test_swapped) {
    expectWrong("swapped", "instance 3, vertex ");
}

TEST(test_skipped) {
    expectWrong("skipped", "instance 15, vertex 0: was not written");
}
