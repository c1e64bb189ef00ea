/*
 * test_options.c: the option parser, the nearest word and numbers for people, without a process or a device.
 */
#include <math.h>

#include "options.h"
#include "terminal.h"
#include "test.h"

enum { T_COUNT, T_TIME, T_METHOD, T_SIZE, T_OUTPUT, T_LOUD, T_SET, T_SHAPE, T_OPTION_COUNT };

static const char *const METHODS[] = {"lbs", "dqs", NULL};
static const char *const ENDINGS[] = {".obj", ".ply", NULL};

static const Option OPTIONS[T_OPTION_COUNT] = {
    [T_COUNT] = {.name = "count",
                 .kind = OPTION_INTEGER,
                 .valueName = "N",
                 .minimum = 1,
                 .maximum = 1000,
                 .defaultValue = "7",
                 .help = "how many"},
    [T_TIME] =
        {.name = "time", .kind = OPTION_NUMBER, .valueName = "S", .minimum = 0, .maximum = INFINITY, .help = "when"},
    [T_METHOD] = {.name = "method",
                  .kind = OPTION_CHOICE,
                  .valueName = "lbs|dqs",
                  .choices = METHODS,
                  .defaultValue = "dqs",
                  .help = "how"},
    [T_SIZE] = {.name = "size",
                .kind = OPTION_SIZE,
                .valueName = "WxH",
                .minimum = 1,
                .maximum = 100,
                .defaultValue = "8x9",
                .help = "how large"},
    [T_OUTPUT] =
        {.name = "output", .letter = 'o', .kind = OPTION_TEXT, .valueName = "FILE", .required = true, .help = "where"},
    [T_SET] = {.name = "set", .letter = 's', .kind = OPTION_SETTING, .valueName = "NAME=W", .help = "what"},
    [T_SHAPE] = {"shape", OPTION_OUTPUT, "FILE", .choices = ENDINGS, .help = "where to"},
    [T_LOUD] = {.name = "loud", .letter = 'l', .kind = OPTION_FLAG, .help = "loudly"},
};

static const Verb VERB = {
    .name = "try",
    .summary = "tries",
    .usage = "MODEL [options]",
    .options = OPTIONS,
    .optionCount = T_OPTION_COUNT,
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 2,
    .takesDevice = true,
};

#define TEXTS_MAX 12

/* What was parsed, and the texts that it points into. */
typedef struct Parsed {
    OptionsOutcome outcome;
    Arguments arguments;
    char message[OPTIONS_MESSAGE_SIZE];
    char *texts[TEXTS_MAX];
} Parsed;

static void parse(Parsed *parsed, const char *const *texts) {
    int count = 0;
    memset(parsed, 0, sizeof *parsed);
    for (; texts[count]; count++) {
        assert_true(count < TEXTS_MAX);
        parsed->texts[count] = (char *)texts[count];
    }
    parsed->outcome = optionsParse(&VERB, count, parsed->texts, &parsed->arguments, parsed->message);
}

#define PARSE(parsed, ...) parse(parsed, (const char *const[]){__VA_ARGS__, NULL})

TEST(defaultsAreThere) {
    Parsed parsed;
    PARSE(&parsed, "a.x", "-o", "f");
    assert_int_equal(parsed.outcome, OPTIONS_RUN);
    assert_int_equal(parsed.arguments.values[T_COUNT].integer, 7);
    assert_false(parsed.arguments.values[T_COUNT].given);
    assert_int_equal(parsed.arguments.values[T_METHOD].choice, 1);
    assert_int_equal(parsed.arguments.values[T_SIZE].width, 8);
    assert_int_equal(parsed.arguments.values[T_SIZE].height, 9);
    assert_null(optionsValue(&parsed.arguments, "device")->text);
    assert_int_equal(parsed.arguments.operandCount, 1);
    assert_string_equal(parsed.arguments.operands[0], "a.x");
}

TEST(endingsAreChoices) {
    Parsed parsed;
    PARSE(&parsed, "a.x", "-o", "f", "--shape", "a.obj");
    assert_int_equal(parsed.outcome, OPTIONS_RUN);
    assert_int_equal(parsed.arguments.values[T_SHAPE].choice, 0);
    PARSE(&parsed, "a.x", "-o", "f", "--shape", "x.y/a.PLY");
    assert_int_equal(parsed.outcome, OPTIONS_RUN);
    assert_int_equal(parsed.arguments.values[T_SHAPE].choice, 1);
    assert_string_equal(parsed.arguments.values[T_SHAPE].text, "x.y/a.PLY");
}

