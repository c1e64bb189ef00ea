/* spine_view.c: vkskin view for a 2D character: keys, mouse, and the file that changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file_watch.h"
#include "outputs.h"
#include "spine_draw.h"
#include "spine_options.h"
#include "spine_player.h"
#include "view_loop.h"
#include "view_run.h"

#define POLL_PAUSE 0.5  /* seconds between looks at the file */
#define GRAB_RANGE 14.0 /* pixels from a target to the mouse */

#define SHOW_ALL (SPINE_SHOW_MESH | SPINE_SHOW_WIREFRAME | SPINE_SHOW_JOINTS | SPINE_SHOW_TARGETS)

typedef struct SpineViewer {
    Session *session;
    const ViewPlace *place;
    const char *path;
    const Model *model;
    const SpineModel *spine;
    SpinePose *pose;
    SpinePlayer player;
    MotionMachine *machine; /* for --machine, or null */
    Skinning *skinning;
    SpineDraw *draw;
    VkFormat format;
    uint32_t width, height; /* that `draw` is for; 0: not yet */
    SpineCamera camera;
    uint32_t shows;  /* SPINE_SHOW_MESH and so on */
    int32_t skin;    /* chosen by the key; -1: those of --skin */
    int32_t grabbed; /* index of the bone that is pulled; -1: none */
    double grabbedAt[2];
    bool paused; /* in the last frame */
    FileWatch watch;
    double polled; /* time of the last look at the file */
} SpineViewer;

/* ---- The pose ---- */

static bool makePose(SpineViewer *viewer, EngineError *error) {
    uint32_t skins[OPTION_FILES_MAX], count = 0;
    if (viewer->skin >= 0) {
        skins[0] = (uint32_t)viewer->skin;
        count = 1;
    } else if (!spineFindSkins(viewer->session->arguments, viewer->spine, skins, &count, error)) {
        return false;
    }
    SpinePose *pose = spinePoseCreate(viewer->spine, skins, count, error);
    if (pose) {
        spinePoseFree(viewer->pose);
        viewer->pose = pose;
    }
    return pose != NULL;
}

/* From none to each skin but "default", and back to none. */
static bool stepSkins(SpineViewer *viewer, EngineError *error) {
    const SpineModel *spine = viewer->spine;
    do {
        viewer->skin = viewer->skin + 1 < (int32_t)spine->skinCount ? viewer->skin + 1 : -1;
    } while (viewer->skin >= 0 && viewer->skin == spine->defaultSkin);
    return makePose(viewer, error);
}

/* Shows all of the newest animation. */
static void frameCamera(SpineViewer *viewer) {
    const SpineMotion motion = {.animation = spinePlayerAnimation(&viewer->player),
                                .blendAnimation = -1,
                                .curves = viewer->player.curves,
                                .machine = viewer->machine};
    const float *bounds = viewer->spine->bounds;
    SpineBox box = SPINE_EMPTY_BOX;
    float size[2];
    windowSize(viewer->place->window, size);
    spineMotionAddBoxes(viewer->pose, &motion, &box);
    if (!spineCameraFrame(&box, (double)(size[0] / size[1]), &viewer->camera)) { /* no skin is chosen, perhaps */
        viewer->camera = (SpineCamera){{(double)(bounds[0] + bounds[2] / 2.0f), (double)(bounds[1] + bounds[3] / 2.0f)},
                                       fmax(1.0, (double)bounds[3])};
    }
}

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

static bool input(void *user, const WindowInput *input, EngineError *error) {
    SpineViewer *viewer = user;
    float size[2];
    (void)error;
    windowSize(viewer->place->window, size);
    drag(viewer, input, size);
    spineCameraPan(&viewer->camera, size, input->pan);
    spineCameraZoom(&viewer->camera, size, input->cursor, input->zoom);
    if (input->twice) {
        lookAt(viewer, size, input->press);
    }
    return true;
}

/* ---- Actions ---- */

static bool stepClips(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    (void)error;
    spinePlayerStep(&viewer->player, (int)value->number, !viewer->paused);
    return true;
}

