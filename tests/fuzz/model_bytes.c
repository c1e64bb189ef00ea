#include "model_bytes.h"

#include <string.h>

#include "fuzz_target.h"
#include "model_fields.h"

/* Plain numbers without rules, and how many structs: from `least` to `most` in steps. Any other one is at most 4. */
static const struct {
    const char *field;
    uint32_t least, most, step;
} ranges[] = {
    {"vertexCount", 0, 24, 1}, {"influences", 1, 6, 1}, {"boneCount", 1, 8, 1}, {"indexCount", 0, 24, 3},
    {"keyCount", 1, 6, 1},     {"nodes", 1, 12, 1},     {"skins", 1, 4, 1},     {"meshes", 1, 3, 1},
    {"parts", 1, 4, 1},        {"materials", 1, 3, 1},  {"clips", 0, 3, 1},
};

/* True for most bytes: a field that is often absent would seldom be used. */
static bool often(FuzzBytes *bytes) {
    return (fuzzByte(bytes) & 7) != 7;
}

static uint32_t makeCount(FuzzBytes *bytes, const ModelScope *scope, const char *field) {
    if (scope->type == &modelMorphStruct) {
        return fuzzCount(bytes, ((const ModelMesh *)scope->parent->object)->vertexCount);
    }
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        if (strcmp(ranges[i].field, field) == 0) {
            uint32_t steps = (ranges[i].most - ranges[i].least) / ranges[i].step;
            return often(bytes) ? ranges[i].least + ranges[i].step * fuzzCount(bytes, steps) : fuzzCount(bytes, 5);
        }
    }
    return fuzzCount(bytes, 4);
}

/* Usually below the limit. */
static void makeIndices(FuzzBytes *bytes, const ModelScope *scope, const ModelField *field, uint32_t *out,
                        size_t count) {
    uint32_t none = (field->rules & MODEL_OR_NONE) != 0, limit = modelFieldLimit(scope, field) + none;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = fuzzByte(bytes);
        out[i] = (byte == UINT8_MAX || limit == 0 ? fuzzNumber(bytes) : byte % limit) - none;
    }
    /* Chance alone would seldom give ascending numbers. */
    for (size_t i = 1; (field->rules & MODEL_ASCENDING) && often(bytes) && i < count; i++) {
        out[i] = out[i] <= out[i - 1] ? out[i - 1] + 1 : out[i];
    }
}

static void makeFloats(FuzzBytes *bytes, const ModelField *field, float *out, size_t count) {
    bool unit = (field->rules & MODEL_UNIT) && often(bytes);
    for (size_t i = 0; i < count; i++) {
        out[i] = unit ? (float)fuzzByte(bytes) / 255.0f : fuzzFloat(bytes);
    }
    for (size_t i = 1; (field->rules & MODEL_ASCENDING) && often(bytes) && i < count; i++) {
        out[i] = out[i] < out[i - 1] ? out[i - 1] : out[i];
    }
}

static void makeNumbers(FuzzBytes *bytes, const ModelScope *scope, const ModelField *field, void *out, size_t size) {
    if (field->rules & MODEL_BELOW) {
        makeIndices(bytes, scope, field, out, size / sizeof(uint32_t));
    } else if (field->rules) {
        makeFloats(bytes, field, out, size / sizeof(float));
    } else {
        fuzzTake(bytes, out, size);
    }
}

static void makeArray(FuzzBytes *bytes, const ModelScope *scope, const ModelField *field, void *object) {
    if (field->optional && !often(bytes)) {
        return;
    }
    size_t size = modelFieldCount(scope->model, object, field) * modelFieldStride(object, field);
    void *array = fuzzExactly(size);
    makeNumbers(bytes, scope, field, array, size);
    modelFieldSetPointer(object, field, array);
}

static void makePlain(FuzzBytes *bytes, const ModelScope *scope, const ModelField *field, void *object) {
    void *out = (char *)object + field->offset;
    if (field->rules == 0 && field->size == sizeof(uint32_t)) {
        uint32_t number = makeCount(bytes, scope, field->name);
        memcpy(out, &number, sizeof number);
    } else if (field->size <= sizeof(uint32_t) || !often(bytes)) {
        makeNumbers(bytes, scope, field, out, field->size);
    } /* else it stays as makeStructs left it */
}

static void makeFields(FuzzBytes *bytes, const ModelScope *scope, void *object);

static void makeStructs(FuzzBytes *bytes, const ModelScope *scope, const ModelField *field, void *object) {
    size_t count = modelFieldCount(scope->model, object, field);
    char *structs = calloc(count ? count : 1, field->size);
    FUZZ_CHECK(structs != NULL);
    modelFieldSetPointer(object, field, structs);
    for (uint32_t i = 0; i < count; i++) {
        char *element = structs + i * field->size;
        if (field->offset == offsetof(Model, nodes) && object == scope->model) {
            ((ModelNode *)element)->rest = vkskinIdentityTransform();
            ((ModelNode *)element)->preTransform = vkskinIdentityAffine();
        }
        makeFields(bytes, &(ModelScope){scope->model, field->type, element, i, scope}, element);
    }
}

/* Counts of structs come first: they are limits of fields that come before the structs. */
static void makeFields(FuzzBytes *bytes, const ModelScope *scope, void *object) {
    for (size_t f = 0; f < scope->type->fieldCount; f++) {
        const ModelField *field = &scope->type->fields[f];
        if (field->kind == MODEL_STRUCTS) {
            uint32_t count = makeCount(bytes, scope, field->name);
            memcpy((char *)object + field->count, &count, sizeof count);
        }
    }
    for (size_t f = 0; f < scope->type->fieldCount; f++) {
        const ModelField *field = &scope->type->fields[f];
        switch (field->kind) {
        case MODEL_TEXT:
            modelFieldSetPointer(object, field, fuzzText(bytes));
            break;
        case MODEL_PLAIN:
            makePlain(bytes, scope, field, object);
            break;
        case MODEL_ARRAY:
            makeArray(bytes, scope, field, object);
            break;
        case MODEL_STRUCTS:
            makeStructs(bytes, scope, field, object);
            break;
        }
    }
}

Model *modelOfBytes(FuzzBytes *bytes) {
    Model *model = calloc(1, sizeof *model);
    FUZZ_CHECK(model != NULL);
    makeFields(bytes, &(ModelScope){.model = model, .type = &modelStruct, .object = model}, model);
    return model;
}
