/*
 * Memory that grows, on the null driver, which checks what dispatches read: limits are exact, failed growth changes
 * nothing, later frames use the room that is there. And palettes in bulk.
 */
#include "host_doubles.h"
#include "host_memory.h"
#include "null_driver.h"
#include "vkskin/vkskin_pose.h"

#define MOST 300u

static NullDriver *driver;
static VkskinContext context;
static HostMemory heap;
static VkskinMesh mesh;
static VkskinInstance instances[MOST];
static VkskinPalette palettes[MOST];
static void *data[MOST];

/* ---- The scene ---- */

/* A vertex at the origin with one bone, and a morph target that the null driver adds along z. */
static VkskinMesh makeMesh(void) {
    static const float position[3] = {0}, weight = 1.0f;
    static const uint16_t joint = 0;
    const VkskinMorphTarget target = {.vertexCount = 1, .positions = position};
    VkskinMeshDef def = meshDefOf(1, 1, 1, position, &joint, &weight);
    def.morphTargets = &target;
    def.morphTargetCount = 1;
    VkskinMesh made;
    OK(vkskinCreateMesh(context, &def, &made));
    return made;
}

static VkskinContextDef makeDriver(const NullDriverSettings *changed) {
    NullDriverSettings settings = changed != NULL ? *changed : nullDriverDefaultSettings();
    settings.translates = true;
    driver = nullDriverCreate(&settings);
    VkskinContextDef def = nullDriverContextDef(driver);
    def.memory.paletteBytesPerFrame = 48;
    def.memory.initialInstances = 1;
    def.memory.initialMorphWeights = 0;
    def.memory.maxInstances = MOST;
    return def;
}

static void makeContext(const VkskinContextDef *def) {
    OK(vkskinCreateContext(def, &context));
    mesh = makeMesh();
    VkskinPipelineDef pipelines = kernelsOf(&mesh, 1);
    pipelines.features = VKSKIN_KERNEL_MORPHS_BIT;
    OK(vkskinCreatePipelines(context, &pipelines));
    OK(vkskinCreateInstances(context, mesh, MOST, instances));
}

static void endContext(void) {
    vkskinDestroyContext(context);
    assert_string_equal(nullDriverFirstFault(driver), "");
    assert_int_equal(nullDriverDestroy(driver), 0);
}

static VkskinStats statsOf(void) {
    VkskinStats stats;
    OK(vkskinGetStats(context, &stats));
    return stats;
}

static VkskinResult allocate(uint32_t first, uint32_t count) {
    return vkskinAllocatePalettes(context, VKSKIN_PALETTE_MAT3X4, NULL, 1, count, palettes + first, data + first);
}

/* Instance i moves to (i, frame, 0), and by its morph weight to z = 5 if i is odd. */
static VkskinSkinCommand commandOf(uint32_t i, uint32_t frame) {
    static const float weight = 5.0f;
    const VkskinAffine bone = {{{1, 0, 0, (float)i}, {0, 1, 0, (float)frame}, {0, 0, 1, 0}}};
    memcpy(data[i], &bone, sizeof bone);
    return (VkskinSkinCommand){
        .instance = instances[i], .palette = palettes[i], .morphWeights = &weight, .morphWeightCount = i % 2};
}

static VkskinResult skin(uint32_t first, uint32_t count, uint32_t frame) {
    VkskinSkinCommand commands[MOST];
    for (uint32_t i = 0; i < count; i++) {
        commands[i] = commandOf(first + i, frame);
    }
    return vkskinSkinInstances(context, commands, count, NULL);
}

static void recordInto(VkCommandBuffer commands) {
    OK(vkskinRecordSkinning(context, commands));
}

static void checkOutput(uint32_t i, uint32_t frame) {
    VkskinOutput output;
    OK(vkskinGetOutput(context, instances[i], &output));
    const float expected[3] = {(float)i, (float)frame, i % 2 == 1 ? 5.0f : 0.0f};
    const unsigned char *bytes = nullDriverContents(driver, output.buffer);
    assert_memory_equal(bytes + output.positionOffset, expected, sizeof expected);
}

