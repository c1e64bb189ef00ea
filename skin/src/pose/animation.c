#include "animation.h"

#include <math.h>

#include "clip.h"
#include "skeleton.h"

/* ---- Rows ---- */

static RowPlace findUniform(const VkskinAnimationClip *clip, double seconds) {
    const uint32_t last = clip->keyCount - 2;
    const double at = clip->duration > 0.0f ? seconds / clip->duration * (clip->keyCount - 1) : 0.0;
    const uint32_t row = at < last ? (uint32_t)at : last;
    return (RowPlace){row, (float)fmin(at - row, 1.0)};
}

RowPlace sknFindRow(const void *block, const VkskinAnimationClip *clip, double seconds) {
    if (clip->keyCount < 2) {
        return (RowPlace){0};
    }
    if (clip->timesAt == 0) {
        return findUniform(clip, seconds);
    }
    /* The last of the first keyCount - 1 rows that is not after the time, without a branch. The first is at 0. */
    const float *times = sknBlockAt(block, clip->timesAt);
    const float rounded = (float)seconds;
    uint32_t row = 0;
    for (uint32_t left = clip->keyCount - 1; left > 1;) {
        const uint32_t half = left / 2;
        row += times[row + half] <= rounded ? half : 0;
        left -= half;
    }
    while (times[row] > seconds && row > 0) { /* rounded up */
        row--;
    }
    const double span = (double)times[row + 1] - times[row];
    const double since = seconds - times[row];
    if (span > 0.0) {
        return (RowPlace){row, (float)fmin(since / span, 1.0)};
    }
    return (RowPlace){row, since >= 0.0 ? 1.0f : 0.0f};
}

/* ---- Numbers ---- */

static void placeNumbers(TrackNumbers *numbers, uint32_t place, uint32_t count, const float *extent) {
    numbers->bits = place & 63;
    numbers->first = numbers->end = place >> 6;
    const bool floats = numbers->bits == BLOCK_FLOAT_BITS;
    numbers->bias = floats ? 0.0f : (float)((1u << (numbers->bits - 1)) - 1);
    for (uint32_t i = 0; i < 4; ++i) {
        numbers->present[i] = i < count && (floats || extent[i] > 0.0f);
        numbers->start[i] = numbers->end;
        if (numbers->present[i]) {
            numbers->step[i] = floats ? 1.0f : extent[i] / numbers->bias;
            numbers->end += numbers->bits;
        }
    }
}

TrackNumbers sknRotationNumbers(const VkskinAnimationRotation *rotation) {
    TrackNumbers numbers = {0};
    float extent[4];
    for (int i = 0; i < 4; ++i) {
        extent[i] = (float)rotation->extent[i] / 65535.0f;
    }
    placeNumbers(&numbers, rotation->place, (rotation->target & VKSKIN_ANIMATION_FOUR) != 0 ? 4 : 3, extent);
    return numbers;
}

TrackNumbers sknVectorNumbers(const VkskinAnimationVector *vector) {
    TrackNumbers numbers = {.centre = {vector->centre[0], vector->centre[1], vector->centre[2]}};
    placeNumbers(&numbers, vector->place, 3, vector->extent);
    return numbers;
}

void sknRotationBase(const VkskinAnimationRotation *rotation, float base[4]) {
    for (int i = 0; i < 4; ++i) {
        base[i] = (float)rotation->base[i];
    }
    sknQuaternionNormalise(base);
}

void sknMixRows(const TrackNumbers *numbers, const uint32_t *row, const uint32_t *next, float fraction,
                float mixed[4]) {
    for (int i = 0; i < 4; ++i) {
        mixed[i] = numbers->centre[i];
        if (numbers->present[i]) {
            const float a = sknReadNumber(row, numbers->start[i], numbers->bits);
            const float b = sknReadNumber(next, numbers->start[i], numbers->bits);
            mixed[i] += (a - numbers->bias + fraction * (b - a)) * numbers->step[i];
        }
    }
}

void sknFinishRotation(const float base[4], bool four, const float numbers[4], float rotation[4]) {
    float q[4] = {numbers[0], numbers[1], numbers[2], numbers[3]};
    if (four) {
        sknQuaternionNormalise(q);
    } else {
        q[3] = sqrtf(fmaxf(0.0f, 1.0f - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2])));
    }
    rotation[0] = base[3] * q[0] + base[0] * q[3] + base[1] * q[2] - base[2] * q[1];
    rotation[1] = base[3] * q[1] + base[1] * q[3] + base[2] * q[0] - base[0] * q[2];
    rotation[2] = base[3] * q[2] + base[2] * q[3] + base[0] * q[1] - base[1] * q[0];
    rotation[3] = base[3] * q[3] - base[0] * q[0] - base[1] * q[1] - base[2] * q[2];
}

