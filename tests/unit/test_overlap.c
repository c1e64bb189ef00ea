/*
 * A frame that is prepared while another is recorded, on the null driver: which frame a call belongs to. Calls with some
 * commands that are refused. Many outputs in one call.
 */

#include "null_frames.h"

static VkskinInstance instance;
static LogMemory logged;

static void makeOverlap(uint32_t framesInFlight, uint32_t regions) {
    VkskinContextDef def = makeDriver(NULL);
    def.framesInFlight = framesInFlight;
    def.outputRegions = regions;
    def.logger = rememberingLogger(&logged);
    makeContext(def);
}

static int setUp(__attribute__((unused)) void **state) {
    makeOverlap(3, 3);
    instance = makeInstance(makeMesh(3));
    return 0;
}

#define OVERLAP_TEST(name) TEST_WITH(name, setUp, tearDown)

static void prepareFrame(uint32_t slot) {
    OK(vkskinPrepareFrame(context, slot));
}

static VkDeviceSize placeOf(VkskinInstance of) {
    return outputOf(of).positionOffset;
}

/* ---- Frames ---- */

/* Outputs are those of the frame that is recorded, until the prepared one begins. */
OVERLAP_TEST(outputsBelongToTheRecordedFrame) {
    VkDeviceSize places[3];
    for (uint32_t frame = 0; frame < 3; frame++) {
        beginFrame(frame);
        skin(instance);
        places[frame] = placeOf(instance);
        recordSkinning();
    }
    beginFrame(0);
    skin(instance);
    assert_int_equal(placeOf(instance), places[0]);
    prepareFrame(1);
    skin(instance);
    assert_int_equal(placeOf(instance), places[0]);
    recordSkinning();
    assert_int_equal(statsOf().frame, 4);
    assert_int_equal(statsOf().instancesSkinned, 1);
    beginFrame(1);
    assert_int_equal(statsOf().frame, 5);
    assert_int_equal(statsOf().instancesSkinned, 0);
    assert_int_equal(statsOf().paletteBytes, 48);
    assert_int_equal(placeOf(instance), places[1]);
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 1);
}

OVERLAP_TEST(palettesBelongToThePreparedFrame) {
    beginFrame(0);
    const VkskinSkinCommand early = {.instance = instance, .palette = makePalette(VKSKIN_PALETTE_MAT3X4)};
    prepareFrame(1);
    RETURNS(VKSKIN_ERROR_PALETTE_STALE, vkskinSkinInstances(context, &early, 1, NULL));
    skin(instance);
    assert_int_equal(statsOf().paletteBytes, 48);
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 0);
    beginFrame(1);
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 1);
}

OVERLAP_TEST(theOrderIsChecked) {
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinPrepareFrame(NULL, 0));
    RETURNS(VKSKIN_ERROR_FRAME_NOT_BEGUN, vkskinPrepareFrame(context, 0));
    beginFrame(0);
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinPrepareFrame(context, 3));
    RETURNS(VKSKIN_ERROR_FRAME_ORDER, vkskinPrepareFrame(context, 2));
    RETURNS(VKSKIN_ERROR_FRAME_ORDER, vkskinPrepareFrame(context, 0));
    prepareFrame(1);
    RETURNS(VKSKIN_ERROR_FRAME_ORDER, vkskinPrepareFrame(context, 2));
    RETURNS(VKSKIN_ERROR_FRAME_ORDER, vkskinBeginFrame(context, 0));
    RETURNS(VKSKIN_ERROR_FRAME_ORDER, vkskinBeginFrame(context, 2));
    assert_string_equal(logged.message, "vkskinBeginFrame: frameIndex is 2, after 0 comes 1 (framesInFlight is 3)");
    beginFrame(1);
    prepareFrame(2);
    beginFrame(2);
    beginFrame(0);
}

TEST_WITH(oneFrameInFlightCannotOverlap, NULL, tearDown) {
    makeOverlap(1, 1);
    beginFrame(0);
    RETURNS(VKSKIN_ERROR_FRAME_ORDER, vkskinPrepareFrame(context, 0));
    beginFrame(0);
}

