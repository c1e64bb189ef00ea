#include "random.h"

#include <math.h>

/* splitmix64 */
uint32_t randomWord(Random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

uint32_t randomBelow(Random *random, uint32_t count) {
    return (uint32_t)((uint64_t)randomWord(random) * count >> 32);
}

float randomFloat(Random *random, float low, float high) {
    float unit = (float)(randomWord(random) >> 8) / 16777216.0f;
    return low + (high - low) * unit;
}

void randomDirection(Random *random, float direction[3]) {
    float z = randomFloat(random, -1.0f, 1.0f);
    float angle = randomFloat(random, 0.0f, 6.2831853f);
    float radius = sqrtf(1.0f - z * z);
    direction[0] = radius * cosf(angle);
    direction[1] = radius * sinf(angle);
    direction[2] = z;
}

void randomRotation(Random *random, float maxAngle, float rotation[4]) {
    float half = 0.5f * randomFloat(random, 0.0f, maxAngle);
    randomDirection(random, rotation);
    for (int i = 0; i < 3; i++) {
        rotation[i] *= sinf(half);
    }
    rotation[3] = cosf(half);
}
