/*
 * vkskin_pose.h: the CPU side. Skeletons, clips, sampling, blending and the palettes that the GPU side reads.
 *
 * The way of a frame:
 *     vkskinSampleClip -> (vkskinBlendPoses) -> vkskinComposePose -> vkskinWritePalette
 *
 * No Vulkan type, no global, no thread. Skeletons, clips and skins are immutable once made: any number of
 * threads may read one at the same time. Creation copies what the def points to; nothing is kept of it.
 *
 * Conventions. Vectors are columns: p' = M p. Angles do not appear; rotations are unit quaternions stored
 * (x, y, z, w). Lengths are in the model's own unit, times in seconds. Matrices are 3x4, row-major, the last row
 * (0 0 0 1) implied. Nodes are numbered so that a parent's index is below its children's.
 *
 * Unstable: this header may change before 1.0.
 */
#ifndef VKSKIN_POSE_H
#define VKSKIN_POSE_H

#include "vkskin_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A 3x4 affine transform: m[row][column], column 3 the translation. 48 bytes; no alignment beyond float's. */
typedef struct VkskinAffine {
    float m[3][4];
} VkskinAffine;

/*
 * A node's transform relative to its parent: scaled first, then rotated, then moved (T R S). 40 bytes.
 * Scale may be zero or negative. The rotation need not be of exact unit length: it is normalised where read, and
 * one of zero length counts as none.
 */
typedef struct VkskinTransform {
    float translation[3];
    float rotation[4]; /* x, y, z, w */
    float scale[3];
} VkskinTransform;

/* Translation 0, rotation (0, 0, 0, 1), scale 1. */
VKSKIN_API VkskinTransform vkskinIdentityTransform(void);

/* The identity matrix. */
VKSKIN_API VkskinAffine vkskinIdentityAffine(void);

/* T R S as a matrix. Here and in vkskinMultiplyAffine pointers must not be null. */
VKSKIN_API VkskinAffine vkskinAffineFromTransform(const VkskinTransform *transform);

/* a times b: the transform that applies b first. */
VKSKIN_API VkskinAffine vkskinMultiplyAffine(const VkskinAffine *a, const VkskinAffine *b);

/* The inverse, worked in double precision; may alias. NULL_ARGUMENT and SINGULAR_MATRIX (singular to within float's
 * precision, or not finite) leave *inverse as it was. */
VKSKIN_API VkskinResult vkskinInvertAffine(const VkskinAffine *affine, VkskinAffine *inverse);

/* ---- Skeleton: a hierarchy of nodes and its rest pose ---- */

typedef struct VkskinSkeleton_T *VkskinSkeleton;

typedef struct VkskinSkeletonDef {
    uint32_t cookie;                 /* set by vkskinDefaultSkeletonDef */
    uint32_t nodeCount;              /* 1 to 1,048,576 */
    const int32_t *parents;          /* [nodeCount]; -1 for a root, else below the node's own index */
    const VkskinTransform *restPose; /* [nodeCount]; what a node does when no track moves it */
    /* [nodeCount] or null. A node's local matrix is preTransforms[node] x (T R S): for nodes whose rest matrix
     * has shear and so no T R S form (rest identity then), or for a format's pre-rotations. */
    const VkskinAffine *preTransforms;
    VkskinLogger logger;                  /* kept: sampling and composing tell it too, on whatever thread they run */
    const VkskinHostAllocator *allocator; /* null: malloc. The struct is copied. */
} VkskinSkeletonDef;

VKSKIN_API VkskinSkeletonDef vkskinDefaultSkeletonDef(void);

/*
 * Makes a skeleton. On failure *skeleton is null.
 * Errors: DEF_NOT_INITIALISED, NULL_ARGUMENT, INVALID_VALUE, HIERARCHY_ORDER, TRANSFORM_NOT_FINITE,
 * OUT_OF_HOST_MEMORY.
 */
VKSKIN_API VkskinResult vkskinCreateSkeleton(const VkskinSkeletonDef *def, VkskinSkeleton *skeleton);

