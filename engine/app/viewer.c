#include "viewer.h"

#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "measure.h"
#include "presenter.h"
#include "terminal.h"

/* ---- Title bar ---- */

/* Whether all members of the first one's kind show its clip. */
static bool oneClip(const Crowd *crowd) {
    const CrowdMember *first = &crowd->members[0];
    for (uint32_t i = 1; i < crowd->memberCount; i++) {
        const CrowdMember *member = &crowd->members[i];
        if (member->character == first->character && member->clip != first->clip) {
            return false;
        }
    }
    return true;
}

static void clipText(char *text, size_t size, const Crowd *crowd) {
    const CrowdMember *first = &crowd->members[0];
    const Model *model = crowd->characters[first->character]->model;
    if (!oneClip(crowd)) {
        snprintf(text, size, "mixed clips");
    } else if (first->clip >= model->clipCount) {
        snprintf(text, size, "rest pose");
    } else {
        snprintf(text, size, "clip %u of 0 to %u: %.60s", first->clip, model->clipCount - 1,
                 model->clips[first->clip].name);
    }
    const Motion *motion = crowd->characters[first->character]->motion;
    size_t length = strlen(text);
    if (motion && motion->blendClip < model->clipCount && motion->blendWeight > 0.0f) {
        snprintf(text + length, size - length, ", %.0f %% of %.60s", 100.0 * (double)motion->blendWeight,
                 model->clips[motion->blendClip].name);
    }
}

void viewerTitle(char text[VIEWER_TITLE_SIZE], const ViewerTitle *title, const Crowd *crowd) {
    char clip[192], rate[32] = "";
    clipText(clip, sizeof clip, crowd);
    if (title->framesPerSecond > 0.0) {
        snprintf(rate, sizeof rate, " | %.1f fps", title->framesPerSecond);
    }
    snprintf(text, VIEWER_TITLE_SIZE, "%.96s | %s | %s by %s%s%s", title->label, clip,
             skinModeTitle(crowd->members[0].mode),
             skinSystemSkinsOnce(crowd->skin.system) ? SKIN_BACKEND_NAMES[title->backend]
                                                     : SKIN_SYSTEM_NAMES[crowd->skin.system],
             rate, title->paused ? " | paused" : "");
}

/* Seconds. */
#define HIDDEN_WAIT  0.25
#define RELOAD_PAUSE 0.1
#define MODELS_PAUSE 0.5
#define TITLE_PAUSE  0.5
#define LONGEST_STEP 0.1 /* of the clock, so that the crowd does not jump after a stall */

#define FIRST_ASPECT (16.0f / 9.0f) /* of a window that has no size yet */

typedef struct Viewer {
    const ViewerDef *def;
    Presenter presenter;
    Draw *draw;
    DrawScene scene;
    Orbit orbit;
    double clock;
    bool paused;
    double now, polled, modelsPolled, titled; /* moments, seconds of measureNow */
    uint64_t presented, presentedWhenTitled;
    Capture capture;
} Viewer;

static double secondsNow(void) {
    return measureNow() * 1e-3;
}

/* What `h` prints. */
static const char KEYS[] =
    "left drag: turn; wheel: zoom; right or middle drag: pan\n"
    "space: pause; left, right, [ and ]: clip; m: method; b: weight of a second clip; n: additive clip; k: reach and "
    "look; r: camera back; h: this text; Esc: end";

/* ---- Input ---- */

void viewerStepClips(Crowd *crowd, int steps) {
    crowd->changed = crowd->changed || steps != 0;
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        CrowdMember *member = &crowd->members[i];
        int64_t count = crowd->characters[member->character]->clipCount;
        if (count > 0) {
            int64_t from = member->clip < count ? member->clip : steps > 0 ? -1 : count;
            member->clip = (uint32_t)(((from + steps) % count + count) % count);
        }
    }
}

/* Every character has a motion in `view`. A crowd that the device poses does not use it. */
static void switchMotions(Scene *scene, const uint32_t *pressed) {
    for (uint32_t kind = 0; kind < scene->characterCount && scene->skin.system != SKIN_SYSTEM_CROWD; kind++) {
        Motion *motion = scene->characters[kind]->motion;
        const Crowd *crowd = scene->crowd;
        const bool empty = crowd->kindStarts[kind] == crowd->kindStarts[kind + 1];
        for (uint32_t i = 0; motion && !empty && i < pressed[WINDOW_KEY_BLEND]; i++) {
            motionStepBlend(motion, crowd->members[crowd->order[crowd->kindStarts[kind]]].clip);
        }
        if (motion && pressed[WINDOW_KEY_ADD] % 2 != 0) {
            motionSwitchAdd(motion);
        }
        if (motion && pressed[WINDOW_KEY_SOLVE] % 2 != 0) {
            motionSwitchSolvers(motion);
        }
    }
}

