/*
 * test_options.c: the option parser, the nearest word and numbers for people, without a process or a device.
 */
#include "moment.h"
#include "session.h"
#include "test.h"
#include "verbs.h"

enum {
    T_COUNT,
    T_TIME,
    T_METHOD,
    T_SIZE,
    T_OUTPUT,
    T_LOUD,
    T_SET,
    T_SHAPE,
    T_CAMERA,
    T_COLOUR,
    T_SERIES,
    T_FRAME,
    T_OPTION_COUNT
};

static const char *const METHODS[] = {"lbs", "dqs", NULL};
static const char *const ENDINGS[] = {".obj", ".ply", NULL};

static const Option OPTIONS[T_OPTION_COUNT] = {
    [T_COUNT] = {"count", OPTION_INTEGER, "N", "how many", "7", .minimum = 1, .maximum = 1000},
    [T_TIME] = {"time", OPTION_NUMBER, "S", "when", .unit = "s", .minimum = 0, .maximum = INFINITY},
    [T_METHOD] = {"method", OPTION_CHOICE, "lbs|dqs", "how", "dqs", .choices = METHODS},
    [T_SIZE] = {"size", OPTION_SIZE, "WxH", "how large", "8x9", .minimum = 1, .maximum = 100},
    [T_OUTPUT] = {"output", OPTION_TEXT, "FILE", "where", .letter = 'o', .required = true},
    [T_SET] = {"set", OPTION_SETTING, "NAME=W", "what", .letter = 's'},
    [T_SHAPE] = {"shape", OPTION_OUTPUT, "FILE", "where to", .choices = ENDINGS},
    [T_CAMERA] = {"camera", OPTION_CAMERA, "A,E[,D]", .help = "from where"},
    [T_COLOUR] = {"colour", OPTION_COLOUR, "COLOUR", .help = "which colour"},
    [T_SERIES] = {"series", OPTION_SERIES, "FROM:TO:FPS", .help = "when"},
    [T_FRAME] = {"frame", OPTION_FRAME, "N[@FPS]", .help = "when"},
    [T_LOUD] = {"loud", OPTION_FLAG, .help = "loudly", .letter = 'l'},
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

#define TEXTS_MAX (OPTION_SETTINGS_MAX + 1)

/* A command line and what was parsed from it. */
typedef struct Parsed {
    OptionsOutcome outcome;
    Arguments arguments;
    char message[OPTIONS_MESSAGE_SIZE];
    char *texts[TEXTS_MAX];
    char line[8 * TEXTS_MAX]; /* what the texts point into */
} Parsed;

/* The texts are separated by spaces. */
static void parse(Parsed *parsed, const Verb *verb, const char *line) {
    int count = 0;
    memset(parsed, 0, sizeof *parsed);
    snprintf(parsed->line, sizeof parsed->line, "%s", line);
    for (char *text = strtok(parsed->line, " "); text; text = strtok(NULL, " ")) {
        assert_true(count < TEXTS_MAX);
        parsed->texts[count++] = text;
    }
    parsed->outcome = optionsParse(verb, count, parsed->texts, &parsed->arguments, parsed->message);
}

static const char *orDash(const char *text) {
    return text ? text : "-";
}

/* All values, with a '!' where the user gave them; then operands and settings. */
static void describe(const Arguments *arguments, char *text, size_t size) {
    const OptionValue *values = arguments->values, *length = &values[T_SIZE];
    int end = snprintf(text, size, "%d%s %g %u %ux%u %s %u:%s %d %s %d;", (int)values[T_COUNT].integer,
                       values[T_COUNT].given ? "!" : "", values[T_TIME].number, values[T_METHOD].choice, length->width,
                       length->height, orDash(values[T_OUTPUT].text), values[T_SHAPE].choice,
                       orDash(values[T_SHAPE].text), values[T_LOUD].given,
                       orDash(optionsValue(arguments, "device")->text), optionsValue(arguments, "validate")->given);
    for (uint32_t i = 0; i < arguments->operandCount; i++) {
        end += snprintf(text + end, size - (size_t)end, " %s", arguments->operands[i]);
    }
    for (uint32_t i = 0; i < arguments->settingCount; i++) {
        const OptionSetting *setting = &arguments->settings[i];
        end += snprintf(text + end, size - (size_t)end, " %s:%g", setting->name, setting->number);
    }
}

/* After a failure the scene may be made again with compute, if the user did not choose the crowd, and if the library
 * refused it: another system has no more memory. */
TEST(onlyTheDefaultSystemFallsBack) {
    static const struct {
        const char *line;
        SkinSystem system;
        VkskinResult result;
        bool falls;
    } CASES[] = {
        {"a.x", SKIN_SYSTEM_CROWD, VKSKIN_ERROR_INVALID_VALUE, true},
        {"a.x", SKIN_SYSTEM_CROWD, VKSKIN_ERROR_UNSUPPORTED_DEVICE, true},
        {"a.x", SKIN_SYSTEM_CROWD, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY, false},
        {"a.x", SKIN_SYSTEM_CROWD, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, false},
        {"a.x", SKIN_SYSTEM_CROWD, VKSKIN_ERROR_DEVICE_LOST, false},
        {"a.x", SKIN_SYSTEM_CROWD, VKSKIN_ERROR_VULKAN, false},
        {"a.x", SKIN_SYSTEM_COMPUTE, VKSKIN_ERROR_INVALID_VALUE, false},
        {"a.x --system crowd", SKIN_SYSTEM_CROWD, VKSKIN_ERROR_INVALID_VALUE, false},
        {"a.x --slots 2", SKIN_SYSTEM_CROWD, VKSKIN_ERROR_INVALID_VALUE, false},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        Parsed parsed;
        EngineError error;
        parse(&parsed, &verbCrowd, CASES[i].line);
        Session session = {.arguments = &parsed.arguments, .skin.system = CASES[i].system};
        engineVkskin(&error, "a clip set", CASES[i].result, "too many clips");
        engineFailAt(&error, "a.x");
        assert_int_equal(sessionFallBack(&session, &error), CASES[i].falls);
        assert_int_equal(session.skin.system, CASES[i].falls ? SKIN_SYSTEM_COMPUTE : CASES[i].system);
        assert_true(!CASES[i].falls || strncmp(session.fallback.message, "a.x: a clip set: too many clips (", 33) == 0);
    }
}

/* Count, time, method, size, output, shape, loud, device, validate; operands and settings. */
TEST(rightOnesAreTaken) {
    static const struct {
        const char *line, *parsed;
    } CASES[] = {
        /* defaults */
        {"a.x -o f", "7 0 1 8x9 f 0:- 0 - 0; a.x"},
        /* endings are choices */
        {"a.x -o f --shape a.obj", "7 0 1 8x9 f 0:a.obj 0 - 0; a.x"},
        {"a.x -o f --shape x.y/a.PLY", "7 0 1 8x9 f 1:x.y/a.PLY 0 - 0; a.x"},
        /* every form */
        {"--count=5 a.x --time 2.5 -of --method=lbs b.x --size 30X40 -l", "5! 2.5 0 30x40 f 0:- 1 - 0; a.x b.x"},
        {"a.x -o f --count 0.5K --time 500ms --method LBS", "500! 0.5 0 8x9 f 0:- 0 - 0; a.x"},
        {"a.x -o f --count 1k --time 2s", "1000! 2 1 8x9 f 0:- 0 - 0; a.x"},
        {"a.x -o f --count 0.001M --time 2s", "1000! 2 1 8x9 f 0:- 0 - 0; a.x"},
        {"a.x -o=f --device 1 --validate", "7 0 1 8x9 f 0:- 0 1 1; a.x"},
        /* the ends of a range are in it */
        {"a.x -o f --count 1 --size 1x100 --time 0", "1! 0 1 1x100 f 0:- 0 - 0; a.x"},
        {"a.x -o f --count 1000 --size 100x1 --time 0", "1000! 0 1 100x1 f 0:- 0 - 0; a.x"},
        /* two dashes end the options */
        {"-o f -- --count -l", "7 0 1 8x9 f 0:- 0 - 0; --count -l"},
        /* the last one counts */
        {"a.x --count 400 -o f --count 20 --output g", "20! 0 1 8x9 g 0:- 0 - 0; a.x"},
        /* all settings, in their order; a name may hold '=' */
        {"x --set a=0.5 --set=b=c=-2 -s=a=1 -o f", "7 0 1 8x9 f 0:- 0 - 0; x a:0.5 b=c:-2 a:1"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        Parsed parsed;
        char text[200];
        parse(&parsed, &VERB, CASES[i].line);
        assert_int_equal(parsed.outcome, OPTIONS_RUN);
        describe(&parsed.arguments, text, sizeof text);
        assert_string_equal(text, CASES[i].parsed);
    }
}

/* Cameras, colours and series: all numbers of each. */
TEST(listsOfNumbersAreTaken) {
    static const struct {
        const char *line, *parsed;
    } CASES[] = {
        {"", "camera 0 0 0, colour 000000, series 0 0 0 0, frame 0 0"},
        {"--camera 30,-20", "camera 30 -20 0, colour 000000, series 0 0 0 0, frame 0 0"},
        {"--camera -90deg,89,2.5 --colour ff8000", "camera -90 89 2.5, colour ff8000, series 0 0 0 0, frame 0 0"},
        {"--camera=450,-89,1e-3 --colour=#0A0b0C", "camera 90 -89 0.001, colour 0a0b0c, series 0 0 0 0, frame 0 0"},
        {"--camera side --colour #1af", "camera 90 0 0, colour 11aaff, series 0 0 0 0, frame 0 0"},
        {"--camera Top,2 --colour White", "camera 0 89 2, colour ffffff, series 0 0 0 0, frame 0 0"},
        {"--camera right --colour brown", "camera -90 0 0, colour a52a2a, series 0 0 0 0, frame 0 0"},
        {"--colour none --series 0:0:30", "camera 0 0 0, colour ffffffff, series 0 30 0 1, frame 0 0"},
        /* the end of the range belongs to it, also for steps that no float holds */
        {"--series 0.5:1.5:10", "camera 0 0 0, colour 000000, series 0.5 10 0 11, frame 0 0"},
        {"--series 0:0.99:10", "camera 0 0 0, colour 000000, series 0 10 0 10, frame 0 0"},
        {"--series 0:9999:1", "camera 0 0 0, colour 000000, series 0 1 0 10000, frame 0 0"},
        {"--series 0.5:1.5:10:4 --frame 7", "camera 0 0 0, colour 000000, series 0.9 10 4 7, frame 7 0"},
        {"--series 0:1:2:2 --frame 12@29.97fps", "camera 0 0 0, colour 000000, series 1 2 2 1, frame 12 29.97"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        Parsed parsed;
        char line[80], text[160];
        snprintf(line, sizeof line, "a.x -o f %s", CASES[i].line);
        parse(&parsed, &VERB, line);
        assert_int_equal(parsed.outcome, OPTIONS_RUN);
        const OptionCamera *camera = &parsed.arguments.values[T_CAMERA].camera;
        const OptionSeries *series = &parsed.arguments.values[T_SERIES].series;
        snprintf(text, sizeof text, "camera %g %g %g, colour %06x, series %g %g %u %u, frame %g %g", camera->azimuth,
                 camera->elevation, camera->distance, parsed.arguments.values[T_COLOUR].colour, series->from,
                 series->perSecond, series->first, series->count, parsed.arguments.values[T_FRAME].number,
                 parsed.arguments.values[T_FRAME].rate);
        assert_string_equal(text, CASES[i].parsed);
    }
}

#define CAMERA_WANTED                                                                                                  \
    "--camera takes front, back, left, right, side, top or bottom, or AZIMUTH,ELEVATION in degrees (ELEVATION -89 to " \
    "89), each with [,DISTANCE] above 0, not "
#define COLOUR_WANTED "--colour takes RRGGBB or RGB in hexadecimal digits, the name of a colour, or none, not "
#define SERIES_WANTED                                                                                                  \
    "--series takes FROM:TO:FPS[:FIRST]: seconds from 0 up, FPS above 0, at most 10000 pictures, FIRST one of them, "  \
    "from 0, not "
#define TIME_WANTED  "--time takes a number, 0 and up, with or without 's', not "
#define FRAME_WANTED "--frame takes N or N@FPSfps: N from 0 up, FPS above 0, not "

static void expectWrong(Parsed *parsed, const Verb *verb, const char *line, const char *message) {
    parse(parsed, verb, line);
    assert_string_equal(parsed->message, message);
    assert_int_equal(parsed->outcome, OPTIONS_WRONG);
}

/* One more than there is room for. */
TEST(tooManySettingsAreRefused) {
    Parsed parsed;
    char line[sizeof parsed.line] = "";
    for (size_t i = 0; i <= OPTION_SETTINGS_MAX; i++) {
        memcpy(line + 6 * i, "-sa=1 ", 7);
    }
    expectWrong(&parsed, &VERB, line, "--set is given more than 256 times");
    assert_int_equal(parsed.arguments.settingCount, OPTION_SETTINGS_MAX);
}

TEST(helpComesBeforeWhatIsMissing) {
    Parsed parsed;
    parse(&parsed, &VERB, "--count 3 --help");
    assert_int_equal(parsed.outcome, OPTIONS_HELP);
    parse(&parsed, &VERB, "-h");
    assert_int_equal(parsed.outcome, OPTIONS_HELP);
}

/* Wrong command lines and the whole of what is said about each. */
TEST(wrongOnesAreNamed) {
    static const struct {
        const char *line, *message;
    } CASES[] = {
        {"a.x --camera 30", CAMERA_WANTED "'30'"},
        {"a.x --camera 30,90", CAMERA_WANTED "'30,90'"},
        {"a.x --camera 30,-89.5", CAMERA_WANTED "'30,-89.5'"},
        {"a.x --camera 30,2,0", CAMERA_WANTED "'30,2,0'"},
        {"a.x --camera 30,2,1,1", CAMERA_WANTED "'30,2,1,1'"},
        {"a.x --camera 30:2", CAMERA_WANTED "'30:2'"},
        {"a.x --camera 30,", CAMERA_WANTED "'30,'"},
        {"a.x --camera nan,0", CAMERA_WANTED "'nan,0'"},
        {"a.x --camera top,0", CAMERA_WANTED "'top,0'; did you mean 'top'?"},
        {"a.x --camera topp", CAMERA_WANTED "'topp'; did you mean 'top'?"},
        {"a.x --colour ffff", COLOUR_WANTED "'ffff'"},
        {"a.x --colour wihte", COLOUR_WANTED "'wihte'; did you mean 'white'?"},
        {"a.x --colour 12345g", COLOUR_WANTED "'12345g'"},
        {"a.x --colour +12345", COLOUR_WANTED "'+12345'"},
        {"a.x --colour none1", COLOUR_WANTED "'none1'; did you mean 'none'?"},
        {"a.x --series 0:1", SERIES_WANTED "'0:1'"},
        {"a.x --series 1:0:30", SERIES_WANTED "'1:0:30'"},
        {"a.x --series -1:0:30", SERIES_WANTED "'-1:0:30'"},
        {"a.x --series 0:1:0", SERIES_WANTED "'0:1:0'"},
        {"a.x --series 0:10000:1", SERIES_WANTED "'0:10000:1'"},
        {"a.x --series 0:1e300:1e300", SERIES_WANTED "'0:1e300:1e300'"},
        {"a.x --series 0:1:10:11", SERIES_WANTED "'0:1:10:11'"},
        {"a.x --series 0:1:10:0.5", SERIES_WANTED "'0:1:10:0.5'"},
        {"a.x --frame -1", FRAME_WANTED "'-1'"},
        {"a.x --frame 1.5", FRAME_WANTED "'1.5'"},
        {"a.x --frame 12@0", FRAME_WANTED "'12@0'"},
        {"a.x --frame 12fps", FRAME_WANTED "'12fps'"},
        {"a.x --count 1.5M", "--count takes a whole number, 1 to 1000, not '1.5M'"},
        {"a.x --count 1.2.3k", "--count takes a whole number, 1 to 1000, not '1.2.3k'"},
        {"a.x --count 1-2k", "--count takes a whole number, 1 to 1000, not '1-2k'"},
        {"a.x --count 0.1234k", "--count takes a whole number, 1 to 1000, not '0.1234k'"},
        {"a.x --count k", "--count takes a whole number, 1 to 1000, not 'k'"},
        {"a.x --cuont 3", "no option '--cuont'; did you mean '--count'?"},
        {"a.x --cuont=3", "no option '--cuont'; did you mean '--count'?"},
        {"a.x --meth lbs", "no option '--meth'; did you mean '--method'?"},
        {"a.x -count 3", "no option '-count'; did you mean '--count'?"},
        {"a.x -output=f", "no option '-output'; did you mean '--output'?"},
        {"a.x --deivce 3", "no option '--deivce'; did you mean '--device'?"},
        {"a.x --zzzzzz", "no option '--zzzzzz'; see 'vkskin try --help'"},
        {"a.x -z", "no option '-z'; see 'vkskin try --help'"},
        {"a.x -o f --count", "--count needs a value: N"},
        {"a.x -o", "-o needs a value: FILE"},
        {"a.x -o --loud", "-o needs a value: FILE"},
        {"a.x --output=", "-o takes a value, not ''"},
        {"a.x --loud=yes", "--loud takes no value"},
        {"a.x --count 0", "--count takes a whole number, 1 to 1000, not '0'"},
        {"a.x --count 1001", "--count takes a whole number, 1 to 1000, not '1001'"},
        {"a.x --count -1", "--count takes a whole number, 1 to 1000, not '-1'"},
        {"a.x --count 1.5", "--count takes a whole number, 1 to 1000, not '1.5'"},
        {"a.x --count 99999999999999999999", "--count takes a whole number, 1 to 1000, not '99999999999999999999'"},
        {"a.x --time nan", TIME_WANTED "'nan'"},
        {"a.x --time inf", TIME_WANTED "'inf'"},
        {"a.x --time -0.5", TIME_WANTED "'-0.5'"},
        {"a.x --time 1m", TIME_WANTED "'1m'"},
        {"a.x --method lbq", "--method takes lbs or dqs, not 'lbq'; did you mean 'lbs'?"},
        {"a.x --method what", "--method takes lbs or dqs, not 'what'"},
        {"a.x --set a", "-s takes NAME=NUMBER, not 'a'"},
        {"a.x --set =1", "-s takes NAME=NUMBER, not '=1'"},
        {"a.x --set=a=", "-s takes NAME=NUMBER, not 'a='"},
        {"a.x --set=a=nan", "-s takes NAME=NUMBER, not 'a=nan'"},
        {"a.x -sa=1e39", "-s takes NAME=NUMBER, not 'a=1e39'"},
        {"a.x -sa=1x", "-s takes NAME=NUMBER, not 'a=1x'"},
        {"a.x -s", "-s needs a value: NAME=W"},
        {"a.x --size 12", "--size takes WIDTHxHEIGHT, each 1 to 100, not '12'"},
        {"a.x --size 0x5", "--size takes WIDTHxHEIGHT, each 1 to 100, not '0x5'"},
        {"a.x --size 5x101", "--size takes WIDTHxHEIGHT, each 1 to 100, not '5x101'"},
        {"a.x --size 5x5x5", "--size takes WIDTHxHEIGHT, each 1 to 100, not '5x5x5'"},
        {"a.x --shape a.stl", "--shape needs a name that ends in .obj or .ply, not 'a.stl'"},
        {"a.x --shape obj", "--shape needs a name that ends in .obj or .ply, not 'obj'"},
        {"a.x --shape folder.obj/file", "--shape needs a name that ends in .obj or .ply, not 'folder.obj/file'"},
        {"-o f", "no MODEL given; see 'vkskin try --help'"},
        {"a.x", "-o FILE is required"},
        {"a.x b.x c.x", "'c.x' is one MODEL too many"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        Parsed parsed;
        expectWrong(&parsed, &VERB, CASES[i].line, CASES[i].message);
    }
}

TEST(deviceOptionsAreOnlyWhereTaken) {
    static const Verb BARE = {.name = "bare", .summary = "s", .usage = ""};
    Parsed parsed;
    expectWrong(&parsed, &BARE, "--device=1", "no option '--device'; see 'vkskin bare --help'");
    expectWrong(&parsed, &BARE, "a.x", "'a.x' is not expected: this verb takes no operand");
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
        assert_true(strlen(line) <= 80);
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

/* A name in any case, unless two names differ in case alone; near ones of a wrong name, the nearest first. */
TEST(namesIgnoreCase) {
    static char again[] = "Idle"; /* the same text at another place */
    const struct { const char *name; } clips[] = {{"Walk"}, {"RUN"}, {"run"}, {"Wave"}, {"Idle"}, {again}};
    static const struct {
        const char *name;
        uint32_t index;
        const char *hint;
    } CASES[] = {
        {"walk", 0, "did you mean 'Walk' or 'Wave'?"},
        {"run", 2, "did you mean 'RUN' or 'run'?"},
        {"RUN", 1, "did you mean 'RUN' or 'run'?"},
        {"Run", 6, "did you mean 'RUN' or 'run'?"},
        {"idle", 4, "did you mean 'Idle'?"},
        {"wavk", 6, "did you mean 'Walk' or 'Wave'?"},
        {"walkabout", 6, "none is near"},
        {"", 6, "none is near"},
    };
    const Names names = NAMES_OF(clips, COUNT_OF(clips)), none = {0};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        char hint[NAME_HINT_SIZE];
        assert_int_equal(nameFind(&names, CASES[i].name), CASES[i].index);
        nameHint(hint, &names, CASES[i].name, "none is near");
        assert_string_equal(hint, CASES[i].hint);
    }
    assert_int_equal(nameFind(&none, "walk"), 0);
}

/* What the file states, else the step between keys, if all keys are on it; television's rates are not whole. */
TEST(ratesComeFromKeys) {
    static const struct {
        float times[4];
        double rate;
    } CASES[] = {
        {{0.0f, 1.0f / 30, 4.0f / 30, 1.0f}, 30.0},
        {{0.0f, 0.1f, 0.2f, 0.5f}, 10.0},
        {{0.0f, 0.5f, 1.0f, 1.25f}, 0.0}, /* poses, not frames */
        {{100.0f, 100.0416667f, 100.125f, 102.0f}, 24.0},
        {{0.0f, 1001.0f / 30000, 20020.0f / 30000, 30030.0f / 30000}, 30000.0 / 1001},
        {{0.0f, 0.1f, 0.25f, 1.0f}, 0.0}, /* 0.25 is between two steps of 0.1 */
        {{0.0f, 0.0f, 0.0f, 0.0f}, 0.0},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        VkskinTrack track = {.keyCount = 4, .times = CASES[i].times};
        const ModelClip clip = {.trackCount = 1, .tracks = &track};
        const ModelClip stated = {.trackCount = 1, .tracks = &track, .framesPerSecond = 12.5f};
        assert_float_equal(momentRate(&clip), CASES[i].rate, 1e-3);
        assert_float_equal(momentRate(&stated), 12.5, 0.0);
    }
}

TEST(numbersAreReadable) {
    char text[QUANTITY_SIZE];
    assert_string_equal(QUANTITY(0), "0");
    assert_string_equal(QUANTITY(999), "999");
    assert_string_equal(QUANTITY(1000), "1,000");
    assert_string_equal(QUANTITY(UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(quantityScaled(text, 0.0, "B/s"), "0 B/s");
    assert_string_equal(quantityScaled(text, 12.345, "B/s"), "12.3 B/s");
    assert_string_equal(quantityScaled(text, 999.97, ""), "1.00 k");
    assert_string_equal(quantityScaled(text, 1234567.0, "vertices/s"), "1.23 Mvertices/s");
    assert_string_equal(quantityScaled(text, 4.3e15, "B/s"), "4300 TB/s");
}
