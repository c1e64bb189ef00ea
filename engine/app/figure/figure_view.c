/* figure_view.c: vkskin view for a 2D character: keys, mouse, and the file that changes. */
#include <string.h>

#include "figure_player.h"
#include "figure_verbs.h"
#include "outputs.h"
#include "view_loop.h"

#define POLL_PAUSE 0.5  /* seconds between looks at the file */
#define GRAB_RANGE 14.0 /* pixels from a target to the mouse */

#define SHOW_ALL (FIGURE_SHOW_MESH | FIGURE_SHOW_WIREFRAME | FIGURE_SHOW_JOINTS | FIGURE_SHOW_TARGETS)

static const char KEYS[] =
    "left drag: pan, or pull the target of an IK constraint; right or middle drag: pan; wheel: zoom\n"
    "left, right, [ and ]: clip; b: weight of a second clip; s: skin; k: targets back; r: camera "
    "back\nm: mesh; w: wireframe; j: joints; t: targets\n" VIEW_KEYS;

typedef struct FigureViewer {
    Session *session;
    Window *window;
    const char *path;
    const Model *model;
    const Figure *figure;
    FigurePose *pose;
    FigurePlayer player;
    Skinning *skinning;
    FigureDraw *draw;
    VkFormat format;
    uint32_t width, height; /* that `draw` is for; 0: not yet */
    FigureCamera camera;
    uint32_t shows;  /* FIGURE_SHOW_MESH and so on */
    int32_t skin;    /* chosen by the key; -1: those of --skin */
    int32_t grabbed; /* index of the bone that is pulled; -1: none */
    double grabbedAt[2];
    bool paused; /* in the last frame */
    FileWatch watch;
    double polled; /* time of the last look at the file */
} FigureViewer;

/* ---- The pose ---- */

static bool makePose(FigureViewer *viewer, EngineError *error) {
    uint32_t skins[OPTION_FILES_MAX], count = 0;
    if (viewer->skin >= 0) {
        skins[0] = (uint32_t)viewer->skin;
        count = 1;
    } else if (!figureFindSkins(viewer->session->arguments, viewer->figure, skins, &count, error)) {
        return false;
    }
    FigurePose *pose = figurePoseCreate(viewer->figure, skins, count, error);
    if (pose) {
        figurePoseFree(viewer->pose);
        viewer->pose = pose;
    }
    return pose != NULL;
}

/* From none to each skin but "default", and back to none. */
static bool stepSkins(FigureViewer *viewer, EngineError *error) {
    const Figure *figure = viewer->figure;
    do {
        viewer->skin = viewer->skin + 1 < (int32_t)figure->skinCount ? viewer->skin + 1 : -1;
    } while (viewer->skin >= 0 && viewer->skin == figure->defaultSkin);
    return makePose(viewer, error);
}

/* Shows all of the newest animation. */
static void frameCamera(FigureViewer *viewer) {
    const FigureMotion motion = {.animation = figurePlayerAnimation(&viewer->player), .blendAnimation = -1};
    const float *bounds = viewer->figure->bounds;
    FigureBox box = FIGURE_EMPTY_BOX;
    float size[2];
    windowSize(viewer->window, size);
    figureMotionAddBoxes(viewer->pose, &motion, &box);
    if (!figureCameraFrame(&box, (double)(size[0] / size[1]), &viewer->camera)) { /* no skin is chosen, perhaps */
        viewer->camera =
            (FigureCamera){{(double)(bounds[0] + bounds[2] / 2.0f), (double)(bounds[1] + bounds[3] / 2.0f)},
                           fmax(1.0, (double)bounds[3])};
    }
}

/* ---- The mouse ---- */

static double distanceOf(const FigureViewer *viewer, uint32_t bone, const double place[2]) {
    const FigureMatrix *matrix = &viewer->pose->bones[bone].matrix;
    return hypot(matrix->x0 - place[0], matrix->y0 - place[1]);
}

