#include "make_scene.h"

static bool showCentres(void *user, float done) {
    progressShow(user, (uint64_t)(done * 100.0f));
    return true;
}

Scene *makeScene(OpenDevice *open, const SceneDef *def, EngineError *error) {
    Progress progress;
    SceneDef shown = *def;
    progressBegin(&progress, "centres of rotation", 100);
    open->progress = &progress;
    shown.progress = showCentres;
    shown.progressUser = &progress;
    Scene *scene = sceneCreate(open->device, &shown, error);
    open->progress = NULL;
    progressErase(&progress);
    return scene;
}
