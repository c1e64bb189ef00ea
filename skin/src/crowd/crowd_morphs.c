#include "crowd_morphs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip.h"

#define CURVE_PIECES 32u /* lines that stand for a curve between two keys */
#define SAME         1e-6f

/* The rows of a clip, with the weights of all targets of all parts. */
typedef struct ClipRows {
    uint32_t *phases; /* [count] */
    float *weights;   /* [count][targets] */
    uint32_t count;
} ClipRows;

/* ---- Times ---- */

static const VkskinTrack *trackOf(const CrowdMorphNeeds *needs, uint32_t clip, uint32_t part) {
    const CrowdMorphSource *source = &needs->sources[part];
    VkskinClip from = needs->clips != NULL ? needs->clips[clip] : NULL;
    return from != NULL && source->count > 0 ? sknFindMorphTrack(from, source->part->morphNode) : NULL;
}

static uint32_t piecesOf(const VkskinTrack *track) {
    return sknTrackIsCurve(track) ? CURVE_PIECES : 1;
}

static size_t countTimes(const CrowdMorphNeeds *needs, uint32_t clip) {
    size_t count = 2;
    for (uint32_t p = 0; p < needs->partCount; p++) {
        const VkskinTrack *track = trackOf(needs, clip, p);
        count += track != NULL ? (size_t)track->keyCount * piecesOf(track) : 0;
    }
    return count;
}

static int compareTimes(const void *a, const void *b) {
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Start and end of the clip, and the times of all keys between them. Returns their number. */
static uint32_t listTimes(const CrowdMorphNeeds *needs, uint32_t clip, double *times) {
    const double duration = needs->durations[clip];
    uint32_t count = 0;
    times[count++] = 0.0;
    for (uint32_t p = 0; p < needs->partCount; p++) {
        const VkskinTrack *track = trackOf(needs, clip, p);
        for (uint32_t k = 0; track != NULL && k < track->keyCount; k++) {
            const double from = track->times[k];
            const double to = k + 1 < track->keyCount ? track->times[k + 1] : from;
            for (uint32_t i = 0; i < piecesOf(track); i++) {
                const double time = from + (to - from) * i / piecesOf(track);
                if (time > 0.0 && time < duration) {
                    times[count++] = time;
                }
            }
        }
    }
    times[count++] = duration;
    qsort(times, count, sizeof *times, compareTimes);
    uint32_t unique = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (times[i] != times[unique - 1]) {
            times[unique++] = times[i];
        }
    }
    return unique;
}

/* ---- Rows ---- */

static uint32_t targetsOf(const CrowdMorphNeeds *needs) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < needs->partCount; p++) {
        count += needs->sources[p].count;
    }
    return count;
}

static float restOf(const VkskinCrowdPart *part, uint32_t target) {
    return target < part->morphWeightCount ? part->morphWeights[target] : 0.0f;
}

/* The weights of all targets at a time. */
static void sampleRow(const CrowdMorphNeeds *needs, uint32_t clip, double time, float *row) {
    for (uint32_t p = 0; p < needs->partCount; p++) {
        const CrowdMorphSource *source = &needs->sources[p];
        const VkskinTrack *track = trackOf(needs, clip, p);
        for (uint32_t t = 0; t < source->count; t++) {
            row[t] = restOf(source->part, t);
        }
        if (track != NULL) {
            sknSampleTrack(track, time, row, source->count < track->weightCount ? source->count : track->weightCount);
        }
        for (uint32_t t = 0; source->part->morphsFixed != NULL && t < source->part->morphWeightCount; t++) {
            row[t] = source->part->morphsFixed[t] ? restOf(source->part, t) : row[t];
        }
        row += source->count;
    }
}

static bool differ(const float *a, const float *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (fabsf(a[i] - b[i]) > SAME * fmaxf(1.0f, fabsf(a[i]))) {
            return true;
        }
    }
    return false;
}

static uint32_t phaseOf(double time, double duration) {
    return duration > 0.0 ? (uint32_t)fmin(4294967295.0, floor(time / duration * 4294967296.0 + 0.5)) : 0;
}

