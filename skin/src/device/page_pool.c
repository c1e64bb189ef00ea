#include "page_pool.h"

#include <string.h>

/* ---- Free ranges of a page ---- */

bool sknInitRanges(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size) {
    *ranges = (RangeAllocator){.capacity = 16, .count = 1};
    ranges->ranges = sknHostAllocateArray(allocator, ranges->capacity, sizeof *ranges->ranges);
    if (ranges->ranges == NULL) {
        *ranges = (RangeAllocator){0};
        return false;
    }
    ranges->ranges[0] = (FreeRange){0, size};
    return true;
}

void sknDestroyRanges(RangeAllocator *ranges, const VkskinHostAllocator *allocator) {
    sknHostFree(allocator, ranges->ranges);
    *ranges = (RangeAllocator){0};
}

static void removeRange(RangeAllocator *ranges, uint32_t index) {
    ranges->count--;
    memmove(&ranges->ranges[index], &ranges->ranges[index + 1], (ranges->count - index) * sizeof *ranges->ranges);
}

/* There is room for it. */
static void insertRange(RangeAllocator *ranges, uint32_t index, FreeRange range) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): taking a range reserved the room */
    memmove(&ranges->ranges[index + 1], &ranges->ranges[index], (ranges->count - index) * sizeof *ranges->ranges);
    ranges->ranges[index] = range;
    ranges->count++;
}

/* Takes bytes that lie in the free range `index`. */
static RangeResult cutRange(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint32_t index, uint64_t size,
                            uint64_t offset) {
    /* n allocations have at most n + 1 free ranges between them. With room for these, freeing never allocates. */
    FreeRange *reserved =
        sknHostReserve(allocator, ranges->ranges, ranges->allocations + 2, &ranges->capacity, sizeof *reserved);
    if (reserved == NULL) {
        return RANGE_NO_HOST_MEMORY;
    }
    ranges->ranges = reserved;
    FreeRange *range = &ranges->ranges[index];
    const FreeRange after = {offset + size, range->offset + range->size - offset - size};
    range->size = offset - range->offset;
    if (range->size > 0 && after.size > 0) {
        insertRange(ranges, index + 1, after);
    } else if (after.size > 0) {
        *range = after;
    } else if (range->size == 0) {
        removeRange(ranges, index);
    }
    ranges->allocations++;
    return RANGE_TAKEN;
}

RangeResult sknTakeRange(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size,
                         uint64_t alignment, uint64_t *offset) {
    for (uint32_t i = 0; i < ranges->count; i++) {
        const FreeRange *range = &ranges->ranges[i];
        if (range->size < size) {
            continue;
        }
        uint64_t skipped = (alignment - range->offset % alignment) % alignment;
        if (skipped <= range->size - size) {
            *offset = range->offset + skipped;
            return cutRange(ranges, allocator, i, size, *offset);
        }
    }
    return RANGE_FULL;
}

