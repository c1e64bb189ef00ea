/*
 * The smoke suite on every profile, and what the library must use on each. Devices that run out of memory: a call that
 * does not fit is refused as documented and leaves nothing behind, and the context continues with what it has.
 */
#include "marker_scene.h"
#include "smoke.h"

static const SmokeDef written = {VKSKIN_PALETTE_MEMORY_AUTO, VKSKIN_PALETTE_BINDING_TEXELS, 3, 3, false,
                                 VKSKIN_BACKEND_COMPUTE};
static const SmokeDef staged = {VKSKIN_PALETTE_MEMORY_STAGED, VKSKIN_PALETTE_BINDING_STORAGE, 2, 1, true,
                                VKSKIN_BACKEND_COMPUTE};

static VkskinStats stats; /* counts of the last frame of the last run */

/* Runs the suite with palettes in the memory that the library chooses, read as texels, and with staged palettes in a
 * storage buffer. Returns what it used. */
static const InterposerUse *runProfile(Gpu *gpu, ProfileName name) {
    const InterposerUse *use = &interposer.use;
    profileBegin(gpu, name);
    smokeRun(gpu, &staged, &stats);
    smokeRun(gpu, &written, &stats);
    print_message("%s: %u output pages, %u allocations at most, %u refused, %u flushes, %u copies; the largest "
                  "binding has %llu bytes\n",
                  profiles[name].name, stats.outputPages, use->mostAllocations, use->refusedAllocations, use->flushes,
                  use->copies, (unsigned long long)use->bindingBytes);
    interposerEnd();
    assert_int_equal(use->allocations, 0);
    return use;
}

INTERPOSER_TEST(leastLimits) {
    const InterposerUse *use = runProfile(gpu, PROFILE_LEAST_LIMITS);
    assert_int_equal(use->bindingBytes, 1u << 27); /* the host asked for 1 GiB */
    assert_int_equal(use->invocations, SMOKE_WORKGROUP);
    assert_int_equal(use->sets, 4);
    assert_int_equal(use->storageBuffers, 4);
    assert_int_equal(use->texelBuffers, 1);
    assert_true(use->pushBytes > 0);
    assert_int_equal(use->timestamps, 0);
}

INTERPOSER_TEST(incoherent) {
    const InterposerUse *use = runProfile(gpu, PROFILE_INCOHERENT);
    assert_true(use->flushes > 0);
    assert_true(use->typeAllocations[1] > 0);
    assert_int_equal(use->typeAllocations[2], 0); /* the coherent one */
}

/* The CPU's writes must be flushed, in whole atoms, and nothing is copied or dispatched. */
INTERPOSER_TEST(incoherentOnTheCpu) {
    static const SmokeDef onCpu = {.framesInFlight = 3, .outputRegions = 3, .backend = VKSKIN_BACKEND_CPU};
    const InterposerUse *use = &interposer.use;
    profileBegin(gpu, PROFILE_INCOHERENT);
    smokeRun(gpu, &onCpu, &stats);
    interposerEnd();
    assert_int_equal(stats.backend, VKSKIN_BACKEND_CPU);
    assert_int_equal(use->allocations, 0);
    assert_true(use->flushes >= SMOKE_FRAMES);
    assert_int_equal(use->copies, 0);
    assert_int_equal(use->dispatches, 0);
    assert_int_equal(use->typeAllocations[2], 0); /* the coherent one */
}

/* The device always reads palettes from its own memory: one copy per frame in both runs. */
INTERPOSER_TEST(staging) {
    const InterposerUse *use = runProfile(gpu, PROFILE_STAGING);
    assert_int_equal(use->copies, 2 * (SMOKE_MESHES + SMOKE_FRAMES));
    assert_true(use->typeAllocations[0] > 0 && use->typeAllocations[1] > 0);
}

INTERPOSER_TEST(smallHeaps) {
    (void)runProfile(gpu, PROFILE_SMALL_HEAPS);
}

