#include "blob.h"

#include "model_fields.h"

#include <stdlib.h>
#include <string.h>

static const char magicModel[8] = {'v', 'k', 's', 'k', 'm', 'o', 'd', 'l'};
static const char magicReason[8] = {'v', 'k', 's', 'k', 'f', 'a', 'i', 'l'};

/* ---- Writing ---- */

static void put(FILE *file, const void *bytes, size_t count, size_t size) {
    /* The stream keeps errors: blobWrite asks for them once, at the end. */
    if (count && size) {
        (void)!fwrite(bytes, size, count, file);
    }
}

static void putNumber(FILE *file, uint32_t number) {
    put(file, &number, 1, sizeof number);
}

static void putText(FILE *file, const char *text) {
    uint32_t length = (uint32_t)strlen(text);
    putNumber(file, length);
    put(file, text, length, 1);
}

static void putFields(FILE *file, const Model *model, const ModelStruct *type, const void *object);

static void putField(FILE *file, const Model *model, const ModelField *field, const void *object) {
    if (field->kind == MODEL_PLAIN) {
        put(file, (const char *)object + field->offset, 1, field->size);
        return;
    }
    const char *pointer = modelFieldPointer(object, field);
    if (field->kind == MODEL_TEXT) {
        putText(file, pointer);
        return;
    }
    size_t count = modelFieldCount(model, object, field);
    if (field->kind == MODEL_STRUCTS) {
        putNumber(file, (uint32_t)count);
        for (size_t i = 0; i < count; i++) {
            putFields(file, model, field->type, pointer + i * field->size);
        }
        return;
    }
    if (field->optional) {
        putNumber(file, pointer != NULL);
    }
    if (pointer) {
        put(file, pointer, count, modelFieldStride(object, field));
    }
}

static void putFields(FILE *file, const Model *model, const ModelStruct *type, const void *object) {
    for (size_t f = 0; f < type->fieldCount; f++) {
        putField(file, model, &type->fields[f], object);
    }
}

bool blobWrite(FILE *file, const Model *model, const EngineError *reason) {
    put(file, model ? magicModel : magicReason, 1, sizeof magicModel);
    if (model) {
        putFields(file, model, &modelStruct, model);
    } else {
        putText(file, reason->message);
    }
    return fflush(file) == 0 && !ferror(file);
}

/* ---- Reading ---- */

/* Once something does not fit, `good` is false and every further read gives zeros. */
typedef struct Reader {
    const uint8_t *at;
    size_t left;
    bool good;
} Reader;

static void get(Reader *reader, void *out, size_t size) {
    if (size == 0) {
        return; /* out may be null */
    }
    if (!reader->good || size > reader->left) {
        reader->good = false;
        memset(out, 0, size);
        return;
    }
    memcpy(out, reader->at, size);
    reader->at += size;
    reader->left -= size;
}

static uint32_t getNumber(Reader *reader) {
    uint32_t number = 0;
    get(reader, &number, sizeof number);
    return number;
}

/*
 * count x size bytes in memory of their own, at least one. Null: the bytes are not there, or size is 0: then any count
 * would fit into no bytes.
 */
static void *getArray(Reader *reader, size_t count, size_t size) {
    if (!reader->good || size == 0 || count > reader->left / size) {
        reader->good = false;
        return NULL;
    }
    void *array = malloc(count > 0 ? count * size : 1);
    if (!array) {
        reader->good = false;
        return NULL;
    }
    get(reader, array, count * size);
    return array;
}

static char *getText(Reader *reader) {
    size_t length = getNumber(reader);
    if (!reader->good || length > reader->left) {
        reader->good = false;
        return NULL;
    }
    char *text = malloc(length + 1);
    if (!text) {
        reader->good = false;
        return NULL;
    }
    get(reader, text, length);
    text[length] = '\0';
    return text;
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

static void getFields(Reader *reader, const Model *model, const ModelStruct *type, void *object);

/* The count comes first. It is 0 in the struct where there is no array. */
static void getStructs(Reader *reader, const Model *model, const ModelField *field, void *object) {
    uint32_t count = getNumber(reader);
    char *structs = NULL;
    size_t smallest = smallestSize(field->type);
    if (reader->good && smallest > 0 && count <= reader->left / smallest) {
        structs = calloc(count ? count : 1, field->size);
    }
    if (!structs) {
        reader->good = false;
        count = 0;
    }
    memcpy((char *)object + field->count, &count, sizeof count);
    modelFieldSetPointer(object, field, structs);
    for (uint32_t i = 0; i < count; i++) {
        getFields(reader, model, field->type, structs + i * field->size);
    }
}

static void getFields(Reader *reader, const Model *model, const ModelStruct *type, void *object) {
    for (size_t f = 0; f < type->fieldCount; f++) {
        const ModelField *field = &type->fields[f];
        if (field->kind == MODEL_PLAIN) {
            get(reader, (char *)object + field->offset, field->size);
        } else if (field->kind == MODEL_TEXT) {
            modelFieldSetPointer(object, field, getText(reader));
        } else if (field->kind == MODEL_STRUCTS) {
            getStructs(reader, model, field, object);
        } else if (!field->optional || getNumber(reader)) {
            size_t count = modelFieldCount(model, object, field);
            modelFieldSetPointer(object, field, getArray(reader, count, modelFieldStride(object, field)));
        }
    }
}

static Model *failDamaged(EngineError *error) {
    engineFail(error, "the parser's answer is cut off or damaged");
    return NULL;
}

static Model *readReason(Reader *reader, EngineError *error) {
    char *reason = getText(reader);
    if (!reason || reader->left != 0) {
        free(reason);
        return failDamaged(error);
    }
    engineFail(error, "%s", reason);
    free(reason);
    return NULL;
}

static Model *readModel(Reader *reader, EngineError *error) {
    Model *model = calloc(1, sizeof *model);
    if (!model) {
        return failDamaged(error);
    }
    getFields(reader, model, &modelStruct, model);
    bool whole = reader->good && reader->left == 0;
    if (!whole) {
        failDamaged(error);
    }
    if (!whole || !modelCheck(model, error)) {
        modelFree(model);
        return NULL;
    }
    return model;
}

Model *blobRead(const uint8_t *bytes, size_t size, EngineError *error) {
    Reader reader = {bytes, size, true};
    char magic[sizeof magicModel];
    get(&reader, magic, sizeof magic);
    if (memcmp(magic, magicReason, sizeof magic) == 0) {
        return readReason(&reader, error);
    }
    if (memcmp(magic, magicModel, sizeof magic) == 0) {
        return readModel(&reader, error);
    }
    engineFail(error, "the parser's answer is not a model");
    return NULL;
}
