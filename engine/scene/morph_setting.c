#include "morph_setting.h"

#include <stdlib.h>
#include <string.h>

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
