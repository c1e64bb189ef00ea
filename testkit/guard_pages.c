#include "guard_pages.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXEL_BYTES  16u
#define MAX_BUFFERS  512
#define MAX_COPIES   1024
#define HOST_POINTER VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT

static const char *const extension = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
const GpuRequest guardRequest = {.deviceExtensions = &extension, .deviceExtensionCount = 1};

typedef struct NotedCopy {
    VkBuffer source, target;
    VkBufferCopy region;
} NotedCopy;

static struct {
    Gpu *gpu;
    GuardPlacement placement;
    VkDeviceSize tail; /* bytes of the guard that the driver takes for part of the buffer */
    VkDeviceSize page; /* bytes; the unit of what the system protects and the driver imports */
    GuardBuffer buffers[MAX_BUFFERS];
    uint32_t count;
    NotedCopy copies[MAX_COPIES];
    uint32_t copyCount;
    uint64_t checkedBytes;
    char note[128];
} guard;

static bool isOutput(const GuardBuffer *buffer) {
    return (buffer->usage & VK_BUFFER_USAGE_VERTEX_BUFFER_BIT) != 0;
}

/* "output", "mesh or staged palette", "palette or table" or "staging". */
static const char *kindOf(const GuardBuffer *buffer) {
    if (isOutput(buffer)) {
        return "output";
    }
    return buffer->use == VKSKIN_MEMORY_DEVICE    ? "mesh or staged palette"
           : buffer->use == VKSKIN_MEMORY_DYNAMIC ? "palette or table"
                                                  : "staging";
}

/* ---- A touched guard ---- */

static bool findTouched(const unsigned char *address, char *line, size_t size) {
    for (uint32_t i = 0; i < guard.count; i++) {
        const GuardBuffer *buffer = &guard.buffers[i];
        if (address >= buffer->reserved && address < buffer->reserved + buffer->reservedSize) {
            snprintf(line, size, "%s: byte %lld of a %s buffer of %llu bytes was touched\n", guard.note,
                     (long long)(address - buffer->bytes), kindOf(buffer), (unsigned long long)buffer->size);
            return true;
        }
    }
    return false;
}

/* Runs on the driver's thread or on ours. Nothing can be repaired: prints the place and ends the process. */
static void onFault(int signal, siginfo_t *info, void *context) {
    char line[256];
    (void)context;
    if (!findTouched(info->si_addr, line, sizeof line)) {
        snprintf(line, sizeof line, "%s: signal %d at %p, outside of all buffers\n", guard.note, signal, info->si_addr);
    }
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    _exit(written < 0 ? GUARD_EXIT_STATUS + 1 : GUARD_EXIT_STATUS);
}

void guardStart(Gpu *gpu, GuardPlacement placement) {
    struct sigaction action = {.sa_sigaction = onFault, .sa_flags = SA_SIGINFO};
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &host,
    };
    VkDeviceSize system = (VkDeviceSize)sysconf(_SC_PAGESIZE);
    assert_int_equal(guard.count, 0);
    vkGetPhysicalDeviceProperties2(gpu->physicalDevice, &properties);
    guard.gpu = gpu;
    guard.placement = placement;
    guard.tail = placement == GUARD_BY_LAYER ? 0 : GUARD_REACH;
    guard.page = host.minImportedHostPointerAlignment > system ? host.minImportedHostPointerAlignment : system;
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
    assert_int_equal(sigaction(SIGBUS, &action, NULL), 0);
}

void guardNote(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(guard.note, sizeof guard.note, format, arguments);
    va_end(arguments);
}

const char *guardNoted(void) {
    return guard.note;
}

/* ---- Buffers ---- */

GuardBuffer *guardFind(VkBuffer handle) {
    for (uint32_t i = 0; i < guard.count; i++) {
        if (guard.buffers[i].handle == handle) {
            return &guard.buffers[i];
        }
    }
    fail_msg("a buffer that was not created here");
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL createBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator, VkBuffer *buffer) {
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .pNext = info->pNext,
        .handleTypes = HOST_POINTER,
    };
    VkBufferCreateInfo longer = *info;
    longer.pNext = &external;
    longer.size += guard.tail;
    VkResult result = vkCreateBuffer(device, &longer, allocator, buffer);
    if (result == VK_SUCCESS) {
        assert_true(guard.count < MAX_BUFFERS);
        guard.buffers[guard.count++] = (GuardBuffer){.handle = *buffer, .usage = info->usage, .size = info->size};
    }
    return result;
}

/* SwiftShader fetches for idle lanes too, from anywhere in the view: there the view stays as the library asks. */
static bool isSwiftShader(void) {
    const char *driver = getenv("VKSKIN_TEST_DRIVER");
    return driver != NULL && strcmp(driver, "swiftshader") == 0;
}

