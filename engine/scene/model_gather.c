#include "model_gather.h"

#include <stdlib.h>
#include <string.h>

/* Which rows of an array become rows 0, 1, 2 ... */
typedef struct Pick {
    const uint32_t *rows; /* [count] */
    size_t count;
    bool good; /* false after the first allocation that failed */
} Pick;

/* Frees `from`. Null where it is null or memory is out. */
static void *gather(Pick *pick, void *from, size_t stride) {
    uint8_t *to = from && pick->good ? malloc(pick->count ? pick->count * stride : 1) : NULL;
    pick->good = pick->good && (to || !from);
    for (size_t i = 0; to && i < pick->count; i++) {
        memcpy(to + i * stride, (const uint8_t *)from + pick->rows[i] * stride, stride);
    }
    free(from);
    return to;
}

/*
 * The rows of the morph that are kept, into rows[], and the vertices that they move from now on, into vertices[];
 * returns how many. places: a vertex of before -> its row plus 1, or 0.
 */
static uint32_t findRows(const Pick *vertexPick, const uint32_t *places, uint32_t *rows, uint32_t *vertices) {
    uint32_t count = 0;
    for (size_t i = 0; i < vertexPick->count; i++) {
        uint32_t place = places[vertexPick->rows[i]];
        if (place == 0) {
            continue;
        }
        if (rows) {
            rows[count] = place - 1;
            vertices[count] = (uint32_t)i;
        }
        count++;
    }
    return count;
}

static bool gatherMorph(ModelMorph *morph, uint32_t vertexCount, const Pick *vertexPick) {
    uint32_t *places = calloc((size_t)vertexCount + 1, sizeof *places);
    if (!places) {
        return false;
    }
    for (uint32_t i = 0; i < morph->vertexCount; i++) {
        places[morph->vertices[i]] = i + 1;
    }
    uint32_t count = findRows(vertexPick, places, NULL, NULL);
    uint32_t *rows = malloc(((size_t)count + 1) * sizeof *rows);
    uint32_t *vertices = malloc(((size_t)count + 1) * sizeof *vertices);
    Pick pick = {rows, count, rows && vertices};
    if (pick.good) {
        findRows(vertexPick, places, rows, vertices);
    }
    morph->positions = gather(&pick, morph->positions, 3 * sizeof(float));
    morph->normals = gather(&pick, morph->normals, 3 * sizeof(float));
    morph->tangents = gather(&pick, morph->tangents, 3 * sizeof(float));
    free(morph->vertices);
    morph->vertices = vertices;
    morph->vertexCount = count;
    free(rows);
    free(places);
    return pick.good;
}

bool modelGatherVertices(ModelMesh *mesh, const uint32_t *origins, uint32_t count) {
    Pick pick = {origins, count, true};
    mesh->positions = gather(&pick, mesh->positions, 3 * sizeof(float));
    mesh->normals = gather(&pick, mesh->normals, 3 * sizeof(float));
    mesh->tangents = gather(&pick, mesh->tangents, 4 * sizeof(float));
    mesh->texcoords = gather(&pick, mesh->texcoords, 2 * sizeof(float));
    mesh->joints = gather(&pick, mesh->joints, mesh->influences * sizeof(uint32_t));
    mesh->weights = gather(&pick, mesh->weights, mesh->influences * sizeof(float));
    mesh->blendWeights = gather(&pick, mesh->blendWeights, sizeof(float));
    for (uint32_t m = 0; m < mesh->morphCount && pick.good; m++) {
        pick.good = gatherMorph(&mesh->morphs[m], mesh->vertexCount, &pick);
    }
    mesh->vertexCount = count;
    return pick.good;
}
