#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "null_parts.h"

const VkskinVulkanFunctions *vk;

VkDeviceMemory makeMemory(NullDriver *driver, VkDeviceSize size, uint32_t type) {
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory = VK_NULL_HANDLE;
    assert_int_equal(vk->vkAllocateMemory(nullDriverDevice(driver), &info, NULL, &memory), VK_SUCCESS);
    return memory;
}

VkBuffer makeBuffer(NullDriver *driver, VkDeviceSize size) {
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkBuffer buffer = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateBuffer(nullDriverDevice(driver), &info, NULL, &buffer), VK_SUCCESS);
    return buffer;
}

Bound makeBound(NullDriver *driver, VkDeviceSize size) {
    Bound bound = {makeBuffer(driver, size), makeMemory(driver, size, HOST_TYPE)};
    assert_int_equal(vk->vkBindBufferMemory(nullDriverDevice(driver), bound.buffer, bound.memory, 0), VK_SUCCESS);
    return bound;
}

void destroyBound(NullDriver *driver, Bound bound) {
    vk->vkDestroyBuffer(nullDriverDevice(driver), bound.buffer, NULL);
    vk->vkFreeMemory(nullDriverDevice(driver), bound.memory, NULL);
}

VkDescriptorSetLayout makeSetLayout(NullDriver *driver) {
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateDescriptorSetLayout(nullDriverDevice(driver), &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

VkPipelineLayout makePipelineLayout(NullDriver *driver, VkDescriptorSetLayout set, uint32_t setCount,
                                    uint32_t pushBytes) {
    VkDescriptorSetLayout sets[8] = {set, set, set, set, set, set, set, set};
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = setCount,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    VkPipelineLayout layout = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreatePipelineLayout(nullDriverDevice(driver), &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

VkDescriptorPool makePool(NullDriver *driver) {
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 2,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VkDescriptorPool pool = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateDescriptorPool(nullDriverDevice(driver), &info, NULL, &pool), VK_SUCCESS);
    return pool;
}

VkResult makeSet(NullDriver *driver, VkDescriptorPool pool, VkDescriptorSetLayout layout, VkDescriptorSet *set) {
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    return vk->vkAllocateDescriptorSets(nullDriverDevice(driver), &info, set);
}

void writeSet(NullDriver *driver, VkDescriptorSet set, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size) {
    VkDescriptorBufferInfo range = {buffer, offset, size};
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &range,
    };
    vk->vkUpdateDescriptorSets(nullDriverDevice(driver), 1, &write, 0, NULL);
}

Shown makeShown(NullDriver *driver, VkBuffer buffer) {
    Shown shown = {.layout = makeSetLayout(driver), .pool = makePool(driver)};
    assert_int_equal(makeSet(driver, shown.pool, shown.layout, &shown.set), VK_SUCCESS);
    writeSet(driver, shown.set, buffer, 0, 1024);
    return shown;
}

VkPipeline makePipeline(NullDriver *driver, VkPipelineLayout layout) {
    static const uint32_t words[] = {0x07230203};
    VkShaderModuleCreateInfo moduleInfo = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof words, .pCode = words};
    VkShaderModule module = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateShaderModule(nullDriverDevice(driver), &moduleInfo, NULL, &module), VK_SUCCESS);
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main"},
        .layout = layout,
    };
    VkPipeline pipeline = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateComputePipelines(nullDriverDevice(driver), VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
                     VK_SUCCESS);
    vk->vkDestroyShaderModule(nullDriverDevice(driver), module, NULL);
    return pipeline;
}

VkQueryPool makeQueries(NullDriver *driver, uint32_t count) {
    VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = count,
    };
    VkQueryPool pool = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateQueryPool(nullDriverDevice(driver), &info, NULL, &pool), VK_SUCCESS);
    return pool;
}

void copy(VkCommandBuffer commands, VkBuffer source, VkBuffer target, VkDeviceSize offset, VkDeviceSize size) {
    VkBufferCopy region = {0, offset, size};
    vk->vkCmdCopyBuffer(commands, source, target, 1, &region);
}

void destroyShown(NullDriver *driver, Shown shown) {
    vk->vkDestroyDescriptorPool(nullDriverDevice(driver), shown.pool, NULL);
    vk->vkDestroyDescriptorSetLayout(nullDriverDevice(driver), shown.layout, NULL);
}

Dispatch makeDispatch(NullDriver *driver) {
    Dispatch made = {.bound = makeBound(driver, 1024)};
    made.shown = makeShown(driver, made.bound.buffer);
    made.layout = makePipelineLayout(driver, made.shown.layout, 1, 16);
    made.pipeline = makePipeline(driver, made.layout);
    return made;
}

void destroyDispatch(NullDriver *driver, Dispatch *made) {
    vk->vkDestroyPipeline(nullDriverDevice(driver), made->pipeline, NULL);
    vk->vkDestroyPipelineLayout(nullDriverDevice(driver), made->layout, NULL);
    destroyShown(driver, made->shown);
    destroyBound(driver, made->bound);
}

void checkMisuses(const Misuse *misuses, size_t count) {
    vk = nullDriverFunctions();
    for (size_t i = 0; i < count; i++) {
        NullDriver *driver = nullDriverCreate(NULL);
        misuses[i].misuse(driver);
        if (nullDriverFaults(driver) == 0 || strstr(nullDriverFirstFault(driver), misuses[i].fault) == NULL) {
            fail_msg("misuse %zu: %u faults, expected '%s', first '%s'", i, nullDriverFaults(driver), misuses[i].fault,
                     nullDriverFirstFault(driver));
        }
        assert_int_equal(nullDriverAlive(driver), 0);
        assert_int_equal(nullDriverDestroy(driver), 0);
    }
}
