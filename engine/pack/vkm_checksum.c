#include "vkm_checksum.h"

#include <string.h>

#define PRIME_1 0x9E3779B185EBCA87u
#define PRIME_2 0xC2B2AE3D27D4EB4Fu
#define PRIME_3 0x165667B19E3779F9u
#define PRIME_4 0x85EBCA77C2B2AE63u
#define PRIME_5 0x27D4EB2F165667C5u

#define STRIPE 32u /* bytes that one step of the four sums reads */

static uint64_t rotate(uint64_t number, int bits) {
    return number << bits | number >> (64 - bits);
}

static uint64_t read64(const uint8_t *bytes) {
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

static uint32_t read32(const uint8_t *bytes) {
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

static uint64_t mix(uint64_t sum, uint64_t word) {
    return rotate(sum + word * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge(uint64_t hash, uint64_t sum) {
    return (hash ^ mix(0, sum)) * PRIME_1 + PRIME_4;
}

/* The whole stripes. */
static uint64_t addStripes(const uint8_t *bytes, size_t count, uint64_t seed) {
    uint64_t a = seed + PRIME_1 + PRIME_2, b = seed + PRIME_2, c = seed, d = seed - PRIME_1;
    for (size_t i = 0; i < count; i++, bytes += STRIPE) {
        a = mix(a, read64(bytes));
        b = mix(b, read64(bytes + 8));
        c = mix(c, read64(bytes + 16));
        d = mix(d, read64(bytes + 24));
    }
    uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    return merge(merge(merge(merge(hash, a), b), c), d);
}

/* What is left, less than a stripe. */
static uint64_t addRest(uint64_t hash, const uint8_t *bytes, size_t left) {
    for (; left >= 8; left -= 8, bytes += 8) {
        hash = rotate(hash ^ mix(0, read64(bytes)), 27) * PRIME_1 + PRIME_4;
    }
    for (; left >= 4; left -= 4, bytes += 4) {
        hash = rotate(hash ^ read32(bytes) * PRIME_1, 23) * PRIME_2 + PRIME_3;
    }
    for (; left > 0; left--, bytes++) {
        hash = rotate(hash ^ *bytes * PRIME_5, 11) * PRIME_1;
    }
    return hash;
}

uint64_t vkmChecksum(const void *bytes, size_t size, uint64_t seed) {
    const size_t stripes = size / STRIPE;
    uint64_t hash = stripes > 0 ? addStripes(bytes, stripes, seed) : seed + PRIME_5;
    hash += size;
    if (size % STRIPE > 0) {
        hash = addRest(hash, (const uint8_t *)bytes + stripes * STRIPE, size % STRIPE);
    }
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}
