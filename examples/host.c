#include "host.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hostFail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT types,
                                                const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)severity, (void)types;
    ((Host *)user)->messages++;
    fprintf(stderr, "validation: %s\n", data->pMessage);
    return VK_FALSE;
}

static void createInstance(Host *host) {
    static const char *const layer = "VK_LAYER_KHRONOS_validation";
    static const char *const extensions[] = {"VK_EXT_debug_utils", "VK_EXT_validation_features"};
    static const VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const char *wish = getenv("VKSKIN_EXAMPLE_VALIDATION");
    uint32_t validation = wish != NULL && strcmp(wish, "1") == 0;
    VkDebugUtilsMessengerCreateInfoEXT messenger = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                    .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                                                       VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                    .pfnUserCallback = onMessage,
                                                    .pUserData = host};
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .pNext = &messenger,
                                        .enabledValidationFeatureCount = 1,
                                        .pEnabledValidationFeatures = enables};
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = validation ? &features : NULL,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = validation,
                                 .ppEnabledLayerNames = &layer,
                                 .enabledExtensionCount = validation ? 2 : 0,
                                 .ppEnabledExtensionNames = extensions};
    HOST_VK(volkInitialize());
    HOST_VK(vkCreateInstance(&info, NULL, &host->instance));
    volkLoadInstance(host->instance);
    if (validation) {
        HOST_VK(vkCreateDebugUtilsMessengerEXT(host->instance, &messenger, NULL, &host->messenger));
    }
}

/* The first family whose flags, masked with `mask`, equal `flags`. Returns `otherwise` if there is none. */
static uint32_t findFamily(const Host *host, VkQueueFlags mask, VkQueueFlags flags, uint32_t otherwise) {
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(host->physicalDevice, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & mask) == flags) {
            return i;
        }
    }
    return otherwise;
}

static void createDevice(Host *host) {
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    host->family = findFamily(host, both, both, UINT32_MAX);
    if (host->family == UINT32_MAX) {
        hostFail("%s: the device has no queue family for graphics and compute", host->name);
    }
    host->computeFamily = findFamily(host, both, VK_QUEUE_COMPUTE_BIT, host->family);
    static const float priority = 1.0f;
    VkDeviceQueueCreateInfo queues[2];
    for (int i = 0; i < 2; i++) {
        queues[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueFamilyIndex = i == 0 ? host->family : host->computeFamily,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
    }
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, .timelineSemaphore = VK_TRUE};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &timeline,
                               .queueCreateInfoCount = host->computeFamily == host->family ? 1 : 2,
                               .pQueueCreateInfos = queues};
    HOST_VK(vkCreateDevice(host->physicalDevice, &info, NULL, &host->device));
    volkLoadDevice(host->device);
    vkGetDeviceQueue(host->device, host->family, 0, &host->queue);
    vkGetDeviceQueue(host->device, host->computeFamily, 0, &host->computeQueue);
}

void hostOpen(Host *host, const char *name) {
    *host = (Host){.name = name};
    createInstance(host);
    uint32_t count = 1;
    VkResult result = vkEnumeratePhysicalDevices(host->instance, &count, &host->physicalDevice);
    if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || count == 0) {
        hostFail("%s: no Vulkan device", name);
    }
    createDevice(host);
}

int hostClose(Host *host) {
    HOST_VK(vkDeviceWaitIdle(host->device));
    vkDestroyDevice(host->device, NULL);
    if (host->messenger != VK_NULL_HANDLE) {
        vkDestroyDebugUtilsMessengerEXT(host->instance, host->messenger, NULL);
    }
    vkDestroyInstance(host->instance, NULL);
    if (host->messages > 0) {
        fprintf(stderr, "%s: the validation layer spoke %u times\n", host->name, (unsigned)host->messages);
    }
    return host->messages > 0;
}

static void onLog(void *user, VkskinResult result, const char *message) {
    fprintf(stderr, "%s: %s: %s\n", (const char *)user, vkskinResultName(result), message);
}

VkskinContextDef hostContextDef(const Host *host) {
    VkskinContextDef def = vkskinDefaultContextDef();
    def.instance = host->instance;
    def.physicalDevice = host->physicalDevice;
    def.device = host->device;
    def.getInstanceProcAddr = vkGetInstanceProcAddr;
    def.getDeviceProcAddr = vkGetDeviceProcAddr;
    def.logger = (VkskinLogger){onLog, (void *)host->name};
    def.computeQueueFamily = host->family;
    return def;
}

/* ---- Frame slots and readback ---- */

static uint32_t readbackType(const Host *host, uint32_t allowed) {
    const VkMemoryPropertyFlags flags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(host->physicalDevice, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((allowed >> i & 1) != 0 && (memory.memoryTypes[i].propertyFlags & flags) == flags) {
            return i;
        }
    }
    hostFail("%s: no memory that the host can read", host->name);
}

