/*
 * lane_run.h: skins a run, block after block, each for all copies while it is in the cache. Every pair, format and
 * class; the flags of the file that includes it make the level of instructions.
 */
#ifndef VKSKIN_LANE_RUN_H
#define VKSKIN_LANE_RUN_H

#include "lane_bone.h"
#include "lane_morph.h"
#include "lane_write.h"

static inline void readVertices(const LaneBlock *block, LaneVertices *vertices) {
    const RowMap *map = &block->mesh->map;
    copyRows(vertices->position, block->rows, 2);
    if (block->mesh->positionWords == 3) {
        copyRows(vertices->position + 2, block->rows + 2, 1);
    } else {
        vertices->position[2] = (Row){{0}};
    }
    if (block->attributes >= 1) {
        copyRows(vertices->normal, block->rows + map->normal, 3);
    }
    if (block->attributes == 2) {
        copyRows(vertices->tangent, block->rows + map->tangent, 3);
    }
}

static inline void mapRows(const Row matrix[9], Row vectors[3]) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        setLaneVector(vectors, lane, mapVector(laneMatrix(matrix, lane), laneVector(vectors, lane)));
    }
}

static inline void unitRows(Row vectors[3], Vec3 fallback) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
        setLaneVector(vectors, lane, unitOr(laneVector(vectors, lane), fallback));
    }
}

static inline void movePoints(const LaneBone *bone, Row points[3]) {
    if (bone->centre != NULL) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            Vec3 from = laneVector(bone->centre, lane);
            setLaneVector(points, lane, add(laneVector(points, lane), scale(-1.0f, from)));
        }
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        Vec3 moved = mapVector(laneMatrix(bone->linear, lane), laneVector(points, lane));
        setLaneVector(points, lane, add(moved, laneVector(bone->move, lane)));
    }
}

static inline void normaliseAttributes(const LaneBlock *block, LaneVertices *vertices) {
    if (block->attributes >= 1) {
        unitRows(vertices->normal, (Vec3){0.0f, 0.0f, 1.0f});
    }
    if (block->attributes == 2) {
        unitRows(vertices->tangent, (Vec3){1.0f, 0.0f, 0.0f});
    }
}

static inline void skinVertices(const LaneBlock *block, const CpuCommand *command, LaneVertices *vertices) {
    if (block->influences > 0) {
        const MethodPair *pair = &sknMethodPairs[command->pair];
        bool exact = block->attributes > 0 && pair->stretches && block->mesh->info.normalRule == VKSKIN_NORMALS_EXACT;
        Palette palette = {command->palette, vkskinPaletteStride(pair->encoding)};
        LaneBone bone;
        blendBones(block, pair, &palette, exact, &bone);
        movePoints(&bone, vertices->position);
        if (block->attributes >= 1) {
            mapRows(exact ? bone.normal : bone.linear, vertices->normal);
        }
        if (block->attributes == 2) {
            mapRows(bone.linear, vertices->tangent);
        }
    }
    normaliseAttributes(block, vertices);
}

static inline void skinBlock(const LaneBlock *block, const CpuCommand *command, LaneVertices *vertices) {
    readVertices(block, vertices);
    addMorphs(block, command->morphs, command->morphsBefore, vertices);
    skinVertices(block, command, vertices);
    if (command->morphsAfter > 0) {
        addMorphs(block, command->morphs + command->morphsBefore, command->morphsAfter, vertices);
        normaliseAttributes(block, vertices);
    }
}

static inline void skinRun(const CpuRunWork *work) {
    const CpuMesh *mesh = work->mesh;
    const CpuRun *run = work->run;
    LaneOutput outputs[2] = {{.positionWords = 0}, {.positionWords = 0}};
    uint32_t step = 0;
    for (uint32_t first = 0; first < run->vertexCount; first += LANES) {
        uint32_t count = run->vertexCount - first < LANES ? run->vertexCount - first : LANES;
        LaneBlock block = {.mesh = mesh, .number = run->firstBlock + first / LANES};
        block.rows = sknRunBlock(mesh, run, first / LANES, &block.influences);
        block.attributes = mesh->info.hasTangents ? 2 : mesh->info.hasNormals ? 1 : 0;
        for (uint32_t i = 0; i < work->count; i++, step++) {
            LaneVertices vertices;
            skinBlock(&block, work->targets[i].command, &vertices);
            joinVertices(&block, &vertices, &work->targets[i], first, count, &outputs[step % 2]);
            if (step > 0) {
                sendVertices(&outputs[(step + 1) % 2], work->stream);
            }
        }
    }
    sendVertices(&outputs[(step + 1) % 2], work->stream);
}

#endif
