/**
 * @file
 * Packed animation sets: one skeleton and its clips in one block of memory, compressed to a bound of the error.
 *
 * A tool or a loader packs clips once (vkskinPackAnimation). Later a block is checked once (vkskinCheckAnimation), then
 * sampled for one character (vkskinSampleAnimation) or for many at a time (VkskinPoseBatchDef.animation).
 *
 * A block has no pointers. It can be copied, written to a file, and bound as a storage buffer. "The layout of a block"
 * below describes it for other readers, for example for shaders. Morph weights are not part of a block: keep the clips
 * for vkskinSampleMorphWeights.
 *
 * No Vulkan types, no globals, no locks, no file access. Any thread may make every call; concurrent calls must write to
 * different memory. Any number of threads may read one block. The rules and errors of vkskin_base.h and the conventions of
 * vkskin_pose.h apply.
 */
#ifndef VKSKIN_PACK_H
#define VKSKIN_PACK_H

#include "vkskin_mesh.h"
#include "vkskin_pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup animationlayout The layout of a block
 *  All numbers are little-endian 32-bit words at multiples of 4 bytes. An offset ("At") counts words from the start of
 *  the block. The block starts with a VkskinAnimationHeader.
 *
 *  A clip has rows of keys. Row k is `stride` words at keysAt + k x stride, and holds the moving channels of all nodes at
 *  one time: k / (keyCount - 1) of the duration, or the k-th number of timesAt. To sample a time, find the last row k
 *  that is not after it, but at most keyCount - 2. f is the fraction of the way from row k to row k + 1. Rows of equal
 *  times are a jump: f is 1 if the time is not before row k + 1. Interpolate each number linearly: a + (b - a) f.
 *
 *  The numbers of a track are in a row one after another, from bit `place >> 6` on, in order x, y, z (w). A number has
 *  place & 63 bits, 2 to 24, or 32. The lowest bit of a word comes first; a number may continue in the next word.
 *  With 2 to 24 bits a number u is an unsigned integer. It stands for extent x (u - m) / m, m = 2^(bits - 1) - 1. It
 *  is absent, and stands for 0, if its extent is 0. With 32 bits it is a float and never absent. The words of a track
 *  lie in four consecutive words: readers may load 128 bits.
 *
 *  A channel of a node that a clip has neither in its tracks nor in its held channels has the value of the rest pose.
 *  @{ */

/** VkskinAnimationHeader.magic: "VKAN" in memory. */
#define VKSKIN_ANIMATION_MAGIC 0x4e414b56u
/** VkskinAnimationHeader.version of blocks that this version packs and reads. */
#define VKSKIN_ANIMATION_VERSION 1u
/** Maximum number of nodes in a block. */
#define VKSKIN_ANIMATION_MAX_NODES 65536u
/** Maximum of nodeCount x clipCount of a block: time and memory of its readers grow with this number. */
#define VKSKIN_ANIMATION_MAX_NODE_CLIPS 4194304u
/** Maximum size of a block in bytes. */
#define VKSKIN_ANIMATION_MAX_BYTES 0x40000000u

/** The first 16 words of a block. */
typedef struct VkskinAnimationHeader {
    uint32_t magic;       ///< VKSKIN_ANIMATION_MAGIC
    uint32_t version;     ///< VKSKIN_ANIMATION_VERSION
    uint32_t bytes;       ///< size of the block, a multiple of 16, at most VKSKIN_ANIMATION_MAX_BYTES
    uint32_t nodeCount;   ///< 1 to VKSKIN_ANIMATION_MAX_NODES
    uint32_t clipCount;   ///< nodeCount x clipCount is at most VKSKIN_ANIMATION_MAX_NODE_CLIPS
    uint32_t heldCount;   ///< number of values at heldAt
    uint32_t parentsAt;   ///< int32 [nodeCount]: -1 for a root
    uint32_t orderAt;     ///< uint32 [nodeCount]: the nodes, each parent before its children
    uint32_t restAt;      ///< VkskinTransform [nodeCount]: the rest pose
    uint32_t preAt;       ///< VkskinAffine [nodeCount]: the pre-transforms; 0: all are the identity
    uint32_t clipsAt;     ///< VkskinAnimationClip [clipCount]
    uint32_t heldAt;      ///< float [heldCount][4]: x, y, z, w; w is 0 for a translation and a scale
    uint32_t reserved[4]; ///< 0
} VkskinAnimationHeader;

/** A clip: 16 words. Tracks and held channels ascend by node, then by channel. No channel appears twice. Clips share no
 * arrays, tracks no bits of a row. */
typedef struct VkskinAnimationClip {
    float duration;         ///< seconds, at least 0
    uint32_t keyCount;      ///< rows of keys, at least 1; 1 if nothing moves
    uint32_t stride;        ///< words of a row; 0 if nothing moves
    uint32_t timesAt;       ///< float [keyCount]: seconds, ascending, the first is 0; 0: rows have equal distances
    uint32_t keysAt;        ///< the rows; at least 4 more words of the block follow the last one
    uint32_t rotationCount; ///< 0 to nodeCount
    uint32_t rotationsAt;   ///< VkskinAnimationRotation [rotationCount]
    uint32_t vectorCount;   ///< 0 to 2 x nodeCount
    uint32_t vectorsAt;     ///< VkskinAnimationVector [vectorCount]
    uint32_t holdCount;     ///< 0 to 3 x nodeCount
    uint32_t holdsAt;       ///< VkskinAnimationHold [holdCount]
    float error;            ///< VkskinAnimationStats.error of the clip
    uint32_t reserved[4];   ///< 0
} VkskinAnimationClip;

/** Rotation tracks with this flag in `target` have four numbers, others three. */
#define VKSKIN_ANIMATION_FOUR 0x80000000u

/**
 * A rotation that moves: 6 words. With three numbers they are x, y and z of a unit quaternion with w >= 0. With four
 * they are x, y, z and w of a quaternion to normalise. The rotation of the node is base times that quaternion.
 */
typedef struct VkskinAnimationRotation {
    uint32_t target;    ///< node | VKSKIN_CHANNEL_ROTATION << 16, and VKSKIN_ANIMATION_FOUR
    uint32_t place;     ///< first bit in the row << 6 | bits of a number
    int16_t base[4];    ///< snorm16 quaternion x, y, z, w, not zero; to be normalised
    uint16_t extent[4]; ///< unorm16: 65,535 is 1; w is 0 with three numbers; 0 with 32 bits
} VkskinAnimationRotation;

/** A translation or a scale that moves: 8 words. The value of the node is centre plus the three numbers. */
typedef struct VkskinAnimationVector {
    uint32_t target; ///< node | VkskinChannel << 16
    uint32_t place;  ///< first bit in the row << 6 | bits of a number
    float centre[3]; ///< finite; 0 with 32 bits
    float extent[3]; ///< finite, at least 0; 0 with 32 bits
} VkskinAnimationVector;

/** A channel that has one value in the whole clip: 2 words. */
typedef struct VkskinAnimationHold {
    uint32_t target; ///< node | VkskinChannel << 16
    uint32_t value;  ///< index of the value at heldAt
} VkskinAnimationHold;

/** @} */

/** @defgroup animationpack Packing
 *  @{ */

/** The vertices that a node moves, as a box in the node's space. */
typedef struct VkskinAnimationBox {
    float low[3];  ///< finite
    float high[3]; ///< finite; less than `low` in x: the node moves no vertices
} VkskinAnimationBox;

/** @return a box without vertices */
VKSKIN_API VkskinAnimationBox vkskinEmptyAnimationBox(void);

/**
 * Enlarges the boxes of the nodes that move vertices of a mesh: all influences with a weight other than 0 count, and the
 * unweightedBone of vertices without one. Any thread. Results are returned and not logged.
 *
 * @param skin   the skin of the mesh
 * @param mesh   the def that the mesh is created from, with its joint format and strides. Reads vertexCount, boneCount,
 *               vertices, positions, joints, weights and unweightedBone. Not flat. Morph targets are not read:
 *               vkskinCreateCrowd adds how far they move
 * @param boxes  [nodeCount of the skin]: changed; set each to vkskinEmptyAnimationBox before the first mesh
 * @retval VKSKIN_ERROR_INVALID_VALUE         a number or a stride of the def is out of range, or the mesh is flat
 * @retval VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE  a position is NaN or infinite
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE     a weight is NaN or infinite
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE       a weight is below zero
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE    a joint with a weight is not below the boneCount of mesh and skin
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a vertex in the space of a node is not finite; the boxes then contain
 *                                            all other vertices. After other errors they are unchanged
 */
VKSKIN_API VkskinResult vkskinAddAnimationBoxes(VkskinSkin skin, const VkskinMeshDef *mesh, VkskinAnimationBox *boxes);

/**
 * Computes a box that holds every skinned vertex of one pose, before the vertices are skinned: for culling. It needs the
 * world matrices only, so the pose may come from any source: blending, IK, physics. Time is linear in the number of
 * nodes. Any thread. Failures are returned and not logged; `bound` is then unchanged.
 *
 * With linear blending the box is around the boxes of all nodes. The other methods may leave it: a dual quaternion moves a
 * vertex on an arc. Their box has the same centre, and its half size is twice the half diagonal. This holds for vertices with
 * up to four influences, and for bones that the encoding of the palette can represent (VKSKIN_WARNING_SCALE_LOST). Both
 * boxes have a margin of 1e-5 of the largest coordinate for rounding.
 *
 * @param boxes         [nodeCount], from vkskinAddAnimationBoxes for all meshes of the character
 * @param world         [nodeCount], from vkskinComposePose, or any finite matrices. The bound is in their space. As with
 *                      crowds, meshToModel of a skin is not undone
 * @param nodeCount     0 or more
 * @param method        how the vertices are skinned
 * @param displacement  at least 0, finite: the farthest that morph targets move a vertex before skinning, in the unit of
 *                      the boxes: each side of each box moves by it. Enlarge the bound yourself for targets after skinning
 * @param bound         receives the box; empty (vkskinEmptyAnimationBox) if no node moves a vertex
 * @retval VKSKIN_ERROR_INVALID_VALUE         an unknown method, or displacement is below 0 or not finite
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a matrix of a node that moves vertices, its box, or the bound is NaN or
 *                                            infinite
 */
VKSKIN_API VkskinResult vkskinBoundPose(const VkskinAnimationBox *boxes, const VkskinAffine *world, uint32_t nodeCount,
                                        VkskinMethod method, float displacement, VkskinAnimationBox *bound);

/** How keys are stored. */
typedef enum VkskinAnimationProfile {
    VKSKIN_ANIMATION_PACKED = 0, ///< as few bits as the error bound allows
    VKSKIN_ANIMATION_FLOAT = 1   ///< floats, for tools: only key times are reduced to the error bound
} VkskinAnimationProfile;

/** Describes what to pack. Made by vkskinDefaultAnimationDef. Skeleton and clips are not needed after the call. */
typedef struct VkskinAnimationDef {
    uint32_t cookie;         ///< set by vkskinDefaultAnimationDef
    VkskinSkeleton skeleton; ///< skeleton of all clips, at most VKSKIN_ANIMATION_MAX_NODES nodes
    uint32_t clipCount;      ///< 0 or more; with the nodes at most VKSKIN_ANIMATION_MAX_NODE_CLIPS
    const VkskinClip *clips; ///< [clipCount], none null, each with at most the skeleton's number of nodes
    /**
     * Maximum distance of a point between its place in the packed and in the source clip, in the unit of the model,
     * above 0. It is measured in model space at the points of `boxes` and `distance`, at 16 times between each pair of
     * neighbouring source key times. Includes the whole hierarchy: the errors of all ancestors of a node.
     *
     * Linear blend skinning moves a vertex at most as far as the farthest of its bones would. So the bound also holds
     * for skinned vertices that are inside the boxes.
     */
    float maxError;
    /** [nodeCount]: all corners of a box are measured; null: no boxes. */
    const VkskinAnimationBox *boxes;
    /** Half the side of a cube around the origin of each node, in the node's space, that is measured too; at least 0.
     * Default 0: only the origin, so that also nodes without vertices keep to the bound. */
    float distance;
    VkskinAnimationProfile profile;       ///< default VKSKIN_ANIMATION_PACKED
    VkskinParallelFn parallel;            ///< null: the calling thread; otherwise one task for each clip
    void *parallelUser;                   ///< passed to `parallel`
    VkskinLogger logger;                  ///< used only by vkskinPackAnimation, on its thread
    const VkskinHostAllocator *allocator; ///< null: malloc. Block and temporary memory. Called on all packing threads
} VkskinAnimationDef;

/** @return a def that is all zero except the cookie; set skeleton, clips and maxError */
VKSKIN_API VkskinAnimationDef vkskinDefaultAnimationDef(void);

/** The result of packing a clip. */
typedef struct VkskinAnimationStats {
    uint64_t sourceBytes; ///< 32 for each key of the clip's translations, rotations and scales
    uint32_t bytes;       ///< bytes of the clip in the block, without the skeleton and values that clips share
    uint32_t keyCount;    ///< rows
    uint32_t trackCount;  ///< channels that move
    uint32_t holdCount;   ///< channels that do not move and differ from the rest pose
    bool uniform;         ///< rows have equal distances
    /** The largest distance found, in the unit of the model. Rounding of float sampling, about 1e-6 of the size of the
     * model, is not included. FLT_MAX: one beyond floats. */
    float error;
} VkskinAnimationStats;

/**
 * Packs a skeleton and its clips. The same input gives the same bytes on any number of threads.
 *
 * Time and temporary memory grow with the number of nodes x key times of a clip. For 60 nodes and 300 key times the
 * memory is about 30 MB. Pack in a tool or while loading, not in a frame.
 *
 * @param def    describes the input
 * @param block  receives the block, aligned to 16 bytes; null on failure. Free it with vkskinFreeAnimation and the same
 *               allocator
 * @param size   receives its size in bytes; undefined on failure
 * @param stats  [clipCount]: receives a row for each clip, not on failure; may be null
 * @retval VKSKIN_WARNING_ERROR_BOUND         a clip exceeds maxError, which is too small for the precision of its
 *                                            numbers; the message names the first such clip and its error
 * @retval VKSKIN_ERROR_INVALID_VALUE         maxError is not above 0 and finite; distance is negative or not finite; an
 *                                            unknown profile; too many nodes, or nodes x clips; a clip needs
 *                                            more nodes than the skeleton has
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a number of a box is not finite, or the pose of a clip is not
 * @retval VKSKIN_ERROR_ANIMATION_DATA        the block would be larger than VKSKIN_ANIMATION_MAX_BYTES
 */
VKSKIN_API VkskinResult vkskinPackAnimation(const VkskinAnimationDef *def, void **block, size_t *size,
                                            VkskinAnimationStats *stats);

/**
 * Frees a block of vkskinPackAnimation.
 *
 * @param block      may be null; no other call and no pose batch may use it during this call or later
 * @param allocator  allocator of the def; null: malloc
 */
VKSKIN_API void vkskinFreeAnimation(void *block, const VkskinHostAllocator *allocator);

/** @} */

/** @defgroup animationread Reading
 *  Give these calls only blocks that vkskinCheckAnimation accepted and that did not change since then: they do not check
 *  the block again.
 *  @{ */

/**
 * Checks a block from any source: each offset, count, index and number. Time is linear in its size.
 * Two clips must not share an array, nor two tracks the bits of a row: then readers too are linear in size plus nodes x
 * clips.
 *
 * @param block   [size] bytes, aligned to 4
 * @param size    in bytes; may be larger than the block
 * @param logger  receives the message; may be null
 * @retval VKSKIN_ERROR_ANIMATION_VERSION  a block of another version
 * @retval VKSKIN_ERROR_ANIMATION_DATA     not a block, cut off, or damaged; the message names clip and field
 */
VKSKIN_API VkskinResult vkskinCheckAnimation(const void *block, size_t size, const VkskinLogger *logger);

/**
 * Creates the skeleton of a block.
 *
 * @param block      a checked block; not needed after the call
 * @param logger     kept by the skeleton; may be null
 * @param allocator  null: malloc; used until the skeleton is destroyed
 * @param skeleton   receives the skeleton; the caller destroys it
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinCreateAnimationSkeleton(const void *block, const VkskinLogger *logger,
                                                      const VkskinHostAllocator *allocator, VkskinSkeleton *skeleton);

/**
 * Returns the number of clips.
 *
 * @param block  a checked block; may be null
 * @return number of clips; 0 for null
 */
VKSKIN_API uint32_t vkskinGetAnimationClipCount(const void *block);

/**
 * Returns the duration of a clip.
 *
 * @param block  a checked block; may be null
 * @param clip   any value
 * @return seconds; 0 if there is no such clip
 */
VKSKIN_API float vkskinGetAnimationDuration(const void *block, uint32_t clip);

/**
 * Writes the rest pose, then applies a clip at a time: as vkskinSampleClip, for a packed clip. Results are returned and
 * not logged.
 *
 * @param block  a checked block
 * @param clip   index of the clip; VKSKIN_REST_POSE: only the rest pose is written
 * @param time   seconds, finite
 * @param wrap   treatment of a time outside the clip
 * @param pose   [nodeCount of the block]: receives all transforms
 * @retval VKSKIN_ERROR_INVALID_VALUE  clip is not below the number of clips, the time is not finite, or wrap is unknown
 */
VKSKIN_API VkskinResult vkskinSampleAnimation(const void *block, uint32_t clip, double time, VkskinWrap wrap,
                                              VkskinTransform *pose);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
