/* The run of a soak: contexts one after the other, and in each one frame after the other. */
#include <inttypes.h>
#include <stdlib.h>

#include "count_of.h"
#include "measure.h"
#include "soak_parts.h"

/* Frames of a context: the maximum is about 256 times the minimum. */
#define MIN_FRAMES      30u
#define FRAME_DOUBLINGS 7u
#define DIGEST_START    0xcbf29ce484222325u

/* The first tenth of a run and the first quarter of a context's frames are not measured. */
#define RUN_WARMUP     10u
#define CONTEXT_WARMUP 4u

/* Means vary from half to half, but a leak accumulates. */
static const SoakBound BOUNDS[] = {
    {"the process's memory between contexts is", 0.05, 8e6},
    {"the library's host memory is", 0.5, 0},
    {"the memory of skeletons, clips and skins is", 0.25, 65536},
    {"the library's device memory, in percent of what its context has needed, is", 1, 0},
    {"the number of driver objects without pages is", 0.5, 10},
};
enum { BOUND_COUNT = COUNT_OF(BOUNDS) };

/* The address sanitizer keeps freed memory, and what it notes of each block: then the first one is not judged. */
#if defined(__SANITIZE_ADDRESS__)
enum { FIRST_BOUND = 1 };
#else
enum { FIRST_BOUND = 0 };
#endif

typedef struct Soak {
    const SoakDef *def;
    SoakResult *result;
    HostMemory memory; /* memory of the contexts */
    WorldHost host;
    World world;
    WorldContext context;
    SoakFrames frames;
    WorldSamples samples[WORLD_MAX_FRAMES];
    WorldCrowd *crowd;                 /* null: none */
    Random crowds;                     /* when there is one: no other operation depends on it */
    uint64_t needed;                   /* device memory that the context's objects have needed at once: the most */
    uint64_t contextBegin, contextEnd; /* first and last frame of the context, the last one excluded; counted from 0 */
    bool dropped;                      /* the previous frame was abandoned after commands were given */
    bool cancelled;                    /* the previous frame was cancelled */
} Soak;

/* ---- Memory ---- */

/* Whether a frame of a span is behind the warm-up, and in which half of the rest. */
static bool halfOf(uint64_t frame, uint64_t begin, uint64_t end, uint32_t warmup, uint32_t *half) {
    uint64_t first = begin + (end - begin) / warmup;
    *half = frame < first + (end - first) / 2 ? 0 : 1;
    return frame >= first;
}

/* Between two contexts only the objects of poses exist. */
static void measureRest(Soak *soak, uint64_t frame) {
    SoakResult *result = soak->result;
    uint32_t half;
    if (halfOf(frame, 0, soak->def->frames, RUN_WARMUP, &half)) {
        result->residentEnd = soakMemoryResident();
        result->residentStart = result->residentStart == 0 ? result->residentEnd : result->residentStart;
        soakSeriesAdd(&result->resident, half, (double)result->residentEnd);
    }
}

static void measurePoses(Soak *soak, uint64_t frame) {
    uint32_t half;
    if (halfOf(frame, 0, soak->def->frames, RUN_WARMUP, &half)) {
        soakSeriesAdd(&soak->result->poseBytes, half, (double)atomic_load(&soak->world.poseMemory.bytes));
    }
}

/* A buffer and its memory each. */
static double objectsOfPages(const Soak *soak, const VkskinStats *stats) {
    const uint32_t others = soak->context.backend == VKSKIN_BACKEND_CPU ? 0 : stats->meshPages + stats->palettePages;
    return 2.0 * ((double)stats->outputPages - worldBuffersCount(&soak->context) + others);
}

/*
 * By halves of the context's own frames, because contexts differ. Pages stay until the context is destroyed: device memory
 * follows the most that was needed at once, which may come late.
 */
static void measureContext(Soak *soak, uint64_t frame) {
    SoakResult *result = soak->result;
    VkskinStats stats;
    const uint64_t needed = worldBytes(&soak->world) + (soak->crowd != NULL ? worldCrowdBytes(soak->crowd) : 0);
    soak->needed = needed > soak->needed ? needed : soak->needed;
    uint32_t half;
    uint64_t end = soak->contextEnd < soak->def->frames ? soak->contextEnd : soak->def->frames;
    if (halfOf(frame, soak->contextBegin, end, CONTEXT_WARMUP, &half)) {
        (void)vkskinGetStats(soak->context.handle, &stats); /* fails only for null */
        soakSeriesAdd(&result->hostBytes, half, (double)atomic_load(&soak->memory.bytes));
        soakSeriesAdd(&result->deviceBytes, half, (double)stats.deviceBytes);
        soakSeriesAdd(&result->deviceShare, half, 100.0 * (double)stats.deviceBytes / (double)(soak->needed + 1));
        soakSeriesAdd(&result->objects, half, (double)soakObjectsAlive() - objectsOfPages(soak, &stats));
    }
}

