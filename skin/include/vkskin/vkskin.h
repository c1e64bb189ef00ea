/**
 * @file
 * The GPU side: meshes and palettes in, skinned vertex buffers out, in one compute pass per frame.
 *
 * The library never submits, waits for the device, owns a queue, starts a thread, opens a file or has a global. It
 * records into command buffers of the host, and links to no Vulkan symbol. It needs Vulkan 1.1 and no optional feature.
 *
 * The calls of a frame, in order:
 *
 *     vkskinBeginFrame         the frame slot's last use has finished: its ring regions may be written again
 *     vkskinAllocatePalette    room in this frame's region of the palette ring; write the bones there
 *     vkskinSkinInstances      which instance takes which palette
 *     vkskinRecordSkinning     uploads, barriers and a few dispatches, outside a render pass
 *     vkskinGetOutput          where an instance's vertices lie in this frame
 *
 * Threads. Every call may be made from any thread, several at once, except vkskinDestroyContext, which must be the only
 * and last call. Calls hold the context's lock only briefly: vkskinCreateMesh checks and packs, vkskinCreatePipelines
 * compiles, and the CPU backend skins outside the lock. Each call is atomic. The host orders the calls of a frame, and
 * records into a command buffer from one thread at a time. Mapped palette memory may be written from any thread.
 * Contexts are independent, even on the same device. docs/threads.md describes each call.
 *
 * Recording changes this state of a command buffer: the bound compute pipeline, compute descriptor sets 0 to 3, and the
 * push constants of the compute stage. Graphics state does not change.
 *
 * The rules of vkskin_base.h apply, and for each call that takes a context:
 * - A null context is VKSKIN_ERROR_NULL_ARGUMENT; nothing is logged.
 * - A command buffer is in the recording state, belongs to the context's device and to computeQueueFamily
 *   (vkskinRecordAcquire: graphicsQueueFamily). Submit it once, in the order of frames, before its frame slot is begun
 *   again. If nothing of a frame will be submitted, call vkskinCancelFrame.
 * - A call that fails may have allocated a page of device memory, which later calls use.
 * - A handle that was destroyed or belongs to another context is refused with VKSKIN_ERROR_STALE_HANDLE.
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
 * The functions of the instance that the library calls, as X(name without vk).
 *
 * @unstable A minor version may call more of Vulkan 1.1. Fill a table by these lists, or leave the rest to be resolved.
 */
#define VKSKIN_INSTANCE_FUNCTIONS(X)                                                                                   \
    X(GetPhysicalDeviceProperties)                                                                                     \
    X(GetPhysicalDeviceMemoryProperties)                                                                               \
    X(GetPhysicalDeviceQueueFamilyProperties)

/**
 * The functions of the device that the library calls.
 *
 * @unstable As VKSKIN_INSTANCE_FUNCTIONS.
 */
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
    X(CmdCopyBuffer)                                                                                                   \
    X(CmdPipelineBarrier)

/**
 * Resolved only where VkskinContextDef.debugUtils is set; VK_EXT_debug_utils must be enabled on the instance then.
 *
 * @unstable As VKSKIN_INSTANCE_FUNCTIONS.
 */
#define VKSKIN_DEBUG_FUNCTIONS(X)                                                                                      \
    X(SetDebugUtilsObjectNameEXT)                                                                                      \
    X(CmdBeginDebugUtilsLabelEXT)                                                                                      \
    X(CmdEndDebugUtilsLabelEXT)

/**
 * A table of the functions above: members vkCreateBuffer and so on, one for each entry of #VKSKIN_INSTANCE_FUNCTIONS,
 * #VKSKIN_DEVICE_FUNCTIONS and #VKSKIN_DEBUG_FUNCTIONS. Has no default function: set it to zero, then fill it. Entries
 * left null are resolved by the library.
 */
typedef struct VkskinVulkanFunctions {
#define VKSKIN_FUNCTION_MEMBER(name) PFN_vk##name vk##name;
    VKSKIN_INSTANCE_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
    VKSKIN_DEVICE_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
    VKSKIN_DEBUG_FUNCTIONS(VKSKIN_FUNCTION_MEMBER)
#undef VKSKIN_FUNCTION_MEMBER
} VkskinVulkanFunctions;

/** @} */

/** @defgroup memory Device memory
 *  For hosts with their own allocator. Without one the library allocates memory for each of its few buffers.
 *  @{ */

/** Use of a buffer, from which the host's allocator chooses a memory type. */
typedef enum VkskinMemoryUse {
    /** Used only by the device: DEVICE_LOCAL. */
    VKSKIN_MEMORY_DEVICE = 0,
    /** Written by the host each frame, read by the device once: HOST_VISIBLE, DEVICE_LOCAL too where there is such a
     * type; `mapped` must be set. Where it is not HOST_COHERENT, palettes must be written before they are recorded; the
     * library's own choice is always coherent. */
    VKSKIN_MEMORY_DYNAMIC = 1,
    /** Written by the host, copied from: HOST_VISIBLE; `mapped` must be set. Staged palettes too, and what is said of
     * coherence above holds for them. */
    VKSKIN_MEMORY_STAGING = 2
} VkskinMemoryUse;

/** What memory is wanted for. Lives for the call. */
typedef struct VkskinMemoryRequest {
    VkBuffer buffer;                   ///< not bound yet; the library binds it
    VkMemoryRequirements requirements; ///< of `buffer`
    VkskinMemoryUse use;               ///< what the memory must be able to
    VkBufferUsageFlags usage;          ///< of `buffer`: SHADER_DEVICE_ADDRESS asks for memory that allows addresses
    const char *name;                  ///< for debuggers and messages: "palettes", for example; never null
} VkskinMemoryRequest;

/** A piece of device memory that backs one buffer. */
typedef struct VkskinMemoryBlock {
    VkDeviceMemory memory; ///< the allocation
    VkDeviceSize offset;   ///< from the start of `memory`, aligned as the requirements ask; where the memory is
                           ///< mapped and not coherent, also to nonCoherentAtomSize
    VkDeviceSize size;     ///< at least the requirements'; where the memory is mapped and not coherent, a multiple of
                           ///< nonCoherentAtomSize
    uint32_t memoryTypeIndex; ///< from which the library decides whether writes must be flushed
    void *mapped;             ///< host address of `offset`, 16-byte aligned, or null when the use needs none
    void *userData;           ///< the host's own
} VkskinMemoryBlock;

