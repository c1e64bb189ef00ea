/*
 * fuzz_model.c: what an importer may answer, through the check of models and the mesh builder.
 *
 * An input that begins as the answer of the parser's process does is read as one: the way by which every .x, .fbx,
 * .dae, .md5mesh, .gltf and .glb reaches the program. Any other input describes a model, so that mutations need not
 * keep its lengths right.
 */
#include "blob.h"
#include "build_model.h"
#include "fuzz_target.h"
#include "import.h"
#include "model_bytes.h"
#include "model_check.h"

#include <string.h>

#define PATH "beast.x"

static void checkMessage(const char *message) {
    FUZZ_CHECK(message[0] != '\0' && strlen(message) < IMPORT_MESSAGE_SIZE && !strchr(message, '\n'));
}

static void runBlob(const uint8_t *bytes, size_t size) {
    char message[IMPORT_MESSAGE_SIZE] = "";
    Model *model = blobRead(bytes, size, PATH, message);
    if (model) {
        buildModel(model);
    } else if (size < 8 || memcmp(bytes, "vkskfail", 8) != 0) {
        checkMessage(message);
    }
    modelFree(model);
}

/* A model that passed the check must come back from the bytes of an answer as it was. */
static void thereAndBack(const Model *model) {
    char message[IMPORT_MESSAGE_SIZE] = "";
    char *first = NULL, *second = NULL;
    size_t firstSize = 0, secondSize = 0;
    FILE *file = open_memstream(&first, &firstSize);
    FUZZ_CHECK(file && blobWrite(file, model, "") && fclose(file) == 0);
    Model *copy = blobRead((const uint8_t *)first, firstSize, PATH, message);
    file = open_memstream(&second, &secondSize);
    FUZZ_CHECK(copy && file && blobWrite(file, copy, "") && fclose(file) == 0);
    FUZZ_CHECK(firstSize == secondSize && memcmp(first, second, firstSize) == 0);
    modelFree(copy);
    free(first);
    free(second);
}

static void runModel(const uint8_t *bytes, size_t size) {
    char message[IMPORT_MESSAGE_SIZE] = "";
    FuzzBytes left = {bytes, size};
    Model *model = modelOfBytes(&left);
    if (modelCheck(model, PATH, message)) {
        thereAndBack(model);
        buildModel(model);
    } else {
        checkMessage(message);
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