INTERPOSER_TEST(noTimestamps) {
    const InterposerUse *use = runProfile(gpu, PROFILE_NO_TIMESTAMPS);
    assert_int_equal(use->timestamps, 0);
}

INTERPOSER_TEST(smallPages) {
    const InterposerUse *use = runProfile(gpu, PROFILE_SMALL_PAGES);
    assert_int_equal(use->bindingBytes, 1u << 20);
    assert_int_equal(use->copies, 2 * SMOKE_MESHES + SMOKE_FRAMES); /* palettes are written in place in one run */
    assert_true(stats.outputPages >= 2);
    assert_true(use->timestamps > 0);
}

/* Local heaps are full, and the other memory takes the rest. */
static void checkLocalFull(Gpu *gpu, ProfileName name) {
    const InterposerUse *use = runProfile(gpu, name);
    assert_true(use->refusedAllocations > 0);
    for (uint32_t type = 0; type < profiles[name].typeCount; type++) {
        assert_true(use->typeAllocations[type] > 0);
    }
}

INTERPOSER_TEST(localFull) {
    checkLocalFull(gpu, PROFILE_LOCAL_FULL);
}

INTERPOSER_TEST(localFullFirst) {
    checkLocalFull(gpu, PROFILE_LOCAL_FULL_FIRST);
}

INTERPOSER_TEST(fewAllocations) {
    const InterposerUse *use = runProfile(gpu, PROFILE_FEW_ALLOCATIONS);
    assert_true(use->mostAllocations <= 48);
}

/* ---- At the limits ---- */

INTERPOSER_TEST(moreThanTheLeastIsRefused) {
    VkskinMesh mesh;
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    profileBegin(gpu, PROFILE_LEAST_LIMITS);
    VkskinContextDef def = profileContextDef(gpu);
    VkskinContext context = gpuContext(gpu, &def);
    pipelines.workgroupSize = 160;
    gpuCheckRefusal(gpu, "workgroup", vkskinCreatePipelines(context, &pipelines), VKSKIN_ERROR_INVALID_VALUE,
                    "workgroupSize is 160, not a multiple of 32 up to 128");
    /* 134,217,728 bytes are 11,184,810 positions; twice that with previous positions. */
    gpuCheckRefusal(gpu, "mesh", markerTryMesh(context, 5592406, true, &mesh), VKSKIN_ERROR_MESH_TOO_LARGE,
                    "the device binds 134217728");
    def.memory.maxInstances = 1457464; /* 92 bytes for each, and 131,072 for morph weights */
    gpuCheckRefusal(gpu, "instances", vkskinCreateContext(&def, &context), VKSKIN_ERROR_UNSUPPORTED_DEVICE,
                    "the device binds 134217728");
}

/* ---- Texels ---- */

#define TEXEL_PAGE_BONES 21845u /* 48 bytes each: 16 short of 65,536 texels */

static VkskinContext texelContext(Gpu *gpu, VkskinPaletteBinding binding) {
    VkskinContextDef def = profileContextDef(gpu);
    def.framesInFlight = 1;
    def.paletteBinding = binding;
    def.memory.paletteBytesPerFrame = 2500u << 10;
    return gpuContext(gpu, &def);
}

/* Skins a marker with a palette that follows one of `bones` bones. */
static void skinAfter(Gpu *gpu, VkskinContext context, uint32_t bones) {
    VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, 3, false));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    (void)markerPalettes(gpu, context, bones, 0.0f, 0.0f);
    markerSkin(gpu, context, instance, 5.0f, 6.0f);
    recordAndRun(gpu, context);
    checkPositions(gpu, context, instance, 5.0f, 6.0f);
}

