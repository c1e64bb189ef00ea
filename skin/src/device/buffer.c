#include "buffer.h"

#define HOST_FLAGS (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define NO_TYPE    UINT32_MAX
/* Alignment of mapped blocks: palettes need it. */
#define MAPPED_ALIGNMENT 16
/* Types with other properties (protected, lazily allocated, vendor-specific) may need features that are not enabled. */
#define PLAIN_FLAGS (VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | HOST_FLAGS | VK_MEMORY_PROPERTY_HOST_CACHED_BIT)

/* In order of preference. The specification guarantees the last of each row. */
static const VkMemoryPropertyFlags preferredFlags[][2] = {
    [VKSKIN_MEMORY_DEVICE] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0},
    [VKSKIN_MEMORY_DYNAMIC] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | HOST_FLAGS, HOST_FLAGS},
    [VKSKIN_MEMORY_STAGING] = {HOST_FLAGS, HOST_FLAGS},
};

/* The first of the allowed types that has the wanted flags. */
static uint32_t findMemoryType(const Gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags wanted) {
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = gpu->memory.memoryTypes[i].propertyFlags;
        bool plain = (flags & ~(VkMemoryPropertyFlags)PLAIN_FLAGS) == 0;
        if ((allowed & (1u << i)) != 0 && (flags & wanted) == wanted && plain) {
            return i;
        }
    }
    return NO_TYPE;
}

bool sknHasDynamicDeviceMemory(const Gpu *gpu) {
    return findMemoryType(gpu, UINT32_MAX, preferredFlags[VKSKIN_MEMORY_DYNAMIC][0]) != NO_TYPE;
}

