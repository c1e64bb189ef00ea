/*
 * crowd_layout.h: every structure of crowds that host and device share, for C and for GLSL. See kernels/layout.h.
 *
 * Memory that is all zero is the first state of every buffer: no characters, all slots free.
 */
#ifndef VKSKIN_CROWD_LAYOUT_H
#define VKSKIN_CROWD_LAYOUT_H

#include "kernels/layout.h"

/* Descriptor sets: one storage buffer each, at binding 0. Which buffer a set has depends on the pass. */
#define CROWD_SETS 4

/* Invocations of a workgroup of every pass: half of what Vulkan guarantees. */
#define CROWD_GROUP 64u

/* Characters that one thread of a ranking pass walks. */
#define CROWD_BLOCK 64u

#define CROWD_VIEWS  4u
#define CROWD_PLANES 6u

/* ---- Characters ---- */

/* What the cull pass reads of every character. */
#define CROWD_STATE_FIELDS(FIELD)                                                                                      \
    FIELD(transform0) /* 12 floats: a VkskinAffine, model to world */                                                  \
    FIELD(transform1)                                                                                                  \
    FIELD(transform2)                                                                                                  \
    FIELD(transform3)                                                                                                  \
    FIELD(transform4)                                                                                                  \
    FIELD(transform5)                                                                                                  \
    FIELD(transform6)                                                                                                  \
    FIELD(transform7)                                                                                                  \
    FIELD(transform8)                                                                                                  \
    FIELD(transform9)                                                                                                  \
    FIELD(transform10)                                                                                                 \
    FIELD(transform11)                                                                                                 \
    FIELD(clips) /* clip A | clip B << 16. B is read during a fade only: a character fades from A to B */              \
    FIELD(phase) /* of A at tick 0: 2^32 is one clip. With CROWD_ONCE: the tick at which the clip starts */            \
    FIELD(rate)  /* of A: phase per tick, two's complement */                                                          \
    FIELD(flags) /* model, and CROWD_ bits */
LAYOUT_STRUCT(LayoutCrowdState, CROWD_STATE_FIELDS);
#define CROWD_STATE_WORDS LAYOUT_WORDS(CROWD_STATE_FIELDS)

/* LayoutCrowdState.flags. */
#define CROWD_MODEL_MASK 0xffu
#define CROWD_EXISTS     0x100u
#define CROWD_HIDDEN     0x200u
#define CROWD_TELEPORTED 0x400u /* since the last frame: the cull pass clears it */
#define CROWD_FADING     0x800u
#define CROWD_ONCE       0x1000u /* A stops at its end; the cull pass turns a clip that has ended into one of rate 0 */
#define CROWD_ONCE_B     0x2000u

/* What only visible characters and those in a fade need. */
#define CROWD_COLD_FIELDS(FIELD)                                                                                       \
    FIELD(phaseB) /* as LayoutCrowdState.phase */                                                                      \
    FIELD(rateB)                                                                                                       \
    FIELD(fadeStart) /* a tick */                                                                                      \
    FIELD(fadeTicks)                                                                                                   \
    FIELD(variation)                                                                                                   \
    FIELD(generation)                                                                                                  \
    FIELD(unit) /* rate of the newest clip at speed 1 */                                                               \
    FIELD(reserved)
LAYOUT_STRUCT(LayoutCrowdCold, CROWD_COLD_FIELDS);
#define CROWD_COLD_WORDS LAYOUT_WORDS(CROWD_COLD_FIELDS)

/* ---- Slots ---- */

/* What shaders of the host read of a drawn character. */
#define CROWD_SLOT_FIELDS(FIELD)                                                                                       \
    FIELD(transform0) /* 12 floats, as LayoutCrowdState */                                                             \
    FIELD(transform1)                                                                                                  \
    FIELD(transform2)                                                                                                  \
    FIELD(transform3)                                                                                                  \
    FIELD(transform4)                                                                                                  \
    FIELD(transform5)                                                                                                  \
    FIELD(transform6)                                                                                                  \
    FIELD(transform7)                                                                                                  \
    FIELD(transform8)                                                                                                  \
    FIELD(transform9)                                                                                                  \
    FIELD(transform10)                                                                                                 \
    FIELD(transform11)                                                                                                 \
    FIELD(previous0) /* of the last frame in which the slot was drawn; the same as above if the slot is new */         \
    FIELD(previous1)                                                                                                   \
    FIELD(previous2)                                                                                                   \
    FIELD(previous3)                                                                                                   \
    FIELD(previous4)                                                                                                   \
    FIELD(previous5)                                                                                                   \
    FIELD(previous6)                                                                                                   \
    FIELD(previous7)                                                                                                   \
    FIELD(previous8)                                                                                                   \
    FIELD(previous9)                                                                                                   \
    FIELD(previous10)                                                                                                  \
    FIELD(previous11)                                                                                                  \
    FIELD(variation)                                                                                                   \
    FIELD(character) /* index */                                                                                       \
    FIELD(copies)    /* of the slot's output: index of the current one | index of the previous one << 8 */             \
    FIELD(generation)
LAYOUT_STRUCT(LayoutCrowdSlot, CROWD_SLOT_FIELDS);
#define CROWD_SLOT_WORDS LAYOUT_WORDS(CROWD_SLOT_FIELDS)

