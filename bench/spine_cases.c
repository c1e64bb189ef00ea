/* spine_cases.c: the table of the cases of 2D characters. Rows with the same baseline are measured side by side. */
#include "case_kinds.h"
#include "count_of.h"

#define POSES(name_, summary_, ...)                                                                                    \
    .name = (name_), .summary = (summary_), .kind = CASE_POSE, .domain = LIMIT_NONE, .backend = "cpu",                 \
    .baseline = "figure-pose", .functions = &SPINE_POSES, .parameters = &(const SpinePoseDef) {                        \
        __VA_ARGS__                                                                                                    \
    }
#define SKINS(name_, summary_, kind_, domain_, backend_, ...)                                                          \
    .name = (name_), .summary = (summary_), .kind = (kind_), .domain = (domain_), .backend = (backend_),               \
    .baseline = "figures-loop", .functions = &SPINE_SKIN, .parameters = &(const SpineSkinDef) {                        \
        __VA_ARGS__                                                                                                    \
    }

#define DRAWN(name_, summary_, backend_, system_)                                                                      \
    .name = (name_), .summary = (summary_), .kind = CASE_DEVICE, .domain = LIMIT_NONE, .backend = (backend_),          \
    .baseline = "figures-drawn", .functions = &SPINE_DRAWN, .parameters = &(const SpineDrawnDef) {                     \
        SKIN_SYSTEM_##system_                                                                                          \
    }

static const BenchCase CASES[] = {
    {POSES("figure-pose", "1,000 2D characters of 60 bones: Bezier keys, 9 constraints", .constraints = true,
           .curves = true)},
    {POSES("figure-pose-linear", "the same with linear keys", .constraints = true)},
    {POSES("figure-pose-free", "Bezier keys, no constraints", .curves = true)},

    {SKINS("figures-loop", "2,000 2D characters of 60 bones and 600 vertices, a position per influence: plain loop",
           CASE_CPU, LIMIT_CPU, "cpu", .work = SPINE_LOOP)},
    {SKINS("figures-cpu", "the same with the library", CASE_CPU, LIMIT_CPU, "cpu", .work = SPINE_CPU)},
    {SKINS("figures-cpu-avx2", "the same with AVX2", CASE_CPU, LIMIT_CPU, "cpu", .work = SPINE_CPU),
     .level = VKSKIN_CPU_AVX2},
    {SKINS("figures-cpu-threads", "the same on all processors", CASE_CPU, LIMIT_CPU_THREADS, "cpu", .work = SPINE_CPU)},
    {SKINS("figures-context-cpu", "with the CPU backend of a context on all processors", CASE_DEVICE, LIMIT_DEVICE,
           "cpu", SPINE_FRAME, VKSKIN_BACKEND_CPU)},
    {SKINS("figures", "with kernels, in one dispatch per influence count", CASE_DEVICE, LIMIT_DEVICE, "compute",
           SPINE_FRAME, VKSKIN_BACKEND_COMPUTE)},

    {DRAWN("figures-drawn", "2,000 2D characters skinned and drawn, 1 pass of 64 x 36 pixels", "compute", COMPUTE)},
    {DRAWN("figures-drawn-uniform-2d", "the same with the system uniform-2d", "vertex shader", UNIFORM_2D)},
};

CaseTable spineCases(void) {
    return (CaseTable){CASES, COUNT_OF(CASES)};
}
