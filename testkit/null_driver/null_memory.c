/* The null driver: device memory, buffers and buffer views. */
#include <inttypes.h>

#include "null_state.h"

static VkDeviceSize requiredSize(const NullBuffer *buffer) {
    return (buffer->size + NULL_ALIGNMENT - 1) / NULL_ALIGNMENT * NULL_ALIGNMENT;
}

static const VkMemoryType *typeOf(const NullDriver *driver, const NullMemory *memory) {
    return &driver->settings.memory.memoryTypes[memory->type];
}

static VkResult allocate(NullDriver *driver, const VkMemoryAllocateInfo *info, VkDeviceMemory *handle) {
    const VkPhysicalDeviceMemoryProperties *properties = &driver->settings.memory;
    if (info->allocationSize == 0 || info->memoryTypeIndex >= properties->memoryTypeCount) {
        nullFault(driver, "vkAllocateMemory: %" PRIu64 " bytes of memory type %u", (uint64_t)info->allocationSize,
                  info->memoryTypeIndex);
        return VK_ERROR_UNKNOWN;
    }
    const VkMemoryType *type = &properties->memoryTypes[info->memoryTypeIndex];
    if (info->allocationSize > properties->memoryHeaps[type->heapIndex].size - driver->heapUsed[type->heapIndex]) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    if (driver->alive[NULL_KIND_MEMORY] >= driver->settings.limits.maxMemoryAllocationCount) {
        return VK_ERROR_TOO_MANY_OBJECTS;
    }
    bool shared = (type->propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) == 0 ||
                  (type->propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
    NullObject *object = nullMake(driver, NULL_KIND_MEMORY);
    object->memory = (NullMemory){.size = info->allocationSize, .type = info->memoryTypeIndex};
    object->memory.hostBytes = nullAllocate(info->allocationSize, 1);
    object->memory.deviceBytes = shared ? object->memory.hostBytes : nullAllocate(info->allocationSize, 1);
    driver->heapUsed[type->heapIndex] += info->allocationSize;
    *handle = (VkDeviceMemory)object->handle;
    return VK_SUCCESS;
}

VkResult nullAllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *allocator,
                            VkDeviceMemory *memory) {
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = nullFailure(driver);
    *memory = (VkDeviceMemory)NULL_NO_HANDLE;
    if (result == VK_SUCCESS) {
        result = allocate(driver, info, memory);
    }
    nullUnlock(driver);
    return result;
}

/* Whether a buffer is bound to bytes of the range. */
static bool isBound(const NullDriver *driver, uint64_t memory, VkDeviceSize offset, VkDeviceSize size) {
    for (uint32_t i = 0; i < driver->slotCount; i++) {
        const NullObject *object = nullSlot(driver, i)->object;
        if (object != NULL && object->kind == NULL_KIND_BUFFER && object->buffer.memory == memory &&
            object->buffer.offset < offset + size && offset < object->buffer.offset + requiredSize(&object->buffer)) {
            return true;
        }
    }
    return false;
}

static void checkFree(NullDriver *driver, const NullObject *memory) {
    if (memory->memory.mapped) {
        nullFault(driver, "vkFreeMemory: the memory is still mapped");
    }
    if (isBound(driver, memory->handle, 0, memory->memory.size)) {
        nullFault(driver, "vkFreeMemory: a buffer is still bound to the memory");
    }
}

NULL_DESTROY(FreeMemory, VkDeviceMemory, NULL_KIND_MEMORY, checkFree)

static VkResult map(NullDriver *driver, VkDeviceMemory handle, VkDeviceSize offset, VkDeviceSize size, void **data) {
    NullObject *object = nullFindOwned(driver, NULL_KIND_MEMORY, (uint64_t)handle, "vkMapMemory");
    if (object == NULL) {
        return VK_ERROR_MEMORY_MAP_FAILED;
    }
    NullMemory *memory = &object->memory;
    VkDeviceSize whole = offset < memory->size ? memory->size - offset : 0;
    VkDeviceSize mapped = size == VK_WHOLE_SIZE ? whole : size;
    const char *wrong = NULL;
    if ((typeOf(driver, memory)->propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) == 0) {
        wrong = "the memory is not host-visible";
    } else if (memory->mapped) {
        wrong = "the memory is mapped already";
    } else if (mapped == 0 || mapped > whole) {
        wrong = "the range leaves the memory";
    }
    if (wrong != NULL) {
        nullFault(driver, "vkMapMemory: %s", wrong);
        return VK_ERROR_MEMORY_MAP_FAILED;
    }
    memory->mapped = true;
    memory->mappedOffset = offset;
    memory->mappedSize = mapped;
    *data = memory->hostBytes + offset;
    return VK_SUCCESS;
}

VkResult nullMapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                       VkMemoryMapFlags flags, void **data) {
    (void)flags;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = nullFailure(driver);
    if (result == VK_SUCCESS) {
        result = map(driver, memory, offset, size, data);
    }
    nullUnlock(driver);
    return result;
}

