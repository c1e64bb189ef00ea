/*
 * pack.h: packs the clips of an animation set. The steps for one clip:
 *
 *     pack_source.c  samples the source on a grid of times: the channels that the clip sets, and world matrices
 *     pack_lanes.c   world matrices and errors of several times at once
 *     pack_error.c   the error of rows of keys against the grid, and of a finished block against the source
 *     pack_keys.c    chooses the times of the rows
 *     pack_bits.c    chooses the bits of each track, and tries all choices
 *     pack_write.c   writes clips and blocks
 *
 * pack.c has the public calls. Nodes are numbered parents first ("places"); tables of the block use the skeleton's
 * numbers. A channel's numbers are as in a block: a rotation is base times a quaternion of three or four numbers.
 */
#ifndef VKSKIN_PACK_PARTS_H
#define VKSKIN_PACK_PARTS_H

#include "animation.h"
#include "host.h"
#include "skeleton.h"

#define PACK_NONE UINT32_MAX

/* ---- The skeleton ---- */

typedef struct PackNode {
    uint32_t node;   /* in the skeleton */
    uint32_t parent; /* place, or PACK_NONE */
    bool hasPre;
    float pre[12];
    float centre[3]; /* centre of the measured box, in the node's space */
    float half[3];
} PackNode;

typedef struct PackSkeleton {
    VkskinSkeleton skeleton;
    uint32_t nodeCount;
    PackNode *nodes;  /* [nodeCount] by place */
    uint32_t *places; /* [nodeCount] by node */
} PackSkeleton;

/* ---- A clip on the grid ---- */

#define PACK_LANES 16u /* maximum number of times at once */

/* Numbers of PackLevel.width times: of each row a, mixed with row b. */
typedef struct PackTimes {
    const float *a[PACK_LANES]; /* [channelCount][4] each */
    const float *b[PACK_LANES];
    float fractions[PACK_LANES];
} PackTimes;

struct PackClip;

/* The code of an instruction level: pack_lanes.c. */
typedef struct PackLevel {
    uint32_t width; /* lanes, at most PACK_LANES */
    /* World matrices: number i of a node's matrix at world[(place * 12 + i) * stride], followed by those of the next
     * times. */
    void (*compose)(const struct PackClip *clip, const PackTimes *times, float *world, size_t stride);
    /* The errors at the grid times from `grid` on, of matrices with a stride of `width`. */
    void (*findErrors)(const struct PackClip *clip, uint32_t grid, const float *work, float *errors);
} PackLevel;

extern const PackLevel sknPackLevelPortable;
extern const PackLevel sknPackLevelAvx2;
extern const PackLevel sknPackLevelAvx512;

/* A channel that the clip sets. */
typedef struct PackChannel {
    uint32_t place;
    VkskinChannel channel;
    const VkskinTrack *track;
    bool moves;        /* keys differ */
    bool four;         /* the rotation is stored as four numbers */
    int16_t base16[4]; /* base rotation, as in a block */
    float base[4];
    float first[4];    /* the source's value at time 0 */
    float rest[4];     /* numbers of the rest pose; not valid if the rest rotation is far from the base */
    bool nearRest;     /* `rest` is valid */
    float sensitivity; /* distance by which a point moves at most, about, if a number changes by 1 */
} PackChannel;

typedef struct GridTime {
    float time;
    bool before; /* the moment just before a jump at that time */
} GridTime;

typedef struct PackRows {
    uint32_t count;
    bool uniform;
    float *times;       /* [count] */
    float (*values)[4]; /* [count][channelCount]: numbers */
} PackRows;

#define PACK_PARTS 16u /* rows of equal distances: up to this number of intervals of the source between two rows */

