#include "spine_run.h"

#include <string.h>

#define SCOPES_MAX 16

static const char drawScope[] = "draw";

/* The state of a run. */
typedef struct Run {
    Device *device;
    Skinning *skinning;
    const SpineRunDef *def;
    SpineResult *result;
    Frames frames;
    Target target;
    SpineDraw *draw;
    uint64_t firstMeasured; /* counted as vkskinBeginFrame does */
    Samples pose, prepare, skin, drawing;
} Run;

static bool check(const Run *run, VkskinResult result, const char *what, EngineError *error) {
    return result >= 0 || skinningFail(run->skinning, error, what, result);
}

static bool byCpu(const Run *run) {
    return run->skinning->backend == VKSKIN_BACKEND_CPU;
}

/* Else the vertex shader does. */
static bool skinsApart(const Run *run) {
    return skinSystemSkinsOnce(run->def->system);
}

static bool byTimestamps(const Run *run) {
    return run->result->clock == CROWD_CLOCK_TIMESTAMPS;
}

/* ---- Steps of a frame ---- */

/* Reads the timestamps of the frame that used this slot before. */
static bool collectTimings(Run *run, EngineError *error) {
    VkskinTiming timings[SCOPES_MAX];
    uint32_t count = SCOPES_MAX;
    uint64_t frame;
    VkskinTimestampSupport support;
    const VkskinResult result = vkskinGetTimings(run->skinning->context, timings, &count, &frame, &support);
    if (!check(run, result, "reading timestamps", error) || frame < run->firstMeasured) {
        return result >= 0;
    }
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        Samples *samples = strcmp(timings[i].name, drawScope) == 0    ? &run->drawing
                           : strcmp(timings[i].name, "skinning") == 0 ? &run->skin
                                                                      : NULL;
        good = !samples || samplesAdd(samples, timings[i].milliseconds, error);
    }
    return good;
}

/* The CPU backend does the work in the call; a device is waited for if its timestamps cannot be trusted. */
static bool skin(Run *run, Frame *frame, bool measured, EngineError *error) {
    const double start = measureNow();
    if (!check(run, vkskinRecordSkinning(run->skinning->context, frame->commandBuffer), "skinning", error)) {
        return false;
    }
    double passed = measureNow() - start;
    if (!skinsApart(run) || (byTimestamps(run) && !byCpu(run))) {
        return true;
    }
    return (byCpu(run) || framesFlush(&run->frames, frame, &passed, error)) &&
           (!measured || samplesAdd(&run->skin, passed, error));
}

static bool draw(Run *run, Frame *frame, bool measured, EngineError *error) {
    const TargetImage image = targetOffscreenImage(&run->target);
    VkskinContext context = run->skinning->context;
    const bool scoped = byTimestamps(run);
    double passed;
    if (scoped && !check(run, vkskinBeginScope(context, frame->commandBuffer, drawScope), "timing", error)) {
        return false;
    }
    spineDrawRecord(run->draw, frame->commandBuffer, &run->target, &image, &run->def->camera, run->def->background);
    return scoped ? check(run, vkskinEndScope(context, frame->commandBuffer, drawScope), "timing", error)
                  : framesFlush(&run->frames, frame, &passed, error) &&
                        (!measured || samplesAdd(&run->drawing, passed, error));
}

static bool prepare(Run *run, const Frame *frame, double clock, bool measured, EngineError *error) {
    const SpinePopulation *population = run->def->population;
    const double start = measureNow();
    spinePopulationPose(run->def->population, &run->skinning->pool, clock);
    const double posed = measureNow();
    return spineDrawPrepare(run->draw, frame->slot, population->characters, population->count, SPINE_SHOW_MESH,
                            error) &&
           (!measured ||
            (samplesAdd(&run->pose, posed - start, error) && samplesAdd(&run->prepare, measureNow() - posed, error)));
}

static bool runFrame(void *user, double clock, bool measured, EngineError *error) {
    Run *run = user;
    Frame frame;
    if (!framesBegin(&run->frames, &frame, error) ||
        !check(run, vkskinBeginFrame(run->skinning->context, frame.slot), "beginning a frame", error) ||
        (byTimestamps(run) && !collectTimings(run, error)) || !prepare(run, &frame, clock, measured, error) ||
        !skin(run, &frame, measured, error) || !draw(run, &frame, measured, error)) {
        return false;
    }
    run->result->drawCalls = spineDrawCalls(run->draw);
    return (!measured ||
            check(run, vkskinGetStats(run->skinning->context, &run->result->stats), "reading counters", error)) &&
           framesEnd(&run->frames, &frame, NULL, error);
}

