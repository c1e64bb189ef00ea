/* The null driver: shader modules, pipelines, descriptors and queries. No code is compiled. */
#include <inttypes.h>
#include <string.h>

#include "null_state.h"

#define SPIRV_MAGIC UINT32_C(0x07230203)

static NullObject *makeModule(NullDriver *driver, const VkShaderModuleCreateInfo *info) {
    if (info->codeSize < sizeof(uint32_t) || info->codeSize % sizeof(uint32_t) != 0 || info->pCode[0] != SPIRV_MAGIC) {
        nullFault(driver, "vkCreateShaderModule: %zu bytes that are not SPIR-V", info->codeSize);
    }
    return nullMake(driver, NULL_KIND_SHADER_MODULE);
}

NULL_CREATE(ShaderModule, makeModule)
NULL_DESTROY(DestroyShaderModule, VkShaderModule, NULL_KIND_SHADER_MODULE, NULL)

static uint32_t pushBytes(const VkPipelineLayoutCreateInfo *info) {
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        uint32_t end = info->pPushConstantRanges[i].offset + info->pPushConstantRanges[i].size;
        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}

static NullObject *makeLayout(NullDriver *driver, const VkPipelineLayoutCreateInfo *info) {
    static const char call[] = "vkCreatePipelineLayout";
    const VkPhysicalDeviceLimits *limits = &driver->settings.limits;
    NullPipelineLayout layout = {.pushBytes = pushBytes(info)};
    uint32_t buffers = 0, texels = 0;
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        NullObject *set = nullFindUsed(driver, NULL_KIND_SET_LAYOUT, (uint64_t)info->pSetLayouts[i], call);
        NullDescriptorCounts counts = set != NULL ? set->setLayout : (NullDescriptorCounts){0};
        buffers += counts.buffers;
        texels += counts.texels;
        if (i < NULL_MAX_SETS) {
            layout.sets[layout.setCount++] = counts;
        }
    }
    if (info->setLayoutCount > limits->maxBoundDescriptorSets || info->setLayoutCount > NULL_MAX_SETS) {
        nullFault(driver, "%s: %u sets, the device binds %u", call, info->setLayoutCount,
                  limits->maxBoundDescriptorSets);
    }
    if (buffers > limits->maxPerStageDescriptorStorageBuffers) {
        nullFault(driver, "%s: %u storage buffers, the device binds %u", call, buffers,
                  limits->maxPerStageDescriptorStorageBuffers);
    }
    if (texels > limits->maxPerStageDescriptorSampledImages) {
        nullFault(driver, "%s: %u texel buffers, the device binds %u", call, texels,
                  limits->maxPerStageDescriptorSampledImages);
    }
    if (layout.pushBytes > limits->maxPushConstantsSize || layout.pushBytes > NULL_MAX_PUSH_WORDS * sizeof(uint32_t)) {
        nullFault(driver, "%s: %u bytes of push constants, the device has %u", call, layout.pushBytes,
                  limits->maxPushConstantsSize);
    }
    NullObject *object = nullMake(driver, NULL_KIND_PIPELINE_LAYOUT);
    object->pipelineLayout = layout;
    return object;
}

NULL_CREATE(PipelineLayout, makeLayout)
NULL_DESTROY(DestroyPipelineLayout, VkPipelineLayout, NULL_KIND_PIPELINE_LAYOUT, NULL)

static VkPipeline makePipeline(NullDriver *driver, const VkComputePipelineCreateInfo *info) {
    static const char call[] = "vkCreateComputePipelines";
    NullObject *layout = nullFindUsed(driver, NULL_KIND_PIPELINE_LAYOUT, (uint64_t)info->layout, call);
    (void)nullFindUsed(driver, NULL_KIND_SHADER_MODULE, (uint64_t)info->stage.module, call);
    NullObject *object = nullMake(driver, NULL_KIND_PIPELINE);
    object->pipelineLayout = layout != NULL ? layout->pipelineLayout : (NullPipelineLayout){0};
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

static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
#define BINDINGS COUNT_OF(types)

static bool isKnown(const VkDescriptorSetLayoutCreateInfo *info) {
    bool known = info->bindingCount >= 1 && info->bindingCount <= BINDINGS;
    for (uint32_t i = 0; known && i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];
        known = binding->binding == i && binding->descriptorCount == 1 && binding->descriptorType == types[i];
    }
    return known;
}

static NullObject *makeSetLayout(NullDriver *driver, const VkDescriptorSetLayoutCreateInfo *info) {
    bool known = isKnown(info);
    if (!known) {
        nullFault(driver, "vkCreateDescriptorSetLayout: other than a storage buffer at 0 and a texel buffer at 1");
    }
    NullObject *object = nullMake(driver, NULL_KIND_SET_LAYOUT);
    object->setLayout = (NullDescriptorCounts){known, known && info->bindingCount == BINDINGS};
    return object;
}

NULL_CREATE(DescriptorSetLayout, makeSetLayout)
NULL_DESTROY(DestroyDescriptorSetLayout, VkDescriptorSetLayout, NULL_KIND_SET_LAYOUT, NULL)

static NullObject *makePool(NullDriver *driver, const VkDescriptorPoolCreateInfo *info) {
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
        sets[i] = VK_NULL_HANDLE; /* a failed call sets null handles, by the specification */
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
    if ((buffer->usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) == 0) {
        return "the buffer is not a storage buffer";
    }
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
        nullFault(driver, "vkUpdateDescriptorSets: copies are not supported by the null driver");
    }
    for (uint32_t i = 0; i < writeCount; i++) {
        writeSet(driver, &writes[i]);
    }
    nullUnlock(driver);
}

/* ---- Query pools of timestamps ---- */

static NullObject *makeQueryPool(NullDriver *driver, const VkQueryPoolCreateInfo *info) {
    if (info->queryCount == 0 || info->queryType != VK_QUERY_TYPE_TIMESTAMP) {
        nullFault(driver, "vkCreateQueryPool: %u queries of type %d", info->queryCount, (int)info->queryType);
    }
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
    static const char call[] = "vkGetQueryPoolResults";
    NullDriver *driver = nullLockDevice(device);
    VkResult result = nullFailure(driver);
    if (result == VK_SUCCESS) {
        NullObject *object = nullFindUsed(driver, NULL_KIND_QUERY_POOL, (uint64_t)pool, call);
        if (flags != (VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)) {
            nullFault(driver, "%s: flags 0x%x", call, flags);
        }
        result = object == NULL ? VK_ERROR_UNKNOWN
                                : readQueries(driver, &object->queryPool, first, count, size, data, stride);
    }
    nullUnlock(driver);
    return result;
}
