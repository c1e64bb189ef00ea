/*
 * `vkskin view` as a user has it: a window on a display, a mouse, a keyboard, an editor that changes shaders.
 * The validation layer is on throughout: the program fails when it speaks.
 */

#include <X11/keysym.h>
#include <unistd.h>

#include "bench.h"
#include "scratch.h"
#include "test.h"

/* ---- Presenting ---- */

FIXTURE_TEST(presentsFramesAndEnds) {
    Bench *bench = *state;
    START_VIEW(bench, "--frames", "30", "-o", bench->screenshot);
    assert_int_equal(childWait(&bench->program, START), 0);
    assertSilent(bench);
    expectScreenshot(bench, WIDTH, HEIGHT);
}

/* Whatever format the driver lists first, the screen gets the bytes of the picture. */
FIXTURE_TEST(screenAndScreenshotAreTheSame) {
    Bench *bench = *state;
    SHOW_VIEW(bench, "--paused", "-o", bench->screenshot);
    childLetRun(&bench->program, 0.5);
    DeskPicture screen = deskGrab(&bench->desk);
    escape(bench);
    DeskPicture file = readScreenshot(bench, WIDTH, HEIGHT);
    assert_true(pictureDifference(&screen, &file, 0) == 0.0);
    /* The sky is light, and known: an encoding done twice or not at all would shift it. */
    for (int c = 0; c < 3; c++) {
        assert_in_range(file.pixels[c], 140, 215);
    }
    free(file.pixels);
    free(screen.pixels);
}

/* With each backend, which the title shows. */
FIXTURE_TEST(showsACrowdOfTwoModels) {
    static const char *const BACKENDS[] = {"compute", "cpu"};
    Bench *bench = *state;
    deskOpen(&bench->desk);
    for (int i = 0; i < 2; i++) {
        char title[32];
        snprintf(title, sizeof title, " by %s", BACKENDS[i]);
        bench->backend = BACKENDS[i];
        START_PROGRAM(bench, VIEW_OTHER_MODEL, "--count", "6", "--method", "dqs", "-o", bench->screenshot);
        awaitPicture(bench);
        deskExpectTitle(&bench->desk, &bench->program, title, SOON);
        escape(bench);
        expectScreenshot(bench, WIDTH, HEIGHT);
    }
}

/* Skinned in the vertex shader: the title shows the system, and the method is its own. */
FIXTURE_TEST(showsASystem) {
    static const char *const SYSTEMS[] = {"texture-qt", "uniform-matrix"};
    Bench *bench = *state;
    bench->backend = NULL;
    deskOpen(&bench->desk);
    for (int i = 0; i < 2; i++) {
        char title[32];
        snprintf(title, sizeof title, " by %s", SYSTEMS[i]);
        START_PROGRAM(bench, "--count", "3", "--system", SYSTEMS[i], "-o", bench->screenshot);
        awaitPicture(bench);
        deskExpectTitle(&bench->desk, &bench->program, title, SOON);
        deskKey(&bench->desk, XK_m);
        childLetRun(&bench->program, 0.5);
        deskExpectTitle(&bench->desk, &bench->program, title, SOON);
        escape(bench);
        expectScreenshot(bench, WIDTH, HEIGHT);
    }
}

/* By at most two values in a channel. */
FIXTURE_TEST(formatsLookAlike) {
    static const char *const FORMATS[] = {"packed", "snorm10"};
    DeskPicture pictures[2];
    Bench *bench = *state;
    deskOpen(&bench->desk);
    for (int i = 0; i < 2; i++) {
        START_PROGRAM(bench, "--paused", "--vertex-format", FORMATS[i], "-o", bench->screenshot);
        awaitPicture(bench);
        escape(bench);
        assertSilent(bench);
        pictures[i] = readScreenshot(bench, WIDTH, HEIGHT);
    }
    assert_true(pictureDifference(&pictures[0], &pictures[1], 2) == 0.0);
    assert_true(pictureDifference(&pictures[0], &pictures[1], 0) > 0.0);
    free(pictures[0].pixels);
    free(pictures[1].pixels);
}

/* ---- The window's size ---- */

FIXTURE_TEST(followsItsSize) {
    Bench *bench = *state;
    SHOW_VIEW(bench, "--show", "mesh+motion", "-o", bench->screenshot);
    resizeToAPixel(bench);
    deskResize(&bench->desk, 90, 400);
    deskExpectPicture(&bench->desk, &bench->program, 90, 400, SOON);
    endAfterResizes(bench, 20);
}

