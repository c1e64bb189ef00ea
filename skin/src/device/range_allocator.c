#include "range_allocator.h"

#include <string.h>

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

/* n allocations leave at most n + 1 free ranges between them: with room for that, giving back never allocates. */
static bool reserveForOneMore(RangeAllocator *ranges, const VkskinHostAllocator *allocator) {
    if (ranges->allocations + 2 <= ranges->capacity) {
        return true;
    }
    uint32_t capacity = ranges->capacity * 2;
    FreeRange *grown = sknHostGrowArray(allocator, ranges->ranges, ranges->count, capacity, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    ranges->ranges = grown;
    ranges->capacity = capacity;
    return true;
}

static void removeRange(RangeAllocator *ranges, uint32_t index) {
    ranges->count--;
    memmove(&ranges->ranges[index], &ranges->ranges[index + 1], (ranges->count - index) * sizeof *ranges->ranges);
}

RangeResult sknTakeRange(RangeAllocator *ranges, const VkskinHostAllocator *allocator, uint64_t size,
                         uint64_t *offset) {
    uint32_t index = 0;
    while (index < ranges->count && ranges->ranges[index].size < size) {
        index++;
    }
    if (index == ranges->count) {
        return RANGE_FULL;
    }
    if (!reserveForOneMore(ranges, allocator)) {
        return RANGE_NO_HOST_MEMORY;
    }
    FreeRange *range = &ranges->ranges[index];
    *offset = range->offset;
    range->offset += size;
    range->size -= size;
    if (range->size == 0) {
        removeRange(ranges, index);
    }
    ranges->allocations++;
    return RANGE_TAKEN;
}

/* The first free range above `offset`. */
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
        /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): taking the range made room for its return */
        memmove(&ranges->ranges[above + 1], &ranges->ranges[above], (ranges->count - above) * sizeof *ranges->ranges);
        ranges->ranges[above] = (FreeRange){offset, size};
        ranges->count++;
    }
}
