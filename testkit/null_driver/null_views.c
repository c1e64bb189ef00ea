/* Buffers viewed as texels, each of four floats. */
#include "null_calls.h"

#include <inttypes.h>

#define TEXEL_BYTES 16u

static const char *wrongView(const NullDriver *driver, const NullBuffer *buffer, const VkBufferViewCreateInfo *info,
                             VkDeviceSize size) {
    const VkPhysicalDeviceLimits *limits = &driver->settings.limits;
    if (info->format != VK_FORMAT_R32G32B32A32_SFLOAT) {
        return "the format is none that the null driver knows";
    }
    if ((buffer->usage & VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT) == 0) {
        return "the buffer is no texel buffer";
    }
    if (buffer->memory == 0) {
        return "the buffer has no memory";
    }
    if (info->offset % limits->minTexelBufferOffsetAlignment != 0) {
        return "the offset is not aligned";
    }
    if (size == 0 || size % TEXEL_BYTES != 0) {
        return "the range is not of whole texels";
    }
    if (info->offset > buffer->size || size > buffer->size - info->offset) {
        return "the range leaves the buffer";
    }
    return size / TEXEL_BYTES > limits->maxTexelBufferElements ? "the range is larger than the device views" : NULL;
}

static VkResult makeView(NullDriver *driver, const VkBufferViewCreateInfo *info, VkBufferView *view) {
    static const char call[] = "vkCreateBufferView";
    NullObject *buffer = nullFindUsed(driver, NULL_KIND_BUFFER, (uint64_t)info->buffer, call);
    if (buffer == NULL) {
        return VK_ERROR_UNKNOWN;
    }
    VkDeviceSize left = info->offset < buffer->buffer.size ? buffer->buffer.size - info->offset : 0;
    VkDeviceSize size = info->range == VK_WHOLE_SIZE ? left - left % TEXEL_BYTES : info->range;
    const char *wrong = wrongView(driver, &buffer->buffer, info, size);
    if (wrong != NULL) {
        nullFault(driver, "%s: %s (offset %" PRIu64 ", size %" PRIu64 " of %" PRIu64 ")", call, wrong,
                  (uint64_t)info->offset, (uint64_t)size, (uint64_t)buffer->buffer.size);
        return VK_ERROR_UNKNOWN;
    }
    NullObject *object = nullMake(driver, NULL_KIND_BUFFER_VIEW);
    object->view = (NullBufferView){.buffer = buffer->handle, .offset = info->offset, .size = size};
    *view = (VkBufferView)object->handle;
    return VK_SUCCESS;
}

VkResult nullCreateBufferView(VkDevice device, const VkBufferViewCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkBufferView *view) {
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    *view = (VkBufferView)NULL_NO_HANDLE;
    if (!nullFails(driver, &result)) {
        result = makeView(driver, info, view);
    }
    nullUnlock(driver);
    return result;
}

void nullDestroyBufferView(VkDevice device, VkBufferView view, const VkAllocationCallbacks *allocator) {
    (void)allocator;
    nullDestroy(device, NULL_KIND_BUFFER_VIEW, (uint64_t)view, "vkDestroyBufferView");
}
