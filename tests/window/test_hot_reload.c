/*
 * Hot reload: which shaders are compiled again after which change, and that each change is reported once.
 */

#include <unistd.h>

#include "folder.h"
#include "hot_reload.h"
#include "test.h"

static const char *const NAMES[] = {"one.vert", "two.frag"};

#define VERTEX "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n"
#define FRAGMENT                                                                                                       \
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"part.glsl\"\n"                         \
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
    folderWrite(&bench->folder, "raster/two.frag", FRAGMENT);
    folderWrite(&bench->folder, "raster/part.glsl", PART);
    bench->reload = hotReloadCreate(bench->folder.path, NAMES, 2, false, &error);
    assert_non_null(bench->reload);
    *state = bench;
    return 0;
}

static int tearDown(void **state) {
    Bench *bench = *state;
    hotReloadDestroy(bench->reload);
    folderRemove(&bench->folder);
    free(bench);
    return 0;
}

/* Two polls: the first sees a change, the second that it has settled. */
static void poll(const Bench *bench) {
    hotReloadPoll(bench->reload);
    hotReloadPoll(bench->reload);
}

static HotReloadEvent assertEvent(const Bench *bench, const char *name) {
    HotReloadEvent event;
    assert_true(hotReloadNext(bench->reload, &event));
    assert_string_equal(event.name, name);
    return event;
}

/* changed: rather than compiled for the first time. */
static void assertCompiledAs(const Bench *bench, const char *name, bool changed) {
    HotReloadEvent event = assertEvent(bench, name);
    assert_int_equal(event.changed, changed);
    assert_null(event.message);
    assert_non_null(event.words);
    assert_true(event.byteCount >= 20 && event.byteCount % 4 == 0);
}

static void assertCompiled(const Bench *bench, const char *name) {
    assertCompiledAs(bench, name, true);
}

static void assertFailed(const Bench *bench, const char *name, const char *start) {
    HotReloadEvent event = assertEvent(bench, name);
    const char *wanted = folderFile(&bench->folder, start);
    assert_null(event.words);
    assert_non_null(event.message);
    assert_int_equal(strncmp(event.message, wanted, strlen(wanted)), 0);
}

static void assertQuiet(const Bench *bench) {
    HotReloadEvent event;
    poll(bench);
    assert_false(hotReloadNext(bench->reload, &event));
}

FIXTURE_TEST(isQuietWithoutChange) {
    Bench *bench = *state;
    assertQuiet(bench);
    assertQuiet(bench);
}

FIXTURE_TEST(compilesWhatChanged) {
    Bench *bench = *state;
    folderWrite(&bench->folder, "raster/one.vert", VERTEX "// changed\n");
    poll(bench);
    assertCompiled(bench, "one.vert");
    assertQuiet(bench);
}

FIXTURE_TEST(compilesWhatIncludesWhatChanged) {
    Bench *bench = *state;
    folderWrite(&bench->folder, "raster/part.glsl", "float part() { return 0.5; }\n");
    poll(bench);
    assertCompiled(bench, "two.frag");
    assertQuiet(bench);
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
    assertCompiled(bench, "one.vert");
}

FIXTURE_TEST(tellsAnErrorOnceAndSeesTheCure) {
    Bench *bench = *state;
    folderWrite(&bench->folder, "raster/part.glsl", BROKEN_PART);
    poll(bench);
    assertFailed(bench, "two.frag", "raster/part.glsl:2: error: 'nothing'");
    assertQuiet(bench);
    folderWrite(&bench->folder, "raster/one.vert", VERTEX "// changed\n");
    poll(bench);
    assertCompiled(bench, "one.vert");
    assertQuiet(bench);
    folderWrite(&bench->folder, "raster/part.glsl", PART);
    poll(bench);
    assertCompiled(bench, "two.frag");
    assertQuiet(bench);
}

FIXTURE_TEST(seesAMissingIncludeCome) {
    Bench *bench = *state;
    assert_int_equal(unlink(folderFile(&bench->folder, "raster/part.glsl")), 0);
    poll(bench);
    assertFailed(bench, "two.frag", "raster/two.frag:3: error: '#include'");
    assertQuiet(bench);
    folderWrite(&bench->folder, "part.glsl", PART); /* in the other place where it is looked for */
    poll(bench);
    assertCompiled(bench, "two.frag");
}

FIXTURE_TEST(seesNewIncludes) {
    Bench *bench = *state;
    folderWrite(&bench->folder, "vkskin/new.glsl", PART);
    folderReplace(&bench->folder, "raster/two.frag", "\"part.glsl\"", "<vkskin/new.glsl>");
    poll(bench);
    assertCompiled(bench, "two.frag");
    folderWrite(&bench->folder, "raster/part.glsl", BROKEN_PART); /* no shader includes it now */
    assertQuiet(bench);
    folderWrite(&bench->folder, "vkskin/new.glsl", BROKEN_PART);
    poll(bench);
    assertFailed(bench, "two.frag", "vkskin/new.glsl:2: error: ");
}

FIXTURE_TEST(outlivesAFileThatGoes) {
    Bench *bench = *state;
    assert_int_equal(unlink(folderFile(&bench->folder, "raster/one.vert")), 0);
    poll(bench);
    assertFailed(bench, "one.vert", "raster/one.vert: error: No such file or directory");
    assertQuiet(bench);
    folderWrite(&bench->folder, "raster/one.vert", VERTEX);
    poll(bench);
    assertCompiled(bench, "one.vert");
}

FIXTURE_TEST(compilesAllWhenAsked) {
    Bench *bench = *state;
    EngineError error;
    hotReloadDestroy(bench->reload);
    bench->reload = hotReloadCreate(bench->folder.path, NAMES, 2, true, &error);
    assert_non_null(bench->reload);
    assertCompiledAs(bench, "one.vert", false);
    assertCompiledAs(bench, "two.frag", false);
    assertQuiet(bench);
    folderWrite(&bench->folder, "raster/one.vert", VERTEX "// changed\n");
    poll(bench);
    assertCompiled(bench, "one.vert");
}

FIXTURE_TEST(refusesWhatIsNoShaderFolder) {
    Bench *bench = *state;
    EngineError error;
    assert_null(hotReloadCreate("/no/such/folder", NAMES, 2, true, &error));
    assert_string_equal(error.message, "/no/such/folder: no shader folder: it has no folder raster");
    assert_null(hotReloadCreate(folderFile(&bench->folder, "raster"), NAMES, 2, true, &error));
    assert_non_null(strstr(error.message, "no shader folder"));
}
