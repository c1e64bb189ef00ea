/*
 * figure_mesh.h: a figure as one flat mesh of the library: every picture of every attachment, with one position per
 * influence. The mesh stays on the device; a pose changes the palette, the morph weights and what is drawn.
 *
 * A key of a deform timeline is a morph target, whose deltas are the key's offsets: two weights mix two keys, times the
 * animation's share where several are mixed.
 */
#ifndef ENGINE_FIGURE_MESH_H
#define ENGINE_FIGURE_MESH_H

#include "figure_pose.h"
#include "vkskin/vkskin_mesh.h"

/* What skinning does not change. */
typedef struct FigureVertex {
    float texcoord[2]; /* coordinates in the picture's page */
    uint32_t slot;
} FigureVertex;

/* Some of FigureMesh.indices. */
typedef struct FigureRange {
    uint32_t first, count;
} FigureRange;

/* The morph targets of a deform timeline. */
typedef struct FigureKeys {
    const FigureTimeline *timeline;
    uint32_t firstKey; /* in FigureMesh.morphOfKey */
} FigureKeys;

typedef struct FigureMesh {
    const Figure *figure;
    uint32_t vertexCount, indexCount, pictureCount, keysCount, morphCount;
    uint32_t influences;    /* places per vertex */
    float *positions;       /* [vertexCount][influences][2], in the space of each bone */
    float *weights;         /* [vertexCount][influences] */
    uint32_t *joints;       /* [vertexCount][influences]: bones of the figure */
    FigureVertex *vertices; /* [vertexCount] */
    uint32_t *indices;      /* [indexCount] triangles; of a clipping polygon a fan, which may fold over itself */
    FigureRange *pictures;  /* [pictureCount] */
    uint32_t
        *firstPicture;     /* [attachmentCount + 1]: pictures of an attachment: its frames; one of a clipping polygon */
    uint32_t *firstVertex; /* [attachmentCount + 1] */
    FigureKeys *keys;      /* [keysCount], in the order of the addresses of their timelines */
    uint32_t *morphOfKey;  /* FIGURE_NO_MORPH: all offsets of the key are 0 */
    VkskinMorphTarget *morphs; /* [morphCount]; they own their arrays */
} FigureMesh;

#define FIGURE_NO_MORPH UINT32_MAX

/* The figure must stay. The caller calls figureMeshFree also after a failure. */
bool figureMeshCreate(const Figure *figure, FigureMesh *mesh, EngineError *error);
void figureMeshFree(FigureMesh *mesh);

/* Points into the mesh. */
VkskinMeshDef figureMeshDef(const FigureMesh *mesh);

/*
 * palette: [boneCount of the figure][6], as VKSKIN_PALETTE_MAT2X3: from each bone to the figure's space, and by `place` from
 * there to the world. weights: [morphCount]. Both are only written.
 */
void figureMeshPose(const FigureMesh *mesh, const FigurePose *pose, const FigureMatrix *place, float *palette,
                    float *weights);

/* The triangles of what the slot shows; count 0: none. */
FigureRange figureMeshShown(const FigureMesh *mesh, const FigurePose *pose, uint32_t slot);

#endif
