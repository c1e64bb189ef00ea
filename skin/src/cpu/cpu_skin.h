/*
 * cpu_skin.h: skins instances of meshes on the CPU: cuts the work into tasks and runs them.
 */
#ifndef VKSKIN_CPU_SKIN_H
#define VKSKIN_CPU_SKIN_H

#include "cpu_run.h"

/* Instances of one mesh. */
typedef struct CpuJob {
    const CpuMesh *mesh;
    CpuCommand *commands; /* [count] */
    uint32_t count;       /* may be 0 */
    uint32_t firstTask;   /* set by sknSkinJobs */
    uint64_t otherBytes;  /* output that other calls write for the same frame */
} CpuJob;

/*
 * Skins all instances of all jobs and returns when their output is written. Passes tasks of at most SPAN_VERTICES and
 * TASK_INSTANCES to run->parallel in one call. run->level: not VKSKIN_CPU_AUTO, and available. Allocates nothing, takes
 * no lock, uses up to 64 KiB of a task's stack. The output does not depend on how tasks are run. No errors.
 */
void sknSkinJobs(CpuJob *jobs, uint32_t jobCount, const VkskinCpuRun *run);

#endif
