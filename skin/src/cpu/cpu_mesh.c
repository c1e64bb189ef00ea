#include "cpu_mesh.h"

#include "centres.h"
#include "mesh_pack.h"

#include <string.h>

/* ---- Spans, parts and runs ---- */

/* 0 to 3 for 1 to 4 influences, 4 for more. 0 without bones. */
static uint32_t classOf(uint32_t influences) {
    return influences < LAYOUT_MANY ? (influences > 0 ? influences - 1 : 0) : LAYOUT_CLASSES - 1;
}

/* The number of vertices of one class from `first` on, at most `limit`. */
static uint32_t stretchFrom(const uint8_t *counts, uint32_t vertexCount, uint32_t first, uint32_t limit) {
    uint32_t end = first + 1;
    while (end < vertexCount && end - first < limit && classOf(counts[end]) == classOf(counts[first])) {
        end++;
    }
    return end - first;
}

/* The size of the part that begins at `first`: one long stretch of a class, or all short ones up to the next long. */
static uint32_t partLength(const uint8_t *counts, uint32_t vertexCount, uint32_t first) {
    uint32_t stretch = stretchFrom(counts, vertexCount, first, SPAN_VERTICES);
    if (stretch >= TILE_VERTICES) {
        return stretch;
    }
    uint32_t end = first;
    while (end < vertexCount && end - first < TILE_VERTICES) {
        stretch = stretchFrom(counts, vertexCount, end, TILE_VERTICES);
        if (stretch >= TILE_VERTICES) {
            break;
        }
        uint32_t room = first + TILE_VERTICES - end;
        end += stretch < room ? stretch : room;
    }
    return end - first;
}

static void countClasses(const uint8_t *counts, uint32_t first, uint32_t vertexCount,
                         uint32_t classes[LAYOUT_CLASSES]) {
    for (uint32_t c = 0; c < LAYOUT_CLASSES; c++) {
        classes[c] = 0;
    }
    for (uint32_t v = first; v < first + vertexCount; v++) {
        classes[classOf(counts[v])]++;
    }
}

static uint32_t blocksOf(uint32_t vertexCount) {
    return (vertexCount + LANES - 1) / LANES;
}

/* Counts parts, runs and blocks. */
static void countAll(const uint8_t *counts, CpuMesh *mesh) {
    uint32_t length;
    for (uint32_t first = 0; first < mesh->info.vertexCount; first += length) {
        uint32_t classes[LAYOUT_CLASSES];
        length = partLength(counts, mesh->info.vertexCount, first);
        countClasses(counts, first, length, classes);
        mesh->partCount++;
        for (uint32_t c = 0; c < LAYOUT_CLASSES; c++) {
            mesh->runCount += classes[c] > 0;
            mesh->blockCount += blocksOf(classes[c]);
        }
    }
}

static bool allocate(CpuMesh *mesh) {
    Arena *arena = &mesh->arena;
    mesh->parts = sknArenaArray(arena, mesh->partCount, sizeof *mesh->parts);
    mesh->runs = sknArenaArray(arena, mesh->runCount, sizeof *mesh->runs);
    mesh->spans = sknArenaArray(arena, (size_t)mesh->partCount + 1, sizeof *mesh->spans);
    if (mesh->runCount > mesh->partCount) {
        mesh->places = sknArenaArray(arena, mesh->info.vertexCount, sizeof *mesh->places);
    }
    if (mesh->info.influenceVertices[LAYOUT_CLASSES - 1] > 0) {
        mesh->manyRow = sknArenaArray(arena, mesh->blockCount, sizeof *mesh->manyRow);
        mesh->manyInfluences = sknArenaArray(arena, mesh->blockCount, sizeof *mesh->manyInfluences);
    }
    return !arena->failed;
}

