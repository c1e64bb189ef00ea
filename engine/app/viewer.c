#include "viewer.h"

#include <math.h>
#include <string.h>

#include "measure.h"
#include "options.h"
#include "terminal.h"
#include "viewer_fall.h"

/* ---- Title bar ---- */

/* Whether all characters of the first one's kind show its clip. */
static bool oneClip(const Population *population) {
    const Character *first = &population->characters[0];
    for (uint32_t i = 1; i < population->characterCount; i++) {
        const Character *character = &population->characters[i];
        if (character->model == first->model && character->clip != first->clip) {
            return false;
        }
    }
    return true;
}

void viewerTitle(char text[VIEW_TITLE_SIZE], const char *label, VkskinBackend backend, const Population *population) {
    const Character *first = &population->characters[0];
    const Model *model = population->models[first->model]->model;
    const Motion *motion = population->models[first->model]->motion;
    const Names clips = NAMES_OF(model->clips, model->clipCount);
    const bool mixed = !oneClip(population);
    char clip[VIEW_CLIP_SIZE];
    viewClipText(clip, &clips, mixed ? ACTION_NONE : first->clip, mixed ? "mixed clips" : "rest pose",
                 motion ? motion->blendClip : ACTION_NONE, motion ? (double)motion->blendWeight : 0.0);
    snprintf(text, VIEW_TITLE_SIZE, "%.96s | %s | %s by %s", label, clip, skinModeTitle(first->mode),
             skinSystemSkinsOnce(population->skin.system) ? SKIN_BACKEND_NAMES[backend]
                                                          : SKIN_SYSTEM_NAMES[population->skin.system]);
}

/* Seconds. */
#define RELOAD_PAUSE 0.1
#define MODELS_PAUSE 0.5

/* ---- Input ---- */

static void input(void *user, const WindowInput *input) {
    Viewer *viewer = user;
    float size[2];
    windowSize(viewer->def->window, size);
    orbitRotate(&viewer->orbit, input->rotate[0], input->rotate[1], size[1]);
    orbitPan(&viewer->orbit, input->pan[0], input->pan[1], size[1]);
    orbitZoom(&viewer->orbit, input->zoom);
    viewer->scene.camera = orbitCamera(&viewer->orbit);
    if (input->twice) {
        viewerFocus(viewer, input->press);
    }
}

/* ---- Between frames ---- */

static void replaceShader(Viewer *viewer, const HotReloadEvent *event) {
    EngineError error;
    char line[ENGINE_ERROR_SIZE + 512];
    if (!event->words) {
        sayLines(stderr, event->message);
    } else if (drawReplaceShader(viewer->draw, event->name, event->words, event->byteCount, &error)) {
        if (event->changed) {
            sayReloaded(event->path);
        }
    } else {
        snprintf(line, sizeof line, "%s: error: %s", event->path, error.message);
        sayLines(stderr, line);
    }
}

static void reloadShaders(Viewer *viewer, double now) {
    if (!viewer->def->reload || now - viewer->polled < RELOAD_PAUSE) {
        return;
    }
    viewer->polled = now;
    hotReloadPoll(viewer->def->reload);
    HotReloadEvent event;
    while (hotReloadNext(viewer->def->reload, &event)) {
        replaceShader(viewer, &event);
    }
}

static bool update(void *user, const ViewClock *clock, bool *titled, EngineError *error) {
    Viewer *viewer = user;
    const ViewerDef *def = viewer->def;
    viewer->clock += clock->step;
    if (def->scene->skin.system == SKIN_SYSTEM_CROWD) { /* which counts from 0 */
        viewer->clock = fmax(viewer->clock, 0.0);
    }
    if (!viewerAnswer(viewer, error) || !viewerGuestUpdate(viewer, error)) {
        return false;
    }
    reloadShaders(viewer, clock->now);
    if (!def->models || viewer->guest /* it needs the model */ || clock->now - viewer->modelsPolled < MODELS_PAUSE) {
        return true;
    }
    viewer->modelsPolled = clock->now;
    const bool good = def->models(def->modelsUser, titled, error) && (!*titled || drawRenew(viewer->draw, error));
    if (viewer->node >= def->scene->models[viewer->kind]->model->nodeCount) { /* the new file may have fewer nodes */
        viewer->node = ACTION_NONE;
    }
    viewer->pick.character = *titled ? PICK_NOTHING : viewer->pick.character; /* also fewer bones */
    return good;
}

/* ---- A frame ---- */

static bool record(void *user, const Frame *frame, const Target *target, const TargetImage *image, EngineError *error) {
    Viewer *viewer = user;
    if (!drawSetColourFormat(viewer->draw, target->colourFormat, error)) {
        return false;
    }
    viewer->scene.height = target->height;
    drawPrepare(viewer->draw, &viewer->scene, (float)target->width / (float)target->height);
    const double start = measureNow();
    if (!sceneRecordSkinning(viewer->def->scene, frame->slot, frame->commandBuffer, viewer->clock, error) ||
        (viewer->guest &&
         !sceneRecordSkinning(viewer->guest, frame->slot, frame->commandBuffer, viewer->clock, error))) {
        return false;
    }
    const double posed = measureNow();
    const bool timed = viewer->def->scene->device->info.timestampsTrusted;
    VkskinContext context = viewer->def->scene->skinning->context;
    if (timed) { /* frames that are not timed are good ones too */
        (void)vkskinBeginScope(context, frame->commandBuffer, "drawing");
    }
    const bool drawn = drawRecord(viewer->draw, frame->slot, frame->commandBuffer, target, image, error);
    if (timed) {
        (void)vkskinEndScope(context, frame->commandBuffer, "drawing");
    }
    viewer->posing = posed - start;
    viewer->recording = measureNow() - posed;
    return drawn;
}

/* ---- The scene of the loop ---- */

static bool open(void *user, VkFormat format, EngineError *error) {
    Viewer *viewer = user;
    const Scene *scene = viewer->def->scene;
    viewer->node = ACTION_NONE;
    viewer->pick.character = PICK_NOTHING;
    viewer->draw = drawCreate(scene->device, scene->population, format, error);
    if (viewer->draw) {
        viewer->scene = drawDefaultScene(scene->population, 1.0f);
        viewer->background = OPTION_COLOUR_NONE;
        viewer->scene.exposure = 1.0f;
        viewer->scene.shows = viewer->def->shows;
        viewer->scene.paint = viewer->def->paint;
        viewerResetCamera(viewer);
    }
    return viewer->draw && drawCanShow(viewer->draw, viewer->scene.shows, error);
}

static void title(void *user, char text[VIEW_TITLE_SIZE]) {
    const Viewer *viewer = user;
    const Scene *scene = viewer->def->scene;
    viewerTitle(text, viewer->def->label, scene->skinning->backend, scene->population);
}

static void close(void *user) {
    Viewer *viewer = user;
    drawDestroy(viewer->draw);
    sceneDestroy(viewer->guest);
}

const ViewScene viewerScene = {
    .open = open,
    .input = input,
    .update = update,
    .record = record,
    .title = title,
    .close = close,
    .panels = viewerPanels,
    .times = viewerTimes,
    .costs = viewerCosts,
    .actions = viewerActions,
    .mouse =
        "left drag: turn; wheel: zoom; right or middle drag: pan; click: select a bone; double click: look at a bone",
};
