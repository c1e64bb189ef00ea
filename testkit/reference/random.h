/* random.h: the same numbers on every machine. One stream a Random; not thread-safe. */
#ifndef ENGINE_RANDOM_H
#define ENGINE_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t state; /* the seed: any value */
} Random;

uint32_t randomWord(Random *random);

/* In 0 to count - 1; count above 0. */
uint32_t randomBelow(Random *random, uint32_t count);

/* In [low, high). */
float randomFloat(Random *random, float low, float high);

/* A vector of length 1. */
void randomDirection(Random *random, float direction[3]);

/* A unit quaternion (x, y, z, w) about any axis, by an angle of at most maxAngle radians. */
void randomRotation(Random *random, float maxAngle, float rotation[4]);

#endif
