/**
 * @file
 * The GPU side: meshes and palettes in, skinned vertex buffers out, in one compute pass per frame.
 *
 * The library never submits, waits for the device, owns a queue, starts a thread, opens a file or has a global. It
 * records into command buffers of the host, and links to no Vulkan symbol. It needs Vulkan 1.1 and no optional feature.
 *
 * The calls of a frame, in order:
 *
 *     vkskinBeginFrame         begins the frame slot, after its last use has finished on the device
 *     vkskinAllocatePalette    returns memory for bones in this frame's region of the palette ring; the host writes it
 *     vkskinSkinInstances      adds commands: which instance uses which palette and method
 *     vkskinRecordSkinning     records uploads, barriers and a few dispatches, outside a render pass
 *     vkskinGetOutput          returns the location of an instance's vertices in this frame
 *
 * vkskinSkinMatrices does the second and the third step with matrices of the host.
 *
 * Threads. Every call may be made from any thread, and from several threads at once. Exception: vkskinDestroyContext
 * must be the last call, and no other call may run at the same time. Calls hold the context's lock only briefly:
 * vkskinCreateMesh checks and packs, vkskinCreatePipelines compiles, and the CPU backend skins outside the lock. Each
 * call is atomic. The host orders the calls of a frame, and records into a command buffer from one thread at a time.
 * Mapped palette memory may be written from any thread.
 * Contexts are independent, even on the same device. docs/threads.md describes each call.
 *
 * Recording changes this state of a command buffer: the bound compute pipeline, compute descriptor sets 0 to 3, and the
 * push constants of the compute stage. Graphics state does not change.
 *
 * The rules of vkskin_base.h apply. These rules apply to each call that takes a context:
 * - With a null context the call returns VKSKIN_ERROR_NULL_ARGUMENT and logs nothing.
 * - A command buffer must be in the recording state. It must belong to the context's device and to computeQueueFamily
 *   (vkskinRecordAcquire: graphicsQueueFamily). Submit it once, in the order of frames, before its frame slot is begun
 *   again. If nothing of a frame will be submitted, call vkskinCancelFrame.
 * - A secondary command buffer is allowed too, begun without RENDER_PASS_CONTINUE. Execute it once, outside a render
 *   pass, in a primary command buffer that is submitted as above.
 * - A call that fails may have allocated a page of device memory, which later calls use.
 *
 * Errors of calls in this header, in addition to those of vkskin_base.h:
 * - VKSKIN_ERROR_NULL_HANDLE: a handle is zero. The message names it.
 * - VKSKIN_ERROR_STALE_HANDLE: the object was destroyed or removed, or belongs to another context. The message names it.
 * - VKSKIN_ERROR_FRAME_NOT_BEGUN: no frame has begun, or the last one was cancelled. Returned by all calls of the section
 *   "A frame" except vkskinBeginFrame, and by vkskinGetAccesses, vkskinBeginScope and vkskinEndScope.
 * - VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY: a call that allocates got no device memory from the driver or the memory callbacks.
 *   If they return a block that cannot back its buffer, the call returns VKSKIN_ERROR_INVALID_VALUE.
 * - VKSKIN_ERROR_DEVICE_LOST: reported by the driver.
 * - VKSKIN_ERROR_VULKAN: any other error of the driver or of the memory callbacks.
 */
#ifndef VKSKIN_H
#define VKSKIN_H

#include <vulkan/vulkan_core.h>

