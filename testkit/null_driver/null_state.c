/* The null driver: lock, faults, objects behind handles, the device and its functions. */
#include "null_state.h"

#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const struct {
    const char *name;
    VkObjectType type;
} kinds[NULL_KIND_COUNT] = {
#define KIND_ENTRY(kind, name, objectType) [NULL_KIND_##kind] = {#name, VK_OBJECT_TYPE_##objectType},
    NULL_KINDS(KIND_ENTRY)
#undef KIND_ENTRY
};

/* NULL_KIND_NONE for other types. */
static NullKind kindOf(VkObjectType type) {
    NullKind kind = NULL_KIND_COUNT - 1;
    while (kind > NULL_KIND_NONE && kinds[kind].type != type) {
        kind--;
    }
    return kind;
}

/* ---- Lock, faults, failures ---- */

void *nullAllocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "null driver: no host memory for %zu times %zu bytes\n", count, size);
        abort();
    }
    return memory;
}

/* A spin lock, because ThreadSanitizer knows every mutex: see nullTouchWrite. */
void nullLock(NullDriver *driver) {
    while (atomic_flag_test_and_set_explicit(&driver->lock, memory_order_acquire)) {
        sched_yield();
    }
}

void nullUnlock(NullDriver *driver) {
    atomic_flag_clear_explicit(&driver->lock, memory_order_release);
}

static NullDriver *lockDispatchable(const void *dispatchable, const char *kind) {
    const NullDispatchable *handle = dispatchable;
    if (handle == NULL || handle->magic != MAGIC) {
        fprintf(stderr, "null driver: %p is not a %s of the null driver\n", dispatchable, kind);
        abort();
    }
    nullLock(handle->driver);
    return handle->driver;
}

NullDriver *nullLockDevice(VkDevice device) {
    return lockDispatchable(device, "VkDevice");
}

