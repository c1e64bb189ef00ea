/*
 * bench.h: a desk, `vkskin view` at work on it with the validation layer on, and a folder for what it reads and writes.
 * Failures fail the running test.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include "desk.h"
#include "folder.h"

#define WIDTH  320
#define HEIGHT 240
#define SIZE   "320x240"
#define START  60.0 /* seconds that a program may take to show its first picture, or to end */
#define SOON   20.0 /* and to answer after that */

typedef struct Bench {
    Desk desk;
    Child program;
    Folder folder;
    char screenshot[96];
    uint32_t colours;            /* that a picture has at least */
    const char *backend, *model; /* that the program is started with */
} Bench;

/* For FIXTURE_TEST: the state is a Bench with the backend cpu, which starts faster, and the model VIEW_MODEL. */
int setUp(void **state);
int tearDown(void **state);

/* Starts `vkskin view MODEL --validate --size SIZE [--backend BACKEND] ...`; the list ends with null. */
void startProgram(Bench *bench, const char *const *more);
#define START_PROGRAM(bench, ...) startProgram(bench, (const char *const[]){__VA_ARGS__, NULL})

/* The same, on a display. */
#define START_VIEW(bench, ...) (deskOpen(&(bench)->desk), START_PROGRAM(bench, __VA_ARGS__))

/* Waits until the picture is on the screen. */
void awaitPicture(Bench *bench);
#define SHOW_VIEW(bench, ...) (START_VIEW(bench, __VA_ARGS__), awaitPicture(bench))

/* The program must end by itself with this status, and the layer must have been silent. */
void assertEnds(Bench *bench, int status);

/* It has printed nothing. */
void assertSilent(const Bench *bench);

/* The user ends the program, which must succeed. */
void escape(Bench *bench);

/* The screenshot, of this size and a picture. The caller frees its pixels. */
DeskPicture readScreenshot(const Bench *bench, int width, int height);
void expectScreenshot(const Bench *bench, int width, int height);

/* The window has a size that its picture must take, then that of one pixel. */
void resizeToAPixel(Bench *bench);

/* Many sizes in quick succession; the picture must take the last one, and the screenshot at the end have it. */
void endAfterResizes(Bench *bench, unsigned count);

#define SCRIPT_WIDTH  800 /* pixels of the window: it has panels */
#define SCRIPT_HEIGHT 600

/* Runs the program with a script, which must end it; the desk is open. Its folder is where pictures go from now on. */
void runScript(Bench *bench, const char *script, const char *const *more);

/* The script is refused before there is a window: one line. */
void expectRefusal(Bench *bench, const char *script, const char *line);

/*
 * Runs every action that the program lists, each with the value of its example and a frame behind it. Words and keys are
 * unique. The last action opens a model in place of what is shown: the picture view.png is of before, opened.png of after.
 */
void runEveryAction(Bench *bench, const char *const *more);

/* Share of the pixels that differ on the screen from `before`. */
double screenChange(Bench *bench, const DeskPicture *before);

/* Waits until the share of changed pixels is within [low, high]. */
void expectChange(Bench *bench, const DeskPicture *before, double low, double high);

#endif
