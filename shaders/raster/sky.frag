#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/light.glsl"

layout(location = 0) in vec3 direction;

layout(location = 0) out vec4 colour;

void main() {
    colour = display(skyColour(normalize(direction)));
}
