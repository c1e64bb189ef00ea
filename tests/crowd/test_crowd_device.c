/*
 * A crowd on a device: every kernel against its stage on the CPU, fed with the keys of the kernel; vertices of both
 * backends; cancelled frames; counters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd_rules.h"
#include "crowd_scene.h"

static const SceneDef small = {
    .backend = VKSKIN_BACKEND_COMPUTE,
    .cast.capacity = 300,
    .cast.slots = {40, 25},
    .seed = 11,
    .cast.previousPositions = true,
};

/* ---- Kernels against stages ---- */

/* The input of a frame. */
typedef struct FrameOf {
    LayoutCrowdPush push;
    CrowdViews views;
} FrameOf;

/* What the device had before a frame, and what the stages make of it. */
typedef struct Mirror {
    CrowdScene *scene;
    LayoutCrowdState *states;
    LayoutCrowdCold *colds;
    uint32_t *work, *frame;
    uint32_t keys, otherKeys; /* all, and those that rounding made different */
} Mirror;

static Mirror mirrorOf(CrowdScene *scene) {
    const CrowdPlan *plan = sceneInside(scene).plan;
    return (Mirror){
        .scene = scene,
        .states = newZeroed(scene->def.cast.capacity, sizeof(LayoutCrowdState)),
        .colds = newZeroed(scene->def.cast.capacity, sizeof(LayoutCrowdCold)),
        .work = newZeroed(plan->workWords, sizeof(uint32_t)),
        .frame = newZeroed(plan->frameWords, sizeof(uint32_t)),
    };
}

static void freeMirror(Mirror *mirror) {
    free(mirror->states);
    free(mirror->colds);
    free(mirror->work);
    free(mirror->frame);
}

static CrowdArrays arraysOf(const Mirror *mirror, const FrameOf *frame, const LayoutCrowdChange *changes) {
    return (CrowdArrays){
        .tables = sceneInside(mirror->scene).plan->tables,
        .states = mirror->states,
        .colds = mirror->colds,
        .work = mirror->work,
        .frame = mirror->frame,
        .lastFrame = mirror->frame,
        .views = &frame->views,
        .changes = changes,
    };
}

/* The keys of the kernel, as the cull pass wrote them: without what was decided. */
static void takeKeys(Mirror *mirror, const uint32_t *work) {
    const LayoutCrowdHead *head = sknCrowdHead(sceneInside(mirror->scene).plan->tables);
    for (uint32_t c = 0; c < head->capacity; c++) {
        const uint32_t key = work[head->keys + c] & ~(CROWD_KEY_NEW | CROWD_KEY_YIELDS | CROWD_KEY_SPILL);
        mirror->otherKeys += key != mirror->work[head->keys + c];
        mirror->work[head->keys + c] = key;
    }
    mirror->keys += head->capacity;
}

static void compareWork(const Mirror *mirror, const uint32_t *work) {
    const uint32_t *tables = sceneInside(mirror->scene).plan->tables;
    const LayoutCrowdHead *head = sknCrowdHead(tables);
    assert_memory_equal(work + CROWD_WORK_BUDGET, mirror->work + CROWD_WORK_BUDGET, sizeof(LayoutCrowdBudget));
    assert_memory_equal(work + head->residents, mirror->work + head->residents, head->capacity * sizeof *work);
    for (uint32_t g = 0; g < head->groupCount; g++) {
        const LayoutCrowdGroup *group = sknCrowdGroup(tables, g);
        assert_memory_equal(work + group->ring, mirror->work + group->ring,
                            (CROWD_RING_SLOTS + group->slots) * sizeof *work);
    }
}

/* All words: both began with zeros, and both leave the same words alone. */
static void compareFrame(const Mirror *mirror, const uint32_t *frame) {
    const uint64_t words = sceneInside(mirror->scene).plan->frameWords;
    for (uint64_t i = 0; i < words; i++) {
        if (frame[i] != mirror->frame[i]) {
            fail_msg("word %llu of %llu of the frame is 0x%x on the device, 0x%x on the CPU", (unsigned long long)i,
                     (unsigned long long)words, frame[i], mirror->frame[i]);
        }
    }
}

