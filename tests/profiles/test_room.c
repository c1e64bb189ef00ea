/*
 * Devices with little room: what does not fit is refused as documented and leaves nothing behind, and the context goes
 * on with what it has.
 */
#include <string.h>

#include "marker.h"
#include "smoke.h"

#define VERTICES 20000 /* 240,000 bytes of output: one or four to a page */
#define MOST     400
#define STEP     10 /* one of so many instances is skinned: software drivers are slow */

typedef struct Room {
    Gpu *gpu;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instances[MOST];
    uint32_t count;
    uint32_t frame;
} Room;

static void makeContext(Room *room, VkskinPaletteMemory palettes) {
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    VkskinContextDef def = smokeContextDef(room->gpu, &functions, &memory);
    def.paletteMemory = palettes;
    def.paletteBytesPerFrame = 64 * 1024;
    def.maxInstances = MOST;
    GPU_VKSKIN(room->gpu, vkskinCreateContext(&def, &room->context));
    room->mesh = markerMesh(room->gpu, room->context, VERTICES, false);
}

/* ---- Frames ---- */

static float markOf(const Room *room, uint32_t instance) {
    return (float)(1000 * room->frame + instance);
}

static void checkInstance(Room *room, uint32_t instance) {
    VkskinOutput output;
    GPU_VKSKIN(room->gpu, vkskinGetOutput(room->context, room->instances[instance], &output));
    GpuBuffer copy = gpuBuffer(room->gpu, (VkDeviceSize)VERTICES * 12, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commandBuffer = gpuBegin(room->gpu);
    gpuRecordReadback(commandBuffer, output.buffer, output.positionOffset, copy.size, copy.buffer);
    gpuSubmitAndWait(room->gpu, commandBuffer);
    assert_int_equal(markerMismatches(copy.mapped, VERTICES, markOf(room, instance), 1.0f), 0);
    gpuFreeBuffer(room->gpu, &copy);
}

/* Skins some of what there is, the last included, and looks at the first and the last. */
static void runFrame(Room *room) {
    GPU_VKSKIN(room->gpu, vkskinBeginFrame(room->context, room->frame++ % 2));
    uint32_t last = room->count - 1;
    for (uint32_t i = last % STEP; i <= last; i += STEP) {
        markerSkin(room->gpu, room->context, room->instances[i], markOf(room, i), 1.0f);
    }
    VkCommandBuffer commandBuffer = gpuBegin(room->gpu);
    GPU_VKSKIN(room->gpu, vkskinRecordSkinning(room->context, commandBuffer));
    gpuSubmitAndWait(room->gpu, commandBuffer);
    checkInstance(room, last % STEP);
    checkInstance(room, last);
}

/* ---- Running out ---- */

/* What a refused call must leave as it was. */
typedef struct Holdings {
    uint32_t meshes, instances, meshPages, outputPages, allocations;
    uint64_t deviceBytes;
} Holdings;

static Holdings holdings(Room *room) {
    VkskinStats stats;
    GPU_VKSKIN(room->gpu, vkskinGetStats(room->context, &stats));
    Holdings now = {.deviceBytes = stats.deviceBytes};
    now.meshes = stats.meshes;
    now.instances = stats.instances;
    now.meshPages = stats.meshPages;
    now.outputPages = stats.outputPages;
    now.allocations = profileShim.use.allocations;
    return now;
}

static void checkHoldings(Room *room, const Holdings *before) {
    Holdings now = holdings(room);
    assert_int_equal(now.meshes, before->meshes);
    assert_int_equal(now.instances, before->instances);
    assert_int_equal(now.meshPages, before->meshPages);
    assert_int_equal(now.outputPages, before->outputPages);
    assert_int_equal(now.allocations, before->allocations);
    assert_int_equal(now.deviceBytes, before->deviceBytes);
}

static bool addInstance(Room *room, VkskinResult refusal) {
    Holdings before = holdings(room);
    VkskinInstance *instance = &room->instances[room->count];
    assert_true(room->count < MOST);
    *instance = (VkskinInstance){7, 7};
    VkskinResult result = instanceOf(room->context, room->mesh, instance);
    if (result == VKSKIN_SUCCESS) {
        room->count++;
        return true;
    }
    gpuCheckRefusal(room->gpu, "vkskinCreateInstance", result, refusal, "vkAllocateMemory");
    assert_true(instance->index == 0 && instance->generation == 0);
    checkHoldings(room, &before);
    return false;
}

/* Not even staging memory is left where nothing is: the page that the mesh was to have may stay, empty. */
static void refuseMesh(Room *room, VkskinResult refusal) {
    VkskinMesh mesh = {7, 7};
    Holdings before = holdings(room);
    VkskinResult result = markerTryMesh(room->context, 10 * VERTICES, false, &mesh);
    gpuCheckRefusal(room->gpu, "vkskinCreateMesh", result, refusal, "vkAllocateMemory");
    assert_true(mesh.index == 0 && mesh.generation == 0);
    checkHoldings(room, &before);
}

/* Room comes back when the slot in which the instances went is begun again. */
static void freeHalf(Room *room) {
    uint32_t kept = room->count / 2;
    while (room->count > kept) {
        GPU_VKSKIN(room->gpu, vkskinDestroyInstance(room->context, room->instances[--room->count]));
    }
    runFrame(room);
    runFrame(room);
}

static void runOut(Gpu *gpu, ProfileName name, VkskinPaletteMemory palettes, VkskinResult refusal) {
    Room room = {.gpu = gpu};
    profileShimBegin(gpu, &profiles[name]);
    makeContext(&room, palettes);
    while (addInstance(&room, refusal)) {
    }
    uint32_t most = room.count;
    assert_true(most >= 10);
    assert_false(addInstance(&room, refusal)); /* and again */
    refuseMesh(&room, refusal);
    runFrame(&room);
    runFrame(&room);
    freeHalf(&room);
    while (addInstance(&room, refusal)) {
    }
    assert_true(room.count >= most); /* the mesh's staging memory is free by now too */
    runFrame(&room);
    print_message("%s: %u instances of %u vertices, %u refusals\n", profiles[name].name, most, VERTICES,
                  profileShim.use.refusedAllocations);
    vkskinDestroyContext(room.context);
    profileShimEnd();
}

static void smallHeaps(void **state) {
    runOut(*state, PROFILE_SMALL_HEAPS, VKSKIN_PALETTE_MEMORY_AUTO, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY);
}

/* vkAllocateMemory answers too many objects, for which the library has no name of its own. */
static void fewAllocations(void **state) {
    runOut(*state, PROFILE_FEW_ALLOCATIONS, VKSKIN_PALETTE_MEMORY_STAGED, VKSKIN_ERROR_VULKAN);
}

/* A context that does not fit: nothing is left over, and a smaller one can be made. */
static void contextTooLarge(void **state) {
    Gpu *gpu = *state;
    VkskinVulkanFunctions functions;
    VkskinMemoryCallbacks memory;
    profileShimBegin(gpu, &profiles[PROFILE_SMALL_HEAPS]);
    VkskinContextDef def = smokeContextDef(gpu, &functions, &memory);
    VkskinContext context = (VkskinContext)(uintptr_t)1;
    def.paletteBytesPerFrame = (VkDeviceSize)20 << 20;
    VkskinResult result = vkskinCreateContext(&def, &context);
    gpuCheckRefusal(gpu, "vkskinCreateContext", result, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateMemory");
    assert_null(context);
    assert_int_equal(profileShim.use.allocations, 0);
    def.paletteBytesPerFrame = (VkDeviceSize)4 << 20;
    GPU_VKSKIN(gpu, vkskinCreateContext(&def, &context));
    vkskinDestroyContext(context);
    profileShimEnd();
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        PROFILE_TEST(smallHeaps),
        PROFILE_TEST(fewAllocations),
        PROFILE_TEST(contextTooLarge),
    };
    return gpuRunTests("little room", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
