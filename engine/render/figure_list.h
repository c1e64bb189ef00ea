/*
 * figure_list.h: what a pose of a figure draws: the triangles of its slots from back to front, in one list, cut where
 * page, blend mode or clipping change.
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

#endif
