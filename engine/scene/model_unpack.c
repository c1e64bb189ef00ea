#include "model_unpack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_pack.h"

#define ROWS_X_NODES_MAX ((uint64_t)1 << 27) /* maximum rows x nodes of a clip: a few seconds of work */

/* A moment of the block that becomes a key of every moving track. */
typedef struct Moment {
    float time;
    bool beforeJump; /* the value just before the time, which has another key for the value after it */
} Moment;

/* A clip while it is unpacked. */
typedef struct Work {
    const void *block;
    uint32_t index, nodeCount;
    const VkskinAnimationClip *packed;
    const VkskinAnimationRotation *rotations;
    const VkskinAnimationVector *vectors;
    const VkskinAnimationHold *holds;
    Moment *moments; /* [momentCount], with room for MODEL_UNPACK_PIECES for each row */
    size_t momentCount;
    VkskinTransform *poses[3]; /* [nodeCount]: before, between, after */
    uint64_t *left;
    EngineError *error;
} Work;

static const void *wordAt(const void *block, uint32_t at) {
    return (const uint32_t *)block + at;
}

static void sample(const Work *work, double time, VkskinTransform *pose) {
    (void)vkskinSampleAnimation(work->block, work->index, time, VKSKIN_WRAP_CLAMP, pose); /* all values are checked */
}

/* ---- Moments ---- */

static float rowTime(const Work *work, uint32_t row) {
    return modelPackRowTime(work->block, work->packed, row);
}

static double angleBetween(const float a[4], const float b[4]) {
    double dot = 0.0, difference = 0.0;
    for (int i = 0; i < 4; i++) {
        dot += (double)a[i] * b[i];
    }
    for (int i = 0; i < 4; i++) {
        const double d = a[i] - (dot < 0.0 ? -1.0 : 1.0) * b[i];
        difference += d * d;
    }
    return 2.0 * sqrt(difference); /* angle between unit quaternions, if it is small */
}

/* How far the middle of a straight line between two rotations is from `middle`. */
static double bend(const float a[4], const float middle[4], const float b[4]) {
    double dot = 0.0, squares = 0.0;
    float mean[4];
    for (int i = 0; i < 4; i++) {
        dot += (double)a[i] * b[i];
    }
    for (int i = 0; i < 4; i++) {
        mean[i] = a[i] + (dot < 0.0 ? -b[i] : b[i]);
        squares += (double)mean[i] * mean[i];
    }
    for (int i = 0; i < 4; i++) {
        mean[i] = (float)(mean[i] / sqrt(squares));
    }
    return squares > 0.0 ? angleBetween(mean, middle) : 0.0;
}

/* The keys that replace one between two times: their distance to the block falls with the square of their number. */
static uint32_t piecesBetween(const Work *work, float begin, float end) {
    double farthest = 0.0;
    sample(work, begin, work->poses[0]);
    sample(work, 0.5 * ((double)begin + end), work->poses[1]);
    sample(work, nextafter((double)end, -(double)INFINITY), work->poses[2]);
    for (uint32_t i = 0; i < work->packed->rotationCount; i++) {
        const uint32_t node = work->rotations[i].target & 0xffffu;
        farthest = fmax(farthest, bend(work->poses[0][node].rotation, work->poses[1][node].rotation,
                                       work->poses[2][node].rotation));
    }
    uint32_t pieces = 1;
    while (pieces < MODEL_UNPACK_PIECES && farthest > (double)MODEL_UNPACK_TURN * pieces * pieces) {
        pieces *= 2;
    }
    return pieces;
}

static void findMoments(Work *work) {
    const uint32_t rows = work->packed->keyCount;
    for (uint32_t row = 0; row < rows; row++) {
        const float time = rowTime(work, row), next = row + 1 < rows ? rowTime(work, row + 1) : time;
        const bool jumps = row + 1 < rows && next <= time;
        work->moments[work->momentCount++] = (Moment){time, jumps};
        const uint32_t pieces = row + 1 < rows && !jumps ? piecesBetween(work, time, next) : 1;
        for (uint32_t i = 1; i < pieces; i++) {
            work->moments[work->momentCount++] = (Moment){time + (next - time) * (float)i / (float)pieces, false};
        }
    }
}

/* ---- Tracks ---- */

/* Room for a track; null: out of memory, or more than the limit. */
static VkskinTrack *addTrack(Work *work, ModelClip *clip, uint32_t target, size_t keys) {
    const VkskinChannel channel = (VkskinChannel)(target >> 16 & 3u);
    const size_t width = channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    const uint64_t bytes = keys * (width + 1) * sizeof(float);
    if (bytes > *work->left) {
        engineFail(work->error, "the clips need too much memory");
        return NULL;
    }
    VkskinTrack *track = &clip->tracks[clip->trackCount];
    *track = (VkskinTrack){.node = target & 0xffffu,
                           .channel = channel,
                           .interpolation = VKSKIN_INTERPOLATION_LINEAR,
                           .keyCount = (uint32_t)keys,
                           .times = engineAllocate(keys, sizeof(float), work->error),
                           .values = engineAllocate(keys * width, sizeof(float), work->error)};
    clip->trackCount++;
    *work->left -= bytes;
    return track->times && track->values ? track : NULL;
}

