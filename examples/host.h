/*
 * host.h: the part of a Vulkan program that every example would repeat: instance, device, queues, frame slots,
 * buffers to read back. Nothing here is special to vkskin. Needs Vulkan 1.2 (async.c uses a timeline semaphore).
 */
#ifndef EXAMPLE_HOST_H
#define EXAMPLE_HOST_H

#include <volk.h>

#include <vkskin/vkskin.h>

typedef struct Host {
    const char *name; /* of the program, for messages */
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger; /* null without validation */
    VkPhysicalDevice physicalDevice;    /* the first there is */
    VkDevice device;
    uint32_t family;        /* graphics and compute */
    uint32_t computeFamily; /* compute without graphics where the device has such a family, else the same */
    VkQueue queue, computeQueue;
    uint32_t messages; /* of the validation layer */
} Host;

/* What one frame in flight owns. */
typedef struct HostSlot {
    VkCommandPool pool;
    VkCommandBuffer commandBuffer;
    VkFence fence;
} HostSlot;

/* A mapped, coherent buffer that the device copies to. */
typedef struct HostBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    float (*mapped)[3]; /* as positions of vertices */
} HostBuffer;

/* Fills *host. With VKSKIN_EXAMPLE_VALIDATION=1 in the environment the validation layer watches. */
void hostOpen(Host *host, const char *name);

/* Waits for the device. Returns the exit status: 1 where the validation layer said anything. */
int hostClose(Host *host);

/* The device, the functions, and a logger that prints; the rest is vkskin's defaults. */
VkskinContextDef hostContextDef(const Host *host);

/* One line on stderr, and exit status 1. */
_Noreturn void hostFail(const char *format, ...);

/* Calls that must succeed. Warnings of vkskin's are no failure. */
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

/* A slot of a queue family, its fence signalled, so that its first wait ends at once. */
HostSlot hostSlotCreate(const Host *host, uint32_t family);
void hostSlotDestroy(const Host *host, HostSlot *slot);
/* Waits for what the slot submitted last. */
void hostSlotWait(const Host *host, const HostSlot *slot);
/* Takes the memory of the slot's last recording back, which has finished, and begins a new one. */
void hostSlotBegin(const Host *host, const HostSlot *slot);

/* What a submission waits for, or what it signals when done: a value of a timeline semaphore. Null handles: nothing. */
typedef struct HostTimeline {
    VkSemaphore wait, signal;
    uint64_t value;
} HostTimeline;

/* Ends the recording and submits it; the fence of the slot is signalled at its end. */
void hostSlotSubmit(const Host *host, const HostSlot *slot, VkQueue queue, HostTimeline timeline);

HostBuffer hostBufferCreate(const Host *host, VkDeviceSize size);
void hostBufferDestroy(const Host *host, HostBuffer *buffer);

/* In the place of drawing: positions go to memory that the host sees. Copy and barrier to the host. */
void hostRecordReadback(VkCommandBuffer commands, const VkskinOutput *output, VkBuffer target);

/* An instance of a triangle at (0, 0, 0), (1, 0, 0), (0, 1, 0) that hangs on one bone. How meshes are made is in
 * minimal.c. */
#define HOST_TRIANGLE_SIZE 36 /* bytes of its positions */
VkskinInstance hostTriangle(VkskinContext context);

/* Ends the program unless the position is within 1e-5 of what was computed by hand. Prints it. */
void hostCheckPosition(const char *what, unsigned frame, const float position[3], const float expected[3]);

#endif
