/**
 * @file
 * Declarations that all headers use: version, results, callbacks of the host, threads, methods, palette encodings.
 *
 * No Vulkan type and no dependency beyond the C library. Compiles as C11 and as C++17.
 *
 * Rules for every call, unless its comment says otherwise:
 * - Pointers must not be null, and are aligned for their type.
 * - Memory behind a pointer is used only during the call and must not change during the call. The library keeps copies.
 * - A call that fails changes nothing: neither objects of the library nor memory behind its pointers. A call that
 *   creates an object sets its output handle to null on failure.
 * - A call returns VKSKIN_SUCCESS, a warning or an error of its retval lines, or an error that a list such as the one
 *   below states for all calls of a header.
 * - Sizes, strides and offsets are in bytes. Indices count from 0.
 *
 * Errors of calls in all headers:
 * - VKSKIN_ERROR_NULL_ARGUMENT: an argument, a field of a def, an element of an array or a function of an allocator is
 *   null and must not be.
 * - VKSKIN_ERROR_DEF_NOT_INITIALISED: a def, or another struct with a cookie, was not made by its default function.
 * - VKSKIN_ERROR_OUT_OF_HOST_MEMORY: a call that allocates got no memory from malloc, the host's allocator or the driver.
 *
 * What may change between versions: docs/versions.md.
 */
