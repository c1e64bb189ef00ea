/* cpu_cases.c: the table of the CPU cases. Rows with the same baseline are measured side by side. */
#include "case_kinds.h"

#define LIMIT(name_, summary_)                                                                                         \
    .name = (name_), .summary = (summary_), .kind = CASE_LIMIT, .backend = "cpu", .functions = &CPU_LIMIT
#define SKIN(name_, summary_, baseline_)                                                                               \
    .name = (name_), .summary = (summary_), .kind = CASE_CPU, .backend = "cpu", .baseline = (baseline_),               \
    .functions = &CPU_SKIN
#define BLENDS(name_, summary_)                                                                                        \
    .name = (name_), .summary = (summary_), .kind = CASE_POSE, .backend = "cpu", .baseline = "blend-64-2",             \
    .functions = &BLEND
#define HITS(name_, summary_, baseline_)                                                                               \
    .name = (name_), .summary = (summary_), .kind = CASE_POSE, .backend = "cpu", .baseline = (baseline_),              \
    .functions = &HIT
#define POSES(name_, summary_, baseline_)                                                                              \
    .name = (name_), .summary = (summary_), .kind = CASE_POSE, .backend = "cpu", .baseline = (baseline_),              \
    .functions = &POSE

/* On one thread, or on all processors. `type` is the type of the parameters. */
#define ALONE(type, ...)                                                                                               \
    .domain = LIMIT_CPU, .parameters = &(const type) {                                                                 \
        __VA_ARGS__                                                                                                    \
    }
#define TOGETHER(type, ...)                                                                                            \
    .domain = LIMIT_CPU_THREADS, .parameters = &(const type) {                                                         \
        __VA_ARGS__                                                                                                    \
    }

#define FLOATS(influences_) .influences = (influences_), .format = VKSKIN_VERTEX_FLOAT
#define POSITIONS           .influences = 4, .positionsAlone = true
#define PACKED              .influences = INFLUENCE_MIX, .format = VKSKIN_VERTEX_PACKED, .weights = VKSKIN_WEIGHTS_UNORM8
#define AVX2                .level = VKSKIN_CPU_AVX2
#define PORTABLE            .level = VKSKIN_CPU_PORTABLE

