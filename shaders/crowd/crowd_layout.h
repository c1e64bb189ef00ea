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

/* Every device supports this many groups in each dimension of a dispatch. */
#define CROWD_MOST_GROUPS 65535u

#define CROWD_VIEWS  8u
#define CROWD_PLANES 16u

/* ---- Characters ---- */

/* The words of a VkskinAffine, 12 floats. */
/* clang-format off */
#define CROWD_TRANSFORM_FIELDS(FIELD, name)                                     \
    FIELD(name##0) FIELD(name##1) FIELD(name##2) FIELD(name##3) FIELD(name##4)  \
    FIELD(name##5) FIELD(name##6) FIELD(name##7) FIELD(name##8) FIELD(name##9)  \
    FIELD(name##10) FIELD(name##11)
/* clang-format on */

/* What the cull pass reads of every character. */
#define CROWD_STATE_FIELDS(FIELD)                                                                                      \
    CROWD_TRANSFORM_FIELDS(FIELD, transform) /* model to world */                                                      \
    FIELD(clips) /* clip A | clip B << 16. B is read during a fade only: a character fades from A to B */              \
    FIELD(phase) /* phase of clip A at tick 0: 2^32 is one clip. With CROWD_ONCE: the tick at which the clip starts */ \
    FIELD(rate)  /* phase of clip A per tick, two's complement */                                                      \
    FIELD(flags) /* model, and CROWD_ bits */
LAYOUT_STRUCT(LayoutCrowdState, CROWD_STATE_FIELDS);
#define CROWD_STATE_WORDS LAYOUT_WORDS(CROWD_STATE_FIELDS)

/* LayoutCrowdState.flags. */
#define CROWD_MODEL_MASK 0xffu
#define CROWD_EXISTS     0x100u
#define CROWD_HIDDEN     0x200u
#define CROWD_TELEPORTED 0x400u /* since the last frame: the cull pass clears it */
#define CROWD_FADING     0x800u
#define CROWD_ONCE       0x1000u /* A stops at its end; the cull pass sets CROWD_HELD when it has */
#define CROWD_ONCE_B     0x2000u
#define CROWD_HELD       0x4000u /* A stands still: `phase` is where */
#define CROWD_HELD_B     0x8000u
#define CROWD_PRIORITY   0x10000u
#define CROWD_PARTED     0x20000u /* other parts since the last frame: the cull pass clears it */

/* What only visible characters and those in a fade need. */
#define CROWD_COLD_FIELDS(FIELD)                                                                                       \
    FIELD(phaseB) /* as LayoutCrowdState.phase */                                                                      \
    FIELD(rateB)                                                                                                       \
    FIELD(fadeStart) /* tick */                                                                                        \
    FIELD(fadeTicks)                                                                                                   \
    FIELD(variation)                                                                                                   \
    FIELD(generation)                                                                                                  \
    FIELD(unit)  /* rate of the newest clip at speed 1 */                                                              \
    FIELD(parts) /* bits: see LayoutCrowdPart.mask */
LAYOUT_STRUCT(LayoutCrowdCold, CROWD_COLD_FIELDS);
#define CROWD_COLD_WORDS LAYOUT_WORDS(CROWD_COLD_FIELDS)

/* ---- Slots ---- */

/* What shaders of the host read of a drawn character. */
#define CROWD_SLOT_FIELDS(FIELD)                                                                                       \
    CROWD_TRANSFORM_FIELDS(FIELD, transform) /* as LayoutCrowdState */                                                 \
    CROWD_TRANSFORM_FIELDS(FIELD, previous) /* `transform` in the last frame that drew the slot; equal to it if new */ \
    FIELD(variation)                                                                                                   \
    FIELD(character) /* index */                                                                                       \
    FIELD(copies)    /* copies of the slot's output: index of the current one | index of the previous one << 8 */      \
    FIELD(generation)
LAYOUT_STRUCT(LayoutCrowdSlot, CROWD_SLOT_FIELDS);
#define CROWD_SLOT_WORDS     LAYOUT_WORDS(CROWD_SLOT_FIELDS)
#define CROWD_SLOT_CHARACTER 25u /* word of `character` */

/* A pose to compute: written for every skinned slot, read by the pose pass. Checked: the clips exist. */
#define CROWD_POSE_FIELDS(FIELD)                                                                                       \
    FIELD(clips)  /* clip A | clip B << 16 */                                                                          \
    FIELD(phaseA) /* 2^32 is one clip: time in clip = phase / 2^32 x duration; 2^32 - 1 is the end */                  \
    FIELD(phaseB)                                                                                                      \
    FIELD(weight) /* float from 0 (only A) to 1 (only B); 0 without a fade: B is then not sampled */
LAYOUT_STRUCT(LayoutCrowdPose, CROWD_POSE_FIELDS);
#define CROWD_POSE_WORDS LAYOUT_WORDS(CROWD_POSE_FIELDS)

/* ---- Bounds and bones, in the tables ---- */

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

/* ---- Morph weights, in the tables ---- */

/* The weights of a model. Word offsets in the tables. */
#define CROWD_MORPHS_FIELDS(FIELD)                                                                                     \
    FIELD(count)   /* weights per row: one per target of all parts, part by part */                                    \
    FIELD(targets) /* uint [count]: LayoutMorphWeight.morph */                                                         \
    FIELD(clips)   /* LayoutCrowdMorphClip [clipCount] */                                                              \
    FIELD(parts)   /* LayoutCrowdMorphPart [partCount] */                                                              \
    FIELD(partCount)
LAYOUT_STRUCT(LayoutCrowdMorphs, CROWD_MORPHS_FIELDS);
#define CROWD_MORPHS_WORDS LAYOUT_WORDS(CROWD_MORPHS_FIELDS)

/* The weights of a clip. Between two rows they are linear. Of rows with one phase the last one is that of the phase. */
#define CROWD_MORPH_CLIP_FIELDS(FIELD)                                                                                 \
    FIELD(rowCount) /* at least 1 */                                                                                   \
    FIELD(phases)   /* word offset of uint [rowCount], ascending from 0 */                                             \
    FIELD(weights)  /* word offset of float [rowCount][LayoutCrowdMorphs.count] */
LAYOUT_STRUCT(LayoutCrowdMorphClip, CROWD_MORPH_CLIP_FIELDS);
#define CROWD_MORPH_CLIP_WORDS LAYOUT_WORDS(CROWD_MORPH_CLIP_FIELDS)

#define CROWD_MORPH_PART_FIELDS(FIELD)                                                                                 \
    FIELD(count)  /* targets of the part; 0: it has no place in the weights of a slot */                               \
    FIELD(before) /* the first ones, applied before skinning */
LAYOUT_STRUCT(LayoutCrowdMorphPart, CROWD_MORPH_PART_FIELDS);
#define CROWD_MORPH_PART_WORDS LAYOUT_WORDS(CROWD_MORPH_PART_FIELDS)

/*
 * ---- Tables of the crowd: one buffer, which begins with this head. "At": word offset in the tables ----
 *
 * Counts and offsets come first, then what kernels only calculate with: bounds, bind matrices, rows of morph weights.
 * Each frame copies the first part again, so that kernels may trust it. They trust no other memory that is older than the
 * frame: a first frame that was never submitted has written none of it.
 */

#define CROWD_HEAD_FIELDS(FIELD)                                                                                       \
    FIELD(capacity)                                                                                                    \
    FIELD(blocks) /* number of blocks of CROWD_BLOCK characters */                                                     \
    FIELD(clipCount)                                                                                                   \
    FIELD(modelCount)                                                                                                  \
    FIELD(modelsAt) /* LayoutCrowdModel [modelCount] */                                                                \
    FIELD(groupCount)                                                                                                  \
    FIELD(groupsAt) /* LayoutCrowdGroup [groupCount]: the levels of a model in a row, the finest first */              \
    FIELD(poolCount)                                                                                                   \
    FIELD(poolsAt) /* LayoutCrowdPool [poolCount] */                                                                   \
    FIELD(drawCount)                                                                                                   \
    FIELD(viewDraws) /* draws of a view: parts of pools */                                                             \
    FIELD(drawsAt)   /* LayoutCrowdDraw [drawCount] */                                                                 \
    FIELD(jobCount)                                                                                                    \
    FIELD(jobsAt) /* LayoutCrowdJob [jobCount] */                                                                      \
    FIELD(slotCount)                                                                                                   \
    FIELD(keys)        /* word offsets in the work buffer: [capacity], see CROWD_KEY_ */                               \
    FIELD(residents)   /* [capacity]: group << 24 | slot + 1; 0: no slot; CROWD_RESIDENT_YIELDED */                    \
    FIELD(grants)      /* LayoutCrowdGrant [groupCount] */                                                             \
    FIELD(counts)      /* [columns][blocks]: columns of ranks, of grants or of pools */                                \
    FIELD(ranks)       /* the same: sums of all blocks before */                                                       \
    FIELD(totals)      /* [columns of grants], then [columns of pools] */                                              \
    FIELD(rankColumns) /* of all groups */                                                                             \
    FIELD(poolColumns) /* columns of a pool: CROWD_FIRST_VIEW + views of the crowd */                                  \
    FIELD(groupSize)   /* invocations and instances per thread of the skinning kernels */                              \
    FIELD(groupInstances)                                                                                              \
    FIELD(copies)    /* copies of each slot's output */                                                                \
    FIELD(poseSlots) /* slots that a workgroup of the pose pass poses */
LAYOUT_STRUCT(LayoutCrowdHead, CROWD_HEAD_FIELDS);
#define CROWD_HEAD_WORDS LAYOUT_WORDS(CROWD_HEAD_FIELDS)

/*
 * Columns of ranks, of each group: characters of one class each, in which slots run out (see crowd_grant.h). Newcomers in
 * the class that this level cuts, in that of the next coarser one, and so on; then characters that change to this level;
 * then those that have a slot of it.
 */
#define CROWD_RANKS_OF(coarser) ((coarser) + 3u)

/* Columns of grants, of each group: slots that are given, and slots that are free from the next frame on. */
#define CROWD_GRANTED       0u
#define CROWD_FREED         1u
#define CROWD_GRANT_COLUMNS 2u

/* Columns of a pool: characters with a slot, those that are posed and skinned in this frame, then those of each view. */
#define CROWD_SKINNED      0u
#define CROWD_REFRESHED    1u
#define CROWD_FIRST_VIEW   2u
#define CROWD_POOL_COLUMNS (CROWD_FIRST_VIEW + CROWD_VIEWS)

/* A key: what a frame knows of a character. Bits 0 to 7: the views that see it. */
#define CROWD_KEY_VIEWS       0xffu
#define CROWD_KEY_TELEPORTED  0x100u
#define CROWD_KEY_PRIORITY    0x200u
#define CROWD_KEY_NEW         0x400u  /* it gets a slot in this frame */
#define CROWD_KEY_YIELDS      0x800u  /* it gives its slot away, but is drawn with it in this frame */
#define CROWD_KEY_SPILL       0x3000u /* with CROWD_KEY_NEW: how many levels coarser than its wish that slot is */
#define CROWD_KEY_SPILL_SHIFT 12u
#define CROWD_KEY_PARTED      0x4000u
#define CROWD_KEY_REFRESHES   (CROWD_KEY_NEW | CROWD_KEY_TELEPORTED | CROWD_KEY_PARTED | CROWD_KEY_PRIORITY)
#define CROWD_KEY_CLASS_SHIFT 16u /* who gets a slot first: 8 bits, the largest first */
#define CROWD_KEY_GROUP_SHIFT 24u /* the level that it wishes */

/* A class: priority, then whether a colour view sees it, then the size on the screen, CROWD_SIZES of them. */
#define CROWD_CLASSES        256u
#define CROWD_CLASS_PRIORITY 128u
#define CROWD_CLASS_COLOUR   64u
#define CROWD_SIZES          64u

#define CROWD_RESIDENT_SHIFT   24u
#define CROWD_RESIDENT_GROUP   0x3fu
#define CROWD_RESIDENT_SLOT    0xffffffu
#define CROWD_RESIDENT_YIELDED 0x80000000u /* the slot was lent for one more frame: now it is free */

#define CROWD_LEVELS 4u
#define CROWD_GROUPS 64u /* most groups: CROWD_LEVELS of 16 models */

#define CROWD_MODEL_FIELDS(FIELD)                                                                                      \
    FIELD(boundsAt) /* LayoutCrowdBounds [clipCount] */                                                                \
    FIELD(firstGroup)                                                                                                  \
    FIELD(levelCount)                                                                                                  \
    FIELD(reserved)
LAYOUT_STRUCT(LayoutCrowdModel, CROWD_MODEL_FIELDS);
#define CROWD_MODEL_WORDS LAYOUT_WORDS(CROWD_MODEL_FIELDS)

/* A level of a model. */
#define CROWD_GROUP_FIELDS(FIELD)                                                                                      \
    FIELD(model)                                                                                                       \
    FIELD(firstGroup) /* level 0 of the model */                                                                       \
    FIELD(level)                                                                                                       \
    FIELD(coarser)  /* number of coarser levels: they are the next groups */                                           \
    FIELD(error)    /* a float: the square of VkskinCrowdLevel.error */                                                \
    FIELD(interval) /* 1, 2 or 4 */                                                                                    \
    FIELD(vertices) /* of all parts */                                                                                 \
    FIELD(rankAt)   /* its first column of ranks */                                                                    \
    FIELD(ring)     /* word offset in the work buffer: head, used, then a word per slot: 0, or a free slot + 1 */      \
    FIELD(slots)                                                                                                       \
    FIELD(firstPool)                                                                                                   \
    FIELD(poolSlots) /* slots of each pool but the last: pool = firstPool + slot / poolSlots */                        \
    FIELD(poolCount)                                                                                                   \
    FIELD(skinAt)   /* LayoutCrowdSkin */                                                                              \
    FIELD(morphsAt) /* LayoutCrowdMorphs; 0: no weights */                                                             \
    FIELD(reserved)
LAYOUT_STRUCT(LayoutCrowdGroup, CROWD_GROUP_FIELDS);
#define CROWD_GROUP_WORDS LAYOUT_WORDS(CROWD_GROUP_FIELDS)

/* The ring of a group. A word of 0 stands for its own index, so that zero memory has all slots free. */
#define CROWD_RING_HEAD  0u /* index of the next free slot in the ring */
#define CROWD_RING_USED  1u /* slots that are not free */
#define CROWD_RING_SLOTS 2u

/* A pool: slots whose palettes are in one buffer, and whose output is in one buffer. Word offsets in the frame. */
#define CROWD_POOL_FIELDS(FIELD)                                                                                       \
    FIELD(group)                                                                                                       \
    FIELD(firstSlot) /* number of slots of the pools before */                                                         \
    FIELD(slots)                                                                                                       \
    FIELD(counts)       /* totals of its columns: CROWD_POOL_COLUMNS words */                                          \
    FIELD(lists)        /* list of each view: slots, counted from the pool's first slot: [maxViews][slots] */          \
    FIELD(skinned)      /* the skinned slots: [slots] */                                                               \
    FIELD(characters)   /* the character of each skinned slot, in the same order, and CROWD_SKINNED_ bits: [slots] */  \
    FIELD(refreshed)    /* the slots that are posed and skinned in this frame: [slots] */                              \
    FIELD(entries)      /* place of each skinned slot in `refreshed`, if it is there: [slots] */                       \
    FIELD(olds)         /* by slot: resident word of a character that came from another level; 0: none: [slots] */     \
    FIELD(records)      /* LayoutCrowdSlot [slots] */                                                                  \
    FIELD(poses)        /* LayoutCrowdPose [slots] */                                                                  \
    FIELD(poseGroups)   /* VkDispatchIndirectCommand of the pose pass */                                               \
    FIELD(paletteUnits) /* units of 16 bytes from the palette of a slot to the next */                                 \
    FIELD(partCount)                                                                                                   \
    FIELD(partsAt)     /* LayoutCrowdPart [partCount] */                                                               \
    FIELD(outputWords) /* from the output of a slot to the next */                                                     \
    FIELD(copyWords)   /* from a copy of the output of a slot to the next */                                           \
    FIELD(morphs)      /* morph weights of the slots: for each part with targets a LayoutMorphs and room for all */    \
    FIELD(morphWords)  /* from the weights of a slot to those of the next; 0: none */
LAYOUT_STRUCT(LayoutCrowdPool, CROWD_POOL_FIELDS);
#define CROWD_POOL_WORDS LAYOUT_WORDS(CROWD_POOL_FIELDS)

#define CROWD_SKINNED_NEW        0x80000000u
#define CROWD_SKINNED_TELEPORTED 0x40000000u
#define CROWD_SKINNED_PARTED     0x20000000u
/* Previous positions are the current ones; the previous transform too, of new and teleported ones. */
#define CROWD_SKINNED_JUMPS     (CROWD_SKINNED_NEW | CROWD_SKINNED_TELEPORTED | CROWD_SKINNED_PARTED)
#define CROWD_SKINNED_YIELDED   0x10000000u
#define CROWD_SKINNED_REFRESHED 0x08000000u
#define CROWD_SKINNED_CHARACTER 0xffffffu

/* A part in a pool. Without a mask it has the lists and counts of the pool. */
#define CROWD_PART_FIELDS(FIELD)                                                                                        \
    FIELD(                                                                                                              \
        instances) /* word offset in the frame of LayoutInstance [slots]: the refreshed slots that show it, in order */ \
    FIELD(place)   /* words from the output of a slot to that of the part */                                            \
    FIELD(morphs)  /* word offset in the frame of the weights of the first slot; 0: none */                             \
    FIELD(mask)    /* 0: all characters show it; otherwise those with one of these bits in LayoutCrowdCold.parts */     \
    FIELD(lists)   /* as LayoutCrowdPool.lists, of the characters that show it */                                       \
    FIELD(counts)  /* as LayoutCrowdPool.counts, from CROWD_REFRESHED on */                                             \
    FIELD(firstJob) /* its jobs: [jobCount] */                                                                          \
    FIELD(jobCount)
LAYOUT_STRUCT(LayoutCrowdPart, CROWD_PART_FIELDS);
#define CROWD_PART_WORDS LAYOUT_WORDS(CROWD_PART_FIELDS)

/* The skinning of a class of a part in a pool: a LayoutJob, and a VkDispatchIndirectCommand. Word offsets in the frame. */
#define CROWD_JOB_FIELDS(FIELD)                                                                                        \
    FIELD(pool)                                                                                                        \
    FIELD(job)                                                                                                         \
    FIELD(groups)                                                                                                      \
    FIELD(vertexClass) /* word offset in the mesh page */                                                              \
    FIELD(vertexCount)
LAYOUT_STRUCT(LayoutCrowdJob, CROWD_JOB_FIELDS);
#define CROWD_JOB_WORDS LAYOUT_WORDS(CROWD_JOB_FIELDS)

/* A draw of the host. */
#define CROWD_DRAW_FIELDS(FIELD)                                                                                       \
    FIELD(pool)                                                                                                        \
    FIELD(view)                                                                                                        \
    FIELD(part)      /* part of the model, an index */                                                                 \
    FIELD(arguments) /* word offset in the frame of its VkDrawIndexedIndirectCommand */                                \
    FIELD(indexCount)                                                                                                  \
    FIELD(firstIndex)                                                                                                  \
    FIELD(vertexOffset)
LAYOUT_STRUCT(LayoutCrowdDraw, CROWD_DRAW_FIELDS);
#define CROWD_DRAW_WORDS LAYOUT_WORDS(CROWD_DRAW_FIELDS)

/* ---- The work buffer begins with this ---- */

/* Planes of the views, which the apply pass copies there: 4 floats each. LayoutCrowdView.planes: how many are used. */
#define CROWD_WORK_PLANES 0u
#define CROWD_PLANE_WORDS 512u /* CROWD_VIEWS x CROWD_PLANES x 4 */

/* LayoutCrowdView [CROWD_VIEWS], which it copies too. */
#define CROWD_WORK_VIEWS CROWD_PLANE_WORDS
#define CROWD_VIEW_FIELDS(FIELD)                                                                                       \
    FIELD(planes)   /* number of planes */                                                                             \
    FIELD(scale)    /* a float: the square of VkskinCrowdView.pixelsPerUnit; 0: all are near */                        \
    FIELD(parallel) /* 1: distance does not matter */                                                                  \
    FIELD(eyeX)     /* floats */                                                                                       \
    FIELD(eyeY)                                                                                                        \
    FIELD(eyeZ)                                                                                                        \
    FIELD(reserved0)                                                                                                   \
    FIELD(reserved1)
LAYOUT_STRUCT(LayoutCrowdView, CROWD_VIEW_FIELDS);
#define CROWD_VIEW_WORDS LAYOUT_WORDS(CROWD_VIEW_FIELDS)

#define CROWD_VIEWS_WORDS (CROWD_PLANE_WORDS + CROWD_VIEWS * CROWD_VIEW_WORDS) /* planes and views */

/* ... then counters, which it sets to zero. */
#define CROWD_WORK_STATS CROWD_VIEWS_WORDS
#define CROWD_STATS_FIELDS(FIELD)                                                                                      \
    FIELD(badClip)                                                                                                     \
    FIELD(badModel)                                                                                                    \
    FIELD(badPlace)                                                                                                    \
    FIELD(skinned)                                                                                                     \
    FIELD(refused)                                                                                                     \
    FIELD(maxPixels) /* a float */                                                                                     \
    FIELD(drawn0)    /* in each view */                                                                                \
    FIELD(drawn1)                                                                                                      \
    FIELD(drawn2)                                                                                                      \
    FIELD(drawn3)                                                                                                      \
    FIELD(drawn4)                                                                                                      \
    FIELD(drawn5)                                                                                                      \
    FIELD(drawn6)                                                                                                      \
    FIELD(drawn7)                                                                                                      \
    FIELD(slots0) /* of each level */                                                                                  \
    FIELD(slots1)                                                                                                      \
    FIELD(slots2)                                                                                                      \
    FIELD(slots3)                                                                                                      \
    FIELD(refreshed0)                                                                                                  \
    FIELD(refreshed1)                                                                                                  \
    FIELD(refreshed2)                                                                                                  \
    FIELD(refreshed3)                                                                                                  \
    FIELD(low0) /* skinned vertices of each level: low and high words */                                               \
    FIELD(low1)                                                                                                        \
    FIELD(low2)                                                                                                        \
    FIELD(low3)                                                                                                        \
    FIELD(high0)                                                                                                       \
    FIELD(high1)                                                                                                       \
    FIELD(high2)                                                                                                       \
    FIELD(high3)                                                                                                       \
    FIELD(reserved0)                                                                                                   \
    FIELD(reserved1)
LAYOUT_STRUCT(LayoutCrowdStats, CROWD_STATS_FIELDS);
#define CROWD_STATS_WORDS LAYOUT_WORDS(CROWD_STATS_FIELDS)

/* The fields of LayoutCrowdStats by number. */
#define CROWD_STATS_BAD_CLIP   0u
#define CROWD_STATS_BAD_MODEL  1u
#define CROWD_STATS_BAD_PLACE  2u
#define CROWD_STATS_SKINNED    3u
#define CROWD_STATS_REFUSED    4u
#define CROWD_STATS_MAX_PIXELS 5u
#define CROWD_STATS_DRAWN      6u
#define CROWD_STATS_SLOTS      14u
#define CROWD_STATS_UPDATED    18u /* refreshed */
#define CROWD_STATS_LOW        22u
#define CROWD_STATS_HIGH       26u

/* LayoutCrowdBudget: what the budget keeps from frame to frame. */
#define CROWD_WORK_BUDGET (CROWD_WORK_STATS + CROWD_STATS_WORDS)

#define CROWD_BUDGET_FIELDS(FIELD)                                                                                     \
    FIELD(growth)  /* how much maxPixels grows, in 16.16 fixed point, without the 1 */                                 \
    FIELD(barrier) /* a growth with which characters wanted too much: it does not shrink to it again; 0: none */       \
    FIELD(demand)  /* of the last frame, in units of CROWD_BUDGET_UNIT vertices */                                     \
    FIELD(before)  /* growth of the frame before */
LAYOUT_STRUCT(LayoutCrowdBudget, CROWD_BUDGET_FIELDS);
#define CROWD_BUDGET_WORDS LAYOUT_WORDS(CROWD_BUDGET_FIELDS)

/*
 * How many characters of each class need what, for each group: see crowd_grant.h. The apply pass sets it to zero, the count
 * pass adds. Then `leaving`, slots that are free from the next frame on, and `wishes`, characters that wish the level.
 */
#define CROWD_WORK_HISTS     (CROWD_WORK_BUDGET + CROWD_BUDGET_WORDS)
#define CROWD_HIST_NEWCOMERS 0u
#define CROWD_HIST_CHANGERS  CROWD_CLASSES
#define CROWD_HIST_HOLDERS   (2u * CROWD_CLASSES)
#define CROWD_HIST_LEAVING   (3u * CROWD_CLASSES)
#define CROWD_HIST_WISHES    (3u * CROWD_CLASSES + 1u)
#define CROWD_HIST_WORDS     (3u * CROWD_CLASSES + 4u)

#define CROWD_WORK_WORDS CROWD_WORK_HISTS /* then the histograms of all groups */

/* What the grant pass decides for a group: see crowd_grant.h. */
#define CROWD_GRANT_FIELDS(FIELD)                                                                                      \
    FIELD(above) /* this class and larger ones get a slot of the level; of the next smaller one, the first ones: */    \
    FIELD(take0) /* newcomers that wish the level */                                                                   \
    FIELD(take1) /* newcomers that wish the next finer one, and so on */                                               \
    FIELD(take2)                                                                                                       \
    FIELD(take3)                                                                                                       \
    FIELD(takeChangers)                                                                                                \
    FIELD(yieldBelow) /* those with a slot in smaller classes yield it; in this class all but the first `keep` */      \
    FIELD(keep)                                                                                                        \
    FIELD(refused) /* newcomers past the last level; 0 in other levels */                                              \
    FIELD(ranked)  /* 1: a class is cut: ranks are needed */                                                           \
    FIELD(reserved0)                                                                                                   \
    FIELD(reserved1)
LAYOUT_STRUCT(LayoutCrowdGrant, CROWD_GRANT_FIELDS);
#define CROWD_GRANT_WORDS LAYOUT_WORDS(CROWD_GRANT_FIELDS)

/* ---- What the host writes in a frame, and the counters that it reads ---- */

#define CROWD_INPUT_STATS   0u
#define CROWD_INPUT_PLANES  CROWD_STATS_WORDS /* planes and views, as in the work buffer */
#define CROWD_INPUT_CHANGES (CROWD_INPUT_PLANES + CROWD_VIEWS_WORDS)

/*
 * All changes of a character since the last frame, at most one record each. They apply in the order of the fields: first
 * CROWD_CHANGE_ADD or CROWD_CHANGE_REMOVE, then the speed, then the two plays.
 */
#define CROWD_CHANGE_FIELDS(FIELD)                                                                                     \
    FIELD(character)                                                                                                   \
    FIELD(what)                              /* CROWD_CHANGE_ bits */                                                  \
    CROWD_TRANSFORM_FIELDS(FIELD, transform) /* as LayoutCrowdState */                                                 \
    FIELD(model)                                                                                                       \
    FIELD(generation)                                                                                                  \
    FIELD(variation)                                                                                                   \
    FIELD(speed)  /* two's complement, CROWD_SPEED_ONE is 1 */                                                         \
    FIELD(clip1)  /* clip of the new play, CROWD_PLAY_ONCE */                                                          \
    FIELD(phase1) /* where it starts */                                                                                \
    FIELD(speed1)                                                                                                      \
    FIELD(unit1) /* rate at speed 1 */                                                                                 \
    FIELD(fade1) /* ticks */                                                                                           \
    FIELD(clip2)                                                                                                       \
    FIELD(phase2)                                                                                                      \
    FIELD(speed2)                                                                                                      \
    FIELD(unit2)                                                                                                       \
    FIELD(fade2)                                                                                                       \
    FIELD(parts)                                                                                                       \
    FIELD(reserved0)                                                                                                   \
    FIELD(reserved1)                                                                                                   \
    FIELD(reserved2)
LAYOUT_STRUCT(LayoutCrowdChange, CROWD_CHANGE_FIELDS);
#define CROWD_CHANGE_WORDS LAYOUT_WORDS(CROWD_CHANGE_FIELDS)

#define CROWD_CHANGE_ADD         0x1u
#define CROWD_CHANGE_REMOVE      0x2u
#define CROWD_CHANGE_MOVE        0x4u
#define CROWD_CHANGE_TELEPORT    0x8u
#define CROWD_CHANGE_HIDE        0x10u
#define CROWD_CHANGE_SHOW        0x20u
#define CROWD_CHANGE_VARIATION   0x40u
#define CROWD_CHANGE_SPEED       0x80u
#define CROWD_CHANGE_PLAY1       0x100u
#define CROWD_CHANGE_PLAY2       0x200u
#define CROWD_CHANGE_PRIORITY    0x400u
#define CROWD_CHANGE_NO_PRIORITY 0x800u
#define CROWD_CHANGE_PARTS       0x1000u

#define CROWD_PLAY_ONCE   0x80000000u
#define CROWD_SPEED_SHIFT 20u
#define CROWD_SPEED_ONE   (1u << CROWD_SPEED_SHIFT)

/* Transforms with a larger number are not drawn. */
#define CROWD_FAR 1e15f

/* Squares of distances and of pixels stay between these, so that they are finite. */
#define CROWD_NEAREST 1e-20f
#define CROWD_LARGEST 1e30f

/* A coarser level is taken below 0.9 of the allowed pixels: the square of that. */
#define CROWD_COARSER 0.81f

/* Size classes: exponent and upper bit of the mantissa of the square of pixels, from 2^-4 on: four
 * classes an octave of the size. */
#define CROWD_SIZE_SHIFT 22u
#define CROWD_SIZE_FIRST 246u

/* Upper bound of the rounding error of a distance, relative to the size of its terms. Within it, characters are drawn. */
#define CROWD_SLACK 1e-6f

/* Push constants of all passes but the pose pass. */
#define CROWD_PUSH_FIELDS(FIELD)                                                                                       \
    FIELD(tick)                                                                                                        \
    FIELD(views)     /* bits: the views of this frame */                                                               \
    FIELD(colours)   /* bits: those that are for colour */                                                             \
    FIELD(changes)   /* number of changes */                                                                           \
    FIELD(number)    /* of records of the crowd that were not cancelled, before this one */                            \
    FIELD(columns)   /* scan pass: CROWD_SCAN_ */                                                                      \
    FIELD(maxPixels) /* a float: VkskinCrowdFrame.maxPixels */                                                         \
    FIELD(capacity)                                                                                                    \
    FIELD(groups) /* number of groups */                                                                               \
    FIELD(budget) /* VkskinCrowdFrame.maxVertices in units of CROWD_BUDGET_UNIT; 0: none */
LAYOUT_STRUCT(LayoutCrowdPush, CROWD_PUSH_FIELDS);

#define CROWD_SCAN_RANKS  0u
#define CROWD_SCAN_GRANTS 1u
#define CROWD_SCAN_POOLS  2u

/* Vertices; the largest growth; its steps are a twentieth and, near the budget, a hundredth of the whole. */
#define CROWD_BUDGET_UNIT 64u
#define CROWD_MOST_GROWTH 0x3ff0000u

/* What the pose pass reads of a level: the nodes that have bones, and their ancestors, in the order of the clip set; and the
 * bones of a skin as entries, in the order of their nodes. */
#define CROWD_SKIN_FIELDS(FIELD)                                                                                       \
    FIELD(starts) /* word offset of uint [nodeCount + 1]: the first entry of each node of the list */                  \
    FIELD(bones)  /* word offset of uint [boneCount]: the bone of each entry */                                        \
    FIELD(binds)  /* word offset of 12 floats [boneCount]: the inverse bind matrix of each entry, a VkskinAffine */    \
    FIELD(nodes)  /* word offset of two uint [nodeCount]: place in the clip set, number of the parent in this list */  \
    FIELD(nodeCount)                                                                                                   \
    FIELD(rounds) /* as LayoutClipSet.rounds, of this list */
LAYOUT_STRUCT(LayoutCrowdSkin, CROWD_SKIN_FIELDS);
#define CROWD_SKIN_WORDS LAYOUT_WORDS(CROWD_SKIN_FIELDS)
#define CROWD_BIND_WORDS 12u

/* ---- The pose pass ---- */

/* Descriptor sets of the pose pass. */
#define CROWD_POSE_SET_CLIPS    0 /* the clip set; read */
#define CROWD_POSE_SET_TABLES   1 /* the crowd's tables; read */
#define CROWD_POSE_SET_PALETTES 2 /* palettes and temporary memory of a pool; written */
#define CROWD_POSE_SET_FRAME    3 /* lists, slots and poses; read */

/* Specialisation constants of the pose pass. */
#define CROWD_POSE_CONSTANT_ENCODING 0 /* VkskinPaletteEncoding */
#define CROWD_POSE_CONSTANT_POSING   1 /* VkskinCrowdPosing */
#define CROWD_POSE_CONSTANT_COUNT    2
#define CROWD_POSING_THREAD          1u /* VKSKIN_CROWD_POSING_THREAD */

/*
 * Push constants of the pose pass: one indirect dispatch per pool, a thread or a workgroup of CROWD_GROUP threads per
 * listed slot. One whose index is not below the count does nothing. Groups: y * gl_NumWorkGroups.x + x.
 */
#define CROWD_POSE_PUSH_FIELDS(FIELD)                                                                                  \
    FIELD(clipSet)       /* word offset of the clip set in its buffer: see clip_set.h */                               \
    FIELD(skin)          /* word offset of the LayoutCrowdSkin in the tables */                                        \
    FIELD(count)         /* word offset in the frame of the number of listed slots */                                  \
    FIELD(list)          /* word offset in the frame of the list: uint slots, counted from the pool's first slot */    \
    FIELD(poses)         /* word offset in the frame of LayoutCrowdPose [slots of the pool] */                         \
    FIELD(paletteStride) /* words from the palette of a slot to the next; a multiple of 4 */                           \
    FIELD(scratch)       /* word offset of the temporary memory in the palettes' buffer; a multiple of 4 */            \
    FIELD(scratchStride) /* words from a slot's temporary memory to the next: sknCrowdScratchWords, a multiple of 4 */ \
    FIELD(nodeCount)                                                                                                   \
    FIELD(lastClipWord) /* last word of the clip set, counted from its start */
LAYOUT_STRUCT(LayoutCrowdPosePush, CROWD_POSE_PUSH_FIELDS);

#endif
