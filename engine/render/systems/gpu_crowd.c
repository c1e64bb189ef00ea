#include "gpu_crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_pack.h"
#include "model_pose.h"

#define TICKS_PER_SECOND 1000u
#define SLOTS_SHARE      4u /* the slots of all kinds take 1/4 of the largest heap, unless their number is chosen */
#define SLOTS_BYTES_MAX  ((uint64_t)4 << 30) /* maximum for the slots of all kinds, unless their number is chosen */
#define MODELS_MAX       VKSKIN_MAX_CROWD_MODELS
#define SLOT_LIST_BYTES  152u /* lists and record of a slot with two views, which the device binds as one buffer */
#define SLOT_PART_BYTES  16u  /* in it, for each part */

#define NEED_LESS "fewer --slots or a smaller --count need less"

static bool check(const GpuCrowd *gpu, VkskinResult result, const char *what, EngineError *error) {
    return result >= 0 || skinningFail(gpu->crowd->skinning, error, what, result);
}

/* The last members stand in front, see crowdPlaceMembers. They come first, because the first get slots first. */
static const CrowdMember *memberOf(const Crowd *crowd, uint32_t kind, uint32_t index) {
    return &crowd->members[crowd->order[crowd->kindStarts[kind + 1] - 1 - index]];
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
    VkskinCrowdPart *parts;    /* [partCount], model by model */
    VkskinAnimationBox *boxes; /* [paletteCount][nodeCount] */
    float *weights;            /* [morphCount]: without a track */
    bool *fixed;               /* [morphCount] */
} KindModels;

/* Vertices, palette and, about, the memory of posing. */
static bool slotBytes(const GpuCrowd *gpu, const VkskinCrowdModel *model, uint64_t *bytes, EngineError *error) {
    *bytes = (uint64_t)vkskinGetSkinBoneCount(model->skin) * vkskinPaletteStride(model->encoding) +
             (uint64_t)vkskinGetSkinNodeCount(model->skin) * sizeof(VkskinAffine);
    for (uint32_t i = 0; i < model->partCount; i++) {
        VkskinMeshInfo info;
        VkskinResult result = vkskinGetMeshInfo(gpu->crowd->skinning->context, model->parts[i].mesh, &info);
        if (!check(gpu, result, "reading a mesh", error)) {
            return false;
        }
        *bytes += info.outputBytes;
    }
    return true;
}

static VkskinCrowdPart describePart(const Character *character, uint32_t index, const KindModels *models) {
    const CharacterPart *part = &character->parts[index];
    const CharacterMesh *mesh = &character->meshes[part->modelMesh];
    VkskinCrowdPart made = vkskinDefaultCrowdPart();
    made.mesh = mesh->mesh;
    made.indexCount = mesh->indexCount;
    made.morphNode = part->carrier;
    made.morphWeightCount = part->morphCount;
    made.morphWeights = models->weights + part->firstMorph;
    made.morphsFixed = models->fixed + part->firstMorph;
    return made;
}

static bool describeModel(const GpuCrowd *gpu, const Character *character, uint32_t palette, VkskinCrowdPart *parts,
                          KindModels *models, uint32_t *partOf, EngineError *error) {
    VkskinCrowdModel *model = &models->models[palette];
    VkskinAnimationBox *boxes = models->boxes + (size_t)palette * character->model->nodeCount;
    const SkinMode mode = gpu->crowd->skin.mode;
    *model = vkskinDefaultCrowdModel();
    model->skin = character->palettes[palette].skin;
    model->parts = parts;
    model->boxes = boxes;
    model->method = skinModeMethod(mode);
    model->encoding = skinModeEncoding(mode);
    model->maxMorphTargets = UINT32_MAX;
    for (uint32_t i = 0; i < character->model->nodeCount; i++) {
        boxes[i] = vkskinEmptyAnimationBox();
    }
    for (uint32_t i = 0; i < character->partCount; i++) {
        if (character->parts[i].palette == palette) {
            partOf[i] = model->partCount;
            parts[model->partCount++] = describePart(character, i, models);
            VkskinResult result = modelAddBoxes(character->model, i, boxes);
            if (!check(gpu, result, "measuring a mesh", error)) {
                return false;
            }
        }
    }
    return true;
}

