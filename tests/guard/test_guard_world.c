/*
 * A world of random calls on guarded memory: no kernel, copy or call leaves a buffer or writes what the frame's instances
 * do not own, and one instance's palette never changes another's output.
 *
 * A round is a context of any shape and some frames. Palettes hold any value, many instances share one, words of some
 * commands hold anything: see world.h. Outputs are in pages of the library and in buffers of the host.
 *
 *     test_guard_world end|start|assisted [SEED [ROUNDS]]
 *
 * end, start: which end of every buffer touches an inaccessible page. assisted: GPU-assisted validation checks every
 * access of the kernels (lavapipe only: see test_guard_pages.c). A failure prints its seed; to repeat it, run one round.
 */
#include "guard_pages.h"
#include "interposer.h"
#include "output_spans.h"
#include "world.h"

#define ROUNDS_PER_SHAPE 4 /* neighbouring seeds share their kernels, which take long to make */
#define FRAMES           12
#define SAMPLES          16u /* vertices of each instance that are compared */
#define MAX_GONE         1024u

/* Placement given on the command line. */
static GuardPlacement placement;
static uint64_t seed = 1, rounds = 8;

/* An output that was given up after a record: it is still written. */
typedef struct Gone {
    VkskinMeshInfo info;
    VkskinOutput output;
} Gone;

typedef struct Round {
    Gpu *gpu;
    Device device;
    VkskinMemoryCallbacks memory;
    WorldHost host;
    World world;
    WorldContext context;
    WorldVerdict verdict;
    Gone gone[MAX_GONE];
    uint32_t goneCount;
    uint64_t seed, hosted;
} Round;

static void keepGone(void *user, const VkskinMeshInfo *info, const VkskinOutput *output) {
    Round *round = user;
    assert_true(round->goneCount < MAX_GONE);
    round->gone[round->goneCount++] = (Gone){*info, *output};
}

/* ---- The output ---- */

/* Every entry of the palette is sane, so every word is written. */
static bool isSane(const WorldInstance *instance) {
    return !instance->pose.odd && (!instance->pose.made || instance->pose.wildOfTen == 0);
}

static void takeOutput(const VkskinOutput *output, const VkskinMeshInfo *info, bool whole) {
    OutputSpan spans[MAX_OUTPUT_SPANS];
    const uint32_t count = outputSpans(info, spans);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < info->vertexCount; v++) {
            guardTake(output->buffer, output->offset + spans[i].offset + (VkDeviceSize)v * spans[i].stride,
                      spans[i].bytes, whole);
        }
    }
}

static void checkInstance(Round *round, const WorldInstance *instance) {
    static WorldSample sample; /* too large for a stack */
    const VkskinMeshInfo *info = &instance->mesh->info;
    const VkskinOutput output = worldOutput(&round->world, instance);
    const GuardBuffer *buffer = guardFind(output.buffer);
    const VkDeviceSize last =
        output.previousPositionOffset + (VkDeviceSize)output.positionStride * (output.vertexCount - 1);
    assert_int_equal(output.vertexCount, info->vertexCount);
    assert_true(last + sizeof(float) * info->dimensions <= buffer->size);
    round->hosted += instance->place.buffer != WORLD_NO_BUFFER;
    if (worldIsKnown(instance)) {
        worldSampleTake(&round->world, instance, SAMPLES, &sample);
        sample.previousUnknown = true; /* the guard has overwritten them */
        worldSampleCheck(&sample, round->context.frame, buffer->bytes, &round->world.counts, &round->verdict);
    }
    takeOutput(&output, info, isSane(instance));
}

static void checkFrame(Round *round) {
    for (uint32_t i = 0; i < round->world.instanceCount; i++) {
        const WorldInstance *instance = round->world.instances[i];
        if (instance->recordFrame == round->context.frame) {
            checkInstance(round, instance);
        }
    }
    while (round->goneCount > 0) {
        const Gone *gone = &round->gone[--round->goneCount];
        takeOutput(&gone->output, &gone->info, false);
    }
    guardCheck();
}

/* ---- Frames ---- */

static void runFrame(Round *round) {
    WorldContext *context = &round->context;
    World *world = &round->world;
    context->slot = (context->slot + 1) % context->framesInFlight;
    context->frame++;
    worldContextCheck(context, "vkskinBeginFrame", vkskinBeginFrame(context->handle, context->slot));
    guardSpoilInputs();
    worldBegin(world);
    VkCommandBuffer commandBuffer = gpuBegin(round->gpu);
    worldRecord(world, commandBuffer, true);
    worldCheckPlaces(world);
    worldBetween(world);
    guardArm();
    gpuSubmitAndWait(round->gpu, commandBuffer);
    world->ranges = (WorldRanges){.next = 0}; /* the device is idle */
    checkFrame(round);
}

