#include <math.h>
#include <string.h>

#include "compile.h"
#include "count_of.h"
#include "outputs.h"

/* Names in JSON, and headings of the table with the width of their columns. */
static const struct {
    const char *name, *heading;
    int width;
} COLUMNS[COMPILE_STATISTIC_COUNT] = {
    [COMPILE_INSTRUCTIONS] = {"instructions", "instr", 6},
    [COMPILE_VECTOR_REGISTERS] = {"vector_registers", "vgpr", 5},
    [COMPILE_VECTOR_REGISTERS_NEEDED] = {"vector_registers_needed", "need", 5},
    [COMPILE_SCALAR_REGISTERS] = {"scalar_registers", "sgpr", 5},
    [COMPILE_SCALAR_REGISTERS_NEEDED] = {"scalar_registers_needed", "need", 5},
    [COMPILE_SPILLS] = {"spills", "spill", 6},
    [COMPILE_SCRATCH] = {"scratch_bytes", "scr", 4},
    [COMPILE_SHARED] = {"shared_bytes", "lds", 5},
    [COMPILE_WAVES] = {"waves", "waves", 6},
    [COMPILE_LATENCY] = {"latency", "latency", 8},
    [COMPILE_INVERSE_THROUGHPUT] = {"inverse_throughput", "inv.thr", 8},
};

static const char *const KIND_NAMES[OPERATION_KIND_COUNT] = {"vector",        "scalar", "memory",
                                                             "scalar_memory", "shared", "wait"};

/* ---- Model: what bounds a kernel on a GPU, by arithmetic on paper ---- */

typedef struct ModelGpu {
    const char *name;
    const char *family; /* whose kernels stand for it */
    double bandwidth;   /* memory bandwidth, GB/s */
    double lanes;       /* that do an operation in a clock */
    double clock;       /* GHz, the boost clock */
    double lanesOfSimd;
} ModelGpu;

/* Bandwidth, lanes and boost clock; docs/gpu_compiler.md names the source of each. AMD before GFX10: a SIMD of 16 lanes.
 * Operations and waves of GPUs of other vendors are those of navi21. */
static const ModelGpu MODEL_GPUS[] = {
    {"RX 580", "polaris10", 256, 2304, 1.340, 16},    {"RX Vega 64", "vega10", 484, 4096, 1.546, 16},
    {"RX 5700 XT", "navi10", 448, 2560, 1.905, 32},   {"RX 6800 XT", "navi21", 512, 4608, 2.250, 32},
    {"Steam Deck", "navi21", 88, 512, 1.600, 32},     {"Arc A770", "navi21", 560, 4096, 2.100, 32},
    {"RTX 4090", "navi21", 1008, 16384, 2.520, 32},   {"H200", "navi21", 4800, 16896, 1.980, 32}, /* clock: see there */
    {"RX 7900 XTX", "gfx1100", 960, 6144, 2.500, 32},
};

/* The smallest bounds the kernel. */
enum { MEMORY, ARITHMETIC, OCCUPANCY, BOUND_COUNT };
static const char *const BOUND_NAMES[BOUND_COUNT] = {"memory", "arithmetic", "occupancy"};

/* Two loads that wait for each other: the instance's record, then its bones. Both usually come from the second cache. */
#define LOADS_IN_TURN 2.0
#define LOAD_CLOCKS   300.0

/* Vertices per nanosecond. Returns the smallest bound, or BOUND_COUNT: the kernel does not skin, or the GPU stands for another
 * family. */
