#version 450
#extension GL_GOOGLE_include_directive : require

// 2D characters: skinned positions.

#include "raster/spine_vertex.glsl"

void main() {
    draw(point(character().x + 2 * vertexOfSpine()));
}
