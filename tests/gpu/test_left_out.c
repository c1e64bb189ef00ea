/*
 * Instances that are marked culled or whose pose version is unchanged: they are not skinned, keep their output and
 * history, and need no palette. With kernels and with the CPU backend.
 */
#include "scene.h"
#include "test.h"

#define VERTICES 67u
#define BYTES    (VERTICES * 12u)

typedef struct Stage {
    Gpu *gpu;
    VkskinContext context;
    VkskinInstance instance;
    uint32_t frame;
} Stage;

static Stage makeStage(Gpu *gpu, VkskinBackend backend) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.backend = backend;
    def.pageSize = 1u << 20;
    def.maxInstances = 16;
    Stage stage = {.gpu = gpu, .context = gpuContext(gpu, &def)};
    stage.instance = markerInstance(gpu, stage.context, markerMesh(gpu, stage.context, VERTICES, true));
    return stage;
}

static void begin(Stage *stage) {
    GPU_VKSKIN(stage->gpu, vkskinBeginFrame(stage->context, stage->frame % 2));
}

static void record(Stage *stage) {
    recordAndRun(stage->gpu, stage->context);
    stage->frame++;
}

static VkskinStats stageStats(const Stage *stage) {
    VkskinStats stats;
    GPU_VKSKIN(stage->gpu, vkskinGetStats(stage->context, &stats));
    return stats;
}

static void checkOutput(const Stage *stage, float current, float previous) {
    VkskinOutput output = markerOutput(stage->gpu, stage->context, stage->instance);
    GpuBuffer copy = gpuBuffer(stage->gpu, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkDeviceSize offsets[2] = {output.positionOffset, output.previousPositionOffset};
    const float marks[2] = {current, previous};
    for (uint32_t i = 0; i < 2; i++) {
        VkCommandBuffer commandBuffer = gpuBegin(stage->gpu);
        gpuRecordReadback(commandBuffer, output.buffer, offsets[i], BYTES, copy.buffer);
        gpuSubmitAndWait(stage->gpu, commandBuffer);
        assert_int_equal(markerMismatches(copy.mapped, VERTICES, marks[i], 7.0f), 0);
    }
    gpuFreeBuffer(stage->gpu, &copy);
}

/* A frame. Its palette moves by `mark`; a negative mark: no palette. */
typedef struct Step {
    uint32_t flags;
    uint64_t pose;
    float mark;
    float current, previous; /* the expected positions */
    uint32_t skinned, culled, unchanged;
} Step;

#define CULLED VKSKIN_SKIN_CULLED_BIT

static const Step steps[] = {
    {0, 11, 1, 1, 1, 1, 0, 0},
    {0, 12, 2, 2, 1, 1, 0, 0},
    {0, 12, -1, 2, 2, 0, 0, 1}, /* the palette is not checked */
    {0, 12, 9, 2, 2, 0, 0, 1},  /* a palette is ignored */
    {0, 13, 3, 3, 2, 1, 0, 0},
    {CULLED, 0, -1, 3, 3, 0, 1, 0},
    {CULLED, 14, -1, 3, 3, 0, 1, 0}, /* the pose version is ignored */
    {0, 14, 4, 4, 3, 1, 0, 0},
    {0, 0, 5, 5, 4, 1, 0, 0}, /* 0: no pose version */
    {0, 0, 6, 6, 5, 1, 0, 0},
    {0, 14, 7, 7, 6, 1, 0, 0}, /* only the version of the latest update counts */
    {CULLED, 14, -1, 7, 7, 0, 1, 0},
    {0, 14, -1, 7, 7, 0, 0, 1},
    {VKSKIN_SKIN_TELEPORT_BIT, 15, 8, 8, 8, 1, 0, 0},
};

static void take(Stage *stage, const Step *step) {
    VkskinSkinCommand command = {.instance = stage->instance, .flags = step->flags, .poseVersion = step->pose};
    if (step->mark >= 0.0f) {
        command.palette = markerPalette(stage->gpu, stage->context, step->mark, 7.0f);
    }
    GPU_VKSKIN(stage->gpu, vkskinSkinInstances(stage->context, &command, 1));
}

static void leaveOut(Gpu *gpu, VkskinBackend backend) {
    Stage stage = makeStage(gpu, backend);
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        const Step *step = &steps[i];
        begin(&stage);
        take(&stage, step);
        record(&stage);
        checkOutput(&stage, step->current, step->previous);
        VkskinStats stats = stageStats(&stage);
        assert_int_equal(stats.instancesSkinned, step->skinned);
        assert_int_equal(stats.instancesCulled, step->culled);
        assert_int_equal(stats.instancesUnchanged, step->unchanged);
    }
    gpuDestroyContext(gpu, stage.context);
}

GPU_TEST(outputAndHistoryStay) {
    leaveOut(gpu, VKSKIN_BACKEND_COMPUTE);
    leaveOut(gpu, VKSKIN_BACKEND_CPU);
}

