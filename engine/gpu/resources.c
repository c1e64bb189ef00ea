#include "resources.h"

#include <string.h>

static bool findMemoryType(const Device *device, uint32_t typeBits, VkMemoryPropertyFlags flags, uint32_t *type) {
    for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++) {
        if ((typeBits & (1u << i)) && (device->memory.memoryTypes[i].propertyFlags & flags) == flags) {
            *type = i;
            return true;
        }
    }
    return false;
}

/* Prefers memory with all wanted properties over memory with only the required ones. */
static bool chooseMemoryType(const Device *device, uint32_t typeBits, BufferMemory memory, uint32_t *type) {
    const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryPropertyFlags needed = 0;
    VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    if (memory == BUFFER_UPLOAD) {
        needed = host;
    } else if (memory == BUFFER_READBACK) {
        needed = host;
        wanted = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    }
    return findMemoryType(device, typeBits, needed | wanted, type) || findMemoryType(device, typeBits, needed, type);
}

static bool allocate(Device *device, const VkMemoryRequirements *requirements, BufferMemory use, const char *name,
                     VkDeviceMemory *memory, EngineError *error) {
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = requirements->size};
    if (!chooseMemoryType(device, requirements->memoryTypeBits, use, &info.memoryTypeIndex)) {
        return engineFail(error, "%s: the device has no memory of the kind needed", name);
    }
    VkResult result = vkAllocateMemory(device->handle, &info, NULL, memory);
    if (result != VK_SUCCESS) {
        *memory = VK_NULL_HANDLE;
        return engineFail(error, "%s: %llu bytes of device memory: %s", name, (unsigned long long)requirements->size,
                          engineVulkanResultName(result));
    }
    return true;
}

static bool backBuffer(Device *device, BufferMemory use, const char *name, Buffer *buffer, EngineError *error) {
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(device->handle, buffer->handle, &requirements);
    if (!allocate(device, &requirements, use, name, &buffer->memory, error)) {
        return false;
    }
    VkResult result = vkBindBufferMemory(device->handle, buffer->handle, buffer->memory, 0);
    if (result == VK_SUCCESS && use != BUFFER_DEVICE) {
        result = vkMapMemory(device->handle, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped);
    }
    return engineVulkan(error, name, result);
}

bool bufferCreate(Device *device, VkDeviceSize size, VkBufferUsageFlags usage, BufferMemory memory, const char *name,
                  Buffer *buffer, EngineError *error) {
    memset(buffer, 0, sizeof(*buffer));
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    VkResult result = vkCreateBuffer(device->handle, &info, NULL, &buffer->handle);
    if (result != VK_SUCCESS) {
        buffer->handle = VK_NULL_HANDLE;
        return engineFail(error, "%s: vkCreateBuffer: %s", name, engineVulkanResultName(result));
    }
    buffer->size = size;
    deviceName(device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer->handle, name);
    if (!backBuffer(device, memory, name, buffer, error)) {
        bufferDestroy(device, buffer);
        return false;
    }
    return true;
}

void bufferDestroy(Device *device, Buffer *buffer) {
    vkDestroyBuffer(device->handle, buffer->handle, NULL);
    vkFreeMemory(device->handle, buffer->memory, NULL); /* unmaps it */
    memset(buffer, 0, sizeof(*buffer));
}

bool bufferCreateReadback(Device *device, VkDeviceSize size, const char *name, Buffer *buffer, EngineError *error) {
    return bufferCreate(device, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, name, buffer, error);
}

typedef void (*UploadFn)(VkCommandBuffer commandBuffer, VkBuffer staging, const void *target);

