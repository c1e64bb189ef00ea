/*
 * Frames on the null driver. A test may overwrite its memory and let allocations fail. Tests: uploads that are dropped,
 * cancelled or fixed by vkskinGetAccesses; timings of frames that never ran; large pages reused when memory is out.
 */

#include "instance_of.h"
#include "null_driver.h"
#include "test.h"

#define PAGE_SIZE 65536u
#define FULL_PAGE 4000u /* vertices whose source data fills most of a page */

typedef struct Stage {
    NullDriver *driver;
    VkskinContext context;
} Stage;

static Stage makeStage(VkskinContextDef def, NullDriver *driver) {
    Stage stage = {driver, NULL};
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    def.pageSize = PAGE_SIZE;
    def.paletteBytesPerFrame = 4096;
    def.maxInstances = 16;
    assert_int_equal(vkskinCreateContext(&def, &stage.context), VKSKIN_SUCCESS);
    assert_int_equal(vkskinCreatePipelines(stage.context, &pipelines), VKSKIN_SUCCESS);
    return stage;
}

/* A stage with the default memory layout. */
static Stage plainStage(void) {
    NullDriver *driver = nullDriverCreate(NULL);
    return makeStage(nullDriverContextDef(driver), driver);
}

static void endStage(Stage *stage) {
    vkskinDestroyContext(stage->context);
    assert_string_equal(nullDriverFirstFault(stage->driver), "");
    assert_int_equal(nullDriverDestroy(stage->driver), 0);
}

/* A mesh with one bone and all positions at the origin. */
static VkskinResult tryMesh(const Stage *stage, uint32_t vertexCount, VkskinMesh *mesh) {
    float *zeros = calloc(vertexCount, sizeof(float[3]));
    float *weights = calloc(vertexCount, sizeof *weights);
    assert_true(zeros != NULL && weights != NULL);
    for (uint32_t i = 0; i < vertexCount; i++) {
        weights[i] = 1.0f;
    }
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = vertexCount;
    def.boneCount = 1;
    def.positions = zeros;
    def.influencesPerVertex = 1;
    def.joints = zeros;
    def.weights = weights;
    VkskinResult result = vkskinCreateMesh(stage->context, &def, mesh);
    free(zeros);
    free(weights);
    return result;
}

static VkskinMesh makeMesh(const Stage *stage, uint32_t vertexCount) {
    VkskinMesh mesh;
    assert_int_equal(tryMesh(stage, vertexCount, &mesh), VKSKIN_SUCCESS);
    return mesh;
}

static void skin(const Stage *stage, VkskinInstance instance) {
    VkskinSkinCommand command = {.instance = instance};
    void *data = NULL;
    assert_int_equal(vkskinAllocatePalette(stage->context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &data),
                     VKSKIN_SUCCESS);
    memset(data, 0, 48);
    assert_int_equal(vkskinSkinInstances(stage->context, &command, 1), VKSKIN_SUCCESS);
}

static VkskinStats statsOf(const Stage *stage) {
    VkskinStats stats;
    assert_int_equal(vkskinGetStats(stage->context, &stats), VKSKIN_SUCCESS);
    return stats;
}

/* ---- Uploads ---- */

