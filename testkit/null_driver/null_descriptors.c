/* Descriptors: sets of one storage buffer, at binding 0, some with a uniform texel buffer besides, at binding 1. */
#include "null_calls.h"

#include <inttypes.h>

static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
#define BINDINGS (sizeof types / sizeof types[0])

static bool isKnown(const VkDescriptorSetLayoutCreateInfo *info) {
    bool known = info->bindingCount >= 1 && info->bindingCount <= BINDINGS;
    for (uint32_t i = 0; known && i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];
        known = binding->binding == i && binding->descriptorCount == 1 && binding->descriptorType == types[i];
    }
    return known;
}

VkResult nullCreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                                       const VkAllocationCallbacks *allocator, VkDescriptorSetLayout *layout) {
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    *layout = (VkDescriptorSetLayout)NULL_NO_HANDLE;
    if (!nullFails(driver, &result)) {
        bool known = isKnown(info);
        if (!known) {
            nullFault(driver, "vkCreateDescriptorSetLayout: other than a storage buffer at 0 and a texel buffer at 1");
        }
        NullObject *object = nullMake(driver, NULL_KIND_SET_LAYOUT);
        object->setLayout = (NullDescriptorCounts){known, known && info->bindingCount == BINDINGS};
        *layout = (VkDescriptorSetLayout)object->handle;
    }
    nullUnlock(driver);
    return result;
}

void nullDestroyDescriptorSetLayout(VkDevice device, VkDescriptorSetLayout layout,
                                    const VkAllocationCallbacks *allocator) {
    (void)allocator;
    nullDestroy(device, NULL_KIND_SET_LAYOUT, (uint64_t)layout, "vkDestroyDescriptorSetLayout");
}

VkResult nullCreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkDescriptorPool *pool) {
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    *pool = (VkDescriptorPool)NULL_NO_HANDLE;
    if (!nullFails(driver, &result)) {
        if (info->maxSets == 0) {
            nullFault(driver, "vkCreateDescriptorPool: no sets");
        }
        NullObject *object = nullMake(driver, NULL_KIND_DESCRIPTOR_POOL);
        object->pool.setsLeft = info->maxSets;
        for (uint32_t i = 0; i < info->poolSizeCount; i++) {
            const VkDescriptorPoolSize *size = &info->pPoolSizes[i];
            object->pool.left.buffers += size->type == types[0] ? size->descriptorCount : 0;
            object->pool.left.texels += size->type == types[1] ? size->descriptorCount : 0;
        }
        *pool = (VkDescriptorPool)object->handle;
    }
    nullUnlock(driver);
    return result;
}

void nullDestroyDescriptorPool(VkDevice device, VkDescriptorPool pool, const VkAllocationCallbacks *allocator) {
    (void)allocator;
    static const char call[] = "vkDestroyDescriptorPool";
    NullDriver *driver = nullLockDevice(device);
    NullObject *object =
        pool == VK_NULL_HANDLE ? NULL : nullFindOwned(driver, NULL_KIND_DESCRIPTOR_POOL, (uint64_t)pool, call);
    for (uint32_t i = 0; object != NULL && i < driver->slotCount; i++) {
        NullObject *set = nullSlot(driver, i)->object;
        if (set != NULL && set->kind == NULL_KIND_DESCRIPTOR_SET && set->set.pool == (uint64_t)pool) {
            nullRemove(driver, set);
        }
    }
    if (object != NULL) {
        nullRemove(driver, object);
    }
    nullUnlock(driver);
}

static VkResult allocateSet(NullDriver *driver, NullObject *pool, VkDescriptorSetLayout layoutHandle,
                            VkDescriptorSet *set) {
    NullObject *layout = nullFindUsed(driver, NULL_KIND_SET_LAYOUT, (uint64_t)layoutHandle, "vkAllocateDescriptorSets");
    if (layout == NULL) {
        return VK_ERROR_UNKNOWN;
    }
    const NullDescriptorCounts *counts = &layout->setLayout;
    NullDescriptorCounts *left = &pool->pool.left;
    if (pool->pool.setsLeft == 0 || left->buffers < counts->buffers || left->texels < counts->texels) {
        return VK_ERROR_OUT_OF_POOL_MEMORY;
    }
    pool->pool.setsLeft--;
    left->buffers -= counts->buffers;
    left->texels -= counts->texels;
    NullObject *object = nullMake(driver, NULL_KIND_DESCRIPTOR_SET);
    object->set.pool = pool->handle;
    object->set.counts = *counts;
    *set = (VkDescriptorSet)object->handle;
    return VK_SUCCESS;
}

