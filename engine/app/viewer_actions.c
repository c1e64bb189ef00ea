#include "viewer_actions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "terminal.h"
#include "viewer_fall.h"

#define FIRST_ASPECT (16.0f / 9.0f) /* aspect ratio while the window has no size */
#define PICK_RANGE   24.0f          /* pixels from a node to the mouse */
#define NODE_SHARE   0.2f           /* share of the height of a character that a selected node is shown with */

/* ---- The selection ---- */

static const SkinnedModel *selected(const Viewer *viewer) {
    return viewer->def->scene->models[viewer->kind];
}

/* A crowd that the device poses has no motion of its own. */
static Motion *motionOf(const Viewer *viewer, EngineError *error) {
    if (viewer->def->scene->skin.system == SKIN_SYSTEM_CROWD) {
        engineFail(error, "the system 'crowd' plays clips as they are");
        return NULL;
    }
    return selected(viewer)->motion;
}

static void setPaint(void *user, const ActionValue *value) {
    Viewer *viewer = user;
    EngineError checked;
    snprintf(viewer->paint, sizeof viewer->paint, "%s", value->text);
    (void)paintParse(viewer->paint, &viewer->scene.paint, &checked);
}

/* Any model may have the bone. */
static bool checkPaint(void *user, const ActionValue *value, EngineError *error) {
    const Scene *scene = ((const Viewer *)user)->def->scene;
    Paint paint;
    bool good = false;
    for (uint32_t i = scene->modelCount; i-- > 0 && !good;) { /* an error is that of the first */
        good = paintRead(value->text, &scene->models[i]->model, 1, &paint, error);
    }
    return good;
}

/* A selected bone is painted; without one such a paint ends. */
static void paintSelection(Viewer *viewer) {
    const Paint *paint = &viewer->scene.paint;
    char text[ACTION_VALUE_SIZE] = "none";
    if (viewer->node != ACTION_NONE) {
        snprintf(text, sizeof text, "bone:%.1000s", selected(viewer)->model->nodes[viewer->node].name);
    }
    if (viewer->node != ACTION_NONE || (paint->type && paint->type->named)) {
        setPaint(viewer, &(ActionValue){.text = text});
    }
}

static Names nodeNames(const void *user) {
    const Model *model = selected(user)->model;
    return NAMES_OF(model->nodes, model->nodeCount);
}

static void selectBone(void *user, const ActionValue *value) {
    Viewer *viewer = user;
    viewer->node = value->index;
    paintSelection(viewer);
}

static Names modelNames(const void *user) {
    const ViewerDef *def = ((const Viewer *)user)->def;
    return (Names){def->names, sizeof *def->names, def->scene->modelCount};
}

static bool selectModel(void *user, const ActionValue *value, EngineError *error) {
    Viewer *viewer = user;
    if (value->index == ACTION_NONE) {
        return engineFail(error, "'model' takes the name of a model, or its number");
    }
    viewer->node = value->index == viewer->kind ? viewer->node : ACTION_NONE;
    viewer->kind = value->index;
    paintSelection(viewer);
    return true;
}

/* ---- Clips and times ---- */

void viewerStepClips(Population *population, int steps) {
    population->changed = population->changed || steps != 0;
    for (uint32_t i = 0; i < population->characterCount; i++) {
        Character *character = &population->characters[i];
        int64_t count = population->models[character->model]->clipCount;
        if (count > 0) {
            int64_t from = character->clip < count ? character->clip : steps > 0 ? -1 : count;
            character->clip = (uint32_t)(((from + steps) % count + count) % count);
        }
    }
}

static void stepClips(void *user, const ActionValue *value) {
    viewerStepClips(((Viewer *)user)->def->scene->population, (int)value->number);
}

static Names clipNames(const void *user) {
    const Model *model = selected(user)->model;
    return NAMES_OF(model->clips, model->clipCount);
}

/* The characters of the selected model, one after the other. index: from 0. */
static Character *characterAt(const Viewer *viewer, uint32_t index) {
    Population *population = viewer->def->scene->population;
    population->changed = true;
    return &population->characters[population->order[population->kindStarts[viewer->kind] + index]];
}

static uint32_t characterCount(const Viewer *viewer) {
    return populationKindSize(viewer->def->scene->population, viewer->kind);
}

static void setClip(void *user, const ActionValue *value) {
    for (uint32_t i = 0; i < characterCount(user); i++) {
        characterAt(user, i)->clip = value->index;
    }
}

