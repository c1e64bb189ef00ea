/*
 * cpu_cases.c: the table of all that runs on the processor. Rows that share a baseline are measured side by side.
 */
#include "cpu_limits.h"
#include "cpu_skin_case.h"
#include "pose_case.h"

#define PARAMETERS(type, ...)                                                                                          \
    &(const type) {                                                                                                    \
        __VA_ARGS__                                                                                                    \
    }
#define LIMIT(name_, summary_, domain_, quick_, ...)                                                                   \
    {                                                                                                                  \
        .name = name_, .summary = summary_, .kind = CASE_LIMIT, .domain = domain_, .quick = quick_, .backend = "cpu",  \
        .parameters = PARAMETERS(CpuLimit, __VA_ARGS__), .functions = &cpuLimitFunctions                               \
    }
#define SKIN(name_, summary_, domain_, quick_, baseline_, ...)                                                         \
    {                                                                                                                  \
        .name = name_, .summary = summary_, .kind = CASE_CPU, .domain = domain_, .quick = quick_, .backend = "cpu",    \
        .baseline = baseline_, .parameters = PARAMETERS(CpuSkinParameters, __VA_ARGS__),                               \
        .functions = &cpuSkinFunctions                                                                                 \
    }
#define POSE(name_, summary_, domain_, quick_, baseline_, ...)                                                         \
    {                                                                                                                  \
        .name = name_, .summary = summary_, .kind = CASE_POSE, .domain = domain_, .quick = quick_, .backend = "cpu",   \
        .baseline = baseline_, .parameters = PARAMETERS(PoseParameters, __VA_ARGS__), .functions = &poseFunctions      \
    }

/* What most rows share. */
#define FLOATS .format = VKSKIN_VERTEX_FLOAT
#define BLEND(method_, encoding_)                                                                                      \
    .influences = INFLUENCE_MIX, FLOATS, .method = VKSKIN_METHOD_##method_, .encoding = VKSKIN_PALETTE_##encoding_,    \
    .instances = METHOD_INSTANCES
#define METHOD_INSTANCES 200u /* 80 MB: the other methods take their time */