static HostBuffer createBuffer(const Host *host, VkDeviceSize size) {
    HostBuffer made;
    void *mapped;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    HOST_VK(vkCreateBuffer(host->device, &info, NULL, &made.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(host->device, made.buffer, &needs);
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = readbackType(host, needs.memoryTypeBits)};
    HOST_VK(vkAllocateMemory(host->device, &memory, NULL, &made.memory));
    HOST_VK(vkBindBufferMemory(host->device, made.buffer, made.memory, 0));
    HOST_VK(vkMapMemory(host->device, made.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    made.mapped = mapped;
    return made;
}

HostSlot hostSlotCreate(const Host *host, uint32_t family, VkDeviceSize targetSize) {
    HostSlot slot = {.pool = VK_NULL_HANDLE};
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
    HOST_VK(vkCreateCommandPool(host->device, &pool, NULL, &slot.pool));
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = slot.pool,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    HOST_VK(vkAllocateCommandBuffers(host->device, &buffer, &slot.commandBuffer));
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    HOST_VK(vkCreateFence(host->device, &fence, NULL, &slot.fence));
    if (targetSize > 0) {
        slot.target = createBuffer(host, targetSize);
    }
    return slot;
}

void hostSlotDestroy(const Host *host, HostSlot *slot) {
    vkDestroyFence(host->device, slot->fence, NULL);
    vkDestroyCommandPool(host->device, slot->pool, NULL);
    vkDestroyBuffer(host->device, slot->target.buffer, NULL);
    vkFreeMemory(host->device, slot->target.memory, NULL);
}

void hostSlotWait(const Host *host, const HostSlot *slot) {
    HOST_VK(vkWaitForFences(host->device, 1, &slot->fence, VK_TRUE, UINT64_MAX));
}

void hostSlotBegin(const Host *host, const HostSlot *slot) {
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    HOST_VK(vkResetCommandPool(host->device, slot->pool, 0));
    HOST_VK(vkBeginCommandBuffer(slot->commandBuffer, &begin));
}

void hostSlotSubmit(const Host *host, const HostSlot *slot, VkQueue queue, HostTimeline timeline) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT; /* these examples copy instead of drawing */
    VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = timeline.wait != VK_NULL_HANDLE,
                                            .pWaitSemaphoreValues = &timeline.value,
                                            .signalSemaphoreValueCount = timeline.signal != VK_NULL_HANDLE,
                                            .pSignalSemaphoreValues = &timeline.value};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &values,
                         .waitSemaphoreCount = values.waitSemaphoreValueCount,
                         .pWaitSemaphores = &timeline.wait,
                         .pWaitDstStageMask = &stage,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &slot->commandBuffer,
                         .signalSemaphoreCount = values.signalSemaphoreValueCount,
                         .pSignalSemaphores = &timeline.signal};
    HOST_VK(vkEndCommandBuffer(slot->commandBuffer));
    HOST_VK(vkResetFences(host->device, 1, &slot->fence));
    HOST_VK(vkQueueSubmit(queue, 1, &info, slot->fence));
}

void hostRecordReadback(VkCommandBuffer commands, const VkskinOutput *output, VkBuffer target) {
    VkBufferCopy copy = {.srcOffset = output->positionOffset,
                         .size = (VkDeviceSize)output->vertexCount * 3 * sizeof(float)};
    vkCmdCopyBuffer(commands, output->buffer, target, 1, &copy);
    VkMemoryBarrier toHost = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &toHost, 0, NULL,
                         0, NULL);
}

VkskinInstance hostTriangle(VkskinContext context) {
    static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint8_t joints[3] = {0, 0, 0};
    static const float weights[3] = {1, 1, 1};
    VkskinMeshDef triangle = vkskinDefaultMeshDef();
    triangle.vertexCount = 3;
    triangle.boneCount = 1;
    triangle.positions = positions[0];
    triangle.influencesPerVertex = 1;
    triangle.jointFormat = VKSKIN_JOINTS_U8;
    triangle.joints = joints;
    triangle.weights = weights;
    VkskinInstanceDef one = vkskinDefaultInstanceDef();
    VkskinInstance instance;
    HOST_SKIN(vkskinCreateMesh(context, &triangle, &one.mesh));
    HOST_SKIN(vkskinCreateInstance(context, &one, &instance));
    return instance;
}

void hostCheckPosition(const char *what, unsigned frame, const float position[3], const float expected[3]) {
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabsf(position[axis] - expected[axis]) <= 1e-5f)) {
            hostFail("frame %u, %s: (%g, %g, %g) instead of (%g, %g, %g)", frame, what, position[0], position[1],
                     position[2], expected[0], expected[1], expected[2]);
        }
    }
    printf("frame %u, %s: (%g, %g, %g)\n", frame, what, position[0], position[1], position[2]);
}
