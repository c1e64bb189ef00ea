#include "session.h"

#include <stdlib.h>

#include "model_mesh.h"
#include "name_list.h"
#include "system.h"

/* ---- Unknown morph targets ---- */

static bool listNames(const Session *session, NameList *list) {
    bool good = true;
    for (uint32_t m = 0; m < session->modelCount; m++) {
        const Model *model = session->models[m];
        for (uint32_t i = 0; i < model->meshCount; i++) {
            for (uint32_t t = 0; t < model->meshes[i].morphCount && good; t++) {
                good = nameListAdd(list, model->meshes[i].morphs[t].name);
            }
        }
    }
    return good;
}

static bool failMorph(const Session *session, const char *wanted, EngineError *error) {
    const char *path = session->modelCount == 1 ? session->arguments->operands[0] : "these models";
    NameList list = {0}; /* names of all targets of all models */
    char names[256];
    if (!listNames(session, &list)) {
        engineFail(error, "out of memory");
    } else if (list.count == 0) {
        engineFail(error, "%s: no morph target '%s': the model has none", path, wanted);
    } else {
        int nearest = nearestWord(wanted, list.names, list.count);
        nameListFormat(names, sizeof names, &list);
        engineFail(error, "%s: no morph target '%s'; %s%s%s: %s", path, wanted, nearest < 0 ? "" : "did you mean '",
                   nearest < 0 ? "" : list.names[nearest], nearest < 0 ? "targets" : "'? Targets", names);
    }
    free(list.names);
    return false;
}

bool sessionCheckMorphs(const Session *session, EngineError *error) {
    for (uint32_t i = 0; i < session->skin.morphCount; i++) {
        uint32_t m = 0;
        while (m < session->modelCount && !morphSettingIsKnown(&session->morphs[i], session->models[m])) {
            m++;
        }
        if (m == session->modelCount) {
            return failMorph(session, session->morphs[i].name, error);
        }
    }
    return true;
}

/* ---- Weights that differ from the file ---- */

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
}

static bool checkModel(const char *verb, const SkinnedModel *skinned, const char *path, EngineError *error) {
    uint32_t normalised = 0, vertices = 0;
    for (uint32_t i = 0; i < skinned->meshCount; i++) {
        VkskinMeshInfo info;
        VkskinResult result = vkskinGetMeshInfo(skinned->skinning->context, skinned->meshes[i].mesh, &info);
        if (result < 0) {
            return skinningFail(skinned->skinning, error, "what a mesh came to", result);
        }
        warnOfMesh(verb, path, skinned->model->meshes[i].name, modelStretch(skinned->model, i), &info);
        normalised += info.normalisedVertices;
        vertices += info.vertexCount;
    }
    const ModelMesh *mesh = NULL;
    const double sum = normalised > 0 ? modelWorstWeights(skinned->model, &mesh) : 1.0;
    if (mesh) {
        sayWarning(verb,
                   "%s: %u of %u vertices have weights that do not sum to one; they were normalised; the largest "
                   "deviation is a sum of %.4g in mesh '%s' (%s)",
                   path, normalised, vertices, sum, mesh->name, vkskinResultName(VKSKIN_WARNING_WEIGHTS_NORMALISED));
    }
    return true;
}

/* A model that is in the scene twice is reported once. */
bool sessionCheckWeights(const Session *session, EngineError *error) {
    for (uint32_t i = 0; i < session->scene->modelCount; i++) {
        uint32_t first = 0;
        while (session->models[first] != session->models[i]) {
            first++;
        }
        const char *path = session->arguments->operands[i];
        if (first == i && !checkModel(session->verb, session->scene->models[i], path, error)) {
            return false;
        }
    }
    return true;
}

/* ---- The system ---- */

bool sessionCheckSystem(const Session *session, const Model *model, const char *path, uint32_t count,
                        EngineError *error) {
    const SystemNeed need = {session->device, &session->skin, &model, 1, count};
    return systemCheck(&need, error) || engineFailAt(error, path);
}

/* ---- Scale that the palette encoding loses ---- */

/* Room for the largest palette of the character, and its world matrices. */
typedef struct Scratch {
    VkskinAffine *world;
    void *palette;
    VkskinPaletteEncoding encoding;
} Scratch;

