#include "tuning.h"

#include <string.h>

#define DEFAULT_WORKGROUP_SIZE 64u /* every device takes 128 */

uint32_t sknMostWorkgroupSize(const Gpu *gpu) {
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
    };
    memcpy(tuning.pipelineCacheUUID, gpu->identity.pipelineCacheUUID, sizeof tuning.pipelineCacheUUID);
    return tuning;
}

/* Of the CPU drivers whose best settings are known. */
#define VENDOR_GOOGLE 0x1ae0u /* SwiftShader */

/*
 * A GPU wants many threads in flight. A CPU runs few, gains from each source vertex read once, and reads four floats as
 * a texel for the price of one as a buffer's word; lavapipe loses that again where the palettes of a thread's instances
 * are more than the nearest cache holds, SwiftShader does so much else for a bone that it does not matter.
 */
static KernelSettings defaultSettings(const Gpu *gpu) {
    bool cpu = gpu->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return (KernelSettings){
        .texels = cpu,
        .workgroupSize = DEFAULT_WORKGROUP_SIZE,
        .instancesPerThread = !cpu                                      ? 4
                              : gpu->identity.vendorID == VENDOR_GOOGLE ? 32
                                                                        : 8,
    };
}

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
    bool instances = tuning->instancesPerThread >= 1 && tuning->instancesPerThread <= MOST_INSTANCES_PER_THREAD;
    bool workgroup = tuning->workgroupSize >= WORKGROUP_STEP && tuning->workgroupSize % WORKGROUP_STEP == 0 &&
                     tuning->workgroupSize <= sknMostWorkgroupSize(gpu);
    return binding && instances && workgroup ? VKSKIN_SUCCESS : refuse(gpu, "is damaged: a setting is out of range");
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
    }
    if (def->paletteBinding != VKSKIN_PALETTE_BINDING_AUTO) {
        settings->texels = def->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS;
    }
    return VKSKIN_SUCCESS;
}
