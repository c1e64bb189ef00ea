#include "blob.h"

#include "model_fields.h"

#include <stdlib.h>
#include <string.h>

static const char magicModel[8] = {'v', 'k', 's', 'k', 'm', 'o', 'd', 'l'};
static const char magicReason[8] = {'v', 'k', 's', 'k', 'f', 'a', 'i', 'l'};

/*
 * The answer while it is written or read, by the same functions. A file keeps its errors: blobWrite asks for them once,
 * at the end. Once something that is read does not fit, `good` is false and every further read gives zeros.
 */
typedef struct Stream {
    FILE *file; /* to write to; null: to read the bytes below */
    const uint8_t *at;
    size_t left;
    bool good;
} Stream;

static void transfer(Stream *stream, void *bytes, size_t size) {
    if (size == 0) {
        return; /* bytes may be null */
    }
    if (stream->file) {
        (void)!fwrite(bytes, 1, size, stream->file);
    } else if (!stream->good || size > stream->left) {
        stream->good = false;
        memset(bytes, 0, size);
    } else {
        memcpy(bytes, stream->at, size);
        stream->at += size;
        stream->left -= size;
    }
}

/* Writes the number and returns it; returns the number that was read. */
static uint32_t transferNumber(Stream *stream, size_t number) {
    uint32_t transferred = (uint32_t)number;
    transfer(stream, &transferred, sizeof transferred);
    return transferred;
}

/* Memory for `count` elements and a final zero. Null: the answer cannot have as many, or the memory is not there. */
static void *allocate(Stream *stream, size_t count, size_t size, size_t smallest) {
    void *memory = NULL;
    /* A size of 0 would let any count fit. */
    if (stream->good && smallest > 0 && count <= stream->left / smallest) {
        memory = calloc(count * size + 1, 1);
    }
    stream->good = stream->good && memory;
    return memory;
}

/* Writes the array; reads it into memory of its own. */
static void *transferArray(Stream *stream, void *array, size_t count, size_t size) {
    void *target = stream->file ? array : allocate(stream, count, size, size);
    if (target) {
        transfer(stream, target, count * size);
    }
    return target;
}

static char *transferText(Stream *stream, char *text) {
    uint32_t length = transferNumber(stream, stream->file ? strlen(text) : 0);
    return transferArray(stream, text, length, 1);
}

/* The fewest bytes that a struct takes in the answer: its arrays, texts and structs are empty. */
static size_t smallestSize(const ModelStruct *type) {
    size_t size = 0;
    for (size_t f = 0; f < type->fieldCount; f++) {
        const ModelField *field = &type->fields[f];
        bool counted = field->kind == MODEL_TEXT || field->kind == MODEL_STRUCTS || field->optional;
        size += field->kind == MODEL_PLAIN ? field->size : counted ? sizeof(uint32_t) : 0;
    }
    return size;
}

static void transferFields(Stream *stream, const Model *model, const ModelStruct *type, void *object);

/* The count comes first. It is 0 in the struct where there is no array. */
static char *transferStructs(Stream *stream, const Model *model, const ModelField *field, void *object, char *structs) {
    uint32_t count = transferNumber(stream, stream->file ? modelFieldCount(model, object, field) : 0);
    if (!stream->file) {
        structs = allocate(stream, count, field->size, smallestSize(field->type));
        count = structs ? count : 0;
        memcpy((char *)object + field->count, &count, sizeof count);
        modelFieldSetPointer(object, field, structs);
    }
    for (uint32_t i = 0; i < count; i++) {
        transferFields(stream, model, field->type, structs + i * field->size);
    }
    return structs;
}

static void transferFields(Stream *stream, const Model *model, const ModelStruct *type, void *object) {
    for (size_t f = 0; f < type->fieldCount; f++) {
        const ModelField *field = &type->fields[f];
        if (field->kind == MODEL_PLAIN) {
            transfer(stream, (char *)object + field->offset, field->size);
            continue;
        }
        void *pointer = stream->file ? modelFieldPointer(object, field) : NULL;
        if (field->kind == MODEL_TEXT) {
            pointer = transferText(stream, pointer);
        } else if (field->kind == MODEL_STRUCTS) {
            pointer = transferStructs(stream, model, field, object, pointer);
        } else if (!field->optional || transferNumber(stream, pointer != NULL)) {
            size_t count = modelFieldCount(model, object, field);
            pointer = transferArray(stream, pointer, count, modelFieldStride(object, field));
        }
        modelFieldSetPointer(object, field, pointer);
    }
}

bool blobWrite(FILE *file, const Model *model, const EngineError *reason) {
    Stream stream = {.file = file};
    transfer(&stream, (void *)(model ? magicModel : magicReason), sizeof magicModel);
    if (model) {
        transferFields(&stream, model, &modelStruct, (void *)model); /* writes pointers back as they are */
    } else {
        transferText(&stream, (char *)reason->message);
    }
    return fflush(file) == 0 && !ferror(file);
}

static void readReason(Stream *stream, EngineError *error) {
    char *reason = transferText(stream, NULL);
    bool whole = reason && stream->left == 0;
    engineFail(error, "%s", whole ? reason : "the parser's answer is cut off or damaged");
    free(reason);
}

static Model *readModel(Stream *stream, EngineError *error) {
    Model *model = calloc(1, sizeof *model);
    if (model) {
        transferFields(stream, model, &modelStruct, model);
    }
    bool whole = model && stream->good && stream->left == 0;
    if (!whole) {
        engineFail(error, "the parser's answer is cut off or damaged");
    }
    if (!whole || !modelCheck(model, error)) {
        modelFree(model);
        return NULL;
    }
    return model;
}

Model *blobRead(const uint8_t *bytes, size_t size, EngineError *error) {
    Stream stream = {.at = bytes, .left = size, .good = true};
    char magic[sizeof magicModel];
    transfer(&stream, magic, sizeof magic);
    if (memcmp(magic, magicModel, sizeof magic) == 0) {
        return readModel(&stream, error);
    }
    if (memcmp(magic, magicReason, sizeof magic) == 0) {
        readReason(&stream, error);
    } else {
        engineFail(error, "the parser's answer is not a model");
    }
    return NULL;
}
