/*
 * mesh.h: a mesh on the device: where its streams lie and what its instances need.
 */
#ifndef VKSKIN_MESH_STATE_H
#define VKSKIN_MESH_STATE_H

#include "cpu_mesh.h"
#include "handle_table.h"
#include "kernels.h"
#include "kernels/layout.h"
#include "page_pool.h"

/* The CPU writes whole lines of its cache, fastest where output begins with one. */
#define HOST_LINE 64u

/* Vertices of as many influences: a job of their own, a kernel of their own. */
typedef struct MeshClass {
    uint32_t influences; /* 0 in a mesh without bones, 1 to 4, or LAYOUT_MANY */
    uint32_t vertexCount;
    uint32_t head; /* word offset of its LayoutClass into the page */
} MeshClass;

typedef struct Mesh {
    HandleHeader header;
    VkskinMeshInfo info;
    KernelAttributes attributes;
    bool previousPositions;
    uint32_t outputAlignment; /* of positions and of attributes, from the start of a page */
    uint32_t regions;         /* of its instances */
    uint32_t instanceCount;   /* alive */
    bool uploadPending;       /* its copy is not recorded yet */
    bool *morphsAfter;        /* [morphTargetCount]: after skinning; null: none is */
    CpuMesh *cpu;             /* with the CPU backend, instead of all below */
    PageRange source;
    uint32_t classCount;
    MeshClass classes[LAYOUT_CLASSES];
    uint32_t morphHeads; /* word offset of its LayoutMorph into the page */
} Mesh;

/* Bytes of a position in the output. */
static inline uint32_t sknPositionStride(const Mesh *mesh) {
    return 4 * mesh->info.dimensions;
}

/* The rule that its kernels know: where there are no bones it makes no difference. */
static inline VkskinNormals sknKernelNormals(const Mesh *mesh) {
    return mesh->info.boneCount > 0 ? mesh->info.normalRule : VKSKIN_NORMALS_CHEAP;
}

/* Bytes from an instance's positions to its attributes. */
VkDeviceSize sknAttributeOffset(const Mesh *mesh);

/* Bytes of normals and tangents a vertex. */
uint32_t sknAttributeStride(VkskinVertexFormat format, KernelAttributes attributes);

/* Frees what a mesh that goes has in host memory. */
void sknForgetMesh(const Gpu *gpu, Mesh *mesh);

#endif
