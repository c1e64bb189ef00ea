/**
 * @file
 * Springs on the CPU: chains of nodes that swing behind a pose, such as hair, tails and straps.
 *
 * The calls of a frame, after IK:
 *
 *     vkskinComposePose -> (vkskin_ik.h) -> vkskinStepSpring for each chain -> vkskinWritePalette
 *
 * The nodes below the start of a chain are points. A spring pulls each point to its place in the pose, relative to the
 * current place of the node before it. So a chain bends and keeps its shape. Between steps a point moves exactly as a
 * damped oscillator: x'' = stiffness (pose - x) - damping x' + gravity. So no stiffness makes it unstable. Then it is moved to
 * the length of its bone and out of colliders. Steps are 1/240 second, whatever the frame rate; a frame between two steps
 * shows the points moved on with their velocity.
 *
 * Calls on different springs may be made at the same time; a spring is used by one call at a time. Only
 * vkskinCreateSpring allocates memory. The same inputs give the same bits on any number of threads. The rules and errors of
 * vkskin_base.h and the conventions of vkskin_pose.h apply.
 *
 * Results are exact, within rounding, where the ancestors of a node scale all axes alike, as in vkskin_ik.h.
 */
#ifndef VKSKIN_SPRING_H
#define VKSKIN_SPRING_H

#include "vkskin_pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup springs Springs
 *  Chains that swing.
 *  @{ */

/** A chain of one character: null, or made by vkskinCreateSpring. */
typedef struct VkskinSpring_T *VkskinSpring;

/** Seconds of a step. */
#define VKSKIN_SPRING_STEP (1.0 / 240.0)

/** Describes a chain. Made by vkskinDefaultSpringDef. */
typedef struct VkskinSpringDef {
    uint32_t cookie;         ///< set by vkskinDefaultSpringDef
    VkskinSkeleton skeleton; ///< must exist as long as the spring
    uint32_t start;          ///< first node that turns; its place follows the pose
    uint32_t end;            ///< last point, a descendant of `start`. The nodes between them are points too
    /** 0 to 1,000,000, in 1/s^2: (2 pi f)^2 for a frequency of f Hz. Default 400: 3.2 Hz. 0: the chain hangs. */
    float stiffness;
    float damping;       ///< 0 to 10,000, in 1/s: 2 sqrt(stiffness) and more do not swing. Default 8
    float gravity[3];    ///< finite, in units of world space / s^2; default 0
    float radius;        ///< 0 to 1e30: the distance that points keep from colliders, in world space; default 0
    VkskinLogger logger; ///< kept
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the spring is destroyed
} VkskinSpringDef;

/** @return a def with the defaults that each field states, all else zero; set skeleton, start and end. Any thread. */
VKSKIN_API VkskinSpringDef vkskinDefaultSpringDef(void);

/**
 * Creates a spring. Any thread.
 *
 * @param def     describes the chain
 * @param spring  receives the spring; the caller destroys it
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE  start or end is not below the nodeCount of the skeleton
 * @retval VKSKIN_ERROR_INVALID_VALUE      end is not a descendant of start, or a number is out of range or not finite
 */
VKSKIN_API VkskinResult vkskinCreateSpring(const VkskinSpringDef *def, VkskinSpring *spring);

/**
 * Frees a spring. Any thread.
 *
 * @param spring  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroySpring(VkskinSpring spring);

/** A capsule that points stay outside of, in world space. Has no default function: set it to zero, then fill it. */
typedef struct VkskinSpringCollider {
    float from[3]; ///< finite: an end of its axis
    float to[3];   ///< finite: the other end; equal to `from`: a sphere
    float radius;  ///< 0 to 1e30
} VkskinSpringCollider;

/** Inputs of a step. Has no default function: set it to zero, then fill it. */
typedef struct VkskinSpringFrame {
    /** Seconds since the last call, at least 0, finite. At most 0.25 s are simulated: after a longer pause the chain goes on
     * from where it was. */
    float seconds;
    /** True: the chain starts at rest in the pose, as in the first call. Set it when the character jumps to another place;
     * else the chain is dragged there. */
    bool teleport;
    const VkskinAffine *place;             ///< from model space to world space, invertible; null: the identity
    const VkskinSpringCollider *colliders; ///< [colliderCount]; may be null if the count is 0
    uint32_t colliderCount;                ///< 0 or more. Where two overlap, the later one has priority
} VkskinSpringFrame;

/**
 * Advances a chain and turns its nodes from `start` to the parent of `end`. Translations and scales do not change, so bones
 * keep their lengths. A point is never faster than 100 radians per second about the node before it.
 *
 * @param spring  from vkskinCreateSpring
 * @param frame   time, place and colliders; nothing is kept
 * @param pose    [nodeCount of the skeleton]: the rotations of the chain change
 * @param world   [nodeCount of the skeleton], from vkskinComposePose of this pose: the matrices of `start` and its
 *                descendants change; must not overlap `pose`
 * @retval VKSKIN_ERROR_INVALID_VALUE         a number of the frame is out of range or not finite
 * @retval VKSKIN_ERROR_SINGULAR_MATRIX       `place` has no inverse
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a transform or a world matrix of the chain, or the world matrix of the parent of
 *                                            `start`, is NaN or infinite
 */
VKSKIN_API VkskinResult vkskinStepSpring(VkskinSpring spring, const VkskinSpringFrame *frame, VkskinTransform *pose,
                                         VkskinAffine *world);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