static void setTime(void *user, const ActionValue *value) {
    const Viewer *viewer = user;
    for (uint32_t i = 0; i < characterCount(viewer); i++) {
        characterAt(viewer, i)->time = value->number - viewer->clock;
    }
}

/* A clip that begins to repeat goes on from where it is held. */
static void switchLoop(void *user, const ActionValue *value) {
    const ActionValue now = {.number = viewerTime(user)};
    (void)value;
    for (uint32_t i = 0; i < characterCount(user); i++) {
        Character *character = characterAt(user, i);
        character->wrap = character->wrap == VKSKIN_WRAP_LOOP ? VKSKIN_WRAP_CLAMP : VKSKIN_WRAP_LOOP;
    }
    setTime(user, &now);
}

/* ---- Methods, second clips, morph targets, the state machine ---- */

static bool nextMethod(void *user, const ActionValue *value, EngineError *error) {
    Scene *scene = ((Viewer *)user)->def->scene;
    SkinMode mode = scene->population->characters[0].mode;
    (void)value;
    do { /* to the next one that the scene was made for */
        mode = (SkinMode)((mode + 1) % SKIN_MODE_COUNT);
    } while ((scene->modes & 1u << mode) == 0);
    return sceneChangeMode(scene, mode, error);
}

static bool setMethod(void *user, const ActionValue *value, EngineError *error) {
    Scene *scene = ((Viewer *)user)->def->scene;
    for (int mode = 0; mode < SKIN_MODE_COUNT; mode++) {
        if ((scene->modes & 1u << mode) != 0 && strcmp(SKIN_MODE_NAMES[mode], value->text) == 0) {
            return sceneChangeMode(scene, (SkinMode)mode, error);
        }
    }
    return engineFail(error, "no method '%.100s' in this scene", value->text);
}

enum { MOTION_BLEND, MOTION_ADD, MOTION_SOLVERS };

/* Changes all models that characters show. value->number: MOTION_BLEND and so on. */
static bool switchMotions(void *user, const ActionValue *value, EngineError *error) {
    const Viewer *viewer = user;
    const Scene *scene = viewer->def->scene;
    const Population *population = scene->population;
    if (!motionOf(viewer, error)) {
        return false;
    }
    for (uint32_t kind = 0; kind < scene->modelCount; kind++) {
        Motion *motion = scene->models[kind]->motion;
        if (value->number == MOTION_ADD) {
            motionSwitchAdd(motion);
        } else if (value->number == MOTION_SOLVERS) {
            motionSwitchSolvers(motion);
        } else if (populationKindSize(population, kind) > 0) {
            motionStepBlend(motion, population->characters[population->order[population->kindStarts[kind]]].clip);
        }
    }
    return true;
}

static bool setBlendClip(void *user, const ActionValue *value, EngineError *error) {
    Motion *motion = motionOf(user, error);
    if (motion) {
        motion->blendClip = value->index;
        motion->version++;
    }
    return motion != NULL;
}

static bool setBlendWeight(void *user, const ActionValue *value, EngineError *error) {
    Motion *motion = motionOf(user, error);
    if (motion) {
        motion->blendWeight = (float)value->number;
        motion->version++;
    }
    return motion != NULL;
}

static bool checkMorph(void *user, const ActionValue *value, EngineError *error) {
    const MorphSetting setting = {.name = value->name};
    return morphSettingIsKnown(&setting, selected(user)->model) ||
           engineFail(error, "no morph target '%.100s'; 'vkskin info' lists them", value->name);
}

static bool setMorph(void *user, const ActionValue *value, EngineError *error) {
    const SkinnedModel *model = selected(user);
    Motion *motion = motionOf(user, error);
    const MorphSetting setting = {.name = value->name, .weight = (float)value->number};
    for (uint32_t p = 0; motion && p < model->partCount; p++) {
        const SkinnedPart *part = &model->parts[p];
        for (uint32_t target = 0; target < part->morphCount; target++) {
            if (morphSettingIsOf(&setting, model->model, part->modelMesh, target)) {
                model->morphs[part->firstMorph + target] = (SkinnedMorph){setting.weight, true};
            }
        }
        motion->version++;
    }
    return motion != NULL;
}

static bool setParameter(void *user, const ActionValue *value, EngineError *error) {
    const Viewer *viewer = user;
    Motion *motion = motionOf(viewer, error);
    const Character *character = viewerCharacter(viewer);
    if (motion && (!motion->machine || !character)) {
        return engineFail(error, "there is no state machine: --machine");
    }
    if (motion) {
        motion->version++;
    }
    return motion &&
           motionMachineSet(motion->machine, character->time + viewer->clock, value->name, (float)value->number, error);
}

