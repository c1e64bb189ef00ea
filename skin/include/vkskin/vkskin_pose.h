/**
 * @file
 * The pose side, on the CPU: skeletons, clips, sampling, blending, and writing palettes.
 *
 * The calls of a frame:
 *
 *     vkskinSampleClip -> (vkskinBlendPoses) -> vkskinComposePose -> vkskinWritePalette
 *
 * or, for many characters of one skeleton at once and several times faster, vkskinPoseBatch.
 *
 * No Vulkan types, no globals, no locks. Work runs on the calling thread and on threads that the host provides.
 * Skeletons, clips and skins are immutable: any number of threads may use them, until they are destroyed.
 * vkskinPoseBatch writes to its batch. Every call may be made from any thread; concurrent calls must write to different
 * memory and batches. Only creation allocates memory.
 *
 * Conventions. Vectors are columns: p' = M p. Angles do not appear; rotations are unit quaternions stored (x, y, z, w).
 * Lengths are in the model's own unit, times in seconds. Matrices are 3x4, row-major, the last row (0 0 0 1) implied.
 * Nodes are numbered so that a parent's index is below its children's. [n] is an array of n elements, tightly packed.
 * The rules of vkskin_base.h apply.
 */
#ifndef VKSKIN_POSE_H
#define VKSKIN_POSE_H

#include "vkskin_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup transforms Transforms
 *  @{ */

/** A 3x4 affine transform. 48 bytes; no alignment beyond float's. */
typedef struct VkskinAffine {
    float m[3][4]; ///< m[row][column], column 3 the translation
} VkskinAffine;

/** A node's transform relative to its parent: scaled first, then rotated, then moved (T R S). 40 bytes. */
typedef struct VkskinTransform {
    float translation[3]; ///< x, y, z, in the model's unit
    /** x, y, z, w. Need not be of exact unit length: it is normalised where read, and zero length counts as none. */
    float rotation[4];
    float scale[3]; ///< along x, y, z; may be zero or negative
} VkskinTransform;

/**
 * Returns the identity transform.
 *
 * @return translation 0, rotation (0, 0, 0, 1), scale 1
 */
VKSKIN_API VkskinTransform vkskinIdentityTransform(void);

/**
 * Returns the identity matrix.
 *
 * @return the identity
 */
VKSKIN_API VkskinAffine vkskinIdentityAffine(void);

/**
 * T R S as a matrix.
 *
 * @param transform  must not be null (not checked)
 * @return the matrix; not finite where the transform is not
 */
VKSKIN_API VkskinAffine vkskinAffineFromTransform(const VkskinTransform *transform);

/**
 * Returns the product of two matrices, computed in double precision.
 *
 * @param a  applied last; must not be null (not checked)
 * @param b  applied first; must not be null
 * @return a times b; not finite where one of them is not
 */
VKSKIN_API VkskinAffine vkskinMultiplyAffine(const VkskinAffine *a, const VkskinAffine *b);

/**
 * Inverts a matrix in double precision. Results are not logged.
 *
 * @param affine   any matrix
 * @param inverse  receives the inverse; may be `affine` itself
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    one of them is null
 * @retval VKSKIN_ERROR_SINGULAR_MATRIX  `affine` is singular to within float's precision, or not finite
 */
VKSKIN_API VkskinResult vkskinInvertAffine(const VkskinAffine *affine, VkskinAffine *inverse);

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
    const int32_t *parents;          ///< [nodeCount]; -1 for a root, else below the node's own index
    const VkskinTransform *restPose; ///< [nodeCount], finite; the transform of a node without a track
    /** [nodeCount], finite, or null. A node's local matrix is preTransforms[node] x (T R S): for nodes whose rest
     * matrix has shear and so no T R S form (rest identity then), or for a format's pre-rotations. */
    const VkskinAffine *preTransforms;
    VkskinLogger logger;                  ///< kept: sampling and composing also log to it, on their threads
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the skeleton is destroyed.
} VkskinSkeletonDef;

