#include "vkm_pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "named_files.h"
#include "readers.h"
#include "vkm_read.h"

/* ---- In the child: a model with the pictures alone ---- */

/* A model without meshes needs a clip. */
#define ANSWER_CLIP "pictures"

#define INDEX_SIZE 16

/* Two pictures inside may have one name. */
static void formatIndex(char text[INDEX_SIZE], uint32_t index) {
    snprintf(text, INDEX_SIZE, "%u", index);
}

/* Names a picture by the index of the model's texture, and drops its file, which the parent has. made: -1: it was left out. */
static void nameByIndex(Model *answer, int32_t made, uint32_t index) {
    char text[INDEX_SIZE];
    if (made >= 0) {
        ModelTexture *texture = &answer->textures[made];
        formatIndex(text, index);
        free(texture->name);
        texture->name = childCopyText(text);
        free(texture->source);
        texture->source = NULL;
        texture->sourceSize = 0;
    }
}

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
        const ModelTexture *texture = &model->textures[i];
        if (texture->path[0] != '\0') {
            (void)textureLoad(answer, folder, texture->path);
        } else if (texture->source) {
            const int32_t made = textureDecode(answer, texture->name, texture->source, texture->sourceSize);
            nameByIndex(answer, made, i);
        }
    }
    free(folder);
    modelFree(model);
    return answer;
}

/* ---- In the parent ---- */

static bool isPicture(const ModelTexture *texture) {
    return texture->path[0] != '\0' || texture->source;
}

static bool hasPictures(const Model *model) {
    uint32_t i = 0;
    while (i < model->textureCount && !isPicture(&model->textures[i])) {
        i++;
    }
    return i < model->textureCount;
}

/* Moves the pixels of the answer's next texture to this one, if they are of the same file. index: it was read at. */
static bool takePixels(Model *answer, uint32_t *next, ModelTexture *texture, uint32_t index) {
    ModelTexture *from = *next < answer->textureCount ? &answer->textures[*next] : NULL;
    char text[INDEX_SIZE];
    formatIndex(text, index);
    if (!from || strcmp(from->name, texture->path[0] ? texture->path : text) != 0) {
        return false;
    }
    if (!texture->source) {
        texture->source = from->source;
        texture->sourceSize = from->sourceSize;
        from->source = NULL;
        from->sourceSize = 0;
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
    for (uint32_t i = 0, index = 0; i < model->textureCount; index++) {
        const bool kept = !isPicture(&model->textures[i]) || takePixels(answer, &next, &model->textures[i], index);
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
    } else if (hasPictures(model) && !addPictures(model, role, path, options, error)) {
        modelFree(model);
        model = NULL;
    }
    return model;
}
