#include "soak_memory.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Stands before what the caller gets. */
typedef struct Header {
    size_t size;
    void *start;
} Header;

static Header *headerOf(void *memory) {
    return (Header *)((char *)memory - sizeof(Header));
}

static void *take(SoakMemory *memory, size_t size, size_t alignment) {
    size_t room = alignment > sizeof(Header) ? alignment : sizeof(Header);
    char *start = size <= SIZE_MAX - room ? aligned_alloc(room, (room + size + room - 1) / room * room) : NULL;
    if (start == NULL) {
        return NULL;
    }
    void *result = start + room;
    *headerOf(result) = (Header){size, start};
    atomic_fetch_add(&memory->bytes, size);
    atomic_fetch_add(&memory->blocks, 1);
    return result;
}

static void give(SoakMemory *memory, void *old) {
    if (old != NULL) {
        Header header = *headerOf(old);
        atomic_fetch_sub(&memory->bytes, header.size);
        atomic_fetch_sub(&memory->blocks, 1);
        free(header.start);
    }
}

/* ---- As Vulkan calls it ---- */

static void *VKAPI_PTR vulkanAllocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    (void)scope;
    return take(user, size, alignment);
}

static void *VKAPI_PTR vulkanReallocate(void *user, void *old, size_t size, size_t alignment,
                                        VkSystemAllocationScope scope) {
    (void)scope;
    if (size == 0) {
        give(user, old);
        return NULL;
    }
    void *result = take(user, size, alignment);
    if (result != NULL && old != NULL) {
        size_t kept = headerOf(old)->size;
        memcpy(result, old, kept < size ? kept : size);
        give(user, old);
    }
    return result;
}

static void VKAPI_PTR vulkanFree(void *user, void *old) {
    give(user, old);
}

VkAllocationCallbacks soakMemoryCallbacks(SoakMemory *memory) {
    return (VkAllocationCallbacks){
        .pUserData = memory,
        .pfnAllocation = vulkanAllocate,
        .pfnReallocation = vulkanReallocate,
        .pfnFree = vulkanFree,
    };
}

/* ---- As the pose side calls it ---- */

static void *poseAllocate(void *user, size_t size, size_t alignment) {
    return take(user, size, alignment);
}

static void poseFree(void *user, void *old) {
    give(user, old);
}

VkskinHostAllocator soakMemoryAllocator(SoakMemory *memory) {
    return (VkskinHostAllocator){poseAllocate, poseFree, memory};
}

/* ---- The process ---- */

uint64_t soakMemoryResident(void) {
    char line[128] = "";
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        return 0;
    }
    bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    const char *resident = read ? strchr(line, ' ') : NULL; /* after all that is mapped */
    return resident == NULL ? 0 : strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}