/* The target nearest to the mouse, or -1. */
static int32_t findTarget(const FigureViewer *viewer, const float size[2], const float pixel[2]) {
    double place[2], nearest = GRAB_RANGE * viewer->camera.height / (double)size[1];
    int32_t found = -1;
    figureCameraPlace(&viewer->camera, size, pixel, place);
    for (uint32_t i = 0; i < viewer->figure->boneCount && viewer->shows & FIGURE_SHOW_TARGETS; i++) {
        const bool target = figurePoseTarget(viewer->pose, i);
        if (target && distanceOf(viewer, i, place) <= nearest) {
            nearest = distanceOf(viewer, i, place);
            found = (int32_t)i;
        }
    }
    return found;
}

/* A target goes with the mouse from where it is drawn, so that it does not jump to the mouse. */
static void drag(FigureViewer *viewer, const WindowInput *input, const float size[2]) {
    const double scale = viewer->camera.height / (double)size[1];
    if (input->presses > 0) {
        viewer->grabbed = findTarget(viewer, size, input->press);
        if (viewer->grabbed >= 0) {
            const FigureMatrix *matrix = &viewer->pose->bones[viewer->grabbed].matrix;
            viewer->grabbedAt[0] = matrix->x0;
            viewer->grabbedAt[1] = matrix->y0;
        }
    }
    if (viewer->grabbed < 0) {
        figureCameraPan(&viewer->camera, size, input->rotate);
        return;
    }
    viewer->grabbedAt[0] += (double)input->rotate[0] * scale;
    viewer->grabbedAt[1] -= (double)input->rotate[1] * scale;
    if (!figurePlayerPull(&viewer->player, (uint32_t)viewer->grabbed, viewer->grabbedAt)) {
        sayWarning(viewer->session->verb, "more than %u targets at once are not pulled", FIGURE_PULLS_MAX);
        viewer->grabbed = -1;
    }
    viewer->grabbed = input->held ? viewer->grabbed : -1;
}

/* ---- The keys ---- */

/* If no view would remain, they stay. */
static void switchShows(FigureViewer *viewer, const uint32_t *pressed) {
    static const struct {
        WindowKey key;
        uint32_t show;
    } switches[] = {{WINDOW_KEY_METHOD, FIGURE_SHOW_MESH},
                    {WINDOW_KEY_WIREFRAME, FIGURE_SHOW_WIREFRAME},
                    {WINDOW_KEY_JOINTS, FIGURE_SHOW_JOINTS},
                    {WINDOW_KEY_TARGETS, FIGURE_SHOW_TARGETS}};
    uint32_t shows = viewer->shows;
    for (size_t i = 0; i < COUNT_OF(switches); i++) {
        shows ^= pressed[switches[i].key] % 2 != 0 ? switches[i].show : 0;
    }
    viewer->shows = (shows & ~(uint32_t)FIGURE_SHOW_TARGETS) != 0 ? shows : viewer->shows;
}

static bool applyKeys(FigureViewer *viewer, const uint32_t *pressed, EngineError *error) {
    FigurePlayer *player = &viewer->player;
    const int steps = (int)pressed[WINDOW_KEY_NEXT_CLIP] - (int)pressed[WINDOW_KEY_PREVIOUS_CLIP];
    if (steps != 0) {
        figurePlayerStep(player, steps, !viewer->paused);
    }
    for (uint32_t i = 0; i < pressed[WINDOW_KEY_BLEND]; i++) {
        figurePlayerStepBlend(player);
    }
    for (uint32_t i = 0; i < pressed[WINDOW_KEY_SKIN]; i++) {
        if (!stepSkins(viewer, error)) {
            return false;
        }
    }
    if (pressed[WINDOW_KEY_SOLVE] > 0) {
        player->pullCount = 0;
        viewer->grabbed = -1;
    }
    switchShows(viewer, pressed);
    if (pressed[WINDOW_KEY_RESET] > 0) {
        frameCamera(viewer);
    }
    return true;
}

