/*
 * compile.h: what a GPU's compiler makes of the kernels: registers, instructions, operations. Nothing runs.
 *
 * The compiler is that of a device with VK_KHR_pipeline_executable_properties, or Mesa's RADV with a family of AMD GPUs,
 * which needs no GPU.
 */
#ifndef BENCH_COMPILE_H
#define BENCH_COMPILE_H

#include <stdio.h>

#include "assembly.h"
#include "device.h"

typedef enum CompileStatistic {
    COMPILE_INSTRUCTIONS,
    COMPILE_VECTOR_REGISTERS,
    COMPILE_VECTOR_REGISTERS_NEEDED, /* before scheduling: the kernel's own demand */
    COMPILE_SCALAR_REGISTERS,
    COMPILE_SCALAR_REGISTERS_NEEDED,
    COMPILE_SPILLS,
    COMPILE_SCRATCH, /* bytes per wave */
    COMPILE_SHARED,  /* bytes per workgroup */
    COMPILE_WAVES,   /* that a SIMD holds at once */
    COMPILE_LATENCY,
    COMPILE_INVERSE_THROUGHPUT,
    COMPILE_STATISTIC_COUNT
} CompileStatistic;

#define COMPILE_NAME_SIZE 96

typedef struct CompiledKernel {
    char name[COMPILE_NAME_SIZE];               /* "linear blend of MAT3X4, packed tangents, 4 influences" */
    uint32_t waveSize;                          /* lanes */
    double statistics[COMPILE_STATISTIC_COUNT]; /* NAN: the driver does not state it */
    bool hasAssembly;                           /* in a notation that assembly.h reads */
    AssemblyCounts counts;
    /* Kernels that skin, per vertex of an instance; NAN: others. */
    double bytes;        /* bytes of memory: output, palette of 64 bones for 5,000 vertices, source for K instances */
    double paletteBytes; /* that are read through the caches */
    double instances;    /* that share what is outside of the loop: K, or 1 */
} CompiledKernel;

#define COMPILE_KERNELS_MAX 160u

/* All kernels of a device. */
typedef struct CompiledDevice {
    const char *family; /* "navi21"; null: a real device */
    DeviceInfo info;
    CompiledKernel kernels[COMPILE_KERNELS_MAX]; /* [count] */
    uint32_t count;
} CompiledDevice;

/* free(devices) releases it. */
typedef struct CompileRun {
    CompiledDevice *devices; /* [count] */
    uint32_t count;
} CompileRun;

/* ---- compile_kernels.c ---- */

/* What compiles. */
typedef struct CompileChoice {
    char **families;      /* [familyCount]: what RADV calls them */
    uint32_t familyCount; /* 0: five families */
    const char *select;   /* DeviceOptions.select of a real device; null: families */
    bool quick;           /* only the main kernels */
    FILE *dump;           /* receives the assembly; null: none */
} CompileChoice;

/* Changes the environment of the process. On failure *run is empty. */
bool compileAll(const CompileChoice *choice, CompileRun *run, EngineError *error);

/* ---- compile_statistics.c ---- */

/* Reads what the driver states about the first stage of a pipeline, which was created with the flags to capture it. */
bool compileRead(const Device *device, VkPipeline pipeline, const char *name, FILE *dump, CompiledKernel *kernel,
                 EngineError *error);

/* ---- compile_report.c ---- */

void compilePrint(FILE *file, const CompileRun *run);

/* One JSON object, for outputJsonWrite; null: out of memory. */
char *compileJson(const CompileRun *run);

#endif
