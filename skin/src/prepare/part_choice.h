/*
 * part_choice.h: which part each triangle goes to, so that few vertices are in two.
 */
#ifndef VKSKIN_PART_CHOICE_H
#define VKSKIN_PART_CHOICE_H

#include "bone_packing.h"

typedef struct PartChoice {
    uint32_t partCount; /* some of which may have no triangle */
    uint32_t *partOf;   /* [triangleCount] */
    size_t vertexCount; /* of all parts together */
} PartChoice;

/*
 * Begins with the parts of a packing, then moves whole sets, and then single triangles, to that of their homes where
 * they save most vertices, until nothing is saved or some rounds are over. Errors: CANCELLED, told to the surface's
 * logger; OUT_OF_HOST_MEMORY, not told. Nothing is left then.
 */
VkskinResult sknChooseParts(Stage stage, const BoneSets *sets, const BonePacking *packing, PartChoice *choice);

void sknFreePartChoice(const Surface *surface, PartChoice *choice);

#endif
