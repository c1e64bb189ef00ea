/*
 * objects.h: what the context keeps of a mesh and of an instance.
 */
#ifndef VKSKIN_OBJECTS_H
#define VKSKIN_OBJECTS_H

#include "cpu_mesh.h"
#include "handle_table.h"
#include "kernels.h"
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

static inline VkDeviceSize sknAlignUp(VkDeviceSize size, VkDeviceSize alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

/* Bytes from an instance's positions to its attributes. */
static inline VkDeviceSize sknAttributeOffset(const Mesh *mesh) {
    return sknAlignUp((VkDeviceSize)sknPositionStride(mesh) * mesh->info.vertexCount, mesh->outputAlignment);
}

/* Bytes of normals and tangents a vertex. */
static inline uint32_t sknAttributeStride(VkskinVertexFormat format, KernelAttributes attributes) {
    static const uint32_t strides[VKSKIN_VERTEX_FORMAT_COUNT][KERNEL_ATTRIBUTES_COUNT] = {
        [VKSKIN_VERTEX_PACKED] = {0, 4, 8},
        [VKSKIN_VERTEX_FLOAT] = {0, 12, 28},
    };
    return strides[format][attributes];
}

typedef struct Instance {
    HandleHeader header;
    uint32_t mesh;
    PageRange output;
    uint32_t region;          /* where the latest update went */
    uint32_t previousRegion;  /* what the frame before that update showed; the same when there is no history */
    uint64_t updateFrame;     /* of the latest update; 0: none yet */
    uint64_t lastUpdateFrame; /* these two before the latest command changed them, should it not be recorded */
    uint32_t lastRegion;
    uint64_t poseVersion; /* of the latest update; 0: the host named none */
    uint64_t lastPoseVersion;
    uint32_t command; /* its place in the table's commands, or NO_INDEX */
} Instance;

#endif