void nullUnmapMemory(VkDevice device, VkDeviceMemory memory) {
    NullDriver *driver = nullLockDevice(device);
    NullObject *object = nullFindOwned(driver, NULL_KIND_MEMORY, (uint64_t)memory, "vkUnmapMemory");
    if (object != NULL && !object->memory.mapped) {
        nullFault(driver, "vkUnmapMemory: the memory is not mapped");
    }
    if (object != NULL) {
        object->memory.mapped = false;
    }
    nullUnlock(driver);
}

/* No memcpy, because ThreadSanitizer watches it: a flush covers whole atoms, and another thread may be writing its own
 * bytes of an atom. */
static void showToDevice(const NullMemory *memory, VkDeviceSize offset, VkDeviceSize size) {
    const volatile unsigned char *host = memory->hostBytes + offset;
    for (VkDeviceSize i = 0; i < size; i++) {
        memory->deviceBytes[offset + i] = host[i];
    }
}

static void showToHost(const NullMemory *memory, VkDeviceSize offset, VkDeviceSize size) {
    for (VkDeviceSize i = 0; i < size; i++) {
        memory->hostBytes[offset + i] = memory->deviceBytes[offset + i];
    }
}

/* move: showToDevice or showToHost */
static void moveRange(NullDriver *driver, const VkMappedMemoryRange *range, const char *call,
                      void (*move)(const NullMemory *, VkDeviceSize, VkDeviceSize)) {
    NullObject *object = nullFindUsed(driver, NULL_KIND_MEMORY, (uint64_t)range->memory, call);
    if (object == NULL) {
        return;
    }
    const NullMemory *memory = &object->memory;
    VkDeviceSize atom = driver->settings.limits.nonCoherentAtomSize;
    VkDeviceSize end = memory->mappedOffset + memory->mappedSize;
    VkDeviceSize room = range->offset < end ? end - range->offset : 0;
    VkDeviceSize size = range->size == VK_WHOLE_SIZE ? room : range->size;
    if (!memory->mapped || range->offset < memory->mappedOffset || size > room) {
        nullFault(driver, "%s: the range leaves what is mapped", call);
        return;
    }
    if (range->offset % atom != 0 || (size % atom != 0 && range->offset + size != memory->size)) {
        nullFault(driver, "%s: the range is not of whole atoms of %" PRIu64 " bytes", call, (uint64_t)atom);
        return;
    }
    if (memory->deviceBytes != memory->hostBytes) {
        move(memory, range->offset, size);
    }
}

static VkResult moveRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges, const char *call,
                           void (*move)(const NullMemory *, VkDeviceSize, VkDeviceSize)) {
    NullDriver *driver = nullLockDevice(device);
    VkResult result = nullFailure(driver);
    if (result == VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++) {
            moveRange(driver, &ranges[i], call, move);
        }
    }
    nullUnlock(driver);
    return result;
}

VkResult nullFlushMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges) {
    return moveRanges(device, count, ranges, "vkFlushMappedMemoryRanges", showToDevice);
}

VkResult nullInvalidateMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges) {
    return moveRanges(device, count, ranges, "vkInvalidateMappedMemoryRanges", showToHost);
}

/* ---- Buffers ---- */

static NullObject *makeBuffer(NullDriver *driver, const VkBufferCreateInfo *info) {
    if (info->size == 0) {
        nullFault(driver, "vkCreateBuffer: no bytes");
    }
    NullObject *object = nullMake(driver, NULL_KIND_BUFFER);
    object->buffer = (NullBuffer){.size = info->size};
    return object;
}

NULL_CREATE(Buffer, makeBuffer)
NULL_DESTROY(DestroyBuffer, VkBuffer, NULL_KIND_BUFFER, NULL)

VkDeviceAddress nullGetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo *info) {
    NullDriver *driver = nullLockDevice(device);
    (void)nullFindUsed(driver, NULL_KIND_BUFFER, (uint64_t)info->buffer, "vkGetBufferDeviceAddress");
    nullUnlock(driver);
    return (VkDeviceAddress)info->buffer;
}

void nullGetBufferMemoryRequirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements *requirements) {
    NullDriver *driver = nullLockDevice(device);
    NullObject *object = nullFindUsed(driver, NULL_KIND_BUFFER, (uint64_t)buffer, "vkGetBufferMemoryRequirements");
    *requirements = (VkMemoryRequirements){
        .size = object != NULL ? requiredSize(&object->buffer) : 0,
        .alignment = NULL_ALIGNMENT,
        .memoryTypeBits = (uint32_t)((UINT64_C(1) << driver->settings.memory.memoryTypeCount) - 1),
    };
    nullUnlock(driver);
}

static VkResult bind(NullDriver *driver, NullObject *buffer, const NullObject *memory, VkDeviceSize offset) {
    VkDeviceSize size = requiredSize(&buffer->buffer);
    const char *wrong = NULL;
    if (buffer->buffer.memory != 0) {
        wrong = "the buffer is bound already";
    } else if (offset % NULL_ALIGNMENT != 0) {
        wrong = "the offset is not aligned";
    } else if (!nullIsWithin(offset, size, memory->memory.size)) {
        wrong = "the buffer leaves the memory";
    } else if (isBound(driver, memory->handle, offset, size)) {
        wrong = "another buffer is bound to these bytes";
    }
    if (wrong != NULL) {
        nullFault(driver, "vkBindBufferMemory: %s", wrong);
        return VK_ERROR_UNKNOWN;
    }
    buffer->buffer.memory = memory->handle;
    buffer->buffer.offset = offset;
    return VK_SUCCESS;
}

