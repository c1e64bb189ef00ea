/*
 * Specialisation of SPIR-V code: the result of each operation; code that cannot be specialised is refused; every kernel
 * becomes valid code without specialisation constants, with the values that were given.
 */

#if !defined(_WIN32)
#include <unistd.h>
#endif

#include "host_doubles.h"
#include "kernels.h"
#include "specialise.h"

/* Numbers from the SPIR-V specification. */
#define HEADER_WORDS       5
#define BOUND_WORD         3
#define OP(words, opcode)  ((uint32_t)(words) << 16 | (opcode))
#define OPCODE(word)       ((word)&0xffffu)
#define LENGTH(word)       ((word) >> 16)
#define DECORATION_SPEC_ID 1u
#define ADD                128u
#define SUBTRACT           130u
#define MULTIPLY           132u
#define OR                 166u
#define AND                167u
#define NOT                168u
#define SELECT             169u
#define EQUAL              170u
#define NOT_EQUAL          171u
#define ABOVE              172u
#define NOT_BELOW          174u
#define BELOW              176u
#define SHIFT              196u /* OpShiftLeftLogical: unknown */
#define EXTRACT            81u  /* OpCompositeExtract: unknown */
enum {
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT_FALSE = 42,
    OP_CONSTANT = 43,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_OP = 52,
    OP_DECORATE = 71
};

static const Host host; /* malloc, no logger */

/* ---- Operations ---- */

/*
 * Ids: 1 uint, 2 bool, 3 and 4 specialisation constants 0 and 1, 5 true, 6 false, 7 the result, 8 a plain 9, 9 a vector
 * type, 10 a vector.
 */
#define FIRST  3u
#define SECOND 4u
#define TRUTH  5u
#define FALSE  6u
#define RESULT 7u
#define NINE   8u
#define VECTOR 10u

typedef struct Operation {
    uint32_t op, type, operands[3], operandCount;
    uint32_t expected; /* uint, or 1 for true */
} Operation;

/* FIRST is given as 7 and SECOND as 2; their defaults are 100 and 200. */
static const Operation operations[] = {
    {ADD, 1, {FIRST, SECOND}, 2, 9},
    {ADD, 1, {FIRST, NINE}, 2, 16},
    {SUBTRACT, 1, {FIRST, SECOND}, 2, 5},
    {SUBTRACT, 1, {SECOND, FIRST}, 2, UINT32_MAX - 4},
    {MULTIPLY, 1, {FIRST, SECOND}, 2, 14},
    {OR, 2, {TRUTH, FALSE}, 2, 1},
    {OR, 2, {FALSE, FALSE}, 2, 0},
    {AND, 2, {TRUTH, FALSE}, 2, 0},
    {AND, 2, {TRUTH, TRUTH}, 2, 1},
    {NOT, 2, {TRUTH}, 1, 0},
    {NOT, 2, {FALSE}, 1, 1},
    {SELECT, 1, {TRUTH, FIRST, SECOND}, 3, 7},
    {SELECT, 1, {FALSE, FIRST, SECOND}, 3, 2},
    {EQUAL, 2, {FIRST, SECOND}, 2, 0},
    {EQUAL, 2, {FIRST, FIRST}, 2, 1},
    {NOT_EQUAL, 2, {FIRST, SECOND}, 2, 1},
    {NOT_EQUAL, 2, {FIRST, FIRST}, 2, 0},
    {ABOVE, 2, {FIRST, SECOND}, 2, 1},
    {ABOVE, 2, {FIRST, FIRST}, 2, 0},
    {NOT_BELOW, 2, {FIRST, FIRST}, 2, 1},
    {NOT_BELOW, 2, {SECOND, FIRST}, 2, 0},
    {BELOW, 2, {SECOND, FIRST}, 2, 1},
    {BELOW, 2, {FIRST, FIRST}, 2, 0},
};

/* clang-format off */
static const uint32_t prologue[] = {
    0x07230203, 0x00010300, 0, 11, 0,
    OP(4, 71), FIRST, 1, 0,       /* OpDecorate SpecId */
    OP(4, 71), SECOND, 1, 1,
    OP(4, 21), 1, 32, 0,          /* %1 = OpTypeInt 32 0 */
    OP(2, 20), 2,                 /* %2 = OpTypeBool */
    OP(4, 50), 1, FIRST, 100,     /* OpSpecConstant */
    OP(4, 50), 1, SECOND, 200,
    OP(3, 41), 2, TRUTH,          /* OpConstantTrue */
    OP(3, 42), 2, FALSE,
    OP(4, 43), 1, NINE, 9,        /* OpConstant */
    OP(4, 23), 9, 1, 2,           /* %9 = OpTypeVector %1 2 */
    OP(5, 44), 9, VECTOR, NINE, NINE, /* OpConstantComposite */
};
/* clang-format on */

#define PROLOGUE_WORDS (COUNT_OF(prologue))

