#include "crowd_def.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "cookie.h"
#include "mesh_kernels.h"
#include "skeleton.h"

static const char call[] = "vkskinCreateCrowd";

#define MAX_CAPACITY 0xffffffu
#define MAX_SLOTS    (CROWD_RESIDENT_SLOT - 1u)

VkskinCrowdDef vkskinDefaultCrowdDef(void) {
    return (VkskinCrowdDef){
        .cookie = VKSKIN_COOKIE_CROWD,
        .ticksPerSecond = 1000,
        .maxChanges = 1 << 16,
        .maxViews = 4,
        .maxQueries = 256,
    };
}

VkskinCrowdModel vkskinDefaultCrowdModel(void) {
    return (VkskinCrowdModel){
        .method = VKSKIN_METHOD_LINEAR_BLEND,
        .encoding = vkskinMethodEncoding(VKSKIN_METHOD_LINEAR_BLEND),
        .maxMorphTargets = 256,
        .interval = 1,
    };
}

VkskinCrowdLevel vkskinDefaultCrowdLevel(void) {
    return (VkskinCrowdLevel){.interval = 1};
}

VkskinCrowdPart vkskinDefaultCrowdPart(void) {
    return (VkskinCrowdPart){.mesh = VKSKIN_NULL_MESH};
}

/* ---- Numbers and pointers ---- */

static VkskinResult checkModel(VkskinContext context, const char *subject, const VkskinCrowdModel *model) {
    const VkskinResult null = VKSKIN_ERROR_NULL_ARGUMENT;
    const VkskinResult invalid = VKSKIN_ERROR_INVALID_VALUE;
    const Subject about = {&context->gpu.logger, "vkskinCreateCrowd: ", subject};
    const Rule rules[] = {
        {model->skin == NULL, null, "skin is null"},
        {model->parts == NULL, null, "parts is null"},
        {model->boxes == NULL, null, "boxes is null"},
        {!vkskinMethodReads(model->method, model->encoding), invalid, "the method does not read the encoding"},
        {!sknCrowdWrites(model->encoding), invalid, "the device cannot write palettes of this encoding"},
    };
    VkskinResult result = sknCheckRules(&about, rules, SKN_COUNT(rules));
    const Range ranges[] = {
        {"partCount", model->partCount, 1, VKSKIN_MAX_CROWD_PARTS},
        {"slots", model->slots, 1, MAX_SLOTS},
        {"interval", model->interval == 3 ? 0 : model->interval, 1, 4},
    };
    return result < 0 ? result : sknCheckRanges(&about, ranges, SKN_COUNT(ranges));
}

/* ---- Levels ---- */

void sknListCrowdLevels(const VkskinCrowdDef *def, CrowdLevels *levels) {
    uint32_t count = 0;
    for (uint32_t m = 0; m < def->modelCount; m++) {
        for (uint32_t level = 0; level <= def->models[m].levelCount; level++) {
            VkskinCrowdModel *made = &levels->models[count];
            levels->places[count++] = (CrowdLevelPlace){.model = m, .level = level};
            *made = def->models[m];
            if (level > 0) {
                const VkskinCrowdLevel *from = &def->models[m].levels[level - 1];
                levels->places[count - 1].error = from->error;
                made->skin = from->skin;
                made->parts = from->parts;
                made->partCount = from->partCount;
                made->slots = from->slots;
                made->interval = from->interval;
            }
        }
    }
    levels->def = *def;
    levels->def.models = levels->models;
    levels->def.modelCount = count;
}

/* For messages. */
static void nameLevel(const CrowdLevels *levels, uint32_t index, char *name, size_t size) {
    const CrowdLevelPlace *place = &levels->places[index];
    if (place->level == 0) {
        snprintf(name, size, "model %u", place->model);
    } else {
        snprintf(name, size, "model %u, level %u", place->model, place->level);
    }
}

