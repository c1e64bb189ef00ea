/* What the pretended driver does and counts where nothing is misused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "null_parts.h"

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

static void poolsAndCountsEnd(void **state) {
    (void)state;
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.limits.maxMemoryAllocationCount = 1;
    NullDriver *driver = nullDriverCreate(&settings);
    Bound bound = makeBound(driver, 1024);
    VkMemoryAllocateInfo info = {.allocationSize = 1, .memoryTypeIndex = 0};
    VkDeviceMemory none = VK_NULL_HANDLE;
    assert_int_equal(vk->vkAllocateMemory(nullDriverDevice(driver), &info, NULL, &none), VK_ERROR_TOO_MANY_OBJECTS);
    Shown shown = makeShown(driver, bound.buffer);
    VkDescriptorSet set = VK_NULL_HANDLE;
    assert_int_equal(makeSet(driver, shown.pool, shown.layout, &set), VK_SUCCESS);
    assert_int_equal(makeSet(driver, shown.pool, shown.layout, &set), VK_ERROR_OUT_OF_POOL_MEMORY);
    assert_null(set);
    destroyShown(driver, shown);
    destroyBound(driver, bound);
    assert_int_equal(nullDriverFaults(driver), 0);
    assert_int_equal(nullDriverDestroy(driver), 0);
}

static void failuresCount(void **state) {
    (void)state;
    NullDriver *driver = nullDriverCreate(NULL);
    VkBufferCreateInfo info = {.size = 64, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    nullDriverFail(driver, 2, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    VkBuffer buffers[3];
    for (uint32_t i = 0; i < 3; i++) {
        VkResult result = vk->vkCreateBuffer(nullDriverDevice(driver), &info, NULL, &buffers[i]);
        assert_int_equal(result, i == 1 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS);
    }
    assert_true(nullDriverFail(driver, 0, VK_SUCCESS));
    assert_false(nullDriverFail(driver, 0, VK_SUCCESS));
    assert_int_equal(nullDriverAliveOf(driver, VK_OBJECT_TYPE_BUFFER), 2);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffers[0], NULL);
    vk->vkDestroyBuffer(nullDriverDevice(driver), buffers[2], NULL);
    assert_int_equal(nullDriverDestroy(driver), 0);
}

static void faultsAbortWhereAsked(void **state) {
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        NullDriverSettings settings = nullDriverDefaultSettings();
        settings.aborts = true;
        NullDriver *driver = nullDriverCreate(&settings);
        signal(SIGABRT, SIG_DFL);
        vk->vkDestroyBuffer(nullDriverDevice(driver), (VkBuffer)(uintptr_t)1, NULL);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
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

        cmocka_unit_test(whatIsLeftIsCounted),
        cmocka_unit_test(heapsEnd),
        cmocka_unit_test(theDeviceSeesWhatWasFlushed),
        cmocka_unit_test(copiesAndTimestampsRun),
        cmocka_unit_test(functionsGoByName),
        cmocka_unit_test(poolsAndCountsEnd),
        cmocka_unit_test(failuresCount),
        cmocka_unit_test(faultsAbortWhereAsked),
    };
    return cmocka_run_group_tests_name("null driver", tests, NULL, NULL);
}
