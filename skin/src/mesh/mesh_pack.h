/*
 * mesh_pack.h: writes the vertices and morph targets of a mesh as the kernels read them, laid out by mesh_plan.h.
 */
#ifndef VKSKIN_MESH_PACK_H
#define VKSKIN_MESH_PACK_H

#include "mesh_plan.h"

/* Writes the unit normal and tangent of a vertex: sknAttributeWords(def) words. The def must have normals. */
void sknWriteAttributes(const VkskinMeshDef *def, uint32_t vertex, uint32_t *words);

/*
 * words: the mesh's staging memory, write-only. base: the mesh's first word in its page; offsets for the kernels are
 * relative to the page. info: of the mesh, with its layout.
 * Error: OUT_OF_HOST_MEMORY.
 */
VkskinResult sknWriteMesh(const Host *host, const VkskinMeshDef *def, const MeshPlan *plan, uint32_t base,
                          const VkskinMeshInfo *info, uint32_t *words);

/* ---- Morph targets ---- */

/* Number of bits set. */
static inline uint32_t sknCountBits(uint32_t word) {
    uint32_t count = 0;
    for (; word != 0; word &= word - 1) {
        count++;
    }
    return count;
}

/* Size of the scratch memory of sknWriteMorphs, in words. */
size_t sknMorphScratch(const VkskinMeshDef *def, const LayoutMorph *heads);

/* Writes the data that the heads refer to, not the heads. words: the mesh's memory, write-only. */
void sknWriteMorphs(const VkskinMeshDef *def, const uint32_t *places, const LayoutMorph *heads, uint32_t *scratch,
                    uint32_t *words);

/* ---- Normals and tangents ---- */

/* Unpack as the kernels do: three floats; for a tangent also the handedness, 1 or -1, as the fourth. */
void sknUnpackNormal(uint32_t word, float *normal);
void sknUnpackTangent(uint32_t word, float *tangent);

#endif
