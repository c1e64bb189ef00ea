/*
 * verb_crowd.c: vkskin crowd MODEL...: the main job: many characters skinned in one pass, drawn and measured.
 */
#include <math.h>
#include <stdlib.h>

#include "crowd_run.h"
#include "load.h"
#include "setup.h"
#include "outputs.h"
#include "report.h"
#include "terminal.h"
#include "checks.h"
#include "skin_options.h"
#include "verbs.h"

enum {
    CROWD_COUNT,
    CROWD_SKIN,
    CROWD_FRAMES = CROWD_SKIN + SKIN_OPTION_COUNT,
    CROWD_SEED,
    CROWD_SIZE,
    CROWD_OUTPUT,
    CROWD_JSON,
    CROWD_TUNING,
    CROWD_OPTION_COUNT
};

#define MODELS_MAX    64
#define WARMUP_FRAMES 3

static const Option CROWD_OPTIONS[CROWD_OPTION_COUNT] = {
    [CROWD_COUNT] = {.name = "count",
                     .kind = OPTION_INTEGER,
                     .valueName = "N",
                     .defaultValue = "400",
                     .minimum = 1,
                     .maximum = 1000000,
                     .help = "characters; the models alternate"},
    SKIN_OPTIONS(CROWD_SKIN),
    [CROWD_FRAMES] = {.name = "frames",
                      .kind = OPTION_INTEGER,
                      .valueName = "N",
                      .defaultValue = "10",
                      .minimum = 1,
                      .maximum = 1000000,
                      .help = "measured frames, after a few warm-up frames"},
    [CROWD_SEED] = {.name = "seed",
                    .kind = OPTION_INTEGER,
                    .valueName = "N",
                    .defaultValue = "1",
                    .minimum = 0,
                    .maximum = 9007199254740991.0,
                    .help = "random seed for positions, clips and start times"},
    [CROWD_SIZE] = PICTURE_SIZE_OPTION("width and height in pixels"),
    [CROWD_OUTPUT] = {.name = "output",
                      .letter = 'o',
                      .kind = OPTION_TEXT,
                      .valueName = "FILE.png",
                      .help = "the picture to write; default: none"},
    [CROWD_JSON] = JSON_OPTION,
    [CROWD_TUNING] = TUNING_OPTION,
};

static void showProgress(void *user, CrowdPhase phase, uint32_t done, uint32_t total) {
    static const char *const WHATS[] = {
        [CROWD_PHASE_WARMUP] = "warming up", [CROWD_PHASE_MEASURED] = "frames", [CROWD_PHASE_TRAILING] = "finishing"};
    Progress *progress = user;
    progress->what = WHATS[phase];
    progress->total = phase == CROWD_PHASE_MEASURED ? total : 0; /* the other phases show no number */
    progressShow(progress, done);
}

/* ---- Output ---- */

static int checkOutputs(const Arguments *arguments) {
    const char *picture = arguments->values[CROWD_OUTPUT].text;
    const OptionValue *json = &arguments->values[CROWD_JSON];
    const char *tuning = arguments->values[CROWD_TUNING].text;
    const OutputName outputs[] = {{"-o", picture}, {"--json", outputJsonFile(json)}, {"--tuning", tuning}};
    int status = picture ? outputPictureCheck(verbCrowd.name, "-o", picture) : EXIT_GOOD;
    if (status == EXIT_GOOD) {
        status = outputsCheckApart(arguments, verbCrowd.name, outputs, 3);
    }
    return status == EXIT_GOOD ? outputJsonCheck(verbCrowd.name, json) : status;
}

static bool writeReport(const Report *report, const OptionValue *json, EngineError *error) {
    if (!outputJsonIsStandard(json)) {
        reportPrint(stdout, report);
    }
    return !json->text || outputJsonWrite(reportJson(report), json, error);
}

/* ---- The run ---- */

