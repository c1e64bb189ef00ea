/*
 * objects.h: what the context keeps of a mesh and of an instance.
 */
#ifndef VKSKIN_OBJECTS_H
#define VKSKIN_OBJECTS_H

#include "cpu_mesh.h"
#include "handle_table.h"
#include "kernels.h"
#include "page_pool.h"

/* The CPU writes fastest if output starts at a cache line. */
#define HOST_LINE 64u

/* Vertices of one influence count. Each class has its own rows in the job table and its own kernel. */
typedef struct MeshClass {
    uint32_t influences; /* 0 in a mesh without bones, 1 to 4, or LAYOUT_MANY */
    uint32_t vertexCount;
    uint32_t head; /* word offset of its LayoutClass in the page */
} MeshClass;

typedef struct Mesh {
    HandleHeader header;
    VkskinMeshInfo info;
    KernelAttributes attributes;
    bool previousPositions;
    uint32_t outputAlignment; /* of positions and of attributes, from the start of a page */
    uint32_t regions;         /* of each instance's output */
    uint32_t instanceCount;   /* existing instances */
    bool uploadPending;       /* its copy is not recorded */
    bool *morphsAfter;        /* [morphTargetCount]: applied after skinning; null: none */
    CpuMesh *cpu;             /* CPU backend only; the fields below are then unused */
    PageRange source;
    uint32_t classCount;
    MeshClass classes[LAYOUT_CLASSES];
    uint32_t morphHeads; /* word offset of its first LayoutMorph in the page */
} Mesh;

/* Bytes of a position in the output. */
static inline uint32_t sknPositionStride(const Mesh *mesh) {
    return 4 * mesh->info.dimensions;
}

/* The normal rule of its kernels. Without bones there is no difference, so one kernel serves both. */
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

/* Bytes per vertex of normals and tangents. */
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
    uint32_t region;          /* written by the latest update */
    uint32_t previousRegion;  /* read by the frame before that update; the same if there is no history */
    uint64_t updateFrame;     /* of the latest update; 0: none */
    uint64_t lastUpdateFrame; /* last...: the values before the latest command, in case it is not recorded */
    uint32_t lastRegion;
    uint64_t poseVersion; /* of the latest update; 0: none given */
    uint64_t lastPoseVersion;
    uint32_t command; /* its index in the job table's commands, or NO_INDEX */
} Instance;

#endif
