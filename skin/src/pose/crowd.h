/*
 * crowd.h: what a crowd holds. All of it is made once, save the slots, which vkskinPoseBatch writes.
 *
 * A track, here, is a channel of a node that moves in some clip; all others are constants of the skeleton. Every clip
 * has keys for every track, if only one that holds, so that characters in different clips take the same steps.
 */
#ifndef VKSKIN_CROWD_H
#define VKSKIN_CROWD_H

#include <stdatomic.h>

#include "vkskin/vkskin_pose.h"

#define CROWD_CHANNELS  3u /* of a transform, by VkskinChannel */
#define CROWD_NO_TRACK  UINT32_MAX
#define CROWD_NO_PARENT UINT32_MAX
#define CROWD_GROUP     4u  /* bones that are written together: three lines of 64 bytes */
#define CROWD_TASKS     64u /* at most in a call; as many have memory to work in */
#define CROWD_LANES     16u /* at most in a batch */

/*
 * From `time` to the next key's: one load of 64 bytes brings both. A track's last key is at infinity, its first at 0 or
 * before; a key that holds its value has perSecond 0. Neighbouring rotations are in the same half of the sphere.
 */
typedef struct CrowdKey {
    float value[4];
    float time;
    float perSecond; /* 1 / seconds to the next key */
    float angle;     /* to the next rotation, more than 0 */
    float perSine;   /* 1 / sin(angle) */
} CrowdKey;

typedef struct CrowdClip {
    float duration;
    CrowdKey *keys;
    uint32_t *first;    /* [trackCount + 1]: of each track's keys */
    VkskinTrack *cubic; /* [trackCount] or null for none; those without keys are not cubic */
    float *cubicKeys;   /* what they point into */
} CrowdClip;

typedef struct CrowdTrack {
    bool turns; /* a rotation; otherwise a translation or a scale */
    bool cubic; /* in some clip */
} CrowdTrack;

/* A node that a bone hangs on. */
typedef struct CrowdNode {
    uint32_t parent;                 /* its place, or CROWD_NO_PARENT */
    uint32_t place;                  /* of its world matrix, which later nodes take over when it is no longer needed */
    uint32_t tracks[CROWD_CHANNELS]; /* or CROWD_NO_TRACK */
    bool moves;                      /* has a track; otherwise `local` is all */
    bool scales;                     /* its scale is a track or not 1 */
    bool hasPre;
    float translation[3]; /* at rest, as what follows */
    float rotation[9];    /* row-major */
    float scale[3];
    VkskinAffine pre;   /* a root's has the model to mesh matrix in it */
    VkskinAffine local; /* pre x T R S at rest */
} CrowdNode;

typedef struct CrowdBone {
    uint32_t place;
    VkskinAffine inverseBind;
} CrowdBone;

struct VkskinPoseBatch_T {
    VkskinHostAllocator allocator;
    VkskinLogger logger;
    uint32_t nodeCount;
    CrowdNode *nodes; /* [nodeCount], parents first */
    uint32_t boneCount;
    CrowdBone *bones;     /* [boneCount] */
    uint32_t *groupNodes; /* [groups of bones]: the node after which a group can be written */
    uint32_t trackCount;
    CrowdTrack *tracks; /* [trackCount] */
    uint32_t clipCount;
    CrowdClip *clips; /* [clipCount + 1]: the last is the rest pose */
    uint32_t slotCount;
    uint32_t *slotClips;            /* [slotCount]: what a slot's cursors are of; above clipCount: nothing yet */
    uint64_t *slotCalls;            /* [slotCount]: the last call that named it; 0: none */
    uint32_t *cursors;              /* [slotCount][trackCount]: the key before the character's time, among its clip's */
    uint64_t calls;                 /* so far */
    uint32_t *order;                /* [slotCount]: a call's characters by their clips */
    uint32_t *clipEnds;             /* [clipCount + 2]: where in `order` each clip's characters end, after one more */
    uint32_t placeCount;            /* world matrices that are alive at once */
    float *work;                    /* [CROWD_TASKS][placeCount][12][CROWD_LANES], 64-byte aligned */
    atomic_uint_fast64_t workInUse; /* a bit a task */
};

#endif