static bool createScratch(const SkinnedModel *skinned, VkskinPaletteEncoding encoding, Scratch *scratch,
                          EngineError *error) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < skinned->paletteCount; i++) {
        uint32_t bones = skinned->palettes[i].boneCount;
        most = bones > most ? bones : most;
    }
    *scratch = (Scratch){calloc(skinned->model->nodeCount, sizeof *scratch->world),
                         calloc(most, vkskinPaletteStride(encoding)), encoding};
    return (scratch->world && scratch->palette) || engineFail(error, "out of memory");
}

static bool checkMoment(const SkinnedModel *skinned, uint32_t clip, double time, Scratch *scratch, bool *lost,
                        EngineError *error) {
    if (!skinnedModelPose(skinned, clip, time, VKSKIN_WRAP_CLAMP, NULL, scratch->world, error)) {
        return false;
    }
    for (uint32_t i = 0; i < skinned->paletteCount; i++) {
        VkskinResult result = vkskinWritePalette(skinned->palettes[i].skin, scratch->world, skinned->model->nodeCount,
                                                 scratch->encoding, scratch->palette, skinned->palettes[i].boneCount);
        if (result < 0) {
            return engineFail(error, "writing a palette: %s", vkskinResultName(result));
        }
        *lost |= result == VKSKIN_WARNING_SCALE_LOST;
    }
    return true;
}

/* At the moment of `character`; where that is null, at start, middle and end of every clip, or in the rest pose. */
static bool checkMoments(const SkinnedModel *skinned, const Character *character, Scratch *scratch, bool *lost,
                         EngineError *error) {
    if (character || skinned->clipCount == 0) {
        return checkMoment(skinned, character ? character->clip : REST_POSE, character ? character->time : 0.0, scratch,
                           lost, error);
    }
    for (uint32_t i = 0; i < 3 * skinned->clipCount; i++) {
        const double time = clipSourceDuration(&skinned->source, i / 3) * (i % 3) / 2.0;
        if (!checkMoment(skinned, i / 3, time, scratch, lost, error)) {
            return false;
        }
    }
    return true;
}

static void warnOfScale(const char *verb, const char *path, SkinMode mode) {
    bool dual = mode == SKIN_MODE_DQS;
    sayWarning(
        verb, "%s: %s: %s of its bones; '--method %s' keeps it", path, vkskinResultName(VKSKIN_WARNING_SCALE_LOST),
        dual ? "dual quaternions cannot represent the scale" : "quaternions cannot represent the non-uniform scale",
        SKIN_MODE_NAMES[dual ? SKIN_MODE_DQS_SCALED : SKIN_MODE_LBS]);
}

/* Sets *anyLost if scale is lost, and warns of it, but once if the scene is made again. */
static bool checkScale(const Session *session, uint32_t index, const Character *character, bool *anyLost,
                       EngineError *error) {
    const VkskinPaletteEncoding encoding = skinModeEncoding(session->skin.mode);
    const SkinnedModel *skinned = session->scene->models[index];
    if (encoding == VKSKIN_PALETTE_MAT3X4 || encoding == VKSKIN_PALETTE_SCALED_DUAL_QUATERNION) {
        return true; /* they represent every affine matrix */
    }
    Scratch scratch;
    bool lost = false;
    bool good =
        createScratch(skinned, encoding, &scratch, error) && checkMoments(skinned, character, &scratch, &lost, error);
    free(scratch.world);
    free(scratch.palette);
    if (good && lost && !systemType(session->skin.system)->keepsScale) {
        return engineFail(error, "%s: system '%s': quaternions cannot represent the non-uniform scale of its bones",
                          session->arguments->operands[index], SKIN_SYSTEM_NAMES[session->skin.system]);
    }
    *anyLost |= good && lost;
    if (good && lost && !(session->isRepeated && session->scaleLost)) {
        warnOfScale(session->verb, session->arguments->operands[index], session->skin.mode);
    }
    return good;
}

bool sessionCheckScale(Session *session, const Character *character, EngineError *error) {
    bool good = true, lost = false;
    for (uint32_t i = 0; i < session->scene->modelCount && good; i++) {
        good = checkScale(session, i, character, &lost, error);
    }
    session->scaleLost |= lost;
    return good;
}

bool sessionCheckReplaced(Session *session, uint32_t index, EngineError *error) {
    return checkModel(session->verb, session->scene->models[index], session->arguments->operands[index], error) &&
           checkScale(session, index, NULL, &session->scaleLost, error);
}
