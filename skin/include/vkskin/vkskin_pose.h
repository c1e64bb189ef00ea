/**
 * @file
 * Posing on the CPU: skeletons, clips, sampling, and writing palettes.
 *
 * The calls of a frame:
 *
 *     vkskinSampleClip -> (vkskin_blend.h, vkskin_ik.h) -> vkskinComposePose -> vkskinWritePalette
 *
 * For many characters with one skeleton, vkskinPoseBatch does all of this in one call, several times faster.
 *
 * No Vulkan types, no globals, no locks. Work runs on the calling thread and on threads that the host provides.
 * Skeletons, clips and skins are immutable: any number of threads may use them until they are destroyed.
 * vkskinPoseBatch changes its batch. Every call may be made from any thread; concurrent calls must write to different
 * memory and use different batches. Only creation allocates memory.
 *
 * Conventions. Vectors are columns: p' = M p. Rotations are unit quaternions, stored as (x, y, z, w). Lengths are in
 * the unit of the model, times in seconds. Matrices are 3x4 and row-major; the last row (0 0 0 1) is implied. Nodes may
 * be in any order: parents before or after their children. [n] means an array of n elements, tightly packed.
 * The rules and errors of vkskin_base.h apply.
 */
#ifndef VKSKIN_POSE_H
#define VKSKIN_POSE_H

