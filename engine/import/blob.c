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
    FILE *file;
    bool reads;
    uint64_t left; /* bytes of memory that a model may still take */
    bool good;
    bool tooLarge; /* the reason why not */
} Stream;

static void transfer(Stream *stream, void *bytes, size_t size) {
    if (size == 0) {
        return; /* bytes may be null */
    }
    if (!stream->reads) {
        (void)!fwrite(bytes, 1, size, stream->file);
    } else if (!stream->good || fread(bytes, 1, size, stream->file) != size) {
        stream->good = false;
        memset(bytes, 0, size);
    }
}

/* Writes the number and returns it; returns the number that was read. */
static uint32_t transferNumber(Stream *stream, size_t number) {
    uint32_t transferred = (uint32_t)number;
    transfer(stream, &transferred, sizeof transferred);
    return transferred;
}

#define OVERHEAD 32         /* bytes that malloc adds to an allocation, at most */
#define STEP     (1u << 16) /* bytes of the first piece of an array */

/* Memory for `count` elements, which must be within the limit. */
static void takeFromLimit(Stream *stream, size_t count, size_t size) {
    if (stream->good && size > 0) { /* with a size of 0 any count would fit */
        stream->tooLarge = stream->left <= OVERHEAD || count > (stream->left - OVERHEAD) / size;
    }
    stream->good = stream->good && size > 0 && !stream->tooLarge;
    stream->left -= stream->good ? count * size + OVERHEAD : 0;
}

/*
 * Memory for more than the `has` bytes that have come, up to `whole` and a final zero: a count costs no memory before its
 * bytes come. New bytes are zero. *room: the new size, without the final zero. Where memory runs out it stays as it is.
 */
static char *grow(Stream *stream, char *memory, size_t has, size_t whole, size_t *room) {
    size_t wanted = has > STEP / 2 ? 2 * has : STEP;
    wanted = wanted < whole ? wanted : whole;
    char *larger = stream->good ? realloc(memory, wanted + 1) : NULL;
    if (!larger) {
        stream->good = false;
        return memory;
    }
    memset(larger + has, 0, wanted + 1 - has);
    *room = wanted;
    return larger;
}

/* An array in memory of its own, with a final zero. Null, or a part: it did not come as a whole. */
static void *readArray(Stream *stream, size_t count, size_t size) {
    const size_t whole = count * size;
    char *memory = NULL;
    size_t has = 0, room = 0;
    takeFromLimit(stream, count, size);
    do {
        memory = grow(stream, memory, has, whole, &room);
        if (stream->good) {
            transfer(stream, memory + has, room - has);
        }
        has = room;
    } while (stream->good && has < whole);
    return memory;
}

/* Writes the array, or reads it. */
static void *transferArray(Stream *stream, void *array, size_t count, size_t size) {
    if (stream->reads) {
        return readArray(stream, count, size);
    }
    if (array) {
        transfer(stream, array, count * size);
    }
    return array;
}

static char *transferText(Stream *stream, char *text) {
    uint32_t length = transferNumber(stream, stream->reads ? 0 : strlen(text));
    return transferArray(stream, text, length, 1);
}

static void transferFields(Stream *stream, const Model *model, const ModelStruct *type, void *object);

/* `object` counts those that have begun to come, so that modelFree finds them. */
static char *readStructs(Stream *stream, const Model *model, const ModelField *field, void *object, uint32_t count) {
    char *structs = NULL;
    size_t room = 0;
    takeFromLimit(stream, count, field->size);
    structs = grow(stream, structs, 0, count * field->size, &room);
    modelFieldSetPointer(object, field, structs);
    for (uint32_t i = 0; i < count && stream->good; i++) {
        if ((i + (size_t)1) * field->size > room) {
            structs = grow(stream, structs, i * field->size, count * field->size, &room);
            modelFieldSetPointer(object, field, structs);
        }
        if (stream->good) {
            const uint32_t begun = i + 1;
            memcpy((char *)object + field->count, &begun, sizeof begun);
            transferFields(stream, model, field->type, structs + i * field->size);
        }
    }
    return structs;
}

/* The count comes first. It is 0 in the struct where there is no array. */
static char *transferStructs(Stream *stream, const Model *model, const ModelField *field, void *object, char *structs) {
    uint32_t count = transferNumber(stream, stream->reads ? 0 : modelFieldCount(model, object, field));
    if (stream->reads) {
        return readStructs(stream, model, field, object, count);
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
        void *pointer = stream->reads ? NULL : modelFieldPointer(object, field);
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

/* Whether the file ends here and everything was read. */
static bool isWhole(Stream *stream, uint64_t limit, EngineError *error) {
    if (stream->tooLarge) {
        return engineFail(error, "the parser's answer is larger than %llu MiB", (unsigned long long)(limit >> 20));
    }
    return (stream->good && fgetc(stream->file) == EOF && !ferror(stream->file)) ||
           engineFail(error, "the parser's answer is cut off or damaged");
}

static void readReason(Stream *stream, uint64_t limit, EngineError *error) {
    char *reason = transferText(stream, NULL);
    if (isWhole(stream, limit, error)) {
        engineFail(error, "%s", reason);
    }
    free(reason);
}

static Model *readModel(Stream *stream, uint64_t limit, EngineError *error) {
    Model *model = calloc(1, sizeof *model);
    if (!model) {
        engineFail(error, "out of memory");
        return NULL;
    }
    transferFields(stream, model, &modelStruct, model);
    if (!isWhole(stream, limit, error) || !modelCheck(model, error)) {
        modelFree(model);
        return NULL;
    }
    return model;
}

Model *blobRead(FILE *file, uint64_t limit, EngineError *error) {
    Stream stream = {.file = file, .reads = true, .left = limit, .good = true};
    char magic[sizeof magicModel];
    transfer(&stream, magic, sizeof magic);
    if (memcmp(magic, magicModel, sizeof magic) == 0) {
        return readModel(&stream, limit, error);
    }
    if (memcmp(magic, magicReason, sizeof magic) == 0) {
        readReason(&stream, limit, error);
    } else {
        engineFail(error, "the parser's answer is not a model");
    }
    return NULL;
}
