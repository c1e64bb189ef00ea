/*
 * page_pool.h: large buffers that hold many meshes, or many instances' output, so that few dispatches reach them all.
 *
 * A page of R regions is cut into R equal planes; a range lies at the same offset of each plane. Each plane has a
 * descriptor of its own: frames in flight that write different regions then bind different memory, as
 * synchronisation validation wants to see it, and what a frame writes is contiguous.
 */
#ifndef VKSKIN_PAGE_POOL_H
#define VKSKIN_PAGE_POOL_H

#include "buffer.h"
#include "descriptors.h"
#include "range_allocator.h"

#define RANGE_ALIGNMENT 16u

/* As many as frames in flight, and one for previous positions. */
#define MAX_REGIONS (VKSKIN_MAX_FRAMES_IN_FLIGHT + 1)

typedef struct Page {
    Buffer buffer;
    VkDescriptorSet sets[MAX_REGIONS]; /* [regions], each of one plane */
    uint32_t regions;
    VkDeviceSize planeSize;
    RangeAllocator ranges;       /* of one plane */
    uint32_t unflushed;          /* 1u << region: the CPU backend has written there and did not flush it yet */
    uint64_t marks[MAX_REGIONS]; /* [regions], of whoever walks the planes and must meet each once */
} Page;

typedef struct PagePool {
    const char *name;
    VkBufferUsageFlags usage;
    VkskinMemoryUse memory;
    VkDeviceSize pageSize;
    Page *pages;
    uint32_t pageCount;
    uint32_t capacity;
} PagePool;

typedef struct PageRange {
    uint32_t page;
    VkDeviceSize offset; /* in each plane, a multiple of RANGE_ALIGNMENT */
    VkDeviceSize size;
} PageRange;

void sknDestroyPool(Gpu *gpu, PagePool *pool);

/*
 * Takes `size` bytes, a multiple of RANGE_ALIGNMENT, in each of `regions` planes; makes a page where none has room.
 * Errors: MESH_TOO_LARGE (not reported: the caller knows of what), OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknPoolAlloc(Gpu *gpu, Descriptors *descriptors, PagePool *pool, VkDeviceSize size, uint32_t regions,
                          PageRange *range);
void sknPoolFree(PagePool *pool, const PageRange *range);

/* Bytes from the start of the page's buffer to the range's copy in plane `region`. */
VkDeviceSize sknRangeOffset(const PagePool *pool, const PageRange *range, uint32_t region);

#endif
