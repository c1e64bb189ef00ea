/* spine_view.c: vkskin view for a 2D character: the mouse, frames, and the file that changes. */
#include <math.h>
#include <string.h>

#include "outputs.h"
#include "spine_options.h"
#include "spine_view_actions.h"

#define POLL_PAUSE 0.5  /* seconds between looks at the file */
#define GRAB_RANGE 14.0 /* pixels from a target to the mouse */

#define SHOW_ALL (SPINE_SHOW_MESH | SPINE_SHOW_WIREFRAME | SPINE_SHOW_JOINTS | SPINE_SHOW_TARGETS)

/* ---- The mouse ---- */

static double distanceOf(const SpineViewer *viewer, uint32_t bone, const double place[2]) {
    const SpineMatrix *matrix = &viewer->pose->bones[bone].matrix;
    return hypot(matrix->x0 - place[0], matrix->y0 - place[1]);
}

/* The target nearest to the mouse, or -1. */
static int32_t findTarget(const SpineViewer *viewer, const float size[2], const float pixel[2]) {
    double place[2], nearest = GRAB_RANGE * viewer->camera.height / (double)size[1];
    int32_t found = -1;
    spineCameraPlace(&viewer->camera, size, pixel, place);
    for (uint32_t i = 0; i < viewer->spine->boneCount && viewer->shows & SPINE_SHOW_TARGETS; i++) {
        const bool target = spinePoseTarget(viewer->pose, i);
        if (target && distanceOf(viewer, i, place) <= nearest) {
            nearest = distanceOf(viewer, i, place);
            found = (int32_t)i;
        }
    }
    return found;
}

/* A target goes with the mouse from where it is drawn, so that it does not jump to the mouse. */
static void drag(SpineViewer *viewer, const WindowInput *input, const float size[2]) {
    const double scale = viewer->camera.height / (double)size[1];
    if (input->presses > 0) {
        viewer->grabbed = findTarget(viewer, size, input->press);
        if (viewer->grabbed >= 0) {
            const SpineMatrix *matrix = &viewer->pose->bones[viewer->grabbed].matrix;
            viewer->grabbedAt[0] = matrix->x0;
            viewer->grabbedAt[1] = matrix->y0;
        }
    }
    if (viewer->grabbed < 0) {
        spineCameraPan(&viewer->camera, size, input->rotate);
        return;
    }
    viewer->grabbedAt[0] += (double)input->rotate[0] * scale;
    viewer->grabbedAt[1] -= (double)input->rotate[1] * scale;
    if (!spinePlayerPull(&viewer->player, (uint32_t)viewer->grabbed, viewer->grabbedAt)) {
        sayWarning(viewer->session->verb, "more than %u targets at once are not pulled", SPINE_PULLS_MAX);
        viewer->grabbed = -1;
    }
    viewer->grabbed = input->held ? viewer->grabbed : -1;
}

/* The place that the user points at becomes the centre, larger. */
static void lookAt(SpineViewer *viewer, const float size[2], const float pixel[2]) {
    spineCameraPlace(&viewer->camera, size, pixel, viewer->camera.centre);
    viewer->camera.height *= 0.5;
}

static void input(void *user, const WindowInput *input) {
    SpineViewer *viewer = user;
    float size[2];
    windowSize(viewer->place->window, size);
    drag(viewer, input, size);
    spineCameraPan(&viewer->camera, size, input->pan);
    spineCameraZoom(&viewer->camera, size, input->cursor, input->zoom);
    if (input->twice) {
        lookAt(viewer, size, input->press);
    }
}

/* ---- Drawing ---- */

static SpineDraw *newDraw(const SpineViewer *viewer, const Model *model, EngineError *error) {
    const SpineDrawModel one = {model, 1};
    const SpineDrawDef def = {.system = viewer->session->skin.system,
                              .models = &one,
                              .modelCount = 1,
                              .shows = SHOW_ALL,
                              .paint = viewer->paint,
                              .colourFormat = viewer->format,
                              .width = viewer->width,
                              .height = viewer->height};
    return spineDrawCreate(viewer->session->device, viewer->skinning, &def, error);
}

