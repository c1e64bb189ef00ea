#include "palette_images.h"

#include <stdlib.h>
#include <string.h>

/* ---- Limits ---- */

/* Parts with one skin share a palette. */
static uint32_t bonesOfModel(const Model *model) {
    uint32_t bones = 0;
    for (uint32_t skin = 0; skin < model->skinCount; skin++) {
        bool used = false;
        for (uint32_t part = 0; part < model->partCount; part++) {
            used |= model->parts[part].skin == skin;
        }
        bones += used ? model->skins[skin].boneCount : 0;
    }
    return bones;
}

bool paletteImagesCheck(const SystemNeed *need, const PaletteImagesDef *def, EngineError *error) {
    const VkPhysicalDeviceLimits *limits = &need->device->limits;
    uint32_t bones = 0;
    for (uint32_t i = 0; i < need->modelCount; i++) {
        const uint32_t own = bonesOfModel(need->models[i]);
        bones = own > bones ? own : bones;
    }
    for (uint32_t i = 0; i < def->planeCount; i++) {
        if (!systemCheckFormat(need, def->planes[i].format, def->planes[i].name, error)) {
            return false;
        }
    }
    if (limits->maxPerStageDescriptorSampledImages < SYSTEM_BINDINGS_MAX ||
        limits->maxPerStageDescriptorSamplers < SYSTEM_BINDINGS_MAX) {
        return systemFail(need->skin, error, "a vertex shader reads %d images; '%.100s' allows %u images, %u samplers",
                          SYSTEM_BINDINGS_MAX, need->device->info.name, limits->maxPerStageDescriptorSampledImages,
                          limits->maxPerStageDescriptorSamplers);
    }
    const uint64_t width = (uint64_t)bones * def->columnsPerBone;
    return (width <= limits->maxImageDimension2D && def->rowsPerCharacter <= limits->maxImageDimension2D) ||
           systemFail(need->skin, error,
                      "%u bones take an image %llu texels wide; maxImageDimension2D of '%.100s' is %u", bones,
                      (unsigned long long)width, need->device->info.name, limits->maxImageDimension2D);
}

/* ---- Creation ---- */

#define TEXEL_BYTES_MAX 16u /* maximum bytes of a plane's texel: copies begin at whole texels */

static void plan(PaletteImages *images) {
    const System *system = &images->base;
    const Population *population = system->population;
    const uint32_t limit = system->device->limits.maxImageDimension2D / images->def.rowsPerCharacter;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        const uint32_t bones = population->models[kind]->bonesPerInstance;
        images->mostBones = bones > images->mostBones ? bones : images->mostBones;
    }
    images->width = images->mostBones * images->def.columnsPerBone;
    images->charactersPerImage = population->characterCount < limit ? population->characterCount : limit;
    images->imageCount = (population->characterCount + images->charactersPerImage - 1) / images->charactersPerImage;
}

static bool createStaging(PaletteImages *images, EngineError *error) {
    const VkDeviceSize texels =
        (VkDeviceSize)images->base.population->characterCount * images->def.rowsPerCharacter * images->width;
    VkDeviceSize size = 0;
    for (uint32_t plane = 0; plane < images->def.planeCount; plane++) {
        images->planeOffsets[plane] = size = (size + TEXEL_BYTES_MAX - 1) / TEXEL_BYTES_MAX * TEXEL_BYTES_MAX;
        size += texels * images->def.planes[plane].texelBytes;
    }
    bool made = true;
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT && made; slot++) {
        made = bufferCreate(images->base.device, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, BUFFER_UPLOAD,
                            "palette texels", &images->staging[slot], error);
    }
    return made;
}

static bool createSampler(PaletteImages *images, EngineError *error) {
    const VkSamplerAddressMode clamp = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    return samplerCreate(images->base.device, VK_FILTER_NEAREST, clamp, clamp, &images->sampler, error);
}

/* Bindings without a plane of their own get the last one: the shader declares all. */
static bool createImage(PaletteImages *images, PaletteImage *image, EngineError *error) {
    Device *device = images->base.device;
    bool made = true;
    for (uint32_t plane = 0; plane < images->def.planeCount && made; plane++) {
        const ImageDef def = {.width = images->width,
                              .height = images->charactersPerImage * images->def.rowsPerCharacter,
                              .format = images->def.planes[plane].format,
                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                              .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                              .name = "palettes"};
        made = imageCreate(device, &def, &image->planes[plane], error);
    }
    made = made && descriptorSetAllocate(device, images->pool, images->base.layout, &image->set, error);
    for (uint32_t binding = 0; made && binding < images->base.type->bindingCount; binding++) {
        const uint32_t plane = binding < images->def.planeCount ? binding : images->def.planeCount - 1;
        descriptorWriteImage(device, image->set, binding, images->sampler, image->planes[plane].view);
    }
    return made;
}