/* Minimised it draws nothing and uses next to no processor; brought back, it goes on. */
FIXTURE_TEST(restsWhileMinimised) {
    Bench *bench = *state;
    SHOW_VIEW(bench, "--frames", "1000000");
    deskMinimise(&bench->desk);
    childLetRun(&bench->program, 1.0);
    double before = childProcessorTime(&bench->program);
    childLetRun(&bench->program, 2.0);
    double used = childProcessorTime(&bench->program) - before;
    if (used > 0.3) {
        fail_msg("minimised it used %.2f seconds of processor time in 2", used);
    }
    deskRestore(&bench->desk);
    deskExpectPicture(&bench->desk, &bench->program, WIDTH, HEIGHT, SOON);
    before = childProcessorTime(&bench->program);
    childLetRun(&bench->program, 1.0);
    assert_true(childProcessorTime(&bench->program) - before > 0.02);
    deskMinimise(&bench->desk);
    childLetRun(&bench->program, 0.5);
    deskCloseWindow(&bench->desk);
    assertEnds(bench, 0);
    assertSilent(bench);
}

FIXTURE_TEST(hasNoScreenshotOfWhatIsMinimised) {
    Bench *bench = *state;
    SHOW_VIEW(bench, "-o", bench->screenshot);
    deskMinimise(&bench->desk);
    childLetRun(&bench->program, 0.5);
    deskCloseWindow(&bench->desk);
    assertEnds(bench, 1);
    assert_string_equal(bench->program.text, "vkskin view: no picture: the window was minimised when it was closed\n");
    assert_int_equal(access(bench->screenshot, F_OK), -1);
}

/* ---- The user ---- */

FIXTURE_TEST(obeysKeys) {
    static const struct {
        KeySym key;
        const char *title;
    } KEYS[] = {
        {NoSymbol, "Testwuson.X | clip 1 of 0 to 2"},
        {XK_Right, "clip 2 of 0 to 2"},
        {XK_bracketright, "clip 0 of 0 to 2"},
        {XK_bracketleft, "clip 2 of 0 to 2"},
        {XK_Left, "clip 1 of 0 to 2"},
        {XK_m, "| dual quaternions"},
        {XK_m, "| scaled dual quaternions"},
        {XK_m, "| linear blend"},
        {XK_b, "clip 1 of 0 to 2: Wuson_Walk, 25 % of Wuson_Bind"},
        {XK_b, "50 % of "},
        {XK_space, "| paused"},
    };
    Bench *bench = *state;
    Desk *desk = &bench->desk;
    bench->backend = "compute";
    SHOW_VIEW(bench, "--clip", "1");
    deskExpectTitle(desk, &bench->program, " fps", SOON);
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (KEYS[i].key != NoSymbol) {
            deskKey(desk, KEYS[i].key);
        }
        deskExpectTitle(desk, &bench->program, KEYS[i].title, SOON);
    }
    assertSilent(bench);
    deskKey(desk, XK_h);
    childExpect(&bench->program, "left drag: turn; wheel: zoom; right or middle drag: pan;", SOON);
    childExpect(&bench->program, "closes the window\n", SOON);
    escape(bench);
}

FIXTURE_TEST(runsEveryAction) {
    Bench *bench = *state;
    deskOpen(&bench->desk);
    bench->model = VIEW_FACE;
    folderWrite(&bench->folder, "machine.json",
                "{\"parameters\": {\"speed\": 0}, \"states\": [{\"name\": \"a\", \"clip\": \"talk\"}]}");
    runEveryAction(bench, (const char *const[]){"--machine", "machine.json", NULL});
}

FIXTURE_TEST(refusesWrongValues) {
    static const struct {
        const char *script, *line;
    } ROWS[] = {
        {"clip Wuson_Wlak\n", "1: 'clip' finds no 'Wuson_Wlak'; did you mean 'Wuson_Walk'?"},
        {"clip 0\nmodel 1\n", "2: 'model' finds no '1'; 'vkskin info' lists them"},
        {"clip none\npick 0.5,1.5\n", "2: '0.5,1.5' is not X,Y: two shares of the picture, 0 to 1"},
        {"parameter =1\n", "1: '=1' is not NAME=NUMBER"},
        {"background ggg\n", "1: 'ggg' is no colour, such as 404040, or none"},
    };
    Bench *bench = *state;
    deskOpen(&bench->desk);
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        expectRefusal(bench, ROWS[i].script, ROWS[i].line);
    }
}

