/*
 * buffer_set.h: a descriptor set of storage buffers at bindings 0 up, written once.
 */
#ifndef BENCH_BUFFER_SET_H
#define BENCH_BUFFER_SET_H

#include "resources.h"

#define BUFFER_SET_MAX 4

typedef struct BufferSetDef {
    VkDescriptorPool pool;
    VkDescriptorSetLayout layout;
    VkDescriptorType type;                /* of all: STORAGE_BUFFER, or that with a dynamic offset */
    const VkDescriptorBufferInfo *ranges; /* [count] */
    uint32_t count;                       /* to BUFFER_SET_MAX */
} BufferSetDef;

/* The set lives as long as its pool. */
bool bufferSetMake(const Device *device, const BufferSetDef *def, VkDescriptorSet *set, EngineError *error);

#endif
