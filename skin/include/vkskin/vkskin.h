/*
 * vkskin.h: the GPU side. Meshes and palettes in, skinned vertex buffers out, by one compute pass a frame.
 *
 * What the library never does: submit, wait, own a queue, start a thread, open a file, hold a global. It records
 * into command buffers of the host's, and nothing of Vulkan is resolved at link time. It needs Vulkan 1.1 and no
 * optional feature.
 *
 * The way of a frame:
 *     vkskinBeginFrame         the frame slot's last use has finished: its ring regions may be written again
 *     vkskinAllocatePalette    room in this frame's region of the palette ring; write the bones there
 *     vkskinSkin               which instance takes which palette
 *     vkskinRecordSkinning     uploads, barriers and a few dispatches, outside a render pass
 *     vkskinGetOutput          where an instance's vertices lie in this frame
 *
 * Threads. A context and all that belongs to it are externally synchronised: one call at a time. Mapped palette
 * memory may be written from any thread, until the command buffer that reads it is submitted. Different contexts
 * are independent, also on one device.
 *
 * What recording disturbs in a command buffer: the bound compute pipeline, compute descriptor sets 0 to 3 and the
 * push constants of the compute stage. Graphics state is not touched.
 *
 * Unstable: this header may change before 1.0.
 */
#ifndef VKSKIN_H
#define VKSKIN_H

#include <vulkan/vulkan_core.h>

#include "vkskin_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The context ---- */

typedef struct VkskinContext_T *VkskinContext;

/* The Vulkan functions that the library calls, as X(name without vk). Instance level first, then device level. */
#define VKSKIN_INSTANCE_FUNCTIONS(X)                                                                                   \
    X(GetPhysicalDeviceProperties)                                                                                     \
    X(GetPhysicalDeviceMemoryProperties)                                                                               \
    X(GetPhysicalDeviceQueueFamilyProperties)

#define VKSKIN_DEVICE_FUNCTIONS(X)                                                                                     \
    X(AllocateMemory)                                                                                                  \
    X(FreeMemory)                                                                                                      \
    X(MapMemory)                                                                                                       \
    X(UnmapMemory)                                                                                                     \
    X(FlushMappedMemoryRanges)                                                                                         \
    X(CreateBuffer)                                                                                                    \
    X(DestroyBuffer)                                                                                                   \
    X(GetBufferMemoryRequirements)                                                                                     \
    X(BindBufferMemory)                                                                                                \
    X(CreateShaderModule)                                                                                              \
    X(DestroyShaderModule)                                                                                             \
    X(CreateDescriptorSetLayout)                                                                                       \
    X(DestroyDescriptorSetLayout)                                                                                      \
    X(CreatePipelineLayout)                                                                                            \
    X(DestroyPipelineLayout)                                                                                           \
    X(CreateComputePipelines)                                                                                          \
    X(DestroyPipeline)                                                                                                 \
    X(CreateDescriptorPool)                                                                                            \
    X(DestroyDescriptorPool)                                                                                           \
    X(AllocateDescriptorSets)                                                                                          \
    X(UpdateDescriptorSets)                                                                                            \
    X(CreateQueryPool)                                                                                                 \
    X(DestroyQueryPool)                                                                                                \
    X(GetQueryPoolResults)                                                                                             \
    X(CmdResetQueryPool)                                                                                               \
    X(CmdWriteTimestamp)                                                                                               \
    X(CmdBindPipeline)                                                                                                 \
    X(CmdBindDescriptorSets)                                                                                           \
    X(CmdPushConstants)                                                                                                \
    X(CmdDispatch)                                                                                                     \
    X(CmdCopyBuffer)                                                                                                   \
    X(CmdPipelineBarrier)

/* Resolved only when VkskinContextDef.debugUtils is set; VK_EXT_debug_utils must be enabled on the instance. */
#define VKSKIN_DEBUG_FUNCTIONS(X)                                                                                      \
    X(SetDebugUtilsObjectNameEXT)                                                                                      \
    X(CmdBeginDebugUtilsLabelEXT)                                                                                      \
    X(CmdEndDebugUtilsLabelEXT)

