/**
 * @file
 * The GPU side. Meshes and palettes in, skinned vertex buffers out, by one compute pass a frame.
 *
 * What the library never does: submit, wait for the device, own a queue, start a thread, open a file, hold a global. It
 * records into command buffers of the host's, and nothing of Vulkan is resolved at link time. It needs Vulkan 1.1 and
 * no optional feature.
 *
 * The way of a frame:
 *
 *     vkskinBeginFrame         the frame slot's last use has finished: its ring regions may be written again
 *     vkskinAllocatePalette    room in this frame's region of the palette ring; write the bones there
 *     vkskinSkinInstances      which instance takes which palette
 *     vkskinRecordSkinning     uploads, barriers and a few dispatches, outside a render pass
 *     vkskinGetOutput          where an instance's vertices lie in this frame
 *
 * Threads. Every call may be made from any thread, several at once, save vkskinDestroyContext, which is alone and last.
 * A call holds the context's lock for its short work; vkskinCreateMesh checks and packs, vkskinCreatePipelines
 * compiles, and with the CPU backend vkskinRecordSkinning skins, outside it. The lock keeps each call whole. It does
 * not order calls: that a frame's calls come in their order is the host's business, and so is that one thread at a time
 * records into a command buffer. Mapped palette memory may be written from any thread. Contexts are independent of one
 * another, also on one device. Call by call: docs/threads.md.
 *
 * What recording disturbs in a command buffer: the bound compute pipeline, compute descriptor sets 0 to 3 and the
 * push constants of the compute stage. Graphics state is not touched.
 *
 * The rules of vkskin_base.h hold, and for each call that takes a context:
 * - A null context is VKSKIN_ERROR_NULL_ARGUMENT too, and nobody is told.
 * - A command buffer is in the recording state, of the context's device and, save for vkskinRecordAcquire, of a family
 *   that is computeQueueFamily. It must be submitted, once, in the order of frames, before its frame's slot is begun again;
 *   of a frame of which nothing will be submitted the library must be told by vkskinCancelFrame.
 * - A call that fails may have made a page of device memory on its way; that stays, for the next call.
 * - A handle that was destroyed, or that is of another context, is refused as VKSKIN_ERROR_STALE_HANDLE.
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
 *  What the library calls, and nothing else of Vulkan.
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
 *  For hosts with an allocator of their own; without one the library makes an allocation for each of its few buffers.
 *  @{ */

/** What a buffer of the library's is for, so that a host's allocator can choose its memory. */
typedef enum VkskinMemoryUse {
    /** Touched by the device alone: DEVICE_LOCAL. */
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
    uint32_t memoryTypeIndex; ///< tells the library whether writes must be flushed
    void *mapped;             ///< host address of `offset`, 16-byte aligned, or null when the use needs none
    void *userData;           ///< the host's own
} VkskinMemoryBlock;

/**
 * The host's device memory allocator, such as its VMA. Called on the thread of the call that needs it, which is
 * vkskinCreateContext, vkskinCreateMesh, vkskinCreateInstance, vkskinBeginFrame or vkskinDestroyContext, never a call
 * that records; one at a time for one context, under its lock. It returns (no exception, no longjmp), does
 * not call back into the same context, and waits for nothing that another thread holds while that calls into it. Has no
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
    void *user; ///< handed to both; may be null
} VkskinMemoryCallbacks;

/** @} */

/** @defgroup context The context
 *  All else belongs to one: made of the host's device, with room for so many instances and palettes.
 *  @{ */

/** A context: null, or made by vkskinCreateContext. */
typedef struct VkskinContext_T *VkskinContext;

/** Who records the barriers around the library's passes. */
typedef enum VkskinBarriers {
    /** The library orders its writes with the host's reads: on one queue the host adds nothing. */
    VKSKIN_BARRIERS_RECORDED = 0,
    /** The host's render graph does: see vkskinGetAccesses. Uploads must then be recorded by a call of their own. */
    VKSKIN_BARRIERS_HOST = 1
} VkskinBarriers;

