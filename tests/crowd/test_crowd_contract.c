/*
 * What the header of crowds promises: how creation refuses bad defs, strides of calls for many characters, each kind of bad
 * state, memory of records, and that a new slot has no history.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd_scene.h"
#include "host_memory.h"
#include "mesh_builder.h"

static const SceneDef small = {
    .backend = VKSKIN_BACKEND_COMPUTE,
    .cast.capacity = 40,
    .cast.slots = {30, 20},
    .seed = 8,
    .cast.previousPositions = true,
};

/* ---- Creation ---- */

typedef struct Creation {
    CrowdScene *scene;
    CastCrowdDef made;
} Creation;

/* Refused crowds leave nothing: the scene's crowd goes on. */
static void refuseDef(Creation *creation, const char *change, VkskinResult expected, const char *part) {
    CrowdScene *scene = creation->scene;
    VkskinCrowd crowd = {7, 7};
    gpuCheckRefusal(scene->gpu, change, vkskinCreateCrowd(scene->context, &creation->made.def, &crowd, NULL), expected,
                    part);
    assert_int_equal(crowd.index, 0);
    sceneDescribe(scene, &creation->made);
}

#define REFUSED(change, error, part)                                                                                   \
    do {                                                                                                               \
        change;                                                                                                        \
        refuseDef(&c, #change, VKSKIN_ERROR_##error, part);                                                            \
    } while (0)

GPU_TEST(creationRefusesWhatIsOutOfRange) {
    CrowdScene scene = sceneMake(gpu, &small);
    Creation c = {.scene = &scene};
    VkskinCrowdDef *def = &c.made.def;
    VkskinCrowdModel *models = c.made.models;
    sceneDescribe(&scene, &c.made);
    REFUSED(def->cookie = 0, DEF_NOT_INITIALISED, "vkskinDefaultCrowdDef");
    REFUSED(def->models = NULL, NULL_ARGUMENT, "models");
    REFUSED(def->modelCount = 0, INVALID_VALUE, "modelCount");
    REFUSED(def->modelCount = VKSKIN_MAX_CROWD_MODELS + 1, INVALID_VALUE, "modelCount");
    REFUSED(def->capacity = 0, INVALID_VALUE, "capacity");
    REFUSED(def->capacity = 1u << 24, INVALID_VALUE, "capacity");
    REFUSED(def->ticksPerSecond = 0, INVALID_VALUE, "ticksPerSecond");
    REFUSED(def->ticksPerSecond = 1000001, INVALID_VALUE, "ticksPerSecond");
    REFUSED(def->maxChanges = 0, INVALID_VALUE, "maxChanges");
    REFUSED(def->maxViews = 0, INVALID_VALUE, "maxViews is 0, not in 1 to 8");
    REFUSED(def->maxViews = 9, INVALID_VALUE, "maxViews is 9");
    REFUSED(models[1].slots = 0, INVALID_VALUE, "model 1: slots");
    REFUSED(models[1].slots = (1u << 24) - 1, INVALID_VALUE, "model 1: slots");
    REFUSED(models[0].partCount = 0, INVALID_VALUE, "model 0: partCount");
    REFUSED(models[0].partCount = VKSKIN_MAX_CROWD_PARTS + 1, INVALID_VALUE, "model 0: partCount");
    REFUSED(models[0].partCount = models[1].partCount = 130, INVALID_VALUE, "260 parts");
    REFUSED(models[0].interval = 3, INVALID_VALUE, "model 0: interval");
    REFUSED(models[0].levelCount = VKSKIN_MAX_CROWD_LEVELS, INVALID_VALUE, "levelCount");
    REFUSED((models[0].levelCount = 1, models[0].levels = NULL), NULL_ARGUMENT, "levels is null");
    REFUSED((models[1].levelCount = 1, c.made.levels[1][0].error = 0.0f), INVALID_VALUE, "model 1: the error");
    REFUSED((models[1].levelCount = 2, c.made.levels[1][1].slots = 0), INVALID_VALUE, "model 1, level 2: slots");
    REFUSED(models[0].skin = NULL, NULL_ARGUMENT, "model 0: skin");
    REFUSED(models[0].parts = NULL, NULL_ARGUMENT, "model 0: parts");
    REFUSED(models[1].boxes = NULL, NULL_ARGUMENT, "model 1: boxes");
    REFUSED(models[1].method = VKSKIN_METHOD_DUAL_QUATERNION, INVALID_VALUE, "does not read the encoding");
    REFUSED((def->capacity = (1u << 24) - 1, models[0].slots = models[1].slots = (1u << 24) - 2), UNSUPPORTED_DEVICE,
            "the device binds");
    sceneFree(&scene);
}

/* Draws are those of maxViews; a frame cannot have more. */
GPU_TEST(drawsAreListedForTheViewsInUse) {
    CrowdScene scene = sceneMake(gpu, &small);
    Creation c = {.scene = &scene};
    VkskinCrowd crowd;
    VkskinCrowdDraw draws[2 * CAST_PARTS];
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    sceneDescribe(&scene, &c.made);
    c.made.def.maxViews = 2;
    GPU_VKSKIN(gpu, vkskinCreateCrowd(scene.context, &c.made.def, &crowd, NULL));
    uint32_t count = 100;
    GPU_VKSKIN(gpu, vkskinGetCrowdDraws(scene.context, crowd, NULL, &count));
    assert_int_equal(count, 2 * CAST_PARTS);
    GPU_VKSKIN(gpu, vkskinGetCrowdDraws(scene.context, crowd, draws, &count));
    for (uint32_t d = 0; d < count; d++) {
        assert_int_equal(draws[d].view, d / CAST_PARTS);
        assert_int_equal(draws[d].argumentsOffset, d * sizeof(VkDrawIndexedIndirectCommand));
        assert_int_equal(draws[d].verticesAddress, 0); /* not asked for */
    }
    const VkskinCrowdView views[3] = {{.planeCount = 0}};
    frame.views = views;
    frame.viewCount = 3;
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, 0));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    gpuCheckRefusal(gpu, "3 views", vkskinRecordCrowd(scene.context, commandBuffer, crowd, &frame),
                    VKSKIN_ERROR_INVALID_VALUE, "viewCount is 3, not in 1 to 2 (maxViews of crowd scene)");
    gpuSubmitAndWait(gpu, commandBuffer);
    sceneFree(&scene);
}