/* Behind `model` the names are those of another model, which the first one does not have. */
FIXTURE_TEST(namesAreOfTheChosenModel) {
    Bench *bench = *state;
    deskOpen(&bench->desk);
    runScript(bench, "model BCN_Epileptic.X\nclip Epileptisch\nwait 1\nend\n",
              (const char *const[]){VIEW_OTHER_MODEL, NULL});
}

/* The chain of the first file is none of the file that is opened. */
FIXTURE_TEST(opensWithoutSprings) {
    Bench *bench = *state;
    deskOpen(&bench->desk);
    runScript(bench, "open builtin:strip\nwait 1\nend\n", (const char *const[]){"--spring", "Tail01", NULL});
}

/* A frame is 1/60 s, whatever it takes: 15 frames after the first picture the clip is at 16/60 s. */
FIXTURE_TEST(scriptsAreRepeatable) {
    Bench *bench = *state;
    DeskPicture pictures[4];
    deskOpen(&bench->desk);
    for (int i = 0; i < 2; i++) {
        runScript(
            bench,
            "clip Wuson_Walk\npicture 0.png\nwait 15\npicture 15.png\npause\ntime 0.266667\npicture 15b.png\nend\n",
            (const char *const[]){NULL});
        for (int k = 0; k < 2; k++) {
            snprintf(bench->screenshot, sizeof bench->screenshot, "%s", k == 0 ? "0.png" : "15.png");
            pictures[2 * i + k] = readScreenshot(bench, SCRIPT_WIDTH, SCRIPT_HEIGHT);
        }
    }
    snprintf(bench->screenshot, sizeof bench->screenshot, "15b.png");
    DeskPicture again = readScreenshot(bench, SCRIPT_WIDTH, SCRIPT_HEIGHT);
    assert_true(pictureDifference(&pictures[0], &pictures[2], 0) == 0.0);
    assert_true(pictureDifference(&pictures[1], &pictures[3], 0) == 0.0);
    assert_true(pictureDifference(&pictures[0], &pictures[1], 2) > 0.005);
    assert_true(pictureDifference(&pictures[1], &again, 2) < 0.003);
    for (int i = 0; i < 4; i++) {
        free(pictures[i].pixels);
    }
    free(again.pixels);
}

/* The side that is seen is the bright one where the sun is; there is an additive clip, and nothing reaches. */
FIXTURE_TEST(actionsChangeThePicture) {
    static const char *const names[] = {"near.png", "far.png", "solvers.png", "additive.png"};
    Bench *bench = *state;
    DeskPicture pictures[4];
    unsigned long sums[4] = {0};
    deskOpen(&bench->desk);
    runScript(bench,
              "side\npause\ntime 0.2\nlight-azimuth 90\npicture near.png\nlight-azimuth -90\npicture far.png\n"
              "solvers\npicture solvers.png\nadditive\npicture additive.png\nend\n",
              (const char *const[]){"--add-clip", "Wuson_Run:0.5", NULL});
    for (int i = 0; i < 4; i++) {
        snprintf(bench->screenshot, sizeof bench->screenshot, "%s", names[i]);
        pictures[i] = readScreenshot(bench, SCRIPT_WIDTH, SCRIPT_HEIGHT);
        for (size_t k = 0; k < (size_t)3 * SCRIPT_WIDTH * SCRIPT_HEIGHT; k++) {
            sums[i] += pictures[i].pixels[k];
        }
    }
    print_message("brightness: %lu and %lu\n", sums[0], sums[1]);
    assert_true(sums[0] > sums[1] + sums[1] / 200);
    assert_true(pictureDifference(&pictures[1], &pictures[2], 0) == 0.0);
    assert_true(pictureDifference(&pictures[2], &pictures[3], 2) > 0.005);
    for (int i = 0; i < 4; i++) {
        free(pictures[i].pixels);
    }
}

