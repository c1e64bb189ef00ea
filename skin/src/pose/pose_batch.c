#include "pose_batch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "clip.h"
#include "cookie.h"
#include "cpu_level.h"
#include "host.h"
#include "run_tasks.h"
#include "skeleton.h"

/* ---- Creation ---- */

VkskinPoseBatchDef vkskinDefaultPoseBatchDef(void) {
    return (VkskinPoseBatchDef){.cookie = VKSKIN_COOKIE_POSE_BATCH};
}

static VkskinResult checkArguments(const VkskinPoseBatchDef *def, const VkskinPoseBatch *place) {
    const VkskinLogger *logger = &def->logger;
    const Subject subject = {logger, "pose batch", ""};
    const Rule rules[] = {
        {place == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the handle is null"},
        {!sknHostAllocatorIsComplete(def->allocator), VKSKIN_ERROR_NULL_ARGUMENT,
         "the host allocator lacks a function"},
        {def->skeleton == NULL && def->animation == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skeleton is null"},
        {def->animation != NULL && (def->skeleton != NULL || def->clipCount > 0), VKSKIN_ERROR_INVALID_VALUE,
         "an animation set brings its skeleton and its clips, the def has others"},
        {def->skin == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "skin is null"},
    };
    VkskinResult result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    if (result < 0) {
        return result;
    }
    if (def->clipCount > 0 && def->clips == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: clips is null, clipCount is %u",
                         def->clipCount);
    }
    if (def->clipCount == VKSKIN_REST_POSE || def->slotCount == 0) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: %s",
                         def->slotCount == 0 ? "slotCount is 0" : "clipCount is that of the rest pose");
    }
    return VKSKIN_SUCCESS;
}