TEST(everyFormIsTaken) {
    Parsed parsed;
    PARSE(&parsed, "--count=5", "a.x", "--time", "2.5", "-of", "--method=lbs", "b.x", "--size", "30X40", "-l");
    assert_int_equal(parsed.outcome, OPTIONS_RUN);
    assert_int_equal(parsed.arguments.values[T_COUNT].integer, 5);
    assert_true(parsed.arguments.values[T_COUNT].given);
    assert_true(parsed.arguments.values[T_TIME].number == 2.5);
    assert_string_equal(parsed.arguments.values[T_OUTPUT].text, "f");
    assert_int_equal(parsed.arguments.values[T_METHOD].choice, 0);
    assert_int_equal(parsed.arguments.values[T_SIZE].width, 30);
    assert_int_equal(parsed.arguments.values[T_SIZE].height, 40);
    assert_true(parsed.arguments.values[T_LOUD].given);
    assert_int_equal(parsed.arguments.operandCount, 2);
    assert_string_equal(parsed.arguments.operands[1], "b.x");
    PARSE(&parsed, "a.x", "-o=f", "--device", "1", "--validate");
    assert_string_equal(parsed.arguments.values[T_OUTPUT].text, "f");
    assert_string_equal(optionsValue(&parsed.arguments, "device")->text, "1");
    assert_true(optionsValue(&parsed.arguments, "validate")->given);
}

TEST(endsOfARangeAreInIt) {
    static const char *const COUNTS[] = {"1", "1000"}, *const SIZES[] = {"1x100", "100x1"};
    for (int i = 0; i < 2; i++) {
        Parsed parsed;
        PARSE(&parsed, "a.x", "-o", "f", "--count", COUNTS[i], "--size", SIZES[i], "--time", "0");
        assert_int_equal(parsed.outcome, OPTIONS_RUN);
        assert_int_equal(parsed.arguments.values[T_COUNT].integer, i == 0 ? 1 : 1000);
        assert_int_equal(parsed.arguments.values[T_SIZE].width, i == 0 ? 1 : 100);
    }
}

TEST(twoDashesEndTheOptions) {
    Parsed parsed;
    PARSE(&parsed, "-o", "f", "--", "--count", "-l");
    assert_int_equal(parsed.outcome, OPTIONS_RUN);
    assert_int_equal(parsed.arguments.operandCount, 2);
    assert_string_equal(parsed.arguments.operands[0], "--count");
    assert_string_equal(parsed.arguments.operands[1], "-l");
}

TEST(theLastOneCounts) {
    Parsed parsed;
    PARSE(&parsed, "a.x", "--count", "400", "-o", "f", "--count", "20", "--output", "g");
    assert_int_equal(parsed.arguments.values[T_COUNT].integer, 20);
    assert_string_equal(parsed.arguments.values[T_OUTPUT].text, "g");
}

/* All of them, in their order; a name may hold '='. */
TEST(settingsAreCollected) {
    static char one[] = "a=0.5", two[] = "--set=b=c=-2", three[] = "-s=a=1";
    char *texts[] = {(char *)"x", (char *)"--set", one, two, three, (char *)"-o", (char *)"f"};
    Arguments arguments;
    char message[OPTIONS_MESSAGE_SIZE];
    assert_int_equal(optionsParse(&VERB, 7, texts, &arguments, message), OPTIONS_RUN);
    assert_int_equal(arguments.settingCount, 3);
    assert_string_equal(arguments.settings[0].name, "a");
    assert_true(arguments.settings[0].number == 0.5);
    assert_string_equal(arguments.settings[1].name, "b=c");
    assert_true(arguments.settings[1].number == -2.0);
    assert_string_equal(arguments.settings[2].name, "a");
    assert_true(arguments.settings[2].number == 1.0);
    assert_string_equal(arguments.operands[0], "x");
}

/* One more than there is room for. */
TEST(tooManySettingsAreRefused) {
    static char settings[OPTION_SETTINGS_MAX + 1][8];
    char *texts[OPTION_SETTINGS_MAX + 1];
    Arguments arguments;
    char message[OPTIONS_MESSAGE_SIZE];
    for (int i = 0; i <= OPTION_SETTINGS_MAX; i++) {
        snprintf(settings[i], sizeof settings[i], "-sa=1");
        texts[i] = settings[i];
    }
    assert_int_equal(optionsParse(&VERB, OPTION_SETTINGS_MAX + 1, texts, &arguments, message), OPTIONS_WRONG);
    assert_string_equal(message, "--set is given more than 256 times");
    assert_int_equal(arguments.settingCount, OPTION_SETTINGS_MAX);
}

