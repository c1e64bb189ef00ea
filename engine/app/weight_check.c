#include "weight_check.h"

#include "model_mesh.h"
#include "say.h"

/* stretch: of the mesh's unit to the model's. */
static void warnOfMesh(const char *verb, const char *path, const char *mesh, double stretch,
                       const VkskinMeshInfo *info) {
    if (info->trimmedVertices > 0) {
        sayWarning(
            verb,
            "%s: mesh '%s': %u of %u vertices keep %u influence%s at most and lose up to %.3g %% of their weight, "
            "which may move them by %.3g " WEIGHT_CHECK_WHILE " (%s)",
            path, mesh, info->trimmedVertices, info->vertexCount, info->influences, info->influences == 1 ? "" : "s",
            100.0 * (double)info->trimmedWeight, (double)info->weightError * stretch,
            vkskinResultName(VKSKIN_WARNING_INFLUENCES_TRIMMED));
    }
    if (info->normalisedVertices > 0) {
        sayWarning(verb, "%s: mesh '%s': %u of %u vertices have weights that do not sum to one, normalised (%s)", path,
                   mesh, info->normalisedVertices, info->vertexCount,
                   vkskinResultName(VKSKIN_WARNING_WEIGHTS_NORMALISED));
    }
}

static bool checkCharacter(const char *verb, const Character *character, const char *path, EngineError *error) {
    for (uint32_t i = 0; i < character->meshCount; i++) {
        VkskinMeshInfo info;
        VkskinResult result = vkskinGetMeshInfo(character->skinning->context, character->meshes[i].mesh, &info);
        if (result < 0) {
            return skinningFail(character->skinning, error, "what a mesh came to", result);
        }
        warnOfMesh(verb, path, character->model->meshes[i].name, modelStretch(character->model, i), &info);
    }
    return true;
}

static bool wasChecked(const Scene *scene, uint32_t index) {
    uint32_t i = 0;
    while (i < index && scene->characters[i]->model != scene->characters[index]->model) {
        i++;
    }
    return i < index;
}

bool weightCheckScene(const char *verb, const Scene *scene, char *const *paths, EngineError *error) {
    for (uint32_t i = 0; i < scene->characterCount; i++) {
        if (!wasChecked(scene, i) && !checkCharacter(verb, scene->characters[i], paths[i], error)) {
            return false;
        }
    }
    return true;
}
