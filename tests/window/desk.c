#include "desk.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>

#include "test.h"

#define SERVER_SECONDS  30.0
#define PICTURE_COLOURS 200u

/* ---- The display ---- */

/* A window may go while it is being looked at: such an error ends nothing. */
static int ignoreError(Display *display, XErrorEvent *error) {
    (void)display;
    (void)error;
    return 0;
}

/* The number that the server prints on a line of its own, maybe after warnings; -1 while there is none. */
static int displayNumber(const char *text) {
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        size_t digits = strspn(line, "0123456789");
        if (digits > 0 && line[digits] == '\n') {
            return atoi(line);
        }
        if (!strchr(line, '\n')) {
            break;
        }
    }
    return -1;
}

void deskOpen(Desk *desk) {
    /* The server picks a free number and prints it, once it can be connected to. */
    static const char *const arguments[] = {"Xvfb",         "-displayfd", "1",   "-screen",  "0",
                                            "1280x1024x24", "-nolisten",  "tcp", "-noreset", NULL};
    *desk = (Desk){.time = 1};
    childStart(&desk->server, arguments);
    double end = childNow() + SERVER_SECONDS;
    while (displayNumber(desk->server.text) < 0) {
        if (childNow() > end) {
            fail_msg("Xvfb does not say which display it has: %s", desk->server.text);
        }
        childLetRun(&desk->server, 0.05);
    }
    char name[32];
    snprintf(name, sizeof name, ":%d", displayNumber(desk->server.text));
    setenv("DISPLAY", name, 1);
    desk->display = XOpenDisplay(name);
    assert_non_null(desk->display);
    XSetErrorHandler(ignoreError);
}

void deskClose(Desk *desk) {
    if (desk->display) {
        XCloseDisplay(desk->display);
    }
    childKill(&desk->server);
    unsetenv("DISPLAY");
}

/* ---- The window ---- */

static Window findShown(Desk *desk) {
    Window root, parent, *windows = NULL, found = None;
    unsigned count = 0;
    if (!XQueryTree(desk->display, DefaultRootWindow(desk->display), &root, &parent, &windows, &count)) {
        return None;
    }
    for (unsigned i = 0; i < count; i++) {
        XWindowAttributes attributes;
        if (XGetWindowAttributes(desk->display, windows[i], &attributes) && attributes.map_state == IsViewable) {
            found = windows[i];
        }
    }
    XFree(windows);
    return found;
}

void deskFindWindow(Desk *desk, Child *program, double seconds) {
    double end = childNow() + seconds;
    for (desk->window = None; desk->window == None; desk->window = findShown(desk)) {
        assert_true(childNow() < end);
        childLetRun(program, 0.05);
    }
}

static bool titleHolds(Desk *desk, const char *text) {
    char *title = NULL;
    bool holds = XFetchName(desk->display, desk->window, &title) && title && strstr(title, text);
    XFree(title);
    return holds;
}

void deskExpectTitle(Desk *desk, Child *program, const char *text, double seconds) {
    double end = childNow() + seconds;
    while (!titleHolds(desk, text)) {
        if (childNow() > end) {
            char *title = NULL;
            XFetchName(desk->display, desk->window, &title);
            childKill(program);
            fail_msg("the title is \"%s\" and does not hold \"%s\"", title ? title : "", text);
        }
        childLetRun(program, 0.05);
    }
}

/* ---- The user ---- */

static void send(Desk *desk, XEvent event, long mask) {
    event.xany.display = desk->display;
    event.xany.window = desk->window;
    XSendEvent(desk->display, desk->window, False, mask, &event);
    XSync(desk->display, False);
}

void deskKey(Desk *desk, KeySym key) {
    const KeyCode code = XKeysymToKeycode(desk->display, key);
    const Window root = DefaultRootWindow(desk->display);
    assert_true(code != 0);
    for (int type = KeyPress; type <= KeyRelease; type++) {
        send(desk,
             (XEvent){.xkey = {.type = type, .root = root, .time = ++desk->time, .keycode = code, .same_screen = True}},
             type == KeyPress ? KeyPressMask : KeyReleaseMask);
    }
}

static void button(Desk *desk, unsigned number, int type) {
    XEvent event = {.xbutton = {.type = type,
                                .root = DefaultRootWindow(desk->display),
                                .time = ++desk->time,
                                .button = number,
                                .same_screen = True}};
    send(desk, event, type == ButtonPress ? ButtonPressMask : ButtonReleaseMask);
}