#include "vkskin_base.h"
#include "vkskin_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup functions Vulkan functions
 *  All Vulkan functions that the library calls.
 *  @{ */

/**
 * The instance functions that the library calls, as X(name without vk).
 *
 * @unstable A minor version may call more functions of Vulkan 1.1. Fill a table from these lists, or leave entries null
 * and pass the resolvers.
 */
#define VKSKIN_INSTANCE_FUNCTIONS(X)                                                                                   \
    X(GetPhysicalDeviceProperties)                                                                                     \
    X(GetPhysicalDeviceMemoryProperties)                                                                               \
    X(GetPhysicalDeviceQueueFamilyProperties)

/**
 * The device functions that the library calls, as X(name without vk).
 *
 * @unstable As VKSKIN_INSTANCE_FUNCTIONS.
 */
#define VKSKIN_DEVICE_FUNCTIONS(X)                                                                                     \
    X(AllocateMemory)                                                                                                  \
    X(FreeMemory)                                                                                                      \
    X(MapMemory)                                                                                                       \
    X(UnmapMemory)                                                                                                     \
    X(FlushMappedMemoryRanges)                                                                                         \
    X(InvalidateMappedMemoryRanges)                                                                                    \
    X(CreateBuffer)                                                                                                    \
    X(DestroyBuffer)                                                                                                   \
    X(GetBufferMemoryRequirements)                                                                                     \
    X(BindBufferMemory)                                                                                                \
    X(CreateBufferView)                                                                                                \
    X(DestroyBufferView)                                                                                               \
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
    X(CmdDispatchIndirect)                                                                                             \
    X(CmdFillBuffer)                                                                                                   \
    X(CmdCopyBuffer)                                                                                                   \
    X(CmdPipelineBarrier)

/**
 * The functions that the library also calls if VkskinContextDef.debugUtils is true, as X(name without vk).
 * VK_EXT_debug_utils must then be enabled on the instance.
 *
 * @unstable As VKSKIN_INSTANCE_FUNCTIONS.
 */
#define VKSKIN_DEBUG_FUNCTIONS(X)                                                                                      \
    X(SetDebugUtilsObjectNameEXT)                                                                                      \
    X(CmdBeginDebugUtilsLabelEXT)                                                                                      \
    X(CmdEndDebugUtilsLabelEXT)

/**
 * The function that the library also calls if VkskinContextDef.outputUsage or paletteUsage has SHADER_DEVICE_ADDRESS, as
 * X(name without vk). It is resolved by this name, or with the suffix KHR or EXT. bufferDeviceAddress must then be enabled.
 *
 * @unstable As VKSKIN_INSTANCE_FUNCTIONS.
 */
#define VKSKIN_ADDRESS_FUNCTIONS(X) X(GetBufferDeviceAddress)

/**
 * A table of the functions above: members vkCreateBuffer and so on, one for each entry of #VKSKIN_INSTANCE_FUNCTIONS,
 * #VKSKIN_DEVICE_FUNCTIONS, #VKSKIN_DEBUG_FUNCTIONS and #VKSKIN_ADDRESS_FUNCTIONS. Has no default function: set it to zero, then fill it. The
 * library resolves entries that are null.
 */
typedef struct VkskinVulkanFunctions {
#define VKSKIN_FUNCTION_MEMBER(name) PFN_vk##name vk##name;
    VKSKIN_INSTANCE_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
    VKSKIN_DEVICE_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
    VKSKIN_DEBUG_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
    VKSKIN_ADDRESS_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
#undef VKSKIN_FUNCTION_MEMBER
} VkskinVulkanFunctions;

/** @} */

/** @defgroup memory Device memory
 *  For hosts with their own allocator. Without one the library allocates memory for each of its few buffers.
 *  @{ */

/** Use of a buffer. The host's allocator chooses the memory type from it. */
typedef enum VkskinMemoryUse {
    /** Used only by the device. Choose DEVICE_LOCAL memory. */
    VKSKIN_MEMORY_DEVICE = 0,
    /** Written by the host each frame, read once by the device. Must be HOST_VISIBLE, with `mapped` set; also choose
     * DEVICE_LOCAL if the device has such a type. If the memory is not HOST_COHERENT, the host must write palettes
     * before it records them. Memory that the library allocates itself is always coherent. */
    VKSKIN_MEMORY_DYNAMIC = 1,
    /** Written by the host, source of copies: uploads and staged palettes. Must be HOST_VISIBLE, with `mapped` set. The
     * rule for memory that is not HOST_COHERENT is the same as above. */
    VKSKIN_MEMORY_STAGING = 2
} VkskinMemoryUse;

/** A request for memory. Valid during the call. */
typedef struct VkskinMemoryRequest {
    VkBuffer buffer;                   ///< not bound yet; the library binds it
    VkMemoryRequirements requirements; ///< requirements of `buffer`
    VkskinMemoryUse use;               ///< the required properties of the memory
    VkBufferUsageFlags usage; ///< usage of `buffer`; SHADER_DEVICE_ADDRESS: the memory must allow device addresses
    const char *name;         ///< for debuggers and messages, for example "palettes"; never null
} VkskinMemoryRequest;

/** A piece of device memory that backs one buffer. */
typedef struct VkskinMemoryBlock {
    VkDeviceMemory memory; ///< the allocation
    /** Bytes from the start of `memory`, aligned to requirements.alignment. If the memory is mapped and not coherent,
     * also aligned to nonCoherentAtomSize. */
    VkDeviceSize offset;
    /** Bytes, at least requirements.size. If the memory is mapped and not coherent, a multiple of
     * nonCoherentAtomSize. */
    VkDeviceSize size;
    uint32_t memoryTypeIndex; ///< type of `memory`; the library flushes writes if the type is not coherent
    void *mapped;             ///< host address of `offset`, 16-byte aligned; null if the use does not need it
    void *userData;           ///< for the host; the library does not use it
} VkskinMemoryBlock;

/**
 * The host's device memory allocator, for example VMA. Called by vkskinCreateContext, vkskinCreateMesh,
 * vkskinCreateInstance, vkskinAllocatePalette, vkskinAllocatePalettes, vkskinSkinInstances, vkskinBeginFrame and
 * vkskinDestroyContext, on the thread of the call; never by a call that records. One context makes one call at a time,
 * with its lock held. A callback must return (no exception, no longjmp) and must not call back into the same context. It
 * must not wait for a lock that another thread holds during a call on the context. Has no default function: set it to
 * zero, then fill it.
 */
typedef struct VkskinMemoryCallbacks {
    /** Allocates memory for `request->buffer`: fills *block, which is all zero at entry, and returns VK_SUCCESS. On
     * failure it returns an error, which the library maps to a VkskinResult; `free` is then not called. Mapped memory
     * must stay mapped until `free`. The library checks the block: `memory` is not null, its type is one that the
     * requirements allow, and size, alignment and `mapped` are as VkskinMemoryBlock states. If a check fails, the
     * library passes the block to `free`, and the call returns VKSKIN_ERROR_INVALID_VALUE. */
    VkResult (*allocate)(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block);
    /** Frees a block as `allocate` filled it, after its buffer was destroyed. */
    void (*free)(void *user, const VkskinMemoryBlock *block);
    void *user; ///< passed to both; may be null
} VkskinMemoryCallbacks;

/** @} */

/** @defgroup context The context
 *  A context owns all other objects. It is created from the host's device.
 *  @{ */

/** A context: null, or made by vkskinCreateContext. */
typedef struct VkskinContext_T *VkskinContext;

/** Who records the barriers around the library's passes. */
typedef enum VkskinBarriers {
    /** The library records barriers between its writes and the host's reads. On one queue the host adds no barrier. */
    VKSKIN_BARRIERS_RECORDED = 0,
    /** The host's render graph records the barriers before and after each pass: see vkskinGetAccesses. Only
     * vkskinRecordCrowd records some, between its own dispatches. The host must call vkskinRecordUploads before
     * vkskinRecordSkinning and vkskinRecordCrowd. */
    VKSKIN_BARRIERS_HOST = 1
} VkskinBarriers;

/** The processor that skins. */
typedef enum VkskinBackend {
    /** Kernels on the device. */
    VKSKIN_BACKEND_COMPUTE = 0,
    /**
     * The CPU: vkskinRecordSkinning skins into mapped output memory. All calls are the same. Output is complete before
     * the frame is submitted. Meshes, palettes and weights are in host memory; write palettes before
     * vkskinRecordSkinning, which reads them. No kernel is needed. The number of output regions is framesInFlight, at
     * least 2. Nothing is recorded, no barrier or ownership transfer is needed, and vkskinGetAccesses returns no
     * access. The scope "skinning" does not exist. Results equal those of the kernels within floating-point rounding.
     */
    VKSKIN_BACKEND_CPU = 1,
    /** The CPU on devices that are CPUs (VK_PHYSICAL_DEVICE_TYPE_CPU), else compute. Compute on all devices if
     * VkskinContextDef.paletteStages is not 0. */
    VKSKIN_BACKEND_AUTOMATIC = 2
} VkskinBackend;

/** Where palettes are written. */
typedef enum VkskinPaletteMemory {
    /** In place, in memory that is both device-local and host-visible, if the device has it; otherwise staged. */
    VKSKIN_PALETTE_MEMORY_AUTO = 0,
    /** In host memory, which is then copied once by the device. */
    VKSKIN_PALETTE_MEMORY_STAGED = 1
} VkskinPaletteMemory;

/** How kernels read palettes whose entries consist of float4: all except the half, snorm16 and 2x3 encodings. */
typedef enum VkskinPaletteBinding {
    /** From the tuning. Without a tuning, by device type: texels on a CPU, a storage buffer on all others. */
    VKSKIN_PALETTE_BINDING_AUTO = 0,
    /** As a storage buffer. */
    VKSKIN_PALETTE_BINDING_STORAGE = 1,
    /** As a texel buffer of R32G32B32A32_SFLOAT. The size of a palette page, and so of a palette, is then limited to
     * maxTexelBufferElements x 16 bytes: 1 MiB at the specification's minimum of 65,536 elements. */
    VKSKIN_PALETTE_BINDING_TEXELS = 2
} VkskinPaletteBinding;

/** How the kernel that poses crowds (vkskin_crowd.h) divides its work. */
typedef enum VkskinCrowdPosing {
    /** A thread poses a character, node after node. Measured as the faster one on CPU drivers. */
    VKSKIN_CROWD_POSING_THREAD = 1,
    /** A workgroup of 64 threads poses a character, a thread for each node. Default of GPUs; not measured there. */
    VKSKIN_CROWD_POSING_GROUP = 2
} VkskinCrowdPosing;

/**
 * Kernel settings for a device, found by vkskinTune or set by hand. Plain data without pointers: it may be stored. The
 * library refuses it for another device, driver or version of the library.
 *
 * @unstable The fields depend on the kernels of this version.
 */
typedef struct VkskinTuning {
    uint32_t version;              ///< version of the library: vkskinVersion()
    uint32_t vendorID;             ///< VkPhysicalDeviceProperties.vendorID
    uint32_t deviceID;             ///< VkPhysicalDeviceProperties.deviceID
    uint32_t driverVersion;        ///< VkPhysicalDeviceProperties.driverVersion
    uint8_t pipelineCacheUUID[16]; ///< VkPhysicalDeviceProperties.pipelineCacheUUID
    uint32_t paletteBinding;       ///< VKSKIN_PALETTE_BINDING_STORAGE or VKSKIN_PALETTE_BINDING_TEXELS
    uint32_t instancesPerThread;   ///< number of instances for which a thread skins its vertex, 1 to 64
    uint32_t workgroupSize;        ///< 32 to the device's limit, a multiple of 32
    uint32_t crowdPosing;          ///< VKSKIN_CROWD_POSING_THREAD or VKSKIN_CROWD_POSING_GROUP
} VkskinTuning;

/** Maximum of VkskinContextDef.framesInFlight. */
#define VKSKIN_MAX_FRAMES_IN_FLIGHT 8

/** Device memory of a context: where it comes from, and how much. Set by vkskinDefaultContextDef, as a part of
 * VkskinContextDef. */
typedef struct VkskinMemoryDef {
    /** The host's allocator. Null (the default): vkAllocateMemory, one allocation per buffer. The struct is copied. */
    const VkskinMemoryCallbacks *callbacks;
    VkskinPaletteMemory palettes; ///< default VKSKIN_PALETTE_MEMORY_AUTO
    /** Bytes of the first page of meshes and of output, 64 KiB to 1 TiB; default 1 MiB. A page is one buffer for many
     * objects. Each further page has four times the size, up to pageSize. */
    VkDeviceSize firstPageSize;
    /** Maximum bytes of a page of meshes, palettes or output, 64 KiB to 1 TiB; default 32 MiB. Lowered to the device's
     * maxStorageBufferRange. A larger object gets a page of its own size, if the device can bind it. */
    VkDeviceSize pageSize;
    /** Bytes of palette memory for one frame at first, 48 to 1 TiB; default 256 KiB. The ring has framesInFlight times
     * this size, in pages. A palette takes 16 to 64 bytes per bone, is aligned to 16 bytes, and never spans two pages. */
    VkDeviceSize paletteBytesPerFrame;
    /** Maximum bytes of palettes in one frame, up to 1 TiB; default 1 GiB. A call that allocates palettes adds a page if
     * the frame has no room for them: pages double in size up to pageSize. A frame slot keeps its pages. 0: the ring does
     * not grow; then leave room for one palette per page in paletteBytesPerFrame. */
    VkDeviceSize maxPaletteBytesPerFrame;
    /** Number of instances that a frame can skin at first, 1 to 16,777,216; default 256. At most maxInstances count.
     * Each takes 213 bytes of host memory, and 92 bytes per frame in flight in the job tables. vkskinSkinInstances
     * doubles these if a frame needs more, and never shrinks them. */
    uint32_t initialInstances;
    /** Maximum number of instances that exist at the same time, and of instances skinned in one frame: up to 16,777,216;
     * default 1,048,576. The device must be able to bind 92 bytes for each and 8 for each of maxMorphWeights in one
     * buffer. 0: initialInstances, so that nothing grows. */
    uint32_t maxInstances;
    /** Number of places for morph weights in one frame at first, 0 to 16,777,216; default 1024. At most maxMorphWeights
     * count. Each non-zero weight takes one place, and each command with non-zero weights takes one more. A place takes
     * 8 bytes of host memory, and 8 bytes per frame in flight in the job tables. vkskinSkinInstances adds places. */
    uint32_t initialMorphWeights;
    /** Maximum number of these places, 0 to 16,777,216; default 1,048,576. 0: initialMorphWeights. */
    uint32_t maxMorphWeights;
} VkskinMemoryDef;

/** Describes a context. Made by vkskinDefaultContextDef. */
typedef struct VkskinContextDef {
    uint32_t cookie; ///< set by vkskinDefaultContextDef

    VkInstance instance;             ///< Vulkan 1.1 or later; must exist until vkskinDestroyContext
    VkPhysicalDevice physicalDevice; ///< device of `instance`
    VkDevice device;                 ///< device of `physicalDevice`; must exist until vkskinDestroyContext
    PFN_vkGetInstanceProcAddr getInstanceProcAddr; ///< may be null if `functions` has every function
    PFN_vkGetDeviceProcAddr getDeviceProcAddr;     ///< null (the default): the one that getInstanceProcAddr returns
    const VkskinVulkanFunctions *functions;        ///< null: all are resolved. The table is copied.
    /** Host memory for the driver and for the library; null: the driver's default, and malloc. The struct is copied.
     * The callbacks run on the thread of the call, possibly on several threads at once, and sometimes with the
     * context's lock held. They must return (no exception, no longjmp) and must not call back into the context. They
     * must not wait for a lock that another thread holds during a call on the context. The first three functions are not
     * null; the two notifications are both null or both not. */
    const VkAllocationCallbacks *allocator;
    VkskinLogger logger; ///< default: no logger
    /** True: name every object and label every pass. The host must have enabled VK_EXT_debug_utils. A name that the
     * driver refuses is logged and does not change the result. Default false. */
    bool debugUtils;
    /** True: each vkskinRecordSkinning reads the palettes of the commands that it records. It logs
     * VKSKIN_WARNING_NORMALS_CHEAP once for each mesh with normals and VKSKIN_NORMALS_CHEAP if a bone of a palette has
     * non-uniform scale or shear above 0.1 %; the result of the call does not change. All bones up to the mesh's
     * boneCount count. For debug builds: mapped memory may be slow to read, and palettes must then be written before
     * vkskinRecordSkinning. Default false. */
    bool checkPalettes;

    /** Queue family that skinning is recorded for. It must have COMPUTE (any family with VKSKIN_BACKEND_CPU). Default
     * 0. */
    uint32_t computeQueueFamily;
    /** Queue family that reads the output. Default VK_QUEUE_FAMILY_IGNORED: the same as computeQueueFamily. If the two
     * differ, vkskinRecordRelease and vkskinRecordAcquire transfer ownership, and outputRegions must be
     * framesInFlight. */
    uint32_t graphicsQueueFamily;

    VkskinBackend backend; ///< default VKSKIN_BACKEND_COMPUTE
    /** How the CPU backend runs; default all zero. vkskinRecordSkinning calls `parallel` without the context's lock, so
     * `parallel` and other threads may call the context, also to destroy what is being skinned. Only vkskinBeginFrame
     * and vkskinCancelFrame are refused meanwhile. A second vkskinRecordSkinning waits for the first. */
    VkskinCpuRun cpu;

    /** Frames in flight: 1 to VKSKIN_MAX_FRAMES_IN_FLIGHT; default 2. */
    uint32_t framesInFlight;
    /** Number of output regions per instance, used in turn: 1 to framesInFlight; default 1. With fewer regions than
     * frames in flight, a barrier makes skinning wait for the reads of the previous frame. Then submit skinning to the
     * queue that draws. With framesInFlight regions skinning never waits; use this for async compute. A page stores its
     * regions one after the other, and each is bound separately. Instances that are updated every frame write the same
     * region of all pages. Synchronisation validation tracks whole regions. So it may report a hazard for an instance
     * that was skipped in a frame, although none of its bytes is accessed. Its version 1.3.239 also takes
     * vkCmdDrawIndexed to read each vertex buffer from the bound offset to the end of the VkBuffer, whatever sizes are
     * bound: with framesInFlight regions it reports a false WRITE_AFTER_READ when skinning writes a region behind the
     * drawn one. Check with outputRegions 1, or with vkCmdDraw, which it tracks exactly. */
    uint32_t outputRegions;
    VkskinBarriers barriers;             ///< default VKSKIN_BARRIERS_RECORDED
    VkskinPaletteBinding paletteBinding; ///< default VKSKIN_PALETTE_BINDING_AUTO
    const VkskinTuning
        *tuning; ///< tuning of this device, driver and version; null (the default): settings by device type

    VkskinMemoryDef memory; ///< where device memory comes from, and how much; each field has its default
    /** Stages in which the host's own shaders or copies read palettes, see vkskinGetPaletteLocations; default 0: none.
     * The recorded barriers cover them. Not with VKSKIN_BACKEND_CPU, and not with two queue families. */
    VkPipelineStageFlags paletteStages;
    VkAccessFlags paletteAccess; ///< access of these stages; default SHADER_READ
    /** Added to the usage of the palette buffers, which are STORAGE_BUFFER and UNIFORM_TEXEL_BUFFER; default 0. For
     * example UNIFORM_BUFFER, TRANSFER_SRC, or SHADER_DEVICE_ADDRESS if the host enabled bufferDeviceAddress. */
    VkBufferUsageFlags paletteUsage;

    /** Usage of the output buffers. Default VERTEX_BUFFER; STORAGE_BUFFER is always added. For ray tracing, enable
     * bufferDeviceAddress and add ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY and SHADER_DEVICE_ADDRESS. For readback,
     * add TRANSFER_SRC. */
    VkBufferUsageFlags outputUsage;
    /** Stages that read the output, not 0. The recorded barriers cover them. Default VERTEX_INPUT | VERTEX_SHADER. */
    VkPipelineStageFlags consumerStages;
    /** Access of these stages. Default VERTEX_ATTRIBUTE_READ | SHADER_READ. */
    VkAccessFlags consumerAccess;

    uint32_t maxTimingScopes; ///< maximum number of timing scopes per frame, 0 to 64; default 8. 0: no query pool
} VkskinContextDef;

/** @return a def with the defaults that each field states; set instance, physicalDevice, device and
 * getInstanceProcAddr */
VKSKIN_API VkskinContextDef vkskinDefaultContextDef(void);

/**
 * Creates a context: resolves functions, reads limits, creates the palette ring. Any thread; several contexts may be
 * created at once, also on one device.
 *
 * @param def      describes the context
 * @param context  receives the context; the caller destroys it
 * @retval VKSKIN_ERROR_INVALID_VALUE        a field is out of range; a queue family that the device does not have; an
 *                                           instruction level that the CPU does not have; two families with fewer
 *                                           outputRegions than framesInFlight
 * @retval VKSKIN_ERROR_MISSING_FUNCTION     a function is neither in the table nor resolved; the message names it
 * @retval VKSKIN_ERROR_UNSUPPORTED_DEVICE   the device is below Vulkan 1.1, computeQueueFamily lacks COMPUTE, or
 *                                           maxInstances needs a buffer that the device cannot bind
 * @retval VKSKIN_ERROR_TUNING_MISMATCH      the tuning is of another device, driver or version, or was changed
 */
VKSKIN_API VkskinResult vkskinCreateContext(const VkskinContextDef *def, VkskinContext *context);

/**
 * Destroys a context with all its meshes and instances. No other call on the context may run during this call or later,
 * and the device must no longer use its objects.
 *
 * @param context  may be null
 */
VKSKIN_API void vkskinDestroyContext(VkskinContext context);

/** @} */

/** @defgroup kernels Kernels
 *  Compute pipelines, compiled at load time, never while recording.
 *  @{ */

/** Bits of VkskinPipelineDef.features: features of meshes that need their own kernels. */
typedef enum VkskinKernelFeatureBits {
    VKSKIN_KERNEL_EXACT_NORMALS_BIT = 1, ///< meshes with VKSKIN_NORMALS_EXACT
    /** Commands with a non-zero morph weight. Also meshes without bones, for all methods. */
    VKSKIN_KERNEL_MORPHS_BIT = 2,
    VKSKIN_KERNEL_LAYOUT_BIT = 4,             ///< meshes with VkskinMeshDef.layout
    VKSKIN_KERNEL_INFLUENCE_POSITIONS_BIT = 8 ///< flat meshes with VkskinMeshDef.influencePositions
} VkskinKernelFeatureBits;

/** Handle of a mesh, passed by value. Zero is null. A handle of a destroyed mesh is refused as stale. */
typedef struct VkskinMesh {
    uint32_t index;      ///< at least 1
    uint32_t generation; ///< distinguishes objects that reuse an index
} VkskinMesh;

/** The null mesh; see VKSKIN_IS_NULL and VKSKIN_EQUALS. */
static const VkskinMesh VKSKIN_NULL_MESH = {0, 0};

/**
 * Describes the kernels to create: one set for each pair of a method and an encoding that the method reads. A set is
 * for the given meshes, or for all given formats and features. Made by vkskinDefaultPipelineDef.
 */
typedef struct VkskinPipelineDef {
    uint32_t cookie;       ///< set by vkskinDefaultPipelineDef
    VkPipelineCache cache; ///< default null; not EXTERNALLY_SYNCHRONIZED if other threads use it during the call
    uint32_t methods;      ///< VkskinMethodBits, not 0; default VKSKIN_METHOD_LINEAR_BLEND_BIT
    /** VkskinPaletteBits; at least one of the methods must read one of them. Default 0: the vkskinMethodEncoding of
     * each method. */
    uint32_t encodings;
    uint32_t formats;  ///< VkskinVertexFormatBits, not 0; default VKSKIN_VERTEX_PACKED_BIT
    uint32_t features; ///< VkskinKernelFeatureBits; default 0
    /** [meshCount]: create only the kernels that these meshes need; `formats` and `features` are then ignored. Use it
     * if the meshes are known: some drivers compile slowly. Default null. */
    const VkskinMesh *meshes;
    uint32_t meshCount; ///< default 0: kernels by formats and features
    /** Number of instances for which a thread skins its vertex, 1 to 64; default 0: from the tuning, else by device
     * type.
     * @unstable As VkskinTuning. */
    uint32_t instancesPerThread;
    /** Invocations per workgroup, a multiple of 32 up to the device limit; default 0: from the tuning, else 64.
     * @unstable As VkskinTuning. */
    uint32_t workgroupSize;
} VkskinPipelineDef;

/** @return a def with the defaults that each field states; all are usable */
VKSKIN_API VkskinPipelineDef vkskinDefaultPipelineDef(void);

/**
 * Creates the kernels that the def describes and that do not exist yet. With `meshes`: for each mesh one kernel per
 * influence count that it has (1, 2, 3, 4, more than 4), twice if it has morph targets. Without: these five for meshes of
 * positions, with normals, and with tangents: 15 kernels per method and format; exact normals and morph targets add up to
 * 43, and VKSKIN_KERNEL_LAYOUT_BIT adds as many as all others. All methods, encodings, formats and features have more than
 * a thousand. No other call compiles, but some drivers compile, or compile again, at the first dispatch.
 *
 * The call is slow: call it at load time or on its own thread. On the software drivers a kernel takes about 10 ms (and
 * 150 ms at its first dispatch) on lavapipe and 40 ms on SwiftShader; docs/performance.md has the measurements. Other
 * calls can run at the same time; a second vkskinCreatePipelines waits. May be called again for more kernels. On failure
 * no kernel is added.
 *
 * @param context  the context
 * @param def      describes the kernels; the first successful call sets instancesPerThread and workgroupSize for all
 *                 kernels of the context
 * @retval VKSKIN_ERROR_INVALID_VALUE         no method or format, or an unknown one; no method that reads one of the
 *                                            encodings; instancesPerThread or workgroupSize is out of range, or is
 *                                            neither 0 nor the value of the existing kernels
 * @retval VKSKIN_ERROR_KERNEL_CODE           a kernel was built with SPIR-V that the library cannot specialise
 */
VKSKIN_API VkskinResult vkskinCreatePipelines(VkskinContext context, const VkskinPipelineDef *def);

/**
 * Returns the settings of the kernels of a context. If it has no kernels yet, returns the settings that the first
 * kernels will have.
 *
 * @unstable As VkskinTuning.
 * @param context  the context
 * @param tuning   receives the settings; may be stored and passed to VkskinContextDef.tuning later
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinGetTuning(VkskinContext context, VkskinTuning *tuning);

/**
 * Runs commands on the device for vkskinTune, because the library never submits. The host's function begins a command
 * buffer of computeQueueFamily, calls `record` with it once, ends it, submits it and waits until the device has
 * finished. It measures the time with timestamps, or with a clock from the submission to the end of the wait.
 *
 * @param user          VkskinTuneDef.runUser
 * @param record        records the library's commands; call it once, during this call and on this thread
 * @param recordData    passed to `record`
 * @param milliseconds  receives the measured time, above 0
 * @return VK_SUCCESS, or an error; vkskinTune then fails with the matching VkskinResult
 */
typedef VkResult (*VkskinRunFn)(void *user, void (*record)(void *recordData, VkCommandBuffer commandBuffer),
                                void *recordData, double *milliseconds);

/** Describes a tuning run. Made by vkskinDefaultTuneDef. */
typedef struct VkskinTuneDef {
    uint32_t cookie; ///< set by vkskinDefaultTuneDef
    /** Device and callbacks for the temporary contexts of the run. Only the fields from `instance` to `logger`,
     * computeQueueFamily, memory.callbacks and memory.palettes are read. */
    const VkskinContextDef *context;
    VkskinRunFn run; ///< must not be null
    void *runUser;   ///< passed to `run`
    /** A typical mesh of the host, with bones, not flat. It is skinned with linear blending. Null (the default): 2,000
     * packed vertices and 64 bones; 30, 35, 15 and 20 % of the vertices have 1, 2, 3 and 4 influences. */
    const VkskinMeshDef *mesh;
    /** Number of instances of the mesh, 1 to 65,536; default 256. Use more on a fast device, where the start of the
     * work takes most of the time. */
    uint32_t instances;
    uint32_t rounds; ///< measurements per setting, 1 to 1,000; the fastest one counts; default 3
} VkskinTuneDef;

/**
 * Returns a def with default values. Any thread.
 *
 * @unstable As VkskinTuning.
 * @return the defaults that each field states; set context and run
 */
VKSKIN_API VkskinTuneDef vkskinDefaultTuneDef(void);

/**
 * Finds the fastest settings on a device: palette binding, then instances per thread, then workgroup size. Each is
 * measured with the best settings so far. Compiles the kernels of the mesh ten times: less than a second on most
 * drivers, 2 to 20 seconds on lavapipe and SwiftShader. Then measures both ways to pose a crowd, with `instances`
 * characters, at most 4,096, of a skeleton of 64 bones. Any thread. Nothing else should use the device during the call.
 * Store the result, and tune again if VkskinContextDef.tuning is refused.
 *
 * Also returns the errors of vkskinCreateContext, vkskinCreateMesh, vkskinCreateInstance and vkskinCreatePipelines,
 * which it calls, and those of `run`.
 *
 * @unstable As VkskinTuning.
 * @param def     describes the run
 * @param tuning  receives the settings
 * @retval VKSKIN_ERROR_INVALID_VALUE        instances or rounds is out of range; the mesh has no bones or is flat; the
 *                                           instances have too many bones in total; a time is not above 0; `run` did
 *                                           not call `record` exactly once
 */
VKSKIN_API VkskinResult vkskinTune(const VkskinTuneDef *def, VkskinTuning *tuning);

/** @} */

/** @defgroup meshes Meshes
 *  Meshes on the device, checked, packed and uploaded once.
 *  @{ */

/**
 * Creates a mesh. The next vkskinRecordUploads or vkskinRecordSkinning records its upload. Staging memory is freed when
 * the slot of that frame is begun again, or at the next vkskinBeginFrame if no upload was recorded. Meshes may be
 * created on several threads while another thread records: vertices are checked and packed outside the lock.
 *
 * A normal with a length below 1e-20 becomes (0, 0, 1), such a tangent becomes a unit vector perpendicular to the
 * normal.
 *
 * @param context  the context that owns the mesh
 * @param def      describes the mesh
 * @param mesh     receives the handle
 * @retval VKSKIN_WARNING_WEIGHTS_NORMALISED     the weights of a vertex did not sum to one within 1e-4
 * @retval VKSKIN_WARNING_INFLUENCES_TRIMMED     a vertex lost influences through maxInfluences or minWeight
 * @retval VKSKIN_WARNING_GAP_AFTER_NORMAL       `format` is VKSKIN_VERTEX_PACKED, but the places of `layout` also have
 *                                               room for VKSKIN_VERTEX_FLOAT: perhaps `format` was forgotten. If several
 *                                               warnings apply, all are logged; returned is trimmed weights before
 *                                               normalised ones, before this
 * @retval VKSKIN_ERROR_INVALID_VALUE            a number, an enum or a stride is out of range; a flat mesh with
 *                                               normals; neither bones nor morph targets; a layout with an odd offset,
 *                                               an overlap or an attribute past its stride, which the message names;
 *                                               passThrough without a layout
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE       a joint with a weight is not below boneCount; the message names the
 *                                               vertex
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE        a weight is NaN or infinite; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE          a weight is below zero; the message names the vertex
 * @retval VKSKIN_ERROR_WEIGHT_ZERO              all weights of a vertex are zero, and unweightedBone is not set; the
 *                                               message names the vertex
 * @retval VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE     a position, normal, tangent, blend weight or delta of a morph target
 *                                               is NaN or infinite; the message names the vertex
 * @retval VKSKIN_ERROR_MORPH_OUT_OF_RANGE       a vertex of a morph target is not below vertexCount or appears twice;
 *                                               or a target without `vertices` has neither 0 nor vertexCount vertices
 * @retval VKSKIN_ERROR_CENTRES_MISMATCH         the centres were computed for other positions, joints or weights
 * @retval VKSKIN_ERROR_MESH_TOO_LARGE           the source, or all output regions of one instance, exceed the device's
 *                                               maxStorageBufferRange; if the positions alone exceed it, this is
 *                                               returned before any vertex is read
 */
VKSKIN_API VkskinResult vkskinCreateMesh(VkskinContext context, const VkskinMeshDef *def, VkskinMesh *mesh);

/**
 * Replaces the data of a mesh, for example when its file has changed. The handles of the mesh and of its instances stay
 * valid. Everything else is as if they had been destroyed and created again: any field of the def may differ. Commands
 * of the instances that are not recorded are dropped. The instances have no output and no history until they are
 * skinned again; that happens with the next command, even if its poseVersion has not changed. The memory of the old
 * vertices and outputs is reused as after vkskinDestroyMesh and vkskinDestroyInstance. So frames in flight are not
 * disturbed. vkskinCancelFrame does not bring the old mesh back. Needs room for both meshes and their outputs. An
 * instance in an output buffer of the host stays there, at another place. An instance whose outputOffset the host chose
 * is refused: destroy it before this call, and create it again afterwards. Also returns the warnings and errors of
 * vkskinCreateMesh.
 *
 * To avoid flicker: call it after vkskinBeginFrame and before the first command of the frame. Exchange your own streams
 * and indices at the same time. Skin every instance that you draw in this frame.
 *
 * @param context  the context that owns the mesh
 * @param mesh     the handle
 * @param def      describes the new data
 * @retval VKSKIN_WARNING_PIPELINE_MISSING  the old mesh had kernels of a method, the new one has none of it: as for
 *                                          vkskinCreateInstance
 * @retval VKSKIN_ERROR_MESH_IN_USE         a crowd has the mesh: destroy the crowd first
 * @retval VKSKIN_ERROR_MESH_TOO_LARGE      also if the rounded-up size of an output is more than the device can bind
 * @retval VKSKIN_ERROR_INVALID_VALUE       also if the host chose the outputOffset of an instance; or if the new mesh has
 *                                          previousPositions, and an output buffer of an instance has no region for them
 * @retval VKSKIN_ERROR_OUTPUT_BUFFER_FULL  an output buffer has no room for the old and the new output of an instance
 */
VKSKIN_API VkskinResult vkskinReplaceMesh(VkskinContext context, VkskinMesh mesh, const VkskinMeshDef *def);

/**
 * Destroys a mesh that has no instances. The handle is stale at once. Its memory is reused when the slot of the current
 * frame is begun again. If no frame has begun or the frame is cancelled, the slot of the previous frame counts. If the
 * upload was not recorded yet, it is dropped, and the memory is reused at once.
 *
 * @param context  the context that owns the mesh
 * @param mesh     the handle
 * @retval VKSKIN_ERROR_MESH_IN_USE    the mesh has instances, or a crowd has it
 */
VKSKIN_API VkskinResult vkskinDestroyMesh(VkskinContext context, VkskinMesh mesh);

/**
 * Returns the properties of a mesh.
 *
 * @param context  the context that owns the mesh
 * @param mesh     the handle
 * @param info     receives the properties
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinGetMeshInfo(VkskinContext context, VkskinMesh mesh, VkskinMeshInfo *info);

/**
 * Creates a context, meshes, and the kernels with which the methods skin these meshes: vkskinCreateContext,
 * vkskinCreateMesh for each mesh, and vkskinCreatePipelines in one call, with the defaults of VkskinPipelineDef. More
 * meshes and kernels can be added later. Compiles, and so is slow. Any thread. Also returns the warnings and errors of
 * the three calls. On failure nothing is left.
 *
 * @param contextDef  describes the context
 * @param meshDefs    [meshCount]; may be null if meshCount is 0
 * @param meshCount   0 or more; 0: kernels for packed vertices, without exact normals and morph targets
 * @param methods     VkskinMethodBits, not 0, for example VKSKIN_METHOD_LINEAR_BLEND_BIT; each with its default
 *                    encoding. Methods whose data a mesh does not have get no kernel for that mesh
 * @param context     receives the context; the caller destroys it
 * @param meshes      [meshCount]: receives the handles, all null on failure; may be null if meshCount is 0
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinOpen(const VkskinContextDef *contextDef, const VkskinMeshDef *meshDefs,
                                   uint32_t meshCount, uint32_t methods, VkskinContext *context, VkskinMesh *meshes);

/** @} */

/** @defgroup outputbuffers Output buffers of the host
 *  By default outputs are in pages of the library. A host that draws everything from its own vertex buffer can have them
 *  there instead.
 *  @{ */

/** Maximum of VkskinOutputBufferDef.regionCount. */
#define VKSKIN_MAX_OUTPUT_REGIONS (VKSKIN_MAX_FRAMES_IN_FLIGHT + 1)

/** Value of VkskinInstanceDef.outputOffset: the library chooses. */
#define VKSKIN_OFFSET_AUTOMATIC UINT64_MAX

/** Handle of a buffer of the host for output. The rules of VkskinMesh apply. */
typedef struct VkskinOutputBuffer {
    uint32_t index;      ///< at least 1
    uint32_t generation; ///< distinguishes objects that reuse an index
} VkskinOutputBuffer;

/** The null output buffer. */
static const VkskinOutputBuffer VKSKIN_NULL_OUTPUT_BUFFER = {0, 0};

/**
 * Describes regions of a VkBuffer of the host. An instance has the same offset in each region, and writes them in turn.
 * Made by vkskinDefaultOutputBufferDef.
 *
 * These are duties of the host, which the library cannot check. The buffer belongs to the context's device, is bound to
 * memory, has exclusive sharing mode, and exists until vkskinRemoveOutputBuffer or vkskinDestroyContext. Its usage has
 * STORAGE_BUFFER (with both backends), the usages of the host's own reads (for example VERTEX_BUFFER), and TRANSFER_DST
 * for meshes with pass-through attributes. With VKSKIN_BACKEND_CPU the host flushes memory that is not HOST_COHERENT,
 * after vkskinCreateInstance, vkskinReplaceMesh and vkskinRecordSkinning.
 *
 * The library writes no byte outside of the outputs of instances. The host may use the other bytes of the regions for
 * anything else if it chooses every outputOffset itself. Barriers and vkskinGetAccesses always cover whole regions.
 * Synchronisation validation tracks whole regions too, and may report a hazard for other data in them.
 */
typedef struct VkskinOutputBufferDef {
    uint32_t cookie;         ///< set by vkskinDefaultOutputBufferDef
    VkBuffer buffer;         ///< not null; may have several output buffers, whose regions do not overlap
    VkDeviceSize bufferSize; ///< bytes of `buffer`, as created
    /** VkskinStats.outputRegions, or one more, which meshes with previousPositions need. */
    uint32_t regionCount;
    VkDeviceSize regionSize; ///< bytes of each region: a multiple of 4 up to maxStorageBufferRange
    /** [regionCount]: bytes from the start of `buffer` to each region, multiples of minStorageBufferOffsetAlignment. If
     * each is also a multiple of a vertex stride, instances can be drawn with vertexOffset from one binding at 0. */
    VkDeviceSize offsets[VKSKIN_MAX_OUTPUT_REGIONS];
    /** Host address of the start of `buffer`, 4-byte aligned, mapped as long as the buffer is used. Needed with
     * VKSKIN_BACKEND_CPU, else ignored. Default null. */
    void *mapped;
    VkDeviceAddress address; ///< address of `buffer`, for VkskinOutput.address; default 0: none
} VkskinOutputBufferDef;

/** @return a def with the defaults that each field states; set buffer, bufferSize, the regions, and perhaps mapped */
VKSKIN_API VkskinOutputBufferDef vkskinDefaultOutputBufferDef(void);

/**
 * Adds a buffer of the host for output. Descriptor sets are written now, and never while the device uses them. The buffer
 * becomes an output page: see vkskinGetOutputPage.
 *
 * @param context  the context
 * @param def      describes the regions; it is copied
 * @param buffer   receives the handle, for VkskinInstanceDef.outputBuffer
 * @retval VKSKIN_ERROR_INVALID_VALUE         regionCount, regionSize, an offset or bufferSize is out of range or not
 *                                            aligned; bufferSize is more than the memory that the buffer requires; a
 *                                            region ends past bufferSize; mapped is not aligned
 * @retval VKSKIN_ERROR_OUTPUT_OVERLAP        two regions overlap, or a region overlaps one of another output buffer
 */
VKSKIN_API VkskinResult vkskinAddOutputBuffer(VkskinContext context, const VkskinOutputBufferDef *def,
                                              VkskinOutputBuffer *buffer);

/**
 * Removes an output buffer that no instance uses. The handle is stale at once. The library then no longer uses the
 * VkBuffer; the host destroys it when its own commands have finished. An instance that was destroyed counts until the
 * slot of the frame in which it was destroyed is begun again.
 *
 * @param context  the context that owns the output buffer
 * @param buffer   the handle
 * @retval VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE  it has instances, or frames in flight may use one that was destroyed; the
 *                                            message says which
 */
VKSKIN_API VkskinResult vkskinRemoveOutputBuffer(VkskinContext context, VkskinOutputBuffer buffer);

/** @} */

/** @defgroup instances Instances
 *  Skinned copies of meshes, each with its own output memory.
 *  @{ */

/** Handle of an instance: a skinned copy of a mesh. The rules of VkskinMesh apply. A character with three meshes is
 * three instances, which may share one palette. */
typedef struct VkskinInstance {
    uint32_t index;      ///< at least 1
    uint32_t generation; ///< distinguishes objects that reuse an index
} VkskinInstance;

/** The null instance. */
static const VkskinInstance VKSKIN_NULL_INSTANCE = {0, 0};

/** Describes an instance. Made by vkskinDefaultInstanceDef. */
typedef struct VkskinInstanceDef {
    uint32_t cookie; ///< set by vkskinDefaultInstanceDef
    VkskinMesh mesh; ///< the mesh; it cannot be destroyed before the instance
    /** VkskinMethodBits: the methods that its commands will use, so that vkskinCreateInstance reports a missing kernel
     * at load time. Default 0: not declared. Ignored by commands. */
    uint32_t methods;
    VkskinOutputBuffer outputBuffer; ///< where its output is; default null: in pages of the library
    /** Bytes from the start of each region of outputBuffer: a multiple of 4, so that the output does not overlap that of
     * another instance. The output takes streamOffsets + strides x vertexCount of the last stream of VkskinMeshInfo, and
     * no byte more. The device no longer uses these bytes for anything else. Default VKSKIN_OFFSET_AUTOMATIC: the library
     * takes free bytes anywhere in the regions, at a multiple of 16; for a mesh with one stream also a multiple of its
     * stride. Then offset / stride is the vertexOffset of a draw that binds the start of the region. */
    VkDeviceSize outputOffset;
} VkskinInstanceDef;

/** @return a def with the defaults that each field states; set mesh */
VKSKIN_API VkskinInstanceDef vkskinDefaultInstanceDef(void);

/**
 * Creates an instance: allocates output memory for all its regions, and a page of device memory if no page has room; or
 * takes a place in an output buffer of the host. An instance has no output until it is skinned for the first time.
 *
 * @param context   the context that owns the instance
 * @param def       describes the instance
 * @param instance  receives the handle
 * @retval VKSKIN_WARNING_PIPELINE_MISSING    a declared method has no kernels for this mesh, in any encoding that it
 *                                            reads. For each such method a message names the fields of the
 *                                            VkskinPipelineDef that creates them. Not with VKSKIN_BACKEND_CPU
 * @retval VKSKIN_ERROR_OUTPUT_OVERLAP        at outputOffset is another instance, or one that was destroyed and that a
 *                                            frame in flight may use
 * @retval VKSKIN_ERROR_OUTPUT_BUFFER_FULL    outputBuffer has no room for it
 * @retval VKSKIN_ERROR_METHOD_DATA_MISSING   the mesh has no blend weights or no centres, and a declared method needs
 *                                            them
 * @retval VKSKIN_ERROR_TOO_MANY_INSTANCES    maxInstances instances exist already
 * @retval VKSKIN_ERROR_MESH_TOO_LARGE        the rounded-up size of its output is more than the device can bind
 * @retval VKSKIN_ERROR_INVALID_VALUE         an unknown declared method, or one other than linear blend for a flat
 *                                            mesh; outputOffset is not a multiple of 4, ends past regionSize, or has
 *                                            no outputBuffer; outputBuffer has too few regions for a mesh with
 *                                            previousPositions
 */
VKSKIN_API VkskinResult vkskinCreateInstance(VkskinContext context, const VkskinInstanceDef *def,
                                             VkskinInstance *instance);

/**
 * Creates instances of a mesh with the defaults of VkskinInstanceDef: as one vkskinCreateInstance for each. On failure
 * none is created.
 *
 * @param context    the context that owns the mesh
 * @param mesh       the mesh
 * @param count      0 or more
 * @param instances  [count]: receives the handles, all null on failure; may be null if count is 0
 * @retval VKSKIN_ERROR_TOO_MANY_INSTANCES    more than maxInstances would exist
 * @retval VKSKIN_ERROR_MESH_TOO_LARGE        the rounded-up size of an output is more than the device can bind
 */
VKSKIN_API VkskinResult vkskinCreateInstances(VkskinContext context, VkskinMesh mesh, uint32_t count,
                                              VkskinInstance *instances);

/**
 * Destroys an instance. The handle is stale at once. A command that was not recorded is dropped. Its memory is reused
 * when the slot of the current frame is begun again. If no frame has begun or the frame is cancelled, the slot of the
 * previous frame counts. If the instance never had a command, its memory is reused at once.
 *
 * @param context   the context that owns the instance
 * @param instance  the handle
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinDestroyInstance(VkskinContext context, VkskinInstance instance);

/** @} */

/** @defgroup frame A frame
 *  Make the calls of a frame in the order of this section, from any threads.
 *  @{ */

/**
 * Begins a frame: frees objects that were destroyed in the previous use of the slot, and reuses its ring regions. Does
 * not wait for the device.
 *
 * The host guarantees two things. All work of the previous use of the slot has finished on the device. The recording of
 * the previous frame was or will be submitted; that frame can no longer be cancelled. Begin a frame after you acquired
 * a swapchain image. If nothing of the frame can then be submitted, call vkskinCancelFrame. Commands that were not
 * recorded are dropped: their instances keep their last output.
 *
 * The slot of the last frame may be begun again. Example: the presentation of the last frame returned
 * VK_ERROR_OUT_OF_DATE_KHR; the host waited until the device was idle, recreated the swapchain, and its frame loop uses the
 * same slot again. Both frames count: VkskinStats.frame, history and timings continue.
 *
 * @param context     the context
 * @param frameIndex  the slot, 0 to framesInFlight - 1: the one after that of the last frame, in cyclic order, or that of
 *                    the last frame. The first frame may use any slot. After vkskinPrepareFrame: the prepared slot. After
 *                    vkskinCancelFrame: the cancelled slot
 * @retval VKSKIN_WARNING_COMMANDS_DROPPED  the frame has begun; unrecorded commands of the previous frame were dropped
 * @retval VKSKIN_ERROR_INVALID_VALUE       frameIndex is not below framesInFlight
 * @retval VKSKIN_ERROR_FRAME_ORDER         frameIndex is another slot. Or another thread is in vkskinRecordSkinning of the
 *                                          CPU backend, which uses the frame's memory
 */
VKSKIN_API VkskinResult vkskinBeginFrame(VkskinContext context, uint32_t frameIndex);

/**
 * Begins to prepare the next frame while another thread still records the current one. From now on, vkskinAllocatePalette,
 * vkskinAllocatePalettes and vkskinSkinInstances belong to the next frame. All other calls belong to the current frame,
 * until vkskinBeginFrame with the same frameIndex makes the prepared frame the current one. A host that prepares and
 * records on one thread does not need this call.
 *
 * Call it when all commands of the current frame are given; they may be recorded later. For the slot, this call is what
 * vkskinBeginFrame is otherwise: the host guarantees that all work of the slot's previous use has finished on the device.
 * vkskinBeginFrame follows when the calls that record the current frame have returned.
 *
 * Objects that are destroyed while a frame is prepared are kept until its slot is used again. vkskinCancelFrame cancels
 * both frames. If commands of the current frame are never recorded, vkskinBeginFrame drops them as always; the prepared
 * frame is as if they had not been given.
 *
 * @param context     the context
 * @param frameIndex  the slot after that of the current frame
 * @retval VKSKIN_ERROR_INVALID_VALUE    frameIndex is not below framesInFlight
 * @retval VKSKIN_ERROR_FRAME_ORDER      frameIndex is not the slot after the current one, a frame is prepared already, or
 *                                       framesInFlight is 1
 */
VKSKIN_API VkskinResult vkskinPrepareFrame(VkskinContext context, uint32_t frameIndex);

/**
 * Cancels the current frame, for example if the swapchain is out of date or the submission failed. Nothing of the frame
 * may have been submitted. Its uploads are pending again, its instances have their previous output, region and history,
 * its palettes are stale, and its scopes measure nothing. Destroyed objects stay destroyed. The next vkskinBeginFrame
 * uses the same slot.
 *
 * If a part of a frame was submitted, do not cancel it: submit the rest, even if it is empty. Reset or free the command
 * buffers of a cancelled frame; never submit them.
 *
 * @param context  the context
 * @retval VKSKIN_ERROR_FRAME_ORDER      another thread is in vkskinRecordSkinning of the CPU backend
 */
VKSKIN_API VkskinResult vkskinCancelFrame(VkskinContext context);

/** A range in this frame's region of the palette ring. Valid until the next vkskinBeginFrame or vkskinCancelFrame;
 * after that it is refused as stale. */
typedef struct VkskinPalette {
    uint64_t serial;                ///< unique to its frame and context; 0 is null
    uint32_t page;                  ///< page of the ring
    uint32_t offset;                ///< bytes from the start of the page
    uint32_t boneCount;             ///< number of entries
    VkskinPaletteEncoding encoding; ///< encoding of each entry
} VkskinPalette;

/**
 * Allocates a palette in this frame's region of the palette ring. Any number of instances may share it.
 *
 * The memory may be written from any thread. Write it before vkskinRecordUploads or vkskinRecordSkinning. With the
 * compute backend and host-coherent memory it is enough to write it before submission. Memory that the library
 * allocates itself is always host-coherent. Entries may have any value, including zero scale; they are not checked.
 *
 * @param context    the context
 * @param encoding   how the bones will be stored
 * @param boneCount  number of entries, at least 1
 * @param palette    receives the palette, for vkskinSkinInstances; zero on failure
 * @param data       receives the address of boneCount entries of vkskinPaletteStride(encoding) bytes, 16-byte aligned;
 *                   null on failure. Write-only, because it may be write-combined memory. Valid until the frame is
 *                   submitted
 * @retval VKSKIN_ERROR_INVALID_VALUE      the encoding is unknown, or boneCount is 0
 * @retval VKSKIN_ERROR_PALETTE_RING_FULL  more bytes in this frame than maxPaletteBytesPerFrame, or without growth than
 *                                         the region has left; or more than the device can read as one palette. The
 *                                         message states the room that is left
 */
VKSKIN_API VkskinResult vkskinAllocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                              VkskinPalette *palette, void **data);