/* A table of the functions above (members vkCreateBuffer and so on). Entries left null are resolved by the library. */
typedef struct VkskinVulkanFunctions {
#define VKSKIN_FUNCTION_MEMBER(name) PFN_vk##name vk##name;
    VKSKIN_INSTANCE_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
    VKSKIN_DEVICE_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
    VKSKIN_DEBUG_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
#undef VKSKIN_FUNCTION_MEMBER
} VkskinVulkanFunctions;

/* What a buffer of the library's is for, so that a host's allocator can choose its memory. */
typedef enum VkskinMemoryUse {
    VKSKIN_MEMORY_DEVICE = 0,  /* touched by the device alone: DEVICE_LOCAL */
    VKSKIN_MEMORY_DYNAMIC = 1, /* written by the host each frame, read by the device once: HOST_VISIBLE,
                                  DEVICE_LOCAL too where there is such a type; `mapped` must be set. Where
                                  it is not HOST_COHERENT, palettes must be written before they are recorded;
                                  the library's own choice is always coherent. */
    VKSKIN_MEMORY_STAGING = 2  /* written by the host, copied from: HOST_VISIBLE; `mapped` must be set. Staged
                                  palettes too, and what is said of coherence above holds for them. */
} VkskinMemoryUse;

/* A piece of device memory that backs one buffer. */
typedef struct VkskinMemoryBlock {
    VkDeviceMemory memory;
    VkDeviceSize offset;      /* bytes from the start of `memory`, aligned as the requirements ask; where the
                                 memory is not coherent, also to nonCoherentAtomSize */
    VkDeviceSize size;        /* bytes, at least the requirements'; aligned likewise */
    uint32_t memoryTypeIndex; /* tells the library whether writes must be flushed */
    void *mapped;             /* host address of `offset`, or null when the use needs none */
    void *userData;           /* the host's own */
} VkskinMemoryBlock;

/*
 * The host's device memory allocator, such as its VMA. Both functions set. Called from the context's thread in
 * vkskinCreateContext, vkskinCreateMesh, vkskinCreateInstance, vkskinBeginFrame and vkskinDestroyContext, never
 * while recording. `allocate` fills *block and returns VK_SUCCESS, or returns the error that the library then maps
 * to its own; the library binds the buffer. Persistently mapped memory stays mapped until `free`. Where outputUsage
 * has SHADER_DEVICE_ADDRESS, memory for VKSKIN_MEMORY_DEVICE must allow device addresses.
 */
typedef struct VkskinMemoryCallbacks {
    VkResult (*allocate)(void *user, VkBuffer buffer, const VkMemoryRequirements *requirements, VkskinMemoryUse use,
                         VkskinMemoryBlock *block);
    void (*free)(void *user, const VkskinMemoryBlock *block);
    void *user;
} VkskinMemoryCallbacks;

typedef enum VkskinBarriers {
    /* The library orders its writes with the host's reads: on one queue the host adds nothing. */
    VKSKIN_BARRIERS_RECORDED = 0,
    /* The host's render graph does: see vkskinGetAccesses. Uploads must then be recorded by a call of their own. */
    VKSKIN_BARRIERS_HOST = 1
} VkskinBarriers;

typedef enum VkskinPaletteMemory {
    /* Device-local and host-visible memory written in place where the device has it, else staged. */
    VKSKIN_PALETTE_MEMORY_AUTO = 0,
    /* Written to host memory, then copied once on the device. */
    VKSKIN_PALETTE_MEMORY_STAGED = 1
} VkskinPaletteMemory;

#define VKSKIN_MAX_FRAMES_IN_FLIGHT 8