static int modelBounds(const ModelGpu *gpu, const CompiledDevice *device, const CompiledKernel *kernel,
                       double bounds[BOUND_COUNT]) {
    if (!device->family || strcmp(device->family, gpu->family) != 0 || !isfinite(kernel->bytes) ||
        !kernel->hasAssembly) {
        return BOUND_COUNT;
    }
    const AssemblyCounts *counts = &kernel->counts;
    /* The inner loop takes the influences after the first one: seven of eight. */
    const double operations = counts->loop.of[OPERATION_VECTOR] + 7.0 * counts->inner.of[OPERATION_VECTOR] +
                              counts->outside.of[OPERATION_VECTOR] / kernel->instances;
    const double waves = kernel->statistics[COMPILE_WAVES] * gpu->lanes / gpu->lanesOfSimd;
    const double clocks = LOADS_IN_TURN * LOAD_CLOCKS + operations * kernel->waveSize / gpu->lanesOfSimd;
    bounds[MEMORY] = gpu->bandwidth / kernel->bytes;
    bounds[ARITHMETIC] = gpu->lanes * gpu->clock / operations;
    bounds[OCCUPANCY] = waves * kernel->waveSize * gpu->clock / clocks;
    const int least = bounds[ARITHMETIC] < bounds[MEMORY] ? ARITHMETIC : MEMORY;
    return bounds[OCCUPANCY] < bounds[least] ? OCCUPANCY : least;
}

/* ---- Table ---- */

#define NAME_WIDTH 68

static void printNumber(FILE *file, int width, double number) {
    if (isnan(number)) {
        fprintf(file, "%*s", width, "-");
    } else {
        fprintf(file, "%*.0f", width, number);
    }
}

static void printCounts(FILE *file, const CompiledKernel *kernel, const OperationCounts *counts) {
    static const OperationKind shown[] = {OPERATION_VECTOR, OPERATION_MEMORY, OPERATION_SCALAR_MEMORY};
    for (int i = 0; i < 3; i++) {
        printNumber(file, 4, kernel->hasAssembly ? (double)counts->of[shown[i]] : (double)NAN);
    }
}

static void printKernel(FILE *file, const CompiledKernel *kernel) {
    fprintf(file, "%-*s", NAME_WIDTH, kernel->name);
    for (int s = 0; s < COMPILE_STATISTIC_COUNT; s++) {
        printNumber(file, COLUMNS[s].width, kernel->statistics[s]);
    }
    fputs("  ", file);
    printCounts(file, kernel, &kernel->counts.outside);
    fputs("  ", file);
    printCounts(file, kernel, &kernel->counts.loop);
    fputs("  ", file);
    printCounts(file, kernel, &kernel->counts.inner);
    fputc('\n', file);
}

static void printKernels(FILE *file, const CompiledDevice *device) {
    fprintf(file, "%-*s", NAME_WIDTH, "kernel");
    for (int s = 0; s < COMPILE_STATISTIC_COUNT; s++) {
        fprintf(file, "%*s", COLUMNS[s].width, COLUMNS[s].heading);
    }
    fputs("  outside v m s    in loop v m s   inner v m s\n", file);
    for (uint32_t k = 0; k < device->count; k++) {
        printKernel(file, &device->kernels[k]);
    }
}

/* A row of every kernel that skins: bytes, and the bound on each GPU of the family. */
static void printModelRow(FILE *file, const CompiledDevice *device, const CompiledKernel *kernel) {
    fprintf(file, "%-*s %7.1f %7.0f", NAME_WIDTH, kernel->name, kernel->bytes, kernel->paletteBytes);
    for (uint32_t g = 0; g < COUNT_OF(MODEL_GPUS); g++) {
        double bounds[BOUND_COUNT];
        const int least = modelBounds(&MODEL_GPUS[g], device, kernel, bounds);
        if (least < BOUND_COUNT) {
            fprintf(file, " %7.1f %-10s", bounds[least], BOUND_NAMES[least]);
        }
    }
    fputc('\n', file);
}

static void printModel(FILE *file, const CompiledDevice *device) {
    fprintf(file, "\nmodel, not measured: Gvertices/s and what bounds them\n%-*s %7s %7s", NAME_WIDTH, "kernel",
            "B/vertex", "palette");
    for (uint32_t g = 0; g < COUNT_OF(MODEL_GPUS); g++) {
        if (device->family && strcmp(MODEL_GPUS[g].family, device->family) == 0) {
            fprintf(file, " %-18s", MODEL_GPUS[g].name);
        }
    }
    fputc('\n', file);
    for (uint32_t k = 0; k < device->count; k++) {
        if (isfinite(device->kernels[k].bytes)) {
            printModelRow(file, device, &device->kernels[k]);
        }
    }
}

