#include "crowd_run.h"

#include <string.h>

#include "count_of.h"

#define SECONDS_PER_FRAME (1.0 / 60.0)
#define SCOPES_MAX        64

static const char drawScope[] = "draw";
static const char copyScope[] = "copy";

/* The state of a run. */
typedef struct Run {
    Scene *scene;
    const CrowdRunDef *def;
    DrawScene view;
    Frames frames;
    Target target;
    Draw *draw;
    CrowdClock clock;
    uint64_t firstMeasured; /* counted as vkskinBeginFrame does */
    VkskinStats stats;      /* counts of the last measured frame */
    SystemStats system;     /* the system's counts in that frame */
    Samples pose, upload, recording, lists, poses, skinning, drawing;
} Run;

static bool byCpu(const Run *run) {
    return run->scene->skinning->backend == VKSKIN_BACKEND_CPU;
}

/* Else the vertex shader of each pass skins. */
static bool skinsApart(const Run *run) {
    return skinSystemSkinsOnce(run->scene->skin.system);
}

/* Whether the device poses and culls as well. */
static bool hasDeviceCrowd(const Run *run) {
    return run->scene->skin.system == SKIN_SYSTEM_CROWD;
}

/* Whether the system records work before the passes: copies of palettes to its images, or a crowd. */
static bool copies(const Run *run) {
    return systemType(run->scene->skin.system)->upload != NULL;
}

static bool check(const Run *run, VkskinResult result, const char *what, EngineError *error) {
    return result >= 0 || skinningFail(run->scene->skinning, error, what, result);
}

/* The samples of a scope; null if it is not measured. */
static Samples *samplesOf(Run *run, const char *scope) {
    const struct {
        const char *scope;
        Samples *samples;
    } steps[] = {{"upload", &run->upload},
                 {byCpu(run) ? "" : copyScope, hasDeviceCrowd(run) ? &run->skinning : &run->upload},
                 {skinsApart(run) ? "skinning" : "", &run->skinning},
                 {drawScope, &run->drawing}};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        if (strcmp(steps[i].scope, scope) == 0) {
            return steps[i].samples;
        }
    }
    return NULL;
}

/* Adds the sum of a scope that each kind of character has, if there is one. */
static bool addPasses(Samples *samples, const char *scope, const VkskinTiming *timings, uint32_t count,
                      EngineError *error) {
    double sum = 0.0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(timings[i].name, scope) == 0) {
            sum += timings[i].milliseconds;
            found++;
        }
    }
    return found == 0 || samplesAdd(samples, sum, error);
}

/* Reads the timestamps of the frame that used this slot before. */
static bool collectTimings(Run *run, EngineError *error) {
    VkskinTiming timings[SCOPES_MAX];
    uint32_t count = SCOPES_MAX;
    uint64_t frame;
    VkskinTimestampSupport support;
    VkskinResult result = vkskinGetTimings(run->scene->skinning->context, timings, &count, &frame, &support);
    if (!check(run, result, "reading timestamps", error) || frame < run->firstMeasured) {
        return result >= 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        Samples *samples = samplesOf(run, timings[i].name);
        if (samples && !samplesAdd(samples, timings[i].milliseconds, error)) {
            return false;
        }
    }
    return addPasses(&run->lists, "crowd lists", timings, count, error) &&
           addPasses(&run->poses, "crowd poses", timings, count, error);
}

/* Also times the call if the CPU backend does the work in it. */
static bool recordSkinning(Run *run, VkCommandBuffer commandBuffer, bool measured, EngineError *error) {
    double start = measureNow();
    VkskinResult result = vkskinRecordSkinning(run->scene->skinning->context, commandBuffer);
    double skinning = measureNow() - start;
    return check(run, result, "recording skinning", error) &&
           (!byCpu(run) || hasDeviceCrowd(run) || !measured || samplesAdd(&run->skinning, skinning, error));
}