/* An editor creates a mesh and destroys it again: staging is freed although no upload is recorded. */
TEST(stagingOfDroppedMeshesIsFreed) {
    for (int recorded = 0; recorded < 2; recorded++) {
        Stage stage = plainStage();
        VkDeviceSize early = 0;
        for (uint32_t frame = 0; frame < 40; frame++) {
            assert_int_equal(vkskinBeginFrame(stage.context, frame % 2), VKSKIN_SUCCESS);
            assert_int_equal(vkskinDestroyMesh(stage.context, makeMesh(&stage, FULL_PAGE)), VKSKIN_SUCCESS);
            if (recorded) {
                VkCommandBuffer commands = nullDriverBegin(stage.driver);
                assert_int_equal(vkskinRecordSkinning(stage.context, commands), VKSKIN_SUCCESS);
                nullDriverRun(commands);
            }
            early = frame == 4 ? statsOf(&stage).deviceBytes : early;
        }
        assert_int_equal(statsOf(&stage).deviceBytes, early);
        endStage(&stage);
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

static Stage watchedStage(VkskinBarriers barriers, VkskinPaletteMemory paletteMemory) {
    NullDriver *driver = nullDriverCreate(NULL);
    VkskinContextDef def = nullDriverContextDef(driver);
    VkskinVulkanFunctions functions = *nullDriverFunctions();
    realCopy = functions.vkCmdCopyBuffer;
    functions.vkCmdCopyBuffer = watchCopy;
    copies = 0;
    def.functions = &functions;
    def.barriers = barriers;
    def.paletteMemory = paletteMemory;
    return makeStage(def, driver);
}

/* Uploads of a cancelled frame are recorded again. The page holds garbage, such as joints outside the palette. */
TEST(cancelledUploadsComeAgain) {
    Stage stage = watchedStage(VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkskinInstance instance;
    assert_int_equal(instanceOf(stage.context, makeMesh(&stage, 3), &instance), VKSKIN_SUCCESS);
    for (uint32_t frame = 0; frame < 2; frame++) {
        assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
        skin(&stage, instance);
        VkCommandBuffer commands = nullDriverBegin(stage.driver);
        assert_int_equal(vkskinRecordSkinning(stage.context, commands), VKSKIN_SUCCESS);
        assert_int_equal(copies, frame + 1);
        if (frame == 0) {
            nullDriverDrop(commands);
            assert_int_equal(vkskinCancelFrame(stage.context), VKSKIN_SUCCESS);
            memset((void *)(uintptr_t)nullDriverContents(stage.driver, copiedTo[0]), 0xff, PAGE_SIZE);
        } else {
            nullDriverRun(commands);
        }
    }
    assert_int_equal(vkskinBeginFrame(stage.context, 1), VKSKIN_SUCCESS);
    VkCommandBuffer commands = nullDriverBegin(stage.driver);
    assert_int_equal(vkskinRecordUploads(stage.context, commands), VKSKIN_SUCCESS);
    assert_int_equal(copies, 2); /* a submitted upload is not recorded again */
    nullDriverRun(commands);
    endStage(&stage);
}

/* A mesh destroyed in the cancelled frame is not copied again; the other mesh is. */
TEST(cancelledUploadsOfDestroyedMeshesDoNot) {
    Stage stage = watchedStage(VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    for (uint32_t frame = 0; frame < 2; frame++) {
        VkskinMesh meshes[2];
        assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
        for (uint32_t i = 0; frame == 0 && i < 2; i++) {
            meshes[i] = makeMesh(&stage, FULL_PAGE);
        }
        VkCommandBuffer commands = nullDriverBegin(stage.driver);
        assert_int_equal(vkskinRecordUploads(stage.context, commands), VKSKIN_SUCCESS);
        if (frame == 0) {
            nullDriverDrop(commands);
            assert_int_equal(vkskinDestroyMesh(stage.context, meshes[0]), VKSKIN_SUCCESS);
            assert_int_equal(vkskinCancelFrame(stage.context), VKSKIN_SUCCESS);
        } else {
            nullDriverRun(commands);
        }
    }
    assert_int_equal(copies, 3);
    assert_ptr_equal(copiedTo[2], copiedTo[1]);
    endStage(&stage);
}

static uint32_t askUploads(const Stage *stage, VkskinAccess *accesses, uint32_t room) {
    uint32_t count = room;
    assert_int_equal(vkskinGetAccesses(stage->context, VKSKIN_PASS_UPLOAD, accesses, &count), VKSKIN_SUCCESS);
    return count;
}

static uint32_t recordUploads(const Stage *stage) {
    uint32_t before = copies;
    VkCommandBuffer commands = nullDriverBegin(stage->driver);
    assert_int_equal(vkskinRecordUploads(stage->context, commands), VKSKIN_SUCCESS);
    nullDriverRun(commands);
    return copies - before;
}

/* A host that records the barriers may not skin a mesh whose copy was cancelled. */
TEST(cancelledUploadsArePending) {
    Stage stage = watchedStage(VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    VkskinInstance instance;
    assert_int_equal(instanceOf(stage.context, makeMesh(&stage, 3), &instance), VKSKIN_SUCCESS);
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    VkCommandBuffer commands = nullDriverBegin(stage.driver);
    assert_int_equal(vkskinRecordUploads(stage.context, commands), VKSKIN_SUCCESS);
    nullDriverDrop(commands);
    assert_int_equal(vkskinCancelFrame(stage.context), VKSKIN_SUCCESS);

    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    skin(&stage, instance);
    commands = nullDriverBegin(stage.driver);
    assert_int_equal(vkskinRecordSkinning(stage.context, commands), VKSKIN_ERROR_UPLOADS_PENDING);
    nullDriverDrop(commands);
    endStage(&stage);
}

/* Like a loader thread: creates meshes between the count query, the list query and the record, each in its own page. */
TEST(accessesSettleWhatIsRecorded) {
    Stage stage = watchedStage(VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    VkskinAccess accesses[8];
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    makeMesh(&stage, FULL_PAGE);
    assert_int_equal(askUploads(&stage, NULL, 0), 1);
    VkskinMesh late = makeMesh(&stage, FULL_PAGE);
    assert_int_equal(askUploads(&stage, accesses, 1), 1);
    makeMesh(&stage, FULL_PAGE);
    assert_int_equal(recordUploads(&stage), 1);
    assert_ptr_equal(copiedTo[0], accesses[0].buffer);

    VkskinInstance instance;
    assert_int_equal(instanceOf(stage.context, late, &instance), VKSKIN_SUCCESS);
    skin(&stage, instance);
    VkCommandBuffer commands = nullDriverBegin(stage.driver);
    assert_int_equal(vkskinRecordSkinning(stage.context, commands), VKSKIN_ERROR_UPLOADS_PENDING);
    nullDriverDrop(commands);
    assert_int_equal(askUploads(&stage, accesses, 8), 2);
    assert_int_equal(recordUploads(&stage), 2);
    assert_int_equal(askUploads(&stage, accesses, 8), 0);
    makeMesh(&stage, FULL_PAGE);
    assert_int_equal(recordUploads(&stage), 0); /* created after the query, which listed nothing */
    assert_int_equal(recordUploads(&stage), 1); /* the host need not ask for the accesses */
    endStage(&stage);
}

/* A query without a record is valid only for its frame. Destroyed meshes are removed from its result. */
TEST(whatWasSettledEndsWithTheFrame) {
    Stage stage = watchedStage(VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    VkskinMesh meshes[3];
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    meshes[0] = makeMesh(&stage, FULL_PAGE);
    meshes[1] = makeMesh(&stage, FULL_PAGE);
    assert_int_equal(askUploads(&stage, NULL, 0), 2);
    meshes[2] = makeMesh(&stage, FULL_PAGE);
    assert_int_equal(vkskinDestroyMesh(stage.context, meshes[0]), VKSKIN_SUCCESS);
    assert_int_equal(askUploads(&stage, NULL, 0), 1);
    assert_int_equal(vkskinDestroyMesh(stage.context, meshes[2]), VKSKIN_SUCCESS);
    assert_int_equal(askUploads(&stage, NULL, 0), 1);
    makeMesh(&stage, FULL_PAGE);
    assert_int_equal(vkskinBeginFrame(stage.context, 1), VKSKIN_SUCCESS);
    assert_int_equal(askUploads(&stage, NULL, 0), 2);
    assert_int_equal(recordUploads(&stage), 2);
    endStage(&stage);
}

/* A mesh that is destroyed after its upload was recorded does not hide the upload of a later one. */
TEST(uploadsAfterADestroyedOneAreRecorded) {
    Stage stage = watchedStage(VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_AUTO);
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    VkskinMesh mesh = makeMesh(&stage, 3);
    assert_int_equal(recordUploads(&stage), 1);
    assert_int_equal(vkskinDestroyMesh(stage.context, mesh), VKSKIN_SUCCESS);
    makeMesh(&stage, 3);
    assert_int_equal(recordUploads(&stage), 1);
    endStage(&stage);
}

/* With staged palettes and host barriers, a palette allocated after the uploads delays only its own command. */
TEST(laterPalettesHoldUpNoOther) {
    Stage stage = watchedStage(VKSKIN_BARRIERS_HOST, VKSKIN_PALETTE_MEMORY_STAGED);
    VkskinInstance early, late;
    VkskinMesh mesh = makeMesh(&stage, 3);
    assert_int_equal(instanceOf(stage.context, mesh, &early), VKSKIN_SUCCESS);
    assert_int_equal(instanceOf(stage.context, mesh, &late), VKSKIN_SUCCESS);
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    skin(&stage, early);
    VkCommandBuffer commands = nullDriverBegin(stage.driver);
    assert_int_equal(vkskinRecordUploads(stage.context, commands), VKSKIN_SUCCESS);
    VkskinSkinCommand command = {.instance = late};
    void *data = NULL;
    assert_int_equal(vkskinAllocatePalette(stage.context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &data),
                     VKSKIN_SUCCESS);
    assert_int_equal(vkskinRecordSkinning(stage.context, commands), VKSKIN_SUCCESS);
    assert_int_equal(statsOf(&stage).instancesSkinned, 1);

    assert_int_equal(vkskinSkinInstances(stage.context, &command, 1), VKSKIN_SUCCESS);
    assert_int_equal(vkskinRecordSkinning(stage.context, commands), VKSKIN_ERROR_UPLOADS_PENDING);
    assert_int_equal(vkskinRecordUploads(stage.context, commands), VKSKIN_SUCCESS);
    assert_int_equal(vkskinRecordSkinning(stage.context, commands), VKSKIN_SUCCESS);
    assert_int_equal(statsOf(&stage).instancesSkinned, 2);
    assert_int_equal(copies, 3); /* the mesh and two palettes */
    assert_int_equal(copied[2].srcOffset, 48);
    assert_int_equal(copied[2].dstOffset, 48);
    nullDriverDrop(commands);
    assert_int_equal(vkskinCancelFrame(stage.context), VKSKIN_SUCCESS);
    endStage(&stage);
}

/* The host's window stays minimised, but it still creates and destroys objects: memory does not grow. */
TEST(cancelledFramesKeepNothing) {
    Stage stage = plainStage();
    VkskinMesh mesh = makeMesh(&stage, FULL_PAGE);
    VkDeviceSize early = 0;
    for (uint32_t frame = 0; frame < 40; frame++) {
        VkskinInstance instance;
        assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
        assert_int_equal(vkskinDestroyMesh(stage.context, makeMesh(&stage, FULL_PAGE)), VKSKIN_SUCCESS);
        assert_int_equal(instanceOf(stage.context, mesh, &instance), VKSKIN_SUCCESS);
        assert_int_equal(vkskinDestroyInstance(stage.context, instance), VKSKIN_SUCCESS);
        assert_int_equal(vkskinCancelFrame(stage.context), VKSKIN_SUCCESS);
        early = frame == 20 ? statsOf(&stage).deviceBytes : early;
    }
    assert_int_equal(statsOf(&stage).deviceBytes, early);
    endStage(&stage);
}

/* ---- Instances and their output ---- */

static void recordSkinning(const Stage *stage) {
    VkCommandBuffer commands = nullDriverBegin(stage->driver);
    assert_int_equal(vkskinRecordSkinning(stage->context, commands), VKSKIN_SUCCESS);
    nullDriverRun(commands);
}

static VkskinOutput outputOf(const Stage *stage, VkskinInstance instance) {
    VkskinOutput output;
    assert_int_equal(vkskinGetOutput(stage->context, instance, &output), VKSKIN_SUCCESS);
    return output;
}

/* Memory of what is destroyed in a frame is used again when the frame's slot is begun again, and not before. */
TEST(destroyedObjectsKeepTheirMemory) {
    Stage stage = watchedStage(VKSKIN_BARRIERS_RECORDED, VKSKIN_PALETTE_MEMORY_AUTO);
    VkDeviceSize outputs[3];
    for (uint32_t frame = 0; frame < 3; frame++) {
        VkskinInstance instance;
        assert_int_equal(vkskinBeginFrame(stage.context, frame % 2), VKSKIN_SUCCESS);
        VkskinMesh mesh = makeMesh(&stage, 100);
        assert_int_equal(instanceOf(stage.context, mesh, &instance), VKSKIN_SUCCESS);
        skin(&stage, instance);
        recordSkinning(&stage);
        outputs[frame] = outputOf(&stage, instance).positionOffset;
        if (frame == 0) {
            assert_int_equal(vkskinDestroyInstance(stage.context, instance), VKSKIN_SUCCESS);
            assert_int_equal(vkskinDestroyMesh(stage.context, mesh), VKSKIN_SUCCESS);
        }
    }
    assert_int_equal(copies, 3);
    assert_int_not_equal(outputs[1], outputs[0]);
    assert_int_equal(outputs[2], outputs[0]);
    assert_int_not_equal(copied[1].dstOffset, copied[0].dstOffset);
    assert_int_equal(copied[2].dstOffset, copied[0].dstOffset);
    endStage(&stage);
}

/* The order of destruction is that which moves a command to another place in the table. */
TEST(destroyedInstancesAreNotSkinned) {
    Stage stage = plainStage();
    VkskinInstance instances[3];
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(instanceOf(stage.context, makeMesh(&stage, 10 * (i + 1)), &instances[i]), VKSKIN_SUCCESS);
        skin(&stage, instances[i]);
    }
    assert_int_equal(vkskinDestroyInstance(stage.context, instances[0]), VKSKIN_SUCCESS);
    assert_int_equal(vkskinDestroyInstance(stage.context, instances[2]), VKSKIN_SUCCESS);
    recordSkinning(&stage);
    assert_int_equal(statsOf(&stage).instancesSkinned, 1);
    assert_int_equal(statsOf(&stage).verticesSkinned, 20);
    endStage(&stage);
}

/* Instances that are destroyed after they were recorded count in their frame. */
TEST(commandsOfAFrameAreLimited) {
    Stage stage = plainStage();
    VkskinMesh mesh = makeMesh(&stage, 3);
    VkskinInstance instance;
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(instanceOf(stage.context, mesh, &instance), VKSKIN_SUCCESS);
        skin(&stage, instance);
    }
    recordSkinning(&stage);
    assert_int_equal(vkskinDestroyInstance(stage.context, instance), VKSKIN_SUCCESS);
    VkskinSkinCommand command = {0};
    void *data = NULL;
    assert_int_equal(instanceOf(stage.context, mesh, &command.instance), VKSKIN_SUCCESS);
    assert_int_equal(vkskinAllocatePalette(stage.context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &data),
                     VKSKIN_SUCCESS);
    assert_int_equal(vkskinSkinInstances(stage.context, &command, 1), VKSKIN_ERROR_TOO_MANY_INSTANCES);
    endStage(&stage);
}

/* Handles that were never given out, past the ends of the tables too. */
TEST(forgedHandlesAreStale) {
    Stage stage = plainStage();
    VkskinMesh mesh = makeMesh(&stage, 3);
    VkskinInstance instance;
    assert_int_equal(instanceOf(stage.context, mesh, &instance), VKSKIN_SUCCESS);
    for (uint32_t index = 2; index < 70; index++) {
        VkskinInstance forged = {index, instance.generation};
        VkskinMesh forgedMesh = {index, mesh.generation};
        assert_int_equal(vkskinDestroyInstance(stage.context, forged), VKSKIN_ERROR_STALE_HANDLE);
        assert_int_equal(vkskinDestroyMesh(stage.context, forgedMesh), VKSKIN_ERROR_STALE_HANDLE);
    }
    endStage(&stage);
}

/* Kernels address palettes in units of 16 bytes; bones of 24 bytes leave a gap. */
TEST(palettesBeginAtSixteenBytes) {
    Stage stage = plainStage();
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < 3; i++) {
        VkskinPalette palette;
        void *data = NULL;
        assert_int_equal(vkskinAllocatePalette(stage.context, VKSKIN_PALETTE_MAT2X3, 1, &palette, &data),
                         VKSKIN_SUCCESS);
        assert_int_equal(palette.offset, 32 * i);
    }
    endStage(&stage);
}

/* A palette is a plain struct: one that names memory of the other slot, or memory after the last palette, is refused. */
TEST(forgedPalettesAreRefused) {
    Stage stage = plainStage();
    VkskinSkinCommand command = {0};
    assert_int_equal(instanceOf(stage.context, makeMesh(&stage, 3), &command.instance), VKSKIN_SUCCESS);
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    assert_int_equal(vkskinBeginFrame(stage.context, 1), VKSKIN_SUCCESS);
    skin(&stage, command.instance);
    recordSkinning(&stage);
    assert_int_equal(vkskinBeginFrame(stage.context, 0), VKSKIN_SUCCESS);
    void *data = NULL;
    assert_int_equal(vkskinAllocatePalette(stage.context, VKSKIN_PALETTE_MAT3X4, 1, &command.palette, &data),
                     VKSKIN_SUCCESS);
    command.palette.page = 1;
    assert_int_equal(vkskinSkinInstances(stage.context, &command, 1), VKSKIN_ERROR_INVALID_VALUE);
    command.palette.page = 0;
    command.palette.offset = 48;
    assert_int_equal(vkskinSkinInstances(stage.context, &command, 1), VKSKIN_ERROR_INVALID_VALUE);
    endStage(&stage);
}

/* Each frame writes another region: vkskinGetAccesses lists the one that vkskinGetOutput returns. */
TEST(accessesListTheWrittenRegion) {
    NullDriver *driver = nullDriverCreate(NULL);
    VkskinContextDef def = nullDriverContextDef(driver);
    def.barriers = VKSKIN_BARRIERS_HOST;
    def.framesInFlight = 3; /* a third of a page is no multiple of the alignment of its parts */
    def.outputRegions = 3;
    Stage stage = makeStage(def, driver);
    VkskinInstance instance;
    assert_int_equal(instanceOf(stage.context, makeMesh(&stage, 3), &instance), VKSKIN_SUCCESS);
    for (uint32_t frame = 0; frame < 3; frame++) {
        VkskinAccess accesses[8];
        uint32_t count = 8;
        assert_int_equal(vkskinBeginFrame(stage.context, frame), VKSKIN_SUCCESS);
        skin(&stage, instance);
        recordUploads(&stage);
        assert_int_equal(vkskinGetAccesses(stage.context, VKSKIN_PASS_SKINNING, accesses, &count), VKSKIN_SUCCESS);
        recordSkinning(&stage);
        VkskinOutput output = outputOf(&stage, instance);
        uint32_t listed = 0;
        for (uint32_t i = 0; i < count; i++) {
            listed += accesses[i].buffer == output.buffer && accesses[i].offset <= output.positionOffset &&
                      output.positionOffset - accesses[i].offset < accesses[i].size;
        }
        assert_int_equal(listed, 1);
    }
    endStage(&stage);
}

/* ---- Timings ---- */

typedef enum Fate { FATE_RUN, FATE_DROPPED, FATE_CANCELLED } Fate;

/* Runs, drops or cancels a frame in `slot`. Returns the frame whose timings are known when it begins; 0: none. */
static uint64_t timedFrame(const Stage *stage, uint32_t slot, Fate fate) {
    VkskinTiming timings[8];
    uint32_t count = 8;
    uint64_t known = 0;
    assert_int_equal(vkskinBeginFrame(stage->context, slot), VKSKIN_SUCCESS);
    assert_int_equal(vkskinGetTimings(stage->context, timings, &count, &known, NULL), VKSKIN_SUCCESS);
    assert_int_equal(count, known > 0 ? 1 : 0);
    VkCommandBuffer commands = nullDriverBegin(stage->driver);
    assert_int_equal(vkskinBeginScope(stage->context, commands, "all"), VKSKIN_SUCCESS);
    assert_int_equal(vkskinEndScope(stage->context, commands, "all"), VKSKIN_SUCCESS);
    if (fate == FATE_RUN) {
        nullDriverRun(commands);
        return known;
    }
    nullDriverDrop(commands);
    if (fate == FATE_CANCELLED) {
        assert_int_equal(vkskinCancelFrame(stage->context), VKSKIN_SUCCESS);
    }
    return known;
}

/* Cancelled frames have no timings and do not delay those of other frames. */
TEST(timingsOfCancelledFrames) {
    Stage stage = plainStage();
    /* Frames 1, 4 and 5 are cancelled. The others run in slots 0, 1, 0, 1, 0. */
    assert_int_equal(timedFrame(&stage, 0, FATE_CANCELLED), 0);
    assert_int_equal(timedFrame(&stage, 0, FATE_RUN), 0);
    assert_int_equal(timedFrame(&stage, 1, FATE_RUN), 0);
    assert_int_equal(timedFrame(&stage, 0, FATE_CANCELLED), 2);
    assert_int_equal(timedFrame(&stage, 0, FATE_CANCELLED), 2);
    assert_int_equal(timedFrame(&stage, 0, FATE_RUN), 2);
    assert_int_equal(timedFrame(&stage, 1, FATE_RUN), 3);
    assert_int_equal(timedFrame(&stage, 0, FATE_RUN), 6);
    assert_int_equal(timedFrame(&stage, 1, FATE_RUN), 7);
    endStage(&stage);
}

/* A frame dropped without vkskinCancelFrame has no timings: the timings of the previous frame stay. */
TEST(timingsOfDroppedFrames) {
    Stage stage = plainStage();
    assert_int_equal(timedFrame(&stage, 0, FATE_DROPPED), 0);
    assert_int_equal(timedFrame(&stage, 1, FATE_RUN), 0);
    assert_int_equal(timedFrame(&stage, 0, FATE_DROPPED), 0);
    assert_int_equal(timedFrame(&stage, 1, FATE_RUN), 2);
    assert_int_equal(timedFrame(&stage, 0, FATE_RUN), 2);
    vkskinDestroyContext(stage.context);
    nullDriverDestroy(stage.driver); /* ignores the reported fault: dropping frames left queries without a reset */
}

/* ---- Memory ---- */

/* If no other page can be allocated, a small instance uses the page of a destroyed large one. */
TEST(largePagesServeInNeed) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.memory = nullDriverMemory(NULL_DRIVER_UNIFIED, true, (VkDeviceSize)64 << 20);
    NullDriver *driver = nullDriverCreate(&settings);
    Stage stage = makeStage(nullDriverContextDef(driver), driver);
    VkskinInstance large, small;
    assert_int_equal(instanceOf(stage.context, makeMesh(&stage, 2 * FULL_PAGE), &large), VKSKIN_SUCCESS);
    VkskinMesh mesh = makeMesh(&stage, 10);
    assert_int_equal(statsOf(&stage).outputPages, 1);
    const uint32_t allocation = 2; /* the first call creates the buffer */
    nullDriverFail(driver, allocation, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(instanceOf(stage.context, mesh, &small), VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(vkskinDestroyInstance(stage.context, large), VKSKIN_SUCCESS);
    nullDriverFail(driver, allocation, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(instanceOf(stage.context, mesh, &small), VKSKIN_SUCCESS);
    assert_true(nullDriverFail(driver, 0, VK_SUCCESS));
    assert_int_equal(statsOf(&stage).outputPages, 1);
    assert_int_equal(instanceOf(stage.context, mesh, &small), VKSKIN_SUCCESS); /* a normal page again */
    assert_int_equal(statsOf(&stage).outputPages, 2);
    endStage(&stage);
}

/* Hosts bind whole pages: all regions of a mesh's output together fit the device's largest range. */
TEST(largeOutputsFitTheDevice) {
    for (uint32_t regions = 1; regions <= 2; regions++) {
        NullDriverSettings settings = nullDriverDefaultSettings();
        settings.limits.maxStorageBufferRange = 2 * PAGE_SIZE;
        NullDriver *driver = nullDriverCreate(&settings);
        VkskinContextDef def = nullDriverContextDef(driver);
        def.maxMorphWeights = 64; /* their table must fit as well */
        def.outputRegions = regions;
        Stage stage = makeStage(def, driver);
        VkskinMesh mesh;
        assert_int_equal(tryMesh(&stage, 2 * FULL_PAGE, &mesh),
                         regions == 1 ? VKSKIN_SUCCESS : VKSKIN_ERROR_MESH_TOO_LARGE);
        endStage(&stage);
    }
}