/* ---- The camera ---- */

static float windowAspect(const Viewer *viewer) {
    float size[2];
    windowSize(viewer->def->window, size);
    return size[0] > 1.0f && size[1] > 1.0f ? size[0] / size[1] : FIRST_ASPECT;
}

void viewerResetCamera(Viewer *viewer) {
    const DrawScene fresh = drawDefaultScene(viewer->def->scene->population, windowAspect(viewer));
    viewer->scene.camera = fresh.camera;
    viewer->orbit = orbitFrom(&viewer->scene.camera);
    viewer->scene.camera = orbitCamera(&viewer->orbit); /* bit-identical to later resets */
}

static void resetCamera(void *user, const ActionValue *value) {
    (void)value;
    viewerResetCamera(user);
}

enum { VIEW_FRONT, VIEW_SIDE, VIEW_TOP };

/* From a side of what the camera looks at. value->number: VIEW_FRONT and so on. */
static void lookFrom(void *user, const ActionValue *value) {
    Viewer *viewer = user;
    viewer->orbit.yaw = value->number == VIEW_SIDE ? 1.57079633f : 0.0f;
    viewer->orbit.pitch = value->number == VIEW_TOP ? ORBIT_MAX_PITCH : 0.0f;
    viewer->scene.camera = orbitCamera(&viewer->orbit);
}

/* Matrices of the nodes of a character in the world, now. Null: out of memory, or the model has no nodes. */
static VkskinAffine *worldNodes(const Viewer *viewer, const Character *character) {
    VkskinAffine *nodes = calloc(selected(viewer)->model->nodeCount, sizeof *nodes);
    EngineError error;
    if (nodes && !populationNodes(viewer->def->scene->population, character, viewer->clock, nodes, &error)) {
        free(nodes);
        return NULL;
    }
    return nodes;
}

/* What is selected: a node, or else the first character of the model. */
static Bounds selectionBox(const Viewer *viewer) {
    const SkinnedModel *model = selected(viewer);
    const Character *character = viewerCharacter(viewer);
    VkskinAffine *nodes = viewer->node != ACTION_NONE ? worldNodes(viewer, character) : NULL;
    const VkskinAffine toWorld = populationToWorld(viewer->def->scene->population, character);
    Bounds box = boundsTransform(skinnedModelBox(model, character->clip, character->mode), &toWorld);
    if (nodes) {
        const float reach = NODE_SHARE * (box.max[1] - box.min[1]);
        for (int i = 0; i < 3; i++) {
            box.min[i] = nodes[viewer->node].m[i][3] - reach;
            box.max[i] = nodes[viewer->node].m[i][3] + reach;
        }
    }
    free(nodes);
    return box;
}

static void lookAtSelection(Viewer *viewer) {
    if (!viewerCharacter(viewer)) {
        return;
    }
    const Bounds box = selectionBox(viewer);
    if (boundsIsEmpty(&box) || !boundsCanBeDrawn(&box)) {
        return;
    }
    const Camera camera = cameraFrame(&box, viewer->orbit.yaw, viewer->orbit.pitch, viewer->orbit.start.fieldOfView,
                                      windowAspect(viewer));
    const Orbit orbit = orbitFrom(&camera);
    memcpy(viewer->orbit.target, orbit.target, sizeof orbit.target);
    viewer->orbit.distance = orbit.distance;
    orbitZoom(&viewer->orbit, 0.0f); /* within its limits */
    viewer->scene.camera = orbitCamera(&viewer->orbit);
}

static void frameSelected(void *user, const ActionValue *value) {
    (void)value;
    lookAtSelection(user);
}

/* Pixels of the window from a point to a place; infinite behind the camera. */
static float distanceTo(const float viewProjection[16], const float size[2], const VkskinAffine *node,
                        const float pixel[2]) {
    float place[2];
    return cameraPlaceOf(viewProjection, node, place) > 0.0f
               ? hypotf(place[0] * size[0] - pixel[0], place[1] * size[1] - pixel[1])
               : INFINITY;
}