TEST(helpComesBeforeWhatIsMissing) {
    Parsed parsed;
    PARSE(&parsed, "--count", "3", "--help");
    assert_int_equal(parsed.outcome, OPTIONS_HELP);
    PARSE(&parsed, "-h");
    assert_int_equal(parsed.outcome, OPTIONS_HELP);
}

/* Wrong command lines and the whole of what is said about each. */
TEST(wrongOnesAreNamed) {
    static const struct {
        const char *texts[6];
        const char *message;
    } CASES[] = {
        {{"a.x", "--cuont", "3"}, "no option '--cuont'; did you mean '--count'?"},
        {{"a.x", "--cuont=3"}, "no option '--cuont'; did you mean '--count'?"},
        {{"a.x", "--meth", "lbs"}, "no option '--meth'; did you mean '--method'?"},
        {{"a.x", "-count", "3"}, "no option '-count'; did you mean '--count'?"},
        {{"a.x", "-output=f"}, "no option '-output'; did you mean '--output'?"},
        {{"a.x", "--deivce", "3"}, "no option '--deivce'; did you mean '--device'?"},
        {{"a.x", "--zzzzzz"}, "no option '--zzzzzz'; see 'vkskin try --help'"},
        {{"a.x", "-z"}, "no option '-z'; see 'vkskin try --help'"},
        {{"a.x", "-o", "f", "--count"}, "--count needs a value: N"},
        {{"a.x", "-o"}, "-o needs a value: FILE"},
        {{"a.x", "-o", "--loud"}, "-o needs a value: FILE"},
        {{"a.x", "--output="}, "-o takes a value, not ''"},
        {{"a.x", "--loud=yes"}, "--loud takes no value"},
        {{"a.x", "--count", "0"}, "--count takes a whole number, 1 to 1000, not '0'"},
        {{"a.x", "--count", "1001"}, "--count takes a whole number, 1 to 1000, not '1001'"},
        {{"a.x", "--count", "-1"}, "--count takes a whole number, 1 to 1000, not '-1'"},
        {{"a.x", "--count", "1.5"}, "--count takes a whole number, 1 to 1000, not '1.5'"},
        {{"a.x", "--count", "99999999999999999999"},
         "--count takes a whole number, 1 to 1000, not '99999999999999999999'"},
        {{"a.x", "--time", "nan"}, "--time takes a number, 0 and up, not 'nan'"},
        {{"a.x", "--time", "inf"}, "--time takes a number, 0 and up, not 'inf'"},
        {{"a.x", "--time", "-0.5"}, "--time takes a number, 0 and up, not '-0.5'"},
        {{"a.x", "--time", "1s"}, "--time takes a number, 0 and up, not '1s'"},
        {{"a.x", "--method", "lbq"}, "--method takes lbs or dqs, not 'lbq'; did you mean 'lbs'?"},
        {{"a.x", "--method", "what"}, "--method takes lbs or dqs, not 'what'"},
        {{"a.x", "--set", "a"}, "-s takes NAME=NUMBER, not 'a'"},
        {{"a.x", "--set", "=1"}, "-s takes NAME=NUMBER, not '=1'"},
        {{"a.x", "--set=a="}, "-s takes NAME=NUMBER, not 'a='"},
        {{"a.x", "--set=a=nan"}, "-s takes NAME=NUMBER, not 'a=nan'"},
        {{"a.x", "-sa=1e39"}, "-s takes NAME=NUMBER, not 'a=1e39'"},
        {{"a.x", "-sa=1x"}, "-s takes NAME=NUMBER, not 'a=1x'"},
        {{"a.x", "-s"}, "-s needs a value: NAME=W"},
        {{"a.x", "--size", "12"}, "--size takes WIDTHxHEIGHT, each 1 to 100, not '12'"},
        {{"a.x", "--size", "0x5"}, "--size takes WIDTHxHEIGHT, each 1 to 100, not '0x5'"},
        {{"a.x", "--size", "5x101"}, "--size takes WIDTHxHEIGHT, each 1 to 100, not '5x101'"},
        {{"a.x", "--size", "5x5x5"}, "--size takes WIDTHxHEIGHT, each 1 to 100, not '5x5x5'"},
        {{"a.x", "--shape", "a.stl"}, "--shape needs a name that ends in .obj or .ply, not 'a.stl'"},
        {{"a.x", "--shape", "obj"}, "--shape needs a name that ends in .obj or .ply, not 'obj'"},
        {{"a.x", "--shape", "folder.obj/file"},
         "--shape needs a name that ends in .obj or .ply, not 'folder.obj/file'"},
        {{"-o", "f"}, "no MODEL given; see 'vkskin try --help'"},
        {{"a.x"}, "-o FILE is required"},
        {{"a.x", "b.x", "c.x"}, "'c.x' is one MODEL too many"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        Parsed parsed;
        parse(&parsed, CASES[i].texts);
        assert_string_equal(parsed.message, CASES[i].message);
        assert_int_equal(parsed.outcome, OPTIONS_WRONG);
    }
}

TEST(deviceOptionsAreOnlyWhereTaken) {
    static const Verb BARE = {.name = "bare", .summary = "s", .usage = ""};
    char *texts[] = {(char *)"--device=1"};
    Arguments arguments;
    char message[OPTIONS_MESSAGE_SIZE];
    assert_int_equal(optionsParse(&BARE, 1, texts, &arguments, message), OPTIONS_WRONG);
    assert_string_equal(message, "no option '--device'; see 'vkskin bare --help'");
    texts[0] = (char *)"a.x";
    assert_int_equal(optionsParse(&BARE, 1, texts, &arguments, message), OPTIONS_WRONG);
    assert_string_equal(message, "'a.x' is not expected: this verb takes no operand");
}

TEST(helpTellsRangesAndDefaults) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    optionsPrintHelp(file, &VERB);
    fclose(file);
    assert_non_null(strstr(text, "vkskin try: tries\n\nusage: vkskin try MODEL [options]\n\n"));
    assert_non_null(strstr(text, "      --count N             how many; 1 to 1000 (default 7)\n"));
    assert_non_null(strstr(text, "      --time S              when; 0 and up\n"));
    assert_non_null(strstr(text, "  -o, --output FILE         where (required)\n"));
    assert_non_null(strstr(text, "      --validate            "));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        assert_true(strlen(line) <= 100);
        assert_true(line[0] == '\0' || line[strlen(line) - 1] != ' ');
    }
    free(text);
}

