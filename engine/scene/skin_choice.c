#include "skin_choice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Each pair of method and encoding is a mode, except the pair for flat meshes: no importer makes them. */
#define COUNT_PAIR(method, encoding) +1 /* NOLINT(bugprone-macro-parentheses): a term of a sum */
static_assert((int)SKIN_MODE_COUNT == VKSKIN_METHOD_ENCODINGS(COUNT_PAIR) - 1, "SKIN_MODES lists each pair");

#define MODE_NAME(mode, method, encoding, name, title, help) name,
const char *const SKIN_MODE_NAMES[SKIN_MODE_COUNT + 1] = {SKIN_MODES(MODE_NAME) NULL};

const char *const SKIN_BACKEND_NAMES[] = {
    [VKSKIN_BACKEND_COMPUTE] = "compute",
    [VKSKIN_BACKEND_CPU] = "cpu",
    [VKSKIN_BACKEND_AUTOMATIC] = "auto",
    NULL,
};

#define SYSTEM_NAME(system, name, help) name,
const char *const SKIN_SYSTEM_NAMES[SKIN_SYSTEM_COUNT + 1] = {SKIN_SYSTEMS(SYSTEM_NAME) NULL};

const char *const SKIN_TEXTURE_LAYOUT_NAMES[SKIN_TEXTURE_LAYOUT_COUNT + 1] = {
    [SKIN_TEXTURE_TWO] = "two", [SKIN_TEXTURE_PAIR] = "pair", NULL};

const char *const SKIN_TEXTURE_FORMAT_NAMES[SKIN_TEXTURE_FORMAT_COUNT + 1] = {
    [SKIN_TEXTURE_FLOAT] = "float", [SKIN_TEXTURE_HALF] = "half", [SKIN_TEXTURE_SNORM16] = "snorm16", NULL};

typedef struct ModeRow {
    const char *title;
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
} ModeRow;

#define MODE_ROW(mode, method, encoding, name, title, help) {title, VKSKIN_METHOD_##method, VKSKIN_PALETTE_##encoding},
static const ModeRow MODES[SKIN_MODE_COUNT] = {SKIN_MODES(MODE_ROW)};

const char *skinModeTitle(SkinMode mode) {
    return MODES[mode].title;
}

SkinMode skinModeAsked(const Model *const *models, uint32_t count) {
    bool any = false, dual = true;
    for (uint32_t m = 0; m < count; m++) {
        for (uint32_t i = 0; i < models[m]->meshCount; i++) {
            const ModelMesh *mesh = &models[m]->meshes[i];
            any = any || mesh->blendWeights;
            dual = dual && (mesh->blendWeights || mesh->boneCount == 1);
            for (uint32_t v = 0; mesh->blendWeights && dual && v < mesh->vertexCount; v++) {
                dual = mesh->blendWeights[v] == 1.0f;
            }
        }
    }
    return !any ? SKIN_MODE_LBS : dual ? SKIN_MODE_DQS_SCALED : SKIN_MODE_BLEND;
}

VkskinMethod skinModeMethod(SkinMode mode) {
    return MODES[mode].method;
}

VkskinPaletteEncoding skinModeEncoding(SkinMode mode) {
    return MODES[mode].encoding;
}

#define RETURN_TEXT(name, bytes, text)                                                                                 \
    case VKSKIN_PALETTE_##name:                                                                                        \
        return text;

const char *skinEncodingName(VkskinPaletteEncoding encoding) {
    switch (encoding) { VKSKIN_PALETTE_ENCODINGS(RETURN_TEXT) }
    return "unknown";
}

bool skinSystemSkinsOnce(SkinSystem system) {
    return system == SKIN_SYSTEM_COMPUTE || system == SKIN_SYSTEM_CROWD;
}

SkinChoice skinChoiceComplete(const SkinChoice *choice) {
    static const SkinMode TEXTURE_MODES[] = {[SKIN_TEXTURE_FLOAT] = SKIN_MODE_QT,
                                             [SKIN_TEXTURE_HALF] = SKIN_MODE_QT_HALF,
                                             [SKIN_TEXTURE_SNORM16] = SKIN_MODE_QT_SNORM16};
    SkinChoice complete = *choice;
    if (skinSystemSkinsOnce(choice->system)) {
        return complete;
    }
    complete.backend = VKSKIN_BACKEND_COMPUTE;
    if (complete.maxInfluences == 0 || complete.maxInfluences > SKIN_SYSTEM_INFLUENCES) {
        complete.maxInfluences = SKIN_SYSTEM_INFLUENCES;
    }
    if (choice->system == SKIN_SYSTEM_TEXTURE_QT) {
        complete.mode = TEXTURE_MODES[choice->textureFormat];
    }
    return complete;
}

/* ---- Morph settings ---- */

static bool isNumber(const char *name) {
    return name[0] != '\0' && name[strspn(name, "0123456789")] == '\0';
}

static bool isNameOfAny(const char *name, const Model *model) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        for (uint32_t target = 0; target < model->meshes[i].morphCount; target++) {
            if (strcmp(name, model->meshes[i].morphs[target].name) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool morphSettingIsOf(const MorphSetting *setting, const Model *model, uint32_t mesh, uint32_t target) {
    if (isNumber(setting->name) && !isNameOfAny(setting->name, model)) {
        return strtoul(setting->name, NULL, 10) == target;
    }
    return strcmp(setting->name, model->meshes[mesh].morphs[target].name) == 0;
}

bool morphSettingIsKnown(const MorphSetting *setting, const Model *model) {
    for (uint32_t mesh = 0; mesh < model->meshCount; mesh++) {
        for (uint32_t target = 0; target < model->meshes[mesh].morphCount; target++) {
            if (morphSettingIsOf(setting, model, mesh, target)) {
                return true;
            }
        }
    }
    return false;
}