/**
 * The host's device memory allocator, such as its VMA. Called on the thread of the call that needs it, which is
 * vkskinCreateContext, vkskinCreateMesh, vkskinCreateInstance, vkskinBeginFrame or vkskinDestroyContext, never a call
 * that records; one at a time for one context, under its lock. It returns (no exception, no longjmp), does
 * not call back into the same context, and does not wait for a lock that another thread holds while calling into it. Has no
 * default function: set it to zero, then fill it.
 */
typedef struct VkskinMemoryCallbacks {
    /** Backs `request->buffer`: fills *block (all zero when it comes) and returns VK_SUCCESS, or an error, which the
     * library maps to its own, and then nothing is freed. A block that cannot back the buffer (null, of another type
     * than the requirements allow, too small, not aligned, or not mapped as VkskinMemoryBlock says where the use asks
     * for it) is given to `free`, and the call fails by VKSKIN_ERROR_INVALID_VALUE. Mapped memory stays mapped until
     * `free`. */
    VkResult (*allocate)(void *user, const VkskinMemoryRequest *request, VkskinMemoryBlock *block);
    /** Takes a block as `allocate` filled it, after its buffer was destroyed. */
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
    /** The library orders its writes with the host's reads. On one queue the host adds no barrier. */
    VKSKIN_BARRIERS_RECORDED = 0,
    /** The host's render graph records them: see vkskinGetAccesses. Call vkskinRecordUploads before
     * vkskinRecordSkinning. */
    VKSKIN_BARRIERS_HOST = 1
} VkskinBarriers;

/** The processor that skins. */
typedef enum VkskinBackend {
    /** Kernels on the device. */
    VKSKIN_BACKEND_COMPUTE = 0,
    /**
     * The CPU: vkskinRecordSkinning skins into mapped output memory. All calls are the same. Output is complete before
     * the frame is submitted. Meshes, palettes and weights are in host memory; write palettes before
     * vkskinRecordSkinning, which reads them. No kernel is needed. outputRegions is framesInFlight, at least 2. Nothing
     * is recorded, no barrier or ownership transfer is needed, and vkskinGetAccesses returns none. The scope "skinning"
     * does not exist. Results are those of the kernels within floating-point rounding.
     */
    VKSKIN_BACKEND_CPU = 1,
    /** The CPU on devices that are CPUs (VK_PHYSICAL_DEVICE_TYPE_CPU), else compute. */
    VKSKIN_BACKEND_AUTOMATIC = 2
} VkskinBackend;

/** Where palettes are written. */
typedef enum VkskinPaletteMemory {
    /** Device-local and host-visible memory written in place where the device has it, else staged. */
    VKSKIN_PALETTE_MEMORY_AUTO = 0,
    /** Written to host memory, then copied once on the device. */
    VKSKIN_PALETTE_MEMORY_STAGED = 1
} VkskinPaletteMemory;

/** How kernels read palettes whose entries are whole float4: all but the half, snorm16 and 2x3 encodings. */
typedef enum VkskinPaletteBinding {
    /** By the tuning, else by the type of device: texels where it is a CPU, a storage buffer elsewhere. */
    VKSKIN_PALETTE_BINDING_AUTO = 0,
    /** As a storage buffer. */
    VKSKIN_PALETTE_BINDING_STORAGE = 1,
    /** As a texel buffer of R32G32B32A32_SFLOAT. A page of palettes is then no larger than maxTexelBufferElements
     * allows, at 16 bytes each: 1 MiB where that is the specification's least, 65,536; nor is any palette. */
    VKSKIN_PALETTE_BINDING_TEXELS = 2
} VkskinPaletteBinding;

/**
 * Settings for a device, found by vkskinTune or set by hand. Plain data without pointers: it may be stored. Refused for
 * another device, driver or version of the library.
 *
 * @unstable The fields depend on the kernels of this version.
 */
typedef struct VkskinTuning {
    uint32_t version;              ///< of the library: vkskinVersion()
    uint32_t vendorID;             ///< VkPhysicalDeviceProperties.vendorID
    uint32_t deviceID;             ///< VkPhysicalDeviceProperties.deviceID
    uint32_t driverVersion;        ///< VkPhysicalDeviceProperties.driverVersion
    uint8_t pipelineCacheUUID[16]; ///< VkPhysicalDeviceProperties.pipelineCacheUUID
    uint32_t paletteBinding;       ///< VKSKIN_PALETTE_BINDING_STORAGE or VKSKIN_PALETTE_BINDING_TEXELS
    uint32_t instancesPerThread;   ///< 1 to 64: instances that a thread skins its vertex for
    uint32_t workgroupSize;        ///< 32 to the device's limit, a multiple of 32
} VkskinTuning;

/** Maximum of VkskinContextDef.framesInFlight. */
#define VKSKIN_MAX_FRAMES_IN_FLIGHT 8

