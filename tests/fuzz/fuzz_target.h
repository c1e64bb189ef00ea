/*
 * fuzz_target.h: the entry points of every target.
 *
 * A target takes any bytes. It may refuse them, but must return with all memory freed. Address and undefined behaviour
 * sanitizers check it, and FUZZ_CHECK adds conditions.
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "count_of.h"

/* Called by libFuzzer with each input; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Optional; called once before the first input. */
int LLVMFuzzerInitialize(int *count, char ***texts);

/* A false condition ends the target, and libFuzzer stores the input. */
#define FUZZ_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
