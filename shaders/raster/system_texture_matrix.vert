#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/source_vertex.glsl"
#include "vkskin/vkskin_vertex.glsl"

layout(set = RASTER_SET_PAGE, binding = 0) uniform sampler2D palettes;

// A character is three rows; the palette begins at a column of them.
#define READ(joint) vkskinFetchMatrix(palettes, ivec2(instance.attributes, instance.first), joint)

// The last weight is 1 minus the sum of the others.
vec4 impliedWeights() {
    if (INFLUENCES == 1) {
        return vec4(1.0, 0.0, 0.0, 0.0);
    }
    if (INFLUENCES == 2) {
        return vec4(weights.x, 1.0 - weights.x, 0.0, 0.0);
    }
    if (INFLUENCES == 3) {
        return vec4(weights.xy, 1.0 - weights.x - weights.y, 0.0);
    }
    return vec4(weights.xyz, 1.0 - weights.x - weights.y - weights.z);
}

Skinned skinVertex(RasterInstance instance) {
    Skinned skinned;
    vec4 implied = impliedWeights();
    BLEND(VkskinMatrix, VkskinMatrix, READ, implied, skinned)
    return skinned;
}

void main() {
    drawVertex();
}
