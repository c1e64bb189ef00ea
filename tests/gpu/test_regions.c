/*
 * Output from frame to frame: previous positions, regions in turn, reused slots. And instances that are skipped, marked
 * culled or whose pose version is unchanged: they are not skinned, keep their output and history, and need no palette.
 * With kernels and with the CPU backend.
 */
#include "marker_scene.h"

#define VERTICES 67
#define CULLED   VKSKIN_SKIN_CULLED_BIT
#define TELEPORT VKSKIN_SKIN_TELEPORT_BIT

static const VkskinBackend backends[] = {VKSKIN_BACKEND_COMPUTE, VKSKIN_BACKEND_CPU};

static Scene smallScene(Gpu *gpu, VkskinBackend backend) {
    VkskinContextDef def = smallDef(gpu, backend, 2, 2);
    def.memory.maxInstances = 16;
    return makeScene(gpu, &def, VERTICES, true);
}

/* What a frame does with the instance. */
typedef enum Action {
    SKIN,   /* gives a command */
    SKIP,   /* gives none */
    REPLACE /* destroys it, creates another, skins that */
} Action;

/* A frame. Its palette moves by `mark`; a negative mark: no palette. Then what the frame must show. */
typedef struct Step {
    Action action;
    uint32_t flags;
    uint64_t pose;
    float mark;
    float current, previous;
    uint32_t skinned, culled, unchanged;
} Step;

static const Step steps[] = {
    {SKIN, 0, 0, 1, 1, 1, 1, 0, 0}, /* the first frame shows no motion */
    {SKIN, 0, 0, 2, 2, 1, 1, 0, 0},
    {SKIN, 0, 0, 3, 3, 2, 1, 0, 0},
    {SKIP, 0, 0, 0, 3, 3, 0, 0, 0}, /* it does not move; its history is right afterwards */
    {SKIP, 0, 0, 0, 3, 3, 0, 0, 0},
    {SKIN, 0, 0, 4, 4, 3, 1, 0, 0},
    {SKIN, TELEPORT, 0, 5, 5, 5, 1, 0, 0},
    {SKIN, 0, 0, 6, 6, 5, 1, 0, 0},
    {SKIP, 0, 0, 0, 6, 6, 0, 0, 0},
    {SKIN, TELEPORT, 0, 7, 7, 7, 1, 0, 0},
    {SKIN, 0, 0, 8, 8, 7, 1, 0, 0},
    {REPLACE, 0, 0, 9, 9, 9, 1, 0, 0}, /* previous positions are not those of the old one */
    {SKIN, 0, 0, 10, 10, 9, 1, 0, 0},
    {REPLACE, 0, 11, 1, 1, 1, 1, 0, 0},
    {SKIN, 0, 12, 2, 2, 1, 1, 0, 0},
    {SKIN, 0, 12, -1, 2, 2, 0, 0, 1}, /* the palette is not checked */
    {SKIN, 0, 12, 9, 2, 2, 0, 0, 1},  /* palettes are ignored */
    {SKIN, 0, 13, 3, 3, 2, 1, 0, 0},
    {SKIN, CULLED, 0, -1, 3, 3, 0, 1, 0},
    {SKIN, CULLED, 14, -1, 3, 3, 0, 1, 0}, /* the pose version is ignored */
    {SKIN, 0, 14, 4, 4, 3, 1, 0, 0},
    {SKIN, 0, 0, 5, 5, 4, 1, 0, 0}, /* 0: no pose version */
    {SKIN, 0, 0, 6, 6, 5, 1, 0, 0},
    {SKIN, 0, 14, 7, 7, 6, 1, 0, 0}, /* only the version of the latest update counts */
    {SKIN, CULLED, 14, -1, 7, 7, 0, 1, 0},
    {SKIN, 0, 14, -1, 7, 7, 0, 0, 1},
    {SKIN, TELEPORT, 15, 8, 8, 8, 1, 0, 0},
};

