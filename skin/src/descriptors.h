/*
 * descriptors.h: descriptor sets, each of one storage buffer at binding 0, written once when made.
 */
#ifndef VKSKIN_DESCRIPTORS_H
#define VKSKIN_DESCRIPTORS_H

#include "buffer.h"

typedef struct DescriptorBlock DescriptorBlock;

typedef struct Descriptors {
    VkDescriptorSetLayout layout;
    DescriptorBlock *blocks; /* pools, the one with room first */
} Descriptors;

VkskinResult sknInitDescriptors(Gpu *gpu, Descriptors *descriptors);
void sknDestroyDescriptors(Gpu *gpu, Descriptors *descriptors);

/*
 * A set that binds `size` bytes of `buffer` from `offset`, which is a multiple of 256: no device asks for a larger
 * minStorageBufferOffsetAlignment. It lives as long as the context.
 */
VkskinResult sknCreateBufferSet(Gpu *gpu, Descriptors *descriptors, const Buffer *buffer, VkDeviceSize offset,
                                VkDeviceSize size, VkDescriptorSet *set);

#endif