static void setKey(VkskinTrack *track, size_t key, float time, const VkskinTransform *pose) {
    const VkskinTransform *node = &pose[track->node];
    const bool turns = track->channel == VKSKIN_CHANNEL_ROTATION;
    const float *value = turns                                          ? node->rotation
                         : track->channel == VKSKIN_CHANNEL_TRANSLATION ? node->translation
                                                                        : node->scale;
    const size_t width = turns ? 4 : 3;
    ((float *)track->times)[key] = time; /* the clip owns them */
    memcpy((float *)track->values + key * width, value, width * sizeof(float));
}

static bool addTracks(Work *work, ModelClip *clip) {
    bool good = true;
    for (uint32_t i = 0; i < work->packed->rotationCount && good; i++) {
        good = addTrack(work, clip, work->rotations[i].target & ~VKSKIN_ANIMATION_FOUR, work->momentCount);
    }
    for (uint32_t i = 0; i < work->packed->vectorCount && good; i++) {
        good = addTrack(work, clip, work->vectors[i].target, work->momentCount);
    }
    for (uint32_t i = 0; i < work->packed->holdCount && good; i++) {
        good = addTrack(work, clip, work->holds[i].target, 1);
    }
    return good;
}

/* first: the first track that was added. */
static void fillTracks(const Work *work, ModelClip *clip, uint32_t first) {
    for (size_t k = 0; k < work->momentCount; k++) {
        const Moment *moment = &work->moments[k];
        const double time = moment->time;
        sample(work, moment->beforeJump ? nextafter(time, -(double)INFINITY) : time, work->poses[0]);
        for (uint32_t t = first; t < clip->trackCount; t++) {
            if (k < clip->tracks[t].keyCount) {
                setKey(&clip->tracks[t], k, moment->time, work->poses[0]);
            }
        }
    }
}

/* Makes room for `more` tracks behind those that the clip has. */
static bool growTracks(ModelClip *clip, size_t more, EngineError *error) {
    VkskinTrack *tracks = realloc(clip->tracks, (clip->trackCount + more + 1) * sizeof *tracks);
    if (!tracks) {
        return engineFail(error, "out of memory");
    }
    clip->tracks = tracks;
    return true;
}

bool modelUnpackClip(const void *block, uint32_t index, ModelClip *clip, uint64_t *left, EngineError *error) {
    const VkskinAnimationHeader *header = block;
    const VkskinAnimationClip *packed = modelPackedClip(block, index);
    VkskinAnimationClip still = *packed;
    still.keyCount = packed->stride > 0 ? packed->keyCount : 1; /* nothing moves: all rows are empty */
    Work work = {.block = block,
                 .index = index,
                 .nodeCount = header->nodeCount,
                 .packed = &still,
                 .rotations = wordAt(block, packed->rotationsAt),
                 .vectors = wordAt(block, packed->vectorsAt),
                 .holds = wordAt(block, packed->holdsAt),
                 .left = left,
                 .error = error};
    const uint32_t first = clip->trackCount;
    if ((uint64_t)still.keyCount * header->nodeCount > ROWS_X_NODES_MAX ||
        (uint64_t)still.keyCount * MODEL_UNPACK_PIECES * sizeof *work.moments > *left) {
        return engineFail(error, "clip %u has too many keys", index);
    }
    bool good = growTracks(clip, (size_t)packed->rotationCount + packed->vectorCount + packed->holdCount, error);
    work.moments =
        good ? engineAllocate((size_t)still.keyCount * MODEL_UNPACK_PIECES, sizeof *work.moments, error) : NULL;
    good = work.moments != NULL;
    for (int i = 0; i < 3 && good; i++) {
        work.poses[i] = engineAllocate(header->nodeCount, sizeof(VkskinTransform), error);
        good = work.poses[i] != NULL;
    }
    if (good) {
        findMoments(&work);
        good = addTracks(&work, clip);
    }
    if (good) {
        fillTracks(&work, clip, first);
    }
    for (int i = 0; i < 3; i++) {
        free(work.poses[i]);
    }
    free(work.moments);
    return good;
}

bool modelUnpack(Model *model, EngineError *error) {
    uint64_t left = MODEL_UNPACK_BYTES;
    for (uint32_t i = 0; model->packed.block && i < model->clipCount; i++) {
        if (!modelUnpackClip(model->packed.block, i, &model->clips[i], &left, error)) {
            return false;
        }
    }
    modelDropPacked(model);
    return true;
}