/* It falls where it stood in its clip, and comes back. */
FIXTURE_TEST(aCharacterLeavesTheCrowdToFall) {
    static const char *const NAMES[] = {"stands.png", "begins.png", "lies.png"};
    Bench *bench = *state;
    DeskPicture pictures[3];
    deskOpen(&bench->desk);
    runScript(bench,
              "speed 4\nwait 5\npick 0.5,0.5\nwait 4\nbone none\npause\npicture stands.png\ncollapse\nwait 1\n"
              "picture begins.png\npause\nwait 11\npicture lies.png\npick 0,0\nwait 4\ncollapse\nwait 7\nend\n",
              (const char *const[]){"--system", "crowd", "--count", "1", NULL});
    assert_non_null(strstr(bench->program.text, "character 0 falls"));
    assert_non_null(strstr(bench->program.text, "character 0 stands up"));
    for (int i = 0; i < 3; i++) {
        snprintf(bench->screenshot, sizeof bench->screenshot, "%s", NAMES[i]);
        pictures[i] = readScreenshot(bench, SCRIPT_WIDTH, SCRIPT_HEIGHT);
    }
    assert_true(pictureDifference(&pictures[0], &pictures[1], 8) < 0.002);
    assert_true(pictureDifference(&pictures[0], &pictures[2], 8) > 0.02);
    for (int i = 0; i < 3; i++) {
        free(pictures[i].pixels);
    }
}

FIXTURE_TEST(obeysTheMouse) {
    Bench *bench = *state;
    Desk *desk = &bench->desk;
    SHOW_VIEW(bench, "--paused");
    DeskPicture first = deskGrab(desk);
    for (int way = 1; way >= -1; way -= 2) { /* there, then back */
        const double low = way > 0 ? 0.05 : 0.0, high = way > 0 ? 1.0 : 0.01;
        deskDrag(desk, 1, 60 * way, 20 * way);
        expectChange(bench, &first, low, high);
    }
    deskDrag(desk, 3, 40, 10);
    expectChange(bench, &first, 0.05, 1.0);
    deskDrag(desk, 2, -40, -10);
    expectChange(bench, &first, 0.0, 0.01);
    for (int way = 1; way >= -1; way -= 2) {
        deskWheel(desk, 3 * way);
        expectChange(bench, &first, way > 0 ? 0.05 : 0.0, way > 0 ? 1.0 : 0.01);
    }
    deskDrag(desk, 1, 100, 0);
    deskWheel(desk, -5);
    expectChange(bench, &first, 0.05, 1.0);
    deskKey(desk, XK_r);
    expectChange(bench, &first, 0.0, 0.0);

    /* A paused clock shows the same picture. A running clock shows another one. */
    childLetRun(&bench->program, 0.5);
    assert_true(screenChange(bench, &first) == 0.0);
    deskKey(desk, XK_space);
    expectChange(bench, &first, 0.01, 1.0);
    free(first.pixels);
    escape(bench);
    assertSilent(bench);
}

/* ---- The panels ---- */

#define PANELS_X SCRIPT_WIDTH
#define PANELS_Y SCRIPT_HEIGHT

/* Share of the pixels of columns left to right - 1, above `bottom`, that differ from `before`. */
static double changeIn(Bench *bench, const DeskPicture *before, uint32_t left, uint32_t right, uint32_t bottom) {
    DeskPicture now = deskGrab(&bench->desk);
    size_t different = 0;
    for (uint32_t y = 0; y < bottom; y++) {
        for (uint32_t x = left; x < right; x++) {
            const size_t at = 3 * ((size_t)y * before->width + x);
            different += memcmp(now.pixels + at, before->pixels + at, 3) != 0;
        }
    }
    free(now.pixels);
    return (double)different / ((right - left) * bottom);
}

/* Waits until so much of these columns has changed. */
static void awaitChange(Bench *bench, const DeskPicture *before, uint32_t left, uint32_t right, double least) {
    const double end = childNow() + SOON;
    while (changeIn(bench, before, left, right, PANELS_Y - 60) < least) {
        assert_true(childNow() < end);
        childLetRun(&bench->program, 0.1);
    }
}

/*
 * A press on the time line pauses. The wheel and drags on the side panel leave the picture as it is; drags on the picture turn it,
 * a click on it selects a bone. Tab hides the panels.
 */
