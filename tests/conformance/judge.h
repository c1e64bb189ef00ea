/*
 * judge.h: skins the scene of a row and compares every vertex with the reference.
 *
 * How far a vertex may be off has three parts: the rounding of floats, which grows with the numbers involved; the weights
 * that the library did not keep, which VkskinMeshInfo.weightError bounds; the rotations, translations and sizes that the
 * palette's format cannot represent.
 */
#ifndef TESTS_JUDGE_H
#define TESTS_JUDGE_H

#include "scene.h"

typedef struct RowResult {
    ConformWorst worst; /* against exact weights and bones */
    double units;       /* the worst position, in the mesh's unit */
    bool good;
    char why[512]; /* if it is not: the first wrong vertex and its error */
} RowResult;

/*
 * Skins the row's scene. The output must match the exact weights and bones within the allowances. With float weights it
 * must also match the palette's own entries within rounding.
 */
RowResult runRow(Gpu *gpu, const Row *row, SceneKind kind, uint64_t seed);

/* The same for vertices that were skinned elsewhere, [SCENE_INSTANCES][vertexCount]. */
RowResult judgeScene(const Scene *scene, SceneKind kind, const ReadVertex *vertices, const VkskinMeshInfo *info);

/*
 * Compares vertices of an instance [vertexCount] with the exact bones and weights, within the allowances, or with its
 * palette's entries, within rounding. The first wrong vertex goes to *result.
 */
void judgeInstance(const Scene *scene, uint32_t index, bool exact, const ReadVertex *vertices,
                   const VkskinMeshInfo *info, ConformWorst *worst, RowResult *result);

#endif