/* Then a palette page is as large as a view may be, and a palette lies in one page. */
INTERPOSER_TEST(fewTexelsMakeSmallPages) {
    VkskinPalette palette;
    void *data;
    profileBegin(gpu, PROFILE_FEW_TEXELS);
    VkskinContext context = texelContext(gpu, VKSKIN_PALETTE_BINDING_TEXELS);
    assert_int_equal(statsOf(gpu, context).palettePages, 3);
    assert_int_equal(interposer.use.texels, 1u << 16);
    skinAfter(gpu, context, TEXEL_PAGE_BONES);
    gpuCheckRefusal(gpu, "palette",
                    vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, TEXEL_PAGE_BONES + 1, &palette, &data),
                    VKSKIN_ERROR_PALETTE_RING_FULL, "as texels none may be larger than 1048576 bytes");
}

INTERPOSER_TEST(fewTexelsDoNotBindStorage) {
    profileBegin(gpu, PROFILE_FEW_TEXELS);
    VkskinContext context = texelContext(gpu, VKSKIN_PALETTE_BINDING_STORAGE);
    assert_int_equal(statsOf(gpu, context).palettePages, 1);
    assert_int_equal(interposer.use.texels, 1u << 16);
    skinAfter(gpu, context, TEXEL_PAGE_BONES + 1);
}

/* ---- Running out of room ---- */

#define VERTICES 20000 /* 240,000 bytes of output: one or four per page */
#define MOST     400
#define STEP     10 /* every STEP-th instance is skinned: software drivers are slow */

typedef struct Room {
    Gpu *gpu;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instances[MOST];
    uint32_t count;
    uint32_t frame;
} Room;

static void makeRoom(Room *room, VkskinPaletteMemory palettes) {
    VkskinContextDef def = profileContextDef(room->gpu);
    def.memory.palettes = palettes;
    def.memory.paletteBytesPerFrame = 64 * 1024;
    def.memory.maxInstances = MOST;
    room->context = gpuContext(room->gpu, &def);
    room->mesh = markerMesh(room->gpu, room->context, VERTICES, false);
}

/* ---- Frames ---- */

static float markOf(const Room *room, uint32_t instance) {
    return (float)(1000 * room->frame + instance);
}

