#include "gpu_crowd.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_pack.h"
#include "model_pose.h"

#define SLOTS_SHARE     4u /* the slots of all kinds take 1/4 of the largest heap, unless their number is chosen */
#define SLOTS_BYTES_MAX ((uint64_t)4 << 30) /* maximum for the slots of all kinds, unless their number is chosen */
#define MODELS_MAX      VKSKIN_MAX_CROWD_MODELS
#define PARTS_MAX       32u  /* optional ones */
#define SLOT_LIST_BYTES 152u /* lists and record of a slot with two views, which the device binds as one buffer */
#define SLOT_PART_BYTES 24u  /* in it, for each part, which may be optional */

#define NEED_LESS "fewer --slots or a smaller --count need less"

static bool check(const GpuCrowd *gpu, VkskinResult result, const char *what, EngineError *error) {
    return result >= 0 || skinningFail(gpu->population->skinning, error, what, result);
}

uint32_t gpuCrowdCharacter(const Population *population, uint32_t kind, uint32_t index) {
    return population->order[population->kindStarts[kind + 1] - 1 - index];
}

static Character *characterOf(const Population *population, uint32_t kind, uint32_t index) {
    return &population->characters[gpuCrowdCharacter(population, kind, index)];
}

/* ---- Models ---- */

bool gpuCrowdTakes(const Model *model, EngineError *reason) {
    if (model->clipCount == 0) {
        return engineFail(reason, "the model has no clips");
    }
    if (model->partCount > VKSKIN_MAX_CROWD_PARTS) {
        return engineFail(reason, "the model has %u parts; a crowd has up to %u", model->partCount,
                          VKSKIN_MAX_CROWD_PARTS);
    }
    ModelPalettes palettes;
    const bool found = modelFindPalettes(model, &palettes, reason);
    modelFreePalettes(&palettes);
    return found && (palettes.count <= MODELS_MAX ||
                     engineFail(reason, "the model has %u skins; a crowd has up to %u", palettes.count, MODELS_MAX));
}

/* The models of a kind while it is created. */
typedef struct KindModels {
    VkskinCrowdModel models[MODELS_MAX];
    VkskinCrowdLevel levels[MODELS_MAX][VKSKIN_MAX_CROWD_LEVELS]; /* the coarser ones of each model */
    VkskinCrowdPart *parts;    /* [1 + levelCount][partCount], each level model by model */
    VkskinAnimationBox *boxes; /* [paletteCount][nodeCount] */
    float *weights;            /* [morphCount]: without a track */
    bool *fixed;               /* [morphCount] */
} KindModels;

/* Vertices, palette and, about, the memory of posing, which few slots have on the CPU. level: 0: the model itself. */
static bool slotBytes(const GpuCrowd *gpu, const VkskinCrowdModel *model, uint32_t level, uint64_t *bytes,
                      EngineError *error) {
    VkskinSkin skin = level == 0 ? model->skin : model->levels[level - 1].skin;
    const VkskinCrowdPart *parts = level == 0 ? model->parts : model->levels[level - 1].parts;
    const bool few = gpu->population->skinning->backend == VKSKIN_BACKEND_CPU && gpu->population->skin.optional == NULL;
    *bytes = few ? 0
                 : (uint64_t)vkskinGetSkinBoneCount(skin) * vkskinPaletteStride(model->encoding) +
                       (uint64_t)vkskinGetSkinNodeCount(skin) * sizeof(VkskinAffine);
    for (uint32_t i = 0; i < model->partCount; i++) {
        VkskinMeshInfo info;
        VkskinResult result = vkskinGetMeshInfo(gpu->population->skinning->context, parts[i].mesh, &info);
        if (!check(gpu, result, "reading a mesh", error)) {
            return false;
        }
        *bytes += info.outputBytes;
    }
    return true;
}

/* One bit for each name of --optional. */
static uint32_t maskOf(const char *names, const char *name) {
    const size_t length = strlen(name);
    uint32_t mask = 0;
    for (uint32_t bit = 0; names && bit < PARTS_MAX; bit++) {
        const size_t own = strcspn(names, ",");
        mask |= own == length && strncmp(names, name, own) == 0 ? 1u << bit : 0;
        names = names[own] == ',' ? names + own + 1 : NULL;
    }
    return mask;
}

