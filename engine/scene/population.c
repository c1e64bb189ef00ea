#include "population.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CULL_BLOCK 256u /* characters per task of populationCull */

/* ---- Culling ---- */

typedef struct CullJob {
    Population *population;
    Frustum camera, light;
    float fromLight[3];
    float shadowMargin;
    const uint32_t *characters; /* for cullMoved */
} CullJob;

static uint32_t visiblePasses(const CullJob *job, const Bounds *box) {
    uint32_t passes = 0;
    if (frustumTouches(&job->camera, box, 0.0f, NULL)) {
        passes |= 1u << POPULATION_PASS_COLOUR;
    }
    if (frustumTouches(&job->light, box, job->shadowMargin, NULL) &&
        frustumTouches(&job->camera, box, job->shadowMargin, job->fromLight)) {
        passes |= 1u << POPULATION_PASS_SHADOW;
    }
    return passes;
}

/* box: in the model's world space. */
static void cullCharacter(const CullJob *job, Character *character, const Bounds *box) {
    const VkskinAffine toWorld = populationToWorld(job->population, character);
    Bounds placed = boundsTransform(box, &toWorld);
    character->passes = visiblePasses(job, boundsCanBeDrawn(box) ? &placed : box);
}

static void cullBlock(void *taskData, uint32_t block) {
    const CullJob *job = taskData;
    Population *population = job->population;
    uint32_t end =
        (block + 1) * CULL_BLOCK < population->characterCount ? (block + 1) * CULL_BLOCK : population->characterCount;
    for (uint32_t i = block * CULL_BLOCK; i < end; i++) {
        Character *character = &population->characters[i];
        const SkinnedModel *skinned = population->models[character->model];
        if (motionIsActive(skinned->motion)) {
            character->passes = (1u << POPULATION_PASS_COUNT) - 1;
            continue;
        }
        cullCharacter(job, character, skinnedModelBox(skinned, character->clip, character->mode));
    }
}

static CullJob makeCullJob(Population *population, const PopulationView *view) {
    CullJob job = {.population = population,
                   .camera = frustumFrom(view->camera),
                   .light = frustumFrom(view->light),
                   .shadowMargin = view->shadowMargin};
    for (int axis = 0; axis < 3; axis++) {
        job.fromLight[axis] = -view->towardsLight[axis];
    }
    return job;
}

void populationCull(Population *population, const PopulationView *view) {
    CullJob job = makeCullJob(population, view);
    population->lastView = *view;
    population->view = &population->lastView;
    uint32_t blocks = (population->characterCount + CULL_BLOCK - 1) / CULL_BLOCK;
    parallelRun(&population->skinning->pool, blocks, cullBlock, &job);
}

/* ---- Posing ---- */

PopulationPose populationCurrentPose(const SkinnedModel *skinned, const Character *character, double clock) {
    double duration = clipSourceDuration(&skinned->source, character->clip);
    double time = character->time + clock;
    if (motionIsActive(skinned->motion)) {
        duration = motionDuration(skinned->motion, character->clip);
    }
    if (isfinite(time) && duration == 0.0) {
        time = 0.0;
    } else if (isfinite(time) && character->wrap == VKSKIN_WRAP_CLAMP) {
        time = fmin(fmax(time, 0.0), duration);
    }
    return (PopulationPose){.clip = character->clip < skinned->clipCount ? character->clip : VKSKIN_REST_POSE,
                            .wrap = character->wrap,
                            .mode = character->mode,
                            .time = time,
                            .motion = skinned->motion ? skinned->motion->version : 0};
}

static bool samePose(const PopulationPose *a, const PopulationPose *b) {
    return a->clip == b->clip && a->wrap == b->wrap && a->mode == b->mode && a->time == b->time &&
           a->motion == b->motion;
}

/* Updates the character's pose. False: the character needs no posing in this frame. */
static bool needsPose(const SkinnedModel *skinned, Character *character, double clock) {
    if (character->passes == 0) {
        return false;
    }
    PopulationPose pose = populationCurrentPose(skinned, character, clock);
    if (character->poseVersion == 0 || !samePose(&pose, &character->pose)) {
        character->pose = pose;
        character->poseVersion++;
    }
    return character->poseVersion != character->skinnedVersion;
}

static void dropWorld(Character *character) {
    free(character->world);
    character->world = NULL;
}

