/* population_pick.h: what a ray hits: the nearest triangle of the characters of a population, as they are posed now. */
#ifndef ENGINE_POPULATION_PICK_H
#define ENGINE_POPULATION_PICK_H

#include "population.h"
#include "vkskin/vkskin_hit.h"

#define PICK_NOTHING UINT32_MAX

typedef struct PopulationPick {
    uint32_t character; /* index; PICK_NOTHING: nothing is hit */
    uint32_t part;      /* part of its model */
    uint32_t node;      /* node of the bone that moves the point most; PICK_NOTHING: no bone does */
    VkskinHit hit;      /* in the mesh of the part at level 0 */
} PopulationPick;

/*
 * Tests the boxes of the characters, then the triangles of those that the ray enters, on the CPU with any system. Vertices
 * are skinned by linear blending, also with other methods. origin, direction: in world space; direction: any length above 0.
 */
bool populationPick(const Population *population, const float origin[3], const float direction[3], PopulationPick *pick,
                    EngineError *error);

#endif
