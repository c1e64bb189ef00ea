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

static void stepClips(void *user, const ActionValue *value) {
    SpineViewer *viewer = user;
    spinePlayerStep(&viewer->player, (int)value->number, !viewer->paused);
}

static Names clipNames(const void *user) {
    const SpineModel *spine = ((const SpineViewer *)user)->spine;
    return NAMES_OF(spine->animations, spine->animationCount);
}

static void setClip(void *user, const ActionValue *value) {
    SpineViewer *viewer = user;
    spinePlayerChange(&viewer->player, (int32_t)value->index, !viewer->paused);
}

static void setTime(void *user, const ActionValue *value) {
    spinePlayerSeek(&((SpineViewer *)user)->player, value->number);
}

static void nextBlend(void *user, const ActionValue *value) {
    (void)value;
    spinePlayerStepBlend(&((SpineViewer *)user)->player);
}

static void setBlendClip(void *user, const ActionValue *value) {
    ((SpineViewer *)user)->player.blendAnimation = (int32_t)value->index;
}

static bool setBlendWeight(void *user, const ActionValue *value, EngineError *error) {
    SpinePlayer *player = &((SpineViewer *)user)->player;
    player->blendWeight = player->blendAnimation >= 0 ? value->number : player->blendWeight;
    return player->blendAnimation >= 0 || engineFail(error, "there is no second clip: 'blend-clip 1'");
}

/* From none to each skin but "default", and back to none. */
static bool nextSkin(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    const SpineModel *spine = viewer->spine;
    (void)value;
    do {
        viewer->skin = viewer->skin + 1 < (int32_t)spine->skinCount ? viewer->skin + 1 : -1;
    } while (viewer->skin >= 0 && viewer->skin == spine->defaultSkin);
    return spineMakePose(viewer, error);
}

static Names skinNames(const void *user) {
    const SpineModel *spine = ((const SpineViewer *)user)->spine;
    return NAMES_OF(spine->skins, spine->skinCount);
}

static bool setSkin(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    viewer->skin = (int32_t)value->index;
    return spineMakePose(viewer, error);
}

static void putBack(void *user, const ActionValue *value) {
    SpineViewer *viewer = user;
    (void)value;
    viewer->player.pullCount = 0;
    viewer->grabbed = -1;
}

/* value->number: SPINE_SHOW_MESH and so on. If no view would remain, they stay. */
static void switchShow(void *user, const ActionValue *value) {
    SpineViewer *viewer = user;
    const uint32_t shows = viewer->shows ^ (uint32_t)value->number;
    viewer->shows = (shows & ~(uint32_t)SPINE_SHOW_TARGETS) != 0 ? shows : viewer->shows;
}

static bool checkPaint(void *user, const ActionValue *value, EngineError *error) {
    Paint paint;
    return paintRead(value->text, &((const SpineViewer *)user)->model, 1, &paint, error);
}

static bool setPaint(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    Paint paint;
    if (!paintParse(value->text, &paint, error) || !spineDrawSetPaint(viewer->draw, &paint, error)) {
        return false;
    }
    snprintf(viewer->paintText, sizeof viewer->paintText, "%s", value->text);
    return paintParse(viewer->paintText, &viewer->paint, error);
}

static Names boneNames(const void *user) {
    const SpineModel *spine = ((const SpineViewer *)user)->spine;
    return NAMES_OF(spine->bones, spine->boneCount);
}

/* The selected bone is painted. */
static bool selectBone(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    char text[ACTION_VALUE_SIZE] = "none";
    viewer->bone = (int32_t)value->index;
    if (viewer->bone >= 0) {
        snprintf(text, sizeof text, "bone:%.1000s", viewer->spine->bones[viewer->bone].name);
    } else if (!viewer->paint.type || !viewer->paint.type->named) {
        return true;
    }
    return setPaint(user, &(ActionValue){.text = text}, error);
}

/* Says what is there, and selects its bone. */
static bool pickPlace(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    const SpineModel *spine = viewer->spine;
    char line[3 * ACTION_VALUE_SIZE] = "picked: nothing";
    ActionValue bone = {.index = ACTION_NONE};
    float size[2];
    double at[2];
    windowSize(viewer->place->window, size);
    spineCameraPlace(&viewer->camera, size, (const float[2]){value->place[0] * size[0], value->place[1] * size[1]}, at);
    const SpinePick pick = spinePick(viewer->pose, at);
    if (pick.slot >= 0) {
        const SpineAttachment *attachment = &spine->attachments[pick.attachment];
        bone.index = pick.bone;
        snprintf(line, sizeof line, "picked: slot '%.900s', %s '%.900s', bone '%.900s'", spine->slots[pick.slot].name,
                 SPINE_KIND_NAMES[attachment->kind], spine->names[attachment->name].text, spine->bones[pick.bone].name);
    }
    sayLines(stdout, line);
    return selectBone(user, &bone, error);
}

