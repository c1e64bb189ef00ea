/**
 * @file
 * Blending poses on the CPU: layers with weights and masks, additive layers, playback, clips in step, root motion.
 *
 * The calls of a frame, for one character:
 *
 *     vkskinAdvancePlayback or vkskinAdvanceSync -> vkskinSampleClip for each clip -> vkskinBlendLayers
 *         -> (vkskin_ik.h) -> vkskinComposePose -> vkskinWritePalette
 *
 * Poses are arrays of VkskinTransform as vkskinSampleClip writes them. Where they come from does not matter.
 *
 * Any thread may make every call; concurrent calls must write to different memory. No call allocates memory. All
 * instruction levels run the same code, and each call works on one character: the same inputs give the same bits on
 * any number of threads and any processor of one architecture. Results are returned and not logged. A call that fails
 * changes nothing. The rules and errors of vkskin_base.h and the conventions of vkskin_pose.h apply.
 */
#ifndef VKSKIN_BLEND_H
#define VKSKIN_BLEND_H

#include "vkskin_pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup layers Layers
 *  Blends any number of poses, each with a weight and a mask per node, and adds additive poses.
 *  @{ */

/** A pose that takes part in a blend. Has no default function: set it to zero, then fill it. */
typedef struct VkskinPoseLayer {
    const VkskinTransform *pose; ///< [nodeCount]; not read at nodes where weight x mask is 0
    float weight;                ///< finite, at least 0; in `additives` -1 to 1, where negative subtracts
    const float *mask;           ///< [nodeCount], each 0 to 1, multiplies the weight at its node; null: all 1
} VkskinPoseLayer;

/** Describes a blend. Made by vkskinDefaultBlendDef. Nothing is kept. */
typedef struct VkskinBlendDef {
    uint32_t cookie;               ///< set by vkskinDefaultBlendDef
    uint32_t nodeCount;            ///< number of transforms in each pose, 0 or more
    uint32_t layerCount;           ///< 0 or more
    const VkskinPoseLayer *layers; ///< [layerCount]; may be null if layerCount is 0
    /** [nodeCount]. Fills up nodes whose weights have a sum below `threshold`: its weight is the difference. */
    const VkskinTransform *rest;
    /** Finite, above 0; default 0.1. With 1, a mask or weight below 1 shows `rest` in its place: use this to put a layer
     * over another pose. */
    float threshold;
    uint32_t additiveCount;           ///< 0 or more
    const VkskinPoseLayer *additives; ///< [additiveCount], from vkskinMakeAdditive, added in this order
} VkskinBlendDef;

/** @return a def with threshold 0.1, all else zero except the cookie; set nodeCount, rest and layers */
VKSKIN_API VkskinBlendDef vkskinDefaultBlendDef(void);

/**
 * Blends layers, then adds additive layers. For each node:
 *
 * - The weights are divided by their sum, so that only their ratio matters above the threshold.
 * - Translations and scales: the weighted mean.
 * - Rotations: the weighted sum of unit quaternions, normalised. Each is first turned into the hemisphere of the sum of
 *   those before it, so q and -q are the same rotation. Of two poses this differs from slerp, except at weights 0, 0.5
 *   and 1.
 * - An additive layer of weight w: translation + w t; scale x (1 + w (s - 1)); rotation: the normalised mix of no
 *   rotation (1 - w) and q (w), applied after the blended one. A negative weight does the inverse of the positive one;
 *   where that would divide a scale by 0 (weight -1, s 0), the scale does not change.
 *
 * @param def  describes the blend
 * @param out  [nodeCount]: receives the pose, rotations of unit length. Not finite where the input is not. May be `rest`
 *             or the pose of a layer or an additive layer, but must not overlap them in part
 * @retval VKSKIN_ERROR_INVALID_VALUE        a weight, the threshold or an element of a mask is out of range or NaN
 */
VKSKIN_API VkskinResult vkskinBlendLayers(const VkskinBlendDef *def, VkskinTransform *out);

/**
 * Makes an additive pose: the difference between a pose and a reference. Added with weight 1 to the reference, it gives
 * the pose. The difference of the reference to itself is the identity.
 *
 * @param nodeCount  number of transforms in each array, 0 or more
 * @param reference  [nodeCount]; often the first moment of the clip that is made additive
 * @param pose       [nodeCount]
 * @param out        [nodeCount]: receives pose - reference for translations and pose / reference for scales (1 where the
 *                   reference is 0). A rotation is the one that leads from the reference to the pose. May be one of
 *                   the other arrays, but must not overlap them in part
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinMakeAdditive(uint32_t nodeCount, const VkskinTransform *reference,
                                           const VkskinTransform *pose, VkskinTransform *out);

/**
 * Sets the elements of a mask for a node and all its descendants. Other elements do not change. Fill the mask before
 * the first call.
 *
 * @param skeleton  the skeleton
 * @param node      below the nodeCount of the skeleton
 * @param value     0 to 1
 * @param mask      [vkskinGetSkeletonNodeCount(skeleton)]
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE  node is not below the nodeCount of the skeleton
 * @retval VKSKIN_ERROR_INVALID_VALUE      the value is not from 0 to 1
 */
VKSKIN_API VkskinResult vkskinMaskSubtree(VkskinSkeleton skeleton, uint32_t node, float value, float *mask);

/** The course of a fade from weight 0 to 1. */
typedef enum VkskinFade {
    VKSKIN_FADE_LINEAR = 0, ///< constant speed
    VKSKIN_FADE_SMOOTH = 1  ///< slow at both ends: 3 t^2 - 2 t^3
} VkskinFade;

/**
 * Returns the weight of the new clip of a crossfade; the old clip has 1 minus it.
 *
 * @param elapsed   seconds since the start of the fade; negative: the weight is 0
 * @param duration  seconds, at least 0; with 0 the weight is 1 from the start on
 * @param fade      the course; an unknown value is VKSKIN_FADE_LINEAR
 * @return 0 to 1; 0 if an argument is NaN
 */
VKSKIN_API float vkskinFadeWeight(double elapsed, float duration, VkskinFade fade);

/** @} */

/** @defgroup playback Playback
 *  The time of a clip, and of several clips in step.
 *  @{ */

/** What happens at the end of a clip. With negative speed the end is time 0. */
typedef enum VkskinPlayMode {
    VKSKIN_PLAY_LOOP = 0, ///< the clip starts again; the time is at least 0 and below the duration
    VKSKIN_PLAY_HOLD = 1, ///< the clip ends, the time stays at the end
    VKSKIN_PLAY_ONCE = 2  ///< the clip ends, the time returns to where it starts
} VkskinPlayMode;

/** The playback of one clip. Made by vkskinStartPlayback; the host may change speed and mode between calls. */
typedef struct VkskinPlayback {
    double time;         ///< seconds in the clip, 0 to the duration
    float speed;         ///< seconds of the clip per second, finite; negative plays backwards
    VkskinPlayMode mode; ///< what happens at the end
    bool ended; ///< the end was reached: vkskinAdvancePlayback changes nothing any more. Never set by VKSKIN_PLAY_LOOP
} VkskinPlayback;

/** The part of a clip that a frame played. */
typedef struct VkskinPlayStep {
    double from; ///< seconds in the clip before the step
    double to;   ///< seconds in the clip after the step: the time to sample
    /** How often the step passed the end of the clip and went on at its start; negative: how often it passed the start
     * backwards. */
    int32_t loops;
    bool ended; ///< the clip has ended, in this step or before
} VkskinPlayStep;

/**
 * Returns a playback at the start of a clip: at 0, or at the duration if the speed is negative.
 *
 * @param mode      what happens at the end
 * @param speed     seconds of the clip per second, finite
 * @param duration  seconds, at least 0: vkskinGetClipDuration
 * @return the playback; not ended
 */
VKSKIN_API VkskinPlayback vkskinStartPlayback(VkskinPlayMode mode, float speed, float duration);

/**
 * Advances a playback. A clip of 0 seconds has one moment: it never loops, and has ended after its first step of more
 * than 0 seconds.
 *
 * @param playback  changed
 * @param duration  seconds, finite, at least 0: vkskinGetClipDuration
 * @param seconds   time since the last call, finite; may be negative
 * @param step      receives what was played; may be null
 * @retval VKSKIN_ERROR_INVALID_VALUE  duration, seconds or a member of the playback is out of range or not finite, or
 *                                     the step has more than 2,000,000,000 loops
 */
VKSKIN_API VkskinResult vkskinAdvancePlayback(VkskinPlayback *playback, float duration, double seconds,
                                              VkskinPlayStep *step);

/** One of several clips that loop in step. Has no default function: set it to zero, then fill it. */
typedef struct VkskinSyncClip {
    float duration; ///< seconds, finite, at least 0: vkskinGetClipDuration
    float weight;   ///< finite, at least 0: its weight in the blend
    float offset;   ///< finite: share of the duration by which the clip is ahead of the phase
} VkskinSyncClip;

/**
 * Advances a phase that several clips share, so that walk and run stay in step at any mix. All clips pass once through
 * their duration while the phase goes from 0 to 1. That takes the weighted mean of the durations. All clips loop.
 *
 * @param clips    [count]; the sum of the weights is above 0
 * @param count    at least 1
 * @param speed    finite; multiplies `seconds`; negative plays backwards
 * @param seconds  time since the last call, finite
 * @param phase    0 to 1, changed: receives a value of at least 0 and below 1. It does not change if all clips with a
 *                 weight have 0 seconds
 * @param steps    [count]: receives the part that each clip played, also of clips with weight 0
 * @retval VKSKIN_ERROR_INVALID_VALUE  count is 0, a value is out of range or not finite, all weights are 0, or the step
 *                                     has more than 2,000,000,000 loops
 */
VKSKIN_API VkskinResult vkskinAdvanceSync(const VkskinSyncClip *clips, uint32_t count, float speed, double seconds,
                                          double *phase, VkskinPlayStep *steps);

/** @} */

/** @defgroup root Root motion
 *  Moves the path of a clip from its root node to the character.
 *  @{ */

/** Parts of the root's movement that are taken out of the clip. Combine the bits with `|`. */
typedef enum VkskinRootBits {
    VKSKIN_ROOT_HORIZONTAL_BIT = 1, ///< the translation at right angles to `up`
    VKSKIN_ROOT_VERTICAL_BIT = 2,   ///< the translation along `up`
    VKSKIN_ROOT_TURN_BIT = 4        ///< the rotation about `up`
} VkskinRootBits;

/**
 * Describes the root motion of a clip. Made by vkskinDefaultRootDef. Nothing is kept. All transforms are the root
 * node's local ones, as poses have them; all results are in the space of its parent. Scales are ignored.
 */
typedef struct VkskinRootDef {
    uint32_t cookie;       ///< set by vkskinDefaultRootDef
    uint32_t parts;        ///< set of VkskinRootBits; default VKSKIN_ROOT_HORIZONTAL_BIT | VKSKIN_ROOT_TURN_BIT
    float up[3];           ///< finite, any length above 0; default y
    VkskinTransform first; ///< the root at time 0; default the identity
    VkskinTransform last;  ///< the root at the duration; used by steps that loop; default the identity
} VkskinRootDef;

/** @return the default def; set first and last */
VKSKIN_API VkskinRootDef vkskinDefaultRootDef(void);

/**
 * Returns how far a step moves the character: new transform of the character = old transform x delta. Over many steps
 * the deltas multiply to the whole path, also over loops and backwards.
 *
 * @param def    describes the root motion of the clip
 * @param from   the root at step.from
 * @param to     the root at step.to
 * @param loops  step.loops
 * @param delta  receives translation and rotation; its scale is 1; unchanged after an error
 * @retval VKSKIN_ERROR_INVALID_VALUE         `up` has no length or is not finite, or unknown bits in `parts`
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a transform is NaN or infinite, or the result is too large for a float
 */
VKSKIN_API VkskinResult vkskinRootDelta(const VkskinRootDef *def, const VkskinTransform *from,
                                        const VkskinTransform *to, int32_t loops, VkskinTransform *delta);

/**
 * Takes the path out of the root of a pose: the parts in `parts` become those of def.first, the others stay. A character
 * that is moved by vkskinRootDelta then shows the pose where the whole clip would have shown it.
 *
 * @param def   describes the root motion of the clip
 * @param root  the root at the time of the pose; receives the root without the path
 * @retval VKSKIN_ERROR_INVALID_VALUE         `up` has no length or is not finite, or unknown bits in `parts`
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a transform is NaN or infinite, or the result is too large for a float
 */
VKSKIN_API VkskinResult vkskinTakeRootPath(const VkskinRootDef *def, VkskinTransform *root);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