/* Where the weights jump there are two rows of one phase: before and after the jump. */
static bool sampleClip(const CrowdMorphNeeds *needs, uint32_t clip, Arena *arena, ClipRows *rows) {
    const uint32_t targets = targetsOf(needs);
    const double duration = needs->durations[clip];
    double *times = sknArenaArray(arena, countTimes(needs, clip), sizeof *times);
    const uint32_t count = times != NULL ? listTimes(needs, clip, times) : 0;
    rows->phases = sknArenaArray(arena, 2 * (size_t)count, sizeof *rows->phases);
    rows->weights = sknArenaArray(arena, 2 * (size_t)count * targets, sizeof *rows->weights);
    if (arena->failed) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        float *row = rows->weights + (size_t)rows->count * targets;
        const uint32_t phase = phaseOf(times[i], duration);
        if (i > 0) {
            sampleRow(needs, clip, nextafter(times[i], -INFINITY), row);
            rows->phases[rows->count++] = phase;
            row += targets;
        }
        sampleRow(needs, clip, duration > 0.0 ? times[i] : -INFINITY, row);
        if (i == 0 || differ(row, row - targets, targets)) {
            rows->phases[rows->count++] = phase;
        }
    }
    return true;
}

/* A clip whose weights do not change needs one row. */
static void shortenClip(ClipRows *rows, uint32_t targets) {
    for (uint32_t r = 1; r < rows->count; r++) {
        if (memcmp(rows->weights, rows->weights + (size_t)r * targets, targets * sizeof *rows->weights) != 0) {
            return;
        }
    }
    rows->count = 1;
}

/* ---- Targets that have a weight ---- */

/* The largest size of each weight in all rows. False: one is not finite. */
static bool findLargest(const ClipRows *rows, uint32_t clipCount, uint32_t targets, float *largest) {
    bool finite = true;
    for (uint32_t c = 0; c < clipCount; c++) {
        for (size_t i = 0; i < (size_t)rows[c].count * targets; i++) {
            finite = finite && isfinite(rows[c].weights[i]);
            largest[i % targets] = fmaxf(largest[i % targets], fabsf(rows[c].weights[i]));
        }
    }
    return finite;
}

/* Lists the targets of a part before or after skinning. kept: receives their indices among all targets. */
static uint32_t listTargets(const CrowdMorphSource *source, uint32_t base, bool after, const float *largest,
                            CrowdMorphs *morphs, uint32_t *kept, double maxDelta[3]) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < source->count; t++) {
        const float size = largest[base + t];
        if (size == 0.0f || (source->after != NULL && source->after[t]) != after) {
            continue;
        }
        kept[morphs->count] = base + t;
        morphs->targets[morphs->count++] = source->first + t * source->step;
        count++;
        for (int axis = 0; axis < 3; axis++) {
            maxDelta[axis] += (double)size * source->maxDelta[t][axis];
        }
    }
    return count;
}

static void listParts(const CrowdMorphNeeds *needs, const float *largest, CrowdMorphs *morphs, uint32_t *kept) {
    uint32_t base = 0;
    for (uint32_t p = 0; p < needs->partCount; p++) {
        double before[3] = {0.0};
        double after[3] = {0.0};
        LayoutCrowdMorphPart *part = &morphs->parts[p];
        part->before = listTargets(&needs->sources[p], base, false, largest, morphs, kept, before);
        part->count = part->before + listTargets(&needs->sources[p], base, true, largest, morphs, kept, after);
        base += needs->sources[p].count;
        for (int axis = 0; axis < 3; axis++) {
            morphs->before[axis] = fmax(morphs->before[axis], before[axis]);
            morphs->after[axis] = fmax(morphs->after[axis], after[axis]);
        }
    }
}

/* Copies the weights of the listed targets. */
static bool copyRows(const CrowdMorphNeeds *needs, const ClipRows *clips, const uint32_t *kept, Arena *arena,
                     CrowdMorphs *morphs) {
    const uint32_t targets = targetsOf(needs);
    uint32_t row = 0;
    for (uint32_t c = 0; c < needs->clipCount; c++) {
        row += clips[c].count;
    }
    morphs->phases = sknArenaArray(arena, row, sizeof *morphs->phases);
    morphs->weights = sknArenaArray(arena, (size_t)row * morphs->count, sizeof *morphs->weights);
    if (arena->failed) {
        return false;
    }
    row = 0;
    for (uint32_t c = 0; c < needs->clipCount; c++) {
        morphs->clipRows[c] = row;
        for (uint32_t r = 0; r < clips[c].count; r++, row++) {
            morphs->phases[row] = clips[c].phases[r];
            for (uint32_t i = 0; i < morphs->count; i++) {
                morphs->weights[(size_t)row * morphs->count + i] = clips[c].weights[(size_t)r * targets + kept[i]];
            }
        }
    }
    morphs->clipRows[needs->clipCount] = row;
    return true;
}

