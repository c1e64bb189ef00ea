#include "fuzz_scene.h"

#include <string.h>

#include "fuzz_check.h"
#include "fuzz_context.h"
#include "fuzz_refusals.h"
#include "watch.h"

#define FRAMES       12
#define MAX_MESHES   6
#define MAX_PALETTES (3 * MAX_MESHES)
#define NONE         UINT32_MAX

typedef struct FuzzInstance {
    VkskinInstance handle;
    uint32_t mesh;
    uint32_t palette; /* of this frame, or NONE: not skinned in it */
    bool odd;         /* skinned by a command that holds anything: its output is its own, and not looked at */
    bool recorded;
    float morphWeights[FUZZ_MORPHS]; /* of this frame */
} FuzzInstance;

typedef struct FuzzScene {
    Gpu *gpu;
    Random random;
    FuzzContext of;
    FuzzTotals *totals;
    FuzzMesh meshes[MAX_MESHES];
    uint32_t meshCount;
    FuzzInstance instances[FUZZ_MAX_INSTANCES];
    uint32_t instanceCount;
    FuzzPalette palettes[MAX_PALETTES];
    uint32_t paletteMeshes[MAX_PALETTES]; /* whose bones they hold */
    uint32_t paletteCount;
    FuzzRing ring;
    VkskinOutput gone;   /* of an instance that went after it was recorded; no buffer: there is none */
    uint32_t goneStride; /* of its positions */
    uint32_t given;      /* commands that were taken in this frame, those of instances that went included */
} FuzzScene;

static uint32_t below(FuzzScene *scene, uint32_t count) {
    return randomBelow(&scene->random, count);
}

static bool oneIn(FuzzScene *scene, uint32_t count) {
    return below(scene, count) == 0;
}

/* ---- What comes and goes ---- */

static void destroyInstance(FuzzScene *scene, uint32_t index) {
    FuzzInstance *instance = &scene->instances[index];
    GPU_VKSKIN(scene->gpu, vkskinDestroyInstance(scene->of.context, instance->handle));
    scene->meshes[instance->mesh].instanceCount--;
    *instance = scene->instances[--scene->instanceCount];
}

static void destroyMesh(FuzzScene *scene, uint32_t index) {
    uint32_t last = --scene->meshCount;
    fuzzMeshDestroy(scene->gpu, scene->of.context, &scene->meshes[index]);
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
}

static void createInstance(FuzzScene *scene) {
    FuzzInstance *instance = &scene->instances[scene->instanceCount];
    *instance = (FuzzInstance){.mesh = below(scene, scene->meshCount), .palette = NONE};
    FuzzMesh *mesh = &scene->meshes[instance->mesh];
    GPU_VKSKIN(scene->gpu, instanceOf(scene->of.context, mesh->handle, &instance->handle));
    mesh->instanceCount++;
    scene->instanceCount++;
}

static void createOneTooMany(FuzzScene *scene) {
    VkskinInstance instance;
    scene->gpu->log.count = 0;
    gpuCheckRefusal(scene->gpu, "one instance too many",
                    instanceOf(scene->of.context, scene->meshes[0].handle, &instance), VKSKIN_ERROR_TOO_MANY_INSTANCES,
                    "maxInstances");
    scene->totals->refusals++;
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
    if (scene->instanceCount == scene->of.def.maxInstances) {
        createOneTooMany(scene);
    }
    if (oneIn(scene, 3)) {
        fuzzMeshRefusal(scene->gpu, scene->of.context, &scene->random);
        scene->totals->refusals++;
    }
}

/* ---- Palettes ---- */

static FuzzWay anyWay(FuzzScene *scene, const FuzzMesh *mesh) {
    static const FuzzWay flat = {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3};
    return mesh->info.dimensions == 2 ? flat : scene->of.shape.ways[below(scene, FUZZ_WAYS)];
}

/* One without bones gets a palette as well, which nobody reads. */
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

/* One of those that were made for the mesh, or NONE. */
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
        .morphWeightCount = scene->meshes[instance->mesh].morphCount,
        .instance = instance->handle,
        .palette = palette->handle,
        .method = palette->method,
        .flags = oneIn(scene, 4) ? VKSKIN_SKIN_TELEPORT_BIT : 0,
    };
}

static void tryBadCommand(FuzzScene *scene, const FuzzInstance *instance) {
    VkskinSkinCommand good = commandFor(scene, instance);
    bool pair = oneIn(scene, 2) && scene->given + 2 <= scene->of.def.maxInstances;
    fuzzCommandRefusal(scene->gpu, scene->of.context, &scene->random, &scene->ring, &good,
                       scene->meshes[instance->mesh].info.boneCount, pair);
    scene->totals->refusals++;
}

/* Any word in the command: taken or refused, it must do no harm. */
static bool tryOddCommand(FuzzScene *scene, FuzzInstance *instance) {
    VkskinSkinCommand command = commandFor(scene, instance);
    fuzzCommandWord(&scene->random, &command);
    instance->odd = vkskinSkinInstances(scene->of.context, &command, 1) == VKSKIN_SUCCESS;
    scene->given += instance->odd;
    scene->totals->refusals += !instance->odd;
    return instance->odd;
}

