/**
 * @file
 * Inverse kinematics on the CPU: two-bone chains, aiming at a target, and the place of one node for attachments.
 *
 * The calls of a frame, after blending (vkskin_blend.h):
 *
 *     vkskinComposePose -> vkskinSolveTwoBone and vkskinSolveAim, in any order -> vkskinWritePalette
 *
 * Each of the two solvers reads world matrices, changes local rotations in the pose, and composes the world matrices
 * below them again. So the next solver, or vkskinWritePalette, may follow at once.
 *
 * Any thread may make every call; concurrent calls must write to different memory. No call allocates memory. All
 * instruction levels run the same code, and each call works on one character: the same inputs give the same bits on any
 * number of threads. The solvers use the trigonometric functions of the C library, whose last bit may differ between
 * systems. Results are returned and not logged; a call that fails changes nothing. The rules and errors of vkskin_base.h and the
 * conventions of vkskin_pose.h apply.
 *
 * Targets and directions of a def are in model space, the space of the world matrices, if their comments do not name
 * another one. Results are exact, within rounding, where the ancestors of a node scale all axes alike. With other
 * scales or shear the nearest rotations are used, and a solver may miss its target.
 */
#ifndef VKSKIN_IK_H
#define VKSKIN_IK_H

#include "vkskin_pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup ik Inverse kinematics
 *  Rotates nodes so that a chain reaches a point, or a node looks at one.
 *  @{ */

/** Describes a chain of two bones, for example thigh and calf. Made by vkskinDefaultTwoBoneDef. Nothing is kept. */
typedef struct VkskinTwoBoneDef {
    uint32_t cookie; ///< set by vkskinDefaultTwoBoneDef
    uint32_t start;  ///< node that turns: the hip or shoulder
    uint32_t mid;    ///< node that bends, a descendant of `start`: the knee or elbow
    uint32_t end;    ///< node that reaches the target, a descendant of `mid`: the ankle or wrist
    float target[3]; ///< finite: where `end` should be
    float pole[3];   ///< finite: direction in which `mid` should point, seen from the line between start and target.
                     ///< 0, or along that line: the chain bends to the side that it bends to in the pose
    /** Finite: axis about which `mid` bends, in the space of `mid`; turning about it by a positive angle bends the chain
     * more. 0, the default: at right angles to the chain in the pose. Set it for chains that may be straight in the
     * pose, which have no such axis. */
    float midAxis[3];
    float twist; ///< finite: radians by which the chain is turned about the line from start to target; default 0
    /** 0 to 1: share of the length of the chain at which it begins to lag behind a target that goes away. It then nears
     * its full length smoothly, without the jerk of a chain that is suddenly straight. Default 1: no lag. */
    float soften;
    float weight; ///< 0 to 1: 0 leaves the pose unchanged, 1 (the default) solves in full
} VkskinTwoBoneDef;

/** @return a def with soften 1 and weight 1, all else zero except the cookie; set start, mid, end, target and pole */
VKSKIN_API VkskinTwoBoneDef vkskinDefaultTwoBoneDef(void);

/**
 * Rotates `start` and `mid` so that `end` reaches the target. If the target is too far away, the chain points to it at
 * full length. If it is too close, the chain folds as far as its lengths allow.
 *
 * @param skeleton  the skeleton of the pose
 * @param def       describes the chain
 * @param pose      [nodeCount of the skeleton]: the rotations of `start` and `mid` change
 * @param world     [nodeCount of the skeleton], from vkskinComposePose of this pose: the matrices of `start` and its
 *                  descendants change; must not overlap `pose`
 * @param reached   receives whether `end` reaches the target at weight 1 within 0.1 % of the length of the chain; may be
 *                  null
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE     start, mid or end is not below the nodeCount of the skeleton
 * @retval VKSKIN_ERROR_INVALID_VALUE         the nodes are not below one another, a bone has no length, or a value of the
 *                                            def is out of range or not finite
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a matrix of the chain or a transform that would change is NaN or infinite
 */
VKSKIN_API VkskinResult vkskinSolveTwoBone(VkskinSkeleton skeleton, const VkskinTwoBoneDef *def, VkskinTransform *pose,
                                           VkskinAffine *world, bool *reached);

/** Describes a node that looks at a target. Made by vkskinDefaultAimDef. Nothing is kept. */
typedef struct VkskinAimDef {
    uint32_t cookie;  ///< set by vkskinDefaultAimDef
    uint32_t node;    ///< node that turns, for example the head
    float target[3];  ///< finite: the point to look at
    float forward[3]; ///< finite, any length above 0, in the space of the node: the axis that points to the target;
                      ///< default z
    /** Finite, in the space of the node: the point that looks, for example between the eyes. Default 0. */
    float offset[3];
    float up[3];   ///< finite, in the space of the node: the axis that is turned towards `pole`; default y
    float pole[3]; ///< finite: direction for `up`, which keeps the head level. 0, the default, or along the view: the
                   ///< node turns the shortest way
    float twist;   ///< finite: radians by which the node is then turned about the line to the target; default 0
    /** 0 to pi, radians: largest angle by which the aim turns `forward`, before `pole` and `twist`. Default pi. */
    float maxAngle;
    float weight; ///< 0 to 1: 0 leaves the pose unchanged, 1 (the default) aims in full
} VkskinAimDef;

/** @return the default def; set node, target and forward */
VKSKIN_API VkskinAimDef vkskinDefaultAimDef(void);

/**
 * Rotates a node so that the ray from `offset` along `forward` passes through the target. A target that is closer to the
 * node than the ray passes cannot be seen by any rotation; the node then does not turn.
 *
 * To share a turn between several nodes, for example spine, neck and head, call it once for each. Begin with the lowest
 * node, and let the weights grow up to 1.
 *
 * @param skeleton  the skeleton of the pose
 * @param def       describes node and target
 * @param pose      [nodeCount of the skeleton]: the rotation of the node changes
 * @param world     [nodeCount of the skeleton], from vkskinComposePose of this pose: the matrices of the node and its
 *                  descendants change; must not overlap `pose`
 * @param reached   receives whether the target is seen at weight 1, without the limit of maxAngle; may be null
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE     node is not below the nodeCount of the skeleton
 * @retval VKSKIN_ERROR_INVALID_VALUE         `forward` has no length, or a value of the def is out of range or not finite
 * @retval VKSKIN_ERROR_SINGULAR_MATRIX       the world matrix of the node's parent, times the node's pre-transform, has
 *                                            no inverse
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  the world matrix of the node or its transform is NaN or infinite
 */
VKSKIN_API VkskinResult vkskinSolveAim(VkskinSkeleton skeleton, const VkskinAimDef *def, VkskinTransform *pose,
                                       VkskinAffine *world, bool *reached);

/** @} */

/** @defgroup attachments Attachments
 *  World matrices of single nodes, for things that a character holds, and after changes to a pose.
 *  @{ */

/**
 * Computes the world matrix of one node without composing the pose: for a thing in a hand, a camera, a sound. Multiply
 * it by the transform of the thing relative to the node: vkskinMultiplyAffine. If the pose is composed anyway, take
 * world[node] instead.
 *
 * @param skeleton  the skeleton
 * @param pose      [nodeCount of the skeleton]; only the node and its ancestors are read
 * @param node      below the nodeCount of the skeleton
 * @param world     receives the matrix, from node space to model space: that of vkskinComposePose within rounding; not
 *                  finite where the input is not
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE  node is not below the nodeCount of the skeleton
 */
VKSKIN_API VkskinResult vkskinComposeNode(VkskinSkeleton skeleton, const VkskinTransform *pose, uint32_t node,
                                          VkskinAffine *world);

/**
 * Composes a node and its descendants again, after a change of their local transforms. Gives the bits of
 * vkskinComposePose.
 *
 * @param skeleton  the skeleton
 * @param pose      [nodeCount of the skeleton]
 * @param node      below the nodeCount of the skeleton
 * @param world     [nodeCount of the skeleton], from vkskinComposePose: the matrices of the node and its descendants
 *                  change; must not overlap `pose`
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE  node is not below the nodeCount of the skeleton
 */
VKSKIN_API VkskinResult vkskinComposeSubtree(VkskinSkeleton skeleton, const VkskinTransform *pose, uint32_t node,
                                             VkskinAffine *world);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
