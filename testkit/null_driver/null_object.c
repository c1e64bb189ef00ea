#include "null_commands.h"

#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MAGIC   UINT32_C(0x6e756c6c)
#define NO_SLOT UINT32_MAX

/* A handle: kind 8 bits, driver 16, generation 16, place 24. */
#define PLACE_BITS                 24
#define GENERATION_BITS            16
#define SERIAL_BITS                16
#define FIELD(handle, shift, bits) ((uint32_t)((handle) >> (shift)) & ((1u << (bits)) - 1u))
#define PLACE_OF(handle)           FIELD(handle, 0, PLACE_BITS)
#define GENERATION_OF(handle)      FIELD(handle, PLACE_BITS, GENERATION_BITS)
#define SERIAL_OF(handle)          FIELD(handle, PLACE_BITS + GENERATION_BITS, SERIAL_BITS)
#define KIND_OF(handle)            ((uint32_t)((handle) >> (PLACE_BITS + GENERATION_BITS + SERIAL_BITS)))

static const char *const kindNames[NULL_KIND_COUNT] = {
    [NULL_KIND_MEMORY] = "VkDeviceMemory",
    [NULL_KIND_BUFFER] = "VkBuffer",
    [NULL_KIND_BUFFER_VIEW] = "VkBufferView",
    [NULL_KIND_SHADER_MODULE] = "VkShaderModule",
    [NULL_KIND_SET_LAYOUT] = "VkDescriptorSetLayout",
    [NULL_KIND_PIPELINE_LAYOUT] = "VkPipelineLayout",
    [NULL_KIND_PIPELINE] = "VkPipeline",
    [NULL_KIND_DESCRIPTOR_POOL] = "VkDescriptorPool",
    [NULL_KIND_DESCRIPTOR_SET] = "VkDescriptorSet",
    [NULL_KIND_QUERY_POOL] = "VkQueryPool",
};

NullKind nullKindOf(VkObjectType type) {
    switch (type) {
    case VK_OBJECT_TYPE_DEVICE_MEMORY:
        return NULL_KIND_MEMORY;
    case VK_OBJECT_TYPE_BUFFER:
        return NULL_KIND_BUFFER;
    case VK_OBJECT_TYPE_BUFFER_VIEW:
        return NULL_KIND_BUFFER_VIEW;
    case VK_OBJECT_TYPE_SHADER_MODULE:
        return NULL_KIND_SHADER_MODULE;
    case VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT:
        return NULL_KIND_SET_LAYOUT;
    case VK_OBJECT_TYPE_PIPELINE_LAYOUT:
        return NULL_KIND_PIPELINE_LAYOUT;
    case VK_OBJECT_TYPE_PIPELINE:
        return NULL_KIND_PIPELINE;
    case VK_OBJECT_TYPE_DESCRIPTOR_POOL:
        return NULL_KIND_DESCRIPTOR_POOL;
    case VK_OBJECT_TYPE_DESCRIPTOR_SET:
        return NULL_KIND_DESCRIPTOR_SET;
    case VK_OBJECT_TYPE_QUERY_POOL:
        return NULL_KIND_QUERY_POOL;
    default:
        return NULL_KIND_COUNT;
    }
}

void *nullAllocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "null driver: no host memory for %zu times %zu bytes\n", count, size);
        abort();
    }
    return memory;
}

/* A spin lock of its own, as ThreadSanitizer knows every mutex: see null_touch.h. */
void nullLock(NullDriver *driver) {
    while (atomic_flag_test_and_set_explicit(&driver->lock, memory_order_acquire)) {
        sched_yield();
    }
}

void nullUnlock(NullDriver *driver) {
    atomic_flag_clear_explicit(&driver->lock, memory_order_release);
}

static NullDriver *lockDispatchable(const NullDispatchable *handle, const char *kind) {
    if (handle == NULL || handle->magic != MAGIC) {
        fprintf(stderr, "null driver: %p is no %s of its own\n", (const void *)handle, kind);
        abort();
    }
    nullLock(handle->driver);
    return handle->driver;
}

NullDriver *nullLockInstance(VkInstance instance) {
    return lockDispatchable((const NullDispatchable *)instance, "VkInstance");
}

NullDriver *nullLockPhysicalDevice(VkPhysicalDevice physicalDevice) {
    return lockDispatchable((const NullDispatchable *)physicalDevice, "VkPhysicalDevice");
}

NullDriver *nullLockDevice(VkDevice device) {
    return lockDispatchable((const NullDispatchable *)device, "VkDevice");
}

