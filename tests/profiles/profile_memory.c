/* The memory of a pretended device: types, heaps, and mappings that lose what is not flushed. */
#include <stdlib.h>
#include <string.h>

#include "profile_shim.h"

#define MAX_MEMORIES 1024
#define MAX_BUFFERS  2048
#define MAX_BLOCKS   1024
#define MAX_ARENAS   64
#define ARENA_SIZE   ((VkDeviceSize)4 << 20)

/* What memory holds that nobody wrote; the host sees other bytes than the device. */
#define DEVICE_POISON 0xa5
#define HOST_POISON   0x5c

typedef struct Memory {
    VkDeviceMemory handle;
    VkDeviceSize size;
    uint32_t type;
    unsigned char *real; /* where the driver mapped it, or null */
    void *copy;          /* what the host writes instead, where the type is not coherent */
} Memory;

typedef struct SizedBuffer {
    VkBuffer handle;
    VkDeviceSize size;
} SizedBuffer;

/* An allocation of the host's, and what it gave of it. */
typedef struct Arena {
    VkDeviceMemory memory;
    VkDeviceSize size, used;
    uint32_t type;
    char *mapped;
} Arena;

typedef struct Block {
    VkDeviceMemory memory;
    VkDeviceSize offset, size;
} Block;

static Memory memories[MAX_MEMORIES];
static uint32_t memoryCount;
static SizedBuffer buffers[MAX_BUFFERS];
static uint32_t bufferCount;
static Arena arenas[MAX_ARENAS];
static uint32_t arenaCount;
static Block blocks[MAX_BLOCKS];
static uint32_t blockCount;

static VkDeviceSize roundUp(VkDeviceSize size, VkDeviceSize step) {
    return (size + step - 1) / step * step;
}

static VkMemoryPropertyFlags flagsOf(uint32_t type) {
    return profileShim.memory.memoryTypes[type].propertyFlags;
}