/* Checks the animation set before its counts are read. */
static VkskinResult checkSkin(const VkskinPoseBatchDef *def) {
    if (def->animation != NULL) {
        const VkskinResult result = vkskinCheckAnimation(def->animation, def->animationSize, &def->logger);
        if (result != VKSKIN_SUCCESS) {
            return result;
        }
    }
    const uint32_t nodeCount =
        def->animation != NULL ? sknBlockHeader(def->animation)->nodeCount : def->skeleton->nodeCount;
    if (def->skin->nodeCount > nodeCount) {
        return sknReport(&def->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "pose batch: the skin is for a skeleton of %u nodes, this one has %u", def->skin->nodeCount,
                         nodeCount);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkClip(const VkskinPoseBatchDef *def, uint32_t index) {
    if (def->clips[index] == NULL) {
        return sknReport(&def->logger, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: clip %u is null", index);
    }
    if (vkskinGetClipNodeCount(def->clips[index]) > def->skeleton->nodeCount) {
        return sknReport(&def->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "pose batch: clip %u is for a skeleton of %u nodes, this one has %u", index,
                         vkskinGetClipNodeCount(def->clips[index]), def->skeleton->nodeCount);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkDef(const VkskinPoseBatchDef *def, const VkskinPoseBatch *place) {
    VkskinResult result = checkArguments(def, place);
    if (result == VKSKIN_SUCCESS) {
        result = checkSkin(def);
    }
    for (uint32_t clip = 0; result == VKSKIN_SUCCESS && clip < def->clipCount; ++clip) {
        result = checkClip(def, clip);
    }
    return result;
}

static bool allocateSlots(VkskinPoseBatch batch) {
    Arena *arena = &batch->arena;
    batch->slotClips = sknArenaArray(arena, batch->slotCount, sizeof *batch->slotClips);
    batch->slotCalls = sknArenaArray(arena, batch->slotCount, sizeof *batch->slotCalls);
    if (batch->block == NULL) {
        batch->cursors = sknArenaArray(arena, batch->slotCount, sizeof *batch->cursors * batch->trackCount);
    }
    batch->order = sknArenaArray(arena, batch->slotCount, sizeof *batch->order);
    batch->clipEnds = sknArenaArray(arena, (size_t)batch->clipCount + 2, sizeof *batch->clipEnds);
    batch->work = sknArenaLines(arena, batch->placeCount, sizeof *batch->work * 12 * BATCH_LANES * BATCH_TASKS);
    for (uint32_t slot = 0; batch->slotClips != NULL && slot < batch->slotCount; ++slot) {
        batch->slotClips[slot] = UINT32_MAX;
    }
    return !arena->failed;
}

/* The caller destroys a batch that could not be completed. */
static VkskinResult fillBatch(const VkskinPoseBatchDef *def, VkskinSkeleton skeleton, VkskinPoseBatch batch) {
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    uint32_t *kept = sknHostAllocateArray(def->allocator, skeleton->nodeCount, sizeof *kept);
    if (kept != NULL && sknPlanBatch(batch, skeleton, def->skin, kept)) {
        result = batch->block != NULL ? sknMakeBatchPacked(batch, skeleton, kept)
                                      : sknMakeBatchKeys(batch, skeleton, def->clips, kept);
    }
    sknHostFree(def->allocator, kept);
    return result == VKSKIN_SUCCESS && !allocateSlots(batch) ? VKSKIN_ERROR_OUT_OF_HOST_MEMORY : result;
}

/* With the skeleton of the def, or that of its animation set. */
static VkskinResult fillFromDef(const VkskinPoseBatchDef *def, VkskinPoseBatch batch) {
    if (def->animation == NULL) {
        return fillBatch(def, def->skeleton, batch);
    }
    VkskinSkeleton skeleton = NULL;
    VkskinResult result = vkskinCreateAnimationSkeleton(def->animation, NULL, def->allocator, &skeleton);
    if (result == VKSKIN_SUCCESS) {
        result = fillBatch(def, skeleton, batch);
    }
    vkskinDestroySkeleton(skeleton);
    return result;
}

static VkskinResult makeBatch(const VkskinPoseBatchDef *def, VkskinPoseBatch *batch) {
    Arena arena = sknMakeArena(def->allocator);
    VkskinPoseBatch made = sknArenaArray(&arena, 1, sizeof *made);
    if (made == NULL) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    made->arena = arena;
    made->logger = def->logger;
    made->block = def->animation;
    made->clipCount = def->animation != NULL ? vkskinGetAnimationClipCount(def->animation) : def->clipCount;
    made->slotCount = def->slotCount;
    atomic_init(&made->workInUse, 0);
    const VkskinResult result = fillFromDef(def, made);
    if (result != VKSKIN_SUCCESS) {
        vkskinDestroyPoseBatch(made);
        return result;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
    *batch = made;
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinCreatePoseBatch(const VkskinPoseBatchDef *def, VkskinPoseBatch *batch) {
    if (batch != NULL) {
        *batch = NULL;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_POSE_BATCH);
    if (result == VKSKIN_SUCCESS) {
        result = checkDef(def, batch);
    }
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    result = makeBatch(def, batch);
    if (result == VKSKIN_ERROR_OUT_OF_HOST_MEMORY) {
        return sknReport(&def->logger, result, "pose batch: no host memory for %u clips and %u slots", def->clipCount,
                         def->slotCount);
    }
    if (result != VKSKIN_SUCCESS) {
        return sknReport(&def->logger, result, "pose batch: a clip has more keys than 32 bits count");
    }
    return VKSKIN_SUCCESS;
}

void vkskinDestroyPoseBatch(VkskinPoseBatch batch) {
    if (batch != NULL) {
        sknFreeArena(&batch->arena);
    }
}

/* ---- Posing ---- */

/* Calls with larger palettes write past the caches: a core's own cache is rarely larger. */
#define STREAM_BYTES (2u << 20)

#define LINE_CURSORS 16u /* in 64 bytes */

/* The most severe result of a task, and the first character that has it. */
typedef struct Finding {
    VkskinResult result;
    uint32_t character;
} Finding;

typedef struct PoseCall {
    VkskinPoseBatch batch;
    const VkskinPoseBatchCharacter *characters;
    uint32_t count;
    uint32_t charactersPerTask;
    VkskinPaletteEncoding encoding;
    bool stream;
    PoseLevel level;
    Finding findings[BATCH_TASKS];
} PoseCall;

static VkskinResult checkCharacter(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *character, uint32_t index) {
    const VkskinLogger *logger = &batch->logger;
    if (character->palette == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: the palette of character %u is null", index);
    }
    if (character->clip >= batch->clipCount && character->clip != VKSKIN_REST_POSE) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: character %u is in clip %u of %u", index,
                         character->clip, batch->clipCount);
    }
    if ((uint32_t)character->wrap > VKSKIN_WRAP_LOOP) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the wrap %d of character %u is unknown",
                         (int)character->wrap, index);
    }
    if (!isfinite(character->time)) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the time of character %u is not finite",
                         index);
    }
    if (character->slot >= batch->slotCount) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: character %u has slot %u of %u", index,
                         character->slot, batch->slotCount);
    }
    if (batch->slotCalls[character->slot] == batch->calls) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "pose batch: character %u has slot %u, as a character before it", index, character->slot);
    }
    batch->slotCalls[character->slot] = batch->calls;
    return VKSKIN_SUCCESS;
}

