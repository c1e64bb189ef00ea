/*
 * The pretended driver's own checks: each planted misuse is told, the library's use of it is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "null_driver.h"

static const VkskinVulkanFunctions *vk;

/* ---- Small parts to misuse ---- */

static VkDeviceMemory makeMemory(NullDriver *driver, VkDeviceSize size, uint32_t type) {
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory = VK_NULL_HANDLE;
    assert_int_equal(vk->vkAllocateMemory(nullDriverDevice(driver), &info, NULL, &memory), VK_SUCCESS);
    return memory;
}

static VkBuffer makeBuffer(NullDriver *driver, VkDeviceSize size) {
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage =
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    VkBuffer buffer = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateBuffer(nullDriverDevice(driver), &info, NULL, &buffer), VK_SUCCESS);
    return buffer;
}

/* Type 1 of the default layout: host-visible. */
#define HOST_TYPE 1u

typedef struct Bound {
    VkBuffer buffer;
    VkDeviceMemory memory;
} Bound;

static Bound makeBound(NullDriver *driver, VkDeviceSize size) {
    Bound bound = {makeBuffer(driver, size), makeMemory(driver, size, HOST_TYPE)};
    assert_int_equal(vk->vkBindBufferMemory(nullDriverDevice(driver), bound.buffer, bound.memory, 0), VK_SUCCESS);
    return bound;
}

static void destroyBound(NullDriver *driver, Bound bound) {
    vk->vkDestroyBuffer(nullDriverDevice(driver), bound.buffer, NULL);
    vk->vkFreeMemory(nullDriverDevice(driver), bound.memory, NULL);
}

