#include "buffer_set.h"

bool bufferSetMake(const Device *device, const BufferSetDef *def, VkDescriptorSet *set, EngineError *error) {
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = def->pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &def->layout};
    VkResult result = vkAllocateDescriptorSets(device->handle, &info, set);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkAllocateDescriptorSets", result);
    }
    VkWriteDescriptorSet writes[BUFFER_SET_MAX];
    for (uint32_t i = 0; i < def->count; i++) {
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = *set,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = def->type,
                                           .pBufferInfo = &def->ranges[i]};
    }
    vkUpdateDescriptorSets(device->handle, def->count, writes, 0, NULL);
    return true;
}
