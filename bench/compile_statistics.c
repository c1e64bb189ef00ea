#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"

/* What drivers call a statistic. Several names of a driver are added up. */
static const struct {
    const char *name;
    CompileStatistic statistic;
} STATISTICS[] = {
    /* RADV */
    {"Instructions", COMPILE_INSTRUCTIONS},
    {"VGPRs", COMPILE_VECTOR_REGISTERS},
    {"Pre-Sched VGPRs", COMPILE_VECTOR_REGISTERS_NEEDED},
    {"SGPRs", COMPILE_SCALAR_REGISTERS},
    {"Pre-Sched SGPRs", COMPILE_SCALAR_REGISTERS_NEEDED},
    {"Spilled VGPRs", COMPILE_SPILLS},
    {"Spilled SGPRs", COMPILE_SPILLS},
    {"Scratch size", COMPILE_SCRATCH},
    {"LDS size", COMPILE_SHARED},
    {"Subgroups per SIMD", COMPILE_WAVES},
    {"Latency", COMPILE_LATENCY},
    {"Inverse Throughput", COMPILE_INVERSE_THROUGHPUT},
    /* Intel */
    {"Instruction Count", COMPILE_INSTRUCTIONS},
    {"Spill Count", COMPILE_SPILLS},
    {"Scratch Memory Size", COMPILE_SCRATCH},
    {"Workgroup Memory Size", COMPILE_SHARED},
    {"Cycle Count", COMPILE_LATENCY},
    /* NVIDIA */
    {"Register Count", COMPILE_VECTOR_REGISTERS},
};

static double valueOf(const VkPipelineExecutableStatisticKHR *statistic) {
    switch (statistic->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        return statistic->value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        return (double)statistic->value.i64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
        return (double)statistic->value.u64;
    default:
        return statistic->value.f64;
    }
}

static void addStatistic(const VkPipelineExecutableStatisticKHR *statistic, CompiledKernel *kernel) {
    for (size_t i = 0; i < sizeof STATISTICS / sizeof STATISTICS[0]; i++) {
        if (strcmp(STATISTICS[i].name, statistic->name) == 0) {
            double *value = &kernel->statistics[STATISTICS[i].statistic];
            *value = (isnan(*value) ? 0.0 : *value) + valueOf(statistic);
        }
    }
}

#define STATISTICS_MAX      64
#define REPRESENTATIONS_MAX 16

static bool readStatistics(const Device *device, const VkPipelineExecutableInfoKHR *which, CompiledKernel *kernel,
                           EngineError *error) {
    VkPipelineExecutableStatisticKHR statistics[STATISTICS_MAX];
    uint32_t count = STATISTICS_MAX;
    for (uint32_t i = 0; i < count; i++) {
        statistics[i] =
            (VkPipelineExecutableStatisticKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    }
    for (uint32_t i = 0; i < COMPILE_STATISTIC_COUNT; i++) {
        kernel->statistics[i] = NAN;
    }
    VkResult result = vkGetPipelineExecutableStatisticsKHR(device->handle, which, &count, statistics);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        addStatistic(&statistics[i], kernel);
    }
    return result >= 0 || engineVulkan(error, "vkGetPipelineExecutableStatisticsKHR", result);
}

/* RADV counts the waves of 64 lanes twice from GFX10 on, whose SIMDs have 32 lanes. */
static void correctWaves(const Device *device, CompiledKernel *kernel) {
    const char *name = device->info.name;
    const bool wide = strstr(name, "NAVI") || strstr(name, "GFX1");
    if (device->info.driverId == VK_DRIVER_ID_MESA_RADV && wide && kernel->waveSize == 64) {
        kernel->statistics[COMPILE_WAVES] *= 0.5;
    }
}

static void useAssembly(const VkPipelineExecutableInternalRepresentationKHR *text, FILE *dump, CompiledKernel *kernel) {
    kernel->counts = assemblyCount(text->pData);
    kernel->hasAssembly = kernel->counts.outside.of[OPERATION_SCALAR] > 0;
    if (dump) {
        fprintf(dump, "== %s\n%s\n", kernel->name, (const char *)text->pData);
    }
}

static bool isAssembly(const VkPipelineExecutableInternalRepresentationKHR *text) {
    return text->isText && strstr(text->name, "ssembly");
}

static bool readAssembly(const Device *device, const VkPipelineExecutableInfoKHR *which, FILE *dump,
                         CompiledKernel *kernel, EngineError *error) {
    VkPipelineExecutableInternalRepresentationKHR texts[REPRESENTATIONS_MAX];
    uint32_t count = REPRESENTATIONS_MAX;
    for (uint32_t i = 0; i < count; i++) {
        texts[i] = (VkPipelineExecutableInternalRepresentationKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    }
    VkResult result = vkGetPipelineExecutableInternalRepresentationsKHR(device->handle, which, &count, texts);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        texts[i].pData = calloc(texts[i].dataSize + 1, 1);
        result = texts[i].pData ? result : VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result >= 0) {
        result = vkGetPipelineExecutableInternalRepresentationsKHR(device->handle, which, &count, texts);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (result >= 0 && isAssembly(&texts[i])) {
            useAssembly(&texts[i], dump, kernel);
        }
        free(texts[i].pData);
    }
    return result >= 0 || engineVulkan(error, "vkGetPipelineExecutableInternalRepresentationsKHR", result);
}

bool compileRead(const Device *device, VkPipeline pipeline, const char *name, FILE *dump, CompiledKernel *kernel,
                 EngineError *error) {
    const VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    const VkPipelineExecutableInfoKHR which = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                               .pipeline = pipeline};
    VkPipelineExecutablePropertiesKHR properties = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    uint32_t count = 1;
    VkResult result = vkGetPipelineExecutablePropertiesKHR(device->handle, &info, &count, &properties);
    if (result < 0) {
        return engineVulkan(error, "vkGetPipelineExecutablePropertiesKHR", result);
    }
    *kernel =
        (CompiledKernel){.waveSize = properties.subgroupSize, .bytes = NAN, .paletteBytes = NAN, .instances = 1.0};
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    if (!readStatistics(device, &which, kernel, error) || !readAssembly(device, &which, dump, kernel, error)) {
        return false;
    }
    correctWaves(device, kernel);
    return true;
}
