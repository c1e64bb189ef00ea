/*
 * null_state.h: the null driver's state: objects, handles, command buffers. Private to this folder.
 *
 * A handle holds kind, driver, generation and slot, so that a wrong handle can be described. Hold the driver's lock to
 * call the functions below, except nullLock... and nullTouch...
 */
#ifndef TESTKIT_NULL_STATE_H
#define TESTKIT_NULL_STATE_H

#include <stdatomic.h>

#include "crowd/crowd_layout.h"
#include "kernels/layout.h"
#include "null_driver.h"

#define NULL_FAMILIES    2u            /* queue families; the first one has graphics */
#define NULL_ALIGNMENT   UINT64_C(256) /* alignment of buffers in memory */
#define NULL_BLOCK_SLOTS 256
#define NULL_MAX_BLOCKS  4096

/* Every kind of object: name, Vulkan type, VK_OBJECT_TYPE_ suffix. */
#define NULL_KINDS(X)                                                                                                  \
    X(MEMORY, VkDeviceMemory, DEVICE_MEMORY)                                                                           \
    X(BUFFER, VkBuffer, BUFFER)                                                                                        \
    X(BUFFER_VIEW, VkBufferView, BUFFER_VIEW)                                                                          \
    X(SHADER_MODULE, VkShaderModule, SHADER_MODULE)                                                                    \
    X(SET_LAYOUT, VkDescriptorSetLayout, DESCRIPTOR_SET_LAYOUT)                                                        \
    X(PIPELINE_LAYOUT, VkPipelineLayout, PIPELINE_LAYOUT)                                                              \
    X(PIPELINE, VkPipeline, PIPELINE)                                                                                  \
    X(DESCRIPTOR_POOL, VkDescriptorPool, DESCRIPTOR_POOL)                                                              \
    X(DESCRIPTOR_SET, VkDescriptorSet, DESCRIPTOR_SET)                                                                 \
    X(QUERY_POOL, VkQueryPool, QUERY_POOL)

typedef enum NullKind {
    NULL_KIND_NONE,
#define NULL_KIND_ENTRY(name, type, objectType) NULL_KIND_##name,
    NULL_KINDS(NULL_KIND_ENTRY)
#undef NULL_KIND_ENTRY
        NULL_KIND_COUNT
} NullKind;

typedef struct NullMemory {
    VkDeviceSize size;
    uint32_t type;
    bool mapped;
    VkDeviceSize mappedOffset, mappedSize;
    unsigned char *hostBytes;
    unsigned char *deviceBytes; /* equals hostBytes where the type is coherent */
} NullMemory;

typedef struct NullBuffer {
    VkDeviceSize size;
    uint64_t memory; /* 0: not bound */
    VkDeviceSize offset;
} NullBuffer;

typedef struct NullBufferView {
    uint64_t buffer;
    VkDeviceSize offset, size;
} NullBufferView;

/* Descriptors in a set layout, or left in a pool. */
typedef struct NullDescriptorCounts {
    uint32_t buffers; /* storage buffers, binding 0 */
    uint32_t texels;  /* uniform texel buffers, binding 1 */
} NullDescriptorCounts;

typedef struct NullDescriptorPool {
    uint32_t setsLeft;
    NullDescriptorCounts left;
} NullDescriptorPool;

