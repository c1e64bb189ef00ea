#include "presenter.h"

#include <stdlib.h>

/* ---- Swapchain: format ---- */

static bool find(const VkSurfaceFormatKHR *formats, uint32_t count, VkFormat format, VkSurfaceFormatKHR *found) {
    for (uint32_t i = 0; i < count; i++) {
        if (formats[i].format == format && formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
            *found = formats[i];
            return true;
        }
    }
    return false;
}

VkSurfaceFormatKHR swapchainChooseFormat(const VkSurfaceFormatKHR *formats, uint32_t count, bool plain) {
    static const VkFormat wanted[] = {
        VK_FORMAT_B8G8R8A8_SRGB,
        VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_B8G8R8A8_UNORM,
        VK_FORMAT_R8G8B8A8_UNORM,
    };
    VkSurfaceFormatKHR chosen = plain ? (VkSurfaceFormatKHR){VK_FORMAT_UNDEFINED, formats[0].colorSpace} : formats[0];
    for (size_t i = plain ? 2 : 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (find(formats, count, wanted[i], &chosen)) {
            break;
        }
    }
    return chosen;
}

bool swapchainSurfaceFormat(Device *device, VkSurfaceKHR surface, bool plain, VkSurfaceFormatKHR *chosen,
                            EngineError *error) {
    static const char call[] = "vkGetPhysicalDeviceSurfaceFormatsKHR";
    uint32_t count = 0;
    if (!engineVulkan(error, call, vkGetPhysicalDeviceSurfaceFormatsKHR(device->physical, surface, &count, NULL))) {
        return false;
    }
    VkSurfaceFormatKHR *formats = engineAllocate(count, sizeof *formats, error);
    if (!formats) {
        return false;
    }
    VkResult result = vkGetPhysicalDeviceSurfaceFormatsKHR(device->physical, surface, &count, formats);
    bool good = result == VK_INCOMPLETE || engineVulkan(error, call, result); /* incomplete: some formats */
    if (good && count > 0) {
        *chosen = swapchainChooseFormat(formats, count, plain);
    }
    free(formats);
    return good && (count > 0 || engineFail(error, "the window's surface offers no format")) &&
           (chosen->format != VK_FORMAT_UNDEFINED ||
            engineFail(error, "the window's surface offers no format of 8 bits without sRGB encoding"));
}

/* ---- Swapchain: creation ---- */

static uint32_t clampCount(uint32_t value, uint32_t low, uint32_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Width UINT32_MAX means that the swapchain decides the surface's size. */
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
    return (VkCompositeAlphaFlagBitsKHR)(there & (~there + 1)); /* the lowest bit; at least one is set */
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
    swapchain->handle = result == VK_SUCCESS ? swapchain->handle : VK_NULL_HANDLE;
    return engineVulkan(error, "vkCreateSwapchainKHR", result);
}

static bool getImages(Device *device, Swapchain *swapchain, EngineError *error) {
    uint32_t count = SWAPCHAIN_MAX_IMAGES;
    VkResult result = vkGetSwapchainImagesKHR(device->handle, swapchain->handle, &count, swapchain->images);
    if (result == VK_INCOMPLETE) {
        return engineFail(error, "the swapchain has more than %d images", SWAPCHAIN_MAX_IMAGES);
    }
    swapchain->imageCount = count;
    return engineVulkan(error, "vkGetSwapchainImagesKHR", result);
}

static bool createSemaphore(Device *device, const char *name, VkSemaphore *semaphore, EngineError *error) {
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    if (!engineVulkan(error, "vkCreateSemaphore", vkCreateSemaphore(device->handle, &info, NULL, semaphore))) {
        return false;
    }
    deviceName(device, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)*semaphore, name);
    return true;
}

static bool createImageObjects(Device *device, Swapchain *swapchain, uint32_t index, EngineError *error) {
    VkImage image = swapchain->images[index];
    deviceName(device, VK_OBJECT_TYPE_IMAGE, (uint64_t)image, "swapchain image");
    return imageCreateView(device, image, swapchain->format.format, VK_IMAGE_ASPECT_COLOR_BIT, 1,
                           &swapchain->views[index], error) &&
           createSemaphore(device, "swapchain image drawn", &swapchain->drawn[index], error);
}

static bool fill(Device *device, VkSurfaceKHR surface, const VkSurfaceCapabilitiesKHR *capabilities, VkSwapchainKHR old,
                 Swapchain *swapchain, EngineError *error) {
    bool good = swapchainSurfaceFormat(device, surface, swapchain->plain, &swapchain->format, error) &&
                createHandle(device, surface, capabilities, old, swapchain, error) &&
                getImages(device, swapchain, error);
    for (uint32_t i = 0; good && i < swapchain->imageCount; i++) {
        good = createImageObjects(device, swapchain, i, error);
    }
    return good;
}

