/**
 * @file
 * Mesh definitions, and their preparation in a tool or at load time: vertex order, centres of rotation,
 * splitting.
 *
 * No Vulkan types, no globals, no locks. Work runs on the calling thread and on threads that the host provides. All
 * calls may be made from any thread. The rules and errors of vkskin_base.h apply.
 */
#ifndef VKSKIN_MESH_H
#define VKSKIN_MESH_H

#include "vkskin_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup meshdefs Mesh definitions
 *  Input of vkskinCreateMesh, vkskinCreateCpuMesh and the preparation calls.
 *  @{ */

/** How normals and tangents are stored, in the mesh and in the output. Positions are always floats. */
typedef enum VkskinVertexFormat {
    /** 8 bytes: a word for the normal, octahedral, snorm 16 + 16 (x in the low half); a word for the tangent,
     * octahedral, snorm 16 + 15, the top bit set if the handedness is -1. The rounding error is at most 0.004 degrees
     * for normals and 0.006 degrees for tangents. It occurs twice: in the mesh and in the output.
     * Cigolle et al. 2014, "A Survey of Efficient Representations for Independent Unit Vectors". */
    VKSKIN_VERTEX_PACKED = 0,
    /** 28 bytes: float3 normal, then float4 tangent with the handedness in w, +1 or -1. All formats keep the
     * handedness of the mesh. Bones that mirror flip the winding of triangles and the bitangent w cross(normal,
     * tangent). */
    VKSKIN_VERTEX_FLOAT = 1,
    /** 8 bytes, which vertex input reads without a shader function: a word for the normal and one for the tangent, each
     * VK_FORMAT_A2B10G10R10_SNORM_PACK32. w is 0 for the normal, and the handedness of the tangent, +1 or -1. Their
     * lengths are within 0.2 % of 1. The rounding error is at most 0.1 degrees, in the output only: the mesh stores
     * directions as VKSKIN_VERTEX_PACKED does. */
    VKSKIN_VERTEX_SNORM10 = 2
} VkskinVertexFormat;

/** Number of VkskinVertexFormat values in this version. */
#define VKSKIN_VERTEX_FORMAT_COUNT 3

/** All vertex formats as X(name without VKSKIN_VERTEX_, name as text), in the order of values. */
#define VKSKIN_VERTEX_FORMATS(X) X(PACKED, "packed") X(FLOAT, "float") X(SNORM10, "snorm10")

/** A set of vertex formats, as VkskinPipelineDef.formats takes it. Combine the bits with `|`. */
typedef enum VkskinVertexFormatBits {
    VKSKIN_VERTEX_PACKED_BIT = 0x100 << VKSKIN_VERTEX_PACKED,  ///< VKSKIN_VERTEX_PACKED
    VKSKIN_VERTEX_FLOAT_BIT = 0x100 << VKSKIN_VERTEX_FLOAT,    ///< VKSKIN_VERTEX_FLOAT
    VKSKIN_VERTEX_SNORM10_BIT = 0x100 << VKSKIN_VERTEX_SNORM10 ///< VKSKIN_VERTEX_SNORM10
} VkskinVertexFormatBits;

/** The VkskinVertexFormatBits value of a VkskinVertexFormat. */
#define VKSKIN_VERTEX_FORMAT_BIT(format) (0x100u << (format))

/** How a joint index is stored. */
typedef enum VkskinJointFormat {
    VKSKIN_JOINTS_U8 = 0,  ///< uint8_t
    VKSKIN_JOINTS_U16 = 1, ///< uint16_t, any alignment
    VKSKIN_JOINTS_U32 = 2  ///< uint32_t, any alignment
} VkskinJointFormat;

/** How weights are stored on the device. Quantised weights of a vertex sum to exactly one. */
typedef enum VkskinWeightFormat {
    VKSKIN_WEIGHTS_FLOAT = 0,   ///< 4 bytes
    VKSKIN_WEIGHTS_UNORM16 = 1, ///< 2 bytes, error below 1/65,535
    VKSKIN_WEIGHTS_UNORM8 = 2   ///< 1 byte, error below 1/255; influences that round to zero are removed
} VkskinWeightFormat;

/** How normals are transformed. Tangents are always transformed with the blended matrix. */
typedef enum VkskinNormals {
    /** With the blended matrix. Correct if the matrix is a rotation with uniform scale. With non-uniform scale or shear
     * normals are wrong: up to 37 degrees for a sphere flattened to half its height. Linear blending of different
     * rotations causes a small error. */
    VKSKIN_NORMALS_CHEAP = 0,
    /** With the inverse transpose of the blended matrix, computed as its cofactor matrix, which also exists for
     * singular matrices. The size of a bone does not matter, unless its scales along two axes are more than 1e18
     * apart. Same as cheap for VKSKIN_METHOD_DUAL_QUATERNION, which blends to a rotation. */
    VKSKIN_NORMALS_EXACT = 1
} VkskinNormals;

/** A morph target (blend shape). Each delta is multiplied by the target's weight and added. Normals and tangents are
 * normalised afterwards; the handedness of tangents does not change. Has no default function: set it to zero, then
 * fill it. */
typedef struct VkskinMorphTarget {
    /** Number of moved vertices, 0 or more. If `vertices` is null: 0 or the vertexCount of the mesh. */
    uint32_t vertexCount;
    /** [vertexCount], below the vertexCount of the mesh, no duplicates; null: all vertices in order. */
    const uint32_t *vertices;
    /** [vertexCount] of float3 (float2 in a flat mesh), finite; null: none. With VkskinMeshDef.influencePositions a
     * target before skinning has [vertexCount][influencesPerVertex] of float2: one delta per influence. */
    const float *positions;
    const float *normals;  ///< [vertexCount] of float3, finite; null: none; ignored if the mesh has no normals
    const float *tangents; ///< [vertexCount] of float3, finite; null: none; ignored if the mesh has no tangents
    /** False: applied before skinning, in the bind pose, as in glTF. True: applied after skinning, in output space. */
    bool afterSkinning;
} VkskinMorphTarget;

/** Maximum number of streams of an output. */
#define VKSKIN_MAX_OUTPUT_STREAMS 4

/** Where an attribute is in the vertices of an output. */
typedef struct VkskinAttributePlace {
    uint32_t stream; ///< below streamCount of the layout
    uint32_t offset; ///< bytes from the start of a vertex in the stream, a multiple of 4
} VkskinAttributePlace;

/** Maximum number of pass-through attributes. */
#define VKSKIN_MAX_PASS_THROUGH 8

/** An attribute that skinning does not change, for example texture coordinates or a colour. */
typedef struct VkskinPassThrough {
    VkskinAttributePlace place; ///< in the output
    uint32_t size;              ///< bytes per vertex, a multiple of 4
    uint32_t format;            ///< VkFormat for vkskinGetVertexInput; 0: not in the vertex input
} VkskinPassThrough;

/** The values of a pass-through attribute in a mesh. */
typedef struct VkskinPassThroughData {
    const void *data; ///< [vertexCount], any alignment
    size_t stride;    ///< bytes from one vertex to the next; 0: the size of the attribute
} VkskinPassThroughData;

/**
 * The layout of skinned vertices: up to four streams, each with one element per vertex. One stream with all attributes
 * is an interleaved vertex buffer. Attributes must not overlap and must end within the stride of their stream. Skinning
 * writes positions, normals and tangents. The library copies the pass-through attributes once, when an instance is
 * created, and sets the other bytes of their streams to zero; it does not write other bytes. (With vkskin_cpu.h,
 * vkskinWritePassThrough copies them, and no bytes are set to zero.) A layout is plain data:
 * any number of meshes and pipelines may use the same one. Has no default function: set it to zero, then fill it.
 */
typedef struct VkskinOutputLayout {
    uint32_t streamCount; ///< 1 to VKSKIN_MAX_OUTPUT_STREAMS
    /** [streamCount]: bytes from one vertex to the next, a multiple of 4, 4 to 2,048. */
    uint32_t strides[VKSKIN_MAX_OUTPUT_STREAMS];
    VkskinAttributePlace position; ///< float3: 12 bytes; 8 in a flat mesh, 16 with positionW
    VkskinAttributePlace normal;   ///< in the mesh's VkskinVertexFormat: 12 bytes as floats, else 4; read with normals
    VkskinAttributePlace tangent;  ///< in the same format: 16 bytes as floats, else 4; read if the mesh has tangents
    bool positionW;                ///< true: positions are float4 with w = 1; not in a flat mesh
    uint32_t passThroughCount;     ///< 0 to VKSKIN_MAX_PASS_THROUGH
    VkskinPassThrough passThrough[VKSKIN_MAX_PASS_THROUGH]; ///< [passThroughCount]
} VkskinOutputLayout;

/** Value of VkskinMeshDef.unweightedBone for no bone. */
#define VKSKIN_NO_BONE UINT32_MAX

/**
 * A mesh in its bind pose. Made by vkskinDefaultMeshDef. vkskinCreateMesh and vkskinCreateCpuMesh copy all data. The
 * output has the same vertex order, so the host's index buffers, texture coordinates and colours can be used unchanged.
 *
 * A stride is the distance in bytes from one vertex to the next; 0 means tightly packed. Otherwise it is at least the
 * size of the data of one vertex, at most 65,536, and a multiple of 4 for floats.
 */
typedef struct VkskinMeshDef {
    uint32_t cookie;      ///< set by vkskinDefaultMeshDef
    const char *name;     ///< used in messages; may be null. Meshes of a context keep the first 31 bytes
    uint32_t vertexCount; ///< at least 1
    /** Minimum number of bones in a palette for this mesh, 0 to 1,048,576. 0: the mesh has morph targets but no bones.
     * Then joints and weights are ignored, and commands need no palette. */
    uint32_t boneCount;
    /** 3 (the default), or 2 for a flat mesh. A flat mesh has float2 positions in input and output, no normals and no
     * tangents. It is skinned with linear blending from VKSKIN_PALETTE_MAT2X3. */
    uint32_t dimensions;

    /**
     * [vertexCount] of vertexStride bytes: interleaved vertices, such as the host's vertex buffer; null (the default):
     * none. `positions`, and `normals` and `tangents` if there are any, then point into the first vertex. The output has
     * the same layout: one stream, in which skinning writes the positions, normals and tangents; all other bytes of the
     * vertices are passed through. So the host draws it with the vertex input of its own vertices. `format` is then
     * VKSKIN_VERTEX_FLOAT, whatever its value, except VKSKIN_VERTEX_SNORM10, which is refused; `layout` and `passThrough`
     * must be null. Streams of joints, weights and blend weights may point into the first vertex, too; they are then
     * read with vertexStride if their own stride is 0.
     */
    const void *vertices;
    size_t vertexStride; ///< bytes from one vertex to the next, a multiple of 4 up to 2,048; 0 without `vertices`

    /** [vertexCount] of float3 (float2 in a flat mesh), finite, in any unit; may be null with influencePositions */
    const float *positions;
    size_t positionStride; ///< 0, or at least 12 (at least 8 in a flat mesh)
    /**
     * Flat meshes with bones: one position per influence, [vertexCount][influencesPerVertex] of float2, finite, also
     * where the weight is 0; null (the default): one position per vertex. Each position is in the space of its bone:
     * the vertex is the sum of weight x (bone x position). Spine stores weighted meshes in this way; their influences
     * need not agree on one bind position. `positions` is then not read, and `vertices` must be null. If an influence is
     * trimmed, its position is dropped: the vertex becomes the weighted mean of the remaining positions. A vertex that
     * follows unweightedBone uses its first position. Kernels need VKSKIN_KERNEL_INFLUENCE_POSITIONS_BIT.
     */
    const float *influencePositions;
    size_t influencePositionStride; ///< bytes, a multiple of 4: 0, or at least 8 x influencesPerVertex

    const float *normals;  ///< [vertexCount] of float3, finite, any length; null: no normals in the output
    size_t normalStride;   ///< 0, or at least 12
    const float *tangents; ///< [vertexCount] of float4, finite; sign of w: the handedness; needs normals; null: none
    size_t tangentStride;  ///< 0, or at least 16

    /** Influences per vertex in the input, 1 to 255; default 4. Unused influences have weight 0. */
    uint32_t influencesPerVertex;
    VkskinJointFormat jointFormat; ///< default VKSKIN_JOINTS_U16
    const void *joints;            ///< [vertexCount][influencesPerVertex], each below boneCount unless its weight is 0
    size_t jointStride;            ///< 0, or at least the size of influencesPerVertex joints; any alignment
    /** [vertexCount][influencesPerVertex], finite, at least 0. The sum for a vertex is above 0, see unweightedBone. The
     * library normalises it to 1. */
    const float *weights;
    size_t weightStride; ///< 0, or at least the size of influencesPerVertex floats
    /** Maximum influences per vertex, 1 to 255; 0 (the default): no limit. The largest weights are kept and normalised.
     * Of equal weights the earlier ones are kept. */
    uint32_t maxInfluences;
    /** Influences with less than this fraction of the total weight of the vertex are removed, except the largest one. 0
     * (the default) to 0.5. */
    float minWeight;
    VkskinWeightFormat weightFormat; ///< on the device; default VKSKIN_WEIGHTS_FLOAT
    /** The bone for vertices whose weights are all zero, for example a bone for the node of the mesh. Default
     * VKSKIN_NO_BONE: such vertices are an error. */
    uint32_t unweightedBone;

    VkskinVertexFormat format; ///< format of normals and tangents; default VKSKIN_VERTEX_PACKED
    /** Layout of the output; the struct is copied. Null (the default): two streams without gaps, one with the positions
     * and one with normals and tangents. */
    const VkskinOutputLayout *layout;
    /** [layout->passThroughCount]: values of the pass-through attributes; null without a layout. After
     * vkskinCreateCpuMesh the host owns the output: vkskinWritePassThrough writes them there. */
    const VkskinPassThroughData *passThrough;
    VkskinNormals normalRule;  ///< default VKSKIN_NORMALS_CHEAP
    const float *blendWeights; ///< [vertexCount], 0 to 1, for VKSKIN_METHOD_PAINTED_BLEND; null: none
    size_t blendWeightStride;  ///< 0, or at least 4
    /** Output of vkskinComputeCentres, for VKSKIN_METHOD_CENTRES_OF_ROTATION; null: none. It must be computed from the
     * same positions, joints and weights, bit for bit and in the same vertex order. maxInfluences, minWeight and
     * weightFormat may differ. */
    const void *centres;
    size_t centresSize; ///< bytes: exactly vkskinCentresSize(vertexCount)
    /** Triangles, for vkskinComputeCentres, vkskinSplitMesh and vkskinCreateHitMesh only: a multiple of 3.
     * vkskinCreateMesh does not read them. Default 0. */
    uint32_t indexCount;
    const uint32_t *indices;               ///< [indexCount], each below vertexCount
    const uint32_t *materials;             ///< [indexCount / 3], any numbers, for vkskinSplitMesh; null: all 0
    const VkskinMorphTarget *morphTargets; ///< [morphTargetCount]
    uint32_t morphTargetCount;             ///< any number; default 0
    /** Keep the positions of the previous update of each instance, for motion vectors. The output then uses one region
     * more than VkskinContextDef.outputRegions. Default false. */
    bool previousPositions;
} VkskinMeshDef;

/** @return a def with the defaults that each field states, all else zero; set vertexCount, boneCount, positions, joints
 * and weights */
VKSKIN_API VkskinMeshDef vkskinDefaultMeshDef(void);

/** Properties of a created mesh. */
typedef struct VkskinMeshInfo {
    uint32_t vertexCount; ///< as in the def
    uint32_t boneCount;   ///< as in the def
    uint32_t dimensions;  ///< as in the def
    uint32_t influences;  ///< maximum influences per vertex, 1 to 255; 0 without bones
    /** Number of vertices with 1, 2, 3, 4, and more than 4 influences. Each of these classes has its own kernels. */
    uint32_t influenceVertices[5];
    /** The vertices of each class are contiguous in the input. Otherwise the source needs 4 more bytes per vertex, and
     * output is written in a different order than input is read. vkskinSortVertices computes a sorted order. */
    bool sorted;
    uint32_t normalisedVertices; ///< vertices whose weights did not sum to one within 1e-4
    uint32_t trimmedVertices;    ///< vertices that lost influences through maxInfluences or minWeight
    float trimmedWeight;         ///< maximum fraction of the weight of a vertex that was removed, 0 to 1
    /** Upper bound of the position error caused by trimming and quantising weights, in the unit of the mesh: the
     * maximum fraction of weight that moved between influences, times the diagonal of the bounding box (of all
     * influencePositions, if the mesh has them). Valid while the bones of a vertex place it no farther apart than that
     * diagonal. */
    float weightError;
    uint32_t morphTargetCount; ///< as in the def
    /** Bytes of mesh data on the device, shared by all instances; with VKSKIN_BACKEND_CPU, in host memory. */
    uint64_t sourceBytes;
    /** Bytes of one region of one instance: the streams of `layout` in order, each rounded up to 16 (64 with
     * VKSKIN_BACKEND_CPU). */
    uint64_t outputBytes;
    VkskinOutputLayout layout; ///< as in the def; without one, the streams that the library chose
    /** [layout.streamCount]: bytes from the start of an instance's output to the first vertex of each stream. */
    uint64_t streamOffsets[VKSKIN_MAX_OUTPUT_STREAMS];
    bool hasNormals;                 ///< the output has this stream
    bool hasTangents;                ///< the output has this stream
    bool hasInfluencePositions;      ///< one position per influence
    bool hasBlendWeights;            ///< VKSKIN_METHOD_PAINTED_BLEND can be used
    bool hasCentres;                 ///< VKSKIN_METHOD_CENTRES_OF_ROTATION can be used
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
 * @param done  0 to 1, never decreasing; approximately proportional to the finished work if the total is known
 * @return false to cancel: the call then returns VKSKIN_ERROR_CANCELLED
 */
typedef bool (*VkskinProgressFn)(void *user, float done);

/** How a preparation call runs. Has no default function: set it to zero, then fill it. Calls accept null for all
 * zero. */
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
 *  Groups vertices by influence count.
 *  @{ */

/**
 * Computes the vertex order that is fastest to skin: by number of influences, then by bones, then by the old index.
 * vkskinCreateMesh needs no index table for a mesh in this order (VkskinMeshInfo.sorted), and neighbouring vertices
 * read the same bones. A mesh that is already in this order keeps it. Reads joints, weights, maxInfluences, minWeight
 * and weightFormat. A vertex without weights counts as a vertex with one influence.
 *
 * Apply the order to all vertex streams: new[i] = old[order[i]]. Apply its inverse to indices and to the vertices of
 * morph targets. Call this before vkskinComputeCentres, whose result is in vertex order. Any thread.
 *
 * @param mesh   the mesh
 * @param run    logger and allocator; may be null
 * @param order  [vertexCount]: receives the old index of each new vertex, a permutation
 * @retval VKSKIN_ERROR_INVALID_VALUE        a number, an enum or a stride is out of range; boneCount is 0
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE   a joint with a weight is not below boneCount; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE    a weight is NaN or infinite; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE      a weight is below zero; the message names the vertex
 */
VKSKIN_API VkskinResult vkskinSortVertices(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, uint32_t *order);

/** @} */

/** @defgroup centres Centres of rotation
 *  For VKSKIN_METHOD_CENTRES_OF_ROTATION: each vertex has a centre, about which vertices with similar weights rotate.
 *  @{ */

/**
 * Returns the size of the output of vkskinComputeCentres. Any thread.
 *
 * @param vertexCount  vertices of the mesh
 * @return bytes: 32 plus 12 per vertex
 */
VKSKIN_API size_t vkskinCentresSize(uint32_t vertexCount);

/**
 * Computes the centre of rotation of each vertex: Le and Hodgins 2016, "Real-time Skeletal Skinning with Optimized
 * Centers of Rotation". It is the mean of the centres of all triangles, weighted by area and by similarity of weights,
 * with sigma 0.1. The weights of a vertex are normalised, and weights of the same bone are added. The weights of a
 * triangle are the mean of its vertices. If a vertex does not share two bones with a triangle of non-zero area, its own
 * position is written; this includes all vertices with one influence. Reads positions, joints, weights and indices. The
 * result is bit-identical for any number of threads.
 *
 * Time is proportional to the pairs of a vertex and a triangle that share two bones, and to the square of the influence
 * count. Memory is 12 bytes for each triangle and each pair of its bones. A triangle with n bones has n (n - 1) / 2
 * pairs: 0.3 KB at 8 bones, 24 KB at 64, 390 KB at 256.
 *
 * The output may be stored and used in another run, on machines with the same byte order. It contains a fingerprint of
 * positions, joints and weights, and vkskinCreateMesh refuses it for other data. Joint formats, strides, influences
 * with weight zero and trimming do not affect the fingerprint. A later version of the library may refuse it: then
 * compute it again.
 *
 * @param mesh     the mesh
 * @param run      threads, progress, logger and allocator; may be null
 * @param centres  receives the centres; any alignment; unchanged if the call fails
 * @param size     size of `centres` in bytes, at least vkskinCentresSize(vertexCount)
 * @retval VKSKIN_ERROR_INVALID_VALUE         a number, an enum or a stride is out of range, or size is too small
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE    a joint with a weight is not below boneCount; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE     a weight is NaN or infinite; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE       a weight is below zero; the message names the vertex
 * @retval VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE  a position is NaN or infinite; the message names the vertex
 * @retval VKSKIN_ERROR_INDEX_OUT_OF_RANGE    an index is not below vertexCount; the message names the triangle
 * @retval VKSKIN_ERROR_CANCELLED             the progress callback returned false
 */
VKSKIN_API VkskinResult vkskinComputeCentres(const VkskinMeshDef *mesh, const VkskinPrepareRun *run, void *centres,
                                             size_t size);

/** @} */

/** @defgroup splitting Splitting
 *  Splits a mesh into parts with few bones, for hosts that bind palettes as uniform buffers.
 *  @{ */

/** A split mesh: null, or made by vkskinSplitMesh and never changed. */
typedef struct VkskinSplit_T *VkskinSplit;

/** The triangles of one material in a part. */
typedef struct VkskinSplitRange {
    uint32_t material;   ///< one of VkskinMeshDef.materials
    uint32_t firstIndex; ///< into the part's indices
    uint32_t indexCount; ///< a multiple of 3, at least 3
} VkskinSplitRange;

/** One part. The split owns the arrays. */
typedef struct VkskinSplitPart {
    uint32_t boneCount;       ///< 1 to maxBones
    const uint32_t *bones;    ///< [boneCount], ascending: the bone of the mesh for each entry of the part's palette
    uint32_t vertexCount;     ///< at least 3
    const uint32_t *vertices; ///< [vertexCount]: indices of mesh vertices, in the order of vkskinSortVertices
    /** [vertexCount][influencesPerVertex of the mesh]: indices into `bones`; 0 if the weight is 0. */
    const uint32_t *joints;
    uint32_t indexCount;            ///< a multiple of 3
    bool wideIndices;               ///< true: uint32_t; false: uint16_t, for parts with at most 65,535 vertices
    const void *indices;            ///< [indexCount]: indices into `vertices`, grouped by material
    uint32_t rangeCount;            ///< number of materials in the part
    const VkskinSplitRange *ranges; ///< [rangeCount], ascending by material
} VkskinSplitPart;

/**
 * Splits a mesh into parts with at most `maxBones` bones each. A heuristic minimises the number of parts, then the
 * number of duplicated vertices: triangles with the fewest new bones are added first, from several starts, and the
 * best result is kept. Then triangles move to other parts that have their bones, if that saves vertices. Triangles keep
 * their winding, and their order within a part and material. Unused vertices are in no part. Reads joints, weights,
 * indices and materials. Influences are not trimmed: maxInfluences and minWeight are ignored.
 *
 * Time is proportional to the number of triangles. With very many different sets of bones it is proportional to the
 * number of pairs of sets that share a bone: 100,000 sets may take half a minute.
 *
 * @param mesh      the mesh
 * @param maxBones  at least 1
 * @param run       progress, logger and allocator; may be null
 * @param split     receives the split; the caller destroys it
 * @retval VKSKIN_ERROR_INVALID_VALUE        a number, an enum or a stride is out of range; no triangle
 * @retval VKSKIN_ERROR_BONE_LIMIT           a triangle has more bones than maxBones; the message names it
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE   a joint with a weight is not below boneCount; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE    a weight is NaN or infinite; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE      a weight is below zero; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_ZERO          all weights of a vertex that a triangle uses are zero; the message names
 *                                           the vertex
 * @retval VKSKIN_ERROR_INDEX_OUT_OF_RANGE   an index is not below vertexCount; the message names the triangle
 * @retval VKSKIN_ERROR_CANCELLED            the progress callback returned false
 */
VKSKIN_API VkskinResult vkskinSplitMesh(const VkskinMeshDef *mesh, uint32_t maxBones, const VkskinPrepareRun *run,
                                        VkskinSplit *split);

/**
 * Frees a split and its arrays.
 *
 * @param split  may be null
 */
VKSKIN_API void vkskinDestroySplit(VkskinSplit split);

/**
 * Returns the number of parts.
 *
 * @param split  may be null
 * @return at least 1; 0 for null
 */
VKSKIN_API uint32_t vkskinGetSplitPartCount(VkskinSplit split);

/**
 * Returns one part. Results are not logged.
 *
 * @param split  from vkskinSplitMesh
 * @param index  below vkskinGetSplitPartCount(split)
 * @param part   receives the part; its arrays are valid until vkskinDestroySplit
 * @retval VKSKIN_ERROR_INVALID_VALUE  the index is out of range
 */
VKSKIN_API VkskinResult vkskinGetSplitPart(VkskinSplit split, uint32_t index, VkskinSplitPart *part);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
