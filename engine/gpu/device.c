#include "device.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "crash_watch.h"

/* ---- Physical devices ---- */

#define FAMILY_MAX          32
#define PHYSICAL_DEVICE_MAX 32

typedef struct PhysicalDevice {
    VkPhysicalDevice handle;
    uint32_t family; /* graphics, compute and, if asked, presenting; valid if suitable */
    DeviceInfo info;
} PhysicalDevice;

typedef struct PhysicalDevices {
    uint32_t count; /* at least 1; devices beyond PHYSICAL_DEVICE_MAX are ignored */
    PhysicalDevice devices[PHYSICAL_DEVICE_MAX];
} PhysicalDevices;

static void describe(VkPhysicalDevice handle, DeviceInfo *info) {
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    vkGetPhysicalDeviceProperties(handle, &properties.properties);
    if (properties.properties.apiVersion >= VK_API_VERSION_1_2) {
        properties.pNext = &driver;
        vkGetPhysicalDeviceProperties2(handle, &properties);
    }
    const VkPhysicalDeviceProperties *core = &properties.properties;
    snprintf(info->name, sizeof(info->name), "%s", core->deviceName);
    snprintf(info->driverName, sizeof(info->driverName), "%s", driver.driverName);
    if (driver.driverInfo[0] != '\0') {
        snprintf(info->driverVersion, sizeof(info->driverVersion), "%s", driver.driverInfo);
    } else {
        uint32_t version = core->driverVersion;
        snprintf(info->driverVersion, sizeof(info->driverVersion), "%u.%u.%u", VK_API_VERSION_MAJOR(version),
                 VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
    }
    info->type = core->deviceType;
    info->apiVersion = core->apiVersion;
    info->driverId = driver.driverID;
    info->limits = core->limits;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(handle, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
        info->memory = memory.memoryHeaps[i].size > info->memory ? memory.memoryHeaps[i].size : info->memory;
    }
}

/* Finds the first family that draws, computes and, if asked, presents. */
static bool findFamily(VkInstance instance, VkPhysicalDevice handle, const DeviceOptions *options, uint32_t *family,
                       uint32_t *timestampBits) {
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, NULL); /* not every driver lowers the given count */
    if (count > FAMILY_MAX) {
        count = FAMILY_MAX;
    }
    VkQueueFamilyProperties families[FAMILY_MAX];
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, families);
    const VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (uint32_t i = 0; i < count; i++) {
        bool draws = (families[i].queueFlags & needed) == needed && families[i].queueCount > 0;
        if (draws && (!options || !options->presents || options->presents(options->user, instance, handle, i))) {
            *family = i;
            *timestampBits = families[i].timestampValidBits;
            return true;
        }
    }
    return false;
}

static const char *missingFeature(VkPhysicalDevice handle) {
    VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .pNext = &features13};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features12};
    vkGetPhysicalDeviceFeatures2(handle, &features);
    return !features13.dynamicRendering    ? "it has no dynamic rendering"
           : !features13.synchronization2  ? "it has no synchronization2"
           : !features12.timelineSemaphore ? "it has no timeline semaphores"
                                           : NULL;
}

/* Whether a device, or for null a layer of the instance, has an extension. layer null: the loader and the drivers. */
static bool hasExtension(VkPhysicalDevice device, const char *layer, const char *name) {
    VkExtensionProperties *there = NULL;
    VkResult result = VK_SUCCESS;
    uint32_t count = 0;
    bool found = false;
    for (int call = 0; call < 2 && result == VK_SUCCESS; call++) { /* the first one counts */
        result = device ? vkEnumerateDeviceExtensionProperties(device, layer, &count, there)
                        : vkEnumerateInstanceExtensionProperties(layer, &count, there);
        there = call == 0 ? calloc(count + 1, sizeof(*there)) : there;
        result = there ? result : VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; i < count && result == VK_SUCCESS && !found; i++) {
        found = strcmp(there[i].extensionName, name) == 0;
    }
    free(there);
    return found;
}

