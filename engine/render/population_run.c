#include "population_run.h"

/* What the functions of the run get. */
typedef struct Shown {
    Scene *scene;
    DrawScene view;
    float aspect;
    Draw *draw;
} Shown;

static bool begin(void *user, uint32_t slot, EngineError *error) {
    return sceneBeginFrame(((Shown *)user)->scene, slot, error);
}

static bool pose(void *user, double clock, EngineError *error) {
    const Shown *shown = user;
    drawPrepare(shown->draw, &shown->view, shown->aspect);
    return populationPose(shown->scene->population, clock, error);
}

static bool prepare(void *user, uint32_t slot, EngineError *error) {
    (void)slot;
    return populationSkin(((Shown *)user)->scene->population, error);
}

static bool copy(void *user, VkCommandBuffer commandBuffer, EngineError *error) {
    return drawUpload(((Shown *)user)->draw, commandBuffer, error);
}

static bool draw(void *user, const Frame *frame, const Target *target, EngineError *error) {
    const TargetImage image = targetOffscreenImage(target);
    return drawRecord(((Shown *)user)->draw, frame->slot, frame->commandBuffer, target, &image, error);
}

static void countFrame(void *user, RunResult *result) {
    result->system = *drawSystemStats(((Shown *)user)->draw);
}

static bool count(void *user, RunResult *result, EngineError *error) {
    const Shown *shown = user;
    Scene *scene = shown->scene;
    const Population *population = scene->population;
    const VkskinResult tuned = vkskinGetTuning(scene->skinning->context, &result->tuning);
    if (tuned < 0) {
        return skinningFail(scene->skinning, error, "reading settings", tuned);
    }
    if (!sceneWeights(scene, &result->weights, error)) {
        return false;
    }
    result->packed = scenePackTotals(scene);
    result->skin = scene->skin;
    result->skin.morphs = NULL;
    result->skin.morphCount = 0;
    result->system.crowd = drawSystemStats(shown->draw)->crowd; /* from a later frame: the device counted by now */
    result->pipelines = drawPipelineCount(shown->draw);
    result->threads = scene->skinning->backend == VKSKIN_BACKEND_CPU ? scene->skinning->pool.threads : 0;
    result->characters = population->characterCount;
    result->instances = population->instanceCount;
    result->vertices = population->vertexCount;
    result->bones = population->boneCount;
    result->drawCalls = drawCallCount(shown->draw);
    return true;
}

bool populationRun(Scene *scene, const DrawScene *view, const RunDef *def, RunResult *result, Picture *picture,
                   EngineError *error) {
    Shown shown = {.scene = scene, .aspect = (float)def->width / (float)def->height};
    shown.view = view ? *view : drawDefaultScene(scene->population, shown.aspect);
    const RunContent content = {
        .device = scene->device,
        .skinning = scene->skinning,
        .system = scene->skin.system,
        .colourFormat = TARGET_OFFSCREEN_FORMAT,
        .moving = (shown.view.shows & DRAW_SHOW_MOTION) != 0,
        .transparent = shown.view.plain && shown.view.background[3] < 1.0f,
        .user = &shown,
        .begin = begin,
        .pose = pose,
        .prepare = prepare,
        .copy = systemType(scene->skin.system)->upload ? copy : NULL, /* palettes to images, or a crowd's work */
        .draw = draw,
        .count = count,
        .countFrame = countFrame,
    };
    runClear(result, picture);
    shown.draw = drawCreate(scene->device, scene->population, TARGET_OFFSCREEN_FORMAT, error);
    const bool done = shown.draw && runLoop(&content, def, result, picture, error);
    drawDestroy(shown.draw);
    return done;
}
