/* figure_crowd.c: vkskin crowd for 2D characters: a grid or a street of them, skinned in one pass, drawn and measured. */
#include <math.h>
#include <stdlib.h>

#include "figure_motion.h"
#include "figure_run.h"
#include "figure_verbs.h"
#include "outputs.h"
#include "pictures.h"
#include "report.h"

#define WARMUP_FRAMES 3

typedef struct FigureScene {
    Session *session;
    const Arguments *arguments;
    uint32_t skins[SESSION_MODELS_MAX][OPTION_FILES_MAX];
    FigureCrowdKind kinds[SESSION_MODELS_MAX];
    FigureDrawModel models[SESSION_MODELS_MAX];
    FigureCrowd crowd;
    Skinning *skinning;
    FigureRunDef run;
    FigureResult result;
    PictureFiles files;
    Progress progress;
} FigureScene;

/* ---- Characters ---- */

const char *const FIGURE_PLACE_NAMES[] = {[FIGURE_GRID] = "grid", [FIGURE_STREET] = "street", NULL};

static bool findKind(FigureScene *scene, uint32_t index, EngineError *error) {
    Arguments own = *scene->arguments; /* as of this one file */
    own.operands += index;
    const Figure *figure = scene->session->models[index]->figures;
    FigureCrowdKind *kind = &scene->kinds[index];
    *kind = (FigureCrowdKind){.path = own.operands[0],
                              .figure = figure,
                              .skins = scene->skins[index],
                              .skinCount = own.nameCount,
                              .cycles = !optionsValue(&own, "clip")->given};
    if (!figureFindSkins(&own, figure, scene->skins[index], error) ||
        !figureMotionRead(&own, figure, &kind->motion, error)) {
        return false;
    }
    FigurePose *pose = figurePoseCreate(figure, kind->skins, kind->skinCount, error);
    if (pose) {
        figureNameSkins(&own, pose);
    }
    figurePoseFree(pose);
    return pose != NULL;
}

static bool makeCrowd(FigureScene *scene, EngineError *error) {
    const Arguments *arguments = scene->arguments;
    const OptionValue *time = optionsValue(arguments, "time");
    const FigureCrowdDef def = {
        .kinds = scene->kinds,
        .kindCount = arguments->operandCount,
        .count = (uint32_t)optionsValue(arguments, "count")->integer,
        .placement = (FigurePlacement)optionsValue(arguments, "place")->choice,
        .aspect = (double)pictureAspect(arguments),
        .time = time->given ? time->number : -1.0,
        .seed = (uint64_t)optionsValue(arguments, "seed")->integer,
    };
    for (uint32_t i = 0; i < def.kindCount; i++) {
        if (!findKind(scene, i, error)) {
            return false;
        }
        scene->models[i] = (FigureDrawModel){scene->session->models[i], figureCrowdCountOf(&def, i)};
    }
    return figureCrowdCreate(&def, &scene->crowd, error);
}

/* ---- The run ---- */

static void showProgress(void *user, CrowdPhase phase, uint32_t done, uint32_t total) {
    pictureProgress(&((FigureScene *)user)->progress, phase, done, total);
}

static bool takePicture(void *user, uint32_t index, const Picture *picture, EngineError *error) {
    return pictureFilesTake(&((FigureScene *)user)->files, index, picture, error);
}

static bool describeRun(FigureScene *scene, EngineError *error) {
    const Arguments *arguments = scene->arguments;
    const OptionValue *size = optionsValue(arguments, "size");
    const PictureMoments moments = pictureMoments(arguments, 0.0);
    scene->run = (FigureRunDef){
        .system = scene->session->skin.system,
        .crowd = &scene->crowd,
        .models = scene->models,
        .modelCount = arguments->operandCount,
        .frames = (uint32_t)optionsValue(arguments, "frames")->integer,
        .warmupFrames = WARMUP_FRAMES,
        .width = size->width,
        .height = size->height,
        .series = {moments.count, moments.from, moments.step, takePicture},
        .progress = showProgress,
        .user = scene,
    };
    figureBackground(arguments, scene->run.background);
    return figureCameraFrame(&scene->crowd.box, (double)pictureAspect(arguments), &scene->run.camera) ||
           engineFail(error, "%s: too large to be drawn", arguments->operands[0]);
}