static void checkOutputs(uint32_t count, uint32_t frame) {
    for (uint32_t i = 0; i < count; i++) {
        checkOutput(i, frame);
    }
}

/* A frame with two record calls; the second one needs more than the frame began with. */
static void runFrame(uint32_t slot, uint32_t frame, uint32_t count) {
    VkCommandBuffer commands = nullDriverBegin(driver);
    const uint32_t some = count / 10 + 1;
    OK(vkskinBeginFrame(context, slot));
    OK(allocate(0, some));
    OK(skin(0, some, frame));
    recordInto(commands);
    OK(allocate(some, count - some));
    OK(skin(some, count - some, frame));
    recordInto(commands);
    nullDriverRun(commands);
    checkOutputs(count, frame);
}

/* ---- Growth ---- */

/* In every layout of memory, coherent or not. Slots keep their pages: a second round allocates nothing. */
TEST(framesGrowAndKeepTheirRoom) {
    for (uint32_t i = 0; i < 6; i++) {
        NullDriverSettings settings = nullDriverDefaultSettings();
        settings.memory = nullDriverMemory((NullDriverLayout)(i / 2), i % 2 == 0, (VkDeviceSize)64 << 20);
        VkskinContextDef def = makeDriver(&settings);
        const VkskinMemoryCallbacks memory = nullDriverHostMemory(driver);
        def.memory.callbacks = i % 2 == 0 ? NULL : &memory; /* memory of the library itself is always coherent */
        makeContext(&def);
        for (uint32_t frame = 1; frame <= 3; frame++) { /* the third one frees the mesh's staging memory */
            runFrame(frame % 2, frame, MOST);
        }
        const VkskinStats grown = statsOf();
        assert_true(grown.palettePages > 2);
        for (uint32_t frame = 4; frame <= 6; frame++) {
            runFrame(frame % 2, frame, MOST);
            assert_int_equal(statsOf().deviceBytes, grown.deviceBytes);
        }
        endContext();
    }
}

/* Pages double, so a frame that grows one instance at a time has few. */
TEST(pagesAreFew) {
    const VkskinContextDef def = makeDriver(NULL);
    makeContext(&def);
    OK(vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < MOST; i++) {
        OK(allocate(i, 1));
        OK(skin(i, 1, 1));
    }
    VkCommandBuffer commands = nullDriverBegin(driver);
    recordInto(commands);
    nullDriverRun(commands);
    checkOutputs(MOST, 1);
    assert_true(statsOf().palettePages <= 12); /* pages of two slots */
    assert_true(nullDriverAliveOf(driver, VK_OBJECT_TYPE_BUFFER) < 32);
    endContext();
}

/* Ranges of a release; the wrapper has no user pointer. */
static VkDeviceSize releasedBytes;
static uint32_t releasedCount;

static VKAPI_ATTR void VKAPI_CALL
sumReleased(__attribute__((unused)) VkCommandBuffer commands, __attribute__((unused)) VkPipelineStageFlags from,
            __attribute__((unused)) VkPipelineStageFlags to, __attribute__((unused)) VkDependencyFlags flags,
            __attribute__((unused)) uint32_t memoryCount, __attribute__((unused)) const VkMemoryBarrier *memory,
            uint32_t count, const VkBufferMemoryBarrier *buffers, __attribute__((unused)) uint32_t imageCount,
            __attribute__((unused)) const VkImageMemoryBarrier *images) {
    for (uint32_t i = 0; i < count; i++) {
        releasedBytes += buffers[i].size;
    }
    releasedCount += count;
}

static VKAPI_ATTR void VKAPI_CALL twoFamilies(__attribute__((unused)) VkPhysicalDevice device, uint32_t *count,
                                              VkQueueFamilyProperties *families) {
    *count = 2;
    for (uint32_t i = 0; families != NULL && i < 2; i++) {
        families[i] = (VkQueueFamilyProperties){.queueFlags = VK_QUEUE_COMPUTE_BIT, .queueCount = 1};
    }
}