/* Culls one character with a motion by the box of its pose. One that cannot be posed stays shown: posing it fails. */
static void cullMoved(void *taskData, uint32_t task) {
    const CullJob *job = taskData;
    Character *character = &job->population->characters[job->characters[task]];
    const SkinnedModel *skinned = job->population->models[character->model];
    const PopulationPose pose = populationCurrentPose(skinned, character, job->population->clock);
    dropWorld(character); /* left by a frame that failed */
    if (!character->hasBox || !samePose(&pose, &character->boxed)) {
        VkskinAffine *world = calloc(skinned->model->nodeCount, sizeof *world);
        character->hasBox =
            world &&
            motionPose(skinned->motion, character->clip, pose.time, character->wrap, character->swing, world) >= 0 &&
            skinnedModelPoseBox(skinned, world, character->mode, &character->box);
        character->boxed = pose;
        character->world = world;
    }
    if (character->hasBox) {
        cullCharacter(job, character, &character->box);
    }
    if (motionOnlyBlends(skinned->motion)) { /* the pose batch poses it again */
        dropWorld(character);
    }
}

/* palettes: [paletteCount] of the character. Null if none is needed: the pose is unchanged or no pass shows it. */
static void fillCommands(Population *population, const Character *character, const VkskinPalette *palettes) {
    const SkinnedModel *skinned = population->models[character->model];
    for (uint32_t i = 0; i < skinned->partCount; i++) {
        const SkinnedPart *part = &skinned->parts[i];
        uint32_t index = character->firstInstance + i;
        VkskinSkinCommand *command = &population->commands[index];
        *command = (VkskinSkinCommand){.instance = population->instances[index], .poseVersion = character->poseVersion};
        if (character->passes == 0) {
            command->flags = VKSKIN_SKIN_CULLED_BIT;
        } else if (palettes) {
            command->flags = population->skin.motion && !character->continues ? VKSKIN_SKIN_TELEPORT_BIT : 0;
            command->palette = palettes[part->palette];
            command->method = skinModeMethod(character->mode);
            command->morphWeights = population->morphWeights + character->firstMorph + part->firstMorph;
            command->morphWeightCount = part->morphCount;
        }
    }
}

/* Samples the morph weights and fills the commands of a character whose palettes are allocated. fresh: its index in the
 * scratch. */
static bool prepareCharacter(Population *population, Character *character, uint32_t fresh, EngineError *error) {
    const SkinnedModel *skinned = population->models[character->model];
    fillCommands(population, character, &population->scratch->palettes[(size_t)fresh * skinned->paletteCount]);
    return skinned->morphCount == 0 ||
           skinnedModelMorphWeights(skinned, character->clip, character->pose.time, character->wrap,
                                    population->morphWeights + character->firstMorph, error);
}

/* Allocates all palettes of the characters fresh[begin] to fresh[end - 1], which have one encoding. */
static bool allocateRun(Population *population, uint32_t kind, uint32_t begin, uint32_t end, EngineError *error) {
    const SkinnedModel *skinned = population->models[kind];
    PopulationScratch *scratch = population->scratch;
    const size_t first = (size_t)begin * skinned->paletteCount;
    const uint32_t count = (end - begin) * skinned->paletteCount;
    for (uint32_t i = 0; i < count; i++) {
        scratch->boneCounts[first + i] = skinned->palettes[i % skinned->paletteCount].boneCount;
    }
    const VkskinPaletteEncoding encoding = skinModeEncoding(population->characters[scratch->fresh[begin]].mode);
    if (population->palettes.place) {
        return population->palettes.place(population->palettes.user, kind, scratch->fresh + begin, end - begin,
                                          encoding, scratch->data + first, error);
    }
    VkskinResult result = vkskinAllocatePalettes(population->skinning->context, encoding, scratch->boneCounts + first,
                                                 0, count, scratch->palettes + first, scratch->data + first);
    return result >= 0 || skinningFail(population->skinning, error, "allocating palettes", result);
}

/* A system may refuse what its palettes cannot represent. */
static bool checkPosed(const Population *population, VkskinResult result, EngineError *error) {
    if (result == VKSKIN_WARNING_SCALE_LOST && population->palettes.name && !population->palettes.keepsScale) {
        return engineFail(error, "system '%s': a bone has non-uniform scale, which quaternions cannot represent (%s)",
                          population->palettes.name, vkskinResultName(result));
    }
    return result >= 0 || skinningFail(population->skinning, error, "posing", result);
}

static MotionBlend characterBlend(const SkinnedModel *skinned, const Character *character) {
    return motionOnlyBlends(skinned->motion) ? motionBlend(skinned->motion, character->clip, character->pose.time)
                                             : (MotionBlend){.time = character->pose.time};
}