/* As far into the guard as the device can view. */
static VKAPI_ATTR VkResult VKAPI_CALL createBufferView(VkDevice device, const VkBufferViewCreateInfo *info,
                                                       const VkAllocationCallbacks *allocator, VkBufferView *view) {
    VkDeviceSize most = guard.gpu->properties.limits.maxTexelBufferElements * (VkDeviceSize)TEXEL_BYTES;
    VkBufferViewCreateInfo longer = *info;
    assert_true(info->offset + info->range <= guardFind(info->buffer)->size);
    VkDeviceSize tail = isSwiftShader() ? 0 : guard.tail;
    longer.range = info->range + tail < most ? info->range + tail : most;
    longer.range -= longer.range % TEXEL_BYTES;
    return vkCreateBufferView(device, &longer, allocator, view);
}

static VKAPI_ATTR void VKAPI_CALL updateDescriptorSets(VkDevice device, uint32_t writeCount,
                                                       const VkWriteDescriptorSet *writes, uint32_t copyCount,
                                                       const VkCopyDescriptorSet *copies) {
    for (uint32_t i = 0; i < writeCount; i++) {
        VkWriteDescriptorSet write = writes[i];
        assert_int_equal(write.descriptorCount, 1);
        if (write.descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER) {
            vkUpdateDescriptorSets(device, 1, &write, 0, NULL); /* the view is longer already */
            continue;
        }
        VkDescriptorBufferInfo range = *write.pBufferInfo;
        const GuardBuffer *buffer = guardFind(range.buffer);
        assert_true(range.offset + range.range <= buffer->size);
        range.range += guard.tail;
        write.pBufferInfo = &range;
        vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    }
    assert_int_equal(copyCount, 0);
    (void)copies;
}

static VKAPI_ATTR void VKAPI_CALL noteCopy(VkCommandBuffer commandBuffer, VkBuffer source, VkBuffer target,
                                           uint32_t regionCount, const VkBufferCopy *regions) {
    for (uint32_t i = 0; i < regionCount; i++) {
        assert_true(guard.copyCount < MAX_COPIES);
        assert_true(regions[i].srcOffset + regions[i].size <= guardFind(source)->size);
        assert_true(regions[i].dstOffset + regions[i].size <= guardFind(target)->size);
        guard.copies[guard.copyCount++] = (NotedCopy){source, target, regions[i]};
    }
    vkCmdCopyBuffer(commandBuffer, source, target, regionCount, regions);
}

/* Buffers are longer than the library asked. What is filled is not expected: see guardAllow. */
static VKAPI_ATTR void VKAPI_CALL fillBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                             VkDeviceSize size, uint32_t word) {
    const VkDeviceSize whole = guardFind(buffer)->size;
    assert_true(size == VK_WHOLE_SIZE ? offset <= whole : offset + size <= whole);
    vkCmdFillBuffer(commandBuffer, buffer, offset, size == VK_WHOLE_SIZE ? whole - offset : size, word);
}

VkskinVulkanFunctions guardFunctions(void) {
    return (VkskinVulkanFunctions){
        .vkCreateBuffer = createBuffer,
        .vkCreateBufferView = createBufferView,
        .vkUpdateDescriptorSets = updateDescriptorSets,
        .vkCmdCopyBuffer = noteCopy,
        .vkCmdFillBuffer = fillBuffer,
    };
}

/* ---- Memory ---- */

static void fill(unsigned char *bytes, size_t size, uint32_t word) {
    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(bytes + i, &word, sizeof word);
    }
}

static VkDeviceSize roundUp(VkDeviceSize value, VkDeviceSize multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* Guard, room, guard. The driver gets the room and the part of the guard after it that `tail` says. */
static void reserve(GuardBuffer *buffer, VkDeviceSize alignment) {
    buffer->roomSize = roundUp(buffer->size, guard.page);
    buffer->reservedSize = buffer->roomSize + 3 * GUARD_REACH;
    buffer->reserved = mmap(NULL, buffer->reservedSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(buffer->reserved != MAP_FAILED);
    buffer->room =
        buffer->reserved + roundUp((uintptr_t)buffer->reserved + GUARD_REACH, guard.page) - (uintptr_t)buffer->reserved;
    assert_int_equal(mprotect(buffer->room, buffer->roomSize, PROT_READ | PROT_WRITE), 0);
    VkDeviceSize last = (buffer->roomSize - buffer->size) / alignment * alignment;
    buffer->bytes = buffer->room + (guard.placement == GUARD_AT_START ? 0 : last);
    fill(buffer->room, buffer->roomSize, GUARD_POISON);
    buffer->expected = malloc(buffer->size);
    assert_non_null(buffer->expected);
}

static VkResult importRoom(GuardBuffer *buffer, VkDeviceSize size, uint32_t type) {
    VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = HOST_POINTER,
        .pHostPointer = buffer->room,
    };
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &import,
        .allocationSize = size,
        .memoryTypeIndex = type,
    };
    return vkAllocateMemory(guard.gpu->device, &info, NULL, &buffer->memory);
}