static VkskinResult checkCall(const PoseCall *call, uint32_t boneCount) {
    const VkskinLogger *logger = &call->batch->logger;
    if (call->characters == NULL && call->count > 0) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "pose batch: characters is null, count is %u",
                         call->count);
    }
    if ((uint32_t)call->encoding >= VKSKIN_PALETTE_ENCODING_COUNT) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the palette encoding %d is unknown",
                         (int)call->encoding);
    }
    if (boneCount < call->batch->boneCount) {
        return sknReport(logger, VKSKIN_ERROR_PALETTE_TOO_SMALL,
                         "pose batch: palettes of %u entries, the skin has %u bones", boneCount,
                         call->batch->boneCount);
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result == VKSKIN_SUCCESS && i < call->count; ++i) {
        result = checkCharacter(call->batch, &call->characters[i], i);
    }
    return result;
}

/* The index of a character's clip in the batch. */
static uint32_t clipOf(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *character) {
    return character->clip == VKSKIN_REST_POSE ? batch->clipCount : character->clip;
}

/* Characters of one clip read the same keys: in sequence they find them in the cache. */
static void sortByClip(const PoseCall *call) {
    VkskinPoseBatch batch = call->batch;
    memset(batch->clipEnds, 0, ((size_t)batch->clipCount + 2) * sizeof *batch->clipEnds);
    for (uint32_t i = 0; i < call->count; ++i) {
        batch->clipEnds[clipOf(batch, &call->characters[i]) + 1]++;
    }
    for (uint32_t clip = 1; clip <= batch->clipCount; ++clip) {
        batch->clipEnds[clip] += batch->clipEnds[clip - 1];
    }
    for (uint32_t i = 0; i < call->count; ++i) {
        batch->order[batch->clipEnds[clipOf(batch, &call->characters[i])]++] = i;
    }
}

PoseLevel sknPoseLevelOf(VkskinCpuLevel level) {
#if defined(VKSKIN_HAS_AVX2)
    if (level == VKSKIN_CPU_AVX2) {
        return sknPoseLevelAvx2;
    }
#endif
#if defined(VKSKIN_HAS_AVX512)
    if (level == VKSKIN_CPU_AVX512) {
        return sknPoseLevelAvx512;
    }
#endif
    (void)level;
    return sknPoseLevelPortable;
}

static VkskinResult chooseLevel(const VkskinLogger *logger, VkskinCpuLevel asked, PoseLevel *level) {
    const VkskinCpuLevel chosen = sknResolveCpuLevel(asked);
    if (chosen == VKSKIN_CPU_LEVEL_COUNT) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "pose batch: this processor or build does not have level %d", (int)asked);
    }
    *level = sknPoseLevelOf(chosen);
    return VKSKIN_SUCCESS;
}

