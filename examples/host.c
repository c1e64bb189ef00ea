#include "host.h"

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
