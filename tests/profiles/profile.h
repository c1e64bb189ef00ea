/*
 * profile.h: devices that the library must work on, as a table of their limits and memory.
 *
 * Where a profile says nothing, the device is as the driver has it. profileBegin makes the interposer play a profile.
 */
#ifndef TESTS_PROFILE_H
#define TESTS_PROFILE_H

#include "interposer.h"

#define PROFILE_MAX_TYPES 4
#define PROFILE_MAX_HEAPS 3

typedef struct ProfileType {
    VkMemoryPropertyFlags flags;
    uint32_t heap;
} ProfileType;

typedef struct Profile {
    const char *name;
    bool leastLimits;        /* every limit is the minimum that Vulkan 1.1 requires */
    VkDeviceSize atom;       /* nonCoherentAtomSize; 0: the driver's */
    uint32_t maxTexels;      /* maxTexelBufferElements; 0: the driver's */
    uint32_t maxAllocations; /* maxMemoryAllocationCount; 0: the driver's */
    bool noTimestamps;       /* timestampValidBits is 0 */
    uint32_t typeCount;      /* memory types; 0: the driver's one type, which has all properties */
    ProfileType types[PROFILE_MAX_TYPES];
    VkDeviceSize heaps[PROFILE_MAX_HEAPS]; /* bytes; 0: no such heap */

    /* How the host uses such a device. */
    bool hostMemory;       /* it allocates the memory itself, mapped, of a type that is not coherent */
    VkDeviceSize pageSize; /* VkskinMemoryDef.pageSize */
} Profile;

typedef enum ProfileName {
    PROFILE_LEAST_LIMITS, /* the specification's minimum */
    PROFILE_INCOHERENT,   /* mapped memory must be flushed, in atoms of 256 bytes */
    PROFILE_STAGING,      /* no device-local memory is visible to the host */
    PROFILE_SMALL_HEAPS,  /* 32 MiB for the device, 32 MiB for the host */
    PROFILE_NO_TIMESTAMPS,
    PROFILE_SMALL_PAGES,      /* the host wants pages of 1 MiB */
    PROFILE_LOCAL_FULL,       /* device-local heaps are full: other types have room, and come first */
    PROFILE_LOCAL_FULL_FIRST, /* the same on a device that lists device-local memory first */
    PROFILE_FEW_ALLOCATIONS,  /* so few that every buffer matters */
    PROFILE_FEW_TEXELS,       /* palette pages hold no more than the smallest view that Vulkan 1.1 allows */
    PROFILE_COUNT
} ProfileName;

extern const Profile profiles[PROFILE_COUNT];

/* The interposer is a device of this profile from here on. */
void profileBegin(Gpu *gpu, ProfileName name);

/* A context def for that device. */
VkskinContextDef profileContextDef(Gpu *gpu);

/* The profile that is played. */
const Profile *profilePlayed(void);

/* ---- Kernels ---- */

/* What a compute shader requires of a device, read from its SPIR-V. */
typedef struct ShaderFacts {
    uint32_t workgroupSize[3];
    uint32_t sharedVariables; /* in workgroup storage */
    uint32_t sharedBytes;     /* bytes of these: 32-bit numbers and arrays of them */
    uint32_t storageBuffers;  /* descriptors */
    uint32_t sets;            /* the highest descriptor set of a variable, plus one */
    uint32_t openConstants;   /* specialisation constants */
    uint32_t capability;      /* the first one that needs an optional feature of the device; 0: none */
} ShaderFacts;

/* code: `words` words of a valid module with one entry point. */
ShaderFacts shaderFacts(const uint32_t *code, size_t words);

#endif
