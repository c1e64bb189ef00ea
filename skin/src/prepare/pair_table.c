#include "pair_table.h"

#include "host.h"

#define FIRST_CAPACITY 256u

/* Never 0, because b is not 0. */
static uint64_t keyOf(uint32_t a, uint32_t b) {
    return (uint64_t)a << 32 | b;
}

/* Index of the key, or of the empty slot for it. */
static uint32_t placeOf(const PairTable *table, uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: spreads consecutive numbers */
    uint32_t place = (uint32_t)(hash >> 32) & (table->capacity - 1);
    while (table->keys[place] != 0 && table->keys[place] != key) {
        place = (place + 1) & (table->capacity - 1);
    }
    return place;
}

/* Doubles the capacity, so that at least half of the slots are empty. */
static bool grow(const VkskinHostAllocator *allocator, PairTable *table) {
    uint32_t capacity = table->capacity != 0 ? 2 * table->capacity : FIRST_CAPACITY;
    PairTable grown = {.count = table->count, .capacity = capacity};
    if (capacity == 0) { /* 2^32 slots */
        return false;
    }
    grown.keys = sknHostAllocateArray(allocator, capacity, sizeof *grown.keys);
    grown.numbers = sknHostAllocateArray(allocator, capacity, sizeof *grown.numbers);
    if (grown.keys == NULL || grown.numbers == NULL) {
        sknFreePairTable(allocator, &grown);
        return false;
    }
    for (uint32_t i = 0; i < table->capacity; i++) {
        if (table->keys[i] != 0) {
            uint32_t place = placeOf(&grown, table->keys[i]);
            grown.keys[place] = table->keys[i];
            grown.numbers[place] = table->numbers[i];
        }
    }
    sknFreePairTable(allocator, table);
    *table = grown;
    return true;
}

bool sknAddPair(const VkskinHostAllocator *allocator, PairTable *table, uint32_t a, uint32_t b) {
    if (table->count >= table->capacity / 2 && !grow(allocator, table)) {
        return false;
    }
    uint64_t key = keyOf(a, b);
    uint32_t place = placeOf(table, key);
    if (table->keys[place] == 0) {
        table->keys[place] = key;
        table->numbers[place] = table->count++;
    }
    return true;
}

uint32_t sknFindPair(const PairTable *table, uint32_t a, uint32_t b) {
    if (table->count == 0) {
        return UNKNOWN_PAIR;
    }
    uint64_t key = keyOf(a, b);
    uint32_t place = placeOf(table, key);
    return table->keys[place] == key ? table->numbers[place] : UNKNOWN_PAIR;
}

void sknFreePairTable(const VkskinHostAllocator *allocator, PairTable *table) {
    sknHostFree(allocator, table->keys);
    sknHostFree(allocator, table->numbers);
    *table = (PairTable){0};
}