typedef struct PackClip {
    const PackSkeleton *skeleton;
    VkskinClip clip;
    Arena arena;
    float duration;
    bool floats; /* VKSKIN_ANIMATION_FLOAT */
    uint32_t sourceCount;
    GridTime *source; /* [sourceCount]: key times and jumps of the source, from 0 to the duration */
    uint32_t gridCount;
    GridTime *grid; /* [gridCount]: `source` and times between them */
    uint32_t channelCount;
    PackChannel *channels;  /* [channelCount], by node and channel */
    uint32_t *nodeChannels; /* [nodeCount][3] by place: index or PACK_NONE */
    float (*values)[4];     /* [gridCount][channelCount]: numbers */
    PackLevel level;
    float *world;       /* [nodeCount][12][worldStride]: grid times, then at least PACK_LANES copies of the last */
    size_t worldStride; /* in floats */
    float *work;        /* [nodeCount][12][PACK_LANES] */
    PackRows uniform[PACK_PARTS]; /* rows of equal distances: [intervals of the source - 1]; count 0: not sampled */
    uint32_t hardest;             /* grid time at which sknPackErrorOf begins */
} PackClip;

/*
 * Arrays are in the clip's arena; free it in any case. finer: multiplies the times of the grid, at least 1. Errors:
 * TRANSFORM_NOT_FINITE, OUT_OF_HOST_MEMORY; not logged.
 */
VkskinResult sknPackSource(const PackSkeleton *skeleton, VkskinClip clip, bool floats, uint32_t finer,
                           const VkskinHostAllocator *allocator, PackClip *made);

/* Samples all channels at a time. out: [channelCount]. near: numbers at a near time, for the sign of quaternions. */
void sknPackSample(const PackClip *clip, GridTime at, const float (*near)[4], float (*out)[4]);

/* ---- Rows ---- */

/* Errors at `count` grid times from `grid` on, at most level.width, of numbers a + (b - a) fraction: the first `count`
 * elements of `times` are set. */
void sknPackErrorsAt(const PackClip *clip, uint32_t grid, uint32_t count, PackTimes *times, float errors[PACK_LANES]);

/* The largest error of rows on the grid; above `limit` any error above it. values: rows->values or others. */
float sknPackErrorOf(PackClip *clip, const PackRows *rows, const float (*values)[4], float limit);

/* Rows at some grid times, with an error of at most `bound` if there are enough grid times. False: no memory. */
bool sknPackChooseRows(PackClip *clip, float bound, PackRows *rows);

/* The fewest rows of equal distances that keep to the bound. count 0: none does with less than `most` rows. */
bool sknPackChooseUniform(PackClip *clip, float bound, uint32_t most, PackRows *rows);

/* ---- A finished clip ---- */

typedef struct PackedHold {
    uint32_t target;
    float value[4];
} PackedHold;

typedef struct PackedClip {
    float duration;
    uint32_t keyCount;
    uint32_t stride;
    bool uniform;
    float *times;   /* [keyCount] */
    uint32_t *rows; /* [keyCount][stride] */
    uint32_t rotationCount, vectorCount, holdCount;
    VkskinAnimationRotation *rotations; /* [rotationCount] */
    VkskinAnimationVector *vectors;     /* [vectorCount] */
    PackedHold *holds;                  /* [holdCount] */
    float error;
} PackedClip;

/* Packs the grid to an error of at most `bound` on it. Arrays are in `arena`. False: no memory. */
bool sknPackBest(PackClip *clip, float bound, Arena *arena, PackedClip *packed);

/* Bytes of a clip in a block, without its values at heldAt. */
uint64_t sknPackedBytes(const PackedClip *packed);

/* Writes a block. Errors, not logged: ANIMATION_DATA if it is too large, OUT_OF_HOST_MEMORY. */
VkskinResult sknWriteBlock(const PackSkeleton *skeleton, const PackedClip *clips, uint32_t clipCount,
                           const VkskinHostAllocator *allocator, void **block, size_t *size);

/* The largest error of a block's clip 0 against the source, at 16 times between each pair of source times. False: no
 * memory. */
bool sknPackMeasure(const PackClip *clip, const void *block, double *error);

#endif