void deskDragFrom(Desk *desk, unsigned number, int x, int y, int dx, int dy) {
    XWarpPointer(desk->display, None, desk->window, 0, 0, 0, 0, x, y);
    button(desk, number, ButtonPress);
    for (int step = 1; step <= 4; step++) {
        XWarpPointer(desk->display, None, desk->window, 0, 0, 0, 0, x + dx * step / 4, y + dy * step / 4);
    }
    button(desk, number, ButtonRelease);
}

void deskDrag(Desk *desk, unsigned number, int dx, int dy) {
    XWindowAttributes attributes;
    assert_true(XGetWindowAttributes(desk->display, desk->window, &attributes));
    deskDragFrom(desk, number, attributes.width / 2, attributes.height / 2, dx, dy);
}

void deskWheel(Desk *desk, int steps) {
    unsigned number = steps > 0 ? 4 : 5;
    for (int i = 0; i < abs(steps); i++) {
        button(desk, number, ButtonPress);
        button(desk, number, ButtonRelease);
    }
}

void deskResize(Desk *desk, unsigned width, unsigned height) {
    XResizeWindow(desk->display, desk->window, width, height);
    XSync(desk->display, False);
}

void deskCloseWindow(Desk *desk) {
    XEvent event = {.xclient = {.type = ClientMessage,
                                .message_type = XInternAtom(desk->display, "WM_PROTOCOLS", False),
                                .format = 32}};
    event.xclient.data.l[0] = (long)XInternAtom(desk->display, "WM_DELETE_WINDOW", False);
    send(desk, event, NoEventMask);
}

static void setState(Desk *desk, long state) {
    Atom property = XInternAtom(desk->display, "WM_STATE", False);
    long values[] = {state, None};
    XChangeProperty(desk->display, desk->window, property, property, 32, PropModeReplace, (const unsigned char *)values,
                    2);
    XSync(desk->display, False);
}

void deskMinimise(Desk *desk) {
    XUnmapWindow(desk->display, desk->window);
    setState(desk, IconicState);
}

void deskRestore(Desk *desk) {
    XMapWindow(desk->display, desk->window);
    setState(desk, NormalState);
}

/* ---- The screen ---- */

DeskPicture deskGrab(Desk *desk) {
    DeskPicture picture = {0};
    XWindowAttributes attributes;
    if (!XGetWindowAttributes(desk->display, desk->window, &attributes) || attributes.map_state != IsViewable) {
        return picture;
    }
    XImage *image = XGetImage(desk->display, desk->window, 0, 0, (unsigned)attributes.width,
                              (unsigned)attributes.height, AllPlanes, ZPixmap);
    if (!image) {
        return picture;
    }
    picture = (DeskPicture){.width = (uint32_t)image->width, .height = (uint32_t)image->height};
    picture.pixels = calloc((size_t)picture.width * picture.height, 3);
    assert_non_null(picture.pixels);
    uint8_t *pixel = picture.pixels;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            unsigned long value = XGetPixel(image, x, y);
            *pixel++ = (uint8_t)(value >> 16);
            *pixel++ = (uint8_t)(value >> 8);
            *pixel++ = (uint8_t)value;
        }
    }
    XDestroyImage(image);
    return picture;
}

uint32_t pictureColours(const DeskPicture *picture) {
    static uint8_t seen[1u << 21]; /* one bit for each colour */
    uint32_t found = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        const uint8_t *p = picture->pixels + 3 * i;
        const uint32_t colour = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        const uint8_t bit = (uint8_t)(1u << colour % 8);
        found += (seen[colour / 8] & bit) == 0;
        seen[colour / 8] |= bit;
    }
    return found;
}

double pictureDifference(const DeskPicture *a, const DeskPicture *b, int tolerance) {
    const size_t count = (size_t)a->width * a->height;
    size_t different = 0;
    assert_true(count > 0 && a->width == b->width && a->height == b->height);
    for (size_t i = 0; i < count; i++) {
        int most = 0;
        for (size_t c = 3 * i; c < 3 * i + 3; c++) {
            const int difference = abs(a->pixels[c] - b->pixels[c]);
            most = difference > most ? difference : most;
        }
        different += most > tolerance;
    }
    return (double)different / (double)count;
}

void deskExpectPicture(Desk *desk, Child *program, uint32_t width, uint32_t height, double seconds) {
    double end = childNow() + seconds;
    for (bool shown = false; !shown;) {
        DeskPicture picture = deskGrab(desk);
        uint32_t colours = pictureColours(&picture);
        shown = picture.width == width && picture.height == height && colours >= PICTURE_COLOURS;
        free(picture.pixels);
        if (!shown && childNow() > end) {
            childKill(program);
            fail_msg("the window is %u x %u with %u colours", picture.width, picture.height, colours);
        }
        childLetRun(program, 0.05);
    }
}
