/*
 * device_cases.c: the table of the device cases and the device limits. Rows with the same baseline are measured
 * side by side.
 */
#include "case_kinds.h"

/* The fields that rows of one kind share. */
#define LIMIT(name_, summary_, backend_)                                                                               \
    .name = (name_), .summary = (summary_), .kind = CASE_LIMIT, .domain = LIMIT_DEVICE, .quick = true,                 \
    .backend = (backend_), .functions = &DEVICE_LIMIT
#define CROWD_CASE(name_, summary_, backend_, baseline_, functions_)                                                   \
    .name = (name_), .summary = (summary_), .kind = CASE_DEVICE, .domain = LIMIT_DEVICE, .backend = (backend_),        \
    .baseline = (baseline_), .functions = &(functions_)
#define BASELINE(name_, summary_)           CROWD_CASE(name_, summary_, "compute", name_, BASELINE_CROWD)
#define LIBRARY(name_, summary_, baseline_) CROWD_CASE(name_, summary_, "compute", baseline_, LIBRARY_CROWD)
#define ON_CPU(name_, summary_, baseline_)  CROWD_CASE(name_, summary_, "cpu", baseline_, LIBRARY_CROWD)

/* Parameters. */
#define PASSES(passes_)                                                                                                \
    .parameters = &(const DrawnCrowdDef) {                                                                             \
        .crowd = {.shape = {CROWD(340)}}, .passes = (passes_)                                                          \
    }
#define MOVES(...)                                                                                                     \
    .parameters = &(const DeviceLimitDef) {                                                                            \
        __VA_ARGS__                                                                                                    \
    }
#define SHAPE(...)                                                                                                     \
    .parameters = &(const CrowdShape) {                                                                                \
        __VA_ARGS__                                                                                                    \
    }
#define SKINNED(...)                                                                                                   \
    .parameters = &(const LibraryCrowdDef) {                                                                           \
        __VA_ARGS__                                                                                                    \
    }

/* Vertices, instances, bones, influences. */
#define CROWD(instances_)       5000, (instances_), 64, INFLUENCE_MIX
#define INFLUENCES(influences_) .shape = {5000, 340, 64, (influences_)}
#define SMALL                   300, 5600, 64, INFLUENCE_MIX
#define LARGE                   200000, 16, 64, INFLUENCE_MIX
#define FLOATS                  .format = VKSKIN_VERTEX_FLOAT
#define STORAGE                 .paletteBinding = VKSKIN_PALETTE_BINDING_STORAGE