/* With two queue families a frame releases also what was recorded before it grew. */
TEST(growthKeepsWhatIsReleased) {
    VkskinVulkanFunctions functions = *nullDriverFunctions();
    functions.vkCmdPipelineBarrier = sumReleased;
    functions.vkGetPhysicalDeviceQueueFamilyProperties = twoFamilies;
    VkskinContextDef def = makeDriver(NULL);
    def.functions = &functions;
    def.graphicsQueueFamily = def.computeQueueFamily + 1;
    def.outputRegions = def.framesInFlight;
    makeContext(&def);
    VkDeviceSize bytes[2];
    uint32_t counts[2];
    for (uint32_t frame = 0; frame < 2; frame++) { /* the list of the second one is large enough from the start */
        runFrame(frame, frame + 1, MOST);
        VkCommandBuffer commands = nullDriverBegin(driver);
        releasedBytes = releasedCount = 0;
        OK(vkskinRecordRelease(context, commands));
        nullDriverRun(commands);
        bytes[frame] = releasedBytes;
        counts[frame] = releasedCount;
    }
    assert_true(bytes[0] > 0 && bytes[0] == bytes[1] && counts[0] == counts[1]);
    endContext();
}

/* ---- Limits ---- */

/* Nothing fails below the limits, whatever the ends of pages waste; above them the call names the limit. */
TEST(limitsAreExact) {
    LogMemory log;
    VkskinContextDef def = makeDriver(NULL);
    def.logger = rememberingLogger(&log);
    def.memory.pageSize = 65536;
    def.memory.firstPageSize = 65536;
    def.memory.maxPaletteBytesPerFrame = (VkDeviceSize)400 * 48 * MOST;
    def.memory.maxMorphWeights = MOST; /* two for each odd instance */
    makeContext(&def);
    OK(vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < MOST; i++) {
        OK(vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 400, &palettes[i], &data[i]));
    }
    VkskinPalette palette;
    void *place;
    assertRefused(&log, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 1, &palette, &place),
                  VKSKIN_ERROR_PALETTE_RING_FULL,
                  "vkskinAllocatePalette: 1 bones take 48 bytes; of this frame's maxPaletteBytesPerFrame (5760000), 0 "
                  "are left");
    VkCommandBuffer commands = nullDriverBegin(driver);
    for (uint32_t i = 0; i < MOST; i++) {
        palettes[i].boneCount = 1;
    }
    OK(skin(0, MOST, 1));
    recordInto(commands);
    nullDriverRun(commands);
    checkOutputs(MOST, 1);
    endContext();
}

static VkskinResult allocateBones(uint32_t bones) {
    return vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, bones, &palettes[0], &data[0]);
}

/* Pages that a frame added stay. Together they may then be larger than the limit, which holds all the same. */
TEST(limitsHoldInLargerPages) {
    VkskinContextDef def = makeDriver(NULL);
    def.framesInFlight = 1;
    def.memory.paletteBytesPerFrame = (VkDeviceSize)10 * 48;
    def.memory.maxPaletteBytesPerFrame = (VkDeviceSize)20 * 48;
    makeContext(&def);
    OK(vkskinBeginFrame(context, 0));
    OK(allocateBones(8));
    OK(allocateBones(4)); /* second page: 10 bones */
    OK(allocateBones(7)); /* third page: 7 bones, because 7 are left of the limit */
    OK(vkskinBeginFrame(context, 0));
    OK(allocateBones(8));
    OK(allocateBones(8));
    OK(allocateBones(3)); /* in the third page: 4 more have room there, 1 below the limit */
    RETURNS(VKSKIN_ERROR_PALETTE_RING_FULL, allocateBones(2));
    OK(allocateBones(1));
    RETURNS(VKSKIN_ERROR_PALETTE_RING_FULL, allocateBones(1));
    assert_int_equal(statsOf().paletteBytes, 20 * 48);
    endContext();
}