static bool runScene(FigureScene *scene, EngineError *error) {
    Session *session = scene->session;
    VkskinContextDef context = vkskinDefaultContextDef();
    context.framesInFlight = FRAMES_IN_FLIGHT;
    context.backend = session->skin.backend;
    Picture picture = {0};
    if (!sessionOpenDevice(session, NULL, error)) {
        return false;
    }
    scene->skinning = skinningCreate(session->device, &context, error);
    if (!scene->skinning || !pictureFilesBegin(scene->arguments, &scene->files, error)) {
        return false;
    }
    const bool single = scene->files.path && scene->run.series.count == 0;
    sessionBeginProgress(session, &scene->progress, "warming up", 0);
    bool good =
        figureRun(session->device, scene->skinning, &scene->run, &scene->result, single ? &picture : NULL, error);
    sessionEndProgress(session);
    good = good && pictureFilesWrite(&scene->files, scene->run.series.count, &picture, error);
    pictureFilesEnd(&scene->files);
    pictureFree(&picture);
    if (good && scene->result.trimmed > 0) {
        sayWarning(session->verb, "uniform-2d keeps the 4 largest influences; vertices with more: %u",
                   scene->result.trimmed);
    }
    return good;
}

/* ---- The report ---- */

/* A number, its name and unit in the table, where it is shown there, and its name in the JSON. */
typedef struct Count {
    const char *text, *json;
    uint64_t value;
    const char *unit;
} Count;

#define COUNT_COUNT 9

static void listCounts(const FigureScene *scene, Count counts[COUNT_COUNT]) {
    const FigureResult *result = &scene->result;
    const Count all[COUNT_COUNT] = {
        {"characters", "characters", scene->crowd.count, ""},
        {"vertices", "vertices", result->vertices, ""},
        {"bones", "bones", result->bones, ""},
        {NULL, "verticesSkinned", result->stats.verticesSkinned, ""},
        {"dispatches", "dispatches", result->stats.dispatches, ""},
        {"draw calls", "drawCalls", result->drawCalls, ""},
        {"palette", "paletteBytes", result->stats.paletteBytes, "B"},
        {"output", "outputBytes", result->stats.outputBytes, "B"},
        {"deform", "deformWeights", result->stats.morphWeights, "weights"},
    };
    for (int i = 0; i < COUNT_COUNT; i++) {
        counts[i] = all[i];
    }
}

static double verticesPerSecond(const FigureResult *result) {
    return result->skinning.median > 0.0 ? (double)result->stats.verticesSkinned / (result->skinning.median * 1e-3)
                                         : 0.0;
}

static void print(const FigureScene *scene) {
    const FigureResult *result = &scene->result;
    const OptionValue *picture = optionsValue(scene->arguments, "output");
    Count counts[COUNT_COUNT];
    reportDevice(stdout, &scene->session->device->info);
    reportText(stdout, "system", SKIN_SYSTEM_NAMES[scene->run.system]);
    reportText(stdout, "backend", result->backend);
    reportCount(stdout, "threads", result->threads, "");
    reportText(stdout, "clock",
               result->clock == CROWD_CLOCK_TIMESTAMPS ? "device timestamps; pose and prepare: wall clock"
                                                       : "wall clock");
    putchar('\n');
    listCounts(scene, counts);
    for (int i = 0; i < COUNT_COUNT; i++) {
        if (counts[i].text) {
            reportCount(stdout, counts[i].text, counts[i].value, counts[i].unit);
        }
    }
    printf("\n%-14s%15s    spread\n", "step", "median");
    reportStep(stdout, "pose", &result->pose);
    reportStep(stdout, "prepare", &result->prepare);
    reportStep(stdout, "skinning", &result->skinning);
    reportStep(stdout, "draw", &result->draw);
    printf("(of %u frame%s of %u x %u; the spread is the interquartile range)\n\n", scene->run.frames,
           scene->run.frames == 1 ? "" : "s", scene->run.width, scene->run.height);
    reportRate(stdout, "vertices/s", verticesPerSecond(result), "");
    if (picture->text && scene->run.series.count == 0) { /* pictureFilesWrite names those of a series */
        putchar('\n');
        reportText(stdout, "picture", picture->text);
    }
}

