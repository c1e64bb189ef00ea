#include "tuning.h"

#include <string.h>

uint32_t sknMaxWorkgroupSize(const Gpu *gpu) {
    const VkPhysicalDeviceLimits *limits = &gpu->limits;
    return limits->maxComputeWorkGroupInvocations < limits->maxComputeWorkGroupSize[0]
               ? limits->maxComputeWorkGroupInvocations
               : limits->maxComputeWorkGroupSize[0];
}

VkskinTuning sknDescribeTuning(const Gpu *gpu, const KernelSettings *settings) {
    VkskinTuning tuning = {
        .version = VKSKIN_VERSION,
        .vendorID = gpu->identity.vendorID,
        .deviceID = gpu->identity.deviceID,
        .driverVersion = gpu->identity.driverVersion,
        .paletteBinding = settings->texels ? VKSKIN_PALETTE_BINDING_TEXELS : VKSKIN_PALETTE_BINDING_STORAGE,
        .instancesPerThread = settings->instancesPerThread,
        .workgroupSize = settings->workgroupSize,
        .crowdPosing = settings->crowdPosing,
    };
    memcpy(tuning.pipelineCacheUUID, gpu->identity.pipelineCacheUUID, sizeof tuning.pipelineCacheUUID);
    return tuning;
}

/* ---- Defaults by device ---- */

#define ANY_TYPE      VK_PHYSICAL_DEVICE_TYPE_MAX_ENUM
#define ANY_VENDOR    0u
#define VENDOR_GOOGLE 0x1ae0u

typedef struct DeviceDefaults {
    VkPhysicalDeviceType type;
    uint32_t vendorID;
    KernelSettings settings;
} DeviceDefaults;

/*
 * The first row that fits the device holds. Measured on SwiftShader and lavapipe; see docs/performance.md.
 * A CPU gains where a thread reads a source vertex once for many instances, and where it reads four floats as a texel.
 * On lavapipe more than 8 instances per thread are slower: their palettes exceed the first cache.
 * A GPU needs many threads in flight: a workgroup poses a character of a crowd. CPU drivers lose there by barriers. Of GPUs
 * only what every driver supports is assumed.
 */
static const DeviceDefaults deviceDefaults[] = {
    /* SwiftShader */
    {VK_PHYSICAL_DEVICE_TYPE_CPU,
     VENDOR_GOOGLE,
     {.texels = true,
      .plainConstants = true,
      .workgroupSize = 64,
      .instancesPerThread = 32,
      .crowdPosing = VKSKIN_CROWD_POSING_THREAD}},
    /* lavapipe and other CPU drivers */
    {VK_PHYSICAL_DEVICE_TYPE_CPU,
     ANY_VENDOR,
     {.texels = true,
      .plainConstants = true,
      .workgroupSize = 64,
      .instancesPerThread = 8,
      .crowdPosing = VKSKIN_CROWD_POSING_THREAD}},
    /* all other devices */
    {ANY_TYPE,
     ANY_VENDOR,
     {.texels = false,
      .plainConstants = false,
      .workgroupSize = 64,
      .instancesPerThread = 4,
      .crowdPosing = VKSKIN_CROWD_POSING_GROUP}},
};

static KernelSettings defaultSettings(const Gpu *gpu) {
    const DeviceDefaults *row = deviceDefaults;
    while ((row->type != ANY_TYPE && row->type != gpu->deviceType) ||
           (row->vendorID != ANY_VENDOR && row->vendorID != gpu->identity.vendorID)) {
        row++; /* the last row fits all */
    }
    return row->settings;
}

/* ---- Tunings ---- */

static VkskinResult refuse(const Gpu *gpu, const char *why) {
    return sknReport(&gpu->logger, VKSKIN_ERROR_TUNING_MISMATCH, "vkskinCreateContext: the tuning %s: tune anew", why);
}

static VkskinResult checkTuning(const Gpu *gpu, const VkskinTuning *tuning) {
    const VkskinTuning own = sknDescribeTuning(gpu, &(KernelSettings){0});
    if (tuning->version != own.version) {
        return refuse(gpu, "is of another version of the library");
    }
    if (tuning->vendorID != own.vendorID || tuning->deviceID != own.deviceID) {
        return refuse(gpu, "is of another device");
    }
    if (tuning->driverVersion != own.driverVersion ||
        memcmp(tuning->pipelineCacheUUID, own.pipelineCacheUUID, sizeof own.pipelineCacheUUID) != 0) {
        return refuse(gpu, "is of another driver");
    }
    bool binding = tuning->paletteBinding == VKSKIN_PALETTE_BINDING_STORAGE ||
                   tuning->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS;
    bool instances = tuning->instancesPerThread >= 1 && tuning->instancesPerThread <= MAX_INSTANCES_PER_THREAD;
    bool workgroup = tuning->workgroupSize >= WORKGROUP_STEP && tuning->workgroupSize % WORKGROUP_STEP == 0 &&
                     tuning->workgroupSize <= sknMaxWorkgroupSize(gpu);
    bool posing = tuning->crowdPosing == VKSKIN_CROWD_POSING_THREAD || tuning->crowdPosing == VKSKIN_CROWD_POSING_GROUP;
    return binding && instances && workgroup && posing ? VKSKIN_SUCCESS
                                                       : refuse(gpu, "is damaged: a setting is out of range");
}

VkskinResult sknChooseSettings(const Gpu *gpu, const VkskinContextDef *def, KernelSettings *settings) {
    *settings = defaultSettings(gpu);
    const VkskinTuning *tuning = def->tuning;
    if (tuning != NULL) {
        VkskinResult result = checkTuning(gpu, tuning);
        if (result < 0) {
            return result;
        }
        settings->texels = tuning->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS;
        settings->workgroupSize = tuning->workgroupSize;
        settings->instancesPerThread = tuning->instancesPerThread;
        settings->crowdPosing = tuning->crowdPosing;
    }
    if (def->paletteBinding != VKSKIN_PALETTE_BINDING_AUTO) {
        settings->texels = def->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS;
    }
    return VKSKIN_SUCCESS;
}
