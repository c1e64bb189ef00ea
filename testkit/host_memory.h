/*
 * host_memory.h: host memory that is counted, and that can be refused.
 *
 * Each block is a heap block of exactly the requested size, so that a sanitizer detects accesses outside of it. Any
 * thread may allocate and free: drivers free memory on their own threads. The counters are relaxed atomics, so they
 * order nothing that ThreadSanitizer watches.
 */
#ifndef TESTKIT_HOST_MEMORY_H
#define TESTKIT_HOST_MEMORY_H

#include <stdatomic.h>

#include "vkskin/vkskin.h"

/* Zero is valid. It must stay in place while a block exists. */
typedef struct HostMemory {
    _Atomic uint64_t made;          /* blocks allocated so far */
    _Atomic uint64_t blocks, bytes; /* existing; outside of sanitizers a block has a few bytes more than requested */
    bool (*refuses)(void *user, size_t size, size_t alignment); /* whether an allocation fails; null: none does */
    void *user;
} HostMemory;

/* For a context and the driver objects that it creates. */
VkAllocationCallbacks hostMemoryCallbacks(HostMemory *memory);

/* For objects without a context. Freeing null aborts the process: the library must not. */
VkskinHostAllocator hostMemoryAllocator(HostMemory *memory);

#endif
