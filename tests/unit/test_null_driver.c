/*
 * The null driver: what it does and counts, and the faults that it must report. Each misuse in the table is planted
 * once, on objects that are otherwise in order. Then the library records on it, with tables and descriptors spoiled.
 */

#if !defined(_WIN32)
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "null_scene.h"

/* ---- Objects in order ---- */

#define DEVICE_TYPE 0u /* memory types of the default layout */
#define HOST_TYPE   1u
#define BYTES       2048u
#define LARGE       (2u << 20)
#define COMPUTE     VK_PIPELINE_BIND_POINT_COMPUTE
#define TRANSFER    VK_PIPELINE_STAGE_TRANSFER_BIT

#define VK_OK(call) assert_int_equal(call, VK_SUCCESS)

static const VkskinVulkanFunctions *vk;

/* One object of each kind. A test that destroys one sets it to null. */
typedef struct Parts {
    NullDriver *driver;
    VkDevice device;
    VkDeviceMemory memory, spare; /* host-visible, bound to `buffer`; device-local, not bound */
    VkBuffer buffer, loose;       /* BYTES each; `loose` has no memory */
    VkDescriptorSetLayout setLayout;
    VkDescriptorPool pool;
    VkDescriptorSet set; /* refers to `buffer` */
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkQueryPool queries; /* 2 */
    VkCommandBuffer commands;
} Parts;

