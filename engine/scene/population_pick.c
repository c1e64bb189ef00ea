#include "population_pick.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "model_bounds.h"
#include "model_mesh.h"

typedef struct PickWork {
    const Population *population;
    uint32_t character;
    VkskinRay ray; /* in the model's world space; maxDistance: of the nearest hit so far, 0: none */
    PopulationPick *pick;
} PickWork;

/* Where the ray enters the box; below 0: nowhere. Along an axis without movement the bounds are infinite, or NaN and ignored. */
static float enterBox(const VkskinRay *ray, const Bounds *box) {
    float enter = 0.0f, leave = ray->maxDistance > 0.0f ? ray->maxDistance : INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        const float a = (box->min[axis] - ray->origin[axis]) / ray->direction[axis];
        const float b = (box->max[axis] - ray->origin[axis]) / ray->direction[axis];
        enter = fmaxf(enter, fminf(a, b));
        leave = fminf(leave, fmaxf(a, b));
    }
    return !boundsIsEmpty(box) && enter <= leave ? enter : -1.0f;
}

/* Keeps the hit of a posed part if it is nearer. */
static bool hitPart(PickWork *work, uint32_t index, VkskinHitMesh hits, const float *positions, EngineError *error) {
    const Character *character = &work->population->characters[work->character];
    const Model *model = work->population->models[character->model]->model;
    void *pose = engineAllocate(1, vkskinGetHitPoseSize(hits), error);
    VkskinHit hit = {.triangle = VKSKIN_NO_HIT};
    VkskinResult result = pose ? vkskinWriteHitPose(hits, positions, 0, pose) : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    if (result >= 0) {
        result = vkskinTraceRays(hits, pose, &work->ray, 1, NULL, &hit);
    }
    free(pose);
    if (result >= 0 && hit.triangle != VKSKIN_NO_HIT) {
        const ModelSkin *skin = &model->skins[model->parts[index].skin];
        const uint32_t node = hit.bone != VKSKIN_NO_BONE ? skin->boneNodes[hit.bone] : PICK_NOTHING;
        *work->pick = (PopulationPick){work->character, index, node, hit};
        work->ray.maxDistance = fmaxf(hit.distance, FLT_MIN);
    }
    return result >= 0 || engineFail(error, "picking: %s", vkskinResultName(result));
}

static bool pickPart(PickWork *work, uint32_t index, const VkskinAffine *world, const float *weights,
                     EngineError *error) {
    const Character *character = &work->population->characters[work->character];
    const Model *model = work->population->models[character->model]->model;
    const ModelPart *part = &model->parts[index];
    const ModelMesh *mesh = &model->meshes[part->mesh];
    const VkskinMeshDef def = meshDefOfModel(mesh);
    VkskinHitMesh hits = NULL;
    if (mesh->indexCount == 0) {
        return true;
    }
    float *positions = engineAllocate(mesh->vertexCount, 3 * sizeof(*positions), error);
    bool good = positions && modelPosePart(model, part, mesh, world, weights, positions, error);
    if (good) {
        const VkskinResult result = vkskinCreateHitMesh(&def, NULL, &hits);
        good = (result >= 0 || engineFail(error, "picking: %s", vkskinResultName(result))) &&
               hitPart(work, index, hits, positions, error);
    }
    vkskinDestroyHitMesh(hits);
    free(positions);
    return good;
}

bool pickRayIn(const PickRay *ray, const VkskinAffine *toWorld, VkskinRay *own) {
    VkskinAffine toModel;
    if (vkskinInvertAffine(toWorld, &toModel) < 0) {
        return false;
    }
    transformPoint(&toModel, ray->origin, own->origin);
    for (int row = 0; row < 3; row++) {
        toModel.m[row][3] = 0.0f;
    }
    transformPoint(&toModel, ray->direction, own->direction);
    return true;
}

float populationPickBox(const Population *population, uint32_t index, const PickRay *ray) {
    const Character *character = &population->characters[index];
    const SkinnedModel *skinned = population->models[character->model];
    const VkskinAffine toWorld = populationToWorld(population, character);
    VkskinRay own = {.maxDistance = 0.0f};
    if (!pickRayIn(ray, &toWorld, &own)) {
        return -1.0f;
    }
    return motionIsActive(skinned->motion) ? 0.0f
                                           : enterBox(&own, skinnedModelBox(skinned, character->clip, character->mode));
}

bool populationPickPosed(const Population *population, uint32_t index, const PickRay *ray, const PickPose *posed,
                         PopulationPick *pick, EngineError *error) {
    const SkinnedModel *skinned = population->models[population->characters[index].model];
    PickWork work = {.population = population, .character = index, .pick = pick};
    float *weights = NULL;
    Bounds box;
    work.ray.maxDistance = pick->character != PICK_NOTHING ? fmaxf(pick->hit.distance, FLT_MIN) : 0.0f;
    bool good = true;
    if (pickRayIn(ray, &posed->place, &work.ray) && skinnedModelPoseBox(skinned, posed->world, SKIN_MODE_LBS, &box) &&
        enterBox(&work.ray, &box) >= 0.0f) {
        weights = engineAllocate(skinned->morphCount, sizeof(*weights), error);
        good = weights && skinnedModelMorphWeights(skinned, posed->clip, posed->time, posed->wrap, weights, error);
        for (uint32_t part = 0; part < skinned->model->partCount && good; part++) {
            good = pickPart(&work, part, posed->world, weights + skinned->parts[part].firstMorph, error);
        }
    }
    free(weights);
    return good;
}

static bool pickCharacter(const Population *population, uint32_t index, const PickRay *ray, PopulationPick *pick,
                          EngineError *error) {
    const Character *character = &population->characters[index];
    const SkinnedModel *skinned = population->models[character->model];
    const double time = populationCurrentPose(skinned, character, population->clock).time;
    VkskinAffine *world = engineAllocate(skinned->model->nodeCount, sizeof(*world), error);
    const PickPose posed = {populationToWorld(population, character), world, character->clip, time, character->wrap};
    const bool good =
        world && skinnedModelPose(skinned, character->clip, time, character->wrap, character->swing, world, error) &&
        populationPickPosed(population, index, ray, &posed, pick, error);
    free(world);
    return good;
}

bool populationPick(const Population *population, const PickRay *ray, PopulationPick *pick, EngineError *error) {
    bool good = true;
    *pick = (PopulationPick){.character = PICK_NOTHING};
    for (uint32_t i = 0; i < population->characterCount && good; i++) {
        good = populationPickBox(population, i, ray) < 0.0f || pickCharacter(population, i, ray, pick, error);
    }
    return good;
}
