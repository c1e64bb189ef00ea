#include "checks.h"

#include <stdlib.h>

#include "model_mesh.h"
#include "terminal.h"

/* stretch: the unit of the mesh in units of the model. */
static void warnOfMesh(const char *verb, const char *path, const char *mesh, double stretch,
                       const VkskinMeshInfo *info) {
    if (info->trimmedVertices > 0) {
        sayWarning(
            verb,
            "%s: mesh '%s': %u of %u vertices keep at most %u influence%s and lose up to %.3g %% of their weight, "
            "which may move them by %.3g " WEIGHT_CHECK_WHILE " (%s)",
            path, mesh, info->trimmedVertices, info->vertexCount, info->influences, info->influences == 1 ? "" : "s",
            100.0 * (double)info->trimmedWeight, (double)info->weightError * stretch,
            vkskinResultName(VKSKIN_WARNING_INFLUENCES_TRIMMED));
    }
    if (info->normalisedVertices > 0) {
        sayWarning(verb,
                   "%s: mesh '%s': %u of %u vertices have weights that do not sum to one; they were normalised (%s)",
                   path, mesh, info->normalisedVertices, info->vertexCount,
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

/* Room for the largest palette of the character, and its world matrices. */
typedef struct Scratch {
    VkskinAffine *world;
    void *palette;
    VkskinPaletteEncoding encoding;
} Scratch;

static bool createScratch(const Character *character, SkinMode mode, Scratch *scratch, EngineError *error) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < character->paletteCount; i++) {
        uint32_t bones = character->palettes[i].boneCount;
        most = bones > most ? bones : most;
    }
    scratch->encoding = skinModeEncoding(mode);
    scratch->world = calloc(character->model->nodeCount, sizeof *scratch->world);
    scratch->palette = calloc(most, vkskinPaletteStride(scratch->encoding));
    if (!scratch->world || !scratch->palette) {
        return engineFail(error, "out of memory");
    }
    return true;
}

static void freeScratch(Scratch *scratch) {
    free(scratch->world);
    free(scratch->palette);
}

static bool checkMoment(const Character *character, VkskinClip clip, double time, Scratch *scratch, bool *lost,
                        EngineError *error) {
    if (!characterPose(character, clip, time, VKSKIN_WRAP_CLAMP, scratch->world, error)) {
        return false;
    }
    for (uint32_t i = 0; i < character->paletteCount; i++) {
        VkskinResult result =
            vkskinWritePalette(character->palettes[i].skin, scratch->world, character->model->nodeCount,
                               scratch->encoding, scratch->palette, character->palettes[i].boneCount);
        if (result < 0) {
            return engineFail(error, "writing a palette: %s", vkskinResultName(result));
        }
        *lost |= result == VKSKIN_WARNING_SCALE_LOST;
    }
    return true;
}

/* Encodings that represent every affine matrix lose nothing. */
static bool mayLoseScale(SkinMode mode) {
    VkskinPaletteEncoding encoding = skinModeEncoding(mode);
    return encoding != VKSKIN_PALETTE_MAT3X4 && encoding != VKSKIN_PALETTE_SCALED_DUAL_QUATERNION;
}

bool scaleIsLost(const Character *character, SkinMode mode, VkskinClip clip, double time, bool *lost,
                 EngineError *error) {
    Scratch scratch = {0};
    *lost = false;
    if (!mayLoseScale(mode)) {
        return true;
    }
    bool good =
        createScratch(character, mode, &scratch, error) && checkMoment(character, clip, time, &scratch, lost, error);
    freeScratch(&scratch);
    return good;
}

/* Checks start, middle and end of every clip, or the rest pose if there is no clip. */
static bool isLostAnywhere(const Character *character, SkinMode mode, bool *lost, EngineError *error) {
    Scratch scratch = {0};
    *lost = false;
    bool good = createScratch(character, mode, &scratch, error);
    if (good && character->clipCount == 0) {
        good = checkMoment(character, NULL, 0.0, &scratch, lost, error);
    }
    for (uint32_t i = 0; i < character->clipCount; i++) {
        double duration = (double)vkskinGetClipDuration(character->clips[i]);
        for (int half = 0; half <= 2 && good; half++) {
            good = checkMoment(character, character->clips[i], duration * half / 2.0, &scratch, lost, error);
        }
    }
    freeScratch(&scratch);
    return good;
}

void scaleWarn(const char *verb, const char *path, SkinMode mode) {
    bool dual = mode == SKIN_MODE_DQS;
    sayWarning(
        verb, "%s: %s: %s of its bones; '--method %s' keeps it", path, vkskinResultName(VKSKIN_WARNING_SCALE_LOST),
        dual ? "dual quaternions cannot represent the scale" : "quaternions cannot represent the non-uniform scale",
        SKIN_MODE_NAMES[dual ? SKIN_MODE_DQS_SCALED : SKIN_MODE_LBS]);
}

bool scaleCheckScene(const char *verb, const Scene *scene, char *const *paths, EngineError *error) {
    SkinMode mode = scene->crowd->members[0].mode;
    for (uint32_t i = 0; i < scene->characterCount && mayLoseScale(mode); i++) {
        bool lost;
        if (!isLostAnywhere(scene->characters[i], mode, &lost, error)) {
            return false;
        }
        if (lost) {
            scaleWarn(verb, paths[i], mode);
        }
    }
    return true;
}
