#include "skin_options.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "skin_choice.h"
#include "terminal.h"

const char *const SKIN_NORMALS_NAMES[] = {
    [VKSKIN_NORMALS_CHEAP] = "cheap",
    [VKSKIN_NORMALS_EXACT] = "exact",
    NULL,
};

const char *const SKIN_WEIGHTS_NAMES[] = {
    [VKSKIN_WEIGHTS_FLOAT] = "float",
    [VKSKIN_WEIGHTS_UNORM16] = "16",
    [VKSKIN_WEIGHTS_UNORM8] = "8",
    NULL,
};

int skinOptionsRead(const char *verb, const Arguments *arguments, uint32_t first, SkinOptions *options) {
    const OptionValue *values = arguments->values + first;
    SkinChoice *choice = &options->choice;
    *choice = (SkinChoice){
        .mode = (SkinMode)values[SKIN_OPTION_METHOD].choice,
        .normals = (VkskinNormals)values[SKIN_OPTION_NORMALS].choice,
        .weights = (VkskinWeightFormat)values[SKIN_OPTION_WEIGHTS].choice,
        .maxInfluences = (uint32_t)values[SKIN_OPTION_MAX_INFLUENCES].integer,
        .blend = (float)values[SKIN_OPTION_BLEND].number,
        .morphs = options->morphs,
        .morphCount = arguments->settingCount,
        .backend = (VkskinBackend)values[SKIN_OPTION_BACKEND].choice,
    };
    for (uint32_t i = 0; i < arguments->settingCount; i++) {
        options->morphs[i] = (MorphSetting){arguments->settings[i].name, (float)arguments->settings[i].number};
    }
    if (values[SKIN_OPTION_BLEND].given && choice->mode != SKIN_MODE_BLEND) {
        sayFailure(verb, "--blend needs '--method blend'; the method is '%s'", SKIN_MODE_NAMES[choice->mode]);
        return EXIT_USAGE;
    }
    return EXIT_GOOD;
}

/* ---- Unknown morph targets ---- */

/* The names of all targets of some models, each once. */
typedef struct MorphNames {
    const char **names;
    size_t count;
} MorphNames;

static bool isListed(const MorphNames *list, const char *name) {
    size_t i = 0;
    while (i < list->count && strcmp(list->names[i], name) != 0) {
        i++;
    }
    return i < list->count;
}

static void listMesh(const ModelMesh *mesh, MorphNames *list) {
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        if (!isListed(list, mesh->morphs[i].name)) {
            list->names[list->count++] = mesh->morphs[i].name;
        }
    }
}

/* False: out of memory. */
static bool listNames(const SceneModel *models, uint32_t modelCount, MorphNames *list) {
    size_t most = 1;
    for (uint32_t m = 0; m < modelCount; m++) {
        for (uint32_t i = 0; i < models[m].model->meshCount; i++) {
            most += models[m].model->meshes[i].morphCount;
        }
    }
    *list = (MorphNames){.names = calloc(most, sizeof *list->names)};
    for (uint32_t m = 0; m < modelCount && list->names; m++) {
        for (uint32_t i = 0; i < models[m].model->meshCount; i++) {
            listMesh(&models[m].model->meshes[i], list);
        }
    }
    return list->names != NULL;
}

/* "'a', 'b' and 3 more", as many as fit. */
static void formatNames(char *text, size_t size, const MorphNames *list) {
    const size_t rest = sizeof " and 4294967295 more";
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->names[i][0] ? list->names[i] : "(no name)";
        if (used + strlen(name) + sizeof ", ''" + rest > size) {
            snprintf(text + used, size - used, " and %zu more", list->count - i);
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s'%s'", i > 0 ? ", " : "", name);
    }
}

static bool failMorph(const char *wanted, const MorphNames *list, const char *path, EngineError *error) {
    char names[256];
    if (list->count == 0) {
        return engineFail(error, "%s: no morph target '%s': the model has none", path, wanted);
    }
    int nearest = nearestWord(wanted, list->names, list->count);
    formatNames(names, sizeof names, list);
    if (nearest >= 0) {
        return engineFail(error, "%s: no morph target '%s'; did you mean '%s'? Targets: %s", path, wanted,
                          list->names[nearest], names);
    }
    return engineFail(error, "%s: no morph target '%s'; targets: %s", path, wanted, names);
}

bool skinOptionsCheckMorphs(const SkinChoice *choice, const SceneModel *models, uint32_t modelCount, char *const *paths,
                            EngineError *error) {
    for (uint32_t i = 0; i < choice->morphCount; i++) {
        uint32_t m = 0;
        while (m < modelCount && !morphSettingIsKnown(&choice->morphs[i], models[m].model)) {
            m++;
        }
        if (m < modelCount) {
            continue;
        }
        MorphNames list;
        if (listNames(models, modelCount, &list)) {
            failMorph(choice->morphs[i].name, &list, modelCount == 1 ? paths[0] : "these models", error);
        } else {
            engineFail(error, "out of memory");
        }
        free(list.names);
        return false;
    }
    return true;
}
