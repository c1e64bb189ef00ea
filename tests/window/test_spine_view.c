/*
 * `vkskin view` of a 2D character: a picture of 200 x 150 around the target of an arm of two bones, which lies in the
 * middle of the window.
 */

#include <X11/keysym.h>

#include "bench.h"
#include "test.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

#define PAGE 64 /* pixels of its sides */

static const char ATLAS[] = "page.png\nsize: 64, 64\nall\nbounds: 0, 0, 64, 64\n";

/* With ' for ". The arm's parts are 50 x 12. */
static const char SKELETON[] =
    "{'skeleton': {'spine': '4.2.0', 'width': 200, 'height': 150},"
    "'bones': [{'name': 'root'}, {'name': 'body', 'parent': 'root'},"
    "{'name': 'upper', 'parent': 'root', 'x': -50, 'length': 50},"
    "{'name': 'lower', 'parent': 'upper', 'x': 50, 'length': 50}, {'name': 'hand', 'parent': 'root'}],"
    "'slots': [{'name': 'body', 'bone': 'body', 'attachment': 'all'},"
    "{'name': 'upper', 'bone': 'upper', 'attachment': 'all', 'color': 'ff4040ff'},"
    "{'name': 'lower', 'bone': 'lower', 'attachment': 'all', 'color': '40ff40ff'}],"
    "'ik': [{'name': 'k', 'bones': ['upper', 'lower'], 'target': 'hand'}],"
    "'skins': [{'name': 'default', 'attachments': {'body': {'all': {'width': 200, 'height': 150}},"
    "'upper': {'all': {'x': 25, 'width': 50, 'height': 12}}, 'lower': {'all': {'x': 25, 'width': 50, 'height': 12}}}},"
    "{'name': 'small', 'attachments': {'body': {'all': {'path': 'all', 'width': 100, 'height': 75}}}}],"
    "'animations': {'slide': {'bones': {'body': {'translate': [{}, {'time': 1, 'x': 40}]}}},"
    "'turn': {'bones': {'body': {'rotate': [{}, {'time': 2, 'value': 90}]}}}}}";

static void writeSkeleton(Bench *bench) {
    char text[sizeof SKELETON];
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = (char)(SKELETON[i] == '\'' ? '"' : SKELETON[i]);
    }
    folderWrite(&bench->folder, "arm.json", text);
}

/* A skeleton, an atlas and a page of many colours in the folder. */
static void writeFiles(Bench *bench) {
    uint8_t pixels[PAGE * PAGE][4];
    for (unsigned i = 0; i < PAGE * PAGE; i++) {
        const unsigned x = i % PAGE, y = i / PAGE;
        const uint8_t texel[4] = {(uint8_t)(4 * x), (uint8_t)(4 * y), (uint8_t)(255 - 2 * x - 2 * y), 255};
        memcpy(pixels[i], texel, sizeof texel);
    }
    assert_true(stbi_write_png(folderFile(&bench->folder, "page.png"), PAGE, PAGE, 4, pixels, 4 * PAGE) != 0);
    folderWrite(&bench->folder, "arm.atlas", ATLAS);
    writeSkeleton(bench);
    bench->model = folderFile(&bench->folder, "arm.json");
    if (!bench->desk.display) {
        deskOpen(&bench->desk);
    }
}

static void start(Bench *bench, const char *const *more) {
    writeFiles(bench);
    startProgram(bench, more);
    awaitPicture(bench);
}
#define START_SPINE(bench, ...) start(bench, (const char *const[]){__VA_ARGS__, NULL})

static void expectTitle(Bench *bench, const char *text) {
    deskExpectTitle(&bench->desk, &bench->program, text, SOON);
}

/* With both systems and backends: the picture of `render`, bit by bit, on the screen and in the file. */
FIXTURE_TEST(showsThePictureOfRender) {
    static const char *const SYSTEMS[][2] = {{"compute", "compute"}, {"compute", "cpu"}, {"uniform-2d", NULL}};
    Bench *bench = *state;
    for (size_t i = 0; i < COUNT_OF(SYSTEMS); i++) {
        bench->backend = SYSTEMS[i][1];
        START_SPINE(bench, "--clip", "none", "--paused", "--system", SYSTEMS[i][0], "--show", "mesh+joints", "-o",
                    bench->screenshot, "--force");
        deskKey(&bench->desk, XK_t);
        childLetRun(&bench->program, 0.5);
        DeskPicture screen = deskGrab(&bench->desk);
        escape(bench);
        assertSilent(bench);
        DeskPicture file = readScreenshot(bench, WIDTH, HEIGHT);
        childStart(&bench->program, (const char *const[]){VIEW_COMMAND, "render", bench->model, "--clip", "none",
                                                          "--system", SYSTEMS[i][0], "--show", "mesh+joints", "--size",
                                                          SIZE, "-o", bench->screenshot, "--force", NULL});
        assertEnds(bench, 0);
        DeskPicture rendered = readScreenshot(bench, WIDTH, HEIGHT);
        assert_true(pictureDifference(&screen, &file, 0) == 0.0);
        assert_true(pictureDifference(&file, &rendered, 0) == 0.0);
        free(screen.pixels);
        free(file.pixels);
        free(rendered.pixels);
    }
}

