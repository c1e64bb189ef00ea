/*
 * buffer.h: one VkBuffer and the memory behind it, from the host's callbacks or from vkAllocateMemory.
 */
#ifndef VKSKIN_BUFFER_H
#define VKSKIN_BUFFER_H

#include "gpu.h"

typedef struct Buffer {
    VkBuffer handle;
    VkDeviceSize size; /* bytes asked for */
    VkskinMemoryBlock memory;
    bool bound;  /* memory is held */
    bool onHost; /* and is the host's: no handle */
} Buffer;

/*
 * Makes a buffer of `size` bytes. On failure *buffer is zero and nothing is left over. `name` is for debuggers and
 * messages. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknCreateBuffer(Gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage, VkskinMemoryUse use,
                             const char *name, Buffer *buffer);

/* The same for what no device reads: host memory, mapped as ever, without a handle. Error: OUT_OF_HOST_MEMORY. */
VkskinResult sknCreateHostBuffer(Gpu *gpu, VkDeviceSize size, const char *name, Buffer *buffer);

/* A zero buffer is allowed. */
void sknDestroyBuffer(Gpu *gpu, Buffer *buffer);

/* True where the device has memory that both it and the host reach without a copy. */
bool sknHasDynamicDeviceMemory(const Gpu *gpu);

/* Makes the host's writes to `size` bytes from `offset` visible where the memory is not coherent. */
VkskinResult sknFlushBuffer(const Gpu *gpu, const Buffer *buffer, VkDeviceSize offset, VkDeviceSize size);

/* ---- Descriptor sets ---- */

typedef struct DescriptorBlock DescriptorBlock;

typedef struct Descriptors {
    VkDescriptorSetLayout layout;
    VkDescriptorSetLayout paletteLayout;
    DescriptorBlock *blocks; /* pools, the one with room first */
} Descriptors;

VkskinResult sknInitDescriptors(Gpu *gpu, Descriptors *descriptors);
void sknDestroyDescriptors(Gpu *gpu, Descriptors *descriptors);

/*
 * `count` sets, 64 at most, all or none: set i binds `size` bytes of `buffer` from i * size, which is a multiple of 256
 * where there is more than one: no device asks for a larger minStorageBufferOffsetAlignment. They live as long as the
 * context.
 */
VkskinResult sknCreateBufferSets(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, VkDeviceSize size,
                                 uint32_t count, VkDescriptorSet *sets);

/* A set of paletteLayout: the buffer's first `size` bytes, and `texels`, a view of them. */
VkskinResult sknCreatePaletteSet(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, VkDeviceSize size,
                                 VkBufferView texels, VkDescriptorSet *set);

#endif
