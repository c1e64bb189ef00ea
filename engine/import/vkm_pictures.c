#include "vkm_pictures.h"

#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "named_files.h"
#include "readers.h"
#include "vkm_read.h"

/* ---- In the child: a model with the pictures alone ---- */

/* A model without meshes needs a clip. */
#define ANSWER_CLIP "pictures"

Model *vkmParsePictures(const char *path, EngineError *error) {
    Model *model = vkmRead(path, NULL, error);
    if (!model) {
        return NULL;
    }
    Model *answer = childAllocate(1, sizeof *answer);
    answer->nodes = childAllocate(0, 0);
    answer->skins = childAllocate(0, 0);
    answer->meshes = childAllocate(0, 0);
    answer->parts = childAllocate(0, 0);
    answer->materials = childAllocate(0, 0);
    answer->textures = childAllocate(model->textureCount, sizeof *answer->textures);
    answer->clips = childAllocate(1, sizeof *answer->clips);
    answer->clips->name = childCopyText(ANSWER_CLIP);
    answer->clips->tracks = childAllocate(0, 0);
    answer->clipCount = 1;
    char *folder = pathFolder(path);
    for (uint32_t i = 0; i < model->textureCount; i++) {
        if (model->textures[i].path[0] != '\0') {
            (void)textureLoad(answer, folder, model->textures[i].path);
        }
    }
    free(folder);
    modelFree(model);
    return answer;
}

/* ---- In the parent ---- */

static bool namesPictures(const Model *model) {
    uint32_t i = 0;
    while (i < model->textureCount && model->textures[i].path[0] == '\0') {
        i++;
    }
    return i < model->textureCount;
}

/* Moves the pixels of the answer's next texture to this one, if they are of the same file. */
static bool takePixels(Model *answer, uint32_t *next, ModelTexture *texture) {
    ModelTexture *from = *next < answer->textureCount ? &answer->textures[*next] : NULL;
    if (!from || strcmp(from->name, texture->path) != 0) {
        return false;
    }
    free(texture->pixels);
    texture->pixels = from->pixels;
    texture->width = from->width;
    texture->height = from->height;
    from->pixels = NULL;
    ++*next;
    return true;
}

/* Removes a texture: materials that show it have their base colour. */
static void removeTexture(Model *model, uint32_t index) {
    for (uint32_t i = 0; i < model->materialCount; i++) {
        for (int map = 0; map < MODEL_MAP_COUNT; map++) {
            int32_t *texture = &model->materials[i].maps[map];
            *texture = *texture == (int32_t)index ? -1 : *texture - (*texture > (int32_t)index ? 1 : 0);
        }
    }
    free(model->textures[index].pixels);
    model->textureCount--;
    memmove(&model->textures[index], &model->textures[index + 1],
            (model->textureCount - index) * sizeof *model->textures);
}

/* The answer has the pictures in the order of the file, without those that could not be read. */
static bool merge(Model *model, Model *answer) {
    uint32_t next = 0;
    bool good = true;
    for (uint32_t i = 0; i < model->textureCount;) {
        const bool kept = model->textures[i].path[0] == '\0' || takePixels(answer, &next, &model->textures[i]);
        if (!kept) {
            removeTexture(model, i); /* the texts of the texture are in the image */
        }
        i += kept ? 1 : 0;
    }
    for (uint32_t i = 0; i < answer->warningCount; i++) {
        good = modelWarn(model, "%s", answer->warnings[i].text) && good;
    }
    model->files = answer->files;
    model->fileCount = answer->fileCount;
    answer->files = NULL;
    model->repairs.texturesMissing += answer->repairs.texturesMissing;
    model->repairs.texturesTooLarge += answer->repairs.texturesTooLarge;
    return good;
}

static bool addPictures(Model *model, const char *role, const char *path, const ImportOptions *options,
                        EngineError *error) {
    Model *answer = childRun(role, path, options, error);
    const bool good = answer && (merge(model, answer) || engineFail(error, "%s: out of memory", path));
    modelFree(answer);
    return good;
}

Model *vkmImport(const char *role, const char *path, const ImportOptions *options, EngineError *error) {
    const VkmReadOptions read = {.limit = options && options->answerBytes ? options->answerBytes : IMPORT_ANSWER_BYTES};
    Model *model = vkmRead(path, &read, error);
    if (options && options->sandbox) {
        *options->sandbox = (ImportSandbox){.notNeeded = true};
    }
    if (!model) {
        engineFailAt(error, path);
    } else if (namesPictures(model) && !addPictures(model, role, path, options, error)) {
        modelFree(model);
        model = NULL;
    }
    return model;
}
