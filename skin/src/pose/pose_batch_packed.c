/* The tables of a pose batch that reads a packed animation set. */
#include "host.h"
#include "pose_batch.h"

#define NO_BYTE 0x80u

/* The track of a channel, or BATCH_NO_TRACK if no bone needs its node. */
static uint32_t *trackOf(VkskinPoseBatch batch, const uint32_t *kept, uint32_t target) {
    const uint32_t node = kept[sknTargetNode(target)];
    return node != UINT32_MAX ? &batch->nodes[node].tracks[sknTargetChannel(target)] : NULL;
}

/* Calls `visit` with the target of each channel that a clip sets. Held channels come first. */
static void visitTargets(VkskinPoseBatch batch, const VkskinAnimationClip *clip, const uint32_t *kept,
                         void (*visit)(VkskinPoseBatch batch, const uint32_t *kept, uint32_t target)) {
    const VkskinAnimationHold *holds = sknBlockAt(batch->block, clip->holdsAt);
    const VkskinAnimationRotation *rotations = sknBlockAt(batch->block, clip->rotationsAt);
    const VkskinAnimationVector *vectors = sknBlockAt(batch->block, clip->vectorsAt);
    for (uint32_t i = 0; i < clip->holdCount; ++i) {
        visit(batch, kept, holds[i].target);
    }
    for (uint32_t i = 0; i < clip->rotationCount; ++i) {
        visit(batch, kept, rotations[i].target);
    }
    for (uint32_t i = 0; i < clip->vectorCount; ++i) {
        visit(batch, kept, vectors[i].target);
    }
}

static void markTrack(VkskinPoseBatch batch, const uint32_t *kept, uint32_t target) {
    uint32_t *track = trackOf(batch, kept, target);
    if (track != NULL) {
        BatchNode *node = &batch->nodes[kept[sknTargetNode(target)]];
        *track = 0;
        node->moves = true;
        node->scales |= sknTargetChannel(target) == VKSKIN_CHANNEL_SCALE;
    }
}

/* Marks every channel that some clip sets. */
static void markTracks(VkskinPoseBatch batch, const uint32_t *kept) {
    for (uint32_t clip = 0; clip < batch->clipCount; ++clip) {
        visitTargets(batch, sknBlockClip(batch->block, clip), kept, markTrack);
    }
}

static void setHeld(BatchNumbers *track, const float *value, uint32_t width) {
    *track = (BatchNumbers){.form = BATCH_HELD};
    memcpy(track->centre, value, width * sizeof *value);
}

/* All tracks at rest. */
static void setRest(VkskinPoseBatch batch, VkskinSkeleton skeleton, const uint32_t *kept, BatchPacked *packed) {
    for (uint32_t node = 0; node < skeleton->nodeCount; ++node) {
        const VkskinTransform *rest = &skeleton->restPose[node];
        const float *values[BATCH_CHANNELS] = {rest->translation, rest->rotation, rest->scale};
        for (uint32_t channel = 0; kept[node] != UINT32_MAX && channel < BATCH_CHANNELS; ++channel) {
            const uint32_t track = batch->nodes[kept[node]].tracks[channel];
            if (track != BATCH_NO_TRACK) {
                setHeld(&packed->tracks[track], values[channel], channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3);
            }
            if (track != BATCH_NO_TRACK && channel == VKSKIN_CHANNEL_ROTATION) {
                sknQuaternionNormalise(packed->tracks[track].centre);
            }
        }
    }
}

/* A number starts at most 7 bits into its first byte and has at most 24 bits: four bytes hold it. */
static void setNumbers(const TrackNumbers *source, BatchNumbers *track) {
    *track = (BatchNumbers){.word = source->first / 32, .floats = source->bits == BLOCK_FLOAT_BITS};
    track->bits = source->end - track->word * 32;
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t bit = source->start[i] - track->word * 32;
        track->shifts[i] = source->present[i] ? bit % 8 : 0;
        track->masks[i] = source->present[i] ? UINT32_MAX >> (32 - source->bits) : 0;
        track->bias[i] = source->bias;
        track->step[i] = source->step[i];
        track->centre[i] = source->centre[i];
        for (uint32_t byte = 0; byte < 4; ++byte) {
            const uint32_t from = bit / 8 + byte;
            track->bytes[4 * i + byte] = (uint8_t)(source->present[i] && from < 16 ? from : NO_BYTE);
        }
    }
}