/* With results only the commands whose morph weights have no room are refused. */
TEST(morphsWithoutRoomAreRefusedAlone) {
    static const float weight = 5.0f;
    VkskinSkinCommand commands[3];
    VkskinResult results[3];
    VkskinContextDef def = makeDriver(NULL);
    def.memory.maxMorphWeights = 3; /* each command takes two */
    makeContext(&def);
    OK(vkskinBeginFrame(context, 0));
    OK(allocate(0, 3));
    for (uint32_t i = 0; i < 3; i++) {
        commands[i] = (VkskinSkinCommand){
            .instance = instances[i], .palette = palettes[i], .morphWeights = &weight, .morphWeightCount = i < 2};
    }
    RETURNS(VKSKIN_WARNING_COMMANDS_REFUSED, vkskinSkinInstances(context, commands, 3, results));
    OK(results[0]);
    RETURNS(VKSKIN_ERROR_TOO_MANY_MORPHS, results[1]);
    OK(results[2]);
    assert_int_equal(statsOf().morphWeights, 2);
    endContext();
}

TEST(withoutAMaximumNothingGrows) {
    VkskinContextDef def = makeDriver(NULL);
    def.memory.initialInstances = 4;
    def.memory.initialMorphWeights = 4;
    def.memory.paletteBytesPerFrame = 4 * 48;
    def.memory.maxInstances = def.memory.maxMorphWeights = 0;
    def.memory.maxPaletteBytesPerFrame = 0;
    OK(vkskinCreateContext(&def, &context));
    mesh = makeMesh();
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    pipelines.features = VKSKIN_KERNEL_MORPHS_BIT;
    OK(vkskinCreatePipelines(context, &pipelines));
    OK(vkskinCreateInstances(context, mesh, 4, instances));
    RETURNS(VKSKIN_ERROR_TOO_MANY_INSTANCES, vkskinCreateInstances(context, mesh, 1, &instances[4]));
    const uint64_t before = statsOf().deviceBytes;
    runFrame(0, 1, 4);
    RETURNS(VKSKIN_ERROR_PALETTE_RING_FULL, allocate(4, 1));
    assert_true(statsOf().deviceBytes <= before);
    endContext();
}

/* ---- Matrices of the host ---- */

static float columns[MOST][16];
static VkskinMatrices hostBones[MOST];

/* Instance i moves to (i, frame, 0). Two neighbours share the bones of the first if `shared`. */
static void fillMatrices(uint32_t frame, bool shared) {
    for (uint32_t i = 0; i < MOST; i++) {
        const uint32_t at = shared ? i / 2 * 2 : i;
        const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, (float)i, (float)frame, 0, 1};
        memcpy(columns[i], matrix, sizeof matrix);
        hostBones[i] = (VkskinMatrices){.data = columns[at], .count = 1};
    }
}

static VkskinResult skinMatrices(uint32_t count) {
    return vkskinSkinMatrices(context, VKSKIN_METHOD_LINEAR_BLEND, instances, hostBones, count);
}

static void checkMoved(uint32_t i, float x, float y) {
    VkskinOutput output;
    OK(vkskinGetOutput(context, instances[i], &output));
    const float expected[3] = {x, y, 0.0f};
    const unsigned char *bytes = nullDriverContents(driver, output.buffer);
    assert_memory_equal(bytes + output.positionOffset, expected, sizeof expected);
}

/* One instance, as many as need no memory of their own, one more, all. */
TEST(matricesSkinInstances) {
    static const uint32_t counts[] = {1, 64, 65, MOST};
    VkskinContextDef def = makeDriver(NULL);
    makeContext(&def);
    for (uint32_t frame = 0; frame < 2 * COUNT_OF(counts); frame++) {
        const uint32_t count = counts[frame / 2];
        const bool shared = frame % 2 == 1;
        VkCommandBuffer commands = nullDriverBegin(driver);
        OK(vkskinBeginFrame(context, frame % 2));
        fillMatrices(frame, shared);
        OK(skinMatrices(0));
        OK(skinMatrices(count));
        assert_int_equal(statsOf().paletteBytes, (shared ? (count + 1) / 2 : count) * 48);
        memset(columns, 0, sizeof columns); /* they were copied */
        recordInto(commands);
        nullDriverRun(commands);
        for (uint32_t i = 0; i < count; i++) {
            checkMoved(i, (float)(shared ? i / 2 * 2 : i), (float)frame);
        }
    }
    endContext();
}

