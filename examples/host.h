/*
 * host.h: the parts of a Vulkan program that all examples share: instance, device, queues, the frame loop, readback
 * buffers. Nothing here is specific to vkskin.
 */
#ifndef EXAMPLE_HOST_H
#define EXAMPLE_HOST_H

#include <stdbool.h>

#include <volk.h>

#include <vkskin/vkskin.h>

typedef struct Host {
    const char *name; /* name of the program, for messages */
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger; /* null without validation */
    VkPhysicalDevice physicalDevice;    /* the first in the list */
    VkDevice device;
    uint32_t family;        /* graphics and compute */
    uint32_t computeFamily; /* compute without graphics if the device has such a family, else family */
    VkQueue queue, computeQueue;
    uint32_t messages; /* messages from the validation layer so far */
} Host;

/* A mapped, coherent buffer. */
typedef struct HostBuffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;
} HostBuffer;

/* Fills *host. features: chain of features to enable on the device, or null. The environment variable
 * VKSKIN_EXAMPLE_VALIDATION=1 enables the validation layer. */
void hostOpen(Host *host, const char *name, const void *features);

/* As hostOpen, with dynamic rendering and, if the device has them, the features that shaders need to read the constants of
 * the draws of one multi-draw call. Returns whether it has them. */
bool hostOpenMultiDraw(Host *host, const char *name);

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

HostBuffer hostBufferCreate(const Host *host, VkBufferUsageFlags usage, VkDeviceSize size);
void hostBufferDestroy(const Host *host, HostBuffer *buffer);

/* A recording that is submitted with a fence. */
typedef struct HostSlot {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
} HostSlot;

/* The fence of a new slot is signalled, so that the first wait returns at once. */
HostSlot hostSlotCreate(const Host *host, uint32_t family);
void hostSlotDestroy(const Host *host, HostSlot *slot);
/* Waits for the slot's last submission and begins a new recording. */
void hostSlotBegin(const Host *host, const HostSlot *slot);

/* Timeline semaphore values that a submission waits for and signals. Null handles: none. */
typedef struct HostTimeline {
    VkSemaphore wait, signal;
    uint64_t value;
} HostTimeline;

/* Ends the recording and submits it with the slot's fence. */
void hostSlotSubmit(const Host *host, const HostSlot *slot, VkQueue queue, HostTimeline timeline);

#define HOST_IN_FLIGHT 2

/*
 * The frame loop. Instead of presenting, a frame copies bytes to a host-visible buffer; `check` receives them when the
 * frame has finished. If the environment has VKSKIN_EXAMPLE_OUT_OF_DATE=N, presenting frame N fails as if the window had
 * been resized: the loop waits for the device and uses the slot of frame N again.
 */
typedef struct HostFrames {
    const Host *host;
    unsigned count; /* frames of the whole run */
    void (*check)(unsigned frame, const void *bytes);

    /* The current frame. */
    unsigned frame;
    uint32_t slot;  /* 0 to HOST_IN_FLIGHT - 1 */
    bool outOfDate; /* presenting the last frame failed: `slot` is that of the last frame */
    VkCommandBuffer commands;
    VkBuffer target; /* target of the copy */

    HostSlot slots[HOST_IN_FLIGHT];
    HostBuffer targets[HOST_IN_FLIGHT];
    int running[HOST_IN_FLIGHT]; /* the frame in each slot that was not checked yet; -1: none */
} HostFrames;

HostFrames hostFramesCreate(const Host *host, unsigned count, VkDeviceSize targetSize,
                            void (*check)(unsigned frame, const void *bytes));
/* Begins the next frame. False: all frames have finished and were checked. */
bool hostFramesNext(HostFrames *frames);
/* Waits for the last use of the slot that comes next, and returns it. On any thread, while a frame is recorded. */
uint32_t hostFramesAwaitSlot(const HostFrames *frames);
/* Submits the frame to host->queue, and presents it. */
void hostFramesSubmit(HostFrames *frames, HostTimeline timeline);
void hostFramesDestroy(HostFrames *frames);

/* Replaces drawing: records a copy of the positions to frames->target, and a barrier to the host. */
void hostRecordReadback(const HostFrames *frames, const VkskinOutput *output);

/* A square image to draw into and to copy from. */
typedef struct HostImage {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
} HostImage;

HostImage hostImageCreate(const Host *host, VkFormat format, uint32_t side);
void hostImageDestroy(const Host *host, HostImage *image);

/* Barriers of synchronization2 between the steps of a frame. Each step waits for all earlier ones. */
typedef struct HostSteps {
    VkPipelineStageFlags2 stages; /* stages of the last step */
    VkAccessFlags2 access;
} HostSteps;

/* Begins a step. `discarded`: an image whose content is no longer needed, or null. */
void hostStep(HostSteps *steps, VkCommandBuffer commands, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
              VkImage discarded);

/* Begin and end dynamic rendering to a cleared image of side x side pixels, whose vertex shaders may read buffers. The
 * second also copies the image to frames->target. */
void hostRenderingBegin(const HostFrames *frames, HostSteps *steps, const HostImage *image, uint32_t side);
void hostRenderingEnd(const HostFrames *frames, HostSteps *steps, const HostImage *image, uint32_t side);

/* Exits unless those of the pixels (x, y) whose bits are in `lit` have the colour, and the others are 0. */
void hostCheckPixels(unsigned frame, const uint32_t *picture, uint32_t side, const int (*pixels)[2], unsigned count,
                     uint32_t lit, uint32_t colour);

/* A graphics pipeline for dynamic rendering of triangles: no vertex input, depth or blending. */
typedef struct HostShaders {
    const uint32_t *vertex;
    size_t vertexSize; /* bytes of SPIR-V */
    const uint32_t *fragment;
    size_t fragmentSize;
    VkFormat format;                 /* format of the only colour attachment */
    uint32_t side;                   /* side of its square */
    uint32_t pushSize;               /* bytes of push constants of the vertex shader */
    VkDescriptorSetLayout setLayout; /* layout of set 0, or null */
} HostShaders;

VkPipeline hostPipeline(const Host *host, const HostShaders *shaders, VkPipelineLayout *layout);

/* A descriptor set of storage buffers for vertex shaders: bindings 0 to count - 1, at most 4. */
typedef struct HostStorageSet {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} HostStorageSet;

HostStorageSet hostStorageSetCreate(const Host *host, uint32_t count, const VkDescriptorBufferInfo *ranges);
void hostStorageSetDestroy(const Host *host, HostStorageSet *set);

/* Opens a context with a triangle at (0, 0, 0), (1, 0, 0), (0, 1, 0) with one bone, and creates an instance of it.
 * minimal.c explains how to make meshes. */
#define HOST_TRIANGLE_SIZE 36 /* bytes of its positions */
VkskinContext hostOpenTriangle(const VkskinContextDef *def, VkskinInstance *instance);

/* The same without an instance, from interleaved vertices that begin with their positions. Null: these positions.
 * previous: with previous positions. */
VkskinContext hostOpenTriangleIn(const VkskinContextDef *def, const void *vertices, size_t stride, bool previous,
                                 VkskinMesh *mesh);

/* Prints the position. Exits unless it is within 1e-5 of the expected one, which was computed by hand. */
void hostCheckPosition(const char *what, unsigned frame, const float position[3], const float expected[3]);

#endif
