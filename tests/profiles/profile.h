/*
 * profile.h: devices that the library must work on, as a table of what they have.
 *
 * Where a profile says nothing, the device is as the real driver has it.
 */
#ifndef TESTS_PROFILE_H
#define TESTS_PROFILE_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

#define PROFILE_MAX_TYPES 4
#define PROFILE_MAX_HEAPS 3

typedef struct ProfileType {
    VkMemoryPropertyFlags flags;
    uint32_t heap;
} ProfileType;

typedef struct Profile {
    const char *name;
    bool leastLimits;         /* every limit that the library may meet is the least that Vulkan 1.1 asks for */
    VkDeviceSize atom;        /* nonCoherentAtomSize; 0: the driver's */
    uint32_t mostTexels;      /* maxTexelBufferElements; 0: the driver's */
    uint32_t mostAllocations; /* maxMemoryAllocationCount; 0: the driver's */
    bool noTimestamps;        /* timestampValidBits is 0 */
    uint32_t typeCount;       /* of memory; 0: the driver's one type, which is all at once */
    ProfileType types[PROFILE_MAX_TYPES];
    VkDeviceSize heaps[PROFILE_MAX_HEAPS]; /* bytes; 0: there is no such heap */

    /* How a host uses such a device. */
    bool hostMemory;       /* it gives the memory itself, mapped, and of a type that is not coherent */
    VkDeviceSize pageSize; /* VkskinContextDef.pageSize */
} Profile;

typedef enum ProfileName {
    PROFILE_LEAST_LIMITS, /* the specification's minimum */
    PROFILE_INCOHERENT,   /* mapped memory must be flushed, in atoms of 256 bytes */
    PROFILE_STAGING,      /* no memory is both the host's to write and local to the device */
    PROFILE_SMALL_HEAPS,  /* 32 MiB for the device, 32 MiB for the host */
    PROFILE_NO_TIMESTAMPS,
    PROFILE_SMALL_PAGES,      /* a host that wants pages of 1 MiB */
    PROFILE_LOCAL_FULL,       /* local heaps without room: other types have some, and come first */
    PROFILE_LOCAL_FULL_FIRST, /* the same on a device that lists local memory first */
    PROFILE_FEW_ALLOCATIONS,  /* so few that every buffer counts */
    PROFILE_FEW_TEXELS,       /* a palette page holds no more than the least that may be viewed */
    PROFILE_COUNT
} ProfileName;

extern const Profile profiles[PROFILE_COUNT];

/* The limits of a real device, changed to those of the profile. */
VkPhysicalDeviceLimits profileLimits(const Profile *profile, const VkPhysicalDeviceLimits *real);

#endif
