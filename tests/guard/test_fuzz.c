/*
 * Contexts, meshes, palettes and commands of any kind through the public interface: no kernel, copy or call leaves a
 * buffer or writes what the frame's instances do not own, and one instance's palette never changes another's output.
 *
 * A round is a context of any shape and some frames. Meshes and instances are created and destroyed, palettes hold any
 * value, many instances share one, commands come in any order and in several calls, words of some hold anything. Outputs
 * are in pages of the library and in a buffer of the host.
 *
 *     test_fuzz end|start|assisted [SEED [ROUNDS]]
 *
 * end, start: which end of every buffer touches an inaccessible page. assisted: GPU-assisted validation checks every
 * access of the kernels (lavapipe only: see test_guard_pages.c). A failure prints its seed; to repeat it, run one round.
 */
#include "fuzz.h"
#include "guard_pages.h"
#include "interposer.h"
#include "output_spans.h"
#include "meshes.h"

#define ROUNDS_PER_SHAPE 4 /* neighbouring seeds share their kernels, which take long to make */

/* Of the command line. */
static GuardPlacement placement;
static uint64_t seed = 1, rounds = 12;

typedef struct Totals {
    uint64_t rounds, frames, meshes, passing, instances, hosted, vertices, refusals;
} Totals;

/* Overwrites one word of the command's palette, method or flags. */
static void overwriteWord(Random *random, VkskinSkinCommand *command) {
    uint32_t words[offsetof(VkskinSkinCommand, morphWeights) / sizeof(uint32_t)]; /* a pointer must be valid */
    uint32_t instanceWords = sizeof command->instance / sizeof(uint32_t); /* they come first and are not changed */
    memcpy(words, command, sizeof words);
    words[instanceWords + randomBelow(random, COUNT_OF(words) - instanceWords)] =
        randomBelow(random, 2) == 0 ? randomWord(random) : 16 * randomBelow(random, 64);
    memcpy(command, words, sizeof words);
}

/* ---- A round ---- */

#define FRAMES       12
#define MAX_MESHES   6
#define MAX_PALETTES (3 * MAX_MESHES)
#define NONE         UINT32_MAX

typedef struct FuzzInstance {
    VkskinInstance handle;
    uint32_t mesh;
    bool hosted;        /* in the host's buffer */
    VkDeviceSize place; /* there */
    uint32_t palette;   /* of this frame, or NONE: not skinned in it */
    bool odd;           /* skinned by a command that holds anything: its output is not compared */
    bool recorded;
    float morphWeights[FUZZ_MORPHS]; /* of this frame */
} FuzzInstance;

typedef struct FuzzScene {
    Gpu *gpu;
    Random random;
    FuzzContext of;
    FuzzBuffer buffer;
    Totals *totals;
    FuzzMesh meshes[MAX_MESHES];
    uint32_t meshCount;
    FuzzInstance instances[FUZZ_MAX_INSTANCES];
    uint32_t instanceCount;
    FuzzPalette palettes[MAX_PALETTES];
    uint32_t paletteMeshes[MAX_PALETTES]; /* the mesh whose bones each holds */
    uint32_t paletteCount;
    FuzzRing ring;
    VkskinOutput gone;       /* of an instance destroyed after it was recorded; null buffer: none */
    VkskinMeshInfo goneInfo; /* of its mesh */
} FuzzScene;

static uint32_t below(FuzzScene *scene, uint32_t count) {
    return randomBelow(&scene->random, count);
}

static bool oneIn(FuzzScene *scene, uint32_t count) {
    return below(scene, count) == 0;
}

/* ---- Creating and destroying ---- */

static void destroyInstance(FuzzScene *scene, uint32_t index) {
    FuzzInstance *instance = &scene->instances[index];
    GPU_VKSKIN(scene->gpu, vkskinDestroyInstance(scene->of.context, instance->handle));
    scene->meshes[instance->mesh].instanceCount--;
    *instance = scene->instances[--scene->instanceCount];
}

static void destroyMesh(FuzzScene *scene, uint32_t index) {
    uint32_t last = --scene->meshCount;
    GPU_VKSKIN(scene->gpu, vkskinDestroyMesh(scene->of.context, scene->meshes[index].handle));
    fuzzMeshFree(&scene->meshes[index]);
    scene->meshes[index] = scene->meshes[last];
    for (uint32_t i = 0; i < scene->instanceCount; i++) {
        FuzzInstance *instance = &scene->instances[i];
        instance->mesh = instance->mesh == last ? index : instance->mesh;
    }
}