/* The first extension of the options that the device lacks, or null. */
static const char *missingExtension(VkPhysicalDevice handle, const DeviceOptions *options) {
    static const char executables[] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    if (options && options->compiles && !hasExtension(handle, NULL, executables)) {
        return executables;
    }
    for (uint32_t i = 0; options && i < options->deviceExtensionCount; i++) {
        if (!hasExtension(handle, NULL, options->deviceExtensions[i])) {
            return options->deviceExtensions[i];
        }
    }
    return NULL;
}

static void judge(VkInstance instance, const DeviceOptions *options, PhysicalDevice *device) {
    DeviceInfo *info = &device->info;
    uint32_t timestampBits = 0;
    const char *missing = NULL;
    if (info->apiVersion < VK_API_VERSION_1_3) {
        snprintf(info->reason, sizeof(info->reason), "it has Vulkan %u.%u, 1.3 is needed",
                 VK_API_VERSION_MAJOR(info->apiVersion), VK_API_VERSION_MINOR(info->apiVersion));
    } else if ((missing = missingFeature(device->handle)) != NULL) {
        snprintf(info->reason, sizeof(info->reason), "%s", missing);
    } else if ((missing = missingExtension(device->handle, options)) != NULL) {
        snprintf(info->reason, sizeof(info->reason), "it lacks %.80s", missing);
    } else if (!findFamily(instance, device->handle, options, &device->family, &timestampBits)) {
        snprintf(info->reason, sizeof(info->reason), "it has no queue that draws and computes%s",
                 options && options->presents ? " and presents to this window system" : "");
    } else {
        info->suitable = true;
    }
    info->timestampsTrusted = timestampBits > 0 && info->driverId != VK_DRIVER_ID_MESA_LLVMPIPE;
}

/* All devices in the loader's order. options: null if presenting is not needed. */
static bool getPhysicalDevices(VkInstance instance, const DeviceOptions *options, PhysicalDevices *devices,
                               EngineError *error) {
    memset(devices, 0, sizeof(*devices));
    VkPhysicalDevice handles[PHYSICAL_DEVICE_MAX];
    devices->count = PHYSICAL_DEVICE_MAX;
    VkResult result = vkEnumeratePhysicalDevices(instance, &devices->count, handles);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
        return engineFail(error, "no Vulkan device can be used: vkEnumeratePhysicalDevices: %s",
                          engineVulkanResultName(result));
    }
    if (devices->count == 0) {
        return engineFail(error, "no Vulkan device: the loader found no driver with a device");
    }
    for (uint32_t i = 0; i < devices->count; i++) {
        devices->devices[i].handle = handles[i];
        describe(handles[i], &devices->devices[i].info);
        judge(instance, options, &devices->devices[i]);
    }
    return true;
}