/* The uploads of a mesh and both updates of its instance are undone. */
OVERLAP_TEST(bothFramesAreCancelled) {
    beginFrame(0);
    skin(instance);
    recordSkinning();
    const VkDeviceSize before = placeOf(instance);
    beginFrame(1);
    skin(instance);
    prepareFrame(2);
    const VkskinSkinCommand stale = {.instance = instance, .palette = makePalette(VKSKIN_PALETTE_MAT3X4)};
    OK(vkskinSkinInstances(context, &stale, 1, NULL));
    VkCommandBuffer commands = nullDriverBegin(driver);
    OK(vkskinRecordSkinning(context, commands));
    cancelFrame(commands);
    assert_int_equal(placeOf(instance), before);
    RETURNS(VKSKIN_ERROR_FRAME_NOT_BEGUN, vkskinPrepareFrame(context, 2));
    beginFrame(1);
    RETURNS(VKSKIN_ERROR_PALETTE_STALE, vkskinSkinInstances(context, &stale, 1, NULL));
    skin(instance);
    assert_int_not_equal(placeOf(instance), before);
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 1);
}

/* Commands of the recorded frame that were never recorded: the prepared frame writes where that frame would have. */
OVERLAP_TEST(droppedCommandsDoNotCount) {
    beginFrame(0);
    skin(instance);
    recordSkinning();
    beginFrame(1);
    skin(instance);
    const VkDeviceSize dropped = placeOf(instance);
    prepareFrame(2);
    skin(instance);
    RETURNS(VKSKIN_WARNING_COMMANDS_DROPPED, vkskinBeginFrame(context, 2));
    assert_int_equal(placeOf(instance), dropped);
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 1);
}

/* A command of the prepared frame that moves to another region is not skinned with its neighbours of the same call. */
OVERLAP_TEST(movedCommandsLeaveTheirNeighbours) {
    const VkskinMesh mesh = makeMesh(3);
    const VkskinInstance pair[2] = {makeInstance(mesh), makeInstance(mesh)};
    beginFrame(0);
    skin(pair[0]);
    skin(pair[1]);
    recordSkinning();
    beginFrame(1);
    skin(pair[1]);
    recordSkinning();
    skin(pair[0]);
    prepareFrame(2);
    VkskinSkinCommand commands[2] = {{.instance = pair[0]}, {.instance = pair[1]}};
    commands[0].palette = commands[1].palette = makePalette(VKSKIN_PALETTE_MAT3X4);
    OK(vkskinSkinInstances(context, commands, 2, NULL));
    RETURNS(VKSKIN_WARNING_COMMANDS_DROPPED, vkskinBeginFrame(context, 2));
    recordSkinning();
    assert_int_equal(statsOf().dispatches, 2); /* one for each region */
}

/* Commands of a destroyed instance are dropped in both frames. Its memory is reused with the prepared frame's slot. */
OVERLAP_TEST(destroyedInstancesLeaveBothFrames) {
    VkskinInstance other = makeInstance(makeMesh(3));
    beginFrame(0);
    skin(instance);
    skin(other);
    const VkDeviceSize place = placeOf(instance);
    prepareFrame(1);
    skin(instance);
    skin(other);
    OK(vkskinDestroyInstance(context, instance));
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 1);
    beginFrame(1);
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 1);
    beginFrame(2);
    beginFrame(0);
    VkskinInstance early = makeInstance(makeMesh(3));
    skin(early);
    assert_int_not_equal(placeOf(early), place);
    recordSkinning();
    beginFrame(1);
    instance = makeInstance(makeMesh(3));
    VkDeviceSize later = 0;
    for (uint32_t frame = 2; frame < 5 && later != place; frame++) { /* the first region depends on the frame */
        skin(instance);
        later = placeOf(instance);
        recordSkinning();
        beginFrame(frame % 3);
    }
    assert_int_equal(later, place);
}

/* What was destroyed while a frame was prepared waits for the frame before the cancelled one. */
TEST_WITH(destroyedBeforeACancel, NULL, tearDown) {
    makeOverlap(3, 1);
    const VkskinMesh mesh = makeMesh(3);
    instance = makeInstance(mesh);
    beginFrame(0);
    skin(instance);
    const VkDeviceSize place = placeOf(instance);
    recordSkinning();
    beginFrame(1);
    prepareFrame(2);
    OK(vkskinDestroyInstance(context, instance));
    OK(vkskinCancelFrame(context));
    beginFrame(1);
    beginFrame(2);
    const VkskinInstance early = makeInstance(mesh);
    skin(early);
    assert_int_not_equal(placeOf(early), place);
    recordSkinning();
    beginFrame(0);
    const VkskinInstance late = makeInstance(mesh);
    skin(late);
    assert_int_equal(placeOf(late), place);
    recordSkinning();
}