static void destroySwapchain(Device *device, Swapchain *swapchain) {
    for (uint32_t i = 0; i < swapchain->imageCount; i++) {
        vkDestroySemaphore(device->handle, swapchain->drawn[i], NULL);
        vkDestroyImageView(device->handle, swapchain->views[i], NULL);
    }
    if (swapchain->handle) {
        vkDestroySwapchainKHR(device->handle, swapchain->handle, NULL);
    }
    *swapchain = (Swapchain){0};
}

/*
 * Recreates the swapchain with FIFO presentation. Its images have the surface's size, or `width` by `height` if the
 * surface has no size. Destroys the old swapchain, also on failure; the device must no longer use it. If the surface
 * has no area, returns true with a zero swapchain.
 */
static bool remakeSwapchain(Device *device, VkSurfaceKHR surface, uint32_t width, uint32_t height, Swapchain *swapchain,
                            EngineError *error) {
    VkSurfaceCapabilitiesKHR capabilities;
    VkResult result = vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device->physical, surface, &capabilities);
    if (!engineVulkan(error, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR", result)) {
        destroySwapchain(device, swapchain);
        return false;
    }
    Swapchain fresh = {.plain = swapchain->plain, .extent = surfaceExtent(&capabilities, width, height)};
    bool good = true;
    if (fresh.extent.width > 0 && fresh.extent.height > 0) {
        good = fill(device, surface, &capabilities, swapchain->handle, &fresh, error);
    }
    destroySwapchain(device, swapchain);
    if (!good) {
        destroySwapchain(device, &fresh);
    }
    *swapchain = fresh;
    return good;
}

/* ---- Presenter ---- */

#define ACQUIRE_TIMEOUT 100000000ull /* nanoseconds */

static bool createSemaphores(Presenter *presenter, EngineError *error) {
    bool made = true;
    for (uint32_t i = 0; i <= FRAMES_IN_FLIGHT && made; i++) {
        made = createSemaphore(presenter->device, "image acquired", &presenter->acquired[i], error);
    }
    return made;
}

/* windowPresents chose the family before the surface existed. This check is the reliable one. */
static bool checkPresents(const Device *device, VkSurfaceKHR surface, EngineError *error) {
    VkBool32 presents = VK_FALSE;
    VkResult result = vkGetPhysicalDeviceSurfaceSupportKHR(device->physical, device->family, surface, &presents);
    return engineVulkan(error, "vkGetPhysicalDeviceSurfaceSupportKHR", result) &&
           (presents || engineFail(error, "%s cannot present to this window", device->info.name));
}

bool presenterCreate(Device *device, Window *window, bool plain, Presenter *presenter, EngineError *error) {
    *presenter = (Presenter){.device = device, .window = window, .swapchain.plain = plain, .stale = true};
    presenter->surface = windowSurface(window, device->instance, error);
    bool good = presenter->surface && checkPresents(device, presenter->surface, error) &&
                framesCreate(device, &presenter->frames, error) && createSemaphores(presenter, error);
    if (!good) {
        presenterDestroy(presenter);
    }
    return good;
}

void presenterDestroy(Presenter *presenter) {
    Device *device = presenter->device;
    if (!device) {
        return;
    }
    vkDeviceWaitIdle(device->handle); /* failures are ignored: a lost device is destroyed the same way */
    for (uint32_t i = 0; i <= FRAMES_IN_FLIGHT; i++) {
        vkDestroySemaphore(device->handle, presenter->acquired[i], NULL);
    }
    framesDestroy(&presenter->frames);
    targetDestroy(device, &presenter->target);
    destroySwapchain(device, &presenter->swapchain);
    vkDestroySurfaceKHR(device->instance, presenter->surface, NULL);
    *presenter = (Presenter){0};
}

static bool remake(Presenter *presenter, EngineError *error) {
    Device *device = presenter->device;
    if (!deviceWait(device, error)) {
        return false;
    }
    targetDestroy(device, &presenter->target);
    if (!remakeSwapchain(device, presenter->surface, presenter->width, presenter->height, &presenter->swapchain,
                         error)) {
        return false;
    }
    presenter->stale = false;
    if (!presenter->swapchain.handle) {
        return true;
    }
    TargetDef def = {.width = presenter->swapchain.extent.width,
                     .height = presenter->swapchain.extent.height,
                     .colourFormat = presenter->swapchain.format.format};
    return targetCreate(device, &def, &presenter->target, error);
}

/* Makes swapchain and target fit the window. */
static PresenterState fit(Presenter *presenter, EngineError *error) {
    uint32_t width, height;
    if (!windowShown(presenter->window, &width, &height)) {
        return PRESENTER_HIDDEN;
    }
    if (width != presenter->width || height != presenter->height || !presenter->swapchain.handle) {
        presenter->stale = true;
    }
    presenter->width = width;
    presenter->height = height;
    if (presenter->stale && !remake(presenter, error)) {
        return PRESENTER_FAILED;
    }
    return presenter->swapchain.handle ? PRESENTER_READY : PRESENTER_HIDDEN;
}

