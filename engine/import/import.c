#include "import.h"

#include "blob.h"
#include "diagnostic.h"
#include "gltf_document.h"
#include "import_assimp.h"
#include "import_gltf.h"
#include "import_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- in the child ---- */

static bool isGltf(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".gltf") == 0 || strcasecmp(dot, ".glb") == 0);
}

static int parseAndAnswer(const char *path, int output) {
    char message[IMPORT_MESSAGE_SIZE] = "";
    gltfGuardMemory();
    Model *model = isGltf(path) ? gltfParse(path, message) : assimpParse(path, message);
    FILE *file = fdopen(output, "wb");
    bool written = file && blobWrite(file, model, message);
    modelFree(model);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- in the parent ---- */

Model *importRun(IsolateWork work, const char *path, const ImportOptions *options, char *message) {
    IsolateAnswer answer;
    if (!isolateRun(work, path, options, &answer, message)) {
        return NULL;
    }
    Model *model = blobRead(answer.bytes, answer.size, path, message);
    free(answer.bytes);
    return model;
}

/* What needs no parser to be seen. */
static bool checkFile(const char *path, char *message) {
    struct stat status;
    if (stat(path, &status) != 0 || access(path, R_OK) != 0) {
        return diagnose(message, "%s: %s", path, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return diagnose(message, "%s: not a file", path);
    }
    if (status.st_size == 0) {
        return diagnose(message, "%s: the file is empty", path);
    }
    return true;
}

Model *importModel(const char *path, const ImportOptions *options, char *message) {
    message[0] = '\0';
    return checkFile(path, message) ? importRun(parseAndAnswer, path, options, message) : NULL;
}
