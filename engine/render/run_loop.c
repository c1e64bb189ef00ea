#include "run_loop.h"

#include <string.h>

#include "count_of.h"

#define SECONDS_PER_FRAME (1.0 / 60.0)
#define SCOPES_MAX        64

static const char drawScope[] = "draw";
static const char copyScope[] = "copy";

/* What is measured of each frame. */
typedef enum Step { POSE, PREPARE, UPLOAD, RECORDING, LISTS, POSES, SKINNING, DRAWING, STEP_COUNT } Step;

/* The state of a run. */
typedef struct Run {
    const RunContent *content;
    const RunDef *def;
    RunResult *result;
    VkskinContext context;
    Frames frames;
    Target target;
    uint64_t firstMeasured; /* counted as vkskinBeginFrame does */
    bool measured;          /* the current frame */
    Samples samples[STEP_COUNT];
} Run;

static bool byCpu(const Run *run) {
    return run->content->skinning->backend == VKSKIN_BACKEND_CPU;
}

/* Else the vertex shader of each pass skins. */
static bool skinsApart(const Run *run) {
    return skinSystemSkinsOnce(run->content->system);
}

/* Whether the device poses and culls as well. */
static bool hasDeviceCrowd(const Run *run) {
    return run->content->system == SKIN_SYSTEM_CROWD;
}

static bool byTimestamps(const Run *run) {
    return run->result->clock == RUN_CLOCK_TIMESTAMPS;
}

static bool check(const Run *run, VkskinResult result, const char *what, EngineError *error) {
    return result >= 0 || skinningFail(run->content->skinning, error, what, result);
}

static bool note(Run *run, Step step, double milliseconds, EngineError *error) {
    return !run->measured || samplesAdd(&run->samples[step], milliseconds, error);
}

/* ---- Timestamps ---- */

/* The samples of a scope; null if it is not measured. */
static Samples *samplesOf(Run *run, const char *scope) {
    const struct {
        const char *scope;
        Samples *samples;
    } steps[] = {{"upload", &run->samples[UPLOAD]},
                 {byCpu(run) ? "" : copyScope, hasDeviceCrowd(run) ? &run->samples[SKINNING] : &run->samples[UPLOAD]},
                 {skinsApart(run) ? "skinning" : "", &run->samples[SKINNING]},
                 {drawScope, &run->samples[DRAWING]}};
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
    VkskinResult result = vkskinGetTimings(run->context, timings, &count, &frame, &support);
    if (!check(run, result, "reading timestamps", error) || frame < run->firstMeasured) {
        return result >= 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        Samples *samples = samplesOf(run, timings[i].name);
        if (samples && !samplesAdd(samples, timings[i].milliseconds, error)) {
            return false;
        }
    }
    return addPasses(&run->samples[LISTS], "crowd lists", timings, count, error) &&
           addPasses(&run->samples[POSES], "crowd poses", timings, count, error);
}

/* ---- Steps of a frame ---- */

/* Also times the call if the CPU backend does the work in it. */
static bool recordSkinning(Run *run, VkCommandBuffer commandBuffer, EngineError *error) {
    double start = measureNow();
    VkskinResult result = vkskinRecordSkinning(run->context, commandBuffer);
    double skinning = measureNow() - start;
    const bool works = byCpu(run) && skinsApart(run) && !hasDeviceCrowd(run);
    return check(run, result, "recording skinning", error) && (!works || note(run, SKINNING, skinning, error));
}

static bool recordCopies(Run *run, const Frame *frame, EngineError *error) {
    if (!run->content->copy) {
        return true;
    }
    if (!check(run, vkskinBeginScope(run->context, frame->commandBuffer, copyScope), "timing", error)) {
        return false;
    }
    const double start = measureNow();
    return run->content->copy(run->content->user, frame->commandBuffer, error) &&
           note(run, byCpu(run) ? SKINNING : RECORDING, measureNow() - start, error) &&
           check(run, vkskinEndScope(run->context, frame->commandBuffer, copyScope), "timing", error);
}

static bool recordByTimestamps(Run *run, Frame *frame, EngineError *error) {
    return recordSkinning(run, frame->commandBuffer, error) && recordCopies(run, frame, error) &&
           check(run, vkskinBeginScope(run->context, frame->commandBuffer, drawScope), "timing", error) &&
           run->content->draw(run->content->user, frame, &run->target, error) &&
           check(run, vkskinEndScope(run->context, frame->commandBuffer, drawScope), "timing", error);
}

