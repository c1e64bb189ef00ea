#include "single.h"

#include "setup.h"
#include "checks.h"

int singleDef(const char *verb, const Arguments *arguments, SingleDef *def) {
    const OptionValue *values = arguments->values;
    def->verb = verb;
    def->path = arguments->operands[0];
    def->clip = values[SINGLE_CLIP].text;
    def->time = values[SINGLE_TIME].number;
    def->format = VKSKIN_VERTEX_PACKED;
    def->readback = false;
    return skinOptionsRead(verb, arguments, SINGLE_SKIN, &def->skin);
}

static bool createScene(const SingleDef *def, Single *single, EngineError *error) {
    SceneDef scene = {
        .models = single->loaded.models,
        .modelCount = 1,
        .count = 1,
        .placement = CROWD_ORIGIN,
        .skin = def->skin.choice,
        .wrap = VKSKIN_WRAP_CLAMP,
        .format = def->format,
        .readback = def->readback,
    };
    single->scene = makeScene(&single->open, &scene, error);
    if (!single->scene) {
        return false;
    }
    CrowdMember *member = &single->scene->crowd->members[0];
    member->clip = single->clip;
    member->time = def->time;
    return true;
}

static bool checkScale(const SingleDef *def, const Single *single, EngineError *error) {
    const Character *character = single->scene->characters[0];
    VkskinClip clip = single->clip == LOAD_REST_POSE ? NULL : character->clips[single->clip];
    bool lost = false;
    if (!scaleIsLost(character, def->skin.choice.mode, clip, def->time, &lost, error)) {
        return false;
    }
    if (lost) {
        scaleWarn(def->verb, def->path, def->skin.choice.mode);
    }
    return true;
}

bool singleOpen(const SingleDef *def, const Arguments *arguments, Single *single, EngineError *error) {
    char *path = (char *)def->path;
    *single = (Single){0};
    return loadModels(&path, 1, LOAD_AS_FILE, &single->loaded, error) &&
           loadFindClip(single->loaded.models[0].model, def->path, def->clip, &single->clip, error) &&
           skinOptionsCheckMorphs(&def->skin.choice, single->loaded.models, 1, &path, error) &&
           openDevice(def->verb, arguments, NULL, &single->open, error) && createScene(def, single, error) &&
           weightCheckScene(def->verb, single->scene, &path, error) && checkScale(def, single, error);
}

int singleClose(Single *single, int status) {
    sceneDestroy(single->scene);
    status = closeDevice(&single->open, status);
    loadedModelsFree(&single->loaded);
    return status;
}
