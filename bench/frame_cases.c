/* frame_cases.c: the table of the cases of whole frames of crowds. Rows with the same baseline are measured side by side. */
#include "case_kinds.h"
#include "count_of.h"

#define FRAME_CASE(name_, summary_, baseline_, backend_, backendName, work_, characters_, percent_, detail_)           \
    .name = (name_), .summary = (summary_), .kind = CASE_DEVICE, .domain = LIMIT_NONE, .backend = (backendName),       \
    .baseline = (baseline_), .functions = &FRAME, .parameters = &(const FrameDef) {                                    \
        (work_), (backend_), (characters_), (percent_), (VkskinCrowdPosing)0, (detail_)                                \
    }
#define ON_KERNELS(name_, summary_, baseline_, work_, characters_, percent_)                                           \
    FRAME_CASE(name_, summary_, baseline_, VKSKIN_BACKEND_COMPUTE, "compute", work_, characters_, percent_, FRAME_FULL)
#define ON_CPU(name_, summary_, baseline_, work_, characters_, percent_)                                               \
    FRAME_CASE(name_, summary_, baseline_, VKSKIN_BACKEND_CPU, "cpu", work_, characters_, percent_, FRAME_FULL)

#define BY_COUNT(curve_, characters_) .framePlot = FRAME_PLOT_COUNT, .curve = (curve_), .instances = (characters_)