static bool recordCopies(Run *run, const Frame *frame, bool measured, EngineError *error) {
    VkskinContext context = run->scene->skinning->context;
    if (!copies(run)) {
        return true;
    }
    if (!check(run, vkskinBeginScope(context, frame->commandBuffer, copyScope), "timing", error)) {
        return false;
    }
    const double start = measureNow();
    return drawUpload(run->draw, frame->commandBuffer, error) &&
           (!measured || samplesAdd(byCpu(run) ? &run->skinning : &run->recording, measureNow() - start, error)) &&
           check(run, vkskinEndScope(context, frame->commandBuffer, copyScope), "timing", error);
}

static bool recordByTimestamps(Run *run, Frame *frame, bool measured, EngineError *error) {
    VkskinContext context = run->scene->skinning->context;
    TargetImage image = targetOffscreenImage(&run->target);
    return recordSkinning(run, frame->commandBuffer, measured, error) && recordCopies(run, frame, measured, error) &&
           check(run, vkskinBeginScope(context, frame->commandBuffer, drawScope), "timing", error) &&
           drawRecord(run->draw, frame->slot, frame->commandBuffer, &run->target, &image, error) &&
           check(run, vkskinEndScope(context, frame->commandBuffer, drawScope), "timing", error);
}

/* Submits only if uploads are pending; an empty submission would distort the measurement. */
static bool uploadByWallClock(Run *run, Frame *frame, bool measured, EngineError *error) {
    VkskinContext context = run->scene->skinning->context;
    uint32_t accesses = 0;
    VkskinResult result = vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, NULL, &accesses);
    double upload;
    if (!check(run, result, "looking for uploads", error) || accesses == 0) {
        return result >= 0;
    }
    return check(run, vkskinRecordUploads(context, frame->commandBuffer), "recording uploads", error) &&
           framesFlush(&run->frames, frame, &upload, error) && (!measured || samplesAdd(&run->upload, upload, error));
}

/* With the CPU backend a crowd is posed and skinned by the call that records. */
static bool copyByWallClock(Run *run, Frame *frame, bool measured, EngineError *error) {
    Samples *samples = hasDeviceCrowd(run) ? &run->skinning : &run->upload;
    double start = measureNow(), work;
    if (!copies(run)) {
        return true;
    }
    if (!drawUpload(run->draw, frame->commandBuffer, error)) {
        return false;
    }
    work = measureNow() - start;
    if (!byCpu(run) && measured && !samplesAdd(&run->recording, work, error)) {
        return false;
    }
    return (byCpu(run) || framesFlush(&run->frames, frame, &work, error)) &&
           (!measured || samplesAdd(samples, work, error));
}

static bool skinByWallClock(Run *run, Frame *frame, bool measured, EngineError *error) {
    double skinning;
    if (!recordSkinning(run, frame->commandBuffer, measured, error)) {
        return false;
    }
    return byCpu(run) || !skinsApart(run) || hasDeviceCrowd(run) ||
           (framesFlush(&run->frames, frame, &skinning, error) &&
            (!measured || samplesAdd(&run->skinning, skinning, error)));
}

static bool recordByWallClock(Run *run, Frame *frame, bool measured, EngineError *error) {
    TargetImage image = targetOffscreenImage(&run->target);
    double drawing;
    return uploadByWallClock(run, frame, measured, error) && skinByWallClock(run, frame, measured, error) &&
           copyByWallClock(run, frame, measured, error) &&
           drawRecord(run->draw, frame->slot, frame->commandBuffer, &run->target, &image, error) &&
           framesFlush(&run->frames, frame, &drawing, error) &&
           (!measured || samplesAdd(&run->drawing, drawing, error));
}

