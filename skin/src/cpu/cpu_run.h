/*
 * cpu_run.h: the functions that skin a run, compiled once per instruction level, and their arguments.
 */
#ifndef VKSKIN_CPU_RUN_H
#define VKSKIN_CPU_RUN_H

#include "cpu_mesh.h"
#include "vkskin/vkskin_cpu.h"

#define TASK_INSTANCES 16u /* maximum number of instances in a task */

/* A nonzero weight of a morph target. */
typedef struct CpuMorphWeight {
    uint32_t target;
    float weight;
} CpuMorphWeight;

/* One instance of a mesh. The values were checked; memory is as VkskinCpuCommand requires. */
typedef struct CpuCommand {
    const void *palette;          /* ignored in a mesh without bones */
    uint32_t pair;                /* index into the pairs of methods.h; sknPlainPair without bones */
    uint32_t morphsBefore;        /* number of weights applied before skinning: the first of `morphs` */
    uint32_t morphsAfter;         /* number of weights applied after skinning, which follow */
    const CpuMorphWeight *morphs; /* may be null if there are none */
    unsigned char *streams[VKSKIN_MAX_OUTPUT_STREAMS]; /* [layout.streamCount] */
    bool lanesOnly; /* set by sknSkinJobs: neither blend.c nor points.c can skin it */
} CpuCommand;

/* Where the vertices of a run are written in one copy of its mesh, in the run's order. */
typedef struct CpuTarget {
    const CpuCommand *command;
    float *positions;     /* position of the run's first vertex; 4-byte aligned, only written */
    uint32_t *attributes; /* attributes of the run's first vertex, as above; null without normals */
} CpuTarget;

/* A run to skin for `count` copies. All commands have the same method pair, and all or none are lanesOnly. */
typedef struct CpuRunWork {
    const CpuMesh *mesh;
    const CpuRun *run;
    const CpuTarget *targets; /* [count] */
    uint32_t count;           /* 1 to TASK_INSTANCES */
    bool stream;              /* past the caches; the task ends with a fence */
} CpuRunWork;

typedef void (*CpuRunFn)(const CpuRunWork *work);

/* lanes.c: every method pair, vertex format and influence count. */
void sknSkinRunPortable(const CpuRunWork *work);
void sknSkinRunAvx2(const CpuRunWork *work);
void sknSkinRunAvx512(const CpuRunWork *work);

/* blend.c: linear blending of VKSKIN_PALETTE_MAT3X4 with bones and without morph weights. Writes each byte once. */
void sknBlendRunAvx2(const CpuRunWork *work);
void sknBlendRunAvx512(const CpuRunWork *work);

/* points.c: a position per influence, without morph weights. Writes each byte once. */
void sknPointRunAvx2(const CpuRunWork *work);
void sknPointRunAvx512(const CpuRunWork *work);

/* The function of blend.c or points.c for this work, or null if none applies. level: not VKSKIN_CPU_AUTO. */
CpuRunFn sknFindFastRun(VkskinCpuLevel level, const CpuRunWork *work);

#endif
