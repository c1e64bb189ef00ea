/*
 * soak_memory.h: host memory that is counted, and that of the process.
 */
#ifndef ENGINE_SOAK_MEMORY_H
#define ENGINE_SOAK_MEMORY_H

#include <stdatomic.h>
#include <stdint.h>

#include <volk.h>

#include "vkskin/vkskin_base.h"

/* What was allocated through the callbacks below and not freed yet. Start from a zero struct; it stays where it is as
 * long as anything allocated lives. Counting is safe on any thread: drivers may free on threads of their own. */
typedef struct SoakMemory {
    atomic_uint_fast64_t bytes;
    atomic_uint_fast64_t blocks;
} SoakMemory;

/* For Vulkan, and so for a context and for the driver's objects that it makes. */
VkAllocationCallbacks soakMemoryCallbacks(SoakMemory *memory);

/* For skeletons, clips and skins. */
VkskinHostAllocator soakMemoryAllocator(SoakMemory *memory);

/* Bytes of the process that lie in main memory; 0 where the system does not tell. */
uint64_t soakMemoryResident(void);

#endif
