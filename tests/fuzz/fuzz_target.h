/*
 * fuzz_target.h: what every target here is made of.
 *
 * A target takes any bytes and may refuse them, but must come back with all memory freed: address and undefined
 * behaviour sanitizers watch it, and FUZZ_CHECK states what must hold besides.
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Called by libFuzzer with each input; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Called once before, where a target has it. */
int LLVMFuzzerInitialize(int *count, char ***texts);

/* A promise that is broken ends the target; libFuzzer keeps the input. */
#define FUZZ_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
