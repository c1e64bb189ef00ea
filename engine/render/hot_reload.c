#include "hot_reload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_watch.h"
#include "shader_compiler.h"

typedef struct WatchedFile {
    char *path;
    FileWatch watch; /* used: at the last compilation of its shader */
} WatchedFile;

typedef struct WatchedShader {
    char *name;
    char *path;
    WatchedFile *files;
    uint32_t fileCount;
    bool pending;
    bool changed; /* since the last compilation; if pending without changed: first compilation */
} WatchedShader;

struct HotReload {
    ShaderCompiler *compiler;
    WatchedShader *shaders;
    uint32_t shaderCount;
    ShaderBinary binary; /* code of the last event */
};

/* ---- The files of a shader ---- */

static void freeFiles(WatchedShader *shader) {
    for (uint32_t i = 0; i < shader->fileCount; i++) {
        free(shader->files[i].path);
    }
    free(shader->files);
    shader->files = NULL;
    shader->fileCount = 0;
}

static WatchedFile *findFile(const WatchedShader *shader, const char *path) {
    for (uint32_t i = 0; i < shader->fileCount; i++) {
        if (strcmp(shader->files[i].path, path) == 0) {
            return &shader->files[i];
        }
    }
    return NULL;
}

/*
 * Takes ownership of the list of files that a compilation read. A failed compilation may not have read all includes,
 * but it has read the one with the error. If out of memory, the old list stays.
 */
static void watchFiles(WatchedShader *shader, ShaderBinary *binary) {
    WatchedFile *files = calloc((size_t)binary->fileCount + 1, sizeof *files);
    if (!files) {
        return;
    }
    for (uint32_t i = 0; i < binary->fileCount; i++) {
        const WatchedFile *known = findFile(shader, binary->files[i]);
        files[i] =
            (WatchedFile){.path = binary->files[i], .watch = known ? known->watch : fileWatchFrom(binary->files[i])};
        fileWatchUse(&files[i].watch);
        binary->files[i] = NULL;
    }
    freeFiles(shader);
    shader->files = files;
    shader->fileCount = binary->fileCount;
}

/* ---- Making ---- */

static bool addShader(HotReload *reload, const char *folder, const char *name) {
    WatchedShader *shader = &reload->shaders[reload->shaderCount++];
    shader->name = strdup(name);
    if (!shader->name || asprintf(&shader->path, "%s/raster/%s", folder, name) < 0) {
        shader->path = NULL;
        return false;
    }
    ShaderBinary list;
    shaderListFiles(reload->compiler, shader->path, &list); /* files that cannot be read yet are watched too */
    watchFiles(shader, &list);
    shaderBinaryFree(&list);
    return shader->fileCount > 0;
}

static bool isFolder(const char *folder, EngineError *error) {
    char path[4096];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s/raster", folder);
    if (length < 0 || (size_t)length >= sizeof path || stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        return engineFail(error, "%s: no shader folder: it has no folder raster", folder);
    }
    return true;
}

static bool fill(HotReload *reload, const char *folder, const char *const *names, uint32_t nameCount) {
    reload->compiler = shaderCompilerCreate(folder);
    reload->shaders = calloc(nameCount, sizeof *reload->shaders);
    bool good = reload->compiler && reload->shaders;
    for (uint32_t i = 0; i < nameCount && good; i++) {
        good = addShader(reload, folder, names[i]);
    }
    return good;
}

HotReload *hotReloadCreate(const char *folder, const char *const *names, uint32_t nameCount, bool compileAll,
                           EngineError *error) {
    if (!isFolder(folder, error)) {
        return NULL;
    }
    HotReload *reload = calloc(1, sizeof *reload);
    if (!reload || !fill(reload, folder, names, nameCount)) {
        engineFail(error, "%s: out of memory for its shaders", folder);
        hotReloadDestroy(reload);
        return NULL;
    }
    for (uint32_t i = 0; i < reload->shaderCount; i++) {
        reload->shaders[i].pending = compileAll;
    }
    return reload;
}

const char *hotReloadSourceFolder(void) {
    return WINDOW_SHADER_FOLDER; /* set by the build */
}

void hotReloadDestroy(HotReload *reload) {
    if (!reload) {
        return;
    }
    for (uint32_t i = 0; i < reload->shaderCount; i++) {
        freeFiles(&reload->shaders[i]);
        free(reload->shaders[i].name);
        free(reload->shaders[i].path);
    }
    free(reload->shaders);
    shaderCompilerDestroy(reload->compiler);
    shaderBinaryFree(&reload->binary);
    free(reload);
}

/* ---- Watching ---- */

static bool changedAndSettled(WatchedShader *shader) {
    bool changed = false, settled = true;
    for (uint32_t i = 0; i < shader->fileCount; i++) {
        WatchedFile *file = &shader->files[i];
        fileWatchPoll(&file->watch, file->path);
        changed = changed || file->watch.changed;
        settled = settled && file->watch.settled;
    }
    return changed && settled;
}

void hotReloadPoll(HotReload *reload) {
    for (uint32_t i = 0; i < reload->shaderCount; i++) {
        WatchedShader *shader = &reload->shaders[i];
        shader->changed = changedAndSettled(shader) || shader->changed;
        shader->pending = shader->changed || shader->pending;
    }
}

bool hotReloadNext(HotReload *reload, HotReloadEvent *event) {
    uint32_t index = 0;
    while (index < reload->shaderCount && !reload->shaders[index].pending) {
        index++;
    }
    if (index == reload->shaderCount) {
        return false;
    }
    WatchedShader *shader = &reload->shaders[index];
    shader->pending = false;
    shaderBinaryFree(&reload->binary);
    bool compiled = shaderCompile(reload->compiler, shader->path, &reload->binary);
    watchFiles(shader, &reload->binary);
    *event = (HotReloadEvent){
        .name = shader->name,
        .path = shader->path,
        .words = reload->binary.words,
        .byteCount = reload->binary.wordCount * sizeof(uint32_t),
        .changed = shader->changed,
        .message = compiled                 ? NULL
                   : reload->binary.message ? reload->binary.message
                                            : "out of memory",
    };
    shader->changed = false;
    return true;
}
