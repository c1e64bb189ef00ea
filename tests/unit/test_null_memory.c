/* The pretended driver tells of misused handles, memory and buffers: each misuse is planted here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "null_parts.h"

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

static void bufferOfNothing(NullDriver *driver) {
    VkBuffer buffer = makeBuffer(driver, 0);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
}

static void bindNotAligned(NullDriver *driver) {
    VkBuffer buffer = makeBuffer(driver, 256);
    VkDeviceMemory memory = makeMemory(driver, 1024, 0);
    assert_true(vk->vkBindBufferMemory(nullDriverDevice(driver), buffer, memory, 128) < 0);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffer, NULL);
    vk->vkFreeMemory(nullDriverDevice(driver), memory, NULL);
}

static const Misuse misuses[] = {
    {bufferOfNothing, "vkCreateBuffer: 0 bytes for usage 0x27"},
    {bindNotAligned, "vkBindBufferMemory: the offset is not aligned"},
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
};

static void misuseOfMemoryIsTold(void **state) {
    (void)state;
    checkMisuses(misuses, sizeof misuses / sizeof misuses[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(misuseOfMemoryIsTold)};
    return cmocka_run_group_tests_name("null memory", tests, NULL, NULL);
}