typedef struct VkskinContextDef {
    uint32_t cookie; /* set by vkskinDefaultContextDef */

    /* The host's Vulkan. All live until vkskinDestroyContext. */
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    PFN_vkGetInstanceProcAddr getInstanceProcAddr; /* may be null where `functions` has every instance function */
    PFN_vkGetDeviceProcAddr getDeviceProcAddr;     /* may be null where `functions` has every device function */
    const VkskinVulkanFunctions *functions;        /* null: all resolved. Copied. */
    const VkAllocationCallbacks *allocator;        /* null: the driver's, and malloc for the library. Copied. */
    const VkskinMemoryCallbacks *memory;           /* null: vkAllocateMemory, one allocation a buffer. Copied. */
    VkskinLogger logger;
    bool debugUtils; /* default false; name every object, label every pass (VK_EXT_debug_utils is enabled) */

    /* Queue family indices. Skinning is recorded for `skinningFamily`, its output consumed on `drawingFamily`.
     * Defaults 0 and 0. Where they differ, vkskinRecordRelease and vkskinRecordAcquire pass ownership on. */
    uint32_t skinningFamily;
    uint32_t drawingFamily;

    /* 1 to VKSKIN_MAX_FRAMES_IN_FLIGHT; default 2. How many frames the host records before it waits for the oldest. */
    uint32_t framesInFlight;
    /* Places that an instance's output rotates through: 1 to framesInFlight; default 1. With fewer regions than
     * frames in flight skinning waits, by a barrier, for the previous frame's reads; it must then be submitted to
     * the drawing queue. With as many regions as frames it waits for nothing, as async compute needs. A page holds
     * its regions one after the other, and each is bound alone: instances that are updated every frame write one
     * region of all pages. Synchronisation validation sees no finer than that: across submissions it may report an
     * instance that was left out of a frame, though no byte of it is touched. */
    uint32_t outputRegions;
    VkskinBarriers barriers;           /* default VKSKIN_BARRIERS_RECORDED */
    VkskinPaletteMemory paletteMemory; /* default VKSKIN_PALETTE_MEMORY_AUTO */

    /* Bytes of one pooled buffer for meshes, palettes or output: 64 KiB up; default 32 MiB; lowered to the device's
     * maxStorageBufferRange. What does not fit a page gets a page of its own size where the device can bind that. */
    VkDeviceSize pageSize;
    /* Bytes of palette in one frame: 48 to 1 TiB; default 4 MiB. Taken framesInFlight times, in pages. No palette
     * straddles two pages, so leave room for one palette a page. 48 or 32 bytes a bone, each palette aligned to 16. */
    VkDeviceSize paletteBytesPerFrame;
    /* Instances alive at once, and skinned in one frame: 1 to 16,777,216; default 4096. Each takes some 150 bytes of
     * host memory, and 44 bytes in a buffer a frame in flight that the device must be able to bind as one. */
    uint32_t maxInstances;

    /* Besides STORAGE_BUFFER, which is always set: what the output buffers are used as. Default VERTEX_BUFFER; add
     * ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY and SHADER_DEVICE_ADDRESS for ray tracing (the host enabled
     * bufferDeviceAddress then), TRANSFER_SRC for readback. */
    VkBufferUsageFlags outputUsage;
    /* Who reads the output: the scope of the recorded barriers. Defaults: VERTEX_INPUT | VERTEX_SHADER, and
     * VERTEX_ATTRIBUTE_READ | SHADER_READ. */
    VkPipelineStageFlags consumerStages;
    VkAccessFlags consumerAccess;

    /* Named timing scopes a frame, 0 to 64; default 8. 0 makes no query pool. */
    uint32_t maxTimingScopes;
} VkskinContextDef;

VKSKIN_API VkskinContextDef vkskinDefaultContextDef(void);

/*
 * Makes a context: resolves functions, reads limits, makes the palette ring. On failure *context is null and
 * nothing is left over.
 * Errors: DEF_NOT_INITIALISED, NULL_ARGUMENT, INVALID_VALUE, MISSING_FUNCTION, UNSUPPORTED_DEVICE,
 * OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, DEVICE_LOST, VULKAN.
 */
VKSKIN_API VkskinResult vkskinCreateContext(const VkskinContextDef *def, VkskinContext *context);

/* Frees all, the meshes and instances that still live included. The device no longer uses any of it. Null allowed. */
VKSKIN_API void vkskinDestroyContext(VkskinContext context);

/* ---- Kernels ---- */