static bool input(void *user, const WindowInput *input, EngineError *error) {
    FigureViewer *viewer = user;
    float size[2];
    windowSize(viewer->window, size);
    drag(viewer, input, size);
    figureCameraPan(&viewer->camera, size, input->pan);
    figureCameraZoom(&viewer->camera, size, input->cursor, input->zoom);
    return applyKeys(viewer, input->pressed, error);
}

/* ---- Drawing ---- */

static FigureDraw *newDraw(const FigureViewer *viewer, const Model *model, EngineError *error) {
    const FigureDrawModel one = {model, 1};
    const FigureDrawDef def = {.system = viewer->session->skin.system,
                               .models = &one,
                               .modelCount = 1,
                               .shows = SHOW_ALL,
                               .colourFormat = viewer->format,
                               .width = viewer->width,
                               .height = viewer->height};
    return figureDrawCreate(viewer->session->device, viewer->skinning, &def, error);
}

/* The device was idle when the target was made, and has drawn nothing since. */
static bool fit(FigureViewer *viewer, const Target *target, EngineError *error) {
    if (target->width == viewer->width && target->height == viewer->height) {
        return true;
    }
    viewer->width = target->width;
    viewer->height = target->height;
    return figureDrawResize(viewer->draw, target->width, target->height, error);
}

static bool record(void *user, const Frame *frame, const Target *target, const TargetImage *image, EngineError *error) {
    static const float background[4] = {FIGURE_GREY, FIGURE_GREY, FIGURE_GREY, 1.0f};
    FigureViewer *viewer = user;
    const FigureMember member = {.pose = viewer->pose, .place = FIGURE_UNPLACED};
    VkskinContext context = viewer->skinning->context;
    if (!fit(viewer, target, error)) {
        return false;
    }
    VkskinResult result = vkskinBeginFrame(context, frame->slot);
    if (result >= 0 && !figureDrawPrepare(viewer->draw, frame->slot, &member, 1, viewer->shows, error)) {
        return false;
    }
    result = result < 0 ? result : vkskinRecordSkinning(context, frame->commandBuffer);
    if (result < 0) {
        return skinningFail(viewer->skinning, error, "skinning", result);
    }
    figureDrawRecord(viewer->draw, frame->commandBuffer, target, image, &viewer->camera, background);
    return true;
}

/* ---- The file changes ---- */

/* Takes over the model if it can be drawn. */
static bool replaceModel(FigureViewer *viewer, Model *model, EngineError *error) {
    uint32_t skins[OPTION_FILES_MAX], count = 0;
    if (model->figureCount == 0) {
        return engineFail(error, "%s: not a 2D character", viewer->path);
    }
    if (!figureFindSkins(viewer->session->arguments, model->figures, skins, &count, error)) {
        return false;
    }
    FigureDraw *draw = newDraw(viewer, model, error);
    if (!draw) {
        return false;
    }
    viewer->skin = viewer->skin >= 0 ? figureFindSkin(model->figures, viewer->figure->skins[viewer->skin].name) : -1;
    figurePlayerReplace(&viewer->player, model->figures); /* reads the old names */
    figureDrawDestroy(viewer->draw);
    modelFree((Model *)viewer->model);
    viewer->session->models[0] = viewer->model = model;
    viewer->figure = model->figures;
    viewer->draw = draw;
    viewer->grabbed = -1;
    return true;
}

/* False: the viewer cannot go on. */
static bool reload(FigureViewer *viewer, bool *titled, EngineError *error) {
    if (!deviceWait(viewer->session->device, error)) {
        return false;
    }
    Model *model = modelLoad(viewer->session->arguments, viewer->path, MODEL_OR_FIGURE, NULL, error);
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
    FigureViewer *viewer = user;
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
    figurePlayerAdvance(&viewer->player, clock->step);
    figurePlayerPose(&viewer->player, viewer->pose);
    return true;
}

/* ---- The scene of the loop ---- */

static bool open(void *user, VkFormat format, EngineError *error) {
    FigureViewer *viewer = user;
    viewer->format = format;
    viewer->width = viewer->height = 1; /* the first frame knows */
    viewer->skinning = figureSkinning(viewer->session, error);
    viewer->draw = viewer->skinning ? newDraw(viewer, viewer->model, error) : NULL;
    frameCamera(viewer);
    return viewer->draw != NULL;
}

