/*
 * buffer.h: a VkBuffer with its memory, and the descriptor sets that bind it.
 *
 * Memory comes from the host's callbacks or from vkAllocateMemory.
 */
#ifndef VKSKIN_BUFFER_H
#define VKSKIN_BUFFER_H

#include "gpu.h"

typedef struct Buffer {
    VkBuffer handle;
    VkDeviceSize size;       /* requested bytes */
    VkDeviceAddress address; /* 0 without SHADER_DEVICE_ADDRESS */
    VkskinMemoryBlock memory;
    bool bound;    /* memory is allocated */
    bool onHost;   /* `memory` is host memory; there is no handle */
    bool borrowed; /* handle and memory are the host's: never flushed or destroyed. Of `memory` only `mapped` is set */
} Buffer;

/*
 * Creates a buffer of `size` bytes. On failure *buffer is zero. `name` is for debuggers and messages. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknCreateBuffer(Gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage, VkskinMemoryUse use,
                             const char *name, Buffer *buffer);

/* The same in mapped host memory, without a handle, for data that no device reads. Error: OUT_OF_HOST_MEMORY. */
VkskinResult sknCreateHostBuffer(Gpu *gpu, VkDeviceSize size, const char *name, Buffer *buffer);

/* The buffer may be zero. */
void sknDestroyBuffer(Gpu *gpu, Buffer *buffer);

/* True if the device has device-local memory that the host can map. */
bool sknHasDynamicDeviceMemory(const Gpu *gpu);

/* Flushes `size` bytes from `offset` if the memory is not coherent. */
VkskinResult sknFlushBuffer(const Gpu *gpu, const Buffer *buffer, VkDeviceSize offset, VkDeviceSize size);

/* ---- Descriptor sets ---- */

typedef struct DescriptorBlock DescriptorBlock;

typedef struct Descriptors {
    VkDescriptorSetLayout layout;
    VkDescriptorSetLayout paletteLayout;
    DescriptorBlock *blocks; /* pools; the first one has room */
} Descriptors;

/* A pipeline layout with push constants for compute shaders. `name` is for debuggers. On failure *layout is null. */
VkskinResult sknMakeKernelLayout(const Gpu *gpu, const VkDescriptorSetLayout *sets, uint32_t setCount,
                                 uint32_t pushBytes, const char *name, VkPipelineLayout *layout);

VkskinResult sknInitDescriptors(Gpu *gpu, Descriptors *descriptors);
void sknDestroyDescriptors(Gpu *gpu, Descriptors *descriptors);

/* Pools of their own for an object that dies before the context, with the layouts of `of`. */
static inline Descriptors sknOwnDescriptors(const Descriptors *of) {
    return (Descriptors){of->layout, of->paletteLayout, NULL};
}

/* Destroys the pools, not the layouts. */
void sknDestroySets(const Gpu *gpu, Descriptors *descriptors);

/* Makes writes of the device visible to the host, if the memory is not coherent. */
VkskinResult sknInvalidateBuffer(const Gpu *gpu, const Buffer *buffer, VkDeviceSize offset, VkDeviceSize size);

/*
 * Creates `count` sets, at most 64, all or none. Set i binds `size` bytes of `buffer` from offsets[i] on, a multiple of
 * minStorageBufferOffsetAlignment. Sets exist as long as the context.
 */
VkskinResult sknCreateBufferSets(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, const VkDeviceSize *offsets,
                                 VkDeviceSize size, uint32_t count, VkDescriptorSet *sets);

/* Binds another buffer to sets that no recorded command uses any more. */
void sknWriteBufferSets(const Gpu *gpu, const Buffer *buffer, const VkDeviceSize *offsets, VkDeviceSize size,
                        uint32_t count, const VkDescriptorSet *sets);

/* Creates a set of paletteLayout: the buffer's first `size` bytes, and `texels`, a view of them. */
VkskinResult sknCreatePaletteSet(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, VkDeviceSize size,
                                 VkBufferView texels, VkDescriptorSet *set);

#endif