/* ---- Contexts ---- */

static void checkSlot(Soak *soak, uint32_t slot) {
    soakFramesWait(&soak->frames, slot);
    worldSamplesCheck(&soak->samples[slot], &soak->frames.slots[slot].target, &soak->world.counts,
                      &soak->result->verdict);
}

/* Waits for all frames in flight. */
static void checkSlots(Soak *soak) {
    for (uint32_t i = 1; i <= soak->context.framesInFlight; i++) { /* the oldest first */
        checkSlot(soak, (soak->context.slot + i) % soak->context.framesInFlight);
    }
}

static void endContext(Soak *soak) {
    checkSlots(soak);
    worldCrowdForget(soak->crowd);
    soak->crowd = NULL;
    worldForgetContext(&soak->world);
    worldContextDestroy(&soak->context);
}

static void beginContext(Soak *soak, uint64_t frame) {
    Random *random = &soak->world.random;
    uint64_t frames = MIN_FRAMES + randomBelow(random, MIN_FRAMES);
    soak->contextBegin = frame;
    soak->contextEnd = frame + (frames << randomBelow(random, FRAME_DOUBLINGS + 1));
    soak->needed = 0;
    soak->dropped = false;
    soak->cancelled = false;
    bool first = soak->world.counts.contexts++ == 0;
    worldContextCreate(&soak->host, random, first, &soak->context);
    soak->result->backend = soak->context.backend;
}

static void renewContext(Soak *soak, uint64_t frame) {
    if (soak->context.handle != NULL) {
        endContext(soak);
        measureRest(soak, frame);
    }
    beginContext(soak, frame);
}

/* ---- A frame ---- */

/* As after a presentation that failed: waits for the device and uses the last frame's slot again. */
static VkskinResult repeatSlot(Soak *soak) {
    checkSlots(soak);
    soak->world.ranges = (WorldRanges){0}; /* the device reads no destroyed output any more */
    soak->world.counts.framesRepeated++;
    return vkskinBeginFrame(soak->context.handle, soak->context.slot);
}

/* Waits for the slot's previous frame and checks it. */
static VkskinResult takeNextSlot(Soak *soak) {
    WorldContext *context = &soak->context;
    context->slot = (context->slot + 1) % context->framesInFlight;
    checkSlot(soak, context->slot);
    return vkskinBeginFrame(context->handle, context->slot);
}

static void beginFrame(Soak *soak) {
    WorldContext *context = &soak->context;
    bool repeats = context->frame % 31 == 30 && !soak->cancelled;
    VkskinResult result = repeats ? repeatSlot(soak) : takeNextSlot(soak);
    soak->cancelled = false;
    VkskinResult expected = soak->dropped ? VKSKIN_WARNING_COMMANDS_DROPPED : VKSKIN_SUCCESS;
    soak->dropped = false;
    context->frame++;
    if (result != expected) {
        worldFail("beginning a frame: %s (%s)", context->message, vkskinResultName(result));
    }
}

/* Makes, destroys and changes the crowd. */
static void changeCrowd(Soak *soak) {
    if (soak->crowd == NULL && randomBelow(&soak->crowds, 25) == 0) {
        soak->crowd = worldCrowdCreate(&soak->world, randomWord(&soak->crowds));
    } else if (soak->crowd != NULL && randomBelow(&soak->crowds, 100) == 0) {
        worldCrowdDestroy(soak->crowd);
        soak->crowd = NULL;
    }
    if (soak->crowd != NULL) {
        worldCrowdCompare(soak->crowd, &soak->frames.slots[soak->context.slot].target);
        worldCrowdCheck(soak->crowd);
        worldCrowdChange(soak->crowd);
    }
}

static void recordCrowd(Soak *soak, bool cancelled) {
    if (soak->crowd != NULL) {
        worldCrowdRecord(soak->crowd, &soak->frames.slots[soak->context.slot].target, cancelled);
        worldCrowdChange(soak->crowd); /* for the next frame */
    }
}

/* Gives commands and does not record them: the next vkskinBeginFrame drops them. */
static void abandonFrame(Soak *soak) {
    uint64_t before = soak->world.counts.commands;
    worldSkin(&soak->world, false);
    soak->dropped = soak->world.counts.commands > before;
    soak->world.counts.framesAbandoned++;
}

static void submitFrame(Soak *soak, uint64_t frame) {
    SoakFrames *frames = &soak->frames;
    World *world = &soak->world;
    uint32_t slot = soak->context.slot;
    soakFramesRecord(frames, slot);
    worldRecord(world, frames->slots[slot].target.commandBuffer, true);
    recordCrowd(soak, false);
    worldCheckPlaces(world);
    worldSamplesRecord(&soak->samples[slot], world, &frames->slots[slot].target, frame);
    worldBetween(world);
    world->counts.framesSubmitted++;
    world->counts.framesHeldBack += frames->opened < frames->submitted;
    soakFramesSubmit(frames, slot, randomBelow(&world->random, soak->context.framesInFlight + 1));
}