VkResult nullAllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets) {
    static const char call[] = "vkAllocateDescriptorSets";
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        sets[i] = VK_NULL_HANDLE; /* which a failed call leaves, by the specification */
    }
    if (!nullFails(driver, &result)) {
        NullObject *pool = nullFindOwned(driver, NULL_KIND_DESCRIPTOR_POOL, (uint64_t)info->descriptorPool, call);
        result = pool == NULL ? VK_ERROR_UNKNOWN : VK_SUCCESS;
        for (uint32_t i = 0; result == VK_SUCCESS && i < info->descriptorSetCount; i++) {
            result = allocateSet(driver, pool, info->pSetLayouts[i], &sets[i]);
        }
    }
    nullUnlock(driver);
    return result;
}

static const char *wrongRange(const NullDriver *driver, const NullBuffer *buffer, VkDeviceSize offset,
                              VkDeviceSize size) {
    if ((buffer->usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) == 0) {
        return "the buffer is no storage buffer";
    }
    if (buffer->memory == 0) {
        return "the buffer has no memory";
    }
    if (offset % driver->settings.limits.minStorageBufferOffsetAlignment != 0) {
        return "the offset is not aligned";
    }
    if (size == 0 || offset > buffer->size || size > buffer->size - offset) {
        return "the range leaves the buffer";
    }
    return size > driver->settings.limits.maxStorageBufferRange ? "the range is larger than the device binds" : NULL;
}

static void writeBuffer(NullDriver *driver, NullDescriptorSet *set, const VkDescriptorBufferInfo *info,
                        const char *call) {
    NullObject *buffer = nullFindUsed(driver, NULL_KIND_BUFFER, (uint64_t)info->buffer, call);
    if (buffer == NULL) {
        return;
    }
    VkDeviceSize size = info->range == VK_WHOLE_SIZE ? buffer->buffer.size - info->offset : info->range;
    const char *wrong = wrongRange(driver, &buffer->buffer, info->offset, size);
    if (wrong != NULL) {
        nullFault(driver, "%s: %s (offset %" PRIu64 ", size %" PRIu64 " of %" PRIu64 ")", call, wrong,
                  (uint64_t)info->offset, (uint64_t)size, (uint64_t)buffer->buffer.size);
        return;
    }
    set->buffer = buffer->handle;
    set->offset = info->offset;
    set->size = size;
}

static void writeSet(NullDriver *driver, const VkWriteDescriptorSet *write) {
    static const char call[] = "vkUpdateDescriptorSets";
    NullObject *set = nullFindOwned(driver, NULL_KIND_DESCRIPTOR_SET, (uint64_t)write->dstSet, call);
    if (set == NULL) {
        return;
    }
    uint32_t bindings = set->set.counts.buffers + set->set.counts.texels;
    if (write->dstBinding >= bindings || write->dstArrayElement != 0 || write->descriptorCount != 1 ||
        write->descriptorType != types[write->dstBinding]) {
        nullFault(driver, "%s: other than one descriptor of the set's layout, of type %d at binding %u", call,
                  (int)write->descriptorType, write->dstBinding);
    } else if (write->dstBinding == 0) {
        writeBuffer(driver, &set->set, &write->pBufferInfo[0], call);
    } else {
        NullObject *view = nullFindUsed(driver, NULL_KIND_BUFFER_VIEW, (uint64_t)write->pTexelBufferView[0], call);
        set->set.texels = view != NULL ? view->handle : 0;
    }
}

void nullUpdateDescriptorSets(VkDevice device, uint32_t writeCount, const VkWriteDescriptorSet *writes,
                              uint32_t copyCount, const VkCopyDescriptorSet *copies) {
    (void)copies;
    NullDriver *driver = nullLockDevice(device);
    if (copyCount > 0) {
        nullFault(driver, "vkUpdateDescriptorSets: copies, which the null driver does not know");
    }
    for (uint32_t i = 0; i < writeCount; i++) {
        writeSet(driver, &writes[i]);
    }
    nullUnlock(driver);
}