void nullFault(NullDriver *driver, const char *format, ...) {
    char text[NULL_FAULT_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (driver->faults++ == 0) {
        snprintf(driver->firstFault, sizeof driver->firstFault, "%s", text);
    }
    if (driver->settings.aborts) {
        fprintf(stderr, "null driver: %s\n", text);
        abort();
    }
}

bool nullFails(NullDriver *driver, VkResult *result) {
    if (driver->failIn == 0 || --driver->failIn > 0) {
        return false;
    }
    driver->failed = true;
    *result = driver->failure;
    return true;
}

static uint32_t takeSlot(NullDriver *driver) {
    if (driver->firstFree != NO_SLOT) {
        uint32_t place = driver->firstFree;
        driver->firstFree = nullSlot(driver, place)->nextFree;
        return place;
    }
    uint32_t block = driver->slotCount / NULL_BLOCK_SLOTS;
    if (block == NULL_MAX_BLOCKS) {
        fprintf(stderr, "null driver: no room for more than %u objects\n", driver->slotCount);
        abort();
    }
    if (driver->blocks[block] == NULL) {
        driver->blocks[block] = nullAllocate(NULL_BLOCK_SLOTS, sizeof *driver->blocks[block]);
    }
    return driver->slotCount++;
}

NullObject *nullMake(NullDriver *driver, NullKind kind) {
    NullObject *object = nullAllocate(1, sizeof *object);
    uint32_t place = takeSlot(driver);
    NullSlot *slot = nullSlot(driver, place);
    slot->object = object;
    uint64_t high = (uint64_t)kind << SERIAL_BITS | driver->serial;
    uint64_t low = (uint64_t)(slot->generation & ((1u << GENERATION_BITS) - 1u)) << PLACE_BITS | place;
    object->kind = kind;
    object->handle = high << (GENERATION_BITS + PLACE_BITS) | low;
    driver->alive[kind]++;
    return object;
}

static const char *whatIsWrong(const NullDriver *driver, NullKind kind, uint64_t handle) {
    if (handle == 0) {
        return "is null";
    }
    if (KIND_OF(handle) == 0 || KIND_OF(handle) >= NULL_KIND_COUNT || PLACE_OF(handle) >= driver->slotCount) {
        return "is unknown";
    }
    if (SERIAL_OF(handle) != driver->serial) {
        return "is of another device";
    }
    if (KIND_OF(handle) != (uint32_t)kind) {
        return "is of another kind";
    }
    const NullObject *object = nullSlot(driver, PLACE_OF(handle))->object;
    return object == NULL || object->handle != handle ? "was destroyed" : NULL;
}

NullObject *nullFind(NullDriver *driver, NullKind kind, uint64_t handle, const char *call) {
    const char *wrong = whatIsWrong(driver, kind, handle);
    if (wrong != NULL) {
        nullFault(driver, "%s: %s 0x%" PRIx64 " %s", call, kindNames[kind], handle, wrong);
        return NULL;
    }
    return nullSlot(driver, PLACE_OF(handle))->object;
}

NullObject *nullFindOwned(NullDriver *driver, NullKind kind, uint64_t handle, const char *call) {
    NullObject *object = nullFind(driver, kind, handle, call);
    if (object != NULL) {
        nullTouchWrite(&object->touched);
    }
    return object;
}

NullObject *nullFindUsed(NullDriver *driver, NullKind kind, uint64_t handle, const char *call) {
    NullObject *object = nullFind(driver, kind, handle, call);
    if (object != NULL) {
        nullTouchRead(&object->touched);
    }
    return object;
}

static void freeContents(NullDriver *driver, NullObject *object) {
    if (object->kind == NULL_KIND_MEMORY) {
        NullMemory *memory = &object->memory;
        driver->heapUsed[driver->settings.memory.memoryTypes[memory->type].heapIndex] -= memory->size;
        if (memory->deviceBytes != memory->hostBytes) {
            free(memory->deviceBytes);
        }
        free(memory->hostBytes);
    } else if (object->kind == NULL_KIND_QUERY_POOL) {
        free(object->queryPool.queries);
    }
}

void nullRemove(NullDriver *driver, NullObject *object) {
    uint32_t place = PLACE_OF(object->handle);
    freeContents(driver, object);
    driver->alive[object->kind]--;
    free(object);
    NullSlot *slot = nullSlot(driver, place);
    slot->object = NULL;
    slot->generation++;
    slot->nextFree = driver->firstFree;
    driver->firstFree = place;
}

void nullDestroy(VkDevice device, NullKind kind, uint64_t handle, const char *call) {
    NullDriver *driver = nullLockDevice(device);
    NullObject *object = handle == 0 ? NULL : nullFindOwned(driver, kind, handle, call);
    if (object != NULL) {
        nullRemove(driver, object);
    }
    nullUnlock(driver);
}

unsigned char *nullBufferBytes(NullDriver *driver, uint64_t buffer) {
    if (whatIsWrong(driver, NULL_KIND_BUFFER, buffer) != NULL) {
        return NULL;
    }
    const NullBuffer *found = &nullSlot(driver, PLACE_OF(buffer))->object->buffer;
    if (whatIsWrong(driver, NULL_KIND_MEMORY, found->memory) != NULL) {
        return NULL;
    }
    return nullSlot(driver, PLACE_OF(found->memory))->object->memory.deviceBytes + found->offset;
}

/* ---- The life of a driver ---- */

NullDriver *nullDriverCreate(const NullDriverSettings *settings) {
    static atomic_uint serials;
    NullDriver *driver = nullAllocate(1, sizeof *driver);
    driver->settings = settings != NULL ? *settings : nullDriverDefaultSettings();
    driver->serial = atomic_fetch_add(&serials, 1) & ((1u << SERIAL_BITS) - 1u);
    driver->instance = (NullDispatchable){MAGIC, driver};
    driver->physicalDevice = driver->instance;
    driver->device = driver->instance;
    driver->firstFree = NO_SLOT;
    atomic_flag_clear(&driver->lock);
    return driver;
}

static uint32_t countAlive(const NullDriver *driver) {
    uint32_t count = 0;
    for (uint32_t kind = 1; kind < NULL_KIND_COUNT; kind++) {
        count += kind == NULL_KIND_DESCRIPTOR_SET ? 0 : driver->alive[kind];
    }
    return count;
}

uint32_t nullDriverDestroy(NullDriver *driver) {
    if (driver == NULL) {
        return 0;
    }
    uint32_t left = countAlive(driver);
    for (uint32_t kind = 1; left > 0 && kind < NULL_KIND_COUNT; kind++) {
        if (driver->alive[kind] > 0) {
            fprintf(stderr, "null driver: %u of %s alive at the end\n", driver->alive[kind], kindNames[kind]);
        }
    }
    while (driver->commandBuffers != NULL) {
        fprintf(stderr, "null driver: a command buffer was neither run nor dropped\n");
        nullFreeCommands(driver->commandBuffers);
        left++;
    }
    for (uint32_t i = 0; i < driver->slotCount; i++) {
        if (nullSlot(driver, i)->object != NULL) {
            nullRemove(driver, nullSlot(driver, i)->object);
        }
    }
    for (uint32_t i = 0; i < NULL_MAX_BLOCKS; i++) {
        free(driver->blocks[i]);
    }
    free(driver);
    return left;
}

VkInstance nullDriverInstance(NullDriver *driver) {
    return (VkInstance)(void *)&driver->instance;
}

VkPhysicalDevice nullDriverPhysicalDevice(NullDriver *driver) {
    return (VkPhysicalDevice)(void *)&driver->physicalDevice;
}

VkDevice nullDriverDevice(NullDriver *driver) {
    return (VkDevice)(void *)&driver->device;
}

/* ---- What it saw ---- */

uint32_t nullDriverFaults(NullDriver *driver) {
    nullLock(driver);
    uint32_t faults = driver->faults;
    nullUnlock(driver);
    return faults;
}

const char *nullDriverFirstFault(NullDriver *driver) {
    return driver->firstFault;
}

uint32_t nullDriverAlive(NullDriver *driver) {
    nullLock(driver);
    uint32_t alive = countAlive(driver);
    nullUnlock(driver);
    return alive;
}

uint32_t nullDriverAliveOf(NullDriver *driver, VkObjectType type) {
    NullKind kind = nullKindOf(type);
    nullLock(driver);
    uint32_t alive = kind != NULL_KIND_COUNT ? driver->alive[kind] : 0;
    nullUnlock(driver);
    return alive;
}

VkDeviceSize nullDriverBytesAlive(NullDriver *driver) {
    nullLock(driver);
    VkDeviceSize bytes = 0;
    for (uint32_t i = 0; i < driver->settings.memory.memoryHeapCount; i++) {
        bytes += driver->heapUsed[i];
    }
    nullUnlock(driver);
    return bytes;
}

bool nullDriverFail(NullDriver *driver, uint32_t count, VkResult error) {
    nullLock(driver);
    bool failed = driver->failed;
    driver->failIn = count;
    driver->failure = error;
    driver->failed = false;
    nullUnlock(driver);
    return failed;
}

const void *nullDriverContents(NullDriver *driver, VkBuffer buffer) {
    nullLock(driver);
    const void *bytes = nullBufferBytes(driver, (uint64_t)buffer);
    nullUnlock(driver);
    return bytes;
}