static VkskinCrowdPart describePart(const GpuCrowd *gpu, const SkinnedModel *skinned, uint32_t index, uint32_t level,
                                    const KindModels *models) {
    const SkinnedPart *part = &skinned->parts[index];
    const SkinnedMesh *meshes = level == 0 ? skinned->meshes : skinned->levels[level - 1].meshes;
    const SkinnedMesh *mesh = &meshes[part->modelMesh];
    VkskinCrowdPart made = vkskinDefaultCrowdPart();
    made.mesh = mesh->mesh;
    made.indexCount = mesh->indexCount;
    made.mask = maskOf(gpu->population->skin.optional, skinned->model->meshes[part->modelMesh].name);
    made.morphNode = part->carrier;
    made.morphWeightCount = part->morphCount;
    made.morphWeights = models->weights + part->firstMorph;
    made.morphsFixed = models->fixed + part->firstMorph;
    return made;
}

/* The coarser levels of a model whose parts are known. A level must have an error. */
static void describeLevels(const GpuCrowd *gpu, const SkinnedModel *skinned, uint32_t palette, VkskinCrowdPart *parts,
                           KindModels *models) {
    const uint32_t *intervals = gpu->population->skin.intervals;
    VkskinCrowdModel *model = &models->models[palette];
    float before = 0.0f;
    model->levels = models->levels[palette];
    model->levelCount = skinned->levelCount;
    model->interval = intervals[0] != 0 ? intervals[0] : 1;
    for (uint32_t l = 0; l < skinned->levelCount; l++) {
        VkskinCrowdPart *own = parts + (size_t)(l + 1) * skinned->partCount;
        VkskinCrowdLevel *level = &models->levels[palette][l];
        *level = vkskinDefaultCrowdLevel();
        level->skin = skinned->levels[l].skins[palette];
        level->parts = own;
        level->error = fmaxf(fmaxf((float)skinned->levels[l].error, FLT_MIN), before);
        level->interval = intervals[l + 1] != 0 ? intervals[l + 1] : 1;
        before = level->error;
        for (uint32_t i = 0; i < skinned->partCount; i++) {
            if (skinned->parts[i].palette == palette) {
                own[level->partCount++] = describePart(gpu, skinned, i, l + 1, models);
            }
        }
    }
}

static bool describeModel(const GpuCrowd *gpu, const SkinnedModel *skinned, uint32_t palette, VkskinCrowdPart *parts,
                          KindModels *models, uint32_t *partOf, EngineError *error) {
    VkskinCrowdModel *model = &models->models[palette];
    VkskinAnimationBox *boxes = models->boxes + (size_t)palette * skinned->model->nodeCount;
    const SkinMode mode = gpu->population->skin.mode;
    *model = vkskinDefaultCrowdModel();
    model->skin = skinned->palettes[palette].skin;
    model->parts = parts;
    model->boxes = boxes;
    model->method = skinModeMethod(mode);
    model->encoding = skinModeEncoding(mode);
    model->maxMorphTargets = UINT32_MAX;
    for (uint32_t i = 0; i < skinned->model->nodeCount; i++) {
        boxes[i] = vkskinEmptyAnimationBox();
    }
    for (uint32_t i = 0; i < skinned->partCount; i++) {
        if (skinned->parts[i].palette == palette) {
            partOf[i] = model->partCount;
            parts[model->partCount++] = describePart(gpu, skinned, i, 0, models);
            VkskinResult result = modelAddBoxes(skinned->model, i, boxes);
            if (!check(gpu, result, "measuring a mesh", error)) {
                return false;
            }
        }
    }
    describeLevels(gpu, skinned, palette, parts, models);
    return true;
}

static uint64_t largestHeap(const GpuCrowd *gpu) {
    const VkPhysicalDeviceMemoryProperties *memory = &gpu->population->skinning->device->memory;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++) {
        largest = memory->memoryHeaps[i].size > largest ? memory->memoryHeaps[i].size : largest;
    }
    return largest;
}

/* For the slots of a kind. */
static uint64_t kindBytes(const GpuCrowd *gpu) {
    const uint64_t share = largestHeap(gpu) / SLOTS_SHARE;
    return (share < SLOTS_BYTES_MAX ? share : SLOTS_BYTES_MAX) / gpu->population->modelCount;
}

/* The bytes of a slot of a level in the model that needs most. */
static bool largestSlot(const GpuCrowd *gpu, const KindModels *models, uint32_t count, uint32_t level,
                        uint64_t *largest, EngineError *error) {
    *largest = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes;
        if (!slotBytes(gpu, &models->models[i], level, &bytes, error)) {
            return false;
        }
        *largest = bytes > *largest ? bytes : *largest;
    }
    return true;
}