void viewerFocus(Viewer *viewer, const float pixel[2]) {
    Character *character = viewerCharacter(viewer);
    VkskinAffine *nodes = character ? worldNodes(viewer, character) : NULL;
    float viewProjection[16], size[2], nearest = PICK_RANGE;
    windowSize(viewer->def->window, size);
    cameraViewProjection(&viewer->scene.camera, size[0] / size[1], viewProjection);
    for (uint32_t i = 0; nodes && i < selected(viewer)->model->nodeCount; i++) {
        const float distance = distanceTo(viewProjection, size, &nodes[i], pixel);
        if (distance < nearest) {
            nearest = distance;
            viewer->node = i;
        }
    }
    free(nodes);
    paintSelection(viewer);
    lookAtSelection(viewer);
}

/* Says what was picked, and selects the model of the character and the node that moves it most there; nothing: no node. */
static void takePick(Viewer *viewer, const PopulationPick *pick) {
    const Population *population = viewer->def->scene->population;
    const bool hit = pick->character != PICK_NOTHING;
    char line[2 * ACTION_VALUE_SIZE] = "picked: nothing";
    if (hit) {
        viewer->kind = population->characters[pick->character].model;
        snprintf(line, sizeof line, "picked: character %u, node '%.1000s'", pick->character,
                 pick->node != PICK_NOTHING ? selected(viewer)->model->nodes[pick->node].name : "");
    }
    sayLines(stdout, line);
    viewer->pick = *pick;
    viewer->node = hit && pick->node != PICK_NOTHING ? pick->node : ACTION_NONE;
    paintSelection(viewer);
}

static bool pickPlace(void *user, const ActionValue *value, EngineError *error) {
    Viewer *viewer = user;
    GpuCrowd *crowd = drawGpuCrowd(viewer->draw);
    PopulationPick pick;
    cameraRay(&viewer->scene.camera, windowAspect(viewer), value->place, viewer->ray.direction);
    memcpy(viewer->ray.origin, viewer->scene.camera.eye, sizeof viewer->ray.origin);
    if (crowd) {
        return gpuCrowdAsk(crowd, &viewer->ray, error);
    }
    const bool good = populationPick(viewer->def->scene->population, &viewer->ray, &pick, error);
    if (good) {
        takePick(viewer, &pick);
    }
    return good;
}

bool viewerAnswer(Viewer *viewer, EngineError *error) {
    GpuCrowd *crowd = drawGpuCrowd(viewer->draw);
    PopulationPick pick;
    bool found = false;
    const bool good = !crowd || gpuCrowdAnswer(crowd, &pick, &found, error);
    if (found) {
        takePick(viewer, &pick);
    }
    return good;
}

/* ---- What is shown, and light ---- */

/* value->number: DRAW_SHOW_MESH and so on. If nothing would remain, they stay. */
static bool switchShow(void *user, const ActionValue *value, EngineError *error) {
    Viewer *viewer = user;
    const uint32_t before = viewer->scene.shows != 0 ? viewer->scene.shows : DRAW_SHOW_MESH;
    const uint32_t shows = before ^ (uint32_t)value->number;
    if (!drawCanShow(viewer->draw, shows, error)) {
        return false;
    }
    viewer->scene.shows = shows != 0 ? shows : before;
    return true;
}

#define DEGREE 0.017453292519943295

void viewerSun(const Viewer *viewer, double *azimuth, double *elevation) {
    const float *sun = viewer->scene.sunDirection;
    *azimuth = atan2((double)sun[0], (double)sun[2]) / DEGREE;
    *elevation = atan2((double)sun[1], hypot((double)sun[0], (double)sun[2])) / DEGREE;
}

static void setSun(Viewer *viewer, double azimuth, double elevation) {
    const double level = cos(elevation * DEGREE);
    viewer->scene.sunDirection[0] = (float)(level * sin(azimuth * DEGREE));
    viewer->scene.sunDirection[1] = (float)sin(elevation * DEGREE);
    viewer->scene.sunDirection[2] = (float)(level * cos(azimuth * DEGREE));
}

static void turnSun(void *user, const ActionValue *value) {
    double azimuth, elevation;
    viewerSun(user, &azimuth, &elevation);
    setSun(user, value->number, elevation);
}

static void raiseSun(void *user, const ActionValue *value) {
    double azimuth, elevation;
    viewerSun(user, &azimuth, &elevation);
    setSun(user, azimuth, value->number);
}

static void setExposure(void *user, const ActionValue *value) {
    ((Viewer *)user)->scene.exposure = (float)value->number;
}