/* The prologue and one more instruction, the operation. */
static VkskinResult specialiseOperation(const Operation *operation, SpecialisedCode *made) {
    const uint32_t values[] = {7, 2};
    uint32_t words[PROLOGUE_WORDS + 7];
    size_t count = PROLOGUE_WORDS;
    memcpy(words, prologue, sizeof prologue);
    words[count++] = OP(4 + operation->operandCount, OP_SPEC_CONSTANT_OP);
    words[count++] = operation->type;
    words[count++] = RESULT;
    words[count++] = operation->op;
    for (uint32_t i = 0; i < operation->operandCount; i++) {
        words[count++] = operation->operands[i];
    }
    return sknSpecialise(&host, words, count, values, 2, made);
}

TEST(operationsAreComputed) {
    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        const Operation *operation = &operations[i];
        SpecialisedCode made;
        OK(specialiseOperation(operation, &made));
        const uint32_t number[] = {OP(4, OP_CONSTANT), 1, RESULT, operation->expected};
        const uint32_t truth[] = {OP(3, operation->expected ? OP_CONSTANT_TRUE : OP_CONSTANT_FALSE), 2, RESULT};
        size_t last = operation->type == 1 ? 4 : 3;
        assert_int_equal(made.count, PROLOGUE_WORDS - 8 + last);
        assert_memory_equal(made.words + made.count - last, operation->type == 1 ? number : truth,
                            last * sizeof(uint32_t));
        sknHostFree(NULL, made.words);
    }
}

/* A constant without a given value keeps its default. */
TEST(othersKeepTheirDefault) {
    const uint32_t values[] = {7};
    SpecialisedCode made;
    OK(sknSpecialise(&host, prologue, PROLOGUE_WORDS, values, 1, &made));
    assert_int_equal(made.count, PROLOGUE_WORDS - 8);
    const uint32_t second[] = {OP(4, OP_CONSTANT), 1, SECOND, 200};
    assert_memory_equal(made.words + HEADER_WORDS + 4 + 2 + 4, second, sizeof second);
    sknHostFree(NULL, made.words);
}

/* ---- Refusals ---- */

static void checkRefusal(const uint32_t *words, size_t count, const char *part) {
    LogMemory log;
    const Host logging = {.logger = rememberingLogger(&log)};
    SpecialisedCode made;
    RETURNS(VKSKIN_ERROR_KERNEL_CODE, sknSpecialise(&logging, words, count, NULL, 0, &made));
    assert_null(made.words);
    assert_non_null(strstr(log.message, part));
    assertLogged(&log, VKSKIN_ERROR_KERNEL_CODE, log.message);
}

/* Code that would become wrong in silence is refused: an unknown operation, and operands that are no known scalars. */
TEST(unknownCodeIsRefused) {
    static const struct {
        uint32_t words[6], count;
        const char *part;
    } added[] = {
        {{OP(6, OP_SPEC_CONSTANT_OP), 1, RESULT, SHIFT, FIRST, SECOND}, 6, "operation 196"},
        {{OP(6, OP_SPEC_CONSTANT_OP), 9, RESULT, ADD, VECTOR, VECTOR}, 6, "operation 128"},
        {{OP(6, OP_SPEC_CONSTANT_OP), 1, RESULT, EXTRACT, VECTOR, 0}, 6, "operation 81"},
        {{OP(3, OP_SPEC_CONSTANT_TRUE), 2, RESULT}, 3, "operation 48"},
        {{OP(3, OP_SPEC_CONSTANT_FALSE), 2, RESULT}, 3, "operation 49"},
        {{OP(5, OP_SPEC_CONSTANT), 1, RESULT, 1, 1}, 5, "operation 50"}, /* 64 bits */
    };
    for (size_t i = 0; i < COUNT_OF(added); i++) {
        uint32_t words[PROLOGUE_WORDS + 6];
        memcpy(words, prologue, sizeof prologue);
        memcpy(words + PROLOGUE_WORDS, added[i].words, added[i].count * sizeof(uint32_t));
        checkRefusal(words, PROLOGUE_WORDS + added[i].count, added[i].part);
    }
}

/* ---- The kernels ---- */

#define CODES (METHOD_PAIRS * KERNEL_CODES)

static const KernelCode *codeOf(uint32_t index) {
    return &sknKernelCodes[index / KERNEL_CODES][index % KERNEL_CODES];
}

/* An instruction that defines `id` with `opcode`, or null. */
static const uint32_t *findConstant(const uint32_t *words, size_t count, uint32_t opcode, uint32_t id) {
    for (size_t at = HEADER_WORDS; at < count; at += LENGTH(words[at])) {
        if (OPCODE(words[at]) == opcode && words[at + 2] == id) {
            return &words[at];
        }
    }
    return NULL;
}

static void checkValues(const KernelCode *code, const SpecialisedCode *made, const uint32_t *values) {
    uint32_t constants = 0;
    for (size_t at = HEADER_WORDS; at < code->bytes / sizeof(uint32_t); at += LENGTH(code->words[at])) {
        const uint32_t *word = &code->words[at];
        if (OPCODE(word[0]) != OP_DECORATE || word[2] != DECORATION_SPEC_ID) {
            continue;
        }
        const uint32_t *constant = findConstant(made->words, made->count, OP_CONSTANT, word[1]);
        assert_non_null(constant);
        assert_true(word[3] < LAYOUT_CONSTANT_COUNT);
        assert_int_equal(constant[3], values[word[3]]);
        constants++;
    }
    assert_true(constants >= 3); /* workgroup, format and instances at least */
}

