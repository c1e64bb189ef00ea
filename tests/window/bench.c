#include "bench.h"

#include <X11/keysym.h>
#include <unistd.h>

#include "scratch.h"
#include "test.h"

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

int setUp(void **state) {
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    *state = bench;
    bench->folder = folderCreate();
    snprintf(bench->screenshot, sizeof bench->screenshot, "%s/last.png", bench->folder.path);
    bench->backend = "cpu"; /* starts faster: no kernels are compiled */
    bench->model = VIEW_MODEL;
    bench->colours = 200;
    return 0;
}

int tearDown(void **state) {
    Bench *bench = *state;
    childKill(&bench->program);
    deskClose(&bench->desk);
    assert_int_equal(chdir("/"), 0);
    removeFolder(bench->folder.path);
    free(bench);
    return 0;
}

#define ARGUMENTS_MAX 24
void startProgram(Bench *bench, const char *const *more) {
    const char *arguments[ARGUMENTS_MAX] = {VIEW_COMMAND, "view", bench->model, "--validate",
                                            "--size",     SIZE,   "--backend",  bench->backend};
    size_t count = bench->backend ? 8 : 6;
    for (size_t i = 0; more[i]; i++) {
        assert_true(count < ARGUMENTS_MAX - 1);
        arguments[count++] = more[i];
    }
    childStart(&bench->program, arguments);
}

void awaitPicture(Bench *bench) {
    deskFindWindow(&bench->desk, &bench->program, START);
    deskExpectPicture(&bench->desk, &bench->program, WIDTH, HEIGHT, START);
}

void assertEnds(Bench *bench, int status) {
    int found = childWait(&bench->program, START);
    if (found != status || childCount(&bench->program, "validation") > 0) {
        fail_msg("it ended with status %d, not %d, and printed:\n%s", found, status, bench->program.text);
    }
}

void assertSilent(const Bench *bench) {
    assert_string_equal(bench->program.text, "");
}

void escape(Bench *bench) {
    deskKey(&bench->desk, XK_Escape);
    assertEnds(bench, 0);
}

DeskPicture readScreenshot(const Bench *bench, int width, int height) {
    int w = 0, h = 0, channels = 0;
    DeskPicture picture = {.pixels = stbi_load(bench->screenshot, &w, &h, &channels, 3)};
    if (!picture.pixels) {
        fail_msg("%s: %s", bench->screenshot, stbi_failure_reason());
    }
    assert_int_equal(w, width);
    assert_int_equal(h, height);
    picture.width = (uint32_t)w;
    picture.height = (uint32_t)h;
    assert_true(pictureColours(&picture) > bench->colours);
    return picture;
}

void expectScreenshot(const Bench *bench, int width, int height) {
    free(readScreenshot(bench, width, height).pixels);
}

void resizeToAPixel(Bench *bench) {
    deskResize(&bench->desk, 500, 300);
    deskExpectPicture(&bench->desk, &bench->program, 500, 300, SOON);
    deskResize(&bench->desk, 1, 1);
    childLetRun(&bench->program, 0.5);
}

void endAfterResizes(Bench *bench, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        deskResize(&bench->desk, 200 + 13 * i, 420 - 7 * i);
        childLetRun(&bench->program, 0.02);
    }
    deskResize(&bench->desk, 360, 270);
    deskExpectPicture(&bench->desk, &bench->program, 360, 270, SOON);
    deskCloseWindow(&bench->desk);
    assertEnds(bench, 0);
    assertSilent(bench);
    expectScreenshot(bench, 360, 270);
}

double screenChange(Bench *bench, const DeskPicture *before) {
    DeskPicture now = deskGrab(&bench->desk);
    double change = pictureDifference(&now, before, 2);
    free(now.pixels);
    return change;
}

void expectChange(Bench *bench, const DeskPicture *before, double low, double high) {
    double end = childNow() + SOON, change;
    while (change = screenChange(bench, before), change < low || change > high) {
        if (childNow() > end) {
            fail_msg("%.3f of the picture changed, expected %.3f to %.3f", change, low, high);
        }
        childLetRun(&bench->program, 0.1);
    }
}

/* ---- Scripts ---- */

#define LIST_LINES 128
#define KEYS_WIDTH 10 /* columns of the list of actions that hold keys */

void runScript(Bench *bench, const char *script, const char *const *more) {
    const char *all[ARGUMENTS_MAX] = {"--script", folderFile(&bench->folder, "script"), "--force", "--size", "800x600"};
    size_t count = 5;
    for (size_t i = 0; more[i]; i++) {
        assert_true(count < ARGUMENTS_MAX - 1);
        all[count++] = more[i];
    }
    assert_int_equal(chdir(bench->folder.path), 0);
    folderWrite(&bench->folder, "script", script);
    startProgram(bench, all);
    assertEnds(bench, 0);
    if (childCount(&bench->program, "vkskin view:") > 0) {
        fail_msg("it printed: %s", strstr(bench->program.text, "vkskin view:"));
    }
}

void expectRefusal(Bench *bench, const char *script, const char *line) {
    char whole[512];
    snprintf(whole, sizeof whole, "vkskin view: script:%s\n", line);
    assert_int_equal(chdir(bench->folder.path), 0);
    folderWrite(&bench->folder, "script", script);
    START_PROGRAM(bench, "--script", "script");
    assertEnds(bench, 1);
    assert_string_equal(bench->program.text, whole);
}

/* Fails if a word of the line is in `seen`, a list with a space before and after each; adds its words. */
static void addUnique(char *seen, size_t size, char *line) {
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        char spaced[64];
        snprintf(spaced, sizeof spaced, " %s ", word);
        if (strstr(seen, spaced)) {
            fail_msg("'%s' is there twice", word);
        }
        snprintf(seen + strlen(seen), size - strlen(seen), "%s ", word);
    }
}

void runEveryAction(Bench *bench, const char *const *more) {
    char keys[512] = " ", words[2048] = " ", script[8192] = "", *lines[LIST_LINES] = {NULL};
    size_t count = 0;
    runScript(bench, "help\nend\n", more);
    for (char *line = strtok(bench->program.text, "\n"); line && count < LIST_LINES; line = strtok(NULL, "\n")) {
        lines[count++] = line;
    }
    assert_in_range(count, 20, LIST_LINES - 1);
    for (size_t i = 1; i < count; i++) { /* the first line is about the mouse */
        char word[32] = "", example[64] = "";
        assert_true(strlen(lines[i]) > KEYS_WIDTH);
        char *end = strstr(lines[i] + KEYS_WIDTH, "  ");
        assert_non_null(end);
        *end = '\0';
        assert_true(sscanf(lines[i] + KEYS_WIDTH, "%31s %63s", word, example) >= 1);
        if (strcmp(word, "end") != 0 && strcmp(word, "open") != 0) {
            snprintf(script + strlen(script), sizeof script - strlen(script), "%s %s\nwait 1\n", word, example);
        }
        addUnique(words, sizeof words, word);
        lines[i][KEYS_WIDTH - 1] = '\0';
        addUnique(keys, sizeof keys, lines[i]);
    }
    snprintf(script + strlen(script), sizeof script - strlen(script),
             "open builtin:strip\nwait 2\npicture opened.png\nend\n");
    runScript(bench, script, more);
    bench->colours = 20; /* before a plain background */
    static const char *const pictures[] = {"view.png", "view-1.png", "opened.png"};
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        snprintf(bench->screenshot, sizeof bench->screenshot, "%s", pictures[i]);
        expectScreenshot(bench, SCRIPT_WIDTH, SCRIPT_HEIGHT);
    }
}