static bool runFrame(void *user, double clock, bool measured, EngineError *error) {
    Run *run = user;
    Frame frame;
    if (!framesBegin(&run->frames, &frame, error) || !sceneBeginFrame(run->scene, frame.slot, error)) {
        return false;
    }
    bool byTimestamps = run->clock == CROWD_CLOCK_TIMESTAMPS;
    if (byTimestamps && !collectTimings(run, error)) {
        return false;
    }
    double start = measureNow();
    drawPrepare(run->draw, &run->view, (float)run->def->width / (float)run->def->height);
    if (!populationPose(run->scene->population, clock, error)) {
        return false;
    }
    double pose = measureNow() - start;
    if ((measured && !samplesAdd(&run->pose, pose, error)) || !populationSkin(run->scene->population, error)) {
        return false;
    }
    bool recorded = byTimestamps ? recordByTimestamps(run, &frame, measured, error)
                                 : recordByWallClock(run, &frame, measured, error);
    if (recorded && measured) {
        recorded = check(run, vkskinGetStats(run->scene->skinning->context, &run->stats), "reading counters", error);
        run->system = *drawSystemStats(run->draw);
    }
    return recorded && framesEnd(&run->frames, &frame, NULL, error);
}

/* ---- Frames ---- */

static void reportProgress(const CrowdFrames *frames, CrowdPhase phase, uint32_t done, uint32_t total) {
    if (frames->progress) {
        frames->progress(frames->user, phase, done, total);
    }
}

bool crowdRunFrames(const CrowdFrames *frames, EngineError *error) {
    const uint32_t phases[] = {
        [CROWD_PHASE_WARMUP] = frames->warmup,
        [CROWD_PHASE_MEASURED] = frames->measured,
        [CROWD_PHASE_TRAILING] = frames->trailing,
    };
    double clock = 0.0;
    for (CrowdPhase phase = CROWD_PHASE_WARMUP; phase <= CROWD_PHASE_TRAILING; phase++) {
        for (uint32_t i = 0; i < phases[phase]; i++) {
            const bool last = phase == CROWD_PHASE_TRAILING && i + 1 == phases[phase];
            clock = last || frames->still ? 0.0 : clock + SECONDS_PER_FRAME;
            if (!frames->runFrame(frames->run, clock, phase == CROWD_PHASE_MEASURED, error)) {
                return false;
            }
            reportProgress(frames, phase, i + 1, phases[phase]);
        }
    }
    return true;
}

bool crowdRunSeries(const CrowdFrames *frames, EngineError *error) {
    const CrowdSeries *series = frames->series;
    bool good = true;
    for (uint32_t i = 0; i < series->count && good; i++) {
        Picture picture = {0};
        good = frames->runFrame(frames->run, series->from + series->step * i, false, error) &&
               frames->readPicture(frames->run, &picture, error) && series->take(frames->user, i, &picture, error);
        pictureFree(&picture);
        reportProgress(frames, CROWD_PHASE_SERIES, i + 1, series->count);
    }
    return good;
}

static bool beginMeasuring(Run *run, EngineError *error) {
    VkskinStats stats;
    const bool good = check(run, vkskinGetStats(run->scene->skinning->context, &stats), "reading counters", error);
    run->firstMeasured = good ? stats.frame + 1 + run->def->warmupFrames : 0;
    return good;
}

static bool fillResult(Run *run, CrowdResult *result, EngineError *error) {
    const Population *population = run->scene->population;
    if (!check(run, vkskinGetTuning(population->skinning->context, &result->tuning), "reading settings", error) ||
        !sceneWeights(run->scene, &result->weights, error)) {
        return false;
    }
    result->packed = scenePackTotals(run->scene);
    result->device = run->scene->device->info;
    result->skin = run->scene->skin;
    result->skin.morphs = NULL;
    result->skin.morphCount = 0;
    result->system = run->system;
    result->system.crowd = drawSystemStats(run->draw)->crowd;
    result->pipelines = drawPipelineCount(run->draw);
    result->backend = skinsApart(run) ? SKIN_BACKEND_NAMES[run->scene->skinning->backend] : "vertex-shader";
    result->threads = byCpu(run) ? run->scene->skinning->pool.threads : 0;
    result->clock = run->clock;
    result->stats = run->stats;
    result->frames = run->def->frames;
    result->characters = population->characterCount;
    result->instances = population->instanceCount;
    result->vertices = population->vertexCount;
    result->bones = population->boneCount;
    result->drawCalls = drawCallCount(run->draw);
    result->pose = samplesMeasure(&run->pose);
    result->upload = samplesMeasure(&run->upload);
    result->recording = samplesMeasure(&run->recording);
    result->lists = samplesMeasure(&run->lists);
    result->poses = samplesMeasure(&run->poses);
    result->skinning = samplesMeasure(&run->skinning);
    result->draw = samplesMeasure(&run->drawing);
    double seconds = result->skinning.median * 1e-3;
    if (seconds > 0.0) {
        const uint64_t vertices = hasDeviceCrowd(run) ? result->system.crowd.vertices : result->stats.verticesSkinned;
        result->verticesPerSecond = (double)vertices / seconds;
        result->bytesPerSecond = (double)(result->stats.paletteBytes + result->stats.outputBytes) / seconds;
    }
    return true;
}