TEST(editsAreCounted) {
    assert_int_equal(nearestDistance("", ""), 0);
    assert_int_equal(nearestDistance("", "abc"), 3);
    assert_int_equal(nearestDistance("count", "count"), 0);
    assert_int_equal(nearestDistance("Count", "cOUNT"), 0);
    assert_int_equal(nearestDistance("cuont", "count"), 1);
    assert_int_equal(nearestDistance("cont", "count"), 1);
    assert_int_equal(nearestDistance("kitten", "sitting"), 3);
}

TEST(nearWordsAreFound) {
    static const char *const WORDS[] = {"devices", "info", "bake", "render", "crowd"};
    char longest[300];
    assert_int_equal(nearestWord("bkae", WORDS, 5), 2);
    assert_int_equal(nearestWord("rend", WORDS, 5), 3);
    assert_int_equal(nearestWord("CROWD", WORDS, 5), 4);
    assert_int_equal(nearestWord("device", WORDS, 5), 0);
    assert_int_equal(nearestWord("xyzzy", WORDS, 5), -1);
    assert_int_equal(nearestWord("", WORDS, 5), -1);
    assert_int_equal(nearestWord("bake", WORDS, 0), -1);
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(nearestWord(longest, WORDS, 5), -1);
}

TEST(numbersAreReadable) {
    char text[QUANTITY_SIZE];
    quantityCount(text, 0);
    assert_string_equal(text, "0");
    quantityCount(text, 999);
    assert_string_equal(text, "999");
    quantityCount(text, 1000);
    assert_string_equal(text, "1,000");
    quantityCount(text, UINT64_MAX);
    assert_string_equal(text, "18,446,744,073,709,551,615");
    quantityScaled(text, 0.0, "B/s");
    assert_string_equal(text, "0 B/s");
    quantityScaled(text, 12.345, "B/s");
    assert_string_equal(text, "12.3 B/s");
    quantityScaled(text, 999.97, "");
    assert_string_equal(text, "1.00 k");
    quantityScaled(text, 1234567.0, "vertices/s");
    assert_string_equal(text, "1.23 Mvertices/s");
    quantityScaled(text, 4.3e15, "B/s");
    assert_string_equal(text, "4300 TB/s");
}