static void mirrorFrame(Mirror *mirror) {
    CrowdScene *scene = mirror->scene;
    const VkskinCpuRun run = {.level = VKSKIN_CPU_PORTABLE};
    FrameOf frame = {.push = {.tick = scene->tick, .views = (1u << sceneViewCount(scene)) - 1}};
    const CrowdInside inside = sceneInside(scene);
    frame.push.number = inside.frameCount;
    frame.push.maxPixels = crowdFloatBits(1.0f);
    frame.push.budget = (uint32_t)(scene->def.maxVertices / CROWD_BUDGET_UNIT);
    const uint32_t *input = inside.inputs[scene->slot].mapped;
    for (uint32_t v = 0; v < sceneViewCount(scene); v++) {
        frame.push.colours |= (uint32_t)(scene->views[v].kind == VKSKIN_CROWD_COLOUR) << v;
        frame.views.views[v] = (LayoutCrowdView){
            .planes = scene->views[v].planeCount,
            .scale = crowdFloatBits(scene->views[v].pixelsPerUnit * scene->views[v].pixelsPerUnit),
            .parallel = scene->views[v].orthographic,
            .eyeX = crowdFloatBits(scene->views[v].eye[0]),
            .eyeY = crowdFloatBits(scene->views[v].eye[1]),
            .eyeZ = crowdFloatBits(scene->views[v].eye[2]),
        };
        memcpy(frame.views.planes[v], scene->views[v].planes,
               scene->views[v].planeCount * sizeof scene->views[v].planes[0]);
    }
    sceneRun(scene);
    const ChangeList *changes = &inside.changes->recorded;
    frame.push.changes = changes->count;
    const CrowdArrays arrays = arraysOf(mirror, &frame, changes->records);
    uint32_t *work = sceneRead(scene, inside.work);
    LayoutCrowdState *states = sceneRead(scene, inside.states);
    LayoutCrowdCold *colds = sceneRead(scene, inside.colds);
    uint32_t *words = sceneFrame(scene);
    sknCrowdApply(&arrays, &frame.push);
    sknCrowdCull(&arrays, &frame.push, &run);
    assert_memory_equal(states, mirror->states, scene->def.cast.capacity * sizeof *states);
    assert_memory_equal(colds, mirror->colds, scene->def.cast.capacity * sizeof *colds);
    takeKeys(mirror, work);
    sknCrowdFromKeys(&arrays, &frame.push, &run);
    compareWork(mirror, work);
    compareFrame(mirror, words);
    assert_memory_equal(input + CROWD_INPUT_STATS, mirror->work + CROWD_WORK_STATS, sizeof(LayoutCrowdStats));
    free(work);
    free(states);
    free(colds);
    free(words);
}

static void compareStages(Gpu *gpu, const SceneDef *def, uint32_t frames) {
    CrowdScene scene = sceneMake(gpu, def);
    Mirror mirror = mirrorOf(&scene);
    uint32_t skinned = 0;
    scene.tick = UINT32_MAX - frames / 2 * 17; /* wraps in the middle */
    sceneAdd(&scene, def->cast.capacity * 9 / 10);
    for (uint32_t f = 0; f < frames; f++) {
        mirrorFrame(&mirror);
        const LayoutCrowdStats *stats = (const LayoutCrowdStats *)(mirror.work + CROWD_WORK_STATS);
        skinned += stats->skinned;
        sceneChange(&scene);
    }
    print_message("%u of %u keys differ by rounding; %u characters were skinned\n", mirror.otherKeys, mirror.keys,
                  skinned);
    assert_true(mirror.otherKeys <= mirror.keys / 1000);
    assert_true(skinned > frames * 3);
    freeMirror(&mirror);
    sceneFree(&scene);
}

GPU_TEST(kernelsEqualTheStagesOnTheCpu) {
    compareStages(gpu, &small, 40);
}

GPU_TEST(kernelsEqualTheStagesOnTheCpuWithTinyPools) {
    SceneDef def = small;
    def.cast.slots[0] = 3;
    def.cast.slots[1] = 1;
    compareStages(gpu, &def, 8);
    def.cast.levels = true;
    def.maxVertices = 4000;
    compareStages(gpu, &def, 20);
}

