/*
 * Crowds on guarded memory: no pass leaves a buffer, and none writes what the frame does not own. Whatever a frame
 * computes before it reads it is poison before the frame, and the crowd draws what one without poison draws. Then all
 * states hold random bits, and then all buffers of the crowd: also where its first frame was never submitted.
 *
 *     test_guard_crowds end|start
 *
 * end, start: which end of every buffer touches an inaccessible page.
 */
#include "crowd_scene.h"
#include "guard_pages.h"

#define PLAIN_FRAMES  5u
#define WILD_FRAMES   5u
#define SPOILT_FRAMES 6u
#define MAX_BUFFERS   64u

static GuardPlacement placement; /* placement given on the command line */

/* Pools of 1 slot, of as many as there are characters, and too small ones; last blocks of 1 and of all characters. */
static const SceneDef rounds[] = {
    {.cast.capacity = 200, .cast.slots = {30, 20}, .cast.previousPositions = true, .cast.morphs = true},
    {.cast.capacity = 65, .cast.slots = {65, 1}, .cast.morphs = true},
    {.cast.capacity = 1, .cast.slots = {1, 1}},
    {.cast.capacity = 64, .cast.slots = {64, 64}, .cast.previousPositions = true},
    {.cast.capacity = 257, .cast.slots = {3, 1}, .cast.method = VKSKIN_METHOD_DUAL_QUATERNION, .cast.maxChanges = 40},
};

/* Crowds whose first frame is lost. Many characters for few slots: lists that are too long leave the buffer. */
static const SceneDef lostRounds[] = {
    {.cast.capacity = 3000, .cast.slots = {1, 1}},
    {.cast.capacity = 200, .cast.slots = {30, 20}, .cast.previousPositions = true, .cast.morphs = true},
};

/* ---- The buffers of a crowd ---- */

typedef struct View {
    const CrowdScene *scene;
    CrowdInside inside;
    const LayoutCrowdHead *head;
    uint32_t *frame; /* in place */
} View;

static void *bytesOf(InsideBuffer buffer) {
    return guardFind(buffer.buffer)->bytes;
}

static View viewOf(const CrowdScene *scene) {
    const CrowdInside inside = sceneInside(scene);
    return (View){scene, inside, sknCrowdHead(inside.plan->tables), bytesOf(inside.frame)};
}

static const LayoutCrowdPart *partOf(const View *view, const LayoutCrowdPool *pool, uint32_t part) {
    return (const LayoutCrowdPart *)(view->inside.plan->tables + pool->partsAt) + part;
}

/* ---- What a frame owns ---- */

static void allowWords(InsideBuffer buffer, uint64_t first, uint64_t count) {
    guardAllow(buffer.buffer, 4 * first, 4 * count);
}

static void allowAll(InsideBuffer buffer) {
    guardAllow(buffer.buffer, 0, buffer.size);
}

static void allowArguments(const View *view) {
    const uint32_t *tables = view->inside.plan->tables;
    for (uint32_t i = 0; i < view->head->drawCount; i++) {
        allowWords(view->inside.frame, sknCrowdDraw(tables, i)->arguments, 5);
    }
    for (uint32_t i = 0; i < view->head->jobCount; i++) {
        allowWords(view->inside.frame, sknCrowdJob(tables, i)->job, LAYOUT_JOB_WORDS);
        allowWords(view->inside.frame, sknCrowdJob(tables, i)->groups, 3);
    }
}

