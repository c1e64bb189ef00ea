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

/* ---- Room ---- */

static VkskinResult addPage(Gpu *gpu, Descriptors *descriptors, TableSlot *slot, uint32_t words) {
    TablePage *pages = sknHostReserve(gpu->hostAllocator, slot->pages, slot->count + 1, &slot->capacity, sizeof *pages);
    if (pages == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for a page of the job table");
    }
    slot->pages = pages;
    TablePage page = {.words = words};
    const VkDeviceSize size = 4 * (VkDeviceSize)words;
    VkskinResult result = sknCreateBuffer(gpu, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, VKSKIN_MEMORY_DYNAMIC,
                                          "job table", &page.buffer);
    if (result >= 0) {
        const VkDeviceSize start = 0;
        result = sknCreateBufferSets(gpu, descriptors, &page.buffer, &start, size, 1, &page.set);
    }
    if (result < 0) {
        sknDestroyBuffer(gpu, &page.buffer);
        return result;
    }
    slot->pages[slot->count++] = page;
    return VKSKIN_SUCCESS;
}

/* Makes a page with room for so many words the current one. Pages double, up to what a frame may need. */
static VkskinResult reserveWords(Gpu *gpu, Descriptors *descriptors, const JobTableDef *def, TableSlot *slot,
                                 uint32_t words) {
    uint32_t page = slot->current;
    while (page < slot->count && slot->pages[page].words - slot->pages[page].usedWords < words) {
        page++;
    }
    if (page == slot->count) {
        const VkDeviceSize most = sknTableBytes(def->maxCommands, def->maxMorphs) / 4;
        const VkDeviceSize twice = slot->count > 0 ? 2 * (VkDeviceSize)slot->pages[slot->count - 1].words : 0;
        const VkDeviceSize larger = twice < most ? twice : most;
        VkskinResult result = addPage(gpu, descriptors, slot, larger > words ? (uint32_t)larger : words);
        if (result < 0) {
            return result;
        }
    }
    slot->current = page;
    return VKSKIN_SUCCESS;
}

/* The arrays of a record call: nothing in them is kept from one call to the next. */
static bool reserveArrays(const Gpu *gpu, JobTable *table, uint32_t commands) {
    if (commands <= table->capacity) {
        return true;
    }
    Arena arena = sknMakeArena(gpu->hostAllocator);
    const uint32_t capacity = commands > 2 * table->capacity ? commands : 2 * table->capacity;
    Job *jobs = sknArenaArray(&arena, capacity, sizeof *jobs);
    uint32_t *order = sknArenaArray(&arena, capacity, sizeof *order);
    uint32_t *hash = sknArenaArray(&arena, hashSize(capacity), sizeof *hash);
    Dispatch *dispatches = sknArenaArray(&arena, (size_t)capacity * LAYOUT_CLASSES, sizeof *dispatches);
    if (arena.failed) {
        sknFreeArena(&arena);
        return false;
    }
    sknFreeArena(&table->arena);
    table->arena = arena;
    table->capacity = capacity;
    table->jobs = jobs;
    table->order = order;
    table->hash = hash;
    table->dispatches = dispatches;
    return true;
}

VkskinResult sknReserveJobs(Gpu *gpu, Descriptors *descriptors, JobTable *table, uint32_t slot, uint32_t commands,
                            uint32_t morphs) {
    if (!reserveArrays(gpu, table, commands)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u commands", commands);
    }
    const uint32_t words = (uint32_t)(sknTableBytes(commands, morphs) / 4);
    return table->def.onHost ? VKSKIN_SUCCESS : reserveWords(gpu, descriptors, &table->def, &table->slots[slot], words);
}

VkskinResult sknInitJobs(Gpu *gpu, Descriptors *descriptors, JobTable *table, const JobTableDef *def) {
    *table = (JobTable){.def = *def, .arena = sknMakeArena(gpu->hostAllocator)};
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < def->slots; i++) {
        result = sknReserveJobs(gpu, descriptors, table, i, def->commands, def->morphs);
    }
    return result;
}

void sknDestroyJobs(Gpu *gpu, JobTable *table) {
    for (uint32_t i = 0; i < table->def.slots; i++) {
        for (uint32_t k = 0; k < table->slots[i].count; k++) {
            sknDestroyBuffer(gpu, &table->slots[i].pages[k].buffer);
        }
        sknHostFree(gpu->hostAllocator, table->slots[i].pages);
    }
    sknFreeArena(&table->arena);
    *table = (JobTable){0};
}

void sknJobsBeginFrame(JobTable *table, uint32_t slot) {
    TableSlot *pages = &table->slots[slot];
    for (uint32_t i = 0; i < pages->count; i++) {
        pages->pages[i].usedWords = 0;
    }
    pages->current = 0;
    table->dispatchCount = 0;
}

TablePage *sknTablePage(JobTable *table, uint32_t slot) {
    return &table->slots[slot].pages[table->slots[slot].current];
}

/* ---- Jobs ---- */

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

