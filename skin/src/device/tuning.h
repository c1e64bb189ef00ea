/*
 * tuning.h: the settings of a context's kernels: from the host's VkskinTuning, or defaults for the device.
 */
#ifndef VKSKIN_TUNING_H
#define VKSKIN_TUNING_H

#include "gpu.h"

/* The same for all kernels of a context. */
typedef struct KernelSettings {
    bool texels;         /* read palettes as texels, if the encoding allows */
    bool plainConstants; /* the library specialises the code (specialise.h); else the driver, by VkSpecializationInfo */
    uint32_t workgroupSize;
    uint32_t instancesPerThread;
    uint32_t crowdPosing; /* VkskinCrowdPosing */
} KernelSettings;

#define MAX_INSTANCES_PER_THREAD 64u
#define WORKGROUP_STEP           32u

/* The largest workgroup of the device, in invocations. */
uint32_t sknMaxWorkgroupSize(const Gpu *gpu);

/* The settings for a def. Error: TUNING_MISMATCH. */
VkskinResult sknChooseSettings(const Gpu *gpu, const VkskinContextDef *def, KernelSettings *settings);

/* The settings and the device's identity as a tuning that a host can store. */
VkskinTuning sknDescribeTuning(const Gpu *gpu, const KernelSettings *settings);

#endif
