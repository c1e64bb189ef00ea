#include "cpu_cut.h"

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

CpuLane sknNextLane(const CpuMesh *mesh, const CpuPart *part, uint32_t influences, uint32_t *next) {
    uint32_t wanted = influences < LAYOUT_MANY ? influences : LAYOUT_MANY;
    uint32_t run = part->firstRun;
    while (mesh->runs[run].influences != wanted) {
        run++;
    }
    return (CpuLane){run, next[run - part->firstRun]++};
}

/* Sets a part's `places` and the influences of its LAYOUT_MANY blocks. */
static void placeVertices(const uint8_t *counts, const CpuPart *part, CpuMesh *mesh) {
    uint32_t next[LAYOUT_CLASSES] = {0};
    for (uint32_t v = part->firstVertex; v < part->firstVertex + part->vertexCount; v++) {
        CpuLane lane = sknNextLane(mesh, part, counts[v], next);
        const CpuRun *run = &mesh->runs[lane.run];
        if (mesh->places != NULL) {
            uint32_t place = lane.index;
            for (uint32_t r = part->firstRun; r < lane.run; r++) {
                place += mesh->runs[r].vertexCount;
            }
            mesh->places[v] = (uint16_t)place;
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

bool sknCutMesh(const uint8_t *counts, CpuMesh *mesh, uint64_t *rowCount) {
    countAll(counts, mesh);
    if (!allocate(mesh)) {
        return false;
    }
    uint32_t blocks = 0;
    mesh->partCount = 0;
    mesh->runCount = 0;
    for (uint32_t first = 0; first < mesh->info.vertexCount;) {
        makePart(counts, first, mesh, &blocks);
        const CpuPart *part = &mesh->parts[mesh->partCount - 1];
        placeVertices(counts, part, mesh);
        first += part->vertexCount;
    }
    makeSpans(mesh);
    *rowCount = placeRows(mesh);
    return true;
}