/* Slots for all characters in each level, or as many as fit. The coarsest of several levels takes up to 7/8 of the memory: most
 * characters are far away, and those for whom it has no slot are not drawn. The finer ones share the rest equally. slots: 0, or
 * those of the coarsest level; the others then have at most so many. */
static bool chooseSlots(const GpuCrowd *gpu, uint32_t characters, uint32_t slots, KindModels *models, uint32_t count,
                        EngineError *error) {
    const uint32_t levels = 1 + models->models[0].levelCount;
    const uint64_t range = gpu->population->skinning->device->limits.maxStorageBufferRange;
    const uint64_t listed = range / (SLOT_LIST_BYTES + SLOT_PART_BYTES * (uint64_t)models->models[0].partCount) /
                            levels / (count > 0 ? count : 1);
    uint64_t left = kindBytes(gpu) / (count > 0 ? count : 1);
    for (uint32_t level = levels; level-- > 0;) {
        uint64_t largest;
        if (!largestSlot(gpu, models, count, level, &largest, error)) {
            return false;
        }
        const uint64_t share = level > 0 && level + 1 == levels ? left / 8 * 7 : left / (level + 1);
        const uint64_t stored = share / largest, fitting = stored < listed ? stored : listed;
        const uint64_t most = slots && slots < characters ? slots : characters;
        const bool free = !slots || level + 1 < levels;
        const uint32_t chosen = (uint32_t)(free && fitting < most ? (fitting > 0 ? fitting : 1) : most);
        const uint64_t needed = chosen * largest, used = free || needed < share ? needed : share;
        left -= used < left ? used : left;
        for (uint32_t i = 0; i < count; i++) {
            *(level == 0 ? &models->models[i].slots : &models->levels[i][level - 1].slots) = chosen;
        }
    }
    return true;
}

static bool describeModels(const GpuCrowd *gpu, uint32_t kind, uint32_t slots, KindModels *models, EngineError *error) {
    const SkinnedModel *skinned = gpu->population->models[kind];
    const size_t nodes = skinned->model->nodeCount;
    VkskinCrowdPart *next = models->parts =
        engineAllocate((size_t)skinned->partCount * (1 + skinned->levelCount), sizeof(*models->parts), error);
    models->boxes = engineAllocate(skinned->paletteCount * nodes, sizeof(*models->boxes), error);
    models->weights = engineAllocate(skinned->morphCount, sizeof(*models->weights), error);
    models->fixed = engineAllocate(skinned->morphCount, sizeof(*models->fixed), error);
    if (!models->parts || !models->boxes || !models->weights || !models->fixed) {
        return false;
    }
    for (uint32_t i = 0; i < skinned->morphCount; i++) {
        models->weights[i] = skinned->morphs[i].weight;
        models->fixed[i] = skinned->morphs[i].fixed;
    }
    for (uint32_t i = 0; i < skinned->paletteCount; i++) {
        if (!describeModel(gpu, skinned, i, next, models, gpu->kinds[kind].parts, error)) {
            return false;
        }
        next += models->models[i].partCount;
    }
    return chooseSlots(gpu, populationKindSize(gpu->population, kind), slots, models, skinned->paletteCount, error);
}

static uint64_t bytesOf(const VkskinCrowdMemory *memory) {
    return memory->characters + memory->lists + memory->palettes + memory->output;
}

/* Whether all kinds together fit the device: drivers may promise more memory than there is. */
static bool addMemory(GpuCrowd *gpu, const VkskinCrowdMemory *own, EngineError *error) {
    VkskinCrowdMemory *all = &gpu->memory;
    all->characters += own->characters;
    all->lists += own->lists;
    all->palettes += own->palettes;
    all->output += own->output;
    all->host += own->host;
    const uint64_t bytes = bytesOf(all);
    return bytes <= largestHeap(gpu) ||
           engineFail(error, "the crowd needs %llu MiB of memory; the largest heap of '%.100s' has %llu; " NEED_LESS,
                      (unsigned long long)(bytes >> 20), gpu->population->skinning->device->info.name,
                      (unsigned long long)(largestHeap(gpu) >> 20));
}

