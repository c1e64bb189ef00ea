/*
 * spine_list.h: what a pose of a 2D model draws: the triangles of its slots from back to front, in one list, cut where
 * page, blend mode or clipping change; the edges of these triangles; its bones.
 */
#ifndef ENGINE_SPINE_LIST_H
#define ENGINE_SPINE_LIST_H

#include "spine_mesh.h"

/* Indices of one draw call. */
typedef struct SpineBatch {
    bool clips;       /* inverts the stencil in a clipping polygon, and draws no colour */
    bool clipped;     /* is drawn where the stencil is set */
    int32_t page;     /* page of the 2D model; -1: none */
    uint32_t blend;   /* SpineBlend */
    uint32_t model;   /* whose 2D model it is */
    uint32_t source;  /* where its vertices are: see spine_draw.c */
    SpineRange range; /* range among all indices of the frame */
} SpineBatch;

/* The part of one character. Without `indices` and `batches` both are only counted. */
typedef struct SpineList {
    uint32_t *indices; /* the caller's: mapped memory, which is only written */
    SpineBatch *batches;
    uint32_t indexCount, batchCount;
    uint32_t firstIndex;    /* where the first of `indices` is among all indices of the frame */
    uint32_t firstVertex;   /* added to each index */
    uint32_t model, source; /* model and source of the new batches */
    SpineBatch last;
} SpineList;

/* *count: spineListFill makes at most so many indices. */
bool spineListIndexMax(const SpineMesh *mesh, uint64_t *count, EngineError *error);

/* Replaces what the list holds. */
void spineListFill(const SpineMesh *mesh, const SpinePose *pose, SpineList *list);

/*
 * The same with pairs for the edges of all triangles that slots show, also of what is clipped, without the polygons that
 * clip: at most twice as many.
 */
void spineListEdges(const SpineMesh *mesh, const SpinePose *pose, SpineList *list);

/* Joins neighbours that may be one draw call, whose ranges follow each other. Returns how many are left. */
uint32_t spineListJoin(SpineBatch *batches, uint32_t count);

#define SPINE_SLOT_FLOATS 8

/* colours: [slotCount][SPINE_SLOT_FLOATS], four each of the colour and the dark colour of each slot with what it shows. */
void spineListColours(const SpinePose *pose, float *colours);

/* A corner of the mark of a joint or of the line to it. */
typedef struct SpineJointVertex {
    float position[2]; /* in the world */
    float corner[2];   /* pixels from there, y up */
} SpineJointVertex;

#define SPINE_JOINT_CORNERS 6 /* per line and per mark: two triangles */

/* Debug views of bones: a line to each active one from its parent, a mark on it, a larger mark on each target of IK. */
typedef enum SpineJointKind {
    SPINE_JOINT_LINES,
    SPINE_JOINT_MARKS,
    SPINE_JOINT_TARGETS,
    SPINE_JOINT_KINDS
} SpineJointKind;

/* vertices: [boneCount * SPINE_JOINT_CORNERS]. Returns how many. */
uint32_t spineListJoints(const SpinePose *pose, const SpineMatrix *place, SpineJointKind kind,
                         SpineJointVertex *vertices);

#endif