/* The number of the thing of this number or name; `count`: none. */
static uint32_t find(const char *text, uint32_t count, const char *(*nameOf)(const SpineModel *spine, uint32_t index),
                     const SpineModel *spine) {
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(nameOf(spine, i), text) == 0) {
            return i;
        }
    }
    return end != text && *end == '\0' && number < count ? (uint32_t)number : count;
}

static const char *clipName(const SpineModel *spine, uint32_t index) {
    return spine->animations[index].name;
}

static const char *skinName(const SpineModel *spine, uint32_t index) {
    return spine->skins[index].name;
}

/* -1: "none". */
static bool readClip(const SpineViewer *viewer, const char *text, int32_t *clip, EngineError *error) {
    const SpineModel *spine = viewer->spine;
    const uint32_t found = find(text, spine->animationCount, clipName, spine);
    *clip = found < spine->animationCount ? (int32_t)found : -1;
    return *clip >= 0 || strcmp(text, "none") == 0 ||
           engineFail(error, "no clip '%.100s'; 'vkskin info' lists them", text);
}

static bool checkClip(void *user, const ActionValue *value, EngineError *error) {
    int32_t clip;
    return readClip(user, value->text, &clip, error);
}

static bool setClip(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    int32_t clip;
    if (!readClip(viewer, value->text, &clip, error)) {
        return false;
    }
    spinePlayerChange(&viewer->player, clip, !viewer->paused);
    return true;
}

static bool setTime(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    (void)error;
    spinePlayerSeek(&viewer->player, value->number);
    return true;
}

static bool nextBlend(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    (void)value, (void)error;
    spinePlayerStepBlend(&viewer->player);
    return true;
}

static bool setBlendClip(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    return readClip(viewer, value->text, &viewer->player.blendAnimation, error);
}

static bool setBlendWeight(void *user, const ActionValue *value, EngineError *error) {
    SpinePlayer *player = &((SpineViewer *)user)->player;
    if (player->blendAnimation < 0) {
        return engineFail(error, "there is no second clip: 'blend-clip 1'");
    }
    player->blendWeight = value->number;
    return true;
}

static bool nextSkin(void *user, const ActionValue *value, EngineError *error) {
    (void)value;
    return stepSkins(user, error);
}

static bool checkSkin(void *user, const ActionValue *value, EngineError *error) {
    const SpineModel *spine = ((SpineViewer *)user)->spine;
    return strcmp(value->text, "none") == 0 ||
           find(value->text, spine->skinCount, skinName, spine) < spine->skinCount ||
           engineFail(error, "no skin '%.100s'; 'vkskin info' lists them", value->text);
}

static bool setSkin(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    const SpineModel *spine = viewer->spine;
    if (!checkSkin(user, value, error)) {
        return false;
    }
    const uint32_t found = find(value->text, spine->skinCount, skinName, spine);
    viewer->skin = found < spine->skinCount ? (int32_t)found : -1;
    return makePose(viewer, error);
}

static bool putBack(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    (void)value, (void)error;
    viewer->player.pullCount = 0;
    viewer->grabbed = -1;
    return true;
}

/* value->number: SPINE_SHOW_MESH and so on. If no view would remain, they stay. */
static bool switchShow(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    const uint32_t shows = viewer->shows ^ (uint32_t)value->number;
    (void)error;
    viewer->shows = (shows & ~(uint32_t)SPINE_SHOW_TARGETS) != 0 ? shows : viewer->shows;
    return true;
}

static bool setParameter(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    char name[ACTION_VALUE_SIZE];
    float number;
    return actionSetting(value->text, name, &number, error) &&
           (viewer->machine || engineFail(error, "there is no state machine: --machine")) &&
           motionMachineSet(viewer->machine, viewer->player.clock, name, number, error);
}

static bool resetCamera(void *user, const ActionValue *value, EngineError *error) {
    (void)value, (void)error;
    frameCamera(user);
    return true;
}

/* ---- Panels ---- */

static const char *listedClip(const void *user, uint32_t index) {
    return clipName(user, index);
}

static const char *listedSkin(const void *user, uint32_t index) {
    return skinName(user, index);
}