static uint64_t largestHeap(const GpuCrowd *gpu) {
    const VkPhysicalDeviceMemoryProperties *memory = &gpu->crowd->skinning->device->memory;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++) {
        largest = memory->memoryHeaps[i].size > largest ? memory->memoryHeaps[i].size : largest;
    }
    return largest;
}

/* For the slots of a kind. */
static uint64_t kindBytes(const GpuCrowd *gpu) {
    const uint64_t share = largestHeap(gpu) / SLOTS_SHARE;
    return (share < SLOTS_BYTES_MAX ? share : SLOTS_BYTES_MAX) / gpu->crowd->characterCount;
}

/* Slots for all members, or as many as fit. */
static bool chooseSlots(const GpuCrowd *gpu, uint32_t members, uint32_t slots, KindModels *models, uint32_t count,
                        EngineError *error) {
    uint64_t largest = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes;
        if (!slotBytes(gpu, &models->models[i], &bytes, error)) {
            return false;
        }
        largest = bytes > largest ? bytes : largest;
    }
    const uint64_t range = gpu->crowd->skinning->device->limits.maxStorageBufferRange;
    const uint64_t listed = range / (SLOT_LIST_BYTES + SLOT_PART_BYTES * (uint64_t)models->models[0].partCount);
    const uint64_t stored = kindBytes(gpu) / largest;
    const uint64_t fitting = (stored < listed ? stored : listed) / (count > 0 ? count : 1);
    const uint64_t wanted = slots ? slots : fitting > 0 ? fitting : 1;
    for (uint32_t i = 0; i < count; i++) {
        models->models[i].slots = (uint32_t)(members < wanted ? members : wanted);
    }
    return true;
}

static bool describeModels(const GpuCrowd *gpu, uint32_t kind, uint32_t slots, KindModels *models, EngineError *error) {
    const Character *character = gpu->crowd->characters[kind];
    const size_t nodes = character->model->nodeCount;
    VkskinCrowdPart *next = models->parts = engineAllocate(character->partCount, sizeof(*models->parts), error);
    models->boxes = engineAllocate(character->paletteCount * nodes, sizeof(*models->boxes), error);
    models->weights = engineAllocate(character->morphCount, sizeof(*models->weights), error);
    models->fixed = engineAllocate(character->morphCount, sizeof(*models->fixed), error);
    if (!models->parts || !models->boxes || !models->weights || !models->fixed) {
        return false;
    }
    for (uint32_t i = 0; i < character->morphCount; i++) {
        models->weights[i] = character->morphs[i].weight;
        models->fixed[i] = character->morphs[i].fixed;
    }
    for (uint32_t i = 0; i < character->paletteCount; i++) {
        if (!describeModel(gpu, character, i, next, models, gpu->kinds[kind].parts, error)) {
            return false;
        }
        next += models->models[i].partCount;
    }
    return chooseSlots(gpu, crowdKindSize(gpu->crowd, kind), slots, models, character->paletteCount, error);
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
                      (unsigned long long)(bytes >> 20), gpu->crowd->skinning->device->info.name,
                      (unsigned long long)(largestHeap(gpu) >> 20));
}