static void setBackground(void *user, const ActionValue *value) {
    Viewer *viewer = user;
    viewer->background = value->colour;
    viewer->scene.plain = value->colour != OPTION_COLOUR_NONE;
    for (int channel = 0; channel < 3; channel++) {
        const float encoded = (float)(value->colour >> (16 - 8 * channel) & 255) / 255.0f;
        viewer->scene.background[channel] =
            encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
    }
    viewer->scene.background[3] = 1.0f;
}

/* ---- The table ---- */

static const Action ACTIONS[] = {
    {"model", NULL, "0", "the model that the next actions are for, by number or name", .names = modelNames,
     .run = selectModel},
    {"next-clip", "right ]", NULL, "the next clip of all models", 1.0, .act = stepClips},
    {"previous-clip", "left [", NULL, "the clip before", -1.0, .act = stepClips},
    {"clip", NULL, "0", "a clip of the model, by number or name; none: the rest pose", .names = clipNames,
     .act = setClip},
    {"time", NULL, "0.5", "seconds since the start of the clip", -1e6, 1e6, .act = setTime},
    {"loop", "l", NULL, "repeats the clip, or holds its end", .act = switchLoop},
    {"next-blend", "b", NULL, "the weight of a second clip: a quarter more", MOTION_BLEND, .run = switchMotions},
    {"blend-clip", NULL, "0", "the second clip", .names = clipNames, .run = setBlendClip},
    {"blend-weight", NULL, "0.5", "its weight", 0.0, 1.0, .run = setBlendWeight},
    {"additive", "n", NULL, "turns the additive clip on or off", MOTION_ADD, .run = switchMotions},
    {"solvers", "k", NULL, "turns reach and look on or off", MOTION_SOLVERS, .run = switchMotions},
    {"parameter", NULL, "speed=1", "sets a parameter of the state machine", .read = actionSetting, .run = setParameter},
    {"morph", NULL, "0=0.5", "weight of a morph target, by number or name", .read = actionSetting, .run = setMorph,
     .check = checkMorph},
    {"next-method", "m", NULL, "the next skinning method", .run = nextMethod},
    {"method", NULL, "lbs", "a skinning method by name", .run = setMethod},
    {"bone", NULL, "0", "selects a node and paints it, by number or name; none", .names = nodeNames, .act = selectBone},
    {"pick", NULL, "0.5,0.5", "selects what is there, as a click does: shares of the picture from the upper left",
     .read = actionPlace, .run = pickPlace},
    {"collapse", "c", NULL, "lets the character that was picked last fall where it was hit, or stand up again",
     .run = viewerCollapse},
    {"paint", NULL, "weights", "a paint in place of materials; none", .act = setPaint, .check = checkPaint},
    {"mesh", "x", NULL, "shows or hides the mesh", DRAW_SHOW_MESH, .run = switchShow},
    {"wireframe", "w", NULL, "shows or hides the edges of triangles", DRAW_SHOW_WIREFRAME, .run = switchShow},
    {"joints", "j", NULL, "shows or hides the bones", DRAW_SHOW_JOINTS, .run = switchShow},
    {"normals", "v", NULL, "shows or hides the normals of vertices", DRAW_SHOW_NORMALS, .run = switchShow},
    {"boxes", "o", NULL, "shows or hides the box of each character", DRAW_SHOW_BOXES, .run = switchShow},
    {"motion", "u", NULL, "shows or hides motion vectors", DRAW_SHOW_MOTION, .run = switchShow},
    {"bodies", "d", NULL, "shows or hides the capsules of ragdolls", DRAW_SHOW_BODIES, .run = switchShow},
    {"light-azimuth", NULL, "45", "degrees of the sun from the front to the side", -180.0, 180.0, .act = turnSun},
    {"light-elevation", NULL, "45", "degrees of the sun above the horizon", 1.0, 89.0, .act = raiseSun},
    {"exposure", NULL, "1.5", "how bright the picture is", 0.125, 8.0, .act = setExposure},
    {"background", NULL, "404040", "a plain colour; none: ground and sky", .read = actionColour, .act = setBackground},
    {"reset-camera", "r", NULL, "shows everything", .act = resetCamera},
    {"frame", "f", NULL, "shows the selection, as a double click does", .act = frameSelected},
    {"front", "1", NULL, "looks from the front", VIEW_FRONT, .act = lookFrom},
    {"side", "2", NULL, "looks from the side", VIEW_SIDE, .act = lookFrom},
    {"top", "3", NULL, "looks from above", VIEW_TOP, .act = lookFrom},
};

const Action *viewerActions(uint32_t *count) {
    *count = COUNT_OF(ACTIONS);
    return ACTIONS;
}
