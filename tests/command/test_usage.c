/*
 * test_usage.c: what the program says before it does anything: help, version, wrong verbs and options.
 */

#include "run_command.h"
#include "test.h"
#include "vkskin/vkskin_base.h"

static const char *const VERBS[] = {"devices", "info", "bake", "render", "crowd", "view"};

#define VERB_COUNT (COUNT_OF(VERBS))

static void expectHelp(CommandRun run, const char *beginning) {
    assert_int_equal(run.status, 0);
    assert_string_equal(run.errors, "");
    assert_true(strncmp(run.output, beginning, strlen(beginning)) == 0);
    assert_null(strstr(run.output, " \n"));
    assert_null(strstr(run.output, "e+"));
    commandRunFree(&run);
}

TEST(programHelpNamesEveryVerb) {
    CommandRun run = RUN("--help");
    for (size_t i = 0; i < VERB_COUNT; i++) {
        char line[32];
        snprintf(line, sizeof line, "\n  %-10s", VERBS[i]);
        assert_non_null(strstr(run.output, line));
    }
    expectHelp(run, "vkskin: ");
    expectHelp(RUN("-h"), "vkskin: ");
    expectHelp(RUN("help"), "vkskin: ");
}

TEST(everyVerbHasHelp) {
    for (size_t i = 0; i < VERB_COUNT; i++) {
        char beginning[32];
        snprintf(beginning, sizeof beginning, "vkskin %s: ", VERBS[i]);
        expectHelp(RUN(VERBS[i], "--help"), beginning);
        expectHelp(RUN(VERBS[i], "-h"), beginning);
        expectHelp(RUN("help", VERBS[i]), beginning);
        /* Even when the rest would be wrong. */
        expectHelp(RUN(VERBS[i], "--help", "--nonsense"), beginning);
    }
}

TEST(versionIsTheHeaders) {
    char line[64];
    CommandRun run = RUN("--version");
    snprintf(line, sizeof line, "vkskin %d.%d.%d\n", VKSKIN_VERSION_MAJOR, VKSKIN_VERSION_MINOR, VKSKIN_VERSION_PATCH);
    assert_string_equal(run.output, line);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
}

TEST(nothingGivenIsUsage) {
    CommandRun run = runCommand((const char *const[]){NULL});
    assert_int_equal(run.status, 2);
    assert_string_equal(run.output, "");
    assert_true(strncmp(run.errors, "vkskin: ", 8) == 0);
    commandRunFree(&run);
}

TEST(wrongWordsAreNamed) {
    static const struct {
        const char *arguments[8];
        const char *line;
    } CASES[] = {
        {{"bkae"}, "vkskin: no verb 'bkae'; did you mean 'bake'?"},
        {{"help", "crwod"}, "vkskin: no verb 'crwod'; did you mean 'crowd'?"},
        {{"xyzzy"}, "vkskin: no verb 'xyzzy'; see 'vkskin --help'"},
        {{"--hepl"}, "vkskin: no option '--hepl'; did you mean '--help'?"},
        {{"--frobnicate"}, "vkskin: no option '--frobnicate'; see 'vkskin --help'"},
        {{"crowd", "a.x", "--cuont", "5"}, "vkskin crowd: no option '--cuont'; did you mean '--count'?"},
        {{"crowd"}, "vkskin crowd: no MODEL given; see 'vkskin crowd --help'"},
        {{"crowd", "a.x", "--count", "0"}, "vkskin crowd: --count takes a whole number, 1 to 1000000, not '0'"},
        {{"crowd", "a.x", "--size", "0x0"}, "vkskin crowd: --size takes WIDTHxHEIGHT, each 1 to 16384, not '0x0'"},
        {{"crowd", "a.x", "--method", "lbd"},
         "vkskin crowd: --method takes lbs, dqs, dqs-scaled, blend, cor, qt, qt-half or qt-snorm16, not 'lbd'; did you "
         "mean 'lbs'?"},
        {{"bake", "a.x", "-o", "a.obj", "--method", "cro"},
         "vkskin bake: --method takes lbs, dqs, dqs-scaled, blend, cor, qt, qt-half or qt-snorm16, not 'cro'; did you "
         "mean 'cor'?"},
        {{"render", "a.x", "-o", "a.png", "--normals", "right"},
         "vkskin render: --normals takes cheap or exact, not 'right'"},
        {{"crowd", "a.x", "--weights", "32"}, "vkskin crowd: --weights takes float, 16 or 8, not '32'"},
        {{"crowd", "a.x", "--blend", "0.5"}, "vkskin crowd: --blend needs '--method blend'; the method is 'lbs'"},
        {{"crowd", "a.x", "--method=blend", "--blend=1.5"}, "vkskin crowd: --blend takes a number, 0 to 1, not '1.5'"},
        {{"bake", "a.x", "-o", "a.obj", "--morph", "smile"}, "vkskin bake: --morph takes NAME=NUMBER, not 'smile'"},
        {{"bake", "a.x", "-o", "a.obj", "--morph"}, "vkskin bake: --morph needs a value: NAME=W"},
        {{"info", "a.x", "--max-bones", "0"}, "vkskin info: --max-bones takes a whole number, 1 to 1048576, not '0'"},
        {{"crowd", "a.x", "-o", "a.jpg"}, "vkskin crowd: -o needs a name that ends in .png, not 'a.jpg'"},
        {{"view", "a.x", "--screenshot", "a.jpg"},
         "vkskin view: --screenshot needs a name that ends in .png, not 'a.jpg'"},
        {{"bake", "a.x"}, "vkskin bake: -o FILE is required"},
        {{"bake", "a.x", "-o", "a.stl"}, "vkskin bake: -o needs a name that ends in .obj or .ply, not 'a.stl'"},
        {{"bake", "a.x", "-o", "a.obj", "--time", "-1"}, "vkskin bake: --time takes a number, 0 and up, not '-1'"},
        {{"bake", "a.x", "-o", "a.obj", "--max-influences", "256"},
         "vkskin bake: --max-influences takes a whole number, 0 to 255, not '256'"},
        {{"bake", "a.x", "b.x", "-o", "a.obj"}, "vkskin bake: 'b.x' is one MODEL too many"},
        {{"render", "a.x", "-o", "png"}, "vkskin render: -o needs a name that ends in .png, not 'png'"},
        {{"info"}, "vkskin info: no MODEL given; see 'vkskin info --help'"},
        {{"info", ""}, "vkskin info: an empty MODEL"},
        {{"devices", "--device", "0"}, "vkskin devices: no option '--device'; see 'vkskin devices --help'"},
        {{"devices", "a"}, "vkskin devices: 'a' is not expected: this verb takes no operand"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        expectRefusal(runCommand(CASES[i].arguments), 2, CASES[i].line);
    }
}