static void take(Scene *scene, const Step *step) {
    if (step->action == REPLACE) {
        GPU_VKSKIN(scene->gpu, vkskinDestroyInstance(scene->context, scene->instance));
        scene->instance = markerInstance(scene->gpu, scene->context, scene->mesh);
    }
    if (step->action != SKIP) {
        VkskinSkinCommand command = {.instance = scene->instance, .flags = step->flags, .poseVersion = step->pose};
        if (step->mark >= 0.0f) {
            command.palette = markerPalette(scene->gpu, scene->context, step->mark, 7.0f);
        }
        GPU_VKSKIN(scene->gpu, vkskinSkinInstances(scene->context, &command, 1, NULL));
    }
}

/* A whole frame in a slot. */
static void run(Scene *scene, uint32_t slot, const Step *step) {
    GPU_VKSKIN(scene->gpu, vkskinBeginFrame(scene->context, slot));
    take(scene, step);
    recordAndRun(scene->gpu, scene->context);
}

static void checkOutput(const Scene *scene, float current, float previous) {
    VkskinOutput output = markerOutput(scene->gpu, scene->context, scene->instance);
    assert_int_equal(output.positionOffset % 16, 0);
    assert_int_equal(output.attributeStride, 0);
    assert_true(current != previous || output.previousPositionOffset == output.positionOffset);
    checkHistory(scene->gpu, scene->context, scene->instance, current, previous, 7.0f);
}

static void checkCounts(const Scene *scene, uint32_t skinned, uint32_t culled, uint32_t unchanged) {
    VkskinStats stats = statsOf(scene->gpu, scene->context);
    assert_int_equal(stats.instancesSkinned, skinned);
    assert_int_equal(stats.instancesCulled, culled);
    assert_int_equal(stats.instancesUnchanged, unchanged);
}

/* repeats: every frame is followed by so many in the same slot. */
static void runSteps(Gpu *gpu, VkskinBackend backend, uint32_t frames, uint32_t regions, uint32_t repeats) {
    VkskinContextDef def = smallDef(gpu, backend, frames, regions);
    Scene scene = makeScene(gpu, &def, VERTICES, true);
    for (uint32_t f = 0; f < COUNT_OF(steps); f++) {
        const Step *step = &steps[f];
        run(&scene, f / (repeats + 1) % frames, step);
        checkOutput(&scene, step->current, step->previous);
        checkCounts(&scene, step->skinned, step->culled, step->unchanged);
    }
    gpuDestroyContext(gpu, scene.context);
}

GPU_TEST(outputAndHistoryStay) {
    for (uint32_t frames = 1; frames <= 3; frames++) {
        for (uint32_t regions = 1; regions <= frames; regions++) {
            runSteps(gpu, backends[0], frames, regions, regions - 1);
            runSteps(gpu, backends[1], frames, regions, frames - regions);
        }
    }
}

/* The commands of each frame are given before the frame before it is recorded. */
static void runPrepared(Gpu *gpu, VkskinBackend backend, uint32_t frames, uint32_t regions) {
    VkskinContextDef def = smallDef(gpu, backend, frames, regions);
    Scene scene = makeScene(gpu, &def, VERTICES, true);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    take(&scene, &steps[0]);
    for (uint32_t f = 0; steps[f + 1].action != REPLACE; f++) {
        const Step *step = &steps[f];
        GPU_VKSKIN(gpu, vkskinPrepareFrame(scene.context, (f + 1) % frames));
        take(&scene, &steps[f + 1]);
        recordAndRun(gpu, scene.context);
        checkOutput(&scene, step->current, step->previous);
        checkCounts(&scene, step->skinned, step->culled, step->unchanged);
        GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, (f + 1) % frames));
    }
    recordAndRun(gpu, scene.context);
    gpuDestroyContext(gpu, scene.context);
}

GPU_TEST(preparedFramesShowTheSame) {
    for (uint32_t frames = 2; frames <= 3; frames++) {
        for (uint32_t regions = 1; regions <= frames; regions++) {
            runPrepared(gpu, backends[0], frames, regions);
            runPrepared(gpu, backends[1], frames, regions);
        }
    }
}