#ifndef VKSKIN_BASE_H
#define VKSKIN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup base Version and results
 *  @{ */

/** Major version. The build reads the version from this header. */
#define VKSKIN_VERSION_MAJOR 0
/** Minor version. Before 1.0 a new minor version may require changes in host code. */
#define VKSKIN_VERSION_MINOR 1
/** Patch version: fixes only. */
#define VKSKIN_VERSION_PATCH 0
/** The version as one increasing number, for `#if`: 1.2.3 is 10203. */
#define VKSKIN_VERSION (VKSKIN_VERSION_MAJOR * 10000 + VKSKIN_VERSION_MINOR * 100 + VKSKIN_VERSION_PATCH)

/**
 * Marks exported functions. On Windows the build writes a list of these functions for the linker. VKSKIN_SHARED: the
 * library is a DLL; the CMake target defines it. Without it calls into a DLL take one more jump.
 */
#if defined(_WIN32) && defined(VKSKIN_SHARED)
#define VKSKIN_API __declspec(dllimport)
#elif defined(__GNUC__)
#define VKSKIN_API __attribute__((visibility("default")))
#else
#define VKSKIN_API
#endif

/**
 * Returns the version of the library that was linked or loaded. Any thread.
 *
 * @return its VKSKIN_VERSION. The macro VKSKIN_VERSION is the version of the headers that the host was compiled with
 */
VKSKIN_API uint32_t vkskinVersion(void);

/**
 * Result of a call. Zero is success. A positive value is success with a warning: the call did its work. A negative
 * value is a failure.
 *
 * Each warning and failure is also logged, once per call (vkskinCreateMesh: each warning). The message
 * states the problem and its location. Nothing is logged if no logger is known: for a null object or def, for an
 * uninitialised context def or pose def, and for calls without an object, such as vkskinInvertAffine. For an
 * uninitialised context def a debug build of the library (without NDEBUG) prints a line to stderr. Recovered errors
 * are also logged and do not change the result: a name that the driver refuses (VkskinContextDef.debugUtils), or a
 * failed allocation of device memory when another page has room.
 */
typedef enum VkskinResult {
    VKSKIN_SUCCESS = 0, ///< the call did its work

    VKSKIN_WARNING_WEIGHTS_NORMALISED = 1, ///< weights of a vertex did not sum to one; they were scaled
    VKSKIN_WARNING_INFLUENCES_TRIMMED = 2, ///< a vertex lost influences; the largest were kept
    VKSKIN_WARNING_SCALE_LOST = 3,         ///< the encoding cannot represent the scale or shear of a bone
    VKSKIN_WARNING_COMMANDS_DROPPED = 4,   ///< a frame ended with commands that were not recorded
    VKSKIN_WARNING_INCOMPLETE = 5,         ///< the array is too small; the first elements are written
    VKSKIN_WARNING_DEPTH_LOST = 6,         ///< a flat palette cannot represent the part of a bone outside its plane
    VKSKIN_WARNING_COMMANDS_REFUSED = 7,   ///< some commands were refused; the others were taken
    VKSKIN_WARNING_PIPELINE_MISSING = 8,   ///< a kernel for a declared method of an instance does not exist yet
    VKSKIN_WARNING_NORMALS_CHEAP = 9, ///< only logged: a bone needs VKSKIN_NORMALS_EXACT, the mesh has cheap normals
    VKSKIN_WARNING_ERROR_BOUND = 10,  ///< a packed clip exceeds the requested bound of its error
    VKSKIN_WARNING_GAP_AFTER_NORMAL = 11, ///< a layout has room for float normals, but the format is packed

    /* arguments */
    VKSKIN_ERROR_DEF_NOT_INITIALISED = -1, ///< a def struct was not made by its default function
    VKSKIN_ERROR_NULL_ARGUMENT = -2,       ///< a required pointer is null
    VKSKIN_ERROR_INVALID_VALUE = -3,       ///< a number or an enum lies outside its documented range
    VKSKIN_ERROR_NULL_HANDLE = -4,         ///< a handle is zero
    VKSKIN_ERROR_STALE_HANDLE = -5,        ///< the object was destroyed, or belongs to another context

    /* host, driver and device */
    VKSKIN_ERROR_OUT_OF_HOST_MEMORY = -10,   ///< from malloc, the host's allocator or the driver
    VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY = -11, ///< from the driver or the host's memory callbacks
    VKSKIN_ERROR_DEVICE_LOST = -12,          ///< destroy the context; this frees all its objects
    VKSKIN_ERROR_VULKAN = -13,               ///< any other VkResult; the message names the function and the code
    VKSKIN_ERROR_MISSING_FUNCTION = -14,     ///< a Vulkan function could not be resolved; the message names it
    VKSKIN_ERROR_UNSUPPORTED_DEVICE = -15,   ///< the device is below Vulkan 1.1, or does not support the def
    VKSKIN_ERROR_TUNING_MISMATCH = -16,      ///< a tuning of another device, driver or version
    VKSKIN_ERROR_KERNEL_CODE = -17,          ///< a kernel was built with SPIR-V that the library cannot specialise

    /* meshes */
    VKSKIN_ERROR_JOINT_OUT_OF_RANGE = -20,   ///< a joint index with a weight is not below the mesh's bone count
    VKSKIN_ERROR_WEIGHT_NOT_FINITE = -21,    ///< a weight is NaN or infinite
    VKSKIN_ERROR_WEIGHT_NEGATIVE = -22,      ///< a weight is below zero
    VKSKIN_ERROR_WEIGHT_ZERO = -23,          ///< all weights of a vertex are zero
    VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE = -24, ///< a position, normal or tangent is NaN or infinite
    VKSKIN_ERROR_MESH_TOO_LARGE = -25,       ///< the source or one instance's output is larger than the device can bind
    VKSKIN_ERROR_MESH_IN_USE =
        -26, ///< a mesh cannot be destroyed while it has instances, nor replaced while a crowd has it
    VKSKIN_ERROR_CENTRES_MISMATCH = -27, ///< the centres of rotation were computed for another mesh
    /** A vertex of a morph target is out of range or appears twice; or there are more morph weights than targets. */
    VKSKIN_ERROR_MORPH_OUT_OF_RANGE = -28,

    /* frames */
    VKSKIN_ERROR_FRAME_NOT_BEGUN = -30,    ///< no vkskinBeginFrame yet, or the frame was cancelled
    VKSKIN_ERROR_FRAME_ORDER = -31,        ///< slots must be begun in cyclic order, not while the CPU skins
    VKSKIN_ERROR_PALETTE_RING_FULL = -32,  ///< this frame's region of the palette ring has too little room left
    VKSKIN_ERROR_PALETTE_STALE = -33,      ///< a palette of another frame or context, or a zero palette
    VKSKIN_ERROR_PALETTE_TOO_SMALL = -34,  ///< the palette holds fewer bones than the mesh or the skin has
    VKSKIN_ERROR_PALETTE_ENCODING = -35,   ///< the method or the mesh cannot use the palette's encoding
    VKSKIN_ERROR_TOO_MANY_INSTANCES = -36, ///< more instances exist, or are skinned in a frame, than maxInstances
    VKSKIN_ERROR_ALREADY_SKINNED = -37,    ///< an instance can be skinned only once per frame
    VKSKIN_ERROR_NOT_SKINNED = -38,        ///< the instance has no output yet
    VKSKIN_ERROR_PIPELINE_MISSING = -39,   ///< vkskinCreatePipelines did not create the required kernel
    VKSKIN_ERROR_UPLOADS_PENDING = -40,    ///< host-owned barriers: record uploads, then a barrier, then skinning
    VKSKIN_ERROR_TOO_MANY_SCOPES = -41,    ///< more timing scopes in a frame than maxTimingScopes
    VKSKIN_ERROR_TOO_MANY_MORPHS = -42, ///< more morph weights in a frame, or targets of a crowd's model, than allowed
    VKSKIN_ERROR_METHOD_DATA_MISSING = -43, ///< the method needs centres or blend weights, which the mesh does not have
    VKSKIN_ERROR_OUTPUT_OVERLAP = -44,      ///< another instance or output buffer has bytes of the place
    VKSKIN_ERROR_OUTPUT_BUFFER_FULL = -45,  ///< an output buffer of the host has no room for the instance
    VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE = -46, ///< instances or frames in flight use the output buffer

    VKSKIN_ERROR_CLIP_SET_IN_USE = -47, ///< a clip set cannot be destroyed while crowds use it
    VKSKIN_ERROR_CROWD_FULL = -48,      ///< too few places for characters are free

    /* poses */
    VKSKIN_ERROR_NODE_OUT_OF_RANGE = -51,    ///< a parent, or the node of a bone or a track, is not below nodeCount
    VKSKIN_ERROR_KEY_TIMES = -52,            ///< key times are not finite or do not ascend
    VKSKIN_ERROR_TRANSFORM_NOT_FINITE = -53, ///< a transform or a palette entry is NaN or infinite
    VKSKIN_ERROR_SINGULAR_MATRIX = -54,      ///< a matrix that must be inverted is not invertible
    VKSKIN_ERROR_HIERARCHY_CYCLE = -55,      ///< a node is its own ancestor
    VKSKIN_ERROR_ANIMATION_DATA = -56,       ///< a packed animation set is damaged, cut off or too large
    VKSKIN_ERROR_ANIMATION_VERSION = -57,    ///< a packed animation set of another version
    VKSKIN_ERROR_TRANSFORM_NOT_AFFINE = -58, ///< the last row of a 4x4 matrix is not (0, 0, 0, 1)

    /* preparing meshes */
    VKSKIN_ERROR_INDEX_OUT_OF_RANGE = -60, ///< an index of a triangle is not below vertexCount
    VKSKIN_ERROR_BONE_LIMIT = -61,         ///< a triangle has more bones than a part may have
    VKSKIN_ERROR_CANCELLED = -62,          ///< the host's progress callback returned false

    VKSKIN_RESULT_FORCE_INT32 = 0x7fffffff ///< never returned; makes the type 32 bits wide
} VkskinResult;

/**
 * Returns the name of a result. Any thread.
 *
 * @param result  any value
 * @return the name of the enumerator ("VKSKIN_ERROR_PALETTE_RING_FULL"), or "VKSKIN_UNKNOWN". The string is static.
 */
VKSKIN_API const char *vkskinResultName(VkskinResult result);

/** @} */

/** @defgroup handles Handles
 *  Handles of meshes and instances are small structs, passed by value. Zero is null. A handle of a destroyed object is
 *  refused as stale.
 *  @{ */

/** Whether a VkskinMesh or VkskinInstance is null. */
#define VKSKIN_IS_NULL(handle) ((handle).index == 0)

/** Whether two handles of the same type are equal. Evaluates each argument twice. */
#define VKSKIN_EQUALS(a, b) ((a).index == (b).index && (a).generation == (b).generation)

/** @} */

/** @defgroup host The host's callbacks
 *  @{ */

/**
 * The logger. Called on the thread of the call that reports, possibly on several threads at once, and sometimes with
 * the context's lock held. It must return (no exception, no longjmp) and must not call back into the same context. It
 * must not wait for a thread that is inside a call on the context. For example, it deadlocks if it locks a mutex that
 * another thread holds during such a call.
 *
 * @param user     VkskinLogger.user
 * @param result   the warning or error; never VKSKIN_SUCCESS
 * @param message  one line of English without control characters, at most 255 bytes; valid during the call
 */
typedef void (*VkskinLogFn)(void *user, VkskinResult result, const char *message);

/** Receives diagnostics. An object keeps its logger until it is destroyed. */
typedef struct VkskinLogger {
    VkskinLogFn log; ///< null: diagnostics are returned but not logged; vkskinLogToStderr prints them
    void *user;      ///< passed to `log`; may be null
} VkskinLogger;

/**
 * A ready logger: writes "vkskin: VKSKIN_ERROR_NAME: message" and a line end to stderr. Any thread; lines of several
 * threads do not mix. For example `def.logger.log = vkskinLogToStderr;`
 *
 * @param user     text in place of "vkskin"; null: "vkskin". VkskinLogger.user
 * @param result   the warning or error
 * @param message  one line of English; null: an empty one
 */
VKSKIN_API void vkskinLogToStderr(void *user, VkskinResult result, const char *message);

/**
 * Host memory allocator. A null pointer to the struct means malloc. Called on the thread that creates or destroys an
 * object, possibly on several threads at once; by vkskinPackAnimation also on the threads of its parallel loop. It must
 * not call the library.
 */
typedef struct VkskinHostAllocator {
    /** Returns `size` bytes (at least 1) aligned to `alignment` (a power of two, at most 64), or null. Must not be
     * null. */
    void *(*allocate)(void *user, size_t size, size_t alignment);
    /** Frees memory from `allocate`, never null. Must not be null. */
    void (*free)(void *user, void *memory);
    void *user; ///< passed to both; may be null
} VkskinHostAllocator;

/** @} */

/** @defgroup processor The processor
 *  How CPU calls share work between threads and vector lanes.
 *  @{ */

/** Instruction set that a CPU call uses. */
typedef enum VkskinCpuLevel {
    VKSKIN_CPU_AUTO = 0,       ///< the highest level of this machine and this build
    VKSKIN_CPU_PORTABLE = 1,   ///< the baseline of the build's architecture
    VKSKIN_CPU_AVX2 = 2,       ///< x86-64 with AVX2 and FMA
    VKSKIN_CPU_AVX512 = 3,     ///< x86-64 with AVX-512 F, BW, DQ and VL
    VKSKIN_CPU_LEVEL_COUNT = 4 ///< number of levels in this version
} VkskinCpuLevel;

/**
 * Returns the level that VKSKIN_CPU_AUTO selects. Any thread.
 *
 * @return a level other than VKSKIN_CPU_AUTO; lower levels are available as well
 */
VKSKIN_API VkskinCpuLevel vkskinGetCpuLevel(void);

/**
 * The host's parallel loop: calls `task(taskData, i)` once for each i below `count`, on any threads, and returns after
 * all calls have returned.
 *
 * @param user      the user pointer given with the callback
 * @param count     number of calls, at least 1
 * @param task      may run on several threads at once; calls no function of the host
 * @param taskData  passed to `task`
 */
typedef void (*VkskinParallelFn)(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

/** How a CPU call runs. Has no default function: all zero means the calling thread and the highest available level. */
typedef struct VkskinCpuRun {
    VkskinCpuLevel level;      ///< default (0) VKSKIN_CPU_AUTO
    VkskinParallelFn parallel; ///< the host's parallel loop; null: the calling thread does all work
    void *parallelUser;        ///< passed to `parallel`
} VkskinCpuRun;

/** @} */

/** @defgroup palettes Methods and palettes
 *  A palette holds the bones of one skeleton in one frame. A skinning method blends the bones of each vertex.
 *  @{ */

/** How the bones of a palette are stored. A palette is an array of entries, tightly packed, 16-byte aligned. */
typedef enum VkskinPaletteEncoding {
    /** 48 bytes per bone: three float4 rows of a 3x4 matrix, row-major; row r is (m[r][0..2], translation r). */
    VKSKIN_PALETTE_MAT3X4 = 0,
    /** 32 bytes per bone, two float4: the real part (x, y, z, w) of unit length, then the dual part, which is half the
     * product of translation and real part. Either sign is allowed: the kernels resolve antipodal pairs. */
    VKSKIN_PALETTE_DUAL_QUATERNION = 1,
    /** 64 bytes per bone. The matrix of the bone is R S | t: rotation R, symmetric stretch S and translation t. First a
     * dual quaternion as above for R and t, then S as (xx, yy, zz, xy), (xz, yz, 0, 0). Represents every affine matrix.
     * If the matrix mirrors, S is negative; R never mirrors. */
    VKSKIN_PALETTE_SCALED_DUAL_QUATERNION = 2,
    /** 32 bytes per bone: float4 rotation (x, y, z, w) of unit length, then float3 translation and a float for the
     * uniform scale, which may be negative: p' = scale * rotate(p) + translation. */
    VKSKIN_PALETTE_QUATERNION = 3,
    /** 16 bytes per bone: the same eight numbers in the same order, as IEEE halves with a relative error of 1/2048. The
     * maximum translation is 65,504. A scale is 0 or at least 1/16,384. The kernels normalise the rotation. */
    VKSKIN_PALETTE_QUATERNION_HALF = 4,
    /** 24 bytes per bone: the rotation as four snorm16 (32767 is 1), which the kernels normalise, then float3
     * translation and a float for the uniform scale. */
    VKSKIN_PALETTE_QUATERNION_SNORM16 = 5,
    /** 24 bytes per bone, for flat meshes (VkskinMeshDef.dimensions is 2): two rows of three floats, row-major; row r
     * is (m[r][0], m[r][1], translation r). */
    VKSKIN_PALETTE_MAT2X3 = 6
} VkskinPaletteEncoding;

/** Number of VkskinPaletteEncoding values in this version. */
#define VKSKIN_PALETTE_ENCODING_COUNT 7

/** All palette encodings as X(name without VKSKIN_PALETTE_, bytes per bone, name as text), in the order of values. */
#define VKSKIN_PALETTE_ENCODINGS(X)                                                                                    \
    X(MAT3X4, 48, "mat3x4")                                                                                            \
    X(DUAL_QUATERNION, 32, "dual-quaternion")                                                                          \
    X(SCALED_DUAL_QUATERNION, 64, "scaled-dual-quaternion")                                                            \
    X(QUATERNION, 32, "quaternion")                                                                                    \
    X(QUATERNION_HALF, 16, "quaternion-half")                                                                          \
    X(QUATERNION_SNORM16, 24, "quaternion-snorm16")                                                                    \
    X(MAT2X3, 24, "mat2x3")

/** A set of palette encodings, as VkskinPipelineDef.encodings takes it. Combine the bits with `|`. */
typedef enum VkskinPaletteBits {
    VKSKIN_PALETTE_MAT3X4_BIT = 0x100 << VKSKIN_PALETTE_MAT3X4,                   ///< VKSKIN_PALETTE_MAT3X4
    VKSKIN_PALETTE_DUAL_QUATERNION_BIT = 0x100 << VKSKIN_PALETTE_DUAL_QUATERNION, ///< VKSKIN_PALETTE_DUAL_QUATERNION
    /** VKSKIN_PALETTE_SCALED_DUAL_QUATERNION */
    VKSKIN_PALETTE_SCALED_DUAL_QUATERNION_BIT = 0x100 << VKSKIN_PALETTE_SCALED_DUAL_QUATERNION,
    VKSKIN_PALETTE_QUATERNION_BIT = 0x100 << VKSKIN_PALETTE_QUATERNION,           ///< VKSKIN_PALETTE_QUATERNION
    VKSKIN_PALETTE_QUATERNION_HALF_BIT = 0x100 << VKSKIN_PALETTE_QUATERNION_HALF, ///< VKSKIN_PALETTE_QUATERNION_HALF
    /** VKSKIN_PALETTE_QUATERNION_SNORM16 */
    VKSKIN_PALETTE_QUATERNION_SNORM16_BIT = 0x100 << VKSKIN_PALETTE_QUATERNION_SNORM16,
    VKSKIN_PALETTE_MAT2X3_BIT = 0x100 << VKSKIN_PALETTE_MAT2X3 ///< VKSKIN_PALETTE_MAT2X3
} VkskinPaletteBits;

/** The VkskinPaletteBits value of a VkskinPaletteEncoding. */
#define VKSKIN_PALETTE_BIT(encoding) (0x100u << (encoding))

/**
 * Returns the size of one palette entry. Any thread.
 *
 * @param encoding  any value
 * @return bytes, 16 to 64, as VkskinPaletteEncoding states; 0 if the value is not an encoding
 */
VKSKIN_API uint32_t vkskinPaletteStride(VkskinPaletteEncoding encoding);

/** How the matrices of a host are stored. */
typedef enum VkskinMatrixOrder {
    /** 16 floats, column after column, as in glm, cglm and glTF; or row after row if row vectors are multiplied, as in
     * DirectXMath. The last row of the matrix (floats 3, 7, 11 and 15) is (0, 0, 0, 1), within 1e-3. */
    VKSKIN_MATRIX_COLUMN_MAJOR = 0,
    /** 12 floats: three rows of four, as VkskinAffine. A fourth row is not read. */
    VKSKIN_MATRIX_ROW_MAJOR = 1
} VkskinMatrixOrder;

/**
 * The bones of a character as a host has them: one matrix per bone, in the order of the mesh's joint indices, from the
 * bind pose to the current pose (world x inverse bind). Has no default function: set it to zero, then fill it.
 */
typedef struct VkskinMatrices {
    const float *data;       ///< [count] matrices
    uint32_t count;          ///< number of bones, at least 1
    VkskinMatrixOrder order; ///< zero: VKSKIN_MATRIX_COLUMN_MAJOR
    /** Bytes from one matrix to the next: at least a matrix, at most 65,536, a multiple of 4. 0: 64 for column-major
     * matrices, 48 for row-major ones. */
    size_t stride;
} VkskinMatrices;

/**
 * Converts matrices of a host to entries of a palette. Any thread; results are not logged. vkskinSkinMatrices does this
 * for instances of a context.
 *
 * @param matrices   the bones
 * @param encoding   encoding of the palette
 * @param palette    [boneCount] entries of vkskinPaletteStride(encoding) bytes, any alignment: receives the first
 *                   matrices->count entries. Only written, in order. After an error the entries before the refused bone
 *                   are written
 * @param boneCount  number of entries in `palette`
 * @param bone       receives the first bone with the warning or the error, and 0 without one; may be null
 * @retval VKSKIN_WARNING_SCALE_LOST           as vkskinWritePalette
 * @retval VKSKIN_WARNING_DEPTH_LOST           as vkskinWritePalette
 * @retval VKSKIN_ERROR_INVALID_VALUE          count is 0, stride is out of range, an unknown order or encoding
 * @retval VKSKIN_ERROR_PALETTE_TOO_SMALL      boneCount is less than matrices->count
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE   a matrix is not finite, or too large for the encoding
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_AFFINE   the last row of a column-major matrix is not (0, 0, 0, 1): perhaps the
 *                                             matrix is row-major
 */
VKSKIN_API VkskinResult vkskinWriteMatrices(const VkskinMatrices *matrices, VkskinPaletteEncoding encoding,
                                            void *palette, uint32_t boneCount, uint32_t *bone);

/** How the bones of a vertex are blended. docs/methods.md compares the methods, with measurements. */
typedef enum VkskinMethod {
    /** Linear blend skinning: the weighted sum of the bones' matrices. Reads VKSKIN_PALETTE_MAT3X4 and the three
     * VKSKIN_PALETTE_QUATERNION encodings, whose entries it converts to matrices. Flat meshes use
     * VKSKIN_PALETTE_MAT2X3. */
    VKSKIN_METHOD_LINEAR_BLEND = 0,
    /** Dual quaternion skinning (DLB), for rigid bones only. Reads VKSKIN_PALETTE_DUAL_QUATERNION. Signs are aligned
     * with the vertex's largest influence, or with the first of several equally large ones. Kavan et al. 2008,
     * "Geometric Skinning with Approximate Dual Quaternion Blending". */
    VKSKIN_METHOD_DUAL_QUATERNION = 1,
    /** Dual quaternion skinning for bones with scale and shear, in the two phases of Kavan et al. 2008: stretches are
     * blended linearly and applied first, then rotation and translation are applied as a dual quaternion. Reads
     * VKSKIN_PALETTE_SCALED_DUAL_QUATERNION. */
    VKSKIN_METHOD_SCALED_DUAL_QUATERNION = 2,
    /** A linear mix, per vertex, of linear blend (VkskinMeshDef.blendWeights 0) and scaled dual quaternions (1). Reads
     * VKSKIN_PALETTE_SCALED_DUAL_QUATERNION and needs blendWeights in the mesh. */
    VKSKIN_METHOD_PAINTED_BLEND = 3,
    /** Optimised centres of rotation: the blended quaternion rotates a vertex about its centre, and linear blending
     * moves the centre. Reads VKSKIN_PALETTE_SCALED_DUAL_QUATERNION and needs VkskinMeshDef.centres. The blended
     * stretch is applied about the centre as well, which the paper does not cover. A morph target moves the vertex but
     * not its centre. Le and Hodgins 2016, "Real-time Skeletal Skinning with Optimized Centers of Rotation". */
    VKSKIN_METHOD_CENTRES_OF_ROTATION = 4
} VkskinMethod;

/** Number of VkskinMethod values in this version. */
#define VKSKIN_METHOD_COUNT 5

/** All methods as X(name without VKSKIN_METHOD_, name as text), in the order of values. */
#define VKSKIN_METHODS(X)                                                                                              \
    X(LINEAR_BLEND, "linear blend")                                                                                    \
    X(DUAL_QUATERNION, "dual quaternion")                                                                              \
    X(SCALED_DUAL_QUATERNION, "scaled dual quaternion")                                                                \
    X(PAINTED_BLEND, "painted blend")                                                                                  \
    X(CENTRES_OF_ROTATION, "centres of rotation")

/** All pairs of a method and an encoding that it reads, as X(method, encoding). The first pair of a method has its
 * default encoding, see vkskinMethodEncoding. */
#define VKSKIN_METHOD_ENCODINGS(X)                                                                                     \
    X(LINEAR_BLEND, MAT3X4)                                                                                            \
    X(LINEAR_BLEND, QUATERNION)                                                                                        \
    X(LINEAR_BLEND, QUATERNION_HALF)                                                                                   \
    X(LINEAR_BLEND, QUATERNION_SNORM16)                                                                                \
    X(LINEAR_BLEND, MAT2X3)                                                                                            \
    X(DUAL_QUATERNION, DUAL_QUATERNION)                                                                                \
    X(SCALED_DUAL_QUATERNION, SCALED_DUAL_QUATERNION)                                                                  \
    X(PAINTED_BLEND, SCALED_DUAL_QUATERNION)                                                                           \
    X(CENTRES_OF_ROTATION, SCALED_DUAL_QUATERNION)

/** A set of methods, as VkskinPipelineDef.methods takes it. Combine the bits with `|`. */
typedef enum VkskinMethodBits {
    VKSKIN_METHOD_LINEAR_BLEND_BIT = 0x100 << VKSKIN_METHOD_LINEAR_BLEND,       ///< VKSKIN_METHOD_LINEAR_BLEND
    VKSKIN_METHOD_DUAL_QUATERNION_BIT = 0x100 << VKSKIN_METHOD_DUAL_QUATERNION, ///< VKSKIN_METHOD_DUAL_QUATERNION
    /** VKSKIN_METHOD_SCALED_DUAL_QUATERNION */
    VKSKIN_METHOD_SCALED_DUAL_QUATERNION_BIT = 0x100 << VKSKIN_METHOD_SCALED_DUAL_QUATERNION,
    VKSKIN_METHOD_PAINTED_BLEND_BIT = 0x100 << VKSKIN_METHOD_PAINTED_BLEND, ///< VKSKIN_METHOD_PAINTED_BLEND
    /** VKSKIN_METHOD_CENTRES_OF_ROTATION */
    VKSKIN_METHOD_CENTRES_OF_ROTATION_BIT = 0x100 << VKSKIN_METHOD_CENTRES_OF_ROTATION
} VkskinMethodBits;

/** The VkskinMethodBits value of a VkskinMethod. */
#define VKSKIN_METHOD_BIT(method) (0x100u << (method))

/**
 * Returns the default encoding of a method. Any thread.
 *
 * @param method  any value
 * @return the encoding of the method's first pair in VKSKIN_METHOD_ENCODINGS; VKSKIN_PALETTE_MAT3X4 if the value is not
 *         a method
 */
VKSKIN_API VkskinPaletteEncoding vkskinMethodEncoding(VkskinMethod method);

/**
 * Returns whether a method reads an encoding. Any thread.
 *
 * @param method    any value
 * @param encoding  any value
 * @return true for the pairs in VKSKIN_METHOD_ENCODINGS
 */
VKSKIN_API bool vkskinMethodReads(VkskinMethod method, VkskinPaletteEncoding encoding);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