/* Writes palette `palette` of the characters fresh[begin] to fresh[end - 1], which have one encoding. */
static bool poseRun(Population *population, uint32_t kind, uint32_t palette, uint32_t begin, uint32_t end,
                    EngineError *error) {
    const SkinnedModel *skinned = population->models[kind];
    PopulationScratch *scratch = population->scratch;
    const VkskinCpuRun run = {.parallel = parallelRun, .parallelUser = &population->skinning->pool};
    for (uint32_t i = begin; i < end; i++) {
        const Character *character = &population->characters[scratch->fresh[i]];
        const MotionBlend blend = characterBlend(skinned, character);
        scratch->characters[i] =
            (VkskinPoseBatchCharacter){.clip = character->pose.clip,
                                       .wrap = character->wrap,
                                       .time = blend.time,
                                       .slot = character->slot,
                                       .palette = scratch->data[(size_t)i * skinned->paletteCount + palette],
                                       .blendWeight = blend.otherWeight,
                                       .blendClip = blend.otherClip,
                                       .blendWrap = character->wrap,
                                       .blendTime = blend.otherTime};
    }
    VkskinResult result = vkskinPoseBatch(scratch->batches[kind][palette], &scratch->characters[begin], end - begin,
                                          skinModeEncoding(population->characters[scratch->fresh[begin]].mode),
                                          skinned->palettes[palette].boneCount, &run);
    return checkPosed(population, result, error);
}

typedef struct MotionJob {
    const Population *population;
    uint32_t begin;    /* first of the characters in the scratch */
    atomic_int result; /* VkskinResult: an error of any character, or a scale that it lost */
} MotionJob;

/* The nodes that culling has posed, if that is the pose to show; else null. The caller owns them. */
static VkskinAffine *takeWorld(Character *character) {
    if (!character->hasBox || !samePose(&character->boxed, &character->pose)) {
        dropWorld(character);
    }
    VkskinAffine *world = character->world;
    character->world = NULL;
    return world;
}

/* Poses one character with its motion, and writes its palettes. */
static void poseByMotion(void *taskData, uint32_t task) {
    MotionJob *job = taskData;
    const PopulationScratch *scratch = job->population->scratch;
    const uint32_t fresh = job->begin + task;
    Character *character = &job->population->characters[scratch->fresh[fresh]];
    const SkinnedModel *skinned = job->population->models[character->model];
    const uint32_t nodeCount = skinned->model->nodeCount;
    VkskinAffine *world = takeWorld(character);
    VkskinResult result = VKSKIN_SUCCESS;
    if (!world) {
        world = calloc(nodeCount, sizeof *world);
        result = world ? motionPose(skinned->motion, character->clip, character->pose.time, character->wrap,
                                    character->swing, world)
                       : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; i < skinned->paletteCount && result >= 0; i++) {
        const VkskinResult written = vkskinWritePalette(
            skinned->palettes[i].skin, world, nodeCount, skinModeEncoding(character->mode),
            scratch->data[(size_t)fresh * skinned->paletteCount + i], skinned->palettes[i].boneCount);
        result = written == VKSKIN_SUCCESS ? result : written;
    }
    free(world);
    int none = VKSKIN_SUCCESS;
    if (result < 0) {
        atomic_store(&job->result, result);
    } else if (result == VKSKIN_WARNING_SCALE_LOST) { /* an error counts more */
        atomic_compare_exchange_strong(&job->result, &none, result);
    }
}

static bool poseRunByMotion(Population *population, uint32_t begin, uint32_t end, EngineError *error) {
    MotionJob job = {.population = population, .begin = begin};
    parallelRun(&population->skinning->pool, end - begin, poseByMotion, &job);
    return checkPosed(population, (VkskinResult)atomic_load(&job.result), error);
}

/* One past the last of the characters from fresh[begin] on, up to fresh[count - 1], that have one encoding. */
static uint32_t runEnd(const Population *population, uint32_t begin, uint32_t count) {
    const Character *characters = population->characters;
    const uint32_t *fresh = population->scratch->fresh;
    uint32_t end = begin + 1;
    while (end < count &&
           skinModeEncoding(characters[fresh[end]].mode) == skinModeEncoding(characters[fresh[begin]].mode)) {
        end++;
    }
    return end;
}

static bool prepareAndPose(Population *population, uint32_t kind, uint32_t begin, uint32_t end, EngineError *error) {
    bool good = allocateRun(population, kind, begin, end, error);
    for (uint32_t i = begin; good && i < end; i++) {
        good = prepareCharacter(population, &population->characters[population->scratch->fresh[i]], i, error);
    }
    const Motion *motion = population->models[kind]->motion;
    if (good && motionIsActive(motion) && !motionOnlyBlends(motion)) {
        return poseRunByMotion(population, begin, end, error);
    }
    for (uint32_t palette = 0; good && palette < population->models[kind]->paletteCount; palette++) {
        good = poseRun(population, kind, palette, begin, end, error);
    }
    return good;
}