/* Instances that are updated in every frame write the same plane, whenever they came. */
OVERLAP_TEST(preparedFramesShareAPlane) {
    const VkskinInstance other = makeInstance(makeMesh(3));
    beginFrame(0);
    skin(instance);
    prepareFrame(1);
    skin(instance);
    skin(other);
    recordSkinning();
    beginFrame(1);
    const VkDeviceSize distance = placeOf(other) - placeOf(instance);
    for (uint32_t frame = 2; frame < 5; frame++) {
        recordSkinning();
        beginFrame(frame % 3);
        skin(instance);
        skin(other);
        assert_int_equal(placeOf(other) - placeOf(instance), distance);
    }
    recordSkinning();
}

/* Every prepared frame in turn, with a command list that grows. */
OVERLAP_TEST(everyFrameIsPrepared) {
    VkskinInstance crowd[12];
    for (uint32_t i = 0; i < COUNT_OF(crowd); i++) {
        crowd[i] = makeInstance(makeMesh(3));
    }
    beginFrame(0);
    for (uint32_t frame = 0; frame < 9; frame++) {
        uint32_t skinned = frame + 3;
        prepareFrame((frame + 1) % 3);
        for (uint32_t i = 0; i < skinned; i++) {
            skin(crowd[i]);
        }
        recordSkinning();
        assert_int_equal(statsOf().instancesSkinned, frame > 0 ? skinned - 1 : 0);
        beginFrame((frame + 1) % 3);
    }
}

/* ---- Commands that are refused ---- */

OVERLAP_TEST(goodCommandsAreTaken) {
    VkskinInstance other = makeInstance(makeMesh(3));
    beginFrame(0);
    const VkskinPalette palette = makePalette(VKSKIN_PALETTE_MAT3X4);
    const VkskinSkinCommand commands[] = {
        {.instance = instance, .palette = palette},
        {.palette = palette},
        {.instance = instance, .palette = palette},
        {.instance = other, .palette = palette, .flags = 64},
        {.instance = other},
        {.instance = other, .flags = VKSKIN_SKIN_CULLED_BIT},
        {.instance = other, .palette = palette},
    };
    static const VkskinResult expected[] = {
        VKSKIN_SUCCESS,
        VKSKIN_ERROR_NULL_HANDLE,
        VKSKIN_ERROR_ALREADY_SKINNED,
        VKSKIN_ERROR_INVALID_VALUE,
        VKSKIN_ERROR_PALETTE_STALE,
        VKSKIN_SUCCESS,
        VKSKIN_SUCCESS,
    };
    VkskinResult results[COUNT_OF(commands)];
    logged.count = 0;
    RETURNS(VKSKIN_WARNING_COMMANDS_REFUSED, vkskinSkinInstances(context, commands, COUNT_OF(commands), results));
    assert_int_equal(logged.count, 5); /* one for each, and the warning */
    assert_string_equal(logged.message, "vkskinSkinInstances: 4 of 7 commands were refused");
    for (uint32_t i = 0; i < COUNT_OF(commands); i++) {
        assert_string_equal(vkskinResultName(results[i]), vkskinResultName(expected[i]));
    }
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 2);
    assert_int_equal(statsOf().instancesCulled, 1);
}

OVERLAP_TEST(goodCommandsReturnSuccess) {
    beginFrame(0);
    const VkskinSkinCommand command = {.instance = instance, .palette = makePalette(VKSKIN_PALETTE_MAT3X4)};
    VkskinResult result = VKSKIN_ERROR_VULKAN;
    OK(vkskinSkinInstances(context, &command, 1, &result));
    OK(result);
    recordSkinning();
}

enum { MANY = 300 };

/* As many instances as several parts of a call have. */
static void makeMany(VkskinSkinCommand commands[MANY]) {
    VkskinContextDef def = makeDriver(NULL);
    def.logger = rememberingLogger(&logged);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    OK(vkskinCreateContext(&def, &context));
    OK(vkskinCreatePipelines(context, &pipelines));
    const VkskinMesh mesh = makeMesh(3);
    for (uint32_t i = 0; i < MANY; i++) {
        commands[i] = (VkskinSkinCommand){.instance = makeInstance(mesh)};
    }
}

static void givePalettes(VkskinSkinCommand commands[MANY]) {
    const VkskinPalette palette = makePalette(VKSKIN_PALETTE_MAT3X4);
    for (uint32_t i = 0; i < MANY; i++) {
        commands[i].palette = palette;
    }
}

