/*
 * Hot reload: which shaders are compiled again after which change, and that each change is reported once.
 */

#include <unistd.h>

#include "folder.h"
#include "hot_reload.h"
#include "scratch.h"
#include "test.h"

static const char *const NAMES[] = {"one.vert", "two.frag"};

#define VERTEX  "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n"
#define CHANGED VERTEX "// changed\n"
#define FRAGMENT(included)                                                                                             \
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include " included "\n"                          \
    "layout(location = 0) out vec4 colour;\nvoid main() { colour = vec4(part()); }\n"
#define PART        "float part() { return 1.0; }\n"
#define BROKEN_PART "float part() {\n    return nothing;\n}\n"

typedef struct Bench {
    Folder folder;
    HotReload *reload;
} Bench;

static int setUp(void **state) {
    Bench *bench = calloc(1, sizeof *bench);
    EngineError error;
    assert_non_null(bench);
    bench->folder = folderCreate();
    folderWrite(&bench->folder, "raster/one.vert", VERTEX);
    folderWrite(&bench->folder, "raster/two.frag", FRAGMENT("\"part.glsl\""));
    folderWrite(&bench->folder, "raster/part.glsl", PART);
    bench->reload = hotReloadCreate(bench->folder.path, NAMES, 2, false, &error);
    assert_non_null(bench->reload);
    *state = bench;
    return 0;
}

static int tearDown(void **state) {
    Bench *bench = *state;
    hotReloadDestroy(bench->reload);
    removeFolder(bench->folder.path);
    free(bench);
    return 0;
}

/* changed: rather than compiled for the first time. */
static void assertCompiled(const Bench *bench, const char *name, bool changed) {
    HotReloadEvent event;
    assert_true(hotReloadNext(bench->reload, &event));
    assert_string_equal(event.name, name);
    assert_int_equal(event.changed, changed);
    assert_null(event.message);
    assert_non_null(event.words);
    assert_true(event.byteCount >= 20 && event.byteCount % 4 == 0);
}

/* The message begins with FOLDER/start. */
static void assertFailed(const Bench *bench, const char *name, const char *start) {
    const char *wanted = folderFile(&bench->folder, start);
    HotReloadEvent event;
    assert_true(hotReloadNext(bench->reload, &event));
    assert_string_equal(event.name, name);
    assert_null(event.words);
    assert_non_null(event.message);
    assert_int_equal(strncmp(event.message, wanted, strlen(wanted)), 0);
}

/* Two polls: the first sees a change, the second that it has settled. */
static void poll(const Bench *bench) {
    hotReloadPoll(bench->reload);
    hotReloadPoll(bench->reload);
}

static void assertQuiet(const Bench *bench) {
    HotReloadEvent event;
    poll(bench);
    assert_false(hotReloadNext(bench->reload, &event));
}

/* A change and the one event that follows. */
typedef struct Step {
    const char *file, *text; /* file null: no change; text null: the file is removed */
    const char *name;        /* name of the compiled shader; null: none */
    const char *error;       /* start of the error, or null */
} Step;

#define STEPS_MAX 4

static const struct {
    const char *what;
    Step steps[STEPS_MAX]; /* the rest is zero: nothing happens */
} SEQUENCES[] = {
    {"no change", {{0}}},
    {"a shader", {{"raster/one.vert", CHANGED, "one.vert", NULL}}},
    {"an include", {{"raster/part.glsl", "float part() { return 0.5; }\n", "two.frag", NULL}}},
    {"an error and its cure",
     {{"raster/part.glsl", BROKEN_PART, "two.frag", "raster/part.glsl:2: error: 'nothing'"},
      {"raster/one.vert", CHANGED, "one.vert", NULL},
      {"raster/part.glsl", PART, "two.frag", NULL}}},
    {"a missing include comes, in the other place where it is looked for",
     {{"raster/part.glsl", NULL, "two.frag", "raster/two.frag:3: error: '#include'"},
      {"part.glsl", PART, "two.frag", NULL}}},
    {"a new include in place of one that no shader includes then",
     {{"vkskin/new.glsl", PART, NULL, NULL},
      {"raster/two.frag", FRAGMENT("<vkskin/new.glsl>"), "two.frag", NULL},
      {"raster/part.glsl", BROKEN_PART, NULL, NULL},
      {"vkskin/new.glsl", BROKEN_PART, "two.frag", "vkskin/new.glsl:2: error: "}}},
    {"a shader goes and comes back",
     {{"raster/one.vert", NULL, "one.vert", "raster/one.vert: error: No such file or directory"},
      {"raster/one.vert", VERTEX, "one.vert", NULL}}},
};

static void run(const Bench *bench, const Step *step) {
    if (step->file && !step->text) {
        assert_int_equal(unlink(folderFile(&bench->folder, step->file)), 0);
    } else if (step->file) {
        folderWrite(&bench->folder, step->file, step->text);
    }
    poll(bench);
    if (step->error) {
        assertFailed(bench, step->name, step->error);
    } else if (step->name) {
        assertCompiled(bench, step->name, true);
    }
    assertQuiet(bench);
}

TEST(eachChangeIsReportedOnce) {
    for (size_t i = 0; i < COUNT_OF(SEQUENCES); i++) {
        void *bench;
        print_message("%s\n", SEQUENCES[i].what);
        setUp(&bench);
        for (size_t s = 0; s < STEPS_MAX; s++) {
            run(bench, &SEQUENCES[i].steps[s]);
        }
        tearDown(&bench);
    }
}

FIXTURE_TEST(waitsUntilAFileHasSettled) {
    Bench *bench = *state;
    HotReloadEvent event;
    for (int i = 0; i < 5; i++) {
        folderWrite(&bench->folder, "raster/one.vert", VERTEX);
        hotReloadPoll(bench->reload);
        assert_false(hotReloadNext(bench->reload, &event));
    }
    hotReloadPoll(bench->reload);
    assertCompiled(bench, "one.vert", true);
}

FIXTURE_TEST(compilesAllWhenAsked) {
    Bench *bench = *state;
    EngineError error;
    hotReloadDestroy(bench->reload);
    bench->reload = hotReloadCreate(bench->folder.path, NAMES, 2, true, &error);
    assert_non_null(bench->reload);
    assertCompiled(bench, "one.vert", false);
    assertCompiled(bench, "two.frag", false);
    assertQuiet(bench);
    run(bench, &(Step){"raster/one.vert", CHANGED, "one.vert", NULL});
}

FIXTURE_TEST(refusesWhatIsNoShaderFolder) {
    Bench *bench = *state;
    EngineError error;
    assert_null(hotReloadCreate("/no/such/folder", NAMES, 2, true, &error));
    assert_string_equal(error.message, "/no/such/folder: no shader folder: it has no folder raster");
    assert_null(hotReloadCreate(folderFile(&bench->folder, "raster"), NAMES, 2, true, &error));
    assert_non_null(strstr(error.message, "no shader folder"));
}