static Scene *createScene(OpenDevice *open, const LoadedModels *loaded, const SkinChoice *skin,
                          const Arguments *arguments, EngineError *error) {
    const OptionValue *values = arguments->values;
    VkskinTuning tuning;
    SceneDef def = {
        .models = loaded->models,
        .modelCount = loaded->count,
        .count = (uint32_t)values[CROWD_COUNT].integer,
        .seed = (uint64_t)values[CROWD_SEED].integer,
        .placement = CROWD_FIELD,
        .skin = *skin,
        .wrap = VKSKIN_WRAP_LOOP,
        .format = VKSKIN_VERTEX_PACKED,
    };
    bool good = useTuning(open, &values[CROWD_TUNING], skin->backend, &tuning, &def.tuning, error);
    return good ? makeScene(open, &def, error) : NULL;
}

static bool runScene(Scene *scene, OpenDevice *open, const SkinChoice *skin, const Arguments *arguments,
                     EngineError *error) {
    const OptionValue *values = arguments->values;
    const char *path = values[CROWD_OUTPUT].text;
    Progress progress;
    CrowdResult result;
    Picture picture = {0};
    CrowdRunDef run = {
        .frames = (uint32_t)values[CROWD_FRAMES].integer,
        .warmupFrames = WARMUP_FRAMES,
        .width = values[CROWD_SIZE].width,
        .height = values[CROWD_SIZE].height,
        .progress = showProgress,
        .user = &progress,
    };
    progressBegin(&progress, "warming up", 0);
    open->progress = &progress;
    bool good = crowdRun(scene, &run, &result, path ? &picture : NULL, error);
    open->progress = NULL;
    progressErase(&progress);
    if (good && path) {
        good = outputPictureWrite(&picture, path, error);
    }
    pictureFree(&picture);
    Report report = {
        .result = &result,
        .skin = skin,
        .models = arguments->operands,
        .modelCount = arguments->operandCount,
        .seed = (uint64_t)values[CROWD_SEED].integer,
        .width = run.width,
        .height = run.height,
        .picture = path,
    };
    return good && writeReport(&report, &values[CROWD_JSON], error);
}

static int runCrowd(const Arguments *arguments) {
    LoadedModels loaded = {0};
    OpenDevice open = {0};
    Scene *scene = NULL;
    SkinOptions skin;
    EngineError error;
    int status = skinOptionsRead(verbCrowd.name, arguments, CROWD_SKIN, &skin);
    if (status == EXIT_GOOD) {
        status = tuningOptionCheck(verbCrowd.name, &arguments->values[CROWD_TUNING], skin.choice.backend);
    }
    if (status == EXIT_GOOD) {
        status = checkOutputs(arguments);
    }
    if (status != EXIT_GOOD) {
        return status;
    }
    bool good = loadModels(arguments->operands, arguments->operandCount, LOAD_SORTED, &loaded, &error) &&
                skinOptionsCheckMorphs(&skin.choice, loaded.models, loaded.count, arguments->operands, &error) &&
                openDevice(verbCrowd.name, arguments, NULL, &open, &error);
    if (good) {
        scene = createScene(&open, &loaded, &skin.choice, arguments, &error);
        good = scene && weightCheckScene(verbCrowd.name, scene, arguments->operands, &error) &&
               scaleCheckScene(verbCrowd.name, scene, arguments->operands, &error) &&
               runScene(scene, &open, &skin.choice, arguments, &error);
    }
    if (!good) {
        status = sayFailure(verbCrowd.name, "%s", error.message);
    }
    sceneDestroy(scene);
    status = closeDevice(&open, status);
    loadedModelsFree(&loaded);
    return status;
}

const Verb verbCrowd = {
    .name = "crowd",
    .summary = "skins, draws and measures a crowd of characters",
    .usage = "MODEL... [--count N] [options] [-o FILE.png]",
    .details = "Each character has its own place, clip and time; clips loop. One pass per frame skins all of them,\n"
               "and the shadow and colour passes read its vertices. The table on standard output shows for each step\n"
               "the median time over the measured frames and the spread. It names the clock: timestamps, or the wall\n"
               "clock around a fence if the timestamps of the driver cannot be trusted.\n",
    .options = CROWD_OPTIONS,
    .optionCount = CROWD_OPTION_COUNT,
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = MODELS_MAX,
    .takesDevice = true,
    .run = runCrowd,
    .operandHelp = LOAD_MODEL_HELP,
};