/* Commands that are never recorded: the prepared frame shows motion from the output before them. */
BACKENDS_TEST(droppedCommandsLeaveHistory) {
    VkskinContextDef def = smallDef(gpu, backend, 3, 2);
    Scene scene = makeScene(gpu, &def, VERTICES, true);
    run(&scene, 0, &(Step){.mark = 1});
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    take(&scene, &(Step){.mark = 2});
    GPU_VKSKIN(gpu, vkskinPrepareFrame(scene.context, 2));
    take(&scene, &(Step){.mark = 3});
    GPU_VKSKIN_IS(gpu, VKSKIN_WARNING_COMMANDS_DROPPED, vkskinBeginFrame(scene.context, 2));
    recordAndRun(gpu, scene.context);
    checkOutput(&scene, 3.0f, 1.0f);
    gpuDestroyContext(gpu, scene.context);
}

/* Without previous positions in the mesh, they equal the current ones. */
GPU_TEST(withoutPreviousPositions) {
    VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 2, 2);
    Scene scene = makeScene(gpu, &def, VERTICES, false);
    for (uint32_t f = 0; f < 5; f++) {
        run(&scene, f % 2, &(Step){.mark = (float)f});
        checkOutput(&scene, (float)f, (float)f);
    }
    run(&scene, 1, &(Step){.action = SKIP});
    checkOutput(&scene, 4, 4);
}

/* As many places as regions, and one more for previous positions; each visited in turn. */
GPU_TEST(regionsRotate) {
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t regions = 1 + i / 2, period = regions + i % 2;
        VkskinContextDef def = smallDef(gpu, VKSKIN_BACKEND_COMPUTE, 3, regions);
        Scene scene = makeScene(gpu, &def, VERTICES, i % 2 == 1);
        VkDeviceSize offsets[12];
        for (uint32_t f = 0; f < 12; f++) {
            run(&scene, f % 3, &(Step){.mark = (float)f});
            offsets[f] = markerOutput(gpu, scene.context, scene.instance).positionOffset;
            for (uint32_t back = 1; back <= f && back < period; back++) {
                assert_int_not_equal(offsets[f], offsets[f - back]);
            }
            assert_true(f < period || offsets[f] == offsets[f - period]);
        }
    }
}

GPU_TEST(outputsLieAsDocumented) {
    for (int previous = 0; previous < 2; previous++) {
        Scene s = makeScene(gpu, NULL, 21, previous != 0);
        GPU_VKSKIN(gpu, vkskinBeginFrame(s.context, 0));
        markerSkin(gpu, s.context, s.instance, 1.0f, 1.0f);
        VkskinOutput output = markerOutput(gpu, s.context, s.instance);
        VkskinOutputPage page;
        assert_true(output.page < vkskinGetOutputPageCount(s.context));
        GPU_VKSKIN(gpu, vkskinGetOutputPage(s.context, output.page, &page));
        assert_true(output.buffer == page.buffer);
        assert_int_equal(output.vertexCount, 21);
        assert_int_equal(output.positionOffset % 16, 0);
        assert_int_equal(output.attributeOffset, output.offset); /* without normals */
        assert_int_equal(output.attributeStride, 0);
        assert_int_equal(output.previousPositionOffset, output.positionOffset); /* the first update */
        assert_true(output.attributeOffset <= page.size);
        VkskinMeshInfo info;
        GPU_VKSKIN(gpu, vkskinGetMeshInfo(s.context, s.mesh, &info));
        assert_int_equal(info.outputBytes, 256);
        assert_int_equal(info.sourceBytes % 16, 0);
        gpuDestroyContext(gpu, s.context);
    }
}

/* ---- Commands that are left out ---- */

/* A cancelled frame does not change the pose version of the output. */
BACKENDS_TEST(cancelledPosesAreTakenBack) {
    Scene scene = smallScene(gpu, backend);
    run(&scene, 0, &(Step){.pose = 1, .mark = 1});
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    take(&scene, &(Step){.pose = 2, .mark = 2});
    GPU_VKSKIN(gpu, vkskinCancelFrame(scene.context));
    run(&scene, 1, &(Step){.pose = 2, .mark = 3});
    checkOutput(&scene, 3.0f, 1.0f);
    checkCounts(&scene, 1, 0, 0);
    run(&scene, 0, &(Step){.pose = 2, .mark = -1});
    checkOutput(&scene, 3.0f, 3.0f);
}

