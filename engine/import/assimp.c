#include "assimp.h"

#include "child.h"
#include "import.h"
#include "named_files.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Files that assimp may open ---- */

typedef struct AllowedFiles {
    const char *model;  /* the model's own file, as the user named it */
    const char *folder; /* its folder: ends with a slash, or is empty */
} AllowedFiles;

/* The functions of assimp's stream; UserData is the FILE. */

static size_t readItems(struct aiFile *file, char *to, size_t size, size_t count) {
    return fread(to, size, count, (FILE *)file->UserData);
}

/* Parsers may not write. */
static size_t writeNothing(struct aiFile *file, const char *from, size_t size, size_t count) {
    (void)file;
    (void)from;
    (void)size;
    (void)count;
    return 0;
}

static size_t position(struct aiFile *file) {
    off_t at = ftello((FILE *)file->UserData);
    return at < 0 ? 0 : (size_t)at;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseeko((FILE *)file->UserData, (off_t)offset, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static size_t sizeOf(struct aiFile *file) {
    size_t at = position(file);
    seek(file, 0, aiOrigin_END);
    size_t size = position(file);
    seek(file, at, aiOrigin_SET);
    return size;
}

static void flushNothing(struct aiFile *file) {
    (void)file;
}

/* The model's own file may be a link, because the user named it. */
static bool mayOpen(const AllowedFiles *files, const char *name) {
    return strcmp(name, files->model) == 0 || (pathIsBelow(name, files->folder) && pathLeadsBelow(name, files->folder));
}

static struct aiFile *openBelow(struct aiFileIO *files, const char *name, const char *mode) {
    int descriptor;
    size_t size;
    if (mode[0] != 'r' || strchr(mode, '+') || !mayOpen((const AllowedFiles *)files->UserData, name) ||
        fileOpen(name, SIZE_MAX, &descriptor, &size) != FILE_READ_OK) {
        return NULL;
    }
    FILE *stream = fdopen(descriptor, "rb");
    if (!stream) {
        close(descriptor);
        return NULL;
    }
    struct aiFile *file = childAllocate(1, sizeof *file);
    *file = (struct aiFile){
        .ReadProc = readItems,
        .WriteProc = writeNothing,
        .TellProc = position,
        .FileSizeProc = sizeOf,
        .SeekProc = seek,
        .FlushProc = flushNothing,
        .UserData = (aiUserData)stream,
    };
    return file;
}

static void closeFile(struct aiFileIO *files, struct aiFile *file) {
    (void)files;
    fclose((FILE *)file->UserData);
    free(file);
}

/*
 * Opens for reading the model's own file, and regular files below its folder, by name and with links followed. Any other
 * file does not exist for assimp. `files` must stay valid until the scene is released.
 */
static struct aiFileIO allowFiles(AllowedFiles *files) {
    return (struct aiFileIO){.OpenProc = openBelow, .CloseProc = closeFile, .UserData = (aiUserData)files};
}

/* ---- Reading ---- */

static uint32_t countWithoutNormals(const struct aiScene *scene) {
    uint32_t count = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        count += scene->mMeshes[i]->mNormals == NULL;
    }
    return count;
}

/* The name of assimp's importer for the file, without a final "Importer", "Reader" or "Loader". */
static void formatName(const char *path, char *name, size_t size) {
    static const char *const endings[] = {" Importer", " Reader", " Loader"};
    const char *extension = strrchr(path, '.') + 1; /* assimpParse has checked it */
    const struct aiImporterDesc *importer = aiGetImporterDesc(extension);
    snprintf(name, size, "%s", importer && importer->mName ? importer->mName : extension);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t length = strlen(name), cut = strlen(endings[i]);
        if (length > cut && strcmp(name + length - cut, endings[i]) == 0) {
            name[length - cut] = '\0';
        }
    }
}

/* Reports assimp's reason. */
static void reject(const char *path, EngineError *error) {
    char format[80];
    const char *reason = aiGetErrorString();
    formatName(path, format, sizeof format);
    engineFail(error, "not readable as %s: %s", format, reason && reason[0] ? reason : "no reason given");
}

/*
 * Keeps every influence of the file. meshWeld joins identical vertices: aiProcess_JoinIdenticalVertices would join
 * vertices whose weights differ.
 */
static const struct aiScene *readScene(const char *path, struct aiFileIO *files, uint32_t *normalsComputed,
                                       EngineError *error) {
    const struct aiScene *scene = aiImportFileEx(path, 0, files);
    if (!scene) {
        reject(path, error);
        return NULL;
    }
    if (!scene->mRootNode || scene->mNumMeshes == 0) {
        engineFail(error, "no meshes");
        aiReleaseImport(scene);
        return NULL;
    }
    *normalsComputed = countWithoutNormals(scene);
    scene = aiApplyPostProcessing(scene, aiProcess_Triangulate | aiProcess_GenSmoothNormals | aiProcess_FlipUVs);
    if (!scene) {
        reject(path, error);
    }
    return scene;
}

Model *assimpParse(const char *path, EngineError *error) {
    const char *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/') || !aiIsExtensionSupported(dot)) {
        engineFail(error, "unknown kind of file; known: " IMPORT_FORMATS);
        return NULL;
    }
    char *folder = pathFolder(path);
    AllowedFiles allowed = {.model = path, .folder = folder};
    struct aiFileIO files = allowFiles(&allowed);
    uint32_t normalsComputed = 0;
    Model *model = NULL;
    const struct aiScene *scene = readScene(path, &files, &normalsComputed, error);
    if (scene) {
        model = childAllocate(1, sizeof *model);
        model->repairs.normalsComputed = normalsComputed;
        if (!assimpConvert(scene, path, model, error)) {
            modelFree(model);
            model = NULL;
        }
        aiReleaseImport(scene);
    }
    free(folder);
    return model;
}
