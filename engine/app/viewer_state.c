#include "viewer_state.h"

#include <math.h>

Character *viewerCharacter(const Viewer *viewer) {
    const Population *population = viewer->def->scene->population;
    return populationKindSize(population, viewer->kind) > 0
               ? &population->characters[population->order[population->kindStarts[viewer->kind]]]
               : NULL;
}

double viewerTime(const Viewer *viewer) {
    const Character *character = viewerCharacter(viewer);
    const double duration =
        character ? motionDuration(viewer->def->scene->models[viewer->kind]->motion, character->clip) : 0.0;
    const double time = character ? character->time + viewer->clock : 0.0;
    if (character && character->wrap == VKSKIN_WRAP_CLAMP) {
        return fmin(fmax(time, 0.0), duration);
    }
    return isfinite(duration) && duration > 0.0 ? time - duration * floor(time / duration) : time;
}