static VkskinSkin skinOf(uint32_t nodes, uint32_t bones) {
    static const uint32_t boneNodes[CAST_SKIN_BONES] = {0};
    VkskinSkin skin = NULL;
    VkskinSkinDef def = skinDefOf(nodes, bones, boneNodes, NULL);
    assert_int_equal(vkskinCreateSkin(&def, &skin), VKSKIN_SUCCESS);
    return skin;
}

static VkskinMesh flatMesh(const CrowdScene *scene) {
    VkskinMesh mesh;
    GPU_VKSKIN(scene->gpu, meshCreate(scene->context, (MeshSpec){3, CAST_BONES, .flat = true}, &mesh));
    return mesh;
}

GPU_TEST(creationRefusesOtherObjects) {
    SceneDef morphed = small;
    morphed.cast.morphs = true;
    CrowdScene scene = sceneMake(gpu, &morphed);
    Creation c = {.scene = &scene};
    VkskinSkin fewBones = skinOf(CAST_NODES, CAST_BONES - 1), fewNodes = skinOf(CAST_NODES - 1, CAST_SKIN_BONES);
    VkskinAnimationBox boxes[CAST_NODES], noBoxes[CAST_NODES];
    const float broken[1] = {NAN};
    const VkskinMesh flat = flatMesh(&scene);
    VkskinCrowdPart *parts = c.made.parts;
    VkskinCrowdModel *models = c.made.models;
    for (uint32_t n = 0; n < CAST_NODES; n++) {
        noBoxes[n] = vkskinEmptyAnimationBox();
        boxes[n] = (VkskinAnimationBox){{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
    }
    sceneDescribe(&scene, &c.made);
    REFUSED(c.made.def.clipSet = VKSKIN_NULL_CLIP_SET, NULL_HANDLE, "vkskinCreateCrowd");
    REFUSED(c.made.def.clipSet.generation++, STALE_HANDLE, "vkskinCreateCrowd");
    REFUSED(parts[2].mesh = VKSKIN_NULL_MESH, NULL_HANDLE, "model 1, part 1");
    REFUSED(parts[0].mesh.generation++, STALE_HANDLE, "model 0, part 0");
    REFUSED(parts[0].mesh = flat, INVALID_VALUE, "a flat mesh");
    REFUSED(models[0].skin = fewBones, INVALID_VALUE,
            "model 0, part 0: the mesh has 12 bones, the skin of the model only 9");
    REFUSED(models[0].skin = fewNodes, INVALID_VALUE, "nodes");
    REFUSED((models[0].method = VKSKIN_METHOD_CENTRES_OF_ROTATION,
             models[0].encoding = vkskinMethodEncoding(models[0].method)),
            METHOD_DATA_MISSING, "centres");
    REFUSED(models[1].boxes = boxes, TRANSFORM_NOT_FINITE, "");
    REFUSED(models[1].boxes = noBoxes, INVALID_VALUE, "model 1: all 12 boxes are empty: call vkskinAddAnimationBoxes");
    REFUSED(parts[2].indexCount = 0, INVALID_VALUE, "model 1, part 1: indexCount is 0");
    REFUSED(parts[1] = vkskinDefaultCrowdPart(), NULL_HANDLE, "model 1, part 0");
    REFUSED(parts[0].morphWeights = NULL, NULL_ARGUMENT, "morphWeights");
    REFUSED(parts[0].morphWeightCount = CAST_TARGETS + 1, MORPH_OUT_OF_RANGE, "targets");
    REFUSED((parts[0].morphWeights = broken, parts[0].morphWeightCount = 1), WEIGHT_NOT_FINITE, "morphWeights");
    REFUSED(models[0].maxMorphTargets = 0, TOO_MANY_MORPHS, "");
    vkskinDestroySkin(fewBones);
    vkskinDestroySkin(fewNodes);
    sceneAdd(&scene, 20);
    sceneRun(&scene);
    sceneFree(&scene);
}

GPU_TEST(crowdsNeedOneQueueFamily) {
    CrowdScene scene = sceneMake(gpu, &small);
    Creation c = {.scene = &scene};
    const VkskinVulkanFunctions functions = {.vkGetPhysicalDeviceQueueFamilyProperties = gpuTwoFamilies};
    VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext own = scene.context;
    def.functions = &functions;
    def.graphicsQueueFamily = def.computeQueueFamily + 1;
    def.outputRegions = def.framesInFlight;
    scene.context = gpuContext(gpu, &def);
    sceneDescribe(&scene, &c.made);
    refuseDef(&c, "two families", VKSKIN_ERROR_UNSUPPORTED_DEVICE, "a crowd needs one family");
    gpuDestroyContext(gpu, scene.context);
    scene.context = own;
    sceneFree(&scene);
}

/* ---- Calls for many characters ---- */

#define MANY 5u

/* What each call reads, with other bytes between the elements. */
typedef struct Element {
    VkskinCharacterDef def;
    VkskinAffine place;
    VkskinCrowdPlay play;
    float speed;
    uint32_t variation, other;
} Element;

GPU_TEST(bulkCallsTakeStrides) {
    CrowdScene scene = sceneMake(gpu, &small);
    Element elements[MANY];
    VkskinCharacter *who = scene.characters;
    memset(elements, 0xa5, sizeof elements);
    for (uint32_t i = 0; i < MANY; i++) {
        elements[i].def = vkskinDefaultCharacterDef();
        elements[i].def.variation = 100 + i;
        elements[i].place = vkskinIdentityAffine();
        elements[i].place.m[0][3] = (float)i;
        elements[i].play = vkskinDefaultCrowdPlay();
        elements[i].play.clip = i % CAST_CLIPS;
        elements[i].play.start = 0.5f;
        elements[i].speed = i % 2 == 0 ? 1.0f : 0.0f;
        elements[i].variation = 200 + i;
    }
    const size_t stride = sizeof elements[0];
    VkskinContext context = scene.context;
    GPU_VKSKIN(gpu, vkskinAddCharacters(context, scene.crowd, &elements[0].def, stride, MANY, who));
    GPU_VKSKIN(gpu,
               vkskinMoveCharacters(context, scene.crowd, who, MANY, &elements[0].place, stride, VKSKIN_CROWD_WALK));
    GPU_VKSKIN(gpu, vkskinPlayCharacters(context, scene.crowd, who, MANY, &elements[0].play, stride));
    GPU_VKSKIN(gpu, vkskinSetCharacterSpeeds(context, scene.crowd, who, MANY, &elements[0].speed, stride));
    GPU_VKSKIN(gpu, vkskinSetCharacterVariations(context, scene.crowd, who, MANY - 1, &elements[0].variation, stride));
    GPU_VKSKIN(gpu, vkskinHideCharacters(context, scene.crowd, who + 1, 2, true));
    GPU_VKSKIN(gpu, vkskinRemoveCharacters(context, scene.crowd, NULL, 0));
    sceneRun(&scene);
    LayoutCrowdState *states = sceneRead(&scene, sceneInside(&scene).states);
    LayoutCrowdCold *colds = sceneRead(&scene, sceneInside(&scene).colds);
    for (uint32_t i = 0; i < MANY; i++) {
        const LayoutCrowdState *state = &states[who[i].index - 1];
        float x;
        memcpy(&x, &state->transform3, sizeof x);
        assert_float_equal(x, (float)i, 0);
        assert_int_equal(state->clips & 0xffff, i % CAST_CLIPS);
        assert_int_equal(state->rate == 0, i % 2 == 1);
        assert_int_equal((state->flags & CROWD_HIDDEN) != 0, i == 1 || i == 2);
        assert_int_equal(colds[who[i].index - 1].variation, i + 1 < MANY ? 200 + i : 100 + i);
    }
    free(states);
    free(colds);
    sceneFree(&scene);
}

/* ---- Bad states ---- */

static void seeAll(CrowdScene *scene) {
    scene->views[0].planeCount = scene->views[1].planeCount = 0;
}

static void setFloat(uint32_t *word, float value) {
    memcpy(word, &value, sizeof value);
}

/* The first clip; the next one of a fade; a model; a transform that is not finite, and one too far away. */
static void spoil(CrowdScene *scene) {
    const InsideBuffer buffer = sceneInside(scene).states;
    LayoutCrowdState *states = sceneRead(scene, buffer);
    states[0].clips = CAST_CLIPS;
    states[1].clips = (states[1].clips & 0xffff) | CAST_CLIPS << 16;
    states[2].flags = (states[2].flags & ~CROWD_MODEL_MASK) | CAST_MODELS;
    setFloat(&states[3].transform5, NAN);
    setFloat(&states[4].transform7, 2e15f);
    states[20] = (LayoutCrowdState){.clips = UINT32_MAX, .flags = CROWD_MODEL_MASK}; /* does not exist */
    sceneWrite(scene, buffer, states);
    free(states);
}

static uint32_t clipsOf(CrowdScene *scene, uint32_t character) {
    uint32_t *frame = sceneFrame(scene);
    uint32_t clips = UINT32_MAX;
    const LayoutCrowdPool *pool = sknCrowdPool(sceneInside(scene).plan->tables, 0);
    for (uint32_t i = 0; i < frame[pool->counts]; i++) {
        if ((frame[pool->characters + i] & CROWD_SKINNED_CHARACTER) == character) {
            clips = frame[pool->poses + frame[pool->skinned + i] * CROWD_POSE_WORDS];
        }
    }
    free(frame);
    return clips;
}

GPU_TEST(eachBadStateIsCounted) {
    CrowdScene scene = sceneMake(gpu, &small);
    const VkskinCharacterDef def = vkskinDefaultCharacterDef();
    VkskinCrowdPlay fade = vkskinDefaultCrowdPlay();
    VkskinCrowdStats stats;
    assert_int_equal(def.parts, UINT32_MAX); /* all parts are shown */
    fade.clip = 1;
    fade.fade = 100;
    GPU_VKSKIN(gpu, vkskinAddCharacters(scene.context, scene.crowd, &def, 0, 7, scene.characters));
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(scene.characters[i].index, i + 1);
    }
    sceneRun(&scene);
    GPU_VKSKIN(gpu, vkskinPlayCharacters(scene.context, scene.crowd, &scene.characters[1], 1, &fade, 0));
    sceneRun(&scene);
    spoil(&scene);
    for (uint32_t f = 0; f < SCENE_FRAMES_IN_FLIGHT + 1; f++) {
        seeAll(&scene);
        sceneRun(&scene);
    }
    GPU_VKSKIN(gpu, vkskinGetCrowdStats(scene.context, scene.crowd, &stats));
    assert_int_equal(stats.characters, 7);
    assert_int_equal(stats.badClip, 2);
    assert_int_equal(stats.badModel, 1);
    assert_int_equal(stats.badPlace, 2);
    assert_int_equal(stats.skinned, 4);
    assert_int_equal(stats.drawn[0], 4);
    assert_int_equal(stats.refused, 0);
    assert_int_equal(clipsOf(&scene, 0) & 0xffff, CAST_CLIPS - 1);
    assert_int_equal(clipsOf(&scene, 1) >> 16, CAST_CLIPS - 1);
    sceneFree(&scene);
}

/* ---- Memory of records ---- */

static void countAllocations(Gpu *gpu, VkskinBackend backend) {
    HostMemory memory = {0};
    const VkAllocationCallbacks callbacks = hostMemoryCallbacks(&memory);
    VkskinContextDef context = gpuContextDef(gpu);
    SceneDef def = small;
    context.allocator = &callbacks;
    def.context = &context;
    def.backend = backend;
    CrowdScene scene = sceneMake(gpu, &def);
    for (uint32_t f = 0; f < 6; f++) {
        VkskinStats before, after;
        sceneAdd(&scene, 10);
        sceneChangeSome(&scene);
        GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, scene.slot));
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        GPU_VKSKIN(gpu, vkskinGetStats(scene.context, &before));
        const uint64_t made = atomic_load(&memory.made);
        sceneRecord(&scene, commandBuffer);
        assert_int_equal(atomic_load(&memory.made), made);
        GPU_VKSKIN(gpu, vkskinGetStats(scene.context, &after));
        assert_int_equal(before.deviceBytes, after.deviceBytes);
        gpuSubmitAndWait(gpu, commandBuffer);
        sceneGoOn(&scene);
    }
    assert_true(atomic_load(&memory.made) > 0);
    sceneFree(&scene);
    assert_int_equal(atomic_load(&memory.blocks), 0);
}