/* A case for each skinning mode except the default, which has cases of its own. */
#define MODE_CASE(mode_, method, encoding, name_, title, help)                                                         \
    , {                                                                                                                \
        LIBRARY("crowd-mix-" name_, title ", packed", "baseline"),                                                     \
            SKINNED(.shape = {CROWD(340)}, .mode = SKIN_MODE_##mode_)                                                  \
    }

#define BASELINE_CURVE "baseline"
#define LIBRARY_CURVE  "compute, packed"

static const BenchCase CASES[] = {
    {LIMIT("fill-kernel", "memory filled by a kernel", "compute"), MOVES(0)},
    {LIMIT("copy-kernel", "memory copied by a kernel", "compute"), MOVES(.copies = true)},
    {LIMIT("fill-transfer", "memory filled by vkCmdFillBuffer", "transfer"), MOVES(.transfers = true)},
    {LIMIT("copy-transfer", "memory copied by vkCmdCopyBuffer", "transfer"), MOVES(.copies = true, .transfers = true)},

    {BASELINE("baseline", "340 characters of 5,000 vertices, one binding and one dispatch for each"), SHAPE(CROWD(340)),
     .quick = true, .curve = BASELINE_CURVE, .instances = 340},
    {LIBRARY("crowd-mix-packed", "the same with the library: 1 to 4 influences, packed output, its defaults",
             "baseline"),
     SKINNED(.shape = {CROWD(340)}), .quick = true, .curve = LIBRARY_CURVE, .instances = 340},
    {LIBRARY("crowd-mix-same-bytes", "with the same bytes in and out as the baseline", "baseline"),
     SKINNED(.shape = {CROWD(340)}, FLOATS, .weights = VKSKIN_WEIGHTS_UNORM8), .quick = true},

    {LIBRARY("crowd-4-float-k1", "one dispatch: 4 influences, floats, one instance per thread", "baseline"),
     SKINNED(INFLUENCES(4), FLOATS, .instancesPerThread = 1, STORAGE), .step = 1, .stepName = "one dispatch"},
    {LIBRARY("crowd-4-float", "4 influences, floats, the source is read once for several instances", "baseline"),
     SKINNED(INFLUENCES(4), FLOATS, STORAGE), .step = 2, .stepName = "K instances"},
    {LIBRARY("crowd-mix-float", "1 to 4 influences, one kernel per influence count, floats", "baseline"),
     SKINNED(.shape = {CROWD(340)}, FLOATS, STORAGE), .step = 3, .stepName = "influences"},

    {LIBRARY("crowd-mix-packed-storage", "packed output, palettes read as a storage buffer", "baseline"),
     SKINNED(.shape = {CROWD(340)}, STORAGE), .step = 4, .stepName = "packed output"},
    {LIBRARY("crowd-mix-packed-texels", "packed output, palettes read as a texel buffer", "baseline"),
     SKINNED(.shape = {CROWD(340)}, .paletteBinding = VKSKIN_PALETTE_BINDING_TEXELS), .step = 5,
     .stepName = "texel buffer"},

    {LIBRARY("crowd-mix-snorm10", "normals and tangents as A2B10G10R10_SNORM_PACK32", "baseline"),
     SKINNED(.shape = {CROWD(340)}, .format = VKSKIN_VERTEX_SNORM10)},
    {LIBRARY("crowd-mix-packed-tuned", "packed output, with the settings that vkskinTune found on this device",
             "baseline"),
     SKINNED(.shape = {CROWD(340)}, .tuned = true), .step = 6, .stepName = "tuned"},
    {ON_CPU("crowd-mix-packed-cpu", "packed output, with the CPU backend of a context on all processors", "baseline"),
     SKINNED(.shape = {CROWD(340)}, .backend = VKSKIN_BACKEND_CPU), .step = 7, .stepName = "CPU backend"},
    {LIBRARY("crowd-mix-interleaved", "packed, in an interleaved vertex of 32 bytes", "baseline"),
     SKINNED(.shape = {CROWD(340)}, .interleaved = true)},
    {ON_CPU("crowd-mix-interleaved-cpu", "the same with the CPU backend of a context on all processors", "baseline"),
     SKINNED(.shape = {CROWD(340)}, .interleaved = true, .backend = VKSKIN_BACKEND_CPU)},
    {ON_CPU("crowd-mix-same-bytes-cpu", "the same with the bytes of the baseline", "baseline"),
     SKINNED(.shape = {CROWD(340)}, FLOATS, .weights = VKSKIN_WEIGHTS_UNORM8, .backend = VKSKIN_BACKEND_CPU)},
    {LIBRARY("crowd-mix-host-buffer", "packed output into a buffer of the host", "baseline"),
     SKINNED(.shape = {CROWD(340)}, .hostOutput = true)},
    {ON_CPU("crowd-mix-host-buffer-cpu", "the same with the CPU backend of a context on all processors", "baseline"),
     SKINNED(.shape = {CROWD(340)}, .hostOutput = true, .backend = VKSKIN_BACKEND_CPU)},

    {LIBRARY("crowd-1", "1 influence, packed", "baseline"), SKINNED(INFLUENCES(1))},
    {LIBRARY("crowd-2", "2 influences, packed", "baseline"), SKINNED(INFLUENCES(2))},
    {LIBRARY("crowd-4", "4 influences, packed", "baseline"), SKINNED(INFLUENCES(4))},
    {LIBRARY("crowd-8", "8 influences, packed", "baseline"), SKINNED(INFLUENCES(8))} SKIN_MODE_OTHERS(MODE_CASE),

    {BASELINE("baseline-300", "5,600 characters of 300 vertices, one binding and one dispatch for each"), SHAPE(SMALL),
     .quick = true},
    {LIBRARY("crowd-300-packed", "the same with the library, packed", "baseline-300"), SKINNED(.shape = {SMALL}),
     .quick = true},
    {ON_CPU("crowd-300-packed-cpu", "the same with the CPU backend of a context on all processors", "baseline-300"),
     SKINNED(.shape = {SMALL}, .backend = VKSKIN_BACKEND_CPU)},

    {BASELINE("baseline-200000", "16 characters of 200,000 vertices"), SHAPE(LARGE)},
    {LIBRARY("crowd-200000-packed", "the same with the library, packed", "baseline-200000"), SKINNED(.shape = {LARGE})},

    {CROWD_CASE("vertex-shader-1", "skinned in the vertex shader, drawn in one pass as points behind the far plane",
                "vertex shader", "vertex-shader-1", VERTEX_SHADER_CROWD),
     PASSES(1)},
    {CROWD_CASE("compute-drawn-1", "the same skinned once with the library, packed, then drawn", "compute",
                "vertex-shader-1", COMPUTE_DRAWN_CROWD),
     PASSES(1)},
    {CROWD_CASE("vertex-shader-3", "skinned in the vertex shader in each of three passes", "vertex shader",
                "vertex-shader-3", VERTEX_SHADER_CROWD),
     PASSES(3)},
    {CROWD_CASE("compute-drawn-3", "the same skinned once with the library, packed, then drawn three times", "compute",
                "vertex-shader-3", COMPUTE_DRAWN_CROWD),
     PASSES(3)},

    {BASELINE("baseline-one", "one character of 5,000 vertices"), SHAPE(CROWD(1)), .curve = BASELINE_CURVE,
     .instances = 1},
    {LIBRARY("one-character", "the same with the library, packed", "baseline-one"), SKINNED(.shape = {CROWD(1)}),
     .curve = LIBRARY_CURVE, .instances = 1},

    {BASELINE("baseline-16", "16 characters of 5,000 vertices"), SHAPE(CROWD(16)), .curve = BASELINE_CURVE,
     .instances = 16},
    {LIBRARY("crowd-16", "the same with the library, packed", "baseline-16"), SKINNED(.shape = {CROWD(16)}),
     .curve = LIBRARY_CURVE, .instances = 16},

    {BASELINE("baseline-64", "64 characters of 5,000 vertices"), SHAPE(CROWD(64)), .curve = BASELINE_CURVE,
     .instances = 64},
    {LIBRARY("crowd-64", "the same with the library, packed", "baseline-64"), SKINNED(.shape = {CROWD(64)}),
     .curve = LIBRARY_CURVE, .instances = 64},

    {BASELINE("baseline-1024", "1,024 characters of 5,000 vertices"), SHAPE(CROWD(1024)), .curve = BASELINE_CURVE,
     .instances = 1024},
    {LIBRARY("crowd-1024", "the same with the library, packed", "baseline-1024"), SKINNED(.shape = {CROWD(1024)}),
     .curve = LIBRARY_CURVE, .instances = 1024},
    {LIBRARY("crowd-most", "as many characters as fill half of the device memory, packed", "baseline-1024"),
     SKINNED(.shape = {CROWD(LIBRARY_CROWD_MOST)})},
};

CaseTable deviceCases(void) {
    return (CaseTable){CASES, sizeof CASES / sizeof CASES[0]};
}