/* ---- Frames ---- */

static bool readPicture(void *user, Picture *picture, EngineError *error) {
    Run *run = user;
    return pictureRead(run->device, &run->target, run->def->background[3] < 1.0f, picture, error);
}

static bool beginMeasuring(Run *run, EngineError *error) {
    VkskinStats stats;
    const bool good = check(run, vkskinGetStats(run->skinning->context, &stats), "reading counters", error);
    run->firstMeasured = good ? stats.frame + 1 + run->def->warmupFrames : 0;
    return good;
}

static CrowdFrames framesOf(Run *run) {
    const SpineRunDef *def = run->def;
    return (CrowdFrames){.warmup = def->warmupFrames,
                         .measured = def->frames,
                         .trailing = byTimestamps(run) ? FRAMES_IN_FLIGHT : 1,
                         .series = &def->series,
                         .progress = def->progress,
                         .user = def->user,
                         .run = run,
                         .runFrame = runFrame,
                         .readPicture = readPicture};
}

/* ---- The run ---- */

static bool build(Run *run, EngineError *error) {
    const SpineRunDef *def = run->def;
    const TargetDef target = {
        .width = def->width, .height = def->height, .colourFormat = SPINE_COLOUR_FORMAT, .offscreen = true};
    const SpineDrawDef drawDef = {.system = def->system,
                                  .models = def->models,
                                  .modelCount = def->modelCount,
                                  .shows = SPINE_SHOW_MESH,
                                  .colourFormat = SPINE_COLOUR_FORMAT,
                                  .width = def->width,
                                  .height = def->height};
    if (!framesCreate(run->device, &run->frames, error) || !targetCreate(run->device, &target, &run->target, error)) {
        return false;
    }
    run->draw = spineDrawCreate(run->device, run->skinning, &drawDef, error);
    return run->draw &&
           spinePopulationMakePoses(def->population, error); /* not before it is known that they can be drawn */
}

static void fillResult(Run *run) {
    const DeviceInfo *info = &run->device->info;
    const bool shared = byCpu(run) && info->type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    SpineResult *result = run->result;
    *result = (SpineResult){
        .backend = skinsApart(run) ? SKIN_BACKEND_NAMES[run->skinning->backend] : "vertex-shader",
        .threads = run->skinning->pool.threads,
        .clock = info->timestampsTrusted && !shared ? CROWD_CLOCK_TIMESTAMPS : CROWD_CLOCK_WALL,
    };
    for (uint32_t m = 0; m < run->def->modelCount; m++) {
        const uint64_t count = run->def->models[m].count;
        result->trimmed += spineDrawTrimmed(run->draw, m);
        result->vertices += count * spineDrawVertices(run->draw, m);
        result->bones += count * run->def->models[m].model->spines->boneCount;
    }
}

static void destroy(Run *run) {
    framesDestroy(&run->frames);
    spineDrawDestroy(run->draw);
    targetDestroy(run->device, &run->target);
    samplesFree(&run->pose);
    samplesFree(&run->prepare);
    samplesFree(&run->skin);
    samplesFree(&run->drawing);
}

static bool measure(Run *run, Picture *picture, EngineError *error) {
    fillResult(run); /* first: it chooses the clock */
    const CrowdFrames frames = framesOf(run);
    bool good =
        beginMeasuring(run, error) && crowdRunFrames(&frames, error) && (!picture || readPicture(run, picture, error));
    if (good && !crowdRunSeries(&frames, error)) {
        good = false;
        if (picture) {
            pictureFree(picture);
        }
    }
    return good;
}

bool spineRun(Device *device, Skinning *skinning, const SpineRunDef *def, SpineResult *result, Picture *picture,
              EngineError *error) {
    Run run = {.device = device, .skinning = skinning, .def = def, .result = result};
    if (picture) {
        *picture = (Picture){0};
    }
    const bool good = build(&run, error) && measure(&run, picture, error);
    result->pose = samplesMeasure(&run.pose);
    result->prepare = samplesMeasure(&run.prepare);
    result->skinning = samplesMeasure(&run.skin);
    result->draw = samplesMeasure(&run.drawing);
    destroy(&run);
    return good;
}