typedef enum VkskinMethod {
    /* Reads VKSKIN_PALETTE_MAT3X4. Normals and tangents go through the blended matrix itself, not its inverse
     * transpose: bones of non-uniform scale tilt them. */
    VKSKIN_METHOD_LINEAR_BLEND = 0,
    /* Reads VKSKIN_PALETTE_DUAL_QUATERNION. Kavan et al. 2008, "Geometric Skinning with Approximate Dual
     * Quaternion Blending": DLB, pairs brought to the hemisphere of the vertex's largest influence (the earliest
     * among equals). Rigid bones only. */
    VKSKIN_METHOD_DUAL_QUATERNION = 1,
    VKSKIN_METHOD_COUNT = 2
} VkskinMethod;

/* The encoding that a method reads. Any thread. */
VKSKIN_API VkskinPaletteEncoding vkskinMethodEncoding(VkskinMethod method);

/* How normals and tangents are stored, in the mesh and in the output. Positions are always three floats. */
typedef enum VkskinVertexFormat {
    /* 8 bytes: a word for the normal, octahedral, snorm 16 + 16 (x in the low half); a word for the tangent,
     * octahedral, snorm 16 + 15, the top bit set where the handedness is -1. Rounding turns a normal by at most
     * 0.004 degrees, a tangent by 0.006, and happens twice: in the mesh and in the output.
     * Cigolle et al. 2014, "A Survey of Efficient Representations for Independent Unit Vectors". */
    VKSKIN_VERTEX_PACKED = 0,
    /* 28 bytes: float3 normal, then float4 tangent whose w is the handedness, +1 or -1. */
    VKSKIN_VERTEX_FLOAT = 1,
    VKSKIN_VERTEX_FORMAT_COUNT = 2
} VkskinVertexFormat;

typedef struct VkskinPipelineDef {
    uint32_t cookie;             /* set by vkskinDefaultPipelineDef */
    VkPipelineCache cache;       /* default null */
    uint32_t methods;            /* bit m set: kernels of VkskinMethod m; default linear blend alone */
    uint32_t formats;            /* bit f set: kernels for VkskinVertexFormat f; default packed alone */
    uint32_t instancesPerThread; /* 1 to 64 that a thread skins its vertex for; default 0: by device type */
    uint32_t workgroupSize;      /* 32 to the device's limit, a multiple of 32; default 64 */
} VkskinPipelineDef;

VKSKIN_API VkskinPipelineDef vkskinDefaultPipelineDef(void);

/*
 * Makes the kernels that the def asks for and that do not exist yet, one for each influence count of 1 to 4.
 * Slow (it compiles); call it when loading. May be called again for more; instancesPerThread and workgroupSize
 * count in the first call only. On failure the kernels that existed before stay.
 * Errors: DEF_NOT_INITIALISED, NULL_ARGUMENT, INVALID_VALUE, OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, DEVICE_LOST,
 * VULKAN.
 */
VKSKIN_API VkskinResult vkskinCreatePipelines(VkskinContext context, const VkskinPipelineDef *def);

/* ---- Meshes ---- */

/* Handles are values; zero is null; a handle of something destroyed is refused as stale. */
typedef struct VkskinMesh {
    uint32_t index; /* 1 up */
    uint32_t generation;
} VkskinMesh;

typedef enum VkskinJointFormat { VKSKIN_JOINTS_U8 = 0, VKSKIN_JOINTS_U16 = 1, VKSKIN_JOINTS_U32 = 2 } VkskinJointFormat;

/*
 * A mesh to be skinned: its bind-pose vertices. Index buffers, texture coordinates, colours and materials stay the
 * host's own; vertex order is kept, so they go with the output as they are. All is copied before the call returns.
 * Strides are in bytes, 0 meaning tightly packed.
 */
