#include "mesh_weld.h"

#include "child_memory.h"
#include "model_gather.h"
#include "morph_rows.h"

#include <stdlib.h>
#include <string.h>

#define STREAMS 7
#define NONE    UINT32_MAX

/* One attribute array, as bytes. */
typedef struct Stream {
    const uint8_t *bytes;
    size_t stride;
} Stream;

typedef struct Welder {
    Stream streams[STREAMS];
    MorphRows morphs;
    uint32_t *slots;   /* a hash table of kept vertices, NONE where free; at least twice as many as vertices */
    size_t mask;       /* slots minus 1, a power of two minus 1 */
    uint32_t *origins; /* kept vertex -> the vertex that it was */
    uint32_t kept;
} Welder;

static uint64_t hashVertex(const Welder *welder, uint32_t vertex) {
    uint64_t hash = 14695981039346656037ull; /* FNV-1a, 64 bits */
    for (int s = 0; s < STREAMS; s++) {
        const Stream *stream = &welder->streams[s];
        for (size_t i = 0; stream->bytes && i < stream->stride; i++) {
            hash = (hash ^ stream->bytes[vertex * stream->stride + i]) * 1099511628211ull;
        }
    }
    hash = morphRowsHash(&welder->morphs, vertex, hash);
    return hash ^ hash >> 32;
}

static bool sameVertex(const Welder *welder, uint32_t a, uint32_t b) {
    for (int s = 0; s < STREAMS; s++) {
        const Stream *stream = &welder->streams[s];
        if (stream->bytes &&
            memcmp(stream->bytes + a * stream->stride, stream->bytes + b * stream->stride, stream->stride) != 0) {
            return false;
        }
    }
    return morphRowsSame(&welder->morphs, a, b);
}

/* The kept vertex that equals `vertex`; where there is none, `vertex` is kept. */
static uint32_t keep(Welder *welder, uint32_t vertex) {
    size_t slot = hashVertex(welder, vertex) & welder->mask;
    while (welder->slots[slot] != NONE) {
        uint32_t candidate = welder->slots[slot];
        if (sameVertex(welder, welder->origins[candidate], vertex)) {
            return candidate;
        }
        slot = (slot + 1) & welder->mask;
    }
    welder->slots[slot] = welder->kept;
    welder->origins[welder->kept] = vertex;
    return welder->kept++;
}

static void gather(ModelMesh *mesh, const uint32_t *origins, uint32_t count) {
    if (!modelGatherVertices(mesh, origins, count)) {
        childOutOfMemory();
    }
}

void meshSplit(ModelMesh *mesh) {
    gather(mesh, mesh->indices, mesh->indexCount);
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        mesh->indices[i] = i;
    }
}

static Welder welderFor(const ModelMesh *mesh) {
    Welder welder = {.streams = {
                         {(const uint8_t *)mesh->positions, 3 * sizeof(float)},
                         {(const uint8_t *)mesh->normals, 3 * sizeof(float)},
                         {(const uint8_t *)mesh->tangents, 4 * sizeof(float)},
                         {(const uint8_t *)mesh->texcoords, 2 * sizeof(float)},
                         {(const uint8_t *)mesh->joints, mesh->influences * sizeof(uint32_t)},
                         {(const uint8_t *)mesh->weights, mesh->influences * sizeof(float)},
                         {(const uint8_t *)mesh->blendWeights, sizeof(float)},
                     }};
    size_t slots = 16;
    while (slots < 2 * (size_t)mesh->vertexCount) {
        slots *= 2;
    }
    welder.mask = slots - 1;
    welder.slots = childAllocate(slots, sizeof *welder.slots);
    memset(welder.slots, 0xff, slots * sizeof *welder.slots);
    welder.morphs = morphRowsBegin(mesh);
    welder.origins = childAllocate(mesh->vertexCount, sizeof *welder.origins);
    return welder;
}

void meshWeld(ModelMesh *mesh) {
    Welder welder = welderFor(mesh);
    uint32_t *newIndices = childAllocate(mesh->vertexCount, sizeof *newIndices);
    bool *used = childAllocate(mesh->vertexCount, sizeof *used);
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        used[mesh->indices[i]] = true;
    }
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        newIndices[v] = used[v] ? keep(&welder, v) : NONE;
    }
    morphRowsEnd(&welder.morphs);
    gather(mesh, welder.origins, welder.kept);
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        mesh->indices[i] = newIndices[mesh->indices[i]];
    }
    free(welder.slots);
    free(welder.origins);
    free(newIndices);
    free(used);
}