/* Submits copies from a staging buffer with `size` bytes of `data`, and waits for them. */
static bool upload(Device *device, const void *data, VkDeviceSize size, UploadFn record, const void *target,
                   EngineError *error) {
    Buffer staging;
    if (!bufferCreate(device, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, BUFFER_UPLOAD, "staging", &staging, error)) {
        return false;
    }
    memcpy(staging.mapped, data, (size_t)size);
    VkCommandBuffer commandBuffer = immediateBegin(device, error);
    if (commandBuffer) {
        record(commandBuffer, staging.handle, target);
    }
    bool done = commandBuffer && immediateEnd(device, commandBuffer, error);
    bufferDestroy(device, &staging);
    return done;
}

static void recordBuffer(VkCommandBuffer commandBuffer, VkBuffer staging, const void *target) {
    const Buffer *buffer = target;
    VkBufferCopy region = {.size = buffer->size};
    vkCmdCopyBuffer(commandBuffer, staging, buffer->handle, 1, &region);
}

bool bufferCreateFilled(Device *device, const void *data, VkDeviceSize size, VkBufferUsageFlags usage, const char *name,
                        Buffer *buffer, EngineError *error) {
    if (!bufferCreate(device, size, usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_DEVICE, name, buffer, error)) {
        return false;
    }
    bool filled = upload(device, data, size, recordBuffer, buffer, error);
    if (!filled) {
        bufferDestroy(device, buffer);
    }
    return filled;
}

/* ---- Images ---- */

bool imageCreateView(Device *device, VkImage image, VkFormat format, VkImageAspectFlags aspect, uint32_t mipLevels,
                     VkImageView *view, EngineError *error) {
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = format,
                                  .subresourceRange = {.aspectMask = aspect, .levelCount = mipLevels, .layerCount = 1}};
    return engineVulkan(error, "vkCreateImageView", vkCreateImageView(device->handle, &info, NULL, view));
}

static bool backImage(Device *device, const ImageDef *def, Image *image, EngineError *error) {
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(device->handle, image->handle, &requirements);
    if (!allocate(device, &requirements, BUFFER_DEVICE, def->name, &image->memory, error)) {
        return false;
    }
    return engineVulkan(error, def->name, vkBindImageMemory(device->handle, image->handle, image->memory, 0)) &&
           imageCreateView(device, image->handle, image->format, def->aspect, image->mipLevels, &image->view, error);
}

bool imageCreate(Device *device, const ImageDef *def, Image *image, EngineError *error) {
    memset(image, 0, sizeof(*image));
    image->format = def->format;
    image->width = def->width;
    image->height = def->height;
    image->mipLevels = def->mipLevels ? def->mipLevels : 1;
    image->samples = def->samples ? def->samples : VK_SAMPLE_COUNT_1_BIT;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = def->format,
                              .extent = {def->width, def->height, 1},
                              .mipLevels = image->mipLevels,
                              .arrayLayers = 1,
                              .samples = image->samples,
                              .tiling = VK_IMAGE_TILING_OPTIMAL,
                              .usage = def->usage};
    uint32_t limit = device->limits.maxImageDimension2D;
    if (def->width == 0 || def->height == 0 || def->width > limit || def->height > limit) {
        return engineFail(error, "%s: an image of %u x %u; the device has 1 to %u a side", def->name, def->width,
                          def->height, limit);
    }
    VkResult result = vkCreateImage(device->handle, &info, NULL, &image->handle);
    if (result != VK_SUCCESS) {
        memset(image, 0, sizeof(*image));
        return engineFail(error, "%s: vkCreateImage: %s", def->name, engineVulkanResultName(result));
    }
    deviceName(device, VK_OBJECT_TYPE_IMAGE, (uint64_t)image->handle, def->name);
    if (!backImage(device, def, image, error)) {
        imageDestroy(device, image);
        return false;
    }
    return true;
}

