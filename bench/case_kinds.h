/*
 * case_kinds.h: the kinds of work that cases do, and their parameters (BenchCase.parameters).
 */
#ifndef BENCH_CASE_KINDS_H
#define BENCH_CASE_KINDS_H

#include "bench_case.h"
#include "crowd_scene.h"
#include "skin_choice.h"

/* ---- Limits: the bandwidth of memories ---- */

typedef struct DeviceLimitDef {
    bool copies;    /* false: fills */
    bool transfers; /* by a transfer command; false: by a kernel */
} DeviceLimitDef;

/* device_limit.c: a buffer of the device is filled or copied. */
extern const CaseFunctions DEVICE_LIMIT;

typedef struct CpuLimitDef {
    bool copies; /* false: fills */
} CpuLimitDef;

/*
 * cpu_limits.c: host memory is filled or copied with streaming stores, which bypass the caches, so that a write does not
 * read. The widest of the machine; on machines other than x86-64 these are plain stores. Measured by the bytes that are
 * written.
 */
extern const CaseFunctions CPU_LIMIT;

/* Fills `bytes` with a word in this way. Address and size are multiples of 64. parallel: as in VkskinCpuRun; null: the
 * calling thread only. */
void cpuStreamFill(void *bytes, size_t size, uint32_t word, VkskinParallelFn parallel);

/* An interleaved vertex of 32 bytes: position, normal, tangent, and room for texture coordinates and a colour. */
#define CROWD_INTERLEAVED_LAYOUT                                                                                       \
    {                                                                                                                  \
        .streamCount = 1, .strides = {32}, .position = {0, 0}, .normal = {0, 12}, .tangent = { 0, 16 }                 \
    }

/* ---- Crowds on the device ---- */

/*
 * baseline_crowd.c: how engines commonly skin a crowd today. Each instance binds its own source, palette and output
 * (one set with dynamic offsets) and has its own dispatch. One thread per vertex, workgroups of 64, always four
 * influences, 48 bytes of source and 40 of output per vertex, 3x4 float matrices in a storage buffer, no barrier between
 * instances. Parameters: a CrowdShape of at most 4 influences and 256 bones.
 */
extern const CaseFunctions BASELINE_CROWD;

/* For CrowdShape.instances: as many as fill half of the device memory. */
#define LIBRARY_CROWD_MOST 0

typedef struct LibraryCrowdDef {
    CrowdShape shape; /* instances may be LIBRARY_CROWD_MOST */
    SkinMode mode;
    VkskinVertexFormat format;
    VkskinWeightFormat weights;
    uint32_t instancesPerThread;         /* 0: the library's choice */
    VkskinPaletteBinding paletteBinding; /* zero is the library's choice */
    bool tuned;                          /* vkskinTune runs first */
    VkskinBackend backend;               /* zero is compute; the CPU backend uses all processors */
    bool interleaved;                    /* packed vertices in one stream: CROWD_INTERLEAVED_LAYOUT */
    bool hostOutput;                     /* into one buffer of the host, else into pages of the library */
} LibraryCrowdDef;

/*
 * library_crowd.c: one mesh, and an instance and a palette for each character. The work is what vkskinRecordSkinning
 * records, or does with the CPU backend. The host time is that of vkskinAllocatePalettes, vkskinSkinInstances and, with
 * kernels, vkskinRecordSkinning. Writing palettes does not count: the pose cases measure it.
 */
extern const CaseFunctions LIBRARY_CROWD;

typedef struct DrawnCrowdDef {
    LibraryCrowdDef crowd; /* packed; the vertex shader uses only the shape */
    uint32_t passes;
} DrawnCrowdDef;

/*
 * drawn_crowd.c: a crowd that is drawn in several passes. It is skinned in the vertex shader of each pass, which reads
 * 48 bytes of source and a matrix palette, or once in the library's compute pass, and each pass pulls its output of 20
 * bytes per vertex. The time covers skinning and vertex work: all points lie behind the far plane.
 */
extern const CaseFunctions VERTEX_SHADER_CROWD, COMPUTE_DRAWN_CROWD;

/* ---- On the processor ---- */

/* Meshes have 10,000 vertices and 64 joints. */
typedef struct CpuSkinDef {
    bool scalar;         /* the scalar loop instead of the library: linear blending, floats, one thread */
    uint32_t influences; /* as in CrowdShape */
    bool positionsAlone; /* no normals and tangents */
    VkskinVertexFormat format;
    VkskinWeightFormat weights;
    SkinMode mode;
    uint32_t instances; /* 0: CPU_INSTANCES */
    bool interleaved;   /* packed vertices in one stream: CROWD_INTERLEAVED_LAYOUT */
} CpuSkinDef;

#define CPU_INSTANCES       600u /* 240 MB of floats */
#define CPU_QUICK_INSTANCES 200u /* at most, under --quick */

/* cpu_skin_case.c: crowds skinned on the CPU into host memory, with the library or with the scalar loop. */
extern const CaseFunctions CPU_SKIN;

typedef struct PoseDef {
    bool batch;     /* vkskinPoseBatch for all; else vkskinSampleClip, vkskinComposePose, vkskinWritePalette for each */
    bool allTracks; /* translation, rotation and scale of every bone, as exporters write them; else every rotation and
                     * the translation of the root, as in motion capture */
    bool packed;    /* with `batch`: from a packed animation set with an error of at most 1 mm */
    bool manyClips; /* 8 clips; else one */
    bool blended;   /* with `batch`: a second clip for each character */
} PoseDef;

/* pose_case.c: characters are sampled, composed and written as 3x4 palettes. */
extern const CaseFunctions POSE;