static void createMesh(FuzzScene *scene) {
    uint32_t most = oneIn(scene, 4) || scene->of.maxBones < 200 ? scene->of.maxBones : 200;
    fuzzMeshCreate(scene->gpu, &scene->of, &scene->random, most, &scene->meshes[scene->meshCount++]);
    scene->totals->meshes++;
    scene->totals->passing += scene->meshes[scene->meshCount - 1].info.layout.passThroughCount > 0;
}

static void createInstance(FuzzScene *scene) {
    FuzzInstance *instance = &scene->instances[scene->instanceCount];
    *instance = (FuzzInstance){.mesh = below(scene, scene->meshCount), .palette = NONE};
    FuzzMesh *mesh = &scene->meshes[instance->mesh];
    instance->hosted = oneIn(scene, 3) && fuzzBufferPlace(scene->gpu, scene->of.context, &scene->random, &scene->buffer,
                                                          mesh, &instance->handle, &instance->place);
    if (!instance->hosted) {
        GPU_VKSKIN(scene->gpu, vkskinCreateInstances(scene->of.context, mesh->handle, 1, &instance->handle));
    }
    mesh->instanceCount++;
    scene->instanceCount++;
}

static void change(FuzzScene *scene) {
    for (uint32_t i = scene->instanceCount; i-- > 0;) {
        if (oneIn(scene, 6)) {
            destroyInstance(scene, i);
        }
    }
    for (uint32_t i = scene->meshCount; i-- > 0;) {
        if (scene->meshes[i].instanceCount == 0 && oneIn(scene, 2)) {
            destroyMesh(scene, i);
        }
    }
    while (scene->meshCount == 0 || (scene->meshCount < MAX_MESHES && oneIn(scene, 2))) {
        createMesh(scene);
    }
    while (scene->instanceCount < scene->of.def.maxInstances && !oneIn(scene, 40)) {
        createInstance(scene);
    }
}

/* ---- Palettes ---- */

static FuzzWay anyWay(FuzzScene *scene, const FuzzMesh *mesh) {
    static const FuzzWay flat = {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3};
    return mesh->info.dimensions == 2 ? flat : scene->of.shape.ways[below(scene, FUZZ_WAYS)];
}

/* A mesh without bones gets a palette too, which is not read. */
static uint32_t bonesOf(const FuzzMesh *mesh) {
    return mesh->info.boneCount > 0 ? mesh->info.boneCount : 1;
}

static void takePalettes(FuzzScene *scene) {
    scene->ring = (FuzzRing){.pageSize = scene->of.palettePageSize, .size = scene->of.def.paletteBytesPerFrame};
    scene->paletteCount = 0;
    for (uint32_t i = 0; i < MAX_PALETTES; i++) {
        uint32_t mesh = i < scene->meshCount ? i : below(scene, scene->meshCount);
        FuzzPalette *palette = &scene->palettes[scene->paletteCount];
        const FuzzMesh *of = &scene->meshes[mesh];
        if (fuzzPaletteTake(scene->gpu, scene->of.context, &scene->random, &scene->ring, anyWay(scene, of), bonesOf(of),
                            palette)) {
            scene->paletteMeshes[scene->paletteCount++] = mesh;
        }
    }
}

static void freePalettes(FuzzScene *scene) {
    while (scene->paletteCount > 0) {
        fuzzPaletteFree(&scene->palettes[--scene->paletteCount]);
    }
}

/* One of the mesh's palettes, or NONE. */
static uint32_t choosePalette(FuzzScene *scene, uint32_t mesh) {
    uint32_t chosen = NONE, found = 0;
    for (uint32_t i = 0; i < scene->paletteCount; i++) {
        if (scene->paletteMeshes[i] == mesh && oneIn(scene, ++found)) {
            chosen = i;
        }
    }
    return chosen;
}

/* ---- Commands ---- */

static VkskinSkinCommand commandFor(FuzzScene *scene, const FuzzInstance *instance) {
    const FuzzPalette *palette = &scene->palettes[instance->palette];
    return (VkskinSkinCommand){
        .morphWeights = instance->morphWeights,
        .morphWeightCount = scene->meshes[instance->mesh].model.morphCount,
        .instance = instance->handle,
        .palette = palette->handle,
        .method = palette->method,
        .flags = oneIn(scene, 4) ? VKSKIN_SKIN_TELEPORT_BIT : 0,
    };
}

