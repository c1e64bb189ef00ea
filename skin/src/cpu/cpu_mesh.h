/*
 * cpu_mesh.h: a mesh in host memory, as skinning on the CPU reads it. Never changed once it is made: any number of
 * threads may read it.
 *
 * Vertices are kept in blocks of LANES, one row of the block for each number that a vertex has (structure of arrays),
 * so that one loop over the lanes is a few vector instructions. Attributes are floats here also where the format is
 * packed, brought through the packing first: the kernels read no better.
 *
 * A mesh is cut, by its data alone, into
 *     run    vertices of one class of mesh_plan.h, in the host's order: some blocks, the last one maybe not full
 *     part   vertices that follow one another in the host's order: one run, or where classes mix some small ones
 *     span   parts that follow one another: what a task takes
 */
#ifndef VKSKIN_CPU_MESH_H
#define VKSKIN_CPU_MESH_H

#include "host.h"
#include "kernels/layout.h"
#include "vkskin/vkskin_mesh.h"

#define LANES         16u
#define SPAN_VERTICES 2048u /* at most, also of a run alone in its part */
#define TILE_VERTICES 256u  /* at most, of a part with several runs: its output is put in order on the stack */

/* One number of each vertex of a block. Lanes past the run's end repeat its last vertex. */
typedef union Row {
    float f[LANES];
    uint32_t u[LANES];
} Row;

/* Which row of a block is what; NO_ROW where the mesh has none. The same in all blocks of a mesh. */
#define NO_ROW UINT32_MAX
typedef struct RowMap {
    uint32_t normal;     /* 3 rows; the position's 3 (2 in a flat mesh) come first, from row 0 on */
    uint32_t tangent;    /* 3 rows, then the handedness, 1 or -1 */
    uint32_t blend;      /* 1 row */
    uint32_t centre;     /* 3 rows */
    uint32_t influences; /* a row of weights (f) and one of joints (u) for each: descending, their sum one */
} RowMap;

/* Vertices of one class. */
typedef struct CpuRun {
    uint32_t vertexCount;
    uint32_t influences; /* of each: 0 in a mesh without bones, 1 to 4; LAYOUT_MANY: as many as the block says */
    uint32_t firstBlock; /* of the mesh's */
    uint32_t firstRow;   /* of its first block; blocks follow one another, of blockRows each unless LAYOUT_MANY */
    uint32_t blockRows;
} CpuRun;

typedef struct CpuPart {
    uint32_t firstVertex; /* in the host's order */
    uint32_t vertexCount;
    uint32_t firstRun;
    uint32_t runCount; /* 1: the run is in the host's order */
} CpuPart;

/* A bone that moves some vertices of a block. */
typedef struct SharedBone {
    uint32_t joint;
    uint32_t lanes; /* a bit for each vertex; its weights are 0 elsewhere */
} SharedBone;

typedef struct CpuMesh {
    VkskinMeshInfo info;
    uint32_t positionWords;  /* 2 or 3 */
    uint32_t attributeWords; /* of the output, a vertex: 0 to 2 packed, 0, 3 or 7 float */
    RowMap map;
    Row *rows;        /* 64-byte aligned */
    CpuRun *runs;     /* [runCount] */
    CpuPart *parts;   /* [partCount], all vertices in the host's order */
    uint32_t *spans;  /* [spanCount + 1]: the first part of each */
    uint16_t *places; /* [vertexCount], null where all parts have one run: in a part, from its first run's first vertex,
                          runs following one another */
    uint32_t *manyRow;       /* [blockCount], null without LAYOUT_MANY: a block's first row, in a run of that */
    uint8_t *manyInfluences; /* [blockCount], null likewise: influence rows of a block; short vertices have weights of
                                zero at the end, for a joint of theirs */
    uint32_t *firstBones; /* [blockCount + 1], null without bones: of a block's bones; it has none told where they are
                             too many */
    SharedBone *sharedBones;
    Row *sharedWeights; /* of each of them; 64-byte aligned */
    uint32_t runCount, partCount, spanCount, blockCount;
    LayoutMorph *morphs; /* [morphTargetCount]: word offsets into morphWords; a place is LANES * block + lane */
    bool *morphsAfter;   /* [morphTargetCount]: after the bones */
    uint32_t *morphWords;
} CpuMesh;

/*
 * From a def that sknCheckMeshDef let pass. The mesh is freed with the allocator of `host`, which is not kept. Warnings
 * are the caller's to report, from info. Errors: OUT_OF_HOST_MEMORY, MESH_TOO_LARGE; *mesh is null then.
 */
VkskinResult sknMakeCpuMesh(const Host *host, const VkskinMeshDef *def, CpuMesh **mesh);
void sknFreeCpuMesh(const VkskinHostAllocator *allocator, CpuMesh *mesh);

/* The rows of a block of the run, by its number in the run, and how many influences it has rows for. */
static inline const Row *sknRunBlock(const CpuMesh *mesh, const CpuRun *run, uint32_t block, uint32_t *influences) {
    if (run->influences == LAYOUT_MANY) {
        *influences = mesh->manyInfluences[run->firstBlock + block];
        return mesh->rows + mesh->manyRow[run->firstBlock + block];
    }
    *influences = run->influences;
    return mesh->rows + run->firstRow + (size_t)block * run->blockRows;
}

#endif
