/* row_run.h: one row of the table, on the device against the reference. */
#ifndef TESTS_ROW_RUN_H
#define TESTS_ROW_RUN_H

#include "conform.h"
#include "scene.h"

typedef struct RowResult {
    ConformWorst worst; /* against exact weights and bones */
    double units;       /* the worst position, in the mesh's unit */
    bool good;
    char why[512]; /* where it is not: the first vertex and how far it is off */
} RowResult;

/*
 * Skins the row's scene. What float weights and the palette's own entries make of it must come out to within rounding;
 * and whatever weights and palette are, what the exact ones make of it to within the allowances.
 */
RowResult runRow(Gpu *gpu, const Row *row, SceneKind kind, uint64_t seed);

/* The same of vertices that were skinned elsewhere, [SCENE_INSTANCES][vertexCount]. */
RowResult judgeScene(const Scene *scene, SceneKind kind, const ReadVertex *vertices, const VkskinMeshInfo *info);

/*
 * Holds vertices of an instance [vertexCount] against the exact bones and weights, to within the allowances, or against
 * what its palette's entries hold, to within rounding. The first vertex that is wrong goes to *result.
 */
void judgeInstance(const Scene *scene, uint32_t index, bool exact, const ReadVertex *vertices,
                   const VkskinMeshInfo *info, ConformWorst *worst, RowResult *result);

#endif
