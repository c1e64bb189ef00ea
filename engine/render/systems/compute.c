/* compute.c: the library skins into its output pages; the shaders of all passes pull vertices from there. */
#include <stdlib.h>

#include "system.h"

typedef struct ComputeSystem {
    System base;
    VkDescriptorPool pool;
    VkDescriptorSet *pages;  /* by VkskinOutput.page */
    VkskinInstance *handles; /* [instanceCount], of one call */
    VkskinOutput *outputs;   /* likewise */
} ComputeSystem;

static bool createSets(ComputeSystem *compute, uint32_t count, EngineError *error) {
    System *system = &compute->base;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count};
    bool made = count == 0 || descriptorPoolCreate(system->device, &size, 1, count, &compute->pool, error);
    for (uint32_t i = 0; i < count && made; i++) {
        VkskinOutputPage page;
        VkskinResult result = vkskinGetOutputPage(system->population->skinning->context, i, &page);
        if (result < 0) {
            return engineFail(error, "describing a page of skinned vertices: %s", vkskinResultName(result));
        }
        made = descriptorSetAllocate(system->device, compute->pool, system->layout, &compute->pages[i], error);
        if (made) {
            descriptorWriteBuffer(system->device, compute->pages[i], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, page.buffer,
                                  VK_WHOLE_SIZE);
        }
    }
    return made;
}

/* The crowd has all its instances, so all output pages exist. */
static bool create(System *system, EngineError *error) {
    ComputeSystem *compute = (ComputeSystem *)system;
    const uint32_t pages = vkskinGetOutputPageCount(system->population->skinning->context);
    compute->pages = engineAllocate(pages, sizeof(*compute->pages), error);
    compute->handles = engineAllocate(system->population->instanceCount, sizeof(*compute->handles), error);
    compute->outputs = engineAllocate(system->population->instanceCount, sizeof(*compute->outputs), error);
    return compute->pages && compute->handles && compute->outputs && createSets(compute, pages, error);
}

static void destroy(System *system) {
    ComputeSystem *compute = (ComputeSystem *)system;
    vkDestroyDescriptorPool(system->device->handle, compute->pool, NULL);
    free(compute->pages);
    free(compute->handles);
    free(compute->outputs);
}

_Static_assert(RASTER_FORMAT_PACKED == VKSKIN_VERTEX_PACKED && RASTER_FORMAT_FLOAT == VKSKIN_VERTEX_FLOAT &&
                   RASTER_FORMAT_SNORM10 == VKSKIN_VERTEX_SNORM10 && VKSKIN_VERTEX_FORMAT_COUNT == 3,
               "the shaders know the formats of the library");

static const SkinnedMesh *meshOf(const Population *population, const SystemPart *part) {
    const SkinnedModel *skinned = population->models[population->characters[part->character].model];
    return &skinned->meshes[skinned->parts[part->part].modelMesh];
}

/* What the shaders must know to read normals and tangents. */
static uint32_t attributeKind(const SkinnedMesh *mesh, const VkskinOutput *output) {
    return output->attributeStride / (uint32_t)sizeof(uint32_t) |
           (uint32_t)mesh->format << RASTER_ATTRIBUTE_FORMAT_SHIFT |
           (mesh->hasNormals ? RASTER_ATTRIBUTE_NORMALS : 0u) | (mesh->hasTangents ? RASTER_ATTRIBUTE_TANGENTS : 0u);
}

static bool sources(System *system, SystemPart *parts, uint32_t count, EngineError *error) {
    ComputeSystem *compute = (ComputeSystem *)system;
    const Population *population = system->population;
    VkskinStats stats;
    for (uint32_t i = 0; i < count; i++) {
        compute->handles[i] =
            population->instances[population->characters[parts[i].character].firstInstance + parts[i].part];
    }
    VkskinResult result = vkskinGetOutputs(population->skinning->context, compute->handles, count, compute->outputs);
    if (result >= 0) {
        result = vkskinGetStats(population->skinning->context, &stats);
    }
    if (result < 0) {
        return skinningFail(population->skinning, error, "drawing the crowd", result);
    }
    system->stats.uploadBytes = stats.paletteBytes;
    for (uint32_t i = 0; i < count; i++) {
        const VkskinOutput *output = &compute->outputs[i];
        parts[i].source =
            (SystemSource){.page = output->page,
                           .first = (uint32_t)(output->positionOffset / sizeof(uint32_t)),
                           .attributes = (uint32_t)(output->attributeOffset / sizeof(uint32_t)),
                           .attributeKind = attributeKind(meshOf(population, &parts[i]), output),
                           .previousFirst = (uint32_t)(output->previousPositionOffset / sizeof(uint32_t))};
    }
    return true;
}

static void bind(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                 const SystemPiece *piece) {
    (void)piece;
    systemBindSet(commandBuffer, layout, ((const ComputeSystem *)system)->pages[page]);
}

const SystemType COMPUTE_TYPE = {
    .size = sizeof(ComputeSystem),
    .keepsScale = true,
    .bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL}},
    .bindingCount = 1,
    .modes = UINT32_MAX,
    .create = create,
    .destroy = destroy,
    .sources = sources,
    .bind = bind,
};