static void addPanels(void *user, Panels *panels) {
    const SpineViewer *viewer = user;
    const SpineModel *spine = viewer->spine;
    const PanelsList clips = {spine->animationCount, listedClip, NULL, spine};
    const PanelsList skins = {spine->skinCount, listedSkin, NULL, spine};
    if (panelsSection(panels, "Clip", true)) {
        panelsChoice(panels, "clip", "clip", &clips, (uint32_t)spinePlayerAnimation(&viewer->player), "setup pose");
        panelsChoice(panels, "blend-clip", "second", &clips, (uint32_t)viewer->player.blendAnimation, "none");
        panelsNumber(panels, "blend-weight", "weight", viewer->player.blendWeight, 0.0, 1.0, "%.2f");
    }
    if (panelsSection(panels, "Skin", true)) {
        panelsChoice(panels, "skin", "skin", &skins, (uint32_t)viewer->skin, "as --skin");
    }
    if (panelsSection(panels, "Show", true)) {
        panelsSwitch(panels, "mesh", "mesh", (viewer->shows & SPINE_SHOW_MESH) != 0);
        panelsSwitch(panels, "wireframe", "wireframe", (viewer->shows & SPINE_SHOW_WIREFRAME) != 0);
        panelsSwitch(panels, "joints", "joints", (viewer->shows & SPINE_SHOW_JOINTS) != 0);
        panelsSwitch(panels, "targets", "targets", (viewer->shows & SPINE_SHOW_TARGETS) != 0);
    }
}

static void fillTimes(const void *user, PanelsTimes *times) {
    const SpineViewer *viewer = user;
    const SpineTrack *track = &viewer->player.tracks[viewer->player.trackCount - 1];
    times->time = viewer->machine ? viewer->player.clock : track->time;
    times->duration = viewer->machine ? 0.0 : spineDuration(viewer->spine, track->animation);
    times->loops = true;
}

static const Action ACTIONS[] = {
    {"next-clip", "right ]", NULL, "the next clip", 1.0, .run = stepClips},
    {"previous-clip", "left [", NULL, "the clip before", -1.0, .run = stepClips},
    {"clip", NULL, "0", "a clip, by number or name; none: the setup pose", .run = setClip, .check = checkClip},
    {"time", NULL, "0.5", "seconds since the start of the clip", 0.0, 1e6, .run = setTime},
    {"next-blend", "b", NULL, "the weight of a second clip: a quarter more", .run = nextBlend},
    {"blend-clip", NULL, "0", "the second clip", .run = setBlendClip, .check = checkClip},
    {"blend-weight", NULL, "0.5", "its weight", 0.0, 1.0, .run = setBlendWeight},
    {"parameter", NULL, "speed=1", "sets a parameter of the state machine", .run = setParameter},
    {"next-skin", "s", NULL, "the next skin", .run = nextSkin},
    {"skin", NULL, "0", "a skin, by number or name; none: those of --skin", .run = setSkin, .check = checkSkin},
    {"targets-back", "k", NULL, "puts targets of IK constraints back", .run = putBack},
    {"mesh", "m", NULL, "switches what the slots show", SPINE_SHOW_MESH, .run = switchShow},
    {"wireframe", "w", NULL, "switches the edges of triangles", SPINE_SHOW_WIREFRAME, .run = switchShow},
    {"joints", "j", NULL, "switches the bones", SPINE_SHOW_JOINTS, .run = switchShow},
    {"targets", "t", NULL, "switches the targets of IK constraints", SPINE_SHOW_TARGETS, .run = switchShow},
    {"reset-camera", "r f", NULL, "shows everything", .run = resetCamera},
};

static const Action *spineActions(uint32_t *count) {
    *count = COUNT_OF(ACTIONS);
    return ACTIONS;
}

/* ---- Drawing ---- */

static SpineDraw *newDraw(const SpineViewer *viewer, const Model *model, EngineError *error) {
    const SpineDrawModel one = {model, 1};
    const SpineDrawDef def = {.system = viewer->session->skin.system,
                              .models = &one,
                              .modelCount = 1,
                              .shows = SHOW_ALL,
                              .paint = viewer->session->paint,
                              .colourFormat = viewer->format,
                              .width = viewer->width,
                              .height = viewer->height};
    return spineDrawCreate(viewer->session->device, viewer->skinning, &def, error);
}