static void makePart(const uint8_t *counts, uint32_t first, CpuMesh *mesh, uint32_t *blocks) {
    uint32_t classes[LAYOUT_CLASSES];
    CpuPart *part = &mesh->parts[mesh->partCount++];
    *part = (CpuPart){
        .firstVertex = first,
        .vertexCount = partLength(counts, mesh->info.vertexCount, first),
        .firstRun = mesh->runCount,
    };
    countClasses(counts, first, part->vertexCount, classes);
    for (uint32_t c = 0; c < LAYOUT_CLASSES; c++) {
        if (classes[c] > 0) {
            uint32_t influences = mesh->info.boneCount > 0 ? c + 1 : 0;
            mesh->runs[mesh->runCount++] =
                (CpuRun){.vertexCount = classes[c], .influences = influences, .firstBlock = *blocks};
            *blocks += blocksOf(classes[c]);
        }
    }
    part->runCount = mesh->runCount - part->firstRun;
}

/* Where a vertex is stored. */
typedef struct CpuLane {
    uint32_t run;
    uint32_t index; /* in the run */
} CpuLane;

/* The lane of the next vertex of a part in the host's order. next[LAYOUT_CLASSES]: zero before the first vertex. */
static CpuLane nextLane(const CpuMesh *mesh, const CpuPart *part, uint32_t influences, uint32_t *next) {
    uint32_t wanted = influences < LAYOUT_MANY ? influences : LAYOUT_MANY;
    uint32_t run = part->firstRun;
    while (mesh->runs[run].influences != wanted) {
        run++;
    }
    return (CpuLane){run, next[run - part->firstRun]++};
}

/* Sets a part's `places` and `inOrder`, and the influences of its LAYOUT_MANY blocks. */
static void placeVertices(const uint8_t *counts, CpuPart *part, CpuMesh *mesh) {
    uint32_t next[LAYOUT_CLASSES] = {0};
    part->inOrder = true;
    for (uint32_t v = part->firstVertex; v < part->firstVertex + part->vertexCount; v++) {
        CpuLane lane = nextLane(mesh, part, counts[v], next);
        const CpuRun *run = &mesh->runs[lane.run];
        if (mesh->places != NULL) {
            uint32_t place = lane.index;
            for (uint32_t r = part->firstRun; r < lane.run; r++) {
                place += mesh->runs[r].vertexCount;
            }
            mesh->places[v] = (uint16_t)place;
            part->inOrder &= place == v - part->firstVertex || part->runCount == 1;
        }
        if (run->influences == LAYOUT_MANY) {
            uint8_t *largest = &mesh->manyInfluences[run->firstBlock + lane.index / LANES];
            *largest = counts[v] > *largest ? counts[v] : *largest;
        }
    }
}

/* Sets where the rows of each run and block begin. Returns the number of rows. */
static uint64_t placeRows(CpuMesh *mesh) {
    uint64_t rows = 0;
    for (uint32_t r = 0; r < mesh->runCount; r++) {
        CpuRun *run = &mesh->runs[r];
        uint32_t blocks = blocksOf(run->vertexCount);
        run->firstRow = (uint32_t)rows;
        if (run->influences != LAYOUT_MANY) {
            run->blockRows = mesh->map.influences + mesh->map.perInfluence * run->influences;
            rows += (uint64_t)blocks * run->blockRows;
            continue;
        }
        for (uint32_t b = run->firstBlock; b < run->firstBlock + blocks; b++) {
            mesh->manyRow[b] = (uint32_t)rows;
            rows += mesh->map.influences + mesh->map.perInfluence * (uint32_t)mesh->manyInfluences[b];
        }
    }
    return rows;
}

static void makeSpans(CpuMesh *mesh) {
    uint32_t vertices = SPAN_VERTICES;
    for (uint32_t p = 0; p < mesh->partCount; p++) {
        vertices += mesh->parts[p].vertexCount;
        if (vertices > SPAN_VERTICES) {
            mesh->spans[mesh->spanCount++] = p;
            vertices = mesh->parts[p].vertexCount;
        }
    }
    mesh->spans[mesh->spanCount] = mesh->partCount;
}

/* Cuts the mesh into spans, parts and runs. mesh: with arena, info and map set; receives everything else except rows, shared
 * bones and morphs. counts[vertexCount]: influences of each vertex, 0 in a mesh without bones. False: no memory. */
