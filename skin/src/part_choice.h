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
 * they save most vertices, until nothing is saved or some rounds are over. False where there is no memory; nothing is
 * left then.
 */
bool sknChooseParts(const VkskinSurfaceDef *surface, const BoneSets *sets, const BonePacking *packing,
                    PartChoice *choice);

void sknFreePartChoice(const VkskinSurfaceDef *surface, PartChoice *choice);

#endif