/* The index of the first free range that begins at `offset` or above. */
static uint32_t findAbove(const RangeAllocator *ranges, uint64_t offset) {
    uint32_t low = 0;
    uint32_t high = ranges->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranges->ranges[middle].offset < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

RangeResult sknTakeRangeAt(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size,
                           uint64_t offset) {
    uint32_t above = findAbove(ranges, offset + 1);
    if (above == 0) {
        return RANGE_FULL;
    }
    const FreeRange *range = &ranges->ranges[above - 1];
    uint64_t skipped = offset - range->offset;
    if (skipped > range->size || size > range->size - skipped) {
        return RANGE_FULL;
    }
    return cutRange(ranges, allocator, above - 1, size, offset);
}

void sknGiveRange(RangeAllocator *ranges, uint64_t offset, uint64_t size) {
    uint32_t above = findAbove(ranges, offset);
    FreeRange *before = above > 0 ? &ranges->ranges[above - 1] : NULL;
    FreeRange *after = above < ranges->count ? &ranges->ranges[above] : NULL;
    bool joinsBefore = before != NULL && before->offset + before->size == offset;
    bool joinsAfter = after != NULL && offset + size == after->offset;
    ranges->allocations--;
    if (joinsBefore && joinsAfter) {
        before->size += size + after->size;
        removeRange(ranges, above);
    } else if (joinsBefore) {
        before->size += size;
    } else if (joinsAfter) {
        after->offset = offset;
        after->size += size;
    } else {
        insertRange(ranges, above, (FreeRange){offset, size});
    }
}

/* ---- Pages ---- */

/* The largest minStorageBufferOffsetAlignment of any device. */
#define PLANE_ALIGNMENT 256u

void sknDestroyPool(Gpu *gpu, PagePool *pool) {
    for (uint32_t i = 0; i < pool->pageCount; i++) {
        sknDestroyRanges(&pool->pages[i].ranges, gpu->hostAllocator);
        sknDestroyBuffer(gpu, &pool->pages[i].buffer);
    }
    sknHostFree(gpu->hostAllocator, pool->pages);
    *pool = (PagePool){0};
}

static VkskinResult fillPage(Gpu *gpu, Descriptors *descriptors, const PagePool *pool, Page *page) {
    VkskinResult result =
        sknCreateBuffer(gpu, page->planeSize * page->regions, pool->usage, pool->memory, pool->name, &page->buffer);
    if (result < 0) {
        return result;
    }
    if (!sknInitRanges(&page->ranges, gpu->hostAllocator, page->planeSize)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a page of %s", pool->name);
    }
    for (uint32_t region = 0; region < page->regions; region++) {
        page->planes[region] = region * page->planeSize;
    }
    return sknCreateBufferSets(gpu, descriptors, &page->buffer, page->planes, page->planeSize, page->regions,
                               page->sets);
}

/* Bytes of one plane of a page of the usual size. */
static VkDeviceSize usualPlane(const PagePool *pool, uint32_t regions) {
    return pool->pageSize / regions / PLANE_ALIGNMENT * PLANE_ALIGNMENT;
}

/* The size of the next page: one with room for `size` bytes in each plane, up to the usual size. */
static VkDeviceSize nextPageSize(const PagePool *pool, VkDeviceSize size, uint32_t regions) {
    VkDeviceSize next = pool->nextPageSize;
    while (next < pool->pageSize && next / regions / PLANE_ALIGNMENT * PLANE_ALIGNMENT < size) {
        next *= PAGE_GROWTH;
    }
    return next < pool->pageSize ? next : pool->pageSize;
}

static VkskinResult appendPage(Gpu *gpu, Descriptors *descriptors, PagePool *pool, Page page) {
    Page *pages = sknHostReserve(gpu->hostAllocator, pool->pages, pool->pageCount + 1, &pool->capacity, sizeof *pages);
    if (pages == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a page of %s", pool->name);
    }
    pool->pages = pages;
    VkskinResult result = fillPage(gpu, descriptors, pool, &page);
    if (result < 0) {
        sknDestroyRanges(&page.ranges, gpu->hostAllocator);
        sknDestroyBuffer(gpu, &page.buffer);
        return result;
    }
    pool->pages[pool->pageCount++] = page;
    return VKSKIN_SUCCESS;
}

/* A range that does not fit a page of the usual size gets a page of its own size. */
static VkskinResult addPage(Gpu *gpu, Descriptors *descriptors, PagePool *pool, VkDeviceSize size, uint32_t regions) {
    VkDeviceSize next = nextPageSize(pool, size, regions);
    VkDeviceSize plane = next / regions / PLANE_ALIGNMENT * PLANE_ALIGNMENT;
    VkDeviceSize needed = (size + PLANE_ALIGNMENT - 1) / PLANE_ALIGNMENT * PLANE_ALIGNMENT;
    bool own = needed > plane;
    Page page = {.regions = regions, .planeSize = own ? needed : plane};
    if (page.planeSize > gpu->limits.maxStorageBufferRange / regions) {
        return VKSKIN_ERROR_MESH_TOO_LARGE;
    }
    VkskinResult result = appendPage(gpu, descriptors, pool, page);
    if (result >= 0 && !own && next < pool->pageSize) {
        pool->nextPageSize = next * PAGE_GROWTH;
    }
    return result;
}

static RangeResult takeFromPages(Gpu *gpu, PagePool *pool, VkDeviceSize size, uint32_t regions, bool anyPage,
                                 PageRange *range) {
    VkDeviceSize usual = usualPlane(pool, regions);
    for (uint32_t i = 0; i < pool->pageCount; i++) {
        Page *page = &pool->pages[i];
        if (page->buffer.borrowed || page->regions != regions ||
            (!anyPage && page->planeSize > usual && size <= usual)) {
            continue;
        }
        uint64_t offset = 0;
        RangeResult result = sknTakeRange(&page->ranges, gpu->hostAllocator, size, RANGE_ALIGNMENT, &offset);
        if (result != RANGE_FULL) {
            *range = (PageRange){.page = i, .offset = offset, .size = size};
            return result;
        }
    }
    return RANGE_FULL;
}

/*
 * Large pages are reserved for large ranges: if small ranges filled an empty large page, the next large range would need
 * another page. Small ranges use them only if the device has no memory for a page.
 */
VkskinResult sknPoolAlloc(Gpu *gpu, Descriptors *descriptors, PagePool *pool, VkDeviceSize size, uint32_t regions,
                          PageRange *range) {
    RangeResult taken = takeFromPages(gpu, pool, size, regions, false, range);
    if (taken == RANGE_FULL) {
        VkskinResult result = addPage(gpu, descriptors, pool, size, regions);
        if (result < 0 && result != VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY) {
            return result;
        }
        taken = takeFromPages(gpu, pool, size, regions, result < 0, range);
        if (taken == RANGE_FULL) {
            return result;
        }
    }
    if (taken != RANGE_TAKEN) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a range of %s", pool->name);
    }
    return VKSKIN_SUCCESS;
}