/* Each view sees more than the one before. Slots above 256; they are too few. */
GPU_TEST(kernelsEqualTheStagesOnTheCpuInFourViews) {
    SceneDef def = small;
    def.views = 4;
    def.cast.capacity = 900;
    def.cast.slots[0] = 330;
    def.cast.levels = true;
    compareStages(gpu, &def, 6);
}

/* ---- Both backends ---- */

/* The bounds of a model in a pose, as the cull pass has them. */
static void boundsOfPose(const uint32_t *tables, uint32_t group, const LayoutCrowdPose *pose, float low[3],
                         float high[3]) {
    const uint32_t clips[2] = {pose->clips & 0xffff, pose->weight != 0 ? pose->clips >> 16 : pose->clips & 0xffff};
    float numbers[2][8];
    for (int i = 0; i < 2; i++) {
        memcpy(numbers[i],
               tables + sknCrowdModel(tables, sknCrowdGroup(tables, group)->model)->boundsAt +
                   clips[i] * CROWD_BOUNDS_WORDS,
               sizeof numbers[i]);
    }
    const float margin = pose->weight != 0 ? fmaxf(numbers[0][3], numbers[1][3]) : 0.0f;
    for (int i = 0; i < 3; i++) {
        low[i] = fminf(numbers[0][i] - numbers[0][4 + i], numbers[1][i] - numbers[1][4 + i]) - margin;
        high[i] = fmaxf(numbers[0][i] + numbers[0][4 + i], numbers[1][i] + numbers[1][4 + i]) + margin;
    }
}

/* Positions of all skinned slots of a part: equal in both scenes, and in the bounds of the pose. */
static void compareVertices(CrowdScene *a, CrowdScene *b, const uint32_t *frame) {
    for (uint32_t p = 0; p < sceneInside(a).plan->poolCount; p++) {
        const LayoutCrowdPool *poolA = sknCrowdPool(sceneInside(a).plan->tables, p);
        const LayoutCrowdPool *poolB = sknCrowdPool(sceneInside(b).plan->tables, p);
        float *fromA = sceneVertices(a, p);
        float *fromB = sceneVertices(b, p);
        uint32_t *frameB = sceneFrame(b);
        for (uint32_t part = 0; part < poolA->partCount; part++) {
            const LayoutCrowdPart *placeA = sknCrowdPart(sceneInside(a).plan->tables, poolA, part);
            const LayoutCrowdPart *placeB = sknCrowdPart(sceneInside(b).plan->tables, poolB, part);
            assert_int_equal(frame[placeA->counts + CROWD_REFRESHED], frameB[placeB->counts + CROWD_REFRESHED]);
            for (uint32_t i = 0; i < frame[placeA->counts + CROWD_REFRESHED]; i++) {
                float low[3], high[3];
                const LayoutInstance *instanceA = (const LayoutInstance *)(frame + placeA->instances) + i;
                const LayoutInstance *instanceB = (const LayoutInstance *)(frameB + placeB->instances) + i;
                boundsOfPose(sceneInside(a).plan->tables, poolA->group,
                             (const LayoutCrowdPose *)(frame + poolA->poses) + instanceA->palette / poolA->paletteUnits,
                             low, high);
                const uint32_t vertices = insideVertices(a->context, a->crowd, poolA->group, part);
                for (uint32_t v = 0; v < 3 * vertices; v++) {
                    const float x = fromA[instanceA->vertices + v];
                    const float y = fromB[instanceB->vertices + v];
                    assert_true(x >= low[v % 3] && x <= high[v % 3]);
                    if (!(fabsf(x - y) <= 2e-4f * (1 + fabsf(x)))) {
                        fail_msg("pool %u, entry %u, part %u, number %u: %g and %g", p, i, part, v, (double)x,
                                 (double)y);
                    }
                }
            }
        }
        free(frameB);
        free(fromA);
        free(fromB);
    }
}