/* A clip of length zero is read at time 0: it has only one key per track. */
static void setTime(PoseLanes *lanes, uint32_t lane, const VkskinPoseBatchCharacter *character) {
    const float duration = lanes->clips[lane]->duration;
    const double seconds = duration > 0.0f ? sknClipTime(duration, character->time, character->wrap) : 0.0;
    float before = (float)seconds;
    if ((double)before > seconds) {
        before = nextafterf(before, -FLT_MAX);
    }
    lanes->seconds[lane] = seconds;
    lanes->time[lane] = before + 0.0f; /* no negative zero */
    lanes->rest[lane] = (float)(seconds - before);
}

/* The row of a lane whose time is set. */
static void setRow(VkskinPoseBatch batch, PoseLanes *lanes, uint32_t lane, uint32_t clip) {
    const BatchPacked *packed = &batch->packed[clip];
    RowPlace place = {0};
    if (packed->clip != NULL) {
        place = sknFindRow(batch->block, packed->clip, lanes->seconds[lane]);
        lanes->row[lane] = packed->rows + place.row * packed->clip->stride;
    }
    lanes->packed[lane] = packed;
    lanes->fraction[lane] = place.fraction;
}

/* The cursors of a lane: of the slot's clip, otherwise the first ones. */
static void setCursors(VkskinPoseBatch batch, PoseLanes *lanes, uint32_t lane, uint32_t slot, uint32_t clip) {
    lanes->cursors[lane] = batch->cursors + (size_t)slot * batch->trackCount;
    if (batch->slotClips[slot] != clip) {
        memcpy(lanes->cursors[lane], batch->clips[clip].first, batch->trackCount * sizeof *batch->cursors);
        batch->slotClips[slot] = clip;
    }
}

static void setLane(const PoseCall *call, PoseLanes *lanes, uint32_t lane, const VkskinPoseBatchCharacter *character) {
    VkskinPoseBatch batch = call->batch;
    const uint32_t clip = clipOf(batch, character);
    lanes->clips[lane] = &batch->clips[clip];
    setTime(lanes, lane, character);
    if (batch->block != NULL) {
        setRow(batch, lanes, lane, clip);
    } else {
        setCursors(batch, lanes, lane, character->slot, clip);
    }
    lanes->palettes[lane] = character->palette;
    lanes->stream &= (uintptr_t)character->palette % 64 == 0;
    lanes->results[lane] = VKSKIN_SUCCESS;
}

/* Cursors of different characters are not contiguous, so the processor does not prefetch them. */
static void fetchCursors(const PoseCall *call, uint32_t first, uint32_t end) {
#if defined(__GNUC__)
    const uint32_t trackCount = call->batch->trackCount;
    for (uint32_t i = first; i < end; ++i) {
        const uint32_t slot = call->characters[call->batch->order[i]].slot;
        const uint32_t *cursors = call->batch->cursors + (size_t)slot * trackCount;
        for (uint32_t track = 0; track < trackCount; track += LINE_CURSORS) {
            __builtin_prefetch(cursors + track, 1);
        }
    }
#else
    (void)call, (void)first, (void)end;
#endif
}

static uint32_t weightOf(VkskinResult result) {
    return result < VKSKIN_SUCCESS ? 2 : result != VKSKIN_SUCCESS;
}

static bool countsMore(const Finding *a, const Finding *b) {
    const uint32_t weightA = weightOf(a->result);
    const uint32_t weightB = weightOf(b->result);
    return weightA > weightB || (weightA == weightB && a->character < b->character);
}

static void poseSome(const PoseCall *call, uint32_t first, uint32_t count, float *work, Finding *finding) {
    const uint32_t *order = call->batch->order + first;
    PoseLanes lanes = {.active = count, .encoding = call->encoding, .stream = call->stream};
    for (uint32_t lane = 0; lane < call->level.width; ++lane) {
        setLane(call, &lanes, lane, &call->characters[order[lane < count ? lane : 0]]);
    }
    call->level.pose(call->batch, &lanes, work);
    for (uint32_t lane = 0; lane < count; ++lane) {
        const Finding found = {lanes.results[lane], order[lane]};
        *finding = countsMore(&found, finding) ? found : *finding;
    }
}