/* A lower rank is selected first. */
static const struct {
    const char *name;
    int rank;
} DEVICE_TYPES[] = {
    [VK_PHYSICAL_DEVICE_TYPE_OTHER] = {"other", 4},
    [VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = {"integrated", 1},
    [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = {"discrete", 0},
    [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = {"virtual", 2},
    [VK_PHYSICAL_DEVICE_TYPE_CPU] = {"CPU", 3},
};

static uint32_t knownType(VkPhysicalDeviceType type) {
    const uint32_t count = sizeof(DEVICE_TYPES) / sizeof(DEVICE_TYPES[0]);
    return (uint32_t)type < count ? (uint32_t)type : VK_PHYSICAL_DEVICE_TYPE_OTHER;
}

static int typeRank(VkPhysicalDeviceType type) {
    return DEVICE_TYPES[knownType(type)].rank;
}

const char *deviceTypeName(VkPhysicalDeviceType type) {
    return DEVICE_TYPES[knownType(type)].name;
}

/* The device that is used where none is named; count: there is none. */
static uint32_t bestDevice(const PhysicalDevices *devices) {
    uint32_t best = devices->count;
    for (uint32_t i = 0; i < devices->count; i++) {
        const DeviceInfo *info = &devices->devices[i].info;
        if (info->suitable &&
            (best == devices->count || typeRank(info->type) < typeRank(devices->devices[best].info.type))) {
            best = i;
        }
    }
    return best;
}

static const PhysicalDevice *selectBest(const PhysicalDevices *devices, EngineError *error) {
    const uint32_t best = bestDevice(devices);
    if (best == devices->count) {
        const DeviceInfo *first = &devices->devices[0].info;
        engineFail(error, "no Vulkan device can be used: %.200s: %s", first->name, first->reason);
        return NULL;
    }
    return &devices->devices[best];
}

/* Also true for negative numbers, so that they are refused and not searched as names. */
static bool isNumber(const char *text) {
    const char *digits = text + (text[0] == '-');
    return digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

/* Writes "index 'name', ..." of all devices, as far as it fits. */
static void listNames(const PhysicalDevices *devices, char *list, size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < devices->count && used < size; i++) {
        int length = snprintf(list + used, size - used, "%s%u '%s'", i ? ", " : "", i, devices->devices[i].info.name);
        used += length > 0 ? (size_t)length : 0;
    }
}

static const PhysicalDevice *findNamed(const PhysicalDevices *devices, const char *select, EngineError *error) {
    if (isNumber(select)) {
        unsigned long index = select[0] == '-' ? ULONG_MAX : strtoul(select, NULL, 10);
        if (index < devices->count) {
            return &devices->devices[index];
        }
        engineFail(error, "there is no Vulkan device %.20s: there %s %u, counted from 0", select,
                   devices->count == 1 ? "is" : "are", devices->count);
        return NULL;
    }
    for (uint32_t i = 0; i < devices->count; i++) {
        if (strcasestr(devices->devices[i].info.name, select)) {
            return &devices->devices[i];
        }
    }
    char list[400];
    listNames(devices, list, sizeof(list));
    engineFail(error, "no Vulkan device has '%.60s' in its name; there %s %s", select,
               devices->count == 1 ? "is" : "are", list);
    return NULL;
}

/* The device that DeviceOptions.select names. Null on failure. */
static const PhysicalDevice *selectPhysicalDevice(const PhysicalDevices *devices, const char *select,
                                                  EngineError *error) {
    if (!select || select[0] == '\0') {
        return selectBest(devices, error);
    }
    const PhysicalDevice *device = findNamed(devices, select, error);
    if (device && !device->info.suitable) {
        engineFail(error, "the Vulkan device '%.200s' cannot be used: %s", device->info.name, device->info.reason);
        return NULL;
    }
    return device;
}

/* ---- Instance ---- */

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"
#define EXTENSIONS_MAX   16

/* The loader knows no extensions of a layer that is not installed. */
static bool validationThere(void) {
    uint32_t count = 0;
    return vkEnumerateInstanceExtensionProperties(VALIDATION_LAYER, &count, NULL) == VK_SUCCESS;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL onDebugMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                                     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)severity;
    (void)types;
    Device *device = user;
    device->validationMessages++;
    if (device->onMessage) {
        device->onMessage(device->user, data->pMessage);
    } else {
        fprintf(stderr, "validation: %s\n", data->pMessage);
    }
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messengerInfo(Device *device) {
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = onDebugMessage,
        .pUserData = device,
    };
}

static bool instanceExtensions(const DeviceOptions *options, bool debugUtils, const char **names, uint32_t *count,
                               EngineError *error) {
    *count = 0;
    if (options->instanceExtensionCount + 2 > EXTENSIONS_MAX) {
        return engineFail(error, "too many instance extensions: %u", options->instanceExtensionCount);
    }
    for (uint32_t i = 0; i < options->instanceExtensionCount; i++) {
        names[(*count)++] = options->instanceExtensions[i];
    }
    if (debugUtils) {
        names[(*count)++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    }
    if (options->validation &&
        hasExtension(VK_NULL_HANDLE, VALIDATION_LAYER, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
        names[(*count)++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;
    }
    return true;
}

/* Explains to a user why no instance could be made. */
static bool failInstance(EngineError *error, VkResult result) {
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        return engineFail(error, "no Vulkan device: the loader found no driver that works");
    }
    return engineVulkan(error, "vkCreateInstance", result);
}

static bool failLoader(EngineError *error) {
    return engineFail(error, "no Vulkan loader: libvulkan.so.1 cannot be opened");
}

static bool createInstance(Device *device, const DeviceOptions *options, EngineError *error) {
    if (volkInitialize() != VK_SUCCESS) {
        return failLoader(error);
    }
    if (volkGetInstanceVersion() < VK_API_VERSION_1_3) {
        return engineFail(error, "the Vulkan loader is older than 1.3");
    }
    if (options->validation && !validationThere()) {
        return engineFail(error, "the validation layer " VALIDATION_LAYER " is not installed");
    }
    device->debugUtils = hasExtension(VK_NULL_HANDLE, NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    const char *extensions[EXTENSIONS_MAX];
    uint32_t extensionCount;
    if (!instanceExtensions(options, device->debugUtils, extensions, &extensionCount, error)) {
        return false;
    }
    VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(device);
    VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .pNext = device->debugUtils ? &messenger : NULL,
                                        .enabledValidationFeatureCount = 1,
                                        .pEnabledValidationFeatures = enables};
    const char *layer = VALIDATION_LAYER;
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "vkskin", .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = options->validation ? &features : NULL,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = options->validation ? 1 : 0,
                                 .ppEnabledLayerNames = &layer,
                                 .enabledExtensionCount = extensionCount,
                                 .ppEnabledExtensionNames = extensions};
    VkResult result = vkCreateInstance(&info, NULL, &device->instance);
    if (result != VK_SUCCESS) {
        device->instance = VK_NULL_HANDLE;
        return failInstance(error, result);
    }
    volkLoadInstance(device->instance);
    return true;
}

static bool createMessenger(Device *device, const DeviceOptions *options, EngineError *error) {
    if (!options->validation || !device->debugUtils) {
        return true;
    }
    VkDebugUtilsMessengerCreateInfoEXT info = messengerInfo(device);
    return engineVulkan(error, "vkCreateDebugUtilsMessengerEXT",
                        vkCreateDebugUtilsMessengerEXT(device->instance, &info, NULL, &device->messenger));
}

static void adopt(Device *device, const PhysicalDevice *chosen) {
    device->physical = chosen->handle;
    device->family = chosen->family;
    device->info = chosen->info;
    vkGetPhysicalDeviceMemoryProperties(chosen->handle, &device->memory);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(chosen->handle, &properties);
    device->limits = properties.limits;
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(chosen->handle, &features);
    device->pipelineStatistics = features.pipelineStatisticsQuery == VK_TRUE;
    device->fillModeNonSolid = features.fillModeNonSolid == VK_TRUE;
}

bool deviceCreatePool(Device *device, VkCommandPool *pool, EngineError *error) {
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                    .queueFamilyIndex = device->family};
    *pool = VK_NULL_HANDLE;
    return engineVulkan(error, "vkCreateCommandPool", vkCreateCommandPool(device->handle, &info, NULL, pool));
}

static bool createLogicalDevice(Device *device, const DeviceOptions *options, EngineError *error) {
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = device->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                   .dynamicRendering = VK_TRUE,
                                                   .synchronization2 = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .pNext = &features13,
                                                   .timelineSemaphore = VK_TRUE};
    VkPhysicalDeviceFeatures available;
    vkGetPhysicalDeviceFeatures(device->physical, &available);
    VkPhysicalDeviceFeatures features = {.pipelineStatisticsQuery = device->pipelineStatistics,
                                         .fillModeNonSolid = device->fillModeNonSolid,
                                         .fullDrawIndexUint32 = available.fullDrawIndexUint32};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pNext = &features12,
        .pipelineExecutableInfo = VK_TRUE};
    static const char *const executableNames[] = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME};
    const bool compiles = options->compiles; /* without a window, so without other extensions */
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = compiles ? (const void *)&executables : &features12,
                               .pEnabledFeatures = &features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = compiles ? 1 : options->deviceExtensionCount,
                               .ppEnabledExtensionNames = compiles ? executableNames : options->deviceExtensions};
    if (!engineVulkan(error, "vkCreateDevice", vkCreateDevice(device->physical, &info, NULL, &device->handle))) {
        device->handle = VK_NULL_HANDLE;
        return false;
    }
    vkGetDeviceQueue(device->handle, device->family, 0, &device->queue);
    return deviceCreatePool(device, &device->uploadPool, error);
}

