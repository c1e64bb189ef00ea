#include "viewer_actions.h"

#include <stdio.h>
#include <string.h>

#include "count_of.h"
#include "terminal.h"

/* ---- Sections ---- */

static void addCount(Panels *panels, const char *label, uint64_t count) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    panelsText(panels, label, text);
}

static void addModel(const Viewer *viewer, const Model *model, Panels *panels) {
    const Scene *scene = viewer->def->scene;
    const SkinnedModel *skinned = scene->models[viewer->kind];
    panelsChoice(panels, "model", "model", viewer->kind, NULL);
    addCount(panels, "vertices", skinned->verticesPerInstance);
    addCount(panels, "nodes", model->nodeCount);
}

static void addClips(const Viewer *viewer, const Model *model, const Character *character, Panels *panels) {
    const Motion *motion = viewer->def->scene->models[viewer->kind]->motion;
    panelsChoice(panels, "clip", "clip", character->clip, "rest pose");
    if (model->clipCount > 1 && motion && !motion->machine && viewer->def->scene->skin.system != SKIN_SYSTEM_CROWD) {
        panelsChoice(panels, "blend-clip", "second", motion->blendClip, "none");
        panelsNumber(panels, "blend-weight", "weight", (double)motion->blendWeight, "%.2f");
    }
    if (motion && motion->addClip < model->clipCount) {
        panelsSwitch(panels, "additive", "additive clip", motion->addWeight != 0.0f);
    }
    if (motion && (motion->canReach || motion->canLook)) {
        panelsSwitch(panels, "solvers", "reach and look", motion->reaches || motion->looks);
    }
}

static void addMethod(const Viewer *viewer, const Character *character, Panels *panels) {
    const Scene *scene = viewer->def->scene;
    const char *words[SKIN_MODE_COUNT]; /* those that the scene was made for */
    Names modes = {words, sizeof words[0], 0};
    uint32_t current = 0;
    for (uint32_t mode = 0; mode < SKIN_MODE_COUNT; mode++) {
        current = mode == character->mode ? modes.count : current;
        words[modes.count] = SKIN_MODE_NAMES[mode];
        modes.count += scene->modes >> mode & 1u;
    }
    panelsWords(panels, "method", "method", &modes, current);
    panelsText(panels, "system", SKIN_SYSTEM_NAMES[scene->skin.system]);
    if (skinSystemSkinsOnce(scene->skin.system)) {
        panelsText(panels, "backend", SKIN_BACKEND_NAMES[scene->skinning->backend]);
    }
}

static void addShows(const Viewer *viewer, Panels *panels) {
    const uint32_t shows = viewer->scene.shows != 0 ? viewer->scene.shows : DRAW_SHOW_MESH;
    viewPanelsPaint(panels, &viewer->scene.paint, false);
    static const char *const words[] = {"mesh",  "wireframe", "joints", "normals",
                                        "boxes", "motion",    "bodies"}; /* as DRAW_SHOW_MESH and on */
    for (uint32_t i = 0; i < COUNT_OF(words); i++) {
        panelsSwitch(panels, words[i], words[i], (shows >> i & 1u) != 0);
    }
}

static void addLight(const Viewer *viewer, Panels *panels) {
    double azimuth, elevation;
    viewerSun(viewer, &azimuth, &elevation);
    panelsNumber(panels, "light-azimuth", "azimuth", azimuth, "%.0f°");
    panelsNumber(panels, "light-elevation", "elevation", elevation, "%.0f°");
    panelsNumber(panels, "exposure", "exposure", (double)viewer->scene.exposure, "%.2f");
    panelsColour(panels, "background", "background", viewer->background, !viewer->scene.plain);
}