/* On an error no instance has a command. */
TEST(badMatricesSkinNothing) {
    LogMemory log;
    VkskinContextDef def = makeDriver(NULL);
    def.logger = rememberingLogger(&log);
    makeContext(&def);
    fillMatrices(1, false);
    log.count = 0;
    assertRefused(&log, skinMatrices(1), VKSKIN_ERROR_FRAME_NOT_BEGUN,
                  "vkskinSkinMatrices: no frame is begun, vkskinBeginFrame comes first");
    OK(vkskinBeginFrame(context, 0));
    columns[70][12] = NAN;
    assertRefused(&log, skinMatrices(MOST), VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                  "vkskinSkinMatrices: instance 70: the matrix of bone 0 is not finite, or too large for the palette");
    columns[70][12] = 0.0f;
    columns[70][3] = 1.0f;
    assertRefused(
        &log, skinMatrices(MOST), VKSKIN_ERROR_TRANSFORM_NOT_AFFINE,
        "vkskinSkinMatrices: instance 70: the matrix of bone 0 has a last row other than (0, 0, 0, 1): are the "
        "matrices row-major?");
    columns[70][3] = 0.0f;
    hostBones[3].stride = 60;
    assertRefused(&log, skinMatrices(MOST), VKSKIN_ERROR_INVALID_VALUE,
                  "vkskinSkinMatrices: matrices[3]: order (0) or stride (60) is out of range");
    hostBones[3].stride = 0;
    hostBones[4].data = NULL;
    assertRefused(&log, skinMatrices(MOST), VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinMatrices: matrices[4].data is null");
    hostBones[4].data = columns[4];
    hostBones[5].count = 0;
    assertRefused(&log, skinMatrices(MOST), VKSKIN_ERROR_INVALID_VALUE,
                  "vkskinAllocatePalettes: palette 5: boneCount is 0");
    hostBones[5].count = 1;
    assertRefused(&log, vkskinSkinMatrices(context, VKSKIN_METHOD_LINEAR_BLEND, NULL, hostBones, 1),
                  VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinMatrices: instances is null");
    assertRefused(&log, vkskinSkinMatrices(context, VKSKIN_METHOD_LINEAR_BLEND, instances, NULL, 1),
                  VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinMatrices: matrices is null");
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSkinMatrices(NULL, VKSKIN_METHOD_LINEAR_BLEND, instances, hostBones, 1));
    assertRefused(&log, vkskinSkinMatrices(context, (VkskinMethod)9, instances, hostBones, 1),
                  VKSKIN_ERROR_INVALID_VALUE,
                  "vkskinSkinInstances: command 0: method 9 is unknown; was the command set to zero first?");
    const VkskinInstance kept = instances[299];
    instances[299] = VKSKIN_NULL_INSTANCE;
    assertRefused(&log, skinMatrices(MOST), VKSKIN_ERROR_NULL_HANDLE,
                  "vkskinSkinInstances: command 299: the instance handle is null");
    instances[299] = kept;
    VkskinOutput output;
    RETURNS(VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, instances[0], &output));
    OK(skinMatrices(MOST));
    endContext();
}

/* ---- Failures ---- */

typedef enum Failing { DRIVER, HEAP } Failing;

static uint64_t refusedAt; /* the number of the allocation that is refused */

static bool refuses(__attribute__((unused)) void *user, __attribute__((unused)) size_t size,
                    __attribute__((unused)) size_t alignment) {
    return heap.made + 1 == refusedAt;
}

/* Calls into the driver or allocations of the heap fail, one after the other, until the call succeeds. */
static uint32_t failEach(Failing failing, VkskinResult (*call)(void), void (*check)(void)) {
    for (uint32_t failures = 0;; failures++) {
        if (failing == DRIVER) {
            /* Without device memory the library would try another memory type. */
            nullDriverFail(driver, failures + 1, VK_ERROR_OUT_OF_HOST_MEMORY);
        } else {
            refusedAt = heap.made + failures + 1;
        }
        const VkskinResult result = call();
        nullDriverFail(driver, 0, VK_SUCCESS);
        refusedAt = 0;
        if (result >= 0) {
            return failures;
        }
        RETURNS(VKSKIN_ERROR_OUT_OF_HOST_MEMORY, result);
        check();
    }
}

static VkskinResult allocateAll(void) {
    return allocate(0, MOST);
}

static void nothingIsAllocated(void) {
    for (uint32_t i = 0; i < MOST; i++) {
        assert_true(palettes[i].serial == 0 && data[i] == NULL);
    }
    assert_int_equal(statsOf().paletteBytes, 0);
}

static VkskinResult skinAll(void) {
    return skin(0, MOST, 1);
}

static void nothingIsSkinned(void) {
    VkskinOutput output;
    const VkskinStats stats = statsOf();
    assert_int_equal(stats.morphWeights, 0);
    RETURNS(VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, instances[0], &output));
    RETURNS(VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, instances[MOST - 1], &output));
}

