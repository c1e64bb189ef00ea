#include "single.h"

#include "scale_check.h"
#include "weight_check.h"

SingleDef singleDef(const char *verb, const Arguments *arguments) {
    const OptionValue *values = arguments->values;
    return (SingleDef){
        .verb = verb,
        .path = arguments->operands[0],
        .clip = values[SINGLE_CLIP].text,
        .time = values[SINGLE_TIME].number,
        .method = (VkskinMethod)values[SINGLE_METHOD].choice,
        .maxInfluences = (uint32_t)values[SINGLE_MAX_INFLUENCES].integer,
        .format = VKSKIN_VERTEX_PACKED,
    };
}

static bool createScene(const SingleDef *def, Single *single, EngineError *error) {
    SceneDef scene = {
        .models = single->loaded.models,
        .modelCount = 1,
        .count = 1,
        .placement = CROWD_ORIGIN,
        .method = def->method,
        .wrap = VKSKIN_WRAP_CLAMP,
        .format = def->format,
        .maxInfluences = def->maxInfluences,
        .readback = def->readback,
    };
    single->scene = sceneCreate(single->open.device, &scene, error);
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
    if (def->method != VKSKIN_METHOD_DUAL_QUATERNION) {
        return true;
    }
    if (!scaleIsLost(character, clip, def->time, &lost, error)) {
        return false;
    }
    if (lost) {
        scaleWarn(def->verb, def->path);
    }
    return true;
}

bool singleOpen(const SingleDef *def, const Arguments *arguments, Single *single, EngineError *error) {
    char *path = (char *)def->path;
    *single = (Single){0};
    return loadModels(&path, 1, &single->loaded, error) &&
           loadFindClip(single->loaded.models[0].model, def->path, def->clip, &single->clip, error) &&
           openDevice(def->verb, arguments, NULL, &single->open, error) && createScene(def, single, error) &&
           weightCheckScene(def->verb, single->scene, def->maxInfluences, &path, error) &&
           checkScale(def, single, error);
}

int singleClose(Single *single, int status) {
    sceneDestroy(single->scene);
    status = closeDevice(&single->open, status);
    loadedModelsFree(&single->loaded);
    return status;
}