/*
 * VK_SUBOPTIMAL_KHR counts as success. A new window size is detected by comparing sizes. Other reasons may persist, and
 * a new swapchain per frame would not remove them.
 */
static PresenterState acquire(Presenter *presenter, PresenterFrame *frame, EngineError *error) {
    frame->acquired = presenter->acquired[presenter->nextAcquired];
    VkResult result = vkAcquireNextImageKHR(presenter->device->handle, presenter->swapchain.handle, ACQUIRE_TIMEOUT,
                                            frame->acquired, VK_NULL_HANDLE, &frame->image);
    switch (result) {
    case VK_SUCCESS:
    case VK_SUBOPTIMAL_KHR:
        presenter->nextAcquired = (presenter->nextAcquired + 1) % (FRAMES_IN_FLIGHT + 1);
        return PRESENTER_READY;
    case VK_ERROR_OUT_OF_DATE_KHR:
        presenter->stale = true;
        return PRESENTER_BUSY;
    case VK_TIMEOUT:
    case VK_NOT_READY:
        return PRESENTER_BUSY;
    default:
        engineVulkan(error, "vkAcquireNextImageKHR", result);
        return PRESENTER_FAILED;
    }
}

PresenterState presenterBegin(Presenter *presenter, PresenterFrame *frame, EngineError *error) {
    *frame = (PresenterFrame){0};
    PresenterState state = fit(presenter, error);
    if (state == PRESENTER_READY) {
        state = acquire(presenter, frame, error);
    }
    if (state == PRESENTER_READY && !framesBegin(&presenter->frames, &frame->frame, error)) {
        state = PRESENTER_FAILED;
    }
    return state;
}

TargetImage presenterImage(const Presenter *presenter, const PresenterFrame *frame, bool capture) {
    return (TargetImage){.image = presenter->swapchain.images[frame->image],
                         .view = presenter->swapchain.views[frame->image],
                         .before = IMAGE_PRESENTED,
                         .after = capture ? IMAGE_COPY_SOURCE : IMAGE_PRESENTED};
}

bool presenterEnd(Presenter *presenter, PresenterFrame *frame, EngineError *error) {
    FrameSync sync = {.wait = frame->acquired,
                      .waitStages = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                      .signal = presenter->swapchain.drawn[frame->image]};
    if (!framesEnd(&presenter->frames, &frame->frame, &sync, error)) {
        return false;
    }
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .waitSemaphoreCount = 1,
                             .pWaitSemaphores = &sync.signal,
                             .swapchainCount = 1,
                             .pSwapchains = &presenter->swapchain.handle,
                             .pImageIndices = &frame->image};
    VkResult result = vkQueuePresentKHR(presenter->device->queue, &info);
    if (result == VK_ERROR_OUT_OF_DATE_KHR) {
        presenter->stale = true;
        return true;
    }
    return result >= 0 || engineVulkan(error, "vkQueuePresentKHR", result);
}

/* ---- Capture ---- */

static bool knownFormat(VkFormat format, bool *swapped) {
    *swapped = format == VK_FORMAT_B8G8R8A8_SRGB || format == VK_FORMAT_B8G8R8A8_UNORM;
    return *swapped || format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_R8G8B8A8_UNORM;
}

bool captureRecord(const Presenter *presenter, const PresenterFrame *frame, Capture *capture, EngineError *error) {
    const Swapchain *swapchain = &presenter->swapchain;
    *capture = (Capture){.width = swapchain->extent.width, .height = swapchain->extent.height};
    if (!swapchain->readable || !knownFormat(swapchain->format.format, &capture->swapped)) {
        *capture = (Capture){0};
        return engineFail(error, "no picture: the window's images cannot be read on this device");
    }
    VkDeviceSize size = (VkDeviceSize)capture->width * capture->height * 4;
    if (!bufferCreateReadback(presenter->device, size, "picture", &capture->buffer, error)) {
        *capture = (Capture){0};
        return false;
    }
    VkCommandBuffer commandBuffer = frame->frame.commandBuffer;
    VkImage image = swapchain->images[frame->image];
    recordPixels(commandBuffer, image, capture->width, capture->height, &capture->buffer);
    imageBarrier(commandBuffer, image, IMAGE_COPY_SOURCE, IMAGE_PRESENTED);
    return true;
}

bool captureTake(Device *device, Capture *capture, Picture *picture, EngineError *error) {
    *picture = (Picture){0};
    bool good = deviceWait(device, error) &&
                pictureFrom(&capture->buffer, capture->width, capture->height, capture->swapped, picture, error);
    bufferDestroy(device, &capture->buffer);
    *capture = (Capture){0};
    return good;
}
