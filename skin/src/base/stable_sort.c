#include "stable_sort.h"

#include <stddef.h>
#include <string.h>

typedef struct Sort {
    bool (*comesAfter)(const void *data, uint32_t a, uint32_t b);
    const void *data;
} Sort;

/* Merges two sorted runs of `from`, [begin, middle) and [middle, end), into one of `to`. */
static void mergeRuns(const Sort *sort, const uint32_t *from, uint32_t *to, size_t begin, size_t middle, size_t end) {
    size_t left = begin;
    size_t right = middle;
    for (size_t i = begin; i < end; i++) {
        bool takeRight = left == middle || (right < end && sort->comesAfter(sort->data, from[left], from[right]));
        to[i] = takeRight ? from[right++] : from[left++];
    }
}

void sknSortStable(uint32_t *items, uint32_t count, uint32_t *room,
                   bool (*comesAfter)(const void *data, uint32_t a, uint32_t b), const void *data) {
    Sort sort = {comesAfter, data};
    uint32_t *from = items;
    uint32_t *to = room;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * run) {
            size_t middle = begin + run < count ? begin + run : count;
            size_t end = begin + 2 * run < count ? begin + 2 * run : count;
            mergeRuns(&sort, from, to, begin, middle, end);
        }
        uint32_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != items) {
        memcpy(items, from, count * sizeof *items);
    }
}