/* A cancelled frame does not change the pose version of the output. */
GPU_TEST(cancelledPosesAreTakenBack) {
    static const Step first = {.pose = 1, .mark = 1}, second = {.pose = 2, .mark = 2}, third = {.pose = 2, .mark = 3},
                      same = {.pose = 2, .mark = -1};
    for (int backend = 0; backend < 2; backend++) {
        Stage stage = makeStage(gpu, (VkskinBackend)backend);
        begin(&stage);
        take(&stage, &first);
        record(&stage);
        begin(&stage);
        take(&stage, &second);
        GPU_VKSKIN(stage.gpu, vkskinCancelFrame(stage.context));
        begin(&stage);
        take(&stage, &third);
        record(&stage);
        checkOutput(&stage, 3.0f, 1.0f);
        assert_int_equal(stageStats(&stage).instancesSkinned, 1);
        begin(&stage);
        take(&stage, &same);
        record(&stage);
        checkOutput(&stage, 3.0f, 3.0f);
        gpuDestroyContext(gpu, stage.context);
    }
}

/* Wrong instances and flags are still refused, and no command of such a call is taken. */
GPU_TEST(othersAreStillRefused) {
    Stage stage = makeStage(gpu, VKSKIN_BACKEND_COMPUTE);
    const Step skinned = {.pose = 5, .mark = 1};
    begin(&stage);
    take(&stage, &skinned);
    record(&stage);
    begin(&stage);
    const VkskinSkinCommand stale[] = {
        {.instance = stage.instance, .flags = CULLED},
        {.instance = {stage.instance.index, stage.instance.generation + 1}, .flags = CULLED},
    };
    gpuCheckRefusal(stage.gpu, "stale", vkskinSkinInstances(stage.context, stale, 2), VKSKIN_ERROR_STALE_HANDLE,
                    "command 1");
    assert_int_equal(stageStats(&stage).instancesCulled, 0);
    const VkskinSkinCommand unknown = {.instance = stage.instance, .flags = CULLED << 1, .poseVersion = 5};
    gpuCheckRefusal(stage.gpu, "flags", vkskinSkinInstances(stage.context, &unknown, 1), VKSKIN_ERROR_INVALID_VALUE,
                    "flags");
    const VkskinSkinCommand other = {.instance = stage.instance, .poseVersion = 6};
    gpuCheckRefusal(stage.gpu, "palette", vkskinSkinInstances(stage.context, &other, 1), VKSKIN_ERROR_PALETTE_STALE,
                    "the palette is null");
    record(&stage);
    checkOutput(&stage, 1.0f, 1.0f);
}

/* One call with an instance twice, once with its current pose version: the order makes no difference. */
GPU_TEST(onePoseAtATime) {
    for (int backend = 0; backend < 2; backend++) {
        Stage stage = makeStage(gpu, (VkskinBackend)backend);
        const Step skinned = {.pose = 7, .mark = 1};
        begin(&stage);
        take(&stage, &skinned);
        record(&stage);
        begin(&stage);
        VkskinPalette palette = markerPalette(stage.gpu, stage.context, 2.0f, 7.0f);
        const VkskinSkinCommand unchecked = {
            .instance = stage.instance, .poseVersion = 7, .palette = {.page = 100000}, .morphWeightCount = 1000000};
        const VkskinSkinCommand later[] = {{.instance = stage.instance, .poseVersion = 8, .palette = palette},
                                           unchecked};
        gpuCheckRefusal(stage.gpu, "twice", vkskinSkinInstances(stage.context, later, 2), VKSKIN_ERROR_PALETTE_STALE,
                        "command 1");
        const VkskinSkinCommand culled[] = {{.instance = stage.instance, .flags = CULLED, .method = (VkskinMethod)99},
                                            unchecked,
                                            {.instance = stage.instance, .poseVersion = 8, .palette = palette},
                                            {.instance = stage.instance, .flags = CULLED}};
        GPU_VKSKIN(stage.gpu, vkskinSkinInstances(stage.context, culled, 4));
        const VkskinSkinCommand again = {.instance = stage.instance, .poseVersion = 8, .palette = palette};
        gpuCheckRefusal(stage.gpu, "again", vkskinSkinInstances(stage.context, &again, 1), VKSKIN_ERROR_ALREADY_SKINNED,
                        "command 0");
        record(&stage);
        assert_int_equal(stageStats(&stage).instancesSkinned, 1);
        assert_int_equal(stageStats(&stage).instancesCulled, 2);
        assert_int_equal(stageStats(&stage).instancesUnchanged, 1);
        checkOutput(&stage, 2.0f, 1.0f);
        gpuDestroyContext(gpu, stage.context);
    }
}

/* Commands that are left out take no room. */
GPU_TEST(leftOutTakesNoRoom) {
    Stage stage = makeStage(gpu, VKSKIN_BACKEND_COMPUTE);
    const Step skinned = {.pose = 5, .mark = 1};
    begin(&stage);
    take(&stage, &skinned);
    VkskinSkinCommand culled[40];
    for (size_t i = 0; i < COUNT_OF(culled); i++) {
        culled[i] = (VkskinSkinCommand){.instance = stage.instance, .flags = CULLED};
    }
    GPU_VKSKIN(stage.gpu, vkskinSkinInstances(stage.context, culled, 40));
    record(&stage);
    checkOutput(&stage, 1.0f, 1.0f);
}