/* What must hold before the levels can be listed. */
static VkskinResult checkLevels(VkskinContext context, const VkskinCrowdDef *def) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t m = 0; result >= 0 && m < def->modelCount; m++) {
        const VkskinCrowdModel *model = &def->models[m];
        char subject[32];
        snprintf(subject, sizeof subject, "model %u", m);
        const Subject about = {&context->gpu.logger, "vkskinCreateCrowd: ", subject};
        const Range range = {"levelCount", model->levelCount, 0, VKSKIN_MAX_CROWD_LEVELS - 1};
        const Rule rule = {model->levelCount > 0 && model->levels == NULL, VKSKIN_ERROR_NULL_ARGUMENT,
                           "levels is null"};
        result = sknCheckRanges(&about, &range, 1);
        if (result >= 0) {
            result = sknCheckRules(&about, &rule, 1);
        }
        float least = FLT_MIN;
        for (uint32_t i = 0; result >= 0 && i < model->levelCount; i++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the rule above refuses null */
            const float error = model->levels[i].error;
            const Rule ascending = {!(error >= least && error <= CROWD_FAR), VKSKIN_ERROR_INVALID_VALUE,
                                    "the error of a level is not above 0 and at least that of the level before"};
            result = sknCheckRules(&about, &ascending, 1);
            least = error;
        }
    }
    return result;
}

static VkskinResult checkNumbers(VkskinContext context, const VkskinCrowdDef *def) {
    const Subject about = {&context->gpu.logger, call, ""};
    const Range ranges[] = {
        {"modelCount", def->modelCount, 1, VKSKIN_MAX_CROWD_MODELS}, {"capacity", def->capacity, 1, MAX_CAPACITY},
        {"ticksPerSecond", def->ticksPerSecond, 1, 1000000},         {"maxChanges", def->maxChanges, 1, UINT32_MAX},
        {"maxViews", def->maxViews, 1, VKSKIN_MAX_CROWD_VIEWS},
    };
    return sknCheckRanges(&about, ranges, SKN_COUNT(ranges));
}

VkskinResult sknCheckCrowdDef(VkskinContext context, const VkskinCrowdDef *def) {
    if (def->cookie != VKSKIN_COOKIE_CROWD) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_DEF_NOT_INITIALISED,
                         "%s: the def was not made by vkskinDefaultCrowdDef", call);
    }
    VkskinResult result = checkNumbers(context, def);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "models", def->models);
    }
    if (result >= 0) {
        result = checkLevels(context, def);
    }
    if (result < 0) {
        return result;
    }
    CrowdLevels levels;
    sknListCrowdLevels(def, &levels);
    uint32_t parts = 0;
    for (uint32_t g = 0; result >= 0 && g < levels.def.modelCount; g++) {
        char subject[32];
        nameLevel(&levels, g, subject, sizeof subject);
        result = checkModel(context, subject, &levels.models[g]);
        parts += result >= 0 ? levels.models[g].partCount : 0;
    }
    if (result >= 0 && parts > VKSKIN_MAX_CROWD_PARTS) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: the models have %u parts, more than %u",
                         call, parts, VKSKIN_MAX_CROWD_PARTS);
    }
    if (result >= 0 && sknTwoFamilies(context)) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                         "%s: computeQueueFamily is %u and graphicsQueueFamily is %u; a crowd needs one family", call,
                         context->def.computeQueueFamily, context->def.graphicsQueueFamily);
    }
    return result;
}

VkskinResult sknMakePartKernels(VkskinContext context, const CrowdLevels *levels) {
    const VkskinCrowdDef *def = &levels->def;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t m = 0; result >= 0 && m < def->modelCount; m++) {
        const VkskinCrowdModel *model = &def->models[m];
        VkskinMesh meshes[VKSKIN_MAX_CROWD_PARTS];
        for (uint32_t p = 0; p < model->partCount; p++) {
            meshes[p] = model->parts[p].mesh;
        }
        VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
        pipelines.methods = VKSKIN_METHOD_BIT(model->method);
        pipelines.encodings = VKSKIN_PALETTE_BIT(model->encoding);
        pipelines.meshes = meshes;
        pipelines.meshCount = model->partCount;
        result = vkskinCreatePipelines(context, &pipelines);
    }
    return result;
}

/* ---- Objects ---- */