/** Describes a context. Made by vkskinDefaultContextDef. */
typedef struct VkskinContextDef {
    uint32_t cookie; ///< set by vkskinDefaultContextDef

    VkInstance instance;                           ///< of Vulkan 1.1 up; lives until vkskinDestroyContext
    VkPhysicalDevice physicalDevice;               ///< of `instance`
    VkDevice device;                               ///< of `physicalDevice`; lives until vkskinDestroyContext
    PFN_vkGetInstanceProcAddr getInstanceProcAddr; ///< may be null where `functions` has every instance function
    PFN_vkGetDeviceProcAddr getDeviceProcAddr;     ///< may be null where `functions` has every device function
    const VkskinVulkanFunctions *functions;        ///< null: all resolved. The table is copied.
    /** For the driver and for the library's own host memory; null: the driver's default, and malloc. The struct is copied.
     * Called on the thread of the call, on several at once if several calls run, sometimes with the context's lock
     * held. It returns (no exception, no longjmp), does not call back into the context, and does not wait for a lock that
     * another thread holds while it calls into the context. */
    const VkAllocationCallbacks *allocator;
    const VkskinMemoryCallbacks *memory; ///< null: vkAllocateMemory, one allocation a buffer. The struct is copied.
    VkskinLogger logger;                 ///< default none
    /** Name every object, label every pass; VK_EXT_debug_utils is enabled. Default false. A name that the driver
     * refuses is logged and changes no result. */
    bool debugUtils;

    /** The queue family index that skinning is recorded for, one with COMPUTE; default 0. */
    uint32_t computeQueueFamily;
    /** The one that its output is consumed on; default VK_QUEUE_FAMILY_IGNORED: the same as computeQueueFamily. Where
     * the two differ, vkskinRecordRelease and vkskinRecordAcquire pass ownership on, and outputRegions must be
     * framesInFlight. */
    uint32_t graphicsQueueFamily;

    VkskinBackend backend; ///< default VKSKIN_BACKEND_COMPUTE
    /** How the CPU backend runs; default all zero. `parallel` is called by vkskinRecordSkinning without the context's
     * lock: it and other threads may call into the context meanwhile. A second vkskinRecordSkinning waits for the
     * first. */
    VkskinCpuRun cpu;

    /** Frames in flight: 1 to VKSKIN_MAX_FRAMES_IN_FLIGHT; default 2. */
    uint32_t framesInFlight;
    /** Number of output regions that an instance rotates through: 1 to framesInFlight; default 1. With fewer regions
     * than frames in flight a barrier makes skinning wait for the reads of the previous frame; submit it to the
     * drawing queue then. With framesInFlight regions skinning never waits, as async compute needs. A page
     * stores its regions one after the other; each is bound on its own. Instances that are updated every frame write
     * the same region of all pages. Synchronisation validation tracks whole regions: it may report an instance that
     * was skipped in a frame, although none of its bytes is accessed. */
    uint32_t outputRegions;
    VkskinBarriers barriers;             ///< default VKSKIN_BARRIERS_RECORDED
    VkskinPaletteMemory paletteMemory;   ///< default VKSKIN_PALETTE_MEMORY_AUTO
    VkskinPaletteBinding paletteBinding; ///< default VKSKIN_PALETTE_BINDING_AUTO
    const VkskinTuning *tuning; ///< of this device, driver and version; null (the default): by the type of device

    /** Size of one pooled buffer for meshes, palettes or output: 64 KiB up; default 32 MiB; lowered to the device's
     * maxStorageBufferRange. What does not fit a page gets a page of its own size where the device can bind that. */
    VkDeviceSize pageSize;
    /** Bytes of palette in one frame: 48 to 1 TiB; default 4 MiB. Taken framesInFlight times, in pages. No palette
     * straddles two pages, so leave room for one palette a page. 16 to 64 bytes a bone, each palette aligned to 16. */
    VkDeviceSize paletteBytesPerFrame;
    /** Instances alive at once, and skinned in one frame: 1 to 16,777,216; default 4096. Each takes some 220 bytes of
     * host memory, each of the most that ever lived at once 90 to 180 more (their tables double and never shrink), and
     * 92 bytes a frame in flight in a buffer that the device must be able to bind as one. */
    uint32_t maxInstances;

    /** Usage of the output buffers; STORAGE_BUFFER is always added. Default VERTEX_BUFFER; add
     * ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY and SHADER_DEVICE_ADDRESS for ray tracing (the host enabled
     * bufferDeviceAddress then), TRANSFER_SRC for readback. */
    VkBufferUsageFlags outputUsage;
    /** Stages that read the output, not 0: the scope of the recorded barriers. Default VERTEX_INPUT | VERTEX_SHADER. */
    VkPipelineStageFlags consumerStages;
    /** How they read it. Default VERTEX_ATTRIBUTE_READ | SHADER_READ. */
    VkAccessFlags consumerAccess;

    uint32_t maxTimingScopes; ///< named timing scopes a frame, 0 to 64; default 8. 0 makes no query pool.

    /** Room for morph weights in one frame: each that is not zero takes one place, and each command that has any, one
     * more. 0 to 16,777,216; default 16,384. A place takes 8 bytes a frame in flight, in the job table's buffer. */
    uint32_t maxMorphWeights;
} VkskinContextDef;

/**
 * Returns a def with default values. Any thread.
 *
 * @return the defaults that each field states; set instance, physicalDevice, device and the resolvers
 */
VKSKIN_API VkskinContextDef vkskinDefaultContextDef(void);

/**
 * Creates a context: resolves functions, reads limits, creates the palette ring. Any thread; several contexts may be
 * created at once, also on one device.
 *
 * @param def      what it is made of
 * @param context  receives it; the caller destroys it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT        def, context, one of the three Vulkan handles, a function of `memory`, one
 *                                           of the first three of `allocator`, or one of its two notifications alone is
 *                                           null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED  the def was not made by vkskinDefaultContextDef
 * @retval VKSKIN_ERROR_INVALID_VALUE        a field is out of its range; a queue family that the device does not have;
 *                                           a level of instructions that the CPU does not have; two families with fewer
 *                                           outputRegions than framesInFlight; a block of the memory callbacks that
 *                                           cannot back its buffer
 * @retval VKSKIN_ERROR_MISSING_FUNCTION     neither the table nor a resolver has a function
 * @retval VKSKIN_ERROR_UNSUPPORTED_DEVICE   below Vulkan 1.1, computeQueueFamily cannot compute, or maxInstances takes
 *                                           a buffer that it cannot bind
 * @retval VKSKIN_ERROR_TUNING_MISMATCH      the tuning is of another device, driver or version, or was changed
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY   no host memory, in the library or the driver
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  no room for the ring or the job tables
 * @retval VKSKIN_ERROR_DEVICE_LOST          reported by the driver
 * @retval VKSKIN_ERROR_VULKAN               any other error of the driver or of the memory callbacks
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

/** Bits of VkskinPipelineDef.features: what meshes may have that takes kernels of its own. */
typedef enum VkskinKernelFeatureBits {
    VKSKIN_KERNEL_EXACT_NORMALS_BIT = 1, ///< VKSKIN_NORMALS_EXACT
    /** Commands with a morph weight that is not zero; and, whatever the methods, meshes without bones. */
    VKSKIN_KERNEL_MORPHS_BIT = 2
} VkskinKernelFeatureBits;

/** Handle of a mesh, passed by value. Zero is null. A handle of a destroyed mesh is refused as stale. */
typedef struct VkskinMesh {
    uint32_t index;      ///< 1 up
    uint32_t generation; ///< distinguishes objects that reuse an index
} VkskinMesh;

/**
 * Describes the kernels to create: all pairs of one of the methods and one of the encodings that it reads, either for
 * given meshes or for all given formats and features. Made by vkskinDefaultPipelineDef.
 */
typedef struct VkskinPipelineDef {
    uint32_t cookie;       ///< set by vkskinDefaultPipelineDef
    VkPipelineCache cache; ///< default null; not EXTERNALLY_SYNCHRONIZED where other threads use it meanwhile
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
    /** Instances that a thread skins its vertex for, 1 to 64; default 0: from the tuning, else by device type.
     * @unstable As VkskinTuning. */
    uint32_t instancesPerThread;
    /** Invocations per workgroup, a multiple of 32 up to the device limit; default 0: from the tuning, else 64.
     * @unstable As VkskinTuning. */
    uint32_t workgroupSize;
} VkskinPipelineDef;

