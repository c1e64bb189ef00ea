/*
 * job_table.h: sorts the frame's commands into few dispatches.
 *
 * A job is the commands of one mesh, kernel and combination of pages. Each class of the mesh is a row of the job. A
 * dispatch is the rows of one kernel, influence count and combination of pages. Rows and instances are written to the
 * slot's table, which the kernels read. Morph weights are at its end, and are written when commands are added.
 */
#ifndef VKSKIN_JOB_TABLE_H
#define VKSKIN_JOB_TABLE_H

#include "kernels/layout.h"
#include "objects.h"

/* Commands with equal keys share a job; those that differ only in the mesh share a dispatch. */
typedef struct JobKey {
    uint32_t kernel; /* without the influence count: the pipeline is sknKernelOf(kernel, influences) */
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
    uint32_t job;   /* index of its job, while the table is built */
} Command;

typedef struct Job {
    JobKey key;
    uint32_t count;  /* instances, at least 1 */
    uint32_t first;  /* index of its first instance */
    uint32_t cursor; /* index of the next instance to write */
} Job;

typedef struct Dispatch {
    uint32_t job; /* its first job, which has its pages and kernel */
    uint32_t influences;
    LayoutDispatch push;
} Dispatch;

typedef struct JobTable {
    Arena arena;       /* of the arrays */
    uint32_t capacity; /* instances per frame */
    uint32_t slots;
    Buffer buffers[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    VkDescriptorSet sets[VKSKIN_MAX_FRAMES_IN_FLIGHT];
    uint32_t usedWords;  /* of this frame's buffer */
    uint32_t usedMorphs; /* entries of morph weights taken in this frame */
    Command *commands;   /* [capacity], of one record call */
    Job *jobs;           /* [capacity] */
    uint32_t *order;     /* [capacity], jobs in the order of dispatches */
    uint32_t *hash;      /* job + 1, or 0; a record call uses as much as its commands need */
    uint32_t commandCount, jobCount;
    Dispatch *dispatches; /* [capacity * LAYOUT_CLASSES] */
    uint32_t dispatchCount;
} JobTable;

/* Maximum words of the table per instance: its own, and the rows of a job of its own. */
#define TABLE_WORDS_PER_INSTANCE (LAYOUT_CLASSES * LAYOUT_JOB_WORDS + LAYOUT_INSTANCE_WORDS)

/* The dispatch's pages and kernel; ignore the mesh. */
static inline const JobKey *sknDispatchKey(const JobTable *table, const Dispatch *dispatch) {
    return &table->jobs[dispatch->job].key;
}

/* Bytes of one slot's table. The morph weights follow the words of the instances. */
VkDeviceSize sknTableBytes(uint32_t instances, uint32_t morphs);

/*
 * onHost: for the CPU backend, which only reads the morph weights. After a failure the table must still be destroyed.
 * Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN.
 */
VkskinResult sknInitJobs(Gpu *gpu, Descriptors *descriptors, JobTable *table, uint32_t slots, uint32_t capacity,
                         uint32_t morphCapacity, bool onHost);
void sknDestroyJobs(Gpu *gpu, JobTable *table);

/* Empties the table for a new frame. */
void sknJobsBeginFrame(JobTable *table);

/* Adds a command and returns its index. There is room for `capacity` commands per frame. */
uint32_t sknAddCommand(JobTable *table, const JobKey *key, LayoutInstance target, uint32_t owner);

/* Removes a command; the last one moves to its index. Returns the owner of the moved one, or NO_INDEX if none moved. */
uint32_t sknDropCommand(JobTable *table, uint32_t command);

/* Collects the jobs of all added commands in table->jobs: their counts and the index of their first instance. */
void sknCollectJobs(JobTable *table);

/*
 * Writes all added commands to the slot's table and fills table->dispatches. The list of commands is kept.
 * meshes: the table of Mesh. workgroupSize, instancesPerThread: of the kernels.
 */
void sknBuildJobs(JobTable *table, const HandleTable *meshes, uint32_t slot, uint32_t workgroupSize,
                  uint32_t instancesPerThread);

/* Makes the words written to the slot's table in this frame visible to the device. Errors: see sknFlushBuffer. */
VkskinResult sknFlushJobs(const Gpu *gpu, const JobTable *table, uint32_t slot);

/* ---- Morph weights ---- */

/* Entries of the table that weights[count] take: one per non-zero weight, and one more if there are any. */
uint32_t sknCountMorphs(const float *weights, uint32_t count);

/*
 * Writes the non-zero weights to the slot's table, those of targets before skinning first. Returns the value of
 * LayoutInstance.morphs; 0 if all are zero. The caller has checked the room.
 */
uint32_t sknAddMorphs(JobTable *table, uint32_t slot, const Mesh *mesh, const float *weights, uint32_t count);

#endif
