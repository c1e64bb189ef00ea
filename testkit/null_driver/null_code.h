/*
 * null_code.h: the library's kernels, known by their code, all constants of which are plain ones by now.
 */
#ifndef TESTS_NULL_CODE_H
#define TESTS_NULL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a kernel moves vertices: a method, and the encoding that it reads. */
typedef enum NullMotion {
    NULL_MOTION_UNKNOWN, /* no kernel of the library's: runs as nothing */
    NULL_MOTION_MATRIX,
    NULL_MOTION_FLAT_MATRIX,
    NULL_MOTION_QUATERNION,
    NULL_MOTION_QUATERNION_HALF,
    NULL_MOTION_QUATERNION_SNORM16,
    NULL_MOTION_DUAL_QUATERNION,
    NULL_MOTION_SCALED_DUAL_QUATERNION,
    NULL_MOTION_PAINTED_BLEND,
    NULL_MOTION_CENTRES
} NullMotion;

#define NULL_MAX_CONSTANTS 8

typedef struct NullKernel {
    NullMotion motion;
    bool many;                              /* for vertices of more than four influences */
    bool morphs;                            /* for instances with morph weights */
    uint32_t constants[NULL_MAX_CONSTANTS]; /* LAYOUT_CONSTANT_, as they were put in; 0 for what the code has not */
} NullKernel;

NullKernel nullRecogniseKernel(const uint32_t *words, size_t bytes);

#endif