void nullFault(NullDriver *driver, const char *format, ...) {
    char text[sizeof driver->firstFault];
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

VkResult nullFailure(NullDriver *driver) {
    if (driver->failIn == 0 || --driver->failIn > 0) {
        return VK_SUCCESS;
    }
    driver->failed = true;
    return driver->failure;
}

/* ---- Objects ---- */

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
    if (KIND_OF(handle) == NULL_KIND_NONE || KIND_OF(handle) >= NULL_KIND_COUNT ||
        PLACE_OF(handle) >= driver->slotCount) {
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
        nullFault(driver, "%s: %s 0x%" PRIx64 " %s", call, kinds[kind].name, handle, wrong);
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

void nullDestroy(VkDevice device, NullKind kind, uint64_t handle, const char *call,
                 void (*before)(NullDriver *driver, const NullObject *object)) {
    NullDriver *driver = nullLockDevice(device);
    NullObject *object = handle == 0 ? NULL : nullFindOwned(driver, kind, handle, call);
    if (object != NULL) {
        if (before != NULL) {
            before(driver, object);
        }
        nullRemove(driver, object);
    }
    nullUnlock(driver);
}

void nullFreeCommands(NullCommandBuffer *commands) {
    NullCommandBuffer **link = &commands->driver->commandBuffers;
    while (*link != commands) {
        link = &(*link)->next;
    }
    *link = commands->next;
    commands->magic = 0;
    free(commands->commands);
    free(commands);
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

/* ---- Creating and destroying a driver ---- */

NullDriver *nullDriverCreate(const NullDriverSettings *settings) {
    static atomic_uint serials;
    NullDriver *driver = nullAllocate(1, sizeof *driver);
    driver->settings = settings != NULL ? *settings : nullDriverDefaultSettings();
    driver->serial = atomic_fetch_add(&serials, 1) & ((1u << SERIAL_BITS) - 1u);
    driver->handle = (NullDispatchable){MAGIC, driver};
    driver->firstFree = NO_SLOT;
    atomic_flag_clear(&driver->lock);
    return driver;
}

static uint32_t countAlive(const NullDriver *driver) {
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < NULL_KIND_COUNT; kind++) {
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
            fprintf(stderr, "null driver: %u of %s alive at the end\n", driver->alive[kind], kinds[kind].name);
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

VkPhysicalDevice nullDriverPhysicalDevice(NullDriver *driver) {
    return (VkPhysicalDevice)(void *)&driver->handle;
}

VkDevice nullDriverDevice(NullDriver *driver) {
    return (VkDevice)(void *)&driver->handle;
}

/* ---- Observation ---- */

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
    nullLock(driver);
    uint32_t alive = driver->alive[kindOf(type)]; /* 0 for unknown kinds */
    nullUnlock(driver);
    return alive;
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

uint64_t nullDriverCopies(NullDriver *driver) {
    nullLock(driver);
    uint64_t copies = driver->copies;
    nullUnlock(driver);
    return copies;
}

/* ---- The device ---- */

#define MIB (UINT64_C(1) << 20)

/* The limits that the library reads: the minimum that Vulkan 1.1 requires ("Required Limits"). */
static VkPhysicalDeviceLimits minimumLimits(void) {
    return (VkPhysicalDeviceLimits){
        .maxTexelBufferElements = 1u << 16,
        .maxStorageBufferRange = 1u << 27,
        .maxPushConstantsSize = 128,
        .maxMemoryAllocationCount = 4096,
        .maxBoundDescriptorSets = 4,
        .maxPerStageDescriptorStorageBuffers = 4,
        .maxPerStageDescriptorSampledImages = 16,
        .maxComputeSharedMemorySize = 16384,
        .maxComputeWorkGroupCount = {65535, 65535, 65535},
        .maxComputeWorkGroupInvocations = 128,
        .maxComputeWorkGroupSize = {128, 128, 64},
        .minMemoryMapAlignment = 64,
        .minTexelBufferOffsetAlignment = 256,
        .minStorageBufferOffsetAlignment = 256,
        .timestampPeriod = 1.0f,
        .nonCoherentAtomSize = 256,
    };
}

VkPhysicalDeviceMemoryProperties nullDriverMemory(NullDriverLayout layout, bool coherent, VkDeviceSize heapSize) {
    const VkMemoryPropertyFlags device = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
        (coherent ? VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    VkPhysicalDeviceMemoryProperties memory = {
        .memoryHeapCount = 2,
        .memoryHeaps = {{heapSize, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {heapSize, 0}},
    };
    if (layout != NULL_DRIVER_UNIFIED) {
        memory.memoryTypes[memory.memoryTypeCount++] = (VkMemoryType){device, 0};
        memory.memoryTypes[memory.memoryTypeCount++] = (VkMemoryType){host, 1};
    }
    if (layout != NULL_DRIVER_STAGED) {
        memory.memoryTypes[memory.memoryTypeCount++] = (VkMemoryType){device | host, 0};
    }
    return memory;
}

NullDriverSettings nullDriverDefaultSettings(void) {
    return (NullDriverSettings){
        .type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
        .vendorID = 0x6e756c6c,
        .deviceID = 1,
        .driverVersion = 1,
        .pipelineCacheUUID = {1},
        .limits = minimumLimits(),
        .memory = nullDriverMemory(NULL_DRIVER_ALL_TYPES, true, 256 * MIB),
        .timestampBits = 64,
    };
}

void nullGetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties *properties) {
    NullDriver *driver = lockDispatchable(physicalDevice, "VkPhysicalDevice");
    *properties = (VkPhysicalDeviceProperties){
        .apiVersion = VK_API_VERSION_1_1,
        .driverVersion = driver->settings.driverVersion,
        .vendorID = driver->settings.vendorID,
        .deviceID = driver->settings.deviceID,
        .deviceType = driver->settings.type,
        .deviceName = "null driver",
        .limits = driver->settings.limits,
    };
    memcpy(properties->pipelineCacheUUID, driver->settings.pipelineCacheUUID, VK_UUID_SIZE);
    nullUnlock(driver);
}

void nullGetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceMemoryProperties *memory) {
    NullDriver *driver = lockDispatchable(physicalDevice, "VkPhysicalDevice");
    *memory = driver->settings.memory;
    nullUnlock(driver);
}

void nullGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physicalDevice, uint32_t *count,
                                                VkQueueFamilyProperties *families) {
    NullDriver *driver = lockDispatchable(physicalDevice, "VkPhysicalDevice");
    *count = families != NULL && *count < NULL_FAMILIES ? *count : NULL_FAMILIES;
    for (uint32_t i = 0; families != NULL && i < *count; i++) {
        families[i] = (VkQueueFamilyProperties){
            .queueFlags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT | (i == 0 ? VK_QUEUE_GRAPHICS_BIT : 0),
            .queueCount = 1,
            .timestampValidBits = driver->settings.timestampBits,
        };
    }
    nullUnlock(driver);
}

VkResult nullSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info) {
    NullDriver *driver = nullLockDevice(device);
    VkResult result = nullFailure(driver);
    if (result == VK_SUCCESS) {
        (void)nullFindOwned(driver, kindOf(info->objectType), info->objectHandle, "vkSetDebugUtilsObjectNameEXT");
    }
    nullUnlock(driver);
    return result;
}

/* ---- The table of functions ---- */

const VkskinVulkanFunctions *nullDriverFunctions(void) {
    static const VkskinVulkanFunctions functions = {
#define NULL_FUNCTION_ENTRY(name) .vk##name = null##name,
        VKSKIN_INSTANCE_FUNCTIONS(NULL_FUNCTION_ENTRY) VKSKIN_DEVICE_FUNCTIONS(NULL_FUNCTION_ENTRY)
            VKSKIN_DEBUG_FUNCTIONS(NULL_FUNCTION_ENTRY) VKSKIN_ADDRESS_FUNCTIONS(NULL_FUNCTION_ENTRY)
#undef NULL_FUNCTION_ENTRY
    };
    return &functions;
}

VkskinContextDef nullDriverContextDef(NullDriver *driver) {
    VkskinContextDef def = vkskinDefaultContextDef();
    def.instance = (VkInstance)(void *)&driver->handle;
    def.physicalDevice = nullDriverPhysicalDevice(driver);
    def.device = nullDriverDevice(driver);
    def.functions = nullDriverFunctions();
    return def;
}
