#include "pose_batch.h"

#include <float.h>
#include <math.h>

#include "clip.h"
#include "cookie.h"
#include "cpu_level.h"
#include "host.h"
#include "run_tasks.h"

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
    const uint32_t parts = batch->slotParts;
    batch->slotClips = sknArenaArray(arena, batch->slotCount, sizeof *batch->slotClips * parts);
    batch->slotCalls = sknArenaArray(arena, batch->slotCount, sizeof *batch->slotCalls);
    if (batch->block == NULL) {
        batch->cursors = sknArenaArray(arena, batch->slotCount, sizeof *batch->cursors * batch->trackCount * parts);
    }
    batch->order = sknArenaArray(arena, batch->slotCount, sizeof *batch->order * parts);
    batch->rankEnds = sknArenaArray(arena, parts * ((size_t)batch->clipCount + 1) + 1, sizeof *batch->rankEnds);
    batch->work = sknArenaLines(arena, batch->placeCount, sizeof *batch->work * 12 * BATCH_LANES * BATCH_TASKS);
    for (size_t i = 0; batch->slotClips != NULL && i < (size_t)batch->slotCount * parts; ++i) {
        batch->slotClips[i] = UINT32_MAX;
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
    made->slotParts = def->blending ? 2 : 1;
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
    bool blends; /* some character has a second clip */
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

static bool isBlended(const VkskinPoseBatchCharacter *character) {
    return character->blendWeight != 0.0f;
}

static VkskinResult checkBlend(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *character, uint32_t index) {
    const VkskinLogger *logger = &batch->logger;
    if (!sknIsShare(character->blendWeight)) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "pose batch: the blend weight %g of character %u is not from 0 to 1",
                         (double)character->blendWeight, index);
    }
    if (!isBlended(character)) {
        return VKSKIN_SUCCESS;
    }
    if (batch->slotParts < 2) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE,
                         "pose batch: character %u is blended, but the batch was made without blending", index);
    }
    if (character->blendClip >= batch->clipCount && character->blendClip != VKSKIN_REST_POSE) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: character %u is blended with clip %u of %u",
                         index, character->blendClip, batch->clipCount);
    }
    if ((uint32_t)character->blendWrap > VKSKIN_WRAP_LOOP) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the blend wrap %d of character %u is unknown",
                         (int)character->blendWrap, index);
    }
    if (!isfinite(character->blendTime)) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "pose batch: the blend time of character %u is not finite",
                         index);
    }
    return VKSKIN_SUCCESS;
}

/* Sets `blends`. */
static VkskinResult checkCall(PoseCall *call, uint32_t boneCount) {
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
        if (result == VKSKIN_SUCCESS) {
            result = checkBlend(call->batch, &call->characters[i], i);
            call->blends |= isBlended(&call->characters[i]);
        }
    }
    return result;
}

/* The index in the batch of a clip. */
static uint32_t indexOf(VkskinPoseBatch batch, uint32_t clip) {
    return clip == VKSKIN_REST_POSE ? batch->clipCount : clip;
}

typedef uint32_t (*RankFn)(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *character);

/* Blended characters last, so that others have lanes without a second clip. */
static uint32_t rankByClip(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *character) {
    return indexOf(batch, character->clip) + (isBlended(character) ? batch->clipCount + 1 : 0);
}

static uint32_t rankBySecondClip(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *character) {
    return isBlended(character) ? indexOf(batch, character->blendClip) : 0;
}

/* Stable. before: [count], or null for the order of the call. rankCount: ranks are below. */
static inline void sortBy(const PoseCall *call, RankFn rankOf, uint32_t rankCount, const uint32_t *before,
                          uint32_t *order) {
    VkskinPoseBatch batch = call->batch;
    memset(batch->rankEnds, 0, ((size_t)rankCount + 1) * sizeof *batch->rankEnds);
    for (uint32_t i = 0; i < call->count; ++i) {
        batch->rankEnds[rankOf(batch, &call->characters[i]) + 1]++;
    }
    for (uint32_t rank = 1; rank < rankCount; ++rank) {
        batch->rankEnds[rank] += batch->rankEnds[rank - 1];
    }
    for (uint32_t i = 0; i < call->count; ++i) {
        const uint32_t character = before != NULL ? before[i] : i;
        order[batch->rankEnds[rankOf(batch, &call->characters[character])]++] = character;
    }
}

