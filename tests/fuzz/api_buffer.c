/* Output buffers of the host in the API fuzzer. */
#include "api_run.h"

#define BUFFER_BYTES 8192u

static void freeBuffer(ApiContext *context, uint32_t index) {
    const VkskinVulkanFunctions *vk = nullDriverFunctions();
    VkDevice device = nullDriverDevice(context->driver);
    vk->vkDestroyBuffer(device, context->buffers[index], NULL);
    vk->vkFreeMemory(device, context->memories[index], NULL);
    context->buffers[index] = VK_NULL_HANDLE;
    context->memories[index] = VK_NULL_HANDLE;
}

void apiFreeBuffers(ApiContext *context) {
    for (uint32_t i = 0; i < API_BUFFERS; i++) {
        freeBuffer(context, i);
    }
}

/* False if the driver fails. */
static bool makeBuffer(ApiContext *context, uint32_t index) {
    const VkskinVulkanFunctions *vk = nullDriverFunctions();
    VkDevice device = nullDriverDevice(context->driver);
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BUFFER_BYTES,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkMemoryRequirements needs;
    VkBuffer buffer = VK_NULL_HANDLE;
    if (vk->vkCreateBuffer(device, &info, NULL, &buffer) != VK_SUCCESS) {
        return false;
    }
    context->buffers[index] = buffer;
    vk->vkGetBufferMemoryRequirements(device, buffer, &needs);
    memory.allocationSize = needs.size;
    VkDeviceMemory block = VK_NULL_HANDLE;
    if (vk->vkAllocateMemory(device, &memory, NULL, &block) != VK_SUCCESS) {
        return false;
    }
    context->memories[index] = block;
    return vk->vkBindBufferMemory(device, buffer, block, 0) == VK_SUCCESS;
}

/* A likely def; one field may have any value. */
static VkskinOutputBufferDef takeDef(ApiRun *run, const ApiContext *context, uint32_t index) {
    FuzzBytes *bytes = &run->bytes;
    const uint8_t kind = fuzzByte(bytes), field = fuzzByte(bytes);
    VkskinOutputBufferDef def = vkskinDefaultOutputBufferDef();
    VkskinStats stats = {0};
    (void)vkskinGetStats(context->context, &stats);
    def.buffer = context->buffers[index];
    def.bufferSize = BUFFER_BYTES;
    def.regionCount = stats.outputRegions + (kind & 1);
    def.regionSize = kind & 2 ? 1024 : 256;
    def.address = kind;
    for (uint32_t i = 0; i < VKSKIN_MAX_OUTPUT_REGIONS; i++) {
        def.offsets[i] = kind & 4 ? 256u * fuzzByte(bytes) : i * def.regionSize;
    }
    switch (field) {
    case 0xf0:
        def.bufferSize = fuzzNumber(bytes);
        break;
    case 0xf1:
        def.regionCount = fuzzNumber(bytes);
        break;
    case 0xf2:
        def.regionSize = fuzzNumber(bytes);
        break;
    case 0xf3:
        def.offsets[kind % VKSKIN_MAX_OUTPUT_REGIONS] = (uint64_t)fuzzNumber(bytes) << (kind & 32);
        break;
    case 0xf4:
        def.cookie = fuzzNumber(bytes);
        break;
    case 0xf5:
        def.buffer = VK_NULL_HANDLE;
        break;
    default:
        break;
    }
    return def;
}

/* The library must have left the buffer that it replaces. */
void apiAddBuffer(ApiRun *run) {
    ApiContext *context = apiContext(run);
    const uint32_t index = fuzzByte(&run->bytes) % API_BUFFERS;
    if (context->context == NULL || context->buffers[index] != VK_NULL_HANDLE) {
        return;
    }
    if (makeBuffer(context, index)) {
        const VkskinOutputBufferDef def = takeDef(run, context, index);
        VkskinOutputBuffer *buffer = &run->outputBuffers[index];
        const bool made = apiCheck(vkskinAddOutputBuffer(context->context, &def, buffer));
        FUZZ_CHECK(made != VKSKIN_IS_NULL(*buffer));
        if (made) {
            return;
        }
    }
    freeBuffer(context, index);
}

/* Frees the host's buffer if the library has left it: the null driver reports its use by a frame that has not run. */
void apiRemoveBuffer(ApiRun *run) {
    ApiContext *context = apiContext(run);
    VkskinOutputBuffer buffer;
    VkskinOutputPage before[2 * API_BUFFERS], after;
    const uint32_t pages = vkskinGetOutputPageCount(context->context);
    const uint32_t count = pages < 2 * API_BUFFERS ? pages : 2 * API_BUFFERS;
    for (uint32_t i = 0; i < count; i++) {
        FUZZ_CHECK(vkskinGetOutputPage(context->context, i, &before[i]) == VKSKIN_SUCCESS);
    }
    apiHandle(run, run->outputBuffers, API_BUFFERS, &buffer);
    if (!apiCheck(vkskinRemoveOutputBuffer(context->context, buffer))) {
        return;
    }
    FUZZ_CHECK(vkskinRemoveOutputBuffer(context->context, buffer) == VKSKIN_ERROR_STALE_HANDLE);
    for (uint32_t i = 0; i < count; i++) {
        FUZZ_CHECK(vkskinGetOutputPage(context->context, i, &after) == VKSKIN_SUCCESS);
        for (uint32_t k = 0; k < API_BUFFERS; k++) {
            if (before[i].buffer != after.buffer && before[i].buffer == context->buffers[k]) {
                freeBuffer(context, k);
            }
        }
    }
}
