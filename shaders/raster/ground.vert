#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"

layout(location = 0) out vec3 outWorld;

// A square of two triangles about the crowd.
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    outWorld = frame.groundCentre.xyz;
    outWorld.xz += corner * frame.groundCentre.w * 0.5;
    gl_Position = frame.viewProjection * vec4(outWorld, 1.0);
}
