#include "view_loop.h"

#include <math.h>

#include "measure.h"
#include "presenter.h"
#include "terminal.h"

/* Seconds. */
#define HIDDEN_WAIT  0.25
#define TITLE_PAUSE  0.5
#define LONGEST_STEP 0.1 /* maximum step of the clock, so that nothing jumps after a stall */

#define SPEED_MAX 16.0

typedef struct ViewLoop {
    const ViewLoopDef *def;
    Presenter presenter;
    ViewClock clock;
    double titled; /* time of the last title; 0: the title must be shown at once */
    uint64_t presented, presentedWhenTitled;
    Capture capture;
} ViewLoop;

static double secondsNow(void) {
    return measureNow() * 1e-3;
}

/* ---- Title bar ---- */

void viewLoopTitle(char text[VIEW_TITLE_SIZE], const char *what, double framesPerSecond, const ViewClock *clock) {
    char rate[32] = "", speed[32] = "";
    if (framesPerSecond > 0.0) {
        snprintf(rate, sizeof rate, " | %.1f fps", framesPerSecond);
    }
    if (clock->speed != 1.0) {
        snprintf(speed, sizeof speed, " | x%g", clock->speed);
    }
    snprintf(text, VIEW_TITLE_SIZE, "%.320s%s%s%s", what, rate, speed, clock->paused ? " | paused" : "");
}

static void showTitle(ViewLoop *loop) {
    const ViewLoopDef *def = loop->def;
    const double passed = loop->clock.now - loop->titled;
    if (passed < TITLE_PAUSE) {
        return;
    }
    char what[VIEW_TITLE_SIZE], text[VIEW_TITLE_SIZE];
    /* The first title, and one after a key press, have no interval to count frames in. */
    const double rate = loop->titled > 0.0 ? (double)(loop->presented - loop->presentedWhenTitled) / passed : 0.0;
    def->scene->title(def->user, what);
    viewLoopTitle(text, what, rate, &loop->clock);
    windowSetTitle(def->window, text);
    loop->titled = loop->clock.now;
    loop->presentedWhenTitled = loop->presented;
}

/* ---- Input and time ---- */

static void changeSpeed(ViewClock *clock, const uint32_t *pressed) {
    const int doublings = (int)pressed[WINDOW_KEY_FASTER] - (int)pressed[WINDOW_KEY_SLOWER];
    clock->speed = fmax(1.0 / SPEED_MAX, fmin(SPEED_MAX, ldexp(clock->speed, doublings)));
}

static void applyKeys(ViewLoop *loop, const uint32_t *pressed) {
    if (pressed[WINDOW_KEY_PAUSE] % 2 != 0) {
        loop->clock.paused = !loop->clock.paused;
    }
    if (pressed[WINDOW_KEY_STEP] > 0) {
        loop->clock.paused = true;
    }
    changeSpeed(&loop->clock, pressed);
    if (pressed[WINDOW_KEY_HELP] > 0) {
        sayLines(stdout, loop->def->scene->keys);
    }
    for (int key = 0; key < WINDOW_KEY_COUNT; key++) {
        if (pressed[key] > 0) {
            loop->titled = 0.0;
        }
    }
}

static void advanceClock(ViewClock *clock, uint32_t steps) {
    const double now = secondsNow(), passed = now - clock->now;
    clock->now = now;
    clock->step = clock->paused ? VIEW_STEP * steps : clock->speed * (passed < LONGEST_STEP ? passed : LONGEST_STEP);
}

static bool update(ViewLoop *loop, const WindowInput *input, EngineError *error) {
    const ViewLoopDef *def = loop->def;
    bool titled = false;
    if (!def->scene->input(def->user, input, error)) {
        return false;
    }
    applyKeys(loop, input->pressed);
    advanceClock(&loop->clock, input->pressed[WINDOW_KEY_STEP]);
    if (!def->scene->update(def->user, &loop->clock, &titled, error)) {
        return false;
    }
    loop->titled = titled ? 0.0 : loop->titled;
    showTitle(loop);
    return true;
}

/* ---- Frames ---- */

static PresenterState showFrame(ViewLoop *loop, bool capture, EngineError *error) {
    const ViewLoopDef *def = loop->def;
    Presenter *presenter = &loop->presenter;
    PresenterFrame frame;
    const PresenterState state = presenterBegin(presenter, &frame, error);
    if (state != PRESENTER_READY) {
        return state;
    }
    const TargetImage image = presenterImage(presenter, &frame, capture);
    const bool good = def->scene->record(def->user, &frame.frame, &presenter->target, &image, error) &&
                      (!capture || captureRecord(presenter, &frame, &loop->capture, error)) &&
                      presenterEnd(presenter, &frame, error);
    loop->presented++;
    return good ? PRESENTER_READY : PRESENTER_FAILED;
}

static bool start(ViewLoop *loop, EngineError *error) {
    const ViewLoopDef *def = loop->def;
    VkSurfaceFormatKHR format;
    if (!presenterCreate(def->device, def->window, def->plain, &loop->presenter, error) ||
        !swapchainSurfaceFormat(def->device, loop->presenter.surface, def->plain, &format, error)) {
        return false;
    }
    loop->clock = (ViewClock){.now = secondsNow(), .speed = 1.0, .paused = def->paused};
    return def->scene->open(def->user, format.format, error);
}

static bool show(ViewLoop *loop, EngineError *error) {
    const ViewLoopDef *def = loop->def;
    PresenterState state = PRESENTER_READY;
    bool done = false;
    while (!done) {
        WindowInput input;
        const bool open =
            state == PRESENTER_HIDDEN ? windowWait(def->window, HIDDEN_WAIT, &input) : windowPoll(def->window, &input);
        if (!open && !def->capture) {
            return true;
        }
        if (!update(loop, &input, error)) {
            return false;
        }
        const bool last = !open || loop->presented + 1 == def->frames;
        state = showFrame(loop, last && def->capture, error);
        if (state == PRESENTER_FAILED) {
            return false;
        }
        if (state == PRESENTER_HIDDEN && !open) {
            return engineFail(error, "no picture: the window was minimised when it was closed");
        }
        done = last && state == PRESENTER_READY;
    }
    return true;
}

bool viewLoopRun(const ViewLoopDef *def, Picture *picture, EngineError *error) {
    ViewLoop loop = {.def = def};
    *picture = (Picture){0};
    const bool good = start(&loop, error) && show(&loop, error) &&
                      (!def->capture || captureTake(def->device, &loop.capture, picture, error));
    presenterDestroy(&loop.presenter); /* waits for the device */
    def->scene->close(def->user);
    bufferDestroy(def->device, &loop.capture.buffer);
    return good;
}
