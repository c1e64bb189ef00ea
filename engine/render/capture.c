#include "capture.h"

#include <stdlib.h>

static bool knownFormat(VkFormat format, bool *swapped) {
    *swapped = format == VK_FORMAT_B8G8R8A8_SRGB || format == VK_FORMAT_B8G8R8A8_UNORM;
    return *swapped || format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_R8G8B8A8_UNORM;
}

static void recordCopy(VkCommandBuffer commandBuffer, VkImage image, const Capture *capture) {
    VkBufferImageCopy region = {
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {capture->width, capture->height, 1},
    };
    vkCmdCopyImageToBuffer(commandBuffer, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, capture->buffer.handle, 1,
                           &region);
    /* The semaphore that presenting waits for makes a chain with this barrier, hence a stage after it. */
    ImageBarrier toPresent = {
        .image = image,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
        .srcStages = VK_PIPELINE_STAGE_2_COPY_BIT,
        .srcAccess = VK_ACCESS_2_TRANSFER_READ_BIT,
        .dstStages = VK_PIPELINE_STAGE_2_COPY_BIT,
        .dstAccess = VK_ACCESS_2_NONE,
    };
    imageBarrier(commandBuffer, &toPresent);
    copyToHostBarrier(commandBuffer);
}

bool captureRecord(const Presenter *presenter, const PresenterFrame *frame, Capture *capture, EngineError *error) {
    const Swapchain *swapchain = &presenter->swapchain;
    *capture = (Capture){.width = swapchain->extent.width, .height = swapchain->extent.height};
    if (!swapchain->readable || !knownFormat(swapchain->format.format, &capture->swapped)) {
        *capture = (Capture){0};
        return engineFail(error, "no screenshot: the window's images cannot be read on this device");
    }
    VkDeviceSize size = (VkDeviceSize)capture->width * capture->height * 4;
    if (!bufferCreate(presenter->device, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK, "screenshot",
                      &capture->buffer, error)) {
        *capture = (Capture){0};
        return false;
    }
    recordCopy(frame->frame.commandBuffer, swapchain->images[frame->image], capture);
    return true;
}

static bool copyPixels(const Capture *capture, Picture *picture, EngineError *error) {
    size_t count = (size_t)capture->width * capture->height;
    const uint8_t *source = capture->buffer.mapped;
    uint8_t *pixels = malloc(count * 4);
    if (!pixels) {
        return engineFail(error, "out of memory for the screenshot");
    }
    int red = capture->swapped ? 2 : 0;
    for (size_t i = 0; i < count; i++) {
        pixels[4 * i] = source[4 * i + red];
        pixels[4 * i + 1] = source[4 * i + 1];
        pixels[4 * i + 2] = source[4 * i + 2 - red];
        pixels[4 * i + 3] = 255;
    }
    *picture = (Picture){.width = capture->width, .height = capture->height, .pixels = pixels};
    return true;
}

bool captureTake(Device *device, Capture *capture, Picture *picture, EngineError *error) {
    *picture = (Picture){0};
    bool good = deviceWait(device, error) && copyPixels(capture, picture, error);
    bufferDestroy(device, &capture->buffer);
    *capture = (Capture){0};
    return good;
}