static bool cutMesh(const uint8_t *counts, CpuMesh *mesh, uint64_t *rowCount) {
    countAll(counts, mesh);
    if (!allocate(mesh)) {
        return false;
    }
    uint32_t blocks = 0;
    mesh->partCount = 0;
    mesh->runCount = 0;
    for (uint32_t first = 0; first < mesh->info.vertexCount;) {
        makePart(counts, first, mesh, &blocks);
        CpuPart *part = &mesh->parts[mesh->partCount - 1];
        placeVertices(counts, part, mesh);
        first += part->vertexCount;
    }
    makeSpans(mesh);
    *rowCount = placeRows(mesh);
    return true;
}

/* ---- Rows ---- */

static uint32_t take(uint32_t *rows, bool wanted, uint32_t count) {
    uint32_t at = wanted ? *rows : NO_ROW;
    *rows += wanted ? count : 0;
    return at;
}

static RowMap mapRows(const VkskinMeshDef *def) {
    const bool each = def->influencePositions != NULL;
    uint32_t rows = each ? 0 : def->dimensions;
    RowMap map = {.perInfluence = each ? 4 : 2, .normal = take(&rows, def->normals != NULL, 3)};
    map.tangent = take(&rows, def->tangents != NULL, 4);
    map.blend = take(&rows, def->blendWeights != NULL, 1);
    map.centre = take(&rows, def->centres != NULL, 3);
    map.influences = rows;
    return map;
}

static void writeLane(Row *rows, uint32_t lane, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        rows[i].f[lane] = values[i];
    }
}

/* Attributes of words are packed and unpacked first, so that the CPU reads what the kernels read. */
static void writeAttributes(const VkskinMeshDef *def, const RowMap *map, uint32_t vertex, Row *rows, uint32_t lane) {
    uint32_t words[7];
    float vectors[7];
    sknWriteAttributes(def, vertex, words);
    if (def->format == VKSKIN_VERTEX_FLOAT) {
        memcpy(vectors, words, sknAttributeWords(def) * sizeof(float));
    } else {
        sknUnpackNormal(words[0], vectors);
        if (def->tangents != NULL) {
            sknUnpackTangent(words[1], vectors + 3);
        }
    }
    writeLane(rows + map->normal, lane, vectors, 3);
    if (def->tangents != NULL) {
        writeLane(rows + map->tangent, lane, vectors + 3, 4);
    }
}

static float storedWeight(const VkskinMeshDef *def, const VertexInfluences *influences, uint32_t i) {
    return def->weightFormat == VKSKIN_WEIGHTS_FLOAT
               ? influences->kept[i].weight
               : (float)influences->units[i] / (float)sknWeightUnits(def->weightFormat);
}

/* room: influences that the block has rows for. With up to four influences the last weight is 1 minus the others. */
static void writeInfluences(const VkskinMeshDef *def, const Surface *surface, const RowMap *map, uint32_t vertex,
                            Row *rows, uint32_t room, uint32_t lane) {
    VertexInfluences influences;
    sknMeshVertex(def, surface, vertex, &influences);
    float left = 1.0f;
    for (uint32_t i = 0; i < room; i++) {
        bool here = i < influences.count;
        bool last = i + 1 == influences.count && influences.count < LAYOUT_MANY;
        float weight = here ? (last ? left : storedWeight(def, &influences, i)) : 0.0f;
        left -= weight;
        Row *own = rows + map->perInfluence * (size_t)i;
        own[0].f[lane] = weight;
        own[1].u[lane] = influences.kept[here ? i : 0].joint;
        if (def->influencePositions != NULL) {
            writeLane(own + 2, lane, sknInfluencePosition(def, vertex, influences.places[here ? i : 0]), 2);
        }
    }
}

static void writeVertex(const VkskinMeshDef *def, const Surface *surface, const RowMap *map, uint32_t vertex, Row *rows,
                        uint32_t room, uint32_t lane) {
    if (def->influencePositions == NULL) {
        writeLane(rows, lane, sknMeshPosition(def, vertex), def->dimensions);
    }
    if (def->normals != NULL) {
        writeAttributes(def, map, vertex, rows, lane);
    }
    if (def->blendWeights != NULL) {
        rows[map->blend].f[lane] = sknMeshBlendWeight(def, vertex);
    }
    if (def->centres != NULL) {
        float centre[3];
        sknReadCentre(def->centres, vertex, centre);
        writeLane(rows + map->centre, lane, centre, 3);
    }
    if (room > 0) {
        writeInfluences(def, surface, map, vertex, rows + map->influences, room, lane);
    }
}

