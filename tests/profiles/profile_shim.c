#include "profile_shim.h"

#include <stdio.h>

#include "kernel_loan.h"

#define MAX_LAYOUTS 16

typedef struct SetLayout {
    VkDescriptorSetLayout handle;
    uint32_t storageBuffers, texelBuffers;
} SetLayout;

ProfileShim profileShim;

static SetLayout setLayouts[MAX_LAYOUTS];
static uint32_t setLayoutCount;

void profileViolation(const char *format, ...) {
    GpuTexts *texts = &profileShim.violations;
    va_list arguments;
    va_start(arguments, format);
    if (texts->count < GPU_MAX_TEXTS) {
        vsnprintf(texts->texts[texts->count], GPU_TEXT_SIZE, format, arguments);
    }
    va_end(arguments);
    texts->count++;
}

bool profileWithin(const char *what, uint32_t value, uint32_t most, uint32_t *seen) {
    *seen = value > *seen ? value : *seen;
    if (value > most) {
        profileViolation("%s: %u, at most %u", what, value, most);
    }
    return value <= most;
}

/* ---- What the device says of itself ---- */

static VKAPI_ATTR void VKAPI_CALL getProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
    vkGetPhysicalDeviceProperties(device, properties);
    properties->limits = profileShim.limits;
}

static VKAPI_ATTR void VKAPI_CALL getMemoryProperties(VkPhysicalDevice device,
                                                      VkPhysicalDeviceMemoryProperties *properties) {
    (void)device;
    *properties = profileShim.memory;
}

static VKAPI_ATTR void VKAPI_CALL getFamilies(VkPhysicalDevice device, uint32_t *count,
                                              VkQueueFamilyProperties *families) {
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
    for (uint32_t i = 0; profileShim.profile->noTimestamps && families != NULL && i < *count; i++) {
        families[i].timestampValidBits = 0;
    }
}

/* ---- Objects ---- */

static VKAPI_ATTR VkResult VKAPI_CALL createBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator, VkBuffer *buffer) {
    VkResult result = vkCreateBuffer(device, info, allocator, buffer);
    if (result == VK_SUCCESS) {
        profileBufferMade(*buffer, info->size);
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroyBuffer(VkDevice device, VkBuffer buffer,
                                                const VkAllocationCallbacks *allocator) {
    profileBufferGone(buffer);
    vkDestroyBuffer(device, buffer, allocator);
}

/* Texels of 16 bytes. */
static VKAPI_ATTR VkResult VKAPI_CALL createView(VkDevice device, const VkBufferViewCreateInfo *info,
                                                 const VkAllocationCallbacks *allocator, VkBufferView *view) {
    const VkPhysicalDeviceLimits *limits = &profileShim.limits;
    VkDeviceSize size = profileBufferSize(info->buffer);
    VkDeviceSize range = info->range == VK_WHOLE_SIZE ? size - info->offset : info->range;
    assert_int_equal(info->format, VK_FORMAT_R32G32B32A32_SFLOAT);
    bool good = profileWithin("texels of a view", (uint32_t)(range / 16), limits->maxTexelBufferElements,
                              &profileShim.use.texels);
    if (range % 16 != 0 || info->offset % limits->minTexelBufferOffsetAlignment != 0 || info->offset + range > size) {
        profileViolation("vkCreateBufferView: %llu bytes from %llu of a buffer of %llu", (unsigned long long)range,
                         (unsigned long long)info->offset, (unsigned long long)size);
        good = false;
    }
    return good ? vkCreateBufferView(device, info, allocator, view) : VK_ERROR_UNKNOWN;
}

static VKAPI_ATTR VkResult VKAPI_CALL createSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkDescriptorSetLayout *layout) {
    VkResult result = vkCreateDescriptorSetLayout(device, info, allocator, layout);
    SetLayout made = {.handle = *layout};
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        VkDescriptorType type = info->pBindings[i].descriptorType;
        uint32_t count = info->pBindings[i].descriptorCount;
        bool storage = type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
        made.storageBuffers += storage ? count : 0;
        made.texelBuffers += type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ? count : 0;
    }
    assert_true(setLayoutCount < MAX_LAYOUTS);
    setLayouts[setLayoutCount++] = made;
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroySetLayout(VkDevice device, VkDescriptorSetLayout layout,
                                                   const VkAllocationCallbacks *allocator) {
    for (uint32_t i = 0; i < setLayoutCount; i++) {
        if (setLayouts[i].handle == layout) {
            setLayouts[i] = setLayouts[--setLayoutCount];
            break;
        }
    }
    vkDestroyDescriptorSetLayout(device, layout, allocator);
}

static SetLayout findLayout(VkDescriptorSetLayout layout) {
    for (uint32_t i = 0; i < setLayoutCount; i++) {
        if (setLayouts[i].handle == layout) {
            return setLayouts[i];
        }
    }
    profileViolation("vkCreatePipelineLayout: a set layout that was never made");
    return (SetLayout){0};
}

static VKAPI_ATTR VkResult VKAPI_CALL createPipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                                                           const VkAllocationCallbacks *allocator,
                                                           VkPipelineLayout *layout) {
    const VkPhysicalDeviceLimits *limits = &profileShim.limits;
    ProfileUse *use = &profileShim.use;
    uint32_t storageBuffers = 0, texelBuffers = 0;
    bool good =
        profileWithin("descriptor sets of a layout", info->setLayoutCount, limits->maxBoundDescriptorSets, &use->sets);
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        SetLayout set = findLayout(info->pSetLayouts[i]);
        storageBuffers += set.storageBuffers;
        texelBuffers += set.texelBuffers;
    }
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        uint32_t end = info->pPushConstantRanges[i].offset + info->pPushConstantRanges[i].size;
        good = profileWithin("push constants of a layout", end, limits->maxPushConstantsSize, &use->pushBytes) && good;
    }
    good = profileWithin("storage buffers of a stage", storageBuffers, limits->maxPerStageDescriptorStorageBuffers,
                         &use->storageBuffers) &&
           good;
    good = profileWithin("texel buffers of a stage", texelBuffers, limits->maxPerStageDescriptorSampledImages,
                         &use->texelBuffers) &&
           good;
    return good ? vkCreatePipelineLayout(device, info, allocator, layout) : VK_ERROR_UNKNOWN;
}