typedef struct NullDescriptorSet {
    uint64_t pool;
    NullDescriptorCounts counts;
    uint64_t buffer; /* binding 0; 0: not written yet */
    VkDeviceSize offset, size;
    uint64_t texels; /* binding 1, a view; 0: not written yet */
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
    uint32_t touched; /* see nullTouchWrite */
    union {
        NullMemory memory;
        NullBuffer buffer;
        NullBufferView view;
        NullDescriptorCounts setLayout;
        uint32_t setCount; /* number of sets of a pipeline layout or a pipeline */
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

/* The target of VkInstance, VkPhysicalDevice and VkDevice, which are the same pointer. */
typedef struct NullDispatchable {
    uint32_t magic;
    NullDriver *driver;
} NullDispatchable;

struct NullDriver {
    NullDispatchable handle;
    NullDriverSettings settings;
    uint32_t serial;
    atomic_flag lock;
    NullSlot *blocks[NULL_MAX_BLOCKS]; /* freed only with the driver: ThreadSanitizer watches free() */
    uint32_t slotCount, firstFree;
    uint32_t alive[NULL_KIND_COUNT];
    VkDeviceSize heapUsed[VK_MAX_MEMORY_HEAPS];
    struct NullCommandBuffer *commandBuffers; /* list of those neither run nor dropped */
    uint32_t faults;
    char firstFault[256];
    uint32_t failIn; /* calls until one fails; 0: none will */
    bool failed;
    VkResult failure;
    uint64_t ticks, copies;
    uint32_t hostMemoryTouched; /* see nullTouchWrite: a context calls its memory callbacks on one thread at a time */
};

/* The state that a dispatch uses. */
typedef struct NullDispatch {
    uint64_t pipeline; /* 0: none bound */
    uint64_t sets[LAYOUT_SET_COUNT];
    union {
        LayoutDispatch push; /* push constants of the skinning kernels */
        unsigned char pushed[128];
    };
    uint32_t pushBytes; /* given so far, from the start */
    uint64_t groups;
    uint64_t indirect; /* buffer of the arguments; 0: `groups` */
    VkDeviceSize argumentsAt;
} NullDispatch;

typedef enum NullCommandKind {
    NULL_COMMAND_COPY,
    NULL_COMMAND_FILL,
    NULL_COMMAND_DISPATCH,
    NULL_COMMAND_RESET,
    NULL_COMMAND_TIMESTAMP,
    NULL_COMMAND_BARRIER
} NullCommandKind;

typedef struct NullCommand {
    NullCommandKind kind;
    union {
        struct {
            uint64_t source, target;
            VkBufferCopy region;
        } copy;
        struct {
            uint64_t target;
            uint32_t data;
        } fill;
        NullDispatch dispatch;
        struct {
            uint64_t pool;
            uint32_t first, count;
        } queries;
        uint64_t barrierBuffer;
    };
} NullCommand;

/* The target of VkCommandBuffer. */
typedef struct NullCommandBuffer {
    uint32_t magic;
    NullDriver *driver;
    struct NullCommandBuffer *next; /* in the driver's list */
    uint32_t touched;               /* see nullTouchWrite */
    NullDispatch current;           /* bound so far */
    uint32_t labels;                /* open */
    NullCommand *commands;
    uint32_t count, capacity;
} NullCommandBuffer;

/* ---- null_touch.c ----
 *
 * In a ThreadSanitizer program only these functions of the null driver are instrumented. The others use a lock that
 * the sanitizer does not see: a visible lock would order the library's threads and hide their races. What Vulkan wants
 * externally synchronised is written, what a call only uses is read. Two threads that do so without an order of their
 * own are a race, reported with both stacks. */

void nullTouchWrite(uint32_t *mark);
void nullTouchRead(const uint32_t *mark);

/* Reads words as the device would. */
void nullTouchWords(const uint32_t *words, uint64_t count);

/* ---- null_state.c ---- */

/* Zeroed; out of memory aborts the process. */
void *nullAllocate(size_t count, size_t size);

/* The driver of a handle, locked. An invalid handle aborts the process. */
NullDriver *nullLockDevice(VkDevice device);
void nullLock(NullDriver *driver);
void nullUnlock(NullDriver *driver);

/* `format` is printf's. Begin with the misused function. */
void nullFault(NullDriver *driver, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* VK_SUCCESS, or the failure that was requested for this call. */
VkResult nullFailure(NullDriver *driver);

static inline NullSlot *nullSlot(const NullDriver *driver, uint32_t place) {
    return &driver->blocks[place / NULL_BLOCK_SLOTS][place % NULL_BLOCK_SLOTS];
}

NullObject *nullMake(NullDriver *driver, NullKind kind);

/* The object; or null after a fault with call and handle. */
NullObject *nullFind(NullDriver *driver, NullKind kind, uint64_t handle, const char *call);

/* nullFind with a touch: Owned where Vulkan requires external synchronisation, else Used. */
NullObject *nullFindOwned(NullDriver *driver, NullKind kind, uint64_t handle, const char *call);
NullObject *nullFindUsed(NullDriver *driver, NullKind kind, uint64_t handle, const char *call);

/* Frees the object and its contents. */
void nullRemove(NullDriver *driver, NullObject *object);

/* The device's bytes of a buffer; null unless buffer and memory exist. */
unsigned char *nullBufferBytes(NullDriver *driver, uint64_t buffer);

/* Removes it from the driver's list and frees it. */
void nullFreeCommands(NullCommandBuffer *commands);

/* Whether size bytes at offset are not empty and lie within `whole` bytes. */
static inline bool nullIsWithin(VkDeviceSize offset, VkDeviceSize size, VkDeviceSize whole) {
    return size > 0 && offset <= whole && size <= whole - offset;
}

/* ---- Creating and destroying ---- */

/* What a failed call returns as a handle: invalid for every kind. */
#define NULL_NO_HANDLE UINT64_C(0xdeaddeaddeaddead)

/* Defines nullCreate... by `make`, which returns the object, or null after a fault. */
#define NULL_CREATE(name, make)                                                                                        \
    VkResult nullCreate##name(VkDevice device, const Vk##name##CreateInfo *info,                                       \
                              const VkAllocationCallbacks *allocator, Vk##name *handle) {                              \
        (void)allocator;                                                                                               \
        NullDriver *driver = nullLockDevice(device);                                                                   \
        VkResult result = nullFailure(driver);                                                                         \
        const NullObject *made = result == VK_SUCCESS ? make(driver, info) : NULL;                                     \
        *handle = (Vk##name)(made != NULL ? made->handle : NULL_NO_HANDLE);                                            \
        nullUnlock(driver);                                                                                            \
        return result == VK_SUCCESS && made == NULL ? VK_ERROR_UNKNOWN : result;                                       \
    }

/* Defines a function that destroys objects of a kind. A null handle is ignored. before: what else it does; or null. */
#define NULL_DESTROY(name, type, kind, before)                                                                         \
    void null##name(VkDevice device, type handle, const VkAllocationCallbacks *allocator) {                            \
        (void)allocator;                                                                                               \
        nullDestroy(device, kind, (uint64_t)handle, "vk" #name, before);                                               \
    }
void nullDestroy(VkDevice device, NullKind kind, uint64_t handle, const char *call,
                 void (*before)(NullDriver *driver, const NullObject *object));

/* The Vulkan functions, nullCreateBuffer for vkCreateBuffer and so on. */
#define NULL_DECLARE(name) __typeof__(*(PFN_vk##name)NULL) null##name;
VKSKIN_INSTANCE_FUNCTIONS(NULL_DECLARE)
VKSKIN_DEVICE_FUNCTIONS(NULL_DECLARE)
VKSKIN_DEBUG_FUNCTIONS(NULL_DECLARE)
VKSKIN_ADDRESS_FUNCTIONS(NULL_DECLARE)
#undef NULL_DECLARE

#endif
