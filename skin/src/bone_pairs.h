/*
 * bone_pairs.h: a number for each pair of bones that occurs: a table by hash.
 */
#ifndef VKSKIN_BONE_PAIRS_H
#define VKSKIN_BONE_PAIRS_H

#include "vkskin/vkskin_base.h"

#define NO_BONE_PAIR UINT32_MAX

typedef struct BonePairs {
    uint32_t count;    /* pairs, numbered from 0 in the order of their coming */
    uint32_t capacity; /* 0 or a power of two */
    uint64_t *keys;    /* [capacity]; 0: nothing here */
    uint32_t *numbers; /* [capacity] */
} BonePairs;

/* Adds the pair of two bones, low < high, where it is new. False where there is no memory; nothing has changed then. */
bool sknAddBonePair(const VkskinHostAllocator *allocator, BonePairs *pairs, uint32_t low, uint32_t high);

/* The number of a pair, low < high, or NO_BONE_PAIR. */
uint32_t sknFindBonePair(const BonePairs *pairs, uint32_t low, uint32_t high);

/* Frees the table and leaves an empty one. */
void sknFreeBonePairs(const VkskinHostAllocator *allocator, BonePairs *pairs);

#endif
