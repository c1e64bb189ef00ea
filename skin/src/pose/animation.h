/*
 * animation.h: reads packed animation sets, the blocks of vkskin_pack.h. All functions take checked blocks.
 */
#ifndef VKSKIN_ANIMATION_H
#define VKSKIN_ANIMATION_H

#include <string.h>

#include "vkskin/vkskin_pack.h"

#define BLOCK_FLOAT_BITS 32u
#define BLOCK_LEAST_BITS 2u
#define BLOCK_MOST_BITS  24u
#define BLOCK_LOAD_BITS  128u /* bits of one load: a whole track lies within it, from the track's first word on */
#define BLOCK_PAD_WORDS  4u   /* after the last row, for such loads */

_Static_assert(sizeof(VkskinAnimationHeader) == 64, "16 words");
_Static_assert(sizeof(VkskinAnimationClip) == 64, "16 words");
_Static_assert(sizeof(VkskinAnimationRotation) == 24, "6 words");
_Static_assert(sizeof(VkskinAnimationVector) == 32, "8 words");
_Static_assert(sizeof(VkskinAnimationHold) == 8, "2 words");
_Static_assert(sizeof(VkskinTransform) == 40 && sizeof(VkskinAffine) == 48, "as in a block");

static inline const VkskinAnimationHeader *sknBlockHeader(const void *block) {
    return block;
}

/* What an offset of the block points to. */
static inline const void *sknBlockAt(const void *block, uint32_t word) {
    return (const uint32_t *)block + word;
}

/* Value `index` of those that channels hold: [4]. */
static inline const float *sknHeldValue(const void *block, uint32_t index) {
    return (const float *)sknBlockAt(block, sknBlockHeader(block)->heldAt) + 4 * (size_t)index;
}

static inline const VkskinAnimationClip *sknBlockClip(const void *block, uint32_t clip) {
    return (const VkskinAnimationClip *)sknBlockAt(block, sknBlockHeader(block)->clipsAt) + clip;
}

static inline uint32_t sknTargetNode(uint32_t target) {
    return target & 0xffff;
}

static inline VkskinChannel sknTargetChannel(uint32_t target) {
    return (VkskinChannel)(target >> 16 & 0x7fff);
}

/* A time in a clip: from row `row` to the next one, if there is one. */
typedef struct RowPlace {
    uint32_t row;
    float fraction; /* 0 to 1 */
} RowPlace;

/* seconds: 0 to the duration. */
RowPlace sknFindRow(const void *block, const VkskinAnimationClip *clip, double seconds);

/* Words from a row to the next one to mix it with; 0 if the clip has only one. */
static inline uint32_t sknRowStep(const VkskinAnimationClip *clip) {
    return clip->keyCount > 1 ? clip->stride : 0;
}

/*
 * The numbers of a track in a row, up to four. A number r that was read from one or from two mixed rows stands for
 * (r - bias) * step + centre. An absent number is read as 0 and has step 0.
 */
typedef struct TrackNumbers {
    uint32_t bits;
    uint32_t first;    /* bit in the row */
    uint32_t end;      /* one past the last bit */
    uint32_t start[4]; /* bit in the row; any for an absent number */
    bool present[4];
    float bias;
    float step[4];
    float centre[4];
} TrackNumbers;

TrackNumbers sknRotationNumbers(const VkskinAnimationRotation *rotation);
TrackNumbers sknVectorNumbers(const VkskinAnimationVector *vector);

/* The base of a rotation, of unit length. */
void sknRotationBase(const VkskinAnimationRotation *rotation, float base[4]);

/* A number of at most BLOCK_MOST_BITS bits. */
static inline uint32_t sknReadBits(const uint32_t *row, uint32_t start, uint32_t bits) {
    const uint64_t both = row[start / 32] | (uint64_t)row[start / 32 + 1] << 32;
    return (uint32_t)(both >> start % 32) & ((1u << bits) - 1);
}

static inline float sknReadNumber(const uint32_t *row, uint32_t start, uint32_t bits) {
    float number;
    if (bits < BLOCK_FLOAT_BITS) {
        return (float)sknReadBits(row, start, bits);
    }
    memcpy(&number, row + start / 32, sizeof number);
    return number;
}

/* The numbers of a track between two rows; `centre` for absent ones. */
void sknMixRows(const TrackNumbers *numbers, const uint32_t *row, const uint32_t *next, float fraction, float mixed[4]);

/* base times the quaternion that has these numbers. four: or only x, y and z. */
void sknFinishRotation(const float base[4], bool four, const float numbers[4], float rotation[4]);

#endif