bool sknSameJob(const JobKey *a, const JobKey *b) {
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
        if (sknSameJob(&table->jobs[job].key, &command->key)) {
            return job;
        }
        at = (at + 1) & mask;
    }
    uint32_t job = table->jobCount++;
    table->jobs[job] = (Job){.key = command->key};
    table->hash[at] = table->jobCount;
    return job;
}

/* The first command after `at` that does not follow it. */
static uint32_t endOfRun(const Commands *commands, uint32_t at) {
    do {
        at++;
    } while (at < commands->count && commands->follows[at]);
    return at;
}

void sknCollectJobs(JobTable *table, const Commands *commands) {
    /* Use only as much of the hash as these commands need, so that few commands cost little. */
    uint32_t size = hashSize(commands->count);
    const Command *last = NULL;
    table->jobCount = 0;
    memset(table->hash, 0, size * sizeof *table->hash);
    for (uint32_t i = 0, end = 0; i < commands->count; i = end) {
        Command *command = &commands->commands[i];
        end = endOfRun(commands, i);
        /* Adjacent runs mostly share a job. */
        bool same = i > 0 && sknSameJob(&last->key, &command->key);
        command->job = same ? last->job : findJob(table, command, size - 1);
        table->jobs[command->job].count += end - i;
        last = command;
    }
    uint32_t instance = 0;
    for (uint32_t i = 0; i < table->jobCount; i++) {
        table->jobs[i].first = instance;
        table->jobs[i].cursor = instance;
        instance += table->jobs[i].count;
    }
}

Job *sknJobOf(const JobTable *table, const Commands *commands, uint32_t at, Job *before) {
    return at > 0 && commands->follows[at] ? before : &table->jobs[commands->commands[at].job];
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

/* Morph weights follow the instances. */
static void writeInstances(Writer *writer, const Commands *commands, uint32_t morphsAt) {
    JobTable *table = writer->table;
    LayoutInstance *instances = (LayoutInstance *)(void *)(writer->words + writer->instancesAt);
    Job *job = NULL;
    for (uint32_t i = 0; i < commands->count; i++) {
        const Command *command = &commands->commands[i];
        LayoutInstance target = command->target;
        job = sknJobOf(table, commands, i, job);
        if (target.morphs > 0) {
            target.morphs =
                morphsAt + (uint32_t)(sknMorphsOf(commands, command) - commands->morphs) * LAYOUT_MORPH_WEIGHT_WORDS;
        }
        instances[job->cursor++] = target;
    }
    if (commands->morphCount > 0) {
        memcpy(writer->words + morphsAt, commands->morphs, commands->morphCount * sizeof *commands->morphs);
    }
}

/* Rows first, then the instances of all jobs. */
static void writeJobs(JobTable *table, const Commands *commands, const HandleTable *meshes, TablePage *page,
                      Shape shape) {
    Writer writer = {
        .table = table,
        .meshes = meshes,
        .words = page->buffer.memory.mapped,
        .row = page->usedWords,
        .shape = shape,
    };
    writer.instancesAt = writer.row + countRows(table, meshes, shape) * LAYOUT_JOB_WORDS;
    table->dispatchCount = 0;
    for (uint32_t begin = 0, end = 0; begin < table->jobCount; begin = end) {
        uint32_t kernel = table->jobs[table->order[begin]].key.kernel;
        while (end < table->jobCount && table->jobs[table->order[end]].key.kernel == kernel) {
            end++;
        }
        writeRun(&writer, begin, end);
    }
    const uint32_t morphsAt = writer.instancesAt + commands->count * LAYOUT_INSTANCE_WORDS;
    writeInstances(&writer, commands, morphsAt);
    page->usedWords = morphsAt + commands->morphCount * LAYOUT_MORPH_WEIGHT_WORDS;
}

void sknBuildJobs(JobTable *table, const Commands *commands, const HandleTable *meshes, uint32_t slot,
                  uint32_t workgroupSize, uint32_t instancesPerThread) {
    Shape shape = {workgroupSize, instancesPerThread};
    sknCollectJobs(table, commands);
    for (uint32_t i = 0; i < table->jobCount; i++) {
        table->order[i] = i;
    }
    /* The hash is no longer needed: its memory serves as the sort's buffer. */
    sknSortStable(table->order, table->jobCount, table->hash, comesAfter, table->jobs);
    writeJobs(table, commands, meshes, sknTablePage(table, slot), shape);
}

VkskinResult sknFlushJobs(const Gpu *gpu, JobTable *table, uint32_t slot) {
    const TablePage *page = sknTablePage(table, slot);
    return sknFlushBuffer(gpu, &page->buffer, 0, 4 * (VkDeviceSize)page->usedWords);
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

void sknPutMorphs(LayoutMorphWeight *entries, const Mesh *mesh, const float *weights, uint32_t count) {
    LayoutMorphs head = {.before = writeMorphs(entries + 1, mesh, weights, count, false)};
    head.after = writeMorphs(entries + 1 + head.before, mesh, weights, count, true);
    memcpy(entries, &head, sizeof head);
}
