#include "shader_facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER_WORDS  5
#define BOUND_WORD    3
#define MAX_BOUND     65536
#define LITERAL_SIZES 3

/* The numbers are those of the SPIR-V specification. */
enum {
    OP_EXECUTION_MODE = 16,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_MATRIX = 24,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,

    MODE_LOCAL_SIZE = 17,
    DECORATION_SPEC_ID = 1,
    DECORATION_BUFFER_BLOCK = 3,
    DECORATION_BUILT_IN = 11,
    DECORATION_DESCRIPTOR_SET = 34,
    BUILT_IN_WORKGROUP_SIZE = 25,
    STORAGE_UNIFORM = 2,
    STORAGE_WORKGROUP = 4,
    STORAGE_BUFFER = 12,
};

typedef struct Module {
    const uint32_t **definitions; /* [bound] the instruction that makes an id, of those that matter */
    bool *bufferBlocks;           /* [bound] a type of the older way to declare storage buffers */
    uint32_t bound;
    uint32_t workgroupSize; /* the id of that built-in, or 0 */
} Module;

static uint32_t opcodeOf(const uint32_t *instruction) {
    return instruction[0] & 0xffffu;
}

static uint32_t lengthOf(const uint32_t *instruction) {
    return instruction[0] >> 16;
}

static void readDecoration(Module *module, const uint32_t *instruction, ShaderFacts *facts) {
    uint32_t target = instruction[1];
    uint32_t value = lengthOf(instruction) > 3 ? instruction[3] : 0;
    switch (instruction[2]) {
    case DECORATION_SPEC_ID:
        facts->openConstants++;
        break;
    case DECORATION_BUFFER_BLOCK:
        module->bufferBlocks[target] = true;
        break;
    case DECORATION_BUILT_IN:
        module->workgroupSize = value == BUILT_IN_WORKGROUP_SIZE ? target : module->workgroupSize;
        break;
    case DECORATION_DESCRIPTOR_SET:
        facts->sets = value + 1 > facts->sets ? value + 1 : facts->sets;
        break;
    default:
        break;
    }
}

static void readInstruction(Module *module, const uint32_t *instruction, ShaderFacts *facts) {
    switch (opcodeOf(instruction)) {
    case OP_EXECUTION_MODE:
        if (instruction[2] == MODE_LOCAL_SIZE) {
            memcpy(facts->workgroupSize, &instruction[3], sizeof facts->workgroupSize);
        }
        break;
    case OP_DECORATE:
        readDecoration(module, instruction, facts);
        break;
    case OP_TYPE_BOOL:
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
    case OP_TYPE_VECTOR:
    case OP_TYPE_MATRIX:
    case OP_TYPE_ARRAY:
    case OP_TYPE_STRUCT:
    case OP_TYPE_POINTER:
        module->definitions[instruction[1]] = instruction;
        break;
    case OP_CONSTANT:
    case OP_CONSTANT_COMPOSITE:
    case OP_SPEC_CONSTANT:
    case OP_SPEC_CONSTANT_COMPOSITE:
        module->definitions[instruction[2]] = instruction;
        break;
    default:
        break;
    }
}

static uint32_t constantValue(const Module *module, uint32_t id) {
    const uint32_t *definition = module->definitions[id];
    if (definition == NULL || (opcodeOf(definition) != OP_CONSTANT && opcodeOf(definition) != OP_SPEC_CONSTANT)) {
        fail_msg("SPIR-V: id %u is no plain constant", id);
        return 0;
    }
    return definition[3];
}

static uint32_t sizeOfType(const Module *module, uint32_t id) { // NOLINT(misc-no-recursion)
    const uint32_t *type = module->definitions[id];
    uint32_t size = 0;
    switch (type != NULL ? opcodeOf(type) : 0) {
    case OP_TYPE_BOOL:
        return 4;
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
        return type[2] / 8;
    case OP_TYPE_VECTOR:
    case OP_TYPE_MATRIX:
        return sizeOfType(module, type[2]) * type[3];
    case OP_TYPE_ARRAY:
        return sizeOfType(module, type[2]) * constantValue(module, type[3]);
    case OP_TYPE_STRUCT:
        for (uint32_t i = 2; i < lengthOf(type); i++) {
            size += sizeOfType(module, type[i]);
        }
        return size;
    default:
        fail_msg("SPIR-V: id %u is no type of a known size", id);
        return 0;
    }
}

static void countVariable(const Module *module, const uint32_t *variable, ShaderFacts *facts) {
    const uint32_t *pointer = module->definitions[variable[1]];
    uint32_t storage = variable[3];
    bool block = storage == STORAGE_UNIFORM && module->bufferBlocks[pointer[3]];
    facts->storageBuffers += storage == STORAGE_BUFFER || block;
    if (storage == STORAGE_WORKGROUP) {
        facts->sharedBytes += sizeOfType(module, pointer[3]);
    }
}

/* The built-in, where there is one, goes before the execution mode. */
static void readWorkgroupSize(const Module *module, ShaderFacts *facts) {
    if (module->workgroupSize != 0) {
        const uint32_t *composite = module->definitions[module->workgroupSize];
        for (uint32_t i = 0; i < LITERAL_SIZES; i++) {
            facts->workgroupSize[i] = constantValue(module, composite[3 + i]);
        }
    }
}

ShaderFacts shaderFacts(const uint32_t *code, size_t words) {
    ShaderFacts facts = {0};
    Module module = {.bound = code[BOUND_WORD]};
    assert_true(words > HEADER_WORDS && module.bound <= MAX_BOUND);
    module.definitions = calloc(module.bound, sizeof *module.definitions);
    module.bufferBlocks = calloc(module.bound, sizeof *module.bufferBlocks);
    assert_true(module.definitions != NULL && module.bufferBlocks != NULL);
    for (size_t at = HEADER_WORDS; at < words; at += lengthOf(&code[at])) {
        readInstruction(&module, &code[at], &facts);
    }
    for (size_t at = HEADER_WORDS; at < words; at += lengthOf(&code[at])) {
        if (opcodeOf(&code[at]) == OP_VARIABLE) {
            countVariable(&module, &code[at], &facts);
        }
    }
    readWorkgroupSize(&module, &facts);
    free(module.definitions);
    free(module.bufferBlocks);
    return facts;
}