static bool createCrowd(GpuCrowd *gpu, uint32_t kind, uint32_t slots, EngineError *error) {
    const SkinnedModel *skinned = gpu->population->models[kind];
    KindModels models = {.parts = NULL};
    VkskinCrowdMemory memory = {0};
    bool made = describeModels(gpu, kind, slots, &models, error);
    if (made) {
        VkskinCrowdDef def = vkskinDefaultCrowdDef();
        char name[64];
        def.capacity = populationKindSize(gpu->population, kind) * skinned->paletteCount;
        snprintf(name, sizeof(name), "%u with %u characters", kind, def.capacity);
        def.name = name;
        def.clipSet = gpu->kinds[kind].clips;
        def.models = models.models;
        def.modelCount = skinned->paletteCount;
        def.maxChanges = def.capacity;
        def.maxViews = POPULATION_PASS_COUNT;
        def.ticksPerSecond = GPU_CROWD_TICKS;
        def.morphClips = skinned->clips;
        gpu->kinds[kind].slots[0] = models.models[0].slots;
        for (uint32_t l = 0; l < skinned->levelCount; l++) {
            gpu->kinds[kind].slots[l + 1] = models.levels[0][l].slots;
        }
        VkskinResult result =
            vkskinCreateCrowd(gpu->population->skinning->context, &def, &gpu->kinds[kind].crowd, &memory);
        made = check(gpu, result, "making a crowd", error);
        if (result == VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY || result == VKSKIN_ERROR_OUT_OF_HOST_MEMORY ||
            result == VKSKIN_ERROR_UNSUPPORTED_DEVICE) {
            const EngineError reason = *error;
            const unsigned long long needed = bytesOf(&memory) >> 20;
            if (needed > 0) {
                engineFail(error, "%.400s; all of it needs %llu MiB; " NEED_LESS, reason.message, needed);
            } else {
                engineFail(error, "%.400s; " NEED_LESS, reason.message);
            }
            error->unsupported = reason.unsupported;
        }
    }
    made = made && addMemory(gpu, &memory, error);
    free(models.parts);
    free(models.boxes);
    free(models.weights);
    free(models.fixed);
    return made;
}

/* ---- Characters ---- */

/* `start` is the part of the clip that has passed. */
static VkskinCrowdPlay describePlay(const GpuCrowd *gpu, uint32_t kind, const Character *character) {
    const float duration = vkskinGetAnimationDuration(gpu->population->models[kind]->packed.block, character->clip);
    VkskinCrowdPlay play = vkskinDefaultCrowdPlay();
    play.clip = character->clip;
    play.once = character->wrap != VKSKIN_WRAP_LOOP;
    if (duration > 0.0f) {
        const double passed = (character->time + gpu->clock) / duration;
        play.start = (float)(play.once ? fmin(fmax(passed, 0.0), 1.0) : passed - floor(passed));
    }
    return play;
}

static bool addCharacters(GpuCrowd *gpu, uint32_t kind, EngineError *error) {
    const Population *population = gpu->population;
    const SkinnedModel *skinned = population->models[kind];
    const size_t count = (size_t)populationKindSize(population, kind) * skinned->paletteCount;
    VkskinCharacterDef *defs = engineAllocate(count, sizeof(*defs), error);
    if (!defs) {
        return false;
    }
    for (uint32_t i = 0; i < populationKindSize(population, kind); i++) {
        Character *character = characterOf(population, kind, i);
        character->lastPlace = character->place;
        character->continues = true;
        for (uint32_t palette = 0; palette < skinned->paletteCount; palette++) {
            VkskinCharacterDef *def = &defs[(size_t)i * skinned->paletteCount + palette];
            *def = vkskinDefaultCharacterDef();
            def->transform = vkskinMultiplyAffine(&character->place, &skinned->modelToCommon);
            def->model = palette;
            def->variation = populationPackTint(character->tint);
            def->parts = (i + 1) * 0x9e3779b1u; /* the same of all skins; half of each bit */
            def->play = describePlay(gpu, kind, character);
        }
    }
    VkskinResult result = vkskinAddCharacters(population->skinning->context, gpu->kinds[kind].crowd, defs,
                                              sizeof(*defs), (uint32_t)count, gpu->kinds[kind].characters);
    free(defs);
    return check(gpu, result, "adding characters", error);
}

/* ---- Creation ---- */

