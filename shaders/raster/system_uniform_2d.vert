#version 450
#extension GL_GOOGLE_include_directive : require
#define RASTER_JOINTS ivec4
#include "raster/source_vertex.glsl"

layout(set = RASTER_SET_PAGE, binding = 0, std140) uniform Joints {
    vec4 matrices[RASTER_JOINTS_2D]; // rows of 2x2
    vec4 moves[RASTER_JOINTS_2D];
};

// Moves x and y only. A negative joint ends the list.
Skinned skinVertex(RasterInstance instance) {
    vec4 matrix = vec4(0.0);
    vec2 move = vec2(0.0);
    for (int i = 0; i < 4 && joints[i] >= 0; i++) {
        matrix += weights[i] * matrices[joints[i]];
        move += weights[i] * moves[joints[i]].xy;
    }
    Skinned skinned;
    skinned.position = vec3(dot(matrix.xy, position.xy), dot(matrix.zw, position.xy), 0.0) + vec3(move, 0.0);
    skinned.normal = vec3(dot(matrix.xy, normal.xy), dot(matrix.zw, normal.xy), normal.z);
    skinned.tangent = vec4(dot(matrix.xy, tangent.xy), dot(matrix.zw, tangent.xy), tangent.z, tangent.w);
    return skinned;
}

void main() {
    drawVertex();
}