bool samplerCreate(Device *device, VkFilter filter, VkSamplerAddressMode u, VkSamplerAddressMode v, VkSampler *sampler,
                   EngineError *error) {
    const bool linear = filter == VK_FILTER_LINEAR;
    /* No anisotropy: one software driver loops for seconds over the footprint of a degenerate triangle. */
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = filter,
                                      .minFilter = filter,
                                      .mipmapMode =
                                          linear ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                      .addressModeU = u,
                                      .addressModeV = v,
                                      .maxLod = linear ? VK_LOD_CLAMP_NONE : 0.0f};
    return engineVulkan(error, "vkCreateSampler", vkCreateSampler(device->handle, &info, NULL, sampler));
}

void imageDestroy(Device *device, Image *image) {
    vkDestroyImageView(device->handle, image->view, NULL);
    vkDestroyImage(device->handle, image->handle, NULL);
    vkFreeMemory(device->handle, image->memory, NULL);
    memset(image, 0, sizeof(*image));
}

/* ---- Textures ---- */

static uint32_t mipLevelCount(uint32_t width, uint32_t height) {
    uint32_t levels = 1;
    for (uint32_t side = width > height ? width : height; side > 1; side /= 2) {
        levels++;
    }
    return levels;
}

static VkOffset3D levelSize(const Image *image, uint32_t level) {
    uint32_t width = image->width >> level;
    uint32_t height = image->height >> level;
    return (VkOffset3D){width ? (int32_t)width : 1, height ? (int32_t)height : 1, 1};
}

static void recordFirstLevel(VkCommandBuffer commandBuffer, const Image *image, VkBuffer staging) {
    imageBarrier(commandBuffer, image->handle, IMAGE_UNUSED, IMAGE_COPY_TARGET);
    VkBufferImageCopy region = {.imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
                                .imageExtent = {image->width, image->height, 1}};
    vkCmdCopyBufferToImage(commandBuffer, staging, image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

static void recordMips(VkCommandBuffer commandBuffer, const Image *image) {
    for (uint32_t level = 0; level < image->mipLevels; level++) {
        imageLevelBarrier(commandBuffer, image->handle, level, IMAGE_COPY_TARGET, IMAGE_COPY_SOURCE);
        if (level + 1 == image->mipLevels) {
            break;
        }
        VkImageBlit blit = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                            .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level + 1, 0, 1}};
        blit.srcOffsets[1] = levelSize(image, level);
        blit.dstOffsets[1] = levelSize(image, level + 1);
        vkCmdBlitImage(commandBuffer, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image->handle,
                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_LINEAR);
    }
    imageBarrier(commandBuffer, image->handle, IMAGE_COPY_SOURCE, IMAGE_SAMPLED);
}

static void recordTexture(VkCommandBuffer commandBuffer, VkBuffer staging, const void *target) {
    recordFirstLevel(commandBuffer, target, staging);
    recordMips(commandBuffer, target);
}

static bool createTexture(Device *device, const void *texels, VkDeviceSize texelSize, ImageDef def, Image *image,
                          EngineError *error) {
    def.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    def.aspect = VK_IMAGE_ASPECT_COLOR_BIT;
    if (!imageCreate(device, &def, image, error)) {
        return false;
    }
    bool filled = upload(device, texels, texelSize * def.width * def.height, recordTexture, image, error);
    if (!filled) {
        imageDestroy(device, image);
    }
    return filled;
}

bool imageCreateTexture(Device *device, const uint8_t *pixels, uint32_t width, uint32_t height, bool srgb,
                        const char *name, Image *image, EngineError *error) {
    const ImageDef def = {.width = width,
                          .height = height,
                          .format = srgb ? VK_FORMAT_R8G8B8A8_SRGB : VK_FORMAT_R8G8B8A8_UNORM,
                          .mipLevels = mipLevelCount(width, height),
                          .name = name};
    return createTexture(device, pixels, 4, def, image, error);
}

bool imageCreateBytes(Device *device, const uint8_t *texels, uint32_t width, uint32_t height, const char *name,
                      Image *image, EngineError *error) {
    const ImageDef def = {.width = width, .height = height, .format = VK_FORMAT_R8_UNORM, .name = name};
    return createTexture(device, texels, 1, def, image, error);
}
