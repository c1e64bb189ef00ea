#include "import.h"

#include "assimp.h"
#include "blob.h"
#include "child.h"
#include "gltf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- In the child ---- */

/* A reader for each file name extension; the last one reads all others. */
static const struct {
    const char *extension;
    Model *(*parse)(const char *path, EngineError *error);
} readers[] = {{".gltf", gltfParse}, {".glb", gltfParse}, {NULL, assimpParse}};

static Model *parse(const char *path, EngineError *error) {
    const char *dot = strrchr(path, '.');
    size_t i = 0;
    while (readers[i].extension && !(dot && strcasecmp(dot, readers[i].extension) == 0)) {
        i++;
    }
    return readers[i].parse(path, error);
}

static int parseAndAnswer(const char *path, int output) {
    EngineError error = {""};
    gltfGuardMemory();
    Model *model = parse(path, &error);
    FILE *file = fdopen(output, "wb");
    bool written = file && blobWrite(file, model, &error);
    modelFree(model);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
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
    return checkFile(path, error) ? importRun(parseAndAnswer, path, options, error) : NULL;
}
