#include "physical_device.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FAMILY_MAX 32

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
}

/* The first family that draws, computes and, where asked, presents. Its timestamp bits say whether it has a clock. */
static bool findFamily(VkInstance instance, VkPhysicalDevice handle, const DeviceOptions *options, uint32_t *family,
                       uint32_t *timestampBits) {
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, NULL); /* not every driver lowers the count itself */
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

static const char *missingExtension(VkPhysicalDevice handle, const DeviceOptions *options) {
    if (!options || options->deviceExtensionCount == 0) {
        return NULL;
    }
    uint32_t count = 0;
    if (vkEnumerateDeviceExtensionProperties(handle, NULL, &count, NULL) != VK_SUCCESS) {
        return options->deviceExtensions[0];
    }
    VkExtensionProperties *there = calloc(count + 1, sizeof(*there));
    const char *missing = options->deviceExtensions[0];
    if (there && vkEnumerateDeviceExtensionProperties(handle, NULL, &count, there) == VK_SUCCESS) {
        missing = NULL;
        for (uint32_t i = 0; i < options->deviceExtensionCount && !missing; i++) {
            missing = options->deviceExtensions[i];
            for (uint32_t k = 0; k < count && missing; k++) {
                missing = strcmp(there[k].extensionName, options->deviceExtensions[i]) == 0 ? NULL : missing;
            }
        }
    }
    free(there);
    return missing;
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

bool physicalDevicesGet(VkInstance instance, const DeviceOptions *options, PhysicalDevices *devices,
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

static int typeRank(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 3;
    default:
        return 4;
    }
}

static const PhysicalDevice *selectBest(const PhysicalDevices *devices, EngineError *error) {
    const PhysicalDevice *best = NULL;
    for (uint32_t i = 0; i < devices->count; i++) {
        const PhysicalDevice *device = &devices->devices[i];
        if (device->info.suitable && (!best || typeRank(device->info.type) < typeRank(best->info.type))) {
            best = device;
        }
    }
    if (!best) {
        const DeviceInfo *first = &devices->devices[0].info;
        engineFail(error, "no Vulkan device can be used: %.200s: %s", first->name, first->reason);
    }
    return best;
}

/* A whole number, also one below zero, which is no index but cannot be meant as a name either. */
static bool isNumber(const char *text) {
    const char *digits = text + (text[0] == '-');
    return digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

/* "index 'name', ..." of all devices, cut where there is no room. */
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

const PhysicalDevice *physicalDevicesSelect(const PhysicalDevices *devices, const char *select, EngineError *error) {
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