/* Submits only if uploads are pending; an empty submission would distort the measurement. */
static bool uploadByWallClock(Run *run, Frame *frame, EngineError *error) {
    uint32_t accesses = 0;
    VkskinResult result = vkskinGetAccesses(run->context, VKSKIN_PASS_UPLOAD, NULL, &accesses);
    double upload;
    if (!check(run, result, "looking for uploads", error) || accesses == 0) {
        return result >= 0;
    }
    return check(run, vkskinRecordUploads(run->context, frame->commandBuffer), "recording uploads", error) &&
           framesFlush(&run->frames, frame, &upload, error) && note(run, UPLOAD, upload, error);
}

/* With the CPU backend a crowd is posed and skinned by the call that records. */
static bool copyByWallClock(Run *run, Frame *frame, EngineError *error) {
    double start = measureNow(), work;
    if (!run->content->copy) {
        return true;
    }
    if (!run->content->copy(run->content->user, frame->commandBuffer, error)) {
        return false;
    }
    work = measureNow() - start;
    if (!byCpu(run) && !note(run, RECORDING, work, error)) {
        return false;
    }
    return (byCpu(run) || framesFlush(&run->frames, frame, &work, error)) &&
           note(run, hasDeviceCrowd(run) ? SKINNING : UPLOAD, work, error);
}

static bool skinByWallClock(Run *run, Frame *frame, EngineError *error) {
    double skinning;
    if (!recordSkinning(run, frame->commandBuffer, error)) {
        return false;
    }
    return byCpu(run) || !skinsApart(run) || hasDeviceCrowd(run) ||
           (framesFlush(&run->frames, frame, &skinning, error) && note(run, SKINNING, skinning, error));
}

static bool recordByWallClock(Run *run, Frame *frame, EngineError *error) {
    double drawing;
    return uploadByWallClock(run, frame, error) && skinByWallClock(run, frame, error) &&
           copyByWallClock(run, frame, error) && run->content->draw(run->content->user, frame, &run->target, error) &&
           framesFlush(&run->frames, frame, &drawing, error) && note(run, DRAWING, drawing, error);
}

static bool poseAndPrepare(Run *run, uint32_t slot, double clock, EngineError *error) {
    const RunContent *content = run->content;
    const double start = measureNow();
    if (!content->pose(content->user, clock, error)) {
        return false;
    }
    const double posed = measureNow();
    if (!content->prepare(content->user, slot, error)) {
        return false;
    }
    return note(run, POSE, posed - start, error) && note(run, PREPARE, measureNow() - posed, error);
}

static bool countFrame(Run *run, EngineError *error) {
    if (run->content->countFrame) {
        run->content->countFrame(run->content->user, run->result);
    }
    return check(run, vkskinGetStats(run->context, &run->result->stats), "reading counters", error);
}

static bool recordOverlay(const Run *run, double clock, const Frame *frame, EngineError *error) {
    const RunOverlay *overlay = &run->def->overlay;
    return !overlay->record || overlay->record(overlay->user, clock, frame, &run->target, error);
}

static bool runFrame(Run *run, double clock, bool counts, EngineError *error) {
    Frame frame;
    run->measured = counts;
    return framesBegin(&run->frames, &frame, error) && run->content->begin(run->content->user, frame.slot, error) &&
           (!byTimestamps(run) || collectTimings(run, error)) && poseAndPrepare(run, frame.slot, clock, error) &&
           (byTimestamps(run) ? recordByTimestamps : recordByWallClock)(run, &frame, error) &&
           recordOverlay(run, clock, &frame, error) && (!counts || countFrame(run, error)) &&
           framesEnd(&run->frames, &frame, NULL, error);
}

/* ---- Frames ---- */

static void reportProgress(const Run *run, RunPhase phase, uint32_t done, uint32_t total) {
    if (run->def->progress) {
        run->def->progress(run->def->user, phase, done, total);
    }
}

/* All frames but the series. The last one is at clock 0. */
static bool runFrames(Run *run, EngineError *error) {
    const uint32_t phases[] = {
        [RUN_PHASE_WARMUP] = run->def->warmupFrames,
        [RUN_PHASE_MEASURED] = run->def->frames,
        [RUN_PHASE_TRAILING] = (byTimestamps(run) ? FRAMES_IN_FLIGHT : 1) + /* enough to collect the last timestamps */
                               (run->content->moving ? 1 : 0),
    };
    double clock = 0.0;
    for (RunPhase phase = RUN_PHASE_WARMUP; phase <= RUN_PHASE_TRAILING; phase++) {
        for (uint32_t i = 0; i < phases[phase]; i++) {
            const uint32_t left = phase == RUN_PHASE_TRAILING ? phases[phase] - 1 - i : UINT32_MAX;
            clock = left == 0 || run->def->still ? 0.0 : clock + SECONDS_PER_FRAME;
            clock = left == 1 && run->content->moving ? -SECONDS_PER_FRAME : clock;
            if (!runFrame(run, clock, phase == RUN_PHASE_MEASURED, error)) {
                return false;
            }
            reportProgress(run, phase, i + 1, phases[phase]);
        }
    }
    return true;
}

