/*
 * cpu_run.h: the functions that skin a run, compiled once per instruction level, and their arguments.
 */
#ifndef VKSKIN_CPU_RUN_H
#define VKSKIN_CPU_RUN_H

#include "cpu_skin.h"

/* Where the vertices of a run are written in one copy of its mesh, in the run's order. */
typedef struct CpuTarget {
    const CpuCommand *command;
    float *positions;     /* of the run's first vertex; 4-byte aligned, only written */
    uint32_t *attributes; /* likewise; null without normals */
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
