#include "morph_setting.h"

#include <stdlib.h>
#include <string.h>

/* The number that a name is, where some mesh has a target of that number; else UINT32_MAX. */
static uint32_t numberOf(const char *name, const Model *model) {
    if (name[0] == '\0' || name[strspn(name, "0123456789")] != '\0') {
        return UINT32_MAX;
    }
    unsigned long number = strtoul(name, NULL, 10);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        if (number < model->meshes[i].morphCount) {
            return (uint32_t)number;
        }
    }
    return UINT32_MAX;
}

bool morphSettingIsOf(const MorphSetting *setting, const Model *model, uint32_t mesh, uint32_t target) {
    uint32_t number = numberOf(setting->name, model);
    return number != UINT32_MAX ? number == target
                                : strcmp(setting->name, model->meshes[mesh].morphs[target].name) == 0;
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