/* Null is allowed. No clip is being sampled on it, no pose composed; clips and skins do not refer to it. */
VKSKIN_API void vkskinDestroySkeleton(VkskinSkeleton skeleton);

/* 0 for null; likewise vkskinClipDuration and vkskinSkinBoneCount. */
VKSKIN_API uint32_t vkskinSkeletonNodeCount(VkskinSkeleton skeleton);

/* ---- Clip: key frames of some nodes ---- */

typedef struct VkskinClip_T *VkskinClip;

/* Which part of a node's transform a track drives. */
typedef enum VkskinChannel {
    VKSKIN_CHANNEL_TRANSLATION = 0, /* 3 floats a key */
    VKSKIN_CHANNEL_ROTATION = 1,    /* 4 floats a key, (x, y, z, w) */
    VKSKIN_CHANNEL_SCALE = 2        /* 3 floats a key */
} VkskinChannel;

typedef enum VkskinInterpolation {
    VKSKIN_INTERPOLATION_LINEAR = 0, /* rotations by shortest-way slerp */
    VKSKIN_INTERPOLATION_STEP = 1,   /* a key holds until the next */
    /* Cubic Hermite spline as in glTF 2.0, appendix C: a key is in-tangent, value, out-tangent (so 9 or 12
     * floats), tangents in units a second; rotations are normalised after. */
    VKSKIN_INTERPOLATION_CUBIC = 2
} VkskinInterpolation;

/*
 * The keys of one channel of one node. Before the first key its value holds, after the last key its value.
 * At most one track a node and channel; of several the last one counts.
 */
typedef struct VkskinTrack {
    uint32_t node;
    VkskinChannel channel;
    VkskinInterpolation interpolation;
    uint32_t keyCount;   /* at least 1 */
    const float *times;  /* [keyCount] seconds, finite, ascending (equal neighbours allowed: the later wins) */
    const float *values; /* [keyCount][3, 4, 9 or 12] */
} VkskinTrack;

typedef struct VkskinClipDef {
    uint32_t cookie; /* set by vkskinDefaultClipDef */
    /* Seconds, at least 0. Negative (the default) takes the latest key time. A clip of 0 seconds is a pose. */
    float duration;
    uint32_t nodeCount; /* of the skeleton that the clip is for, at least 1: tracks must name nodes below it */
    uint32_t trackCount;
    const VkskinTrack *tracks; /* [trackCount]; may be null for none */
    VkskinLogger logger;
    const VkskinHostAllocator *allocator;
} VkskinClipDef;

VKSKIN_API VkskinClipDef vkskinDefaultClipDef(void);

/*
 * Errors: DEF_NOT_INITIALISED, NULL_ARGUMENT, INVALID_VALUE, NODE_OUT_OF_RANGE, KEY_TIMES, TRANSFORM_NOT_FINITE
 * (a key's value), OUT_OF_HOST_MEMORY.
 */
VKSKIN_API VkskinResult vkskinCreateClip(const VkskinClipDef *def, VkskinClip *clip);
VKSKIN_API void vkskinDestroyClip(VkskinClip clip);

/* Seconds. */
VKSKIN_API float vkskinClipDuration(VkskinClip clip);

/* ---- Poses ---- */

/* What a time outside 0 to the duration means. A clip of 0 seconds gives its first keys either way. */
typedef enum VkskinWrap {
    VKSKIN_WRAP_CLAMP = 0, /* hold the first or the last frame */
    VKSKIN_WRAP_LOOP = 1   /* time modulo duration */
} VkskinWrap;

/*
 * Writes the skeleton's rest pose, then the clip's tracks at `time` seconds over it.
 * pose: [vkskinSkeletonNodeCount(skeleton)], written whole. clip: null gives the rest pose.
 * Errors: NULL_ARGUMENT, INVALID_VALUE (time not finite, or a clip of a skeleton with more nodes).
 */
VKSKIN_API VkskinResult vkskinSampleClip(VkskinSkeleton skeleton, VkskinClip clip, double time, VkskinWrap wrap,
                                         VkskinTransform *pose);