/**
 * Allocates many palettes: the same as one vkskinAllocatePalette for each, in this order, but faster. On failure none is
 * allocated.
 *
 * @param context     the context
 * @param encoding    how the bones of all palettes will be stored
 * @param boneCounts  [count], each at least 1: entries of each palette; null: boneCount for all
 * @param boneCount   entries of every palette, at least 1; ignored if boneCounts is not null
 * @param count       0 or more
 * @param palettes    [count], receives the palettes; all zero on failure; may be null if count is 0
 * @param data        [count], receives the address of each palette, as vkskinAllocatePalette states; all null on failure;
 *                    may be null if count is 0. Palettes mostly follow each other in memory, but may continue in another
 *                    page
 * @return as vkskinAllocatePalette; the message names the palette
 */
VKSKIN_API VkskinResult vkskinAllocatePalettes(VkskinContext context, VkskinPaletteEncoding encoding,
                                               const uint32_t *boneCounts, uint32_t boneCount, uint32_t count,
                                               VkskinPalette *palettes, void **data);

/** Location of a palette on the device. */
typedef struct VkskinPaletteLocation {
    VkBuffer buffer;         ///< a page of the ring, in exclusive sharing mode; the library owns it
    VkDeviceSize bufferSize; ///< bytes of the page, at most maxStorageBufferRange
    VkDeviceSize offset;     ///< bytes from the start of the buffer, a multiple of 16
    VkDeviceSize size;       ///< bytes: VkskinPalette.boneCount entries
    VkDeviceAddress
        address; ///< address of the palette; 0 unless VkskinContextDef.paletteUsage has SHADER_DEVICE_ADDRESS
} VkskinPaletteLocation;

