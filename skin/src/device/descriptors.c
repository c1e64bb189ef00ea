#include "descriptors.h"

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
        *layout = VK_NULL_HANDLE; /* what a failed call wrote there is no handle */
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, (uint64_t)*layout, "vkskin %s", name);
    return VKSKIN_SUCCESS;
}

VkskinResult sknInitDescriptors(Gpu *gpu, Descriptors *descriptors) {
    *descriptors = (Descriptors){0};
    VkskinResult result = makeLayout(gpu, 1, "buffer", &descriptors->layout);
    return result < 0 ? result : makeLayout(gpu, 2, "palette", &descriptors->paletteLayout);
}

void sknDestroyDescriptors(Gpu *gpu, Descriptors *descriptors) {
    while (descriptors->blocks != NULL) {
        DescriptorBlock *block = descriptors->blocks;
        descriptors->blocks = block->next;
        gpu->vk.vkDestroyDescriptorPool(gpu->device, block->pool, gpu->allocator);
        sknHostFree(gpu->hostAllocator, block);
    }
    const VkDescriptorSetLayout layouts[] = {descriptors->layout, descriptors->paletteLayout};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
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
        .poolSizeCount = sizeof sizes / sizeof sizes[0],
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

static void writeSet(const Gpu *gpu, VkDescriptorSet set, const VkDescriptorBufferInfo *range) {
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = range,
    };
    gpu->vk.vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
}

static void writeTexels(const Gpu *gpu, VkDescriptorSet set, VkBufferView texels) {
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = 1,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
        .pTexelBufferView = &texels,
    };
    gpu->vk.vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
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

VkskinResult sknCreateBufferSets(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, VkDeviceSize size,
                                 uint32_t count, VkDescriptorSet *sets) {
    VkskinResult result = takeSets(gpu, descriptors, descriptors->layout, count, sets);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        VkDescriptorBufferInfo range = {buffer->handle, i * size, size};
        writeSet(gpu, sets[i], &range);
    }
    return result;
}

VkskinResult sknCreatePaletteSet(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, VkDeviceSize size,
                                 VkBufferView texels, VkDescriptorSet *set) {
    VkskinResult result = takeSets(gpu, descriptors, descriptors->paletteLayout, 1, set);
    if (result >= 0) {
        VkDescriptorBufferInfo range = {buffer->handle, 0, size};
        writeSet(gpu, *set, &range);
        writeTexels(gpu, *set, texels);
    }
    return result;
}