static void checkInstance(Room *room, uint32_t instance) {
    VkskinOutput output = markerOutput(room->gpu, room->context, room->instances[instance]);
    GpuBuffer copy = gpuBuffer(room->gpu, (VkDeviceSize)VERTICES * 12, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commandBuffer = gpuBegin(room->gpu);
    gpuRecordReadback(commandBuffer, output.buffer, output.positionOffset, copy.size, copy.buffer);
    gpuSubmitAndWait(room->gpu, commandBuffer);
    assert_int_equal(markerMismatches(copy.mapped, VERTICES, markOf(room, instance), 1.0f), 0);
    gpuFreeBuffer(room->gpu, &copy);
}

/* Skins some instances, the last among them, and checks the first and the last. */
static void skinSome(Room *room) {
    GPU_VKSKIN(room->gpu, vkskinBeginFrame(room->context, room->frame++ % 2));
    uint32_t last = room->count - 1;
    for (uint32_t i = last % STEP; i <= last; i += STEP) {
        markerSkin(room->gpu, room->context, room->instances[i], markOf(room, i), 1.0f);
    }
    recordAndRun(room->gpu, room->context);
    checkInstance(room, last % STEP);
    checkInstance(room, last);
}

/* ---- Running out ---- */

/* What a refused call must not change. */
typedef struct Holdings {
    uint64_t meshes, instances, meshPages, outputPages, allocations, deviceBytes;
} Holdings;

static Holdings holdings(const Room *room) {
    VkskinStats held = statsOf(room->gpu, room->context);
    return (Holdings){held.meshes,     held.instances, held.meshPages, held.outputPages, interposer.use.allocations,
                      held.deviceBytes};
}

static void checkHoldings(const Room *room, const Holdings *before) {
    Holdings now = holdings(room);
    assert_memory_equal(&now, before, sizeof now);
}

static bool addInstance(Room *room, VkskinResult refusal) {
    Holdings before = holdings(room);
    VkskinInstance *instance = &room->instances[room->count];
    assert_true(room->count < MOST);
    *instance = (VkskinInstance){7, 7};
    VkskinResult result = vkskinCreateInstances(room->context, room->mesh, 1, instance);
    if (result == VKSKIN_SUCCESS) {
        room->count++;
        return true;
    }
    gpuCheckRefusal(room->gpu, "vkskinCreateInstance", result, refusal, "vkAllocateMemory");
    assert_true(instance->index == 0 && instance->generation == 0);
    checkHoldings(room, &before);
    return false;
}

/* The refused mesh leaves no staging memory. An empty page may stay. */
static void refuseMesh(Room *room, VkskinResult refusal) {
    VkskinMesh mesh = {7, 7};
    Holdings before = holdings(room);
    VkskinResult result = markerTryMesh(room->context, 10 * VERTICES, false, &mesh);
    gpuCheckRefusal(room->gpu, "vkskinCreateMesh", result, refusal, "vkAllocateMemory");
    assert_true(VKSKIN_EQUALS(mesh, VKSKIN_NULL_MESH));
    checkHoldings(room, &before);
}

/* The memory is free when the slot in which the instances were destroyed begins again. */
static void freeHalf(Room *room) {
    uint32_t kept = room->count / 2;
    while (room->count > kept) {
        GPU_VKSKIN(room->gpu, vkskinDestroyInstance(room->context, room->instances[--room->count]));
    }
    skinSome(room);
    skinSome(room);
}

static void runOut(Gpu *gpu, ProfileName name, VkskinPaletteMemory palettes, VkskinResult refusal) {
    Room room = {.gpu = gpu};
    profileBegin(gpu, name);
    makeRoom(&room, palettes);
    while (addInstance(&room, refusal)) {
    }
    uint32_t most = room.count;
    assert_true(most >= 10);
    assert_false(addInstance(&room, refusal)); /* and again */
    refuseMesh(&room, refusal);
    skinSome(&room);
    skinSome(&room);
    freeHalf(&room);
    while (addInstance(&room, refusal)) {
    }
    assert_true(room.count >= most); /* the mesh's staging memory is free by now too */
    skinSome(&room);
    print_message("%s: %u instances of %u vertices, %u refusals\n", profiles[name].name, most, VERTICES,
                  interposer.use.refusedAllocations);
}

INTERPOSER_TEST(smallHeapsRunOut) {
    runOut(gpu, PROFILE_SMALL_HEAPS, VKSKIN_PALETTE_MEMORY_AUTO, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY);
}

/* vkAllocateMemory returns VK_ERROR_TOO_MANY_OBJECTS, for which the library has no result of its own. */
INTERPOSER_TEST(allocationsRunOut) {
    runOut(gpu, PROFILE_FEW_ALLOCATIONS, VKSKIN_PALETTE_MEMORY_STAGED, VKSKIN_ERROR_VULKAN);
}

/* A context that does not fit leaves nothing behind, and a smaller one can be created. */
INTERPOSER_TEST(contextIsTooLarge) {
    profileBegin(gpu, PROFILE_SMALL_HEAPS);
    VkskinContextDef def = profileContextDef(gpu);
    VkskinContext context = (VkskinContext)(uintptr_t)1;
    def.memory.paletteBytesPerFrame = (VkDeviceSize)20 << 20;
    VkskinResult result = vkskinCreateContext(&def, &context);
    gpuCheckRefusal(gpu, "vkskinCreateContext", result, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateMemory");
    assert_null(context);
    assert_int_equal(interposer.use.allocations, 0);
    def.memory.paletteBytesPerFrame = (VkDeviceSize)4 << 20;
    (void)gpuContext(gpu, &def);
}
