#include "gpu.h"

#include <dlfcn.h>
#include <link.h>

static Gpu *groupGpu; /* created by the first test that uses it */
static GpuRequest requested;

void gpuRequest(const GpuRequest *request) {
    assert_true(request->deviceExtensionCount < GPU_MAX_EXTENSIONS);
    requested = *request;
}

/* ---- Messages ---- */

static void addText(GpuTexts *texts, const char *text) {
    if (texts->count < GPU_MAX_TEXTS) {
        snprintf(texts->texts[texts->count], GPU_TEXT_SIZE, "%s", text);
    }
    texts->count++;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT types,
                                                const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    Gpu *gpu = user;
    (void)severity;
    if ((types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) == 0) {
        return VK_FALSE; /* from the loader or a driver */
    }
    if (gpu->expected != NULL && strstr(data->pMessage, gpu->expected) != NULL) {
        gpu->expectedCount++;
    } else {
        addText(&gpu->messages, data->pMessage);
    }
    return VK_FALSE;
}

static uint32_t printMessages(const Gpu *gpu) {
    for (uint32_t i = 0; i < gpu->messages.count && i < GPU_MAX_TEXTS; i++) {
        print_error("validation: %s\n", gpu->messages.texts[i]);
    }
    return gpu->messages.count;
}

void gpuExpectMessage(Gpu *gpu, const char *text) {
    gpu->expected = text;
    gpu->expectedCount = 0;
}

static void forgetMessages(Gpu *gpu) {
    memset(&gpu->messages, 0, sizeof gpu->messages);
    gpu->expected = NULL;
    gpu->expectedCount = 0;
}

static void onLog(void *user, VkskinResult result, const char *message) {
    GpuLog *log = user;
    log->count++;
    log->last = result;
    snprintf(log->lastText, sizeof log->lastText, "%s", message);
}

/* ---- Results ---- */

void gpuCheckResult(VkResult result, const char *call, const char *file, int line) {
    if (result != VK_SUCCESS) {
        print_error("%s returned %d\n", call, result);
        _fail(file, line);
    }
}

void gpuCheckVkskin(Gpu *gpu, VkskinResult result, VkskinResult expected, const char *call, const char *file,
                    int line) {
    if (result != expected) {
        print_error("%s\n  returned %s, not %s; last diagnostic: %s\n", call, vkskinResultName(result),
                    vkskinResultName(expected), gpu->log.lastText);
        _fail(file, line);
    }
}

void gpuCheckRefusal(Gpu *gpu, const char *label, VkskinResult result, VkskinResult expected, const char *part) {
    if (result != expected || gpu->log.count != 1 || gpu->log.last != expected ||
        strstr(gpu->log.lastText, part) == NULL || strchr(gpu->log.lastText, '\n') != NULL) {
        fail_msg("%s: %s, not %s; logged %u times, last: '%s', must contain '%s'", label, vkskinResultName(result),
                 vkskinResultName(expected), gpu->log.count, gpu->log.lastText, part);
    }
    gpu->log.count = 0;
    gpu->log.last = VKSKIN_SUCCESS;
}

/* ---- Instance and device ---- */

/*
 * Drivers and layers stay loaded after the instance is destroyed: the leak checker runs at exit, and can assign memory to
 * a library only while that is loaded.
 */
static int keepLoaded(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size;
    (void)user;
    if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0') {
        dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    }
    return 0;
}

static void createInstance(Gpu *gpu) {
    static const char *const layer = "VK_LAYER_KHRONOS_validation";
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                             VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    static const VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
                                                           VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT};
    VkDebugUtilsMessengerCreateInfoEXT messengerInfo = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = onMessage,
        .pUserData = gpu,
    };
    VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messengerInfo,
        .enabledValidationFeatureCount = requested.gpuAssisted ? 2 : 1,
        .pEnabledValidationFeatures = enables,
    };
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = &features,
        .pApplicationInfo = &application,
        .enabledLayerCount = 1,
        .ppEnabledLayerNames = &layer,
        .enabledExtensionCount = 2,
        .ppEnabledExtensionNames = extensions,
    };
    GPU_CHECK(volkInitialize());
    GPU_CHECK(vkCreateInstance(&info, NULL, &gpu->instance));
    volkLoadInstanceOnly(gpu->instance);
    GPU_CHECK(vkCreateDebugUtilsMessengerEXT(gpu->instance, &messengerInfo, NULL, &gpu->messenger));
}

