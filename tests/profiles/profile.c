#include "profile.h"

#define KIB(n) ((VkDeviceSize)(n) << 10)
#define MIB(n) ((VkDeviceSize)(n) << 20)

#define LOCAL    VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define VISIBLE  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define CACHED   VK_MEMORY_PROPERTY_HOST_CACHED_BIT
#define COHERENT (VISIBLE | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

const Profile profiles[PROFILE_COUNT] = {
    [PROFILE_LEAST_LIMITS] = {.name = "least limits",
                              .leastLimits = true,
                              .noTimestamps = true,
                              .typeCount = 2,
                              .types = {{LOCAL, 0}, {COHERENT, 0}},
                              .heaps = {MIB(1024)},
                              .pageSize = MIB(1024)}, /* the library must lower it to what can be bound */
    [PROFILE_INCOHERENT] = {.name = "memory that must be flushed",
                            .atom = 256,
                            .typeCount = 3,
                            .types = {{LOCAL, 0}, {VISIBLE | CACHED, 1}, {COHERENT, 1}},
                            .heaps = {MIB(256), MIB(256)},
                            .hostMemory = true,
                            .pageSize = KIB(256)},
    [PROFILE_STAGING] = {.name = "no local memory that the host can write",
                         .typeCount = 2,
                         .types = {{LOCAL, 0}, {COHERENT, 1}},
                         .heaps = {MIB(256), MIB(256)},
                         .pageSize = KIB(256)},
    [PROFILE_SMALL_HEAPS] = {.name = "heaps of 32 MiB",
                             .typeCount = 2,
                             .types = {{LOCAL, 0}, {COHERENT, 1}},
                             .heaps = {MIB(32), MIB(32)},
                             .pageSize = MIB(1)},
    [PROFILE_NO_TIMESTAMPS] = {.name = "no timestamps", .noTimestamps = true, .pageSize = KIB(256)},
    [PROFILE_SMALL_PAGES] = {.name = "pages of 1 MiB", .pageSize = MIB(1)},
    [PROFILE_LOCAL_FULL] = {.name = "local heaps without room",
                            .typeCount = 4,
                            .types = {{0, 1}, {LOCAL, 0}, {COHERENT, 1}, {LOCAL | COHERENT, 2}},
                            .heaps = {MIB(1), MIB(256), KIB(300)},
                            .pageSize = KIB(256)},
    [PROFILE_LOCAL_FULL_FIRST] = {.name = "local heaps without room, listed first",
                                  .typeCount = 3,
                                  .types = {{LOCAL, 0}, {LOCAL | COHERENT, 2}, {COHERENT, 1}},
                                  .heaps = {MIB(1), MIB(256), KIB(300)},
                                  .pageSize = KIB(256)},
    [PROFILE_FEW_ALLOCATIONS] = {.name = "48 allocations", .maxAllocations = 48, .pageSize = KIB(256)},
    [PROFILE_FEW_TEXELS] = {.name = "65,536 texels a view", .maxTexels = 1u << 16, .pageSize = MIB(4)},
};

/* The required limits of the Vulkan 1.1 specification that compute passes and their buffers use. */
static void lowerLimits(VkPhysicalDeviceLimits *limits) {
    limits->maxTexelBufferElements = 1u << 16;
    limits->maxStorageBufferRange = 1u << 27;
    limits->maxPushConstantsSize = 128;
    limits->maxMemoryAllocationCount = 4096;
    limits->maxBoundDescriptorSets = 4;
    limits->maxPerStageDescriptorStorageBuffers = 4;
    limits->maxPerStageDescriptorSampledImages = 16;
    limits->maxPerStageResources = 128;
    limits->maxDescriptorSetStorageBuffers = 24;
    limits->maxComputeSharedMemorySize = 16384;
    for (int i = 0; i < 3; i++) {
        limits->maxComputeWorkGroupCount[i] = 65535;
    }
    limits->maxComputeWorkGroupInvocations = 128;
    limits->maxComputeWorkGroupSize[0] = 128;
    limits->maxComputeWorkGroupSize[1] = 128;
    limits->maxComputeWorkGroupSize[2] = 64;
    limits->minMemoryMapAlignment = 64;
    limits->minTexelBufferOffsetAlignment = 256;
    limits->minStorageBufferOffsetAlignment = 256;
    limits->nonCoherentAtomSize = 256;
    limits->timestampComputeAndGraphics = VK_FALSE;
}

