/*
 * pose_batch.h: a pose batch. Immutable after creation, except for the slots and the work memory, which vkskinPoseBatch
 * writes.
 *
 * Here, a track is a channel of a node that moves in at least one clip. All other channels are constants. Every clip
 * has keys for every track, one key that holds if nothing moves: characters in different clips then run the same code.
 */
#ifndef VKSKIN_POSE_BATCH_H
#define VKSKIN_POSE_BATCH_H

#include <stdatomic.h>

#include "animation.h"
#include "skeleton.h"
#include "vkskin/vkskin_pose.h"

#define BATCH_CHANNELS  3u /* channels of a transform, by VkskinChannel */
#define BATCH_NO_TRACK  UINT32_MAX
#define BATCH_NO_PARENT UINT32_MAX
#define BATCH_GROUP     4u  /* bones that are written together: three lines of 64 bytes */
#define BATCH_WINDOW    8u  /* tracks that are sampled together */
#define BATCH_TASKS     64u /* maximum in a call; each has its own work memory */
#define BATCH_LANES     16u /* maximum SIMD_WIDTH */

/*
 * Valid from `time` to the next key's: one load of 64 bytes reads both. A track's first key is at or before 0, its last
 * at infinity. A key that holds its value has perSecond 0. Neighbouring rotations are in the same hemisphere.
 */
typedef struct BatchKey {
    float value[4];
    float time;
    float perSecond; /* 1 / seconds to the next key */
    float angle;     /* to the next rotation, more than 0 */
    float perSine;   /* 1 / sin(angle) */
} BatchKey;

typedef struct BatchClip {
    float duration;
    BatchKey *keys;
    uint32_t *first;     /* [trackCount + 1]: where each track's keys begin */
    VkskinTrack *curves; /* [trackCount] or null for none: cubic and Bezier tracks; others have no keys here */
} BatchClip;

/* What the numbers of a track in a packed clip become. */
typedef enum BatchForm {
    BATCH_HELD,   /* none: `centre` is the value */
    BATCH_VECTOR, /* three numbers: a translation or a scale */
    BATCH_THREE,  /* rotation: x, y and z of a unit quaternion */
    BATCH_FOUR    /* rotation: quaternion to normalise */
} BatchForm;

/*
 * A track of a packed clip (animation.h), ready to be read: from a load of 16 bytes at `word` of a row. Tracks that lie
 * within the load of the one before share its word.
 */
typedef struct BatchNumbers {
    uint8_t bytes[16];  /* source bytes of number i in the load: 4 bytes each; from 128 on: none */
    uint32_t shifts[4]; /* to the right */
    uint32_t masks[4];  /* 0: absent */
    float bias[4];
    float step[4];
    float centre[4];
    float base[4]; /* base rotation of a rotation track */
    BatchForm form;
    bool floats;
    uint32_t word;
    uint32_t bits;  /* from `word` to the end of the track */
    uint32_t place; /* index of the track in its window */
} BatchNumbers;

typedef struct BatchPacked {
    const VkskinAnimationClip *clip; /* null: the rest pose */
    uint32_t rows;                   /* word of the block where the rows begin */
    uint32_t step;                   /* words to the next row */
    BatchNumbers *tracks;            /* [trackCount], in each window in the order of their words */
} BatchPacked;

typedef struct BatchTrack {
    bool turns; /* rotation; otherwise translation or scale */
    bool curve; /* in at least one clip */
} BatchTrack;

/* A node with a bone below it or on it. */
typedef struct BatchNode {
    uint32_t parent;                 /* place of the parent, or BATCH_NO_PARENT */
    uint32_t place;                  /* place of the world matrix; reused for later nodes when no longer needed */
    uint32_t tracks[BATCH_CHANNELS]; /* or BATCH_NO_TRACK */
    bool moves;                      /* has a track; otherwise `local` is its transform */
    bool scales;                     /* the scale has a track, or is not 1 */
    bool hasPre;
    float translation[3]; /* at rest, as the members below */
    float rotation[9];    /* row-major */
    float scale[3];
    VkskinAffine pre;   /* for a root, includes the model to mesh matrix */
    VkskinAffine local; /* pre x T R S at rest */
} BatchNode;

typedef struct BatchBone {
    uint32_t place; /* place of the node's world matrix */
    VkskinAffine inverseBind;
} BatchBone;