/**
 * Returns where palettes lie on the device, so that shaders of the host can skin with them: vkskin_vertex.glsl reads
 * each encoding. Needs VkskinContextDef.paletteStages. A palette needs no mesh, instance or command for this.
 *
 * The buffer exists until the context is destroyed: VkskinPalette.page of a frame slot always means the same buffer, and
 * a descriptor set for it can be kept. The content is valid in the frame's submissions, after vkskinRecordUploads or
 * vkskinRecordSkinning, which record the copy of staged palettes and its barrier. With VKSKIN_BARRIERS_HOST the host
 * records this barrier, from TRANSFER_WRITE to its own access. Any thread.
 *
 * @param context    the context
 * @param palettes   [count], of the current frame or the one that vkskinPrepareFrame began
 * @param count      0 or more
 * @param locations  [count], receives the locations; all zero on failure
 * @retval VKSKIN_ERROR_INVALID_VALUE     VkskinContextDef.paletteStages is 0; or a palette outside this frame's
 *                                        allocations
 * @retval VKSKIN_ERROR_PALETTE_STALE     a palette of an earlier or cancelled frame or of another context, or zero
 */
VKSKIN_API VkskinResult vkskinGetPaletteLocations(VkskinContext context, const VkskinPalette *palettes, uint32_t count,
                                                  VkskinPaletteLocation *locations);