/* A pose to compute: written for every skinned slot, read by the pose pass. Checked: the clips exist. */
#define CROWD_POSE_FIELDS(FIELD)                                                                                       \
    FIELD(clips)  /* clip A | clip B << 16 */                                                                          \
    FIELD(phaseA) /* 2^32 is one clip: time in clip = phase / 2^32 x duration; 2^32 - 1 is the end */                  \
    FIELD(phaseB)                                                                                                      \
    FIELD(weight) /* a float from 0 (only A) to 1 (only B); 0 without a fade: B is then not sampled */
LAYOUT_STRUCT(LayoutCrowdPose, CROWD_POSE_FIELDS);
#define CROWD_POSE_WORDS LAYOUT_WORDS(CROWD_POSE_FIELDS)

/* ---- Tables: written once, in a page of meshes ---- */

/*
 * Bounds of a model in a clip, in model space: no vertex of any pose of the clip is outside of centre +- extent. Nor is
 * it during a fade between two clips outside of the union of their boxes, enlarged on all sides by the larger of their
 * two margins.
 */
#define CROWD_BOUNDS_FIELDS(FIELD)                                                                                     \
    FIELD(centreX) /* floats */                                                                                        \
    FIELD(centreY)                                                                                                     \
    FIELD(centreZ)                                                                                                     \
    FIELD(margin)                                                                                                      \
    FIELD(extentX) /* at least 0 */                                                                                    \
    FIELD(extentY)                                                                                                     \
    FIELD(extentZ)                                                                                                     \
    FIELD(reserved)
LAYOUT_STRUCT(LayoutCrowdBounds, CROWD_BOUNDS_FIELDS);
#define CROWD_BOUNDS_WORDS LAYOUT_WORDS(CROWD_BOUNDS_FIELDS)

/* A model. Word offsets count from the start of the page that has the tables. */
#define CROWD_MODEL_FIELDS(FIELD)                                                                                      \
    FIELD(bounds)    /* word offset of LayoutCrowdBounds [clipCount] */                                                \
    FIELD(ring)      /* word offset in the work buffer: head, used, then a word per slot: 0, or a free slot + 1 */     \
    FIELD(slots)     /* number of slots */                                                                             \
    FIELD(firstPool) /* index of its first pool */                                                                     \
    FIELD(poolSlots) /* slots of each pool but the last: pool = firstPool + slot / poolSlots */                        \
    FIELD(poolCount)                                                                                                   \
    FIELD(firstSlot) /* number of slots of the models before: slot records and poses of all models are one array */    \
    FIELD(skin)      /* word offset of the LayoutCrowdSkin */
LAYOUT_STRUCT(LayoutCrowdModel, CROWD_MODEL_FIELDS);
#define CROWD_MODEL_WORDS LAYOUT_WORDS(CROWD_MODEL_FIELDS)

/* What the pose pass reads of a model: bones of a skin, and how they are written. */
#define CROWD_SKIN_FIELDS(FIELD)                                                                                       \
    FIELD(boneCount)                                                                                                   \
    FIELD(nodes)    /* word offset of uint [boneCount]: the node of each bone */                                       \
    FIELD(binds)    /* word offset of 12 floats [boneCount]: the inverse bind matrices, a VkskinAffine each */         \
    FIELD(encoding) /* VkskinPaletteEncoding */
LAYOUT_STRUCT(LayoutCrowdSkin, CROWD_SKIN_FIELDS);
#define CROWD_SKIN_WORDS LAYOUT_WORDS(CROWD_SKIN_FIELDS)

/* ---- The pose pass ---- */

/* Descriptor sets of the pose pass. */
#define CROWD_POSE_SET_CLIPS    0 /* the page of the clip set; read */
#define CROWD_POSE_SET_TABLES   1 /* the page of the crowd's tables; read */
#define CROWD_POSE_SET_PALETTES 2 /* palettes and temporary memory of a pool; written */
#define CROWD_POSE_SET_FRAME    3 /* lists, slots and poses; read */

/*
 * Push constants of the pose pass: one indirect dispatch per pool, a thread per listed slot, CROWD_GROUP threads in a
 * group. A thread whose index is not below the count does nothing. Groups: y * gl_NumWorkGroups.x + x.
 */
#define CROWD_POSE_PUSH_FIELDS(FIELD)                                                                                  \
    FIELD(clipSet)       /* word offset of the clip set in its page: see clip_set.h */                                 \
    FIELD(skin)          /* word offset of the LayoutCrowdSkin in the page of the tables */                            \
    FIELD(count)         /* word offset in the frame of the number of listed slots */                                  \
    FIELD(list)          /* word offset in the frame of the list: uint slots, counted from the pool's first slot */    \
    FIELD(poses)         /* word offset in the frame of LayoutCrowdPose [slots of the pool] */                         \
    FIELD(paletteStride) /* words from the palette of a slot to the next; a multiple of 4 */                           \
    FIELD(scratch)       /* word offset of the temporary memory in the palettes' buffer; a multiple of 4 */            \
    FIELD(scratchStride) /* words from a slot's temporary memory to the next: sknCrowdScratchWords, a multiple of 4 */
LAYOUT_STRUCT(LayoutCrowdPosePush, CROWD_POSE_PUSH_FIELDS);

#endif