FIXTURE_TEST(obeysKeys) {
    static const struct {
        KeySym key;
        const char *title;
    } KEYS[] = {
        {NoSymbol, "arm.json | clip 0 of 0 to 1: slide"},
        {XK_Right, "clip 1 of 0 to 1: turn"},
        {XK_bracketright, "clip 0 of 0 to 1: slide"},
        {XK_Left, "clip 1 of 0 to 1: turn"},
        {XK_bracketleft, "clip 0 of 0 to 1: slide"},
        {XK_b, "slide, 25 % of turn"},
        {XK_b, "slide, 50 % of turn"},
        {XK_s, "| skin small"},
        {XK_equal, "| x2"},
        {XK_minus, " fps"},
        {XK_minus, "| x0.5"},
        {XK_space, "| x0.5 | paused"},
    };
    Bench *bench = *state;
    START_SPINE(bench, "--show", "mesh+wireframe");
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (KEYS[i].key != NoSymbol) {
            deskKey(&bench->desk, KEYS[i].key);
        }
        expectTitle(bench, KEYS[i].title);
    }
    assertSilent(bench);
    deskKey(&bench->desk, XK_h);
    childExpect(&bench->program, "left drag: pan, or pull the target of an IK constraint", SOON);
    childExpect(&bench->program, "closes the window\n", SOON);
    escape(bench);
}

FIXTURE_TEST(runsEveryAction) {
    Bench *bench = *state;
    writeFiles(bench);
    bench->model = "arm.json";
    folderWrite(&bench->folder, "machine.json",
                "{\"parameters\": {\"speed\": 0}, \"states\": [{\"name\": \"a\", \"clip\": \"turn\"}]}");
    runEveryAction(bench, (const char *const[]){"--machine", "machine.json", NULL});
}

/* While the clock is paused: a key changes at least so much of the picture, and another one brings the first one back. */
FIXTURE_TEST(keysChangeThePicture) {
    static const struct {
        KeySym there, back;
        double least;
    } KEYS[] = {
        {XK_w, XK_w, 0.005}, {XK_j, XK_j, 0.0005}, {XK_t, XK_t, 0.0005}, {XK_s, XK_s, 0.1}, {XK_Right, XK_Left, 0.0},
    };
    Bench *bench = *state;
    START_SPINE(bench, "--paused");
    DeskPicture first = deskGrab(&bench->desk);
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        deskKey(&bench->desk, KEYS[i].there);
        expectChange(bench, &first, KEYS[i].least, 1.0);
        deskKey(&bench->desk, KEYS[i].back);
        expectChange(bench, &first, 0.0, 0.0);
    }
    /* The mesh is the last thing that is shown: it stays; beside the wireframe it goes. */
    deskKey(&bench->desk, XK_m);
    childLetRun(&bench->program, 0.3);
    assert_true(screenChange(bench, &first) == 0.0);
    deskKey(&bench->desk, XK_w);
    deskKey(&bench->desk, XK_m);
    expectChange(bench, &first, 0.3, 1.0);
    deskKey(&bench->desk, XK_m);
    deskKey(&bench->desk, XK_w);
    expectChange(bench, &first, 0.0, 0.0);
    /* A step moves the clip. */
    deskKey(&bench->desk, XK_period);
    expectChange(bench, &first, 0.01, 1.0);
    free(first.pixels);
    escape(bench);
    assertSilent(bench);
}

/* The share of green pixels, which only the lower part of the arm has. */
static double greenShare(Bench *bench, int *left, int *top) {
    DeskPicture now = deskGrab(&bench->desk);
    size_t count = 0;
    *left = (int)now.width;
    *top = (int)now.height;
    for (size_t i = 0; i < (size_t)now.width * now.height; i++) {
        const uint8_t *p = now.pixels + 3 * i;
        if (p[1] > 2 * p[0] && p[1] > 2 * p[2]) {
            count++;
            *left = (int)(i % now.width) < *left ? (int)(i % now.width) : *left;
            *top = (int)(i / now.width) < *top ? (int)(i / now.width) : *top;
        }
    }
    free(now.pixels);
    return (double)count / (WIDTH * HEIGHT);
}

