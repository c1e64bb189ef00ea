/*
 * mesh.h: a mesh on the device: where its streams lie and what its instances need.
 */
#ifndef VKSKIN_MESH_STATE_H
#define VKSKIN_MESH_STATE_H

#include "handle_table.h"
#include "kernels.h"
#include "page_pool.h"

/* Where a mesh's streams lie, in words of its page. */
typedef struct MeshLayout {
    uint32_t positions, attributes, joints, weights;
    uint32_t outputAttributes; /* words from an instance's positions to its attributes */
    uint32_t vertexCount;
} MeshLayout;

typedef struct Mesh {
    HandleHeader header;
    VkskinMeshInfo info;
    KernelAttributes attributes;
    bool previousPositions;
    uint32_t regions;       /* of its instances */
    uint32_t instanceCount; /* alive */
    bool uploadPending;     /* its copy is not recorded yet */
    PageRange source;
    MeshLayout layout;
} Mesh;

/* Bytes of normals and tangents a vertex. */
uint32_t sknAttributeStride(VkskinVertexFormat format, KernelAttributes attributes);

#endif