static bool createKind(GpuCrowd *gpu, uint32_t kind, uint32_t slots, EngineError *error) {
    const Population *population = gpu->population;
    const SkinnedModel *skinned = population->models[kind];
    GpuKind *made = &gpu->kinds[kind];
    if (populationKindSize(population, kind) == 0) {
        return true;
    }
    made->characters = engineAllocate((size_t)populationKindSize(population, kind) * skinned->paletteCount,
                                      sizeof(*made->characters), error);
    made->parts = engineAllocate(skinned->partCount, sizeof(*made->parts), error);
    if (!made->characters || !made->parts) {
        return false;
    }
    VkskinResult result =
        vkskinCreateClipSet(population->skinning->context, skinned->packed.block, skinned->packed.size, &made->clips);
    return check(gpu, result, "making a clip set", error) && createCrowd(gpu, kind, slots, error) &&
           addCharacters(gpu, kind, error);
}

GpuCrowd *gpuCrowdCreate(Population *population, uint32_t slots, EngineError *error) {
    GpuCrowd *gpu = engineAllocate(1, sizeof(*gpu), error);
    if (!gpu) {
        return NULL;
    }
    gpu->population = population;
    gpu->clock = population->clock;
    gpu->kinds = engineAllocate(population->modelCount, sizeof(*gpu->kinds), error);
    bool made = gpu->kinds;
    for (uint32_t kind = 0; kind < population->modelCount && made; kind++) {
        made = createKind(gpu, kind, slots, error);
    }
    if (!made) {
        gpuCrowdDestroy(gpu);
        return NULL;
    }
    for (uint32_t pass = 0; pass < POPULATION_PASS_COUNT; pass++) { /* until gpuCrowdView: both see everything */
        gpu->views[pass].kind = pass == POPULATION_PASS_COLOUR ? VKSKIN_CROWD_COLOUR : VKSKIN_CROWD_SHADOW;
    }
    return gpu;
}

void gpuCrowdDestroy(GpuCrowd *gpu) {
    if (!gpu) {
        return;
    }
    for (uint32_t kind = 0; gpu->kinds && kind < gpu->population->modelCount; kind++) {
        GpuKind *made = &gpu->kinds[kind];
        if (!VKSKIN_IS_NULL(made->crowd)) {
            (void)vkskinDestroyCrowd(gpu->population->skinning->context, made->crowd);
        }
        if (!VKSKIN_IS_NULL(made->clips)) {
            (void)vkskinDestroyClipSet(gpu->population->skinning->context, made->clips);
        }
        free(made->characters);
        free(made->parts);
    }
    free(gpu->kinds);
    free(gpu);
}

/* ---- A frame ---- */

void gpuCrowdView(GpuCrowd *gpu, const PopulationView *view) {
    gpu->views[POPULATION_PASS_SHADOW] =
        vkskinCrowdShadowView(view->light, view->camera, view->towardsLight, view->shadowMargin);
    VkskinCrowdView *colour = &gpu->views[POPULATION_PASS_COLOUR];
    *colour = vkskinCrowdViewFromMatrix(view->camera, VKSKIN_CROWD_COLOUR);
    memcpy(colour->eye, view->eye, sizeof(colour->eye));
    colour->pixelsPerUnit = view->pixelsPerUnit;
}

/* Passes clips and times of all characters on. */
static bool replay(GpuCrowd *gpu, uint32_t kind, EngineError *error) {
    const Population *population = gpu->population;
    const uint32_t palettes = population->models[kind]->paletteCount;
    const size_t count = (size_t)populationKindSize(population, kind) * palettes;
    VkskinCrowdPlay *plays = engineAllocate(count, sizeof(*plays), error);
    if (!plays) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        plays[i] = describePlay(gpu, kind, characterOf(population, kind, (uint32_t)(i / palettes)));
    }
    VkskinResult result = vkskinPlayCharacters(population->skinning->context, gpu->kinds[kind].crowd,
                                               gpu->kinds[kind].characters, (uint32_t)count, plays, sizeof(*plays));
    free(plays);
    return check(gpu, result, "changing characters", error);
}

/* Passes the places on of the characters that moved, either of those that walked or of those that were teleported. */
static bool move(GpuCrowd *gpu, uint32_t kind, VkskinCrowdMove how, EngineError *error) {
    const Population *population = gpu->population;
    const SkinnedModel *skinned = population->models[kind];
    const uint32_t size = populationKindSize(population, kind), palettes = skinned->paletteCount;
    VkskinCharacter *moved = engineAllocate((size_t)size * palettes, sizeof(*moved), error);
    VkskinAffine *places = moved ? engineAllocate((size_t)size * palettes, sizeof(*places), error) : NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < size && places; i++) {
        Character *character = characterOf(population, kind, i);
        const bool same = memcmp(&character->place, &character->lastPlace, sizeof(character->place)) == 0;
        if (how == VKSKIN_CROWD_TELEPORT ? character->continues : same) {
            continue;
        }
        for (uint32_t palette = 0; palette < palettes; palette++) {
            places[count] = vkskinMultiplyAffine(&character->place, &skinned->modelToCommon);
            moved[count++] = gpu->kinds[kind].characters[i * palettes + palette];
        }
        character->lastPlace = character->place;
        character->continues = true;
    }
    const VkskinResult result = places && count > 0
                                    ? vkskinMoveCharacters(population->skinning->context, gpu->kinds[kind].crowd, moved,
                                                           count, places, sizeof(*places), how)
                                    : VKSKIN_SUCCESS;
    free(moved);
    free(places);
    return places && check(gpu, result, "moving characters", error);
}