static VkResult allocateOfType(const Gpu *gpu, const VkskinMemoryRequest *request, uint32_t type,
                               VkskinMemoryBlock *block) {
    VkDeviceSize size = request->requirements.size;
    bool addressed = (request->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = addressed ? &flags : NULL,
        .allocationSize = size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkResult result = gpu->vk.vkAllocateMemory(gpu->device, &info, gpu->allocator, &memory);
    if (result != VK_SUCCESS) {
        return result;
    }
    *block = (VkskinMemoryBlock){.memory = memory, .size = size, .memoryTypeIndex = type};
    return VK_SUCCESS;
}

/* The preferred heap may be full while another has room: try each type once, preferred types first. */
static VkResult allocateOwn(const Gpu *gpu, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    uint32_t untried = request->requirements.memoryTypeBits;
    for (uint32_t i = 0; i < 2 && result == VK_ERROR_OUT_OF_DEVICE_MEMORY; i++) {
        VkMemoryPropertyFlags wanted = preferredFlags[request->use][i];
        uint32_t type = findMemoryType(gpu, untried, wanted);
        while (type != NO_TYPE && result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
            result = allocateOfType(gpu, request, type, block);
            untried &= ~(1u << type);
            type = findMemoryType(gpu, untried, wanted);
        }
    }
    return result;
}

static VkskinResult mapMemory(const Gpu *gpu, VkskinMemoryBlock *block) {
    void *mapped = NULL;
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkMapMemory(gpu->device, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    block->mapped = result < 0 ? NULL : mapped;
    return result;
}

/* Returns why the library cannot write to a block of the host, or null. The block's memory type is valid. */
static const char *mappingFlawOf(const Gpu *gpu, const VkskinMemoryBlock *block) {
    VkMemoryPropertyFlags flags = gpu->memory.memoryTypes[block->memoryTypeIndex].propertyFlags;
    VkDeviceSize atom = gpu->limits.nonCoherentAtomSize;
    if ((flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) == 0) {
        return "is of a type that cannot be mapped";
    }
    if ((uintptr_t)block->mapped % MAPPED_ALIGNMENT != 0) {
        return "is mapped at an address that is not aligned";
    }
    if ((flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) == 0 && (block->offset % atom != 0 || block->size % atom != 0)) {
        return "is not of whole atoms, and not coherent";
    }
    return NULL;
}

/* Returns why a block of the host cannot back the buffer, or null. */
static const char *flawOf(const Gpu *gpu, const VkskinMemoryRequest *request, const VkskinMemoryBlock *block) {
    const VkMemoryRequirements *needs = &request->requirements;
    bool written = request->use != VKSKIN_MEMORY_DEVICE;
    if (block->memory == VK_NULL_HANDLE) {
        return "is null";
    }
    if (written && block->mapped == NULL) {
        return "is not mapped";
    }
    if (block->memoryTypeIndex >= gpu->memory.memoryTypeCount ||
        (needs->memoryTypeBits & 1u << block->memoryTypeIndex) == 0) {
        return "is of a type that the buffer cannot have";
    }
    if (block->size < needs->size) {
        return "is too small";
    }
    if (block->offset % needs->alignment != 0) {
        return "is not aligned";
    }
    return written ? mappingFlawOf(gpu, block) : NULL;
}

static VkskinResult allocateThroughHost(const Gpu *gpu, const VkskinMemoryRequest *request, Buffer *buffer) {
    const VkskinMemoryCallbacks *host = &gpu->memoryCallbacks;
    VkResult allocated = host->allocate(host->user, request, &buffer->memory);
    buffer->bound = allocated == VK_SUCCESS;
    /* A positive VkResult also leaves the memory unset. */
    VkskinResult result = sknCheck(gpu, allocated > 0 ? VK_ERROR_UNKNOWN : allocated, "VkskinMemoryCallbacks.allocate");
    if (result < 0) {
        return result;
    }
    const char *flaw = flawOf(gpu, request, &buffer->memory);
    if (flaw != NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "VkskinMemoryCallbacks.allocate: the memory for %s %s", request->name, flaw);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult allocateMemory(const Gpu *gpu, VkBufferUsageFlags usage, VkskinMemoryUse use, const char *name,
                                   Buffer *buffer) {
    VkskinMemoryRequest request = {.buffer = buffer->handle, .use = use, .usage = usage, .name = name};
    gpu->vk.vkGetBufferMemoryRequirements(gpu->device, buffer->handle, &request.requirements);
    if (gpu->memoryCallbacks.allocate != NULL) {
        return allocateThroughHost(gpu, &request, buffer);
    }
    VkResult allocated = allocateOwn(gpu, &request, &buffer->memory);
    buffer->bound = allocated == VK_SUCCESS;
    if (!buffer->bound) {
        return sknCheck(gpu, allocated, "vkAllocateMemory");
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_DEVICE_MEMORY, (uint64_t)buffer->memory.memory, "vkskin %s", name);
    return use == VKSKIN_MEMORY_DEVICE ? VKSKIN_SUCCESS : mapMemory(gpu, &buffer->memory);
}

VkskinResult sknCreateBuffer(Gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage, VkskinMemoryUse use,
                             const char *name, Buffer *buffer) {
    *buffer = (Buffer){.size = size};
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = usage,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    VkResult created = gpu->vk.vkCreateBuffer(gpu->device, &info, gpu->allocator, &buffer->handle);
    VkskinResult result = sknCheck(gpu, created, "vkCreateBuffer");
    if (result < 0) {
        *buffer = (Buffer){0};
        return result;
    }
    gpu->bytes += size;
    result = allocateMemory(gpu, usage, use, name, buffer);
    if (result >= 0) {
        result = sknCheck(
            gpu, gpu->vk.vkBindBufferMemory(gpu->device, buffer->handle, buffer->memory.memory, buffer->memory.offset),
            "vkBindBufferMemory");
    }
    if (result < 0) {
        sknDestroyBuffer(gpu, buffer);
        return result;
    }
    if ((usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0) {
        const VkBufferDeviceAddressInfo place = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, NULL, buffer->handle};
        buffer->address = gpu->vk.vkGetBufferDeviceAddress(gpu->device, &place);
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer->handle, "vkskin %s", name);
    return VKSKIN_SUCCESS;
}

VkskinResult sknCreateHostBuffer(Gpu *gpu, VkDeviceSize size, const char *name, Buffer *buffer) {
    *buffer = (Buffer){.size = size, .onHost = true};
    buffer->memory.mapped = sknHostAllocate(gpu->hostAllocator, (size_t)size);
    if (buffer->memory.mapped == NULL) {
        *buffer = (Buffer){0};
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for %llu bytes of %s",
                         (unsigned long long)size, name);
    }
    return VKSKIN_SUCCESS;
}

void sknDestroyBuffer(Gpu *gpu, Buffer *buffer) {
    if (buffer->onHost) {
        sknHostFree(gpu->hostAllocator, buffer->memory.mapped);
    }
    if (buffer->handle != VK_NULL_HANDLE && !buffer->borrowed) {
        gpu->vk.vkDestroyBuffer(gpu->device, buffer->handle, gpu->allocator);
        gpu->bytes -= buffer->size;
    }
    if (buffer->bound && gpu->memoryCallbacks.free != NULL) {
        gpu->memoryCallbacks.free(gpu->memoryCallbacks.user, &buffer->memory);
    } else if (buffer->bound) {
        if (buffer->memory.mapped != NULL) {
            gpu->vk.vkUnmapMemory(gpu->device, buffer->memory.memory);
        }
        gpu->vk.vkFreeMemory(gpu->device, buffer->memory.memory, gpu->allocator);
    }
    *buffer = (Buffer){0};
}

/* False if nothing has to be done. Whole atoms: blocks of such memory start and end at one. */
static bool findAtoms(const Gpu *gpu, const Buffer *buffer, VkDeviceSize offset, VkDeviceSize size,
                      VkMappedMemoryRange *range) {
    const VkMemoryType *type = &gpu->memory.memoryTypes[buffer->memory.memoryTypeIndex];
    if (buffer->onHost || buffer->borrowed || (type->propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0 ||
        size == 0) {
        return false;
    }
    const VkDeviceSize atom = gpu->limits.nonCoherentAtomSize;
    const VkDeviceSize begin = offset / atom * atom;
    *range = (VkMappedMemoryRange){
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = buffer->memory.memory,
        .offset = buffer->memory.offset + begin,
        .size = (offset + size - begin + atom - 1) / atom * atom,
    };
    return true;
}

VkskinResult sknFlushBuffer(const Gpu *gpu, const Buffer *buffer, VkDeviceSize offset, VkDeviceSize size) {
    VkMappedMemoryRange range;
    return findAtoms(gpu, buffer, offset, size, &range)
               ? sknCheck(gpu, gpu->vk.vkFlushMappedMemoryRanges(gpu->device, 1, &range), "vkFlushMappedMemoryRanges")
               : VKSKIN_SUCCESS;
}

VkskinResult sknInvalidateBuffer(const Gpu *gpu, const Buffer *buffer, VkDeviceSize offset, VkDeviceSize size) {
    VkMappedMemoryRange range;
    return findAtoms(gpu, buffer, offset, size, &range)
               ? sknCheck(gpu, gpu->vk.vkInvalidateMappedMemoryRanges(gpu->device, 1, &range),
                          "vkInvalidateMappedMemoryRanges")
               : VKSKIN_SUCCESS;
}

/* ---- Descriptor sets ---- */

#define SETS_PER_BLOCK 64u

struct DescriptorBlock {
    DescriptorBlock *next;
    VkDescriptorPool pool;
    uint32_t used;
};

static VkskinResult makeLayout(Gpu *gpu, uint32_t bindingCount, const char *name, VkDescriptorSetLayout *layout) {
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = bindingCount,
        .pBindings = bindings,
    };
    VkskinResult result = sknCheck(gpu, gpu->vk.vkCreateDescriptorSetLayout(gpu->device, &info, gpu->allocator, layout),
                                   "vkCreateDescriptorSetLayout");
    if (result < 0) {
        *layout = VK_NULL_HANDLE; /* after a failure the value is undefined */
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, (uint64_t)*layout, "vkskin %s", name);
    return VKSKIN_SUCCESS;
}

VkskinResult sknMakeKernelLayout(const Gpu *gpu, const VkDescriptorSetLayout *sets, uint32_t setCount,
                                 uint32_t pushBytes, const char *name, VkPipelineLayout *layout) {
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = setCount,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    VkskinResult result = sknCheck(gpu, gpu->vk.vkCreatePipelineLayout(gpu->device, &info, gpu->allocator, layout),
                                   "vkCreatePipelineLayout");
    if (result < 0) {
        *layout = VK_NULL_HANDLE; /* after a failure the value is undefined */
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_PIPELINE_LAYOUT, (uint64_t)*layout, "vkskin %s", name);
    return VKSKIN_SUCCESS;
}

VkskinResult sknInitDescriptors(Gpu *gpu, Descriptors *descriptors) {
    *descriptors = (Descriptors){0};
    VkskinResult result = makeLayout(gpu, 1, "buffer", &descriptors->layout);
    return result < 0 ? result : makeLayout(gpu, 2, "palette", &descriptors->paletteLayout);
}

void sknDestroySets(const Gpu *gpu, Descriptors *descriptors) {
    while (descriptors->blocks != NULL) {
        DescriptorBlock *block = descriptors->blocks;
        descriptors->blocks = block->next;
        gpu->vk.vkDestroyDescriptorPool(gpu->device, block->pool, gpu->allocator);
        sknHostFree(gpu->hostAllocator, block);
    }
}

void sknDestroyDescriptors(Gpu *gpu, Descriptors *descriptors) {
    sknDestroySets(gpu, descriptors);
    const VkDescriptorSetLayout layouts[] = {descriptors->layout, descriptors->paletteLayout};
    for (size_t i = 0; i < SKN_COUNT(layouts); i++) {
        if (layouts[i] != VK_NULL_HANDLE) {
            gpu->vk.vkDestroyDescriptorSetLayout(gpu->device, layouts[i], gpu->allocator);
        }
    }
    *descriptors = (Descriptors){0};
}

static VkskinResult addBlock(Gpu *gpu, Descriptors *descriptors) {
    DescriptorBlock *block = sknHostAllocateArray(gpu->hostAllocator, 1, sizeof *block);
    if (block == NULL) {
        sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a descriptor pool");
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS_PER_BLOCK},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, SETS_PER_BLOCK},
    };
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = SETS_PER_BLOCK,
        .poolSizeCount = SKN_COUNT(sizes),
        .pPoolSizes = sizes,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkCreateDescriptorPool(gpu->device, &info, gpu->allocator, &block->pool),
                 "vkCreateDescriptorPool");
    if (result < 0) {
        sknHostFree(gpu->hostAllocator, block);
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_DESCRIPTOR_POOL, (uint64_t)block->pool, "vkskin descriptors");
    block->next = descriptors->blocks;
    descriptors->blocks = block;
    return VKSKIN_SUCCESS;
}