static bool setParameter(void *user, const ActionValue *value, EngineError *error) {
    SpineViewer *viewer = user;
    return (viewer->machine || engineFail(error, "there is no state machine: --machine")) &&
           motionMachineSet(viewer->machine, viewer->player.clock, value->name, (float)value->number, error);
}

static void resetCamera(void *user, const ActionValue *value) {
    (void)value;
    spineFrameCamera(user);
}

/* ---- Panels ---- */

void spinePanels(void *user, Panels *panels) {
    const SpineViewer *viewer = user;
    static const char *const backs[] = {"targets-back", "reset-camera"}, *const labels[] = {"targets back", "show all"};
    if (panelsSection(panels, "Clip", true)) {
        panelsChoice(panels, "clip", "clip", (uint32_t)spinePlayerAnimation(&viewer->player), "setup pose");
        panelsChoice(panels, "blend-clip", "second", (uint32_t)viewer->player.blendAnimation, "none");
        panelsNumber(panels, "blend-weight", "weight", viewer->player.blendWeight, "%.2f");
    }
    if (panelsSection(panels, "Skin", true)) {
        panelsChoice(panels, "skin", "skin", (uint32_t)viewer->skin, "as --skin");
    }
    if (viewer->machine && panelsSection(panels, "State machine", true)) {
        viewPanelsMachine(panels, viewer->machine, viewer->player.clock);
    }
    if (panelsSection(panels, "Show", true)) {
        viewPanelsPaint(panels, &viewer->paint, true);
        panelsSwitch(panels, "mesh", "mesh", (viewer->shows & SPINE_SHOW_MESH) != 0);
        panelsSwitch(panels, "wireframe", "wireframe", (viewer->shows & SPINE_SHOW_WIREFRAME) != 0);
        panelsSwitch(panels, "joints", "joints", (viewer->shows & SPINE_SHOW_JOINTS) != 0);
        panelsSwitch(panels, "targets", "targets", (viewer->shows & SPINE_SHOW_TARGETS) != 0);
        panelsButtons(panels, backs, labels, COUNT_OF(backs));
    }
    if (panelsSection(panels, "Bones", true)) {
        panelsTree(panels, "bone", &viewer->spine->bones->parent, (uint32_t)viewer->bone);
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
    {"next-clip", "right ]", NULL, "the next clip", 1.0, .act = stepClips},
    {"previous-clip", "left [", NULL, "the clip before", -1.0, .act = stepClips},
    {"clip", NULL, "0", "a clip, by number or name; none: the setup pose", .names = clipNames, .act = setClip},
    {"time", NULL, "0.5", "seconds since the start of the clip", 0.0, 1e6, .act = setTime},
    {"next-blend", "b", NULL, "the weight of a second clip: a quarter more", .act = nextBlend},
    {"blend-clip", NULL, "0", "the second clip", .names = clipNames, .act = setBlendClip},
    {"blend-weight", NULL, "0.5", "its weight", 0.0, 1.0, .run = setBlendWeight},
    {"parameter", NULL, "speed=1", "sets a parameter of the state machine", .read = actionSetting, .run = setParameter},
    {"next-skin", "s", NULL, "the next skin", .run = nextSkin},
    {"skin", NULL, "0", "a skin, by number or name; none: those of --skin", .names = skinNames, .run = setSkin},
    {"bone", NULL, "0", "selects a bone and paints it, by number or name; none", .names = boneNames, .run = selectBone},
    {"pick", NULL, "0.5,0.5", "says what is there and selects its bone, as a click does: shares of the picture",
     .read = actionPlace, .run = pickPlace},
    {"paint", NULL, "dominant", "a paint in place of pictures; none", .run = setPaint, .check = checkPaint},
    {"targets-back", "k", NULL, "puts targets of IK constraints back", .act = putBack},
    {"mesh", "m", NULL, "shows or hides what the slots show", SPINE_SHOW_MESH, .act = switchShow},
    {"wireframe", "w", NULL, "shows or hides the edges of triangles", SPINE_SHOW_WIREFRAME, .act = switchShow},
    {"joints", "j", NULL, "shows or hides the bones", SPINE_SHOW_JOINTS, .act = switchShow},
    {"targets", "t", NULL, "shows or hides the targets of IK constraints", SPINE_SHOW_TARGETS, .act = switchShow},
    {"reset-camera", "r f", NULL, "shows everything", .act = resetCamera},
};

const Action *spineActions(uint32_t *count) {
    *count = COUNT_OF(ACTIONS);
    return ACTIONS;
}