/**
 * Returns a def with default values.
 *
 * @return all zero except the cookie; set nodeCount, parents and restPose
 */
VKSKIN_API VkskinSkeletonDef vkskinDefaultSkeletonDef(void);

/**
 * Makes a skeleton.
 *
 * @param def       what it is made of
 * @param skeleton  receives it; the caller destroys it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         def, skeleton, parents, restPose or a function of the allocator is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED   the def was not made by vkskinDefaultSkeletonDef
 * @retval VKSKIN_ERROR_INVALID_VALUE         nodeCount is out of range, or a parent below -1
 * @retval VKSKIN_ERROR_HIERARCHY_ORDER       a parent is not below its node
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  in the rest pose or the pre-transforms; the message names the node
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    no memory for the copy
 */
VKSKIN_API VkskinResult vkskinCreateSkeleton(const VkskinSkeletonDef *def, VkskinSkeleton *skeleton);

/**
 * Frees a skeleton. Clips and skins do not refer to it and may live on.
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
 *  Key frames of some nodes.
 *  @{ */

/** A clip: null, or made by vkskinCreateClip and never changed. Serves every skeleton with enough nodes. */
typedef struct VkskinClip_T *VkskinClip;

/** Which part of a node's transform a track drives. */
typedef enum VkskinChannel {
    VKSKIN_CHANNEL_TRANSLATION = 0, ///< 3 floats a key
    VKSKIN_CHANNEL_ROTATION = 1,    ///< 4 floats a key, (x, y, z, w)
    VKSKIN_CHANNEL_SCALE = 2,       ///< 3 floats a key
    /** VkskinTrack.weightCount floats a key: the morph weights of the mesh that the node carries. Poses leave it out,
     * vkskinSampleMorphWeights reads it. */
    VKSKIN_CHANNEL_MORPH_WEIGHTS = 3
} VkskinChannel;

/** Interpolation between two keys. */
typedef enum VkskinInterpolation {
    VKSKIN_INTERPOLATION_LINEAR = 0, ///< rotations by shortest-way slerp
    VKSKIN_INTERPOLATION_STEP = 1,   ///< a key holds until the next
    /** Cubic Hermite spline as in glTF 2.0, appendix C: a key is in-tangent, value, out-tangent (so 9 or 12 floats),
     * tangents in units a second; rotations are normalised after. */
    VKSKIN_INTERPOLATION_CUBIC = 2
} VkskinInterpolation;

/**
 * The keys of one channel of one node. Before the first key its value holds, after the last key its value. At most one
 * track a node and channel; of several the last one counts. Has no default function: set it to zero, then fill it.
 */
typedef struct VkskinTrack {
    uint32_t node;                     ///< below the clip's nodeCount
    VkskinChannel channel;             ///< what it drives; zero is translation
    VkskinInterpolation interpolation; ///< zero is linear
    uint32_t keyCount;                 ///< at least 1
    const float *times;                ///< [keyCount] seconds, finite, ascending (of equal neighbours the later wins)
    /** [keyCount][3, 4, 9 or 12; weightCount or 3 x weightCount], finite; rotations are normalised */
    const float *values;
    uint32_t weightCount; ///< VKSKIN_CHANNEL_MORPH_WEIGHTS: weights a key, 1 up; else not looked at
} VkskinTrack;

/** Describes a clip. Made by vkskinDefaultClipDef; tracks, times and values are copied. */
typedef struct VkskinClipDef {
    uint32_t cookie; ///< set by vkskinDefaultClipDef
    /** Seconds, finite, at least 0. Negative (the default) takes the latest key time. A clip of 0 seconds is a pose. */
    float duration;
    uint32_t nodeCount;                   ///< of the skeleton that the clip is for, at least 1
    uint32_t trackCount;                  ///< 0 up; default 0
    const VkskinTrack *tracks;            ///< [trackCount]; may be null for none
    VkskinLogger logger;                  ///< used only by vkskinCreateClip
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the clip is destroyed.
} VkskinClipDef;