/* Every second time none, every fourth time one of the two. */
static void chooseMorphs(FuzzScene *scene, FuzzInstance *instance) {
    bool any = scene->meshes[instance->mesh].morphCount > 0 && oneIn(scene, 2);
    for (uint32_t i = 0; i < FUZZ_MORPHS; i++) {
        instance->morphWeights[i] = any && !oneIn(scene, 4) ? randomFloat(&scene->random, -1.0f, 1.0f) : 0.0f;
    }
}

/* Gives the instances from `first` on that this call shall take; returns where the next one begins. */
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
        if (scene->meshes[instance->mesh].info.boneCount > 0 && oneIn(scene, 8)) {
            tryBadCommand(scene, instance);
        }
        if (!oneIn(scene, 12) || !tryOddCommand(scene, instance)) {
            commands[count++] = commandFor(scene, instance);
        }
    }
    GPU_VKSKIN(scene->gpu, vkskinSkinInstances(scene->of.context, commands, count));
    scene->given += count;
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

/* One that waits to be recorded is dropped; one that was recorded is still written; or it was not to be skinned. */
static void destroyAny(FuzzScene *scene) {
    uint32_t index = below(scene, scene->instanceCount);
    const FuzzInstance *instance = &scene->instances[index];
    if (instance->recorded) {
        GPU_VKSKIN(scene->gpu, vkskinGetOutput(scene->of.context, instance->handle, &scene->gone));
        scene->goneStride = 4 * scene->meshes[instance->mesh].info.dimensions;
    }
    destroyInstance(scene, index);
}

static void skinInstances(FuzzScene *scene, VkCommandBuffer commandBuffer) {
    uint32_t order[FUZZ_MAX_INSTANCES];
    uint32_t first = 0;
    scene->given = 0;
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

/* ---- What came out ---- */

static bool allSane(const FuzzPalette *palette) {
    for (uint32_t b = 0; b < palette->handle.boneCount; b++) {
        if (palette->wild[b]) {
            return false;
        }
    }
    return true;
}

/* stride: of a position. */
static void takeOutput(const VkskinOutput *output, uint32_t stride, bool whole) {
    watchTake(output->buffer, output->positionOffset, (VkDeviceSize)stride * output->vertexCount, whole);
    watchTake(output->buffer, output->attributeOffset, (VkDeviceSize)output->attributeStride * output->vertexCount,
              whole);
}

static void checkInstance(FuzzScene *scene, const FuzzInstance *instance) {
    const FuzzMesh *mesh = &scene->meshes[instance->mesh];
    const FuzzPalette *palette = &scene->palettes[instance->palette];
    VkskinOutput output;
    GPU_VKSKIN(scene->gpu, vkskinGetOutput(scene->of.context, instance->handle, &output));
    const GuardBuffer *buffer = guardFind(output.buffer);
    assert_int_equal(output.vertexCount, mesh->info.vertexCount);
    uint32_t stride = 4 * mesh->info.dimensions;
    assert_true(output.previousPositionOffset + (VkDeviceSize)stride * output.vertexCount <= buffer->size);
    if (!instance->odd) {
        scene->totals->vertices +=
            fuzzCheckVertices(&scene->random, mesh, palette, instance->morphWeights, &output, buffer->bytes);
    }
    takeOutput(&output, stride, !instance->odd && allSane(palette));
    scene->totals->instances++;
}

static void checkFrame(FuzzScene *scene) {
    for (uint32_t i = 0; i < scene->instanceCount; i++) {
        if (scene->instances[i].palette != NONE) {
            checkInstance(scene, &scene->instances[i]);
        }
    }
    if (scene->gone.buffer != VK_NULL_HANDLE) {
        takeOutput(&scene->gone, scene->goneStride, false);
    }
    watchCheck();
}

/* ---- Frames ---- */

static void runFrame(FuzzScene *scene, uint32_t slot) {
    change(scene);
    GPU_VKSKIN(scene->gpu, vkskinBeginFrame(scene->of.context, slot));
    watchSpoilInputs();
    takePalettes(scene);
    VkCommandBuffer commandBuffer = gpuBegin(scene->gpu);
    skinInstances(scene, commandBuffer);
    watchArm();
    gpuSubmitAndWait(scene->gpu, commandBuffer);
    checkFrame(scene);
    freePalettes(scene);
    scene->totals->frames++;
}

void fuzzRound(Gpu *gpu, GuardPlacement placement, uint64_t seed, FuzzTotals *totals) {
    static FuzzScene scene; /* too large for a stack */
    scene = (FuzzScene){.gpu = gpu, .random = {seed}, .totals = totals};
    guardStart(gpu, placement);
    guardNote("seed %llu, making the context", (unsigned long long)seed);
    scene.of = fuzzContextCreate(gpu, &scene.random, seed / FUZZ_ROUNDS_A_SHAPE, placement == GUARD_BY_LAYER);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        guardNote("seed %llu, frame %u", (unsigned long long)seed, frame);
        runFrame(&scene, frame % scene.of.def.framesInFlight);
    }
    while (scene.meshCount > 0) {
        fuzzMeshFree(&scene.meshes[--scene.meshCount]);
    }
    fuzzContextDestroy(&scene.of);
    totals->rounds++;
}

void fuzzFinish(void) {
    fuzzContextFinish();
}