static bool readPicture(const Run *run, Picture *picture, EngineError *error) {
    return pictureRead(run->content->device, &run->target, run->content->transparent, picture, error);
}

static bool runSeries(Run *run, EngineError *error) {
    const RunSeries *series = &run->def->series;
    bool good = series->count == 0 || !run->content->moving || runFrame(run, series->from - series->step, false, error);
    for (uint32_t i = 0; i < series->count && good; i++) {
        Picture picture = {0};
        good = runFrame(run, series->from + series->step * i, false, error) && readPicture(run, &picture, error) &&
               series->take(run->def->user, i, &picture, error);
        pictureFree(&picture);
        reportProgress(run, RUN_PHASE_SERIES, i + 1, series->count);
    }
    return good;
}

/* ---- The run ---- */

static RunClock chooseClock(const Run *run) {
    const DeviceInfo *info = &run->content->device->info;
    const bool shared = byCpu(run) && info->type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return info->timestampsTrusted && !shared ? RUN_CLOCK_TIMESTAMPS : RUN_CLOCK_WALL;
}

static bool begin(Run *run, EngineError *error) {
    const RunContent *content = run->content;
    const RunDef *def = run->def;
    const TargetDef target = {
        .width = def->width, .height = def->height, .colourFormat = content->colourFormat, .offscreen = true};
    VkskinStats stats;
    if (def->frames == 0) {
        return engineFail(error, "at least one frame must be measured");
    }
    if (!framesCreate(content->device, &run->frames, error) ||
        !targetCreate(content->device, &target, &run->target, error) ||
        !check(run, vkskinGetStats(run->context, &stats), "reading counters", error)) {
        return false;
    }
    run->firstMeasured = stats.frame + 1 + def->warmupFrames;
    *run->result = (RunResult){.device = content->device->info, .clock = chooseClock(run), .frames = def->frames};
    run->result->backend = skinsApart(run) ? SKIN_BACKEND_NAMES[content->skinning->backend] : "vertex-shader";
    return true;
}

static bool fillResult(Run *run, EngineError *error) {
    RunResult *result = run->result;
    Measured *const steps[STEP_COUNT] = {&result->pose,  &result->prepare, &result->upload,   &result->recording,
                                         &result->lists, &result->poses,   &result->skinning, &result->draw};
    for (int step = 0; step < STEP_COUNT; step++) {
        *steps[step] = samplesMeasure(&run->samples[step]);
    }
    if (!run->content->count(run->content->user, result, error)) {
        return false;
    }
    const double seconds = result->skinning.median * 1e-3;
    if (seconds > 0.0) {
        const uint64_t vertices = hasDeviceCrowd(run) ? result->system.crowd.vertices : result->stats.verticesSkinned;
        result->verticesPerSecond = (double)vertices / seconds;
        result->bytesPerSecond = (double)(result->stats.paletteBytes + result->stats.outputBytes) / seconds;
    }
    return true;
}

static void destroy(Run *run) {
    framesDestroy(&run->frames); /* waits for the device */
    targetDestroy(run->content->device, &run->target);
    for (int step = 0; step < STEP_COUNT; step++) {
        samplesFree(&run->samples[step]);
    }
}

void runClear(RunResult *result, Picture *picture) {
    *result = (RunResult){.backend = NULL};
    if (picture) {
        *picture = (Picture){0};
    }
}

bool runLoop(const RunContent *content, const RunDef *def, RunResult *result, Picture *picture, EngineError *error) {
    Run run = {.content = content, .def = def, .result = result, .context = content->skinning->context};
    runClear(result, picture);
    bool done = begin(&run, error) && runFrames(&run, error) && fillResult(&run, error) &&
                (!picture || readPicture(&run, picture, error));
    if (done && !runSeries(&run, error)) {
        done = false;
        if (picture) {
            pictureFree(picture);
        }
    }
    destroy(&run);
    return done;
}