static void runRound(void *user) {
    Round *round = user;
    guardNote("seed %llu, making the context", (unsigned long long)round->seed);
    worldContextCreate(&round->host, &round->world.random, false, &round->context);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        guardNote("seed %llu, frame %u", (unsigned long long)round->seed, frame);
        runFrame(round);
    }
    worldForgetContext(&round->world);
    worldContextDestroy(&round->context);
    worldEnd(&round->world);
}

/* Lends the kernels of the shape before to all contexts of this one. */
static void lendKernels(Round *round) {
    static uint64_t lent;
    interposerLendKernels(&round->host.functions);
    if (round->host.kindsSeed != lent) {
        interposerFreeKernels();
        lent = round->host.kindsSeed;
    }
}

static void prepare(Gpu *gpu, uint64_t roundSeed, Round *round) {
    guardStart(gpu, placement);
    round->gpu = gpu;
    round->seed = roundSeed;
    round->device = (Device){.instance = gpu->instance,
                             .physical = gpu->physicalDevice,
                             .handle = gpu->device,
                             .queue = gpu->queue,
                             .family = gpu->family,
                             .limits = gpu->properties.limits,
                             .memory = gpu->memory};
    round->memory = guardMemory();
    round->host = (WorldHost){.device = &round->device,
                              .backend = VKSKIN_BACKEND_COMPUTE,
                              .functions = guardFunctions(),
                              .memory = &round->memory,
                              .cache = gpu->cache,
                              .kindsSeed = 1 + roundSeed / ROUNDS_PER_SHAPE,
                              .simple = placement == GUARD_BY_LAYER,
                              .dense = true};
    lendKernels(round);
    round->world.random.state = roundSeed;
    round->world.context = &round->context;
    round->world.onGone = keepGone;
    round->world.user = round;
}

/* ---- Running ---- */

static bool finished;

static int printSeed(void **state) {
    if (!finished) {
        print_error("this was %s\n", guardNoted());
    }
    return gpuTestTeardown(state);
}

GPU_TEST_WITH(nothingGoesOutside, printSeed) {
    static Round round; /* too large for a stack */
    WorldCounts all = {.contexts = 0};
    EngineError error;
    uint64_t hosted = 0;
    interposerBegin(gpu);
    for (uint64_t i = 0; i < rounds; i++) {
        memset(&round, 0, sizeof round);
        round.world.counts = all;
        round.hosted = hosted;
        prepare(gpu, seed + i, &round);
        if (!worldTry(runRound, &round, &error)) {
            fail_msg("%s", error.message);
        }
        all = round.world.counts;
        hosted = round.hosted;
    }
    /* Rounds in which nothing was skinned, compared or refused would prove nothing. */
    assert_true(all.meshesPassing > 0 && all.instancesSkinned > 0 && hosted > 0 && all.verticesChecked > 0 &&
                all.oddRefused > 0 && guardCheckedBytes() > 0);
    finished = true;
    print_message(
        "%llu seeds from %llu: %llu meshes (%llu with pass-through attributes), %llu instances skinned (%llu "
        "in a buffer of the host), %llu vertices held against the reference, %llu refusals, %.1f GB watched\n",
        (unsigned long long)rounds, (unsigned long long)seed, (unsigned long long)all.meshesMade,
        (unsigned long long)all.meshesPassing, (unsigned long long)all.instancesSkinned, (unsigned long long)hosted,
        (unsigned long long)all.verticesChecked, (unsigned long long)all.oddRefused,
        1e-9 * (double)guardCheckedBytes());
}

static bool readPlacement(const char *name) {
    static const char *const names[] = {
        [GUARD_AT_END] = "end", [GUARD_AT_START] = "start", [GUARD_BY_LAYER] = "assisted"};
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            placement = (GuardPlacement)i;
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 4 || !readPlacement(argv[1])) {
        fprintf(stderr, "usage: %s end|start|assisted [SEED [ROUNDS]]\n", argv[0]);
        return 2;
    }
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    rounds = argc > 3 ? strtoull(argv[3], NULL, 10) : rounds;
    GpuRequest request = guardRequest;
    request.gpuAssisted = placement == GUARD_BY_LAYER;
    gpuRequest(&request);
    return testRunGroup("guard world", NULL, NULL, NULL);
}
