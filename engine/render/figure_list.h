/*
 * figure_list.h: what a pose of a figure draws: the triangles of its slots from back to front, in one list, cut where
 * page, blend mode or clipping change; the edges of these triangles; its bones.
 */
#ifndef ENGINE_FIGURE_LIST_H
#define ENGINE_FIGURE_LIST_H

#include "figure_mesh.h"

typedef struct FigureBatch {
    bool clips;        /* inverts the stencil in a clipping polygon, and draws no colour */
    bool clipped;      /* is drawn where the stencil is set */
    int32_t page;      /* of the figure; -1: none */
    uint32_t blend;    /* FigureBlend */
    FigureRange range; /* of the list's indices */
} FigureBatch;

/* At most figureListIndexMax indices and figureListBatchMax batches. */
typedef struct FigureList {
    uint32_t *indices; /* the caller's: mapped memory, which is only written */
    FigureBatch *batches;
    uint32_t indexCount, batchCount;
} FigureList;

uint32_t figureListIndexMax(const FigureMesh *mesh);
uint32_t figureListBatchMax(const FigureMesh *mesh);

/* Replaces what the list holds. */
void figureListFill(const FigureMesh *mesh, const FigurePose *pose, FigureList *list);

/* colours: [slotCount][2][4], the colour and the dark colour of each slot with what it shows. */
void figureListColours(const FigurePose *pose, float *colours);

/*
 * indices: at most figureListEdgeMax: pairs for the edges of all triangles that slots show, also of what is clipped, without
 * the polygons that clip. Returns how many.
 */
uint32_t figureListEdgeMax(const FigureMesh *mesh);
uint32_t figureListEdges(const FigureMesh *mesh, const FigurePose *pose, uint32_t *indices);

/* A corner of the mark of a joint or of the line to it. */
typedef struct FigureJointVertex {
    float position[2]; /* in the figure's space */
    float corner[2];   /* pixels from there, y up */
} FigureJointVertex;

#define FIGURE_JOINT_CORNERS 6 /* of a line, and of a mark: two triangles */

typedef struct FigureJointCounts {
    uint32_t lines, marks; /* vertices */
} FigureJointCounts;

/* vertices: [2 * boneCount * FIGURE_JOINT_CORNERS]: a line from each active bone's parent to it, then a mark on each. */
FigureJointCounts figureListJoints(const FigurePose *pose, FigureJointVertex *vertices);

#endif