/*
 * out = a towards b by `weight` in 0 to 1: translations and scales linearly, rotations by shortest-way slerp.
 * All arrays hold nodeCount transforms; out may be a or b. Errors, returned and not logged: NULL_ARGUMENT,
 * INVALID_VALUE.
 */
VKSKIN_API VkskinResult vkskinBlendPoses(uint32_t nodeCount, const VkskinTransform *a, const VkskinTransform *b,
                                         float weight, VkskinTransform *out);

/*
 * world[node] = world[parent] x preTransform[node] x T R S: from node space to model space.
 * pose and world: [vkskinSkeletonNodeCount(skeleton)]. Non-finite input gives non-finite output, no error;
 * vkskinWritePalette refuses it. Errors: NULL_ARGUMENT.
 */
VKSKIN_API VkskinResult vkskinComposePose(VkskinSkeleton skeleton, const VkskinTransform *pose, VkskinAffine *world);

/* ---- Skin: how one mesh hangs on a skeleton ---- */

typedef struct VkskinSkin_T *VkskinSkin;

/*
 * A bone is a node with an inverse bind matrix. Several skins, each with bones of its own, may use one skeleton,
 * and one skin may serve several meshes.
 */
typedef struct VkskinSkinDef {
    uint32_t cookie;                  /* set by vkskinDefaultSkinDef */
    uint32_t nodeCount;               /* of the skeleton */
    uint32_t boneCount;               /* 1 to 1,048,576 */
    const uint32_t *boneNodes;        /* [boneCount], each below nodeCount; a node may appear more than once */
    const VkskinAffine *inverseBinds; /* [boneCount] mesh space -> bone space at bind; null: all identity */
    /* Mesh space -> model space at bind: the world matrix of the node that carries the mesh. The default is the
     * identity, and then skinned vertices are in model space. Otherwise they are in mesh space, and the host
     * multiplies this matrix into the instance's own (its world x meshToModel) when it draws. Must be invertible. */
    VkskinAffine meshToModel;
    VkskinLogger logger;
    const VkskinHostAllocator *allocator;
} VkskinSkinDef;

VKSKIN_API VkskinSkinDef vkskinDefaultSkinDef(void);

/*
 * Errors: DEF_NOT_INITIALISED, NULL_ARGUMENT, INVALID_VALUE, NODE_OUT_OF_RANGE, TRANSFORM_NOT_FINITE,
 * SINGULAR_MATRIX (meshToModel), OUT_OF_HOST_MEMORY.
 */
VKSKIN_API VkskinResult vkskinCreateSkin(const VkskinSkinDef *def, VkskinSkin *skin);
VKSKIN_API void vkskinDestroySkin(VkskinSkin skin);

VKSKIN_API uint32_t vkskinSkinBoneCount(VkskinSkin skin);

/*
 * Writes a palette: entry b = inverse(meshToModel) x world[boneNodes[b]] x inverseBinds[b], encoded.
 * world: [nodeCount of the skin] from vkskinComposePose. palette: boneCount entries of
 * vkskinPaletteStride(encoding) bytes, 4-byte aligned; only written, never read, so mapped write-combined memory
 * is right. Any thread; several may write different palettes from one skin.
 *
 * VKSKIN_PALETTE_DUAL_QUATERNION keeps rotation and translation. A bone whose remaining matrix has scale or shear
 * beyond 0.1 % returns VKSKIN_WARNING_SCALE_LOST, its nearest rotation written (polar decomposition; a mirrored
 * bone is among these). Conversion: Kavan et al. 2008, "Geometric Skinning with Approximate Dual Quaternion
 * Blending", section 3.
 * Errors: NULL_ARGUMENT, INVALID_VALUE, TRANSFORM_NOT_FINITE (the entries before the bad bone are written).
 * Results are returned and not logged: this runs for every character of every frame.
 */
VKSKIN_API VkskinResult vkskinWritePalette(VkskinSkin skin, const VkskinAffine *world, VkskinPaletteEncoding encoding,
                                           void *palette);

#ifdef __cplusplus
}
#endif

#endif