static bool createCrowd(GpuCrowd *gpu, uint32_t kind, uint32_t slots, EngineError *error) {
    const Character *character = gpu->crowd->characters[kind];
    KindModels models = {.parts = NULL};
    VkskinCrowdMemory memory = {0};
    bool made = describeModels(gpu, kind, slots, &models, error);
    if (made) {
        VkskinCrowdDef def = vkskinDefaultCrowdDef();
        char name[64];
        def.capacity = crowdKindSize(gpu->crowd, kind) * character->paletteCount;
        snprintf(name, sizeof(name), "%u with %u characters", kind, def.capacity);
        def.name = name;
        def.clipSet = gpu->kinds[kind].clips;
        def.models = models.models;
        def.modelCount = character->paletteCount;
        def.maxChanges = def.capacity;
        def.maxViews = CROWD_PASS_COUNT;
        def.ticksPerSecond = TICKS_PER_SECOND;
        def.morphClips = character->clips;
        gpu->kinds[kind].slots = models.models[0].slots;
        VkskinResult result = vkskinCreateCrowd(gpu->crowd->skinning->context, &def, &gpu->kinds[kind].crowd, &memory);
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

/* ---- Members ---- */

/* `start` is the part of the clip that has passed. */
static VkskinCrowdPlay describePlay(const GpuCrowd *gpu, uint32_t kind, const CrowdMember *member) {
    const float duration = vkskinGetAnimationDuration(gpu->crowd->characters[kind]->packed.block, member->clip);
    VkskinCrowdPlay play = vkskinDefaultCrowdPlay();
    play.clip = member->clip;
    play.once = member->wrap != VKSKIN_WRAP_LOOP;
    if (duration > 0.0f) {
        const double passed = (member->time + gpu->clock) / duration;
        play.start = (float)(play.once ? fmin(fmax(passed, 0.0), 1.0) : passed - floor(passed));
    }
    return play;
}

static bool addMembers(GpuCrowd *gpu, uint32_t kind, EngineError *error) {
    const Crowd *crowd = gpu->crowd;
    const Character *character = crowd->characters[kind];
    const size_t count = (size_t)crowdKindSize(crowd, kind) * character->paletteCount;
    VkskinCharacterDef *defs = engineAllocate(count, sizeof(*defs), error);
    if (!defs) {
        return false;
    }
    for (uint32_t i = 0; i < crowdKindSize(crowd, kind); i++) {
        const CrowdMember *member = memberOf(crowd, kind, i);
        for (uint32_t palette = 0; palette < character->paletteCount; palette++) {
            VkskinCharacterDef *def = &defs[(size_t)i * character->paletteCount + palette];
            *def = vkskinDefaultCharacterDef();
            def->transform = vkskinMultiplyAffine(&member->place, &character->modelToCommon);
            def->model = palette;
            def->variation = crowdPackTint(member->tint);
            def->play = describePlay(gpu, kind, member);
        }
    }
    VkskinResult result = vkskinAddCharacters(crowd->skinning->context, gpu->kinds[kind].crowd, defs, sizeof(*defs),
                                              (uint32_t)count, gpu->kinds[kind].characters);
    free(defs);
    return check(gpu, result, "adding characters", error);
}

/* ---- Creation ---- */

static bool createKind(GpuCrowd *gpu, uint32_t kind, uint32_t slots, EngineError *error) {
    const Crowd *crowd = gpu->crowd;
    const Character *character = crowd->characters[kind];
    GpuKind *made = &gpu->kinds[kind];
    if (crowdKindSize(crowd, kind) == 0) {
        return true;
    }
    made->characters =
        engineAllocate((size_t)crowdKindSize(crowd, kind) * character->paletteCount, sizeof(*made->characters), error);
    made->parts = engineAllocate(character->partCount, sizeof(*made->parts), error);
    if (!made->characters || !made->parts) {
        return false;
    }
    VkskinResult result =
        vkskinCreateClipSet(crowd->skinning->context, character->packed.block, character->packed.size, &made->clips);
    return check(gpu, result, "making a clip set", error) && createCrowd(gpu, kind, slots, error) &&
           addMembers(gpu, kind, error);
}

GpuCrowd *gpuCrowdCreate(Crowd *crowd, uint32_t slots, EngineError *error) {
    GpuCrowd *gpu = engineAllocate(1, sizeof(*gpu), error);
    if (!gpu) {
        return NULL;
    }
    gpu->crowd = crowd;
    gpu->clock = crowd->clock;
    gpu->kinds = engineAllocate(crowd->characterCount, sizeof(*gpu->kinds), error);
    bool made = gpu->kinds;
    for (uint32_t kind = 0; kind < crowd->characterCount && made; kind++) {
        made = createKind(gpu, kind, slots, error);
    }
    if (!made) {
        gpuCrowdDestroy(gpu);
        return NULL;
    }
    for (uint32_t pass = 0; pass < CROWD_PASS_COUNT; pass++) { /* until gpuCrowdView: both see everything */
        gpu->views[pass].kind = pass == CROWD_PASS_COLOUR ? VKSKIN_CROWD_COLOUR : VKSKIN_CROWD_SHADOW;
    }
    return gpu;
}

void gpuCrowdDestroy(GpuCrowd *gpu) {
    if (!gpu) {
        return;
    }
    for (uint32_t kind = 0; gpu->kinds && kind < gpu->crowd->characterCount; kind++) {
        GpuKind *made = &gpu->kinds[kind];
        if (!VKSKIN_IS_NULL(made->crowd)) {
            (void)vkskinDestroyCrowd(gpu->crowd->skinning->context, made->crowd);
        }
        if (!VKSKIN_IS_NULL(made->clips)) {
            (void)vkskinDestroyClipSet(gpu->crowd->skinning->context, made->clips);
        }
        free(made->characters);
        free(made->parts);
    }
    free(gpu->kinds);
    free(gpu);
}

/* ---- A frame ---- */

void gpuCrowdView(GpuCrowd *gpu, const CrowdView *view) {
    gpu->views[CROWD_PASS_SHADOW] =
        vkskinCrowdShadowView(view->light, view->camera, view->towardsLight, view->shadowMargin);
    gpu->views[CROWD_PASS_COLOUR] = vkskinCrowdViewFromMatrix(view->camera, VKSKIN_CROWD_COLOUR);
}

/* Passes clips and times of all members on. */
static bool replay(GpuCrowd *gpu, uint32_t kind, EngineError *error) {
    const Crowd *crowd = gpu->crowd;
    const uint32_t palettes = crowd->characters[kind]->paletteCount;
    const size_t count = (size_t)crowdKindSize(crowd, kind) * palettes;
    VkskinCrowdPlay *plays = engineAllocate(count, sizeof(*plays), error);
    if (!plays) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        plays[i] = describePlay(gpu, kind, memberOf(crowd, kind, (uint32_t)(i / palettes)));
    }
    VkskinResult result = vkskinPlayCharacters(crowd->skinning->context, gpu->kinds[kind].crowd,
                                               gpu->kinds[kind].characters, (uint32_t)count, plays, sizeof(*plays));
    free(plays);
    return check(gpu, result, "changing characters", error);
}

/* A clock that goes back changes the times too, and one that went on before the first frame, since clips begin in it. */
static bool follow(GpuCrowd *gpu, EngineError *error) {
    const double passed = gpu->crowd->clock - gpu->clock;
    const bool changed = gpu->crowd->changed || passed < 0.0 || (passed > 0.0 && !gpu->recorded);
    gpu->clock = gpu->crowd->clock;
    gpu->recorded = true;
    gpu->crowd->changed = false;
    for (uint32_t kind = 0; changed && kind < gpu->crowd->characterCount; kind++) {
        if (crowdKindSize(gpu->crowd, kind) > 0 && !replay(gpu, kind, error)) {
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
    frame.tick = (uint32_t)(uint64_t)llround(gpu->clock * TICKS_PER_SECOND);
    frame.viewCount = CROWD_PASS_COUNT;
    frame.views = gpu->views;
    for (uint32_t kind = 0; kind < gpu->crowd->characterCount; kind++) {
        VkskinResult result = VKSKIN_SUCCESS;
        if (!VKSKIN_IS_NULL(gpu->kinds[kind].crowd)) {
            result = vkskinRecordCrowd(gpu->crowd->skinning->context, commandBuffer, gpu->kinds[kind].crowd, &frame);
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
    for (uint32_t kind = 0; kind < gpu->crowd->characterCount; kind++) {
        VkskinCrowdStats own = {0};
        if (VKSKIN_IS_NULL(gpu->kinds[kind].crowd)) {
            continue;
        }
        VkskinResult result = vkskinGetCrowdStats(gpu->crowd->skinning->context, gpu->kinds[kind].crowd, &own);
        if (!check(gpu, result, "reading counters", error)) {
            return false;
        }
        const Character *character = gpu->crowd->characters[kind];
        stats->characters += own.characters;
        stats->skinned += own.skinned;
        stats->vertices += (uint64_t)own.skinned * character->verticesPerInstance / character->paletteCount;
        stats->refused += own.refused;
        stats->slots += gpu->kinds[kind].slots * gpu->crowd->characters[kind]->paletteCount;
        for (uint32_t pass = 0; pass < CROWD_PASS_COUNT; pass++) {
            stats->drawn[pass] += own.drawn[pass];
        }
    }
    return true;
}