static VkDeviceMemory makeMemory(const Parts *parts, VkDeviceSize size, uint32_t type) {
    VkMemoryAllocateInfo info = {.allocationSize = size, .memoryTypeIndex = type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VK_OK(vk->vkAllocateMemory(parts->device, &info, NULL, &memory));
    return memory;
}

static VkBuffer makeBuffer(const Parts *parts, VkDeviceSize size) {
    VkBufferCreateInfo info = {.size = size};
    VkBuffer buffer = VK_NULL_HANDLE;
    VK_OK(vk->vkCreateBuffer(parts->device, &info, NULL, &buffer));
    return buffer;
}

static void makeBuffers(Parts *parts) {
    parts->memory = makeMemory(parts, BYTES, HOST_TYPE);
    parts->spare = makeMemory(parts, BYTES, DEVICE_TYPE);
    parts->buffer = makeBuffer(parts, BYTES);
    parts->loose = makeBuffer(parts, BYTES);
    VK_OK(vk->vkBindBufferMemory(parts->device, parts->buffer, parts->memory, 0));
}

static void writeSet(const Parts *parts, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size) {
    VkDescriptorBufferInfo range = {buffer, offset, size};
    VkWriteDescriptorSet write = {.dstSet = parts->set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &range};
    vk->vkUpdateDescriptorSets(parts->device, 1, &write, 0, NULL);
}

static VkResult makeSet(const Parts *parts, VkDescriptorSet *set) {
    VkDescriptorSetAllocateInfo info = {
        .descriptorPool = parts->pool, .descriptorSetCount = 1, .pSetLayouts = &parts->setLayout};
    return vk->vkAllocateDescriptorSets(parts->device, &info, set);
}

static void makeDescriptors(Parts *parts) {
    VkDescriptorSetLayoutCreateInfo layout = {.bindingCount = 1};
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    VkDescriptorPoolCreateInfo pool = {.maxSets = 2, .poolSizeCount = 1, .pPoolSizes = &size};
    VK_OK(vk->vkCreateDescriptorSetLayout(parts->device, &layout, NULL, &parts->setLayout));
    VK_OK(vk->vkCreateDescriptorPool(parts->device, &pool, NULL, &parts->pool));
    VK_OK(makeSet(parts, &parts->set));
    writeSet(parts, parts->buffer, 0, 1024);
}

static void makePipeline(Parts *parts) {
    VkPipelineLayoutCreateInfo layout = {.setLayoutCount = 1, .pSetLayouts = &parts->setLayout};
    VkShaderModuleCreateInfo code = {.codeSize = 0};
    VkComputePipelineCreateInfo info = {.stage = {.stage = VK_SHADER_STAGE_COMPUTE_BIT}};
    VK_OK(vk->vkCreatePipelineLayout(parts->device, &layout, NULL, &parts->layout));
    VK_OK(vk->vkCreateShaderModule(parts->device, &code, NULL, &info.stage.module));
    info.layout = parts->layout;
    VK_OK(vk->vkCreateComputePipelines(parts->device, VK_NULL_HANDLE, 1, &info, NULL, &parts->pipeline));
    vk->vkDestroyShaderModule(parts->device, info.stage.module, NULL);
}

static Parts makeParts(const NullDriverSettings *settings) {
    Parts parts = {.driver = nullDriverCreate(settings)};
    VkQueryPoolCreateInfo queries = {.queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
    vk = nullDriverFunctions();
    parts.device = nullDriverDevice(parts.driver);
    makeBuffers(&parts);
    makeDescriptors(&parts);
    makePipeline(&parts);
    VK_OK(vk->vkCreateQueryPool(parts.device, &queries, NULL, &parts.queries));
    parts.commands = nullDriverBegin(parts.driver);
    assert_int_equal(nullDriverFaults(parts.driver), 0);
    return parts;
}

static void destroyPipeline(Parts *parts) {
    vk->vkDestroyPipeline(parts->device, parts->pipeline, NULL);
    parts->pipeline = VK_NULL_HANDLE;
}

static void destroyBuffer(Parts *parts) {
    vk->vkDestroyBuffer(parts->device, parts->buffer, NULL);
    parts->buffer = VK_NULL_HANDLE;
}

static void freeMemory(const Parts *parts, VkDeviceMemory *memory) {
    vk->vkFreeMemory(parts->device, *memory, NULL);
    *memory = VK_NULL_HANDLE;
}

static void destroyPool(Parts *parts) {
    vk->vkDestroyDescriptorPool(parts->device, parts->pool, NULL);
    parts->pool = VK_NULL_HANDLE;
}

/* Runs the commands and destroys what is left: every object. */
static void endParts(Parts *parts) {
    nullDriverRun(parts->commands);
    destroyPipeline(parts);
    vk->vkDestroyPipelineLayout(parts->device, parts->layout, NULL);
    destroyPool(parts);
    vk->vkDestroyDescriptorSetLayout(parts->device, parts->setLayout, NULL);
    vk->vkDestroyQueryPool(parts->device, parts->queries, NULL);
    destroyBuffer(parts);
    vk->vkDestroyBuffer(parts->device, parts->loose, NULL);
    freeMemory(parts, &parts->memory);
    freeMemory(parts, &parts->spare);
    assert_int_equal(nullDriverAlive(parts->driver), 0);
}

static void endInOrder(Parts *parts) {
    endParts(parts);
    assert_int_equal(nullDriverFaults(parts->driver), 0);
    assert_int_equal(nullDriverDestroy(parts->driver), 0);
}

/* ---- Misuse ---- */

static void endMisuse(Parts *parts, const char *fault) {
    endParts(parts);
    if (nullDriverFaults(parts->driver) == 0 || strstr(nullDriverFirstFault(parts->driver), fault) == NULL) {
        fail_msg("%u faults, expected '%s', first '%s'", nullDriverFaults(parts->driver), fault,
                 nullDriverFirstFault(parts->driver));
    }
    assert_int_equal(nullDriverCopies(parts->driver), 0);
    assert_int_equal(nullDriverDestroy(parts->driver), 0);
}

/* Runs the block that follows once, on new `parts`: a misuse. fault: a part of the first fault's text. None of the
 * commands runs. */
#define MISUSE(fault)                                                                                                  \
    for (Parts parts = makeParts(NULL), *left = &parts; left != NULL; endMisuse(left, fault), left = NULL)
/* The same with one call, which names the objects `parts`. */
#define EXPECT_FAULT(fault, call) MISUSE(fault) call

TEST(misuseOfHandles) {
    MISUSE("vkDestroyBuffer: VkBuffer") {
        VkBuffer buffer = parts.buffer;
        destroyBuffer(&parts);
        parts.buffer = makeBuffer(&parts, 64); /* may use its place */
        vk->vkDestroyBuffer(parts.device, buffer, NULL);
    }
    EXPECT_FAULT("is unknown", vk->vkDestroyBuffer(parts.device, (VkBuffer)(uintptr_t)12345, NULL));
    MISUSE("is of another device") {
        Parts other = makeParts(NULL);
        vk->vkDestroyBuffer(parts.device, other.buffer, NULL);
        endInOrder(&other);
    }
    EXPECT_FAULT("is of another kind", vk->vkDestroyBuffer(parts.device, (VkBuffer)(uintptr_t)parts.memory, NULL));
    MISUSE("is unknown") { /* the handle of a failed call */
        VkBufferCreateInfo info = {.size = 4};
        VkBuffer buffer = VK_NULL_HANDLE;
        nullDriverFail(parts.driver, 1, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(vk->vkCreateBuffer(parts.device, &info, NULL, &buffer), VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_true(nullDriverFail(parts.driver, 0, VK_SUCCESS));
        vk->vkDestroyBuffer(parts.device, buffer, NULL);
    }
    MISUSE("was destroyed") {
        VkDebugUtilsObjectNameInfoEXT info = {
            .objectType = VK_OBJECT_TYPE_BUFFER, .objectHandle = (uint64_t)parts.buffer, .pObjectName = "destroyed"};
        destroyBuffer(&parts);
        VK_OK(vk->vkSetDebugUtilsObjectNameEXT(parts.device, &info));
    }
}

static VkResult map(const Parts *parts, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    void *data = NULL;
    return vk->vkMapMemory(parts->device, memory, offset, size, 0, &data);
}

static void flush(const Parts *parts, VkDeviceSize offset, VkDeviceSize size) {
    VkMappedMemoryRange range = {.memory = parts->memory, .offset = offset, .size = size};
    VK_OK(map(parts, parts->memory, 0, 512));
    VK_OK(vk->vkFlushMappedMemoryRanges(parts->device, 1, &range));
    vk->vkUnmapMemory(parts->device, parts->memory);
}

static void refuseBinding(const Parts *parts, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
    assert_true(vk->vkBindBufferMemory(parts->device, buffer, memory, offset) < 0);
}

TEST(misuseOfMemory) {
    EXPECT_FAULT("vkCreateBuffer: no bytes", vk->vkDestroyBuffer(parts.device, makeBuffer(&parts, 0), NULL));
    MISUSE("vkAllocateMemory: 64 bytes of memory type 3") {
        VkMemoryAllocateInfo info = {.allocationSize = 64, .memoryTypeIndex = 3};
        VkDeviceMemory memory = VK_NULL_HANDLE;
        assert_true(vk->vkAllocateMemory(parts.device, &info, NULL, &memory) < 0);
    }
    EXPECT_FAULT("vkFreeMemory: a buffer is still bound", freeMemory(&parts, &parts.memory));
    MISUSE("vkFreeMemory: the memory is still mapped") {
        destroyBuffer(&parts);
        VK_OK(map(&parts, parts.memory, 0, VK_WHOLE_SIZE));
        freeMemory(&parts, &parts.memory);
    }
    MISUSE("vkMapMemory: the memory is mapped already") {
        VK_OK(map(&parts, parts.memory, 0, VK_WHOLE_SIZE));
        assert_true(map(&parts, parts.memory, 0, VK_WHOLE_SIZE) < 0);
        vk->vkUnmapMemory(parts.device, parts.memory);
    }
    EXPECT_FAULT("vkMapMemory: the memory is not host-visible", assert_true(map(&parts, parts.spare, 0, BYTES) < 0));
    EXPECT_FAULT("vkMapMemory: the range leaves the memory", assert_true(map(&parts, parts.memory, 32, BYTES) < 0));
    EXPECT_FAULT("vkUnmapMemory: the memory is not mapped", vk->vkUnmapMemory(parts.device, parts.memory));
    EXPECT_FAULT("vkFlushMappedMemoryRanges: the range leaves what is mapped", flush(&parts, 256, 512));
    EXPECT_FAULT("vkFlushMappedMemoryRanges: the range is not of whole atoms of 256 bytes", flush(&parts, 0, 100));
    EXPECT_FAULT("vkBindBufferMemory: the buffer is bound already",
                 refuseBinding(&parts, parts.buffer, parts.spare, 0));
    EXPECT_FAULT("vkBindBufferMemory: another buffer is bound to these bytes",
                 refuseBinding(&parts, parts.loose, parts.memory, 0));
    EXPECT_FAULT("vkBindBufferMemory: the buffer leaves the memory",
                 refuseBinding(&parts, parts.loose, parts.spare, 256));
    EXPECT_FAULT("vkBindBufferMemory: the offset is not aligned", refuseBinding(&parts, parts.loose, parts.spare, 128));
}

TEST(misuseOfViews) {
    static const struct {
        const char *fault;
        VkDeviceSize offset, range;
    } cases[] = {
        {"the offset is not aligned", 16, 64},
        {"the range is not of whole texels", 0, 24},
        {"the range is larger than the device views", 0, LARGE},
        {"the range leaves the buffer", LARGE - 256, 512},
        {"the buffer has no memory", 0, 64},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char fault[96];
        snprintf(fault, sizeof fault, "vkCreateBufferView: %s", cases[i].fault);
        MISUSE(fault) {
            VkBufferView made = VK_NULL_HANDLE;
            VkDeviceMemory memory = makeMemory(&parts, LARGE, HOST_TYPE);
            VkBufferViewCreateInfo info = {
                .buffer = makeBuffer(&parts, LARGE), .offset = cases[i].offset, .range = cases[i].range};
            if (i + 1 < COUNT_OF(cases)) {
                VK_OK(vk->vkBindBufferMemory(parts.device, info.buffer, memory, 0));
            }
            assert_true(vk->vkCreateBufferView(parts.device, &info, NULL, &made) < 0);
            vk->vkDestroyBuffer(parts.device, info.buffer, NULL);
            freeMemory(&parts, &memory);
        }
    }
}

TEST(misuseOfDescriptors) {
    EXPECT_FAULT("vkUpdateDescriptorSets: the range leaves the buffer", writeSet(&parts, parts.buffer, 256, BYTES));
    EXPECT_FAULT("vkUpdateDescriptorSets: the offset is not aligned", writeSet(&parts, parts.buffer, 16, 1024));
    MISUSE("vkUpdateDescriptorSets: VkDescriptorSet") {
        destroyPool(&parts);
        writeSet(&parts, parts.buffer, 0, 1024);
    }
    EXPECT_FAULT("vkUpdateDescriptorSets: the buffer has no memory", writeSet(&parts, parts.loose, 0, 1024));
}

static void copy(const Parts *parts, VkBuffer target, VkDeviceSize offset, VkDeviceSize size) {
    VkBufferCopy region = {0, offset, size};
    vk->vkCmdCopyBuffer(parts->commands, parts->buffer, target, 1, &region);
}

static void barrier(const Parts *parts, VkDeviceSize offset) {
    VkBufferMemoryBarrier made = {.buffer = parts->buffer, .offset = offset, .size = BYTES};
    vk->vkCmdPipelineBarrier(parts->commands, TRANSFER, TRANSFER, 0, 0, NULL, 1, &made, 0, NULL);
}

TEST(misuseOfTransfers) {
    EXPECT_FAULT("vkCmdCopyBuffer: the target range of 2048 bytes at 1024 leaves a buffer of 2048",
                 copy(&parts, parts.buffer, 1024, BYTES));
    EXPECT_FAULT("vkCmdCopyBuffer: VkDeviceMemory 0x0 is null", copy(&parts, parts.loose, 0, 512));
    MISUSE("running vkCmdCopyBuffer: VkBuffer") {
        copy(&parts, parts.buffer, 512, 512);
        destroyBuffer(&parts);
        assert_int_equal(nullDriverFaults(parts.driver), 0);
    }
    EXPECT_FAULT("vkCmdPipelineBarrier: the barrier's range of 2048 bytes at 1024 leaves a buffer of 2048",
                 barrier(&parts, 1024));
}

static void bindSets(const Parts *parts, uint32_t count) {
    const VkDescriptorSet sets[2] = {parts->set, parts->set};
    vk->vkCmdBindDescriptorSets(parts->commands, COMPUTE, parts->layout, 0, count, sets, 0, NULL);
}

/* Number of steps before the dispatch: pipeline, set. */
static void dispatchAfter(const Parts *parts, uint32_t steps) {
    if (steps > 0) {
        vk->vkCmdBindPipeline(parts->commands, COMPUTE, parts->pipeline);
    }
    if (steps > 1) {
        bindSets(parts, 1);
    }
    vk->vkCmdDispatch(parts->commands, 1, 1, 1);
}

TEST(misuseOfDispatches) {
    EXPECT_FAULT("vkCmdDispatch: VkPipeline 0x0 is null", dispatchAfter(&parts, 0));
    EXPECT_FAULT("vkCmdDispatch: VkDescriptorSet 0x0 is null", dispatchAfter(&parts, 1));
    EXPECT_FAULT("running vkCmdDispatch: 1 sets and 0 bytes of push constants", dispatchAfter(&parts, 2));
    MISUSE("running vkCmdDispatch: VkPipeline") {
        dispatchAfter(&parts, 2);
        assert_int_equal(nullDriverFaults(parts.driver), 0);
        destroyPipeline(&parts);
    }
    EXPECT_FAULT("vkCmdDispatch: 65536 x 1 x 1 groups", vk->vkCmdDispatch(parts.commands, 65536, 1, 1));
    MISUSE("vkCmdPushConstants: 132 bytes at 0") {
        const uint32_t values[33] = {0};
        vk->vkCmdPushConstants(parts.commands, parts.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof values, values);
    }
    EXPECT_FAULT("vkCmdBindDescriptorSets: sets 0 and 2 more of 1", bindSets(&parts, 2));
}

TEST(misuseOfQueriesAndLabels) {
    EXPECT_FAULT("vkCmdWriteTimestamp: queries 2 and 1 more of 2",
                 vk->vkCmdWriteTimestamp(parts.commands, TRANSFER, parts.queries, 2));
    EXPECT_FAULT("running vkCmdWriteTimestamp: query 1 was not reset",
                 vk->vkCmdWriteTimestamp(parts.commands, TRANSFER, parts.queries, 1));
    MISUSE("vkGetQueryPoolResults: 16 bytes are too few for 2 queries") {
        uint64_t results[2];
        assert_true(vk->vkGetQueryPoolResults(parts.device, parts.queries, 0, 2, sizeof results, results, 16,
                                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) < 0);
    }
    EXPECT_FAULT("vkCmdEndDebugUtilsLabelEXT: no label was begun", vk->vkCmdEndDebugUtilsLabelEXT(parts.commands));
    MISUSE("a command buffer ends with 1 labels open") {
        VkDebugUtilsLabelEXT label = {.pLabelName = "open"};
        vk->vkCmdBeginDebugUtilsLabelEXT(parts.commands, &label);
    }
}

/* ---- Use in order ---- */

TEST(leftObjectsAreCounted) {
    Parts parts = makeParts(NULL);
    assert_int_equal(nullDriverAlive(parts.driver), 9);
    assert_int_equal(nullDriverAliveOf(parts.driver, VK_OBJECT_TYPE_BUFFER), 2);
    destroyPipeline(&parts);
    assert_int_equal(nullDriverDestroy(parts.driver), 9); /* and the command buffer */
    assert_int_equal(nullDriverDestroy(NULL), 0);
}

TEST(heapsPoolsAndCountsAreLimited) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(NULL_DRIVER_STAGED, true, 2 * BYTES);
    settings.limits.maxMemoryAllocationCount = 3;
    Parts parts = makeParts(&settings);
    VkMemoryAllocateInfo info = {.allocationSize = BYTES + 1, .memoryTypeIndex = 0};
    VkDeviceMemory none = VK_NULL_HANDLE;
    assert_int_equal(vk->vkAllocateMemory(parts.device, &info, NULL, &none), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    VkDeviceMemory rest = makeMemory(&parts, BYTES, 0);
    info.allocationSize = 1;
    info.memoryTypeIndex = 1;
    assert_int_equal(vk->vkAllocateMemory(parts.device, &info, NULL, &none), VK_ERROR_TOO_MANY_OBJECTS);
    freeMemory(&parts, &rest);
    VkDescriptorSet set = VK_NULL_HANDLE;
    VK_OK(makeSet(&parts, &set));
    assert_int_equal(makeSet(&parts, &set), VK_ERROR_OUT_OF_POOL_MEMORY);
    assert_null(set);
    endInOrder(&parts);
}

TEST(deviceSeesFlushedBytes) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(NULL_DRIVER_STAGED, false, 2 * BYTES);
    Parts parts = makeParts(&settings);
    unsigned char *data = NULL;
    VK_OK(vk->vkMapMemory(parts.device, parts.memory, 0, 512, 0, (void **)&data));
    memset(data, 7, 512);
    VkMappedMemoryRange range = {.memory = parts.memory, .offset = 256, .size = 256};
    VK_OK(vk->vkFlushMappedMemoryRanges(parts.device, 1, &range));
    const unsigned char *seen = nullDriverContents(parts.driver, parts.buffer);
    assert_int_equal(seen[255], 0);
    assert_int_equal(seen[256], 7);
    vk->vkUnmapMemory(parts.device, parts.memory);
    endInOrder(&parts);
}

#if !defined(_WIN32)
TEST(faultAbortsWhereRequested) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        NullDriverSettings settings = nullDriverDefaultSettings();
        settings.aborts = true;
        NullDriver *driver = nullDriverCreate(&settings);
        signal(SIGABRT, SIG_DFL);
        nullDriverFunctions()->vkDestroyBuffer(nullDriverDevice(driver), (VkBuffer)(uintptr_t)1, NULL);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
#endif

/* ---- Dispatches of the library ---- */

#define INSTANCES 10u

/* Added to the push constants of every dispatch: jobs, jobCount, instances, groupCount. */
static uint32_t spoiled[4];

static void VKAPI_CALL spoilPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                          VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                          const void *values) {
    uint32_t words[4];
    assert_int_equal(size, sizeof words);
    memcpy(words, values, sizeof words);
    for (uint32_t i = 0; i < 4; i++) {
        words[i] += spoiled[i];
    }
    nullDriverFunctions()->vkCmdPushConstants(commandBuffer, layout, stages, offset, size, words);
}

/* Number of the storage buffer descriptor, and of the view, that is cut to 64 bytes; counted in order of creation. */
static uint32_t cutWrite, writes, cutView, views;

static void VKAPI_CALL cutDescriptor(VkDevice device, uint32_t count, const VkWriteDescriptorSet *given,
                                     uint32_t copyCount, const VkCopyDescriptorSet *copies) {
    assert_int_equal(count, 1);
    VkDescriptorBufferInfo range = {0};
    VkWriteDescriptorSet write = *given;
    if (given->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
        range = given->pBufferInfo[0];
        range.range = writes++ == cutWrite ? 64 : range.range;
        write.pBufferInfo = &range;
    }
    nullDriverFunctions()->vkUpdateDescriptorSets(device, 1, &write, copyCount, copies);
}

static VkResult VKAPI_CALL cutTexels(VkDevice device, const VkBufferViewCreateInfo *given,
                                     const VkAllocationCallbacks *allocator, VkBufferView *made) {
    VkBufferViewCreateInfo info = *given;
    info.range = views++ == cutView ? 64 : given->range;
    return nullDriverFunctions()->vkCreateBufferView(device, &info, allocator, made);
}

/* Two frames of all instances. fault: a part of the expected one's text; null: none, and the output is right. */
static void recordFrames(VkskinPaletteBinding binding, const char *fault) {
    Stage stage;
    stageOpen(&stage, NULL_DRIVER_ALL_TYPES, true);
    stage.functions.vkCmdPushConstants = spoilPushConstants;
    stage.functions.vkUpdateDescriptorSets = cutDescriptor;
    stage.functions.vkCreateBufferView = cutTexels;
    writes = views = 0;
    VkskinContextDef def = stageContextDef(&stage);
    def.memory.paletteBytesPerFrame = 8192; /* bytes of one page */
    def.paletteBinding = binding;
    stageCreate(&stage, &def);
    VkskinInstance instances[INSTANCES];
    stageInstances(stage.context, 5, instances, INSTANCES);
    for (uint32_t frame = 0; frame < 2; frame++) {
        CHECK_GOOD(vkskinBeginFrame(stage.context, frame));
        for (uint32_t i = 0; i < INSTANCES; i++) {
            CHECK_GOOD(stageSkin(stage.context, instances[i], (float)i));
        }
        stageRecordAndRun(&stage);
    }
    if (fault == NULL) {
        for (uint32_t i = 0; i < INSTANCES; i++) {
            stageCheckInstance(stage.driver, stage.context, instances[i], (float)i);
        }
        stageClose(&stage, 0);
        return;
    }
    if (strstr(nullDriverFirstFault(stage.driver), fault) == NULL) {
        fail_msg("expected '%s', got '%s'", fault, nullDriverFirstFault(stage.driver));
    }
    vkskinDestroyContext(stage.context);
    assert_int_equal(nullDriverDestroy(stage.driver), 0);
    assert_int_equal(failedChecks(), 0);
}

/* Descriptors are written in order of creation: two palette pages, two tables, the mesh page, an output plane. */
TEST(spoiledDispatchesAreReported) {
    static const struct {
        uint32_t words[4];
        const char *fault;
    } cases[] = {
        {{1000000, 0, 0, 0}, "words at 1000000 of the table page"},
        {{0, 0, 1000000, 0}, "of the table page, where"},
        {{0, 0, 0, 1000}, "that have work"},
        {{100, 0, 0, 0}, "running vkCmdDispatch: "},
    };
    static const char *const pages[] = {"palette", "palette", "table", "table", "mesh", "output"};
    cutWrite = cutView = UINT32_MAX;
    recordFrames(VKSKIN_PALETTE_BINDING_STORAGE, NULL);
    recordFrames(VKSKIN_PALETTE_BINDING_TEXELS, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        memcpy(spoiled, cases[i].words, sizeof spoiled);
        recordFrames(VKSKIN_PALETTE_BINDING_STORAGE, cases[i].fault);
    }
    memset(spoiled, 0, sizeof spoiled);
    for (cutWrite = 0; cutWrite < COUNT_OF(pages); cutWrite++) {
        char fault[64];
        snprintf(fault, sizeof fault, "of the %s page, where 16 are bound", pages[cutWrite]);
        recordFrames(VKSKIN_PALETTE_BINDING_STORAGE, fault);
    }
    for (cutView = 0; cutView < 2; cutView++) {
        recordFrames(VKSKIN_PALETTE_BINDING_TEXELS, "of the palette page, where 16 are bound");
    }
}
