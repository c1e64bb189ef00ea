#include "make_scene.h"

static bool showCentres(void *user, float done) {
    progressShow(user, (uint64_t)(done * 100.0f));
    return true;
}

Scene *makeScene(OpenDevice *open, SceneDef *def, EngineError *error) {
    Progress progress;
    progressBegin(&progress, "centres of rotation", 100);
    open->progress = &progress;
    def->progress = showCentres;
    def->progressUser = &progress;
    Scene *scene = sceneCreate(open->device, def, error);
    open->progress = NULL;
    progressErase(&progress);
    return scene;
}
