#include "load.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model_mesh.h"
#include "options.h"
#include "terminal.h"

/* md5 is the one format read here whose files have Z up by definition. */
static CharacterUp upAxis(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".md5mesh") == 0 ? CHARACTER_UP_Z : CHARACTER_UP_Y;
}

/* The model of an earlier path that is the same text, or null. */
static const Model *findLoaded(char *const *paths, const LoadedModels *loaded, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(paths[i], paths[index]) == 0) {
            return loaded->models[i].model;
        }
    }
    return NULL;
}

static void showReading(void *user) {
    progressShow(user, 0);
}

Model *loadFile(const char *path, EngineError *error) {
    Progress progress;
    progressBegin(&progress, "reading the model", 0);
    ImportOptions options = {.waiting = showReading, .user = &progress};
    Model *model = importModel(path, &options, error);
    progressErase(&progress);
    return model;
}

static bool loadOne(char *const *paths, uint32_t index, LoadOrder order, LoadedModels *loaded, EngineError *error) {
    SceneModel *entry = &loaded->models[index];
    entry->up = upAxis(paths[index]);
    entry->model = findLoaded(paths, loaded, index);
    if (!entry->model) {
        Model *model = loadFile(paths[index], error);
        if (!model) {
            return false;
        }
        loaded->owned[loaded->ownedCount++] = model;
        entry->model = model;
        if (order == LOAD_SORTED && !modelSortVertices(model, error)) {
            return false;
        }
    }
    loaded->count = index + 1;
    return true;
}

bool loadModels(char *const *paths, uint32_t count, LoadOrder order, LoadedModels *loaded, EngineError *error) {
    *loaded =
        (LoadedModels){.models = calloc(count, sizeof *loaded->models), .owned = calloc(count, sizeof *loaded->owned)};
    bool good = loaded->models && loaded->owned;
    if (!good) {
        engineFail(error, "out of memory");
    }
    for (uint32_t i = 0; i < count && good; i++) {
        good = loadOne(paths, i, order, loaded, error);
    }
    if (!good) {
        loadedModelsFree(loaded);
    }
    return good;
}

void loadedModelsFree(LoadedModels *loaded) {
    for (uint32_t i = 0; i < loaded->ownedCount; i++) {
        modelFree(loaded->owned[i]);
    }
    free(loaded->owned);
    free(loaded->models);
    *loaded = (LoadedModels){0};
}

/* Whether `text` is a whole number; *number saturates, and is the largest for one below zero, which is no index. */
static bool isIndex(const char *text, unsigned long *number) {
    const char *digits = text + (text[0] == '-');
    if (digits[0] == '\0' || digits[strspn(digits, "0123456789")] != '\0') {
        return false;
    }
    *number = digits == text ? strtoul(text, NULL, 10) : ULONG_MAX;
    return true;
}

static uint32_t findName(const Model *model, const char *name) {
    uint32_t index = 0;
    while (index < model->clipCount && strcmp(model->clips[index].name, name) != 0) {
        index++;
    }
    return index;
}

/* No clip of that name: suggests the nearest one. */
static bool failName(const Model *model, const char *path, const char *wanted, EngineError *error) {
    const char **names = calloc(model->clipCount, sizeof *names);
    int nearest = -1;
    for (uint32_t i = 0; names && i < model->clipCount; i++) {
        names[i] = model->clips[i].name;
    }
    if (names) {
        nearest = nearestWord(wanted, names, model->clipCount);
    }
    free(names);
    if (nearest >= 0) {
        return engineFail(error, "%s: no clip '%s'; did you mean '%s'?", path, wanted, model->clips[nearest].name);
    }
    return engineFail(error, "%s: no clip '%s'; 'vkskin info' lists them", path, wanted);
}

bool loadFindClip(const Model *model, const char *path, const char *wanted, uint32_t *clip, EngineError *error) {
    unsigned long index = 0;
    if (!wanted) {
        *clip = model->clipCount > 0 ? 0 : LOAD_REST_POSE;
        return true;
    }
    if (model->clipCount == 0) {
        return engineFail(error, "%s: no clip '%s': the model has no clips", path, wanted);
    }
    bool number = isIndex(wanted, &index);
    *clip = number && index < model->clipCount ? (uint32_t)index : findName(model, wanted);
    if (*clip < model->clipCount) {
        return true;
    }
    if (number) {
        return engineFail(error, "%s: no clip %s; the model has %u, numbered from 0", path, wanted, model->clipCount);
    }
    return failName(model, path, wanted, error);
}
