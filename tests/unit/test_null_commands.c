/* The pretended driver tells of misused descriptors, pipelines, queries and commands: each misuse is planted here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "null_parts.h"

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

/* A view of what makeBound makes for texels too, all of whose parts a test may spoil. */
static void viewOf(NullDriver *driver, const VkBufferViewCreateInfo *spoiled) {
    VkBufferViewCreateInfo info = *spoiled;
    Bound bound = makeBound(driver, 2u << 20);
    VkBufferView view = VK_NULL_HANDLE;
    info.buffer = bound.buffer;
    VkResult result = vk->vkCreateBufferView(nullDriverDevice(driver), &info, NULL, &view);
    if (result == VK_SUCCESS) {
        vk->vkDestroyBufferView(nullDriverDevice(driver), view, NULL);
    }
    destroyBound(driver, bound);
}

static void viewOfOtherFormat(NullDriver *driver) {
    viewOf(driver, &(VkBufferViewCreateInfo){.format = VK_FORMAT_R32_SFLOAT, .range = 64});
}

static void viewNotAligned(NullDriver *driver) {
    viewOf(driver, &(VkBufferViewCreateInfo){.format = VK_FORMAT_R32G32B32A32_SFLOAT, .offset = 16, .range = 64});
}

static void viewOfHalfATexel(NullDriver *driver) {
    viewOf(driver, &(VkBufferViewCreateInfo){.format = VK_FORMAT_R32G32B32A32_SFLOAT, .range = 24});
}

static void viewOfTooMuch(NullDriver *driver) {
    viewOf(driver, &(VkBufferViewCreateInfo){.format = VK_FORMAT_R32G32B32A32_SFLOAT, .range = VK_WHOLE_SIZE});
}

static void viewBeyond(NullDriver *driver) {
    viewOf(driver, &(VkBufferViewCreateInfo){
                       .format = VK_FORMAT_R32G32B32A32_SFLOAT, .offset = (2u << 20) - 256, .range = 512});
}

static void viewOfNoMemory(NullDriver *driver) {
    VkBuffer buffer = makeBuffer(driver, 1024);
    VkBufferViewCreateInfo info = {.buffer = buffer, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .range = 64};
    VkBufferView view = VK_NULL_HANDLE;
    assert_true(vk->vkCreateBufferView(nullDriverDevice(driver), &info, NULL, &view) < 0);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
}

/* The set's layout has no binding 1. */
static void texelsOfOtherLayout(NullDriver *driver) {
    Bound bound = makeBound(driver, 1024);
    Shown shown = makeShown(driver, bound.buffer);
    VkBufferView view = VK_NULL_HANDLE;
    VkWriteDescriptorSet write = {.dstSet = shown.set,
                                  .dstBinding = 1,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                  .pTexelBufferView = &view};
    vk->vkUpdateDescriptorSets(nullDriverDevice(driver), 1, &write, 0, NULL);
    destroyShown(driver, shown);
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

static void labelLeftOpen(NullDriver *driver) {
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "open"};
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdBeginDebugUtilsLabelEXT(commands, &label);
    nullDriverRun(commands);
}

static void nameOfWhatIsGone(NullDriver *driver) {
    VkBuffer buffer = makeBuffer(driver, 64);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
    VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_BUFFER,
        .objectHandle = (uint64_t)buffer,
        .pObjectName = "gone",
    };
    assert_int_equal(vk->vkSetDebugUtilsObjectNameEXT(nullDriverDevice(driver), &info), VK_SUCCESS);
}

static Bound makeUniform(NullDriver *driver) {
    VkBufferCreateInfo info = {.size = 1024, .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT};
    Bound bound = {.memory = makeMemory(driver, 1024, HOST_TYPE)};
    assert_int_equal(vk->vkCreateBuffer(nullDriverDevice(driver), &info, NULL, &bound.buffer), VK_SUCCESS);
    assert_int_equal(vk->vkBindBufferMemory(nullDriverDevice(driver), bound.buffer, bound.memory, 0), VK_SUCCESS);
    return bound;
}

static void copyToOtherUsage(NullDriver *driver) {
    Bound source = makeBound(driver, 1024);
    Bound target = makeUniform(driver);
    VkCommandBuffer commands = nullDriverBegin(driver);
    copy(commands, source.buffer, target.buffer, 0, 512);
    nullDriverRun(commands);
    destroyBound(driver, source);
    destroyBound(driver, target);
}