static bool createImages(PaletteImages *images, EngineError *error) {
    const uint32_t count = FRAMES_IN_FLIGHT * images->imageCount;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                       count * images->base.type->bindingCount};
    images->images = engineAllocate(count, sizeof(*images->images), error);
    bool made = images->images && createSampler(images, error) &&
                descriptorPoolCreate(images->base.device, &size, 1, count, &images->pool, error);
    for (uint32_t i = 0; i < count && made; i++) {
        made = createImage(images, &images->images[i], error);
    }
    return made;
}

bool paletteImagesCreate(System *system, const PaletteImagesDef *def, EngineError *error) {
    PaletteImages *images = (PaletteImages *)system;
    const size_t characters = system->population->characterCount;
    images->def = *def;
    plan(images);
    images->entryBytes = vkskinPaletteStride((VkskinPaletteEncoding)system->constants.encoding);
    images->characterRows = engineAllocate(characters, sizeof(*images->characterRows), error);
    images->rowBones = engineAllocate(characters, sizeof(*images->rowBones), error);
    if (def->cellCount > 0) {
        images->entries = engineAllocate(characters * images->mostBones, images->entryBytes, error);
    }
    if (!images->characterRows || !images->rowBones || (def->cellCount > 0 && !images->entries)) {
        return false;
    }
    system->stats.imagesPerFrame = images->imageCount * def->planeCount;
    if (images->imageCount > 1) {
        systemRemark(system, "maxImageDimension2D %u: %u images for %u characters, %u each",
                     system->device->limits.maxImageDimension2D, images->imageCount, system->population->characterCount,
                     images->charactersPerImage);
    }
    return createStaging(images, error) && createImages(images, error);
}

void paletteImagesDestroy(System *system) {
    PaletteImages *images = (PaletteImages *)system;
    Device *device = system->device;
    for (uint32_t i = 0; images->images && i < FRAMES_IN_FLIGHT * images->imageCount; i++) {
        for (uint32_t plane = 0; plane < PALETTE_PLANES_MAX; plane++) {
            imageDestroy(device, &images->images[i].planes[plane]);
        }
    }
    for (uint32_t slot = 0; slot < FRAMES_IN_FLIGHT; slot++) {
        bufferDestroy(device, &images->staging[slot]);
    }
    vkDestroyDescriptorPool(device->handle, images->pool, NULL);
    vkDestroySampler(device->handle, images->sampler, NULL);
    free(images->images);
    free(images->characterRows);
    free(images->rowBones);
    free(images->entries);
}

/* ---- A frame ---- */

void paletteImagesBegin(System *system) {
    ((PaletteImages *)system)->rowCount = 0;
}

/* Bytes of a row of a plane. */
static VkDeviceSize pitchOf(const PaletteImages *images, uint32_t plane) {
    return (VkDeviceSize)images->width * images->def.planes[plane].texelBytes;
}

static uint8_t *stagingOf(const PaletteImages *images, uint32_t plane) {
    return (uint8_t *)images->staging[images->base.population->frameSlot].mapped + images->planeOffsets[plane];
}

bool paletteImagesPlace(System *system, uint32_t kind, const uint32_t *characters, uint32_t count,
                        VkskinPaletteEncoding encoding, void **data, EngineError *error) {
    PaletteImages *images = (PaletteImages *)system;
    (void)encoding; /* all characters have that of the system */
    (void)error;
    const SkinnedModel *skinned = images->base.population->models[kind];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = images->rowCount++;
        uint8_t *start = images->entries ? images->entries + (size_t)row * images->mostBones * images->entryBytes
                                         : stagingOf(images, 0) + row * pitchOf(images, 0);
        images->characterRows[characters[i]] = row;
        images->rowBones[row] = skinned->bonesPerInstance;
        for (uint32_t palette = 0; palette < skinned->paletteCount; palette++) {
            data[(size_t)i * skinned->paletteCount + palette] = start;
            start += (size_t)skinned->palettes[palette].boneCount * images->entryBytes;
        }
    }
    return true;
}

