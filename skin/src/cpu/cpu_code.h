/*
 * cpu_code.h: the code that skins a run, once for each level of instructions, and what it is handed.
 */
#ifndef VKSKIN_CPU_CODE_H
#define VKSKIN_CPU_CODE_H

#include "cpu_skin.h"

/* Where a run goes in one copy of its mesh: its vertices one after another, in the run's order. */
typedef struct CpuTarget {
    const CpuCommand *command;
    float *positions;     /* of the run's first vertex; 4-byte aligned, only written */
    uint32_t *attributes; /* likewise; null without normals */
} CpuTarget;

/*
 * A run to be skinned for [count] copies, whose commands are all of one pair and all with morph weights or all without.
 */
typedef struct CpuRunWork {
    const CpuMesh *mesh;
    const CpuRun *run;
    const CpuTarget *targets; /* [count] */
    uint32_t count;           /* 1 to TASK_INSTANCES */
    bool stream;              /* past the caches; the task ends with a fence */
} CpuRunWork;

typedef void (*CpuRunFn)(const CpuRunWork *work);

/* Every pair, format and class. */
void sknSkinRunPortable(const CpuRunWork *work);
void sknSkinRunAvx2(const CpuRunWork *work);
void sknSkinRunAvx512(const CpuRunWork *work);

/*
 * A faster way for this work than those above, or null. It is one for work without morph weights, whose every output
 * byte it writes once. level: not VKSKIN_CPU_AUTO.
 */
CpuRunFn sknFindFastRun(VkskinCpuLevel level, const CpuRunWork *work);

#endif
