/**
 * @file
 * Meshes: what they are made of, by which methods they are skinned, and what is worked out once, when a mesh is made or
 * long before: the order of vertices that is skinned fastest, centres of rotation, parts of few bones.
 *
 * No Vulkan type, no global, no lock, and no thread but those that the host lends. Every call may be made from any
 * thread. The rules of vkskin_base.h hold.
 */
#ifndef VKSKIN_MESH_H
#define VKSKIN_MESH_H

#include "vkskin_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup meshdefs Mesh definitions
 *  What a mesh is, to be skinned on the device (vkskinCreateMesh) or on the CPU (vkskinCreateCpuMesh).
 *  @{ */

/** How normals and tangents are stored, in the mesh and in the output. Positions are always three floats. */
typedef enum VkskinVertexFormat {
    /** 8 bytes: a word for the normal, octahedral, snorm 16 + 16 (x in the low half); a word for the tangent,
     * octahedral, snorm 16 + 15, the top bit set where the handedness is -1. Rounding turns a normal by at most
     * 0.004 degrees, a tangent by 0.006, and happens twice: in the mesh and in the output.
     * Cigolle et al. 2014, "A Survey of Efficient Representations for Independent Unit Vectors". */
    VKSKIN_VERTEX_PACKED = 0,
    /** 28 bytes: float3 normal, then float4 tangent whose w is the handedness, +1 or -1. In both formats the
     * handedness is that of the mesh: where bones mirror, the winding of triangles turns and the host's bitangent,
     * w cross(normal, tangent), with it. */
    VKSKIN_VERTEX_FLOAT = 1
} VkskinVertexFormat;

/** Number of VkskinVertexFormat values in this version. */
#define VKSKIN_VERTEX_FORMAT_COUNT 2

/** All vertex formats as X(name without VKSKIN_VERTEX_, name as text), in the order of values. */
#define VKSKIN_VERTEX_FORMATS(X) X(PACKED, "packed") X(FLOAT, "float")

/** A set of vertex formats, as VkskinPipelineDef.formats takes it. Combine the bits with `|`. */
typedef enum VkskinVertexFormatBits {
    VKSKIN_VERTEX_PACKED_BIT = 0x100 << VKSKIN_VERTEX_PACKED, ///< VKSKIN_VERTEX_PACKED
    VKSKIN_VERTEX_FLOAT_BIT = 0x100 << VKSKIN_VERTEX_FLOAT    ///< VKSKIN_VERTEX_FLOAT
} VkskinVertexFormatBits;

/** The VkskinVertexFormatBits value of a VkskinVertexFormat. */
#define VKSKIN_VERTEX_FORMAT_BIT(format) (0x100u << (format))

/** How a joint index is stored. */
typedef enum VkskinJointFormat {
    VKSKIN_JOINTS_U8 = 0,  ///< uint8_t
    VKSKIN_JOINTS_U16 = 1, ///< uint16_t, any alignment
    VKSKIN_JOINTS_U32 = 2  ///< uint32_t, any alignment
} VkskinJointFormat;

/** How the weights of a mesh are kept on the device. Those of a vertex sum to exactly one in 16 and 8 bits. */
typedef enum VkskinWeightFormat {
    VKSKIN_WEIGHTS_FLOAT = 0,   ///< 4 bytes
    VKSKIN_WEIGHTS_UNORM16 = 1, ///< 2 bytes, off by less than 1/65,535
    VKSKIN_WEIGHTS_UNORM8 = 2   ///< 1 byte, off by less than 1/255; influences that round to nothing go
} VkskinWeightFormat;

/** How normals follow the bones. Tangents always go through the blended matrix, as surfaces do. */
typedef enum VkskinNormals {
    /** Through the blended matrix itself: right where that is a turn and a uniform scale, so for a vertex of one such
     * bone. Bones of non-uniform scale or shear tilt normals the wrong way: a sphere flattened to half its height has
     * normals up to 37 degrees off. Linear blending of turns that differ does so by little. */
    VKSKIN_NORMALS_CHEAP = 0,
    /** Through the inverse transpose of the blended matrix, by its adjugate, so that singular matrices do no harm. The
     * same as cheap for VKSKIN_METHOD_DUAL_QUATERNION, which blends to a turn. */
    VKSKIN_NORMALS_EXACT = 1
} VkskinNormals;

/** Some vertices moved by a shape's weight: each delta is added times the weight, to normals and tangents before they
 * are brought to length 1; a tangent's handedness stays. Has no default function: set it to zero, then fill it. */
typedef struct VkskinMorphTarget {
    uint32_t vertexCount;     ///< moved ones; may be 0; without `vertices` 0 or the mesh's
    const uint32_t *vertices; ///< [vertexCount], each below the mesh's, none twice; null: all, in order
    const float *positions;   ///< [vertexCount] of float3 (float2 in a flat mesh), finite; null: none move
    const float *normals;     ///< [vertexCount] of float3, finite; null: none; not looked at in a mesh without normals
    const float *tangents;    ///< [vertexCount] of float3, finite; null: none; not looked at in one without tangents
    /** False: moved before the bones, in the bind pose, as glTF does. True: after them, in the space of the output. */
    bool afterSkinning;
} VkskinMorphTarget;

/** VkskinMeshDef.unweightedBone: there is none. */
#define VKSKIN_NO_BONE UINT32_MAX

/**
 * A mesh to be skinned: its bind-pose vertices. Index buffers, texture coordinates, colours and materials stay the
 * host's own; vertex order is kept, so they go with the output as they are. Made by vkskinDefaultMeshDef; all is copied
 * before vkskinCreateMesh returns.
 *
 * Strides go from vertex to vertex, 0 meaning tightly packed: else at least the size of what a vertex has there, 65,536
 * at most, and a multiple of 4 for floats.
 */
typedef struct VkskinMeshDef {
    uint32_t cookie;      ///< set by vkskinDefaultMeshDef
    const char *name;     ///< for messages; may be null; not kept
    uint32_t vertexCount; ///< 1 up
    /** Bones that a palette for this mesh must hold, to 1,048,576. 0: a mesh that only morph targets move; joints and
     * weights are not looked at, and its commands need no palette. */
    uint32_t boneCount;
    /** 3 (the default), or 2: a flat mesh, whose positions are float2 in and out, without normals and tangents. It is
     * skinned by linear blending from VKSKIN_PALETTE_MAT2X3. */
    uint32_t dimensions;

    const float *positions; ///< [vertexCount] of float3 (float2 in a flat mesh), finite, in the mesh's own unit
    size_t positionStride;  ///< 0, or 12 up (8 up)
    const float *normals; ///< [vertexCount] of float3, finite, normalised by the library; null: no normal in the output
    size_t normalStride;  ///< 0, or 12 up
    const float *tangents; ///< [vertexCount] of float4, finite, w the handedness, its sign counts; null: none
    size_t tangentStride;  ///< 0, or 16 up

    /** Joints and weights that each vertex has, unused ones with weight 0: 1 to 255; default 4. Any number may come
     * in; maxInfluences of them are kept. */
    uint32_t influencesPerVertex;
    VkskinJointFormat jointFormat; ///< default VKSKIN_JOINTS_U16
    const void *joints;            ///< [vertexCount][influencesPerVertex], each below boneCount unless its weight is 0
    size_t jointStride;            ///< 0, or influencesPerVertex joints up; need be no multiple of anything
    const float *weights; ///< [vertexCount][influencesPerVertex], finite, at least 0, their sum above 0; scaled to one
    size_t weightStride;  ///< 0, or influencesPerVertex floats up
    /** The most that a vertex keeps: 1 to 255, or 0 (the default) for all. The largest are kept, earlier ones first
     * among equals, and scaled to sum to one. */
    uint32_t maxInfluences;
    /** Influences below this share of their vertex's weight go, save its largest; 0 (the default) to 0.5. */
    float minWeight;
    VkskinWeightFormat weightFormat; ///< on the device; default VKSKIN_WEIGHTS_FLOAT
    /** The bone that vertices follow whose weights are all zero: a bone that stands for the node of the mesh. Default
     * VKSKIN_NO_BONE: such a vertex is refused. */
    uint32_t unweightedBone;

    VkskinVertexFormat format; ///< of the output's normals and tangents; default VKSKIN_VERTEX_PACKED
    VkskinNormals normalRule;  ///< default VKSKIN_NORMALS_CHEAP
    const float *blendWeights; ///< [vertexCount], 0 to 1, for VKSKIN_METHOD_PAINTED_BLEND; null: none
    size_t blendWeightStride;  ///< 0, or 4 up
    /** What vkskinComputeCentres wrote, for VKSKIN_METHOD_CENTRES_OF_ROTATION; null: none. The positions, joints and
     * weights are those given here, bit for bit and in this order of vertices; what the mesh trims does not matter. */
    const void *centres;
    size_t centresSize; ///< bytes: vkskinCentresSize(vertexCount), no more
    /** Triangles, for vkskinComputeCentres and vkskinSplitMesh only: a multiple of 3. vkskinCreateMesh does not read
     * them. Default 0. */
    uint32_t indexCount;
    const uint32_t *indices;               ///< [indexCount], each below vertexCount
    const uint32_t *materials;             ///< [indexCount / 3], any numbers, for vkskinSplitMesh; null: all 0
    const VkskinMorphTarget *morphTargets; ///< [morphTargetCount]
    uint32_t morphTargetCount;             ///< any number; default 0
    /** Keep the positions of the instance's previous update as well, for motion vectors. Its output then rotates
     * through one region more than the context's outputRegions. Default false. */
    bool previousPositions;
} VkskinMeshDef;

/**
 * A def to fill. Any thread.
 *
 * @return the defaults told at each field, all else zero: vertexCount, boneCount, positions, joints and weights are to
 *         be set
 */
VKSKIN_API VkskinMeshDef vkskinDefaultMeshDef(void);

/** What a mesh came to. */
typedef struct VkskinMeshInfo {
    uint32_t vertexCount; ///< as in the def
    uint32_t boneCount;   ///< as in the def
    uint32_t dimensions;  ///< as in the def
    uint32_t influences;  ///< the most that a vertex keeps, 1 to 255; 0 in a mesh without bones
    /** Vertices of 1, 2, 3, 4 and more influences. Each of these classes has kernels of its own. */
    uint32_t influenceVertices[5];
    /** The vertices of each class came together, so that output is written in the order of reading. Classes that did
     * not take 4 bytes of source more for each vertex. vkskinSortVertices tells the order to bring them into. */
    bool sorted;
    uint32_t normalisedVertices; ///< whose weights summed to something else than one by more than 1e-4
    uint32_t trimmedVertices;    ///< which lost influences by maxInfluences or minWeight
    float trimmedWeight;         ///< the largest share of a vertex's weight that was lost so, 0 to 1
    /** What trimming and weightFormat may cost, in the mesh's unit: for the worst vertex, the share of weight that
     * changed hands times the diagonal of the mesh's box. No vertex is farther off while the bones that move it
     * disagree about its place by no more than that diagonal. */
    float weightError;
    uint32_t morphTargetCount; ///< as in the def
    uint64_t sourceBytes;      ///< on the device, once; with VKSKIN_BACKEND_CPU its vertices in host memory
    /** Of one region of one instance: positions, then attributes, each rounded up to 16, with VKSKIN_BACKEND_CPU to
     * 64. */
    uint64_t outputBytes;
    bool hasNormals;                 ///< the output has them
    bool hasTangents;                ///< the output has them
    bool hasBlendWeights;            ///< VKSKIN_METHOD_PAINTED_BLEND may be used
    bool hasCentres;                 ///< VKSKIN_METHOD_CENTRES_OF_ROTATION may be used
    VkskinVertexFormat format;       ///< as in the def
    VkskinNormals normalRule;        ///< as in the def
    VkskinWeightFormat weightFormat; ///< as in the def
} VkskinMeshInfo;

/** @} */

/** @defgroup preparing Preparation
 *  Calls that prepare a mesh in a tool or at load time. They read a VkskinMeshDef and keep none of it.
 *  @{ */

/**
 * Receives the progress of a call, on the thread of that call, several times per second. The interval may be longer
 * while a very large mesh is checked or a single vertex is processed.
 *
 * @param user  VkskinPrepareRun.progressUser
 * @param done  0 to 1, never decreasing; steps of about equal work where the total is known
 * @return false to cancel: the call then returns VKSKIN_ERROR_CANCELLED
 */
typedef bool (*VkskinProgressFn)(void *user, float done);

/** How a preparation call runs. Has no default function: set it to zero, then fill it. Calls accept null for all zero. */
typedef struct VkskinPrepareRun {
    VkskinParallelFn parallel; ///< the host's threads; null: the calling thread. Only vkskinComputeCentres uses it
    void *parallelUser;        ///< passed to `parallel`
    VkskinProgressFn progress; ///< may be null. vkskinComputeCentres and vkskinSplitMesh use it
    void *progressUser;        ///< passed to `progress`
    VkskinLogger logger;       ///< used during the call
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; a split uses it until it is destroyed
} VkskinPrepareRun;

/** @} */

/** @defgroup order Order
 *  Vertices with equally many influences side by side.
 *  @{ */

/**
 * Computes the vertex order that is fastest to skin: by number of influences, then by bones, then by the old index.
 * vkskinCreateMesh needs no index table for a mesh in this order (VkskinMeshInfo.sorted), and neighbouring vertices read
 * the same bones. A mesh that is already in this order keeps it. Reads joints, weights, maxInfluences, minWeight and
 * weightFormat. A vertex without weights counts as a vertex with one influence.
 *
 * Apply the order to all vertex streams: new[i] = old[order[i]]. Apply its inverse to indices and to the vertices of
 * morph targets. Call this before vkskinComputeCentres, whose result is in vertex order. Any thread.
 *
 * @param mesh   the mesh
 * @param run    logger and allocator; may be null
 * @param order  [vertexCount]: receives the old index of each new vertex, a permutation
 * @retval VKSKIN_ERROR_NULL_ARGUMENT        mesh, order, joints, weights or a function of the allocator is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED  the mesh def was not made by vkskinDefaultMeshDef
 * @retval VKSKIN_ERROR_INVALID_VALUE        a number, an enum or a stride is out of range; boneCount is 0
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE   a joint with a weight is not below boneCount; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE    the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE      the message names the vertex
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY   no memory for temporary data
 */
VKSKIN_API VkskinResult vkskinSortVertices(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, uint32_t *order);

/** @} */

/** @defgroup centres Centres of rotation
 *  For VKSKIN_METHOD_CENTRES_OF_ROTATION: a point for each vertex that its neighbours of like weights turn about.
 *  @{ */

/**
 * How much vkskinComputeCentres writes. Any thread.
 *
 * @param vertexCount  of the mesh
 * @return bytes: a head of 32 and 12 a vertex
 */
VKSKIN_API size_t vkskinCentresSize(uint32_t vertexCount);

/**
 * Computes the centre of rotation of each vertex: Le and Hodgins 2016, "Real-time Skeletal Skinning with Optimized
 * Centers of Rotation": the mean of all triangles' centres, weighted by area and by the likeness of weights, with sigma
 * 0.1. A triangle's weights are the mean of its corners'; weights of a vertex are scaled to sum to one first, and those
 * that name the same bone are added. Vertices that share two bones with no triangle of any area
 * have no centre and need none: they get their own position. Among them are all of one influence. Reads positions,
 * joints, weights and indices. The result is the same, bit for bit, whatever threads did the work.
 *
 * Work grows with the vertices times the triangles that share two bones with them, and with the square of influences.
 * So does memory: 12 bytes for each triangle and each two of its bones that some vertex has too, which is n (n - 1) / 2
 * times for a triangle of n bones: 0.3 KB at 8 bones, 24 KB at 64, 390 KB at 256.
 *
 * What is written may be stored and given to vkskinCreateMesh in another run, of the same machine's byte order. It
 * knows the positions, joints and weights that it was computed for, bit for bit as given, and is refused for others;
 * formats of joints, strides and influences of weight zero do not matter, nor what the mesh trims. A later version of
 * the library may refuse it too: compute it anew then.
 *
 * @param mesh     the mesh
 * @param run      threads, progress, logger and allocator; may be null
 * @param centres  receives them; any alignment; not written where the call fails
 * @param size     bytes there: vkskinCentresSize(vertexCount) up
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         mesh, centres, positions, joints, weights, indices or a function of the
 *                                            allocator is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED   the mesh def was not made by vkskinDefaultMeshDef
 * @retval VKSKIN_ERROR_INVALID_VALUE         a number, an enum or a stride is out of its range, or size too small
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE    of a vertex that the message names
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE     likewise
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE       likewise
 * @retval VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE  a position, likewise
 * @retval VKSKIN_ERROR_INDEX_OUT_OF_RANGE    of a triangle that the message names
 * @retval VKSKIN_ERROR_CANCELLED             the progress callback said so
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    no memory for the work
 */
VKSKIN_API VkskinResult vkskinComputeCentres(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, void *centres,
                                             size_t size);

/** @} */

/** @defgroup splitting Splitting
 *  A mesh cut into parts of few bones, for hosts that bind palettes in uniform blocks.
 *  @{ */

/** A split mesh: null, or made by vkskinSplitMesh and never changed. */
typedef struct VkskinSplit_T *VkskinSplit;

/** Triangles of one material within a part. */
typedef struct VkskinSplitRange {
    uint32_t material;   ///< one of VkskinMeshDef.materials
    uint32_t firstIndex; ///< into the part's indices
    uint32_t indexCount; ///< a multiple of 3, at least 3
} VkskinSplitRange;

/** One part. The arrays belong to the split. */
typedef struct VkskinSplitPart {
    uint32_t boneCount;    ///< 1 to the limit
    const uint32_t *bones; ///< [boneCount], ascending: the mesh's bone that stands at each place of the part's palette
    uint32_t vertexCount;  ///< 3 up
    const uint32_t *vertices; ///< [vertexCount]: the mesh's vertex; by number of influences, then by their bones
    /** [vertexCount][influencesPerVertex of the mesh], into `bones`; 0 where the weight is 0. */
    const uint32_t *joints;
    uint32_t indexCount;            ///< a multiple of 3
    bool wideIndices;               ///< uint32_t; false: uint16_t, wherever the part has at most 65,535 vertices
    const void *indices;            ///< [indexCount], into the part's vertices; by material
    uint32_t rangeCount;            ///< materials in the part
    const VkskinSplitRange *ranges; ///< [rangeCount], ascending by material
} VkskinSplitPart;

/**
 * Cuts a mesh into parts that each need at most `maxBones` bones, few parts and few vertices in two of them. Greedy, as
 * the fewest are out of reach: triangles that bring the fewest new bones come next, from several beginnings of which
 * the best counts; then triangles move to other parts that have their bones where that saves vertices. Triangles keep
 * their winding, and their order within a part and material. Vertices that no triangle uses are in no part. Reads
 * joints, weights, indices and materials. All influences count: trim them before. A triangle's vertex without a weight
 * is refused.
 *
 * Work grows with the triangles and, where very many of them are moved by different bones, with these sets of bones
 * times those that share a bone with each: a hundred thousand sets may take half a minute.
 *
 * @param mesh      the mesh
 * @param maxBones  1 up
 * @param run       progress, logger and allocator; may be null
 * @param split     receives it; the caller destroys it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT        mesh, split, joints, weights, indices or a function of the allocator is
 *                                           null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED  the mesh def was not made by vkskinDefaultMeshDef
 * @retval VKSKIN_ERROR_INVALID_VALUE        a number, an enum or a stride is out of its range; no triangle
 * @retval VKSKIN_ERROR_BONE_LIMIT           a triangle has more bones than maxBones; the message names it
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE   of a vertex that the message names
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE    likewise
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE      likewise
 * @retval VKSKIN_ERROR_WEIGHT_ZERO          likewise, of a vertex that a triangle uses
 * @retval VKSKIN_ERROR_INDEX_OUT_OF_RANGE   of a triangle that the message names
 * @retval VKSKIN_ERROR_CANCELLED            the progress callback said so
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY   no memory for the work or the parts
 */
VKSKIN_API VkskinResult vkskinSplitMesh(const VkskinMeshDef *mesh, uint32_t maxBones, const VkskinPrepareRun *run,
                                        VkskinSplit *split);

/**
 * Frees a split and its arrays.
 *
 * @param split  null is allowed
 */
VKSKIN_API void vkskinDestroySplit(VkskinSplit split);

/**
 * How many parts there are.
 *
 * @param split  null is allowed
 * @return 1 up; 0 for null
 */
VKSKIN_API uint32_t vkskinGetSplitPartCount(VkskinSplit split);

/**
 * One part. Results are returned and not logged.
 *
 * @param split  from vkskinSplitMesh
 * @param index  below vkskinGetSplitPartCount(split)
 * @param part   receives it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  split or part is null
 * @retval VKSKIN_ERROR_INVALID_VALUE  the index is out of range
 */
VKSKIN_API VkskinResult vkskinGetSplitPart(VkskinSplit split, uint32_t index, VkskinSplitPart *part);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