typedef struct VkskinMeshDef {
    uint32_t cookie;      /* set by vkskinDefaultMeshDef */
    const char *name;     /* for messages; may be null; not kept */
    uint32_t vertexCount; /* 1 up */
    uint32_t boneCount;   /* 1 to 65,536: bones that a palette for this mesh must hold */

    const float *positions; /* float3, the mesh's own unit */
    size_t positionStride;
    const float *normals; /* float3, normalised by the library; null: the output has no normal */
    size_t normalStride;
    const float *tangents; /* float4, w the handedness, its sign counts; null: none. Needs normals. */
    size_t tangentStride;

    /* influencesPerVertex joints and weights for each vertex, unused ones with weight 0 (their joint is then not
     * looked at). Any number of influences may come in; maxInfluences of them are kept. */
    uint32_t influencesPerVertex; /* 1 to 255 */
    VkskinJointFormat jointFormat;
    const void *joints;
    size_t jointStride;
    const float *weights; /* finite, at least 0, their sum above 0; scaled to sum to one */
    size_t weightStride;
    uint32_t maxInfluences; /* 1 to 4, default 4. The largest are kept, earlier ones first among equals, and scaled
                               to sum to one. */

    VkskinVertexFormat format; /* default VKSKIN_VERTEX_PACKED */
    /* Keep the positions of the instance's previous update as well, for motion vectors. Its output then rotates
     * through one region more than the context's outputRegions. Default false. */
    bool previousPositions;
} VkskinMeshDef;

VKSKIN_API VkskinMeshDef vkskinDefaultMeshDef(void);

/* What a mesh came to. */
typedef struct VkskinMeshInfo {
    uint32_t vertexCount;
    uint32_t boneCount;
    uint32_t influences;         /* the most that a vertex keeps, 1 to 4: the kernel that skins it */
    uint32_t normalisedVertices; /* whose weights summed to something else than one by more than 1e-4 */
    uint32_t trimmedVertices;    /* which lost influences */
    float trimmedWeight;         /* the largest share of a vertex's weight that was lost, 0 to 1 */
    uint32_t sourceBytesPerVertex;
    uint32_t outputBytesPerVertex; /* of one region: 12, 16 or 20 packed; 24 or 40 float */
    bool hasNormals;
    bool hasTangents;
    VkskinVertexFormat format;
} VkskinMeshInfo;

/*
 * Makes a mesh, its upload pending: the next vkskinRecordUploads or vkskinRecordSkinning records the copy. Staging
 * memory lives until that frame's slot is begun again.
 * A vertex's unusable normal (length below 1e-20) is taken as (0, 0, 1), a tangent as any unit vector across it.
 * Warnings: WEIGHTS_NORMALISED, INFLUENCES_TRIMMED (both: the latter is returned, each is logged).
 * Errors: DEF_NOT_INITIALISED, NULL_ARGUMENT, INVALID_VALUE, JOINT_OUT_OF_RANGE, WEIGHT_NOT_FINITE,
 * WEIGHT_NEGATIVE, WEIGHT_ZERO, ATTRIBUTE_NOT_FINITE (each message names the vertex), MESH_TOO_LARGE,
 * OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, DEVICE_LOST, VULKAN; INVALID_VALUE also for unusable memory from the host's
 * callbacks. On failure *mesh is null.
 */
VKSKIN_API VkskinResult vkskinCreateMesh(VkskinContext context, const VkskinMeshDef *def, VkskinMesh *mesh);

/*
 * The handle is stale at once; the memory is reused after the current frame's slot is begun again.
 * Errors: NULL_ARGUMENT, NULL_HANDLE, STALE_HANDLE, MESH_IN_USE.
 */
VKSKIN_API VkskinResult vkskinDestroyMesh(VkskinContext context, VkskinMesh mesh);

/* Errors: NULL_ARGUMENT, NULL_HANDLE, STALE_HANDLE. */
VKSKIN_API VkskinResult vkskinGetMeshInfo(VkskinContext context, VkskinMesh mesh, VkskinMeshInfo *info);

/* ---- Instances ---- */

/* One skinned copy of a mesh, with output memory of its own. A character of three meshes is three instances that
 * may share one palette. */
typedef struct VkskinInstance {
    uint32_t index;
    uint32_t generation;
} VkskinInstance;

/*
 * Takes output memory for all its regions; may allocate a page of device memory.
 * Errors: NULL_ARGUMENT, NULL_HANDLE, STALE_HANDLE, TOO_MANY_INSTANCES, MESH_TOO_LARGE, OUT_OF_HOST_MEMORY,
 * OUT_OF_DEVICE_MEMORY, DEVICE_LOST, VULKAN; INVALID_VALUE for unusable memory from the host's callbacks. On failure
 * *instance is null.
 */
