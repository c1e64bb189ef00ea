#include "cpu_skin.h"

#include "methods.h"
#include "run_tasks.h"
#include "simd.h"

/* ---- Runs ---- */

static bool blendsMatrices(const CpuRunWork *work) {
    const MethodPair *pair = &sknMethodPairs[work->targets[0].command->pair];
    return pair->method == VKSKIN_METHOD_LINEAR_BLEND && pair->encoding == VKSKIN_PALETTE_MAT3X4 &&
           work->run->influences > 0;
}

/* The functions of a level; blend and points are null if it has none. */
typedef struct RunLevel {
    CpuRunFn skin, blend, points;
} RunLevel;

static RunLevel levelOf(VkskinCpuLevel level) {
    switch (level) {
#if defined(VKSKIN_HAS_AVX512)
    case VKSKIN_CPU_AVX512:
        return (RunLevel){sknSkinRunAvx512, sknBlendRunAvx512, sknPointRunAvx512};
#endif
#if defined(VKSKIN_HAS_AVX2)
    case VKSKIN_CPU_AVX2:
        return (RunLevel){sknSkinRunAvx2, sknBlendRunAvx2, sknPointRunAvx2};
#endif
    default:
        return (RunLevel){sknSkinRunPortable, NULL, NULL};
    }
}

CpuRunFn sknFindFastRun(VkskinCpuLevel level, const CpuRunWork *work) {
    if (work->mesh->info.hasInfluencePositions) {
        return levelOf(level).points;
    }
    return blendsMatrices(work) ? levelOf(level).blend : NULL;
}

/* Larger outputs do not stay in the caches until they are read. */
#define STREAM_BYTES ((uint64_t)4 << 20)

#define STAGED          4u /* copies skinned at once, of a part with several runs */
#define ATTRIBUTE_WORDS 7u /* maximum per vertex */

typedef struct Work {
    const CpuJob *jobs;
    uint32_t jobCount;
    VkskinCpuLevel level;
    bool stream;
} Work;

static uint32_t groupsOf(const CpuJob *job) {
    return (uint32_t)(((uint64_t)job->count + TASK_INSTANCES - 1) / TASK_INSTANCES);
}

/* Sizes of bones from which blend.c computes cofactors without scaling. A bone of size 0 has none to compute. */
#define SMALLEST_BONE 0x1p-20f
#define LARGEST_BONE  0x1p20f

/* matrices: [count][12] */
static bool hasOddBone(const float *matrices, uint32_t count) {
    bool odd = false;
    for (uint32_t b = 0; b < count; b++) {
        float size = 0.0f;
        for (uint32_t e = 0; e < 12; e++) {
            float element = e % 4 == 3 ? 0.0f : fabsf(matrices[(size_t)12 * b + e]);
            size = element > size ? element : size;
        }
        odd |= size > LARGEST_BONE || (size > 0.0f && size < SMALLEST_BONE);
    }
    return odd;
}

static bool needsLanes(const CpuMesh *mesh, const CpuCommand *command) {
    const MethodPair *pair = &sknMethodPairs[command->pair];
    if (command->morphsBefore + command->morphsAfter > 0) {
        return true;
    }
    if (command->palette == NULL) {
        return false; // the mesh has no bones
    }
    return pair->method == VKSKIN_METHOD_LINEAR_BLEND && pair->encoding == VKSKIN_PALETTE_MAT3X4 &&
           mesh->info.hasNormals && mesh->info.normalRule == VKSKIN_NORMALS_EXACT &&
           hasOddBone(command->palette, mesh->info.boneCount);
}

/* The number of targets, from the first on, with the same pair that all or none are lanesOnly. */
static uint32_t countAlike(const CpuTarget *targets, uint32_t count) {
    const CpuCommand *first = targets[0].command;
    uint32_t alike = 1;
    while (alike < count && targets[alike].command->pair == first->pair &&
           targets[alike].command->lanesOnly == first->lanesOnly) {
        alike++;
    }
    return alike;
}