VkResult nullBindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
    static const char call[] = "vkBindBufferMemory";
    NullDriver *driver = nullLockDevice(device);
    VkResult result = nullFailure(driver);
    if (result == VK_SUCCESS) {
        NullObject *boundBuffer = nullFindOwned(driver, NULL_KIND_BUFFER, (uint64_t)buffer, call);
        NullObject *boundMemory = nullFindUsed(driver, NULL_KIND_MEMORY, (uint64_t)memory, call);
        result = boundBuffer != NULL && boundMemory != NULL ? bind(driver, boundBuffer, boundMemory, offset)
                                                            : VK_ERROR_UNKNOWN;
    }
    nullUnlock(driver);
    return result;
}

/* ---- Buffer views: texels of four floats ---- */

#define TEXEL_BYTES 16u

static const char *wrongView(const NullDriver *driver, const NullBuffer *buffer, const VkBufferViewCreateInfo *info,
                             VkDeviceSize size) {
    const VkPhysicalDeviceLimits *limits = &driver->settings.limits;
    if (buffer->memory == 0) {
        return "the buffer has no memory";
    }
    if (info->offset % limits->minTexelBufferOffsetAlignment != 0) {
        return "the offset is not aligned";
    }
    if (size == 0 || size % TEXEL_BYTES != 0) {
        return "the range is not of whole texels";
    }
    if (!nullIsWithin(info->offset, size, buffer->size)) {
        return "the range leaves the buffer";
    }
    return size / TEXEL_BYTES > limits->maxTexelBufferElements ? "the range is larger than the device views" : NULL;
}

static NullObject *makeView(NullDriver *driver, const VkBufferViewCreateInfo *info) {
    static const char call[] = "vkCreateBufferView";
    NullObject *buffer = nullFindUsed(driver, NULL_KIND_BUFFER, (uint64_t)info->buffer, call);
    if (buffer == NULL) {
        return NULL;
    }
    VkDeviceSize left = info->offset < buffer->buffer.size ? buffer->buffer.size - info->offset : 0;
    VkDeviceSize size = info->range == VK_WHOLE_SIZE ? left - left % TEXEL_BYTES : info->range;
    const char *wrong = wrongView(driver, &buffer->buffer, info, size);
    if (wrong != NULL) {
        nullFault(driver, "%s: %s (offset %" PRIu64 ", size %" PRIu64 " of %" PRIu64 ")", call, wrong,
                  (uint64_t)info->offset, (uint64_t)size, (uint64_t)buffer->buffer.size);
        return NULL;
    }
    NullObject *object = nullMake(driver, NULL_KIND_BUFFER_VIEW);
    object->view = (NullBufferView){.buffer = buffer->handle, .offset = info->offset, .size = size};
    return object;
}

NULL_CREATE(BufferView, makeView)
NULL_DESTROY(DestroyBufferView, VkBufferView, NULL_KIND_BUFFER_VIEW, NULL)

/* ---- Device memory of the host ---- */

static VkResult allocateBlock(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    NullDriver *driver = user;
    VkDevice device = nullDriverDevice(driver);
    bool local = request->use == VKSKIN_MEMORY_DEVICE;
    VkMemoryPropertyFlags needed = local ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = request->requirements.size};
    nullTouchWrite(&driver->hostMemoryTouched);
    while ((driver->settings.memory.memoryTypes[info.memoryTypeIndex].propertyFlags & needed) == 0) {
        info.memoryTypeIndex++; /* every layout has such a type */
    }
    *block = (VkskinMemoryBlock){.size = info.allocationSize, .memoryTypeIndex = info.memoryTypeIndex};
    VkResult result = nullAllocateMemory(device, &info, NULL, &block->memory);
    if (result == VK_SUCCESS && !local) {
        result = nullMapMemory(device, block->memory, 0, VK_WHOLE_SIZE, 0, &block->mapped);
        if (result != VK_SUCCESS) {
            nullFreeMemory(device, block->memory, NULL);
        }
    }
    block->userData = (void *)block->memory;
    return result;
}

static void freeBlock(void *user, const VkskinMemoryBlock *block) {
    NullDriver *driver = user;
    nullTouchWrite(&driver->hostMemoryTouched);
    nullLock(driver);
    NullObject *memory = nullFindOwned(driver, NULL_KIND_MEMORY, (uint64_t)block->userData, "freeing a block");
    if (memory != NULL) {
        memory->memory.mapped = false;
    }
    nullUnlock(driver);
    nullFreeMemory(nullDriverDevice(driver), (VkDeviceMemory)block->userData, NULL);
}

VkskinMemoryCallbacks nullDriverHostMemory(NullDriver *driver) {
    return (VkskinMemoryCallbacks){allocateBlock, freeBlock, driver};
}