/* To the next mode that the scene was made for. */
static bool switchMode(Scene *scene, EngineError *error) {
    SkinMode mode = scene->crowd->members[0].mode;
    do {
        mode = (SkinMode)((mode + 1) % SKIN_MODE_COUNT);
    } while ((scene->modes & 1u << mode) == 0);
    return sceneChangeMode(scene, mode, error);
}

static float windowAspect(Viewer *viewer) {
    uint32_t width, height;
    bool shown = windowShown(viewer->def->window, &width, &height);
    return shown ? (float)width / (float)height : FIRST_ASPECT;
}

static void resetCamera(Viewer *viewer) {
    viewer->scene = drawDefaultScene(viewer->def->scene->crowd, windowAspect(viewer));
    viewer->orbit = orbitFrom(&viewer->scene.camera);
    viewer->scene.camera = orbitCamera(&viewer->orbit); /* bit-identical to later resets */
}

static void applyMouse(Viewer *viewer, const WindowInput *input) {
    float height = windowHeight(viewer->def->window);
    orbitRotate(&viewer->orbit, input->rotate[0], input->rotate[1], height);
    orbitPan(&viewer->orbit, input->pan[0], input->pan[1], height);
    orbitZoom(&viewer->orbit, input->zoom);
    viewer->scene.camera = orbitCamera(&viewer->orbit);
}

static bool applyKeys(Viewer *viewer, const WindowInput *input, EngineError *error) {
    Scene *scene = viewer->def->scene;
    const uint32_t *pressed = input->pressed;
    int steps = (int)pressed[WINDOW_KEY_NEXT_CLIP] - (int)pressed[WINDOW_KEY_PREVIOUS_CLIP];
    if (steps != 0) {
        viewerStepClips(scene->crowd, steps);
    }
    for (uint32_t i = 0; i < pressed[WINDOW_KEY_METHOD]; i++) {
        if (!switchMode(scene, error)) {
            return false;
        }
    }
    switchMotions(scene, pressed);
    if (pressed[WINDOW_KEY_PAUSE] % 2 != 0) {
        viewer->paused = !viewer->paused;
    }
    if (pressed[WINDOW_KEY_RESET] > 0) {
        resetCamera(viewer);
    }
    if (pressed[WINDOW_KEY_HELP] > 0) {
        sayLines(stdout, KEYS);
    }
    for (int key = 0; key < WINDOW_KEY_COUNT; key++) {
        if (pressed[key] > 0) {
            viewer->titled = 0.0; /* shown at once */
        }
    }
    return true;
}

/* ---- Between frames ---- */

static void replaceShader(Viewer *viewer, const HotReloadEvent *event) {
    EngineError error;
    char line[ENGINE_ERROR_SIZE + 512];
    if (!event->words) {
        sayLines(stderr, event->message);
    } else if (drawReplaceShader(viewer->draw, event->name, event->words, event->byteCount, &error)) {
        if (event->changed) {
            snprintf(line, sizeof line, "%s: reloaded", event->path);
            sayLines(stdout, line);
        }
    } else {
        snprintf(line, sizeof line, "%s: error: %s", event->path, error.message);
        sayLines(stderr, line);
    }
}

static void reloadShaders(Viewer *viewer) {
    if (!viewer->def->reload || viewer->now - viewer->polled < RELOAD_PAUSE) {
        return;
    }
    viewer->polled = viewer->now;
    hotReloadPoll(viewer->def->reload);
    HotReloadEvent event;
    while (hotReloadNext(viewer->def->reload, &event)) {
        replaceShader(viewer, &event);
    }
}

static bool reloadModels(Viewer *viewer, EngineError *error) {
    const ViewerDef *def = viewer->def;
    bool replaced = false;
    if (!def->models || viewer->now - viewer->modelsPolled < MODELS_PAUSE) {
        return true;
    }
    viewer->modelsPolled = viewer->now;
    if (!def->models(def->modelsUser, &replaced, error)) {
        return false;
    }
    viewer->titled = replaced ? 0.0 : viewer->titled;
    return !replaced || drawRenew(viewer->draw, error);
}

