#include "spine_run.h"

#include <stdio.h>

/* What the functions of the run get. */
typedef struct Shown {
    const SpineShow *show;
    SpineDraw *draw;
} Shown;

static bool begin(void *user, uint32_t slot, EngineError *error) {
    Skinning *skinning = ((Shown *)user)->show->skinning;
    const VkskinResult result = vkskinBeginFrame(skinning->context, slot);
    return result >= 0 || skinningFail(skinning, error, "beginning a frame", result);
}

static bool pose(void *user, double clock, EngineError *error) {
    const SpineShow *show = ((Shown *)user)->show;
    (void)error;
    spinePopulationPose(show->population, &show->skinning->pool, clock);
    return true;
}

static bool prepare(void *user, uint32_t slot, EngineError *error) {
    const Shown *shown = user;
    const SpinePopulation *population = shown->show->population;
    return spineDrawPrepare(shown->draw, slot, population->characters, population->count, shown->show->shows, error);
}

static bool draw(void *user, const Frame *frame, const Target *target, EngineError *error) {
    const Shown *shown = user;
    const TargetImage image = targetOffscreenImage(target);
    (void)error;
    spineDrawRecord(shown->draw, frame->commandBuffer, target, &image, &shown->show->camera, shown->show->background);
    return true;
}

static bool count(void *user, RunResult *result, EngineError *error) {
    const Shown *shown = user;
    const SpineShow *show = shown->show;
    uint32_t trimmed = 0;
    (void)error;
    for (uint32_t m = 0; m < show->modelCount; m++) {
        const uint64_t characters = show->models[m].count;
        trimmed += spineDrawTrimmed(shown->draw, m);
        result->vertices += characters * spineDrawVertices(shown->draw, m);
        result->bones += characters * show->models[m].model->spines->boneCount;
    }
    result->threads = show->skinning->pool.threads;
    result->skin.system = show->system;
    result->pipelines = SPINE_BLEND_COUNT + 1; /* and one that clips */
    result->characters = show->population->count;
    result->drawCalls = spineDrawCalls(shown->draw);
    result->system.bytesPerBone = 6 * sizeof(float);
    result->system.uploadBytes = result->system.bytesPerBone * result->bones;
    if (trimmed > 0) {
        snprintf(result->system.remarks[result->system.remarkCount++], SYSTEM_REMARK_SIZE,
                 "keeps the 4 largest influences; vertices with more: %u", trimmed);
    }
    return true;
}

bool spineRun(const SpineShow *show, const RunDef *def, RunResult *result, Picture *picture, EngineError *error) {
    Shown shown = {.show = show};
    const SpineDrawDef drawDef = {.system = show->system,
                                  .models = show->models,
                                  .modelCount = show->modelCount,
                                  .shows = show->shows,
                                  .paint = show->paint,
                                  .colourFormat = SPINE_COLOUR_FORMAT,
                                  .width = def->width,
                                  .height = def->height};
    const RunContent content = {.device = show->device,
                                .skinning = show->skinning,
                                .system = show->system,
                                .colourFormat = SPINE_COLOUR_FORMAT,
                                .transparent = show->background[3] < 1.0f,
                                .user = &shown,
                                .begin = begin,
                                .pose = pose,
                                .prepare = prepare,
                                .draw = draw,
                                .count = count};
    runClear(result, picture);
    shown.draw = spineDrawCreate(show->device, show->skinning, &drawDef, error);
    const bool done = shown.draw &&
                      spinePopulationMakePoses(show->population, error) && /* not before the draw accepts all */
                      runLoop(&content, def, result, picture, error);
    spineDrawDestroy(shown.draw);
    return done;
}
