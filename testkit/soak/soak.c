/* The run of a soak: contexts one after the other, and in each one frame after the other. */
#include <inttypes.h>
#include <stdlib.h>

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
static const SoakBound RESIDENT_BOUND = {"the process's memory between contexts is", 0.05, 8e6};
static const SoakBound HOST_BOUND = {"the library's host memory is", 0.5, 0};
static const SoakBound POSE_BOUND = {"the memory of skeletons, clips and skins is", 0.25, 65536};
static const SoakBound DEVICE_BOUND = {"the library's device memory is", 0.5, 0};
static const SoakBound OBJECT_BOUND = {"the number of driver objects is", 0.5, 0};

typedef struct Soak {
    Device *device;
    const SoakDef *def;
    SoakResult *result;
    SoakWorld world;
    SoakContext context;
    SoakMemory memory; /* of the contexts */
    SoakFrames frames;
    SoakSamples samples[SOAK_MAX_FRAMES];
    uint64_t contextBegin, contextEnd; /* its frames, the last one excluded; counted from 0 */
    bool dropped;                      /* the previous frame was abandoned after commands were given */
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

/* By halves of the context's own frames, because contexts differ. */
static void measureContext(Soak *soak, uint64_t frame) {
    SoakResult *result = soak->result;
    VkskinStats stats;
    uint32_t half;
    uint64_t end = soak->contextEnd < soak->def->frames ? soak->contextEnd : soak->def->frames;
    if (halfOf(frame, soak->contextBegin, end, CONTEXT_WARMUP, &half)) {
        (void)vkskinGetStats(soak->context.handle, &stats); /* fails only for null */
        soakSeriesAdd(&result->hostBytes, half, (double)atomic_load(&soak->memory.bytes));
        soakSeriesAdd(&result->deviceBytes, half, (double)stats.deviceBytes);
        soakSeriesAdd(&result->objects, half, (double)soakObjectsAlive());
    }
}

/* ---- Contexts ---- */

static bool checkSlot(Soak *soak, uint32_t slot, EngineError *error) {
    return soakFramesWait(&soak->frames, slot, error) &&
           soakSamplesCheck(&soak->samples[slot], &soak->frames.slots[slot], &soak->world.counts,
                            &soak->result->verdict, error);
}

/* Waits for all frames in flight. */
static bool endContext(Soak *soak, EngineError *error) {
    bool good = true;
    for (uint32_t i = 1; good && i <= soak->context.framesInFlight; i++) { /* the oldest first */
        good = checkSlot(soak, (soak->context.slot + i) % soak->context.framesInFlight, error);
    }
    if (!good) {
        return false;
    }
    soakWorldForgetContext(&soak->world);
    return soakContextDestroy(&soak->context, error);
}

static bool beginContext(Soak *soak, uint64_t frame, EngineError *error) {
    Random *random = &soak->world.random;
    uint64_t frames = MIN_FRAMES + randomBelow(random, MIN_FRAMES);
    soak->contextBegin = frame;
    soak->contextEnd = frame + (frames << randomBelow(random, FRAME_DOUBLINGS + 1));
    soak->dropped = false;
    soak->world.counts.contexts++;
    if (!soakContextCreate(soak->device, random, soak->def->backend, &soak->memory, &soak->context, error)) {
        return false;
    }
    soak->result->backend = soak->context.backend;
    return true;
}

static bool renewContext(Soak *soak, uint64_t frame, EngineError *error) {
    if (frame < soak->contextEnd) {
        return true;
    }
    if (soak->context.handle != NULL) {
        if (!endContext(soak, error)) {
            return false;
        }
        measureRest(soak, frame);
    }
    return beginContext(soak, frame, error);
}

/* ---- A frame ---- */

/* Waits for the slot's previous frame and checks it. */
static bool beginFrame(Soak *soak, EngineError *error) {
    SoakContext *context = &soak->context;
    context->slot = (context->slot + 1) % context->framesInFlight;
    if (!checkSlot(soak, context->slot, error)) {
        return false;
    }
    VkskinResult result = vkskinBeginFrame(context->handle, context->slot);
    VkskinResult expected = soak->dropped ? VKSKIN_WARNING_COMMANDS_DROPPED : VKSKIN_SUCCESS;
    context->frame++;
    return result == expected ||
           engineFail(error, "vkskinBeginFrame: %s (%s)", context->message, vkskinResultName(result));
}

/* Gives commands and does not record them: the next vkskinBeginFrame drops them. */
static bool abandonFrame(Soak *soak, EngineError *error) {
    uint64_t before = soak->world.counts.commands;
    if (!soakWorldSkin(&soak->world, false, error)) {
        return false;
    }
    soak->dropped = soak->world.counts.commands > before;
    soak->world.counts.framesAbandoned++;
    return true;
}

/* Skins some instances; sometimes others with a second record. */
static bool recordSkinning(Soak *soak, VkCommandBuffer commandBuffer, EngineError *error) {
    SoakWorld *world = &soak->world;
    bool good = soakWorldSkin(world, true, error) && soakWorldBetween(world, error) &&
                soakContextRecord(&soak->context, commandBuffer, error);
    if (good && randomBelow(&world->random, 5) == 0) {
        good = soakWorldBetween(world, error) && soakWorldSkin(world, true, error) &&
               soakContextRecord(&soak->context, commandBuffer, error);
    }
    return good;
}

static bool submitFrame(Soak *soak, uint64_t frame, EngineError *error) {
    SoakFrames *frames = &soak->frames;
    uint32_t slot = soak->context.slot;
    bool good = soakFramesRecord(frames, slot, error) &&
                recordSkinning(soak, frames->slots[slot].commandBuffer, error) &&
                soakWorldCheckPlaces(&soak->world, error) &&
                soakSamplesRecord(&soak->samples[slot], &soak->world, &frames->slots[slot], frame, error) &&
                soakWorldBetween(&soak->world, error);
    if (!good) {
        return false;
    }
    soak->dropped = false;
    soak->world.counts.framesSubmitted++;
    soak->world.counts.framesHeldBack += frames->opened < frames->submitted;
    uint64_t lag = randomBelow(&soak->world.random, soak->context.framesInFlight + 1);
    return soakFramesSubmit(frames, slot, lag, error);
}

/* Records a frame and does not submit it. Only the created and destroyed objects remain of it. */
static bool cancelFrame(Soak *soak, EngineError *error) {
    SoakWorld *world = &soak->world;
    SoakContext *context = &soak->context;
    SoakFrames *frames = &soak->frames;
    bool good = soakFramesRecord(frames, context->slot, error) && soakWorldSkin(world, false, error) &&
                soakWorldBetween(world, error) &&
                soakContextRecord(context, frames->slots[context->slot].commandBuffer, error) &&
                soakWorldBetween(world, error);
    if (!good) {
        return false;
    }
    VkskinResult result = vkskinCancelFrame(context->handle);
    if (!soakContextCheck(context, "vkskinCancelFrame", result, error)) {
        return false;
    }
    context->slot = (context->slot + context->framesInFlight - 1) % context->framesInFlight;
    soak->dropped = false;
    world->counts.framesCancelled++;
    return true;
}

static bool runFrame(Soak *soak, uint64_t frame, EngineError *error) {
    if (!renewContext(soak, frame, error) || !beginFrame(soak, error) || !soakWorldBegin(&soak->world, error)) {
        return false;
    }
    if (randomBelow(&soak->world.random, 33) == 0) {
        return abandonFrame(soak, error);
    }
    bool cancelled = randomBelow(&soak->world.random, 40) == 0;
    return cancelled ? cancelFrame(soak, error) : submitFrame(soak, frame, error);
}

/* ---- The run ---- */

static bool judgeMemory(const Soak *soak, EngineError *error) {
    SoakResult *result = soak->result;
    result->flatJudged = result->frames == soak->def->frames && result->frames >= SOAK_FLAT_FRAMES;
    return !result->flatJudged || (soakSeriesIsFlat(&result->resident, &RESIDENT_BOUND, error) &&
                                   soakSeriesIsFlat(&result->hostBytes, &HOST_BOUND, error) &&
                                   soakSeriesIsFlat(&result->poseBytes, &POSE_BOUND, error) &&
                                   soakSeriesIsFlat(&result->deviceBytes, &DEVICE_BOUND, error) &&
                                   soakSeriesIsFlat(&result->objects, &OBJECT_BOUND, error));
}

static bool begin(Soak *soak, EngineError *error) {
    soak->world.random.state = soak->def->seed;
    soak->world.context = &soak->context;
    soak->result->verdict.digest = DIGEST_START;
    return soakFramesCreate(soak->device, &soak->frames, error);
}

static bool runFrames(Soak *soak, EngineError *error) {
    const SoakDef *def = soak->def;
    bool going = true;
    for (uint64_t frame = 0; going && frame < def->frames; frame++) {
        if (!runFrame(soak, frame, error)) {
            return false;
        }
        measurePoses(soak, frame);
        measureContext(soak, frame);
        soak->result->frames = frame + 1;
        going = def->progress == NULL || def->progress(def->user, frame + 1);
    }
    return endContext(soak, error);
}

/* Also after a failure. */
static bool end(Soak *soak, bool good, EngineError *error) {
    EngineError late;
    soakFramesDestroy(&soak->frames);
    if (soak->context.handle != NULL) {
        soakWorldForgetContext(&soak->world);
        soakContextDestroy(&soak->context, &late);
    }
    bool ended = soakWorldEnd(&soak->world, good ? error : &late);
    return good && ended;
}

bool soakRun(Device *device, const SoakDef *def, SoakResult *result, EngineError *error) {
    EngineError why;
    *result = (SoakResult){0};
    Soak *soak = newZeroed(1, sizeof *soak);
    *soak = (Soak){.device = device, .def = def, .result = result};
    double start = measureNow();
    bool good = end(soak, begin(soak, &why) && runFrames(soak, &why) && judgeMemory(soak, &why), &why);
    result->seconds = (measureNow() - start) / 1000.0;
    result->counts = soak->world.counts;
    free(soak);
    return good ||
           engineFail(error, "seed %" PRIu64 ", frame %" PRIu64 ": %.400s", def->seed, result->frames, why.message);
}
