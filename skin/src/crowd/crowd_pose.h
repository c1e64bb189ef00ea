/*
 * crowd_pose.h: computes palettes of listed slots on the CPU, as crowd_pose.comp does on the device.
 */
#ifndef VKSKIN_CROWD_POSE_H
#define VKSKIN_CROWD_POSE_H

#include "clip_set.h"
#include "crowd/clip_set_layout.h"
#include "crowd/crowd_layout.h"
#include "vkskin/vkskin_cpu.h"
#include "vkskin/vkskin_pose.h"

/* The bones of a model. */
typedef struct CrowdSkin {
    uint32_t boneCount;
    const uint32_t *nodes;     /* [boneCount] */
    const VkskinAffine *binds; /* [boneCount]: inverse bind matrices */
    VkskinPaletteEncoding encoding;
    VkskinPoseBatch batch; /* on the CPU: from sknMakeCrowdPoser; null: poses slot by slot */
} CrowdSkin;

/* Whether the pose pass writes this encoding. */
bool sknCrowdWrites(VkskinPaletteEncoding encoding);

/* The nodes of a clip set. */
typedef struct CrowdNodes {
    uint32_t count;
    const uint32_t *places;     /* [count]: ClipSetData.places */
    const LayoutClipNode *list; /* [count], in the order of the places; null: each is the child of the one before */
} CrowdNodes;

CrowdNodes sknCrowdNodes(const ClipSetData *clips);

/* What the device reads of a skin: a LayoutCrowdSkin at word `at` of the tables with its starts, bones and nodes behind it,
 * and CROWD_BIND_WORDS for each bone at word `binds`. */
uint64_t sknCrowdSkinWords(uint32_t nodeCount, uint32_t boneCount); /* without the binds */
void sknWriteCrowdSkin(const CrowdSkin *skin, const CrowdNodes *nodes, uint32_t *tables, uint32_t at, uint32_t binds);

/* Words of temporary memory that posing one character needs, a multiple of 4. */
uint32_t sknCrowdScratchWords(uint32_t nodeCount);

/*
 * Makes skin->batch, which poses characters in SIMD lanes. It keeps a pointer to the clip set's block, which must exist
 * as long. Free it with vkskinDestroyPoseBatch. On failure it is null. Errors: those of vkskinCreateSkin and
 * vkskinCreatePoseBatch.
 */
VkskinResult sknMakeCrowdPoser(const Host *host, const ClipSetData *clips, CrowdSkin *skin);

/* Bytes of host memory of skin->batch; 0 for null. */
uint64_t sknCrowdPoserBytes(const CrowdSkin *skin);

/* Poses all nodes of a character: locals, with rotations of unit length, and matrices to model space; both
 * [nodeCount] by node, locals may be null. */
void sknPoseCrowdNodes(const ClipSetData *set, const LayoutCrowdPose *pose, VkskinTransform *locals,
                       VkskinAffine *world);

/* Slots of one pool to pose. */
typedef struct CrowdPoseJob {
    const ClipSetData *clips;
    const CrowdSkin *skin;
    const uint32_t *slots;           /* [count], counted from the pool's first slot */
    uint32_t count;                  /* may be 0 */
    const LayoutCrowdPose *poses;    /* poses of the pool's slots; checked: clips exist, weights are 0 to 1 */
    unsigned char *palettes;         /* palettes of the pool: slot s at s x paletteStride, 16-byte aligned */
    size_t paletteStride;            /* bytes */
    float *scratch;                  /* temporary memory of the pool: slot s at s x scratchStride, 16-byte aligned */
    size_t scratchStride;            /* floats */
    const uint32_t *tables;          /* tables of the crowd, for the morph weights */
    const LayoutCrowdMorphs *morphs; /* null: none */
    uint32_t *morphWeights;          /* morph weights of the pool: slot s at s x morphStride */
    uint32_t morphStride;            /* words */
} CrowdPoseJob;

/*
 * Writes the palettes and morph weights of all jobs, in one call of run->parallel. run->level: available, not VKSKIN_CPU_AUTO. Allocates
 * nothing. The result does not depend on how tasks are run. No errors.
 */
void sknPoseCrowdOnCpu(const CrowdPoseJob *jobs, uint32_t jobCount, const VkskinCpuRun *run);

#endif
