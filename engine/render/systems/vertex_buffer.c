/*
 * vertex_buffer.c: palettes stay in the pages of the library's ring, which the vertex shader of every pass reads as a
 * storage buffer. All encodings of linear blending and dual quaternions.
 */
#include <stdlib.h>

#include "system.h"

/* A page of the ring. A slot's page is always the same buffer, so its set is kept. */
typedef struct RingPage {
    VkBuffer buffer;
    VkDescriptorPool pool; /* pool of this set */
    VkDescriptorSet set;
} RingPage;

typedef struct VertexBufferSystem {
    System base;
    RingPage *pages;
    uint32_t pageCount;
    uint32_t mostPalettes; /* maximum palettes of a character */
    SystemSource *places;  /* [characterCount][mostPalettes], of the frame */
    /* Arrays of one call, [maximum characters of a kind][palettes]: */
    uint32_t *boneCounts;
    VkskinPalette *palettes;
    VkskinPaletteLocation *locations;
} VertexBufferSystem;

static bool create(System *system, EngineError *error) {
    VertexBufferSystem *buffers = (VertexBufferSystem *)system;
    const Population *population = system->population;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        const uint32_t count = population->models[kind]->paletteCount;
        buffers->mostPalettes = count > buffers->mostPalettes ? count : buffers->mostPalettes;
    }
    const size_t count = (size_t)population->characterCount * buffers->mostPalettes;
    buffers->places = engineAllocate(count, sizeof(*buffers->places), error);
    buffers->boneCounts = engineAllocate(count, sizeof(*buffers->boneCounts), error);
    buffers->palettes = engineAllocate(count, sizeof(*buffers->palettes), error);
    buffers->locations = engineAllocate(count, sizeof(*buffers->locations), error);
    return buffers->places && buffers->boneCounts && buffers->palettes && buffers->locations;
}

static void destroy(System *system) {
    VertexBufferSystem *buffers = (VertexBufferSystem *)system;
    for (uint32_t i = 0; i < buffers->pageCount; i++) {
        vkDestroyDescriptorPool(system->device->handle, buffers->pages[i].pool, NULL);
    }
    free(buffers->pages);
    free(buffers->places);
    free(buffers->boneCounts);
    free(buffers->palettes);
    free(buffers->locations);
}

static bool addPage(VertexBufferSystem *buffers, const VkskinPaletteLocation *location, EngineError *error) {
    Device *device = buffers->base.device;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    RingPage *pages = realloc(buffers->pages, (buffers->pageCount + 1) * sizeof(*pages));
    if (!pages) {
        return engineFail(error, "out of memory");
    }
    buffers->pages = pages;
    RingPage *page = &pages[buffers->pageCount];
    *page = (RingPage){.buffer = location->buffer};
    if (!descriptorPoolCreate(device, &size, 1, 1, &page->pool, error)) {
        return false;
    }
    buffers->pageCount++;
    if (!descriptorSetAllocate(device, page->pool, buffers->base.layout, &page->set, error)) {
        return false;
    }
    descriptorWriteBuffer(device, page->set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, location->buffer,
                          location->bufferSize);
    return true;
}

/* Palettes mostly follow each other in a page: `page` is the last one found. */
static bool findPage(VertexBufferSystem *buffers, const VkskinPaletteLocation *location, uint32_t *page,
                     EngineError *error) {
    if (*page < buffers->pageCount && buffers->pages[*page].buffer == location->buffer) {
        return true;
    }
    for (*page = 0; *page < buffers->pageCount; ++*page) {
        if (buffers->pages[*page].buffer == location->buffer) {
            return true;
        }
    }
    return addPage(buffers, location, error);
}

static bool notePlaces(VertexBufferSystem *buffers, const uint32_t *characters, uint32_t count, uint32_t paletteCount,
                       EngineError *error) {
    uint32_t page = 0;
    for (uint32_t i = 0; i < count * paletteCount; i++) {
        const VkskinPaletteLocation *location = &buffers->locations[i];
        const size_t place = (size_t)characters[i / paletteCount] * buffers->mostPalettes + i % paletteCount;
        if (!findPage(buffers, location, &page, error)) {
            return false;
        }
        buffers->places[place] = (SystemSource){.page = page, .first = (uint32_t)(location->offset / 16)};
        buffers->base.stats.uploadBytes += location->size;
    }
    return true;
}

static bool place(System *system, uint32_t kind, const uint32_t *characters, uint32_t count,
                  VkskinPaletteEncoding encoding, void **data, EngineError *error) {
    VertexBufferSystem *buffers = (VertexBufferSystem *)system;
    const SkinnedModel *skinned = system->population->models[kind];
    VkskinContext context = system->population->skinning->context;
    const uint32_t palettes = count * skinned->paletteCount;
    for (uint32_t i = 0; i < palettes; i++) {
        buffers->boneCounts[i] = skinned->palettes[i % skinned->paletteCount].boneCount;
    }
    VkskinResult result =
        vkskinAllocatePalettes(context, encoding, buffers->boneCounts, 0, palettes, buffers->palettes, data);
    if (result >= 0) {
        result = vkskinGetPaletteLocations(context, buffers->palettes, palettes, buffers->locations);
    }
    return result >= 0 ? notePlaces(buffers, characters, count, skinned->paletteCount, error)
                       : skinningFail(system->population->skinning, error, "allocating palettes", result);
}

static bool sources(System *system, SystemPart *parts, uint32_t count, EngineError *error) {
    const VertexBufferSystem *buffers = (const VertexBufferSystem *)system;
    const Population *population = system->population;
    (void)error;
    for (uint32_t i = 0; i < count; i++) {
        const SkinnedModel *skinned = population->models[population->characters[parts[i].character].model];
        parts[i].source =
            buffers->places[(size_t)parts[i].character * buffers->mostPalettes + skinned->parts[parts[i].part].palette];
    }
    return true;
}

static void bind(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                 const SystemPiece *piece) {
    (void)piece;
    systemBindSet(commandBuffer, layout, ((const VertexBufferSystem *)system)->pages[page].set);
}

const SystemType VERTEX_BUFFER_TYPE = {
    .size = sizeof(VertexBufferSystem),
    .shader = "system_vertex_buffer.vert",
    .joints = VK_FORMAT_R16G16B16A16_UINT,
    .keepsScale = true, /* true for the default method; others warn, as with compute */
    .bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL}},
    .bindingCount = 1,
    .modes = 1u << SKIN_MODE_LBS | 1u << SKIN_MODE_DQS | 1u << SKIN_MODE_DQS_SCALED | 1u << SKIN_MODE_QT |
             1u << SKIN_MODE_QT_HALF | 1u << SKIN_MODE_QT_SNORM16,
    .create = create,
    .destroy = destroy,
    .place = place,
    .sources = sources,
    .bind = bind,
};