/** What skins. */
typedef enum VkskinBackend {
    /** Kernels on the device. */
    VKSKIN_BACKEND_COMPUTE = 0,
    /**
     * The CPU, within vkskinRecordSkinning, into mapped output memory. All calls are the same, and so is the contract:
     * what a frame's submissions read was written before. Palettes, meshes and weights are in host memory, and palettes
     * are written before vkskinRecordSkinning, which reads them. No kernel is needed; outputRegions are framesInFlight,
     * 2 at least, whatever the def says; nothing is recorded, no barrier and no transfer of ownership is needed, and
     * vkskinGetAccesses names none: a submission sees what the host wrote before it. The scope "skinning" does not
     * exist. Results are those of the kernels to within rounding.
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
 * What is best on a device, found by vkskinTune or set by hand: plain bytes without pointers, to be stored and given
 * back. Refused for another device, driver or version of the library.
 *
 * @unstable What is tuned follows what the kernels do.
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

/** The most that VkskinContextDef.framesInFlight may be. */
#define VKSKIN_MAX_FRAMES_IN_FLIGHT 8

/** What a context is made of. Made by vkskinDefaultContextDef. */
typedef struct VkskinContextDef {
    uint32_t cookie; ///< set by vkskinDefaultContextDef

    VkInstance instance;                           ///< of Vulkan 1.1 up; lives until vkskinDestroyContext
    VkPhysicalDevice physicalDevice;               ///< of `instance`
    VkDevice device;                               ///< of `physicalDevice`; lives until vkskinDestroyContext
    PFN_vkGetInstanceProcAddr getInstanceProcAddr; ///< may be null where `functions` has every instance function
    PFN_vkGetDeviceProcAddr getDeviceProcAddr;     ///< may be null where `functions` has every device function
    const VkskinVulkanFunctions *functions;        ///< null: all resolved. The table is copied.
    /** For the driver and for the library's own host memory; null: the driver's way, and malloc. The struct is copied.
     * Called on the thread of the call, on several at once where several calls run, sometimes with the context's lock
     * held. It returns (no exception, no longjmp), does not call back into the context, and waits for nothing that
     * another thread holds while that calls into the context. */
    const VkAllocationCallbacks *allocator;
    const VkskinMemoryCallbacks *memory; ///< null: vkAllocateMemory, one allocation a buffer. The struct is copied.
    VkskinLogger logger;                 ///< default none
    /** Name every object, label every pass; VK_EXT_debug_utils is enabled. Default false. A name that the driver cannot
     *  give is told to the logger and changes no result. */
    bool debugUtils;

    /** The queue family index that skinning is recorded for, one with COMPUTE; default 0. */
    uint32_t computeQueueFamily;
    /** The one that its output is consumed on; default VK_QUEUE_FAMILY_IGNORED: the same as computeQueueFamily. Where the
     * two differ, vkskinRecordRelease and vkskinRecordAcquire pass ownership on, and outputRegions must be
     * framesInFlight. */
    uint32_t graphicsQueueFamily;

    VkskinBackend backend; ///< default VKSKIN_BACKEND_COMPUTE
    /** How the CPU backend runs; default all zero. `parallel` is called by vkskinRecordSkinning without the context's
     * lock: it, and other threads, may call into the context meanwhile, save vkskinRecordSkinning, which waits for the
     * one that runs. */
    VkskinCpuRun cpu;

    /** How many frames the host records before it waits for the oldest: 1 to VKSKIN_MAX_FRAMES_IN_FLIGHT; default 2. */
    uint32_t framesInFlight;
    /** Places that an instance's output rotates through: 1 to framesInFlight; default 1. With fewer regions than
     * frames in flight skinning waits, by a barrier, for the previous frame's reads; it must then be submitted to
     * the drawing queue. With as many regions as frames it waits for nothing, as async compute needs. A page holds
     * its regions one after the other, and each is bound alone: instances that are updated every frame write one
     * region of all pages. Synchronisation validation sees no finer than that: across submissions it may report an
     * instance that was left out of a frame, though no byte of it is touched. */
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

    /** Besides STORAGE_BUFFER, which is always set: what the output buffers are used as. Default VERTEX_BUFFER; add
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
 * A def to fill. Any thread.
 *
 * @return the defaults told at each field: instance, physicalDevice, device and the resolvers are to be set
 */
VKSKIN_API VkskinContextDef vkskinDefaultContextDef(void);

/**
 * Makes a context: resolves functions, reads limits, makes the palette ring. On failure nothing is left over. Any
 * thread; contexts may be made at once, also on one device.
 *
 * @param def      what it is made of
 * @param context  receives it; the caller destroys it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT        def, context, one of the three Vulkan handles, a function of `memory`, one
 *                                           of the first three of `allocator`, or one of its two notifications alone
 *                                           is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED  the def is not of vkskinDefaultContextDef
 * @retval VKSKIN_ERROR_INVALID_VALUE        a field is out of its range; a queue family that the device does not have;
 *                                           a level of instructions that the CPU does not have;
 *                                           two families with fewer outputRegions than framesInFlight; a block of the
 *                                           memory callbacks that cannot back its buffer
 * @retval VKSKIN_ERROR_MISSING_FUNCTION     neither the table nor a resolver has a function
 * @retval VKSKIN_ERROR_UNSUPPORTED_DEVICE   below Vulkan 1.1, computeQueueFamily cannot compute, or maxInstances takes a
 *                                           buffer that it cannot bind
 * @retval VKSKIN_ERROR_TUNING_MISMATCH      the tuning is of another device, driver or version, or was changed
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY   of the library's or the driver's
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  no room for the ring or the job tables
 * @retval VKSKIN_ERROR_DEVICE_LOST          told by the driver
 * @retval VKSKIN_ERROR_VULKAN               any other error of the driver or of the memory callbacks
 */
VKSKIN_API VkskinResult vkskinCreateContext(const VkskinContextDef *def, VkskinContext *context);

/**
 * Frees all, the meshes and instances that still live included. Alone and last: no other call on this context runs or
 * comes after, and the device no longer uses any of it.
 *
 * @param context  null is allowed
 */
VKSKIN_API void vkskinDestroyContext(VkskinContext context);

/** @} */

/** @defgroup kernels Kernels
 *  Compiled when the host loads, never while it records.
 *  @{ */

/** Bits of VkskinPipelineDef.features: what meshes may have that takes kernels of its own. */
typedef enum VkskinKernelFeatureBits {
    VKSKIN_KERNEL_EXACT_NORMALS_BIT = 1, ///< VKSKIN_NORMALS_EXACT
    /** Commands with a morph weight that is not zero; and, whatever the methods, meshes without bones. */
    VKSKIN_KERNEL_MORPHS_BIT = 2
} VkskinKernelFeatureBits;

/** A mesh, by value: zero is null, and a handle of something destroyed is refused as stale. */
typedef struct VkskinMesh {
    uint32_t index;      ///< 1 up
    uint32_t generation; ///< which of those that had this index
} VkskinMesh;

/**
 * Which kernels to make: each pair of a method and an encoding that it reads, for given meshes or for all of given
 * formats and features. Made by vkskinDefaultPipelineDef.
 */
typedef struct VkskinPipelineDef {
    uint32_t cookie;       ///< set by vkskinDefaultPipelineDef
    VkPipelineCache cache; ///< default null; not EXTERNALLY_SYNCHRONIZED where other threads use it meanwhile
    uint32_t methods;      ///< VkskinMethodBits, not 0; default VKSKIN_METHOD_LINEAR_BLEND_BIT
    /** VkskinPaletteBits; at least one of the methods must read one of them. Default 0: the vkskinMethodEncoding of each
     * method. */
    uint32_t encodings;
    uint32_t formats;  ///< VkskinVertexFormatBits, not 0; default VKSKIN_VERTEX_PACKED_BIT
    uint32_t features; ///< VkskinKernelFeatureBits; default 0
    /** [meshCount]: make what these need and no more; `formats` and `features` do not count then. The way to few
     * kernels where the meshes are known: some drivers take long for each. Default null. */
    const VkskinMesh *meshes;
    uint32_t meshCount; ///< default 0: kernels by formats and features
    /** 1 to 64 that a thread skins its vertex for; default 0: the context's tuning's, else by device type.
     * @unstable As VkskinTuning. */
    uint32_t instancesPerThread;
    /** Invocations, 32 to the device's limit, a multiple of 32; default 0: the context's tuning's, else 64.
     * @unstable As VkskinTuning. */
    uint32_t workgroupSize;
} VkskinPipelineDef;

/**
 * A def to fill. Any thread.
 *
 * @return the defaults told at each field; all may stay
 */
VKSKIN_API VkskinPipelineDef vkskinDefaultPipelineDef(void);

/**
 * Makes the kernels that the def asks for and that do not exist yet: without `meshes`, one for each influence count of
 * 1 to 4 and one for more, each set of attributes, and as many again for each feature. Slow (it compiles); call it when
 * loading, or on a thread of its own: other calls go on meanwhile, a second one of these waits. May be called again for
 * more. On failure the kernels that existed before stay, and no other.
 *
 * @param context  whose kernels
 * @param def      which; the first call that succeeds settles instancesPerThread and workgroupSize for all kernels
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context, def, or meshes (where meshCount is not 0) is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED   the def is not of vkskinDefaultPipelineDef
 * @retval VKSKIN_ERROR_INVALID_VALUE         no method or format, an unknown one, no method that reads any of the
 *                                            encodings, or a size that is out of its range or neither 0 nor what the
 *                                            kernels that exist have
 * @retval VKSKIN_ERROR_NULL_HANDLE           a mesh is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE          a mesh was destroyed, or is of another context
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    of the library's or the driver's
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  told by the driver
 * @retval VKSKIN_ERROR_DEVICE_LOST           told by the driver
 * @retval VKSKIN_ERROR_KERNEL_CODE           a kernel was built with SPIR-V that the library cannot specialise
 * @retval VKSKIN_ERROR_VULKAN                any other error of the driver
 */
VKSKIN_API VkskinResult vkskinCreatePipelines(VkskinContext context, const VkskinPipelineDef *def);

/**
 * What a context's kernels have, or, as long as there are none, would have.
 *
 * @unstable As VkskinTuning.
 * @param context  whose
 * @param tuning   receives it; may be stored, and given to VkskinContextDef.tuning
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or tuning is null
 */
VKSKIN_API VkskinResult vkskinGetTuning(VkskinContext context, VkskinTuning *tuning);

/**
 * Runs a piece of work on the device for vkskinTune, which cannot submit by itself: begins a command buffer of
 * computeQueueFamily, calls `record` with it once, ends and submits it, waits until the device has done it, and measures
 * how long that took, by timestamps or, from the submission on, by a clock.
 *
 * @param user          VkskinTuneDef.runUser
 * @param record        the library's, to be called within this call and on this thread
 * @param recordData    handed to it
 * @param milliseconds  receives the time, above 0
 * @return VK_SUCCESS, or the error that vkskinTune then fails by
 */
typedef VkResult (*VkskinRunFn)(void *user, void (*record)(void *recordData, VkCommandBuffer commandBuffer),
                                void *recordData, double *milliseconds);

/** How vkskinTune tunes. Made by vkskinDefaultTuneDef. */
typedef struct VkskinTuneDef {
    uint32_t cookie; ///< set by vkskinDefaultTuneDef
    /** The device and the callbacks of the contexts that are made for the run and gone after it: instance to logger,
     * computeQueueFamily and paletteMemory are looked at. */
    const VkskinContextDef *context;
    VkskinRunFn run; ///< not null
    void *runUser;   ///< handed to it
    /** A mesh that is typical for the host, with bones; null (the default): 2,000 packed vertices of 64 bones, 30, 35,
     * 15 and 20 % of them with 1, 2, 3 and 4 influences. It is skinned by linear blending. */
    const VkskinMeshDef *mesh;
    uint32_t instances; ///< of it: 1 to 65,536; default 256. More where a device is so fast that the time is all start
    uint32_t rounds;    ///< times that each setting is measured, of which the fastest counts: 1 to 1,000; default 3
} VkskinTuneDef;

/**
 * A def to fill. Any thread.
 *
 * @unstable As VkskinTuning.
 * @return the defaults told at each field: context and run are to be set
 */
VKSKIN_API VkskinTuneDef vkskinDefaultTuneDef(void);

/**
 * Finds the settings by which kernels are fastest on a device: the binding of palettes, then the instances a thread,
 * then the workgroup, each measured in turn with what was best before. Compiles the kernels of the mesh ten times: less
 * than a second on most drivers, 2 to 20 seconds on lavapipe and SwiftShader. Any thread; nothing else should load the
 * device meanwhile. Store the result, and tune anew where VkskinContextDef.tuning is refused.
 *
 * @unstable As VkskinTuning.
 * @param def     how
 * @param tuning  receives the settings
 * @retval VKSKIN_ERROR_NULL_ARGUMENT        def, tuning, def->context or def->run is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED  the def, its context def or its mesh def is not of its default function
 * @retval VKSKIN_ERROR_INVALID_VALUE        instances or rounds is out of its range, the mesh has no bones, is flat or
 *                                           has too many for so many instances, a time is not above 0, or `run` did
 *                                           not call `record` once
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY   as vkskinCreateContext, vkskinCreateMesh, vkskinCreateInstance and
 *                                           vkskinCreatePipelines, whose other errors may come too, and as `run` says
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY likewise
 * @retval VKSKIN_ERROR_DEVICE_LOST          likewise
 * @retval VKSKIN_ERROR_VULKAN               likewise
 */
VKSKIN_API VkskinResult vkskinTune(const VkskinTuneDef *def, VkskinTuning *tuning);

/** @} */

/** @defgroup meshes Meshes
 *  Bind poses with joints and weights: checked, packed and uploaded once.
 *  @{ */

/**
 * Makes a mesh, its upload pending: the next vkskinRecordUploads or vkskinRecordSkinning records the copy. Staging
 * memory lives until that frame's slot is begun again; where nothing of it was recorded, since its meshes were
 * destroyed or could not be made, until the next vkskinBeginFrame. Meshes may be made on several threads while another
 * records: vertices are checked and packed outside the lock.
 *
 * A vertex's unusable normal (length below 1e-20) is taken as (0, 0, 1), a tangent as any unit vector across it.
 *
 * @param context  where it lives until vkskinDestroyMesh or vkskinDestroyContext
 * @param def      its vertices
 * @param mesh     receives the handle
 * @retval VKSKIN_WARNING_WEIGHTS_NORMALISED     weights of a vertex did not sum to one within 1e-4
 * @retval VKSKIN_WARNING_INFLUENCES_TRIMMED     a vertex lost influences by maxInfluences or minWeight; where both are
 *                                               so this is returned, and each is logged
 * @retval VKSKIN_ERROR_NULL_ARGUMENT            context, def, mesh, positions, joints or weights (where there are
 *                                               bones) or morphTargets (where there are any) is null; or normals where
 *                                               there are tangents
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED      the def is not of vkskinDefaultMeshDef
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
 *                                               maxStorageBufferRange; where its positions alone are, that is told
 *                                               before any vertex is looked at
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY       of the library's or the driver's
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY     no room for its page or its staging memory
 * @retval VKSKIN_ERROR_DEVICE_LOST              told by the driver
 * @retval VKSKIN_ERROR_VULKAN                   any other error of the driver or of the memory callbacks
 */
VKSKIN_API VkskinResult vkskinCreateMesh(VkskinContext context, const VkskinMeshDef *def, VkskinMesh *mesh);

/**
 * Destroys a mesh without instances. The handle is stale at once; the memory is used again once the current frame's
 * slot is begun again (where no frame is begun or it is cancelled, the slot of the frame before; at once where its
 * upload was not recorded). An upload that was not recorded yet is dropped.
 *
 * @param context  where it lives
 * @param mesh     the handle
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    mesh is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or is of another context
 * @retval VKSKIN_ERROR_MESH_IN_USE    instances of it live
 */
VKSKIN_API VkskinResult vkskinDestroyMesh(VkskinContext context, VkskinMesh mesh);

/**
 * What a mesh came to.
 *
 * @param context  where it lives
 * @param mesh     the handle
 * @param info     receives it
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or info is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    mesh is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or is of another context
 */
VKSKIN_API VkskinResult vkskinGetMeshInfo(VkskinContext context, VkskinMesh mesh, VkskinMeshInfo *info);

/** @} */

/** @defgroup instances Instances
 *  Copies of a mesh that are skinned, each with output memory of its own.
 *  @{ */

/** One skinned copy of a mesh, with output memory of its own; a handle as VkskinMesh is. A character of three meshes is
 *  three instances that may share one palette. */
typedef struct VkskinInstance {
    uint32_t index;      ///< 1 up
    uint32_t generation; ///< which of those that had this index
} VkskinInstance;

/** What an instance is made of. Made by vkskinDefaultInstanceDef. */
typedef struct VkskinInstanceDef {
    uint32_t cookie; ///< set by vkskinDefaultInstanceDef
    VkskinMesh mesh; ///< what it is a copy of; it cannot go before
} VkskinInstanceDef;

/**
 * A def to fill. Any thread.
 *
 * @return the defaults told at each field: mesh is to be set
 */
VKSKIN_API VkskinInstanceDef vkskinDefaultInstanceDef(void);

/**
 * Makes an instance: takes output memory for all its regions, and a page of device memory where none has room. It has
 * no output until it is skinned once.
 *
 * @param context   where it lives until vkskinDestroyInstance or vkskinDestroyContext
 * @param def       what it is made of
 * @param instance  receives the handle
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context, def or instance is null
 * @retval VKSKIN_ERROR_DEF_NOT_INITIALISED   the def is not of vkskinDefaultInstanceDef
 * @retval VKSKIN_ERROR_NULL_HANDLE           the mesh is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE          the mesh was destroyed, or is of another context
 * @retval VKSKIN_ERROR_TOO_MANY_INSTANCES    as many as maxInstances are alive
 * @retval VKSKIN_ERROR_MESH_TOO_LARGE        its output rounds up to more than the device can bind
 * @retval VKSKIN_ERROR_INVALID_VALUE         a block of the memory callbacks that cannot back its buffer
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    of the library's or the driver's
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  no room for another page
 * @retval VKSKIN_ERROR_DEVICE_LOST           told by the driver
 * @retval VKSKIN_ERROR_VULKAN                any other error of the driver or of the memory callbacks
 */
VKSKIN_API VkskinResult vkskinCreateInstance(VkskinContext context, const VkskinInstanceDef *def,
                                             VkskinInstance *instance);

/**
 * Destroys an instance. The handle is stale at once; the memory is used again once the current frame's slot is begun
 * again (where no frame is begun or it is cancelled, the slot of the frame before; at once where it was never
 * given to vkskinSkinInstances). Its command that was given and not recorded yet is dropped.
 *
 * @param context   where it lives
 * @param instance  the handle
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    instance is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or is of another context
 */
VKSKIN_API VkskinResult vkskinDestroyInstance(VkskinContext context, VkskinInstance instance);

/** @} */

/** @defgroup frame A frame
 *  Calls of one frame come in the order in which they stand here, by whatever threads.
 *  @{ */

/**
 * Begins a frame: frees what was destroyed in the slot's last use, and gives its ring regions out again. Waits for
 * nothing of the device's.
 *
 * It is the host's promise that all work submitted for the slot's last use has finished, and that what was recorded in
 * the frame before was submitted or will be: from here on that frame cannot be cancelled. Begin a frame when it is
 * likely to be drawn, after a swapchain image was acquired; where nothing of it can be submitted after all there is
 * vkskinCancelFrame. Commands that were not recorded are taken back: their instances keep their last output.
 *
 * @param context     whose frame
 * @param frameIndex  the slot, 0 to framesInFlight - 1, in cyclic order (the first may be any)
 * @retval VKSKIN_WARNING_COMMANDS_DROPPED  the frame has begun, and commands of the one before were taken back
 * @retval VKSKIN_ERROR_NULL_ARGUMENT       context is null
 * @retval VKSKIN_ERROR_INVALID_VALUE       frameIndex is not below framesInFlight
 * @retval VKSKIN_ERROR_FRAME_ORDER         it is not the slot after the last one
 */
VKSKIN_API VkskinResult vkskinBeginFrame(VkskinContext context, uint32_t frameIndex);

/**
 * Takes a frame back of which nothing was submitted and nothing will be: the swapchain was out of date, the submission
 * failed. What was recorded since vkskinBeginFrame does not run: its uploads are pending again, its instances have the
 * output, the region and the history that they had before, its palettes are stale, its scopes measure nothing. What was
 * destroyed in it stays destroyed. No frame is begun then, and the next vkskinBeginFrame takes the same slot again.
 *
 * A frame of which a part was submitted must not be cancelled: submit the rest, be it empty. The command buffers of a
 * cancelled one are reset or freed, never submitted.
 *
 * @param context  whose frame
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame is begun, or it was cancelled already
 */
VKSKIN_API VkskinResult vkskinCancelFrame(VkskinContext context);

/** A place in this frame's region of the palette ring. Valid until the next vkskinBeginFrame or vkskinCancelFrame; then
 * it is refused. */
typedef struct VkskinPalette {
    uint64_t serial;                ///< of its frame, unlike any other frame's or context's; 0 is null
    uint32_t page;                  ///< of the ring
    uint32_t offset;                ///< from the start of the page
    uint32_t boneCount;             ///< entries
    VkskinPaletteEncoding encoding; ///< of each entry
} VkskinPalette;

/**
 * Takes room for a palette in this frame's region. Any number of instances may share it.
 *
 * The memory may be written from any thread. Write it before vkskinRecordUploads or vkskinRecordSkinning; where it is
 * coherent, as the library's own always is, before the submission is enough, save with the CPU backend. Entries may
 * hold any value, a zero scale too; they are not checked.
 *
 * @param context    whose ring
 * @param encoding   how the bones will be stored
 * @param boneCount  entries, 1 up
 * @param palette    receives the place, for vkskinSkinInstances; zero on failure
 * @param data       receives the address of boneCount entries of vkskinPaletteStride(encoding) bytes, 16-byte aligned,
 *                   write-only (it may be write-combined memory), until the frame is submitted; null on failure
 * @retval VKSKIN_ERROR_NULL_ARGUMENT      context, palette or data is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN    no frame yet
 * @retval VKSKIN_ERROR_INVALID_VALUE      the encoding is unknown, or no bones
 * @retval VKSKIN_ERROR_PALETTE_RING_FULL  no page of the region, from the one being filled on, has that much left; the
 *                                         message says how much there is
 */
VKSKIN_API VkskinResult vkskinAllocatePalette(VkskinContext context, VkskinPaletteEncoding encoding, uint32_t boneCount,
                                              VkskinPalette *palette, void **data);

/** Bits of VkskinSkinCommand.flags. */
typedef enum VkskinSkinFlagBits {
    VKSKIN_SKIN_TELEPORT_BIT = 1, ///< the instance jumped: its previous positions shall equal the current ones
    /** Nobody sees the instance in this frame: it is not skinned and keeps its last output, as if there were no
     * command; of the command only instance and flags are looked at. */
    VKSKIN_SKIN_UNSEEN_BIT = 2
} VkskinSkinFlagBits;

/** Skin `instance` from `palette` by `method`. Has no default function: set it to zero, then fill it. */
typedef struct VkskinSkinCommand {
    VkskinInstance instance; ///< not yet skinned in this frame
    VkskinPalette palette;   ///< of this frame and this context, with at least the mesh's bones; zero if it has none
    VkskinMethod method;     ///< zero is linear blend; does not count where the mesh has no bones
    uint32_t flags;          ///< VkskinSkinFlagBits; zero is none
    /** [morphWeightCount], finite, any sign and size; copied by the call, those that are not zero alone. Targets past
     * the array have no weight. Kernels visit only targets with a weight. */
    const float *morphWeights;
    uint32_t morphWeightCount; ///< 0 to the mesh's morphTargetCount
    /** The host's number for all that the output comes from: bones, method, morph weights. Where it is not zero and
     * that of the instance's latest update, in an earlier frame, the instance is not skinned and keeps its last output,
     * as if there were no command; palette, method and morph weights are not looked at then, so the host need not make
     * them. */
    uint64_t poseVersion;
} VkskinSkinCommand;

/**
 * Adds commands to the frame. All are checked before any is taken: on failure none is. Instances that get none keep
 * their last output, at its last place.
 *
 * @param context   whose frame
 * @param commands  [count]; may be null where count is 0
 * @param count     0 up
 * @retval VKSKIN_ERROR_NULL_ARGUMENT       context, commands or morphWeights (where there are any) is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN     no frame yet
 * @retval VKSKIN_ERROR_NULL_HANDLE         an instance is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE        an instance was destroyed, or is of another context
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
 * @param context        whose frame
 * @param commandBuffer  outside a render pass
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context or commandBuffer is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN       no frame yet
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
 * @param context        whose frame
 * @param commandBuffer  outside a render pass
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context or commandBuffer is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN       no frame yet
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
 * @param context        whose frame
 * @param commandBuffer  outside a render pass
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context or commandBuffer is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame yet
 * @retval VKSKIN_ERROR_INVALID_VALUE    it was recorded in this frame already
 */
VKSKIN_API VkskinResult vkskinRecordRelease(VkskinContext context, VkCommandBuffer commandBuffer);

/**
 * The other half of vkskinRecordRelease: takes ownership over, once a frame, after the last vkskinRecordSkinning and
 * before the reads. It is of the frame that was begun last: record it before the next vkskinBeginFrame, also where the
 * drawing is recorded later than that. On one family it records nothing.
 *
 * @param context        whose frame
 * @param commandBuffer  of graphicsQueueFamily, outside a render pass, in a submission that waits by a semaphore for the
 *                       release, the wait's stage mask covering consumerStages
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context or commandBuffer is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame yet
 * @retval VKSKIN_ERROR_INVALID_VALUE    it was recorded in this frame already
 */
VKSKIN_API VkskinResult vkskinRecordAcquire(VkskinContext context, VkCommandBuffer commandBuffer);

/** @} */

/** @defgroup output Output
 *  Where a frame's vertices lie, and how pipelines read them.
 *  @{ */

/** Where an instance's vertices lie. Offsets into `buffer` are multiples of 16. */
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
 * Where the output lies in this frame: ask after vkskinSkinInstances, each frame. The content is there once what
 * vkskinRecordSkinning recorded has run.
 *
 * @param context   where the instance lives
 * @param instance  the handle
 * @param output    receives the place, which holds for this frame
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or output is null
 * @retval VKSKIN_ERROR_NULL_HANDLE    instance is zero
 * @retval VKSKIN_ERROR_STALE_HANDLE   it was destroyed, or is of another context
 * @retval VKSKIN_ERROR_NOT_SKINNED    it was never given to vkskinSkinInstances, or its only command was taken back
 */
VKSKIN_API VkskinResult vkskinGetOutput(VkskinContext context, VkskinInstance instance, VkskinOutput *output);

/**
 * Pages of output there are, for descriptors that pull vertices from storage buffers. vkskinCreateInstance may add one;
 * none goes before the context.
 *
 * @param context  null is allowed
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
 * @param context  whose
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
 * @param context   whose frame
 * @param pass      which
 * @param accesses  [*count], or null to ask for the number alone
 * @param count     the room in `accesses`, not looked at where that is null; receives the number that was written, or
 *                  where `accesses` is null the number there is
 * @retval VKSKIN_WARNING_INCOMPLETE     too little room: the first ones are written
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context or count is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame yet
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
 * @param context        whose frame
 * @param commandBuffer  for the first scope of a frame outside a render pass, since it resets queries
 * @param name           copied, the first VKSKIN_SCOPE_NAME_BYTES - 1 bytes of it; scopes alike in those are of one
 *                       name
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context, commandBuffer or name is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame yet
 * @retval VKSKIN_ERROR_TOO_MANY_SCOPES  maxTimingScopes were begun in this frame, the library's own included
 */
VKSKIN_API VkskinResult vkskinBeginScope(VkskinContext context, VkCommandBuffer commandBuffer, const char *name);

/**
 * Ends the latest span of this frame that has this name and has not ended: one begun in this command buffer before any
 * other, so that threads which record side by side may measure under one name.
 *
 * @param context        whose frame
 * @param commandBuffer  need not be the one that the span began in
 * @param name           as it was begun
 * @retval VKSKIN_ERROR_NULL_ARGUMENT    context, commandBuffer or name is null
 * @retval VKSKIN_ERROR_FRAME_NOT_BEGUN  no frame yet
 * @retval VKSKIN_ERROR_INVALID_VALUE    there is none; not told where timestamps are not supported
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
 * @param context  whose frames
 * @param timings  [*count], or null to ask for the number alone
 * @param count    the room in `timings`, not looked at where that is null; receives the number that was written, or
 *                 where `timings` is null the number there is; 64 at most
 * @param frame    receives the frame's count (1 is the first frame begun, 0: none known yet); may be null
 * @param support  receives whether scopes measure anything; may be null
 * @retval VKSKIN_WARNING_INCOMPLETE          too little room: the first ones, and all else, are written
 * @retval VKSKIN_ERROR_NULL_ARGUMENT         context or count is null
 * @retval VKSKIN_ERROR_OUT_OF_HOST_MEMORY    told by the driver; the next call asks again
 * @retval VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY  likewise
 * @retval VKSKIN_ERROR_DEVICE_LOST           likewise
 * @retval VKSKIN_ERROR_VULKAN                likewise, any other error
 */
VKSKIN_API VkskinResult vkskinGetTimings(VkskinContext context, VkskinTiming *timings, uint32_t *count, uint64_t *frame,
                                         VkskinTimestampSupport *support);

/** @} */

/** @defgroup stats Counters
 *  What a context holds and what a frame did.
 *  @{ */

/**
 * Counters. Those of the frame are set to zero by vkskinBeginFrame.
 *
 * @unstable Which there are follows what the library does.
 */
typedef struct VkskinStats {
    uint64_t frame;              ///< count of vkskinBeginFrame
    VkskinBackend backend;       ///< VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU
    uint32_t instancesSkinned;   ///< in this frame, by vkskinRecordSkinning
    uint32_t instancesUnseen;    ///< commands of this frame that VKSKIN_SKIN_UNSEEN_BIT left out
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
 * The counters as they are now.
 *
 * @param context  whose
 * @param stats    receives them
 * @retval VKSKIN_ERROR_NULL_ARGUMENT  context or stats is null
 */
VKSKIN_API VkskinResult vkskinGetStats(VkskinContext context, VkskinStats *stats);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
