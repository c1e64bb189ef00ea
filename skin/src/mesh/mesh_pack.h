/*
 * mesh_pack.h: writes a mesh as mesh_plan.h laid it out.
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

#endif
