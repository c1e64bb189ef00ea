#include "cpu_rows.h"

#include "centres.h"
#include "cpu_cut.h"
#include "mesh_def.h"
#include "mesh_pack.h"
#include "vertex_pack.h"

#include <string.h>

static uint32_t take(uint32_t *rows, bool wanted, uint32_t count) {
    uint32_t at = wanted ? *rows : NO_ROW;
    *rows += wanted ? count : 0;
    return at;
}

RowMap sknMapRows(const VkskinMeshDef *def) {
    uint32_t rows = def->dimensions;
    RowMap map = {.normal = take(&rows, def->normals != NULL, 3)};
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

/* As the kernels find them: packed ones have been through the packing. */
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

/* room: influences that the block has rows for. The last weight of up to four is what is left of one. */
static void writeInfluences(const VkskinMeshDef *def, const Surface *surface, uint32_t vertex, Row *rows, uint32_t room,
                            uint32_t lane) {
    VertexInfluences influences;
    sknMeshVertex(def, surface, vertex, &influences);
    float left = 1.0f;
    for (uint32_t i = 0; i < room; i++) {
        bool here = i < influences.count;
        bool last = i + 1 == influences.count && influences.count < LAYOUT_MANY;
        float weight = here ? (last ? left : storedWeight(def, &influences, i)) : 0.0f;
        left -= weight;
        rows[2 * (size_t)i].f[lane] = weight;
        rows[2 * (size_t)i + 1].u[lane] = influences.kept[here ? i : 0].joint;
    }
}

static void writeVertex(const VkskinMeshDef *def, const Surface *surface, const RowMap *map, uint32_t vertex, Row *rows,
                        uint32_t room, uint32_t lane) {
    writeLane(rows, lane, sknMeshPosition(def, vertex), def->dimensions);
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
        writeInfluences(def, surface, vertex, rows + map->influences, room, lane);
    }
}

/* The rows of a mesh that is being made may be written. */
static Row *ownBlock(CpuMesh *mesh, const CpuRun *run, uint32_t block, uint32_t *influences) {
    return mesh->rows + (sknRunBlock(mesh, run, block, influences) - mesh->rows);
}

/* Lanes past a run's end repeat its last vertex. */
static void padRun(CpuMesh *mesh, const CpuRun *run) {
    uint32_t last = (run->vertexCount - 1) % LANES;
    uint32_t influences;
    Row *rows = ownBlock(mesh, run, (run->vertexCount - 1) / LANES, &influences);
    for (uint32_t r = 0; r < mesh->map.influences + 2 * influences; r++) {
        for (uint32_t lane = last + 1; lane < LANES; lane++) {
            rows[r].u[lane] = rows[r].u[last];
        }
    }
}

static void writePart(const VkskinMeshDef *def, const Surface *surface, const uint8_t *counts, const CpuPart *part,
                      CpuMesh *mesh, uint32_t *lanes) {
    uint32_t next[LAYOUT_CLASSES] = {0};
    for (uint32_t v = part->firstVertex; v < part->firstVertex + part->vertexCount; v++) {
        CpuLane lane = sknNextLane(mesh, part, counts[v], next);
        const CpuRun *run = &mesh->runs[lane.run];
        uint32_t room;
        Row *rows = ownBlock(mesh, run, lane.index / LANES, &room);
        writeVertex(def, surface, &mesh->map, v, rows, room, lane.index % LANES);
        if (lanes != NULL) {
            lanes[v] = LANES * run->firstBlock + lane.index;
        }
    }
}

void sknWriteRows(const VkskinLogger *logger, const VkskinMeshDef *def, const uint8_t *counts, CpuMesh *mesh,
                  uint32_t *lanes) {
    Surface surface = sknMeshSurface(def, logger);
    for (uint32_t p = 0; p < mesh->partCount; p++) {
        writePart(def, &surface, counts, &mesh->parts[p], mesh, lanes);
    }
    for (uint32_t r = 0; r < mesh->runCount; r++) {
        padRun(mesh, &mesh->runs[r]);
    }
}
