/*
 * mesh_pack.h: writes the vertices and morph targets of a mesh as the kernels read them, laid out by mesh_plan.h.
 */
#ifndef VKSKIN_MESH_PACK_H
#define VKSKIN_MESH_PACK_H

#include "mesh_plan.h"

/* Normal and tangent of a vertex of a def that has normals, of unit length: sknAttributeWords(def) words. */
void sknWriteAttributes(const VkskinMeshDef *def, uint32_t vertex, uint32_t *words);

/*
 * words: the mesh's place in its staging memory; it is not read. base: the mesh's first word in its page, from which
 * what the kernels read counts. outputAttributes: words from an instance's positions to its attributes.
 * Error: OUT_OF_HOST_MEMORY.
 */
VkskinResult sknWriteMesh(const Host *host, const VkskinMeshDef *def, const MeshPlan *plan, uint32_t base,
                          uint32_t outputAttributes, uint32_t *words);

/* ---- Morph targets ---- */

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

/* ---- Normals and tangents ---- */

/* Three components over their length; `fallback` where that is below 1e-20. */
void sknNormalise(const float *v, const float *fallback, float *unit);

/* A unit vector across the unit vector `normal`. */
void sknPerpendicular(const float *normal, float *unit);

/* The first and the second word of VKSKIN_VERTEX_PACKED; the vectors are of unit length. */
uint32_t sknPackNormal(const float *normal);
uint32_t sknPackTangent(const float *tangent, float handedness);

/* What the kernels make of them: three floats, and for a tangent the handedness, 1 or -1, as the fourth. */
void sknUnpackNormal(uint32_t word, float *normal);
void sknUnpackTangent(uint32_t word, float *tangent);

#endif
