#include "cpu_skin.h"

#include "copy_out.h"
#include "cpu_code.h"
#include "run_tasks.h"

/* Output of so many bytes does not stay in the caches until somebody reads it. */
#define STREAM_BYTES ((uint64_t)4 << 20)

#define STAGED          4u /* copies at once of a part whose classes mix */
#define ATTRIBUTE_WORDS 7u /* at most, a vertex */

typedef struct Work {
    const CpuJob *jobs;
    uint32_t jobCount;
    VkskinCpuLevel level;
    bool stream;
} Work;

static uint32_t groupsOf(const CpuJob *job) {
    return (uint32_t)(((uint64_t)job->count + TASK_INSTANCES - 1) / TASK_INSTANCES);
}

static CpuRunFn codeOf(VkskinCpuLevel level) {
    switch (level) {
#if defined(VKSKIN_HAS_AVX512)
    case VKSKIN_CPU_AVX512:
        return sknSkinRunAvx512;
#endif
#if defined(VKSKIN_HAS_AVX2)
    case VKSKIN_CPU_AVX2:
        return sknSkinRunAvx2;
#endif
    default:
        return sknSkinRunPortable;
    }
}

static bool isMorphed(const CpuCommand *command) {
    return command->morphsBefore + command->morphsAfter > 0;
}

/* How many targets from the first on are of one kind. */
static uint32_t countAlike(const CpuTarget *targets, uint32_t count) {
    const CpuCommand *first = targets[0].command;
    uint32_t alike = 1;
    while (alike < count && targets[alike].command->pair == first->pair &&
           isMorphed(targets[alike].command) == isMorphed(first)) {
        alike++;
    }
    return alike;
}

static void skinRun(const CpuRunWork *all, VkskinCpuLevel level) {
    CpuRunWork work = *all;
    for (uint32_t left = all->count; left > 0; left -= work.count) {
        work.count = countAlike(work.targets, left);
        CpuRunFn fast = isMorphed(work.targets[0].command) ? NULL : sknFindFastRun(level, &work);
        (fast != NULL ? fast : codeOf(level))(&work);
        work.targets += work.count;
    }
}

/* A part that is one run goes straight out. */
static void skinPlain(const Work *work, const CpuMesh *mesh, const CpuPart *part, const CpuCommand *commands,
                      uint32_t count) {
    CpuTarget targets[TASK_INSTANCES];
    for (uint32_t i = 0; i < count; i++) {
        const CpuCommand *command = &commands[i];
        targets[i] = (CpuTarget){command, command->positions + (size_t)mesh->positionWords * part->firstVertex, NULL};
        if (mesh->attributeWords > 0) {
            targets[i].attributes = (uint32_t *)command->attributes + (size_t)mesh->attributeWords * part->firstVertex;
        }
    }
    CpuRunWork run = {mesh, &mesh->runs[part->firstRun], targets, count, work->stream};
    skinRun(&run, work->level);
}

/* staged: as the runs came, `words` a vertex; out: in the host's order. */
static void putInOrder(const uint16_t *places, uint32_t vertexCount, const uint32_t *staged, uint32_t words,
                       uint32_t *out, bool stream) {
    uint32_t ordered[LANES * ATTRIBUTE_WORDS];
    for (uint32_t first = 0; first < vertexCount; first += LANES) {
        uint32_t count = vertexCount - first < LANES ? vertexCount - first : LANES;
        for (uint32_t v = 0; v < count; v++) {
            memcpy(ordered + (size_t)v * words, staged + (size_t)places[first + v] * words, 4 * (size_t)words);
        }
        copyOut(out + (size_t)first * words, ordered, count * words, stream);
    }
}

typedef struct Stage {
    float positions[TILE_VERTICES * 3];
    uint32_t attributes[TILE_VERTICES * ATTRIBUTE_WORDS];
} Stage;

static void skinStaged(const Work *work, const CpuMesh *mesh, const CpuPart *part, const CpuCommand *commands,
                       uint32_t count) {
    Stage stages[STAGED];
    CpuTarget targets[STAGED];
    uint32_t vertex = 0;
    for (uint32_t r = part->firstRun; r < part->firstRun + part->runCount; r++) {
        for (uint32_t i = 0; i < count; i++) {
            targets[i] = (CpuTarget){&commands[i], stages[i].positions + (size_t)mesh->positionWords * vertex, NULL};
            if (mesh->attributeWords > 0) {
                targets[i].attributes = stages[i].attributes + (size_t)mesh->attributeWords * vertex;
            }
        }
        CpuRunWork run = {mesh, &mesh->runs[r], targets, count, false};
        skinRun(&run, work->level);
        vertex += mesh->runs[r].vertexCount;
    }
    const uint16_t *places = mesh->places + part->firstVertex;
    for (uint32_t i = 0; i < count; i++) {
        putInOrder(places, part->vertexCount, (const uint32_t *)(const void *)stages[i].positions, mesh->positionWords,
                   (uint32_t *)(void *)commands[i].positions + (size_t)mesh->positionWords * part->firstVertex,
                   work->stream);
        if (mesh->attributeWords > 0) {
            putInOrder(places, part->vertexCount, stages[i].attributes, mesh->attributeWords,
                       (uint32_t *)commands[i].attributes + (size_t)mesh->attributeWords * part->firstVertex,
                       work->stream);
        }
    }
}

static void skinPart(const Work *work, const CpuMesh *mesh, const CpuPart *part, const CpuCommand *commands,
                     uint32_t count) {
    if (part->runCount == 1) {
        skinPlain(work, mesh, part, commands, count);
        return;
    }
    for (uint32_t first = 0; first < count; first += STAGED) {
        uint32_t some = count - first < STAGED ? count - first : STAGED;
        skinStaged(work, mesh, part, commands + first, some);
    }
}

/* The last job whose first task is not above `task`; those without tasks come before one that has them. */
static const CpuJob *findJob(const Work *work, uint32_t task) {
    uint32_t low = 0;
    uint32_t high = work->jobCount;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (work->jobs[middle].firstTask <= task) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &work->jobs[low];
}

/* Tasks of one span follow one another, so that a thread finds the span's vertices in its cache. */
static void runTask(void *data, uint32_t task) {
    const Work *work = data;
    const CpuJob *job = findJob(work, task);
    const CpuMesh *mesh = job->mesh;
    uint32_t span = (task - job->firstTask) / groupsOf(job);
    uint32_t first = (task - job->firstTask) % groupsOf(job) * TASK_INSTANCES;
    uint32_t count = job->count - first < TASK_INSTANCES ? job->count - first : TASK_INSTANCES;
    for (uint32_t p = mesh->spans[span]; p < mesh->spans[span + 1]; p++) {
        skinPart(work, mesh, &mesh->parts[p], job->commands + first, count);
    }
    if (work->stream) {
        fenceOut();
    }
}

void sknSkinJobs(CpuJob *jobs, uint32_t jobCount, const VkskinCpuRun *run) {
    uint64_t bytes = 0;
    /* Mostly of 16 copies of over a thousand vertices: memory for more output than 32 bits of them write is not to be
     * had, and there are at most 2^24 jobs. */
    uint32_t tasks = 0;
    for (uint32_t i = 0; i < jobCount; i++) {
        jobs[i].firstTask = tasks;
        tasks += groupsOf(&jobs[i]) * jobs[i].mesh->spanCount;
        bytes += jobs[i].mesh->info.outputBytes * jobs[i].count;
    }
    Work work = {jobs, jobCount, run->level, bytes > STREAM_BYTES};
    sknRunTasks(run->parallel, run->parallelUser, tasks, runTask, &work);
}