static bool build(Run *run, EngineError *error) {
    Device *device = run->scene->device;
    const CrowdRunDef *def = run->def;
    TargetDef target = {
        .width = def->width, .height = def->height, .colourFormat = TARGET_OFFSCREEN_FORMAT, .offscreen = true};
    if (def->frames == 0) {
        return engineFail(error, "at least one frame must be measured");
    }
    if (!framesCreate(device, &run->frames, error) || !targetCreate(device, &target, &run->target, error)) {
        return false;
    }
    run->draw = drawCreate(device, run->scene->population, TARGET_OFFSCREEN_FORMAT, error);
    return run->draw != NULL;
}

static void destroy(Run *run) {
    framesDestroy(&run->frames);
    drawDestroy(run->draw);
    targetDestroy(run->scene->device, &run->target);
    samplesFree(&run->pose);
    samplesFree(&run->upload);
    samplesFree(&run->recording);
    samplesFree(&run->lists);
    samplesFree(&run->poses);
    samplesFree(&run->skinning);
    samplesFree(&run->drawing);
}

static CrowdClock chooseClock(const Run *run) {
    const DeviceInfo *info = &run->scene->device->info;
    bool shared = byCpu(run) && info->type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return info->timestampsTrusted && !shared ? CROWD_CLOCK_TIMESTAMPS : CROWD_CLOCK_WALL;
}

static bool readPicture(void *user, Picture *picture, EngineError *error) {
    Run *run = user;
    bool keepAlpha = run->view.plain && run->view.background[3] < 1.0f;
    return pictureRead(run->scene->device, &run->target, keepAlpha, picture, error);
}

static CrowdFrames framesOf(Run *run) {
    const CrowdRunDef *def = run->def;
    return (CrowdFrames){.warmup = def->warmupFrames,
                         .measured = def->frames,
                         .trailing = run->clock == CROWD_CLOCK_TIMESTAMPS ? FRAMES_IN_FLIGHT : 1,
                         .still = def->still,
                         .series = &def->series,
                         .progress = def->progress,
                         .user = def->user,
                         .run = run,
                         .runFrame = runFrame,
                         .readPicture = readPicture};
}

bool crowdRun(Scene *scene, const CrowdRunDef *def, CrowdResult *result, Picture *picture, EngineError *error) {
    Run run = {.scene = scene, .def = def};
    run.view = def->view ? *def->view : drawDefaultScene(scene->population, (float)def->width / (float)def->height);
    run.clock = chooseClock(&run);
    memset(result, 0, sizeof(*result));
    if (picture) {
        memset(picture, 0, sizeof(*picture));
    }
    const CrowdFrames frames = framesOf(&run);
    bool done = build(&run, error) && beginMeasuring(&run, error) && crowdRunFrames(&frames, error) &&
                fillResult(&run, result, error) && (!picture || readPicture(&run, picture, error));
    if (done && !crowdRunSeries(&frames, error)) {
        done = false;
        if (picture) {
            pictureFree(picture);
        }
    }
    destroy(&run);
    return done;
}