/**
 * Returns a def with default values. Any thread.
 *
 * @return the defaults that each field states; all are usable
 */
VKSKIN_API VkskinPipelineDef vkskinDefaultPipelineDef(void);

/**
 * Creates the kernels that the def describes and that do not exist yet. Without `meshes` these are one for each
 * influence count 1 to 4, one for more, for each set of attributes, and the same number again for each feature. This
 * call compiles and is slow: call it at load time or on its own thread. Other calls can run meanwhile; a second
 * vkskinCreatePipelines waits. May be called again for more kernels. On failure no kernel is added.
 *
 * @param context  the context
 * @param def      which; the first call that succeeds settles instancesPerThread and workgroupSize for all kernels
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context, def, or meshes (where meshCount is not 0) is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED   the def was not made by vkskinDefaultPipelineDef
 * @retval VKSKIN_ERROR_INVALID_VALUE         no method or format, an unknown one, no method that reads any of the
 *                                            encodings, or a size that is out of its range or neither 0 nor what the
 *                                            kernels that exist have
 * @retval VKSKIN_ERROR_NULL_HANDLE           a mesh is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE          a mesh was destroyed, or it belongs to another context
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    no host memory, in the library or the driver
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  reported by the driver
 * @retval VKSKIN_ERROR_DEVICE_LOST           reported by the driver
 * @retval VKSKIN_ERROR_KERNEL_CODE           a kernel was built with SPIR-V that the library cannot specialise
 * @retval VKSKIN_ERROR_VULKAN                any other error of the driver
 */
VKSKIN_API VkskinResult vkskinCreatePipelines(VkskinContext context, const VkskinPipelineDef *def);

/**
 * Returns the settings of the kernels of a context, or those that its first kernels will have.
 *
 * @unstable As VkskinTuning.
 * @param context  the context
 * @param tuning   receives it; may be stored, and given to VkskinContextDef.tuning
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or tuning is null
 */
VKSKIN_API VkskinResult vkskinGetTuning(VkskinContext context, VkskinTuning *tuning);

/**
 * Runs a piece of work on the device for vkskinTune, which cannot submit by itself: begins a command buffer of
 * computeQueueFamily, calls `record` with it once, ends and submits it, waits until the device has done it, and
 * measures how long that took, by timestamps or, from the submission on, by a clock.
 *
 * @param user          VkskinTuneDef.runUser
 * @param record        the library's, to be called within this call and on this thread
 * @param recordData    passed to it
 * @param milliseconds  receives the time, above 0
 * @return VK_SUCCESS, or the error that vkskinTune then fails by
 */
typedef VkResult (*VkskinRunFn)(void *user, void (*record)(void *recordData, VkCommandBuffer commandBuffer),
                                void *recordData, double *milliseconds);

/** Describes a tuning run. Made by vkskinDefaultTuneDef. */
typedef struct VkskinTuneDef {
    uint32_t cookie; ///< set by vkskinDefaultTuneDef
    /** The device and the callbacks of the contexts that are made for the run and gone after it: instance to logger,
     * computeQueueFamily and paletteMemory are looked at. */
    const VkskinContextDef *context;
    VkskinRunFn run; ///< not null
    void *runUser;   ///< passed to it
    /** A mesh that is typical for the host, with bones; null (the default): 2,000 packed vertices of 64 bones, 30, 35,
     * 15 and 20 % of them with 1, 2, 3 and 4 influences. It is skinned by linear blending. */
    const VkskinMeshDef *mesh;
    uint32_t instances; ///< of it: 1 to 65,536; default 256. More where a device is so fast that the time is all start
    uint32_t rounds;    ///< measurements per setting; the fastest counts. 1 to 1,000; default 3
} VkskinTuneDef;

/**
 * Returns a def with default values. Any thread.
 *
 * @unstable As VkskinTuning.
 * @return the defaults that each field states; set context and run
 */
VKSKIN_API VkskinTuneDef vkskinDefaultTuneDef(void);

/**
 * Finds the fastest settings on a device: palette binding, then instances per thread, then workgroup size, each
 * measured with the best settings so far. Compiles the kernels of the mesh ten times: less than a second on most
 * drivers, 2 to 20 seconds on lavapipe and SwiftShader. Any thread. Nothing else should use the device meanwhile. Store
 * the result, and tune again if VkskinContextDef.tuning is refused.
 *
 * @unstable As VkskinTuning.
 * @param def     how
 * @param tuning  receives the settings
 * @retval VKSKIN_ERROR_NULL_ARGUMENT        def, tuning, def->context or def->run is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED  the def, its context def or its mesh def is not of its default function
 * @retval VKSKIN_ERROR_INVALID_VALUE        instances or rounds is out of its range, the mesh has no bones, is flat or
 *                                           has too many for so many instances, a time is not above 0, or `run` did not
 *                                           call `record` once
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY   as vkskinCreateContext, vkskinCreateMesh, vkskinCreateInstance and
 *                                           vkskinCreatePipelines, whose other errors may come too, and as `run` says
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY likewise
 * @retval VKSKIN_ERROR_DEVICE_LOST          likewise
 * @retval VKSKIN_ERROR_VULKAN               likewise
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
 * @param context  the context that owns it
 * @param def      its vertices
 * @param mesh     receives the handle
 * @retval VKSKIN_WARNING_WEIGHTS_NORMALISED     weights of a vertex did not sum to one within 1e-4
 * @retval VKSKIN_WARNING_INFLUENCES_TRIMMED     a vertex lost influences by maxInfluences or minWeight; where both are
 *                                               so this is returned, and each is logged
 * @retval VKSKIN_ERROR_NULL_ARGUMENT            context, def, mesh, positions, joints or weights (where there are
 *                                               bones) or morphTargets (where there are any) is null; or normals where
 *                                               there are tangents
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED      the def was not made by vkskinDefaultMeshDef
 * @retval VKSKIN_ERROR_INVALID_VALUE            a number, an enum or a stride is out of its range; a flat mesh with
 *                                               normals; neither bones nor morph targets; a block of the memory
 *                                               callbacks that cannot back its buffer
 * @retval VKSKIN_ERROR_JOINT_OUT_OF_RANGE       of a vertex that the message names, as the four below
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE        NaN or infinite
 * @retval VKSKIN_ERROR_WEIGHT_NEGATIVE          below zero
 * @retval VKSKIN_ERROR_WEIGHT_ZERO              all of them, and there is no unweightedBone
 * @retval VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE     position, normal, tangent, blend weight or a morph target's delta
 * @retval VKSKIN_ERROR_MORPH_OUT_OF_RANGE       a morph target names a vertex past the mesh, or one twice; or without
 *                                               `vertices` it has another number than the mesh
 * @retval VKSKIN_ERROR_CENTRES_MISMATCH         the centres are not of these positions, joints and weights
 * @retval VKSKIN_ERROR_MESH_TOO_LARGE           source, or one instance's output of all regions, is above the device's
 *                                               maxStorageBufferRange; if the positions alone exceed it, this is
 *                                               returned before any vertex is read
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY       no host memory, in the library or the driver
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY     no room for its page or its staging memory
 * @retval VKSKIN_ERROR_DEVICE_LOST              reported by the driver
 * @retval VKSKIN_ERROR_VULKAN                   any other error of the driver or of the memory callbacks
 */
