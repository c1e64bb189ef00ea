#include "colours.h"

#include <stdlib.h>

#define TABLE_SIZE 16384u
#define COUNT_MAX  4096u

uint32_t coloursCount(const uint8_t *pixels, size_t count, size_t stride) {
    static uint32_t table[TABLE_SIZE]; /* colour + 1; 0 is free */
    uint32_t found = 0;
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        table[i] = 0;
    }
    for (size_t i = 0; i < count && found < COUNT_MAX; i++) {
        const uint8_t *p = pixels + i * stride;
        uint32_t colour = ((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) + 1u;
        uint32_t place = colour * 2654435761u % TABLE_SIZE;
        while (table[place] != 0 && table[place] != colour) {
            place = (place + 1) % TABLE_SIZE;
        }
        found += table[place] == 0;
        table[place] = colour;
    }
    return found;
}

double coloursDiffer(const uint8_t *a, size_t strideA, const uint8_t *b, size_t strideB, size_t count, int tolerance) {
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        int most = 0;
        for (int c = 0; c < 3; c++) {
            int difference = abs(a[i * strideA + c] - b[i * strideB + c]);
            most = difference > most ? difference : most;
        }
        different += most > tolerance;
    }
    return count > 0 ? (double)different / (double)count : 0.0;
}