GPU_TEST(recordingAllocatesNothing) {
    countAllocations(gpu, VKSKIN_BACKEND_COMPUTE);
    countAllocations(gpu, VKSKIN_BACKEND_CPU);
}

/* ---- A new slot has no history ---- */

static void runSeen(CrowdScene *scene, uint32_t hidden, float x) {
    VkskinAffine place = vkskinIdentityAffine();
    place.m[0][3] = x;
    for (uint32_t i = 0; i < 2; i++) {
        GPU_VKSKIN(scene->gpu,
                   vkskinHideCharacters(scene->context, scene->crowd, &scene->characters[i], 1, i == hidden));
    }
    GPU_VKSKIN(scene->gpu,
               vkskinMoveCharacters(scene->context, scene->crowd, scene->characters, 2, &place, 0, VKSKIN_CROWD_WALK));
    seeAll(scene);
    sceneRun(scene);
}

/* The one character that has the model's only slot. */
static void checkSlot(CrowdScene *scene, uint32_t character, float now, float before, bool sameCopy) {
    uint32_t *frame = sceneFrame(scene);
    const LayoutCrowdPool *pool = sknCrowdPool(sceneInside(scene).plan->tables, 0);
    const LayoutCrowdSlot *slot = (const LayoutCrowdSlot *)(frame + pool->records);
    float places[2];
    assert_int_equal(frame[pool->counts + CROWD_SKINNED], 1);
    memcpy(&places[0], &slot->transform3, sizeof places[0]);
    memcpy(&places[1], &slot->previous3, sizeof places[1]);
    assert_int_equal(slot->character, character);
    assert_float_equal(places[0], now, 0);
    assert_float_equal(places[1], before, 0);
    assert_int_equal((slot->copies & 0xff) == slot->copies >> 8, sameCopy);
    free(frame);
}

static void changeSlots(Gpu *gpu, VkskinBackend backend) {
    SceneDef def = small;
    def.backend = backend;
    def.cast.slots[0] = 1;
    CrowdScene scene = sceneMake(gpu, &def);
    const VkskinCharacterDef one = vkskinDefaultCharacterDef();
    GPU_VKSKIN(gpu, vkskinAddCharacters(scene.context, scene.crowd, &one, 0, 2, scene.characters));
    runSeen(&scene, 1, 1);
    checkSlot(&scene, 0, 1, 1, true);
    runSeen(&scene, 1, 2);
    checkSlot(&scene, 0, 2, 1, false);
    runSeen(&scene, 0, 3); /* the slot becomes free */
    runSeen(&scene, 0, 4); /* the other character has it, with a record of the first one */
    checkSlot(&scene, 1, 4, 4, true);
    runSeen(&scene, 0, 5);
    checkSlot(&scene, 1, 5, 4, false);
    sceneFree(&scene);
}

GPU_TEST(aNewSlotHasNoHistory) {
    changeSlots(gpu, VKSKIN_BACKEND_COMPUTE);
    changeSlots(gpu, VKSKIN_BACKEND_CPU);
}