/* A case for each skinning mode except the default, which has cases of its own: 80 MB, because they are slower. */
#define MODE_CASE(mode_, method, encoding, name_, title, help)                                                         \
    , {                                                                                                                \
        SKIN("cpu-mix-" name_, title ", floats", "cpu-scalar-mix"),                                                    \
            ALONE(CpuSkinDef, FLOATS(INFLUENCE_MIX), .mode = SKIN_MODE_##mode_, .instances = 200)                      \
    }

static const BenchCase CASES[] = {
    {LIMIT("cpu-fill", "memory filled with streaming stores, one thread"), ALONE(CpuLimitDef, .copies = false),
     .quick = true},
    {LIMIT("cpu-copy", "memory copied with streaming stores, one thread"), ALONE(CpuLimitDef, .copies = true),
     .quick = true},
    {LIMIT("cpu-fill-threads", "memory filled with streaming stores, all processors"),
     TOGETHER(CpuLimitDef, .copies = false)},
    {LIMIT("cpu-copy-threads", "memory copied with streaming stores, all processors"),
     TOGETHER(CpuLimitDef, .copies = true)},

    {SKIN("cpu-scalar-pnt-1", "scalar loop: position, normal and tangent, 1 influence, floats", "cpu-scalar-pnt-1"),
     ALONE(CpuSkinDef, .scalar = true, FLOATS(1)), .quick = true},
    {SKIN("cpu-pnt-1", "the same with the library", "cpu-scalar-pnt-1"), ALONE(CpuSkinDef, FLOATS(1)), .quick = true},
    {SKIN("cpu-avx2-pnt-1", "the same with AVX2", "cpu-scalar-pnt-1"), ALONE(CpuSkinDef, FLOATS(1)), AVX2},

    {SKIN("cpu-scalar-pnt-2", "scalar loop, 2 influences", "cpu-scalar-pnt-2"),
     ALONE(CpuSkinDef, .scalar = true, FLOATS(2)), .quick = true},
    {SKIN("cpu-pnt-2", "the same with the library", "cpu-scalar-pnt-2"), ALONE(CpuSkinDef, FLOATS(2)), .quick = true},
    {SKIN("cpu-avx2-pnt-2", "the same with AVX2", "cpu-scalar-pnt-2"), ALONE(CpuSkinDef, FLOATS(2)), AVX2},

    {SKIN("cpu-scalar-pnt-4", "scalar loop, 4 influences", "cpu-scalar-pnt-4"),
     ALONE(CpuSkinDef, .scalar = true, FLOATS(4)), .quick = true},
    {SKIN("cpu-pnt-4", "the same with the library", "cpu-scalar-pnt-4"), ALONE(CpuSkinDef, FLOATS(4)), .quick = true},
    {SKIN("cpu-avx2-pnt-4", "the same with AVX2", "cpu-scalar-pnt-4"), ALONE(CpuSkinDef, FLOATS(4)), AVX2},
    {SKIN("cpu-portable-pnt-4", "the same in portable C", "cpu-scalar-pnt-4"), ALONE(CpuSkinDef, FLOATS(4)), PORTABLE},
    {SKIN("cpu-pnt-4-threads", "the same on all processors", "cpu-scalar-pnt-4"), TOGETHER(CpuSkinDef, FLOATS(4))},

    {SKIN("cpu-scalar-p-4", "scalar loop, positions only, 4 influences", "cpu-scalar-p-4"),
     ALONE(CpuSkinDef, .scalar = true, POSITIONS)},
    {SKIN("cpu-p-4", "the same with the library", "cpu-scalar-p-4"), ALONE(CpuSkinDef, POSITIONS)},
    {SKIN("cpu-avx2-p-4", "the same with AVX2", "cpu-scalar-p-4"), ALONE(CpuSkinDef, POSITIONS), AVX2},

    {SKIN("cpu-scalar-mix", "scalar loop, 1 to 4 influences, floats", "cpu-scalar-mix"),
     ALONE(CpuSkinDef, .scalar = true, FLOATS(INFLUENCE_MIX))},
    {SKIN("cpu-mix", "the same with the library", "cpu-scalar-mix"), ALONE(CpuSkinDef, FLOATS(INFLUENCE_MIX))},
    {SKIN("cpu-mix-packed", "packed normals and tangents", "cpu-scalar-mix"), ALONE(CpuSkinDef, PACKED)},
    {SKIN("cpu-mix-snorm10", "normals and tangents as A2B10G10R10_SNORM_PACK32", "cpu-scalar-mix"),
     ALONE(CpuSkinDef, .influences = INFLUENCE_MIX, .format = VKSKIN_VERTEX_SNORM10, .weights = VKSKIN_WEIGHTS_UNORM8)},
    {SKIN("cpu-mix-interleaved", "packed, in an interleaved vertex of 32 bytes", "cpu-scalar-mix"),
     ALONE(CpuSkinDef, PACKED, .interleaved = true)},
    {SKIN("cpu-avx2-mix-packed", "the same with AVX2", "cpu-scalar-mix"), ALONE(CpuSkinDef, PACKED), AVX2},
    {SKIN("cpu-mix-packed-threads", "the same on all processors", "cpu-scalar-mix"),
     TOGETHER(CpuSkinDef, PACKED)} SKIN_MODE_OTHERS(MODE_CASE),

    {POSES("pose-64-plain", "10,000 characters of 64 bones, three calls for each", "pose-64-plain"),
     ALONE(PoseDef, .batch = false), .quick = true},
    {POSES("pose-64", "the same in one call", "pose-64-plain"), ALONE(PoseDef, .batch = true), .quick = true},
    {POSES("pose-64-avx2", "the same with AVX2", "pose-64-plain"), ALONE(PoseDef, .batch = true), AVX2},
    {POSES("pose-64-portable", "the same in portable C", "pose-64-plain"), ALONE(PoseDef, .batch = true), PORTABLE},
    {POSES("pose-64-threads", "the same on all processors", "pose-64-plain"), TOGETHER(PoseDef, .batch = true)},

    {POSES("pose-64-all-plain", "translation, rotation and scale keys for every bone, three calls for each",
           "pose-64-all-plain"),
     ALONE(PoseDef, .batch = false, .allTracks = true)},
    {POSES("pose-64-all", "the same in one call", "pose-64-all-plain"),
     ALONE(PoseDef, .batch = true, .allTracks = true)},

    {POSES("pose-8-clips", "10,000 characters of 64 bones in 8 clips, one call, float keys", "pose-8-clips"),
     ALONE(PoseDef, .batch = true, .manyClips = true), .quick = true},
    {POSES("pose-8-clips-packed", "the same from a packed set, error at most 1 mm", "pose-8-clips"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .packed = true), .quick = true},
    {POSES("pose-8-clips-blended", "float keys, a second clip for each character", "pose-8-clips"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .blended = true)},
    {POSES("pose-8-clips-blended-packed", "the same from a packed set", "pose-8-clips"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .packed = true, .blended = true)},
    {POSES("pose-8-clips-avx2", "float keys with AVX2", "pose-8-clips-avx2"),
     ALONE(PoseDef, .batch = true, .manyClips = true), AVX2},
    {POSES("pose-8-clips-packed-avx2", "the same from a packed set", "pose-8-clips-avx2"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .packed = true), AVX2},
    {POSES("pose-8-clips-blended-avx2", "float keys, a second clip for each character", "pose-8-clips-avx2"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .blended = true), AVX2},
    {POSES("pose-8-clips-blended-packed-avx2", "the same from a packed set", "pose-8-clips-avx2"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .packed = true, .blended = true), AVX2},
    {POSES("pose-8-clips-portable", "float keys in portable C", "pose-8-clips-portable"),
     ALONE(PoseDef, .batch = true, .manyClips = true), PORTABLE},
    {POSES("pose-8-clips-packed-portable", "the same from a packed set", "pose-8-clips-portable"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .packed = true), PORTABLE},
    {POSES("pose-8-clips-blended-portable", "float keys, a second clip for each character", "pose-8-clips-portable"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .blended = true), PORTABLE},
    {POSES("pose-8-clips-blended-packed-portable", "the same from a packed set", "pose-8-clips-portable"),
     ALONE(PoseDef, .batch = true, .manyClips = true, .packed = true, .blended = true), PORTABLE},
    {POSES("pose-8-clips-packed-threads", "a packed set on all processors", "pose-8-clips-packed"),
     TOGETHER(PoseDef, .batch = true, .manyClips = true, .packed = true)},

    {POSES("pose-8-clips-all", "float translation, rotation and scale keys for every bone, 8 clips, one call",
           "pose-8-clips-all"),
     ALONE(PoseDef, .batch = true, .allTracks = true, .manyClips = true)},
    {POSES("pose-8-clips-all-packed", "the same from a packed set, error at most 1 mm", "pose-8-clips-all"),
     ALONE(PoseDef, .batch = true, .allTracks = true, .manyClips = true, .packed = true)},

    {BLENDS("blend-64-2", "1,000 characters of 64 bones, two layers"), ALONE(BlendDef, .layers = 2)},
    {BLENDS("blend-64-2-masks", "two layers with masks"), ALONE(BlendDef, .layers = 2, .masked = true)},
    {BLENDS("blend-64-4", "four layers"), ALONE(BlendDef, .layers = 4)},
    {BLENDS("two-bone-64", "a two-bone chain reaches a point, time divided by all 64 bones"),
     ALONE(BlendDef, .chain = true)},
    {BLENDS("bound-64", "a box around each pose, time divided by all 64 bones"), ALONE(BlendDef, .bound = true)},
    {BLENDS("spring-64", "a spring of 3 nodes moves on by 1/60 s, time divided by all 64 bones"),
     ALONE(BlendDef, .spring = true)},

    {HITS("hit-skin", "a mesh of 10,000 triangles is skinned for hits, positions only", NULL),
     ALONE(HitDef, .work = HIT_SKIN)},
    {HITS("hit-pose", "its triangles and boxes for hits, time divided by triangles", NULL),
     ALONE(HitDef, .work = HIT_POSE)},
    {HITS("hit-loop", "rays against it: plain loop over all triangles, time divided by rays", "hit-loop"),
     ALONE(HitDef, .work = HIT_LOOP)},
    {HITS("hit-rays", "the same with the library", "hit-loop"), ALONE(HitDef, .work = HIT_RAYS)},
    {HITS("hit-rays-avx2", "the same with AVX2", "hit-loop"), ALONE(HitDef, .work = HIT_RAYS), AVX2},
    {HITS("hit-rays-portable", "the same in portable C", "hit-loop"), ALONE(HitDef, .work = HIT_RAYS), PORTABLE},

    {.name = "ragdoll-16",
     .summary = "a figure of 16 bodies falls, time divided by steps of 1/240 s",
     .kind = CASE_POSE,
     .backend = "cpu",
     .functions = &FALL,
     .domain = LIMIT_CPU},
};

CaseTable cpuCases(void) {
    return (CaseTable){CASES, sizeof CASES / sizeof CASES[0]};
}