static void skinTargets(const CpuRunWork *all, VkskinCpuLevel level) {
    CpuRunWork work = *all;
    for (uint32_t left = all->count; left > 0; left -= work.count) {
        work.count = countAlike(work.targets, left);
        CpuRunFn fast = work.targets[0].command->lanesOnly ? NULL : sknFindFastRun(level, &work);
        (fast != NULL ? fast : levelOf(level).skin)(&work);
        work.targets += work.count;
    }
}

/* Where vertex `vertex` of a command has an attribute. */
static unsigned char *placeOf(const CpuMesh *mesh, const CpuCommand *command, VkskinAttributePlace place,
                              uint32_t vertex) {
    return command->streams[place.stream] + place.offset + (size_t)mesh->info.layout.strides[place.stream] * vertex;
}

/* Writes a run that is in the host's order, from vertex `first` on, directly to plain streams. */
static void skinPlain(const Work *work, const CpuMesh *mesh, const CpuRun *run, uint32_t first,
                      const CpuCommand *commands, uint32_t count) {
    const VkskinOutputLayout *layout = &mesh->info.layout;
    CpuTarget targets[TASK_INSTANCES];
    for (uint32_t i = 0; i < count; i++) {
        const CpuCommand *command = &commands[i];
        void *positions = placeOf(mesh, command, layout->position, first);
        void *attributes = placeOf(mesh, command, layout->normal, first);
        targets[i] = (CpuTarget){command, positions, mesh->attributeWords > 0 ? attributes : NULL};
    }
    CpuRunWork runWork = {mesh, run, targets, count, work->stream};
    skinTargets(&runWork, work->level);
}

/* Copies vertices of `words` words to the order that `places` states. A constant `words` makes this a few moves. */
SIMD_INLINE void gatherVertices(const uint16_t *places, uint32_t count, const uint32_t *staged, size_t words,
                                uint32_t *ordered) {
    for (uint32_t v = 0; v < count; v++) {
        memcpy(ordered + v * words, staged + places[v] * words, 4 * words);
    }
}

/* staged: in the order of the runs, `words` per vertex. out: in the host's order. */
static void putInOrder(const uint16_t *places, uint32_t vertexCount, const uint32_t *staged, uint32_t words, void *out,
                       bool stream) {
    uint32_t buffer[LANES * ATTRIBUTE_WORDS];
    for (uint32_t first = 0; first < vertexCount; first += LANES) {
        uint32_t count = vertexCount - first < LANES ? vertexCount - first : LANES;
        uint32_t *to = (uint32_t *)out + (size_t)first * words;
        uint32_t *ordered = stream ? buffer : to;
        switch (words) {
        case 1:
            gatherVertices(places + first, count, staged, 1, ordered);
            break;
        case 2:
            gatherVertices(places + first, count, staged, 2, ordered);
            break;
        case 3:
            gatherVertices(places + first, count, staged, 3, ordered);
            break;
        default:
            gatherVertices(places + first, count, staged, ATTRIBUTE_WORDS, ordered);
            break;
        }
        if (stream) {
            simdCopyWords(to, buffer, count * words, true);
        }
    }
}

typedef struct Stage {
    float positions[TILE_VERTICES * 3];
    uint32_t attributes[TILE_VERTICES * ATTRIBUTE_WORDS];
} Stage;

/* Consecutive vertices that are skinned on the stack, at most TILE_VERTICES. */
typedef struct Tile {
    uint32_t firstVertex; /* in the host's order */
    uint32_t vertexCount;
    const CpuRun *runs; /* [runCount] */
    uint32_t runCount;
    const uint16_t *places; /* [vertexCount]: a vertex's index in the runs; null: one run, in the host's order */
} Tile;

