#include "null_code.h"

#include <string.h>

#include "kernels/layout.h"

/* An array for each kernel and code, generated for the library. */
#include "kernel_code.inc"

static_assert(LAYOUT_CONSTANT_COUNT <= NULL_MAX_CONSTANTS, "a kernel's constants are held by number");

typedef struct Code {
    const uint32_t *words;
    size_t count;
    NullMotion motion;
    bool many, morphs;
} Code;

#define CODE(words, motion, many, morphs)                                                                              \
    { (words), sizeof(words) / sizeof(uint32_t), (motion), (many), (morphs) }
#define CODES(name, motion)                                                                                            \
    CODE(name##_plain, motion, false, false), CODE(name##_many, motion, true, false),                                  \
        CODE(name##_morphs, motion, false, true), CODE(name##_many_morphs, motion, true, true)

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

/* SPIR-V: five words, then instructions that begin with { words << 16 | operation }. */
#define HEADER_WORDS        5
#define LENGTH(instruction) ((instruction)[0] >> 16)
#define OP(instruction)     ((instruction)[0] & 0xffffu)
enum {
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT_FALSE = 42,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_SPEC_CONSTANT_OP = 52,
    OP_DECORATE = 71,
    DECORATION_SPEC_ID = 1
};

/* { operation, target, decoration, number } */
static bool numbersConstant(const uint32_t *instruction) {
    return OP(instruction) == OP_DECORATE && instruction[2] == DECORATION_SPEC_ID;
}

/* The number of a specialisation constant by its id; one that has none, which no kernel has, counts as the last. */
static uint32_t numberOf(const Code *code, uint32_t id) {
    for (size_t at = HEADER_WORDS; at < code->count; at += LENGTH(&code->words[at])) {
        const uint32_t *instruction = &code->words[at];
        if (numbersConstant(instruction) && instruction[1] == id && instruction[3] < NULL_MAX_CONSTANTS) {
            return instruction[3];
        }
    }
    return NULL_MAX_CONSTANTS - 1;
}

/* From word `first` on. */
static bool sameWords(const uint32_t *own, const uint32_t *given, uint32_t first) {
    return LENGTH(own) == LENGTH(given) && memcmp(own + first, given + first, (LENGTH(own) - first) * sizeof *own) == 0;
}

/* Whether `given` is what the library's instruction becomes: a plain constant of the same type and id for each one that
 * is left open. Takes the value. */
static bool becomes(const Code *code, const uint32_t *own, const uint32_t *given, NullKernel *kernel) {
    bool sameId = LENGTH(own) > 2 && LENGTH(given) > 2 && own[1] == given[1] && own[2] == given[2];
    switch (OP(own)) {
    case OP_SPEC_CONSTANT:
        if (!sameId || OP(given) != OP_CONSTANT || LENGTH(given) != 4) {
            return false;
        }
        kernel->constants[numberOf(code, own[2])] = given[3];
        return true;
    case OP_SPEC_CONSTANT_OP:
        return sameId && (OP(given) == OP_CONSTANT || OP(given) == OP_CONSTANT_TRUE || OP(given) == OP_CONSTANT_FALSE);
    case OP_SPEC_CONSTANT_COMPOSITE:
        return OP(given) == OP_CONSTANT_COMPOSITE && sameWords(own, given, 1);
    default:
        return sameWords(own, given, 0);
    }
}

static bool isOf(const Code *code, const uint32_t *words, size_t count, NullKernel *kernel) {
    if (count < HEADER_WORDS || memcmp(code->words, words, HEADER_WORDS * sizeof *words) != 0) {
        return false;
    }
    *kernel = (NullKernel){.motion = code->motion, .many = code->many, .morphs = code->morphs};
    size_t at = HEADER_WORDS;
    for (size_t i = HEADER_WORDS; i < code->count; i += LENGTH(&code->words[i])) {
        if (numbersConstant(&code->words[i])) {
            continue;
        }
        const uint32_t *given = &words[at];
        bool whole = at < count && LENGTH(given) > 0 && LENGTH(given) <= count - at;
        if (!whole || !becomes(code, &code->words[i], given, kernel)) {
            return false;
        }
        at += LENGTH(given);
    }
    return at == count;
}

NullKernel nullRecogniseKernel(const uint32_t *words, size_t bytes) {
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        NullKernel kernel;
        if (isOf(&codes[i], words, bytes / sizeof *words, &kernel)) {
            if (kernel.many) {
                kernel.constants[LAYOUT_CONSTANT_INFLUENCES] = LAYOUT_MANY;
            }
            return kernel;
        }
    }
    return (NullKernel){.motion = NULL_MOTION_UNKNOWN};
}