VKSKIN_API VkskinResult vkskinCreateInstance(VkskinContext context, VkskinMesh mesh, VkskinInstance *instance);

/* As vkskinDestroyMesh. One that was given to vkskinSkin and not recorded yet is dropped from the record. */
VKSKIN_API VkskinResult vkskinDestroyInstance(VkskinContext context, VkskinInstance instance);

/* ---- A frame ---- */

/*
 * Begins a frame in slot `frameIndex`, in 0 to framesInFlight - 1, in cyclic order (the first may be any). It is
 * the host's promise that all work submitted for this slot's last use has finished; the library frees what was
 * destroyed then and writes its ring regions again. No call waits for anything.
 * What the library records in a frame must be submitted before the slot is begun again: begin a frame when it is
 * certain to be drawn, after a swapchain image was acquired. Commands that were not recorded are taken back: their
 * instances keep their last output, and the result is WARNING_COMMANDS_DROPPED.
 * Errors: NULL_ARGUMENT, INVALID_VALUE, FRAME_ORDER.
 */
VKSKIN_API VkskinResult vkskinBeginFrame(VkskinContext context, uint32_t frameIndex);

/* A place in this frame's region of the palette ring. Valid until the next vkskinBeginFrame; stale ones are refused. */
typedef struct VkskinPalette {
    uint64_t frame; /* counts vkskinBeginFrame; 0 is null */
    uint32_t page;
    uint32_t offset; /* bytes from the start of the page */
    uint32_t boneCount;
    VkskinPaletteEncoding encoding;
} VkskinPalette;

/*
 * Takes room for boneCount entries. *data receives where to write them (16-byte aligned, write-only: it may be
 * write-combined memory) until the frame's command buffer is submitted. Any number of instances may share it.
 * Entries may hold any value, a zero scale too; they are not checked. Only the submission reads them.
 * Errors: NULL_ARGUMENT, INVALID_VALUE, FRAME_NOT_BEGUN, PALETTE_RING_FULL (the message says what was asked and
 * what is left). On failure *palette is zero and *data null.
 */
VKSKIN_API VkskinResult vkskinAllocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                              VkskinPalette *palette, void **data);

typedef enum VkskinSkinFlagBits {
    /* The instance jumped: its previous positions shall equal the current ones. */
    VKSKIN_SKIN_TELEPORT_BIT = 1
} VkskinSkinFlagBits;

/* Skin `instance` from `palette` by `method`. */
typedef struct VkskinSkinCommand {
    VkskinInstance instance;
    VkskinPalette palette;
    VkskinMethod method;
    uint32_t flags; /* VkskinSkinFlagBits */
} VkskinSkinCommand;

/*
 * Adds commands to the frame. Instances that get none keep their last output, at its last place.
 * All are checked before any is taken: on failure none is.
 * Errors: NULL_ARGUMENT, INVALID_VALUE, FRAME_NOT_BEGUN, NULL_HANDLE, STALE_HANDLE, PALETTE_STALE,
 * PALETTE_TOO_SMALL, PALETTE_ENCODING, PIPELINE_MISSING, ALREADY_SKINNED, TOO_MANY_INSTANCES.
 */
VKSKIN_API VkskinResult vkskinSkin(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count);

/*
 * Records pending mesh uploads and, where palettes are staged, the copies of this frame's palettes that were
 * allocated since the last call. With VKSKIN_BARRIERS_RECORDED, also the barriers before the copies (earlier skinning
 * may still read the same pages) and after; vkskinRecordSkinning then calls this by itself. Outside a render pass, on
 * a queue of skinningFamily. The command buffer must be submitted: the copies are not recorded twice.
 * Errors: NULL_ARGUMENT, FRAME_NOT_BEGUN; and, only for memory that is not coherent, what vkFlushMappedMemoryRanges
 * may return.
 */
VKSKIN_API VkskinResult vkskinRecordUploads(VkskinContext context, VkCommandBuffer commandBuffer);

