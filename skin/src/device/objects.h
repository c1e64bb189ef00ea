/*
 * objects.h: what the context keeps of a mesh and of an instance.
 */
#ifndef VKSKIN_OBJECTS_H
#define VKSKIN_OBJECTS_H

#include "cpu_mesh.h"
#include "handle_table.h"
#include "kernels.h"
#include "output_layout.h"
#include "page_pool.h"
#include "updates.h"

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
    char label[40];  /* "mesh NAME" or "unnamed mesh", for messages */
    uint64_t serial; /* serial number of the data, unique in the context: vkskinReplaceMesh changes it */
    VkskinMeshInfo info;
    KernelAttributes attributes;
    bool previousPositions;
    bool ownLayout;         /* output differs from the default layout */
    uint32_t regions;       /* regions of each instance's output */
    uint32_t instanceCount; /* existing instances */
    uint32_t crowdParts;    /* parts of existing crowds that use the mesh: they keep it as it is */
    bool uploadPending;     /* the copy of the data is not recorded */
    bool normalsReported;   /* WARNING_NORMALS_CHEAP was logged */
    bool *morphsAfter;      /* [morphTargetCount]: applied after skinning; null: none */
    float (*morphMaxDelta)
        [3];      /* [morphTargetCount]: largest size of a position delta, by axis; null: no targets, or flat */
    CpuMesh *cpu; /* CPU backend only; the fields below are then unused */
    PageRange source;
    uint32_t classCount;
    MeshClass classes[LAYOUT_CLASSES];
    uint32_t morphHeads; /* word offset of its first LayoutMorph in the page */
    OutputImage image;
    VkDeviceSize imageOffset; /* offset in the page; unused on the CPU */
} Mesh;

/* The normal rule of its kernels. Without bones there is no difference, so one kernel serves both. */
static inline VkskinNormals sknKernelNormals(const Mesh *mesh) {
    return mesh->info.boneCount > 0 ? mesh->info.normalRule : VKSKIN_NORMALS_CHEAP;
}

static inline VkDeviceSize sknAlignUp(VkDeviceSize size, VkDeviceSize alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

typedef struct Instance {
    HandleHeader header;
    uint32_t mesh;
    PageRange output;
    bool fixed; /* the host chose its place in a buffer of its own */
    Updates updates;
    uint32_t fill; /* index of this instance in the fills, or NO_INDEX */
    bool filled;   /* a fill was recorded, so the device may write the output */
} Instance;

/* A buffer of the host for output. */
typedef struct OutputBuffer {
    HandleHeader header;
    uint32_t page; /* index of the output page */
} OutputBuffer;

#endif