/* 14 % of the characters are visible. */
#define COUNT_CASES(count, countText)                                                                                  \
    {ON_KERNELS("frame-all-" #count, countText " characters, instances: all are posed and skinned, in batches",        \
                "frame-all-" #count, FRAME_ALL, count, 14),                                                            \
     BY_COUNT("kernels, all instances", count)},                                                                       \
        {ON_KERNELS("frame-culled-" #count, "instances: the host culls and poses", "frame-all-" #count, FRAME_CULLED,  \
                    count, 14),                                                                                        \
         BY_COUNT("kernels, culled instances", count)},                                                                \
        {ON_KERNELS("frame-crowd-" #count, "a crowd of the device", "frame-all-" #count, FRAME_CROWD, count, 14),      \
         BY_COUNT("kernels, crowd", count)},                                                                           \
        {ON_CPU("frame-culled-" #count "-cpu", countText " characters, instances, the CPU backend",                    \
                "frame-culled-" #count "-cpu", FRAME_CULLED, count, 14),                                               \
         BY_COUNT("CPU backend, culled instances", count)},                                                            \
    {                                                                                                                  \
        ON_CPU("frame-crowd-" #count "-cpu", "a crowd, the CPU backend", "frame-culled-" #count "-cpu", FRAME_CROWD,   \
               count, 14),                                                                                             \
            BY_COUNT("CPU backend, crowd", count)                                                                      \
    }

/* A part of 10,000 characters is visible. */
#define VISIBLE_CASES(percent_)                                                                                        \
    {ON_KERNELS("frame-visible-" #percent_, "10,000 characters of a crowd, " #percent_ " % visible",                   \
                "frame-visible-" #percent_, FRAME_CROWD, 10000, percent_),                                             \
     .framePlot = FRAME_PLOT_VISIBLE, .curve = "kernels", .instances = (percent_)},                                    \
    {                                                                                                                  \
        ON_CPU("frame-visible-" #percent_ "-cpu", "the same with the CPU backend", "frame-visible-" #percent_,         \
               FRAME_CROWD, 10000, percent_),                                                                          \
            .framePlot = FRAME_PLOT_VISIBLE, .curve = "CPU backend", .instances = (percent_)                           \
    }

/* Most of the time is posing: characters of few vertices, all visible. */
#define POSES_CASE(name_, summary_, backend_, backendName, posing_)                                                    \
    .name = (name_), .summary = (summary_), .kind = CASE_DEVICE, .domain = LIMIT_NONE, .backend = (backendName),       \
    .baseline = "pose-crowd", .functions = &FRAME, .parameters = &(const FrameDef) {                                   \
        FRAME_CROWD, (backend_), 4000, 100, (posing_), FRAME_FULL                                                      \
    }

/* Levels of detail: 10,000 characters, 14 % visible. */
#define LEVEL_CASE(name_, suffix, summary_, backend_, backendName, work_, detail_)                                     \
    { FRAME_CASE(name_ suffix, summary_, "levels-culled" suffix, backend_, backendName, work_, 10000, 14, detail_) }
#define LEVEL_CASES(suffix, where, backend, name)                                                                      \
    LEVEL_CASE("levels-culled", suffix, "10,000 characters" where ", instances that the host culls", backend, name,    \
               FRAME_CULLED, FRAME_FULL),                                                                              \
        LEVEL_CASE("levels-one", suffix, "a crowd of one level", backend, name, FRAME_CROWD, FRAME_FULL),              \
        LEVEL_CASE("levels-masks", suffix, "the same with a mask, which all characters show", backend, name,           \
                   FRAME_CROWD, FRAME_MASKS),                                                                          \
        LEVEL_CASE("levels-few", suffix, "a crowd of one level, 40 vertices each", backend, name, FRAME_CROWD,         \
                   FRAME_FEW),                                                                                         \
        LEVEL_CASE("levels-quarter", suffix, "a crowd of one level, skinned in one of four frames", backend, name,     \
                   FRAME_CROWD, FRAME_QUARTER),                                                                        \
        LEVEL_CASE("levels-hand", suffix, "instances with four levels by distance", backend, name, FRAME_CULLED,       \
                   FRAME_LEVELS),                                                                                      \
        LEVEL_CASE("levels-crowd", suffix, "a crowd with these levels", backend, name, FRAME_CROWD, FRAME_LEVELS),     \
        LEVEL_CASE("levels-rates", suffix, "the same with intervals 1, 1, 2, 4", backend, name, FRAME_CROWD,           \
                   FRAME_RATES)

#define LISTS_CASE(name_, summary_, baseline_, domain_, loop_, characters_)                                            \
    .name = (name_), .summary = (summary_), .kind = CASE_CALLS, .domain = (domain_), .backend = "cpu",                 \
    .baseline = (baseline_), .functions = &LISTS, .parameters = &(const ListsDef) {                                    \
        (loop_), (characters_)                                                                                         \
    }

static const BenchCase CASES[] = {
    COUNT_CASES(1000, "1,000"),
    COUNT_CASES(10000, "10,000"),
    COUNT_CASES(100000, "100,000"),
    {ON_KERNELS("frame-kernels-100000", "100,000 characters of a crowd, kernels", "frame-kernels-100000", FRAME_CROWD,
                100000, 14)},
    {ON_CPU("frame-cpu-100000", "the same with the CPU backend", "frame-kernels-100000", FRAME_CROWD, 100000, 14)},
    {ON_CPU("frame-culled-1000000-cpu", "1,000,000 characters, 2 % visible: instances, the CPU backend",
            "frame-culled-1000000-cpu", FRAME_CULLED, 1000000, 2)},
    {ON_CPU("frame-crowd-1000000-cpu", "a crowd, the CPU backend", "frame-culled-1000000-cpu", FRAME_CROWD, 1000000,
            2)},
    {ON_KERNELS("frame-crowd-1000000", "a crowd of the device", "frame-culled-1000000-cpu", FRAME_CROWD, 1000000, 2)},
    VISIBLE_CASES(2),
    VISIBLE_CASES(5),
    VISIBLE_CASES(15),
    VISIBLE_CASES(40),
    VISIBLE_CASES(100),
    {POSES_CASE("pose-crowd", "4,000 characters of a crowd, 40 vertices each: a thread poses a character",
                VKSKIN_BACKEND_COMPUTE, "compute", VKSKIN_CROWD_POSING_THREAD)},
    {POSES_CASE("pose-crowd-group", "the same: a workgroup poses a character", VKSKIN_BACKEND_COMPUTE, "compute",
                VKSKIN_CROWD_POSING_GROUP)},
    {POSES_CASE("pose-crowd-cpu", "the same: the CPU backend", VKSKIN_BACKEND_CPU, "cpu", VKSKIN_CROWD_POSING_THREAD)},
    LEVEL_CASES("", "", VKSKIN_BACKEND_COMPUTE, "compute"),
    LEVEL_CASES("-cpu", ", the CPU backend", VKSKIN_BACKEND_CPU, "cpu"),
    {LISTS_CASE("lists-loop", "culling, slots and lists of 100,000 characters: a plain loop", "lists-loop", LIMIT_NONE,
                true, 100000)},
    {LISTS_CASE("lists", "the same with the stages of the CPU backend", "lists-loop", LIMIT_NONE, false, 100000)},
    {LISTS_CASE("lists-avx2", "the same with AVX2", "lists-loop", LIMIT_NONE, false, 100000), .level = VKSKIN_CPU_AVX2},
    {LISTS_CASE("lists-portable", "the same in portable C", "lists-loop", LIMIT_NONE, false, 100000),
     .level = VKSKIN_CPU_PORTABLE},
    {LISTS_CASE("lists-threads", "the same on all processors", "lists-loop", LIMIT_CPU_THREADS, false, 100000)},
    {LISTS_CASE("lists-loop-1000000", "1,000,000 characters: a plain loop", "lists-loop-1000000", LIMIT_NONE, true,
                1000000)},
    {LISTS_CASE("lists-1000000", "the same with the stages of the CPU backend", "lists-loop-1000000", LIMIT_NONE, false,
                1000000)},
};

CaseTable frameCases(void) {
    return (CaseTable){CASES, COUNT_OF(CASES)};
}
