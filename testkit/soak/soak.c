#include "soak.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "soak_events.h"
#include "soak_objects.h"

/* Frames of a context: the longest lives are some 128 times the shortest. */
#define SHORTEST_LIFE  30u
#define LIFE_DOUBLINGS 7u
#define DIGEST_START   0xcbf29ce484222325u

/* What is not counted: the tenth of a run, the quarter of a context's life. */
#define RUN_WARMUP  10u
#define LIFE_WARMUP 4u

/* How far the second half may lie above the first: means wander, a leak adds up. */
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
    uint64_t contextBegin, contextEnd; /* its first frame, and the first one that is not its own; counted from 0 */
    bool dropped;                      /* the frame before was abandoned with commands in it */
} Soak;

/* ---- Memory ---- */

/* Of a span: its first part is warm-up, of what follows the first or the second half. */
static bool halfOf(uint64_t frame, uint64_t begin, uint64_t end, uint32_t warmup, uint32_t *half) {
    uint64_t first = begin + (end - begin) / warmup;
    *half = frame < first + (end - first) / 2 ? 0 : 1;
    return frame >= first;
}

/* Between two contexts, when nothing of the library lives but poses: by the halves of the run. */
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

/* Of a context: by the halves of its own life, as no two are alike. What is left of it at its end is nothing. */
static void measureContext(Soak *soak, uint64_t frame) {
    SoakResult *result = soak->result;
    VkskinStats stats;
    uint32_t half;
    uint64_t end = soak->contextEnd < soak->def->frames ? soak->contextEnd : soak->def->frames;
    if (halfOf(frame, soak->contextBegin, end, LIFE_WARMUP, &half)) {
        (void)vkskinGetStats(soak->context.handle, &stats); /* it refuses nothing but null */
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

/* The only place that waits for the device to be idle. */
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
    uint64_t life = SHORTEST_LIFE + randomBelow(random, SHORTEST_LIFE);
    soak->contextBegin = frame;
    soak->contextEnd = frame + (life << randomBelow(random, LIFE_DOUBLINGS + 1));
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

/* The slot's last use is over and was checked; its ring regions may be written again. */
static bool beginFrame(Soak *soak, EngineError *error) {
    SoakContext *context = &soak->context;
    context->slot = (context->slot + 1) % context->framesInFlight;
    if (!checkSlot(soak, context->slot, error)) {
        return false;
    }
    VkskinResult result = vkskinBeginFrame(context->handle, context->slot);
    VkskinResult expected = soak->dropped ? VKSKIN_WARNING_COMMANDS_DROPPED : VKSKIN_SUCCESS;
    context->frame++;
    return result == expected || soakContextFail(context, "vkskinBeginFrame", result, error);
}

/* Commands were given and are never recorded: the next vkskinBeginFrame takes them back. */
static bool abandonFrame(Soak *soak, EngineError *error) {
    uint64_t before = soak->world.counts.commands;
    if (!soakEventsSkin(&soak->world, false, error)) {
        return false;
    }
    soak->dropped = soak->world.counts.commands > before;
    soak->world.counts.framesAbandoned++;
    return true;
}

static bool takeSamples(Soak *soak, SoakSamples *samples, SoakSlot *slot, uint64_t frame, EngineError *error) {
    SoakWorld *world = &soak->world;
    uint32_t wanted = 1 + randomBelow(&world->random, SOAK_MAX_SAMPLES);
    uint32_t first = world->instanceCount > 0 ? randomBelow(&world->random, world->instanceCount) : 0;
    bool good = true;
    samples->frame = frame;
    for (uint32_t i = 0; good && i < world->instanceCount && samples->count < wanted; i++) {
        const SoakInstance *instance = world->instances[(first + i) % world->instanceCount];
        if (instance->updateFrame > 0) {
            good = soakSamplesRecord(samples, world, instance, slot, error);
        }
    }
    soakSamplesEnd(samples, slot->commandBuffer);
    return good;
}

/* Skins some instances, and now and then others by a second record. */
static bool recordSkinning(Soak *soak, VkCommandBuffer commandBuffer, EngineError *error) {
    SoakWorld *world = &soak->world;
    bool good = soakEventsSkin(world, true, error) && soakEventsBetween(world, error) &&
                soakContextRecord(&soak->context, commandBuffer, error);
    if (good && randomBelow(&world->random, 5) == 0) {
        good = soakEventsBetween(world, error) && soakEventsSkin(world, true, error) &&
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
                takeSamples(soak, &soak->samples[slot], &frames->slots[slot], frame, error) &&
                soakEventsBetween(&soak->world, error);
    if (!good) {
        return false;
    }
    soak->dropped = false;
    soak->world.counts.framesSubmitted++;
    soak->world.counts.framesHeldBack += frames->opened < frames->submitted;
    uint64_t lag = randomBelow(&soak->world.random, soak->context.framesInFlight + 1);
    return soakFramesSubmit(frames, slot, lag, error);
}

/* Recorded like any other, and then not submitted: all but deaths and births is as if it had not been. */
static bool cancelFrame(Soak *soak, EngineError *error) {
    SoakWorld *world = &soak->world;
    SoakContext *context = &soak->context;
    SoakFrames *frames = &soak->frames;
    bool good = soakFramesRecord(frames, context->slot, error) && soakEventsSkin(world, false, error) &&
                soakEventsBetween(world, error) &&
                soakContextRecord(context, frames->slots[context->slot].commandBuffer, error) &&
                soakEventsBetween(world, error);
    if (!good) {
        return false;
    }
    VkskinResult result = vkskinCancelFrame(context->handle);
    if (result < 0) {
        return soakContextFail(context, "vkskinCancelFrame", result, error);
    }
    context->slot = (context->slot + context->framesInFlight - 1) % context->framesInFlight;
    soak->dropped = false;
    world->counts.framesCancelled++;
    return true;
}

static bool runFrame(Soak *soak, uint64_t frame, EngineError *error) {
    if (!renewContext(soak, frame, error) || !beginFrame(soak, error) || !soakEventsBegin(&soak->world, error)) {
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

/* After a failure, too. */
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
    Soak *soak = calloc(1, sizeof *soak);
    if (soak == NULL) {
        return engineFail(error, "out of memory");
    }
    *soak = (Soak){.device = device, .def = def, .result = result};
    double start = measureNow();
    bool good = end(soak, begin(soak, &why) && runFrames(soak, &why) && judgeMemory(soak, &why), &why);
    result->seconds = (measureNow() - start) / 1000.0;
    result->counts = soak->world.counts;
    free(soak);
    return good ||
           engineFail(error, "seed %" PRIu64 ", frame %" PRIu64 ": %.400s", def->seed, result->frames, why.message);
}
