/*
 * job_table.h: the frame's commands, sorted into few dispatches.
 *
 * Commands of one mesh, kernel and combination of pages make a job; each class of the mesh is a row of it. Rows of one
 * kernel, influence count and combination of pages make a dispatch. Rows and instances are written into the slot's
 * table, which the kernels read; morph weights lie at its end, written as the commands come.
 */
#ifndef VKSKIN_JOB_TABLE_H
#define VKSKIN_JOB_TABLE_H

#include "kernels/layout.h"
#include "objects.h"

/* What must be equal for two commands to share a dispatch, and with the mesh, a job. */
typedef struct JobKey {
    uint32_t kernel; /* without the influence count: sknKernelOf(kernel, influences) is the pipeline's */
    uint32_t meshPage;
    uint32_t palettePage;
    uint32_t outputPage;
    uint32_t outputRegion;
    uint32_t mesh;
} JobKey;

typedef struct Command {
    JobKey key;
    LayoutInstance target;
    uint32_t owner; /* the instance's index */
    uint32_t job;   /* of the table being built */
} Command;

typedef struct Job {
    JobKey key;
    uint32_t count;  /* instances, at least 1 */
    uint32_t first;  /* its instances' first, of those being written */
    uint32_t cursor; /* the next instance's place */
} Job;

typedef struct Dispatch {
    uint32_t job; /* the first: its pages and kernel are the dispatch's */
    uint32_t influences;
    LayoutDispatch push;
} Dispatch;

typedef struct JobTable {
    uint32_t most; /* instances a frame */
    uint32_t slots;
    Buffer buffers[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    VkDescriptorSet sets[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    uint32_t usedWords;  /* of this frame's buffer */
    uint32_t usedMorphs; /* places of morph weights taken in this frame */
    Command *commands;   /* [most], of one record call */
    Job *jobs;           /* [most] */
    uint32_t *order;     /* [most], jobs as they are dispatched */
    uint32_t *hash;      /* job + 1 or 0; room for `most` commands, of which a record call uses what its own need */
    uint32_t commandCount, jobCount;
    Dispatch *dispatches; /* [most * LAYOUT_CLASSES] */
    uint32_t dispatchCount;
} JobTable;

/* Words of table that an instance may cost at most: itself, and rows of a job of its own. */
#define TABLE_WORDS_PER_INSTANCE (LAYOUT_CLASSES * LAYOUT_JOB_WORDS + LAYOUT_INSTANCE_WORDS)

/* Its pages and its kernel; the mesh does not count. */
static inline const JobKey *sknDispatchKey(const JobTable *table, const Dispatch *dispatch) {
    return &table->jobs[dispatch->job].key;
}

/* Bytes of one slot's table. The morph weights follow what instances take. */
VkDeviceSize sknTableBytes(uint32_t instances, uint32_t morphs);

/*
 * onHost: for the CPU backend, which reads the morph weights alone. On failure the table must still be destroyed.
 * Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknInitJobs(Gpu *gpu, Descriptors *descriptors, JobTable *table, uint32_t slots, uint32_t most,
                         uint32_t mostMorphs, bool onHost);
void sknDestroyJobs(Gpu *gpu, JobTable *table);

/* Starts over: nothing of this frame is in the slot's table. */
void sknJobsBeginFrame(JobTable *table);

/* Adds a command and returns its place; there is room for `most` in one frame. */
uint32_t sknAddCommand(JobTable *table, const JobKey *key, LayoutInstance target, uint32_t owner);

/* Takes a command out again; the last one takes its place. Returns that one's owner, or NO_INDEX if it was the last. */
uint32_t sknDropCommand(JobTable *table, uint32_t command);

/* Finds the jobs of all added commands: their counts, and where each one's instances begin, in table->jobs. */
void sknCollectJobs(JobTable *table);

/*
 * Writes all added commands into the slot's table and fills table->dispatches. The commands stay for the caller to look
 * at.
 * meshes: the table of Mesh. workgroupSize and instancesPerThread are the kernels'.
 */
void sknBuildJobs(JobTable *table, const HandleTable *meshes, uint32_t slot, uint32_t workgroupSize,
                  uint32_t instancesPerThread);

/* Makes what was written into the slot's table in this frame visible to the device. Errors: sknFlushBuffer's. */
VkskinResult sknFlushJobs(const Gpu *gpu, const JobTable *table, uint32_t slot);

/* ---- Morph weights ---- */

/* Places of the table that weights[count] take: one for each that is not zero, and one more where there are any. */
uint32_t sknCountMorphs(const float *weights, uint32_t count);

/*
 * Writes the weights[count] that are not zero into the slot's table, those of targets before skinning first, and
 * returns what LayoutInstance.morphs says of them: 0 where all are zero. There is room for them.
 */
uint32_t sknAddMorphs(JobTable *table, uint32_t slot, const Mesh *mesh, const float *weights, uint32_t count);

#endif
