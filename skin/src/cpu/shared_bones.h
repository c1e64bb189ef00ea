/*
 * shared_bones.h: the bones that move the vertices of each block of a mesh, told once for the block.
 */
#ifndef VKSKIN_SHARED_BONES_H
#define VKSKIN_SHARED_BONES_H

#include "cpu_mesh.h"

/*
 * Fills in the bones of a mesh whose rows are written. False where there is no memory; what was made is then left in
 * the mesh, to go with it.
 */
bool sknShareBones(const VkskinHostAllocator *allocator, CpuMesh *mesh);

#endif