static VkskinResult checkMesh(VkskinContext context, const char *subject, const VkskinCrowdModel *model,
                              const Mesh *mesh) {
    const Subject about = {&context->gpu.logger, "vkskinCreateCrowd: ", subject};
    const VkskinResult invalid = VKSKIN_ERROR_INVALID_VALUE;
    const char *missing = sknMissingMethodData(model->method, mesh->info.hasBlendWeights, mesh->info.hasCentres);
    const uint32_t bones = vkskinGetSkinBoneCount(model->skin);
    char fewer[96];
    snprintf(fewer, sizeof fewer, "the mesh has %u bones, the skin of the model only %u", mesh->info.boneCount, bones);
    const Rule rules[] = {
        {mesh->info.dimensions == 2, invalid, "a flat mesh"},
        {mesh->ownLayout || mesh->image.bytes > 0, invalid, "a mesh with an output layout of its own"},
        {mesh->info.boneCount == 0, invalid, "the mesh has no bones; give its vertices one"},
        {mesh->info.boneCount > bones, invalid, fewer},
        {missing != NULL, VKSKIN_ERROR_METHOD_DATA_MISSING, "the mesh lacks blend weights or centres for the method"},
    };
    return sknCheckRules(&about, rules, SKN_COUNT(rules));
}

/* The mesh is held: its arrays stay. */
static CrowdMorphSource morphsOf(const Mesh *mesh, const VkskinCrowdPart *part) {
    return (CrowdMorphSource){
        .count = mesh->info.morphTargetCount,
        .first = mesh->cpu != NULL ? 0 : mesh->morphHeads,
        .step = mesh->cpu != NULL ? 1 : LAYOUT_MORPH_WORDS,
        .after = mesh->morphsAfter,
        .maxDelta = (const float(*)[3])mesh->morphMaxDelta,
        .part = part,
    };
}

static VkskinResult checkPart(VkskinContext context, const char *subject, const VkskinCrowdPart *part,
                              const Mesh *mesh) {
    const Subject about = {&context->gpu.logger, "vkskinCreateCrowd: ", subject};
    const uint32_t targets = mesh->info.morphTargetCount;
    bool finite = true;
    for (uint32_t i = 0; part->morphWeights != NULL && i < part->morphWeightCount && i < targets; i++) {
        finite = finite && isfinite(part->morphWeights[i]);
    }
    const Rule rules[] = {
        {part->indexCount == 0, VKSKIN_ERROR_INVALID_VALUE, "indexCount is 0: nothing would be drawn"},
        {part->morphWeightCount > 0 && part->morphWeights == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "morphWeights is null"},
        {part->morphWeightCount > targets, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
         "more morphWeights than the mesh has targets"},
        {!finite, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "a number of morphWeights is not finite"},
    };
    return sknCheckRules(&about, rules, SKN_COUNT(rules));
}

static VkskinResult holdPart(VkskinContext context, const CrowdLevels *levels, uint32_t g, uint32_t p, Crowd *crowd,
                             CrowdPart *need) {
    const VkskinCrowdModel *model = &levels->models[g];
    const VkskinCrowdPart *part = &model->parts[p];
    char name[32];
    char subject[96];
    nameLevel(levels, g, name, sizeof name);
    snprintf(subject, sizeof subject, "%s: %s, part %u", call, name, p);
    CrowdMeshPart *held = &crowd->groups[g].meshes[p];
    VkskinResult result = sknFindMesh(context, subject, part->mesh, &held->mesh);
    if (result >= 0) {
        result = checkMesh(context, subject + sizeof call + 1, model, sknMesh(context, held->mesh));
    }
    if (result >= 0) {
        result = checkPart(context, subject + sizeof call + 1, part, sknMesh(context, held->mesh));
    }
    if (result < 0) {
        return result;
    }
    Mesh *mesh = sknMesh(context, held->mesh);
    held->pair = sknFindMethodPair(model->method, model->encoding);
    held->kernel = sknMeshKernel(mesh, held->pair, false);
    held->morphKernel = sknMeshKernel(mesh, held->pair, true);
    crowd->groups[g].morphs[p] = morphsOf(mesh, part);
    *need = (CrowdPart){
        .outputBytes = (uint32_t)mesh->info.outputBytes, /* at most maxStorageBufferRange */
        .vertexCount = mesh->info.vertexCount,
        .indexCount = part->indexCount,
        .firstIndex = part->firstIndex,
        .vertexOffset = (uint32_t)part->vertexOffset,
        .mask = part->mask,
        .classCount = sknOnCpu(context) ? 0 : mesh->classCount,
    };
    for (uint32_t c = 0; c < need->classCount; c++) {
        need->classes[c] = (CrowdClass){mesh->classes[c].vertexCount, mesh->classes[c].head};
    }
    const uint32_t previous = sknOnCpu(context) ? context->def.outputRegions + 1 : 2;
    const uint32_t copies = mesh->previousPositions ? previous : sknOnCpu(context) ? context->def.outputRegions : 1;
    crowd->copies = copies > crowd->copies ? copies : crowd->copies;
    crowd->masks = crowd->masks || part->mask != 0;
    mesh->crowdParts++;
    return VKSKIN_SUCCESS;
}

