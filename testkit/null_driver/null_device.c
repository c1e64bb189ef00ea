/* What the pretended device is, and the table of its functions. */
#include "null_calls.h"

#include <string.h>

#define MIB (UINT64_C(1) << 20)

/* The limits that the library looks at, at the least that Vulkan 1.1 lets a device have ("Required Limits"). */
static VkPhysicalDeviceLimits leastLimits(void) {
    return (VkPhysicalDeviceLimits){
        .maxTexelBufferElements = 1u << 16,
        .maxStorageBufferRange = 1u << 27,
        .maxPushConstantsSize = 128,
        .maxMemoryAllocationCount = 4096,
        .maxBoundDescriptorSets = 4,
        .maxPerStageDescriptorStorageBuffers = 4,
        .maxPerStageDescriptorSampledImages = 16,
        .maxComputeSharedMemorySize = 16384,
        .maxComputeWorkGroupCount = {65535, 65535, 65535},
        .maxComputeWorkGroupInvocations = 128,
        .maxComputeWorkGroupSize = {128, 128, 64},
        .minMemoryMapAlignment = 64,
        .minTexelBufferOffsetAlignment = 256,
        .minStorageBufferOffsetAlignment = 256,
        .timestampPeriod = 1.0f,
        .nonCoherentAtomSize = 256,
    };
}

VkPhysicalDeviceMemoryProperties nullDriverMemory(NullDriverLayout layout, bool coherent, VkDeviceSize heapSize) {
    const VkMemoryPropertyFlags device = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
        (coherent ? VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    VkPhysicalDeviceMemoryProperties memory = {
        .memoryHeapCount = 2,
        .memoryHeaps = {{heapSize, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {heapSize, 0}},
    };
    if (layout != NULL_DRIVER_UNIFIED) {
        memory.memoryTypes[memory.memoryTypeCount++] = (VkMemoryType){device, 0};
        memory.memoryTypes[memory.memoryTypeCount++] = (VkMemoryType){host, 1};
    }
    if (layout != NULL_DRIVER_STAGED) {
        memory.memoryTypes[memory.memoryTypeCount++] = (VkMemoryType){device | host, 0};
    }
    return memory;
}

NullDriverSettings nullDriverDefaultSettings(void) {
    return (NullDriverSettings){
        .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
        .apiVersion = VK_API_VERSION_1_1,
        .vendorID = 0x6e756c6c,
        .deviceID = 1,
        .driverVersion = 1,
        .pipelineCacheUUID = {1},
        .limits = leastLimits(),
        .memory = nullDriverMemory(NULL_DRIVER_ALL_TYPES, true, 256 * MIB),
        .memoryAlignment = 256,
        .familyCount = 2,
        .timestampBits = 64,
    };
}

void nullGetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties *properties) {
    NullDriver *driver = nullLockPhysicalDevice(physicalDevice);
    *properties = (VkPhysicalDeviceProperties){
        .apiVersion = driver->settings.apiVersion,
        .driverVersion = driver->settings.driverVersion,
        .vendorID = driver->settings.vendorID,
        .deviceID = driver->settings.deviceID,
        .deviceType = driver->settings.type,
        .deviceName = "null driver",
        .limits = driver->settings.limits,
    };
    memcpy(properties->pipelineCacheUUID, driver->settings.pipelineCacheUUID, VK_UUID_SIZE);
    nullUnlock(driver);
}

void nullGetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceMemoryProperties *memory) {
    NullDriver *driver = nullLockPhysicalDevice(physicalDevice);
    *memory = driver->settings.memory;
    nullUnlock(driver);
}

void nullGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physicalDevice, uint32_t *count,
                                                VkQueueFamilyProperties *families) {
    NullDriver *driver = nullLockPhysicalDevice(physicalDevice);
    uint32_t number = driver->settings.familyCount;
    *count = families != NULL && *count < number ? *count : number;
    for (uint32_t i = 0; families != NULL && i < *count; i++) {
        families[i] = (VkQueueFamilyProperties){
            .queueFlags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT | (i == 0 ? VK_QUEUE_GRAPHICS_BIT : 0),
            .queueCount = 1,
            .timestampValidBits = driver->settings.timestampBits,
        };
    }
    nullUnlock(driver);
}

VkResult nullSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info) {
    static const char call[] = "vkSetDebugUtilsObjectNameEXT";
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    NullKind kind = nullKindOf(info->objectType);
    if (nullFails(driver, &result)) {
        nullUnlock(driver);
        return result;
    }
    if (kind == NULL_KIND_COUNT || info->pObjectName == NULL) {
        nullFault(driver, "%s: an object of type %d, or no name", call, (int)info->objectType);
    } else {
        (void)nullFindOwned(driver, kind, info->objectHandle, call);
    }
    nullUnlock(driver);
    return result;
}

/* ---- The table ---- */

static const VkskinVulkanFunctions functions = {
#define NULL_FUNCTION_ENTRY(name) .vk##name = null##name,
    VKSKIN_INSTANCE_FUNCTIONS(NULL_FUNCTION_ENTRY) VKSKIN_DEVICE_FUNCTIONS(NULL_FUNCTION_ENTRY)
        VKSKIN_DEBUG_FUNCTIONS(NULL_FUNCTION_ENTRY)
#undef NULL_FUNCTION_ENTRY
};

const VkskinVulkanFunctions *nullDriverFunctions(void) {
    return &functions;
}

static PFN_vkVoidFunction functionOf(const char *name) {
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } named[] = {
#define NULL_FUNCTION_NAMED(function) {"vk" #function, (PFN_vkVoidFunction)null##function},
        VKSKIN_INSTANCE_FUNCTIONS(NULL_FUNCTION_NAMED) VKSKIN_DEVICE_FUNCTIONS(NULL_FUNCTION_NAMED)
            VKSKIN_DEBUG_FUNCTIONS(NULL_FUNCTION_NAMED)
#undef NULL_FUNCTION_NAMED
    };
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (strcmp(named[i].name, name) == 0) {
            return named[i].function;
        }
    }
    return NULL;
}

PFN_vkVoidFunction nullDriverGetInstanceProcAddr(VkInstance instance, const char *name) {
    nullUnlock(nullLockInstance(instance));
    return functionOf(name);
}

PFN_vkVoidFunction nullDriverGetDeviceProcAddr(VkDevice device, const char *name) {
    nullUnlock(nullLockDevice(device));
    return functionOf(name);
}

VkskinContextDef nullDriverContextDef(NullDriver *driver) {
    VkskinContextDef def = vkskinDefaultContextDef();
    def.instance = nullDriverInstance(driver);
    def.physicalDevice = nullDriverPhysicalDevice(driver);
    def.device = nullDriverDevice(driver);
    def.functions = nullDriverFunctions();
    return def;
}