/* Any word in the command: accepted or refused, it must do no harm. */
static bool tryOddCommand(FuzzScene *scene, FuzzInstance *instance) {
    VkskinSkinCommand command = commandFor(scene, instance);
    overwriteWord(&scene->random, &command);
    instance->odd = vkskinSkinInstances(scene->of.context, &command, 1, NULL) == VKSKIN_SUCCESS;
    scene->totals->refusals += !instance->odd;
    return instance->odd;
}

/* No weight every second time, one of the two every fourth time. */
static void chooseMorphs(FuzzScene *scene, FuzzInstance *instance) {
    bool any = scene->meshes[instance->mesh].model.morphCount > 0 && oneIn(scene, 2);
    for (uint32_t i = 0; i < FUZZ_MORPHS; i++) {
        instance->morphWeights[i] = any && !oneIn(scene, 4) ? randomFloat(&scene->random, -1.0f, 1.0f) : 0.0f;
    }
}

/* Skins some of the instances from `first` on in one call; returns the first one of the next call. */
static uint32_t giveSome(FuzzScene *scene, const uint32_t *order, uint32_t first) {
    VkskinSkinCommand commands[FUZZ_MAX_INSTANCES];
    uint32_t count = 0;
    uint32_t end = first + 1 + below(scene, scene->instanceCount - first);
    for (uint32_t i = first; i < end; i++) {
        FuzzInstance *instance = &scene->instances[order[i]];
        instance->palette = oneIn(scene, 5) ? NONE : choosePalette(scene, instance->mesh);
        if (instance->palette == NONE) {
            continue;
        }
        chooseMorphs(scene, instance);
        if (!oneIn(scene, 12) || !tryOddCommand(scene, instance)) {
            commands[count++] = commandFor(scene, instance);
        }
    }
    GPU_VKSKIN(scene->gpu, vkskinSkinInstances(scene->of.context, commands, count, NULL));
    return end;
}

static void shuffle(FuzzScene *scene, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = below(scene, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

static void record(FuzzScene *scene, VkCommandBuffer commandBuffer) {
    GPU_VKSKIN(scene->gpu, vkskinRecordSkinning(scene->of.context, commandBuffer));
    for (uint32_t i = 0; i < scene->instanceCount; i++) {
        scene->instances[i].recorded = scene->instances[i].palette != NONE;
    }
}

/* An instance that waits to be recorded is dropped; one that was recorded is still written. */
static void destroyAny(FuzzScene *scene) {
    uint32_t index = below(scene, scene->instanceCount);
    const FuzzInstance *instance = &scene->instances[index];
    if (instance->recorded) {
        GPU_VKSKIN(scene->gpu, vkskinGetOutput(scene->of.context, instance->handle, &scene->gone));
        scene->goneInfo = scene->meshes[instance->mesh].info;
    }
    destroyInstance(scene, index);
}

static void skinInstances(FuzzScene *scene, VkCommandBuffer commandBuffer) {
    uint32_t order[FUZZ_MAX_INSTANCES];
    uint32_t first = 0;
    scene->gone = (VkskinOutput){0};
    for (uint32_t i = 0; i < scene->instanceCount; i++) {
        scene->instances[i].palette = NONE;
        scene->instances[i].odd = false;
        scene->instances[i].recorded = false;
    }
    shuffle(scene, order, scene->instanceCount);
    while (first < scene->instanceCount) {
        first = giveSome(scene, order, first);
        if (oneIn(scene, 3)) {
            record(scene, commandBuffer);
        }
    }
    if (scene->instanceCount > 1 && oneIn(scene, 3)) {
        destroyAny(scene);
    }
    record(scene, commandBuffer);
}

/* ---- The output ---- */

static bool allSane(const FuzzPalette *palette) {
    for (uint32_t b = 0; b < palette->handle.boneCount; b++) {
        if (palette->wild[b]) {
            return false;
        }
    }
    return true;
}

static void takeOutput(const VkskinOutput *output, const VkskinMeshInfo *info, bool whole) {
    OutputSpan spans[MAX_OUTPUT_SPANS];
    uint32_t count = outputSpans(info, spans);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < output->vertexCount; v++) {
            guardTake(output->buffer, output->offset + spans[i].offset + (VkDeviceSize)v * spans[i].stride,
                      spans[i].bytes, whole);
        }
    }
}