static bool checkBinding(const VkDescriptorBufferInfo *info) {
    const VkPhysicalDeviceLimits *limits = &profileShim.limits;
    VkDeviceSize size = profileBufferSize(info->buffer);
    VkDeviceSize range = info->range == VK_WHOLE_SIZE ? size - info->offset : info->range;
    const char *wrong = range > limits->maxStorageBufferRange                         ? "binds too much"
                        : info->offset % limits->minStorageBufferOffsetAlignment != 0 ? "is not aligned"
                        : info->offset + range > size                                 ? "binds past the end"
                                                                                      : NULL;
    if (wrong != NULL) {
        profileViolation("vkUpdateDescriptorSets: %llu bytes from %llu of a buffer of %llu: %s",
                         (unsigned long long)range, (unsigned long long)info->offset, (unsigned long long)size, wrong);
    }
    profileShim.use.bindingBytes = range > profileShim.use.bindingBytes ? range : profileShim.use.bindingBytes;
    return wrong == NULL;
}

static VKAPI_ATTR void VKAPI_CALL updateSets(VkDevice device, uint32_t count, const VkWriteDescriptorSet *writes,
                                             uint32_t copyCount, const VkCopyDescriptorSet *copies) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(writes[i].descriptorCount, 1);
        bool texels = writes[i].descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER; /* looked at by createView */
        if (texels || checkBinding(writes[i].pBufferInfo)) {
            vkUpdateDescriptorSets(device, 1, &writes[i], 0, NULL);
        }
    }
    vkUpdateDescriptorSets(device, 0, NULL, copyCount, copies);
}

/* Scopes shall not even make a pool on a queue that has no timestamps. */
static VKAPI_ATTR VkResult VKAPI_CALL createQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator, VkQueryPool *pool) {
    if (profileShim.profile->noTimestamps) {
        profileViolation("vkCreateQueryPool: the queue has no timestamps");
        return VK_ERROR_UNKNOWN;
    }
    return vkCreateQueryPool(device, info, allocator, pool);
}

/* ---- Commands ---- */

static VKAPI_ATTR void VKAPI_CALL writeTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits stage,
                                                 VkQueryPool pool, uint32_t query) {
    if (profileShim.profile->noTimestamps) {
        profileViolation("vkCmdWriteTimestamp: the queue has no timestamps");
        return;
    }
    profileShim.use.timestamps++;
    vkCmdWriteTimestamp(commandBuffer, stage, pool, query);
}

static VKAPI_ATTR void VKAPI_CALL bindSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                           VkPipelineLayout layout, uint32_t first, uint32_t count,
                                           const VkDescriptorSet *sets, uint32_t offsetCount, const uint32_t *offsets) {
    if (!profileWithin("bound descriptor sets", first + count, profileShim.limits.maxBoundDescriptorSets,
                       &profileShim.use.sets)) {
        return;
    }
    vkCmdBindDescriptorSets(commandBuffer, point, layout, first, count, sets, offsetCount, offsets);
}