static bool poseKind(Population *population, uint32_t kind, double clock, EngineError *error) {
    const SkinnedModel *skinned = population->models[kind];
    uint32_t count = 0;
    if (population->view && motionIsActive(skinned->motion)) {
        CullJob job = makeCullJob(population, population->view);
        job.characters = population->order + population->kindStarts[kind];
        parallelRun(&population->skinning->pool, populationKindSize(population, kind), cullMoved, &job);
    }
    for (uint32_t i = population->kindStarts[kind]; i < population->kindStarts[kind + 1]; i++) {
        Character *character = &population->characters[population->order[i]];
        if (!needsPose(skinned, character, clock)) {
            dropWorld(character);
            fillCommands(population, character, NULL);
            continue;
        }
        population->scratch->fresh[count++] = population->order[i];
    }
    bool good = true;
    for (uint32_t begin = 0, end = 0; good && begin < count; begin = end) {
        end = runEnd(population, begin, count);
        good = prepareAndPose(population, kind, begin, end, error);
    }
    return good;
}

bool populationPose(Population *population, double clock, EngineError *error) {
    const PopulationPalettes *palettes = &population->palettes;
    population->clock = clock;
    if (population->skin.system == SKIN_SYSTEM_CROWD) {
        return true;
    }
    bool good = population->skin.system == SKIN_SYSTEM_COMPUTE || palettes->place ||
                engineFail(error, "system '%s': nothing draws the crowd", SKIN_SYSTEM_NAMES[population->skin.system]);
    if (good && palettes->begin) {
        palettes->begin(palettes->user);
    }
    for (uint32_t kind = 0; kind < population->modelCount && good; kind++) {
        good = poseKind(population, kind, clock, error);
    }
    population->view = NULL;
    return good && (!palettes->finish || palettes->finish(palettes->user, error));
}

bool populationSkin(Population *population, EngineError *error) {
    if (population->skin.system != SKIN_SYSTEM_COMPUTE) {
        return true;
    }
    VkskinResult result =
        vkskinSkinInstances(population->skinning->context, population->commands, population->instanceCount, NULL);
    if (result < 0) {
        return skinningFail(population->skinning, error, "skinning the crowd", result);
    }
    for (uint32_t i = 0; i < population->characterCount; i++) {
        Character *character = &population->characters[i];
        character->skinnedVersion = character->passes != 0 ? character->poseVersion : character->skinnedVersion;
    }
    return true;
}

VkskinAffine populationToWorld(const Population *population, const Character *character) {
    return vkskinMultiplyAffine(&character->place, &population->models[character->model]->modelToCommon);
}

bool populationNodes(const Population *population, const Character *character, double clock, VkskinAffine *world,
                     EngineError *error) {
    const SkinnedModel *skinned = population->models[character->model];
    const VkskinAffine toWorld = populationToWorld(population, character);
    const bool posed = skinnedModelPose(skinned, character->clip, character->time + clock, character->wrap,
                                        character->swing, world, error);
    for (uint32_t i = 0; i < skinned->model->nodeCount && posed; i++) {
        world[i] = vkskinMultiplyAffine(&toWorld, &world[i]);
    }
    return posed;
}

static VkskinAffine partMatrix(const Population *population, const Character *character, const VkskinAffine *place,
                               uint32_t part) {
    const SkinnedModel *skinned = population->models[character->model];
    VkskinAffine common = vkskinMultiplyAffine(&skinned->modelToCommon, &skinned->parts[part].meshToModel);
    return vkskinMultiplyAffine(place, &common);
}

VkskinAffine populationPartMatrix(const Population *population, const Character *character, uint32_t part) {
    return partMatrix(population, character, &character->place, part);
}

VkskinAffine populationPreviousMatrix(const Population *population, const Character *character, uint32_t part) {
    return partMatrix(population, character, character->continues ? &character->lastPlace : &character->place, part);
}

void populationKeepPlaces(Population *population) {
    for (uint32_t i = 0; population->skin.motion && i < population->characterCount; i++) {
        Character *character = &population->characters[i];
        character->lastPlace = character->place;
        character->continues = character->passes != 0;
    }
}

uint32_t populationPackTint(const float tint[3]) {
    uint32_t packed = 0xff000000u;
    for (uint32_t channel = 0; channel < 3; channel++) {
        const float half = fminf(fmaxf(0.5f * tint[channel], 0.0f), 1.0f);
        packed |= (uint32_t)(half * 255.0f + 0.5f) << (8 * channel);
    }
    return packed;
}