static void checkInstance(FuzzScene *scene, const FuzzInstance *instance) {
    const FuzzMesh *mesh = &scene->meshes[instance->mesh];
    const FuzzPalette *palette = &scene->palettes[instance->palette];
    VkskinOutput output = markerOutput(scene->gpu, scene->of.context, instance->handle);
    const GuardBuffer *buffer = guardFind(output.buffer);
    assert_int_equal(output.vertexCount, mesh->info.vertexCount);
    assert_true(instance->hosted == (output.buffer == scene->buffer.buffer));
    if (instance->hosted) {
        fuzzBufferCheck(&scene->buffer, &mesh->info, &output, instance->place);
        scene->totals->hosted++;
    }
    VkDeviceSize positions =
        output.previousPositionOffset + (VkDeviceSize)output.positionStride * (output.vertexCount - 1);
    assert_true(positions + sizeof(float) * mesh->info.dimensions <= buffer->size);
    if (!instance->odd) {
        scene->totals->vertices +=
            fuzzCheckVertices(&scene->random, mesh, palette, instance->morphWeights, &output, buffer->bytes);
    }
    takeOutput(&output, &mesh->info, !instance->odd && allSane(palette));
    scene->totals->instances++;
}

static void checkFrame(FuzzScene *scene) {
    for (uint32_t i = 0; i < scene->instanceCount; i++) {
        if (scene->instances[i].palette != NONE) {
            checkInstance(scene, &scene->instances[i]);
        }
    }
    if (scene->gone.buffer != VK_NULL_HANDLE) {
        takeOutput(&scene->gone, &scene->goneInfo, false);
    }
    guardCheck();
}

/* ---- Frames ---- */

static void runFrame(FuzzScene *scene, uint32_t slot) {
    change(scene);
    GPU_VKSKIN(scene->gpu, vkskinBeginFrame(scene->of.context, slot));
    guardSpoilInputs();
    takePalettes(scene);
    VkCommandBuffer commandBuffer = gpuBegin(scene->gpu);
    skinInstances(scene, commandBuffer);
    guardArm();
    gpuSubmitAndWait(scene->gpu, commandBuffer);
    checkFrame(scene);
    freePalettes(scene);
    scene->totals->frames++;
}

static void runRound(Gpu *gpu, uint64_t roundSeed, Totals *totals) {
    static FuzzScene scene; /* too large for a stack */
    scene = (FuzzScene){.gpu = gpu, .random = {roundSeed}, .totals = totals};
    guardStart(gpu, placement);
    guardNote("roundSeed %llu, making the context", (unsigned long long)roundSeed);
    scene.of = fuzzContextCreate(gpu, &scene.random, roundSeed / ROUNDS_PER_SHAPE, placement == GUARD_BY_LAYER);
    fuzzBufferCreate(gpu, &scene.of, &scene.random, &scene.buffer);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        guardNote("roundSeed %llu, frame %u", (unsigned long long)roundSeed, frame);
        runFrame(&scene, frame % scene.of.def.framesInFlight);
    }
    while (scene.meshCount > 0) {
        fuzzMeshFree(&scene.meshes[--scene.meshCount]);
    }
    vkskinDestroyContext(scene.of.context);
    fuzzBufferFree(gpu, &scene.buffer);
    totals->rounds++;
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
    Totals totals = {0};
    interposerBegin(gpu);
    while (totals.rounds < rounds) {
        runRound(gpu, seed + totals.rounds, &totals);
    }
    /* Rounds in which nothing was skinned, compared or refused would prove nothing. */
    assert_true(totals.passing > 0 && totals.instances > 0 && totals.hosted > 0 && totals.vertices > 0 &&
                totals.refusals > 0 && guardCheckedBytes() > 0);
    finished = true;
    print_message("%llu seeds from %llu: %llu frames, %llu meshes (%llu with pass-through attributes), %llu instances "
                  "(%llu in a buffer of the host), %llu vertices held against the "
                  "reference, %llu refusals, %.1f GB watched\n",
                  (unsigned long long)totals.rounds, (unsigned long long)seed, (unsigned long long)totals.frames,
                  (unsigned long long)totals.meshes, (unsigned long long)totals.passing,
                  (unsigned long long)totals.instances, (unsigned long long)totals.hosted,
                  (unsigned long long)totals.vertices, (unsigned long long)totals.refusals,
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
    return testRunGroup("guard fuzz", NULL, NULL, NULL);
}