VKSKIN_API VkskinResult vkskinCreateMesh(VkskinContext context, const VkskinMeshDef *def, VkskinMesh *mesh);

/**
 * Destroys a mesh that has no instances. The handle is stale at once. Its memory is reused when the current frame's
 * slot is begun again (the previous frame's slot if no frame has begun or the frame is cancelled; at once if its upload
 * was not recorded). A pending upload is dropped.
 *
 * @param context  the context that owns it
 * @param mesh     the handle
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    mesh is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or it belongs to another context
 * @retval VKSKIN_ERROR_MESH_IN_USE    instances of it live
 */
VKSKIN_API VkskinResult vkskinDestroyMesh(VkskinContext context, VkskinMesh mesh);

/**
 * What a mesh came to.
 *
 * @param context  the context that owns it
 * @param mesh     the handle
 * @param info     receives it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or info is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    mesh is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or it belongs to another context
 */
VKSKIN_API VkskinResult vkskinGetMeshInfo(VkskinContext context, VkskinMesh mesh, VkskinMeshInfo *info);

/** @} */

/** @defgroup instances Instances
 *  Skinned copies of meshes, each with its own output memory.
 *  @{ */

/** Handle of a skinned copy of a mesh, with the rules of VkskinMesh. A character with three meshes is three instances,
 * which may share one palette. */
typedef struct VkskinInstance {
    uint32_t index;      ///< 1 up
    uint32_t generation; ///< distinguishes objects that reuse an index
} VkskinInstance;

/** Describes an instance. Made by vkskinDefaultInstanceDef. */
typedef struct VkskinInstanceDef {
    uint32_t cookie; ///< set by vkskinDefaultInstanceDef
    VkskinMesh mesh; ///< the mesh; it cannot be destroyed before the instance
} VkskinInstanceDef;

/**
 * Returns a def with default values. Any thread.
 *
 * @return the defaults that each field states; set mesh
 */
VKSKIN_API VkskinInstanceDef vkskinDefaultInstanceDef(void);

/**
 * Creates an instance: allocates output memory for all its regions, and a page of device memory if no page has room. It
 * has no output until it is skinned for the first time.
 *
 * @param context   the context that owns it
 * @param def       what it is made of
 * @param instance  receives the handle
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context, def or instance is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED   the def was not made by vkskinDefaultInstanceDef
 * @retval VKSKIN_ERROR_NULL_HANDLE           the mesh is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE          the mesh was destroyed, or it belongs to another context
 * @retval VKSKIN_ERROR_TOO_MANY_INSTANCES    as many as maxInstances are alive
 * @retval VKSKIN_ERROR_MESH_TOO_LARGE        its output rounds up to more than the device can bind
 * @retval VKSKIN_ERROR_INVALID_VALUE         a block of the memory callbacks that cannot back its buffer
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    no host memory, in the library or the driver
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  no room for another page
 * @retval VKSKIN_ERROR_DEVICE_LOST           reported by the driver
 * @retval VKSKIN_ERROR_VULKAN                any other error of the driver or of the memory callbacks
 */
VKSKIN_API VkskinResult vkskinCreateInstance(VkskinContext context, const VkskinInstanceDef *def,
                                             VkskinInstance *instance);

/**
 * Destroys an instance. The handle is stale at once. Its memory is reused when the current frame's slot is begun again
 * (the previous frame's slot if no frame has begun or the frame is cancelled; at once if it never had a command). A
 * command that was not recorded is dropped.
 *
 * @param context   the context that owns it
 * @param instance  the handle
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    instance is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or it belongs to another context
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
 * The host guarantees that all work of the previous use of the slot has finished on the device, and that the recording
 * of the previous frame was or will be submitted; that frame can no longer be cancelled. Begin a frame after a
 * swapchain image was acquired. If nothing of the frame can be submitted after all, call vkskinCancelFrame. Commands
 * that were not recorded are dropped: their instances keep their last output.
 *
 * @param context     the context
 * @param frameIndex  the slot, 0 to framesInFlight - 1, in cyclic order (the first may be any)
 * @retval VKSKIN_WARNING_COMMANDS_DROPPED  the frame has begun, and commands of the one before were taken back
 * @retval VKSKIN_ERROR_NULL_ARGUMENT       context is null
 * @retval VKSKIN_ERROR_INVALID_VALUE       frameIndex is not below framesInFlight
 * @retval VKSKIN_ERROR_FRAME_ORDER         it is not the slot after the last one
 */
VKSKIN_API VkskinResult vkskinBeginFrame(VkskinContext context, uint32_t frameIndex);

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
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame is begun, or it was cancelled already
 */
VKSKIN_API VkskinResult vkskinCancelFrame(VkskinContext context);

/** A range in this frame's region of the palette ring. Valid until the next vkskinBeginFrame or vkskinCancelFrame;
 * after that it is refused. */
typedef struct VkskinPalette {
    uint64_t serial;                ///< unique to its frame and context; 0 is null
    uint32_t page;                  ///< of the ring
    uint32_t offset;                ///< from the start of the page
    uint32_t boneCount;             ///< entries
    VkskinPaletteEncoding encoding; ///< of each entry
} VkskinPalette;