static bool coherent(uint32_t type) {
    return (flagsOf(type) & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
}

static Memory *findMemory(VkDeviceMemory handle) {
    for (uint32_t i = 0; i < memoryCount; i++) {
        if (memories[i].handle == handle) {
            return &memories[i];
        }
    }
    profileViolation("memory that was never allocated, or freed already");
    return NULL;
}

/* ---- Buffers ---- */

void profileBufferMade(VkBuffer buffer, VkDeviceSize size) {
    assert_true(bufferCount < MAX_BUFFERS);
    buffers[bufferCount++] = (SizedBuffer){buffer, size};
}

void profileBufferGone(VkBuffer buffer) {
    for (uint32_t i = 0; i < bufferCount; i++) {
        if (buffers[i].handle == buffer) {
            buffers[i] = buffers[--bufferCount];
            return;
        }
    }
    profileViolation("vkDestroyBuffer: a buffer that was never made");
}

VkDeviceSize profileBufferSize(VkBuffer buffer) {
    for (uint32_t i = 0; i < bufferCount; i++) {
        if (buffers[i].handle == buffer) {
            return buffers[i].size;
        }
    }
    profileViolation("a buffer that was never made, or destroyed already");
    return 0;
}

/* ---- Allocations ---- */

static VkResult makeRoom(uint32_t heap, VkDeviceSize size) {
    ProfileUse *use = &profileShim.use;
    if (use->allocations >= profileShim.limits.maxMemoryAllocationCount) {
        return VK_ERROR_TOO_MANY_OBJECTS;
    }
    if (use->heapBytes[heap] + size > profileShim.memory.memoryHeaps[heap].size) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    return VK_SUCCESS;
}

static void count(const Memory *memory) {
    ProfileUse *use = &profileShim.use;
    uint32_t heap = profileShim.memory.memoryTypes[memory->type].heapIndex;
    use->heapBytes[heap] += memory->size;
    use->allocations++;
    use->typeAllocations[memory->type]++;
    if (use->allocations > use->mostAllocations) {
        use->mostAllocations = use->allocations;
    }
    if (use->heapBytes[heap] > use->mostHeapBytes[heap]) {
        use->mostHeapBytes[heap] = use->heapBytes[heap];
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL allocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                     const VkAllocationCallbacks *allocator, VkDeviceMemory *memory) {
    uint32_t type = info->memoryTypeIndex;
    assert_true(memoryCount < MAX_MEMORIES);
    if (type >= profileShim.memory.memoryTypeCount) {
        profileViolation("vkAllocateMemory: type %u of %u", type, profileShim.memory.memoryTypeCount);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkResult result = makeRoom(profileShim.memory.memoryTypes[type].heapIndex, info->allocationSize);
    if (result != VK_SUCCESS) {
        profileShim.use.refusedAllocations++;
        return result;
    }
    VkMemoryAllocateInfo real = *info;
    real.memoryTypeIndex = profileShim.profile->typeCount > 0 ? profileShim.backing : type;
    result = vkAllocateMemory(device, &real, allocator, memory);
    if (result == VK_SUCCESS) {
        memories[memoryCount] = (Memory){.handle = *memory, .size = info->allocationSize, .type = type};
        count(&memories[memoryCount++]);
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL freeMemory(VkDevice device, VkDeviceMemory handle,
                                             const VkAllocationCallbacks *allocator) {
    Memory *memory = findMemory(handle);
    if (memory == NULL) {
        return;
    }
    profileShim.use.allocations--;
    profileShim.use.heapBytes[profileShim.memory.memoryTypes[memory->type].heapIndex] -= memory->size;
    free(memory->copy);
    *memory = memories[--memoryCount];
    vkFreeMemory(device, handle, allocator);
}

/* ---- Mappings ---- */

static VKAPI_ATTR VkResult VKAPI_CALL mapMemory(VkDevice device, VkDeviceMemory handle, VkDeviceSize offset,
                                                VkDeviceSize size, VkMemoryMapFlags flags, void **data) {
    Memory *memory = findMemory(handle);
    assert_true(memory != NULL && offset == 0 && size == VK_WHOLE_SIZE); /* the library maps all or nothing */
    if ((flagsOf(memory->type) & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) == 0) {
        profileViolation("vkMapMemory: memory of type %u is not the host's to see", memory->type);
        return VK_ERROR_MEMORY_MAP_FAILED;
    }
    if (memory->real != NULL) {
        profileViolation("vkMapMemory: mapped already");
        return VK_ERROR_MEMORY_MAP_FAILED;
    }
    VkResult result = vkMapMemory(device, handle, offset, size, flags, data);
    if (result == VK_SUCCESS) {
        memory->real = *data;
    }
    if (result == VK_SUCCESS && !coherent(memory->type)) {
        VkDeviceSize alignment = profileShim.limits.minMemoryMapAlignment;
        memory->copy = aligned_alloc(alignment, roundUp(memory->size, alignment));
        assert_non_null(memory->copy);
        memset(memory->real, DEVICE_POISON, memory->size);
        memset(memory->copy, HOST_POISON, memory->size);
        *data = memory->copy;
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL unmapMemory(VkDevice device, VkDeviceMemory handle) {
    Memory *memory = findMemory(handle);
    if (memory == NULL || memory->real == NULL) {
        profileViolation("vkUnmapMemory: not mapped");
        return;
    }
    free(memory->copy);
    memory->copy = NULL;
    memory->real = NULL;
    vkUnmapMemory(device, handle);
}

/* Where the host gave the memory in blocks, a range must not reach into the neighbours. */
static bool inOneBlock(const VkMappedMemoryRange *range) {
    bool blockwise = false;
    for (uint32_t i = 0; i < blockCount; i++) {
        const Block *block = &blocks[i];
        blockwise = blockwise || block->memory == range->memory;
        if (block->memory == range->memory && block->offset <= range->offset &&
            range->offset + range->size <= block->offset + block->size) {
            return true;
        }
    }
    return !blockwise;
}

static bool checkFlush(const Memory *memory, const VkMappedMemoryRange *range) {
    VkDeviceSize atom = profileShim.limits.nonCoherentAtomSize;
    VkDeviceSize end = range->offset + range->size;
    const char *wrong = memory->real == NULL                             ? "is not mapped"
                        : end > memory->size                             ? "reaches past the memory's end"
                        : range->offset % atom != 0                      ? "does not start with an atom"
                        : range->size % atom != 0 && end != memory->size ? "does not end with an atom"
                        : !inOneBlock(range)                             ? "reaches into another block"
                                                                         : NULL;
    if (wrong != NULL) {
        profileViolation("vkFlushMappedMemoryRanges: %llu bytes from %llu of %llu, atom %llu: %s",
                         (unsigned long long)range->size, (unsigned long long)range->offset,
                         (unsigned long long)memory->size, (unsigned long long)atom, wrong);
    }
    return wrong == NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL flushMappedMemoryRanges(VkDevice device, uint32_t rangeCount,
                                                              const VkMappedMemoryRange *ranges) {
    (void)device;
    for (uint32_t i = 0; i < rangeCount; i++) {
        VkMappedMemoryRange range = ranges[i];
        Memory *memory = findMemory(range.memory);
        if (memory != NULL && range.size == VK_WHOLE_SIZE) {
            range.size = memory->size - range.offset;
        }
        if (memory == NULL || !checkFlush(memory, &range)) {
            continue;
        }
        profileShim.use.flushes++;
        profileShim.use.flushedBytes += range.size;
        if (memory->copy != NULL) {
            memcpy(memory->real + range.offset, (char *)memory->copy + range.offset, range.size);
        }
    }
    return VK_SUCCESS;
}

/* ---- Requirements ---- */

static VKAPI_ATTR void VKAPI_CALL getBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                              VkMemoryRequirements *requirements) {
    vkGetBufferMemoryRequirements(device, buffer, requirements);
    VkDeviceSize alignment = profileShim.limits.minStorageBufferOffsetAlignment;
    requirements->alignment = requirements->alignment < alignment ? alignment : requirements->alignment;
    if (profileShim.profile->typeCount > 0) {
        requirements->memoryTypeBits = (1u << profileShim.profile->typeCount) - 1;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL bindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory handle,
                                                       VkDeviceSize offset) {
    VkMemoryRequirements requirements;
    getBufferMemoryRequirements(device, buffer, &requirements);
    const Memory *memory = findMemory(handle);
    if (offset % requirements.alignment != 0 || memory == NULL || offset + requirements.size > memory->size) {
        profileViolation("vkBindBufferMemory: %llu bytes at %llu, alignment %llu",
                         (unsigned long long)requirements.size, (unsigned long long)offset,
                         (unsigned long long)requirements.alignment);
        return VK_ERROR_UNKNOWN;
    }
    return vkBindBufferMemory(device, buffer, handle, offset);
}

void profileMemoryFunctions(VkskinVulkanFunctions *functions) {
    functions->vkAllocateMemory = allocateMemory;
    functions->vkFreeMemory = freeMemory;
    functions->vkMapMemory = mapMemory;
    functions->vkUnmapMemory = unmapMemory;
    functions->vkFlushMappedMemoryRanges = flushMappedMemoryRanges;
    functions->vkGetBufferMemoryRequirements = getBufferMemoryRequirements;
    functions->vkBindBufferMemory = bindBufferMemory;
}

/* ---- The host's own memory ---- */

static uint32_t chooseType(VkskinMemoryUse use) {
    uint32_t chosen = UINT32_MAX;
    for (uint32_t i = 0; i < profileShim.memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags needed =
            use == VKSKIN_MEMORY_DEVICE ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
        if ((flagsOf(i) & needed) != 0 && (chosen == UINT32_MAX || (coherent(chosen) && !coherent(i)))) {
            chosen = i;
        }
    }
    assert_true(chosen != UINT32_MAX);
    return chosen;
}

static VkResult addArena(uint32_t type, VkDeviceSize size, Arena **arena) {
    assert_true(arenaCount < MAX_ARENAS);
    *arena = &arenas[arenaCount];
    **arena = (Arena){.size = size > ARENA_SIZE ? size : ARENA_SIZE, .type = type};
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = (*arena)->size,
        .memoryTypeIndex = type,
    };
    VkResult result = allocateMemory(profileShim.gpu->device, &info, NULL, &(*arena)->memory);
    if (result != VK_SUCCESS) {
        return result;
    }
    arenaCount++;
    if ((flagsOf(type) & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0) {
        void *mapped;
        GPU_CHECK(mapMemory(profileShim.gpu->device, (*arena)->memory, 0, VK_WHOLE_SIZE, 0, &mapped));
        (*arena)->mapped = mapped;
    }
    return VK_SUCCESS;
}

static VkResult findArena(uint32_t type, VkDeviceSize size, Arena **arena) {
    for (uint32_t i = 0; i < arenaCount; i++) {
        if (arenas[i].type == type && arenas[i].size - arenas[i].used >= size) {
            *arena = &arenas[i];
            return VK_SUCCESS;
        }
    }
    return addArena(type, size, arena);
}

static VkResult hostAllocate(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    VkDeviceSize atom = profileShim.limits.nonCoherentAtomSize;
    VkDeviceSize step = request->requirements.alignment > atom ? request->requirements.alignment : atom;
    VkDeviceSize size = roundUp(request->requirements.size, step);
    Arena *arena;
    (void)user;
    assert_true(blockCount < MAX_BLOCKS);
    VkResult result = findArena(chooseType(request->use), size, &arena);
    if (result != VK_SUCCESS) {
        return result;
    }
    *block = (VkskinMemoryBlock){
        .memory = arena->memory,
        .offset = arena->used,
        .size = size,
        .memoryTypeIndex = arena->type,
        .mapped = arena->mapped != NULL ? arena->mapped + arena->used : NULL,
    };
    blocks[blockCount++] = (Block){arena->memory, arena->used, size};
    arena->used += size;
    return VK_SUCCESS;
}

/* The arenas stay until the end: what lies in them is not given twice. */
static void hostFree(void *user, const VkskinMemoryBlock *block) {
    (void)user;
    for (uint32_t i = 0; i < blockCount; i++) {
        if (blocks[i].memory == block->memory && blocks[i].offset == block->offset) {
            blocks[i] = blocks[--blockCount];
            return;
        }
    }
    profileViolation("VkskinMemoryCallbacks.free: a block that was never given");
}

VkskinMemoryCallbacks profileShimMemory(void) {
    return (VkskinMemoryCallbacks){hostAllocate, hostFree, NULL};
}

uint32_t profileMemoryForget(void) {
    uint32_t left = blockCount + bufferCount;
    while (arenaCount > 0) {
        freeMemory(profileShim.gpu->device, arenas[--arenaCount].memory, NULL);
    }
    left += memoryCount;
    memoryCount = 0;
    bufferCount = 0;
    blockCount = 0;
    return left;
}
