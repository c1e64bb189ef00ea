/*
 * Frames on the null driver. A test may overwrite its memory and let allocations fail. Tests: uploads that are dropped,
 * cancelled or fixed by vkskinGetAccesses; timings of frames that never ran; large pages reused when memory is out.
 */

#include "null_frames.h"

/* ---- Uploads ---- */

typedef enum Drops { DROPPED, SKINNED, EMPTY, CANCELLED, CANCELLED_IN_TURN, DROPS_COUNT } Drops;

static void destroyBoth(VkskinInstance instance, VkskinMesh mesh) {
    OK(vkskinDestroyInstance(context, instance));
    OK(vkskinDestroyMesh(context, mesh));
}

/* A frame with a new mesh and an instance: dropped before the record, skinned, or not recorded at all. */
static void dropObjects(Drops drops, bool cancelled) {
    VkskinMesh mesh = makeMesh(FULL_PAGE);
    VkskinInstance instance = makeInstance(mesh);
    VkCommandBuffer commands = nullDriverBegin(driver);
    if (drops == DROPPED) {
        destroyBoth(instance, mesh);
        OK(vkskinRecordSkinning(context, commands));
    } else if (drops == SKINNED || drops == CANCELLED_IN_TURN) {
        skin(instance);
        OK(vkskinRecordSkinning(context, commands));
    }
    if (!cancelled) {
        nullDriverRun(commands);
    }
    if (drops != DROPPED) {
        destroyBoth(instance, mesh);
    }
    if (cancelled) {
        cancelFrame(commands);
    }
}

/* An editor creates objects and destroys them again, while uploads are recorded, or are not, or while frames are
 * cancelled, as those of a minimised window: memory does not grow. */
FRAME_TEST(droppedObjectsKeepNothing) {
    for (uint32_t i = 0; i < 3 * DROPS_COUNT; i++) {
        const Drops drops = (Drops)(i / 3);
        const uint32_t framesInFlight = i % 3 + 1;
        VkDeviceSize early = 0;
        uint32_t slot = 0;
        VkskinContextDef def = makeDriver(NULL);
        def.framesInFlight = framesInFlight;
        def.outputRegions = 1;
        makeContext(def);
        for (uint32_t frame = 0; frame < 40; frame++) {
            const bool cancelled = drops == CANCELLED || (drops == CANCELLED_IN_TURN && frame % 2 == 0);
            beginFrame(slot % framesInFlight);
            dropObjects(drops, cancelled);
            slot += !cancelled;
            early = frame == 27 ? statsOf().deviceBytes : early; /* the same slot as the last frame */
        }
        assert_int_equal(statsOf().deviceBytes, early);
        assert_int_equal(statsOf().meshes + statsOf().instances, 0);
        endContext();
    }
}

static PFN_vkCmdCopyBuffer realCopy;
static VkBuffer copiedTo[16];
static VkBufferCopy copied[16];
static uint32_t copies;

static VKAPI_ATTR void VKAPI_CALL watchCopy(VkCommandBuffer commands, VkBuffer source, VkBuffer target, uint32_t count,
                                            const VkBufferCopy *regions) {
    assert_true(copies < 16);
    copied[copies] = regions[0];
    copiedTo[copies++] = target;
    realCopy(commands, source, target, count, regions);
}

static void makeWatched(VkskinBarriers barriers, VkskinPaletteMemory paletteMemory) {
    VkskinContextDef def = makeDriver(NULL);
    VkskinVulkanFunctions functions = *nullDriverFunctions();
    realCopy = functions.vkCmdCopyBuffer;
    functions.vkCmdCopyBuffer = watchCopy;
    copies = 0;
    def.functions = &functions;
    def.barriers = barriers;
    def.memory.palettes = paletteMemory;
    makeContext(def);
}