static void descriptorOfOtherUsage(NullDriver *driver) {
    Bound bound = makeBound(driver, 1024);
    Bound uniform = makeUniform(driver);
    Shown shown = makeShown(driver, bound.buffer);
    writeSet(driver, shown.set, uniform.buffer, 0, 1024);
    destroyShown(driver, shown);
    destroyBound(driver, uniform);
    destroyBound(driver, bound);
}

static void barrierToUnknownFamily(NullDriver *driver) {
    Bound bound = makeBound(driver, 1024);
    VkBufferMemoryBarrier barrier = {
        .srcQueueFamilyIndex = 0, .dstQueueFamilyIndex = 2, .buffer = bound.buffer, .size = VK_WHOLE_SIZE};
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1,
                             &barrier, 0, NULL);
    nullDriverRun(commands);
    destroyBound(driver, bound);
}

static void bindTooManySets(NullDriver *driver) {
    Dispatch made = makeDispatch(driver);
    const VkDescriptorSet sets[2] = {made.shown.set, made.shown.set};
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.layout, 0, 2, sets, 0, NULL);
    nullDriverRun(commands);
    destroyDispatch(driver, &made);
}

static void bindForDrawing(NullDriver *driver) {
    Dispatch made = makeDispatch(driver);
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, made.pipeline);
    nullDriverRun(commands);
    destroyDispatch(driver, &made);
}

/* Recorded whole, and then its pool goes. */
static void dispatchOfWhatIsGone(NullDriver *driver) {
    static const uint32_t values[4];
    Dispatch made = makeDispatch(driver);
    VkCommandBuffer commands = nullDriverBegin(driver);
    vk->vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.pipeline);
    vk->vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.layout, 0, 1, &made.shown.set, 0, NULL);
    vk->vkCmdPushConstants(commands, made.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof values, values);
    vk->vkCmdDispatch(commands, 1, 1, 1);
    assert_int_equal(nullDriverFaults(driver), 0);
    destroyDispatch(driver, &made);
    nullDriverRun(commands);
    assert_int_equal(nullDriverDispatches(driver), 0);
}

static const Misuse misuses[] = {
    {labelLeftOpen, "a command buffer ends with 1 labels open"},
    {nameOfWhatIsGone, "vkSetDebugUtilsObjectNameEXT: VkBuffer"},
    {copyToOtherUsage, "vkCmdCopyBuffer: a buffer of usage 0x10 lacks 0x2"},
    {descriptorOfOtherUsage, "vkUpdateDescriptorSets: the buffer is no storage buffer"},
    {barrierToUnknownFamily, "vkCmdPipelineBarrier: from queue family 0 to 2 of 2"},
    {bindTooManySets, "vkCmdBindDescriptorSets: sets 0 and 2 more of 1"},
    {bindForDrawing, "vkCmdBindPipeline: bind point 0"},
    {dispatchOfWhatIsGone, "running vkCmdDispatch: VkPipeline"},
    {tooManySets, "vkCreatePipelineLayout: 5 sets, the device binds 4"},
    {tooManyPushConstants, "vkCreatePipelineLayout: 132 bytes of push constants, the device has 128"},
    {descriptorBeyond, "vkUpdateDescriptorSets: the range leaves the buffer"},
    {descriptorNotAligned, "vkUpdateDescriptorSets: the offset is not aligned"},
    {descriptorOfAPoolThatIsGone, "vkUpdateDescriptorSets: VkDescriptorSet"},
    {viewOfOtherFormat, "vkCreateBufferView: the format is none that the null driver knows"},
    {viewNotAligned, "vkCreateBufferView: the offset is not aligned"},
    {viewOfHalfATexel, "vkCreateBufferView: the range is not of whole texels"},
    {viewOfTooMuch, "vkCreateBufferView: the range is larger than the device views"},
    {viewBeyond, "vkCreateBufferView: the range leaves the buffer"},
    {viewOfNoMemory, "vkCreateBufferView: the buffer has no memory"},
    {texelsOfOtherLayout, "vkUpdateDescriptorSets: other than one descriptor of the set's layout, of type 4"},
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

static void misuseOfCommandsIsTold(void **state) {
    (void)state;
    checkMisuses(misuses, sizeof misuses / sizeof misuses[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(misuseOfCommandsIsTold)};
    return cmocka_run_group_tests_name("null commands", tests, NULL, NULL);
}