/* ---- Poses ---- */

static void setVector(VkskinTransform *transform, VkskinChannel channel, const float value[4]) {
    memcpy(channel == VKSKIN_CHANNEL_SCALE ? transform->scale : transform->translation, value, 3 * sizeof *value);
}

/* Applies a clip to a pose that is at rest. */
static void sampleBlock(const void *block, const VkskinAnimationClip *clip, RowPlace place, VkskinTransform *pose) {
    const uint32_t *row = (const uint32_t *)sknBlockAt(block, clip->keysAt) + (size_t)place.row * clip->stride;
    const uint32_t *next = row + sknRowStep(clip);
    const VkskinAnimationHold *holds = sknBlockAt(block, clip->holdsAt);
    const VkskinAnimationRotation *rotations = sknBlockAt(block, clip->rotationsAt);
    const VkskinAnimationVector *vectors = sknBlockAt(block, clip->vectorsAt);
    float mixed[4];
    for (uint32_t i = 0; i < clip->holdCount; ++i) {
        VkskinTransform *transform = &pose[sknTargetNode(holds[i].target)];
        const float *value = sknHeldValue(block, holds[i].value);
        if (sknTargetChannel(holds[i].target) == VKSKIN_CHANNEL_ROTATION) {
            memcpy(transform->rotation, value, sizeof transform->rotation);
        } else {
            setVector(transform, sknTargetChannel(holds[i].target), value);
        }
    }
    for (uint32_t i = 0; i < clip->rotationCount; ++i) {
        const TrackNumbers numbers = sknRotationNumbers(&rotations[i]);
        float base[4];
        sknRotationBase(&rotations[i], base);
        sknMixRows(&numbers, row, next, place.fraction, mixed);
        sknFinishRotation(base, (rotations[i].target & VKSKIN_ANIMATION_FOUR) != 0, mixed,
                          pose[sknTargetNode(rotations[i].target)].rotation);
    }
    for (uint32_t i = 0; i < clip->vectorCount; ++i) {
        const TrackNumbers numbers = sknVectorNumbers(&vectors[i]);
        sknMixRows(&numbers, row, next, place.fraction, mixed);
        setVector(&pose[sknTargetNode(vectors[i].target)], sknTargetChannel(vectors[i].target), mixed);
    }
}

VkskinResult vkskinSampleAnimation(const void *block, uint32_t clip, double time, VkskinWrap wrap,
                                   VkskinTransform *pose) {
    if (block == NULL || pose == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const VkskinAnimationHeader *header = sknBlockHeader(block);
    if ((clip >= header->clipCount && clip != VKSKIN_REST_POSE) || !isfinite(time) ||
        (uint32_t)wrap > VKSKIN_WRAP_LOOP) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    memcpy(pose, sknBlockAt(block, header->restAt), header->nodeCount * sizeof *pose);
    if (clip != VKSKIN_REST_POSE) {
        const VkskinAnimationClip *source = sknBlockClip(block, clip);
        const double seconds = source->duration > 0.0f ? sknClipTime(source->duration, time, wrap) : 0.0;
        sampleBlock(block, source, sknFindRow(block, source, seconds), pose);
    }
    return VKSKIN_SUCCESS;
}

/* ---- The skeleton and the clips ---- */

VkskinResult vkskinCreateAnimationSkeleton(const void *block, const VkskinLogger *logger,
                                           const VkskinHostAllocator *allocator, VkskinSkeleton *skeleton) {
    if (skeleton != NULL) {
        *skeleton = NULL;
    }
    if (block == NULL || skeleton == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    const VkskinAnimationHeader *header = sknBlockHeader(block);
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = header->nodeCount;
    def.parents = sknBlockAt(block, header->parentsAt);
    def.restPose = sknBlockAt(block, header->restAt);
    def.preTransforms = header->preAt != 0 ? sknBlockAt(block, header->preAt) : NULL;
    def.logger = logger != NULL ? *logger : (VkskinLogger){0};
    def.allocator = allocator;
    return vkskinCreateSkeleton(&def, skeleton);
}

uint32_t vkskinGetAnimationClipCount(const void *block) {
    return block != NULL ? sknBlockHeader(block)->clipCount : 0;
}

float vkskinGetAnimationDuration(const void *block, uint32_t clip) {
    return clip < vkskinGetAnimationClipCount(block) ? sknBlockClip(block, clip)->duration : 0.0f;
}