/**
 * Returns a def with default values.
 *
 * @return duration -1, all else zero except the cookie; set nodeCount
 */
VKSKIN_API VkskinClipDef vkskinDefaultClipDef(void);

/**
 * Makes a clip.
 *
 * @param def   what it is made of
 * @param clip  receives it; the caller destroys it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         def, clip, tracks (where there are any), times, values or a function of
 *                                            the allocator is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED   the def was not made by vkskinDefaultClipDef
 * @retval VKSKIN_ERROR_INVALID_VALUE         a duration that is not finite, no nodes, a track without keys, one of
 *                                            morph weights whose weightCount is 0, an unknown channel or interpolation
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE     a track's node is not below nodeCount
 * @retval VKSKIN_ERROR_KEY_TIMES             a time is not finite or before the one before it
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a key's value is not; the message names track, node and key
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    no memory for the copy
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
 *  A pose is an array of one VkskinTransform a node, the host's own.
 *  @{ */

/** Treatment of a time outside 0 to the duration. A clip of 0 seconds always gives its first keys. */
typedef enum VkskinWrap {
    VKSKIN_WRAP_CLAMP = 0, ///< hold the first or the last frame
    VKSKIN_WRAP_LOOP = 1   ///< time modulo duration, so that the duration itself is 0; negative times count back
} VkskinWrap;

/**
 * Writes the rest pose of the skeleton, then applies the tracks of the clip at a time. Errors are logged to the
 * skeleton's logger.
 *
 * @param skeleton  whose rest pose it is
 * @param clip      null gives the rest pose alone
 * @param time      seconds, finite
 * @param wrap      what a time outside the clip means
 * @param pose      [vkskinGetSkeletonNodeCount(skeleton)], written whole
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  skeleton or pose is null
 * @retval VKSKIN_ERROR_INVALID_VALUE  the time is not finite, the wrap unknown, or the clip for more nodes than these
 */
VKSKIN_API VkskinResult vkskinSampleClip(VkskinSkeleton skeleton, VkskinClip clip, double time, VkskinWrap wrap,
                                         VkskinTransform *pose);

/**
 * Reads the morph weights of a node at a time: those of the node's last track, interpolated one by one. Results are
 * returned and not logged.
 *
 * @param clip     whose tracks
 * @param node     below vkskinGetClipNodeCount(clip)
 * @param time     seconds, finite
 * @param wrap     what a time outside the clip means
 * @param weights  [count]: what the node's track has is written over; the rest, or all where it has no track, stays as
 *                 it is: the mesh's weights at rest
 * @param count    0 up; a track that has more is read as far as this
 * @retval VKSKIN_ERROR_NULL_ARGUMENT      clip, or weights where count is not 0, is null
 * @retval VKSKIN_ERROR_INVALID_VALUE      the time is not finite, or the wrap unknown
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE  the node is not below the clip's
 */
VKSKIN_API VkskinResult vkskinSampleMorphWeights(VkskinClip clip, uint32_t node, double time, VkskinWrap wrap,
                                                 float *weights, uint32_t count);

/**
 * Mixes two poses: translations and scales linearly, rotations by shortest-way slerp. Results are returned and not
 * logged.
 *
 * @param nodeCount  transforms in each array, 0 up
 * @param a          [nodeCount], the pose at weight 0
 * @param b          [nodeCount], the pose at weight 1
 * @param weight     0 to 1
 * @param out        [nodeCount]; may be `a` or `b`, else must not overlap them. Not finite where they are not.
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  an array is null
 * @retval VKSKIN_ERROR_INVALID_VALUE  the weight is not in 0 to 1
 */
VKSKIN_API VkskinResult vkskinBlendPoses(uint32_t nodeCount, const VkskinTransform *a, const VkskinTransform *b,
                                         float weight, VkskinTransform *out);