static void showTitle(Viewer *viewer) {
    double passed = viewer->now - viewer->titled;
    if (passed < TITLE_PAUSE) {
        return;
    }
    char text[VIEWER_TITLE_SIZE];
    /* The first title, and one after a key press, have no interval to count frames in. */
    double rate = viewer->titled > 0.0 ? (double)(viewer->presented - viewer->presentedWhenTitled) / passed : 0.0;
    ViewerTitle title = {.label = viewer->def->label,
                         .framesPerSecond = rate,
                         .paused = viewer->paused,
                         .backend = viewer->def->scene->skinning->backend};
    viewerTitle(text, &title, viewer->def->scene->crowd);
    windowSetTitle(viewer->def->window, text);
    viewer->titled = viewer->now;
    viewer->presentedWhenTitled = viewer->presented;
}

static void advanceClock(Viewer *viewer) {
    double now = secondsNow();
    double step = now - viewer->now;
    viewer->now = now;
    if (!viewer->paused) {
        viewer->clock += step < LONGEST_STEP ? step : LONGEST_STEP;
    }
}

/* ---- A frame ---- */

static bool recordFrame(Viewer *viewer, const PresenterFrame *frame, bool capture, EngineError *error) {
    const Presenter *presenter = &viewer->presenter;
    VkCommandBuffer commandBuffer = frame->frame.commandBuffer;
    TargetImage image = presenterImage(presenter, frame, capture);
    const Target *target = &presenter->target;
    drawPrepare(viewer->draw, &viewer->scene, (float)target->width / (float)target->height);
    return sceneRecordSkinning(viewer->def->scene, frame->frame.slot, commandBuffer, viewer->clock, error) &&
           drawRecord(viewer->draw, frame->frame.slot, commandBuffer, target, &image, error) &&
           (!capture || captureRecord(presenter, frame, &viewer->capture, error));
}

static PresenterState showFrame(Viewer *viewer, bool capture, EngineError *error) {
    PresenterFrame frame;
    PresenterState state = presenterBegin(&viewer->presenter, &frame, error);
    if (state != PRESENTER_READY) {
        return state;
    }
    bool good = drawSetColourFormat(viewer->draw, viewer->presenter.target.colourFormat, error) &&
                recordFrame(viewer, &frame, capture, error) && presenterEnd(&viewer->presenter, &frame, error);
    viewer->presented++;
    return good ? PRESENTER_READY : PRESENTER_FAILED;
}

/* ---- The loop ---- */

static bool start(Viewer *viewer, EngineError *error) {
    const ViewerDef *def = viewer->def;
    Device *device = def->scene->device;
    VkSurfaceFormatKHR format;
    if (!presenterCreate(device, def->window, &viewer->presenter, error) ||
        !swapchainSurfaceFormat(device, viewer->presenter.surface, &format, error)) {
        return false;
    }
    viewer->draw = drawCreate(device, def->scene->crowd, format.format, error);
    if (!viewer->draw) {
        return false;
    }
    viewer->paused = def->paused;
    viewer->now = secondsNow();
    resetCamera(viewer);
    return true;
}

static void stop(Viewer *viewer) {
    presenterDestroy(&viewer->presenter); /* waits for the device */
    drawDestroy(viewer->draw);
    bufferDestroy(viewer->def->scene->device, &viewer->capture.buffer);
}

static bool show(Viewer *viewer, EngineError *error) {
    const ViewerDef *def = viewer->def;
    PresenterState state = PRESENTER_READY;
    bool done = false;
    while (!done) {
        WindowInput input;
        bool open =
            state == PRESENTER_HIDDEN ? windowWait(def->window, HIDDEN_WAIT, &input) : windowPoll(def->window, &input);
        if (!open && !def->capture) {
            return true;
        }
        applyMouse(viewer, &input);
        /* Keys last: a reset overrides a drag in the same frame. */
        if (!applyKeys(viewer, &input, error)) {
            return false;
        }
        advanceClock(viewer);
        reloadShaders(viewer);
        if (!reloadModels(viewer, error)) {
            return false;
        }
        showTitle(viewer);
        bool last = !open || viewer->presented + 1 == def->frames;
        state = showFrame(viewer, last && def->capture, error);
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

bool viewerRun(const ViewerDef *def, Picture *picture, EngineError *error) {
    Viewer viewer = {.def = def};
    *picture = (Picture){0};
    bool good = start(&viewer, error) && show(&viewer, error) &&
                (!def->capture || captureTake(def->scene->device, &viewer.capture, picture, error));
    stop(&viewer);
    return good;
}
