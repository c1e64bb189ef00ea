#include "draw_bindings.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(RASTER_BINDING_BASE == MODEL_MAP_BASE && RASTER_BINDING_EMISSION == MODEL_MAP_EMISSION &&
                   RASTER_BINDING_NORMAL == MODEL_MAP_NORMAL && RASTER_BINDING_SURFACE == MODEL_MAP_SURFACE &&
                   RASTER_BINDING_OCCLUSION == MODEL_MAP_OCCLUSION,
               "bindings count as the maps");

static bool createSamplers(Device *device, DrawBindings *bindings, EngineError *error) {
    static const VkSamplerAddressMode modes[MODEL_WRAP_COUNT] = {
        [MODEL_WRAP_REPEAT] = VK_SAMPLER_ADDRESS_MODE_REPEAT,
        [MODEL_WRAP_CLAMP] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        [MODEL_WRAP_MIRROR] = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
    };
    VkSamplerCreateInfo shadow = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                  .magFilter = VK_FILTER_LINEAR,
                                  .minFilter = VK_FILTER_LINEAR,
                                  .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                  .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                  .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                  .compareEnable = VK_TRUE,
                                  .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL};
    bool good = engineVulkan(error, "vkCreateSampler",
                             vkCreateSampler(device->handle, &shadow, NULL, &bindings->shadowSampler));
    for (uint32_t i = 0; i < MODEL_WRAP_COUNT * MODEL_WRAP_COUNT && good; i++) {
        const uint32_t u = i / MODEL_WRAP_COUNT, v = i % MODEL_WRAP_COUNT;
        good = samplerCreate(device, VK_FILTER_LINEAR, modes[u], modes[v], &bindings->textureSamplers[u][v], error);
    }
    return good;
}

static bool createShadowMap(Device *device, DrawBindings *bindings, EngineError *error) {
    ImageDef def = {.width = DRAW_SHADOW_SIZE,
                    .height = DRAW_SHADOW_SIZE,
                    .format = DEPTH_FORMAT,
                    .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                    .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
                    .name = "shadow map"};
    return imageCreate(device, &def, &bindings->shadowMap, error);
}

static bool createBuffers(Device *device, const Population *population, DrawBindings *bindings, EngineError *error) {
    VkDeviceSize size = (VkDeviceSize)(population->instanceCount + 1) * sizeof(RasterInstance);
    if (size > device->limits.maxStorageBufferRange) {
        return engineFail(
            error,
            "the crowd is too large to draw: %u instances, the device has room for %u; a smaller --count needs less",
            population->instanceCount, (uint32_t)(device->limits.maxStorageBufferRange / sizeof(RasterInstance) - 1));
    }
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT; slot++) {
        if (!bufferCreate(device, sizeof(RasterFrame), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, BUFFER_UPLOAD,
                          "frame uniforms", &bindings->uniforms[slot], error)) {
            return false;
        }
        for (int pass = 0; pass < POPULATION_PASS_COUNT; pass++) {
            if (!bufferCreate(device, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, BUFFER_UPLOAD, "drawn instances",
                              &bindings->instances[slot][pass], error)) {
                return false;
            }
        }
    }
    return true;
}

/* A set for each frame slot and pass: the passes draw different instances. */
static bool createFrameSets(Device *device, const DrawPipelines *pipelines, DrawBindings *bindings,
                            EngineError *error) {
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT * POPULATION_PASS_COUNT; i++) {
        uint32_t slot = i / POPULATION_PASS_COUNT, pass = i % POPULATION_PASS_COUNT;
        VkDescriptorSet *set = &bindings->frameSets[slot][pass];
        if (!descriptorSetAllocate(device, bindings->pool, pipelines->setLayouts[RASTER_SET_FRAME], set, error)) {
            return false;
        }
        descriptorWriteBuffer(device, *set, RASTER_BINDING_FRAME, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                              bindings->uniforms[slot].handle, VK_WHOLE_SIZE);
        descriptorWriteBuffer(device, *set, RASTER_BINDING_INSTANCES, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                              bindings->instances[slot][pass].handle, VK_WHOLE_SIZE);
        descriptorWriteImage(device, *set, RASTER_BINDING_SHADOW, bindings->shadowSampler, bindings->shadowMap.view);
    }
    return true;
}

static bool createMaterialSets(Device *device, const Population *population, const DrawPipelines *pipelines,
                               DrawBindings *bindings, EngineError *error) {
    uint32_t next = 0;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        const SkinnedModel *skinned = population->models[kind];
        bindings->materialStarts[kind] = next;
        for (uint32_t i = 0; i < skinned->materialCount; i++) {
            VkDescriptorSet *set = &bindings->materialSets[next++];
            if (!descriptorSetAllocate(device, bindings->pool, pipelines->setLayouts[RASTER_SET_MATERIAL], set,
                                       error)) {
                return false;
            }
            for (uint32_t map = 0; map < MODEL_MAP_COUNT; map++) {
                const SkinnedMaterial *material = &skinned->materials[i];
                const ModelWrap *wrap = material->source->wraps[map];
                descriptorWriteImage(device, *set, map, bindings->textureSamplers[wrap[0]][wrap[1]],
                                     material->maps[map]->view);
            }
        }
    }
    return true;
}

static bool createSets(Device *device, const Population *population, const DrawPipelines *pipelines,
                       DrawBindings *bindings, EngineError *error) {
    uint32_t materials = 0;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        materials += population->models[kind]->materialCount;
    }
    bindings->materialStarts = engineAllocate(population->modelCount, sizeof(*bindings->materialStarts), error);
    bindings->materialSets = engineAllocate(materials, sizeof(*bindings->materialSets), error);
    if (!bindings->materialStarts || !bindings->materialSets) {
        return false;
    }
    const uint32_t frameSets = FRAMES_IN_FLIGHT * POPULATION_PASS_COUNT;
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, frameSets},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, frameSets},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, frameSets + materials * MODEL_MAP_COUNT},
    };
    return descriptorPoolCreate(device, sizes, 3, frameSets + materials, &bindings->pool, error) &&
           createFrameSets(device, pipelines, bindings, error) &&
           createMaterialSets(device, population, pipelines, bindings, error);
}

bool drawBindingsCreate(Device *device, const Population *population, const DrawPipelines *pipelines,
                        DrawBindings *bindings, EngineError *error) {
    memset(bindings, 0, sizeof(*bindings));
    if (!createSamplers(device, bindings, error) || !createShadowMap(device, bindings, error) ||
        !createBuffers(device, population, bindings, error) ||
        !createSets(device, population, pipelines, bindings, error)) {
        drawBindingsDestroy(device, bindings);
        return false;
    }
    return true;
}

void drawBindingsDestroy(Device *device, DrawBindings *bindings) {
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT; slot++) {
        bufferDestroy(device, &bindings->uniforms[slot]);
        for (int pass = 0; pass < POPULATION_PASS_COUNT; pass++) {
            bufferDestroy(device, &bindings->instances[slot][pass]);
        }
    }
    vkDestroyDescriptorPool(device->handle, bindings->pool, NULL);
    vkDestroySampler(device->handle, bindings->shadowSampler, NULL);
    for (uint32_t i = 0; i < MODEL_WRAP_COUNT * MODEL_WRAP_COUNT; i++) {
        vkDestroySampler(device->handle, bindings->textureSamplers[i / MODEL_WRAP_COUNT][i % MODEL_WRAP_COUNT], NULL);
    }
    imageDestroy(device, &bindings->shadowMap);
    free(bindings->materialStarts);
    free(bindings->materialSets);
    memset(bindings, 0, sizeof(*bindings));
}
