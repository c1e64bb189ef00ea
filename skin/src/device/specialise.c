#include "specialise.h"

#include <string.h>

/* Of the SPIR-V specification 1.3, section 3: what is looked at here. */
#define HEADER_WORDS 5
#define BOUND_WORD   3 /* ids are below it */
enum {
    OP_TYPE_BOOL = 20,
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT_FALSE = 42,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_SPEC_CONSTANT_OP = 52,
    OP_FUNCTION = 54,
    OP_DECORATE = 71,
    OP_I_ADD = 128,
    OP_I_SUB = 130,
    OP_I_MUL = 132,
    OP_LOGICAL_OR = 166,
    OP_LOGICAL_AND = 167,
    OP_LOGICAL_NOT = 168,
    OP_SELECT = 169,
    OP_I_EQUAL = 170,
    OP_I_NOT_EQUAL = 171,
    OP_U_GREATER_THAN = 172,
    OP_U_GREATER_THAN_EQUAL = 174,
    OP_U_LESS_THAN = 176,
    DECORATION_SPEC_ID = 1
};

/* What is known of the code so far. */
typedef struct Reader {
    const uint32_t *values; /* of the constants, by their number */
    uint32_t valueCount;
    uint32_t *known;   /* by id: the value of a constant */
    uint32_t *numbers; /* by id: the number of a specialisation constant + 1 */
    uint32_t boolType; /* its id */
} Reader;

static uint32_t evaluate(uint32_t op, const uint32_t *v) {
    switch (op) {
    case OP_I_ADD:
        return v[0] + v[1];
    case OP_I_SUB:
        return v[0] - v[1];
    case OP_I_MUL:
        return v[0] * v[1];
    case OP_LOGICAL_OR:
        return v[0] || v[1];
    case OP_LOGICAL_AND:
        return v[0] && v[1];
    case OP_LOGICAL_NOT:
        return !v[0];
    case OP_SELECT:
        return v[0] ? v[1] : v[2];
    case OP_I_EQUAL:
        return v[0] == v[1];
    case OP_I_NOT_EQUAL:
        return v[0] != v[1];
    case OP_U_GREATER_THAN:
        return v[0] > v[1];
    case OP_U_GREATER_THAN_EQUAL:
        return v[0] >= v[1];
    case OP_U_LESS_THAN:
        return v[0] < v[1];
    default:
        return 0; /* no kernel has another: tests/unit/test_specialise.c */
    }
}

/* Words of the plain constant that takes the place of one that was computed. */
static uint32_t writeConstant(const Reader *reader, uint32_t type, uint32_t id, uint32_t *to) {
    uint32_t value = reader->known[id];
    uint32_t op = type != reader->boolType ? OP_CONSTANT : value ? OP_CONSTANT_TRUE : OP_CONSTANT_FALSE;
    uint32_t words = op == OP_CONSTANT ? 4 : 3;
    to[0] = words << 16 | op;
    to[1] = type;
    to[2] = id;
    if (op == OP_CONSTANT) {
        to[3] = value;
    }
    return words;
}

/* in: an instruction { words << 16 | op, type, id, operation, operands }. */
static uint32_t writeOperation(Reader *reader, const uint32_t *in, uint32_t length, uint32_t *to) {
    uint32_t operands[3] = {0};
    for (uint32_t i = 0; i < 3 && 4 + i < length; i++) {
        operands[i] = reader->known[in[4 + i]];
    }
    reader->known[in[2]] = evaluate(in[3], operands);
    return writeConstant(reader, in[1], in[2], to);
}

static uint32_t copyInstruction(const uint32_t *in, uint32_t length, uint32_t *to) {
    memcpy(to, in, length * sizeof *to);
    return length;
}

/* Copies an instruction of `length` words as it is to be, and returns how many words that are. */
static uint32_t rewrite(Reader *reader, const uint32_t *in, uint32_t length, uint32_t *to) {
    switch (in[0] & 0xffffu) {
    case OP_DECORATE: /* target, decoration, number */
        if (in[2] == DECORATION_SPEC_ID) {
            reader->numbers[in[1]] = in[3] + 1;
            return 0;
        }
        break;
    case OP_TYPE_BOOL:
        reader->boolType = in[1];
        break;
    case OP_CONSTANT_TRUE:
        reader->known[in[2]] = 1;
        break;
    case OP_CONSTANT:
        reader->known[in[2]] = in[3];
        break;
    case OP_SPEC_CONSTANT: {
        uint32_t number = reader->numbers[in[2]];
        bool given = number > 0 && number <= reader->valueCount;
        reader->known[in[2]] = given ? reader->values[number - 1] : in[3];
        return writeConstant(reader, in[1], in[2], to);
    }
    case OP_SPEC_CONSTANT_COMPOSITE: {
        uint32_t words = copyInstruction(in, length, to);
        to[0] = length << 16 | OP_CONSTANT_COMPOSITE;
        return words;
    }
    case OP_SPEC_CONSTANT_OP:
        return writeOperation(reader, in, length, to);
    default:
        break;
    }
    return copyInstruction(in, length, to);
}

size_t sknSpecialise(const VkskinHostAllocator *allocator, const uint32_t *words, size_t count, const uint32_t *values,
                     uint32_t valueCount, uint32_t **specialised) {
    uint32_t bound = words[BOUND_WORD];
    uint32_t *to = sknHostAllocateArray(allocator, count, sizeof *to);
    uint32_t *ids = sknHostAllocateArray(allocator, (size_t)bound * 2, sizeof *ids);
    if (to == NULL || ids == NULL) {
        sknHostFree(allocator, to);
        sknHostFree(allocator, ids);
        return 0;
    }
    Reader reader = {.values = values, .valueCount = valueCount, .known = ids, .numbers = ids + bound};
    size_t at = HEADER_WORDS, end = HEADER_WORDS;
    memcpy(to, words, HEADER_WORDS * sizeof *to);
    /* Constants stand before the first function. */
    while (at < count && (words[at] & 0xffffu) != OP_FUNCTION) {
        uint32_t length = words[at] >> 16;
        end += rewrite(&reader, words + at, length, to + end);
        at += length;
    }
    memcpy(to + end, words + at, (count - at) * sizeof *to);
    sknHostFree(allocator, ids);
    *specialised = to;
    return end + count - at;
}