static void choosePhysicalDevice(Gpu *gpu) {
    uint32_t count = 1;
    VkResult result = vkEnumeratePhysicalDevices(gpu->instance, &count, &gpu->physicalDevice);
    assert_true(result == VK_SUCCESS || result == VK_INCOMPLETE);
    assert_int_equal(count, 1);
    vkGetPhysicalDeviceProperties(gpu->physicalDevice, &gpu->properties);
    vkGetPhysicalDeviceMemoryProperties(gpu->physicalDevice, &gpu->memory);
}

static void createDevice(Gpu *gpu) {
    const char *extensions[GPU_MAX_EXTENSIONS] = {VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME};
    for (uint32_t i = 0; i < requested.deviceExtensionCount; i++) {
        extensions[1 + i] = requested.deviceExtensions[i];
    }
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = 0, /* both software drivers have one family that can do everything */
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    VkPhysicalDeviceTimelineSemaphoreFeaturesKHR timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES_KHR,
        .timelineSemaphore = VK_TRUE,
    };
    const VkPhysicalDeviceFeatures features = {.robustBufferAccess = requested.robust};
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &timeline,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 1 + requested.deviceExtensionCount,
        .ppEnabledExtensionNames = extensions,
        .pEnabledFeatures = &features,
    };
    GPU_CHECK(vkCreateDevice(gpu->physicalDevice, &info, NULL, &gpu->device));
    volkLoadDevice(gpu->device);
    vkGetDeviceQueue(gpu->device, 0, 0, &gpu->queue);
    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
    };
    VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    GPU_CHECK(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool));
    GPU_CHECK(vkCreatePipelineCache(gpu->device, &cache, NULL, &gpu->cache));
}

/* A test's name states its driver; a loader that picks another one must fail the test. */
static void checkDriver(const Gpu *gpu) {
    const char *driver = getenv("VKSKIN_TEST_DRIVER");
    if (driver != NULL) {
        const char *name = strcmp(driver, "lavapipe") == 0 ? "llvmpipe" : "SwiftShader";
        assert_non_null(strstr(gpu->properties.deviceName, name));
    }
}

uint32_t gpuFaultStep(const Gpu *gpu) {
    return strstr(gpu->properties.deviceName, "llvmpipe") != NULL ? 1 : 10;
}

static void destroyGpu(Gpu *gpu) {
    if (gpu->finish != NULL) {
        gpu->finish();
    }
    if (gpu->device != VK_NULL_HANDLE) {
        vkDestroyPipelineCache(gpu->device, gpu->cache, NULL);
        vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
        vkDestroyDevice(gpu->device, NULL);
    }
    if (gpu->messenger != VK_NULL_HANDLE) {
        vkDestroyDebugUtilsMessengerEXT(gpu->instance, gpu->messenger, NULL);
    }
    if (gpu->instance != VK_NULL_HANDLE) {
        vkDestroyInstance(gpu->instance, NULL);
    }
}

/* Not in a group's tear-down, whose result cmocka ignores. */
static int finishGroup(void) {
    forgetMessages(groupGpu);
    destroyGpu(groupGpu);
    int failed = (int)printMessages(groupGpu);
    free(groupGpu);
    groupGpu = NULL;
    return failed;
}

static void createGpu(void) {
    groupGpu = calloc(1, sizeof *groupGpu);
    assert_non_null(groupGpu);
    testAtEnd(finishGroup);
    createInstance(groupGpu);
    choosePhysicalDevice(groupGpu);
    checkDriver(groupGpu);
    createDevice(groupGpu);
    dl_iterate_phdr(keepLoaded, NULL);
    assert_int_equal(printMessages(groupGpu), 0);
}

int gpuTestSetup(void **state) {
    if (groupGpu == NULL) {
        createGpu();
    }
    assert_true(groupGpu->pool != VK_NULL_HANDLE); /* or an earlier test could not create it */
    *state = groupGpu;
    forgetMessages(groupGpu);
    memset(&groupGpu->log, 0, sizeof groupGpu->log);
    return 0;
}

