/* model_crowd.c: the main job: many characters skinned in one pass, drawn and measured. */
#include "content.h"
#include "outputs.h"
#include "pictures.h"
#include "report.h"

/* The camera that shows the whole crowd. */
#define VIEW_YAW   0.55f
#define VIEW_PITCH 0.22f

static bool writeReport(const Session *session, const RunResult *result, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const OptionValue *size = optionsValue(arguments, "size");
    const Report report = {
        .result = result,
        .skin = &session->skin,
        .format = session->scene->format,
        .models = arguments->operands,
        .modelCount = arguments->operandCount,
        .seed = (uint64_t)optionsValue(arguments, "seed")->integer,
        .width = size->width,
        .height = size->height,
        .picture = optionsValue(arguments, "sequence")->given ? NULL : optionsValue(arguments, "output")->text,
        .fallback = session->fallback.message,
    };
    char missing[REPORT_MISSING_SIZE];
    Document document = documentOf(arguments, "crowd", REPORT_LABEL_WIDTH, REPORT_VALUE_WIDTH);
    reportWrite(&document, &report);
    if (reportMissing(result, missing)) {
        sayWarning(session->verb, "%s", missing);
    }
    return documentEnd(&document, arguments, true, error);
}

/* Above the front of the crowd, unless an option moves the camera. */
static DrawScene aim(const Session *session) {
    const Arguments *arguments = session->arguments;
    const Population *population = session->scene->population;
    DrawScene view = drawDefaultScene(population, pictureAspect(arguments));
    if (optionsValue(arguments, "camera")->given || optionsValue(arguments, "fit")->given) {
        view.camera = pictureCamera(arguments, &population->bounds, VIEW_YAW, VIEW_PITCH);
    }
    view.height = optionsValue(arguments, "size")->height;
    return view;
}

static bool runScene(Session *session, EngineError *error) {
    uint32_t frames = (uint32_t)optionsValue(session->arguments, "frames")->integer;
    RunResult result;
    return picturesRun(session, WARMUP_FRAMES, frames, false, aim(session), &result, error) &&
           writeReport(session, &result, error);
}

static bool makeScene(Session *session, EngineError *error) {
    const SceneDef def = {
        .count = (uint32_t)optionsValue(session->arguments, "count")->integer,
        .seed = (uint64_t)optionsValue(session->arguments, "seed")->integer,
        .placement = POPULATION_FIELD,
        .wrap = VKSKIN_WRAP_LOOP,
        .format = chosenFormat(session->arguments),
    };
    return sessionMakeScene(session, &def, error);
}

static bool makeAndRun(Session *session, EngineError *error) {
    if (!makeScene(session, error)) {
        return false;
    }
    sessionSetTimes(session);
    return sessionCheckScale(session, NULL, error) && runScene(session, error);
}

static bool population(Session *session, EngineError *error) {
    bool chosen = optionsValue(session->arguments, "clip")->given;
    return sessionLoad(session, LOAD_OPTIMISED, error) && (!chosen || sessionChooseClips(session, error)) &&
           sessionOpenDevice(session, NULL, error) &&
           (makeAndRun(session, error) || (sessionFallBack(session, error) && makeAndRun(session, error)));
}

int modelCrowd(const Arguments *arguments) {
    return sessionRun(arguments, population);
}