static VkDescriptorSetLayout makeSetLayout(NullDriver *driver) {
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

static VkPipelineLayout makePipelineLayout(NullDriver *driver, VkDescriptorSetLayout set, uint32_t setCount,
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

static VkDescriptorPool makePool(NullDriver *driver) {
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

static VkResult makeSet(NullDriver *driver, VkDescriptorPool pool, VkDescriptorSetLayout layout, VkDescriptorSet *set) {
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    return vk->vkAllocateDescriptorSets(nullDriverDevice(driver), &info, set);
}

static void writeSet(NullDriver *driver, VkDescriptorSet set, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size) {
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

/* A pool, and a set in it that shows 1024 bytes of `buffer`. */
typedef struct Shown {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} Shown;

static Shown makeShown(NullDriver *driver, VkBuffer buffer) {
    Shown shown = {.layout = makeSetLayout(driver), .pool = makePool(driver)};
    assert_int_equal(makeSet(driver, shown.pool, shown.layout, &shown.set), VK_SUCCESS);
    writeSet(driver, shown.set, buffer, 0, 1024);
    return shown;
}

static VkPipeline makePipeline(NullDriver *driver, VkPipelineLayout layout) {
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

static VkQueryPool makeQueries(NullDriver *driver, uint32_t count) {
    VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = count,
    };
    VkQueryPool pool = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateQueryPool(nullDriverDevice(driver), &info, NULL, &pool), VK_SUCCESS);
    return pool;
}

static void copy(VkCommandBuffer commands, VkBuffer source, VkBuffer target, VkDeviceSize offset, VkDeviceSize size) {
    VkBufferCopy region = {0, offset, size};
    vk->vkCmdCopyBuffer(commands, source, target, 1, &region);
}

/* ---- Misuse, of one kind each ---- */

static void destroyTwice(NullDriver *driver) {
    VkBuffer buffer = makeBuffer(driver, 64);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
}

static void destroyTwiceAfterReuse(NullDriver *driver) {
    VkBuffer buffer = makeBuffer(driver, 64);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
    VkBuffer other = makeBuffer(driver, 64);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
    vk->vkDestroyBuffer(nullDriverDevice(driver), other, NULL);
}

static void destroyUnknown(NullDriver *driver) {
    vk->vkDestroyBuffer(nullDriverDevice(driver), (VkBuffer)(uintptr_t)12345, NULL);
}

static void destroyAnothersBuffer(NullDriver *driver) {
    NullDriver *other = nullDriverCreate(NULL);
    VkBuffer own = makeBuffer(driver, 64);
    VkBuffer buffer = makeBuffer(other, 64);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
    vk->vkDestroyBuffer(nullDriverDevice(other), buffer, NULL);
    vk->vkDestroyBuffer(nullDriverDevice(driver), own, NULL);
    assert_int_equal(nullDriverFaults(other), 0);
    assert_int_equal(nullDriverDestroy(other), 0);
}

static void destroyMemoryAsBuffer(NullDriver *driver) {
    VkDeviceMemory memory = makeMemory(driver, 64, 0);
    vk->vkDestroyBuffer(nullDriverDevice(driver), (VkBuffer)(uintptr_t)memory, NULL);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static void useOfAFailedCall(NullDriver *driver) {
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4, .usage = 1};
    VkBuffer buffer = VK_NULL_HANDLE;
    nullDriverFail(driver, 1, VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(vk->vkCreateBuffer(nullDriverDevice(driver), &info, NULL, &buffer), VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_true(nullDriverFail(driver, 0, VK_SUCCESS));
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
}

static void wrongMemoryType(NullDriver *driver) {
    VkMemoryAllocateInfo info = {.allocationSize = 64, .memoryTypeIndex = 3};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    assert_true(vk->vkAllocateMemory(nullDriverDevice(driver), &info, NULL, &memory) < 0);
}

static void freeBound(NullDriver *driver) {
    Bound bound = makeBound(driver, 256);
    vk->vkFreeMemory(nullDriverDevice(driver), bound.memory, NULL);
    vk->vkDestroyBuffer(nullDriverDevice(driver), bound.buffer, NULL);
}

static void freeMapped(NullDriver *driver) {
    VkDeviceMemory memory = makeMemory(driver, 64, HOST_TYPE);
    void *data = NULL;
    assert_int_equal(vk->vkMapMemory(nullDriverDevice(driver), memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static void mapTwice(NullDriver *driver) {
    VkDeviceMemory memory = makeMemory(driver, 64, HOST_TYPE);
    void *data = NULL;
    assert_int_equal(vk->vkMapMemory(nullDriverDevice(driver), memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
    assert_true(vk->vkMapMemory(nullDriverDevice(driver), memory, 0, VK_WHOLE_SIZE, 0, &data) < 0);
    vk->vkUnmapMemory(nullDriverDevice(driver), memory);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static void mapDeviceMemory(NullDriver *driver) {
    VkDeviceMemory memory = makeMemory(driver, 64, 0);
    void *data = NULL;
    assert_true(vk->vkMapMemory(nullDriverDevice(driver), memory, 0, VK_WHOLE_SIZE, 0, &data) < 0);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static void mapBeyond(NullDriver *driver) {
    VkDeviceMemory memory = makeMemory(driver, 64, HOST_TYPE);
    void *data = NULL;
    assert_true(vk->vkMapMemory(nullDriverDevice(driver), memory, 32, 64, 0, &data) < 0);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static void unmapUnmapped(NullDriver *driver) {
    VkDeviceMemory memory = makeMemory(driver, 64, HOST_TYPE);
    vk->vkUnmapMemory(nullDriverDevice(driver), memory);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static void flush(NullDriver *driver, VkDeviceSize offset, VkDeviceSize size) {
    VkDeviceMemory memory = makeMemory(driver, 1024, HOST_TYPE);
    void *data = NULL;
    assert_int_equal(vk->vkMapMemory(nullDriverDevice(driver), memory, 0, 512, 0, &data), VK_SUCCESS);
    VkMappedMemoryRange range = {.memory = memory, .offset = offset, .size = size};
    assert_int_equal(vk->vkFlushMappedMemoryRanges(nullDriverDevice(driver), 1, &range), VK_SUCCESS);
    vk->vkUnmapMemory(nullDriverDevice(driver), memory);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static void flushBeyond(NullDriver *driver) {
    flush(driver, 256, 512);
}

static void flushPartOfAnAtom(NullDriver *driver) {
    flush(driver, 0, 100);
}

static void bindTwice(NullDriver *driver) {
    Bound bound = makeBound(driver, 256);
    VkDeviceMemory memory = makeMemory(driver, 256, 0);
    assert_true(vk->vkBindBufferMemory(nullDriverDevice(driver), bound.buffer, memory, 0) < 0);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
    destroyBound(driver, bound);
}

static void bindMemoryTwice(NullDriver *driver) {
    Bound bound = makeBound(driver, 256);
    VkBuffer buffer = makeBuffer(driver, 256);
    assert_true(vk->vkBindBufferMemory(nullDriverDevice(driver), buffer, bound.memory, 0) < 0);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
    destroyBound(driver, bound);
}

static void bindBeyond(NullDriver *driver) {
    VkBuffer buffer = makeBuffer(driver, 512);
    VkDeviceMemory memory = makeMemory(driver, 512, 0);
    assert_true(vk->vkBindBufferMemory(nullDriverDevice(driver), buffer, memory, 256) < 0);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static void tooManySets(NullDriver *driver) {
    VkDescriptorSetLayout set = makeSetLayout(driver);
    VkPipelineLayout layout = makePipelineLayout(driver, set, 5, 16);
    vk->vkDestroyPipelineLayout(nullDriverDevice(driver), layout, NULL);
    vk->vkDestroyDescriptorSetLayout(nullDriverDevice(driver), set, NULL);
}

static void tooManyPushConstants(NullDriver *driver) {
    VkDescriptorSetLayout set = makeSetLayout(driver);
    VkPipelineLayout layout = makePipelineLayout(driver, set, 1, 132);
    vk->vkDestroyPipelineLayout(nullDriverDevice(driver), layout, NULL);
    vk->vkDestroyDescriptorSetLayout(nullDriverDevice(driver), set, NULL);
}

static void destroyShown(NullDriver *driver, Shown shown) {
    vk->vkDestroyDescriptorPool(nullDriverDevice(driver), shown.pool, NULL);
    vk->vkDestroyDescriptorSetLayout(nullDriverDevice(driver), shown.layout, NULL);
}

static void descriptorBeyond(NullDriver *driver) {
    Bound bound = makeBound(driver, 1024);
    Shown shown = makeShown(driver, bound.buffer);
    writeSet(driver, shown.set, bound.buffer, 256, 1024);
    destroyShown(driver, shown);
    destroyBound(driver, bound);
}

static void descriptorNotAligned(NullDriver *driver) {
    Bound bound = makeBound(driver, 2048);
    Shown shown = makeShown(driver, bound.buffer);
    writeSet(driver, shown.set, bound.buffer, 16, 1024);
    destroyShown(driver, shown);
    destroyBound(driver, bound);
}

static void descriptorOfAPoolThatIsGone(NullDriver *driver) {
    Bound bound = makeBound(driver, 1024);
    Shown shown = makeShown(driver, bound.buffer);
    destroyShown(driver, shown);
    writeSet(driver, shown.set, bound.buffer, 0, 1024);
    destroyBound(driver, bound);
}

static void copyBeyond(NullDriver *driver) {
    Bound source = makeBound(driver, 1024);
    Bound target = makeBound(driver, 512);
    VkCommandBuffer commands = nullDriverBegin(driver);
    copy(commands, source.buffer, target.buffer, 256, 512);
    nullDriverRun(commands);
    assert_int_equal(nullDriverCopies(driver), 0);
    destroyBound(driver, source);
    destroyBound(driver, target);
}

static void copyToNoMemory(NullDriver *driver) {
    Bound source = makeBound(driver, 1024);
    VkBuffer target = makeBuffer(driver, 1024);
    VkCommandBuffer commands = nullDriverBegin(driver);
    copy(commands, source.buffer, target, 0, 512);
    nullDriverRun(commands);
    vk->vkDestroyBuffer(nullDriverDevice(driver), target, NULL);
    destroyBound(driver, source);
}

static void copyFromWhatIsGone(NullDriver *driver) {
    Bound source = makeBound(driver, 1024);
    Bound target = makeBound(driver, 1024);
    VkCommandBuffer commands = nullDriverBegin(driver);
    copy(commands, source.buffer, target.buffer, 0, 512);
    destroyBound(driver, source);
    assert_int_equal(nullDriverFaults(driver), 0);
    nullDriverRun(commands);
    destroyBound(driver, target);
}

static void barrierBeyond(NullDriver *driver) {
    Bound bound = makeBound(driver, 1024);
    VkBufferMemoryBarrier barrier = {.buffer = bound.buffer, .offset = 512, .size = 513};
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1,
                             &barrier, 0, NULL);
    nullDriverRun(commands);
    destroyBound(driver, bound);
}

static void barrierWithoutStage(NullDriver *driver) {
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdPipelineBarrier(commands, 0, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
    nullDriverRun(commands);
}

/* A whole dispatch of one set, to be spoiled. */
typedef struct Dispatch {
    Bound bound;
    Shown shown;
    VkPipelineLayout layout;
    VkPipeline pipeline;
} Dispatch;

static Dispatch makeDispatch(NullDriver *driver) {
    Dispatch made = {.bound = makeBound(driver, 1024)};
    made.shown = makeShown(driver, made.bound.buffer);
    made.layout = makePipelineLayout(driver, made.shown.layout, 1, 16);
    made.pipeline = makePipeline(driver, made.layout);
    return made;
}

static void destroyDispatch(NullDriver *driver, Dispatch *made) {
    vk->vkDestroyPipeline(nullDriverDevice(driver), made->pipeline, NULL);
    vk->vkDestroyPipelineLayout(nullDriverDevice(driver), made->layout, NULL);
    destroyShown(driver, made->shown);
    destroyBound(driver, made->bound);
}

static void dispatchWithoutPipeline(NullDriver *driver) {
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdDispatch(commands, 1, 1, 1);
    nullDriverRun(commands);
}

static void dispatchWithoutSet(NullDriver *driver) {
    Dispatch made = makeDispatch(driver);
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.pipeline);
    vk->vkCmdDispatch(commands, 1, 1, 1);
    nullDriverRun(commands);
    destroyDispatch(driver, &made);
}

static void dispatchWithoutPushConstants(NullDriver *driver) {
    Dispatch made = makeDispatch(driver);
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.pipeline);
    vk->vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.layout, 0, 1, &made.shown.set, 0, NULL);
    vk->vkCmdDispatch(commands, 1, 1, 1);
    nullDriverRun(commands);
    destroyDispatch(driver, &made);
}

static void pushBeyond(NullDriver *driver) {
    static const uint32_t values[4];
    Dispatch made = makeDispatch(driver);
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdPushConstants(commands, made.layout, VK_SHADER_STAGE_COMPUTE_BIT, 4, sizeof values, values);
    nullDriverRun(commands);
    destroyDispatch(driver, &made);
}

static void tooManyGroups(NullDriver *driver) {
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdDispatch(commands, 65536, 1, 1);
    nullDriverRun(commands);
}

static void queryBeyond(NullDriver *driver) {
    VkQueryPool pool = makeQueries(driver, 2);
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 2);
    nullDriverRun(commands);
    vk->vkDestroyQueryPool(nullDriverDevice(driver), pool, NULL);
}

static void queryNotReset(NullDriver *driver) {
    VkQueryPool pool = makeQueries(driver, 2);
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
    nullDriverRun(commands);
    vk->vkDestroyQueryPool(nullDriverDevice(driver), pool, NULL);
}

static void resultsTooWide(NullDriver *driver) {
    uint64_t results[2];
    VkQueryPool pool = makeQueries(driver, 2);
    assert_true(vk->vkGetQueryPoolResults(nullDriverDevice(driver), pool, 0, 2, sizeof results, results, 16,
                                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) < 0);
    vk->vkDestroyQueryPool(nullDriverDevice(driver), pool, NULL);
}

static void labelWithoutBegin(NullDriver *driver) {
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdEndDebugUtilsLabelEXT(commands);
    nullDriverRun(commands);
}

static void noShader(NullDriver *driver) {
    static const uint32_t words[] = {1, 2, 3};
    VkShaderModuleCreateInfo info = {.codeSize = sizeof words, .pCode = words};
    VkShaderModule module = VK_NULL_HANDLE;
    assert_int_equal(vk->vkCreateShaderModule(nullDriverDevice(driver), &info, NULL, &module), VK_SUCCESS);
    vk->vkDestroyShaderModule(nullDriverDevice(driver), module, NULL);
}

static const struct {
    void (*misuse)(NullDriver *driver);
    const char *fault; /* part of what is told first */
} misuses[] = {
    {destroyTwice, "vkDestroyBuffer: VkBuffer"},
    {destroyTwice, "was destroyed"},
    {destroyTwiceAfterReuse, "was destroyed"},
    {destroyUnknown, "is unknown"},
    {destroyAnothersBuffer, "is of another device"},
    {destroyMemoryAsBuffer, "is of another kind"},
    {useOfAFailedCall, "is unknown"},
    {wrongMemoryType, "vkAllocateMemory: 64 bytes of memory type 3"},
    {freeBound, "vkFreeMemory: a buffer is still bound"},
    {freeMapped, "vkFreeMemory: the memory is still mapped"},
    {mapTwice, "vkMapMemory: the memory is mapped already"},
    {mapDeviceMemory, "vkMapMemory: the memory is not host-visible"},
    {mapBeyond, "vkMapMemory: the range leaves the memory"},
    {unmapUnmapped, "vkUnmapMemory: the memory is not mapped"},
    {flushBeyond, "vkFlushMappedMemoryRanges: the range leaves what is mapped"},
    {flushPartOfAnAtom, "vkFlushMappedMemoryRanges: the range is not of whole atoms of 256 bytes"},
    {bindTwice, "vkBindBufferMemory: the buffer is bound already"},
    {bindMemoryTwice, "vkBindBufferMemory: another buffer is bound to these bytes"},
    {bindBeyond, "vkBindBufferMemory: the buffer leaves the memory"},
    {tooManySets, "vkCreatePipelineLayout: 5 sets, the device binds 4"},
    {tooManyPushConstants, "vkCreatePipelineLayout: 132 bytes of push constants, the device has 128"},
    {descriptorBeyond, "vkUpdateDescriptorSets: the range leaves the buffer"},
    {descriptorNotAligned, "vkUpdateDescriptorSets: the offset is not aligned"},
    {descriptorOfAPoolThatIsGone, "vkUpdateDescriptorSets: VkDescriptorSet"},
    {copyBeyond, "vkCmdCopyBuffer: the target range of 512 bytes at 256 leaves a buffer of 512"},
    {copyToNoMemory, "vkCmdCopyBuffer: VkDeviceMemory 0x0 is null"},
    {copyFromWhatIsGone, "running vkCmdCopyBuffer: VkBuffer"},
    {barrierBeyond, "vkCmdPipelineBarrier: the barrier's range of 513 bytes at 512 leaves a buffer of 1024"},
    {barrierWithoutStage, "vkCmdPipelineBarrier: stages 0x0 before"},
    {dispatchWithoutPipeline, "vkCmdDispatch: VkPipeline 0x0 is null"},
    {dispatchWithoutSet, "vkCmdDispatch: VkDescriptorSet 0x0 is null"},
    {dispatchWithoutPushConstants, "vkCmdDispatch: 0 of 16 bytes of push constants were given"},
    {pushBeyond, "vkCmdPushConstants: 16 bytes at 4 of 16"},
    {tooManyGroups, "vkCmdDispatch: 65536 x 1 x 1 groups"},
    {queryBeyond, "vkCmdWriteTimestamp: queries 2 and 1 more of 2"},
    {queryNotReset, "running vkCmdWriteTimestamp: query 1 was not reset"},
    {resultsTooWide, "vkGetQueryPoolResults: 16 bytes are too few for 2 queries"},
    {labelWithoutBegin, "vkCmdEndDebugUtilsLabelEXT: no label was begun"},
    {noShader, "vkCreateShaderModule: 12 bytes that are no SPIR-V"},
};

static void everyMisuseIsTold(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof misuses / sizeof misuses[0]; i++) {
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

/* ---- Use ---- */

static void whatIsLeftIsCounted(void **state) {
    (void)state;
    NullDriver *driver = nullDriverCreate(NULL);
    Dispatch made = makeDispatch(driver);
    assert_int_equal(nullDriverAlive(driver), 6);
    assert_int_equal(nullDriverBytesAlive(driver), 1024);
    vk->vkDestroyPipeline(nullDriverDevice(driver), made.pipeline, NULL);
    VkCommandBuffer commands = nullDriverBegin(driver);
    assert_non_null(commands);
    assert_int_equal(nullDriverDestroy(driver), 6);
    nullDriverDestroy(NULL);
}

static void heapsEnd(void **state) {
    (void)state;
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(NULL_DRIVER_STAGED, true, 4096);
    NullDriver *driver = nullDriverCreate(&settings);
    VkMemoryAllocateInfo info = {.allocationSize = 1, .memoryTypeIndex = 0};
    VkDeviceMemory full = makeMemory(driver, 4096, 0);
    VkDeviceMemory none = VK_NULL_HANDLE;
    assert_int_equal(vk->vkAllocateMemory(nullDriverDevice(driver), &info, NULL, &none), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    vk->vkFreeMemory(nullDriverDevice(driver), full, NULL);
    VkDeviceMemory again = makeMemory(driver, 1, 0);
    vk->vkFreeMemory(nullDriverDevice(driver), again, NULL);
    assert_int_equal(nullDriverFaults(driver), 0);
    assert_int_equal(nullDriverDestroy(driver), 0);
}

static void theDeviceSeesWhatWasFlushed(void **state) {
    (void)state;
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(NULL_DRIVER_STAGED, false, 4096);
    NullDriver *driver = nullDriverCreate(&settings);
    Bound bound = makeBound(driver, 512);
    unsigned char *data = NULL;
    assert_int_equal(vk->vkMapMemory(nullDriverDevice(driver), bound.memory, 0, 512, 0, (void **)&data), VK_SUCCESS);
    memset(data, 7, 512);
    VkMappedMemoryRange range = {.memory = bound.memory, .offset = 256, .size = 256};
    assert_int_equal(vk->vkFlushMappedMemoryRanges(nullDriverDevice(driver), 1, &range), VK_SUCCESS);
    const unsigned char *seen = nullDriverContents(driver, bound.buffer);
    assert_int_equal(seen[255], 0);
    assert_int_equal(seen[256], 7);
    vk->vkUnmapMemory(nullDriverDevice(driver), bound.memory);
    destroyBound(driver, bound);
    assert_int_equal(nullDriverFaults(driver), 0);
    assert_int_equal(nullDriverDestroy(driver), 0);
}

static void copiesAndTimestampsRun(void **state) {
    (void)state;
    NullDriver *driver = nullDriverCreate(NULL);
    Bound source = makeBound(driver, 1024);
    Bound target = makeBound(driver, 1024);
    VkQueryPool pool = makeQueries(driver, 1);
    void *data = NULL;
    assert_int_equal(vk->vkMapMemory(nullDriverDevice(driver), source.memory, 0, 1024, 0, &data), VK_SUCCESS);
    memset(data, 5, 1024);
    VkCommandBuffer commands = nullDriverBegin(driver);
    copy(commands, source.buffer, target.buffer, 100, 8);
    vk->vkCmdResetQueryPool(commands, pool, 0, 1);
    vk->vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 0);
    const unsigned char *seen = nullDriverContents(driver, target.buffer);
    assert_int_equal(seen[100], 0);
    nullDriverRun(commands);
    assert_int_equal(seen[99], 0);
    assert_int_equal(seen[100], 5);
    assert_int_equal(seen[108], 0);
    uint64_t ticks[2] = {0, 0};
    assert_int_equal(vk->vkGetQueryPoolResults(nullDriverDevice(driver), pool, 0, 1, sizeof ticks, ticks, 16,
                                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
                     VK_SUCCESS);
    assert_int_equal(ticks[1], 1);
    vk->vkUnmapMemory(nullDriverDevice(driver), source.memory);
    destroyBound(driver, source);
    destroyBound(driver, target);
    vk->vkDestroyQueryPool(nullDriverDevice(driver), pool, NULL);
    assert_int_equal(nullDriverFaults(driver), 0);
    assert_int_equal(nullDriverDestroy(driver), 0);
}

static void functionsGoByName(void **state) {
    (void)state;
    NullDriver *driver = nullDriverCreate(NULL);
    assert_ptr_equal(nullDriverGetDeviceProcAddr(nullDriverDevice(driver), "vkCmdDispatch"), vk->vkCmdDispatch);
    assert_ptr_equal(nullDriverGetInstanceProcAddr(nullDriverInstance(driver), "vkGetPhysicalDeviceProperties"),
                     vk->vkGetPhysicalDeviceProperties);
    assert_null(nullDriverGetDeviceProcAddr(nullDriverDevice(driver), "vkQueueSubmit"));
    assert_int_equal(nullDriverDestroy(driver), 0);
}

int main(void) {
    vk = nullDriverFunctions();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyMisuseIsTold),
        cmocka_unit_test(whatIsLeftIsCounted),
        cmocka_unit_test(heapsEnd),
        cmocka_unit_test(theDeviceSeesWhatWasFlushed),
        cmocka_unit_test(copiesAndTimestampsRun),
        cmocka_unit_test(functionsGoByName),
    };
    return cmocka_run_group_tests_name("null driver", tests, NULL, NULL);
}