static int makeHostBarriers(__attribute__((unused)) void **state) {
    makeWatched(VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    return 0;
}

#define HOST_BARRIERS_TEST(name) TEST_WITH(name, makeHostBarriers, tearDown)

/* Uploads of a cancelled frame are recorded again. The page holds garbage, such as joints outside the palette. */
FRAME_TEST(cancelledUploadsComeAgain) {
    makeWatched(VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkskinInstance instance = makeInstance(makeMesh(3));
    for (uint32_t frame = 0; frame < 2; frame++) {
        beginFrame(0);
        skin(instance);
        VkCommandBuffer commands = nullDriverBegin(driver);
        OK(vkskinRecordSkinning(context, commands));
        assert_int_equal(copies, frame + 1);
        if (frame == 0) {
            cancelFrame(commands);
            memset((void *)(uintptr_t)nullDriverContents(driver, copiedTo[0]), 0xff, PAGE_SIZE);
        } else {
            nullDriverRun(commands);
        }
    }
    beginFrame(1);
    record(vkskinRecordUploads, VKSKIN_SUCCESS);
    assert_int_equal(copies, 2); /* submitted uploads are not recorded again */
}

/* A mesh destroyed in the cancelled frame is not copied again; the other mesh is. */
HOST_BARRIERS_TEST(cancelledUploadsOfDestroyedMeshesDoNot) {
    for (uint32_t frame = 0; frame < 2; frame++) {
        VkskinMesh meshes[2];
        beginFrame(0);
        for (uint32_t i = 0; frame == 0 && i < 2; i++) {
            meshes[i] = makeMesh(FULL_PAGE);
        }
        VkCommandBuffer commands = nullDriverBegin(driver);
        OK(vkskinRecordUploads(context, commands));
        if (frame == 0) {
            nullDriverDrop(commands);
            OK(vkskinDestroyMesh(context, meshes[0]));
            OK(vkskinCancelFrame(context));
        } else {
            nullDriverRun(commands);
        }
    }
    assert_int_equal(copies, 3);
    assert_ptr_equal(copiedTo[2], copiedTo[1]);
}

static uint32_t askUploads(VkskinAccess *accesses, uint32_t room) {
    uint32_t count = room;
    OK(vkskinGetAccesses(context, VKSKIN_PASS_UPLOAD, accesses, &count));
    return count;
}

static uint32_t recordUploads(void) {
    uint32_t before = copies;
    record(vkskinRecordUploads, VKSKIN_SUCCESS);
    return copies - before;
}

/* A host that records the barriers may not skin a mesh whose copy was cancelled. */
HOST_BARRIERS_TEST(cancelledUploadsArePending) {
    VkskinInstance instance = makeInstance(makeMesh(3));
    beginFrame(0);
    VkCommandBuffer commands = nullDriverBegin(driver);
    OK(vkskinRecordUploads(context, commands));
    cancelFrame(commands);

    beginFrame(0);
    skin(instance);
    record(vkskinRecordSkinning, VKSKIN_ERROR_UPLOADS_PENDING);
}

/* Like a loader thread: creates meshes between the count query, the list query and the record, each in its own page. */
HOST_BARRIERS_TEST(accessesSettleWhatIsRecorded) {
    VkskinAccess accesses[8];
    beginFrame(0);
    makeMesh(FULL_PAGE);
    assert_int_equal(askUploads(NULL, 0), 1);
    VkskinMesh late = makeMesh(FULL_PAGE);
    assert_int_equal(askUploads(accesses, 1), 1);
    makeMesh(FULL_PAGE);
    assert_int_equal(recordUploads(), 1);
    assert_ptr_equal(copiedTo[0], accesses[0].buffer);

    skin(makeInstance(late));
    record(vkskinRecordSkinning, VKSKIN_ERROR_UPLOADS_PENDING);
    assert_int_equal(askUploads(accesses, 8), 2);
    assert_int_equal(recordUploads(), 2);
    assert_int_equal(askUploads(accesses, 8), 0);
    makeMesh(FULL_PAGE);
    assert_int_equal(recordUploads(), 0); /* created after the query, which listed nothing */
    assert_int_equal(recordUploads(), 1); /* the host need not ask for the accesses */
}

/* A query without a record is valid only for its frame. Destroyed meshes are removed from its result. */
HOST_BARRIERS_TEST(whatWasSettledEndsWithTheFrame) {
    VkskinMesh meshes[3];
    beginFrame(0);
    meshes[0] = makeMesh(FULL_PAGE);
    meshes[1] = makeMesh(FULL_PAGE);
    assert_int_equal(askUploads(NULL, 0), 2);
    meshes[2] = makeMesh(FULL_PAGE);
    OK(vkskinDestroyMesh(context, meshes[0]));
    assert_int_equal(askUploads(NULL, 0), 1);
    OK(vkskinDestroyMesh(context, meshes[2]));
    assert_int_equal(askUploads(NULL, 0), 1);
    makeMesh(FULL_PAGE);
    beginFrame(1);
    assert_int_equal(askUploads(NULL, 0), 2);
    assert_int_equal(recordUploads(), 2);
}

/* A mesh that is destroyed after its upload was recorded does not hide the upload of a later one. */
HOST_BARRIERS_TEST(uploadsAfterADestroyedOneAreRecorded) {
    beginFrame(0);
    VkskinMesh mesh = makeMesh(3);
    assert_int_equal(recordUploads(), 1);
    OK(vkskinDestroyMesh(context, mesh));
    makeMesh(3);
    assert_int_equal(recordUploads(), 1);
}

/* With staged palettes and host barriers, a palette allocated after the uploads delays only its own command. */
FRAME_TEST(laterPalettesHoldUpNoOther) {
    makeWatched(VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_STAGED);
    VkskinMesh mesh = makeMesh(3);
    VkskinInstance early = makeInstance(mesh);
    VkskinInstance late = makeInstance(mesh);
    beginFrame(0);
    skin(early);
    VkCommandBuffer commands = nullDriverBegin(driver);
    OK(vkskinRecordUploads(context, commands));
    const VkskinSkinCommand command = {.instance = late, .palette = makePalette(VKSKIN_PALETTE_MAT3X4)};
    OK(vkskinRecordSkinning(context, commands));
    assert_int_equal(statsOf().instancesSkinned, 1);

    OK(vkskinSkinInstances(context, &command, 1, NULL));
    RETURNS(VKSKIN_ERROR_UPLOADS_PENDING, vkskinRecordSkinning(context, commands));
    OK(vkskinRecordUploads(context, commands));
    OK(vkskinRecordSkinning(context, commands));
    assert_int_equal(statsOf().instancesSkinned, 2);
    assert_int_equal(copies, 3); /* the mesh and two palettes */
    assert_int_equal(copied[2].srcOffset, 48);
    assert_int_equal(copied[2].dstOffset, 48);
    cancelFrame(commands);
}

/* ---- Instances and their output ---- */

/* Memory of what is destroyed in a frame is used again when the frame's slot is begun again, and not before. */
FRAME_TEST(destroyedObjectsKeepTheirMemory) {
    makeWatched(VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkDeviceSize outputs[3];
    for (uint32_t frame = 0; frame < 3; frame++) {
        beginFrame(frame % 2);
        VkskinMesh mesh = makeMesh(100);
        VkskinInstance instance = makeInstance(mesh);
        skin(instance);
        recordSkinning();
        outputs[frame] = outputOf(instance).positionOffset;
        if (frame == 0) {
            OK(vkskinDestroyInstance(context, instance));
            OK(vkskinDestroyMesh(context, mesh));
        }
    }
    assert_int_equal(copies, 3);
    assert_int_not_equal(outputs[1], outputs[0]);
    assert_int_equal(outputs[2], outputs[0]);
    assert_int_not_equal(copied[1].dstOffset, copied[0].dstOffset);
    assert_int_equal(copied[2].dstOffset, copied[0].dstOffset);
}

/* Instances that are destroyed after they were recorded count in their frame. */
PLAIN_TEST(commandsOfAFrameAreLimited) {
    VkskinMesh mesh = makeMesh(3);
    VkskinInstance instance;
    beginFrame(0);
    for (uint32_t i = 0; i < 16; i++) {
        instance = makeInstance(mesh);
        skin(instance);
    }
    recordSkinning();
    OK(vkskinDestroyInstance(context, instance));
    const VkskinSkinCommand command = {.instance = makeInstance(mesh), .palette = makePalette(VKSKIN_PALETTE_MAT3X4)};
    RETURNS(VKSKIN_ERROR_TOO_MANY_INSTANCES, vkskinSkinInstances(context, &command, 1, NULL));
}

/* Kernels address palettes in units of 16 bytes; bones of 24 bytes leave a gap. */
PLAIN_TEST(palettesBeginAtSixteenBytes) {
    beginFrame(0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(makePalette(VKSKIN_PALETTE_MAT2X3).offset, 32 * i);
    }
}

/* Each frame writes another region: vkskinGetAccesses lists the one that vkskinGetOutput returns. */
FRAME_TEST(accessesListTheWrittenRegion) {
    VkskinContextDef def = makeDriver(NULL);
    def.barriers = VKSKIN_BARRIERS_HOST;
    def.framesInFlight = 3; /* one third of a page is no multiple of the alignment of its parts */
    def.outputRegions = 3;
    makeContext(def);
    VkskinInstance instance = makeInstance(makeMesh(3));
    for (uint32_t frame = 0; frame < 3; frame++) {
        VkskinAccess accesses[8];
        uint32_t count = 8;
        beginFrame(frame);
        skin(instance);
        recordUploads();
        OK(vkskinGetAccesses(context, VKSKIN_PASS_SKINNING, accesses, &count));
        recordSkinning();
        VkskinOutput output = outputOf(instance);
        uint32_t listed = 0;
        for (uint32_t i = 0; i < count; i++) {
            listed += accesses[i].buffer == output.buffer && accesses[i].offset <= output.positionOffset &&
                      output.positionOffset - accesses[i].offset < accesses[i].size;
        }
        assert_int_equal(listed, 1);
    }
}

/* ---- Slots that are used again ---- */

/* The device has finished: memory of the frame before is used again at once. */
PLAIN_TEST(repeatedSlotsFreeTheirObjects) {
    beginFrame(0);
    VkskinMesh mesh = makeMesh(100);
    VkskinInstance instance = makeInstance(mesh);
    skin(instance);
    recordSkinning();
    const VkDeviceSize first = outputOf(instance).positionOffset;
    const VkskinPalette palette = makePalette(VKSKIN_PALETTE_MAT3X4);
    destroyBoth(instance, mesh);
    beginFrame(0);
    assert_int_equal(statsOf().frame, 2);
    instance = makeInstance(makeMesh(100));
    const VkskinSkinCommand stale = {.instance = instance, .palette = palette};
    RETURNS(VKSKIN_ERROR_PALETTE_STALE, vkskinSkinInstances(context, &stale, 1, NULL));
    skin(instance);
    RETURNS(VKSKIN_WARNING_COMMANDS_DROPPED, vkskinBeginFrame(context, 0));
    skin(instance);
    recordSkinning();
    assert_int_equal(outputOf(instance).positionOffset, first);
    beginFrame(1);
}

/* Cancelling undoes the repeated frame alone. */
PLAIN_TEST(repeatedSlotsAreCancelled) {
    VkskinInstance instance = makeInstance(makeMesh(3));
    beginFrame(1);
    skin(instance);
    recordSkinning();
    const VkDeviceSize first = outputOf(instance).positionOffset;
    beginFrame(1);
    skin(instance);
    VkCommandBuffer commands = nullDriverBegin(driver);
    OK(vkskinRecordSkinning(context, commands));
    cancelFrame(commands);
    RETURNS(VKSKIN_ERROR_FRAME_ORDER, vkskinBeginFrame(context, 0)); /* the slot before the cancelled one */
    beginFrame(1);
    assert_int_equal(outputOf(instance).positionOffset, first);
}

/* ---- Timings ---- */

typedef enum Fate { FATE_RUN, FATE_DROPPED, FATE_CANCELLED } Fate;

/* Begins a frame, and runs, drops or cancels it. Returns the frame whose timings are then known; 0: none. */
static uint64_t timedFrame(uint32_t slot, Fate fate) {
    VkskinTiming timings[8];
    uint32_t count = 8;
    uint64_t known = 0;
    OK(vkskinBeginFrame(context, slot));
    OK(vkskinGetTimings(context, timings, &count, &known, NULL));
    assert_int_equal(count, known > 0 ? 1 : 0);
    VkCommandBuffer commands = nullDriverBegin(driver);
    OK(vkskinBeginScope(context, commands, "all"));
    OK(vkskinEndScope(context, commands, "all"));
    if (fate == FATE_RUN) {
        nullDriverRun(commands);
    } else if (fate == FATE_CANCELLED) {
        cancelFrame(commands);
    } else {
        nullDriverDrop(commands);
    }
    return known;
}

/* Frames in the slot before count like others. */
PLAIN_TEST(timingsOfRepeatedSlots) {
    assert_int_equal(timedFrame(0, FATE_RUN), 0);
    assert_int_equal(timedFrame(0, FATE_RUN), 0);
    assert_int_equal(timedFrame(0, FATE_RUN), 1);
    assert_int_equal(timedFrame(1, FATE_RUN), 2);
    assert_int_equal(timedFrame(0, FATE_RUN), 3);
    assert_int_equal(timedFrame(0, FATE_RUN), 4);
}

/* Cancelled frames have no timings and do not delay those of other frames. */
PLAIN_TEST(timingsOfCancelledFrames) {
    /* Frames 1, 4 and 5 are cancelled. The others run in slots 0, 1, 0, 1, 0. */
    assert_int_equal(timedFrame(0, FATE_CANCELLED), 0);
    assert_int_equal(timedFrame(0, FATE_RUN), 0);
    assert_int_equal(timedFrame(1, FATE_RUN), 0);
    assert_int_equal(timedFrame(0, FATE_CANCELLED), 2);
    assert_int_equal(timedFrame(0, FATE_CANCELLED), 2);
    assert_int_equal(timedFrame(0, FATE_RUN), 2);
    assert_int_equal(timedFrame(1, FATE_RUN), 3);
    assert_int_equal(timedFrame(0, FATE_RUN), 6);
    assert_int_equal(timedFrame(1, FATE_RUN), 7);
}

/* A frame dropped without vkskinCancelFrame has no timings: the timings of the previous frame stay. */
PLAIN_TEST(timingsOfDroppedFrames) {
    assert_int_equal(timedFrame(0, FATE_DROPPED), 0);
    assert_int_equal(timedFrame(1, FATE_RUN), 0);
    assert_int_equal(timedFrame(0, FATE_DROPPED), 0);
    assert_int_equal(timedFrame(1, FATE_RUN), 2);
    assert_int_equal(timedFrame(0, FATE_RUN), 2);
    vkskinDestroyContext(context);
    nullDriverDestroy(driver); /* ignores the reported fault: dropping frames left queries without a reset */
    driver = NULL;
}

/* ---- Memory ---- */

/* If no other page can be allocated, a small instance uses the page of a destroyed large one. */
FRAME_TEST(largePagesServeInNeed) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(NULL_DRIVER_UNIFIED, true, (VkDeviceSize)64 << 20);
    makeContext(makeDriver(&settings));
    VkskinInstance small, large = makeInstance(makeMesh(2 * FULL_PAGE));
    VkskinMesh mesh = makeMesh(10);
    assert_int_equal(statsOf().outputPages, 1);
    const uint32_t allocation = 2; /* the first call creates the buffer */
    nullDriverFail(driver, allocation, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    RETURNS(VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY, vkskinCreateInstances(context, mesh, 1, &small));
    OK(vkskinDestroyInstance(context, large));
    nullDriverFail(driver, allocation, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    makeInstance(mesh);
    assert_true(nullDriverFail(driver, 0, VK_SUCCESS));
    assert_int_equal(statsOf().outputPages, 1);
    makeInstance(mesh); /* again one normal page */
    assert_int_equal(statsOf().outputPages, 2);
}

/* The null driver's address of a buffer is its handle. */
FRAME_TEST(addressesAreThoseOfThePages) {
    VkskinContextDef def = makeDriver(NULL);
    def.outputUsage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    makeContext(def);
    VkskinMesh mesh = makeMesh(10);
    VkskinInstance first = makeInstance(mesh), second = makeInstance(mesh);
    beginFrame(0);
    skin(first);
    skin(second);
    recordSkinning();
    const VkskinOutput output = outputOf(second);
    assert_true(output.offset > outputOf(first).offset);
    assert_true(output.address == (VkDeviceAddress)output.buffer + output.offset);
}

/* Hosts bind whole pages: all regions of a mesh's output together fit the device's largest range. */
FRAME_TEST(largeOutputsFitTheDevice) {
    for (uint32_t regions = 1; regions <= 2; regions++) {
        NullDriverSettings settings = nullDriverDefaultSettings();
        settings.limits.maxStorageBufferRange = 2 * PAGE_SIZE;
        VkskinContextDef def = makeDriver(&settings);
        def.memory.maxMorphWeights = 64; /* their table must fit as well */
        def.outputRegions = regions;
        makeContext(def);
        VkskinMesh mesh;
        assert_int_equal(tryMesh(2 * FULL_PAGE, &mesh), regions == 1 ? VKSKIN_SUCCESS : VKSKIN_ERROR_MESH_TOO_LARGE);
        endContext();
    }
}
