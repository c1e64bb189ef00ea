/*
 * job_table.h: sorts the frame's commands into few dispatches.
 *
 * A job is the commands of one mesh, kernel and combination of pages. Each class of the mesh is a row of the job. A
 * dispatch is the rows of one kernel, influence count and combination of pages. A record call writes rows, instances and
 * morph weights into one page of the slot's table, which the kernels read.
 *
 * Commands and morph weights are kept in lists in host memory until then. Room for them is reserved before they are added,
 * in the page too: so a record call needs no memory. A page that was used by an earlier record call of the frame is not
 * moved.
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
    LayoutInstance target; /* morphs: the index of its first entry in the list plus one; 0: none */
    uint32_t owner;        /* the instance's index */
    uint32_t job;          /* index of its job, while the table is built; not set if the command follows another */
} Command;

typedef struct Job {
    JobKey key;
    uint32_t count;  /* instances, at least 1 */
    uint32_t first;  /* index of its first instance */
    uint32_t cursor; /* index of the next instance to write */
} Job;

typedef struct Dispatch {
    uint32_t job; /* index of the first job, which has the pages and kernel of all */
    uint32_t influences;
    LayoutDispatch push;
} Dispatch;

typedef struct TablePage {
    Buffer buffer;
    VkDescriptorSet set;
    uint32_t words, usedWords;
} TablePage;

/* The pages of a frame slot. Each is at least twice as large as the one before. */
typedef struct TableSlot {
    TablePage *pages; /* [count]; they move when a page is added */
    uint32_t count, capacity;
    uint32_t current; /* the page of the next record call */
} TableSlot;

typedef struct JobTableDef {
    uint32_t slots;
    bool onHost;                    /* for the CPU backend: there are no pages */
    uint32_t commands, maxCommands; /* per frame: at first, and at most */
    uint32_t morphs, maxMorphs;     /* entries of morph weights, likewise */
} JobTableDef;

typedef struct JobTable {
    JobTableDef def;
    TableSlot slots[VKSKIN_MAX_FRAMES_IN_FLIGHT];

    Arena arena;       /* memory of the arrays below, which a record call fills */
    uint32_t capacity; /* commands */
    Job *jobs;         /* [capacity] */
    uint32_t *order;   /* [capacity], jobs in the order of dispatches */
    uint32_t *hash;    /* job + 1, or 0; a record call uses as much as its commands need */
    uint32_t jobCount;
    Dispatch *dispatches; /* [capacity * LAYOUT_CLASSES] */
    uint32_t dispatchCount;
} JobTable;

/* What a record call reads: the part of a frame's list that is not recorded. */
typedef struct Commands {
    Command *commands;   /* [count] */
    const bool *follows; /* [count]: its job is known to be that of the command before */
    uint32_t count;
    const LayoutMorphWeight *morphs; /* [morphCount]; the first of each command's is a LayoutMorphs */
    uint32_t firstMorph;             /* index of morphs[0] in the list */
    uint32_t morphCount;
} Commands;

/* Whether commands with these keys share a job. */
bool sknSameJob(const JobKey *a, const JobKey *b);

/* A command's entries. It has some. */
static inline const LayoutMorphWeight *sknMorphsOf(const Commands *commands, const Command *command) {
    return commands->morphs + (command->target.morphs - 1 - commands->firstMorph);
}

/* Maximum words of the table per instance: its own, and the rows of a job of its own. */
#define TABLE_WORDS_PER_INSTANCE (LAYOUT_CLASSES * LAYOUT_JOB_WORDS + LAYOUT_INSTANCE_WORDS)

/* The dispatch's pages and kernel; ignore the mesh. */
static inline const JobKey *sknDispatchKey(const JobTable *table, const Dispatch *dispatch) {
    return &table->jobs[dispatch->job].key;
}

/* Bytes of a page for so many instances and entries of morph weights. */
VkDeviceSize sknTableBytes(uint32_t instances, uint32_t morphs);

/* After a failure the table must still be destroyed. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN. */
VkskinResult sknInitJobs(Gpu *gpu, Descriptors *descriptors, JobTable *table, const JobTableDef *def);
void sknDestroyJobs(Gpu *gpu, JobTable *table);

/* Empties the table for a new frame of the slot. */
void sknJobsBeginFrame(JobTable *table, uint32_t slot);

/*
 * Makes room for a record call with so many commands and entries of morph weights, or for several with so many in all: in
 * the table's arrays and in a page of the slot. The caller has checked the maxima. Errors: as sknInitJobs.
 */
VkskinResult sknReserveJobs(Gpu *gpu, Descriptors *descriptors, JobTable *table, uint32_t slot, uint32_t commands,
                            uint32_t morphs);

/* The page of the slot's next record call, or of the one whose dispatches were built last. */
TablePage *sknTablePage(JobTable *table, uint32_t slot);

/* Collects the jobs of the commands in table->jobs: their counts and the index of their first instance. */
void sknCollectJobs(JobTable *table, const Commands *commands);

/* The job of a collected command. `before`: that of the command before it, if there is one. */
Job *sknJobOf(const JobTable *table, const Commands *commands, uint32_t at, Job *before);

/*
 * Collects the jobs, writes them to the slot's page and fills table->dispatches.
 * meshes: the table of Mesh. workgroupSize, instancesPerThread: of the kernels.
 */
void sknBuildJobs(JobTable *table, const Commands *commands, const HandleTable *meshes, uint32_t slot,
                  uint32_t workgroupSize, uint32_t instancesPerThread);

/* Makes the words written to the slot's page in this frame visible to the device. Errors: see sknFlushBuffer. */
VkskinResult sknFlushJobs(const Gpu *gpu, JobTable *table, uint32_t slot);

/* ---- Morph weights ---- */

/* Entries that weights[count] take: one per non-zero weight, and one more if there are any. */
uint32_t sknCountMorphs(const float *weights, uint32_t count);

/* Writes the non-zero weights to their entries, those of targets before skinning first. Not all are zero. */
void sknPutMorphs(LayoutMorphWeight *entries, const Mesh *mesh, const float *weights, uint32_t count);

#endif
