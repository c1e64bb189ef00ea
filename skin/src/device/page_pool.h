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

/* ---- Free ranges of a page ---- */

typedef struct FreeRange {
    uint64_t offset;
    uint64_t size;
} FreeRange;

typedef struct RangeAllocator {
    FreeRange *ranges; /* ascending, never touching one another */
    uint32_t count;
    uint32_t capacity;
    uint32_t allocations;
} RangeAllocator;

/* All of 0 to size is free. False where there is no host memory. */
bool sknInitRanges(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size);
void sknDestroyRanges(RangeAllocator *ranges, const VkskinHostAllocator *allocator);

typedef enum RangeResult { RANGE_TAKEN, RANGE_FULL, RANGE_NO_HOST_MEMORY } RangeResult;

/* Takes `size` bytes, above 0. Whoever keeps sizes to a multiple of an alignment gets offsets so aligned. */
RangeResult sknTakeRange(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size, uint64_t *offset);

/* Gives back what was taken. Cannot fail: taking made room for it. */
void sknGiveRange(RangeAllocator *ranges, uint64_t offset, uint64_t size);

/* ---- Pages ---- */

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