/* The writable rows of a block, while the mesh is built. */
static Row *writableBlock(CpuMesh *mesh, const CpuRun *run, uint32_t block, uint32_t *influences) {
    return mesh->rows + (sknRunBlock(mesh, run, block, influences) - mesh->rows);
}

/* Lanes past a run's end repeat its last vertex. */
static void padRun(CpuMesh *mesh, const CpuRun *run) {
    uint32_t last = (run->vertexCount - 1) % LANES;
    uint32_t influences;
    Row *rows = writableBlock(mesh, run, (run->vertexCount - 1) / LANES, &influences);
    for (uint32_t r = 0; r < mesh->map.influences + mesh->map.perInfluence * influences; r++) {
        for (uint32_t lane = last + 1; lane < LANES; lane++) {
            rows[r].u[lane] = rows[r].u[last];
        }
    }
}

static void writePart(const VkskinMeshDef *def, const Surface *surface, const uint8_t *counts, const CpuPart *part,
                      CpuMesh *mesh, uint32_t *lanes) {
    uint32_t next[LAYOUT_CLASSES] = {0};
    for (uint32_t v = part->firstVertex; v < part->firstVertex + part->vertexCount; v++) {
        CpuLane lane = nextLane(mesh, part, counts[v], next);
        const CpuRun *run = &mesh->runs[lane.run];
        uint32_t room;
        Row *rows = writableBlock(mesh, run, lane.index / LANES, &room);
        writeVertex(def, surface, &mesh->map, v, rows, room, lane.index % LANES);
        lanes[v] = LANES * run->firstBlock + lane.index;
    }
}

/* lanes: receives where each vertex of the def is: LANES * block + lane. */
static void writeRows(const VkskinLogger *logger, const VkskinMeshDef *def, const uint8_t *counts, CpuMesh *mesh,
                      uint32_t *lanes) {
    Surface surface = sknMeshSurface(def, logger);
    for (uint32_t p = 0; p < mesh->partCount; p++) {
        writePart(def, &surface, counts, &mesh->parts[p], mesh, lanes);
    }
    for (uint32_t r = 0; r < mesh->runCount; r++) {
        padRun(mesh, &mesh->runs[r]);
    }
}

/* ---- Shared bones ---- */

#define MAX_SHARED_BONES 12u

/* The largest number of bones for which sharing is faster than blending each vertex's own bones. */
static uint32_t worthSharing(uint32_t influences) {
    return 2 * influences + 1 < MAX_SHARED_BONES ? 2 * influences + 1 : MAX_SHARED_BONES;
}

typedef struct BlockBones {
    uint32_t count;
    SharedBone bones[MAX_SHARED_BONES];
    Row weights[MAX_SHARED_BONES];
} BlockBones;

static bool addJoint(BlockBones *block, uint32_t most, uint32_t lane, uint32_t joint, float weight) {
    uint32_t b = 0;
    while (b < block->count && block->bones[b].joint != joint) {
        b++;
    }
    if (b == block->count) {
        if (b == most) {
            return false;
        }
        block->bones[b] = (SharedBone){.joint = joint};
        block->weights[b] = (Row){{0}};
        block->count++;
    }
    block->bones[b].lanes |= 1u << lane;
    block->weights[b].f[lane] += weight;
    return true;
}

/* Sets count to 0 if the block has too many bones. */
static void findBones(const CpuMesh *mesh, const Row *rows, uint32_t influences, BlockBones *block) {
    uint32_t most = worthSharing(influences);
    block->count = 0;
    for (uint32_t k = 0; k < influences; k++) {
        const Row *weights = rows + mesh->map.influences + 2 * (size_t)k;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            if (!addJoint(block, most, lane, weights[1].u[lane], weights[0].f[lane])) {
                block->count = 0;
                return;
            }
        }
    }
}