/* Targets of equal names move together: only the first of a name is shown. */
static void addMorphs(const Viewer *viewer, const SkinnedModel *skinned, Panels *panels) {
    char shown[256][128];
    const Population *population = viewer->def->scene->population;
    const Character *character = viewerCharacter(viewer);
    uint32_t count = 0;
    for (uint32_t p = 0; p < skinned->partCount; p++) {
        const SkinnedPart *part = &skinned->parts[p];
        const ModelMesh *mesh = &skinned->model->meshes[part->modelMesh];
        for (uint32_t target = 0; target < part->morphCount && count < COUNT_OF(shown); target++) {
            const uint32_t morph = part->firstMorph + target;
            const char *name = mesh->morphs[target].name;
            char *label = shown[count], number[12];
            bool known = false;
            snprintf(number, sizeof number, "%u", target);
            snprintf(label, sizeof shown[0], "%s", name[0] ? name : number);
            for (uint32_t i = 0; i < count; i++) {
                known = known || strcmp(shown[i], label) == 0;
            }
            if (!known) {
                const float weight = skinned->morphs[morph].fixed
                                         ? skinned->morphs[morph].weight
                                         : population->morphWeights[character->firstMorph + morph];
                count++;
                panelsSetting(panels, "morph", label, (double)weight, 0.0, 1.0);
            }
        }
    }
}

void viewerPanels(void *user, Panels *panels) {
    const Viewer *viewer = user;
    const Character *character = viewerCharacter(viewer);
    const SkinnedModel *skinned = viewer->def->scene->models[viewer->kind];
    const Model *model = skinned->model;
    static const char *const views[] = {"front", "side", "top"}, *const looks[] = {"frame", "reset-camera"};
    static const char *const labels[] = {"front", "side", "top"}, *const lookLabels[] = {"selection", "all"};
    if (panelsSection(panels, "Model", true)) {
        addModel(viewer, model, panels);
    }
    const MotionMachine *machine = skinned->motion ? skinned->motion->machine : NULL;
    if (character && !machine && panelsSection(panels, "Clip", true)) {
        addClips(viewer, model, character, panels);
    }
    if (character && machine && panelsSection(panels, "State machine", true)) {
        viewPanelsMachine(panels, machine, character->time + viewer->clock);
    }
    if (panelsSection(panels, "Show", true)) {
        addShows(viewer, panels);
    }
    if (model->nodeCount > 0 && panelsSection(panels, "Bones", true)) {
        panelsTree(panels, "bone", &model->nodes->parent, viewer->node);
    }
    if (character && skinned->morphCount > 0 && panelsSection(panels, "Morph targets", true)) {
        addMorphs(viewer, skinned, panels);
    }
    if (character && panelsSection(panels, "Skinning", false)) {
        addMethod(viewer, character, panels);
    }
    if (panelsSection(panels, "Light", false)) {
        addLight(viewer, panels);
    }
    if (panelsSection(panels, "Camera", false)) {
        panelsButtons(panels, views, labels, COUNT_OF(views));
        panelsButtons(panels, looks, lookLabels, COUNT_OF(looks));
    }
}

/* Passes by the timestamps of the device, where it has good ones. */
void viewerCosts(const void *user, Panels *panels) {
    const Viewer *viewer = user;
    const Scene *scene = viewer->def->scene;
    const Population *population = scene->population;
    VkskinTiming timings[16];
    uint32_t count = COUNT_OF(timings), shown = 0;
    char text[48];
    snprintf(text, sizeof text, "%.2f ms", viewer->posing);
    panelsText(panels, "posing", text);
    snprintf(text, sizeof text, "%.2f ms", viewer->recording);
    panelsText(panels, "recording", text);
    if (scene->device->info.timestampsTrusted &&
        vkskinGetTimings(scene->skinning->context, timings, &count, NULL, NULL) >= 0) {
        for (uint32_t i = 0; i < count; i++) {
            snprintf(text, sizeof text, "%.3f ms", timings[i].milliseconds);
            panelsText(panels, timings[i].name, text);
        }
    }
    for (uint32_t i = 0; i < population->characterCount; i++) {
        shown += population->characters[i].passes != 0;
    }
    addCount(panels, "characters", population->characterCount);
    addCount(panels, "in a pass", shown);
    addCount(panels, "vertices", population->vertexCount);
    addCount(panels, "bones", population->boneCount);
    addCount(panels, "draw calls", drawCallCount(viewer->draw));
    addCount(panels, "pipelines", drawPipelineCount(viewer->draw));
}

void viewerTimes(const void *user, PanelsTimes *times) {
    const Viewer *viewer = user;
    const Character *character = viewerCharacter(viewer);
    const Motion *motion = viewer->def->scene->models[viewer->kind]->motion;
    times->time = viewerTime(viewer);
    times->duration = character && motion ? motionDuration(motion, character->clip) : 0.0;
    times->loops = character && character->wrap == VKSKIN_WRAP_LOOP;
}
