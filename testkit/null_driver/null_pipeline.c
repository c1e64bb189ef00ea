/* The null driver: shader modules, pipelines, descriptors and queries. No code is compiled. */
#include <inttypes.h>
#include <string.h>

#include "null_state.h"

static NullObject *makeModule(NullDriver *driver, const VkShaderModuleCreateInfo *info) {
    (void)info;
    return nullMake(driver, NULL_KIND_SHADER_MODULE);
}

NULL_CREATE(ShaderModule, makeModule)
NULL_DESTROY(DestroyShaderModule, VkShaderModule, NULL_KIND_SHADER_MODULE, NULL)

static NullObject *makeLayout(NullDriver *driver, const VkPipelineLayoutCreateInfo *info) {
    static const char call[] = "vkCreatePipelineLayout";
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        (void)nullFindUsed(driver, NULL_KIND_SET_LAYOUT, (uint64_t)info->pSetLayouts[i], call);
    }
    if (info->setLayoutCount > LAYOUT_SET_COUNT) {
        nullFault(driver, "%s: %u sets", call, info->setLayoutCount);
    }
    NullObject *object = nullMake(driver, NULL_KIND_PIPELINE_LAYOUT);
    object->setCount = info->setLayoutCount < LAYOUT_SET_COUNT ? info->setLayoutCount : LAYOUT_SET_COUNT;
    return object;
}

NULL_CREATE(PipelineLayout, makeLayout)
NULL_DESTROY(DestroyPipelineLayout, VkPipelineLayout, NULL_KIND_PIPELINE_LAYOUT, NULL)

static VkPipeline makePipeline(NullDriver *driver, const VkComputePipelineCreateInfo *info) {
    static const char call[] = "vkCreateComputePipelines";
    NullObject *layout = nullFindUsed(driver, NULL_KIND_PIPELINE_LAYOUT, (uint64_t)info->layout, call);
    (void)nullFindUsed(driver, NULL_KIND_SHADER_MODULE, (uint64_t)info->stage.module, call);
    NullObject *object = nullMake(driver, NULL_KIND_PIPELINE);
    object->setCount = layout != NULL ? layout->setCount : 0;
    return (VkPipeline)object->handle;
}

VkResult nullCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                    const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
                                    VkPipeline *pipelines) {
    (void)cache;
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = nullFailure(driver);
    for (uint32_t i = 0; i < count; i++) {
        /* A failed call sets null handles, by the specification. */
        pipelines[i] = result == VK_SUCCESS ? makePipeline(driver, &infos[i]) : VK_NULL_HANDLE;
    }
    nullUnlock(driver);
    return result;
}

NULL_DESTROY(DestroyPipeline, VkPipeline, NULL_KIND_PIPELINE, NULL)

/* ---- Descriptor sets: a storage buffer at binding 0, and maybe a uniform texel buffer at binding 1 ---- */

static NullObject *makeSetLayout(NullDriver *driver, const VkDescriptorSetLayoutCreateInfo *info) {
    NullObject *object = nullMake(driver, NULL_KIND_SET_LAYOUT);
    object->setLayout = (NullDescriptorCounts){1, info->bindingCount - 1};
    return object;
}

NULL_CREATE(DescriptorSetLayout, makeSetLayout)
NULL_DESTROY(DestroyDescriptorSetLayout, VkDescriptorSetLayout, NULL_KIND_SET_LAYOUT, NULL)

static NullObject *makePool(NullDriver *driver, const VkDescriptorPoolCreateInfo *info) {
    NullObject *object = nullMake(driver, NULL_KIND_DESCRIPTOR_POOL);
    object->pool.setsLeft = info->maxSets;
    for (uint32_t i = 0; i < info->poolSizeCount; i++) {
        const VkDescriptorPoolSize *size = &info->pPoolSizes[i];
        bool texels = size->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
        *(texels ? &object->pool.left.texels : &object->pool.left.buffers) += size->descriptorCount;
    }
    return object;
}

