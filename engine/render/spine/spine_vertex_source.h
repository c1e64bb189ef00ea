/*
 * spine_vertex_source.h: the vertices of a 2D model for the system uniform-2d, whose vertex shader skins: up to four influences,
 * the largest, with a position each. The host adds deform keys to the positions.
 */
#ifndef ENGINE_SPINE_VERTEX_SOURCE_H
#define ENGINE_SPINE_VERTEX_SOURCE_H

#include "spine_mesh.h"

#define SPINE_SOURCE_INFLUENCES 4

typedef struct SpineSourceVertex {
    float points[SPINE_SOURCE_INFLUENCES][2];
    float weights[SPINE_SOURCE_INFLUENCES]; /* they sum to 1 */
    uint16_t joints[SPINE_SOURCE_INFLUENCES];
} SpineSourceVertex;

/* Whether a uniform block holds the bones. */
bool spineSourceCheck(const SpineMesh *mesh, EngineError *error);

/* Writes all vertices, [vertexCount], which are only written. weights: of the morph targets. */
void spineSourceWrite(const SpineMesh *mesh, const float *weights, SpineSourceVertex *vertices);

/* Vertices with more influences. */
uint32_t spineSourceTrimmed(const SpineMesh *mesh);

#endif
