/*
 * tuning.h: the settings of a context's kernels: by the host's tuning, else by the type of device.
 */
#ifndef VKSKIN_TUNING_H
#define VKSKIN_TUNING_H

#include "gpu.h"

/* What holds for all kernels of a context. */
typedef struct KernelSettings {
    bool texels; /* palettes are read as texels where they can be */
    uint32_t workgroupSize;
    uint32_t instancesPerThread;
} KernelSettings;

#define MOST_INSTANCES_PER_THREAD 64u
#define WORKGROUP_STEP            32u

uint32_t sknMostWorkgroupSize(const Gpu *gpu);

/* What the def asks for. Error: TUNING_MISMATCH. */
VkskinResult sknChooseSettings(const Gpu *gpu, const VkskinContextDef *def, KernelSettings *settings);

/* The settings with the device's identity. */
VkskinTuning sknDescribeTuning(const Gpu *gpu, const KernelSettings *settings);

#endif
