#include "morph_pack.h"

#include <string.h>

/* A delta that the mesh has no use for is left out. */
static const float *normalDeltas(const VkskinMeshDef *def, const VkskinMorphTarget *target) {
    return def->normals != NULL ? target->normals : NULL;
}

static const float *tangentDeltas(const VkskinMeshDef *def, const VkskinMorphTarget *target) {
    return def->tangents != NULL ? target->tangents : NULL;
}

static void findBlocks(const VkskinMorphTarget *target, const uint32_t *places, LayoutMorph *head) {
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    for (uint32_t i = 0; i < target->vertexCount; i++) {
        uint32_t block = places[sknMorphVertex(target, i)] / 32;
        first = block < first ? block : first;
        last = block > last ? block : last;
    }
    head->firstBlock = target->vertexCount > 0 ? first : 0;
    head->blockCount = target->vertexCount > 0 ? last - first + 1 : 0;
}

/* Words for a stream of the target, where it has it. */
static uint32_t placeStream(const float *values, uint64_t words, uint64_t *at) {
    if (values == NULL || words == 0) {
        return 0;
    }
    uint32_t place = (uint32_t)*at;
    *at += words;
    return place;
}

uint64_t sknPlanMorphs(const VkskinMeshDef *def, const uint32_t *places, uint64_t at, LayoutMorph *heads) {
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        const VkskinMorphTarget *target = &def->morphTargets[i];
        LayoutMorph *head = &heads[i];
        uint64_t count = target->vertexCount;
        findBlocks(target, places, head);
        head->blocks = (uint32_t)at;
        at += 2 * (uint64_t)head->blockCount;
        head->positions = placeStream(target->positions, count * def->dimensions, &at);
        head->normals = placeStream(normalDeltas(def, target), count * 3, &at);
        head->tangents = placeStream(tangentDeltas(def, target), count * 3, &at);
    }
    return at;
}

size_t sknMorphScratch(const VkskinMeshDef *def, const LayoutMorph *heads) {
    size_t most = 0;
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        size_t words = 2 * (size_t)heads[i].blockCount;
        most = words > most ? words : most;
    }
    return most;
}

/* blocks[2 * blockCount]: the bits of each, and how many are set before it. */
static void fillBlocks(const VkskinMorphTarget *target, const uint32_t *places, const LayoutMorph *head,
                       uint32_t *blocks) {
    memset(blocks, 0, 2 * (size_t)head->blockCount * sizeof *blocks);
    for (uint32_t i = 0; i < target->vertexCount; i++) {
        uint32_t place = places[sknMorphVertex(target, i)];
        blocks[2 * (size_t)(place / 32 - head->firstBlock)] |= 1u << place % 32;
    }
    uint32_t before = 0;
    for (uint32_t b = 0; b < head->blockCount; b++) {
        blocks[2 * (size_t)b + 1] = before;
        before += sknCountBits(blocks[2 * (size_t)b]);
    }
}

static void writeDelta(uint32_t *words, uint32_t stream, uint32_t delta, const float *values, uint32_t from,
                       uint32_t width) {
    if (stream != 0) {
        memcpy(words + stream + (size_t)delta * width, values + (size_t)from * width, width * sizeof *values);
    }
}

static void writeTarget(const VkskinMeshDef *def, const VkskinMorphTarget *target, const uint32_t *places,
                        const LayoutMorph *head, uint32_t *blocks, uint32_t *words) {
    fillBlocks(target, places, head, blocks);
    memcpy(words + head->blocks, blocks, 2 * (size_t)head->blockCount * sizeof *blocks);
    for (uint32_t i = 0; i < target->vertexCount; i++) {
        uint32_t place = places[sknMorphVertex(target, i)];
        const uint32_t *block = &blocks[2 * (size_t)(place / 32 - head->firstBlock)];
        uint32_t delta = block[1] + sknCountBits(block[0] & ((1u << place % 32) - 1));
        writeDelta(words, head->positions, delta, target->positions, i, def->dimensions);
        writeDelta(words, head->normals, delta, target->normals, i, 3);
        writeDelta(words, head->tangents, delta, target->tangents, i, 3);
    }
}

void sknWriteMorphs(const VkskinMeshDef *def, const uint32_t *places, const LayoutMorph *heads, uint32_t *scratch,
                    uint32_t *words) {
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        writeTarget(def, &def->morphTargets[i], places, &heads[i], scratch, words);
    }
}
