#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/source_vertex.glsl"

layout(constant_id = RASTER_CONSTANT_BONES) const uint BONES = 64;

// The rows of the matrices of the piece that is drawn.
layout(set = RASTER_SET_PAGE, binding = 0, std140) uniform Palette {
    vec4 rows[3 * BONES];
};

#define VKSKIN_PALETTE_VECTOR(at) rows[at]
#include "vkskin/vkskin_vertex.glsl"

#define READ(joint) vkskinReadMatrix(0, joint)

Skinned skinVertex(RasterInstance instance) {
    Skinned skinned;
    BLEND(VkskinMatrix, VkskinMatrix, READ, weights, skinned)
    return skinned;
}

void main() {
    drawVertex();
}
