/*
 * host.h: the parts of a Vulkan program that all examples share: instance, device, queues, frame slots, readback
 * buffers. Nothing here is specific to vkskin. Needs Vulkan 1.2 (async.c uses a timeline semaphore).
 */
#ifndef EXAMPLE_HOST_H
#define EXAMPLE_HOST_H

#include <volk.h>

#include <vkskin/vkskin.h>

typedef struct Host {
    const char *name; /* of the program, for messages */
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger; /* null without validation */
    VkPhysicalDevice physicalDevice;    /* the first in the list */
    VkDevice device;
    uint32_t family;        /* graphics and compute */
    uint32_t computeFamily; /* compute without graphics if the device has such a family, else family */
    VkQueue queue, computeQueue;
    uint32_t messages; /* messages from the validation layer so far */
} Host;

/* A mapped, coherent buffer that the device copies to. */
typedef struct HostBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    float (*mapped)[3]; /* vertex positions */
} HostBuffer;

/* The objects of one frame in flight. */
typedef struct HostSlot {
    VkCommandPool pool;
    VkCommandBuffer commandBuffer;
    VkFence fence;
    HostBuffer target; /* for the readback; null without one */
} HostSlot;

/* Fills *host. The environment variable VKSKIN_EXAMPLE_VALIDATION=1 enables the validation layer. */
void hostOpen(Host *host, const char *name);

/* Waits for the device. Returns the exit status: 1 if the validation layer reported anything. */
int hostClose(Host *host);

/* A context def with the device, its functions and a logger that prints. The other fields have vkskin's defaults. */
VkskinContextDef hostContextDef(const Host *host);

/* Prints one line to stderr and exits with status 1. */
_Noreturn void hostFail(const char *format, ...);

/* Calls that must succeed. vkskin's warnings are not failures. */
#define HOST_VK(call)                                                                                                  \
    do {                                                                                                               \
        VkResult callResult = (call);                                                                                  \
        if (callResult != VK_SUCCESS) {                                                                                \
            hostFail("%s: VkResult %d", #call, (int)callResult);                                                       \
        }                                                                                                              \
    } while (0)

#define HOST_SKIN(call)                                                                                                \
    do {                                                                                                               \
        VkskinResult callResult = (call);                                                                              \
        if (callResult < 0) {                                                                                          \
            hostFail("%s: %s", #call, vkskinResultName(callResult));                                                   \
        }                                                                                                              \
    } while (0)

/* A slot for a queue family. Its fence is signalled, so that the first wait returns at once. targetSize: bytes of its
 * readback buffer; 0: none. */
HostSlot hostSlotCreate(const Host *host, uint32_t family, VkDeviceSize targetSize);
void hostSlotDestroy(const Host *host, HostSlot *slot);
/* Waits for the slot's last submission. */
void hostSlotWait(const Host *host, const HostSlot *slot);
/* Resets the slot's command pool and begins a new recording. The last submission must have finished. */
void hostSlotBegin(const Host *host, const HostSlot *slot);

/* Timeline semaphore values that a submission waits for and signals. Null handles: none. */
typedef struct HostTimeline {
    VkSemaphore wait, signal;
    uint64_t value;
} HostTimeline;

/* Ends the recording and submits it with the slot's fence. */
void hostSlotSubmit(const Host *host, const HostSlot *slot, VkQueue queue, HostTimeline timeline);

/* Replaces drawing: records a copy of the positions to a host-visible buffer, and a barrier to the host. */
void hostRecordReadback(VkCommandBuffer commands, const VkskinOutput *output, VkBuffer target);

/* Creates an instance of a triangle at (0, 0, 0), (1, 0, 0), (0, 1, 0) with one bone. minimal.c explains how to make
 * meshes. */
#define HOST_TRIANGLE_SIZE 36 /* bytes of its positions */
VkskinInstance hostTriangle(VkskinContext context);

/* Prints the position. Exits unless it is within 1e-5 of the expected one, which was computed by hand. */
void hostCheckPosition(const char *what, unsigned frame, const float position[3], const float expected[3]);

#endif