/* The device was idle when the target was made or when panels came and went, and has drawn nothing since. */
static bool fit(SpineViewer *viewer, const Target *target, EngineError *error) {
    if (target->width == viewer->width && target->height == viewer->height) {
        return true;
    }
    viewer->width = target->width;
    viewer->height = target->height;
    return spineDrawResize(viewer->draw, target->width, target->height, error);
}

static bool record(void *user, const Frame *frame, const Target *target, const TargetImage *image, EngineError *error) {
    static const float background[4] = {SPINE_GREY, SPINE_GREY, SPINE_GREY, 1.0f};
    SpineViewer *viewer = user;
    const SpineCharacter character = {.pose = viewer->pose, .place = SPINE_UNPLACED};
    VkskinContext context = viewer->skinning->context;
    if (!fit(viewer, target, error)) {
        return false;
    }
    VkskinResult result = vkskinBeginFrame(context, frame->slot);
    if (result >= 0 && !spineDrawPrepare(viewer->draw, frame->slot, &character, 1, viewer->shows, error)) {
        return false;
    }
    result = result < 0 ? result : vkskinRecordSkinning(context, frame->commandBuffer);
    if (result < 0) {
        return skinningFail(viewer->skinning, error, "skinning", result);
    }
    spineDrawRecord(viewer->draw, frame->commandBuffer, target, image, &viewer->camera, background);
    return true;
}

/* ---- The file changes ---- */

/* Reads the state machine again, for the animations of another 2D model. False: this failed. */
static bool readMachine(const SpineViewer *viewer, const SpineModel *spine, MotionMachine **machine,
                        EngineError *error) {
    SpineMotion motion = {0};
    const bool good = !viewer->machine || spineMotionRead(viewer->session->arguments, spine, &motion, error);
    *machine = motion.machine;
    return good;
}

/* Takes over the model if it can be drawn. */
static bool replaceModel(SpineViewer *viewer, Model *model, EngineError *error) {
    uint32_t skins[OPTION_FILES_MAX], count = 0;
    if (model->spineCount == 0) {
        return engineFail(error, "%s: not a 2D character", viewer->path);
    }
    if (!spineFindSkins(viewer->session->arguments, model->spines, skins, &count, error)) {
        return false;
    }
    MotionMachine *machine;
    SpineDraw *draw = readMachine(viewer, model->spines, &machine, error) ? newDraw(viewer, model, error) : NULL;
    if (!draw) {
        motionMachineDestroy(machine);
        return false;
    }
    viewer->skin = viewer->skin >= 0 ? spineFindSkin(model->spines, viewer->spine->skins[viewer->skin].name) : -1;
    spinePlayerReplace(&viewer->player, model->spines); /* reads the old names */
    motionMachineDestroy(viewer->machine);
    viewer->player.machine = viewer->machine = machine;
    spineDrawDestroy(viewer->draw);
    modelFree((Model *)viewer->model);
    viewer->session->models[0] = viewer->model = model;
    viewer->spine = model->spines;
    viewer->draw = draw;
    viewer->grabbed = viewer->bone = -1;
    return true;
}

/* False: the viewer cannot go on. */
static bool reload(SpineViewer *viewer, bool *titled, EngineError *error) {
    if (!deviceWait(viewer->session->device, error)) {
        return false;
    }
    Model *model = modelLoad(viewer->session->arguments, viewer->path, MODEL_OR_SPINE, NULL, error);
    if (!model || !replaceModel(viewer, model, error)) {
        modelFree(model);
        sayWarning(viewer->session->verb, "%s; the old character stays", error->message);
        return true;
    }
    sayReloaded(viewer->path);
    *titled = true;
    return spineMakePose(viewer, error);
}