struct VkskinPoseBatch_T {
    Arena arena; /* memory of the batch, this struct included */
    VkskinLogger logger;
    uint32_t nodeCount;
    BatchNode *nodes; /* [nodeCount], parents first */
    uint32_t boneCount;
    BatchBone *bones;     /* [boneCount] */
    uint32_t *groupNodes; /* [groups of bones]: the node after which a group can be written */
    uint32_t trackCount;
    BatchTrack *tracks; /* [trackCount] */
    uint32_t clipCount;
    BatchClip *clips;    /* [clipCount + 1]: the last is the rest pose; without keys if `block` is set */
    const void *block;   /* null, or an animation set, which the host keeps */
    BatchPacked *packed; /* [clipCount + 1] likewise, with a block */
    uint32_t slotCount;
    uint32_t slotParts;             /* clips of a character: 1, or 2 if it can be blended */
    uint32_t *slotClips;            /* [slotCount][slotParts]: the clip of the cursors; above clipCount: none yet */
    uint64_t *slotCalls;            /* [slotCount]: the last call that used the slot; 0: none */
    uint32_t *cursors;              /* [slotCount][slotParts][trackCount]: the key at or before the time; null with a
                                       block */
    uint64_t calls;                 /* number of calls so far */
    uint32_t *order;                /* [slotParts][slotCount]: a call's characters, sorted; the rest is for sorting */
    uint32_t *rankEnds;             /* [slotParts * (clipCount + 1) + 1]: end of each rank in `order`, at rank + 1 */
    uint32_t placeCount;            /* maximum number of world matrices in use at once */
    float *work;                    /* [BATCH_TASKS][placeCount][12][BATCH_LANES], 64-byte aligned */
    atomic_uint_fast64_t workInUse; /* one bit per work memory */
};

/* A clip of each lane, at a time. With a block only the packed clip and its row are read, otherwise only the others. */
typedef struct LaneSource {
    const BatchClip *clips[BATCH_LANES];
    uint32_t *cursors[BATCH_LANES]; /* [trackCount] each, valid keys of their track */
    double seconds[BATCH_LANES];    /* time in the clip */
    float time[BATCH_LANES];        /* the largest float that is not after it */
    float rest[BATCH_LANES];        /* the difference */
    const BatchPacked *packed[BATCH_LANES];
    uint32_t row[BATCH_LANES];   /* word of the block where the row starts */
    float fraction[BATCH_LANES]; /* to the next row */
} LaneSource;

/* Characters that are posed side by side, one per lane. Lanes from `active` on repeat an active one, write nothing. */
typedef struct PoseLanes {
    uint32_t active;
    VkskinPaletteEncoding encoding;
    bool stream; /* past the caches: all palettes are 64-byte aligned, in MAT3X4 */
    bool blends; /* some lane has a second clip; `to` is then valid in all lanes */
    LaneSource from;
    LaneSource to;
    float weights[BATCH_LANES]; /* weights of `to`, from 0 to 1; 0: the lane has the bits of `from` */
    void *palettes[BATCH_LANES];
    VkskinResult results[BATCH_LANES]; /* out: success, a warning or TRANSFORM_NOT_FINITE */
} PoseLanes;

/* work: [placeCount][12][width], 64-byte aligned. */
typedef void (*PoseLanesFn)(VkskinPoseBatch batch, PoseLanes *lanes, float *work);

/* The code of an instruction level: pose_batch_lanes.c. */
typedef struct PoseLevel {
    uint32_t width; /* lanes, at most BATCH_LANES */
    PoseLanesFn pose;
} PoseLevel;

extern const PoseLevel sknPoseLevelPortable;
extern const PoseLevel sknPoseLevelAvx2;
extern const PoseLevel sknPoseLevelAvx512;

/* level: available, not VKSKIN_CPU_AUTO. */
PoseLevel sknPoseLevelOf(VkskinCpuLevel level);

/* A free place below BATCH_TASKS, of those whose bits are in use. Waits while there is none. Return it from the same thread. */
uint32_t sknTakePosePlace(atomic_uint_fast64_t *inUse);
void sknReturnPosePlace(atomic_uint_fast64_t *inUse, uint32_t place);

/* Work memory for one task of a level, at a place that the task took in batch->workInUse. */
static inline float *sknPoseWork(VkskinPoseBatch batch, uint32_t place) {
    return batch->work + (size_t)place * batch->placeCount * 12 * BATCH_LANES;
}

/*
 * Sets nodes, bones and groups of a batch that has its arena; all tracks are BATCH_NO_TRACK. kept: [skeleton's
 * nodes], receives each node's index in batch->nodes, or UINT32_MAX if no bone needs it. False: no memory.
 */
bool sknPlanBatch(VkskinPoseBatch batch, VkskinSkeleton skeleton, VkskinSkin skin, uint32_t *kept);

/* Numbers and describes the tracks: one for each channel whose entry in BatchNode.tracks is marked, as anything but
 * BATCH_NO_TRACK. False: no memory. */
bool sknMakeTracks(VkskinPoseBatch batch);

/*
 * Sets tracks and clips after sknPlanBatch. Errors, which are not logged: INVALID_VALUE if a clip has more keys than
 * 32 bits count, OUT_OF_HOST_MEMORY.
 */
VkskinResult sknMakeBatchKeys(VkskinPoseBatch batch, VkskinSkeleton skeleton, const VkskinClip *clips,
                              const uint32_t *kept);

/* The same for batch->block. Error: OUT_OF_HOST_MEMORY. In pose_batch_packed.c. */
VkskinResult sknMakeBatchPacked(VkskinPoseBatch batch, VkskinSkeleton skeleton, const uint32_t *kept);

#endif
