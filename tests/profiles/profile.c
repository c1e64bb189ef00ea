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
                              .pageSize = MIB(1024)}, /* to be lowered to what can be bound */
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
    [PROFILE_FEW_ALLOCATIONS] = {.name = "48 allocations", .mostAllocations = 48, .pageSize = KIB(256)},
    [PROFILE_FEW_TEXELS] = {.name = "65,536 texels a view", .mostTexels = 1u << 16, .pageSize = MIB(4)},
};

/* The required limits of the Vulkan 1.1 specification, for what compute passes and their buffers may touch. */
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

VkPhysicalDeviceLimits profileLimits(const Profile *profile, const VkPhysicalDeviceLimits *real) {
    VkPhysicalDeviceLimits limits = *real;
    if (profile->leastLimits) {
        lowerLimits(&limits);
    }
    if (profile->atom != 0) {
        limits.nonCoherentAtomSize = profile->atom;
    }
    if (profile->mostTexels != 0) {
        limits.maxTexelBufferElements = profile->mostTexels;
    }
    if (profile->mostAllocations != 0) {
        limits.maxMemoryAllocationCount = profile->mostAllocations;
    }
    limits.timestampComputeAndGraphics = profile->noTimestamps ? VK_FALSE : limits.timestampComputeAndGraphics;
    return limits;
}
