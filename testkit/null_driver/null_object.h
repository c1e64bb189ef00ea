/*
 * null_object.h: the null driver's state: objects behind handles, and the faults found.
 *
 * A handle holds its kind, the driver it is of, a generation and a place, so that a wrong one can be named. Functions
 * here want the driver's lock held, save nullLock and the ones that find a driver.
 */
#ifndef TESTS_NULL_OBJECT_H
#define TESTS_NULL_OBJECT_H

#include <stdatomic.h>

#include "null_code.h"
#include "null_driver.h"
#include "null_touch.h"

#define NULL_MAX_SETS        8
#define NULL_MAX_PUSH_WORDS  32
#define NULL_MAX_FAMILIES    16
#define NULL_FAULT_TEXT_SIZE 256
#define NULL_BLOCK_SLOTS     256
#define NULL_MAX_BLOCKS      4096

typedef enum NullKind {
    NULL_KIND_MEMORY = 1,
    NULL_KIND_BUFFER,
    NULL_KIND_BUFFER_VIEW,
    NULL_KIND_SHADER_MODULE,
    NULL_KIND_SET_LAYOUT,
    NULL_KIND_PIPELINE_LAYOUT,
    NULL_KIND_PIPELINE,
    NULL_KIND_DESCRIPTOR_POOL,
    NULL_KIND_DESCRIPTOR_SET,
    NULL_KIND_QUERY_POOL,
    NULL_KIND_COUNT
} NullKind;

typedef struct NullMemory {
    VkDeviceSize size;
    uint32_t type;
    bool mapped;
    VkDeviceSize mappedOffset, mappedSize;
    unsigned char *hostBytes;
    unsigned char *deviceBytes; /* the same as hostBytes where the type is coherent */
} NullMemory;

typedef struct NullBuffer {
    VkDeviceSize size;
    VkBufferUsageFlags usage;
    uint64_t memory; /* 0: not bound */
    VkDeviceSize offset;
} NullBuffer;

typedef struct NullBufferView {
    uint64_t buffer;
    VkDeviceSize offset, size;
} NullBufferView;

/* How many descriptors of each type are in a set, or left in a pool. */
typedef struct NullDescriptorCounts {
    uint32_t buffers; /* storage buffers, at binding 0 */
    uint32_t texels;  /* uniform texel buffers, at binding 1 */
} NullDescriptorCounts;

typedef struct NullPipelineLayout {
    uint32_t setCount;
    NullDescriptorCounts sets[NULL_MAX_SETS];
    uint32_t pushBytes;
} NullPipelineLayout;

typedef struct NullPipeline {
    NullKernel kernel;
    NullPipelineLayout layout;
} NullPipeline;

typedef struct NullDescriptorPool {
    uint32_t setsLeft;
    NullDescriptorCounts left;
} NullDescriptorPool;

typedef struct NullDescriptorSet {
    uint64_t pool;
    NullDescriptorCounts counts;
    uint64_t buffer; /* at binding 0; 0: nothing written yet */
    VkDeviceSize offset, size;
    uint64_t texels; /* at binding 1, a view; likewise */
} NullDescriptorSet;

typedef struct NullQuery {
    bool reset, available;
    uint64_t ticks;
} NullQuery;

typedef struct NullQueryPool {
    uint32_t count;
    NullQuery *queries; /* [count] */
} NullQueryPool;

typedef struct NullObject {
    NullKind kind;
    uint64_t handle;
    uint32_t touched; /* see null_touch.h */
    union {
        NullMemory memory;
        NullBuffer buffer;
        NullBufferView view;
        NullKernel shader;
        NullDescriptorCounts setLayout;
        NullPipelineLayout pipelineLayout;
        NullPipeline pipeline;
        NullDescriptorPool pool;
        NullDescriptorSet set;
        NullQueryPool queryPool;
    };
} NullObject;

typedef struct NullSlot {
    NullObject *object; /* null: free */
    uint32_t generation;
    uint32_t nextFree;
} NullSlot;

/* What VkInstance, VkPhysicalDevice and VkDevice point to. */
typedef struct NullDispatchable {
    uint32_t magic;
    NullDriver *driver;
} NullDispatchable;

struct NullDriver {
    NullDispatchable instance, physicalDevice, device;
    NullDriverSettings settings;
    uint32_t serial;
    atomic_flag lock;
    NullSlot *blocks[NULL_MAX_BLOCKS]; /* of slots, by place; none is freed or moved before the driver is */
    uint32_t slotCount, firstFree;
    uint32_t alive[NULL_KIND_COUNT];
    VkDeviceSize heapUsed[VK_MAX_MEMORY_HEAPS];
    struct NullCommandBuffer *commandBuffers; /* a list of those neither run nor dropped */
    uint32_t faults;
    char firstFault[NULL_FAULT_TEXT_SIZE];
    uint32_t failIn; /* fallible calls until one fails, 0: none will */
    bool failed;
    VkResult failure;
    uint64_t ticks, dispatches, copies;
};

/* Ends the process where memory ends: there is no test to go on with. Zeroed. */
void *nullAllocate(size_t count, size_t size);

/* The driver of a handle, locked; nullUnlock when done. A handle that is none ends the process. */
NullDriver *nullLockInstance(VkInstance instance);
NullDriver *nullLockPhysicalDevice(VkPhysicalDevice physicalDevice);
NullDriver *nullLockDevice(VkDevice device);
void nullLock(NullDriver *driver);
void nullUnlock(NullDriver *driver);

/* `format` is printf's; starts with the function that was misused. */
void nullFault(NullDriver *driver, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether this fallible call shall fail, and with what. */
bool nullFails(NullDriver *driver, VkResult *result);

/* What a failed call hands out: no handle of any kind. */
#define NULL_NO_HANDLE UINT64_C(0xdeaddeaddeaddead)

static inline NullSlot *nullSlot(const NullDriver *driver, uint32_t place) {
    return &driver->blocks[place / NULL_BLOCK_SLOTS][place % NULL_BLOCK_SLOTS];
}

NullObject *nullMake(NullDriver *driver, NullKind kind);

/* Faults with call and handle, and returns null, unless it is an object of this kind. */
NullObject *nullFind(NullDriver *driver, NullKind kind, uint64_t handle, const char *call);

/* nullFind for what Vulkan wants externally synchronised, or merely used: touched accordingly. */
NullObject *nullFindOwned(NullDriver *driver, NullKind kind, uint64_t handle, const char *call);
NullObject *nullFindUsed(NullDriver *driver, NullKind kind, uint64_t handle, const char *call);

/* Frees the object and what it holds. */
void nullRemove(NullDriver *driver, NullObject *object);

/* What most vkDestroy functions do; takes the lock itself. A null handle is allowed. */
void nullDestroy(VkDevice device, NullKind kind, uint64_t handle, const char *call);

/* A buffer's bytes as the device sees them, null where it is not bound. Both are alive or null is returned. */
unsigned char *nullBufferBytes(NullDriver *driver, uint64_t buffer);

/* NULL_KIND_COUNT for what the null driver has no objects of. */
NullKind nullKindOf(VkObjectType type);

#endif
