#include "population_fall.h"

#include <math.h>

/* From now on each character of the kind has a swing with a ragdoll. */
static bool prepareKind(Population *population, uint32_t kind, EngineError *error) {
    const SkinnedModel *skinned = population->models[kind];
    Motion *motion = skinned->motion;
    if (motion->ragdoll) {
        return true;
    }
    motion->ragdoll = motionBodies(motion, skinned->model, &skinned->modelToCommon, error);
    motion->fall = ragdollFallFrom(INFINITY, 0);
    bool good = motion->ragdoll;
    for (uint32_t i = population->kindStarts[kind]; i < population->kindStarts[kind + 1] && good; i++) {
        Character *character = &population->characters[population->order[i]];
        motionSwingDestroy(character->swing);
        character->swing = motionCreateSwing(motion);
        good = character->swing || engineFail(error, "out of memory");
    }
    return good;
}

/* In kg, as those of ragdoll.h. */
static float massOf(const RagdollShape *shape) {
    double volume = 0.0;
    for (uint32_t i = 0; i < shape->bodyCount; i++) {
        const RagdollBody *body = &shape->bodies[i];
        volume += M_PI * body->radius * body->radius * (4.0 / 3.0 * body->radius + 2.0 * body->half);
    }
    return (float)(RAGDOLL_DENSITY * volume * pow(shape->metres, 3.0));
}

/* Where and along which direction, in the model's own space. */
static bool describeHit(float mass, const VkskinAffine *toWorld, const PickRay *ray, const PopulationPick *pick,
                        RagdollHit *hit) {
    VkskinRay own;
    hit->node = pick->node;
    if (pick->node == PICK_NOTHING || !pickRayIn(ray, toWorld, &own)) {
        return false;
    }
    const float length = hypotf(hypotf(own.direction[0], own.direction[1]), own.direction[2]);
    for (int axis = 0; axis < 3; axis++) {
        hit->point[axis] = own.origin[axis] + pick->hit.distance * own.direction[axis];
        hit->impulse[axis] = POPULATION_FALL_PUSH * mass / length * own.direction[axis];
    }
    return isfinite(length) && length > 0.0f;
}

bool populationCollapse(Population *population, uint32_t index, const PickRay *ray, const PopulationPick *pick,
                        bool *falls, EngineError *error) {
    Character *character = &population->characters[index];
    const SkinnedModel *skinned = population->models[character->model];
    if (!prepareKind(population, character->model, error)) {
        return false;
    }
    Ragdoll *ragdoll = motionSwingRagdoll(character->swing);
    const double time = fmax(populationCurrentPose(skinned, character, population->clock).time, 0.0);
    const RagdollFall *now = ragdollGetFall(ragdoll);
    *falls = time < now->start || time >= now->end;
    if (*falls) {
        const VkskinAffine toWorld = populationToWorld(population, character);
        RagdollFall fall = ragdollFallFrom(time, skinned->model->nodeCount);
        fall.hits[0].time = time;
        fall.hitCount = pick && describeHit(massOf(skinned->motion->ragdoll), &toWorld, ray, pick, &fall.hits[0]);
        ragdollSetFall(ragdoll, &fall);
    } else {
        ragdollEnd(ragdoll, time);
    }
    skinned->motion->version++;
    return true;
}
