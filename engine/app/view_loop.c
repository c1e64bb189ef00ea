#include "view_loop.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "count_of.h"
#include "files.h"
#include "measure.h"
#include "presenter.h"
#include "terminal.h"

/* Seconds. */
#define HIDDEN_WAIT  0.25
#define TITLE_PAUSE  0.5
#define LONGEST_STEP 0.1 /* maximum step of the clock, so that nothing jumps after a stall */

#define CLICK_RANGE 4.0f /* pixels; farther is a drag */

#define SPEED_MAX    16.0
#define PICTURES_MAX 9999 /* numbered ones, in a folder */

typedef struct ViewLoop {
    const ViewLoopDef *def;
    Presenter presenter;
    ViewClock clock;
    double titled; /* time of the last title; 0: the title must be shown at once */
    uint64_t presentedWhenTitled;
    Capture capture;
    Picture *last; /* receives the last frame */
    ActionTable table;
    ViewPanels panels;
    int steps;                    /* VIEW_STEP in this frame, backwards if below 0 */
    bool ended;                   /* by the user */
    char picture[VIEW_PATH_SIZE]; /* file for a picture of this frame; or empty */
    bool scriptWants;             /* the script asked for it */
    bool pressed;                 /* the left button, without a drag so far */
    float press[2];               /* where */
    bool scripted;                /* the script has shown a frame: the next one is VIEW_SCRIPT_STEP later */
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

void viewClipText(char text[VIEW_CLIP_SIZE], const Names *clips, uint32_t clip, const char *none, uint32_t other,
                  double weight) {
    char own[VIEW_CLIP_SIZE / 2], more[VIEW_CLIP_SIZE / 2] = "";
    snprintf(own, sizeof own, "%s", none);
    if (clip < clips->count) {
        snprintf(own, sizeof own, "clip %u of 0 to %u: %.60s", clip, clips->count - 1, nameAt(clips, clip));
    }
    if (other < clips->count && weight > 0.0) {
        snprintf(more, sizeof more, ", %.0f %% of %.60s", 100.0 * weight, nameAt(clips, other));
    }
    snprintf(text, VIEW_CLIP_SIZE, "%s%s", own, more);
}

static void showTitle(ViewLoop *loop) {
    const ViewLoopDef *def = loop->def;
    const double passed = loop->clock.now - loop->titled;
    if (passed < TITLE_PAUSE) {
        return;
    }
    char what[VIEW_TITLE_SIZE], text[VIEW_TITLE_SIZE];
    /* The first title, and one after a key press, have no interval to count frames in. */
    const double rate = loop->titled > 0.0 ? (double)(def->state->presented - loop->presentedWhenTitled) / passed : 0.0;
    def->scene->title(def->user, what);
    viewLoopTitle(text, what, rate, &loop->clock);
    windowSetTitle(def->window, text);
    loop->titled = loop->clock.now;
    loop->presentedWhenTitled = def->state->presented;
}

/* ---- Actions ---- */

static void pauseClock(void *user, const ActionValue *value) {
    ViewLoop *loop = user;
    (void)value;
    loop->clock.paused = !loop->clock.paused;
}

static void stepClock(void *user, const ActionValue *value) {
    ViewLoop *loop = user;
    loop->clock.paused = true;
    loop->steps += (int)value->number;
}

static void setSpeed(void *user, const ActionValue *value) {
    ((ViewLoop *)user)->clock.speed = value->number;
}

static void scaleSpeed(void *user, const ActionValue *value) {
    ViewClock *clock = &((ViewLoop *)user)->clock;
    clock->speed = fmax(1.0 / SPEED_MAX, fmin(SPEED_MAX, value->number * clock->speed));
}

static bool checkPicture(void *user, const ActionValue *value, EngineError *error) {
    const ViewLoop *loop = user;
    return atomicFileCheck(value->text, loop->def->state->force, error);
}

static void takePicture(void *user, const ActionValue *value) {
    ViewLoop *loop = user;
    snprintf(loop->picture, sizeof loop->picture, "%s", value->text);
}

static bool savePicture(void *user, const ActionValue *value, EngineError *error) {
    ViewLoop *loop = user;
    (void)value;
    for (int number = 1; number <= PICTURES_MAX; number++) {
        snprintf(loop->picture, sizeof loop->picture, "view-%d.png", number);
        if (access(loop->picture, F_OK) != 0) {
            return checkPicture(user, &(ActionValue){.text = loop->picture}, error);
        }
    }
    return engineFail(error, "no picture: there are view-1.png to view-%d.png", PICTURES_MAX);
}

static bool openFile(void *user, const ActionValue *value, EngineError *error) {
    ViewLoop *loop = user;
    ViewState *state = loop->def->state;
    if (!state->canOpen(state->openUser, value->text, error)) {
        return false;
    }
    snprintf(state->opened, sizeof state->opened, "%s", value->text);
    return true;
}

static void waitFrames(void *user, const ActionValue *value) {
    ViewLoop *loop = user;
    loop->def->state->script.waits = (uint32_t)value->number;
}

static void printHelp(void *user, const ActionValue *value) {
    ViewLoop *loop = user;
    (void)value;
    loop->panels.helps = loop->panels.shown && !loop->panels.helps;
    fprintf(stdout, "%s\n", loop->def->scene->mouse);
    actionsPrint(&loop->table, stdout);
}

static void switchPanels(void *user, const ActionValue *value) {
    ViewLoop *loop = user;
    (void)value;
    loop->panels.hidden = !loop->panels.hidden;
}

static void endLoop(void *user, const ActionValue *value) {
    (void)value;
    ((ViewLoop *)user)->ended = true;
}

static const Action ACTIONS[] = {
    {"pause", "space", NULL, "pauses, or goes on", .act = pauseClock},
    {"step", ".", NULL, "pauses, then a step of 1/30 s", 1.0, .act = stepClock},
    {"step-back", ",", NULL, "pauses, then a step back", -1.0, .act = stepClock},
    {"faster", "+ =", NULL, "doubles the speed", 2.0, .act = scaleSpeed},
    {"slower", "-", NULL, "halves the speed", 0.5, .act = scaleSpeed},
    {"speed", NULL, "0.5", "seconds of the scene in a second", 1.0 / SPEED_MAX, SPEED_MAX, .act = setSpeed},
    {"picture", NULL, "view.png", "writes what the window shows", .act = takePicture, .check = checkPicture},
    {"save-picture", "p", NULL, "writes view-1.png, or the next one that is free", .run = savePicture},
    {"open", NULL, "builtin:strip", "shows another file, as dropping one does", .run = openFile},
    {"wait", NULL, "10", "frames of 1/60 s that a script shows before it goes on", 1.0, 1e6, .act = waitFrames},
    {"panels", "tab", NULL, "shows the panels, or hides them", .act = switchPanels},
    {"help", "h f1", NULL, "shows all keys, and prints this text", .act = printHelp},
    {"end", "esc", NULL, "closes the window", .act = endLoop},
};

void viewLoopActions(ActionTable *table, const ViewScene *scene, void *user, void *loop) {
    uint32_t count;
    const Action *actions = scene->actions(&count);
    actionsAdd(table, actions, count, user);
    actionsAdd(table, ACTIONS, COUNT_OF(ACTIONS), loop);
}

/* ---- Input and time ---- */

/* What a key or a dropped file cannot do costs a line; the loop goes on. */
static void runAction(ViewLoop *loop, const char *word, const char *value) {
    EngineError error;
    loop->titled = 0.0;
    loop->scriptWants = false;
    if (!actionsRun(&loop->table, word, value, &error)) {
        loop->picture[0] = '\0';
        sayWarning("view", "%s", error.message);
    }
}

/* A click picks when the button is released, so that drags do not. The second click of a double click does not. */
static void clickInput(ViewLoop *loop, const WindowInput *input) {
    char place[ACTION_VALUE_SIZE];
    float size[2];
    windowSize(loop->def->window, size);
    if (input->presses > 0) {
        memcpy(loop->press, input->press, sizeof loop->press);
        loop->pressed = !input->twice;
    }
    const float moved = hypotf(input->cursor[0] - loop->press[0], input->cursor[1] - loop->press[1]);
    loop->pressed = loop->pressed && moved <= CLICK_RANGE;
    if (loop->pressed && !input->held) {
        loop->pressed = false;
        snprintf(place, sizeof place, "%.9g,%.9g", (double)(loop->press[0] / fmaxf(size[0], 1.0f)),
                 (double)(loop->press[1] / fmaxf(size[1], 1.0f)));
        runAction(loop, "pick", place);
    }
}

static void applyInput(ViewLoop *loop, const WindowInput *input) {
    loop->def->scene->input(loop->def->user, input);
    clickInput(loop, input);
    for (uint32_t i = 0; i < input->keyCount; i++) {
        const ActionRow *row = actionsFindKey(&loop->table, input->keys[i]);
        if (row) {
            runAction(loop, row->action->word, NULL);
        }
    }
    if (input->dropped) {
        runAction(loop, "open", input->dropped);
    }
}

static bool isScripted(const ViewLoop *loop) {
    const Script *script = &loop->def->state->script;
    return script->next < script->lineCount || script->waits > 0;
}

/* Up to the next frame that the script waits for or wants a picture of. */
static bool runScript(ViewLoop *loop, EngineError *error) {
    ViewState *state = loop->def->state;
    Script *script = &state->script;
    while (script->waits == 0 && script->next < script->lineCount && !loop->ended && !loop->picture[0] &&
           !state->opened[0]) {
        const ScriptLine *line = &script->lines[script->next++];
        loop->titled = 0.0;
        if (!actionsRun(&loop->table, line->word, line->value, error)) {
            return scriptFail(script, error);
        }
        loop->scriptWants = loop->picture[0] != '\0';
    }
    script->waits -= script->waits > 0;
    return true;
}

static void advanceClock(ViewLoop *loop, bool scripted) {
    ViewClock *clock = &loop->clock;
    const double now = secondsNow();
    double passed = fmin(now - clock->now, LONGEST_STEP);
    if (scripted) {
        passed = loop->scripted ? VIEW_SCRIPT_STEP : 0.0;
    }
    loop->scripted = scripted;
    clock->now = now;
    clock->step = clock->paused ? VIEW_STEP * loop->steps : clock->speed * passed;
    loop->steps = 0;
}

/* What the user changes in the panels is applied at once, and is seen in the next frame. */
static void makePanels(ViewLoop *loop) {
    const ViewLoopDef *def = loop->def;
    PanelsTimes times = {.speed = loop->clock.speed, .paused = loop->clock.paused};
    const char *word;
    char value[ACTION_VALUE_SIZE];
    def->scene->panels(def->user, loop->panels.panels);
    def->scene->times(def->user, &times);
    if (viewPanelsFrames(&loop->panels) && def->scene->costs) {
        def->scene->costs(def->user, loop->panels.panels);
    }
    viewPanelsFinish(&loop->panels, &def->state->messages, &times);
    while ((word = panelsTake(loop->panels.panels, value)) != NULL) {
        runAction(loop, word, value);
    }
}

static bool update(ViewLoop *loop, WindowInput *input, EngineError *error) {
    const ViewLoopDef *def = loop->def;
    const bool scripted = isScripted(loop);
    bool titled = false;
    if (!viewPanelsBegin(&loop->panels, def->window, input, &loop->table, scripted, secondsNow() - loop->clock.now,
                         error)) {
        return false;
    }
    applyInput(loop, input);
    if (!runScript(loop, error)) {
        return false;
    }
    advanceClock(loop, scripted);
    if (!def->scene->update(def->user, &loop->clock, &titled, error)) {
        return false;
    }
    if (loop->panels.shown) {
        makePanels(loop);
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
    TargetImage under = image, over = image;
    Target area = presenter->target;
    if (loop->panels.picture) {
        under.after = over.before = IMAGE_COLOUR;
        viewPanelsArea(&loop->panels, &area);
    }
    const bool good =
        def->scene->record(def->user, &frame.frame, &area, &under, error) &&
        (!loop->panels.picture || viewPanelsRecord(&loop->panels, &frame.frame, &presenter->target, &over, error)) &&
        (!capture || captureRecord(presenter, &frame, &loop->capture, error)) && presenterEnd(presenter, &frame, error);
    def->state->presented++;
    return good ? PRESENTER_READY : PRESENTER_FAILED;
}

/* The picture that an action asked for. A failure that the script did not cause costs a line. */
static bool writePicture(ViewLoop *loop, const Picture *picture, EngineError *error) {
    ViewState *state = loop->def->state;
    EngineError failure;
    if (state->write(picture, loop->picture, &failure)) {
        sayLines(stdout, loop->picture);
    } else if (loop->scriptWants) {
        *error = failure;
        return scriptFail(&state->script, error);
    } else {
        sayWarning("view", "%s", failure.message);
    }
    loop->picture[0] = '\0';
    return true;
}

/* final: the last frame is wanted. */
static bool takeFrame(ViewLoop *loop, bool final, EngineError *error) {
    Picture picture;
    bool good = captureTake(loop->def->device, &loop->capture, &picture, error) &&
                (!loop->picture[0] || writePicture(loop, &picture, error));
    if (good && final) {
        *loop->last = picture;
    } else {
        pictureFree(&picture);
    }
    return good;
}

static bool start(ViewLoop *loop, EngineError *error) {
    const ViewLoopDef *def = loop->def;
    const bool plain = def->scene->plain;
    VkSurfaceFormatKHR format;
    if (!presenterCreate(def->device, def->window, plain, &loop->presenter, error) ||
        !swapchainSurfaceFormat(def->device, loop->presenter.surface, plain, &format, error)) {
        return false;
    }
    loop->clock = (ViewClock){.now = secondsNow(), .speed = 1.0, .paused = def->paused};
    viewLoopActions(&loop->table, def->scene, def->user, loop);
    if (!def->scene->open(def->user, format.format, error)) {
        return false;
    }
    def->state->isShown = true; /* wrong lines of scripts end the run; files that cannot be shown do not */
    if (!scriptCheck(&def->state->script, &loop->table, "open model", error)) {
        return false;
    }
    windowShow(def->window);
    return true;
}

static bool show(ViewLoop *loop, EngineError *error) {
    const ViewLoopDef *def = loop->def;
    ViewState *state = def->state;
    PresenterState shown = PRESENTER_READY;
    bool done = false;
    while (!done) {
        WindowInput input;
        bool open =
            shown == PRESENTER_HIDDEN ? windowWait(def->window, HIDDEN_WAIT, &input) : windowPoll(def->window, &input);
        /* A frame of a script that could not be shown is shown again, unchanged. */
        if ((shown == PRESENTER_READY || !isScripted(loop)) && !update(loop, &input, error)) {
            return false;
        }
        open = open && !loop->ended;
        if (state->opened[0] || (!open && !def->capture)) {
            return true;
        }
        const bool last = !open || state->presented + 1 == def->frames;
        const bool final = last && def->capture, capture = final || loop->picture[0] != '\0';
        shown = showFrame(loop, capture, error);
        if (shown == PRESENTER_FAILED || (shown == PRESENTER_READY && capture && !takeFrame(loop, final, error))) {
            return false;
        }
        if (shown == PRESENTER_HIDDEN && !open) {
            return engineFail(error, "no picture: the window was minimised when it was closed");
        }
        done = last && shown == PRESENTER_READY;
    }
    return true;
}

bool viewLoopRun(const ViewLoopDef *def, Picture *picture, EngineError *error) {
    ViewLoop loop = {.def = def, .last = picture, .panels.device = def->device};
    *picture = (Picture){0};
    const bool good = start(&loop, error) && show(&loop, error);
    presenterDestroy(&loop.presenter); /* waits for the device */
    viewPanelsEnd(&loop.panels);
    def->scene->close(def->user);
    bufferDestroy(def->device, &loop.capture.buffer);
    return good;
}
