/*
 * desk.h: a display of the test's own (Xvfb), and a user who sits at it. There is no window manager: the desk plays
 * its part where one is needed. Failures fail the running test.
 */
#ifndef TESTS_DESK_H
#define TESTS_DESK_H

#include <X11/Xlib.h>
#include <stdint.h>

#include "child.h"

typedef struct Desk {
    Child server;
    Display *display;
    Window window; /* the one that is being looked at */
    Time time;     /* time of the last event sent */
} Desk;

/* Starts Xvfb on a free display number and sets DISPLAY. Fails the test where there is no Xvfb. */
void deskOpen(Desk *desk);
void deskClose(Desk *desk);

/* Waits until the program shows a window, and looks at it from then on. */
void deskFindWindow(Desk *desk, Child *program, double seconds);

/* Waits until the window's title holds `text`. */
void deskExpectTitle(Desk *desk, Child *program, const char *text, double seconds);

/* Presses and releases a key of the window. */
void deskKey(Desk *desk, KeySym key);

/* Holds button `number` (1 left, 2 middle, 3 right) while the pointer goes from the window's middle by (dx, dy) pixels. */
void deskDrag(Desk *desk, unsigned number, int dx, int dy);

/* The same from a place of the window. */
void deskDragFrom(Desk *desk, unsigned number, int x, int y, int dx, int dy);

/* Turns the wheel: positive steps away from the user. */
void deskWheel(Desk *desk, int steps);

void deskResize(Desk *desk, unsigned width, unsigned height);

/* Asks the program to close the window, as a title bar's button does. */
void deskCloseWindow(Desk *desk);

/* What a window manager does when a user minimises the window, and when they bring it back. */
void deskMinimise(Desk *desk);
void deskRestore(Desk *desk);

/* What is on the screen in the window's place. */
typedef struct DeskPicture {
    uint32_t width, height;
    uint8_t *pixels; /* [height][width][3], red first */
} DeskPicture;

DeskPicture deskGrab(Desk *desk);

uint32_t pictureColours(const DeskPicture *picture);

/* Share of the pixels, 0 to 1, whose red, green or blue differs by more than `tolerance`. Both have the same size. */
double pictureDifference(const DeskPicture *a, const DeskPicture *b, int tolerance);

/* Waits until the window is of this size and the screen shows as many colours in it as a picture does. */
void deskExpectPicture(Desk *desk, Child *program, uint32_t width, uint32_t height, double seconds);

#endif