FIXTURE_TEST(panelsTakeTheMouse) {
    Bench *bench = *state;
    Desk *desk = &bench->desk;
    START_VIEW(bench, "--size", "800x600");
    deskFindWindow(desk, &bench->program, START);
    deskExpectPicture(desk, &bench->program, PANELS_X, PANELS_Y, START);
    deskDragFrom(desk, 1, 67, PANELS_Y - 30, 0, 0);
    deskExpectTitle(desk, &bench->program, "| paused", SOON);
    deskDragFrom(desk, 1, PANELS_X - 20, 8, 0, 0); /* the mouse rests where nothing is */
    childLetRun(&bench->program, 1.0);
    DeskPicture picture = deskGrab(desk);
    assert_true(pictureColours(&picture) > 1000);
    deskDragFrom(desk, 1, PANELS_X - 20, 8, -100, 0);
    deskDragFrom(desk, 3, PANELS_X - 20, 8, 0, 100);
    deskDragFrom(desk, 2, PANELS_X - 20, 8, 0, 0);
    deskWheel(desk, 3);
    childLetRun(&bench->program, 1.0);
    assert_true(changeIn(bench, &picture, 0, PANELS_X - 300, PANELS_Y - 60) == 0.0);
    deskDragFrom(desk, 1, 200, 200, 60, 20);
    awaitChange(bench, &picture, 0, PANELS_X - 300, 0.05);
    childLetRun(&bench->program, 1.0);
    free(picture.pixels);
    picture = deskGrab(desk);
    assertSilent(bench);                                                    /* drags pick nothing */
    deskDragFrom(desk, 1, (PANELS_X - 300) / 2, (PANELS_Y - 60) / 2, 0, 0); /* clicks select bones, which are painted */
    childExpect(&bench->program, "picked: character 0, node '", SOON);
    awaitChange(bench, &picture, 0, PANELS_X - 300, 0.01);
    deskKey(desk, XK_Tab);
    awaitChange(bench, &picture, PANELS_X - 300, PANELS_X, 0.95);
    free(picture.pixels);
    deskKey(desk, XK_c);
    childExpect(&bench->program, "character 0 falls\n", SOON);
    deskKey(desk, XK_c);
    childExpect(&bench->program, "character 0 stands up\n", SOON);
    escape(bench);
}

/* ---- The editor ---- */

#define OUTPUT_LINE "colour = display("

/* Replaces `from` in crowd.frag of a copy of the shaders. */
static void edit(const Folder *shaders, const char *from, const char *to) {
    folderReplace(shaders, "raster/crowd.frag", from, to);
}

static bool isRed(Bench *bench) {
    DeskPicture now = deskGrab(&bench->desk);
    size_t red = 0;
    for (size_t i = 0; i < (size_t)now.width * now.height; i++) {
        const uint8_t *p = now.pixels + 3 * i;
        red += p[0] == 255 && p[1] == 0 && p[2] == 0;
    }
    free(now.pixels);
    return red > WIDTH * HEIGHT / 50;
}

static void assertRed(Bench *bench, bool wanted) {
    double end = childNow() + SOON;
    while (isRed(bench) != wanted) {
        assert_true(childNow() < end);
        childLetRun(&bench->program, 0.1);
    }
}

FIXTURE_TEST(reloadsShaders) {
    Bench *bench = *state;
    Folder shaders = folderCopyShaders(VIEW_SHADERS);
    SHOW_VIEW(bench, "--paused", "--shaders", shaders.path);
    assertRed(bench, false);

    edit(&shaders, OUTPUT_LINE, "colour = vec4(1.0, 0.0, 0.0, 1.0) + 0.0 * display(");
    childExpect(&bench->program, "/raster/crowd.frag: reloaded\n", SOON);
    assertRed(bench, true);
    /* What was compiled at the start is no change. */
    assert_int_equal(childCount(&bench->program, "reloaded"), 1);
    assert_int_equal(childCount(&bench->program, "error"), 0);

    /* An error is printed once, with file and line, and the former shader stays. */
    childForget(&bench->program);
    edit(&shaders, "void main() {\n", "void main() {\n    missing();\n");
    char line[1024];
    char *text = readWhole(folderFile(&shaders, "raster/crowd.frag"), NULL);
    int number = 1;
    for (char *c = text; c < strstr(text, "    missing();"); c++) {
        number += *c == '\n';
    }
    free(text);
    snprintf(line, sizeof line, "%s/raster/crowd.frag:%d: error: 'missing'", shaders.path, number);
    childExpect(&bench->program, line, SOON);
    assertRed(bench, true);
    assert_int_equal(childCount(&bench->program, "error:"), 1);
    assert_int_equal(childCount(&bench->program, "reloaded"), 0);

    /* The cure is taken. */
    edit(&shaders, "    missing();\n", "");
    edit(&shaders, "vec4(1.0, 0.0, 0.0, 1.0) + 0.0 * ", "");
    childExpect(&bench->program, "/raster/crowd.frag: reloaded\n", SOON);
    assertRed(bench, false);
    escape(bench);
    removeFolder(shaders.path);
}

