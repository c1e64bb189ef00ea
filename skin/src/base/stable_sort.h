/*
 * stable_sort.h: a stable merge sort of indices.
 */
#ifndef VKSKIN_STABLE_SORT_H
#define VKSKIN_STABLE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Sorts items[count]. comesAfter returns whether a belongs after b. room[count] is overwritten. */
void sknSortStable(uint32_t *items, uint32_t count, uint32_t *room,
                   bool (*comesAfter)(const void *data, uint32_t a, uint32_t b), const void *data);

#endif
