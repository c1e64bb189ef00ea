/*
 * cpu_mesh.h: a mesh in host memory, as the CPU backend reads it. Immutable after creation; any number of threads may
 * read it.
 *
 * Vertices are stored in blocks of LANES, with one row per component (structure of arrays): a loop over the lanes is a
 * few vector instructions. Attributes are floats. Unless the format is float, they were packed and unpacked first, so that
 * they have the precision that the kernels read.
 *
 * The mesh data determines how a mesh is cut:
 *     run    vertices of one class of mesh_plan.h, in the host's order, in blocks; the last block may be partial
 *     part   consecutive vertices in the host's order: one run, or several small runs where classes mix
 *     span   consecutive parts; the unit of a task
 */
#ifndef VKSKIN_CPU_MESH_H
#define VKSKIN_CPU_MESH_H

#include "host.h"
#include "output_layout.h"

#define LANES         16u
#define SPAN_VERTICES 2048u /* maximum of a span, and of a run that is alone in its part */
#define TILE_VERTICES 256u  /* maximum of a part with several runs; its output is reordered on the stack */

/* One component of each vertex of a block. Lanes past the run's end repeat its last vertex. */
typedef union Row {
    float f[LANES];
    uint32_t u[LANES];
} Row;

/* The first row of each component in a block; NO_ROW if the mesh does not have it. Same for all blocks of a mesh. */
#define NO_ROW UINT32_MAX
typedef struct RowMap {
    uint32_t normal;     /* 3 rows. Row 0 starts the position: 3 rows, 2 in a flat mesh; none with influencePositions */
    uint32_t tangent;    /* 3 rows, then the handedness, 1 or -1 */
    uint32_t blend;      /* 1 row */
    uint32_t centre;     /* 3 rows */
    uint32_t influences; /* per influence, a row of weights (f) and one of joints (u); weights descend and sum to 1 */
    uint32_t perInfluence; /* rows: 2; 4 with influencePositions, whose x and y follow */
} RowMap;

/* Vertices of one class. */
typedef struct CpuRun {
    uint32_t vertexCount;
    uint32_t influences; /* per vertex: 0 in a mesh without bones, 1 to 4; LAYOUT_MANY: see manyInfluences */
    uint32_t firstBlock; /* in the mesh */
    uint32_t firstRow; /* first row of the first block; blocks are contiguous, with blockRows each unless LAYOUT_MANY */
    uint32_t blockRows;
} CpuRun;

typedef struct CpuPart {
    uint32_t firstVertex; /* in the host's order */
    uint32_t vertexCount;
    uint32_t firstRun;
    uint32_t runCount;
    bool inOrder; /* the runs, one after another, are in the host's order: always so with one run */
} CpuPart;

/* A bone that moves some vertices of a block. */
typedef struct SharedBone {
    uint32_t joint;
    uint32_t lanes; /* one bit per vertex that it moves; its weights are 0 elsewhere */
} SharedBone;

typedef struct CpuMesh {
    Arena arena; /* memory of the mesh */
    VkskinMeshInfo info;
    uint32_t positionWords;  /* 2 or 3 */
    uint32_t attributeWords; /* words of normals with tangents, per vertex: 0, 3 or 7 float; else 0 to 2 */
    bool plainStreams;       /* the output has no gaps: sknHasPlainStreams */
    RowMap map;
    Row *rows;         /* 64-byte aligned */
    CpuRun *runs;      /* [runCount] */
    CpuPart *parts;    /* [partCount], all vertices in the host's order */
    uint32_t *spans;   /* [spanCount + 1]: the first part of each */
    uint16_t *places;  /* [vertexCount], null if all parts have one run: a vertex's index in its part's runs, which
                         follow one another */
    uint32_t *manyRow; /* [blockCount], null without LAYOUT_MANY: the first row of a block of such a run */
    uint8_t *manyInfluences; /* [blockCount], null likewise: influences of a block; vertices with fewer are padded with
                                weights of zero for a joint of their own */
    uint32_t *firstBones;    /* [blockCount + 1], null without bones or with influencePositions: where a block's shared
                             bones begin; a block with too many bones has none */
    SharedBone *sharedBones;
    Row *sharedWeights; /* one row per shared bone; 64-byte aligned */
    uint32_t runCount, partCount, spanCount, blockCount;
    LayoutMorph *morphs; /* [morphTargetCount]: word offsets into morphWords; a vertex is LANES * block + lane */
    bool *morphsAfter;   /* [morphTargetCount]: applied after skinning */
    uint32_t *morphWords;
    OutputImage image;
    unsigned char *imageData; /* [image.bytes] */
} CpuMesh;

/*
 * def: accepted by sknCheckMeshDef. The host's allocator is kept. The caller reports warnings, from info. alignment: of
 * the streams of the output, see sknDescribeMesh. Errors: OUT_OF_HOST_MEMORY, MESH_TOO_LARGE; *mesh is null then.
 */
VkskinResult sknMakeCpuMesh(const Host *host, const VkskinMeshDef *def, uint32_t alignment, CpuMesh **mesh);
void sknFreeCpuMesh(CpuMesh *mesh);

/* The rows of a block, by its index in the run, and the number of influences that it has rows for. */
static inline const Row *sknRunBlock(const CpuMesh *mesh, const CpuRun *run, uint32_t block, uint32_t *influences) {
    if (run->influences == LAYOUT_MANY) {
        *influences = mesh->manyInfluences[run->firstBlock + block];
        return mesh->rows + mesh->manyRow[run->firstBlock + block];
    }
    *influences = run->influences;
    return mesh->rows + run->firstRow + (size_t)block * run->blockRows;
}

#endif
