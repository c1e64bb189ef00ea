/* vkskinCheckAnimation: every offset, count, index and number of a block from any source. */
#include <math.h>

#include "affine.h"
#include "animation.h"
#include "host.h"

/* The block under the check. clip: UINT32_MAX outside of clips. */
typedef struct BlockCheck {
    const void *block;
    uint32_t words;
    uint32_t clip;
    uint64_t listed; /* words of all arrays that the clips up to `clip` list */
    const VkskinLogger *logger;
} BlockCheck;

static VkskinResult damaged(const BlockCheck *check, const char *field) {
    if (check->clip == UINT32_MAX) {
        return sknReport(check->logger, VKSKIN_ERROR_ANIMATION_DATA, "animation: %s is damaged", field);
    }
    return sknReport(check->logger, VKSKIN_ERROR_ANIMATION_DATA, "animation: clip %u: %s is damaged", check->clip,
                     field);
}

/* True if `count` elements of `words` words at an offset are in the block, behind the header. */
static bool isInside(const BlockCheck *check, uint32_t at, uint32_t count, uint32_t words) {
    const uint32_t header = sizeof(VkskinAnimationHeader) / 4;
    return at <= check->words && (count == 0 || (at >= header && (uint64_t)count * words <= check->words - at));
}

/* ---- Header and skeleton ---- */

static VkskinResult checkHeader(const BlockCheck *check, size_t size) {
    const VkskinAnimationHeader *header = check->block;
    const VkskinLogger *logger = check->logger;
    if (size < sizeof *header || header->magic != VKSKIN_ANIMATION_MAGIC) {
        return sknReport(logger, VKSKIN_ERROR_ANIMATION_DATA, "animation: %zu bytes are not an animation set", size);
    }
    if (header->version != VKSKIN_ANIMATION_VERSION) {
        return sknReport(logger, VKSKIN_ERROR_ANIMATION_VERSION, "animation: version %u, this library reads version %u",
                         header->version, VKSKIN_ANIMATION_VERSION);
    }
    if (header->bytes > size) {
        return sknReport(logger, VKSKIN_ERROR_ANIMATION_DATA, "animation: %u bytes, cut off after %zu", header->bytes,
                         size);
    }
    if (header->bytes < sizeof *header || header->bytes % 16 != 0 || header->bytes > VKSKIN_ANIMATION_MAX_BYTES) {
        return damaged(check, "the size");
    }
    if (header->nodeCount == 0 || header->nodeCount > VKSKIN_ANIMATION_MAX_NODES) {
        return damaged(check, "nodeCount");
    }
    if ((uint64_t)header->nodeCount * header->clipCount > VKSKIN_ANIMATION_MAX_NODE_CLIPS) {
        return sknReport(logger, VKSKIN_ERROR_ANIMATION_DATA, "animation: %u nodes x %u clips are more than %u",
                         header->nodeCount, header->clipCount, VKSKIN_ANIMATION_MAX_NODE_CLIPS);
    }
    return VKSKIN_SUCCESS;
}

