#include "skin_choice.h"

#include <stdlib.h>
#include <string.h>

const char *const SKIN_WAY_NAMES[SKIN_WAY_COUNT + 1] = {
    [SKIN_WAY_LBS] = "lbs",
    [SKIN_WAY_DQS] = "dqs",
    [SKIN_WAY_DQS_SCALED] = "dqs-scaled",
    [SKIN_WAY_BLEND] = "blend",
    [SKIN_WAY_COR] = "cor",
    [SKIN_WAY_QT] = "qt",
    [SKIN_WAY_QT_HALF] = "qt-half",
    [SKIN_WAY_QT_SNORM16] = "qt-snorm16",
    [SKIN_WAY_COUNT] = NULL,
};

const char *const SKIN_BACKEND_NAMES[] = {
    [VKSKIN_BACKEND_COMPUTE] = "compute",
    [VKSKIN_BACKEND_CPU] = "cpu",
    [VKSKIN_BACKEND_AUTOMATIC] = "auto",
    NULL,
};

typedef struct Way {
    const char *title;
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
} Way;

static const Way WAYS[SKIN_WAY_COUNT] = {
    [SKIN_WAY_LBS] = {"linear blend", VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4},
    [SKIN_WAY_DQS] = {"dual quaternions", VKSKIN_METHOD_DUAL_QUATERNION, VKSKIN_PALETTE_DUAL_QUATERNION},
    [SKIN_WAY_DQS_SCALED] = {"scaled dual quaternions", VKSKIN_METHOD_SCALED_DUAL_QUATERNION,
                             VKSKIN_PALETTE_SCALED_DUAL_QUATERNION},
    [SKIN_WAY_BLEND] = {"painted blend", VKSKIN_METHOD_PAINTED_BLEND, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION},
    [SKIN_WAY_COR] = {"centres of rotation", VKSKIN_METHOD_CENTRES_OF_ROTATION, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION},
    [SKIN_WAY_QT] = {"linear blend of quaternions", VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_QUATERNION},
    [SKIN_WAY_QT_HALF] = {"linear blend of half quaternions", VKSKIN_METHOD_LINEAR_BLEND,
                          VKSKIN_PALETTE_QUATERNION_HALF},
    [SKIN_WAY_QT_SNORM16] = {"linear blend of 16-bit quaternions", VKSKIN_METHOD_LINEAR_BLEND,
                             VKSKIN_PALETTE_QUATERNION_SNORM16},
};

const char *skinWayTitle(SkinWay way) {
    return WAYS[way].title;
}

VkskinMethod skinWayMethod(SkinWay way) {
    return WAYS[way].method;
}

VkskinPaletteEncoding skinWayEncoding(SkinWay way) {
    return WAYS[way].encoding;
}

const char *skinEncodingName(VkskinPaletteEncoding encoding) {
    static const char *const NAMES[VKSKIN_PALETTE_ENCODING_COUNT] = {
        [VKSKIN_PALETTE_MAT3X4] = "mat3x4",
        [VKSKIN_PALETTE_DUAL_QUATERNION] = "dual-quaternion",
        [VKSKIN_PALETTE_SCALED_DUAL_QUATERNION] = "scaled-dual-quaternion",
        [VKSKIN_PALETTE_QUATERNION] = "quaternion",
        [VKSKIN_PALETTE_QUATERNION_HALF] = "quaternion-half",
        [VKSKIN_PALETTE_QUATERNION_SNORM16] = "quaternion-snorm16",
        [VKSKIN_PALETTE_MAT2X3] = "mat2x3",
    };
    return NAMES[encoding];
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
