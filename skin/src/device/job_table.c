#include "job_table.h"

#include <string.h>

#include "stable_sort.h"

/* The kernels count a job's threads in 32 bits. */
#define MAX_JOB_THREADS (UINT64_C(1) << 31)

/* A power of two that leaves at least half of the entries free. */
static uint32_t hashSize(uint32_t commands) {
    uint32_t size = 16;
    while (size < 2 * commands) {
        size *= 2;
    }
    return size;
}

VkDeviceSize sknTableBytes(uint32_t instances, uint32_t morphs) {
    return 4 * ((VkDeviceSize)instances * TABLE_WORDS_PER_INSTANCE + (VkDeviceSize)morphs * LAYOUT_MORPH_WEIGHT_WORDS);
}

VkskinResult sknInitJobs(Gpu *gpu, Descriptors *descriptors, JobTable *table, uint32_t slots, uint32_t capacity,
                         uint32_t morphCapacity, bool onHost) {
    Arena arena = sknMakeArena(gpu->hostAllocator);
    *table = (JobTable){
        .capacity = capacity,
        .slots = slots,
        .commands = sknArenaArray(&arena, capacity, sizeof *table->commands),
        .jobs = sknArenaArray(&arena, capacity, sizeof *table->jobs),
        .order = sknArenaArray(&arena, capacity, sizeof *table->order),
        .hash = sknArenaArray(&arena, hashSize(capacity), sizeof *table->hash),
        .dispatches = sknArenaArray(&arena, (size_t)capacity * LAYOUT_CLASSES, sizeof *table->dispatches),
    };
    table->arena = arena;
    if (arena.failed) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u instances per frame",
                         capacity);
    }
    VkDeviceSize size = sknTableBytes(capacity, morphCapacity);
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; onHost && result >= 0 && i < slots; i++) {
        result = sknCreateHostBuffer(gpu, size, "job table", &table->buffers[i]);
    }
    for (uint32_t i = 0; !onHost && result >= 0 && i < slots; i++) {
        result = sknCreateBuffer(gpu, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, VKSKIN_MEMORY_DYNAMIC, "job table",
                                 &table->buffers[i]);
        if (result >= 0) {
            result = sknCreateBufferSets(gpu, descriptors, &table->buffers[i], size, 1, &table->sets[i]);
        }
    }
    return result;
}

void sknDestroyJobs(Gpu *gpu, JobTable *table) {
    for (uint32_t i = 0; i < table->slots; i++) {
        sknDestroyBuffer(gpu, &table->buffers[i]);
    }
    sknFreeArena(&table->arena);
    *table = (JobTable){0};
}

void sknJobsBeginFrame(JobTable *table) {
    table->usedWords = 0;
    table->usedMorphs = 0;
    table->commandCount = 0;
    table->dispatchCount = 0;
}

uint32_t sknAddCommand(JobTable *table, const JobKey *key, LayoutInstance target, uint32_t owner) {
    table->commands[table->commandCount] = (Command){.key = *key, .target = target, .owner = owner};
    return table->commandCount++;
}

uint32_t sknDropCommand(JobTable *table, uint32_t command) {
    table->commandCount--;
    if (command == table->commandCount) {
        return NO_INDEX;
    }
    table->commands[command] = table->commands[table->commandCount];
    return table->commands[command].owner;
}