static VKAPI_ATTR void VKAPI_CALL pushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                                VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                                const void *values) {
    if (!profileWithin("push constants", offset + size, profileShim.limits.maxPushConstantsSize,
                       &profileShim.use.pushBytes)) {
        return;
    }
    vkCmdPushConstants(commandBuffer, layout, stages, offset, size, values);
}

static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t *most = profileShim.limits.maxComputeWorkGroupCount;
    uint32_t *seen = &profileShim.use.groups;
    if (!profileWithin("groups of a dispatch", x, most[0], seen) ||
        !profileWithin("groups of a dispatch", y, most[1], seen) ||
        !profileWithin("groups of a dispatch", z, most[2], seen)) {
        return;
    }
    profileShim.use.dispatches++;
    vkCmdDispatch(commandBuffer, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL copyBuffer(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target,
                                             uint32_t count, const VkBufferCopy *regions) {
    VkDeviceSize from = profileBufferSize(source), to = profileBufferSize(target);
    for (uint32_t i = 0; i < count; i++) {
        if (regions[i].srcOffset + regions[i].size > from || regions[i].dstOffset + regions[i].size > to) {
            profileViolation("vkCmdCopyBuffer: %llu bytes from %llu of %llu to %llu of %llu",
                             (unsigned long long)regions[i].size, (unsigned long long)regions[i].srcOffset,
                             (unsigned long long)from, (unsigned long long)regions[i].dstOffset,
                             (unsigned long long)to);
            return;
        }
    }
    profileShim.use.copies++;
    vkCmdCopyBuffer(commandBuffer, source, target, count, regions);
}

/* ---- The shim ---- */

VkskinVulkanFunctions profileShimFunctions(void) {
    VkskinVulkanFunctions functions = {
        .vkGetPhysicalDeviceProperties = getProperties,
        .vkGetPhysicalDeviceMemoryProperties = getMemoryProperties,
        .vkGetPhysicalDeviceQueueFamilyProperties = getFamilies,
        .vkCreateBuffer = createBuffer,
        .vkDestroyBuffer = destroyBuffer,
        .vkCreateBufferView = createView,
        .vkCreateDescriptorSetLayout = createSetLayout,
        .vkDestroyDescriptorSetLayout = destroySetLayout,
        .vkCreatePipelineLayout = createPipelineLayout,
        .vkUpdateDescriptorSets = updateSets,
        .vkCreateQueryPool = createQueryPool,
        .vkCmdWriteTimestamp = writeTimestamp,
        .vkCmdBindDescriptorSets = bindSets,
        .vkCmdPushConstants = pushConstants,
        .vkCmdDispatch = dispatch,
        .vkCmdCopyBuffer = copyBuffer,
    };
    profileMemoryFunctions(&functions);
    profileKernelFunctions(&functions);
    profileShim.gpu->finish = kernelLoanEnd;
    return functions;
}

static VkPhysicalDeviceMemoryProperties memoryOf(const Gpu *gpu, const Profile *profile) {
    if (profile->typeCount == 0) {
        return gpu->memory;
    }
    VkPhysicalDeviceMemoryProperties memory = {.memoryTypeCount = profile->typeCount};
    for (uint32_t i = 0; i < profile->typeCount; i++) {
        const ProfileType *type = &profile->types[i];
        memory.memoryTypes[i] = (VkMemoryType){type->flags, type->heap};
        if ((type->flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0) {
            memory.memoryHeaps[type->heap].flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
        }
    }
    while (memory.memoryHeapCount < PROFILE_MAX_HEAPS && profile->heaps[memory.memoryHeapCount] != 0) {
        memory.memoryHeaps[memory.memoryHeapCount].size = profile->heaps[memory.memoryHeapCount];
        memory.memoryHeapCount++;
    }
    return memory;
}

void profileShimBegin(Gpu *gpu, const Profile *profile) {
    (void)profileMemoryForget(); /* of a test that failed */
    profileShim = (ProfileShim){
        .gpu = gpu,
        .profile = profile,
        .limits = profileLimits(profile, &gpu->properties.limits),
        .memory = memoryOf(gpu, profile),
        .backing =
            gpuMemoryType(gpu, UINT32_MAX, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT),
    };
}

void profileShimEnd(void) {
    uint32_t left = profileMemoryForget();
    assert_int_equal(profileShim.violations.count, 0); /* told by the teardown */
    assert_int_equal(left, 0);
}

int profileTestTeardown(void **state) {
    for (uint32_t i = 0; i < profileShim.violations.count && i < GPU_MAX_TEXTS; i++) {
        print_error("%s: %s\n", profileShim.profile->name, profileShim.violations.texts[i]);
    }
    profileShim.violations.count = 0;
    return gpuTestTeardown(state);
}
