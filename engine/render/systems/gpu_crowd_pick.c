#include <stdlib.h>
#include <string.h>

#include "gpu_crowd.h"

static bool check(const GpuCrowd *gpu, VkskinResult result, EngineError *error) {
    return result >= 0 || skinningFail(gpu->population->skinning, error, "picking", result);
}

/* The characters with the nearest boxes. */
static void chooseCharacters(const GpuCrowd *gpu, uint32_t kind, VkskinCharacter *handles) {
    const Population *population = gpu->population;
    GpuKind *own = &gpu->kinds[kind];
    float distances[GPU_CROWD_ASKED_MAX + 1];
    own->askedCount = 0;
    for (uint32_t i = 0; i < populationKindSize(population, kind); i++) {
        const uint32_t character = gpuCrowdCharacter(population, kind, i);
        const float distance = populationPickBox(population, character, &gpu->ray);
        uint32_t at = own->askedCount;
        if (distance < 0.0f) {
            continue;
        }
        for (; at > 0 && distances[at - 1] > distance; at--) {
            if (at < GPU_CROWD_ASKED_MAX) {
                distances[at] = distances[at - 1];
                own->asked[at] = own->asked[at - 1];
                handles[at] = handles[at - 1];
            }
        }
        if (at < GPU_CROWD_ASKED_MAX) {
            distances[at] = distance;
            own->asked[at] = character;
            handles[at] = own->characters[(size_t)i * population->models[kind]->paletteCount];
            own->askedCount += own->askedCount < GPU_CROWD_ASKED_MAX;
        }
    }
}

bool gpuCrowdAsk(GpuCrowd *gpu, const PickRay *ray, EngineError *error) {
    VkskinContext context = gpu->population->skinning->context;
    VkskinCharacter handles[GPU_CROWD_ASKED_MAX];
    VkskinStats stats;
    bool good = check(gpu, vkskinGetStats(context, &stats), error);
    gpu->ray = *ray;
    gpu->askedIn = good ? stats.frame : 0;
    gpu->asks = good;
    for (uint32_t kind = 0; kind < gpu->population->modelCount && good; kind++) {
        if (!VKSKIN_IS_NULL(gpu->kinds[kind].crowd)) {
            chooseCharacters(gpu, kind, handles);
            good =
                check(gpu, vkskinQueryCharacters(context, gpu->kinds[kind].crowd, handles, gpu->kinds[kind].askedCount),
                      error);
        }
    }
    return good;
}

/* All palettes of a character play the same, so one state has the pose of all parts. */
static bool testState(GpuCrowd *gpu, uint32_t kind, uint32_t asked, const VkskinCharacterState *state,
                      PopulationPick *pick, EngineError *error) {
    VkskinContext context = gpu->population->skinning->context;
    const uint32_t character = gpu->kinds[kind].asked[asked];
    VkskinAffine *world = engineAllocate(gpu->population->models[kind]->model->nodeCount, sizeof(*world), error);
    VkskinCharacterPose pose = {.nodes = world};
    bool good =
        world && check(gpu, vkskinPoseCharacter(context, gpu->kinds[kind].crowd, state, state->tick, &pose), error);
    const PickPose posed = {state->transform, world, pose.clip, pose.time, VKSKIN_WRAP_CLAMP};
    good = good && populationPickPosed(gpu->population, character, &gpu->ray, &posed, pick, error);
    if (pick->character == character) {
        gpu->answerClip = pose.clip;
        gpu->answerTime = pose.time - state->tick / (double)GPU_CROWD_TICKS;
    }
    free(world);
    return good;
}

bool gpuCrowdHide(GpuCrowd *gpu, uint32_t character, bool hidden, EngineError *error) {
    Population *population = gpu->population;
    const uint32_t kind = population->characters[character].model, palettes = population->models[kind]->paletteCount;
    const uint32_t index = populationKindSize(population, kind) - 1 - population->characters[character].slot;
    const bool good =
        check(gpu,
              vkskinHideCharacters(population->skinning->context, gpu->kinds[kind].crowd,
                                   gpu->kinds[kind].characters + (size_t)index * palettes, palettes, hidden),
              error);
    if (good) { /* the lines that the CPU adds, too */
        population->characters[character].passes = hidden ? 0 : (1u << POPULATION_PASS_COUNT) - 1;
    }
    return good;
}

bool gpuCrowdAnswer(GpuCrowd *gpu, PopulationPick *pick, bool *found, EngineError *error) {
    VkskinContext context = gpu->population->skinning->context;
    VkskinCharacterState states[GPU_CROWD_ASKED_MAX];
    *pick = (PopulationPick){.character = PICK_NOTHING};
    *found = false;
    bool good = true, ready = gpu->asks;
    for (uint32_t kind = 0; kind < gpu->population->modelCount && good && ready; kind++) {
        const GpuKind *own = &gpu->kinds[kind];
        uint32_t count = GPU_CROWD_ASKED_MAX;
        if (own->askedCount == 0) {
            continue;
        }
        good = check(gpu, vkskinGetCharacterStates(context, own->crowd, states, &count), error);
        ready = good && count > 0 && states[0].frame > gpu->askedIn;
        for (uint32_t i = 0; i < own->askedCount && good && ready; i++) {
            good = !states[i].exists || states[i].hidden || testState(gpu, kind, i, &states[i], pick, error);
        }
    }
    *found = good && ready;
    for (uint32_t kind = 0; kind < gpu->population->modelCount && *found; kind++) {
        if (gpu->kinds[kind].askedCount > 0) {
            *found = good = good && check(gpu, vkskinQueryCharacters(context, gpu->kinds[kind].crowd, NULL, 0), error);
        }
    }
    gpu->asks = gpu->asks && good && !ready;
    return good;
}
