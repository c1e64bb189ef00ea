/*
 * faulty_vulkan.c: a libvulkan.so.1 for LD_LIBRARY_PATH. It is the loader of this system with the fault that the environment
 * variable FAULT names: "lost", the first submission loses the device; "crash", it ends the process as a driver that
 * crashes; "old", no device has dynamic rendering.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

static PFN_vkGetInstanceProcAddr realAddress;
static PFN_vkGetPhysicalDeviceFeatures2 realFeatures;

static VKAPI_ATTR VkResult VKAPI_CALL loseDevice(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
                                                 VkFence fence) {
    (void)queue, (void)count, (void)submits, (void)fence;
    return VK_ERROR_DEVICE_LOST;
}

static VKAPI_ATTR VkResult VKAPI_CALL crash(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
                                            VkFence fence) {
    (void)queue, (void)count, (void)submits, (void)fence;
    abort();
}

static VKAPI_ATTR void VKAPI_CALL hideRendering(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features) {
    realFeatures(device, features);
    for (VkBaseOutStructure *at = features->pNext; at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES) {
            ((VkPhysicalDeviceVulkan13Features *)at)->dynamicRendering = VK_FALSE;
        }
    }
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char *name) {
    const char *fault = getenv("FAULT");
    if (!realAddress) {
        realAddress = (PFN_vkGetInstanceProcAddr)dlsym(dlopen(REAL_LOADER, RTLD_NOW), "vkGetInstanceProcAddr");
    }
    const PFN_vkVoidFunction real = realAddress(instance, name);
    if (fault && strcmp(name, "vkQueueSubmit2") == 0 && strcmp(fault, "old") != 0) {
        return (PFN_vkVoidFunction)(strcmp(fault, "lost") == 0 ? loseDevice : crash);
    }
    if (fault && strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0 && strcmp(fault, "old") == 0) {
        realFeatures = (PFN_vkGetPhysicalDeviceFeatures2)real;
        return (PFN_vkVoidFunction)hideRendering;
    }
    return real;
}