/* Collects the bones of all blocks and returns their number. Only counts them while sharedWeights is null. */
static uint32_t collectBones(CpuMesh *mesh) {
    uint32_t total = 0;
    for (uint32_t r = 0; r < mesh->runCount; r++) {
        const CpuRun *run = &mesh->runs[r];
        for (uint32_t b = 0; b * LANES < run->vertexCount; b++) {
            uint32_t influences;
            const Row *rows = sknRunBlock(mesh, run, b, &influences);
            BlockBones block;
            findBones(mesh, rows, influences, &block);
            mesh->firstBones[run->firstBlock + b] = total;
            for (uint32_t i = 0; i < block.count && mesh->sharedWeights != NULL; i++) {
                mesh->sharedBones[total + i] = block.bones[i];
                mesh->sharedWeights[total + i] = block.weights[i];
            }
            total += block.count;
        }
    }
    mesh->firstBones[mesh->blockCount] = total;
    return total;
}

/* False: no memory. */
static bool listSharedBones(CpuMesh *mesh) {
    mesh->firstBones = sknArenaArray(&mesh->arena, (size_t)mesh->blockCount + 1, sizeof *mesh->firstBones);
    if (mesh->firstBones == NULL) {
        return false;
    }
    uint32_t total = collectBones(mesh);
    if (total == 0) {
        return true;
    }
    mesh->sharedBones = sknArenaArray(&mesh->arena, total, sizeof *mesh->sharedBones);
    mesh->sharedWeights = sknArenaLines(&mesh->arena, total, sizeof *mesh->sharedWeights);
    if (mesh->arena.failed) {
        return false;
    }
    collectBones(mesh);
    return true;
}

/* ---- Meshes ---- */

/* State while a mesh is built. */
typedef struct Making {
    const Host *host;
    const VkskinMeshDef *def;
    uint32_t alignment;
    CpuMesh *mesh;
    uint8_t *counts; /* [vertexCount]: influences */
    uint32_t *lanes; /* [vertexCount]: as writeRows returns */
    Arena scratch;   /* freed when the mesh is made */
} Making;

void sknFreeCpuMesh(CpuMesh *mesh) {
    if (mesh != NULL) {
        sknFreeArena(&mesh->arena);
    }
}

/* Takes the influence statistics from the plan that the device would use. */
static VkskinResult takeInfo(Making *making) {
    MeshPlan plan;
    making->mesh->info = sknDescribeMesh(making->def, making->alignment);
    VkskinResult result = sknPlanMesh(making->host, making->def, &plan, &making->mesh->info);
    if (result >= 0) {
        sknFreePlan(&plan);
    }
    return result;
}

static void countInfluences(Making *making) {
    Surface surface = sknMeshSurface(making->def, &making->host->logger);
    for (uint32_t v = 0; v < making->def->vertexCount; v++) {
        VertexInfluences influences;
        sknMeshVertex(making->def, &surface, v, &influences);
        making->counts[v] = (uint8_t)influences.count;
    }
}

/*
 * Where one class follows another, treats all vertices of a block as the one with more influences. Parts then begin at
 * whole blocks, which are whole cache lines of the output. Vertices with fewer influences have weights of zero.
 */
static void alignClasses(uint8_t *counts, uint32_t vertexCount) {
    for (uint32_t first = 0; first < vertexCount; first += LANES) {
        uint32_t end = vertexCount - first < LANES ? vertexCount : first + LANES;
        uint32_t changes = 0;
        uint8_t largest = counts[first];
        for (uint32_t v = first + 1; v < end; v++) {
            changes += counts[v] != counts[v - 1];
            largest = counts[v] > largest ? counts[v] : largest;
        }
        if (changes == 1) {
            memset(counts + first, largest, end - first);
        }
    }
}

static VkskinResult tooLarge(const Making *making, const char *what) {
    return sknReport(&making->host->logger, VKSKIN_ERROR_MESH_TOO_LARGE,
                     "%s%s: the %s of %u vertices do not fit 32-bit offsets", SKN_MESH_LABEL(making->def), what,
                     making->def->vertexCount);
}

static VkskinResult outOfMemory(const Making *making) {
    return sknReport(&making->host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s%s: no memory for %u vertices",
                     SKN_MESH_LABEL(making->def), making->def->vertexCount);
}

