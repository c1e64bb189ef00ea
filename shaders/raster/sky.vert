#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"

layout(location = 0) out vec3 outDirection;

// One triangle over the whole picture, at the far plane. The rows of the matrix are the camera's axes over its scales.
void main() {
    vec2 at = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 2.0 - 1.0;
    mat4 rows = transpose(frame.viewProjection);
    vec3 x = rows[0].xyz / dot(rows[0].xyz, rows[0].xyz);
    vec3 y = rows[1].xyz / dot(rows[1].xyz, rows[1].xyz);
    outDirection = rows[3].xyz + at.x * x + at.y * y;
    gl_Position = vec4(at, 0.0, 1.0);
}
