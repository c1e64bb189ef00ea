/* The interposer's memory: types, heaps, mappings that lose what is not flushed, and the host's own callbacks. */
#include "interposer.h"

#define MAX_MEMORIES 1024
#define MAX_BLOCKS   1024
#define MAX_ARENAS   64
#define ARENA_SIZE   ((VkDeviceSize)1 << 20)

/* What memory holds before anything is written; the host sees other bytes than the device. */
#define DEVICE_POISON 0xa5
#define HOST_POISON   0x5c

typedef struct Memory {
    VkDeviceMemory handle;
    VkDeviceSize size;
    uint32_t type;
    unsigned char *real; /* where the driver mapped it, or null */
    void *copy;          /* what the host writes instead if the type is not coherent */
    bool named;
} Memory;

/* An allocation of the host, from which it hands out blocks. */
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
static uint32_t memoryCount, mappingCount; /* memory of the library; arenas are not counted */
static Arena arenas[MAX_ARENAS];
static uint32_t arenaCount;
static Block blocks[MAX_BLOCKS];
static uint32_t blockCount;

static VkDeviceSize roundUp(VkDeviceSize size, VkDeviceSize step) {
    return (size + step - 1) / step * step;
}

static VkMemoryPropertyFlags flagsOf(uint32_t type) {
    return interposer.memory.memoryTypes[type].propertyFlags;
}

