/*
 * figure_list.h: what a pose of a figure draws: the triangles of its slots from back to front, in one list, cut where
 * page, blend mode or clipping change; the edges of these triangles; its bones.
 */
#ifndef ENGINE_FIGURE_LIST_H
#define ENGINE_FIGURE_LIST_H

#include "figure_mesh.h"

/* Indices of one draw call. */
typedef struct FigureBatch {
    bool clips;        /* inverts the stencil in a clipping polygon, and draws no colour */
    bool clipped;      /* is drawn where the stencil is set */
    int32_t page;      /* page of the figure; -1: none */
    uint32_t blend;    /* FigureBlend */
    uint32_t model;    /* whose figure it is */
    uint32_t source;   /* where its vertices are: see figure_draw.c */
    FigureRange range; /* range among all indices of the frame */
} FigureBatch;

/* The part of one character. Without `indices` and `batches` both are only counted. */
typedef struct FigureList {
    uint32_t *indices; /* the caller's: mapped memory, which is only written */
    FigureBatch *batches;
    uint32_t indexCount, batchCount;
    uint32_t firstIndex;    /* where the first of `indices` is among all indices of the frame */
    uint32_t firstVertex;   /* added to each index */
    uint32_t model, source; /* model and source of the new batches */
    FigureBatch last;
} FigureList;

/* *count: figureListFill makes at most so many indices. */
bool figureListIndexMax(const FigureMesh *mesh, uint64_t *count, EngineError *error);

/* Replaces what the list holds. */
void figureListFill(const FigureMesh *mesh, const FigurePose *pose, FigureList *list);

/*
 * The same with pairs for the edges of all triangles that slots show, also of what is clipped, without the polygons that
 * clip: at most twice as many.
 */
void figureListEdges(const FigureMesh *mesh, const FigurePose *pose, FigureList *list);

/* Joins neighbours that may be one draw call, whose ranges follow each other. Returns how many are left. */
uint32_t figureListJoin(FigureBatch *batches, uint32_t count);

#define FIGURE_SLOT_FLOATS 8

/* colours: [slotCount][FIGURE_SLOT_FLOATS], four each of the colour and the dark colour of each slot with what it shows. */
void figureListColours(const FigurePose *pose, float *colours);

/* A corner of the mark of a joint or of the line to it. */
typedef struct FigureJointVertex {
    float position[2]; /* in the world */
    float corner[2];   /* pixels from there, y up */
} FigureJointVertex;

#define FIGURE_JOINT_CORNERS 6 /* per line and per mark: two triangles */

/* vertices: [boneCount * FIGURE_JOINT_CORNERS]: a line from each active bone's parent to it. Returns how many. */
uint32_t figureListLines(const FigurePose *pose, const FigureMatrix *place, FigureJointVertex *vertices);

/* The same with a mark on each active bone. */
uint32_t figureListMarks(const FigurePose *pose, const FigureMatrix *place, FigureJointVertex *vertices);

/* The same with a larger mark on each target of IK. */
uint32_t figureListTargets(const FigurePose *pose, const FigureMatrix *place, FigureJointVertex *vertices);

#endif