float *sknTakePoseWork(VkskinPoseBatch batch, uint32_t *place) {
    uint_fast64_t inUse = atomic_load(&batch->workInUse);
    for (*place = 0;; *place = (*place + 1) % BATCH_TASKS) {
        const uint_fast64_t bit = (uint_fast64_t)1 << *place;
        /* A failed exchange reads the value again. */
        while ((inUse & bit) == 0) {
            if (atomic_compare_exchange_weak(&batch->workInUse, &inUse, inUse | bit)) {
                return batch->work + (size_t)*place * batch->placeCount * 12 * BATCH_LANES;
            }
        }
        inUse = atomic_load(&batch->workInUse);
    }
}

void sknReturnPoseWork(VkskinPoseBatch batch, uint32_t place) {
    atomic_fetch_and(&batch->workInUse, ~((uint_fast64_t)1 << place));
}

static void poseTask(void *data, uint32_t task) {
    PoseCall *call = data;
    VkskinPoseBatch batch = call->batch;
    uint32_t place;
    float *work = sknTakePoseWork(batch, &place);
    const uint32_t begin = task * call->charactersPerTask;
    const uint32_t left = call->count - begin;
    const uint32_t end = begin + (left < call->charactersPerTask ? left : call->charactersPerTask);
    for (uint32_t first = begin; first < end; first += call->level.width) {
        const uint32_t width = call->level.width;
        const uint32_t count = end - first < width ? end - first : width;
        if (batch->block == NULL) {
            fetchCursors(call, first + count, end - first - count < width ? end : first + count + width);
        }
        poseSome(call, first, count, work, &call->findings[task]);
    }
    sknReturnPoseWork(batch, place);
}

static VkskinResult reportFindings(const PoseCall *call, uint32_t taskCount) {
    Finding most = {0};
    for (uint32_t task = 0; task < taskCount; ++task) {
        most = countsMore(&call->findings[task], &most) ? call->findings[task] : most;
    }
    if (most.result == VKSKIN_SUCCESS) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&call->batch->logger, most.result, "pose batch: a bone of character %u %s", most.character,
                     most.result < VKSKIN_SUCCESS ? "is not finite, or beyond what the encoding holds"
                                                  : "does what the encoding cannot hold");
}

VkskinResult vkskinPoseBatch(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *characters, uint32_t count,
                             VkskinPaletteEncoding encoding, uint32_t boneCount, const VkskinCpuRun *run) {
    if (batch == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const VkskinCpuRun how = run != NULL ? *run : (VkskinCpuRun){0};
    PoseCall call = {.batch = batch, .characters = characters, .count = count, .encoding = encoding};
    VkskinResult result = chooseLevel(&batch->logger, how.level, &call.level);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    batch->calls++;
    result = checkCall(&call, boneCount);
    if (result != VKSKIN_SUCCESS || count == 0) {
        return result;
    }
    sortByClip(&call);
    const uint64_t bytes = (uint64_t)count * batch->boneCount * sizeof(VkskinAffine);
    call.stream = encoding == VKSKIN_PALETTE_MAT3X4 && bytes > STREAM_BYTES;
    /* A multiple of every level's width, so that only the last task has unused lanes. */
    const uint32_t groups = count / BATCH_LANES + (count % BATCH_LANES != 0);
    call.charactersPerTask = (groups / BATCH_TASKS + (groups % BATCH_TASKS != 0)) * BATCH_LANES;
    const uint32_t taskCount = (count - 1) / call.charactersPerTask + 1;
    sknRunTasks(how.parallel, how.parallelUser, taskCount, poseTask, &call);
    return reportFindings(&call, taskCount);
}
