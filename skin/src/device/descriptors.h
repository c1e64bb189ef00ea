/*
 * descriptors.h: descriptor sets, each of one storage buffer at binding 0, those of palettes with the same as texels at
 * binding 1; written once when made.
 */
#ifndef VKSKIN_DESCRIPTORS_H
#define VKSKIN_DESCRIPTORS_H

#include "buffer.h"

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