/** Bits of VkskinSkinCommand.flags. */
typedef enum VkskinSkinFlagBits {
    /** No motion in this frame: previous positions equal the current positions. Set it also if the last frame culled the
     * instance, whose previous positions would be older than that frame. */
    VKSKIN_SKIN_TELEPORT_BIT = 1,
    /** The instance is culled in this frame: it is not skinned and keeps its last output, as without a command. Only
     * instance and flags of the command are read. */
    VKSKIN_SKIN_CULLED_BIT = 2
} VkskinSkinFlagBits;

/** Skins `instance` with `palette` and `method`. Has no default function: set it to zero, then fill it. */
typedef struct VkskinSkinCommand {
    VkskinInstance instance; ///< not yet skinned in this frame
    VkskinPalette
        palette;         ///< palette of this frame and context, with at least the mesh's boneCount; zero without bones
    VkskinMethod method; ///< zero is linear blend; ignored if the mesh has no bones
    uint32_t flags;      ///< VkskinSkinFlagBits; zero: none
    /** [morphWeightCount], finite, any value; the call copies them. Targets beyond the array have weight 0. Kernels
     * process only targets with a non-zero weight. */
    const float *morphWeights;
    uint32_t morphWeightCount; ///< 0 to the mesh's morphTargetCount
    /** A number that the host changes whenever bones, method or morph weights change; 0: always skin. If it equals the
     * poseVersion of the instance's last update, in an earlier frame, the instance is not skinned and keeps its last
     * output. Palette, method and morph weights are then not read and need not be valid. */
    uint64_t poseVersion;
} VkskinSkinCommand;