/* An attribute of staged vertices: `words` words at the start of each `step`, and where it goes. */
typedef struct Scatter {
    const uint32_t *staged;
    size_t step;
    uint32_t words;
    VkskinAttributePlace place;
} Scatter;

/* A constant `words` makes this a few moves. */
SIMD_INLINE void scatterVertices(const Scatter *from, const uint16_t *places, uint32_t first, uint32_t end,
                                 size_t words, unsigned char *to, size_t stride) {
    for (uint32_t v = first; v < end; v++, to += stride) {
        memcpy(to, from->staged + from->step * (places != NULL ? places[v] : v), 4 * words);
    }
}

static void scatterBlock(const CpuMesh *mesh, const Tile *tile, const CpuCommand *command, const Scatter *from,
                         uint32_t first, uint32_t end) {
    unsigned char *to = placeOf(mesh, command, from->place, tile->firstVertex + first);
    size_t stride = mesh->info.layout.strides[from->place.stream];
    switch (from->words) {
    case 1:
        scatterVertices(from, tile->places, first, end, 1, to, stride);
        break;
    case 2:
        scatterVertices(from, tile->places, first, end, 2, to, stride);
        break;
    case 3:
        scatterVertices(from, tile->places, first, end, 3, to, stride);
        break;
    default:
        scatterVertices(from, tile->places, first, end, 4, to, stride);
        break;
    }
}

static void writeOnes(const CpuMesh *mesh, const Tile *tile, const CpuCommand *command, uint32_t first, uint32_t end) {
    static const float one = 1.0f;
    VkskinAttributePlace place = mesh->info.layout.position;
    place.offset += 4 * mesh->positionWords;
    for (uint32_t v = first; v < end; v++) {
        memcpy(placeOf(mesh, command, place, tile->firstVertex + v), &one, sizeof one);
    }
}

/* Writes staged vertices to any layout, a few at a time, so that the attributes of an interleaved vertex meet in the
 * cache. */
static void scatterTile(const CpuMesh *mesh, const Tile *tile, const CpuCommand *command, const Stage *stage) {
    const VkskinOutputLayout *layout = &mesh->info.layout;
    uint32_t normalWords = mesh->info.hasNormals ? sknNormalBytes(mesh->info.format) / 4 : 0;
    const Scatter attributes[] = {
        {(const uint32_t *)(const void *)stage->positions, mesh->positionWords, mesh->positionWords, layout->position},
        {stage->attributes, mesh->attributeWords, normalWords, layout->normal},
        {stage->attributes + normalWords, mesh->attributeWords, mesh->attributeWords - normalWords, layout->tangent},
    };
    for (uint32_t first = 0; first < tile->vertexCount; first += LANES) {
        uint32_t end = tile->vertexCount - first < LANES ? tile->vertexCount : first + LANES;
        for (size_t i = 0; i < SKN_COUNT(attributes); i++) {
            if (attributes[i].words > 0) {
                scatterBlock(mesh, tile, command, &attributes[i], first, end);
            }
        }
        if (layout->positionW) {
            writeOnes(mesh, tile, command, first, end);
        }
    }
}

static void orderTile(const Work *work, const CpuMesh *mesh, const Tile *tile, const CpuCommand *command,
                      const Stage *stage) {
    const VkskinOutputLayout *layout = &mesh->info.layout;
    putInOrder(tile->places, tile->vertexCount, (const uint32_t *)(const void *)stage->positions, mesh->positionWords,
               placeOf(mesh, command, layout->position, tile->firstVertex), work->stream);
    if (mesh->attributeWords > 0) {
        putInOrder(tile->places, tile->vertexCount, stage->attributes, mesh->attributeWords,
                   placeOf(mesh, command, layout->normal, tile->firstVertex), work->stream);
    }
}