static int compareWords(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

/* By kernel first, so that each pipeline is bound once; then by pages. */
static int compareDispatch(const JobKey *a, const JobKey *b) {
    int order = compareWords(a->kernel, b->kernel);
    order = order != 0 ? order : compareWords(a->meshPage, b->meshPage);
    order = order != 0 ? order : compareWords(a->palettePage, b->palettePage);
    order = order != 0 ? order : compareWords(a->outputPage, b->outputPage);
    return order != 0 ? order : compareWords(a->outputRegion, b->outputRegion);
}

static bool sameJob(const JobKey *a, const JobKey *b) {
    return a->mesh == b->mesh && compareDispatch(a, b) == 0;
}

static uint32_t hashKey(const JobKey *key) {
    uint32_t hash = key->mesh;
    hash = hash * 0x9e3779b1u ^ key->kernel;
    hash = hash * 0x85ebca77u ^ key->palettePage;
    hash = hash * 0xc2b2ae3du ^ (key->outputPage * (MAX_REGIONS + 1) + key->outputRegion);
    hash ^= hash >> 15;
    hash *= 0x27d4eb2fu;
    return hash ^ hash >> 13;
}

static uint32_t findJob(JobTable *table, const Command *command, uint32_t mask) {
    uint32_t at = hashKey(&command->key) & mask;
    while (table->hash[at] != 0) {
        uint32_t job = table->hash[at] - 1;
        if (sameJob(&table->jobs[job].key, &command->key)) {
            return job;
        }
        at = (at + 1) & mask;
    }
    uint32_t job = table->jobCount++;
    table->jobs[job] = (Job){.key = command->key};
    table->hash[at] = table->jobCount;
    return job;
}

void sknCollectJobs(JobTable *table) {
    /* Use only as much of the hash as these commands need, so that few commands cost little. */
    uint32_t size = hashSize(table->commandCount);
    table->jobCount = 0;
    memset(table->hash, 0, size * sizeof *table->hash);
    for (uint32_t i = 0; i < table->commandCount; i++) {
        Command *command = &table->commands[i];
        /* Adjacent commands mostly share a job. */
        bool same = i > 0 && sameJob(&table->commands[i - 1].key, &command->key);
        command->job = same ? table->commands[i - 1].job : findJob(table, command, size - 1);
        table->jobs[command->job].count++;
    }
    uint32_t instance = 0;
    for (uint32_t i = 0; i < table->jobCount; i++) {
        table->jobs[i].first = instance;
        table->jobs[i].cursor = instance;
        instance += table->jobs[i].count;
    }
}

static bool comesAfter(const void *data, uint32_t a, uint32_t b) {
    const Job *jobs = data;
    return compareDispatch(&jobs[a].key, &jobs[b].key) > 0;
}

typedef struct Shape {
    uint32_t workgroupSize;
    uint32_t instancesPerThread;
} Shape;

static uint32_t jobGroups(uint32_t vertexCount, uint32_t instances, Shape shape) {
    uint64_t chunks = (instances + shape.instancesPerThread - 1) / shape.instancesPerThread;
    return (uint32_t)((chunks * vertexCount + shape.workgroupSize - 1) / shape.workgroupSize);
}

/* Maximum instances of a row, so that 32 bits can count its threads. */
static uint32_t pieceSize(uint32_t vertexCount, Shape shape) {
    uint64_t chunks = MAX_JOB_THREADS / vertexCount;
    uint64_t instances = (chunks > 0 ? chunks : 1) * shape.instancesPerThread;
    return instances > UINT32_MAX ? UINT32_MAX : (uint32_t)instances;
}

static const Mesh *meshOf(const HandleTable *meshes, const Job *job) {
    return sknHandleItem(meshes, job->key.mesh);
}

/* The state of one sknBuildJobs. */
typedef struct Writer {
    JobTable *table;
    const HandleTable *meshes;
    uint32_t *words;      /* the slot's table */
    uint32_t row;         /* word offset of the next */
    uint32_t instancesAt; /* word offset of the first */
    Shape shape;
} Writer;

/* The rows of all jobs. */
static uint32_t countRows(const JobTable *table, const HandleTable *meshes, Shape shape) {
    uint32_t rows = 0;
    for (uint32_t i = 0; i < table->jobCount; i++) {
        const Mesh *mesh = meshOf(meshes, &table->jobs[i]);
        for (uint32_t c = 0; c < mesh->classCount; c++) {
            rows += (table->jobs[i].count - 1) / pieceSize(mesh->classes[c].vertexCount, shape) + 1;
        }
    }
    return rows;
}

/* Appends the rows of one class of a job. */
static void writeRows(Writer *writer, const MeshClass *class, const Job *job, Dispatch *dispatch) {
    uint32_t most = pieceSize(class->vertexCount, writer->shape);
    for (uint32_t done = 0; done < job->count;) {
        uint32_t count = job->count - done < most ? job->count - done : most;
        LayoutJob *row = (LayoutJob *)(void *)(writer->words + writer->row);
        *row = (LayoutJob){
            .firstGroup = dispatch->push.groupCount,
            .firstInstance = job->first + done,
            .instanceCount = count,
            .vertexClass = class->head,
        };
        writer->row += LAYOUT_JOB_WORDS;
        dispatch->push.jobCount++;
        dispatch->push.groupCount += jobGroups(class->vertexCount, count, writer->shape);
        done += count;
    }
}

static bool continuesDispatch(const JobTable *table, uint32_t job, uint32_t influences) {
    if (table->dispatchCount == 0) {
        return false;
    }
    const Dispatch *last = &table->dispatches[table->dispatchCount - 1];
    return last->influences == influences && compareDispatch(&table->jobs[last->job].key, &table->jobs[job].key) == 0;
}

/* The dispatch for a job's rows of an influence count: the last one if it fits, else a new one. */
static Dispatch *dispatchFor(Writer *writer, uint32_t job, uint32_t influences) {
    JobTable *table = writer->table;
    if (!continuesDispatch(table, job, influences)) {
        table->dispatches[table->dispatchCount++] = (Dispatch){
            .job = job,
            .influences = influences,
            .push = {.jobs = writer->row, .instances = writer->instancesAt},
        };
    }
    return &table->dispatches[table->dispatchCount - 1];
}

/* Writes the rows of the jobs order[begin, end), which share a kernel, by influence count. */
static void writeRun(Writer *writer, uint32_t begin, uint32_t end) {
    JobTable *table = writer->table;
    for (uint32_t influences = 0; influences <= LAYOUT_MANY; influences++) {
        for (uint32_t i = begin; i < end; i++) {
            const Job *job = &table->jobs[table->order[i]];
            const Mesh *mesh = meshOf(writer->meshes, job);
            for (uint32_t c = 0; c < mesh->classCount; c++) {
                if (mesh->classes[c].influences == influences) {
                    writeRows(writer, &mesh->classes[c], job, dispatchFor(writer, table->order[i], influences));
                }
            }
        }
    }
}

static void writeInstances(Writer *writer) {
    JobTable *table = writer->table;
    LayoutInstance *instances = (LayoutInstance *)(void *)(writer->words + writer->instancesAt);
    for (uint32_t i = 0; i < table->commandCount; i++) {
        const Command *command = &table->commands[i];
        instances[table->jobs[command->job].cursor++] = command->target;
    }
}

/* Rows first, then the instances of all jobs. */
static void writeJobs(JobTable *table, const HandleTable *meshes, uint32_t *words, Shape shape) {
    Writer writer = {.table = table, .meshes = meshes, .words = words, .row = table->usedWords, .shape = shape};
    writer.instancesAt = writer.row + countRows(table, meshes, shape) * LAYOUT_JOB_WORDS;
    uint32_t instances = table->commandCount;
    table->dispatchCount = 0;
    for (uint32_t begin = 0, end = 0; begin < table->jobCount; begin = end) {
        uint32_t kernel = table->jobs[table->order[begin]].key.kernel;
        while (end < table->jobCount && table->jobs[table->order[end]].key.kernel == kernel) {
            end++;
        }
        writeRun(&writer, begin, end);
    }
    writeInstances(&writer);
    table->usedWords = writer.instancesAt + instances * LAYOUT_INSTANCE_WORDS;
}

void sknBuildJobs(JobTable *table, const HandleTable *meshes, uint32_t slot, uint32_t workgroupSize,
                  uint32_t instancesPerThread) {
    Shape shape = {workgroupSize, instancesPerThread};
    sknCollectJobs(table);
    for (uint32_t i = 0; i < table->jobCount; i++) {
        table->order[i] = i;
    }
    /* The hash is no longer needed: its memory serves as the sort's buffer. */
    sknSortStable(table->order, table->jobCount, table->hash, comesAfter, table->jobs);
    writeJobs(table, meshes, table->buffers[slot].memory.mapped, shape);
}

VkskinResult sknFlushJobs(const Gpu *gpu, const JobTable *table, uint32_t slot) {
    const Buffer *buffer = &table->buffers[slot];
    VkskinResult result = sknFlushBuffer(gpu, buffer, 0, 4 * (VkDeviceSize)table->usedWords);
    if (result < 0 || table->usedMorphs == 0) {
        return result;
    }
    VkDeviceSize size = 4 * (VkDeviceSize)table->usedMorphs * LAYOUT_MORPH_WEIGHT_WORDS;
    return sknFlushBuffer(gpu, buffer, sknTableBytes(table->capacity, 0), size);
}

/* ---- Morph weights ---- */

uint32_t sknCountMorphs(const float *weights, uint32_t count) {
    uint32_t active = 0;
    for (uint32_t i = 0; i < count; i++) {
        active += weights[i] != 0.0f;
    }
    return active > 0 ? active + 1 : 0;
}

/* Writes the weights of targets before or after skinning. Returns their number. */
static uint32_t writeMorphs(LayoutMorphWeight *places, const Mesh *mesh, const float *weights, uint32_t count,
                            bool after) {
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool here = (mesh->morphsAfter != NULL && mesh->morphsAfter[i]) == after;
        if (here && weights[i] != 0.0f) {
            LayoutMorphWeight place = {.morph = mesh->cpu != NULL ? i : mesh->morphHeads + i * LAYOUT_MORPH_WORDS};
            memcpy(&place.weight, &weights[i], sizeof place.weight);
            places[written++] = place;
        }
    }
    return written;
}

uint32_t sknAddMorphs(JobTable *table, uint32_t slot, const Mesh *mesh, const float *weights, uint32_t count) {
    uint32_t taken = sknCountMorphs(weights, count);
    if (taken == 0) {
        return 0;
    }
    uint32_t at = table->capacity * TABLE_WORDS_PER_INSTANCE + table->usedMorphs * LAYOUT_MORPH_WEIGHT_WORDS;
    uint32_t *words = (uint32_t *)table->buffers[slot].memory.mapped + at;
    LayoutMorphWeight *places = (LayoutMorphWeight *)(void *)(words + LAYOUT_MORPH_WEIGHT_WORDS);
    LayoutMorphs head = {.before = writeMorphs(places, mesh, weights, count, false)};
    head.after = writeMorphs(places + head.before, mesh, weights, count, true);
    memcpy(words, &head, sizeof head);
    table->usedMorphs += taken;
    return at;
}
