#include "presenter.h"

#define ACQUIRE_TIMEOUT 100000000ull /* nanoseconds */

static bool createSemaphores(Presenter *presenter, EngineError *error) {
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    for (uint32_t i = 0; i <= presenter->frames.count; i++) {
        VkResult result = vkCreateSemaphore(presenter->device->handle, &info, NULL, &presenter->acquired[i]);
        if (result != VK_SUCCESS) {
            return engineFailVulkan(error, "vkCreateSemaphore", result);
        }
        deviceName(presenter->device, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)presenter->acquired[i], "image acquired");
    }
    return true;
}

/* The family was asked for before there was a surface; this is the word that counts. */
static bool checkPresents(const Device *device, VkSurfaceKHR surface, EngineError *error) {
    VkBool32 presents = VK_FALSE;
    VkResult result = vkGetPhysicalDeviceSurfaceSupportKHR(device->physical, device->family, surface, &presents);
    if (result != VK_SUCCESS) {
        return engineFailVulkan(error, "vkGetPhysicalDeviceSurfaceSupportKHR", result);
    }
    return presents || engineFail(error, "%s cannot present to this window", device->info.name);
}

bool presenterCreate(Device *device, Window *window, uint32_t framesInFlight, Presenter *presenter,
                     EngineError *error) {
    *presenter = (Presenter){.device = device, .window = window, .stale = true};
    presenter->surface = windowSurface(window, device->instance, error);
    bool good = presenter->surface && checkPresents(device, presenter->surface, error) &&
                framesCreate(device, framesInFlight, &presenter->frames, error) && createSemaphores(presenter, error);
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
    vkDeviceWaitIdle(device->handle); /* a lost device is destroyed like any other */
    for (uint32_t i = 0; i <= FRAMES_MAX; i++) {
        vkDestroySemaphore(device->handle, presenter->acquired[i], NULL);
    }
    framesDestroy(&presenter->frames);
    targetDestroy(device, &presenter->target);
    swapchainDestroy(device, &presenter->swapchain);
    vkDestroySurfaceKHR(device->instance, presenter->surface, NULL);
    *presenter = (Presenter){0};
}

static bool remake(Presenter *presenter, EngineError *error) {
    Device *device = presenter->device;
    if (!deviceWait(device, error)) {
        return false;
    }
    targetDestroy(device, &presenter->target);
    if (!swapchainRemake(device, presenter->surface, presenter->width, presenter->height, &presenter->swapchain,
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
 * VK_SUBOPTIMAL_KHR is taken as success: a window that got another size is noticed by its size, and other reasons
 * may last, where making the swapchain again for each frame would not help.
 */
static PresenterState acquire(Presenter *presenter, PresenterFrame *frame, EngineError *error) {
    frame->acquired = presenter->acquired[presenter->nextAcquired];
    VkResult result = vkAcquireNextImageKHR(presenter->device->handle, presenter->swapchain.handle, ACQUIRE_TIMEOUT,
                                            frame->acquired, VK_NULL_HANDLE, &frame->image);
    switch (result) {
    case VK_SUCCESS:
    case VK_SUBOPTIMAL_KHR:
        presenter->nextAcquired = (presenter->nextAcquired + 1) % (presenter->frames.count + 1);
        return PRESENTER_READY;
    case VK_ERROR_OUT_OF_DATE_KHR:
        presenter->stale = true;
        return PRESENTER_BUSY;
    case VK_TIMEOUT:
    case VK_NOT_READY:
        return PRESENTER_BUSY;
    default:
        engineFailVulkan(error, "vkAcquireNextImageKHR", result);
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

TargetImage presenterImage(const Presenter *presenter, const PresenterFrame *frame, VkImageLayout finalLayout) {
    return (TargetImage){.image = presenter->swapchain.images[frame->image],
                         .view = presenter->swapchain.views[frame->image],
                         .finalLayout = finalLayout};
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
    return result >= 0 || engineFailVulkan(error, "vkQueuePresentKHR", result);
}