static const BenchCase CASES[] = {
    LIMIT("cpu-fill", "memory filled by streaming stores, one thread", LIMIT_CPU, true, .copy = false),
    LIMIT("cpu-copy", "memory copied by streaming stores, one thread", LIMIT_CPU, true, .copy = true),
    LIMIT("cpu-fill-threads", "memory filled by streaming stores, all processors", LIMIT_CPU_THREADS, false,
          .threads = true),
    LIMIT("cpu-copy-threads", "memory copied by streaming stores, all processors", LIMIT_CPU_THREADS, false,
          .copy = true, .threads = true),

    SKIN("cpu-scalar-pnt-1", "scalar loop, 1 influence", LIMIT_CPU, true, "cpu-scalar-pnt-1", .scalar = true,
         .influences = 1, FLOATS),
    SKIN("cpu-pnt-1", "position, normal and tangent, 1 influence, floats", LIMIT_CPU, true, "cpu-scalar-pnt-1",
         .influences = 1, FLOATS),
    SKIN("cpu-avx2-pnt-1", "the same by AVX2", LIMIT_CPU, false, "cpu-scalar-pnt-1", .level = VKSKIN_CPU_AVX2,
         .influences = 1, FLOATS),

    SKIN("cpu-scalar-pnt-2", "scalar loop, 2 influences", LIMIT_CPU, true, "cpu-scalar-pnt-2", .scalar = true,
         .influences = 2, FLOATS),
    SKIN("cpu-pnt-2", "position, normal and tangent, 2 influences, floats", LIMIT_CPU, true, "cpu-scalar-pnt-2",
         .influences = 2, FLOATS),
    SKIN("cpu-avx2-pnt-2", "the same by AVX2", LIMIT_CPU, false, "cpu-scalar-pnt-2", .level = VKSKIN_CPU_AVX2,
         .influences = 2, FLOATS),

    SKIN("cpu-scalar-pnt-4", "scalar loop, 4 influences", LIMIT_CPU, true, "cpu-scalar-pnt-4", .scalar = true,
         .influences = 4, FLOATS),
    SKIN("cpu-pnt-4", "position, normal and tangent, 4 influences, floats", LIMIT_CPU, true, "cpu-scalar-pnt-4",
         .influences = 4, FLOATS),
    SKIN("cpu-avx2-pnt-4", "the same by AVX2", LIMIT_CPU, false, "cpu-scalar-pnt-4", .level = VKSKIN_CPU_AVX2,
         .influences = 4, FLOATS),
    SKIN("cpu-portable-pnt-4", "the same by portable C", LIMIT_CPU, false, "cpu-scalar-pnt-4",
         .level = VKSKIN_CPU_PORTABLE, .influences = 4, FLOATS),
    SKIN("cpu-pnt-4-threads", "the same by all processors", LIMIT_CPU_THREADS, false, "cpu-scalar-pnt-4",
         .threads = true, .influences = 4, FLOATS),

    SKIN("cpu-scalar-p-4", "scalar loop, positions alone, 4 influences", LIMIT_CPU, false, "cpu-scalar-p-4",
         .scalar = true, .influences = 4, .positionsAlone = true),
    SKIN("cpu-p-4", "positions alone, 4 influences", LIMIT_CPU, false, "cpu-scalar-p-4", .influences = 4,
         .positionsAlone = true),
    SKIN("cpu-avx2-p-4", "the same by AVX2", LIMIT_CPU, false, "cpu-scalar-p-4", .level = VKSKIN_CPU_AVX2,
         .influences = 4, .positionsAlone = true),

    SKIN("cpu-scalar-mix", "scalar loop, 1 to 4 influences, floats", LIMIT_CPU, false, "cpu-scalar-mix", .scalar = true,
         .influences = INFLUENCE_MIX, FLOATS),
    SKIN("cpu-mix", "1 to 4 influences, floats", LIMIT_CPU, false, "cpu-scalar-mix", .influences = INFLUENCE_MIX,
         FLOATS),
    SKIN("cpu-mix-packed", "1 to 4 influences, packed normals and tangents", LIMIT_CPU, false, "cpu-scalar-mix",
         .influences = INFLUENCE_MIX, .format = VKSKIN_VERTEX_PACKED, .weights = VKSKIN_WEIGHTS_UNORM8),
    SKIN("cpu-mix-packed-threads", "the same by all processors", LIMIT_CPU_THREADS, false, "cpu-scalar-mix",
         .threads = true, .influences = INFLUENCE_MIX, .format = VKSKIN_VERTEX_PACKED,
         .weights = VKSKIN_WEIGHTS_UNORM8),
    SKIN("cpu-mix-quaternion", "floats, palette of quaternions", LIMIT_CPU, false, "cpu-scalar-mix",
         BLEND(LINEAR_BLEND, QUATERNION)),
    SKIN("cpu-mix-dqs", "floats, dual quaternions", LIMIT_CPU, false, "cpu-scalar-mix",
         BLEND(DUAL_QUATERNION, DUAL_QUATERNION)),
    SKIN("cpu-mix-scaled-dqs", "floats, scaled dual quaternions", LIMIT_CPU, false, "cpu-scalar-mix",
         BLEND(SCALED_DUAL_QUATERNION, SCALED_DUAL_QUATERNION)),
    SKIN("cpu-mix-painted", "floats, painted blend of the two", LIMIT_CPU, false, "cpu-scalar-mix",
         BLEND(PAINTED_BLEND, SCALED_DUAL_QUATERNION)),
    SKIN("cpu-mix-centres", "floats, centres of rotation", LIMIT_CPU, false, "cpu-scalar-mix",
         BLEND(CENTRES_OF_ROTATION, SCALED_DUAL_QUATERNION)),

    POSE("pose-64-plain", "10,000 characters of 64 bones, three calls for each", LIMIT_CPU, true, "pose-64-plain",
         .way = POSE_ONE_BY_ONE),
    POSE("pose-64", "the same in one call", LIMIT_CPU, true, "pose-64-plain", .way = POSE_CROWD),
    POSE("pose-64-avx2", "the same by AVX2", LIMIT_CPU, false, "pose-64-plain", .way = POSE_CROWD,
         .level = VKSKIN_CPU_AVX2),
    POSE("pose-64-portable", "the same by portable C", LIMIT_CPU, false, "pose-64-plain", .way = POSE_CROWD,
         .level = VKSKIN_CPU_PORTABLE),
    POSE("pose-64-threads", "the same by all processors", LIMIT_CPU_THREADS, false, "pose-64-plain", .way = POSE_CROWD,
         .threads = true),
    POSE("pose-64-all-plain", "every bone moved, turned and scaled by keys, three calls for each", LIMIT_CPU, false,
         "pose-64-all-plain", .way = POSE_ONE_BY_ONE, .allTracks = true),
    POSE("pose-64-all", "the same in one call", LIMIT_CPU, false, "pose-64-all-plain", .way = POSE_CROWD,
         .allTracks = true),
};

CaseTable cpuCases(void) {
    return (CaseTable){CASES, sizeof CASES / sizeof *CASES};
}