static void setTracks(VkskinPoseBatch batch, const VkskinAnimationClip *clip, const uint32_t *kept,
                      BatchPacked *packed) {
    const VkskinAnimationHold *holds = sknBlockAt(batch->block, clip->holdsAt);
    const VkskinAnimationRotation *rotations = sknBlockAt(batch->block, clip->rotationsAt);
    const VkskinAnimationVector *vectors = sknBlockAt(batch->block, clip->vectorsAt);
    for (uint32_t i = 0; i < clip->holdCount; ++i) {
        const uint32_t *track = trackOf(batch, kept, holds[i].target);
        if (track != NULL) {
            setHeld(&packed->tracks[*track], sknHeldValue(batch->block, holds[i].value), 4);
        }
    }
    for (uint32_t i = 0; i < clip->rotationCount; ++i) {
        const uint32_t *track = trackOf(batch, kept, rotations[i].target);
        if (track != NULL) {
            const TrackNumbers numbers = sknRotationNumbers(&rotations[i]);
            setNumbers(&numbers, &packed->tracks[*track]);
            sknRotationBase(&rotations[i], packed->tracks[*track].base);
            packed->tracks[*track].form = (rotations[i].target & VKSKIN_ANIMATION_FOUR) != 0 ? BATCH_FOUR : BATCH_THREE;
        }
    }
    for (uint32_t i = 0; i < clip->vectorCount; ++i) {
        const uint32_t *track = trackOf(batch, kept, vectors[i].target);
        if (track != NULL) {
            const TrackNumbers numbers = sknVectorNumbers(&vectors[i]);
            setNumbers(&numbers, &packed->tracks[*track]);
            packed->tracks[*track].form = BATCH_VECTOR;
        }
    }
}

/* Reads a track from the load of the one before it, if it lies within. */
static void shareLoad(const BatchNumbers *before, BatchNumbers *track) {
    const uint32_t words = track->word - before->word;
    if (before->form == BATCH_HELD || before->floats || track->floats || words * 32 + track->bits > BLOCK_LOAD_BITS) {
        return;
    }
    for (uint32_t i = 0; i < SKN_COUNT(track->bytes); ++i) {
        const uint32_t from = track->bytes[i] + 4 * words;
        track->bytes[i] = (uint8_t)(from < 16 ? from : NO_BYTE);
    }
    track->word = before->word;
    track->bits += words * 32;
}

/* Sorts the tracks of each window by their words. Held ones have word 0. */
static void orderWindows(VkskinPoseBatch batch, BatchPacked *packed) {
    for (uint32_t track = 0; track < batch->trackCount; ++track) {
        BatchNumbers *window = packed->tracks + (track - track % BATCH_WINDOW);
        BatchNumbers numbers = packed->tracks[track];
        uint32_t place = track % BATCH_WINDOW;
        numbers.place = place;
        for (; place > 0 && window[place - 1].word > numbers.word; --place) {
            window[place] = window[place - 1];
        }
        window[place] = numbers;
    }
    for (uint32_t track = 1; track < batch->trackCount; ++track) {
        BatchNumbers *numbers = &packed->tracks[track];
        if (track % BATCH_WINDOW != 0 && numbers->form != BATCH_HELD) {
            shareLoad(numbers - 1, numbers);
        }
    }
}

VkskinResult sknMakeBatchPacked(VkskinPoseBatch batch, VkskinSkeleton skeleton, const uint32_t *kept) {
    const size_t count = (size_t)batch->clipCount + 1;
    batch->clips = sknArenaArray(&batch->arena, count, sizeof *batch->clips);
    batch->packed = sknArenaArray(&batch->arena, count, sizeof *batch->packed);
    if (batch->arena.failed) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    markTracks(batch, kept);
    if (!sknMakeTracks(batch)) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i) {
        BatchPacked *packed = &batch->packed[i];
        packed->tracks = sknArenaLines(&batch->arena, batch->trackCount, sizeof *packed->tracks);
        if (packed->tracks == NULL) {
            return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
        }
        setRest(batch, skeleton, kept, packed);
        if (i < batch->clipCount) {
            packed->clip = sknBlockClip(batch->block, i);
            packed->rows = packed->clip->keysAt;
            packed->step = sknRowStep(packed->clip);
            setTracks(batch, packed->clip, kept, packed);
            batch->clips[i].duration = packed->clip->duration;
        }
        orderWindows(batch, packed);
    }
    return VKSKIN_SUCCESS;
}
