/*
 * null_code.h: the library's kernels, known by their code.
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

typedef struct NullKernel {
    NullMotion motion;
    bool many;   /* for vertices of more than four influences */
    bool morphs; /* for instances with morph weights */
} NullKernel;

NullKernel nullRecogniseKernel(const uint32_t *words, size_t bytes);

#endif
