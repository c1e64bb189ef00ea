/* crowd_system.c: the device poses, culls and skins the crowd, and writes the arguments of the draws. */
#include <stdlib.h>
#include <string.h>

#include "system.h"

_Static_assert(sizeof(VkskinCrowdConstants) == sizeof(RasterDraw), "RasterDraw has the words of VkskinCrowdConstants");

/* Descriptor sets of a buffer of skinned vertices, one for each frame slot. */
typedef struct VertexPage {
    uint32_t kind;
    VkBuffer vertices;
    VkDescriptorSet sets[FRAMES_IN_FLIGHT];
} VertexPage;

/* The draws of a part in a pass: `count` from `first` on. */
typedef struct DrawRange {
    uint32_t first, count;
} DrawRange;

typedef struct CrowdSystem {
    System base;
    VkDescriptorPool pool;
    VertexPage *pages;
    uint32_t pageCount;
    SystemDraw *draws; /* draws of all kinds, passes and parts */
    uint32_t drawCount;
    DrawRange (*ranges)[POPULATION_PASS_COUNT]; /* [instances of one character of each kind] */
    uint32_t *firstRanges;                      /* [modelCount] */
    VkDeviceSize *frameOffsets;                 /* [modelCount] of VkskinCrowdBuffers.frame in this frame */
    bool written[FRAMES_IN_FLIGHT];             /* the sets of the slot */
} CrowdSystem;

/* ---- Draws ---- */

/* The page of a buffer; a new one if there is none. */
static uint32_t pageOf(CrowdSystem *system, uint32_t kind, VkBuffer vertices) {
    uint32_t page = 0;
    while (page < system->pageCount && (system->pages[page].kind != kind || system->pages[page].vertices != vertices)) {
        page++;
    }
    if (page == system->pageCount) {
        system->pages[system->pageCount++] = (VertexPage){.kind = kind, .vertices = vertices};
    }
    return page;
}

/* The library lists draws by view, model and part; the engine needs them by pass and part of the character. */
static void sortDraws(CrowdSystem *system, uint32_t kind, const VkskinCrowdDraw *listed, uint32_t count,
                      VkBuffer arguments) {
    const SkinnedModel *skinned = system->base.population->models[kind];
    for (uint32_t part = 0; part < skinned->partCount; part++) {
        for (uint32_t pass = 0; pass < POPULATION_PASS_COUNT; pass++) {
            DrawRange *range = &system->ranges[system->firstRanges[kind] + part][pass];
            range->first = system->drawCount;
            for (uint32_t i = 0; i < count; i++) {
                if (listed[i].view == pass && listed[i].model == skinned->parts[part].palette &&
                    listed[i].part == system->base.gpu->kinds[kind].parts[part]) {
                    SystemDraw *draw = &system->draws[system->drawCount++];
                    *draw = (SystemDraw){.level = listed[i].level,
                                         .page = pageOf(system, kind, listed[i].vertices),
                                         .arguments = arguments,
                                         .offset = listed[i].argumentsOffset,
                                         .argumentsBase = &system->frameOffsets[kind]};
                    memcpy(&draw->constants, &listed[i].constants, sizeof(draw->constants));
                }
            }
            range->count = system->drawCount - range->first;
        }
    }
}

/* *count: draws of all kinds. listed: null, or room for them. */
static bool listKind(CrowdSystem *system, uint32_t kind, VkskinCrowdDraw *listed, uint32_t *count, EngineError *error) {
    Skinning *skinning = system->base.population->skinning;
    *count = listed ? *count : 0;
    if (VKSKIN_IS_NULL(system->base.gpu->kinds[kind].crowd)) {
        *count = 0;
        return true;
    }
    VkskinResult result = vkskinGetCrowdDraws(skinning->context, system->base.gpu->kinds[kind].crowd, listed, count);
    return result >= 0 || skinningFail(skinning, error, "listing draws", result);
}

static bool findFrame(CrowdSystem *system, uint32_t kind, VkskinCrowdBuffers *buffers, EngineError *error) {
    Skinning *skinning = system->base.population->skinning;
    VkskinResult result = vkskinGetCrowdBuffers(skinning->context, system->base.gpu->kinds[kind].crowd, buffers);
    system->frameOffsets[kind] = buffers->frameOffset;
    return result >= 0 || skinningFail(skinning, error, "finding a crowd's buffers", result);
}

