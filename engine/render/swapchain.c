#include "swapchain.h"

#include <stdlib.h>

/* ---- Format ---- */

static bool find(const VkSurfaceFormatKHR *formats, uint32_t count, VkFormat format, VkSurfaceFormatKHR *found) {
    for (uint32_t i = 0; i < count; i++) {
        if (formats[i].format == format && formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
            *found = formats[i];
            return true;
        }
    }
    return false;
}

VkSurfaceFormatKHR swapchainChooseFormat(const VkSurfaceFormatKHR *formats, uint32_t count) {
    static const VkFormat wanted[] = {
        VK_FORMAT_B8G8R8A8_SRGB,
        VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_B8G8R8A8_UNORM,
        VK_FORMAT_R8G8B8A8_UNORM,
    };
    VkSurfaceFormatKHR chosen = formats[0];
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (find(formats, count, wanted[i], &chosen)) {
            break;
        }
    }
    return chosen;
}

bool swapchainSurfaceFormat(Device *device, VkSurfaceKHR surface, VkSurfaceFormatKHR *chosen, EngineError *error) {
    uint32_t count = 0;
    VkResult result = vkGetPhysicalDeviceSurfaceFormatsKHR(device->physical, surface, &count, NULL);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkGetPhysicalDeviceSurfaceFormatsKHR", result);
    }
    VkSurfaceFormatKHR *formats = calloc(count + 1, sizeof *formats);
    if (!formats) {
        return engineFail(error, "out of memory");
    }
    result = vkGetPhysicalDeviceSurfaceFormatsKHR(device->physical, surface, &count, formats);
    bool good = result >= 0 && count > 0; /* INCOMPLETE leaves some to choose from */
    if (good) {
        *chosen = swapchainChooseFormat(formats, count);
    }
    free(formats);
    if (result < 0) {
        return engineFailVulkan(error, "vkGetPhysicalDeviceSurfaceFormatsKHR", result);
    }
    return good || engineFail(error, "the window's surface offers no format");
}

/* ---- Making ---- */

static uint32_t clampCount(uint32_t value, uint32_t low, uint32_t high) {
    return value < low ? low : value > high ? high : value;
}

/* A surface whose size is the swapchain's business says so by this width. */
static VkExtent2D surfaceExtent(const VkSurfaceCapabilitiesKHR *capabilities, uint32_t width, uint32_t height) {
    if (capabilities->currentExtent.width != UINT32_MAX) {
        return capabilities->currentExtent;
    }
    VkExtent2D low = capabilities->minImageExtent, high = capabilities->maxImageExtent;
    return (VkExtent2D){clampCount(width, low.width, high.width), clampCount(height, low.height, high.height)};
}

static uint32_t wantedImages(const VkSurfaceCapabilitiesKHR *capabilities) {
    uint32_t most = capabilities->maxImageCount > 0 ? capabilities->maxImageCount : UINT32_MAX;
    return clampCount(capabilities->minImageCount + 1, capabilities->minImageCount, most);
}

static VkCompositeAlphaFlagBitsKHR compositeAlpha(const VkSurfaceCapabilitiesKHR *capabilities) {
    VkCompositeAlphaFlagsKHR there = capabilities->supportedCompositeAlpha;
    if (there & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) {
        return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    }
    return (VkCompositeAlphaFlagBitsKHR)(there & (~there + 1)); /* the lowest bit: there is at least one */
}

static bool createHandle(Device *device, VkSurfaceKHR surface, const VkSurfaceCapabilitiesKHR *capabilities,
                         VkSwapchainKHR old, Swapchain *swapchain, EngineError *error) {
    swapchain->readable = (capabilities->supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_SRC_BIT) != 0;
    VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = surface,
        .minImageCount = wantedImages(capabilities),
        .imageFormat = swapchain->format.format,
        .imageColorSpace = swapchain->format.colorSpace,
        .imageExtent = swapchain->extent,
        .imageArrayLayers = 1,
        .imageUsage =
            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | (swapchain->readable ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0u),
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = capabilities->currentTransform,
        .compositeAlpha = compositeAlpha(capabilities),
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_TRUE,
        .oldSwapchain = old,
    };
    VkResult result = vkCreateSwapchainKHR(device->handle, &info, NULL, &swapchain->handle);
    if (result != VK_SUCCESS) {
        swapchain->handle = VK_NULL_HANDLE;
        return engineFailVulkan(error, "vkCreateSwapchainKHR", result);
    }
    return true;
}

static bool getImages(Device *device, Swapchain *swapchain, EngineError *error) {
    uint32_t count = SWAPCHAIN_MAX_IMAGES;
    VkResult result = vkGetSwapchainImagesKHR(device->handle, swapchain->handle, &count, swapchain->images);
    if (result == VK_INCOMPLETE) {
        return engineFail(error, "the swapchain has more than %d images", SWAPCHAIN_MAX_IMAGES);
    }
    swapchain->imageCount = count;
    return result == VK_SUCCESS || engineFailVulkan(error, "vkGetSwapchainImagesKHR", result);
}

static bool createImageObjects(Device *device, Swapchain *swapchain, uint32_t index, EngineError *error) {
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = swapchain->images[index],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = swapchain->format.format,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1},
    };
    VkResult result = vkCreateImageView(device->handle, &view, NULL, &swapchain->views[index]);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkCreateImageView", result);
    }
    VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    result = vkCreateSemaphore(device->handle, &semaphore, NULL, &swapchain->drawn[index]);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkCreateSemaphore", result);
    }
    deviceName(device, VK_OBJECT_TYPE_IMAGE, (uint64_t)swapchain->images[index], "swapchain image");
    deviceName(device, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)swapchain->drawn[index], "swapchain image drawn");
    return true;
}

static bool fill(Device *device, VkSurfaceKHR surface, const VkSurfaceCapabilitiesKHR *capabilities, VkSwapchainKHR old,
                 Swapchain *swapchain, EngineError *error) {
    bool good = swapchainSurfaceFormat(device, surface, &swapchain->format, error) &&
                createHandle(device, surface, capabilities, old, swapchain, error) &&
                getImages(device, swapchain, error);
    for (uint32_t i = 0; good && i < swapchain->imageCount; i++) {
        good = createImageObjects(device, swapchain, i, error);
    }
    return good;
}

bool swapchainRemake(Device *device, VkSurfaceKHR surface, uint32_t width, uint32_t height, Swapchain *swapchain,
                     EngineError *error) {
    VkSurfaceCapabilitiesKHR capabilities;
    VkResult result = vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device->physical, surface, &capabilities);
    if (result != VK_SUCCESS) {
        swapchainDestroy(device, swapchain);
        return engineFailVulkan(error, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR", result);
    }
    Swapchain fresh = {.extent = surfaceExtent(&capabilities, width, height)};
    bool good = true;
    if (fresh.extent.width > 0 && fresh.extent.height > 0) {
        good = fill(device, surface, &capabilities, swapchain->handle, &fresh, error);
    }
    swapchainDestroy(device, swapchain);
    if (!good) {
        swapchainDestroy(device, &fresh);
    }
    *swapchain = fresh;
    return good;
}

void swapchainDestroy(Device *device, Swapchain *swapchain) {
    for (uint32_t i = 0; i < swapchain->imageCount; i++) {
        vkDestroySemaphore(device->handle, swapchain->drawn[i], NULL);
        vkDestroyImageView(device->handle, swapchain->views[i], NULL);
    }
    if (swapchain->handle) {
        vkDestroySwapchainKHR(device->handle, swapchain->handle, NULL);
    }
    *swapchain = (Swapchain){0};
}