static bool update(void *user, const ViewClock *clock, bool *titled, EngineError *error) {
    SpineViewer *viewer = user;
    viewer->paused = clock->paused;
    if (clock->now - viewer->polled >= POLL_PAUSE) {
        viewer->polled = clock->now;
        fileWatchPoll(&viewer->watch, viewer->path);
        if (viewer->watch.changed && viewer->watch.settled) {
            fileWatchUse(&viewer->watch);
            if (!reload(viewer, titled, error)) {
                return false;
            }
        }
    }
    spinePlayerAdvance(&viewer->player, clock->step);
    spinePoseAdvance(viewer->pose, fmax(clock->step, 0.0)); /* physics does not go back */
    spinePlayerPose(&viewer->player, viewer->pose);
    return true;
}

/* ---- The scene of the loop ---- */

static bool open(void *user, VkFormat format, EngineError *error) {
    SpineViewer *viewer = user;
    viewer->format = format;
    viewer->width = viewer->height = 1; /* the first frame knows */
    viewer->skinning = spineSkinning(viewer->session, error);
    viewer->draw = viewer->skinning ? newDraw(viewer, viewer->model, error) : NULL;
    spineFrameCamera(viewer);
    return viewer->draw != NULL;
}

static void title(void *user, char text[VIEW_TITLE_SIZE]) {
    const SpineViewer *viewer = user;
    const SpinePlayer *player = &viewer->player;
    const bool machine = viewer->machine != NULL;
    const Names clips = NAMES_OF(viewer->spine->animations, viewer->spine->animationCount);
    const char *slash = strrchr(viewer->path, '/');
    char clip[VIEW_CLIP_SIZE], skin[72] = "";
    viewClipText(clip, &clips, machine ? ACTION_NONE : (uint32_t)spinePlayerAnimation(player),
                 machine ? "state machine" : "setup pose", machine ? ACTION_NONE : (uint32_t)player->blendAnimation,
                 player->blendWeight);
    if (viewer->skin >= 0) {
        snprintf(skin, sizeof skin, " | skin %.60s", viewer->spine->skins[viewer->skin].name);
    }
    snprintf(text, VIEW_TITLE_SIZE, "%.80s | %s%s", slash ? slash + 1 : viewer->path, clip, skin);
}

static void close(void *user) {
    SpineViewer *viewer = user;
    spineDrawDestroy(viewer->draw);
    skinningDestroy(viewer->skinning);
}

/* ---- The verb ---- */

static bool prepare(SpineViewer *viewer, EngineError *error) {
    const Arguments *arguments = viewer->session->arguments;
    SpineMotion motion;
    const bool read = spineMotionRead(arguments, viewer->spine, &motion, error);
    viewer->machine = motion.machine;
    if (!read || !spineMakePose(viewer, error)) {
        return false;
    }
    spinePlayerStart(&viewer->player, viewer->spine, &motion);
    spineNameSkins(arguments, viewer->pose);
    return true;
}

static const ViewScene SCENE = {
    .open = open,
    .input = input,
    .update = update,
    .record = record,
    .title = title,
    .close = close,
    .panels = spinePanels,
    .times = spineTimes,
    .actions = spineActions,
    .mouse = "left drag: pan, or pull the target of an IK constraint; right or middle drag: pan; wheel: zoom; "
             "click: select a bone; double click: look closer",
    .plain = true,
};

/* ---- The verb ---- */

static bool run(Session *session, ViewPlace *place, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const FileWatch watch = fileWatchFrom(arguments->operands[0]);
    if (arguments->operandCount > 1) {
        return engineFail(error, "%s: a 2D character is shown alone", arguments->operands[0]);
    }
    if (!spineLoad(session, error) || !viewOpen(place, session, error)) {
        return false;
    }
    SpineViewer viewer = {.session = session,
                          .place = place,
                          .path = arguments->operands[0],
                          .model = session->models[0],
                          .spine = session->models[0]->spines,
                          .shows = session->shows | SPINE_SHOW_TARGETS,
                          .paint = session->paint,
                          .skin = -1,
                          .bone = -1,
                          .grabbed = -1,
                          .paused = optionsValue(arguments, "paused")->given,
                          .watch = watch};
    const bool good = prepare(&viewer, error) && viewShow(session, place, &SCENE, &viewer, error);
    spinePoseFree(viewer.pose);
    motionMachineDestroy(viewer.machine);
    return good;
}

const ViewContent spineViewContent = {.run = run, .scene = &SCENE};
