/*
 * A crowd at its limits on a device: the number of recorded commands, random bits in all states, barriers that are left out,
 * what calls refuse, and previous transforms.
 */
#include <stdlib.h>
#include <string.h>

#include "crowd_scene.h"

static const SceneDef small = {
    .backend = VKSKIN_BACKEND_COMPUTE,
    .cast.capacity = 200,
    .cast.slots = {30, 20},
    .seed = 3,
    .cast.previousPositions = true,
};

/* ---- Commands ---- */

/* Commands that the library recorded, and the barriers that are left out. */
static struct {
    uint32_t dispatches, indirect, barriers, pipelines, sets, pushes;
    uint32_t barrier; /* barriers of the frame so far */
    uint32_t leftOut; /* number of the barrier that is left out; UINT32_MAX: none */
} seen;

static VKAPI_ATTR void VKAPI_CALL countDispatch(VkCommandBuffer commandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    seen.dispatches++;
    vkCmdDispatch(commandBuffer, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL countIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset) {
    seen.indirect++;
    vkCmdDispatchIndirect(commandBuffer, buffer, offset);
}

static VKAPI_ATTR void VKAPI_CALL countBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags from,
                                               VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t memoryCount,
                                               const VkMemoryBarrier *memory, uint32_t bufferCount,
                                               const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                                               const VkImageMemoryBarrier *images) {
    seen.barriers++;
    if (seen.barrier++ == seen.leftOut) {
        return;
    }
    vkCmdPipelineBarrier(commandBuffer, from, to, flags, memoryCount, memory, bufferCount, buffers, imageCount, images);
}

static VKAPI_ATTR void VKAPI_CALL countPipeline(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                                VkPipeline pipeline) {
    seen.pipelines++;
    vkCmdBindPipeline(commandBuffer, point, pipeline);
}

static VKAPI_ATTR void VKAPI_CALL countSets(VkCommandBuffer commandBuffer, VkPipelineBindPoint point,
                                            VkPipelineLayout layout, uint32_t first, uint32_t count,
                                            const VkDescriptorSet *sets, uint32_t offsetCount,
                                            const uint32_t *offsets) {
    seen.sets++;
    vkCmdBindDescriptorSets(commandBuffer, point, layout, first, count, sets, offsetCount, offsets);
}

static VKAPI_ATTR void VKAPI_CALL countPush(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                            VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                            const void *values) {
    seen.pushes++;
    vkCmdPushConstants(commandBuffer, layout, stages, offset, size, values);
}

static VkskinVulkanFunctions countingFunctions(void) {
    VkskinVulkanFunctions functions = {0};
    functions.vkCmdDispatch = countDispatch;
    functions.vkCmdDispatchIndirect = countIndirect;
    functions.vkCmdPipelineBarrier = countBarrier;
    functions.vkCmdBindPipeline = countPipeline;
    functions.vkCmdBindDescriptorSets = countSets;
    functions.vkCmdPushConstants = countPush;
    memset(&seen, 0, sizeof seen);
    seen.leftOut = UINT32_MAX;
    return functions;
}

/* The commands of a frame with all characters of a crowd: its first, which also uploads and applies changes. later:
 * those of later frames; null: the frame is only recorded, because software devices take long to run it. */
static void countCommands(Gpu *gpu, uint32_t capacity, uint32_t first[6], uint32_t later[6]) {
    const VkskinVulkanFunctions functions = countingFunctions();
    SceneDef def = small;
    def.cast.capacity = capacity;
    def.functions = &functions;
    CrowdScene scene = sceneMake(gpu, &def);
    sceneAdd(&scene, 1000);
    const VkskinCharacterDef many = vkskinDefaultCharacterDef();
    GPU_VKSKIN(gpu, vkskinAddCharacters(scene.context, scene.crowd, &many, 0, capacity - scene.count,
                                        scene.characters + scene.count));
    sceneCancel(&scene);
    const uint32_t once[6] = {seen.dispatches, seen.indirect, seen.barriers, seen.pipelines, seen.sets, seen.pushes};
    memcpy(first, once, sizeof once);
    if (later) {
        sceneRun(&scene);
        memset(&seen, 0, sizeof seen);
        seen.leftOut = UINT32_MAX;
        sceneCancel(&scene);
        const uint32_t again[6] = {seen.dispatches, seen.indirect, seen.barriers,
                                   seen.pipelines,  seen.sets,     seen.pushes};
        memcpy(later, again, sizeof again);
    }
    sceneFree(&scene);
}

