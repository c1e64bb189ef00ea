/*
 * load.h: reads the models of a verb and finds its clip.
 */
#ifndef COMMAND_LOAD_H
#define COMMAND_LOAD_H

#include "engine_error.h"
#include "import.h"
#include "scene.h"

/* The help of the operand MODEL. */
#define LOAD_MODEL_HELP "a file: " IMPORT_FORMATS "; other formats of assimp are not tested"

/* importModel, with progress on the terminal. */
Model *loadFile(const char *path, EngineError *error);

/* The order of a model's vertices. */
typedef enum LoadOrder { LOAD_AS_FILE, LOAD_SORTED } LoadOrder;

typedef struct LoadedModels {
    SceneModel *models; /* [count], in the order of the paths; entries may share a model */
    uint32_t count;
    Model **owned; /* [ownedCount], each once */
    uint32_t ownedCount;
} LoadedModels;

/*
 * Reads the files; one that is named twice is read once. order: LOAD_SORTED for models that are skinned often, LOAD_AS_FILE
 * where vertices go out again. Import forks: load before a device is made. On failure *loaded is zero.
 */
bool loadModels(char *const *paths, uint32_t count, LoadOrder order, LoadedModels *loaded, EngineError *error);

/* A zero one is allowed. */
void loadedModelsFree(LoadedModels *loaded);

#define LOAD_REST_POSE UINT32_MAX /* what CrowdMember.clip has for the rest pose */

/*
 * The clip that a user names: by its index, else by its name (the first of that name; case counts). wanted: null for
 * the first clip, or for the rest pose of a model without clips. path: for the message.
 */
bool loadFindClip(const Model *model, const char *path, const char *wanted, uint32_t *clip, EngineError *error);

#endif