static VkPhysicalDeviceLimits limitsOf(const Profile *profile, const VkPhysicalDeviceLimits *real) {
    VkPhysicalDeviceLimits limits = *real;
    if (profile->leastLimits) {
        lowerLimits(&limits);
    }
    if (profile->atom != 0) {
        limits.nonCoherentAtomSize = profile->atom;
    }
    if (profile->maxTexels != 0) {
        limits.maxTexelBufferElements = profile->maxTexels;
    }
    if (profile->maxAllocations != 0) {
        limits.maxMemoryAllocationCount = profile->maxAllocations;
    }
    limits.timestampComputeAndGraphics = profile->noTimestamps ? VK_FALSE : limits.timestampComputeAndGraphics;
    return limits;
}

static VkPhysicalDeviceMemoryProperties memoryOf(const Gpu *gpu, const Profile *profile) {
    if (profile->typeCount == 0) {
        return gpu->memory;
    }
    VkPhysicalDeviceMemoryProperties memory = {.memoryTypeCount = profile->typeCount};
    for (uint32_t i = 0; i < profile->typeCount; i++) {
        const ProfileType *type = &profile->types[i];
        memory.memoryTypes[i] = (VkMemoryType){type->flags, type->heap};
        if ((type->flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0) {
            memory.memoryHeaps[type->heap].flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
        }
    }
    while (memory.memoryHeapCount < PROFILE_MAX_HEAPS && profile->heaps[memory.memoryHeapCount] != 0) {
        memory.memoryHeaps[memory.memoryHeapCount].size = profile->heaps[memory.memoryHeapCount];
        memory.memoryHeapCount++;
    }
    return memory;
}

/* ---- What a kernel requires ---- */

#define HEADER_WORDS 5
#define BOUND_WORD   3
#define MAX_BUFFERS  16
#define MAX_BOUND    65536

/* Numbers of the SPIR-V specification. */
enum {
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_CONSTANT_COMPOSITE = 44,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    MODE_LOCAL_SIZE = 17,
    DECORATION_SPEC_ID = 1,
    DECORATION_BUFFER_BLOCK = 3,
    DECORATION_BUILT_IN = 11,
    DECORATION_BINDING = 33,
    DECORATION_DESCRIPTOR_SET = 34,
    BUILT_IN_WORKGROUP_SIZE = 25,
    CAPABILITY_SHADER = 1,
    CAPABILITY_SAMPLED_BUFFER = 46,
    STORAGE_UNIFORM = 2,
    STORAGE_WORKGROUP = 4,
    STORAGE_BUFFER = 12,
};

/* The module that is read. Definitions precede their uses. */
static struct {
    const uint32_t *definitions[MAX_BOUND]; /* the instruction of a pointer type or a constant, by id */
    bool bufferBlocks[MAX_BOUND];           /* types of the older way to declare storage buffers, by id */
    uint32_t places[MAX_BOUND];             /* set << 16 | binding of a variable, by id */
    uint32_t buffers[MAX_BUFFERS];          /* places of storage buffers: variables of one place are one descriptor */
    uint32_t workgroupSize;                 /* the id of that built-in, or 0 */
} module;

static void readDecoration(const uint32_t *instruction, ShaderFacts *facts) {
    uint32_t target = instruction[1], decoration = instruction[2];
    uint32_t value = instruction[0] >> 16 > 3 ? instruction[3] : 0;
    facts->openConstants += decoration == DECORATION_SPEC_ID;
    module.bufferBlocks[target] = module.bufferBlocks[target] || decoration == DECORATION_BUFFER_BLOCK;
    if (decoration == DECORATION_BUILT_IN && value == BUILT_IN_WORKGROUP_SIZE) {
        module.workgroupSize = target;
    }
    module.places[target] |= decoration == DECORATION_DESCRIPTOR_SET ? value << 16
                             : decoration == DECORATION_BINDING      ? value
                                                                     : 0;
    if (decoration == DECORATION_DESCRIPTOR_SET && value + 1 > facts->sets) {
        facts->sets = value + 1;
    }
}

/* Bytes of a type in workgroup storage. Other types than arrays of numbers are taken as one number. */
static uint32_t sharedBytesOf(uint32_t type) {
    const uint32_t *array = module.definitions[type];
    return array == NULL ? 4 : 4 * module.definitions[array[3]][3];
}

static void addBuffer(uint32_t place, ShaderFacts *facts) {
    uint32_t i = 0;
    while (i < facts->storageBuffers && module.buffers[i] != place) {
        i++;
    }
    assert_true(i < MAX_BUFFERS);
    module.buffers[i] = place;
    facts->storageBuffers += i == facts->storageBuffers;
}

static void readInstruction(const uint32_t *instruction, ShaderFacts *facts) {
    switch (instruction[0] & 0xffffu) {
    case OP_EXECUTION_MODE:
        if (instruction[2] == MODE_LOCAL_SIZE) {
            memcpy(facts->workgroupSize, &instruction[3], sizeof facts->workgroupSize);
        }
        break;
    case OP_CAPABILITY:
        if (facts->capability == 0 && instruction[1] != CAPABILITY_SHADER &&
            instruction[1] != CAPABILITY_SAMPLED_BUFFER) {
            facts->capability = instruction[1];
        }
        break;
    case OP_DECORATE:
        readDecoration(instruction, facts);
        break;
    case OP_TYPE_ARRAY:
    case OP_TYPE_POINTER:
        module.definitions[instruction[1]] = instruction;
        break;
    case OP_CONSTANT:
    case OP_CONSTANT_COMPOSITE:
    case OP_SPEC_CONSTANT:
    case OP_SPEC_CONSTANT_COMPOSITE:
        module.definitions[instruction[2]] = instruction;
        break;
    case OP_VARIABLE:
        if (instruction[3] == STORAGE_WORKGROUP) {
            facts->sharedVariables++;
            facts->sharedBytes += sharedBytesOf(module.definitions[instruction[1]][3]);
        }
        if (instruction[3] == STORAGE_BUFFER ||
            (instruction[3] == STORAGE_UNIFORM && module.bufferBlocks[module.definitions[instruction[1]][3]])) {
            addBuffer(module.places[instruction[2]], facts);
        }
        break;
    default:
        break;
    }
}

ShaderFacts shaderFacts(const uint32_t *code, size_t words) {
    ShaderFacts facts = {0};
    assert_true(words > HEADER_WORDS && code[BOUND_WORD] <= MAX_BOUND);
    memset(&module, 0, sizeof module);
    for (size_t at = HEADER_WORDS; at < words; at += code[at] >> 16) {
        readInstruction(&code[at], &facts);
    }
    for (uint32_t i = 0; module.workgroupSize != 0 && i < 3; i++) { /* the built-in overrides the execution mode */
        facts.workgroupSize[i] = module.definitions[module.definitions[module.workgroupSize][3 + i]][3];
    }
    return facts;
}

static bool checkKernel(const uint32_t *code, size_t words) {
    const VkPhysicalDeviceLimits *limits = &interposer.limits;
    InterposerUse *use = &interposer.use;
    ShaderFacts facts = shaderFacts(code, words);
    const uint32_t *size = facts.workgroupSize;
    uint32_t sides[3] = {0}, shared = 0;
    bool good =
        interposerWithin("shared bytes of a kernel", facts.sharedBytes, limits->maxComputeSharedMemorySize, &shared);
    if (facts.openConstants > 0) {
        interposerViolation("vkCreateComputePipelines: %u constants are left open", facts.openConstants);
        good = false;
    }
    if (facts.capability != 0) {
        interposerViolation("vkCreateComputePipelines: a kernel needs SPIR-V capability %u, an optional feature",
                            facts.capability);
        good = false;
    }
    for (int i = 0; i < 3; i++) {
        good =
            interposerWithin("a side of a workgroup", size[i], limits->maxComputeWorkGroupSize[i], &sides[i]) && good;
    }
    return interposerWithin("invocations of a workgroup", size[0] * size[1] * size[2],
                            limits->maxComputeWorkGroupInvocations, &use->invocations) &&
           interposerWithin("storage buffers of a kernel", facts.storageBuffers,
                            limits->maxPerStageDescriptorStorageBuffers, &use->storageBuffers) &&
           interposerWithin("descriptor sets of a kernel", facts.sets, limits->maxBoundDescriptorSets, &use->sets) &&
           good;
}

/* ---- The device ---- */

static const Profile *played;

void profileBegin(Gpu *gpu, ProfileName name) {
    played = &profiles[name];
    interposerBegin(gpu);
    interposer.deviceName = played->name;
    interposer.limits = limitsOf(played, &gpu->properties.limits);
    interposer.memory = memoryOf(gpu, played);
    interposer.ownTypes = played->typeCount > 0;
    interposer.noTimestamps = played->noTimestamps;
    interposer.checkKernel = checkKernel;
}

const Profile *profilePlayed(void) {
    return played;
}

VkskinContextDef profileContextDef(Gpu *gpu) {
    static VkskinVulkanFunctions functions;
    static VkskinMemoryCallbacks memory;
    VkskinContextDef def = gpuContextDef(gpu);
    functions = interposerFunctions();
    memory = interposerMemory();
    def.functions = &functions;
    def.memory.callbacks = played->hostMemory ? &memory : NULL;
    def.memory.firstPageSize = played->pageSize;
    def.memory.pageSize = played->pageSize;
    return def;
}