GPU_TEST(theNumberOfCommandsDoesNotDependOnTheCharacters) {
    static const uint32_t capacities[] = {1000, 100000, 1000000};
    uint32_t first[3][6];
    uint32_t later[2][6];
    for (uint32_t i = 0; i < 3; i++) {
        countCommands(gpu, capacities[i], first[i], i < 2 ? later[i] : NULL);
    }
    print_message("%u dispatches, %u indirect ones, %u barriers, %u pipelines, %u sets, %u pushes\n", later[0][0],
                  later[0][1], later[0][2], later[0][3], later[0][4], later[0][5]);
    assert_true(first[0][0] > 0 && first[0][1] > 0);
    for (uint32_t i = 1; i < 3; i++) {
        assert_memory_equal(first[0], first[i], sizeof first[0]);
    }
    assert_memory_equal(later[0], later[1], sizeof later[0]);
}

/* ---- Random states ---- */

/* Fills the output of a pool with poison. */
static void poisonOutput(CrowdScene *scene, uint32_t pool) {
    const InsideBuffer output = insideOutput(scene->context, scene->crowd, pool);
    uint32_t *words = newZeroed(1, output.size);
    for (VkDeviceSize i = 0; i < output.size / 4; i++) {
        words[i] = GPU_POISON;
    }
    sceneWrite(scene, output, words);
    free(words);
}

/* Slots whose output is not poison any more must be those that the frame lists, in the copy that it wrote. */
static void checkOutput(CrowdScene *scene, const uint32_t *frame, uint32_t p) {
    const CrowdInside inside = sceneInside(scene);
    const LayoutCrowdPool *pool = sknCrowdPool(inside.plan->tables, p);
    uint32_t *words = (void *)sceneVertices(scene, p); /* poison is a word */
    const uint32_t count = frame[pool->counts + CROWD_SKINNED];
    assert_true(count <= pool->slots);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = frame[pool->skinned + i];
        assert_true(slot < pool->slots);
        const uint32_t copy = frame[pool->records + slot * CROWD_SLOT_WORDS + 26] & 0xff;
        uint32_t *written = words + (size_t)slot * pool->outputWords + (size_t)copy * pool->copyWords;
        for (uint32_t w = 0; w < pool->copyWords; w++) {
            written[w] = GPU_POISON;
        }
    }
    for (size_t w = 0; w < (size_t)pool->slots * pool->outputWords; w++) {
        assert_int_equal(words[w], GPU_POISON);
    }
    free(words);
}

GPU_TEST(randomBitsInAllStatesLeadNowhere) {
    CrowdScene scene = sceneMake(gpu, &small);
    sceneAdd(&scene, 100);
    sceneRun(&scene);
    uint32_t bad[3] = {0};
    for (uint32_t round = 0; round < 12; round++) {
        const CrowdInside inside = sceneInside(&scene);
        uint32_t *states = newZeroed(1, inside.states.size);
        for (VkDeviceSize i = 0; i < inside.states.size / 4; i++) {
            /* random bits, and numbers near those that are right */
            const uint32_t word = randomWord(&scene.random);
            states[i] = round % 2 == 0 || i % 16 > 12 ? word : word & 0x3fffffffu;
            states[i] = round % 3 == 2 && i % 16 == 15 ? (word & 0x7f00u) | CROWD_EXISTS | word % 3 : states[i];
            states[i] = round % 3 == 2 && i % 16 < 12 ? 0x3f000000u + (word & 0xffffu) : states[i];
        }
        sceneWrite(&scene, inside.states, states);
        free(states);
        for (uint32_t p = 0; p < inside.plan->poolCount; p++) {
            poisonOutput(&scene, p);
        }
        sceneRun(&scene);
        uint32_t *frame = sceneFrame(&scene);
        for (uint32_t p = 0; p < inside.plan->poolCount; p++) {
            checkOutput(&scene, frame, p);
        }
        free(frame);
        uint32_t *work = sceneRead(&scene, inside.work);
        for (uint32_t i = 0; i < 3; i++) {
            bad[i] += work[CROWD_WORK_STATS + i];
        }
        free(work);
    }
    print_message("%u bad clips, %u bad models, %u bad places\n", bad[0], bad[1], bad[2]);
    assert_true(bad[0] > 0 && bad[1] > 0 && bad[2] > 0);
    sceneFree(&scene);
}