static void checkNothingIsOpen(const SpecialisedCode *made) {
    size_t at = HEADER_WORDS;
    while (at < made->count) {
        uint32_t opcode = OPCODE(made->words[at]);
        assert_true(opcode < OP_SPEC_CONSTANT_TRUE || opcode > OP_SPEC_CONSTANT_OP);
        assert_true(opcode != OP_DECORATE || made->words[at + 2] != DECORATION_SPEC_ID);
        assert_true(LENGTH(made->words[at]) > 0);
        at += LENGTH(made->words[at]);
    }
    assert_int_equal(at, made->count);
}

#if defined(_WIN32)
/* The validator of SPIRV-Tools does not run there; the words are the same as on other systems. */
static void checkValid(const SpecialisedCode *made) {
    (void)made;
}
#else
/* With the validator of SPIRV-Tools. */
static void checkValid(const SpecialisedCode *made) {
    char path[] = "/tmp/vkskin_test_specialise_XXXXXX";
    char command[128];
    int file = mkstemp(path);
    assert_true(file >= 0);
    ssize_t size = (ssize_t)(made->count * sizeof *made->words);
    assert_int_equal(write(file, made->words, (size_t)size), size);
    assert_int_equal(close(file), 0);
    snprintf(command, sizeof command, "spirv-val --target-env vulkan1.1 %s", path);
    int status = system(command); // NOLINT(cert-env33-c): a fixed command
    assert_int_equal(unlink(path), 0);
    assert_int_equal(status, 0);
}
#endif

/* Values at both ends of their ranges; most differ from the defaults of the shaders. */
static const uint32_t valueSets[][LAYOUT_CONSTANT_COUNT] = {
    {[LAYOUT_CONSTANT_WORKGROUP_SIZE] = 32,
     [LAYOUT_CONSTANT_INFLUENCES] = 1,
     [LAYOUT_CONSTANT_FORMAT] = 0,
     [LAYOUT_CONSTANT_ATTRIBUTES] = 0,
     [LAYOUT_CONSTANT_INSTANCES_PER_THREAD] = 1,
     [LAYOUT_CONSTANT_EXACT_NORMALS] = 0,
     [LAYOUT_CONSTANT_PALETTE_TEXELS] = 0,
     [LAYOUT_CONSTANT_OWN_LAYOUT] = 0},
    {[LAYOUT_CONSTANT_WORKGROUP_SIZE] = 96,
     [LAYOUT_CONSTANT_INFLUENCES] = 3,
     [LAYOUT_CONSTANT_FORMAT] = 1,
     [LAYOUT_CONSTANT_ATTRIBUTES] = 2,
     [LAYOUT_CONSTANT_INSTANCES_PER_THREAD] = 63,
     [LAYOUT_CONSTANT_EXACT_NORMALS] = 1,
     [LAYOUT_CONSTANT_PALETTE_TEXELS] = 1,
     [LAYOUT_CONSTANT_OWN_LAYOUT] = 1},
};

TEST(everyKernelIsSpecialised) {
    for (uint32_t i = 0; i < CODES; i++) {
        for (size_t k = 0; k < COUNT_OF(valueSets); k++) {
            SpecialisedCode made;
            OK(sknSpecialise(&host, codeOf(i)->words, codeOf(i)->bytes / sizeof(uint32_t), valueSets[k],
                             LAYOUT_CONSTANT_COUNT, &made));
            assert_true(made.count > HEADER_WORDS);
            checkNothingIsOpen(&made);
            checkValues(codeOf(i), &made, valueSets[k]);
            checkValid(&made);
            sknHostFree(NULL, made.words);
        }
    }
}

/* ---- Memory ---- */

TEST(memoryMayRunOut) {
    const KernelCode *code = codeOf(0);
    for (uint32_t failAt = 1; failAt <= 3; failAt++) { /* two allocations: the code, and the values of its ids */
        AllocatorState memory = {.failAt = failAt};
        const VkskinHostAllocator allocator = countingAllocator(&memory);
        const Host small = {.allocator = &allocator};
        SpecialisedCode made;
        VkskinResult result = sknSpecialise(&small, code->words, code->bytes / sizeof(uint32_t), valueSets[0],
                                            LAYOUT_CONSTANT_COUNT, &made);
        assert_int_equal(result, failAt < 3 ? VKSKIN_ERROR_OUT_OF_HOST_MEMORY : VKSKIN_SUCCESS);
        assert_int_equal(memory.alive, result < 0 ? 0 : 1);
        assert_true((result < 0) == (made.words == NULL));
        sknHostFree(&allocator, made.words);
        assert_int_equal(memory.alive, 0);
    }
}