/* A test that failed before its frame loop was finished must not leave the device waiting forever. */
static void openGate(Gpu *gpu) {
    if (gpu->gate != VK_NULL_HANDLE) {
        VkSemaphoreSignalInfoKHR signal = {
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO_KHR,
            .semaphore = gpu->gate,
            .value = 1u << 30, /* no loop has so many frames */
        };
        VkResult result = vkSignalSemaphoreKHR(gpu->device, &signal);
        print_error("the frame loop was left unfinished; opened: %d\n", result);
        (void)vkDeviceWaitIdle(gpu->device);
        gpu->gate = VK_NULL_HANDLE;
    }
}

int gpuTestTeardown(void **state) {
    Gpu *gpu = *state;
    openGate(gpu);
    for (uint32_t i = 0; i < GPU_MAX_CONTEXTS; i++) {
        gpuDestroyContext(gpu, gpu->contexts[i]);
    }
    uint32_t unexpected = printMessages(gpu);
    bool silent = gpu->expected != NULL && gpu->expectedCount == 0;
    if (silent) {
        print_error("the validation layer did not log '%s'\n", gpu->expected);
    }
    forgetMessages(gpu);
    return unexpected != 0 || silent ? -1 : 0;
}

/* ---- Library contexts ---- */

VkskinContextDef gpuContextDef(Gpu *gpu) {
    VkskinContextDef def = vkskinDefaultContextDef();
    def.instance = gpu->instance;
    def.physicalDevice = gpu->physicalDevice;
    def.device = gpu->device;
    def.getInstanceProcAddr = vkGetInstanceProcAddr;
    def.getDeviceProcAddr = vkGetDeviceProcAddr;
    def.logger = (VkskinLogger){onLog, &gpu->log};
    def.computeQueueFamily = gpu->family;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    def.consumerStages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
    def.consumerAccess |= VK_ACCESS_TRANSFER_READ_BIT;
    return def;
}

VkskinContext gpuContext(Gpu *gpu, const VkskinContextDef *def) {
    VkskinContextDef plain = gpuContextDef(gpu);
    VkskinContext *place = gpu->contexts;
    while (*place != NULL) {
        place++;
        assert_true(place < gpu->contexts + GPU_MAX_CONTEXTS);
    }
    GPU_VKSKIN(gpu, vkskinCreateContext(def != NULL ? def : &plain, place));
    return *place;
}

void gpuDestroyContext(Gpu *gpu, VkskinContext context) {
    for (uint32_t i = 0; i < GPU_MAX_CONTEXTS; i++) {
        gpu->contexts[i] = gpu->contexts[i] == context ? NULL : gpu->contexts[i];
    }
    vkskinDestroyContext(context);
}

void gpuMeshKernels(Gpu *gpu, VkskinContext context, VkskinMesh mesh, uint32_t methods) {
    VkskinPipelineDef def = kernelsOf(&mesh, 1);
    def.cache = gpu->cache;
    def.methods = methods;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context, &def));
}

/* ---- Commands ---- */

VkCommandBuffer gpuBegin(Gpu *gpu) {
    VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VkCommandBuffer commandBuffer;
    GPU_CHECK(vkAllocateCommandBuffers(gpu->device, &allocate, &commandBuffer));
    GPU_CHECK(vkBeginCommandBuffer(commandBuffer, &begin));
    return commandBuffer;
}

void gpuSubmitAndWait(Gpu *gpu, VkCommandBuffer commandBuffer) {
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &commandBuffer,
    };
    VkFenceCreateInfo fenceInfo = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    GPU_CHECK(vkCreateFence(gpu->device, &fenceInfo, NULL, &fence));
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    GPU_CHECK(vkQueueSubmit(gpu->queue, 1, &submit, fence));
    GPU_CHECK(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, UINT64_MAX));
    vkDestroyFence(gpu->device, fence, NULL);
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commandBuffer);
}

void gpuBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags beforeStages, VkAccessFlags beforeAccess,
                VkPipelineStageFlags afterStages, VkAccessFlags afterAccess) {
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = beforeAccess,
        .dstAccessMask = afterAccess,
    };
    vkCmdPipelineBarrier(commandBuffer, beforeStages, afterStages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* ---- Buffers ---- */

VKAPI_ATTR void VKAPI_CALL gpuTwoFamilies(VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *families) {
    uint32_t room = *count;
    VkQueueFamilyProperties first;
    uint32_t one = 1;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &one, &first);
    *count = families == NULL || room > 2 ? 2 : room;
    for (uint32_t i = 0; families != NULL && i < *count; i++) {
        families[i] = first;
    }
}

