#include "viewer_fall.h"

#include <string.h>

#include "population_fall.h"
#include "terminal.h"

/* ---- The guest ---- */

bool viewerGuestEnd(Viewer *viewer, EngineError *error) {
    bool good = true;
    if (viewer->guest) {
        good = deviceWait(viewer->def->scene->device, error) && drawSetGuest(viewer->draw, NULL, error) &&
               gpuCrowdHide(drawGpuCrowd(viewer->draw), viewer->guestOf, false, error);
        sceneDestroy(viewer->guest);
        viewer->guest = NULL;
    }
    return good;
}

/* In the place and the state of the character that was picked last. */
static bool inviteGuest(Viewer *viewer, EngineError *error) {
    static const MotionChoice none = {.blendWeight = 0.0f};
    Scene *scene = viewer->def->scene;
    GpuCrowd *crowd = drawGpuCrowd(viewer->draw);
    const Character *from = &scene->population->characters[viewer->pick.character];
    const Model *model = scene->models[from->model]->model;
    SceneDef def = {.models = &model,
                    .modelCount = 1,
                    .count = 1,
                    .placement = POPULATION_ORIGIN,
                    .skin = scene->skin,
                    .motion = &none,
                    .wrap = from->wrap,
                    .format = scene->format};
    def.skin.system = SKIN_SYSTEM_COMPUTE;
    def.skin.optional = NULL;
    def.skin.lods = 0;
    if (!viewerGuestEnd(viewer, error) || !deviceWait(scene->device, error)) {
        return false;
    }
    viewer->guest = sceneCreate(scene->device, &def, error);
    viewer->guestOf = viewer->pick.character;
    if (!viewer->guest) {
        return false;
    }
    Population *population = viewer->guest->population;
    Character *guest = &population->characters[0];
    memcpy(guest->tint, from->tint, sizeof guest->tint);
    guest->place = from->place;
    guest->clip = crowd->answerClip;
    guest->time = crowd->answerTime;
    population->clock = viewer->clock;
    EngineError ignored;
    if (!drawSetGuest(viewer->draw, population, error) || !gpuCrowdHide(crowd, viewer->guestOf, true, error)) {
        (void)viewerGuestEnd(viewer, &ignored);
        return false;
    }
    return true;
}

bool viewerGuestUpdate(Viewer *viewer, EngineError *error) {
    if (!viewer->guest) {
        return true;
    }
    const Population *population = viewer->guest->population;
    const Character *guest = &population->characters[0];
    const double time = populationCurrentPose(population->models[0], guest, population->clock).time;
    const bool stands = guest->swing && time >= ragdollGetFall(motionSwingRagdoll(guest->swing))->end + RAGDOLL_FADE;
    return !stands || viewerGuestEnd(viewer, error);
}

/* ---- The action ---- */

bool viewerCollapse(void *user, const ActionValue *value, EngineError *error) {
    Viewer *viewer = user;
    Population *population = viewer->def->scene->population;
    const bool picked =
        viewer->pick.character != PICK_NOTHING && population->characters[viewer->pick.character].model == viewer->kind;
    const Character *first = viewerCharacter(viewer);
    uint32_t index = picked          ? viewer->pick.character
                     : viewer->guest ? viewer->guestOf /* it cannot be picked */
                     : first         ? (uint32_t)(first - population->characters)
                                     : 0;
    const uint32_t named = index;
    char line[64];
    bool falls;
    (void)value;
    if (drawGpuCrowd(viewer->draw)) {
        if (!picked && !viewer->guest) {
            return engineFail(error, "no character of the crowd is picked; pick one first");
        }
        if ((!viewer->guest || viewer->guestOf != index) && !inviteGuest(viewer, error)) {
            return false;
        }
        population = viewer->guest->population;
        index = 0;
    }
    if ((!first && !engineFail(error, "no character shows the model")) ||
        !populationCollapse(population, index, &viewer->ray, picked ? &viewer->pick : NULL, &falls, error)) {
        return false;
    }
    snprintf(line, sizeof line, "character %u %s", named, falls ? "falls" : "stands up");
    sayLines(stdout, line);
    return true;
}
