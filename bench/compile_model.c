#include <math.h>
#include <string.h>

#include "compile.h"

/* Bandwidth, lanes and boost clock; docs/gpu_compiler.md names the source of each. AMD before GFX10: a SIMD of 16 lanes.
 * Operations and waves of GPUs of other vendors are those of navi21. */
const ModelGpu MODEL_GPUS[] = {
    {"RX 580", "polaris10", 256, 2304, 1.340, 16},    {"RX Vega 64", "vega10", 484, 4096, 1.546, 16},
    {"RX 5700 XT", "navi10", 448, 2560, 1.905, 32},   {"RX 6800 XT", "navi21", 512, 4608, 2.250, 32},
    {"Steam Deck", "navi21", 88, 512, 1.600, 32},     {"Arc A770", "navi21", 560, 4096, 2.100, 32},
    {"RTX 4090", "navi21", 1008, 16384, 2.520, 32},   {"H200", "navi21", 4800, 16896, 1.980, 32}, /* clock: see there */
    {"RX 7900 XTX", "gfx1100", 960, 6144, 2.500, 32},
};
const uint32_t MODEL_GPU_COUNT = sizeof MODEL_GPUS / sizeof MODEL_GPUS[0];

/* Two loads that wait for each other: the instance's record, then its bones. Both usually come from the second cache. */
#define LOADS_IN_TURN 2.0
#define LOAD_CLOCKS   300.0

bool modelBounds(const ModelGpu *gpu, const CompiledDevice *device, const CompiledKernel *kernel, ModelBounds *bounds) {
    if (!device->family || strcmp(device->family, gpu->family) != 0 || !isfinite(kernel->bytes) ||
        !kernel->hasAssembly) {
        return false;
    }
    const AssemblyCounts *counts = &kernel->counts;
    /* The inner loop takes the influences after the first one: seven of eight. */
    const double operations = counts->loop.of[OPERATION_VECTOR] + 7.0 * counts->inner.of[OPERATION_VECTOR] +
                              counts->outside.of[OPERATION_VECTOR] / kernel->instances;
    const double waves = kernel->statistics[COMPILE_WAVES] * gpu->lanes / gpu->lanesOfSimd;
    const double clocks = LOADS_IN_TURN * LOAD_CLOCKS + operations * kernel->waveSize / gpu->lanesOfSimd;
    bounds->memory = gpu->bandwidth / kernel->bytes;
    bounds->arithmetic = gpu->lanes * gpu->clock / operations;
    bounds->occupancy = waves * kernel->waveSize * gpu->clock / clocks;
    return true;
}

const char *modelLimit(const ModelBounds *bounds, double *verticesPerNanosecond) {
    *verticesPerNanosecond = fmin(bounds->memory, fmin(bounds->arithmetic, bounds->occupancy));
    return *verticesPerNanosecond == bounds->memory       ? "memory"
           : *verticesPerNanosecond == bounds->arithmetic ? "arithmetic"
                                                          : "occupancy";
}