/* ---- Barriers ---- */

/*
 * The environment names the barrier of a frame that is left out: the layer reports equal hazards only a few times in a
 * process. Without it none is.
 */
GPU_TEST(aBarrierThatIsLeftOutIsReported) {
    const char *number = getenv("VKSKIN_TEST_BARRIER");
    const VkskinVulkanFunctions functions = countingFunctions();
    SceneDef def = small;
    def.functions = &functions;
    CrowdScene scene = sceneMake(gpu, &def);
    sceneAdd(&scene, 150);
    sceneRun(&scene);
    if (number != NULL) {
        gpuExpectMessage(gpu, "SYNC-HAZARD");
        seen.barrier = 0;
        seen.leftOut = (uint32_t)strtoul(number, NULL, 10);
    }
    sceneRun(&scene);
    sceneFree(&scene);
}

/* ---- Refusals ---- */

/* Matrices that are no camera's, each as a view of its own and in the view of a shadow. */
static void checkViewRefusals(CrowdScene *scene, VkCommandBuffer commandBuffer) {
    static const float zero[16] = {0}, up[3] = {0, 1, 0};
    const float good[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 2, 3, 4, 5};
    const float transposed[16] = {1, 0, 0, 2, 0, 1, 0, 3, 0, 0, -1, 4, 0, 0, -1, 5};
    const float broken[16] = {1, NAN, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 2, 3, 4, 5};
    const struct {
        VkskinCrowdView view;
        const char *part;
    } cases[] = {
        {vkskinCrowdViewFromMatrix(zero, VKSKIN_CROWD_COLOUR), "view 1: its matrix is zero"},
        {vkskinCrowdViewFromMatrix(transposed, VKSKIN_CROWD_COLOUR),
         "view 1: its matrix is transposed: pass it column"},
        {vkskinCrowdShadowView(good, zero, up, 0), "view 1: the matrix of the shadow's camera is zero"},
        {vkskinCrowdShadowView(good, transposed, up, 0), "view 1: the matrix of the shadow's camera is transposed"},
        {vkskinCrowdShadowView(transposed, good, up, 0), "view 1: its matrix is transposed"},
        {vkskinCrowdShadowView(zero, transposed, up, 0), "view 1: its matrix is zero"},
        {vkskinCrowdViewFromMatrix(broken, VKSKIN_CROWD_COLOUR), "view 1: plane 2 is not finite"},
        {{.kind = (VkskinCrowdViewKind)2}, "view 1: kind is 2"},
        {{.planeCount = VKSKIN_MAX_CROWD_PLANES + 1}, "planeCount is 17"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const VkskinCrowdView views[2] = {vkskinCrowdViewFromMatrix(good, VKSKIN_CROWD_COLOUR), cases[i].view};
        VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
        frame.views = views;
        frame.viewCount = 2;
        gpuCheckRefusal(scene->gpu, cases[i].part,
                        vkskinRecordCrowd(scene->context, commandBuffer, scene->crowd, &frame),
                        VKSKIN_ERROR_INVALID_VALUE, cases[i].part);
    }
}

GPU_TEST(callsRefuseWhatIsWrong) {
    CrowdScene scene = sceneMake(gpu, &small);
    sceneAdd(&scene, 3);
    VkskinCharacter *who = scene.characters;
    gpu->log.count = 0;
    VkskinCharacterDef def = vkskinDefaultCharacterDef();
    VkskinCharacter made;
    VkskinContext context = scene.context;
#define REFUSED(error, part, call) gpuCheckRefusal(gpu, #call, call, error, part)
    def.model = CAST_MODELS;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "element 0: model is 2, the crowd has 2",
            vkskinAddCharacters(context, scene.crowd, &def, 0, 1, &made));
    def.model = 0;
    def.play.clip = CAST_CLIPS;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "clip is 4, the clip set has 4",
            vkskinAddCharacters(context, scene.crowd, &def, 0, 1, &made));
    def.play = (VkskinCrowdPlay){.speed = 1.0f};
    REFUSED(VKSKIN_ERROR_DEF_NOT_INITIALISED, "element 0: it was not made by vkskinDefaultCrowdPlay",
            vkskinAddCharacters(context, scene.crowd, &def, 0, 1, &made));
    def.play = vkskinDefaultCrowdPlay();
    const VkskinCharacterDef defs[2] = {def, {.transform = def.transform, .play = def.play}};
    VkskinCharacter both[2];
    REFUSED(VKSKIN_ERROR_DEF_NOT_INITIALISED, "element 1: it was not made by vkskinDefaultCharacterDef",
            vkskinAddCharacters(context, scene.crowd, defs, sizeof def, 2, both));
    REFUSED(VKSKIN_ERROR_CROWD_FULL, "places", vkskinAddCharacters(context, scene.crowd, &def, 0, 198, &made));
    def.transform.m[1][2] = 1.0f / 0.0f;
    REFUSED(VKSKIN_ERROR_TRANSFORM_NOT_FINITE, "element 0",
            vkskinAddCharacters(context, scene.crowd, &def, 0, 1, &made));
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "stride", vkskinAddCharacters(context, scene.crowd, &def, 3, 1, &made));
    const VkskinCharacter twice[2] = {who[1], who[1]};
    REFUSED(VKSKIN_ERROR_STALE_HANDLE, "element 1", vkskinRemoveCharacters(context, scene.crowd, twice, 2));
    GPU_VKSKIN(gpu, vkskinRemoveCharacters(context, scene.crowd, twice, 1));
    REFUSED(VKSKIN_ERROR_STALE_HANDLE, "was removed, or it is not of crowd scene",
            vkskinHideCharacters(context, scene.crowd, &who[1], 1, true));
    const VkskinCharacter none = {0, 0};
    REFUSED(VKSKIN_ERROR_NULL_HANDLE, "element 0", vkskinHideCharacters(context, scene.crowd, &none, 1, true));
    const float fast = 1001;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "speed is 1001, not in -1000 to 1000",
            vkskinSetCharacterSpeeds(context, scene.crowd, who, 1, &fast, 0));
    VkskinCrowdPlay play = {.speed = 1.0f};
    REFUSED(VKSKIN_ERROR_DEF_NOT_INITIALISED, "vkskinDefaultCrowdPlay",
            vkskinPlayCharacters(context, scene.crowd, who, 1, &play, 0));
    play = vkskinDefaultCrowdPlay();
    play.start = 1.5f;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "start is 1.5, not in 0 to 1",
            vkskinPlayCharacters(context, scene.crowd, who, 1, &play, 0));
    play.start = -0.1f;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "start is -0.1", vkskinPlayCharacters(context, scene.crowd, who, 1, &play, 0));
    play = vkskinDefaultCrowdPlay();
    play.fade = 3601;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "fade is 3601, not in 0 to 3600",
            vkskinPlayCharacters(context, scene.crowd, who, 1, &play, 0));
    REFUSED(VKSKIN_ERROR_MESH_IN_USE, "parts of crowds", vkskinDestroyMesh(context, scene.cast.meshes[0]));
    REFUSED(VKSKIN_ERROR_CLIP_SET_IN_USE, "1 crowds", vkskinDestroyClipSet(context, scene.cast.clipSet));
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    frame.views = scene.views;
    frame.viewCount = 1;
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    REFUSED(VKSKIN_ERROR_FRAME_NOT_BEGUN, "vkskinBeginFrame",
            vkskinRecordCrowd(context, commandBuffer, scene.crowd, &frame));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    frame.viewCount = 5;
    REFUSED(VKSKIN_ERROR_INVALID_VALUE, "viewCount", vkskinRecordCrowd(context, commandBuffer, scene.crowd, &frame));
    frame.viewCount = 1;
    checkViewRefusals(&scene, commandBuffer);
    GPU_VKSKIN(gpu, vkskinRecordCrowd(context, commandBuffer, scene.crowd, &frame));
    REFUSED(VKSKIN_ERROR_FRAME_ORDER, "crowd scene was recorded in this frame already: call vkskinBeginFrame",
            vkskinRecordCrowd(context, commandBuffer, scene.crowd, &frame));
