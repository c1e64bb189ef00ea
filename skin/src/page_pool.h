/*
 * page_pool.h: large buffers that hold many meshes, or many instances' output, so that few dispatches reach them all.
 *
 * A page of R regions is cut into R equal planes; a range lies at the same offset of each plane. What one frame
 * writes is then contiguous: few ranges to hand from one queue family to another.
 */
#ifndef VKSKIN_PAGE_POOL_H
#define VKSKIN_PAGE_POOL_H

#include "buffer.h"
#include "descriptors.h"
#include "range_allocator.h"

#define RANGE_ALIGNMENT 16u

typedef struct Page {
    Buffer buffer;
    VkDescriptorSet set;
    uint32_t regions;
    VkDeviceSize planeSize;
    RangeAllocator ranges; /* of one plane */
    uint64_t mark;         /* of whoever walks the pages and must meet each once */
} Page;

typedef struct PagePool {
    const char *name;
    VkBufferUsageFlags usage;
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
VkskinResult sknPoolTake(Gpu *gpu, Descriptors *descriptors, PagePool *pool, VkDeviceSize size, uint32_t regions,
                         PageRange *range);
void sknPoolGive(PagePool *pool, const PageRange *range);

/* Bytes from the start of the page's buffer to the range's copy in plane `region`. */
VkDeviceSize sknRangeOffset(const PagePool *pool, const PageRange *range, uint32_t region);

#endif
