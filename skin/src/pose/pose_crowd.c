#include <float.h>
#include <math.h>
#include <string.h>

#include "clip.h"
#include "cpu_level.h"
#include "crowd_batch.h"
#include "diagnostics.h"
#include "run_tasks.h"

/* Palettes of a call that are larger than this go past the caches: what a core has of its own is rarely more. */
#define STREAM_BYTES (2u << 20)

#define LINE_CURSORS 16u /* in 64 bytes */

/* What a task found: the result that counts most, and the first character that has it. */
typedef struct Finding {
    VkskinResult result;
    uint32_t character;
} Finding;

typedef struct PoseCall {
    VkskinPoseBatch crowd;
    const VkskinPoseBatchCharacter *characters;
    uint32_t count;
    uint32_t charactersPerTask;
    VkskinPaletteEncoding encoding;
    bool stream;
    CrowdLevel level;
    Finding findings[CROWD_TASKS];
} PoseCall;

static VkskinResult checkCharacter(VkskinPoseBatch crowd, const VkskinPoseBatchCharacter *character, uint32_t index) {
    const VkskinLogger *logger = &crowd->logger;
    if (character->palette == NULL) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "crowd: the palette of character %u is null", index);
    }
    if (character->clip >= crowd->clipCount && character->clip != VKSKIN_REST_POSE) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "crowd: character %u is in clip %u of %u", index,
                         character->clip, crowd->clipCount);
    }
    if ((uint32_t)character->wrap > VKSKIN_WRAP_LOOP) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "crowd: the wrap %d of character %u is unknown",
                         (int)character->wrap, index);
    }
    if (!isfinite(character->time)) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "crowd: the time of character %u is not finite", index);
    }
    if (character->slot >= crowd->slotCount) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "crowd: character %u has slot %u of %u", index,
                         character->slot, crowd->slotCount);
    }
    if (crowd->slotCalls[character->slot] == crowd->calls) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "crowd: character %u has slot %u, as one before it", index,
                         character->slot);
    }
    crowd->slotCalls[character->slot] = crowd->calls;
    return VKSKIN_SUCCESS;
}

static VkskinResult checkCall(const PoseCall *call, uint32_t boneCount) {
    const VkskinLogger *logger = &call->crowd->logger;
    if (call->characters == NULL && call->count > 0) {
        return sknReport(logger, VKSKIN_ERROR_NULL_ARGUMENT, "crowd: characters is null, count is %u", call->count);
    }
    if ((uint32_t)call->encoding >= VKSKIN_PALETTE_ENCODING_COUNT) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "crowd: the palette encoding %d is unknown",
                         (int)call->encoding);
    }
    if (boneCount < call->crowd->boneCount) {
        return sknReport(logger, VKSKIN_ERROR_PALETTE_TOO_SMALL, "crowd: palettes of %u entries, the skin has %u bones",
                         boneCount, call->crowd->boneCount);
    }
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result == VKSKIN_SUCCESS && i < call->count; ++i) {
        result = checkCharacter(call->crowd, &call->characters[i], i);
    }
    return result;
}

/* Which of the crowd's clips a character is in. */
static uint32_t clipOf(VkskinPoseBatch crowd, const VkskinPoseBatchCharacter *character) {
    return character->clip == VKSKIN_REST_POSE ? crowd->clipCount : character->clip;
}

/* Characters of one clip read the same keys: one after another they find them in the cache. */
static void sortByClip(const PoseCall *call) {
    VkskinPoseBatch crowd = call->crowd;
    memset(crowd->clipEnds, 0, ((size_t)crowd->clipCount + 2) * sizeof *crowd->clipEnds);
    for (uint32_t i = 0; i < call->count; ++i) {
        crowd->clipEnds[clipOf(crowd, &call->characters[i]) + 1]++;
    }
    for (uint32_t clip = 1; clip <= crowd->clipCount; ++clip) {
        crowd->clipEnds[clip] += crowd->clipEnds[clip - 1];
    }
    for (uint32_t i = 0; i < call->count; ++i) {
        crowd->order[crowd->clipEnds[clipOf(crowd, &call->characters[i])]++] = i;
    }
}

static VkskinResult chooseLevel(const VkskinLogger *logger, VkskinCpuLevel asked, CrowdLevel *level) {
    const VkskinCpuLevel chosen = sknResolveCpuLevel(asked);
    if (chosen == VKSKIN_CPU_LEVEL_COUNT) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "crowd: the processor's level %d is not there",
                         (int)asked);
    }
    *level = sknCrowdPortable;
#if defined(VKSKIN_HAS_AVX2)
    if (chosen == VKSKIN_CPU_AVX2) {
        *level = sknCrowdAvx2;
    }
#endif
#if defined(VKSKIN_HAS_AVX512)
    if (chosen == VKSKIN_CPU_AVX512) {
        *level = sknCrowdAvx512;
    }
#endif
    return VKSKIN_SUCCESS;
}

/* A clip's length of zero reads the first keys, which is then all that there are. */
static void setTime(CrowdBatch *batch, uint32_t lane, const VkskinPoseBatchCharacter *character) {
    const float duration = batch->clips[lane]->duration;
    const double seconds = duration > 0.0f ? sknClipTime(duration, character->time, character->wrap) : 0.0;
    float before = (float)seconds;
    if ((double)before > seconds) {
        before = nextafterf(before, -FLT_MAX);
    }
    batch->seconds[lane] = seconds;
    batch->time[lane] = before + 0.0f; /* no negative zero */
    batch->rest[lane] = (float)(seconds - before);
}