void compilePrint(FILE *file, const CompileRun *run) {
    for (uint32_t d = 0; d < run->count; d++) {
        const CompiledDevice *device = &run->devices[d];
        fprintf(file, "%sdevice    %s, %s %s\n\n", d > 0 ? "\n" : "", device->info.name, device->info.driverName,
                device->info.driverVersion);
        printKernels(file, device);
        printModel(file, device);
    }
    fputs("\nNothing ran. need: registers before scheduling. waves: of a SIMD at once. v, m, s: vector operations, "
          "memory\n"
          "operations of all lanes, and scalar loads, each counted once; inner: loops in the loop over instances. "
          "B/vertex:\n"
          "bytes of memory of a vertex of an instance; palette: read through the caches. Each model figure is the\n"
          "smallest of three bounds: memory, arithmetic (loop + outside / K) and waves in flight.\n",
          file);
}

/* ---- JSON ---- */

static void addCounts(cJSON *row, const char *name, const CompiledKernel *kernel, const OperationCounts *counts,
                      bool *good) {
    const bool any = kernel->hasAssembly;
    uint32_t all = 0;
    for (int i = 0; i < OPERATION_WAIT; i++) {
        all += counts->of[i];
    }
    cJSON *object = jsonAddObject(row, name, good);
    JSON_ADD(object, good, jsonNumber("operations", numberIf(any, all)));
    for (int i = 0; i < OPERATION_KIND_COUNT; i++) {
        JSON_ADD(object, good, jsonNumber(KIND_NAMES[i], numberIf(any, counts->of[i])));
    }
}

static void addModel(cJSON *row, const CompiledDevice *device, const CompiledKernel *kernel, bool *good) {
    cJSON *model = jsonAddArray(row, "model", good);
    for (uint32_t g = 0; g < COUNT_OF(MODEL_GPUS); g++) {
        double bounds[BOUND_COUNT];
        const int least = modelBounds(&MODEL_GPUS[g], device, kernel, bounds);
        if (least < BOUND_COUNT) {
            cJSON *gpu =
                JSON_ROW(model, good, jsonText("gpu", MODEL_GPUS[g].name), jsonText("limit", BOUND_NAMES[least]));
            for (int b = 0; b < BOUND_COUNT; b++) {
                JSON_ADD(gpu, good, jsonNumber(BOUND_NAMES[b], bounds[b]));
            }
        }
    }
}

static void addKernel(cJSON *kernels, const CompiledDevice *device, const CompiledKernel *kernel, bool *good) {
    const bool skins = isfinite(kernel->bytes);
    cJSON *row = JSON_ROW(kernels, good, jsonText("kernel", kernel->name), jsonNumber("wave_size", kernel->waveSize));
    for (int s = 0; s < COMPILE_STATISTIC_COUNT; s++) {
        JSON_ADD(row, good, jsonNumber(COLUMNS[s].name, kernel->statistics[s]));
    }
    addCounts(row, "outside", kernel, &kernel->counts.outside, good);
    addCounts(row, "loop", kernel, &kernel->counts.loop, good);
    addCounts(row, "inner", kernel, &kernel->counts.inner, good);
    JSON_ADD(row, good, jsonNumber("bytes_per_vertex", kernel->bytes),
             jsonNumber("palette_bytes_per_vertex", numberIf(skins, kernel->paletteBytes)),
             jsonNumber("instances_per_thread", numberIf(skins, kernel->instances)));
    addModel(row, device, kernel, good);
}

char *compileJson(const CompileRun *run) {
    bool good = true;
    cJSON *object = jsonBegin("compile", &good), *devices = jsonAddArray(object, "devices", &good);
    for (uint32_t d = 0; d < run->count; d++) {
        const CompiledDevice *device = &run->devices[d];
        cJSON *row = JSON_ROW(devices, &good, jsonText("family", device->family), jsonText("device", device->info.name),
                              jsonText("driver", device->info.driverName),
                              jsonText("driver_version", device->info.driverVersion));
        cJSON *kernels = jsonAddArray(row, "kernels", &good);
        for (uint32_t k = 0; k < device->count; k++) {
            addKernel(kernels, device, &device->kernels[k], &good);
        }
    }
    return jsonPrint(object, good);
}
