/*
 * morph_pack.h: morph targets as the kernels read them.
 */
#ifndef VKSKIN_MORPH_PACK_H
#define VKSKIN_MORPH_PACK_H

#include "mesh_def.h"

/* How many bits are set. */
static inline uint32_t sknCountBits(uint32_t word) {
    uint32_t count = 0;
    for (; word != 0; word &= word - 1) {
        count++;
    }
    return count;
}

/*
 * Lays a checked def's targets out from word `at` of the mesh on and fills heads[morphTargetCount], their offsets from
 * the mesh's start. places[vertexCount]: where each of the def's vertices stands among the sorted ones. Returns the
 * word after the last.
 */
uint64_t sknPlanMorphs(const VkskinMeshDef *def, const uint32_t *places, uint64_t at, LayoutMorph *heads);

/* Words of scratch that sknWriteMorphs needs. */
size_t sknMorphScratch(const VkskinMeshDef *def, const LayoutMorph *heads);

/* Writes what the heads lead to, not the heads. words: the mesh's; it is not read. */
void sknWriteMorphs(const VkskinMeshDef *def, const uint32_t *places, const LayoutMorph *heads, uint32_t *scratch,
                    uint32_t *words);

#endif