static void removeSets(NullDriver *driver, const NullObject *pool) {
    for (uint32_t i = 0; i < driver->slotCount; i++) {
        NullObject *set = nullSlot(driver, i)->object;
        if (set != NULL && set->kind == NULL_KIND_DESCRIPTOR_SET && set->set.pool == pool->handle) {
            nullRemove(driver, set);
        }
    }
}

NULL_CREATE(DescriptorPool, makePool)
NULL_DESTROY(DestroyDescriptorPool, VkDescriptorPool, NULL_KIND_DESCRIPTOR_POOL, removeSets)

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
    VkResult result = nullFailure(driver);
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        sets[i] = VK_NULL_HANDLE; /* the specification: failed calls set null handles */
    }
    if (result == VK_SUCCESS) {
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
    if (buffer->memory == 0) {
        return "the buffer has no memory";
    }
    if (offset % driver->settings.limits.minStorageBufferOffsetAlignment != 0) {
        return "the offset is not aligned";
    }
    if (!nullIsWithin(offset, size, buffer->size)) {
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
    if (write->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
        writeBuffer(driver, &set->set, &write->pBufferInfo[0], call);
    } else {
        NullObject *view = nullFindUsed(driver, NULL_KIND_BUFFER_VIEW, (uint64_t)write->pTexelBufferView[0], call);
        set->set.texels = view != NULL ? view->handle : 0;
    }
}

void nullUpdateDescriptorSets(VkDevice device, uint32_t writeCount, const VkWriteDescriptorSet *writes,
                              uint32_t copyCount, const VkCopyDescriptorSet *copies) {
    (void)copyCount;
    (void)copies;
    NullDriver *driver = nullLockDevice(device);
    for (uint32_t i = 0; i < writeCount; i++) {
        writeSet(driver, &writes[i]);
    }
    nullUnlock(driver);
}

/* ---- Query pools of timestamps ---- */

static NullObject *makeQueryPool(NullDriver *driver, const VkQueryPoolCreateInfo *info) {
    NullObject *object = nullMake(driver, NULL_KIND_QUERY_POOL);
    object->queryPool.count = info->queryCount;
    object->queryPool.queries = nullAllocate(info->queryCount, sizeof *object->queryPool.queries);
    return object;
}

NULL_CREATE(QueryPool, makeQueryPool)
NULL_DESTROY(DestroyQueryPool, VkQueryPool, NULL_KIND_QUERY_POOL, NULL)

/* 64-bit results with availability: the library uses no other flags. */
static VkResult readQueries(NullDriver *driver, const NullQueryPool *pool, uint32_t first, uint32_t count, size_t size,
                            unsigned char *data, VkDeviceSize stride) {
    const VkDeviceSize bytes = 2 * sizeof(uint64_t);
    if (first > pool->count || count > pool->count - first) {
        nullFault(driver, "vkGetQueryPoolResults: queries %u and %u more of %u", first, count, pool->count);
        return VK_ERROR_UNKNOWN;
    }
    if (count > 0 && (stride < bytes || size < bytes || (count - 1) > (size - bytes) / stride)) {
        nullFault(driver, "vkGetQueryPoolResults: %zu bytes are too few for %u queries", size, count);
        return VK_ERROR_UNKNOWN;
    }
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count; i++) {
        const NullQuery *query = &pool->queries[first + i];
        uint64_t values[2] = {query->ticks, query->available};
        memcpy(data + i * stride, values, sizeof values);
        result = query->available ? result : VK_NOT_READY;
    }
    return result;
}

VkResult nullGetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count, size_t size,
                                 void *data, VkDeviceSize stride, VkQueryResultFlags flags) {
    (void)flags;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = nullFailure(driver);
    if (result == VK_SUCCESS) {
        NullObject *object = nullFindUsed(driver, NULL_KIND_QUERY_POOL, (uint64_t)pool, "vkGetQueryPoolResults");
        result = object == NULL ? VK_ERROR_UNKNOWN
                                : readQueries(driver, &object->queryPool, first, count, size, data, stride);
    }
    nullUnlock(driver);
    return result;
}