#include "vkskin_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup transforms Transforms
 *  @{ */

/** A 3x4 affine transform. 48 bytes, with the alignment of float. */
typedef struct VkskinAffine {
    float m[3][4]; ///< m[row][column]; column 3 is the translation
} VkskinAffine;

/** A node's transform relative to its parent: scaled first, then rotated, then moved (T R S). 40 bytes. */
typedef struct VkskinTransform {
    float translation[3]; ///< x, y, z, in the unit of the model
    /** x, y, z, w. Need not have unit length: each call that reads it normalises it. Zero length means no rotation. */
    float rotation[4];
    float scale[3]; ///< along x, y, z; may be zero or negative
} VkskinTransform;

/** @return the identity: translation 0, rotation (0, 0, 0, 1), scale 1 */
VKSKIN_API VkskinTransform vkskinIdentityTransform(void);

/** @return the identity matrix */
VKSKIN_API VkskinAffine vkskinIdentityAffine(void);

/**
 * Returns the matrix T R S of a transform.
 *
 * @param transform  must not be null (not checked)
 * @return the matrix; not finite if the transform is not finite
 */
VKSKIN_API VkskinAffine vkskinAffineFromTransform(const VkskinTransform *transform);

/**
 * Returns the product of two matrices, computed in double precision.
 *
 * @param a  applied last; must not be null (not checked)
 * @param b  applied first; must not be null (not checked)
 * @return a times b; not finite if one of them is not finite
 */
VKSKIN_API VkskinAffine vkskinMultiplyAffine(const VkskinAffine *a, const VkskinAffine *b);

/**
 * Inverts a matrix in double precision. Results are not logged.
 *
 * @param affine   any matrix
 * @param inverse  receives the inverse; may be `affine` itself
 * @retval VKSKIN_ERROR_SINGULAR_MATRIX  `affine` is singular within float precision, or not finite
 */
VKSKIN_API VkskinResult vkskinInvertAffine(const VkskinAffine *affine, VkskinAffine *inverse);

/**
 * Converts 4x4 matrices of a host, for example the transforms of characters (vkskin_crowd.h), with the checks of
 * vkskinWriteMatrices. 4x4 matrices of 16 floats: for columns, as in glm, or for row vectors, as in DirectXMath, set only
 * data and count. For row-major ones (the translation is in floats 3, 7 and 11) also set order to VKSKIN_MATRIX_ROW_MAJOR
 * and stride to 64. Any thread; results are not logged.
 *
 * @param matrices  the transforms; count is at least 1
 * @param affines   receives matrices->count elements, `stride` bytes apart. After an error the elements before the
 *                  refused one are written
 * @param stride    bytes: 0 (sizeof(VkskinAffine)), or at least that and a multiple of 4, for example
 *                  sizeof(VkskinCharacterDef)
 * @param element   receives the index of the refused matrix, and 0 without one; may be null
 * @retval VKSKIN_ERROR_INVALID_VALUE         count is 0, a stride is out of range, or an unknown order
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a matrix is NaN or infinite
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_AFFINE  the last row of a column-major matrix is not (0, 0, 0, 1): perhaps the
 *                                            matrix is row-major
 */
VKSKIN_API VkskinResult vkskinAffinesFromMatrices(const VkskinMatrices *matrices, VkskinAffine *affines, size_t stride,
                                                  uint32_t *element);

/** @} */

/** @defgroup skeletons Skeletons
 *  A hierarchy of nodes and its rest pose.
 *  @{ */

/** A skeleton: null, or made by vkskinCreateSkeleton and never changed. */
typedef struct VkskinSkeleton_T *VkskinSkeleton;

/** Describes a skeleton. Made by vkskinDefaultSkeletonDef; the arrays are copied. */
typedef struct VkskinSkeletonDef {
    uint32_t cookie;                 ///< set by vkskinDefaultSkeletonDef
    uint32_t nodeCount;              ///< 1 to 1,048,576
    const int32_t *parents;          ///< [nodeCount]; -1 for a root, otherwise below nodeCount; in any order
    const VkskinTransform *restPose; ///< [nodeCount], finite; the transform of a node without a track
    /** [nodeCount], finite; may be null. The local matrix of a node is preTransforms[node] x (T R S). Use it for
     * pre-rotations of a file format, or for nodes whose rest matrix has shear: put that matrix here and set the rest
     * pose of the node to the identity. */
    const VkskinAffine *preTransforms;
    VkskinLogger logger;                  ///< kept: vkskinSampleClip and vkskinComposePose log to it, on their threads
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the skeleton is destroyed
} VkskinSkeletonDef;

/** @return a def that is all zero except the cookie; set nodeCount, parents and restPose */
VKSKIN_API VkskinSkeletonDef vkskinDefaultSkeletonDef(void);

/**
 * Computes an order of nodes in which each parent comes before its children. Nodes that are in such an order keep it;
 * otherwise a node's missing ancestors move directly before it. vkskinCreateSkeleton needs no order: use this call to
 * sort nodes of your own, for example in an importer: new[i] = old[order[i]], and the new parent of node i is
 * places[parents[order[i]]], or -1. Results are returned and not logged.
 *
 * @param parents    [nodeCount]; -1 for a root, otherwise below nodeCount
 * @param nodeCount  1 to 1,048,576
 * @param order      [nodeCount]: receives the old index of each new node, a permutation; undefined on failure
 * @param places     [nodeCount]: receives the new index of each old node, the inverse; undefined on failure
 * @retval VKSKIN_ERROR_INVALID_VALUE      nodeCount is out of range, or a parent is below -1
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE  a parent is not below nodeCount
 * @retval VKSKIN_ERROR_HIERARCHY_CYCLE    a node is its own ancestor
 */
VKSKIN_API VkskinResult vkskinSortHierarchy(const int32_t *parents, uint32_t nodeCount, uint32_t *order,
                                            uint32_t *places);

/**
 * Creates a skeleton. Nodes keep their indices in every call, also if parents come after their children.
 *
 * @param def       describes the skeleton
 * @param skeleton  receives the skeleton; the caller destroys it
 * @retval VKSKIN_ERROR_INVALID_VALUE         nodeCount is out of range, or a parent is below -1
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE     a parent is not below nodeCount
 * @retval VKSKIN_ERROR_HIERARCHY_CYCLE       a node is its own ancestor; the message names it
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a value of restPose or preTransforms is NaN or infinite; the message names
 *                                            the node
 */
VKSKIN_API VkskinResult vkskinCreateSkeleton(const VkskinSkeletonDef *def, VkskinSkeleton *skeleton);

/**
 * Frees a skeleton. Clips and skins do not refer to it and stay valid.
 *
 * @param skeleton  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroySkeleton(VkskinSkeleton skeleton);

/**
 * Returns the number of transforms in a pose.
 *
 * @param skeleton  may be null
 * @return nodeCount of its def; 0 for null
 */
VKSKIN_API uint32_t vkskinGetSkeletonNodeCount(VkskinSkeleton skeleton);

/** @} */

/** @defgroup clips Clips
 *  Key frames of nodes.
 *  @{ */

/** A clip: null, or made by vkskinCreateClip and never changed. Can be used with every skeleton that has enough
 * nodes. */
typedef struct VkskinClip_T *VkskinClip;

/** The property of a node that a track animates. */
typedef enum VkskinChannel {
    VKSKIN_CHANNEL_TRANSLATION = 0, ///< 3 floats per key
    VKSKIN_CHANNEL_ROTATION = 1,    ///< 4 floats per key, (x, y, z, w)
    VKSKIN_CHANNEL_SCALE = 2,       ///< 3 floats per key
    /** VkskinTrack.weightCount floats per key: the morph weights of the node's mesh. vkskinSampleMorphWeights reads
     * this channel; poses ignore it. */
    VKSKIN_CHANNEL_MORPH_WEIGHTS = 3
} VkskinChannel;

/** Interpolation between two keys. */
typedef enum VkskinInterpolation {
    VKSKIN_INTERPOLATION_LINEAR = 0, ///< linear; rotations with slerp along the shorter arc
    VKSKIN_INTERPOLATION_STEP = 1,   ///< the value of a key is constant until the next key
    /** Cubic Hermite spline as in glTF 2.0, appendix C. A key is in-tangent, value, out-tangent: three times as many
     * floats. Tangents are in units per second. Rotations are normalised afterwards. */
    VKSKIN_INTERPOLATION_CUBIC = 2,
    /**
     * Bezier curve of time and value, as COLLADA, Blender and Spine write it, for each number of the value separately. A
     * key is five times as many floats: in-handle times, in-handle values, values, out-handle times, out-handle values.
     * Handles are relative to their key: seconds and difference of value. So a handle of (0, 0) is none, and with no
     * handle at all a segment is linear. Times of in-handles are at most 0, those of out-handles at least 0; others count
     * as 0. A handle that is longer in time than its segment is shortened to it, in its direction: then time never runs
     * backwards. Rotations are normalised afterwards.
     *
     * Sampling finds the parameter of the curve by Newton's method and bisection, in double precision and at most 70
     * steps: at a time that differs from the one asked for by at most 1e-15 of the segment.
     */
    VKSKIN_INTERPOLATION_BEZIER = 3
} VkskinInterpolation;

/**
 * Returns how many values a key has. The value itself is the middle one: value parts / 2.
 *
 * @param interpolation  any value
 * @return 1 for linear and step, 3 for cubic, 5 for Bezier; 0 for an unknown interpolation
 */
VKSKIN_API uint32_t vkskinInterpolationParts(VkskinInterpolation interpolation);

/**
 * The keys of one channel of one node. Before the first key the value of the first key is used, after the last key that
 * of the last key. If several tracks have the same node and channel, only the last one is used. Has no default
 * function: set it to zero, then fill it.
 */
typedef struct VkskinTrack {
    uint32_t node;                     ///< below the nodeCount of the clip
    VkskinChannel channel;             ///< zero is translation
    VkskinInterpolation interpolation; ///< zero is linear
    uint32_t keyCount;                 ///< at least 1
    const float *times;                ///< [keyCount] seconds, finite, ascending; of equal times the last key is used
    /** [keyCount][vkskinInterpolationParts][floats of the channel], finite. Rotations are normalised. */
    const float *values;
    uint32_t weightCount; ///< weights per key, at least 1, for VKSKIN_CHANNEL_MORPH_WEIGHTS; otherwise ignored
} VkskinTrack;

/** Describes a clip. Made by vkskinDefaultClipDef; tracks, times and values are copied. */
typedef struct VkskinClipDef {
    uint32_t cookie; ///< set by vkskinDefaultClipDef
    /** Seconds, finite. Negative (the default): the latest key time. A clip of 0 seconds is a single pose. */
    float duration;
    uint32_t nodeCount;                   ///< minimum number of nodes of a skeleton for the clip, at least 1
    uint32_t trackCount;                  ///< 0 or more; default 0
    const VkskinTrack *tracks;            ///< [trackCount]; may be null if trackCount is 0
    VkskinLogger logger;                  ///< used only by vkskinCreateClip
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the clip is destroyed
} VkskinClipDef;

/** @return a def with duration -1, all else zero except the cookie; set nodeCount */
VKSKIN_API VkskinClipDef vkskinDefaultClipDef(void);

/**
 * Creates a clip.
 *
 * @param def   describes the clip
 * @param clip  receives the clip; the caller destroys it
 * @retval VKSKIN_ERROR_INVALID_VALUE         duration is not finite; nodeCount is 0; a track has no keys; a track of
 *                                            morph weights has weightCount 0; an unknown channel or interpolation
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE     a track's node is not below nodeCount
 * @retval VKSKIN_ERROR_KEY_TIMES             a key time is not finite, or is less than the key time before it
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a value of a key is NaN or infinite; the message names track, node and key
 */
VKSKIN_API VkskinResult vkskinCreateClip(const VkskinClipDef *def, VkskinClip *clip);

/**
 * Frees a clip.
 *
 * @param clip  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroyClip(VkskinClip clip);

/**
 * Returns the duration of a clip.
 *
 * @param clip  may be null
 * @return seconds, at least 0; 0 for null
 */
VKSKIN_API float vkskinGetClipDuration(VkskinClip clip);

/**
 * Returns the minimum number of nodes of a skeleton that can use the clip.
 *
 * @param clip  may be null
 * @return nodeCount of its def; 0 for null
 */
VKSKIN_API uint32_t vkskinGetClipNodeCount(VkskinClip clip);

/** @} */

/** @defgroup poses Poses
 *  A pose is an array with one VkskinTransform per node, in memory of the host.
 *  @{ */

/** Treatment of a time outside 0 to the duration. A clip of 0 seconds always uses the first key of
 * each track. */
typedef enum VkskinWrap {
    VKSKIN_WRAP_CLAMP = 0, ///< time is clamped to 0 and the duration
    VKSKIN_WRAP_LOOP = 1   ///< time modulo duration, in [0, duration), also for negative times
} VkskinWrap;

/**
 * Writes the rest pose of the skeleton, then applies the tracks of the clip at a time. Errors are logged to the
 * skeleton's logger.
 *
 * @param skeleton  the skeleton
 * @param clip      the clip; null: only the rest pose is written
 * @param time      seconds, finite
 * @param wrap      treatment of a time outside the clip
 * @param pose      [vkskinGetSkeletonNodeCount(skeleton)]: receives all transforms
 * @retval VKSKIN_ERROR_INVALID_VALUE  the time is not finite, wrap is unknown, or the clip needs more nodes than the
 *                                     skeleton has
 */
VKSKIN_API VkskinResult vkskinSampleClip(VkskinSkeleton skeleton, VkskinClip clip, double time, VkskinWrap wrap,
                                         VkskinTransform *pose);

/**
 * Reads the morph weights of a node at a time from the node's last VKSKIN_CHANNEL_MORPH_WEIGHTS track. Each weight is
 * interpolated separately. Results are returned and not logged.
 *
 * @param clip     the clip
 * @param node     below vkskinGetClipNodeCount(clip)
 * @param time     seconds, finite
 * @param wrap     treatment of a time outside the clip
 * @param weights  [count]: fill it with the rest weights of the mesh before the call. The weights of the track are
 *                 written; further elements, or all elements if the node has no such track, do not change
 * @param count    0 or more; further weights of the track are ignored
 * @retval VKSKIN_ERROR_INVALID_VALUE      the time is not finite, or wrap is unknown
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE  node is not below the nodeCount of the clip
 */
VKSKIN_API VkskinResult vkskinSampleMorphWeights(VkskinClip clip, uint32_t node, double time, VkskinWrap wrap,
                                                 float *weights, uint32_t count);

/**
 * Computes world matrices: world[node] = world[parent] x preTransform[node] x T R S, from node space to model space.
 * Errors are logged to the skeleton's logger.
 *
 * @param skeleton  the skeleton
 * @param pose      [vkskinGetSkeletonNodeCount(skeleton)]
 * @param world     [vkskinGetSkeletonNodeCount(skeleton)]: receives all matrices; must not overlap `pose`. Non-finite
 *                  input gives non-finite output without an error; vkskinWritePalette then refuses it
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinComposePose(VkskinSkeleton skeleton, const VkskinTransform *pose, VkskinAffine *world);

/** @} */

/** @defgroup skins Skins
 *  A skin binds meshes to a skeleton. Several skins, each with its own bones, may use one skeleton. Several meshes may
 *  share one skin.
 *  @{ */

/** A skin: null, or made by vkskinCreateSkin and never changed. */
typedef struct VkskinSkin_T *VkskinSkin;

/** Describes a skin. A bone is a node with an inverse bind matrix. Made by vkskinDefaultSkinDef; the arrays are
 * copied. */
typedef struct VkskinSkinDef {
    uint32_t cookie;                  ///< set by vkskinDefaultSkinDef
    uint32_t nodeCount;               ///< number of nodes of the skeleton, at least 1
    uint32_t boneCount;               ///< 1 to 1,048,576
    const uint32_t *boneNodes;        ///< [boneCount], each below nodeCount; a node may appear more than once
    const VkskinAffine *inverseBinds; ///< [boneCount], finite, mesh space to bone space at bind; null: all identity
    /** Mesh space to model space at bind: the world matrix of the mesh's node. Finite and invertible. Default: the
     * identity; skinned vertices are then in model space. With any other matrix they are in mesh space. To draw them,
     * use world x meshToModel as the matrix of the instance. */
    VkskinAffine meshToModel;
    VkskinLogger logger;                  ///< used only by vkskinCreateSkin
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the skin is destroyed
} VkskinSkinDef;

/** @return a def with meshToModel the identity, all else zero except the cookie; set nodeCount, boneCount and
 * boneNodes */
VKSKIN_API VkskinSkinDef vkskinDefaultSkinDef(void);

/**
 * Creates a skin.
 *
 * @param def   describes the skin
 * @param skin  receives the skin; the caller destroys it
 * @retval VKSKIN_ERROR_INVALID_VALUE         nodeCount is 0, or boneCount is out of range
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE     a bone's node is not below nodeCount
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a value of meshToModel or of an inverse bind matrix is NaN or infinite;
 *                                            the message names the bone
 * @retval VKSKIN_ERROR_SINGULAR_MATRIX       meshToModel has no inverse
 */
VKSKIN_API VkskinResult vkskinCreateSkin(const VkskinSkinDef *def, VkskinSkin *skin);

/**
 * Frees a skin.
 *
 * @param skin  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroySkin(VkskinSkin skin);

/**
 * Returns the number of bones in a palette.
 *
 * @param skin  may be null
 * @return boneCount of its def; 0 for null
 */
VKSKIN_API uint32_t vkskinGetSkinBoneCount(VkskinSkin skin);

/**
 * Returns the number of world matrices that vkskinWritePalette needs.
 *
 * @param skin  may be null
 * @return nodeCount of its def; 0 for null
 */
VKSKIN_API uint32_t vkskinGetSkinNodeCount(VkskinSkin skin);

/**
 * Writes a palette: entry b = inverse(meshToModel) x world[boneNodes[b]] x inverseBinds[b], encoded. Several threads
 * may write different palettes from one skin. Results are returned and not logged, because this call runs for every
 * character of every frame.
 *
 * What the encodings store of the matrix of a bone:
 * - VKSKIN_PALETTE_MAT3X4: the matrix.
 * - VKSKIN_PALETTE_DUAL_QUATERNION: rotation and translation. Kavan et al. 2008, "Geometric Skinning with Approximate
 *   Dual Quaternion Blending", section 3.
 * - VKSKIN_PALETTE_SCALED_DUAL_QUATERNION: the whole matrix, with polar decomposition. Shoemake and Duff 1992, "Matrix
 *   Animation and Polar Decomposition". R is the rotation nearest to the matrix, or to its negative if the matrix
 *   mirrors by more than rounding.
 * - The quaternion encodings: translation, uniform scale (the cube root of the determinant), and the rotation nearest
 *   to the rest of the matrix.
 * - VKSKIN_PALETTE_MAT2X3: the part in the x-y plane.
 *
 * @param skin        the skin
 * @param world       [worldCount], from vkskinComposePose
 * @param worldCount  at least vkskinGetSkinNodeCount(skin); further elements are ignored
 * @param encoding    how entries are stored
 * @param palette     [boneCount] entries of vkskinPaletteStride(encoding) bytes, any alignment, for example from
 *                    vkskinAllocatePalette. Written and never read, so it may be mapped write-combined memory
 * @param boneCount   number of entries in `palette`, at least vkskinGetSkinBoneCount(skin); further entries are not
 *                    written
 * @retval VKSKIN_WARNING_SCALE_LOST          a bone has scale or shear above 0.1 % that the encoding cannot represent;
 *                                            the nearest rotation was written. Dual quaternions represent no scale and
 *                                            no mirroring, quaternions only uniform scale, halves no scale below
 *                                            1/16,384
 * @retval VKSKIN_WARNING_DEPTH_LOST          with VKSKIN_PALETTE_MAT2X3: a bone rotates out of or into the x-y plane by
 *                                            more than 0.1 % of the largest element in the plane; or it moves along z
 *                                            by more than 0.1 % of that element or of its movement in the plane
 * @retval VKSKIN_ERROR_INVALID_VALUE         the encoding is unknown, or worldCount is below the skin's nodeCount
 * @retval VKSKIN_ERROR_PALETTE_TOO_SMALL     boneCount is below that of the skin; the palette may be for another mesh
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  the matrix of a bone is NaN or infinite, or exceeds 65,504 in a half; the
 *                                            entries before that bone are written
 */
VKSKIN_API VkskinResult vkskinWritePalette(VkskinSkin skin, const VkskinAffine *world, uint32_t worldCount,
                                           VkskinPaletteEncoding encoding, void *palette, uint32_t boneCount);

/** @} */

/** @defgroup batches Pose batches
 *  One call samples, composes and writes the palettes of many characters in SIMD lanes. All characters have the same
 *  skeleton and skin. Each has its own clip, time and palette.
 *  @{ */

/** A pose batch: null, or made by vkskinCreatePoseBatch. Holds a copy of the keys of its clips, and a key cache for
 * each slot. */
typedef struct VkskinPoseBatch_T *VkskinPoseBatch;

/** Value of VkskinPoseBatchCharacter.clip for a character in the rest pose. */
#define VKSKIN_REST_POSE 0xffffffffu

/**
 * Describes a pose batch. Made by vkskinDefaultPoseBatchDef. Everything except an animation set is copied: skeleton,
 * skin and clips may be destroyed after vkskinCreatePoseBatch.
 *
 * Memory for each channel of a node that changes in any clip: 32 bytes per key, two more keys per clip, and 4 bytes per
 * slot, twice that with `blending`. A channel changes if its keys differ from each other, from other clips or from the
 * rest pose. Cubic and Bezier tracks are also stored unchanged. In addition, 48 KB for each node whose matrix is needed
 * at the same time as others. These are about as many nodes as the depth of the hierarchy, if bones are in node order.
 */
typedef struct VkskinPoseBatchDef {
    uint32_t cookie;         ///< set by vkskinDefaultPoseBatchDef
    VkskinSkeleton skeleton; ///< skeleton of all characters; null with `animation`
    VkskinSkin skin;         ///< skin of all characters; its nodeCount is at most that of the skeleton
    uint32_t clipCount;      ///< 0 or more; default 0: all characters are in the rest pose
    /** [clipCount], none null, each with at most the skeleton's number of nodes; may be null if clipCount is 0. */
    const VkskinClip *clips;
    /** Null; or a packed animation set (vkskin_pack.h), instead of skeleton and clips, which are then null and 0. It is
     * checked by vkskinCreatePoseBatch. It is not copied: it must not change until the batch is destroyed. Any number of
     * batches may use it. Aligned to 4 bytes, faster if to 16. */
    const void *animation;
    size_t animationSize;                 ///< bytes at `animation`; may be larger than the set
    uint32_t slotCount;                   ///< number of key caches, at least 1: maximum number of characters per call
    bool blending;                        ///< characters may have a second clip; each slot then has two key caches
    VkskinLogger logger;                  ///< kept: vkskinPoseBatch also logs to it, on the calling thread
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the batch is destroyed
} VkskinPoseBatchDef;

/** @return a def that is all zero except the cookie; set skeleton, skin and slotCount */
VKSKIN_API VkskinPoseBatchDef vkskinDefaultPoseBatchDef(void);

/**
 * Creates a pose batch.
 *
 * @param def    describes the batch
 * @param batch  receives the batch; the caller destroys it
 * @retval VKSKIN_ERROR_INVALID_VALUE        slotCount is 0; the skin or a clip needs more nodes than the skeleton has;
 *                                           both an animation set and a skeleton or clips; a clip has more than
 *                                           4,294,967,295 keys
 * @retval VKSKIN_ERROR_ANIMATION_DATA       the animation set is damaged, see vkskinCheckAnimation
 * @retval VKSKIN_ERROR_ANIMATION_VERSION    the animation set has another version
 */
VKSKIN_API VkskinResult vkskinCreatePoseBatch(const VkskinPoseBatchDef *def, VkskinPoseBatch *batch);

/**
 * Destroys a pose batch.
 *
 * @param batch  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroyPoseBatch(VkskinPoseBatch batch);

/** One character in one call. Has no default function: set it to zero, then fill it. */
typedef struct VkskinPoseBatchCharacter {
    uint32_t clip;   ///< index into the clips of the batch or its animation set; or VKSKIN_REST_POSE
    VkskinWrap wrap; ///< treatment of a time outside the clip
    double time;     ///< seconds, finite
    /** Index of the key cache, below slotCount; unique within a call. Fastest if the same character uses it with small
     * steps forward in the same clip; always correct. */
    uint32_t slot;
    /** [boneCount of the skin] entries of vkskinPaletteStride(encoding) bytes, any alignment, fastest if 64-byte
     * aligned; for example from vkskinAllocatePalette. Written in ascending order, in whole lines of 64 bytes where
     * possible, and never read. So it may be mapped write-combined memory. Must not overlap the palettes of other
     * characters. */
    void *palette;
    /** Weight of a second clip, 0 to 1; the first has the rest. 0: no second clip, and the fields below are not read.
     * Above 0 only if the def has `blending`. */
    float blendWeight;
    uint32_t blendClip;   ///< as `clip`; may be the same clip
    VkskinWrap blendWrap; ///< as `wrap`
    double blendTime;     ///< as `time`
} VkskinPoseBatchCharacter;

/**
 * Poses characters. The result equals that of vkskinSampleClip, vkskinComposePose and vkskinWritePalette for each
 * character, within floating-point rounding accumulated along the hierarchy. With a second clip it equals that of
 * vkskinBlendLayers of two samples with the weights 1 - blendWeight and blendWeight: weighted means of translations and
 * scales, rotations as normalised sum on the shorter side. All characters are checked before any is posed. Results are
 * bit-identical for any number of threads, any order of characters and any other characters in the call; levels differ
 * within rounding. Do not call it on the same batch from two threads at once.
 *
 * Palettes that are together larger than the processor's caches are written with streaming stores. They are visible to
 * other threads, and to device work that is submitted after the call.
 *
 * VKSKIN_PALETTE_MAT3X4 is the fastest encoding: the others are converted from it one entry at a time. Cubic and
 * Bezier tracks are also sampled one at a time.
 *
 * Error bound. The relative difference from the result of the three calls is at most (d + 2) / 1,000,000. d is the
 * number of ancestors of the bone's node. The loss of the encoding is not included. The difference is relative to:
 * - A column of the 3x3 part: the product of all scales from the root to the bone. The scale of a node is its largest
 *   one; of any other matrix it is the square root of the sum of its squared elements.
 * - The translation: the sum of all translations from the root to the bone, each multiplied by the scales above it.
 * With a second clip, the scale of a node and the length of its translation are here weighted means of those in the two
 * clips. Two rotations of a node that are 180 degrees apart have no shorter side: closer to that than rounding, the side
 * may differ.
 *
 * @param batch       the batch
 * @param characters  [count]; may be null if count is 0
 * @param count       0 or more, at most slotCount because slots are unique
 * @param encoding    how palette entries are stored
 * @param boneCount   number of entries in each palette, at least the boneCount of the skin; further entries are not
 *                    written
 * @param run         level and threads; null: all zero
 * @retval VKSKIN_WARNING_SCALE_LOST          as vkskinWritePalette; the message names the first such character
 * @retval VKSKIN_WARNING_DEPTH_LOST          as vkskinWritePalette; the message names the first such character
 * @retval VKSKIN_ERROR_INVALID_VALUE         a clip, slot, wrap, the encoding or the level is out of range or not
 *                                            available; a slot is used twice; a time is not finite; a blend weight is
 *                                            not from 0 to 1, or above 0 and the def of the batch has no `blending`
 * @retval VKSKIN_ERROR_PALETTE_TOO_SMALL     boneCount is below that of the skin
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a bone's matrix is NaN or infinite, or exceeds the range of the encoding.
 *                                            That character's palette is undefined; all others are written
 */
VKSKIN_API VkskinResult vkskinPoseBatch(VkskinPoseBatch batch, const VkskinPoseBatchCharacter *characters,
                                        uint32_t count, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                        const VkskinCpuRun *run);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
