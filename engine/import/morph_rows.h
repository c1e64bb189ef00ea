/* morph_rows.h: which morph targets move a vertex, and how: to tell vertices apart that differ in nothing else. */
#ifndef ENGINE_MORPH_ROWS_H
#define ENGINE_MORPH_ROWS_H

#include "model.h"

/* A vertex as one morph has it. */
typedef struct MorphEntry {
    uint32_t morph; /* of the mesh */
    uint32_t row;   /* into the morph's arrays */
} MorphEntry;

/* The entries of vertex v are those from firsts[v] up to firsts[v + 1], ascending by morph. */
typedef struct MorphRows {
    const ModelMesh *mesh;
    size_t *firsts; /* null where the mesh has no morphs */
    MorphEntry *entries;
} MorphRows;

/* Looks into the mesh as it is now, until morphRowsEnd. */
MorphRows morphRowsBegin(const ModelMesh *mesh);
void morphRowsEnd(MorphRows *rows);

/* Whether every morph moves both by the same, bit for bit. */
bool morphRowsSame(const MorphRows *rows, uint32_t a, uint32_t b);

/* Goes on with an FNV-1a hash of 64 bits: equal for vertices that are the same. */
uint64_t morphRowsHash(const MorphRows *rows, uint32_t vertex, uint64_t hash);

#endif