/* Lists up to their ends, and what each skinned slot owns: record, pose, weights, palette, temporary memory, output. */
static void allowPool(const View *view, uint32_t p) {
    const InsideBuffer frame = view->inside.frame;
    const LayoutCrowdPool *pool = sknCrowdPool(view->inside.plan->tables, p);
    const CrowdPoolPlan *plan = &view->inside.plan->pools[p];
    const InsideBuffer palettes = insidePalettes(view->scene->context, view->scene->crowd, p);
    const InsideBuffer output = insideOutput(view->scene->context, view->scene->crowd, p);
    const uint32_t count = view->frame[pool->counts + CROWD_SKINNED];
    const uint64_t scratch = plan->scratchBytes / pool->slots / 4;
    assert_true(count <= pool->slots);
    allowWords(frame, pool->counts, CROWD_POOL_COLUMNS);
    allowWords(frame, pool->poseGroups, 3);
    allowWords(frame, pool->skinned, count);
    allowWords(frame, pool->characters, count);
    allowWords(frame, pool->entries, count);
    allowWords(frame, pool->refreshed, view->frame[pool->counts + CROWD_REFRESHED]);
    for (uint32_t v = 0; v + CROWD_FIRST_VIEW < view->head->poolColumns; v++) {
        assert_true(view->frame[pool->counts + CROWD_FIRST_VIEW + v] <= count);
        allowWords(frame, pool->lists + (uint64_t)v * pool->slots, view->frame[pool->counts + CROWD_FIRST_VIEW + v]);
    }
    for (uint32_t part = 0; part < pool->partCount; part++) {
        const LayoutCrowdPart *own = partOf(view, pool, part);
        allowWords(frame, own->instances, (uint64_t)count * LAYOUT_INSTANCE_WORDS);
        allowWords(frame, own->counts + CROWD_REFRESHED, view->head->poolColumns - CROWD_REFRESHED);
        for (uint32_t v = 0; v + CROWD_FIRST_VIEW < view->head->poolColumns; v++) {
            allowWords(frame, own->lists + (uint64_t)v * pool->slots, view->frame[own->counts + CROWD_FIRST_VIEW + v]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t slot = view->frame[pool->skinned + i];
        assert_true(slot < pool->slots);
        const uint64_t record = pool->records + slot * CROWD_SLOT_WORDS;
        const uint64_t copy = ((const LayoutCrowdSlot *)(view->frame + record))->copies & 0xff;
        allowWords(frame, record, CROWD_SLOT_WORDS);
        allowWords(frame, pool->olds + slot, 1);
        allowWords(frame, pool->poses + slot * CROWD_POSE_WORDS, CROWD_POSE_WORDS);
        allowWords(frame, pool->morphs + slot * pool->morphWords, pool->morphWords);
        allowWords(palettes, slot * pool->paletteUnits * 4, (uint64_t)pool->paletteUnits * 4);
        allowWords(palettes, plan->paletteBytes / 4 + slot * scratch, scratch);
        allowWords(output, slot * pool->outputWords + copy * pool->copyWords, pool->copyWords);
    }
}

static void allowFrame(const View *view, uint32_t slot) {
    allowAll(view->inside.states);
    allowAll(view->inside.colds);
    allowAll(view->inside.work);
    allowWords(view->inside.inputs[slot], CROWD_INPUT_STATS, CROWD_STATS_WORDS);
    allowArguments(view);
    for (uint32_t p = 0; p < view->inside.plan->poolCount; p++) {
        allowPool(view, p);
    }
}

/* ---- Poison ---- */

static void poison(uint32_t *words, uint64_t first, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        words[first + i] = GUARD_POISON;
    }
}

/* What a frame computes anew: keys, counts and ranks; lists, arguments, poses and weights; palettes. Slots, records and
 * states stay. */
static void poisonFrame(const View *view) {
    const uint32_t *tables = view->inside.plan->tables;
    const LayoutCrowdHead *head = view->head;
    uint32_t *work = bytesOf(view->inside.work);
    poison(work, CROWD_WORK_PLANES, CROWD_PLANE_WORDS);
    poison(work, head->totals, head->keys - head->totals);
    poison(work, head->keys, head->capacity);
    poison(work, head->counts, view->inside.plan->workWords - head->counts); /* and ranks, which come last */
    poison(view->frame, 0, view->inside.plan->drawWords);
    for (uint32_t p = 0; p < head->poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(tables, p);
        const InsideBuffer palettes = insidePalettes(view->scene->context, view->scene->crowd, p);
        poison(view->frame, pool->counts, pool->records - pool->counts); /* and lists, slots and characters */
        poison(view->frame, pool->poses, (uint64_t)pool->slots * CROWD_POSE_WORDS);
        poison(view->frame, pool->poseGroups, 3);
        poison(view->frame, pool->morphs, (uint64_t)pool->slots * pool->morphWords);
        for (uint32_t part = 0; part < pool->partCount; part++) {
            const LayoutCrowdPart *own = partOf(view, pool, part);
            poison(view->frame, own->instances, (uint64_t)pool->slots * LAYOUT_INSTANCE_WORDS);
            poison(view->frame, own->lists, (uint64_t)pool->slots * (head->poolColumns - CROWD_FIRST_VIEW));
        }
        poison(bytesOf(palettes), 0, palettes.size / 4);
    }
    for (uint32_t i = 0; i < head->jobCount; i++) {
        poison(view->frame, sknCrowdJob(tables, i)->job, LAYOUT_JOB_WORDS);
        poison(view->frame, sknCrowdJob(tables, i)->groups, 3);
    }
}

/* Random bits; in turn also numbers near those that are right, so that characters are drawn. */
static void spoilStates(CrowdScene *scene, uint32_t turn) {
    const InsideBuffer buffer = sceneInside(scene).states;
    uint32_t *states = bytesOf(buffer);
    for (VkDeviceSize i = 0; i < buffer.size / 4; i++) {
        const uint32_t word = randomWord(&scene->random);
        states[i] = word;
        if (turn % 2 == 1 && i % 16 < 12) {
            states[i] = 0x3f000000u + (word & 0x81ffffffu) / 4;
        } else if (turn % 2 == 1 && i % 16 == 15) {
            states[i] = (word & 0xfc00u) | CROWD_EXISTS | word % 3;
        }
    }
}

/* ---- All buffers hold anything ---- */

/* The buffers of a crowd and its clip set. Returns their number. */
static uint32_t listBuffers(const CrowdScene *scene, InsideBuffer buffers[MAX_BUFFERS]) {
    const CrowdInside inside = sceneInside(scene);
    const InsideBuffer own[] = {inside.tables,
                                inside.states,
                                inside.colds,
                                inside.work,
                                inside.frame,
                                inside.inputs[scene->slot],
                                insideClips(scene->context, scene->cast.clipSet)};
    uint32_t count = COUNT_OF(own);
    memcpy(buffers, own, sizeof own);
    assert_true(count + 2 * inside.plan->poolCount <= MAX_BUFFERS);
    for (uint32_t p = 0; p < inside.plan->poolCount; p++) {
        buffers[count++] = insidePalettes(scene->context, scene->crowd, p);
        buffers[count++] = insideOutput(scene->context, scene->crowd, p);
    }
    return count;
}

/* mask: of the random bits. Small numbers are near those that are right. */
static void spoil(CrowdScene *scene, InsideBuffer buffer, uint32_t mask) {
    uint32_t *words = bytesOf(buffer);
    for (VkDeviceSize i = 0; i < buffer.size / 4; i++) {
        words[i] = randomWord(&scene->random) & mask;
    }
}

/* What the host's draws read: no more instances than slots, and slots with vertices in the buffer. */
static void checkLists(const View *view) {
    for (uint32_t p = 0; p < view->inside.plan->poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(view->inside.plan->tables, p);
        for (uint32_t v = 0; v + CROWD_FIRST_VIEW < view->head->poolColumns; v++) {
            const uint32_t count = view->frame[pool->counts + CROWD_FIRST_VIEW + v];
            assert_true(count <= pool->slots);
            for (uint32_t i = 0; i < count; i++) {
                assert_true(view->frame[pool->lists + v * pool->slots + i] < pool->slots);
            }
        }
        for (uint32_t i = 0; i < view->frame[pool->counts + CROWD_SKINNED]; i++) {
            const uint32_t slot = view->frame[pool->skinned + i];
            const LayoutCrowdSlot *record = (const LayoutCrowdSlot *)(view->frame + pool->records) + slot;
            assert_true((record->copies & 0xff) < view->head->copies && record->copies >> 8 < view->head->copies);
        }
    }
    for (uint32_t i = 0; i < view->head->drawCount; i++) {
        const LayoutCrowdDraw *draw = sknCrowdDraw(view->inside.plan->tables, i);
        assert_true(view->frame[draw->arguments + 1] <= sknCrowdPool(view->inside.plan->tables, draw->pool)->slots);
        assert_int_equal(view->frame[draw->arguments], draw->indexCount);
    }
}

/* The frame ends, stays within its buffers, and changes no others. seen: there are characters, and most are seen. */
static void runSpoilt(CrowdScene *scene, uint32_t mask, bool seen) {
    InsideBuffer buffers[MAX_BUFFERS];
    GPU_VKSKIN(scene->gpu, vkskinBeginFrame(scene->context, scene->slot));
    guardSpoilInputs();
    VkCommandBuffer commandBuffer = gpuBegin(scene->gpu);
    sceneRecord(scene, commandBuffer);
    const uint32_t count = listBuffers(scene, buffers);
    for (uint32_t i = 0; i < count; i++) {
        spoil(scene, buffers[i], mask);
    }
    uint32_t *states = bytesOf(sceneInside(scene).states);
    for (uint32_t i = 0; seen && i < 16 * scene->def.cast.capacity; i++) { /* transforms of small numbers */
        states[i] = i % 16 == 15 ? CROWD_EXISTS | randomBelow(&scene->random, CAST_MODELS) : states[i] & 0x3fffffffu;
    }
    guardArm();
    gpuSubmitAndWait(scene->gpu, commandBuffer);
    for (uint32_t i = 0; i < count; i++) {
        allowAll(buffers[i]);
    }
    guardCheck();
    const View view = viewOf(scene);
    checkLists(&view);
    sceneGoOn(scene);
}

static void runSpoiltFrames(CrowdScene *scene, const char *what, uint32_t number) {
    static const uint32_t masks[] = {UINT32_MAX, 0xff, 0x8000ffffu, 0x3, 0x03000fffu, 0x7fffffffu};
    for (uint32_t f = 0; f < SPOILT_FRAMES; f++) {
        guardNote("round %u, %s, frame %u", number, what, f);
        runSpoilt(scene, masks[f % COUNT_OF(masks)], f % 2 == 1);
        sceneChange(scene);
    }
}

/* ---- Frames ---- */

static void runGuarded(CrowdScene *scene, bool first) {
    const uint32_t slot = scene->slot;
    GPU_VKSKIN(scene->gpu, vkskinBeginFrame(scene->context, slot));
    guardSpoilInputs();
    VkCommandBuffer commandBuffer = gpuBegin(scene->gpu);
    sceneRecord(scene, commandBuffer);
    const View view = viewOf(scene);
    if (!first) {
        poisonFrame(&view);
    }
    guardArm();
    gpuSubmitAndWait(scene->gpu, commandBuffer);
    if (!first) { /* which clears buffers and copies tables */
        allowFrame(&view, slot);
        guardCheck();
    }
    sceneGoOn(scene);
}

static uint32_t compareDrawn(CrowdScene *plain, CrowdScene *guarded, uint32_t frame) {
    const SceneDrawn a = sceneDrawn(plain);
    const SceneDrawn b = sceneDrawn(guarded);
    uint32_t drawn = 0;
    for (uint32_t c = 0; c < plain->def.cast.capacity; c++) {
        drawn += a.views[c] != 0;
        if (a.views[c] != b.views[c] || a.vertices[c] != b.vertices[c]) {
            fail_msg("frame %u: character %u is drawn otherwise with poison", frame, c);
        }
    }
    return drawn;
}

static void runRound(Gpu *gpu, uint32_t number) {
    const VkskinVulkanFunctions functions = guardFunctions();
    const VkskinMemoryCallbacks memory = guardMemory();
    VkskinContextDef context = gpuContextDef(gpu);
    SceneDef def = rounds[number];
    uint32_t drawn = 0, wild = 0;
    guardNote("round %u, making the crowd", number);
    def.backend = VKSKIN_BACKEND_COMPUTE;
    def.seed = number + 1;
    CrowdScene plain = sceneMake(gpu, &def);
    context.memory.callbacks = &memory;
    def.context = &context;
    def.functions = &functions;
    CrowdScene scene = sceneMake(gpu, &def);
    sceneAdd(&plain, (9 * def.cast.capacity + 9) / 10);
    sceneAdd(&scene, (9 * def.cast.capacity + 9) / 10);
    for (uint32_t f = 0; f < PLAIN_FRAMES; f++) {
        guardNote("round %u, frame %u", number, f);
        sceneRun(&plain);
        runGuarded(&scene, f == 0);
        drawn += compareDrawn(&plain, &scene, f);
        sceneChange(&plain);
        sceneChange(&scene);
    }
    for (uint32_t f = 0; f < WILD_FRAMES; f++) {
        guardNote("round %u, random states, frame %u", number, f);
        spoilStates(&scene, f);
        runGuarded(&scene, false);
        for (uint32_t p = 0; p < sceneInside(&scene).plan->poolCount; p++) {
            wild += viewOf(&scene).frame[sknCrowdPool(sceneInside(&scene).plan->tables, p)->counts];
        }
        sceneChange(&scene);
    }
    runSpoiltFrames(&scene, "random buffers", number);
    print_message("%u characters, %u + %u slots: %u drawn, %u with random states\n", def.cast.capacity,
                  def.cast.slots[0], def.cast.slots[1], drawn, wild);
    assert_true(def.cast.capacity == 1 || (drawn > 0 && wild > 0));
    sceneFree(&scene);
    sceneFree(&plain);
}

/* The first frame of a crowd, which clears its buffers and fills its tables, is recorded and thrown away. */
static void runLost(Gpu *gpu, uint32_t number, const VkskinTuning *tuning) {
    const VkskinVulkanFunctions functions = guardFunctions();
    const VkskinMemoryCallbacks memory = guardMemory();
    VkskinContextDef context = gpuContextDef(gpu);
    SceneDef def = lostRounds[number];
    context.tuning = tuning;
    context.memory.callbacks = &memory;
    def.context = &context;
    def.functions = &functions;
    def.backend = VKSKIN_BACKEND_COMPUTE;
    def.seed = number + 1;
    CrowdScene scene = sceneMake(gpu, &def);
    sceneAdd(&scene, 100);
    GPU_VKSKIN(gpu, vkskinBeginFrame(scene.context, scene.slot));
    VkCommandBuffer uploads = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordUploads(scene.context, uploads)); /* uploads of the meshes are not the crowd's */
    gpuSubmitAndWait(gpu, uploads);
    VkCommandBuffer lost = gpuBegin(gpu);
    sceneRecord(&scene, lost);
    GPU_CHECK(vkEndCommandBuffer(lost));
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &lost);
    sceneGoOn(&scene);
    runSpoiltFrames(&scene, "a lost frame", number);
    sceneFree(&scene);
}

GPU_TEST(crowdsKeepToTheirMemory) {
    guardStart(gpu, placement);
    for (uint32_t i = 0; i < COUNT_OF(rounds); i++) {
        runRound(gpu, i);
    }
    const VkskinTuning group = sceneGroupTuning(gpu);
    for (uint32_t i = 0; i < 2 * COUNT_OF(lostRounds); i++) {
        runLost(gpu, i / 2, i % 2 == 0 ? NULL : &group);
    }
    print_message("%.1f MB watched\n", 1e-6 * (double)guardCheckedBytes());
}

int main(int argc, char **argv) {
    if (argc != 2 || (strcmp(argv[1], "end") != 0 && strcmp(argv[1], "start") != 0)) {
        fprintf(stderr, "usage: %s end|start\n", argv[0]);
        return 2;
    }
    placement = strcmp(argv[1], "end") == 0 ? GUARD_AT_END : GUARD_AT_START;
    gpuRequest(&guardRequest);
    return testRunGroup("guard crowds", NULL, NULL, NULL);
}