/* Lists, records and poses: all but what depends on where outputs lie. */
static void compareLists(CrowdScene *a, CrowdScene *b, const uint32_t *frameA) {
    uint32_t *frameB = sceneFrame(b);
    for (uint32_t p = 0; p < sceneInside(a).plan->poolCount; p++) {
        const LayoutCrowdPool *x = sknCrowdPool(sceneInside(a).plan->tables, p);
        const LayoutCrowdPool *y = sknCrowdPool(sceneInside(b).plan->tables, p);
        assert_memory_equal(frameA + x->counts, frameB + y->counts, CROWD_POOL_COLUMNS * sizeof *frameA);
        const uint32_t count = frameA[x->counts];
        assert_memory_equal(frameA + x->skinned, frameB + y->skinned, count * sizeof *frameA);
        assert_memory_equal(frameA + x->characters, frameB + y->characters, count * sizeof *frameA);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t slot = frameA[x->skinned + i];
            LayoutCrowdSlot one, other;
            memcpy(&one, frameA + x->records + (size_t)slot * CROWD_SLOT_WORDS, sizeof one);
            memcpy(&other, frameB + y->records + (size_t)slot * CROWD_SLOT_WORDS, sizeof other);
            assert_int_equal((one.copies & 0xff) == one.copies >> 8, (other.copies & 0xff) == other.copies >> 8);
            one.copies = other.copies;
            one.generation = other.generation; /* differs between crowds */
            assert_memory_equal(&one, &other, sizeof one);
            if ((frameA[x->characters + i] & CROWD_SKINNED_REFRESHED) != 0) {
                assert_memory_equal(frameA + x->poses + (size_t)slot * CROWD_POSE_WORDS,
                                    frameB + y->poses + (size_t)slot * CROWD_POSE_WORDS, sizeof(LayoutCrowdPose));
            }
        }
    }
    free(frameB);
}

static void compareBackends(Gpu *gpu, const SceneDef *def) {
    SceneDef onCpu = *def;
    onCpu.backend = VKSKIN_BACKEND_CPU;
    CrowdScene a = sceneMake(gpu, &onCpu);
    CrowdScene b = sceneMake(gpu, def);
    sceneAdd(&a, def->cast.capacity * 9 / 10);
    sceneAdd(&b, def->cast.capacity * 9 / 10);
    for (uint32_t f = 0; f < 12; f++) {
        sceneRun(&a);
        sceneRun(&b);
        uint32_t *frame = sceneFrame(&a);
        compareLists(&a, &b, frame);
        compareVertices(&a, &b, frame);
        free(frame);
        sceneChange(&a);
        sceneChange(&b);
    }
    sceneFree(&a);
    sceneFree(&b);
}

GPU_TEST(verticesOfTheDeviceEqualThoseOfTheCpu) {
    compareBackends(gpu, &small);
}

GPU_TEST(verticesByDualQuaternionsEqualThoseOfTheCpu) {
    SceneDef def = small;
    def.cast.method = VKSKIN_METHOD_DUAL_QUATERNION;
    def.cast.levels = def.cast.morphs = def.cast.whole = true;
    compareBackends(gpu, &def);
}

/* Checks the morph weights of each model and slot. */
static void checkMorphMemory(const CrowdScene *scene) {
    const uint64_t heads[CAST_MODELS] = {1, 2}; /* parts with targets: two of them have a weight */
    uint64_t bytes = 0;
    for (uint32_t m = 0; m < CAST_MODELS; m++) {
        bytes += scene->def.cast.slots[m] * heads[m] * 3 * sizeof(LayoutMorphWeight);
    }
    assert_int_equal(scene->memory.morphs, bytes);
}

GPU_TEST(morphedVerticesOfTheDeviceEqualThoseOfTheCpu) {
    SceneDef def = small;
    def.cast.morphs = true;
    compareBackends(gpu, &def);
    CrowdScene scene = sceneMake(gpu, &def);
    checkMorphMemory(&scene);
    sceneFree(&scene);
}

/* ---- Cancelled frames ---- */