/* A clock that goes back changes the times too, and one that went on before the first frame, since clips begin in it. */
static bool follow(GpuCrowd *gpu, EngineError *error) {
    const double passed = gpu->population->clock - gpu->clock;
    const bool changed = gpu->population->changed || passed < 0.0 || (passed > 0.0 && !gpu->recorded);
    gpu->clock = gpu->population->clock;
    gpu->recorded = true;
    gpu->population->changed = false;
    for (uint32_t kind = 0; changed && kind < gpu->population->modelCount; kind++) {
        if (populationKindSize(gpu->population, kind) > 0 &&
            !(replay(gpu, kind, error) && move(gpu, kind, VKSKIN_CROWD_TELEPORT, error) &&
              move(gpu, kind, VKSKIN_CROWD_WALK, error))) {
            return false;
        }
    }
    return true;
}

bool gpuCrowdRecord(GpuCrowd *gpu, VkCommandBuffer commandBuffer, EngineError *error) {
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    if (!follow(gpu, error)) {
        return false;
    }
    frame.tick = (uint32_t)(uint64_t)llround(gpu->clock * GPU_CROWD_TICKS);
    frame.viewCount = POPULATION_PASS_COUNT;
    frame.views = gpu->views;
    frame.maxVertices =
        (gpu->population->skin.maxVertices + gpu->population->modelCount - 1) / gpu->population->modelCount;
    for (uint32_t kind = 0; kind < gpu->population->modelCount; kind++) {
        VkskinResult result = VKSKIN_SUCCESS;
        if (!VKSKIN_IS_NULL(gpu->kinds[kind].crowd)) {
            result =
                vkskinRecordCrowd(gpu->population->skinning->context, commandBuffer, gpu->kinds[kind].crowd, &frame);
        }
        if (!check(gpu, result, "recording a crowd", error)) {
            return false;
        }
    }
    return true;
}

bool gpuCrowdStats(const GpuCrowd *gpu, GpuCrowdStats *stats, EngineError *error) {
    const VkskinCrowdMemory *memory = &gpu->memory;
    const uint64_t slotBytes = memory->palettes + memory->output;
    *stats = (GpuCrowdStats){.bytes = memory->characters + memory->lists + slotBytes, .slotBytes = slotBytes};
    for (uint32_t kind = 0; kind < gpu->population->modelCount; kind++) {
        VkskinCrowdStats own = {0};
        if (VKSKIN_IS_NULL(gpu->kinds[kind].crowd)) {
            continue;
        }
        VkskinResult result = vkskinGetCrowdStats(gpu->population->skinning->context, gpu->kinds[kind].crowd, &own);
        if (!check(gpu, result, "reading counters", error)) {
            return false;
        }
        const SkinnedModel *skinned = gpu->population->models[kind];
        stats->characters += own.characters;
        stats->skinned += own.skinned;
        stats->refused += own.refused;
        stats->maxPixels = fmaxf(stats->maxPixels, own.maxPixels);
        for (uint32_t l = 0; l <= skinned->levelCount; l++) {
            GpuLevelStats *level = &stats->levels[l];
            stats->levelCount = l + 1 > stats->levelCount ? l + 1 : stats->levelCount;
            level->slots += gpu->kinds[kind].slots[l] * skinned->paletteCount;
            level->skinned += own.levels[l].slots;
            level->refreshed += own.levels[l].refreshed;
            level->vertices += own.levels[l].vertices;
            stats->slots += gpu->kinds[kind].slots[l] * skinned->paletteCount;
            stats->vertices += own.levels[l].vertices;
        }
        for (uint32_t pass = 0; pass < POPULATION_PASS_COUNT; pass++) {
            stats->drawn[pass] += own.drawn[pass];
        }
    }
    return true;
}
