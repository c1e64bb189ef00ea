/*
 * cpu_skin.h: skins instances of meshes on the CPU: the work of all of them cut into tasks, the tasks run.
 */
#ifndef VKSKIN_CPU_SKIN_H
#define VKSKIN_CPU_SKIN_H

#include "cpu_mesh.h"
#include "vkskin/vkskin_cpu.h"

#define TASK_INSTANCES 16u /* at most */

/* A morph target that has a weight. */
typedef struct CpuMorphWeight {
    uint32_t target;
    float weight;
} CpuMorphWeight;

/* One copy of a mesh. What it says was checked; its memory is as VkskinCpuCommand asks. */
typedef struct CpuCommand {
    const void *palette;          /* not looked at in a mesh without bones */
    uint32_t pair;                /* of methods.h; sknPlainPair where there are no bones */
    uint32_t morphsBefore;        /* weights of targets before the bones: the first of `morphs` */
    uint32_t morphsAfter;         /* of those after them, which follow */
    const CpuMorphWeight *morphs; /* may be null where there are none */
    float *positions;
    void *attributes; /* not looked at in a mesh without normals */
} CpuCommand;

/* Copies of one mesh. */
typedef struct CpuJob {
    const CpuMesh *mesh;
    const CpuCommand *commands; /* [count] */
    uint32_t count;             /* 0 up */
    uint32_t firstTask;         /* set by sknSkinJobs */
} CpuJob;

/*
 * Skins all copies of all jobs and returns when they are written: tasks of at most SPAN_VERTICES and TASK_INSTANCES,
 * handed to run->parallel at once. level: not VKSKIN_CPU_AUTO, and one that is there. Allocates nothing, takes no lock,
 * and up to 64 KiB of a task's stack. The result does not depend on how tasks are run. No errors.
 */
void sknSkinJobs(CpuJob *jobs, uint32_t jobCount, const VkskinCpuRun *run);

#endif