static void setLane(const PoseCall *call, CrowdBatch *batch, uint32_t lane, const VkskinPoseBatchCharacter *character) {
    VkskinPoseBatch crowd = call->crowd;
    const uint32_t clip = clipOf(crowd, character);
    batch->clips[lane] = &crowd->clips[clip];
    batch->cursors[lane] = crowd->cursors + (size_t)character->slot * crowd->trackCount;
    if (crowd->slotClips[character->slot] != clip) {
        memcpy(batch->cursors[lane], crowd->clips[clip].first, crowd->trackCount * sizeof *crowd->cursors);
        crowd->slotClips[character->slot] = clip;
    }
    setTime(batch, lane, character);
    batch->palettes[lane] = character->palette;
    batch->stream &= (uintptr_t)character->palette % 64 == 0;
    batch->results[lane] = VKSKIN_SUCCESS;
}

/* Characters' cursors are not beside one another, so that the processor does not see them coming. */
static void fetchCursors(const PoseCall *call, uint32_t first, uint32_t end) {
#if defined(__GNUC__)
    const uint32_t trackCount = call->crowd->trackCount;
    for (uint32_t i = first; i < end; ++i) {
        const uint32_t slot = call->characters[call->crowd->order[i]].slot;
        const uint32_t *cursors = call->crowd->cursors + (size_t)slot * trackCount;
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
    const uint32_t *order = call->crowd->order + first;
    CrowdBatch batch = {.active = count, .encoding = call->encoding, .stream = call->stream};
    for (uint32_t lane = 0; lane < call->level.lanes; ++lane) {
        setLane(call, &batch, lane, &call->characters[order[lane < count ? lane : 0]]);
    }
    call->level.pose(call->crowd, &batch, work);
    for (uint32_t lane = 0; lane < count; ++lane) {
        const Finding found = {batch.results[lane], order[lane]};
        *finding = countsMore(&found, finding) ? found : *finding;
    }
}

/* Takes one of the crowd's memories to work in; as there are no more tasks than those, one is free. */
static uint32_t takeWork(VkskinPoseBatch crowd) {
    uint_fast64_t inUse = atomic_load(&crowd->workInUse);
    for (;;) {
        uint32_t place = 0;
        while ((inUse >> place & 1) != 0) {
            ++place;
        }
        if (atomic_compare_exchange_weak(&crowd->workInUse, &inUse, inUse | (uint_fast64_t)1 << place)) {
            return place;
        }
    }
}

static void poseTask(void *data, uint32_t task) {
    PoseCall *call = data;
    VkskinPoseBatch crowd = call->crowd;
    const uint32_t place = takeWork(crowd);
    float *work = crowd->work + (size_t)place * crowd->placeCount * 12 * CROWD_LANES;
    const uint32_t begin = task * call->charactersPerTask;
    const uint32_t left = call->count - begin;
    const uint32_t end = begin + (left < call->charactersPerTask ? left : call->charactersPerTask);
    for (uint32_t first = begin; first < end; first += call->level.lanes) {
        const uint32_t lanes = call->level.lanes;
        const uint32_t count = end - first < lanes ? end - first : lanes;
        fetchCursors(call, first + count, end - first - count < lanes ? end : first + count + lanes);
        poseSome(call, first, count, work, &call->findings[task]);
    }
    atomic_fetch_and(&crowd->workInUse, ~((uint_fast64_t)1 << place));
}

static VkskinResult reportFindings(const PoseCall *call, uint32_t taskCount) {
    Finding most = {0};
    for (uint32_t task = 0; task < taskCount; ++task) {
        most = countsMore(&call->findings[task], &most) ? call->findings[task] : most;
    }
    if (most.result == VKSKIN_SUCCESS) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&call->crowd->logger, most.result, "crowd: a bone of character %u %s", most.character,
                     most.result < VKSKIN_SUCCESS ? "is not finite, or beyond what the encoding holds"
                                                  : "does what the encoding cannot hold");
}

VkskinResult vkskinPoseBatch(VkskinPoseBatch crowd, const VkskinPoseBatchCharacter *characters, uint32_t count,
                             VkskinPaletteEncoding encoding, uint32_t boneCount, const VkskinCpuRun *run) {
    if (crowd == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const VkskinCpuRun how = run != NULL ? *run : (VkskinCpuRun){0};
    PoseCall call = {.crowd = crowd, .characters = characters, .count = count, .encoding = encoding};
    VkskinResult result = chooseLevel(&crowd->logger, how.level, &call.level);
    if (result != VKSKIN_SUCCESS) {
        return result;
    }
    crowd->calls++;
    result = checkCall(&call, boneCount);
    if (result != VKSKIN_SUCCESS || count == 0) {
        return result;
    }
    sortByClip(&call);
    const uint64_t bytes = (uint64_t)count * crowd->boneCount * sizeof(VkskinAffine);
    call.stream = encoding == VKSKIN_PALETTE_MAT3X4 && bytes > STREAM_BYTES;
    /* Whole batches of any level, so that none but the last is ragged. */
    const uint32_t batches = count / CROWD_LANES + (count % CROWD_LANES != 0);
    call.charactersPerTask = (batches / CROWD_TASKS + (batches % CROWD_TASKS != 0)) * CROWD_LANES;
    const uint32_t taskCount = (count - 1) / call.charactersPerTask + 1;
    sknRunTasks(how.parallel, how.parallelUser, taskCount, poseTask, &call);
    return reportFindings(&call, taskCount);
}