/**
 * Allocates a palette in this frame's region of the palette ring. Any number of instances may share it.
 *
 * The memory may be written from any thread. Write it before vkskinRecordUploads or vkskinRecordSkinning. Exception: if
 * the memory is host-coherent, as the library's own always is, and the backend is not the CPU, write it before
 * submission. Entries may have any value, including zero scale; they are not checked.
 *
 * @param context    the context
 * @param encoding   how the bones will be stored
 * @param boneCount  entries, 1 up
 * @param palette    receives the place, for vkskinSkinInstances; zero on failure
 * @param data       receives the address of boneCount entries of vkskinPaletteStride(encoding) bytes, 16-byte aligned,
 *                   write-only (it may be write-combined memory), until the frame is submitted; null on failure
 * @retval VKSKIN_ERROR_NULL_ARGUMENT      context, palette or data is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN    no frame has begun
 * @retval VKSKIN_ERROR_INVALID_VALUE      the encoding is unknown, or no bones
 * @retval VKSKIN_ERROR_PALETTE_RING_FULL  no page of the region, from the one being filled on, has that much left; the
 *                                         message says how much there is
 */
VKSKIN_API VkskinResult vkskinAllocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                              VkskinPalette *palette, void **data);

/** Bits of VkskinSkinCommand.flags. */
typedef enum VkskinSkinFlagBits {
    VKSKIN_SKIN_TELEPORT_BIT = 1, ///< no motion in this frame: previous positions are the current positions
    /** The instance is culled in this frame: it is not skinned and keeps its last output, as without a command. Only
     * instance and flags of the command are read. */
    VKSKIN_SKIN_CULLED_BIT = 2
} VkskinSkinFlagBits;

/** Skin `instance` from `palette` by `method`. Has no default function: set it to zero, then fill it. */
typedef struct VkskinSkinCommand {
    VkskinInstance instance; ///< not yet skinned in this frame
    VkskinPalette palette;   ///< of this frame and this context, with at least the mesh's bones; zero if it has none
    VkskinMethod method;     ///< zero is linear blend; does not count where the mesh has no bones
    uint32_t flags;          ///< VkskinSkinFlagBits; zero is none
    /** [morphWeightCount], finite, any value; non-zero weights are copied by the call. Targets past the array have
     * weight 0. Kernels process only targets with a non-zero weight. */
    const float *morphWeights;
    uint32_t morphWeightCount; ///< 0 to the mesh's morphTargetCount
    /** A number that the host changes whenever bones, method or morph weights change; 0: always skin. If it equals the
     * poseVersion of the instance's last update, in an earlier frame, the instance is not skinned and keeps its last
     * output. Palette, method and morph weights are then not read and need not be valid. */
    uint64_t poseVersion;
} VkskinSkinCommand;

/**
 * Adds commands to the frame. All commands are checked first: on failure none is added. Instances without a command
 * keep their last output at the same location.
 *
 * @param context   the context
 * @param commands  [count]; may be null where count is 0
 * @param count     0 up
 * @retval VKSKIN_ERROR_NULL_ARGUMENT       context, commands or morphWeights (where there are any) is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN     no frame has begun
 * @retval VKSKIN_ERROR_NULL_HANDLE         an instance is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE        an instance was destroyed, or it belongs to another context
 * @retval VKSKIN_ERROR_INVALID_VALUE       an unknown method or flag, or a palette outside what this frame gave
 * @retval VKSKIN_ERROR_PALETTE_STALE       a palette of an earlier or cancelled frame or another context, or zero
 * @retval VKSKIN_ERROR_PALETTE_ENCODING    a palette that the method does not read, or not of such a mesh
 * @retval VKSKIN_ERROR_PALETTE_TOO_SMALL   a palette with fewer bones than the mesh
 * @retval VKSKIN_ERROR_METHOD_DATA_MISSING the mesh was made without the blend weights or centres that a method needs
 * @retval VKSKIN_ERROR_MORPH_OUT_OF_RANGE  more morph weights than the mesh has targets
 * @retval VKSKIN_ERROR_WEIGHT_NOT_FINITE   a morph weight is NaN or infinite
 * @retval VKSKIN_ERROR_TOO_MANY_MORPHS     more morph weights in this frame than maxMorphWeights
 * @retval VKSKIN_ERROR_PIPELINE_MISSING    no kernel of this method, encoding and mesh was made
 * @retval VKSKIN_ERROR_ALREADY_SKINNED     an instance has a command in this frame, or twice here
 * @retval VKSKIN_ERROR_TOO_MANY_INSTANCES  more commands in this frame than maxInstances
 */
VKSKIN_API VkskinResult vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count);

/**
 * Records pending mesh uploads and, where palettes are staged, the copies of this frame's palettes that were allocated
 * since the last call. With VKSKIN_BARRIERS_RECORDED, also the barriers before the copies (earlier skinning may still
 * read the same pages) and after; vkskinRecordSkinning then calls this by itself. The copies are not recorded twice.
 * With VKSKIN_BARRIERS_HOST, where vkskinGetAccesses was asked for this pass, the uploads are those of its answer.
 *
 * @param context        the context
 * @param commandBuffer  outside a render pass
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context or commandBuffer is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN       no frame has begun
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    of vkFlushMappedMemoryRanges, so only for memory that is not coherent
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  likewise
 * @retval VKSKIN_ERROR_DEVICE_LOST           likewise
 * @retval VKSKIN_ERROR_VULKAN                likewise, any other error
 */
VKSKIN_API VkskinResult vkskinRecordUploads(VkskinContext context, VkCommandBuffer commandBuffer);

/**
 * Records the skinning of all commands added since the last call: for each kernel variant and each combination of
 * pages and region one dispatch, whatever the number of instances. Allocates nothing, makes no pipeline.
 *
 * With VKSKIN_BARRIERS_RECORDED on one family: before, where regions are fewer than frames, [consumerStages and
 * COMPUTE_SHADER, SHADER_WRITE -> COMPUTE_SHADER, SHADER_WRITE]; after, [COMPUTE_SHADER, SHADER_WRITE ->
 * consumerStages, consumerAccess] on the written regions of the pages.
 *
 * On failure nothing of the skinning is recorded, and the commands wait for another call; uploads may have been
 * recorded before it, so the command buffer must be submitted all the same. With the CPU backend a flush that failed is
 * what waits for another call.
 *
 * @param context        the context
 * @param commandBuffer  outside a render pass
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context or commandBuffer is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN       no frame has begun
 * @retval VKSKIN_ERROR_INVALID_VALUE         there are commands, and vkskinRecordRelease or vkskinRecordAcquire was
 *                                            recorded in this frame already; nothing is recorded then
 * @retval VKSKIN_ERROR_UPLOADS_PENDING       with VKSKIN_BARRIERS_HOST, a command's mesh or palette waits for
 *                                            vkskinRecordUploads
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    as in vkskinRecordUploads
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  likewise
 * @retval VKSKIN_ERROR_DEVICE_LOST           likewise
 * @retval VKSKIN_ERROR_VULKAN                likewise
 */