/* A drag that begins on the target pulls it, and the arm follows; any other one moves the camera. */
FIXTURE_TEST(pullsTheTarget) {
    Bench *bench = *state;
    Desk *desk = &bench->desk;
    START_SPINE(bench, "--clip", "none", "--paused");
    int left, top, pulledLeft, pulledTop;
    DeskPicture first = deskGrab(desk);
    assert_true(greenShare(bench, &left, &top) > 0.001);
    deskDrag(desk, 1, 40, -60);
    expectChange(bench, &first, 0.01, 0.2); /* the body stays: the camera has not moved */
    assert_true(greenShare(bench, &pulledLeft, &pulledTop) > 0.001);
    assert_true(pulledTop < top - 20);
    deskKey(desk, XK_k);
    expectChange(bench, &first, 0.0, 0.0);
    deskKey(desk, XK_t); /* what is not shown is not pulled */
    DeskPicture plain = deskGrab(desk);
    while (screenChange(bench, &first) == 0.0) {
        childLetRun(&bench->program, 0.05);
    }
    free(plain.pixels);
    plain = deskGrab(desk);
    deskDrag(desk, 1, 40, -30);
    expectChange(bench, &plain, 0.3, 1.0);
    deskDrag(desk, 1, -40, 30);
    expectChange(bench, &plain, 0.0, 0.01);
    assertSilent(bench);                   /* drags pick nothing */
    deskDragFrom(desk, 1, 103, 153, 0, 0); /* clicks on the upper arm, then below the lower arm */
    childExpect(&bench->program, "picked: slot 'upper', region 'all', bone 'upper'\n", SOON);
    deskDragFrom(desk, 1, 103, 87, 0, 0);
    childExpect(&bench->program, "picked: slot 'body', region 'all', bone 'body'\n", SOON);
    free(plain.pixels);
    free(first.pixels);
    escape(bench);
}

FIXTURE_TEST(pansAndZooms) {
    Bench *bench = *state;
    Desk *desk = &bench->desk;
    START_SPINE(bench, "--clip", "none", "--paused");
    DeskPicture first = deskGrab(desk);
    for (int way = 1; way >= -1; way -= 2) { /* there, then back */
        const double low = way > 0 ? 0.3 : 0.0, high = way > 0 ? 1.0 : 0.01;
        deskDrag(desk, 3, 50 * way, 20 * way);
        expectChange(bench, &first, low, high);
    }
    for (int way = 1; way >= -1; way -= 2) {
        deskWheel(desk, 3 * way);
        expectChange(bench, &first, way > 0 ? 0.1 : 0.0, way > 0 ? 1.0 : 0.01);
    }
    deskDrag(desk, 2, 70, 0);
    deskWheel(desk, -4);
    expectChange(bench, &first, 0.3, 1.0);
    deskKey(desk, XK_r);
    expectChange(bench, &first, 0.0, 0.0);
    /* A running clock shows another picture. */
    deskKey(desk, XK_Right);
    deskKey(desk, XK_space);
    expectChange(bench, &first, 0.05, 1.0);
    free(first.pixels);
    escape(bench);
    assertSilent(bench);
}

FIXTURE_TEST(followsItsSize) {
    Bench *bench = *state;
    START_SPINE(bench, "-o", bench->screenshot);
    resizeToAPixel(bench);
    endAfterResizes(bench, 10);
}

FIXTURE_TEST(readsAChangedFile) {
    Bench *bench = *state;
    START_SPINE(bench, "--clip", "turn", "--paused");
    DeskPicture first = deskGrab(&bench->desk);
    folderReplace(&bench->folder, "arm.json", "\"width\": 200, \"height\": 150}}", "\"width\": 90, \"height\": 70}}");
    childExpect(&bench->program, "/arm.json: reloaded\n", SOON);
    expectChange(bench, &first, 0.3, 1.0);
    expectTitle(bench, "clip 1 of 0 to 1: turn");
    DeskPicture second = deskGrab(&bench->desk);
    childForget(&bench->program);
    folderReplace(&bench->folder, "arm.json", "\"4.2.0\"", "\"3.8.0\"");
    childExpect(&bench->program, "Spine 3.8.0 is not read; 4.0, 4.1 and 4.2 are; the old character stays\n", SOON);
    expectChange(bench, &second, 0.0, 0.0);
    childForget(&bench->program);
    writeSkeleton(bench);
    childExpect(&bench->program, "/arm.json: reloaded\n", SOON);
    expectChange(bench, &first, 0.0, 0.0);
    free(second.pixels);
    free(first.pixels);
    escape(bench);
}