static VkskinResult makeRows(Making *making) {
    CpuMesh *mesh = making->mesh;
    uint64_t rows = 0;
    countInfluences(making);
    alignClasses(making->counts, making->def->vertexCount);
    if (!cutMesh(making->counts, mesh, &rows)) {
        return outOfMemory(making);
    }
    if (rows > UINT32_MAX || rows > SIZE_MAX / sizeof(Row)) {
        return tooLarge(making, "streams");
    }
    mesh->rows = sknArenaLines(&mesh->arena, (size_t)rows, sizeof *mesh->rows);
    if (mesh->rows == NULL) {
        return outOfMemory(making);
    }
    writeRows(&making->host->logger, making->def, making->counts, mesh, making->lanes);
    mesh->info.sourceBytes = rows * sizeof(Row);
    if (making->def->boneCount > 0 && making->def->influencePositions == NULL) {
        if (!listSharedBones(mesh)) {
            return outOfMemory(making);
        }
        mesh->info.sourceBytes += mesh->firstBones[mesh->blockCount] * (uint64_t)(sizeof(Row) + sizeof(SharedBone));
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult makeMorphs(Making *making) {
    const VkskinMeshDef *def = making->def;
    CpuMesh *mesh = making->mesh;
    Arena *arena = &mesh->arena;
    mesh->morphs = sknArenaArray(arena, def->morphTargetCount, sizeof *mesh->morphs);
    mesh->morphsAfter = sknArenaArray(arena, def->morphTargetCount, sizeof *mesh->morphsAfter);
    if (arena->failed) {
        return outOfMemory(making);
    }
    uint64_t words = sknPlanMorphs(def, making->lanes, 0, mesh->morphs);
    if (words > UINT32_MAX) {
        return tooLarge(making, "morph targets");
    }
    mesh->morphWords = sknArenaArray(arena, (size_t)words, sizeof *mesh->morphWords);
    uint32_t *scratch = sknArenaArray(&making->scratch, sknMorphScratch(def, mesh->morphs), sizeof *scratch);
    if (mesh->morphWords == NULL || scratch == NULL) {
        return outOfMemory(making);
    }
    sknWriteMorphs(def, making->lanes, mesh->morphs, scratch, mesh->morphWords);
    mesh->info.sourceBytes += 4 * words;
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        mesh->morphsAfter[i] = def->morphTargets[i].afterSkinning;
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult makeImage(Making *making) {
    CpuMesh *mesh = making->mesh;
    mesh->image = sknPlanImage(&mesh->info);
    if (mesh->image.bytes > 0) {
        mesh->imageData = sknArenaArray(&mesh->arena, (size_t)mesh->image.bytes, 1);
        if (mesh->imageData == NULL) {
            return outOfMemory(making);
        }
        sknWriteImage(making->def, &mesh->image, mesh->imageData);
        mesh->info.sourceBytes += mesh->image.bytes;
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult makeMesh(Making *making) {
    const VkskinMeshDef *def = making->def;
    Arena arena = sknMakeArena(making->host->allocator);
    making->mesh = sknArenaArray(&arena, 1, sizeof *making->mesh);
    making->counts = sknArenaArray(&making->scratch, def->vertexCount, sizeof *making->counts);
    making->lanes = sknArenaArray(&making->scratch, def->vertexCount, sizeof *making->lanes);
    if (making->mesh == NULL) {
        return outOfMemory(making);
    }
    making->mesh->arena = arena;
    if (making->scratch.failed) {
        return outOfMemory(making);
    }
    making->mesh->positionWords = def->dimensions;
    making->mesh->attributeWords = sknAttributeWords(def);
    making->mesh->map = mapRows(def);
    VkskinResult result = takeInfo(making);
    making->mesh->plainStreams = sknHasPlainStreams(&making->mesh->info);
    if (result >= 0) {
        result = makeRows(making);
    }
    if (result >= 0) {
        result = makeImage(making);
    }
    return result < 0 || def->morphTargetCount == 0 ? result : makeMorphs(making);
}

VkskinResult sknMakeCpuMesh(const Host *host, const VkskinMeshDef *def, uint32_t alignment, CpuMesh **mesh) {
    Making making = {.host = host, .def = def, .alignment = alignment, .scratch = sknMakeArena(host->allocator)};
    VkskinResult result = makeMesh(&making);
    sknFreeArena(&making.scratch);
    if (result < 0) {
        sknFreeCpuMesh(making.mesh);
        making.mesh = NULL;
    }
    *mesh = making.mesh;
    return result;
}
