/* splitmix.h: numbers from a seed, the same on every machine. */
#ifndef ENGINE_SPLITMIX_H
#define ENGINE_SPLITMIX_H

#include <stdint.h>

/* splitmix64: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators". *state: any seed at first. */
static inline uint64_t randomNext(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t value = *state;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/* In 0 to 1, 1 excluded. */
static inline double randomShare(uint64_t *state) {
    return (double)(randomNext(state) >> 11) * 0x1p-53;
}

/* In -1 to 1. */
static inline float randomSigned(uint64_t *state) {
    return (float)(2.0 * randomShare(state) - 1.0);
}

#endif
