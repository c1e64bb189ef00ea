/*
 * cpu_skin.h: skins instances of meshes on the CPU: cuts the work into tasks and runs them.
 */
#ifndef VKSKIN_CPU_SKIN_H
#define VKSKIN_CPU_SKIN_H

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
    uint32_t pair;                /* of methods.h; sknPlainPair without bones */
    uint32_t morphsBefore;        /* number of weights applied before skinning: the first of `morphs` */
    uint32_t morphsAfter;         /* number of weights applied after skinning, which follow */
    const CpuMorphWeight *morphs; /* may be null if there are none */
    unsigned char *streams[VKSKIN_MAX_OUTPUT_STREAMS]; /* [layout.streamCount] */
    bool lanesOnly; /* set by sknSkinJobs: neither blend.c nor points.c can skin it */
} CpuCommand;

/* Instances of one mesh. */
typedef struct CpuJob {
    const CpuMesh *mesh;
    CpuCommand *commands; /* [count] */
    uint32_t count;       /* may be 0 */
    uint32_t firstTask;   /* set by sknSkinJobs */
} CpuJob;

/*
 * Skins all instances of all jobs and returns when their output is written. Passes tasks of at most SPAN_VERTICES and
 * TASK_INSTANCES to run->parallel in one call. run->level: not VKSKIN_CPU_AUTO, and available. Allocates nothing, takes
 * no lock, uses up to 64 KiB of a task's stack. The output does not depend on how tasks are run. No errors.
 */
void sknSkinJobs(CpuJob *jobs, uint32_t jobCount, const VkskinCpuRun *run);

#endif