/* Records a frame and does not submit it. Only the created and destroyed objects remain of it. */
static void cancelFrame(Soak *soak) {
    World *world = &soak->world;
    WorldContext *context = &soak->context;
    soakFramesRecord(&soak->frames, context->slot);
    worldRecord(world, soak->frames.slots[context->slot].target.commandBuffer, false);
    recordCrowd(soak, true);
    worldBetween(world);
    worldContextCheck(context, "vkskinCancelFrame", vkskinCancelFrame(context->handle));
    if (soak->crowd != NULL) {
        worldCrowdCancel(soak->crowd, context->slot);
    }
    context->slot = (context->slot + context->framesInFlight - 1) % context->framesInFlight;
    world->counts.framesCancelled++;
    soak->cancelled = true;
}

static void runFrame(Soak *soak, uint64_t frame) {
    if (frame >= soak->contextEnd) {
        renewContext(soak, frame);
    }
    beginFrame(soak);
    worldBegin(&soak->world);
    changeCrowd(soak);
    if (randomBelow(&soak->world.random, 33) == 0) {
        abandonFrame(soak);
    } else if (randomBelow(&soak->world.random, 40) == 0) {
        cancelFrame(soak);
    } else {
        submitFrame(soak, frame);
    }
}

/* ---- The run ---- */

bool soakCovers(const WorldCounts *counts, EngineError *error) {
#define COVERED(field, text, json, missing) {missing, counts->field},
    const struct {
        const char *missing;
        uint64_t count;
    } covered[] = {WORLD_COUNTS(COVERED)};
    for (uint32_t i = 0; i < COUNT_OF(covered); i++) {
        if (covered[i].count == 0 && covered[i].missing != NULL) {
            return engineFail(error, "no %s", covered[i].missing);
        }
    }
    return true;
}

static void judgeCoverage(const Soak *soak) {
    const SoakResult *result = soak->result;
    EngineError error;
    bool judged = result->frames == soak->def->frames && result->frames >= SOAK_COVER_FRAMES;
    if (judged && !soakCovers(&soak->world.counts, &error)) {
        worldFail("%s", error.message);
    }
}

static void judgeMemory(const Soak *soak) {
    SoakResult *result = soak->result;
    const SoakSeries *series[BOUND_COUNT] = {&result->resident, &result->hostBytes, &result->poseBytes,
                                             &result->deviceShare, &result->objects};
    EngineError error;
    result->flatJudged = result->frames == soak->def->frames && result->frames >= SOAK_FLAT_FRAMES;
    for (int i = FIRST_BOUND; result->flatJudged && i < BOUND_COUNT; i++) {
        if (!soakSeriesIsFlat(series[i], &BOUNDS[i], &error)) {
            worldFail("%s", error.message);
        }
    }
}

static void runFrames(void *user) {
    Soak *soak = user;
    const SoakDef *def = soak->def;
    bool going = true;
    soakFramesCreate(soak->host.device, &soak->frames);
    for (uint64_t frame = 0; going && frame < def->frames; frame++) {
        runFrame(soak, frame);
        measurePoses(soak, frame);
        measureContext(soak, frame);
        soak->result->frames = frame + 1;
        going = def->progress == NULL || def->progress(def->user, frame + 1);
    }
    endContext(soak);
    judgeCoverage(soak);
    judgeMemory(soak);
}

/* Also after a failure. */
static void end(void *user) {
    Soak *soak = user;
    soakFramesDestroy(&soak->frames);
    if (soak->context.handle != NULL) {
        worldForgetContext(&soak->world);
        worldContextDestroy(&soak->context);
    }
    worldCrowdForget(soak->crowd);
    worldEnd(&soak->world);
}

bool soakRun(Device *device, const SoakDef *def, SoakResult *result, EngineError *error) {
    EngineError why, late;
    *result = (SoakResult){.verdict.digest = DIGEST_START};
    Soak *soak = newZeroed(1, sizeof *soak);
    soak->def = def;
    soak->result = result;
    soak->crowds.state = ~def->seed;
    soak->world.random.state = def->seed;
    soak->world.context = &soak->context;
    soak->host = (WorldHost){.device = device,
                             .backend = def->backend,
                             .functions = soakObjectsFunctions(),
                             .counted = &soak->memory,
                             .objectsAlive = soakObjectsAlive,
                             .validated = def->validated};
    double start = measureNow();
    bool good = worldTry(runFrames, soak, &why);
    good = worldTry(end, soak, good ? &why : &late) && good;
    result->seconds = (measureNow() - start) / 1000.0;
    result->counts = soak->world.counts;
    free(soak);
    return good ||
           engineFail(error, "seed %" PRIu64 ", frame %" PRIu64 ": %.400s", def->seed, result->frames, why.message);
}