/**
 * Adds commands to the frame. Instances without a command keep their last output at the same location.
 *
 * Without `results`, one bad command fails the call, and no command is added. With `results`, all good commands are added,
 * each bad one has its error there and is logged, and the call returns VKSKIN_WARNING_COMMANDS_REFUSED. Errors that are
 * not of one command fail the call in both cases: a null context or array, no frame, too many instances or morph weights,
 * no memory.
 *
 * @param context   the context
 * @param commands  [count]; may be null if count is 0
 * @param count     0 or more
 * @param results   [count]: receives VKSKIN_SUCCESS or the error of each command, also if the call fails, as far as it
 *                  came; may be null
 * @retval VKSKIN_WARNING_COMMANDS_REFUSED  `results` has errors; the other commands are added
 * @retval VKSKIN_ERROR_INVALID_VALUE       an unknown method or flag, or a palette outside this frame's allocations
 * @retval VKSKIN_ERROR_PALETTE_STALE       a palette of an earlier or cancelled frame or of another context, or zero
 * @retval VKSKIN_ERROR_PALETTE_ENCODING    an encoding that the method does not read, or that does not suit the mesh's
 *                                          dimensions
 * @retval VKSKIN_ERROR_PALETTE_TOO_SMALL   a palette with fewer bones than the mesh
 * @retval VKSKIN_ERROR_METHOD_DATA_MISSING the mesh has no blend weights or no centres, and the method needs them
 * @retval VKSKIN_ERROR_MORPH_OUT_OF_RANGE  more morph weights than the mesh has targets
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE   a morph weight is NaN or infinite
 * @retval VKSKIN_ERROR_TOO_MANY_MORPHS     more morph weights in this frame than maxMorphWeights
 * @retval VKSKIN_ERROR_PIPELINE_MISSING    no kernel for this method, encoding and mesh was created; the message names
 *                                          the fields of the VkskinPipelineDef that creates it
 * @retval VKSKIN_ERROR_ALREADY_SKINNED     an instance already has a command in this frame, or appears twice
 * @retval VKSKIN_ERROR_TOO_MANY_INSTANCES  more commands in this frame than maxInstances
 * @retval VKSKIN_ERROR_FRAME_ORDER         another thread ended the frame during the call
 */
