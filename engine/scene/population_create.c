/* population_create.c: makes a population (population.h): its characters, instances and pose batches. */
#include "population_place.h"

#include <stdlib.h>
#include <string.h>

static bool hasInstances(const Population *population) {
    return population->skin.system == SKIN_SYSTEM_COMPUTE;
}

/* Creates all instances of one mesh consecutively: they share output pages and need few draw calls. */
static bool createInstances(Population *population, uint32_t kind, EngineError *error) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.methods = VKSKIN_METHOD_BIT(skinModeMethod(population->skin.mode));
    for (uint32_t part = 0; hasInstances(population) && part < population->models[kind]->partCount; part++) {
        def.mesh = population->models[kind]->parts[part].mesh;
        for (uint32_t i = population->kindStarts[kind]; i < population->kindStarts[kind + 1]; i++) {
            const Character *character = &population->characters[population->order[i]];
            VkskinResult result = vkskinCreateInstance(population->skinning->context, &def,
                                                       &population->instances[character->firstInstance + part]);
            if (result < 0) {
                return skinningFail(population->skinning, error, "making the crowd's instances", result);
            }
        }
    }
    return true;
}

static void countCharacters(Population *population, const PopulationDef *def) {
    for (uint32_t i = 0; i < population->characterCount; i++) {
        Character *character = &population->characters[i];
        const SkinnedModel *skinned = population->models[character->model];
        character->mode = def->skin.mode;
        character->wrap = def->wrap;
        character->passes = (1u << POPULATION_PASS_COUNT) - 1;
        character->firstInstance = population->instanceCount;
        character->firstMorph = population->morphCount;
        population->instanceCount += skinned->partCount;
        population->morphCount += skinned->morphCount;
        population->vertexCount += skinned->verticesPerInstance;
        population->boneCount += skinned->bonesPerInstance;
    }
}

static void orderByKind(Population *population) {
    uint32_t next = 0;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        for (uint32_t i = 0; i < population->characterCount; i++) {
            if (population->characters[i].model == kind) {
                population->characters[i].slot = next - population->kindStarts[kind];
                population->order[next++] = i;
            }
        }
        population->kindStarts[kind + 1] = next;
    }
}

/* One batch for each palette of the kind: a batch poses the characters of one skeleton and one skin. */
static bool createBatches(Population *population, uint32_t kind, EngineError *error) {
    const SkinnedModel *skinned = population->models[kind];
    VkskinPoseBatch *batches = engineAllocate(skinned->paletteCount, sizeof(VkskinPoseBatch), error);
    population->scratch->batches[kind] = batches;
    for (uint32_t i = 0; batches && i < skinned->paletteCount && populationKindSize(population, kind) > 0; i++) {
        VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
        def.skin = skinned->palettes[i].skin;
        if (skinned->packed.block) {
            def.animation = skinned->packed.block;
            def.animationSize = skinned->packed.size;
        } else {
            def.skeleton = skinned->skeleton;
            def.clips = skinned->clips;
            def.clipCount = skinned->clipCount;
        }
        def.slotCount = populationKindSize(population, kind);
        def.blending = skinned->motion != NULL;
        def.logger = population->skinning->logger;
        VkskinResult result = vkskinCreatePoseBatch(&def, &batches[i]);
        if (result < 0) {
            return skinningFail(population->skinning, error, "preparing the crowd's poses", result);
        }
    }
    return batches;
}

static bool createSwings(Population *population, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < population->characterCount && good; i++) {
        Character *character = &population->characters[i];
        const Motion *motion = population->models[character->model]->motion;
        if (motionSwings(motion)) {
            character->swing = motionCreateSwing(motion);
            good = character->swing || engineFail(error, "out of memory");
        }
    }
    return good;
}

/* Nothing if the device poses the characters. */
static bool createScratch(Population *population, EngineError *error) {
    if (population->skin.system == SKIN_SYSTEM_CROWD) {
        return true;
    }
    size_t characters = 0, palettes = 0;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        size_t size = populationKindSize(population, kind), needed = size * population->models[kind]->paletteCount;
        characters = size > characters ? size : characters;
        palettes = needed > palettes ? needed : palettes;
    }
    PopulationScratch *scratch = population->scratch = engineAllocate(1, sizeof(*scratch), error);
    if (!scratch) {
        return false;
    }
    scratch->batches = engineAllocate(population->modelCount, sizeof(*scratch->batches), error);
    scratch->fresh = engineAllocate(characters, sizeof(*scratch->fresh), error);
    scratch->boneCounts = engineAllocate(palettes, sizeof(*scratch->boneCounts), error);
    scratch->palettes = engineAllocate(palettes, sizeof(*scratch->palettes), error);
    scratch->data = engineAllocate(palettes, sizeof(*scratch->data), error);
    scratch->characters = engineAllocate(characters, sizeof(*scratch->characters), error);
    bool made = scratch->batches && scratch->fresh && scratch->boneCounts && scratch->palettes && scratch->data &&
                scratch->characters;
    for (uint32_t kind = 0; kind < population->modelCount && made; kind++) {
        made = createBatches(population, kind, error);
    }
    return made && createSwings(population, error);
}