static bool isCoherent(uint32_t type) {
    return (flagsOf(type) & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
}

static Memory *findMemory(VkDeviceMemory handle) {
    for (uint32_t i = 0; i < memoryCount; i++) {
        if (memories[i].handle == handle) {
            return &memories[i];
        }
    }
    interposerViolation("memory that was never allocated, or is freed");
    return NULL;
}

/* ---- Allocations ---- */

static VkResult makeRoom(uint32_t heap, VkDeviceSize size) {
    const InterposerUse *use = &interposer.use;
    if (use->allocations >= interposer.limits.maxMemoryAllocationCount) {
        return VK_ERROR_TOO_MANY_OBJECTS;
    }
    if (use->heapBytes[heap] + size > interposer.memory.memoryHeaps[heap].size) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    return VK_SUCCESS;
}

static VkResult allocate(VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *allocator,
                         VkDeviceMemory *handle) {
    InterposerUse *use = &interposer.use;
    uint32_t type = info->memoryTypeIndex;
    assert_true(memoryCount < MAX_MEMORIES);
    if (type >= interposer.memory.memoryTypeCount) {
        interposerViolation("vkAllocateMemory: type %u of %u", type, interposer.memory.memoryTypeCount);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    uint32_t heap = interposer.memory.memoryTypes[type].heapIndex;
    VkResult result = makeRoom(heap, info->allocationSize);
    if (result != VK_SUCCESS) {
        use->refusedAllocations++;
        return result;
    }
    VkMemoryAllocateInfo real = *info;
    if (interposer.ownTypes) {
        real.memoryTypeIndex = gpuMemoryType(
            interposer.gpu, UINT32_MAX, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    }
    result = vkAllocateMemory(device, &real, allocator, handle);
    if (result == VK_SUCCESS) {
        memories[memoryCount++] = (Memory){.handle = *handle, .size = info->allocationSize, .type = type};
        use->heapBytes[heap] += info->allocationSize;
        use->allocations++;
        use->typeAllocations[type]++;
        use->mostAllocations = use->allocations > use->mostAllocations ? use->allocations : use->mostAllocations;
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                     const VkAllocationCallbacks *allocator, VkDeviceMemory *memory) {
    if (interposerFails(FAULT_AllocateMemory)) {
        *memory = (VkDeviceMemory)INTERPOSER_POISON;
        return interposer.error;
    }
    return allocate(device, info, allocator, memory);
}

static VKAPI_ATTR void VKAPI_CALL freeMemory(VkDevice device, VkDeviceMemory handle,
                                             const VkAllocationCallbacks *allocator) {
    Memory *memory = handle != VK_NULL_HANDLE ? findMemory(handle) : NULL;
    if (memory == NULL) {
        return;
    }
    interposer.use.allocations--;
    interposer.use.heapBytes[interposer.memory.memoryTypes[memory->type].heapIndex] -= memory->size;
    free(memory->copy);
    *memory = memories[--memoryCount];
    vkFreeMemory(device, handle, allocator);
}

/* ---- Mappings ---- */

static VkResult map(VkDevice device, Memory *memory, void **data) {
    VkResult result = vkMapMemory(device, memory->handle, 0, VK_WHOLE_SIZE, 0, data);
    if (result != VK_SUCCESS) {
        return result;
    }
    memory->real = *data;
    if (!isCoherent(memory->type)) {
        VkDeviceSize alignment = interposer.limits.minMemoryMapAlignment;
        memory->copy = aligned_alloc(alignment, roundUp(memory->size, alignment));
        assert_non_null(memory->copy);
        memset(memory->real, DEVICE_POISON, memory->size);
        memset(memory->copy, HOST_POISON, memory->size);
        *data = memory->copy;
    }
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mapMemory(VkDevice device, VkDeviceMemory handle, VkDeviceSize offset,
                                                VkDeviceSize size, VkMemoryMapFlags flags, void **data) {
    if (interposerFails(FAULT_MapMemory)) {
        *data = (void *)(uintptr_t)INTERPOSER_POISON;
        return interposer.error;
    }
    Memory *memory = findMemory(handle);
    assert_true(memory != NULL && offset == 0 && size == VK_WHOLE_SIZE); /* the library maps all or nothing */
    (void)flags;
    if ((flagsOf(memory->type) & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) == 0) {
        interposerViolation("vkMapMemory: memory of type %u is not visible to the host", memory->type);
        return VK_ERROR_MEMORY_MAP_FAILED;
    }
    if (memory->real != NULL) {
        interposerViolation("vkMapMemory: it is mapped");
        return VK_ERROR_MEMORY_MAP_FAILED;
    }
    VkResult result = map(device, memory, data);
    mappingCount += result == VK_SUCCESS;
    return result;
}

static VKAPI_ATTR void VKAPI_CALL unmapMemory(VkDevice device, VkDeviceMemory handle) {
    Memory *memory = findMemory(handle);
    if (memory == NULL || memory->real == NULL) {
        interposerViolation("vkUnmapMemory: not mapped");
        return;
    }
    free(memory->copy);
    memory->copy = NULL;
    memory->real = NULL;
    mappingCount--;
    vkUnmapMemory(device, handle);
}

/* If the host handed out the memory in blocks, a range must stay within one of them. */
static bool isInOneBlock(const VkMappedMemoryRange *range) {
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
    VkDeviceSize atom = interposer.limits.nonCoherentAtomSize;
    VkDeviceSize end = range->offset + range->size;
    const char *wrong = memory->real == NULL                             ? "is not mapped"
                        : end > memory->size                             ? "reaches past the memory's end"
                        : range->offset % atom != 0                      ? "does not start with an atom"
                        : range->size % atom != 0 && end != memory->size ? "does not end with an atom"
                        : !isInOneBlock(range)                           ? "reaches into another block"
                                                                         : NULL;
    if (wrong != NULL) {
        interposerViolation("vkFlushMappedMemoryRanges: %llu bytes from %llu of %llu, atom %llu: %s",
                            (unsigned long long)range->size, (unsigned long long)range->offset,
                            (unsigned long long)memory->size, (unsigned long long)atom, wrong);
    }
    return wrong == NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL invalidateMappedMemoryRanges(VkDevice device, uint32_t rangeCount,
                                                                   const VkMappedMemoryRange *ranges) {
    (void)device;
    if (interposerFails(FAULT_InvalidateMappedMemoryRanges)) {
        return interposer.error;
    }
    for (uint32_t i = 0; i < rangeCount; i++) {
        Memory *memory = findMemory(ranges[i].memory);
        if (memory != NULL && checkFlush(memory, &ranges[i]) && memory->copy != NULL) {
            memcpy((char *)memory->copy + ranges[i].offset, memory->real + ranges[i].offset, ranges[i].size);
        }
    }
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL flushMappedMemoryRanges(VkDevice device, uint32_t rangeCount,
                                                              const VkMappedMemoryRange *ranges) {
    (void)device;
    if (interposerFails(FAULT_FlushMappedMemoryRanges)) {
        return interposer.error;
    }
    for (uint32_t i = 0; i < rangeCount; i++) {
        VkMappedMemoryRange range = ranges[i];
        Memory *memory = findMemory(range.memory);
        if (memory != NULL && range.size == VK_WHOLE_SIZE) {
            range.size = memory->size - range.offset;
        }
        if (memory == NULL || !checkFlush(memory, &range)) {
            continue;
        }
        interposer.use.flushes++;
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
    VkDeviceSize alignment = interposer.limits.minStorageBufferOffsetAlignment;
    requirements->alignment = requirements->alignment < alignment ? alignment : requirements->alignment;
    if (interposer.ownTypes) {
        requirements->memoryTypeBits = (1u << interposer.memory.memoryTypeCount) - 1;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL bindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory handle,
                                                       VkDeviceSize offset) {
    VkMemoryRequirements requirements;
    if (interposerFails(FAULT_BindBufferMemory)) {
        return interposer.error;
    }
    getBufferMemoryRequirements(device, buffer, &requirements);
    const Memory *memory = findMemory(handle);
    if (offset % requirements.alignment != 0 || memory == NULL || offset + requirements.size > memory->size) {
        interposerViolation("vkBindBufferMemory: %llu bytes at %llu, alignment %llu",
                            (unsigned long long)requirements.size, (unsigned long long)offset,
                            (unsigned long long)requirements.alignment);
        return VK_ERROR_UNKNOWN;
    }
    return vkBindBufferMemory(device, buffer, handle, offset);
}

void interposerMemoryFunctions(VkskinVulkanFunctions *functions) {
    functions->vkAllocateMemory = allocateMemory;
    functions->vkFreeMemory = freeMemory;
    functions->vkMapMemory = mapMemory;
    functions->vkUnmapMemory = unmapMemory;
    functions->vkFlushMappedMemoryRanges = flushMappedMemoryRanges;
    functions->vkInvalidateMappedMemoryRanges = invalidateMappedMemoryRanges;
    functions->vkGetBufferMemoryRequirements = getBufferMemoryRequirements;
    functions->vkBindBufferMemory = bindBufferMemory;
}

/* ---- The host's own device memory ---- */

static uint32_t chooseType(VkskinMemoryUse use) {
    uint32_t chosen = UINT32_MAX;
    for (uint32_t i = 0; i < interposer.memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags needed =
            use == VKSKIN_MEMORY_DEVICE ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
        if ((flagsOf(i) & needed) != 0 && (chosen == UINT32_MAX || (isCoherent(chosen) && !isCoherent(i)))) {
            chosen = i;
        }
    }
    assert_true(chosen != UINT32_MAX);
    return chosen;
}

static VkResult addArena(uint32_t type, VkDeviceSize size, Arena **arena) {
    VkDevice device = interposer.gpu->device;
    assert_true(arenaCount < MAX_ARENAS);
    *arena = &arenas[arenaCount];
    **arena = (Arena){.size = size > ARENA_SIZE ? size : ARENA_SIZE, .type = type};
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = (*arena)->size,
        .memoryTypeIndex = type,
    };
    VkResult result = allocate(device, &info, NULL, &(*arena)->memory);
    if (result != VK_SUCCESS) {
        return result;
    }
    arenaCount++;
    if ((flagsOf(type) & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0) {
        void *mapped;
        GPU_CHECK(map(device, findMemory((*arena)->memory), &mapped));
        (*arena)->mapped = mapped;
    }
    return VK_SUCCESS;
}

static VkResult findArena(uint32_t type, VkDeviceSize size, VkDeviceSize step, Arena **arena) {
    for (uint32_t i = 0; i < arenaCount; i++) {
        if (arenas[i].type == type && roundUp(arenas[i].used, step) + size <= arenas[i].size) {
            *arena = &arenas[i];
            return VK_SUCCESS;
        }
    }
    return addArena(type, size, arena);
}

static VkResult hostAllocate(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    VkDeviceSize atom = interposer.limits.nonCoherentAtomSize;
    VkDeviceSize step = request->requirements.alignment > atom ? request->requirements.alignment : atom;
    VkDeviceSize size = roundUp(request->requirements.size, step);
    Arena *arena;
    (void)user;
    if (interposerFails(FAULT_HOST_ALLOCATE)) {
        memset(block, 0x5c, sizeof *block);
        return interposer.error;
    }
    assert_true(blockCount < MAX_BLOCKS);
    VkResult result = findArena(chooseType(request->use), size, step, &arena);
    if (result != VK_SUCCESS) {
        return result;
    }
    arena->used = roundUp(arena->used, step);
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

/* The arenas stay until the end: no part of one is handed out twice. */
static void hostFree(void *user, const VkskinMemoryBlock *block) {
    (void)user;
    for (uint32_t i = 0; i < blockCount; i++) {
        if (blocks[i].memory == block->memory && blocks[i].offset == block->offset) {
            blocks[i] = blocks[--blockCount];
            return;
        }
    }
    interposerViolation("VkskinMemoryCallbacks.free: a block that was never handed out");
}

VkskinMemoryCallbacks interposerMemory(void) {
    return (VkskinMemoryCallbacks){hostAllocate, hostFree, NULL};
}

uint32_t interposerMemoryObjects(void) {
    return memoryCount - arenaCount + mappingCount + blockCount;
}

void interposerMemoryNamed(uint64_t handle) {
    for (uint32_t i = 0; i < memoryCount; i++) {
        memories[i].named = memories[i].named || (uint64_t)memories[i].handle == handle;
    }
}

uint32_t interposerMemoryNameless(void) {
    uint32_t nameless = 0;
    for (uint32_t i = 0; i < memoryCount; i++) {
        nameless += !memories[i].named;
    }
    return nameless;
}

void interposerMemoryForget(void) {
    while (arenaCount > 0) {
        freeMemory(interposer.gpu->device, arenas[--arenaCount].memory, NULL);
    }
    memoryCount = mappingCount = blockCount = 0;
}
