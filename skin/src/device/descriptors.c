#include "descriptors.h"

#define SETS_PER_BLOCK 64u

struct DescriptorBlock {
    DescriptorBlock *next;
    VkDescriptorPool pool;
    uint32_t used;
};

VkskinResult sknInitDescriptors(Gpu *gpu, Descriptors *descriptors) {
    *descriptors = (Descriptors){0};
    VkDescriptorSetLayoutBinding binding = {
        .binding = 0,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkCreateDescriptorSetLayout(gpu->device, &info, gpu->allocator, &descriptors->layout),
                 "vkCreateDescriptorSetLayout");
    if (result < 0) {
        descriptors->layout = VK_NULL_HANDLE; /* what a failed call wrote there is no handle */
        return result;
    }
    sknNameObject(gpu, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, (uint64_t)descriptors->layout, "vkskin buffer");
    return VKSKIN_SUCCESS;
}

void sknDestroyDescriptors(Gpu *gpu, Descriptors *descriptors) {
    while (descriptors->blocks != NULL) {
        DescriptorBlock *block = descriptors->blocks;
        descriptors->blocks = block->next;
        gpu->vk.vkDestroyDescriptorPool(gpu->device, block->pool, gpu->allocator);
        sknHostFree(gpu->hostAllocator, block);
    }
    if (descriptors->layout != VK_NULL_HANDLE) {
        gpu->vk.vkDestroyDescriptorSetLayout(gpu->device, descriptors->layout, gpu->allocator);
    }
    *descriptors = (Descriptors){0};
}

static VkskinResult addBlock(Gpu *gpu, Descriptors *descriptors) {
    DescriptorBlock *block = sknHostAllocateArray(gpu->hostAllocator, 1, sizeof *block);
    if (block == NULL) {
        sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a descriptor pool");
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS_PER_BLOCK};
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = SETS_PER_BLOCK,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
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

VkskinResult sknCreateBufferSets(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, VkDeviceSize size,
                                 uint32_t count, VkDescriptorSet *sets) {
    if (descriptors->blocks == NULL || descriptors->blocks->used + count > SETS_PER_BLOCK) {
        VkskinResult result = addBlock(gpu, descriptors);
        if (result < 0) {
            return result;
        }
    }
    VkDescriptorSetLayout layouts[SETS_PER_BLOCK];
    for (uint32_t i = 0; i < count; i++) {
        layouts[i] = descriptors->layout;
    }
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = descriptors->blocks->pool,
        .descriptorSetCount = count,
        .pSetLayouts = layouts,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkAllocateDescriptorSets(gpu->device, &info, sets), "vkAllocateDescriptorSets");
    if (result < 0) {
        return result;
    }
    descriptors->blocks->used += count;
    for (uint32_t i = 0; i < count; i++) {
        VkDescriptorBufferInfo range = {buffer->handle, i * size, size};
        writeSet(gpu, sets[i], &range);
    }
    return VKSKIN_SUCCESS;
}