typedef struct BlendDef {
    uint32_t layers; /* for vkskinBlendLayers, 2 to 4 */
    bool masked;     /* with a mask */
    bool chain;      /* instead: vkskinSolveTwoBone of one chain, and the nodes below it composed again */
    bool bound;      /* instead: vkskinBoundPose */
    bool spring;     /* instead: vkskinStepSpring of one chain, 1/60 s */
} BlendDef;

/* blend_case.c: local poses of one character after another are blended, or solved. */
extern const CaseFunctions BLEND;

typedef enum HitWork {
    HIT_SKIN, /* vkskinSkinOnCpu of the positions; time divided by vertices */
    HIT_POSE, /* vkskinWriteHitPose; by triangles */
    HIT_RAYS, /* vkskinTraceRays; by rays */
    HIT_LOOP  /* plain loop over all triangles with the same test; by rays */
} HitWork;

typedef struct HitDef {
    HitWork work;
} HitDef;

/* hit_case.c: rays against 10,000 triangles, from a sphere of twice the radius to random points of the box. */
extern const CaseFunctions HIT;

/* ragdoll_case.c: a figure of 16 bodies falls for two seconds; time divided by steps of 1/240 s. No parameters. */
extern const CaseFunctions FALL;

/* ---- 2D characters: spine_scene.h ---- */

typedef struct SpinePoseDef {
    bool constraints;
    bool curves; /* Bezier keys; else linear */
} SpinePoseDef;

/* spine_pose_case.c: characters are evaluated by the engine, at different times, and written as palettes of 3x2 matrices.
 * The time is divided by bones. */
extern const CaseFunctions SPINE_POSES;

typedef enum SpineWork {
    SPINE_LOOP, /* plain loop over vertices and their influences, one thread */
    SPINE_CPU,  /* vkskinSkinOnCpu */
    SPINE_FRAME /* context: vkskinAllocatePalettes, vkskinSkinInstances, vkskinRecordSkinning */
} SpineWork;

typedef struct SpineSkinDef {
    SpineWork work;
    VkskinBackend backend; /* backend of SPINE_FRAME */
} SpineSkinDef;

#define SPINE_CHARACTERS 2000u

/* spine_skin_case.c: SPINE_CHARACTERS characters are skinned with a position per influence, each with its own palette. */
extern const CaseFunctions SPINE_SKIN;

typedef struct SpineDrawnDef {
    SkinSystem system; /* SKIN_SYSTEM_COMPUTE or SKIN_SYSTEM_UNIFORM_2D */
} SpineDrawnDef;

/* spine_drawn_case.c: the same characters skinned and drawn by the engine, in one pass of a small picture. */
extern const CaseFunctions SPINE_DRAWN;

/* ---- The host's calls of a frame ---- */

typedef enum CallsWork {
    CALLS_SKIN_EACH,     /* vkskinAllocatePalette and vkskinSkinInstances for each instance; vkskinRecordSkinning */
    CALLS_SKIN_TOGETHER, /* vkskinAllocatePalette for each instance; vkskinSkinInstances; vkskinRecordSkinning */
    CALLS_SKIN_BULK,     /* vkskinAllocatePalettes, vkskinSkinInstances, vkskinRecordSkinning */
    CALLS_OUTPUT_EACH,   /* vkskinGetOutput for each instance */
    CALLS_OUTPUT_BULK,   /* vkskinGetOutputs */
    CALLS_WORK_COUNT
} CallsWork;

typedef struct CallsDef {
    CallsWork work;
    uint32_t instances; /* instances of one mesh of 3 vertices and 4 bones, each with its own palette */
    uint32_t threads;   /* that share the calls, except vkskinRecordSkinning */
} CallsDef;

/* calls_case.c: the calls on the null driver, whose dispatches are checked and run outside the time. */
extern const CaseFunctions CALLS;

/* ---- Whole frames of crowds: culling, posing and skinning ---- */

typedef enum FrameWork {
    FRAME_CROWD,  /* vkskinRecordCrowd */
    FRAME_CULLED, /* instances: the host culls, poses with vkskinPoseBatch, and submits what is visible */
    FRAME_ALL     /* instances: the host poses and submits all. In batches that share the memory of one batch: all
                   * vertices of 100,000 characters would take 2 GB */
} FrameWork;

/* The meshes of the characters, and how often they are skinned. */
typedef enum FrameDetail {
    FRAME_FULL,    /* one level */
    FRAME_FEW,     /* one level of 40 vertices: what is left is not vertices */
    FRAME_MASKS,   /* one level, and its part has a mask */
    FRAME_QUARTER, /* one level, posed and skinned in one of four frames: what is left is neither vertices nor posing */
    FRAME_LEVELS, /* all, 1/2, 1/4 and 1/8 of the vertices; levels change at 1/8, 1/4 and 1/2 of the radius of the disc */
    FRAME_RATES   /* the same with intervals 1, 1, 2 and 4; crowds only */
} FrameDetail;

typedef struct FrameDef {
    FrameWork work;
    VkskinBackend backend;
    uint32_t characters; /* characters with 1,000 vertices and 64 bones in 8 clips; with --quick at most 100, 2 clips */
    uint32_t percent;    /* share of visible characters: below 50, or 100 */
    VkskinCrowdPosing posing; /* 0: the default; else the characters have 40 vertices */
    FrameDetail detail;
} FrameDef;

/* frame_case.c: time from the start of the host's work to the end of the device's. Nothing is drawn. */
extern const CaseFunctions FRAME;

typedef struct ListsDef {
    bool loop; /* plain loop; else the stages of the library */
    uint32_t characters;
} ListsDef;

/* lists_case.c: culling, slots and lists of a crowd on the CPU: see crowd_lists.h. */
extern const CaseFunctions LISTS;

#endif