/* The same calls with and without frames that are cancelled. */
static void compareCancelled(Gpu *gpu, VkskinBackend backend) {
    SceneDef def = small;
    def.backend = backend;
    def.cast.levels = true;
    def.maxVertices = 4000;
    CrowdScene a = sceneMake(gpu, &def);
    CrowdScene b = sceneMake(gpu, &def);
    sceneAdd(&a, 250);
    sceneAdd(&b, 250);
    for (uint32_t f = 0; f < 18; f++) {
        sceneChange(&a);
        sceneChange(&b);
        for (uint32_t i = 0; i < f % 3; i++) {
            sceneCancel(&b);
        }
        /* no new characters: after a cancelled frame, indices that the frame before freed may be used */
        sceneChangeSome(&a);
        sceneChangeSome(&b);
        sceneRun(&a);
        sceneRun(&b);
        uint32_t *frame = sceneFrame(&a);
        compareLists(&a, &b, frame);
        free(frame);
        const SceneDrawn drawnA = sceneDrawn(&a), drawnB = sceneDrawn(&b); /* all bits of the vertices */
        assert_memory_equal(&drawnA, &drawnB, sizeof drawnA);
    }
    sceneFree(&a);
    sceneFree(&b);
}

GPU_TEST(cancelledFramesLeaveNoTraceOnTheDevice) {
    compareCancelled(gpu, VKSKIN_BACKEND_COMPUTE);
}

GPU_TEST(cancelledFramesLeaveNoTraceOnTheCpu) {
    compareCancelled(gpu, VKSKIN_BACKEND_CPU);
}

/* ---- Counters ---- */

static void checkCounters(Gpu *gpu, VkskinBackend backend) {
    SceneDef def = small;
    def.backend = backend;
    CrowdScene scene = sceneMake(gpu, &def);
    VkskinCrowdStats stats;
    GPU_VKSKIN(gpu, vkskinGetCrowdStats(scene.context, scene.crowd, &stats));
    assert_int_equal(stats.frame, 0);
    sceneAdd(&scene, 270);
    sceneRun(&scene);
    sceneRun(&scene);
    uint32_t *frame = sceneFrame(&scene);
    sceneRun(&scene); /* begins the slot of the first frame */
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, scene.slot));
    GPU_VKSKIN(gpu, vkskinGetCrowdStats(scene.context, scene.crowd, &stats));
    assert_int_equal(stats.frame, 2);
    assert_int_equal(stats.characters, 270);
    uint32_t skinned = 0;
    uint32_t drawn[2] = {0};
    for (uint32_t p = 0; p < sceneInside(&scene).plan->poolCount; p++) {
        const uint32_t *counts = frame + sknCrowdPool(sceneInside(&scene).plan->tables, p)->counts;
        skinned += counts[CROWD_SKINNED];
        drawn[0] += counts[CROWD_FIRST_VIEW];
        drawn[1] += counts[CROWD_FIRST_VIEW + 1];
    }
    assert_int_equal(stats.skinned, skinned);
    assert_int_equal(stats.drawn[0], drawn[0]);
    assert_int_equal(stats.drawn[1], drawn[1]);
    assert_true(skinned > 0 && drawn[0] > 0 && drawn[1] > 0 && stats.refused > 0);
    free(frame);
    /* A slot that is used again finishes before the one of the frame before. */
    GPU_VKSKIN(gpu, vkskinCancelFrame(scene.context));
    const uint32_t slot = scene.slot;
    sceneRun(&scene);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, slot));
    GPU_VKSKIN(gpu, vkskinGetCrowdStats(scene.context, scene.crowd, &stats));
    const uint64_t newest = stats.frame;
    assert_true(newest > 3);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, scene.slot));
    GPU_VKSKIN(gpu, vkskinGetCrowdStats(scene.context, scene.crowd, &stats));
    assert_int_equal(stats.frame, newest);
    sceneFree(&scene);
}

GPU_TEST(countersOfTheDeviceAreReadLater) {
    checkCounters(gpu, VKSKIN_BACKEND_COMPUTE);
}

GPU_TEST(countersOfTheCpuAreReadLater) {
    checkCounters(gpu, VKSKIN_BACKEND_CPU);
}