#undef REFUSED
    gpuSubmitAndWait(gpu, commandBuffer);
    GPU_VKSKIN(gpu, vkskinDestroyCrowd(context, scene.crowd));
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, scene.cast.meshes[0]));
    GPU_VKSKIN(gpu, vkskinDestroyClipSet(context, scene.cast.clipSet));
    sceneFree(&scene);
}

/* ---- Previous transforms ---- */

static LayoutCrowdSlot slotOf(CrowdScene *scene) {
    uint32_t *frame = sceneFrame(scene);
    const LayoutCrowdPool *pool = sknCrowdPool(sceneInside(scene).plan->tables, 0);
    assert_int_equal(frame[pool->counts + CROWD_SKINNED], 1);
    LayoutCrowdSlot slot;
    memcpy(&slot, frame + pool->records + frame[pool->skinned] * CROWD_SLOT_WORDS, sizeof slot);
    free(frame);
    return slot;
}

/* Twelve different numbers. */
static VkskinAffine placeAt(float x) {
    VkskinAffine place = {.m = {{1, 0, 0, x}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (uint32_t i = 0; i < 12; i++) {
        place.m[i / 4][i % 4] += 0.01f * (float)i;
    }
    return place;
}

static void moveTo(CrowdScene *scene, float x, VkskinCrowdMove move) {
    const VkskinAffine place = placeAt(x);
    GPU_VKSKIN(scene->gpu, vkskinMoveCharacters(scene->context, scene->crowd, scene->characters, 1, &place, 0, move));
}

static void checkHistory(CrowdScene *scene, float now, float before, bool sameCopy) {
    sceneRun(scene);
    const LayoutCrowdSlot slot = slotOf(scene);
    const VkskinAffine places[2] = {placeAt(now), placeAt(before)};
    assert_memory_equal(&slot.transform0, places, sizeof places);
    assert_int_equal((slot.copies & 0xff) == slot.copies >> 8, sameCopy);
}

GPU_TEST(previousTransformsAreThoseOfTheLastDrawnFrame) {
    for (uint32_t backend = 0; backend < 2; backend++) {
        SceneDef def = small;
        def.backend = backend == 0 ? VKSKIN_BACKEND_COMPUTE : VKSKIN_BACKEND_CPU;
        CrowdScene scene = sceneMake(gpu, &def);
        scene.views[0].planeCount = scene.views[1].planeCount = 0;
        VkskinCharacterDef one = vkskinDefaultCharacterDef();
        one.transform = placeAt(0);
        GPU_VKSKIN(gpu, vkskinAddCharacters(scene.context, scene.crowd, &one, 0, 1, scene.characters));
        checkHistory(&scene, 0, 0, true);
        scene.views[0].planeCount = scene.views[1].planeCount = 0;
        moveTo(&scene, 1, VKSKIN_CROWD_WALK);
        checkHistory(&scene, 1, 0, false);
        scene.views[0].planeCount = scene.views[1].planeCount = 0;
        checkHistory(&scene, 1, 1, false);
        scene.views[0].planeCount = scene.views[1].planeCount = 0;
        moveTo(&scene, 7, VKSKIN_CROWD_TELEPORT);
        checkHistory(&scene, 7, 7, true);
        sceneFree(&scene);
    }
}
