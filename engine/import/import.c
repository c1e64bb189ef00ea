#include "import.h"

#include "blob.h"
#include "child.h"
#include "named_files.h"
#include "readers.h"
#include "refusals.h"
#include "vkm_pictures.h"
#include "vkm_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROLE "vkskin-import"

/* ---- In the child ---- */

static Model *parse(const char *path, EngineError *error) {
    const char *dot = strrchr(path, '.'); /* if the dot belongs to a folder's name, no extension is equal */
#define READ_WITH(extension, reader)                                                                                   \
    if (dot && strcasecmp(dot, extension) == 0) {                                                                      \
        return reader(path, error);                                                                                    \
    }
    READERS(READ_WITH)
    if (!refusalFromName(path, error)) {
        engineFail(error, "unknown kind of file; known: " IMPORT_FORMATS);
    }
    return NULL;
}

/* Frees a model without a face, and says so. */
static Model *checkFaces(Model *model, EngineError *error) {
    if (model && model->partCount == 0 && model->repairs.trianglesDropped > 0) {
        engineFail(error, "only points or lines");
        modelFree(model);
        return NULL;
    }
    return model;
}

static int parseAndAnswer(const char *path, int output) {
    EngineError error = {.message = ""};
    gltfGuardMemory();
    Model *model = checkFaces(parse(path, &error), &error);
    if (model) {
        filesList(model);
    }
    FILE *file = fdopen(output, "wb");
    bool written = file && blobWrite(file, model, &error);
    modelFree(model);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Every program with this function is its own parser's process. */
__attribute__((constructor)) static void beginAsParser(int count, char **texts) {
    childBegin(ROLE, count, texts, parseAndAnswer);
}

/* ---- In the parent ---- */

/* Finds faults for which no parser is needed. */
static bool checkFile(const char *path, EngineError *error) {
    struct stat status;
    if (stat(path, &status) != 0 || access(path, R_OK) != 0) {
        return engineFail(error, "%s: %s", path, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return engineFail(error, "%s: not a file", path);
    }
    if (status.st_size == 0) {
        return engineFail(error, "%s: the file is empty", path);
    }
    return true;
}

Model *importModel(const char *path, const ImportOptions *options, EngineError *error) {
    if (!checkFile(path, error)) {
        return NULL;
    }
    return vkmIsNamed(path) ? vkmImport(ROLE, path, options, error) : childRun(ROLE, path, options, error);
}

bool importIsNamed(const char *path) {
    const char *dot = strrchr(path, '.');
#define IS_NAMED(extension, reader) || (dot && strcasecmp(dot, extension) == 0)
    return false READERS(IS_NAMED);
#undef IS_NAMED
}

bool importIsSpine(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".json") == 0;
}