/* Wrong instances and flags are still refused, and no command of such a call is taken. */
GPU_TEST(othersAreStillRefused) {
    Scene scene = smallScene(gpu, VKSKIN_BACKEND_COMPUTE);
    VkskinInstance instance = scene.instance;
    run(&scene, 0, &(Step){.pose = 5, .mark = 1});
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    const VkskinSkinCommand stale[] = {
        {.instance = instance, .flags = CULLED},
        {.instance = {instance.index, instance.generation + 1}, .flags = CULLED},
    };
    gpuCheckRefusal(gpu, "stale", vkskinSkinInstances(scene.context, stale, 2, NULL), VKSKIN_ERROR_STALE_HANDLE,
                    "command 1");
    checkCounts(&scene, 0, 0, 0);
    const VkskinSkinCommand unknown = {.instance = instance, .flags = CULLED << 1, .poseVersion = 5};
    gpuCheckRefusal(gpu, "flags", vkskinSkinInstances(scene.context, &unknown, 1, NULL), VKSKIN_ERROR_INVALID_VALUE,
                    "flags");
    const VkskinSkinCommand other = {.instance = instance, .poseVersion = 6};
    gpuCheckRefusal(gpu, "palette", vkskinSkinInstances(scene.context, &other, 1, NULL), VKSKIN_ERROR_PALETTE_STALE,
                    "the palette is null");
    recordAndRun(gpu, scene.context);
    checkOutput(&scene, 1.0f, 1.0f);
}

/* One call with an instance twice, once with its current pose version: the order makes no difference. */
BACKENDS_TEST(onePoseAtATime) {
    Scene scene = smallScene(gpu, backend);
    VkskinInstance instance = scene.instance;
    run(&scene, 0, &(Step){.pose = 7, .mark = 1});
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 1));
    VkskinPalette palette = markerPalette(gpu, scene.context, 2.0f, 7.0f);
    const VkskinSkinCommand unchecked = {
        .instance = instance, .poseVersion = 7, .palette = {.page = 100000}, .morphWeightCount = 1000000};
    const VkskinSkinCommand moved = {.instance = instance, .poseVersion = 8, .palette = palette};
    const VkskinSkinCommand later[] = {moved, unchecked};
    gpuCheckRefusal(gpu, "twice", vkskinSkinInstances(scene.context, later, 2, NULL), VKSKIN_ERROR_PALETTE_STALE,
                    "command 1");
    const VkskinSkinCommand culled[] = {{.instance = instance, .flags = CULLED, .method = (VkskinMethod)99},
                                        unchecked,
                                        moved,
                                        {.instance = instance, .flags = CULLED}};
    GPU_VKSKIN(gpu, vkskinSkinInstances(scene.context, culled, 4, NULL));
    gpuCheckRefusal(gpu, "again", vkskinSkinInstances(scene.context, &moved, 1, NULL), VKSKIN_ERROR_ALREADY_SKINNED,
                    "command 0");
    recordAndRun(gpu, scene.context);
    checkCounts(&scene, 1, 2, 1);
    checkOutput(&scene, 2.0f, 1.0f);
}

/* Commands that are left out take no room. */
GPU_TEST(leftOutTakesNoRoom) {
    Scene scene = smallScene(gpu, VKSKIN_BACKEND_COMPUTE);
    VkskinSkinCommand culled[40];
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    take(&scene, &(Step){.pose = 5, .mark = 1});
    for (size_t i = 0; i < COUNT_OF(culled); i++) {
        culled[i] = (VkskinSkinCommand){.instance = scene.instance, .flags = CULLED};
    }
    GPU_VKSKIN(gpu, vkskinSkinInstances(scene.context, culled, 40, NULL));
    recordAndRun(gpu, scene.context);
    checkOutput(&scene, 1.0f, 1.0f);
}