/* temporary: freed by the caller, also on failure. */
static VkskinResult makeMorphs(const CrowdMorphNeeds *needs, Arena *temporary, Arena *arena, CrowdMorphs *morphs) {
    const uint32_t targets = targetsOf(needs);
    ClipRows *clips = sknArenaArray(temporary, needs->clipCount, sizeof *clips);
    float *largest = sknArenaArray(temporary, targets, sizeof *largest);
    uint32_t *kept = sknArenaArray(temporary, targets, sizeof *kept);
    morphs->targets = sknArenaArray(arena, targets, sizeof *morphs->targets);
    morphs->clipRows = sknArenaArray(arena, (size_t)needs->clipCount + 1, sizeof *morphs->clipRows);
    if (temporary->failed || arena->failed) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t c = 0; c < needs->clipCount; c++) {
        if (!sampleClip(needs, c, temporary, &clips[c])) {
            return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
        }
        shortenClip(&clips[c], targets);
    }
    if (!findLargest(clips, needs->clipCount, targets, largest)) {
        return VKSKIN_ERROR_WEIGHT_NOT_FINITE;
    }
    listParts(needs, largest, morphs, kept);
    if (morphs->count > needs->most) {
        return VKSKIN_ERROR_TOO_MANY_MORPHS;
    }
    return morphs->count == 0 || copyRows(needs, clips, kept, arena, morphs) ? VKSKIN_SUCCESS
                                                                             : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
}

VkskinResult sknMakeCrowdMorphs(const Host *host, uint32_t model, const CrowdMorphNeeds *needs, Arena *arena,
                                CrowdMorphs *morphs) {
    *morphs = (CrowdMorphs){.parts = sknArenaArray(arena, needs->partCount, sizeof *morphs->parts)};
    Arena temporary = sknMakeArena(host->allocator);
    VkskinResult result = arena->failed ? VKSKIN_ERROR_OUT_OF_HOST_MEMORY : VKSKIN_SUCCESS;
    if (result >= 0 && targetsOf(needs) > 0) {
        result = makeMorphs(needs, &temporary, arena, morphs);
    }
    sknFreeArena(&temporary);
    if (result == VKSKIN_ERROR_TOO_MANY_MORPHS) {
        return sknReport(&host->logger, result,
                         "vkskinCreateCrowd: model %u: %u morph targets have a weight, more than maxMorphTargets (%u)",
                         model, morphs->count, needs->most);
    }
    return result < 0 ? sknReport(&host->logger, result, "vkskinCreateCrowd: model %u: %s", model,
                                  result == VKSKIN_ERROR_WEIGHT_NOT_FINITE ? "a morph weight of a clip is not finite"
                                                                           : "no memory for morph weights")
                      : result;
}

uint32_t sknCrowdMorphWords(const CrowdMorphs *morphs, uint32_t partCount) {
    uint32_t words = 0;
    for (uint32_t p = 0; p < partCount && morphs->count > 0; p++) {
        words += morphs->parts[p].count > 0 ? (1 + morphs->parts[p].count) * LAYOUT_MORPH_WEIGHT_WORDS : 0;
    }
    return words;
}

/* ---- Bounds ---- */

/*
 * A weight of a pose is a mean of weights of rows, in a fade too. So it is not larger than the largest one of all clips,
 * and a vertex is at most as far from its place at bind as CrowdMorphs.before. The bounds of a pose hold for every point
 * of the box of a node: so also for the vertex where targets moved it to.
 */
VkskinAnimationBox *sknGrowBoxes(Arena *arena, const CrowdMorphs *morphs, const VkskinAnimationBox *boxes,
                                 uint32_t nodeCount, const VkskinAffine *binds, const uint32_t *boneNodes,
                                 uint32_t boneCount) {
    VkskinAnimationBox *grown = sknArenaCopy(arena, boxes, nodeCount, sizeof *grown);
    float *grows = sknArenaArray(arena, 3 * (size_t)nodeCount, sizeof *grows);
    if (arena->failed) {
        return NULL;
    }
    for (uint32_t b = 0; b < boneCount; b++) {
        for (int row = 0; row < 3; row++) {
            float *grow = &grows[3 * (size_t)boneNodes[b] + (size_t)row];
            double maxDelta = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                maxDelta += fabs((double)binds[b].m[row][axis]) * morphs->before[axis];
            }
            *grow = fmaxf(*grow, (float)(maxDelta * 1.00001));
        }
    }
    for (uint32_t n = 0; n < nodeCount; n++) {
        for (int row = 0; row < 3 && boxes[n].high[0] >= boxes[n].low[0]; row++) {
            grown[n].low[row] -= grows[3 * (size_t)n + (size_t)row];
            grown[n].high[row] += grows[3 * (size_t)n + (size_t)row];
        }
    }
    return grown;
}