/*
 * Records the skinning of all commands added since the last call: for each kernel variant and each combination of
 * pages and region one dispatch, whatever the number of instances. Outside a render pass, on a queue of
 * skinningFamily.
 * With VKSKIN_BARRIERS_RECORDED on one family: before, where regions are fewer than frames, [consumerStages and
 * COMPUTE_SHADER, SHADER_WRITE -> COMPUTE_SHADER, SHADER_WRITE]; after, [COMPUTE_SHADER, SHADER_WRITE ->
 * consumerStages, consumerAccess] on the written regions of the pages.
 * Allocates nothing, makes no pipeline. The command buffer must be submitted before the slot is begun again, in
 * the order of frames. Errors: those of vkskinRecordUploads; UPLOADS_PENDING (with VKSKIN_BARRIERS_HOST, where a
 * command's mesh or palette waits for vkskinRecordUploads). On failure nothing of the skinning is recorded, and the
 * commands wait for another call.
 */
VKSKIN_API VkskinResult vkskinRecordSkinning(VkskinContext context, VkCommandBuffer commandBuffer);

/*
 * Where skinning and drawing are of different families: passes ownership of what this frame wrote, each call once a
 * frame. Release on the skinning queue after the last vkskinRecordSkinning; acquire on the drawing queue before the
 * reads, in a submission that waits by a semaphore for the release, the wait's stage mask covering consumerStages.
 * Nothing comes back: a region's old content is not needed when it is written again. On one family both record
 * nothing. Errors: NULL_ARGUMENT, FRAME_NOT_BEGUN.
 */
VKSKIN_API VkskinResult vkskinRecordRelease(VkskinContext context, VkCommandBuffer commandBuffer);
VKSKIN_API VkskinResult vkskinRecordAcquire(VkskinContext context, VkCommandBuffer commandBuffer);

/* ---- Output ---- */

/* Where an instance's vertices lie. Offsets are bytes into `buffer`, multiples of 16. */
typedef struct VkskinOutput {
    VkBuffer buffer;
    uint32_t page; /* the output page that `buffer` is, 0 up: instances of a page draw together */
    uint32_t vertexCount;
    VkDeviceSize positionOffset;  /* float3 a vertex, tightly packed: usable for a BLAS */
    VkDeviceSize attributeOffset; /* normals and tangents, see VkskinVertexFormat: where the positions end, up to 16 */
    uint32_t attributeStride;     /* 0 (no normals), 4 or 8 packed, 12 or 28 float */
    /* Positions of the frame before: the same as positionOffset on an instance's first update, after a teleport,
     * in a frame without an update, and always for meshes without previousPositions. */
    VkDeviceSize previousPositionOffset;
} VkskinOutput;

/*
 * Where the output lies in this frame: ask after vkskinSkin, each frame. The content is there once what
 * vkskinRecordSkinning recorded has run. Errors: NULL_ARGUMENT, NULL_HANDLE, STALE_HANDLE, NOT_SKINNED.
 */
VKSKIN_API VkskinResult vkskinGetOutput(VkskinContext context, VkskinInstance instance, VkskinOutput *output);

/* Pages of output there are, and one of them as a whole, for descriptors that pull vertices from storage buffers.
 * Pages live as long as the context. vkskinGetOutputPage gives a null handle for a page that does not exist. */
VKSKIN_API uint32_t vkskinGetOutputPageCount(VkskinContext context);
VKSKIN_API VkBuffer vkskinGetOutputPage(VkskinContext context, uint32_t page, VkDeviceSize *size);

/* Vertex input for an instance bound as vertex buffers: binding `firstBinding` at positionOffset, the next at
 * attributeOffset, vertexOffset 0. Locations follow from firstLocation: position (R32G32B32_SFLOAT), normal,
 * tangent. Packed words come as R32_UINT; vkskin.glsl unpacks them. */
typedef struct VkskinVertexInput {
    uint32_t bindingCount;
    VkVertexInputBindingDescription bindings[2];
    uint32_t attributeCount;
    VkVertexInputAttributeDescription attributes[3];
} VkskinVertexInput;