/**
 * Computes world matrices: world[node] = world[parent] x preTransform[node] x T R S, from node space to model space.
 * Failures go to the skeleton's logger.
 *
 * @param skeleton  whose hierarchy it is
 * @param pose      [vkskinGetSkeletonNodeCount(skeleton)]
 * @param world     [vkskinGetSkeletonNodeCount(skeleton)], written whole, apart from `pose`. Non-finite input gives
 *                  non-finite output, no error; vkskinWritePalette refuses it.
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  skeleton, pose or world is null
 */
VKSKIN_API VkskinResult vkskinComposePose(VkskinSkeleton skeleton, const VkskinTransform *pose, VkskinAffine *world);

/** @} */

/** @defgroup skins Skins Binds meshes to a skeleton. Several skins, each with its own bones, may use one skeleton.
 *           Several meshes may share one skin.
 *  @{ */

/** A skin: null, or made by vkskinCreateSkin and never changed. */
typedef struct VkskinSkin_T *VkskinSkin;

/** Describes a skin. A bone is a node with an inverse bind matrix. Made by vkskinDefaultSkinDef; the arrays are
 * copied. */
typedef struct VkskinSkinDef {
    uint32_t cookie;                  ///< set by vkskinDefaultSkinDef
    uint32_t nodeCount;               ///< of the skeleton, at least 1
    uint32_t boneCount;               ///< 1 to 1,048,576
    const uint32_t *boneNodes;        ///< [boneCount], each below nodeCount; a node may appear more than once
    const VkskinAffine *inverseBinds; ///< [boneCount], finite, mesh space -> bone space at bind; null: all identity
    /** Mesh space -> model space at bind: the world matrix of the node that carries the mesh. Finite and invertible.
     * The default is the identity, and then skinned vertices are in model space. Otherwise they are in mesh space, and
     * the host multiplies this matrix into the instance's own (its world x meshToModel) when it draws. */
    VkskinAffine meshToModel;
    VkskinLogger logger;                  ///< used only by vkskinCreateSkin
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the skin is destroyed.
} VkskinSkinDef;

/**
 * Returns a def with default values.
 *
 * @return meshToModel the identity, all else zero except the cookie; set nodeCount, boneCount and boneNodes
 */
VKSKIN_API VkskinSkinDef vkskinDefaultSkinDef(void);

