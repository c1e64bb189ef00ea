#include "null_code.h"

#include <string.h>

/* An array for each kernel and code, generated for the library. */
#include "kernel_code.inc"

typedef struct Code {
    const uint32_t *words;
    size_t bytes;
    NullKernel kernel;
} Code;

#define CODES(name, motion)                                                                                            \
    {name##_plain, sizeof name##_plain, {motion, false, false}},                                                       \
        {name##_many, sizeof name##_many, {motion, true, false}},                                                      \
        {name##_morphs, sizeof name##_morphs, {motion, false, true}}, {                                                \
        name##_many_morphs, sizeof name##_many_morphs, {                                                               \
            motion, true, true                                                                                         \
        }                                                                                                              \
    }

static const Code codes[] = {
    CODES(skin_linear_blend, NULL_MOTION_MATRIX),
    CODES(skin_linear_blend_flat, NULL_MOTION_FLAT_MATRIX),
    CODES(skin_linear_blend_quaternion, NULL_MOTION_QUATERNION),
    CODES(skin_linear_blend_quaternion_half, NULL_MOTION_QUATERNION_HALF),
    CODES(skin_linear_blend_quaternion_snorm16, NULL_MOTION_QUATERNION_SNORM16),
    CODES(skin_dual_quaternion, NULL_MOTION_DUAL_QUATERNION),
    CODES(skin_scaled_dual_quaternion, NULL_MOTION_SCALED_DUAL_QUATERNION),
    CODES(skin_painted_blend, NULL_MOTION_PAINTED_BLEND),
    CODES(skin_centres_of_rotation, NULL_MOTION_CENTRES),
};

NullKernel nullRecogniseKernel(const uint32_t *words, size_t bytes) {
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (bytes == codes[i].bytes && memcmp(words, codes[i].words, bytes) == 0) {
            return codes[i].kernel;
        }
    }
    return (NullKernel){.motion = NULL_MOTION_UNKNOWN};
}