FIXTURE_TEST(startsWithABrokenShader) {
    Bench *bench = *state;
    Folder shaders = folderCopyShaders(VIEW_SHADERS);
    edit(&shaders, "void main() {\n", "void main() {\n    missing();\n");
    START_VIEW(bench, "--frames", "10", "--shaders", shaders.path);
    int status = childWait(&bench->program, START);
    removeFolder(shaders.path);
    assert_int_equal(status, 0);
    assert_int_equal(childCount(&bench->program, "raster/crowd.frag:"), 1);
    assert_int_equal(childCount(&bench->program, ": error: 'missing'"), 1);
    assert_int_equal(childCount(&bench->program, "validation"), 0);
}

/* The file of the model is changed, broken and mended; the vertices are on the screen, the instances stay. */
static void reloadModels(Bench *bench, const char *system, const char *clip) {
    const Folder *folder = &bench->folder;
    char *original = readWhole(VIEW_FACE, NULL);
    folderWrite(folder, "face.gltf", original);
    bench->model = folderFile(folder, "face.gltf");
    SHOW_VIEW(bench, "--paused", "--system", system, "--clip", clip, "--count", "2");
    DeskPicture first = deskGrab(&bench->desk);

    folderReplace(folder, "face.gltf", "\"POSITION\": 0", "\"POSITION\": 4");
    childExpect(&bench->program, "/face.gltf: reloaded\n", SOON);
    expectChange(bench, &first, 0.001, 1.0);
    DeskPicture second = deskGrab(&bench->desk);

    childForget(&bench->program);
    folderReplace(folder, "face.gltf", "\"asset\"", "asset");
    childExpect(&bench->program, "; the old model stays\n", SOON);
    folderWrite(folder, "face.gltf", original);
    folderReplace(folder, "face.gltf", ",\n    2\n", "\n");
    childExpect(&bench->program, "/face.gltf: it has other meshes than before; the old model stays\n", SOON);
    childLetRun(&bench->program, 2.0);
    assert_int_equal(childCount(&bench->program, "; the old model stays"), 2); /* once each */
    assert_int_equal(childCount(&bench->program, "reloaded"), 0);
    expectChange(bench, &second, 0.0, 0.0);

    folderWrite(folder, "face.gltf", original);
    childExpect(&bench->program, "/face.gltf: reloaded\n", SOON);
    expectChange(bench, &first, 0.0, 0.0);
    folderReplace(folder, "face.gltf", "\"byteOffset\": 228", "\"byteOffset\": 108"); /* offset of the weights */
    childExpect(&bench->program, "1 of 6 vertices have weights that do not sum to one", SOON);
    escape(bench);
    free(second.pixels);
    free(first.pixels);
    free(original);
}

FIXTURE_TEST(reloadsModels) {
    reloadModels(*state, "compute", "none");
}

FIXTURE_TEST(reloadsModelsWithKernels) {
    Bench *bench = *state;
    bench->backend = "compute";
    reloadModels(bench, "compute", "none");
}

FIXTURE_TEST(reloadsModelsOfACrowdOnTheDevice) {
    Bench *bench = *state;
    bench->backend = "compute";
    reloadModels(bench, "crowd", "talk");
}

/* ---- Refusals ---- */

FIXTURE_TEST(refusesAFolderWithoutShaders) {
    Bench *bench = *state;
    START_VIEW(bench, "--shaders", "/no/such/folder");
    assert_int_equal(childWait(&bench->program, START), 1);
    assert_string_equal(bench->program.text,
                        "vkskin view: /no/such/folder: no shader folder: it has no folder raster\n");
}

FIXTURE_TEST(refusesToWorkWithoutADriver) {
    Bench *bench = *state;
    char *driver = strdup(getenv("VK_DRIVER_FILES"));
    deskOpen(&bench->desk);
    setenv("VK_DRIVER_FILES", "/no/such/driver.json", 1);
    START_PROGRAM(bench, "--frames", "1");
    setenv("VK_DRIVER_FILES", driver, 1);
    free(driver);
    assert_int_equal(childWait(&bench->program, START), 1);
    assert_string_equal(bench->program.text, "vkskin view: no Vulkan device: the loader found no driver that works\n");
}
