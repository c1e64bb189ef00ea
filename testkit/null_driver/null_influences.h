/*
 * null_influences.h: the bones that move a vertex, read from the mesh page.
 */
#ifndef TESTS_NULL_INFLUENCES_H
#define TESTS_NULL_INFLUENCES_H

#include "null_access.h"

#define NULL_MAX_INFLUENCES 255

typedef struct NullInfluences {
    uint32_t count;
    uint32_t joints[NULL_MAX_INFLUENCES];
    float weights[NULL_MAX_INFLUENCES];
} NullInfluences;

/* `vertex` counts within the class; `count` is the kernel's constant: 0 to 4, or LAYOUT_MANY. */
void nullReadInfluences(NullAccess *access, const LayoutClass *vertexClass, uint32_t vertex, uint32_t count,
                        NullInfluences *influences);

#endif
