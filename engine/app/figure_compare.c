/* figure_compare.c: what `compare` needs of 2D characters: a grid of them, drawn and measured with one system. */
#include <stdio.h>

#include "count_of.h"
#include "figure_camera.h"
#include "figure_motion.h"
#include "figure_run.h"
#include "figure_verbs.h"
#include "pictures.h"

#define WARMUP_FRAMES 3

/* The same members whatever the system. kinds, models: [operandCount]. */
static bool makeCrowd(const Session *session, FigureCrowdKind *kinds, FigureDrawModel *models, FigureCrowd *crowd,
                      EngineError *error) {
    const Arguments *arguments = session->arguments;
    const OptionValue *time = optionsValue(arguments, "time");
    const FigureCrowdDef def = {.kinds = kinds,
                                .kindCount = arguments->operandCount,
                                .count = (uint32_t)optionsValue(arguments, "count")->integer,
                                .placement = FIGURE_GRID,
                                .aspect = (double)pictureAspect(arguments),
                                .time = time->given ? time->number : -1.0,
                                .seed = (uint64_t)optionsValue(arguments, "seed")->integer};
    for (uint32_t i = 0; i < def.kindCount; i++) {
        Arguments own = *arguments; /* as of this one file */
        own.operands += i;
        kinds[i] = (FigureCrowdKind){.path = own.operands[0],
                                     .figure = session->models[i]->figures,
                                     .cycles = !optionsValue(&own, "clip")->given};
        if (!figureMotionReadClip(&own, kinds[i].figure, &kinds[i].motion, error)) {
            return false;
        }
        models[i] = (FigureDrawModel){session->models[i], figureCrowdCountOf(&def, i)};
    }
    return figureCrowdCreate(&def, crowd, error);
}

static CrowdResult asCrowd(const FigureResult *from, uint32_t characters) {
    CrowdResult result = {.clock = from->clock,
                          .pipelines = FIGURE_BLEND_COUNT + 1, /* and one that clips */
                          .characters = characters,
                          .vertices = from->vertices,
                          .bones = from->bones,
                          .drawCalls = from->drawCalls,
                          .skinning = from->skinning,
                          .draw = from->draw};
    result.system.bytesPerBone = 6 * sizeof(float);
    result.system.uploadBytes = result.system.bytesPerBone * from->bones;
    return result;
}

bool figureCompareLoad(Session *session, EngineError *error) {
    static const char *const taken[] = {"output", "count", "clip",    "time",   "frames",   "seed",
                                        "size",   "json",  "sandbox", "device", "validate", "force"};
    return figureLoad(session, taken, COUNT_OF(taken), error);
}

bool figureCompareRun(Session *session, SkinSystem system, CrowdResult *result, Picture *picture, EngineError *error) {
    FigureCrowdKind kinds[SESSION_MODELS_MAX];
    FigureDrawModel models[SESSION_MODELS_MAX];
    FigureCrowd crowd = {0};
    FigureResult measured = {0};
    const OptionValue *size = optionsValue(session->arguments, "size");
    VkskinContextDef context = vkskinDefaultContextDef();
    context.framesInFlight = FRAMES_IN_FLIGHT;
    context.backend = VKSKIN_BACKEND_COMPUTE;
    FigureRunDef run = {.system = system,
                        .crowd = &crowd,
                        .models = models,
                        .modelCount = session->arguments->operandCount,
                        .frames = (uint32_t)optionsValue(session->arguments, "frames")->integer,
                        .warmupFrames = WARMUP_FRAMES,
                        .width = size->width,
                        .height = size->height};
    Skinning *skinning = NULL;
    bool good = makeCrowd(session, kinds, models, &crowd, error);
    if (good && !figureCameraFrame(&crowd.box, (double)pictureAspect(session->arguments), &run.camera)) {
        good = engineFail(error, "%s: too large to be drawn", session->arguments->operands[0]);
    }
    skinning = good ? skinningCreate(session->device, &context, error) : NULL;
    good = skinning && figureRun(session->device, skinning, &run, &measured, picture, error);
    if (good) {
        *result = asCrowd(&measured, crowd.count);
        if (measured.trimmed > 0) {
            snprintf(result->system.remarks[result->system.remarkCount++], SYSTEM_REMARK_SIZE,
                     "keeps the 4 largest influences; vertices with more: %u", measured.trimmed);
        }
    }
    skinningDestroy(skinning);
    figureCrowdFree(&crowd);
    return good;
}
