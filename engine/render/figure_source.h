/*
 * figure_source.h: the vertices of a figure for the system uniform-2d, whose vertex shader skins: up to four influences,
 * the largest, with a position each. The host adds deform keys to the positions.
 */
#ifndef ENGINE_FIGURE_SOURCE_H
#define ENGINE_FIGURE_SOURCE_H

#include "figure_mesh.h"

#define FIGURE_SOURCE_INFLUENCES 4

typedef struct FigureSourceVertex {
    float points[FIGURE_SOURCE_INFLUENCES][2];
    float weights[FIGURE_SOURCE_INFLUENCES]; /* they sum to 1 */
    uint16_t joints[FIGURE_SOURCE_INFLUENCES];
} FigureSourceVertex;

/* Whether a uniform block holds the bones. */
bool figureSourceCheck(const FigureMesh *mesh, EngineError *error);

/* Writes all vertices, [vertexCount], which are only written. weights: of the morph targets. */
void figureSourceWrite(const FigureMesh *mesh, const float *weights, FigureSourceVertex *vertices);

/* Vertices with more influences. */
uint32_t figureSourceTrimmed(const FigureMesh *mesh);

#endif