/* The device was idle when the target was made, and has drawn nothing since. */
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
    viewer->grabbed = -1;
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
    char line[4200];
    snprintf(line, sizeof line, "%s: reloaded", viewer->path);
    utf8Mend(line);
    sayLines(stdout, line);
    *titled = true;
    return makePose(viewer, error);
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
    frameCamera(viewer);
    return viewer->draw != NULL;
}

static void title(void *user, char text[VIEW_TITLE_SIZE]) {
    const SpineViewer *viewer = user;
    const SpineModel *spine = viewer->spine;
    const SpinePlayer *player = &viewer->player;
    const int32_t animation = spinePlayerAnimation(player);
    const char *slash = strrchr(viewer->path, '/');
    char clip[112] = "setup pose", blend[96] = "", skin[72] = "";
    if (viewer->machine) {
        snprintf(clip, sizeof clip, "state machine");
    } else if (animation >= 0) {
        snprintf(clip, sizeof clip, "clip %d of 0 to %u: %.60s", animation, spine->animationCount - 1,
                 spine->animations[animation].name);
    }
    if (player->blendWeight > 0.0 && player->blendAnimation >= 0 && !viewer->machine) {
        snprintf(blend, sizeof blend, ", %.0f %% of %.60s", 100.0 * player->blendWeight,
                 spine->animations[player->blendAnimation].name);
    }
    if (viewer->skin >= 0) {
        snprintf(skin, sizeof skin, " | skin %.60s", spine->skins[viewer->skin].name);
    }
    snprintf(text, VIEW_TITLE_SIZE, "%.80s | %s%s%s", slash ? slash + 1 : viewer->path, clip, blend, skin);
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
    if (!read || !makePose(viewer, error)) {
        return false;
    }
    spinePlayerStart(&viewer->player, viewer->spine, &motion);
    spineNameSkins(arguments, viewer->pose);
    return true;
}

static bool show(SpineViewer *viewer, EngineError *error) {
    static const ViewScene scene = {.open = open,
                                    .input = input,
                                    .update = update,
                                    .record = record,
                                    .title = title,
                                    .close = close,
                                    .panels = addPanels,
                                    .times = fillTimes,
                                    .mouse = "left drag: pan, or pull the target of an IK constraint; right or middle "
                                             "drag: pan; wheel: zoom; double click: look closer",
                                    .actions = ACTIONS,
                                    .actionCount = COUNT_OF(ACTIONS)};
    const Arguments *arguments = viewer->session->arguments;
    const char *output = optionsValue(arguments, "output")->text;
    const ViewLoopDef def = {.window = viewer->place->window,
                             .device = viewer->session->device,
                             .scene = &scene,
                             .user = viewer,
                             .state = viewer->place->state,
                             .frames = (uint64_t)optionsValue(arguments, "frames")->integer,
                             .paused = optionsValue(arguments, "paused")->given,
                             .capture = output != NULL,
                             .plain = true};
    Picture picture;
    const bool good =
        viewLoopRun(&def, &picture, error) && (!picture.pixels || outputPictureWrite(&picture, output, error));
    pictureFree(&picture);
    return good;
}

/* ---- The verb ---- */

static bool load(Session *session, void *user, EngineError *error) {
    const Arguments *arguments = session->arguments;
    *(FileWatch *)user = fileWatchFrom(arguments->operands[0]);
    return (arguments->operandCount == 1 ||
            engineFail(error, "%s: a 2D character is shown alone", arguments->operands[0])) &&
           spineLoad(session, error);
}

static bool showSpine(Session *session, const ViewPlace *place, void *user, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const Model *model = session->models[0];
    SpineViewer viewer = {.session = session,
                          .place = place,
                          .path = arguments->operands[0],
                          .model = model,
                          .spine = model->spines,
                          .shows = session->shows | SPINE_SHOW_TARGETS,
                          .skin = -1,
                          .grabbed = -1,
                          .paused = optionsValue(arguments, "paused")->given,
                          .watch = *(FileWatch *)user};
    const bool good = prepare(&viewer, error) && show(&viewer, error);
    spinePoseFree(viewer.pose);
    motionMachineDestroy(viewer.machine);
    return good;
}

const ViewContent spineViewContent = {
    .userSize = sizeof(FileWatch), .load = load, .show = showSpine, .actions = spineActions};