VKSKIN_API VkskinResult vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                            VkskinResult *results);

/**
 * Skins instances with the matrices of the host: vkskinAllocatePalettes, vkskinWriteMatrices and vkskinSkinInstances in
 * one call, with the default encoding of the method (VKSKIN_PALETTE_MAT2X3 for a flat mesh). For morph weights, other
 * encodings or flags, make the three calls. If matrices[i] equals matrices[i - 1], the two instances share a palette,
 * such as the meshes of one character.
 *
 * On failure no command is added, but palettes of the call may remain allocated until the frame ends. Allocates host
 * memory for more than 64 instances. Also returns the errors of vkskinAllocatePalettes and vkskinSkinInstances.
 *
 * @param context    the context
 * @param method     method of all instances
 * @param instances  [count]; may be null if count is 0
 * @param matrices   [count]: the bones of each instance, at least as many as its mesh has; may be null if count is 0. The
 *                   call copies them
 * @param count      0 or more
 * @retval VKSKIN_WARNING_SCALE_LOST          the encoding cannot represent the scale or shear of a bone; the message
 *                                            names instance and bone
 * @retval VKSKIN_WARNING_DEPTH_LOST          a bone of a flat mesh moves it out of its plane; as above
 * @retval VKSKIN_ERROR_INVALID_VALUE         an unknown method or order, a stride or number of bones out of range
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_FINITE  a matrix is not finite, or too large for the encoding; as above
 * @retval VKSKIN_ERROR_TRANSFORM_NOT_AFFINE  the last row of a column-major matrix is not (0, 0, 0, 1); as above
 */
VKSKIN_API VkskinResult vkskinSkinMatrices(VkskinContext context, VkskinMethod method, const VkskinInstance *instances,
                                           const VkskinMatrices *matrices, uint32_t count);

/**
 * Records the pending mesh uploads. If palettes are staged, also records copies of the palettes that were allocated
 * since the last call. No copy is recorded twice.
 *
 * With VKSKIN_BARRIERS_RECORDED it also records the barriers before the copies (earlier skinning may still read the
 * same pages) and after them. vkskinRecordSkinning then calls this function itself. With VKSKIN_BARRIERS_HOST, if
 * vkskinGetAccesses was called for this pass, the recorded mesh uploads are those that it returned. The only errors of
 * the driver are those of vkFlushMappedMemoryRanges, for memory that is not coherent.
 *
 * @param context        the context
 * @param commandBuffer  outside a render pass
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinRecordUploads(VkskinContext context, VkCommandBuffer commandBuffer);

/**
 * Records the skinning of all commands added since the last call: one dispatch for each kernel and each combination of
 * pages and region, for any number of instances. Allocates no memory and creates no pipeline.
 *
 * With VKSKIN_BARRIERS_RECORDED and one queue family it also records these barriers:
 * - before, if outputRegions is less than framesInFlight: [consumerStages and COMPUTE_SHADER, SHADER_WRITE ->
 *   COMPUTE_SHADER, SHADER_WRITE]
 * - after: [COMPUTE_SHADER, SHADER_WRITE -> consumerStages, consumerAccess] on the written regions of the pages
 *
 * On failure no skinning is recorded, and the next call records the commands. Uploads may already have been recorded,
 * so submit the command buffer in any case. With the CPU backend, the next call repeats a flush that failed.
 *
 * @param context        the context
 * @param commandBuffer  outside a render pass
 * @retval VKSKIN_ERROR_INVALID_VALUE         commands after vkskinRecordRelease or vkskinRecordAcquire of this frame;
 *                                            nothing is recorded
 * @retval VKSKIN_ERROR_UPLOADS_PENDING       with VKSKIN_BARRIERS_HOST: the mesh or palette of a command still needs
 *                                            vkskinRecordUploads
 */
VKSKIN_API VkskinResult vkskinRecordSkinning(VkskinContext context, VkCommandBuffer commandBuffer);

/**
 * Releases ownership of the output that this frame wrote, from computeQueueFamily to graphicsQueueFamily. Call it once
 * per frame, after the last vkskinRecordSkinning. The graphics queue need not return ownership, because the old content
 * of a region is not needed when it is written again. With one family it records nothing, but returns the same errors,
 * so that a host finds its mistakes on any device.
 *
 * @param context        the context
 * @param commandBuffer  outside a render pass
 * @retval VKSKIN_ERROR_INVALID_VALUE    a second call in this frame
 */
VKSKIN_API VkskinResult vkskinRecordRelease(VkskinContext context, VkCommandBuffer commandBuffer);

/**
 * Acquires ownership of the output on graphicsQueueFamily; the second half of vkskinRecordRelease. Call it once per
 * frame, after the last vkskinRecordSkinning and before the reads. It applies to the frame that was begun last. So call
 * it before the next vkskinBeginFrame, even if you record the drawing later. With one family it records nothing.
 *
 * @param context        the context
 * @param commandBuffer  for graphicsQueueFamily, outside a render pass. Its submission must wait for a semaphore of the
 *                       release, with a stage mask that covers consumerStages
 * @retval VKSKIN_ERROR_INVALID_VALUE    a second call in this frame
 */
VKSKIN_API VkskinResult vkskinRecordAcquire(VkskinContext context, VkCommandBuffer commandBuffer);

/** @} */

/** @defgroup output Output
 *  Location of skinned vertices, and how pipelines read them.
 *  @{ */

/** Location of the vertices of an instance. All streams are in `buffer`. VkskinMeshInfo.layout states where attributes
 * are in a stream; the fields below repeat this for positions and normals. */
typedef struct VkskinOutput {
    VkBuffer buffer;      ///< an output page, valid until the context is destroyed; or an output buffer of the host
    uint32_t page;        ///< index of `buffer` among the output pages; instances of one page can share a draw call
    uint32_t vertexCount; ///< vertices of the mesh
    /** Start of the first stream, a multiple of 16, or of 4 where the host chose outputOffset. Stream i begins VkskinMeshInfo.streamOffsets[i] bytes later. */
    VkDeviceSize offset;
    /** The position of the first vertex: a float3, usable for a BLAS. In a flat mesh a float2. */
    VkDeviceSize positionOffset;
    uint32_t positionStride; ///< bytes; without a layout in the mesh def 12, or 8 in a flat mesh
    /** The normal of the first vertex; without normals equal to `offset`. Without a layout in the mesh def it is a
     * multiple of 16, and the tangent follows it. */
    VkDeviceSize attributeOffset;
    uint32_t attributeStride; ///< bytes: 0 without normals; without a layout 12 or 28 as floats, else 4 or 8
    /** Positions of the previous frame, with positionStride. Equals positionOffset on the first update of an instance,
     * after a teleport, in a frame without an update, and always for meshes without previousPositions. */
    VkDeviceSize previousPositionOffset;
    /** Device address of `offset`; add VkskinMeshInfo.streamOffsets for other streams. 0 unless
     * VkskinContextDef.outputUsage has SHADER_DEVICE_ADDRESS; in an output buffer of the host 0 unless its def has an
     * address. */
    VkDeviceAddress address;
} VkskinOutput;

/**
 * Returns the location of the output in this frame. Call it after vkskinSkinInstances, each frame. The content is valid
 * after the commands that vkskinRecordSkinning records have run on the device.
 *
 * @param context   the context that owns the instance
 * @param instance  the handle
 * @param output    receives the location, valid in this frame
 * @retval VKSKIN_ERROR_NOT_SKINNED    it never had a command, or its only command was dropped or cancelled
 */
VKSKIN_API VkskinResult vkskinGetOutput(VkskinContext context, VkskinInstance instance, VkskinOutput *output);

/**
 * Returns the locations of many outputs in this frame, like vkskinGetOutput in less time.
 *
 * @param context    the context that owns the instances
 * @param instances  [count]; may be null if count is 0
 * @param count      0 or more
 * @param outputs    [count]: receives the locations, in the same order, valid in this frame. After an error those of the
 *                   instances before the refused one are written
 * @retval VKSKIN_ERROR_NOT_SKINNED    an instance has no output, see vkskinGetOutput
 */
VKSKIN_API VkskinResult vkskinGetOutputs(VkskinContext context, const VkskinInstance *instances, uint32_t count,
                                         VkskinOutput *outputs);

/**
 * Returns the number of output pages, for descriptors of storage buffers. vkskinCreateInstance may add a page, and
 * vkskinAddOutputBuffer does. Pages exist until the context is destroyed. The number counts output buffers that were
 * removed, until vkskinAddOutputBuffer uses their index again.
 *
 * @param context  may be null
 * @return the number; 0 for null
 */
VKSKIN_API uint32_t vkskinGetOutputPageCount(VkskinContext context);

/** An output page: a buffer of the library, or one of the host. */
typedef struct VkskinOutputPage {
    VkBuffer buffer;   ///< a library buffer is valid until the context is destroyed. Null: a removed output buffer
    VkDeviceSize size; ///< bytes of `buffer`; bufferSize of an output buffer. 0 if it is removed
} VkskinOutputPage;