VkBufferMemoryBarrier gpuLastTransfer;

VKAPI_ATTR void VKAPI_CALL gpuKeepTransfer(VkCommandBuffer commandBuffer, VkPipelineStageFlags from,
                                           VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t memoryCount,
                                           const VkMemoryBarrier *memory, uint32_t count,
                                           const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                                           const VkImageMemoryBarrier *images) {
    if (count == 1 && buffers->srcQueueFamilyIndex != buffers->dstQueueFamilyIndex) {
        gpuLastTransfer = *buffers;
        return;
    }
    vkCmdPipelineBarrier(commandBuffer, from, to, flags, memoryCount, memory, count, buffers, imageCount, images);
}

uint32_t gpuMemoryType(Gpu *gpu, uint32_t typeBits, VkMemoryPropertyFlags properties) {
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++) {
        if ((typeBits >> i & 1u) != 0 && (gpu->memory.memoryTypes[i].propertyFlags & properties) == properties) {
            return i;
        }
    }
    fail_msg("no memory type of properties 0x%x", properties);
    return 0;
}

GpuBuffer gpuBuffer(Gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage) {
    GpuBuffer buffer = {.size = size};
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    GPU_CHECK(vkCreateBuffer(gpu->device, &info, NULL, &buffer.buffer));
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(gpu->device, buffer.buffer, &requirements);
    VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = requirements.size,
        .memoryTypeIndex = gpuMemoryType(gpu, requirements.memoryTypeBits,
                                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT),
    };
    GPU_CHECK(vkAllocateMemory(gpu->device, &allocate, NULL, &buffer.memory));
    GPU_CHECK(vkBindBufferMemory(gpu->device, buffer.buffer, buffer.memory, 0));
    GPU_CHECK(vkMapMemory(gpu->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped));
    return buffer;
}

void gpuFreeBuffer(Gpu *gpu, GpuBuffer *buffer) {
    vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
    vkFreeMemory(gpu->device, buffer->memory, NULL);
    memset(buffer, 0, sizeof *buffer);
}

/* ---- Output ---- */

void gpuPoisonOutput(Gpu *gpu, VkskinContext context) {
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    for (uint32_t page = 0; page < vkskinGetOutputPageCount(context); page++) {
        VkskinOutputPage output;
        GPU_VKSKIN(gpu, vkskinGetOutputPage(context, page, &output));
        vkCmdFillBuffer(commandBuffer, output.buffer, 0, VK_WHOLE_SIZE, GPU_POISON);
    }
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
               VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
    gpuSubmitAndWait(gpu, commandBuffer);
}

void gpuRecordReadback(VkCommandBuffer commandBuffer, VkBuffer source, VkDeviceSize offset, VkDeviceSize size,
                       VkBuffer target) {
    VkBufferCopy region = {.srcOffset = offset, .dstOffset = 0, .size = size};
    vkCmdCopyBuffer(commandBuffer, source, target, 1, &region);
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
               VK_ACCESS_HOST_READ_BIT);
}

GpuBuffer gpuReadPage(Gpu *gpu, VkskinContext context, uint32_t page) {
    VkskinOutputPage source;
    GPU_VKSKIN(gpu, vkskinGetOutputPage(context, page, &source));
    GpuBuffer target = gpuBuffer(gpu, source.size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    gpuRecordReadback(commandBuffer, source.buffer, 0, source.size, target.buffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    return target;
}

void gpuTakeWritten(const GpuBuffer *copy, VkDeviceSize offset, VkDeviceSize size) {
    uint32_t *words = copy->mapped;
    for (VkDeviceSize i = offset / 4; i < (offset + size) / 4; i++) {
        if (words[i] == GPU_POISON) {
            fail_msg("the word at byte %llu was not written", (unsigned long long)(i * 4));
        }
        words[i] = GPU_POISON;
    }
}

void gpuCheckPoison(const GpuBuffer *copy, uint32_t page) {
    const uint32_t *words = copy->mapped;
    for (VkDeviceSize i = 0; i < copy->size / 4; i++) {
        if (words[i] != GPU_POISON) {
            fail_msg("page %u: the word at byte %llu was written and is not owned", page, (unsigned long long)(i * 4));
        }
    }
}
