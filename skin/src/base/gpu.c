#include "gpu.h"

#include <stdarg.h>
#include <string.h>

static void *allocateThroughVulkan(void *user, size_t size, size_t alignment) {
    const VkAllocationCallbacks *callbacks = user;
    return callbacks->pfnAllocation(callbacks->pUserData, size, alignment, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

static void freeThroughVulkan(void *user, void *memory) {
    const VkAllocationCallbacks *callbacks = user;
    callbacks->pfnFree(callbacks->pUserData, memory);
}

static void initHostMemory(Gpu *gpu, const VkAllocationCallbacks *callbacks) {
    if (callbacks == NULL) {
        return;
    }
    gpu->callbacks = *callbacks;
    gpu->allocator = &gpu->callbacks;
    gpu->hostCallbacks = (VkskinHostAllocator){allocateThroughVulkan, freeThroughVulkan, &gpu->callbacks};
    gpu->hostAllocator = &gpu->hostCallbacks;
}

void sknMoveGpu(Gpu *target, const Gpu *source) {
    *target = *source;
    initHostMemory(target, source->allocator);
}

typedef PFN_vkVoidFunction (*ResolveFn)(const VkskinContextDef *def, const char *name);

static PFN_vkVoidFunction resolveOfInstance(const VkskinContextDef *def, const char *name) {
    return def->getInstanceProcAddr != NULL ? def->getInstanceProcAddr(def->instance, name) : NULL;
}

/* The host's, or the one that its other resolver finds. May be null. */
static PFN_vkGetDeviceProcAddr deviceResolver(const VkskinContextDef *def) {
    return def->getDeviceProcAddr != NULL ? def->getDeviceProcAddr
                                          : (PFN_vkGetDeviceProcAddr)resolveOfInstance(def, "vkGetDeviceProcAddr");
}

static PFN_vkVoidFunction resolveOfDevice(const VkskinContextDef *def, const char *name) {
    const PFN_vkGetDeviceProcAddr resolver = deviceResolver(def);
    return resolver != NULL ? resolver(def->device, name) : NULL;
}

/* Debug utils is an instance extension whose functions take a device. Either resolver may know them. */
static PFN_vkVoidFunction resolveOfEither(const VkskinContextDef *def, const char *name) {
    PFN_vkVoidFunction function = resolveOfDevice(def, name);
    return function != NULL ? function : resolveOfInstance(def, name);
}

/* Core in Vulkan 1.2; of one of two extensions before. */
static PFN_vkVoidFunction resolveAddress(const VkskinContextDef *def, const char *name) {
    static const char *const suffixes[] = {"", "KHR", "EXT"};
    PFN_vkVoidFunction function = NULL;
    for (size_t i = 0; function == NULL && i < SKN_COUNT(suffixes); i++) {
        char full[40];
        snprintf(full, sizeof full, "%s%s", name, suffixes[i]);
        function = resolveOfDevice(def, full);
    }
    return function;
}

static VkskinResult resolve(const Gpu *gpu, const VkskinContextDef *def, const char *name, ResolveFn resolver,
                            PFN_vkVoidFunction *function) {
    if (*function == NULL) {
        *function = resolver(def, name);
    }
    if (*function == NULL) {
        bool ofInstance = resolver == resolveOfInstance;
        bool asked = ofInstance ? def->getInstanceProcAddr != NULL : deviceResolver(def) != NULL;
        return sknReport(&gpu->logger, VKSKIN_ERROR_MISSING_FUNCTION,
                         "vkskinCreateContext: %s is missing: functions has none, and %s %s", name,
                         ofInstance ? "getInstanceProcAddr" : "getDeviceProcAddr", asked ? "finds none" : "is null");
    }
    return VKSKIN_SUCCESS;
}

#define RESOLVE(name, resolver)                                                                                        \
    {                                                                                                                  \
        PFN_vkVoidFunction function = (PFN_vkVoidFunction)gpu->vk.vk##name;                                            \
        VkskinResult result = resolve(gpu, def, "vk" #name, resolver, &function);                                      \
        if (result < 0) {                                                                                              \
            return result;                                                                                             \
        }                                                                                                              \
        gpu->vk.vk##name = (PFN_vk##name)function;                                                                     \
    }
#define RESOLVE_OF_INSTANCE(name) RESOLVE(name, resolveOfInstance)
#define RESOLVE_OF_DEVICE(name)   RESOLVE(name, resolveOfDevice)
#define RESOLVE_OF_EITHER(name)   RESOLVE(name, resolveOfEither)
#define RESOLVE_ADDRESS(name)     RESOLVE(name, resolveAddress)

static VkskinResult loadFunctions(Gpu *gpu, const VkskinContextDef *def) {
    if (def->functions != NULL) {
        gpu->vk = *def->functions;
    }
    VKSKIN_INSTANCE_FUNCTIONS(RESOLVE_OF_INSTANCE)
    VKSKIN_DEVICE_FUNCTIONS(RESOLVE_OF_DEVICE)
    if (def->debugUtils) {
        VKSKIN_DEBUG_FUNCTIONS(RESOLVE_OF_EITHER)
    }
    if (((def->outputUsage | def->paletteUsage) & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0) {
        VKSKIN_ADDRESS_FUNCTIONS(RESOLVE_ADDRESS)
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknInitGpu(Gpu *gpu, const VkskinContextDef *def) {
    *gpu = (Gpu){
        .physicalDevice = def->physicalDevice,
        .device = def->device,
        .logger = def->logger,
        .debugUtils = def->debugUtils,
    };
    if (def->memory.callbacks != NULL) {
        gpu->memoryCallbacks = *def->memory.callbacks;
    }
    initHostMemory(gpu, def->allocator);
    VkskinResult result = loadFunctions(gpu, def);
    if (result < 0) {
        return result;
    }
    VkPhysicalDeviceProperties properties;
    gpu->vk.vkGetPhysicalDeviceProperties(def->physicalDevice, &properties);
    gpu->vk.vkGetPhysicalDeviceMemoryProperties(def->physicalDevice, &gpu->memory);
    gpu->limits = properties.limits;
    gpu->deviceType = properties.deviceType;
    gpu->identity = (DeviceIdentity){properties.vendorID, properties.deviceID, properties.driverVersion, {0}};
    memcpy(gpu->identity.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
    if (properties.apiVersion < VK_API_VERSION_1_1) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                         "vkskinCreateContext: the device has Vulkan %u.%u, 1.1 is needed",
                         VK_API_VERSION_MAJOR(properties.apiVersion), VK_API_VERSION_MINOR(properties.apiVersion));
    }
    return VKSKIN_SUCCESS;
}

bool sknFindQueueFamily(const Gpu *gpu, uint32_t family, VkQueueFamilyProperties *properties) {
    enum { MAX_FAMILIES = 64 };
    VkQueueFamilyProperties families[MAX_FAMILIES];
    uint32_t count = MAX_FAMILIES;
    gpu->vk.vkGetPhysicalDeviceQueueFamilyProperties(gpu->physicalDevice, &count, families);
    /* SwiftShader leaves `count` at the given capacity, so query the number separately. */
    uint32_t number = 0;
    gpu->vk.vkGetPhysicalDeviceQueueFamilyProperties(gpu->physicalDevice, &number, NULL);
    if (family >= number || family >= count) {
        return false;
    }
    *properties = families[family];
    return true;
}

VkskinResult sknCheck(const Gpu *gpu, VkResult result, const char *function) {
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s: out of host memory", function);
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY, "%s: out of device memory", function);
    case VK_ERROR_DEVICE_LOST:
        return sknReport(&gpu->logger, VKSKIN_ERROR_DEVICE_LOST, "%s: device lost", function);
    default:
        break;
    }
    if (result >= 0) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&gpu->logger, VKSKIN_ERROR_VULKAN, "%s: VkResult %d", function, (int)result);
}

void sknNameObject(const Gpu *gpu, VkObjectType type, uint64_t handle, const char *format, ...) {
    if (!gpu->debugUtils) {
        return;
    }
    char name[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name,
    };
    /* A failure is logged and changes no result: names only help debuggers. */
    (void)sknCheck(gpu, gpu->vk.vkSetDebugUtilsObjectNameEXT(gpu->device, &info), "vkSetDebugUtilsObjectNameEXT");
}

void sknBeginLabel(const Gpu *gpu, VkCommandBuffer commandBuffer, const char *name) {
    if (gpu->debugUtils) {
        VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
        gpu->vk.vkCmdBeginDebugUtilsLabelEXT(commandBuffer, &label);
    }
}

void sknEndLabel(const Gpu *gpu, VkCommandBuffer commandBuffer) {
    if (gpu->debugUtils) {
        gpu->vk.vkCmdEndDebugUtilsLabelEXT(commandBuffer);
    }
}