/* count: at most STAGED. */
static void skinTile(const Work *work, const CpuMesh *mesh, const Tile *tile, const CpuCommand *commands,
                     uint32_t count) {
    Stage stages[STAGED];
    CpuTarget targets[STAGED];
    uint32_t vertex = 0;
    for (uint32_t r = 0; r < tile->runCount; r++) {
        for (uint32_t i = 0; i < count; i++) {
            targets[i] = (CpuTarget){&commands[i], stages[i].positions + (size_t)mesh->positionWords * vertex, NULL};
            if (mesh->attributeWords > 0) {
                targets[i].attributes = stages[i].attributes + (size_t)mesh->attributeWords * vertex;
            }
        }
        CpuRunWork run = {mesh, &tile->runs[r], targets, count, false};
        skinTargets(&run, work->level);
        vertex += tile->runs[r].vertexCount;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (mesh->plainStreams) {
            orderTile(work, mesh, tile, &commands[i], &stages[i]);
        } else {
            scatterTile(mesh, tile, &commands[i], &stages[i]);
        }
    }
}

/* A part with one run, in pieces of whole blocks. */
static void skinPieces(const Work *work, const CpuMesh *mesh, const CpuPart *part, const CpuCommand *commands,
                       uint32_t count) {
    const CpuRun *run = &mesh->runs[part->firstRun];
    for (uint32_t first = 0; first < run->vertexCount; first += TILE_VERTICES) {
        uint32_t left = run->vertexCount - first;
        CpuRun piece = *run;
        piece.vertexCount = left < TILE_VERTICES ? left : TILE_VERTICES;
        piece.firstBlock += first / LANES;
        piece.firstRow += first / LANES * run->blockRows;
        const Tile tile = {part->firstVertex + first, piece.vertexCount, &piece, 1, NULL};
        skinTile(work, mesh, &tile, commands, count);
    }
}

static void skinPart(const Work *work, const CpuMesh *mesh, const CpuPart *part, const CpuCommand *commands,
                     uint32_t count) {
    bool oneRun = part->runCount == 1;
    if (part->inOrder && mesh->plainStreams) {
        const CpuRun *runs = &mesh->runs[part->firstRun];
        for (uint32_t r = 0, vertex = part->firstVertex; r < part->runCount; vertex += runs[r++].vertexCount) {
            skinPlain(work, mesh, &runs[r], vertex, commands, count);
        }
        return;
    }
    for (uint32_t first = 0; first < count; first += STAGED) {
        uint32_t some = count - first < STAGED ? count - first : STAGED;
        if (oneRun) {
            skinPieces(work, mesh, part, commands + first, some);
        } else {
            const Tile tile = {part->firstVertex, part->vertexCount, &mesh->runs[part->firstRun], part->runCount,
                               mesh->places + part->firstVertex};
            skinTile(work, mesh, &tile, commands + first, some);
        }
    }
}

/* The last job whose first task is not above `task`. Jobs without tasks are skipped: the next job has the same
 * firstTask. */
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

/* Consecutive tasks have the same span, so that a thread finds the span's vertices in its cache. */
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
        simdFence();
    }
}

void sknSkinJobs(CpuJob *jobs, uint32_t jobCount, const VkskinCpuRun *run) {
    uint64_t bytes = 0;
    uint32_t tasks = 0; /* does not overflow: their output would exceed memory */
    for (uint32_t i = 0; i < jobCount; i++) {
        jobs[i].firstTask = tasks;
        tasks += groupsOf(&jobs[i]) * jobs[i].mesh->spanCount;
        bytes += jobs[i].mesh->info.outputBytes * jobs[i].count + jobs[i].otherBytes;
        for (uint32_t k = 0; k < jobs[i].count; k++) {
            jobs[i].commands[k].lanesOnly = needsLanes(jobs[i].mesh, &jobs[i].commands[k]);
        }
    }
    Work work = {jobs, jobCount, run->level, bytes > STREAM_BYTES};
    sknRunTasks(run->parallel, run->parallelUser, tasks, runTask, &work);
}
