/*
 * profile_shim.h: a device of a profile, played between the library and the driver as the host's function table.
 *
 * It tells the library the profile's limits, memory and timestamps, and holds it to them: what oversteps a limit is
 * noted as a violation and kept from the driver, heaps run out, allocations are counted. Memory that is not coherent
 * is mapped as a copy of which only flushed ranges reach the device, so that a write without a flush is lost. There is
 * one, as Vulkan's functions carry nothing of the host's; one thread uses it.
 */
#ifndef TESTS_PROFILE_SHIM_H
#define TESTS_PROFILE_SHIM_H

#include "gpu.h"
#include "profile.h"

/* What the library asked for; of limits the most at once. */
typedef struct ProfileUse {
    uint32_t allocations, mostAllocations; /* alive */
    uint32_t refusedAllocations;           /* the heap was full, or there were too many */
    VkDeviceSize heapBytes[VK_MAX_MEMORY_HEAPS], mostHeapBytes[VK_MAX_MEMORY_HEAPS];
    uint32_t typeAllocations[VK_MAX_MEMORY_TYPES]; /* made so far */
    uint32_t flushes;
    VkDeviceSize flushedBytes;

    VkDeviceSize bindingBytes; /* of one descriptor */
    uint32_t sets, storageBuffers, texelBuffers, pushBytes;
    uint32_t texels; /* of one view */
    uint32_t invocations, sharedBytes, groups;
    uint32_t copies, dispatches, timestamps; /* recorded */
} ProfileUse;

typedef struct ProfileShim {
    Gpu *gpu;
    const Profile *profile;
    VkPhysicalDeviceLimits limits;           /* as told to the library */
    VkPhysicalDeviceMemoryProperties memory; /* likewise */
    uint32_t backing;                        /* the driver's memory type behind those of a profile */
    ProfileUse use;
    GpuTexts violations;
} ProfileShim;

extern ProfileShim profileShim;

/* Forgets all, and is a device of this profile from here on. */
void profileShimBegin(Gpu *gpu, const Profile *profile);

/* Fails the running test where a limit was overstepped or an allocation is left over. */
void profileShimEnd(void);

/* A test that says which violations are left at its end. */
int profileTestTeardown(void **state);
#define PROFILE_TEST(function) cmocka_unit_test_setup_teardown(function, gpuTestSetup, profileTestTeardown)

/* The table; entries that no profile changes are null. Pipelines are kept until the device goes. */
VkskinVulkanFunctions profileShimFunctions(void);

/* The host's memory: blocks side by side in a few allocations of the device's, mapped, of the type least coherent. */
VkskinMemoryCallbacks profileShimMemory(void);

/* ---- Between the parts of the shim ---- */

/* Notes a violation; the format is printf's. */
void profileViolation(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Remembers the most of a limited thing; false, and a violation, where it is more than the limit. */
bool profileWithin(const char *what, uint32_t value, uint32_t most, uint32_t *seen);

/* Adds the functions that make kernels. */
void profileKernelFunctions(VkskinVulkanFunctions *functions);

/* Adds the functions that allocate, map and bind. */
void profileMemoryFunctions(VkskinVulkanFunctions *functions);

/* What is left in memory's tables: they are empty again. */
uint32_t profileMemoryForget(void);

/* Notes a buffer, and forgets it. */
void profileBufferMade(VkBuffer buffer, VkDeviceSize size);
void profileBufferGone(VkBuffer buffer);

/* Bytes of a buffer that the library made; notes a violation, and gives 0, for any other. */
VkDeviceSize profileBufferSize(VkBuffer buffer);

#endif
