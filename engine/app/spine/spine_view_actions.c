#include "spine_view_actions.h"

#include <math.h>
#include <string.h>

#include "spine_options.h"
#include "spine_pick.h"

/* ---- The pose ---- */

bool spineMakePose(SpineViewer *viewer, EngineError *error) {
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
    return spineMakePose(viewer, error);
}

void spineFrameCamera(SpineViewer *viewer) {
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

/* ---- Actions ---- */

static bool stepClips(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    (void)error;
    spinePlayerStep(&viewer->player, (int)value->number, !viewer->paused);
    return true;
}

/* The index or name of one of these. *index: -1 for "none". */
static bool readNamed(const char *text, const Names *names, const char *what, int32_t *index, EngineError *error) {
    const uint32_t found = nameOrIndexFind(names, text);
    *index = found < names->count ? (int32_t)found : -1;
    return *index >= 0 || strcmp(text, "none") == 0 ||
           engineFail(error, "no %s '%.100s'; 'vkskin info' lists them", what, text);
}

static bool readClip(const SpineViewer *viewer, const char *text, int32_t *clip, EngineError *error) {
    const Names names = NAMES_OF(viewer->spine->animations, viewer->spine->animationCount);
    return readNamed(text, &names, "clip", clip, error);
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

static bool readSkin(const SpineViewer *viewer, const char *text, int32_t *skin, EngineError *error) {
    const Names names = NAMES_OF(viewer->spine->skins, viewer->spine->skinCount);
    return readNamed(text, &names, "skin", skin, error);
}

static bool checkSkin(void *user, const ActionValue *value, EngineError *error) {
    int32_t skin;
    return readSkin(user, value->text, &skin, error);
}

static bool setSkin(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    int32_t skin;
    if (!readSkin(viewer, value->text, &skin, error)) {
        return false;
    }
    viewer->skin = skin;
    return spineMakePose(viewer, error);
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

/* A type that 2D characters have. paint->bone points into the text. */
static bool readPaint(const char *text, Paint *paint, EngineError *error) {
    return paintParse(text, paint, error) && (!paint->type || paint->type->flat ||
                                              engineFail(error, "2D characters have no paint '%s'", paint->type->name));
}

static bool checkPaint(void *user, const ActionValue *value, EngineError *error) {
    Paint paint;
    return readPaint(value->text, &paint, error) &&
           (!paint.bone || paintFindBone(((SpineViewer *)user)->model, paint.bone) != PAINT_NO_BONE ||
            engineFail(error, "no bone '%.100s'; 'vkskin info' lists them", paint.bone));
}

static bool setPaint(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    char text[ACTION_VALUE_SIZE];
    Paint paint;
    snprintf(text, sizeof text, "%s", value->text);
    if (!readPaint(text, &paint, error) || !spineDrawSetPaint(viewer->draw, &paint, error)) {
        return false;
    }
    memcpy(viewer->paintText, text, sizeof text);
    return readPaint(viewer->paintText, &viewer->paint, error);
}

static bool readBone(const SpineViewer *viewer, const char *text, int32_t *bone, EngineError *error) {
    const Names names = NAMES_OF(viewer->spine->bones, viewer->spine->boneCount);
    return readNamed(text, &names, "bone", bone, error);
}

static bool checkBone(void *user, const ActionValue *value, EngineError *error) {
    int32_t bone;
    return readBone(user, value->text, &bone, error);
}

/* The selected bone is painted. */
static bool selectBone(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    char text[ACTION_VALUE_SIZE] = "none";
    int32_t bone;
    if (!readBone(viewer, value->text, &bone, error)) {
        return false;
    }
    viewer->bone = bone;
    if (viewer->bone >= 0) {
        snprintf(text, sizeof text, "bone:%.1000s", viewer->spine->bones[viewer->bone].name);
    } else if (!viewer->paint.type || !viewer->paint.type->named) {
        return true;
    }
    return setPaint(user, &(ActionValue){.text = text}, error);
}

static bool checkPlace(void *user, const ActionValue *value, EngineError *error) {
    float place[2];
    (void)user;
    return actionPlace(value->text, place, error);
}

/* Says what is there, and selects its bone. */
static bool pickPlace(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    const SpineModel *spine = viewer->spine;
    char line[3 * ACTION_VALUE_SIZE] = "picked: nothing", bone[ACTION_VALUE_SIZE] = "none";
    float place[2], size[2];
    double at[2];
    if (!actionPlace(value->text, place, error)) {
        return false;
    }
    windowSize(viewer->place->window, size);
    spineCameraPlace(&viewer->camera, size, (const float[2]){place[0] * size[0], place[1] * size[1]}, at);
    const SpinePick pick = spinePick(viewer->pose, at);
    if (pick.slot >= 0) {
        const SpineAttachment *attachment = &spine->attachments[pick.attachment];
        snprintf(bone, sizeof bone, "%u", pick.bone);
        snprintf(line, sizeof line, "picked: slot '%.900s', %s '%.900s', bone '%.900s'", spine->slots[pick.slot].name,
                 SPINE_KIND_NAMES[attachment->kind], spine->names[attachment->name].text, spine->bones[pick.bone].name);
    }
    sayLines(stdout, line);
    return selectBone(user, &(ActionValue){.text = bone}, error);
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
    spineFrameCamera(user);
    return true;
}

/* ---- Panels ---- */

static const char *listedClip(const void *user, uint32_t index) {
    return ((const SpineModel *)user)->animations[index].name;
}

static const char *listedSkin(const void *user, uint32_t index) {
    return ((const SpineModel *)user)->skins[index].name;
}

static const char *listedBone(const void *user, uint32_t index) {
    return ((const SpineModel *)user)->bones[index].name;
}

static uint32_t boneParent(const void *user, uint32_t index) {
    const int32_t parent = ((const SpineModel *)user)->bones[index].parent;
    return parent < 0 ? PANELS_NONE : (uint32_t)parent;
}

void spinePanels(void *user, Panels *panels) {
    const SpineViewer *viewer = user;
    const SpineModel *spine = viewer->spine;
    const PanelsList clips = {spine->animationCount, listedClip, NULL, spine};
    const PanelsList skins = {spine->skinCount, listedSkin, NULL, spine};
    const PanelsList bones = {spine->boneCount, listedBone, boneParent, spine};
    static const char *const backs[] = {"targets-back", "reset-camera"}, *const labels[] = {"targets back", "show all"};
    if (panelsSection(panels, "Clip", true)) {
        panelsChoice(panels, "clip", "clip", &clips, (uint32_t)spinePlayerAnimation(&viewer->player), "setup pose");
        panelsChoice(panels, "blend-clip", "second", &clips, (uint32_t)viewer->player.blendAnimation, "none");
        panelsNumber(panels, "blend-weight", "weight", viewer->player.blendWeight, 0.0, 1.0, "%.2f");
    }
    if (panelsSection(panels, "Skin", true)) {
        panelsChoice(panels, "skin", "skin", &skins, (uint32_t)viewer->skin, "as --skin");
    }
    if (viewer->machine && panelsSection(panels, "State machine", true)) {
        viewPanelsMachine(panels, viewer->machine, viewer->player.clock);
    }
    if (panelsSection(panels, "Show", true)) {
        viewPanelsPaint(panels, &viewer->paint, viewer->paintText, true);
        panelsSwitch(panels, "mesh", "mesh", (viewer->shows & SPINE_SHOW_MESH) != 0);
        panelsSwitch(panels, "wireframe", "wireframe", (viewer->shows & SPINE_SHOW_WIREFRAME) != 0);
        panelsSwitch(panels, "joints", "joints", (viewer->shows & SPINE_SHOW_JOINTS) != 0);
        panelsSwitch(panels, "targets", "targets", (viewer->shows & SPINE_SHOW_TARGETS) != 0);
        panelsButtons(panels, backs, labels, COUNT_OF(backs));
    }
    if (panelsSection(panels, "Bones", true)) {
        panelsTree(panels, "bone", &bones, (uint32_t)viewer->bone);
    }
}

void spineTimes(const void *user, PanelsTimes *times) {
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
    {"bone", NULL, "0", "selects a bone and paints it, by number or name; none", .run = selectBone, .check = checkBone},
    {"pick", NULL, "0.5,0.5", "says what is there and selects its bone, as a click does: shares of the picture",
     .run = pickPlace, .check = checkPlace},
    {"paint", NULL, "dominant", "a paint in place of pictures; none", .run = setPaint, .check = checkPaint},
    {"targets-back", "k", NULL, "puts targets of IK constraints back", .run = putBack},
    {"mesh", "m", NULL, "shows or hides what the slots show", SPINE_SHOW_MESH, .run = switchShow},
    {"wireframe", "w", NULL, "shows or hides the edges of triangles", SPINE_SHOW_WIREFRAME, .run = switchShow},
    {"joints", "j", NULL, "shows or hides the bones", SPINE_SHOW_JOINTS, .run = switchShow},
    {"targets", "t", NULL, "shows or hides the targets of IK constraints", SPINE_SHOW_TARGETS, .run = switchShow},
    {"reset-camera", "r f", NULL, "shows everything", .run = resetCamera},
};

const Action *spineActions(uint32_t *count) {
    *count = COUNT_OF(ACTIONS);
    return ACTIONS;
}