/* Errors: NULL_ARGUMENT, INVALID_VALUE (a format out of range, tangents without normals). Any thread. */
VKSKIN_API VkskinResult vkskinGetVertexInput(VkskinVertexFormat format, bool normals, bool tangents,
                                             uint32_t firstBinding, uint32_t firstLocation, VkskinVertexInput *input);

/* ---- Hosts that own the barriers ---- */

typedef enum VkskinPass {
    VKSKIN_PASS_UPLOAD = 0,  /* what vkskinRecordUploads does when called now */
    VKSKIN_PASS_SKINNING = 1 /* what vkskinRecordSkinning does when called now */
} VkskinPass;

typedef struct VkskinAccess {
    VkBuffer buffer;
    VkDeviceSize offset; /* bytes; a whole region of a page where the pass may touch any of it */
    VkDeviceSize size;
    VkPipelineStageFlags stages;
    VkAccessFlags access;
} VkskinAccess;

/*
 * What a pass will do to buffers that another pass, or the host, also touches. *count is the room in `accesses`
 * and receives the number there is; accesses null asks for the number alone. Too little room: the first ones are
 * written and INVALID_VALUE returned. Errors: NULL_ARGUMENT, FRAME_NOT_BEGUN, INVALID_VALUE.
 */
VKSKIN_API VkskinResult vkskinGetAccesses(VkskinContext context, VkskinPass pass, VkskinAccess *accesses,
                                          uint32_t *count);

/* ---- Measuring ---- */

typedef enum VkskinTimestampSupport {
    VKSKIN_TIMESTAMPS_NONE = 0, /* the queue family has none, or maxTimingScopes is 0: scopes record nothing */
    VKSKIN_TIMESTAMPS_SUPPORTED = 1
} VkskinTimestampSupport;

/*
 * A named span of the device's time in this frame; the library itself records "upload" and "skinning". Any pass of
 * the host's may be measured too. The first scope of a frame must begin outside a render pass (it resets queries), and
 * command buffers are submitted in the order in which their scopes begin. All scopes of a context go to command
 * buffers of one queue family, skinningFamily. `name` must outlive the context (a literal).
 * Errors: NULL_ARGUMENT, FRAME_NOT_BEGUN, TOO_MANY_SCOPES; end without begin: INVALID_VALUE.
 */
VKSKIN_API VkskinResult vkskinBeginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name);
VKSKIN_API VkskinResult vkskinEndScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name);

typedef struct VkskinTiming {
    const char *name;
    double milliseconds; /* summed over the scopes of this name in that frame */
} VkskinTiming;

/*
 * The scopes of the latest frame whose results are known: the one that the last vkskinBeginFrame found finished,
 * framesInFlight frames ago. *frame receives its count (1 is the first frame begun, 0: none known yet), *count as
 * in vkskinGetAccesses. frame and support may be null. Asks the driver without waiting; but lavapipe's
 * vkGetQueryPoolResults waits until the device is idle. A frame that was recorded but never submitted gives the
 * numbers of an earlier one. Errors: NULL_ARGUMENT, INVALID_VALUE (too little room; the
 * first ones are written), OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, DEVICE_LOST, VULKAN.
 */
VKSKIN_API VkskinResult vkskinGetTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                                         VkskinTimestampSupport *support);

/* Counters. Those of the frame are set to zero by vkskinBeginFrame. */
typedef struct VkskinStats {
    uint64_t frame;            /* count of vkskinBeginFrame */
    uint32_t instancesSkinned; /* in this frame, by vkskinRecordSkinning */
    uint64_t verticesSkinned;
    uint64_t outputBytes;                          /* written in this frame */
    uint64_t paletteBytes;                         /* allocated in this frame */
    uint32_t dispatches;                           /* recorded in this frame */
    uint32_t meshes;                               /* alive */
    uint32_t instances;                            /* alive */
    uint32_t meshPages, palettePages, outputPages; /* buffers there are, all frames */
    uint64_t deviceBytes;                          /* of all buffers of the context */
} VkskinStats;

/* Errors: NULL_ARGUMENT. */
VKSKIN_API VkskinResult vkskinGetStats(VkskinContext context, VkskinStats *stats);

#ifdef __cplusplus
}
#endif

#endif
