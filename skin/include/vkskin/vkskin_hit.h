/**
 * @file
 * Hit tests on the CPU: which triangle of a skinned mesh does a ray hit, and which bone moves it.
 *
 *     when a mesh is loaded   vkskinCreateHitMesh
 *     for each pose           vkskinSkinOnCpu -> vkskinWriteHitPose
 *     any number of rays      vkskinTraceRays
 *
 * The triangles of a mesh are divided into clusters of up to 64 neighbours. vkskinWriteHitPose copies the corners of the
 * triangles and computes a box around each cluster. A ray tests all boxes, then the triangles in the boxes that it
 * enters, the nearest first. The test of a triangle has no gaps between neighbours: Woop, Benthin and Wald 2013,
 * "Watertight Ray/Triangle Intersection". Boxes have a margin for rounding, so that the result is the same, bit for bit,
 * as without boxes: the test of every triangle in turn.
 *
 * No Vulkan types, no globals, no locks. Any thread may make every call. Work runs on the calling thread and on threads
 * that the host provides. Results are bit-identical for any number of threads and any level (VkskinCpuLevel). Only
 * vkskinCreateHitMesh allocates memory. The rules and errors of vkskin_base.h apply.
 */
#ifndef VKSKIN_HIT_H
#define VKSKIN_HIT_H

#include "vkskin_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup hits Hit tests
 *  Rays against the triangles of a skinned mesh.
 *  @{ */

/** The triangles of a mesh in clusters: null, or made by vkskinCreateHitMesh and never changed. It serves any number of
 * characters. */
typedef struct VkskinHitMesh_T *VkskinHitMesh;

/**
 * Divides the triangles of a mesh into clusters, by their places in the bind pose. Time is proportional to n log n for n
 * triangles. Reads positions, indices, joints, weights, maxInfluences, minWeight and unweightedBone. A mesh without bones
 * (boneCount 0) is allowed, a flat mesh is not.
 *
 * @param mesh  the def that the mesh is created from, with the triangles in `indices`
 * @param run   logger and allocator, which the hit mesh keeps; may be null
 * @param made  receives the hit mesh; the caller destroys it
 * @retval VKSKIN_ERROR_INVALID_VALUE         a number, an enum or a stride is out of range; no triangle; a flat mesh
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE    a joint with a weight is not below boneCount, the message names the vertex;
 *                                            or unweightedBone is set and not below boneCount
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE     a weight is NaN or infinite; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE       a weight is below zero; the message names the vertex
 * @retval VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE  a position is NaN or infinite; the message names the vertex
 * @retval VKSKIN_ERROR_INDEX_OUT_OF_RANGE    an index is not below vertexCount; the message names the triangle
 */
VKSKIN_API VkskinResult vkskinCreateHitMesh(const VkskinMeshDef *mesh, const VkskinPrepareRun *run,
                                            VkskinHitMesh *made);

/**
 * Frees a hit mesh.
 *
 * @param mesh  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroyHitMesh(VkskinHitMesh mesh);

/**
 * Returns the size of the memory of a pose.
 *
 * @param mesh  may be null
 * @return bytes, about 37 for each triangle and at least 2,400; 0 for null
 */
VKSKIN_API size_t vkskinGetHitPoseSize(VkskinHitMesh mesh);

/**
 * Writes the triangles of a pose and the boxes of the clusters. Call it after each vkskinSkinOnCpu before rays are traced.
 * The memory of an earlier pose may be used again, once no call traces rays with it.
 *
 * @param mesh       from vkskinCreateHitMesh
 * @param positions  [vertexCount] of float3 in the order of the mesh def: a stream of vkskinSkinOnCpu, in any unit. A
 *                   triangle with a NaN position is never hit. Aligned to 4; read only during the call
 * @param stride     bytes from one position to the next, 12 to 65,536 and a multiple of 4; 0: 12
 * @param pose       [vkskinGetHitPoseSize] bytes, aligned to 4; receives the pose; must not overlap `positions`
 * @retval VKSKIN_ERROR_INVALID_VALUE  a stride out of range, or `positions` or `pose` is not aligned
 */
VKSKIN_API VkskinResult vkskinWriteHitPose(VkskinHitMesh mesh, const float *positions, size_t stride, void *pose);

/** A ray, in the space of the positions. Has no default function: set it to zero, then fill it. */
typedef struct VkskinRay {
    float origin[3];    ///< finite
    float direction[3]; ///< finite, any length above 0
    /** At least 0: farther hits are ignored. In lengths of `direction`, like VkskinHit.distance. 0: no limit. */
    float maxDistance;
} VkskinRay;

/** VkskinHit.triangle of a ray that hits nothing. */
#define VKSKIN_NO_HIT UINT32_MAX

/** The nearest hit of a ray. Triangles are hit from both sides; their edges belong to them. */
typedef struct VkskinHit {
    /** VkskinMeshDef.indices from 3 x triangle on are the corners. The lowest one of several at the same distance.
     * VKSKIN_NO_HIT: nothing was hit, and all other fields are 0. */
    uint32_t triangle;
    /** The bone that moves the point most: the largest sum of weights, interpolated between the corners; the lowest one of
     * several. VKSKIN_NO_BONE in a mesh without bones, and where no weight is above 0 and unweightedBone is not set. */
    uint32_t bone;
    float distance;        ///< at least 0: the point is origin + distance x direction
    float barycentrics[3]; ///< the weight of each corner: 0 to 1, with the sum 1
    /** Length 1: out of the side on which the corners run counter-clockwise. The triangle's own normal; for a smooth one
     * interpolate the normals of the corners. 0 if the corners are on one line within rounding. */
    float normal[3];
} VkskinHit;

/**
 * Finds the nearest triangle of each ray. All rays are checked first: on failure nothing is written. Uses at most 4 KiB of
 * stack per thread. Time is proportional to the number of clusters, plus the triangles of the clusters whose boxes a ray
 * enters before its hit.
 *
 * @param mesh   from vkskinCreateHitMesh
 * @param pose   memory of vkskinWriteHitPose of this mesh. Any number of threads may read it
 * @param rays   [count]; may be null if count is 0
 * @param count  0 or more
 * @param run    level and threads: a task traces up to 256 rays; null: all zero
 * @param hits   [count]: receives the hit of each ray; must not overlap `pose` and `rays`; may be null if count is 0
 * @retval VKSKIN_ERROR_INVALID_VALUE  a ray is out of the ranges above, an unknown level, or a level that this machine does
 *                                     not have
 */
VKSKIN_API VkskinResult vkskinTraceRays(VkskinHitMesh mesh, const void *pose, const VkskinRay *rays, uint32_t count,
                                        const VkskinCpuRun *run, VkskinHit *hits);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