static char *json(const FigureScene *scene) {
    const FigureResult *result = &scene->result;
    const Arguments *arguments = scene->arguments;
    const double rate = verticesPerSecond(result);
    bool good = true;
    Count counts[COUNT_COUNT];
    cJSON *object = jsonBegin("crowd2d", &good);
    jsonAddDevice(object, &scene->session->device->info, &good);
    jsonAddText(object, "system", SKIN_SYSTEM_NAMES[scene->run.system], &good);
    jsonAddText(object, "backend", result->backend, &good);
    jsonAddCount(object, "threads", result->threads, &good);
    jsonAddText(object, "clock", result->clock == CROWD_CLOCK_TIMESTAMPS ? "timestamps" : "wall", &good);
    jsonAddTexts(object, "models", arguments->operands, arguments->operandCount, &good);
    jsonAddTexts(object, "skins", (char *const *)arguments->names, arguments->nameCount, &good);
    jsonAddText(object, "place", FIGURE_PLACE_NAMES[optionsValue(arguments, "place")->choice], &good);
    jsonAddCount(object, "seed", (uint64_t)optionsValue(arguments, "seed")->integer, &good);
    jsonAddCount(object, "width", scene->run.width, &good);
    jsonAddCount(object, "height", scene->run.height, &good);
    jsonAddCount(object, "frames", scene->run.frames, &good);
    listCounts(scene, counts);
    for (int i = 0; i < COUNT_COUNT; i++) {
        jsonAddCount(object, counts[i].json, counts[i].value, &good);
    }
    jsonAddStep(object, "pose", &result->pose, &good);
    jsonAddStep(object, "prepare", &result->prepare, &good);
    jsonAddStep(object, "skinning", &result->skinning, &good);
    jsonAddStep(object, "draw", &result->draw, &good);
    jsonAddNumber(object, "verticesPerSecond", rate > 0.0 ? rate : NAN, &good);
    return jsonPrint(object, good);
}

static bool report(const FigureScene *scene, EngineError *error) {
    const OptionValue *option = optionsValue(scene->arguments, "json");
    if (!outputJsonIsStandard(option)) {
        print(scene);
    }
    return !option->text || outputJsonWrite(json(scene), option, error);
}

/* ---- The verb ---- */

static bool work(Session *session, EngineError *error) {
    static const char *const taken[] = {"output", "count",  "place",   "clip",       "time",       "skin",  "size",
                                        "frames", "seed",   "json",    "background", "sequence",   "force", "sandbox",
                                        "system", "device", "backend", "validate",   "blend-clip", "reach"};
    if (!figureLoad(session, taken, COUNT_OF(taken), error)) {
        return false;
    }
    FigureScene *scene = engineAllocate(1, sizeof *scene, error); /* too large for a stack */
    if (!scene) {
        return false;
    }
    scene->session = session;
    scene->arguments = session->arguments;
    const bool good =
        makeCrowd(scene, error) && describeRun(scene, error) && runScene(scene, error) && report(scene, error);
    skinningDestroy(scene->skinning);
    figureCrowdFree(&scene->crowd);
    free(scene);
    return good;
}

int figureCrowd(const Arguments *arguments) {
    return sessionRun(arguments, work);
}