static bool build(Device *device, const DeviceOptions *options, EngineError *error) {
    PhysicalDevices devices;
    if (!createInstance(device, options, error) || !createMessenger(device, options, error) ||
        !getPhysicalDevices(device->instance, options, &devices, error)) {
        return false;
    }
    const PhysicalDevice *chosen = selectPhysicalDevice(&devices, options->select, error);
    if (!chosen) {
        return false;
    }
    adopt(device, chosen);
    return createLogicalDevice(device, options, error);
}

Device *deviceCreate(const DeviceOptions *options, EngineError *error) {
    static const DeviceOptions defaults;
    options = options ? options : &defaults;
    Device *device = engineAllocate(1, sizeof(*device), error);
    if (!device) {
        return NULL;
    }
    device->onMessage = options->onMessage;
    device->user = options->user;
    device->compiles = options->compiles;
    if (!build(device, options, error)) {
        deviceDestroy(device);
        return NULL;
    }
    return device;
}

void deviceDestroy(Device *device) {
    if (!device) {
        return;
    }
    if (device->handle) {
        if (!device->compiles) {              /* RADV's null device cannot wait */
            vkDeviceWaitIdle(device->handle); /* failures are ignored: a lost device is destroyed the same way */
        }
        vkDestroyCommandPool(device->handle, device->uploadPool, NULL);
        vkDestroyDevice(device->handle, NULL);
    }
    if (device->messenger) {
        vkDestroyDebugUtilsMessengerEXT(device->instance, device->messenger, NULL);
    }
    if (device->instance) {
        vkDestroyInstance(device->instance, NULL);
    }
    free(device);
}