static bool createDraws(CrowdSystem *system, EngineError *error) {
    const Population *population = system->base.population;
    uint32_t total = 0, ranges = 0;
    system->firstRanges = engineAllocate(population->modelCount, sizeof(*system->firstRanges), error);
    system->frameOffsets = engineAllocate(population->modelCount, sizeof(*system->frameOffsets), error);
    bool good = system->firstRanges && system->frameOffsets;
    for (uint32_t kind = 0; kind < population->modelCount && good; kind++) {
        uint32_t count = 0;
        good = listKind(system, kind, NULL, &count, error);
        total += count;
        system->firstRanges[kind] = ranges;
        ranges += population->models[kind]->partCount;
    }
    system->draws = good ? engineAllocate(total, sizeof(*system->draws), error) : NULL;
    system->pages = good ? engineAllocate(total, sizeof(*system->pages), error) : NULL;
    system->ranges = good ? engineAllocate(ranges, sizeof(*system->ranges), error) : NULL;
    VkskinCrowdDraw *listed = good ? engineAllocate(total, sizeof(*listed), error) : NULL;
    good = system->draws && system->pages && system->ranges && listed;
    for (uint32_t kind = 0; kind < population->modelCount && good; kind++) {
        uint32_t count = total;
        VkskinCrowdBuffers buffers = {.frame = VK_NULL_HANDLE};
        good = listKind(system, kind, listed, &count, error);
        if (good && count > 0) {
            good = findFrame(system, kind, &buffers, error);
        }
        if (good) {
            sortDraws(system, kind, listed, count, buffers.frame);
        }
    }
    free(listed);
    return good;
}

static bool createSets(CrowdSystem *system, EngineError *error) {
    const uint32_t count = system->pageCount * FRAMES_IN_FLIGHT;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * count};
    bool made = count == 0 || descriptorPoolCreate(system->base.device, &size, 1, count, &system->pool, error);
    for (uint32_t i = 0; i < count && made; i++) {
        VkDescriptorSet *set = &system->pages[i / FRAMES_IN_FLIGHT].sets[i % FRAMES_IN_FLIGHT];
        made = descriptorSetAllocate(system->base.device, system->pool, system->base.layout, set, error);
    }
    return made;
}

/* Crowds of the library keep their meshes. */
static void release(void *user) {
    CrowdSystem *system = user;
    gpuCrowdDestroy(system->base.gpu);
    system->base.gpu = NULL;
}

static bool create(System *base, EngineError *error) {
    CrowdSystem *system = (CrowdSystem *)base;
    base->population->palettes = (PopulationPalettes){.user = system, .release = release};
    system->base.gpu = gpuCrowdCreate(base->population, base->skin.slots, error);
    return system->base.gpu && createDraws(system, error) && createSets(system, error);
}

static void destroy(System *base) {
    CrowdSystem *system = (CrowdSystem *)base;
    vkDestroyDescriptorPool(base->device->handle, system->pool, NULL);
    gpuCrowdDestroy(system->base.gpu);
    free(system->pages);
    free(system->draws);
    free(system->ranges);
    free(system->firstRanges);
    free(system->frameOffsets);
}

static bool checkModels(const SystemNeed *need, EngineError *error) {
    for (uint32_t i = 0; i < need->modelCount; i++) {
        EngineError reason;
        if (!gpuCrowdTakes(need->models[i], &reason)) {
            return systemFail(need->skin, error, "%s; use '--system compute'", reason.message);
        }
    }
    return true;
}

/* ---- A frame ---- */

/* With the CPU backend each frame slot has its own place in the buffer. */
static bool writeSets(CrowdSystem *system, uint32_t slot, EngineError *error) {
    for (uint32_t i = 0; i < system->pageCount; i++) {
        const VertexPage *page = &system->pages[i];
        VkskinCrowdBuffers buffers = {.frame = VK_NULL_HANDLE};
        if (!findFrame(system, page->kind, &buffers, error)) {
            return false;
        }
        if (system->written[slot]) {
            continue;
        }
        descriptorWriteBuffer(system->base.device, page->sets[slot], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                              page->vertices, VK_WHOLE_SIZE);
        descriptorWriteRange(system->base.device, page->sets[slot], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers.frame,
                             buffers.frameOffset, buffers.frameSize);
    }
    system->written[slot] = true;
    return true;
}

static void view(System *base, const PopulationView *view) {
    gpuCrowdView(base->gpu, view);
}

static bool upload(System *base, VkCommandBuffer commandBuffer, EngineError *error) {
    CrowdSystem *system = (CrowdSystem *)base;
    return gpuCrowdStats(system->base.gpu, &base->stats.crowd, error) &&
           gpuCrowdRecord(system->base.gpu, commandBuffer, error) &&
           writeSets(system, base->population->frameSlot, error);
}

static const SystemDraw *draws(const System *base, PopulationPass pass, uint32_t kind, uint32_t part, uint32_t *count) {
    const CrowdSystem *system = (const CrowdSystem *)base;
    const DrawRange *range = &system->ranges[system->firstRanges[kind] + part][pass];
    *count = range->count;
    return system->draws + range->first;
}

static void bind(const System *base, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                 const SystemPiece *piece) {
    const CrowdSystem *system = (const CrowdSystem *)base;
    (void)piece;
    systemBindSet(commandBuffer, layout, system->pages[page].sets[base->population->frameSlot]);
}

const SystemType CROWD_TYPE = {
    .size = sizeof(CrowdSystem),
    .shader = "system_crowd.vert",
    .pulls = true,
    .keepsScale = true,
    .bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
                 {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL}},
    .bindingCount = 2,
    .modes = UINT32_MAX,
    .check = checkModels,
    .create = create,
    .destroy = destroy,
    .upload = upload,
    .view = view,
    .draws = draws,
    .bind = bind,
};