/* A bad last command takes back the parts of the call that were taken. */
TEST_WITH(badLastCommandsTakeAllBack, NULL, tearDown) {
    VkskinSkinCommand commands[MANY];
    makeMany(commands);
    const VkskinInstance last = commands[MANY - 1].instance;
    VkDeviceSize place = 0;
    for (uint32_t frame = 0; frame < 4; frame++) {
        beginFrame(frame % 2);
        givePalettes(commands);
        commands[MANY - 1].instance = commands[0].instance;
        RETURNS(VKSKIN_ERROR_ALREADY_SKINNED, vkskinSkinInstances(context, commands, MANY, NULL));
        VkskinOutput output = {.positionOffset = place};
        RETURNS(frame == 0 ? VKSKIN_ERROR_NOT_SKINNED : VKSKIN_SUCCESS,
                vkskinGetOutput(context, commands[0].instance, &output));
        assert_int_equal(output.positionOffset, place);
        commands[MANY - 1].instance = last;
        OK(vkskinSkinInstances(context, commands, MANY, NULL));
        recordSkinning();
        assert_int_equal(statsOf().instancesSkinned, MANY);
        place = placeOf(commands[0].instance);
    }
}

/* A command that was left out has nothing to take back: its instance keeps its earlier command. */
TEST_WITH(leftOutCommandsTakeNothingBack, NULL, tearDown) {
    VkskinSkinCommand commands[MANY];
    makeMany(commands);
    beginFrame(0);
    givePalettes(commands);
    OK(vkskinSkinInstances(context, commands, 1, NULL));
    commands[0].flags = VKSKIN_SKIN_CULLED_BIT;
    commands[MANY - 1].instance = commands[1].instance;
    RETURNS(VKSKIN_ERROR_ALREADY_SKINNED, vkskinSkinInstances(context, commands, MANY, NULL));
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 1);
}

/* A frame without room for all commands takes none, also with results. */
OVERLAP_TEST(commandsWithoutRoomAreNotTaken) {
    const VkskinMesh mesh = makeMesh(3);
    VkskinSkinCommand commands[17];
    VkskinResult results[17];
    beginFrame(0);
    const VkskinPalette palette = makePalette(VKSKIN_PALETTE_MAT3X4);
    commands[0] = (VkskinSkinCommand){.instance = instance, .palette = palette};
    for (uint32_t i = 1; i < 16; i++) {
        commands[i] = (VkskinSkinCommand){.instance = makeInstance(mesh), .palette = palette};
    }
    OK(vkskinSkinInstances(context, commands, 1, NULL));
    recordSkinning();
    OK(vkskinDestroyInstance(context, instance));
    commands[0].instance = makeInstance(mesh);
    RETURNS(VKSKIN_ERROR_TOO_MANY_INSTANCES, vkskinSkinInstances(context, commands, 16, results));
    OK(vkskinSkinInstances(context, commands, 15, results));
    recordSkinning();
    assert_int_equal(statsOf().instancesSkinned, 16);
}

/* ---- Outputs ---- */

OVERLAP_TEST(manyOutputsAreTheSame) {
    VkskinInstance both[2] = {instance, makeInstance(makeMesh(100))};
    VkskinOutput outputs[2];
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetOutputs(NULL, both, 2, outputs));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetOutputs(context, NULL, 2, outputs));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetOutputs(context, both, 2, NULL));
    OK(vkskinGetOutputs(context, NULL, 0, NULL));
    RETURNS(VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutputs(context, both, 2, outputs));
    beginFrame(0);
    skin(both[0]);
    logged.count = 0;
    RETURNS(VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutputs(context, both, 2, outputs));
    assert_non_null(strstr(logged.message, "vkskinGetOutputs: instance 1: instance (2, "));
    skin(both[1]);
    OK(vkskinGetOutputs(context, both, 2, outputs));
    for (uint32_t i = 0; i < 2; i++) {
        const VkskinOutput one = outputOf(both[i]);
        assert_ptr_equal(outputs[i].buffer, one.buffer);
        assert_int_equal(outputs[i].positionOffset, one.positionOffset);
        assert_int_equal(outputs[i].attributeOffset, one.attributeOffset);
        assert_int_equal(outputs[i].previousPositionOffset, one.previousPositionOffset);
        assert_int_equal(outputs[i].vertexCount, one.vertexCount);
    }
    recordSkinning();
    both[1].generation++;
    RETURNS(VKSKIN_ERROR_STALE_HANDLE, vkskinGetOutputs(context, both, 2, outputs));
}