static void title(void *user, char text[VIEW_TITLE_SIZE]) {
    const FigureViewer *viewer = user;
    const Figure *figure = viewer->figure;
    const FigurePlayer *player = &viewer->player;
    const int32_t animation = figurePlayerAnimation(player);
    const char *slash = strrchr(viewer->path, '/');
    char clip[112] = "setup pose", blend[96] = "", skin[72] = "";
    if (animation >= 0) {
        snprintf(clip, sizeof clip, "clip %d of 0 to %u: %.60s", animation, figure->animationCount - 1,
                 figure->animations[animation].name);
    }
    if (player->blendWeight > 0.0 && player->blendAnimation >= 0) {
        snprintf(blend, sizeof blend, ", %.0f %% of %.60s", 100.0 * player->blendWeight,
                 figure->animations[player->blendAnimation].name);
    }
    if (viewer->skin >= 0) {
        snprintf(skin, sizeof skin, " | skin %.60s", figure->skins[viewer->skin].name);
    }
    snprintf(text, VIEW_TITLE_SIZE, "%.80s | %s%s%s", slash ? slash + 1 : viewer->path, clip, blend, skin);
}

static void close(void *user) {
    FigureViewer *viewer = user;
    figureDrawDestroy(viewer->draw);
    skinningDestroy(viewer->skinning);
}

/* ---- The verb ---- */

static bool prepare(FigureViewer *viewer, EngineError *error) {
    const Arguments *arguments = viewer->session->arguments;
    FigureMotion motion;
    if (!figureMotionRead(arguments, viewer->figure, &motion, error) || !makePose(viewer, error)) {
        return false;
    }
    figurePlayerStart(&viewer->player, viewer->figure, &motion);
    figureNameSkins(arguments, viewer->pose);
    return true;
}

static bool show(FigureViewer *viewer, EngineError *error) {
    static const ViewScene scene = {
        .open = open, .input = input, .update = update, .record = record, .title = title, .close = close, .keys = KEYS};
    const Arguments *arguments = viewer->session->arguments;
    const char *output = optionsValue(arguments, "output")->text;
    const ViewLoopDef def = {.window = viewer->window,
                             .device = viewer->session->device,
                             .scene = &scene,
                             .user = viewer,
                             .frames = (uint64_t)optionsValue(arguments, "frames")->integer,
                             .paused = optionsValue(arguments, "paused")->given,
                             .capture = output != NULL,
                             .plain = true};
    Picture picture;
    const bool good = viewLoopRun(&def, &picture, error) && (!output || outputPictureWrite(&picture, output, error));
    pictureFree(&picture);
    return good;
}

bool figureViewLoad(Session *session, FileWatch *watch, EngineError *error) {
    static const char *const taken[] = {"clip",   "blend-clip", "reach",   "skin",   "show",
                                        "size",   "frames",     "paused",  "output", "force",
                                        "system", "backend",    "sandbox", "device", "validate"};
    const Arguments *arguments = session->arguments;
    *watch = fileWatchFrom(arguments->operands[0]);
    return (arguments->operandCount == 1 ||
            engineFail(error, "%s: a 2D character is shown alone", arguments->operands[0])) &&
           figureLoad(session, taken, COUNT_OF(taken), error);
}

bool figureViewRun(Session *session, Window *window, const FileWatch *watch, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const Model *model = session->models[0];
    FigureViewer viewer = {.session = session,
                           .window = window,
                           .path = arguments->operands[0],
                           .model = model,
                           .figure = model->figures,
                           .shows = (optionsValue(arguments, "show")->choice + 1) | FIGURE_SHOW_TARGETS,
                           .skin = -1,
                           .grabbed = -1,
                           .paused = optionsValue(arguments, "paused")->given,
                           .watch = *watch};
    const bool good = prepare(&viewer, error) && show(&viewer, error);
    figurePoseFree(viewer.pose);
    return good;
}
