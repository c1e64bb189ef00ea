/*
 * mesh_kernels.h: the kernels that a mesh needs, whether they exist, and the message that names the missing ones.
 */
#ifndef VKSKIN_MESH_KERNELS_H
#define VKSKIN_MESH_KERNELS_H

#include "context.h"

/* The kernel of a mesh for a pair of sknMethodPairs, or sknPlainPair if it has no bones, without its influence count. */
uint32_t sknMeshKernel(const Mesh *mesh, uint32_t pair, bool morphs);

/* Whether the kernel exists for each class of the mesh; true with the CPU backend. With the lock. */
bool sknHasMeshKernels(const struct VkskinContext_T *context, const Mesh *mesh, uint32_t kernel);

/*
 * Reports that a kernel of a mesh is missing, and names the fields of the VkskinPipelineDef that creates it. subject: how
 * the message begins. Returns `result`.
 */
VkskinResult sknReportMissingKernel(const struct VkskinContext_T *context, VkskinResult result, const char *subject,
                                    const Mesh *mesh, uint32_t kernel);

/* What vkskinCreatePipelines asks of a mesh. */
MeshNeeds sknMeshNeeds(const Mesh *mesh);

/*
 * Checks VkskinInstanceDef.methods. Errors: INVALID_VALUE for an unknown method or one that cannot skin flat meshes,
 * METHOD_DATA_MISSING. With the lock.
 */
VkskinResult sknCheckMethods(VkskinContext context, const char *call, const Mesh *mesh, uint32_t methods);

/* Whether there are kernels of a method for a mesh, in any encoding; for one without bones, any. With the lock. */
bool sknHasMethod(VkskinContext context, const Mesh *mesh, VkskinMethod method);

/*
 * WARNING_PIPELINE_MISSING, logged once for each method that has no kernels for the mesh, in any encoding that it reads.
 * methods: checked by sknCheckMethods. With the lock.
 */
VkskinResult sknWarnOfMissingKernels(VkskinContext context, const char *call, const Mesh *mesh, uint32_t methods);

#endif