/**
 * Describes an output page.
 *
 * @param context  the context
 * @param page     below vkskinGetOutputPageCount
 * @param info     receives the description
 * @retval VKSKIN_ERROR_INVALID_VALUE  page is not below vkskinGetOutputPageCount
 */
VKSKIN_API VkskinResult vkskinGetOutputPage(VkskinContext context, uint32_t page, VkskinOutputPage *info);

/** Maximum number of attributes of VkskinVertexInput. */
#define VKSKIN_MAX_VERTEX_ATTRIBUTES (3 + VKSKIN_MAX_PASS_THROUGH)

/**
 * Vertex input for an instance that is drawn with vertex buffers. Bind VkskinOutput.buffer to binding `firstBinding` + i
 * for stream i, at VkskinOutput.offset + VkskinMeshInfo.streamOffsets[i]; draw with vertexOffset 0. Without a layout
 * these two offsets are positionOffset and attributeOffset. Locations count up from firstLocation: position
 * (R32G32B32_SFLOAT, or R32G32B32A32_SFLOAT with positionW), normal, tangent, pass-through attributes. Packed normals and tangents are R32_UINT;
 * vkskin.glsl unpacks them. With VKSKIN_VERTEX_SNORM10 they are A2B10G10R10_SNORM_PACK32: devices need not read that
 * format as a vertex buffer, see VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT. Not for flat meshes, whose positions are R32G32_SFLOAT.
 */
typedef struct VkskinVertexInput {
    uint32_t bindingCount; ///< one per stream; without a layout 1, or 2 with normals
    VkVertexInputBindingDescription bindings[VKSKIN_MAX_OUTPUT_STREAMS];        ///< the first bindingCount
    uint32_t attributeCount;                                                    ///< at least 1
    VkVertexInputAttributeDescription attributes[VKSKIN_MAX_VERTEX_ATTRIBUTES]; ///< the first attributeCount
} VkskinVertexInput;

/**
 * Describes the vertex input of a mesh. Any thread. Results are returned and not logged.
 *
 * @param format         vertex format of the mesh
 * @param normals        true if the mesh has normals
 * @param tangents       true if the mesh has tangents; requires normals
 * @param layout         layout of the output, checked as by vkskinCreateMesh; null: without a layout
 * @param firstBinding   binding of the first stream; the others follow
 * @param firstLocation  location of the positions
 * @param input          receives the description
 * @retval VKSKIN_ERROR_INVALID_VALUE  an unknown format, tangents without normals, or a layout that vkskinCreateMesh
 *                                     would refuse
 */
VKSKIN_API VkskinResult vkskinGetVertexInput(VkskinVertexFormat format, bool normals, bool tangents,
                                             const VkskinOutputLayout *layout, uint32_t firstBinding,
                                             uint32_t firstLocation, VkskinVertexInput *input);

/** @} */

/** @defgroup accesses Hosts that own the barriers
 *  The buffer ranges that each pass of the library accesses, for render graphs (VKSKIN_BARRIERS_HOST).
 *  @{ */

/** The library's passes. */
typedef enum VkskinPass {
    VKSKIN_PASS_UPLOAD = 0,   ///< the next vkskinRecordUploads
    VKSKIN_PASS_SKINNING = 1, ///< a call of vkskinRecordSkinning at this point
    VKSKIN_PASS_CROWDS = 2    ///< vkskinRecordCrowd of all crowds that are not recorded in this frame
} VkskinPass;

/** The access of a pass to a range of a buffer. */
typedef struct VkskinAccess {
    VkBuffer buffer;             ///< valid until the context is destroyed, or an output buffer of the host
    VkDeviceSize offset;         ///< bytes; the range is a whole region if the pass may access any part of it
    VkDeviceSize size;           ///< bytes, not 0
    VkPipelineStageFlags stages; ///< for example TRANSFER or COMPUTE_SHADER; later versions may return others
    VkAccessFlags access;        ///< for example TRANSFER_WRITE or SHADER_READ; later versions may return others
} VkskinAccess;

/**
 * Returns the accesses of a pass to buffers that another pass or the host also accesses. Call it after you created the
 * frame's meshes, allocated its palettes and added its commands, and before you record the pass. Palettes and commands
 * that are added later are not in the result; the host must order them itself.
 *
 * With VKSKIN_BARRIERS_HOST other threads may create meshes at any time. The first call for VKSKIN_PASS_UPLOAD fixes
 * the uploads that the next vkskinRecordUploads records, and further calls return the same uploads. Meshes created
 * later wait for the vkskinRecordUploads after that.
 *
 * @param context   the context
 * @param pass      the pass
 * @param accesses  [*count]; null: only the number is returned
 * @param count     in: the size of `accesses`, ignored if `accesses` is null; out: the number of written elements, or
 *                  the number of accesses if `accesses` is null
 * @retval VKSKIN_WARNING_INCOMPLETE     the array is too small; the first elements are written
 * @retval VKSKIN_ERROR_INVALID_VALUE    an unknown pass
 */
VKSKIN_API VkskinResult vkskinGetAccesses(VkskinContext context, VkskinPass pass, VkskinAccess *accesses,
                                          uint32_t *count);

/** @} */

/**
 * @defgroup measuring Measuring
 * Named timing scopes, measured on the device. The library itself records the scopes "upload" and "skinning" if
 * maxTimingScopes has room for them. The host can measure its own passes too.
 *
 * @unstable The whole group, because it depends on the timestamps of one queue family.
 * @{
 */

/** Maximum bytes of the name of a scope, including the terminating zero. */
#define VKSKIN_SCOPE_NAME_BYTES 32

/** Whether scopes measure anything. */
typedef enum VkskinTimestampSupport {
    VKSKIN_TIMESTAMPS_NONE = 0,     ///< no: the queue family has no timestamps, or maxTimingScopes is 0
    VKSKIN_TIMESTAMPS_SUPPORTED = 1 ///< yes
} VkskinTimestampSupport;

/**
 * Begins a timing scope in this frame. Scopes may overlap. Submit command buffers in the order in which their scopes
 * begin.
 *
 * @param context        the context
 * @param commandBuffer  for the first scope of a frame: outside a render pass, because it resets queries
 * @param name           copied; only the first VKSKIN_SCOPE_NAME_BYTES - 1 bytes count
 * @retval VKSKIN_ERROR_TOO_MANY_SCOPES  maxTimingScopes scopes were begun in this frame, including the library's own
 */
VKSKIN_API VkskinResult vkskinBeginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name);

/**
 * Ends the latest open scope of this frame with this name. A scope that began in the same command buffer is preferred,
 * so several threads may measure under the same name.
 *
 * @param context        the context
 * @param commandBuffer  may differ from the one in which the scope began
 * @param name           as in vkskinBeginScope
 * @retval VKSKIN_ERROR_INVALID_VALUE    no open scope with this name; not logged if timestamps are not supported
 */
VKSKIN_API VkskinResult vkskinEndScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name);

/** Time of the scopes with one name in a frame. */
typedef struct VkskinTiming {
    char name[VKSKIN_SCOPE_NAME_BYTES]; ///< as passed to vkskinBeginScope, truncated to this size
    double milliseconds;                ///< summed over the scopes of this name in that frame
} VkskinTiming;

/**
 * Returns the timings of the latest frame with known results. That is the frame framesInFlight frames ago, which had
 * finished at the last vkskinBeginFrame; cancelled frames do not count. If that frame had no scopes, the timings of an
 * earlier frame are returned. If it was recorded but neither submitted nor cancelled, the timings are those of an
 * earlier frame or undefined. Does not wait for the device. Exception: lavapipe's vkGetQueryPoolResults waits until the
 * device is idle. After an error of the driver the next call tries again.
 *
 * @param context  the context
 * @param timings  [*count]; null: only the number is returned
 * @param count    in: the size of `timings`, ignored if `timings` is null; out: the number of written elements, or the
 *                 number of timings if `timings` is null; at most 64
 * @param frame    receives the number of the frame: 1 is the first one, 0 means no results yet; may be null
 * @param support  receives whether scopes measure anything; may be null
 * @retval VKSKIN_WARNING_INCOMPLETE          the array is too small; the first elements are written, all else in full
 */
VKSKIN_API VkskinResult vkskinGetTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                                         VkskinTimestampSupport *support);

/** @} */

/** @defgroup stats Counters
 *  Counters of a context and of its current frame.
 *  @{ */

/**
 * Counters of a context. Each frame begins with zero. While a frame is prepared, the counters are those of the current
 * frame.
 *
 * @unstable The fields depend on the implementation.
 */
typedef struct VkskinStats {
    uint64_t frame;              ///< number of the current frame: counts frames that were begun or prepared
    VkskinBackend backend;       ///< VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU
    uint32_t instancesSkinned;   ///< instances that vkskinRecordSkinning skinned in this frame
    uint32_t instancesCulled;    ///< commands of this frame skipped because of VKSKIN_SKIN_CULLED_BIT
    uint32_t instancesUnchanged; ///< commands of this frame skipped because of an equal poseVersion
    uint64_t verticesSkinned;    ///< vertices of the skinned instances in this frame
    uint64_t outputBytes;        ///< bytes of output written in this frame
    uint64_t paletteBytes;       ///< bytes of palettes allocated in this frame, each a multiple of 16
    uint32_t morphWeights;       ///< used places of VkskinMemoryDef.maxMorphWeights in this frame
    uint32_t dispatches;         ///< dispatches recorded in this frame
    uint32_t meshes;             ///< existing meshes
    uint32_t instances;          ///< existing instances
    uint32_t meshPages;          ///< buffers that hold meshes
    uint32_t palettePages;       ///< buffers that hold palettes, of all frames in flight
    uint32_t outputPages;        ///< buffers that hold output, those of the host too
    uint32_t outputRegions;      ///< regions of an output; a mesh with previousPositions has one more
    uint64_t deviceBytes;        ///< bytes of all buffers of the context, without those of the host
} VkskinStats;

/**
 * Returns the current counters.
 *
 * @param context  the context
 * @param stats    receives the counters
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinGetStats(VkskinContext context, VkskinStats *stats);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