static VkskinInstance added[MOST / 2];

static VkskinResult addInstances(void) {
    return vkskinCreateInstances(context, mesh, COUNT_OF(added), added);
}

static void nothingIsAdded(void) {
    const VkskinStats stats = statsOf();
    for (uint32_t i = 0; i < COUNT_OF(added); i++) {
        assert_true(VKSKIN_IS_NULL(added[i]));
    }
    assert_int_equal(stats.instances, 0);
}

/* An allocation in the middle of the call fails: the instances before it are gone. */
TEST(instancesAreCreatedTogetherOrNot) {
    LogMemory log;
    heap = (HostMemory){.refuses = refuses};
    const VkAllocationCallbacks callbacks = hostMemoryCallbacks(&heap);
    VkskinContextDef def = makeDriver(NULL);
    def.allocator = &callbacks;
    def.logger = rememberingLogger(&log);
    def.memory.maxInstances = COUNT_OF(added);
    OK(vkskinCreateContext(&def, &context));
    mesh = makeMesh();
    assert_true(failEach(DRIVER, addInstances, nothingIsAdded) >= 4); /* one page for their output */
    for (uint32_t i = 0; i < COUNT_OF(added); i++) {
        OK(vkskinDestroyInstance(context, added[i]));
    }
    vkskinDestroyContext(context);
    OK(vkskinCreateContext(&def, &context));
    mesh = makeMesh();
    assert_true(failEach(HEAP, addInstances, nothingIsAdded) >= 4); /* the table of instances grows four times */
    VkskinInstance more = {1, 1};
    log.count = 0;
    assertRefused(&log, vkskinCreateInstances(context, mesh, 1, &more), VKSKIN_ERROR_TOO_MANY_INSTANCES,
                  "vkskinCreateInstances: 150 are alive and 1 are added, maxInstances is 150");
    assert_true(VKSKIN_IS_NULL(more));
    assertRefused(&log, vkskinCreateInstances(context, mesh, 1, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "vkskinCreateInstances: instances is null");
    assertRefused(&log, vkskinCreateInstances(context, VKSKIN_NULL_MESH, 1, &more), VKSKIN_ERROR_NULL_HANDLE,
                  "vkskinCreateInstances: the mesh handle is null");
    OK(vkskinCreateInstances(context, mesh, 0, NULL));
    endContext();
    assert_int_equal(heap.blocks, 0);
}

static void checkFailures(Failing failing) {
    heap = (HostMemory){.refuses = refuses};
    const VkAllocationCallbacks callbacks = hostMemoryCallbacks(&heap);
    VkskinContextDef def = makeDriver(NULL);
    def.allocator = &callbacks;
    def.memory.palettes = VKSKIN_PALETTE_MEMORY_STAGED;
    makeContext(&def);
    OK(vkskinBeginFrame(context, 0));
    /* A page of palettes needs no host memory before the 16th. Commands need both, and keep what they got. */
    assert_true(failEach(failing, allocateAll, nothingIsAllocated) >= (failing == DRIVER ? 7 : 0));
    assert_true(failEach(failing, skinAll, nothingIsSkinned) >= (failing == DRIVER ? 4 : 3));
    VkCommandBuffer commands = nullDriverBegin(driver);
    recordInto(commands);
    nullDriverRun(commands);
    checkOutputs(MOST, 1);
    endContext();
    assert_int_equal(heap.blocks, 0);
}

TEST(failedGrowthChangesNothing) {
    checkFailures(DRIVER);
    checkFailures(HEAP);
}

static VkskinResult skinAllMatrices(void) {
    return skinMatrices(MOST);
}

/* Palettes, but no commands. */
static void noCommandIsLeft(void) {
    VkskinOutput output;
    RETURNS(VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, instances[0], &output));
    RETURNS(VKSKIN_ERROR_NOT_SKINNED, vkskinGetOutput(context, instances[MOST - 1], &output));
}