/* texels: for binding 1, or null. */
static void writeSet(const Gpu *gpu, VkDescriptorSet set, const VkDescriptorBufferInfo *range,
                     const VkBufferView *texels) {
    const VkWriteDescriptorSet writes[] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = set,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .pBufferInfo = range},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = set,
         .dstBinding = 1,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
         .pTexelBufferView = texels},
    };
    for (uint32_t binding = 0; binding < (texels != NULL ? 2u : 1u); binding++) {
        gpu->vk.vkUpdateDescriptorSets(gpu->device, 1, &writes[binding], 0, NULL);
    }
}

static VkskinResult takeSets(Gpu *gpu, Descriptors *descriptors, VkDescriptorSetLayout layout, uint32_t count,
                             VkDescriptorSet *sets) {
    if (descriptors->blocks == NULL || descriptors->blocks->used + count > SETS_PER_BLOCK) {
        VkskinResult result = addBlock(gpu, descriptors);
        if (result < 0) {
            return result;
        }
    }
    VkDescriptorSetLayout layouts[SETS_PER_BLOCK];
    for (uint32_t i = 0; i < count; i++) {
        layouts[i] = layout;
    }
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = descriptors->blocks->pool,
        .descriptorSetCount = count,
        .pSetLayouts = layouts,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkAllocateDescriptorSets(gpu->device, &info, sets), "vkAllocateDescriptorSets");
    if (result >= 0) {
        descriptors->blocks->used += count;
    }
    return result;
}

void sknWriteBufferSets(const Gpu *gpu, const Buffer *buffer, const VkDeviceSize *offsets, VkDeviceSize size,
                        uint32_t count, const VkDescriptorSet *sets) {
    for (uint32_t i = 0; i < count; i++) {
        VkDescriptorBufferInfo range = {buffer->handle, offsets[i], size};
        writeSet(gpu, sets[i], &range, NULL);
    }
}

VkskinResult sknCreateBufferSets(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, const VkDeviceSize *offsets,
                                 VkDeviceSize size, uint32_t count, VkDescriptorSet *sets) {
    VkskinResult result = takeSets(gpu, descriptors, descriptors->layout, count, sets);
    if (result >= 0) {
        sknWriteBufferSets(gpu, buffer, offsets, size, count, sets);
    }
    return result;
}

VkskinResult sknCreatePaletteSet(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, VkDeviceSize size,
                                 VkBufferView texels, VkDescriptorSet *set) {
    VkskinResult result = takeSets(gpu, descriptors, descriptors->paletteLayout, 1, set);
    if (result >= 0) {
        VkDescriptorBufferInfo range = {buffer->handle, 0, size};
        writeSet(gpu, *set, &range, &texels);
    }
    return result;
}