VKSKIN_API VkskinResult vkskinRecordSkinning(VkskinContext context, VkCommandBuffer commandBuffer);

/**
 * Where skinning and drawing are of different families: gives up ownership of what this frame wrote, once a frame,
 * after the last vkskinRecordSkinning. Nothing comes back: a region's old content is not needed when it is written
 * again. On one family it records nothing; the same is refused there, so that a host finds its mistakes on any device.
 *
 * @param context        the context
 * @param commandBuffer  outside a render pass
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context or commandBuffer is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame has begun
 * @retval VKSKIN_ERROR_INVALID_VALUE    it was recorded in this frame already
 */
VKSKIN_API VkskinResult vkskinRecordRelease(VkskinContext context, VkCommandBuffer commandBuffer);

/**
 * The other half of vkskinRecordRelease: takes ownership over, once a frame, after the last vkskinRecordSkinning and
 * before the reads. It is of the frame that was begun last: record it before the next vkskinBeginFrame, also where the
 * drawing is recorded later than that. On one family it records nothing.
 *
 * @param context        the context
 * @param commandBuffer  of graphicsQueueFamily, outside a render pass, in a submission that waits by a semaphore for
 *                       the release, the wait's stage mask covering consumerStages
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context or commandBuffer is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame has begun
 * @retval VKSKIN_ERROR_INVALID_VALUE    it was recorded in this frame already
 */
VKSKIN_API VkskinResult vkskinRecordAcquire(VkskinContext context, VkCommandBuffer commandBuffer);

/** @} */

/** @defgroup output Output
 *  Location of skinned vertices, and how pipelines read them.
 *  @{ */

/** Location of the vertices of an instance. Offsets into `buffer` are multiples of 16. */
typedef struct VkskinOutput {
    VkBuffer buffer;             ///< lives as long as the context
    uint32_t page;               ///< the output page that `buffer` is: instances of a page draw together
    uint32_t vertexCount;        ///< of the mesh
    VkDeviceSize positionOffset; ///< float3 a vertex, tightly packed: usable for a BLAS; float2 where the mesh is flat
    uint32_t positionStride;     ///< 12, or 8 where the mesh is flat
    VkDeviceSize
        attributeOffset;      ///< normals and tangents, see VkskinVertexFormat: where the positions end, up to 16 (64)
    uint32_t attributeStride; ///< 0 (no normals), 4 or 8 packed, 12 or 28 float
    /** Positions of the frame before: the same as positionOffset on an instance's first update, after a teleport,
     * in a frame without an update, and always for meshes without previousPositions. */
    VkDeviceSize previousPositionOffset;
} VkskinOutput;

/**
 * Returns the location of the output in this frame. Call it after vkskinSkinInstances, each frame. The content is valid
 * after the commands that vkskinRecordSkinning records have run on the device.
 *
 * @param context   the context that owns it
 * @param instance  the handle
 * @param output    receives the place, which holds for this frame
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or output is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    instance is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or it belongs to another context
 * @retval VKSKIN_ERROR_NOT_SKINNED    it was never given to vkskinSkinInstances, or its only command was taken back
 */
VKSKIN_API VkskinResult vkskinGetOutput(VkskinContext context, VkskinInstance instance, VkskinOutput *output);

/**
 * Returns the number of output pages, for descriptors of storage buffers. vkskinCreateInstance may add a page. Pages
 * exist until the context is destroyed.
 *
 * @param context  may be null
 * @return the number; 0 for null
 */
VKSKIN_API uint32_t vkskinGetOutputPageCount(VkskinContext context);

/** An output page as a whole. */
typedef struct VkskinOutputPage {
    VkBuffer buffer;   ///< lives as long as the context
    VkDeviceSize size; ///< of `buffer`
} VkskinOutputPage;

/**
 * Describes an output page.
 *
 * @param context  the context
 * @param page     below vkskinGetOutputPageCount
 * @param info     receives it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or info is null
 * @retval VKSKIN_ERROR_INVALID_VALUE  there is no such page
 */
VKSKIN_API VkskinResult vkskinGetOutputPage(VkskinContext context, uint32_t page, VkskinOutputPage *info);

/**
 * Vertex input for an instance bound as vertex buffers: binding `firstBinding` at positionOffset, the next at
 * attributeOffset, vertexOffset 0. Locations follow from firstLocation: position (R32G32B32_SFLOAT), normal, tangent.
 * Packed words come as R32_UINT; vkskin.glsl unpacks them. A flat mesh has another: one binding of 8 bytes, one
 * attribute of R32G32_SFLOAT.
 */
typedef struct VkskinVertexInput {
    uint32_t bindingCount;                           ///< 1, or 2 with normals
    VkVertexInputBindingDescription bindings[2];     ///< the first bindingCount
    uint32_t attributeCount;                         ///< 1 to 3
    VkVertexInputAttributeDescription attributes[3]; ///< the first attributeCount
} VkskinVertexInput;

/**
 * Describes the vertex input of a mesh. Any thread. Results are returned and not logged.
 *
 * @param format         of the mesh
 * @param normals        the mesh has them
 * @param tangents       the mesh has them; not without normals
 * @param firstBinding   of the positions; the attributes' is one more
 * @param firstLocation  of the positions
 * @param input          receives it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  input is null
 * @retval VKSKIN_ERROR_INVALID_VALUE  an unknown format, or tangents without normals
 */
VKSKIN_API VkskinResult vkskinGetVertexInput(VkskinVertexFormat format, bool normals, bool tangents,
                                             uint32_t firstBinding, uint32_t firstLocation, VkskinVertexInput *input);

/** @} */

/** @defgroup accesses Hosts that own the barriers
 *  What each pass of the library touches, for render graphs (VKSKIN_BARRIERS_HOST).
 *  @{ */

/** The library's two passes. */
typedef enum VkskinPass {
    VKSKIN_PASS_UPLOAD = 0,  ///< what the next vkskinRecordUploads does
    VKSKIN_PASS_SKINNING = 1 ///< what vkskinRecordSkinning does when called now
} VkskinPass;