static VkResult allocateMemory(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block) {
    GuardBuffer *buffer = guardFind(request->buffer);
    VkMemoryHostPointerPropertiesEXT host = {.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    (void)user;
    buffer->use = request->use;
    reserve(buffer, request->requirements.alignment);
    GPU_CHECK(vkGetMemoryHostPointerPropertiesEXT(guard.gpu->device, HOST_POINTER, buffer->room, &host));
    uint32_t type = gpuMemoryType(guard.gpu, request->requirements.memoryTypeBits & host.memoryTypeBits,
                                  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    VkDeviceSize offset = (VkDeviceSize)(buffer->bytes - buffer->room);
    VkDeviceSize size = roundUp(offset + request->requirements.size, guard.page);
    assert_true(buffer->room + size <= buffer->reserved + buffer->reservedSize);
    VkResult result = importRoom(buffer, size, type);
    *block = (VkskinMemoryBlock){
        .memory = buffer->memory,
        .offset = offset,
        .size = request->requirements.size,
        .memoryTypeIndex = type,
        .mapped = buffer->bytes,
    };
    return result;
}

static void freeMemory(void *user, const VkskinMemoryBlock *block) {
    (void)user;
    for (uint32_t i = 0; i < guard.count; i++) {
        GuardBuffer *buffer = &guard.buffers[i];
        if (buffer->memory == block->memory) {
            vkFreeMemory(guard.gpu->device, buffer->memory, NULL);
            assert_int_equal(munmap(buffer->reserved, buffer->reservedSize), 0);
            free(buffer->expected);
            *buffer = guard.buffers[--guard.count];
            return;
        }
    }
    fail_msg("memory freed that was not allocated here");
}

VkskinMemoryCallbacks guardMemory(void) {
    return (VkskinMemoryCallbacks){.allocate = allocateMemory, .free = freeMemory};
}

/* ---- Every byte between the guards ---- */

/* In their order: a copy may read what an earlier one writes. */
static void expectCopies(void) {
    for (uint32_t i = 0; i < guard.copyCount; i++) {
        const NotedCopy *copy = &guard.copies[i];
        memcpy(guardFind(copy->target)->expected + copy->region.dstOffset,
               guardFind(copy->source)->expected + copy->region.srcOffset, copy->region.size);
    }
    guard.copyCount = 0;
}

/* ---- Before the device runs ---- */

void guardSpoilInputs(void) {
    for (uint32_t i = 0; i < guard.count; i++) {
        if (guard.buffers[i].use == VKSKIN_MEMORY_DYNAMIC) {
            fill(guard.buffers[i].bytes, guard.buffers[i].size, GUARD_POISON);
        }
    }
}

void guardArm(void) {
    for (uint32_t i = 0; i < guard.count; i++) {
        if (isOutput(&guard.buffers[i])) {
            fill(guard.buffers[i].bytes, guard.buffers[i].size, GPU_POISON);
        }
        memcpy(guard.buffers[i].expected, guard.buffers[i].bytes, guard.buffers[i].size);
    }
    expectCopies();
}

/* ---- After it ran ---- */

void guardTake(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size, bool whole) {
    const GuardBuffer *buffer = guardFind(handle);
    assert_true(isOutput(buffer) && offset % 4 == 0 && size % 4 == 0 && offset + size <= buffer->size);
    uint32_t *words = (uint32_t *)(void *)(buffer->bytes + offset);
    const uint32_t *expected = (const uint32_t *)(const void *)(buffer->expected + offset);
    for (VkDeviceSize i = 0; i < size / 4; i++) {
        if (whole && words[i] == GPU_POISON) {
            fail_msg("the word at byte %llu of an output buffer was not written", (unsigned long long)(offset + 4 * i));
        }
        words[i] = expected[i];
    }
}

void guardAllow(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size) {
    const GuardBuffer *buffer = guardFind(handle);
    assert_true(offset + size <= buffer->size);
    memcpy(buffer->expected + offset, buffer->bytes + offset, size);
}

static void checkBytes(const GuardBuffer *buffer) {
    guard.checkedBytes += buffer->size;
    if (memcmp(buffer->bytes, buffer->expected, buffer->size) == 0) {
        return;
    }
    VkDeviceSize at = 0;
    while (buffer->bytes[at] == buffer->expected[at]) {
        at++;
    }
    fail_msg("byte %llu of a %s buffer of %llu bytes changed and is not owned", (unsigned long long)at, kindOf(buffer),
             (unsigned long long)buffer->size);
}

/* The rest of the pages around the buffer. */
static void checkRest(const GuardBuffer *buffer, const unsigned char *bytes, size_t size) {
    const uint32_t word = GUARD_POISON;
    const unsigned char *poison = (const unsigned char *)&word;
    guard.checkedBytes += size;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != poison[(size_t)(bytes + i - buffer->room) % sizeof word]) {
            fail_msg("byte %lld, outside of a %s buffer of %llu bytes, changed", (long long)(bytes + i - buffer->bytes),
                     kindOf(buffer), (unsigned long long)buffer->size);
        }
    }
}

void guardCheck(void) {
    for (uint32_t i = 0; i < guard.count; i++) {
        const GuardBuffer *buffer = &guard.buffers[i];
        const unsigned char *end = buffer->bytes + buffer->size;
        checkBytes(buffer);
        checkRest(buffer, buffer->room, (size_t)(buffer->bytes - buffer->room));
        checkRest(buffer, end, (size_t)(buffer->room + buffer->roomSize - end));
    }
}

uint64_t guardCheckedBytes(void) {
    return guard.checkedBytes;
}