static VkskinResult holdGroups(VkskinContext context, const CrowdLevels *levels, Crowd *crowd, CrowdGroup *needs) {
    for (uint32_t g = 0; g < levels->def.modelCount; g++) {
        const VkskinCrowdModel *model = &levels->models[g];
        const CrowdLevelPlace *place = &levels->places[g];
        const uint32_t parts = model->partCount;
        CrowdGroupData *group = &crowd->groups[g];
        CrowdPart *made = sknArenaArray(&crowd->arena, parts, sizeof *made);
        group->meshes = sknArenaArray(&crowd->arena, parts, sizeof *group->meshes);
        group->morphs = sknArenaArray(&crowd->arena, parts, sizeof *group->morphs);
        if (crowd->arena.failed) {
            return sknReport(&context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for %u parts", call,
                             parts);
        }
        needs[g] = (CrowdGroup){
            .model = place->model,
            .level = place->level,
            .coarser = levels->def.models[g].levelCount - place->level,
            .error = place->error,
            .interval = model->interval,
            .parts = made,
            .partCount = parts,
            .slots = model->slots,
        };
        for (uint32_t p = 0; p < parts; p++) {
            VkskinResult result = holdPart(context, levels, g, p, crowd, &made[p]);
            if (result < 0) {
                return result;
            }
            needs[g].vertices += made[p].vertexCount;
            group->partCount++;
        }
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknHoldCrowdObjects(VkskinContext context, const CrowdLevels *levels, Crowd *crowd, CrowdGroup *needs) {
    const VkskinClipSet clips = levels->def.clipSet;
    VkskinResult result =
        sknHandleFind(&context->clipSets, &context->gpu.logger, call, clips.index, clips.generation, &crowd->clipSet);
    if (result < 0) {
        return result;
    }
    sknClipSet(context, crowd->clipSet)->crowds++;
    crowd->copies = 1;
    result = holdGroups(context, levels, crowd, needs);
    if (result < 0) {
        sknReleaseCrowdObjects(context, crowd);
    }
    return result;
}

void sknReleaseCrowdObjects(VkskinContext context, const Crowd *crowd) {
    sknClipSet(context, crowd->clipSet)->crowds--;
    for (uint32_t g = 0; g < crowd->groupCount; g++) {
        for (uint32_t p = 0; p < crowd->groups[g].partCount; p++) {
            sknMesh(context, crowd->groups[g].meshes[p].mesh)->crowdParts--;
        }
    }
}

/* ---- Skins and bounds ---- */

static void copySkin(Arena *arena, const VkskinCrowdModel *model, CrowdSkin *skin) {
    const struct VkskinSkin_T *from = model->skin;
    uint32_t *nodes = sknArenaCopy(arena, from->boneNodes, from->boneCount, sizeof *nodes);
    VkskinAffine *binds = sknArenaArray(arena, from->boneCount, sizeof *binds);
    for (uint32_t b = 0; binds != NULL && b < from->boneCount; b++) {
        binds[b] = from->inverseBinds != NULL ? from->inverseBinds[b] : vkskinIdentityAffine();
    }
    *skin = (CrowdSkin){.boneCount = from->boneCount, .nodes = nodes, .binds = binds, .encoding = model->encoding};
}

static VkskinResult prepareMorphs(const Host *host, const VkskinCrowdDef *def, uint32_t index, Crowd *crowd,
                                  const ClipSet *clips, CrowdMorphs *morphs) {
    CrowdGroupData *model = &crowd->groups[index];
    const CrowdMorphNeeds needs = {
        .sources = model->morphs,
        .partCount = model->partCount,
        .clips = def->morphClips,
        .durations = clips->data.durations,
        .clipCount = clips->data.clipCount,
        .most = def->models[index].maxMorphTargets,
    };
    const VkskinResult result = sknMakeCrowdMorphs(host, index, &needs, &crowd->arena, morphs);
    for (uint32_t p = 0; result >= 0 && p < model->partCount; p++) {
        CrowdMeshPart *part = &model->meshes[p];
        part->kernel = morphs->parts[p].count > 0 ? part->morphKernel : part->kernel;
    }
    return result;
}

static float floatOf(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Boxes and bounds that hold the morphed vertices. */
static VkskinResult prepareBounds(const Host *host, const VkskinCrowdModel *model, const ClipSet *clips,
                                  const CrowdGroup *need, LayoutCrowdBounds *bounds) {
    Arena temporary = sknMakeArena(host->allocator);
    const CrowdSkin *skin = &need->skin;
    const VkskinAnimationBox *boxes = sknGrowBoxes(&temporary, &need->morphs, model->boxes, clips->data.nodeCount,
                                                   skin->binds, skin->nodes, skin->boneCount);
    VkskinResult result =
        boxes != NULL ? sknComputeCrowdBounds(host, &clips->data, boxes, model->method, bounds)
                      : sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for bounds", call);
    for (uint32_t c = 0; result >= 0 && c < clips->data.clipCount; c++) {
        uint32_t *extents = &bounds[c].extentX; /* three in a row */
        for (int axis = 0; axis < 3; axis++) {
            const float extent = floatOf(extents[axis]) + (float)(need->morphs.after[axis] * 1.00001);
            memcpy(&extents[axis], &extent, sizeof extent);
        }
    }
    sknFreeArena(&temporary);
    return result;
}

/* Such a model would never be seen. */
static VkskinResult refuseEmptyBoxes(const Host *host, uint32_t index, const VkskinAnimationBox *boxes,
                                     uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        if (!(boxes[n].high[0] < boxes[n].low[0])) {
            return VKSKIN_SUCCESS;
        }
    }
    return sknReport(&host->logger, VKSKIN_ERROR_INVALID_VALUE,
                     "%s: model %u: all %u boxes are empty: call vkskinAddAnimationBoxes for each mesh", call, index,
                     count);
}

static VkskinResult prepareGroup(VkskinContext context, const CrowdLevels *levels, uint32_t index, Crowd *crowd,
                                 const ClipSet *clips, CrowdGroup *need) {
    const VkskinCrowdModel *model = &levels->models[index];
    char name[32];
    nameLevel(levels, index, name, sizeof name);
    const Host host = sknHostOf(&context->gpu);
    if (vkskinGetSkinNodeCount(model->skin) != clips->data.nodeCount) {
        return sknReport(&host.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: %s: the skin has %u nodes, the clip set %u",
                         call, name, vkskinGetSkinNodeCount(model->skin), clips->data.nodeCount);
    }
    VkskinResult result = refuseEmptyBoxes(&host, levels->places[index].model, model->boxes, clips->data.nodeCount);
    if (result < 0) {
        return result;
    }
    LayoutCrowdBounds *bounds =
        need->level == 0 ? sknArenaArray(&crowd->arena, clips->data.clipCount, sizeof *bounds) : NULL;
    copySkin(&crowd->arena, model, &crowd->skins[index]);
    if (crowd->arena.failed) {
        return sknReport(&host.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: no memory for %s", call, name);
    }
    need->skin = crowd->skins[index];
    need->bounds = bounds;
    const uint64_t bytes = (uint64_t)need->skin.boneCount * vkskinPaletteStride(model->encoding);
    need->paletteBytes = (uint32_t)sknAlignUp(bytes, 16);
    result = prepareMorphs(&host, &levels->def, index, crowd, clips, &need->morphs);
    if (result >= 0 && bounds != NULL) {
        result = prepareBounds(&host, model, clips, need, bounds);
    }
    if (result < 0 || !sknOnCpu(context)) {
        return result;
    }
    return sknMakeCrowdPoser(&host, &clips->data, &crowd->skins[index]);
}

VkskinResult sknPrepareCrowdGroups(VkskinContext context, const CrowdLevels *levels, Crowd *crowd, const ClipSet *clips,
                                   CrowdGroup *needs) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t g = 0; result >= 0 && g < levels->def.modelCount; g++) {
        result = prepareGroup(context, levels, g, crowd, clips, &needs[g]);
    }
    return result;
}
