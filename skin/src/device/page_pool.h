/*
 * page_pool.h: large buffers (pages) that hold many meshes, or the output of many instances, so that few dispatches
 * cover all of them.
 *
 * A page of R regions is R equal planes. A range has the same offset in each plane. Each plane has its own descriptor
 * set: frames in flight that write different regions bind different memory, which synchronisation validation checks.
 *
 * A page may also be planes of a buffer of the host. Ranges are then taken in this page by its index only.
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
    FreeRange *ranges; /* ascending by offset; adjacent ranges are joined */
    uint32_t count;
    uint32_t capacity;
    uint32_t allocations;
} RangeAllocator;

/* Makes bytes 0 to size free. False if there is no host memory. */
bool sknInitRanges(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size);
void sknDestroyRanges(RangeAllocator *ranges, const VkskinHostAllocator *allocator);

typedef enum RangeResult { RANGE_TAKEN, RANGE_FULL, RANGE_NO_HOST_MEMORY } RangeResult;

/* Takes `size` bytes, above 0, first fit, at a multiple of `alignment`. */
RangeResult sknTakeRange(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size,
                         uint64_t alignment, uint64_t *offset);

/* Takes `size` bytes, above 0, at `offset`. RANGE_FULL if they are not all free. */
RangeResult sknTakeRangeAt(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size,
                           uint64_t offset);

/* Frees a taken range. Cannot fail: taking it reserved the room. */
void sknGiveRange(RangeAllocator *ranges, uint64_t offset, uint64_t size);

/* ---- Pages ---- */

#define RANGE_ALIGNMENT 16u

/* One per frame in flight, and one for previous positions. */
#define MAX_REGIONS (VKSKIN_MAX_FRAMES_IN_FLIGHT + 1)

typedef struct Page {
    Buffer buffer; /* borrowed: the host's */
    VkDescriptorSet
        sets[MAX_REGIONS];            /* [regions], each of one plane; the others are null, or left from another page */
    VkDeviceSize planes[MAX_REGIONS]; /* [regions]: bytes from the start of the buffer */
    uint32_t regions;                 /* 0: a buffer of the host was here, sknPoolLend uses the entry again */
    VkDeviceSize planeSize;
    RangeAllocator ranges;       /* used ranges of one plane; the same in all */
    uint32_t unflushed;          /* 1u << region: the CPU backend wrote there and has not flushed it */
    uint64_t marks[MAX_REGIONS]; /* [regions], the visitSerial of the last visit: each plane is visited once */
} Page;

/* Each page has PAGE_GROWTH times the size of the one before, up to pageSize. */
#define PAGE_GROWTH 4u

typedef struct PagePool {
    const char *name;
    VkBufferUsageFlags usage;
    VkskinMemoryUse memory;
    VkDeviceSize nextPageSize;
    VkDeviceSize pageSize;
    Page *pages;
    uint32_t pageCount;
    uint32_t capacity;
} PagePool;

typedef struct PageRange {
    uint32_t page;
    VkDeviceSize offset; /* in each plane, a multiple of RANGE_ALIGNMENT, in the host's pages of 4 */
    VkDeviceSize size;
} PageRange;

void sknDestroyPool(Gpu *gpu, PagePool *pool);

/*
 * Takes `size` bytes, a multiple of RANGE_ALIGNMENT, in each of `regions` planes. Creates a page if none has room.
 * Errors: MESH_TOO_LARGE (not logged: the caller knows the object), OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknPoolAlloc(Gpu *gpu, Descriptors *descriptors, PagePool *pool, VkDeviceSize size, uint32_t regions,
                          PageRange *range);
void sknPoolFree(PagePool *pool, const PageRange *range);

/*
 * Adds a page in a buffer of the host: `lent` has a borrowed buffer, planes, regions and planeSize. *index receives its
 * index. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknPoolLend(Gpu *gpu, Descriptors *descriptors, PagePool *pool, const Page *lent, uint32_t *index);

/* Removes it. It has no ranges. The indices of other pages stay. */
void sknPoolReturn(const Gpu *gpu, PagePool *pool, uint32_t index);

/* Pages that were not removed. */
uint32_t sknPoolPages(const PagePool *pool);

/* Bytes from the start of the page's buffer to the range's copy in plane `region`. */
static inline VkDeviceSize sknRangeOffset(const PagePool *pool, const PageRange *range, uint32_t region) {
    return pool->pages[range->page].planes[region] + range->offset;
}

#endif