/* Cuts the entries of a character into cells. */
static void cutRow(void *taskData, uint32_t row) {
    const PaletteImages *images = taskData;
    const uint8_t *entry = images->entries + (size_t)row * images->mostBones * images->entryBytes;
    size_t offset = 0;
    for (uint32_t i = 0; i < images->def.cellCount; i++) {
        const PaletteCell *cell = &images->def.cells[i];
        const size_t size = images->def.planes[cell->plane].texelBytes;
        uint8_t *texels = stagingOf(images, cell->plane) +
                          ((size_t)row * images->def.rowsPerCharacter + cell->row) * pitchOf(images, cell->plane);
        for (uint32_t bone = 0; bone < images->rowBones[row]; bone++) {
            memcpy(texels + bone * size, entry + (size_t)bone * images->entryBytes + offset, size);
        }
        offset += size;
    }
}

bool paletteImagesFinish(System *system, EngineError *error) {
    PaletteImages *images = (PaletteImages *)system;
    (void)error;
    if (images->entries) {
        parallelRun(&system->population->skinning->pool, images->rowCount, cutRow, images);
    }
    for (uint32_t plane = 0; plane < images->def.planeCount; plane++) {
        system->stats.uploadBytes += (uint64_t)images->rowCount * images->def.rowsPerCharacter * pitchOf(images, plane);
    }
    return true;
}

/* How many characters of this frame are in the image. */
static uint32_t charactersOf(const PaletteImages *images, uint32_t image) {
    const uint32_t first = image * images->charactersPerImage;
    const uint32_t rest = images->rowCount > first ? images->rowCount - first : 0;
    return rest < images->charactersPerImage ? rest : images->charactersPerImage;
}

static void copyPlane(const PaletteImages *images, uint32_t index, uint32_t plane, VkCommandBuffer commandBuffer) {
    const uint32_t slot = images->base.population->frameSlot;
    const Image *image = &images->images[slot * images->imageCount + index].planes[plane];
    const uint32_t firstRow = index * images->charactersPerImage * images->def.rowsPerCharacter;
    const VkBufferImageCopy region = {
        .bufferOffset = images->planeOffsets[plane] + firstRow * pitchOf(images, plane),
        .bufferRowLength = images->width,
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {images->width, charactersOf(images, index) * images->def.rowsPerCharacter, 1}};
    /* The slot's last frame is over: nothing waits. */
    imageBarrier(commandBuffer, image->handle, IMAGE_UNUSED, IMAGE_COPY_TARGET);
    vkCmdCopyBufferToImage(commandBuffer, images->staging[slot].handle, image->handle,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    imageBarrier(commandBuffer, image->handle, IMAGE_COPY_TARGET, IMAGE_SAMPLED_BY_VERTICES);
}

bool paletteImagesUpload(System *system, VkCommandBuffer commandBuffer, EngineError *error) {
    (void)error;
    const PaletteImages *images = (const PaletteImages *)system;
    for (uint32_t index = 0; index < images->imageCount && charactersOf(images, index) > 0; index++) {
        for (uint32_t plane = 0; plane < images->def.planeCount; plane++) {
            copyPlane(images, index, plane, commandBuffer);
        }
    }
    return true;
}

bool paletteImagesSources(System *system, SystemPart *parts, uint32_t count, EngineError *error) {
    const PaletteImages *images = (const PaletteImages *)system;
    const Population *population = system->population;
    (void)error;
    for (uint32_t i = 0; i < count; i++) {
        const SkinnedModel *skinned = population->models[population->characters[parts[i].character].model];
        const uint32_t row = images->characterRows[parts[i].character];
        parts[i].source =
            (SystemSource){.page = row / images->charactersPerImage,
                           .first = row % images->charactersPerImage * images->def.rowsPerCharacter,
                           .attributes = systemBonesBefore(skinned, skinned->parts[parts[i].part].palette) *
                                         images->def.columnsPerBone};
    }
    return true;
}

void paletteImagesBind(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                       const SystemPiece *piece) {
    const PaletteImages *images = (const PaletteImages *)system;
    (void)piece;
    systemBindSet(commandBuffer, layout, images->images[system->population->frameSlot * images->imageCount + page].set);
}