/* Characters of one clip read the same keys: in sequence they find them in the cache. */
static void sortCharacters(const PoseCall *call) {
    VkskinPoseBatch batch = call->batch;
    const uint32_t clips = batch->clipCount + 1;
    if (call->blends) {
        uint32_t *before = batch->order + batch->slotCount;
        sortBy(call, rankBySecondClip, clips, NULL, before);
        sortBy(call, rankByClip, 2 * clips, before, batch->order);
    } else {
        sortBy(call, rankByClip, clips, NULL, batch->order);
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

/* A moment of a clip, as a character has one or two. */
typedef struct ClipMoment {
    uint32_t clip; /* index in the batch */
    VkskinWrap wrap;
    double time;
    uint32_t slot;
    uint32_t part; /* clip within the slot: 0, or 1 for the second clip */
} ClipMoment;

/* A clip of length zero is read at time 0: it has only one key per track. */
static void setTime(LaneSource *source, uint32_t lane, const ClipMoment *moment) {
    const float duration = source->clips[lane]->duration;
    const double seconds = duration > 0.0f ? sknClipTime(duration, moment->time, moment->wrap) : 0.0;
    float before = (float)seconds;
    if ((double)before > seconds) {
        before = nextafterf(before, -FLT_MAX);
    }
    source->seconds[lane] = seconds;
    source->time[lane] = before + 0.0f; /* no negative zero */
    source->rest[lane] = (float)(seconds - before);
}

/* The row of a lane whose time is set. */
static void setRow(VkskinPoseBatch batch, LaneSource *source, uint32_t lane, uint32_t clip) {
    const BatchPacked *packed = &batch->packed[clip];
    RowPlace place = {0};
    source->packed[lane] = packed;
    source->row[lane] = packed->rows;
    if (packed->clip != NULL) {
        place = sknFindRow(batch->block, packed->clip, source->seconds[lane]);
        source->row[lane] += place.row * packed->clip->stride;
    }
    source->fraction[lane] = place.fraction;
}

/* The cursors of a lane: of the slot's clip, otherwise the first ones. */
static void setCursors(VkskinPoseBatch batch, LaneSource *source, uint32_t lane, const ClipMoment *moment) {
    const size_t place = (size_t)moment->slot * batch->slotParts + moment->part;
    source->cursors[lane] = batch->cursors + place * batch->trackCount;
    if (batch->slotClips[place] != moment->clip) {
        memcpy(source->cursors[lane], batch->clips[moment->clip].first, batch->trackCount * sizeof *batch->cursors);
        batch->slotClips[place] = moment->clip;
    }
}

static void setSource(VkskinPoseBatch batch, LaneSource *source, uint32_t lane, const ClipMoment *moment) {
    source->clips[lane] = &batch->clips[moment->clip];
    setTime(source, lane, moment);
    if (batch->block != NULL) {
        setRow(batch, source, lane, moment->clip);
    } else {
        setCursors(batch, source, lane, moment);
    }
}

/* Lanes without a second clip, next to lanes with one, read the first clip twice. */
static void setSecond(VkskinPoseBatch batch, PoseLanes *lanes, uint32_t lane, const VkskinPoseBatchCharacter *character,
                      const ClipMoment *first) {
    const ClipMoment second = {indexOf(batch, character->blendClip), character->blendWrap, character->blendTime,
                               character->slot, 1};
    lanes->weights[lane] = character->blendWeight;
    setSource(batch, &lanes->to, lane, isBlended(character) ? &second : first);
}

static void setLane(const PoseCall *call, PoseLanes *lanes, uint32_t lane, const VkskinPoseBatchCharacter *character) {
    VkskinPoseBatch batch = call->batch;
    const ClipMoment first = {indexOf(batch, character->clip), character->wrap, character->time, character->slot, 0};
    setSource(batch, &lanes->from, lane, &first);
    if (lanes->blends) {
        setSecond(batch, lanes, lane, character, &first);
    }
    lanes->palettes[lane] = character->palette;
    lanes->stream &= (uintptr_t)character->palette % 64 == 0;
    lanes->results[lane] = VKSKIN_SUCCESS;
}

#if defined(__GNUC__)
#define FETCH(address, writes) __builtin_prefetch(address, writes)
#else
#define FETCH(address, writes) ((void)(address))
#endif

/* Characters are read in the order of their clips, which the processor does not foresee; nor does it their cursors. */
static void fetchCharacters(const PoseCall *call, uint32_t first, uint32_t end) {
    VkskinPoseBatch batch = call->batch;
    for (uint32_t i = first; i < end; ++i) {
        const VkskinPoseBatchCharacter *character = &call->characters[batch->order[i]];
        if (batch->block != NULL) {
            FETCH(character, 0);
            FETCH(&character->blendWeight, 0);
            continue;
        }
        const uint32_t *cursors = batch->cursors + (size_t)character->slot * batch->slotParts * batch->trackCount;
        const size_t count = isBlended(character) ? 2 * (size_t)batch->trackCount : batch->trackCount;
        for (size_t cursor = 0; cursor < count; cursor += LINE_CURSORS) {
            FETCH(cursors + cursor, 1);
        }
    }
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
    PoseLanes lanes; /* not set to 0 as a whole: two kilobytes */
    lanes.active = count;
    lanes.encoding = call->encoding;
    lanes.stream = call->stream;
    lanes.blends = false;
    for (uint32_t lane = 0; lane < count; ++lane) {
        lanes.blends |= isBlended(&call->characters[order[lane]]);
    }
    for (uint32_t lane = 0; lane < call->level.width; ++lane) {
        setLane(call, &lanes, lane, &call->characters[order[lane < count ? lane : 0]]);
    }
    call->level.pose(call->batch, &lanes, work);
    for (uint32_t lane = 0; lane < count; ++lane) {
        const Finding found = {lanes.results[lane], order[lane]};
        *finding = countsMore(&found, finding) ? found : *finding;
    }
}

uint32_t sknTakePosePlace(atomic_uint_fast64_t *inUse) {
    uint_fast64_t bits = atomic_load(inUse);
    for (uint32_t place = 0;; place = (place + 1) % BATCH_TASKS) {
        const uint_fast64_t bit = (uint_fast64_t)1 << place;
        /* A failed exchange reads the value again. */
        while ((bits & bit) == 0) {
            if (atomic_compare_exchange_weak(inUse, &bits, bits | bit)) {
                return place;
            }
        }
        bits = atomic_load(inUse);
    }
}

void sknReturnPosePlace(atomic_uint_fast64_t *inUse, uint32_t place) {
    atomic_fetch_and(inUse, ~((uint_fast64_t)1 << place));
}

static void poseTask(void *data, uint32_t task) {
    PoseCall *call = data;
    VkskinPoseBatch batch = call->batch;
    const uint32_t place = sknTakePosePlace(&batch->workInUse);
    float *work = sknPoseWork(batch, place);
    const uint32_t begin = task * call->charactersPerTask;
    const uint32_t left = call->count - begin;
    const uint32_t end = begin + (left < call->charactersPerTask ? left : call->charactersPerTask);
    for (uint32_t first = begin; first < end; first += call->level.width) {
        const uint32_t width = call->level.width;
        const uint32_t count = end - first < width ? end - first : width;
        fetchCharacters(call, first + count, end - first - count < width ? end : first + count + width);
        poseSome(call, first, count, work, &call->findings[task]);
    }
    sknReturnPosePlace(&batch->workInUse, place);
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
    sortCharacters(&call);
    const uint64_t bytes = (uint64_t)count * batch->boneCount * sizeof(VkskinAffine);
    call.stream = encoding == VKSKIN_PALETTE_MAT3X4 && bytes > STREAM_BYTES;
    /* A multiple of every level's width, so that only the last task has unused lanes. */
    const uint32_t groups = count / BATCH_LANES + (count % BATCH_LANES != 0);
    call.charactersPerTask = (groups / BATCH_TASKS + (groups % BATCH_TASKS != 0)) * BATCH_LANES;
    const uint32_t taskCount = (count - 1) / call.charactersPerTask + 1;
    sknRunTasks(how.parallel, how.parallelUser, taskCount, poseTask, &call);
    return reportFindings(&call, taskCount);
}
