/**
 * @file
 * Skinning on the CPU with the same meshes, palettes, methods and formats as on the device.
 *
 * For machines without a GPU, hit tests and servers. Contexts with VKSKIN_BACKEND_CPU use it. No Vulkan types, no
 * globals, no locks. Work runs on the calling thread and on threads that the host provides. Results equal those of the
 * kernels within floating-point rounding. They are bit-identical for any number of threads; levels (VkskinCpuLevel)
 * differ within rounding. The rules and errors of vkskin_base.h apply.
 */
#ifndef VKSKIN_CPU_H
#define VKSKIN_CPU_H

#include "vkskin_base.h"
#include "vkskin_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup cpu The CPU
 *  Meshes in host memory, and the function that skins them.
 *  @{ */

/** A mesh in host memory: null, or made by vkskinCreateCpuMesh and never changed. */
typedef struct VkskinCpuMesh_T *VkskinCpuMesh;

/** Describes a mesh on the CPU. Made by vkskinDefaultCpuMeshDef. */
typedef struct VkskinCpuMeshDef {
    uint32_t cookie; ///< set by vkskinDefaultCpuMeshDef
    /** As for vkskinCreateMesh; vkskinCreateCpuMesh copies it. previousPositions is ignored: the host provides the
     * output memory. */
    const VkskinMeshDef *mesh;
    VkskinLogger logger;                  ///< kept: vkskinSkinOnCpu also logs to it, on the calling thread
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the mesh is destroyed
} VkskinCpuMeshDef;

/** @return a def that is all zero except the cookie; set mesh. Any thread. */
VKSKIN_API VkskinCpuMeshDef vkskinDefaultCpuMeshDef(void);

/**
 * Creates a mesh. Any thread. Also returns the warnings and errors of vkskinCreateMesh that concern the mesh def.
 *
 * @param def   describes the mesh
 * @param mesh  receives the mesh; the caller destroys it
 * @retval VKSKIN_ERROR_MESH_TOO_LARGE  its streams are too large for 32-bit offsets
 */
VKSKIN_API VkskinResult vkskinCreateCpuMesh(const VkskinCpuMeshDef *def, VkskinCpuMesh *mesh);

/**
 * Frees a mesh. Any thread.
 *
 * @param mesh  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroyCpuMesh(VkskinCpuMesh mesh);

/**
 * Returns the properties of a mesh. Any thread. Results are not logged.
 *
 * @param mesh  from vkskinCreateCpuMesh
 * @param info  receives the properties; sourceBytes is the size of the vertices and of the pass-through attributes in
 *              host memory
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinGetCpuMeshInfo(VkskinCpuMesh mesh, VkskinMeshInfo *info);

/**
 * Writes the pass-through attributes of the mesh into the memory of a copy. Call it once for each memory that
 * vkskinSkinOnCpu writes, before or after: skinning does not change these bytes, and this call writes no others. Any
 * thread; as vkskinSkinOnCpu, it never reads the memory, and calls at the same time must write to different memory.
 *
 * @param mesh     from vkskinCreateCpuMesh
 * @param streams  [layout.streamCount of VkskinMeshInfo]: as in VkskinCpuCommand; streams without pass-through
 *                 attributes are not used. May be null if the mesh has none
 * @retval VKSKIN_ERROR_INVALID_VALUE  such a stream is not 4-byte aligned; nothing is written
 */
VKSKIN_API VkskinResult vkskinWritePassThrough(VkskinCpuMesh mesh, void *const *streams);

/** Skins one copy of a mesh. Has no default function: set it to zero, then fill it. */
typedef struct VkskinCpuCommand {
    /** [boneCount] entries of vkskinPaletteStride(encoding) bytes, 4-byte aligned; ignored if the mesh has no bones.
     * Entries may have any value; they are not checked. */
    const void *palette;
    VkskinPaletteEncoding encoding; ///< an encoding that the method reads
    uint32_t boneCount;             ///< at least the boneCount of the mesh
    VkskinMethod method;            ///< zero is linear blend
    const float *morphWeights;      ///< [morphWeightCount], finite; as in VkskinSkinCommand
    uint32_t morphWeightCount;      ///< 0 to the mesh's morphTargetCount
    /** [layout.streamCount of VkskinMeshInfo]: memory of each stream, vertexCount times its stride, 4-byte aligned,
     * fastest if 64-byte aligned. Without a layout in the mesh def: positions, then normals and tangents if the mesh has
     * them. Attributes are written once and never read, other bytes are not touched, so it may be mapped write-combined
     * memory. Must not overlap other memory of the call. */
    void *streams[VKSKIN_MAX_OUTPUT_STREAMS];
} VkskinCpuCommand;

/**
 * Skins copies of a mesh and returns when the output is written. Any thread; concurrent calls, also with the same mesh,
 * must write to different memory. All commands are checked first: on failure nothing is written. Output that is larger
 * than the processor's caches is written with streaming stores. It is visible to other threads, and to device work that
 * is submitted after the call. Uses up to 64 KiB of stack per thread, and memory of the mesh's allocator only for more
 * than 32 commands or 64 morph weights.
 *
 * @param mesh      from vkskinCreateCpuMesh
 * @param commands  [count]; may be null if count is 0
 * @param count     0 or more
 * @param run       level and threads; null: all zero
 * @retval VKSKIN_ERROR_INVALID_VALUE        an unknown method or level, a level that this machine does not have, or
 *                                           memory that is not 4-byte aligned
 * @retval VKSKIN_ERROR_PALETTE_ENCODING     an encoding that the method does not read, or that does not suit the mesh's
 *                                           dimensions
 * @retval VKSKIN_ERROR_PALETTE_TOO_SMALL    a palette with fewer bones than the mesh
 * @retval VKSKIN_ERROR_METHOD_DATA_MISSING  the mesh has no blend weights or no centres, and the method needs them
 * @retval VKSKIN_ERROR_MORPH_OUT_OF_RANGE   more morph weights than the mesh has targets
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE    a morph weight is NaN or infinite
 */
VKSKIN_API VkskinResult vkskinSkinOnCpu(VkskinCpuMesh mesh, const VkskinCpuCommand *commands, uint32_t count,
                                        const VkskinCpuRun *run);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
