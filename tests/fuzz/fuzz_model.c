/*
 * fuzz_model.c: what a parser's process may answer, through modelCheck and the mesh builder.
 *
 * An input that starts like an answer is read as one: every model file reaches the program in that form. Any other input
 * describes a model (modelOfBytes), so that mutations keep its sizes consistent.
 */
#include "blob.h"
#include "build_model.h"
#include "fuzz_target.h"
#include "model_bytes.h"

#include <string.h>

static void checkMessage(const EngineError *error) {
    FUZZ_CHECK(error->message[0] != '\0' && strlen(error->message) < ENGINE_ERROR_SIZE);
    FUZZ_CHECK(!strchr(error->message, '\n'));
}

/* Counts in the bytes may lie: a model may take little more than its answer. */
static Model *unpack(const void *bytes, size_t size, EngineError *error) {
    FILE *file = fmemopen((void *)bytes, size, "rb");
    FUZZ_CHECK(file);
    Model *model = blobRead(file, 16 * size + ((size_t)1 << 20), error);
    fclose(file);
    return model;
}

static void runBlob(const uint8_t *bytes, size_t size) {
    EngineError error = {.message = ""};
    Model *model = unpack(bytes, size, &error);
    if (model && model->partCount > 0) {
        buildModel(model);
    } else if (size < 8 || memcmp(bytes, "vkskfail", 8) != 0) {
        checkMessage(&error);
    }
    modelFree(model);
}

static char *pack(const Model *model, size_t *size) {
    char *bytes = NULL;
    FILE *file = open_memstream(&bytes, size);
    FUZZ_CHECK(file && blobWrite(file, model, NULL) && fclose(file) == 0);
    return bytes;
}

/* A model that passed the check must not change on its way through an answer. */
static void thereAndBack(const Model *model) {
    EngineError error;
    size_t firstSize = 0, secondSize = 0;
    char *first = pack(model, &firstSize);
    Model *copy = unpack(first, firstSize, &error);
    FUZZ_CHECK(copy);
    char *second = pack(copy, &secondSize);
    FUZZ_CHECK(firstSize == secondSize && memcmp(first, second, firstSize) == 0);
    modelFree(copy);
    free(first);
    free(second);
}

static void runModel(const uint8_t *bytes, size_t size) {
    EngineError error = {.message = ""};
    FuzzBytes left = {.at = bytes, .left = size};
    Model *model = modelOfBytes(&left);
    if (modelCheck(model, &error)) {
        thereAndBack(model);
        if (model->partCount > 0) { /* the verbs build no file of clips */
            buildModel(model);
        }
    } else {
        checkMessage(&error);
    }
    modelFree(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size >= 4 && memcmp(bytes, "vksk", 4) == 0) {
        runBlob(bytes, size);
    } else {
        runModel(bytes, size);
    }
    return 0;
}