/* ---- A pose ---- */

/* Two rows of a clip, and the fraction from the first to the second. */
typedef struct MorphRows {
    const float *row, *next;
    float fraction;
} MorphRows;

static MorphRows rowsAt(const uint32_t *tables, const LayoutCrowdMorphs *morphs, uint32_t clip, uint32_t phase) {
    const LayoutCrowdMorphClip *found = (const LayoutCrowdMorphClip *)(tables + morphs->clips) + clip;
    const uint32_t *phases = tables + found->phases;
    uint32_t low = 0;
    uint32_t high = found->rowCount;
    while (high - low > 1) { /* the last row that is not after the phase */
        const uint32_t middle = (low + high) / 2;
        if (phases[middle] <= phase) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const float *rows = (const float *)(const void *)(tables + found->weights);
    const float *row = rows + (size_t)low * morphs->count;
    if (high == found->rowCount) {
        return (MorphRows){row, row, 0.0f};
    }
    return (MorphRows){row, row + morphs->count, (float)(phase - phases[low]) / (float)(phases[high] - phases[low])};
}

static float mix(float a, float b, float weight) {
    return a * (1.0f - weight) + b * weight;
}

static float weightAt(const MorphRows *rows, uint32_t index) {
    return mix(rows->row[index], rows->next[index], rows->fraction);
}

/* The rows of both clips of a pose. */
typedef struct MorphPose {
    MorphRows a, b;
    float weight;
} MorphPose;

static MorphPose poseRows(const uint32_t *tables, const LayoutCrowdMorphs *morphs, const LayoutCrowdPose *pose) {
    MorphPose made = {.a = rowsAt(tables, morphs, pose->clips & 0xffff, pose->phaseA)};
    memcpy(&made.weight, &pose->weight, sizeof made.weight);
    made.b = made.weight > 0.0f ? rowsAt(tables, morphs, pose->clips >> 16, pose->phaseB) : made.a;
    return made;
}

static float poseWeight(const MorphPose *pose, uint32_t index) {
    return mix(weightAt(&pose->a, index), weightAt(&pose->b, index), pose->weight);
}

void sknCrowdMorphWeights(const uint32_t *tables, const LayoutCrowdMorphs *morphs, const CrowdMorphSource *sources,
                          const LayoutCrowdPose *pose, float *weights) {
    const LayoutCrowdMorphPart *parts = (const LayoutCrowdMorphPart *)(tables + morphs->parts);
    const uint32_t *targets = tables + morphs->targets;
    const MorphPose rows = poseRows(tables, morphs, pose);
    for (uint32_t p = 0, first = 0; p < morphs->partCount; weights += sources[p].count, first += parts[p++].count) {
        for (uint32_t i = 0; i < parts[p].count; i++) {
            weights[(targets[first + i] - sources[p].first) / sources[p].step] = poseWeight(&rows, first + i);
        }
    }
}

void sknWriteCrowdMorphs(const uint32_t *tables, const LayoutCrowdMorphs *morphs, const LayoutCrowdPose *pose,
                         uint32_t *words) {
    const LayoutCrowdMorphPart *parts = (const LayoutCrowdMorphPart *)(tables + morphs->parts);
    const uint32_t *targets = tables + morphs->targets;
    const MorphPose rows = poseRows(tables, morphs, pose);
    for (uint32_t p = 0, first = 0; p < morphs->partCount; first += parts[p++].count) {
        LayoutMorphs head = {0, 0};
        LayoutMorphWeight *entries = (LayoutMorphWeight *)(void *)words + 1;
        for (uint32_t i = 0; i < parts[p].count; i++) {
            const float value = poseWeight(&rows, first + i);
            if (value != 0.0f) {
                LayoutMorphWeight *entry = &entries[head.before + head.after];
                entry->morph = targets[first + i];
                memcpy(&entry->weight, &value, sizeof value);
                *(i < parts[p].before ? &head.before : &head.after) += 1;
            }
        }
        if (parts[p].count > 0) {
            memcpy(words, &head, sizeof head);
            words += (1 + (size_t)parts[p].count) * LAYOUT_MORPH_WEIGHT_WORDS;
        }
    }
}