/**
 * Makes a skin.
 *
 * @param def   what it is made of
 * @param skin  receives it; the caller destroys it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         def, skin, boneNodes or a function of the allocator is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED   the def was not made by vkskinDefaultSkinDef
 * @retval VKSKIN_ERROR_INVALID_VALUE         no nodes, or boneCount out of range
 * @retval VKSKIN_ERROR_NODE_OUT_OF_RANGE     a bone's node is not below nodeCount
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  meshToModel, or an inverse bind matrix; the message names the bone
 * @retval VKSKIN_ERROR_SINGULAR_MATRIX       meshToModel has no inverse
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    no memory for the copy
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
 * may write different palettes from one skin. Results are returned and not logged: this runs for every character of
 * every frame.
 *
 * VKSKIN_PALETTE_DUAL_QUATERNION keeps rotation and translation. Conversion: Kavan et al. 2008, "Geometric Skinning
 * with Approximate Dual Quaternion Blending", section 3. VKSKIN_PALETTE_SCALED_DUAL_QUATERNION keeps all, by polar
 * decomposition: Shoemake and Duff 1992, "Matrix Animation and Polar Decomposition"; R is the rotation nearest to the
 * matrix, or, where that mirrors (more than rounding makes a flat one do), to its negative. The quaternion encodings
 * keep rotation, translation and the uniform scale of the same volume, the cube root of the determinant; the rotation
 * is the nearest one to what is left. VKSKIN_PALETTE_MAT2X3 keeps what happens in the plane of x and y.
 *
 * @param skin        which bones
 * @param world       [worldCount], from vkskinComposePose
 * @param worldCount  vkskinGetSkinNodeCount(skin) up; what is beyond that is not looked at
 * @param encoding    how an entry is stored
 * @param palette     [boneCount] entries of vkskinPaletteStride(encoding) bytes, any alignment; such as what
 *                    vkskinAllocatePalette gave. Only written, never read, so mapped write-combined memory is right.
 * @param boneCount   the room in `palette`: vkskinGetSkinBoneCount(skin) up; what is beyond that is not written
 * @retval VKSKIN_WARNING_SCALE_LOST          a bone's matrix has scale or shear beyond 0.1 % that the encoding cannot
 *                                            hold (a dual quaternion none, a quaternion none that is not uniform,
 *                                            halves none below 1/16,384);
 *                                            its nearest rotation was written (polar decomposition; for dual
 *                                            quaternions a mirrored bone is among these)
 * @retval VKSKIN_WARNING_DEPTH_LOST          the encoding is VKSKIN_PALETTE_MAT2X3 and a bone's matrix turns out of the
 *                                            plane or into it by more than 0.1 % of its largest element there, or
 *                                            moves along z by more than 0.1 % of that or of its movement there
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         skin, world or palette is null
 * @retval VKSKIN_ERROR_INVALID_VALUE         the encoding is unknown, or worldCount below the skin's nodeCount
 * @retval VKSKIN_ERROR_PALETTE_TOO_SMALL     boneCount is below the skin's; it may be a palette for another mesh
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  of a bone's matrix, or beyond a half's 65,504; the entries before that
 *                                            bone are written
 */
VKSKIN_API VkskinResult vkskinWritePalette(VkskinSkin skin, const VkskinAffine *world, uint32_t worldCount,
                                           VkskinPaletteEncoding encoding, void *palette, uint32_t boneCount);

/** @} */

/** @defgroup crowds Pose batches
 *  Characters of one skeleton and one skin, each at a time of its own in one of several clips, sampled, composed and
 *  written as palettes by one call, many in the lanes of a vector.
 *  @{ */

/** A pose batch: null, or made by vkskinCreatePoseBatch. Holds its clips' keys anew, and where each character was in
 * them. */
typedef struct VkskinPoseBatch_T *VkskinPoseBatch;

/** VkskinPoseBatchCharacter.clip of a character that no clip moves. */
#define VKSKIN_REST_POSE 0xffffffffu

/**
 * Describes a pose batch. Made by vkskinDefaultPoseBatchDef. All of it is copied: skeleton, skin and clips may go
 * after.
 *
 * Memory: for each channel of a node that changes in any clip (its keys differ from each other, from other clips or
 * from the rest pose): 32 bytes per key, two more keys per clip, and 4 bytes per slot. Cubic tracks are also stored
 * unchanged. Also 48 KB for each node whose matrix is needed at the same time as others: about the depth of the
 * hierarchy if bones are in node order.
 */
typedef struct VkskinPoseBatchDef {
    uint32_t cookie;         ///< set by vkskinDefaultPoseBatchDef
    VkskinSkeleton skeleton; ///< of all characters
    VkskinSkin skin;         ///< likewise; for no more nodes than the skeleton has
    uint32_t clipCount;      ///< 0 up; default 0: all characters stand in the rest pose
    const VkskinClip *clips; ///< [clipCount], none null, for no more nodes than the skeleton has; may be null for none
    uint32_t slotCount;      ///< 1 up: how many characters' places in their clips are kept from call to call
    VkskinLogger logger;     ///< kept: vkskinPoseBatch also logs to it, on the calling thread
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the crowd is destroyed.
} VkskinPoseBatchDef;

/**
 * Returns a def with default values.
 *
 * @return all zero except the cookie; set skeleton, skin and slotCount
 */
VKSKIN_API VkskinPoseBatchDef vkskinDefaultPoseBatchDef(void);