/** What a pass does to a range of a buffer. */
typedef struct VkskinAccess {
    VkBuffer buffer;             ///< lives as long as the context
    VkDeviceSize offset;         ///< a whole region of a page where the pass may touch any of it
    VkDeviceSize size;           ///< not 0
    VkPipelineStageFlags stages; ///< such as TRANSFER or COMPUTE_SHADER; later versions may name others
    VkAccessFlags access;        ///< such as TRANSFER_WRITE, SHADER_READ or SHADER_WRITE; likewise
} VkskinAccess;

/**
 * What a pass will do to buffers that another pass, or the host, also touches. Asked for after the frame's meshes,
 * palettes and commands are in, before the pass is recorded: palettes and commands that come between are not in the
 * answer, and ordering them is the host's. Meshes that other threads make meanwhile do no harm with
 * VKSKIN_BARRIERS_HOST: the first question about uploads settles which of them the next vkskinRecordUploads records,
 * for further questions too; what comes later waits for the record after it.
 *
 * @param context   the context
 * @param pass      which
 * @param accesses  [*count], or null to ask for the number alone
 * @param count     the room in `accesses`, not looked at where that is null; receives the number that was written, or
 *                  where `accesses` is null the number there is
 * @retval VKSKIN_WARNING_INCOMPLETE     too little room: the first ones are written
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context or count is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame has begun
 * @retval VKSKIN_ERROR_INVALID_VALUE    an unknown pass
 */
VKSKIN_API VkskinResult vkskinGetAccesses(VkskinContext context, VkskinPass pass, VkskinAccess *accesses,
                                          uint32_t *count);

/** @} */

/**
 * @defgroup measuring Measuring
 * Named spans of the device's time. The library itself records "upload" and "skinning", where there is room for them;
 * any pass of the host's may be measured too.
 *
 * @unstable All of it: it is bound to the timestamps of one queue family.
 * @{
 */

/** Room for the name of a scope, its ending zero included. */
#define VKSKIN_SCOPE_NAME_BYTES 32

/** Whether scopes measure anything. */
typedef enum VkskinTimestampSupport {
    VKSKIN_TIMESTAMPS_NONE = 0,     ///< the queue family has none, or maxTimingScopes is 0: scopes record nothing
    VKSKIN_TIMESTAMPS_SUPPORTED = 1 ///< they do
} VkskinTimestampSupport;

/**
 * Begins a span of this frame. Spans may overlap. Command buffers are submitted in the order in which their scopes
 * begin.
 *
 * @param context        the context
 * @param commandBuffer  for the first scope of a frame outside a render pass, since it resets queries
 * @param name           copied, the first VKSKIN_SCOPE_NAME_BYTES - 1 bytes of it; scopes alike in those are of one
 *                       name
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context, commandBuffer or name is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame has begun
 * @retval VKSKIN_ERROR_TOO_MANY_SCOPES  maxTimingScopes were begun in this frame, the library's own included
 */
VKSKIN_API VkskinResult vkskinBeginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name);

/**
 * Ends the latest span of this frame that has this name and has not ended: one begun in this command buffer before any
 * other, so that threads which record side by side may measure under one name.
 *
 * @param context        the context
 * @param commandBuffer  need not be the one that the span began in
 * @param name           as it was begun
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context, commandBuffer or name is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame has begun
 * @retval VKSKIN_ERROR_INVALID_VALUE    no such scope; not logged if timestamps are not supported
 */
VKSKIN_API VkskinResult vkskinEndScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name);

/** What the scopes of one name took in a frame. */
typedef struct VkskinTiming {
    char name[VKSKIN_SCOPE_NAME_BYTES]; ///< as given to vkskinBeginScope, cut where it is longer
    double milliseconds;                ///< summed over the scopes of this name in that frame
} VkskinTiming;

/**
 * The scopes of the latest frame whose results are known: the one that the last vkskinBeginFrame found finished,
 * framesInFlight frames ago, cancelled ones not counted. A frame without scopes gives the numbers of an earlier one. So
 * may one that was recorded, and neither submitted nor cancelled; or numbers that are undefined. Asks the driver
 * without waiting; but lavapipe's vkGetQueryPoolResults waits until the device is idle.
 *
 * @param context  the context
 * @param timings  [*count], or null to ask for the number alone
 * @param count    the room in `timings`, not looked at where that is null; receives the number that was written, or
 *                 where `timings` is null the number there is; 64 at most
 * @param frame    receives the frame's count (1 is the first frame begun, 0: none known yet); may be null
 * @param support  receives whether scopes measure anything; may be null
 * @retval VKSKIN_WARNING_INCOMPLETE          too little room: the first ones, and all else, are written
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context or count is null
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    reported by the driver; the next call asks again
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  likewise
 * @retval VKSKIN_ERROR_DEVICE_LOST           likewise
 * @retval VKSKIN_ERROR_VULKAN                likewise, any other error
 */
VKSKIN_API VkskinResult vkskinGetTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                                         VkskinTimestampSupport *support);

/** @} */

/** @defgroup stats Counters
 *  Counters of a context and of its current frame.
 *  @{ */

/**
 * Counters. Those of the frame are set to zero by vkskinBeginFrame.
 *
 * @unstable The fields depend on the implementation.
 */
typedef struct VkskinStats {
    uint64_t frame;              ///< count of vkskinBeginFrame
    VkskinBackend backend;       ///< VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU
    uint32_t instancesSkinned;   ///< in this frame, by vkskinRecordSkinning
    uint32_t instancesCulled;    ///< commands of this frame that VKSKIN_SKIN_CULLED_BIT left out
    uint32_t instancesUnchanged; ///< commands of this frame that VkskinSkinCommand.poseVersion left out
    uint64_t verticesSkinned;    ///< in this frame, summed over them
    uint64_t outputBytes;        ///< written in this frame
    uint64_t paletteBytes;       ///< allocated in this frame
    uint32_t morphWeights;       ///< places taken in this frame of VkskinContextDef.maxMorphWeights
    uint32_t dispatches;         ///< recorded in this frame
    uint32_t meshes;             ///< alive
    uint32_t instances;          ///< alive
    uint32_t meshPages;          ///< buffers that hold meshes
    uint32_t palettePages;       ///< buffers that hold palettes, of all frames in flight
    uint32_t outputPages;        ///< buffers that hold output
    uint64_t deviceBytes;        ///< of all buffers of the context
} VkskinStats;

/**
 * Returns the current counters.
 *
 * @param context  the context
 * @param stats    receives them
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or stats is null
 */
VKSKIN_API VkskinResult vkskinGetStats(VkskinContext context, VkskinStats *stats);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