bool deviceWait(Device *device, EngineError *error) {
    const bool done = engineVulkan(error, "vkDeviceWaitIdle", vkDeviceWaitIdle(device->handle));
    crashWatchEnd();
    return done;
}

bool deviceList(DeviceInfo *infos, uint32_t *count, EngineError *error) {
    static const DeviceOptions defaults;
    Device bare = {0};
    PhysicalDevices devices;
    if (!createInstance(&bare, &defaults, error)) {
        return false;
    }
    bool listed = getPhysicalDevices(bare.instance, NULL, &devices, error);
    vkDestroyInstance(bare.instance, NULL);
    if (!listed) {
        return false;
    }
    const uint32_t best = bestDevice(&devices);
    for (uint32_t i = 0; i < devices.count && i < *count; i++) {
        infos[i] = devices.devices[i].info;
        infos[i].chosen = i == best;
    }
    *count = devices.count;
    return true;
}

bool deviceLayers(DeviceLayer *layers, uint32_t *count, uint32_t *loaderVersion, EngineError *error) {
    VkLayerProperties *there = NULL;
    uint32_t found = 0;
    if (volkInitialize() != VK_SUCCESS) {
        return failLoader(error);
    }
    *loaderVersion = volkGetInstanceVersion();
    if (vkEnumerateInstanceLayerProperties(&found, NULL) == VK_SUCCESS) {
        there = calloc(found + 1, sizeof(*there));
    }
    if (!there || vkEnumerateInstanceLayerProperties(&found, there) != VK_SUCCESS) {
        found = 0;
    }
    for (uint32_t i = 0; i < found && i < *count; i++) {
        snprintf(layers[i].name, sizeof(layers[i].name), "%s", there[i].layerName);
        layers[i].version = there[i].specVersion;
    }
    *count = found;
    free(there);
    return true;
}

void deviceName(const Device *device, VkObjectType type, uint64_t handle, const char *name) {
    if (!device->debugUtils || !name) {
        return;
    }
    VkDebugUtilsObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                          .objectType = type,
                                          .objectHandle = handle,
                                          .pObjectName = name};
    (void)vkSetDebugUtilsObjectNameEXT(device->handle, &info); /* failures are harmless */
}

void deviceBeginLabel(const Device *device, VkCommandBuffer commandBuffer, const char *name) {
    if (device->debugUtils) {
        VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
        vkCmdBeginDebugUtilsLabelEXT(commandBuffer, &label);
    }
}

void deviceEndLabel(const Device *device, VkCommandBuffer commandBuffer) {
    if (device->debugUtils) {
        vkCmdEndDebugUtilsLabelEXT(commandBuffer);
    }
}