static void destroyScratch(Population *population) {
    PopulationScratch *scratch = population->scratch;
    population->scratch = NULL;
    if (!scratch) {
        return;
    }
    for (uint32_t i = 0; i < population->characterCount; i++) {
        motionSwingDestroy(population->characters[i].swing);
        free(population->characters[i].world);
        population->characters[i].swing = NULL;
        population->characters[i].world = NULL;
    }
    for (uint32_t kind = 0; kind < population->modelCount && scratch->batches; kind++) {
        for (uint32_t i = 0; i < population->models[kind]->paletteCount && scratch->batches[kind]; i++) {
            vkskinDestroyPoseBatch(scratch->batches[kind][i]);
        }
        free(scratch->batches[kind]);
    }
    free(scratch->batches);
    free(scratch->fresh);
    free(scratch->boneCounts);
    free(scratch->palettes);
    free(scratch->data);
    free(scratch->characters);
    free(scratch);
}

static bool build(Population *population, const PopulationDef *def, EngineError *error) {
    population->models = engineAllocate(def->modelCount, sizeof(*population->models), error);
    population->characters = engineAllocate(def->count, sizeof(*population->characters), error);
    population->order = engineAllocate(def->count, sizeof(*population->order), error);
    population->kindStarts = engineAllocate((size_t)def->modelCount + 1, sizeof(*population->kindStarts), error);
    if (!population->models || !population->characters || !population->order || !population->kindStarts) {
        return false;
    }
    memcpy(population->models, def->models, def->modelCount * sizeof(*population->models));
    population->modelCount = def->modelCount;
    population->characterCount = def->count;
    population->skin = def->skin;
    populationChooseKinds(population, def->seed);
    countCharacters(population, def);
    orderByKind(population);
    population->instances = engineAllocate(population->instanceCount, sizeof(*population->instances), error);
    population->commands = engineAllocate(population->instanceCount, sizeof(*population->commands), error);
    population->morphWeights = engineAllocate(population->morphCount, sizeof(*population->morphWeights), error);
    bool made = population->instances && population->commands && population->morphWeights;
    for (uint32_t kind = 0; kind < population->modelCount && made; kind++) {
        made = skinnedModelCreateBoxes(population->models[kind], error);
    }
    made = made && createScratch(population, error);
    for (uint32_t kind = 0; kind < population->modelCount && made; kind++) {
        made = createInstances(population, kind, error);
    }
    return made && populationPlaceCharacters(population, def, error);
}

Population *populationCreate(Skinning *skinning, const PopulationDef *def, EngineError *error) {
    if (def->count == 0 || def->modelCount == 0) {
        engineFail(error, "a crowd needs at least one character and one model");
        return NULL;
    }
    Population *population = engineAllocate(1, sizeof(*population), error);
    if (!population) {
        return NULL;
    }
    population->skinning = skinning;
    if (!build(population, def, error)) {
        populationDestroy(population);
        return NULL;
    }
    return population;
}

void populationDestroy(Population *population) {
    if (!population) {
        return;
    }
    for (uint32_t i = 0; i < population->instanceCount && population->instances; i++) {
        if (!VKSKIN_IS_NULL(population->instances[i])) {
            (void)vkskinDestroyInstance(population->skinning->context, population->instances[i]);
        }
    }
    destroyScratch(population);
    free(population->models);
    free(population->characters);
    free(population->instances);
    free(population->commands);
    free(population->morphWeights);
    free(population->order);
    free(population->kindStarts);
    free(population);
}

/* populationPlaceCharacters also chooses clips and times. */
static bool placeAgain(Population *population, const PopulationDef *def, EngineError *error) {
    Character *before = engineAllocate(population->characterCount, sizeof(*before), error);
    if (!before) {
        return false;
    }
    memcpy(before, population->characters, population->characterCount * sizeof(*before));
    bool placed = populationPlaceCharacters(population, def, error);
    for (uint32_t i = 0; i < population->characterCount; i++) {
        population->characters[i].clip = before[i].clip;
        population->characters[i].time = before[i].time;
    }
    free(before);
    return placed;
}

bool populationReplaceModel(Population *population, uint32_t kind, SkinnedModel *skinned, const PopulationDef *def,
                            EngineError *error) {
    destroyScratch(population);
    population->models[kind] = skinned;
    population->vertexCount = population->boneCount = 0;
    for (uint32_t i = 0; i < population->characterCount; i++) {
        Character *character = &population->characters[i];
        population->vertexCount += population->models[character->model]->verticesPerInstance;
        population->boneCount += population->models[character->model]->bonesPerInstance;
        character->skinnedVersion = character->model == kind ? 0 : character->skinnedVersion;
        character->hasBox = false;
    }
    return skinnedModelCreateBoxes(skinned, error) && createScratch(population, error) &&
           placeAgain(population, def, error);
}
