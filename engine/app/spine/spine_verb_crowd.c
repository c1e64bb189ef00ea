/* spine_verb_crowd.c: vkskin crowd for 2D characters: a grid or a street of them, skinned in one pass, drawn and measured. */
#include "content.h"
#include "outputs.h"
#include "pictures.h"
#include "report.h"
#include "spine_characters.h"
#include "spine_options.h"

typedef struct SpineScene {
    Session *session;
    const Arguments *arguments;
    SpineCharacters *characters;
    Skinning *skinning;
    SpineRunDef run;
    SpineResult result;
    PictureFiles files;
    Progress progress;
} SpineScene;

/* ---- The run ---- */

static void showProgress(void *user, CrowdPhase phase, uint32_t done, uint32_t total) {
    pictureProgress(&((SpineScene *)user)->progress, phase, done, total);
}

static bool takePicture(void *user, uint32_t index, const Picture *picture, EngineError *error) {
    return pictureFilesTake(&((SpineScene *)user)->files, index, picture, error);
}

static void describeRun(SpineScene *scene) {
    const PictureMoments moments = pictureMoments(scene->arguments, 0.0);
    scene->run = spineCharactersRun(scene->characters, scene->session, scene->session->skin.system);
    scene->run.series = (CrowdSeries){moments.count, moments.from, moments.step, takePicture};
    scene->run.progress = showProgress;
    scene->run.user = scene;
    spineBackground(scene->arguments, scene->run.background);
}

static bool runScene(SpineScene *scene, EngineError *error) {
    Session *session = scene->session;
    Picture picture = {0};
    if (!sessionOpenDevice(session, NULL, error)) {
        return false;
    }
    scene->skinning = spineSkinning(session, error);
    if (!scene->skinning || !pictureFilesBegin(scene->arguments, &scene->files, error)) {
        return false;
    }
    const bool single = scene->files.path && scene->run.series.count == 0;
    sessionBeginProgress(session, &scene->progress, "warming up", 0);
    bool good =
        spineRun(session->device, scene->skinning, &scene->run, &scene->result, single ? &picture : NULL, error);
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

static void listCounts(const SpineScene *scene, Count counts[COUNT_COUNT]) {
    const SpineResult *result = &scene->result;
    const Count all[COUNT_COUNT] = {
        {"characters", "characters", scene->characters->population.count, ""},
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

static double verticesPerSecond(const SpineResult *result) {
    return result->skinning.median > 0.0 ? (double)result->stats.verticesSkinned / (result->skinning.median * 1e-3)
                                         : 0.0;
}

static void print(const SpineScene *scene) {
    const SpineResult *result = &scene->result;
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

static char *json(const SpineScene *scene) {
    const SpineResult *result = &scene->result;
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
    jsonAddText(object, "place", SPINE_PLACE_NAMES[optionsValue(arguments, "place")->choice], &good);
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

static bool report(const SpineScene *scene, EngineError *error) {
    const OptionValue *option = optionsValue(scene->arguments, "json");
    if (!outputJsonIsStandard(option)) {
        print(scene);
    }
    return !option->text || outputJsonWrite(json(scene), option, error);
}

/* ---- The verb ---- */

static bool work(Session *session, EngineError *error) {
    if (!spineLoad(session, error)) {
        return false;
    }
    SpineScene scene = {.session = session, .arguments = session->arguments};
    scene.characters =
        spineCharactersCreate(session, (SpinePlacement)optionsValue(session->arguments, "place")->choice, error);
    if (!scene.characters) {
        return false;
    }
    describeRun(&scene);
    const bool good = runScene(&scene, error) && report(&scene, error);
    skinningDestroy(scene.skinning);
    spineCharactersDestroy(scene.characters);
    return good;
}

int spineCrowd(const Arguments *arguments) {
    return sessionRun(arguments, work);
}