/* The order has each node once, if each parent in it comes before its children and no node comes twice. */
static VkskinResult checkOrder(const BlockCheck *check) {
    const VkskinAnimationHeader *header = check->block;
    const int32_t *parents = sknBlockAt(check->block, header->parentsAt);
    const uint32_t *order = sknBlockAt(check->block, header->orderAt);
    uint8_t seen[VKSKIN_ANIMATION_MAX_NODES / 8] = {0};
    for (uint32_t i = 0; i < header->nodeCount; ++i) {
        const uint32_t node = order[i];
        if (node >= header->nodeCount || (seen[node / 8] >> node % 8 & 1) != 0) {
            return damaged(check, "the order of the nodes");
        }
        const int32_t parent = parents[node];
        const bool root = parent == -1;
        if (!root && (parent < 0 || (uint32_t)parent >= header->nodeCount ||
                      (seen[(uint32_t)parent / 8] >> (uint32_t)parent % 8 & 1) == 0)) {
            return damaged(check, "a parent");
        }
        seen[node / 8] |= (uint8_t)(1u << node % 8);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkSkeleton(const BlockCheck *check) {
    const VkskinAnimationHeader *header = check->block;
    const uint32_t nodes = header->nodeCount;
    if (!isInside(check, header->parentsAt, nodes, 1) || !isInside(check, header->orderAt, nodes, 1) ||
        !isInside(check, header->restAt, nodes, sizeof(VkskinTransform) / 4) ||
        (header->preAt != 0 && !isInside(check, header->preAt, nodes, sizeof(VkskinAffine) / 4)) ||
        !isInside(check, header->clipsAt, header->clipCount, sizeof(VkskinAnimationClip) / 4) ||
        !isInside(check, header->heldAt, header->heldCount, 4)) {
        return damaged(check, "an offset of the header");
    }
    if (!sknAreFinite(sknBlockAt(check->block, header->restAt), (size_t)nodes * sizeof(VkskinTransform) / 4) ||
        (header->preAt != 0 &&
         !sknAreFinite(sknBlockAt(check->block, header->preAt), (size_t)nodes * sizeof(VkskinAffine) / 4))) {
        return damaged(check, "the rest pose");
    }
    if (!sknAreFinite(sknBlockAt(check->block, header->heldAt), (size_t)header->heldCount * 4)) {
        return damaged(check, "a held value");
    }
    return checkOrder(check);
}

/* ---- Clips ---- */

static VkskinResult checkTimes(const BlockCheck *check, const VkskinAnimationClip *clip) {
    const float *times = sknBlockAt(check->block, clip->timesAt);
    bool good = times[0] == 0.0f;
    for (uint32_t i = 1; i < clip->keyCount; ++i) {
        good = good && isfinite(times[i]) && times[i] >= times[i - 1];
    }
    return good ? VKSKIN_SUCCESS : damaged(check, "a key time");
}

static VkskinResult checkRows(const BlockCheck *check, const VkskinAnimationClip *clip) {
    const uint64_t end = clip->keysAt + (uint64_t)clip->keyCount * clip->stride + BLOCK_PAD_WORDS;
    if (!(clip->duration >= 0.0f) || !isfinite(clip->duration)) {
        return damaged(check, "duration");
    }
    if (clip->keyCount == 0 || (clip->stride == 0 && clip->keyCount > 1) || !isInside(check, clip->keysAt, 1, 1) ||
        end > check->words) {
        return damaged(check, "keysAt, keyCount or stride");
    }
    if (clip->timesAt != 0 && !isInside(check, clip->timesAt, clip->keyCount, 1)) {
        return damaged(check, "timesAt");
    }
    return clip->timesAt != 0 ? checkTimes(check, clip) : VKSKIN_SUCCESS;
}

/* Clips that share arrays would take more time than their bytes: what they list must not exceed the block. */
static VkskinResult checkShares(BlockCheck *check, const VkskinAnimationClip *clip) {
    const uint64_t rowWords = (uint64_t)clip->stride + (clip->timesAt != 0);
    check->listed += clip->keyCount * rowWords + (uint64_t)clip->rotationCount * sizeof(VkskinAnimationRotation) / 4 +
                     (uint64_t)clip->vectorCount * sizeof(VkskinAnimationVector) / 4 +
                     (uint64_t)clip->holdCount * sizeof(VkskinAnimationHold) / 4;
    if (check->listed <= check->words) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(check->logger, VKSKIN_ERROR_ANIMATION_DATA,
                     "animation: clip %u: the arrays of clips overlap: %llu words up to here, the block has %u",
                     check->clip, (unsigned long long)check->listed, check->words);
}

/* Ascending targets, with a node of the skeleton. */
static bool isNext(const BlockCheck *check, uint32_t target, int64_t *last) {
    const uint32_t channel = target >> 16;
    const int64_t rank = (int64_t)sknTargetNode(target) * 4 + channel;
    const bool next = sknTargetNode(target) < sknBlockHeader(check->block)->nodeCount &&
                      channel <= VKSKIN_CHANNEL_SCALE && rank > *last;
    *last = rank;
    return next;
}

static bool isPlaced(const VkskinAnimationClip *clip, const TrackNumbers *numbers) {
    const uint32_t shift = numbers->first % 32;
    return numbers->end <= (uint64_t)clip->stride * 32 && shift + (numbers->end - numbers->first) <= BLOCK_LOAD_BITS &&
           (numbers->bits != BLOCK_FLOAT_BITS || shift == 0);
}

static bool hasWidth(uint32_t place) {
    const uint32_t bits = place & 63;
    return (bits >= BLOCK_LEAST_BITS && bits <= BLOCK_MOST_BITS) || bits == BLOCK_FLOAT_BITS;
}

/* Tracks that share bits of a row would take more time than their bytes. */
static VkskinResult checkBits(const BlockCheck *check, const VkskinAnimationClip *clip) {
    const VkskinAnimationRotation *rotations = sknBlockAt(check->block, clip->rotationsAt);
    const VkskinAnimationVector *vectors = sknBlockAt(check->block, clip->vectorsAt);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < clip->rotationCount; ++i) {
        const TrackNumbers numbers = sknRotationNumbers(&rotations[i]);
        bits += numbers.end - numbers.first;
    }
    for (uint32_t i = 0; i < clip->vectorCount; ++i) {
        const TrackNumbers numbers = sknVectorNumbers(&vectors[i]);
        bits += numbers.end - numbers.first;
    }
    if (bits <= (uint64_t)clip->stride * 32) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(check->logger, VKSKIN_ERROR_ANIMATION_DATA,
                     "animation: clip %u: tracks overlap: they have %llu bits, a row has %u words", check->clip,
                     (unsigned long long)bits, clip->stride);
}

static VkskinResult checkRotations(const BlockCheck *check, const VkskinAnimationClip *clip) {
    const VkskinAnimationRotation *rotations = sknBlockAt(check->block, clip->rotationsAt);
    int64_t last = -1;
    for (uint32_t i = 0; i < clip->rotationCount; ++i) {
        const VkskinAnimationRotation *one = &rotations[i];
        if (!isNext(check, one->target & ~VKSKIN_ANIMATION_FOUR, &last) ||
            sknTargetChannel(one->target) != VKSKIN_CHANNEL_ROTATION) {
            return damaged(check, "the target of a rotation");
        }
        if (!hasWidth(one->place)) {
            return damaged(check, "the bits of a rotation");
        }
        const TrackNumbers numbers = sknRotationNumbers(one);
        if (!isPlaced(clip, &numbers)) {
            return damaged(check, "the place of a rotation");
        }
        if (one->base[0] == 0 && one->base[1] == 0 && one->base[2] == 0 && one->base[3] == 0) {
            return damaged(check, "the base of a rotation");
        }
    }
    return VKSKIN_SUCCESS;
}

static bool hasRange(const VkskinAnimationVector *vector) {
    const bool floats = (vector->place & 63) == BLOCK_FLOAT_BITS;
    bool good = sknAreFinite(vector->centre, 3) && sknAreFinite(vector->extent, 3);
    for (int i = 0; i < 3; ++i) {
        good = good && vector->extent[i] >= 0.0f && (!floats || vector->centre[i] == 0.0f);
    }
    return good;
}

static VkskinResult checkVectors(const BlockCheck *check, const VkskinAnimationClip *clip) {
    const VkskinAnimationVector *vectors = sknBlockAt(check->block, clip->vectorsAt);
    int64_t last = -1;
    for (uint32_t i = 0; i < clip->vectorCount; ++i) {
        const VkskinAnimationVector *one = &vectors[i];
        const VkskinChannel channel = sknTargetChannel(one->target);
        if (!isNext(check, one->target, &last) || channel == VKSKIN_CHANNEL_ROTATION) {
            return damaged(check, "the target of a vector");
        }
        if (!hasWidth(one->place)) {
            return damaged(check, "the bits of a vector");
        }
        const TrackNumbers numbers = sknVectorNumbers(one);
        if (!isPlaced(clip, &numbers)) {
            return damaged(check, "the place of a vector");
        }
        if (!hasRange(one)) {
            return damaged(check, "the range of a vector");
        }
    }
    return VKSKIN_SUCCESS;
}

/* Keys of few bits are always finite, floats may not be. */
static VkskinResult checkFloats(const BlockCheck *check, const VkskinAnimationClip *clip, const TrackNumbers *numbers) {
    const uint32_t *row = sknBlockAt(check->block, clip->keysAt);
    for (uint32_t key = 0; key < clip->keyCount; ++key, row += clip->stride) {
        for (int i = 0; i < 4; ++i) {
            if (numbers->present[i] && !isfinite(sknReadNumber(row, numbers->start[i], BLOCK_FLOAT_BITS))) {
                return damaged(check, "a key");
            }
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkKeys(const BlockCheck *check, const VkskinAnimationClip *clip) {
    const VkskinAnimationRotation *rotations = sknBlockAt(check->block, clip->rotationsAt);
    const VkskinAnimationVector *vectors = sknBlockAt(check->block, clip->vectorsAt);
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result == VKSKIN_SUCCESS && i < clip->rotationCount; ++i) {
        const TrackNumbers numbers = sknRotationNumbers(&rotations[i]);
        result = numbers.bits == BLOCK_FLOAT_BITS ? checkFloats(check, clip, &numbers) : VKSKIN_SUCCESS;
    }
    for (uint32_t i = 0; result == VKSKIN_SUCCESS && i < clip->vectorCount; ++i) {
        const TrackNumbers numbers = sknVectorNumbers(&vectors[i]);
        result = numbers.bits == BLOCK_FLOAT_BITS ? checkFloats(check, clip, &numbers) : VKSKIN_SUCCESS;
    }
    return result;
}

/* Held channels ascend and are none of the tracks: both lists are sorted. */
static VkskinResult checkHolds(const BlockCheck *check, const VkskinAnimationClip *clip) {
    const VkskinAnimationHold *holds = sknBlockAt(check->block, clip->holdsAt);
    const VkskinAnimationRotation *rotations = sknBlockAt(check->block, clip->rotationsAt);
    const VkskinAnimationVector *vectors = sknBlockAt(check->block, clip->vectorsAt);
    uint32_t rotation = 0;
    uint32_t vector = 0;
    int64_t last = -1;
    for (uint32_t i = 0; i < clip->holdCount; ++i) {
        const uint32_t target = holds[i].target;
        if ((target & VKSKIN_ANIMATION_FOUR) != 0 || !isNext(check, target, &last)) {
            return damaged(check, "the target of a held channel");
        }
        if (holds[i].value >= sknBlockHeader(check->block)->heldCount) {
            return damaged(check, "the value of a held channel");
        }
        while (rotation < clip->rotationCount && sknTargetNode(rotations[rotation].target) < sknTargetNode(target)) {
            ++rotation;
        }
        while (vector < clip->vectorCount &&
               (int64_t)sknTargetNode(vectors[vector].target) * 4 + sknTargetChannel(vectors[vector].target) < last) {
            ++vector;
        }
        if ((rotation < clip->rotationCount && (rotations[rotation].target & ~VKSKIN_ANIMATION_FOUR) == target) ||
            (vector < clip->vectorCount && vectors[vector].target == target)) {
            return damaged(check, "the target of a held channel");
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkClip(BlockCheck *check, const VkskinAnimationClip *clip) {
    if (!isInside(check, clip->rotationsAt, clip->rotationCount, sizeof(VkskinAnimationRotation) / 4) ||
        !isInside(check, clip->vectorsAt, clip->vectorCount, sizeof(VkskinAnimationVector) / 4) ||
        !isInside(check, clip->holdsAt, clip->holdCount, sizeof(VkskinAnimationHold) / 4)) {
        return damaged(check, "an offset");
    }
    VkskinResult (*const parts[])(const BlockCheck *, const VkskinAnimationClip *) = {
        checkRotations, checkVectors, checkBits, checkKeys, checkHolds,
    };
    VkskinResult result = checkRows(check, clip);
    if (result == VKSKIN_SUCCESS) {
        result = checkShares(check, clip);
    }
    for (size_t i = 0; result == VKSKIN_SUCCESS && i < SKN_COUNT(parts); ++i) {
        result = parts[i](check, clip);
    }
    return result;
}

VkskinResult vkskinCheckAnimation(const void *block, size_t size, const VkskinLogger *logger) {
    if (block == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    BlockCheck check = {.block = block, .clip = UINT32_MAX, .logger = logger};
    VkskinResult result = checkHeader(&check, size);
    if (result == VKSKIN_SUCCESS) {
        check.words = sknBlockHeader(block)->bytes / 4;
        result = checkSkeleton(&check);
    }
    for (uint32_t clip = 0; result == VKSKIN_SUCCESS && clip < sknBlockHeader(block)->clipCount; ++clip) {
        check.clip = clip;
        result = checkClip(&check, sknBlockClip(block, clip));
    }
    return result;
}
