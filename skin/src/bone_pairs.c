#include "bone_pairs.h"

#include "host_memory.h"

#define FIRST_CAPACITY 256u

/* Never 0, since high is not. */
static uint64_t keyOf(uint32_t low, uint32_t high) {
    return (uint64_t)low << 32 | high;
}

/* Where the key stands, or the empty place where it would. */
static uint32_t placeOf(const BonePairs *pairs, uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    uint32_t place = (uint32_t)(hash >> 32) & (pairs->capacity - 1);
    while (pairs->keys[place] != 0 && pairs->keys[place] != key) {
        place = (place + 1) & (pairs->capacity - 1);
    }
    return place;
}

/* Twice the places, so that at least half of them are empty. */
static bool grow(const VkskinHostAllocator *allocator, BonePairs *pairs) {
    uint32_t capacity = pairs->capacity != 0 ? 2 * pairs->capacity : FIRST_CAPACITY;
    BonePairs grown = {.count = pairs->count, .capacity = capacity};
    if (capacity == 0) { /* 2^32 places */
        return false;
    }
    grown.keys = sknHostAllocateArray(allocator, capacity, sizeof *grown.keys);
    grown.numbers = sknHostAllocateArray(allocator, capacity, sizeof *grown.numbers);
    if (grown.keys == NULL || grown.numbers == NULL) {
        sknFreeBonePairs(allocator, &grown);
        return false;
    }
    for (uint32_t i = 0; i < pairs->capacity; i++) {
        if (pairs->keys[i] != 0) {
            uint32_t place = placeOf(&grown, pairs->keys[i]);
            grown.keys[place] = pairs->keys[i];
            grown.numbers[place] = pairs->numbers[i];
        }
    }
    sknFreeBonePairs(allocator, pairs);
    *pairs = grown;
    return true;
}

bool sknAddBonePair(const VkskinHostAllocator *allocator, BonePairs *pairs, uint32_t low, uint32_t high) {
    if (pairs->count >= pairs->capacity / 2 && !grow(allocator, pairs)) {
        return false;
    }
    uint64_t key = keyOf(low, high);
    uint32_t place = placeOf(pairs, key);
    if (pairs->keys[place] == 0) {
        pairs->keys[place] = key;
        pairs->numbers[place] = pairs->count++;
    }
    return true;
}

uint32_t sknFindBonePair(const BonePairs *pairs, uint32_t low, uint32_t high) {
    if (pairs->count == 0) {
        return NO_BONE_PAIR;
    }
    uint64_t key = keyOf(low, high);
    uint32_t place = placeOf(pairs, key);
    return pairs->keys[place] == key ? pairs->numbers[place] : NO_BONE_PAIR;
}

void sknFreeBonePairs(const VkskinHostAllocator *allocator, BonePairs *pairs) {
    sknHostFree(allocator, pairs->keys);
    sknHostFree(allocator, pairs->numbers);
    *pairs = (BonePairs){0};
}
