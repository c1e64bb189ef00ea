#include "morph_rows.h"

#include "child_memory.h"

#include <stdlib.h>
#include <string.h>

#define DELTA_SIZE (3 * sizeof(float))
#define STREAMS    3

/* The deltas of an entry, null where its morph has none of that kind. */
static const float *deltaOf(const MorphRows *rows, const MorphEntry *entry, int stream) {
    const ModelMorph *morph = &rows->mesh->morphs[entry->morph];
    const float *const streams[STREAMS] = {morph->positions, morph->normals, morph->tangents};
    return streams[stream] ? streams[stream] + 3 * (size_t)entry->row : NULL;
}

MorphRows morphRowsBegin(const ModelMesh *mesh) {
    MorphRows rows = {.mesh = mesh};
    if (mesh->morphCount == 0) {
        return rows;
    }
    /* Counted two places on, summed one place on: filling moves each first to where it belongs. */
    rows.firsts = childAllocate((size_t)mesh->vertexCount + 2, sizeof *rows.firsts);
    for (uint32_t m = 0; m < mesh->morphCount; m++) {
        for (uint32_t i = 0; i < mesh->morphs[m].vertexCount; i++) {
            rows.firsts[mesh->morphs[m].vertices[i] + 2u]++;
        }
    }
    for (size_t v = 2; v < (size_t)mesh->vertexCount + 2; v++) {
        rows.firsts[v] += rows.firsts[v - 1];
    }
    rows.entries = childAllocate(rows.firsts[mesh->vertexCount + 1u], sizeof *rows.entries);
    for (uint32_t m = 0; m < mesh->morphCount; m++) {
        for (uint32_t i = 0; i < mesh->morphs[m].vertexCount; i++) {
            rows.entries[rows.firsts[mesh->morphs[m].vertices[i] + 1u]++] = (MorphEntry){m, i};
        }
    }
    return rows;
}

void morphRowsEnd(MorphRows *rows) {
    free(rows->firsts);
    free(rows->entries);
    *rows = (MorphRows){0};
}

static bool sameEntry(const MorphRows *rows, const MorphEntry *a, const MorphEntry *b) {
    for (int s = 0; s < STREAMS && a->morph == b->morph; s++) {
        const float *left = deltaOf(rows, a, s);
        if (left && memcmp(left, deltaOf(rows, b, s), DELTA_SIZE) != 0) {
            return false;
        }
    }
    return a->morph == b->morph;
}

bool morphRowsSame(const MorphRows *rows, uint32_t a, uint32_t b) {
    if (!rows->firsts) {
        return true;
    }
    const MorphEntry *left = rows->entries + rows->firsts[a], *right = rows->entries + rows->firsts[b];
    size_t count = rows->firsts[a + 1u] - rows->firsts[a];
    bool same = count == rows->firsts[b + 1u] - rows->firsts[b];
    for (size_t i = 0; i < count && same; i++) {
        same = sameEntry(rows, &left[i], &right[i]);
    }
    return same;
}

static uint64_t hashBytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211ull;
    }
    return hash;
}

uint64_t morphRowsHash(const MorphRows *rows, uint32_t vertex, uint64_t hash) {
    size_t end = rows->firsts ? rows->firsts[vertex + 1u] : 0;
    for (size_t i = rows->firsts ? rows->firsts[vertex] : 0; i < end; i++) {
        const MorphEntry *entry = &rows->entries[i];
        hash = hashBytes(hash, &entry->morph, sizeof entry->morph);
        for (int s = 0; s < STREAMS; s++) {
            const float *delta = deltaOf(rows, entry, s);
            hash = delta ? hashBytes(hash, delta, DELTA_SIZE) : hash;
        }
    }
    return hash;
}
