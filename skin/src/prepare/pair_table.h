/*
 * pair_table.h: hash table that numbers the pairs of numbers that were added.
 */
#ifndef VKSKIN_PAIR_TABLE_H
#define VKSKIN_PAIR_TABLE_H

#include "vkskin/vkskin_base.h"

#define UNKNOWN_PAIR UINT32_MAX

typedef struct PairTable {
    uint32_t count;    /* pairs, numbered from 0 in the order of insertion */
    uint32_t capacity; /* 0 or a power of two */
    uint64_t *keys;    /* [capacity]; 0: empty */
    uint32_t *numbers; /* [capacity] */
} PairTable;

/* Adds the pair (a, b) if it is new; b is above 0. False: out of memory; nothing has changed then. */
bool sknAddPair(const VkskinHostAllocator *allocator, PairTable *table, uint32_t a, uint32_t b);

/* The number of the pair (a, b), or UNKNOWN_PAIR. */
uint32_t sknFindPair(const PairTable *table, uint32_t a, uint32_t b);

/* Frees the table and leaves an empty one. */
void sknFreePairTable(const VkskinHostAllocator *allocator, PairTable *table);

#endif
