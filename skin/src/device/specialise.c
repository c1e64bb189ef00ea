#include "specialise.h"

#include <string.h>

/* Numbers of the SPIR-V specification 1.3, section 3. */
#define HEADER_WORDS 5
#define BOUND_WORD   3 /* all ids are below it */
enum {
    OP_TYPE_BOOL = 20,
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT_FALSE = 42,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT_FALSE = 49,
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

#define MAX_OPERANDS 3

/* A scalar constant by its id. */
typedef struct Constant {
    uint32_t value;
    bool known;
    uint32_t specId; /* the constant_id + 1; 0: not a specialisation constant */
} Constant;

typedef struct Rewriter {
    const uint32_t *values; /* [valueCount]: values of the specialisation constants, by constant_id */
    uint32_t valueCount;
    Constant *constants; /* by id */
    uint32_t boolType;   /* the id of the type */
    uint32_t unknown;    /* the first operation that cannot be evaluated; 0: none */
} Rewriter;

/* -1 for an operation that is not known. */
static int64_t evaluate(uint32_t op, const uint32_t *v) {
    switch (op) {
    case OP_I_ADD:
        return v[0] + v[1];
    case OP_I_SUB:
        return v[0] - v[1];
    case OP_I_MUL:
        return (uint32_t)(v[0] * v[1]);
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
        return -1;
    }
}

static void setConstant(Rewriter *rewriter, uint32_t id, uint32_t value) {
    rewriter->constants[id].value = value;
    rewriter->constants[id].known = true;
}

/* Writes a plain constant in place of a specialised one. Returns its words. */
static uint32_t writeConstant(const Rewriter *rewriter, uint32_t type, uint32_t id, uint32_t *to) {
    uint32_t value = rewriter->constants[id].value;
    uint32_t op = type != rewriter->boolType ? OP_CONSTANT : value ? OP_CONSTANT_TRUE : OP_CONSTANT_FALSE;
    uint32_t words = op == OP_CONSTANT ? 4 : 3;
    to[0] = words << 16 | op;
    to[1] = type;
    to[2] = id;
    if (op == OP_CONSTANT) {
        to[3] = value;
    }
    return words;
}

static void refuse(Rewriter *rewriter, uint32_t op) {
    rewriter->unknown = rewriter->unknown != 0 ? rewriter->unknown : op;
}

/* in: an instruction { words << 16 | op, type, id, operation, operands }. */
static uint32_t writeOperation(Rewriter *rewriter, const uint32_t *in, uint32_t length, uint32_t *to) {
    uint32_t operands[MAX_OPERANDS] = {0};
    bool known = length <= 4 + MAX_OPERANDS;
    for (uint32_t i = 0; known && 4 + i < length; i++) {
        const Constant *operand = &rewriter->constants[in[4 + i]];
        operands[i] = operand->value;
        known = operand->known; /* false for a vector */
    }
    int64_t value = known ? evaluate(in[3], operands) : -1;
    if (value < 0) {
        refuse(rewriter, in[3]);
    }
    setConstant(rewriter, in[2], value < 0 ? 0 : (uint32_t)value);
    return writeConstant(rewriter, in[1], in[2], to);
}

static uint32_t copyInstruction(const uint32_t *in, uint32_t length, uint32_t *to) {
    memcpy(to, in, length * sizeof *to);
    return length;
}

/* Copies an instruction of `length` words with constants made plain. Returns the words written. */
static uint32_t rewrite(Rewriter *rewriter, const uint32_t *in, uint32_t length, uint32_t *to) {
    uint32_t op = in[0] & 0xffffu;
    switch (op) {
    case OP_DECORATE: /* target, decoration, constant_id */
        if (in[2] == DECORATION_SPEC_ID) {
            rewriter->constants[in[1]].specId = in[3] + 1;
            return 0;
        }
        break;
    case OP_TYPE_BOOL:
        rewriter->boolType = in[1];
        break;
    case OP_CONSTANT_TRUE:
    case OP_CONSTANT_FALSE:
        setConstant(rewriter, in[2], op == OP_CONSTANT_TRUE);
        break;
    case OP_CONSTANT:
        if (length == 4) { /* 32 bits */
            setConstant(rewriter, in[2], in[3]);
        }
        break;
    case OP_SPEC_CONSTANT: {
        if (length != 4) {
            refuse(rewriter, op);
            break;
        }
        uint32_t specId = rewriter->constants[in[2]].specId;
        bool given = specId > 0 && specId <= rewriter->valueCount;
        setConstant(rewriter, in[2], given ? rewriter->values[specId - 1] : in[3]);
        return writeConstant(rewriter, in[1], in[2], to);
    }
    case OP_SPEC_CONSTANT_TRUE:
    case OP_SPEC_CONSTANT_FALSE:
        refuse(rewriter, op);
        break;
    case OP_SPEC_CONSTANT_COMPOSITE: {
        uint32_t words = copyInstruction(in, length, to);
        to[0] = length << 16 | OP_CONSTANT_COMPOSITE;
        return words;
    }
    case OP_SPEC_CONSTANT_OP:
        return writeOperation(rewriter, in, length, to);
    default:
        break;
    }
    return copyInstruction(in, length, to);
}

VkskinResult sknSpecialise(const Host *host, const uint32_t *words, size_t count, const uint32_t *values,
                           uint32_t valueCount, SpecialisedCode *code) {
    *code = (SpecialisedCode){0};
    uint32_t bound = words[BOUND_WORD];
    uint32_t *to = sknHostAllocateArray(host->allocator, count, sizeof *to);
    Constant *constants = sknHostAllocateArray(host->allocator, bound, sizeof *constants);
    if (to == NULL || constants == NULL) {
        sknHostFree(host->allocator, to);
        sknHostFree(host->allocator, constants);
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a kernel's code");
    }
    Rewriter rewriter = {.values = values, .valueCount = valueCount, .constants = constants};
    size_t at = HEADER_WORDS, end = HEADER_WORDS;
    memcpy(to, words, HEADER_WORDS * sizeof *to);
    /* All constants are before the first function. */
    while (at < count && (words[at] & 0xffffu) != OP_FUNCTION) {
        uint32_t length = words[at] >> 16;
        end += rewrite(&rewriter, words + at, length, to + end);
        at += length;
    }
    memcpy(to + end, words + at, (count - at) * sizeof *to);
    sknHostFree(host->allocator, constants);
    if (rewriter.unknown != 0) {
        sknHostFree(host->allocator, to);
        return sknReport(&host->logger, VKSKIN_ERROR_KERNEL_CODE,
                         "a kernel's specialisation constants need SPIR-V operation %u, which is unknown",
                         rewriter.unknown);
    }
    *code = (SpecialisedCode){to, end + count - at};
    return VKSKIN_SUCCESS;
}
