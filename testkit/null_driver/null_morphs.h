/*
 * null_morphs.h: the morph targets that have a weight, added to a vertex's position.
 */
#ifndef TESTS_NULL_MORPHS_H
#define TESTS_NULL_MORPHS_H

#include "null_access.h"

/* What of a vertex morph targets move. */
typedef struct NullMorphShape {
    uint32_t positionWords; /* 3, or 2 in flat meshes */
    uint32_t attributes;    /* the kernel's LAYOUT_CONSTANT_ATTRIBUTES */
} NullMorphShape;

/*
 * at: of `count` LayoutMorphWeight in the table. place: the vertex's, classes following one another. Deltas of normals
 * and tangents are read where a kernel reads them, and forgotten.
 */
void nullAddMorphs(NullAccess *access, uint32_t at, uint32_t count, uint32_t place, NullMorphShape shape,
                   float point[3]);

#endif