TEST(failuresOfMatricesSkinNothing) {
    for (int failing = DRIVER; failing <= HEAP; failing++) {
        heap = (HostMemory){.refuses = refuses};
        const VkAllocationCallbacks callbacks = hostMemoryCallbacks(&heap);
        VkskinContextDef def = makeDriver(NULL);
        def.allocator = &callbacks;
        makeContext(&def);
        fillMatrices(1, false);
        OK(vkskinBeginFrame(context, 0));
        assert_true(failEach((Failing)failing, skinAllMatrices, noCommandIsLeft) >= (failing == DRIVER ? 7 : 2));
        endContext();
        assert_int_equal(heap.blocks, 0);
    }
}

/* ---- The CPU backend ---- */

/* While the CPU skins, another command needs more memory: the work in progress keeps its arrays. */
static void growMeanwhile(__attribute__((unused)) void *user, uint32_t count, void (*task)(void *taskData, uint32_t i),
                          void *taskData) {
    OK(allocate(1, MOST - 1));
    OK(skin(1, MOST - 1, 1));
    for (uint32_t i = 0; i < count; i++) {
        task(taskData, i);
    }
}

static void noGrowth(__attribute__((unused)) void *user, uint32_t count, void (*task)(void *taskData, uint32_t i),
                     void *taskData) {
    for (uint32_t i = 0; i < count; i++) {
        task(taskData, i);
    }
}

static bool grows;

static void growOnce(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    const bool first = grows;
    grows = false;
    (first ? growMeanwhile : noGrowth)(user, count, task, taskData);
}

TEST(theCpuGrowsWhileItSkins) {
    VkskinContextDef def = makeDriver(NULL);
    def.backend = VKSKIN_BACKEND_CPU;
    def.cpu.parallel = growOnce;
    OK(vkskinCreateContext(&def, &context));
    mesh = makeMesh();
    for (uint32_t i = 0; i < MOST; i++) {
        OK(vkskinCreateInstances(context, mesh, 1, &instances[i]));
    }
    VkCommandBuffer commands = nullDriverBegin(driver);
    grows = true;
    OK(vkskinBeginFrame(context, 0));
    OK(allocate(0, 1));
    OK(skin(0, 1, 1));
    recordInto(commands);
    assert_int_equal(statsOf().instancesSkinned, 1);
    recordInto(commands);
    assert_int_equal(statsOf().instancesSkinned, MOST);
    nullDriverRun(commands);
    for (uint32_t i = 0; i < MOST; i++) {
        VkskinOutput output;
        OK(vkskinGetOutput(context, instances[i], &output));
        const float expected[3] = {(float)i, 1, 0};
        const unsigned char *bytes = nullDriverContents(driver, output.buffer);
        assert_memory_equal(bytes + output.positionOffset, expected, sizeof expected);
    }
    endContext();
}

