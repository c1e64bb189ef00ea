/* Query pools of timestamps: ticks of a clock that steps by one at each timestamp. */
#include "null_calls.h"

#include <stdlib.h>
#include <string.h>

VkResult nullCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info, const VkAllocationCallbacks *allocator,
                             VkQueryPool *pool) {
    (void)allocator;
    NullDriver *driver = nullLockDevice(device);
    VkResult result = VK_SUCCESS;
    *pool = (VkQueryPool)NULL_NO_HANDLE;
    if (!nullFails(driver, &result)) {
        if (info->queryCount == 0 || info->queryType != VK_QUERY_TYPE_TIMESTAMP) {
            nullFault(driver, "vkCreateQueryPool: %u queries of type %d", info->queryCount, (int)info->queryType);
        }
        NullObject *object = nullMake(driver, NULL_KIND_QUERY_POOL);
        object->queryPool.count = info->queryCount;
        object->queryPool.queries = nullAllocate(info->queryCount, sizeof *object->queryPool.queries);
        *pool = (VkQueryPool)object->handle;
    }
    nullUnlock(driver);
    return result;
}

void nullDestroyQueryPool(VkDevice device, VkQueryPool pool, const VkAllocationCallbacks *allocator) {
    (void)allocator;
    nullDestroy(device, NULL_KIND_QUERY_POOL, (uint64_t)pool, "vkDestroyQueryPool");
}

/* With 64-bit results and availability: what the library asks for, and all that is known here. */
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
    VkResult result = VK_SUCCESS;
    if (!nullFails(driver, &result)) {
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