/**
 * Creates a pose batch.
 *
 * @param def    what it is made of
 * @param crowd  receives it; the caller destroys it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT        def, crowd, skeleton, skin, clips (where there are any), a clip or a
 *                                           function of the allocator is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED  the def was not made by vkskinDefaultPoseBatchDef
 * @retval VKSKIN_ERROR_INVALID_VALUE        slotCount is 0, the skin or a clip is for more nodes than the skeleton has,
 *                                           or the keys of a clip are more than 4,294,967,295
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY   no memory for the keys, the slots or the work
 */
VKSKIN_API VkskinResult vkskinCreatePoseBatch(const VkskinPoseBatchDef *def, VkskinPoseBatch *crowd);

/**
 * Destroys a pose batch.
 *
 * @param crowd  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroyPoseBatch(VkskinPoseBatch crowd);

/** One character in one call. Has no default function: set it to zero, then fill it. */
typedef struct VkskinPoseBatchCharacter {
    uint32_t clip;   ///< below the crowd's clipCount, or VKSKIN_REST_POSE
    VkskinWrap wrap; ///< what a time outside the clip means
    double time;     ///< seconds, finite
    /** Index of the key cache, below slotCount; unique within a call. Fastest if the same character uses it with small
     * steps forward in the same clip; always correct. */
    uint32_t slot;
    /** [boneCount of the skin] entries of vkskinPaletteStride(encoding) bytes, any alignment, such as what
     * vkskinAllocatePalette gave; fastest where it is 64-byte aligned. Only written, never read, in ascending order and
     * by whole lines of 64 bytes as far as it has them: mapped write-combined memory is right. Apart from the palettes
     * of the other characters. */
    void *palette;
} VkskinPoseBatchCharacter;

/**
 * Poses characters, with the result of vkskinSampleClip, vkskinComposePose and vkskinWritePalette for each, within
 * floating-point rounding accumulated along the hierarchy. That is, of a bone whose node has d nodes above it, each
 * number lies within (d + 2) / 1,000,000 of what the three calls give: of a column of the 3x3 part relative to the
 * product of all scales on the way (the largest of each node's; of other matrices the root of their elements' squares),
 * and of the translation relative to the sum of all movements on the way, each times the scales before it. What an
 * encoding loses comes on top. Results are bit-identical for any number of threads and any order of characters; levels
 * differ within rounding. All characters are checked before any is posed. Palettes that are together larger than the
 * processor's caches are written with streaming stores. They are visible to other threads, and to device work that is
 * submitted after the call. Do not call it on the same batch from two threads at once.
 *
 * VKSKIN_PALETTE_MAT3X4 is the fastest encoding: the others are converted from it one entry at a time. Cubic tracks are
 * also sampled one at a time.
 *
 * @param crowd       which skeleton, skin and clips
 * @param characters  [count]; may be null where count is 0
 * @param count       0 up
 * @param encoding    how palette entries are stored
 * @param boneCount   the room in each palette, in entries: that of the crowd's skin up; what is beyond that is not
 *                    written
 * @param run         level and threads; null: all zero
 * @retval VKSKIN_WARNING_SCALE_LOST          as vkskinWritePalette; this and others name the first such character
 * @retval VKSKIN_WARNING_DEPTH_LOST          as vkskinWritePalette
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         crowd, characters or a palette is null
 * @retval VKSKIN_ERROR_INVALID_VALUE         a clip, a slot, the wrap, the encoding or the level is out of its range or
 *                                            not there, a slot comes twice, or a time is not finite
 * @retval VKSKIN_ERROR_PALETTE_TOO_SMALL     boneCount is below the skin's
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  of a bone's matrix, or beyond what the encoding holds: that character's
 *                                            palette holds anything then, all others are written
 */
VKSKIN_API VkskinResult vkskinPoseBatch(VkskinPoseBatch crowd, const VkskinPoseBatchCharacter *characters,
                                        uint32_t count, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                        const VkskinCpuRun *run);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