/* ---- Palettes in bulk ---- */

static void checkPalette(uint32_t i, uint32_t boneCount, VkDeviceSize bytesBefore) {
    assert_int_equal(palettes[i].boneCount, boneCount);
    assert_int_equal(palettes[i].offset, bytesBefore);
    assert_int_equal(palettes[i].page, 0);
    assert_ptr_equal(data[i], (char *)data[0] + bytesBefore);
}

TEST(bulkPalettesFollowEachOther) {
    static const uint32_t boneCounts[4] = {3, 1, 64, 2};
    VkskinContextDef def = makeDriver(NULL);
    def.memory.paletteBytesPerFrame = 65536;
    makeContext(&def);
    OK(vkskinBeginFrame(context, 0));
    OK(vkskinAllocatePalettes(context, VKSKIN_PALETTE_MAT2X3, boneCounts, 0, 4, palettes, data));
    checkPalette(0, 3, 0); /* 24 bytes per bone, aligned to 16 */
    checkPalette(1, 1, 80);
    checkPalette(2, 64, 112);
    checkPalette(3, 2, 112 + 1536);
    assert_int_equal(statsOf().paletteBytes, 80 + 32 + 1536 + 48);
    OK(vkskinBeginFrame(context, 1));
    OK(allocate(0, 3));
    checkPalette(2, 1, 96);
    OK(vkskinAllocatePalettes(context, VKSKIN_PALETTE_MAT3X4, NULL, 1, 0, NULL, NULL));
    assert_int_equal(statsOf().paletteBytes, 144);
    endContext();
}

TEST(bulkPalettesAreAllOrNone) {
    static const uint32_t zero[3] = {1, 0, 1};
    LogMemory log;
    VkskinContextDef def = makeDriver(NULL);
    def.logger = rememberingLogger(&log);
    def.memory.maxPaletteBytesPerFrame = 4 * 48;
    makeContext(&def);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT,
            vkskinAllocatePalettes(NULL, VKSKIN_PALETTE_MAT3X4, NULL, 1, 1, palettes, data));
    assertRefused(&log, allocate(0, 3), VKSKIN_ERROR_FRAME_NOT_BEGUN,
                  "vkskinAllocatePalettes: no frame is begun, vkskinBeginFrame comes first");
    OK(vkskinBeginFrame(context, 0));
    assertRefused(&log, vkskinAllocatePalettes(context, VKSKIN_PALETTE_MAT3X4, NULL, 1, 1, NULL, data),
                  VKSKIN_ERROR_NULL_ARGUMENT, "vkskinAllocatePalettes: palettes is null");
    assertRefused(&log, vkskinAllocatePalettes(context, VKSKIN_PALETTE_MAT3X4, NULL, 1, 1, palettes, NULL),
                  VKSKIN_ERROR_NULL_ARGUMENT, "vkskinAllocatePalettes: data is null");
    assertRefused(&log, vkskinAllocatePalettes(context, VKSKIN_PALETTE_MAT3X4, zero, 0, 3, palettes, data),
                  VKSKIN_ERROR_INVALID_VALUE, "vkskinAllocatePalettes: palette 1: boneCount is 0");
    assert_true(palettes[0].serial == 0 && palettes[2].serial == 0 && data[0] == NULL && data[2] == NULL);
    memset(data, 0xff, sizeof data);
    assertRefused(&log, allocate(0, 5), VKSKIN_ERROR_PALETTE_RING_FULL,
                  "vkskinAllocatePalettes: 1 bones take 240 bytes; of this frame's maxPaletteBytesPerFrame (192), 192 "
                  "are left");
    assert_true(palettes[0].serial == 0 && data[0] == NULL && data[4] == NULL);
    OK(allocate(0, 4));
    assert_int_equal(statsOf().paletteBytes, 192);
    endContext();
}
