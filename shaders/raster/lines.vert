#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"

// Lines of bones and boxes: corners with a distance in pixels.

layout(location = 0) in vec3 position; // in the world
layout(location = 1) in vec2 corner;   // pixels from there

void main() {
    gl_Position = frame.viewProjection * vec4(position, 1.0);
    gl_Position.xy += corner * frame.groundSquare.zw * gl_Position.w;
}