void sknPoolFree(PagePool *pool, const PageRange *range) {
    sknGiveRange(&pool->pages[range->page].ranges, range->offset, range->size);
}

/* ---- Pages of the host ---- */

/* An entry that a removed page has left, whose sets suffice; else a new one. NO_ENTRY: there is no host memory. */
#define NO_ENTRY UINT32_MAX
static uint32_t takeEntry(const Gpu *gpu, PagePool *pool, uint32_t regions) {
    for (uint32_t i = 0; i < pool->pageCount; i++) {
        if (pool->pages[i].regions == 0 && pool->pages[i].sets[regions - 1] != VK_NULL_HANDLE) {
            return i;
        }
    }
    Page *pages = sknHostReserve(gpu->hostAllocator, pool->pages, pool->pageCount + 1, &pool->capacity, sizeof *pages);
    if (pages == NULL) {
        return NO_ENTRY;
    }
    pool->pages = pages;
    return pool->pageCount;
}

VkskinResult sknPoolLend(Gpu *gpu, Descriptors *descriptors, PagePool *pool, const Page *lent, uint32_t *index) {
    Page page = *lent;
    const uint32_t entry = takeEntry(gpu, pool, page.regions);
    if (entry == NO_ENTRY || !sknInitRanges(&page.ranges, gpu->hostAllocator, page.planeSize)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a buffer of %s", pool->name);
    }
    if (entry < pool->pageCount) {
        memcpy(page.sets, pool->pages[entry].sets, sizeof page.sets);
        sknWriteBufferSets(gpu, &page.buffer, page.planes, page.planeSize, page.regions, page.sets);
    } else {
        VkskinResult result =
            sknCreateBufferSets(gpu, descriptors, &page.buffer, page.planes, page.planeSize, page.regions, page.sets);
        if (result < 0) {
            sknDestroyRanges(&page.ranges, gpu->hostAllocator);
            return result;
        }
        pool->pageCount++;
    }
    pool->pages[entry] = page;
    *index = entry;
    return VKSKIN_SUCCESS;
}

void sknPoolReturn(const Gpu *gpu, PagePool *pool, uint32_t index) {
    Page *page = &pool->pages[index];
    Page left = {0};
    memcpy(left.sets, page->sets, sizeof left.sets);
    sknDestroyRanges(&page->ranges, gpu->hostAllocator);
    *page = left;
}

uint32_t sknPoolPages(const PagePool *pool) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pool->pageCount; i++) {
        count += pool->pages[i].regions > 0;
    }
    return count;
}
